"""What holds of every stage, ours and other people's: columns, files, forged files, threads, and what it can do beside.

`parsers.contracts` has these checks beside those of learners, decoders, transition systems and families.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from headway.base.errors import HeadwayError
from headway.data.batch import Batch
from headway.data.formats.format import FIELDS
from headway.data.layers import LAYERED, Codes
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.stages import model_file as model
from headway.stages.contract import STAGES, Confident, KBest, Packed, Stage
from headway.stages.explanation.contract import Explains
from headway.stages.obeying import given_in
from headway.stages.parsing.parser import Parser
from headway.stages.updating import Adapts, AdaptsCells

TREE = ("HEAD", "DEPREL")
FEW = 3
"""So many sentences of a batch are explained, and learned from, one by one."""


def check_stage(stage: Stage, batches: Sequence[Batch] | None = None, *, writable: bool = True) -> None:
    """A stage fills the columns that it gives, looks at those that it needs, never changes, and survives a model file.

    What it can do beside that is checked, too: say how sure it is, give its k best, explain itself, learn from
    corrections. `batches` are annotated sentences, by default generated ones.
    """
    batches = list(batches_of(generate(20, seed=1))) if batches is None else batches
    assert stage.gives and stage.gives <= {*LAYERED, "HEAD"}, f"gives {sorted(stage.gives)}; name columns of sentences"
    assert stage.needs <= {*FIELDS}, f"needs {sorted(stage.needs)}; name columns of sentences"
    bare = [_without(batch, stage.gives) for batch in batches]
    before = model.packed(stage) if writable else None
    first = [stage.annotate(batch) for batch in bare]
    for old, new in zip(bare, first, strict=True):
        assert new.bare is old or new.bare.text == old.text, "a stage has changed the bytes that were read"
        assert new.layers[: len(old.layers)] == old.layers, "a stage has changed layers that were there"
        given = {name for layer in new.layers[len(old.layers) :] for name in layer.fields}
        assert given == stage.gives, f"the stage gave {sorted(given)} and said {sorted(stage.gives)}"
    _assure_same(stage, first, [stage.annotate(batch) for batch in batches], "depends on what the input says of it")
    unneeded = {*LAYERED, "HEAD"} - stage.needs
    blank = [stage.annotate(_without(batch, unneeded)) for batch in batches]
    _assure_same(stage, first, blank, "depends on a column that `needs` does not name")
    with ThreadPoolExecutor(2) as pool:
        _assure_same(stage, first * 2, pool.map(stage.annotate, bare * 2), "differs in another thread")
    noted = stage.with_about(note="kept")
    assert noted.about["note"] == "kept" and "note" not in stage.about, "with_about changes the stage itself"
    for batch in bare[:1]:
        _check_capabilities(stage, batch)
    _assure_same(stage, first, [stage.annotate(batch) for batch in bare], "differs after the stage was used")
    if before is not None:
        assert stage.kind in STAGES, f"{stage.kind!r} is not a registered kind of stage"
        assert _same(before, model.packed(stage)), "a stage is packed otherwise after it was used; it must not change"
        _check_file(stage, batches, first)
        _check_schema(before, batches[0])


def _assure_same(stage: Stage, first: Iterable[Batch], second: Iterable[Batch], what: str) -> None:
    for one, two in zip(first, second, strict=True):
        for field in stage.gives:
            assert one.column(field) == two.column(field), f"{field} {what}"


def _without(batch: Batch, fields: Iterable[str]) -> Batch:
    """The batch with nothing in some columns, as far as a layer can say it."""
    words = np.zeros(len(batch.word_line), np.int32)
    columns = {field: Codes(words, ("_",)) for field in fields if field != "HEAD"}
    return batch.with_layer("nothing", heads=words - 1 if "HEAD" in fields else None, columns=columns)


def _same(one: Packed, two: Packed) -> bool:
    same = one.header == two.header and one.arrays.keys() == two.arrays.keys()
    return same and all(np.array_equal(array, two.arrays[name]) for name, array in one.arrays.items())


def _check_capabilities(stage: Stage, batch: Batch) -> None:
    """What a stage can do beside annotating does what it says."""
    plain = stage.annotate(batch)
    if isinstance(stage, Confident):
        annotated, evidence = stage.annotate_with_evidence(batch)
        _assure_same(stage, [plain], [annotated], "differs where the stage says how sure it is")
        assert evidence.numbers, "evidence has no numbers; give at least one for each word"
        for name, values in (*evidence.numbers.items(), *evidence.groups.items()):
            fits = len(values) == len(batch.word_line) and not np.isnan(values).any()
            assert fits, f"the evidence {name!r} is not one number for each word"
        assert isinstance(stage.with_calibrator(None), Confident), "with_calibrator gives a stage of another kind"
    if isinstance(stage, KBest):
        best, both = (stage.k_best(batch, k) for k in (1, 2))
        assert len(best) == len(batch) <= len(both) <= 2 * len(batch), "k_best gives too many results, or too few"
        _assure_same(stage, [plain], [best], "of the best of k is not what the stage finds")
    for sentence in map(batch.alone, range(min(FEW, len(batch)))):
        if isinstance(stage, Explains):
            explanation = _unless_refused(stage.explain, sentence)
            for decision in () if explanation is None else explanation.decisions:
                assert np.isclose(decision.given.sum(), decision.score, rtol=1e-3, atol=1e-3), (
                    f"{decision.what}: what its features give does not add up to its score"
                )
        if isinstance(stage, Adapts):
            _check_learned(sentence, _unless_refused(stage.updated, sentence, given_in(sentence, 0)), TREE)
        if isinstance(stage, AdaptsCells):
            cells = {field: {1: sentence.bare.column(field)[0]} for field in stage.gives}
            _check_learned(sentence, _unless_refused(stage.corrected, sentence, cells), stage.gives)


def _unless_refused(act: Callable[..., Any], *arguments: Any) -> Any:
    """What a capability gives; None where it refuses in a sentence, as all may."""
    try:
        return act(*arguments)
    except HeadwayError as refusal:
        assert "\n" not in str(refusal), f"a refusal is not one sentence: {refusal}"


def _check_learned(sentence: Batch, learned: Any, fields: Iterable[str]) -> None:
    """A correction that is said to be right is parsed right: the tree, or the first word's cells."""
    if learned is None or not learned.right:
        return
    found = learned.stage.annotate(sentence)
    for field in fields:
        size = None if field in TREE else 1
        wanted = sentence.bare.column(field, 0, size)
        assert found.column(field, 0, size) == wanted, f"{field} is said to be learned, and is not"


