"""Verbs of the card texts about a combat: strength, monsters that come and go, help, running away, curses, dice.

Clauses: MK-3.4, MK-8.1, MK-9.1, MK-10.1 to MK-10.6, MK-11.1, MK-11.3, MK-11.5, MK-13.10, MK-13.11, MK-14.3, MK-16.6,
MK-17.2, MK-17.6 to MK-17.8, MK-20.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.language.primitives import ME, Who, Word
from referee.engine.events import Event
from referee.games.munchkin.components import FACES, HANDS
from referee.games.munchkin.events.combat import Hindered, MonsterEnhanced, StrengthAdded
from referee.games.munchkin.events.texts import Lapsed
from referee.games.munchkin.rules import drawing
from referee.games.munchkin.rules.cards import cursing
from referee.games.munchkin.rules.combat import fighting, fleeing, helping, rolling
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import own
from referee.games.munchkin.texts.verbs_of_players import living
from referee.games.munchkin.texts.vocabulary import WORDS
from referee.games.munchkin.values import Added, Foe


def named_foe(state: Table, text: CarryOut) -> Foe | None:
    """The monster that the play named, while it is in the combat."""
    card = text.first("monster")
    return state.combat.foe(card) if state.combat is not None and card is not None else None


# ---- strength --------------------------------------------------------------------------------------------------------


@WORDS.word("bonus")
@dataclass(frozen=True)
class Bonus(Word):
    """Adds to the strength of a side for this combat; `own_strength`: as much as the player has now (MK-9.1)."""

    side: Literal["munchkins", "monsters", "chosen"]
    count: int | Literal["own_strength"]

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        side = text.first("side") if self.side == "chosen" else self.side
        if state.combat is None or side is None:
            yield Lapsed(text.card, "bonus", text.by)
            return
        count = own(state, text.by) if self.count == "own_strength" else self.count
        yield StrengthAdded(Added(text.card, text.by, side, count, FACES[text.card].kind == "one_shot"))


@WORDS.word("enhance")
@dataclass(frozen=True)
class Enhance(Word):
    """Lies on a monster and its twins: changes strength and treasures, gives a tag (MK-10.1, MK-10.3, MK-10.5).

    What it changes is read off the card as long as it lies there (`strength.enhancement`).
    """

    count: int
    treasures: int = 0
    tag: Literal["", "undead", "demon"] = ""
    at_least: int = 0

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        foe = named_foe(state, text)
        if foe is None:
            yield Lapsed(text.card, "enhance", text.by)
            return
        twins = tuple(other.card for other in state.fight.foes if other.of == foe.of)
        yield MonsterEnhanced(text.card, twins)


# ---- monsters come and go --------------------------------------------------------------------------------------------


@WORDS.word("join")
@dataclass(frozen=True)
class Join(Word):
    """The monster played with the card comes into the combat out of the same hand (MK-14.3)."""

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        monster = text.first("partner")
        if state.combat is not None and monster is not None:
            yield from fighting.joined(state, monster, monster, HANDS[text.by], text.by)


@WORDS.word("twin")
@dataclass(frozen=True)
class Twin(Word):
    """A twin of a monster joins, which the card stands for, with the same enhancers (MK-10.3)."""

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        if (foe := named_foe(state, text)) is not None:
            yield from fighting.twinned(state, text.card, foe, text.by)


@WORDS.word("replace")
@dataclass(frozen=True)
class Replace(Word):
    """A monster goes with all that lies on it; the one played with the card takes its place (MK-10.6)."""

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        foe, monster = named_foe(state, text), text.first("partner")
        if foe is not None and monster is not None:
            yield from fighting.gone(state, foe, replaced=True)
            yield from fighting.joined(state, monster, monster, HANDS[text.by], text.by)


@WORDS.word("remove")
@dataclass(frozen=True)
class Remove(Word):
    """Monsters leave without being killed; main draws treasures if the card says so (MK-11.3, MK-16.6)."""

    which: Literal["chosen", "all"]
    treasures: int | Literal["printed"] = 0

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        foe = named_foe(state, text)
        foes: tuple[Foe, ...] = (foe,) if foe is not None else ()
        if self.which == "all":
            foes = state.combat.foes if state.combat is not None else ()
        if not foes:
            yield Lapsed(text.card, "remove", text.by)
            return
        for each in foes:
            yield from fighting.gone(state, each)
        printed = sum(FACES[each.of].treasures for each in foes)
        count = printed if self.treasures == "printed" else self.treasures
        main = state.fight.main
        if count and main not in state.dead:
            yield drawing.draw(state, main, "treasure", count)


# ---- help and running away -------------------------------------------------------------------------------------------


@WORDS.word("leave_combat")
@dataclass(frozen=True)
class LeaveCombat(Word):
    """The helper leaves the combat unharmed (MK-13.11)."""

    who: Who

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for seat in living(state, text, self.who):
            yield from helping.left(state, seat)


@WORDS.word("draft")
@dataclass(frozen=True)
class Draft(Word):
    """A player has to help (MK-13.10)."""

    who: Who

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for seat in living(state, text, self.who)[:1]:
            yield from helping.drafted(seat)


@WORDS.word("rout")
@dataclass(frozen=True)
class Rout(Word):
    """The fighters have lost and run at once (MK-17.2)."""

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        if state.combat is not None:
            yield from fleeing.run(state, forced=True)


@WORDS.word("escape")
@dataclass(frozen=True)
class Escape(Word):
    """These players escape a monster without a roll, or all that they have not escaped yet (MK-17.6)."""

    who: Who = ME
    all_: bool = False

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for seat in living(state, text, self.who):
            yield from fleeing.escapes(state, seat, str(text.first("monster") or ""), every=self.all_)


@WORDS.word("hinder")
@dataclass(frozen=True)
class Hinder(Word):
    """The next roll of these players to run away is changed by so much, -2 say (MK-17.7, MK-17.8)."""

    count: int
    who: Who

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for seat in living(state, text, self.who):
            yield Hindered(seat, self.count)


# ---- answers ---------------------------------------------------------------------------------------------------------


@WORDS.word("cancel_curse")
@dataclass(frozen=True)
class CancelCurse(Word):
    """The curse about to strike does nothing (MK-20.5)."""

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        yield from cursing.cancelled(state, text.card, text.by)


@WORDS.word("turn_die")
@dataclass(frozen=True)
class TurnDie(Word):
    """The player turns the die just rolled to a face of the own choice (MK-17.7)."""

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        yield from rolling.turning(text.by, text.card)
