"""A table's question: the claim, and what each party says. Plain data, checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from referee.engine.codec import escape_name
from referee.engine.game import Game
from referee.engine.positions.form import DisplayNames, find_schema_errors
from referee.engine.positions.left_out import Path
from referee.engine.positions.schema import Schema
from referee.engine.rulings import MalformedInput
from referee.position_rulings.words import MEMBER_NAMES
from referee.rendering import texts

CLAIMS = ("illegal_move", "missed_effect", "wrong_count", "other")
EFFECT_CLAIMS = ("missed_effect", "wrong_count")  # what follows is in question, not the move
MAX_STATEMENTS, MAX_OBSERVATIONS, MAX_STATEMENT_LENGTH, MAX_POINTER_LENGTH, MAX_UNKNOWN = 20, 40, 500, 200, 40
MAX_PRECEDENTS = 100
MAX_COMPARED = 40  # letters of a place
MOST_NEAR = 5  # places named in place of one that there is not
NO_SUCH_PLACE = "The position has no such place; near it are: {}."
SEAT_LISTS = ("seats", "players")  # members with the players in the order of their seats
MAX_SENTENCE_LENGTH = 500  # of a move in words
UNREAD_SENTENCE = "No move of the game reads like this: write its `type` and its members."
MEMBERS_BESIDE_POSITION = ("variant", "edition", "settings")  # these may stand beside the position or in it
CONTROL_PATTERN = re.compile(r"[\x00-\x1f\x7f]")


class MalformedQuestion(MalformedInput):
    """A question cannot be understood; its pointers lead into the whole request.

    `errors` are `{pointer, detail}`.
    """


@dataclass(frozen=True, slots=True)
class PartyStatement:
    """What one party says, in words and as data that can be compared."""

    seat: int
    says: str = ""
    clause: str = ""
    legal: bool | None = None  # whether the move was legal
    saw: Mapping[str, Any] = field(default_factory=dict)  # what lay on the table after it, by RFC 6901 pointer


@dataclass(frozen=True, slots=True)
class HouseReading:
    """A reading that a house ruling has chosen, and where the ruling stands."""

    clause: str
    number: int
    match: str
    entry: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a move. Without a claim it is a plain question."""

    claim: str = ""
    clause: str = ""
    saw: Mapping[str, Any] = field(default_factory=dict)  # how the table carried the move out
    says: tuple[PartyStatement, ...] = ()
    readings: Mapping[str, Any] = field(default_factory=dict)  # interpretations that the table agrees on, by clause
    unknown: frozenset[Path] = frozenset()  # the paths in the position of facts that nobody knows
    names: tuple[str, ...] = ()  # what the players are called, by seat
    house: tuple[HouseReading, ...] = field(default=(), kw_only=True)  # those that house rulings have chosen

    @property
    def is_disputed(self) -> bool:
        """Whether people disagree, so that no interpretation is chosen for them."""
        return bool(self.claim or self.saw or self.says)


def parse_question(game: Game, body: Mapping[str, Any]) -> Question:
    """Return the question in a request, whose members have their types.

    Raises MalformedQuestion with everything that is wrong.
    """
    wrong: list[dict[str, str]] = []

    def cited(name: str, pointer: str) -> str:
        if name:
            try:
                texts.find_clause(game, name)
            except KeyError:
                wrong.append({"pointer": pointer, "detail": f"The book of {game.name} has no clause of this id."})
        return name

    says = []
    for at, each in enumerate(body.get("says", ())):
        saw = _check_observations(each.get("saw", {}), f"/says/{at}/saw", wrong)
        clause = cited(each.get("clause", ""), f"/says/{at}/clause")
        says.append(PartyStatement(each["seat"], each.get("says", ""), clause, each.get("legal"), saw))
    clause = cited(body.get("clause", ""), "/clause")
    schema = _find_schema(game, body) if body.get("unknown") else None
    unknown = frozenset(
        _read_unknown(each, f"/unknown/{at}", schema, body["position"], wrong)
        for at, each in enumerate(body.get("unknown", ()))
    )
    saw = _check_observations(body.get("saw", {}), "/saw", wrong)
    if wrong:
        raise MalformedQuestion(wrong)
    readings, names = dict(body.get("readings", {})), tuple(body.get("names", ()))
    return Question(body.get("claim", ""), clause, saw, tuple(says), readings, unknown, names)


