"""Trees under logits with states, by definition: random logits, and the score of a tree link by link."""

from dataclasses import dataclass

import numpy as np

from headway.parsers.boosted.decoder import LEFT, NONE, RIGHT, Logits


@dataclass
class Problem:
    """The logits of one sentence, as `Logits` has them."""

    n: int
    static: np.ndarray
    rows: np.ndarray | None = None
    tags: np.ndarray | None = None
    states: np.ndarray | None = None
    first_rows: np.ndarray | None = None
    values: np.ndarray | None = None
    first: np.ndarray | None = None

    def logits(self):
        return batch([self])


def batch(problems):
    """The logits of several sentences that share their tables."""
    flat = {
        name: None if getattr(problems[0], name) is None else np.concatenate([getattr(p, name) for p in problems])
        for name in ("static", "rows", "tags", "first_rows", "values")
    }
    offsets = np.cumsum([0, *(p.n for p in problems)]).astype(np.int32)
    return Logits(offsets=offsets, states=problems[0].states, first=problems[0].first, **flat)


def values_of(rng, shape, kind):
    """Logits: any numbers; few different ones; with some classes forbidden."""
    if "ties" in kind:
        values = rng.integers(0, 3, shape) * 1.0
    else:
        values = rng.standard_normal(shape) * (30 if kind == "extreme" else 2)
    if "forbidden" in kind:
        values[rng.random(shape) < 0.1] = -np.inf
    if kind == "huge":
        values *= 1e4
    return values


KINDS = ("random", "ties", "forbidden", "forbidden ties", "extreme", "huge")
TABLES = ("static", "states", "first", "both")


def problem(rng, n, kind="random", tables="both", *, counts=3, tags=3, share=0.4, own_rows=True):
    """Random logits of a sentence; NaN wherever a decoder has no business to look."""
    nodes = n + 1
    static = np.full((nodes, nodes, 3), np.nan)
    for i in range(nodes):
        static[i, i + 1 :] = values_of(rng, (n - i, 3), kind)
    made = Problem(n, static.reshape(-1, 3))
    if tables in ("states", "both"):
        rows = nodes**2 if own_rows else 4
        made.rows = (np.arange(rows) if own_rows else rng.integers(-1, rows, nodes**2)).astype(np.int32)
        made.tags = rng.integers(1, tags + 1, n).astype(np.int32)
        made.states = values_of(rng, (rows, counts, tags + 1, 3), kind)
    if tables in ("first", "both"):
        shows = rng.random(nodes) < share
        made.first_rows = np.where(shows[None], np.arange(nodes**2).reshape(nodes, nodes), -1).ravel().astype(np.int32)
        made.values = rng.permutation(n).astype(np.int32) + 1
        made.first = values_of(rng, (nodes**2, n + 1, 3), kind)
    return made


def log_softmax(logits):
    highest = logits.max()
    if highest == -np.inf:
        return np.full(3, -np.inf)
    with np.errstate(divide="ignore"):
        return logits - highest - np.log(np.exp(logits - highest).sum())


def in_between(heads, word, other):
    """The children of a word between it and another, from its nearest on."""
    side = range(word + 1, other) if word < other else range(word - 1, other, -1)
    return [child for child in side if heads[child - 1] == word]


def first_child(heads, word, other):
    """Of the right one of two words the nearest child on its right; or else the nearest in between; or 0."""
    right = [child for child in range(word + 1, len(heads) + 1) if heads[child - 1] == word]
    if word > other and right:
        return right[0]
    return next(iter(in_between(heads, word, other)), 0)


def seen_of(problem, heads, word, other):
    """The logits of what a link between two words sees of the first of them."""
    nodes, logits = problem.n + 1, np.zeros(3)
    if problem.rows is not None and problem.rows[word * nodes + other] >= 0:
        table, children = problem.states[problem.rows[word * nodes + other]], in_between(heads, word, other)
        tag = problem.tags[children[-1] - 1] if children else 0
        logits = logits + table[min(len(children), len(table) - 1), tag]
    if word and problem.first_rows is not None and problem.first_rows[other * nodes + word] >= 0:
        first = first_child(heads, word, other)
        value = problem.values[first - 1] if first else 0
        logits = logits + problem.first[problem.first_rows[other * nodes + word], value]
    return logits


def link_total(problem, heads, *, none=False):
    """The score of a tree."""
    total, nodes = 0.0, problem.n + 1
    for child, head in enumerate(heads, 1):
        static = problem.static[min(head, child) * nodes + max(head, child)]
        logits = static + seen_of(problem, heads, head, child) + seen_of(problem, heads, child, head)
        total += log_softmax(logits)[RIGHT if head < child else LEFT]
        if none:
            total -= log_softmax(static)[NONE]
    return total
