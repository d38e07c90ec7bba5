"""Boxes of their owners over HTTP: each game says which cards are ours, and a box that stands alone is played with."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.api import house
from tests.api.house import Person, Table, problem, publish
from tests.games.munchkin.own_box import list_least_box, write_book

OPERATOR = "rfs_" + "o" * 43
TEXT = write_book("attic", list_least_box())


@pytest.fixture
def app() -> Flask:
    """An app whose operator is known."""
    return house.app(IS_OPERATOR=lambda token: token == OPERATOR)


@pytest.mark.parametrize(
    ("game", "designs", "invented", "english", "german"),
    [
        ("munchkin", 149, 136, "136 of the 149 cards are of our own design", "136 der 149 Karten haben wir selbst"),
        ("creature_crush", 100, 100, "All 100 cards are of our own design", "Alle 100 Karten haben wir selbst"),
        ("here_to_slay", 95, 0, "", ""),
        ("shy_monsters", 13, 0, "", ""),
    ],
)
def test_a_game_says_how_many_of_its_cards_are_inventions(
    app: Flask, game: str, designs: int, invented: int, english: str, german: str
) -> None:
    found: Any = Person(app.test_client()).get(f"/v1/games/{game}").json["cards"]  # type: ignore[index]
    assert (found["designs"], found["invented"]) == (designs, invented)
    if not invented:
        assert found["told"] is None
    else:
        assert found["told"]["en"].startswith(english)
        assert found["told"]["de"].startswith(german)


def test_a_box_that_stands_alone_is_published_and_its_cards_are_all_there_are(app: Flask) -> None:
    operator, anyone = Person(app.test_client(), OPERATOR), Person(app.test_client())
    short = write_book("attic", list_least_box()[1:])
    wrong: Any = problem(publish(operator, "munchkin", short), 422, "book-malformed")
    assert {each["line"] for each in wrong["errors"]} == {1}
    made: Any = publish(operator, "munchkin", TEXT)
    assert (made.status_code, made.json["extends"]) == (201, None)
    cards: Any = anyone.get(f"/v1/games/munchkin/cards?edition={made.json['edition']}").json
    assert sum(card["copies"] for card in cards["items"]) == 84
    assert all(card["id"].endswith(made.json["edition"].partition("@")[2]) for card in cards["items"])


@pytest.mark.parametrize("chance", ["server", "table"])
def test_a_match_is_opened_with_the_box_alone(app: Flask, chance: str) -> None:
    edition = publish(Person(app.test_client(), OPERATOR), "munchkin", TEXT).json["edition"]  # type: ignore[index]
    table: Table = house.opened(
        app, game="munchkin", variant="standard", seats=3, edition="attic", chance=chance, visibility="public"
    )
    assert table.anyone.get(f"{table.path}").json["edition"] == edition  # type: ignore[index]
    assert table.anyone.get(f"{table.path}/book").data.decode() == TEXT
    if chance == "server":
        hand = [each["move"]["card"] for each in table.moves(0)["legal"] if "card" in each["move"]]
        assert all(card.endswith(edition.partition("@")[2]) for card in hand)
