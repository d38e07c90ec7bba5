"""Positions that cannot be are refused with the clause that they break; the census says what to count again."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.rulings import ContradictoryPosition
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import BOXES, EDITION, FACES
from tests.games.creature_crush.written import (
    DECK_LIST,
    OWN_BOARD,
    build_midgame,
    build_question,
    change_board,
)

Data = dict[str, Any]


def refused(data: Data) -> dict[str, str]:
    """The clause that each contradiction of a position breaks, by its place; none if it can be."""
    try:
        GAME.positions.decode_position(data)
    except ContradictoryPosition as impossible:
        for error in impossible.errors:
            GAME.rulebook.find_clause(error["clause"])
        return {error["pointer"]: error["clause"] for error in impossible.errors}
    return {}


# ---- the cards ------------------------------------------------------------------------------------------------------


def whole(*seats: Data, **more: Any) -> Data:
    """A position that says where all cards lie, at least by number."""
    said = [*seats, *[{}] * (2 - len(seats))]
    usual = {"deck": 12, "hand": 5, "hell": ["bone_pup", "moss_tick"], "board": {"B1": "hex_toad"}}
    others = {"deck": 12, "hand": 5, "hell": ["thornback", "sky_bolt"], "board": {"C1": {"dice": 1}}}
    players = [{**player, **other} for player, other in zip((usual, others), said, strict=True)]
    return {"seats": players, "turn": 0, **more}


@pytest.mark.clause("CC-MAT-1", "CC-PREP-1")
def test_two_decks_of_twenty_are_played_of_a_hundred_cards() -> None:
    kinds = [face.kind for card, face in FACES.items() if card in BOXES[EDITION].plain]
    assert (sum(BOXES[EDITION].plain.values()), kinds.count("creature"), kinds.count("crush")) == (100, 80, 20)
    assert GAME.positions.check_census(whole()) == {"possible": True, "contradictions": [], "recounts": []}
    assert GAME.positions.check_census(whole(pool=60))["possible"]
    (finding,) = GAME.positions.check_census(whole({"deck": 11}))["contradictions"]
    assert (finding["counted"], finding["copies"], finding["clause"]) == (39, 40, "CC-PREP-1")
    assert finding["says"]["en"] == "Only 39 cards are listed in all, but there must be 40."
    few = GAME.positions.check_census(whole({"deck": 11}))
    assert "/seats/0/deck" in [again["pointer"] for again in few["recounts"]]
    assert refused(whole({"deck": 13})) == {"/seats/0/board/B1": "CC-PREP-1"}
    assert set(refused(whole(pool=59)).values()) == {"CC-MAT-1"}
    left_out = whole()
    del left_out["seats"][1]["hand"]
    assert GAME.positions.check_census(left_out)["possible"]


@pytest.mark.clause("CC-MAT-1", "CC-AMB-7")
def test_no_card_lies_there_twice_but_in_the_league() -> None:
    twice = whole({"hand": ["spark_imp", "?", "?", "?", "?"]}, {"hell": ["spark_imp", "sky_bolt"]})
    found = GAME.positions.check_census(twice)
    (finding,) = found["contradictions"]
    assert (finding["card"], finding["counted"], finding["copies"]) == ("spark_imp", 2, 1)
    again = {each["pointer"]: each["says"] for each in found["recounts"]}
    assert set(again) == {"/seats/0/hand", "/seats/1/hell"}
    assert again["/seats/0/hand"] == {
        "en": "Count these cards again: hand of Player 1.", "de": "Zähle diese Karten noch einmal: Hand von Spieler 1.",
    }  # fmt: skip
    assert list(refused(twice).values()) == ["CC-MAT-1"]
    assert refused({**twice, "variant": "league"}) == {}
    same = {**twice, "variant": "league"}
    same["seats"][1] = {**same["seats"][1], "hell": ["spark_imp#1", "sky_bolt"]}
    assert list(refused(same).values()) == ["CC-AMB-7"]


@pytest.mark.clause("CC-FORMAT-LEAGUE-1")
def test_in_the_league_the_census_looks_at_each_deck_and_its_list() -> None:
    league: Data = {"variant": "league"}
    listed = build_midgame({"list": DECK_LIST, "hell": ["bone_pup"]}, **league)
    assert refused(listed) == {}
    strange = build_midgame({"list": DECK_LIST, "hell": ["reaper"]}, **league)
    assert refused(strange) == {"/seats/0/hell": "CC-FORMAT-LEAGUE-1"}
    (finding,) = GAME.positions.check_census(strange)["contradictions"]
    assert finding["says"]["en"] == "Reaper is not on the deck list of Player 1."
    assert (
        refused(build_midgame({"list": DECK_LIST, "hell": ["reaper#2"]}, **league)) == {}
    )  # it was taken over from the other one
    assert refused(build_midgame({"list": DECK_LIST[:19]}, **league)) == {"/seats/0/list": "CC-FORMAT-LEAGUE-1"}
    twenty = [name for name in FACES if name not in DECK_LIST][:21]
    many = build_midgame({"deck": twenty, "hand": [], "hell": [], "board": {"B1": "hex_toad"}}, {"deck": 1, "hand": 1,
                  "hell": {"more": True}, "board": {}}, **league)  # fmt: skip
    assert refused(many) == {"/seats/0/board/B1": "CC-FORMAT-LEAGUE-1"}


@pytest.mark.clause("CC-FORMAT-LEAGUE-1", "KERNEL-CENSUS-1")
def test_at_a_real_table_the_census_says_what_was_read_wrongly_and_the_match_goes_on() -> None:
    strange = build_midgame({"list": DECK_LIST, "hell": ["reaper"]}, variant="league", cards="table")
    assert refused(strange) == {}
    assert not GAME.positions.check_census(strange)["possible"]
    read = build_midgame({"hand": ["hex_toad"], "hell": ["hex_toad"]}, cards="table", named=[0])
    assert refused(read) == {}
    assert not GAME.positions.check_census(read)["possible"]
    assert list(refused({**read, "named": []}).values()) == ["CC-MAT-1"]


# ---- the boards ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-DAMAGE-1")
def test_a_creature_with_as_much_damage_as_life_is_gone() -> None:
    assert refused(build_midgame({"board": change_board(OWN_BOARD, B2={"creature": "iron_boar", "damage": 3})})) == {}
    assert refused(build_midgame({"board": change_board(OWN_BOARD, B2={"creature": "iron_boar", "damage": 4})})) == {
        "/seats/0/board/B2/damage": "CC-DAMAGE-1"
    }


@pytest.mark.clause("CC-ACT-1")
def test_a_creature_takes_one_action_in_a_turn_and_those_that_effects_gave_it() -> None:
    twice = {"creature": "iron_boar", "acted": 2}
    assert refused(build_midgame({"board": change_board(OWN_BOARD, B2=twice)})) == {
        "/seats/0/board/B2/acted": "CC-ACT-1"
    }
    assert refused(build_midgame({"board": change_board(OWN_BOARD, B2={**twice, "ready": 1})})) == {}
    assert refused(build_midgame(entered=["gate_titan"])) == {"/entered/0": "CC-SUMMON-1"}


@pytest.mark.clause("CC-CRUSH-1", "CC-CRUSH-2")
def test_the_dice_burned_for_a_crush_card_are_its_cost() -> None:
    assert refused(build_midgame({"board": {"C1": {"card": "sky_bolt", "dice": 2}}})) == {
        "/seats/0/board/C1/dice": "CC-CRUSH-1"
    }
    assert refused(build_midgame({"board": {"C1": {"card": "dam_break", "dice": 2}}})) == {}


@pytest.mark.clause("CC-AMB-7")
def test_a_crush_card_lies_only_with_the_player_in_whose_deck_it_was() -> None:
    league: Data = {"variant": "league"}
    assert refused(build_midgame({"board": {"C1": "sky_bolt#2"}}, **league)) == {"/seats/0/board/C1": "CC-AMB-7"}
    assert refused(build_midgame({"board": {"C1": "sky_bolt#1"}}, **league)) == {}


# ---- dice and turns --------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-START-4", "CC-START-2")
def test_nobody_has_more_than_five_start_dice() -> None:
    assert refused(build_midgame(start_dice=[1, 2, 3], burned=2)) == {}
    assert refused(build_midgame(start_dice=[1, 2, 3], burned=3)) == {"/start_dice": "CC-START-4"}
    assert refused(build_midgame(phase="", start_dice=[1])) == {"/start_dice": "CC-START-2"}


@pytest.mark.clause("CC-TURN-1", "CC-PREP-3")
def test_the_players_take_turns() -> None:
    assert refused(build_midgame(turns=4, opener=0)) == {"/turns": "CC-TURN-1"}
    assert refused(build_midgame(turns=3, opener=0)) == {}
    assert refused(build_midgame(question=build_question("combat", seat=1))) == {"/question": "CC-TURN-1"}
    assert refused(build_midgame(phase="tactic", question=build_question("combat"))) == {"/phase": "CC-TURN-1"}
    assert refused(build_midgame(phase="start")) == {"/phase": "CC-TURN-1"}
    before = build_question("first_turn")
    bare: Data = {"board": {}, "deck": 20, "hand": []}
    assert refused({"seats": [bare, bare], "question": before}) == {}
    placed = {**bare, "deck": 19, "board": {"B1": "hex_toad"}}
    assert refused({"seats": [placed, bare], "question": before}) == {"/seats": "CC-PREP-3"}
    brought = build_question("bring_deck")
    none: Data = {"board": {}, "deck": [], "hand": []}
    assert refused({"variant": "league", "seats": [none, none], "question": brought, "pool": 200}) == {}
    assert refused({"variant": "league", "seats": [none, none], "question": brought, "pool": 39}) == {
        "/pool": "CC-PREP-1"
    }
    assert refused({"seats": [bare, bare], "question": before, "turns": 3}) == {"/turn": "CC-TURN-1"}


@pytest.mark.clause("CC-END-3", "CC-FORMAT-ARENA-1")
def test_a_draw_is_offered_in_the_own_turn_and_the_draft_is_over_then() -> None:
    assert refused(build_midgame(offered=0)) == {}
    assert refused(build_midgame(offered=1)) == {"/offered": "CC-END-3"}
    assert refused(build_midgame(variant="arena", drafted=5)) == {}
    assert refused(build_midgame(variant="arena", drafted=3)) == {"/drafted": "CC-FORMAT-ARENA-1"}


# ---- the end ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-END-1", "CC-END-2", "CC-END-3", "CC-AMB-2", "CC-AMB-4")
def test_a_match_that_is_over_has_ended_somehow() -> None:
    assert refused(build_midgame(question=None)) == {"/way": "CC-END-1"}
    assert refused(build_midgame(question=None, way="conceded", winner=1)) == {}
    assert refused(build_midgame(question=None, way="conceded")) == {"/winner": "CC-END-2"}
    assert refused(build_midgame(question=None, way="agreed")) == {}
    assert refused(build_midgame(question=None, way="agreed", winner=0)) == {"/winner": "CC-END-3"}
    assert refused(build_midgame(question=None, way="all_in_hell", winner=0)) == {"/seats/1": "CC-END-1"}
    nothing: Data = {"deck": [], "hand": [], "board": {}}
    assert refused(build_midgame({}, nothing, question=None, way="all_in_hell", winner=0)) == {}
    assert refused(build_midgame(winner=0, way="conceded")) == {"/question": "CC-END-1"}


@pytest.mark.clause("CC-END-1", "CC-AMB-2", "CC-AMB-4")
def test_nothing_is_asked_once_the_match_is_over() -> None:
    nothing: Data = {"deck": [], "hand": [], "board": {}}
    assert refused(build_midgame({}, nothing)) == {"/question": "CC-END-1"}
    assert refused(build_midgame(nothing, nothing)) == {"/question": "CC-AMB-2"}
    assert refused(build_midgame(quiet=39)) == {}
    assert refused(build_midgame(quiet=40)) == {"/question": "CC-AMB-4"}
    harmless: Data = {"deck": [], "hand": ["lantern_moth"], "board": {}}
    assert refused(build_midgame(harmless, {**harmless, "hand": [], "board": {"B1": "clay_guard"}})) == {}
    weak = {"creature": "clay_guard", "changes": [{"stat": "attack", "amount": -1, "by": "hex_toad"}]}
    assert refused(build_midgame(harmless, {**harmless, "hand": [], "board": {"B1": weak}})) == {
        "/question": "CC-AMB-4"
    }


# ---- what is asked --------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-CHAIN-4")
def test_a_window_is_open_for_somebody_who_may_have_an_answer() -> None:
    windows = [{"event": "placed", "about": {"summoned": ["dusk_bat"]}}]
    assert refused(build_midgame(question=build_question("respond", windows=windows))) == {}
    hers = build_midgame()["seats"][1]["board"]
    without = change_board(hers, C1=None, C3=None)
    assert refused(build_midgame({}, {"board": without}, question=build_question("respond", windows=windows))) == {
        "/question": "CC-CHAIN-4"
    }


@pytest.mark.clause("CC-CRUSH-3")
def test_what_lies_turned_up_is_what_the_chain_carries_out() -> None:
    assert refused(build_midgame({"flipped": ["volley"]})) == {"/seats/0/flipped": "CC-CRUSH-3"}
    overthrow = build_question("target_dice", card="overthrow")
    assert refused(build_midgame({"hand": 3}, question=overthrow)) == {}
    assert refused(build_midgame({"hand": 3, "flipped": ["overthrow"]}, question=overthrow)) == {}
    assert refused(build_midgame({"hand": 3, "flipped": ["overthrow", "volley"]}, question=overthrow)) == {
        "/seats/0/flipped": "CC-CRUSH-3"
    }
    assert list(refused(build_midgame({"hand": ["overthrow"]}, question=overthrow)).values()) == ["CC-MAT-1"]
