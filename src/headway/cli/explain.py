"""`headway explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from headway.cli import headway_command, say_skipped
from headway.cli.printing import print_table
from headway.cli.shared_options import FORCE, one_of, reading, whole
from headway.cli.show import SENTENCE
from headway.training.families import EARLIER

if TYPE_CHECKING:
    from headway.show.choose import Wanted


SHOWN_TEACHERS = 3
"""How many training sentences are shown for each feature."""


@headway_command
@click.argument("model")
@click.argument("source", metavar="FILE")
@SENTENCE
@whole("-w", "--word", metavar="I", help="Explain the arc, tags, lemma or cuts of this word only.")
@one_of(
    "--stage",
    choices=(*(name for name in EARLIER.own if name != "pretagger"), "parser"),
    help="Which stage to explain. By default the last one that can be explained.",
)
@whole("--top", low=0, default=5, help="How many groups of features to show for each decision; 0 shows all.")
@click.option("--features", is_flag=True, help="Show single features instead of groups.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object on a line for each sentence.")
@click.option("--page", metavar="FILE", help="Write a page with the trees; a click on an arc explains it.")
@click.option(
    "--errors",
    is_flag=True,
    help="List what causes errors, the most harmful first; FILE must have the right trees, tags or lemmas.",
)
@click.option(
    "--treebank",
    metavar="FILE",
    help="With --errors, the treebank the model was trained on: show which of its sentences taught these features.",
)
@FORCE
@reading
def command(
    model: str,
    source: str,
    wanted: Wanted | None,
    word: int | None,
    stage: str | None,
    top: int,
    features: bool,
    as_json: bool,
    page: str | None,
    errors: bool,
    treebank: str | None,
    force: bool,
    **how: Any,
) -> None:
    """Explain a model's decisions.

    Shows each decision beside the runner-up, and which words made the difference, by what of them: a plus speaks for
    the choice, a minus for the runner-up. A transition parser decides step by step; a graph or boosted
    parser, a tagger and a lemmatizer word by word; a segmenter at each place where it may cut. FILE is a treebank, or
    text if the model has a segmenter.

    \b
    Example: headway explain english.headway story.conllu --sentence 3 --word 5
    """  # noqa: D301 (click knows the backspace)
    import json

    from headway.base.files import assure_apart, assure_writable, write_text
    from headway.data.formats.reading import InputReader
    from headway.data.sentence import views
    from headway.show.choose import items_wanted
    from headway.stages.explanation.page import explanation_page
    from headway.stages.parsing.loading import load

    if page and as_json:
        raise click.UsageError("--page and --json exclude each other; a page holds the explanations itself")
    if treebank and not errors:
        raise click.UsageError("--treebank goes with --errors, which lists the features that it taught")
    if errors:
        if page or as_json or word or wanted:
            others = "--page, --json, --word, --sentence"
            raise click.UsageError(f"--errors goes through the whole file; leave {others} out")
        print_errors(model, source, treebank, top, stage, features, how)
        return
    if page:
        assure_apart(page, [model, source], force=force)
        assure_writable(page)
    parser, reader = load(model), InputReader(source, **how)
    most = top or None
    limit, name = None if wanted else 1, reader.report.source
    if stage == "segmenter" or not parser.row.running:
        explanations = parser.explain_text(reader.text(), report=reader.report)
        cut = items_wanted(explanations, lambda one: one.sentence.sent_id, name, wanted=wanted, limit=limit)
        found = (explanation for _, explanation in cut)
    else:
        sentences = views(reader.batches(parser.row.segmenter))
        chosen = items_wanted(sentences, lambda one: one.sent_id, name, wanted=wanted, limit=limit)
        found = (parser.explain(sentence, stage) for _, sentence in chosen)
    if page:
        write_text(page, explanation_page(list(found), title=f"{source}, explained", top=most, features=features))
    else:
        for number, explanation in enumerate(found):
            if as_json:
                click.echo(json.dumps(explanation.to_dict(most, word), ensure_ascii=False))
            else:
                click.echo(("\n\n" if number else "") + explanation.text(most, word, features=features))
    say_skipped(reader)


def print_errors(
    model: str, source: str, treebank: str | None, top: int, stage: str | None, features: bool, how: dict[str, Any]
) -> None:
    """Print what is typical of wrong decisions and what causes them, and which training sentences taught that."""
    from headway.base.files import assure_one_standard
    from headway.data.formats.reading import read
    from headway.data.sources import sentences_of
    from headway.stages.explanation.wrong_decisions import error_report
    from headway.stages.parsing.loading import load

    assure_one_standard([source, *([treebank] if treebank else [])])
    parser, reader = load(model), read(source, **how)
    learned = list(read(treebank, **how).batches()) if treebank else []
    is_parsing = (stage or parser.row.running[-1].kind.rpartition(" ")[2]) == "parser"
    right = (one for one in reader if one.is_parsed or not is_parsing)
    report = error_report(parser.row.running, right, learned, top or None, stage)
    click.echo(report)
    most = top or max(len(report.features), len(report.examples))
    print_table(("mostly", "errors"), [(name, f"{count:,}") for name, count in report.examples.most_common(most)])
    click.echo()
    if features:
        shown = report.features[:most]
        print_table(("feature", "mostly", "harm", "errors"), [(one.feature, *numbers(one)) for one in shown], names=2)
    else:
        shown = [group.worst for group in report.groups[:most]]
        rows = [(one.look, *numbers(one)) for one in report.groups[:most]]
        print_table(("what it looked at", "mostly", "harm", "errors"), rows, names=2)
    names = sentences_of(learned)
    for one in shown if learned else ():
        print_teachers(one, names)
    say_skipped(reader)


def numbers(entry: Any) -> tuple[str, str, str]:
    """What was mostly decided wrongly with a feature or a group, how much harm it did, and how often."""
    return entry.examples.most_common(1)[0][0], f"{entry.harm:.3f}", f"{entry.errors:,}"


def print_teachers(entry: Any, names: Any) -> None:
    """Print the training sentences that have a feature most often."""
    from headway.base.errors import counted

    found = entry.training_sentences_with
    times, sentences = counted(sum(found.values()), "time"), counted(len(found), "training sentence")
    click.echo(f"\n{entry.feature}: {times} in {sentences}")
    for number, count in found.most_common(SHOWN_TEACHERS):
        sentence = names[number]
        click.echo(f"  {counted(count, 'time')} in {sentence.sent_id or sentence.place}: {sentence.text}")
