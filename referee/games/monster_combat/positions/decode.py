"""Read a position as a person writes it, and write one (KERNEL-POSITION-1).

What is left out is unknown, never empty. `decode_position` gives a table for every written position, `encode_position`
a position for every table, also for a view or a table of real cards. Each is the inverse of the other.
`positions/schema.py` describes the form.
"""

from __future__ import annotations

from typing import Any

from referee.engine.codec import DecodeError
from referee.engine.game import ContradictoryPosition, matches_schema
from referee.engine.rulings import MalformedInput
from referee.engine.steps import Step
from referee.engine.zones import Cards
from referee.games.monster_combat.components import LAST_MONSTER, Rules
from referee.games.monster_combat.positions.cards import Errors, assign_trigger_backs, decode_cards, encode_cards
from referee.games.monster_combat.positions.contradictions import PILES, find_faults
from referee.games.monster_combat.positions.questions import (
    ASKABLE_STEPS,
    STEPS_BY_NAME,
    UnknownQuestion,
    build_step_stack,
    collect_named_seats,
    decode_step,
    encode_agenda,
)
from referee.games.monster_combat.positions.schema import MEMBERS, QUESTIONS, SETTINGS
from referee.games.monster_combat.rules.attacks import LightningAttack
from referee.games.monster_combat.state import FULL_HEARTS, HANDS, NOBODY, SOME, Table

BACKS_BY_WORD = {"plain": "?", "trigger": "?trigger", "none": ""}
DIRECTIONS = {"clockwise": 1, "counterclockwise": -1}


def decode_position(data: dict[str, Any]) -> Table:
    """Return the table that a position describes.

    Raises MalformedInput if its form is wrong, ContradictoryPosition if it cannot be.
    """
    errors: Errors = []
    rules = decode_rules(data, errors)
    zones, players = decode_zones(data, rules), list(enumerate(data["players"]))
    table = Table(
        zones=zones,
        rules=rules,
        hearts=tuple(
            _decode_number(each, "hearts", (0, FULL_HEARTS), f"/players/{at}", errors) for at, each in players
        ),
        immune=tuple(_decode_boolean(each, "immune", f"/players/{at}", errors) for at, each in players),
        turn=_decode_seat_or_nobody(data, "turn", rules, "", errors),
        direction=_decode_word(data, "direction", DIRECTIONS, errors),
        skipped=NOBODY if rules.is_against_monsters else _decode_seat_or_nobody(data, "skipped", rules, "", errors),
        top=_decode_word(data, "top_of_draw_pile", BACKS_BY_WORD, errors),
        fallen=_decode_seats(data, "fallen", rules, errors) if "fallen" in data else None,
        **_decode_monster(data, rules, errors),
    )
    table = Table(**{**vars(table), "agenda": _decode_agenda(data, table, errors)})
    if errors:
        raise MalformedInput(errors)
    faults = find_faults(table)
    if faults:
        raise ContradictoryPosition(faults)
    return table


def encode_position(table: Table) -> dict[str, Any]:
    """Return the position that says what this table knows, and leaves out the rest."""
    rules, settings = table.rules, {name: getattr(table.rules, name) for name in SETTINGS["properties"]}
    settings["first_player"] = "drawn" if rules.first_player is None else rules.first_player
    data: dict[str, Any] = {
        "variant": rules.variant,
        "settings": settings,
        "cards": "table" if rules.at_table else "server",
        "named": list(rules.named),
        "players": [
            _drop_omitted(hearts=_or_omitted(hearts), immune=_or_omitted(immune), hand=_encode_cards(table, hand))
            for hearts, immune, hand in zip(table.hearts, table.immune, HANDS, strict=False)
        ],
        **_drop_omitted(**{name: _encode_cards(table, place) for name, place in PILES.items()}),
        **_drop_omitted(
            turn=_encode_seat_or_nobody(table.turn),
            direction=_find_word(DIRECTIONS, table.direction),
            top_of_draw_pile=_find_word(BACKS_BY_WORD, table.top),
            fallen=OMITTED if table.fallen is None else list(table.fallen),
        ),
    }
    if rules.is_against_monsters:
        number, hearts = _or_omitted(table.monster), _or_omitted(table.monster_hearts)
        data["monster"] = _drop_omitted(
            number=number, hearts=hearts, asleep_until=_encode_seat_or_nobody(table.sleeper)
        )
    else:
        data |= _drop_omitted(skipped=_encode_seat_or_nobody(table.skipped))
    return data | encode_agenda(table)


OMITTED = object()  # stands where a position says nothing


def _drop_omitted(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not OMITTED}


def _or_omitted(value: Any) -> Any:
    return OMITTED if value is None else value


def _encode_seat_or_nobody(seat: int | None) -> Any:
    return OMITTED if seat is None else None if seat == NOBODY else seat


def _find_word(words: dict[str, Any], value: Any) -> Any:
    return next((word for word, meant in words.items() if meant == value), OMITTED)


def _encode_cards(table: Table, place: str) -> Any:
    return _or_omitted(encode_cards(table.cards_at(place)))


# ---- reading the parts ---------------------------------------------------------------------------------------


def decode_rules(data: dict[str, Any], errors: Errors) -> Rules:
    """Read what was agreed before the match.

    Raises MalformedInput at once, because nothing else can be read without it.
    """
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
        if name not in known or not matches_schema(known[name], settings[name]):
            errors.append(
                {
                    "pointer": f"/settings/{name}".rstrip("/"),
                    "detail": "no such setting, or not a value that it can have",
                }
            )
    if errors:
        raise MalformedInput(errors)
    agreed = {name: settings.get(name, schema["default"]) for name, schema in known.items()}
    first = agreed.pop("first_player")
    rules = Rules(data["variant"], len(players), **agreed, first_player=None if first == "drawn" else first)
    named = _decode_seats(data, "named", rules, errors)
    return Rules(**{**vars(rules), "at_table": data.get("cards") == "table", "named": named})


