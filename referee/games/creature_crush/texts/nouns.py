"""What a card text can be about: cards on the field, and cards in a player's hell.

A creature is named by its card, a crush card by its place, because it lies face down. All of it is open, so every
question about it is the same for everybody. Clauses: CC-EFF-FIELD-1, CC-EFF-TARGET-1, CC-GLOSS-1, CC-GLOSS-4,
CC-ZONE-ADJ-1, CC-ZONE-3, CC-DICE-1, CC-AMB-18, CC-AMB-23.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import ClassVar, Literal

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Selector, Value, Values
from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.rulings import IllegalMove
from referee.engine.zones import is_back
from referee.games.creature_crush.card_attributes import COST_X, HIGHEST_COST
from referee.games.creature_crush.components import HELLS, SEATS, face_of, find_box_cards
from referee.games.creature_crush.derived import cost_of, find_prohibition
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.vocabulary import VOCABULARY

Side = Literal["ally", "enemy", "any"]
NARROWED = ("CC-EFF-TARGET-1", "CC-AMB-18")  # a target outside of what the text narrows it down to
MUST_CHOOSE = NARROWED[::-1]  # no target at all


def find_seats(text: Execution, of: Side) -> tuple[int, ...]:
    """Return the seats whose boards a side means for a text, its own player first."""
    return {"ally": (text.by,), "enemy": (1 - text.by,), "any": (text.by, 1 - text.by)}[of]


class FieldSelector(Selector):
    """What lies on the field, on one side or on both."""

    of: Side

    def list_on_board(self, state: Table, seat: int) -> Values:
        """List what of this kind lies on the board of a player."""
        raise NotImplementedError

    def find_mismatch(self, state: Table, text: Execution, value: str) -> IllegalMove | None:
        """Return why something on the right side does not fit, or None if it does."""
        return None

    def find_options(self, state: Table, text: Execution, seat: int) -> Values:
        return tuple(value for value in self.list_fitting(state, text) if not is_beyond_choice(state, text, str(value)))

    def list_fitting(self, state: Table, text: Execution) -> Values:
        there = (str(value) for side in find_seats(text, self.of) for value in self.list_on_board(state, side))
        return tuple(value for value in there if self.find_mismatch(state, text, value) is None)

    def list_imaginable_values(self, state: Table, text: Execution, seat: int) -> Iterable[Value]:
        return (value for side in SEATS for value in self.list_on_board(state, side))

    def check_value(self, state: Table, text: Execution, seat: int, value: Value) -> None:
        if not any(value in self.list_on_board(state, side) for side in SEATS):
            raise IllegalMove("not_on_the_field", "CC-EFF-FIELD-1", card=value)
        if not any(value in self.list_on_board(state, side) for side in find_seats(text, self.of)):
            raise IllegalMove("on_the_wrong_side", "CC-GLOSS-4", card=value)
        if refused := self.find_mismatch(state, text, str(value)):
            raise refused
        if is_beyond_choice(state, text, str(value)):
            by, clause = find_prohibition(state, str(value), "cannot_be_chosen")
            raise IllegalMove("cannot_be_chosen", clause, card=value, by=by)


def is_beyond_choice(table: Table, text: Execution, value: str) -> bool:
    """Return whether a text of the other player may not choose this creature.

    What takes all that fits, or finds by chance, does not choose.
    """
    if value not in table.places_by_creature or table.possessor_of(value) == text.by:
        return False
    return table.has_keyword(value, "cannot_be_chosen")


@VOCABULARY.register_selector("creature")
@named("cc.CreatureNoun")
@dataclass(frozen=True)
class CreatureSelector(FieldSelector):
    """A creature on the field that fits every key given.

    `of` says whether it is an ally, an enemy or any. The cost is the printed one, the attack what it is now. `adjacent`
    means adjacent to the card of the text, `other` means not that card itself.
    """

    of: Side
    row: Literal["", "A", "B"] = ""
    adjacent: bool = False
    cost_min: int = 0
    cost_max: int = HIGHEST_COST
    other: bool = False
    attack_min: int = field(default=0, metadata=OMIT_IF_EMPTY)
    attack_max: int | None = field(default=None, metadata=OMIT_IF_EMPTY)
    damaged: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    keyword: Literal["", "lively", "vengeful", "sluggish"] = field(default="", metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = MUST_CHOOSE

    def list_on_board(self, state: Table, seat: int) -> Values:
        return state.list_creatures(seat)

    def find_mismatch(self, state: Table, text: Execution, value: str) -> IllegalMove | None:
        if self.row and state.zone_of(value) != self.row:
            return IllegalMove("in_the_wrong_row", *NARROWED, card=value, row=self.row)
        if self.adjacent and value not in state.adjacent_creatures(str(text.first_value("this"))):
            return IllegalMove("not_adjacent", "CC-ZONE-ADJ-1", card=value)
        if face_of(value).cost < self.cost_min:
            return IllegalMove(
                "costs_too_little", *NARROWED, card=value, cost=self.cost_min, printed=face_of(value).cost
            )
        if face_of(value).cost > self.cost_max:
            return IllegalMove("costs_too_much", *NARROWED, card=value, cost=self.cost_max, printed=face_of(value).cost)
        if self.other and value == text.first_value("this"):
            return IllegalMove("another_card", *NARROWED, card=value)
        return self._find_mismatch_now(state, value)

    def _find_mismatch_now(self, state: Table, value: str) -> IllegalMove | None:
        """Return why a creature as it is now does not fit, or None if it does."""
        attack = state.attack_points(value) if self.attack_min or self.attack_max is not None else 0
        if attack < self.attack_min:
            return IllegalMove("attacks_too_weakly", *NARROWED, card=value, least=self.attack_min, attack=attack)
        if self.attack_max is not None and attack > self.attack_max:
            return IllegalMove("attacks_too_strongly", *NARROWED, card=value, most=self.attack_max, attack=attack)
        if self.damaged and not state.damage.get(value):
            return IllegalMove("not_damaged", *NARROWED, card=value)
        if self.keyword and not state.has_keyword(value, self.keyword):
            return IllegalMove("without_keyword", *NARROWED, card=value, keyword=self.keyword)
        return None


@VOCABULARY.register_selector("crush")
@named("cc.CrushNoun")
@dataclass(frozen=True)
class CrushCardSelector(FieldSelector):
    """A crush card that lies face down, named by its place.

    CC-GLOSS-4: A C-card is a crush card.
    """

    of: Side
    clauses: ClassVar[tuple[str, ...]] = MUST_CHOOSE

    def list_on_board(self, state: Table, seat: int) -> Values:
        return state.list_crush_places(seat)


@VOCABULARY.register_selector("field_card")
@named("cc.FieldCardNoun")
@dataclass(frozen=True)
class FieldCardSelector(FieldSelector):
    """A card on the field, creature or crush card.

    CC-AMB-23: A crush card on the field costs the dice that were burned for it.
    """

    of: Side
    clauses: ClassVar[tuple[str, ...]] = MUST_CHOOSE

    def list_on_board(self, state: Table, seat: int) -> Values:
        return (*state.list_creatures(seat), *state.list_crush_places(seat))


@VOCABULARY.register_selector("hell_card")
@named("cc.HellCardNoun")
@dataclass(frozen=True)
class HellCardSelector(Selector):
    """A card in hell that fits every key given.

    It is the hell of the text's player, unless `of` says `enemy` or `any`. `cost_max` is the highest cost that fits. A
    cost of X never fits it. `other` means not the card of the text itself.
    """

    kind: Literal["", "creature", "crush"] = ""
    cost_max: int = HIGHEST_COST
    other: bool = False
    of: Literal["", "ally", "enemy", "any"] = field(default="", metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-18", "CC-ZONE-3")

    def _list_cards(self, state: Table, text: Execution) -> tuple[str, ...]:
        return tuple(card for seat in find_seats(text, self.of or "ally") for card in state.list_hell(seat))

    def _find_mismatch(self, text: Execution, card: str) -> IllegalMove | None:
        printed = face_of(card)
        if self.kind and printed.kind != self.kind:
            return IllegalMove("of_the_wrong_kind", "CC-ZONE-3", "CC-AMB-18", card=card, kind=self.kind)
        if self.cost_max != HIGHEST_COST and (printed.cost == COST_X or printed.cost > self.cost_max):
            cost = "x" if printed.cost == COST_X else printed.cost
            return IllegalMove("costs_too_much", *NARROWED, card=card, cost=self.cost_max, printed=cost)
        if self.other and card == text.first_value("this"):
            return IllegalMove("another_card", *NARROWED, card=card)
        return None

    def find_options(self, state: Table, text: Execution, seat: int) -> Values:
        return tuple(card for card in self._list_cards(state, text) if self._find_mismatch(text, card) is None)

    def list_imaginable_values(self, state: Table, text: Execution, seat: int) -> Iterable[Value]:
        there = (card for side in (text.by, 1 - text.by) for card in state.cards_at(HELLS[side]))
        return (card for card in there if not is_back(card))

    def check_value(self, state: Table, text: Execution, seat: int, value: Value) -> None:
        card = str(value)
        if card not in find_box_cards(state.rules):
            raise IllegalMove("no_such_card", "CC-MAT-1", card=value)
        if card not in self._list_cards(state, text):
            if self.of in ("enemy", "any"):
                raise IllegalMove("not_in_this_hell", "CC-ZONE-3", card=value)
            raise IllegalMove("not_in_your_hell", "CC-ZONE-3", card=value)
        if refused := self._find_mismatch(text, card):
            raise refused


# ---- with dice -------------------------------------------------------------------------------------------------------


def compute_pip_sums(pips: Iterable[int]) -> frozenset[int]:
    """Return every sum of one to all of these dice.

    CC-AMB-23: Every sum of one to X of the dice counts, each die once.
    """
    dice = tuple(pips)
    return frozenset(map(sum, chain.from_iterable(combinations(dice, size) for size in range(1, len(dice) + 1))))


@named("cc.InReach")
@dataclass(frozen=True)
class CostHitSelector(Selector):
    """Those that fit another noun and whose cost the dice have hit.

    `dice` is the name of the pips.

    CC-DICE-1: The target is one whose cost is the pips of one of the dice or of several added up.
    """

    noun: Selector
    dice: str
    WORD: ClassVar[str] = "in_reach"
    clauses: ClassVar[tuple[str, ...]] = ("CC-DICE-1", "CC-AMB-23")

    def _filter_hit(self, state: Table, text: Execution, values: Values) -> Iterator[Value]:
        reached = compute_pip_sums(int(pips) for pips in text.bound.get(self.dice, ()))
        return (value for value in values if cost_of(state, str(value)) in reached)

    def find_options(self, state: Table, text: Execution, seat: int) -> Values:
        return tuple(self._filter_hit(state, text, self.noun.find_options(state, text, seat)))

    def list_imaginable_values(self, state: Table, text: Execution, seat: int) -> Iterable[Value]:
        return (*self.noun.find_options(state, text, seat), *self.noun.near_miss_values(state, text, seat))

    def check_value(self, state: Table, text: Execution, seat: int, value: Value) -> None:
        self.noun.check_value(state, text, seat, value)
        if value not in self.find_options(state, text, seat):
            cost = cost_of(state, str(value))
            raise IllegalMove("cost_not_rolled", *self.clauses, card=value, cost=cost)
