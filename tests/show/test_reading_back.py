"""Trees read back from their pictures as text."""

import re

from drawings import body, words
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from strategies import cell, trees

from headway import Sentence

MIRRORED = str.maketrans("╭╮╰╯├┤►◄▻◅", "╮╭╯╰┤├◄►◅▻")
TURNED = str.maketrans("╭╮╰╯▼▲▽△", "╰╯╭╮▲▼△▽")


def grid(lines):
    """Lines without wide characters, filled up to a rectangle."""
    width = max(map(len, lines))
    return [line.ljust(width) for line in lines]


def read_beside(rows, base):
    """The arcs in the columns up to `base`, as {dependent: (head, arrow head)}.

    Going left from a word, its line ends where it hangs on its head's, which leads up or down to the head.
    """
    found = {}
    for row, line in enumerate(rows):
        column = base
        while line[column] not in " ╭├╰●":
            column -= 1
        if line[column] == "●":
            found[row + 1] = (0, "►")
        elif line[column] != " " and line[column + 1] in "►▻":
            ways = {"╰": [-1], "╭": [1], "├": [-1, 1]}[line[column]]
            (head,) = {follow(rows, row, column, way) for way in ways} - {None}
            found[row + 1] = (head + 1, line[column + 1])
    return found


def follow(rows, row, column, way):
    """The row of the word that a vertical line belongs to, if it lies that way."""
    while True:
        row += way
        glyph, beside = rows[row][column : column + 2]
        if glyph in "┴┬┼" or (glyph in "╭╰├" and beside not in "►▻"):
            return row
        if glyph not in "│├":
            return None


def read_above(rows, middles):
    """The arcs above a last line of arrow heads, as {dependent: (head, arrow head, label)}."""
    found = {}
    for word, column in middles.items():
        if rows[-1][column] not in "▼▽":
            continue
        row = len(rows) - 2
        while rows[row][column] in "│╎":
            row -= 1
        line = rows[row]
        if line[column] in "╭╮":
            way, ends = (1, "╮┤") if line[column] == "╭" else (-1, "╭├")
            end = column + way
            while line[end] not in ends:
                end += way
            head = min(middles, key=lambda other: abs(middles[other] - end))
            label = "".join(c for c in line[min(column, end) + 1 : max(column, end)] if c not in "─╌│╎")
        else:
            head = 0
            (label,) = (m[0] for m in re.finditer(r"(✗ )?\w+", line) if m.start() <= column < m.end())
        found[word] = (head, rows[-1][column], label)
    return found


def split_across(lines):
    """The lines above the words, the lines below them turned over, and the column of each word's middle."""
    arrows = max(at for at, line in enumerate(lines) if set(line) & set("▼▽"))
    end = lines.index("") if "" in lines else len(lines)
    rows = grid(lines[:end])
    middles = dict(enumerate((at for at, glyph in enumerate(rows[arrows]) if glyph in "▼▽"), 1))
    return rows[: arrows + 1], [row.translate(TURNED) for row in rows[: arrows + 1 : -1]], middles


def is_projective_arc(heads, dependent):
    """Whether the head of a word dominates all words between the two, by going up from each of them."""
    head = heads[dependent - 1]
    for word in range(min(head, dependent) + 1, max(head, dependent)):
        while word not in (0, head):
            word = heads[word - 1]
        if word != head:
            return False
    return True


def arrow(heads, word, solid, hollow):
    return solid if is_projective_arc(heads, word) else hollow


@given(trees(max_size=14))
def test_arcs_beside_the_words_can_be_read_back(heads):
    rows = grid(body(words(heads), layout="down"))
    assert len(rows) == len(heads)
    read = read_beside(rows, rows[-1].index(str(len(heads))) - 2)
    assert read == {word: (head, arrow(heads, word, "►", "▻")) for word, head in enumerate(heads, 1)}


@given(trees(max_size=14))
def test_arcs_above_the_words_can_be_read_back(heads):
    above, below, middles = split_across(body(words(heads), layout="across"))
    assert read_above(above, middles) == {
        word: (head, arrow(heads, word, "▼", "▽"), f"r{word}") for word, head in enumerate(heads, 1)
    }
    assert below == []


@st.composite
def two_trees(draw):
    first = draw(trees(max_size=10))
    second = draw(trees(min_size=len(first), max_size=len(first)))
    labels = st.lists(st.sampled_from(["obj", "nsubj"]), min_size=len(first), max_size=len(first))
    return words(first, labels=draw(labels)), words(second, labels=draw(labels))


def parts(pair):
    """Of each of two trees the heads and the labels; and for each word whether its head or label differs."""
    (first, second), (one, other) = ((s.heads.tolist() for s in pair), (s.deprels for s in pair))
    return (
        first,
        second,
        one,
        other,
        [a != b for a, b in zip(zip(first, one, strict=True), zip(second, other, strict=True), strict=True)],
    )


@given(two_trees())
def test_two_trees_above_and_below_can_be_read_back(pair):
    above, below, middles = split_across(body(*pair, layout="across"))
    first, second, one, other, differs = parts(pair)
    marks = ["✗ " if differ else "" for differ in differs]
    assert read_above(above, middles) == {
        word: (first[word - 1], arrow(first, word, "▼", "▽"), marks[word - 1] + one[word - 1]) for word in middles
    }
    assert (read_above(below, middles) if below else {}) == {
        word: (second[word - 1], arrow(second, word, "▼", "▽"), "✗ " + other[word - 1])
        for word in middles
        if differs[word - 1]
    }


@given(two_trees())
def test_two_trees_left_and_right_can_be_read_back(pair):
    lines = body(*pair, layout="down")
    rows = grid(lines[: lines.index("")])
    first, second, one, other, differs = parts(pair)
    left = read_beside(rows, len(re.match(r"[^\d✗]*", rows[0])[0].rstrip()) - 1)
    assert left == {word: (head, arrow(first, word, "►", "▻")) for word, head in enumerate(first, 1)}
    mirrored = [row[::-1].translate(MIRRORED) for row in rows]
    right = read_beside(mirrored, min(re.search(r"\w", row).start() for row in mirrored) - 2)
    assert right == {
        word: (head, arrow(second, word, "►", "▻")) for word, head in enumerate(second, 1) if head != first[word - 1]
    }
    for row, a, b, differ in zip(rows, one, other, differs, strict=True):
        assert re.search(rf" w\d+ +{a} +✗ {b}" if differ else rf"^[^✗]+ w\d+ +{a}[^✗]*$", row)


@given(trees(max_size=6), st.data())
def test_columns_stay_straight_whatever_the_words_are(heads, data):
    forms = data.draw(st.lists(cell, min_size=len(heads), max_size=len(heads)))
    sentence = Sentence(forms=forms, heads=heads, upos=["TAG"] * len(heads), deprels=["dep"] * len(heads))
    beside = body(sentence, layout="down", width=1000)
    assert len({cell_len(line[: line.rindex(" TAG dep")]) for line in beside}) == 1
    above = body(sentence, layout="across")
    starts = [m.start() for m in re.finditer("TAG", above[-1])]
    assert starts == [at - 1 for at, glyph in enumerate(above[-3]) if glyph in "▼▽"]
    assert all(line == line.rstrip() for line in beside + above)
