"""Files that are wrong by chance: good ones in every format, and what may happen to bytes, lines and cells."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from io import BytesIO
from random import Random

from formats.samples import BLIND, SAMPLES

from headway.data.formats.format import FORMATS
from headway.data.sample import generate
from headway.data.sample.treebank import Sample

ODD = (
    *(
        "",
        "_",
        "-",
        "0",
        "1",
        "2",
        "99",
        "-1",
        "2.1",
        "1-2",
        "3-1",
        "1.0",
        "01",
        "²",
        "٣",
        "99999999999999999999",
        "1e3",
    ),
    *(
        "a b",
        "\xa0",
        "\u3000",
        "\u200b",
        "\u2028",
        "\x85",
        "\x0b",
        "\x00",
        "\ufeff",
        "\ud7ff",
        "|",
        "=",
        "a=b|c=d",
        "\\",
    ),
    *(
        "SpaceAfter=No",
        "SpacesAfter=\\s\\n",
        "SpacesInToken=\\x",
        "# text = x",
        "# sent_id",
        "#",
        "(",
        ")",
        "(S",
        "<s>",
    ),
    *(
        "root",
        "nsubj:pass",
        "\U0001f642",
        "İ",
        "é" * 40,
        "x" * 3000,
        "NOUN",
        "UNK",
        "None",
        "nan",
        "\t",
        "\n",
        "\n\n",
        "\r",
    ),
)
"""Cells and pieces of lines."""
BYTES = (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\0", b"\x1f\x8b", b"\xef\xbb\xbf", b"\x80", b"\x1a")
"""What is no UTF-8, or not only."""


def good_files(chance: Random) -> dict[str, bytes]:
    """A file of each kind, by its name."""
    found = {name: text.encode() for name, text in SAMPLES.items()} | {"blind": BLIND.encode()}
    sentences = list(generate(chance.randint(1, 6), seed=chance.randrange(1000), nonprojective=0.2))
    for name, form in FORMATS.items():
        stream = BytesIO()
        for sentence in sentences:
            stream.write(sentence.batch.alone(sentence.index).render(form))
        found[f"generated {name}"] = stream.getvalue()
    forms = [sentence.forms for sentence in sentences]
    found["text"] = "\n\n".join(sentence.text for sentence in sentences).encode()
    found["tokens"] = "".join(" ".join(each) + "\n" for each in forms).encode()
    found["vertical"] = "".join("\n".join(each) + "\n\n" for each in forms).encode()
    trees = Sample(sentences=chance.randint(1, 4), seed=chance.randrange(1000)).brackets()
    found["penn"] = "".join(f"{tree}\n" for tree in trees).encode()
    return found


def mutated(chance: Random, data: bytes, other: bytes) -> bytes:
    """The file with one to six things done to it."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        data = chance.choice(MUTATIONS)(chance, data, other)
    return data


def _piece(chance: Random) -> bytes:
    return chance.choice(BYTES) if chance.random() < 0.2 else chance.choice(ODD).encode()


def _span(chance: Random, data: bytes, longest: int = 30) -> tuple[int, int]:
    first = chance.randint(0, len(data))
    return first, min(len(data), first + chance.randint(1, longest))


def _inserted(chance: Random, data: bytes, other: bytes) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] + _piece(chance) + data[at:]


def _removed(chance: Random, data: bytes, other: bytes) -> bytes:
    first, last = _span(chance, data)
    return data[:first] + data[last:]


def _replaced(chance: Random, data: bytes, other: bytes) -> bytes:
    first, last = _span(chance, data, 3)
    return data[:first] + _piece(chance) + data[last:]


def _repeated(chance: Random, data: bytes, other: bytes) -> bytes:
    first, last = _span(chance, data, 200)
    return data[:last] + data[first:last] * chance.choice((1, 2, 50)) + data[last:]


def _flipped(chance: Random, data: bytes, other: bytes) -> bytes:
    at = chance.randrange(len(data)) if data else 0
    return data[:at] + bytes(byte ^ (1 << chance.randrange(8)) for byte in data[at : at + 1]) + data[at + 1 :]


def _truncated(chance: Random, data: bytes, other: bytes) -> bytes:
    return data[: chance.randint(0, len(data))]


def _lines(chance: Random, data: bytes, other: bytes) -> bytes:
    lines = data.split(b"\n")
    at, to = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(to, lines[at])
        case 2:
            lines[at], lines[to] = lines[to], lines[at]
        case 3:
            lines.insert(at, _piece(chance))
        case 4:
            lines[at] = b" " * chance.randint(1, 3) + lines[at]
    return b"\n".join(lines)


def _cells(chance: Random, data: bytes, other: bytes) -> bytes:
    lines = data.split(b"\n")
    at = chance.choice([at for at, line in enumerate(lines) if b"\t" in line] or [0])
    cells = lines[at].split(b"\t")
    place, to = chance.randrange(len(cells)), chance.randrange(len(cells))
    match chance.randrange(4):
        case 0:
            cells[place], cells[to] = cells[to], cells[place]
        case 1:
            cells.insert(place, _piece(chance))
        case 2:
            del cells[place]
        case 3:
            cells[place] = _piece(chance)
    lines[at] = b"\t".join(cells)
    return b"\n".join(lines)


def _spliced(chance: Random, data: bytes, other: bytes) -> bytes:
    return data[: chance.randint(0, len(data))] + other[chance.randint(0, len(other)) :]


def _line_ends(chance: Random, data: bytes, other: bytes) -> bytes:
    return data.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\n", b"\x0b", b"\xe2\x80\xa8", b"")))


def _separators(chance: Random, data: bytes, other: bytes) -> bytes:
    return data.replace(b"\t", chance.choice((b" ", b"   ", b"\t\t", b",", b"")))


def _encoded(chance: Random, data: bytes, other: bytes) -> bytes:
    way: Callable[[bytes], bytes] = chance.choice(
        (
            lambda data: b"\xef\xbb\xbf" + data,
            lambda data: data.decode("utf-8", "replace").encode("utf-16"),
            lambda data: data.decode("utf-8", "replace").encode("latin-1", "replace"),
            gzip.compress,
            lzma.compress,
        )
    )
    return way(data)


MUTATIONS = (
    *(_inserted, _removed, _replaced, _repeated, _flipped, _lines, _lines, _cells, _cells, _cells),
    *(_spliced, _truncated, _line_ends, _separators, _encoded),
)
