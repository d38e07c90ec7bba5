"""How much of thirty effects of such games can be said: each that can is a card of a book that is accepted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.games.books import check_book_text

FILE = Path(__file__).parent / "owned" / "thirty_effects.yaml"
EFFECTS: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))
SAID = [each for each in EFFECTS if "says" in each]
LEAST = 30  # that can be said
USUAL: dict[str, dict[str, Any]] = {  # what a card of a kind has to say besides
    "monster": {"level": 4, "treasures": 1, "bad_text": "Ouch.", "bad_stuff": [{"do": "lose_levels", "count": 1}]},
    "curse": {"when": "any_time"},
    "item": {"slot": "headgear", "gold": 300},
    "citizenship": {"town": "easter", "when": "own_turn"},
    "one_shot": {"gold": 100, "when": "any_combat"},
    "treasure_special": {"when": "calm"},
    "door_special": {"when": "any_combat"},
    "enhancer": {"when": "any_combat"},
}


def test_there_are_thirty_and_as_many_can_be_said_as_are_counted() -> None:
    assert len(EFFECTS) == len({each["effect"] for each in EFFECTS}) == 30
    assert len(SAID) == LEAST


@pytest.mark.parametrize("effect", SAID, ids=[each["effect"] for each in SAID])
def test_an_effect_is_a_card_that_a_book_may_have(effect: dict[str, Any]) -> None:
    kind = effect["kind"]
    card = {"id": "the_card", "kind": kind, "name": "The Card", "text": effect["effect"], **USUAL[kind]}
    book = {"book": "thirty", "game": "munchkin", "title": "Thirty", "extends": "printed"}
    said = {**book, "cards": [{**card, **effect["says"]}]}
    assert check_book_text(yaml.safe_dump(said, allow_unicode=True, sort_keys=False), "thirty.yaml").entries
