"""Verbs of the card texts about items in play: losing them, paying with them, handing over, stitching.

Clauses: MK-3.1, MK-3.8, MK-7.3, MK-7.4, MK-7.12, MK-7.13, MK-18.2, MK-20.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.language.primitives import ME, Called, Name, Noun, Who, Word
from referee.engine.events import Event
from referee.engine.steps import Opened
from referee.games.munchkin.components import PENDING, PLAYS
from referee.games.munchkin.events.cards import CardAttached, ItemsUsed
from referee.games.munchkin.events.texts import Lapsed
from referee.games.munchkin.rules.items.discarding import passed
from referee.games.munchkin.rules.items.item_loss import ANY, PayWorth, cause_of, lose, relieved
from referee.games.munchkin.rules.items.slots import can_use
from referee.games.munchkin.state import Table
from referee.games.munchkin.texts.nouns import Item
from referee.games.munchkin.texts.verbs_of_players import Count, living, number
from referee.games.munchkin.texts.vocabulary import WORDS


@WORDS.word("lose")
@dataclass(frozen=True)
class Lose(Word):
    """These players lose items in play; they say which, or `chosen_by` does (MK-7.13, MK-20.3)."""

    which: Noun
    count: Count = 1
    who: Who = ME
    chosen_by: Who | None = None

    def amiss(self) -> str:
        own = isinstance(self.which, Item) and self.which.of == "me"
        return "" if own else "lose needs 'item', and whose it is follows from 'who'"

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        assert isinstance(self.which, Item)
        for seat in reversed(living(state, text, self.who)):
            by = (*living(state, text, self.chosen_by), seat)[0] if self.chosen_by is not None else seat
            item = self.which
            yield from lose(state, text, seat, by, number(self.count), item.fitting, item.best)


@WORDS.word("lose_worth")
@dataclass(frozen=True)
class LoseWorth(Word):
    """The player discards items worth at least so much; whoever has less discards all, and the name is bound."""

    gold: int
    called: Called

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        yield Opened(PayWorth(text.by, text.card, self.gold, cause_of(text), self.called))


@WORDS.word("levy")
@dataclass(frozen=True)
class Levy(Word):
    """The player discards an item in play; every other discards items worth as much, or all and a level (MK-20.3)."""

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        yield from lose(state, text, text.by, text.by, 1, ANY, levy=True)


@WORDS.word("hand_over")
@dataclass(frozen=True)
class HandOver(Word):
    """An item that a player has in play goes before another; `use`: it is used at once if it can be (MK-2.4, MK-7.12).

    Whose it is has to be said, for others may have a copy of it in play.
    """

    item: Name
    to: Who
    from_: Who = ME
    use: bool = False

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        item = text.first(self.item)
        owner = next((seat for seat in living(state, text, self.from_) if item in state.items(seat)), None)
        if item is None or owner is None:
            return
        for seat in living(state, text, self.to)[:1]:
            if seat == owner:
                yield Lapsed(text.card, "hand_over", seat)
                return
            yield passed(state, item, owner, seat)
            yield from relieved(state, owner, (item,), cause_of(text))
            if self.use and can_use(state, seat, item):
                yield ItemsUsed(seat, on=(item,))


@WORDS.word("stitch")
@dataclass(frozen=True)
class Stitch(Word):
    """The card is attached to an item of its player, which may then be used against every limit (MK-3.1, MK-7.12)."""

    item: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        item = text.first(self.item)
        mine = item in state.items(text.by)
        if item is None or not mine or item in state.attached or text.card not in state.place(PENDING):
            yield Lapsed(text.card, "stitch", text.by)
            return
        yield CardAttached(PENDING, PLAYS[text.by], (text.card,), (text.card,), text.by, item)
