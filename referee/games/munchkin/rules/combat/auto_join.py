"""Undead and Demons that join a combat by their tag, and powers of citizenships.

Clauses: MK-12.1, MK-12.2, MK-12.3, MK-12.4, MK-4.8, MK-4.9, MK-10.5, MK-14.1, MK-15.2, MK-19.7.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.cardscript.hidden_cards import check_cards_from_hand, check_in_hand, find_nameable_cards
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.steps import StepPushed
from referee.engine.zones import find_cards_leaving
from referee.games.munchkin.card_attributes import Power
from referee.games.munchkin.components import COMBAT, FACES, HANDS, PLAYS
from referee.games.munchkin.events.cards import CardPlayed
from referee.games.munchkin.events.combat import PowerUsed
from referee.games.munchkin.moves import JoinByTag, UsePower
from referee.games.munchkin.rules.cards.playing import is_time_to_play
from referee.games.munchkin.rules.cards.texts import build_text_execution
from referee.games.munchkin.rules.combat import fighting
from referee.games.munchkin.rules.combat.claim_breaking import break_claim
from referee.games.munchkin.rules.combat.combat_changed import HANDLERS, MoveHandler
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.rules.items.equipping import check_alive
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import tags_of

# ---- joining by a tag ------------------------------------------------------------------------------------------------


def find_combat_tags(table: Table) -> frozenset[str]:
    """Return the tags of the monsters in the combat (MK-12.1).

    MK-12.4: An enhancer that gives the tag to a monster in the combat lets others of that tag join.
    """
    return frozenset(tag for foe in table.running_combat.foes for tag in tags_of(foe))


def check_join_by_tag(table: Table, seat: int, move: JoinByTag) -> None:
    """Raise IllegalMove unless this monster may join by a tag.

    MK-12.1 to MK-12.3: The monster shares a tag with one in the combat, or a card played with it gives it that tag.
    """
    check_cards_to_join(table, seat, move)
    check_time_to_join(table, seat, move)
    check_tags(table, seat, move)


def check_cards_to_join(table: Table, seat: int, move: JoinByTag) -> None:
    """Raise IllegalMove unless the living player holds this monster."""
    check_alive(table, seat)
    for card in (move.monster, move.partner):
        if card and card not in table.boxes.whole:
            raise IllegalMove("no_such_card", "MK-2.1", card=card)
    if FACES.get(move.monster) is None or FACES[move.monster].kind != "monster":
        raise IllegalMove("no_monster", "MK-12.1", card=move.monster)
    check_in_hand(table, seat, move.monster, "MK-12.1")


def check_time_to_join(table: Table, _seat: int, move: JoinByTag) -> None:
    """Raise IllegalMove unless a combat is open, and nobody runs (MK-14.2, MK-17.8)."""
    if table.moment not in ("fight", "window"):
        running = ("MK-17.8",) if table.moment == "flee" else ()
        raise IllegalMove("not_the_time", "MK-14.2", *running, card=move.monster, when="any_combat")


def check_tags(table: Table, seat: int, move: JoinByTag) -> None:
    """Raise IllegalMove unless the monster shares a tag with one in the combat.

    MK-12.3: The tag must be there when the play is accepted. A monster that was removed does not count.
    """
    gone = ("MK-12.3",) if table.running_combat.removed else ()
    there, own = find_combat_tags(table), frozenset(FACES[move.monster].tags)
    if not move.partner:
        if not own:
            raise IllegalMove("no_tag_to_share", *gone, "MK-12.1", "MK-12.3", card=move.monster)
        if not own & there:
            raise IllegalMove("no_tag_shared", *gone, "MK-12.1", "MK-12.3", card=move.monster, tags=sorted(own))
        return
    given = FACES[move.partner].gives_tag
    if not given:
        raise IllegalMove("gives_no_tag", "MK-12.2", card=move.partner)
    check_cards_from_hand(table, seat, (move.monster, move.partner), "MK-12.2")
    if given in own:
        raise IllegalMove("has_the_tag", "MK-12.2", card=move.monster, tag=given)
    if given not in there:
        raise IllegalMove("no_tag_shared", *gone, "MK-12.2", "MK-12.3", card=move.monster, tags=[given])


def join_by_tag(table: Table, seat: int, move: JoinByTag) -> Iterator[Event]:
    """Yield the events with which a monster joins by a tag.

    MK-12.1: If a monster in the combat is Undead, anyone may add an Undead monster from the hand. The same holds for
        Demons.
    MK-12.2: The card that gives the tag stays on that monster as an enhancer.
    MK-11.6: The main player, too, may add monsters to their own combat.
    """
    yield from break_claim(table, seat)
    if move.partner:
        took = find_cards_leaving(table, HANDS[seat], (move.partner,))
        yield CardPlayed(HANDS[seat], COMBAT, took, (move.partner,), seat, move.partner, monster=move.monster)
    enhancers = (move.partner,) if move.partner else ()
    yield from fighting.join_monster(table, move.monster, move.monster, HANDS[seat], seat, enhancers)


def list_join_moves(table: Table, seat: int) -> Iterator[Move]:
    """Yield the monsters of a hand that may join by a tag, and near misses."""
    if seat in table.dead or table.moment not in ("fight", "window"):
        return
    names = find_nameable_cards(table, HANDS[seat])
    givers = [card for card in names if FACES[card].gives_tag]
    there = find_combat_tags(table)
    for monster in names:
        if FACES[monster].kind == "monster":
            yield JoinByTag(monster)
            for giver in givers:
                if FACES[giver].gives_tag in there:
                    yield JoinByTag(monster, giver)


def list_fitting_join_moves(table: Table, seat: int) -> Iterator[Move]:
    """Yield the join moves whose monster has, or is given, a tag of the combat."""
    if table.moment in ("fight", "window") and (there := find_combat_tags(table)):
        for move in list_join_moves(table, seat):
            if isinstance(move, JoinByTag) and (move.partner or not there.isdisjoint(FACES[move.monster].tags)):
                yield move


# ---- powers ----------------------------------------------------------------------------------------------------------


def find_powers(table: Table, seat: int) -> Iterator[tuple[str, Power]]:
    """Yield the powers of a player's citizenships, each with its card (MK-4.7)."""
    for card in table.towns_of(seat):
        for power in FACES[card].powers:
            yield card, power


