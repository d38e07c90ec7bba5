"""Cards that a player loses without anybody choosing them: from the deck, out of the hand, by chance from the field.

At a real table whoever turns such a card over says what it is. Clauses: CC-DIRECT-1, CC-DIRECT-2, CC-GLOSS-6,
CC-GLOSS-7, CC-KEY-TRAP-1, CC-AMB-21, CC-AMB-24, CC-AMB-25, CC-AMB-26.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.hand_disclosure import unnamed
from referee.cardscript.hidden_cards import check_backs, gone_from
from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.table import SOME
from referee.engine.chance import ONLY_CHANCE, Below, ChanceStep, Picked, TurnedUp, shuffled
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Opened, Step
from referee.engine.zones import Cards, Forgotten, is_back
from referee.games.creature_crush.card_attributes import X
from referee.games.creature_crush.components import DECKS, HANDS, HELLS, SEAT_OF, box, face
from referee.games.creature_crush.events.cards import CardsDestroyed
from referee.games.creature_crush.events.course import TargetsDrawn
from referee.games.creature_crush.events.field import NoEffect
from referee.games.creature_crush.rules.combat.flipping import crush_cards
from referee.games.creature_crush.rules.drawing import read_to_us
from referee.games.creature_crush.rules.naming import could_be, drawn, unseen
from referee.games.creature_crush.rules.triggers import destroyed, effects_of, noted, put_in_hell
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import Happening

NOBODY_AWAITED: frozenset[Seat] = frozenset()


# What is turned over is checked with `check_backs(table, "", …)`: against what lies open alone. What is read for a bot
# counts for nothing, since it may be wrong, and a refusal would tell it.


def _there(table: Table, place: str) -> Cards:
    there = table.place(place)
    if SOME in there:
        raise Unknown("which_cards", place=place)
    return there


# ---- a direct attack -------------------------------------------------------------------------------------------------


@named("cc.DirectHit")
@dataclass(frozen=True)
class DirectHit(Step):
    """A direct attack is carried out: it destroys one card of the other player, of the deck, else of the hand, else a
    crush card, else a creature; what the attacker does as it attacks directly comes with that (CC-DIRECT-2)."""

    seat: int
    creature: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-DIRECT-1", "CC-DIRECT-2", "CC-AMB-25")

    def resolve(self, state: Table) -> Iterator[Event]:
        them = 1 - self.seat
        effects = effects_of(state, ((self.creature, "attacks_directly", self.seat),))
        done = Happening("direct_done", self.seat, {"attacker": (self.creature,)}, effects)
        field = state.crush_places(them) or state.creatures(them)
        if state.size(DECKS[them]):
            yield Became(Milling(them, 1, effects))
        elif state.size(HANDS[them]):
            yield Became(Discarding(them, 1, effects))
        elif field:
            yield Became(OneAtRandom(self.creature, field, done))
        else:
            yield Closed()
            yield NoEffect(self.creature, "nothing_left")


# ---- of the deck -----------------------------------------------------------------------------------------------------


@named("cc.Milling")
@dataclass(frozen=True)
class Milling(ChanceStep):
    """The top cards of a player's deck are destroyed, one after the other, as long as there are any.

    `then` are effects that are activated together with the Trap of the last one.
    """

    seat: int
    count: int = 1
    then: tuple[CarryOut, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-6", "CC-KEY-TRAP-1")

    def awaits(self, state: Table) -> frozenset[Seat]:
        there = _there(state, DECKS[self.seat])
        return ONLY_CHANCE if self.count and there and is_back(there[0]) else NOBODY_AWAITED

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(TurnedUp, +state.free(""))

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, TurnedUp):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        check_backs(state, "", (move.card,))

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, TurnedUp)
        yield from self._gone(state, move.card)

    def draw(self, state: Table, below: Below) -> Move:
        return TurnedUp(drawn(state, self.seat, 1, below)[0])

    def resolve(self, state: Table) -> Iterator[Event]:
        there = _there(state, DECKS[self.seat])
        if self.count and there:
            yield from self._gone(state, there[0])
        else:
            yield Closed()

    def _gone(self, table: Table, card: str) -> Iterator[Event]:
        deck = DECKS[self.seat]
        yield Became(changed(self, count=self.count - 1)) if self.count > 1 else Closed()
        yield CardsDestroyed((deck,), (HELLS[self.seat],), table.place(deck)[:1], (card,))
        yield put_in_hell(table, card, self.seat, self.then if self.count == 1 else ())


# ---- out of the hand -------------------------------------------------------------------------------------------------


@named("cc.Discarding")
@dataclass(frozen=True)
class Discarding(ChanceStep):
    """So many cards of a player's hand, taken unseen, are destroyed at the same time (CC-AMB-24)."""

    seat: int
    count: int = 1
    then: tuple[CarryOut, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-6", "CC-GLOSS-7", "CC-AMB-24")

    def _number(self, table: Table) -> int:
        return min(self.count, len(_there(table, HANDS[self.seat])))

    def _reported(self, table: Table) -> bool:
        """Whether the table has to say what was taken: real cards, or backs of a position."""
        return table.rules.cards_at_table or any(map(is_back, table.hand(self.seat)))

    def awaits(self, state: Table) -> frozenset[Seat]:
        number = self._number(state)
        open_question = number < len(state.hand(self.seat)) or self._reported(state)
        return ONLY_CHANCE if number and open_question else NOBODY_AWAITED

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(Picked, could_be(state, "", self._number(state))) if state.rules.cards_at_table else ()

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Picked):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if len(move.cards) != self._number(state):
            raise Refused("name_so_many", "KERNEL-CHANCE-1", count=self._number(state), seat=self.seat)
        if self._reported(state):
            check_backs(state, "", move.cards)
        elif not set(move.cards) <= set(state.hand(self.seat)) or len(set(move.cards)) < len(move.cards):
            raise Refused("not_these_cards", "KERNEL-CHANCE-1")

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, Picked)
        yield from self._gone(state, move.cards)

    def draw(self, state: Table, below: Below) -> Move:
        picked = shuffled(sorted(state.hand(self.seat)), below)[: self._number(state)]
        if not self._reported(state):
            return Picked(tuple(picked))
        known = [card for card in picked if state.free("")[card] > 0]  # what was read for a bot may be wrong
        names = [card for card in drawn(state, self.seat, len(box(state.rules)), below) if card not in known]
        return Picked((*known, *names[: len(picked) - len(known)]))

    def resolve(self, state: Table) -> Iterator[Event]:
        if self._number(state):
            yield from self._gone(state, state.hand(self.seat))
        else:
            yield Closed()

    def _gone(self, table: Table, cards: Cards) -> Iterator[Event]:
        hand, hell, count = HANDS[self.seat], HELLS[self.seat], len(cards)
        yield Closed()
        took = gone_from(table, hand, cards)
        if sum(map(is_back, took)) > sum(map(is_back, table.place(hand))):
            yield Forgotten(hand)  # what was read for a bot was wrong: it is read anew
            took = ("?",) * count
            yield from read_to_us(table, self.seat)
        yield CardsDestroyed((hand,) * count, (hell,) * count, took, cards)
        traps = tuple((card, "trap", self.seat) for card in cards if face(card).is_creature)
        effects = (*effects_of(table, traps), *self.then)
        yield noted(Happening("put", self.seat, {"card": cards}, effects))


