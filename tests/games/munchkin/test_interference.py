"""Interference: what anyone may play in anyone's combat, until when, and curses on fighters."""

from __future__ import annotations

import pytest

from referee.engine.chance import RollResult
from referee.engine.events import Move, replace_fields
from referee.engine.referee import build_view, find_near_misses
from referee.engine.seats import CHANCE, Seat
from referee.games.munchkin.components import COMBAT, PLAYS
from referee.games.munchkin.events.cards import CardPlayed, CurseLaid, ItemPassed
from referee.games.munchkin.events.combat import FlightStarted, MonsterJoined, StrengthAdded
from referee.games.munchkin.moves import (
    AcceptHelp,
    AskHelp,
    ClaimKill,
    FleeFrom,
    JoinByTag,
    KeepRoll,
    Pass,
    PlayCard,
    RunAway,
    UsePower,
)
from referee.games.munchkin.rules.combat.fleeing import Fleeing
from referee.games.munchkin.values import AddedStrength
from tests.games.course import asked, near_misses, of, then, when
from tests.games.munchkin.combats import cursed, fighting, kicked, refused, strengths, when_all, won
from tests.games.munchkin.given import offered, table

EVERYTHING = (
    "os_fruitcake", "enh_hungry", "wandering_monster", "puddle_bat", "coffin_mouse", "curse_level", "gual_pie",
    "second_helping",
)  # fmt: skip
PLAYS_OF_ALL: list[Move] = [
    PlayCard("os_fruitcake", side="munchkins"), PlayCard("os_fruitcake", side="monsters"),
    PlayCard("enh_hungry", monster="marrow_pup"), PlayCard("wandering_monster", partner="puddle_bat"),
    JoinByTag("coffin_mouse"), PlayCard("curse_level", seat=0), PlayCard("gual_pie", seat=1),
    PlayCard("second_helping", monster="marrow_pup"),
]  # fmt: skip


@pytest.mark.clause("MK-14.1", "MK-6.4", "MK-8.3")
@pytest.mark.parametrize("seat", [0, 1, 2, 3], ids=["main", "helper", "another", "one more"])
def test_any_living_player_fighters_included_interferes_in_any_combat(seat: int) -> None:
    hands: list[tuple[str, ...]] = [(), (), (), ()]
    hands[seat] = EVERYTHING
    state = fighting(*hands, foes=("marrow_pup",), helper=1)
    listed = offered(state, seat)
    for move in PLAYS_OF_ALL:
        assert move in listed, move
        events, _ = when(state, seat, move)
        assert events


@pytest.mark.clause("MK-14.1", "MK-19.7")
def test_the_dead_do_not_interfere() -> None:
    state = replace_fields(fighting((), (), EVERYTHING, foes=("marrow_pup",)), dead=(2,))
    for move in PLAYS_OF_ALL:
        assert refused(state, 2, move)[0] == "is_dead"
    assert offered(state, 2) == []


@pytest.mark.clause("MK-14.1", "MK-8.3", "MK-9.1")
def test_a_one_shot_for_either_side_lies_with_the_combat_and_is_added_once() -> None:
    state = fighting((), ("os_frog_fizz",), (), foes=("puddle_bat",))
    for side, sums in (("munchkins", (4, 1)), ("monsters", (1, 4))):
        events, after = when(state, 1, PlayCard("os_frog_fizz", side=side))
        assert of(events, StrengthAdded) == [StrengthAdded(AddedStrength("os_frog_fizz", 1, side, 3, one_shot=True))]
        assert strengths(after) == sums
        assert "os_frog_fizz" in after.cards_at(COMBAT)
    assert refused(state, 1, PlayCard("os_frog_fizz")) == ("names_too_little", "MK-8.3")
    assert refused(state, 1, PlayCard("os_frog_fizz", side="mine")) == ("no_such_side", "MK-8.3")


@pytest.mark.clause("MK-8.1", "MK-14.1")
def test_a_one_shot_is_played_from_play_too() -> None:
    state = fighting((), (), (), foes=("puddle_bat",), carried={2: ("os_frog_fizz",)})
    events, state = when(state, 2, PlayCard("os_frog_fizz", side="monsters"))
    assert of(events, CardPlayed)[0].source == PLAYS[2]
    assert state.cards_in_play_of(2) == ()


