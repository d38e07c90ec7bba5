"""Decoding and encoding of the running combat of a position."""

from __future__ import annotations

from typing import Any

from referee.cardscript.positions.piles import decode_pile, encode_pile
from referee.engine.zones import Cards
from referee.games.munchkin.components import COMBAT, FACES
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY, AddedStrength, Combat, Deal, Foe, Trade

CombatData = dict[str, Any]


# ---- reading -------------------------------------------------------------------------------------------------------


def decode_combat(said: CombatData, turn: int) -> Combat:
    """Return the combat that a position describes."""
    main = said.get("main", turn)
    terms = said.get("terms")
    wanted = tuple(said.get("helper_first_wanted", ()))
    return Combat(
        main=main,
        foes=tuple(map(_decode_foe, said["monsters"])),
        helper=said.get("helper", NOBODY),
        forced=said.get("drafted", False),
        deal=_decode_deal(said["deal"]) if "deal" in said else None,
        asked=terms["asked"] if terms else NOBODY,
        offered_by=terms.get("by", main) if terms else NOBODY,
        offer=_decode_deal(terms["deal"]) if terms else None,
        declined=tuple(said.get("declined", ())),
        added=tuple(_decode_added_strength(each, main) for each in said.get("added", ())),
        used=tuple(f"{each['power']}/{each['seat']}" for each in said.get("used", ())),
        removed=said.get("removed", 0),
        swap_wanted=wanted,
        helper_first=said.get("helper_first", len(wanted) > 1),
        to_flee=tuple(f"{each['seat']}/{each['monster']}" for each in said.get("to_flee", ())),
        caught=tuple(said.get("died", ())),
    )


def decode_combat_cards(said: CombatData, combat: Combat) -> Cards:
    """Return the cards that lie in a combat: those listed, else those it mentions."""
    return decode_pile(said["lying"]) if "lying" in said else collect_combat_cards(combat)


def collect_combat_cards(combat: Combat) -> Cards:
    """Return the cards that a combat mentions: monsters, enhancers, cards for a side."""
    cards = [foe.card for foe in combat.foes]
    cards += [card for foe in combat.foes for card in foe.enhancers]
    cards += [each.card for each in combat.added if FACES[each.card].kind != "citizenship"]
    return tuple(dict.fromkeys(cards))


def decode_trade(said: CombatData) -> Trade:
    """Return the trade that a position describes."""
    return Trade(said["by"], said["to"], tuple(said.get("give", ())), tuple(said.get("take", ())))


def _decode_foe(said: Any) -> Foe:
    if isinstance(said, str):
        return Foe(said, said)
    return Foe(said.get("twin_by", said["monster"]), said["monster"], tuple(said.get("enhancers", ())))


def _decode_deal(said: CombatData) -> Deal:
    treasures = said.get("treasures", 0)
    return Deal(
        treasures=0 if treasures == "all" else treasures,
        all_of_them=treasures == "all",
        picks=tuple(said.get("picks", ())),
        items=tuple(said.get("items", ())),
        plays=tuple(said.get("plays", ())),
        note=said.get("note", ""),
    )


def _decode_added_strength(said: CombatData, main: int) -> AddedStrength:
    card = said["card"]
    one_shot = said.get("one_shot", is_one_shot(card))
    return AddedStrength(card, said.get("seat", main), said["side"], said["count"], one_shot)


def is_one_shot(card: str) -> bool:
    """Return whether a card counts as a one-shot that was played for a side."""
    return FACES[card].kind == "one_shot"


# ---- writing -------------------------------------------------------------------------------------------------------


def encode_combat(table: Table, combat: Combat) -> CombatData:
    """Return the JSON of a combat, without members that have their default."""
    said: CombatData = {"main": combat.main, "monsters": [_encode_foe(foe) for foe in combat.foes]}
    if combat.helper != NOBODY:
        said["helper"] = combat.helper
    if combat.forced:
        said["drafted"] = True
    if combat.deal is not None:
        said["deal"] = encode_deal(combat.deal)
    if combat.offer is not None:
        said["terms"] = {"by": combat.offered_by, "asked": combat.asked, "deal": encode_deal(combat.offer)}
    lists = {"declined": combat.declined, "helper_first_wanted": combat.swap_wanted, "died": combat.caught}
    said |= {name: list(seats) for name, seats in lists.items() if seats}
    if combat.added:
        said["added"] = [_encode_added_strength(each) for each in combat.added]
    if combat.used:
        parts = (each.rpartition("/") for each in combat.used)
        said["used"] = [{"power": power, "seat": int(seat)} for power, _, seat in parts]
    if combat.removed:
        said["removed"] = combat.removed
    if combat.helper_first != (len(combat.swap_wanted) > 1):
        said["helper_first"] = combat.helper_first
    if combat.to_flee:
        pairs = (each.partition("/") for each in combat.to_flee)
        said["to_flee"] = [{"seat": int(seat), "monster": monster} for seat, _, monster in pairs]
    if table.cards_at(COMBAT) != collect_combat_cards(combat):
        lying = encode_pile(table.cards_at(COMBAT), False)
        said["lying"] = {"more": True} if lying is None else lying
    return said


def encode_trade(trade: Trade) -> CombatData:
    """Return the JSON of a trade."""
    said: CombatData = {"by": trade.by, "to": trade.to}
    return said | {name: list(cards) for name, cards in (("give", trade.give), ("take", trade.take)) if cards}


def encode_deal(deal: Deal) -> CombatData:
    """Return the JSON of terms of help."""
    said: CombatData = {}
    if deal.treasures or deal.all_of_them:
        said["treasures"] = "all" if deal.all_of_them else deal.treasures
    lists = {"picks": deal.picks, "items": deal.items, "plays": deal.plays}
    said |= {name: list(listed) for name, listed in lists.items() if listed}
    return said | ({"note": deal.note} if deal.note else {})


def _encode_foe(foe: Foe) -> Any:
    if foe == Foe(foe.of, foe.of):
        return foe.of
    said: CombatData = {"monster": foe.of}
    if foe.card != foe.of:
        said["twin_by"] = foe.card
    return said | ({"enhancers": list(foe.enhancers)} if foe.enhancers else {})


def _encode_added_strength(each: AddedStrength) -> CombatData:
    said: CombatData = {"card": each.card, "seat": each.seat, "side": each.side, "count": each.count}
    return said if each.one_shot == is_one_shot(each.card) else {**said, "one_shot": each.one_shot}
