"""What a position leaves out is unknown, never empty: a ruling that needs it stays undecided and asks for it."""

from __future__ import annotations

import random
from copy import deepcopy
from functools import partial
from typing import Any

import pytest

from referee.cardscript.moves import ChooseCard
from referee.engine.rulings import ContradictoryPosition, MalformedInput
from referee.games.creature_crush import GAME
from referee.games.creature_crush.events.cards import CardsDestroyed
from referee.games.creature_crush.events.decks import CardDrawn
from referee.games.creature_crush.moves import Attack, EndTurn, Flip, Lay, Summon
from tests.games import left_out
from tests.games.creature_crush.written import (
    OTHER_BOARD,
    OWN_BOARD,
    build_midgame,
    build_question,
    change_board,
)
from tests.games.left_out import judged_and_tried, less

Data = dict[str, Any]
verdict, followed = partial(left_out.verdict, GAME), partial(left_out.followed, GAME)


@pytest.mark.clause("KERNEL-POSITION-1", "CC-SUMMON-1", "CC-CRUSH-1")
def test_a_hand_left_out_is_not_an_empty_hand() -> None:
    summon, lay = Summon("hex_toad", "B3", (3,)), Lay("sudden_lunge", "C3", ())
    assert verdict(build_midgame(), summon) == "granted"
    assert verdict(less(build_midgame(), "seats/0/hand"), summon) == "which_cards:hand:0"
    assert verdict(less(build_midgame(), "seats/0/hand"), lay) == "which_cards:hand:0"
    assert verdict(build_midgame({"hand": []}), summon) == "refused"
    assert verdict(build_midgame({"hand": 1}), summon) == "granted"
    assert verdict(build_midgame({"hand": {"cards": ["spark_imp"], "more": True}}), summon) == "which_cards:hand:0"
    assert verdict(less(build_midgame(), "seats/1/hand", "seats/1/deck", "seats/0/deck"), summon) == "granted"


@pytest.mark.clause("KERNEL-POSITION-1", "CC-START-1", "CC-AMB-8")
def test_a_deck_left_out_is_not_an_empty_deck() -> None:
    tactic = build_midgame(question=build_question("tactic"))
    events, need = followed(tactic, EndTurn())
    assert any(isinstance(event, CardDrawn) for event in events)
    assert need == ""
    assert followed(less(tactic, "seats/1/deck"), EndTurn())[1] == "how_many_cards"
    empty = build_midgame({}, {"deck": []}, question=build_question("tactic"))
    events, need = followed(empty, EndTurn())
    assert (any(isinstance(event, CardDrawn) for event in events), need) == (False, "")


@pytest.mark.clause("KERNEL-POSITION-1", "CC-DIRECT-1", "CC-DIRECT-2")
def test_a_direct_attack_asks_what_lies_on_top_of_the_deck() -> None:
    board = change_board(OTHER_BOARD, C1=None, C3=None)
    attack = Attack("dusk_bat", (2,))
    known = build_midgame({}, {"deck": ["clay_guard", "?"], "board": board})
    events, need = followed(known, attack)
    assert [event.put for event in events if isinstance(event, CardsDestroyed)] == [("clay_guard",)]
    assert need == ""
    assert followed(less(build_midgame({}, {"board": board}), "seats/1/deck"), attack)[1] in (
        "which_cards",
        "how_many_cards",
    )
    assert verdict(less(build_midgame({}, {"board": board}), "seats/1/deck"), attack) == "granted"


@pytest.mark.clause("KERNEL-POSITION-1", "CC-CRUSH-FLIP-3", "CC-EFF-COND-1")
def test_a_condition_that_cannot_be_told_leaves_a_flip_undecided() -> None:
    flip, board = Flip("C1", "last_reserve"), change_board(OWN_BOARD, C1="last_reserve", C2=None)
    assert verdict(build_midgame({"board": board, "deck": []}), flip) == "granted"
    assert verdict(build_midgame({"board": board}), flip) == "refused"
    assert verdict(less(build_midgame({"board": board}), "seats/0/deck"), flip) == "how_many_cards:deck/0:"


@pytest.mark.clause("KERNEL-POSITION-1", "CC-GLOSS-3", "CC-ZONE-3")
def test_a_hell_left_out_is_not_an_empty_hell() -> None:
    robbery = build_question("choose", card="grave_robbery")
    there = build_midgame({"hand": 3, "hell": {"cards": ["hex_toad", "spark_imp"], "more": True}}, question=robbery)
    assert verdict(there, ChooseCard("hex_toad")) == "which_cards:hell/0"
    known: Data = {"hell": ["hex_toad", "spark_imp"], "hand": 3, "deck": {"more": True}}
    assert verdict(build_midgame(known, question=robbery), ChooseCard("hex_toad")) == "granted"


LEAVABLE = ("hand", "deck", "hell")


def thinned(data: Data, dice: random.Random) -> Data:
    """A position of which some members are left out at random."""
    data = deepcopy(data)
    for player in data["seats"]:
        for member in LEAVABLE:
            if member in player and dice.random() < 0.4:
                del player[member]
    if "pool" in data and dice.random() < 0.5:
        del data["pool"]
    return data


@pytest.mark.parametrize("variant", GAME.variants)
def test_whatever_is_left_out_every_question_can_be_asked_and_every_move_judged_and_tried(variant: str) -> None:
    dice, judged = random.Random(11), 0
    for _ in range(5):
        for example in GAME.positions.build_examples(variant):
            try:
                state = GAME.positions.decode_position(thinned(example, dice))
            except (MalformedInput, ContradictoryPosition):
                continue  # a count rests on what was left out
            assert GAME.positions.decode_position(GAME.positions.encode_position(state)) == state
            judged += sum(1 for _ in judged_and_tried(state, 2))
    assert judged > 500
