"""Pickers: a move to put choices in, and how often each value may be chosen."""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee.cardscript.moves import ChooseCards, describe_card_lists
from referee.engine.codec import decode_named
from referee.engine.events import Move
from referee.engine.rulebook.book import Text
from referee.games import load_games
from referee.rendering.pickers import LONGEST_LIST, condense_moves, pattern_to_picker
from tests.api import house

GAME = load_games()["here_to_slay"]
SAYS: Text = {"en": "Cards.", "de": "Karten."}


def test_many_moves_of_a_kind_become_one_picker_with_one_of_them() -> None:
    moves = [ChooseCards((f"card{number}", "twin", "twin")) for number in range(LONGEST_LIST + 1)]
    listed, (picker,) = condense_moves(GAME, moves, ())
    assert listed == []
    assert decode_named(picker["move"], Move) == moves[0]
    (choice,) = picker["choices"]
    assert dict(zip(choice["values"], choice["copies"], strict=True))["twin"] == 2
    assert set(choice["copies"]) == {1, 2}
    assert (choice["least"], choice["most"]) == (3, 3)


def test_few_moves_are_listed() -> None:
    moves = [ChooseCards((f"card{number}",)) for number in range(LONGEST_LIST)]
    assert condense_moves(GAME, moves, ()) == (moves, [])


def test_a_counter_of_names_says_how_often_each_may_be_chosen() -> None:
    (pattern,) = describe_card_lists(ChooseCards, Counter("baa"), 2, 2, SAYS)
    (choice,) = pattern_to_picker(pattern)["choices"]
    assert (choice["values"], choice["copies"]) == (["a", "b"], [2, 1])
    (pattern,) = describe_card_lists(ChooseCards, "ab", 2, 2, SAYS)
    (choice,) = pattern_to_picker(pattern)["choices"]
    assert (choice["values"], choice["copies"]) == (["a", "b"], None)


def test_who_builds_a_floor_is_asked_for_the_cards_of_the_hand() -> None:
    table = house.opened(house.app(), "shy_monsters")
    (master,) = table.awaited
    found: Any = table.seats[master].get(f"{table.path}/seats/{master}/situation").json
    (picker,) = found["moves"]["pickers"]
    (choice,) = picker["choices"]
    hand = [card["card"] for card in found["view"]["board"]["seats"][master]["hand"]["cards"]]
    assert sorted(hand) == [
        value for value, many in zip(choice["values"], choice["copies"], strict=True) for _ in range(many)
    ]
    assert picker["move"] == {"type": "sm.build", "cells": []}
