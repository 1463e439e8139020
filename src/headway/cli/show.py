"""`headway show`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from headway.cli.common import command as headway_command
from headway.cli.common import console, reading, say_skipped

if TYPE_CHECKING:
    from headway.show.choose import ChosenSentence, Wanted

ON_A_PAGE = 10
"""How many sentences a page shows where no number is given."""


def parse_wanted(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> Wanted | None:
    """The sentences asked for; None where nothing was asked for."""
    if not values:
        return None
    from headway.errors import HeadwayError
    from headway.show.choose import Wanted

    try:
        return Wanted.parse(values)
    except HeadwayError as error:
        raise click.BadParameter(str(error)) from None


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
    """Draw trees in the terminal, or as a picture or a page.

    With OTHER, a second parse of the same sentences, words whose head or label differs are marked, and its
    arcs to them are drawn below the words or to their right. Dashed arcs are not projective.
    """
    from headway.files import STANDARD
    from headway.formats.reading import read
    from headway.show.choose import choose

    if errors and other is None:
        raise click.UsageError("--errors compares two files; give a second one")
    if picture and page:
        raise click.UsageError("--svg and --html exclude each other; a page holds pictures of all sentences")
    if source == other == STANDARD:
        raise click.UsageError("only one of the two files can be standard input")
    reader, second = read(source, **how), read(other, **how) if other else None
    most = None if wanted or everything else limit or (ON_A_PAGE if page else 1)
    chosen = choose(reader, second, wanted=wanted, limit=most, errors=errors)
    if picture:
        write_picture(chosen, picture)
    elif page:
        write_page(chosen, page, f"{source} and {other}" if other else source)
    else:
        print_trees(chosen, layout, width)
    for each in (reader, second) if second else (reader,):
        say_skipped(each)


def print_trees(chosen: Iterator[ChosenSentence], layout: str, width: int | None) -> None:
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


def write_picture(chosen: Iterator[ChosenSentence], path: str) -> None:
    """Write the one sentence chosen to an SVG file."""
    from headway.files import replacing
    from headway.show.svg import draw

    found = list(islice(chosen, 2))
    if len(found) > 1:
        raise click.UsageError("an SVG file holds one sentence; name it with --sentence, or write a page with --html")
    for _, sentence, other in found:
        with replacing(path) as stream:
            stream.write(draw(sentence, other).encode())


def write_page(chosen: Iterator[ChosenSentence], path: str, title: str) -> None:
    """Write all sentences chosen to an HTML page."""
    from headway.files import replacing
    from headway.show.html import draw

    with replacing(path) as stream:
        found = list(chosen)
        sentences, others = [each.sentence for each in found], [each.other for each in found if each.other]
        stream.write(draw(sentences, others or None, title=title).encode())
