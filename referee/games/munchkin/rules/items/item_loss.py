"""Items that cards make players lose: which of them, who says which, and what goes with them.

Clauses: MK-2.3, MK-3.8, MK-7.1, MK-7.12, MK-7.13, MK-18.2, MK-20.3, MK-20.6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.language.interpreter import Bound, CarryOut
from referee.cardscript.moves import ChooseCard
from referee.cardscript.questions import Asking
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Opened
from referee.engine.zones import Cards
from referee.games.munchkin.components import CURSES, FACES, PLAYS
from referee.games.munchkin.conditions import Fitting
from referee.games.munchkin.derived import fits, given
from referee.games.munchkin.events.texts import Lapsed
from referee.games.munchkin.rules import levels
from referee.games.munchkin.rules.items.discarding import discarded
from referee.games.munchkin.state import Table

ALL = -1
CURSE, BAD_STUFF = "curse", "bad_stuff"
ANY = Fitting()


def cause_of(text: CarryOut) -> str:
    """Whether a text is that of a curse or of bad stuff, which some cards make a difference of; empty: of neither."""
    if FACES[text.card].kind == "curse":
        return CURSE
    return BAD_STUFF if text.text == "bad_stuff" else ""


# ---- which items ----------------------------------------------------------------------------------------------------


def is_shielded(table: Table, seat: int, item: str) -> bool:
    """Whether curses cannot take an item that a player uses: a card in play keeps its slot from them (MK-3.1)."""
    slots = {each.slot for _, each in given(table, seat, "shields")}
    return item in table.equipped and FACES[item].slot in slots


def takeable(table: Table, seat: int, fitting: Fitting, cause: str) -> Cards:
    """The items that a player has in play and that fit, carried ones among them (MK-7.13)."""
    there = tuple(card for card in table.items(seat) if fits(table, fitting, card))
    if cause != CURSE:
        return there
    return tuple(card for card in there if not is_shielded(table, seat, card))


def worth(card: str) -> int:
    """The gold value of an item; none counts as 0 (MK-7.1)."""
    return FACES[card].gold or 0


def pickable(table: Table, seat: int, fitting: Fitting, best: str, cause: str) -> Cards:
    """Of the items that fit those that may go: all, or those with the biggest bonus, or with the most gold."""
    there = takeable(table, seat, fitting, cause)
    if not best or not there:
        return there
    value = worth if best == "gold" else lambda card: FACES[card].bonus
    top = max(map(value, there))
    return tuple(card for card in there if value(card) == top)


def check_item(table: Table, seat: int, item: str, fitting: Fitting, best: str, cause: str, *clauses: str) -> None:
    """Raises Refused unless this item of a player may be named."""
    if item not in FACES:
        raise Refused("no_such_card", *clauses, card=item)
    if item not in table.items(seat):
        raise Refused("not_an_item_of_theirs", *clauses, card=item, seat=seat)
    if not fits(table, fitting, item):
        raise Refused("another_sort_of_item", *clauses, card=item)
    if cause == CURSE and is_shielded(table, seat, item):
        raise Refused("kept_from_curses", "MK-3.1", *clauses, card=item)
    if item not in pickable(table, seat, fitting, best, cause):
        raise Refused("another_is_better", *clauses, card=item, best=best)


# ---- how they go ----------------------------------------------------------------------------------------------------


def lost(table: Table, seat: int, items: Iterable[str], cause: str) -> Iterator[Event]:
    """The facts with which a player loses items in play; a curse that hangs on such an item ends (MK-20.6)."""
    items = tuple(items)
    yield from discarded(table, PLAYS[seat], items)
    yield from relieved(table, seat, items, cause)


def relieved(table: Table, seat: int, items: Iterable[str], cause: str) -> Iterator[Event]:
    """The facts with which lasting curses end because an item of their slot was lost to a curse or to bad stuff."""
    if not cause:
        return
    slots = {FACES[item].slot for item in items}
    over = [card for card in table.curses(seat) if (stays := FACES[card].stays) and stays.lost_with in slots]
    yield from discarded(table, CURSES[seat], over)


@named("mk.LoseItems")
@dataclass(frozen=True)
class LoseItems(Asking):
    """A player loses so many items in play (`ALL`: every one that fits), one after the other; `by` says which.

    What is the only one is settled without asking. `levy`: every other player then loses as much (MK-20.3).
    """

    seat: int
    by: int
    card: str
    count: int = 1
    fitting: Fitting = ANY
    best: str = ""
    cause: str = ""
    levy: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.13", "MK-20.3")

    def _options(self, table: Table) -> Cards:
        return pickable(table, self.seat, self.fitting, self.best, self.cause)

    def _all_go(self, table: Table) -> bool:
        """Whether nothing is left to choose: every item that fits goes."""
        return self.count == ALL or len(takeable(table, self.seat, self.fitting, self.cause)) <= self.count

    def asked(self, state: Table) -> tuple[int, ...]:
        return () if self._all_go(state) or len(set(self._options(state))) == 1 else (self.by,)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseCard, dict.fromkeys(state.items(self.seat)))

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCard):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        check_item(state, self.seat, move.card, self.fitting, self.best, self.cause, "MK-7.13")

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCard)
        yield from self._gone(state, (move.card,))

    def resolve(self, state: Table) -> Iterator[Event]:
        there = takeable(state, self.seat, self.fitting, self.cause)
        if there:
            yield from self._gone(state, there if self._all_go(state) else self._options(state)[:1])
        else:
            yield Closed()

    def _gone(self, table: Table, items: Cards) -> Iterator[Event]:
        left = 0 if self._all_go(table) else self.count - len(items)
        yield Became(changed(self, count=left)) if left else Closed()
        yield from lost(table, self.seat, items, self.cause)
        if self.levy and (owed := sum(map(worth, items))):
            for other in reversed(table.others(self.seat)):
                yield Opened(PayWorth(other, self.card, owed, self.cause, or_level=True))


def lose(
    table: Table, text: CarryOut, seat: int, by: int, count: int, fitting: Fitting = ANY, best: str = "",
    levy: bool = False,
) -> Iterator[Event]:  # fmt: skip
    """The facts with which a text makes a player lose items; a lapse if there is nothing of the kind (MK-20.3)."""
    cause = cause_of(text)
    if takeable(table, seat, fitting, cause):
        yield Opened(LoseItems(seat, by, text.card, count, fitting, best, cause, levy))
    else:
        yield Lapsed(text.card, "lose_items", seat)


# ---- items that are worth so much ---------------------------------------------------------------------------------


@named("mk.PayWorth")
@dataclass(frozen=True)
class PayWorth(Asking):
    """A player discards items in play, one after the other, until they are worth what is owed.

    Whoever has not so much discards all; then the text goes on with `called`, or a level is lost (`or_level`).
    """

    seat: int
    card: str
    owed: int
    cause: str = ""
    called: str = ""
    or_level: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-3.8", "MK-7.1", "MK-7.13")

    def _worthy(self, table: Table) -> Cards:
        return tuple(card for card in takeable(table, self.seat, ANY, self.cause) if worth(card))

    def _whole(self, table: Table) -> int:
        return sum(map(worth, self._worthy(table)))

    def asked(self, state: Table) -> tuple[int, ...]:
        settled = self.owed <= 0 or self._whole(state) <= self.owed or len(set(self._worthy(state))) == 1
        return () if settled else (self.seat,)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseCard, dict.fromkeys(state.items(self.seat)))

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCard):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        check_item(state, self.seat, move.card, ANY, "", self.cause, "MK-7.13")
        if not worth(move.card):
            raise Refused("worth_nothing", "MK-7.1", card=move.card)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCard)
        yield from self._paid(state, (move.card,))

    def resolve(self, state: Table) -> Iterator[Event]:
        whole = self._whole(state)
        if self.owed <= 0:
            yield Closed()
        elif whole < self.owed:
            yield Closed()
            yield from lost(state, self.seat, takeable(state, self.seat, ANY, self.cause), self.cause)
            if self.called:
                yield Bound(self.called, (self.seat,))
            if self.or_level:
                yield from levels.lost(state, self.seat, 1, self.card)
        else:
            worthy = self._worthy(state)
            yield from self._paid(state, worthy if whole == self.owed else worthy[:1])

    def _paid(self, table: Table, items: Cards) -> Iterator[Event]:
        left = self.owed - sum(map(worth, items))
        yield Became(changed(self, owed=left)) if left > 0 else Closed()
        yield from lost(table, self.seat, items, self.cause)
