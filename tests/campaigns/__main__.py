"""The command line of the campaigns."""

import argparse
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from campaigns.registry import CAMPAIGNS
from campaigns.running import run


def main() -> int:
    """Run campaigns; 1 where there is a finding."""
    parser = argparse.ArgumentParser(prog="python tests/campaigns", description=sys.modules["campaigns"].__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(CAMPAIGNS)}; all by default")
    parser.add_argument("--cases", type=int, help="how many cases; by default the full size of each campaign")
    parser.add_argument("--share", type=float, default=1.0, help="a share of the full size, such as 0.1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="how many children at once")
    parser.add_argument("--case", type=int, help="try this case alone")
    given = parser.parse_args()
    if unknown := set(given.names) - set(CAMPAIGNS):
        parser.error(f"no campaign {', '.join(unknown)}; known are: {', '.join(CAMPAIGNS)}")
    findings = 0
    for name in given.names or CAMPAIGNS:
        cases = range(given.cases or math.ceil(CAMPAIGNS[name].cases * given.share))
        cases = cases if given.case is None else range(given.case, given.case + 1)
        told = run(name, cases, seed=given.seed, jobs=given.jobs, say=lambda line: print(line, flush=True))
        print(told, flush=True)
        findings += len(told.findings)
    return int(findings > 0)


sys.exit(main())
