"""Transition systems by name: ours, and those that other distributions bring as entry points."""

from __future__ import annotations

from headway.base.registry import Registry
from headway.kernels.transition.systems.ours import OURS
from headway.kernels.transition.systems.system import TransitionSystem

SYSTEMS: Registry[TransitionSystem] = Registry(
    "transition system", "headway.systems", OURS, needs=("roots", "explores", "assure_complete")
)
