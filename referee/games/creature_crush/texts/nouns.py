"""What a card text can be about: creatures and crush cards on the field, cards in the own hell.

A creature is named by its card, a C-card by its place: it lies face down. All of it lies open, so every question about
it is the same for everybody. Clauses: CC-EFF-FIELD-1, CC-EFF-TARGET-1, CC-GLOSS-1, CC-GLOSS-4, CC-ZONE-ADJ-1,
CC-ZONE-3, CC-DICE-1, CC-AMB-18, CC-AMB-23.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from typing import ClassVar, Literal

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.language.primitives import Noun, Value, Values
from referee.engine.codec import named
from referee.engine.rulings import Refused
from referee.engine.zones import is_back
from referee.games.creature_crush.card_attributes import HIGHEST_COST, X
from referee.games.creature_crush.components import HELLS, SEATS, box, face
from referee.games.creature_crush.derived import cost_of
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.vocabulary import WORDS

Side = Literal["ally", "enemy", "any"]


def sides(text: CarryOut, of: Side) -> tuple[int, ...]:
    """The seats on whose boards a text looks: of its own player, of the other one, or of both, the own first."""
    return {"ally": (text.by,), "enemy": (1 - text.by,), "any": (text.by, 1 - text.by)}[of]


class OnField(Noun):
    """What lies on the field, on one side or on both."""

    of: Side

    def all_there(self, state: Table, seat: int) -> Values:
        """What of this kind lies on the board of a player."""
        raise NotImplementedError

    def amiss(self, state: Table, text: CarryOut, value: str) -> Refused | None:
        """Why something on the right side is not meant after all; None: it is."""
        return None

    def options(self, state: Table, text: CarryOut, seat: int) -> Values:
        there = (str(value) for side in sides(text, self.of) for value in self.all_there(state, side))
        return tuple(value for value in there if self.amiss(state, text, value) is None)

    def thinkable(self, state: Table, text: CarryOut, seat: int) -> Values:
        fitting = self.options(state, text, seat)
        there = (value for side in SEATS for value in self.all_there(state, side))
        return tuple(value for value in there if value not in fitting)

    def check(self, state: Table, text: CarryOut, seat: int, value: Value) -> None:
        if not any(value in self.all_there(state, side) for side in SEATS):
            raise Refused("not_on_the_field", "CC-EFF-FIELD-1", card=value)
        if not any(value in self.all_there(state, side) for side in sides(text, self.of)):
            raise Refused("on_the_wrong_side", "CC-GLOSS-4", card=value)
        if refused := self.amiss(state, text, str(value)):
            raise refused


@WORDS.noun("creature")
@named("cc.CreatureNoun")
@dataclass(frozen=True)
class Creature(OnField):
    """A creature on the field: an ally, an enemy or any; every key given has to fit. `cost`: the printed one.

    `adjacent`: to the card whose text it is. `other`: never that card itself.
    """

    of: Side
    row: Literal["", "A", "B"] = ""
    adjacent: bool = False
    cost_min: int = 0
    cost_max: int = HIGHEST_COST
    other: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-EFF-TARGET-1", "CC-AMB-18")

    def all_there(self, state: Table, seat: int) -> Values:
        return state.creatures(seat)

    def amiss(self, state: Table, text: CarryOut, value: str) -> Refused | None:
        if self.row and state.zone(value) != self.row:
            return Refused("in_the_wrong_row", *self.clauses, card=value, row=self.row)
        if self.adjacent and value not in state.neighbours(str(text.first("this"))):
            return Refused("not_adjacent", "CC-ZONE-ADJ-1", card=value)
        if face(value).cost < self.cost_min:
            return Refused("costs_too_little", *self.clauses, card=value, cost=self.cost_min)
        if face(value).cost > self.cost_max:
            return Refused("costs_too_much", *self.clauses, card=value, cost=self.cost_max)
        if self.other and value == text.first("this"):
            return Refused("another_card", *self.clauses, card=value)
        return None


@WORDS.noun("crush")
@named("cc.CrushNoun")
@dataclass(frozen=True)
class Crush(OnField):
    """A crush card that lies face down, named by its place (CC-GLOSS-4)."""

    of: Side
    clauses: ClassVar[tuple[str, ...]] = ("CC-EFF-TARGET-1", "CC-AMB-18")

    def all_there(self, state: Table, seat: int) -> Values:
        return state.crush_places(seat)


@WORDS.noun("field_card")
@named("cc.FieldCardNoun")
@dataclass(frozen=True)
class FieldCard(OnField):
    """A card on the field, creature or crush card (CC-AMB-23)."""

    of: Side
    clauses: ClassVar[tuple[str, ...]] = ("CC-EFF-TARGET-1", "CC-AMB-18")

    def all_there(self, state: Table, seat: int) -> Values:
        return (*state.creatures(seat), *state.crush_places(seat))


@WORDS.noun("hell_card")
@named("cc.HellCardNoun")
@dataclass(frozen=True)
class HellCard(Noun):
    """A card in the own hell, perhaps of one kind, of some cost at the most (an X never is), another than this one."""

    kind: Literal["", "creature", "crush"] = ""
    cost_max: int = HIGHEST_COST
    other: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-ZONE-3", "CC-AMB-18")

    def _amiss(self, text: CarryOut, card: str) -> Refused | None:
        printed = face(card)
        if self.kind and printed.kind != self.kind:
            return Refused("of_the_wrong_kind", *self.clauses, card=card, kind=self.kind)
        if self.cost_max != HIGHEST_COST and (printed.cost == X or printed.cost > self.cost_max):
            return Refused("costs_too_much", *self.clauses, card=card, cost=self.cost_max)
        if self.other and card == text.first("this"):
            return Refused("another_card", *self.clauses, card=card)
        return None

    def options(self, state: Table, text: CarryOut, seat: int) -> Values:
        return tuple(card for card in state.hell(text.by) if self._amiss(text, card) is None)

    def thinkable(self, state: Table, text: CarryOut, seat: int) -> Values:
        fitting = self.options(state, text, seat)
        there = (card for side in (text.by, 1 - text.by) for card in state.place(HELLS[side]))
        return tuple(card for card in there if card not in fitting and not is_back(card))

    def check(self, state: Table, text: CarryOut, seat: int, value: Value) -> None:
        card = str(value)
        if card not in box(state.rules):
            raise Refused("no_such_card", "CC-MAT-1", card=value)
        if card not in state.hell(text.by):
            raise Refused("not_in_your_hell", "CC-ZONE-3", card=value)
        if refused := self._amiss(text, card):
            raise refused


# ---- with dice -------------------------------------------------------------------------------------------------------


def sums(pips: Iterable[int]) -> frozenset[int]:
    """Every sum of one to all of these dice, each once (CC-AMB-23)."""
    dice = tuple(pips)
    return frozenset(map(sum, chain.from_iterable(combinations(dice, size) for size in range(1, len(dice) + 1))))


@named("cc.InReach")
@dataclass(frozen=True)
class InReach(Noun):
    """Of what fits another noun, that whose cost dice have hit; `dice` is the name of their pips (CC-DICE-1)."""

    noun: Noun
    dice: str
    WORD: ClassVar[str] = "in_reach"
    clauses: ClassVar[tuple[str, ...]] = ("CC-DICE-1", "CC-AMB-23")

    def _hit(self, state: Table, text: CarryOut, values: Values) -> Iterator[Value]:
        reached = sums(int(pips) for pips in text.bound.get(self.dice, ()))
        return (value for value in values if cost_of(state, str(value)) in reached)

    def options(self, state: Table, text: CarryOut, seat: int) -> Values:
        return tuple(self._hit(state, text, self.noun.options(state, text, seat)))

    def thinkable(self, state: Table, text: CarryOut, seat: int) -> Values:
        fitting = self.options(state, text, seat)
        all_ = (*self.noun.options(state, text, seat), *self.noun.thinkable(state, text, seat))
        return tuple(value for value in all_ if value not in fitting)

    def check(self, state: Table, text: CarryOut, seat: int, value: Value) -> None:
        self.noun.check(state, text, seat, value)
        if value not in self.options(state, text, seat):
            cost = cost_of(state, str(value))
            raise Refused("cost_not_rolled", *self.clauses, card=value, cost=cost)
