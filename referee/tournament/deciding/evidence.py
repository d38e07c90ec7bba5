"""What a decision rests on, and what several decisions ask of a tournament."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.engine.chance import RandomBelow
from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.tournament.events import ResultRuled, RoundClosed, fold_events
from referee.tournament.state import RULING_OFFICES, Entrant, Officer, Round, Table, Tournament


def refuse_chance(_most: int) -> int:
    """Raise TypeError, where a command needs no lots."""
    raise TypeError("this command draws no lots")


Place = tuple[Round, Table]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A tournament at a version, the time, and the source of its next lots."""

    state: Tournament
    version: int
    now_ms: int
    below: RandomBelow = refuse_chance

    @property
    def entry(self) -> int:
        """The number of the entry that is decided."""
        return self.version + 1


def require_running(state: Tournament) -> None:
    """Refuse what needs a running tournament. Raises IllegalMove."""
    require_not_over(state)
    if state.status != "running":
        raise IllegalMove("not_running", "TOURNAMENT-START-1")


def require_not_over(state: Tournament) -> None:
    """Refuse anything after the end. Raises IllegalMove."""
    if state.is_over:
        raise IllegalMove("tournament_over", "TOURNAMENT-END-1")


def require_registration(state: Tournament) -> None:
    """Refuse who wants in after the start. Raises IllegalMove."""
    require_not_over(state)
    if state.status != "registration":
        raise IllegalMove("registration_closed", "TOURNAMENT-ENTRY-1")


def require_over(state: Tournament) -> None:
    """Refuse what is shown after the end only. Raises IllegalMove."""
    if not state.is_over:
        raise IllegalMove("not_over", "TOURNAMENT-END-1")


def require_entrant(state: Tournament, number: int) -> Entrant:
    """Return an entrant who is still in the tournament. Raises IllegalMove."""
    found = state.find_entrant(number)
    if found is None:
        raise IllegalMove("no_such_player", "TOURNAMENT-ENTRY-1", player=number)
    if found.status != "playing":
        raise IllegalMove("player_left", "TOURNAMENT-ENTRY-2", player=number)
    return found


def require_table(state: Tournament, round_number: int, number: int) -> tuple[Round, Table]:
    """Return a table and its round. Raises IllegalMove."""
    if 1 <= round_number <= len(state.rounds):
        one = state.rounds[round_number - 1]
        if (table := one.find_table(number)) is not None:
            return one, table
    raise IllegalMove("no_such_table", "TOURNAMENT-ROUND-1", round=round_number, table=number)


def require_ruling_officer(state: Tournament, number: int, players: tuple[int, ...]) -> Officer:
    """Return an official who may rule on these players.

    TOURNAMENT-OFFICE-2: An official rules only on players who have accepted them.

    TOURNAMENT-OFFICE-5: Head and floor officials rule at the tables; the committee decides appeals against them.

    Raises IllegalMove.
    """
    officer = require_officer(state, number)
    if officer.office not in RULING_OFFICES:
        raise IllegalMove("committee_only", "TOURNAMENT-OFFICE-5")
    if not state.is_accepted(officer, players):
        raise IllegalMove("officer_not_accepted", "TOURNAMENT-OFFICE-2", officer=number)
    return officer


def require_officer(state: Tournament, number: int) -> Officer:
    """Return an official who still is one. Raises IllegalMove."""
    officer = state.find_officer(number)
    if officer is None:
        raise IllegalMove("no_such_officer", "TOURNAMENT-OFFICE-1", officer=number)
    return officer


def list_open_places(state: Tournament, player: int) -> list[Place]:
    """Return the tables without a final result at which a player sits.

    Those of the latest round come first. By the first rules only the current round has any.
    """
    rounds = state.rounds[::-1] if state.format.scheme else state.rounds[-1:]
    found = ((one, one.find_table_of(player)) for one in rounds)
    return [(one, table) for one, table in found if table is not None and not table.final]


def find_open_place(state: Tournament, player: int) -> Place | None:
    """Return the latest open table at which a player sits; None if at none."""
    return next(iter(list_open_places(state, player)), None)


def decide_loss(evidence: Evidence, place: Place, player: int, officer: int = 0, penalty: int = 0) -> ResultRuled:
    """Return the event by which a player loses a table.

    The others keep the order that was reported.
    """
    one, table = place
    gone = tuple(sorted({player, *(table.result.forfeits if table.result is not None else ())}))
    left = tuple(each for each in table.players if each not in gone)
    ranked = () if table.result is None else table.result.placement
    placement = tuple(group for each in ranked if (group := tuple(p for p in each if p not in gone)))
    if not placement and left:
        placement = (left,)  # nobody knows more of them than that they did not lose so
    return ResultRuled(
        one.number, table.number, placement, gone, officer, evidence.entry, evidence.now_ms, penalty
    )  # fmt: skip


def close_round(state: Tournament, events: tuple[Event, ...]) -> Iterator[Event]:
    """Yield events, and the end of each round if they finish its last table.

    TOURNAMENT-ROUND-2: A round ends with its last final result. If a table is open again, so is its round.

    By the first rules only the current round ends.
    """
    yield from events
    after = fold_events(state, events)
    for one in after.rounds if after.format.scheme else after.rounds[-1:]:
        if not one.closed and all(each.final for each in one.tables):
            yield RoundClosed(one.number)
