"""What writers of cards read about the words of a game's texts: `referee cards words`."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cardscript.game import CardGame
from referee.cardscript.words import NOT_FOR_WRITERS, describe_nouns, describe_verbs
from referee.cli.main import cli
from referee.games import load_games

GAMES = {name: game for name, game in load_games().items() if isinstance(game, CardGame)}


def list_words(*arguments: str) -> Any:
    said = CliRunner().invoke(cli, ["cards", "words", *arguments])
    assert said.exit_code == 0, said.output
    return said.output


@pytest.mark.parametrize("game", GAMES)
def test_every_word_is_listed_with_every_parameter_and_a_sentence(game: str) -> None:
    vocabulary, listed = GAMES[game].library.vocabulary, json.loads(list_words(game, "--json"))
    for part, words in (("verbs", vocabulary.effects), ("nouns", vocabulary.selectors)):
        found = {each["word"]: each for each in listed[part]}
        assert set(found) == set(words) - set(NOT_FOR_WRITERS)
        for word, each in found.items():
            parameters = {parameter["name"] for parameter in each["parameters"]} - {"lines"}
            assert parameters == {field.name.rstrip("_") for field in fields(words[word])} - {"lines"}  # type: ignore[arg-type]
            assert all(parameter["takes"] for parameter in each["parameters"]), word
            assert each["does"].endswith("."), word


@pytest.mark.parametrize("game", GAMES)
def test_words_are_told_as_text_and_as_tables(game: str) -> None:
    vocabulary = GAMES[game].library.vocabulary
    text, tables = list_words(game), list_words(game, "--markdown").splitlines()
    for each in (*describe_nouns(vocabulary), *describe_verbs(vocabulary)):
        assert f"\n  {each.word} " in text
        assert sum(line.startswith(f"| `{each.word}` |") for line in tables) >= 1
    assert {line.count(" | ") for line in tables if line.startswith("| `")} == {2}


def test_a_game_without_card_books_has_no_words() -> None:
    said = CliRunner().invoke(cli, ["cards", "words", "monster_combat"])
    assert said.exit_code == 2
    assert "here_to_slay" in said.output
