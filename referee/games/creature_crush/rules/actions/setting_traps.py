"""Laying crush cards face down, for as many dice as they cost.

Clauses: CC-CRUSH-1, CC-CRUSH-2, CC-AMB-14, CC-AMB-15, CC-AMB-15-R2.

At a real table a person lays a card that nobody else sees: the move names its back, and the dice are believed until it
is turned up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.cardscript.hidden_cards import BACK, check_in_hand, coming_to, gone_from, namable
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.steps import Opened
from referee.engine.zones import is_back
from referee.games.creature_crush.card_attributes import X
from referee.games.creature_crush.components import BOOK, CRUSHES, HANDS, face
from referee.games.creature_crush.events.cards import CrushLaid
from referee.games.creature_crush.moves import Lay
from referee.games.creature_crush.rules.actions.paying import Pips, any_dice, burned_for, burns, check_burn, may_cost
from referee.games.creature_crush.rules.combat.flipping import place_of
from referee.games.creature_crush.rules.ending import Judging
from referee.games.creature_crush.state import Table


def patterns(table: Table, seat: int) -> tuple[dict[str, Any], ...]:
    """Describes every way to lay a crush card of the hand."""
    cards, places = _layable(table, seat), _free(table, seat)
    if not (cards and places):
        return ()
    fields: dict[str, Any] = {"card": {"enum": sorted(cards)}, "place": {"enum": places}, "dice": any_dice(table)}
    return ({"type": Lay.TAG, "fields": fields, "says": BOOK.texts("pattern.lay")},)


def unread(table: Table, seat: int) -> bool:
    """Whether a player holds real cards that nobody reads to the referee."""
    return table.rules.cards_at_table and seat not in table.rules.named


def lays(table: Table, seat: int) -> Iterator[Move]:
    """The ways to lay a crush card of the hand; with too few dice, or no free place, one that fails for each."""
    free = _free(table, seat)
    for card in _layable(table, seat):
        ways = _ways(table, card)
        if not (free and ways):
            yield Lay(card, free[0] if free else "C1", ways[0] if ways else table.dice)
        for place in free:
            yield from (Lay(card, place, dice) for dice in ways)


def _free(table: Table, seat: int) -> list[str]:
    return [place[:2] for place in CRUSHES[seat] if not table.zones.get(place)]


def _layable(table: Table, seat: int) -> tuple[str, ...]:
    hand = HANDS[seat]
    if unread(table, seat):
        return (BACK,) if BACK in table.place(hand) else ()
    return tuple(card for card in namable(table, hand) if not face(card).is_creature)


def _ways(table: Table, card: str) -> tuple[Pips, ...]:
    cost = X if is_back(card) else face(card).cost
    if cost == X:
        return tuple(dice for count in range(len(table.dice) + 1) for dice in burns(table.dice, count))
    return burns(table.dice, cost)


def check_lay(table: Table, seat: int, move: Lay) -> None:
    """Raises Refused unless this crush card of the hand may be laid there for these dice."""
    if is_back(move.card):
        if not unread(table, seat) or move.card not in table.place(HANDS[seat]):
            raise Refused("name_the_card", "CC-CRUSH-1")
        table.check_crush(HANDS[seat])
        cost = X
    else:
        check_in_hand(table, seat, move.card, "CC-CRUSH-1")
        if face(move.card).is_creature:
            raise Refused("no_crush_card", "CC-CRUSH-1", card=move.card)
        cost = face(move.card).cost
    place = place_of(seat, move.place)
    if table.zones.get(place):
        if all(table.zones.get(other) for other in CRUSHES[seat]):
            raise Refused("no_free_crush_place", "CC-AMB-14")
        raise Refused("place_is_taken", "CC-CRUSH-1", place=place)
    if not is_back(move.card) and not move.dice and cost == X and not may_cost(table, cost, 0):
        raise Refused("x_is_no_zero", "CC-AMB-15", "CC-CRUSH-2", card=move.card)
    check_burn(table, move.dice, len(move.dice) if cost == X else cost, "CC-CRUSH-1")


def laid(table: Table, seat: int, move: Lay) -> Iterator[Event]:
    """The facts of laying a crush card: that many dice are burned, and it lies face down."""
    yield Opened(Judging())
    if move.dice:
        yield burned_for(seat, move.dice)
    took = gone_from(table, HANDS[seat], (move.card,))
    put = coming_to(table, seat, (move.card,))
    yield CrushLaid(HANDS[seat], place_of(seat, move.place), took, put, seat, len(move.dice))
