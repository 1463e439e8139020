"""A parser as users have it: a row of stages, read from one file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
from itertools import chain
from typing import TYPE_CHECKING, Any, overload

from headway.base.errors import HeadwayError, ReadingReport, described, shown
from headway.base.files import assure_path
from headway.base.options import built
from headway.base.schema import assure_facts
from headway.data.batch import Batch
from headway.data.document import Document
from headway.data.formats.format import FIELDS
from headway.data.formats.recognition import TREEBANK, input_of_string
from headway.data.sentence import Sentence, assure_sentence, kept
from headway.data.sources import Source
from headway.stages import model_file as model
from headway.stages.constraints import Constraints
from headway.stages.contract import Stage
from headway.stages.parsing.keywords import ParseKeywords, ReadKeywords
from headway.stages.parsing.many_texts import PipelineOfTexts
from headway.stages.parsing.options import READING, ParseOptions, ReadOptions, parse_options
from headway.stages.parsing.parse_batches import BatchParser, ReadyBatch, Result, in_threads, read_input, words_from
from headway.stages.pipeline import Pipeline, assured_stages
from headway.stages.scoring import TransitionScores, TreeScores, marginals_of, scores_of
from headway.stages.updating import columns_named, what_counts
from headway.stages.windows import WindowedStage, assure_longest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from headway.stages.explanation.contract import Explanation


class Parser(PipelineOfTexts):
    """Stages in a row, each of which sees what those before it have found.

    >>> import headway
    >>> from headway.data.sample import generate
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
            raise HeadwayError(
                f"expected a list of stages, got {shown(os.fspath(stages))}; headway.load opens a model file"
            )
        super().__init__(Pipeline(tuple(assured_stages(stages))))
        self._has_said = False

    def __reduce__(self) -> tuple[type[Parser], tuple[tuple[Stage, ...]]]:
        """Pickle the stages: locks cannot be pickled."""
        return type(self), (self.stages,)

    def __repr__(self) -> str:
        kinds = ", ".join(stage.kind for stage in self._now.stages)
        columns = (", ".join(name for name in FIELDS if name in some) for some in (self.needs, self.gives))
        return f"<Parser: {kinds}; needs {next(columns)}; gives {next(columns)}>"

    @overload
    def __call__(self, words: str, **keywords: Unpack[ParseKeywords]) -> Document: ...  # type: ignore[overload-overlap]
    @overload
    def __call__(
        self,
        words: Iterable[str],
        tags: Iterable[str] | None = None,
        *,
        lemmas: Iterable[str] | None = None,
        xpos: Iterable[str] | None = None,
        feats: Iterable[str] | None = None,
        **keywords: Unpack[ParseKeywords],
    ) -> Sentence: ...
    def __call__(
        self,
        words: str | Iterable[str],
        tags: Iterable[str] | None = None,
        *,
        lemmas: Iterable[str] | None = None,
        xpos: Iterable[str] | None = None,
        feats: Iterable[str] | None = None,
        **keywords: Unpack[ParseKeywords],
    ) -> Sentence | Document:
        """Parse a text, given as a string, or one sentence, given by its words.

        A text becomes a `Document`, a sequence of sentences; so does a string that is CoNLL-U. `tags` are universal
        ones (UPOS), or the treebank's own where the parser looks at those only; `xpos` are the treebank's own beside
        them. `needs` names the columns that the parser looks at. All else is as in `parse`.
        """
        columns = {"tags": tags, "lemmas": lemmas, "xpos": xpos, "feats": feats}
        if isinstance(words, str):
            keywords.setdefault("input", input_of_string(words))
        how = parse_options(keywords, columns)
        if not isinstance(words, str):
            if xpos is None and "XPOS" in self.needs and "UPOS" not in self.needs:
                tags, xpos = None, tags
            return self.parse(Sentence(words_from(words), upos=tags, lemmas=lemmas, xpos=xpos, feats=feats), **keywords)
        if given := [name for name, cells in columns.items() if cells is not None]:
            raise HeadwayError(f"{given[0]} belong to words, and {shown(words)} is a text; give a list of words")
        file = StringIO(words)
        file.name = "<text>"
        batches = chain.from_iterable(self._run(file, how, BatchParser.parse))
        return Document.of(None if how.input == TREEBANK else words, batches)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages as they are now, to keep; corrections that come later do not change these."""
        return self.row.stages

    @property
    def needs(self) -> frozenset[str]:
        """The columns that the input must have: those that some stage looks at and none before it gives."""
        return self._now.needs

    @property
    def gives(self) -> frozenset[str]:
        """The columns that are filled."""
        return self._now.gives

    @property
    def seen(self) -> Mapping[str, Any]:
        """What the treebank had in the columns that the input must have."""
        return self._now.seen

    @property
    def about(self) -> Mapping[str, Any]:
        """Where the last stage comes from: options, treebank, scores."""
        return self._now.stages[-1].about

    def with_about(self, **facts: Any) -> Parser:
        """The same parser with more said about its last stage."""
        assure_facts(facts)
        *before, last = self.stages
        return Parser([*before, last.with_about(**facts)])

    def with_longest(self, words: int) -> Parser:
        """The same parser, which takes sentences of up to so many words as a whole and longer ones in windows.

        Stages whose time is linear in the words have no limit and stay as they are.
        """
        assure_longest(words)
        return Parser(
            [stage.with_longest(words) if isinstance(stage, WindowedStage) else stage for stage in self.stages]
        )

    def annotate(self, batch: Batch) -> Batch:
        """The batch with what all stages find."""
        if not isinstance(batch, Batch):
            raise HeadwayError(f"expected a Batch, got {described(batch)}; parse sentences with parser.parse")
        with self.lent() as row:
            return row.annotate(batch)

    def parse_within(self, sentence: Sentence, constraints: Constraints, **keywords: Unpack[ReadKeywords]) -> Sentence:
        """Parse a sentence so that its tree obeys constraints; an error names those that contradict each other."""
        assure_sentence(sentence, "give one at a time")
        with self.lent() as row:
            [(stages, batch)] = self._read(sentence, row, built(ReadOptions, READING, keywords))
            return Sentence.view(stages.annotate_constrained(batch, [constraints]).batches[0], 0)

    def parse_batches(self, source: Source | Sentence, **keywords: Unpack[ParseKeywords]) -> Iterator[Batch]:
        """The batches of a source, parsed, in order; with threads, some of them at once. See `parse`.

        Where the source lacks columns that the model needs, a note says so.
        """
        return chain.from_iterable(self._run(source, parse_options(keywords), BatchParser.parse))

    def parse_bytes(self, source: Source, **keywords: Unpack[ParseKeywords]) -> Iterator[bytes]:
        """The same as bytes in their own format; every byte that no stage has changed stays. Text becomes CoNLL-U."""
        return self._run(source, parse_options(keywords), BatchParser.render)

    def _run(
        self, source: Source | Sentence, how: ParseOptions, work: Callable[[BatchParser, ReadyBatch], Result]
    ) -> Iterator[Result]:
        """What is made of the batches of a source; options that this parser cannot fulfil are refused at once."""
        parser, wanted = BatchParser(self._now, source, how), how.columns_to_find

        def results() -> Iterator[Result]:
            with self.lent() as row:
                yield from in_threads(partial(work, parser), self._read(source, row.finding(wanted), how), how.threads)
            parser.say_what_was_kept()

        return results()

    def _read(self, source: Source | Sentence, row: Pipeline, how: ReadOptions) -> Iterator[ReadyBatch]:
        """The batches of a source; of sentences that are parsed one by one, what they lack is said once."""
        single = isinstance(source, Sentence)
        quiet, self._has_said = single and self._has_said, self._has_said or single
        return read_input(source, row, how, quiet=quiet)

    @overload
    def parse(self, source: Sentence, **keywords: Unpack[ParseKeywords]) -> Sentence: ...
    @overload
    def parse(self, source: Source, **keywords: Unpack[ParseKeywords]) -> Iterator[Sentence]: ...
    def parse(self, source: Source | Sentence, **keywords: Unpack[ParseKeywords]) -> Iterator[Sentence] | Sentence:
        """The sentences of a path, an open file, a reader or an iterable, parsed, in order; a `Sentence` alone as one.

        Sentences are read and parsed while you go through them. With `threads`, several batches are parsed at once.
        """
        if not isinstance(source, Sentence):
            return kept(self.parse_batches(source, **keywords))
        if keywords.get("k_best") is not None:
            raise HeadwayError("one sentence has one best tree; parser.k_best(sentence, k) gives the k best")
        [batch] = self.parse_batches(source, **keywords)
        return Sentence.view(batch, 0)

    parse.__doc__ = f"{parse.__doc__}\n{ParseKeywords.__doc__}"

    def k_best(self, sentence: Sentence, k: int, **keywords: Unpack[ReadKeywords]) -> list[Sentence]:
        """The k best trees of a sentence, the best first, fewer where there are fewer; from a graph parser.

        The `metadata` of each has its `parse_rank` and `parse_score`.
        """
        assure_sentence(sentence, "give one at a time, or parse many with parser.parse(source, k_best=k)")
        built(ReadOptions, READING, keywords)
        return list(kept(self.parse_batches(sentence, k_best=k, **keywords)))

    def explain(self, sentence: Sentence, stage: str | None = None) -> Explanation:
        """Why the sentence is parsed as it is: decisions, their runners-up, and the features that decided.

        `stage` is `tagger`, `lemmatizer` or `parser`; by default it is the last one that can explain itself.
        """
        from headway.stages.explanation.explained import explained

        assure_sentence(sentence, "explain one sentence at a time")
        with self.lent() as row:
            if stage == "segmenter" or not row.running:
                raise HeadwayError("a segmenter explains how it cuts text; give the text to explain_text")
            return explained(row.running, sentence, stage)

    def explain_text(self, text: Any, *, report: ReadingReport | None = None) -> Iterator[Explanation]:
        """Why the segmenter cuts a text as it does, sentence by sentence; a string, bytes in UTF-8, or chunks of them.

        `report` hears what is wrong with the text.
        """
        from headway.stages.explanation.explained import explained_text

        return explained_text(self._now.stages, self._now.segmenter, text, report)

    def scores(self, sentence: Sentence) -> TreeScores | TransitionScores:
        """The scores behind the tree of a sentence, as NumPy arrays.

        Of graph and boosted parsers those of all arcs, and of the labels in the tree that is found; of transition
        parsers those of all legal transitions, step by step.
        """
        assure_sentence(sentence, "score one sentence at a time")
        with self.lent() as row:
            return scores_of(row.running, sentence)

    def marginals(self, sentence: Sentence) -> NDArray[np.float64]:
        """How probable each arc [head, word] is among all trees of a graph or boosted parser; 0 is the root.

        `parse` with `confidence` has probabilities that were calibrated on text; these are the model's own.
        """
        assure_sentence(sentence, "ask for the marginals of one sentence at a time")
        with self.lent() as row:
            return marginals_of(row.running, sentence)

    def update(
        self,
        sentence: Sentence | Document,
        wanted: Constraints | None = None,
        corrected: str | Iterable[str] | None = None,
    ) -> bool:
        """Learn from a corrected sentence or document at once; whether all that counts is right then.

        Every stage learns whose columns differ from what it finds itself: tags, lemmas, heads and labels that the
        sentence has, and of a document also where its text is cut. `corrected` says what alone counts, such as
        "tags,lemmas", "cuts" or ["UPOS", "HEAD"]; where only a tree is `wanted`, nothing else does. Stages see what
        those before them predict. This parser changes, and no other that was loaded from the same file or made from
        this one; `save` keeps what it has learned. Threads may parse, correct and save at once.
        """
        row = self._now
        named = None if corrected is None else columns_named(corrected, row.gives)
        counting = what_counts(sentence, row.segmenter, row.running, wanted, named)
        if not any(counting):
            columns = ", ".join(name for name in FIELDS if name in self.gives)
            place = sentence.place if isinstance(sentence, Sentence) else "the document"
            raise HeadwayError(f"{place}: there is nothing to learn; give some words {columns}")
        return self._learn(counting)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file with what is learned until now; it appears when it is complete."""
        assure_path(path, "a model file")
        model.save(path, self.stages)
