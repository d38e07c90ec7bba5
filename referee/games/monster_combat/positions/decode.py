"""A position as a person writes it, and back: what is left out is unknown, never empty (KERNEL-POSITION-1).

`read` gives a table for every written position, `write` a position for every table - also for a view, or a table of
real cards - and the one undoes the other. `position_form.py` describes the form.
"""

from __future__ import annotations

from typing import Any

from referee.engine.codec import Unreadable
from referee.engine.game import Impossible, Malformed, fits
from referee.engine.steps import Step
from referee.engine.zones import Cards
from referee.games.monster_combat.components import LAST_MONSTER, Rules
from referee.games.monster_combat.positions.cards import Errors, read_cards, with_backs, write_cards
from referee.games.monster_combat.positions.contradictions import PILES, impossible
from referee.games.monster_combat.positions.questions import (
    ASKED,
    STEPS,
    Unasked,
    agenda_of,
    read_step,
    seats_named,
    written_agenda,
)
from referee.games.monster_combat.positions.schema import MEMBERS, QUESTIONS, SETTINGS
from referee.games.monster_combat.rules.attacks import Lightning
from referee.games.monster_combat.state import FULL, HANDS, NOBODY, SOME, Table

TOPS = {"plain": "?", "trigger": "?trigger", "none": ""}
DIRECTIONS = {"clockwise": 1, "counterclockwise": -1}


def read(data: dict[str, Any]) -> Table:
    """The table that a position describes. Raises Malformed, or Impossible where it cannot be."""
    errors: Errors = []
    rules = read_rules(data, errors)
    zones, players = read_zones(data, rules), list(enumerate(data["players"]))
    table = Table(
        zones=zones,
        rules=rules,
        hearts=tuple(_number(each, "hearts", (0, FULL), f"/players/{at}", errors) for at, each in players),
        immune=tuple(_truth(each, "immune", f"/players/{at}", errors) for at, each in players),
        turn=_seat_or_nobody(data, "turn", rules, "", errors),
        direction=_word(data, "direction", DIRECTIONS, errors),
        skipped=NOBODY if rules.against_monsters else _seat_or_nobody(data, "skipped", rules, "", errors),
        top=_word(data, "top_of_draw_pile", TOPS, errors),
        fallen=_seats(data, "fallen", rules, errors) if "fallen" in data else None,
        **_monster(data, rules, errors),
    )
    table = Table(**{**vars(table), "agenda": _agenda(data, table, errors)})
    if errors:
        raise Malformed(errors)
    faults = impossible(table)
    if faults:
        raise Impossible(faults)
    return table


def write(table: Table) -> dict[str, Any]:
    """The position that says what this table knows; what it does not know is left out."""
    rules, settings = table.rules, {name: getattr(table.rules, name) for name in SETTINGS["properties"]}
    settings["first_player"] = "drawn" if rules.first_player is None else rules.first_player
    said: dict[str, Any] = {
        "variant": rules.variant,
        "settings": settings,
        "cards": "table" if rules.at_table else "server",
        "named": list(rules.named),
        "players": [
            _known(hearts=_or_out(hearts), immune=_or_out(immune), hand=_cards(table, hand))
            for hearts, immune, hand in zip(table.hearts, table.immune, HANDS, strict=False)
        ],
        **_known(**{name: _cards(table, place) for name, place in PILES.items()}),
        **_known(
            turn=_or_null(table.turn),
            direction=_word_for(DIRECTIONS, table.direction),
            top_of_draw_pile=_word_for(TOPS, table.top),
            fallen=LEFT_OUT if table.fallen is None else list(table.fallen),
        ),
    }
    if rules.against_monsters:
        number, hearts = _or_out(table.monster), _or_out(table.monster_hearts)
        said["monster"] = _known(number=number, hearts=hearts, asleep_until=_or_null(table.sleeper))
    else:
        said |= _known(skipped=_or_null(table.skipped))
    return said | written_agenda(table)


LEFT_OUT = object()  # stands where a position says nothing


def _known(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not LEFT_OUT}


def _or_out(value: Any) -> Any:
    return LEFT_OUT if value is None else value


def _or_null(seat: int | None) -> Any:
    return LEFT_OUT if seat is None else None if seat == NOBODY else seat


def _word_for(words: dict[str, Any], value: Any) -> Any:
    return next((word for word, meant in words.items() if meant == value), LEFT_OUT)


def _cards(table: Table, place: str) -> Any:
    return _or_out(write_cards(table.place(place)))


# ---- reading the parts ---------------------------------------------------------------------------------------


def read_rules(data: dict[str, Any], errors: Errors) -> Rules:
    """What was agreed before the match. Raises Malformed at once: without it nothing else can be read."""
    errors += [{"pointer": f"/{name}", "detail": "no such member"} for name in data.keys() - MEMBERS.keys()]
    players, settings = data.get("players"), data.get("settings", {})
    players = players if isinstance(players, list) and all(isinstance(each, dict) for each in players) else []
    if not 2 <= len(players) <= 7:
        errors.append({"pointer": "/players", "detail": "a list of 2 to 7 players is needed, in the order of seats"})
    if data.get("variant") not in ("V1", "V2"):
        errors.append({"pointer": "/variant", "detail": "V1 or V2 is needed"})
    if data.get("cards", "server") not in ("server", "table"):
        errors.append({"pointer": "/cards", "detail": "server or table is needed"})
    known = SETTINGS["properties"]
    for name in settings if isinstance(settings, dict) else ("",):
        if name not in known or not fits(known[name], settings[name]):
            errors.append({"pointer": f"/settings/{name}".rstrip("/"), "detail": "no such setting, or not this value"})
    if errors:
        raise Malformed(errors)
    agreed = {name: settings.get(name, schema["default"]) for name, schema in known.items()}
    first = agreed.pop("first_player")
    rules = Rules(data["variant"], len(players), **agreed, first_player=None if first == "drawn" else first)
    named = _seats(data, "named", rules, errors)
    return Rules(**{**vars(rules), "at_table": data.get("cards") == "table", "named": named})


