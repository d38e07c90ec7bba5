"""Curses: the window before one strikes, its effect, and lasting curses.

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
from referee.engine.rulings import NotAsked
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepPushed, StepReplaced
from referee.games.munchkin.components import CURSES, FACES, HANDS, PENDING
from referee.games.munchkin.events.cards import CurseLaid
from referee.games.munchkin.events.combat import WindowPassed
from referee.games.munchkin.events.texts import CurseCancelled, CurseRedirected, PendingCurse
from referee.games.munchkin.moves import Pass, PlayCard
from referee.games.munchkin.rules.cards.requirements import find_required_names
from referee.games.munchkin.rules.cards.texts import build_text_execution, has_text
from referee.games.munchkin.rules.combat.combat_changed import HANDLERS
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import is_condition_met
from referee.games.munchkin.values import NOBODY

CURSE_REACTION_TIME, ANY_CURSE_TIME = "reaction_curse", "reaction_any_curse"


def start_curse(table: Table, card: str, victim: int, by: int = NOBODY) -> Iterator[Event]:  # noqa: ARG001
    """Yield the events with which a curse in `PENDING` is about to strike.

    `by` played it, or `NOBODY` if it was behind the door (MK-20.1).
    MK-20.5: Before a curse takes effect, its victim may play a card that cancels it.
    """
    yield StepPushed(CurseStrike(card, victim, by))
    yield StepPushed(CurseWindow(card, victim))


@named("mk.Strikes")
@dataclass(frozen=True)
class CurseStrike(PendingCurse):
    """The effect of a curse, and where its card goes afterwards.

    `stays` is decided when the curse strikes.
    MK-20.2: A curse takes effect at once and is discarded. If it lasts, it stays before its victim until it ends.
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
    """Return the curse that is about to strike, or None."""
    found = next((step for step in reversed(table.agenda) if isinstance(step, CurseStrike)), None)
    return found if found is not None and found.stage == "coming" else None


@named("mk.CurseWindow")
@dataclass(frozen=True)
class CurseWindow(CardPrompt):
    """The window in which the victim of a curse may answer it.

    MK-20.5: The referee holds a short window before every curse for the victim alone, whatever they hold.
    """

    card: str
    victim: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-20.5", "MK-3.6", "MK-26.12")
    moment: ClassVar[str] = "curse"
    window_kind: ClassVar[str] = "curse"

    def concerned_seats(self, state: Table) -> frozenset[int]:
        return frozenset({self.victim})

    def passing_move(self, seat: Seat) -> Move:
        return Pass()

    def time_limit(self, state: Table) -> int | None:
        limit = state.rules.curse_window_ms
        return limit if limit is not None else state.decision_time()  # null: as for other questions (MK-23.2)

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (self.victim,) if self.victim in state.living_seats else ()

    def admitted_seats(self, state: Table) -> frozenset[Seat]:
        others = frozenset(map(Seat, state.living_seats)) if ANY_CURSE_TIME in state.boxes.play_times else frozenset()
        return others | super().admitted_seats(state)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Pass()
        yield from self._list_cards(state, seat, CURSE_REACTION_TIME, ANY_CURSE_TIME)

    def _list_cards(self, table: Table, seat: Seat, *times: str) -> Iterator[Move]:
        for card in dict.fromkeys((*table.cards_in_play_of(int(seat)), *find_nameable_cards(table, HANDS[seat]))):
            if set(times) & set(FACES[card].when):
                targets = table.living_seats if "seat" in find_required_names(card) else (NOBODY,)
                yield from (PlayCard(card, target) for target in targets)

    def _list_answers_of_others(self, table: Table, seat: Seat) -> Iterator[Move]:
        if seat >= 0 and seat != self.victim and seat in self.admitted_seats(table):
            yield from self._list_cards(table, seat, ANY_CURSE_TIME)

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield from super().candidate_moves(state, seat)
        yield from self._list_answers_of_others(state, seat)

    def promising_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield from super().promising_moves(state, seat)
        yield from self._list_answers_of_others(state, seat)

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        is_card = isinstance(move, PlayCard) and move.card in FACES and ANY_CURSE_TIME in FACES[move.card].when
        if is_card and seat != self.victim and seat in self.admitted_seats(state):
            self.check_answer(state, seat, move)  # MK-27.5
        else:
            super().check_move(state, seat, move)

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, Pass):
            return
        if not isinstance(move, PlayCard):
            raise NotAsked("answer_or_pass", "MK-20.5", "MK-26.2", move=move.TAG)
        HANDLERS[PlayCard].check(state, int(seat), move)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield StepPopped()
        if isinstance(move, PlayCard):
            yield from HANDLERS[PlayCard].decide(state, int(seat), move)
        else:
            yield WindowPassed(int(seat))

    def apply_timeout(self, state: Table) -> Iterator[Event]:
        yield StepPopped()  # the window has run out


def redirect_curse(table: Table, card: str, to: int) -> Iterator[Event]:
    """Yield the events with which a card turns the curse about to strike on another.

    MK-27.5: The new victim may answer it, too.
    """
    curse = find_pending_curse(table)
    if curse is not None and curse.victim != to and to in table.living_seats:
        yield CurseRedirected(curse.card, curse.victim, to, card)
        yield StepPushed(CurseWindow(curse.card, to))


def cancel_curse(table: Table, card: str, seat: int) -> Iterator[Event]:
    """Yield the event with which a card cancels the curse about to strike (MK-20.5)."""
    if (curse := find_pending_curse(table)) is not None:
        yield CurseCancelled(curse.card, seat, card)
