"""Places in a text and what stands around them, against plain Python."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from segmented_texts import text as texts

from headway.data.placing import is_space
from headway.kernels.text.characters import ATTRIBUTE_KINDS, describe_places
from headway.text.segmenter import ENDS, STOP
from headway.text.segmenter.characters import (
    CLASS_TABLE,
    CLASSES,
    UPPER_CASE,
    Stretches,
    class_of,
    codes_of,
    lowered,
)
from headway.text.segmenter.segmenter import Cuts

EVERYWHERE = Cuts(np.ones((CLASSES, CLASSES), np.uint8), np.zeros((CLASSES, CLASSES), np.uint8))
LONGEST_CHUNK, LONGEST_SHAPE = 24, 10


def collapsed(text):
    """The text without spaces around it, with one space for each run of them."""
    return " ".join("".join(" " if is_space(c) else c for c in text).split(" ")).split()


def shape(word, longest=LONGEST_SHAPE):
    found = []
    for character in word:
        kind = class_of(character)
        if not found or found[-1] != kind or (kind == UPPER_CASE and len(found) < 3):
            found.append(kind)
    return tuple(found[:longest])


def is_word(character):
    return 1 < class_of(character) < 12 or character == "_"


def parts(chunk):
    """What leads, the core, the tail."""
    begin = next((i for i, c in enumerate(chunk) if is_word(c)), len(chunk))
    end = next((i + 1 for i in range(len(chunk) - 1, begin - 1, -1) if is_word(chunk[i])), begin)
    end = end if begin < len(chunk) else len(chunk)
    return chunk[:begin], chunk[begin:end], chunk[end:]


def of_chunk(name, chunk):
    lead, core, tail = parts(chunk)
    return {
        "FORM": chunk,
        "LOWER": lowered(chunk),
        "SHAPE": shape(chunk),
        "CORE": core,
        "CORELOWER": lowered(core),
        "CORESHAPE": shape(core),
        "COREEND": lowered(core)[-3:],
        "LENGTH": min(len(core), 6),
        "LEAD": lead,
        "TAIL": tail,
        "CASE": shape(chunk[len(lead) :] or chunk, 3),
        "DOTTED": "." in core,
    }[name]


def described(chunks, name, place, offset):
    """What an attribute says of every place of a text; None where it says nothing."""
    text, values, at = " ".join(chunks), [], 0
    for number, chunk in enumerate(chunks):
        for size in range(1, len(chunk) + 1):
            left, right, here = chunk[:size], chunk[size:], at + size - 1 + offset
            if place == "CHUNK":
                near = number + offset
                values.append(of_chunk(name, chunks[near]) if 0 <= near < len(chunks) else ("outside", near < 0))
            elif name in ("FORM", "SHAPE"):
                inside = 0 <= here < len(text)
                values.append(
                    (text[here] if name == "FORM" else class_of(text[here])) if inside else ("outside", here < 0)
                )
            elif name in ("SPACE", "INSIDE"):
                values.append("yes" if (name == "SPACE") == (not right) else None)
            else:
                piece = left if name.startswith("LEFT") else right
                made = lowered(piece) if name.endswith("LOWER") else shape(piece) if name.endswith("SHAPE") else piece
                values.append(made if len(chunk) <= LONGEST_CHUNK else None)
        at += len(chunk) + 1
    return values


@settings(max_examples=100)
@given(texts, st.sampled_from(sorted(ATTRIBUTE_KINDS)), st.integers(-3, 3))
def test_keys_are_equal_where_plain_python_says_the_same(text, attribute, offset):
    chunks = collapsed(text)
    if not chunks:
        return
    joined = " ".join(chunks)
    ready = Stretches.of(codes_of(joined), [0], [len(joined)])
    start, places, sets = EVERYWHERE.places(ready)
    ends = np.cumsum([len(chunk) + 1 for chunk in chunks]) - 1
    assert set(places.tolist()) == {i for i in range(1, len(joined) + 1) if joined[i - 1] != " "}
    assert set(places[sets == ENDS].tolist()) == set(ends[:-1].tolist()) and places[sets == STOP].tolist() == [ends[-1]]
    keys = np.empty((len(places), 1), np.uint64)
    columns = np.array([[ATTRIBUTE_KINDS[attribute], offset]], np.int32)
    describe_places(ready.codes, ready.lower, ready.classes, ready.offsets, start, places, columns, keys)
    values = described(chunks, *attribute, offset)
    assert len(values) == len(places)
    pairs = set(zip(values, keys[:, 0].tolist(), strict=True))
    assert len({value for value, _ in pairs}) == len(pairs) == len({key for _, key in pairs})
    assert all((key == 0) == (value is None) for value, key in pairs)


@given(texts, texts)
def test_stretches_know_where_their_characters_stand(first, second):
    first, second = first.strip(), second.strip()
    first, second = (t if t and not is_space(t[0]) and not is_space(t[-1]) else f"a{t}b" for t in (first, second))
    text = f"  {first}\n\n{second} "
    begins = [2, 4 + len(first)]
    ends = [2 + len(first), 4 + len(first) + len(second)]
    found = Stretches.of(codes_of(text), begins, ends)
    for number in range(2):
        piece = slice(*found.offsets[number : number + 2].tolist())
        origin = found.origin[piece]
        assert origin[0] == begins[number] and origin[-1] == ends[number] - 1
        for code, place in zip(found.codes[piece].tolist(), origin.tolist(), strict=True):
            assert chr(code) == text[place] or (code == 32 and is_space(text[place]))
        assert "".join(map(chr, found.codes[piece])).split(" ") == collapsed(text[begins[number] : ends[number]])


def test_classes_of_characters():
    codes = codes_of("aA1漢か\u0301.\u200b \0\ufeff«")
    assert CLASS_TABLE[codes].tolist() == [2, 3, 8, 5, 6, 10, ord("."), 11, 1, 1, 1, 14]
