"""Positions as a person writes them: what is left out is unknown, and what cannot be is named."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.referee import find_legal_moves
from referee.engine.rulings import ContradictoryPosition, MalformedInput
from referee.engine.seats import Seat
from referee.games.mau_mau import GAME
from referee.games.mau_mau.moves import DrawCard, PassTurn, PlayCard
from referee.games.mau_mau.positions.table import AGENDA, EXAMPLES
from referee.games.mau_mau.rules.drawing import CardDrawing
from referee.games.mau_mau.rules.turn import TurnQuestion, TurnStart
from tests.games.course import refused
from tests.games.left_out import followed, less, verdict
from tests.games.schemas import fit

Data = dict[str, Any]


def position(**more: Any) -> Data:
    """Seat 0 of two is on turn, the king of hearts lies on top."""
    return {**EXAMPLES[0], **more}


def top(card: str, **more: Any) -> Data:
    """The same with another card on top."""
    return position(discard={"cards": [card], "more": True}, **more)


def contradictions(data: Data) -> dict[str, str]:
    """The clauses that a position breaks, by place."""
    with pytest.raises(ContradictoryPosition) as wrong:
        GAME.positions.decode_position(data)
    return {error["pointer"]: error["clause"] for error in wrong.value.errors}


def malformed(data: Data) -> set[str]:
    """The places at which the form of a position is wrong."""
    with pytest.raises(MalformedInput) as wrong:
        GAME.positions.decode_position(data)
    assert not isinstance(wrong.value, ContradictoryPosition)
    return {error["pointer"] for error in wrong.value.errors}


def test_examples_fit_the_schema_and_every_question_has_one() -> None:
    for example in EXAMPLES:
        fit(example, "mau_mau")
        fit(GAME.positions.encode_position(GAME.positions.decode_position(example)), "mau_mau")
    assert {example["question"]["asks"] for example in EXAMPLES} == {each.name for each in AGENDA.open_questions}


def test_what_a_ruling_needs_is_asked_for() -> None:
    assert verdict(GAME, position(), PlayCard("hearts_9")) == "granted"
    assert verdict(GAME, position(), PlayCard("spades_7")) == "refused"
    assert verdict(GAME, less(position(), "players/0/hand"), PlayCard("hearts_9")) == "which_cards:0"
    assert verdict(GAME, less(position(), "discard"), PlayCard("hearts_9")) == "which_card_on_top"
    assert verdict(GAME, position(discard=3), PlayCard("hearts_9")) == "which_card_on_top"
    assert verdict(GAME, less(top("hearts_7"), "due"), PlayCard("hearts_9")) == "how_many_are_due"
    assert verdict(GAME, less(top("hearts_jack"), "wish"), PlayCard("hearts_9")) == "which_suit_is_wished"
    assert verdict(GAME, less(position(), "due", "wish"), PlayCard("hearts_9")) == "granted"
    assert verdict(GAME, position(players=[{"hand": 3}, {}]), PlayCard("hearts_9")) == "granted"


def test_what_follows_is_told_as_far_as_the_position_says() -> None:
    assert followed(GAME, position(), DrawCard())[1] == "how_many_to_draw_from"
    assert followed(GAME, position(draw_pile=10), DrawCard())[1] == ""
    assert followed(GAME, position(draw_pile=[], discard=["hearts_king"], players=[{}, {}]), DrawCard())[1] == ""
    assert followed(GAME, {**EXAMPLES[1], "turns": 7}, PassTurn())[1] == ""


@pytest.mark.clause("MM-MAT-1")
def test_no_card_lies_in_two_places_and_none_is_lost() -> None:
    twice = top("hearts_9")
    assert contradictions(twice) == {"/players/0/hand": "MM-MAT-1"}
    census = GAME.positions.check_census(twice)
    assert not census["possible"]
    assert [each["pointer"] for each in census["recounts"]] == ["/players/0/hand", "/discard"]
    for lying in (28, 5):
        counted = position(draw_pile=lying, discard=1, players=[{"hand": 2}, {"hand": 2}])
        assert contradictions(counted) == {"/players/0/hand": "MM-MAT-1"}
    assert GAME.positions.check_census(position()) == {"possible": True, "contradictions": [], "recounts": []}


@pytest.mark.clause("MM-SEVEN-1", "MM-JACK-2", "MM-END-1")
def test_what_the_rules_exclude_is_a_contradiction() -> None:
    assert contradictions(position(due=2)) == {"/due": "MM-SEVEN-1"}
    assert contradictions(top("hearts_7", due=3)) == {"/due": "MM-SEVEN-1"}
    assert contradictions(position(wish="clubs")) == {"/wish": "MM-JACK-2"}
    assert contradictions(position(players=[{"hand": 3}, {"hand": []}])) == {"/players/1/hand": "MM-END-1"}
    assert contradictions(position(question=None)) == {"/question": "MM-END-1"}
    assert contradictions(position(question=None, players=[{"hand": []}, {"hand": []}])) == {
        "/players/1/hand": "MM-END-1"
    }
    assert contradictions(top("hearts_7", due=10)) == {"/due": "MM-SEVEN-1"}
    assert contradictions(position(discard={"cards": ["hearts_7", "hearts_king"], "more": True}, due=4)) == {
        "/due": "MM-SEVEN-1"
    }
    assert contradictions(top("hearts_7", due=2, question={"asks": "turn", "seat": 0, "drew": True})) == {
        "/question/drew": "MM-AMB-7"
    }
    assert contradictions(position(question={"asks": "wish", "seat": 0})) == {"/question": "MM-JACK-2"}
    assert contradictions(position(turns=201)) == {"/turns": "MM-AMB-2"}
    assert contradictions(position(discard=[])) == {"/discard": "MM-SETUP-2"}
    dealt = [{"hand": 5}, {"hand": 5}]
    assert contradictions(position(players=dealt, question={"asks": "first_card"})) == {"/discard": "MM-SETUP-2"}


def test_beneath_a_draw_the_turn_goes_on_if_a_position_does_not_say() -> None:
    drawing = {"asks": "draw", "seat": 0, "count": 1, "why": "turn"}
    state = GAME.positions.decode_position(position(question=drawing))
    assert state.agenda == (TurnQuestion(0, drew=True), CardDrawing(0, 1, "turn"))
    drawing = {"asks": "draw", "seat": 0, "count": 2, "why": "sevens"}
    state = GAME.positions.decode_position(top("hearts_7", question=drawing))
    assert state.agenda == (TurnStart(1), CardDrawing(0, 2, "sevens"))


def test_a_wrong_form_is_named_with_its_place() -> None:
    assert malformed(position(named=[1, 1], cards="table")) == {"/named"}
    assert malformed(position(named=[1])) == malformed(position(named=[1], cards="server")) == {"/named"}
    assert malformed(position(wish="stars")) == {"/wish"}
    assert malformed(position(question={"asks": "turn", "seat": 2})) == {"/question/seat"}
    assert malformed(less(position(), "question")) == {"/question"}


@pytest.mark.clause("MM-AMB-8")
def test_a_written_seven_that_cannot_be_answered_is_drawn_for() -> None:
    written = top("hearts_7", due=2, draw_pile=10, settings={"stacking": False})
    state = GAME.positions.decode_position(written)
    assert refused(state, 0, PlayCard("spades_7")) == ("no_answer_to_a_seven", "MM-AMB-8")
    assert refused(state, 0, PlayCard("hearts_9")) == ("no_answer_to_a_seven", "MM-AMB-8")
    assert refused(state, 1, DrawCard()) == ("turn_of_another", "MM-TURN-1")
    assert list(find_legal_moves(state, Seat(0))) == [DrawCard()]
    assert followed(GAME, written, DrawCard())[1] == ""
    assert verdict(GAME, {**written, "settings": {"stacking": True}}, PlayCard("spades_7")) == "granted"


@pytest.mark.parametrize(
    ("written", "meant"),
    [("Herz-As", "Herz-Ass"), ("nine of heart", "Nine of hearts"), ("hearts9", "hearts_9"), ("HERZ-ZEN", "Herz-Zehn")],
)
def test_a_name_that_nobody_knows_is_close_to_one_that_a_person_would_write(written: str, meant: str) -> None:
    with pytest.raises(MalformedInput) as wrong:
        GAME.positions.decode_position(position(players=[{"hand": [written]}, {}]))
    (error,) = wrong.value.errors
    assert error == {"pointer": "/players/0/hand/0", "detail": f"unknown value '{written}'; did you mean {meant}?"}
    assert GAME.positions.decode_position(position(players=[{"hand": [meant]}, {}]))


START: Data = {"players": [{"hand": 5}, {"hand": 5}], "discard": [], "draw_pile": 22, "cards": "table"}
FIRST = {"asks": "first_card"}


def steps(data: Data) -> tuple[str, ...]:
    """The kinds of the steps of a position, the open question first."""
    return tuple(step.TAG for step in reversed(GAME.positions.decode_position(data).agenda))


@pytest.mark.clause("MM-SETUP-1", "MM-SETUP-2", "MM-AMB-4")
def test_the_usual_steps_wait_where_a_position_names_none() -> None:
    assert steps({**START, "question": FIRST}) == ("mm.FirstCard", "mm.TurnBegins")
    deal = {"asks": "draw", "seat": 0, "count": 5, "why": "deal"}
    hands = {"players": [{"hand": []}, {"hand": []}], "draw_pile": 32}
    after = ("mm.Draw", "mm.FirstCard", "mm.TurnBegins")
    assert steps({**START, **hands, "question": deal}) == ("mm.Draw", *after)
    assert steps({**START, **hands, "question": {"asks": "shuffle"}}) == ("Shuffle", "mm.Draw", *after)
    begun = GAME.positions.decode_position({**START, "question": FIRST})
    assert "pending" not in GAME.positions.encode_position(begun)
    unsaid = {name: part for name, part in EXAMPLES[-1].items() if name != "pending"}
    assert malformed(unsaid) == {"/pending"}  # a shuffle in the middle of a match: only the position knows whose draw


@pytest.mark.parametrize(
    ("pending", "clause"),
    [([], "MM-SETUP-2"), ([{"asks": "wish", "seat": 0}], "MM-SETUP-2"), ([FIRST], "MM-SETUP-2"),
     ([{"asks": "turn_begins", "seat": 1}], "MM-SETUP-2")],
)  # fmt: skip
def test_no_other_steps_wait_beneath_the_first_card(pending: list[Data], clause: str) -> None:
    assert contradictions({**START, "question": FIRST, "pending": pending}) == {"/pending": clause}


def test_the_setup_has_no_wish_nothing_due_and_five_cards_in_each_hand() -> None:
    assert contradictions({**START, "wish": "spades", "question": FIRST}) == {"/wish": "MM-JACK-2"}
    assert contradictions({**START, "due": 2, "question": FIRST}) == {"/due": "MM-SEVEN-1"}
    short = {"players": [{"hand": 5}, {"hand": 0}], "draw_pile": 27}
    assert contradictions({**START, **short, "question": FIRST}) == {"/players/1/hand": "MM-SETUP-1"}


@pytest.mark.parametrize(
    ("discard", "count", "why", "wrong"),
    [
        ("hearts_7", 13, "sevens", {"/question/count": "MM-SEVEN-1"}),
        ("hearts_7", 2, "sevens", {}),
        ("hearts_7", 1, "sevens", {}),  # the cards of this seat are drawn one by one
        ("hearts_9", 2, "sevens", {"/question/count": "MM-SEVEN-1"}),
        ("hearts_9", 9, "turn", {"/question/count": "MM-DRAW-1"}),
    ],
)
def test_no_more_cards_are_drawn_than_the_rules_ask_for(
    discard: str, count: int, why: str, wrong: dict[str, str]
) -> None:
    asked = {"asks": "draw", "seat": 1, "count": count, "why": why}
    written = {**START, "discard": [discard], "draw_pile": 21, "named": [1], "question": asked}
    if wrong:
        assert contradictions(written) == wrong
    else:
        GAME.positions.decode_position(written)
    assert contradictions({**written, "discard": []} | {"draw_pile": 22})["/discard"] == "MM-SETUP-2"


@pytest.mark.clause("KERNEL-POSITION-1")
def test_a_place_of_which_nothing_is_said_is_unknown() -> None:
    held = GAME.positions.decode_position(position(players=[{"hand": {}}, {"hand": 4}]))
    assert held == GAME.positions.decode_position(position(players=[{}, {"hand": 4}]))
    assert verdict(GAME, position(players=[{"hand": {}}, {"hand": 4}]), PlayCard("hearts_9")) == "which_cards:0"
