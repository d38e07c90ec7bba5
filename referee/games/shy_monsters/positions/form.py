"""Check data against the part of JSON Schema that positions use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

JSON_TYPES: dict[str, type] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
SchemaMismatch = dict[str, str]


def find_mismatches(schema: dict[str, Any], data: Any, pointer: str = "") -> Iterator[SchemaMismatch]:
    """Find what does not fit a schema, each mismatch as `{pointer, detail}`."""
    if "oneOf" in schema:
        if all(next(find_mismatches(option, data, pointer), None) for option in schema["oneOf"]):
            yield {"pointer": pointer, "detail": schema.get("description", "none of the forms that are allowed here")}
    elif "enum" in schema:
        if not any(type(data) is type(value) and data == value for value in schema["enum"]):
            yield {"pointer": pointer, "detail": f"one of {', '.join(map(str, schema['enum']))} is needed"}
    elif type(data) is not JSON_TYPES[schema["type"]]:
        yield {"pointer": pointer, "detail": f"{schema['type']} is needed"}
    elif isinstance(data, dict):
        yield from _check_members(schema, data, pointer)
    elif isinstance(data, list):
        yield from _check_items(schema, data, pointer)
    elif isinstance(data, str):
        if not schema.get("minLength", 0) <= len(data) <= schema.get("maxLength", 64):
            yield {"pointer": pointer, "detail": "the text is too short or too long"}
    elif type(data) is int and not schema.get("minimum", data) <= data <= schema.get("maximum", data):
        yield {
            "pointer": pointer,
            "detail": f"a whole number from {schema['minimum']} to {schema['maximum']} is needed",
        }


def _check_members(schema: dict[str, Any], data: dict[str, Any], pointer: str) -> Iterator[SchemaMismatch]:
    known, more = schema.get("properties", {}), schema.get("additionalProperties")
    for name in schema.get("required", []):
        if name not in data:
            yield {"pointer": f"{pointer}/{name}", "detail": "is missing"}
    for name, value in data.items():
        if name in known:
            yield from find_mismatches(known[name], value, f"{pointer}/{name}")
        elif isinstance(more, dict):
            yield from find_mismatches(more, value, f"{pointer}/{name}")
        else:
            yield {"pointer": f"{pointer}/{name}", "detail": "no such member"}


def _check_items(schema: dict[str, Any], data: list[Any], pointer: str) -> Iterator[SchemaMismatch]:
    if not schema.get("minItems", 0) <= len(data) <= schema.get("maxItems", 64):
        yield {"pointer": pointer, "detail": "the list has too few or too many entries"}
    for at, value in enumerate(data):
        yield from find_mismatches(schema["items"], value, f"{pointer}/{at}")
