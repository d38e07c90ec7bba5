"""Tournaments played at random, for the laws of pairings and standings."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from referee.tournament.pairing.systems import NotPairable, Pairing, draw_lots, pair_round
from referee.tournament.results import TableResult, record_bye

Place = Callable[[int, tuple[int, ...]], TableResult]


@dataclass
class Evening:
    """A tournament with a chance of its own; `leavers` says who does not play from which round on."""

    system: str
    count: int
    seed: int
    leavers: dict[int, int] = field(default_factory=dict)
    draws: bool = True
    forfeits: bool = True
    table_size: int = 2
    table_sizes: tuple[int, int] = (3, 6)
    is_cut: bool = True
    results: list[TableResult] = field(default_factory=list)
    pairings: list[Pairing] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.lots = draw_lots(range(1, self.count + 1), self.chance.randrange)

    def list_playing(self, number: int) -> list[int]:
        return [player for player in range(1, self.count + 1) if self.leavers.get(player, number + 1) > number]

    def pair(self, number: int, seed: int) -> Pairing:
        return pair_round(
            self.system,
            self.list_playing(number),
            self.results,
            number,
            random.Random(seed).randrange,
            self.table_size,
            self.table_sizes,
            lots=self.lots,
            is_cut=self.is_cut,
        )

    def play_round(self, number: int) -> Pairing:
        pairing = self.pair(number, self.seed + number)
        self.pairings.append(pairing)
        table = 0
        for players in pairing.tables:
            if len(players) == 1:
                self.results.append(record_bye(number, players[0]))
            else:
                table += 1
                self.results.append(self.decide(number, table, players))
        return pairing

    def try_round(self, number: int) -> Pairing | NotPairable:
        """Play a round, or return why it cannot be paired."""
        try:
            return self.play_round(number)
        except NotPairable as wrong:
            return wrong

    def play(self, rounds: int) -> Evening:
        for number in range(1, rounds + 1):
            self.play_round(number)
        return self

    def decide(self, number: int, table: int, players: tuple[int, ...]) -> TableResult:
        order = list(players)
        self.chance.shuffle(order)
        absent = tuple(player for player in order if self.forfeits and self.chance.random() < 0.1)
        if not self.draws:
            absent = absent[:1]
        order = [player for player in order if player not in absent]
        places: list[tuple[int, ...]] = []
        for player in order:
            if places and self.draws and self.chance.random() < 0.3:
                places[-1] = (*places[-1], player)
            else:
                places.append((player,))
        return TableResult(number, table, players, tuple(places), absent)


def list_matchings(places: Sequence[int]) -> list[list[tuple[int, int]]]:
    """Return every way to put an even number of places together in twos."""
    if not places:
        return [[]]
    first, *rest = places
    return [
        [(first, other), *pairs]
        for other in rest
        for pairs in list_matchings([place for place in rest if place != other])
    ]
