"""Fairness of dice: Pearson's chi-squared test of counts against equal odds.

Source: M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 26.4.4, 26.4.5 and 26.4.19 (the tail of the
chi-squared distribution for whole degrees of freedom, a finite sum). Below five expected throws a face the distribution
is no good approximation (W. G. Cochran, 1954), so no p is given there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

MIN_EXPECTED = 5  # throws per face; with fewer a p value would mean nothing
UNUSUAL, RARE = 0.05, 0.001
MAX_SORTED_ROLLS = 8  # this many rolls, all sorted, are no chance: (21/36)^8 < 1.5 %

Rolls = Sequence[tuple[int, tuple[int, ...]]]  # sides of the dice, what they showed, roll by roll


def chi_squared_survival(x: float, freedom: int) -> float:
    """Return the chance that a chi-squared variable exceeds `x`.

    `freedom` is its degrees of freedom. The result is Q(freedom / 2, x / 2), the regularized upper incomplete gamma
    function, summed up from Q(1/2, ·) or Q(1, ·). Raises ValueError below one degree of freedom, or if x is negative.
    """
    if freedom < 1 or x < 0:
        raise ValueError("degrees of freedom start at 1, and x cannot be negative")
    half, a = x / 2, (0.5 if freedom % 2 else 1.0)
    found = math.erfc(math.sqrt(half)) if freedom % 2 else math.exp(-half)
    while half > 0 and a < freedom / 2:
        found += math.exp(a * math.log(half) - half - math.lgamma(a + 1))
        a += 1
    return min(1.0, found)


@dataclass(frozen=True, slots=True)
class DiceFairness:
    """How evenly faces came; `counts` by face from 1 on."""

    counts: tuple[int, ...]

    @property
    def throw_count(self) -> int:
        """The number of throws."""
        return sum(self.counts)

    @property
    def expected_count(self) -> float:
        """How often each face would come with equal odds."""
        return self.throw_count / len(self.counts)

    @property
    def chi_squared(self) -> float:
        """The sum of squared differences from the expected count, divided by that count.

        It is 0 without throws.
        """
        return (
            sum((count - self.expected_count) ** 2 for count in self.counts) / self.expected_count
            if self.throw_count
            else 0.0
        )

    @property
    def degrees_of_freedom(self) -> int:
        """The degrees of freedom."""
        return len(self.counts) - 1

    @property
    def p_value(self) -> float | None:
        """The chance of this unevenness from a fair die; None below MIN_EXPECTED a face."""
        return (
            chi_squared_survival(self.chi_squared, self.degrees_of_freedom)
            if self.expected_count >= MIN_EXPECTED
            else None
        )

    @property
    def verdict(self) -> str:
        """What the figures allow to say: `too_few`, `ordinary`, `unusual` or `rare`."""
        if self.p_value is None:
            return "too_few"
        return "rare" if self.p_value < RARE else "unusual" if self.p_value < UNUSUAL else "ordinary"


def count_faces(rolls: Rolls) -> dict[tuple[int, int, int], list[int]]:
    """Return how often each face came, by (sides, dice in a roll, which of them).

    Under (sides, 0, 0) stand all dice of those sides together. Which of several dice it was counts only if
    `can_tell_dice_apart`.
    """
    found: dict[tuple[int, int, int], list[int]] = {}
    apart = can_tell_dice_apart(rolls)
    for sides, values in rolls:
        for which, value in enumerate(values, 1):
            places = [(sides, 0, 0), *([(sides, len(values), which)] if apart and len(values) > 1 else [])]
            for place in places:
                found.setdefault(place, [0] * sides)[value - 1] += 1
    return found


def can_tell_dice_apart(rolls: Rolls) -> bool:
    """Tell whether several dice of a roll can be distinguished.

    They cannot if they were always reported by size.
    """
    several = [values for _sides, values in rolls if len(values) > 1]
    if len(several) < MAX_SORTED_ROLLS:
        return True
    rising = all(tuple(sorted(values)) == values for values in several)
    falling = all(tuple(sorted(values, reverse=True)) == values for values in several)
    return not (rising or falling)


def group_by_reporter(reports: Iterable[tuple[str, int, tuple[int, ...]]]) -> dict[str, Rolls]:
    """Return the rolls of each reporter, in their order."""
    found: dict[str, list[tuple[int, tuple[int, ...]]]] = {}
    for by, sides, values in reports:
        found.setdefault(by, []).append((sides, values))
    return dict(sorted(found.items()))


def compute_sums(rolls_by_reporter: Mapping[str, Rolls]) -> dict[str, int]:
    """Return what the reports of a match add to the sums of its game.

    The sums are counts by `sides:dice:which:face`. Besides, `tested` counts the reporters who threw enough to be
    tested, `unusual` and `rare` those below each bound (`unusual` counts the rare as well).
    """
    found: dict[str, int] = {"matches": 1}
    for rolls in rolls_by_reporter.values():
        for (sides, dice, which), counts in count_faces(rolls).items():
            for face, count in enumerate(counts, 1):
                name = f"{sides}:{dice}:{which}:{face}"
                found[name] = found.get(name, 0) + count
            p = DiceFairness(tuple(counts)).p_value if not dice else None
            if p is not None:
                for name, holds in (("tested", True), ("unusual", p < UNUSUAL), ("rare", p < RARE)):
                    found[name] = found.get(name, 0) + holds
    return {name: count for name, count in found.items() if count}


def parse_sums(added: Mapping[str, int]) -> dict[tuple[int, int, int], DiceFairness]:
    """Return the fairness of dice behind sums, by (sides, dice in a roll, which)."""
    counts: dict[tuple[int, int, int], dict[int, int]] = {}
    for name, count in added.items():
        if ":" in name:
            sides, dice, which, face = map(int, name.split(":"))
            counts.setdefault((sides, dice, which), {})[face] = count
    return {
        place: DiceFairness(tuple(faces.get(face, 0) for face in range(1, place[0] + 1)))
        for place, faces in sorted(counts.items())
    }
