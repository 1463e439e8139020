"""What headway computes, as digests: the same before and after a change that should change nothing.

    PYTHONPATH=OLD_TREE/src python benchmarks/digests before.txt
    PYTHONPATH=src python benchmarks/digests after.txt --compare before.txt

Cases are commands that users give and calls of what `import headway` has, on small generated treebanks with fixed
seeds, so that one version of them serves two trees of headway. OUTPUT gets a line for each thing that a case leaves:
its name, a tab, and the digest of trees, of the header or the arrays of a model, of a page or of what was printed.
Times are left out. A case that the tree refuses, as it does an option that it does not know, has the reason instead.
Floating-point sums differ between machines, so both runs belong on one. It takes two minutes.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

import answers
import helps
import parsers
import searches
import text
import treebanks
from files import FILES
from workplace import IMPOSSIBLE, Workplace

import headway

KINDS = (helps, treebanks, text, answers, searches, parsers)
REPOSITORY = Path(__file__).parents[2]


def main() -> None:
    """Write a line for each thing that cases leave; with --compare, print those that differ and exit with 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path, nargs="?", help="file for the digests, outside of the repository")
    parser.add_argument("--compare", metavar="FILE", type=Path, help="an earlier output; say what differs from it")
    parser.add_argument("--only", metavar="TEXT", default="", help="run the cases with this text in their names")
    parser.add_argument("--list", action="store_true", help="print the names of all cases and run none")
    options = parser.parse_args()
    cases = {name: steps for kind in KINDS for name, steps in kind.CASES.items() if options.only in name}
    if options.list:
        print("\n".join(cases))
        return
    if options.output is None:
        parser.error("name a file for the digests")
    output = options.output.resolve()
    if output.is_relative_to(REPOSITORY):
        parser.error(f"{options.output} is in the repository; name a file outside of it")
    before = None if options.compare is None else _read(options.compare)
    print(f"digests of {Path(headway.__file__).parent}", file=sys.stderr)
    os.environ.update(COLUMNS="100", LINES="50", TERM="dumb", NO_COLOR="1")
    with output.open("w") as lines, tempfile.TemporaryDirectory() as folder:
        workplace = Workplace(Path(folder).resolve(), FILES)
        for case, steps in cases.items():
            lines.writelines(f"{line}\n" for line in workplace.lines(case, steps))
            lines.flush()
        os.chdir(REPOSITORY)
    after = _read(output)
    for name, found in after.items():
        if found.startswith(IMPOSSIBLE):
            print(f"{name}: {found}", file=sys.stderr)
    if before is not None:
        sys.exit(_compared(before, after, options.only))


def _read(path: Path) -> dict[str, str]:
    return dict(line.split("\t", 1) for line in path.read_text("utf-8").splitlines())


def _compared(before: dict[str, str], after: dict[str, str], only: str) -> int:
    """Print the names that differ or are gone; 1 where there are any. What was not possible before cannot differ."""
    known = {name: found for name, found in before.items() if only in name and not found.startswith(IMPOSSIBLE)}
    different = [name for name, found in known.items() if after.get(name) != found]
    for name in different:
        print(name if name in after else f"{name} (gone)")
    print(f"{len(different)} of {len(known)} digests differ", file=sys.stderr)
    return int(bool(different))


if __name__ == "__main__":
    main()
