"""Quarrels of a table that tracked nothing, over HTTP: as data and as a page, and nothing of them kept or logged."""

from __future__ import annotations

from typing import Any

import pytest
import structlog
from jsonschema_rs import Draft202012Validator

from referee.games import load_games
from referee.position_rulings import judging, report
from tests.api import house
from tests.api.contracted import close_answers
from tests.api.house import Person, problem

RULINGS = "/v1/games/monster_combat/rulings"
PAGE = "text/html"


@pytest.fixture(scope="module")
def anyone() -> Person:
    return Person(house.app().test_client())


def body(**more: Any) -> dict[str, Any]:
    """A shield that is played by itself, and two who quarrel about it."""
    return {
        "variant": "V1",
        "position": {
            "players": [{"hearts": 3, "hand": ["sword", "shield"]}, {"hearts": 2, "hand": 4}],
            "turn": 0, "direction": "clockwise", "question": {"asks": "play"},
        },
        "seat": 0,
        "move": {"type": "mc.play", "card": "shield"},
        "claim": "illegal_move",
        "says": [{"seat": 0, "says": "I may.", "legal": True}, {"seat": 1, "legal": False, "clause": "MC-SHIELD-1"}],
        **more,
    }  # fmt: skip


@pytest.mark.clause("TABLE-JUDGE-1", "TABLE-JUDGE-2")
def test_a_quarrel_is_answered_with_who_is_right_by_which_clause_and_what_would_have_been_legal(anyone: Person) -> None:
    ruling: Any = anyone.post(RULINGS, body(), Idempotency_Key="").json
    assert ruling["verdict"] == "refused"
    assert [each["right"] for each in ruling["quarrel"]["parties"]] == [False, True]
    assert ruling["quarrel"]["right"] is True
    assert ruling["quarrel"]["parties"][1]["bears"] is True
    assert [way["move"]["card"] for way in ruling["way_out"] if way["move"]["type"] == "mc.play"] == ["sword"]
    assert ruling["asked"]["position"]["players"][1]["hand"] == 4


def test_a_move_names_cards_as_its_position_does(anyone: Person) -> None:
    asked = body(move={"type": "mc.play", "card": "SCHILD"}, saw={"/players/0/hand": ["Schwert", "Shield"]})
    ruling: Any = anyone.post(RULINGS, asked, Idempotency_Key="").json
    assert (ruling["verdict"], ruling["asked"]["move"]["card"]) == ("refused", "shield")
    assert [each["right"] for each in ruling["quarrel"]["checked"]] == [True]


def test_a_member_of_another_variant_says_so_where_the_variant_is_missing(anyone: Person) -> None:
    asked = body()
    del asked["variant"]
    asked["position"]["monster"] = {"number": 5}
    told = problem(anyone.post(RULINGS, asked, Idempotency_Key=""), 422, "position-malformed")
    (wrong,) = told["errors"]
    assert wrong["pointer"] == "/position/monster"
    assert wrong["detail"] == 'no such member in variant V1, which is meant if "variant" is missing; it belongs to V2'


def test_what_is_answered_is_what_the_contract_promises(anyone: Person) -> None:
    contract: Any = anyone.get("/openapi.json").json
    call = contract["paths"]["/v1/games/{game}/rulings"]["post"]
    shape = call["responses"]["200"]["content"]["application/json"]["schema"]
    validator = Draft202012Validator({**shape, "components": close_answers(contract["components"])})
    given = Draft202012Validator(
        {**call["requestBody"]["content"]["application/json"]["schema"], "components": contract["components"]}
    )
    hts = load_games()["here_to_slay"].positions.build_examples("standard")[0]
    seats = [{**hts["seats"][0], "hand": ["destructive_spell"]}, *hts["seats"][1:]]
    position = {**hts, "seats": seats, "question": {"asks": "act"}}
    spell = {
        "position": position, "seat": 0, "move": {"type": "hts.play", "card": "destructive_spell"},
        "claim": "missed_effect", "saw": {"/turn": 0}, "clause": "HTS-AMB-45", "says": [{"seat": 2}],
    }  # fmt: skip
    verdicts = []
    for path, asked in ((RULINGS, body()), (RULINGS.replace("monster_combat", "here_to_slay"), spell)):
        assert not list(given.iter_errors(asked))
        answer: Any = anyone.post(path, asked, Idempotency_Key="").json
        assert not list(validator.iter_errors(answer))
        verdicts.append(answer["verdict"])
    assert verdicts == ["refused", "undecided"]
    assert PAGE in call["responses"]["200"]["content"]


QUESTION_ASKED = [("en", "What is being asked at this moment?"), ("de", "Worum geht es gerade?")]


