"""The report of a search, from journals whose every number is known."""

import json
import re
from itertools import product

import numpy as np
import pytest
from pages import Tags
from scipy.stats import spearmanr

from headway.base.errors import HeadwayError
from headway.discovery.history import Generation, History
from headway.discovery.measure import Measure
from headway.discovery.report import p_value, raced, rank_correlation, write_report
from headway.show.reports.page import duration

POS, LEX, STACK, NEXT = "XPOS(QUEUE0)", "FORM(QUEUE0)", "XPOS(STACK0)", "XPOS(QUEUE1)"


def searched(**options):
    options = {"metric": "UAS", "beam": 2, "attributes": ["XPOS", "FORM"], "pairs": False, "rate": None, **options}
    return {
        "kind": "search",
        "version": 1,
        "treebank": {"train": "a|b<c>.conllu", "sentences": 4447, "words": 68574, "test": None},
        "options": options,
        "digest": "d",
    }


def measure(generation, features, uas, las, *, stage="full", step=None, right=(), seconds=1.0):
    *parent, last = features
    return {
        "kind": "measure",
        "generation": generation,
        "stage": stage,
        "features": features,
        "parent": parent,
        "step": step or f"add {last}",
        "uas": uas,
        "las": las,
        "right": list(right),
        "seconds": seconds,
    }


def beam(number, *sets, seconds=60.0):
    return {"kind": "generation", "number": number, "beam": sets, "candidates": 9, "seconds": seconds}


def on_test(generation, features, uas, las):
    return {"kind": "test", "generation": generation, "features": features, "uas": uas, "las": las}


# The final set grows from LEX, which is only the second best of the first generation.
SEARCHED = [
    searched(),
    measure(1, [POS], 43.49, 26.45, right=[1] * 20),
    measure(1, [LEX], 42.76, 23.56, right=[1] * 20),
    beam(1, [POS], [LEX]),
    on_test(1, [POS], 45.93, 30.19),
    measure(2, [POS, STACK], 65.86, 59.67, right=[3] * 20),
    measure(2, [LEX, STACK], 74.02, 52.18, right=[4] * 20),
    measure(2, [POS, NEXT], 51.53, 30.43),
    beam(2, [LEX, STACK], [POS, STACK], seconds=3700.0),
    on_test(2, [LEX, STACK], 71.60, 58.37),
]


@pytest.fixture
def written(tmp_path):
    """The Markdown and the HTML of the report of these records."""

    def write(records, cut=b""):
        (tmp_path / "journal.jsonl").write_bytes(b"".join(json.dumps(one).encode() + b"\n" for one in records) + cut)
        write_report(tmp_path)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["journal.jsonl", "report.html", "report.md"]
        html = (tmp_path / "report.html").read_text("utf-8")
        Tags(html)
        return (tmp_path / "report.md").read_text("utf-8"), html

    return write


def rows(markdown, heading):
    """The cells of the first table after a heading."""
    lines = markdown[markdown.index(heading) :].splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("|"))
    cells = []
    for line in lines[first:]:
        if not line.startswith("|"):
            break
        cells.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return [cells[0], *cells[2:]]


def test_the_best_set_of_each_generation_is_as_in_the_papers_table_6(written):
    markdown, html = written([*SEARCHED, {"kind": "end", "why": "generation 2 was reached", "best": [LEX, STACK]}])
    head, first, second = rows(markdown, "## Best set of each generation")
    assert head[3:] == ["dev UAS", "dev LAS", "test UAS", "test LAS", "p"]
    assert first == ["1", "XPOS(QUEUE0)", "FORM(QUEUE0)", "43.49", "26.45", "45.93", "30.19", ""]
    assert second[:-1] == [
        "2",
        "XPOS(STACK0)",
        "XPOS(STACK0)",
        *(f"**{s}**" for s in ("74.02", "52.18", "71.60", "58.37")),
    ]
    assert float(second[-1]) < 0.001
    assert "The search has ended: generation 2 was reached." in markdown
    best = "Best set: ⟨FORM(QUEUE0), XPOS(STACK0)⟩: UAS 74.02, LAS 52.18 on the development set"
    assert f"{best}, UAS 71.60, LAS 58.37 on the test set." in markdown
    assert "<td><b>74.02</b></td>" in html and "**" not in html
    assert html.count("<polyline") == 4 and "test LAS: 58.37 %" in html


