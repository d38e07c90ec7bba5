"""Officials: people without a seat who have the last word if the table agrees.

TABLE-OFFICE-1: An official is a person who does not play: the host, if the match was opened so, or an arbiter whom the
host invites. Each appointment is an entry that everybody sees.

TABLE-OFFICE-2: An official decides nothing before every seat held by a person has accepted them, by sitting down after
the appointment or by an entry of its own. Until the start a seat may change its answer; later only a no into a yes.

TABLE-OFFICE-3: Nobody is player and official at once, and a host who plays is never an official. An official who takes
a seat loses the office by the same entry, and one who has looked at hidden cards takes no seat.

TABLE-OFFICE-5: An official may give the office back at any time, by an entry that everybody sees. If nobody else is an
accepted official then, what waits for one is settled at once as in a match without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.match.aggregate import Match
from referee.match.events.office_events import (
    AnswerOfficial,
    NameOfficial,
    OfficeLost,
    OfficeResigned,
    OfficialAccepted,
    OfficialNamed,
    OfficialRefused,
    ResignOffice,
)
from referee.match.evidence import Evidence
from referee.match.table.office_state import Official

CLOSED_STATUSES = ("withdrawn", "abandoned", "archived")  # nobody can dispute anything in these


def find_human_seats(match: Match) -> frozenset[int]:
    """Return the seats that people hold; these attest, vote and agree."""
    return frozenset(seat for seat, chair in enumerate(match.chairs) if chair.kind == "human" and chair.taken)


def find_official(match: Match, number: int | None) -> Official | None:
    """Return the official of this number who is still one; None if there is none."""
    return next((each for each in match.officials if each.number == number and not each.left), None)


def find_awaited_seats(match: Match, official: Official) -> frozenset[int]:
    """Return the seats that have not accepted an official; none once they have left."""
    return frozenset() if official.left else find_human_seats(match) - set(official.accepted)


def is_accepted(match: Match, official: Official) -> bool:
    """Tell whether all seats held by people have accepted them (TABLE-OFFICE-2)."""
    return not official.left and not find_awaited_seats(match, official)


def is_played_by_host(match: Match) -> bool:
    """Tell whether the match was opened with a host who plays (TABLE-OFFICE-3).

    No seat tells it: the host may have sat down without the host's token.
    """
    return match.courts.edition is not None and all(each.role != "host" for each in match.officials)


def require_may_free(match: Match, seat: int, own: Iterable[int]) -> None:
    """Refuse that a host who plays frees the seat of somebody else once play runs.

    `own` are the seats of the caller. Raises IllegalMove.

    TABLE-SEAT-3: From the start on, a host who plays cannot free the seat of another player.
    """
    if seat in own or not match.chairs[seat].taken or match.courts.edition is None or match.status == "lobby":
        return
    if not any(each.role == "host" and not each.left for each in match.officials):
        raise IllegalMove("host_plays", "TABLE-SEAT-3", seat=seat)


def decide_sitting_down(match: Match, seat: int, offices: Iterable[int]) -> tuple[Event, ...]:
    """Return what sitting down means for officials.

    `offices` are the numbers of the officials that the person is. The others are accepted. Raises IllegalMove.
    """
    own = {number for number in offices if find_official(match, number) is not None}
    if any(each.looked for each in match.officials if each.number in offices):
        raise IllegalMove("official_saw_cards", "TABLE-OFFICE-3", seat=seat)
    others = (each.number for each in match.officials if not each.left and each.number not in own)
    return (
        *(OfficeLost(number, seat) for number in sorted(own)),
        *(OfficialAccepted(number, (seat,)) for number in others),
    )


def _handle_name(evidence: Evidence, command: NameOfficial) -> tuple[Event, ...]:
    """Name an official who holds no seat (TABLE-OFFICE-1, TABLE-OFFICE-3)."""
    match = evidence.match
    if match.status in CLOSED_STATUSES:
        raise IllegalMove("match_over", "TABLE-END-1")
    if set(command.seats) & find_human_seats(match) or (command.opened and is_played_by_host(match)):
        raise IllegalMove("official_plays", "TABLE-OFFICE-3", seats=sorted(command.seats))
    if any(each.person == command.person and not each.left for each in match.officials):
        raise IllegalMove("official_already", "TABLE-OFFICE-1")
    return (OfficialNamed(evidence.version + 1, command.role, command.person),)


def _handle_answer(evidence: Evidence, command: AnswerOfficial) -> tuple[Event, ...]:
    """Record what seats say of an official (TABLE-OFFICE-2)."""
    match = evidence.match
    official = find_official(match, command.official)
    if official is None:
        raise IllegalMove("no_such_official", "TABLE-OFFICE-1", official=command.official)
    by = tuple(sorted(find_human_seats(match) & set(command.by)))
    if not by:
        raise IllegalMove("court.no_say_in_office", "TABLE-OFFICE-2")
    if command.grant:
        return (OfficialAccepted(official.number, by),)
    if match.status != "lobby" and set(by) & set(official.accepted):
        raise IllegalMove("official_accepted", "TABLE-OFFICE-2", official=official.number)
    return (OfficialRefused(official.number, by),)


def _handle_resignation(evidence: Evidence, command: ResignOffice) -> tuple[Event, ...]:
    """Record that an official gives the office back (TABLE-OFFICE-5)."""
    match = evidence.match
    if find_official(match, command.official) is None:
        raise IllegalMove("no_such_official", "TABLE-OFFICE-1", official=command.official)
    others = any(is_accepted(match, each) for each in match.officials if each.number != command.official)
    waiting = () if others else tuple(each.number for each in match.disputes if each.stage == "ruling")
    return (OfficeResigned(command.official, evidence.now_ms, waiting),)


COMMAND_HANDLERS: dict[type[Move], Callable[[Evidence, Any], tuple[Event, ...]]] = {
    NameOfficial: _handle_name,
    AnswerOfficial: _handle_answer,
    ResignOffice: _handle_resignation,
}
