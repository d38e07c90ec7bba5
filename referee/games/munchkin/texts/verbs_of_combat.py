"""Verbs of the card texts about a combat: strength, monsters that come and go, help, running away, curses, dice.

Clauses: MK-3.4, MK-8.1, MK-9.1, MK-10.1 to MK-10.6, MK-11.1, MK-11.3, MK-11.5, MK-13.10, MK-13.11, MK-14.3, MK-16.6,
MK-17.2, MK-17.6 to MK-17.8, MK-20.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import ME, CardEffect, PlayerSelector
from referee.engine.events import Event
from referee.games.munchkin.components import FACES, HANDS
from referee.games.munchkin.events.combat import FlightRollModified, MonsterEnhanced, StrengthAdded
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.rules import drawing
from referee.games.munchkin.rules.cards import cursing
from referee.games.munchkin.rules.combat import fighting, fleeing, helping, rolling
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import compute_own_strength
from referee.games.munchkin.texts.verbs_of_players import find_living_players
from referee.games.munchkin.texts.vocabulary import WORDS
from referee.games.munchkin.values import AddedStrength, Foe


def find_named_foe(state: Table, text: Execution) -> Foe | None:
    """The monster that the play named, while it is in the combat."""
    card = text.first_value("monster")
    return state.combat.find_foe(card) if state.combat is not None and card is not None else None


# ---- strength --------------------------------------------------------------------------------------------------------


@WORDS.register_effect("bonus")
@dataclass(frozen=True)
class Bonus(CardEffect):
    """Adds to the strength of a side for this combat; `own_strength`: as much as the player has now (MK-9.1)."""

    side: Literal["munchkins", "monsters", "chosen"]
    count: int | Literal["own_strength"]

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        side = text.first_value("side") if self.side == "chosen" else self.side
        if state.combat is None or side is None:
            yield EffectLapsed(text.card, "bonus", text.by)
            return
        count = compute_own_strength(state, text.by) if self.count == "own_strength" else self.count
        yield StrengthAdded(AddedStrength(text.card, text.by, side, count, FACES[text.card].kind == "one_shot"))


@WORDS.register_effect("enhance")
@dataclass(frozen=True)
class Enhance(CardEffect):
    """Lies on a monster and its twins: changes strength and treasures, gives a tag (MK-10.1, MK-10.3, MK-10.5).

    What it changes is read off the card as long as it lies there (`strength.enhancement`).
    """

    count: int
    treasures: int = 0
    tag: Literal["", "undead", "demon"] = ""
    at_least: int = 0

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        foe = find_named_foe(state, text)
        if foe is None:
            yield EffectLapsed(text.card, "enhance", text.by)
            return
        twins = tuple(other.card for other in state.running_combat.foes if other.of == foe.of)
        yield MonsterEnhanced(text.card, twins)


# ---- monsters come and go --------------------------------------------------------------------------------------------


@WORDS.register_effect("join")
@dataclass(frozen=True)
class Join(CardEffect):
    """The monster played with the card comes into the combat out of the same hand (MK-14.3)."""

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        monster = text.first_value("partner")
        if state.combat is not None and monster is not None:
            yield from fighting.join_monster(state, monster, monster, HANDS[text.by], text.by)


@WORDS.register_effect("twin")
@dataclass(frozen=True)
class Twin(CardEffect):
    """A twin of a monster joins, which the card stands for, with the same enhancers (MK-10.3)."""

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (foe := find_named_foe(state, text)) is not None:
            yield from fighting.join_twin(state, text.card, foe, text.by)


@WORDS.register_effect("replace")
@dataclass(frozen=True)
class Replace(CardEffect):
    """A monster goes with all that lies on it; the one played with the card takes its place (MK-10.6)."""

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        foe, monster = find_named_foe(state, text), text.first_value("partner")
        if foe is not None and monster is not None:
            yield from fighting.remove_monster(state, foe, replaced=True)
            yield from fighting.join_monster(state, monster, monster, HANDS[text.by], text.by)


@WORDS.register_effect("remove")
@dataclass(frozen=True)
class Remove(CardEffect):
    """Monsters leave without being killed; main draws treasures if the card says so (MK-11.3, MK-16.6)."""

    which: Literal["chosen", "all"]
    treasures: int | Literal["printed"] = 0

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        foe = find_named_foe(state, text)
        foes: tuple[Foe, ...] = (foe,) if foe is not None else ()
        if self.which == "all":
            foes = state.combat.foes if state.combat is not None else ()
        if not foes:
            yield EffectLapsed(text.card, "remove", text.by)
            return
        for each in foes:
            yield from fighting.remove_monster(state, each)
        printed = sum(FACES[each.of].treasures for each in foes)
        count = printed if self.treasures == "printed" else self.treasures
        main = state.running_combat.main
        if count and main not in state.dead:
            yield drawing.draw_cards(state, main, "treasure", count)


# ---- help and running away -------------------------------------------------------------------------------------------


@WORDS.register_effect("leave_combat")
@dataclass(frozen=True)
class LeaveCombat(CardEffect):
    """The helper leaves the combat unharmed (MK-13.11)."""

    who: PlayerSelector

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in find_living_players(state, text, self.who):
            yield from helping.release_helper(state, seat)


@WORDS.register_effect("draft")
@dataclass(frozen=True)
class Draft(CardEffect):
    """A player has to help (MK-13.10)."""

    who: PlayerSelector

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in find_living_players(state, text, self.who)[:1]:
            yield from helping.draft_helper(seat)


@WORDS.register_effect("rout")
@dataclass(frozen=True)
class Rout(CardEffect):
    """The fighters have lost and run at once (MK-17.2)."""

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if state.combat is not None:
            yield from fleeing.start_flight(state, forced=True)


@WORDS.register_effect("escape")
@dataclass(frozen=True)
class Escape(CardEffect):
    """These players escape a monster without a roll, or all that they have not escaped yet (MK-17.6)."""

    who: PlayerSelector = ME
    all_: bool = False

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in find_living_players(state, text, self.who):
            yield from fleeing.escape_without_roll(state, seat, str(text.first_value("monster") or ""), every=self.all_)


@WORDS.register_effect("hinder")
@dataclass(frozen=True)
class Hinder(CardEffect):
    """The next roll of these players to run away is changed by so much, -2 say (MK-17.7, MK-17.8)."""

    count: int
    who: PlayerSelector

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in find_living_players(state, text, self.who):
            yield FlightRollModified(seat, self.count)


# ---- answers ---------------------------------------------------------------------------------------------------------


@WORDS.register_effect("cancel_curse")
@dataclass(frozen=True)
class CancelCurse(CardEffect):
    """The curse about to strike does nothing (MK-20.5)."""

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield from cursing.cancel_curse(state, text.card, text.by)


@WORDS.register_effect("turn_die")
@dataclass(frozen=True)
class TurnRolledDie(CardEffect):
    """The player turns the die just rolled to a face of the own choice (MK-17.7)."""

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield from rolling.start_turning_die(text.by, text.card)
