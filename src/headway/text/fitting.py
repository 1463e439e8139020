"""Which of many edit scripts fit a form: found by how the form ends and begins, not one after the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from headway.text.scripts import UNSAID, applied, capitalised, parsed

Index = dict[str, list[int]]


class FittingScripts:
    """Scripts by number, and those of them that may be chosen for any form they fit.

    `lower|*` and `keep|*` are among the scripts of every lemmatizer, so that something fits every form.
    """

    def __init__(self, scripts: Sequence[str], chosen: Iterable[int]) -> None:
        self.scripts = scripts
        self.anything: list[int] = []
        self.folded = _Ends(scripts)
        """Scripts that change the form in lower case."""
        self.written = _Ends(scripts)
        """Scripts that change the form as it is written."""
        for number in chosen:
            script = scripts[number]
            if script == UNSAID:
                self.anything.append(number)
            else:
                (self.written if script.startswith("keep|") else self.folded).add(number)

    def fitting(self, form: str) -> tuple[int, ...]:
        """The scripts that fit a form, ascending; of several that change nothing but case and agree, only one.

        A form of lower case is never kept as it is, since that is what lower case makes of it.
        """
        lower = form.lower()
        found = [*self.anything, *self.folded.matching(lower, form)]
        if lower != form:
            found += self.written.matching(form, form)
        if form == capitalised(lower) or len(form) == 1:
            found = [number for number in found if not _is_idle(self.scripts[number], form, lower)]
        elif form == form.upper():
            found = [number for number in found if self.scripts[number] != "upper|*"]
        return tuple(sorted(found))


def _is_idle(script: str, form: str, lower: str) -> bool:
    """Whether a script would do to a capitalised form what `keep` does."""
    if len(form) == 1 and script == "upper|*":
        return True
    return script == "capitalise|*" and form != lower


class _Ends:
    """Scripts by the characters that a form must end with or begin with."""

    def __init__(self, scripts: Sequence[str]) -> None:
        self.scripts = scripts
        self.always: list[int] = []
        self.ends: Index = defaultdict(list)
        self.begins: Index = defaultdict(list)
        self.longest_end = self.longest_begin = 0
        self.simple: set[int] = set()
        """Those that fit wherever the end does."""

    def add(self, number: int) -> None:
        script = parsed(self.scripts[number])
        if script is None:
            return
        last = script.right[-1].old if script.right else None
        first = script.left[0].old if script.left else None
        if last:
            self.ends[last].append(number)
            self.longest_end = max(self.longest_end, len(last))
            if len(script.right) == 1 and not script.left:
                self.simple.add(number)
        elif first:
            self.begins[first].append(number)
            self.longest_begin = max(self.longest_begin, len(first))
        else:
            self.always.append(number)
            if not script.left and not script.right and not script.whole:
                self.simple.add(number)

    def matching(self, text: str, form: str) -> list[int]:
        """The scripts that fit a form, which is `text` after the first change of case."""
        size, simple = len(text), self.simple
        found = list(self.always)
        for length in range(1, min(self.longest_end, size - 1) + 1):
            if (some := self.ends.get(text[-length:])) is not None:
                found += some
        for length in range(1, min(self.longest_begin, size) + 1):
            if (some := self.begins.get(text[:length])) is not None:
                found += some
        if simple.issuperset(found):
            return found
        return [number for number in found if number in simple or applied(self.scripts[number], form) is not None]
