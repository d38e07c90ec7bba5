"""How much of thirty effects of expansions can be said: each that can is a card of a book that is accepted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.games.books import check_book_text
from tests.games.here_to_slay.booked import card, write_book

FILE = Path(__file__).parent / "owned" / "thirty_effects.yaml"
EFFECTS: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))
SAID = [each for each in EFFECTS if "says" in each]
LEAST = 30  # that can be said


def test_there_are_thirty_and_as_many_can_be_said_as_are_counted() -> None:
    assert len(EFFECTS) == len({each["effect"] for each in EFFECTS}) == 30
    assert len(SAID) == LEAST


@pytest.mark.parametrize("effect", SAID, ids=[each["effect"] for each in SAID])
def test_an_effect_is_a_card_that_a_book_may_have(effect: dict[str, Any]) -> None:
    text = write_book(card(kind=effect.get("kind", "magic"), **effect["says"]))
    assert check_book_text(text, "thirty.yaml").entries
