"""What the records of a tournament show: who wins, against whom, from where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import median

from referee.bots.tournaments.records import MatchRecord
from referee.bots.tournaments.statistics import Share


@dataclass(frozen=True)
class MindFigures:
    """How a mind fared.

    `seats`: of the seats that it had, those that won. `matches`: of the matches that it was in, those it won.
    `cpu_ms`: processor time of a thought on average. `slow`: of its thoughts, those beyond the limit.
    """

    name: str
    seats: Share
    matches: Share
    thoughts: int
    cpu_ms: float
    slowest_ms: float
    slow: Share


@dataclass(frozen=True)
class Summary:
    """What a tournament shows.

    `duels`: by two minds, of their meetings with a difference in place, those in which the first was better.
    `places`: the win share by place in the order of turns. `lengths`: moves of each match.
    `undecided`: of all matches, those without a winner. `endings`: how often matches ended for which reason.
    """

    minds: tuple[MindFigures, ...]
    duels: Mapping[tuple[str, str], Share]
    places: tuple[Share, ...]
    lengths: tuple[int, ...]
    undecided: Share
    endings: Mapping[str, int]

    @property
    def median_length(self) -> float:
        """The number of moves that half of the matches did not exceed."""
        return median(self.lengths) if self.lengths else 0.0


def summarize(records: Sequence[MatchRecord]) -> Summary:
    """Return what these records show."""
    names = dict.fromkeys(name for record in records for name in record.seats)
    duels: dict[tuple[str, str], Share] = {}
    places: list[Share] = []
    endings: dict[str, int] = {}
    for record in records:
        endings[record.reason] = endings.get(record.reason, 0) + 1
        for pair in find_duels(record):
            better, worse = pair
            duels[pair] = duels.get(pair, Share()) + Share(1, 1)
            duels[worse, better] = duels.get((worse, better), Share()) + Share(0, 1)
        for place, seat in enumerate(record.order):
            places += [Share()] * (place + 1 - len(places))
            places[place] += Share(int(seat in record.winners), 1)
    return Summary(
        minds=tuple(sum_up_mind(name, records) for name in names),
        duels=duels,
        places=tuple(places),
        lengths=tuple(record.moves for record in records),
        undecided=Share(sum(not record.winners for record in records), len(records)),
        endings=dict(sorted(endings.items(), key=lambda each: -each[1])),
    )


def find_duels(record: MatchRecord) -> Iterator[tuple[str, str]]:
    """Yield pairs of minds whose seats came in at different places, better first."""
    place_of = {seat: place for place, equals in enumerate(record.placement) for seat in equals}
    for one, other in permutations(place_of, 2):
        if place_of[one] < place_of[other] and record.seats[one] != record.seats[other]:
            yield record.seats[one], record.seats[other]


def sum_up_mind(name: str, records: Iterable[MatchRecord]) -> MindFigures:
    """Return the figures of one mind."""
    seats, matches, thoughts, cpu, slowest, slow = Share(), Share(), 0, 0.0, 0.0, 0
    for record in records:
        own = [seat for seat, mind in enumerate(record.seats) if mind == name]
        if own:
            seats += Share(sum(seat in record.winners for seat in own), len(own))
            matches += Share(int(any(seat in record.winners for seat in own)), 1)
        for seat in own:
            thoughts += record.thoughts[seat]
            cpu += record.cpu_ms[seat]
            slowest = max(slowest, record.slowest_ms[seat])
            slow += record.slow[seat]
    return MindFigures(name, seats, matches, thoughts, cpu / max(1, thoughts), slowest, Share(slow, thoughts))


def list_round_results(name: str, records: Iterable[MatchRecord]) -> list[Share]:
    """Return for each round of how many matches with this mind it won how many."""
    found: dict[int, Share] = {}
    for record in records:
        if name in record.seats:
            won = any(record.seats[seat] == name for seat in record.winners)
            found[record.round] = found.get(record.round, Share()) + Share(int(won), 1)
    return [found[turn] for turn in sorted(found)]
