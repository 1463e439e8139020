"""Everything headway refuses, as one sentence: where, what, and what to do."""

from __future__ import annotations

import logging
from numbers import Integral

logger = logging.getLogger("headway")
SHOWN = 40
"""How many characters of an offending value an error shows."""
NO_CELL = {"\t": "a tab", "\n": "a line break", "\r": "a line break", "\0": "a NUL"}
"""Characters that no cell can hold, and what messages call them."""


class HeadwayError(Exception):
    """A failure that its message explains to the user in one sentence."""


class FormatError(HeadwayError):
    """Bad input at a place in a file: `FILE:LINE: what; what to do`."""

    def __init__(self, source: str, line: int | None, what: str, remedy: str) -> None:
        """`line` counts from 1; None where the file as a whole is meant."""
        place = source if line is None else f"{source}:{line}"
        super().__init__(f"{place}: {what}; {remedy}")
        self.parts: tuple[str, int | None, str, str] = (source, line, what, remedy)

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, int | None, str, str]]:
        """The same error in another process."""
        return FormatError, self.parts


class ReadingReport:
    """Notes and problems of one file; `on_error="skip"` counts problems instead of raising the first."""

    def __init__(self, source: str, on_error: str = "stop") -> None:
        self.source = source
        self.on_error = on_error
        self.left_out: list[int | None] = []
        """The lines where sentences that were left out have their first problem."""
        self.notes: list[str] = []
        self.is_marked: bool = False
        """Whether a byte-order mark at the start was left out."""

    @property
    def skipped(self) -> int:
        """How many sentences were left out."""
        return len(self.left_out)

    def note(self, what: str) -> None:
        """Log something harmless, the first time it is met in this file."""
        if what not in self.notes:
            self.notes.append(what)
            logger.warning("%s: %s", self.source, what)

    def problem(self, error: FormatError) -> None:
        """Raise the error, or count a sentence left out."""
        if self.on_error != "skip":
            raise error
        self.left_out.append(error.parts[1])
        logger.info("left out: %s", error)


def assure_yes_no(name: str, value: object) -> None:
    """Refuse what is neither True nor False, for arguments that are no options: any word counts as true."""
    if not isinstance(value, bool):
        raise HeadwayError(f"{name} = {value!r} is neither yes nor no; give True or False")


def assure_whole(name: str, value: object, low: int = 1) -> None:
    """Refuse what is not a whole number from `low` on, for arguments that are no options."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise HeadwayError(f"{name} = {value!r} is not a whole number; give one from {low} on")
    if int(value) < low:
        raise HeadwayError(f"{name} = {value!r} is out of range; give a number from {low} on")


def shown(value: bytes | str) -> str:
    """The value in quotes, cut to a readable length, with nothing a terminal would act upon."""
    text = value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value
    cut = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
    return "'" + "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut) + "'"


def half(character: str) -> str:
    """How messages call a lone surrogate, which is no character and which no file can hold."""
    return f"half a character (the lone surrogate {shown(character)})"


def half_in(text: str) -> str | None:
    """How messages call the first lone surrogate in a text; None where there is none."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return half(text[error.start])
    return None


def is_cell(text: str) -> bool:
    """Whether a cell can hold a text, so that it comes back as it was."""
    return not any(character in text for character in NO_CELL) and half_in(text) is None


def not_utf8(text: bytes, at: int) -> str:
    """How messages call what is no UTF-8 at a place: a byte, or the lone surrogate that begins with it."""
    try:
        return half(text[at : at + 3].decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        return f"the byte {shown(text[at : at + 1])}"


def described(thing: object) -> str:
    """What a thing is, for a message that refuses it: a small one itself, others by their type: `a list`."""
    if isinstance(thing, (bytes, str)):
        return shown(thing)
    if thing is None or isinstance(thing, (bool, int, float)):
        return repr(thing)
    if isinstance(thing, type):
        return f"the class {thing.__name__}"
    name = type(thing).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def counted(count: int, what: str) -> str:
    """A number of things, one or several.

    >>> counted(1, "claim"), counted(2000, "claim"), counted(2, "pass"), counted(3, "entry")
    ('1 claim', '2,000 claims', '2 passes', '3 entries')
    """
    if count == 1:
        return f"1 {what}"
    if what.endswith(("s", "x", "ch", "sh")):
        return f"{count:,} {what}es"
    if what.endswith("y") and what[-2] not in "aeiou":
        return f"{count:,} {what[:-1]}ies"
    return f"{count:,} {what}s"


def known(names: object) -> str:
    """The names an unknown one could have been: `known are: a, b, c`."""
    return "known are: " + ", ".join(sorted(map(str, names)))  # type: ignore[call-overload]
