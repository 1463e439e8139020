"""`headway info`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from headway.cli.common import headway_command, print_table
from headway.cli.shared_options import reading

if TYPE_CHECKING:
    from headway.data.formats.reading import Reader
    from headway.data.treebank_facts import Overview, TreebankDifference
    from headway.stages.contract import Packed
    from headway.training.model_facts import StageFacts


@headway_command
@click.argument("treebank", default="-", metavar="TREEBANK|MODEL")
@click.option(
    "--compare",
    multiple=True,
    metavar="FILE",
    help="Also say which words and labels of this file the treebank lacks, or whether the model was trained on it; "
    "may be repeated.",
)
@click.option(
    "--top",
    default=10,
    show_default=True,
    type=click.IntRange(0),
    metavar="N",
    help="How many labels and tags to list.",
)
@click.option("--all", "everything", is_flag=True, help="List all labels and tags.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all labels and tags.")
@reading
def command(
    treebank: str,
    compare: tuple[str, ...],
    top: int,
    everything: bool,
    as_json: bool,
    format: str | None,
    columns: str,
    on_error: str,
) -> None:
    """Describe a treebank or a model.

    Of a treebank: size, shape of its trees, labels, tags, and problems. TREEBANK is a file with or without trees, or
    `-` for standard input. Of a model: the columns it needs, what it was trained on, its options and its size.
    """
    import json
    from dataclasses import asdict

    from headway.base.files import assure_one_standard
    from headway.data import treebank_facts as report
    from headway.data.formats.reading import read
    from headway.stages import model_file as model

    assure_one_standard([treebank, *compare])
    how: dict[str, Any] = {"format": format, "columns": columns, "on_error": on_error}
    if model.is_model(treebank):
        _print_model(treebank, as_json)
        for path in compare:
            _say_source(treebank, read(path, **how))
        return

    def seen(path: str) -> Overview:
        return report.overview(read(path, **how))

    first = seen(treebank)
    comparisons = [report.compare(first, seen(path)) for path in compare]
    if as_json:
        parts = first.as_dict() | {"comparisons": [asdict(comparison) for comparison in comparisons]}
        click.echo(json.dumps(parts, ensure_ascii=False, indent=2))
        return
    _print(first, comparisons, None if everything else top)


def _print_model(path: str, as_json: bool) -> None:
    import json

    from headway.stages import model_file as model

    row = model.row_of(path)
    if as_json:
        click.echo(json.dumps([stage.header for stage in row], ensure_ascii=False, indent=2))
        return
    click.echo(_file_line(path))
    if len(row) > 1:
        click.echo()
        print_table(("stage", "needs", "gives", "scores on dev"), _overview(path, row), names=4)
    for number, packed in enumerate(row, 1):
        if len(row) > 1:
            click.echo(f"\nstage {number}")
        facts, options = _stage_facts(path, packed)
        print_table(("", ""), facts, names=2)
        print_table(("", ""), options, title="\noptions", names=2)


def _overview(path: str, row: Sequence[Packed]) -> Iterable[tuple[str, ...]]:
    """A line for each stage: what it is, what it needs and gives, how good it was on dev."""
    for number, packed in enumerate(row, 1):
        facts = dict(_stage_facts(path, packed).facts)
        parts = (facts.get(name) or "–" for name in ("needs the columns", "gives the columns", "scores on dev"))
        yield f"{number} {facts['kind']}", *parts


def _file_line(path: str) -> str:
    """The size, the format and the time of a model file; a model itself has no date, so that it is always the same."""
    from datetime import datetime
    from pathlib import Path

    from headway.stages import model_file as model

    found = Path(path).stat()
    written = datetime.fromtimestamp(found.st_mtime).astimezone().isoformat(" ", "minutes")
    return f"{path}: {found.st_size / 2**20:.1f} MiB, model format {model.version_of(path)}, file of {written}"


def _say_source(path: str, reader: Reader) -> None:
    """Say whether a treebank is the one that a model was trained on."""
    from headway.data.sources import digest_of
    from headway.stages import model_file as model

    digest = digest_of(list(reader.batches()))
    digests = [packed.header.get("about", {}).get("treebank_digest") for packed in model.row_of(path)]
    what = "the treebank" if digest in digests else "not the treebank"
    click.echo(f"{reader.report.source} is {what} that {path} was trained on", err=True)


def _stage_facts(path: str, packed: Packed) -> StageFacts:
    from headway.base.errors import HeadwayError
    from headway.stages import model_file as model
    from headway.training.model_facts import facts_of

    try:
        return facts_of(packed, model.stage_of(packed, path))
    except HeadwayError as error:
        found = facts_of(packed, None)
        return found._replace(facts=[*found.facts, ("cannot be used", str(error))])


def _print(first: Overview, comparisons: Iterable[TreebankDifference], most: int | None) -> None:
    _print_table(", ".join(filter(None, (first.source, first.format))), ("", "", "%"), _facts(first))
    if first.words:
        _print_table("columns", ("", "filled", "%"), _shares(first.filled.items(), first.words))
    for name, counts in (("labels", first.labels), ("UPOS", first.upos), ("XPOS", first.xpos)):
        if counts and most != 0:
            cut = f", the first {most}" if most and most < len(counts) else ""
            rows = _shares(counts.most_common(most), first.words)
            _print_table(f"{name}: {len(counts):,}{cut}", ("", "words", "%"), rows)
    for comparison in comparisons:
        _print_table(f"{comparison.source}, compared", ("", "", "%"), _news(comparison))
    problems = first.problems()
    click.echo("\n".join(["problems", *problems]) if problems else "no problems found")


def _facts(seen: Overview) -> Iterable[tuple[str, ...]]:
    length = seen.length
    yield "sentences", f"{seen.sentences:,}"
    yield "words", f"{seen.words:,}"
    yield "different words", f"{len(seen.forms):,}"
    yield "multiword tokens", f"{seen.multiword_tokens:,}"
    yield "empty nodes", f"{seen.empty_nodes:,}"
    yield "words of a sentence: shortest", f"{length['shortest']}"
    yield "  mean", f"{length['mean']:.2f}"
    yield "  median", f"{length['median']:g}"
    yield "  longest", f"{length['longest']}"
    yield "repeated sentences", *_share(seen.repeated_sentences, seen.sentences)
    yield "sentences with trees", *_share(seen.parsed_sentences, seen.sentences)
    if seen.parsed_sentences:
        yield "  not projective", *_share(seen.nonprojective_sentences, seen.parsed_sentences)
        yield "  planar", *_share(seen.planar_sentences, seen.parsed_sentences)
        for number, count in sorted(seen.roots.items()):
            yield f"  with {number} root{'s' if number > 1 else ''}", *_share(count, seen.parsed_sentences)
        yield "arcs that are not projective", *_share(seen.nonprojective_arcs, seen.arcs)
        yield "depth of the deepest tree", f"{seen.deepest}"


def _news(other: TreebankDifference) -> Iterable[tuple[str, ...]]:
    from headway.base.errors import shown

    yield "sentences", f"{other.sentences:,}"
    yield "  that the treebank has too", *_share(other.repeated_sentences, other.sentences)
    if other.skipped:
        yield "  that could not be read", f"{other.skipped:,}"
    yield "words", f"{other.words:,}"
    yield "  unknown", *_share(other.unknown_words, other.words)
    yield "different words", f"{other.types:,}"
    yield "  unknown", *_share(other.unknown_types, other.types)
    for what, counts in (
        ("label", other.unknown_labels),
        ("UPOS", other.unknown_upos),
        ("XPOS", other.unknown_xpos),
    ):
        for name, count in counts.items():
            yield f"unknown {what} {shown(name)}", *_share(count, other.words)


def _shares(counts: Iterable[tuple[str, int]], total: int) -> Iterable[tuple[str, ...]]:
    from headway.base.errors import shown

    for name, count in counts:
        yield shown(name)[1:-1], *_share(count, total)


def _share(count: int, total: int) -> tuple[str, str]:
    return f"{count:,}", f"{100 * count / total:.2f}" if total else ""


def _print_table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    print_table(header, rows, title=title)
    click.echo()
