"""Check written data against the part of JSON Schema that positions use.

Errors suggest names that are close to an unknown one.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

JSON_TYPES: dict[str, type] = {
    "object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None),
}  # fmt: skip
DEFAULT_MAX_ITEMS = 200  # for a list whose schema sets no limit
SchemaError = dict[str, str]


def build_error(pointer: str, detail: str) -> SchemaError:
    """Return one error with its place."""
    return {"pointer": pointer, "detail": detail}


def suggest_name(name: Any, known: Any) -> str:
    """Return a suggestion for an unknown name as the end of a sentence, or nothing."""
    close = get_close_matches(str(name), [str(each) for each in known], 1)
    return f"; did you mean {close[0]}?" if close else ""


def find_schema_errors(schema: dict[str, Any], data: Any, pointer: str = "") -> Iterator[SchemaError]:
    """Yield what does not fit the schema."""
    if "anyOf" in schema:
        yield from _check_options(schema, data, pointer)
    elif "const" in schema:
        if type(data) is not type(schema["const"]) or data != schema["const"]:
            yield build_error(pointer, f"this must be {schema['const']}")
    elif "enum" in schema:
        known = schema["enum"]
        # Strings need no type check, which is faster: the lists of cards are long, and most data are names.
        there = data in known if type(data) is str else any(type(data) is type(v) and data == v for v in known)
        if not there:
            offer = suggest_name(data, known) or (f"; known: {', '.join(map(str, known))}" if len(known) < 20 else "")
            yield build_error(pointer, f"unknown value {data!r}{offer}")
    elif "type" in schema and type(data) is not JSON_TYPES[schema["type"]]:
        yield build_error(pointer, f"this must be of type {schema['type']}")
    elif isinstance(data, dict):
        yield from _check_members(schema, data, pointer)
    elif isinstance(data, list):
        if not schema.get("minItems", 0) <= len(data) <= schema.get("maxItems", DEFAULT_MAX_ITEMS):
            span = (schema.get("minItems", 0), schema.get("maxItems", DEFAULT_MAX_ITEMS))
            yield build_error(pointer, f"this list must have {span[0]} to {span[1]} entries")
        for at, value in enumerate(data):
            yield from find_schema_errors(schema.get("items", {}), value, f"{pointer}/{at}")
    elif type(data) is int and not schema.get("minimum", data) <= data <= schema.get("maximum", data):
        yield build_error(
            pointer, f"this must be a whole number from {schema.get('minimum', '…')} to {schema.get('maximum', '…')}"
        )


def _check_options(schema: dict[str, Any], data: Any, pointer: str) -> Iterator[SchemaError]:
    """Yield the errors of the option that was meant, or one error if none was.

    The option that was meant has the same type, and the same name under `asks` or `kind`.
    """
    options = [option for option in schema["anyOf"] if _is_meant_option(option, data)]
    wrong: list[SchemaError] = [build_error(pointer, schema.get("description", "this has none of the allowed forms"))]
    for option in options:
        found = list(find_schema_errors(option, data, pointer))
        if not found:
            return
        wrong = found
    names = [each["properties"][key]["const"] for each in schema["anyOf"] for key in _find_discriminators(each)]
    if not options and names and isinstance(data, dict):
        given: dict[str, Any] = data
        name = given.get("asks", given.get("kind"))
        offer = suggest_name(name, names) or f"; known: {', '.join(names)}"
        wrong = [build_error(pointer, f"unknown name {name!r}{offer}")]
    yield from wrong


def _find_discriminators(option: dict[str, Any]) -> list[str]:
    return [key for key in ("asks", "kind") if "const" in option.get("properties", {}).get(key, {})]


def _is_meant_option(option: dict[str, Any], data: Any) -> bool:
    """Return whether data has the type of an option and carries its name."""
    if "const" in option or "enum" in option:
        return not isinstance(data, dict | list)
    of_this_kind = type(data) is JSON_TYPES[option.get("type", "object")]
    if not of_this_kind:
        return False
    if "type" in option.get("required", ()) and "type" not in data:
        return False
    names = _find_discriminators(option)
    return not names or all(data.get(key) == option["properties"][key]["const"] for key in names)


def _check_members(schema: dict[str, Any], data: dict[str, Any], pointer: str) -> Iterator[SchemaError]:
    known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in schema.get("required", []):
        if name not in data:
            yield build_error(f"{pointer}/{name}", "is missing")
    for name, value in data.items():
        if name in known:
            yield from find_schema_errors(known[name], value, f"{pointer}/{name}")
        elif isinstance(more, dict):
            yield from find_schema_errors(more, value, f"{pointer}/{name}")
        elif more is False:
            yield build_error(f"{pointer}/{name}", f"no such member{suggest_name(name, known)}")
