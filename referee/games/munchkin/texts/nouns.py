"""Nouns of card texts: an item in play, a player, a discarded card.

Clauses: MK-2.5, MK-7.1, MK-7.13, MK-19.7, MK-20.3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import BoundName, Selector, Value, Values
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.rulings import IllegalMove, Undetermined
from referee.games.munchkin.components import DISCARDS, FACES
from referee.games.munchkin.conditions import Bound, ItemFilter
from referee.games.munchkin.rules.items.item_loss import cause_of, check_item, find_pickable_items
from referee.games.munchkin.state import Table
from referee.games.munchkin.texts.vocabulary import WORDS

OF_ME, NO_NAME = BoundName("me"), BoundName("")


@WORDS.register_selector("item")
@named("mk.ItemNoun")
@dataclass(frozen=True)
class Item(Selector):
    """An item that a player has in play, carried or used.

    Every key given has to fit. With `best` only the items with the highest bonus, or the most gold, are meant. With
    `same_slot` only those of the slot of an item that has a name; if the name stands for nothing, none.
    MK-7.13: The victim picks among the items that fit, carried ones included.
    """

    of: BoundName = OF_ME
    slot: Literal["", "headgear", "armor", "footgear", "hand", "none"] = ""
    size: Literal["", "big", "small"] = ""
    equipped: bool = False
    one_shot: bool = False
    best: Literal["", "bonus", "gold"] = ""
    gold_min: Bound = field(default=(), metadata=OMIT_IF_EMPTY)
    gold_max: Bound = field(default=(), metadata=OMIT_IF_EMPTY)
    bonus_min: Bound = field(default=(), metadata=OMIT_IF_EMPTY)
    bonus_max: Bound = field(default=(), metadata=OMIT_IF_EMPTY)
    same_slot: BoundName = field(default=NO_NAME, metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.13",)

    @property
    def item_filter(self) -> ItemFilter:
        """The filter of the items meant, but for `same_slot`."""
        numbers = (self.gold_min, self.gold_max, self.bonus_min, self.bonus_max)
        return ItemFilter(self.slot, self.size, self.equipped, self.one_shot, *numbers)

    def build_filter(self, text: Execution) -> ItemFilter | None:
        """Return the filter of the items meant in a text, or None if nothing can fit."""
        if not self.same_slot:
            return self.item_filter
        like = text.first_value(self.same_slot)
        return None if like is None else replace(self.item_filter, slot=FACES[str(like)].slot or "none")

    def find_options(self, state: Table, text: Execution, seat: int) -> Values:
        owner, fitting = text.first_value(self.of), self.build_filter(text)
        if owner is None or fitting is None:
            return ()
        return tuple(dict.fromkeys(find_pickable_items(state, owner, fitting, self.best, cause_of(text))))

    def list_imaginable_values(self, state: Table, text: Execution, seat: int) -> Iterable[Value]:
        owner = text.first_value(self.of)
        return () if owner is None else dict.fromkeys(state.items_of(owner))

    def check_value(self, state: Table, text: Execution, seat: int, value: Value) -> None:
        owner, fitting = text.first_value(self.of), self.build_filter(text)
        if owner is None or fitting is None:
            raise IllegalMove("no_such_card", *self.clauses, card=value)
        check_item(state, owner, str(value), fitting, self.best, cause_of(text), *self.clauses)


@WORDS.register_selector("player")
@named("mk.PlayerNoun")
@dataclass(frozen=True)
class Player(Selector):
    """A living player, or a living other player of the lowest level.

    With `level` only those on a higher, or a lower, level than the player of the text.
    MK-19.7: A dead character gets no cards in any way and cannot act.
    """

    lowest_other: bool = False
    any_: bool = False
    level: Literal["", "higher", "lower"] = field(default="", metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MK-19.7",)
    answer_kind: ClassVar[str] = "player"

    def find_options(self, state: Table, text: Execution, seat: int) -> Values:
        if self.level:
            mine, higher = state.levels[text.by], self.level == "higher"
            others = state.other_seats(text.by)
            return tuple(
                seat for seat in others if state.levels[seat] != mine and (state.levels[seat] > mine) == higher
            )
        if not self.lowest_other:
            return state.seats_clockwise_from(text.by)
        others = state.other_seats(text.by)
        lowest = min((state.levels[other] for other in others), default=0)
        return tuple(other for other in others if state.levels[other] == lowest)

    def list_imaginable_values(self, state: Table, text: Execution, seat: int) -> Iterable[Value]:
        return state.living_seats

    def check_value(self, state: Table, text: Execution, seat: int, value: Value) -> None:
        if type(value) is not int or not 0 <= value < state.rules.seats:
            raise IllegalMove("no_such_player", "MK-1.1", seat=value)
        if value in state.dead:
            raise IllegalMove("is_dead", "MK-19.7", seat=value)
        if self.level and value not in self.find_options(state, text, seat):
            raise IllegalMove("not_of_that_level", "MK-3.1", seat=value, card=text.card, level=self.level)
        if value not in self.find_options(state, text, seat):
            lowest = self.find_options(state, text, seat)
            raise IllegalMove("not_the_lowest", "MK-3.1", seat=value, card=text.card, lowest=lowest)


@WORDS.register_selector("discarded")
@named("mk.DiscardedNoun")
@dataclass(frozen=True)
class Discarded(Selector):
    """A card of a discard pile, of one deck or both, perhaps of one kind only.

    MK-2.5: A discard pile may not be searched, unless a card allows it.
    """

    deck: Literal["any", "door", "treasure"]
    kind: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.5",)

    def _find_discards(self, state: Table) -> Values:
        piles = DISCARDS.values() if self.deck == "any" else (DISCARDS[self.deck],)
        for pile in piles:
            if UNCOUNTED_CARDS in state.cards_at(pile):
                raise Undetermined("which_cards", place=pile)
        return tuple(dict.fromkeys(card for pile in piles for card in state.cards_at(pile)))

    def find_options(self, state: Table, text: Execution, seat: int) -> Values:
        return tuple(card for card in self._find_discards(state) if not self.kind or FACES[str(card)].kind == self.kind)

    def list_imaginable_values(self, state: Table, text: Execution, seat: int) -> Iterable[Value]:
        return self._find_discards(state)

    def check_value(self, state: Table, text: Execution, seat: int, value: Value) -> None:
        if value not in state.boxes.whole:
            raise IllegalMove("no_such_card", "MK-2.1", card=value)
        if value not in self._find_discards(state):
            raise IllegalMove("not_discarded", "MK-2.5", card=value)
        if value not in self.find_options(state, text, seat):
            raise IllegalMove("another_kind", "MK-3.1", card=value, kind=self.kind)
