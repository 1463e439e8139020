"""The successor rules against the tables of Nilsson and Nugues (2010)."""

from itertools import product

import pytest

from headway.base.errors import HeadwayError
from headway.discovery.options import EXTENDED, FAMILIES
from headway.discovery.successors import Moves, attributes_of, in_pairs, neighbours, resolved, successors
from headway.features.language import Address, parse

TABLE_2 = {
    "STACK0": "PLD; PLD h; PLD lc; PLD rc; PLD ls; PLD rs; PLD pw; PLD fw; PLD STACK1; PL QUEUE0",
    "STACKn": "PLD; PLD h; PLD lc; PLD rc; PLD ls; PLD rs; PLD pw; PLD fw; PLD STACKn+1",
    "QUEUE0": "PL; PLD lc; PLD rc; PLD pw; PL QUEUE1; PLD STACK0",
    "QUEUEn": "PL; PL QUEUEn+1",
    "h": "PLD; PLD h; PLD ls; PLD rs; PLD pw; PLD fw",
    "lc": "PLD; PLD lc; PLD rc; PLD ls; PLD rs; PLD pw; PLD fw",
    "rc": "PLD; PLD lc; PLD rc; PLD ls; PLD rs; PLD pw; PLD fw",
    "ls": "PLD; PLD lc; PLD rc; PLD ls; PLD pw; PLD fw",
    "rs": "PLD; PLD lc; PLD rc; PLD rs; PLD pw; PLD fw",
    "pw": "PLD; PLD h; PLD lc; PLD rc; PLD ls; PLD rs; PLD pw",
    "fw": "PLD; PLD h; PLD lc; PLD rc; PLD ls; PLD rs; PLD fw",
}
"""Its columns, the node itself first; n stands for 3. The right half gives steps, to which all attributes go."""
LETTERS = {"P": "XPOS", "L": "FORM", "D": "DEP"}


def rows(category, node):
    """The features that the table's column for a category gives for a node of it."""
    for row in TABLE_2[category].split("; "):
        letters, _, where = row.partition(" ")
        is_place = where.startswith(("STACK", "QUEUE"))
        place = where.replace("n+1", "4") if is_place else f"{node} {where}".strip()
        yield from (f"{LETTERS[letter]}({place})" for letter in letters)


@pytest.mark.parametrize("category", TABLE_2)
def test_table_2(category):
    node = category.replace("n", "3") if category.isupper() or category[-1] in "0n" else f"STACK2 lc {category}"
    (feature,) = parse(f"POS({node})")
    assert {str(feature)} | {str(one) for one in successors([feature])} == set(rows(category, node))


def test_table_3():
    expected = (
        "LEX QUEUE0", "PLD QUEUE0 lc", "PLD QUEUE0 rc", "PLD QUEUE0 pw", "PL QUEUE1", "PLD STACK0",
    )  # fmt: skip
    found = {str(one) for one in successors(parse("POS(QUEUE0)"))}
    wanted = {
        f"{LETTERS[letter]}({where})"
        for letters, _, where in (row.replace("LEX", "L").partition(" ") for row in expected)
        for letter in letters
    }
    assert found == wanted
    assert len(found) == 15


def test_the_paper_counts_38_successors_of_the_first_pair():
    assert len(successors(parse("POS(QUEUE0)\nPOS(STACK0)"))) == 38


def test_the_example_below_table_2():
    nodes = [str(node) for node in neighbours(Address("STACK", 1, ("lc", "pw")))[1:]]
    assert nodes == [f"STACK1 lc pw {step}" for step in ("h", "lc", "rc", "ls", "rs", "pw")]


def test_the_empty_set_has_the_next_word():
    assert [str(one) for one in successors([])] == ["XPOS(QUEUE0)", "FORM(QUEUE0)"]


def test_no_step_leads_back():
    back = {("lc", "h"), ("rc", "h"), ("h", "lc"), ("h", "rc"), ("ls", "rs"), ("rs", "ls"), ("pw", "fw"), ("fw", "pw")}
    steps = ("h", "lc", "rc", "ls", "rs", "pw", "fw")
    for first, second in product(steps, repeat=2):
        allowed = Address("STACK", 0, (first, second)) in neighbours(Address("STACK", 0, (first,)))
        same_head = first in ("ls", "rs") and second == "h"
        assert allowed == ((first, second) not in back and not same_head)


def test_extended_attributes():
    found = {one.terms[0].attribute for one in successors(parse("POS(STACK0 lc)"), EXTENDED)}
    assert found == {"XPOS", "FORM", "DEP", "UPOS", "LEMMA", "FEATS", "SUFFIX2", "SUFFIX3"}
    assert resolved(["extended", "LOWER", "POS"])[-1] == "LOWER"
    assert attributes_of(Address("QUEUE", 2), ["XPOS", "DEP"]) == ["XPOS"]


@pytest.mark.parametrize("name", ["TAG", "DISTANCE", "FEAT", ""])
def test_unknown_attributes(name):
    with pytest.raises(HeadwayError, match=r"cannot search over .*; known are"):
        resolved([name])


def test_successors_of_arcs():
    assert [str(one) for one in successors([], ["POS"], FAMILIES["graph"])] == ["XPOS(CHILD)", "XPOS(PARENT)"]
    found = {str(one) for one in successors(parse("POS(CHILD)\nPOS(PARENT fw)"), ["POS", "DEP"], FAMILIES["graph"])}
    places = ("CHILD pw", "CHILD fw", "PARENT", "BETWEEN", "PARENT fw fw")
    assert found == {f"XPOS({place})" for place in places}


def test_moves():
    features = tuple(parse("POS(QUEUE0)\nPOS(STACK0)\nPOS(QUEUE0) & POS(STACK0)\nLEX(STACK0)"))
    moves = Moves(attributes=("POS",), moves=("join", "drop"), largest=2)
    steps = [candidate.step for candidate in moves.candidates(features)]
    assert steps == [
        "join XPOS(QUEUE0) & FORM(STACK0)",
        "join XPOS(STACK0) & FORM(STACK0)",
        *(f"drop {feature}" for feature in features),
    ]
    larger = Moves(attributes=("POS",), moves=("join",)).candidates(features)
    assert "join XPOS(QUEUE0) & XPOS(STACK0) & FORM(STACK0)" in [candidate.step for candidate in larger]
    assert Moves(attributes=("POS",), moves=("drop",)).candidates(features[:1]) == []
    assert all(candidate.parent == features for candidate in larger)


def test_unknown_moves():
    with pytest.raises(HeadwayError, match="unknown step 'swap' of a search; known are: add, drop, join"):
        Moves(attributes=("POS",), moves=("swap",))


def test_pairs():
    assert len(in_pairs(parse("POS(QUEUE0)\nPOS(STACK0)\nLEX(STACK0)"))) == 6
    assert len(in_pairs(parse("POS(QUEUE0)\nPOS(STACK0)\nPOS(QUEUE0) & POS(STACK0)"))) == 3
