"""Files that are wrong in one way each; as a program, prints the page of docs that shows what is said of them."""

import gzip
import sys
import tempfile
from pathlib import Path

from click.testing import CliRunner

GOOD = (
    "# sent_id = 1\n"
    "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
    "2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n"
    "3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n\n"
)
RANGES = GOOD.replace("1\tDogs", "1-2\tDogsbark\t_\t_\t_\t_\t_\t_\t_\t_\n1\tDogs")
BEFORE_2 = "2\tbark"
EMPTY_CELLS = "\t_" * 8


def edit(old: str, new: str, text: str = GOOD) -> bytes:
    """A good file, a file with one change, and a good one again."""
    assert old in text
    return (GOOD + text.replace(old, new, 1) + GOOD).encode()


HARMLESS = {
    "CR LF line ends": (GOOD * 3).replace("\n", "\r\n").encode(),
    "CR line ends": (GOOD * 3).replace("\n", "\r").encode(),
    "byte-order mark": b"\xef\xbb\xbf" + (GOOD * 3).encode(),
    "runs of blank lines": b"\n\n" + (GOOD + "\n\n").encode() * 3,
    "blank lines of spaces": GOOD.encode() + GOOD.replace("\n\n", "\n \n").encode() + GOOD.encode(),
    "no blank line at the end": (GOOD * 3)[:-1].encode(),
    "no line end at the end": (GOOD * 3)[:-2].encode(),
    "spaces for tabs": (GOOD * 3).replace("\t", "   ").encode(),
    "an empty cell": edit("dog\tNOUN", "\tNOUN"),
    "a line of 10 MB": edit("dog\tNOUN", "d" * 10_000_000 + "\tNOUN"),
}
HARMFUL = {
    "too few columns": edit("\t_\t_\n3", "\t_\n3"),
    "too many columns": edit("\t_\t_\n3", "\t_\t_\t_\n3"),
    "no tabs in a line": edit("1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_", "Dogs bark"),
    "a line of 10 MB without columns": edit("1\tDogs", "x" * 10_000_000),
    "a word without a form": edit("2\tbark\t", "2\t\t"),
    "a form of spaces": edit("2\tbark\t", "2\t  \t"),
    "head not a number": edit("_\t2\tnsubj", "_\t2x\tnsubj"),
    "negative head": edit("_\t2\tnsubj", "_\t-2\tnsubj"),
    "huge head": edit("_\t2\tnsubj", "_\t99999999999999999999\tnsubj"),
    "head out of range": edit("_\t2\tnsubj", "_\t4\tnsubj"),
    "head missing": edit("_\t2\tnsubj", "_\t_\tnsubj"),
    "cycle": edit("_\t2\tpunct", "_\t1\tpunct", GOOD.replace("_\t2\tnsubj", "_\t3\tnsubj")),
    "word is its own head": edit("_\t2\tnsubj", "_\t1\tnsubj"),
    "no root": edit("_\t0\troot", "_\t3\troot"),
    "repeated ID": edit(BEFORE_2, "1\tbark"),
    "missing ID": edit(BEFORE_2, "3\tbark"),
    "ID not a number": edit(BEFORE_2, "two\tbark"),
    "no blank line between sentences": (GOOD[:-1] + GOOD[14:] + GOOD).encode(),
    "multiword tokens overlap": edit(BEFORE_2, f"2-3\tx{EMPTY_CELLS}\n{BEFORE_2}", RANGES),
    "multiword token too late": edit("2\tbark", f"1-2\tx{EMPTY_CELLS}\n2\tbark"),
    "multiword token ends outside": edit(BEFORE_2, f"2-9\tx{EMPTY_CELLS}\n{BEFORE_2}"),
    "empty node out of place": edit(BEFORE_2, f"2.1\tx{EMPTY_CELLS}\n{BEFORE_2}"),
    "empty node misnumbered": edit(BEFORE_2, f"1.2\tx{EMPTY_CELLS}\n{BEFORE_2}"),
    "comments without words": (GOOD + "# alone\n\n" + GOOD).encode(),
    "NUL byte": edit("dog\tNOUN", "d\0g\tNOUN"),
    "not UTF-8": GOOD.encode() + GOOD.encode().replace(b"dog", b"d\xf8g", 1) + GOOD.encode(),
}
HOPELESS = {
    "empty file": b"",
    "only blank lines": b"\n\n\n",
    "truncated gzip": gzip.compress((GOOD * 1000).encode(), mtime=0)[:-20],
    "damaged gzip": gzip.compress((GOOD * 1000).encode(), mtime=0)[:30] + b"\0" * 200,
    "binary file": bytes(range(256)) * 20,
    "UTF-16": GOOD.encode("utf-16"),
    "another kind of text": b"Dear reader,\nthis is not a treebank.\n",
}


def said(data: bytes, *options: str) -> tuple[int, str]:
    """Exit code and what `headway convert` says about a file of this content."""
    from headway.cli import run

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bad.conllu"
        path.write_bytes(data)
        result = CliRunner().invoke(run, ["convert", str(path), "-o", str(Path(folder) / "out"), *options])
        assert (Path(folder) / "out").exists() == (result.exit_code == 0)
        assert not [left for left in Path(folder).iterdir() if left.name not in ("bad.conllu", "out")]
        return result.exit_code, result.stderr.replace(f"{folder}/", "").strip()


def page() -> str:
    """The documentation page."""
    lines = [
        "# Malformed files",
        "",
        "Harmless problems are repaired, and a note says so once per file. Others stop the command with one",
        "sentence, `FILE:LINE: what; what to do`, and exit code 2, and nothing is written. With `--on-error skip`",
        "such sentences are left out instead, and a note says how many. This page is printed by",
        "`python tests/formats/bad_files.py`; a test compares.",
    ]
    for title, files in (
        ("Read, with a note", HARMLESS),
        ("An error, or left out with `--on-error skip`", HARMFUL),
        ("An error", HOPELESS),
    ):
        lines += ["", f"## {title}", "", "| the file has | exit | message |", "|---|---|---|"]
        for name, data in files.items():
            code, message = said(data)
            lines.append(f"| {name} | {code} | {message.replace('|', chr(92) + '|')} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
