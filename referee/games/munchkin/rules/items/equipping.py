"""Cards that a player puts into play before itself, sheds again, uses or only carries.

Clauses: MK-1.6, MK-4.4 to MK-4.6, MK-6.1 to MK-6.3, MK-6.6, MK-7.2 to MK-7.8, MK-8.2, MK-8.6, MK-8.8, MK-15.2, MK-19.7,
MK-20.6, MK-26.5.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.cardscript.hidden_cards import BACK, check_in_hand, gone_from, namable
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused
from referee.engine.zones import Cards
from referee.games.munchkin.components import CURSES, FACES, HANDS, PLAYS, RIDES, TOWNSHIP
from referee.games.munchkin.derived import big_limit
from referee.games.munchkin.events.cards import CardPut, ItemsUsed
from referee.games.munchkin.moves import Equip, Put, Shed, Unequip
from referee.games.munchkin.rules.items.discarding import discarded
from referee.games.munchkin.rules.items.slots import can_carry, can_use, check_use, in_the_way
from referee.games.munchkin.state import Table

ITEMS = ("item", "one_shot")
TOWNS = ("citizenship", "dual_citizenship")
WHERE = {
    "item": PLAYS, "one_shot": PLAYS, "citizenship": TOWNSHIP, "dual_citizenship": TOWNSHIP, "ride": RIDES,
    "ride_enhancer": RIDES,
}  # fmt: skip
ROOM = {
    "item": "MK-7.8", "one_shot": "MK-7.8", "dual_citizenship": "MK-4.6", "ride": "MK-8.6", "ride_enhancer": "MK-8.8",
}  # fmt: skip


def check_alive(table: Table, seat: int) -> None:
    """Raises Refused if a player is dead and cannot act (MK-19.7)."""
    if seat in table.dead:
        raise Refused("is_dead", "MK-19.7", seat=seat)


def check_out_of_combat(table: Table, seat: int, *clauses: str) -> None:
    """Raises Refused while a player fights or runs away (MK-6.5, MK-9.7)."""
    if table.in_combat(seat):
        raise Refused("not_in_combat", *clauses, "MK-9.7", seat=seat)


def reopened(table: Table, seat: int) -> Iterator[Event]:
    """The facts with which what a fighter does in the claim window opens the combat again (MK-15.2)."""
    if table.moment == "window" and table.in_combat(seat):
        from referee.games.munchkin.rules.items import claiming  # the window lies on top of what is put down here

        yield from claiming.breaks(table, seat)


# ---- putting down ----------------------------------------------------------------------------------------------------


def check_put(table: Table, seat: int, move: Put) -> None:
    """Raises Refused unless a player may put this card into play now; Unknown where a position leaves the hand out."""
    card = move.card
    check_alive(table, seat)
    if card not in table.boxes.whole:
        raise Refused("no_such_card", "MK-2.1", card=card)
    kind = FACES[card].kind
    if kind not in WHERE:
        raise Refused("does_not_stay_in_play", "MK-6.6", card=card)
    check_in_hand(table, seat, card, "MK-2.3")
    _check_moment(table, seat, card, kind)
    if kind in ITEMS:
        if not can_carry(table, seat, (card,)):
            raise Refused("too_many_big", "MK-7.7", card=card, limit=big_limit(table, seat))
    elif kind == "citizenship":
        _check_town(table, seat, move)
        return
    elif kind == "ride":
        ride = table.ride(seat)
        if ride is not None and move.instead != ride:
            raise Refused("one_ride", "MK-8.6", card=ride)
        if ride is not None:
            return
    elif kind == "ride_enhancer":
        if table.ride(seat) is None:
            raise Refused("no_ride_of_ones_own", "MK-8.8", card=card)
    elif not table.towns(seat):
        raise Refused("needs_a_town", "MK-4.6", card=card)
    elif table.is_dual(seat):
        raise Refused("dual_already", "MK-4.6", card=card)
    if move.instead:
        raise Refused("nothing_makes_room", ROOM[kind], card=move.instead)


def _check_moment(table: Table, seat: int, card: str, kind: str) -> None:
    """Raises Refused unless this is a moment for such a card (MK-4.4, MK-6.1, MK-6.3, MK-6.6, MK-7.6, MK-8.6)."""
    if kind == "ride":
        return
    if table.moment == "setup":
        if kind == "ride_enhancer" or (kind == "citizenship" and table.towns(seat)):
            raise Refused("one_town_and_items", "MK-1.6", card=card)
        return
    mine, received = table.turn == seat, is_fresh(table, seat, card)
    if kind in TOWNS:
        if not mine and not (received and not table.in_combat(seat)):
            raise Refused("on_the_own_turn", "MK-4.4", "MK-6.3", card=card)
        return
    if received and not table.in_combat(seat):
        return
    check_out_of_combat(table, seat, "MK-7.6")
    if not mine:
        raise Refused("on_the_own_turn", "MK-6.3", "MK-7.6", card=card)
    if table.moment != "calm":
        raise Refused("only_in_calm", "MK-7.6", card=card)


def by_right(table: Table, seat: int, kind: str) -> bool:
    """Whether a player may put such a card down now without just having received it; everybody can see that."""
    if kind == "ride" or table.moment == "setup":
        return True
    return table.turn == seat and (kind in TOWNS or table.moment == "calm")


def is_fresh(table: Table, seat: int, card: str) -> bool:
    """Whether a player has just received this card, as far as can be told (MK-6.6)."""
    just = table.fresh.get(str(seat), ())
    return card in just or BACK in just


def _check_town(table: Table, seat: int, move: Put) -> None:
    towns = table.towns(seat)
    left = [town for town in towns if town != move.instead]  # a book may have another card of the same town
    if move.card in towns or FACES[move.card].town in (FACES[town].town for town in left):
        raise Refused("same_town", "MK-4.5", card=move.card)
    if len(towns) < 1 + table.is_dual(seat):
        if move.instead:
            raise Refused("nothing_makes_room", "MK-4.5", card=move.instead)
    elif move.instead not in towns:
        raise Refused("citizen_already", "MK-4.5", card=move.card, cards=towns)


def put(table: Table, seat: int, move: Put) -> Iterator[Event]:
    """The facts of putting a card into play; an item is used at once where that can be (MK-26.5)."""
    card, kind = move.card, FACES[move.card].kind
    yield from reopened(table, seat)
    place = WHERE[kind][seat]
    if move.instead:
        yield from discarded(table, place, table.open_at(place) if kind == "ride" else (move.instead,))
    received = not by_right(table, seat, kind)
    yield CardPut(HANDS[seat], place, gone_from(table, HANDS[seat], (card,)), (card,), seat, card, received)
    if kind == "item" and can_use(table, seat, card):
        yield ItemsUsed(seat, (card,))


def possible_puts(table: Table, seat: int) -> Iterator[Move]:
    """What a hand could put down, near misses too; of a hand that is not seen only what could be put down now."""
    if seat in table.dead:
        return
    hand = table.hand(seat)
    fitting = ("ride",) if BACK in hand and not _could_put(table, seat) else tuple(WHERE)
    for card in namable(table, HANDS[seat]):
        kind = FACES[card].kind
        if kind not in fitting:
            continue
        yield Put(card)
        if kind == "citizenship" and card not in (towns := table.towns(seat)):
            if len(towns) > table.is_dual(seat):
                yield from (Put(card, town) for town in towns)
        elif kind == "ride" and (ride := table.ride(seat)) is not None:
            yield Put(card, ride)


def likely_puts(table: Table, seat: int) -> Iterator[Move]:
    """Those of them that it may be the moment for: by right, or because something was just received."""
    received, mine = bool(table.fresh.get(str(seat))), dict[str, bool]()
    for move in possible_puts(table, seat):
        assert isinstance(move, Put)
        kind = FACES[move.card].kind
        if kind not in mine:
            mine[kind] = received or by_right(table, seat, kind)
        if mine[kind]:
            yield move


def _could_put(table: Table, seat: int) -> bool:
    return table.turn == seat or table.moment == "setup" or bool(table.fresh.get(str(seat)))


# ---- shedding --------------------------------------------------------------------------------------------------------


def check_shed(table: Table, seat: int, move: Shed) -> None:
    """Raises Refused unless a player may discard this card that it has in play: a citizenship, a ride (MK-6.1)."""
    card = move.card
    check_alive(table, seat)
    if card in table.towns(seat) or card == table.ride(seat):
        return
    if card in table.open_at(CURSES[seat]):
        raise Refused("curses_stay", "MK-20.6", card=card)
    if card in table.in_play(seat):
        raise Refused("not_thrown_away", "MK-7.8", card=card)
    if card in table.open_at(TOWNSHIP[seat]) or card in table.open_at(RIDES[seat]):
        raise Refused("stays_with_it", "MK-4.6" if card in table.open_at(TOWNSHIP[seat]) else "MK-8.8", card=card)
    raise Refused("not_before_you", "MK-4.4", "MK-8.6", card=card)


def shed(table: Table, seat: int, move: Shed) -> Iterator[Event]:
    """The facts of discarding a citizenship or a ride; what enhances a ride leaves with it (MK-8.8)."""
    yield from reopened(table, seat)
    if move.card == table.ride(seat):
        yield from discarded(table, RIDES[seat], table.open_at(RIDES[seat]))
    else:
        yield from discarded(table, TOWNSHIP[seat], (move.card,))


def possible_sheds(table: Table, seat: int) -> Iterator[Move]:
    """The citizenships and the ride of a player."""
    if seat not in table.dead:
        yield from map(Shed, table.towns(seat))
        if (ride := table.ride(seat)) is not None:
            yield Shed(ride)


# ---- using and carrying ---------------------------------------------------------------------------------------------


def _check_arranging(table: Table, seat: int, item: str) -> None:
    check_alive(table, seat)
    if item not in table.items(seat):
        raise Refused("not_an_item_of_yours", "MK-7.2", card=item)
    check_out_of_combat(table, seat, "MK-7.5")


def check_equip(table: Table, seat: int, move: Equip) -> None:
    """Raises Refused unless a player may use this item from now on, with those of `off` only carried (MK-7.2)."""
    _check_arranging(table, seat, move.item)
    if move.item in table.equipped:
        raise Refused("used_already", "MK-7.2", card=move.item)
    mine = table.used_items(seat)
    for card in move.off:
        if card not in mine or move.off.count(card) > 1:
            raise Refused("not_in_use", "MK-7.2", card=card)
    check_use(changed(table, equipped=tuple(card for card in table.equipped if card not in move.off)), seat, move.item)


def equip(_table: Table, seat: int, move: Equip) -> Iterator[Event]:
    """The fact of using an item from now on."""
    yield ItemsUsed(seat, (move.item,), move.off)


def possible_equips(table: Table, seat: int) -> Iterator[Move]:
    """Every item that is only carried, with what has to give way to it."""
    if seat in table.dead:
        return
    for item in table.items(seat):
        if item in table.equipped or FACES[item].kind != "item":
            continue
        ways = tuple(_ways(table, seat, item))
        if ways:
            yield from (Equip(item, off) for off in ways)
        else:
            yield Equip(item)


def _ways(table: Table, seat: int, item: str) -> Iterator[Cards]:
    """What gives way to an item: one that is used in its place where that is enough, else all of them."""
    worn = in_the_way(table, seat, item)
    enough = [card for card in worn if not in_the_way(table, seat, item, (card,))]
    if enough:
        yield from ((card,) for card in enough)
    elif worn:
        yield worn


def check_unequip(table: Table, seat: int, move: Unequip) -> None:
    """Raises Refused unless a player may carry this item from now on without using it (MK-7.2)."""
    _check_arranging(table, seat, move.item)
    if move.item not in table.equipped:
        raise Refused("not_in_use", "MK-7.2", card=move.item)


def unequip(_table: Table, seat: int, move: Unequip) -> Iterator[Event]:
    """The fact of carrying an item without using it."""
    yield ItemsUsed(seat, (), (move.item,))


def possible_unequips(table: Table, seat: int) -> Iterator[Move]:
    """Every item in use of a player who is in no combat."""
    if seat not in table.dead and not table.in_combat(seat):
        yield from map(Unequip, table.used_items(seat))