def require_seats(quarrel: Question, seat: int, seats: int) -> None:
    """Raise MalformedQuestion if a seat is named that the position does not have."""
    detail = f"The position has seats 0 to {seats - 1}."
    wrong = [{"pointer": "/seat", "detail": detail}] if seat >= seats else []
    wrong += [
        {"pointer": f"/says/{at}/seat", "detail": detail}
        for at, each in enumerate(quarrel.says)
        if not 0 <= each.seat < seats
    ]
    if wrong:
        raise MalformedQuestion(wrong)


def read_path(pointer: str) -> Path:
    """Return the path to which a pointer (RFC 6901) leads."""
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    return tuple(int(part) if part.isascii() and part.isdigit() else part for part in parts)


def _find_schema(game: Game, body: Mapping[str, Any]) -> Schema | None:
    """Return the schema of the position in a request; None: no such variant."""
    variant = body["position"].get("variant", body.get("variant", game.variants[0]))
    return game.positions.build_schema(variant) if variant in game.variants else None


def _read_unknown(
    pointer: str, where: str, schema: Schema | None, position: Mapping[str, Any], wrong: list[dict[str, str]]
) -> Path:
    """Return the path in the position to which a pointer leads.

    The pointer starts at the whole request or at the position.
    """
    if not pointer.startswith("/") or len(pointer) > MAX_POINTER_LENGTH:
        wrong.append({"pointer": where, "detail": "A place in the position is needed, such as /position/turn."})
        return ()
    path = read_path(pointer)
    path = path[1:] if path[:1] == ("position",) else path
    if schema is not None and (near := _find_near_places(schema, position, path, "/position")):
        wrong.append({"pointer": where, "detail": NO_SUCH_PLACE.format(", ".join(near))})
    return path


def find_seen_errors(
    schema: Schema, names: DisplayNames, position: Mapping[str, Any], saw: Mapping[str, Any], where: str
) -> Iterator[dict[str, str]]:
    """Yield the places that were seen and do not exist, and such names in them.

    `position` is that before the move. How much was seen may differ from what positions write.
    """
    for place, said in saw.items():
        pointer = f"{where}/{escape_name(place)}"
        if near := _find_near_places(schema, position, read_path(place), "", may_grow=True):
            yield {"pointer": pointer, "detail": NO_SUCH_PLACE.format(", ".join(near))}
        elif isinstance(said, str | list | Mapping):
            errors = find_schema_errors(find_place_schema(schema, place), said, pointer, None, names)
            yield from (each for each in errors if each["pointer"] != pointer or not isinstance(said, list))


def _find_near_places(schema: Schema, position: Any, path: Path, within: str, *, may_grow: bool = False) -> list[str]:
    """Return the places that are nearest to one that a position does not have.

    They lie where the path leads nowhere. Empty: the position has the place. `may_grow`: all lists but those of players
    may have become longer.
    """
    schemas = [schema]
    for step in path:
        members = list_members(schemas)
        count = len(position) if isinstance(position, list) else 0
        below = find_schemas_below(schemas, str(step))
        is_fixed = isinstance(position, list) and (not may_grow or within.rpartition("/")[2] in SEAT_LISTS)
        if not below or (isinstance(step, int) and is_fixed and step >= count):
            near = sorted([*members, *map(str, range(count))], key=lambda name: _compare_names(name, str(step)))
            return [f"{within}/{escape_name(name)}" for name in near[:MOST_NEAR]] or [within]
        if isinstance(position, Mapping):
            position = position.get(str(step))
        else:
            position = position[step] if isinstance(position, list) and isinstance(step, int) else None
        within, schemas = f"{within}/{escape_name(str(step))}", below
    return [] if path else [f"{within}/{name}" for name in list_members(schemas)[:MOST_NEAR]]


