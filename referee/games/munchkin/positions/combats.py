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


def decode_combat(data: CombatData, turn: int) -> Combat:
    """Return the combat that a position describes."""
    main = data.get("main", turn)
    terms = data.get("terms")
    wanted = tuple(data.get("helper_first_wanted", ()))
    return Combat(
        main=main,
        foes=tuple(map(_decode_foe, data["monsters"])),
        helper=data.get("helper", NOBODY),
        forced=data.get("drafted", False),
        deal=_decode_deal(data["deal"]) if "deal" in data else None,
        asked=terms["asked"] if terms else NOBODY,
        offered_by=terms.get("by", main) if terms else NOBODY,
        offer=_decode_deal(terms["deal"]) if terms else None,
        declined=tuple(data.get("declined", ())),
        added=tuple(_decode_added_strength(each, main) for each in data.get("added", ())),
        used=tuple(f"{each['power']}/{each['seat']}" for each in data.get("used", ())),
        removed=data.get("removed", 0),
        swap_wanted=wanted,
        helper_first=data.get("helper_first", len(wanted) > 1),
        to_flee=tuple(f"{each['seat']}/{each['monster']}" for each in data.get("to_flee", ())),
        caught=tuple(data.get("died", ())),
    )


def decode_combat_cards(data: CombatData, combat: Combat) -> Cards:
    """Return the cards that lie in a combat: those listed, else those it mentions."""
    return decode_pile(data["lying"]) if "lying" in data else collect_combat_cards(combat)


def collect_combat_cards(combat: Combat) -> Cards:
    """Return the cards that a combat mentions: monsters, enhancers, cards for a side."""
    cards = [foe.card for foe in combat.foes]
    cards += [card for foe in combat.foes for card in foe.enhancers]
    cards += [each.card for each in combat.added if FACES[each.card].kind != "citizenship"]
    return tuple(dict.fromkeys(cards))


def decode_trade(data: CombatData) -> Trade:
    """Return the trade that a position describes."""
    return Trade(data["by"], data["to"], tuple(data.get("give", ())), tuple(data.get("take", ())))


def _decode_foe(data: Any) -> Foe:
    if isinstance(data, str):
        return Foe(data, data)
    return Foe(data.get("twin_by", data["monster"]), data["monster"], tuple(data.get("enhancers", ())))


def _decode_deal(data: CombatData) -> Deal:
    treasures = data.get("treasures", 0)
    return Deal(
        treasures=0 if treasures == "all" else treasures,
        all_of_them=treasures == "all",
        picks=tuple(data.get("picks", ())),
        items=tuple(data.get("items", ())),
        plays=tuple(data.get("plays", ())),
        note=data.get("note", ""),
    )


def _decode_added_strength(data: CombatData, main: int) -> AddedStrength:
    card = data["card"]
    one_shot = data.get("one_shot", is_one_shot(card))
    return AddedStrength(card, data.get("seat", main), data["side"], data["count"], one_shot)


def is_one_shot(card: str) -> bool:
    """Return whether a card counts as a one-shot that was played for a side."""
    return FACES[card].kind == "one_shot"


# ---- writing -------------------------------------------------------------------------------------------------------


def encode_combat(table: Table, combat: Combat) -> CombatData:
    """Return the JSON of a combat, without members that have their default."""
    data: CombatData = {"main": combat.main, "monsters": [_encode_foe(foe) for foe in combat.foes]}
    if combat.helper != NOBODY:
        data["helper"] = combat.helper
    if combat.forced:
        data["drafted"] = True
    if combat.deal is not None:
        data["deal"] = encode_deal(combat.deal)
    if combat.offer is not None:
        data["terms"] = {"by": combat.offered_by, "asked": combat.asked, "deal": encode_deal(combat.offer)}
    lists = {"declined": combat.declined, "helper_first_wanted": combat.swap_wanted, "died": combat.caught}
    data |= {name: list(seats) for name, seats in lists.items() if seats}
    if combat.added:
        data["added"] = [_encode_added_strength(each) for each in combat.added]
    if combat.used:
        parts = (each.rpartition("/") for each in combat.used)
        data["used"] = [{"power": power, "seat": int(seat)} for power, _, seat in parts]
    if combat.removed:
        data["removed"] = combat.removed
    if combat.helper_first != (len(combat.swap_wanted) > 1):
        data["helper_first"] = combat.helper_first
    if combat.to_flee:
        pairs = (each.partition("/") for each in combat.to_flee)
        data["to_flee"] = [{"seat": int(seat), "monster": monster} for seat, _, monster in pairs]
    if table.cards_at(COMBAT) != collect_combat_cards(combat):
        lying = encode_pile(table.cards_at(COMBAT), False)
        data["lying"] = {"more": True} if lying is None else lying
    return data


def encode_trade(trade: Trade) -> CombatData:
    """Return the JSON of a trade."""
    data: CombatData = {"by": trade.by, "to": trade.to}
    return data | {name: list(cards) for name, cards in (("give", trade.give), ("take", trade.take)) if cards}


def encode_deal(deal: Deal) -> CombatData:
    """Return the JSON of terms of help."""
    data: CombatData = {}
    if deal.treasures or deal.all_of_them:
        data["treasures"] = "all" if deal.all_of_them else deal.treasures
    lists = {"picks": deal.picks, "items": deal.items, "plays": deal.plays}
    data |= {name: list(listed) for name, listed in lists.items() if listed}
    return data | ({"note": deal.note} if deal.note else {})


def _encode_foe(foe: Foe) -> Any:
    if foe == Foe(foe.of, foe.of):
        return foe.of
    data: CombatData = {"monster": foe.of}
    if foe.card != foe.of:
        data["twin_by"] = foe.card
    return data | ({"enhancers": list(foe.enhancers)} if foe.enhancers else {})


def _encode_added_strength(each: AddedStrength) -> CombatData:
    data: CombatData = {"card": each.card, "seat": each.seat, "side": each.side, "count": each.count}
    return data if each.one_shot == is_one_shot(each.card) else {**data, "one_shot": each.one_shot}
