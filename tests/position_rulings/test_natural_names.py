"""Files in the words that people use: members, players, values and moves in either language."""

from __future__ import annotations

import re
import time
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from referee.cardscript.language.located_yaml import LocatedMapping
from referee.engine.codec import decode_named
from referee.engine.events import Move
from referee.engine.referee import judge_candidates, seats_that_must_act
from referee.engine.rulebook.book import LANGUAGES
from referee.games import load_games
from referee.position_rulings import file_format
from referee.position_rulings.file_format import QuestionFileError, rule_on_file
from referee.position_rulings.natural_names import find_game, read_natural_names
from referee.position_rulings.plain_words.renaming import find_seat, find_written_pointer
from referee.position_rulings.plain_words.sentences import normalize_sentence, read_move
from referee.rendering.texts import describe_event
from tests.speed import measure_slowness

GAMES = load_games()
GERMAN = """\
Spiel: Monster Combat
Namen: [Ada, Bob]
Stellung:
  Variante: V1
  Spieler:
    - {Herzen: 3, Hand: [Schwert, Schild]}
    - {Herzen: 2, Hand: 4}
  am Zug: Ada
  Richtung: im Uhrzeigersinn
  question: {asks: play, seat: Spieler 1}
Platz: Ada
Zug: Ada spielt Schild
Behauptung: der Zug war nicht erlaubt
"""


def test_a_file_in_german_is_read_as_the_same_file_in_the_names_of_the_program() -> None:
    _, ruling = rule_on_file(GERMAN.encode(), "streit.yaml")
    assert ruling["asked"]["move"] == {"type": "mc.play", "card": "shield"} | ruling["asked"]["move"]
    position = ruling["asked"]["position"]
    assert (position["turn"], position["direction"]) == (0, "clockwise")
    assert (ruling["verdict"], ruling["quarrel"]["claim"]) == ("refused", "illegal_move")


def test_the_file_in_plain_words_of_the_guide_is_judged_as_the_guide_says() -> None:
    guide = (Path(file_format.__file__).parent / "README.md").read_text("utf-8")
    found = re.search(r"```yaml\n(.*?)```.*?```text\n(.*?)\n```", guide, re.S)
    assert found is not None
    written, answer = found.groups()
    _, ruling = rule_on_file(written.encode(), "question.yaml")
    assert ruling["verdict"] == "refused"
    assert ruling["aloud"]["en"].startswith(answer.replace("Cem", "Player 3").replace("Ada", "Player 2"))


def test_an_error_in_a_german_file_still_names_its_line() -> None:
    with pytest.raises(QuestionFileError) as wrong:
        rule_on_file(GERMAN.replace("am Zug: Ada", "am Zug: Eva").encode(), "streit.yaml")
    assert str(wrong.value).startswith("streit.yaml:8: /Stellung/am Zug: ")


@pytest.mark.parametrize("name", GAMES)
def test_a_sentence_is_read_as_its_own_move_or_not_at_all(name: str) -> None:
    """Read the text of every kind of move of the examples: it never means another move."""
    game, read_kinds = GAMES[name], set()
    for example in game.positions.build_examples(game.variants[0]):
        state = game.positions.decode_position(example)
        for seat in sorted(each for each in seats_that_must_act(state) if each >= 0)[:1]:
            for move, _ in islice(judge_candidates(state, seat), 6):
                told = describe_event(game, move)
                for lang in LANGUAGES if told else ():
                    read = read_move(game, f"Ada {told[lang]}", ["Ada", "Bob"], game.variants[0])
                    if isinstance(read, dict):
                        made = game.positions.read_move_names(example, decode_named(read, Move))
                        assert made == move, told[lang]
                        read_kinds.add(move.TAG)
    assert len(read_kinds) >= 2


def test_an_error_in_a_move_that_was_a_sentence_is_at_the_sentence() -> None:
    read = read_natural_names({"Spiel": "Monster Combat", "Zug": "spielt Schild", "Stellung": {"Spieler": [{}]}})
    assert find_written_pointer(read, "/move/card") == "/Zug"
    assert find_written_pointer(read, "/position/players/0/hearts") == "/Stellung/Spieler/0/hearts"
    assert find_written_pointer(read, "/position/players/7/hearts") == "/Stellung/Spieler/7/hearts"
    assert find_written_pointer(read, "/seat") == "/seat"
    assert find_written_pointer(read, "") == ""


def test_a_sentence_that_is_no_move_is_an_error() -> None:
    with pytest.raises(QuestionFileError, match="No move of the game, or several, read like this"):
        rule_on_file(GERMAN.replace("spielt Schild", "wirft den Tisch um").encode(), "streit.yaml")


@pytest.mark.parametrize(
    ("written", "seat"),
    [("ada", 0), ("BOB", 1), ("Spieler 2", 1), ("player 1", 0), ("Eva", "Eva"), (1, 1), ("Zufall", "chance")],
)
def test_a_player_is_named_or_numbered_in_either_language(written: Any, seat: Any) -> None:
    assert find_seat(written, ["Ada", "Bob"]) == seat


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["Ada", "Ben"], "Ben plays “Shield” at ada."),
        (["Ann", "Ben", "Ann-Marie"], "player 2 plays shield at ann"),
        (["Player 2", "Ann", "1"], "ann plays shield at Player 2"),
        (["Bea!", "J. R."], "J. R. plays shield at Bea!"),
        (["1", " BEN ", ""], "Ben plays shield at 1"),
    ],
)
def test_players_in_a_sentence_are_numbered_each_once(names: list[str], sentence: str) -> None:
    expected = "player 2 plays shield at player 1"
    assert normalize_sentence(sentence.removesuffix("."), names) == expected
    assert normalize_sentence("Ann-Marie", ["Ann", "Ann-Marie"]) == "player 2"


@pytest.mark.parametrize(
    ("names", "sentence"), [([""] * 20, "a"), (["player", "1"] * 10, "player"), (["a"], "a " * 70)]
)
def test_names_do_not_make_a_sentence_endless(names: list[str], sentence: str) -> None:
    assert len(normalize_sentence(sentence, names)) <= 9 * len(sentence)
    started = time.process_time()
    assert read_move(GAMES["monster_combat"], sentence, names, "V1") == sentence
    assert time.process_time() - started < measure_slowness()


def test_a_game_is_found_by_its_title() -> None:
    for title in ("munchkin", "Munchkin", "Here to Slay", "here_to_slay", "mau-mau"):
        assert find_game(title) is not None
    assert find_game("chess") is None
    assert find_game("") is None


def test_a_name_of_the_program_is_never_taken_for_another_member() -> None:
    position = {"seats": [], "turn": 0}
    data = LocatedMapping({"game": "munchkin", "move": {"type": "claim"}, "seat": 0, "position": position})
    read = read_natural_names(data)
    assert read["move"]["type"] == "mk.claim"
    assert [*read["position"]] == ["seats", "turn"]
