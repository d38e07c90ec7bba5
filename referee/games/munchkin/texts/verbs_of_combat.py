"""Verbs of card texts about a combat: strength, monsters, help, escape, dice.

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
from referee.games.munchkin.strength import compute_own_strength, score_foe, sum_lines
from referee.games.munchkin.texts.verbs_of_players import Quantity, compute_quantity, find_living_players
from referee.games.munchkin.texts.vocabulary import WORDS
from referee.games.munchkin.values import AddedStrength, Foe


def find_named_foe(state: Table, text: Execution) -> Foe | None:
    """Return the monster that the play named, or None if it is not in the combat."""
    card = text.first_value("monster")
    return state.combat.find_foe(card) if state.combat is not None and card is not None else None


# ---- strength --------------------------------------------------------------------------------------------------------


@WORDS.register_effect("bonus")
@dataclass(frozen=True)
class Bonus(CardEffect):
    """Adds to the strength of a side for this combat.

    `own_strength` adds as much as the player's own strength now.
    MK-9.1: The strength of a side is the sum over its members, together with all that was played for that side.
    """

    side: Literal["munchkins", "monsters", "chosen"]
    count: Literal["own_strength"] | Quantity

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        side = text.first_value("side") if self.side == "chosen" else self.side
        if state.combat is None or side is None:
            yield EffectLapsed(text.card, "bonus", text.by)
            return
        own = self.count == "own_strength"
        count = compute_own_strength(state, text.by) if own else compute_quantity(state, text, self.count)  # type: ignore[arg-type]
        if not count:
            yield EffectLapsed(text.card, "counted", text.by)
            return
        yield StrengthAdded(AddedStrength(text.card, text.by, side, count, FACES[text.card].kind == "one_shot"))


@WORDS.register_effect("enhance")
@dataclass(frozen=True)
class Enhance(CardEffect):
    """Lays the card on a monster and its twins.

    It changes strength and treasures, and may give a tag. As long as the card lies on the monster, the change is read
    off
    it (`strength.find_enhancement`).
    MK-10.1: A monster enhancer may be played by anyone in any combat on one monster of that player's choice.
    MK-10.3: An enhancer played on a monster or its twin counts for the other as well.
    MK-10.5: A tag given by an enhancer counts from the moment it is played.
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
    """Brings the monster played with the card into the combat.

    MK-14.3: Wandering Monster is played together with a monster from the same hand.
    """

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        monster = text.first_value("partner")
        if state.combat is not None and monster is not None:
            yield from fighting.join_monster(state, monster, monster, HANDS[text.by], text.by)


@WORDS.register_effect("twin")
@dataclass(frozen=True)
class Twin(CardEffect):
    """Brings a twin of a monster into the combat, for which the card stands.

    MK-10.3: The twin of a monster has a copy of every enhancer that lies on it.
    """

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (foe := find_named_foe(state, text)) is not None:
            yield from fighting.join_twin(state, text.card, foe, text.by)


@WORDS.register_effect("replace")
@dataclass(frozen=True)
class Replace(CardEffect):
    """Replaces a monster by the one played with the card.

    MK-10.6: Enhancers leave the combat together with their monster.
    """

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        foe, monster = find_named_foe(state, text), text.first_value("partner")
        if foe is not None and monster is not None:
            yield from fighting.remove_monster(state, foe, replaced=True)
            yield from fighting.join_monster(state, monster, monster, HANDS[text.by], text.by)


@WORDS.register_effect("remove")
@dataclass(frozen=True)
class Remove(CardEffect):
    """Removes monsters without a kill: the one named, all, or one by strength.

    Of the weakest, or the strongest, that are equally strong the one that came first goes.
    MK-11.3: A card that removes one monster leaves the others to be fought.
    MK-16.6: A monster removed without a kill gives no level, and treasures only if the card says so.
    """

    which: Literal["chosen", "all", "weakest", "strongest"]
    treasures: int | Literal["printed"] = 0

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        foe = find_named_foe(state, text)
        foes: tuple[Foe, ...] = (foe,) if foe is not None else ()
        if self.which == "all":
            foes = state.combat.foes if state.combat is not None else ()
        if self.which in ("weakest", "strongest"):
            there = state.combat.foes if state.combat is not None else ()
            pick = min if self.which == "weakest" else max
            foes = (pick(there, key=lambda each: sum_lines(tuple(score_foe(state, each)))),) if there else ()
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
    """Makes the helper leave the combat unharmed (MK-13.11)."""

    who: PlayerSelector

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in find_living_players(state, text, self.who):
            yield from helping.release_helper(state, seat)


@WORDS.register_effect("draft")
@dataclass(frozen=True)
class Draft(CardEffect):
    """Forces a player to help (MK-13.10)."""

    who: PlayerSelector

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in find_living_players(state, text, self.who)[:1]:
            yield from helping.draft_helper(seat)


@WORDS.register_effect("rout")
@dataclass(frozen=True)
class Rout(CardEffect):
    """Makes the fighters lose and run at once (MK-17.2)."""

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if state.combat is not None:
            yield from fleeing.start_flight(state, forced=True)


@WORDS.register_effect("escape")
@dataclass(frozen=True)
class Escape(CardEffect):
    """Lets players escape a monster without a roll, or all that are left.

    MK-17.6: An automatic escape takes the place of the roll.
    """

    who: PlayerSelector = ME
    all_: bool = False

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in find_living_players(state, text, self.who):
            yield from fleeing.escape_without_roll(state, seat, str(text.first_value("monster") or ""), every=self.all_)


@WORDS.register_effect("hinder")
@dataclass(frozen=True)
class Hinder(CardEffect):
    """Changes the next roll of players to run away by `count`, such as -2.

    MK-17.7: Bonuses and penalties are added after the die was turned.
    MK-17.8: While somebody runs away only cards are played whose words allow it.
    """

    count: Quantity
    who: PlayerSelector

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in find_living_players(state, text, self.who):
            count = compute_quantity(state, text, self.count)
            yield FlightRollModified(seat, count) if count else EffectLapsed(text.card, "counted", seat)


# ---- answers ---------------------------------------------------------------------------------------------------------


@WORDS.register_effect("cancel_curse")
@dataclass(frozen=True)
class CancelCurse(CardEffect):
    """Cancels the curse about to strike (MK-20.5)."""

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield from cursing.cancel_curse(state, text.card, text.by)


@WORDS.register_effect("turn_die")
@dataclass(frozen=True)
class TurnRolledDie(CardEffect):
    """Turns the die just rolled, to a face of the player's choice unless it is named.

    MK-17.7: A die whose face was changed counts as rolled so.
    """

    to: int = 0

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield from rolling.start_turning_die(state, text.by, text.card, self.to)


@WORDS.register_effect("roll_again")
@dataclass(frozen=True)
class RollAgain(CardEffect):
    """Has the die just rolled be rolled again (MK-27.5)."""

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield from rolling.start_rolling_again(state)


@WORDS.register_effect("redirect_curse")
@dataclass(frozen=True)
class RedirectCurse(CardEffect):
    """Turns the curse about to strike on another player, who may answer it (MK-27.5)."""

    to: PlayerSelector

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in find_living_players(state, text, self.to)[:1]:
            yield from cursing.redirect_curse(state, text.card, seat)
