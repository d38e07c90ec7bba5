"""A position as a person writes it, and back: what is left out is unknown, never empty (KERNEL-POSITION-1).

`read` gives a table for every written position, `write` a position for every table - also for a view, or a table of
real cards - and the one undoes the other. `form.py` describes the form.
"""

from __future__ import annotations

from typing import Any

from referee.cardscript.books.files import plain
from referee.cardscript.positions import piles
from referee.cardscript.positions.editions import spelt_out
from referee.cardscript.positions.piles import cards_of, miscounted
from referee.cardscript.positions.piles import written as written_pile
from referee.cardscript.positions.schema_check import Error, error, misfits, suggestion
from referee.cardscript.positions.steps import Steps, read_listed
from referee.cardscript.table import SOME
from referee.engine.codec import Unreadable, decode_named
from referee.engine.events import changed
from referee.engine.game import Impossible, Malformed
from referee.engine.rulings import Unknown
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
from referee.games.munchkin.positions.combats import combat_of, lying_in, trade_of, written_combat, written_trade
from referee.games.munchkin.positions.contradictions import impossible
from referee.games.munchkin.positions.encode import written_agenda
from referee.games.munchkin.positions.question_codec import bottom, built, usual
from referee.games.munchkin.positions.references import held, senseless, strangers
from referee.games.munchkin.positions.schema import schema
from referee.games.munchkin.settings import SETTINGS
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY

PILES = {
    "doors": DOORS, "treasures": TREASURES, "door_discard": DOOR_DISCARD, "treasure_discard": TREASURE_DISCARD
}  # fmt: skip
OF_A_PLAYER = {"hand": HANDS, "items": PLAYS, "towns": TOWNSHIP, "ride": RIDES, "curses": CURSES}
BEFORE_THE_FIRST_TURN = ("ready", "first_turn")
Data = dict[str, Any]


def read(data: Data) -> Table:
    """The table that a position describes. Raises Malformed, or Impossible where it cannot be."""
    table = understood(data)
    if faults := impossible(table):
        raise Impossible(faults)
    return table


def understood(data: Data) -> Table:
    """The table that a position describes, contradictions and all. Raises Malformed."""
    edition = data.get("edition", EDITION)
    if not isinstance(edition, str) or edition not in BOXES:
        raise Malformed([error("/edition", f"no such edition{suggestion(edition, BOXES)}")])
    data = _spelt_out(data, edition)
    errors = list(misfits(schema(edition), data)) or _miscounted(data) or strangers(data)
    if errors:
        raise Malformed(errors)
    turn = _turn(data)
    combat = combat_of(data["combat"], turn) if "combat" in data else None
    zones = _zones(data)
    if combat is not None and (lying := lying_in(data["combat"], combat)):
        zones[COMBAT] = lying
    seats = data["seats"]
    table = Table(
        zones=zones,
        rules=_rules(data),
        turn=turn,
        turns=data.get("turns", 0),
        levels=tuple(player["level"] for player in seats),
        dead=tuple(data.get("dead", ())),
        bereft=tuple(data.get("bereft", ())),
        equipped=_equipped(data),
        attached={item: card for player in seats for item, card in player.get("attached", {}).items()},
        fresh=_by_seat(data, "just_received", tuple),
        hindered=_by_seat(data, "next_flight", int),
        trades=tuple(map(trade_of, data.get("trades", ()))),
        combat=combat,
        fought=data.get("fought", combat is not None),
        winner=data.get("winner", NOBODY),
        way=data.get("way", ""),
    )
    try:
        agenda = _agenda(data, table)
        senseless(agenda, len(data.get("pending_steps", ())), table)
    except Unreadable as unreadable:
        raise Malformed([error(unreadable.pointer, unreadable.detail)]) from None
    except Unknown as unknown:
        raise Malformed([error("/question", f"the position says too little for it: {unknown.need.key}")]) from None
    zones |= _pending(data, agenda)
    gone, errors = piles.emptied(data.get("emptied", []), zones, _places(len(seats)))
    if errors:
        raise Malformed(errors)
    return changed(table, agenda=agenda, zones={**zones, **gone})


def _spelt_out(data: Data, edition: str) -> Data:
    """A position in which the cards of a book, and their powers, are called as they are everywhere."""
    cards = BOXES[edition].whole
    names = {plain(name): name for card in cards for name in (card, *(power.name for power in FACES[card].powers))}
    found: Data = spelt_out(data, names)
    for player in _mappings(found.get("seats")):
        if isinstance(attached := player.get("attached"), dict):
            player["attached"] = {names.get(item, item): card for item, card in attached.items()}
    return found


def _mappings(data: Any) -> list[Data]:
    return [each for each in data if isinstance(each, dict)] if isinstance(data, list) else []


# ---- reading the parts -----------------------------------------------------------------------------------------------


def _miscounted(data: Data) -> list[Error]:
    said = [(f"/{name}", data.get(name)) for name in PILES]
    said += [(f"/seats/{seat}/hand", player.get("hand")) for seat, player in enumerate(data["seats"])]
    return [wrong for pointer, cards in said for wrong in miscounted(pointer, cards)]


def _rules(data: Data) -> Rules:
    agreed = {name: schema["default"] for name, schema in SETTINGS["properties"].items()} | data.get("settings", {})
    return Rules(
        seats=len(data["seats"]),
        cards_at_table=data.get("cards") == "table",
        dice_at_table=data.get("dice") == "table",
        named=tuple(data.get("named", ())),
        edition=data.get("edition", EDITION),
        **agreed,
    )


