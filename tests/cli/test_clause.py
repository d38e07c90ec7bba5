"""`referee rules show`: one clause with all that hangs on it."""

from __future__ import annotations

import json

from click.testing import CliRunner

from referee.cli.main import cli


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["rules", "show", *arguments])
    return done.exit_code, done.output


def test_a_clause_is_shown_with_its_refusals_events_code_and_tests() -> None:
    code, shown = run("SM-BUILD-2")
    assert code == 0
    assert "All six hand cards are laid out face down." in shown
    assert "refusal six_cards_are_laid: Lay all six cards;" in shown
    assert "event FloorBuilt: The floor is built." in shown
    assert "code referee/games/shy_monsters/rules/building.py: " in shown
    assert "Das Stockwerk ist gebaut." in run("SM-BUILD-2", "--lang", "de")[1]


def test_a_clause_is_shown_as_json_with_what_was_open_and_why() -> None:
    code, shown = run("TABLE-SEAT-1", "--json")
    data = json.loads(shown)
    assert code == 0
    assert set(data["refusals"]) >= {"no_such_seat", "seat_taken"}
    assert set(data["events"]) == {"SeatTaken"}
    assert data["tests"] > 0
    ruling = json.loads(run("SM-AMB-2", "--json")[1])
    assert ruling["open"]["en"]
    assert ruling["why"]["de"]


def test_a_clause_is_shown_in_one_language() -> None:
    shown = run("SM-BUILD-2", "--lang", "de")[1]
    assert "Ablehnung six_cards_are_laid: " in shown
    assert "Ereignis FloorBuilt: Das Stockwerk ist gebaut." in shown
    assert "Programm referee/games/shy_monsters/rules/building.py: " in shown
    assert "refusal" not in shown


def test_a_refusal_stands_with_the_reading_that_it_rests_on() -> None:
    assert "no_jack_at_the_end" not in run("MM-AMB-1")[1]
    assert "refusal no_jack_at_the_end: " in run("MM-AMB-1-R2")[1]


def test_an_unknown_clause_is_an_error_of_use() -> None:
    code, shown = run("SM-BUILD-99")
    assert code == 2
    assert "SM-BUILD-99" in shown
