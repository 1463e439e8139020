"""Forged checkpoints: those of small trainings with other things in them, and right checksums.

`python tests/forged_checkpoints.py FOLDER EVERY NAME` begins the training NAME, forges its checkpoint in all ways of
`forged.py`, and goes on from every EVERY-th forgery. Each must be refused in one sentence, or the training must end
with a stage. Without NAME all trainings are begun. `tests/checked.sh` does so with kernels that check memory.
"""

from __future__ import annotations

import faulthandler
import logging
import sys
from itertools import islice
from pathlib import Path

import forged
import numpy as np

from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.learners.registry import learner
from headway.parsers.boosted.options import BoostedOptions
from headway.parsers.graph.options import GraphOptions
from headway.parsers.transition.options import TransitionOptions
from headway.stages import model_file as model
from headway.stages.contract import Packed
from headway.training.loop import TrainingLoop

OPTIONS = {
    "transition": TransitionOptions(features="malt-14", learner=learner("cw", passes=3)),
    "graph": GraphOptions(features="mst", bits=10, label_bits=9, order=1, learner=learner("arow", passes=3)),
    "boosted": BoostedOptions(
        features="local",
        label_features="mst",
        rounds=3,
        states="predicted",
        boosting="logistic-loss",
        keep="best",
        learner=learner("exponential", strength=9.0),
    ),
}


class Begun:
    """A training with a checkpoint after its first step."""

    def __init__(self, name: str, folder: Path) -> None:
        self.options, self.path = OPTIONS[name], folder / "checkpoint"
        self.data, self.dev = (list(batches_of(generate(6, seed=seed, nonprojective=0.1))) for seed in (1, 2))
        next(iter(self.loop(seconds=0.0)))
        header, arrays = model.read(self.path)
        self.header, self.arrays = header, {name: np.array(array) for name, array in arrays.items()}

    def loop(self, seconds: float = 1000.0) -> TrainingLoop:
        """The training, which goes on from whatever the checkpoint holds."""
        return TrainingLoop(
            self.options, self.data, dev=self.dev, checkpoint=self.path, checkpoint_seconds=seconds, patience=9
        )

    def outcome(self, header, arrays):
        """The sentence with which a checkpoint is refused, or None where the training goes on to its end."""
        forged.write(self.path, header, arrays)
        try:
            assert self.loop().run().pack().header["about"]
        except HeadwayError as error:
            return str(error).removeprefix(f"{self.path}: ")
        return None

    def forgeries(self):
        """Forged checkpoints, each with what was done to it; of the identity only the top, since it is compared."""
        rest = {name: value for name, value in self.header.items() if name != "identity"}
        for what, (header, arrays) in forged.forgeries(Packed(rest, self.arrays)):
            yield what, {"identity": self.header["identity"], **header}, arrays
        for path in [("identity",), *(("identity", name) for name in self.header["identity"])]:
            for value in forged.VALUES:
                yield f"{path} = {value}"[:60], forged.with_value(self.header, path, value), self.arrays


def run(begun, every=1):
    """Go on from forgeries; how many were refused, and how many trainings ended."""
    refused = harmless = 0
    with np.errstate(all="ignore"):
        for what, header, arrays in islice(begun.forgeries(), None, None, every):
            (begun.path.parent / "last").write_text(ascii(what))
            message = begun.outcome(header, arrays)
            assert message is None or ("\n" not in message and "; " in message), f"{what}: {message}"
            refused, harmless = refused + (message is not None), harmless + (message is None)
    return refused, harmless


if __name__ == "__main__":
    faulthandler.enable()
    logging.getLogger("headway").setLevel(logging.ERROR)
    place, every, *names = sys.argv[1:]
    Path(place).mkdir(parents=True, exist_ok=True)
    for each in names or OPTIONS:
        (Path(place) / "checkpoint").unlink(missing_ok=True)
        print(each, *run(Begun(each, Path(place)), int(every)), flush=True)
