"""`headway train`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from headway.cli.common import command as headway_command
from headway.cli.common import encoding, learner_options, progress_bar, reading, say_skipped, seed

if TYPE_CHECKING:
    from headway.boosting.trainer import BoostedTrainer, RoundScores
    from headway.graph.trainer import GraphTrainer
    from headway.passes import Pass
    from headway.transition.trainer import Trainer

LEARNERS = (
    "mira",
    "perceptron",
    "pa",
    "pa-1",
    "pa-2",
    "cw",
    "cw-variance",
    "arow",
    "linear-svm",
    "logistic",
    "kernel-svm",
    "exponential",
)
SYSTEMS = ("arc-eager", "arc-standard", "swap")
BOOSTING = ("additive", "adaboost-m1", "adaboost-m2", "logistic-loss")
TRANSITION, GRAPH, BOOSTED = FAMILIES = ("transition", "graph", "boosted")
ONLY = {
    **dict.fromkeys(("system", "root", "two_step", "explore", "small"), (TRANSITION,)),
    **dict.fromkeys(("order", "labels", "loss", "counts_labels", "cost_augmented", "k", "bits", "tune"), (GRAPH,)),
    **dict.fromkeys(("rounds", "boosting", "constant", "held_out", "keep", "dynamic", "partitioned"), (BOOSTED,)),
    **dict.fromkeys(("label_learner", "jobs"), (BOOSTED,)),
    **dict.fromkeys(("folds", "shuffle", "patience"), (TRANSITION, GRAPH)),
    "decoder": (GRAPH, BOOSTED),
    "cutoff": (TRANSITION, BOOSTED),
}
"""For options that not every family of parsers has, those that do."""
SCIKIT = "sklearn:"


class LearnerName(click.Choice[str]):
    """A learner of the toolkit, or `sklearn:module.Class`."""

    def convert(self, value: Any, parameter: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Names of scikit-learn are looked up when learning begins."""
        return value if str(value).startswith(SCIKIT) else super().convert(value, parameter, ctx)


def parse_passes(ctx: click.Context, parameter: click.Parameter, value: str | None) -> int | str | None:
    """A number, or `auto`."""
    if value is None or value == "auto":
        return value
    if not value.isdecimal() or int(value) < 1:
        raise click.BadParameter(f"{value!r} is neither a number of passes nor 'auto'")
    return int(value)


