"""Decoding of a written position into a table, and encoding of a table.

What a position leaves out is unknown, never empty (KERNEL-POSITION-1). `decode_position` accepts every written
position. `encode_position` accepts every table, views and tables with real cards included. Each undoes the other.
`schema.py` describes the form.
"""

from __future__ import annotations

from typing import Any

from referee.cardscript.positions import piles
from referee.cardscript.positions.editions import expand_card_names
from referee.cardscript.positions.piles import decode_pile, find_count_errors
from referee.cardscript.positions.piles import encode_pile as written_pile
from referee.cardscript.positions.schema_check import SchemaError, build_error, find_schema_errors, suggest_name
from referee.cardscript.positions.steps import Steps, decode_steps
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.codec import DecodeError, decode_named
from referee.engine.events import replace_fields
from referee.engine.game import ContradictoryPosition
from referee.engine.rulebook.editions import strip_edition
from referee.engine.rulings import MalformedInput, Undetermined
from referee.engine.steps import Step
from referee.engine.zones import Cards
from referee.games.munchkin.components import (
    BOXES,
    COMBAT,
    CORPSES,
    CURSES,
    DOOR_DISCARD,
    DOORS,
    EDITION,
    FACES,
    HANDS,
    PENDING,
    PLAYS,
    RIDES,
    TOWNSHIP,
    TREASURE_DISCARD,
    TREASURES,
    WON,
    Rules,
)
from referee.games.munchkin.positions.combats import (
    decode_combat,
    decode_combat_cards,
    decode_trade,
    encode_combat,
    encode_trade,
)
from referee.games.munchkin.positions.contradictions import find_impossibilities
from referee.games.munchkin.positions.encode import encode_agenda
from referee.games.munchkin.positions.question_codec import build_question_steps, build_steps_beneath, default_question
from referee.games.munchkin.positions.references import check_agenda, collect_played_cards, find_reference_errors
from referee.games.munchkin.positions.schema import build_position_schema
from referee.games.munchkin.settings import SETTINGS
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY

PILES = {
    "doors": DOORS, "treasures": TREASURES, "door_discard": DOOR_DISCARD, "treasure_discard": TREASURE_DISCARD
}  # fmt: skip
PLAYER_PLACES = {"hand": HANDS, "items": PLAYS, "towns": TOWNSHIP, "ride": RIDES, "curses": CURSES}
BEFORE_THE_FIRST_TURN = ("ready", "first_turn")
Data = dict[str, Any]


def decode_position(data: Data) -> Table:
    """Return the table that a position describes.

    Raises MalformedInput, or ContradictoryPosition if the position is impossible.
    """
    table = decode_unchecked(data)
    if faults := find_impossibilities(table):
        raise ContradictoryPosition(faults)
    return table


def decode_unchecked(data: Data) -> Table:
    """Return the table that a position describes, contradictions included.

    Raises MalformedInput.
    """
    edition = data.get("edition", EDITION)
    if not isinstance(edition, str) or edition not in BOXES:
        raise MalformedInput([build_error("/edition", f"no such edition{suggest_name(edition, BOXES)}")])
    data = _expand_book_names(data, edition)
    errors = (
        list(find_schema_errors(build_position_schema(edition), data))
        or _find_count_errors(data)
        or find_reference_errors(data)
    )
    if errors:
        raise MalformedInput(errors)
    turn = _decode_turn(data)
    combat = decode_combat(data["combat"], turn) if "combat" in data else None
    zones = _decode_zones(data)
    if combat is not None and (lying := decode_combat_cards(data["combat"], combat)):
        zones[COMBAT] = lying
    seats = data["seats"]
    table = Table(
        zones=zones,
        rules=_decode_rules(data),
        turn=turn,
        turns=data.get("turns", 0),
        levels=tuple(player["level"] for player in seats),
        dead=tuple(data.get("dead", ())),
        bereft=tuple(data.get("bereft", ())),
        equipped=_decode_equipped(data),
        attached={item: card for player in seats for item, card in player.get("attached", {}).items()},
        fresh=_decode_by_seat(data, "just_received", tuple),
        hindered=_decode_by_seat(data, "next_flight", int),
        trades=tuple(map(decode_trade, data.get("trades", ()))),
        combat=combat,
        fought=data.get("fought", combat is not None),
        winner=data.get("winner", NOBODY),
        way=data.get("way", ""),
    )
    try:
        agenda = _decode_agenda(data, table)
        check_agenda(agenda, len(data.get("pending_steps", ())), table)
    except DecodeError as unreadable:
        raise MalformedInput([build_error(unreadable.pointer, unreadable.detail)]) from None
    except Undetermined as unknown:
        raise MalformedInput(
            [build_error("/question", f"the position leaves out what this question needs: {unknown.need.key}")]
        ) from None
    zones |= _decode_pending(data, agenda)
    gone, errors = piles.decode_emptied_places(data.get("emptied", []), zones, _list_places(len(seats)))
    if errors:
        raise MalformedInput(errors)
    return replace_fields(table, agenda=agenda, zones={**zones, **gone})


