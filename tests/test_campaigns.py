"""The random campaigns of `tests/campaigns`, a few cases of each; a full campaign takes minutes."""

import os
import subprocess
import sys
from pathlib import Path

CAMPAIGNS = Path(__file__).parent / "campaigns"
SHARE, SEED = 0.002, 2
"""Always the same seed, so that a failure can be repeated; another one finds more."""


def test_a_small_part_of_all_campaigns_finds_nothing():
    program = [sys.executable, str(CAMPAIGNS), "--share", str(SHARE), "--seed", str(SEED), "--jobs", "1"]
    done = subprocess.run(program, capture_output=True, text=True, timeout=600, env=os.environ, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    told = done.stdout.splitlines()
    assert len(told) == 6 and all(line.endswith(", 0 findings") for line in told)


def test_a_finding_is_said_with_the_command_that_repeats_it(tmp_path):
    """A crash, a case that hangs, an exception and what does not hold, in children that are replaced."""
    program = tmp_path / "odd.py"
    program.write_text(
        "import os, sys, time\n"
        f"sys.path.insert(0, {str(CAMPAIGNS.parent)!r})\n"
        "from campaigns import registry\nfrom campaigns.campaign import ensure\nfrom campaigns.running import run\n"
        "class Odd:\n"
        "    cases, patience = 5, 2.0\n"
        "    def prepare(self, folder, seed): self.seed = seed\n"
        "    def case(self, chance, folder, tell):\n"
        "        drawn = chance.random()\n"
        "        number = int((folder.parent / 'number').read_text()) if (folder.parent / 'number').exists() else 0\n"
        "        (folder.parent / 'number').write_text(str(number + 1))\n"
        "        tell(f'case {number}')\n"
        "        ensure(number != 1, 'it does not hold')\n"
        "        [lambda: 'good', None, os.abort, lambda: 1 / 0, lambda: time.sleep(99)][number]()\n"
        "        return 'good'\n"
        "registry.CAMPAIGNS['odd'] = Odd()\n"
        "print(run('odd', range(5), seed=3, jobs=1, say=print))\n"
    )
    said = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, timeout=60, check=False
    ).stdout
    for sentence in (
        "case 1: it does not hold\n  python tests/campaigns odd --seed 3 --case 1\n",
        "case 2: ended with SIGABRT\n",
        "case 3: ZeroDivisionError: division by zero\n",
        "case 4: did not end in 2 s\n",
        "odd: 5 cases (2 found, 1 good, 1 crashed, 1 hung) in ",
    ):
        assert sentence in said, said
