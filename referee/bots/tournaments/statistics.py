"""Shares with intervals, and a test that may stop early.

Sources: E. B. Wilson, Probable inference, the law of succession, and statistical inference (1927); A. Wald, Sequential
tests of statistical hypotheses (1945).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

Z_95 = 1.96
ERROR = 0.05  # of a sequential test: the chance of either wrong answer
MARGIN = 0.05  # by how much a share has to exceed a bar for a sequential test to find it above


def compute_wilson_interval(won: float, count: int, z: float = Z_95) -> tuple[float, float]:
    """Return the interval of the true share; z = 1.96 holds in 95 of 100 cases.

    Without any trial it is everything from 0 to 1.
    """
    if count == 0:
        return 0.0, 1.0
    share, divisor = won / count, 1 + z * z / count
    middle = (share + z * z / 2 / count) / divisor
    half = z * math.sqrt(share * (1 - share) / count + z * z / 4 / count / count) / divisor
    return max(0.0, middle - half), min(1.0, middle + half)


def compute_joint_z(tests: int, error: float = ERROR) -> float:
    """Return the z at which many intervals all hold at once (Bonferroni).

    They do with a chance of 1 - `error`.
    """
    return NormalDist().inv_cdf(1 - error / 2 / max(1, tests))


@dataclass(frozen=True)
class Share:
    """How many of some trials succeeded."""

    won: float = 0
    of: int = 0

    @property
    def value(self) -> float:
        """The share; 0 without trials."""
        return self.won / self.of if self.of else 0.0

    def interval(self, z: float = Z_95) -> tuple[float, float]:
        """Return the interval of the true share after Wilson."""
        return compute_wilson_interval(self.won, self.of, z)

    def __add__(self, other: Share) -> Share:
        return Share(self.won + other.won, self.of + other.of)


NONE = Share()


@dataclass(frozen=True)
class SequentialTest:
    """Wald's test of whether a share lies above a bar, trial by trial.

    It weighs "the share is `bar`" against "the share is `bar` + `margin`". Each wrong answer has a chance of at most
    `error`, however often one looks. That takes trials to be independent. Matches of one round are not quite: they have
    the same luck with the seats turned, which evens out what a lucky seat wins.
    """

    bar: float
    margin: float = MARGIN
    error: float = ERROR

    def __post_init__(self) -> None:
        if not 0 < self.bar < self.bar + self.margin < 1:
            raise ValueError("a bar and its margin lie between 0 and 1")

    @property
    def bound(self) -> float:
        """The evidence that decides: the logarithm of the likelihood ratio."""
        return math.log((1 - self.error) / self.error)

    def weigh(self, won: int, of: int) -> float:
        """Return the evidence of some trials: positive for "above"."""
        better = self.bar + self.margin
        return won * math.log(better / self.bar) + (of - won) * math.log((1 - better) / (1 - self.bar))

    def decide(self, rounds: Iterable[Share]) -> tuple[Literal["above", "not above", "open"], Share]:
        """Return the verdict, and the trials that it rests on.

        One looks after each round. What comes after a verdict does not count.
        """
        seen = NONE
        for each in rounds:
            seen = seen + each
            weight = self.weigh(int(seen.won), seen.of)
            if abs(weight) >= self.bound:
                return ("above" if weight > 0 else "not above"), seen
        return "open", seen