@headway_command
@click.argument("treebank")
@click.option("-o", "--output", required=True, metavar="MODEL", help="Model file to write.")
@click.option("--dev", metavar="FILE", help="Development treebank: training stops when its LAS no longer grows.")
@click.option(
    "--parser", type=click.Choice(FAMILIES), default="transition", show_default=True, help="Family of parsers."
)
@click.option("--features", default="default", show_default=True, help="Feature model: a name, or a file.")
@click.option(
    "--learner",
    type=LearnerName(LEARNERS),
    help="How weights are learned; mira, for graphs pa-1, boosted exponential, which also takes sklearn:module.Class.",
)
@learner_options
@click.option("--passes", metavar="N|auto", callback=parse_passes, help="Passes; auto finds them by cross-validation.")
@click.option("--folds", type=click.IntRange(min=2), default=5, show_default=True, help="Folds for --passes auto.")
@click.option(
    "--decoder",
    type=click.Choice(["auto", "eisner", "chu-liu-edmonds", "split-head", "cky"]),
    help="graph: how the best tree is found, auto or one of the next two; boosted: split-head or cky.",
)
@click.option(
    "--order",
    type=click.IntRange(1, 2),
    help="graph: 1 scores arcs, 2 siblings too; 2 where the features look at them and --k is 1.",
)
@click.option("--labels", type=click.Choice(["after", "joint"]), help="graph: labels after all arcs, or with each arc.")
@click.option("--loss", type=click.Choice(["rho", "sqrt"]), help="graph: wrong words of a tree, or the root of that.")
@click.option("--counts-labels", is_flag=True, help="graph: wrong labels are a loss too; needs --labels joint.")
@click.option(
    "--cost-augmented/--best-tree",
    default=True,
    help="graph: learn from trees that are wrong and good, or from the best.",
)
@click.option("--k", type=click.IntRange(min=1), default=1, show_default=True, help="graph: trees mira learns from.")
@click.option("--bits", type=click.IntRange(8, 29), help="graph: arcs have 2 to this power weights.")
@click.option("--tune", metavar="NAME,NAME", help="graph: choose options on --dev first, as in C,decoder.")
@click.option("--rounds", type=click.IntRange(min=1), default=4, show_default=True, help="boosted: rounds.")
@click.option("--boosting", type=click.Choice(BOOSTING), help="boosted: how mistakes gain importance; additive.")
@click.option(
    "--held-out",
    type=click.IntRange(min=2),
    help="boosted: judge sentences in so many folds, each by what was learned from the others.",
)
@click.option("--constant", type=click.FloatRange(min=0, min_open=True), help="boosted: what a mistake adds.")
@click.option("--keep", type=click.Choice(["last", "best", "ensemble"]), help="boosted: which rounds.")
@click.option("--dynamic/--static", default=True, help="boosted: whether links see what their head has already.")
@click.option("--partitioned/--whole", default=True, help="boosted: a model for each two tags, or one for all pairs.")
@click.option("--label-learner", type=LearnerName(LEARNERS), help="boosted: how labels are learned; exponential.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="boosted: threads in training.")
@click.option("--system", type=click.Choice(SYSTEMS), default="arc-eager", show_default=True, help="Transition system.")
@click.option("--root", type=click.Choice(["end", "start", "none"]), help="Where the artificial root stands.")
@click.option(
    "--single-root/--several-roots",
    default=None,
    help="Whether exactly one word of a sentence hangs on the root; by default as in the treebank.",
)
@encoding(default="head")
@click.option("--two-step", is_flag=True, help="Choose the action first, then the label.")
@click.option(
    "--explore",
    type=click.FloatRange(0, 1),
    help="How often training follows its own predictions; 0 for the static oracle.",
)
@click.option("--cutoff", type=click.IntRange(min=1), default=1, help="Leave out features seen less often.")
@click.option("--small", is_flag=True, help="A smaller model: leave out weights that hardly matter.")
@seed
@click.option("--shuffle/--no-shuffle", default=True, help="Whether each pass has an order of its own.")
@click.option("--patience", type=click.IntRange(min=1), default=3, show_default=True, help="Passes without better dev.")
@click.option("--resume/--restart", default=True, help="Go on with an interrupted training, or begin anew.")
@click.option("--licence", help="Licence of the model, kept in it.")
@reading
def command(
    treebank: str,
    output: str,
    dev: str | None,
    format: str | None,
    columns: str,
    on_error: str,
    licence: str | None,
    **options: Any,
) -> None:
    """Learn a parser from a treebank.

    Ctrl-C writes the best parser so far. An interrupted training goes on where it was when the same command is
    given again.
    """
    from headway.formats.reading import read
    from headway.model import assure_savable
    from headway.parser import trainer_from

    assure_savable(output)
    reader = read(treebank, format=format, columns=columns, on_error=on_error)
    development = None if dev is None else read(dev, format=format, columns=columns, on_error=on_error)
    trainer = trainer_from(reader, dev=development, output=output, **_given(options))
    interrupted = _run(trainer, reader)
    say_skipped(reader)
    if trainer.best is None:
        click.echo("interrupted before there was anything to keep; nothing was written", err=True)
        click.get_current_context().exit(130)
    if licence:
        trainer.best.about["licence"] = licence
    trainer.best.save(output)
    _say(trainer, output, interrupted)


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that the user has given; those of other families of parsers are refused."""
    context = click.get_current_context()
    given = {
        name: value
        for name, value in options.items()
        if name == "parser" or context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
    }
    for name, families in ONLY.items():
        if name in given and options["parser"] not in families:
            shown, first = f"--{name.replace('_', '-')}", families[0]
            raise click.UsageError(
                f"{shown} belongs to {' and '.join(families)} parsers; leave it out, or add --parser {first}"
            )
    return given


def _run(trainer: Trainer | GraphTrainer | BoostedTrainer, reader: object) -> bool:
    """Train with a progress bar; whether the user interrupted it."""
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

    bar = progress_bar(
        *(TextColumn(f"{trainer.unit} {{task.fields[number]}} of {trainer.planned}"), BarColumn()),
        *(TextColumn("{task.percentage:.0f} %"), TimeRemainingColumn()),
    )
    with bar:
        task = bar.add_task("", total=trainer.planned, number=1)
        trainer.progress = lambda number, share: bar.update(task, completed=number - 1 + share, number=number)
        try:
            for done in trainer.run(reader):  # type: ignore[arg-type]
                bar.console.print(_line(done))
        except KeyboardInterrupt:
            return True
    return False


def _line(done: Pass | RoundScores) -> str:
    from headway.passes import Pass

    if not isinstance(done, Pass):
        return _round_line(done)
    scores = "" if done.las is None else f"  dev LAS {done.las:5.2f}  UAS {done.uas:5.2f}"
    mistakes = f"mistakes {done.mistakes:5.2f} %  " if done.updates else ""
    return f"pass {done.number:2}  {mistakes}{done.seconds:6.1f} s{scores}"


def _round_line(done: RoundScores) -> str:
    parts = [f"round {done.number:2}  {done.wrong:,} pairs wrong  {done.seconds:6.1f} s"]
    for name, scores in (("train", done.train), ("dev", done.dev)):
        if scores is not None:
            parts.append(f"{name} DA {scores.da:5.2f} RA {scores.ra:5.2f} CM {scores.cm:5.2f} LAS {scores.las:5.2f}")
    return "  ".join(parts)


def _say(trainer: Trainer | GraphTrainer | BoostedTrainer, output: str, interrupted: bool) -> None:
    from pathlib import Path

    best = trainer.best
    assert best is not None
    what = "interrupted; " if interrupted else ""
    size = Path(output).stat().st_size / 2**20
    click.echo(f"{what}{output}: the parser of {trainer.unit} {best.about['passes']}, {size:.1f} MiB", err=True)
