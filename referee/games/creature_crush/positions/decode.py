"""Read a position as a person writes it, and write one (KERNEL-POSITION-1).

What is left out is unknown, never empty. `decode_position` gives a table for every written position, `encode_position`
a position for every table, also for a view or a table of real cards. Each is the inverse of the other. `schema.py`
describes the form.
"""

from __future__ import annotations

from typing import Any

from referee.cardscript.positions import piles
from referee.cardscript.positions.piles import decode_pile, find_count_errors
from referee.cardscript.positions.piles import encode_pile as written_pile
from referee.cardscript.positions.schema_check import SchemaError, build_error, find_schema_errors
from referee.cardscript.positions.steps import Steps, decode_steps
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.codec import DecodeError, decode_named
from referee.engine.events import replace_fields
from referee.engine.game import ContradictoryPosition
from referee.engine.rulings import MalformedInput, Undetermined
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
    SEAT_BY_PLACE,
    SEATS,
    SOUGHT,
    VARIANTS,
    Rules,
)
from referee.games.creature_crush.positions import board
from referee.games.creature_crush.positions.contradictions import find_faults
from referee.games.creature_crush.positions.encode import encode_agenda
from referee.games.creature_crush.positions.names import CardNames, load_card_names
from referee.games.creature_crush.positions.questions.codec import TACTIC_QUESTIONS, build_base_steps, build_steps
from referee.games.creature_crush.positions.references import check_steps, find_flipped_cards, find_member_errors
from referee.games.creature_crush.positions.schema import build_schema
from referee.games.creature_crush.settings import SETTINGS
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY

UNKNOWN_IF_OMITTED = {"deck": DECKS, "hand": HANDS, "hell": HELLS}  # what is unknown if left out
EMPTY_IF_OMITTED = {"draft": DRAFTS, "sought": SOUGHT}  # what is empty if left out
BEFORE_THE_FIRST_TURN = ("keep", "bring_deck", "deck_ready", "first_turn")
PLAIN_FIELDS: dict[str, Any] = {  # fields of the table that a position writes as they are, with their defaults
    "burned": 0, "quiet": 0, "stirred": False, "drafted": 0, "offered": NOBODY, "winner": NOBODY, "way": ""
}  # fmt: skip
Data = dict[str, Any]


def decode_position(data: Data) -> Table:
    """Return the table that a position describes.

    Raises MalformedInput if its form is wrong, ContradictoryPosition if it cannot be.
    """
    table = decode_unchecked(data)
    if faults := find_faults(table):
        raise ContradictoryPosition(faults)
    return table


def decode_unchecked(data: Data) -> Table:
    """Return the table that a position describes, with any contradictions.

    Raises MalformedInput.
    """
    variant, edition = _decode_variant(data)
    names = load_card_names(variant, edition)
    errors = (
        list(find_schema_errors(build_schema(variant, edition), data))
        or _find_count_errors(data)
        or find_member_errors(data)
    )
    errors = errors or [*board.find_unpaid_errors(data, names), *board.find_change_errors(data, names)]
    if errors:
        raise MalformedInput(errors)
    zones, marks = board.decode_boards(data, names)
    zones |= _decode_piles(data, names)
    turn = _decode_turn(data)
    opener, turns = _decode_opener_and_turns(data, turn)
    table = Table(
        zones={place: cards for place, cards in zones.items() if cards},
        rules=_decode_rules(data, variant, edition),
        turn=turn,
        turns=turns,
        opener=opener,
        phase=_decode_phase(data, turn),
        dice=tuple(sorted(data.get("start_dice", ()))),
        extra=tuple(player.get("extra_dice", 0) for player in data["seats"]),
        entered=tuple(names.find_meant_card(card, zones) for card in data.get("entered", ())),
        lists=_decode_deck_lists(data, names),
        **{name: data.get(name, usual) for name, usual in PLAIN_FIELDS.items()},
        **marks,
    )
    try:
        agenda = _decode_agenda(data, table, names)
        check_steps(agenda, len(data.get("pending_steps", ())), table)
    except DecodeError as unreadable:
        raise MalformedInput([build_error(unreadable.pointer, unreadable.detail)]) from None
    except Undetermined as unknown:
        raise MalformedInput(
            [build_error("/question", f"the position leaves out what this needs: {unknown.need.key}")]
        ) from None
    zones = {**table.zones, **_decode_flipped(data, agenda, names)}
    gone, errors = piles.decode_emptied_places(data.get("emptied", []), zones, ALL_PLACES)
    if errors:
        raise MalformedInput(errors)
    return replace_fields(table, agenda=agenda, zones={**zones, **gone})


