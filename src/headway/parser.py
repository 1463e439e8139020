"""A parser as users have it: a row of stages, read from one file."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar, overload

from headway import model
from headway.batch import Batch
from headway.data import Source, batches_of
from headway.errors import HeadwayError, described, shown
from headway.explanation.contract import Explanation, explained
from headway.files import assure_path
from headway.formats.format import FIELDS
from headway.needed_columns import ABOUT, assure_suited
from headway.option_kinds import Whole
from headway.sentence import Sentence
from headway.sentences import views
from headway.stage import Stage
from headway.windows import WindowedStage

Result = TypeVar("Result")
THREADS = Whole(help="Threads in parsing, each at another batch.", low=1)


class Parser:
    """Stages in a row, each of which sees what those before it have found.

    >>> import headway
    >>> from headway.sample import generate
    >>> parser = headway.train(generate(50), passes=2, features="malt-14")
    >>> parser
    <Parser: transition parser; needs FORM, XPOS; gives HEAD, DEPREL>
    >>> parser(["Dogs", "bark"], tags=["NNS", "VBP"])
    <Sentence of 2 words: Dogs bark>
    >>> [len(sentence) for sentence in parser.parse(generate(2))]
    [11, 9]
    """

    def __init__(self, stages: Sequence[Stage]) -> None:
        if isinstance(stages, (str, os.PathLike)):
            raise HeadwayError(f"{shown(os.fspath(stages))} is no list of stages; headway.load opens a model file")
        self.stages = tuple(_assured_stages(stages))
        self._has_said = False

    def __repr__(self) -> str:
        kinds = ", ".join(stage.kind for stage in self.stages)
        columns = (", ".join(name for name in FIELDS if name in some) for some in (self.needs, self.gives))
        return f"<Parser: {kinds}; needs {next(columns)}; gives {next(columns)}>"

    def __call__(
        self,
        words: Iterable[str],
        tags: Iterable[str] | None = None,
        *,
        lemmas: Iterable[str] | None = None,
        xpos: Iterable[str] | None = None,
        feats: Iterable[str] | None = None,
        force: bool = False,
    ) -> Sentence:
        """Parse one sentence, given by its words.

        `tags` are universal ones (UPOS), or the treebank's own where the parser looks at those only; `xpos` are the
        treebank's own beside them. `needs` names the columns that the parser looks at; with `force` they may have tags
        of which it knows none.
        """
        if isinstance(words, (str, bytes)):
            what = f"{shown(words)} is plain text, which cannot be parsed yet"
            raise HeadwayError(f"{what}; give its words as a list, as in parser(['Dogs', 'bark'])")
        if isinstance(words, Sentence):
            raise HeadwayError("this is a Sentence and no list of words; give it to parser.parse")
        if xpos is None and "XPOS" in self.needs and "UPOS" not in self.needs:
            tags, xpos = None, tags
        return self.parse(Sentence(forms=words, upos=tags, xpos=xpos, lemmas=lemmas, feats=feats), force=force)

    @property
    def needs(self) -> frozenset[str]:
        """The columns that the input must have: those that some stage looks at and none before it gives."""
        needed: set[str] = set()
        given: set[str] = set()
        for stage in self.stages:
            needed |= stage.needs - given
            given |= stage.gives
        return frozenset(needed)

    @property
    def gives(self) -> frozenset[str]:
        """The columns that are filled."""
        return frozenset().union(*(stage.gives for stage in self.stages))

    @property
    def seen(self) -> Mapping[str, Any]:
        """What the treebank had in the columns that the input must have."""
        found: dict[str, Any] = {}
        for stage in reversed(self.stages):
            columns = stage.about.get(ABOUT, {})
            found |= columns if isinstance(columns, Mapping) else {}
        return {name: facts for name, facts in found.items() if name in self.needs}

    @property
    def about(self) -> Mapping[str, Any]:
        """Where the last stage comes from: options, treebank, scores."""
        return self.stages[-1].about

    def with_about(self, **facts: Any) -> Parser:
        """The same parser with more said about its last stage."""
        return Parser([*self.stages[:-1], self.stages[-1].with_about(**facts)])

    def with_longest(self, words: int) -> Parser:
        """The same parser, which takes sentences of up to so many words as a whole and longer ones in windows.

        Stages whose time is linear in the words have no limit and stay as they are.
        """
        return Parser(
            [stage.with_longest(words) if isinstance(stage, WindowedStage) else stage for stage in self.stages]
        )

    def annotate(self, batch: Batch) -> Batch:
        """The batch with what all stages find."""
        for stage in self.stages:
            batch = stage.annotate(batch)
        return batch

    def parse_batches(self, source: Source | Sentence, threads: int = 1, *, force: bool = False) -> Iterator[Batch]:
        """The batches of a source, parsed, in order; with threads, some of them at once.

        Where the source lacks columns that the model needs, a note says so. Where none of its words has a tag that the
        model was trained on, it is refused, unless `force` says so.
        """
        return _mapped(self.annotate, self._suited(source, force), threads)

    def parse_bytes(self, source: Source, threads: int = 1, *, force: bool = False) -> Iterator[bytes]:
        """The same as bytes in their own format; every byte that no stage has changed stays."""

        def rendered(batch: Batch) -> bytes:
            return self.annotate(batch).render(batch.format)

        return _mapped(rendered, self._suited(source, force), threads)

    def _suited(self, source: Source | Sentence, force: bool) -> Iterator[Batch]:
        """The batches of a source; before the first of them is parsed, what the source lacks is said.

        Of sentences that are parsed one by one, it is said once.
        """
        for number, batch in enumerate(batches_of(source)):
            if number == 0:
                single = isinstance(source, Sentence)
                assure_suited(batch, self.needs, self.seen, force=force, quiet=single and self._has_said)
                self._has_said = self._has_said or single
            yield batch

    @overload
    def parse(self, source: Sentence, threads: int = 1, *, force: bool = False) -> Sentence: ...
    @overload
    def parse(self, source: Source, threads: int = 1, *, force: bool = False) -> Iterator[Sentence]: ...
    def parse(
        self, source: Source | Sentence, threads: int = 1, *, force: bool = False
    ) -> Iterator[Sentence] | Sentence:
        """The sentences of a path, an open file, a reader or an iterable, parsed, in order; a `Sentence` alone as one.

        Sentences are read and parsed while you go through them. With `threads`, several batches are parsed at once.
        With `force`, also those are parsed whose tags the parser does not know.
        """
        if isinstance(source, Sentence):
            [batch] = self.parse_batches(source, force=force)
            return Sentence.view(batch, 0)
        return views(self.parse_batches(source, threads, force=force))

    def explain(self, sentence: Sentence) -> Explanation:
        """Why the sentence is parsed as it is: decisions, their runners-up, and the features that decided."""
        if not isinstance(sentence, Sentence):
            raise HeadwayError(f"{described(sentence)} is no Sentence; explain one sentence at a time")
        return explained(self.stages, sentence)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file; it appears when it is complete."""
        assure_path(path, "a model file")
        model.save(path, self.stages)


def load(path: str | os.PathLike[str]) -> Parser:
    """The parser in a model file; weights are read from the file when they are used."""
    assure_path(path, "a model file")
    return Parser(model.load(path))


def _assured_stages(stages: object) -> Iterator[Stage]:
    """Stages as they are; anything else is refused."""
    if isinstance(stages, Iterable):
        for stage in stages:
            if not hasattr(stage, "annotate"):
                raise HeadwayError(f"{described(stage)} is no stage; headway.train and headway.load make parsers")
            yield stage
        return
    raise HeadwayError(f"{described(stages)} is no list of stages; headway.train and headway.load make parsers")


def _mapped(function: Callable[[Batch], Result], batches: Iterable[Batch], threads: int) -> Iterator[Result]:
    """What a function makes of batches, in order; with threads, of some of them at once."""
    refusal = THREADS.refusal(f"threads = {threads!r}", threads)
    if refusal is not None:
        raise HeadwayError(refusal)
    if threads <= 1:
        yield from map(function, batches)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Result]] = deque()
        for batch in batches:
            waiting.append(pool.submit(function, batch))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
