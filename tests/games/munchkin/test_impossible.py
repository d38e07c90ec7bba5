"""Positions that cannot be are refused with the clause that they break; the census says what to count again."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.rulings import ContradictoryPosition
from referee.games.munchkin import GAME
from referee.games.munchkin.components import PRINTED
from tests.games.munchkin.written import (
    build_combat_position,
    build_flight_combat,
    build_midway_position,
    build_question,
)

Data = dict[str, Any]
NOTHING: Data = {"items": [], "towns": [], "ride": [], "curses": []}


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


def whole(**more: Any) -> Data:
    """A position that says where all 168 cards lie, at least by number."""
    seats = [{"level": 1, "hand": 8, **NOTHING} for _ in range(3)]
    return {"seats": seats, "turn": 0, "doors": 84, "treasures": 60, "door_discard": [], "treasure_discard": [], **more}


@pytest.mark.clause("MK-1.2", "MK-2.1")
def test_the_box_holds_168_cards() -> None:
    assert [sum(box.values()) for box in (PRINTED.whole, *PRINTED.decks.values())] == [168, 96, 72]
    assert GAME.positions.check_census(whole()) == {"possible": True, "contradictions": [], "recounts": []}
    few = GAME.positions.check_census(whole(doors=83))
    (finding,) = few["contradictions"]
    assert (finding["counted"], finding["copies"], finding["clause"]) == (167, 168, "MK-2.1")
    assert few["contradictions"][0]["says"]["en"] == "Only 167 cards are listed in all, but there must be 168."
    assert "/doors" in [again["pointer"] for again in few["recounts"]]
    seats = [{"level": 1, "hand": 8, **NOTHING}, {"level": 1, **NOTHING}, {"level": 1, "hand": 8, **NOTHING}]
    assert GAME.positions.check_census(whole(seats=seats))["possible"]  # one hand is left out


@pytest.mark.clause("MK-1.2", "MK-1.3")
def test_no_deck_has_more_cards_than_it_can_have() -> None:
    assert refused(whole(doors=96, treasures=48)) == {}
    assert refused(whole(doors=97, treasures=47)) == {"/doors": "MK-1.2"}
    assert refused(whole(doors=95, treasures=48, door_discard=["wolfman"])) == {}
    assert refused(whole(doors=96, treasures=47, door_discard=["wolfman"])) == {"/doors": "MK-1.2"}
    assert refused(whole(doors=71, treasures=73)) == {"/treasures": "MK-1.2"}


@pytest.mark.clause("MK-2.1")
def test_no_card_lies_there_more_often_than_it_was_printed() -> None:
    assert list(refused(build_midway_position({"hand": ["wolfman"]}, door_discard=["wolfman"])).values()) == ["MK-2.1"]
    towns = [{"towns": ["town_easter"], "hand": 3} for _ in range(3)]
    assert refused(build_midway_position(*towns, door_discard=["town_easter"])) == {}
    assert list(refused(build_midway_position(*towns, door_discard=["town_easter", "town_easter"])).values()) == [
        "MK-2.1"
    ]


@pytest.mark.clause("MK-2.1")
def test_the_census_says_which_places_to_count_again() -> None:
    data = build_midway_position(
        {"hand": ["stilts", "bat_hat"]}, {"items": ["stilts"]}, treasure_discard=["stilts", "bat_hat"]
    )
    found = GAME.positions.check_census(data)
    assert {(each["card"], each["counted"], each["copies"]) for each in found["contradictions"]} == {
        ("stilts", 3, 1), ("bat_hat", 2, 1),
    }  # fmt: skip
    again = {each["pointer"]: each["says"] for each in found["recounts"]}
    assert set(again) == {"/treasure_discard", "/seats/0/hand", "/seats/1/items"}
    assert again["/seats/0/hand"] == {
        "en": "Count these cards again: hand of Player 1.", "de": "Zähle diese Karten noch einmal: Hand von Spieler 1.",
    }  # fmt: skip


# ---- what lies before a player --------------------------------------------------------------------------------------


@pytest.mark.clause("MK-4.1", "MK-22.1")
def test_nobody_is_at_level_ten_while_the_match_goes_on() -> None:
    assert refused(build_midway_position({"level": 10})) == {"/seats/0/level": "MK-22.1"}
    over: Data = {"question": None, "winner": 0, "way": "level_ten"}
    assert refused(build_midway_position({"level": 10}, **over)) == {}
    assert refused(build_midway_position({"level": 9}, **over)) == {"/seats/0/level": "MK-22.1"}
    assert refused(build_midway_position({"level": 10}, {"level": 10}, **over)) == {"/seats/1/level": "MK-22.1"}
    assert refused(build_midway_position({"level": 10}, winner=0, way="level_ten")) == {"/question": "MK-22.1"}


@pytest.mark.clause("MK-22.1", "MK-26.10")
def test_a_match_that_is_over_has_ended_somehow() -> None:
    assert refused(build_midway_position(question=None)) == {"/way": "MK-22.1"}
    assert refused(build_midway_position(question=None, way="level_ten")) == {"/winner": "MK-22.1"}
    assert refused(build_midway_position(question=None, way="too_many_turns")) == {}
    assert refused(build_midway_position({"level": 10}, question=None, way="too_many_turns", winner=0)) == {
        "/winner": "MK-26.10"
    }


@pytest.mark.clause("MK-4.5", "MK-4.6")
def test_two_towns_need_dual_citizenship_and_it_needs_one() -> None:
    two = ["town_easter", "town_halloween"]
    rest = {"towns": []}
    assert refused(build_midway_position({"towns": two, "hand": 3}, {}, rest)) == {"/seats/0/towns": "MK-4.5"}
    assert refused(build_midway_position({"towns": [*two, "dual_citizenship"], "hand": 3}, {}, rest)) == {}
    assert refused(build_midway_position({"towns": ["dual_citizenship"]}, {}, rest)) == {"/seats/0/towns": "MK-4.6"}
    same = ["town_easter", "town_easter", "dual_citizenship"]
    assert refused(build_midway_position({"towns": same, "hand": 3}, {}, rest)) == {"/seats/0/towns": "MK-4.5"}


@pytest.mark.clause("MK-7.3")
def test_no_more_is_in_use_than_slots_and_hands_allow() -> None:
    three = ["candy_hook", "rusty_bell", "icicle_dirk"]
    assert refused(build_midway_position({"items": three})) == {"/seats/0/in_use": "MK-7.3"}
    assert refused(build_midway_position({"items": three, "in_use": three[:2]})) == {}
    assert refused(build_midway_position({"items": three, "ride": ["ride_pram"]})) == {}
    hats = ["bat_hat", "crooked_crown"]
    assert refused(build_midway_position({"items": hats})) == {"/seats/0/in_use": "MK-7.3"}
    stitched = {"items": [*hats, "loose_stitches"], "attached": {"bat_hat": "loose_stitches"}}
    assert refused(build_midway_position(stitched)) == {}


@pytest.mark.clause("MK-7.7")
def test_no_more_big_items_are_in_play_than_may_be_carried() -> None:
    big: Data = {"items": ["confetti_cannon", "drumstick_club"], "in_use": [], "ride": []}
    assert refused(build_midway_position(big)) == {"/seats/0/items": "MK-7.7"}
    assert refused(build_midway_position({**big, "ride": ["ride_sleigh"]})) == {}
    assert refused(build_midway_position({**big, "items": big["items"][:1]})) == {}
    without_ride = {key: value for key, value in big.items() if key != "ride"}
    seats = build_midway_position(without_ride)["seats"]
    del seats[0]["ride"]
    assert refused(build_midway_position(seats=seats)) == {}  # what is left out may be the sleigh


@pytest.mark.clause("MK-7.12", "MK-8.6", "MK-8.8")
def test_one_ride_and_what_is_attached_to_it_and_to_items() -> None:
    assert refused(build_midway_position({"ride": ["ride_sleigh", "ride_pram"]})) == {"/seats/0/ride": "MK-8.6"}
    assert refused(build_midway_position({"ride": ["renh_bells"]})) == {"/seats/0/ride": "MK-8.8"}
    assert refused(build_midway_position({"ride": ["ride_pram", "renh_bells"]})) == {}
    assert refused(build_midway_position({"items": ["loose_stitches"]})) == {"/seats/0/attached": "MK-7.12"}


@pytest.mark.clause("MK-7.9", "MK-19.7", "MK-26.1")
def test_trades_are_offered_between_two_of_the_living() -> None:
    trade = {"by": 1, "to": 2, "give": ["chained_lantern"]}
    assert refused(build_midway_position(trades=[trade])) == {}
    assert refused(build_midway_position(trades=[{**trade, "to": 1}])) == {"/trades/0/to": "MK-7.9"}
    assert refused(build_midway_position(trades=[trade, {"by": 1, "to": 0}])) == {"/trades/1/by": "MK-26.1"}
    assert refused(build_midway_position(trades=[trade], dead=[2], bereft=[2])) == {"/trades/0": "MK-19.7"}


# ---- the combat -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-9.6", "MK-11.5")
def test_a_combat_is_that_of_the_player_on_turn_and_has_a_monster() -> None:
    assert refused(build_combat_position(combat={"main": 1})) == {"/combat/main": "MK-9.6"}
    assert refused(build_combat_position(combat={"monsters": []})) == {"/combat/monsters": "MK-11.5"}
    open_still = {"window_after_removal": True}
    assert refused(build_combat_position(combat={"monsters": []}, settings=open_still)) == {}
    assert refused(build_combat_position(combat={"lying": ["enh_old"]})) == {"/combat/lying": "MK-2.1"}


@pytest.mark.clause("MK-13.1", "MK-13.2", "MK-13.6", "MK-13.10")
def test_one_other_player_helps_at_most() -> None:
    assert refused(build_combat_position(combat={"helper": 0})) == {"/combat/helper": "MK-13.1"}
    assert refused(build_combat_position(combat={"helper": 2})) == {}
    assert refused(build_combat_position(combat={"drafted": True})) == {"/combat/drafted": "MK-13.10"}
    assert refused(build_combat_position(combat={"deal": {}})) == {"/combat/deal": "MK-13.6"}
    assert refused(build_combat_position(combat={"terms": {"asked": 0, "deal": {}}})) == {"/combat/terms": "MK-13.2"}
    assert refused(build_combat_position(combat={"terms": {"by": 1, "asked": 0, "deal": {}}})) == {}
    assert refused(build_combat_position(combat={"helper": 2, "terms": {"asked": 1, "deal": {}}})) == {
        "/combat/terms": "MK-13.1"
    }
    picks = {"treasures": 2, "picks": ["helper"]}
    assert refused(build_combat_position(combat={"helper": 2, "deal": picks})) == {"/combat/deal/picks": "MK-13.6"}


@pytest.mark.clause("MK-17.3", "MK-17.5", "MK-19.6")
def test_fighters_run_once_the_combat_is_lost() -> None:
    flight = build_flight_combat("wolfman")
    assert refused(build_combat_position(combat=flight, question=build_question("flee"))) == {}
    assert refused(build_combat_position(combat=flight)) == {"/combat/to_flee": "MK-17.3"}
    other = {**flight, "to_flee": [{"seat": 1, "monster": "wolfman"}]}
    assert refused(build_combat_position(combat=other, question=build_question("flee"))) == {
        "/combat/to_flee/0/seat": "MK-17.3"
    }
    assert refused(build_combat_position(combat={"helper_first_wanted": [0]})) == {
        "/combat/helper_first_wanted/0": "MK-17.5"
    }
    assert refused(build_combat_position(combat={"died": [1]})) == {"/combat/died/0": "MK-19.6"}


# ---- what is asked --------------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-26.4")
def test_somebody_has_something_to_answer() -> None:
    assert refused(build_combat_position(question=build_question("flee"))) == {"/question": "MK-26.4"}
    assert refused(build_combat_position(question=build_question("claim", passed=[1, 2]))) == {"/question": "MK-26.4"}
    assert refused(
        build_midway_position({"items": ["candy_hook"]}, question=build_question("lose_items", card="curse_small_item"))
    ) == {"/question": "MK-26.4"}
    assert refused(build_midway_position(question=build_question("calm"), dead=[0], bereft=[0])) == {
        "/question": "MK-26.4"
    }


@pytest.mark.clause("MK-2.1")
def test_what_is_being_played_is_what_the_pending_steps_speak_of() -> None:
    curse = build_question("curse", card="curse_level")
    assert (
        refused(build_midway_position(question=curse))
        == refused(build_midway_position(question=curse, pending=["curse_level"]))
        == {}
    )
    assert refused(build_midway_position(question=curse, pending=["curse_headgear"])) == {"/pending": "MK-2.1"}
    assert refused(build_midway_position(pending=["curse_headgear"])) == {"/pending": "MK-2.1"}
    copies = PRINTED.whole["curse_level"]
    held = ["curse_level"] * copies
    assert list(refused(build_midway_position({"hand": held}, question=curse)).values()) == ["MK-2.1"]
    assert refused(build_midway_position({"hand": held[1:]}, question=curse)) == {}