@pytest.mark.clause("MK-14.2")
def test_interference_ends_when_the_fighters_have_turned_to_run() -> None:
    state = then(fighting((), EVERYTHING, (), foes=("marrow_pup", "skeleton_choir"), helper=2), 0, RunAway())
    any_time = (PlayCard("curse_level", seat=0), PlayCard("gual_pie", seat=1))
    for move in PLAYS_OF_ALL:
        if move in any_time:
            assert move in offered(state, 1)
        else:
            assert refused(state, 1, move) == ("not_the_time", "MK-14.2"), move


@pytest.mark.clause("MK-14.2", "MK-17.8")
def test_on_the_run_cards_for_running_are_played() -> None:
    hands = (("os_moth_cloak",), ("tripwire", "os_sudden_hedge"), ())
    calm, open_ = table(*hands), fighting(*hands, foes=("sally",))
    for state in (calm, open_):
        assert refused(state, 0, PlayCard("os_moth_cloak")) == ("not_the_time", "MK-17.8")
        assert refused(state, 1, PlayCard("tripwire", seat=0)) == ("not_the_time", "MK-17.8")
    state = then(open_, 0, RunAway())
    assert PlayCard("os_moth_cloak") in offered(state, 0)
    assert {PlayCard("tripwire", seat=0), PlayCard("os_sudden_hedge")} <= set(offered(state, 1))
    assert refused(state, 1, PlayCard("tripwire", seat=2)) == ("target_does_not_fit", "MK-3.1")


@pytest.mark.clause("MK-14.2", "MK-9.6")
def test_interference_begins_with_the_reveal() -> None:
    before = table((), ("enh_hungry",), (), doors=("puddle_bat",))
    assert refused(before, 1, PlayCard("enh_hungry", monster="puddle_bat")) == ("not_the_time", "MK-14.2")
    state = kicked((), ("enh_hungry",), (), behind="puddle_bat")
    assert PlayCard("enh_hungry", monster="puddle_bat") in offered(state, 1)


@pytest.mark.clause("MK-14.3")
def test_wandering_monster_and_its_monster_come_from_one_hand_both_at_once() -> None:
    hands = ((), ("wandering_monster", "stilts"), ("sally",))
    state = fighting(*hands, foes=("puddle_bat",))
    assert refused(state, 1, PlayCard("wandering_monster", partner="sally")) == ("not_in_the_hand", "MK-14.3")
    state = fighting((), ("wandering_monster", "sally"), (), foes=("puddle_bat",))
    events, state = when(state, 1, PlayCard("wandering_monster", partner="sally"))
    assert [type(event) for event in events if isinstance(event, CardPlayed | MonsterJoined)] == [
        CardPlayed,
        MonsterJoined,
    ]
    assert state.cards_in_hand(1) == ()
    _, state = won(fighting((), ("wandering_monster",), (), foes=("puddle_bat",), levels=(9,)))
    late = PlayCard("wandering_monster", partner="puddle_bat")
    assert late not in near_misses(state, 1)


@pytest.mark.clause("MK-14.1", "MK-20.1", "MK-9.3")
def test_a_curse_on_a_fighter_counts_at_once() -> None:
    hands = ((), (), ("curse_best_item", "curse_ride_bolts"))
    state = fighting(*hands, foes=("sally",), helper=1, items={1: ("crooked_crown",)}, rides={0: ("ride_sleigh",)})
    assert strengths(state) == (8, 8)
    _, state = cursed(state, 2, "curse_best_item", 1)
    assert strengths(state) == (5, 8)
    _, state = cursed(state, 2, "curse_ride_bolts", 0)
    assert strengths(state) == (2, 8)


@pytest.mark.clause("MK-14.4", "MK-20.4")
def test_a_curse_on_the_next_combat_counts_in_this_one_for_a_fighter() -> None:
    state = fighting((), (), ("curse_cold_feet",), foes=("puddle_bat",), levels=(5,))
    events, state = cursed(state, 2, "curse_cold_feet", 0)
    assert of(events, CurseLaid)
    assert strengths(state) == (0, 1)
    aside = fighting((), (), ("curse_cold_feet",), foes=("puddle_bat",), levels=(5,))
    _, aside = cursed(aside, 2, "curse_cold_feet", 1)
    assert strengths(aside) == (5, 1)
    _, aside = won(aside)
    assert aside.curses_of(1) == ("curse_cold_feet",)  # it waits for the next combat of its victim