def _turn(data: Data) -> int:
    """Whose turn it is: as said, else that of main or of who is asked. Raises Malformed."""
    question = data.get("question") or {}
    if "turn" in data:
        turn: int | None = data["turn"]
        return NOBODY if turn is None else turn
    if question.get("asks") in BEFORE_THE_FIRST_TURN:
        return NOBODY
    said = data.get("combat", {}).get("main")
    if said is None and question.get("asks") == "calm":
        said = question.get("seat")
    if said is None:
        raise Malformed([error("/turn", "is missing: whose turn is it?")])
    return int(said)


def _zones(data: Data) -> dict[str, Cards]:
    """What lies where; an empty place is not listed."""
    zones = {place: cards_of(data[name]) if name in data else (SOME,) for name, place in PILES.items()}
    zones[WON] = tuple(data.get("won", ()))
    for seat, player in enumerate(data["seats"]):
        for name, places in OF_A_PLAYER.items():
            zones[places[seat]] = cards_of(player[name]) if name in player else (SOME,)
        zones[CORPSES[seat]] = tuple(player.get("left_behind", ()))
    return {place: cards for place, cards in zones.items() if cards}


def _equipped(data: Data) -> Cards:
    """The items in use, in one order for all: as said, else all that can be used."""
    used: list[str] = []
    for player in data["seats"]:
        items = cards_of(player.get("items", []))
        used += player.get("in_use", [card for card in items if card != SOME and FACES[card].kind == "item"])
    return tuple(sorted(used))


def _by_seat(data: Data, name: str, kind: Any) -> dict[str, Any]:
    return {str(seat): kind(player[name]) for seat, player in enumerate(data["seats"]) if name in player}


def _pending(data: Data, agenda: Steps) -> dict[str, Cards]:
    """The cards being played: as said, else those that the pending steps speak of (MK-2.1)."""
    cards = cards_of(data["pending"]) if "pending" in data else held(agenda)
    return {PENDING: cards} if cards else {}


def _places(seats: int) -> set[str]:
    """The names of all places at a table."""
    own = (*OF_A_PLAYER.values(), CORPSES)
    return {PENDING, COMBAT, WON, *PILES.values(), *(places[seat] for places in own for seat in range(seats))}


def _agenda(data: Data, table: Table) -> Steps:
    """What is asked, and what waits beneath. Raises Unreadable; Unknown if the position says too little."""
    said = data.get("question", usual(table))
    if said is None:
        return ()
    if "asks" in said:
        steps = built(said, table)
    else:
        steps = (decode_named(said, Step, "/question"),)
    beneath = read_listed(data["pending_steps"]) if "pending_steps" in data else bottom(table, steps)
    return (*beneath, *steps)


# ---- writing ---------------------------------------------------------------------------------------------------------


def write(table: Table) -> Data:
    """The position that says what this table knows; what it does not know is left out."""
    rules, combat = table.rules, table.combat
    said: Data = {
        **({"edition": rules.edition} if rules.edition != EDITION else {}),
        "settings": {name: getattr(rules, name) for name in SETTINGS["properties"]},
        "cards": "table" if rules.cards_at_table else "server",
        "dice": "table" if rules.dice_at_table else "server",
        "seats": [_player(table, seat) for seat in range(rules.seats)],
        "turn": None if table.turn == NOBODY else table.turn,
        "turns": table.turns,
    }
    for name, place in PILES.items():
        if (cards := written_pile(table.place(place), True)) is not None:
            said[name] = cards
    if table.place(WON):
        said["won"] = list(table.place(WON))
    if combat is not None:
        said["combat"] = written_combat(table, combat)
    if table.fought != (combat is not None):
        said["fought"] = table.fought
    lists = {"named": rules.named, "dead": table.dead, "bereft": table.bereft}
    said |= {name: list(seats) for name, seats in lists.items() if seats}
    if table.trades:
        said["trades"] = list(map(written_trade, table.trades))
    said |= {"winner": table.winner} if table.winner != NOBODY else {}
    said |= {"way": table.way} if table.way else {}
    said |= written_agenda(table)
    if table.place(PENDING) != held(table.agenda):
        pending = written_pile(table.place(PENDING), False)
        said["pending"] = {"more": True} if pending is None else pending
    emptied = sorted(place for place, cards in table.zones.items() if not cards)
    return said | ({"emptied": emptied} if emptied else {})


def _player(table: Table, seat: int) -> Data:
    said: Data = {"level": table.levels[seat]}
    for name, places in OF_A_PLAYER.items():
        if (cards := written_pile(table.place(places[seat]), name == "hand")) is not None:
            said[name] = cards
    items = table.place(PLAYS[seat])
    if any(card != SOME for card in items):
        said["in_use"] = [card for card in items if card in table.equipped]
    if attached := {item: card for item, card in table.attached.items() if item in items}:
        said["attached"] = attached
    if str(seat) in table.fresh:
        said["just_received"] = list(table.fresh[str(seat)])
    if str(seat) in table.hindered:
        said["next_flight"] = table.hindered[str(seat)]
    if left := table.place(CORPSES[seat]):
        said["left_behind"] = list(left)
    return said
