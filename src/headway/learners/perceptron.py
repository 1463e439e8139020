"""The perceptron; its step is in `kernels/weights/rules.pxd`."""

from __future__ import annotations

from dataclasses import dataclass

from headway.learners.online import Online


@dataclass(frozen=True, kw_only=True)
class Perceptron(Online):
    """Moves by one whenever the prediction is wrong. Rosenblatt (1958), Collins (2002)."""

    rule = "perceptron"
