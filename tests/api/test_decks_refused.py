"""Decks are checked whole, as the move that brings them is, and told all that is wrong with them."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from referee.games import load_games
from tests.api import house
from tests.api.decked import BODY, CARDS, Mine
from tests.api.house import Person, problem

GAME = load_games()["creature_crush"]
LEAGUE = "CC-FORMAT-LEAGUE-1"
STONE_CAT = """\
book: my_cards
game: creature_crush
title: {en: My cards, de: Meine Karten}
extends: printed
cards:
- id: stone_cat
  kind: creature
  cost: 3
  attack: 1
  life: 3
  name: {en: Stone Cat, de: Steinkatze}
  keywords: [lively]
  text: {en: Lively., de: Munter.}
"""


@pytest.fixture
def mine(app: Flask) -> Mine:
    return Mine(app, "Ada")


def test_every_reason_is_told_at_once_each_with_its_place_and_its_clause(mine: Mine) -> None:
    cards = [*CARDS[:18], "unheard_of", CARDS[3], CARDS[3], "", "hex_toad#1"]
    told = problem(mine.put(body={**BODY, "cards": [card or "x" for card in cards]}), 422, "deck-refused")
    assert [(each["pointer"], each["clause"]) for each in told["errors"]] == [
        ("/cards/18", LEAGUE), ("/cards/21", LEAGUE), ("/cards/22", LEAGUE),
        ("/cards/19", LEAGUE), ("/cards/20", LEAGUE),
        ("/cards", "CC-PREP-1"),
    ]  # fmt: skip
    assert "unheard_of" in told["errors"][0]["detail"]
    assert "23" in told["errors"][-1]["detail"]
    assert mine.listed() == []


@pytest.mark.parametrize(("cards", "count"), [([], 0), (CARDS[:19], 19), ([*CARDS, "chimera"], 21)])
def test_another_number_than_twenty_is_refused(mine: Mine, cards: list[str], count: int) -> None:
    (error,) = mine.refused(cards=cards)["errors"]
    assert (error["pointer"], error["clause"]) == ("/cards", "CC-PREP-1")
    assert str(count) in error["detail"]


def test_a_card_that_stands_there_three_times_is_named_twice(mine: Mine) -> None:
    errors = mine.refused(cards=[*CARDS[:18], CARDS[0], CARDS[0]])["errors"]
    assert [each["pointer"] for each in errors] == ["/cards/18", "/cards/19"]


def test_an_edition_that_there_is_not_is_named_and_the_list_is_looked_at_all_the_same(mine: Mine) -> None:
    told = mine.refused(edition="third", cards=[*CARDS[:18], CARDS[0]])
    assert [each["pointer"] for each in told["errors"]] == ["/edition", "/cards/18", "/cards"]
    assert "third" in told["errors"][0]["detail"]
    assert [each["pointer"] for each in mine.refused(edition="third")["errors"]] == ["/edition"]


@pytest.mark.parametrize("game", sorted(name for name, game in load_games().items() if not game.deck_variant))
def test_a_game_to_which_nobody_brings_decks_takes_none(mine: Mine, game: str) -> None:
    (error,) = mine.refused(game=game)["errors"]
    assert error["pointer"] == "/game"
    assert load_games()[game].title["en"] in error["detail"]


def test_reasons_are_told_in_german_to_whoever_wants_german(mine: Mine) -> None:
    body = {**BODY, "edition": "zweite", "cards": [*CARDS[:18], "unbekannt", CARDS[0], CARDS[1]]}
    told = problem(mine.put(body=body, Accept_Language="de"), 422, "deck-refused")
    assert told["title"] == "Deck abgelehnt"
    assert "Ausgabe zweite" in told["errors"][0]["detail"]
    twice = told["errors"][1]["detail"]
    assert GAME.rulebook.names[CARDS[0]]["de"] in twice
    assert "Lager" in twice
    body["game"] = "munchkin"
    (error,) = problem(mine.put(body=body, Accept_Language="de"), 422, "deck-refused")["errors"]
    assert "mitgebrachten" in error["detail"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({**BODY, "game": "chess"}, "/game"), ({**BODY, "name": ""}, "/name"), ({**BODY, "name": "x" * 61}, "/name"),
        ({**BODY, "name": "a\nb"}, "/name"), ({**BODY, "cards": ["siren"] * 65}, "/cards"),
        ({**BODY, "cards": ["x" * 65]}, "/cards/0"), ({**BODY, "cards": "siren"}, "/cards"),
        ({**BODY, "cards": [7]}, "/cards/0"), ({**BODY, "edition": "x" * 65}, "/edition"),
        ({**BODY, "seat": 0}, "/seat"),
        ({key: value for key, value in BODY.items() if key != "cards"}, "/cards"),
    ],
)  # fmt: skip
def test_a_body_that_does_not_fit_is_refused_where_it_does_not(mine: Mine, body: Any, pointer: str) -> None:
    told = problem(mine.put(body=body), 422, "invalid-input")
    assert [each["pointer"] for each in told["errors"]] == [pointer]
    assert mine.listed() == []


@pytest.mark.parametrize("deck", ["Fast", "-x", "a" * 41, "a.b", "%20", ""])
def test_what_is_no_name_of_a_deck_leads_nowhere(mine: Mine, deck: str) -> None:
    assert mine.put(deck).status_code in (404, 405)
    assert mine.listed() == []


def test_the_box_says_to_which_variant_decks_are_brought(app: Flask) -> None:
    shown = {each["name"]: each["deck_variant"] for each in Person(app.test_client()).get("/v1/games").json["items"]}  # type: ignore[index]
    assert shown.pop("creature_crush") == "league"
    assert set(shown.values()) == {None}


def test_a_deck_that_is_kept_can_be_brought_to_a_match(app: Flask, mine: Mine) -> None:
    mine.put()
    table = house.opened(app, "creature_crush", variant="league", visibility="public")
    question = table.moves(0)
    assert "cc.bring_deck" in {each["move"]["type"] for each in question["legal"]}
    assert BODY["name"] not in repr(question) + table.seats[0].get(f"{table.path}/view?viewer=seat:0").text
    brought = table.move(0, {"type": "cc.bring_deck", "cards": mine.get().json["cards"]})
    assert brought.status_code == 201, brought.text
    assert CARDS[0] not in table.seats[1].get(f"{table.path}/entries?viewer=seat:1").text
    problem(table.move(1, {"type": "cc.bring_deck", "cards": [*CARDS[:19], "unheard_of"]}), 409, "illegal-move")


@pytest.mark.parametrize(
    "cards", [CARDS, CARDS[:19], [*CARDS[:19], CARDS[0]], [*CARDS[:19], "unheard_of"], [*CARDS, "chimera"]]
)
def test_what_is_refused_as_a_deck_is_refused_as_a_move_for_the_same_reason(
    app: Flask, mine: Mine, cards: list[str]
) -> None:
    table = house.opened(app, "creature_crush", variant="league")
    kept, brought = mine.put(body={**BODY, "cards": cards}), table.move(0, {"type": "cc.bring_deck", "cards": cards})
    if kept.status_code == 200:
        assert brought.status_code == 201, brought.text
    else:
        told = problem(brought, 409, "illegal-move")
        assert told["ruling"]["reason"]["en"] == kept.json["errors"][0]["detail"]
        assert told["ruling"]["clauses"][0]["id"] == kept.json["errors"][0]["clause"]


def test_a_deck_of_a_card_book_holds_its_cards_and_is_refused_elsewhere(app: Flask, mine: Mine) -> None:
    operator = "rfs_" + "o" * 43
    app.config["IS_OPERATOR"] = lambda token: token == operator
    body = {**BODY, "edition": "my_cards"}
    problem(mine.put(body=body), 422, "deck-refused")
    book: Any = house.publish(Person(mine.person.client, operator), "creature_crush", STONE_CAT)
    assert book.status_code == 201, book.text
    (cat,), edition = book.json["cards"], book.json["edition"]
    own, key = [cat, *CARDS[1:]], house.fresh()
    made = mine.put(body={**body, "cards": own}, Idempotency_Key=key)
    assert (made.status_code, made.json["edition"], made.json["cards"]) == (200, edition, own)
    assert mine.put(body={**body, "cards": own}, Idempotency_Key=key).json == made.json
    for wrong in ({}, {"edition": GAME.newest_edition}):
        told = problem(mine.put(body={**BODY, "cards": own, **wrong}), 422, "deck-refused")
        assert [each["pointer"] for each in told["errors"]] == ["/cards/0"]
    twice = problem(mine.put(body={**body, "cards": [*own[:19], cat]}), 422, "deck-refused")["errors"]
    assert [each["pointer"] for each in twice] == ["/cards/19"]
    assert "Stone Cat" in twice[0]["detail"]
    table = house.opened(app, "creature_crush", variant="league", edition=edition)
    assert table.move(0, {"type": "cc.bring_deck", "cards": own}).status_code == 201
