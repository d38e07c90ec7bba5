"""The tactic phase: moving, swapping, ending the turn (CC-TACTIC-1 to CC-TACTIC-3)."""

from __future__ import annotations

import pytest

from referee.games.creature_crush.events.cards import CreatureMoved
from referee.games.creature_crush.events.course import DiceBurned, PhaseBegan, TurnBegan, TurnEnded
from referee.games.creature_crush.events.field import CreaturesDamaged
from referee.games.creature_crush.moves import Attack, EndCombat, EndTurn, MoveCreature, Summon, Swap
from referee.games.creature_crush.values import LastingChange
from tests.games.course import asked, near_misses, of, refused, then, when
from tests.games.creature_crush.table import names, offered, table


@pytest.mark.clause("CC-TURN-1", "CC-COMBAT-1")
def test_the_tactic_phase_follows_the_combat_phase_and_no_fight_comes_after_it() -> None:
    given = table({"A1": "ember_fox"}, dice=(3,), hands=(("hex_toad",), ()))
    events, after = when(given, 0, EndCombat())
    assert of(events, PhaseBegan) == [PhaseBegan(0, "tactic")]
    assert after.phase == "tactic"
    assert refused(after, 0, Attack("ember_fox", (3,))) == ("belongs_to_combat", "CC-COMBAT-1")
    assert refused(after, 0, Summon("hex_toad", "B1", (3,))) == ("belongs_to_combat", "CC-COMBAT-1")
    assert refused(given, 0, MoveCreature("ember_fox", "B1", 3)) == ("belongs_to_tactic", "CC-TACTIC-1")


@pytest.mark.clause("CC-TACTIC-1", "CC-AMB-11")
def test_an_ally_goes_to_any_free_place_of_both_rows_for_one_die_of_any_pips() -> None:
    given = table({"A1": "ember_fox", "B2": "hex_toad"}, dice=(5,), phase="tactic")
    places = {move.place for move in offered(given, 0) if isinstance(move, MoveCreature)}
    assert places == {"A2", "A3", "B1", "B3"}
    events, after = when(given, 0, MoveCreature("ember_fox", "A3", 5))
    assert names(events) == ["DiceBurned", "CreatureMoved"]
    assert of(events, CreatureMoved)[0].retreat
    assert after.card_at("A3/0") == "ember_fox"
    assert after.dice == ()


@pytest.mark.clause("CC-TACTIC-1", "CC-PAY-2")
def test_each_move_takes_a_die_that_is_there() -> None:
    given = table({"A1": "ember_fox", "B2": "hex_toad"}, dice=(5,), phase="tactic")
    assert refused(given, 0, MoveCreature("ember_fox", "A3", 4)) == ("no_such_die", "CC-PAY-2")
    after = then(given, 0, MoveCreature("ember_fox", "A3", 5))
    assert refused(after, 0, MoveCreature("hex_toad", "B1", 5)) == ("no_such_die", "CC-PAY-2")


@pytest.mark.clause("CC-AMB-17", "CC-TACTIC-1")
def test_a_place_that_is_occupied_or_not_of_the_own_rows_takes_nobody() -> None:
    given = table({"A1": "ember_fox", "B2": "hex_toad"}, dice=(5,), phase="tactic")
    assert refused(given, 0, MoveCreature("ember_fox", "B2", 5)) == ("place_is_taken", "CC-TACTIC-1")
    assert refused(given, 0, MoveCreature("ember_fox", "C1", 5)) == ("place_of_crush_cards", "CC-ZONE-1")


@pytest.mark.clause("CC-GLOSS-4", "CC-TACTIC-1")
def test_nobody_moves_a_creature_of_the_opponent_for_a_die() -> None:
    given = table({"A1": "ember_fox"}, {"A1": "hex_toad"}, dice=(5,), phase="tactic")
    assert refused(given, 0, MoveCreature("hex_toad", "B2", 5)) == ("not_your_creature", "CC-GLOSS-4")


@pytest.mark.clause("CC-ACT-1")
def test_who_has_attacked_or_was_summoned_in_this_turn_is_not_moved_and_nobody_is_moved_twice() -> None:
    given = table({"A1": "ember_fox", "B1": "clay_guard"}, dice=(3, 3, 1, 1), hands=(("hex_toad",), ()))
    after = then(given, 0, Attack("ember_fox", (3,)), Summon("hex_toad", "B2", (3,)), EndCombat())
    assert refused(after, 0, MoveCreature("ember_fox", "A2", 1)) == ("no_action_left", "CC-ACT-1")
    assert refused(after, 0, MoveCreature("hex_toad", "A2", 1)) == ("entered_this_turn", "CC-ACT-1")
    assert MoveCreature("hex_toad", "A2", 1) in near_misses(after, 0)
    moved = then(after, 0, MoveCreature("clay_guard", "A2", 1))
    assert refused(moved, 0, MoveCreature("clay_guard", "B1", 1)) == ("no_action_left", "CC-ACT-1")