def check_power(table: Table, seat: int, move: UsePower) -> None:
    """Raise IllegalMove unless this power may be used now at this price.

    MK-4.9: Each town gives its citizens a power.
    """
    check_alive(table, seat)
    card, power = find_power(table, seat, move.power)
    check_time_of_power(table, seat, move)
    check_price_of_power(table, seat, move)
    if power.per == "combat":
        if move.monster:
            raise IllegalMove("power_needs_no_monster", "MK-4.9", card=card)
        check_power_left(table, seat, move)
    elif f"{seat}/{move.monster}" not in table.running_combat.to_flee:
        raise IllegalMove("not_to_be_fled", "MK-4.9", "MK-17.6", card=move.monster)


def find_power(table: Table, seat: int, name: str) -> tuple[str, Power]:
    """Return the power of this name and the citizenship that gives it.

    Raises IllegalMove if the player has none such.

    MK-4.9: Each town gives its citizens a power.
    MK-4.7: The powers of a citizenship end when its card leaves.
    """
    found = next((each for each in find_powers(table, seat) if each[1].name == name), None)
    if found is None:
        if not any(power.name == name for card in table.boxes.whole for power in FACES[card].powers):
            raise IllegalMove("unknown_power", "MK-4.9")
        raise IllegalMove("no_such_power", "MK-4.9", "MK-4.7", power=name)
    return found


def check_time_of_power(table: Table, seat: int, move: UsePower) -> None:
    """Raise IllegalMove unless this is the time of the power."""
    card, power = find_power(table, seat, move.power)
    if not is_time_to_play(table, seat, power.when, table.moment):
        raise IllegalMove("not_the_time", "MK-4.9", card=card, when=power.when)


def check_power_left(table: Table, seat: int, move: UsePower) -> None:
    """Raise IllegalMove if the power is used up in this combat."""
    card, power = find_power(table, seat, move.power)
    if power.per == "combat" and table.running_combat.used.count(f"{power.name}/{seat}") >= power.limit:
        raise IllegalMove("used_up", "MK-4.9", card=card, count=power.limit)


def check_price_of_power(table: Table, seat: int, move: UsePower) -> None:
    """Raise IllegalMove unless this card can pay for the power.

    MK-4.8: The card to discard may come from the hand or from play, unless the card names one of them.
    """
    _, power = find_power(table, seat, move.power)
    if power.cost == "monster":
        if move.card not in table.boxes.whole or FACES[move.card].kind != "monster":
            raise IllegalMove("no_monster", "MK-4.9", card=move.card)
        check_in_hand(table, seat, move.card, "MK-4.9")
    elif move.card not in table.items_of(seat) or (FACES[move.card].gold or 0) < power.gold:
        raise IllegalMove("no_such_price", "MK-4.9", card=move.card, gold=power.gold)


def use_power(table: Table, seat: int, move: UsePower) -> Iterator[Event]:
    """Yield the events of using a power: first the price, then the effect.

    MK-3.8: A cost is always paid in full or not at all.
    MK-4.8: Where the cost is to discard a card, it may come from the hand or from play.
    """
    yield from break_claim(table, seat)
    card, power = next(each for each in find_powers(table, seat) if each[1].name == move.power)
    place = HANDS[seat] if power.cost == "monster" else PLAYS[seat]
    yield PowerUsed(seat, power.name, card, move.monster)
    yield from discard_cards(table, place, (move.card,))
    yield StepPushed(build_text_execution(table, card, f"power/{power.name}", seat, monster=move.monster))


def list_power_moves(table: Table, seat: int) -> Iterator[Move]:
    """Yield the ways in which a player may use powers now."""
    if seat in table.dead:
        return
    for _, power in find_powers(table, seat):
        if not is_time_to_play(table, seat, power.when, table.moment):
            continue
        if power.cost == "monster":
            for card in find_nameable_cards(table, HANDS[seat]):
                if FACES[card].kind == "monster":
                    yield UsePower(power.name, card)
        else:
            foes = [pair.partition("/")[2] for pair in table.running_combat.to_flee if pair.startswith(f"{seat}/")]
            for card in table.items_of(seat):
                for foe in foes:
                    yield UsePower(power.name, card, foe)


HANDLERS[JoinByTag] = MoveHandler(list_join_moves, check_join_by_tag, join_by_tag, promising=list_fitting_join_moves)
HANDLERS[UsePower] = MoveHandler(list_power_moves, check_power, use_power)
