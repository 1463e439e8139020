"""`headway show`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from headway.cli import headway_command, say_skipped
from headway.cli.printing import console, print_table
from headway.cli.shared_options import FORCE, one_of, reading, whole

if TYPE_CHECKING:
    from headway.show.choose import ChosenSentence, TreeErrors, Wanted

ON_A_PAGE = 10
"""How many sentences a page shows where no number is given."""
LISTED = 10
"""How many confusions are listed."""


def parse_wanted(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> Wanted | None:
    """The sentences asked for; None where nothing was asked for."""
    if not values:
        return None
    from headway.base.errors import HeadwayError
    from headway.show.choose import Wanted

    try:
        return Wanted.parse(values)
    except HeadwayError as error:
        raise click.BadParameter(str(error)) from None


SENTENCE = click.option(
    *("-s", "--sentence", "wanted"),
    multiple=True,
    callback=parse_wanted,
    metavar="N",
    help="Number from 1, range like 3-7, or sent_id; may be given several times. The first one by default.",
)


@headway_command
@click.argument("source", metavar="FILE")
@click.argument("other", metavar="[OTHER]", required=False)
@SENTENCE
@whole("--limit", help=f"How many sentences to show; 1 by default, {ON_A_PAGE} on a page.")
@click.option("--all", "everything", is_flag=True, help="Show all sentences.")
@click.option(
    "--errors",
    is_flag=True,
    help="List how the two files differ, the most frequent errors first, and show a short example.",
)
@one_of(
    "--layout",
    choices=("auto", "across", "down"),
    default="auto",
    help="Draw arcs above the words, or one word on each line; auto draws arcs above if they fit.",
)
@whole("--width", low=20, help="How many characters fit on a line; by default as many as in the terminal.")
@click.option("--svg", "picture", metavar="FILE", help="Write the picture of one sentence to an SVG file.")
@click.option("--html", "page", metavar="FILE", help="Write the pictures to a self-contained page.")
@FORCE
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
    force: bool,
    **how: Any,
) -> None:
    """Draw trees in the terminal, or as a picture or a page.

    OTHER is a second parse of the same text: words whose head or label differs are marked, and its arcs to them are
    drawn below the words or to their right. If it cuts words differently, its trees are drawn below. Dashed arcs are
    not projective.

    \b
    Example: headway show gold.conllu parsed.conllu --errors --limit 5
    """  # noqa: D301 (click knows the backspace)
    from headway.base.files import assure_apart, assure_one_standard, assure_writable
    from headway.data.formats.reading import read
    from headway.evaluation.side_by_side import side_by_side
    from headway.show.choose import choose, errors_in

    if errors and other is None:
        raise click.UsageError("--errors compares two files; give a second one")
    if picture and page:
        raise click.UsageError("--svg and --html exclude each other; a page holds pictures of all sentences")
    inputs = [source, *([other] if other else [])]
    assure_one_standard(inputs)
    for output in (picture, page):
        if output:
            assure_apart(output, inputs, force=force)
            assure_writable(output)
    reader, second = read(source, **how), read(other, **how) if other else None
    most = None if wanted or everything else limit or (ON_A_PAGE if page else 1)
    pairs = side_by_side(reader, second) if second else ((sentence, None) for sentence in reader)
    chosen = choose(pairs, reader.report.source, wanted=wanted, limit=None if errors else most)
    summary = ""
    if errors:
        found = errors_in(chosen)
        chosen, summary = iter(found.examples(most)), str(found)
        if not found.wrong:
            logging.getLogger("headway").warning("%s: the trees do not differ", source)
        elif not picture and not page:
            print_errors(found)
    if picture:
        write_picture(chosen, picture)
    elif page:
        write_page(chosen, page, f"{source} and {other}" if other else source, summary)
    else:
        print_trees(chosen, layout, width)
    for each in (reader, second) if second else (reader,):
        say_skipped(each)


def print_errors(found: TreeErrors) -> None:
    """Print how much differs, and the most frequent confusions."""
    from headway.show.arcs import legible

    ranked = found.ranked()
    rows = [
        (
            *(f"{rank}", legible(one.label)),
            "the same" if one.label == one.instead else legible(one.instead or "cut differently"),
            *("another" if one.other_head else "the same", f"{words:,}"),
        )
        for rank, (one, words) in enumerate(ranked[:LISTED], 1)
    ]
    cut = f", the first {LISTED} of {len(ranked):,}" if len(ranked) > LISTED else ""
    click.echo(f"{found}\nconfusions by number of words{cut}:")
    print_table(("", "label", "instead", "head", "words"), rows, names=4)
    click.echo()


def print_trees(chosen: Iterator[ChosenSentence], layout: str, width: int | None) -> None:
    """Print the trees one below the other."""
    from headway.base.errors import HeadwayError
    from headway.show.choose import pictures
    from headway.show.text import picture

    out = console()
    try:
        "│".encode(out.encoding)
    except UnicodeEncodeError:
        what = f"standard output takes {out.encoding} only, which has no lines to draw with"
        raise HeadwayError(f"{what}; set PYTHONIOENCODING=utf-8 or write a page with --html") from None
    drawn = ((one, *each) for one in chosen for each in pictures(one))
    for index, (one, sentence, other, reason) in enumerate(drawn):
        caption = f"sentence {one.number}, {sentence.place}" if sentence is one.sentence else sentence.place
        tree = picture(sentence, other, layout=layout, width=width or out.width, caption=caption)
        out.print(*([""] if index else []), *([reason] if reason else []), tree, sep="\n")


def write_picture(chosen: Iterator[ChosenSentence], path: str) -> None:
    """Write the one sentence chosen to an SVG file."""
    from headway.base.files import write_text
    from headway.show.choose import pictures
    from headway.show.svg import draw

    found = [each for one in islice(chosen, 2) for each in pictures(one)]
    if len(found) > 1:
        raise click.UsageError(
            "an SVG file holds one sentence with the same words in both files; name one with --sentence, or write a"
            " page with --html"
        )
    for sentence, other, _ in found:
        write_text(path, draw(sentence, other))


def write_page(chosen: Iterator[ChosenSentence], path: str, title: str, summary: str) -> None:
    """Write all sentences chosen to an HTML page."""
    from headway.base.files import write_text
    from headway.show.choose import pictures
    from headway.show.html import draw

    drawn = [each for one in chosen for each in pictures(one)]
    sentences, others, reasons = zip(*drawn, strict=True) if drawn else ((), (), ())
    write_text(path, draw(sentences, others, title=title, summary=summary, reasons=reasons))
