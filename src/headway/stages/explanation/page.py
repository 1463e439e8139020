"""Explanations on a self-contained HTML page: a click on an arc shows its reasons. No script is needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from headway.show import svg
from headway.show.arcs import LONGEST, legible
from headway.show.html import STYLE
from headway.show.reports.page import document
from headway.stages.explanation.contract import TOP, Decision, Explanation

REASONS = """.why { display: none; border: 1px solid var(--line); border-radius: .3rem; padding: 0 1rem; }
.why:target { display: block; } .why pre { white-space: pre-wrap; }
figure svg a { cursor: pointer; } figure svg a:hover path, figure svg a:focus path { stroke-width: 3; }
"""


def explanation_page(
    explanations: Iterable[Explanation],
    *,
    title: str = "Explanations",
    top: int | None = TOP,
    features: bool = False,
) -> str:
    """The text of a page with the tree of each sentence; an arc is a link to its reasons; without trees, a list."""
    how = {"top": top, "features": features}
    parts = (part for number, one in enumerate(explanations, 1) for part in _parts(number, one, how))
    return document(title, parts, style=STYLE + REASONS)


def _parts(number: int, explanation: Explanation, how: dict[str, Any]) -> Iterable[str]:
    sentence = explanation.sentence
    yield f"<h2>{escape(legible(sentence.sent_id or sentence.place))}</h2>"
    yield f"<p><bdi>{escape(legible(sentence.text))}</bdi></p>"
    if not sentence.is_parsed:
        yield _listed([decision for decision in explanation.decisions if not decision.is_usual], how)
        return
    if len(sentence) <= LONGEST:
        links = {word: f"#why-{number}-{word}" for word in range(1, len(sentence) + 1)}
        yield f"<figure>\n{svg.draw(sentence, links=links)}</figure>"
        yield '<p class="note">Click on an arc to see why it is there.</p>'
    for note in explanation.notes:
        yield f'<p class="note">{escape(note)}</p>'
    for word in range(1, len(sentence) + 1):
        reasons = escape(explanation.text(word=word, **how))
        yield f'<section class="why" id="why-{number}-{word}">\n<pre>{reasons}</pre>\n</section>'
    others = [decision for decision in explanation.decisions if not decision.word]
    if others:
        steps = _listed(explanation.decisions, how)
        yield f"<details>\n<summary>All decisions, step by step</summary>\n{steps}\n</details>"


def _listed(decisions: Sequence[Decision], how: dict[str, Any]) -> str:
    items = "\n".join(f"<li><pre>{escape(decision.text(**how))}</pre></li>" for decision in decisions)
    return f"<ol>\n{items}\n</ol>"
