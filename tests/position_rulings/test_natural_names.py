"""Files in the words that people use: members, players, values and moves in either language."""

from __future__ import annotations

import json
import re
import time
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from referee.cardscript.language.located_yaml import LocatedMapping
from referee.engine.referee import find_legal_moves, seats_that_may_act
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.rulebook.messages import fill_names
from referee.engine.seats import CHANCE, Seat
from referee.games import load_games
from referee.position_rulings import file_format
from referee.position_rulings.file_format import QuestionFileError, rule_on_file
from referee.position_rulings.natural_names import find_game, read_natural_names
from referee.position_rulings.plain_words.renaming import find_seat, find_written_pointer
from referee.position_rulings.plain_words.sentences import normalize_sentence, read_move
from referee.rendering.texts import legal_moves_response
from tests.speed import measure_slowness

GAMES = load_games()
MOST_READ = 400  # moves of one position
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


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "variant"), [(name, variant) for name, game in GAMES.items() for variant in game.variants]
)
@pytest.mark.parametrize("most", [4, pytest.param(100, marks=pytest.mark.deep)])
def test_a_legal_move_is_read_as_it_is_worded_in_its_position(name: str, variant: str, lang: str, most: int) -> None:
    """Read legal moves of every example as they are listed, after their player; in the deep run nearly all."""
    game, names, wrong, read_kinds = GAMES[name], ["Ada", "Bob", "Cem", "Dora"], [], set()
    for example in game.positions.build_examples(variant):
        state = game.positions.decode_position(game.apply_newest_ruleset(example))
        for seat in sorted(each for each in seats_that_may_act(state) if each >= CHANCE):
            legal = list(islice(find_legal_moves(state, seat), MOST_READ))
            for listed in legal_moves_response(game, legal, state, seat)[:: len(legal) // most + 1]:
                told = fill_names(listed["told"][lang], dict(enumerate(names)))
                by = names[seat] if seat >= 0 else ""
                read = read_move(game, f"{by} {told}", names, example, "chance" if seat == CHANCE else seat)
                read_kinds.add(listed["move"]["type"])
                wrong += [] if read == listed["move"] else [(told, read, listed["move"])]
    assert not wrong
    assert len(read_kinds) >= 4


@pytest.mark.parametrize(
    ("lang", "detail"), [("en", "Several moves read like this"), ("de", "Mehrere Züge lesen sich so")]
)
def test_a_sentence_of_several_moves_names_what_tells_them_apart(lang: str, detail: str) -> None:
    game = GAMES["creature_crush"]
    example = game.positions.build_examples("league")[0]
    legal = find_legal_moves(game.positions.decode_position(example), Seat(0))
    first = next(move for move in legal if getattr(move, "card", "") == "overthrow#1")
    sentence = (game.narration.describe_event(first) or {})[lang]
    file = {"game": game.name, "position": example, "seat": 0, "move": sentence}
    with pytest.raises(QuestionFileError) as wrong:
        rule_on_file(json.dumps(file).encode(), "question.json", lang=lang)
    assert f": /move: {detail}" in str(wrong.value)
    assert '{"type":"cc.lay","card":"overthrow#1"} {"type":"cc.lay","card":"overthrow#2"}' in str(wrong.value)


@pytest.mark.parametrize("written", ["nobody", "Niemand", None])
def test_a_move_at_nobody_is_read(written: Any) -> None:
    move = {"Art": "play", "Karte": "Schild", "target": written}
    read = read_move(GAMES["monster_combat"], move, ["Ada", "Bob"], {"variant": "V1"})
    assert (read["type"], read["target"]) == ("mc.play", None)
    assert (
        read_move(GAMES["monster_combat"], {**move, "target": "bob"}, ["Ada", "Bob"], {"variant": "V1"})["target"] == 1
    )


def test_an_error_in_a_move_that_was_a_sentence_is_at_the_sentence() -> None:
    read = read_natural_names({"Spiel": "Monster Combat", "Zug": "spielt Schild", "Stellung": {"Spieler": [{}]}})
    assert find_written_pointer(read, "/move/card") == "/Zug"
    assert find_written_pointer(read, "/position/players/0/hearts") == "/Stellung/Spieler/0/hearts"
    assert find_written_pointer(read, "/position/players/7/hearts") == "/Stellung/Spieler/7/hearts"
    assert find_written_pointer(read, "/seat") == "/seat"
    assert find_written_pointer(read, "") == ""


def test_a_sentence_that_is_no_move_is_an_error() -> None:
    with pytest.raises(QuestionFileError, match="No move of the game reads like this"):
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
    ("names", "sentence"),
    [([""] * 20, "a"), (["player", "1"] * 10, "player"), (["a"], "a " * 250), ([], "a " * 250), ([], "(a " * 166)],
)
def test_names_do_not_make_a_sentence_endless(names: list[str], sentence: str) -> None:
    assert len(normalize_sentence(sentence, names)) <= 9 * len(sentence)
    started = time.process_time()
    assert read_move(GAMES["monster_combat"], sentence, names, {"variant": "V1"}) == sentence
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
