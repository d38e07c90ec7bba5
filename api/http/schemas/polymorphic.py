"""Every game's moves as one union: marshmallow schemas made from the dataclasses, told apart by `type`.

The contract's `Move` is this union and nothing is written twice: a field added to a move is in the contract, at the
door and in the codec at once. Loading gives the `Move`. Limits come from `field(metadata={"minimum": …})` of the
dataclass, else from the house's defaults.
"""

from __future__ import annotations

import types
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from apispec.ext.marshmallow import MarshmallowPlugin, OpenAPIConverter
from marshmallow import Schema, ValidationError, post_load, validate
from marshmallow import fields as ma
from marshmallow_oneofschema import OneOfSchema

from api.http.schemas.fields import (
    LEAST,
    LONGEST_TEXT,
    MOST,
    MOST_ITEMS,
    AnyOf,
    Body,
    Bool,
    Fixed,
    Shaped,
    number,
    text,
)
from referee.engine import chance
from referee.engine.codec import Unreadable, decode_named
from referee.engine.events import Move
from referee.engine.prompts import TimedOut
from referee.games import games

WHOLE_BOX = 200  # cards that chance may name at once: a shuffle names a whole deck
NOBODYS = (TimedOut,)  # moves that no request can make


class Member(Body):
    """One kind of move; loading makes the move itself."""

    kind: type[Move]

    @post_load
    def make(self, data: dict[str, Any], **kwargs: Any) -> Move:
        """The move. Raises ValidationError where the codec disagrees with the schema."""
        try:
            return decode_named({"type": self.kind.TAG, **data}, Move)
        except Unreadable as wrong:
            raise ValidationError(wrong.detail, wrong.pointer.strip("/").partition("/")[0] or "_schema") from wrong


class MoveUnion(OneOfSchema):
    """A move of any game that is refereed here."""

    @property
    def type_schemas(self) -> dict[str, Schema]:  # type: ignore[override]  # the base has a plain attribute
        """The schema of each kind of move, by its tag."""
        return members(tuple(dict.fromkeys(kind for game in games().values() for kind in game.moves)))

    def _load(self, data: Any, **kwargs: Any) -> Any:
        if not isinstance(data, dict):
            raise ValidationError("A move is an object.")
        if not isinstance(data.get("type"), str):
            raise ValidationError({"type": ["The kind of move is missing."]})
        if data["type"] not in self.type_schemas:
            raise ValidationError({"type": ["There is no such kind of move."]})
        return super()._load(data, **kwargs)


@cache
def members(kinds: tuple[type[Move], ...]) -> dict[str, Schema]:
    """A schema instance for each kind of move."""
    return {kind.TAG: member(kind) for kind in kinds if kind not in NOBODYS}


def member(kind: type[Move]) -> Schema:
    """The schema of one kind of move, made from its dataclass."""
    made = type(component(kind.TAG), (Member,), {**parts(kind), "kind": kind, "Meta": Unregistered})
    schema: Schema = made()
    return schema


class Unregistered(Body.Meta):
    """Keeps schemas that are made here out of marshmallow's registry of names."""

    register = False


def component(tag: str) -> str:
    """The name of a move's schema: `mc.take_it` is `McTakeIt`."""
    return "".join(word.capitalize() for word in tag.replace(".", "_").split("_"))


def parts(kind: Any) -> dict[str, ma.Field[Any]]:
    """A marshmallow field for each field of a dataclass."""
    hints = get_type_hints(kind)
    made = {}
    for part in fields(kind):
        required = part.default is MISSING and part.default_factory is MISSING
        limits = {"max_items": MOST_ITEMS if kind.__module__ != chance.__name__ else WHOLE_BOX, **part.metadata}
        made[part.name] = of_hint(hints[part.name], limits, required=required)
    return made