@pytest.mark.clause("MK-3.6", "MK-26.2")
def test_while_a_play_is_carried_out_no_other_is_taken() -> None:
    hands = (("os_fruitcake",), ("curse_level",), ("enh_hungry", "gual_pie"))
    state = then(fighting(*hands, foes=("puddle_bat",)), 1, PlayCard("curse_level", seat=0))
    assert asked(state) == {0}  # only the victim has an answer to give
    for seat, move in ((2, PlayCard("enh_hungry", monster="puddle_bat")), (2, PlayCard("gual_pie", seat=2))):
        assert refused(state, seat, move)[0] == "carried_out_first"
    assert refused(state, 0, PlayCard("os_fruitcake", side="munchkins")) == ("not_the_time", "MK-14.2")
    state = then(state, 0, Pass())
    assert PlayCard("enh_hungry", monster="puddle_bat") in offered(state, 2)


@pytest.mark.clause("MK-3.6", "MK-26.2", "MK-26.3")
def test_nothing_is_played_between_a_roll_and_what_it_comes_to() -> None:
    state = then(fighting((), ("tripwire", "gual_pie"), (), foes=("sally",)), 0, RunAway())
    state = when_all(state, (0, FleeFrom("sally")), (CHANCE, RollResult((5,))))[1]
    for move in (PlayCard("tripwire", seat=0), PlayCard("gual_pie", seat=1)):
        assert refused(state, 1, move)[0] == "carried_out_first"
    state = then(state, 0, KeepRoll())
    assert state.combat is None


@pytest.mark.clause("MK-14.1", "MK-17.2")
def test_a_card_makes_the_fighters_run_even_if_they_are_stronger_but_not_by_a_fighter() -> None:
    hands = (("os_panic_confetti",), (), ())
    own = fighting(*hands, foes=("puddle_bat",), levels=(9,))
    assert refused(own, 0, PlayCard("os_panic_confetti")) == ("condition_fails", "MK-3.1")
    state = then(fighting((), ("os_panic_confetti",), (), foes=("puddle_bat",), levels=(9,)), 0, AskHelp(seat=2))
    events, state = when(state, 1, PlayCard("os_panic_confetti"))
    assert of(events, FlightStarted) == [FlightStarted(("0/puddle_bat",), True)]
    assert isinstance(state.agenda[-1], Fleeing)
    assert asked(state) == {0}
    assert refused(state, 2, AcceptHelp())[0] == "no_terms_for_you"


@pytest.mark.clause("MK-14.1", "MK-3.1", "MK-7.5")
def test_an_item_is_taken_from_another_in_the_midst_of_a_combat_and_used() -> None:
    state = fighting(("lend_me_that",), (), (), foes=("sally",), items={1: ("crooked_crown",)})
    assert refused(state, 0, PlayCard("lend_me_that", seat=0)) == ("another_player", "MK-3.1")
    events, state = when(state, 0, PlayCard("lend_me_that", seat=1))
    assert of(events, ItemPassed)[0].seat == 0
    assert strengths(state) == (4, 8)
    strong = fighting(("lend_me_that",), (), (), foes=("puddle_bat",), levels=(5,), items={1: ("crooked_crown",)})
    assert refused(strong, 0, PlayCard("lend_me_that", seat=1)) == ("condition_fails", "MK-3.1")


@pytest.mark.clause("MK-8.1", "MK-9.1")
def test_a_mirror_adds_the_strength_of_the_moment_for_one_who_fights_alone() -> None:
    hands = (("os_mirror_twin",), ("curse_level",), ())
    state = fighting(*hands, foes=("sally",), levels=(3,), items={0: ("crooked_crown",)})
    state = then(state, 0, PlayCard("os_mirror_twin"))
    assert strengths(state)[0] == 12
    assert strengths(cursed(state, 1, "curse_level", 0)[1])[0] == 11  # what was added stays as it was
    helped = fighting(*hands, foes=("sally",), helper=2)
    assert refused(helped, 0, PlayCard("os_mirror_twin")) == ("condition_fails", "MK-3.1")


