"""Prompts: values by search, several, places, numbers, dice, and what asks whether it is meant."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from referee.cli.table.drawing.prompts import CLOSED, STAY, Confirmation, Dice, Picker
from referee.cli.table.drawing.screen import wrap_text
from referee.cli.table.drawing.words import Words
from referee.cli.table.offers import Offer, count_dice
from tests.cli.table.sitting import plain_lines

CARDS = {name: {"name": {"en": name.title(), "de": name.title()}} for name in ("sword", "shield", "skip")}
WORDS = Words("en", {0: "Ada", 1: "Ben"}, CARDS)


def pick(*choices: dict[str, Any]) -> Picker:
    blank = {"copies": None, "least": None, "most": None, "values": []}
    picker = {"move": {"type": "x", "other": 7}, "choices": [{**blank, **choice} for choice in choices]}
    return Picker(Offer("", "Pick …", "picker", "/path", {"seen": 4}, picker), WORDS)


def press(prompt: Any, *keys: str) -> Any:
    for key in keys[:-1]:
        assert prompt.press(key) is STAY
    return prompt.press(keys[-1])


def look(prompt: Any, height: int = 20) -> str:
    return "\n".join(plain_lines(prompt.draw(WORDS, partial(wrap_text, width=40), height)))


def test_a_value_is_found_by_typing_a_part_of_its_name() -> None:
    prompt = pick({"field": "card", "kind": "one", "values": ["sword", "shield", "skip"]})
    press(prompt, "h", "I")
    assert "Shield" in look(prompt)
    assert "Sword" not in look(prompt)
    assert press(prompt, "enter") == {"seen": 4, "move": {"type": "x", "other": 7, "card": "shield"}}


def test_the_fields_of_a_move_are_asked_one_after_the_other() -> None:
    prompt = pick(
        {"field": "card", "kind": "one", "values": ["sword", "skip"]},
        {"field": "target", "kind": "one", "values": [0, 1]},
        {"field": "count", "kind": "number", "least": 2, "most": 12},
        {"field": "words", "kind": "text"},
    )
    press(prompt, "down", "enter")
    assert "Ben" in look(prompt)
    press(prompt, "b", "e", "enter", "1", "enter")
    assert prompt.choice["field"] == "count", "1 is too few"
    press(prompt, "2", "enter")
    body = press(prompt, "h", "i", "enter")
    assert body["move"] == {"type": "x", "other": 7, "card": "skip", "target": 1, "count": 12, "words": "hi"}


def test_several_are_taken_and_put_back_as_often_as_there_are_copies() -> None:
    prompt = pick(
        {"field": "cards", "kind": "several", "values": ["sword", "shield"], "copies": [2, 1], "least": 2, "most": 3}
    )
    press(prompt, "enter", "tab")
    assert prompt.picked == ["sword"], "one is too few"
    press(prompt, "enter")
    assert "Sword ×2" in look(prompt)
    press(prompt, "down", "enter", "enter")
    assert prompt.picked == ["sword", "sword"], "the shield was put back"
    assert press(prompt, "tab")["move"]["cards"] == ["sword", "sword"]


def test_cards_are_laid_at_places() -> None:
    prompt = pick({"field": "cells", "kind": "places", "values": ["sword"], "copies": [2], "least": 2, "most": 2})
    press(prompt, "enter", *"1 x", "enter")
    assert prompt.picked == [], "that is no place"
    press(prompt, "backspace", *"-2", "enter", "enter", *"0,1", "enter")
    assert "Sword (1|-2), Sword (0|1)" in look(prompt)
    assert press(prompt, "tab")["move"]["cells"] == [
        {"card": "sword", "x": 1, "y": -2},
        {"card": "sword", "x": 0, "y": 1},
    ]


def test_a_long_list_scrolls_with_the_marked_value_in_sight() -> None:
    prompt = pick({"field": "n", "kind": "one", "values": [f"value{at}" for at in range(100)]})
    press(prompt, *["down"] * 50)
    assert "value50" in look(prompt, 10)
    assert len(look(prompt, 10).splitlines()) <= 10
    press(prompt, *["down"] * 90)
    assert "value99" in look(prompt, 10)
    assert press(prompt, "enter")["move"]["n"] == "value99"


def test_nothing_found_is_nothing_chosen() -> None:
    prompt = pick({"field": "card", "kind": "one", "values": ["sword"]})
    assert press(prompt, "z", "enter") is STAY
    assert press(prompt, "esc") is CLOSED


def test_dice_are_typed_as_digits() -> None:
    listing = {"legal": [{"move": {"type": "chance.rolled", "values": [1, 1]}}], "pickers": []}
    prompt = Dice(Offer("", "", "dice", "/path", {"seen": 4}, count_dice(listing)), "What do the dice show?")
    press(prompt, "3", "7", "enter")
    assert "3 _" in look(prompt), "seven is no face, and one die is missing"
    press(prompt, "5", "6", "backspace", "2")
    assert press(prompt, "enter") == {"seen": 4, "move": {"type": "chance.rolled", "values": [3, 2]}}


@pytest.mark.parametrize(("key", "sent"), [("y", {"move": 1}), ("n", CLOSED), ("enter", CLOSED), (" ", CLOSED)])
def test_giving_up_needs_a_yes(key: str, sent: Any) -> None:
    assert Confirmation(Offer("", "Leave", "leave", "/path", {"move": 1}), "yY").press(key) == sent
