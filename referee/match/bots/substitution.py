"""Bots come and go: by the host in the lobby, later with the other seats' consent.

A seat is absent when nobody holds it: its player left it, or the host freed it, and its tokens are invalid. Presence is
no part of a match, so a lost connection alone gives no seat away.

TABLE-BOT-1: Before the start the host puts bots on free seats and takes them away again; no bot comes to a seat that
somebody holds.

TABLE-BOT-2: While a match runs, a bot comes to a seat that nobody holds, or leaves one, if every other held seat
agrees. One refusal closes the question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.match.aggregate import FINAL_STATUSES, Match, SeatAssignment, SeatEvent
from referee.match.events.dispute_state import Proposal
from referee.match.evidence import Evidence
from referee.match.table.endings import require_free_seats
from referee.match.table.officials import find_human_seats


@named("table.seat_bot")
@dataclass(frozen=True)
class SeatBot(Move):
    """Put a bot on a seat, or change the level or style of the bot there.

    `by` are the seats of the caller, which agree by asking.
    """

    seat: int
    level: int
    by: tuple[int, ...] = ()
    style: str = field(default="", metadata=OMIT_IF_EMPTY)


@named("table.remove_bot")
@dataclass(frozen=True)
class RemoveBot(Move):
    """Take the bot away from a seat, or withdraw the question whether one may come."""

    seat: int
    by: tuple[int, ...] = ()


@named("table.answer_bot")
@dataclass(frozen=True)
class AnswerBot(Move):
    """Say yes or no to a bot that is to come or go; `by` are the seats that answer.

    `proposal` is the entry that asked; 0 in matches whose questions about bots have no number.
    """

    seat: int
    grant: bool
    by: tuple[int, ...]
    proposal: int = field(default=0, metadata=OMIT_IF_EMPTY)


@named("table.BotAsked")
@dataclass(frozen=True)
class BotProposed(SeatEvent):
    """The other seats are asked whether a bot of this level may play for a seat."""

    level: int
    by: tuple[int, ...]
    number: int = field(default=0, metadata=OMIT_IF_EMPTY)
    style: str = field(default="", metadata=OMIT_IF_EMPTY)
    clauses = ("TABLE-BOT-2",)

    def apply(self, state: Match) -> Match:
        return open_proposal(state, Proposal(self.seat, self.level, self.by, self.number, self.style))


@named("table.BotRemovalAsked")
@dataclass(frozen=True)
class BotRemovalProposed(SeatEvent):
    """The other seats are asked whether the bot of a seat may go."""

    by: tuple[int, ...]
    number: int = field(default=0, metadata=OMIT_IF_EMPTY)
    clauses = ("TABLE-BOT-2",)

    def apply(self, state: Match) -> Match:
        return open_proposal(state, Proposal(self.seat, None, self.by, self.number))


@named("table.BotGranted")
@dataclass(frozen=True)
class BotGranted(SeatEvent):
    """Seats agreed to the open question about a bot."""

    by: tuple[int, ...]
    clauses = ("TABLE-BOT-2",)

    def apply(self, state: Match) -> Match:
        (proposal,) = (each for each in state.proposals if each.seat == self.seat)
        return open_proposal(state, replace(proposal, by=tuple(sorted({*proposal.by, *self.by}))))


@named("table.BotDenied")
@dataclass(frozen=True)
class BotDenied(SeatEvent):
    """Seats refused; the question is closed."""

    by: tuple[int, ...]
    clauses = ("TABLE-BOT-2",)

    def apply(self, state: Match) -> Match:
        return close_proposal(state, self.seat)


@named("table.BotQuestionClosed")
@dataclass(frozen=True)
class BotProposalClosed(SeatEvent):
    """The question about a bot was withdrawn, or a person took the seat."""

    clauses = ("TABLE-BOT-2",)

    def apply(self, state: Match) -> Match:
        return close_proposal(state, self.seat)


@named("table.BotSeated")
@dataclass(frozen=True)
class BotSeated(SeatEvent):
    """A bot plays for this seat.

    `stands_in`: the seat is kept for a person who may come back.
    """

    level: int
    stands_in: bool
    rests: tuple[str, ...]
    style: str = field(default="", metadata=OMIT_IF_EMPTY)

    def update_assignment(self, chair: SeatAssignment) -> SeatAssignment:
        return SeatAssignment("bot", self.level, style=self.style)

    def apply(self, state: Match) -> Match:
        stood = super().apply(state)
        mine = (self.seat,) if self.stands_in else ()
        return replace(close_proposal(stood, self.seat), stand_ins=(*remove_seat(state.stand_ins, self.seat), *mine))

    def applied_clauses(self) -> tuple[str, ...]:
        return self.rests


@named("table.BotRemoved")
@dataclass(frozen=True)
class BotRemoved(SeatEvent):
    """The bot is gone; the seat waits for a person, or one has just come back."""

    rests: tuple[str, ...]

    def update_assignment(self, chair: SeatAssignment) -> SeatAssignment:
        return SeatAssignment("human")

    def apply(self, state: Match) -> Match:
        return replace(
            close_proposal(super().apply(state), self.seat), stand_ins=remove_seat(state.stand_ins, self.seat)
        )

    def applied_clauses(self) -> tuple[str, ...]:
        return self.rests


def remove_seat(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Return these seats without one."""
    return tuple(other for other in seats if other != seat)


