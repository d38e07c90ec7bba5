"""Descriptions of what the schemas of the contract leave without one.

A member is described at its field where it is one of a kind. What means the same everywhere, and what is made from
classes of the pure rooms, has its text in `descriptions`: `members.yaml` by name, `parameters.yaml` by name,
`components.yaml` for components without a class, and in the other files by component (`*Move`: of all whose name ends
so) and member.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

Doc = dict[str, Any]
FOLDER = Path(__file__).with_name("descriptions")
SHARED_FILES = ("members", "parameters", "components")
PLAIN_PARTS = frozenset((  # components that say what a value is, but not what it stands for
    "Words", "OptionalWords", "JsonValue", "JsonObject", "JsonList", "PlainValue", "SeatNumber", "SeatList", "Awaited",
    "BoardCard", "BoardPile", "MunchkinCard", "MunchkinPile", "CardList", "Move", "SomeMove", "SomeEvent",
    "NumberedEvent", "CitedClause", "View", "Board", "Entry",
))  # fmt: skip
ADDITIONS = ("Default: ", "-1: nobody")  # with which the contract itself begins a description


@cache
def load_descriptions(name: str) -> dict[str, Any]:
    """Return the texts of a file."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)((FOLDER / f"{name}.yaml").read_text("utf-8"))
    found: dict[str, Any] = loader.get_single_data()
    return found


@cache
def load_component_members() -> dict[str, dict[str, str]]:
    """Return the texts of members by component.

    Raises ValueError if a component stands in two files.
    """
    merged: dict[str, dict[str, str]] = {}
    for path in sorted(FOLDER.glob("*.yaml")):
        if path.stem not in SHARED_FILES:
            found = load_descriptions(path.stem)
            if twice := merged.keys() & found.keys():
                raise ValueError(f"described twice: {sorted(twice)}")
            merged |= found
    return merged


def find_own_text(component: str, name: str, bases: dict[str, str]) -> str | None:
    """Return the text about a member of a component.

    It is that of the component, of the one that it extends, or of all whose name ends so.
    """
    texts, extended = load_component_members(), component
    while extended:
        if name in texts.get(extended, {}):
            return texts[extended][name]
        extended = bases.get(extended, "")
    for pattern, members in texts.items():
        if pattern.startswith("*") and component.endswith(pattern[1:]) and name in members:
            return members[name]
    return None


def describe_contract(contract: Doc, bases: dict[str, str]) -> None:
    """Describe each component, member and parameter that has no description yet.

    `bases` names the component that each component extends.
    """
    schemas, shared = contract["components"]["schemas"], load_descriptions("members")
    for name, text in load_descriptions("components").items():
        schemas[name] = {"description": text, **schemas[name]}
    for component, name, member in list_members(contract):
        text = find_own_text(component, name, bases)
        if text is None and not is_described(member, schemas, name):
            text = shared.get(name)
        if text is not None and not is_self_explaining(member):
            _add_description(member, text)
    for parameter in iterate_parameters(contract):
        text = load_descriptions("parameters").get(parameter["name"])
        if text is not None and "description" not in parameter:
            parameter["description"] = text


def is_self_explaining(member: Doc) -> bool:
    """Return whether a member has a description of its own, or is a constant.

    A constant tells the members of a union apart, and each of them has a description.
    """
    told = member.get("description", "")
    return (bool(told) and not told.startswith(ADDITIONS)) or "const" in member or len(member.get("enum", ())) == 1


def is_described(member: Doc, schemas: Doc, name: str = "") -> bool:
    """Return whether the contract says what a member is.

    A reference says it if it leads to a component that means one thing only; a seat that is called so is one.
    """
    if is_self_explaining(member):
        return True
    choices: list[Doc] = member.get("anyOf") or member.get("oneOf") or []
    options = [each for each in choices if each.get("type") != "null"]
    target = member.get("$ref") or (options[0].get("$ref") if len(options) == 1 else None)
    if target is None:
        return False
    component = target.rpartition("/")[2]
    is_plain = component in PLAIN_PARTS and not (component == "SeatNumber" and name == "seat")
    return not is_plain and "description" in schemas[component]


def list_members(contract: Doc) -> list[tuple[str, str, Doc]]:
    """Return each member of each schema, with its component (or empty) and its name."""
    schemas = contract["components"]["schemas"]
    found = [each for component, schema in schemas.items() for each in _iterate_members(schema, component)]
    for part in ("paths", "webhooks"):
        found += _iterate_members(contract[part], "")
    return found


def _iterate_members(part: Any, component: str) -> Iterator[tuple[str, str, Doc]]:
    if isinstance(part, list):
        for each in part:
            yield from _iterate_members(each, component)
    if not isinstance(part, dict):
        return
    properties = part.get("properties", {})
    yield from ((component, name, member) for name, member in properties.items())
    for key, each in part.items():
        if key not in ("example", "examples", "default", "enum", "const"):
            yield from _iterate_members(list(each.values()) if key == "properties" else each, component)


def iterate_parameters(contract: Doc) -> Iterator[Doc]:
    """Yield each parameter of the contract that is no reference."""
    yield from contract["components"]["parameters"].values()
    for item in (*contract["paths"].values(), *contract["webhooks"].values()):
        for holder in (item, *(part for part in item.values() if isinstance(part, dict))):
            yield from (each for each in holder.get("parameters", ()) if "$ref" not in each)


def _add_description(member: Doc, text: str) -> None:
    """Put a text before what the contract itself says of a member."""
    added = member.pop("description", "")
    told = {"description": f"{text}. {added}" if added else text}
    rest = dict(member)
    member.clear()
    member.update(told | rest)
