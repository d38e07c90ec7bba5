"""A clause is cited where it acts, and not where its condition is false."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.chance import RollResult
from referee.engine.events import Move
from referee.engine.referee import collect_granting_clauses, play_move
from referee.engine.seats import CHANCE, Seat
from referee.games.creature_crush.moves import (
    Attack,
    EndCombat,
    EndTurn,
    Flip,
    Lay,
    MoveCreature,
    Pass,
    Summon,
)
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import LastingChange
from tests.games.course import settled, then
from tests.games.creature_crush.card_moves import paid
from tests.games.creature_crush.table import table, turn_begins

RAID: dict[str, Any] = {"mine": {"A1": "ember_fox"}, "dice": (3,)}


def cited(state: Table, seat: int, move: Move) -> set[str]:
    """The clauses of the entry that is written for a move."""
    return set(collect_granting_clauses(state, move, play_move(state, Seat(seat), move)))


# ---- the turn ------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-START-1", "CC-START-2", "CC-START-3", "CC-AMB-9", "CC-AMB-29", "CC-AMB-32")
def test_each_roll_of_start_dice_cites_its_own_clause() -> None:
    opening = settled(turn_begins(opener=-1, turns=0))
    assert "CC-START-3" in cited(opening, CHANCE, RollResult((2, 2)))
    assert not {"CC-START-2", "CC-AMB-32"} & set(facts(opening, CHANCE, RollResult((2, 2))))
    second = settled(turn_begins(1, turns=1, turn=0))
    assert "CC-AMB-32" in cited(second, CHANCE, RollResult((1, 2, 3)))
    later = settled(turn_begins(0, turns=4))
    assert "CC-AMB-32" not in cited(later, CHANCE, RollResult((1, 2, 3)))
    assert "CC-AMB-9" not in set(facts(later, CHANCE, RollResult((1, 2, 3))))
    triple = then(later, CHANCE, RollResult((4, 4, 4)))
    assert {"CC-START-2", "CC-AMB-9"} <= set(facts(triple, CHANCE, RollResult((1,))))


def facts(state: Table, seat: int, move: Move) -> list[str]:
    """The clauses of the facts alone."""
    return [name for event in play_move(state, Seat(seat), move) for name in event.applied_clauses()]


@pytest.mark.clause("CC-START-1", "CC-AMB-29", "CC-EFF-SEARCH-1")
def test_a_card_drawn_or_shuffled_back_by_an_effect_is_neither_the_draw_of_the_turn_nor_a_search() -> None:
    lucky = cited(table({"C1": "lucky_streak"}), 0, Flip("C1", "lucky_streak"))
    assert "CC-START-1" not in lucky
    assert "CC-AMB-29" in lucky
    spring = table({"C1": "healing_spring", "A1": "ember_fox"}, hells=(("hex_toad",), ()))
    assert "CC-EFF-SEARCH-1" not in cited(spring, 0, Flip("C1", "healing_spring"))


@pytest.mark.clause("CC-TACTIC-3", "CC-TURN-1")
def test_dice_left_at_the_end_of_a_turn_cite_their_clause_and_no_dice_none() -> None:
    assert "CC-TACTIC-3" in cited(table(dice=(2,), phase="tactic"), 0, EndTurn())
    assert "CC-TACTIC-3" not in cited(table(phase="tactic"), 0, EndTurn())


# ---- summoning and attacking ---------------------------------------------------------------------------------


@pytest.mark.clause("CC-PAY-4", "CC-SUMMON-2", "CC-KEY-ACTION-1")
def test_a_summoning_cites_what_it_makes_use_of() -> None:
    toad = table({"B1": "clay_guard"}, {"B1": "frost_lout"}, dice=(1, 2, 3), hands=(("hex_toad", "iron_boar"), ()))
    assert {"CC-PAY-4", "CC-KEY-ACTION-1"} <= cited(toad, 0, Summon("hex_toad", "B2", (1, 2)))
    assert not {"CC-PAY-4", "CC-SUMMON-2"} & cited(toad, 0, Summon("hex_toad", "B2", (3,)))
    front = cited(toad, 0, Summon("iron_boar", "A1", (1, 3)))
    assert {"CC-SUMMON-2", "CC-AMB-11"} <= front
    assert "CC-KEY-ACTION-1" not in front


@pytest.mark.clause("CC-ATTACK-3", "CC-ATTACK-4", "CC-AMB-13", "CC-EFF-PERM-1", "CC-AMB-19")
def test_an_attack_cites_the_row_it_comes_from_and_what_strengthens_it() -> None:
    front = cited(table({"A1": "ember_fox"}, {"A1": "hex_toad"}, dice=(3,)), 0, Attack("ember_fox", (3,)))
    assert {"CC-ATTACK-3", "CC-AMB-13"} <= front
    assert not {"CC-ATTACK-4", "CC-EFF-PERM-1"} & front
    free = cited(table(**RAID), 0, Attack("ember_fox", (3,)))
    assert "CC-AMB-13" not in free
    back = table({"B1": "ember_fox", "B2": "horn_blower"}, {"A1": "hex_toad"}, dice=(3,))
    strong = cited(back, 0, Attack("ember_fox", (3,), "hex_toad"))
    assert {"CC-ATTACK-4", "CC-EFF-PERM-1", "CC-AMB-19"} <= strong
    assert "CC-ATTACK-3" not in strong
    lasting = {"ember_fox": (LastingChange("attack", 2, False, "rune_smith"),)}
    drilled = table({"B1": "ember_fox"}, {"A1": "hex_toad"}, dice=(3,), lasting=lasting)
    assert "CC-EFF-PERM-1" not in cited(drilled, 0, Attack("ember_fox", (3,), "hex_toad"))
    archer = table({"A2": "grim_archer"}, {"A1": "hex_toad"}, dice=(2, 6))
    assert {"CC-AMB-13", "CC-EFF-PERM-1"} <= cited(archer, 0, Attack("grim_archer", (2, 6), "hex_toad"))


@pytest.mark.clause("CC-KEY-LIVELY-1", "CC-AMB-12")
def test_lively_is_cited_only_in_the_turn_of_entering() -> None:
    fresh = table(**RAID, entered=("ember_fox",))
    assert {"CC-KEY-LIVELY-1", "CC-AMB-12"} <= cited(fresh, 0, Attack("ember_fox", (3,)))
    assert "CC-KEY-LIVELY-1" not in cited(table(**RAID), 0, Attack("ember_fox", (3,)))
    moving = then(fresh, 0, EndCombat())
    assert "CC-KEY-LIVELY-1" in cited(moving, 0, MoveCreature("ember_fox", "B1", 3))


@pytest.mark.clause("CC-KEY-VENGEFUL-1", "CC-AMB-22", "CC-CHAIN-6")
def test_block_damage_and_deaths_at_one_time_cite_their_clauses() -> None:
    both = table({"A1": "ember_fox"}, {"B1": "knife_goblin"}, dice=(3,))
    assert {"CC-KEY-VENGEFUL-1", "CC-AMB-22", "CC-CHAIN-6"} <= cited(both, 0, Attack("ember_fox", (3,), "knife_goblin"))
    tame = table({"A1": "ember_fox"}, {"B1": "clay_guard"}, dice=(3,))
    assert not {"CC-KEY-VENGEFUL-1", "CC-AMB-22", "CC-CHAIN-6"} & cited(
        tame, 0, Attack("ember_fox", (3,), "clay_guard")
    )


@pytest.mark.clause("CC-DIRECT-1", "CC-DIRECT-2", "CC-AMB-25")
def test_a_direct_attack_cites_what_it_takes_from() -> None:
    deck = cited(table(**RAID), 0, Attack("ember_fox", (3,)))
    assert "CC-DIRECT-1" in deck
    assert not {"CC-DIRECT-2", "CC-AMB-25"} & deck
    last = cited(table(**RAID, decks=(("hex_toad",), ("clay_guard",))), 0, Attack("ember_fox", (3,)))
    assert {"CC-DIRECT-1", "CC-AMB-25"} <= last
    hand = table(**RAID, decks=(("hex_toad",), ()), hands=((), ("clay_guard", "frost_lout")))
    assert "CC-DIRECT-2" in cited(hand, 0, Attack("ember_fox", (3,)))
    assert "CC-DIRECT-1" not in cited(hand, 0, Attack("ember_fox", (3,)))


@pytest.mark.clause("CC-KEY-TRAP-1", "CC-AMB-21", "CC-KEY-HELL-1", "CC-AMB-26")
def test_what_a_destroyed_card_sets_off_is_cited_and_where_it_lay() -> None:
    rat = table(**RAID, decks=((), ("mirror_newt", "clay_guard")))
    assert {"CC-KEY-TRAP-1", "CC-AMB-21"} <= cited(rat, 0, Attack("ember_fox", (3,)))
    pup = table({"C1": "sky_bolt"}, {"B1": "bone_pup"})
    killed = cited(pup, 0, Flip("C1", "sky_bolt"))
    assert "CC-KEY-HELL-1" in killed
    assert not {"CC-KEY-TRAP-1", "CC-AMB-26"} & killed
    crow = table(theirs={"C1": "volley"}, dice=paid("scrap_crow"), hands=(("scrap_crow",), ()))
    assert "CC-AMB-26" in cited(crow, 0, Summon("scrap_crow", "B1", paid("scrap_crow")))


# ---- crush cards and chains ----------------------------------------------------------------------------------


@pytest.mark.clause("CC-CRUSH-FLIP-2", "CC-CRUSH-FLIP-3", "CC-AMB-15", "CC-AMB-16", "CC-CRUSH-2")
def test_a_flip_cites_whether_the_card_has_a_prerequisite_and_costs_x() -> None:
    bolt = cited(table({"C1": "sky_bolt"}), 0, Flip("C1", "sky_bolt"))
    assert "CC-CRUSH-FLIP-2" in bolt
    assert not {"CC-CRUSH-FLIP-3", "CC-AMB-15", "CC-AMB-16", "CC-CRUSH-2"} & bolt
    dam = cited(table({"C1": "dam_break"}, paid={"C1/0:0": 1}), 0, Flip("C1", "dam_break"))
    assert {"CC-CRUSH-2", "CC-AMB-15"} <= dam
    reserve = table({"C1": "last_reserve"}, decks=((), ("thornback",)), hells=(("hex_toad", "clay_guard"), ()))
    assert {"CC-CRUSH-FLIP-3", "CC-AMB-16"} <= cited(reserve, 0, Flip("C1", "last_reserve"))
    shot = table({"A1": "ember_fox", "C1": "sudden_lunge"}, {"B1": "frost_lout", "C1": "recoil"}, dice=(3,))
    asking = then(shot, 0, Attack("ember_fox", (3,), "frost_lout"))
    theirs = cited(asking, 1, Flip("C1", "recoil"))
    assert "CC-CRUSH-FLIP-3" in theirs
    assert "CC-AMB-16" not in theirs  # in the turn of the other player that goes without saying
    assert "CC-AMB-16" in cited(then(asking, 1, Pass()), 0, Flip("C1", "sudden_lunge"))


@pytest.mark.clause("CC-AMB-15", "CC-AMB-14")
def test_what_is_cited_for_a_card_laid_face_down_says_no_more_than_its_dice() -> None:
    hand = (("dam_break", "sky_bolt"), ())
    known = cited(table(dice=(2,), hands=hand), 0, Lay("sky_bolt", "C1", (2,)))
    assert cited(table(dice=(2,), hands=hand), 0, Lay("dam_break", "C1", (2,))) == known
    zero = (("dam_break", "war_council"), ())
    none = cited(table(hands=zero), 0, Lay("dam_break", "C1", ()))
    assert "CC-AMB-15" in none
    assert cited(table(hands=zero), 0, Lay("war_council", "C1", ())) == none


@pytest.mark.clause("CC-CHAIN-1", "CC-CHAIN-3", "CC-CHAIN-8", "CC-AMB-20")
def test_a_chain_cites_its_window_and_that_the_newest_goes_first() -> None:
    given = table({"A1": "iron_boar"}, {"B1": "frost_lout", "C1": "pitfall"}, dice=(3,), hands=(("hex_toad",), ()))
    asking = cited(given, 0, Summon("hex_toad", "B1", (3,)))
    assert {"CC-CHAIN-3", "CC-CHAIN-8", "CC-AMB-20"} <= asking
    assert "CC-CHAIN-1" not in asking
    window = then(given, 0, Summon("hex_toad", "B1", (3,)))
    assert "CC-CHAIN-1" in cited(window, 1, Flip("C1", "pitfall"))
    alone = cited(table(**RAID), 0, Attack("ember_fox", (3,)))
    assert not {"CC-CHAIN-1", "CC-CHAIN-3", "CC-CHAIN-8"} & alone


@pytest.mark.clause("CC-EFF-COND-1", "CC-AMB-28", "CC-AMB-18")
def test_a_line_without_effect_cites_why() -> None:
    council = cited(table({"C1": "war_council"}), 0, Flip("C1", "war_council"))
    assert "CC-EFF-COND-1" in council
    board = {"A1": "clay_guard", "A2": "hex_toad", "A3": "thornback", "B1": "moss_tick", "B2": "bone_pup"}
    full = table({**board, "B3": "iron_boar", "C1": "grave_robbery"}, hells=(("ember_fox",), ()))
    assert "CC-AMB-28" in cited(full, 0, Flip("C1", "grave_robbery"))


@pytest.mark.clause("CC-CHAIN-1")
def test_a_single_effect_is_no_chain_in_which_one_is_newer() -> None:
    toad = table(theirs={"B1": "frost_lout"}, dice=(3,), hands=(("hex_toad",), ()))
    assert "CC-CHAIN-1" not in cited(toad, 0, Summon("hex_toad", "B2", (3,)))


@pytest.mark.clause("CC-TACTIC-1", "CC-TACTIC-2", "CC-START-4")
def test_the_end_of_a_turn_and_a_plain_roll_cite_nothing_of_moves_and_more_dice() -> None:
    assert not {"CC-TACTIC-1", "CC-TACTIC-2"} & cited(table(phase="tactic"), 0, EndTurn())
    rolling = settled(turn_begins(0, turns=4))
    assert not {"CC-START-3", "CC-START-4"} & cited(rolling, CHANCE, RollResult((1, 2, 3)))
    assert "CC-MAT-2" in cited(rolling, CHANCE, RollResult((1, 2, 3)))
