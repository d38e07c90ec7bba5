"""The systems of a tournament: how a round is paired, and how many there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.engine.chance import RandomBelow, shuffle_cards
from referee.tournament.pairing import NotPairable, Pairing
from referee.tournament.pairing.groups import pair_groups, split_tables
from referee.tournament.pairing.knockout import count_knockout_rounds, pair_knockout
from referee.tournament.pairing.round_robin import count_cycle, pair_round_robin
from referee.tournament.pairing.swiss import pair_swiss
from referee.tournament.results import TableResult
from referee.tournament.standings import Points

__all__ = ["SYSTEMS", "NotPairable", "Pairing", "count_rounds", "draw_lots", "pair_round", "require_pairable"]

SYSTEMS = ("round_robin", "knockout", "swiss", "groups", "manual")
OF_TWO = ("round_robin", "knockout", "swiss")  # their tables have two players
LEAST_PLAYERS = 2
DEFAULT_POINTS = Points()


def draw_lots(players: Iterable[int], below: RandomBelow) -> tuple[int, ...]:
    """Return the players in an order drawn by chance (Fisher-Yates).

    It is to be kept for the whole tournament.
    """
    return tuple(shuffle_cards(players, below))


def count_rounds(system: str, players: int, wanted: int) -> int:
    """Return how many rounds a tournament has; 0 wanted: the system's own number.

    A round robin may be broken off early, but not go on; a knockout has no choice. Swiss and groups have any number, by
    themselves that of a knockout. Manual pairing has none of its own: 0, until the organiser ends it. Raises
    NotPairable.
    """
    _require_system(system)
    _require_players(players)
    if system == "round_robin":
        own = count_cycle(players)
        if wanted > own:
            raise NotPairable("too_many_rounds", wanted=wanted, most=own)
        return wanted or own
    if system == "knockout":
        own = count_knockout_rounds(players)
        if wanted not in (0, own):
            raise NotPairable("wrong_number_of_rounds", wanted=wanted, needed=own)
        return own
    return wanted if wanted or system == "manual" else count_knockout_rounds(players)


def pair_round(
    system: str,
    players: Sequence[int],
    results: Sequence[TableResult],
    round: int,
    below: RandomBelow,
    table_size: int = 2,
    table_sizes: tuple[int, int] = (3, 6),
    *,
    lots: Sequence[int],
    points: Points = DEFAULT_POINTS,
    is_cut: bool = False,
) -> Pairing:
    """Return who meets whom in a round.

    `players` are those who still play, in any order; `results` may reach beyond the round, as when an auditor repeats a
    pairing: what is not before it is not read. `below` is the only source of chance, so the same draws give the same
    pairing. `lots` is the order that `draw_lots` gave before round 1, with those who left since; players who joined
    later have no lot, which only Swiss and groups allow. Groups have tables of about `table_size` players, within the
    least and the most of `table_sizes`. `is_cut`: a large field of a Swiss is paired in sections. Raises NotPairable;
    ValueError if a player is named twice, or in two results of one round.
    """
    _require_system(system)
    if system == "manual":
        raise NotPairable("pairings_are_entered")
    _require_players(len(players))
    if system in OF_TWO and table_size != 2:
        raise NotPairable("tables_of_two_only", system=system, table_size=table_size)
    if len(set(players)) < len(players) or len(set(lots)) < len(lots):
        raise ValueError("a player is named twice")
    past = [result for result in results if result.round < round]
    _require_one_seat_a_round(past)
    if system == "round_robin":
        return pair_round_robin(players, round, lots)
    if system == "knockout":
        return pair_knockout(players, past, round, below, lots)
    if system == "swiss":
        return pair_swiss(players, past, below, points, lots, is_cut=is_cut)
    return pair_groups(players, past, below, points, lots, table_size, table_sizes)


def require_pairable(
    system: str,
    players: Sequence[int],
    results: Sequence[TableResult],
    round: int,
    table_size: int,
    table_sizes: tuple[int, int],
    *,
    lots: Sequence[int],
) -> None:
    """Check that a round can be paired, without the search for its best pairing.

    Raises NotPairable just as `pair_round` does: for Swiss and groups only numbers of players matter.
    """
    if system not in ("swiss", "groups"):
        pair_round(system, players, results, round, lambda _most: 0, table_size, table_sizes, lots=lots)
        return
    _require_players(len(players))
    if system == "groups":
        split_tables(len(players), table_size, table_sizes)


def _require_system(system: str) -> None:
    """Check that a system is known. Raises NotPairable."""
    if system not in SYSTEMS:
        raise NotPairable("unknown_system", system=system)


def _require_players(players: int) -> None:
    """Check that there are enough players for a table. Raises NotPairable."""
    if players < LEAST_PLAYERS:
        raise NotPairable("too_few_players", players=players, least=LEAST_PLAYERS)


def _require_one_seat_a_round(results: Iterable[TableResult]) -> None:
    """Check that nobody sits twice in a round. Raises ValueError."""
    seated = [(result.round, player) for result in results for player in result.players]
    if len(set(seated)) < len(seated):
        raise ValueError("a player is in two results of one round")