# ---- from the field --------------------------------------------------------------------------------------------------


@named("cc.OneAtRandom")
@dataclass(frozen=True)
class OneAtRandom(ChanceStep):
    """Of these, which everybody can see (creatures, or C-places), chance finds one, which is destroyed (CC-AMB-24).

    `creature`: whose attack does it; `done`: what happens once it is done.
    """

    creature: str
    targets: tuple[str, ...]
    done: Happening
    clauses: ClassVar[tuple[str, ...]] = ("CC-DIRECT-2", "CC-GLOSS-7", "CC-AMB-24")

    def awaits(self, state: Table) -> frozenset[Seat]:
        return ONLY_CHANCE if len(self.targets) > 1 else NOBODY_AWAITED

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (Picked((target,)) for target in self.targets)

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Picked):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if len(move.cards) != 1 or move.cards[0] not in self.targets:
            raise Refused("not_among_these", "CC-DIRECT-2", targets=", ".join(self.targets))

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, Picked)
        yield from self._found(move.cards[0])

    def draw(self, state: Table, below: Below) -> Move:
        return Picked((self.targets[below(len(self.targets))],))

    def resolve(self, state: Table) -> Iterator[Event]:
        yield from self._found(self.targets[0])

    def _found(self, target: str) -> Iterator[Event]:
        yield Became(Destroying((target,), done=self.done))
        yield TargetsDrawn(self.creature, (target,))


