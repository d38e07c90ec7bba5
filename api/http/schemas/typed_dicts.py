"""Schemas of answers, made from typed dictionaries.

A class derived from `TypedDict` becomes a schema with its fields; the text of an `Annotated` is their description. A
union of such classes becomes `oneOf`, told apart by the one field that is a literal in all of them, and is named after
the field that holds it.
"""

from __future__ import annotations

import types
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from marshmallow import Schema, validate
from marshmallow import fields as ma
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from api.http.schemas.fields import AnyOfField, Int, Words
from referee.engine.rulebook.book import Text


class UnregisteredMeta:
    """Options that keep generated schemas out of marshmallow's registry of names."""

    register = False


@cache
def build_answer_schema(shape: Any) -> type[Schema]:
    """Return the schema class of a typed dictionary."""
    hints = get_type_hints(shape, include_extras=True)
    made = {key: build_answer_field(hint, _name_part(shape, key)) for key, hint in hints.items()}
    return type(shape.__name__, (Schema,), {**made, "__doc__": shape.__doc__, "Meta": UnregisteredMeta})


@cache
def build_answer_union(name: str, shapes: tuple[Any, ...]) -> type[OneOfSchema]:
    """Return the schema class of several typed dictionaries.

    A field that is a literal in each tells them apart. Raises TypeError if there is none.
    """
    hints = [get_type_hints(shape) for shape in shapes]
    telling = next((key for key in hints[0] if all(get_origin(each.get(key)) is Literal for each in hints)), None)
    if telling is None:
        raise TypeError(f"nothing tells the shapes of {name} apart")
    schemas = {
        value: build_answer_schema(shape)()
        for shape, each in zip(shapes, hints, strict=True)
        for value in get_args(each[telling])
    }
    return type(
        name,
        (OneOfSchema,),
        {"type_field": telling, "type_field_remove": False, "type_schemas": schemas, "Meta": UnregisteredMeta},
    )


def _name_part(shape: type, key: str) -> str:
    """Return a name for what a field of a shape holds, such as `MunchkinBoardRunning`."""
    return shape.__name__ + "".join(word.capitalize() for word in key.split("_"))


def build_answer_field(hint: Any, name: str, **kwargs: Any) -> ma.Field[Any]:
    """Return the field of a type hint.

    `name` is what a union would be called in the contract. Raises TypeError if an answer cannot hold that type.
    """
    origin, args = get_origin(hint), get_args(hint)
    if origin is NotRequired:
        return build_answer_field(args[0], name, **{**kwargs, "required": False})
    kwargs.setdefault("required", True)
    if origin is Annotated:
        described = {"metadata": {"description": args[1]}} if isinstance(args[1], str) else {}
        return build_answer_field(args[0], name, **{**described, **kwargs})
    if hint == Text:
        return ma.Nested(Words, **kwargs)
    if origin in (Union, types.UnionType):
        return _build_union_field(args, name, **kwargs)
    if origin is list:
        return ma.List(build_answer_field(args[0], name), **kwargs)
    if origin is dict:
        return ma.Dict(keys=ma.Str(), values=build_answer_field(args[1], name), **kwargs)
    if origin is Literal:
        return ma.Str(validate=validate.OneOf(args), **kwargs)
    if is_typeddict(hint):
        return ma.Nested(build_answer_schema(hint), **kwargs)
    if hint in PLAIN_FIELDS:
        return PLAIN_FIELDS[hint](**kwargs)
    raise TypeError(f"an answer cannot hold {hint!r}")


PLAIN_FIELDS: dict[Any, type[ma.Field[Any]]] = {bool: ma.Bool, int: Int, str: ma.Str}


def _build_union_field(options: tuple[Any, ...], name: str, **kwargs: Any) -> ma.Field[Any]:
    some = tuple(option for option in options if option is not type(None))
    if len(some) < len(options):
        kwargs["allow_none"] = True
    if len(some) == 1:
        return build_answer_field(some[0], name, **kwargs)
    if all(map(is_typeddict, some)):
        return ma.Nested(build_answer_union(name, some), **kwargs)
    return AnyOfField(tuple(build_answer_field(option, name) for option in some), **kwargs)
