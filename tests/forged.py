"""Forged models: a small parser with other things in its header and arrays, and right checksums.

`python tests/forged.py FOLDER NAME EVERY` trains the parser NAME, forges it in all ways below, opens every EVERY-th
forgery and parses with it. Each must be refused in one sentence or give trees. Without NAME all parsers are forged.
`tests/checked.sh` does so with kernels that check each access to memory.
"""

from __future__ import annotations

import copy
import faulthandler
import json
import sys
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np

import headway
from headway.base.errors import HeadwayError
from headway.base.stage_options import StageOptions
from headway.data.sample import generate
from headway.data.sentence import views
from headway.data.tokens import Multiword
from headway.data.trees import is_tree
from headway.features.language import parse
from headway.learners.kernel_svm import KernelSVM
from headway.stages import model_file as model
from headway.stages.constraints import Constraints
from headway.stages.contract import Packed, SegmentingStage
from headway.stages.updating import Adapts, AdaptsCells
from headway.text.lemmatizer.options import LemmatizerOptions
from headway.text.segmenter.options import SegmenterOptions
from headway.text.segmenter.spaces import original_text
from headway.text.tagger.options import TaggerOptions

FEATURES = "POS(STACK0)\nPOS(QUEUE0)\nFEAT(STACK0)\nLEX(STACK0) & DEP(STACK0 lc)\nPOS(QUEUE0) & POS(STACK0)"
BOOSTED = {"parser": "boosted", "features": "local", "label_features": "mst", "rounds": 2}
OPTIONS = {
    "transition": {"features": "malt-14", "passes": 1, "updatable": True},
    "two steps": {"features": parse(FEATURES), "passes": 1, "system": "swap", "two_step": True},
    "kernel": {"features": parse(FEATURES), "learner": KernelSVM(minimum=200)},
    "graph": {"parser": "graph", "bits": 12, "label_bits": 11, "passes": 1, "order": 2, "updatable": True},
    "joint": {
        "parser": "graph",
        "bits": 12,
        "label_bits": 11,
        "passes": 1,
        "labels": "joint",
        "decoder": "chu-liu-edmonds",
    },
    "boosted": BOOSTED,
    "votes": {**BOOSTED, "keep": "vote"},
    "lemmatizer": LemmatizerOptions(passes=1),
    "segmenter": SegmenterOptions(passes=1),
    "tagger": TaggerOptions(passes=1),
}
"""The parsers that are forged: all kinds of stages, and of some kinds several."""
CALIBRATED = ("tagger",)
TEXT = "Mr. Smith's dogs don't bark, do they?  \u6f22\u5b57 (see p. 3)\n\nCAN'T, won't; the company's"
DEEP = []
for _ in range(200):
    DEEP = [DEEP]
VALUES = [
    *(None, True, False, -1, 0, 1, 7, 2**31, 2**70, 1.5, -1e300, float("nan"), float("inf"), "", "x", "a\tb", "a\nb"),
    *(
        "\ud800",
        "arc-standard",
        "swap",
        "eisner",
        "head+path",
        [],
        [[]],
        [0],
        [[0, 0]],
        ["x"],
        [None],
        {},
        {"x": 1},
        DEEP,
    ),
    ["pairs(" * 9 + "POS(STACK0), POS(STACK1), LEX(STACK0), LEX(QUEUE0), LEX(QUEUE1), DEP(STACK0)" + ")" * 9],
    ["a0 = POS(CHILD), POS(PARENT)", *(f"a{n + 1} = a{n}, a{n}" for n in range(40)), "a40"],
]


@cache
def packed(name):
    """A small parser, packed."""
    how, sentences = OPTIONS[name], list(generate(30, seed=1, nonprojective=0.1))
    parser = headway.train(sentences, how) if isinstance(how, StageOptions) else headway.train(sentences, **how)
    if name in CALIBRATED:
        parser = headway.calibrate(parser, sentences)
    if name == "segmenter":
        for document in corrected_cuts():
            parser.update(document)
    [stage] = parser.stages
    return stage.pack()


