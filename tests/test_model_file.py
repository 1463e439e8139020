"""The model file: what is written is read, and everything else is refused with a sentence."""

import dataclasses
import gzip
import io
import json
import mmap
import os
import struct
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from tempfile import NamedTemporaryFile

import numpy as np
import pytest
import toy_tagger
from hypothesis import given
from hypothesis import strategies as st
from packed_rows import content_of, in_slots

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.learners.kernel_svm import KernelSVM
from headway.stages import model_file as model
from headway.stages.contract import STAGES
from headway.stages.parsing.parser import Parser

HEADER = {"kind": "test", "labels": ["nsubj", "Ünï"], "size": 3, "arrays": {"a": 1}, "score": 87.25, "nothing": None}
ARRAYS = {
    "slots": np.arange(700, dtype=np.uint64) ** 3,
    "rows": np.arange(1001, dtype=np.uint32),
    "empty": np.zeros((0, 3), np.float32),
    "matrix": np.arange(6, dtype=np.float64).reshape(2, 3),
    "bytes": np.frombuffer(b"odd", np.uint8),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a model file."""
    path = tmp_path_factory.mktemp("models") / "whole.headway"
    model.write(path, HEADER, ARRAYS)
    return path.read_bytes()


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Write bytes to a file and open it as a model."""
    path = tmp_path_factory.mktemp("models") / "some.headway"

    def load(content):
        path.write_bytes(content)
        return model.read(path)

    return load


def refusal(load, *arguments):
    """The one sentence with which a model is refused."""
    with pytest.raises(HeadwayError) as error:
        load(*arguments)
    message = str(error.value)
    assert "\n" not in message
    assert message.count("; ") == 1
    return message


def test_what_is_written_is_read(opened, whole):
    header, arrays = opened(whole)
    assert header == HEADER
    assert set(arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].shape == array.shape
        assert np.array_equal(arrays[name], array)


def test_arrays_that_do_not_lie_in_one_piece(tmp_path):
    array = np.arange(24, dtype=np.int32).reshape(4, 6)
    model.write(tmp_path / "m", {}, {"a": array.T, "b": array[::2, ::3], "c": array.astype(">i4")})
    arrays = model.read(tmp_path / "m").arrays
    assert np.array_equal(arrays["a"], array.T)
    assert np.array_equal(arrays["b"], array[::2, ::3])
    assert np.array_equal(arrays["c"], array)
    assert arrays["c"].dtype == np.dtype("<i4")


def test_only_numbers_are_written(tmp_path):
    with pytest.raises(HeadwayError, match="a model file holds numbers only"):
        model.write(tmp_path / "m", {}, {"a": np.array([{}])})
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("value", [np.int64(3), {1, 2}, b"bytes"], ids=repr)
def test_a_header_that_json_cannot_say_is_one_sentence(value, tmp_path):
    (tmp_path / "m").write_bytes(b"old")
    with pytest.raises(HeadwayError, match=r"m: what was packed for the header is not what JSON can say \(Object of"):
        model.write(tmp_path / "m", {"size": value}, {})
    assert (tmp_path / "m").read_bytes() == b"old"


@pytest.mark.parametrize("value", ["\ud800", {"\ud800": 1}, ["a", {"b": "\udcff"}]], ids=ascii)
def test_a_header_holds_whole_characters(value, tmp_path):
    with pytest.raises(HeadwayError, match=r"header holds half a character \(the lone surrogate .*\), which no file"):
        model.write(tmp_path / "m", {"size": value}, {})


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"licence": "\ud800"}, r"'licence' about a model holds half a character \(.*; say it in plain numbers"),
        ({"\ud800": 1}, r"holds half a character \(the lone surrogate '\\ud800'\), which no file can hold"),
        ({"licence": object()}, "'licence' about a model is not what JSON can say"),
        ({"words": "many"}, "about.words is 'many', not a whole number"),
    ],
)
def test_facts_that_no_model_file_holds_are_refused_at_once(facts, message, parsers):
    with pytest.raises(HeadwayError, match=message):
        parsers["graph parser"].with_about(**facts)


