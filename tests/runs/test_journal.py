"""The journal: whole lines or nothing, one writer, one search."""

import json
import signal
import subprocess
import sys

import pytest

from headway.base.errors import FormatError, HeadwayError
from headway.runs.journal import Journal, records

SEARCH = {
    "kind": "search",
    "version": 1,
    "treebank": {"train": "träd.conllu", "sentences": 90},
    "options": {"metric": "LAS", "beam": 4},
    "digest": "d1",
}
MEASURE = {"kind": "measure", "generation": 1, "features": ["XPOS(QUEUE0)"], "las": 26.45, "right": [1, 0, 3]}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.jsonl"


def test_a_search_goes_on_from_its_records(path):
    with Journal(path, "search") as journal:
        assert journal.begin(SEARCH) == []
        journal.append(MEASURE)
        assert records(path, "search") == [SEARCH, MEASURE]
    with Journal(path, "search") as journal:
        assert journal.begin(SEARCH) == [MEASURE]
        journal.append({"kind": "end"})
    assert records(path, "search") == [SEARCH, MEASURE, {"kind": "end"}]
    assert [json.loads(line) for line in path.read_text("utf-8").splitlines()] == records(path, "search")
    assert "träd" in path.read_text("utf-8")


@pytest.mark.parametrize("length", range(len(json.dumps(MEASURE, separators=(",", ":"))) + 1))
def test_a_line_that_was_cut_anywhere_is_as_if_it_had_never_been(path, length):
    with Journal(path, "search") as journal:
        journal.begin(SEARCH)
        whole = path.read_bytes()
        journal.append(MEASURE)
    line = path.read_bytes()[len(whole) :]
    assert line.endswith(b"}\n") and length < len(line)
    path.write_bytes(whole + line[:length])
    assert records(path, "search") == [SEARCH]
    with Journal(path, "search") as journal:
        assert journal.begin(SEARCH) == []
        journal.append(MEASURE)
    assert path.read_bytes() == whole + line


def test_a_last_line_that_the_machine_lost_is_left_out_and_one_before_is_refused(path):
    good = json.dumps(SEARCH).encode() + b"\n"
    path.write_bytes(good + b"\0\0\0\n")
    assert records(path, "search") == [SEARCH]
    path.write_bytes(good + b"\0\0\0\n" + good)
    with pytest.raises(FormatError, match=r"journal\.jsonl:2: expected a record of a search; name another output"):
        records(path, "search")
    with pytest.raises(FormatError, match=":2: "):
        Journal(path, "search").__enter__()
    for line in (b"7\n", b"{}\n", b'"kind"\n'):
        path.write_bytes(line + good)
        with pytest.raises(FormatError, match=":1: "):
            records(path, "search")
    assert path.read_bytes() == b'"kind"\n' + good


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"options": {"metric": "UAS", "beam": 4}}, "metric was 'LAS' and is 'UAS'"),
        ({"options": {"metric": "LAS", "beam": 8, "pairs": True}}, "beam was 4 and is 8, pairs was None and is True"),
        ({"treebank": {"train": "träd.conllu", "sentences": 91}}, "sentences was 90 and is 91"),
        ({}, "its data had other content"),
    ],
)
def test_the_journal_of_another_search_is_refused(path, other, said):
    with Journal(path, "search") as journal:
        journal.begin(SEARCH)
    before = path.read_bytes()
    with Journal(path, "search") as journal, pytest.raises(HeadwayError) as refused:
        journal.begin({**SEARCH, "digest": "d2", **other})
    remedy = "name another output, or remove this file to begin anew"
    assert str(refused.value) == f"{path}: this journal is of another search ({said}); {remedy}"
    refused = pytest.raises(HeadwayError, match="this journal is of version 1; name another")
    with Journal(path, "search") as journal, refused:
        journal.begin({**SEARCH, "version": 2})
    assert path.read_bytes() == before


def test_two_searches_do_not_write_one_journal(path):
    with Journal(path, "search") as journal:
        journal.begin(SEARCH)
        with pytest.raises(HeadwayError, match=r"journal\.jsonl: another search writes here; wait for its end"):
            Journal(path, "search").__enter__()
        journal.append(MEASURE)
    with Journal(path, "search") as journal:
        assert journal.begin(SEARCH) == [MEASURE]


WRITER = """
import sys
from headway.runs.journal import Journal
with Journal(sys.argv[1], "search") as journal:
    journal.begin({"kind": "search", "version": 1, "digest": "d1"})
    print("begun", flush=True)
    for number in range(10**9):
        journal.append({"kind": "measure", "generation": number, "right": [number] * 2000})
"""


def test_a_killed_writer_leaves_whole_records_and_no_lock(path):
    with subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE) as writer:
        assert writer.stdout.readline() == b"begun\n"
        while len(records(path, "search")) < 50:  # reading while it grows
            pass
        writer.send_signal(signal.SIGKILL)
    with Journal(path, "search") as journal:
        measures = journal.begin({"kind": "search", "version": 1, "digest": "d1"})
    assert [record["generation"] for record in measures] == list(range(len(measures)))
    assert len(measures) >= 49


def test_what_is_no_record_is_not_written(path):
    with Journal(path, "search") as journal:
        journal.begin(SEARCH)
        with pytest.raises(ValueError, match="not JSON compliant"):
            journal.append({"kind": "measure", "las": float("nan")})
    assert records(path, "search") == [SEARCH]


FULL = """
import resource, signal, sys
from headway.runs.journal import Journal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
with Journal(sys.argv[1], "search") as journal:
    for number in range(20):
        journal.append({"kind": "measure", "generation": number})
"""


def test_a_full_disk_is_a_sentence_and_what_was_written_stays(path):
    done = subprocess.run([sys.executable, "-c", FULL, path], capture_output=True, text=True, check=False)
    assert "HeadwayError" in done.stderr and "File too large; make room and run the same command again" in done.stderr
    assert [record["generation"] for record in records(path, "search")] == [0, 1]
    with Journal(path, "search") as journal:
        journal.append({"kind": "measure", "generation": 2})
    assert [record["generation"] for record in records(path, "search")] == [0, 1, 2]


def test_missing_places_are_sentences(tmp_path):
    with pytest.raises(HeadwayError, match=r"nowhere.*: No such file or directory; give the folder of a search$"):
        records(tmp_path / "nowhere" / "journal.jsonl", "search")
    with pytest.raises(HeadwayError, match=r"name a folder that can be written to$"):
        Journal(tmp_path / "nowhere" / "journal.jsonl", "search").__enter__()
    assert list(tmp_path.iterdir()) == []
