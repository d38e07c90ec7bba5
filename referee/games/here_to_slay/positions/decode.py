"""Decode and encode positions.

`decode_position` makes a table of every written position, and `encode_position` a position of every table, even of a
view or a table of real cards. Each undoes the other. `schema.py` describes the form.
KERNEL-POSITION-1: What a written position leaves out is unknown, not empty. A ruling that needs it stays undecided and
    asks for it.
"""

from __future__ import annotations

from typing import Any

from referee.cardscript.positions import piles
from referee.cardscript.positions.editions import expand_card_names
from referee.cardscript.positions.piles import decode_pile, find_count_errors
from referee.cardscript.positions.piles import encode_pile as written_pile
from referee.cardscript.positions.schema_check import SchemaError, build_error, find_schema_errors, suggest_name
from referee.cardscript.positions.steps import decode_steps
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.codec import DecodeError, decode_named
from referee.engine.events import replace_fields
from referee.engine.game import ContradictoryPosition
from referee.engine.rulebook.editions import strip_edition
from referee.engine.rulings import MalformedInput, Undetermined
from referee.engine.steps import Step
from referee.engine.zones import Cards
from referee.games.here_to_slay.components import (
    BOXED,
    BOXES,
    DECK,
    DISCARD,
    FACES,
    HANDS,
    LEADER,
    LEADERS,
    MONSTERS,
    PARTIES,
    PENDING,
    PRINTED,
    ROW,
    SLAIN,
    Rules,
)
from referee.games.here_to_slay.positions.contradictions import find_faults
from referee.games.here_to_slay.positions.encode import encode_agenda
from referee.games.here_to_slay.positions.question_codec import (
    UndeterminedQuestion,
    build_question_steps,
    build_steps_beneath,
)
from referee.games.here_to_slay.positions.references import check_steps, collect_pending_cards
from referee.games.here_to_slay.positions.schema import build_position_schema
from referee.games.here_to_slay.settings import SETTINGS
from referee.games.here_to_slay.state import NOBODY, Table, item_place_of
from referee.games.here_to_slay.values import LastingEffect

PILES = {"row": ROW, "monsters": MONSTERS, "deck": DECK, "discard": DISCARD, "leaders": LEADERS, "box": BOXED}
SETUP_QUESTIONS = ("pick_leader", "first_pick")
Data = dict[str, Any]


def decode_position(data: Data) -> Table:
    """Return the table that a position describes.

    Raises MalformedInput, or ContradictoryPosition if the position cannot exist.
    """
    table = decode_unchecked(data)
    faults = find_faults(table)
    if faults:
        raise ContradictoryPosition(faults)
    return table


def decode_unchecked(data: Data) -> Table:
    """Return the table that a position describes, even if it contradicts itself.

    Raises MalformedInput.
    """
    edition = data.get("edition", PRINTED)
    if not isinstance(edition, str) or edition not in BOXES:
        raise MalformedInput([build_error("/edition", f"no such edition{suggest_name(edition, BOXES)}")])
    data = expand_card_names(data, {strip_edition(card): card for card in BOXES[edition].all_cards})
    errors = list(find_schema_errors(build_position_schema(edition), data))
    if not errors:
        errors = list(_find_reference_errors(data))
    if errors:
        raise MalformedInput(errors)
    table = Table(
        zones=_decode_zones(data),
        rules=_decode_rules(data),
        turn=_decode_turn(data),
        turns=data.get("turns", 0),
        points=data.get("points"),
        rolled=tuple(data["marked"]) if "marked" in data else None,
        used=data.get("leader_used"),
        lasting=tuple(LastingEffect(**each) for each in data.get("lasting", ())),
        picked=tuple(data.get("picked", ())),
        gone=tuple(data.get("left", ())),
        winner=data.get("winner", NOBODY),
        way=data.get("way", ""),
    )
    try:
        agenda = _decode_agenda(data, table)
        beneath = len(data.get("pending_steps", ()))
        check_steps(agenda, beneath, table)
    except DecodeError as unreadable:
        raise MalformedInput([build_error(unreadable.pointer, unreadable.detail)]) from None
    zones = {**table.zones, **_decode_pending(data, agenda)}
    return replace_fields(table, agenda=agenda, zones={**zones, **_decode_emptied(data, table.rules, zones)})


# ---- reading the parts -----------------------------------------------------------------------------------------------


