"""Drawing from the draw pile, and making a new pile of used cards.

If the pile is known the step resolves by itself. If it holds backs, as at a table of real cards or in a view, chance is
awaited. It reports the backs drawn, or the names if the hand is read to the referee.

Clauses: MC-TURN-DRAW-1, MC-AMB-6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from referee.engine.chance import ONLY_CHANCE, ChanceStep, RandomBelow, Shuffle, shuffle_cards
from referee.engine.codec import REGISTRY, named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced, require_move
from referee.engine.zones import Cards, back_of, backs_of, is_back
from referee.games.monster_combat.components import (
    MAGNETS_BY_CARD,
    PLAIN_BACK,
    TRIGGER_BACK,
    design_name,
    find_back_kind,
    list_playing_cards,
)
from referee.games.monster_combat.events import DeckTopShown, NothingToDraw, PileRenewed, PlayerDrewCards
from referee.games.monster_combat.moves import DrawResult
from referee.games.monster_combat.rules.naming import (
    build_cards_pattern,
    build_census_refusal,
    count_free_copies,
    guess_cards,
)
from referee.games.monster_combat.state import ANY, DECK, DISCARD, HANDS, SOME, Table


@named("mc.LookAtTop")
@dataclass(frozen=True)
class DeckTopReveal(Step):
    """The back on top of the shuffled draw pile is shown to all.

    MC-MAT-4: The backs tell apart what a card is: a playing card, a trigger card, an event, a monster or a life.
    MC-AMB-1: Trigger cards are playing cards with a back of their own.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-MAT-4", "MC-AMB-1")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield DeckTopShown(find_top_back(state.cards_at(DECK)))
        yield StepPopped()


def find_top_back(deck: Cards) -> str | None:
    """Return the back on top of these cards.

    It is empty if there is no card, and None if the order of the cards is not known.
    """
    if not deck:
        return ""
    return None if is_back(deck[0]) else back_of(deck[0])


def has_trigger(cards: Cards) -> bool:
    """Return whether a card with the trigger back is among these."""
    return any(back_of(card) == TRIGGER_BACK for card in cards)


def renew_pile(table: Table, used: str, pile: str, cards: Cards) -> Event:
    """Build the event that used cards become a pile.

    At a table of real cards nobody knows what lies where in a shuffled pile.
    """
    return PileRenewed(used, pile, cards, backs_of(cards) if table.rules.at_table else cards)


def find_reusable_cards(table: Table, spare: int) -> Cards:
    """Return the discard without its last `spare` cards. Raises Undetermined.

    MC-AMB-6: The discard, less a card that is being played just now, is shuffled and becomes the draw pile.
    """
    discard = table.cards_at(DISCARD)
    if SOME in discard:
        raise Undetermined("what_lies_there", place=DISCARD)
    return discard[: len(discard) - spare]


