"""One document for `referee judge` and for the API: words, names of players, what they say, and house rulings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli.main import cli
from referee.position_rulings.request import MAX_SENTENCE_LENGTH
from tests.api import house
from tests.api.house import Person, problem

RULINGS = "/v1/games/monster_combat/rulings"
DOCUMENT: dict[str, Any] = {
    "Spiel": "Monster Combat",
    "Variante": "V1",
    "Namen": ["Ada <b>", "Ben"],
    "Stellung": {
        "players": [{"hearts": 3, "hand": ["sword", "shield"]}, {"hearts": 2, "hand": 4}],
        "turn": "Ada <b>",
        "direction": "clockwise",
        "question": {"asks": "play"},
    },
    "Spieler": "Ada <b>",
    "Zug": "Spielt Schild.",
    "Behauptung": "illegal_move",
    "Aussagen": [
        {"Spieler": "Ada <b>", "sagt": "Ich darf.", "erlaubt": "ja"},
        {"Spieler": "Ben", "erlaubt": "nein", "Klausel": "MC-SHIELD-1", "gesehen": {"/players/1/hearts": 2}},
    ],
}


@pytest.fixture(scope="module")
def anyone() -> Person:
    return Person(house.app().test_client())


def test_the_api_and_the_command_rule_alike_on_one_document(anyone: Person, tmp_path: Path) -> None:
    file = tmp_path / "quarrel.json"
    file.write_text(json.dumps(DOCUMENT), "utf-8")
    by_command = CliRunner().invoke(cli, ["judge", str(file), "--json"])
    by_api: Any = anyone.post(RULINGS, DOCUMENT, Idempotency_Key="", Accept_Language="*").json
    assert by_api == json.loads(by_command.output)
    assert (by_api["verdict"], by_api["asked"]["seat"]) == ("refused", 0)
    assert by_api["asked"]["names"] == ["Ada <b>", "Ben"]
    assert [each["right"] for each in by_api["quarrel"]["parties"]] == [False, True]
    text = CliRunner().invoke(cli, ["judge", str(file), "--lang", "de"]).output
    assert "Ada <b>" in text
    assert "Spieler 1" not in text


def test_a_page_names_the_players(anyone: Person) -> None:
    page = anyone.post(RULINGS, DOCUMENT, Idempotency_Key="", Accept="text/html", Accept_Language="de").text
    assert "Ada &lt;b&gt;" in page
    assert "<b>" not in page
    assert "Spieler 2" not in page


def test_moves_of_a_position_are_asked_for_by_the_names_of_players(anyone: Person) -> None:
    said = {name: DOCUMENT[name] for name in ("Stellung", "Namen", "Variante")}
    found: Any = anyone.post("/v1/games/monster_combat/positions/moves", said, Idempotency_Key="").json
    assert found["awaits"] == [0]


@pytest.mark.parametrize(
    ("more", "pointer", "detail"),
    [
        ({"Spiel": "munchkin"}, "/game", "Die Adresse nennt ein anderes Spiel."),
        ({"Spieler": "Cleo"}, "/seat", "Hier wird ein Platz von 0 bis 19 gebraucht, chance oder einer der Namen."),
        (
            {"Aussagen": [{"Spieler": "Cleo"}]},
            "/says/0/seat",
            "Hier wird ein Platz von 0 bis 19 gebraucht, oder einer der Namen.",
        ),
        ({"Zug": "Spielt nichts davon."}, "/move", "Kein Zug des Spiels liest sich so, oder mehrere"),
        ({"Zug": "Ada " * MAX_SENTENCE_LENGTH}, "/move", "Kein Zug des Spiels liest sich so, oder mehrere"),
        ({"Namen": "Ada"}, "/names", "Liste"),
        ({"Namen": ["Ada", 7]}, "/names/1", "Text"),
    ],
)
def test_what_is_no_such_word_is_an_error_at_its_place(
    anyone: Person, more: dict[str, Any], pointer: str, detail: str
) -> None:
    answer = anyone.post(RULINGS, {**DOCUMENT, **more}, Idempotency_Key="", Accept_Language="de")
    wrong = next(each for each in problem(answer, 422, "invalid-input")["errors"] if each["pointer"] == pointer)
    assert detail in wrong["detail"]


@pytest.mark.parametrize(
    ("place", "said", "right", "told"),
    [
        ("/turn", "Ada <b>", True, "/turn: Spieler 1; das stimmt"),
        ("/turn", "Spieler 2", False, "/turn: Spieler 2; nach den Regeln ist es Spieler 1"),
        ("/direction", "im Uhrzeigersinn", True, "/direction: clockwise; das stimmt"),
        ("/question", None, False, '/question: nichts; nach den Regeln ist es {"asks": "play"'),
        ("/players/1/hand", True, None, "/players/1/hand: ja; "),
        ("/players/0/hand", ["Schild", "Schwert"], True, "/players/0/hand: „Schild“, „Schwert“; das stimmt"),
        ("/nowhere/0", {"a": None}, None, '/nowhere/0: {"a": null}; die Stellung lässt es offen'),
    ],
)
def test_what_was_seen_is_written_as_a_position_is(
    anyone: Person, place: str, said: Any, right: bool | None, told: str
) -> None:
    document = {**DOCUMENT, "Behauptung": "wrong_count", "gesehen": {place: said}, "Aussagen": []}
    ruling: Any = anyone.post(RULINGS, document, Idempotency_Key="", Accept_Language="de").json
    [checked] = ruling["quarrel"]["checked"]
    assert checked["told"]["de"].startswith(told)
    if not isinstance(said, bool):
        assert checked["right"] is right
    document = {**document, "gesehen": {}, "Aussagen": [{"Spieler": "Ben", "gesehen": {place: said}}]}
    other: Any = anyone.post(RULINGS, document, Idempotency_Key="", Accept_Language="de").json
    assert [each["checked"] for each in other["quarrel"]["parties"]] == [[checked]]


def test_a_player_without_a_name_is_called_by_number_and_never_meant(anyone: Person) -> None:
    document = {**DOCUMENT, "Namen": [" ", ""], "Aussagen": [], "Spieler": "Spieler 1"}
    document["Stellung"] = {**DOCUMENT["Stellung"], "turn": 0}
    page = anyone.post(RULINGS, document, Idempotency_Key="", Accept="text/html", Accept_Language="de").text
    assert "Spieler 1 spielt" in page
    nobody = anyone.post(RULINGS, {**document, "Spieler": ""}, Idempotency_Key="")
    assert [each["pointer"] for each in problem(nobody, 422, "invalid-input")["errors"]] == ["/seat"]
