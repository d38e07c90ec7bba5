"""A position as a person writes it, and back: what is left out is unknown, never empty (KERNEL-POSITION-1).

`read` gives a table for every written position, `write` a position for every table - also for a view, or a table of
real cards - and the one undoes the other. `form.py` describes the form.
"""

from __future__ import annotations

from typing import Any

from referee.cardscript.positions import piles
from referee.cardscript.positions.piles import cards_of, miscounted
from referee.cardscript.positions.piles import written as written_pile
from referee.cardscript.positions.schema_check import Error, error, misfits
from referee.cardscript.positions.steps import Steps, read_listed
from referee.cardscript.table import SOME
from referee.engine.codec import Unreadable, decode_named
from referee.engine.events import changed
from referee.engine.game import Impossible, Malformed
from referee.engine.rulings import Unknown
from referee.engine.steps import Step
from referee.engine.zones import Cards
from referee.games.creature_crush.components import (
    DECKS,
    DRAFTS,
    EDITION,
    FLIPPED,
    HANDS,
    HELLS,
    POOL,
    SEAT_OF,
    SEATS,
    SOUGHT,
    VARIANTS,
    Rules,
)
from referee.games.creature_crush.positions import board
from referee.games.creature_crush.positions.contradictions import impossible
from referee.games.creature_crush.positions.encode import written_agenda
from referee.games.creature_crush.positions.names import Names, names_of
from referee.games.creature_crush.positions.questions.codec import TACTIC, bottom, built
from referee.games.creature_crush.positions.references import held, senseless, strangers
from referee.games.creature_crush.positions.schema import schema
from referee.games.creature_crush.settings import SETTINGS
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY

UNKNOWN = {"deck": DECKS, "hand": HANDS, "hell": HELLS}  # what is unknown if left out
EMPTY = {"draft": DRAFTS, "sought": SOUGHT}  # what is empty if left out
BEFORE_THE_FIRST_TURN = ("keep", "bring_deck", "deck_ready", "first_turn")
PLAIN: dict[str, Any] = {  # fields of the table that a position says as they are, and what they are if left out
    "burned": 0, "quiet": 0, "stirred": False, "drafted": 0, "offered": NOBODY, "winner": NOBODY, "way": ""
}  # fmt: skip
Data = dict[str, Any]


def read(data: Data) -> Table:
    """The table that a position describes. Raises Malformed, or Impossible where it cannot be."""
    table = understood(data)
    if faults := impossible(table):
        raise Impossible(faults)
    return table


def understood(data: Data) -> Table:
    """The table that a position describes, contradictions and all. Raises Malformed."""
    variant, edition = _played(data)
    names = names_of(variant, edition)
    errors = list(misfits(schema(variant, edition), data)) or _miscounted(data) or strangers(data)
    errors = errors or [*board.unpaid(data, names), *board.strange_changes(data, names)]
    if errors:
        raise Malformed(errors)
    zones, marks = board.read(data, names)
    zones |= _piles(data, names)
    turn = _turn(data)
    opener, turns = _turns(data, turn)
    table = Table(
        zones={place: cards for place, cards in zones.items() if cards},
        rules=_rules(data, variant, edition),
        turn=turn,
        turns=turns,
        opener=opener,
        phase=_phase(data, turn),
        dice=tuple(sorted(data.get("start_dice", ()))),
        extra=tuple(player.get("extra_dice", 0) for player in data["seats"]),
        entered=tuple(names.meant(card, zones) for card in data.get("entered", ())),
        lists=_lists(data, names),
        **{name: data.get(name, usual) for name, usual in PLAIN.items()},
        **marks,
    )
    try:
        agenda = _agenda(data, table, names)
        senseless(agenda, len(data.get("pending_steps", ())), table)
    except Unreadable as unreadable:
        raise Malformed([error(unreadable.pointer, unreadable.detail)]) from None
    except Unknown as unknown:
        raise Malformed([error("/question", f"the position says too little for it: {unknown.need.key}")]) from None
    zones = {**table.zones, **_flipped(data, agenda, names)}
    gone, errors = piles.emptied(data.get("emptied", []), zones, PLACES)
    if errors:
        raise Malformed(errors)
    return changed(table, agenda=agenda, zones={**zones, **gone})


# ---- reading the parts -----------------------------------------------------------------------------------------------

PLACES = {POOL, *SEAT_OF, *DECKS, *HANDS, *HELLS, *DRAFTS, *SOUGHT, *FLIPPED}


def _played(data: Any) -> tuple[str, str]:
    """The format and the edition of a position. Raises Malformed."""
    if not isinstance(data, dict):
        raise Malformed([error("", "object is needed")])
    variant, edition = data.get("variant", VARIANTS[0]), data.get("edition", EDITION)
    if variant not in VARIANTS:
        raise Malformed([error("/variant", f"one of {', '.join(VARIANTS)}")])
    try:
        names_of(variant, edition)
    except (KeyError, TypeError):
        raise Malformed([error("/edition", "no such edition")]) from None
    return variant, edition


def _miscounted(data: Data) -> list[Error]:
    said = [("/pool", data.get("pool"))]
    for seat, player in enumerate(data["seats"]):
        said += [(f"/seats/{seat}/{name}", player.get(name)) for name in ("deck", "hand", *EMPTY)]
    return [wrong for pointer, cards in said for wrong in miscounted(pointer, cards)]


