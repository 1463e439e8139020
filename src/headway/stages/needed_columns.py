"""The columns that a model looks at: what its treebank had in them, and what an input lacks of it.

A model keeps no text, so tags are remembered by their keys.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, shown
from headway.data.batch import Batch
from headway.features.encode import KeyColumn, encode
from headway.kernels.text.encode import key_of

logger = logging.getLogger("headway")
ABOUT = "columns"
"""Where a stage says what it has seen, in `about`."""
TAGS = ("UPOS", "XPOS")
CHECKED = ("LEMMA", *TAGS, "FEATS", "MISC")
EMPTY = frozenset((key_of(b"_"), key_of(b"")))
CHANCE = 0.01
"""A column is missed where so few inputs of this length would have nothing in it by chance."""
MOST = 0.5
"""It is worth a note where less than this share of the words has a known tag."""
Seen = Mapping[str, Mapping[str, Any]]
Records = Mapping[str, tuple[float, frozenset[int]]]
"""Of columns that are looked at what was seen in them: the share of words, and keys of tags."""


def seen_in(batches: Sequence[Batch], needs: Iterable[str]) -> dict[str, dict[str, Any]]:
    """For each column the share of words that have something in it, and the keys of its tags."""
    found: dict[str, dict[str, Any]] = {}
    words = max(1, sum(len(batch.word_line) for batch in batches))
    for name in (name for name in CHECKED if name in needs):
        columns = [_keys(batch, name) for batch in batches]
        filled = [keys[~np.isin(keys, [*EMPTY])] for keys in columns]
        found[name] = {"filled": round(sum(map(len, filled)) / words, 4)}
        if name in TAGS:
            tags = np.unique(np.concatenate([np.empty(0, np.uint64), *map(np.unique, filled)]))
            found[name]["tags"] = [f"{key:016x}" for key in tags.tolist()]
    return found


def check_input(batch: Batch, records: Records, *, force: bool = False, quiet: bool = False) -> None:
    """Say which columns a batch lacks.

    Where no word has a tag that was seen in training, the batch is refused however few words it has, unless `force`
    says so. Models from before there was such a record refuse nothing, and nobody misses a column that the treebank
    had empty as often. `quiet` leaves out what is no refusal.
    """
    words = len(batch.word_line)
    empty: list[str] = []
    known: dict[str, float] = {}
    for name, (filled, tags) in records.items() if words else ():
        keys = _keys(batch, name).tolist()
        if EMPTY.issuperset(keys):
            if (1 - filled) ** words >= CHANCE:
                continue
            empty.append(name)
        if tags:
            known[name] = sum(map(tags.__contains__, keys)) / words
    if known and not any(known.values()) and not force:
        given = (tag for name in known for tag in batch.column(name) if tag not in ("_", ""))
        first = next((f"the first is {shown(tag)}" for tag in given), "there are none at all")
        raise HeadwayError(
            f"{batch.source}: no word has a tag that the model was trained on ({' or '.join(known)}; {first}), so its"
            " trees would be little better than chance; tag the words first, or parse them all the same with --force"
            " (in Python force=True)"
        )
    if quiet:
        return
    if empty:
        which, them = (empty[0], "it") if len(empty) == 1 else (f"{', '.join(empty[:-1])} and {empty[-1]}", "them")
        verb = "is" if len(empty) == 1 else "are"
        missing = "not there" if all(batch.format.index(name) < 0 for name in empty) else "empty"
        logger.warning(
            f"{batch.source}: {which} {verb} {missing}, and the model looks at {them}; expect many more mistakes, or"
            f" fill {them} first"
        )
    for name, share in known.items():
        if name not in empty and share < MOST:
            logger.warning(
                f"{batch.source}: the model knows the {name} of only {100 * share:.0f} % of the words; expect many more"
                " mistakes, or use the tags of the treebank it was trained on"
            )


def records_of(seen: Seen, needs: Collection[str]) -> Records:
    """What was seen in the columns that are looked at. A record that makes no sense is none."""
    return {name: record_of(seen, name) for name in CHECKED if name in needs}


def record_of(seen: Seen, name: str) -> tuple[float, frozenset[int]]:
    """The same of one column."""
    try:
        found = seen.get(name, {})
        return float(found.get("filled", 1.0)), frozenset(int(key, 16) for key in found.get("tags", ()))
    except (AttributeError, TypeError, ValueError):
        return 1.0, frozenset()


def _keys(batch: Batch, name: str) -> NDArray[np.uint64]:
    return encode([KeyColumn(name)], False, batch).keys[:, 0]
