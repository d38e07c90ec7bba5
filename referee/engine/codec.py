"""Convert events, moves, steps and states to JSON data and back.

Classes are found by their registered name and version. Canonical bytes are sorted JSON without floats and with ASCII
keys. For such data they equal RFC 8785.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from sys import intern
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import orjson

T = TypeVar("T")
Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

# Metadata of a field that is left out if empty, so that data written before the field existed encodes to itself.
OMIT_IF_EMPTY = {"spare": True}
# Metadata of a field that is left out if None: a viewer may not know its value, and no other stands in its place.
OMIT_IF_HIDDEN = {"hidden": True}
REGISTRY: dict[str, type] = {}
VERSIONS: dict[str, tuple[int, Upcaster | None]] = {}
MAX_SAFE_INTEGER = 2**53  # JSON readers disagree on larger whole numbers
NEEDED = " is needed"  # ends what is said of a value of a wrong type
TYPE_WORDS = {int: "a whole number", bool: "true or false", str: "a text", type(None): "null"}
ONE_OF = "one of "  # begins what is said of a value that is none of several
MAX_QUOTED_LETTERS = 64  # of a foreign value or name that an error repeats


class DecodeError(ValueError):
    """Data does not fit the type.

    `pointer` (RFC 6901) says where, the message says why.
    """

    def __init__(self, pointer: str, detail: str) -> None:
        super().__init__(f"{pointer or '/'}: {detail}")
        self.pointer, self.detail = pointer, detail


def quote_value(value: Any) -> str:
    """Return a foreign value as an error quotes it, cut if it is long."""
    quoted = repr(value) if isinstance(value, str) else json.dumps(value)
    return quoted if len(quoted) <= MAX_QUOTED_LETTERS else f"{quoted[:MAX_QUOTED_LETTERS]}…"


def named(tag: str, version: int = 1, upcast: Upcaster | None = None) -> Callable[[type[T]], type[T]]:
    """Register a move, event or step under its tag. Must be the outermost decorator.

    A later version passes `upcast`, which turns the fields of older versions (`v` says which) into those of the
    current one. Raises ValueError if another class has the tag.
    """

    def register(cls: type[T]) -> type[T]:
        other = REGISTRY.get(tag)
        if other is not None and other.__qualname__ != cls.__qualname__:
            raise ValueError(f"{tag} names {other.__qualname__} already")
        cls.TAG = tag  # type: ignore[attr-defined]
        REGISTRY[tag], VERSIONS[tag] = cls, (version, upcast)
        return cls

    return register


Encoder = Callable[[Any], Any]
PLAIN_TYPES = frozenset((str, int, bool, type(None)))  # values that are JSON data already
_encoders: dict[type, Encoder] = {}


def encode(value: Any) -> Any:
    """Return plain JSON data for a value.

    Raises TypeError for what JSON cannot carry here, including floats and sets.
    """
    kind = type(value)
    if kind in PLAIN_TYPES:
        return value
    encoder = _encoders.get(kind)
    if encoder is None:
        encoder = _encoders[kind] = _build_encoder(kind, value)
    return encoder(value)


def _build_encoder(kind: Any, value: Any) -> Encoder:
    """Return the encoder of a type, with `value` as an example. Raises TypeError."""
    if kind is tuple or kind is list:
        return _encode_items
    if kind is dict:
        return _encode_members
    if not is_dataclass(kind):
        raise TypeError(f"{value!r} is no plain value")
    names, head, spare, hidden = _encoding_layout(cast(Any, kind))

    def encode_fields(value: Any) -> dict[str, Any]:
        data = dict(head)
        for name in names:
            held = getattr(value, name)
            data[name] = held if type(held) in PLAIN_TYPES else encode(held)
        for name in spare:
            if held := getattr(value, name):
                data[name] = encode(held)
        for name in hidden:
            if (held := getattr(value, name)) is not None:
                data[name] = encode(held)
        return data

    return encode_fields


def _encode_items(items: Any) -> list[Any]:
    return [item if type(item) in PLAIN_TYPES else encode(item) for item in items]


def _encode_members(members: dict[str, Any]) -> dict[str, Any]:
    return {key: encode(members[key]) for key in sorted(members)}  # the order in which canonical bytes decode


@cache
def _encoding_layout(kind: Any) -> tuple[tuple[str, ...], dict[str, Any], tuple[str, ...], tuple[str, ...]]:
    tag = getattr(kind, "TAG", "")
    head: dict[str, Any] = {"type": tag} if tag else {}
    if tag and VERSIONS[tag][0] > 1:
        head["v"] = VERSIONS[tag][0]
    spare = tuple(field.name for field in fields(kind) if field.metadata.get("spare"))
    hidden = tuple(field.name for field in fields(kind) if field.metadata.get("hidden"))
    return tuple(field.name for field in fields(kind) if field.name not in (*spare, *hidden)), head, spare, hidden


def decode(hint: Any, data: Any, pointer: str = "") -> Any:
    """Return the value of type `hint` that `data` describes.

    Raises DecodeError with the place and the reason.
    """
    return _build_decoder(hint)(data, pointer)


def decode_named(data: Any, base: type[T], pointer: str = "") -> T:
    """Return the registered move, event or step that `data` names under `type`.

    It must be a subclass of `base`. Raises DecodeError.
    """
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        raise DecodeError(pointer, "an object with a 'type' is needed")
    cls: Any = REGISTRY.get(data["type"])
    if cls is None or not issubclass(cls, base):
        raise DecodeError(f"{pointer}/type", f"unknown {base.__name__.lower()} {quote_value(data['type'])}")
    value: T = _dataclass_decoder(cls)(_upcast_to_current(data, pointer), pointer)
    return value


def _upcast_to_current(data: dict[str, Any], pointer: str) -> dict[str, Any]:
    """Return the data of a registered class in its current version.

    Raises DecodeError if there is no such version, or the data does not have the fields of the version it names.
    """
    current, upcast = VERSIONS[data["type"]]
    version = data.get("v", 1)
    if type(version) is not int or not 1 <= version <= current:
        raise DecodeError(f"{pointer}/v", f"a version from 1 to {current} is needed")
    if version == current or upcast is None:
        return data
    try:
        return upcast(data)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as unfit:
        raise DecodeError(pointer, f"this does not fit version {version} of {data['type']}") from unfit


def escape_name(name: str) -> str:
    """Return the name of a member as a JSON pointer spells it (RFC 6901).

    Of a foreign name that is longer than any known one only the beginning is given.
    """
    name = name if len(name) <= MAX_QUOTED_LETTERS else f"{name[:MAX_QUOTED_LETTERS]}…"
    return name.replace("~", "~0").replace("/", "~1")


def encode_canonical(data: Any) -> bytes:
    """Return the canonical bytes of JSON data, which are both stored and hashed."""
    return orjson.dumps(data, option=orjson.OPT_SORT_KEYS)


Decoder = Callable[[Any, str], Any]


@cache
def _dataclass_decoder(cls: Any) -> Decoder:
    hints = get_type_hints(cls)
    parts = {field.name: _build_decoder(hints[field.name]) for field in fields(cls)}
    needed = {f.name for f in fields(cls) if f.default is MISSING and f.default_factory is MISSING}

    def read(data: Any, pointer: str) -> Any:
        if not isinstance(data, dict):
            raise DecodeError(pointer, "an object is needed")
        given = {}
        for key, value in data.items():
            if key in parts:
                given[key] = parts[key](value, f"{pointer}/{key}")
            elif key not in ("type", "v"):
                raise DecodeError(f"{pointer}/{escape_name(str(key))}", "no such field")
        for name in sorted(needed - given.keys()):
            raise DecodeError(f"{pointer}/{name}", "is missing")
        return cls(**given)

    return read


@cache
def _build_decoder(hint: Any) -> Decoder:
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any:
        return lambda data, _: data
    if hasattr(hint, "__supertype__"):
        return _build_decoder(hint.__supertype__)
    if hint in (int, str, bool, type(None)):
        return _plain_decoder(hint)
    if origin is Literal:
        return _literal_decoder(args)
    if origin in (Union, types.UnionType):
        union = _union_decoder(tuple(_build_decoder(arg) for arg in args), tuple(map(_list_field_names, args)))
        if type(None) not in args:
            return union
        return lambda data, pointer: None if data is None else union(data, pointer)
    if origin is tuple:
        return _tuple_decoder(args)
    if origin in (dict, Mapping):
        inner = _build_decoder(args[1])
        return lambda data, pointer: {
            key: inner(value, f"{pointer}/{escape_name(key)}") for key, value in _require_object(data, pointer).items()
        }
    if isinstance(hint, type) and is_dataclass(hint) and not _is_polymorphic(hint):
        return _dataclass_decoder(hint)
    if isinstance(hint, type):
        return lambda data, pointer: decode_named(data, hint, pointer)
    raise TypeError(f"{hint!r} is no plain type")


def _is_polymorphic(cls: type) -> bool:
    return any(other is not cls and issubclass(other, cls) for other in REGISTRY.values()) or hasattr(cls, "TAG")


def _require_object(data: Any, pointer: str) -> dict[str, Any]:
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        raise DecodeError(pointer, "an object is needed")
    return data


def _plain_decoder(hint: type) -> Decoder:
    def read(data: Any, pointer: str) -> Any:
        if type(data) is not hint:
            raise DecodeError(pointer, f"{TYPE_WORDS[hint]} is needed")
        if hint is int and not -MAX_SAFE_INTEGER < cast(int, data) < MAX_SAFE_INTEGER:
            raise DecodeError(pointer, "the number is too large")
        return intern(cast(str, data)) if hint is str else data  # all matches in memory share the names of cards

    return read


def _literal_decoder(allowed: tuple[Any, ...]) -> Decoder:
    def read(data: Any, pointer: str) -> Any:
        if data not in allowed:
            raise DecodeError(pointer, f"{ONE_OF}{', '.join(map(str, allowed))} is needed")
        return data

    return read


def _list_field_names(hint: Any) -> frozenset[str]:
    """Return the names of the fields of a dataclass, none of another type."""
    return frozenset(field.name for field in fields(hint)) if is_dataclass(hint) else frozenset()


def _union_decoder(options: tuple[Decoder, ...], names: tuple[frozenset[str], ...]) -> Decoder:
    """Return what decodes one of several types.

    What is wrong is told of the type that was meant: the one that has most of the fields that are given. No error is
    kept, only what it says: it would hold this frame, and so itself and all data at hand, until a search for garbage.
    """

    def read(data: Any, pointer: str) -> Any:
        found: list[tuple[int, str, str]] = []
        for option, known in zip(options, names, strict=True):
            try:
                return option(data, pointer)
            except DecodeError as unreadable:
                count = len(known & data.keys()) if isinstance(data, dict) else 0
                found.append((count, unreadable.pointer, unreadable.detail))
        most = max(count for count, _, _ in found)
        meant = [(place, detail) for count, place, detail in found if count == most]
        told = dict.fromkeys(detail.removesuffix(NEEDED) for _, detail in meant)
        kinds = sorted(told, key=lambda kind: kind.startswith(ONE_OF))
        if len(kinds) > 1 and all(place == pointer and detail.endswith(NEEDED) for place, detail in meant):
            raise DecodeError(pointer, f"{', '.join(kinds[:-1])} or {kinds[-1]} is needed")
        raise DecodeError(*max(meant, key=lambda each: each[0].count("/")))

    return read


def _tuple_decoder(args: tuple[Any, ...]) -> Decoder:
    if len(args) == 2 and args[1] is Ellipsis:
        inner = _build_decoder(args[0])

        def read(data: Any, pointer: str) -> Any:
            if not isinstance(data, list | tuple):
                raise DecodeError(pointer, "a list is needed")
            return tuple(inner(part, f"{pointer}/{index}") for index, part in enumerate(data))

        return read
    parts = tuple(_build_decoder(arg) for arg in args)

    def read_fixed(data: Any, pointer: str) -> Any:
        if not isinstance(data, list | tuple) or len(data) != len(parts):
            raise DecodeError(pointer, f"a list of {len(parts)} is needed")
        return tuple(part(value, f"{pointer}/{i}") for i, (part, value) in enumerate(zip(parts, data, strict=True)))

    return read_fixed
