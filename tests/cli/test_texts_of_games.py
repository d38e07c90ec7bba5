"""`referee rules texts`: every text of a game with an example, in both languages."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from referee.cli.main import cli
from referee.games import load_games
from referee.position_rulings.interpretations import find_switches
from referee.rendering.texts import find_clause


@pytest.mark.parametrize("game", load_games())
def test_every_text_of_a_game_stands_there_with_an_example(game: str) -> None:
    done = CliRunner().invoke(cli, ["rules", "texts", game, "--json"])
    assert done.exit_code == 0, done.output
    listed = json.loads(done.output)["texts"]
    book = load_games()[game].rulebook
    assert {each["key"] for each in listed} >= {
        *book.reasons,
        *book.spoken_texts,
        *(f"{name} says" for name in book.clauses),
    }
    for each in listed:
        assert each["example"]["en"]
        assert each["example"]["de"]
    told = [each for each in listed if each["placeholders"]]
    assert sum(each["played"] for each in told) > len(told) / 10, "examples come from matches"


@pytest.mark.parametrize("game", load_games())
def test_no_clause_names_settings_or_their_values_in_code(game: str) -> None:
    for clause in load_games()[game].rulebook.clauses.values():
        for said in (*clause.says.values(), *clause.open.values(), *clause.why.values()):
            assert not re.search(r"`|[a-z]_[a-z]|\b(true|false)\b(?= |,)", said), clause.id


@pytest.mark.parametrize("game", load_games())
def test_what_another_reading_decides_says_what_is_open(game: str) -> None:
    for name, switch in find_switches(load_games()[game]).items():
        assert find_clause(load_games()[game], name).open or not switch.values, name


def test_it_is_read_in_one_go() -> None:
    shown = CliRunner().invoke(cli, ["rules", "texts", "mau_mau", "--lang", "de"]).output
    assert "MM-MAT-1 says  Es gibt 32 Karten" in shown
    assert CliRunner().invoke(cli, ["rules", "texts", "chess"]).exit_code == 2
