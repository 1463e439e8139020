"""Trees on a self-contained HTML page, in the colours of day or night."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import chain, repeat

from headway.data.sentence import Sentence, assured
from headway.show import svg
from headway.show.arcs import LONGEST, legible
from headway.show.reports.page import document
from headway.show.text import draw as draw_text

STYLE = "".join(
    f'svg [{part}="{colour}"] {{ {part}: var(--{name}); }}\n'
    for name, colour in svg.COLOURS.items()
    for part in ("fill", "stroke")
)
"""The pictures' own colours give way to those of the page."""


def draw(
    sentences: Iterable[Sentence],
    others: Sentence | Iterable[Sentence | None] | None = None,
    *,
    title: str = "Trees",
    summary: str = "",
    reasons: Iterable[str] = (),
) -> str:
    """The text of a page with a picture of each sentence; with `others`, how their trees differ, None for none.

    `reasons` say why each sentence is there, `summary` stands on top. Sentences that are too long for a
    picture are lists of words.
    """
    first = assured(sentences)
    seconds = [others] if isinstance(others, Sentence) else others
    pairs = zip(first, repeat(None)) if seconds is None else zip(first, seconds, strict=True)
    figures = (_figure(*pair, reason) for pair, reason in zip(pairs, chain(reasons, repeat("")), strict=False))
    return document(title, chain([_note(summary)] if summary else [], figures), style=STYLE)


def _figure(sentence: Sentence, other: Sentence | None, reason: str) -> str:
    name = escape(legible(sentence.sent_id or sentence.place))
    text = escape(legible(sentence.text))
    note = f"{_note(reason)}\n" if reason else ""
    if len(sentence) > LONGEST:
        return f"<h2>{name}</h2>\n{note}<pre>{escape(draw_text(sentence, other))}</pre>"
    return f"<h2>{name}</h2>\n{note}<p><bdi>{text}</bdi></p>\n<figure>\n{svg.draw(sentence, other)}</figure>"


def _note(text: str) -> str:
    return f'<p class="note">{escape(text)}</p>'
