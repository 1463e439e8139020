"""From evidence to probabilities of being right, as a model keeps them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, known
from headway.base.schema import Fault, is_number, said
from headway.base.short_repr import ShortRepr
from headway.data.cells import CONFIDENCE_TARGETS
from headway.data.layers import Ints
from headway.stages.calibration.additive import AdditiveModel, Doubles, fit
from headway.stages.calibration.evidence import Evidence

Right = Mapping[str, NDArray[np.bool_]]


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
        words = {name: _unpacked(packed["words"][name]) for name in CONFIDENCE_TARGETS if name in packed["words"]}
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
    return {
        "intercept": model.intercept,
        "places": {name: each.tolist() for name, each in model.places.items()},
        "curves": {name: each.tolist() for name, each in model.curves.items()},
        "effects": {name: each.tolist() for name, each in model.effects.items()},
    }


def _unpacked(packed: Mapping[str, Any]) -> AdditiveModel:
    arrays = ({name: np.array(each, np.float64) for name, each in packed[part].items()} for part in PARTS)
    return AdditiveModel(float(packed["intercept"]), *arrays)


PARTS = ("places", "curves", "effects")


class CalibratorKind:
    """What the field `calibrator` of a header may be."""

    def faults(self, value: Any, place: str) -> Iterator[Fault]:
        """The first thing that is wrong."""
        if not isinstance(value, dict) or set(value) != {"words", "sentences", "about"}:
            yield Fault(place, f"is {said(value)}, not a calibrator")
            return
        if not isinstance(value["words"], dict) or not value["words"] or not isinstance(value["about"], dict):
            yield Fault(f"{place}.words", f"is {said(value['words'])}, not models by name")
            return
        for name in value["words"]:
            if name not in CONFIDENCE_TARGETS:
                yield Fault(f"{place}.words", f"says how sure {said(name)} is; {known(CONFIDENCE_TARGETS)}")
                return
        models = {**{f"words.{name}": model for name, model in value["words"].items()}, "sentences": value["sentences"]}
        for name, model in models.items():
            if not _is_model(model):
                yield Fault(f"{place}.{name}", "is no sum of curves and effects")


def _is_model(model: Any) -> bool:
    if not isinstance(model, dict) or set(model) != {"intercept", *PARTS} or not is_number(model["intercept"]):
        return False
    if not all(isinstance(model[part], dict) and all(map(_is_list, model[part].values())) for part in PARTS):
        return False
    places, curves = model["places"], model["curves"]
    fits = places.keys() == curves.keys() and all(len(places[name]) == len(curves[name]) > 0 for name in places)
    return fits and all(list(each) == sorted(set(each)) for each in places.values())


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_number, value))


CALIBRATOR = CalibratorKind()