@pytest.mark.clause("MK-4.9", "MK-4.8", "MK-13.4")
def test_the_power_of_halloween_works_for_main_and_helper_twice_each_in_a_combat() -> None:
    hands = (("puddle_bat", "coal_imp", "sally"), ("wolfman",), ("marrow_pup",))
    towns = dict.fromkeys(range(3), ("town_halloween",))
    state = fighting(*hands, foes=("doctor_finkelstein",), helper=1, towns=towns)
    assert refused(state, 2, UsePower("scare", "marrow_pup")) == ("not_the_time", "MK-4.9")
    state = when_all(state, (0, UsePower("scare", "puddle_bat")), (0, UsePower("scare", "coal_imp")))[1]
    assert refused(state, 0, UsePower("scare", "sally")) == ("used_up", "MK-4.9")
    assert refused(state, 1, UsePower("scare", "sally")) == ("not_in_the_hand", "MK-4.9")
    state = then(state, 1, UsePower("scare", "wolfman"))
    assert strengths(state)[0] == 2 + 3 * 3
    assert refused(state, 0, UsePower("fly", "sally")) == ("unknown_power", "MK-4.9")


@pytest.mark.clause("MK-4.9", "MK-17.6")
def test_the_power_of_christmas_pays_an_item_for_each_monster() -> None:
    how = {"towns": {0: ("town_christmas",)}, "items": {0: ("crooked_crown", "patchwork_coat", "stilts")}}
    state = fighting((), (), (), foes=("sally", "wolfman"), **how)
    assert refused(state, 0, UsePower("parting_gift", "stilts", "sally")) == ("not_the_time", "MK-4.9")
    state = then(state, 0, RunAway())
    assert refused(state, 0, UsePower("parting_gift", "patchwork_coat", "sally")) == ("no_such_price", "MK-4.9")
    assert refused(state, 0, UsePower("parting_gift", "stilts", "puddle_bat")) == ("not_to_be_fled", "MK-4.9")
    state = then(state, 0, UsePower("parting_gift", "stilts", "sally"))
    assert state.running_combat.to_flee == ("0/wolfman",)
    state = then(state, 0, UsePower("parting_gift", "crooked_crown", "wolfman"))
    assert state.combat is None
    assert state.cards_in_play_of(0) == ("patchwork_coat",)


@pytest.mark.clause("MK-23.1", "MK-14.1")
def test_what_a_seat_may_play_is_listed_from_its_own_hand_alone() -> None:
    with_one, without = (
        fighting((), (card,), ("gual_pie",), foes=("puddle_bat",)) for card in ("enh_hungry", "stilts")
    )
    for seat in (0, 2):
        assert offered(with_one, seat) == offered(without, seat)
        assert list(find_near_misses(with_one, Seat(seat))) == list(find_near_misses(without, Seat(seat)))
        assert "enh_hungry" not in str(build_view(with_one, Seat(seat)).cards_in_hand(1))


@pytest.mark.clause("MK-3.7", "MK-12.3", "MK-15.2")
def test_of_two_plays_made_at_once_the_second_is_judged_by_what_the_first_left() -> None:
    state = fighting(("os_sleighbell",), ("enh_hungry",), ("coffin_mouse",), foes=("marrow_pup",), levels=(5,))
    state = then(state, 0, ClaimKill())
    for move in ((1, PlayCard("enh_hungry", monster="marrow_pup")), (2, JoinByTag("coffin_mouse"))):
        assert move[1] in offered(state, move[0])
    first = when_all(state, (1, PlayCard("enh_hungry", monster="marrow_pup")), (2, JoinByTag("coffin_mouse")))[1]
    second = when_all(state, (2, JoinByTag("coffin_mouse")), (1, PlayCard("enh_hungry", monster="marrow_pup")))[1]
    assert strengths(first) == strengths(second) == (5, 1 + 2 + 5)
    gone = then(state, 0, PlayCard("os_sleighbell", monster="marrow_pup"))
    assert refused(gone, 1, PlayCard("enh_hungry", monster="marrow_pup")) == ("not_the_time", "MK-14.2")
    assert refused(gone, 2, JoinByTag("coffin_mouse")) == ("not_the_time", "MK-14.2")
