"""What in a position cannot be: its cards, and what the rules exclude."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from referee.engine.chance import Shuffle
from referee.engine.positions.contradictions import Contradiction, build_contradiction, find_wrong
from referee.engine.positions.counting import CensusFinding, build_census_result, build_finding, check_total
from referee.engine.zones import is_back
from referee.games.mau_mau.components import (
    BOOK,
    CARD_IDS,
    CARDS_PER_SEVEN,
    DECK,
    DISCARD,
    FIRST_HAND_SIZE,
    HANDS,
    SUITS,
    rank_of,
)
from referee.games.mau_mau.rules.drawing import CardDrawing, FirstCard
from referee.games.mau_mau.rules.turn import SuitWish, TurnQuestion
from referee.games.mau_mau.state import SOME, Table

POINTERS = {DECK: "/draw_pile", DISCARD: "/discard"} | {
    hand: f"/players/{seat}/hand" for seat, hand in enumerate(HANDS)
}


def take_census(table: Table, _wrong: Any) -> dict[str, Any]:
    """Return whether the cards of a table can be, and which places to count again."""
    labels = {pointer: place for place, pointer in POINTERS.items()}
    return build_census_result(find_contradictions(table), labels, BOOK)


def find_contradictions(table: Table) -> Iterator[CensusFinding]:
    """Find cards that are named twice, and too many or too few cards.

    MM-MAT-1: There are 32 cards, one of each.
    """
    lying = [(POINTERS[place], card) for place, cards in table.zones.items() for card in cards]
    for card, count in Counter(card for _, card in lying if not is_back(card)).items():
        if count > 1:
            places = [pointer for pointer, each in lying if each == card]
            yield build_finding(BOOK, "census.named_twice", "MM-MAT-1", count, 1, places, card)
    counted = [pointer for pointer, card in lying if card != SOME]
    yield from check_total(BOOK, counted, len(CARD_IDS), "MM-MAT-1", len(counted) == len(lying))


def find_faults(table: Table) -> Iterator[Contradiction]:
    """Find what contradicts the rules."""
    for found in find_contradictions(table):
        yield build_contradiction(found["places"][0], found["says"], found["clause"])
    top_card = next(iter(table.cards_at(DISCARD)), "")
    rank = None if is_back(top_card) else rank_of(top_card) if top_card else "none"  # None: unknown
    empty = [POINTERS[hand] for hand in HANDS[: table.rules.seats] if not table.cards_at(hand)]
    top = table.agenda[-1] if table.agenda else None
    is_drawn = isinstance(top, CardDrawing) and top.why != "deal"
    is_asked, is_first = isinstance(top, TurnQuestion | SuitWish) or is_drawn, isinstance(top, FirstCard)
    is_unfinished = not table.agenda and not empty and table.turns < table.rules.max_turns
    has_discards = any(card != SOME for card in table.cards_at(DISCARD))
    not_due = table.due and (table.due % 2 or rank not in (None, "7") or table.due > _count_most_due(table))
    many_winners = "" if table.agenda else "".join(empty[1:2])
    drew_for_nothing = isinstance(top, TurnQuestion) and top.drew and table.due
    wishes_for_nothing = isinstance(top, SuitWish) and rank not in (None, "jack")
    not_wished = table.wish and rank not in (None, "jack")
    yield from _find_setup_faults(table)
    yield from _find_drawing_faults(table, rank)
    yield from find_wrong(
        (is_first and has_discards, "/discard", "MM-SETUP-2", "nothing lies here before the first card"),
        (is_first and not table.cards_at(DECK), "/draw_pile", "MM-SETUP-2", "the first card is missing"),
        (not_due, "/due", "MM-SEVEN-1", "only sevens on top ask for cards, two each"),
        (drew_for_nothing, "/question/drew", "MM-AMB-7", "drawing for sevens is the whole turn"),
        (wishes_for_nothing, "/question", "MM-JACK-2", "a suit can be wished only while a jack lies on top"),
        (is_asked and not table.cards_at(DISCARD), "/discard", "MM-SETUP-2", "a card lies here from the start"),
        (table.turns > table.rules.max_turns, "/turns", "MM-AMB-2", "the match ends after as many turns as are set"),
        (many_winners, many_winners, "MM-END-1", "only one player can have got rid of all cards"),
        (not_wished, "/wish", "MM-JACK-2", "a suit can be wished only while a jack lies on top"),
        (is_asked and empty, "".join(empty[:1]), "MM-END-1", "this hand is empty, so the match is over"),
        (is_unfinished, "/question", "MM-END-1", "everybody holds cards, so the match is not over"),
    )


def _find_setup_faults(table: Table) -> Iterator[Contradiction]:
    """Find hands that are not as the setup makes them.

    MM-SETUP-1: The cards are shuffled, and everybody is dealt five.
    """
    if not any(isinstance(step, FirstCard) for step in table.agenda):
        return
    to_come = {step.seat: step.count for step in table.agenda if isinstance(step, CardDrawing)}
    detail = f"everybody is dealt {FIRST_HAND_SIZE} cards before the first one is turned up"
    for seat, hand in enumerate(HANDS[: table.rules.seats]):
        cards = table.cards_at(hand)
        is_wrong = SOME not in cards and len(cards) + to_come.get(seat, 0) != FIRST_HAND_SIZE
        yield from find_wrong((is_wrong, POINTERS[hand], "MM-SETUP-1", detail))


def _find_drawing_faults(table: Table, rank: str | None) -> Iterator[Contradiction]:
    """Find draws of more cards than the rules ask for.

    MM-DRAW-1: A player who cannot or does not want to play a card draws one.
    MM-SEVEN-1: After a seven the next player draws two cards.
    A seat whose cards are named draws them one by one, so there any part of them may be left.
    """
    top = table.agenda[-1] if table.agenda else None
    if not isinstance(top, CardDrawing) or top.seat >= table.rules.seats:
        return
    by_one = table.rules.at_table and top.seat in table.rules.named
    unpaired = top.count % CARDS_PER_SEVEN and not by_one
    not_asked = rank not in (None, "7") or unpaired or top.count > _count_most_due(table)
    yield from find_wrong(
        (top.why == "turn" and top.count != 1, "/question/count", "MM-DRAW-1", "one card is drawn in a turn"),
        (top.why == "sevens" and not_asked, "/question/count", "MM-SEVEN-1",
         "only sevens on top ask for cards, two each"),
    )  # fmt: skip


def _count_most_due(table: Table) -> int:
    """Return how many cards the sevens on top can ask for.

    MM-AMB-8: Two cards are drawn for each seven in a row.
    MM-DRAW-3: In the middle of a draw the sevens under the top one may have been shuffled into a new draw pile.
    """
    is_drawn = isinstance(table.agenda[-1] if table.agenda else None, CardDrawing | Shuffle)
    if is_drawn and len(table.cards_at(DISCARD)) == 1:
        return CARDS_PER_SEVEN * len(SUITS)
    ranks = [None if is_back(card) else rank_of(card) for card in table.cards_at(DISCARD)]
    in_a_row = list(takewhile(lambda rank: rank in (None, "7"), ranks))
    return CARDS_PER_SEVEN * (len(SUITS) if SOME in table.cards_at(DISCARD)[: len(in_a_row)] else len(in_a_row))
