"""What a form for judging without a match is made of: words, kinds of move, and the moves one may ask about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from jsonschema_rs import Draft202012Validator

from referee.games import load_games
from tests.api.examples import SOME_EXAMPLES_OR_ALL, check_ruling, spread_out
from tests.api.house import Person, problem

MOST_RULED = 2  # listed moves of a seat that are ruled on, from either end of its list
VARIANTS = [(name, variant) for name, game in load_games().items() for variant in game.variants]


@pytest.fixture
def anyone(app: Flask) -> Person:
    return Person(app.test_client())


def list_members(schema: Any) -> Iterator[str]:
    """The members that a schema knows anywhere."""
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
    for below in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from list_members(below)


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_a_form_has_words_for_its_members_and_a_question_for_each_example(
    anyone: Person, game: str, variant: str
) -> None:
    form: Any = anyone.get(f"/v1/games/{game}/positions?variant={variant}").json
    assert set(form["words"]["members"]) == {*list_members(form["schema"])}
    assert len(form["asks"]) == len(form["examples"])
    said = [*form["words"]["members"].values(), *form["words"]["values"].values(), *filter(None, form["asks"])]
    assert all(words["en"] and words["de"] for words in said)
    assert form["words"]["members"]["readings" if "readings" in form["schema"]["properties"] else "named"]["de"]
    german: Any = anyone.get(f"/v1/games/{game}/positions?variant={variant}&lang=de").json
    assert [each and set(each) for each in german["asks"]] == [each and {"de"} for each in form["asks"]]


@pytest.mark.parametrize("most", SOME_EXAMPLES_OR_ALL)
@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_the_moves_that_one_may_ask_about_are_written_as_the_form_says_and_can_be_ruled_on(
    anyone: Person, game: str, variant: str, most: int | None
) -> None:
    form: Any = anyone.get(f"/v1/games/{game}/positions?variant={variant}").json
    written = {each["type"]: Draft202012Validator(each["schema"]) for each in form["moves"]}
    assert all("$ref" not in str(each["schema"]) and each["says"]["de"] for each in form["moves"])
    verdicts = set()
    for position, asks in spread_out(list(zip(form["examples"], form["asks"], strict=True)), most):
        found: Any = anyone.post(f"/v1/games/{game}/positions/moves", {"position": position})
        assert found.status_code == 200, found.text
        assert found.json["question"]["asks"] == asks
        assert found.json["seats"] >= 2
        for of_seat in found.json["moves"]:
            listed = of_seat["listed"]
            headed = {each["type"] for each in of_seat["groups"]}
            assert headed == {each["move"]["type"] for each in [*listed, *of_seat["pickers"]]}
            for each in of_seat["pickers"]:
                assert each["move"]["type"] in written
            for each in listed:
                assert written[each["move"]["type"]].is_valid(each["move"]), each
            for each in [*listed[:MOST_RULED], *listed[MOST_RULED:][-MOST_RULED:]]:
                body = {"position": position, "seat": of_seat["seat"], "move": each["move"]}
                ruled: Any = anyone.post(f"/v1/games/{game}/rulings", body)
                if ruled.status_code == 422:  # the example leaves out what only this move depends on
                    assert problem(ruled, 422, "facts-missing")["errors"][0]["pointer"].startswith("/position/")
                    continue
                assert ruled.status_code == 200, ruled.text
                assert ruled.json["asked"]["awaits"] == found.json["awaits"]
                check_ruling(anyone, game, body, ruled.json)
                verdicts.add(ruled.json["verdict"])
    assert {"granted", "refused"} <= verdicts


@pytest.mark.clause("TABLE-JUDGE-1")
def test_an_unlikely_move_is_listed_too_but_not_one_of_a_seat_that_may_not_act(anyone: Person) -> None:
    position = {
        "variant": "V1",
        "players": [{"hearts": 3, "hand": ["sword", "shield"]}, {"hearts": 2, "hand": 4}],
        "turn": 0,
        "question": {"asks": "play"},
    }
    found: Any = anyone.post("/v1/games/monster_combat/positions/moves", {"position": position}).json
    assert found["seats"] == 2
    assert found["awaits"] == [0]
    assert [each["seat"] for each in found["moves"]] == [0]
    cards = [each["cards"] for each in found["moves"][0]["listed"]]
    assert ["sword"] in cards
    assert ["shield"] in cards  # it only answers an attack
    del position["question"]
    unknown: Any = anyone.post("/v1/games/monster_combat/positions/moves", {"position": position}).json
    assert unknown["moves"] == []
    assert unknown["question"] is None


@pytest.mark.clause("TABLE-JUDGE-1")
def test_a_mistake_in_the_position_is_named_by_its_place(anyone: Person) -> None:
    wrong = {"variant": "V1", "players": [{"hearts": 9}, {"hand": ["nothing"]}]}
    refused = anyone.post("/v1/games/monster_combat/positions/moves", {"position": wrong})
    told = problem(refused, 422, "position-malformed")
    assert {each["pointer"] for each in told["errors"]} >= {"/position/players/0/hearts", "/position/players/1/hand/0"}
    crowd = {"variant": "V1", "players": [{"hand": ["sword"] * 20}, {"hand": 4}]}
    impossible = problem(
        anyone.post("/v1/games/monster_combat/positions/moves", {"position": crowd}), 409, "position-impossible"
    )
    assert impossible["errors"][0]["pointer"] == "/position/players/0/hand"
