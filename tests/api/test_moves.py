"""The contract accepts every legal move and refuses a malformed one; the door agrees with it, and with the codec."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

import pytest
from jsonschema_rs import Draft202012Validator
from marshmallow import Schema, ValidationError

from api.http.schemas.polymorphic import MoveUnion, build_move_schema, build_move_schemas
from api.resources.health.routes import load_contract
from referee.engine.codec import encode, named
from referee.engine.events import Move
from referee.engine.prompts import TimedOut
from referee.engine.seats import CHANCE
from referee.games import load_games
from tests.api import house
from tests.games.matches import marked_setups, random_match


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    """Of the contract's `Move`."""
    made = load_contract(house.app())
    return Draft202012Validator({"$ref": "#/components/schemas/Move", "components": made["components"]})


@pytest.mark.parametrize("pair", marked_setups())
def test_every_legal_move_of_a_random_match_passes_contract_and_door(
    pair: tuple[str, Any], validator: Draft202012Validator
) -> None:
    name, setup = pair
    union, seen = MoveUnion(), 0
    for turned in islice(random_match(name, setup, seed=7), 120):
        if isinstance(turned.move, TimedOut):
            continue
        data = json.loads(json.dumps(encode(turned.move)))
        assert validator.is_valid(data), data
        assert union.load(data) == turned.move
        seen += 1
        if turned.seat == CHANCE:
            continue
        for broken in spoiled(data, random.Random(seen)):
            assert not validator.is_valid(broken), broken
            with pytest.raises(ValidationError):
                union.load(broken)
    assert seen > 5


def spoiled(data: dict[str, Any], dice: random.Random) -> list[Any]:
    """The same move with something wrong."""
    fields = [name for name in data if name != "type"]
    made: list[Any] = [
        {**data, "extra": 1},
        {**data, "type": data["type"] + "x"},
        {**data, "type": None},
        {name: value for name, value in data.items() if name != "type"},
        [data],
        "move",
    ]
    if fields:
        name = dice.choice(fields)
        made.append({**data, name: {"no": "such"}})
        made.append({**data, name: 1.5})
        made.append({**data, name: "x" * 1001})
        made.append({**data, name: 10**12})
    return made


def test_all_games_are_in_one_union_and_the_clock_is_in_none() -> None:
    tags = set(MoveUnion().type_schemas)
    assert {kind.TAG for game in load_games().values() for kind in game.move_types} == tags
    assert "clock.timed_out" not in tags
    assert TimedOut.TAG not in build_move_schemas((TimedOut,))


@dataclass(frozen=True)
class Spot:
    """A place."""

    x: int
    y: int = 0


@named("apitest.everything")
@dataclass(frozen=True)
class Everything(Move):
    """Holds every kind of value that a move may carry."""

    count: int
    word: Literal["red", "blue"]
    truth: bool
    pair: tuple[int, str]
    spots: tuple[Spot, ...] = ()
    either: int | str = 0
    perhaps: Spot | None = None
    table: dict[str, int] | None = None


@pytest.fixture
def schema() -> Schema:
    return build_move_schema(Everything)


def test_every_plain_type_makes_a_field(schema: Schema) -> None:
    data = {
        "count": 3.0, "word": "red", "truth": True, "pair": [1, "a"], "spots": [{"x": 1}, {"x": 2, "y": 3}],
        "either": "text", "perhaps": None, "table": {"a": 1},
    }  # fmt: skip
    made = schema.load(data)
    assert made == Everything(3, "red", True, (1, "a"), (Spot(1), Spot(2, 3)), "text", None, {"a": 1})


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"count": "3"}, ["count"]), ({"count": True}, ["count"]), ({"count": 1001}, ["count"]),
        ({"count": None}, ["count"]), ({"word": "green"}, ["word"]), ({"truth": "true"}, ["truth"]),
        ({"truth": 1}, ["truth"]), ({"pair": [1]}, ["pair"]), ({"pair": ["a", 1]}, ["pair", 0]),
        ({"spots": [{}]}, ["spots", 0, "x"]), ({"spots": [{"x": 1, "z": 2}]}, ["spots", 0, "z"]),
        ({"spots": [{"x": 1}] * 65}, ["spots"]), ({"either": []}, ["either"]), ({"perhaps": 3}, ["perhaps"]),
        ({"table": {"a": "b"}}, ["table", "a"]), ({"nonsense": 1}, ["nonsense"]),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_where(schema: Schema, change: dict[str, Any], where: list[Any]) -> None:
    whole = {"count": 3, "word": "red", "truth": True, "pair": [1, "a"]}
    with pytest.raises(ValidationError) as wrong:
        schema.load({**whole, **change})
    node: Any = wrong.value.normalized_messages()
    for step in where:
        assert step in node, wrong.value.messages
        node = node[step]


def test_a_type_that_json_cannot_carry_is_found_when_the_schema_is_made() -> None:
    @dataclass(frozen=True)
    class Floating(Move):
        """Holds what no move may."""

        weight: float

    Floating.__annotations__["weight"] = float
    with pytest.raises(TypeError, match="cannot carry"):
        build_move_schema(Floating)