def open_proposal(match: Match, proposal: Proposal) -> Match:
    """Return the match with this question open, replacing one about the same seat."""
    return replace(match, proposals=(*close_proposal(match, proposal.seat).proposals, proposal))


def close_proposal(match: Match, seat: int) -> Match:
    """Return the match without an open question about the bot of a seat."""
    return replace(match, proposals=tuple(each for each in match.proposals if each.seat != seat))


def find_proposal(match: Match, seat: int) -> Proposal | None:
    """Return the open question about the bot of a seat; None if there is none."""
    return next((each for each in match.proposals if each.seat == seat), None)


def find_voting_seats(match: Match, seat: int) -> frozenset[int]:
    """Return the seats that vote on who plays for a seat: all others that people hold."""
    return find_human_seats(match) - {seat}


def decide_closing(match: Match, seat: int) -> tuple[Event, ...]:
    """Return the event that closes the open question about a seat, if there is one."""
    return () if find_proposal(match, seat) is None else (BotProposalClosed(seat),)


def decide_seat_return(match: Match, seat: int) -> tuple[Event, ...]:
    """Return what ends when a person takes a seat: an open question, a bot's stand-in.

    TABLE-BOT-3: A person who is invited to a seat where a bot stands in takes it back at any time; the bot goes.
    """
    gone = (BotRemoved(seat, ("TABLE-BOT-3",)),) if seat in match.stand_ins else ()
    return (*decide_closing(match, seat), *gone)


def _require_seat(match: Match, seat: int) -> SeatAssignment:
    if match.status in FINAL_STATUSES:
        raise IllegalMove("match_over", "TABLE-END-1")
    if not 0 <= seat < len(match.chairs):
        raise IllegalMove("no_such_seat", "TABLE-SEAT-1", seat=seat)
    return match.chairs[seat]


def _require_known_cards(match: Match, seat: int) -> None:
    """Raise IllegalMove if the bot's hand of real cards could not be known.

    TABLE-BOT-4: Where players hold real cards, bots come and go only before the start. A hand is named to the referee
    from its first card on, or not at all.
    """
    if match.status != "lobby" and match.rules.has_hidden_real_cards(match.setup):
        raise IllegalMove("hand_unknown", "TABLE-BOT-4", seat=seat)


def _find_number(evidence: Evidence) -> int:
    """Return the number of a question that is asked now.

    0 in matches of earlier editions of the courts, whose answers named no question.
    """
    return evidence.version + 1 if evidence.match.courts.counts_words else 0


def _handle_seat_bot(evidence: Evidence, command: SeatBot) -> tuple[Event, ...]:
    """Put a bot on a seat in the lobby; later ask the other seats.

    TABLE-BOT-1, TABLE-BOT-2: No bot comes to a seat that somebody holds; while the match runs every other held seat has
    to agree.
    """
    match = evidence.match
    chair = _require_seat(match, command.seat)
    require_free_seats(match)
    if chair.taken:
        raise IllegalMove("seat_held", "TABLE-BOT-1", seat=command.seat)
    if match.status == "lobby":
        events = (BotSeated(command.seat, command.level, False, ("TABLE-BOT-1",), command.style),)
        match.rules.build_initial_state(events[0].apply(match).setup)  # a table that could not start is refused now
        return events
    _require_known_cards(match, command.seat)
    if chair.kind == "table":
        raise IllegalMove("seat_not_for_people", "TABLE-BOT-2", seat=command.seat)
    if chair.kind == "bot" and (chair.level, chair.style) == (command.level, command.style):
        stands_in = command.seat in match.stand_ins
        stays = BotSeated(command.seat, command.level, stands_in, ("TABLE-BOT-2",), command.style)
        return (*decide_closing(match, command.seat), stays)
    agree = _find_agreeing_seats(match, command.seat, command.by)
    asked = BotProposed(command.seat, command.level, agree, _find_number(evidence), command.style)
    return _apply_and_decide(match, asked)