def test_rankings_are_as_in_the_papers_tables_4_and_5(written):
    many = [measure(3, [LEX, STACK, f"DEP(STACK{at})"], 50.0 + at, 40.0) for at in range(14)]
    looked = measure(3, [LEX, STACK, NEXT], 99.0, 99.0, stage="look")
    markdown, _ = written([*SEARCHED, looked, *many])
    assert rows(markdown, "### Successors of ∅")[1:] == [
        ["**XPOS(QUEUE0)**", "**43.49**", "**26.45**", "**45.93**", "**30.19**", "full"],
        ["**FORM(QUEUE0)**", "**42.76**", "**23.56**", "", "", "full"],
    ]
    assert rows(markdown, "### Successors of ⟨XPOS(QUEUE0)⟩")[1:] == [
        ["None", "43.49", "26.45", "45.93", "30.19", "full"],
        ["**XPOS(STACK0)**", "**65.86**", "**59.67**", "", "", "full"],
        ["XPOS(QUEUE1)", "51.53", "30.43", "", "", "full"],
    ]
    assert markdown.index("Successors of ⟨XPOS(QUEUE0)⟩") < markdown.index("Successors of ⟨FORM(QUEUE0)⟩")
    later = rows(markdown, "### Successors of ⟨FORM(QUEUE0), XPOS(STACK0)⟩, the best 10 of 15")
    assert [row[0] for row in later[1:]] == ["None", *(f"DEP(STACK{at})" for at in range(13, 3, -1))]
    assert "## Generation 3, under way" in markdown
    few, _ = written([searched(), measure(1, [POS], 1.0, 2.0), measure(1, [LEX], 9.0, 9.0, stage="look")])
    assert [row[0] for row in rows(few, "### Successors of ∅")] == ["successor", "XPOS(QUEUE0)", "FORM(QUEUE0)"]
    assert [row[-1] for row in rows(few, "### Successors of ∅")] == ["measure", "full", "look"]


def test_steps_that_drop_and_join_are_named_and_followed_back(written):
    joined, dropped = [POS, LEX, f"{POS} & {STACK}"], [LEX, f"{POS} & {STACK}"]
    history = [
        searched(start=[POS, LEX]),
        measure(0, [POS, LEX], 50.0, 40.0, step="start") | {"parent": []},
        beam(0, [POS, LEX]),
        measure(1, joined, 60.0, 50.0, step=f"join {POS} & {STACK}"),
        beam(1, joined),
        measure(2, dropped, 59.0, 49.0, step=f"drop {POS}") | {"parent": joined},
        beam(2, dropped),
    ]
    table = rows(written(history)[0], "## Best set of each generation")
    assert [row[1] for row in table[1:]] == ["start", "join XPOS(QUEUE0) & XPOS(STACK0)", "drop XPOS(QUEUE0)"]
    assert [row[2] for row in table[1:]] == ["start", "join XPOS(QUEUE0) & XPOS(STACK0)", ""]
    ended = [*history, {"kind": "end", "why": "so", "best": dropped}]
    assert [row[2] for row in rows(written(ended)[0], "## Best set of")[1:]] == [row[1] for row in table[1:]]


def test_a_growing_journal_has_a_report_at_every_record(written):
    for length in range(len(SEARCHED) + 1):
        markdown, _ = written(SEARCHED[:length], cut=b'{"kind": "measure", "gener')
        assert "The search has ended" not in markdown
    assert "under way in generation 2; 3 sets of it measured" in markdown
    assert written(SEARCHED[:1])[0].count("nothing is measured yet") == 1


def test_settings_and_times_are_readable(written):
    markdown, html = written([*SEARCHED, measure(3, [LEX, STACK, POS], 1, 1, seconds=100.0)])
    settings = dict(rows(markdown, "### The search")[1:])
    assert settings["train"] == r"a\|b<c>.conllu" and "a|b&lt;c&gt;.conllu" in html
    assert settings["attributes"] == "XPOS, FORM" and settings["pairs"] == "no" and settings["words"] == "68,574"
    assert "test" not in settings and "rate" not in settings
    times = rows(markdown, "## Time")[1:]
    assert times[0] == ["1", "2", "0", "2", "1 min 0 s", "2.0 s"]
    assert [row[4] for row in times] == ["1 min 0 s", "1 h 1 min", "under way"]
    assert "took 1 h 2 min in all" in markdown
    assert [duration(seconds) for seconds in (0.84, 59.9, 723, 7500)] == ["0.8 s", "59.9 s", "12 min 3 s", "2 h 5 min"]


def measure_with(right):
    return Measure.of({"generation": 1, "stage": "full", "features": [POS], "uas": 0, "las": 0, "right": right})