def _find_reference_errors(data: Data) -> list[SchemaError]:
    """Yield the errors of unknown seats, and of members that do not fit together."""
    seats, errors = len(data["seats"]), []
    named_seats: list[tuple[str, Any]] = [(f"/{name}", data.get(name)) for name in ("turn", "winner")]
    for name in ("named", "picked", "left"):
        named_seats += [(f"/{name}/{at}", seat) for at, seat in enumerate(data.get(name, ()))]
        if len(set(data.get(name, ()))) != len(data.get(name, ())):
            errors.append(build_error(f"/{name}", "name each seat only once"))
    named_seats += [(f"/lasting/{at}/seat", each["seat"]) for at, each in enumerate(data.get("lasting", ()))]
    errors += [
        build_error(at, f"seats are numbered from 0 to {seats - 1}")
        for at, seat in named_seats
        if seat is not None and seat >= seats
    ]
    if ("winner" in data) != ("way" in data):
        errors.append(build_error("/way", "give both winner and way, or neither"))
    if data.get("named") and data.get("cards") != "table":
        errors.append(
            build_error(
                "/named", "cards are named to the referee only with real cards: leave this out, or set `cards` to table"
            )
        )
    for pointer, cards in [(f"/{name}", data.get(name)) for name in PILES] + [
        (f"/seats/{seat}/hand", player.get("hand")) for seat, player in enumerate(data["seats"])
    ]:
        errors += find_count_errors(pointer, cards)
    return errors


def _decode_rules(data: Data) -> Rules:
    agreed = {name: schema["default"] for name, schema in SETTINGS["properties"].items()} | data.get("settings", {})
    return Rules(
        seats=len(data["seats"]),
        cards_at_table=data.get("cards") == "table",
        dice_at_table=data.get("dice") == "table",
        named=tuple(data.get("named", ())),
        edition=data.get("edition", PRINTED),
        **agreed,
    )


def _decode_turn(data: Data) -> int | None:
    question = data.get("question") or {}
    usual = NOBODY if question.get("asks") in SETUP_QUESTIONS else None
    turn: int | None = data.get("turn", usual)
    return NOBODY if "turn" in data and turn is None else turn


def _decode_zones(data: Data) -> dict[str, Cards]:
    """Return the cards of each place. Empty places are left out."""
    zones = {place: decode_pile(data[name]) if name in data else (UNCOUNTED_CARDS,) for name, place in PILES.items()}
    for seat, player in enumerate(data["seats"]):
        zones[HANDS[seat]] = decode_pile(player["hand"]) if "hand" in player else (UNCOUNTED_CARDS,)
        zones[SLAIN[seat]] = decode_pile(player["slain"]) if "slain" in player else (UNCOUNTED_CARDS,)
        zones[LEADER[seat]] = (
            ((player["leader"],) if player["leader"] else ()) if "leader" in player else (UNCOUNTED_CARDS,)
        )
        zones[PARTIES[seat]] = (UNCOUNTED_CARDS,)
        if "party" in player:
            party = player["party"] if isinstance(player["party"], dict) else {"cards": player["party"]}
            members = party.get("cards", [])
            heroes = [each if isinstance(each, dict) else {"hero": each, "item": None} for each in members]
            more = (UNCOUNTED_CARDS,) if party.get("more") else ()
            zones[PARTIES[seat]] = (*(each["hero"] for each in heroes if "hero" in each), *more)
            for each in heroes:
                item = each.get("item", UNCOUNTED_CARDS)
                if item is not None:
                    place = item_place_of(each.get("hero", ""))  # an item without a hero is reported by `find_faults`
                    zones[place] = (*zones.get(place, ()), item)
    return {place: cards for place, cards in zones.items() if cards}


def _decode_pending(data: Data, agenda: tuple[Step, ...]) -> dict[str, Cards]:
    """Return the cards being played: as written, else those of the pending steps.

    HTS-ZONE-5: A card that is being played is pending: face up, out of the hand and not yet on any pile, so nobody can
        pull it, search for it or shuffle it in.
    """
    if "pending" in data:
        cards = decode_pile(data["pending"])
    elif any(isinstance(step, UndeterminedQuestion) and step.said for step in agenda):
        cards = (UNCOUNTED_CARDS,)
    else:
        cards = collect_pending_cards(agenda)
    return {PENDING: cards} if cards else {}