def read_zones(data: dict[str, Any], rules: Rules) -> dict[str, Cards]:
    """What lies where. Raises Malformed."""
    errors: Errors = []
    parts = [(data, name, place, "") for name, place in PILES.items()]
    for seat, player in enumerate(data["players"]):
        extra = player.keys() - {"hearts", "hand", "immune"}
        errors += [{"pointer": f"/players/{seat}/{name}", "detail": "no such member"} for name in extra]
        parts.append((player, "hand", HANDS[seat], f"/players/{seat}"))
    zones: dict[str, Cards] = {}
    for holder, name, place, pointer in parts:
        faults: Errors = []
        said = holder.get(name, LEFT_OUT)
        zones[place] = (SOME,) if said is LEFT_OUT else read_cards(said, place, rules, f"{pointer}/{name}", faults)
        errors += faults
    if errors:
        raise Malformed(errors)
    return with_backs(rules, zones)


def _number(holder: dict[str, Any], name: str, span: tuple[int, int], pointer: str, errors: Errors) -> int | None:
    value = holder.get(name)
    if name in holder and not (type(value) is int and span[0] <= value <= span[1]):
        errors.append(
            {"pointer": f"{pointer}/{name}", "detail": f"a whole number from {span[0]} to {span[1]} is needed"}
        )
    return value if type(value) is int else None


def _truth(holder: dict[str, Any], name: str, pointer: str, errors: Errors) -> bool | None:
    value = holder.get(name)
    if name in holder and type(value) is not bool:
        errors.append({"pointer": f"{pointer}/{name}", "detail": "true or false is needed"})
    return value if type(value) is bool else None


def _seat_or_nobody(holder: dict[str, Any], name: str, rules: Rules, pointer: str, errors: Errors) -> int | None:
    if name in holder and holder[name] is None:
        return NOBODY
    return _number(holder, name, (0, rules.seats - 1), pointer, errors)


def _word(data: dict[str, Any], name: str, words: dict[str, Any], errors: Errors) -> Any:
    if name in data and data[name] not in tuple(words):
        errors.append({"pointer": f"/{name}", "detail": f"one of {', '.join(words)} is needed"})
        return None
    return words[data[name]] if name in data else None


def _seats(data: dict[str, Any], name: str, rules: Rules, errors: Errors) -> tuple[int, ...]:
    value = data.get(name, [])
    if not isinstance(value, list) or any(type(seat) is not int or not 0 <= seat < rules.seats for seat in value):
        errors.append({"pointer": f"/{name}", "detail": f"a list of seats from 0 to {rules.seats - 1} is needed"})
        return ()
    return tuple(value)


def _monster(data: dict[str, Any], rules: Rules, errors: Errors) -> dict[str, Any]:
    if not rules.against_monsters:
        return {}
    said = data.get("monster", {})
    if not isinstance(said, dict) or said.keys() - {"number", "hearts", "asleep_until"}:
        errors.append({"pointer": "/monster", "detail": "an object with number, hearts and asleep_until is needed"})
        said = {}
    return {
        "monster": _number(said, "number", (1, LAST_MONSTER), "/monster", errors),
        "monster_hearts": _number(said, "hearts", (0, LAST_MONSTER), "/monster", errors),
        "sleeper": _seat_or_nobody(said, "asleep_until", rules, "/monster", errors),
    }


def _agenda(data: dict[str, Any], table: Table, errors: Errors) -> tuple[Step, ...]:
    if "question" not in data:
        return (Unasked(),)
    if data["question"] is None:
        return ()
    try:
        question = _step(data["question"], ASKED, table, "/question")
        said = data.get("pending")
        if said is not None and not isinstance(said, list):
            raise Unreadable("/pending", "a list is needed, nearest first")
        pending = said and [_step(each, STEPS, table, f"/pending/{index}") for index, each in enumerate(said)]
    except Unreadable as unreadable:
        errors.append({"pointer": unreadable.pointer, "detail": str(unreadable).partition(": ")[2]})
        return ()
    return agenda_of(table.turn, question, None if pending is None else tuple(pending))


def _step(said: Any, known: dict[str, type[Step]], table: Table, pointer: str) -> Step:
    if not isinstance(said, dict) or said.get("asks") not in tuple(known):
        raise Unreadable(pointer, f"an object whose asks is one of {', '.join(known)} is needed")
    forms = {each["properties"]["asks"]["const"]: each["properties"] for each in QUESTIONS}
    form: dict[str, Any] = forms.get(said["asks"], {})
    for name, value in said.items():
        if form and name not in form:
            raise Unreadable(f"{pointer}/{name}", "no such member")
        if form and not fits(form[name], value):
            raise Unreadable(f"{pointer}/{name}", f"does not fit {form[name]}")
    step = read_step(said, table, pointer)
    if isinstance(step, Lightning) and len(set(step.order)) != len(step.order):
        raise Unreadable(f"{pointer}/order", "each seat answers once")
    if any(seat not in table.seats for seat in seats_named(step)):
        raise Unreadable(pointer, f"seats go from 0 to {table.rules.seats - 1}")
    return step
