"""Every step rule of ours once more, as a learner in plain Python with the formulas of the papers."""

import math
from dataclasses import dataclass

from headway.learners.online import Online


@dataclass(frozen=True, kw_only=True)
class PlainPerceptron(Online):
    def step(self, margin, variance, wanted):
        return (1.0, 0.0) if margin <= 0 else (0.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class PlainPA(Online):
    def step(self, margin, variance, wanted):
        return max(0.0, wanted - margin) / variance, 0.0


@dataclass(frozen=True, kw_only=True)
class PlainPA1(Online):
    C: float = 0.05

    def step(self, margin, variance, wanted):
        return min(self.C, max(0.0, wanted - margin) / variance), 0.0


@dataclass(frozen=True, kw_only=True)
class PlainPA2(PlainPA1):
    def step(self, margin, variance, wanted):
        return max(0.0, wanted - margin) / (variance + 1 / (2 * self.C)), 0.0


@dataclass(frozen=True, kw_only=True)
class PlainCW(Online):
    variance = True
    own_margin = True
    passes: int = 5
    average: bool = False
    phi: float = 1.0

    def step(self, margin, variance, wanted):
        psi, xi = 1 + self.phi**2 / 2, 1 + self.phi**2
        root = math.sqrt(margin**2 * self.phi**4 / 4 + variance * self.phi**2 * xi)
        alpha = max(0.0, (-margin * psi + root) / (variance * xi))
        if alpha == 0:
            return 0.0, 0.0
        spread = (-alpha * variance * self.phi + math.sqrt((alpha * variance * self.phi) ** 2 + 4 * variance)) / 2
        return alpha, alpha * self.phi / spread


@dataclass(frozen=True, kw_only=True)
class PlainCWVariance(PlainCW):
    def step(self, margin, variance, wanted):
        u = 1 + 2 * self.phi * margin
        root = math.sqrt(u**2 - 8 * self.phi * (margin - self.phi * variance))
        alpha = max(0.0, (-u + root) / (4 * self.phi * variance))
        return alpha, 2 * alpha * self.phi


@dataclass(frozen=True, kw_only=True)
class PlainAROW(Online):
    variance = True
    r: float = 1.0

    def step(self, margin, variance, wanted):
        beta = 1 / (variance + self.r)
        return (max(0.0, wanted - margin) * beta, 1 / self.r) if margin < wanted else (0.0, 0.0)


PLAIN = {
    "perceptron": PlainPerceptron,
    "pa": PlainPA,
    "pa-1": PlainPA1,
    "pa-2": PlainPA2,
    "cw": PlainCW,
    "cw-variance": PlainCWVariance,
    "arow": PlainAROW,
}
