"""What a position leaves out is unknown, never empty: a ruling that needs it stays undecided and asks for it."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.chance import TurnUpResult
from referee.engine.events import Move, apply_events
from referee.engine.referee import judge_move, preview_move
from referee.engine.seats import CHANCE, Seat
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import DECK, HANDS, PENDING
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    DrawOne,
    EndTurn,
    Modify,
    Pass,
    PickLeader,
    PlayCard,
    RedrawHand,
    RollFor,
    UseLeader,
)
from tests.games import left_out

Data = dict[str, Any]
verdict, followed = partial(left_out.verdict, GAME), partial(left_out.followed, GAME)


def position(*seats: Data, **more: Any) -> Data:
    """A position with at least two seats of which only this is said; seat 0 has two points left."""
    return {"seats": [*seats, *[{}] * (2 - len(seats))], "turn": 0, "points": 2, **more}


@pytest.mark.clause("KERNEL-POSITION-1")
def test_whose_turn_it_is_and_the_points_are_asked_for() -> None:
    assert verdict({"seats": [{}, {}]}, EndTurn()) == "whose_turn"
    assert verdict({"seats": [{}, {}], "question": {"asks": "act"}}, EndTurn()) == "whose_turn"
    assert verdict({"seats": [{}, {}], "turn": 0}, DrawOne()) == "points_left"
    assert verdict(position(), DrawOne()) == "granted"


@pytest.mark.clause("KERNEL-POSITION-1", "HTS-MON-1", "HTS-MON-2", "HTS-MON-3")
def test_an_attack_needs_only_the_row_the_party_the_leader_and_the_points() -> None:
    attack = Attack("dracos")
    assert verdict(position(), attack) == "which_cards:row"
    assert verdict(position(row=["orthus"]), attack) == "refused"
    row = {"row": ["dracos"]}
    assert verdict(position(**row), attack) == "which_cards:party/0"
    assert verdict(position({"party": ["hook"]}, **row), attack) == "which_cards:leader/0"
    party = {"party": ["hook"], "leader": "the_fist_of_reason"}
    assert verdict(position(party, **row), attack) == "granted"  # whatever the others hold
    assert verdict(position(party, {"hand": 3}, **row), attack) == "granted"
    assert verdict(position(party, **{**row, "points": 1}), attack) == "refused"
    assert verdict(position({**party, "party": []}, **row), attack) == "refused"


@pytest.mark.clause("KERNEL-POSITION-1", "HTS-ITEM-9")
def test_what_a_hero_carries_may_be_open_and_is_asked_for() -> None:
    known = {"leader": "the_fist_of_reason", "slain": []}
    bare, masked = position({**known, "party": ["hook"]}), position({**known, "party": [{"hero": "hook"}]})
    more: Data = {"row": ["terratuga"], "marked": []}
    assert verdict({**bare, **more}, RollFor("hook")) == "granted"
    assert verdict({**masked, **more}, RollFor("hook")) == "which_item:hook"
    nothing = position({**known, "party": [{"hero": "hook", "item": None}]}, **more)
    assert verdict(nothing, RollFor("hook")) == "granted"


@pytest.mark.clause("KERNEL-POSITION-1", "HTS-ROLL-4", "HTS-ACT-6")
def test_marks_and_the_use_of_the_leader_are_asked_for() -> None:
    party = {"party": ["hook"], "leader": "the_shadow_claw", "slain": []}
    others = [{"hand": 2}, {"hand": 1}]
    assert verdict(position(party, *others), RollFor("hook")) == "who_was_rolled_for"
    assert verdict(position(party, *others, marked=["hook"]), RollFor("hook")) == "refused"
    assert verdict(position(party, *others, marked=[]), RollFor("hook")) == "granted"
    assert verdict(position(party, *others), UseLeader()) == "was_leader_used"
    assert verdict(position(party, *others, leader_used=False), UseLeader()) == "granted"
    assert verdict(position({"party": ["hook"]}), UseLeader()) == "which_cards:leader/0"


@pytest.mark.clause("KERNEL-POSITION-1", "HTS-PLAY-1")
def test_a_hand_left_out_is_not_an_empty_hand() -> None:
    assert verdict(position(), PlayCard("hook")) == "which_cards:hand:0"
    assert verdict(position({"hand": []}), PlayCard("hook")) == "refused"
    assert verdict(position({"hand": ["hook"]}), PlayCard("hook")) == "granted"
    assert verdict(position({"hand": 1}), PlayCard("hook")) == "granted"  # it may be that card
    some = {"hand": {"cards": ["peanut"], "more": True}}
    assert verdict(position(some), PlayCard("peanut")) == "granted"
    assert verdict(position(some), PlayCard("hook")) == "which_cards:hand:0"
    assert verdict(position({"hand": 1}, discard=["hook"]), PlayCard("hook")) == "refused"  # no copy is left


@pytest.mark.clause("KERNEL-POSITION-1", "HTS-ACT-1", "HTS-AMB-63")
def test_a_deck_left_out_is_not_an_empty_deck() -> None:
    assert verdict(position(deck=[], discard=[]), DrawOne()) == "refused"
    assert verdict(position(deck=[], discard=["hook"]), DrawOne()) == "granted"
    assert verdict(position(discard=["hook"]), DrawOne()) == "granted"
    events, need = followed(position(deck=2, discard=[]), DrawOne())
    assert "hts.CardDrawn" in [event.TAG for event in events]
    assert need == "which_cards"  # whether an ability of the leader follows
    assert followed(position(), DrawOne())[1] == "how_many_cards"


@pytest.mark.clause("KERNEL-POSITION-1", "HTS-CHAL-1", "HTS-ASK-2")
def test_whether_somebody_can_challenge_is_asked_for() -> None:
    question = {"question": {"asks": "challenge", "card": "hook"}}
    assert verdict(position({}, {"hand": 2}, **question), Challenge(), 1) == "granted"
    assert verdict(position({}, {"hand": ["peanut"]}, **question), Challenge(), 1) == "refused"
    assert verdict(position(**question), Challenge(), 1) == "how_many_cards:hand:1"
    unsaid = {"seats": [{}, {"hand": 2}], **question}
    assert verdict(unsaid, Challenge(), 1) == "whose_turn"
    unsaid["question"] = {**question["question"], "seat": 0}
    assert verdict(unsaid, Challenge(), 1) == "granted"


@pytest.mark.clause("KERNEL-POSITION-1", "HTS-MOD-9")
def test_a_total_is_followed_as_far_as_standing_values_are_known() -> None:
    roll = {"kind": "attack", "about": "dracos", "dice": [1, 2]}
    question = {"question": {"asks": "modifiers", "roll": roll, "passed": [0]}}
    hands = ({"hand": 1, "party": ["hook"]}, {"hand": ["modifier_plus_4"]})
    assert verdict(position(*hands, **question), Modify("modifier_plus_4", 4, 0), 1) == "granted"
    assert followed(position(*hands, **question), Pass(), 1)[1] == "which_cards"  # an ability may count
    known = {**hands[0], "leader": "the_divine_arrow", "slain": []}
    events, need = followed(position(known, hands[1], **question), Pass(), 1)
    assert "hts.MonsterSlain" in [event.TAG for event in events]
    assert need == "which_cards"  # of the monster deck the next is turned up


@pytest.mark.clause("KERNEL-POSITION-1")
@pytest.mark.parametrize(
    ("question", "move", "need"),
    [
        ({"asks": "pick_leader", "order": [0, 1]}, PickLeader("the_divine_arrow"), "which_cards:leaders"),
        ({"asks": "choose", "card": "guiding_light"}, ChooseCard("hook"), "which_cards:discard"),
        ({"asks": "choose", "card": "destructive_spell", "line": 1}, ChooseCard("hook"), "which_cards:party/0"),
        ({"asks": "target", "roll": {"kind": "hero", "about": "bad_axe", "dice": [4, 5]}}, ChooseCard("hook"),
         "which_cards:party/0"),
        ({"asks": "discard", "card": "critical_boost", "seats": [0]}, ChooseCards(("hook",)), "how_many_cards:hand:0"),
        ({"asks": "equip", "item": "decoy_doll"}, ChooseCard("hook"), "which_cards:party/0"),
        ({"asks": "free_roll", "hero": "hook"}, Accept(), "which_cards:party/0"),
        ({"asks": "redraw"}, RedrawHand(), "how_many_cards:hand:0"),
        ({"asks": "name_cards"}, EndTurn(), "how_many_cards:hand:0"),
    ],
)  # fmt: skip
def test_what_a_question_looks_at_is_asked_for(question: Data, move: Move, need: str) -> None:
    assert verdict(position(question=question), move) == need


@pytest.mark.clause("KERNEL-POSITION-1", "HTS-MON-10")
def test_a_monster_deck_left_out_may_hold_the_monster_turned_up() -> None:
    data = position(row=["dracos", "orthus"], question={"asks": "turn_up"})
    state = GAME.positions.decode_position(data)
    assert judge_move(state, CHANCE, TurnUpResult("dracos")).verdict != "granted"  # it lies in the row
    assert judge_move(
        GAME.positions.decode_position({**data, "monsters": 3}), CHANCE, TurnUpResult("mega_slime")
    ).granted


@pytest.mark.clause("KERNEL-POSITION-1", "HTS-ZONE-5")
def test_what_is_being_played_follows_from_the_question_if_there_is_one() -> None:
    assert GAME.positions.decode_position(position()).cards_at(PENDING) == ()
    assert GAME.positions.decode_position({"seats": [{}, {}], "question": {"asks": "act"}}).cards_at(PENDING) == (
        UNCOUNTED_CARDS,
    )
    assert GAME.positions.decode_position(position(question={"asks": "equip", "item": "decoy_doll"})).cards_at(
        PENDING
    ) == ("decoy_doll",)


@pytest.mark.clause("KERNEL-POSITION-1")
def test_what_is_left_out_stays_left_out_when_facts_have_happened() -> None:
    state = GAME.positions.decode_position(position({"hand": ["hook"], "leader": "the_divine_arrow", "slain": []}))
    events, need = preview_move(state, Seat(0), PlayCard("hook"))  # whether anybody may challenge is not said
    after = apply_events(state, events)
    assert need is not None
    assert need.key == "how_many_cards"
    assert (after.cards_at(HANDS[0]), after.cards_at(PENDING)) == ((), ("hook",))
    written = GAME.positions.encode_position(after)
    assert written["question"] == {"asks": "challenge", "seat": 0, "card": "hook"}
    assert "deck" not in written
    assert GAME.positions.decode_position(written).cards_at(DECK) == (UNCOUNTED_CARDS,)


@pytest.mark.clause("KERNEL-POSITION-1")
def test_a_party_may_be_known_in_part() -> None:
    free_roll = {"question": {"asks": "free_roll", "hero": "hook"}}
    some = {"party": {"cards": ["hook"], "more": True}, "slain": {"cards": ["dracos"], "more": True}}
    data = position(some, **free_roll)
    assert verdict(data, Accept()) == "which_cards:party/0"
    written = GAME.positions.encode_position(GAME.positions.decode_position(data))
    assert written["seats"][0] == data["seats"][0]
    pending = {"cards": ["decoy_doll"], "more": True}
    state = GAME.positions.decode_position(position(question={"asks": "equip", "item": "decoy_doll"}, pending=pending))
    assert GAME.positions.decode_position(GAME.positions.encode_position(state)) == state
