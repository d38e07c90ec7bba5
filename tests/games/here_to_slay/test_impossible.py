"""Positions that cannot be are refused, each with the clause that says why; the census counts the cards."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.rulings import ContradictoryPosition
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import LEADER_BOX, MAIN, MONSTER_BOX

Data = dict[str, Any]


def position(*seats: Data, **more: Any) -> Data:
    """A position with at least two seats of which only this is said, seat 0 on turn."""
    return {"seats": [*seats, *[{}] * (2 - len(seats))], "turn": 0, **more}


def refused(*seats: Data, **more: Any) -> dict[str, str]:
    """The clauses that a position breaks, by place; nothing if it can be."""
    try:
        state = GAME.positions.decode_position(position(*seats, **more))
    except ContradictoryPosition as wrong:
        return {error["pointer"]: GAME.rulebook.find_clause(error["clause"]).id for error in wrong.errors}
    assert GAME.positions.decode_position(GAME.positions.encode_position(state)) == state
    return {}


# ---- cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-ZONE-6", "HTS-COMP-3")
def test_no_card_is_there_more_often_than_the_box_has_it() -> None:
    assert refused({"party": ["hook"]}, {"party": ["hook"]}) == {"/seats/0/party": "HTS-ZONE-6"}
    assert refused({"hand": ["hook"]}, discard=["hook"]) == {"/discard": "HTS-ZONE-6"}
    assert refused({"hand": ["challenge"] * 14}) == {}
    assert refused({"hand": ["challenge"] * 14}, discard=["challenge"]) == {"/discard": "HTS-ZONE-6"}
    assert refused({"slain": ["dracos"]}, row=["dracos"]) == {"/row": "HTS-ZONE-6"}
    assert refused({"leader": "the_divine_arrow"}, {"leader": "the_divine_arrow"}) == {"/seats/0/leader": "HTS-ZONE-6"}


@pytest.mark.clause("HTS-COMP-1", "HTS-ZONE-6")
def test_the_totals_of_the_decks_are_kept() -> None:
    assert refused({"hand": 60}, {"hand": 50}, deck=5) == {}
    assert list(refused({"hand": 60}, {"hand": 50}, deck=6).values()) == ["HTS-COMP-1"]
    assert list(refused(monsters=13, row=["dracos", "orthus", "terratuga"]).values()) == ["HTS-COMP-1"]


def whole(**more: Any) -> Data:
    """A position that says where every card lies."""
    row = list(MONSTER_BOX)[:3]
    seats = [
        {"leader": "the_divine_arrow", "hand": 5, "party": [], "slain": []},
        {"leader": "the_fist_of_reason", "hand": 5, "party": [], "slain": []},
    ]
    rest = [leader for leader in LEADER_BOX if leader not in ("the_divine_arrow", "the_fist_of_reason")]
    return {"seats": seats, "turn": 0, "points": 3, "row": row, "monsters": 12, "deck": 105, "discard": [],
            "leaders": [], "box": rest, **more}  # fmt: skip


@pytest.mark.clause("HTS-COMP-1", "HTS-ZONE-6")
def test_the_census_misses_cards_where_everything_is_counted() -> None:
    assert GAME.positions.check_census(whole()) == {"possible": True, "contradictions": [], "recounts": []}
    found = GAME.positions.check_census(whole(deck=104))
    assert not found["possible"]
    finding = found["contradictions"][0]
    assert (finding["counted"], finding["copies"], finding["clause"]) == (114, 115, "HTS-COMP-1")
    assert finding["says"]["en"] == "Only 114 cards of the main deck are listed, but there must be 115."
    assert "/deck" in [again["pointer"] for again in found["recounts"]]
    few = GAME.positions.check_census(whole(monsters=11))["contradictions"]
    assert [(each["counted"], each["copies"]) for each in few] == [(14, 15)]
    assert [each["copies"] for each in GAME.positions.check_census(whole(box=[]))["contradictions"]] == [6]
    seats = [{**whole()["seats"][0]}, {"leader": "the_fist_of_reason", "party": [], "slain": []}]
    assert GAME.positions.check_census(whole(seats=seats, deck=90))["possible"]  # one hand is left out


@pytest.mark.clause("HTS-ZONE-6")
def test_the_census_says_which_places_to_count_again() -> None:
    data = position({"hand": ["hook", "peanut"]}, {"party": ["hook"]}, discard=["hook", "peanut"])
    found = GAME.positions.check_census(data)
    assert [(each["card"], each["counted"], each["copies"]) for each in found["contradictions"]] == [
        ("hook", 3, 1), ("peanut", 2, 1),
    ]  # fmt: skip
    again = {each["pointer"]: each["says"]["en"] for each in found["recounts"]}
    assert set(again) == {"/discard", "/seats/0/hand", "/seats/1/party"}
    assert again["/seats/0/hand"] == "Count these cards again: hand of Player 1."
    carried = GAME.positions.check_census(
        position({"party": [{"hero": "hook", "item": "decoy_doll"}], "hand": ["decoy_doll"]})
    )
    assert {each["pointer"] for each in carried["recounts"]} == {"/seats/0/hand", "/seats/0/party"}


def test_the_box_of_the_census_is_that_of_the_game() -> None:
    assert (sum(MAIN.values()), len(MONSTER_BOX), len(LEADER_BOX)) == (115, 15, 6)


# ---- the table -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-ZONE-1", "HTS-MON-10", "HTS-DECK-2")
def test_the_row_has_three_monsters_while_there_are_any() -> None:
    four = ["dracos", "orthus", "terratuga", "mega_slime"]
    assert refused(row=four) == {"/row": "HTS-ZONE-1"}
    assert refused(row=four[:2], monsters=4) == {"/row": "HTS-MON-10"}
    assert refused(row=four[:2], monsters=[]) == refused(row=four[:2]) == {}
    assert refused(row=four[:2], monsters=4, question={"asks": "turn_up"}) == {}


@pytest.mark.clause("HTS-ITEM-2", "HTS-ITEM-3")
def test_an_item_lies_under_a_hero() -> None:
    assert refused({"party": ["hook", {"item": "decoy_doll"}]}) == {"/seats": "HTS-ITEM-2"}
    assert refused({"party": [{"hero": "hook", "item": "decoy_doll"}]}) == {}


@pytest.mark.clause("HTS-SETUP-3", "HTS-EDGE-1")
def test_the_shadow_claw_does_not_play_among_two() -> None:
    assert refused({"leader": "the_shadow_claw"}) == {"/seats/0/leader": "HTS-SETUP-3"}
    pick = {"asks": "pick_leader", "order": [0, 1]}
    leaders = ["the_shadow_claw", "the_divine_arrow"]
    assert refused(turn=None, question=pick, leaders=leaders) == {"/leaders": "HTS-SETUP-3"}
    assert refused({"leader": "the_shadow_claw"}, {}, {}) == {}


@pytest.mark.clause("HTS-TURN-2", "HTS-TURN-6", "HTS-DO-36")
def test_a_turn_has_three_points_or_four_with_mega_slime() -> None:
    known = {"leader": "the_divine_arrow", "slain": []}
    assert refused(known, points=4) == {"/points": "HTS-TURN-2"}
    assert refused({**known, "slain": ["mega_slime"]}, points=4) == refused({}, points=4) == {}
    assert refused(known, points=0) == {"/points": "HTS-TURN-6"}
    assert refused({**known, "party": ["hook"]}, points=0, question={"asks": "free_roll", "hero": "hook"}) == {}
    pick = {"asks": "pick_leader", "order": [0, 1]}
    assert refused(turn=None, points=1, question=pick) == {"/points": "HTS-TURN-1"}


@pytest.mark.clause("HTS-AMB-73")
def test_whoever_has_left_has_nothing_and_is_asked_nothing() -> None:
    assert refused({}, {}, {"hand": 1}, left=[2]) == {"/seats/2/hand": "HTS-AMB-73"}
    assert refused({}, {}, {"party": ["hook"]}, left=[2]) == {"/seats/2/party": "HTS-AMB-73"}
    assert refused({}, {}, {"hand": [], "slain": []}, left=[2]) == {}
    assert refused({}, {}, {}, left=[0]) == {"/turn": "HTS-AMB-73"}
    assert refused({}, {}, left=[1]) == {"/left": "HTS-AMB-73"}
    offer = {"asks": "offer", "card": "plundering_puma", "seat": 2, "by": 0, "known": {"victim": [2]}}
    assert refused({}, {}, {}, question=offer) == {}
    assert refused({}, {}, {}, left=[2], question=offer) == {"/question": "HTS-AMB-73"}


# ---- what is asked ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-ZONE-5", "HTS-ZONE-6")
def test_a_card_being_played_is_in_the_middle_and_nowhere_else() -> None:
    equip = {"asks": "equip", "item": "decoy_doll"}
    assert refused({"hand": ["decoy_doll"]}, question=equip) == {"/seats/0/hand": "HTS-ZONE-6"}
    assert refused(question=equip, pending=[]) == refused(pending=["hook"]) == {"/pending": "HTS-ZONE-5"}
    assert refused(question=equip, pending=["decoy_doll"]) == {}
    sides = {"challenger": {"seat": 1, "dice": [1, 1]}, "challenged": {"dice": [1, 2]}}
    window = {"asks": "modifiers", "roll": {"kind": "challenge", "about": "hook", **sides}}
    assert refused(question=window, pending=["hook"]) == {"/pending": "HTS-ZONE-5"}
    assert refused({"hand": ["challenge"] * 14}, question=window) == {"/seats/0/hand": "HTS-ZONE-6"}


@pytest.mark.clause("HTS-TURN-3", "HTS-MON-1", "HTS-HERO-2")
def test_actions_are_those_of_the_player_on_turn() -> None:
    assert refused(question={"asks": "act", "seat": 1}) == {"/question": "HTS-TURN-3"}
    attack = {"asks": "modifiers", "roll": {"kind": "attack", "about": "dracos", "dice": [1, 2]}}
    assert refused(question=attack, row=["orthus", "mega_slime", "terratuga"]) == {"/question": "HTS-MON-1"}
    assert refused(question=attack, row=["orthus", "mega_slime", "dracos"]) == refused(question=attack) == {}
    other = {**attack, "roll": {**attack["roll"], "seat": 1}}
    assert refused(question=other) == {"/question": "HTS-MON-1"}
    free_roll = {"asks": "free_roll", "hero": "hook"}
    assert refused({"party": []}, {"party": ["hook"]}, question=free_roll) == {"/question": "HTS-HERO-2"}


@pytest.mark.clause("HTS-CHAL-3", "HTS-AMB-5", "HTS-ASK-2")
def test_the_others_are_asked_about_what_the_player_on_turn_plays() -> None:
    challenge = {"asks": "challenge", "card": "hook"}
    assert refused(question={**challenge, "passed": [0]}) == {"/question": "HTS-CHAL-3"}
    assert refused(question={**challenge, "seat": 1}) == {"/question": "HTS-AMB-5"}
    assert refused(question={**challenge, "seat": 1}, settings={"challenge_out_of_turn": True}) == {}
    assert refused({"hand": 3}, {"hand": 0}, question=challenge) == {"/question": "HTS-ASK-2"}
    assert refused({"hand": 3}, {"hand": 1}, question={**challenge, "passed": [1]}) == {"/question": "HTS-ASK-2"}
    assert refused({"hand": 3}, {"hand": 1}, question=challenge) == {}


@pytest.mark.clause("HTS-VERB-2", "HTS-VERB-4", "HTS-DO-14")
def test_answers_given_already_are_answers_that_could_be_given() -> None:
    discard = {"asks": "discard", "card": "critical_boost", "seats": [0], "given": {"0": ["hook"]}}
    assert refused({"hand": ["peanut"]}, question={**discard, "seats": [0, 1]}) == {"/question": "HTS-VERB-2"}
    assert refused({"hand": ["hook"]}, question={**discard, "seats": [0, 1]}) == {}
    sacrifice = {"asks": "sacrifice", "card": "spooky", "seats": [0, 1], "given": {"1": ["hook"]}}
    assert refused({"party": ["peanut"]}, {"party": ["fluffy"]}, question=sacrifice) == {"/question": "HTS-VERB-4"}
    assert refused({"party": ["peanut"]}, {"party": ["hook"]}, question=sacrifice) == {}
    put_back = {"asks": "put_back", "card": "bullseye", "cards": ["hook", "peanut"]}
    assert refused(question=put_back, deck=["hook", "fluffy", "peanut"]) == {"/question": "HTS-DO-14"}
    assert refused(question=put_back, deck=["peanut", "hook", "fluffy"]) == refused(question=put_back) == {}


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_no_more_cards_are_named_than_nobody_has_named() -> None:
    naming = {"asks": "name_cards", "seat": 1, "count": 2}
    assert refused({}, {"hand": ["hook", "?"]}, cards="table", question=naming) == {"/question": "KERNEL-CENSUS-1"}
    assert refused({}, {"hand": ["?", "?"]}, cards="table", question=naming) == {}


# ---- the end ---------------------------------------------------------------------------------------------------------

THREE = ["dracos", "orthus", "terratuga"]


@pytest.mark.clause("HTS-WIN-1", "HTS-WIN-4")
def test_the_third_monster_ends_the_match_and_nothing_else_does_without_a_winner() -> None:
    assert refused({"slain": THREE}) == {"/seats/0/slain": "HTS-WIN-1"}
    over: Data = {"question": None, "winner": 0, "way": "three_monsters"}
    assert refused({"slain": THREE}, **over) == refused({}, **over) == {}
    assert refused({"slain": THREE[:2]}, **over) == {"/seats/0/slain": "HTS-WIN-1"}
    assert refused(question=None) == {"/winner": "HTS-WIN-4"}
    assert refused(winner=0, way="three_monsters") == {"/question": "HTS-WIN-4"}


@pytest.mark.clause("HTS-WIN-2", "HTS-AMB-73", "HTS-WIN-4")
def test_six_classes_or_being_the_last_one_wins() -> None:
    six: Data = {"question": None, "winner": 0, "way": "six_classes"}
    party = {"leader": "the_fist_of_reason", "party": ["hook", "peanut", "fluffy", "meowzio", "calming_voice"]}
    assert refused(party, **six) == {}
    assert refused({**party, "party": party["party"][:4]}, **six) == {"/seats/0/party": "HTS-WIN-2"}
    assert refused({"party": []}, **six) == {}  # the leader is left out, and heroes may be masked: it stays open
    last: Data = {"question": None, "winner": 0, "way": "last_one_left"}
    assert refused(**last) == {"/left": "HTS-AMB-73"}
    assert refused(left=[1], **last) == {}