def destroying(table: Table, what: Iterable[str]) -> Iterator[Event]:
    """The facts with which a text destroys creatures (by card) and C-cards (by place) on the field at the same time.

    Where a C-card is a back, as at a real table, it is turned over and named first.
    """
    step = Destroying(tuple(dict.fromkeys(what)))
    if step.unnamed(table):
        yield Opened(step)
    else:
        yield from destroyed(table, step.what)


@named("cc.Destroying")
@dataclass(frozen=True)
class Destroying(ChanceStep):
    """Cards on the field are destroyed at the same time; at a real table it is said what those face down were.

    `done`: what happens once it is done.
    """

    what: tuple[str, ...]
    done: Happening | None = None
    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-6", "CC-AMB-26")

    def unnamed(self, table: Table) -> tuple[str, ...]:
        """The C-places whose card has to be named."""
        places = tuple(place for place in self.what if place in SEAT_OF)
        return tuple(place for place in places if is_back(table.at(place)) or self._misread(table, place))

    def _misread(self, table: Table, place: str) -> bool:
        """Whether what was read for a bot lies open elsewhere, so that something else must lie here."""
        return table.rules.cards_at_table and unnamed(box(table.rules), table)[table.at(place)] <= 0

    def awaits(self, state: Table) -> frozenset[Seat]:
        return ONLY_CHANCE if self.unnamed(state) else NOBODY_AWAITED

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        places = self.unnamed(state)
        names = [card for card in +state.free(places[0]) if not face(card).is_creature]
        names.sort(key=lambda card: card not in crush_cards(state.rules, SEAT_OF[places[0]]))
        count = len(places)
        return (Picked(tuple(names[at : at + count])) for at in range(len(names) - count + 1))

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Picked):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        places = self.unnamed(state)
        if len(move.cards) != len(places):
            raise Refused("name_what_lies_there", "CC-AMB-26", count=len(places), places=", ".join(places))
        check_backs(state, places[0], move.cards)
        for place, card in zip(places, move.cards, strict=True):
            if face(card).is_creature:
                raise Refused("no_crush_card", "CC-ZONE-1", card=card)
            if card not in crush_cards(state.rules, SEAT_OF[place]):
                raise Refused("another_card_lies_there", "CC-AMB-7", place=place, card=card)

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, Picked)
        yield from self._gone(state, dict(zip(self.unnamed(state), move.cards, strict=True)))

    def draw(self, state: Table, below: Below) -> Move:
        places = self.unnamed(state)
        nowhere = unseen(state)
        left = shuffled(sorted(card for card in +state.free(places[0]) if not face(card).is_creature), below)
        names: list[str] = []
        for place in places:
            mine, paid = crush_cards(state.rules, SEAT_OF[place]), (X, state.dice_paid(place))
            fitting = [card for card in left if card not in names and card in mine]
            fitting.sort(key=lambda card: (mine[card].cost not in paid, not nowhere[card]))
            names.append(fitting[0])
        return Picked(tuple(names))

    def resolve(self, state: Table) -> Iterator[Event]:
        yield from self._gone(state, {})

    def _gone(self, table: Table, names: dict[str, str]) -> Iterator[Event]:
        yield Closed()
        yield from destroyed(table, self.what, names=names)
        if self.done is not None:
            yield noted(self.done)
