"""`headway parse`."""

from __future__ import annotations

from typing import Any

import click

from headway.cli.common import FORCE_PARSING, INPUT, reading, say_skipped
from headway.cli.common import command as headway_command


@headway_command
@click.argument("model")
@click.argument("sources", nargs=-1, metavar="[FILES]...")
@click.option(
    *("-o", "--output"),
    default="-",
    help="File to write, or a folder with a / at its end for one file each; standard output by default.",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many threads to parse with; the output is the same.",
)
@click.option(
    "--longest",
    type=click.IntRange(10, 20_000),
    metavar="WORDS",
    help="Parse sentences of more words window by window, in linear time. By default graph parsers take 1,000 or 2,000"
    " words as a whole and boosted parsers 500; transition parsers have no limit.",
)
@click.option(
    "--confidence",
    is_flag=True,
    help="Write how probable each head is to be right, and head and label, into MISC, and the same of each tree into a"
    " comment. Needs a model trained with --dev, or calibrated with headway calibrate.",
)
@click.option(
    "--k-best",
    type=click.IntRange(1, 1000),
    metavar="K",
    help="Write the K best trees of each sentence, with their rank and score in comments; graph parsers only.",
)
@FORCE_PARSING
@INPUT
@click.option(
    "--keep",
    metavar="WHAT,…",
    default="",
    help="Keep what the input has and do not find it anew: tags, or upos, xpos, feats; lemmas; tokens, which a treebank"
    " always keeps.",
)
@click.option(
    "--keep-heads",
    is_flag=True,
    help="Keep heads and labels that a treebank has already, and fill in the rest (_). With --on-error skip, sentences"
    " whose heads are in no tree stay as they are.",
)
@click.option("--ranges", is_flag=True, help="Say for each token of a text where it stands in it (TokenRange in MISC).")
@click.option(
    "--exceptions",
    metavar="FILE",
    help="Tokens that you know better than the model: abbreviations that end no sentence, and how tokens are cut.",
)
@reading
def command(
    model: str,
    sources: tuple[str, ...],
    output: str,
    threads: int,
    longest: int | None,
    confidence: bool,
    k_best: int | None,
    force: bool,
    input: str | None,
    keep: str,
    keep_heads: bool,
    ranges: bool,
    exceptions: str | None,
    format: str | None,
    columns: str,
    on_error: str,
) -> None:
    """Parse files with a model.

    Reads FILES, or standard input: text, words, or treebanks. Text becomes CoNLL-U; treebanks keep their format and get
    new heads and labels. A model that was trained with --pipeline cuts, tags and lemmatizes by itself. For any other,
    words must be tagged as in its treebank: `headway info MODEL` lists the columns that it needs.

    \b
    Example: headway parse english.headway story.txt -o story.conllu
    """  # noqa: D301 (click knows the backspace)
    from headway.data.formats.inputs import InputReader
    from headway.stages.parsing.keywords import ParseKeywords
    from headway.stages.parsing.parse_files import parse_files
    from headway.stages.parsing.parser import load
    from headway.text.segmenter.exceptions import read_exceptions

    parser = load(model)
    if longest is not None:
        parser = parser.with_longest(longest)
    how: dict[str, Any] = {"format": format, "columns": columns, "on_error": on_error, "ranges": ranges}
    how["partial"] = keep_heads
    known = None if exceptions is None else read_exceptions(exceptions)
    readers = [InputReader(source, input=input, exceptions=known, **how) for source in sources or ("-",)]
    wanted: ParseKeywords = {"force": force, "keep": keep, "keep_heads": keep_heads}
    wanted |= {"confidence": confidence, "k_best": k_best, "threads": threads}
    parse_files(parser, readers, output, **wanted)
    for reader in readers:
        say_skipped(reader)
