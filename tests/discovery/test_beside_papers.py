"""Where in the beam sets come from, rankings beside a paper's, several searches beside each other."""

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import pytest

from headway.data.sample import generate
from headway.discovery.discover import discovery_from
from headway.discovery.history import History, beams_needed, best_within, successors_of
from headway.discovery.report import beam_table
from headway.discovery.search import SEARCH
from headway.lab.reports.search_tables import agreement_table, entries_beside, ranking_beside, taken_table
from headway.runs.engines import engine_from
from headway.runs.journal import JOURNAL, records

POS, LEX, STACK, NEXT = "XPOS(QUEUE0)", "FORM(QUEUE0)", "XPOS(STACK0)", "XPOS(QUEUE1)"


def measure(generation, features, uas, places, parent=None, stage="full"):
    return {
        "kind": "measure",
        "generation": generation,
        "stage": stage,
        "features": features,
        "parent": features[:-1] if parent is None else parent,
        "places": places,
        "step": f"add {features[-1]}",
        "uas": uas,
        "las": uas - 10,
        "right": [],
        "seconds": float(generation),
    }


def beam(number, *sets):
    return {"kind": "generation", "number": number, "beam": sets, "candidates": 9, "seconds": 1.0}


RECORDS = [
    {"kind": "search", "options": {"metric": "UAS", "beam": 3}},
    measure(1, [POS], 50.0, [1]),
    measure(1, [LEX], 40.0, [1]),
    beam(1, [POS], [LEX]),
    measure(2, [LEX, STACK], 70.0, [2]),
    measure(2, [POS, STACK], 60.0, [1]),
    measure(2, [POS, LEX], 55.0, [1, 2]),
    beam(2, [LEX, STACK], [POS, STACK], [POS, LEX]),
    measure(3, [LEX, STACK, NEXT], 80.0, [1]),
    measure(3, [POS, LEX, STACK], 79.0, [1, 2, 3], parent=[LEX, STACK]),
    measure(3, [POS, LEX, NEXT], 78.0, [3]),
    beam(3, [LEX, STACK, NEXT], [POS, LEX, STACK], [POS, LEX, NEXT]),
]


def test_the_beam_that_a_set_needs():
    history = History(RECORDS)
    assert beams_needed(history) == {
        (POS,): 1,
        (LEX,): 1,
        (LEX, STACK): 2,
        (POS, STACK): 1,
        (POS, LEX): 1,
        (LEX, STACK, NEXT): 2,
        (POS, LEX, STACK): 2,  # by way of POS, STACK, second; both ways to LEX, STACK need the second place
        (POS, LEX, NEXT): 3,
    }
    assert best_within(history, history.generations[2], 1).features == (POS, STACK)
    assert best_within(history, history.generations[3], 2).features == (LEX, STACK, NEXT)
    assert best_within(history, history.generations[3], 1) is None
    assert beam_table(history).rows == [("2", "2", "2", "10.00"), ("3", "1", "2", "")]


def test_a_journal_without_places_has_the_parent():
    old = [{name: value for name, value in record.items() if name != "places"} for record in RECORDS]
    assert beams_needed(History(old))[LEX, STACK, NEXT] == 2
    assert beams_needed(History(old))[POS, LEX, STACK] == 2


def searched(output, **options):
    how = {"learner": "perceptron", "passes": 1, "attributes": "POS,LEX", "race": False, "generations": 4}
    found = discovery_from(list(generate(80, seed=11)), output=output, **how, **options)
    with ThreadPoolExecutor(1) as threads:
        for _ in found.run(engine_from(threads, 1)):
            pass
    return found


@pytest.mark.parametrize("width", [1, 2, 3])
def test_a_narrow_beam_finds_what_needs_no_wider_one(width, tmp_path):
    """A search with a narrow beam, against what the journal of a wide one says of it."""
    wide, narrow = (searched(tmp_path / str(beam), beam=beam) for beam in (6, width))
    history = History(records(wide.folder / JOURNAL, SEARCH))
    for number, generation in enumerate(narrow.history, 1):
        best = best_within(history, history.generations[number], width)
        found = generation.beam[0]
        assert (best.scores["UAS"], best.scores["LAS"]) == (found.scores["UAS"], found.scores["LAS"])
        assert {*best.features} == {*map(str, found.candidate.features)}


def test_successors_of_a_set_by_either_parent():
    history = History([*RECORDS, measure(2, [POS, NEXT], 99.0, [1], stage="look")])
    assert [(name, one.scores["UAS"]) for name, one in successors_of(history, [POS]).items()] == [
        (STACK, 60.0),
        (LEX, 55.0),
        (NEXT, 99.0),
    ]
    assert list(successors_of(history, [LEX])) == [STACK, POS]
    assert list(successors_of(history, [STACK, POS])) == [LEX]


def test_our_ranks_beside_the_papers():
    history = History([*RECORDS, measure(2, [POS, NEXT], 52.0, [1], stage="look")])
    figures = {STACK: (74.02, 59.67), "DEP(STACK0)": (48.68, 29.34), NEXT: (51.53, 30.43), LEX: (49.37, 32.27)}
    found = ranking_beside(history, "Table 4", [POS], ("UAS", "LAS"), figures)
    assert found.rows == [
        (STACK, "1", "1", "60.00", "50.00", "74.02", "59.67"),
        ("DEP(STACK0)", "2", "–", "–", "–", "48.68", "29.34"),
        (f"{NEXT} (a short look)", "3", "3", "52.00", "42.00", "51.53", "30.43"),
        (LEX, "4", "2", "55.00", "45.00", "49.37", "32.27"),
    ]
    assert found.notes[0].startswith("Rank correlation 0.50 (Spearman's) over 3 features; of the paper's first 4, 3 ")
    shorter = ranking_beside(history, "Table 5", [POS], ("UAS",), {NEXT: (51.53,), STACK: (50.0,)})
    assert [row[0] for row in shorter.rows] == [f"{NEXT} (a short look)", STACK, LEX]


def test_generations_in_which_features_entered():
    found = entries_beside(History(RECORDS), "Table 6", {1: POS, 2: STACK, 3: LEX, 4: NEXT})
    assert found.rows == [(POS, "1", "–"), (STACK, "2", "2"), (LEX, "3", "1"), (NEXT, "4", "3")]
    assert found.notes == ["Of the 3 features that the paper's set takes in 3 generations, ours has 2."]


def test_searches_beside_each_other():
    other = [{**one, "uas": one["uas"] - 1, "seconds": 5.0} if one["kind"] == "measure" else one for one in RECORDS]
    searches = {"one": History(RECORDS), "other": History(other), "short": History(RECORDS[:8])}
    taken = taken_table(searches)
    assert taken.header[1:3] == ("one: feature", "one: best UAS")
    assert taken.rows[0] == ("1", LEX, "50.00", LEX, "49.00", LEX, "50.00")
    assert taken.rows[2] == ("3", NEXT, "80.00", NEXT, "79.00", "–", "–")
    agreed = agreement_table(searches)
    assert [row[0] for row in agreed.rows] == [f"{a}, {b}" for a, b in combinations(searches, 2)]
    assert agreed.rows[0][1:] == ("8", "1.00", "3 of 3", "17.0 s", "40.0 s")
    assert agreed.rows[1][1:4] == ("5", "1.00", "2 of 3 and 2")
