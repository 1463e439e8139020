"""Boosting schemes and forms of the decoder by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headway.base.registry import Registry

if TYPE_CHECKING:
    from headway.parsers.boosted.schemes import Scheme

SCHEMES: Registry[type[Scheme]] = Registry(
    "boosting scheme",
    "headway.schemes",
    {
        "additive": "headway.parsers.boosted.schemes:Additive",
        "adaboost-m1": "headway.parsers.boosted.schemes:AdaBoostM1",
        "adaboost-m2": "headway.parsers.boosted.schemes:AdaBoostM2",
        "logistic-loss": "headway.parsers.boosted.schemes:LogisticLoss",
    },
)
FORMS = {"split-head": False, "cky": True}
"""Whether a form goes by spans with their heads (O(n⁵), pruned without loss) or by halves of heads (O(n³ × states))."""