def places(value, path=()):
    """Every place in a header that holds something, lists by their first and last members."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value if path != ("about",) else ():
            yield from places(value[key], (*path, key))
    elif isinstance(value, (list, tuple)) and value:
        for at in {0, len(value) - 1}:
            yield from places(value[at], (*path, at))


def with_value(header, path, value, *, delete=False):
    """The header with another value at a place, or without it."""
    forged = plain(header)
    inner = forged
    for key in path[:-1]:
        inner = inner[key]
    if delete:
        del inner[path[-1]]
    else:
        inner[path[-1]] = copy.copy(value)
    return forged


def plain(value):
    """The value as JSON holds it."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def arrays_like(array):
    """Arrays that are not this one, by name."""
    flat = array.reshape(-1)
    for kind in ("<i2", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8", "|u1"):
        if array.dtype.str != kind:
            with np.errstate(invalid="ignore", over="ignore"):
                yield f"of {kind}", array.astype(kind)
    yield "empty", flat[:0]
    yield "half", flat[: len(flat) // 2]
    yield "one", flat[:1]
    yield "twice", np.concatenate([array, array])
    yield "one more", np.concatenate([flat, flat[:1]])
    yield "flat", flat
    yield "a matrix", flat[: len(flat) // 2 * 2].reshape(2, -1)
    yield "reversed", array[::-1]
    for name, number in extremes(array.dtype):
        yield f"all {name}", np.full_like(array, number)
        for at in (0, len(flat) // 2, len(flat) - 1):
            changed = flat.copy()
            changed[at : at + 1] = number
            yield f"{name} at {at}", changed.reshape(array.shape)
    chance = np.random.default_rng(1)
    noise = chance.integers(0, 256, array.nbytes, np.uint8).view(array.dtype).reshape(array.shape)
    yield "noise", noise


def extremes(kind):
    if kind.kind == "f":
        return [
            ("nan", np.nan),
            ("inf", np.inf),
            ("huge", np.finfo(kind).max),
            ("low", np.finfo(kind).min),
            ("zero", 0),
        ]
    limits = np.iinfo(kind)
    return [
        ("highest", limits.max),
        ("lowest", limits.min),
        ("zero", 0),
        ("one", 1),
        ("a million", min(10**6, limits.max)),
    ]


def forgeries(packed):
    """Forged stages, each with what was done to it."""
    header, arrays = packed
    for path in places(plain(header)):
        for value in VALUES:
            yield f"header {path} = {str(value)[:30]!r}", Packed(with_value(header, path, value), arrays)
        yield f"header without {path}", Packed(with_value(header, path, None, delete=True), arrays)
    for name, array in arrays.items():
        yield f"array {name} is missing", Packed(header, {key: one for key, one in arrays.items() if key != name})
        for how, forged in arrays_like(array):
            yield f"array {name} {how}", Packed(header, {**arrays, name: forged})


def write(path, header, arrays):
    """A model file with right checksums whatever it holds: `model.write` would refuse halves of characters."""
    entries, body = {}, b""
    for name, array in arrays.items():
        data = np.ascontiguousarray(array).tobytes()
        check = model.checksum(np.frombuffer(data, np.uint8))
        entries[name] = {"type": array.dtype.str, "shape": array.shape, "place": len(body), "checksum": check}
        body += data + b"\0" * (-len(data) % model.PAGE)
    text = json.dumps({"header": header, "arrays": entries, "size": len(body)}).encode()
    text += b" " * (-(model.PREFIX.size + len(text)) % model.PAGE)
    digest = model._digest(model.VERSION, text)
    path.write_bytes(model.PREFIX.pack(model.MAGIC, model.VERSION, len(text), digest) + text + body)


def outcome(path, sentences):
    """The sentence with which a model is refused, or None where it opens and gives trees that can be read again."""
    try:
        parser = headway.load(path)
        if isinstance(parser.stages[0], SegmentingStage):
            assert original_text(views(parser.stages[0].segment(TEXT))) == TEXT, "text was lost"
            recut(parser, sentences, path.parent / "learned.model")
            return None
        parsed = b"".join(parser.parse_bytes(sentences))
        if isinstance(parser.stages[-1], AdaptsCells):
            correct(parser, sentences, path.parent / "learned.model")
        if isinstance(parser.stages[-1], Adapts):
            learn(parser, sentences, path.parent / "learned.model")
            go_on(parser, sentences)
    except HeadwayError as error:
        return str(error)
    (path.parent / "parsed.conllu").write_bytes(parsed)
    again = list(headway.read(path.parent / "parsed.conllu", format="conllu"))
    assert [len(sentence) for sentence in again] == [len(sentence) for sentence in sentences], "words were lost"
    assert all(is_tree(sentence.heads) for sentence in again), "no tree"
    return None


def learn(parser, sentences, path):
    """Correct sentences, one of which has a new label; what was learned is saved and opened again."""
    with in_a_sentence():
        for sentence in sentences:
            parser.update(sentence)
        parser.update(sentence, Constraints(labels={1: "new"}))
    parser.save(path)
    list(headway.load(path).parse(sentences))


def correct(parser, sentences, path):
    """Correct tags or lemmas of sentences, some to new ones; what was learned is saved and opened again."""
    with in_a_sentence():
        for sentence in sentences:
            parser.update(sentence)
        new = ["new", *sentence.lemmas[1:]]
        parser.update(sentence.replace(upos=new, lemmas=new))
        list(headway.continue_training(parser, sentences[:1]).parse(sentences[:1]))
    parser.save(path)
    list(headway.load(path).parse(sentences))


CUT = [(WORDS, Multiword(2, 3, "bcd")) for WORDS in (["a", "b", "d"], ["a", "bc", "d"])]
"""Words of the text `a bcd`."""


def corrected_cuts():
    """Documents of a text that is cut in an odd place, and split in two ways."""
    yield headway.Document([headway.Sentence(["Mr. Smith", "'", "s", "dogs"])], "Mr. Smith's dogs")
    yield from (headway.Document([headway.Sentence(words, multiwords=[one])], "a bcd") for words, one in CUT)


def recut(parser, sentences, path):
    """Correct where text is cut, and go on; what was learned is saved and opened again."""
    with in_a_sentence():
        for document in corrected_cuts():
            parser.update(document)
        parser.save(path)
        learned = headway.continue_training(headway.load(path), sentences)
        assert original_text(views(learned.stages[0].segment(TEXT))) == TEXT, "text was lost"


def go_on(parser, sentences):
    """Learn from more sentences, of which one has a new label."""
    with in_a_sentence():
        more = [sentence.replace(deprels=["new", *sentence.deprels[1:]]) for sentence in sentences[:1]]
        list(headway.continue_training(parser, more).parse(sentences))


@contextmanager
def in_a_sentence():
    """What cannot be done is said in one sentence."""
    try:
        yield
    except HeadwayError as error:
        assert "\n" not in str(error) and ("; " in str(error) or "does not learn" in str(error)), error


def run(folder, name, every=1):
    """Open and parse with forgeries of a parser; how many were refused and how many gave trees."""
    sentences = list(generate(4, seed=2))
    path = folder / "forged.model"
    refused = harmless = 0
    for what, (header, arrays) in islice(forgeries(packed(name)), None, None, every):
        (folder / "last").write_text(f"{name}: {what}")
        write(path, {"kind": "model", "stages": [header]}, {f"0/{key}": array for key, array in arrays.items()})
        message = outcome(path, sentences)
        if message is None:
            harmless += 1
            continue
        refused += 1
        assert message.startswith(str(path)) and "\n" not in message and "; " in message, message
    return refused, harmless


if __name__ == "__main__":
    faulthandler.enable()
    place, *names = sys.argv[1:]
    Path(place).mkdir(parents=True, exist_ok=True)
    for each in names[:1] or OPTIONS:
        print(each, *run(Path(place), each, int(names[1]) if names[1:] else 1), flush=True)
