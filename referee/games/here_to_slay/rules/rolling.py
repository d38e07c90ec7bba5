"""Rolls: the dice, the window for modifiers, and the roll for a hero's effect.

Clauses: HTS-TERM-4, HTS-ROLL-1, HTS-ROLL-2, HTS-ROLL-3 to HTS-ROLL-10, HTS-MOD-1 to HTS-MOD-13, HTS-MOD-4, HTS-MOD-11,
HTS-TGT-3 to HTS-TGT-5, HTS-AMB-12 to HTS-AMB-17, HTS-AMB-14, HTS-AMB-16, HTS-AMB-22 to HTS-AMB-28, HTS-AMB-23,
HTS-AMB-26.
HTS-ROLL-2: Rolls come in four kinds: for a hero's effect, for an attack, as the challenger, as the challenged player.
HTS-MOD-4: Nobody has to decide on a modifier before a required target is known, so the roller declares it before
    modifiers may be played.
HTS-MOD-11: Once played, a modifier stays played. It cannot be challenged.
HTS-AMB-14: Modifiers in a challenge come after both rolls, in one window for either roll.
HTS-AMB-16: A declared target stays the target. What cannot be done to it lapses.
HTS-AMB-23: Items and abilities about rolls for hero effects do not count on other rolls.
HTS-AMB-26: A roll stays counted for the card in that turn. A hero that is played again counts as new.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from referee.cardscript.hidden_cards import can_name_card, cite_census, find_nameable_cards
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Values
from referee.cardscript.questions import CardPrompt
from referee.engine.chance import Roll
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove, NotAsked, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced
from referee.engine.zones import find_cards_leaving
from referee.games.here_to_slay.components import DISCARD, FACES, HANDS, PROGRAMS
from referee.games.here_to_slay.events.plays import (
    DiceRolled,
    DiceRolledAgain,
    HeroMarked,
    ModifierPlayed,
    RollSettled,
    UnsettledRolls,
    WindowPassed,
)
from referee.games.here_to_slay.events.turns import LastingEffectEnded
from referee.games.here_to_slay.moves import Modify, Pass
from referee.games.here_to_slay.rules.effect_frames import EffectFrame
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.triggers import build_text_execution
from referee.games.here_to_slay.values import DiceRoll, sign_values


@named("hts.Throw")
@dataclass(frozen=True)
class Throw(Roll):
    """Two dice to roll. `mark` names the hero to mark as rolled for, if any.

    HTS-ROLL-1: A roll is made with two dice. Standing values and whatever is played on it are added.
    HTS-ROLL-4: The hero is marked as soon as the dice are thrown. The free roll on playing it counts too.
    """

    dice: int = 2
    seat: int = 0
    kind: str = "hero"
    about: str = ""
    mark: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ROLL-1", "HTS-STATE-8")

    def resolve_roll(self, state: Table, values: tuple[int, ...]) -> Iterator[Event]:
        rolled = DiceRolled(self.seat, self.kind, self.about, values)
        waiting = tuple(state.collect_triggers(rolled))
        yield rolled
        if self.mark:
            yield HeroMarked(self.mark)
        if waiting:
            yield StepPushed(EffectFrame())  # HTS-AGAIN-1: it comes before targets and modifiers


@named("hts.ThrowAgain")
@dataclass(frozen=True)
class ThrowAgain(Throw):
    """The two dice of an open roll are thrown again.

    HTS-AGAIN-1: The second throw takes the place of the first, and what was played on the roll stays.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-AGAIN-1", "HTS-ROLL-1")

    def resolve_roll(self, state: Table, values: tuple[int, ...]) -> Iterator[Event]:
        yield DiceRolledAgain(self.seat, self.kind, self.about, values)


def start_rolling_again(table: Table, seat: int) -> Iterator[Event]:
    """Yield the event with which the dice of a player's open roll are thrown again.

    HTS-AGAIN-1: A text may have the dice of an open roll thrown again. Without such a roll nothing happens.
    """
    beneath = next((step for step in reversed(table.agenda) if isinstance(step, UnsettledRolls)), None)
    for cast in beneath.casts if beneath is not None else ():
        if cast.seat == seat and cast.dice:
            yield StepPushed(ThrowAgain(2, 6, seat, cast.kind, cast.about))


