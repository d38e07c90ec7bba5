"""Undead and Demons that join without a card, and the powers of citizenships.

Clauses: MK-12.1, MK-12.2, MK-12.3, MK-12.4, MK-4.8, MK-4.9, MK-10.5, MK-14.1, MK-15.2, MK-19.7.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.cardscript.hidden_cards import check_from_hand, check_in_hand, gone_from, namable
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.steps import Opened
from referee.games.munchkin.card_attributes import Power
from referee.games.munchkin.components import COMBAT, FACES, HANDS, PLAYS
from referee.games.munchkin.derived import tags_of
from referee.games.munchkin.events.cards import CardPlayed
from referee.games.munchkin.events.combat import PowerUsed
from referee.games.munchkin.moves import JoinIn, UsePower
from referee.games.munchkin.rules.cards.playing import at_the_time
from referee.games.munchkin.rules.cards.texts import text_of
from referee.games.munchkin.rules.combat import fighting
from referee.games.munchkin.rules.combat.combat_changed import HANDLERS, Handler
from referee.games.munchkin.rules.items import claiming
from referee.games.munchkin.rules.items.discarding import discarded
from referee.games.munchkin.state import Table

# ---- joining by a tag ------------------------------------------------------------------------------------------------


def tags_there(table: Table) -> frozenset[str]:
    """The tags of the monsters in the combat (MK-12.1, MK-12.4)."""
    return frozenset(tag for foe in table.fight.foes for tag in tags_of(foe))


def check_joining(table: Table, seat: int, move: JoinIn) -> None:
    """Raises Refused unless this monster may join by a tag it shares, or is given (MK-12.1 to MK-12.3)."""
    if seat in table.dead:
        raise Refused("is_dead", "MK-19.7", seat=seat)
    for card in (move.monster, move.partner):
        if card and card not in table.boxes.whole:
            raise Refused("no_such_card", "MK-2.1", card=card)
    if FACES.get(move.monster) is None or FACES[move.monster].kind != "monster":
        raise Refused("no_monster", "MK-12.1", card=move.monster)
    check_in_hand(table, seat, move.monster, "MK-12.1")
    if table.moment not in ("fight", "window"):
        raise Refused("not_the_time", "MK-14.2", card=move.monster, when="any_combat")
    there, own = tags_there(table), frozenset(FACES[move.monster].tags)
    if not move.partner:
        if not own & there:
            raise Refused("no_tag_shared", "MK-12.1", "MK-12.3", card=move.monster)
        return
    given = FACES[move.partner].gives_tag
    if not given:
        raise Refused("gives_no_tag", "MK-12.2", card=move.partner)
    check_from_hand(table, seat, (move.monster, move.partner), "MK-12.2")
    if given in own:
        raise Refused("has_the_tag", "MK-12.2", card=move.monster, tag=given)
    if given not in there:
        raise Refused("no_tag_shared", "MK-12.2", "MK-12.3", card=move.monster)


def join(table: Table, seat: int, move: JoinIn) -> Iterator[Event]:
    """The facts with which a monster joins by a tag (MK-12.1, MK-12.2), played by main too (MK-11.6)."""
    yield from claiming.breaks(table, seat)
    if move.partner:
        took = gone_from(table, HANDS[seat], (move.partner,))
        yield CardPlayed(HANDS[seat], COMBAT, took, (move.partner,), seat, move.partner, monster=move.monster)
    enhancers = (move.partner,) if move.partner else ()
    yield from fighting.joined(table, move.monster, move.monster, HANDS[seat], seat, enhancers)


def joinings(table: Table, seat: int) -> Iterator[Move]:
    """The monsters of a hand that may join by a tag, and the near misses of a running combat."""
    if seat in table.dead or table.moment not in ("fight", "window"):
        return
    names = namable(table, HANDS[seat])
    givers = [card for card in names if FACES[card].gives_tag]
    there = tags_there(table)
    for monster in names:
        if FACES[monster].kind == "monster":
            yield JoinIn(monster)
            for giver in givers:
                if FACES[giver].gives_tag in there:
                    yield JoinIn(monster, giver)


def fitting_joinings(table: Table, seat: int) -> Iterator[Move]:
    """Those of them that share a tag with a monster there, or are given one that is there."""
    if table.moment in ("fight", "window") and (there := tags_there(table)):
        for move in joinings(table, seat):
            if isinstance(move, JoinIn) and (move.partner or not there.isdisjoint(FACES[move.monster].tags)):
                yield move


# ---- powers ----------------------------------------------------------------------------------------------------------


def powers(table: Table, seat: int) -> Iterator[tuple[str, Power]]:
    """The powers of a player's citizenships, each with its card (MK-4.7)."""
    for card in table.towns(seat):
        for power in FACES[card].powers:
            yield card, power


def check_power(table: Table, seat: int, move: UsePower) -> None:
    """Raises Refused unless this power may be used now at this price (MK-4.8, MK-4.9)."""
    if seat in table.dead:
        raise Refused("is_dead", "MK-19.7", seat=seat)
    found = next((each for each in powers(table, seat) if each[1].name == move.power), None)
    if found is None:
        raise Refused("no_such_power", "MK-4.7", power=move.power)
    power = found[1]
    if not at_the_time(table, seat, power.when, table.moment):
        raise Refused("not_the_time", "MK-4.9", card=found[0], when=power.when)
    if power.cost == "monster":
        if move.card not in table.boxes.whole or FACES[move.card].kind != "monster":
            raise Refused("no_monster", "MK-4.9", card=move.card)
        check_in_hand(table, seat, move.card, "MK-4.9")
    elif move.card not in table.items(seat) or (FACES[move.card].gold or 0) < power.gold:
        raise Refused("no_such_price", "MK-4.9", card=move.card, gold=power.gold)
    if power.per == "combat":
        if move.monster:
            raise Refused("names_too_much", "MK-4.9", card=found[0], what="names_monster")
        if table.fight.used.count(f"{power.name}/{seat}") >= power.limit:
            raise Refused("used_up", "MK-4.9", card=found[0], count=power.limit)
    elif f"{seat}/{move.monster}" not in table.fight.to_flee:
        raise Refused("not_to_be_fled", "MK-4.9", "MK-17.6", card=move.monster)


def use(table: Table, seat: int, move: UsePower) -> Iterator[Event]:
    """The facts of using a power: the price first, then what it does (MK-3.8, MK-4.8)."""
    yield from claiming.breaks(table, seat)
    card, power = next(each for each in powers(table, seat) if each[1].name == move.power)
    place = HANDS[seat] if power.cost == "monster" else PLAYS[seat]
    yield PowerUsed(seat, power.name, card, move.monster)
    yield from discarded(table, place, (move.card,))
    yield Opened(text_of(table, card, f"power/{power.name}", seat, monster=move.monster))


def uses(table: Table, seat: int) -> Iterator[Move]:
    """The ways to use the powers of a player now."""
    if seat in table.dead:
        return
    for _, power in powers(table, seat):
        if not at_the_time(table, seat, power.when, table.moment):
            continue
        if power.cost == "monster":
            for card in namable(table, HANDS[seat]):
                if FACES[card].kind == "monster":
                    yield UsePower(power.name, card)
        else:
            foes = [pair.partition("/")[2] for pair in table.fight.to_flee if pair.startswith(f"{seat}/")]
            for card in table.items(seat):
                for foe in foes:
                    yield UsePower(power.name, card, foe)


HANDLERS[JoinIn] = Handler(joinings, check_joining, join, promising=fitting_joinings)
HANDLERS[UsePower] = Handler(uses, check_power, use)
