"""Treebanks for the recipes: put a release of Universal Dependencies into place, and check what is there.

    python experiments/treebanks.py lay-out ud-treebanks-v2.16 treebanks    # links to the files of a release
    python experiments/treebanks.py check treebanks                         # with treebanks.toml beside this script
    python experiments/treebanks.py describe treebanks ud-english-ewt       # lines for treebanks.toml

docs/treebanks.md says where treebanks come from and how they are named.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from headway.base.errors import HeadwayError, counted
from headway.base.files import chunks
from headway.data.formats.reading import read

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MANIFEST = Path(__file__).with_suffix(".toml")
PARTS = ("train", "dev", "test")


def folder_name(release_name: str) -> str:
    """The folder of a treebank of a release: `ud-english-ewt` for `UD_English-EWT`."""
    return release_name.lower().replace("_", "-")


def lay_out(release: Path, target: Path, copies: bool) -> list[str]:
    """Put the parts of all treebanks of a release, or of one alone, into FOLDER/ud-LANGUAGE-NAME/PART.conllu.

    Returns the names of the folders that were made.
    """
    made = []
    for place in sorted(release.glob("UD_*-*")) or [release.resolve()]:
        for part in PARTS:
            for file in sorted(place.glob(f"*-ud-{part}.conllu")):
                folder = target / folder_name(place.name)
                folder.mkdir(parents=True, exist_ok=True)
                link = folder / f"{part}.conllu"
                link.unlink(missing_ok=True)
                if copies:
                    shutil.copyfile(file, link)
                else:
                    link.symlink_to(file.resolve())
                made.append(folder.name)
    if not made:
        raise HeadwayError(f"{release}: there are no folders like UD_English-EWT here; give an unpacked release")
    return sorted(set(made))


def manifest() -> dict[str, Any]:
    """What treebanks.toml says of the recipes' treebanks."""
    return tomllib.loads(MANIFEST.read_text("utf-8"))


def digest_of(path: Path) -> str:
    """The SHA-256 of a file's content, whether it is compressed or not."""
    digest = sha256()
    for chunk in chunks(path):
        digest.update(chunk)
    return digest.hexdigest()


def file_of(folder: Path, stem: str) -> Path | None:
    """The file of a part, as recipes look for it."""
    return next(iter(sorted(folder.glob(f"{stem}.conll*"))), None)


def check(target: Path) -> Iterator[tuple[str, str]]:
    """For each file that recipes read: `same`, `other content`, or `missing`."""
    for name, entry in manifest().items():
        for stem, digest in entry["sha256"].items():
            found = file_of(target / name, stem)
            verdict = "missing" if found is None else "same" if digest_of(found) == digest else "other content"
            yield f"{name}/{stem}", f"{verdict} ({entry['version']})" if verdict != "same" else verdict


def describe(target: Path, name: str) -> Iterator[str]:
    """The lines of treebanks.toml that can be told from the files."""
    files = {re.sub(r"\.conll.*", "", path.name): path for path in sorted((target / name).glob("*.conll*"))}
    sizes = {stem: [0, 0] for stem in files}
    for stem, path in files.items():
        for batch in read(path, on_error="skip").batches():
            sizes[stem][0] += len(batch)
            sizes[stem][1] += len(batch.heads)
    if not files:
        raise HeadwayError(f"{target / name}: there are no files like train.conllu here; name the folder of a treebank")
    yield f"[{name}]"
    for number, what in enumerate(("sentences", "words")):
        yield f"{what} = {{ {', '.join(f'{_key(stem)} = {size[number]}' for stem, size in sizes.items())} }}"
    yield f"[{name}.sha256]"
    yield from (f'{_key(stem)} = "{digest_of(path)}"' for stem, path in files.items())


def _key(stem: str) -> str:
    return f'"{stem}"' if "." in stem else stem


def main(words: list[str] | None = None) -> int:
    """The exit code: 1 where a file of the recipes is missing or has other content."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    laying = commands.add_parser("lay-out", help="Put the treebanks of a UD release into place.")
    laying.add_argument("release", type=Path, help="Folder of a release, or of one treebank, UD_English-EWT.")
    laying.add_argument("folder", type=Path, help="Folder for treebanks.")
    laying.add_argument("--copies", action="store_true", help="Copy the files; by default they are linked.")
    checking = commands.add_parser("check", help="Say which files of the recipes are missing or of another version.")
    checking.add_argument("folder", type=Path, help="Folder of treebanks.")
    describing = commands.add_parser("describe", help="Print what treebanks.toml says of treebanks.")
    describing.add_argument("folder", type=Path, help="Folder of treebanks.")
    describing.add_argument("names", nargs="+", help="Their own folders.")
    given = parser.parse_args(words)
    try:
        if given.command == "lay-out":
            made = lay_out(given.release, given.folder, given.copies)
            print(
                f"{counted(len(made), 'treebank')} in {given.folder}; export HEADWAY_TREEBANKS={given.folder.resolve()}"
            )
            return 0
        if given.command == "describe":
            print("\n\n".join("\n".join(describe(given.folder, name)) for name in given.names))
            return 0
        verdicts = list(check(given.folder))
    except HeadwayError as error:
        print(error, file=sys.stderr)
        return 2
    for name, verdict in verdicts:
        print(f"{name}: {verdict}")
    return int(any(verdict != "same" for _, verdict in verdicts))


if __name__ == "__main__":
    sys.exit(main())
