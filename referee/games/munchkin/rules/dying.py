"""Death: who dies, which cards are laid open, and who takes them.

Clauses: MK-18.3, MK-19.1 to MK-19.7, MK-26.4, MK-26.11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from referee.cardscript.hidden_cards import cards_arriving, check_backs
from referee.cardscript.moves import describe_card_lists
from referee.cardscript.questions import CardPrompt
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.chance import ChanceStep, PickResult, RandomBelow, Roll
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove, NotAsked, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepPushed, StepReplaced, require_move
from referee.engine.zones import is_back
from referee.games.munchkin.components import BOOK, CORPSES, HANDS, PLAYS, RIDES
from referee.games.munchkin.events.cards import BelongingsLaidOpen, CardLooted
from referee.games.munchkin.events.course import DieCast, PlayerDied
from referee.games.munchkin.moves import TakeCard
from referee.games.munchkin.rules.cards.naming import draw_hidden_cards, suggest_hidden_cards
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.state import Table

LISTED_UP_TO = 3  # every report of fewer cards than this is listed


def kill_player(table: Table, seat: int, card: str = "") -> Iterator[Event]:
    """Yield the events of a player's death by this card.

    Nothing happens to a player who is dead already. `start_looting` later opens the looting of a fighter.
    MK-19.6: Looting waits until all rolls to run away of that combat are settled.
    """
    if seat in table.dead:
        return
    yield PlayerDied(seat, card)
    if not table.is_in_combat(seat):
        yield StepPushed(Looting(seat))


def start_looting(seats: Iterable[int]) -> Iterator[Event]:
    """Yield the events with which these dead players are looted, in this order.

    MK-19.6: If both fighters died, the main player's cards come first.
    """
    for seat in reversed(tuple(seats)):
        yield StepPushed(Looting(seat))


def rank_looters(table: Table, casts: dict[str, tuple[int, ...]]) -> list[list[int]]:
    """Return the living players in groups, in the order in which they loot.

    `casts` are the dice so far, by seat. Players who are still equal are in one group.
    MK-19.4: Those of higher level take first. Equal levels roll a die for it.
    """

    def key(seat: int) -> tuple[int, ...]:
        return (table.levels[seat], *casts.get(str(seat), ()))

    ranks: dict[tuple[int, ...], list[int]] = {}
    for seat in table.living_seats:
        ranks.setdefault(key(seat), []).append(seat)
    return [ranks[each] for each in sorted(ranks, reverse=True)]


@named("mk.Looting")
@dataclass(frozen=True)
class Looting(CardPrompt):
    """The looting of a dead player's belongings, the state of MK-24.8.

    `casts` are the dice of those of equal level. The seats of `casting` still have to roll. The seats of `order` still
    have to take a card, once the order is settled.
    MK-19.3: The hand and the cards in play of the dead character are laid open.
    MK-19.4: Each other living player takes one of the cards, those of higher level first.
    MK-19.5: What is left is discarded.
    """

    seat: int
    opened: bool = False
    casts: dict[str, tuple[int, ...]] = field(default_factory=dict)
    casting: tuple[int, ...] = ()
    order: tuple[int, ...] | None = None
    clauses: ClassVar[tuple[str, ...]] = ("MK-19.3", "MK-19.4", "MK-19.5", "MK-19.6")
    moment: ClassVar[str] = "loot"

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        left = set(state.cards_at(CORPSES[self.seat]))
        if not self.opened or not self.order or len(left) < 2:
            return ()  # nothing to choose, and everybody sees it (MK-26.4)
        return self.order[:1]

    def resolve(self, state: Table) -> Iterator[Event]:
        left = state.cards_at(CORPSES[self.seat])
        if not self.opened:
            yield from self._lay_open_belongings(state)
        elif self.casting:
            yield StepPushed(CastForLoot(seat=self.casting[0]))
        elif self.order is None:
            yield from self._settle_order(state)
        elif self.order and left:
            yield from self._take_card(state, self.order[0], left[0])
        else:
            yield StepPopped()
            if left:
                yield from discard_cards(state, CORPSES[self.seat], left)

    def _lay_open_belongings(self, state: Table) -> Iterator[Event]:
        hand = state.cards_in_hand(self.seat)
        if UNCOUNTED_CARDS in hand:
            raise Undetermined("which_cards", place=HANDS[self.seat])
        if hidden := sum(map(is_back, hand)):
            yield StepPushed(NamingDead(self.seat, hidden))
            return
        yield StepReplaced(replace_fields(self, opened=True))
        for place in (HANDS[self.seat], PLAYS[self.seat], RIDES[self.seat]):
            if cards := state.open_cards_at(place):
                yield BelongingsLaidOpen(place, CORPSES[self.seat], cards, cards, self.seat)

    def _settle_order(self, state: Table) -> Iterator[Event]:
        cards, before = state.count_cards_at(CORPSES[self.seat]), 0
        groups = rank_looters(state, self.casts)
        for group in groups:
            if len(group) > 1 and before < cards:
                yield StepReplaced(replace_fields(self, casting=tuple(group)))
                return
            before += len(group)
        yield StepReplaced(replace_fields(self, order=tuple(seat for group in groups for seat in group)))

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(TakeCard, dict.fromkeys(state.cards_at(CORPSES[self.seat])))

    def default_answer(self, state: Table, seat: Seat) -> Move:
        return TakeCard(state.cards_at(CORPSES[self.seat])[0])

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, TakeCard):
            raise NotAsked("take_a_card", "MK-19.4", move=move.TAG)
        self.check_card(state, move.card)

    def check_card(self, state: Table, card: str) -> None:
        """Raise IllegalMove unless this card is among those left behind (MK-19.4)."""
        if card not in state.cards_at(CORPSES[self.seat]):
            raise IllegalMove("not_left_behind", "MK-19.4", card=card, seat=self.seat)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, TakeCard)
        yield from self._take_card(state, int(seat), move.card)

    def _take_card(self, state: Table, seat: int, card: str) -> Iterator[Event]:
        assert self.order is not None
        yield StepReplaced(replace_fields(self, order=self.order[1:]))
        put = cards_arriving(state, seat, (card,))
        yield CardLooted(CORPSES[self.seat], HANDS[seat], (card,), put, seat, self.seat)


@named("mk.CastForLoot")
@dataclass(frozen=True)
class CastForLoot(Roll):
    """A die rolled for the order of looting.

    MK-19.4: Equal levels roll a die for it.
    """

    seat: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("MK-19.4",)

    def resolve_roll(self, state: Table, values: tuple[int, ...]) -> Iterator[Event]:
        looted = state.agenda[-2]
        assert isinstance(looted, Looting)
        cast = (*looted.casts.get(str(self.seat), ()), values[0])
        yield DieCast(self.seat, values[0])
        yield StepReplaced(
            replace_fields(looted, casts={**looted.casts, str(self.seat): cast}, casting=looted.casting[1:])
        )


@named("mk.NamingDead")
@dataclass(frozen=True)
class NamingDead(ChanceStep):
    """The reading of a dead player's hand to the referee, at a real table.

    MK-19.3: To be looted, the hand of the dead character is laid open.
    MK-26.11: At a real table cards drawn face down stay unknown to the referee until they are named.
    """

    seat: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-19.3", "MK-26.11", "KERNEL-CENSUS-1")

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        """Return every report of one or two cards, or some reports of more.

        `move_patterns` describes the others.
        """
        names = [name for name, left in state.free_copies(HANDS[self.seat]).items() if left > 0]
        if self.count < LISTED_UP_TO:
            return map(PickResult, combinations_with_replacement(names, self.count))
        return map(PickResult, suggest_hidden_cards(state, HANDS[self.seat], self.count))

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, PickResult)
        if len(move.cards) != self.count:
            raise IllegalMove("name_so_many", "KERNEL-CENSUS-1", count=self.count, seat=self.seat)
        check_backs(state, HANDS[self.seat], move.cards)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickResult)
        hidden = tuple(card for card in state.cards_in_hand(self.seat) if is_back(card))
        yield BelongingsLaidOpen(HANDS[self.seat], CORPSES[self.seat], hidden, move.cards, self.seat)
        yield StepPopped()

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        return PickResult(draw_hidden_cards(state, self.count, below))

    def move_patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        names, says = +state.free_copies(HANDS[self.seat]), BOOK.render_texts("pattern.dead", most=self.count)
        return describe_card_lists(PickResult, names, self.count, self.count, says)
