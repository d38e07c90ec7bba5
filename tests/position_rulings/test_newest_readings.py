"""Written positions are judged by the newest readings, unless they choose others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli.assistants import positions
from referee.cli.main import cli
from referee.engine.codec import encode
from referee.engine.game import Game
from referee.games import load_games
from referee.games.munchkin.moves import AskHelp
from referee.position_rulings.judging import rule_on_position
from referee.position_rulings.request import Question
from tests.api import house
from tests.api.house import Person

MUNCHKIN: Game = load_games()["munchkin"]
CLAUSE, TOO_MANY = "MK-13.8", AskHelp(seat=1, treasures=40)  # more treasures than any monster brings


@pytest.fixture(scope="module")
def combat() -> dict[str, Any]:
    """A position in which a player may ask for help."""
    examples = MUNCHKIN.positions.build_examples("standard")
    return next(each for each in examples if "combat" in each and "turn" in each and "question" not in each)


def judge(position: dict[str, Any], **more: Any) -> dict[str, Any]:
    return rule_on_position(MUNCHKIN, position, position["turn"], TOO_MANY, Question(**more))


@pytest.mark.clause("MK-13.8-R2")
def test_a_plain_question_is_answered_by_the_newest_reading(combat: dict[str, Any]) -> None:
    ruling = judge(combat)
    assert (ruling["verdict"], ruling["clauses"][0]["id"]) == ("refused", "MK-13.8-R2")
    (rests,) = [each for each in ruling["rests_on"] if each["clause"]["id"] == "MK-13.8-R2"]
    assert rests["setting"] == {"name": None, "value": 2, "usual": 2, "chosen": False}
    assert [(each["reading"], each["verdict"]) for each in rests["others"]] == [(1, "granted")]
    assert "readings" not in ruling["asked"]["position"]


@pytest.mark.parametrize("member", ["position", "question"])
def test_an_older_reading_holds_where_the_document_chooses_it(combat: dict[str, Any], member: str) -> None:
    chosen = {CLAUSE: 1}
    ruling = judge({**combat, "readings": chosen}) if member == "position" else judge(combat, readings=chosen)
    assert ruling["verdict"] == "granted"
    after = ruling["after"]
    assert after["readings"][CLAUSE] == 1
    assert after["readings"]["MK-26.9"] == 2
    assert MUNCHKIN.apply_newest_ruleset(after) == after  # it is judged on by the same readings


def test_a_quarrel_stays_undecided_until_the_table_chooses(combat: dict[str, Any]) -> None:
    assert judge(combat, claim="illegal_move")["verdict"] == "undecided"
    assert judge(combat, claim="illegal_move", readings={CLAUSE: 2})["verdict"] == "refused"


def test_command_api_and_assistant_judge_alike(combat: dict[str, Any], tmp_path: Path) -> None:
    document = {"game": "munchkin", "position": combat, "seat": combat["turn"], "move": encode(TOO_MANY)}
    file = tmp_path / "question.json"
    file.write_text(json.dumps(document), "utf-8")
    assert CliRunner().invoke(cli, ["judge", str(file)]).exit_code == 1
    answer = Person(house.app().test_client()).post("/v1/games/munchkin/rulings", document, Idempotency_Key="")
    assert answer.json["verdict"] == "refused"  # type: ignore[index]
    assert positions.judge_position(document, "en").data["verdict"] == "refused"


@pytest.mark.parametrize("game", load_games().values(), ids=list(load_games()))
def test_the_newest_readings_are_those_of_new_matches(game: Game) -> None:
    for variant in game.variants:
        position = game.positions.build_examples(variant)[0]
        state: Any = game.positions.decode_position(game.apply_newest_ruleset(position))
        assert dict(state.readings) == game.find_departures("", {})
        for clause, readings in game.interpretations.items():
            if setting := readings[0].setting:
                assert getattr(state.rules, setting) == game.find_newest_interpretation(clause).value
    assert game.apply_newest_ruleset({"settings": 4, "readings": 5}) == {"settings": 4, "readings": 5}
