"""Items that cards make players lose: which, who chooses, and what goes with them.

Clauses: MK-2.3, MK-3.8, MK-7.1, MK-7.12, MK-7.13, MK-18.2, MK-20.3, MK-20.6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.language.interpreter import Execution, NameBound
from referee.cardscript.moves import ChooseCard
from referee.cardscript.questions import CardPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepPushed, StepReplaced, require_move
from referee.engine.zones import Cards
from referee.games.munchkin.components import CURSES, FACES, PLAYS
from referee.games.munchkin.conditions import ItemFilter
from referee.games.munchkin.derived import find_active_abilities
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.rules import levels
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import matches_filter

EVERY_ONE = -1
CURSE, BAD_STUFF = "curse", "bad_stuff"
ANY_ITEM = ItemFilter()


def cause_of(text: Execution) -> str:
    """Return whether a text is a curse's or bad stuff, or empty if neither.

    Some cards make a difference between the two.
    """
    if FACES[text.card].kind == "curse":
        return CURSE
    return BAD_STUFF if text.text == "bad_stuff" else ""


# ---- which items ----------------------------------------------------------------------------------------------------


def is_shielded(table: Table, seat: int, item: str) -> bool:
    """Return whether a card in play protects an item in use from curses (MK-3.1)."""
    slots = {each.slot for _, each in find_active_abilities(table, seat, "shields")}
    return item in table.equipped and FACES[item].slot in slots


def are_levels_kept(table: Table, seat: int, cause: str) -> bool:
    """Return whether a card in play keeps a player's levels from this cause (MK-3.1)."""
    return any(each.cause == cause for _, each in find_active_abilities(table, seat, "keeps_levels"))


def find_life_saver(table: Table, seat: int) -> str | None:
    """Return the item in use that is given up in place of its player's life.

    MK-3.1: Where a card and the rules disagree, the card wins. Of several the cheapest goes.
    """
    found = [card for card, _ in find_active_abilities(table, seat, "spares")]
    return min(found, key=lambda card: (gold_value_of(card), card), default=None)


def find_takeable_items(table: Table, seat: int, fitting: ItemFilter, cause: str) -> Cards:
    """Return the items in play that fit and can be lost to this cause.

    MK-7.13: The victim picks among those that fit, carried ones included.
    """
    there = tuple(card for card in table.items_of(seat) if matches_filter(table, fitting, card))
    if cause != CURSE:
        return there
    return tuple(card for card in there if not is_shielded(table, seat, card))


def gold_value_of(card: str) -> int:
    """Return the gold value of an item, or 0 without one (MK-7.1)."""
    return FACES[card].gold or 0


def find_pickable_items(table: Table, seat: int, fitting: ItemFilter, best: str, cause: str) -> Cards:
    """Return the items that fit, or only the best of them.

    `best` is empty, `bonus` or `gold`.
    """
    there = find_takeable_items(table, seat, fitting, cause)
    if not best or not there:
        return there
    value = gold_value_of if best == "gold" else lambda card: FACES[card].bonus
    top = max(map(value, there))
    return tuple(card for card in there if value(card) == top)


def check_item(table: Table, seat: int, item: str, fitting: ItemFilter, best: str, cause: str, *clauses: str) -> None:
    """Raise IllegalMove unless this item of a player may be named."""
    if item not in FACES:
        raise IllegalMove("no_such_card", *clauses, card=item)
    if item not in table.items_of(seat):
        raise IllegalMove("not_an_item_of_theirs", *clauses, card=item, seat=seat)
    if not matches_filter(table, fitting, item):
        raise IllegalMove("another_sort_of_item", *clauses, card=item)
    if cause == CURSE and is_shielded(table, seat, item):
        raise IllegalMove("kept_from_curses", "MK-3.1", *clauses, card=item)
    if item not in find_pickable_items(table, seat, fitting, best, cause):
        raise IllegalMove("another_is_better", *clauses, card=item, best=best)


# ---- how they go ----------------------------------------------------------------------------------------------------


def lose_items(table: Table, seat: int, items: Iterable[str], cause: str) -> Iterator[Event]:
    """Yield the events with which a player loses items in play.

    MK-20.6: A lasting curse that is linked to such an item ends.
    """
    items = tuple(items)
    yield from discard_cards(table, PLAYS[seat], items)
    yield from end_linked_curses(table, seat, items, cause)


def end_linked_curses(table: Table, seat: int, items: Iterable[str], cause: str) -> Iterator[Event]:
    """Yield the events that end lasting curses linked to the slot of a lost item.

    Only losses to a curse or to bad stuff count.
    """
    if not cause:
        return
    slots = {FACES[item].slot for item in items}
    over = [card for card in table.curses_of(seat) if (stays := FACES[card].stays) and stays.lost_with in slots]
    yield from discard_cards(table, CURSES[seat], over)


