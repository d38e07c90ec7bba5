"""Slips of a reporter that another seat confirms, until the end of the turn.

What nobody has learned anything by is corrected at once (`table_reports`). For anything else in the same turn it takes
one other seat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.arbitration import auto_ruling
from referee.arbitration.remedies.rewind_impact import RANDOM, REVEALED, compute_rewind_impact
from referee.engine.chance import Shuffle
from referee.engine.codec import encode
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import BYSTANDER, Seat
from referee.match.aggregate import MatchRewound
from referee.match.entries import LogEntry
from referee.match.events.dispute_state import Slip
from referee.match.events.slip_events import AnswerSlip, SlipAdmitted, SlipAnswered
from referee.match.evidence import Evidence
from referee.match.game_moves import decide_move, require_playable
from referee.match.table.auto_pass import turn_of
from referee.match.table.officials import find_human_seats

Events = tuple[Event, ...]


def is_same_turn(evidence: Evidence, first: int) -> bool:
    """Tell whether the turn in which entry `first` was made still goes on."""
    return turn_of(evidence.replay_to(first - 1)) == turn_of(evidence.match)


def is_harmless(evidence: Evidence, about: int, first: int) -> bool:
    """Tell whether nobody has learned anything by a report since, in the same turn.

    TABLE-TAP-4: Chance has shown nothing since, and nobody has seen what was hidden.
    """
    crossed = set(compute_rewind_impact(evidence, about, None).rules)
    return not {RANDOM, REVEALED} & crossed and is_same_turn(evidence, first)


def ask_for_correction(
    evidence: Evidence, entry: LogEntry, first: int, seats: tuple[int, ...], move: Move, obstacle: IllegalMove
) -> Events:
    """Return the event that asks the others to confirm a slip.

    Raises `obstacle` if nobody can be asked, and IllegalMove if it was asked before.

    TABLE-TAP-4: Anything else the reporter may correct in the same turn if one other seat confirms it.
    """
    match = evidence.match
    asks = tuple(sorted(find_human_seats(match) - set(seats)))
    secret = move.view_for(int(BYSTANDER), entry.seat) is not move
    if not asks or secret or not is_same_turn(evidence, first):
        raise obstacle
    if any(each.about == entry.version and each.stage == "asked" for each in match.slips):
        raise IllegalMove("slip_open", "TABLE-TAP-4", about=entry.version)
    _decide_correction(evidence, first, entry.seat, move)
    by = min(seats, default=int(BYSTANDER))
    return (SlipAdmitted(evidence.version + 1, entry.version, first, by, encode(move), asks),)


def _decide_correction(evidence: Evidence, first: int, seat: int, move: Move) -> Events:
    """Return the events of the move as it should have been. Raises IllegalMove."""
    before = evidence.replay_to(first - 1)
    try:
        return decide_move(before, Seat(seat), move)
    except Undetermined as unknown:
        raise IllegalMove(unknown.need.key, "KERNEL-POSITION-1", **unknown.need.params) from unknown


def require_slip(evidence: Evidence, number: int) -> Slip:
    """Return the slip of this number. Raises IllegalMove."""
    found = next((each for each in evidence.match.slips if each.number == number), None)
    if found is None:
        raise IllegalMove("no_such_slip", "TABLE-TAP-4", slip=number)
    return found


def _handle_answer(evidence: Evidence, command: AnswerSlip) -> Events:
    """Confirm a slip, and play on with what was meant; or deny it."""
    match, slip = evidence.match, require_slip(evidence, command.slip)
    if slip.stage != "asked":
        raise IllegalMove("slip_closed", "TABLE-TAP-4", slip=slip.number)
    require_playable(match)
    seat = min(set(command.seats) & set(slip.asks) & find_human_seats(match), default=None)
    if seat is None:
        raise IllegalMove("court.own_report", "TABLE-TAP-4")
    answer = SlipAnswered(slip.number, seat, command.grant)
    if not command.grant:
        return (answer,)
    entry = evidence.find_entry(slip.about)
    if entry is None or not is_same_turn(evidence, slip.first):
        raise IllegalMove("slip_overtaken", "TABLE-TAP-4", slip=slip.number)
    before = evidence.replay_to(slip.first - 1)
    for pile in compute_rewind_impact(evidence, slip.first - 1, None).piles:
        if before.state is not None and Shuffle(pile).awaited_seats(before.state):  # type: ignore[arg-type]
            raise IllegalMove("court.all_shown", "TABLE-REPORT-3")  # a dispute would shuffle it
    move = auto_ruling.parse_game_move(slip.move)
    return (answer, MatchRewound(slip.first - 1), *_decide_correction(evidence, slip.first, entry.seat, move))


def find_admitting_seat(evidence: Evidence, about: int) -> int | None:
    """Return the seat that has admitted a slip in its report; None if none has.

    TABLE-TAP-4: In a dispute about the report an admission counts as testimony.
    """
    people = find_human_seats(evidence.match)
    return next((each.by for each in evidence.match.slips if each.about == about and each.by in people), None)


COMMAND_HANDLERS: dict[type[Move], Callable[[Evidence, Any], Events]] = {AnswerSlip: _handle_answer}