def _decode_emptied(data: Data, rules: Rules, zones: dict[str, Cards]) -> dict[str, Cards]:
    """Return the places that are known to have become empty. Raises MalformedInput."""
    seats = range(len(data["seats"]))
    places = {
        PENDING,
        *PILES.values(),
        *(item_place_of(card) for card in rules.boxes.main if FACES[card].kind == "hero"),
    }
    places |= {place[seat] for place in (HANDS, PARTIES, SLAIN, LEADER) for seat in seats}
    found, errors = piles.decode_emptied_places(data.get("emptied", []), zones, places)
    if errors:
        raise MalformedInput(errors)
    return found


def _decode_agenda(data: Data, table: Table) -> tuple[Step, ...]:
    """Return the open question and what waits beneath it. Raises DecodeError."""
    question = data.get("question", {"asks": "act"})
    if question is None:
        return ()
    beneath: tuple[Step, ...] | None = None
    if "pending_steps" in data:
        beneath = decode_steps(data["pending_steps"])
    if "asks" not in question:
        step = decode_named(question, Step, "/question")
        return (*(build_steps_beneath(table, (step,)) if beneath is None else beneath), step)
    try:
        steps = build_question_steps(question, table)
    except Undetermined as unknown:
        return (
            *(beneath or ()),
            UndeterminedQuestion(unknown.need.key, unknown.need.params, data.get("question") or {}),
        )
    return (*(build_steps_beneath(table, steps) if beneath is None else beneath), *steps)


# ---- writing ---------------------------------------------------------------------------------------------------------


def encode_position(table: Table) -> Data:
    """Return the position that says what this table knows.

    Unknown members are left out.
    """
    rules = table.rules
    position: Data = {
        **({"edition": rules.edition} if rules.edition != PRINTED else {}),
        "settings": {name: getattr(rules, name) for name in SETTINGS["properties"]},
        "cards": "table" if rules.cards_at_table else "server",
        "dice": "table" if rules.dice_at_table else "server",
        "seats": [_encode_player(table, seat) for seat in range(rules.seats)],
        "turns": table.turns,
    }
    for name, place in PILES.items():
        if (cards := written_pile(table.cards_at(place), name not in ("row", "leaders", "box"))) is not None:
            position[name] = cards
    marked = None if table.rolled is None else list(table.rolled)
    known = {"points": table.points, "leader_used": table.used, "marked": marked, "turn": table.turn}
    position |= {name: value for name, value in known.items() if value is not None}
    if table.turn == NOBODY:
        position["turn"] = None
    if table.lasting:
        position["lasting"] = [vars(each) for each in table.lasting]
    lists = {"named": rules.named, "picked": table.picked, "left": table.gone}
    position |= {name: list(seats) for name, seats in lists.items() if seats}
    if table.winner != NOBODY:
        position |= {"winner": table.winner, "way": table.way}
    position |= encode_agenda(table)
    if table.cards_at(PENDING) != _decode_pending({}, table.agenda).get(PENDING, ()):
        pending = written_pile(table.cards_at(PENDING), False)
        position["pending"] = {"more": True} if pending is None else pending
    emptied = sorted(place for place, cards in table.zones.items() if not cards)
    return position | ({"emptied": emptied} if emptied else {})


def _encode_player(table: Table, seat: int) -> Data:
    player: Data = {}
    if (leader := table.cards_at(LEADER[seat])) != (UNCOUNTED_CARDS,):
        player["leader"] = leader[0] if leader else None
    if (hand := written_pile(table.cards_at(HANDS[seat]), True)) is not None:
        player["hand"] = hand
    if (party := table.cards_at(PARTIES[seat])) != (UNCOUNTED_CARDS,):
        members = [
            _encode_member(hero, table.cards_at(item_place_of(hero))) for hero in party if hero != UNCOUNTED_CARDS
        ]
        player["party"] = {"cards": members, "more": True} if UNCOUNTED_CARDS in party else members
    if (slain := written_pile(table.cards_at(SLAIN[seat]), False)) is not None:
        player["slain"] = slain
    return player


def _encode_member(hero: str, carried: Cards) -> Any:
    if not carried:
        return hero
    return {"hero": hero} if carried == (UNCOUNTED_CARDS,) else {"hero": hero, "item": carried[0]}
