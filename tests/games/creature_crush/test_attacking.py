"""Who may attack whom, and what an attack comes to (CC-ATTACK-1 to CC-ATTACK-5, CC-ACT-1, CC-DAMAGE-1)."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.creature_crush.events.cards import CardsDestroyed
from referee.games.creature_crush.events.field import AttackDeclared, AttackEnded, CreaturesDamaged
from referee.games.creature_crush.moves import Attack, Flip, Pass, Summon
from referee.games.creature_crush.rules.actions.actions import actions_left, may_act
from referee.games.creature_crush.rules.combat.attacking import find_targets
from referee.games.creature_crush.state import Table
from tests.games.course import asked, near_misses, of, refused, then, when
from tests.games.creature_crush.table import names, offered, table

ENEMIES = {"A1": "knife_goblin", "B1": "clay_guard", "A2": "frost_lout", "B3": "hex_toad"}


def attacks(state: Table, seat: int = 0) -> set[tuple[str, str]]:
    """Who may attack whom, of all that is listed."""
    return {(move.creature, move.target) for move in offered(state, seat) if isinstance(move, Attack)}


@pytest.mark.clause("CC-ATTACK-3", "CC-AMB-13", "CC-ZONE-2", "CC-AMB-1")
def test_an_a_creature_attacks_the_enemy_of_row_b_in_its_column_and_no_a_creature() -> None:
    given = table({"A1": "ember_fox"}, ENEMIES, dice=(3,))
    assert attacks(given) == {("ember_fox", "clay_guard")}
    assert refused(given, 0, Attack("ember_fox", (3,), "knife_goblin")) == ("a_attacks_no_a", "CC-ATTACK-3")
    assert refused(given, 0, Attack("ember_fox", (3,), "hex_toad")) == ("not_opposite", "CC-ATTACK-3")


@pytest.mark.clause("CC-ATTACK-3", "CC-AMB-13")
def test_an_a_creature_attacks_directly_past_an_enemy_of_row_a_but_not_past_one_of_row_b() -> None:
    given = table(
        {"A1": "ember_fox", "A2": "hex_toad"}, {"A1": "knife_goblin", "A2": "frost_lout", "B1": "clay_guard"}, dice=(3,)
    )
    assert attacks(given) == {("ember_fox", "clay_guard"), ("hex_toad", "")}
    assert refused(given, 0, Attack("ember_fox", (3,))) == ("enemy_in_the_way", "CC-ATTACK-3")


@pytest.mark.clause("CC-ATTACK-4")
def test_a_b_creature_attacks_both_enemies_opposite_and_never_the_player() -> None:
    given = table({"B1": "ember_fox", "B3": "thornback", "B2": "iron_boar"}, ENEMIES, dice=(3, 2, 4))
    assert attacks(given) == {
        ("ember_fox", "knife_goblin"),
        ("ember_fox", "clay_guard"),
        ("thornback", "hex_toad"),
        ("iron_boar", "frost_lout"),
    }
    assert refused(given, 0, Attack("thornback", (2,), "clay_guard")) == ("not_opposite", "CC-ATTACK-4")
    empty = table({"B1": "ember_fox"}, dice=(3,))
    assert refused(empty, 0, Attack("ember_fox", (3,))) == ("b_attacks_no_player", "CC-ATTACK-4")


@pytest.mark.clause("CC-AMB-13")
def test_who_aims_freely_attacks_any_enemy_and_directly_as_all_do() -> None:
    given = table({"A2": "grim_archer"}, ENEMIES)
    assert set(find_targets(given, "grim_archer")) == {*ENEMIES.values(), ""}
    behind = table({"A1": "grim_archer"}, ENEMIES)
    assert set(find_targets(behind, "grim_archer")) == set(ENEMIES.values())


@pytest.mark.clause("CC-ATTACK-2")
def test_a_creature_without_attack_points_does_not_attack() -> None:
    given = table({"A1": "lantern_moth"}, dice=(1,))
    assert attacks(given) == set()
    assert refused(given, 0, Attack("lantern_moth", (1,))) == ("no_attack_points", "CC-ATTACK-2")


@pytest.mark.clause("CC-ATTACK-2", "CC-AMB-19")
def test_it_does_attack_while_a_neighbour_gives_it_attack_points() -> None:
    assert attacks(table({"A1": "lantern_moth", "A2": "horn_blower"}, dice=(1,))) == {("lantern_moth", "")}


@pytest.mark.clause("CC-ATTACK-1", "CC-PAY-1")
def test_each_attack_is_paid_anew_with_the_cost_of_the_attacker() -> None:
    given = table({"A1": "ember_fox", "A2": "hex_toad"}, dice=(1, 2, 3))
    after = then(given, 0, Attack("ember_fox", (1, 2)), Attack("hex_toad", (3,)))
    assert after.dice == ()
    assert refused(given, 0, Attack("ember_fox", (2,))) == ("pips_do_not_match", "CC-PAY-1")


@pytest.mark.clause("CC-ATTACK-1")
def test_six_four_and_three_pay_attacks_of_the_costs_of_the_example() -> None:
    given = table({"A1": "chimera", "A2": "bronze_minotaur", "A3": "thunder_ram"}, dice=(6, 4, 3))
    given_low = table({"A1": "dune_strider", "A2": "cinder_wolf", "A3": "iron_boar", "B1": "tar_golem"}, dice=(6, 4, 3))
    assert {creature for creature, _ in attacks(given)} == {"chimera", "bronze_minotaur", "thunder_ram"}
    assert {creature for creature, _ in attacks(given_low)} == {"dune_strider", "cinder_wolf", "iron_boar"}


@pytest.mark.clause("CC-ATTACK-5")
def test_the_attacked_creature_takes_damage_and_the_attacker_none() -> None:
    events, after = when(
        table({"A1": "ember_fox"}, {"B1": "clay_guard"}, dice=(3,)), 0, Attack("ember_fox", (3,), "clay_guard")
    )
    assert names(events) == ["DiceBurned", "AttackDeclared", "Damaged"]
    assert after.damage == {"clay_guard": 2}
    assert of(events, AttackDeclared) == [AttackDeclared(0, "ember_fox", "clay_guard")]


@pytest.mark.clause("CC-DAMAGE-1")
def test_damage_stays_and_destroys_once_it_reaches_the_life_points() -> None:
    given = table({"A1": "ember_fox"}, {"B1": "clay_guard"}, dice=(3,), damage={"clay_guard": 3})
    events, after = when(given, 0, Attack("ember_fox", (3,), "clay_guard"))
    assert names(events)[-2:] == ["Damaged", "CardsDestroyed"]
    assert after.list_hell(1) == ("clay_guard",)
    assert after.damage == {}
    survivor = then(
        table({"A1": "ember_fox"}, {"B1": "clay_guard"}, dice=(3,), damage={"clay_guard": 2}),
        0,
        Attack("ember_fox", (3,), "clay_guard"),
    )
    assert survivor.damage == {"clay_guard": 4}


@pytest.mark.clause("CC-AMB-19", "CC-EFF-PERM-1")
def test_armor_lowers_damage_of_attacks_and_never_below_nothing() -> None:
    given = table({"A1": "spark_imp"}, {"B1": "siege_tortoise"}, dice=(1,))
    events, after = when(given, 0, Attack("spark_imp", (1,), "siege_tortoise"))
    assert of(events, CreaturesDamaged) == []
    assert after.damage == {}


# ---- the one action --------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-ACT-1", "CC-AMB-12")
def test_a_creature_attacks_once_in_a_turn() -> None:
    after = then(table({"A1": "ember_fox"}, dice=(3, 3)), 0, Attack("ember_fox", (3,)))
    assert refused(after, 0, Attack("ember_fox", (3,))) == ("no_action_left", "CC-ACT-1")


@pytest.mark.clause("CC-ACT-1")
def test_whoever_was_summoned_does_not_attack_in_the_same_turn() -> None:
    given = table({"B1": "thornback"}, {}, dice=(3, 3), hands=(("clay_guard",), ()))
    after = then(given, 0, Summon("clay_guard", "A1", (3,)))
    assert refused(after, 0, Attack("clay_guard", (3,))) == ("entered_this_turn", "CC-ACT-1")
    assert Attack("clay_guard", (3,)) in near_misses(after, 0)


@pytest.mark.clause("CC-KEY-LIVELY-1", "CC-AMB-12")
def test_a_lively_creature_has_exactly_one_action_more_in_the_turn_in_which_it_was_summoned() -> None:
    given = table({"B1": "thornback"}, {}, dice=(3, 3, 3), hands=(("ember_fox",), ()))
    after = then(given, 0, Summon("ember_fox", "A1", (3,)), Attack("ember_fox", (3,)))
    assert refused(after, 0, Attack("ember_fox", (3,))) == ("lively_once_more", "CC-KEY-LIVELY-1")


@pytest.mark.clause("CC-KEY-LIVELY-1")
def test_lively_gives_nothing_more_to_a_creature_that_was_there_before() -> None:
    assert actions_left(table({"A1": "ember_fox"}), "ember_fox") == 1


@pytest.mark.clause("CC-AMB-12")
def test_lively_may_come_from_a_neighbour_and_is_looked_at_when_the_action_is_taken() -> None:
    given: dict[str, Any] = {"entered": ("hex_toad",)}
    assert may_act(table({"A1": "hex_toad", "A2": "dusk_bishop"}, **given), "hex_toad")
    assert not may_act(table({"A1": "hex_toad", "A3": "dusk_bishop"}, **given), "hex_toad")


@pytest.mark.clause("CC-AMB-12")
def test_an_effect_may_give_one_more_action() -> None:
    twice = table({"A1": "hex_toad"}, dice=(3, 3), ready={"hex_toad": 1})
    after = then(twice, 0, Attack("hex_toad", (3,)), Attack("hex_toad", (3,)))
    assert len(after.list_hell(1)) == 2
    assert actions_left(table({"A1": "hex_toad"}, entered=("hex_toad",), ready={"hex_toad": 1}), "hex_toad") == 1


@pytest.mark.clause("CC-GLOSS-4")
def test_only_allies_attack_and_only_enemies_are_attacked() -> None:
    given = table({"A1": "ember_fox", "B1": "thornback"}, {"A1": "hex_toad"}, dice=(3,))
    assert refused(given, 0, Attack("hex_toad", (3,))) == ("not_your_creature", "CC-GLOSS-4")
    assert refused(given, 0, Attack("ember_fox", (3,), "thornback")) == ("no_enemy", "CC-GLOSS-4")
    assert refused(given, 0, Attack("nobody", (3,))) == ("not_your_creature", "CC-GLOSS-4")


# ---- Vengeful, and attacks that come to nothing ----------------------------------------------------------------------


@pytest.mark.clause("CC-KEY-VENGEFUL-1", "CC-AMB-22", "CC-CHAIN-7")
def test_block_damage_is_dealt_at_the_same_time_even_if_the_defender_dies() -> None:
    given = table({"A1": "iron_boar"}, {"B1": "knife_goblin"}, dice=(4,))
    events, after = when(given, 0, Attack("iron_boar", (4,), "knife_goblin"))
    assert of(events, CreaturesDamaged)[0].points == {"knife_goblin": 4, "iron_boar": 3}
    assert after.list_hell(1) == ("knife_goblin",)
    assert after.damage == {"iron_boar": 3}


@pytest.mark.clause("CC-AMB-22")
def test_block_damage_is_no_attack_it_meets_neither_armor_nor_a_vengeful_attacker() -> None:
    given = table({"A1": "thornback", "A2": "shield_bearer"}, {"B1": "knife_goblin"}, dice=(2,))
    events, _ = when(given, 0, Attack("thornback", (2,), "knife_goblin"))
    assert of(events, CreaturesDamaged)[0].points == {"knife_goblin": 1, "thornback": 3}


@pytest.mark.clause("CC-AMB-22", "CC-CHAIN-6")
def test_both_creatures_of_an_attack_may_be_destroyed_at_the_same_time() -> None:
    given = table({"A1": "pebble_brute"}, {"B1": "knife_goblin"}, dice=(2,))
    events, after = when(given, 0, Attack("pebble_brute", (2,), "knife_goblin"))
    assert len(of(events, CardsDestroyed)) == 1
    assert (after.list_hell(0), after.list_hell(1)) == (("pebble_brute",), ("knife_goblin",))


@pytest.mark.clause("CC-AMB-22", "CC-CHAIN-7")
def test_a_cancelled_attack_deals_no_block_damage_and_keeps_dice_and_action_spent() -> None:
    given = table({"A1": "thornback"}, {"B1": "knife_goblin", "C1": "recoil"}, dice=(2, 2))
    _, asking = when(given, 0, Attack("thornback", (2,), "knife_goblin"))
    assert asked(asking) == {1}
    events, after = when(asking, 1, Flip("C1", "recoil"))
    assert [event.why for event in of(events, AttackEnded)] == ["cancelled"]
    assert after.damage == {"thornback": 1}  # what the card deals, and no block damage
    assert after.dice == (2,)
    assert refused(after, 0, Attack("thornback", (2,), "knife_goblin")) == ("no_action_left", "CC-ACT-1")


@pytest.mark.clause("CC-CHAIN-7")
def test_an_attack_ends_without_damage_if_its_attacker_is_gone() -> None:
    given = table({"A1": "iron_boar"}, {"C1": "raised_drawbridge"}, dice=(4,))
    _, asking = when(given, 0, Attack("iron_boar", (4,)))
    events, after = when(asking, 1, Flip("C1", "raised_drawbridge"))
    assert len(of(events, AttackEnded)) == 1
    assert after.cards_in_hand(0) == ("iron_boar",)
    assert len(after.cards_at("deck/1:")) == 3


@pytest.mark.clause("CC-CHAIN-4", "CC-CHAIN-7")
def test_an_attack_that_the_window_lets_pass_reaches_its_target() -> None:
    given = table({"A1": "thornback"}, {"B1": "clay_guard", "C1": "recoil"}, dice=(2,))
    after = then(then(given, 0, Attack("thornback", (2,), "clay_guard")), 1, Pass())
    assert after.damage == {"clay_guard": 1}
    assert asked(after) == {0}