@named("mc.Draw")
@dataclass(frozen=True)
class CardDrawing(ChanceStep):
    """A player draws `count` cards.

    MC-AMB-6: The discard, less a card that is being played just now, becomes the draw pile when that is empty. `spare`
        is the number of cards being played.
    """

    seat: int
    count: int = 1
    spare: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("MC-TERM-1",)
    device: ClassVar[str] = "deck"

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        deck = state.cards_at(DECK)
        return ONLY_CHANCE if deck and is_back(deck[0]) else frozenset()

    def count_due_cards(self, table: Table) -> int:
        """Count the cards in the next report.

        Names are reported one by one, backs until the pile is empty or all are drawn.
        """
        if self.needs_names(table):
            return 1
        deck = table.cards_at(DECK)
        return self.count if SOME in deck else min(self.count, len(deck))

    def needs_names(self, table: Table) -> bool:
        """Return whether names are reported, because the hand is read to the referee."""
        return table.rules.at_table and self.seat in table.rules.named

    def possible_faces(self, table: Table) -> Cards:
        """Return what one card of the report may be."""
        return tuple(list_playing_cards(table.rules)) if self.needs_names(table) else (PLAIN_BACK, TRIGGER_BACK)

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(DrawResult, combinations_with_replacement(self.possible_faces(state), self.count_due_cards(state)))

    def move_patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        return build_cards_pattern(
            DrawResult.TAG, "pattern.drawn", self.possible_faces(state), self.count_due_cards(state)
        )

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, DrawResult)
        if len(move.cards) != self.count_due_cards(state):
            raise IllegalMove(
                "so_many_are_drawn", self.clauses[0], "KERNEL-CHANCE-1", count=self.count_due_cards(state)
            )
        if state.rules.at_table:
            names_wanted = self.needs_names(state)
            if any(is_back(card) is names_wanted for card in move.cards):
                raise IllegalMove(
                    "name_the_cards" if names_wanted else "only_backs_are_seen", "KERNEL-CHANCE-1", seat=self.seat
                )
        self._check_backs(state, move.cards)
        self._check_census(state, move.cards)

    def _check_backs(self, table: Table, cards: Cards) -> None:
        left = Counter(table.cards_at(DECK))
        for card in cards:
            shape = next((lying for lying in (back_of(card), ANY, SOME) if left[lying] > 0), None)
            if shape is None or back_of(card) not in (PLAIN_BACK, TRIGGER_BACK):
                raise IllegalMove(
                    "no_such_back_in_pile", "MC-MAT-4", "KERNEL-CHANCE-1", card=card, back=find_back_kind(card)
                )
            if shape != SOME:
                left[shape] -= 1
        if cards and table.top and back_of(cards[0]) != table.top:
            raise IllegalMove(
                "another_back_is_on_top", "MC-MAT-4", "MC-AMB-1", card=cards[0], back=find_back_kind(table.top)
            )

    def _check_census(self, table: Table, cards: Cards) -> None:
        if all(map(is_back, cards)):
            return
        free = count_free_copies(table, CHANCE)
        for card, copies in Counter(card for card in cards if not is_back(card)).items():
            if free[card] < copies:
                raise build_census_refusal(table, card, free)

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        """Draw at random what may come off the pile, from what this table knows.

        Bots that think ahead and simulated matches use it.
        """
        deck = [card for card in state.cards_at(DECK) if card != SOME]
        if ANY in deck:  # whose back nobody knows
            unknown = guess_cards(state, (card for card in deck if card == ANY), below)
            deck = [*(card for card in deck if card != ANY), *backs_of(unknown)]
        come = shuffle_cards(deck or [PLAIN_BACK] * self.count, below)
        if state.top in come:
            come.remove(state.top)
            come.insert(0, state.top)
        come = come[: self.count_due_cards(state)]
        if state.rules.at_table and not self.needs_names(state):
            return DrawResult(tuple(come))
        return DrawResult(guess_cards(state, come, below))

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, DrawResult)
        yield from self.take_cards(state, tuple(map(back_of, move.cards)), move.cards)

    def resolve(self, state: Table) -> Iterator[Event]:
        deck = state.cards_at(DECK)
        if deck:
            cards = deck[: self.count]
            yield from self.take_cards(state, cards, cards)
        elif used := find_reusable_cards(state, self.spare):
            yield renew_pile(state, DISCARD, DECK, used)
            yield StepPushed(DeckTopReveal())
            yield StepPushed(Shuffle(DECK))
        else:
            yield NothingToDraw(self.seat)
            yield from self.finish_draw(state, ())

    def take_cards(self, table: Table, took: Cards, put: Cards) -> Iterator[Event]:
        """Yield the events of these cards coming off the pile. The rest is drawn next."""
        deck = table.cards_at(DECK)
        yield self.build_drawn_event(table, took, put)
        yield DeckTopShown(find_top_back(deck[len(took) :]))
        if len(took) < self.count:
            yield StepReplaced(replace_fields(self, count=self.count - len(took)))
        else:
            yield from self.finish_draw(table, put)
        late_event: Any = REGISTRY["mc.EventPhase"]
        for _ in range(self.count_late_events(table, put)):
            yield StepPushed(late_event(self.seat, is_late=True))

    def count_late_events(self, table: Table, cards: Cards) -> int:
        """Return how many events these cards bring about at once.

        MC-AMB-4: Only the card drawn at the start of the player's own turn can bring an event about.
        MC-AMB-4-R2: Every trigger that the active player draws from the draw pile brings one about, a thief's too.
        """
        if table.interpretation_number("MC-AMB-4") != 2 or table.rules.is_against_monsters:
            return 0
        return sum(back_of(card) == TRIGGER_BACK for card in cards)

    def build_drawn_event(self, table: Table, took: Cards, put: Cards) -> Event:
        """Build the event that moves the cards."""
        return PlayerDrewCards(DECK, HANDS[self.seat], took, put, self.seat, self.find_reasons(table, put))

    def find_reasons(self, table: Table, cards: Cards) -> tuple[str, ...]:
        """Return the clauses that say why these cards are drawn.

        With them comes what a trigger among the cards does.

        MC-V1-THIEF-2: What that hand cannot give, the active player draws from the draw pile.
        MC-V2-THIEF-1: A thief draws one card from the draw pile for each magnet.
        MC-V2-LIFE-2: A player who comes back into play may draw five cards.
        MC-AMB-4: Only the card drawn at the start of the player's own turn can bring an event about.
        """
        if not table.rules.is_against_monsters:
            more = ("MC-V1-TRIGGER-1",) if self.count_late_events(table, cards) else ()
            return ("MC-V1-THIEF-2", "MC-AMB-4", *more) if has_trigger(cards) else ("MC-V1-THIEF-2",)
        played = design_name(table.cards_at(DISCARD)[-1]) if table.cards_at(DISCARD) else ""
        if played in MAGNETS_BY_CARD:
            return ("MC-V2-THIEF-1",)
        return ("MC-V2-LIFE-2", "MC-AMB-18") if played == "life_back" else ()

    def finish_draw(self, table: Table, cards: Cards) -> Iterator[Event]:
        """Yield what follows once the last card is drawn. Must pop or replace the step."""
        yield StepPopped()
