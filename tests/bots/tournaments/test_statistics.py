"""Intervals and the sequential test: known values, and how often it errs."""

from __future__ import annotations

import random

import pytest

from referee.bots.tournaments.statistics import SequentialTest, Share, compute_joint_z, compute_wilson_interval


@pytest.mark.parametrize(
    ("won", "of", "low", "high"),
    [
        # R. G. Newcombe, Two-sided confidence intervals for the single proportion (1998), table I
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_has_the_published_values(won: int, of: int, low: float, high: float) -> None:
    assert compute_wilson_interval(won, of) == pytest.approx((low, high), abs=0.0001)
    assert compute_wilson_interval(of - won, of) == pytest.approx((1 - high, 1 - low), abs=0.0001)


def test_no_trials_say_nothing() -> None:
    assert Share().interval() == (0.0, 1.0)
    assert Share().value == 0.0


def test_many_intervals_at_once_are_wider() -> None:
    assert compute_joint_z(1) == pytest.approx(1.96, abs=0.001)
    assert compute_joint_z(100) == pytest.approx(3.481, abs=0.001)


def decide(share: float, seed: int, most: int = 5000) -> tuple[str, int]:
    dice, test = random.Random(f"test {seed}"), SequentialTest(0.6, 0.1)
    verdict, seen = test.decide(Share(sum(dice.random() < share for _ in range(2)), 2) for _ in range(most // 2))
    return verdict, seen.of


def test_the_sequential_test_seldom_errs_and_stops_early_if_the_case_is_clear() -> None:
    below = [decide(0.6, seed) for seed in range(300)]
    above = [decide(0.7, seed) for seed in range(300)]
    assert sum(verdict == "above" for verdict, _ in below) <= 300 * 0.08, "5 % and some room for chance"
    assert sum(verdict == "not above" for verdict, _ in above) <= 300 * 0.08
    clear = [decide(0.95, seed) for seed in range(30)]
    assert {verdict for verdict, _ in clear} == {"above"}
    assert max(count for _, count in clear) < 60


def test_what_comes_after_the_verdict_does_not_count() -> None:
    test, won, lost = SequentialTest(0.5, 0.1), Share(2, 2), Share(0, 2)
    verdict, seen = test.decide([won] * 10 + [lost] * 100)
    assert verdict == "above"
    assert seen.of < 20
    assert test.decide([won]) == ("open", won)


@pytest.mark.parametrize(("bar", "margin"), [(0.0, 0.1), (0.96, 0.05), (0.5, 0.0), (-1, 2)])
def test_a_bar_that_nothing_can_exceed_is_refused(bar: float, margin: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        SequentialTest(bar, margin)