def _expand_book_names(data: Data, edition: str) -> Data:
    """Return a position with the full names of a book's cards and powers."""
    cards = BOXES[edition].whole
    names = {
        strip_edition(name): name for card in cards for name in (card, *(power.name for power in FACES[card].powers))
    }
    found: Data = expand_card_names(data, names)
    for player in _select_mappings(found.get("seats")):
        if isinstance(attached := player.get("attached"), dict):
            player["attached"] = {names.get(item, item): card for item, card in attached.items()}
    return found


def _select_mappings(data: Any) -> list[Data]:
    return [each for each in data if isinstance(each, dict)] if isinstance(data, list) else []


# ---- reading the parts -----------------------------------------------------------------------------------------------


def _find_count_errors(data: Data) -> list[SchemaError]:
    listed = [(f"/{name}", data.get(name)) for name in PILES]
    listed += [(f"/seats/{seat}/hand", player.get("hand")) for seat, player in enumerate(data["seats"])]
    return [wrong for pointer, cards in listed for wrong in find_count_errors(pointer, cards)]


def _decode_rules(data: Data) -> Rules:
    agreed = {name: schema["default"] for name, schema in SETTINGS["properties"].items()} | data.get("settings", {})
    return Rules(
        seats=len(data["seats"]),
        cards_at_table=data.get("cards") == "table",
        dice_at_table=data.get("dice") == "table",
        named=tuple(data.get("named", ())),
        edition=data.get("edition", EDITION),
        **agreed,
    )


def _decode_turn(data: Data) -> int:
    """Return whose turn it is. Raises MalformedInput.

    If the position does not say it, it is the turn of main or of the player asked.
    """
    question = data.get("question") or {}
    if "turn" in data:
        turn: int | None = data["turn"]
        return NOBODY if turn is None else turn
    if question.get("asks") in BEFORE_THE_FIRST_TURN:
        return NOBODY
    seat = data.get("combat", {}).get("main")
    if seat is None and question.get("asks") == "calm":
        seat = question.get("seat")
    if seat is None:
        raise MalformedInput([build_error("/turn", "is missing, and the rest does not show whose turn it is")])
    return int(seat)


def _decode_zones(data: Data) -> dict[str, Cards]:
    """Return the cards of each place that is not empty."""
    zones = {place: decode_pile(data[name]) if name in data else (UNCOUNTED_CARDS,) for name, place in PILES.items()}
    zones[WON] = tuple(data.get("won", ()))
    for seat, player in enumerate(data["seats"]):
        for name, places in PLAYER_PLACES.items():
            zones[places[seat]] = decode_pile(player[name]) if name in player else (UNCOUNTED_CARDS,)
        zones[CORPSES[seat]] = tuple(player.get("left_behind", ()))
    return {place: cards for place, cards in zones.items() if cards}


def _decode_equipped(data: Data) -> Cards:
    """Return the items in use, sorted: those stated, else all that can be used."""
    used: list[str] = []
    for player in data["seats"]:
        items = decode_pile(player.get("items", []))
        used += player.get("in_use", [card for card in items if card != UNCOUNTED_CARDS and FACES[card].kind == "item"])
    return tuple(sorted(used))


