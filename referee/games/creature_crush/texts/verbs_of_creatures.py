"""Verbs about cards on the field.

They concern damage, healing, destroying, coming, going, changes and attacks. A card that has left the place in which it
was named is skipped (`list_still_there`). Clauses: CC-DAMAGE-1, CC-GLOSS-2, CC-GLOSS-3, CC-GLOSS-5, CC-GLOSS-6,
CC-CHAIN-6, CC-CHAIN-7, CC-AMB-12, CC-AMB-18, CC-AMB-27, CC-AMB-28, CC-AMB-30.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import BoundName, CardEffect
from referee.engine.events import Event
from referee.engine.steps import StepPushed
from referee.games.creature_crush.components import SEAT_BY_PLACE, face_of
from referee.games.creature_crush.conditions import Amount
from referee.games.creature_crush.derived import compute_amount
from referee.games.creature_crush.events.field import (
    ActionCopied,
    AttackCancelled,
    CreaturesAltered,
    CreaturesHealed,
    CreaturesReadied,
    EffectSkipped,
    GrowthTaken,
)
from referee.games.creature_crush.rules.actions import summoning
from referee.games.creature_crush.rules.combat.damage import Strike
from referee.games.creature_crush.rules.combat.losing import destroy_by_text
from referee.games.creature_crush.rules.triggers import deal_damage, destroy_cards, return_creatures
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.nouns import HellCardSelector
from referee.games.creature_crush.texts.vocabulary import VOCABULARY
from referee.games.creature_crush.values import GROWTH, LIFE, LOST, SHIELD, SPARED, LastingChange

COPIED = "copied/by"  # the name under which a copied text keeps which card copies it
STRENGTHS = ("attack", "armor", "life", "shield", "growth", "spared", "cannot", "keyword", "loses")


def list_still_there(state: Table, text: Execution, name: str) -> tuple[str, ...]:
    """List what a name stands for and what is still where it was named (`at/<name>`)."""
    values, places = map(str, text.bound.get(name, ())), text.bound.get(f"at/{name}")
    here = (
        value
        for value in values
        if (state.card_at(value) if value in SEAT_BY_PLACE else value in state.places_by_creature)
    )
    return tuple(value for value in here if places is None or state.places_by_creature.get(value) in places)


def report_gone(state: Table, text: Execution, name: str) -> Iterator[Event]:
    """Yield the event of a line of which nothing named is left.

    If the text has named nothing, an earlier line has reported that.
    """
    if text.bound.get(name) and not list_still_there(state, text, name):
        yield EffectSkipped(text.card, "gone")


# ---- damage ----------------------------------------------------------------------------------------------------------


@VOCABULARY.register_effect("damage")
@dataclass(frozen=True)
class Damage(CardEffect):
    """Creatures take damage, all at the same time.

    CC-CHAIN-6: After each step every creature whose damage reaches its life goes to hell, all of them at the same time.
    """

    creature: BoundName
    points: Amount

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        points = compute_amount(state, self.points, text.bound)
        yield from deal_damage(state, dict.fromkeys(list_still_there(state, text, self.creature), points), text.card)
        yield from report_gone(state, text, self.creature)


@VOCABULARY.register_effect("heal")
@dataclass(frozen=True)
class Heal(CardEffect):
    """Damage is taken off each of these creatures.

    CC-DAMAGE-1: Damage stays, unless it is healed.
    """

    creature: BoundName
    points: Amount

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        creatures, most = list_still_there(state, text, self.creature), compute_amount(state, self.points, text.bound)
        points = {card: min(most, state.damage.get(card, 0)) for card in creatures if state.damage.get(card, 0)}
        if points:
            yield CreaturesHealed(points, text.card)
        elif creatures:
            yield EffectSkipped(text.card, "nothing_to_heal")
        yield from report_gone(state, text, self.creature)


@VOCABULARY.register_effect("destroy")
@dataclass(frozen=True)
class Destroy(CardEffect):
    """Creatures and crush cards are destroyed, all at the same time.

    CC-GLOSS-6: To destroy a card is to put it into the hell of the player who last possessed it.
    """

    what: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        what = list_still_there(state, text, self.what)
        if what:
            yield from destroy_by_text(state, what)
        yield from report_gone(state, text, self.what)


# ---- coming and going ------------------------------------------------------------------------------------------------


@VOCABULARY.register_effect("send_back")
@dataclass(frozen=True)
class SendBack(CardEffect):
    """Creatures go to the hands of their possessors.

    CC-GLOSS-2: A card that is returned to the hand always goes to the hand of its possessor.
    """

    creature: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield from return_creatures(state, list_still_there(state, text, self.creature))
        yield from report_gone(state, text, self.creature)


@VOCABULARY.register_effect("take_control")
@dataclass(frozen=True)
class TakeControl(CardEffect):
    """An enemy becomes an ally, on a place that the rules of summoning allow.

    CC-GLOSS-5: To take control of an enemy is to move it to the player's own field, by the rules for summoning.
    CC-AMB-28: Without an allowed place nothing happens, and the card stays where it is.
    """

    creature: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for creature in list_still_there(state, text, self.creature)[:1]:
            yield from summoning.take_control(state, text.by, creature, text.card)
        yield from report_gone(state, text, self.creature)


@VOCABULARY.register_effect("revive")
@dataclass(frozen=True)
class Revive(CardEffect):
    """A creature is summoned from hell to the own field, without its Action.

    CC-GLOSS-3: To revive a creature is to summon it from hell.
    CC-AMB-28: Without an allowed place nothing happens, and the card stays where it is.
    """

    card: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        card = text.first_value(self.card)
        if card is not None and not any(card in state.list_hell(seat) for seat in self._find_hells(state, text)):
            yield EffectSkipped(text.card, "gone")
        elif card is not None:
            yield from summoning.revive_creature(state, text.by, card, text.card)

    def _find_hells(self, table: Table, text: Execution) -> tuple[int, ...]:
        """Return whose hells count.

        They are the player's own, and the other one if the name was given to a card there.
        """
        lines = table.find_program(text.card, text.text)
        nouns = (
            getattr(line.effect, "noun", None) for line in lines if getattr(line.effect, "called", "") == self.card
        )
        beyond = any(isinstance(noun, HellCardSelector) and noun.of in ("enemy", "any") for noun in nouns)
        return (text.by, 1 - text.by) if beyond else (text.by,)


@VOCABULARY.register_effect("move")
@dataclass(frozen=True)
class MoveByEffect(CardEffect):
    """A creature goes to a free place of its board that the text's player picks.

    CC-AMB-30: An effect moves a creature to any free A- or B-place of the same board.
    """

    creature: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for creature in list_still_there(state, text, self.creature)[:1]:
            yield from summoning.move_by_effect(state, text.by, creature, text.card)
        yield from report_gone(state, text, self.creature)


# ---- changes ---------------------------------------------------------------------------------------------------------


@VOCABULARY.register_effect("strengthen")
@dataclass(frozen=True)
class Strengthen(CardEffect):
    """Creatures get something, lose a keyword, or cannot do something.

    It holds for this turn, until the next turn of the text's player begins, or while they are on the field. A `shield`
    takes that much of the next damage, `spared` heals a creature instead of the next time it would be destroyed.
    `growth` are counters, each for one attack and one life more. What effects of the other player cannot choose
    (`be_chosen`), they still reach by chance or with all.

    CC-AMB-19: Permanent effects are worked out at every moment and add up. Lasting changes are added.
    """

    creature: BoundName
    attack: int = 0
    armor: int = 0
    keyword: Literal["", "lively", "vengeful", "sluggish"] = ""
    loses: Literal["", "lively", "vengeful", "sluggish"] = ""
    this_turn: bool = False
    until_next_turn: bool = False
    life: int = 0
    shield: int = 0
    growth: int = 0
    cannot: Literal["", "attack", "attack_directly", "be_attacked", "be_chosen"] = ""
    spared: bool = False

    def find_parameter_error(self) -> str:
        given = [*filter(None, (getattr(self, name) for name in STRENGTHS))]
        if len(given) != 1:
            return f"strengthen needs either {', '.join(map(repr, STRENGTHS[:-1]))} or {STRENGTHS[-1]!r}"
        if min(self.life, self.shield, self.growth) < 0:
            return "strengthen takes 'life', 'shield' and 'growth' of 1 or more"
        if (self.life or self.growth) and (self.this_turn or self.until_next_turn):
            return "strengthen gives 'life' and 'growth' for good only"
        both = self.this_turn and self.until_next_turn
        return "strengthen takes only one of this_turn and until_next_turn" if both else ""

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        creatures = list_still_there(state, text, self.creature)
        if creatures:
            until = str(text.by) if self.until_next_turn else ""
            yield CreaturesAltered(creatures, LastingChange(*self._find_change(), self.this_turn, text.card, until))
        yield from report_gone(state, text, self.creature)

    def _find_change(self) -> tuple[str, int]:
        if self.keyword:
            return self.keyword, 1
        if self.loses:
            return self.loses, LOST
        if self.cannot:
            return f"cannot_{self.cannot}", 1
        numbers = {"attack": self.attack, "armor": self.armor, LIFE: self.life, SHIELD: self.shield}
        numbers |= {GROWTH: self.growth, SPARED: int(self.spared)}
        return next((stat, number) for stat, number in numbers.items() if number)


@VOCABULARY.register_effect("take_growth")
@dataclass(frozen=True)
class TakeGrowth(CardEffect):
    """All growth counters are taken off creatures.

    CC-CHAIN-6: After each step every creature whose damage reaches its life goes to hell, all of them at the same time.
    """

    creature: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        here = list_still_there(state, text, self.creature)
        grown = tuple(card for card in here if state.count_lasting(card, GROWTH))
        if grown:
            yield GrowthTaken(grown)
            yield from destroy_cards(
                state, (card for card in grown if state.life_left(card) <= state.count_lasting(card, GROWTH))
            )
        elif here:
            yield EffectSkipped(text.card, "nothing_fits")
        yield from report_gone(state, text, self.creature)


@VOCABULARY.register_effect("ready")
@dataclass(frozen=True)
class ReadyCreatures(CardEffect):
    """Creatures may take one more action each in this turn.

    CC-AMB-12: To attack twice takes an effect that says so.
    """

    creature: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        creatures = list_still_there(state, text, self.creature)
        if creatures:
            yield CreaturesReadied(creatures)
        yield from report_gone(state, text, self.creature)


@VOCABULARY.register_effect("copy_action")
@dataclass(frozen=True)
class CopyAction(CardEffect):
    """The Action of a creature is carried out as if it stood on this card.

    What is copied does not copy in turn, so no two cards copy each other for ever.

    CC-KEY-ACTION-1: Action happens when the creature is summoned from the hand in its player's turn.
    """

    creature: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for creature in list_still_there(state, text, self.creature)[:1]:
            if COPIED in text.bound or "action" not in face_of(creature).texts:
                yield EffectSkipped(text.card, "nothing_fits")
                return
            kept = ("me", "opponent", "this", "at/this", "x")
            bound = {name: text.bound[name] for name in kept if name in text.bound}
            yield ActionCopied(text.card, creature)
            yield StepPushed(Execution(creature, "action", text.by, 0, {**bound, COPIED: (text.card,)}))
        yield from report_gone(state, text, self.creature)


# ---- attacks ---------------------------------------------------------------------------------------------------------


@VOCABULARY.register_effect("cancel_attack")
@dataclass(frozen=True)
class CancelAttack(CardEffect):
    """The declared attack is cancelled.

    CC-CHAIN-7: If it is cancelled, it ends without damage. Dice and action stay spent.
    """

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if any(isinstance(step, Strike) for step in state.agenda):
            yield AttackCancelled(text.card)
        else:
            yield EffectSkipped(text.card, "no_attack")
