"""Take the results of journals over to this tree, after a change that keeps every output.

    python benchmarks/carry_over.py OLD_TREE                               # runs benchmarks/digests on both: minutes
    python benchmarks/carry_over.py OLD_TREE --before FILE… --after FILE…  # what it wrote there and here

A result that the code of OLD_TREE made gets the digests of this tree's code, so that it is not stale, and keeps those
of the code that measured it (`measured_by`): its times and memory are of then, and the page says so. What older code
made stays as it is, and so do results of pipelines and taggers, which no digest compares. Nothing is written unless
every case of `benchmarks/digests` that the old tree can run gives the same digests in both; results of searches need
cases of `headway discover` among them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headway.base.files import replacing
from headway.lab.code import NOT_INSTALLED, changed
from headway.lab.results import MEASURED_BY

HERE = Path(__file__).parents[1]
DIGESTS = HERE / "benchmarks" / "digests"
SEARCH = "search"
DISCOVER = "discover "
"""How the names of cases begin that are searches."""
CODES = """
import json, sys
import headway
from headway.base.errors import HeadwayError
from headway.lab.code import code_of, code_of_search

def code(kind, options):
    try:
        return dict(code_of_search(options) if kind == "search" else code_of(options))
    except HeadwayError:
        return None

json.dump([headway.__file__, [code(*asked) for asked in json.load(sys.stdin)]], sys.stdout)
"""
"""Run in a tree: the code behind trainings and searches; none for options that the tree does not know."""
NOT_COMPARED = ("pipeline", "stages")
"""Options of trainings that no digest compares: those with stages before the parser."""
Asked = tuple[str, Any]
"""A training or a search, and its options."""


def digests(tree: Path, files: Sequence[Path]) -> dict[str, str]:
    """What `benchmarks/digests` gives for each case in a tree, from files or anew."""
    if files:
        text = "".join(file.read_text("utf-8") for file in files)
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "digests.txt")
            subprocess.run([sys.executable, DIGESTS, path], env=_environment(tree), check=True)
            text = path.read_text("utf-8")
    found = dict(line.split("\t", 1) for line in text.splitlines())
    if not found:
        sys.exit(f"{tree}: no digests; make them with PYTHONPATH={tree}/src python benchmarks/digests FILE")
    return found


def compare(before: dict[str, str], after: dict[str, str]) -> None:
    """Refuse a change that changes an output."""
    different = [name for name, found in before.items() if name in after and after[name] != found]
    missing = [name for name in before if name not in after]
    if different or missing:
        first = (different or missing)[0]
        sys.exit(
            f"{len(different)} of {len(before)} digests differ, {len(missing)} were not tried in this tree, such "
            f"as: {first}; nothing was written, run the recipes again with --stale"
        )


def asked_of(record: dict[str, Any]) -> Asked | None:
    """What was asked for in a record that knows its code, where digests tell whether its result is still the same."""
    if not record.get("code"):
        return None
    if record["kind"] == SEARCH:
        return (SEARCH, record["asked"][0]) if "asked" in record else None
    return None if any(record["options"].get(name) for name in NOT_COMPARED) else ("task", record["options"])


def codes(tree: Path, asked: Sequence[Asked]) -> list[dict[str, str] | None]:
    """The code behind each training and search, in a tree."""
    done = subprocess.run(
        [sys.executable, "-c", CODES],
        env=_environment(tree),
        input=json.dumps(asked),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    imported, found = json.loads(done.stdout)
    if not Path(imported).resolve().is_relative_to(tree.resolve()):
        sys.exit(f"{tree}: Python imports {imported} instead of what is there; give a tree with src/headway")
    return list(found)


def carried(line: str, record: dict[str, Any], old: dict[str, str] | None, new: dict[str, str] | None) -> str:
    """A line of a journal, with the new code where the old code made it."""
    if old is None or new is None or changed(record["code"], old):
        return line
    now = {
        kind: record["code"].get(kind, digest) if digest == NOT_INSTALLED else digest for kind, digest in new.items()
    }
    if now == record["code"]:
        return line
    before, after = (json.dumps(code, separators=(",", ":")) for code in (record["code"], now))
    if line.count(f'"code":{before}') != 1:
        sys.exit(f"no place for the code of {line[:100]}…; nothing was written")
    kept = "" if MEASURED_BY in record else f',"{MEASURED_BY}":{before}'
    return line.replace(f'"code":{before}', f'"code":{after}{kept}')


def carry_over(journals: Path, old_tree: Path, searches: bool) -> tuple[int, int]:
    """Rewrite the journals in a folder; how many results were taken over, and how many know their code."""
    taken = 0
    lines = {path: path.read_text("utf-8").split("\n") for path in sorted(journals.glob("*.jsonl"))}
    changed_files: set[Path] = set()
    places: list[tuple[Path, int, dict[str, Any], Asked]] = []
    for path, some in lines.items():
        for number, line in enumerate(some):
            record = json.loads(line) if line else {}
            asked = asked_of(record)
            if asked is not None and (searches or asked[0] != SEARCH):
                places.append((path, number, record, asked))
    every = [asked for *_, asked in places]
    for (path, number, record, _), old, new in zip(places, codes(old_tree, every), codes(HERE, every), strict=True):
        line = carried(lines[path][number], record, old, new)
        if line != lines[path][number]:
            lines[path][number] = line
            changed_files.add(path)
            taken += 1
    for path in sorted(changed_files):
        with replacing(path) as stream:
            stream.write("\n".join(lines[path]).encode())
    return taken, len(places)


def _environment(tree: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(tree.resolve() / "src")}


def main() -> None:
    """Compare outputs, then rewrite the journals."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old_tree", type=Path)
    parser.add_argument("--before", type=Path, nargs="+", default=[], help="what digests.py printed in the old tree")
    parser.add_argument("--after", type=Path, nargs="+", default=[], help="what it printed in this one")
    parser.add_argument("--journals", type=Path, default=HERE / "experiments", help="folder of the journals")
    options = parser.parse_args()
    before, after = digests(options.old_tree, options.before), digests(HERE, options.after)
    compare(before, after)
    searches = any(name.startswith(DISCOVER) for name in before)
    if not searches:
        print("no case of headway discover was compared, so that results of searches stay as they are")
    taken, known = carry_over(options.journals, options.old_tree, searches)
    print(f"{taken} of {known} results that know their code have this tree's now")


if __name__ == "__main__":
    main()
