"""Curses: the moment before one strikes, what it does, and those that stay until they end.

Clauses: MK-3.6, MK-14.4, MK-20.1 to MK-20.7, MK-26.2, MK-26.6, MK-26.12.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.hidden_cards import namable
from referee.cardscript.questions import Asking
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Opened
from referee.games.munchkin.components import CURSES, FACES, HANDS, PENDING
from referee.games.munchkin.derived import holds
from referee.games.munchkin.events.cards import CurseLaid
from referee.games.munchkin.events.combat import Passed
from referee.games.munchkin.events.texts import CurseCancelled, Striking
from referee.games.munchkin.moves import Pass, PlayCard
from referee.games.munchkin.rules.cards.texts import has_text, text_of
from referee.games.munchkin.rules.items.discarding import discarded
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY

TIME = "reaction_curse"


def cursed(table: Table, card: str, victim: int, by: int = NOBODY) -> Iterator[Event]:  # noqa: ARG001
    """The facts with which a curse that lies in `PENDING` is about to strike: its victim may answer first (MK-20.5).

    `by`: who played it, nobody where it was found behind the door (MK-20.1).
    """
    yield Opened(Strikes(card, victim, by))
    yield Opened(CurseWindow(card, victim))


@named("mk.Strikes")
@dataclass(frozen=True)
class Strikes(Striking):
    """A curse strikes; then it is discarded, or stays before its victim (MK-20.2).

    `stays`: whether it remains, which is judged as it strikes.
    """

    stays: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-20.1", "MK-20.2", "MK-20.4")

    def resolve(self, state: Table) -> Iterator[Event]:
        if self.stage == "coming" and self.victim in state.living:
            stays = FACES[self.card].stays
            kept = stays is not None and (stays.unless is None or not holds(state, stays.unless, self.victim))
            yield Became(changed(self, stage="struck", stays=kept))
            if has_text(state, self.card, "does"):
                yield Opened(text_of(state, self.card, "does", self.victim))
            return
        yield Closed()
        if self.card not in state.place(PENDING):
            return
        if self.stays and self.victim in state.living:
            yield CurseLaid(PENDING, CURSES[self.victim], (self.card,), (self.card,), self.victim)
        else:
            yield from discarded(state, PENDING, (self.card,))


def coming(table: Table) -> Strikes | None:
    """The curse that is about to strike, None if none is."""
    found = next((step for step in reversed(table.agenda) if isinstance(step, Strikes)), None)
    return found if found is not None and found.stage == "coming" else None


@named("mk.CurseWindow")
@dataclass(frozen=True)
class CurseWindow(Asking):
    """The victim may play a card that answers a curse before it strikes. Everybody has that moment (MK-20.5)."""

    card: str
    victim: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-20.5", "MK-3.6", "MK-26.12")
    moment: ClassVar[str] = "curse"
    window: ClassVar[str] = "curse"

    def passing(self, seat: Seat) -> Move:
        return Pass()

    def by_default(self, state: Table, seat: Seat) -> Move:
        return Pass()

    def thinking(self, state: Table) -> int | None:
        limit = state.rules.curse_window_ms
        return limit if limit is not None else state.decision_time()  # nobody waits for ever (MK-23.2)

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.victim,) if self.victim in state.living else ()

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Pass()
        for card in dict.fromkeys((*state.in_play(int(seat)), *namable(state, HANDS[seat]))):
            if TIME in FACES[card].when:
                yield PlayCard(card)

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        from referee.games.munchkin.rules.cards import playing  # which plays curses, too

        if isinstance(move, Pass):
            return
        if not isinstance(move, PlayCard):
            raise Refused("answer_or_pass", "MK-20.5", "MK-26.2", move=move.TAG)
        playing.check_card(state, int(seat), move, self.moment)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        from referee.games.munchkin.rules.cards import playing

        yield Closed()
        if isinstance(move, PlayCard):
            yield from playing.carried_out(state, int(seat), move)
        else:
            yield Passed(int(seat))

    def too_late(self, state: Table) -> Iterator[Event]:
        yield Closed()  # the time is up, and the victim has not answered


def cancelled(table: Table, card: str, seat: int) -> Iterator[Event]:
    """The facts with which this card keeps the curse that is about to strike from doing anything (MK-20.5)."""
    if (curse := coming(table)) is not None:
        yield CurseCancelled(curse.card, seat, card)
