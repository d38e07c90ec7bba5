"""Dice of every size and shuffles are even; mutants that are wrong in the usual ways are found by the same tests."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from referee.engine import codec
from referee.engine.chance import ChanceStep, shuffle_cards
from referee.games import load_games
from referee.transparency import randomness
from referee.transparency.randomness import SPAN, ServerRandomSource
from tests.transparency.fairness import Below, deviation, even

pytestmark = pytest.mark.deep

KEY = bytes.fromhex("6b1f0e8a94c27d355fe2a3b8c1d04976e5aa10bb3c7d82f69e40135724fd8c6b")
MATCH = "07-abcdefghijklmnopqrstuvwxyz"
SIDES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 20, 36, 52, 78, 100, 168, 200)
A_DRAW = 60  # expected for each side


def server(purpose: str) -> Below:
    return ServerRandomSource(KEY).source(MATCH, 0, 3, purpose)


def bytewise(purpose: str) -> Below:
    """A mutant: one byte of the stream, modulo n, and nothing thrown away."""
    stream = server(purpose)
    return lambda n: stream(256) % n


@pytest.mark.parametrize("sides", SIDES)
def test_dice_of_every_size_are_even(sides: int) -> None:
    below = server(f"dice-{sides}")
    assert even((below(sides) for _ in range(A_DRAW * sides)), sides)


@pytest.mark.parametrize("sides", [78, 100, 168, 200])
def test_a_die_of_single_bytes_modulo_its_sides_is_found_to_be_biased(sides: int) -> None:
    below = bytewise(f"dice-{sides}")
    assert not even((below(sides) for _ in range(A_DRAW * sides)), sides)


def test_a_die_that_never_rolls_its_last_side_and_one_that_goes_round_are_found() -> None:
    below, turning = server("dice-6"), itertools.cycle(range(20))
    assert not even((below(5) for _ in range(360)), 6)
    assert not even((next(turning) for _ in range(2000)), 20), "too even is not by chance either"


@pytest.mark.parametrize("sides", [2, 6, 20])
def test_each_roll_is_independent_of_the_ones_before_it(sides: int) -> None:
    below = server(f"runs-{sides}")
    rolls = [below(sides) for _ in range(20 * sides * sides)]
    for apart in (1, 2, 3, 4, 5):  # four come from one block
        assert even(zip(rolls, rolls[apart:], strict=False), sides * sides), apart


def test_rolls_of_successive_versions_and_of_two_purposes_at_one_version_are_independent() -> None:
    rolls = [ServerRandomSource(KEY).source(MATCH, 0, version, "dice")(6) for version in range(1, 1800)]
    decks = [ServerRandomSource(KEY).source(MATCH, 0, version, "deck")(6) for version in range(1, 1800)]
    later = [ServerRandomSource(KEY).source(MATCH, 1, version, "dice")(6) for version in range(1, 1800)]
    seeded = [ServerRandomSource(KEY).source(MATCH, 0, version, "dice", b"seed")(6) for version in range(1, 1800)]
    for other in (rolls[1:], decks, later, seeded):
        assert even(zip(rolls, other, strict=False), 36)
    assert not even(zip(rolls, rolls, strict=True), 36), "the same stream twice is found"


# -- near 2^64 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "numbers", "given"),
    [
        (SPAN, [SPAN - 1, 0], [SPAN - 1, 0]),
        (SPAN - 1, [SPAN - 1, SPAN - 2, 0], [SPAN - 2, 0]),
        (SPAN // 2 + 1, [SPAN // 2 + 1, SPAN - 1, SPAN // 2, 5], [SPAN // 2, 5]),
        (SPAN // 2, [SPAN - 1, SPAN // 2], [SPAN // 2 - 1, 0]),
        (3, [SPAN - 1, SPAN - 2, SPAN - 3, 0], [2, 1, 0]),
        (6, [SPAN - 1, SPAN - 4, SPAN - 5, 7], [5, 1]),
        (10, [SPAN - 6, SPAN - 7, 19], [9, 9]),
        (1, [SPAN - 1, 0], [0, 0]),
    ],
)
def test_what_lies_beyond_the_last_whole_multiple_is_thrown_away_and_nothing_else(
    n: int, numbers: list[int], given: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(randomness, "_generate_numbers", lambda *_: iter(numbers))
    below = server("edge")
    assert [below(n) for _ in given] == given
    with pytest.raises((StopIteration, RuntimeError)):  # all of it was used, or thrown away
        below(n)


def test_draws_just_below_two_to_the_64_are_even_and_without_rejection_they_are_not() -> None:
    n, quarter = 3 * (SPAN // 4), SPAN // 4
    below, raw = server("large"), server("large")
    assert even((below(n) // quarter for _ in range(600)), 3)
    assert not even((raw(SPAN) % n // quarter for _ in range(600)), 3)


# -- shuffles ----------------------------------------------------------------------------------------------------------

Shuffle = Callable[[list[Any], Below], list[Any]]


def naive(cards: list[Any], below: Below) -> list[Any]:
    """A mutant: each card changes places with any."""
    order = list(cards)
    for at in range(len(order)):
        other = below(len(order))
        order[at], order[other] = order[other], order[at]
    return order


def cyclic(cards: list[Any], below: Below) -> list[Any]:
    """A mutant (Sattolo's): no card may stay where it is."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = below(last)
        order[last], order[other] = order[other], order[last]
    return order


def short(cards: list[Any], below: Below) -> list[Any]:
    """A mutant: it ends one card too soon."""
    order = list(cards)
    for last in range(len(order) - 1, 1, -1):
        other = below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def keyed(cards: list[Any], below: Below) -> list[Any]:
    """A mutant: sorted by random keys that meet too often, and then keep their order."""
    return sorted(cards, key=lambda _: below(8))


def cut(cards: list[Any], below: Below) -> list[Any]:
    """A mutant: the pile is only cut."""
    at = below(len(cards))
    return [*cards[at:], *cards[:at]]


def all_orders(shuffle: Shuffle, below: Below) -> bool:
    """Whether all orders of five cards come equally often."""
    return even((tuple(shuffle(list(range(5)), below)) for _ in range(40 * math.factorial(5))), math.factorial(5))


def positions(shuffle: Shuffle, below: Below, size: int = 10, times: int = 2000) -> bool:
    """Whether each card comes to each place equally often."""
    orders = [shuffle(list(range(size)), below) for _ in range(times)]
    return even(((card, at) for order in orders for at, card in enumerate(order)), size * size)


def pairs(shuffle: Shuffle, below: Below, size: int = 12, times: int = 900) -> bool:
    """Whether each card follows each other one equally often."""
    orders = [shuffle(list(range(size)), below) for _ in range(times)]
    return even((pair for order in orders for pair in itertools.pairwise(order)), size * (size - 1))


@pytest.mark.parametrize("statistic", [all_orders, positions, pairs])
def test_shuffles_are_even_in_their_orders_places_and_neighbours(statistic: Callable[..., bool]) -> None:
    assert statistic(shuffle_cards, server(f"shuffle-{statistic.__name__}"))


@pytest.mark.parametrize(
    ("mutant", "found"),
    [
        (naive, {"all_orders", "positions"}),
        (cyclic, {"all_orders", "positions"}),
        (short, {"all_orders", "positions"}),
        (keyed, {"all_orders", "positions", "pairs"}),
        (cut, {"all_orders", "pairs"}),
    ],
)
def test_a_shuffle_that_is_wrong_is_found_to_be(mutant: Shuffle, found: set[str]) -> None:
    for statistic in (all_orders, positions, pairs):
        if statistic.__name__ in found:
            assert not statistic(mutant, server(f"mutant-{statistic.__name__}")), statistic.__name__


def test_the_statistics_find_no_fault_with_a_source_of_another_kind() -> None:
    other = random.Random(20261122).randrange
    assert all_orders(shuffle_cards, other)
    assert positions(shuffle_cards, other)
    assert pairs(shuffle_cards, other)
    assert abs(deviation_of(other)) < 5


def deviation_of(below: Below) -> float:
    return deviation(Counter(below(6) for _ in range(6000)), 6)


# -- purposes ----------------------------------------------------------------------------------------------------------


def chance_steps() -> Iterator[type[Any]]:
    """Every kind of step that awaits chance, of all games."""
    load_games()
    yield from (kind for kind in codec.REGISTRY.values() if isinstance(kind, type) and issubclass(kind, ChanceStep))


def test_every_kind_of_chance_step_draws_from_a_stream_of_its_own() -> None:
    kinds = list(chance_steps())
    assert len(kinds) > 10
    purposes = [kind.TAG for kind in kinds]
    assert len(set(purposes)) == len(purposes)
    secret = ServerRandomSource(KEY).secret(MATCH)
    keys = [randomness._derive_subkey(secret, f"draw/{purpose}") for purpose in purposes]
    keys += [randomness._derive_subkey(secret, "salt"), secret, KEY]
    assert len(set(keys)) == len(keys)
    streams = [ServerRandomSource(KEY).source(MATCH, 0, 9, purpose) for purpose in purposes]
    numbers = [below(SPAN) for below in streams for _ in range(8)]
    assert len(set(numbers)) == len(numbers)
