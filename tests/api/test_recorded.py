"""The contract's examples of answers are what the program answers, and fit what the contract says of them."""

from __future__ import annotations

from typing import Any

import pytest

from api.openapi.answers import load_recorded
from api.resources.health.routes import load_contract
from tests.api import house
from tests.api.contracted import fit
from tests.api.recorded import record_answers

FIRST_MET = (  # operations whose answers an app maker looks at first
    *("listGames", "getGame", "listCards", "getCard", "listClauses", "getClause", "listBots"),
    *("openMatch", "listMatches", "getMatch", "changeMatch", "startMatch", "endMatch", "openRematch"),
    *("makeInvitation", "joinMatch", "takeSeat", "getNames"),
    *("listMoves", "getSituation", "checkMove", "makeMove", "takeHint", "getBoard", "getView"),
    *("listEntries", "getEntry", "getEntryExplanation", "getExplanation", "streamEntries", "makeStreamTicket"),
    *("listWindows", "askTakeback", "openDispute", "judgePosition", "countPosition", "listPositionMoves"),
    *("openTournament", "getTournament", "commandTournament", "listTournamentEntries", "makeTournamentInvitation"),
    *("getCheckpoint", "getReceipt", "getInclusion", "getConsistency", "getKeys", "judgeBundle", "getJudgedBundle"),
    *("makePlayer", "getPlayer", "listOpenMatches", "listPlayerMatches"),
)
COMMON_STATUSES = {400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422, 428, 429, 503}


@pytest.fixture(scope="module")
def contract() -> dict[str, Any]:
    return load_contract(house.app())


def test_what_is_recorded_is_what_the_program_answers() -> None:
    assert record_answers() == load_recorded(), "run `python -m tests.api.recorded`, and look at what changed"


def test_examples_of_answers_fit_their_schemas(contract: dict[str, Any]) -> None:
    found = 0
    for item in contract["paths"].values():
        for operation in (each for each in item.values() if isinstance(each, dict)):
            for answer in operation["responses"].values():
                for content in resolve(contract, answer).get("content", {}).values():
                    for example in content.get("examples", {}).values():
                        found += 1
                        if name := content["schema"].get("$ref", "").rpartition("/")[2]:  # else a text
                            fit(name, example["value"])
    assert found > len(FIRST_MET)


def resolve(contract: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer of an operation, also one that several share."""
    named = answer.get("$ref", "").rpartition("/")[2]
    return contract["components"]["responses"][named] if named else answer


def test_what_an_app_meets_first_has_an_example(contract: dict[str, Any]) -> None:
    operations = {
        operation["operationId"]: operation
        for item in contract["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict)
    }
    for name in FIRST_MET:
        answers = [
            resolve(contract, each) for status, each in operations[name]["responses"].items() if status[0] == "2"
        ]
        contents = [content for answer in answers for content in answer.get("content", {}).values()]
        assert any("examples" in content for content in contents), name


def test_problems_have_an_example_for_each_common_status(contract: dict[str, Any]) -> None:
    (content,) = contract["components"]["responses"]["Problem"]["content"].values()
    for name, example in content["examples"].items():
        assert example["value"]["type"] == f"/problems/{name}"
    assert {example["value"]["status"] for example in content["examples"].values()} == COMMON_STATUSES
