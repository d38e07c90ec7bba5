"""The chi-squared test: against published tables, against an independent integration, and against seeded dice."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from referee.ratings import fairness
from referee.ratings.fairness import (
    DiceFairness,
    can_tell_dice_apart,
    chi_squared_survival,
    compute_sums,
    count_faces,
    group_by_reporter,
    parse_sums,
)

TABLE = [  # degrees of freedom, upper tail, critical value: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4
    (1, 0.10, 2.706), (1, 0.05, 3.841), (1, 0.01, 6.635), (1, 0.001, 10.828),
    (2, 0.10, 4.605), (2, 0.05, 5.991), (2, 0.01, 9.210), (2, 0.001, 13.816),
    (3, 0.05, 7.815), (4, 0.05, 9.488), (5, 0.10, 9.236), (5, 0.05, 11.070), (5, 0.025, 12.833),
    (5, 0.01, 15.086), (5, 0.001, 20.515), (7, 0.05, 14.067), (9, 0.05, 16.919), (11, 0.05, 19.675),
    (19, 0.05, 30.144), (19, 0.001, 43.820), (99, 0.05, 123.225), (100, 0.01, 135.807),
]  # fmt: skip


@pytest.mark.parametrize(("freedom", "tail", "critical"), TABLE)
def test_the_tail_agrees_with_the_published_table(freedom: int, tail: float, critical: float) -> None:
    slope = 0.0006  # the table is rounded to three decimals
    assert chi_squared_survival(critical, freedom) == pytest.approx(tail, abs=slope * tail * 2 + 1e-6)


@pytest.mark.parametrize("freedom", [1, 2, 3, 5, 7, 11, 19, 40])
def test_the_tail_agrees_with_the_density_integrated(freedom: int) -> None:
    def density(x: float) -> float:
        return math.exp((freedom / 2 - 1) * math.log(x) - x / 2 - math.lgamma(freedom / 2) - freedom / 2 * math.log(2))

    low, high, steps = 0.5, 12.0, 4000
    width = (high - low) / steps
    inner = sum((1 if at in (0, steps) else 4 if at % 2 else 2) * density(low + at * width) for at in range(steps + 1))
    assert chi_squared_survival(low, freedom) - chi_squared_survival(high, freedom) == pytest.approx(
        inner * width / 3, rel=1e-9
    )


def test_the_tail_begins_at_one_falls_and_ends_at_zero() -> None:
    for freedom in range(1, 30):
        found = [chi_squared_survival(x / 4, freedom) for x in range(400)]
        assert found[0] == 1.0
        assert all(one >= other for one, other in itertools.pairwise(found))
        assert chi_squared_survival(1e6, freedom) == 0.0


@pytest.mark.parametrize(("x", "freedom"), [(1.0, 0), (-0.1, 3)])
def test_what_is_no_chi_squared_is_refused(x: float, freedom: int) -> None:
    with pytest.raises(ValueError, match="degrees"):
        chi_squared_survival(x, freedom)


def test_a_worked_example_comes_out_right() -> None:
    example = DiceFairness((22, 24, 38, 30, 46, 44))  # 204 throws, 34 of each face expected
    assert example.expected_count == 34.0
    assert example.chi_squared == pytest.approx((12**2 + 10**2 + 4**2 + 4**2 + 12**2 + 10**2) / 34)
    assert example.p_value == pytest.approx(0.0088, abs=0.0005)
    assert example.verdict == "unusual"


def test_few_throws_have_no_p_and_no_throws_no_chi_squared() -> None:
    assert DiceFairness((29, 0, 0, 0, 0, 0)).p_value is None
    assert DiceFairness((29, 0, 0, 0, 0, 0)).verdict == "too_few"
    assert DiceFairness((30, 0, 0, 0, 0, 0)).verdict == "rare"
    nothing = DiceFairness((0,) * 6)
    assert (nothing.chi_squared, nothing.p_value, nothing.throw_count) == (0.0, None, 0)


def test_even_dice_come_out_unusual_as_seldom_as_they_should_and_loaded_ones_nearly_always() -> None:
    source = random.Random(20261121)

    def series(weights: tuple[int, ...]) -> DiceFairness:
        thrown = source.choices(range(6), weights, k=120)
        return DiceFairness(tuple(thrown.count(face) for face in range(6)))

    fair = sum((series((1,) * 6).p_value or 0) < 0.05 for _ in range(2000)) / 2000
    assert 0.035 < fair < 0.065
    assert sum(series((1, 1, 1, 1, 1, 3)).verdict != "ordinary" for _ in range(200)) > 190


def test_dice_that_are_always_reported_by_size_are_not_told_apart() -> None:
    rising = [(6, (1, 4)), (6, (2, 2)), (6, (3, 6)), (6, (5, 6))] * 2
    assert not can_tell_dice_apart(rising)
    assert not can_tell_dice_apart([(6, values[::-1]) for _, values in rising])
    assert can_tell_dice_apart(rising[:7])
    assert can_tell_dice_apart([*rising, (6, (6, 1))])
    assert set(count_faces(rising)) == {(6, 0, 0)}
    assert set(count_faces([*rising, (6, (6, 1))])) == {(6, 0, 0), (6, 2, 1), (6, 2, 2)}
    assert can_tell_dice_apart([(6, (value,)) for value in (1, 2, 3, 4, 5, 6, 6, 6, 6)])


def test_counts_hold_each_die_once_for_itself_and_once_for_all() -> None:
    found = count_faces([(6, (1, 6)), (6, (6, 6)), (6, (3,)), (20, (20,))])
    assert found[6, 0, 0] == [1, 0, 1, 0, 0, 3]
    assert found[6, 2, 1] == [1, 0, 0, 0, 0, 1]
    assert found[6, 2, 2] == [0, 0, 0, 0, 0, 2]
    assert sum(found[20, 0, 0]) == 1


def test_sums_of_matches_add_up_to_the_counts_of_all() -> None:
    source = random.Random(4)
    reports = [
        (source.choice(("0", "1", "host")), 6, tuple(source.randint(1, 6) for _ in range(2))) for _ in range(120)
    ]
    first, second = compute_sums(group_by_reporter(reports[:60])), compute_sums(group_by_reporter(reports[60:]))
    both = {name: first.get(name, 0) + second.get(name, 0) for name in first | second}
    assert both["matches"] == 2
    assert both["tested"] == 6
    expected = [sum(values.count(face) for _, _, values in reports) for face in range(1, 7)]
    assert list(parse_sums(both)[6, 0, 0].counts) == expected
    assert fairness.MIN_EXPECTED * 6 == 30
