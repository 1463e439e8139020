"""Which of many edit scripts fit a form: found by its end and beginning, without trying them one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from headway.text.lemmatizer.edit_scripts import UNSAID, Replacement, applied, capitalised, parsed

Texts = dict[int, dict[str, list[int]]]
"""Scripts by a text that they ask for, and these by their length."""
Index = dict[int, dict[str, Texts]]
"""Such texts by their place, counted from one end of a form, and by their character next to that end."""
NONE: Texts = {}
REMEMBERED = 1 << 13
"""Forms whose scripts are remembered: words that a treebank does not have come again in a text."""


class FittingScripts:
    """Scripts by number, and those of them that may be chosen for any form they fit.

    `lower|*` and `keep|*` are among the scripts of every lemmatizer, so that something fits every form.
    """

    def __init__(self, scripts: Sequence[str], chosen: Iterable[int]) -> None:
        self.scripts = scripts
        self.anything: list[int] = []
        self.folded = _Anchored(scripts)
        """Scripts that change the form in lower case."""
        self.written = _Anchored(scripts)
        """Scripts that change the form as it is written."""
        for number in chosen:
            script = scripts[number]
            if script == UNSAID:
                self.anything.append(number)
            else:
                (self.written if script.startswith("keep|") else self.folded).add(number)
        self.plain = {scripts[number]: number for number in self.folded.always}
        self.fitting = lru_cache(REMEMBERED)(self._fitting)

    def _fitting(self, form: str) -> tuple[int, ...]:
        """The scripts that fit a form, ascending; of several that change nothing but case and agree, only one.

        A form of lower case is never kept as it is, since that is what lower case makes of it.
        """
        lower = form.lower()
        found = {*self.anything, *self.folded.matching(lower, form)}
        if lower != form:
            found.update(self.written.matching(form, form))
            if form == capitalised(lower):
                found.discard(self.plain.get("capitalise|*", -1))
            if form == form.upper():
                found.discard(self.plain.get("upper|*", -1))
        return tuple(sorted(found))


class _Anchored:
    """Scripts by characters that a form must have at a place counted from its end, or from its beginning."""

    def __init__(self, scripts: Sequence[str]) -> None:
        self.scripts = scripts
        self.always: list[int] = []
        self.at_end: Index = {}
        self.at_beginning: Index = {}
        self.checked: set[int] = set()
        """Scripts that ask for other characters, too."""
        self.sizes: dict[int, int] = {}
        """Scripts that only fit forms with more characters than these."""
        self.largest = 0

    def add(self, number: int) -> None:
        """Add a script."""
        script = parsed(self.scripts[number])
        if script is None:
            return
        ends, begins = _literals(reversed(script.right)), _literals(script.left)
        asked = 0
        if literals := [*ends, *begins]:
            place, text = max(literals, key=lambda literal: len(literal[1]))
            index, next_to = (self.at_end, text[-1]) if (place, text) in ends else (self.at_beginning, text[0])
            of_character = index.setdefault(place, {}).setdefault(next_to, {})
            of_character.setdefault(len(text), {}).setdefault(text, []).append(number)
            asked = place + len(text)
        else:
            self.always.append(number)
        if len(literals) > 1 or script.whole:
            self.checked.add(number)
        elif script.size > asked:
            self.sizes[number] = script.size
            self.largest = max(self.largest, script.size)

    def matching(self, text: str, form: str) -> list[int]:
        """The scripts that fit a form, which is `text` after the first change of case."""
        size, found = len(text), list(self.always)
        for place, characters in self.at_end.items():
            end = size - place
            for length, texts in characters.get(text[end - 1], NONE).items() if end > 0 else ():
                if end > length and (some := texts.get(text[end - length : end])) is not None:
                    found += some
        for place, characters in self.at_beginning.items():
            for length, texts in characters.get(text[place], NONE).items() if size > place else ():
                if size >= place + length and (some := texts.get(text[place : place + length])) is not None:
                    found += some
        if size <= self.largest:
            found = [number for number in found if self.sizes.get(number, 0) < size]
        if self.checked.isdisjoint(found):
            return found
        checked, scripts = self.checked, self.scripts
        return [number for number in found if number not in checked or applied(scripts[number], form) is not None]


def _literals(side: Iterable[Replacement]) -> list[tuple[int, str]]:
    """The characters that one side of a script replaces, each with how far from the end of the form it stands."""
    found, place = [], 0
    for old, _, size in side:
        if old:
            found.append((place, old))
        place += size
    return found
