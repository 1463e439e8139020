"""`headway show`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from headway.cli.common import command as headway_command
from headway.cli.common import console, reading, say_skipped

if TYPE_CHECKING:
    from headway.formats.reading import Reader
    from headway.sentence import Sentence

ON_A_PAGE = 10
"""How many sentences a page shows where no number is given."""


class Shown(NamedTuple):
    """A sentence with its number from 1, and its counterpart in the other file."""

    number: int
    sentence: Sentence
    other: Sentence | None


class Wanted(NamedTuple):
    """Sentences asked for: ranges of numbers, and values of sent_id."""

    ranges: list[tuple[int, int]]
    names: set[str]


def parse_wanted(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> Wanted | None:
    """`7`, `3-7` or a sent_id each; None where nothing was asked for."""
    wanted = Wanted([], set())
    for value in values:
        first, dash, last = value.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            wanted.names.add(value)
        elif 1 <= int(first) <= int(last or first):
            wanted.ranges.append((int(first), int(last or first)))
        else:
            raise click.BadParameter(f"{value!r} is no range; sentences are counted from 1, as in 3 or 3-7")
    return wanted if values else None


@headway_command
@click.argument("source", metavar="FILE")
@click.argument("other", metavar="[OTHER]", required=False)
@click.option(
    *("-s", "--sentence", "wanted"),
    multiple=True,
    callback=parse_wanted,
    metavar="N",
    help="Number from 1, range like 3-7, or sent_id; may be given several times. The first one by default.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help=f"How many sentences to show from the start; 1 by default, {ON_A_PAGE} on a page.",
)
@click.option("--all", "everything", is_flag=True, help="Show all sentences.")
@click.option("--errors", is_flag=True, help="Only sentences whose trees differ in the two files.")
@click.option(
    "--layout",
    type=click.Choice(["auto", "across", "down"]),
    default="auto",
    show_default=True,
    help="Arcs above the words, or one word on each line; the first where it fits.",
)
@click.option("--width", type=click.IntRange(min=20), help="Columns of text to use; those of the terminal by default.")
@click.option("--svg", "picture", metavar="FILE", help="Write the picture of one sentence to an SVG file.")
@click.option("--html", "page", metavar="FILE", help="Write the pictures to a self-contained page.")
@reading
def command(
    source: str,
    other: str | None,
    wanted: Wanted | None,
    limit: int | None,
    everything: bool,
    errors: bool,
    layout: str,
    width: int | None,
    picture: str | None,
    page: str | None,
    **how: Any,
) -> None:
    """Show trees of FILE as arcs in the terminal, or as a picture or page.

    With OTHER, a second parse of the same sentences, words whose head or label differs are marked, and its
    arcs to them are drawn below the words or to their right. Dashed arcs are not projective.
    """
    from headway.files import STANDARD
    from headway.formats.reading import read

    if errors and other is None:
        raise click.UsageError("--errors compares two files; give a second one")
    if picture and page:
        raise click.UsageError("--svg and --html exclude each other; a page holds pictures of all sentences")
    if source == other == STANDARD:
        raise click.UsageError("only one of the two files can be standard input")
    reader, second = read(source, **how), read(other, **how) if other else None
    most = None if wanted or everything else limit or (ON_A_PAGE if page else 1)
    chosen = choose(reader, second, wanted, most, errors)
    if picture:
        write_picture(chosen, picture)
    elif page:
        write_page(chosen, page, f"{source} and {other}" if other else source)
    else:
        print_trees(chosen, layout, width)
    for each in (reader, second) if second else (reader,):
        say_skipped(each)


def choose(
    reader: Reader, other: Reader | None, wanted: Wanted | None, limit: int | None, errors: bool
) -> Iterator[Shown]:
    """The sentences asked for, or the first `limit`; with `errors` only those that differ. Reads no more."""
    from headway.show.arcs import trees

    ranges, names = (wanted.ranges, set(wanted.names)) if wanted else ([], set())
    end = max((last for _, last in ranges), default=0)
    number = found = 0
    for number, (sentence, counterpart) in enumerate(pairs(reader, other), 1):
        asked = wanted is None or any(first <= number <= last for first, last in ranges)
        if names and sentence.sent_id in names:
            names.remove(sentence.sent_id)
            asked = True
        if asked and (not errors or any(arc.differs for arc in trees(sentence, counterpart)[0])):
            found += 1
            yield Shown(number, sentence, counterpart)
        if found == limit or (wanted and number >= end and not names):
            break
    else:
        check_found(reader, number, end, names)
    if errors and not found:
        logging.getLogger("headway").warning("%s: the trees do not differ", reader.report.source)


def check_found(reader: Reader, count: int, end: int, names: set[str]) -> None:
    """Raise where more was asked for than a file of `count` sentences has."""
    from headway.errors import FormatError, shown

    size = "1 sentence" if count == 1 else f"{count:,} sentences"
    if end > count:
        raise FormatError(
            reader.report.source,
            None,
            f"the file has {size}, there is no sentence {end}",
            f"ask for 1 to {count}",
        )
    if names:
        what = f"none of its {size} has the sent_id {shown(min(names))}"
        raise FormatError(reader.report.source, None, what, f"ask for a number from 1 to {count}")


def pairs(reader: Reader, other: Reader | None) -> Iterator[tuple[Sentence, Sentence | None]]:
    """The sentences of one file, or of two side by side."""
    from headway.errors import FormatError

    if other is None:
        yield from ((sentence, None) for sentence in reader)
        return
    for number, (sentence, counterpart) in enumerate(zip_longest(reader, other)):
        if sentence is None or counterpart is None:
            ended, longer = (reader, other) if sentence is None else (other, reader)
            what = f"the file ends after {number:,} sentences, {longer.report.source} goes on"
            raise FormatError(ended.report.source, None, what, "compare two parses of the same sentences")
        yield sentence, counterpart


def print_trees(chosen: Iterator[Shown], layout: str, width: int | None) -> None:
    """Print the trees one below the other."""
    from headway.errors import HeadwayError
    from headway.show.text import picture

    out = console()
    for index, (number, sentence, other) in enumerate(chosen):
        caption = f"sentence {number}, {sentence.place}"
        tree = picture(sentence, other, layout=layout, width=width or out.width, caption=caption)
        try:
            out.print(*([""] if index else []), tree, sep="\n")
        except UnicodeEncodeError:
            what = f"standard output takes {out.encoding} only, which has no lines to draw with"
            raise HeadwayError(f"{what}; set PYTHONIOENCODING=utf-8 or write a page with --html") from None


def write_picture(chosen: Iterator[Shown], path: str) -> None:
    """Write the one sentence chosen to an SVG file."""
    from headway.files import replacing
    from headway.show.svg import draw

    found = list(islice(chosen, 2))
    if len(found) > 1:
        raise click.UsageError("an SVG file holds one sentence; name it with --sentence, or write a page with --html")
    for _, sentence, other in found:
        with replacing(path) as stream:
            stream.write(draw(sentence, other).encode())


def write_page(chosen: Iterator[Shown], path: str, title: str) -> None:
    """Write all sentences chosen to an HTML page."""
    from headway.files import replacing
    from headway.show.html import draw

    found = list(chosen)
    sentences, others = [each.sentence for each in found], [each.other for each in found if each.other]
    with replacing(path) as stream:
        stream.write(draw(sentences, others or None, title=title).encode())