def decode_zones(data: dict[str, Any], rules: Rules) -> dict[str, Cards]:
    """Read what lies where. Raises MalformedInput."""
    errors: Errors = []
    parts = [(data, name, place, "") for name, place in PILES.items()]
    for seat, player in enumerate(data["players"]):
        extra = player.keys() - {"hearts", "hand", "immune"}
        errors += [{"pointer": f"/players/{seat}/{name}", "detail": "no such member"} for name in extra]
        parts.append((player, "hand", HANDS[seat], f"/players/{seat}"))
    zones: dict[str, Cards] = {}
    for holder, name, place, pointer in parts:
        faults: Errors = []
        cards = holder.get(name, OMITTED)
        zones[place] = (SOME,) if cards is OMITTED else decode_cards(cards, place, rules, f"{pointer}/{name}", faults)
        errors += faults
    if errors:
        raise MalformedInput(errors)
    return assign_trigger_backs(rules, zones)


def _decode_number(
    holder: dict[str, Any], name: str, span: tuple[int, int], pointer: str, errors: Errors
) -> int | None:
    value = holder.get(name)
    if name in holder and not (type(value) is int and span[0] <= value <= span[1]):
        errors.append(
            {"pointer": f"{pointer}/{name}", "detail": f"a whole number from {span[0]} to {span[1]} is needed"}
        )
    return value if type(value) is int else None


def _decode_boolean(holder: dict[str, Any], name: str, pointer: str, errors: Errors) -> bool | None:
    value = holder.get(name)
    if name in holder and type(value) is not bool:
        errors.append({"pointer": f"{pointer}/{name}", "detail": "true or false is needed"})
    return value if type(value) is bool else None


def _decode_seat_or_nobody(holder: dict[str, Any], name: str, rules: Rules, pointer: str, errors: Errors) -> int | None:
    if name in holder and holder[name] is None:
        return NOBODY
    return _decode_number(holder, name, (0, rules.seats - 1), pointer, errors)


def _decode_word(data: dict[str, Any], name: str, words: dict[str, Any], errors: Errors) -> Any:
    if name in data and data[name] not in tuple(words):
        errors.append({"pointer": f"/{name}", "detail": f"one of {', '.join(words)} is needed"})
        return None
    return words[data[name]] if name in data else None


def _decode_seats(data: dict[str, Any], name: str, rules: Rules, errors: Errors) -> tuple[int, ...]:
    value = data.get(name, [])
    if not isinstance(value, list) or any(type(seat) is not int or not 0 <= seat < rules.seats for seat in value):
        errors.append({"pointer": f"/{name}", "detail": f"a list of seats from 0 to {rules.seats - 1} is needed"})
        return ()
    return tuple(value)


def _decode_monster(data: dict[str, Any], rules: Rules, errors: Errors) -> dict[str, Any]:
    if not rules.is_against_monsters:
        return {}
    monster = data.get("monster", {})
    if not isinstance(monster, dict) or monster.keys() - {"number", "hearts", "asleep_until"}:
        errors.append({"pointer": "/monster", "detail": "an object with number, hearts and asleep_until is needed"})
        monster = {}
    return {
        "monster": _decode_number(monster, "number", (1, LAST_MONSTER), "/monster", errors),
        "monster_hearts": _decode_number(monster, "hearts", (0, LAST_MONSTER), "/monster", errors),
        "sleeper": _decode_seat_or_nobody(monster, "asleep_until", rules, "/monster", errors),
    }


def _decode_agenda(data: dict[str, Any], table: Table, errors: Errors) -> tuple[Step, ...]:
    if "question" not in data:
        return (UnknownQuestion(),)
    if data["question"] is None:
        return ()
    try:
        question = _decode_step(data["question"], ASKABLE_STEPS, table, "/question")
        written = data.get("pending")
        if written is not None and not isinstance(written, list):
            raise DecodeError("/pending", "a list of steps is needed, nearest first")
        pending = written and [
            _decode_step(each, STEPS_BY_NAME, table, f"/pending/{index}") for index, each in enumerate(written)
        ]
    except DecodeError as unreadable:
        errors.append({"pointer": unreadable.pointer, "detail": str(unreadable).partition(": ")[2]})
        return ()
    return build_step_stack(table.turn, question, None if pending is None else tuple(pending))


def _decode_step(said: Any, known: dict[str, type[Step]], table: Table, pointer: str) -> Step:
    if not isinstance(said, dict) or said.get("asks") not in tuple(known):
        raise DecodeError(pointer, f"an object whose asks is one of {', '.join(known)} is needed")
    forms = {each["properties"]["asks"]["const"]: each["properties"] for each in QUESTIONS}
    form: dict[str, Any] = forms.get(said["asks"], {})
    for name, value in said.items():
        if form and name not in form:
            raise DecodeError(f"{pointer}/{name}", "no such member")
        if form and not matches_schema(form[name], value):
            raise DecodeError(f"{pointer}/{name}", f"the value does not fit this schema: {form[name]}")
    step = decode_step(said, table, pointer)
    if isinstance(step, LightningAttack) and len(set(step.order)) != len(step.order):
        raise DecodeError(f"{pointer}/order", "name each seat only once")
    if any(seat not in table.seats for seat in collect_named_seats(step)):
        raise DecodeError(pointer, f"seats are numbered from 0 to {table.rules.seats - 1}")
    return step