def test_the_p_value_is_that_of_all_ways_to_swap_sentences():
    random = np.random.default_rng(3)
    for _ in range(5):
        first, second = random.integers(0, 9, (2, 9))
        observed = abs((second - first).sum())
        signs = np.array([*product((1, -1), repeat=9)])
        exact = float((abs(signs @ (second - first)) >= observed).mean())
        one, other = map(measure_with, (first.tolist(), second.tolist()))
        assert float(p_value(one, other)) == pytest.approx(exact, abs=0.02)
        assert p_value(one, one) == "1.000" and p_value(None, one) == ""
    short = measure_with([1])
    assert p_value(short, one) == ""


def test_rank_correlation_is_that_of_scipy():
    random = np.random.default_rng(5)
    for size in (3, 10, 100):
        first, second = random.integers(0, 9, size).tolist(), random.integers(0, 9, size).tolist()
        first[:2], second[:2] = [0, 9], [9, 0]
        assert rank_correlation(first, second) == pytest.approx(spearmanr(first, second).statistic)
    assert rank_correlation([1, 2], [1, 2]) is None
    assert rank_correlation([1, 1, 1], [1, 2, 3]) is None


def raced_generation(seed, size=40, width=3):
    """Candidates whose looks foretell their scores more or less."""
    random = np.random.default_rng(seed)
    full = random.permutation(size) / 4 + 50
    looks = full - 20 + random.normal(0, 3, size).round(1)
    names = [[f"DEP(STACK{at})"] for at in range(size)]
    order = sorted(range(size), key=lambda at: -full[at])
    return [
        *(measure(1, names[at], looks[at], 1.0, stage="look", seconds=0.1) for at in range(size)),
        *(measure(1, names[at], full[at], 1.0) for at in range(size)),
        beam(1, *(names[at] for at in order[:width])),
    ]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("keep", [3, 6, 20, 40])
def test_the_check_of_racing_finds_what_is_lost(seed, keep):
    records = raced_generation(seed)
    generation = History([searched(), *records]).generations[1]
    looks = {one["features"][0]: one["uas"] for one in records[:40]}
    full = {one["features"][0]: one["uas"] for one in records[40:80]}
    kept = sorted(looks, key=lambda name: (-looks[name], name))[:keep]
    best, left = sorted(full, key=full.get)[::-1], sorted(kept, key=full.get)[::-1]
    best_changed, beam_changed, loss, saved = raced(generation, "UAS", keep)
    assert best_changed == (best[0] != left[0])
    assert beam_changed == (best[:3] != left[:3])
    assert loss == pytest.approx(full[best[0]] - full[left[0]])
    assert saved == pytest.approx((40 - keep) - 4.0)


def test_racing_is_reported_where_it_was_run_and_checked_where_all_was_measured(written):
    records = raced_generation(1)
    markdown, _ = written([searched(keep=0.1, least=5), *records])
    (row,) = rows(markdown, "### Racing")[1:]
    looks, full = ([one["uas"] for one in part] for part in (records[:40], records[40:80]))
    assert row == ["1", "40", "40", f"{spearmanr(looks, full).statistic:.2f}"]
    check = rows(markdown, "### Check of racing (UAS)")[1:]
    assert [row[0] for row in check] == ["10 %, at least 5 (as set)", "5 %", "10 %", "20 %", "30 %", "50 %"]
    assert check[-1][-1] == "40 %"  # 20 of 40 full measures less, 40 looks of a tenth more
    best_changed, beam_changed, loss, _ = raced(History([searched(), *records]).generations[1], "UAS", 5)
    assert check[0][1:4] == [
        f"{int(best_changed)} of 1",
        f"{int(beam_changed)} of 1",
        f"{loss:.2f}",
    ]
    only_some, _ = written([searched(), *records[:60], beam(1, records[40]["features"])])
    assert "### Racing" in only_some and "Check of racing" not in only_some
    assert "## Racing" not in written(SEARCHED)[0]


def test_ties_are_ranked_as_the_search_ranks_them():
    sets = [STACK], [POS], [POS, LEX]
    records = [measure(1, features, 50.0, 1.0) for features in sets]
    generation = History([searched(), *records]).generations[1]
    assert isinstance(generation, Generation)
    assert [one.features for one in generation.ranked("UAS")] == [(POS,), (STACK,), (POS, LEX)]


def test_a_folder_without_a_journal_is_a_sentence(tmp_path):
    with pytest.raises(HeadwayError, match=r"there is no journal\.jsonl in it; give the folder of a search, FEATURES"):
        write_report(tmp_path)
    assert list(tmp_path.iterdir()) == []
