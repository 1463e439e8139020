"""The ways to mark lifted arcs in labels, for `pseudoprojective`. Nivre and Nilsson (2005)."""

from typing import NamedTuple


class Encoding(NamedTuple):
    """What the marks say."""

    names_head: bool
    marks_path: bool


ENCODINGS = {
    "head": Encoding(names_head=True, marks_path=False),
    "path": Encoding(names_head=False, marks_path=True),
    "head+path": Encoding(names_head=True, marks_path=True),
    "none": Encoding(names_head=False, marks_path=False),
}