def _decode_by_seat(data: Data, name: str, kind: Any) -> dict[str, Any]:
    return {str(seat): kind(player[name]) for seat, player in enumerate(data["seats"]) if name in player}


def _decode_pending(data: Data, agenda: Steps) -> dict[str, Cards]:
    """Return the cards being played: those stated, else those of the pending steps.

    MK-2.1: Each card is in exactly one place at any time.
    """
    cards = decode_pile(data["pending"]) if "pending" in data else collect_played_cards(agenda)
    return {PENDING: cards} if cards else {}


def _list_places(seats: int) -> set[str]:
    """Return the names of all places at a table."""
    own = (*PLAYER_PLACES.values(), CORPSES)
    return {PENDING, COMBAT, WON, *PILES.values(), *(places[seat] for places in own for seat in range(seats))}


def _decode_agenda(data: Data, table: Table) -> Steps:
    """Return the pending steps, the open question on top.

    Raises DecodeError, or Undetermined if the position says too little.
    """
    question = data.get("question", default_question(table))
    if question is None:
        return ()
    if "asks" in question:
        steps = build_question_steps(question, table)
    else:
        steps = (decode_named(question, Step, "/question"),)
    beneath = decode_steps(data["pending_steps"]) if "pending_steps" in data else build_steps_beneath(table, steps)
    return (*beneath, *steps)


# ---- writing ---------------------------------------------------------------------------------------------------------


def encode_position(table: Table) -> Data:
    """Return the position that states what this table knows.

    It leaves out what the table does not know.
    """
    rules, combat = table.rules, table.combat
    data: Data = {
        **({"edition": rules.edition} if rules.edition != EDITION else {}),
        "settings": {name: getattr(rules, name) for name in SETTINGS["properties"]},
        "cards": "table" if rules.cards_at_table else "server",
        "dice": "table" if rules.dice_at_table else "server",
        "seats": [_encode_player(table, seat) for seat in range(rules.seats)],
        "turn": None if table.turn == NOBODY else table.turn,
        "turns": table.turns,
    }
    for name, place in PILES.items():
        if (cards := written_pile(table.cards_at(place), True)) is not None:
            data[name] = cards
    if table.cards_at(WON):
        data["won"] = list(table.cards_at(WON))
    if combat is not None:
        data["combat"] = encode_combat(table, combat)
    if table.fought != (combat is not None):
        data["fought"] = table.fought
    lists = {"named": rules.named, "dead": table.dead, "bereft": table.bereft}
    data |= {name: list(seats) for name, seats in lists.items() if seats}
    if table.trades:
        data["trades"] = list(map(encode_trade, table.trades))
    data |= {"winner": table.winner} if table.winner != NOBODY else {}
    data |= {"way": table.way} if table.way else {}
    data |= encode_agenda(table)
    if table.cards_at(PENDING) != collect_played_cards(table.agenda):
        pending = written_pile(table.cards_at(PENDING), False)
        data["pending"] = {"more": True} if pending is None else pending
    emptied = sorted(place for place, cards in table.zones.items() if not cards)
    return data | ({"emptied": emptied} if emptied else {})


def _encode_player(table: Table, seat: int) -> Data:
    data: Data = {"level": table.levels[seat]}
    for name, places in PLAYER_PLACES.items():
        if (cards := written_pile(table.cards_at(places[seat]), name == "hand")) is not None:
            data[name] = cards
    items = table.cards_at(PLAYS[seat])
    if any(card != UNCOUNTED_CARDS for card in items):
        data["in_use"] = [card for card in items if card in table.equipped]
    if attached := {item: card for item, card in table.attached.items() if item in items}:
        data["attached"] = attached
    if str(seat) in table.fresh:
        data["just_received"] = list(table.fresh[str(seat)])
    if str(seat) in table.hindered:
        data["next_flight"] = table.hindered[str(seat)]
    if left := table.cards_at(CORPSES[seat]):
        data["left_behind"] = list(left)
    return data
