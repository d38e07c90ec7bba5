"""Laying crush cards and flipping them (CC-CRUSH-1 to CC-CRUSH-3, CC-CRUSH-FLIP-1 to CC-CRUSH-FLIP-3)."""

from __future__ import annotations

import pytest

from referee.engine.referee import build_view, judge_move
from referee.engine.seats import Seat
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import FLIPPED, HANDS
from referee.games.creature_crush.events.cards import CrushFlipped, CrushLaid, CrushSpent
from referee.games.creature_crush.moves import Attack, EndCombat, Flip, Lay, Pass
from tests.games.course import asked, near_misses, of, refused, then, when
from tests.games.creature_crush.table import names, offered, table, with_real_cards

THREE = {"C1": "sky_bolt", "C2": "lucky_streak", "C3": "war_drums"}


@pytest.mark.clause("CC-CRUSH-1", "CC-AMB-14")
def test_a_crush_card_is_laid_for_as_many_dice_as_it_costs_whatever_their_pips() -> None:
    given = table(dice=(1, 6), hands=(("grave_robbery",), ()))
    events, after = when(given, 0, Lay("grave_robbery", "C2", (1, 6)))
    assert names(events) == ["DiceBurned", "CrushLaid"]
    assert after.card_at("C2/0:0") == "grave_robbery"
    assert (after.dice, after.paid) == ((), {"C2/0:0": 2})
    assert refused(given, 0, Lay("grave_robbery", "C2", (6,))) == ("wrong_number_of_dice", "CC-CRUSH-1")
    assert refused(given, 0, Lay("grave_robbery", "C2", (6, 6))) == ("no_such_die", "CC-PAY-2")


@pytest.mark.clause("CC-AMB-14")
def test_the_opponent_sees_the_dice_paid_and_only_the_back() -> None:
    move = Lay("sky_bolt", "C1", (4,))
    events, after = when(table(dice=(4,), hands=(("sky_bolt",), ())), 0, move)
    assert of([event.view_for(1) for event in events], CrushLaid) == [
        CrushLaid(HANDS[0], "C1/0:0", ("?",), ("?",), 0, 1)
    ]
    assert build_view(after, Seat(1)).card_at("C1/0:0") == "?"
    assert build_view(after, Seat(0)).card_at("C1/0:0") == "sky_bolt"
    assert move.view_for(1, 0) == Lay("?", "C1", (4,))


@pytest.mark.clause("CC-CRUSH-1")
def test_a_crush_card_needs_a_free_place_of_the_c_row() -> None:
    given = table({"C1": "sky_bolt"}, dice=(4,), hands=(("volley", "war_drums", "clay_guard"), ()))
    assert refused(given, 0, Lay("war_drums", "C1", (4,))) == ("place_is_taken", "CC-CRUSH-1")
    assert refused(given, 0, Lay("war_drums", "B1", (4,))) == ("place_of_creatures", "CC-ZONE-1")
    assert refused(given, 0, Lay("clay_guard", "C2", (4,))) == ("no_crush_card", "CC-CRUSH-1")
    assert refused(given, 0, Lay("worldfire", "C2", (4,))) == ("not_in_the_hand", "CC-CRUSH-1")


@pytest.mark.clause("CC-AMB-14")
def test_with_three_crush_cards_none_can_be_laid() -> None:
    given = table(THREE, dice=(4,), hands=(("healing_spring",), ()))
    assert refused(given, 0, Lay("healing_spring", "C1", (4,))) == ("no_free_crush_place", "CC-AMB-14")
    assert Lay("healing_spring", "C1", (4,)) in near_misses(given, 0)


@pytest.mark.clause("CC-CRUSH-2", "CC-AMB-15")
def test_x_is_any_number_of_dice_none_among_them() -> None:
    given = table(dice=(2, 5), hands=(("dam_break",), ()))
    ways = {move.dice for move in offered(given, 0) if isinstance(move, Lay)}
    assert ways == {(), (2,), (5,), (2, 5)}
    events, after = when(given, 0, Lay("dam_break", "C1", ()))
    assert names(events) == ["CrushLaid"]
    assert after.paid == {"C1/0:0": 0}