def test_a_stage_that_cannot_be_packed_is_one_sentence(tmp_path):
    class Unpackable(toy_tagger.ToyTagger):
        pack = None

    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Options(toy_tagger.ToyTaggerOptions):
        def begin(self, data):
            training = super().begin(data)
            candidates = training.candidates
            training.candidates = lambda: [Unpackable(**vars(stage)) for stage in candidates()]
            return training

    (tmp_path / "m").write_bytes(b"")
    sentence = "^a toy tagger cannot be saved: it has no method `pack`; give Unpackable one$"
    with pytest.raises(HeadwayError, match=sentence):
        headway.train(generate(5), Options()).save(tmp_path / "m")
    with pytest.raises(HeadwayError, match=sentence):
        headway.train(generate(5), Options(), output=tmp_path / "m")
    assert [path.name for path in tmp_path.iterdir()] == ["m"] and not (tmp_path / "m").read_bytes()


def test_the_same_content_gives_the_same_bytes(tmp_path, whole):
    model.write(tmp_path / "m", dict(reversed(HEADER.items())), dict(reversed(ARRAYS.items())))
    assert (tmp_path / "m").read_bytes() == whole


def test_arrays_are_mapped_not_read(tmp_path):
    size = 16 << 20
    model.write(tmp_path / "m", {}, {"a": np.arange(size // 4, dtype=np.uint32)})
    tracemalloc.start()
    array = model.read(tmp_path / "m").arrays["a"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < size / 50
    assert not array.flags.writeable
    assert array.ctypes.data % model.PAGE == 0
    base = array
    while isinstance(base, np.ndarray):
        base = base.base
    assert isinstance(base.obj if isinstance(base, memoryview) else base, mmap.mmap)


def test_an_opened_model_survives_its_replacement(tmp_path):
    path = tmp_path / "m"
    model.write(path, {}, {"a": np.arange(5000)})
    old = model.read(path).arrays["a"]
    model.write(path, {}, {"a": np.zeros(5000)})
    assert old.sum() == 5000 * 4999 // 2
    assert model.read(path).arrays["a"].sum() == 0


def overwritten(path):
    """Write into a file in place, as `cp` does."""
    size = path.stat().st_size
    with path.open("r+b") as stream:
        stream.write(b"\xff" * (size // 2))
        stream.truncate()
    assert path.stat().st_size == size // 2


def test_sources_that_cannot_be_read_are_refused(tmp_path, whole):
    path = tmp_path / "m"
    path.write_bytes(whole)
    for opening in (partial(path.open, encoding="utf-8"), io.StringIO, partial(NamedTemporaryFile, "w+", dir=tmp_path)):
        with opening() as text:
            assert "this file is open as text; open it with mode 'rb'" in refusal(model.read, text)
    with path.open("ab") as file:
        assert refusal(model.read, file) == f"{path}: this file is not open for reading; open it with mode 'rb'"
    with path.open("rb") as file:
        assert model.read(file).header == HEADER
        assert "expected a headway model, but the file is empty" in refusal(model.read, file)
    assert refusal(model.read, file) == f"{path}: read of closed file; give a model file that can be read"
    for empty in (b"", bytearray(), memoryview(b""), io.BytesIO()):
        assert "expected a headway model, but the file is empty" in refusal(model.read, empty)
    assert "<bytes>: the model file is cut off" in refusal(model.read, whole[:-1])
    assert "<open file>: this is not a headway model" in refusal(model.read, io.BytesIO(b"x" * 99))
    assert "this is not a file; give a model file" in refusal(partial(model.read, mapped=False), tmp_path)


def test_a_failure_leaves_the_old_file_alone(tmp_path, whole):
    path = tmp_path / "m"
    path.write_bytes(whole)
    with pytest.raises(HeadwayError):
        model.write(path, {"kind": object()}, ARRAYS)
    assert path.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [path]


@given(st.data())
def test_a_changed_byte_is_found_wherever_it_is(opened, whole, data):
    at = data.draw(st.integers(0, len(whole) - 1))
    changed = bytearray(whole)
    changed[at] ^= data.draw(st.integers(1, 255))
    assert refusal(opened, bytes(changed))


def test_every_bit_of_the_beginning_counts(opened, whole):
    for at in range(32):
        for bit in range(8):
            changed = bytearray(whole)
            changed[at] ^= 1 << bit
            refusal(opened, bytes(changed))


@given(st.data())
def test_a_model_that_is_cut_off_is_refused(opened, whole, data):
    length = data.draw(st.integers(0, len(whole) - 1))
    message = refusal(opened, whole[:length])
    assert ("a headway model" if length < model.PREFIX.size else "the model file is cut off") in message


def test_a_model_with_something_after_it_is_refused(opened, whole):
    assert "the model file is damaged" in refusal(opened, whole + b"\0")
    assert "the model file is damaged" in refusal(opened, whole + whole)


@given(st.integers(0, 699), st.integers(0, 699))
def test_two_words_that_change_places_are_found(one, other):
    data = np.arange(700, dtype=np.uint64) ** 3
    swapped = data.copy()
    swapped[[one, other]] = data[[other, one]]
    same = model.checksum(swapped.view(np.uint8)) == model.checksum(data.view(np.uint8))
    assert same == (one == other)


def test_two_pages_that_change_places_are_found():
    pages = np.random.default_rng(1).integers(0, 256, (600, model.PAGE)).astype(np.uint8)
    for one, other in ((0, 1), (5, 599), (255, 256)):
        swapped = pages.copy()
        swapped[[one, other]] = pages[[other, one]]
        assert model.checksum(swapped.reshape(-1)) != model.checksum(pages.reshape(-1))


@given(st.integers(0, 3 * 4096), st.integers(0, 5))
def test_a_checksum_knows_where_its_data_ends(length, more):
    """Up to the zeros that fill the last page."""
    data = np.full(length, 7, np.uint8)
    padded = np.concatenate([data, np.zeros(-length % model.PAGE, np.uint8)])
    assert model.checksum(data) == model.checksum(padded)
    assert (model.checksum(data) == model.checksum(np.full(length + more, 7, np.uint8))) == (more == 0)


@given(st.binary(max_size=100))
def test_foreign_files_are_refused(opened, content):
    assert refusal(opened, content)


def test_other_files_by_example(opened, whole, tmp_path):
    assert "expected a headway model, but the file is empty; train one" in refusal(opened, b"")
    assert "this is not a headway model" in refusal(opened, b"1\tThe\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
    assert "the file is compressed; unpack it first" in refusal(opened, gzip.compress(whole))
    newer = whole[:8] + struct.pack("<I", 7) + whole[12:]
    assert "written by a newer headway (format 7, this one reads up to 3); upgrade" in refusal(opened, newer)
    assert "this is not a file; give a model file" in refusal(model.read, tmp_path)
    assert "No such file or directory; give a model file" in refusal(model.read, tmp_path / "none")
    assert "this is not a file" in refusal(model.read, "/dev/null")
    os.mkfifo(tmp_path / "pipe")
    assert "this is not a file" in refusal(model.read, tmp_path / "pipe")


def test_a_file_that_may_not_be_read(tmp_path, whole, monkeypatch):
    path = tmp_path / "secret"
    path.write_bytes(whole)

    def forbidden(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", forbidden)
    assert refusal(model.read, path).endswith("secret: Permission denied; give a model file that can be read")


def test_compressed_models_are_not_written(tmp_path):
    for suffix in (".gz", ".xz"):
        assert f"give a name without {suffix}" in refusal(model.write, tmp_path / f"m{suffix}", {}, ARRAYS)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there(tmp_path):
    assert "none/m: No such file or directory; name a folder" in refusal(model.write, tmp_path / "none" / "m", {}, {})


def test_standard_output_is_no_place_for_a_model():
    assert refusal(model.write, "-", {}, {}).endswith("; name a file")


FORGED = [
    [],
    {},
    {"header": {}, "arrays": {}},
    {"header": {}, "arrays": [], "size": 0},
    {"header": {}, "arrays": {"a": {}}, "size": 0},
    {"header": {}, "arrays": {}, "size": "0"},
    *(
        {"header": {}, "arrays": {"a": {"type": kind, "shape": shape, "place": place, "checksum": ""}}, "size": 0}
        for kind in ("|O", "<u8", "<U9", "V8", "nonsense", None, ["<u8"])
        for shape in ([1], [-1], [1 << 70], "x", [0])
        for place in (0, -8, 1 << 70, None)
    ),
]


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("content", FORGED, ids=json.dumps)
def test_a_forged_header_does_no_harm(opened, content, version):
    text = json.dumps(content).encode()
    digest = blake2b(version.to_bytes(4, "little") + text, digest_size=8).digest()
    forged = b"headway\n" + struct.pack("<II", version, len(text)) + digest + text
    assert "the model file is damaged" in refusal(opened, forged)


def test_the_layout_is_as_described(whole):
    """Read with nothing but the description: magic, version, length, digest, JSON, arrays on whole pages."""
    magic, version, length, digest = struct.unpack_from("<8sII8s", whole)
    text = whole[24 : 24 + length]
    assert (magic, version, (24 + length) % 4096, len(whole) % 4096) == (b"headway\n", 3, 0, 0)
    assert digest == blake2b(whole[8:12] + text, digest_size=8).digest()
    content = json.loads(text)
    assert content["header"] == HEADER
    for name, entry in content["arrays"].items():
        start = 24 + length + entry["place"]
        array = np.frombuffer(whole, entry["type"], int(np.prod(entry["shape"])), start)
        assert entry["place"] % 4096 == 0
        assert np.array_equal(array.reshape(entry["shape"]), ARRAYS[name])


def laid_out(version, header, arrays):
    """The bytes of a file, made with nothing but the description."""
    entries, body = {}, b""
    for name, array in sorted(arrays.items()):
        data = np.ascontiguousarray(array).tobytes()
        entries[name] = {
            "type": array.dtype.str,
            "shape": array.shape,
            "place": len(body),
            "checksum": model.checksum(np.frombuffer(data, np.uint8)),
        }
        body += data + b"\0" * (-len(data) % 4096)
    content = {"header": header, "arrays": entries, "size": len(body)}
    text = json.dumps(content, ensure_ascii=False, sort_keys=True).encode()
    text += b" " * (-(24 + len(text)) % 4096)
    start = struct.pack("<I", version)
    digest = blake2b(start + text, digest_size=8).digest()
    return b"headway\n" + start + struct.pack("<I", len(text)) + digest + text + body


def test_files_are_written_as_described(whole):
    assert laid_out(3, HEADER, ARRAYS) == whole


@pytest.fixture(scope="module")
def unseen():
    return list(generate(20, seed=2))


@pytest.fixture(scope="module")
def parsers():
    """A parser of every kind of stage."""
    sentences, dev = list(generate(40, seed=1, nonprojective=0.1)), list(generate(15, seed=3))
    options = {
        "transition parser": {"features": "malt-14", "passes": 2, "exact": True},
        "kernel transition parser": {"features": "malt-14", "learner": KernelSVM(minimum=300)},
        "graph parser": {"parser": "graph", "bits": 14, "label_bits": 13, "passes": 2},
        "boosted parser": {"parser": "boosted", "features": "local", "label_features": "mst", "rounds": 2},
    }
    return {kind: headway.train(sentences, dev=dev, **given) for kind, given in options.items()}


OF_VERSION_1 = [kind for kind in STAGES.own if kind.endswith("parser")]
"""The kinds of stages that there were when files held one."""
each_kind = pytest.mark.parametrize("kind", OF_VERSION_1)


def found_by(parser, sentences):
    return b"".join(parser.parse_bytes(sentences))


@each_kind
def test_a_file_of_version_1_still_parses_the_same(kind, parsers, unseen, tmp_path):
    """It held one stage: its header as it is, and its arrays by their own names."""
    [stage] = parsers[kind].stages
    header, arrays = stage.pack()
    assert header["kind"] == kind and "stages" not in header and not any("/" in name for name in arrays)
    if header.pop("weights", None):
        classes = len(stage.classes)
        arrays = dict(zip(("slots", "rows"), in_slots(content_of(stage.weights), classes), strict=True))
    old = {"learner": "mira", "learner_options": {"passes": 2}, "passes": 2, "seed": 1, "dev_las": 87.5}
    (tmp_path / "old").write_bytes(laid_out(1, {**header, "about": old}, arrays))
    loaded = headway.load(tmp_path / "old")
    assert found_by(loaded, unseen) == found_by(parsers[kind], unseen)
    assert loaded.about == old
    assert [type(one) for one in loaded.stages] == [type(stage)]
    loaded.save(tmp_path / "new")
    assert (tmp_path / "new").read_bytes()[8:12] == struct.pack("<I", 3)
    assert headway.load(tmp_path / "new").about == old
    assert found_by(headway.load(tmp_path / "new"), unseen) == found_by(parsers[kind], unseen)


OLD_HEADERS = {
    "transition parser": "about encoding features kind labels root_label system transitions two_step",
    "kernel transition parser": "about encoding features kind labels root_label system transitions two_step",
    "graph parser": "about encoding features kind labels scale shape",
    "boosted parser": "about encoding features form kind label_features labels",
}
"""What headers of version 1 had; a stage that asks for more could not be read from such a file."""
LATER = {kind: {"calibrator", "weights"} for kind in OLD_HEADERS} | {"boosted parser": {"calibrator", "version"}}
"""What headers have now and are read without, too."""


@each_kind
def test_a_stage_needs_no_more_than_files_of_version_1_have(kind, parsers):
    assert sorted(set(parsers[kind].stages[0].pack().header) - LATER.get(kind, set())) == OLD_HEADERS[kind].split()


@each_kind
def test_a_saved_parser_is_the_same_again(kind, parsers, unseen, tmp_path):
    parser = parsers[kind].with_about(licence="CC BY-SA 4.0")
    parser.save(tmp_path / "m")
    again = headway.load(tmp_path / "m")
    assert again.about == parser.about == json.loads(json.dumps(parser.about))
    assert again.about["licence"] == "CC BY-SA 4.0" and "licence" not in parsers[kind].about
    assert set(again.about["dev"]) == {"definition", "tags", "LAS", "UAS", "RA", "CM"}
    assert {"options", "learner", "passes", "sentences", "words", "weights", "treebank_digest"} <= set(again.about)
    assert (again.needs, again.gives) == (parser.needs, parser.gives)
    assert found_by(again, unseen) == found_by(parser, unseen)
    again.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()


def test_a_row_of_stages_is_one_file(parsers, unseen, tmp_path):
    stages = [parsers[kind].stages[0].with_about(place=kind) for kind in ("graph parser", "transition parser")]
    row = Parser(stages)
    row.save(tmp_path / "row")
    again = headway.load(tmp_path / "row")
    assert [type(stage) for stage in again.stages] == [type(stage) for stage in stages]
    assert [stage.about for stage in again.stages] == [stage.about for stage in stages]
    assert again.about["place"] == "transition parser"
    assert found_by(again, unseen) == found_by(row, unseen) == found_by(parsers["transition parser"], unseen)
    [batch] = again.parse_batches(unseen)
    assert [layer.name for layer in batch.layers] == ["predicted", "predicted"]
    below = replace(batch, layers=batch.layers[:1])
    assert below.render(below.format) == found_by(parsers["graph parser"], unseen)
    assert batch.beneath("predicted").layers == ()
    header, arrays = model.read(tmp_path / "row")
    assert [stage["kind"] for stage in header["stages"]] == ["graph parser", "transition parser"]
    assert {name.partition("/")[0] for name in arrays} == {"0", "1"}
    Parser(stages[::-1]).save(tmp_path / "other")
    assert found_by(headway.load(tmp_path / "other"), unseen) == found_by(parsers["graph parser"], unseen)


def test_a_row_of_more_than_ten_stages_keeps_its_arrays_apart(parsers, tmp_path):
    kinds = ["graph parser", *["transition parser"] * 10, "boosted parser"]
    model.save(tmp_path / "row", [parsers[kind].stages[0] for kind in kinds])
    for kind, packed in zip(kinds, model.row_of(tmp_path / "row"), strict=True):
        wanted = parsers[kind].stages[0].pack()
        assert packed.header["kind"] == kind and set(packed.arrays) == set(wanted.arrays)
        assert all(np.array_equal(packed.arrays[name], wanted.arrays[name]) for name in wanted.arrays)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ({"kind": "checkpoint"}, "expected a model, but the file holds a 'checkpoint'; train one with `headway train`"),
        ({}, "expected a model, but the file holds a null"),
        ({"kind": "model"}, "expected a model"),
        ({"kind": "model", "stages": []}, "expected a model"),
        ({"kind": "model", "stages": {}}, "expected a model"),
        (
            {"kind": "model", "stages": [{"kind": "tea", "about": {}}]},
            "holds a 'tea', which this headway does not know; known are:",
        ),
        ({"kind": "model", "stages": [{}]}, "the field 'kind' of the header is missing"),
        ({"kind": "model", "stages": [3]}, ""),
        (
            {"kind": "model", "stages": [{"kind": ["transition parser"], "about": {}}]},
            "kind in the header is a list of 1, not a text",
        ),
        ({"kind": ["transition parser"]}, "expected a model"),
    ],
    ids=str,
)
def test_what_is_no_model_is_refused(header, message, tmp_path):
    model.write(tmp_path / "m", header, {})
    assert message in refusal(headway.load, tmp_path / "m")


@each_kind
@pytest.mark.parametrize("way", ["path", "bytes", "bytearray", "memoryview", "open file", "buffer"])
def test_what_is_read_does_not_change_with_its_source(kind, way, parsers, unseen, tmp_path):
    path, parser = tmp_path / "m", parsers[kind]
    parser.save(path)
    content = bytearray(path.read_bytes())
    with path.open("rb", buffering=0) as file:
        sources = {
            "path": path,
            "bytes": bytes(content),
            "bytearray": content,
            "memoryview": memoryview(content),
            "open file": file,
            "buffer": io.BytesIO(content),
        }
        again = headway.load(sources[way], mapped=False)
    overwritten(path)
    content[:] = bytes(len(content))
    assert found_by(again, unseen) == found_by(parser, unseen)
    again.save(path)
    assert found_by(headway.load(path), unseen) == found_by(parser, unseen)


def test_a_program_survives_a_copy_over_its_model(parsers, unseen, tmp_path):
    """What is mapped would end in a bus error where the new file is shorter."""
    path, text = tmp_path / "m", "".join(f"{sentence}\n" for sentence in unseen)
    parser = parsers["graph parser"]
    parser.save(path)
    (tmp_path / "new").write_bytes(b"headway")
    program = (
        "import sys, headway\n"
        "parser = headway.load(sys.argv[1], mapped=False)\n"
        "print('loaded', flush=True)\n"
        "sys.stdout.writelines(f'{sentence}\\n' for sentence in parser.parse(sys.stdin, input='conllu'))\n"
    )
    words = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as child:
        assert child.stdout.readline() == "loaded\n"
        subprocess.run(["cp", tmp_path / "new", path], check=True)
        found, _ = child.communicate(text)
    assert child.returncode == 0 and path.stat().st_size == len("headway")
    assert found.encode() == found_by(parser, unseen)


def test_save_replaces_a_mapped_file_and_does_not_write_into_it(parsers, unseen, tmp_path):
    path = tmp_path / "m"
    for parser in parsers.values():
        parser.save(path)
        before, again = path.stat().st_ino, headway.load(path)
        again.save(path)
        assert path.stat().st_ino != before
        overwritten(path)
        assert found_by(again, unseen) == found_by(parser, unseen)
