"""Every game's moves as one union of marshmallow schemas, distinguished by `type`.

The schemas are made from the dataclasses of the moves, so nothing is written twice. A field added to a move appears in
the contract, in the check of requests and in the codec at once. Loading gives the `Move`. Limits come from
`field(metadata={"minimum": …})` of the dataclass, otherwise from the defaults in `fields.py`.
"""

from __future__ import annotations

import inspect
import types
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema, ValidationError, post_load, validate
from marshmallow import fields as ma
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from api.http.schemas.fields import (
    LEAST,
    LONGEST_TEXT,
    MOST,
    MOST_ITEMS,
    SEAT_LIMITS,
    AnyOfField,
    Body,
    Bool,
    FixedListField,
    JsonSchemaField,
    integer_field,
    text_field,
)
from referee.engine import chance
from referee.engine.codec import DecodeError, decode_named
from referee.engine.events import Move
from referee.engine.prompts import TimedOut
from referee.games import load_games

MAX_CHANCE_ITEMS = 200  # cards that chance may name at once: a shuffle names a whole deck
UNREQUESTABLE_MOVES = (TimedOut,)  # moves that no request can make


class SingleMoveSchema(Body):
    """The schema of one kind of move; loading makes the move itself."""

    kind: type[Move]

    @post_load
    def build_move(self, data: dict[str, Any], **kwargs: Any) -> Move:
        """Return the move. Raises ValidationError if the codec refuses the data."""
        try:
            return decode_named({"type": self.kind.TAG, **data}, Move)
        except DecodeError as wrong:
            raise ValidationError(wrong.detail, wrong.pointer.strip("/").partition("/")[0] or "_schema") from wrong


class MoveUnion(OneOfSchema):
    """A move of any game on this server, told apart by `type`."""

    component_suffix = "Move"  # of the names of its parts in the contract

    @property
    def type_schemas(self) -> dict[str, Schema]:  # type: ignore[override]  # the base has a plain attribute
        """The schema of each kind of move, by its tag."""
        return build_move_schemas(
            tuple(dict.fromkeys(kind for game in load_games().values() for kind in game.move_types))
        )

    def _load(self, data: Any, **kwargs: Any) -> Any:
        if not isinstance(data, dict):
            raise ValidationError("A move is an object.")
        if not isinstance(data.get("type"), str):
            raise ValidationError({"type": ["The kind of move is missing."]})
        if data["type"] not in self.type_schemas:
            raise ValidationError({"type": ["There is no such kind of move."]})
        return super()._load(data, **kwargs)  # type: ignore[no-untyped-call]  # the library has no types


@cache
def build_move_schemas(kinds: tuple[type[Move], ...]) -> dict[str, Schema]:
    """Return a schema instance for each kind of move, by its tag."""
    return {kind.TAG: build_move_schema(kind) for kind in kinds if kind not in UNREQUESTABLE_MOVES}


def build_move_schema(kind: type[Move]) -> Schema:
    """Return the schema of one kind of move, made from its dataclass."""
    made = type(
        move_component_name(kind.TAG),
        (SingleMoveSchema,),
        {**build_fields(kind), "kind": kind, "Meta": UnregisteredMeta},
    )
    schema: Schema = made()
    return schema


class UnregisteredMeta(Body.Meta):
    """Options that keep generated schemas out of marshmallow's registry of names."""

    register = False


def move_component_name(tag: str) -> str:
    """Return the name of a move's schema: `mc.take_it` becomes `McTakeIt`."""
    return "".join(word.capitalize() for word in tag.replace(".", "_").split("_"))


def build_fields(kind: Any) -> dict[str, ma.Field[Any]]:
    """Return a marshmallow field for each field of a dataclass."""
    hints = get_type_hints(kind)
    made = {}
    for part in fields(kind):
        required = part.default is MISSING and part.default_factory is MISSING
        limits = {"max_items": MOST_ITEMS if kind.__module__ != chance.__name__ else MAX_CHANCE_ITEMS}
        if part.name == "seat":
            limits |= {"minimum": SEAT_LIMITS[0] if required else -1, "maximum": SEAT_LIMITS[1]}  # -1: nobody
        limits |= part.metadata
        made[part.name] = field_from_hint(hints[part.name], limits, required=required)
    return made


def field_from_hint(hint: Any, limits: dict[str, Any], **kwargs: Any) -> ma.Field[Any]:
    """Return the marshmallow field of a type hint.

    Raises TypeError if a move cannot carry that type.
    """
    origin, args = get_origin(hint), get_args(hint)
    if hasattr(hint, "__supertype__"):
        return field_from_hint(hint.__supertype__, limits, **kwargs)
    if origin in (Union, types.UnionType):
        options = tuple(arg for arg in args if arg is not type(None))
        if len(options) < len(args):
            kwargs["allow_none"] = True
        if len(options) == 1:
            return field_from_hint(options[0], limits, **kwargs)
        return AnyOfField(tuple(field_from_hint(option, limits) for option in options), **kwargs)
    if origin is tuple:
        return field_from_tuple(args, limits, **kwargs)
    if origin is dict:
        return ma.Dict(keys=text_field(), values=field_from_hint(args[1], limits), **kwargs)
    return field_from_plain_type(hint, origin, args, limits, **kwargs)


