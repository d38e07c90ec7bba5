"""Questions say what lies on top and what may be done about it."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.mau_mau import GAME
from referee.games.mau_mau.moves import DrawCard
from referee.games.mau_mau.rules.turn import TurnQuestion
from referee.rendering import texts
from tests.games.mau_mau.given import table

DREW: dict[str, Any] = {"agenda": (TurnQuestion(0, True),)}


@pytest.mark.parametrize(
    ("more", "english", "german"),
    [
        ({}, "Nine of hearts lies on top. Do you play a card, or draw?",
         "Oben liegt Herz-Neun. Spielst du eine Karte aus, oder ziehst du?"),
        (DREW, "Nine of hearts lies on top. Do you play a card, or pass?",
         "Oben liegt Herz-Neun. Spielst du eine Karte aus, oder passt du?"),
        ({"top": "clubs_jack", "wish": "spades"},
         "Jack of clubs lies on top, and the suit called is spades. Do you play a card, or draw?",
         "Oben liegt Kreuz-Bube, und gewünscht ist Pik. Spielst du eine Karte aus, oder ziehst du?"),
        ({"top": "hearts_7", "due": 4}, "Seven of hearts lies on top. Do you play a seven, or draw 4 cards?",
         "Oben liegt Herz-Sieben. Legst du eine Sieben, oder ziehst du 4 Karten?"),
    ],
)  # fmt: skip
def test_a_turn_is_asked_for_with_what_lies_on_top(more: dict[str, Any], english: str, german: str) -> None:
    state = table(["spades_7"], ["clubs_9"], **more)
    assert texts.question_response(GAME, state)["asks"] == {"en": english, "de": german}


def test_a_draw_for_sevens_says_how_many_cards() -> None:
    due = table(["spades_7"], ["clubs_9"], top="hearts_7", due=4)
    assert texts.describe_move(GAME, due, DrawCard()) == {"en": "Draw 4 cards.", "de": "4 Karten ziehen."}
    assert texts.describe_move(GAME, table([], []), DrawCard()) == {"en": "Draw.", "de": "Ziehen."}
