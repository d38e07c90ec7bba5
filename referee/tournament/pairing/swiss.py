"""Swiss: players of like points meet, nobody meets anyone twice.

This is a Monrad-like Swiss: the best of all possible pairings is searched, by the list of aims in `_weigh_table`. It is
not the FIDE (Dutch) system of Handbook C.04.3, which pairs score groups by a procedure of its own. Organisers who need
that one export the results, have them paired elsewhere and import the pairing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.engine.chance import RandomBelow
from referee.tournament.pairing import Pairing, build_pairing, measure_first_surplus, order_seats, rank_players
from referee.tournament.results import TableResult, count_byes, count_meetings
from referee.tournament.standings import Points

LOT_BYTES = 8


@dataclass(frozen=True)
class _Field:
    """The players of a round by points and lots, and what counts for each table."""

    players: list[int]
    scores: list[int]  # points as whole numbers
    surplus: list[int]  # first seats minus other seats
    meetings: Mapping[frozenset[int], int]
    byes: Mapping[int, int]


def pair_swiss(
    players: Collection[int],
    results: Sequence[TableResult],
    below: RandomBelow,
    points: Points,
    lots: Sequence[int],
) -> Pairing:
    """Return the tables of a round, the highest first.

    Chance decides only on seats that history leaves open.
    """
    order, costs = weigh_tables(players, results, points, lots)
    return build_pairing(
        order_seats([order[place] for place in pair if place < len(order)], results, below)
        for pair in match_at_least_cost(costs)
    )


def weigh_tables(
    players: Collection[int], results: Sequence[TableResult], points: Points, lots: Sequence[int]
) -> tuple[list[int], dict[tuple[int, int], tuple[int, ...]]]:
    """Return the players by points, and what counts against each table of two.

    Tables are named by two places in this order. With an odd number of players, the one who is put together with the
    place behind the last has the bye.
    """
    order, scores = rank_players(players, results, points, lots)
    field = _Field(
        order,
        [scores[player] for player in order],
        [int(2 * measure_first_surplus(player, results)) for player in order],
        count_meetings(results),
        count_byes(results),
    )
    count = len(order)
    tables = {(one, other): _weigh_table(field, one, other) for other in range(count) for one in range(other)}
    if count % 2:
        tables |= {(one, count): _weigh_bye(field, one) for one in range(count)}
    return order, tables


def _weigh_table(field: _Field, one: int, other: int) -> tuple[int, ...]:
    """Return what counts against a table, what matters most first.

    Two who have met; a bye for one who had some; a bye for one above others; how often the two have met; the difference
    of their points, squared; first seats that are not shared evenly; the distance in the order, squared; a lot.
    """
    met = field.meetings.get(frozenset({field.players[one], field.players[other]}), 0)
    mine, theirs = field.surplus[one], field.surplus[other]
    seats = min((mine + 1) ** 2 + (theirs - 1) ** 2, (mine - 1) ** 2 + (theirs + 1) ** 2)
    gap = (field.scores[one] - field.scores[other]) ** 2
    return (int(met > 0), 0, 0, met, gap, seats, (one - other) ** 2, draw_lot(one, other))


def _weigh_bye(field: _Field, one: int) -> tuple[int, ...]:
    """Return what counts against a bye, in the order of `_weigh_table`."""
    above = len(field.players) - 1 - one
    return (0, field.byes.get(field.players[one], 0), above, 0, 0, 0, 0, draw_lot(one, len(field.players)))


def draw_lot(one: int, other: int) -> int:
    """Return a fixed number for two places that looks drawn by chance.

    With these no two pairings are equally good, so that the result depends on no version of the library.
    """
    return int.from_bytes(hashlib.sha256(f"{one}:{other}".encode()).digest()[:LOT_BYTES])


def match_at_least_cost(costs: Mapping[tuple[int, int], tuple[int, ...]]) -> list[tuple[int, int]]:
    """Return the pairs that cover all places at the least cost.

    Each has its lower place first. Costs of several pairs add up one by one, and the first of the sums that differs
    decides. They are written as one whole number: no sum reaches what one more in the sum before it weighs.
    """
    import networkx  # it takes long to import, and few calls need it

    places = len({place for pair in costs for place in pair})
    bases = [1 + places * max(column) for column in zip(*costs.values(), strict=True)]
    graph: Any = networkx.Graph()
    for (one, other), cost in sorted(costs.items()):
        graph.add_edge(one, other, weight=-_write_as_one(cost, bases))
    return sorted((min(pair), max(pair)) for pair in networkx.max_weight_matching(graph, maxcardinality=True))


def _write_as_one(cost: Iterable[int], bases: Iterable[int]) -> int:
    """Return figures as one number, each digit with a base of its own."""
    number = 0
    for figure, base in zip(cost, bases, strict=True):
        number = number * base + figure
    return number