def field_from_tuple(args: tuple[Any, ...], limits: dict[str, Any], **kwargs: Any) -> ma.Field[Any]:
    """Return the field of `tuple[T, ...]` or of `tuple[A, B]`.

    Limits of length hold for the list, the others for its items.
    """
    of_list = ("max_items", "min_items")
    inner = {key: value for key, value in limits.items() if key not in of_list}
    if len(args) == 2 and args[1] is Ellipsis:
        length = validate.Length(min=limits.get("min_items"), max=limits["max_items"])
        return ma.List(field_from_hint(args[0], inner), validate=length, **kwargs)
    return FixedListField(tuple(field_from_hint(arg, inner) for arg in args), **kwargs)


def field_from_plain_type(
    hint: Any, origin: Any, args: tuple[Any, ...], limits: dict[str, Any], **kwargs: Any
) -> ma.Field[Any]:
    """Return the field of a plain value, a literal or a nested dataclass."""
    if origin is Literal:
        return ma.Str(validate=validate.OneOf(args), **kwargs)
    if hint is bool:
        return Bool(**kwargs)
    if hint is int:
        return integer_field(limits.get("minimum", LEAST), limits.get("maximum", MOST), **kwargs)
    if hint is str and "enum" in limits:
        return ma.Str(validate=validate.OneOf(list(limits["enum"])), **kwargs)
    if hint is str:
        return text_field(limits.get("max_length", LONGEST_TEXT), limits.get("min_length", 0), **kwargs)
    if isinstance(hint, type) and is_dataclass(hint):
        return ma.Nested(build_nested_schema(hint), **kwargs)
    raise TypeError(f"a move cannot carry {hint!r}")


@cache
def build_nested_schema(kind: type) -> Schema:
    """Return the schema of a dataclass within a move.

    Loading leaves plain data, which the move's codec reads.
    """
    parts = {**build_fields(kind), "Meta": UnregisteredMeta, "__doc__": kind.__doc__}
    schema: Schema = type(kind.__name__, (Body,), parts)()
    return schema


class UnionConverter(OpenAPIConverter):
    """A converter that writes a union as `oneOf` with a discriminator.

    apispec alone would write a schema that fits no move.
    """

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        if not isinstance(schema, OneOfSchema):
            made = dict(super().schema2jsonschema(schema))  # type: ignore[no-untyped-call]  # the library has no types
            return describe_schema(made, type(schema))
        mapping = {}
        for tag, sub in schema.type_schemas.items():
            name = type(sub).__name__ + getattr(schema, "component_suffix", "")
            if name not in self.spec.components.schemas:
                made = super().schema2jsonschema(sub)  # type: ignore[no-untyped-call]  # the library has no types
                made["properties"] = {schema.type_field: {"type": "string", "const": tag}, **made["properties"]}
                made["required"] = sorted({schema.type_field, *made.get("required", [])})
                made["description"] = first_paragraph(getattr(sub, "kind", type(sub)))
                self.spec.components.schema(name, component=made)
            mapping[tag] = f"#/components/schemas/{name}"
        union = {
            "oneOf": [{"$ref": reference} for reference in mapping.values()],
            "discriminator": {"propertyName": schema.type_field, "mapping": mapping},
        }
        return describe_schema(union, type(schema))

    def init_attribute_functions(self) -> None:
        """Register `shaped2properties`, so that `JsonSchemaField`s give their own schema."""
        super().init_attribute_functions()  # type: ignore[no-untyped-call]  # the library has no types
        self.add_attribute_function(shaped2properties)  # type: ignore[no-untyped-call]  # the library has no types


def shaped2properties(self: Any, field: ma.Field[Any], **_: Any) -> dict[str, Any]:
    """Return the JSON Schema of a `JsonSchemaField`; nothing for other fields."""
    if not isinstance(field, JsonSchemaField):
        return {}
    shape = field.to_json_schema(self.field2property)
    return {"anyOf": [shape, {"type": "null"}]} if field.allow_none and "anyOf" not in shape else shape


class UnionPlugin(MarshmallowPlugin):
    """apispec's marshmallow plugin, with unions."""

    Converter = UnionConverter


def describe_schema(made: dict[str, Any], kind: type) -> dict[str, Any]:
    """Return a JSON Schema with the docstring of its class, if it has one."""
    told = inspect.cleandoc(kind.__doc__ or "")
    return {"description": told, **made} if told else made


def first_paragraph(kind: type) -> str:
    """Return the first paragraph of a class's docstring, as one line for the contract."""
    return " ".join((kind.__doc__ or "").strip().partition("\n\n")[0].split())