@pytest.mark.clause("TABLE-JUDGE-4")
@pytest.mark.parametrize(("lang", "asks"), QUESTION_ASKED)
def test_missing_facts_are_a_problem_with_all_questions_in_the_language_of_the_caller(
    anyone: Person, lang: str, asks: str
) -> None:
    path = RULINGS.replace("monster_combat", "munchkin")
    empty: dict[str, Any] = {"items": [], "towns": [], "ride": [], "curses": []}
    seats = [{"level": 5}, {"level": 7, **empty}, {"level": 3}]
    position = {"seats": seats, "turn": 0, "combat": {"monsters": ["wolfman"], "helper": 1}}
    asked = {"position": position, "seat": 0, "move": {"type": "mk.claim"}, "claim": "illegal_move"}
    answer = anyone.post(path, asked, Idempotency_Key="", Accept_Language=lang)
    told: Any = answer.json
    assert (answer.status_code, told["type"]) == (422, "/problems/facts-missing")
    errors = {error["pointer"]: error for error in told["errors"]}
    own = {f"/position/seats/0/{what}" for what in empty}
    assert {*errors} == own | {"/position/question"}
    assert errors["/position/question"]["detail"] == asks
    assert errors["/position/question"]["fragment"] == {"question": {"asks": "fight"}}
    known = {**position, "seats": [{"level": 5, **empty}, *seats[1:]]}
    nobody_knows = {**asked, "position": known, "unknown": ["/position/question"]}
    ruling: Any = anyone.post(path, nobody_knows, Idempotency_Key="").json
    assert ruling["verdict"] == "undecided"
    complete = {**asked, "position": {**known, "question": {"asks": "fight"}}}
    ruling = anyone.post(path, complete, Idempotency_Key="").json
    assert ruling["verdict"] == "granted"


@pytest.mark.parametrize(
    ("query", "accept_language", "lang"),
    [("", "", "en"), ("", "de-AT,en;q=0.5", "de"), ("?lang=en", "de", "en"), ("?lang=de", "en", "de")],
)
def test_the_page_comes_in_the_language_that_is_asked_for(
    anyone: Person, query: str, accept_language: str, lang: str
) -> None:
    asked = anyone.post(f"{RULINGS}{query}", body(), Accept=PAGE, Accept_Language=accept_language, Idempotency_Key="")
    assert asked.status_code == 200, asked.text
    assert asked.content_type == f"{PAGE}; charset=utf-8"
    assert asked.headers["Content-Language"] == lang
    assert {"Accept", "Accept-Language"} <= {each.strip() for each in asked.headers["Vary"].split(",")}
    assert asked.headers["Cache-Control"] == "private, no-store"
    assert f'<html lang="{lang}">' in asked.text
    ruling: Any = anyone.post(RULINGS, body(), Idempotency_Key="").json
    assert ruling["aloud"][lang] in asked.text
    assert ruling["quarrel"]["parties"][1]["told"][lang] in asked.text


def test_the_page_may_load_nothing_and_run_nothing(anyone: Person) -> None:
    nasty = "<script>alert(1)</script>"
    says = [{"seat": 0, "says": nasty, "saw": {"/turn": 0}}]
    asked = anyone.post(RULINGS, body(says=says), Accept=PAGE, Idempotency_Key="")
    policy = asked.headers["Content-Security-Policy"]
    assert policy == f"{report.content_policy()}; frame-ancestors 'none'"
    assert "unsafe" not in policy
    assert "script-src" not in policy  # so default-src 'none' holds for scripts
    assert "<script" not in asked.text
    assert "&lt;script&gt;" in asked.text


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"claim": "theft"}, "/claim"),
        ({"clause": "MC-NONE-1"}, "/clause"),
        ({"clause": "C" * 65}, "/clause"),
        ({"says": [{"says": "I"}]}, "/says/0/seat"),
        ({"says": [{"seat": 7}]}, "/says/0/seat"),
        ({"says": [{"seat": 0, "legal": "perhaps"}]}, "/says/0/legal"),
        ({"says": [{"seat": 0, "says": "x" * 501}]}, "/says/0/says"),
        ({"says": [{"seat": 0, "says": "a\u0000b"}]}, "/says/0/says"),
        ({"says": [{"seat": 0, "clause": "MC-NONE-1"}]}, "/says/0/clause"),
        ({"says": [{"seat": 0}] * 21}, "/says"),
        ({"says": [{"seat": 0, "more": 1}]}, "/says/0/more"),
        ({"saw": {"hearts": 3}}, "/saw/hearts"),
        ({"saw": {"/" + "x" * 200: 3}}, "/saw/~1" + "x" * 63 + "…"),
        ({"saw": {f"/{n}": 0 for n in range(41)}}, "/saw"),
        ({"saw": [1]}, "/saw"),
        ({"readings": {"MC-AMB-9": "so"}}, "/readings/MC-AMB-9"),
        ({"readings": {"MC-AMB-8": 3}}, "/readings/MC-AMB-8"),
        ({"readings": {"MC-AMB-16": "never"}}, "/readings/MC-AMB-16"),
        ({"readings": []}, "/readings"),
        ({"seat": 5}, "/seat"),
    ],
)
def test_what_cannot_be_understood_is_named(anyone: Person, more: dict[str, Any], pointer: str) -> None:
    wrong = problem(anyone.post(RULINGS, body(**more), Idempotency_Key=""), 422, "invalid-input")
    assert pointer in [each["pointer"] for each in wrong["errors"]]