def of_hint(hint: Any, limits: dict[str, Any], **kwargs: Any) -> ma.Field[Any]:
    """The marshmallow field of a type hint. Raises TypeError on what a move cannot carry."""
    origin, args = get_origin(hint), get_args(hint)
    if hasattr(hint, "__supertype__"):
        return of_hint(hint.__supertype__, limits, **kwargs)
    if origin in (Union, types.UnionType):
        options = tuple(arg for arg in args if arg is not type(None))
        if len(options) < len(args):
            kwargs["allow_none"] = True
        if len(options) == 1:
            return of_hint(options[0], limits, **kwargs)
        return AnyOf(tuple(of_hint(option, limits) for option in options), **kwargs)
    if origin is tuple:
        return of_tuple(args, limits, **kwargs)
    if origin is dict:
        return ma.Dict(keys=text(), values=of_hint(args[1], limits), **kwargs)
    return of_plain(hint, origin, args, limits, **kwargs)


def of_tuple(args: tuple[Any, ...], limits: dict[str, Any], **kwargs: Any) -> ma.Field[Any]:
    """The field of `tuple[T, ...]` or of `tuple[A, B]`. Limits of length hold for the list, the rest for its items."""
    of_list = ("max_items", "min_items")
    inner = {key: value for key, value in limits.items() if key not in of_list}
    if len(args) == 2 and args[1] is Ellipsis:
        length = validate.Length(min=limits.get("min_items"), max=limits["max_items"])
        return ma.List(of_hint(args[0], inner), validate=length, **kwargs)
    return Fixed(tuple(of_hint(arg, inner) for arg in args), **kwargs)


def of_plain(hint: Any, origin: Any, args: tuple[Any, ...], limits: dict[str, Any], **kwargs: Any) -> ma.Field[Any]:
    """The field of a plain value, a literal or a nested dataclass."""
    if origin is Literal:
        return ma.Str(validate=validate.OneOf(args), **kwargs)
    if hint is bool:
        return Bool(**kwargs)
    if hint is int:
        return number(limits.get("minimum", LEAST), limits.get("maximum", MOST), **kwargs)
    if hint is str and "enum" in limits:
        return ma.Str(validate=validate.OneOf(list(limits["enum"])), **kwargs)
    if hint is str:
        return text(limits.get("max_length", LONGEST_TEXT), limits.get("min_length", 0), **kwargs)
    if isinstance(hint, type) and is_dataclass(hint):
        return ma.Nested(nested(hint), **kwargs)
    raise TypeError(f"a move cannot carry {hint!r}")


@cache
def nested(kind: type) -> Schema:
    """The schema of a dataclass within a move; loading leaves plain data, which the move's codec reads."""
    schema: Schema = type(kind.__name__, (Body,), {**parts(kind), "Meta": Unregistered})()
    return schema


class UnionConverter(OpenAPIConverter):
    """Writes a union as `oneOf` with a discriminator: apispec alone makes of it a schema that fits no move."""

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        if not isinstance(schema, OneOfSchema):
            return dict(super().schema2jsonschema(schema))
        mapping = {}
        for tag, sub in schema.type_schemas.items():
            name = type(sub).__name__ + "Move"
            if name not in self.spec.components.schemas:
                made = super().schema2jsonschema(sub)
                made["properties"] = {schema.type_field: {"type": "string", "const": tag}, **made["properties"]}
                made["required"] = sorted({schema.type_field, *made.get("required", [])})
                made["description"] = first_paragraph(getattr(sub, "kind", type(sub)))
                self.spec.components.schema(name, component=made)
            mapping[tag] = f"#/components/schemas/{name}"
        return {
            "oneOf": [{"$ref": reference} for reference in mapping.values()],
            "discriminator": {"propertyName": schema.type_field, "mapping": mapping},
        }

    def init_attribute_functions(self) -> None:
        """Lets fields that know their own JSON Schema say it."""
        super().init_attribute_functions()
        self.add_attribute_function(shaped2properties)


def shaped2properties(self: Any, field: ma.Field[Any], **_: Any) -> dict[str, Any]:
    """What a `Shaped` field says of itself; nothing for others."""
    if not isinstance(field, Shaped):
        return {}
    shape = field.shape(self.field2property)
    return {"anyOf": [shape, {"type": "null"}]} if field.allow_none and "anyOf" not in shape else shape


class UnionPlugin(MarshmallowPlugin):
    """apispec's marshmallow plugin with unions."""

    Converter = UnionConverter


def first_paragraph(kind: type) -> str:
    """The first paragraph of a class's docstring, as one line: what the contract says of it."""
    return " ".join((kind.__doc__ or "").strip().partition("\n\n")[0].split())