def _compare_names(name: str, written: str) -> float:
    """Return how little a member, in any of its words, is like what was written."""
    words = (name, *MEMBER_NAMES.get(name, {}).values())
    return -max(SequenceMatcher(None, word.casefold(), written[:MAX_COMPARED].casefold()).ratio() for word in words)


def _check_observations(saw: Mapping[str, Any], where: str, wrong: list[dict[str, str]]) -> Mapping[str, Any]:
    for name in saw:
        if not name.startswith("/") or len(name) > MAX_POINTER_LENGTH:
            wrong.append(
                {
                    "pointer": f"{where}/{escape_name(name)}",
                    "detail": "A place in the position is needed, such as /turn.",
                }
            )
    return saw


def resolve_pointer(data: Any, pointer: str) -> tuple[bool, Any]:
    """Return whether there is something at a pointer (RFC 6901), and what."""
    for part in pointer.split("/")[1:]:
        step = part.replace("~1", "/").replace("~0", "~")
        if isinstance(data, Mapping) and step in data:
            data = data[step]
        elif isinstance(data, Sequence) and not isinstance(data, str) and step.isascii() and step.isdigit():
            if len(step) > 4 or int(step) >= len(data):
                return False, None
            data = data[int(step)]
        else:
            return False, None
    return True, data


def find_place_schema(schema: Schema, pointer: str) -> Schema:
    """Return the schema of what stands at a pointer (RFC 6901); empty if it has none."""
    found: list[Schema] = [schema]
    for part in pointer.split("/")[1:]:
        found = find_schemas_below(found, part.replace("~1", "/").replace("~0", "~"))
    return found[0] if len(found) == 1 else {"anyOf": found} if found else {}


def find_schemas_below(schemas: Iterable[Schema], step: str) -> list[Schema]:
    """Return the schemas of what stands one step below data of some schemas."""
    return [below for each in _list_options(schemas) if isinstance(below := _find_below(each, step), dict)]


def _find_below(schema: Schema, step: str) -> Any:
    if step.isdigit() and "items" in schema:
        return schema["items"]
    named = schema.get("propertyNames", {}).get("enum", (step,))
    return schema.get("properties", {}).get(step, schema.get("additionalProperties") if step in named else None)


def list_members(schemas: Iterable[Schema]) -> list[str]:
    """Return the members that data of some schemas may have."""
    return list(dict.fromkeys(name for each in _list_options(schemas) for name in each.get("properties", ())))


def _list_options(schemas: Iterable[Schema]) -> Iterator[Schema]:
    for each in schemas:
        yield from _list_options(each["anyOf"]) if "anyOf" in each else [each]


def compare_content(said: Any, there: Any) -> bool | None:
    """Return whether a statement about a place is true; None if that is unknown.

    Cards are said as positions write them, in any order: a number is their count, and what a side leaves out is open.
    """
    if there == "?":
        return None
    seen, lying = _read_pile(said), _read_pile(there)
    if type(said) is int and isinstance(there, Mapping) and lying is None:
        return None
    if seen is None or lying is None or (type(said) is int and type(there) is int):
        return bool(type(said) is type(there) and said == there)
    others, news = [*lying[0]], []
    for each in seen[0]:
        if each in others:
            others.remove(each)
        else:
            news.append(each)
    together, numbers = len(lying[0]) + len(news), {seen[1], lying[1]} - {None}
    if len(numbers) > 1 or any(together > number for number in numbers if number is not None):
        return False
    return True if not news and (seen[1] is None or lying[1] is not None) else None


def _read_pile(value: Any) -> tuple[list[Any], int | None] | None:
    """Return the cards named of a place, and how many lie there (None: unknown).

    None: what stands there are no cards.
    """
    if type(value) is int:
        return [], value
    if isinstance(value, Mapping):
        if not {*value} <= {"cards", "count", "more"} or not isinstance(value.get("cards", []), list):
            return None
        return [each for each in value.get("cards", ()) if each != "?"], count_cards(value)
    return ([each for each in value if each != "?"], len(value)) if isinstance(value, list) else None


