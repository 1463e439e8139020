"""How sure stages are: probabilities from evidence, as a model keeps them, and as MISC and comments show them.

They are written as `UposConf=0.9904|ArcConf=0.9312|LabelConf=0.8827` and `# parse_confidence = 0.4711`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.base.schema import OBJECT, Record, Single, is_number
from headway.base.short_repr import ShortRepr
from headway.data.batch import Batch
from headway.data.cells import CONFIDENCE, TREE_CONFIDENCE
from headway.data.layers import Codes, Ints
from headway.data.tokens import CONFIDENCES
from headway.stages.calibration.additive import AdditiveModel, Doubles, fit
from headway.stages.calibration.evidence import Evidence

PARTS = ("places", "curves", "effects")
Right = Mapping[str, NDArray[np.bool_]]
LAYER = "confidence"
STEPS = 10_000
"""A confidence is written with four digits; never as 0 or 1, which nobody can be."""
ABOUT = {
    "arc": frozenset({"HEAD"}),
    "label": frozenset({"HEAD", "DEPREL"}),
    "upos": frozenset({"UPOS"}),
    "tags": frozenset({"UPOS", "XPOS", "FEATS"}),
}
"""The columns that each kind of confidence speaks of."""
Texts = NDArray[np.object_]


class Confidences(NamedTuple):
    """Probabilities of being right: of each word by what is asked (`WordConfidence`), and of each sentence in all."""

    words: Mapping[str, Doubles]
    sentences: Doubles


@dataclass(frozen=True, eq=False)
class Calibrator(ShortRepr):
    """What a stage's evidence is worth, learned from text that it had not seen.

    There is a model for each thing that can be right of a word, each of which asks for more than those before it (a
    head; a head and its label; UPOS; all tags), and one for whole sentences.
    """

    words: Mapping[str, AdditiveModel]
    sentences: AdditiveModel
    about: Mapping[str, Any] = field(default_factory=dict)
    """What it was learned from."""

    @classmethod
    def fitted(
        cls, evidence: Evidence, right: Right, offsets: Ints, elsewhere: NDArray[np.bool_] | None = None, **about: Any
    ) -> Calibrator:
        """Learned from which words were right; sentences are right where all their words are in every way.

        Sentences `elsewhere` tell what evidence is worth, and not how often words are right all in all.
        """
        if len(offsets) < 2:
            raise HeadwayError("there is no sentence to calibrate confidences on; give a treebank with trees")
        others = None if elsewhere is None else np.repeat(elsewhere, np.diff(offsets))
        words = {name: fit(evidence, each, others) for name, each in right.items()}
        whole = np.logical_and.reduceat(np.logical_and.reduce(list(right.values())), offsets[:-1])
        sentences = fit(_of_sentences(_of_words(words, evidence), offsets), whole, elsewhere)
        return cls(words, sentences, {"words": int(offsets[-1]), "sentences": len(offsets) - 1, **about})

    def confidences(self, evidence: Evidence, offsets: Ints) -> Confidences:
        """Of words and sentences, of which none is surer than its least sure word. Linear time."""
        words = _of_words(self.words, evidence)
        least = np.minimum.reduceat(list(words.values())[-1], offsets[:-1])
        return Confidences(words, np.minimum(self.sentences.probabilities(_of_sentences(words, offsets)), least))

    def pack(self) -> dict[str, Any]:
        """As the header of a model holds it."""
        return {
            "words": {name: _packed(model) for name, model in self.words.items()},
            "sentences": _packed(self.sentences),
            "about": dict(self.about),
        }

    @classmethod
    def unpack(cls, packed: Mapping[str, Any] | None) -> Calibrator | None:
        """What `pack` gave, checked by `CALIBRATOR`; None of models without."""
        if packed is None:
            return None
        # A file has names in the order of the alphabet.
        words = {name: _unpacked(packed["words"][name]) for name in CONFIDENCES if name in packed["words"]}
        return cls(words, _unpacked(packed["sentences"]), packed["about"])


def _of_words(models: Mapping[str, AdditiveModel], evidence: Evidence) -> dict[str, Doubles]:
    """Probabilities, none higher than those before it, which ask for less."""
    found: dict[str, Doubles] = {}
    for name, model in models.items():
        chances = np.nan_to_num(model.probabilities(evidence))  # NaN, of forged weights, is not sure
        found[name] = np.minimum(chances, *list(found.values())[-1:]) if found else chances
    return found


def _of_sentences(words: Mapping[str, Doubles], offsets: Ints) -> Evidence:
    """What the last probabilities of words say about sentences, none of which is empty."""
    chances = np.clip(list(words.values())[-1], 1e-6, 1 - 1e-6)
    first = offsets[:-1]
    numbers = {
        "all": np.add.reduceat(np.log(chances), first),
        "least": np.minimum.reduceat(np.log(chances / (1 - chances)), first),
        "length": np.log2(np.diff(offsets) + 1),
    }
    return Evidence({name: each.astype(np.float32) for name, each in numbers.items()}, {})


def _packed(model: AdditiveModel) -> dict[str, Any]:
    arrays = {part: {name: each.tolist() for name, each in getattr(model, part).items()} for part in PARTS}
    return {"intercept": model.intercept, **arrays}


def _unpacked(packed: Mapping[str, Any]) -> AdditiveModel:
    arrays = ({name: np.array(each, np.float64) for name, each in packed[part].items()} for part in PARTS)
    return AdditiveModel(float(packed["intercept"]), *arrays)


def _is_model(model: Any) -> bool:
    if not isinstance(model, dict) or set(model) != {"intercept", *PARTS} or not is_number(model["intercept"]):
        return False
    if not all(isinstance(model[part], dict) for part in PARTS):
        return False
    lists = [each for part in PARTS for each in model[part].values()]
    if not all(isinstance(each, list) and all(map(is_number, each)) for each in lists):
        return False
    places, curves = model["places"], model["curves"]
    fits = places.keys() == curves.keys() and all(len(places[name]) == len(curves[name]) > 0 for name in places)
    return fits and all(list(each) == sorted(set(each)) for each in places.values())


def _are_of_words(models: Any) -> bool:
    fits = isinstance(models, dict) and bool(models) and models.keys() <= set(CONFIDENCES)
    return fits and all(map(_is_model, models.values()))


CALIBRATOR = Record(
    {
        "words": Single(f"models of {', '.join(CONFIDENCES)}", _are_of_words),
        "sentences": Single("a sum of curves and effects", _is_model),
        "about": OBJECT,
    },
    complete=True,
)
"""What the field `calibrator` of a header may be."""


def with_confidences(batch: Batch, found: Sequence[Confidences]) -> Batch:
    """The batch with a layer that says how sure its stages are; other things in MISC stay, earlier confidences go."""
    of_words = {target: chances for one in found for target, chances in one.words.items()}
    if not of_words:
        return batch
    keys = {target: f"{target.capitalize()}{CONFIDENCE}=" for target in of_words}
    texts = _kept(batch, tuple(keys.values()))
    for number, (target, chances) in enumerate(of_words.items()):
        texts = texts + _names(f"{'|' if number else ''}{keys[target]}")[steps_of(chances)]
    columns = {"MISC": Codes(np.arange(len(texts), dtype=np.int32), tuple(texts.tolist()))}
    for one in found:
        if "arc" in one.words:
            steps, codes = np.unique(steps_of(one.sentences), return_inverse=True)
            written = tuple(_names()[steps].tolist())
            columns[TREE_CONFIDENCE] = Codes(np.repeat(codes, np.diff(batch.sentence_word)).astype(np.int32), written)
    return batch.with_layer(LAYER, columns=columns)


def without_confidences(batch: Batch, given: Collection[str]) -> Batch:
    """The batch without what its input says of how sure somebody was of columns that are given anew."""
    targets = [target for target, columns in ABOUT.items() if not columns.isdisjoint(given)]
    keys = tuple(f"{target.capitalize()}{CONFIDENCE}=" for target in targets)
    told = any("MISC" in layer.columns for layer in batch.layers) or any(key.encode() in batch.text for key in keys)
    if not told or batch.format.index("MISC") < 0:
        return batch
    texts = tuple(text.removesuffix("|") or "_" for text in _kept(batch, keys).tolist())
    columns = {"MISC": Codes(np.arange(len(texts), dtype=np.int32), texts)}
    if "arc" in targets:
        columns[TREE_CONFIDENCE] = Codes(np.zeros(len(texts), np.int32), ("",))
    return batch.with_layer(LAYER, columns=columns)


def _kept(batch: Batch, keys: tuple[str, ...]) -> Texts:
    """What MISC says of each word beside confidences with these keys, a bar behind each part."""
    cells = batch.codes("MISC")
    parts = [[] if cell in ("_", "") else cell.split("|") for cell in cells.names]
    kept = ["".join(f"{part}|" for part in several if not part.startswith(keys)) for several in parts]
    return np.array(kept, object)[cells.codes]


@lru_cache(maxsize=16)
def _names(beginning: str = "") -> Texts:
    """All confidences with what stands before them."""
    names = np.array([f"{beginning}{number / STEPS:.4f}" for number in range(STEPS)], object)
    names.setflags(write=False)
    return names


def steps_of(chances: Doubles) -> NDArray[np.int64]:
    """Probabilities as whole numbers of steps."""
    return np.clip(np.rint(np.nan_to_num(chances) * STEPS), 1, STEPS - 1).astype(np.int64)


def assure_place(batch: Batch) -> None:
    """Refuse a format that has nowhere to write confidences."""
    if batch.format.index("MISC") < 0 or not batch.format.comments:
        raise HeadwayError(
            f"{batch.source}: {batch.format.title} has no place for confidences and comments; make CoNLL-U of it with"
            " `headway convert` first"
        )
