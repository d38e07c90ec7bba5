"""Rolls: the dice, the window for modifiers, and the roll for the effect of a hero.

Clauses: HTS-TERM-4, HTS-ROLL-1, HTS-ROLL-2, HTS-ROLL-3 to HTS-ROLL-10, HTS-MOD-1 to HTS-MOD-13, HTS-MOD-4, HTS-MOD-11,
HTS-TGT-3 to HTS-TGT-5, HTS-AMB-12 to HTS-AMB-17, HTS-AMB-14, HTS-AMB-16, HTS-AMB-22 to HTS-AMB-28,
HTS-AMB-23, HTS-AMB-26.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from referee.cardscript.hidden_cards import can_name, gone_from, namable
from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.language.primitives import Values
from referee.cardscript.questions import Asking
from referee.engine.chance import Roll
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Opened, Step
from referee.games.here_to_slay.components import DISCARD, FACES, HANDS, PROGRAMS
from referee.games.here_to_slay.events.plays import (
    DiceRolled,
    HeroMarked,
    ModifierPlayed,
    Passed,
    Rolling,
    RollSettled,
)
from referee.games.here_to_slay.moves import Modify, Pass
from referee.games.here_to_slay.rules.effect_frames import Carried
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.triggers import text_of
from referee.games.here_to_slay.values import Cast


@named("hts.Throw")
@dataclass(frozen=True)
class Throw(Roll):
    """Two dice to roll (HTS-ROLL-1); `mark` names the hero that is not rolled for again in this turn (HTS-ROLL-4)."""

    dice: int = 2
    seat: int = 0
    kind: str = "hero"
    about: str = ""
    mark: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ROLL-1", "HTS-STATE-8")

    def outcome(self, state: Table, values: tuple[int, ...]) -> Iterator[Event]:
        yield DiceRolled(self.seat, self.kind, self.about, values)
        if self.mark:
            yield HeroMarked(self.mark)


@named("hts.ModifierWindow")
@dataclass(frozen=True)
class ModifierWindow(Asking):
    """Everybody may play modifiers on the rolls beneath, until all have passed since the last one (HTS-MOD-7).

    Asked is whoever holds a hand card, the roller too, modifier or not (HTS-MOD-8).
    """

    passed: tuple[int, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = (
        "HTS-MOD-1", "HTS-MOD-6", "HTS-MOD-7", "HTS-MOD-8", "HTS-MOD-12", "HTS-ASK-2", "HTS-AMB-13",
    )  # fmt: skip
    window: ClassVar[str] = "modifiers"

    def passing(self, seat: Seat) -> Move:
        return Pass()

    def by_default(self, state: Table, seat: Seat) -> Move:
        return Pass()  # HTS-AMB-76

    def thinking(self, state: Table) -> int | None:
        return state.rules.window_ms

    def asked(self, state: Table) -> tuple[int, ...]:
        return tuple(seat for seat in state.playing if seat not in self.passed and state.holds_cards(seat))

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Pass()
        for card in namable(state, HANDS[seat]):
            for value in FACES[card].options:
                for cast in open_rolls(state):
                    yield Modify(card, value, cast.seat)

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, Pass):
            return
        if not isinstance(move, Modify):
            raise Refused("modifier_or_pass", "HTS-MOD-1", "HTS-ASK-1", move=move.TAG)
        face = FACES.get(move.card)
        if face is None or move.card not in state.rules.boxes.main:
            raise Refused("no_such_card", "HTS-MOD-1", card=move.card)
        if face.kind != "modifier":
            raise Refused("no_modifier", "HTS-MOD-1", card=move.card)
        if not can_name(state, HANDS[seat], move.card):
            raise Refused("not_in_the_hand", "HTS-MOD-1", card=move.card)
        if move.value not in face.options:
            raise Refused("no_such_value", "HTS-MOD-3", "HTS-MOD-13", values=face.options)
        if all(cast.seat != move.roller for cast in open_rolls(state)):
            raise Refused("no_roll_of_theirs", "HTS-MOD-2", "HTS-MOD-5", seat=move.roller)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Modify):
            hand = HANDS[seat]
            took = gone_from(state, hand, (move.card,))
            yield Became(changed(self, passed=()))
            yield Opened(Carried())  # its triggers come before anybody plays or passes again (HTS-MOD-12)
            yield ModifierPlayed(hand, DISCARD, took, (move.card,), int(seat), move.card, move.value, move.roller)
        else:
            yield Became(changed(self, passed=(*self.passed, int(seat))))
            yield Passed(int(seat))

    def too_late(self, state: Table) -> Iterator[Event]:
        yield Closed()  # the time is up: whoever has not played passes (HTS-AMB-13)


def open_rolls(table: Table) -> tuple[Cast, ...]:
    """The rolls that the open window is about, the innermost."""
    return next(step.casts for step in reversed(table.agenda) if isinstance(step, Rolling))


# ---- the roll for the effect of a hero -----------------------------------------------------------------------


@named("hts.HeroRoll")
@dataclass(frozen=True)
class HeroRoll(Rolling):
    """A roll for the effect of a hero, settled once the window has closed (HTS-ROLL-5, HTS-MOD-9)."""

    declared: dict[str, Values] = field(default_factory=dict)
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ROLL-5", "HTS-ROLL-6", "HTS-MOD-9")

    def resolve(self, state: Table) -> Iterator[Event]:
        (cast,) = self.casts
        hero, total = cast.about, state.total(cast)
        if state.controller(hero) != cast.seat or state.sealed(hero):
            yield RollSettled(cast.seat, "hero", hero, total, "void")
            yield Closed()
        elif FACES[hero].roll.holds(total):
            yield RollSettled(cast.seat, "hero", hero, total, "success")
            yield Became(Effect(cast.seat, hero, self.declared))
        else:
            yield RollSettled(cast.seat, "hero", hero, total, "failure")
            yield Closed()


@named("hts.Effect")
@dataclass(frozen=True)
class Effect(Step):
    """The effect of a hero is carried out, in a frame of its own before what the success sets off (HTS-TRIG-2)."""

    seat: int
    hero: str
    declared: dict[str, Values]
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ROLL-6", "HTS-TRIG-2")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Closed()
        yield Opened(Carried())
        yield Opened(text_of(self.hero, "does", self.seat, self.declared))


def roll_for_hero(table: Table, seat: int, hero: str, mark: bool = True) -> Iterator[Event]:
    """The facts with which a player rolls for a hero: dice, targets, modifiers, in this order (HTS-ROLL-5)."""
    yield Opened(Carried())
    yield Opened(HeroRoll((Cast("hero", seat, hero),)))
    yield Opened(ModifierWindow())
    if table.rules.targets == "before_window" and any(line.declared for line in PROGRAMS[hero, "does"]):
        yield Opened(CarryOut(hero, "does", seat, 0, {"me": (seat,), "this": (hero,)}, (), True))
    yield Opened(Throw(2, 6, seat, "hero", hero, hero if mark else ""))


def check_hero_roll(table: Table, seat: int, hero: str) -> None:
    """Raises Refused unless this hero may be rolled for now (HTS-ROLL-3, HTS-ROLL-4)."""
    if table.controller(hero) != seat:
        raise Refused("not_in_the_party", "HTS-ROLL-3", card=hero)
    if table.sealed(hero):
        raise Refused("is_sealed", "HTS-ROLL-3", "HTS-DO-27", card=hero, by=table.item_of(hero))
    if hero in marked(table):
        raise Refused("rolled_already", "HTS-ROLL-4", "HTS-AMB-24", card=hero)


def marked(table: Table) -> tuple[str, ...]:
    """The heroes that were rolled for in this turn. Raises Unknown."""
    if table.rolled is None:
        raise Unknown("who_was_rolled_for")
    return table.rolled