@named("hts.ModifierWindow")
@dataclass(frozen=True)
class ModifierWindow(CardPrompt):
    """All players may play modifiers on the rolls beneath.

    HTS-MOD-7: The window for modifiers stays open until everybody asked has passed with no modifier in between. Every
        new one cancels earlier passes.
    HTS-MOD-8: Everyone is asked, the roller included, modifier in hand or not. A player without any hand cards counts
        as having passed, since everybody can see the empty hand.
    """

    passed: tuple[int, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = (
        "HTS-MOD-1", "HTS-MOD-6", "HTS-MOD-7", "HTS-MOD-8", "HTS-MOD-12", "HTS-ASK-2", "HTS-AMB-13",
    )  # fmt: skip
    window_kind: ClassVar[str] = "modifiers"

    def passing_move(self, seat: Seat) -> Move:
        return Pass()  # HTS-AMB-76: when a clock runs out, the player passes

    def concerned_seats(self, state: Table) -> frozenset[int]:
        """Return who rolled, and at whom or whose heroes the effect is aimed."""
        found = {cast.seat for cast in find_open_rolls(state)}
        beneath = next(step for step in reversed(state.agenda) if isinstance(step, UnsettledRolls))
        for values in beneath.declared.values() if isinstance(beneath, HeroRoll) else ():
            owners = (each if isinstance(each, int) else state.controller_of(str(each)) for each in values)
            found |= {owner for owner in owners if owner is not None}
        return frozenset(found)

    def time_limit(self, state: Table) -> int | None:
        return state.rules.window_ms

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return tuple(
            seat
            for seat in state.seats_at_table
            if seat not in self.passed and state.holds_cards(seat) and state.find_bar(seat, "no_modifying") is None
        )

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Pass()
        for card in find_nameable_cards(state, HANDS[seat]):
            for value in FACES[card].options:
                for cast in find_open_rolls(state):
                    yield Modify(card, value, cast.seat)

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, Pass):
            return
        if not isinstance(move, Modify):
            raise NotAsked("modifier_or_pass", "HTS-ASK-1")
        check_unbarred(state, int(seat), "no_modifying")
        check_modifier_card(state, int(seat), move)
        check_modified_roll(state, move.roller)

    def find_grounds(self, state: Table, move: Move) -> tuple[str, ...]:
        both = isinstance(move, Modify) and len(find_open_rolls(state)) > 1
        return ("HTS-MOD-5", "HTS-AMB-14") if both else ()

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Modify):
            hand = HANDS[seat]
            took = find_cards_leaving(state, hand, (move.card,))
            yield StepReplaced(replace_fields(self, passed=()))
            yield StepPushed(EffectFrame())  # HTS-MOD-12: its triggers come before the next modifier or pass
            yield ModifierPlayed(hand, DISCARD, took, (move.card,), int(seat), move.card, move.value, move.roller)
        else:
            yield StepReplaced(replace_fields(self, passed=(*self.passed, int(seat))))
            yield WindowPassed(int(seat))

    def apply_timeout(self, state: Table) -> Iterator[Event]:
        yield StepPopped()  # HTS-AMB-13: when the time is up, all silent players pass


def check_unbarred(table: Table, seat: int, what: str) -> None:
    """Raise IllegalMove if a lasting effect keeps this player from doing it.

    HTS-CANNOT-1: A text may keep a player from attacking, from challenging or from playing modifiers for a while. Such
        a player is not asked, and passes count without one.
    """
    if (by := table.find_bar(seat, what)) is not None:
        raise IllegalMove("is_barred", "HTS-CANNOT-1", by=by, what=what)


def end_effects_on_roll(table: Table, seat: int) -> Iterator[Event]:
    """Yield the end of what lasts until the next roll of a player is settled.

    HTS-UNTIL-3: What a text gives or imposes may concern other players too. It may also end once the next roll of the
        player concerned is settled, or when the next turn of the text's player starts.
    """
    if any((each.seat, each.until) == (seat, "next_roll") for each in table.lasting):
        yield LastingEffectEnded(seat, "next_roll")


def check_modifier_card(table: Table, seat: int, move: Modify) -> None:
    """Raise IllegalMove unless this seat can play this modifier with this value.

    HTS-MOD-1: Everyone may play modifiers from their hand.
    HTS-MOD-3: If the card shows two numbers, the player names one of them.
    """
    face = FACES.get(move.card)
    if face is None or move.card not in table.rules.boxes.main:
        raise IllegalMove("no_such_card", "HTS-MOD-1", card=move.card)
    if face.kind != "modifier":
        raise IllegalMove("no_modifier", "HTS-MOD-1", card=move.card)
    if not can_name_card(table, HANDS[seat], move.card):
        raise IllegalMove("not_in_the_hand", "HTS-MOD-1", *cite_census(table, HANDS[seat]), seat=seat, card=move.card)
    if move.value not in face.options:
        raise IllegalMove("no_such_value", "HTS-MOD-3", "HTS-MOD-13", values=sign_values(face.options))


def check_modified_roll(table: Table, roller: int) -> None:
    """Raise IllegalMove unless this player has one of the open rolls.

    HTS-MOD-5: In a challenge modifiers are played on both rolls together, and the player says which roll it is for.
    """
    rolls = find_open_rolls(table)
    if any(cast.seat == roller for cast in rolls):
        return
    if len(rolls) > 1:
        raise IllegalMove("not_in_this_challenge", "HTS-MOD-5", "HTS-MOD-2", seat=roller)
    raise IllegalMove("no_roll_of_theirs", "HTS-MOD-2", seat=roller)


