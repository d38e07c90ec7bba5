"""Who meets whom in a round: what all systems share. See `systems.pair_round`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from referee.engine.chance import RandomBelow, shuffle_cards
from referee.tournament.results import TableResult, list_seatings
from referee.tournament.standings import Points, compute_totals

REASONS = frozenset({
    "joined_after_lots", "missing_result", "no_rounds_left", "nobody_is_left", "not_splittable", "pairings_are_entered",
    "results_off_bracket", "tables_of_two_only", "too_few_players", "too_many_rounds", "tournament_is_decided",
    "undecided_table", "unknown_system", "wrong_number_of_rounds",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pairing:
    """The tables of a round: numbers of entrants in the order of their seats.

    One alone has a bye. Those who have a bye stand behind all tables. Raises ValueError if a player is at two tables,
    or a table is empty.
    """

    tables: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        seated = [player for table in self.tables for player in table]
        if len(set(seated)) < len(seated) or not all(self.tables):
            raise ValueError("each player sits at one table, and no table is empty")
        sizes = [len(table) > 1 for table in self.tables]
        if sizes != sorted(sizes, reverse=True):
            raise ValueError("those who have a bye stand behind all tables")


class NotPairable(ValueError):
    """A round that cannot be paired: a reason out of REASONS, and what it is about."""

    def __init__(self, reason: str, **params: int | str) -> None:
        """Keep the reason and its parameters."""
        super().__init__(f"{reason} {params}" if params else reason)
        self.reason = reason
        self.params = params


def build_pairing(tables: Iterable[tuple[int, ...]]) -> Pairing:
    """Return tables as a pairing, in their order, the byes last."""
    return Pairing(tuple(sorted(tables, key=lambda table: len(table) == 1)))


def require_lots(players: Iterable[int], lots: Sequence[int]) -> None:
    """Check that each player has a lot. Raises NotPairable."""
    for player in sorted(set(players) - set(lots)):
        raise NotPairable("joined_after_lots", player=player)


def rank_players(
    players: Iterable[int], results: Sequence[TableResult], points: Points, lots: Sequence[int]
) -> tuple[list[int], dict[int, int]]:
    """Return players by points and then by lots, and the points of each.

    Those without a lot come last among equals. The points are brought to whole numbers, all by the same factor.
    """
    drawn = {player: place for place, player in enumerate(lots)}
    totals = compute_totals(players, results, points)
    unit = lcm(*(total.denominator for total in totals.values()))
    scores = {player: int(total * unit) for player, total in totals.items()}
    return sorted(scores, key=lambda each: (-scores[each], drawn.get(each, len(drawn)), each)), scores


def order_seats(players: Iterable[int], results: Sequence[TableResult], below: RandomBelow) -> tuple[int, ...]:
    """Return the players of a table in the order of their seats.

    The first seat goes to the one who had it least often, measured by the tables played; among equals to one who did
    not have it last; and then by chance, as the other seats.
    """
    order = shuffle_cards(players, below)
    first = min(order, key=lambda player: _weigh_firsts(player, results))
    return (first, *(player for player in order if player != first))


def measure_first_surplus(player: int, results: Sequence[TableResult]) -> Fraction:
    """Return how much more often a player had the first seat than with even shares."""
    played = [result for result in results if not result.is_bye and player in result.players]
    return sum(
        (Fraction(result.players[0] == player) - Fraction(1, len(result.players)) for result in played), Fraction(0)
    )


def _weigh_firsts(player: int, results: Sequence[TableResult]) -> tuple[Fraction, bool]:
    """Return what the first seat is given by, the lowest first."""
    return measure_first_surplus(player, results), ([False, *list_seatings(results, player)])[-1]
