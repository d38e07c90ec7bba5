"""Cards that players put into play, discard from play, use or only carry.

Clauses: MK-1.6, MK-4.4 to MK-4.6, MK-6.1 to MK-6.3, MK-6.6, MK-7.2 to MK-7.8, MK-8.2, MK-8.6, MK-8.8, MK-15.2, MK-19.7,
MK-20.6, MK-26.5.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.cardscript.hidden_cards import BACK, check_in_hand, find_nameable_cards
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove
from referee.engine.zones import Cards, find_cards_leaving
from referee.games.munchkin.components import CURSES, FACES, HANDS, PLAYS, RIDES, TOWNSHIP
from referee.games.munchkin.events.cards import CardPut, ItemsUsed
from referee.games.munchkin.moves import DiscardFromPlay, Equip, PutIntoPlay, Unequip
from referee.games.munchkin.player_leaves import check_presence
from referee.games.munchkin.rules.combat.claim_breaking import break_claim
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.rules.items.slots import (
    can_use,
    check_room_for_big_item,
    check_use,
    find_conflicting_items,
)
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY

ITEM_KINDS = ("item", "one_shot")
TOWN_KINDS = ("citizenship", "dual_citizenship")
PLACES_BY_KIND = {
    "item": PLAYS, "one_shot": PLAYS, "citizenship": TOWNSHIP, "dual_citizenship": TOWNSHIP, "ride": RIDES,
    "ride_enhancer": RIDES,
}  # fmt: skip
ROOM_CLAUSES = {
    "item": "MK-7.8", "one_shot": "MK-7.8", "dual_citizenship": "MK-4.6", "ride": "MK-8.6", "ride_enhancer": "MK-8.8",
}  # fmt: skip


def check_alive(table: Table, seat: int) -> None:
    """Raise IllegalMove if a player is dead.

    MK-19.7: A dead character cannot act.
    """
    check_presence(table, seat)
    if seat in table.dead:
        raise IllegalMove("is_dead", "MK-19.7", seat=seat)


def check_out_of_combat(table: Table, seat: int, *clauses: str) -> None:
    """Raise IllegalMove while a player fights or runs away (MK-6.5).

    MK-9.7: In combat a fighter cannot sell, trade, change what is equipped or put items into play.
    """
    if table.is_in_combat(seat):
        raise IllegalMove("not_in_combat", *(clauses or ("MK-9.7",)), seat=seat)


def reopen_combat(table: Table, seat: int) -> Iterator[Event]:
    """Yield the events with which a fighter's act in the claim window reopens combat.

    MK-15.2: Any accepted play in the window closes it without a kill. The combat is open again.
    """
    if table.moment == "window" and table.is_in_combat(seat):
        yield from break_claim(table, seat)


# ---- putting down ----------------------------------------------------------------------------------------------------


def check_put(table: Table, seat: int, move: PutIntoPlay) -> None:
    """Raise IllegalMove unless a player may put this card into play now.

    Raises Undetermined if a position leaves the hand out.
    """
    check_alive(table, seat)
    check_card_to_put(table, seat, move.card)
    check_setup_puts(table, seat, move.card)
    check_combat_bars_no_put(table, seat, move.card)
    check_turn_to_put(table, seat, move.card)
    check_calm_to_put(table, seat, move.card)
    check_room_to_put(table, seat, move)


def check_card_to_put(table: Table, seat: int, card: str) -> None:
    """Raise IllegalMove unless a player holds this card to put down."""
    if card not in table.boxes.whole:
        raise IllegalMove("no_such_card", "MK-2.1", card=card)
    if FACES[card].kind not in PLACES_BY_KIND:
        raise IllegalMove("does_not_stay_in_play", "MK-6.6", card=card)
    check_in_hand(table, seat, card, "MK-2.3")


def check_room_to_put(table: Table, seat: int, move: PutIntoPlay) -> None:
    """Raise IllegalMove unless there is room, or the move makes it."""
    card, kind = move.card, FACES[move.card].kind
    if kind in ITEM_KINDS:
        check_room_for_big_item(table, seat, card)
    elif kind == "citizenship":
        _check_town(table, seat, move)
        return
    elif kind == "ride":
        ride = table.ride_of(seat)
        if ride is not None and move.instead != ride:
            raise IllegalMove("one_ride", "MK-8.6", card=ride)
        if ride is not None:
            return
    elif kind == "ride_enhancer":
        if table.ride_of(seat) is None:
            raise IllegalMove("no_ride_of_ones_own", "MK-8.8", card=card)
    elif not table.towns_of(seat):
        raise IllegalMove("needs_a_town", "MK-4.6", card=card)
    elif table.has_dual_citizenship(seat):
        raise IllegalMove("dual_already", "MK-4.6", card=card)
    if move.instead:
        raise IllegalMove("nothing_makes_room", ROOM_CLAUSES[kind], card=move.instead)


def check_setup_puts(table: Table, seat: int, card: str) -> None:
    """Raise IllegalMove if a card does not come into play before the first turn.

    MK-1.6: Before the first turn each player may put into play one citizenship and any items.
    """
    kind = FACES[card].kind
    if table.moment == "setup" and (kind == "ride_enhancer" or (kind == "citizenship" and table.towns_of(seat))):
        raise IllegalMove("one_town_and_items", "MK-1.6", card=card)


def check_combat_bars_no_put(table: Table, seat: int, card: str) -> None:
    """Raise IllegalMove if a fighter puts down anything but a citizenship or a ride.

    MK-9.7: In combat a fighter cannot put items into play.
    """
    if FACES[card].kind not in (*TOWN_KINDS, "ride"):
        check_out_of_combat(table, seat, "MK-9.7", "MK-7.6")


def check_turn_to_put(table: Table, seat: int, card: str) -> None:
    """Raise IllegalMove in another's turn, unless the card may come then.

    MK-4.4, MK-6.3: A citizenship may be played at any moment of the player's own turn.
    MK-6.6: A card just received may be put into play at once if its receiver is not in combat.
    MK-6.1, MK-8.6: A ride is put into play at any time.
    """
    kind = FACES[card].kind
    if kind == "ride" or table.turn in (seat, NOBODY) or _is_put_at_once(table, seat, card):
        return
    clauses = ("MK-4.4", "MK-6.3") if kind in TOWN_KINDS else ("MK-6.3", "MK-7.6")
    raise IllegalMove("on_the_own_turn", *clauses, card=card)


def check_calm_to_put(table: Table, seat: int, card: str) -> None:
    """Raise IllegalMove if an item is put down in one's own turn, but not in calm.

    MK-7.6: An item may be put into play in calm on the player's own turn, or when it has just been received.
    """
    if FACES[card].kind in (*TOWN_KINDS, "ride") or table.moment in ("setup", "calm"):
        return
    if table.turn == seat and not _is_put_at_once(table, seat, card):
        raise IllegalMove("only_in_calm", "MK-7.6", card=card)


def _is_put_at_once(table: Table, seat: int, card: str) -> bool:
    return is_fresh(table, seat, card) and not table.is_in_combat(seat)


def may_put_by_right(table: Table, seat: int, kind: str) -> bool:
    """Return whether a player may put down such a card that is not just received.

    Everybody can see the answer.
    """
    if kind == "ride" or table.moment == "setup":
        return True
    return table.turn == seat and (kind in TOWN_KINDS or table.moment == "calm")


def is_fresh(table: Table, seat: int, card: str) -> bool:
    """Return whether a player has just received this card, if known (MK-6.6).

    A back among the cards just received may be this card.
    """
    just = table.fresh.get(str(seat), ())
    return card in just or BACK in just


def _check_town(table: Table, seat: int, move: PutIntoPlay) -> None:
    towns = table.towns_of(seat)
    left = [town for town in towns if town != move.instead]  # a card book may have another card of the same town
    if move.card in towns or FACES[move.card].town in (FACES[town].town for town in left):
        raise IllegalMove("same_town", "MK-4.5", card=move.card)
    if len(towns) < 1 + table.has_dual_citizenship(seat):
        if move.instead:
            raise IllegalMove("nothing_makes_room", "MK-4.5", card=move.instead)
    elif move.instead not in towns:
        raise IllegalMove("citizen_already", "MK-4.5", card=move.card, cards=towns)


def put_card(table: Table, seat: int, move: PutIntoPlay) -> Iterator[Event]:
    """Yield the events of putting a card into play.

    MK-26.5: An item is equipped as it comes into play if its slot, the hands and its conditions allow it.
    """
    card, kind = move.card, FACES[move.card].kind
    yield from reopen_combat(table, seat)
    place = PLACES_BY_KIND[kind][seat]
    if move.instead:
        yield from discard_cards(table, place, table.open_cards_at(place) if kind == "ride" else (move.instead,))
    received = not may_put_by_right(table, seat, kind)
    yield CardPut(HANDS[seat], place, find_cards_leaving(table, HANDS[seat], (card,)), (card,), seat, card, received)
    if kind == "item" and can_use(table, seat, card):
        yield ItemsUsed(seat, (card,))


def list_puts(table: Table, seat: int) -> Iterator[Move]:
    """Yield the cards that a hand could put into play, near misses among them.

    Of a hand with backs only those cards are listed that could be put down now.
    """
    if seat in table.dead:
        return
    hand = table.cards_in_hand(seat)
    fitting = ("ride",) if BACK in hand and not _may_put_anything(table, seat) else tuple(PLACES_BY_KIND)
    for card in find_nameable_cards(table, HANDS[seat]):
        kind = FACES[card].kind
        if kind not in fitting:
            continue
        yield PutIntoPlay(card)
        if kind == "citizenship" and card not in (towns := table.towns_of(seat)):
            if len(towns) > table.has_dual_citizenship(seat):
                yield from (PutIntoPlay(card, town) for town in towns)
        elif kind == "ride" and (ride := table.ride_of(seat)) is not None:
            yield PutIntoPlay(card, ride)


def list_likely_puts(table: Table, seat: int) -> Iterator[Move]:
    """Yield the puts that are likely to be legal at this moment.

    The player may put the card down by right, or has just received something.
    """
    received, mine = bool(table.fresh.get(str(seat))), dict[str, bool]()
    for move in list_puts(table, seat):
        assert isinstance(move, PutIntoPlay)
        kind = FACES[move.card].kind
        if kind not in mine:
            mine[kind] = received or may_put_by_right(table, seat, kind)
        if mine[kind]:
            yield move


def _may_put_anything(table: Table, seat: int) -> bool:
    return table.turn == seat or table.moment == "setup" or bool(table.fresh.get(str(seat)))


# ---- discarding ------------------------------------------------------------------------------------------------------


def check_discard_from_play(table: Table, seat: int, move: DiscardFromPlay) -> None:
    """Raise IllegalMove unless a player may discard this card from play.

    MK-6.1: At any moment of any turn a player may discard a citizenship. The same holds for a ride.
    """
    card = move.card
    check_alive(table, seat)
    if card in table.towns_of(seat) or card == table.ride_of(seat):
        return
    if card in table.open_cards_at(CURSES[seat]):
        raise IllegalMove("curses_stay", "MK-20.6", card=card)
    if card in table.cards_in_play_of(seat):
        raise IllegalMove("not_thrown_away", "MK-7.8", card=card)
    if card in table.open_cards_at(TOWNSHIP[seat]) or card in table.open_cards_at(RIDES[seat]):
        raise IllegalMove(
            "stays_with_it", "MK-4.6" if card in table.open_cards_at(TOWNSHIP[seat]) else "MK-8.8", card=card
        )
    if card in table.boxes.whole and FACES[card].kind == "citizenship":
        raise IllegalMove("not_in_front_of_you", "MK-4.4", card=card)
    if card in table.boxes.whole and FACES[card].kind == "ride":
        raise IllegalMove("not_in_front_of_you", "MK-8.6", card=card)
    raise IllegalMove("not_before_you", "MK-4.4", "MK-8.6", card=card)


def discard_from_play(table: Table, seat: int, move: DiscardFromPlay) -> Iterator[Event]:
    """Yield the events of discarding a citizenship or a ride.

    MK-8.8: A ride enhancer leaves play together with the ride.
    """
    yield from reopen_combat(table, seat)
    if move.card == table.ride_of(seat):
        yield from discard_cards(table, RIDES[seat], table.open_cards_at(RIDES[seat]))
    else:
        yield from discard_cards(table, TOWNSHIP[seat], (move.card,))


def list_discards_from_play(table: Table, seat: int) -> Iterator[Move]:
    """Yield the moves that discard a player's citizenships or ride."""
    if seat not in table.dead:
        yield from map(DiscardFromPlay, table.towns_of(seat))
        if (ride := table.ride_of(seat)) is not None:
            yield DiscardFromPlay(ride)


