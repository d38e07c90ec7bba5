"""The decks that players bring to the League, and decks of real cards.

Both players bring theirs at once, and nobody sees what the other brings. At a real table the decks lie ready. Clauses:
CC-FORMAT-LEAGUE-1, CC-PREP-1, CC-AMB-7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, ClassVar

from referee.cardscript.questions import AnswerGiven, SimultaneousPrompt
from referee.engine.chance import RandomBelow, Shuffle, shuffle_cards
from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION
from referee.engine.rulings import IllegalMove, NotAsked, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import StepPushed, StepReplaced
from referee.engine.zones import Cards, find_cards_leaving
from referee.games.creature_crush.components import (
    BOOK,
    DECK_SIZE,
    DECKS,
    POOL,
    SEATS,
    Rules,
    find_box_cards,
    strip_copy_number,
)
from referee.games.creature_crush.events.decks import CardsContested, DeckBrought, DeckDealt
from referee.games.creature_crush.moves import BringDeck, DeckReady
from referee.games.creature_crush.state import Table

READY_ANSWER: Cards = ("ready",)  # the answer for a deck whose cards the referee does not learn


def list_deck_cards(table: Table) -> tuple[str, ...]:
    """List every card that a deck may hold at this table, as a deck list writes it."""
    return list_deck_cards_for_rules(table.rules)


def list_deck_cards_for_rules(rules: Rules) -> tuple[str, ...]:
    """List every card that a deck may hold by these rules, as a deck list writes it."""
    return tuple(dict.fromkeys(map(strip_copy_number, find_box_cards(rules))))


def find_deck_refusals(known: Iterable[str] | None, cards: Cards) -> Iterator[tuple[int | None, IllegalMove]]:
    """Find all that is wrong with a deck, each with its position in the list.

    `known` are the cards that there are, or None if nobody knows.

    CC-FORMAT-LEAGUE-1: In League each player builds the deck freely from all available cards, each card at most once in
        it.
    """
    there = None if known is None else frozenset(known)
    for at, card in enumerate(cards):
        if there is not None and card not in there:
            yield at, _refuse_unknown_card(there, card)
    counts, seen = Counter(cards), set[str]()
    for at, card in enumerate(cards):
        if card in seen:
            yield at, IllegalMove("twice_in_the_deck", "CC-FORMAT-LEAGUE-1", "CC-AMB-7", card=card, count=counts[card])
        seen.add(card)
    if len(cards) != DECK_SIZE:
        yield None, IllegalMove("deck_of_so_many", "CC-PREP-1", "CC-FORMAT-LEAGUE-1", count=len(cards), size=DECK_SIZE)


def _refuse_unknown_card(there: frozenset[str], card: str) -> IllegalMove:
    """Build the refusal of a card that does not exist, with a similar one if any.

    A card of a book may have been written without the digits of its edition.
    """
    designs = {each.partition("@")[0]: each for each in sorted(there)}
    name, _, edition = card.partition("@")
    near = get_close_matches(name, designs, 1) if "#" not in card and "!" not in card else []
    if near:  # in quotes, so that the text shows how the list writes the card, not its name for players
        return IllegalMove("card_was_meant", "CC-FORMAT-LEAGUE-1", card=card, meant=f"'{designs[near[0]]}'")
    if edition:
        return IllegalMove("card_of_no_such_edition", "CC-FORMAT-LEAGUE-1", card=f"'{card}'")
    return IllegalMove("no_such_card", "CC-FORMAT-LEAGUE-1", card=card)


def check_deck(known: Iterable[str], cards: Cards) -> None:
    """Check that these cards make a deck. Raises IllegalMove if they do not.

    CC-FORMAT-LEAGUE-1: A League deck has 20 available cards, each card at most once.
    """
    for _, refusal in find_deck_refusals(known, cards):
        raise refusal


def deal_decks(table: Table) -> Iterator[Event]:
    """Yield the events with which the top cards of the pile become the decks.

    CC-FORMAT-SKIRMISH-1: In Skirmish all cards, each present once, are shuffled, and each player gets 20 at random,
        face down, as the deck.
    """
    for seat in SEATS:
        cards = table.cards_at(POOL)[seat * DECK_SIZE : (seat + 1) * DECK_SIZE]
        yield DeckDealt(POOL, DECKS[seat], cards, cards, seat)


def sample_decks(every: Cards) -> Iterator[Cards]:
    """Yield some possible decks, with cards from all over the list."""
    step = max(1, len(every) // DECK_SIZE)
    for first in range(step):
        yield tuple(every[first + step * at] for at in range(DECK_SIZE))


@named("cc.BringingDecks")
@dataclass(frozen=True)
class BringingDecks(SimultaneousPrompt):
    """Both players bring their decks, each unseen by the other.

    CC-FORMAT-LEAGUE-1: In League each player builds the deck freely from all available cards, each card at most once in
        it.
    CC-AMB-7-R2: Both players build from the same set of all cards. A card that both have chosen stays in the deck of
        the player who sits first. The other one builds again without it.
    """

    taken: Cards = field(default=(), metadata=OMIT_IF_EMPTY)  # what the second player cannot have any more
    clauses: ClassVar[tuple[str, ...]] = ("CC-PREP-1", "CC-FORMAT-LEAGUE-1")
    lists_examples_only: ClassVar[bool] = True

    def list_free_cards(self, state: Table, seat: int) -> tuple[str, ...]:
        """List every card that this player may still bring."""
        taken = self.taken if seat == self.waiting[-1] else ()
        return tuple(card for card in list_deck_cards(state) if card not in taken)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        if state.rules.cards_at_table:
            yield DeckReady()
        every = self.list_free_cards(state, seat)
        yield from map(BringDeck, sample_decks(every))
        yield BringDeck(every[: DECK_SIZE - 1])
        yield BringDeck((every[0], *every[: DECK_SIZE - 1]))

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, BringDeck):
            check_deck(list_deck_cards(state), move.cards)
            if seat == self.waiting[-1] and (gone := [card for card in move.cards if card in self.taken]):
                raise IllegalMove("taken_by_the_other", "CC-AMB-7", card=gone[0])
        elif not isinstance(move, DeckReady):
            raise NotAsked("bring_a_deck", "CC-FORMAT-LEAGUE-1", move=move.TAG)
        elif not state.rules.cards_at_table:
            raise IllegalMove("no_real_cards", "CC-FORMAT-LEAGUE-1", move=move.TAG)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield AnswerGiven(int(seat), move.cards if isinstance(move, BringDeck) else READY_ANSWER)

    def resolve(self, state: Table) -> Iterator[Event]:
        first, second = (self.given[str(seat)] for seat in self.waiting)
        both = tuple(card for card in first if card in second and card != READY_ANSWER[0])
        if not both or state.interpretation_number("CC-AMB-7") == FIRST_INTERPRETATION:
            yield from super().resolve(state)
            return
        again = self.waiting[-1]
        given = {who: cards for who, cards in self.given.items() if who != str(again)}
        yield StepReplaced(replace_fields(self, given=given, taken=(*self.taken, *both)))
        yield CardsContested(again, both)

    def carry_out_choices(self, state: Table) -> Iterator[Event]:
        for seat in reversed(SEATS):
            yield StepPushed(Shuffle(DECKS[seat]))
        for seat in SEATS:
            listed = self.given[str(seat)]
            if state.rules.cards_at_table:
                cards = state.cards_at(POOL)[:DECK_SIZE]
                yield DeckBrought(POOL, DECKS[seat], cards, cards, seat, () if listed == READY_ANSWER else listed)
            else:
                if not listed:
                    raise Undetermined("which_cards", place=DECKS[seat])  # in the view of the other player
                cards = tuple(f"{card}#{seat + 1}" for card in listed)
                yield DeckBrought(POOL, DECKS[seat], find_cards_leaving(state, POOL, cards), cards, seat, listed)

    def is_not_nameable(self, state: Table) -> bool:
        return state.rules.cards_at_table

    def sample_move(self, state: Table, seat: Seat, below: RandomBelow) -> Move | None:
        if seat not in self.prompted_seats(state):
            return None
        if state.rules.cards_at_table:
            return DeckReady()
        return BringDeck(tuple(shuffle_cards(self.list_free_cards(state, seat), below)[:DECK_SIZE]))

    def move_patterns(self, state: Any, seat: Seat) -> tuple[dict[str, Any], ...]:
        if seat not in self.prompted_seats(state):
            return ()
        cards = {"type": "array", "items": {"enum": sorted(self.list_free_cards(state, seat))}, "minItems": DECK_SIZE,
                 "maxItems": DECK_SIZE, "uniqueItems": True}  # fmt: skip
        says = BOOK.render_texts("pattern.bring_deck", size=DECK_SIZE)
        return ({"type": BringDeck.TAG, "fields": {"cards": cards}, "says": says},)


@named("cc.DecksLieReady")
@dataclass(frozen=True)
class ConfirmingDecks(SimultaneousPrompt):
    """At a real table both players say that their decks lie ready.

    CC-PREP-1: The players agree on one format, and each builds a deck of 20 cards by it.
    """

    clauses: ClassVar[tuple[str, ...]] = ("CC-PREP-1",)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield DeckReady()

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, DeckReady):
            raise NotAsked("say_deck_ready", "CC-PREP-1", move=move.TAG)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield AnswerGiven(int(seat), READY_ANSWER)

    def carry_out_choices(self, state: Table) -> Iterator[Event]:
        yield from deal_decks(state)

    def is_not_nameable(self, state: Table) -> bool:
        return True
