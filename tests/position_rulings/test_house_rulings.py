"""Written positions judged by the house rulings of a match."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask import Flask

from referee.cli.commands.rulings.judge import InvalidDataError, UnreadableInputError
from referee.cli.main import cli
from tests.api import house
from tests.api.house import Person, problem
from tests.api.housing import quarrel
from tests.cli.test_judging import SPELL

MATCH = "07-" + "a" * 26
HOUSE: dict[str, Any] = {
    "match": MATCH,
    "entry": 31,
    "game": "here_to_slay",
    "readings": [{"clause": "HTS-AMB-45", "number": 2}],
}


@pytest.fixture(scope="module")
def app() -> Flask:
    return house.app()


def judge_by(app: Flask, *precedents: dict[str, Any], lang: str = "*", **more: Any) -> Any:
    body = {name: value for name, value in SPELL.items() if name != "game"}
    return Person(app.test_client()).post(
        "/v1/games/here_to_slay/rulings", {**body, "precedents": list(precedents), **more}, Accept_Language=lang
    )


@pytest.mark.clause("TABLE-HOUSE-4")
def test_a_quarrel_that_is_open_is_decided_by_a_house_ruling_which_is_named(app: Flask) -> None:
    assert judge_by(app).json["verdict"] == "undecided"
    ruled = judge_by(app, HOUSE).json
    (named,) = ruled["house_rulings"]
    assert (ruled["verdict"], named["clause"], named["entry"]) == ("refused", "HTS-AMB-45", 31)
    assert named["says"]["en"] == f"house ruling of entry 31 of match {MATCH}"
    assert named["says"]["de"] == f"Hausurteil aus Eintrag 31 der Partie {MATCH}"
    assert [each["id"] for each in ruled["clauses"] if "house_ruling" in each] == ["HTS-AMB-45"]
    assert named["says"]["en"] in ruled["aloud"]["en"]
    other = judge_by(app, {**HOUSE, "readings": [{"clause": "HTS-AMB-45", "number": 1}]}).json
    assert (other["verdict"], other["house_rulings"][0]["entry"]) == ("granted", 31)
    # one of which nothing depends on is not named
    beside = judge_by(app, HOUSE, {**HOUSE, "entry": 40, "readings": [{"clause": "HTS-AMB-5", "number": 2}]}).json
    assert [each["entry"] for each in beside["house_rulings"]] == [31]


@pytest.mark.clause("TABLE-HOUSE-4")
@pytest.mark.parametrize(
    ("more", "slug", "pointer"),
    [
        ({"readings": {"HTS-AMB-45": 1}}, "invalid-input", "/readings/HTS-AMB-45"),
        ({"readings": {"HTS-AMB-45": "allow"}}, "invalid-input", "/readings/HTS-AMB-45"),
        ({"settings": {"unpayable_play": "allow"}}, "position-malformed", "/settings/unpayable_play"),
        (
            {"position": {**SPELL["position"], "settings": {"unpayable_play": "allow"}}},
            "position-malformed",
            "/position/settings/unpayable_play",
        ),
    ],
)
def test_a_line_against_a_house_ruling_is_an_error_that_names_it(
    app: Flask, more: dict[str, Any], slug: str, pointer: str
) -> None:
    for lang, named in (("en", f"house ruling of entry 31 of match {MATCH}"), ("de", "Lesart 2 gewählt")):
        wrong = problem(judge_by(app, HOUSE, lang=lang, **more), 422, slug)
        assert [each["pointer"] for each in wrong["errors"]] == [pointer]
        assert named in wrong["errors"][0]["detail"], wrong


@pytest.mark.clause("TABLE-HOUSE-4")
@pytest.mark.parametrize(
    "more",
    [
        {"readings": {"HTS-AMB-45": 2}},
        {"readings": {"HTS-AMB-45": "forbid"}},
        {"settings": {"unpayable_play": "forbid"}},
    ],
)
def test_a_line_that_agrees_with_a_house_ruling_stands(app: Flask, more: dict[str, Any]) -> None:
    ruled = judge_by(app, HOUSE, **more).json
    assert (ruled["verdict"], [each["entry"] for each in ruled["house_rulings"]]) == ("refused", [31])


def test_house_rulings_of_other_games_and_past_ones_bind_nobody(app: Flask) -> None:
    past = {**HOUSE, "readings": [{**HOUSE["readings"][0], "holds": False}]}
    assert judge_by(app, {**HOUSE, "game": "munchkin"}, past).json["verdict"] == "undecided"


@pytest.mark.parametrize(
    ("precedent", "pointer"),
    [
        ({"match": MATCH}, "/precedents/0"),
        ({**HOUSE, "entry": None}, "/precedents/0"),
        ({**HOUSE, "readings": {"HTS-AMB-45": 2}}, "/precedents/0"),
        ({**HOUSE, "readings": [{"clause": "HTS-AMB-45"}]}, "/precedents/0"),
        ({**HOUSE, "readings": [{"clause": "HTS-AMB-45", "number": 3}]}, "/precedents/0/readings/0"),
        ({**HOUSE, "readings": [{"clause": "HTS-NO-1", "number": 1}]}, "/precedents/0/readings/0"),
    ],
)
def test_what_is_no_house_ruling_is_named(app: Flask, precedent: dict[str, Any], pointer: str) -> None:
    assert problem(judge_by(app, precedent), 422, "invalid-input")["errors"][0]["pointer"] == pointer


def judged(tmp_path: Path, data: Any, *arguments: str) -> Result:
    file = tmp_path / "quarrel.json"
    file.write_text(json.dumps(data), "utf-8")
    return CliRunner().invoke(cli, ["judge", str(file), *arguments])


@pytest.mark.clause("TABLE-HOUSE-4")
def test_judge_takes_the_house_rulings_of_a_match_from_a_file(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text(json.dumps({"match": MATCH, "precedents": [HOUSE]}), "utf-8")
    assert judged(tmp_path, SPELL).exit_code == 2
    told = judged(tmp_path, SPELL, "--precedents", str(kept), "--lang", "de")
    assert told.exit_code == 1, told.output
    assert f"Hausurteil aus Eintrag 31 der Partie {MATCH}" in told.output
    page = tmp_path / "page.html"
    assert judged(tmp_path, SPELL, "--precedents", str(kept), "--html", str(page)).exit_code == 1
    assert "house ruling of entry 31" in page.read_text("utf-8")
    against = judged(tmp_path, {**SPELL, "readings": {"HTS-AMB-45": 1}}, "--precedents", str(kept), "--lang", "de")
    assert f"/readings/HTS-AMB-45: Das Hausurteil aus Eintrag 31 der Partie {MATCH}" in str(against.exception)
    own = judged(tmp_path, {**SPELL, "precedents": [HOUSE]})
    assert own.exit_code == 1, own.output
    for text, said in (("no JSON", "neither output of"), ('{"match": 1}', "lists no house rulings")):
        kept.write_text(text, "utf-8")
        wrong = judged(tmp_path, SPELL, "--precedents", str(kept))
        assert isinstance(wrong.exception, InvalidDataError)
        assert said in str(wrong.exception)
    missing = judged(tmp_path, SPELL, "--precedents", str(tmp_path / "nowhere"))
    assert isinstance(missing.exception, UnreadableInputError)


@pytest.mark.clause("TABLE-HOUSE-4")
def test_judge_takes_the_house_rulings_of_an_exported_match(tmp_path: Path) -> None:
    found = quarrel("here_to_slay", "HTS-AMB-45", 1, settings={"unpayable_play": "forbid"})
    entry = found.rules(found.disputes()).json["version"]
    bundle = found.here.table.host.get(f"{found.here.table.path}/bundle")
    assert bundle.status_code == 200, bundle.text
    file = tmp_path / "match.bundle"
    file.write_bytes(bundle.data)
    told = judged(tmp_path, SPELL, "--precedents", str(file), "--json")
    assert told.exit_code == 0, told.output
    assert [each["entry"] for each in json.loads(told.output)["house_rulings"]] == [entry]