# ---- using and carrying ---------------------------------------------------------------------------------------------


def check_item_of_own(table: Table, seat: int, item: str) -> None:
    """Raise IllegalMove unless this is an item that the player has in play."""
    if item not in table.items_of(seat):
        raise IllegalMove("not_an_item_of_yours", "MK-7.2", card=item)


def check_arranging(table: Table, seat: int) -> None:
    """Raise IllegalMove while a player may not change what is equipped.

    MK-7.5: Not in combat, not while running away, nor between a curse and its effect.
    """
    check_out_of_combat(table, seat, "MK-7.5", "MK-9.7")


def check_equip(table: Table, seat: int, move: Equip) -> None:
    """Raise IllegalMove unless a player may use this item instead of those of `off`.

    MK-7.2: An equipped item gives its bonus. One that is only carried gives nothing.
    """
    check_alive(table, seat)
    check_item_to_use(table, seat, move)
    check_arranging(table, seat)
    check_use_instead(table, seat, move)


def check_item_to_use(table: Table, seat: int, move: Equip) -> None:
    """Raise IllegalMove unless the item is not in use, and those of `off` are."""
    check_item_of_own(table, seat, move.item)
    if move.item in table.equipped:
        raise IllegalMove("used_already", "MK-7.2", card=move.item)
    mine = table.used_items(seat)
    for card in move.off:
        if card not in mine or move.off.count(card) > 1:
            raise IllegalMove("not_in_use", "MK-7.2", card=card)


