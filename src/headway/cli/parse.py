"""`headway parse`."""

from __future__ import annotations

from typing import Any

import click

from headway.cli import headway_command, say_skipped
from headway.cli.shared_options import FORCE_PARSING, INPUT, reading, to, whole


@headway_command
@click.argument("model")
@click.argument("sources", nargs=-1, metavar="[FILES]...")
@click.option(
    *("-o", "--output"),
    default="-",
    help="File to write, or a folder with a / at its end for one file each; standard output by default.",
)
@to("the format of the input, and CoNLL-U for text")
@click.option(
    "--stages",
    metavar="WHAT,…",
    default="",
    help="Find only this: tokens, tags, lemmas, trees, as in tokens,tags; by default all that the model can find.",
)
@whole("--threads", default=1, help="How many threads to parse with; the output is the same.")
@whole(
    "--longest",
    low=10,
    high=20_000,
    metavar="WORDS",
    help="Parse longer sentences window by window, in linear time. By default from 1,000 or 2,000 words on with graph"
    " parsers, from 500 on with boosted parsers, and never with transition parsers.",
)
@click.option(
    "--confidence",
    is_flag=True,
    help="Write to MISC the probability that each head is right, and that head and label are, and to a comment that of"
    " the whole tree. Needs a model trained with --dev, or calibrated with headway calibrate.",
)
@whole(
    "--k-best",
    high=1000,
    metavar="K",
    help="Write the K best trees of each sentence, with their rank and score in comments; graph parsers only.",
)
@FORCE_PARSING
@INPUT
@click.option(
    "--keep",
    metavar="WHAT,…",
    default="",
    help="Keep this annotation of the input instead of predicting it: tags, or upos, xpos, feats; lemmas; tokens, which"
    " are then words one to one, as they always are in a treebank.",
)
@click.option(
    "--keep-heads",
    is_flag=True,
    help="Keep the heads and labels that a treebank has already, and fill in the rest (_). With --on-error skip,"
    " sentences whose heads fit no tree stay as they are.",
)
@click.option(
    "--patterns/--no-patterns",
    default=True,
    help="In text, take what the model has patterns for as one token each: addresses, @names, #tags, numbers."
    "  [default: patterns]",
)
@click.option("--ranges", is_flag=True, help="Write to MISC where each token stands in the text (TokenRange).")
@click.option(
    "--exceptions",
    metavar="FILE",
    help="File of tokens that the model cuts wrongly: abbreviations that do not end a sentence, and how to cut tokens.",
)
@reading
def command(
    model: str,
    sources: tuple[str, ...],
    output: str,
    target: str | None,
    longest: int | None,
    keep_heads: bool,
    exceptions: str | None,
    **options: Any,
) -> None:
    """Parse files with a model.

    Reads FILES, or standard input: text, words, or treebanks. Text becomes CoNLL-U; treebanks keep their format and get
    new heads and labels. A model trained with --pipeline also cuts, tags and lemmatizes. For any other model, words
    must be tagged as in its treebank: `headway info MODEL` lists the columns that it needs.

    \b
    Example: headway parse english.headway story.txt -o story.conllu
    """  # noqa: D301 (click knows the backspace)
    from headway.data.formats.reading import InputReader
    from headway.stages.parsing.loading import load
    from headway.stages.parsing.parse_batches import parse_files

    parser = load(model)
    if longest is not None:
        parser = parser.with_longest(longest)
    known = None
    if exceptions is not None:
        from headway.text.segmenter.exceptions import read_exceptions  # needs what only text needs

        known = read_exceptions(exceptions)
    wanted = {
        name: options.pop(name) for name in ("threads", "confidence", "k_best", "force", "keep", "patterns", "stages")
    }
    readers = [InputReader(source, exceptions=known, partial=keep_heads, **options) for source in sources or ("-",)]
    parse_files(parser, readers, output, target, keep_heads=keep_heads, **wanted)
    for reader in readers:
        say_skipped(reader)
