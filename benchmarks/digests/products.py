"""Digests of what commands leave behind: models by header and arrays, journals without times, all else as text."""

from __future__ import annotations

import gzip
import json
import re
import struct
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

MAGIC = b"headway\n"
PREFIX = struct.Struct("<8sIIQ")
"""How a model file begins: what it is, its version, how long the header is, a checksum."""
TIMES = ("seconds",)
"""Entries of headers and journals that are measured, not computed."""
MEASURED = (
    (re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:?\d\d)?"), "TIME"),
    (re.compile(r"( *\b\d+(\.\d+)? (s|ms|min|h|seconds?|minutes?|hours?)\b)+"), " DURATION"),
)
"""What two runs of the same code write differently."""
SAVED = re.compile(r"-?\b\d+ %")
"""How much time racing saves, in reports of searches."""
LONG_NUMBER = re.compile(r"-?\d+\.\d{11,}(e-?\d+)?")
"""Sums in explanations; the order of adding may show in their last digits."""


def digest(*contents: bytes) -> str:
    """A short digest of bytes one after the other."""
    whole = blake2b(digest_size=8)
    for content in contents:
        whole.update(content)
    return whole.hexdigest()


def text_digest(text: str) -> str:
    """The digest of a text without times and folders, numbers rounded to ten digits."""
    for pattern, name in MEASURED:
        text = pattern.sub(name, text)
    return digest(LONG_NUMBER.sub(lambda number: f"{float(number[0]):.10g}", text).encode())


def products_of(path: Path, name: str) -> Iterator[tuple[str, str]]:
    """The digests of a file, and what each is of."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    if content.startswith(MAGIC):
        header, arrays = _packed(content)
        yield f"{name} header", header
        yield f"{name} arrays", arrays
    elif path.suffix == ".jsonl":
        records = [_without_times(json.loads(line)) for line in content.decode().splitlines()]
        yield name, digest(json.dumps(records).encode())
    else:
        text = content.decode()
        yield name, text_digest(SAVED.sub("SHARE", text) if path.stem == "report" else text)


def _packed(content: bytes) -> tuple[str, str]:
    """The digests of header and arrays of a model or a checkpoint."""
    _, _, length, _ = PREFIX.unpack_from(content)
    end = PREFIX.size + length
    packed = json.loads(content[PREFIX.size : end])
    header = json.dumps(_without_times(packed["header"]), sort_keys=True)
    arrays = json.dumps(packed["arrays"], sort_keys=True)
    return digest(header.encode()), digest(arrays.encode(), content[end:])


def _without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_times(one) for name, one in value.items() if name not in TIMES}
    return [_without_times(one) for one in value] if isinstance(value, list) else value
