"""Check written data against the part of JSON Schema that positions use.

Errors suggest names that are close to an unknown one. Four keywords are our own, for what JSON Schema cannot say:
`x-seat`: the number is a seat of this table. `x-counted`: `count` is no less than the cards listed. `x-named`: texts in
it may be any name that positions use. `x-assumed`: every table assumes what the member means if it is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice
from typing import Any

from referee.engine.codec import MAX_QUOTED_LETTERS, escape_name, quote_value
from referee.engine.rulebook.book import Text
from referee.engine.rulings import MAX_ERRORS

JSON_TYPES: dict[str, type] = {
    "object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None),
}  # fmt: skip
DEFAULT_MAX_ITEMS = 200  # for a list whose schema sets no limit
DISCRIMINATORS = ("asks", "kind")  # the members by which one of several options is told from the others
NO_SUCH_MEMBER = "no such member"  # begins the error of a member that the schema does not know
SchemaError = dict[str, str]


@dataclass(frozen=True)
class DisplayNames:
    """What players call the names of a game, in every language.

    `meant`: the names that a display name may mean. `spelled`: its usual spelling. Both by its small letters.
    """

    meant: Mapping[str, list[str]] = field(default_factory=dict)
    spelled: Mapping[str, str] = field(default_factory=dict)

    def find_meant(self, written: str, known: Container[str]) -> str | None:
        """Return the known name that a display name means.

        None: there is no such name, or there are several.
        """
        found = [name for name in self.meant.get(written.casefold(), ()) if name in known]
        return found[0] if len(found) == 1 else None

    def spell_all(self, known: Collection[str]) -> dict[str, str]:
        """Return the spelling of each display name that means a known name.

        The keys are its small letters.
        """
        return {small: text for small, text in self.spelled.items() if self.find_meant(small, known) is not None}


NO_DISPLAY_NAMES = DisplayNames()


def build_error(pointer: str, detail: str) -> SchemaError:
    """Return one error with its place."""
    return {"pointer": pointer, "detail": detail}


def suggest_name(name: Any, known: Iterable[Any], names: DisplayNames = NO_DISPLAY_NAMES) -> str:
    """Return a suggestion for an unknown name as the end of a sentence, or nothing.

    It is one of the known names or what players call it, whatever is closest to what was written.
    """
    if len(str(name)) > MAX_QUOTED_LETTERS:
        return ""
    own = {str(each) for each in known}
    called = names.spell_all(own)
    offered = {**{each.casefold(): each for each in sorted(own)}, **called}
    close = get_close_matches(str(name).casefold(), offered, 2)
    if close[1:] == [each.replace("_", " ") for each in close[:1]] and "_" not in str(name):
        close = close[1:]  # as close as the id, and what people write
    return f"; did you mean {offered[close[0]]}?" if close else ""


def find_named_errors(named: Collection[int], at_table: bool) -> Iterator[SchemaError]:
    """Yield what is wrong with the seats whose cards are named to the referee."""
    if named and not at_table:
        detail = "cards are named to the referee only with real cards: leave this out, or set `cards` to table"
        yield build_error("/named", detail)


def find_form_errors(
    schema: dict[str, Any], data: Any, seats: str = "seats", names: DisplayNames = NO_DISPLAY_NAMES
) -> list[SchemaError]:
    """Return what does not fit the schema of a position.

    `seats`: the member that lists the players. If it lists too few or too many, their number is unknown.
    `names`: what players call the names of the schema, for suggestions.
    """
    listed = data.get(seats) if isinstance(data, dict) else None
    table = schema.get("properties", {}).get(seats, {})
    fits = isinstance(listed, list) and table.get("minItems", 0) <= len(listed) <= table.get("maxItems", len(listed))
    number = len(listed) if listed and fits else None
    return list(islice(find_schema_errors(schema, data, "", number, names), MAX_ERRORS))


def find_schema_errors(
    schema: dict[str, Any],
    data: Any,
    pointer: str = "",
    seats: int | None = None,
    names: DisplayNames = NO_DISPLAY_NAMES,
) -> Iterator[SchemaError]:
    """Yield what does not fit the schema.

    `seats`: how many there are at the table, None if that is unknown.
    `names`: what players call the names of the schema, for suggestions.
    """
    if "anyOf" in schema:
        yield from _check_options(schema, data, pointer, seats, names)
    elif "const" in schema:
        if type(data) is not type(schema["const"]) or data != schema["const"]:
            yield build_error(pointer, f"this must be {schema['const']}")
    elif "enum" in schema:
        known = schema["enum"]
        # Strings need no type check, which is faster: the lists of cards are long, and most data are names.
        there = data in known if type(data) is str else any(type(data) is type(v) and data == v for v in known)
        if not there:
            offer = suggest_name(data, known, names)
            offer = offer or (f"; known: {', '.join(map(str, known))}" if len(known) < 20 else "")
            yield build_error(pointer, f"unknown value {quote_value(data)}{offer}")
    elif "type" in schema and type(data) is not JSON_TYPES[schema["type"]]:
        yield build_error(pointer, f"this must be of type {schema['type']}")
    elif isinstance(data, dict):
        yield from _check_members(schema, data, pointer, seats, names)
    elif isinstance(data, list):
        yield from _check_items(schema, data, pointer, seats, names)
    elif isinstance(data, str):
        if not schema.get("minLength", 0) <= len(data) <= schema.get("maxLength", len(data)):
            yield build_error(
                pointer, f"this text must have {schema.get('minLength', 0)} to {schema['maxLength']} letters"
            )
    elif type(data) is int:
        if "x-seat" in schema and seats is not None and not 0 <= data < seats:
            yield build_error(pointer, f"seats are numbered from 0 to {seats - 1}")
        elif not schema.get("minimum", data) <= data <= schema.get("maximum", data):
            span = (schema.get("minimum", "…"), schema.get("maximum", "…"))
            yield build_error(pointer, f"this must be a whole number from {span[0]} to {span[1]}")


def _check_options(
    schema: dict[str, Any], data: Any, pointer: str, seats: int | None, names: DisplayNames
) -> Iterator[SchemaError]:
    """Yield the errors of the option that was meant, or one error if none was.

    The option that was meant has the same type, and the same name under `asks` or `kind`.
    """
    wrong: list[SchemaError] = []
    for option in schema["anyOf"]:
        if not is_meant_option(option, data):
            continue
        wrong = list(islice(find_schema_errors(option, data, pointer, seats, names), MAX_ERRORS))
        if not wrong:
            return
    yield from wrong or [_describe_no_option(schema, data, pointer)]


def _describe_no_option(schema: dict[str, Any], data: Any, pointer: str) -> SchemaError:
    """Return the error of data that is of none of the options."""
    names = [each["properties"][key]["const"] for each in schema["anyOf"] for key in _find_discriminators(each)]
    if names and isinstance(data, dict):
        given: dict[str, Any] = data
        name = given.get("asks", given.get("kind"))
        offer = suggest_name(name, names) or f"; known: {', '.join(names)}"
        return build_error(pointer, f"unknown name {quote_value(name)}{offer}")
    kinds = list(dict.fromkeys(option.get("type", "string") for option in schema["anyOf"]))
    says = f": {schema['description']}" if "description" in schema else ""
    listed = " or ".join(part for part in (", ".join(kinds[:-1]), kinds[-1]) if part)
    return build_error(pointer, f"this must be of type {listed}{says}")


def _find_discriminators(option: dict[str, Any]) -> list[str]:
    return [key for key in DISCRIMINATORS if "const" in option.get("properties", {}).get(key, {})]


def is_meant_option(option: dict[str, Any], data: Any) -> bool:
    """Return whether data has the type of an option and carries its name."""
    if "const" in option or "enum" in option:
        return not isinstance(data, dict | list)
    if type(data) is not JSON_TYPES[option.get("type", "object")]:
        return False
    if not isinstance(data, dict):
        return True
    members = option.get("properties", {})
    for key in DISCRIMINATORS:
        named = members.get(key, {})
        if "const" in named and data.get(key) != named["const"]:
            return False
    return "type" in data or "type" not in option.get("required", ())


def _check_members(
    schema: dict[str, Any], data: dict[str, Any], pointer: str, seats: int | None, names: DisplayNames
) -> Iterator[SchemaError]:
    known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in schema.get("required", []):
        if name not in data:
            yield build_error(f"{pointer}/{name}", "is missing")
    for name, value in data.items():
        if "propertyNames" in schema:
            yield from find_schema_errors(schema["propertyNames"], name, f"{pointer}/{escape_name(name)}", names=names)
        if name in known:
            yield from find_schema_errors(known[name], value, f"{pointer}/{name}", seats, names)
        elif isinstance(more, dict):
            yield from find_schema_errors(more, value, f"{pointer}/{escape_name(name)}", seats, names)
        elif more is False:
            yield build_error(f"{pointer}/{escape_name(name)}", f"{NO_SUCH_MEMBER}{suggest_name(name, known)}")
    count, cards = data.get("count"), data.get("cards")
    if "x-counted" in schema and type(count) is int and isinstance(cards, list) and count < len(cards):
        yield build_error(f"{pointer}/count", f"this cannot be less than the {len(cards)} cards listed")


def _check_items(
    schema: dict[str, Any], data: list[Any], pointer: str, seats: int | None, names: DisplayNames
) -> Iterator[SchemaError]:
    items = schema.get("items", {})
    least, most = schema.get("minItems", 0), schema.get("maxItems", DEFAULT_MAX_ITEMS)
    if not least <= len(data) <= most:
        span = f"{least}" if least == most else f"{least} to {most}"
        yield build_error(pointer, f"this list must have {span} entries")
    if len(data) > most:
        return  # what a list that is too long holds is not worth the time
    if schema.get("uniqueItems") and any(value in data[:at] for at, value in enumerate(data)):
        yield build_error(pointer, f"name each {'seat' if 'x-seat' in items else 'one'} only once")
    for at, value in enumerate(data):
        yield from find_schema_errors(items, value, f"{pointer}/{at}", seats, names)


# ---- the names that players use --------------------------------------------------------------------------------------


def index_display_names(names: Mapping[str, Text], short_names: Mapping[str, str] | None = None) -> DisplayNames:
    """Return what players call the names in either language.

    `short_names`: further names, and what each stands for.
    """
    meant: dict[str, list[str]] = {}
    spelled: dict[str, str] = {}
    for name, texts in names.items():
        for small, text in {text.casefold(): text for text in texts.values()}.items():
            meant.setdefault(small, []).append(name)
            spelled.setdefault(small, text)
    for short, name in (short_names or {}).items():
        meant[short], spelled[short] = [name], short
    return DisplayNames(meant, spelled)


NameReader = Callable[[Any], Any]


def read_display_names(
    schema: dict[str, Any], data: Any, names: DisplayNames, known: Container[str] = frozenset()
) -> Any:
    """Return written data with the names of the schema in place of display names.

    A display name that may mean several of them is left as it is. `known`: the names that may stand where the schema
    names none (`x-named`).
    """
    reader = build_name_reader(schema, names, known)
    return data if reader is None else reader(data)


def build_name_reader(schema: dict[str, Any], names: DisplayNames, known: Container[str]) -> NameReader | None:
    """Return a function that reads data of a schema as `read_display_names` does.

    None: nothing is read there, as in most of a position. What is left as it is, the reader does not copy.
    """
    options = [(option, build_name_reader(option, names, known)) for option in schema.get("anyOf", ())]
    meant = [(option, reader) for option, reader in options if reader is not None]
    if "x-named" in schema:
        own: NameReader | None = _build_free_reader(names, known)
    elif "enum" in schema:
        own = _build_listed_reader(schema["enum"], names)
    else:
        own = _build_list_reader(schema, names, known) or _build_object_reader(schema, names, known)
    if not meant:
        return own

    def read(data: Any) -> Any:
        for option, reader in meant:
            data = reader(data) if is_meant_option(option, data) else data
        return data if own is None else own(data)

    return read


def _build_free_reader(names: DisplayNames, known: Container[str]) -> NameReader:
    """Return a reader for data in which names may stand anywhere (`x-named`)."""

    def read(data: Any) -> Any:
        read = read_any_names(data, known, names)
        return {**read, "type": data["type"]} if isinstance(data, dict) and "type" in data else read

    return read


def _build_listed_reader(listed: Collection[Any], names: DisplayNames) -> NameReader | None:
    """Return a reader for one of the names that a schema lists."""
    known = frozenset(each for each in listed if isinstance(each, str))
    found = {small: names.find_meant(small, known) for small in names.meant}
    means = {small: name for small, name in found.items() if name is not None}

    def read(data: Any) -> Any:
        return means.get(data.casefold(), data) if isinstance(data, str) and data not in known else data

    return read if means else None


def _build_list_reader(schema: dict[str, Any], names: DisplayNames, known: Container[str]) -> NameReader | None:
    """Return a reader for the items of a list."""
    item = build_name_reader(schema["items"], names, known) if "items" in schema else None
    if item is None:
        return None
    read_item = item
    return lambda data: [read_item(each) for each in data] if isinstance(data, list) else data


def _build_object_reader(schema: dict[str, Any], names: DisplayNames, known: Container[str]) -> NameReader | None:
    """Return a reader for the members of an object and their names."""
    if schema.get("type") != "object":
        return None
    more = schema.get("additionalProperties")
    members = {name: build_name_reader(each, names, known) for name, each in schema.get("properties", {}).items()}
    others = build_name_reader(more, names, known) if isinstance(more, dict) else None
    keys = build_name_reader(schema.get("propertyNames", {}), names, frozenset())
    if keys is None and others is None and not any(members.values()):
        return None

    def read(data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        found = {}
        for name, each in data.items():
            reader = members.get(name, others)
            found[name if keys is None else keys(name)] = each if reader is None else reader(each)
        return found

    return read


def read_any_names(data: Any, known: Container[str], names: DisplayNames) -> Any:
    """Return written data that has no schema with names in place of display names.

    `known`: all names. What is known, and a display name that may mean several of them, is left as it is.
    """
    if isinstance(data, str):
        return data if data in known else names.find_meant(data, known) or data
    if isinstance(data, list):
        return [read_any_names(each, known, names) for each in data]
    if isinstance(data, dict):
        return {name: read_any_names(each, known, names) for name, each in data.items()}
    return data


def find_schema_names(schema: Any) -> Iterator[str]:
    """Yield the strings that a schema lists as values, some of them several times."""
    for key, below in schema.items():
        if key in ("enum", "const"):
            yield from (each for each in (below if key == "enum" else [below]) if isinstance(each, str))
        elif key in ("properties", "items", "additionalProperties", "propertyNames", "anyOf"):
            parts = below if key == "anyOf" else below.values() if key == "properties" else [below]
            yield from (name for part in parts if isinstance(part, dict) for name in find_schema_names(part))
