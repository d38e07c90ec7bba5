"""The one-shots of a combat: what each adds or takes, from the hand and from play, and when it is not played."""

from __future__ import annotations

import pytest

from referee.games.munchkin.components import COMBAT, TREASURE_DISCARD
from referee.games.munchkin.moves import ClaimKill, PlayCard, RunAway, Sell
from tests.games.course import asked, refusal, refused, then
from tests.games.munchkin.card_moves import fight, killed, ran, strengths
from tests.games.munchkin.given import table

BONUS = (  # the one-shot, its bonus to either side, its value
    ("os_popping_corn", 2, 100),
    ("os_glitter_bomb", 2, 100),
    ("os_foul_eggnog", 2, 100),
    ("os_frog_fizz", 3, 200),
    ("os_snow_grenade", 3, 200),
    ("os_gravy_boat", 3, 200),
    ("os_confetti_egg", 3, 200),
    ("os_bottled_dread", 5, 300),
    ("os_fruitcake", 5, 300),
)
AGAINST = (("os_blessed_corn", "skeleton_choir", "coal_imp", "enh_risen"),
           ("os_rock_salt", "coal_imp", "skeleton_choir", "enh_hellfired"))  # fmt: skip
every = pytest.mark.parametrize(("card", "bonus", "gold"), BONUS, ids=[each[0] for each in BONUS])


# ---- for either side -------------------------------------------------------------------------------------------------


@every
@pytest.mark.clause("MK-6.4", "MK-8.1", "MK-8.3")
def test_a_one_shot_adds_to_the_side_named_whoever_plays_it_from_hand_or_play(card: str, bonus: int, gold: int) -> None:
    for seat in range(3):
        hands = [(), (), ()]
        hands[seat] = (card,)
        for state in (fight("sally", hands=hands, helper=1), fight("sally", carried={seat: (card,)}, helper=1)):
            ours = then(state, seat, PlayCard(card, side="munchkins"))
            assert strengths(ours) == (8 + bonus, 8)
            theirs = then(state, seat, PlayCard(card, side="monsters"))
            assert strengths(theirs) == (8, 8 + bonus)
            assert card in theirs.cards_at(COMBAT)


@every
@pytest.mark.clause("MK-8.3", "MK-14.2")
def test_a_one_shot_is_not_played_without_a_side_or_a_combat_or_on_the_run_or_twice(
    card: str, bonus: int, gold: int
) -> None:
    state = fight("wolfman", hands=((), (card,), ()))
    assert refused(state, 1, PlayCard(card)) == ("names_too_little", "MK-8.3")
    assert refused(state, 1, PlayCard(card, side="ours")) == ("no_such_side", "MK-8.3")
    assert refused(table((card,), (), ()), 0, PlayCard(card, side="munchkins")) == ("not_the_time", "MK-14.2")
    assert refused(then(state, 0, RunAway()), 1, PlayCard(card, side="monsters")) == ("not_the_time", "MK-14.2")
    used = then(state, 1, PlayCard(card, side="monsters"))
    assert refused(used, 1, PlayCard(card, side="monsters"))[0] == "not_in_the_hand"


@every
def test_a_one_shot_lies_in_the_combat_until_its_end_and_sells_for_its_value(card: str, bonus: int, gold: int) -> None:
    _, state = killed(then(fight("puddle_bat", hands=((card,), (), ())), 0, PlayCard(card, side="munchkins")))
    assert state.cards_at(TREASURE_DISCARD) == (card,)
    assert refusal(table((card,), (), ()), 0, Sell((card,))).params["sum"] == gold


VALUES = (
    ("os_panic_confetti", 300), ("os_mirror_twin", 300), ("os_blessed_corn", 200), ("os_rock_salt", 200),
    ("os_sleighbell", 300), ("os_lullaby", 200), ("os_knucklebone", 300), ("os_sudden_hedge", 300),
    ("os_moth_cloak", 200), ("os_lucky_wreath", 500), ("os_lantern_genie", 500), ("os_grave_robbing_kit", 500),
)  # fmt: skip


@pytest.mark.parametrize(("card", "gold"), VALUES)
def test_a_one_shot_of_another_sort_has_its_value_too(card: str, gold: int) -> None:
    assert refusal(table((card,), (), ()), 0, Sell((card,))).params["sum"] == gold
    sale = (card, "crooked_crown", "coffin_lid_plate")
    assert then(table(sale, (), ()), 0, Sell(sale)).levels[0] == 2


# ---- for the munchkins -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "hit", "other", "giver"), AGAINST)
def test_a_one_shot_against_a_tag_adds_eight_where_it_is(card: str, hit: str, other: str, giver: str) -> None:
    assert strengths(then(fight(hit, "wolfman", hands=((), (card,), ())), 1, PlayCard(card)))[0] == 4 + 8
    state = then(fight("wolfman", hands=((), (card, giver), ())), 1, PlayCard(giver, monster="wolfman"), PlayCard(card))
    assert strengths(state)[0] == 4 + 8


@pytest.mark.parametrize(("card", "hit", "other", "giver"), AGAINST)
@pytest.mark.clause("MK-8.3", "MK-14.2")
def test_a_one_shot_against_a_tag_adds_three_where_it_is_not_and_never_helps_the_monsters(
    card: str, hit: str, other: str, giver: str
) -> None:
    state = fight(other, "wolfman", hands=((), (card, giver), ()))
    played = then(state, 1, PlayCard(card))
    assert strengths(played)[0] == 4 + 3
    late = then(played, 1, PlayCard(giver, monster="wolfman"))
    assert strengths(late)[0] == 4 + 3  # it counts what was there when it was played
    assert refused(state, 1, PlayCard(card, side="monsters")) == ("names_too_much", "MK-8.3")
    assert refused(table((card,), (), ()), 0, PlayCard(card)) == ("not_the_time", "MK-14.2")


