"""Many short texts: they are gathered and parsed together, and each becomes a document of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from headway.base.errors import HeadwayError, assure_yes_no, described
from headway.base.options import Whole
from headway.data.document import Document
from headway.data.formats.recognition import SENTENCES, TEXT
from headway.stages.contract import SegmentsTexts
from headway.stages.parsing.options import ParseOptions, parse_options
from headway.stages.parsing.parse_batches import BatchParser, ReadyBatch, in_threads, made_ready
from headway.stages.pipeline import Pipeline
from headway.stages.shared_pipeline import SharedPipeline

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from headway.stages.parsing.keywords import ParseKeywords

Context = TypeVar("Context")

GATHERED = 10_000
"""Words of texts from a list that are parsed together."""
WORD = 5
"""Characters of a word, to count words before text is cut."""
LONGEST = 1 << 15
"""Characters of a text that is parsed together with others."""
WORDS = Whole(help="About how many words of texts to parse together.")


@dataclass
class Gathered:
    """Texts that are parsed together, or one that is parsed alone, and what belongs to each."""

    texts: list[str] = field(default_factory=list)
    contexts: list[Any] = field(default_factory=list)
    together: bool = True
    size: int = 0

    def add(self, text: str, context: Any) -> None:
        """One text more."""
        self.texts.append(text)
        self.contexts.append(context)
        self.size += len(text) // WORD + 1


class TextParser:
    """Parses texts as options say; its method may run in several threads."""

    def __init__(
        self, parser: PipelineOfTexts, options: ParseOptions, row: Pipeline, keywords: Mapping[str, Any]
    ) -> None:
        BatchParser(row, (), options)  # Refuses options that the parser cannot fulfil.
        self.parser, self.options, self.quiet = parser, options, False
        self.alone = {**keywords, "threads": 1}
        plain = options.k_best is None and not options.keep_heads and options.input in (None, TEXT, SENTENCES)
        self.gathers = plain and isinstance(row.segmenter, SegmentsTexts)

    def gathered(self, texts: Iterable[Any], as_tuples: bool, most: int) -> Iterator[Gathered]:
        """Texts, together as far as that changes nothing, until there are so many words."""
        waiting = Gathered()
        for number, given in enumerate(texts, 1):
            text, context = _pair(number, given) if as_tuples else (given, None)
            if not isinstance(text, str):
                if waiting.texts:
                    yield waiting
                raise HeadwayError(
                    f"text {number}: expected a string, got {described(text)}; parse words and sentences with"
                    " parser(words) and parser.parse(sentences)"
                )
            if self.gathers and can_be_joined(text):
                waiting.add(text, context)
                if waiting.size < most:
                    continue
            elif waiting.texts:
                yield waiting
                waiting = Gathered()
            yield waiting if waiting.texts else Gathered([text], [context], together=False)
            waiting = Gathered()
        if waiting.texts:
            yield waiting

    def parse(self, gathered: Gathered) -> list[tuple[Document, Any]]:
        """The documents, in order, each with what belongs to it."""
        texts = gathered.texts
        documents = self._together(texts) if gathered.together else [self.parser(texts[0], **self.alone)]
        return list(zip(documents, gathered.contexts, strict=True))

    def _together(self, texts: Sequence[str]) -> list[Document]:
        with self.parser.lent() as row:
            segmenter = row.segmenter
            assert isinstance(segmenter, SegmentsTexts)
            cut = segmenter.segment_texts(texts, lines=self.options.input == SENTENCES)
            batch = cut.batch
            if len(batch):
                row = row.finding(self.options.columns_to_find)
                row = made_ready(row, batch, self.options, quiet=self.quiet)
                self.quiet = True
                [batch] = BatchParser(row, (), self.options).parse(ReadyBatch(row, batch))
        found = zip(texts, cut.counts, accumulate(cut.counts), cut.bases, strict=True)
        return [Document.within(text, batch, stop - count, stop, base) for text, count, stop, base in found]


def documents(
    texts: TextParser, given: Iterable[Any], as_tuples: bool, batch_words: int | None
) -> Iterator[tuple[Document, Any]]:
    """The documents of texts, in order, each with what belongs to it; see `Parser.pipe`."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise HeadwayError(f"expected several texts, got {described(given)}; parse one text with parser(text)")
    if batch_words is not None and (refusal := WORDS.error_for(f"batch_words = {batch_words!r}", batch_words)):
        raise HeadwayError(refusal)
    waits = batch_words is None and not isinstance(given, Sequence)
    most = 1 if waits else batch_words or GATHERED
    threads = 1 if waits else texts.options.threads
    for some in in_threads(texts.parse, texts.gathered(given, as_tuples, most), threads):
        yield from some


def can_be_joined(text: str) -> bool:
    """Whether a text is short, and has nothing in it that is to be refused or looked at more closely."""
    if len(text) > LONGEST or "\0" in text or "\t" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _pair(number: int, given: Any) -> tuple[Any, Any]:
    """A text and what belongs to it."""
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise HeadwayError(f"text {number}: expected a pair of text and context, got {described(given)}")
    return given[0], given[1]


class PipelineOfTexts(SharedPipeline, ABC):
    """A row of stages that parses many texts."""

    @abstractmethod
    def __call__(self, words: str, **keywords: Unpack[ParseKeywords]) -> Document:
        """The document of one text."""

    @overload
    def pipe(
        self,
        texts: Iterable[str],
        *,
        as_tuples: Literal[False] = False,
        batch_words: int | None = None,
        **keywords: Unpack[ParseKeywords],
    ) -> Iterator[Document]: ...
    @overload
    def pipe(
        self,
        texts: Iterable[tuple[str, Context]],
        *,
        as_tuples: Literal[True],
        batch_words: int | None = None,
        **keywords: Unpack[ParseKeywords],
    ) -> Iterator[tuple[Document, Context]]: ...
    def pipe(
        self,
        texts: Iterable[Any],
        *,
        as_tuples: bool = False,
        batch_words: int | None = None,
        **keywords: Unpack[ParseKeywords],
    ) -> Iterator[Any]:
        """The documents of many texts, in order, each as `parser(text)` gives it, in a fraction of the time.

        With `as_tuples`, texts come as pairs of a text and anything, and the documents go with the same. Texts of a
        list are parsed together, some thousand words at once, with `threads` several times that. A text of a generator
        or a queue is answered before the next one is asked for, unless `batch_words` says how many words to gather.
        """
        assure_yes_no("as_tuples", as_tuples)
        how = TextParser(self, parse_options(keywords), self._now, keywords)
        found = documents(how, texts, as_tuples, batch_words)
        return found if as_tuples else map(itemgetter(0), found)
