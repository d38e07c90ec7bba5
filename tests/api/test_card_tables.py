"""Cards by table and by form over HTTP: what may be said, and what becomes of a table before it is published."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from api.resources.card_tables.routes import SUFFIX_BY_MEDIA_TYPE
from referee.cardscript.books.files import MAX_BOOK_BYTES
from referee.cardscript.sheets.catalog import load_catalog
from referee.cardscript.sheets.layout import build_empty_table
from referee.infrastructure.spreadsheets.reading import MAX_FILE_BYTES
from referee.infrastructure.spreadsheets.writing import render_csv, render_ods, render_xlsx
from tests.api import house
from tests.api.house import problem
from tests.cardscript.sheets.tables import GAMES, make_grid

EEL = {"name": "Salzaal", "kind": "creature", "cost": "5", "attack": "2", "life": "3", "text_1": "Ziehe 2 Karten."}
CRUSH = load_catalog("creature_crush")
OPERATOR = "rfs_" + "o" * 43


@pytest.fixture
def app() -> Flask:
    made = house.app()
    made.config["IS_OPERATOR"] = lambda token: token == OPERATOR
    return made


def check(
    app: Flask, data: bytes | str, media: str = "text/csv", game: str = "creature_crush", **q: str
) -> TestResponse:
    return app.test_client().post(f"/v1/games/{game}/card-tables", data=data, content_type=media, query_string=q)


@pytest.mark.parametrize("game", GAMES)
def test_the_form_says_all_that_a_table_may_say_and_may_be_kept(app: Flask, game: str) -> None:
    answer = app.test_client().get(f"/v1/games/{game}/card-form?lang=all")
    said: Any = answer.json
    catalog = load_catalog(game)
    assert [each["name"] for each in said["sentences"]] == list(catalog.sentences)
    assert [each["name"] for each in said["columns"]] == list(catalog.columns)
    assert {name: each.label for name, each in catalog.places.items()} == {
        p["name"]: p["label"] for p in said["places"]
    }
    assert answer.headers["Cache-Control"] == "public, max-age=86400"
    again = app.test_client().get(
        f"/v1/games/{game}/card-form?lang=all", headers={"If-None-Match": answer.headers["ETag"]}
    )
    assert again.status_code == 304
    other: Any = app.test_client().get(
        f"/v1/games/{game}/card-form?lang=de", headers={"If-None-Match": answer.headers["ETag"]}
    )
    assert other.json["kinds"][0]["label"] == {"de": catalog.kinds[said["kinds"][0]["name"]]["de"]}


@pytest.mark.parametrize("media", SUFFIX_BY_MEDIA_TYPE)
def test_a_table_of_any_kind_becomes_a_book_that_can_be_published(app: Flask, media: str) -> None:
    grid = make_grid(CRUSH, [EEL])
    data = {"text/csv": render_csv(grid).encode()}.get(media)
    render = render_xlsx if media.endswith("sheet") and "openxml" in media else render_ods
    answer: Any = check(app, data or render({"cards": grid}), media, lang="en")
    assert answer.status_code == 200
    assert answer.json["errors"] == []
    assert answer.json["head"] == {"game": "creature_crush", "book": "my_cards", "extends": "printed"}
    assert answer.json["cards"][0]["cells"] == EEL | {"text_1": "Draw {n} cards.", "blanks_1": "n=2"}
    ((row, card),) = [(each["row"], each["card"]) for each in answer.json["cards"]]
    assert (row, card["id"], card["text"], card["acts"]) == (5, "salzaal", {"en": "Action: Draw 2 cards."}, ["draw"])
    assert "action" not in card
    published = app.test_client().post(
        "/v1/games/creature_crush/books", data=answer.json["book"], content_type="application/yaml",
        headers={"Authorization": f"Bearer {OPERATOR}", "Idempotency-Key": "a-key-for-the-book-of-a-table"},
    )  # fmt: skip
    assert published.status_code == 201, published.text


def test_what_is_wrong_is_told_in_the_language_asked_for_and_the_other_cards_are_shown(app: Flask) -> None:
    data = render_csv(make_grid(CRUSH, [EEL | {"cost": "?"}, EEL]))
    answer: Any = check(app, data, lang="de")
    assert answer.json["errors"] == [
        {"row": 5, "column": "cost", "heading": "Kosten", "detail": "'?' ist keine ganze Zahl."}
    ]
    assert [each["row"] for each in answer.json["cards"]] == [5, 6]
    wrong: Any = check(app, data, game="munchkin", lang="en")
    assert wrong.json["errors"][0] == {
        "row": 1,
        "column": "game",
        "heading": "game",
        "detail": "this is a table of creature_crush",
    }
    empty: Any = check(app, render_csv(build_empty_table(CRUSH, "de")), lang="en")
    assert empty.json["errors"] == [
        {"row": 8, "column": "", "heading": "", "detail": "there is no card below the names of the columns"}
    ]
    broken: Any = check(app, b"PK nothing", "application/vnd.oasis.opendocument.spreadsheet", lang="de")
    assert broken.json == {
        "head": {}, "book": "", "cards": [],
        "texts": {"sentences": 0, "carried_out": 0, "only_printed": 0, "free": []},
        "errors": [{"row": 0, "column": "", "heading": "", "detail": "Das ist keine lesbare ODS-Datei."}],
    }  # fmt: skip


def test_texts_that_are_no_sentences_are_counted_and_listed_with_what_they_may_mean(app: Flask) -> None:
    rows = [
        EEL | {"text_1": "Zieh 2 Karten"},
        EEL | {"text_1": "Sing", "when_2": "holds", "text_2": "It cannot be looked at", "text_3": "Ziehe 1 Karte."},
    ]
    answer: Any = check(app, render_csv(make_grid(CRUSH, rows)), lang="en")
    assert answer.json["errors"] == []
    assert answer.json["texts"] == {
        "sentences": 1, "carried_out": 2, "only_printed": 1,
        "free": [
            {"row": 5, "column": "text_1", "text": "Zieh 2 Karten", "only_printed": False,
             "near": {"en": "Draw 2 cards."}},
            {"row": 6, "column": "text_1", "text": "Sing", "only_printed": False, "near": None},
            {"row": 6, "column": "text_2", "text": "It cannot be looked at", "only_printed": True, "near": None},
        ],
    }  # fmt: skip
    both: Any = check(app, render_csv(make_grid(CRUSH, rows)), lang="all")
    assert set(both.json["texts"]["free"][0]["near"]) == {"de", "en"}


BOOK = """book: tide
game: creature_crush
title: {en: Tide, de: Gezeiten}
extends: printed
cards:
- {id: eel, kind: creature, name: Eel, cost: 5, attack: 2, life: 3, text: {en: No effect., de: Kein Effekt.}}
- id: crab
  kind: creature
  name: Crab
  cost: 4
  attack: 1
  life: 5
  text: It pinches.
  action:
  - {do: choose, creature: {of: enemy}, called: it}
  - {do: damage, creature: it, points: 99}
