"""How much of sixty effects of other card games can be said: each that can is a card of a book that is accepted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.games.books import check_book_text

FILE = Path(__file__).parent / "owned" / "sixty_effects.yaml"
EFFECTS: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))
SAID = [each for each in EFFECTS if "says" in each]
CREATURE = {"kind": "creature", "cost": 5, "attack": 2, "life": 3}
LEAST = 59  # that can be said; the aim is 55


def test_there_are_sixty_and_as_many_can_be_said_as_are_counted() -> None:
    assert len(EFFECTS) == len({each["effect"] for each in EFFECTS}) == 60
    assert len(SAID) == LEAST


@pytest.mark.parametrize("effect", SAID, ids=[each["effect"] for each in SAID])
def test_an_effect_is_a_card_that_a_book_may_have(effect: dict[str, Any]) -> None:
    kind = {"kind": "crush", "cost": 1} if "flip" in effect["says"] else CREATURE
    card = {"id": "the_card", **kind, "name": "The Card", "text": effect["effect"], **effect["says"]}
    book = {"book": "sixty", "game": "creature_crush", "title": "Sixty", "extends": "printed", "cards": [card]}
    assert check_book_text(yaml.safe_dump(book, allow_unicode=True, sort_keys=False), "sixty.yaml").entries
