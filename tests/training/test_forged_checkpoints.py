"""Whatever a checkpoint holds, going on from it is a sentence or a training that ends: never a crash."""

import forged
import forged_checkpoints
import numpy as np
import pytest

from headway.base.errors import HeadwayError

AGAIN = "; headway did not write this checkpoint, so start over with --restart (in Python resume=False)"
EVERY = {"transition": 71, "graph": 101, "boosted": 401}
"""Every so manieth forgery is tried here; `tests/checked.sh` tries more of them."""


@pytest.fixture(scope="module", params=forged_checkpoints.OPTIONS)
def begun(request, tmp_path_factory):
    return forged_checkpoints.Begun(request.param, tmp_path_factory.mktemp("forged"))


def test_forged_checkpoints_are_refused_or_harmless(begun):
    refused, harmless = forged_checkpoints.run(begun, EVERY[begun.options.family])
    assert refused > 3 and harmless > 0


def test_what_is_wrong_with_a_checkpoint(begun):
    header, arrays = begun.header, begun.arrays
    assert begun.outcome(header, arrays) is None

    def said(**changed):
        return begun.outcome({**header, **changed}, arrays)

    [step] = header["history"]
    assert said(history=7) == "history in the header is 7, not a list" + AGAIN
    assert said(history=[]) == "it holds 0 steps of a training of 3" + AGAIN
    assert said(history=[step] * 4) == "it holds 4 steps of a training of 3" + AGAIN
    assert said(history=[{**step, "number": 2}]) == "its steps do not follow each other" + AGAIN
    assert (
        said(history=[{**step, "told": []}])
        == "history[0].told in the header is a list of 0, not numbers by name" + AGAIN
    )
    deaf = {name: value for name, value in step.items() if name != "dev"}
    assert said(history=[deaf]) == "history[0] in the header lacks the field 'dev'" + AGAIN
    assert (
        said(history=[{**step, "dev": ["ud", []]}]) == "history[0].dev in the header is a list of 2, not scores" + AGAIN
    )
    assert said(state=None, best=None) == "there is nothing to go on from" + AGAIN
    assert said(best=None) == "the best parser so far is missing" + AGAIN
    assert said(best={**header["best"], "kind": 3}) == "kind in the header is 3, not a text" + AGAIN
    first = "shares" if begun.options.family == "boosted" else "steps"
    assert said(state={}) == f"the field {first!r} of the header is missing" + AGAIN
    name = next(key for key in arrays if key.startswith("state/"))
    missing = {key: array for key, array in arrays.items() if key != name}
    assert begun.outcome(header, missing) == f"the array {name.partition('/')[2]!r} is missing" + AGAIN
    assert begun.outcome([header], arrays) == (
        "this is not a checkpoint, and one would overwrite it; name another model"
    )


def test_a_damaged_checkpoint_is_refused_wherever_the_damage_is(begun):
    forged.write(begun.path, begun.header, begun.arrays)
    whole = begun.path.read_bytes()
    random = np.random.default_rng(1)
    damaged = [whole[:size] for size in (0, 5, 100, len(whole) // 2, len(whole) - 1)]
    for at in random.integers(0, len(whole), 25):
        damaged.append(whole[:at] + bytes([whole[at] ^ 1 << int(random.integers(8))]) + whole[at + 1 :])
    for content in damaged:
        begun.path.write_bytes(content)
        with pytest.raises(HeadwayError, match=r"^[^\n]+: [^\n]+; [^\n]+$"):
            begun.loop().run()
