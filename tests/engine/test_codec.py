"""Facts, moves and states to data and back; what does not fit says where."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from typing import Literal

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.chance import RollResult, Shuffle
from referee.engine.codec import DecodeError, decode, decode_named, encode, encode_canonical, named
from referee.engine.events import Event, Move
from referee.engine.steps import StepPushed

KEYS = st.text("abcdefgXYZ_09", max_size=5)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


@given(PLAIN)
def test_canonical_bytes_are_those_of_rfc_8785(data: object) -> None:
    assert encode_canonical(data) == rfc8785.dumps(data)


def test_floats_and_sets_are_no_plain_values() -> None:
    for value in (1.5, {1}, object()):
        with pytest.raises(TypeError):
            encode(value)


@dataclass(frozen=True)
class Spot:
    x: int
    y: int


@named("test.mark")
@dataclass(frozen=True)
class Mark(Move):
    spots: tuple[Spot, ...]
    how: Literal["loud", "low"] = "low"
    pair: tuple[int, str] | None = None
    notes: dict[str, bool] | None = None


@named("test.Renamed", version=2, upcast=lambda old: {"fresh": old["stale"]})
@dataclass(frozen=True)
class Renamed(Event):
    fresh: int


def test_nested_values_survive() -> None:
    move = Mark((Spot(1, 2), Spot(-3, 4)), "loud", (5, "six"), {"seven": True})
    assert decode_named(encode(move), Move) == move
    assert encode(move)["type"] == "test.mark"


def test_an_older_version_of_a_fact_is_read_as_the_newer() -> None:
    assert decode_named({"type": "test.Renamed", "stale": 3}, Event) == Renamed(3)
    assert encode(Renamed(3)) == {"type": "test.Renamed", "v": 2, "fresh": 3}
    assert decode_named(encode(Renamed(3)), Event) == Renamed(3)


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ({"v": "x", "stale": 3}, "/v"), ({"v": None, "stale": 3}, "/v"), ({"v": True, "stale": 3}, "/v"),
        ({"v": 3, "fresh": 3}, "/v"), ({"v": 0, "stale": 3}, "/v"),
        ({"fresh": 3}, ""), ({"v": 1}, ""),
    ],
)  # fmt: skip
def test_a_version_that_there_is_not_or_that_does_not_fit_is_unreadable(data: dict[str, object], pointer: str) -> None:
    with pytest.raises(DecodeError) as unreadable:
        decode_named({"type": "test.Renamed", **data}, Event)
    assert unreadable.value.pointer == pointer


@pytest.mark.parametrize("data", [None, 3, "three", [3], {}])
def test_reading_one_of_several_types_leaves_nothing_to_the_garbage_collector(data: object) -> None:
    gc.collect()
    gc.disable()
    try:
        try:
            decode(tuple[int | str | None, ...], [data, data])
        except DecodeError:
            assert not isinstance(data, int | str | None)
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_pointers_escape_names_and_details_quote_only_the_beginning_of_a_value() -> None:
    with pytest.raises(DecodeError) as unreadable:
        decode_named({"type": "test.mark", "spots": [], "a~b/c": 1}, Move)
    assert unreadable.value.pointer == "/a~0b~1c"
    with pytest.raises(DecodeError) as unreadable:
        decode_named({"type": "test.mark", "spots": [], "notes": {"a/b": 1}}, Move)
    assert unreadable.value.pointer == "/notes/a~1b"
    for data in ({"type": "y" * 60_000}, {"type": "test.mark", "spots": [], "x" * 60_000: 1}):
        with pytest.raises(DecodeError) as unreadable:
            decode_named(data, Move)
        assert len(str(unreadable.value)) < 200


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ({"type": "test.mark"}, "/spots"),
        ({"type": "test.mark", "spots": [{"x": 1}]}, "/spots/0/y"),
        ({"type": "test.mark", "spots": [{"x": 1, "y": "2"}]}, "/spots/0/y"),
        ({"type": "test.mark", "spots": [{"x": True, "y": 2}]}, "/spots/0/x"),
        ({"type": "test.mark", "spots": [], "hue": 1}, "/hue"),
        ({"type": "test.mark", "spots": [], "how": "mild"}, "/how"),
        ({"type": "test.mark", "spots": [], "pair": [1]}, "/pair"),
        ({"type": "test.mark", "spots": [{"x": 2**60, "y": 1}]}, "/spots/0/x"),
        ({"type": "test.mark", "spots": 5}, "/spots"),
        ({"type": "test.nothing"}, "/type"),
        ({"type": "Opened"}, "/type"),
        ({}, ""),
        (7, ""),
    ],
)
def test_what_does_not_fit_says_where(data: object, pointer: str) -> None:
    with pytest.raises(DecodeError) as unreadable:
        decode_named(data, Move)
    assert unreadable.value.pointer == pointer


def test_one_name_names_one_class() -> None:
    with pytest.raises(ValueError, match="names Mark already"):
        named("test.mark")(Spot)


def test_steps_inside_facts_survive() -> None:
    event = StepPushed(Shuffle("deck:"))
    assert decode(Event, encode(event)) == event
    assert decode(Move, encode(RollResult((1, 2)))) == RollResult((1, 2))
