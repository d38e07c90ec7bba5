"""What the contract says of a component, held against data."""

from __future__ import annotations

from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from api.resources.health.routes import load_contract
from tests.api import house


def close_answers(components: dict[str, Any]) -> dict[str, Any]:
    """The components as a strict reader takes them: an answer has the members that its schema names, and no more.

    The contract leaves answers open, so that a later version may add members. What this program answers has to be
    named all the same.
    """
    schemas = components["schemas"]
    closed = {
        name: _close(_join(name, schemas))
        for name in schemas.keys() - {"SomeEvent", "NumberedEvent", "TournamentEvent"}
    }
    return {**components, "schemas": schemas | closed}  # an event has the members of its type


def _join(name: str, schemas: dict[str, Any]) -> dict[str, Any]:
    """A schema with the members of the one that it extends written out."""
    schema: dict[str, Any] = schemas[name]
    if "allOf" not in schema:
        return schema
    reference, own = schema["allOf"]
    base = _join(reference["$ref"].rpartition("/")[2], schemas)
    return {
        "type": "object",
        "properties": base["properties"] | own["properties"],
        "required": base.get("required", []) + own.get("required", []),
    }


def _close(part: Any) -> Any:
    if isinstance(part, list):
        return [_close(each) for each in part]
    if not isinstance(part, dict):
        return part
    closed = {key: _close(each) for key, each in part.items()}
    if isinstance(part.get("properties"), dict) and part.get("type") == "object":
        closed.setdefault("additionalProperties", False)
    return closed


@cache
def _components() -> dict[str, Any]:
    return close_answers(load_contract(house.app())["components"])


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": _components()})


def fit(name: str, data: Any) -> None:
    """Fails unless the data has the form of this component."""
    wrong = [f"{each.instance_path}: {each.message}" for each in _validator(name).iter_errors(data)]
    assert not wrong, (name, wrong[0])