def _handle_remove_bot(evidence: Evidence, command: RemoveBot) -> tuple[Event, ...]:
    """Remove a bot in the lobby; later withdraw the question, or ask the other seats."""
    match = evidence.match
    chair, proposal = _require_seat(match, command.seat), find_proposal(match, command.seat)
    require_free_seats(match)
    if proposal is not None and proposal.level is not None:
        return (BotProposalClosed(command.seat),)
    if chair.kind != "bot":
        raise IllegalMove("no_bot_there", "TABLE-BOT-1", seat=command.seat)
    if match.status == "lobby":
        events = (BotRemoved(command.seat, ("TABLE-BOT-1",)),)
        match.rules.build_initial_state(events[0].apply(match).setup)
        return events
    _require_known_cards(match, command.seat)
    agree = _find_agreeing_seats(match, command.seat, command.by)
    return _apply_and_decide(match, BotRemovalProposed(command.seat, agree, _find_number(evidence)))


def _handle_answer_bot(evidence: Evidence, command: AnswerBot) -> tuple[Event, ...]:
    """Record the answer of seats to the open question about a bot.

    TABLE-BOT-2: One refusal closes the question; the bot comes or goes once every other held seat agrees.
    """
    match = evidence.match
    _require_seat(match, command.seat)
    proposal = find_proposal(match, command.seat)
    if proposal is None:
        raise IllegalMove("nothing_asked", "TABLE-BOT-2", seat=command.seat)
    if proposal.number != command.proposal:
        raise IllegalMove("asked_otherwise", "TABLE-BOT-2", seat=command.seat, number=proposal.number)
    by = _find_agreeing_seats(match, command.seat, command.by)
    if not by:
        raise IllegalMove("no_say", "TABLE-BOT-2", seat=command.seat)
    return _apply_and_decide(match, BotGranted(command.seat, by)) if command.grant else (BotDenied(command.seat, by),)


def _find_agreeing_seats(match: Match, seat: int, by: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(find_voting_seats(match, seat) & set(by)))


def _apply_and_decide(match: Match, event: SeatEvent) -> tuple[Event, ...]:
    """Return an event about an open question, and what follows once all have agreed."""
    after = event.apply(match)
    proposal = find_proposal(after, event.seat)
    assert proposal is not None
    return (event, *_decide_if_agreed(after, proposal))


def _decide_if_agreed(match: Match, proposal: Proposal) -> tuple[Event, ...]:
    """Return what follows from an open question once all have agreed; nothing before."""
    if find_voting_seats(match, proposal.seat) - set(proposal.by):
        return ()
    if proposal.level is None:
        return (BotRemoved(proposal.seat, ("TABLE-BOT-2",)),)
    stands_in = match.chairs[proposal.seat].kind == "human" or proposal.seat in match.stand_ins
    return (BotSeated(proposal.seat, proposal.level, stands_in, ("TABLE-BOT-2",), proposal.style),)


def decide_after_seat_left(match: Match) -> tuple[Event, ...]:
    """Return what becomes of the open questions after a player left a seat.

    Questions that only that seat had not answered are decided. Questions that nobody is left to answer are closed.
    """
    events: list[Event] = []
    for proposal in match.proposals:
        events += (
            _decide_if_agreed(match, proposal)
            if find_voting_seats(match, proposal.seat)
            else decide_closing(match, proposal.seat)
        )
    return tuple(events)


COMMAND_HANDLERS: dict[type[Move], Callable[[Evidence, Any], tuple[Event, ...]]] = {
    SeatBot: _handle_seat_bot,
    RemoveBot: _handle_remove_bot,
    AnswerBot: _handle_answer_bot,
}