@pytest.mark.clause("CC-CRUSH-2", "CC-AMB-15", "CC-AMB-15-R2")
def test_by_the_other_reading_x_is_at_least_one_die_and_a_printed_zero_still_costs_none() -> None:
    given = GAME.apply_interpretations(table(dice=(2, 5), hands=(("dam_break", "war_council"), ())), {"CC-AMB-15": 2})
    ways = {(move.card, move.dice) for move in offered(given, 0) if isinstance(move, Lay)}
    assert ways == {("dam_break", (2,)), ("dam_break", (5,)), ("dam_break", (2, 5)), ("war_council", ())}
    ruling = judge_move(given, Seat(0), Lay("dam_break", "C1", ()))
    assert (ruling.reason, ruling.clauses) == ("x_is_no_zero", ("CC-AMB-15-R2", "CC-CRUSH-2"))


@pytest.mark.clause("CC-AMB-15", "CC-AMB-15-R2")
def test_by_the_other_reading_a_real_card_laid_for_no_die_is_none_that_costs_x() -> None:
    usual = with_real_cards(table({"C1": "dam_break"}, paid={"C1/0:0": 0}))
    assert judge_move(usual, Seat(0), Flip("C1", "dam_break")).reason != "paid_otherwise"
    ruling = judge_move(GAME.apply_interpretations(usual, {"CC-AMB-15": 2}), Seat(0), Flip("C1", "dam_break"))
    assert (ruling.reason, ruling.clauses) == ("paid_otherwise", ("CC-CRUSH-1", "CC-AMB-15-R2"))


@pytest.mark.clause("CC-AMB-15")
def test_x_of_the_flip_is_what_was_burned_when_it_was_laid() -> None:
    given = table({"C1": "dam_break"}, paid={"C1/0:0": 2})
    after = then(given, 0, Flip("C1", "dam_break"))
    assert len(after.list_hell(1)) == 3


@pytest.mark.clause("CC-AMB-15")
def test_a_printed_cost_of_no_dice_burns_none() -> None:
    after = then(table(hands=(("war_council",), ())), 0, Lay("war_council", "C1", ()))
    assert after.card_at("C1/0:0") == "war_council"


@pytest.mark.clause("CC-CRUSH-FLIP-1", "CC-CRUSH-FLIP-2", "CC-CRUSH-3", "CC-AMB-14")
def test_a_card_without_prerequisite_is_flipped_in_the_own_combat_phase_and_costs_nothing() -> None:
    given = table(dice=(6,), hands=(("lucky_streak",), ()))
    events, after = when(given, 0, Lay("lucky_streak", "C1", (6,)), Flip("C1", "lucky_streak"))
    assert names(events)[-4:] == ["CrushFlipped", "StartDiceGained", "CardDrawn", "CrushSpent"]
    assert of(events, CrushFlipped)[0].target == FLIPPED[0]
    assert of(events, CrushSpent)[0].source == FLIPPED[0]
    assert after.list_hell(0) == ("lucky_streak",)
    assert (after.extra, after.paid) == ((2, 0), {})


@pytest.mark.clause("CC-CRUSH-FLIP-2")
def test_such_a_card_is_never_flipped_in_the_turn_of_the_opponent_nor_in_the_tactic_phase() -> None:
    given = table({"A1": "ember_fox"}, {"B1": "clay_guard", "C1": "recoil", "C2": "sky_bolt"}, dice=(3,))
    _, asking = when(given, 0, Attack("ember_fox", (3,), "clay_guard"))
    assert offered(asking, 1)[:2] == [Pass(), Flip("C1", "recoil")]
    assert refused(asking, 1, Flip("C2", "sky_bolt")) == ("only_in_own_combat", "CC-CRUSH-FLIP-2")
    later = then(table({"C1": "sky_bolt"}), 0, EndCombat())
    assert refused(later, 0, Flip("C1", "sky_bolt")) == ("only_in_own_combat", "CC-CRUSH-FLIP-2")


@pytest.mark.clause("CC-CRUSH-FLIP-3", "CC-AMB-16")
def test_a_card_with_a_prerequisite_waits_for_it_in_the_own_turn_too() -> None:
    given = table({"A1": "ember_fox", "C1": "sudden_lunge"}, {"B1": "clay_guard"}, dice=(3,))
    assert refused(given, 0, Flip("C1", "sudden_lunge")) == ("waits_for_event", "CC-CRUSH-FLIP-3")
    _, asking = when(given, 0, Attack("ember_fox", (3,), "clay_guard"))
    assert asked(asking) == {0}
    after = then(asking, 0, Flip("C1", "sudden_lunge"))
    assert after.list_hell(1) == ("clay_guard",)  # two attack points and four more against five life points


