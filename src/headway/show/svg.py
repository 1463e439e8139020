"""A tree as a self-contained SVG picture: words in a row, arcs above them, arcs of a second tree below.

The picture needs no script, style sheet or font of its own. Widths of texts are estimates.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from types import MappingProxyType

from rich.cells import cell_len

from headway.base.errors import HeadwayError
from headway.data.sentence import Sentence
from headway.show.arcs import (
    LONGEST,
    Arch,
    WordRow,
    arches,
    is_right_to_left,
    legible,
    middles,
    notes,
    places,
    tags,
    trees,
)
from headway.show.reports.page import DAY

COLOURS = DAY
"""A page puts its own in their place, of day or night."""
FONT = 'font-family="system-ui, sans-serif"'
WORD, SMALL, LINE = 16.0, 11.5, 19.0
"""Sizes of words and of all other text, and height of a line of it."""
MARGIN, GAP, REACH = 16.0, 14.0, 7.0
"""Around the picture, between words, and from a word's middle to where the arcs to its dependents begin."""
STEM, LEVEL, BEND, ARROW = 24.0, 22.0, 14.0, 8.0
"""Height of the lowest arc, of each level above it, of an arc's bends and of its arrow head."""
NO_LINKS: Mapping[int, str] = MappingProxyType({})


def draw(sentence: Sentence, other: Sentence | None = None, *, links: Mapping[int, str] = NO_LINKS) -> str:
    """The text of an SVG file; with another sentence of the same words, its arcs that differ below them.

    `links` are where the arcs of words lead to when they are clicked on.
    """
    first, second = trees(sentence, other)
    if len(sentence) > LONGEST:
        raise HeadwayError(
            f"{sentence.place}: a picture of {len(sentence):,} words would be too large; take a sentence of up to"
            f" {LONGEST:,} words, or show it as text"
        )
    place = places(sentence.forms)
    above, below = arches(first, place), arches([arc for arc in second if arc.differs], place)
    row = _row(sentence, place, [*above, *below])
    top = MARGIN + _height(above)
    bottom = top + WORD + LINE + 6 + (LINE if sentence.multiwords else 0)
    parts = [*_words(sentence, row, top, {arch.arc.dependent for arch in below})]
    for side, base, step in ((above, top - 3, -1), (below, bottom, 1)):
        parts += [*_lines(side, row, base, step, links), *_labels(side, row, base, step, links)]
    width, height = row.middle[-1] + row.half[-1], bottom + _height(below)
    for note in notes(sentence, first, second, where="below"):
        height += LINE
        width = max(width, MARGIN + text_width(note, SMALL))
        parts.append(_text(note, MARGIN, height, "soft", anchor="start"))
    width, height = round(width + MARGIN), round(height + MARGIN)
    size, box = f'width="{width}" height="{height}"', f'viewBox="0 0 {width} {height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img" {FONT}>',
        f"<title>{escape(legible(sentence.text))}</title>",
        f'<rect {size} fill="{COLOURS["paper"]}"/>',
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def text_width(text: str, size: float) -> float:
    """About how wide a text is in a sans-serif font of that size."""
    broad = sum(character.isupper() or character in "@%—…" for character in text)
    broadest = sum(character in "mwMW" for character in text)
    marks = sum(unicodedata.category(character) == "Mc" for character in text)  # no cells, but some room
    return size * (0.54 * cell_len(text) + 0.15 * broad + 0.42 * broadest + 0.3 * marks)


def _row(sentence: Sentence, place: dict[int, int], arches: Sequence[Arch]) -> WordRow:
    """Words so far apart that every label has room on its arc."""
    widths, demands = [0.0] * len(place), []
    for word, form, tag in zip(place, sentence.forms, tags(sentence), strict=True):
        widths[place[word]] = max(4 * REACH, text_width(form, WORD), text_width(tag, SMALL))
    for arch in arches:
        room = text_width(arch.arc.caption, SMALL)
        if arch.arc.head:
            demands.append((arch.left, arch.right, REACH + 2 * BEND + room))
        else:
            widths[arch.head] = max(widths[arch.head], room)
    for span in sentence.multiwords:
        left, right = sorted((place[span.first], place[span.last]))
        demands.append((left, right, text_width(span.form, SMALL)))
    half = [width / 2 for width in widths]
    return WordRow(place, [MARGIN + x for x in middles(half, GAP, demands)], half, [REACH] * len(place))


