"""The text that a treebank was made of: what its sentences are written as, paragraph by paragraph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from headway.data.sentence import Sentence

TEXT = "text"
"""The name of this format, which can be written and not be read as a treebank."""
BEGINNINGS = ("newpar", "newdoc")
"""Comments that begin a paragraph."""


def running_text(sentences: Iterable[Sentence]) -> Iterator[str]:
    r"""The text, piece by piece: that of each sentence and a space, a blank line before paragraphs and documents.

    The text of a sentence is its comment `# text`, or its tokens put together as `SpaceAfter` says.

    >>> from headway import Sentence
    >>> sentence = Sentence(forms=["Dogs", "bark", "."], misc=["_", "SpaceAfter=No", "_"])
    >>> "".join(running_text([sentence, sentence]))
    'Dogs bark. Dogs bark. \n'
    """
    any_before = False
    for sentence in sentences:
        if any_before and any(_begins(comment) for comment in sentence.comments):
            yield "\n\n"
        yield f"{sentence.text} "
        any_before = True
    if any_before:
        yield "\n"


def _begins(comment: str) -> bool:
    """Whether a paragraph or a document begins with the sentence that has this comment."""
    return comment.removeprefix("#").split()[:1] in ([name] for name in BEGINNINGS)
