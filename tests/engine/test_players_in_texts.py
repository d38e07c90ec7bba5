"""Players in texts: by the number of the seat until a reader knows their names, and never as "seat 0"."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import referee
from referee.engine.rulebook.messages import (
    describe_players,
    distinguish_names,
    fill_names,
    find_placeholders,
    format_message,
    name_seat_places,
)
from referee.engine.seats import CHANCE, CLOCK
from referee.games import load_games

STEALS = "{seat, player} steals {count, plural, one {a hero} other {# heroes}} from {of, player}"


def test_a_player_without_a_name_has_the_number_of_the_seat_counted_from_one() -> None:
    values = {"seat": 0, "of": "2", "count": 1}
    assert format_message(STEALS, "en", values) == "Player 1 steals a hero from Player 3"
    assert format_message("{seat, player} stiehlt", "de", {"seat": 11}) == "Spieler 12 stiehlt"
    assert find_placeholders(STEALS) == ("seat", "count", "of")


def test_several_players_are_a_list_as_people_say_it_each_named_once() -> None:
    assert describe_players((0,), "en") == "Player 1"
    assert describe_players([0, 2], "de") == "Spieler 1 und Spieler 3"
    assert describe_players([0, 2, 1, 2], "en") == "Player 1, Player 3 and Player 2"
    assert describe_players([], "en") == ""


@pytest.mark.parametrize(
    ("who", "says"), [(CHANCE, "der Zufall"), ("chance", "der Zufall"), (CLOCK, "die Uhr"), ("host", "der Gastgeber")]
)
def test_who_makes_entries_without_being_a_player_has_a_word(who: int | str, says: str) -> None:
    assert describe_players(who, "de") == says


def test_a_value_cannot_be_a_player_and_something_else_in_the_same_text() -> None:
    with pytest.raises(ValueError, match="player and a value"):
        format_message("{seat, player} has {seat}", "en", {"seat": 1})


def test_names_take_the_place_of_players_and_of_nobody_else() -> None:
    names = {0: "Ada", 11: "Bert"}
    assert fill_names("Player 1 asks Player 12 and Player 2", names) == "Ada asks Bert and Player 2"
    assert fill_names("die Hand von Spieler 1 (Spieler 10)", names) == "die Hand von Ada (Spieler 10)"
    assert fill_names("MultiPlayer 1, Player 01, players 1", names) == "MultiPlayer 1, Player 01, players 1"


def test_a_name_is_told_apart_from_the_same_name_and_cannot_mean_another_player() -> None:
    assert distinguish_names({"0": "Ada", "1": "Ben", "2": None}) == {0: "Ada", 1: "Ben"}
    assert distinguish_names({"0": "Ada", "1": "Ada"}) == {0: "Ada (1)", 1: "Ada (2)"}
    assert distinguish_names({"0": "Ada", "1": "Ada", "2": "Ada (1)"}) == {0: "Ada (1) (1)", 1: "Ada (2)", 2: "Ada (1)"}
    assert distinguish_names({"0": "Ada", "1": "ＡＤＡ"}) == {0: "Ada (1)", 1: "ＡＤＡ (2)"}
    imitations = [
        "Player 2",
        "Spieler 1",
        "player 3",
        "Player\u00a02",
        "Player 2\u200d",
        "Ｐlayer 2",
        "   ",
        "\u200b",
        "not Player 2",
    ]
    assert distinguish_names({str(seat): name for seat, name in enumerate(imitations)}) == {}


def test_places_are_named_after_their_players() -> None:
    assert name_seat_places((["hand:0"], "hand of", "Hand von")) == {
        "hand:0": {"en": "hand of Player 1", "de": "Hand von Spieler 1"}
    }


def test_no_text_calls_a_player_a_seat() -> None:
    wrong = re.compile(r"\b([Ss]eats?|Platz|Plätzen?) \{")
    for path in sorted(Path(referee.__file__).parent.rglob("*.yaml")):
        if path.name == "input_errors.yaml":  # of fields, which are called `seat`
            continue
        assert not (found := wrong.search(path.read_text("utf-8"))), f"{path}: {found and found[0]}"


def test_no_card_and_no_text_of_ours_holds_what_stands_for_a_player() -> None:
    wrong = re.compile(r"\b(Player|Spieler) [0-9]")
    for path in sorted(Path(referee.__file__).parent.rglob("*.yaml")):
        assert not (found := wrong.search(path.read_text("utf-8"))), f"{path}: {found and found[0]}"
    for game in load_games().values():
        assert not [card for card in game.rulebook.quoted_names if wrong.search(str(game.rulebook.names[card]))]
