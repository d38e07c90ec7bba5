"""Curses: the moment before one strikes, what it does, and those that stay until they end.

Clauses: MK-3.6, MK-14.4, MK-20.1 to MK-20.7, MK-26.2, MK-26.6, MK-26.12.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.hidden_cards import find_nameable_cards
from referee.cardscript.questions import CardPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepPushed, StepReplaced
from referee.games.munchkin.components import CURSES, FACES, HANDS, PENDING
from referee.games.munchkin.events.cards import CurseLaid
from referee.games.munchkin.events.combat import WindowPassed
from referee.games.munchkin.events.texts import CurseCancelled, PendingCurse
from referee.games.munchkin.moves import Pass, PlayCard
from referee.games.munchkin.rules.cards.texts import build_text_execution, has_text
from referee.games.munchkin.rules.combat.combat_changed import HANDLERS
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import is_condition_met
from referee.games.munchkin.values import NOBODY

CURSE_REACTION_TIME = "reaction_curse"


def start_curse(table: Table, card: str, victim: int, by: int = NOBODY) -> Iterator[Event]:  # noqa: ARG001
    """The facts with which a curse that lies in `PENDING` is about to strike: its victim may answer first (MK-20.5).

    `by`: who played it, nobody where it was found behind the door (MK-20.1).
    """
    yield StepPushed(CurseStrike(card, victim, by))
    yield StepPushed(CurseWindow(card, victim))


@named("mk.Strikes")
@dataclass(frozen=True)
class CurseStrike(PendingCurse):
    """A curse strikes; then it is discarded, or stays before its victim (MK-20.2).

    `stays`: whether it remains, which is judged as it strikes.
    """

    stays: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-20.1", "MK-20.2", "MK-20.4")

    def resolve(self, state: Table) -> Iterator[Event]:
        if self.stage == "coming" and self.victim in state.living_seats:
            stays = FACES[self.card].stays
            kept = stays is not None and (
                stays.unless is None or not is_condition_met(state, stays.unless, self.victim)
            )
            yield StepReplaced(replace_fields(self, stage="struck", stays=kept))
            if has_text(state, self.card, "does"):
                yield StepPushed(build_text_execution(state, self.card, "does", self.victim))
            return
        yield StepPopped()
        if self.card not in state.cards_at(PENDING):
            return
        if self.stays and self.victim in state.living_seats:
            yield CurseLaid(PENDING, CURSES[self.victim], (self.card,), (self.card,), self.victim)
        else:
            yield from discard_cards(state, PENDING, (self.card,))


def find_pending_curse(table: Table) -> CurseStrike | None:
    """The curse that is about to strike, None if none is."""
    found = next((step for step in reversed(table.agenda) if isinstance(step, CurseStrike)), None)
    return found if found is not None and found.stage == "coming" else None


@named("mk.CurseWindow")
@dataclass(frozen=True)
class CurseWindow(CardPrompt):
    """The victim may play a card that answers a curse before it strikes. Everybody has that moment (MK-20.5)."""

    card: str
    victim: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-20.5", "MK-3.6", "MK-26.12")
    moment: ClassVar[str] = "curse"
    window_kind: ClassVar[str] = "curse"

    def passing_move(self, seat: Seat) -> Move:
        return Pass()

    def default_answer(self, state: Table, seat: Seat) -> Move:
        return Pass()

    def time_limit(self, state: Table) -> int | None:
        limit = state.rules.curse_window_ms
        return limit if limit is not None else state.decision_time()  # nobody waits for ever (MK-23.2)

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (self.victim,) if self.victim in state.living_seats else ()

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Pass()
        for card in dict.fromkeys((*state.cards_in_play_of(int(seat)), *find_nameable_cards(state, HANDS[seat]))):
            if CURSE_REACTION_TIME in FACES[card].when:
                yield PlayCard(card)

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, Pass):
            return
        if not isinstance(move, PlayCard):
            raise IllegalMove("answer_or_pass", "MK-20.5", "MK-26.2", move=move.TAG)
        HANDLERS[PlayCard].check(state, int(seat), move)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield StepPopped()
        if isinstance(move, PlayCard):
            yield from HANDLERS[PlayCard].decide(state, int(seat), move)
        else:
            yield WindowPassed(int(seat))

    def apply_timeout(self, state: Table) -> Iterator[Event]:
        yield StepPopped()  # the time is up, and the victim has not answered


def cancel_curse(table: Table, card: str, seat: int) -> Iterator[Event]:
    """The facts with which this card keeps the curse that is about to strike from doing anything (MK-20.5)."""
    if (curse := find_pending_curse(table)) is not None:
        yield CurseCancelled(curse.card, seat, card)
