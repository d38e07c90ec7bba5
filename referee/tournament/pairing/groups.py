"""Groups: tables of several players, by points.

Repeated meetings are made as few as a search by swaps finds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, product

from referee.engine.chance import RandomBelow
from referee.tournament.pairing import NotPairable, Pairing, build_pairing, order_seats, rank_players
from referee.tournament.results import TableResult, count_meetings
from referee.tournament.standings import Points

Cost = tuple[int, int]  # repeated meetings, then how far the points at the tables lie apart


def split_tables(players: int, wanted: int, sizes: tuple[int, int]) -> list[int]:
    """Return the sizes of the tables, as even as possible, the larger ones first.

    Their number is the one that comes closest to `wanted` players a table, the lower of two. Raises NotPairable if the
    players cannot be split into tables within the least and the most of `sizes`.
    """
    least, most = sizes
    if not 2 <= least <= most or wanted < 1:
        raise ValueError("a table has two players at least, and its most is not below its least")
    numbers = range(-(-players // most), players // least + 1)
    if not numbers or players < least:
        raise NotPairable("not_splittable", players=players, least=least, most=most)
    tables = min(numbers, key=lambda number: abs(players - number * wanted))
    return [players // tables + (table < players % tables) for table in range(tables)]


def pair_groups(
    players: Collection[int],
    results: Sequence[TableResult],
    below: RandomBelow,
    points: Points,
    lots: Sequence[int],
    table_size: int,
    table_sizes: tuple[int, int],
) -> Pairing:
    """Return the tables of a round, the highest first. Raises NotPairable.

    The order by points is cut into tables. Then two players of different tables are swapped, always the two whose swap
    saves most, until no swap lessens the repeated meetings or, with as many of them, the differences of points. There
    may be a better pairing that no single swap leads to.
    """
    sizes = split_tables(len(players), table_size, table_sizes)
    order, scores = rank_players(players, results, points, lots)
    meetings = count_meetings(results)
    rest, tables = list(order), []
    for size in sizes:
        tables.append(rest[:size])
        rest = rest[size:]
    while (swap := _find_best_swap(tables, meetings, scores)) is not None:
        (one, seat), (other, place) = swap
        tables[one][seat], tables[other][place] = tables[other][place], tables[one][seat]
    return build_pairing(order_seats(table, results, below) for table in tables)


def _find_best_swap(
    tables: Sequence[Sequence[int]], meetings: Mapping[frozenset[int], int], scores: Mapping[int, int]
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the two seats whose swap saves most; None if no swap saves anything.

    Of several the first is taken.
    """
    costs = [_weigh_table(table, meetings, scores) for table in tables]
    best, found = (0, 0), None
    for one, other in combinations(range(len(tables)), 2):
        for seat, place in product(range(len(tables[one])), range(len(tables[other]))):
            left, right = list(tables[one]), list(tables[other])
            left[seat], right[place] = right[place], left[seat]
            new = [_weigh_table(table, meetings, scores) for table in (left, right)]
            change = (
                new[0][0] + new[1][0] - costs[one][0] - costs[other][0],
                new[0][1] + new[1][1] - costs[one][1] - costs[other][1],
            )
            if change < best:
                best, found = change, ((one, seat), (other, place))
    return found


def _weigh_table(table: Sequence[int], meetings: Mapping[frozenset[int], int], scores: Mapping[int, int]) -> Cost:
    """Return what counts against a table.

    These are the meetings of its players so far, squared, and the differences of their points, squared.
    """
    repeats, apart = 0, 0
    for one, other in combinations(table, 2):
        repeats += meetings.get(frozenset({one, other}), 0) ** 2
        apart += (scores[one] - scores[other]) ** 2
    return repeats, apart
