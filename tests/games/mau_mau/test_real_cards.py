"""A table of real cards: hands are backs, the first card is reported, a bot's cards are named."""

from __future__ import annotations

import random

import pytest

from referee.engine.chance import PickResult, TurnUpResult
from referee.engine.game import Setup
from referee.engine.referee import draw_chance_move, find_legal_moves, judge_move
from referee.engine.seats import CHANCE, Seat
from referee.games.mau_mau import GAME
from referee.games.mau_mau.components import CARD_IDS, DECK, DISCARD
from referee.games.mau_mau.moves import DrawCard, PassTurn, PlayCard
from referee.games.mau_mau.rules.drawing import CardDrawing, FirstCard
from tests.games.course import asked, refused, settled, then
from tests.games.mau_mau.given import table

REAL = {"at_table": True}


def test_hands_are_backs_and_the_first_card_is_reported() -> None:
    state = settled(GAME.build_table(Setup("standard", 2, chance={"deck": "table"})))
    assert state.agenda[-1] == FirstCard()
    assert [state.hand_of(seat) for seat in range(2)] == [("?",) * 5] * 2
    assert len(list(find_legal_moves(state, CHANCE))) == 32
    assert refused(state, CHANCE, TurnUpResult("stars_7")) == ("no_such_card", "MM-MAT-1")
    assert refused(state, CHANCE, PickResult(("hearts_7",))) == ("not_what_is_asked", "KERNEL-MOVE-1")
    state = then(state, CHANCE, TurnUpResult("hearts_9"))
    assert (state.cards_at(DISCARD), asked(state)) == (("hearts_9",), {0})


@pytest.mark.clause("MM-MAT-1")
def test_a_player_names_a_card_as_it_is_played_but_none_that_lies_open() -> None:
    state = table(["?", "?"], ["?"], deck=["?"] * 28, rules=REAL)
    assert refused(state, 0, PlayCard("hearts_9")) == ("lies_in_the_discard", "MM-MAT-1")
    state = then(state, 0, PlayCard("hearts_8"))
    assert (state.hand_of(0), state.top, asked(state)) == (("?",), "hearts_8", {0})
    state = then(state, 0, DrawCard())
    assert state.hand_of(0) == ("?", "?")
    assert asked(then(state, 0, PassTurn())) == {1}


@pytest.mark.clause("MM-DRAW-3")
def test_used_cards_are_forgotten_when_they_become_the_draw_pile() -> None:
    state = then(table(["?"], ["?"] * 28, below=["clubs_7", "clubs_8"], deck=[], rules=REAL), 0, DrawCard())
    assert (state.cards_at(DECK), state.cards_at(DISCARD)) == (("?",), ("hearts_9",))
    assert judge_move(state, Seat(0), PlayCard("hearts_7")).granted


def test_the_cards_of_a_bot_are_named_one_by_one() -> None:
    state = settled(GAME.build_table(Setup("standard", 2, chance={"deck": "table"}, named=(1,))))
    assert state.agenda[-1] == CardDrawing(1, 5, "deal")
    assert refused(state, CHANCE, PickResult(("hearts_7", "hearts_8"))) == ("name_one_card", "KERNEL-CHANCE-1")
    assert refused(state, CHANCE, TurnUpResult("hearts_7")) == ("not_what_is_asked", "KERNEL-MOVE-1")
    for card in CARD_IDS[:5]:
        state = then(state, CHANCE, PickResult((card,)))
    assert state.hand_of(1) == CARD_IDS[:5]
    move = draw_chance_move(state, random.Random(1).randrange)
    assert isinstance(move, TurnUpResult)
    assert move.card not in CARD_IDS[:5]


def test_no_refusal_tells_what_a_bot_holds() -> None:
    state = table(["?"], ["hearts_8"], deck=["?"] * 29, rules={**REAL, "named": (1,)})
    assert judge_move(state, Seat(0), PlayCard("hearts_8")).granted
    other = GAME.tracking.determinize(state, 0, random.Random(1).randrange)
    assert other.view_for(0) == state.view_for(0)
    assert other.hand_of(1) != state.hand_of(1)
