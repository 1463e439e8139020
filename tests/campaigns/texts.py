"""Random texts into pipelines: nothing crashes or is lost; Python, the shell, threads and halves say the same."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from random import Random

from segmented_texts import ODD

import headway
from campaigns.campaign import Tell, ensure, one_sentence
from campaigns.commands import command
from headway import Sentence
from headway.base.errors import HeadwayError
from headway.data.formats.writing import running_text as text_of_treebank
from headway.data.sample import generate
from headway.data.trees import is_tree
from headway.text.segmenter.paragraphs import MARK
from headway.text.segmenter.spaces import original_text

PIPELINES = {
    "transition": {"passes": 1, "features": "malt-14"},
    "graph": {"parser": "graph", "features": "mst", "bits": 14, "label_bits": 12, "passes": 1},
    "boosted": {"parser": "boosted", "rounds": 1, "features": "local", "label_features": "mst"},
}
HALF = "\ud83d"
"""Half of a character, which no file can hold."""
SPACES = "\ufeff\0" + "".join(one for one in map(chr, range(0x3001)) if one.isspace())
"""What alone is no word."""
SHELL = 0.005
"""How often a case starts a process of its own."""


class Texts:
    """Texts of odd characters, of any characters, and of sentences, cut, tagged and parsed."""

    cases, patience = 24_500, 60.0

    def prepare(self, folder: Path, seed: int) -> None:
        sentences = list(generate(80, seed=1))
        self.sentences = "".join(text_of_treebank(generate(200, seed=2))).split(" ")
        self.models = {name: headway.train(sentences, pipeline=True, folds=2, **how) for name, how in PIPELINES.items()}
        self.paths = {name: folder / f"{name}.model" for name in PIPELINES}
        for name, model in self.models.items():
            model.save(self.paths[name])

    def case(self, chance: Random, folder: Path, tell: Tell) -> str:
        name, text = chance.choice(list(PIPELINES)), self.text(chance)
        model = self.models[name]
        tell(f"{name} of {text[:300]!a}{'' if len(text) <= 300 else f' and {len(text) - 300} characters more'}")
        try:
            found = model(text)
        except HeadwayError as refusal:
            one_sentence(refusal)
            ensure(any("\ud800" <= one <= "\udfff" or one == "\0" for one in text), f"refused: {refusal}")
            return "refused"
        whole = text.removeprefix(MARK)
        ensure(
            original_text(found) == whole if found else not text.strip(SPACES),
            f"text is lost: {original_text(found)[:300]!a}",
        )
        for sentence in found:
            ensure(all(sentence.forms) and is_tree(sentence.heads), "a word without a form, or no tree")
        written = "".join(f"{sentence}\n" for sentence in found).encode()
        self.again(found, written, folder / "again.conllu", model)
        how = chance.choice((self.threads, self.halves, self.chunks, self.shell))
        tell(f"{how.__name__} of {name} of {text[:300]!a}")
        how(chance, name, text, written, folder)
        return how.__name__

    def text(self, chance: Random) -> str:
        """A text of up to some hundred pieces, often of few."""
        kinds = chance.choice(((ODD,), (ODD, self.sentences), (self.sentences,), (ODD, self.sentences, ())))
        pieces = []
        for _ in range(int(chance.paretovariate(0.8)) % 400):
            kind = chance.choice(kinds)
            pieces.append(chance.choice(kind) if kind else _character(chance) * chance.choice((1, 1, 1, 2, 70)))
            pieces.append(chance.choice(("", " ", " ", " ", "\n", "\n\n", "  ")))
        if chance.random() < 0.01:
            pieces.append(HALF)
        return "".join(pieces)

    def again(self, found: Sequence[Sentence], written: bytes, path: Path, model: headway.Parser) -> None:
        """What is written can be read, and its words are parsed as those of the text."""
        path.write_bytes(written)
        again = list(headway.read(path, format="conllu")) if found else []
        ensure([one.forms for one in again] == [one.forms for one in found], "other words are read than were written")
        ensure(all((a.heads == b.heads).all() for a, b in zip(again, found, strict=True)), "other trees are read")
        if found:
            ensure(b"".join(model.parse_bytes(path)) == written, "parsed as a treebank it is something else")

    def threads(self, chance: Random, name: str, text: str, written: bytes, folder: Path) -> None:
        """The same from several threads, and as bytes."""
        threads = chance.randint(1, 4)
        found = b"".join(self.models[name].parse_bytes(StringIO(text), threads=threads, input="text"))
        ensure(found == written, f"{threads} threads find something else")

    def halves(self, chance: Random, name: str, text: str, written: bytes, folder: Path) -> None:
        """The same words and trees from two halves of a text that a blank line divides."""
        # Many NUL bytes in few others are refused, and a half has fewer others than the whole.
        rest = self.text(chance).replace(HALF, "").replace("\0", "").lstrip(SPACES)
        first, second, whole = (self.models[name](one) for one in (f"{text}\n\n", rest, f"{text}\n\n{rest}"))
        found, wanted = (
            [(one.forms, one.heads.tolist(), one.upos) for one in some] for some in (whole, [*first, *second])
        )
        ensure(found == wanted, f"halves are something else, the second is {rest[:300]!a}")

    def chunks(self, chance: Random, name: str, text: str, written: bytes, folder: Path) -> None:
        """The same where the text comes in pieces."""
        segmenter = self.models[name].row.segmenter
        assert segmenter is not None
        cuts = sorted(chance.randint(0, len(text)) for _ in range(chance.randint(0, 5)))
        pieces = [text[first:last] for first, last in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        whole, found = ([batch.text for batch in segmenter.segment(one)] for one in (text, pieces))
        ensure(b"".join(whole) == b"".join(found), f"cut at {cuts} it is something else")

    def shell(self, chance: Random, name: str, text: str, written: bytes, folder: Path) -> None:
        """The same from a file, in the shell."""
        path, output = folder / "story.txt", folder / "out.conllu"
        path.write_bytes(text.encode())
        words = ("parse", self.paths[name], path, "-o", output, "--threads", chance.randint(1, 2))
        if chance.random() < SHELL:
            done = subprocess.run([sys.executable, "-m", "headway", *map(str, words)], capture_output=True, check=False)
            ensure(done.returncode == 0, done.stderr.decode())
        else:
            done = command(*words)
            ensure(done.code == 0, done.stderr)
        ensure(output.read_bytes() == written, "the shell finds something else than Python")


def _character(chance: Random) -> str:
    """Any character, of the first planes more often, but no half of one."""
    while True:
        found = chr(int(chance.choice((128, 0x600, 0x3100, 0x10000, 0x110000)) * chance.random()))
        if not "\ud800" <= found <= "\udfff":
            return found
