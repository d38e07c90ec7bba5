"""The eight special doors: what each does, on whom it cannot be played, and when not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard
from referee.engine.events import replace_fields
from referee.games.munchkin.components import DOOR_DISCARD, PLAYS
from referee.games.munchkin.events.combat import Caught, Escaped
from referee.games.munchkin.moves import Equip, KickDoor, Pass, PlayCard, PutIntoPlay, Sell
from referee.games.munchkin.strength import count_treasures
from tests.games.course import of, refused, then
from tests.games.munchkin.card_moves import fight, flees, kicked, killed, ran, strengths
from tests.games.munchkin.given import table

# ---- Second Helping, Wrong Costume, Gone Home Early ------------------------------------------------------------------


@pytest.mark.card("second_helping")
@pytest.mark.clause("MK-10.3", "MK-16.1")
def test_a_second_helping_is_a_twin_with_level_treasures_and_every_enhancer_played_before_or_after() -> None:
    state = fight("wolfman", "puddle_bat", hands=((), ("second_helping", "enh_hungry", "enh_asleep"), ()), strong=40)
    state = then(state, 1, PlayCard("enh_hungry", monster="wolfman"), PlayCard("second_helping", monster="wolfman"))
    assert strengths(state)[1] == 11 + 1 + 11
    state = then(state, 1, PlayCard("enh_asleep", monster="second_helping"))
    assert strengths(state)[1] == 8 + 1 + 8
    assert [count_treasures(foe) for foe in state.running_combat.foes] == [3, 1, 3]
    _, state = killed(state)
    assert (state.levels[0], len(state.cards_in_hand(0))) == (7, 7)
    assert sorted(state.cards_at(DOOR_DISCARD)) == [
        "enh_asleep",
        "enh_hungry",
        "puddle_bat",
        "second_helping",
        "wolfman",
    ]


@pytest.mark.card("second_helping")
@pytest.mark.clause("MK-3.1", "MK-10.1")
def test_there_is_no_second_helping_of_what_is_not_there() -> None:
    state = fight("wolfman", hands=((), ("second_helping", "sally"), ()))
    assert refused(state, 1, PlayCard("second_helping", monster="sally")) == ("not_in_the_combat", "MK-10.1")
    assert refused(state, 1, PlayCard("second_helping")) == ("names_too_little", "MK-3.1")
    assert refused(table(("second_helping",), (), ()), 0, PlayCard("second_helping", monster="wolfman"))[0] == (
        "not_the_time"
    )


@pytest.mark.card("second_helping")
@pytest.mark.clause("MK-10.3", "MK-10.6")
def test_the_twin_is_no_card_of_its_monster_and_does_not_leave_with_it() -> None:
    hands = (("os_sleighbell",), ("second_helping", "enh_hungry"), ())
    state = fight("wolfman", hands=hands)
    state = then(state, 1, PlayCard("enh_hungry", monster="wolfman"), PlayCard("second_helping", monster="wolfman"))
    state = then(state, 0, PlayCard("os_sleighbell", monster="wolfman"))
    assert strengths(state)[1] == 11  # the twin and the enhancer that it has a copy of


@pytest.mark.card("wrong_costume")
@pytest.mark.clause("MK-10.6")
def test_the_wrong_costume_puts_a_monster_of_the_hand_in_the_place_of_one_with_its_enhancers() -> None:
    state = fight("wolfman", "puddle_bat", hands=((), ("enh_hungry", "wrong_costume", "sally"), ()))
    state = then(state, 1, PlayCard("enh_hungry", monster="wolfman"),
                 PlayCard("wrong_costume", monster="wolfman", partner="sally"))  # fmt: skip
    assert {foe.card for foe in state.running_combat.foes} == {"puddle_bat", "sally"}
    assert strengths(state)[1] == 9
    assert set(state.cards_at(DOOR_DISCARD)) == {"wolfman", "enh_hungry"}


@pytest.mark.card("wrong_costume")
@pytest.mark.clause("MK-14.3")
def test_the_wrong_costume_does_nothing_without_a_monster_of_the_hand() -> None:
    state = fight("wolfman", hands=(("sally",), ("wrong_costume", "bat_hat"), ()))
    for partner, reason in (("", "names_too_little"), ("bat_hat", "no_monster")):
        assert refused(state, 1, PlayCard("wrong_costume", monster="wolfman", partner=partner))[0] == reason
    assert refused(state, 1, PlayCard("wrong_costume", monster="wolfman", partner="sally"))[1] == "MK-14.3"


@pytest.mark.card("gone_home_early")
@pytest.mark.clause("MK-11.5", "MK-16.6")
def test_all_monsters_go_home_early_and_main_draws_two_treasures_without_a_level() -> None:
    state = fight("wolfman", "puddle_bat", helper=1, hands=((), (), ("gone_home_early",)))
    state = then(state, 2, PlayCard("gone_home_early"))
    assert (state.combat, state.levels) == (None, (4, 4, 4))
    assert [len(state.cards_in_hand(seat)) for seat in range(3)] == [2, 0, 0]
    assert set(state.cards_at(DOOR_DISCARD)) == {"wolfman", "puddle_bat", "gone_home_early"}


@pytest.mark.card("gone_home_early")
@pytest.mark.clause("MK-14.2")
def test_nobody_goes_home_early_once_the_fighters_run_or_without_a_combat() -> None:
    state = ran("wolfman", hands=((), ("gone_home_early",), ()))
    assert refused(state, 1, PlayCard("gone_home_early")) == ("not_the_time", "MK-14.2")
    assert refused(table(("gone_home_early",), (), ()), 0, PlayCard("gone_home_early"))[0] == "not_the_time"


# ---- Drafted!, Lend Me That ------------------------------------------------------------------------------------------


@pytest.mark.card("drafted")
@pytest.mark.clause("MK-13.10", "MK-13.12")
def test_whoever_is_drafted_has_to_help() -> None:
    state = then(fight("wolfman", hands=(("drafted",), (), ())), 0, PlayCard("drafted", 2))
    assert state.running_combat.fighters == (0, 2)
    assert strengths(state) == (8, 6)
    _, state = killed(state)
    assert state.levels == (5, 4, 4)


@pytest.mark.card("drafted")
@pytest.mark.clause("MK-3.1", "MK-3.5", "MK-14.1")
def test_nobody_is_drafted_for_the_winning_kill_for_another_or_beside_a_helper() -> None:
    winning = fight("wolfman", hands=(("drafted",), (), ()), levels=(9, 1, 1))
    assert refused(winning, 0, PlayCard("drafted", 1)) == ("nobody_is_forced", "MK-3.5")
    by_two = fight("jack_skellington", hands=(("drafted",), (), ()), levels=(8, 1, 1))
    assert refused(by_two, 0, PlayCard("drafted", 1)) == ("nobody_is_forced", "MK-3.5")
    assert refused(fight("wolfman", hands=((), ("drafted",), ())), 1, PlayCard("drafted", 2))[0] == "not_the_time"
    helped = fight("wolfman", hands=(("drafted",), (), ()), helper=1)
    assert refused(helped, 0, PlayCard("drafted", 2)) == ("has_a_helper", "MK-13.1")
    state = fight("wolfman", hands=(("drafted",), (), ()))
    assert refused(state, 0, PlayCard("drafted", 0)) == ("another_player", "MK-3.1")
    running = ran("wolfman", hands=(("drafted",), (), ()))
    assert refused(running, 0, PlayCard("drafted", 1)) == ("not_the_time", "MK-14.1")


@pytest.mark.card("lend_me_that")
def test_the_loser_takes_an_item_of_another_and_uses_it_at_once() -> None:
    theirs = {"items": {1: ("bat_hat",)}, "carried": {1: ("crooked_crown",)}}
    state = fight("wolfman", hands=(("lend_me_that",), (), ()), **theirs)
    state = then(state, 0, PlayCard("lend_me_that", 1), ChooseCard("crooked_crown"))
    assert (state.used_items(0), state.items_of(1)) == (("crooked_crown",), ("bat_hat",))
    assert strengths(state) == (7, 6)


@pytest.mark.card("lend_me_that")
def test_what_cannot_be_used_is_lent_all_the_same_but_adds_nothing() -> None:
    state = fight("wolfman", hands=(("lend_me_that",), (), ()), items={0: ("jawbone_mask",), 1: ("crooked_crown",)})
    state = then(state, 0, PlayCard("lend_me_that", 1))
    assert set(state.items_of(0)) == {"jawbone_mask", "crooked_crown"}
    assert strengths(state)[0] == 5


@pytest.mark.card("lend_me_that")
@pytest.mark.clause("MK-7.11", "MK-7.12")
def test_what_is_attached_comes_with_the_loan_and_a_big_item_too_many_goes_on_to_the_lowest() -> None:
    stitched = {"attached": {"carving_fork": "loose_stitches"}, "carried": {1: ("carving_fork",)}}
    state = then(fight("wolfman", hands=(("lend_me_that",), (), ()), **stitched), 0, PlayCard("lend_me_that", 1))
    assert state.cards_in_play_of(0) == ("carving_fork", "loose_stitches")
    assert strengths(state)[0] == 8
    big = {0: ("snow_stompers",), 1: ("confetti_cannon",)}
    state = fight("sally", hands=(("lend_me_that",), (), ()), items=big, levels=(4, 3, 2))
    state = then(state, 0, PlayCard("lend_me_that", 1), ChooseCard("snow_stompers"))
    assert [state.items_of(seat) for seat in range(3)] == [("confetti_cannon",), (), ("snow_stompers",)]
    assert strengths(state)[0] == 8


@pytest.mark.card("lend_me_that")
@pytest.mark.clause("MK-3.1", "MK-14.1")
def test_nothing_is_lent_to_whoever_is_not_losing_does_not_fight_or_asks_himself() -> None:
    hands = (("lend_me_that",), (), ())
    winning = fight("puddle_bat", hands=hands, items={1: ("bat_hat",)})
    assert refused(winning, 0, PlayCard("lend_me_that", 1)) == ("condition_fails", "MK-3.1")
    state = fight("wolfman", hands=hands, items={0: ("bat_hat",)})
    assert refused(state, 0, PlayCard("lend_me_that", 0)) == ("another_player", "MK-3.1")
    bystander = fight("wolfman", hands=((), ("lend_me_that",), ()), items={2: ("bat_hat",)})
    assert refused(bystander, 1, PlayCard("lend_me_that", 2)) == ("not_the_time", "MK-14.1")
    bare = then(fight("wolfman", hands=hands), 0, PlayCard("lend_me_that", 1))
    assert (bare.items_of(0), bare.moment) == ((), "fight")


# ---- Town Parade, Loose Stitches, Tripwire ---------------------------------------------------------------------------

CITIZENS = {0: ("town_halloween",), 1: ("town_easter", "town_halloween", "dual_citizenship"), 2: ("town_christmas",)}


@pytest.mark.card("town_parade")
def test_every_citizen_of_halloween_town_gains_a_level_by_the_parade() -> None:
    state = then(table((), (), ("town_parade",), towns=CITIZENS), 2, PlayCard("town_parade"))
    assert state.levels == (2, 2, 1)
    assert state.cards_at(DOOR_DISCARD) == ("town_parade",)


@pytest.mark.card("town_parade")
def test_the_parade_takes_place_when_it_is_found_behind_the_door() -> None:
    state = kicked("town_parade", towns=CITIZENS)
    assert state.levels == (4, 4, 3)
    assert state.cards_in_hand(0) == ()
    assert state.cards_at(DOOR_DISCARD) == ("town_parade",)


@pytest.mark.card("town_parade")
def test_the_parade_does_not_give_the_last_level_or_any_to_the_dead() -> None:
    state = then(table((), (), ("town_parade",), towns=CITIZENS, levels=(9, 8, 9)), 2, PlayCard("town_parade"))
    assert (state.levels, state.winner) == ((9, 9, 9), -1)
    dead = then(table((), (), ("town_parade",), towns=CITIZENS, dead=(1,)), 2, PlayCard("town_parade"))
    assert dead.levels == (2, 1, 1)


@pytest.mark.card("loose_stitches")
def test_loose_stitches_make_an_item_fit_whatever_its_slot_hands_size_or_town() -> None:
    carried = ("grave_spade", "confetti_cannon", "wreath_circlet")
    for piece, bonus in (("grave_spade", 3), ("confetti_cannon", 4), ("wreath_circlet", 3)):
        state = table(("loose_stitches",), (), (), items={0: ("bat_hat", "rusty_bell")}, carried={0: carried},
                      doors=("wolfman",))  # fmt: skip
        state = then(state, 0, PlayCard("loose_stitches"), ChooseCard(piece))
        state = then(state, 0, Equip(piece), KickDoor())
        assert strengths(state)[0] == 1 + 2 + 1 + bonus
        assert state.attached == {piece: "loose_stitches"}


@pytest.mark.card("loose_stitches")
@pytest.mark.clause("MK-7.7")
def test_loose_stitches_let_a_second_big_item_be_put_down_and_go_with_their_item() -> None:
    state = table(("loose_stitches", "snow_stompers", "os_lucky_wreath"), (), (), items={0: ("confetti_cannon",)})
    assert refused(state, 0, PutIntoPlay("snow_stompers")) == ("too_many_big", "MK-7.7")
    state = then(state, 0, PlayCard("loose_stitches"))
    state = then(state, 0, PutIntoPlay("snow_stompers"))
    assert set(state.used_items(0)) == {"confetti_cannon", "snow_stompers"}
    sold = then(state, 0, Sell(("confetti_cannon", "os_lucky_wreath")))
    assert (sold.attached, "loose_stitches" in sold.cards_at(DOOR_DISCARD)) == ({}, True)


@pytest.mark.card("loose_stitches")
@pytest.mark.clause("MK-7.12")
def test_loose_stitches_on_a_one_shot_go_as_it_is_played_and_nothing_of_them_stays() -> None:
    state = table(("loose_stitches",), (), (), carried={0: ("os_fruitcake",)}, doors=("sally",))
    state = then(state, 0, PlayCard("loose_stitches"), KickDoor(), PlayCard("os_fruitcake", side="munchkins"))
    assert strengths(state) == (6, 8)
    assert (state.attached, state.cards_in_play_of(0), state.cards_at(DOOR_DISCARD)) == ({}, (), ("loose_stitches",))


WREATH = "os_lucky_wreath"  # the one item of which there are two


@pytest.mark.card("loose_stitches")
def test_loose_stitches_lie_on_the_copy_of_their_own_player_and_nothing_happens_to_the_other() -> None:
    state = table((), ("loose_stitches",), (), carried={0: (WREATH,), 1: (WREATH,)}, turn=1)
    state = then(state, 1, PlayCard("loose_stitches"))
    assert (state.cards_in_play_of(0), state.cards_in_play_of(1)) == ((WREATH,), (WREATH, "loose_stitches"))
    stitched = {"carried": {1: (WREATH,)}, "attached": {WREATH: "loose_stitches"}}
    state = then(table((WREATH,), (), ("curse_level",), **stitched), 2, PlayCard("curse_level", 0))
    state = then(state, 0, PlayCard(WREATH))  # the one of the hand
    assert (state.attached, state.cards_in_play_of(1)) == ({WREATH: "loose_stitches"}, (WREATH, "loose_stitches"))


@pytest.mark.card("lend_me_that")
def test_the_copy_of_whoever_is_named_is_lent_and_not_that_of_another() -> None:
    state = fight("sally", hands=(("lend_me_that",), (), ()), carried={0: (WREATH,), 1: ("bat_hat",), 2: (WREATH,)})
    state = then(state, 0, PlayCard("lend_me_that", 2))
    assert [state.items_of(seat) for seat in range(3)] == [(WREATH, WREATH), ("bat_hat",), ()]


@pytest.mark.card("loose_stitches")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.clause("MK-7.12")
def test_a_copy_that_is_lost_takes_only_what_lies_on_it(seat: int) -> None:
    state = table((), (), ("curse_small_item",), carried={0: (WREATH,), 1: (WREATH, "loose_stitches")})
    state = replace_fields(state, attached={WREATH: "loose_stitches"})
    state = then(then(state, 2, PlayCard("curse_small_item", seat)), seat, Pass())
    assert [state.cards_in_play_of(each) for each in (0, 1)] == [
        (WREATH,) if seat == 1 else (), (WREATH, "loose_stitches") if seat == 0 else (),
    ]  # fmt: skip
    assert state.attached == ({WREATH: "loose_stitches"} if seat == 0 else {})


@pytest.mark.card("loose_stitches")
@pytest.mark.clause("MK-6.3")
def test_loose_stitches_are_not_sewn_on_in_combat_on_anothers_turn_or_on_nothing() -> None:
    state = fight("wolfman", hands=(("loose_stitches",), (), ()), items={0: ("bat_hat",)})
    assert refused(state, 0, PlayCard("loose_stitches"))[0] == "not_the_time"
    state = table((), ("loose_stitches",), (), items={1: ("bat_hat",)})
    assert refused(state, 1, PlayCard("loose_stitches")) == ("not_the_time", "MK-6.3")
    state = then(table(("loose_stitches",), (), (), items={1: ("bat_hat",)}), 0, PlayCard("loose_stitches"))
    assert (state.attached, state.cards_at(DOOR_DISCARD), state.cards_at(PLAYS[0])) == ({}, ("loose_stitches",), ())


@pytest.mark.card("tripwire")
@pytest.mark.clause("MK-17.7", "MK-17.8")
def test_the_tripwire_costs_another_two_on_the_next_roll() -> None:
    state = then(ran("wolfman", "puddle_bat", hands=((), ("tripwire",), ())), 1, PlayCard("tripwire", 0))
    events, state = flees(state, "wolfman", 6)
    assert of(events, Caught) == [Caught(0, "wolfman", 4)]
    assert state.levels[0] == 3
    events, state = flees(state, "puddle_bat", 4)
    assert [event.total for event in of(events, Escaped)] == [5]  # the wire is used up


@pytest.mark.card("tripwire")
@pytest.mark.clause("MK-3.1", "MK-17.8")
def test_the_tripwire_is_nothing_before_the_flight_for_bystanders_or_for_oneself() -> None:
    hands = ((), ("tripwire",), ())
    assert refused(fight("wolfman", hands=hands), 1, PlayCard("tripwire", 0)) == ("not_the_time", "MK-17.8")
    assert refused(ran("wolfman", hands=hands), 1, PlayCard("tripwire", 2))[0] == "target_does_not_fit"
    own = ran("wolfman", hands=(("tripwire",), (), ()), helper=1)
    assert refused(own, 0, PlayCard("tripwire", 0)) == ("another_player", "MK-3.1")
