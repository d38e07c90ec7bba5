"""Death: who dies, what is laid open, and who takes what of it.

Clauses: MK-18.3, MK-19.1 to MK-19.7, MK-26.4, MK-26.11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from referee.cardscript.hidden_cards import check_backs, coming_to
from referee.cardscript.questions import Asking
from referee.cardscript.table import SOME
from referee.engine.chance import Below, ChanceStep, Picked, Roll
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Opened
from referee.engine.zones import is_back
from referee.games.munchkin.components import BOOK, CORPSES, HANDS, PLAYS, RIDES
from referee.games.munchkin.events.cards import CardLooted, LaidOpen
from referee.games.munchkin.events.course import DieCast, PlayerDied
from referee.games.munchkin.moves import TakeCard
from referee.games.munchkin.rules.cards.naming import could_be, drawn
from referee.games.munchkin.rules.items.discarding import discarded
from referee.games.munchkin.state import Table

FEW = 3  # cards of which every report could be listed


def died(table: Table, seat: int, card: str = "") -> Iterator[Event]:
    """The facts of a player's death by this card. Of a fighter the looting waits for the end of the combat, which opens
    it (`looting`); of anybody else it comes at once (MK-19.6). Whoever is dead already stays it."""
    if seat in table.dead:
        return
    yield PlayerDied(seat, card)
    if not table.in_combat(seat):
        yield Opened(Looting(seat))


def looting(seats: Iterable[int]) -> Iterator[Event]:
    """The facts with which these dead are looted, the first of them first (MK-19.6)."""
    for seat in reversed(tuple(seats)):
        yield Opened(Looting(seat))


def looters(table: Table, casts: dict[str, tuple[int, ...]]) -> list[list[int]]:
    """The living players in the order in which they loot: highest level first, then the dice cast so far; those whom
    nothing tells apart stand together (MK-19.4)."""

    def key(seat: int) -> tuple[int, ...]:
        return (table.levels[seat], *casts.get(str(seat), ()))

    ranks: dict[tuple[int, ...], list[int]] = {}
    for seat in table.living:
        ranks.setdefault(key(seat), []).append(seat)
    return [ranks[each] for each in sorted(ranks, reverse=True)]


@named("mk.Looting")
@dataclass(frozen=True)
class Looting(Asking):
    """What a dead player leaves is laid open; the living take a card each, and the rest is discarded (MK-19.3, 19.4).

    The state of MK-24.8.

    `casts`: the dice of those of equal level; `casting`: who has still to cast one more; `order`: who has still to
    take, once that is settled.
    """

    seat: int
    opened: bool = False
    casts: dict[str, tuple[int, ...]] = field(default_factory=dict)
    casting: tuple[int, ...] = ()
    order: tuple[int, ...] | None = None
    clauses: ClassVar[tuple[str, ...]] = ("MK-19.3", "MK-19.4", "MK-19.5", "MK-19.6")
    moment: ClassVar[str] = "loot"

    def asked(self, state: Table) -> tuple[int, ...]:
        left = set(state.place(CORPSES[self.seat]))
        if not self.opened or not self.order or len(left) < 2:
            return ()  # nothing to choose, and everybody sees it (MK-26.4)
        return self.order[:1]

    def resolve(self, state: Table) -> Iterator[Event]:
        left = state.place(CORPSES[self.seat])
        if not self.opened:
            yield from self._laid_open(state)
        elif self.casting:
            yield Opened(CastForLoot(seat=self.casting[0]))
        elif self.order is None:
            yield from self._ordered(state)
        elif self.order and left:
            yield from self._taken(state, self.order[0], left[0])
        else:
            yield Closed()
            if left:
                yield from discarded(state, CORPSES[self.seat], left)

    def _laid_open(self, state: Table) -> Iterator[Event]:
        hand = state.hand(self.seat)
        if SOME in hand:
            raise Unknown("which_cards", place=HANDS[self.seat])
        if hidden := sum(map(is_back, hand)):
            yield Opened(NamingDead(self.seat, hidden))
            return
        yield Became(changed(self, opened=True))
        for place in (HANDS[self.seat], PLAYS[self.seat], RIDES[self.seat]):
            if cards := state.open_at(place):
                yield LaidOpen(place, CORPSES[self.seat], cards, cards, self.seat)

    def _ordered(self, state: Table) -> Iterator[Event]:
        cards, before = state.size(CORPSES[self.seat]), 0
        groups = looters(state, self.casts)
        for group in groups:
            if len(group) > 1 and before < cards:
                yield Became(changed(self, casting=tuple(group)))
                return
            before += len(group)
        yield Became(changed(self, order=tuple(seat for group in groups for seat in group)))

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(TakeCard, dict.fromkeys(state.place(CORPSES[self.seat])))

    def by_default(self, state: Table, seat: Seat) -> Move:
        return TakeCard(state.place(CORPSES[self.seat])[0])

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, TakeCard):
            raise Refused("take_a_card", "MK-19.4", move=move.TAG)
        if move.card not in state.place(CORPSES[self.seat]):
            raise Refused("not_left_behind", "MK-19.4", card=move.card, seat=self.seat)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, TakeCard)
        yield from self._taken(state, int(seat), move.card)

    def _taken(self, state: Table, seat: int, card: str) -> Iterator[Event]:
        assert self.order is not None
        yield Became(changed(self, order=self.order[1:]))
        put = coming_to(state, seat, (card,))
        yield CardLooted(CORPSES[self.seat], HANDS[seat], (card,), put, seat, self.seat)


@named("mk.CastForLoot")
@dataclass(frozen=True)
class CastForLoot(Roll):
    """A player casts a die for the order of looting among those of equal level (MK-19.4)."""

    seat: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("MK-19.4",)

    def outcome(self, state: Table, values: tuple[int, ...]) -> Iterator[Event]:
        looted = state.agenda[-2]
        assert isinstance(looted, Looting)
        cast = (*looted.casts.get(str(self.seat), ()), values[0])
        yield DieCast(self.seat, values[0])
        yield Became(changed(looted, casts={**looted.casts, str(self.seat): cast}, casting=looted.casting[1:]))


@named("mk.NamingDead")
@dataclass(frozen=True)
class NamingDead(ChanceStep):
    """At a real table the hand of a dead player is turned over, and read to the referee (MK-19.3, MK-26.11)."""

    seat: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-19.3", "MK-26.11", "KERNEL-CENSUS-1")

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        """Every report of one or two cards; of more only some, the rest `patterns` describe."""
        names = [name for name, left in state.free(HANDS[self.seat]).items() if left > 0]
        if self.count < FEW:
            return map(Picked, combinations_with_replacement(names, self.count))
        return map(Picked, could_be(state, HANDS[self.seat], self.count))

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Picked):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if len(move.cards) != self.count:
            raise Refused("name_so_many", "KERNEL-CENSUS-1", count=self.count, seat=self.seat)
        check_backs(state, HANDS[self.seat], move.cards)

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, Picked)
        hidden = tuple(card for card in state.hand(self.seat) if is_back(card))
        yield LaidOpen(HANDS[self.seat], CORPSES[self.seat], hidden, move.cards, self.seat)
        yield Closed()

    def draw(self, state: Table, below: Below) -> Move:
        return Picked(drawn(state, self.count, below))

    def patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        names = sorted(name for name, left in state.free(HANDS[self.seat]).items() if left > 0)
        listed = {"type": "array", "items": {"enum": names}, "minItems": self.count, "maxItems": self.count}
        return ({"type": Picked.TAG, "fields": {"cards": listed}, "says": BOOK.texts("pattern.dead", most=self.count)},)
