"""The tables of README.md, taken from docs/results.md: run it after `headway experiment report --page docs/results.md`.

python benchmarks/readme.py
"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TITLES = (
    "From raw text: means over the treebanks",
    "Means over the treebanks",
    "The whole of English-EWT, 12,544 sentences",
)
"""The tables of the recipes `text` and `peers` that README shows, in its order."""
TABLE = re.compile(r"^\| configuration .*\n(?:\|.*\n)+", re.MULTILINE)


def main() -> None:
    """Put the tables of the page in place of those of the README."""
    results, readme = (ROOT / "docs" / "results.md").read_text("utf-8"), ROOT / "README.md"
    tables = iter([TABLE.search(results, results.index(f"### {title}\n"))[0] for title in TITLES])
    readme.write_text(TABLE.sub(lambda _: next(tables), readme.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
