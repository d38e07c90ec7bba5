"""Verbs of card texts about items in play: lose, pay with, hand over, stitch.

Clauses: MK-3.1, MK-3.8, MK-7.3, MK-7.4, MK-7.12, MK-7.13, MK-18.2, MK-20.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import ME, BoundName, CardEffect, NewName, PlayerSelector, Selector
from referee.engine.events import Event
from referee.engine.steps import StepPushed
from referee.games.munchkin.components import PENDING, PLAYS
from referee.games.munchkin.events.cards import CardAttached, ItemsUsed
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.rules.items.discarding import pass_item
from referee.games.munchkin.rules.items.item_loss import (
    ANY_ITEM,
    PayWorth,
    cause_of,
    end_linked_curses,
    start_item_loss,
)
from referee.games.munchkin.rules.items.slots import can_use
from referee.games.munchkin.state import Table
from referee.games.munchkin.texts.nouns import Item
from referee.games.munchkin.texts.verbs_of_players import Count, find_living_players, resolve_count
from referee.games.munchkin.texts.vocabulary import WORDS


@WORDS.register_effect("lose")
@dataclass(frozen=True)
class Lose(CardEffect):
    """Makes players lose items in play that they choose, or that `chosen_by` chooses.

    MK-7.13: The victim picks among the items that fit, carried ones included.
    MK-20.3: If a curse fits several items, the victim picks one.
    """

    which: Selector
    count: Count = 1
    who: PlayerSelector = ME
    chosen_by: PlayerSelector | None = None

    def find_parameter_error(self) -> str:
        own = isinstance(self.which, Item) and self.which.of == "me" and not self.which.same_slot
        return "" if own else "lose needs 'item', without 'same_slot'; leave out whose it is, since 'who' says so"

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        assert isinstance(self.which, Item)
        for seat in reversed(find_living_players(state, text, self.who)):
            by = (*find_living_players(state, text, self.chosen_by), seat)[0] if self.chosen_by is not None else seat
            item = self.which
            yield from start_item_loss(state, text, seat, by, resolve_count(self.count), item.item_filter, item.best)


@WORDS.register_effect("lose_worth")
@dataclass(frozen=True)
class LoseWorth(CardEffect):
    """Makes the player discard items worth at least `gold` together.

    A player who has less discards all of them, and the name is bound.
    """

    gold: int
    called: NewName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield StepPushed(PayWorth(text.by, text.card, self.gold, cause_of(text), self.called))


@WORDS.register_effect("levy")
@dataclass(frozen=True)
class Levy(CardEffect):
    """Makes the player discard an item, and every other player items worth as much.

    A player who has less discards all of them and loses a level (MK-20.3).
    """

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield from start_item_loss(state, text, text.by, text.by, 1, ANY_ITEM, levy=True)


@WORDS.register_effect("hand_over")
@dataclass(frozen=True)
class HandOver(CardEffect):
    """Passes an item from one player's play to another's.

    The owner (`from_`) has to be named, because other players may have a copy of the item. With `use` the receiver uses
    it
    at once if possible.
    MK-2.4: A card in play never returns to a hand.
    MK-7.12: A card attached to an item goes where the item goes.
    """

    item: BoundName
    to: PlayerSelector
    from_: PlayerSelector = ME
    use: bool = False

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        item = text.first_value(self.item)
        owner = next(
            (seat for seat in find_living_players(state, text, self.from_) if item in state.items_of(seat)), None
        )
        if item is None or owner is None:
            return
        for seat in find_living_players(state, text, self.to)[:1]:
            if seat == owner:
                yield EffectLapsed(text.card, "hand_over", seat)
                return
            yield pass_item(state, item, owner, seat)
            yield from end_linked_curses(state, owner, (item,), cause_of(text))
            if self.use and can_use(state, seat, item):
                yield ItemsUsed(seat, on=(item,))


@WORDS.register_effect("stitch")
@dataclass(frozen=True)
class Stitch(CardEffect):
    """Attaches the card to an item of its player, which lifts the item's limits.

    MK-3.1: Where a card and the rules disagree, the card wins.
    MK-7.12: A card attached to an item goes where the item goes.
    """

    item: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        item = text.first_value(self.item)
        mine = item in state.items_of(text.by)
        if item is None or not mine or item in state.attached or text.card not in state.cards_at(PENDING):
            yield EffectLapsed(text.card, "stitch", text.by)
            return
        yield CardAttached(PENDING, PLAYS[text.by], (text.card,), (text.card,), text.by, item)