"""


def test_a_card_book_is_opened_as_a_table_with_its_errors_at_their_fields(app: Flask) -> None:
    found: Any = check(app, BOOK, "application/yaml", lang="en").json
    assert found["errors"] == []
    assert found["head"]["title_de"] == "Gezeiten"
    eel, crab = found["cards"]
    assert eel["cells"] == {"name": "Eel", "kind": "creature", "id": "eel", "cost": "5", "attack": "2", "life": "3"}
    assert "{do: damage, creature: it, points: 99}" in crab["cells"]["card"]
    assert (crab["card"]["text"], crab["card"]["acts"]) == ({"en": "It pinches."}, ["attack"])
    wrong: Any = check(app, BOOK.replace("points: 99", "points: 500").replace("life: 3", "life: 0"), "text/yaml").json
    assert [(each["row"], each["column"]) for each in wrong["errors"]] == [(8, "life"), (9, "card")]
    german: Any = check(app, BOOK.replace("called: it", "called: ["), "application/yaml", lang="de").json
    assert [each["row"] for each in german["errors"]] == [0]
    assert german["errors"][0]["detail"].startswith("Zeile 15: Das ist kein gültiges YAML.")
    for data in (b"\xff", b"x" * (MAX_BOOK_BYTES + 1)):
        refused: Any = check(app, data, "application/yaml", lang="de").json
        assert (refused["cards"], len(refused["errors"])) == ([], 1)


def test_the_form_says_what_a_box_of_its_own_needs(app: Flask) -> None:
    form: Any = app.test_client().get("/v1/games/munchkin/card-form?lang=en").json
    assert [(part["label"]["en"], part["least"]) for part in form["box"]] == [
        ("doors", 48), ("treasures", 36), ("monsters", 12),
    ]  # fmt: skip
    assert "monster" in form["single"]


def test_other_bodies_and_games_are_refused(app: Flask) -> None:
    problem(check(app, "{}", "application/json"), 415, "table-media-type")
    problem(check(app, b"x" * (MAX_FILE_BYTES + 1)), 413, "table-too-large")
    packed = {"Content-Encoding": "gzip", "Content-Type": "text/csv", "Accept-Language": "de"}
    told = app.test_client().post("/v1/games/creature_crush/card-tables", data=b"a", headers=packed)
    assert "ohne Content-Encoding" in problem(told, 415, "unsupported-media-type")["detail"]
    problem(check(app, "a", game="mau_mau"), 409, "no-card-books")
    problem(check(app, "a", game="chess"), 404, "unknown-game")
    problem(app.test_client().get("/v1/games/mau_mau/card-form"), 409, "no-card-books")


def test_checks_of_tables_are_limited_like_checks_of_moves() -> None:
    app = house.app(RATES={**house.FREE, "dry_runs": 2})
    asked = [check(app, "x") for _ in range(3)]
    assert [each.status_code for each in asked] == [200, 200, 429]