def find_open_rolls(table: Table) -> tuple[DiceRoll, ...]:
    """Return the innermost unsettled rolls, which the open window is about."""
    return next(step.casts for step in reversed(table.agenda) if isinstance(step, UnsettledRolls))


# ---- the roll for the effect of a hero -----------------------------------------------------------------------


@named("hts.HeroRoll")
@dataclass(frozen=True)
class HeroRoll(UnsettledRolls):
    """A roll for the effect of a hero, settled once the modifier window has closed.

    `declared` are the targets named for the effect.
    HTS-ROLL-5: A hero roll goes like this: pay the point if one is due, throw the dice, declare the targets known by
        then, let modifiers be played, settle the total, carry out the effect on success, then deal with what the
        outcome triggers.
    HTS-MOD-9: After that the roll and all its values are added up. That total is final.
    """

    declared: dict[str, Values] = field(default_factory=dict)
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ROLL-5", "HTS-ROLL-6", "HTS-MOD-9")

    def find_outcome(self, table: Table, total: int) -> str:
        """Return the outcome with this total: `success`, `failure` or `void`."""
        (cast,) = self.casts
        if table.controller_of(cast.about) != cast.seat or table.is_sealed(cast.about):
            return "void"
        return "success" if FACES[cast.about].roll.contains_total(total) else "failure"

    def resolve(self, state: Table) -> Iterator[Event]:
        (cast,) = self.casts
        total = state.compute_roll_total(cast)
        outcome = self.find_outcome(state, total)
        yield RollSettled(cast.seat, "hero", cast.about, total, outcome)
        yield from end_effects_on_roll(state, cast.seat)
        if outcome == "success":
            yield StepReplaced(HeroEffect(cast.seat, cast.about, self.declared))
        else:
            yield StepPopped()


@named("hts.Effect")
@dataclass(frozen=True)
class HeroEffect(Step):
    """The effect of a hero is carried out in a frame of its own.

    HTS-TRIG-2: The effect and its triggers come before what the success or failure of the roll triggers.
    """

    seat: int
    hero: str
    declared: dict[str, Values]
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ROLL-6", "HTS-TRIG-2")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        yield StepPushed(EffectFrame())
        yield StepPushed(build_text_execution(self.hero, "does", self.seat, self.declared))


def roll_for_hero(table: Table, seat: int, hero: str, mark: bool = True) -> Iterator[Event]:
    """Yield the events that begin a player's roll for a hero.

    HTS-ROLL-5: A hero roll goes like this: pay the point if one is due, throw the dice, declare the targets known by
        then, let modifiers be played, settle the total, carry out the effect on success, then deal with what the
        outcome triggers.
    """
    yield StepPushed(EffectFrame())
    yield StepPushed(HeroRoll((DiceRoll("hero", seat, hero),)))
    yield StepPushed(ModifierWindow())
    if table.rules.targets == "before_window" and any(line.declared for line in PROGRAMS[hero, "does"]):
        yield StepPushed(Execution(hero, "does", seat, 0, {"me": (seat,), "this": (hero,)}, (), True))
    yield StepPushed(Throw(2, 6, seat, "hero", hero, hero if mark else ""))


def check_hero_roll(table: Table, seat: int, hero: str) -> None:
    """Raise IllegalMove unless this hero may be rolled for now.

    HTS-ROLL-3: In their own turn players may roll for a hero if it lies in their party, bears no roll mark and no
        Sealing Key, and a point is paid or the roll is free.
    """
    check_unsealed_hero(table, seat, hero)
    check_first_hero_roll(table, hero)


def check_unsealed_hero(table: Table, seat: int, hero: str) -> None:
    """Raise IllegalMove unless this hero is the player's and bears no Sealing Key."""
    owner = table.controller_of(hero)
    if owner is not None and owner != seat:
        raise IllegalMove("hero_of_another", "HTS-ROLL-3", card=hero, seat=owner)
    if owner is None:
        raise IllegalMove("not_in_the_party", "HTS-ROLL-3", card=hero)
    if table.is_sealed(hero):
        raise IllegalMove("is_sealed", "HTS-DO-27", "HTS-ROLL-3", card=hero, by=table.item_of(hero))


def check_first_hero_roll(table: Table, hero: str) -> None:
    """Raise IllegalMove if this hero has been rolled for in this turn.

    HTS-ROLL-4: Each hero card gets one roll per turn, successful or not. The hero is marked as soon as the dice are
        thrown. The free roll on playing it counts too.
    """
    if hero in find_marked_heroes(table):
        raise IllegalMove("rolled_already", "HTS-ROLL-4", "HTS-AMB-24", card=hero)


def find_marked_heroes(table: Table) -> tuple[str, ...]:
    """Return the heroes that were rolled for in this turn. Raises Undetermined."""
    if table.rolled is None:
        raise Undetermined("who_was_rolled_for")
    return table.rolled