@pytest.mark.clause("CC-AMB-16")
def test_a_prerequisite_that_only_has_to_hold_serves_the_own_combat_phase_with_no_chain_open() -> None:
    given = table({"C1": "last_reserve"}, decks=((), ("thornback",)), hells=(("hex_toad", "clay_guard"), ()))
    assert Flip("C1", "last_reserve") in offered(given, 0)
    full = table({"C1": "last_reserve"}, hells=(("hex_toad", "clay_guard"), ()))
    assert refused(full, 0, Flip("C1", "last_reserve")) == ("prerequisite_not_met", "CC-CRUSH-FLIP-3")


@pytest.mark.clause("CC-AMB-16")
def test_in_the_turn_of_the_opponent_it_serves_any_window_but_none_of_the_own_turn() -> None:
    board = {"A1": "ember_fox", "C1": "last_reserve"}
    hells = (("hex_toad", "bone_pup"), ())
    mine = table(board, {"B1": "clay_guard"}, dice=(3,), decks=((), ("thornback",)), hells=hells)
    assert asked(then(mine, 0, Attack("ember_fox", (3,), "clay_guard"))) == {0}
    assert then(mine, 0, Attack("ember_fox", (3,), "clay_guard")).damage == {"clay_guard": 2}  # no window was open
    theirs = table(board, {"A2": "clay_guard"}, dice=(3,), turn=1, decks=((), ("thornback",)), hells=hells)
    asking = then(theirs, 1, Attack("clay_guard", (3,)))
    assert asked(asking) == {0}
    assert Flip("C1", "last_reserve") in offered(asking, 0)


@pytest.mark.clause("CC-CRUSH-FLIP-1")
def test_only_the_card_that_lies_there_is_flipped() -> None:
    given = table({"C1": "sky_bolt"}, {"C1": "volley"})
    assert refused(given, 0, Flip("C2", "sky_bolt")) == ("nothing_there", "CC-CRUSH-FLIP-1")
    assert refused(given, 0, Flip("C1", "volley")) == ("another_card_lies_there", "CC-CRUSH-FLIP-1")
    assert refused(given, 0, Flip("C1", "clay_guard")) == ("another_card_lies_there", "CC-CRUSH-FLIP-1")
    assert refused(given, 0, Flip("B1", "sky_bolt")) == ("place_of_creatures", "CC-ZONE-1")


# ---- at a real table -------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-AMB-14", "KERNEL-CENSUS-1")
def test_at_a_real_table_a_card_is_laid_as_a_back_for_any_number_of_dice() -> None:
    given = with_real_cards(table(dice=(2, 5), hands=(("sky_bolt", "clay_guard"), ())))
    assert {move.dice for move in offered(given, 0) if isinstance(move, Lay)} == {(), (2,), (5,), (2, 5)}
    events, after = when(given, 0, Lay("?", "C1", (2,)))
    assert of(events, CrushLaid)[0].put == ("?",)
    assert after.card_at("C1/0:0") == "?"
    assert after.cards_at(HANDS[0]) == ("?",)


@pytest.mark.clause("CC-CRUSH-1")
def test_whose_cards_are_known_lays_no_back() -> None:
    given = table(dice=(2,), hands=(("sky_bolt",), ()))
    assert refused(given, 0, Lay("?", "C1", (2,))) == ("name_the_card", "CC-CRUSH-1")


@pytest.mark.clause("CC-CRUSH-1", "CC-CRUSH-2")
def test_at_a_real_table_a_back_is_flipped_as_a_card_that_cost_as_many_dice() -> None:
    given = with_real_cards(table({"C1": "sky_bolt"}, {"B1": "frost_lout"}))
    flips = {move.card for move in offered(given, 0) if isinstance(move, Flip)}
    assert {"sky_bolt", "lucky_streak", "dam_break"} <= flips
    assert "volley" not in flips
    assert refused(given, 0, Flip("C1", "volley")) == ("paid_otherwise", "CC-CRUSH-1")
    after = then(given, 0, Flip("C1", "sky_bolt"))
    assert after.damage == {"frost_lout": 5}
    assert after.list_hell(0) == ("sky_bolt",)
