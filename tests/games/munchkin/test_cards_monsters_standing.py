"""What monsters say of their own strength, of running away and of the whole combat: where it holds, where it fails."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.munchkin.moves import AskHelp, DiscardFromPlay, PlayCard, UsePower
from tests.games.course import refused, then
from tests.games.munchkin.card_moves import fight, strengths

TOWNS = ("town_halloween", "town_christmas", "town_easter", "town_thanksgiving")


# ---- towns -----------------------------------------------------------------------------------------------------------

AGAINST = (  # the monster, its level, what it gets, and against whom
    ("stale_candy_swarm", 1, 3, "town_christmas"),
    ("mitten_gremlins", 2, 3, "town_halloween"),
    ("cracked_egg_sprite", 2, -2, "town_easter"),
    ("gravy_wisp", 2, 3, "town_thanksgiving"),
    ("wolfman", 6, 4, "town_easter"),
    ("larder_demon", 8, 4, "town_thanksgiving"),
    ("easter_bunny", 10, -3, "town_easter"),
    ("frost_marionette", 12, -3, "town_christmas"),
    ("sandy_claws", 14, 4, "town_halloween"),
)
against = pytest.mark.parametrize(("card", "level", "more", "town"), AGAINST, ids=[each[0] for each in AGAINST])


@against
@pytest.mark.clause("MK-4.10", "MK-9.4")
def test_a_monster_looks_at_the_town_of_main_and_helper_and_counts_it_once(
    card: str, level: int, more: int, town: str
) -> None:
    assert strengths(fight(card, towns={0: (town,)}))[1] == level + more
    assert strengths(fight(card, helper=1, towns={1: (town,)}))[1] == level + more
    assert strengths(fight(card, helper=1, towns={0: (town,), 1: (town,)}))[1] == level + more


@against
def test_a_monster_does_not_look_at_other_towns_or_at_bystanders(card: str, level: int, more: int, town: str) -> None:
    for other in (each for each in TOWNS if each != town):
        assert strengths(fight(card, towns={0: (other,)}))[1] == level
    assert strengths(fight(card, helper=1, towns={2: (town,)}))[1] == level
    state = then(fight(card, towns={0: (town,)}), 0, DiscardFromPlay(town))
    assert strengths(state)[1] == level


@against
@pytest.mark.clause("MK-4.6")
def test_dual_citizenship_with_one_town_keeps_the_harm_off_and_nothing_else(
    card: str, level: int, more: int, town: str
) -> None:
    sheltered = fight(card, towns={0: (town, "dual_citizenship")})
    assert strengths(sheltered)[1] == level + min(more, 0)
    second = "town_christmas" if town != "town_christmas" else "town_easter"
    both = fight(card, towns={0: (town, second, "dual_citizenship")})
    assert strengths(both)[1] == level + more


# ---- other conditions ------------------------------------------------------------------------------------------------


def at(level: int) -> dict[str, Any]:
    return {"levels": (level, 1, 1)}


CONDITIONS: tuple[tuple[str, int, int, dict[str, Any], dict[str, Any]], ...] = (  # where it holds, and where it fails
    ("paper_lantern_haunt", 1, 3, {}, {"towns": {0: ("town_easter",)}}),
    ("ember_hound", 6, 3, {"rides": {0: ("ride_pram",)}}, {"rides": {1: ("ride_pram",)}}),
    ("ember_hound", 6, 3, {"helper": 1, "rides": {1: ("ride_pram",)}}, {"helper": 1, "rides": {2: ("ride_pram",)}}),
    ("mourning_twins", 8, 4, {"helper": 1}, {}),
    ("hollow_judge", 12, 3, at(6), at(5)),
    ("hollow_judge", 12, 3, {"helper": 1, "levels": (1, 6, 1)}, {"helper": 1, "levels": (5, 5, 9)}),
    ("vault_lich", 12, 4,  # 700 and 800 make 1500, carried ones too; 700 and 600 and what lies in a hand do not
     {"carried": {0: ("coffin_lid_plate",)}, "items": {0: ("overtime_scythe",)}},
     {"carried": {0: ("coffin_lid_plate",)}, "items": {0: ("confetti_cannon",)}, "hands": (("bat_hat",), (), ())}),
    ("vault_lich", 12, 4,
     {"helper": 1, "items": {1: ("overtime_scythe", "crooked_crown")}, "carried": {1: ("os_foul_eggnog",)}},
     {"helper": 1, "items": {0: ("overtime_scythe",), 1: ("coffin_lid_plate",)}}),
)  # fmt: skip


@pytest.mark.parametrize(("card", "level", "more", "holds", "fails"), CONDITIONS)
def test_a_monster_gets_more_where_its_condition_holds(
    card: str, level: int, more: int, holds: dict[str, Any], fails: dict[str, Any]
) -> None:
    assert strengths(fight(card, **holds))[1] == level + more


@pytest.mark.parametrize(("card", "level", "more", "holds", "fails"), CONDITIONS)
def test_a_monster_gets_nothing_where_its_condition_fails(
    card: str, level: int, more: int, holds: dict[str, Any], fails: dict[str, Any]
) -> None:
    assert strengths(fight(card, **fails))[1] == level


@pytest.mark.card("coal_imp", "skeleton_choir")
def test_a_monster_is_stronger_beside_another_of_its_tag() -> None:
    assert strengths(fight("coal_imp", "cellar_imp"))[1] == 2 + 2 + 1
    assert strengths(fight("skeleton_choir", "marrow_pup"))[1] == 4 + 3 + 1
    made = then(fight("skeleton_choir", "wolfman", hands=((), ("enh_risen",), ())), 1,
                PlayCard("enh_risen", monster="wolfman"))  # fmt: skip
    assert strengths(made)[1] == 4 + 3 + 6 + 5


@pytest.mark.card("skeleton_choir", "pumpkin_brute")
@pytest.mark.parametrize(("foe", "each"), [("skeleton_choir", 4 + 3 + 5), ("pumpkin_brute", 4 + 10)])
@pytest.mark.clause("MK-10.3")
def test_a_twin_says_what_its_monster_says(foe: str, each: int) -> None:
    state = fight(foe, hands=((), ("second_helping", "enh_hungry"), ()))
    state = then(state, 1, PlayCard("second_helping", monster=foe), PlayCard("enh_hungry", monster="second_helping"))
    assert strengths(state)[1] == 2 * each


@pytest.mark.card("coal_imp", "skeleton_choir")
def test_a_monster_is_not_stronger_for_its_own_tag_or_another_one() -> None:
    assert strengths(fight("coal_imp", "marrow_pup"))[1] == 2 + 1
    assert strengths(fight("skeleton_choir", "cellar_imp"))[1] == 4 + 1
    own = then(fight("coal_imp", hands=((), ("enh_hellfired",), ())), 1, PlayCard("enh_hellfired", monster="coal_imp"))
    assert strengths(own)[1] == 2 + 5


# ---- what counts in the whole combat ---------------------------------------------------------------------------------


@pytest.mark.card("clockwork_nutcracker")
def test_armor_gives_neither_fighter_a_bonus_against_the_nutcracker() -> None:
    worn = {0: ("coffin_lid_plate", "bat_hat"), 1: ("tinfoil_suit",)}
    assert strengths(fight("clockwork_nutcracker", "puddle_bat", helper=1, items=worn)) == (4 + 2 + 4, 9)


@pytest.mark.card("clockwork_nutcracker")
def test_the_nutcracker_does_not_touch_other_items_or_other_combats() -> None:
    assert strengths(fight("clockwork_nutcracker", items={0: ("bat_hat", "bone_spurs")}))[0] == 4 + 2 + 2
    assert strengths(fight("puddle_bat", items={0: ("tinfoil_suit",)}))[0] == 4 + 2


@pytest.mark.card("grave_carolers")
@pytest.mark.clause("MK-9.4")
def test_no_one_shot_is_played_on_the_munchkins_side_while_the_carolers_sing() -> None:
    hands = (("os_popping_corn", "os_mirror_twin"), ("os_blessed_corn", "os_fruitcake"), ())
    state = fight("grave_carolers", "puddle_bat", hands=hands)
    for seat, move in ((0, PlayCard("os_popping_corn", side="munchkins")), (0, PlayCard("os_mirror_twin")),
                       (1, PlayCard("os_blessed_corn"))):  # fmt: skip
        assert refused(state, seat, move) == ("no_one_shots_here", "MK-9.4")


@pytest.mark.card("grave_carolers")
def test_the_carolers_say_nothing_against_one_shots_for_the_monsters_or_against_paid_powers() -> None:
    hands = (("marrow_pup",), ("os_fruitcake",), ())
    state = fight("grave_carolers", hands=hands, towns={0: ("town_halloween",)})
    state = then(state, 1, PlayCard("os_fruitcake", side="monsters"))
    state = then(state, 0, UsePower("scare", "marrow_pup"))
    assert strengths(state) == (7, 15)


@pytest.mark.card("pit_choirmaster")
@pytest.mark.clause("MK-9.4")
def test_nobody_can_be_asked_or_drafted_against_the_choirmaster() -> None:
    state = fight("pit_choirmaster", hands=(("drafted",), (), ()))
    assert refused(state, 0, AskHelp(seat=1)) == ("nobody_can_help", "MK-9.4")
    assert refused(state, 0, PlayCard("drafted", 1)) == ("nobody_can_help", "MK-9.4")


@pytest.mark.card("pit_choirmaster")
@pytest.mark.clause("MK-9.4")
def test_a_helper_has_to_leave_when_the_choirmaster_comes_in() -> None:
    state = fight("wolfman", helper=1, hands=((), (), ("wandering_monster", "pit_choirmaster")))
    state = then(state, 2, PlayCard("wandering_monster", partner="pit_choirmaster"))
    assert (state.running_combat.fighters, strengths(state)) == ((0,), (4, 20))


@pytest.mark.card("pit_choirmaster")
def test_once_the_choirmaster_is_gone_nothing_keeps_others_from_helping() -> None:
    state = fight("pit_choirmaster", "puddle_bat", hands=(("os_sleighbell",), (), ()))
    state = then(state, 0, PlayCard("os_sleighbell", monster="pit_choirmaster"), AskHelp(seat=1))
    assert state.running_combat.asked == 1


@pytest.mark.card("moonlit_hydra")
def test_levels_one_shots_and_paid_powers_count_against_the_hydra() -> None:
    hands = (("os_fruitcake", "marrow_pup"), (), ())
    state = fight("moonlit_hydra", hands=hands, helper=1, towns={0: ("town_halloween",)})
    state = then(state, 0, PlayCard("os_fruitcake", side="munchkins"), UsePower("scare", "marrow_pup"))
    assert strengths(state) == (4 + 4 + 5 + 3, 14)


@pytest.mark.card("moonlit_hydra")
def test_items_and_rides_do_not_count_against_the_hydra() -> None:
    state = fight("moonlit_hydra", "puddle_bat", helper=1, items={0: ("bat_hat",), 1: ("spare_shadow", "grave_spade")},
                  rides={0: ("ride_sleigh", "renh_runners")}, hands=(("os_mirror_twin",), (), ()))  # fmt: skip
    assert strengths(state) == (4 + 4, 15)
    alone = fight("moonlit_hydra", items={0: ("bat_hat",)}, hands=(("os_mirror_twin",), (), ()))
    assert strengths(then(alone, 0, PlayCard("os_mirror_twin")))[0] == 8


@pytest.mark.card("pumpkin_brute")
def test_enhancers_of_the_brute_count_twice_for_good_and_bad() -> None:
    state = fight("pumpkin_brute", hands=((), ("enh_hungry", "enh_asleep"), ()))
    state = then(state, 1, PlayCard("enh_hungry", monster="pumpkin_brute"))
    assert strengths(state)[1] == 4 + 10
    assert strengths(then(state, 1, PlayCard("enh_asleep", monster="pumpkin_brute")))[1] == 4 + 10 - 6


@pytest.mark.card("pumpkin_brute")
def test_the_brute_does_not_double_the_enhancers_of_others_or_one_shots() -> None:
    state = fight("pumpkin_brute", "wolfman", hands=((), ("enh_hungry", "os_fruitcake"), ()))
    state = then(state, 1, PlayCard("enh_hungry", monster="wolfman"), PlayCard("os_fruitcake", side="monsters"))
    assert strengths(state)[1] == 4 + 6 + 5 + 5