@named("mk.LoseItems")
@dataclass(frozen=True)
class LoseItems(CardPrompt):
    """The loss of items in play, one after the other.

    `count` may be `EVERY_ONE`. The player `by` chooses. A single option is taken without asking. With `levy` every
    other
    player then loses items of the same worth.
    MK-7.13: A curse or bad stuff that takes an item lets its victim pick among those that fit.
    MK-20.3: If a curse fits several items, the victim picks one.
    """

    seat: int
    by: int
    card: str
    count: int = 1
    fitting: ItemFilter = ANY_ITEM
    best: str = ""
    cause: str = ""
    levy: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.13", "MK-20.3")

    def _find_options(self, table: Table) -> Cards:
        return find_pickable_items(table, self.seat, self.fitting, self.best, self.cause)

    def _must_all_go(self, table: Table) -> bool:
        """Return whether every item that fits is lost, so nothing is left to choose."""
        return (
            self.count == EVERY_ONE
            or len(find_takeable_items(table, self.seat, self.fitting, self.cause)) <= self.count
        )

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return () if self._must_all_go(state) or len(set(self._find_options(state))) == 1 else (self.by,)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseCard, dict.fromkeys(state.items_of(self.seat)))

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, ChooseCard)
        check_item(state, self.seat, move.card, self.fitting, self.best, self.cause, "MK-7.13")

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCard)
        yield from self._lose_items(state, (move.card,))

    def resolve(self, state: Table) -> Iterator[Event]:
        there = find_takeable_items(state, self.seat, self.fitting, self.cause)
        if there:
            yield from self._lose_items(state, there if self._must_all_go(state) else self._find_options(state)[:1])
        else:
            yield StepPopped()

    def _lose_items(self, table: Table, items: Cards) -> Iterator[Event]:
        left = 0 if self._must_all_go(table) else self.count - len(items)
        yield StepReplaced(replace_fields(self, count=left)) if left else StepPopped()
        yield from lose_items(table, self.seat, items, self.cause)
        if self.levy and (owed := sum(map(gold_value_of, items))):
            for other in reversed(table.other_seats(self.seat)):
                yield StepPushed(PayWorth(other, self.card, owed, self.cause, or_level=True))


def start_item_loss(
    table: Table, text: Execution, seat: int, by: int, count: int, fitting: ItemFilter = ANY_ITEM, best: str = "",
    levy: bool = False,
) -> Iterator[Event]:  # fmt: skip
    """Yield the events with which a text makes a player lose items.

    MK-20.3: If the victim has nothing of the kind, it does nothing.
    """
    cause = cause_of(text)
    if find_takeable_items(table, seat, fitting, cause):
        yield StepPushed(LoseItems(seat, by, text.card, count, fitting, best, cause, levy))
    else:
        yield EffectLapsed(text.card, "lose_items", seat)


# ---- items worth a given amount ---------------------------------------------------------------------------------


@named("mk.PayWorth")
@dataclass(frozen=True)
class PayWorth(CardPrompt):
    """The discard of items in play, one by one, until they are worth what is owed.

    A player whose items are worth less discards all of them. Then the text goes on with `called`, or the player loses a
    level (`or_level`).
    MK-3.8: A cost is always paid in full or not at all.
    MK-7.1: A value of nothing counts as 0.
    """

    seat: int
    card: str
    owed: int
    cause: str = ""
    called: str = ""
    or_level: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-3.8", "MK-7.1", "MK-7.13")

    def _find_valuable_items(self, table: Table) -> Cards:
        return tuple(
            card for card in find_takeable_items(table, self.seat, ANY_ITEM, self.cause) if gold_value_of(card)
        )

    def _sum_gold(self, table: Table) -> int:
        return sum(map(gold_value_of, self._find_valuable_items(table)))

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        settled = (
            self.owed <= 0 or self._sum_gold(state) <= self.owed or len(set(self._find_valuable_items(state))) == 1
        )
        return () if settled else (self.seat,)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseCard, dict.fromkeys(state.items_of(self.seat)))

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, ChooseCard)
        check_item(state, self.seat, move.card, ANY_ITEM, "", self.cause, "MK-7.13")
        if not gold_value_of(move.card):
            raise IllegalMove("worth_nothing", "MK-7.1", card=move.card)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCard)
        yield from self._pay_with_items(state, (move.card,))

    def resolve(self, state: Table) -> Iterator[Event]:
        whole = self._sum_gold(state)
        if self.owed <= 0:
            yield StepPopped()
        elif whole < self.owed:
            yield StepPopped()
            yield from lose_items(
                state, self.seat, find_takeable_items(state, self.seat, ANY_ITEM, self.cause), self.cause
            )
            if self.called:
                yield NameBound(self.called, (self.seat,))
            if self.or_level:
                yield from levels.lose_levels(state, self.seat, 1, self.card)
        else:
            worthy = self._find_valuable_items(state)
            yield from self._pay_with_items(state, worthy if whole == self.owed else worthy[:1])

    def _pay_with_items(self, table: Table, items: Cards) -> Iterator[Event]:
        left = self.owed - sum(map(gold_value_of, items))
        yield StepReplaced(replace_fields(self, owed=left)) if left > 0 else StepPopped()
        yield from lose_items(table, self.seat, items, self.cause)
