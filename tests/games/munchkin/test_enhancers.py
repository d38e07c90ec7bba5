"""Enhancers: on one monster, several on one, twins, what they give, and where they go."""

from __future__ import annotations

import pytest

from referee.games.munchkin.components import COMBAT, DOOR_DISCARD, TREASURE_DISCARD
from referee.games.munchkin.events.cards import CardDrawn
from referee.games.munchkin.events.combat import MonsterEnhanced, MonsterRemoved
from referee.games.munchkin.moves import JoinByTag, PlayCard, RunAway
from referee.games.munchkin.strength import count_treasures
from tests.games.course import of, then, when
from tests.games.munchkin.combats import fighting, kicked, refused, strengths, when_all, won
from tests.games.munchkin.given import everything, offered, table


@pytest.mark.clause("MK-10.1", "MK-14.1")
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_anyone_plays_an_enhancer_on_one_monster_of_the_own_choice(seat: int) -> None:
    hands = [(), (), ()]
    hands[seat] = ("enh_hungry",)
    state = fighting(*hands, foes=("puddle_bat", "sally"), helper=1)
    for monster, sum_ in (("puddle_bat", 14), ("sally", 14)):
        assert PlayCard("enh_hungry", monster=monster) in offered(state, seat)
        events, after = when(state, seat, PlayCard("enh_hungry", monster=monster))
        assert of(events, MonsterEnhanced) == [MonsterEnhanced("enh_hungry", (monster,))]
        assert strengths(after)[1] == sum_
        assert [foe.enhancers for foe in after.running_combat.foes if foe.card != monster] == [()]


@pytest.mark.clause("MK-10.1")
def test_an_enhancer_names_a_monster_of_the_combat_and_nothing_else() -> None:
    state = fighting((), ("enh_hungry",), (), foes=("puddle_bat",))
    assert refused(state, 1, PlayCard("enh_hungry")) == ("names_too_little", "MK-10.1")
    assert refused(state, 1, PlayCard("enh_hungry", monster="sally")) == ("not_in_the_combat", "MK-10.1")
    both = PlayCard("enh_hungry", monster="puddle_bat", side="monsters")
    assert refused(state, 1, both) == ("names_too_much", "MK-10.1")


@pytest.mark.clause("MK-10.1", "MK-14.2")
def test_no_enhancer_is_played_without_a_combat_or_on_the_run() -> None:
    calm = table((), ("enh_hungry",), ())
    assert refused(calm, 1, PlayCard("enh_hungry", monster="puddle_bat")) == ("not_the_time", "MK-14.2")
    run = then(fighting((), ("enh_hungry",), (), foes=("sally",)), 0, RunAway())
    assert refused(run, 1, PlayCard("enh_hungry", monster="sally")) == ("not_the_time", "MK-14.2")


@pytest.mark.clause("MK-10.1")
def test_penalties_are_enhancers_too() -> None:
    state = then(fighting((), (), ("enh_asleep",), foes=("sally",)), 2, PlayCard("enh_asleep", monster="sally"))
    assert strengths(state)[1] == 5
    assert state.running_combat.foes[0].enhancers == ("enh_asleep",)


@pytest.mark.clause("MK-10.2", "MK-16.2")
def test_several_on_one_monster_add_up_in_strength_and_treasures() -> None:
    hands = ((), ("enh_hungry", "enh_towering"), ("enh_asleep",))
    state = fighting(*hands, foes=("puddle_bat",), levels=(9,), items={0: ("crooked_crown", "grave_spade")})
    state = when_all(
        state, (1, PlayCard("enh_hungry", monster="puddle_bat")), (2, PlayCard("enh_asleep", monster="puddle_bat")),
        (1, PlayCard("enh_towering", monster="puddle_bat")),
    )[1]  # fmt: skip
    assert strengths(state) == (15, 1 + 5 - 3 + 10)
    assert count_treasures(state.running_combat.foes[0]) == 1 + 1 + 2


@pytest.mark.clause("MK-10.3", "MK-11.2")
def test_a_twin_has_a_copy_of_every_enhancer_and_of_those_played_later_on_either() -> None:
    hands = ((), ("enh_hungry", "second_helping", "enh_asleep", "enh_overdressed"), ())
    state = fighting(*hands, foes=("puddle_bat", "coal_imp"))
    state = when_all(
        state, (1, PlayCard("enh_hungry", monster="puddle_bat")), (1, PlayCard("second_helping", monster="puddle_bat"))
    )[1]
    assert strengths(state)[1] == 6 + 2 + 6
    state = then(state, 1, PlayCard("enh_asleep", monster="puddle_bat"))
    assert strengths(state)[1] == 3 + 2 + 3
    events, state = when(state, 1, PlayCard("enh_overdressed", monster="second_helping"))
    assert of(events, MonsterEnhanced) == [MonsterEnhanced("enh_overdressed", ("puddle_bat", "second_helping"))]
    assert strengths(state)[1] == 8 + 2 + 8
    assert sum(map(count_treasures, state.running_combat.foes)) == 3 + 1 + 3


@pytest.mark.clause("MK-10.3", "MK-16.1", "MK-16.2")
def test_a_twin_counts_with_level_and_treasures_when_killed() -> None:
    how = {"levels": (3,), "items": {0: ("grave_spade",)}}
    state = fighting((), ("second_helping",), (), foes=("cracked_egg_sprite",), **how)
    state = then(state, 1, PlayCard("second_helping", monster="cracked_egg_sprite"))
    events, state = won(state)
    assert state.levels[0] == 5
    assert len(of(events, CardDrawn)) == 2


