"""Trees as text in box-drawing characters: arcs above the words where there is room, or beside them.

Arcs that are not projective are dashed and have hollow heads.
"""

from __future__ import annotations

from rich.text import Text

from headway.base.errors import HeadwayError, assure_whole, known
from headway.data.sentence import Sentence
from headway.show.across import across
from headway.show.arcs import legible, notes, trees
from headway.show.canvas import QUIET, isolated
from headway.show.down import down

LAYOUTS = ("auto", "across", "down")
WIDTH = 100


def draw(sentence: Sentence, other: Sentence | None = None, *, layout: str = "auto", width: int = WIDTH) -> str:
    """The tree as lines of text; with another sentence of the same words, also its arcs that differ.

    >>> from headway import Sentence
    >>> print(draw(Sentence(forms=["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])))
    Dogs bark
    <BLANKLINE>
              root
      ╭─nsubj─╮ │
      ▼       │ ▼
    Dogs      bark

    `layout` puts arcs above the words ("across"), or beside them with one word on each line ("down"); "auto"
    takes the first if it fits into `width` cells. Heads are numbers if the arcs would take more than
    `canvas.MOST_CELLS` cells, or if there are more than `arcs.LONGEST` words.
    """
    return picture(sentence, other, layout=layout, width=width).plain


def picture(
    sentence: Sentence,
    other: Sentence | None = None,
    *,
    layout: str = "auto",
    width: int = WIDTH,
    caption: str = "",
) -> Text:
    """What `draw` draws, with colours for a terminal and a caption on top."""
    if layout not in LAYOUTS:
        raise HeadwayError(f"unknown layout {layout!r}; {known(LAYOUTS)}")
    assure_whole("width", width)
    first, second = trees(sentence, other)
    narrow = layout == "auto" and width < 4 * len(sentence) - 1  # no word takes less across
    canvas = across(sentence, first, second) if first and layout != "down" and not narrow else None
    where = "below"
    if canvas is None or (layout == "auto" and canvas.width > width):
        canvas, where = down(sentence, first, second, width), "on the right"
    below = [Text(isolated(note), QUIET) for note in notes(sentence, first, second, where)]
    if canvas.numbered:
        below.append(Text("the arcs would take too much room; the numbers are those of the heads", QUIET))
    return Text("\n").join([*_heading(sentence, caption), *canvas.lines(), *([Text(), *below] if below else [])])


def _heading(sentence: Sentence, caption: str) -> list[Text]:
    names = [isolated(legible(name)) for name in (caption, sentence.sent_id) if name]
    return [
        *([Text(", ".join(names), QUIET)] if names else []),
        Text(isolated(legible(sentence.text)), "bold"),
        Text(),
    ]
