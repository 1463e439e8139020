"""The model file: what is written is read, and everything else is refused with a sentence."""

import gzip
import json
import mmap
import os
import struct
import tracemalloc
from hashlib import blake2b

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway import model
from headway.errors import HeadwayError

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
    model.save(path, HEADER, ARRAYS)
    return path.read_bytes()


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Write bytes to a file and open it as a model."""
    path = tmp_path_factory.mktemp("models") / "some.headway"

    def load(content):
        path.write_bytes(content)
        return model.load(path)

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
    model.save(tmp_path / "m", {}, {"a": array.T, "b": array[::2, ::3], "c": array.astype(">i4")})
    arrays = model.load(tmp_path / "m").arrays
    assert np.array_equal(arrays["a"], array.T)
    assert np.array_equal(arrays["b"], array[::2, ::3])
    assert np.array_equal(arrays["c"], array)
    assert arrays["c"].dtype == np.dtype("<i4")


def test_only_numbers_are_written(tmp_path):
    with pytest.raises(TypeError, match="a model file holds numbers only"):
        model.save(tmp_path / "m", {}, {"a": np.array([{}])})
    assert not (tmp_path / "m").exists()


def test_the_same_content_gives_the_same_bytes(tmp_path, whole):
    model.save(tmp_path / "m", dict(reversed(HEADER.items())), dict(reversed(ARRAYS.items())))
    assert (tmp_path / "m").read_bytes() == whole


def test_arrays_are_mapped_not_read(tmp_path):
    size = 16 << 20
    model.save(tmp_path / "m", {}, {"a": np.arange(size // 4, dtype=np.uint32)})
    tracemalloc.start()
    array = model.load(tmp_path / "m").arrays["a"]
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
    model.save(path, {}, {"a": np.arange(5000)})
    old = model.load(path).arrays["a"]
    model.save(path, {}, {"a": np.zeros(5000)})
    assert old.sum() == 5000 * 4999 // 2
    assert model.load(path).arrays["a"].sum() == 0


def test_a_failure_leaves_the_old_file_alone(tmp_path, whole):
    path = tmp_path / "m"
    path.write_bytes(whole)
    with pytest.raises(TypeError):
        model.save(path, {"kind": object()}, ARRAYS)
    assert path.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_one_sentence(tmp_path, monkeypatch):
    def full(path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(model, "replacing", full)
    assert "No space left on device; the model could not be written" in refusal(model.save, tmp_path / "m", {}, ARRAYS)


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
    assert ("this is no headway model" if length < model.PREFIX.size else "the model file is cut off") in message


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
    assert "this is no headway model" in refusal(opened, b"")
    assert "this is no headway model" in refusal(opened, b"1\tThe\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
    assert "the file is compressed; unpack it first" in refusal(opened, gzip.compress(whole))
    newer = whole[:8] + struct.pack("<I", 7) + whole[12:]
    assert "written by a newer headway (format 7, this one reads up to 1); upgrade" in refusal(opened, newer)
    assert "this is not a file; give a model file" in refusal(model.load, tmp_path)
    assert "No such file or directory; give a model file" in refusal(model.load, tmp_path / "none")
    assert "this is not a file" in refusal(model.load, "/dev/null")
    os.mkfifo(tmp_path / "pipe")
    assert "this is not a file" in refusal(model.load, tmp_path / "pipe")


def test_a_file_that_may_not_be_read(tmp_path, whole, monkeypatch):
    path = tmp_path / "secret"
    path.write_bytes(whole)

    def forbidden(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", forbidden)
    assert refusal(model.load, path).endswith("secret: Permission denied; give a model file that can be read")


def test_compressed_models_are_not_written(tmp_path):
    for suffix in (".gz", ".xz"):
        assert f"give a name without {suffix}" in refusal(model.save, tmp_path / f"m{suffix}", {}, ARRAYS)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there(tmp_path):
    assert "none/m: No such file or directory; name a folder" in refusal(model.save, tmp_path / "none" / "m", {}, {})


def test_standard_output_is_no_place_for_a_model():
    assert refusal(model.save, "-", {}, {}).endswith("; name a file")


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


@pytest.mark.parametrize("content", FORGED, ids=json.dumps)
def test_a_forged_header_does_no_harm(opened, content):
    text = json.dumps(content).encode()
    digest = blake2b((1).to_bytes(4, "little") + text, digest_size=8).digest()
    forged = b"headway\n" + struct.pack("<II", 1, len(text)) + digest + text
    assert "the model file is damaged" in refusal(opened, forged)


def test_the_layout_is_as_described(whole):
    """Read with nothing but the description: magic, version, length, digest, JSON, arrays on whole pages."""
    magic, version, length, digest = struct.unpack_from("<8sII8s", whole)
    text = whole[24 : 24 + length]
    assert (magic, version, (24 + length) % 4096, len(whole) % 4096) == (b"headway\n", 1, 0, 0)
    assert digest == blake2b(whole[8:12] + text, digest_size=8).digest()
    content = json.loads(text)
    assert content["header"] == HEADER
    for name, entry in content["arrays"].items():
        start = 24 + length + entry["place"]
        array = np.frombuffer(whole, entry["type"], int(np.prod(entry["shape"])), start)
        assert entry["place"] % 4096 == 0
        assert np.array_equal(array.reshape(entry["shape"]), ARRAYS[name])
