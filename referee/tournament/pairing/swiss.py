"""Swiss: players of like points meet, nobody meets anyone twice.

This is a Monrad-like Swiss: the best of all possible pairings is searched, by the list of aims in `_weigh_table`. It is
not the FIDE (Dutch) system of Handbook C.04.3, which pairs score groups by a procedure of its own. Organisers who need
that one export the results, have them paired elsewhere and import the pairing.

The search takes time that grows with the third power of the players. So a large field is cut into sections of players
of like points, and the best pairing of each is searched (`pair_in_sections`). A section is so large that nobody in it
has to meet anyone again.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from referee.engine.chance import RandomBelow
from referee.tournament.pairing import Pairing, build_pairing, measure_first_surplus, order_seats, rank_players
from referee.tournament.results import TableResult, count_byes, count_meetings
from referee.tournament.standings import Points

LOT_BYTES = 8
LEAST_SECTION = 24  # players of a section; one has fewer than twice as many
WIDEST_CUT = LEAST_SECTION - 2  # players among whom the best place of a cut is looked for


@dataclass(frozen=True)
class Field:
    """The players of a round by points and lots, and what counts for each table."""

    players: list[int]
    scores: list[int]  # points as whole numbers
    surplus: list[int]  # first seats minus other seats
    meetings: Mapping[frozenset[int], int]
    byes: Mapping[int, int]

    def cut_out(self, start: int, end: int) -> Field:
        """Return the players from one place up to another."""
        cut = slice(start, end)
        return replace(self, players=self.players[cut], scores=self.scores[cut], surplus=self.surplus[cut])

    def without(self, place: int) -> Field:
        """Return the field without the player of a place."""
        before, after = self.cut_out(0, place), self.cut_out(place + 1, len(self.players))
        return replace(
            self, players=before.players + after.players, scores=before.scores + after.scores,
            surplus=before.surplus + after.surplus,
        )  # fmt: skip


def pair_swiss(
    players: Collection[int],
    results: Sequence[TableResult],
    below: RandomBelow,
    points: Points,
    lots: Sequence[int],
    *,
    is_cut: bool = False,
) -> Pairing:
    """Return the tables of a round, the highest first.

    Chance decides only on seats that history leaves open. `is_cut`: a large field is paired in sections.
    """
    field = _build_field(players, results, points, lots)
    pairs = pair_in_sections(field) if is_cut else pair_whole(field)
    return build_pairing(order_seats(pair, results, below) for pair in pairs)


def pair_whole(field: Field) -> list[list[int]]:
    """Return the best pairing of a field; one alone has the bye."""
    order = field.players
    return [[order[place] for place in pair if place < len(order)] for pair in match_at_least_cost(_weigh_field(field))]


def pair_in_sections(field: Field) -> list[list[int]]:
    """Return a pairing of a field in sections; a small one is one section.

    The bye goes to one who had the fewest, among them to the last. That leaves nobody without an opponent: each section
    has at least two players more than twice as many as anybody has met (Dirac's theorem).
    """
    met = max(Counter(player for pair in field.meetings for player in pair).values(), default=0)
    least = max(LEAST_SECTION, 2 * met + 2)
    count = len(field.players)
    if count - count % 2 < 2 * least:
        return pair_whole(field)
    alone = []
    if count % 2:
        last = min(range(count), key=lambda place: (field.byes.get(field.players[place], 0), -place))
        alone, field = [[field.players[last]]], field.without(last)
    cuts = [0, *find_cuts(field.scores, least)]
    sections = (field.cut_out(start, end) for start, end in pairwise([*cuts, len(field.players)]))
    return [pair for section in sections for pair in pair_whole(section)] + alone


def find_cuts(scores: Sequence[int], least: int) -> list[int]:
    """Return the places at which players by points are cut into sections of even size.

    Each section has at least as many players as given. Best is a cut between two players of different points. Where
    there is none, it lies as far inside a group of equal points as possible, so that all in it have opponents there.
    """
    cuts, start = list[int](), 0
    while len(scores) - start >= 2 * least:
        last = min(start + least + WIDEST_CUT, len(scores) - least)
        ways = {place: _measure_cut(scores, start, place) for place in range(start + least, last + 1, 2)}
        start = max(ways, key=ways.__getitem__)  # the first of several
        cuts.append(start)
    return cuts


def _measure_cut(scores: Sequence[int], start: int, place: int) -> int:
    """Return how many players of a group stay together on the smaller side of a cut.

    `start` is where the section begins. If the cut parts no group, it is the number of all players.
    """
    group = scores[place]
    if scores[place - 1] != group:
        return len(scores)
    first = max(start, scores.index(group))
    return min(place - first, scores[place:].count(group))


def weigh_tables(
    players: Collection[int], results: Sequence[TableResult], points: Points, lots: Sequence[int]
) -> tuple[list[int], dict[tuple[int, int], tuple[int, ...]]]:
    """Return the players by points, and what counts against each table of two.

    Tables are named by two places in this order. With an odd number of players, the one who is put together with the
    place behind the last has the bye.
    """
    field = _build_field(players, results, points, lots)
    return field.players, _weigh_field(field)


def _build_field(
    players: Collection[int], results: Sequence[TableResult], points: Points, lots: Sequence[int]
) -> Field:
    order, scores = rank_players(players, results, points, lots)
    return Field(
        order,
        [scores[player] for player in order],
        [int(2 * measure_first_surplus(player, results)) for player in order],
        count_meetings(results),
        count_byes(results),
    )


def _weigh_field(field: Field) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return what counts against each table of two places of a field."""
    count = len(field.players)
    tables = {(one, other): _weigh_table(field, one, other) for other in range(count) for one in range(other)}
    if count % 2:
        tables |= {(one, count): _weigh_bye(field, one) for one in range(count)}
    return tables


def _weigh_table(field: Field, one: int, other: int) -> tuple[int, ...]:
    """Return what counts against a table, what matters most first.

    Two who have met; a bye for one who had some; a bye for one above others; how often the two have met; the difference
    of their points, squared; first seats that are not shared evenly; the distance in the order, squared; a lot.
    """
    met = field.meetings.get(frozenset({field.players[one], field.players[other]}), 0)
    mine, theirs = field.surplus[one], field.surplus[other]
    seats = min((mine + 1) ** 2 + (theirs - 1) ** 2, (mine - 1) ** 2 + (theirs + 1) ** 2)
    gap = (field.scores[one] - field.scores[other]) ** 2
    return (int(met > 0), 0, 0, met, gap, seats, (one - other) ** 2, draw_lot(one, other))


def _weigh_bye(field: Field, one: int) -> tuple[int, ...]:
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
