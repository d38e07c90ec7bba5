"""Standings of a tournament: points, and what separates those who are equal.

All figures are whole numbers or fractions, never floats: shared places share the mean of their points exactly.

The tie-breaks follow the FIDE Handbook, C.07 (Tie-Break Regulations), simplified where the functions say so, and are
carried over to tables of several players: a round counts the mean over the opponents there. At tables of two they are
the usual ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from referee.tournament.results import TableResult, list_duels

Number = int | Fraction
TIEBREAKS = ("direct", "buchholz", "buchholz_cut1", "sonneborn_berger", "wins", "lots")


@dataclass(frozen=True, slots=True)
class Points:
    """What a result is worth.

    `by_place` is for tables of several players: the points of each place from the first on, none beyond its end; those
    who share a place share the mean of the places they fill. Without it the first place alone is a win, a shared first
    place a draw, the rest a loss.
    """

    win: Number = 3
    draw: Number = 1
    loss: Number = 0
    bye: Number = 3
    by_place: tuple[Number, ...] = ()
    forfeit: Number = 0  # for those who forfeit a table, with or without `by_place`

    def score(self, result: TableResult, player: int) -> Fraction:
        """Return what a table brought a player.

        Raises ValueError if the player did not sit there.
        """
        outcome = result.outcome_for(player)
        if player in result.forfeits:
            return Fraction(self.forfeit)
        if outcome == "bye":
            return Fraction(self.bye)
        if not self.by_place:
            return self.value(outcome)
        first = result.find_place(player) - 1
        group = next(group for group in result.placement if player in group)
        return Fraction(sum(self.by_place[first : first + len(group)])) / len(group)

    def value(self, outcome: str) -> Fraction:
        """Return what a win, a draw or a loss is worth between two players."""
        return Fraction({"win": self.win, "draw": self.draw, "loss": self.loss}[outcome])


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One player in the standings.

    `played` counts tables, forfeited ones too, and is wins + draws + losses.
    """

    rank: int  # from 1; equal if nothing separates
    player: int
    points: Fraction
    played: int
    wins: int
    draws: int
    losses: int
    byes: int
    tiebreaks: Mapping[str, Fraction | None] = field(default_factory=dict)  # None: it does not apply


@dataclass(frozen=True)
class _Record:
    """What tie-breaks are computed from."""

    results: Sequence[TableResult]
    points: Points
    totals: Mapping[int, Fraction]
    lots: tuple[int, ...]


Separate = Callable[[_Record, Sequence[int]], dict[int, Fraction | None]]


def compute_totals(players: Iterable[int], results: Iterable[TableResult], points: Points) -> dict[int, Fraction]:
    """Return the points of each player; others who sat at the tables are left out."""
    totals = dict.fromkeys(players, Fraction(0))
    for result in results:
        for player in result.players:
            if player in totals:
                totals[player] += points.score(result, player)
    return totals


def compute_standings(
    players: Sequence[int],
    results: Sequence[TableResult],
    points: Points,
    tiebreaks: Sequence[str],
    lots: tuple[int, ...],
) -> tuple[StandingRow, ...]:
    """Return the standings: by points, then by each tie-break in the order named.

    Those who are equal in all have one rank. Name every entrant, those who left too: they are opponents of others.
    Those at one rank are listed in the order of the lots, which decides nothing unless `lots` is among the tie-breaks.
    Raises ValueError for an unknown tie-break, a player who is named twice, or one at a table who is not named.
    """
    unknown = [name for name in tiebreaks if name not in TIEBREAKS]
    strangers = {player for result in results for player in result.players} - set(players)
    if unknown or strangers or len(set(players)) < len(players):
        raise ValueError(f"unknown tie-breaks {unknown}, unknown players {sorted(strangers)}, or a player named twice")
    record = _Record(results, points, compute_totals(players, results, points), tuple(lots))
    groups = _split(list(players), record.totals)
    values: dict[int, dict[str, Fraction | None]] = {player: {} for player in players}
    for name in tiebreaks:
        refined: list[list[int]] = []
        for group in groups:
            found = _SEPARATE[name](record, group)
            for player in group:
                values[player][name] = found[player]
            refined += _split(group, {player: _order_key(name, found[player]) for player in group})
        groups = refined
    drawn = {player: place for place, player in enumerate(lots)}
    rows: list[StandingRow] = []
    for group in groups:
        rank = len(rows) + 1
        for player in sorted(group, key=lambda each: (drawn.get(each, len(drawn)), each)):
            rows.append(_build_row(rank, player, record, values[player]))
    return tuple(rows)


def _split(group: Sequence[int], values: Mapping[int, Fraction]) -> list[list[int]]:
    """Return those who are equal in a value together, the highest first."""
    return [
        [player for player in group if values[player] == value]
        for value in sorted({values[player] for player in group}, reverse=True)
    ]