def _rules(data: Data, variant: str, edition: str) -> Rules:
    agreed = {name: part["default"] for name, part in SETTINGS["properties"].items()} | data.get("settings", {})
    return Rules(
        variant=variant,
        edition=edition,
        cards_at_table=data.get("cards") == "table",
        dice_at_table=data.get("dice") == "table",
        named=tuple(data.get("named", ())),
        **agreed,
    )


def _turn(data: Data) -> int:
    """Whose turn it is: as said, else that of who is asked. Raises Malformed."""
    if "turn" in data:
        turn: int | None = data["turn"]
        return NOBODY if turn is None else turn
    question = data.get("question") or {}
    if question.get("asks") in BEFORE_THE_FIRST_TURN:
        return NOBODY
    if question.get("asks") not in ("combat", "tactic") or "seat" not in question:
        raise Malformed([error("/turn", "is missing: whose turn is it?")])
    return int(question["seat"])


def _turns(data: Data, turn: int) -> tuple[int, int]:
    """Who played the first turn, and how many have begun."""
    if turn == NOBODY:
        return data.get("opener", NOBODY), data.get("turns", 0)
    if "turns" not in data:
        opener = data.get("opener", 0)
        return opener, 3 if turn == opener else 4
    return data.get("opener", turn if data["turns"] % 2 else 1 - turn), data["turns"]


def _phase(data: Data, turn: int) -> str:
    if "phase" in data or turn == NOBODY or data.get("question", {}) is None:
        return str(data.get("phase", ""))
    question = data.get("question") or {}
    return "tactic" if question.get("asks") in TACTIC else "combat"


def _piles(data: Data, names: Names) -> dict[str, Cards]:
    """What lies in the piles and hands."""
    zones = {POOL: cards_of(data["pool"]) if "pool" in data else (SOME,)}
    for seat, player in enumerate(data["seats"]):
        for name, places in UNKNOWN.items():
            zones[places[seat]] = names.all_of(cards_of(player[name]), seat) if name in player else (SOME,)
        for name, places in EMPTY.items():
            zones[places[seat]] = names.all_of(cards_of(player.get(name, [])), seat)
    zones[POOL] = tuple(names.meant(card, {}) for card in zones[POOL])
    return zones


def _lists(data: Data, names: Names) -> dict[str, Cards]:
    """The deck lists of the League, by seat."""
    players = enumerate(data["seats"])
    return {str(seat): tuple(map(names.listed, player["list"])) for seat, player in players if "list" in player}


def _flipped(data: Data, agenda: Steps, names: Names) -> dict[str, Cards]:
    """The crush cards turned up: as said, else those that the pending steps speak of (CC-CRUSH-3)."""
    zones = {}
    for seat, player in enumerate(data["seats"]):
        said = names.all_of(player["flipped"], seat) if "flipped" in player else held(agenda, seat)
        if said:
            zones[FLIPPED[seat]] = said
    return zones


def _agenda(data: Data, table: Table, names: Names) -> Steps:
    """What is asked, and what waits beneath. Raises Unreadable; Unknown if the position says too little."""
    said = data.get("question", {"asks": "combat"})
    if said is None:
        return ()
    if "asks" in said:
        steps = built(names.in_question(said, table.zones, max(table.turn, 0)), table)
    else:
        steps = (decode_named(said, Step, "/question"),)
    beneath = read_listed(data["pending_steps"]) if "pending_steps" in data else bottom(table, steps)
    return (*beneath, *steps)


# ---- writing ---------------------------------------------------------------------------------------------------------


def write(table: Table) -> Data:
    """The position that says what this table knows; what it does not know is left out."""
    rules = table.rules
    said: Data = {
        "variant": rules.variant,
        "settings": {name: getattr(rules, name) for name in SETTINGS["properties"]},
        "cards": "table" if rules.cards_at_table else "server",
        "dice": "table" if rules.dice_at_table else "server",
        "seats": [_player(table, seat) for seat in SEATS],
        "turn": None if table.turn == NOBODY else table.turn,
        "turns": table.turns,
    }
    said |= {"edition": rules.edition} if rules.edition != EDITION else {}
    said |= {"named": list(rules.named)} if rules.named else {}
    said |= {"opener": table.opener} if table.opener != NOBODY else {}
    said |= {"phase": table.phase} if table.turn != NOBODY or table.phase else {}
    if (pool := written_pile(table.place(POOL), True)) is not None:
        said["pool"] = pool
    said |= {"start_dice": list(table.dice)} if table.dice else {}
    said |= {"entered": list(table.entered)} if table.entered else {}
    said |= {name: getattr(table, name) for name, usual in PLAIN.items() if getattr(table, name) != usual}
    said |= written_agenda(table)
    emptied = sorted(place for place, cards in table.zones.items() if not cards)
    return said | ({"emptied": emptied} if emptied else {})


def _player(table: Table, seat: int) -> Data:
    said: Data = {"board": board.written(table, seat)}
    for name, places in {**UNKNOWN, **EMPTY}.items():
        cards = written_pile(table.place(places[seat]), name != "hell")
        if cards is not None and (cards or name in UNKNOWN):
            said[name] = cards
    if table.extra[seat]:
        said["extra_dice"] = table.extra[seat]
    if str(seat) in table.lists:
        said["list"] = list(table.lists[str(seat)])
    if table.place(FLIPPED[seat]) != held(table.agenda, seat):
        said["flipped"] = list(table.place(FLIPPED[seat]))
    return said