def _check_file(stage: Stage, batches: Sequence[Batch], first: Sequence[Batch]) -> None:
    """A stage is read from a file as it was written."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("first", "second")]
        Parser([stage]).save(paths[0])
        [again] = model.load(paths[0])
        Parser([again]).save(paths[1])
        assert paths[0].read_bytes() == paths[1].read_bytes(), "a saved stage is not the same when it is saved again"
        _assure_same(stage, first, [again.annotate(batch) for batch in batches], "is another one after saving")


def _check_schema(packed: Packed, batch: Batch) -> None:
    """The schema accepts what was packed; where a field or an array is forged, that is refused, or does no harm."""
    header, arrays = packed
    forged = [Packed({**header, name: {"forged": 1}}, arrays) for name in header if name not in ("kind", "about")]
    forged += [
        Packed(header, {**arrays, name: array[: len(array) // 2]}) for name, array in arrays.items() if array.ndim
    ]
    forged += [Packed(header, {name: array for name, array in arrays.items() if name != wanted}) for wanted in arrays]
    for one in forged:
        changed = [name for name in header if one.header[name] is not header[name]]
        changed += [name for name in arrays if one.arrays.get(name) is not arrays[name]]
        try:
            model.checked_stage(one, "forged").annotate(batch)
        except HeadwayError:
            continue
        except Exception as error:
            raise AssertionError(f"the schema lets a forged {changed[0]!r} pass, which ends in {error!r}") from error