# ---- reading the parts -----------------------------------------------------------------------------------------------

ALL_PLACES = {POOL, *SEAT_BY_PLACE, *DECKS, *HANDS, *HELLS, *DRAFTS, *SOUGHT, *FLIPPED}


def _decode_variant(data: Any) -> tuple[str, str]:
    """Return the format and the edition of a position. Raises MalformedInput."""
    if not isinstance(data, dict):
        raise MalformedInput([build_error("", "an object is needed")])
    variant, edition = data.get("variant", VARIANTS[0]), data.get("edition", EDITION)
    if variant not in VARIANTS:
        raise MalformedInput([build_error("/variant", f"one of {', '.join(VARIANTS)}")])
    try:
        load_card_names(variant, edition)
    except (KeyError, TypeError):
        raise MalformedInput([build_error("/edition", "no such edition")]) from None
    return variant, edition


def _find_count_errors(data: Data) -> list[SchemaError]:
    said = [("/pool", data.get("pool"))]
    for seat, player in enumerate(data["seats"]):
        said += [(f"/seats/{seat}/{name}", player.get(name)) for name in ("deck", "hand", *EMPTY_IF_OMITTED)]
    return [wrong for pointer, cards in said for wrong in find_count_errors(pointer, cards)]


def _decode_rules(data: Data, variant: str, edition: str) -> Rules:
    agreed = {name: part["default"] for name, part in SETTINGS["properties"].items()} | data.get("settings", {})
    return Rules(
        variant=variant,
        edition=edition,
        cards_at_table=data.get("cards") == "table",
        dice_at_table=data.get("dice") == "table",
        named=tuple(data.get("named", ())),
        **agreed,
    )


def _decode_turn(data: Data) -> int:
    """Return the seat on turn: as written, or else the seat that is asked.

    Raises MalformedInput.
    """
    if "turn" in data:
        turn: int | None = data["turn"]
        return NOBODY if turn is None else turn
    question = data.get("question") or {}
    if question.get("asks") in BEFORE_THE_FIRST_TURN:
        return NOBODY
    if question.get("asks") not in ("combat", "tactic") or "seat" not in question:
        raise MalformedInput([build_error("/turn", "is missing, and the rest does not show whose turn it is")])
    return int(question["seat"])


def _decode_opener_and_turns(data: Data, turn: int) -> tuple[int, int]:
    """Return the seat that played the first turn, and the number of turns begun."""
    if turn == NOBODY:
        return data.get("opener", NOBODY), data.get("turns", 0)
    if "turns" not in data:
        opener = data.get("opener", 0)
        return opener, 3 if turn == opener else 4
    return data.get("opener", turn if data["turns"] % 2 else 1 - turn), data["turns"]


def _decode_phase(data: Data, turn: int) -> str:
    if "phase" in data or turn == NOBODY or data.get("question", {}) is None:
        return str(data.get("phase", ""))
    question = data.get("question") or {}
    return "tactic" if question.get("asks") in TACTIC_QUESTIONS else "combat"


def _decode_piles(data: Data, names: CardNames) -> dict[str, Cards]:
    """Return what lies in the piles and hands."""
    zones = {POOL: decode_pile(data["pool"]) if "pool" in data else (UNCOUNTED_CARDS,)}
    for seat, player in enumerate(data["seats"]):
        for name, places in UNKNOWN_IF_OMITTED.items():
            zones[places[seat]] = (
                names.find_cards(decode_pile(player[name]), seat) if name in player else (UNCOUNTED_CARDS,)
            )
        for name, places in EMPTY_IF_OMITTED.items():
            zones[places[seat]] = names.find_cards(decode_pile(player.get(name, [])), seat)
    zones[POOL] = tuple(names.find_meant_card(card, {}) for card in zones[POOL])
    return zones