@pytest.mark.clause("CC-KEY-LIVELY-1")
def test_a_lively_creature_may_be_moved_in_the_turn_in_which_it_was_summoned() -> None:
    given = table(dice=(3, 1), hands=(("ember_fox",), ()))
    after = then(given, 0, Summon("ember_fox", "B2", (3,)), EndCombat(), MoveCreature("ember_fox", "A1", 1))
    assert after.card_at("A1/0") == "ember_fox"


@pytest.mark.clause("CC-TACTIC-2", "CC-AMB-17")
def test_two_allies_swap_places_for_two_dice_and_both_use_their_action() -> None:
    given = table({"A1": "ember_fox", "B2": "hex_toad"}, dice=(1, 5, 6), phase="tactic")
    events, after = when(given, 0, Swap("ember_fox", "hex_toad", (5, 1)))
    assert names(events) == ["DiceBurned", "CreaturesSwapped"]
    assert (after.card_at("A1/0"), after.card_at("B2/0"), after.dice) == ("hex_toad", "ember_fox", (6,))
    assert after.acted == {"ember_fox": 1, "hex_toad": 1}
    assert not any(isinstance(move, MoveCreature | Swap) for move in offered(after, 0))


@pytest.mark.clause("CC-TACTIC-2", "CC-AMB-17")
def test_a_swap_takes_two_dice_and_two_allies_that_have_their_action() -> None:
    board = {"A1": "ember_fox", "B2": "hex_toad"}
    given = table(board, dice=(1, 5), phase="tactic")
    assert refused(given, 0, Swap("ember_fox", "hex_toad", (5,))) == ("wrong_number_of_dice", "CC-TACTIC-2")
    assert refused(given, 0, Swap("ember_fox", "ember_fox", (1, 5))) == ("two_creatures_swap", "CC-TACTIC-2")
    acted = table(board, dice=(1, 5), phase="tactic", acted={"hex_toad": 1})
    assert refused(acted, 0, Swap("ember_fox", "hex_toad", (1, 5))) == ("no_action_left", "CC-AMB-17")


@pytest.mark.clause("CC-KEY-SLUGGISH-1")
def test_a_sluggish_creature_takes_one_damage_when_it_is_moved() -> None:
    given = table({"A1": "frost_lout"}, dice=(1,), phase="tactic")
    events, after = when(given, 0, MoveCreature("frost_lout", "A2", 1))
    assert of(events, CreaturesDamaged) == [CreaturesDamaged({"frost_lout": 1}, "sluggish")]
    assert after.damage == {"frost_lout": 1}


@pytest.mark.clause("CC-KEY-SLUGGISH-1", "CC-AMB-17")
def test_both_sluggish_creatures_of_a_swap_take_their_damage_at_once_and_may_die_of_it() -> None:
    given = table({"A1": "frost_lout", "B1": "pebble_brute"}, dice=(1, 2), phase="tactic", damage={"pebble_brute": 2})
    events, after = when(given, 0, Swap("frost_lout", "pebble_brute", (1, 2)))
    assert [event.points for event in of(events, CreaturesDamaged)] == [{"frost_lout": 1, "pebble_brute": 1}]
    assert after.list_hell(0) == ("pebble_brute",)
    assert after.card_at("B1/0") == "frost_lout"


@pytest.mark.clause("CC-TACTIC-3", "CC-TURN-1")
def test_at_the_end_all_dice_left_are_burned_and_the_other_player_is_next() -> None:
    events, after = when(table(dice=(2, 5), phase="tactic"), 0, EndTurn())
    assert names(events)[:3] == ["DiceBurned", "TurnEnded", "TurnBegan"]
    assert of(events, DiceBurned) == [DiceBurned(0, (2, 5))]
    assert of(events, TurnEnded) == [TurnEnded(0)]
    assert of(events, TurnBegan) == [TurnBegan(1)]
    assert after.turn == 1


@pytest.mark.clause("CC-TACTIC-3")
def test_without_dice_left_none_are_burned() -> None:
    events, _ = when(table(phase="tactic"), 0, EndTurn())
    assert of(events, DiceBurned) == []


@pytest.mark.clause("CC-TURN-1", "CC-AMB-27")
def test_what_holds_for_the_turn_is_over_with_it() -> None:
    changes = (LastingChange("attack", 2, True, "war_drums"), LastingChange("attack", 1, False, "rune_smith"))
    given = table({"A1": "hex_toad"}, phase="tactic", lasting={"hex_toad": changes})
    assert given.attack_points("hex_toad") == 4
    after = then(given, 0, EndTurn())
    assert after.attack_points("hex_toad") == 2
    assert asked(after) == set()  # the dice are rolled next