@pytest.mark.card("os_mirror_twin")
def test_the_twin_in_the_mirror_doubles_what_main_is_worth_and_not_what_was_played() -> None:
    state = fight("sally", hands=(("os_mirror_twin",), ("os_fruitcake",), ()), items={0: ("bat_hat", "spare_shadow")},
                  rides={0: ("ride_pram",)})  # fmt: skip
    state = then(state, 1, PlayCard("os_fruitcake", side="munchkins"))
    state = then(state, 0, PlayCard("os_mirror_twin"))
    assert strengths(state)[0] == 10 + 5 + 10  # 4 and 2, 3, 1


@pytest.mark.card("os_mirror_twin")
@pytest.mark.clause("MK-3.1", "MK-14.1")
def test_there_is_no_twin_in_the_mirror_and_nothing_doubled_beside_a_helper_or_for_bystanders() -> None:
    helped = fight("sally", hands=(("os_mirror_twin",), (), ()), helper=1)
    assert refused(helped, 0, PlayCard("os_mirror_twin")) == ("condition_fails", "MK-3.1")
    state = fight("sally", hands=((), ("os_mirror_twin",), ()))
    assert refused(state, 1, PlayCard("os_mirror_twin")) == ("not_the_time", "MK-14.1")


# ---- that end it -----------------------------------------------------------------------------------------------------


@pytest.mark.card("os_panic_confetti")
@pytest.mark.clause("MK-17.2")
def test_the_whistle_makes_the_fighters_run_even_if_they_are_winning_or_have_claimed() -> None:
    state = fight("puddle_bat", hands=((), (), ("os_panic_confetti",)), helper=1)
    for before in (state, then(state, 0, ClaimKill())):
        after = then(before, 2, PlayCard("os_panic_confetti"))
        assert after.moment == "flee"
        assert after.running_combat.to_flee == ("0/puddle_bat", "1/puddle_bat")
        assert asked(after) == {0}


@pytest.mark.card("os_panic_confetti")
@pytest.mark.clause("MK-3.1", "MK-14.2")
def test_the_whistle_is_not_blown_by_a_fighter_or_where_nobody_fights() -> None:
    card = "os_panic_confetti"
    for seat in (0, 1):
        hands = [(), (), ()]
        hands[seat] = (card,)
        assert refused(fight("wolfman", hands=hands, helper=1), seat, PlayCard(card)) == ("condition_fails", "MK-3.1")
    assert refused(table((card,), (), ()), 0, PlayCard(card)) == ("not_the_time", "MK-14.2")


@pytest.mark.card("os_sleighbell")
@pytest.mark.clause("MK-10.6", "MK-11.3")
def test_the_sleighbell_sends_one_monster_away_with_what_lies_on_it() -> None:
    hands = ((), ("os_sleighbell", "enh_towering"), ())
    state = fight("wolfman", "puddle_bat", hands=hands)
    state = then(state, 1, PlayCard("enh_towering", monster="wolfman"), PlayCard("os_sleighbell", monster="wolfman"))
    assert strengths(state) == (4, 1)
    _, state = killed(state)
    assert (state.levels[0], len(state.cards_in_hand(0))) == (5, 1)


@pytest.mark.card("os_sleighbell")
@pytest.mark.clause("MK-10.1", "MK-11.5", "MK-16.6")
def test_for_the_last_monster_that_the_sleighbell_sends_away_there_is_nothing() -> None:
    state = then(fight("wolfman", hands=((), ("os_sleighbell",), ())), 1, PlayCard("os_sleighbell", monster="wolfman"))
    assert (state.combat, state.levels[0], state.cards_in_hand(0)) == (None, 4, ())
    there = fight("wolfman", hands=((), ("os_sleighbell",), ()))
    assert refused(there, 1, PlayCard("os_sleighbell", monster="sally")) == ("not_in_the_combat", "MK-10.1")
    fled = ran("wolfman", hands=((), ("os_sleighbell",), ()))
    assert refused(fled, 1, PlayCard("os_sleighbell", monster="wolfman"))[0] == "not_the_time"


@pytest.mark.card("os_lullaby")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.clause("MK-16.6")
def test_the_lullaby_sends_all_monsters_away(seat: int) -> None:
    hands = [(), (), ()]
    hands[seat] = ("os_lullaby",)
    state = then(fight("wolfman", "sally", hands=hands, helper=1), seat, PlayCard("os_lullaby"))
    assert (state.combat, state.levels) == (None, (4, 4, 4))
    assert [state.cards_in_hand(each) for each in range(3)] == [(), (), ()]


@pytest.mark.card("os_lullaby")
@pytest.mark.clause("MK-14.1")
def test_the_lullaby_is_not_for_the_combats_of_others_or_for_the_run() -> None:
    state = fight("wolfman", hands=((), (), ("os_lullaby",)), helper=1)
    assert refused(state, 2, PlayCard("os_lullaby")) == ("not_the_time", "MK-14.1")
    assert refused(ran("wolfman", hands=(("os_lullaby",), (), ())), 0, PlayCard("os_lullaby"))[0] == "not_the_time"
