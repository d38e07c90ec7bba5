"""Cards that a player loses without a choice: from deck, hand or field.

At a real table the player who turns such a card over says what it is. Clauses: CC-DIRECT-1, CC-DIRECT-2, CC-GLOSS-6,
CC-GLOSS-7, CC-KEY-TRAP-1, CC-AMB-21, CC-AMB-24, CC-AMB-25, CC-AMB-26.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from referee.cardscript.hand_disclosure import count_unseen_copies
from referee.cardscript.hidden_cards import check_backs
from referee.cardscript.language.interpreter import Execution
from referee.engine.chance import ONLY_CHANCE, ChanceStep, PickResult, RandomBelow, shuffle_cards
from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import NO_SEATS, StepPopped, StepPushed, StepReplaced, require_move
from referee.engine.zones import Cards, CardsForgotten, find_cards_leaving, is_back
from referee.games.creature_crush.components import DECKS, HANDS, HELLS, SEAT_BY_PLACE, face_of, find_box_cards
from referee.games.creature_crush.events.cards import CardsDestroyed
from referee.games.creature_crush.events.course import TargetsDrawn
from referee.games.creature_crush.events.field import EffectSkipped
from referee.games.creature_crush.events.pending import PendingHit, PendingLoss
from referee.games.creature_crush.rules.actions.paying import could_lie_at
from referee.games.creature_crush.rules.activating import activate_texts
from referee.games.creature_crush.rules.chain import queue_trigger
from referee.games.creature_crush.rules.combat.flipping import find_crush_cards
from referee.games.creature_crush.rules.drawing import disclose_hands
from referee.games.creature_crush.rules.naming import (
    DeckTurnUp,
    count_unseen_cards,
    draw_unnamed_cards,
    list_possible_namings,
)
from referee.games.creature_crush.rules.triggers import destroy_cards, queue_hell_arrivals
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import TriggerEvent

# A card that is turned over is checked with `check_backs(table, "", …)`, so only against what lies open. What was read
# for a bot does not count, because it may be wrong and a refusal would reveal it.


# ---- a direct attack -------------------------------------------------------------------------------------------------


@named("cc.DirectHit")
@dataclass(frozen=True)
class DirectHit(PendingHit):
    """A direct attack is carried out: it destroys one card of the other player.

    What the attacker's text does on a direct attack comes together with that.

    CC-DIRECT-1: A direct attack destroys the top card of the opponent's deck, whatever the attack points.
    CC-DIRECT-2: If the deck is empty, it destroys a random hand card instead. If the hand is empty, too, it is a random
        crush card, and without one a random creature.
    CC-AMB-25: One attack destroys one card.
    """

    seat: int
    creature: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-DIRECT-1", "CC-DIRECT-2", "CC-AMB-25")

    def resolve(self, state: Table) -> Iterator[Event]:
        them = 1 - self.seat
        effects = activate_texts(state, ((self.creature, "attacks_directly", self.seat),))
        done = TriggerEvent("direct_done", self.seat, {"attacker": (self.creature,)}, effects)
        field = state.list_crush_places(them) or state.list_creatures(them)
        if state.count_cards_at(DECKS[them]):
            yield StepReplaced(Milling(them, 1, effects))
        elif state.count_cards_at(HANDS[them]):
            yield StepReplaced(Discarding(them, 1, effects))
        elif field:
            yield StepReplaced(RandomDestruction(self.creature, field, done))
        else:
            yield StepPopped()
            yield EffectSkipped(self.creature, "nothing_left")


# ---- of the deck -----------------------------------------------------------------------------------------------------


@named("cc.Milling")
@dataclass(frozen=True)
class Milling(PendingLoss, DeckTurnUp):
    """The top cards of a player's deck are destroyed, one after the other.

    `then` are effects that are activated together with the Trap of the last one.

    CC-GLOSS-6: To destroy a card is to put it into the hell of the player who last possessed it.
    CC-KEY-TRAP-1: Trap happens when the card is put from its player's deck or hand into hell.
    CC-CHAIN-3-R2: Cards that one effect puts into hell are one event, so their Traps are activated at the same time.
    """

    seat: int
    count: int = 1
    then: tuple[Execution, ...] = ()
    fallen: Cards = field(default=(), metadata=OMIT_IF_EMPTY)  # cards of this mill whose Traps still wait
    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-6",)

    def place_card(self, table: Table, took: str, card: str) -> Iterator[Event]:
        at_once = table.interpretation_number("CC-CHAIN-3") != FIRST_INTERPRETATION
        goes_on = self.count > 1 and not (at_once and table.count_cards_at(DECKS[self.seat]) == 1)
        fallen = (*self.fallen, card) if at_once else (card,)
        if goes_on:
            kept = fallen if at_once else ()
            yield StepReplaced(replace_fields(self, count=self.count - 1, fallen=kept))
        else:
            yield StepPopped()
        yield CardsDestroyed((DECKS[self.seat],), (HELLS[self.seat],), (took,), (card,))
        if not (at_once and goes_on):
            yield queue_hell_arrivals(table, fallen, self.seat, () if goes_on else self.then)


# ---- out of the hand -------------------------------------------------------------------------------------------------


@named("cc.Discarding")
@dataclass(frozen=True)
class Discarding(PendingLoss, ChanceStep):
    """Cards of a player's hand, taken unseen, are destroyed at the same time.

    CC-AMB-24: Every legal target is equally likely. A hand card is taken unseen and goes face up to hell.
    """

    seat: int
    count: int = 1
    then: tuple[Execution, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-6", "CC-GLOSS-7", "CC-AMB-24")
    direct_clause: ClassVar[str] = "CC-DIRECT-2"

    def _count_cards(self, table: Table) -> int:
        return min(self.count, len(table.open_cards_at(HANDS[self.seat])))

    def _needs_report(self, table: Table) -> bool:
        """Return whether the table has to report what was taken.

        It has to for real cards and for backs of a position.
        """
        return table.rules.cards_at_table or any(map(is_back, table.cards_in_hand(self.seat)))

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        number = self._count_cards(state)
        open_question = number < len(state.cards_in_hand(self.seat)) or self._needs_report(state)
        return ONLY_CHANCE if number and open_question else NO_SEATS

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (
            map(PickResult, list_possible_namings(state, "", self._count_cards(state)))
            if state.rules.cards_at_table
            else ()
        )

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, PickResult)
        if len(move.cards) != self._count_cards(state):
            raise IllegalMove("name_so_many", "KERNEL-CHANCE-1", count=self._count_cards(state), seat=self.seat)
        if self._needs_report(state):
            check_backs(state, "", move.cards)
        elif not set(move.cards) <= set(state.cards_in_hand(self.seat)) or len(set(move.cards)) < len(move.cards):
            raise IllegalMove("not_these_cards", "KERNEL-CHANCE-1")

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickResult)
        yield from self._destroy_hand_cards(state, move.cards)

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        picked = shuffle_cards(sorted(state.cards_in_hand(self.seat)), below)[: self._count_cards(state)]
        if not self._needs_report(state):
            return PickResult(tuple(picked))
        free = [card for card in picked if state.free_copies("")[card] > 0]  # what was read for a bot may be wrong
        names = [
            card
            for card in draw_unnamed_cards(state, self.seat, len(find_box_cards(state.rules)), below)
            if card not in free
        ]
        return PickResult((*free, *names[: len(picked) - len(free)]))

    def resolve(self, state: Table) -> Iterator[Event]:
        if self._count_cards(state):
            yield from self._destroy_hand_cards(state, state.cards_in_hand(self.seat))
        else:
            yield StepPopped()

    def _destroy_hand_cards(self, table: Table, cards: Cards) -> Iterator[Event]:
        hand, hell, count = HANDS[self.seat], HELLS[self.seat], len(cards)
        yield StepPopped()
        took = find_cards_leaving(table, hand, cards)
        if sum(map(is_back, took)) > sum(map(is_back, table.cards_at(hand))):
            yield CardsForgotten(hand)  # what was read for a bot was wrong and is read again
            took = ("?",) * count
            yield from disclose_hands(table, self.seat)
        yield CardsDestroyed((hand,) * count, (hell,) * count, took, cards)
        yield queue_hell_arrivals(table, cards, self.seat, self.then)


# ---- from the field --------------------------------------------------------------------------------------------------


@named("cc.OneAtRandom")
@dataclass(frozen=True)
class RandomDestruction(PendingLoss, ChanceStep):
    """Chance finds one of these creatures or C-places, which is destroyed.

    Everybody can see the `targets`. `creature` is the attacker that does it. `done` is the trigger event that follows.

    CC-AMB-24: Every legal target is equally likely, and the outcome is kept in the record.
    """

    creature: str
    targets: tuple[str, ...]
    done: TriggerEvent
    clauses: ClassVar[tuple[str, ...]] = ("CC-DIRECT-2", "CC-GLOSS-7", "CC-AMB-24")
    direct_clause: ClassVar[str] = "CC-DIRECT-2"

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        return ONLY_CHANCE if len(self.targets) > 1 else NO_SEATS

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (PickResult((target,)) for target in self.targets)

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, PickResult)
        if len(move.cards) != 1 or move.cards[0] not in self.targets:
            raise IllegalMove("not_among_these", "CC-DIRECT-2", targets=", ".join(self.targets))

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickResult)
        yield from self._destroy_target(move.cards[0])

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        return PickResult((self.targets[below(len(self.targets))],))

    def resolve(self, state: Table) -> Iterator[Event]:
        yield from self._destroy_target(self.targets[0])

    def _destroy_target(self, target: str) -> Iterator[Event]:
        yield StepReplaced(Destroying((target,), done=self.done))
        yield TargetsDrawn(self.creature, (target,))


def destroy_by_text(table: Table, what: Iterable[str]) -> Iterator[Event]:
    """Yield the events with which a text destroys cards on the field at the same time.

    `what` names creatures by card and crush cards by place. A crush card that is a back, as at a real table, is turned
    over and named first.
    """
    step = Destroying(tuple(dict.fromkeys(what)))
    if step.unnamed_places(table):
        yield StepPushed(step)
    else:
        yield from destroy_cards(table, step.what)


@named("cc.Destroying")
@dataclass(frozen=True)
class Destroying(ChanceStep):
    """Cards on the field are destroyed at the same time.

    At a real table the players say what the face-down ones were. `done` is the trigger event that follows.

    CC-GLOSS-6: To destroy a card is to put it into the hell of the player who last possessed it.
    CC-AMB-26: A destroyed crush card goes face up to hell, its flip effect does not happen, and it counts neither for
        Trap nor for Hell.
    """

    what: tuple[str, ...]
    done: TriggerEvent | None = None
    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-6", "CC-AMB-26")

    def unnamed_places(self, table: Table) -> tuple[str, ...]:
        """Return the C-places whose card has to be named."""
        places = tuple(place for place in self.what if place in SEAT_BY_PLACE)
        return tuple(place for place in places if is_back(table.card_at(place)) or self._is_misread(table, place))

    def _is_misread(self, table: Table, place: str) -> bool:
        """Return whether a card read for a bot lies open elsewhere.

        If so, something else must lie here.
        """
        return (
            table.rules.cards_at_table
            and count_unseen_copies(find_box_cards(table.rules), table)[table.card_at(place)] <= 0
        )

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        return ONLY_CHANCE if self.unnamed_places(state) else NO_SEATS

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        places = self.unnamed_places(state)
        names = [card for card in +state.free_copies(places[0]) if not face_of(card).is_creature]
        names.sort(key=lambda card: card not in find_crush_cards(state.rules, SEAT_BY_PLACE[places[0]]))
        count = len(places)
        return (PickResult(tuple(names[at : at + count])) for at in range(len(names) - count + 1))

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, PickResult)
        places = self.unnamed_places(state)
        if len(move.cards) != len(places):
            raise IllegalMove("name_what_lies_there", "CC-AMB-26", count=len(places), places=tuple(places))
        check_backs(state, places[0], move.cards)
        for place, card in zip(places, move.cards, strict=True):
            if face_of(card).is_creature:
                raise IllegalMove("no_crush_card", "CC-ZONE-1", card=card)
            if card not in find_crush_cards(state.rules, SEAT_BY_PLACE[place]):
                raise IllegalMove("another_card_lies_there", "CC-AMB-7", place=place, card=card)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickResult)
        yield from self._destroy_all(state, dict(zip(self.unnamed_places(state), move.cards, strict=True)))

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        places = self.unnamed_places(state)
        nowhere = count_unseen_cards(state)
        left = shuffle_cards(
            sorted(card for card in +state.free_copies(places[0]) if not face_of(card).is_creature), below
        )
        names: list[str] = []
        for place in places:
            mine = find_crush_cards(state.rules, SEAT_BY_PLACE[place])
            fitting = [card for card in left if card not in names and card in mine]
            fitting.sort(key=lambda card: (not could_lie_at(state, place, mine[card].cost), not nowhere[card]))
            names.append(fitting[0])
        return PickResult(tuple(names))

    def resolve(self, state: Table) -> Iterator[Event]:
        yield from self._destroy_all(state, {})

    def _destroy_all(self, table: Table, names: dict[str, str]) -> Iterator[Event]:
        yield StepPopped()
        yield from destroy_cards(table, self.what, names=names)
        if self.done is not None:
            yield queue_trigger(self.done)
