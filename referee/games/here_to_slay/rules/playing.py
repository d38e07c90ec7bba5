"""Playing a card: the announcement, the challenge, and what a card does that stands.

Clauses: HTS-PLAY-1 to HTS-PLAY-5, HTS-HERO-1 to HTS-HERO-4, HTS-ITEM-1 to HTS-ITEM-9, HTS-MAGIC-1, HTS-MAGIC-2,
HTS-CHAL-1 to HTS-CHAL-10, HTS-NOW-1 to HTS-NOW-3, HTS-VERB-7, HTS-NEST-1, HTS-NEST-2, HTS-NEST-3, HTS-NEST-4,
HTS-STATE-7, HTS-ASK-4, HTS-AMB-1 to HTS-AMB-11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.hidden_cards import can_name_card, cards_leaving
from referee.cardscript.language.interpreter import NameBound
from referee.cardscript.moves import Accept, ChooseCard, Decline
from referee.cardscript.questions import CardPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced
from referee.games.here_to_slay.components import DISCARD, FACES, HANDS, PARTIES, PENDING, is_kind
from referee.games.here_to_slay.events.plays import (
    ChallengeDeclared,
    HeroEntered,
    ItemEquipped,
    MagicPlayed,
    PendingCardDiscarded,
    PlayAnnounced,
    PlayLost,
    PlayStood,
    RollSettled,
    UnsettledRolls,
    WindowPassed,
)
from referee.games.here_to_slay.moves import Challenge, Pass
from referee.games.here_to_slay.rules.announcing import is_challengeable
from referee.games.here_to_slay.rules.effect_frames import EffectFrame
from referee.games.here_to_slay.rules.rolling import ModifierWindow, Throw, check_hero_roll, roll_for_hero
from referee.games.here_to_slay.state import Table, item_place_of
from referee.games.here_to_slay.triggers import build_text_execution
from referee.games.here_to_slay.values import DiceRoll


def announce_play(
    table: Table, seat: int, card: str, immediate: bool, called: str = "", paid: Event | None = None
) -> Iterator[Event]:
    """The facts with which a card is played: it is pending, is paid for, and may be challenged or not (HTS-PLAY-2)."""
    took = cards_leaving(table, HANDS[seat], (card,))
    yield PlayAnnounced(HANDS[seat], PENDING, took, (card,), seat, immediate)
    if paid is not None:
        yield paid
    yield StepPushed(EffectFrame())
    if is_challengeable(table, seat, card, immediate):
        yield StepPushed(ChallengeWindow(seat, card, called))
    else:
        yield StepPushed(PlayResolution(seat, card, called))


@named("hts.ChallengeWindow")
@dataclass(frozen=True)
class ChallengeWindow(CardPrompt):
    """The others may challenge the card that `seat` plays; a pass is final (HTS-CHAL-3, HTS-CHAL-4)."""

    seat: int
    card: str
    called: str = ""
    passed: tuple[int, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("HTS-CHAL-1", "HTS-CHAL-3", "HTS-CHAL-4", "HTS-ASK-2", "HTS-AMB-2")
    window_kind: ClassVar[str] = "challenge"

    def passing_move(self, seat: Seat) -> Move:
        return Pass()

    def default_answer(self, state: Table, seat: Seat) -> Move:
        return Pass()  # HTS-AMB-76

    def time_limit(self, state: Table) -> int | None:
        return state.rules.window_ms

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        others = state.other_seats(self.seat)
        return tuple(seat for seat in others if seat not in self.passed and state.holds_cards(seat))

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Pass()
        yield Challenge()

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, Pass):
            return
        if not isinstance(move, Challenge):
            raise IllegalMove("challenge_or_pass", "HTS-CHAL-1", "HTS-ASK-1", move=move.TAG)
        if not can_name_card(state, HANDS[seat], "challenge"):
            raise IllegalMove("no_challenge_held", "HTS-CHAL-1", card="challenge")

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Challenge):
            took = cards_leaving(state, HANDS[seat], ("challenge",))
            challenger, challenged = (
                DiceRoll("challenger", int(seat), self.card),
                DiceRoll("challenged", self.seat, self.card),
            )
            yield StepReplaced(RollOff((challenger, challenged), self.seat, self.card, self.called))
            yield StepPushed(ModifierWindow())
            yield StepPushed(Throw(2, 6, self.seat, "challenged", self.card))
            yield StepPushed(Throw(2, 6, int(seat), "challenger", self.card))
            yield StepPushed(EffectFrame())  # what punishes the challenging comes before the dice (HTS-AMB-8)
            yield ChallengeDeclared(HANDS[seat], PENDING, took, ("challenge",), int(seat), self.seat)
        else:
            yield StepReplaced(replace_fields(self, passed=(*self.passed, int(seat))))
            yield WindowPassed(int(seat))

    def apply_timeout(self, state: Table) -> Iterator[Event]:
        yield StepReplaced(replace_fields(self, passed=(*self.passed, *self.prompted_seats(state))))

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepReplaced(PlayResolution(self.seat, self.card, self.called))


@named("hts.RollOff")
@dataclass(frozen=True)
class RollOff(UnsettledRolls):
    """Challenger and challenged have rolled; the higher total has it, a tie the challenger (HTS-CHAL-7 to -10)."""

    seat: int
    card: str
    called: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-CHAL-7", "HTS-CHAL-8", "HTS-CHAL-9", "HTS-CHAL-10", "HTS-AMB-3")

    def resolve(self, state: Table) -> Iterator[Event]:
        challenger, challenged = self.casts
        against, total = state.compute_roll_total(challenger), state.compute_roll_total(challenged)
        yield RollSettled(challenger.seat, "challenger", self.card, against, "compared")
        yield RollSettled(challenged.seat, "challenged", self.card, total, "compared")
        yield PendingCardDiscarded(PENDING, DISCARD, ("challenge",), ("challenge",))
        if against >= total:
            yield PlayLost(PENDING, DISCARD, (self.card,), (self.card,), self.seat)
            yield StepPopped()
        else:
            yield StepReplaced(PlayResolution(self.seat, self.card, self.called))


@named("hts.Playing")
@dataclass(frozen=True)
class PlayResolution(Step):
    """A card that stands is carried out (HTS-PLAY-2); `called` tells the text beneath that it did (HTS-NEST-4)."""

    seat: int
    card: str
    called: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("HTS-PLAY-2", "HTS-CHAL-9")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield PlayStood(self.seat, self.card)
        if self.called:
            yield NameBound(self.called, (self.card,))
        if FACES[self.card].kind == "hero":
            yield HeroEntered(PENDING, PARTIES[self.seat], (self.card,), (self.card,), self.seat)
            yield StepReplaced(FreeRoll(self.seat, self.card))
        elif is_kind(self.card, "item"):
            yield StepReplaced(EquipChoice(self.seat, self.card))
        else:
            yield StepReplaced(MagicDisposal(self.seat, self.card))
            yield StepPushed(build_text_execution(self.card, "does", self.seat))


@named("hts.FreeRoll")
@dataclass(frozen=True)
class FreeRoll(CardPrompt):
    """Whoever has just played a hero may roll for it at once, without a point (HTS-HERO-2)."""

    seat: int
    hero: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-HERO-2", "HTS-NOW-3", "HTS-MAY-1")

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if state.controller_of(self.hero) == self.seat else ()

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Decline()
        yield Accept()

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Accept | Decline):
            raise IllegalMove("roll_or_not", "HTS-HERO-2", card=self.hero)
        if isinstance(move, Accept):
            check_hero_roll(state, self.seat, self.hero)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield StepPopped()
        if isinstance(move, Accept):
            yield from roll_for_hero(state, self.seat, self.hero, mark=state.rules.free_roll_counts)


@named("hts.Equip")
@dataclass(frozen=True)
class EquipChoice(CardPrompt):
    """An item that stands is put under any hero that carries none (HTS-ITEM-1, HTS-ITEM-4)."""

    seat: int
    item: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ITEM-1", "HTS-ITEM-3", "HTS-ITEM-4", "HTS-AMB-6", "HTS-AMB-32")

    def find_hosts(self, table: Table) -> tuple[str, ...]:
        """Every hero that carries no item."""
        return tuple(hero for _, hero in table.iterate_heroes() if table.item_of(hero) is None)

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if len(self.find_hosts(state)) > 1 else ()

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (ChooseCard(hero) for _, hero in state.iterate_heroes())

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCard):
            raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if state.controller_of(move.card) is None:
            raise IllegalMove("no_such_hero", "HTS-ITEM-2", card=move.card)
        if (item := state.item_of(move.card)) is not None:
            raise IllegalMove("carries_an_item", "HTS-ITEM-3", card=move.card, item=item)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCard)
        yield StepPopped()
        yield self._build_equipping(move.card)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        if hosts := self.find_hosts(state):
            yield self._build_equipping(hosts[0])
        else:
            yield PendingCardDiscarded(PENDING, DISCARD, (self.item,), (self.item,))  # HTS-ITEM-7

    def _build_equipping(self, hero: str) -> Event:
        return ItemEquipped(PENDING, item_place_of(hero), (self.item,), (self.item,), self.seat, hero)


@named("hts.MagicEnds")
@dataclass(frozen=True)
class MagicDisposal(Step):
    """The text of magic has been carried out; the card goes to the discard pile, then its triggers (HTS-MAGIC-1)."""

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-MAGIC-1", "HTS-MAGIC-2", "HTS-TRIG-2")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        yield MagicPlayed(PENDING, DISCARD, (self.card,), (self.card,), self.seat)