@pytest.mark.clause("MK-10.3", "MK-10.6", "MK-11.3")
@pytest.mark.parametrize("gone", ["puddle_bat", "second_helping"])
def test_enhancers_stay_with_the_twin_that_is_left(gone: str) -> None:
    hands = (("os_sleighbell",), ("enh_hungry", "second_helping"), ())
    state = when_all(
        fighting(*hands, foes=("puddle_bat",)), (1, PlayCard("enh_hungry", monster="puddle_bat")),
        (1, PlayCard("second_helping", monster="puddle_bat")), (0, PlayCard("os_sleighbell", monster=gone)),
    )[1]  # fmt: skip
    assert strengths(state)[1] == 6
    assert "enh_hungry" in state.cards_at(COMBAT)
    assert state.cards_at(DOOR_DISCARD) == (gone,)


@pytest.mark.clause("MK-10.4")
def test_a_treasure_number_is_at_least_one_where_the_enhancer_says_so_and_never_below_none() -> None:
    state = then(fighting((), ("enh_pint",), (), foes=("puddle_bat",)), 1, PlayCard("enh_pint", monster="puddle_bat"))
    assert count_treasures(state.running_combat.foes[0]) == 1
    state = then(fighting((), ("enh_pint",), (), foes=("sally",)), 1, PlayCard("enh_pint", monster="sally"))
    assert count_treasures(state.running_combat.foes[0]) == 1
    state = then(fighting((), ("enh_pint",), (), foes=("sandy_claws",)), 1, PlayCard("enh_pint", monster="sandy_claws"))
    assert count_treasures(state.running_combat.foes[0]) == 3


@pytest.mark.clause("MK-10.5", "MK-12.4")
def test_a_tag_given_by_an_enhancer_counts_from_the_moment_it_is_played() -> None:
    hands = (("os_blessed_corn",), ("enh_risen", "marrow_pup"), ())
    state = fighting(*hands, foes=("sally",), items={0: ("coffin_nails",)})
    assert strengths(state) == (3, 8)
    assert refused(state, 1, JoinByTag("marrow_pup")) == ("no_tag_shared", "MK-12.1")
    state = then(state, 1, PlayCard("enh_risen", monster="sally"))
    assert strengths(state) == (5, 13)
    assert JoinByTag("marrow_pup") in offered(state, 1)
    assert strengths(then(state, 0, PlayCard("os_blessed_corn")))[0] == 13


@pytest.mark.clause("MK-10.5", "MK-9.3")
def test_a_given_tag_meets_the_condition_of_another_monster() -> None:
    state = fighting((), ("enh_risen",), (), foes=("skeleton_choir", "puddle_bat"))
    assert strengths(state)[1] == 5
    state = then(state, 1, PlayCard("enh_risen", monster="puddle_bat"))
    assert strengths(state)[1] == 4 + 3 + 1 + 5


@pytest.mark.clause("MK-10.6", "MK-11.3")
def test_enhancers_leave_with_their_monster() -> None:
    hands = (("os_sleighbell",), ("enh_hungry", "enh_asleep"), ())
    state = when_all(
        fighting(*hands, foes=("puddle_bat", "sally")), (1, PlayCard("enh_hungry", monster="puddle_bat")),
        (1, PlayCard("enh_asleep", monster="sally")),
    )[1]  # fmt: skip
    events, state = when(state, 0, PlayCard("os_sleighbell", monster="puddle_bat"))
    assert of(events, MonsterRemoved) == [MonsterRemoved("puddle_bat")]
    assert set(state.cards_at(DOOR_DISCARD)) == {"puddle_bat", "enh_hungry"}
    assert strengths(state)[1] == 5


@pytest.mark.clause("MK-10.6", "MK-9.5")
def test_a_monster_that_takes_anothers_place_has_none_of_its_enhancers() -> None:
    hands = ((), ("enh_hungry",), ("wrong_costume", "coal_imp"))
    state = fighting(*hands, foes=("sally",), levels=(3,))
    state = then(state, 1, PlayCard("enh_hungry", monster="sally"))
    events, state = when(state, 2, PlayCard("wrong_costume", monster="sally", partner="coal_imp"))
    assert of(events, MonsterRemoved) == [MonsterRemoved("sally", replaced=True)]
    assert strengths(state)[1] == 2
    assert set(state.cards_at(DOOR_DISCARD)) == {"sally", "enh_hungry"}
    events, state = won(state)
    assert state.levels[0] == 4


@pytest.mark.clause("MK-10.6", "MK-9.5")
def test_a_monster_that_takes_anothers_place_does_what_it_does_on_entering() -> None:
    hands = (("stilts",), (), ("wrong_costume", "lock_shock_barrel"))
    state = fighting(*hands, foes=("sally",))
    _, state = when(state, 2, PlayCard("wrong_costume", monster="sally", partner="lock_shock_barrel"))
    assert state.cards_at(TREASURE_DISCARD) == ("stilts",)


@pytest.mark.clause("MK-2.1", "MK-10.6")
def test_no_card_is_lost_when_twins_are_killed_or_removed_together() -> None:
    hands = (("os_lullaby",), ("enh_hungry", "second_helping"), ())
    before = kicked(*hands, behind="puddle_bat", levels=(9,), items={0: ("crooked_crown", "grave_spade")})
    state = when_all(before, (1, PlayCard("enh_hungry", monster="puddle_bat")),
                     (1, PlayCard("second_helping", monster="puddle_bat")))[1]  # fmt: skip
    for after in (won(state)[1], then(state, 0, PlayCard("os_lullaby"))):
        assert everything(after) == everything(before)
    removed = then(state, 0, PlayCard("os_lullaby"))
    assert set(removed.cards_at(DOOR_DISCARD)) == {"puddle_bat", "second_helping", "enh_hungry"}
    assert removed.cards_at(COMBAT) == ()
