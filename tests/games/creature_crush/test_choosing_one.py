"""A labelled choice: one of several alternatives, read aloud in the question and told once it is chosen."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.language.alternatives import AlternativeChosen
from referee.cardscript.moves import ChooseValue, Decline
from referee.engine.rulebook.book import BookError
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import BOOK
from referee.games.creature_crush.events.decks import CardDrawn
from referee.games.creature_crush.events.field import CreaturesDamaged
from referee.games.creature_crush.narration import describe_question
from referee.rendering.texts import describe_event, describe_move
from tests.games.course import of, times_out, when
from tests.games.creature_crush.table import table
from tests.games.creature_crush.wording import (
    at_rest,
    choices,
    kept,
    read,
    refused,
    said,
    unsaid,  # noqa: F401
)

HIT: dict[str, Any] = {
    "says": {"en": "deal 3 damage to an enemy", "de": "3 Schaden an einem Feind verursachen"},
    "lines": [
        {"do": "choose", "creature": {"of": "enemy"}, "called": "it"},
        {"do": "damage", "creature": "it", "points": 3},
    ],
}
DRAW: dict[str, Any] = {"says": "draw 2 cards", "lines": [{"do": "draw", "count": 2}]}
ONE: dict[str, Any] = {"do": "choose_one", "options": [HIT, DRAW]}
AFTER = {"do": "draw", "count": 1}


@pytest.mark.clause("CARDS-CHOICE-5")
def test_only_the_lines_of_the_chosen_alternative_are_carried_out_and_then_the_rest() -> None:
    _, state = said(table({}, {"B1": "stone_owl"}), ONE, AFTER)
    assert choices(state, 0) == [ChooseValue(1), ChooseValue(2)]
    events, after = when(kept(state), 0, ChooseValue(1))
    assert [event.points for event in of(events, CreaturesDamaged)] == [{"stone_owl": 3}]
    assert len(of(events, CardDrawn)) == 1
    assert at_rest(after)
    events, after = when(kept(state), 0, ChooseValue(2))
    assert not of(events, CreaturesDamaged)
    assert len(of(events, CardDrawn)) == 3
    assert at_rest(after)


def test_both_are_read_aloud_in_the_question_in_the_moves_and_in_what_is_told() -> None:
    _, state = said(table({}, {"B1": "stone_owl"}), ONE)
    variant, values = describe_question(state)
    asked = BOOK.render_texts(f"question.Alternatives.{variant}", card="stone_owl", **values)
    assert asked["en"].endswith("1: deal 3 damage to an enemy; 2: draw 2 cards.")
    assert "1: 3 Schaden an einem Feind verursachen; 2: draw 2 cards." in asked["de"]
    move = describe_move(GAME, state, ChooseValue(1))
    assert move is not None
    assert move["de"] == "1 wählen: 3 Schaden an einem Feind verursachen."
    told = describe_event(GAME, AlternativeChosen(0, "stone_owl", HIT["says"]))
    assert told is not None
    assert told["en"] == "Player 1 chooses for Stone Owl: deal 3 damage to an enemy."


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (ChooseValue(0), "no_such_alternative"),
        (ChooseValue(3), "no_such_alternative"),
        (Decline(), "not_what_is_asked"),
    ],
)
def test_nothing_else_is_an_alternative(move: Any, why: str) -> None:
    _, state = said(table(), ONE)
    assert refused(state, 0, move) == why


def test_an_alternative_that_does_nothing_may_be_chosen_and_whoever_is_late_takes_the_first() -> None:
    _, state = said(table(rules={"turn_timeout_ms": 1000}), ONE)
    for events, after in (when(state, 0, ChooseValue(1)), times_out(state)):
        assert [event.says["en"] for event in of(events, AlternativeChosen)] == ["deal 3 damage to an enemy"]
        assert at_rest(after)


def test_the_other_player_may_be_the_one_to_choose() -> None:
    _, state = said(table(), {**ONE, "who": "opponent"})
    assert choices(state, 0) == []
    events, _ = when(state, 1, ChooseValue(2))
    assert {event.seat for event in of(events, CardDrawn)} == {0}, "it is the card's player who draws"


def test_a_choice_may_depend_on_a_name_and_hold_another_choice() -> None:
    paid = {"do": "offer", "called": "paid"}
    inner = {"says": "once more", "lines": [{"do": "choose_one", "options": [DRAW, HIT]}]}
    _, state = said(table(), paid, {"do": "choose_one", "if": "paid", "options": [inner, DRAW]}, AFTER)
    events, after = when(state, 0, Decline())
    assert len(of(events, CardDrawn)) == 1
    assert at_rest(after)
    _, state = said(table(), {"do": "choose_one", "options": [inner, DRAW]})
    events, after = when(state, 0, ChooseValue(1), ChooseValue(1))
    assert len(of(events, CardDrawn)) == 2
    assert at_rest(after)


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        ({"do": "choose_one"}, "needs 'options', 2 to 6"),
        ({"do": "choose_one", "options": [DRAW]}, "needs 'options', 2 to 6"),
        ({"do": "choose_one", "options": [DRAW, {"says": "x"}]}, "an option of choose_one is"),
        ({"do": "choose_one", "options": [DRAW, {"says": "x", "lines": []}]}, "an option of choose_one is"),
        ({"do": "choose_one", "options": [DRAW, {**DRAW, "says": {"en": "x"}}]}, "one text in each of en, de"),
        ({"do": "choose_one", "options": [DRAW, {**DRAW, "says": " "}]}, "no text that can be shown"),
        ({"do": "choose_one", "options": [DRAW, {**DRAW, "says": "x" * 121}]}, "at most 120"),
        ({**ONE, "lines": [AFTER]}, "takes no 'lines'"),
        ({**ONE, "called": "it"}, "takes no 'called'"),
        ({"do": "choose_one", "options": [DRAW, {"says": "x", "lines": [{"do": "drwa", "count": 1}]}]}, "'draw'"),
    ],
)
def test_a_choice_that_says_too_little_is_refused(line: dict[str, Any], detail: str) -> None:
    with pytest.raises(BookError, match=detail):
        read(line)


def test_what_an_alternative_names_is_not_known_after_it() -> None:
    with pytest.raises(BookError, match="unknown name 'it'"):
        read(ONE, {"do": "destroy", "what": "it"})