def _words(sentence: Sentence, row: WordRow, y: float, wrong: set[int]) -> Iterator[str]:
    """Words with their tags, and brackets with the surface tokens that they are parts of."""
    for word, form, tag in zip(row.place, sentence.forms, tags(sentence), strict=True):
        middle = row.middle[row.place[word]]
        yield _text(form, middle, y + WORD, "bad" if word in wrong else "ink", size=WORD)
        if tag:
            yield _text(tag, middle, y + WORD + LINE - 3, "soft")
    for span in sentence.multiwords:
        (left, right), top = row.edges(span.first, span.last), y + WORD + LINE + 3
        points = f"{left:.1f},{top:.1f} {left:.1f},{top + 5:.1f} {right:.1f},{top + 5:.1f} {right:.1f},{top:.1f}"
        yield f'<polyline points="{points}" fill="none" stroke="{COLOURS["line"]}" stroke-width="1.5"/>'
        yield _text(span.form, (left + right) / 2, top + LINE - 1, "soft")


def _height(arches: Iterable[Arch]) -> float:
    """What the arches take up above or below the words."""
    top = max((arch.level for arch in arches), default=0)
    return STEM + LEVEL * (top - 1) + SMALL if top else 0.0


def _y(arch: Arch, base: float, step: int) -> float:
    return base + step * (STEM + LEVEL * (arch.level - 1))


def _colour(arch: Arch, step: int) -> str:
    agreed = "other" if arch.arc.crossing else "soft"
    return agreed if not arch.arc.differs else "good" if step < 0 else "bad"


def _lines(arches: Iterable[Arch], row: WordRow, base: float, step: int, links: Mapping[int, str]) -> Iterator[str]:
    """Arcs with their arrow heads, from the line `base` upwards (step -1) or downwards (step 1)."""
    for arch in sorted(arches, key=lambda arch: not arch.arc.differs):  # what agrees hides what differs
        (start, end), y = row.ends(arch), _y(arch, base, step)
        bend, foot = BEND if end > start else -BEND, y - step * BEND
        tip = base + step * ARROW
        shape = (
            f"M{start:.1f} {base:.1f}V{foot:.1f}Q{start:.1f} {y:.1f} {start + bend:.1f} {y:.1f}"
            f"H{end - bend:.1f}Q{end:.1f} {y:.1f} {end:.1f} {foot:.1f}V{tip:.1f}"
        )
        if not arch.arc.head:
            shape = f"M{end:.1f} {y:.1f}V{tip:.1f}"
        colour, dashes = COLOURS[_colour(arch, step)], ' stroke-dasharray="5 3"' if arch.arc.crossing else ""
        line = f'<path d="{shape}" fill="none" stroke="{colour}" stroke-width="1.5"{dashes}/>'
        wings = f"{end - ARROW / 2:.1f},{tip:.1f} {end + ARROW / 2:.1f},{tip:.1f}"
        arrow = f'<polygon points="{end:.1f},{base:.1f} {wings}" fill="{colour}"/>'
        if arch.arc.dependent in links:  # a line that nobody sees is broad enough to be hit
            broad = f'<path d="{shape}" fill="none" stroke="{COLOURS["paper"]}" stroke-opacity="0" stroke-width="9"/>'
            yield _linked(broad + line + arrow, arch, links)
        else:
            yield from (line, arrow)


def _linked(part: str, arch: Arch, links: Mapping[int, str]) -> str:
    target = links.get(arch.arc.dependent)
    return part if target is None else f'<a href="{escape(target)}">{part}</a>'


def _labels(arches: Sequence[Arch], row: WordRow, base: float, step: int, links: Mapping[int, str]) -> Iterator[str]:
    """The labels on their arcs, each on a piece of paper that hides the line."""
    for arch in arches:
        y, width = _y(arch, base, step), text_width(arch.arc.caption, SMALL) + 6
        rising = [x for other in arches if other.level > arch.level for x in row.ends(other)]
        middle = _gap(row.ends(arch), width, rising)
        yield (
            f'<rect x="{middle - width / 2:.1f}" y="{y - SMALL / 2:.1f}" width="{width:.1f}" height="{SMALL}"'
            f' fill="{COLOURS["paper"]}"/>'
        )
        yield _linked(_text(arch.arc.caption, middle, y + SMALL / 3, _colour(arch, step)), arch, links)


def _gap(ends: tuple[float, float], width: float, rising: Iterable[float]) -> float:
    """The middle of a label as near to the middle of its arc as it can be without hiding a crossing line."""
    left, right = sorted(ends)
    middle = (left + right) / 2
    stops = sorted({left, right, *(x for x in rising if left < x < right)})
    places = [(a + width / 2 + 2, b - width / 2 - 2) for a, b in pairwise(stops) if b - a >= width + 4]
    return min((max(a, min(middle, b)) for a, b in places), key=lambda x: abs(x - middle), default=middle)


def _text(text: str, x: float, y: float, colour: str, *, size: float = SMALL, anchor: str = "middle") -> str:
    backwards = anchor == "middle" and is_right_to_left(text)
    direction = ' direction="rtl" unicode-bidi="embed"' if backwards else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}" fill="{COLOURS[colour]}"'
        f"{direction}>{escape(legible(text))}</text>"
    )
