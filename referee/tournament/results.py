"""What became of the tables of a tournament, as pairings and standings read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Literal

from referee.match.table.endings import group_places

Outcome = Literal["win", "draw", "loss", "bye"]
BYE_TABLE = 0  # the number of the table of those who have a bye


def place_players(
    players: Sequence[int], winners: Sequence[int], placement: Sequence[Sequence[int]]
) -> tuple[tuple[int, ...], ...]:
    """Return in which order a match ended, as entrants.

    `winners` and `placement` name seats. Who did not win and is ranked nowhere shares the last place. Raises IndexError
    for a seat that there is not.
    """
    groups = group_places(len(players), winners, placement)
    return tuple(tuple(players[seat] for seat in group) for group in groups)


@dataclass(frozen=True, slots=True)
class TableResult:
    """How one table of a round ended, or that a player had a bye.

    Raises ValueError if it contradicts itself: a player who sits twice, is not placed or placed twice, an empty place,
    a bye of several.
    """

    round: int  # from 1
    table: int  # from 1; 0: a bye
    players: tuple[int, ...]  # numbers of entrants in the order of their seats; the first begins
    placement: tuple[tuple[int, ...], ...]  # groups of equal place, best first; only those who did not forfeit
    forfeits: tuple[int, ...] = ()  # who lost without playing, or by a penalty; all of them last

    def __post_init__(self) -> None:
        placed = [player for group in self.placement for player in group]
        if self.round < 1 or self.table < 0:
            raise ValueError("rounds count from 1, tables from 0")
        if not self.players or len(set(self.players)) < len(self.players):
            raise ValueError("each player of a table sits there once")
        if not all(self.placement) or sorted((*placed, *self.forfeits)) != sorted(self.players):
            raise ValueError("each player of a table has one place, or forfeits")
        if self.is_bye != (len(self.players) == 1) or (self.is_bye and self.forfeits):
            raise ValueError("a bye is table 0 with one player, who cannot forfeit it")

    @property
    def is_bye(self) -> bool:
        """Whether this is a bye."""
        return self.table == BYE_TABLE

    @property
    def winner(self) -> int | None:
        """The only player at the first place, or the one who has the bye.

        None if there is no such player.
        """
        return self.placement[0][0] if self.placement and len(self.placement[0]) == 1 else None

    def outcome_for(self, player: int) -> Outcome:
        """Return what the table was for a player.

        The first place alone is a win, a shared one a draw. Raises ValueError if the player did not sit there.
        """
        if player not in self.players:
            raise ValueError(f"player {player} did not sit at table {self.table} of round {self.round}")
        if self.is_bye:
            return "bye"
        if self.placement and player in self.placement[0]:
            return "win" if len(self.placement[0]) == 1 else "draw"
        return "loss"

    def find_place(self, player: int) -> int:
        """Return the place of a player from 1 on.

        Those who share one, and all who forfeit, have the best of theirs.
        """
        before = 0
        for group in self.placement:
            if player in group:
                return before + 1
            before += len(group)
        return before + 1

    def list_opponents(self, player: int) -> tuple[int, ...]:
        """Return whom a player really played.

        Nobody who forfeits plays, and a bye has no opponents.
        """
        if player in self.forfeits:
            return ()
        return tuple(other for other in self.players if other != player and other not in self.forfeits)


def record_bye(round_number: int, player: int) -> TableResult:
    """Return the result of a player who has a bye."""
    return TableResult(round_number, BYE_TABLE, (player,), ((player,),))


def count_meetings(results: Iterable[TableResult]) -> Counter[frozenset[int]]:
    """Return how often two players were put at one table.

    A table that was forfeited counts. Whether a forfeit came before or after they had begun cannot be seen from a
    result, so the two are not paired again where that can be avoided.
    """
    return Counter(frozenset(pair) for result in results for pair in combinations(result.players, 2))


def count_byes(results: Iterable[TableResult]) -> Counter[int]:
    """Return how many byes each player had."""
    return Counter(result.players[0] for result in results if result.is_bye)


def count_firsts(results: Iterable[TableResult]) -> Counter[int]:
    """Return how often each player had the first seat."""
    return Counter(result.players[0] for result in results if not result.is_bye)


def list_seatings(results: Sequence[TableResult], player: int) -> Iterator[bool]:
    """Yield by round whether a player had the first seat.

    Rounds without a table are left out.
    """
    for result in sorted(results, key=lambda each: each.round):
        if player in result.players and not result.is_bye:
            yield result.players[0] == player


def list_duels(result: TableResult) -> Iterator[tuple[int, int, Outcome]]:
    """Yield each player with each opponent played, and what came of it."""
    for player, other in permutations(result.players, 2):
        if other in result.list_opponents(player):
            mine, theirs = result.find_place(player), result.find_place(other)
            yield player, other, "win" if mine < theirs else "draw" if mine == theirs else "loss"