def _decode_deck_lists(data: Data, names: CardNames) -> dict[str, Cards]:
    """Return the deck lists of the League, by seat."""
    players = enumerate(data["seats"])
    return {
        str(seat): tuple(map(names.find_deck_list_name, player["list"])) for seat, player in players if "list" in player
    }


def _decode_flipped(data: Data, agenda: Steps, names: CardNames) -> dict[str, Cards]:
    """Return the crush cards turned up: as written, or those of the pending steps.

    CC-CRUSH-3: When its effect has been handled, a flipped crush card goes to its player's hell.
    """
    zones = {}
    for seat, player in enumerate(data["seats"]):
        said = names.find_cards(player["flipped"], seat) if "flipped" in player else find_flipped_cards(agenda, seat)
        if said:
            zones[FLIPPED[seat]] = said
    return zones


def _decode_agenda(data: Data, table: Table, names: CardNames) -> Steps:
    """Return the steps of the question, and those beneath it.

    Raises DecodeError, or Undetermined if the position says too little.
    """
    said = data.get("question", {"asks": "combat"})
    if said is None:
        return ()
    if "asks" in said:
        steps = build_steps(names.resolve_question_names(said, table.zones, max(table.turn, 0)), table)
    else:
        steps = (decode_named(said, Step, "/question"),)
    beneath = decode_steps(data["pending_steps"]) if "pending_steps" in data else build_base_steps(table, steps)
    return (*beneath, *steps)


# ---- writing ---------------------------------------------------------------------------------------------------------


def encode_position(table: Table) -> Data:
    """Return the position that says what this table knows, and leaves out the rest."""
    rules = table.rules
    said: Data = {
        "variant": rules.variant,
        "settings": {name: getattr(rules, name) for name in SETTINGS["properties"]},
        "cards": "table" if rules.cards_at_table else "server",
        "dice": "table" if rules.dice_at_table else "server",
        "seats": [_encode_player(table, seat) for seat in SEATS],
        "turn": None if table.turn == NOBODY else table.turn,
        "turns": table.turns,
    }
    said |= {"edition": rules.edition} if rules.edition != EDITION else {}
    said |= {"named": list(rules.named)} if rules.named else {}
    said |= {"opener": table.opener} if table.opener != NOBODY else {}
    said |= {"phase": table.phase} if table.turn != NOBODY or table.phase else {}
    if (pool := written_pile(table.cards_at(POOL), True)) is not None:
        said["pool"] = pool
    said |= {"start_dice": list(table.dice)} if table.dice else {}
    said |= {"entered": list(table.entered)} if table.entered else {}
    said |= {name: getattr(table, name) for name, usual in PLAIN_FIELDS.items() if getattr(table, name) != usual}
    said |= encode_agenda(table)
    emptied = sorted(place for place, cards in table.zones.items() if not cards)
    return said | ({"emptied": emptied} if emptied else {})


def _encode_player(table: Table, seat: int) -> Data:
    said: Data = {"board": board.encode_board(table, seat)}
    for name, places in {**UNKNOWN_IF_OMITTED, **EMPTY_IF_OMITTED}.items():
        cards = written_pile(table.cards_at(places[seat]), name != "hell")
        if cards is not None and (cards or name in UNKNOWN_IF_OMITTED):
            said[name] = cards
    if table.extra[seat]:
        said["extra_dice"] = table.extra[seat]
    if str(seat) in table.lists:
        said["list"] = list(table.lists[str(seat)])
    if table.cards_at(FLIPPED[seat]) != find_flipped_cards(table.agenda, seat):
        said["flipped"] = list(table.cards_at(FLIPPED[seat]))
    return said