def count_cards(there: Any) -> int | None:
    """Return how many cards lie at a place; None: the position does not say.

    A place holds a list of cards, or `cards` and a count.
    """
    if isinstance(there, list):
        return len(there)
    if not isinstance(there, Mapping) or there.get("more"):
        return None
    if isinstance(there.get("count"), int):
        return int(there["count"])
    return len(there["cards"]) if isinstance(there.get("cards"), list) else None


# -- the members of a written question ---------------------------------------------------------------------------------


def _make_text_check(longest: int) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        fitting = isinstance(value, str) and len(value) <= longest and not CONTROL_PATTERN.search(value)
        return "" if fitting else f"Text of one line is needed, of up to {longest} characters."

    return check


def _check_mapping(value: Any) -> str:
    return "" if isinstance(value, dict) else "Members with values are needed."


def _check_move(value: Any) -> str:
    if isinstance(value, str):
        return str(getattr(value, "detail", UNREAD_SENTENCE))  # of several moves it names what tells them apart
    return _check_mapping(value)


def _check_seen_places(value: Any) -> str:
    fitting = isinstance(value, dict) and len(value) <= MAX_OBSERVATIONS
    return "" if fitting else f"Up to {MAX_OBSERVATIONS} places of the position with their values are needed."


def _check_seat(value: Any) -> str:
    number = type(value) is int and 0 <= value <= 19
    return "" if number or value == "chance" else "A seat from 0 to 19 is needed, chance, or one of the names."


def _check_party(value: Any) -> str:
    return "" if type(value) is int and 0 <= value <= 19 else "A seat from 0 to 19 is needed."


def _check_claim(value: Any) -> str:
    return "" if value in CLAIMS else f"One of {', '.join(CLAIMS)}."


def _check_statements(value: Any) -> str:
    fitting = isinstance(value, list) and len(value) <= MAX_STATEMENTS and all(isinstance(each, dict) for each in value)
    return "" if fitting else f"A list of up to {MAX_STATEMENTS} parties is needed, each with seat and says."


def _check_unknown(value: Any) -> str:
    fitting = isinstance(value, list) and len(value) <= MAX_UNKNOWN and all(isinstance(each, str) for each in value)
    return "" if fitting else f"A list of up to {MAX_UNKNOWN} places in the position is needed."


def _check_names(value: Any) -> str:
    fitting = isinstance(value, list) and len(value) <= MAX_STATEMENTS and all(isinstance(each, str) for each in value)
    return "" if fitting else "A list of the players' names is needed, in the order of their seats."


def _check_legal(value: Any) -> str:
    return "" if isinstance(value, bool) else "true or false is needed."


def _check_precedents(value: Any) -> str:
    fitting = isinstance(value, list) and len(value) <= MAX_PRECEDENTS
    return "" if fitting else f"A list of up to {MAX_PRECEDENTS} house rulings is needed."


MemberCheck = Callable[[Any], str]
STATEMENT_CHECKS: dict[str, MemberCheck] = {
    "seat": _check_party,
    "says": _make_text_check(MAX_STATEMENT_LENGTH),
    "clause": _make_text_check(64),
    "legal": _check_legal,
    "saw": _check_seen_places,
}
MEMBER_CHECKS: dict[str, MemberCheck] = {
    "game": _make_text_check(64),
    "variant": _make_text_check(64),
    "edition": _make_text_check(64),
    "settings": _check_mapping,
    "position": _check_mapping,
    "seat": _check_seat,
    "move": _check_move,
    "claim": _check_claim,
    "clause": _make_text_check(64),
    "saw": _check_seen_places,
    "says": _check_statements,
    "readings": _check_mapping,
    "precedents": _check_precedents,
    "unknown": _check_unknown,
    "names": _check_names,
}


def check_members(
    data: Mapping[str, Any],
    members: Mapping[str, MemberCheck],
    needed: Iterable[str],
    where: str,
    wrong: list[dict[str, Any]],
) -> None:
    """Note members that are unknown, missing or of the wrong type."""
    for name, value in data.items():
        detail = members[name](value) if name in members else f"No such member; known: {', '.join(members)}."
        if detail:
            wrong.append({"pointer": f"{where}/{escape_name(name)}", "detail": detail})
    wrong += [{"pointer": f"{where}/{name}", "detail": "This is missing."} for name in needed if name not in data]