def test_a_position_is_still_wrong_where_it_stands(anyone: Person) -> None:
    broken = body()["position"] | {"turn": "zero"}
    told = problem(anyone.post(RULINGS, body(position=broken), Idempotency_Key=""), 422, "position-malformed")
    assert told["errors"][0]["pointer"] == "/position/turn"
    settings = body(settings={"event_copies": "many"})
    told = problem(anyone.post(RULINGS, settings, Idempotency_Key=""), 422, "position-malformed")
    assert told["errors"][0]["pointer"] == "/settings/event_copies"
    problem(anyone.post(RULINGS, settings, Accept="text/plain", Idempotency_Key=""), 406, "not-acceptable")
    problem(anyone.post(f"{RULINGS}?lang=fr", body(), Idempotency_Key=""), 422, "invalid-input")
    huge = body(says=[{"seat": 0, "says": "x" * 70_000}])
    problem(anyone.post(RULINGS, huge, Idempotency_Key=""), 413, "content-too-large")


MANY = {f"a/b~{number}": 1 for number in range(3000)}


@pytest.mark.parametrize(
    "asked",
    [
        body(readings=MANY),
        body(position=body()["position"] | {"readings": MANY}),
        body(**MANY),
        body(move={"type": "mc.play", "card": "shield", **MANY}),
        body(position=body()["position"] | MANY),
        body(settings=MANY),
    ],
    ids=["readings", "position.readings", "body", "move", "position", "settings"],
)
def test_no_more_errors_are_reported_than_anybody_mends_at_once(anyone: Person, asked: dict[str, Any]) -> None:
    answer = anyone.post(RULINGS, asked, Idempotency_Key="")
    assert answer.status_code == 422
    told: Any = answer.json
    assert len(told["errors"]) == 50
    assert all("/a~1b~0" in error["pointer"] for error in told["errors"])
    assert len(answer.data) < 20_000


def test_an_error_repeats_only_the_beginning_of_a_long_name(anyone: Person) -> None:
    name = "x" * 50_000
    for asked in (body(**{name: 1}), body(readings={name: 1}), body(position=body()["position"] | {name: 1}),
                  body(move={"type": "mc.play", "card": "shield", name: 1}), body(saw={name: 1})):  # fmt: skip
        answer = anyone.post(RULINGS, asked, Idempotency_Key="")
        assert answer.status_code == 422
        assert len(answer.data) < 2000


@pytest.mark.unjudgeable
def test_rules_that_fail_on_a_position_are_an_error_at_its_question_and_the_cause_is_logged(
    anyone: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise KeyError("sword")

    monkeypatch.setattr(judging, "find_ways_out", fail)
    with structlog.testing.capture_logs() as lines:
        told = problem(anyone.post(RULINGS, body(), Idempotency_Key=""), 422, "position-malformed")
    assert [error["pointer"] for error in told["errors"]] == ["/position/question"]
    (line,) = [line for line in lines if line["event"] == "position_unjudgeable"]
    assert (line["log_level"], type(line["exc_info"])) == ("error", KeyError)
    assert line["path"] == RULINGS


@pytest.mark.clause("TABLE-JUDGE-1")
def test_nothing_of_a_quarrel_is_kept_or_logged(capsys: pytest.CaptureFixture[str]) -> None:
    app = house.app(LOG_LEVEL="debug")
    anyone = Person(app.test_client())
    before = anyone.get("/v1/matches").json
    words = "Hedwig cheats with the shield"
    for more in ({}, {"claim": "theft"}, {"clause": "MC-NONE-1"}, {"position": {"players": [words]}}):
        for accept in ("application/json", PAGE):
            says = [{"seat": 0, "says": words, "saw": {"/players/0/hearts": 3}}]
            anyone.post(RULINGS, body(**{"says": says, **more}), Accept=accept, Idempotency_Key="")
    written = capsys.readouterr().err
    assert written.count("\n") == 9
    for secret in ("Hedwig", "sword", "shield", "hearts", "MC-NONE-1", "theft", "players"):
        assert secret not in written
    assert anyone.get("/v1/matches").json == before
