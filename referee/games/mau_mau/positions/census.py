"""What in a position cannot be: its cards, and what the rules exclude."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from referee.engine.positions.contradictions import Contradiction, find_wrong
from referee.engine.positions.counting import CensusFinding, build_census_result, build_finding, check_total
from referee.engine.zones import is_back
from referee.games.mau_mau.components import BOOK, CARD_IDS, CARDS_PER_SEVEN, DECK, DISCARD, HANDS, SUITS, rank_of
from referee.games.mau_mau.rules.drawing import FirstCard
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
        yield {"pointer": found["places"][0], "detail": found["says"]["en"], "clause": found["clause"]}
    rank = next((rank_of(card) for card in table.cards_at(DISCARD)[:1] if not is_back(card)), None)
    empty = [POINTERS[hand] for hand in HANDS[: table.rules.seats] if not table.cards_at(hand)]
    top = table.agenda[-1] if table.agenda else None
    is_asked, is_first = isinstance(top, TurnQuestion | SuitWish), isinstance(top, FirstCard)
    is_unfinished = not table.agenda and not empty and table.turns < table.rules.max_turns
    has_discards = any(card != SOME for card in table.cards_at(DISCARD))
    not_due = table.due and (table.due % 2 or rank not in (None, "7") or table.due > _count_most_due(table))
    many_winners = "" if table.agenda else "".join(empty[1:2])
    drew_for_nothing = isinstance(top, TurnQuestion) and top.drew and table.due
    wishes_for_nothing = isinstance(top, SuitWish) and rank not in (None, "jack")
    not_wished = table.wish and rank not in (None, "jack")
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


def _count_most_due(table: Table) -> int:
    """Return how many cards the sevens on top can ask for.

    MM-AMB-8: Two cards are drawn for each seven in a row.
    """
    ranks = [None if is_back(card) else rank_of(card) for card in table.cards_at(DISCARD)]
    in_a_row = list(takewhile(lambda rank: rank in (None, "7"), ranks))
    return CARDS_PER_SEVEN * (len(SUITS) if SOME in table.cards_at(DISCARD)[: len(in_a_row)] else len(in_a_row))
