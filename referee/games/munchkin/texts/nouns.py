"""What a card text lets somebody choose: an item in play, a player, a card of a discard pile.

Clauses: MK-2.5, MK-7.1, MK-7.13, MK-19.7, MK-20.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.language.primitives import Name, Noun, Value, Values
from referee.cardscript.table import SOME
from referee.engine.codec import named
from referee.engine.rulings import Refused, Unknown
from referee.games.munchkin.components import DISCARDS, FACES
from referee.games.munchkin.conditions import Fitting
from referee.games.munchkin.rules.items.item_loss import cause_of, check_item, pickable
from referee.games.munchkin.state import Table
from referee.games.munchkin.texts.vocabulary import WORDS

OF_ME = Name("me")


@WORDS.noun("item")
@named("mk.ItemNoun")
@dataclass(frozen=True)
class Item(Noun):
    """An item that a player has in play, carried or used; every key given has to fit (MK-7.13).

    `best`: of those that fit only the ones with the biggest bonus, or with the most gold.
    """

    of: Name = OF_ME
    slot: Literal["", "headgear", "armor", "footgear", "hand", "none"] = ""
    size: Literal["", "big", "small"] = ""
    equipped: bool = False
    one_shot: bool = False
    best: Literal["", "bonus", "gold"] = ""
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.13",)

    @property
    def fitting(self) -> Fitting:
        """Which items are meant, as the rules say it."""
        return Fitting(self.slot, self.size, self.equipped, self.one_shot)

    def options(self, state: Table, text: CarryOut, seat: int) -> Values:
        owner = text.first(self.of)
        if owner is None:
            return ()
        return tuple(dict.fromkeys(pickable(state, owner, self.fitting, self.best, cause_of(text))))

    def thinkable(self, state: Table, text: CarryOut, seat: int) -> Values:
        owner, fitting = text.first(self.of), self.options(state, text, seat)
        return () if owner is None else tuple(card for card in dict.fromkeys(state.items(owner)) if card not in fitting)

    def check(self, state: Table, text: CarryOut, seat: int, value: Value) -> None:
        owner = text.first(self.of)
        if owner is None:
            raise Refused("no_such_card", *self.clauses, card=value)
        check_item(state, owner, str(value), self.fitting, self.best, cause_of(text), *self.clauses)


@WORDS.noun("player")
@named("mk.PlayerNoun")
@dataclass(frozen=True)
class Player(Noun):
    """A living player: of the others one with the lowest level, or anybody at all (MK-19.7)."""

    lowest_other: bool = False
    any_: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-19.7",)
    asks: ClassVar[str] = "player"

    def options(self, state: Table, text: CarryOut, seat: int) -> Values:
        if not self.lowest_other:
            return state.clockwise(text.by)
        others = state.others(text.by)
        lowest = min((state.levels[other] for other in others), default=0)
        return tuple(other for other in others if state.levels[other] == lowest)

    def thinkable(self, state: Table, text: CarryOut, seat: int) -> Values:
        fitting = self.options(state, text, seat)
        return tuple(other for other in state.living if other not in fitting)

    def check(self, state: Table, text: CarryOut, seat: int, value: Value) -> None:
        if type(value) is not int or not 0 <= value < state.rules.seats:
            raise Refused("no_such_player", "MK-1.1", seat=value)
        if value in state.dead:
            raise Refused("is_dead", "MK-19.7", seat=value)
        if value not in self.options(state, text, seat):
            raise Refused("not_the_lowest", "MK-3.1", seat=value, card=text.card)


@WORDS.noun("discarded")
@named("mk.DiscardedNoun")
@dataclass(frozen=True)
class Discarded(Noun):
    """A card of a discard pile, of one deck or of both, perhaps of one kind only (MK-2.5)."""

    deck: Literal["any", "door", "treasure"]
    kind: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.5",)

    def _pool(self, state: Table) -> Values:
        piles = DISCARDS.values() if self.deck == "any" else (DISCARDS[self.deck],)
        for pile in piles:
            if SOME in state.place(pile):
                raise Unknown("which_cards", place=pile)
        return tuple(dict.fromkeys(card for pile in piles for card in state.place(pile)))

    def options(self, state: Table, text: CarryOut, seat: int) -> Values:
        return tuple(card for card in self._pool(state) if not self.kind or FACES[str(card)].kind == self.kind)

    def thinkable(self, state: Table, text: CarryOut, seat: int) -> Values:
        return tuple(card for card in self._pool(state) if self.kind and FACES[str(card)].kind != self.kind)

    def check(self, state: Table, text: CarryOut, seat: int, value: Value) -> None:
        if value not in state.boxes.whole:
            raise Refused("no_such_card", "MK-2.1", card=value)
        if value not in self._pool(state):
            raise Refused("not_discarded", "MK-2.5", card=value)
        if value not in self.options(state, text, seat):
            raise Refused("another_kind", "MK-3.1", card=value, kind=self.kind)
