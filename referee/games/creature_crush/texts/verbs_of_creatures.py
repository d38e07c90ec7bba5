"""Verbs of the card texts about cards on the field: damage, healing, destroying, coming, going, changes, attacks.

A card that has left the place in which it was named is passed over (`still_there`). Clauses: CC-DAMAGE-1, CC-GLOSS-2,
CC-GLOSS-3, CC-GLOSS-5, CC-GLOSS-6, CC-CHAIN-6, CC-CHAIN-7, CC-AMB-12, CC-AMB-18, CC-AMB-27, CC-AMB-28, CC-AMB-30.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.language.primitives import Name, Word
from referee.engine.events import Event
from referee.games.creature_crush.components import SEAT_OF
from referee.games.creature_crush.conditions import Amount
from referee.games.creature_crush.derived import worth
from referee.games.creature_crush.events.field import Altered, AttackCancelled, Healed, MadeReady, NoEffect
from referee.games.creature_crush.rules.actions import summoning
from referee.games.creature_crush.rules.combat.damage import Strike
from referee.games.creature_crush.rules.combat.losing import destroying
from referee.games.creature_crush.rules.triggers import damaged, returned
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.vocabulary import WORDS
from referee.games.creature_crush.values import Lasting


def still_there(state: Table, text: CarryOut, name: str) -> tuple[str, ...]:
    """What a name stands for, less what is no longer on the field, or no longer where it was named (`at/<name>`)."""
    values, places = map(str, text.bound.get(name, ())), text.bound.get(f"at/{name}")
    here = (value for value in values if (state.at(value) if value in SEAT_OF else value in state.spots))
    return tuple(value for value in here if places is None or state.spots.get(value) in places)


def gone(state: Table, text: CarryOut, name: str) -> Iterator[Event]:
    """What a line says if nothing is left of what the text has named; if it has named nothing, that was said."""
    if text.bound.get(name) and not still_there(state, text, name):
        yield NoEffect(text.card, "gone")


# ---- damage ----------------------------------------------------------------------------------------------------------


@WORDS.word("damage")
@dataclass(frozen=True)
class Damage(Word):
    """Creatures take so much damage each, all at the same time; whoever has too much is destroyed (CC-CHAIN-6)."""

    creature: Name
    points: Amount

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        points = worth(state, self.points, text.bound)
        yield from damaged(state, dict.fromkeys(still_there(state, text, self.creature), points), text.card)
        yield from gone(state, text, self.creature)


@WORDS.word("heal")
@dataclass(frozen=True)
class Heal(Word):
    """So much damage is taken off each of these creatures, as far as they have any (CC-DAMAGE-1)."""

    creature: Name
    points: Amount

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        creatures, most = still_there(state, text, self.creature), worth(state, self.points, text.bound)
        points = {card: min(most, state.damage.get(card, 0)) for card in creatures if state.damage.get(card, 0)}
        if points:
            yield Healed(points, text.card)
        elif creatures:
            yield NoEffect(text.card, "nothing_to_heal")
        yield from gone(state, text, self.creature)


@WORDS.word("destroy")
@dataclass(frozen=True)
class Destroy(Word):
    """Creatures and crush cards go to the hell of whoever possesses them, all at the same time (CC-GLOSS-6)."""

    what: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        what = still_there(state, text, self.what)
        if what:
            yield from destroying(state, what)
        yield from gone(state, text, self.what)


# ---- coming and going ------------------------------------------------------------------------------------------------


@WORDS.word("send_back")
@dataclass(frozen=True)
class SendBack(Word):
    """Creatures go to the hands of whoever possesses them (CC-GLOSS-2)."""

    creature: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        yield from returned(state, still_there(state, text, self.creature))
        yield from gone(state, text, self.creature)


@WORDS.word("take_control")
@dataclass(frozen=True)
class TakeControl(Word):
    """An enemy becomes an ally, on a place that the rules of summoning allow (CC-GLOSS-5, CC-AMB-28)."""

    creature: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for creature in still_there(state, text, self.creature)[:1]:
            yield from summoning.taken_over(state, text.by, creature, text.card)
        yield from gone(state, text, self.creature)


@WORDS.word("revive")
@dataclass(frozen=True)
class Revive(Word):
    """A creature is summoned from the own hell, without its Action (CC-GLOSS-3, CC-AMB-28)."""

    card: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        card = text.first(self.card)
        if card is not None and card not in state.hell(text.by):
            yield NoEffect(text.card, "gone")
        elif card is not None:
            yield from summoning.revived(state, text.by, card, text.card)


@WORDS.word("move")
@dataclass(frozen=True)
class MoveTo(Word):
    """A creature goes to a free place of its board, which the player of the text picks (CC-AMB-30)."""

    creature: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for creature in still_there(state, text, self.creature)[:1]:
            yield from summoning.moved(state, text.by, creature, text.card)
        yield from gone(state, text, self.creature)


# ---- changes ---------------------------------------------------------------------------------------------------------


@WORDS.word("strengthen")
@dataclass(frozen=True)
class Strengthen(Word):
    """Creatures have more attack, or take less damage from attacks, in this turn or while they are on the field."""

    creature: Name
    attack: int = 0
    armor: int = 0
    this_turn: bool = False

    def amiss(self) -> str:
        return "" if bool(self.attack) != bool(self.armor) else "strengthen needs either 'attack' or 'armor'"

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        creatures = still_there(state, text, self.creature)
        stat, amount = ("attack", self.attack) if self.attack else ("armor", self.armor)
        if creatures:
            yield Altered(creatures, Lasting(stat, amount, self.this_turn, text.card))
        yield from gone(state, text, self.creature)


@WORDS.word("ready")
@dataclass(frozen=True)
class Ready(Word):
    """Creatures may take one more action each in this turn (CC-AMB-12)."""

    creature: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        creatures = still_there(state, text, self.creature)
        if creatures:
            yield MadeReady(creatures)
        yield from gone(state, text, self.creature)


# ---- attacks ---------------------------------------------------------------------------------------------------------


@WORDS.word("cancel_attack")
@dataclass(frozen=True)
class CancelAttack(Word):
    """The declared attack comes to nothing; dice and action stay spent (CC-CHAIN-7)."""

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        if any(isinstance(step, Strike) for step in state.agenda):
            yield AttackCancelled(text.card)
        else:
            yield NoEffect(text.card, "no_attack")
