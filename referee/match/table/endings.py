"""The end of a match by the word of the table, which all of it gives.

TABLE-END-2: The host or any seat may propose to end a running match, with a placement or as abandoned. Play goes on
until every seat held by a person has agreed; the last consent ends the match, a single no the question. For seats
without a device the host agrees. Who is alone at the table ends the match at once.

TABLE-END-3: Who ends a match alone places seats that were left last, all together: they count as given up. The match
counts as ended by one person, not by the table.

TABLE-LOBBY-2: A table at which nothing happens for long enough before the start is closed by the server.

TABLE-TOURNAMENT-1: In a match of a tournament the tournament says who sits where and who is an official. Nobody else
takes, leaves or gives away a seat.

TABLE-TOURNAMENT-2: If the tournament decides how a table ended, the match ends so, also if it had ended otherwise, and
open disputes close. If it takes that back, the match has no result.

In matches of the second edition of the courts anybody ends a match alone in which one person at most holds a seat, and
in those of the first the host or an arbiter ends it in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.match.aggregate import FINAL_STATUSES, Match, MatchEnded
from referee.match.events.dispute_state import EndProposal
from referee.match.events.ending_events import (
    BOUND,
    BY_CLOCK,
    END_FOR_TOURNAMENT,
    END_WITHOUT_RESULT,
    AnswerEnd,
    DisputesClosed,
    EndAgreed,
    EndConsented,
    EndForTournament,
    EndMatch,
    EndProposed,
    EndRefused,
)
from referee.match.evidence import Evidence
from referee.match.table.officials import find_human_seats

AGREED_ALONE = "end_agreed_alone"  # by one person, whom nobody at the table could contradict
TABLE_REASONS = ("end_agreed", AGREED_ALONE, "end_abandoned", "end_abandoned_alone")
STATUS_BY_REASON = {"agreed": "finished", "abandoned": "abandoned", "withdrawn": "withdrawn"}


def find_open_ending(match: Match) -> EndProposal | None:
    """Return the proposed end that is still open; None if there is none."""
    if match.status in FINAL_STATUSES:
        return None
    return next((each for each in match.endings if each.stage == "asked"), None)


def find_agreeing_seats(match: Match) -> frozenset[int]:
    """Return the seats that agree to an end: those of people, without a device too."""
    people = find_human_seats(match)
    if not match.courts.counts_words:
        return people
    return people | {seat for seat, chair in enumerate(match.chairs) if chair.kind == "table"}


def find_awaited_seats(match: Match, ending: EndProposal) -> frozenset[int]:
    """Return the seats whose consent a proposed end needs; none once it is decided."""
    return find_agreeing_seats(match) - set(ending.granted) if ending == find_open_ending(match) else frozenset()


def _handle_end(evidence: Evidence, command: EndMatch) -> tuple[Event, ...]:
    """End the match, or ask the table whether it shall end.

    TABLE-END-1: Before the rules end a match the table may end it by agreement, with a placement of all seats, or as
    abandoned; afterwards nobody moves.
    """
    match = evidence.match
    if match.status in FINAL_STATUSES:
        raise IllegalMove("match_over", "TABLE-END-1")
    if command.reason == "withdrawn":
        if match.status != "lobby":
            raise IllegalMove("already_started", "TABLE-LOBBY-1")
    elif match.status == "lobby" or command.by == BY_CLOCK:
        raise IllegalMove("not_running", "TABLE-END-1")
    named_seats = [seat for place in command.placement for seat in place]
    if named_seats and sorted(named_seats) != list(range(len(match.chairs))):
        raise IllegalMove("placement_incomplete", "TABLE-END-1")
    people = find_agreeing_seats(match)
    if command.by == BY_CLOCK:
        return (MatchEnded(STATUS_BY_REASON[command.reason], "end_unused", (), (), ("TABLE-LOBBY-2",)),)
    if command.reason == "withdrawn" or match.courts.edition is None:
        return (_build_end(command.reason, command.placement),)
    if len(people) <= 1 and not match.courts.counts_words:
        return (_build_end(command.reason, command.placement),)
    if len(people) <= 1 and people <= set(command.seats):
        _require_left_seats_last(match, command.placement)
        return (_build_end(command.reason, command.placement, alone=True),)
    if (asked := find_open_ending(match)) is not None:
        raise IllegalMove("end_proposed", "TABLE-END-2", ending=asked.number)
    agree = tuple(sorted(people & set(command.seats)))
    proposed = EndProposed(evidence.version + 1, command.by, command.reason, command.placement, agree)
    return (proposed, *_end_if_agreed(proposed.apply(match), proposed.ending))


def _require_left_seats_last(match: Match, placement: tuple[tuple[int, ...], ...]) -> None:
    """Raise IllegalMove unless all seats that were left share the last place.

    Nobody places them before each other either: the host may be one of those who left.
    """
    left = {seat for seat in range(len(match.chairs)) if match.may_seat_person(seat)}
    if left and placement and (set(placement[-1]) != left or len(placement) == 1):
        raise IllegalMove("left_seats_last", "TABLE-END-3", seats=sorted(left))


def _build_end(reason: str, placement: tuple[tuple[int, ...], ...], alone: bool = False) -> MatchEnded:
    winners = placement[0] if placement and reason == "agreed" else ()
    key, clauses = (
        (f"end_{reason}_alone", ("TABLE-END-1", "TABLE-END-3")) if alone else (f"end_{reason}", ("TABLE-END-1",))
    )
    return MatchEnded(STATUS_BY_REASON[reason], key, winners, placement, clauses)


def _end_if_agreed(match: Match, number: int) -> tuple[Event, ...]:
    """Return the end of the match if everybody has agreed to it; nothing before."""
    asked = require_ending(match, number)
    if find_awaited_seats(match, asked):
        return ()
    return (EndAgreed(number), _build_end(asked.reason, asked.placement))


def require_ending(match: Match, number: int) -> EndProposal:
    """Return the proposed end of this number. Raises IllegalMove."""
    found = next((each for each in match.endings if each.number == number), None)
    if found is None:
        raise IllegalMove("no_such_ending", "TABLE-END-2", ending=number)
    return found


def _handle_answer(evidence: Evidence, command: AnswerEnd) -> tuple[Event, ...]:
    """Record a consent or a refusal; the last consent ends the match.

    A seat that has agreed may still refuse as long as the question is open.
    """
    match = evidence.match
    asked = require_ending(match, command.ending)
    if match.status in FINAL_STATUSES:
        raise IllegalMove("match_over", "TABLE-END-1")
    if asked.stage != "asked":
        raise IllegalMove("end_decided", "TABLE-END-2", ending=command.ending)
    by = tuple(sorted(find_agreeing_seats(match) & set(command.by)))
    if not by:
        raise IllegalMove("court.no_say_in_end", "TABLE-END-2")
    if not command.grant:
        return (EndRefused(asked.number, by),)
    consented = EndConsented(asked.number, by)
    return (consented, *_end_if_agreed(consented.apply(match), asked.number))


def require_free_seats(match: Match) -> None:
    """Refuse a change of seats if the tournament gives them (TABLE-TOURNAMENT-1).

    Raises IllegalMove.
    """
    if BOUND in match.terms:
        raise IllegalMove("tournament_seats", "TABLE-TOURNAMENT-1")


def is_ended_by_tournament(match: Match) -> bool:
    """Tell whether the tournament has ended the match, with or without a result."""
    return match.end is not None and match.end.reason in (END_FOR_TOURNAMENT, END_WITHOUT_RESULT)


def is_ended_by_table(match: Match) -> bool:
    """Tell whether the word of the table has ended the match, and not its rules."""
    return match.end is not None and match.end.reason in TABLE_REASONS


def has_ended_so(match: Match, placement: tuple[tuple[int, ...], ...]) -> bool:
    """Tell whether rules or tournament have ended the match with this placement.

    An empty one: with no result.
    """
    if match.status != "finished" or match.end is None:
        return not placement and is_ended_by_tournament(match)
    return not is_ended_by_table(match) and list_places(match) == tuple(tuple(sorted(group)) for group in placement)


def list_places(match: Match) -> tuple[tuple[int, ...], ...]:
    """Return the seats of a finished match by places, best first.

    Who did not win and is ranked nowhere shares the last place.
    """
    assert match.end is not None
    groups = group_places(len(match.chairs), match.end.winners, match.end.placement)
    return tuple(tuple(sorted(group)) for group in groups)


def group_places(seats: int, winners: Sequence[int], placement: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Return the seats of an ended match by places, best first, as its end names them.

    Who did not win and is ranked nowhere shares the last place.
    """
    ranked = placement or ((winners,) if winners else ())
    placed = {seat for group in ranked for seat in group}
    rest = [seat for seat in range(seats) if seat not in placed]
    return tuple(tuple(group) for group in (*ranked, rest) if group)


