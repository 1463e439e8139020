"""`headway info`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from headway.cli import headway_command
from headway.cli.printing import print_json, print_table
from headway.cli.shared_options import reading, whole

if TYPE_CHECKING:
    from headway.data.formats.reading import Reader
    from headway.data.treebank_facts import Overview
    from headway.stages.contract import Packed
    from headway.training.model_facts import StageFacts


@headway_command
@click.argument("treebank", default="-", metavar="TREEBANK|MODEL")
@click.option(
    "--compare",
    multiple=True,
    metavar="FILE",
    help="Also show which words and labels of this file the treebank lacks, or whether the model was trained on it; "
    "may be repeated.",
)
@whole("--top", low=0, default=10, help="How many labels and tags to list.")
@click.option("--all", "everything", is_flag=True, help="List all labels and tags.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all labels and tags.")
@reading
def command(treebank: str, compare: tuple[str, ...], top: int, everything: bool, as_json: bool, **how: Any) -> None:
    """Describe a treebank or a model.

    For a treebank: size, shape of its trees, labels, tags, and problems. TREEBANK is a file with or without trees, or
    `-` for standard input. For a model: the columns it needs, what it was trained on, its options and its size.
    """
    from headway.base.files import assure_one_standard
    from headway.data import treebank_facts
    from headway.data.formats.reading import read
    from headway.stages import model_file

    assure_one_standard([treebank, *compare])
    if model_file.is_model(treebank):
        _print_model(treebank, as_json)
        for path in compare:
            _say_source(treebank, read(path, **how))
        return
    first, *others = (treebank_facts.overview(read(path, **how)) for path in (treebank, *compare))
    comparisons = [treebank_facts.compare(first, other) for other in others]
    if as_json:
        print_json(first.as_dict() | {"comparisons": comparisons})
    else:
        _print(first, comparisons, None if everything else top)


def _print_model(path: str, as_json: bool) -> None:
    """Print the file, its stages side by side, then the facts of each; a model has no date, its file has."""
    from datetime import datetime
    from pathlib import Path

    from headway.stages import model_file

    row = model_file.row_of(path)
    if as_json:
        print_json([stage.header for stage in row])
        return
    found = Path(path).stat()
    written = datetime.fromtimestamp(found.st_mtime).astimezone().isoformat(" ", "minutes")
    size, version = f"{found.st_size / 2**20:.1f} MiB", f"model format {model_file.version_of(path)}"
    click.echo(f"{path}: {size}, {version}, file of {written}")
    stages = [_stage_facts(path, packed) for packed in row]
    if len(row) > 1:
        wanted = ("needs the columns", "gives the columns", "scores on dev")
        rows = [
            (f"{number} {dict(one.facts)['kind']}", *(dict(one.facts).get(name) or "–" for name in wanted))
            for number, one in enumerate(stages, 1)
        ]
        click.echo()
        print_table(("stage", "needs", "gives", "scores on dev"), rows, names=4)
    for number, one in enumerate(stages, 1):
        if len(row) > 1:
            click.echo(f"\nstage {number}")
        print_table(("", ""), one.facts, names=2)
        print_table(("", ""), one.options, title="\noptions", names=2)


def _say_source(path: str, reader: Reader) -> None:
    """Say whether a treebank is the one that a model was trained on."""
    from headway.data.sources import digest_of
    from headway.stages import model_file

    digest = digest_of(list(reader.batches()))
    digests = [packed.header.get("about", {}).get("treebank_digest") for packed in model_file.row_of(path)]
    what = "the treebank" if digest in digests else "not the treebank"
    click.echo(f"{reader.report.source} is {what} that {path} was trained on", err=True)


def _stage_facts(path: str, packed: Packed) -> StageFacts:
    from headway.base.errors import HeadwayError
    from headway.stages import model_file
    from headway.training.model_facts import facts_of

    try:
        return facts_of(packed, model_file.stage_of(packed, path))
    except HeadwayError as error:
        found = facts_of(packed, None)
        return found._replace(facts=[*found.facts, ("cannot be used", str(error))])


def _print(first: Overview, comparisons: Iterable[dict[str, Any]], most: int | None) -> None:
    _print_table(", ".join(filter(None, (first.source, first.format))), ("", "", "%"), _facts(first))
    if first.words:
        _print_table("columns", ("", "filled", "%"), _shares(first.filled.items(), first.words))
    for name, counts in (("labels", first.labels), ("UPOS", first.upos), ("XPOS", first.xpos)):
        if counts and most != 0:
            cut = f", the first {most}" if most and most < len(counts) else ""
            rows = _shares(counts.most_common(most), first.words)
            _print_table(f"{name}: {len(counts):,}{cut}", ("", "words", "%"), rows)
    for comparison in comparisons:
        _print_table(f"{comparison['source']}, compared", ("", "", "%"), _news(comparison))
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


def _news(other: dict[str, Any]) -> Iterable[tuple[str, ...]]:
    from headway.base.errors import shown

    sentences, words = other["sentences"], other["words"]
    yield "sentences", f"{sentences:,}"
    yield "  that the treebank has too", *_share(other["repeated_sentences"], sentences)
    if other["skipped"]:
        yield "  that could not be read", f"{other['skipped']:,}"
    yield "words", f"{words:,}"
    yield "  unknown", *_share(other["unknown_words"], words)
    yield "different words", f"{other['types']:,}"
    yield "  unknown", *_share(other["unknown_types"], other["types"])
    for name, what in (("labels", "label"), ("upos", "UPOS"), ("xpos", "XPOS")):
        for unknown, count in other[f"unknown_{name}"].items():
            yield f"unknown {what} {shown(unknown)}", *_share(count, words)


def _shares(counts: Iterable[tuple[str, int]], total: int) -> Iterable[tuple[str, ...]]:
    from headway.base.errors import shown

    for name, count in counts:
        yield shown(name)[1:-1], *_share(count, total)


def _share(count: int, total: int) -> tuple[str, str]:
    return f"{count:,}", f"{100 * count / total:.2f}" if total else ""


def _print_table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    print_table(header, rows, title=title)
    click.echo()
