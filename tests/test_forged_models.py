"""A model that somebody forged, with right checksums, is refused in one sentence or gives trees; nothing worse."""

import os
import subprocess
import sys

import forged
import numpy as np
import pytest

import headway
from headway.base.errors import HeadwayError, shown
from headway.stages import model_file as model
from headway.stages.contract import STAGES, Packed
from headway.training.model_facts import facts_of

EVERY = 9
"""The tests take one forgery in so many; `tests/checked.sh` takes them all."""


@pytest.mark.parametrize("name", forged.OPTIONS)
def test_forged_models_do_no_harm(name, tmp_path):
    """In a process of its own, since a crash would take the tests with it."""
    program = [sys.executable, forged.__file__, str(tmp_path), name, str(EVERY)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=600, env=os.environ)
    last = (tmp_path / "last").read_text()
    assert done.returncode == 0, f"{last}\n{done.stderr[-3000:]}"
    refused, harmless = map(int, done.stdout.split()[-2:])
    assert refused > 20 and harmless > 3


def test_every_kind_of_stage_is_forged():
    assert {forged.packed(name).header["kind"] for name in forged.OPTIONS} == set(STAGES.own)


@pytest.fixture(scope="module")
def graph():
    return forged.packed("graph")


@pytest.fixture(scope="module")
def kernel():
    return forged.packed("kernel")


def refusal(packed, tmp_path, **header):
    """The sentence about a forged model, after its path."""
    path = tmp_path / "m"
    model.write(path, {**packed.header, **header}, packed.arrays)
    with pytest.raises(HeadwayError) as error:
        headway.load(path)
    place, _, sentence = str(error.value).partition(": ")
    assert place.partition(":")[0] == str(path)
    return sentence


AGAIN = "; this is no model that headway wrote, so train it again"


def test_what_is_wrong_with_a_header(graph, tmp_path):
    shape = graph.header["shape"]
    cases = {
        "labels in the header is a list of 0, not a list of at least 1": {"labels": []},
        **{
            f"labels[1] in the header is {shown(label)}, not a text without tabs, line breaks and NUL": {
                "labels": ["x", label]
            }
            for label in ("a\tb", "a\rb", "a\nb", "a\0b")
        },
        "scale in the header is NaN, not a number above 0": {"scale": float("nan")},
        "shape.bits in the header is 99, not a whole number from 8 to 29": {"shape": {**shape, "bits": 99}},
        "shape in the header has an unknown field 'hat'": {"shape": {**shape, "hat": 1}},
        "encoding in the header is 'x', not 'head' or 'path' or 'head+path' or 'none'": {"encoding": "x"},
        "about in the header is a list of 0, not an object": {"about": []},
    }
    for sentence, header in cases.items():
        assert refusal(graph, tmp_path, **header) == sentence + AGAIN
    without = Packed({key: value for key, value in graph.header.items() if key != "labels"}, graph.arrays)
    assert refusal(without, tmp_path) == "the field 'labels' of the header is missing" + AGAIN


def test_whatever_is_said_about_a_model_can_be_printed(graph, tmp_path):
    about = forged.plain(graph.header["about"] | {"dev": {"definition": "conll06", "LAS": 80.5}})
    path, opened = tmp_path / "m", 0
    values = (*forged.VALUES, {"name": []}, {"LAS": "x", "definition": "y"})
    for number, place in enumerate(forged.places({"x": {"about": about}})):
        for value in values[number % 3 :: 3]:
            said = forged.with_value({"x": {"about": about}}, place, value)["x"] if place[2:] else {"about": value}
            forged.write(path, {**graph.header, **(said if isinstance(said, dict) else {})}, graph.arrays)
            try:
                [packed] = model.row_of(path)
            except HeadwayError:
                continue
            opened += 1
            facts_of(packed, None)
    assert opened > 100


def test_what_is_wrong_with_arrays(graph, kernel, tmp_path):
    few = Packed(graph.header, {"weights": graph.arrays["weights"][:100]})
    assert refusal(few, tmp_path) == "the array 'weights' has the shape (100,), not (6144)" + AGAIN
    assert refusal(Packed(graph.header, {}), tmp_path) == "the array 'weights' is missing" + AGAIN

    each = next(at for at, feature in enumerate(kernel.header["features"]) if "FEAT(" in feature)

    def changed(name, change):
        return refusal(Packed(kernel.header, {**kernel.arrays, name: change(kernel.arrays[name])}), tmp_path)

    for name, change, sentence in (
        ("postings", lambda array: np.full_like(array, 10**6), "postings name a vector of another machine"),
        (
            "postings",
            lambda array: np.full_like(array, -1),
            "the array 'postings' goes down to -1; 0 is the lowest number",
        ),
        ("machine_of", lambda array: array + 1000, "machine_of names a machine that is not there"),
        (
            "members",
            lambda array: array.astype(np.int64),
            "the array 'members' has type <i8 and 1 dimensions, not <i4 and 1",
        ),
        ("power", lambda array: array[:2], "power has 2 numbers, and vectors have up to"),
        ("bounds", lambda array: array[:1], "there is no machine"),
        ("prior", lambda array: array * np.nan, "the array 'prior' holds what is no number"),
        ("prior", lambda array: array[:-1], "the machines do not decide between"),
        ("template", lambda array: array * 0 + 99, "no feature 99 of one value chooses the machine"),
        ("template", lambda array: array * 0 + each, f"no feature {each} of one value chooses the machine"),
    ):
        assert changed(name, change).startswith(sentence), name


def test_features_that_multiply_are_refused_at_once(graph, tmp_path):
    many = ["a0 = POS(CHILD), POS(PARENT)", *(f"a{n + 1} = a{n}, a{n}" for n in range(39)), "a39"]
    assert "makes more than 200,000 terms of this text; join fewer features" in refusal(graph, tmp_path, features=many)


def test_a_header_that_is_nested_too_deep_is_damage(tmp_path):
    path = tmp_path / "m"
    model.write(path, {"kind": "model", "stages": ["x"]}, {})
    text = b'{"arrays": {}, "header": ' + b"[" * 100_000 + b"]" * 100_000 + b', "size": 0}'
    prefix = model.PREFIX.pack(model.MAGIC, model.VERSION, len(text), model._digest(model.VERSION, text))
    path.write_bytes(prefix + text)
    with pytest.raises(HeadwayError, match="the model file is damaged"):
        headway.load(path)


def test_arrays_of_impossible_shapes_are_damage(tmp_path):
    path = tmp_path / "m"
    model.write(path, {}, {"a": np.empty(0)})
    start = path.read_bytes()
    text = start[model.PREFIX.size :].rstrip().replace(b'"shape": [0]', b'"shape": [0, 1180591620717411303424]')
    prefix = model.PREFIX.pack(model.MAGIC, model.VERSION, len(text), model._digest(model.VERSION, text))
    path.write_bytes(prefix + text)
    with pytest.raises(HeadwayError, match="the model file is damaged"):
        model.read(path)