def _handle_tournament_end(evidence: Evidence, command: EndForTournament) -> tuple[Event, ...]:
    """End the match as its tournament has decided (TABLE-TOURNAMENT-2)."""
    match, placement = evidence.match, command.placement
    own = is_ended_by_tournament(match)
    if not match.tournament:
        raise IllegalMove("no_tournament", "TABLE-TOURNAMENT-2")
    if match.status == "lobby":
        raise IllegalMove("not_running", "TABLE-END-1")
    if match.status in FINAL_STATUSES and (has_ended_so(match, placement) or not (placement or own)):
        raise IllegalMove("match_over", "TABLE-END-1")
    named_seats = sorted(seat for place in placement for seat in place)
    if placement and named_seats != list(range(len(match.chairs))):
        raise IllegalMove("placement_incomplete", "TABLE-END-1")
    status, reason = ("finished", END_FOR_TOURNAMENT) if placement else ("abandoned", END_WITHOUT_RESULT)
    ended = MatchEnded(status, reason, placement[0] if placement else (), placement, ("TABLE-TOURNAMENT-2",))
    open_disputes = tuple(each.number for each in match.disputes if each.is_open)
    return (ended, *((DisputesClosed(open_disputes),) if open_disputes else ()))


COMMAND_HANDLERS: dict[type[Move], Callable[[Evidence, Any], tuple[Event, ...]]] = {
    EndMatch: _handle_end,
    AnswerEnd: _handle_answer,
    EndForTournament: _handle_tournament_end,
}
