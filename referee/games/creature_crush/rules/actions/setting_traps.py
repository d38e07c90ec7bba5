"""Lay crush cards face down, for as many dice as they cost.

At a real table a person lays a card that nobody else sees. The move names its back, and the dice count as right until
the card is turned up.

Clauses: CC-CRUSH-1, CC-CRUSH-2, CC-AMB-14, CC-AMB-15, CC-AMB-15-R2, CC-WORD-COST-2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.cardscript.hidden_cards import BACK, cards_arriving, check_in_hand, find_nameable_cards
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.steps import StepPushed
from referee.engine.zones import find_cards_leaving, is_back
from referee.games.creature_crush.card_attributes import COST_X
from referee.games.creature_crush.components import BOOK, CRUSH_PLACES, HANDS, face_of
from referee.games.creature_crush.events.cards import CrushLaid
from referee.games.creature_crush.moves import Lay
from referee.games.creature_crush.rules.actions.paying import (
    Pips,
    build_dice_schema,
    burn_dice,
    can_have_cost,
    change_crush_cost,
    check_burned_dice,
    list_burns,
)
from referee.games.creature_crush.rules.combat.flipping import require_crush_place
from referee.games.creature_crush.rules.ending import MatchEndCheck
from referee.games.creature_crush.state import Table


def build_lay_patterns(table: Table, seat: int) -> tuple[dict[str, Any], ...]:
    """Describe every way to lay a crush card of the hand."""
    cards, places = _list_layable_cards(table, seat), _list_free_places(table, seat)
    if not (cards and places):
        return ()
    fields: dict[str, Any] = {
        "card": {"enum": sorted(cards)},
        "place": {"enum": places},
        "dice": build_dice_schema(table),
    }
    return ({"type": Lay.TAG, "fields": fields, "says": BOOK.render_texts("pattern.lay")},)


def list_lays(table: Table, seat: int, near: bool = True) -> Iterator[Move]:
    """Yield the ways to lay each crush card of the hand.

    `near`: for a card that cannot be laid, with too few dice or no free place, yield one way that is refused.
    """
    free = _list_free_places(table, seat)
    for card in _list_layable_cards(table, seat):
        ways = _list_dice_choices(table, seat, card)
        if near and not (free and ways):
            yield Lay(card, free[0] if free else "C1", ways[0] if ways else table.dice)
        for place in free:
            yield from (Lay(card, place, dice) for dice in ways)


def _list_free_places(table: Table, seat: int) -> list[str]:
    return [place[:2] for place in CRUSH_PLACES[seat] if not table.zones.get(place)]


def _list_layable_cards(table: Table, seat: int) -> tuple[str, ...]:
    hand = HANDS[seat]
    if not table.rules.knows_hand_of(seat):
        return (BACK,) if BACK in table.cards_at(hand) else ()
    return tuple(card for card in find_nameable_cards(table, hand) if not face_of(card).is_creature)


def _list_dice_choices(table: Table, seat: int, card: str) -> tuple[Pips, ...]:
    cost = COST_X if is_back(card) else change_crush_cost(face_of(card).cost, table.crush_change_of(seat))
    if cost == COST_X:
        return tuple(dice for count in range(len(table.dice) + 1) for dice in list_burns(table.dice, count))
    return list_burns(table.dice, cost)


def check_lay(table: Table, seat: int, move: Lay) -> None:
    """Check that this crush card of the hand may be laid there for these dice.

    Raises IllegalMove if it may not.

    CC-CRUSH-1: A crush card is laid face down on a free C-place, in the player's own combat phase. Its cost is paid by
        burning that many dice, whatever their pips.
    """
    cost = require_layable_card(table, seat, move.card)
    check_crush_place(table, seat, move.place)
    check_lay_price(table, move, cost)


def require_layable_card(table: Table, seat: int, card: str) -> int:
    """Return what a crush card of the hand costs now, COST_X for a back.

    Raises IllegalMove if it is none.
    """
    if is_back(card):
        if table.rules.knows_hand_of(seat) or card not in table.cards_at(HANDS[seat]):
            raise IllegalMove("name_the_card", "CC-CRUSH-1")
        table.check_crush_count(HANDS[seat])
        return COST_X
    check_in_hand(table, seat, card, "CC-CRUSH-1")
    if face_of(card).is_creature:
        raise IllegalMove("no_crush_card", "CC-CRUSH-1", card=card)
    return change_crush_cost(face_of(card).cost, table.crush_change_of(seat))


def check_crush_place(table: Table, seat: int, short: str) -> None:
    """Check that a C-place is free. Raises IllegalMove if it is not.

    CC-AMB-14: With three C-cards no more can be laid.
    """
    place = require_crush_place(seat, short, "CC-CRUSH-1")
    if table.zones.get(place):
        if all(table.zones.get(other) for other in CRUSH_PLACES[seat]):
            raise IllegalMove("no_free_crush_place", "CC-AMB-14")
        raise IllegalMove("place_is_taken", "CC-CRUSH-1", place=place)


def check_lay_price(table: Table, move: Lay, cost: int) -> None:
    """Check that these dice pay for a crush card of this cost.

    Raises IllegalMove if they do not.
    """
    if not is_back(move.card) and not move.dice and cost == COST_X and not can_have_cost(table, cost, 0):
        raise IllegalMove("x_is_no_zero", "CC-AMB-15", "CC-CRUSH-2", card=move.card)
    changed = not is_back(move.card) and cost != face_of(move.card).cost
    clauses = ("CC-CRUSH-1", "CC-WORD-COST-2") if changed else ("CC-CRUSH-1",)
    check_burned_dice(table, move.dice, len(move.dice) if cost == COST_X else cost, *clauses)


def lay_crush_card(table: Table, seat: int, move: Lay) -> Iterator[Event]:
    """Yield the events of laying a crush card: the dice are burned, it lies face down."""
    yield StepPushed(MatchEndCheck())
    if move.dice:
        yield burn_dice(seat, move.dice)
    took = find_cards_leaving(table, HANDS[seat], (move.card,))
    put = cards_arriving(table, seat, (move.card,))
    yield CrushLaid(HANDS[seat], require_crush_place(seat, move.place), took, put, seat, len(move.dice))