def _order_key(name: str, value: Fraction | None) -> Fraction:
    """Return what the standings are sorted by: more is better, but an early lot is."""
    if value is None:
        return Fraction(0)  # None is for all of a group or, among the lots, for those who come last
    return 1 / value if name == "lots" else value


def _build_row(rank: int, player: int, record: _Record, values: Mapping[str, Fraction | None]) -> StandingRow:
    """Return the row of a player."""
    outcomes = [result.outcome_for(player) for result in record.results if player in result.players]
    wins, draws, losses, byes = (outcomes.count(name) for name in ("win", "draw", "loss", "bye"))
    played = wins + draws + losses
    return StandingRow(rank, player, record.totals[player], played, wins, draws, losses, byes, values)


def _weigh_rounds(record: _Record, player: int, *, by_score: bool) -> list[Fraction]:
    """Return what each table or bye of a player counts in tie-breaks.

    That is the mean of the opponents' points, or of those times what was scored against them if `by_score`. Where
    nobody was played (a bye, a forfeit of either side) a dummy with the player's own points stands in, and the score is
    what the bye or the table brought.
    """
    own, found = record.totals[player], []
    for result in record.results:
        if player not in result.players:
            continue
        duels = [(other, outcome) for who, other, outcome in list_duels(result) if who == player]
        if not duels:
            found.append(own * (record.points.score(result, player) if by_score else 1))
            continue
        parts = (record.totals[other] * (record.points.value(what) if by_score else 1) for other, what in duels)
        found.append(sum(parts, Fraction(0)) / len(duels))
    return found


def compute_direct(record: _Record, tied: Sequence[int]) -> dict[int, Fraction | None]:
    """Return what the tied scored against each other.

    A win, a draw or a loss counts for each two at a table. It applies only if each two of them played each other;
    forfeited tables do not count. It is applied once: C.07 applies it again to those whom it leaves tied, and knows a
    case in which not all have met.
    """
    among = [
        (player, other, what)
        for result in record.results
        for player, other, what in list_duels(result)
        if player in tied and other in tied
    ]
    met = {(player, other) for player, other, _what in among}
    if len(tied) < 2 or len(met) < len(tied) * (len(tied) - 1):
        return dict.fromkeys(tied)
    scores: dict[int, Fraction | None] = {}
    for who in tied:
        scores[who] = sum((record.points.value(what) for player, _other, what in among if player == who), Fraction(0))
    return scores


def compute_buchholz(record: _Record, tied: Sequence[int]) -> dict[int, Fraction | None]:
    """Return the sum of the opponents' points.

    A round without an opponent counts a dummy with the player's own points. Rounds in which a player was neither paired
    nor had a bye count nothing, and the points of opponents are not adjusted for rounds that they did not play, both
    simpler than C.07.
    """
    return {player: sum(_weigh_rounds(record, player, by_score=False), Fraction(0)) for player in tied}


def compute_buchholz_cut1(record: _Record, tied: Sequence[int]) -> dict[int, Fraction | None]:
    """Return Buchholz without the lowest round.

    C.07 would drop rounds missed by choice first.
    """
    found: dict[int, Fraction | None] = {}
    for player in tied:
        rounds = sorted(_weigh_rounds(record, player, by_score=False))
        found[player] = sum(rounds[1:], Fraction(0))
    return found


def compute_sonneborn_berger(record: _Record, tied: Sequence[int]) -> dict[int, Fraction | None]:
    """Return the sum of the opponents' points times what was scored against each.

    A round without an opponent counts what it brought times the player's own points.
    """
    return {player: sum(_weigh_rounds(record, player, by_score=True), Fraction(0)) for player in tied}


def compute_wins(record: _Record, tied: Sequence[int]) -> dict[int, Fraction | None]:
    """Return the number of tables won, by a forfeit too; byes do not count."""
    return {
        player: Fraction(
            sum(player in result.players and result.outcome_for(player) == "win" for result in record.results)
        )
        for player in tied
    }


def compute_lots(record: _Record, tied: Sequence[int]) -> dict[int, Fraction | None]:
    """Return the place in the order drawn before round 1.

    The first is best; those without a lot come last.
    """
    places = {player: place for place, player in enumerate(record.lots, 1)}
    return {player: Fraction(places[player]) if player in places else None for player in tied}


_SEPARATE: Mapping[str, Separate] = {
    "direct": compute_direct,
    "buchholz": compute_buchholz,
    "buchholz_cut1": compute_buchholz_cut1,
    "sonneborn_berger": compute_sonneborn_berger,
    "wins": compute_wins,
    "lots": compute_lots,
}
