"""One document for `referee judge` and for the API: words, names of players, what they say, and house rulings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from api.openapi.examples import REQUEST_EXAMPLES
from referee.cli.main import cli
from referee.engine.positions.left_out import find_left_out
from referee.games import load_games
from referee.position_rulings.file_format import MAX_BYTES, build_example
from referee.position_rulings.request import MAX_SENTENCE_LENGTH, parse_question, resolve_pointer
from tests.api import house
from tests.api.house import Person, problem

GAMES = load_games()
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
        ({"Spiel": "munchkin"}, "/Spiel", "Die Adresse nennt ein anderes Spiel."),
        ({"Spieler": "Cleo"}, "/Spieler", "Hier wird ein Platz von 0 bis 19 gebraucht, chance oder einer der Namen."),
        (
            {"Aussagen": [{"Spieler": "Cleo"}]},
            "/Aussagen/0/Spieler",
            "Hier wird ein Platz von 0 bis 19 gebraucht, oder einer der Namen.",
        ),
        ({"Zug": "Spielt nichts davon."}, "/Zug", "Kein Zug des Spiels liest sich so"),
        ({"Zug": "Ada " * MAX_SENTENCE_LENGTH}, "/Zug", "Kein Zug des Spiels liest sich so"),
        ({"Namen": "Ada"}, "/Namen", "Liste"),
        ({"Namen": ["Ada", 7]}, "/Namen/1", "Text"),
        ({"Zug": {"Art": "spielt"}}, "/Zug/Art", "Diese Art von Zug gibt es nicht."),
        ({"Zug": {"Art": "play", "Karte": 7}}, "/Zug/Karte", "Text"),
        ({"Variante": "V9"}, "/Variante", "Erlaubt"),
        ({"Behauptung": "Diebstahl"}, "/Behauptung", "Erlaubt"),
        ({"Klausel": "MC-NO-1"}, "/Klausel", "Klausel"),
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


def test_what_was_seen_at_no_place_or_under_no_name_is_an_error_where_it_was_written(anyone: Person) -> None:
    document = {**DOCUMENT, "gesehen": {"/Spieler/9/Herzen": 1}, "Aussagen": []}
    asked = anyone.post(RULINGS, document, Idempotency_Key="", Accept_Language="de")
    [wrong] = problem(asked, 422, "invalid-input")["errors"]
    assert wrong["pointer"] == "/gesehen/~1Spieler~19~1Herzen"
    assert wrong["detail"].startswith("Diese Stelle gibt es in der Stellung nicht. In der Nähe sind: /players/0, ")
    document["gesehen"] = {"/Spieler/0/Hand": ["Swordd"]}
    asked = anyone.post(RULINGS, document, Idempotency_Key="", Accept_Language="de")
    [wrong] = problem(asked, 422, "invalid-input")["errors"]
    assert wrong["pointer"] == "/gesehen/~1Spieler~10~1Hand/0"
    assert wrong["detail"] == "'Swordd' ist hier kein bekannter Wert. Ist Sword gemeint?"


def test_a_player_without_a_name_is_called_by_number_and_never_meant(anyone: Person) -> None:
    document = {**DOCUMENT, "Namen": [" ", ""], "Aussagen": [], "Spieler": "Spieler 1"}
    document["Stellung"] = {**DOCUMENT["Stellung"], "turn": 0}
    page = anyone.post(RULINGS, document, Idempotency_Key="", Accept="text/html", Accept_Language="de").text
    assert "Spieler 1 spielt" in page
    nobody = anyone.post(RULINGS, {**document, "Spieler": ""}, Idempotency_Key="")
    assert [each["pointer"] for each in problem(nobody, 422, "invalid-input")["errors"]] == ["/Spieler"]


@pytest.mark.parametrize(
    ("position", "pointer"),
    [
        ({"Spieler": [{"Herzen": 9, "hand": 4}, {"hearts": 2, "hand": 4}]}, "/Stellung/Spieler/0/Herzen"),
        ({"players": [{"hearts": 3, "hand": 4}, {"HEARTS": 2, "Hand": ["none"]}]}, "/Stellung/players/1/Hand/0"),
        ({"Spieler": [{"hearts": 3, "Farbe/rot~": 1}, {"hand": 4}]}, "/Stellung/Spieler/0/Farbe~1rot~0"),
    ],
)
def test_a_mistake_in_a_position_is_at_the_place_where_it_was_written(
    anyone: Person, position: dict[str, Any], pointer: str
) -> None:
    document = {**DOCUMENT, "Stellung": {**position, "turn": 0, "question": {"asks": "play"}}}
    told = problem(anyone.post(RULINGS, document, Idempotency_Key=""), 422, "position-malformed")
    assert [each["pointer"] for each in told["errors"]] == [pointer]
    assert resolve_pointer(document, pointer)[0]


def test_a_missing_fact_is_asked_for_at_the_place_where_it_would_be_written(anyone: Person, tmp_path: Path) -> None:
    players = [{"Hand": ["life_back", "sword"]}, {"hearts": 2, "hand": 4}]
    stands = {"Spieler": players, "turn": 0, "question": {"asks": "play"}}
    document = {**DOCUMENT, "Stellung": stands, "Zug": {"type": "mc.play", "card": "life_back"}, "Aussagen": []}
    told = problem(anyone.post(RULINGS, document, Idempotency_Key=""), 422, "facts-missing")
    assert "/Stellung/Spieler/0/hearts" in [each["pointer"] for each in told["errors"]]
    file = tmp_path / "streit.json"
    file.write_text(json.dumps(document), "utf-8")
    assert "unter /Stellung/Spieler/0," in CliRunner().invoke(cli, ["judge", str(file), "--lang", "de"]).output


GERMAN = REQUEST_EXAMPLES["checkQuestionFile"]["in_german"]["value"]


@pytest.mark.parametrize(
    ("unknown", "near"),
    [
        ("/position/players/0/Herz", "/position/players/0/hearts, "),
        ("/Stellung/Spieler/0/Herrzen", "/position/players/0/hearts, "),
        ("/position/players/7/hearts", "/position/players/0, /position/players/1."),
        ("/turns", "/position/turn, "),
        ("/position", "/position/variant, "),
        ("/position/players/0/hearts/1", "/position/players/0/hearts."),
        ("/position/settings/nothing", "/position/settings/"),
        ("/hands~1" + "x" * 190, "/position/"),
    ],
)
def test_a_place_that_there_is_not_cannot_be_unknown(anyone: Person, unknown: str, near: str) -> None:
    document = {**DOCUMENT, "unbekannt": ["/position/turn", unknown]}
    answer = anyone.post(RULINGS, document, Idempotency_Key="")
    (wrong,) = problem(answer, 422, "invalid-input")["errors"]
    assert wrong["pointer"] == "/unbekannt/1"
    assert wrong["detail"].startswith(f"The position has no such place; near it are: {near.removesuffix('.')}")
    assert not near.endswith(".") or wrong["detail"].endswith(near)
    german = anyone.post(RULINGS, document, Idempotency_Key="", Accept_Language="de")
    assert problem(german, 422, "invalid-input")["errors"][0]["detail"].startswith("Diese Stelle gibt es in der")


@pytest.mark.parametrize("place", ["/Stellung/Spieler/0/Herzen", "/players/0/Hearts", "/position/players/0/hearts"])
def test_what_is_unknown_or_was_seen_is_named_in_words_too(anyone: Person, place: str) -> None:
    players = [{"Hand": ["life_back", "sword"]}, {"hearts": 2, "hand": 4}]
    stands = {"Spieler": players, "turn": 0, "question": {"asks": "play"}}
    life = {"type": "mc.play", "card": "life_back"}
    document = {**DOCUMENT, "Stellung": stands, "Zug": life, "Aussagen": [], "unbekannt": [place]}
    ruling: Any = anyone.post(RULINGS, document, Idempotency_Key="")
    if ruling.status_code == 422:  # other facts are asked for, and this one is not
        asked = [each["pointer"] for each in problem(ruling, 422, "facts-missing")["errors"]]
        assert "/Stellung/Spieler/0/hearts" not in asked
        document["unbekannt"] += asked
        ruling = anyone.post(RULINGS, document, Idempotency_Key="")
    assert ruling.json["verdict"] == "undecided", ruling.text
    assert "/players/0/hearts" in [each["pointer"] for each in ruling.json["open_facts"]]
    stands["Spieler"] = [{"Herzen": 2, **players[0]}, players[1]]
    seen = {**DOCUMENT, "Stellung": stands, "gesehen": {"/Spieler/1/Herzen": 2}, "Aussagen": []}
    told: Any = anyone.post(RULINGS, seen, Idempotency_Key="").json
    assert [(each["what"], each["right"]) for each in told["quarrel"]["checked"]] == [("/players/1/hearts", True)]


@pytest.mark.parametrize("name", GAMES)
def test_every_place_that_a_position_has_may_be_unknown(name: str) -> None:
    """Those of facts that are asked for, and those that stand in an example."""
    game = GAMES[name]
    for variant in game.variants:
        schema = game.positions.build_schema(variant)
        for position in game.positions.build_examples(variant):
            places = [each.path for each in find_left_out(schema, position)]
            places += [
                (name, at) for name in position if isinstance(position[name], list) for at in range(len(position[name]))
            ]
            pointers = ["".join(f"/{part}" for part in path) for path in places if path[0] not in ("pending", "named")]
            assert parse_question(game, {"position": position, "unknown": pointers}).unknown


def open_file(anyone: Person, text: str | bytes, lang: str = "en", media: str = "application/yaml") -> Any:
    headers = {"Accept-Language": lang}
    return anyone.client.post("/v1/question-files", data=text, content_type=media, headers=headers)


def test_a_file_in_words_is_opened_under_the_names_of_the_program(anyone: Person) -> None:
    opened = open_file(anyone, GERMAN)
    assert opened.status_code == 200, opened.text
    question = opened.json["question"]
    players = [{"hearts": 3, "hand": ["sword", "shield"]}, {"hearts": 2, "hand": 4}]
    assert question["position"] == {"players": players, "turn": 0, "question": {"asks": "play"}}
    assert (question["game"], question["names"], question["seat"]) == ("monster_combat", ["Ada", "Ben"], 0)
    assert (question["move"]["type"], question["move"]["card"]) == ("mc.play", "shield")
    ruling: Any = anyone.post(RULINGS, question, Idempotency_Key="").json
    assert ruling["verdict"] == "refused"
    assert open_file(anyone, json.dumps(question, indent="\t")).json["question"] == question


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize(("name", "variant"), [(name, each) for name, game in GAMES.items() for each in game.variants])
def test_the_example_of_each_game_is_opened(anyone: Person, name: str, variant: str, lang: str) -> None:
    written = build_example(GAMES[name], variant, lang)
    question = open_file(anyone, written).json["question"]
    assert question.pop("position")["variant"] == variant
    assert question == {key: value for key, value in yaml.safe_load(written).items() if key != "position"}


def test_what_a_file_says_wrong_is_left_as_it_is(anyone: Person) -> None:
    text = "game: munchkin\nposition: {seats: 5, colour: red}\nseat: Eva\nmove: sings\nsays: 3\nedition: nobody\n"
    question = open_file(anyone, text).json["question"]
    assert question["position"] == {"seats": 5, "colour": "red", "edition": "nobody"}
    assert [question[name] for name in ("seat", "move", "says")] == ["Eva", "sings", 3]


@pytest.mark.parametrize(
    ("text", "pointer", "line", "detail"),
    [
        ("Spiel: Schach\nStellung: {}", "/Spiel", 1, "Erlaubt ist hier eins von: creature_crush, "),
        ("game: munchkin\n", "/position", 1, "Das fehlt."),
        ("game: munchkin\nposition: 3\n", "/position", 2, "Hier werden Angaben mit Werten gebraucht."),
        ("game: munchkin\nposition:\n  a: ]1\n", "", 3, "Das ist kein gültiges YAML."),
        ("position: &a {}\nsaw: *a", "", 2, "*a ist ein Verweis. Schreib aus, wofür er steht."),
        ("game: munchkin\nposition: {a: 1.5}", "/position/a", 2, "Hier wird Text, eine ganze Zahl, true, false oder"),
        (b"game: \xff", "", 1, "Was hier steht, ist kein UTF-8."),
        ("a list", "", 1, "Hier werden Angaben gebraucht: game, position, seat, move"),
        ("", "", 1, "Hier werden Angaben gebraucht: game, position, seat, move"),
    ],
)
def test_what_is_no_question_is_told_with_its_line(
    anyone: Person, text: str | bytes, pointer: str, line: int, detail: str
) -> None:
    (wrong,) = problem(open_file(anyone, text, "de"), 422, "question-malformed")["errors"]
    assert (wrong["pointer"], wrong["line"]) == (pointer, line)
    assert wrong["detail"].startswith(detail)


def test_a_file_is_no_larger_than_the_command_takes_and_is_yaml(anyone: Person) -> None:
    problem(open_file(anyone, GERMAN, media="application/json"), 415, "question-media-type")
    problem(open_file(anyone, b"#" * (MAX_BYTES + 1)), 413, "question-too-large")