def check_use_instead(table: Table, seat: int, move: Equip) -> None:
    """Raise IllegalMove unless the item can be used instead of `off`."""
    check_use(
        replace_fields(table, equipped=tuple(card for card in table.equipped if card not in move.off)), seat, move.item
    )


def equip_item(_table: Table, seat: int, move: Equip) -> Iterator[Event]:
    """Yield the event of using an item from now on."""
    yield ItemsUsed(seat, (move.item,), move.off)


def list_equips(table: Table, seat: int) -> Iterator[Move]:
    """Yield a move for every carried item, with the items that make room for it."""
    if seat in table.dead:
        return
    for item in table.items_of(seat):
        if item in table.equipped or FACES[item].kind != "item":
            continue
        ways = tuple(_find_displaced_items(table, seat, item))
        if ways:
            yield from (Equip(item, off) for off in ways)
        else:
            yield Equip(item)


def _find_displaced_items(table: Table, seat: int, item: str) -> Iterator[Cards]:
    """Yield the sets of items that make room for an item.

    These are single items if one is enough, else all items in its place together.
    """
    worn = find_conflicting_items(table, seat, item)
    enough = [card for card in worn if not find_conflicting_items(table, seat, item, (card,))]
    if enough:
        yield from ((card,) for card in enough)
    elif worn:
        yield worn


def check_unequip(table: Table, seat: int, move: Unequip) -> None:
    """Raise IllegalMove unless a player may stop using this item.

    MK-7.2: Any item may be carried, of use or not.
    """
    check_alive(table, seat)
    check_item_in_use(table, seat, move)
    check_arranging(table, seat)


def check_item_in_use(table: Table, seat: int, move: Unequip) -> None:
    """Raise IllegalMove unless this is an own item in use."""
    check_item_of_own(table, seat, move.item)
    if move.item not in table.equipped:
        raise IllegalMove("not_in_use", "MK-7.2", card=move.item)


def unequip_item(_table: Table, seat: int, move: Unequip) -> Iterator[Event]:
    """Yield the event of carrying an item without using it."""
    yield ItemsUsed(seat, (), (move.item,))


def list_unequips(table: Table, seat: int) -> Iterator[Move]:
    """Yield a move for every item in use of a player who is in no combat."""
    if seat not in table.dead and not table.is_in_combat(seat):
        yield from map(Unequip, table.used_items(seat))
