"""The one-shots of the run, of a die, of a curse and of any time; and the genie, for combat and run."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, ChooseValue
from referee.games.munchkin.components import DOOR_DISCARD, TREASURE_DISCARD
from referee.games.munchkin.events.combat import Caught, Escaped
from referee.games.munchkin.events.course import LevelsLost
from referee.games.munchkin.moves import FleeFrom, KeepRoll, PlayCard
from tests.games.course import asked, of, refused, then, when
from tests.games.munchkin.card_moves import caught, fight, ran
from tests.games.munchkin.given import cast, offered, table

HEDGE, CLOAK, WREATH, BONE = "os_sudden_hedge", "os_moth_cloak", "os_lucky_wreath", "os_knucklebone"
GENIE, KIT = "os_lantern_genie", "os_grave_robbing_kit"


# ---- running away ----------------------------------------------------------------------------------------------------


@pytest.mark.card("os_sudden_hedge")
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_hedge_hides_all_who_still_have_to_run_whoever_plays_it(seat: int) -> None:
    hands = [(), (), ()]
    hands[seat] = (HEDGE,)
    events, state = when(ran("ninth_bell", "wolfman", hands=hands, helper=1, levels=(5, 5, 5)), seat, PlayCard(HEDGE))
    assert {(event.seat, event.monster, event.how) for event in of(events, Escaped)} == {
        (who, monster, "card") for who in (0, 1) for monster in ("ninth_bell", "wolfman")
    }
    assert (state.combat, state.levels) == (None, (5, 5, 5))


@pytest.mark.card("os_sudden_hedge")
@pytest.mark.clause("MK-17.8")
def test_the_hedge_hides_nobody_before_the_run_or_from_what_has_caught_him() -> None:
    assert refused(fight("wolfman", hands=((HEDGE,), (), ())), 0, PlayCard(HEDGE)) == ("not_the_time", "MK-17.8")
    _, state = caught("wolfman", beside=("sally",), hands=((HEDGE,), (), ()))
    assert state.levels[0] == 3
    assert then(state, 0, PlayCard(HEDGE)).levels[0] == 3


@pytest.mark.card("os_moth_cloak")
def test_the_cloak_of_moths_saves_its_player_from_every_monster_left() -> None:
    state = ran("wolfman", "sally", hands=((), (CLOAK,), ()), helper=1)
    events, state = when(state, 1, PlayCard(CLOAK))
    assert [(event.seat, event.monster) for event in of(events, Escaped)] == [(1, "wolfman"), (1, "sally")]
    assert state.running_combat.to_flee == ("0/wolfman", "0/sally")


@pytest.mark.card("os_moth_cloak")
@pytest.mark.clause("MK-17.8")
def test_the_cloak_of_moths_is_not_for_bystanders_before_the_run_or_after_it() -> None:
    state = ran("wolfman", hands=((), (), (CLOAK,)), helper=1)
    assert refused(state, 2, PlayCard(CLOAK)) == ("not_the_time", "MK-17.8")
    assert refused(fight("wolfman", hands=((CLOAK,), (), ())), 0, PlayCard(CLOAK)) == ("not_the_time", "MK-17.8")
    _, state = caught("wolfman", helper=1, hands=((CLOAK,), (), ()))
    assert refused(state, 0, PlayCard(CLOAK)) == ("not_the_time", "MK-17.8")


# ---- the genie -------------------------------------------------------------------------------------------------------


@pytest.mark.card("os_lantern_genie")
def test_the_genie_takes_the_only_monster_away_and_main_draws_its_printed_treasures_without_a_level() -> None:
    state = fight("wolfman", hands=((GENIE,), ("enh_hungry",), ()))
    state = then(then(state, 1, PlayCard("enh_hungry", monster="wolfman")), 0, PlayCard(GENIE, monster="wolfman"))
    assert (state.combat, state.levels[0], len(state.cards_in_hand(0))) == (None, 4, 2)
    fled = then(ran("sandy_claws", hands=((GENIE,), (), ()), helper=1), 0, PlayCard(GENIE, monster="sandy_claws"))
    assert (fled.combat, fled.levels[0], len(fled.cards_in_hand(0)), len(fled.cards_in_hand(1))) == (None, 4, 4, 0)


@pytest.mark.card("os_lantern_genie")
def test_the_genie_brings_nothing_for_one_of_several_which_need_not_be_fled_then() -> None:
    state = then(fight("wolfman", "sally", hands=((GENIE,), (), ())), 0, PlayCard(GENIE, monster="sally"))
    assert ([foe.card for foe in state.running_combat.foes], state.cards_in_hand(0)) == (["wolfman"], ())
    fled = then(ran("wolfman", "sally", hands=((GENIE,), (), ())), 0, PlayCard(GENIE, monster="sally"))
    assert (fled.running_combat.to_flee, fled.cards_in_hand(0)) == (("0/wolfman",), ())


@pytest.mark.card("os_lantern_genie")
@pytest.mark.clause("MK-3.1", "MK-10.1")
def test_the_genie_does_not_serve_helpers_or_bystanders_or_take_what_is_not_there() -> None:
    state = fight("wolfman", hands=((GENIE,), (), ()))
    assert refused(state, 0, PlayCard(GENIE, monster="sally")) == ("not_in_the_combat", "MK-10.1")
    helper = fight("wolfman", hands=((), (GENIE,), ()), helper=1)
    assert refused(helper, 1, PlayCard(GENIE, monster="wolfman")) == ("condition_fails", "MK-3.1")
    bystander = fight("wolfman", hands=((), (GENIE,), ()))
    assert refused(bystander, 1, PlayCard(GENIE, monster="wolfman"))[0] == "not_the_time"


# ---- a die -----------------------------------------------------------------------------------------------------------


@pytest.mark.card("os_knucklebone")
@pytest.mark.clause("MK-17.7", "MK-26.3")
def test_the_knucklebone_turns_a_die_of_ones_own_to_any_face() -> None:
    state = then(ran("wolfman", hands=((BONE,), (), ())), 0, FleeFrom("wolfman"))
    _, state = cast(state, 1)
    events, _ = when(state, 0, PlayCard(BONE), ChooseValue(5), KeepRoll())
    assert of(events, Escaped) == [Escaped(0, "wolfman", "rolled", 5)]
    _, state = caught("ink_fiend", carried={0: (BONE,)}, items={0: ("bat_hat",)})
    _, state = cast(state, 1)
    state = then(state, 0, PlayCard(BONE), ChooseValue(6), KeepRoll())
    assert (state.bereft, state.items_of(0)) == ((), ())  # an item instead of the life, and the bone is used up


@pytest.mark.card("os_knucklebone")
@pytest.mark.clause("MK-3.6")
def test_the_knucklebone_does_not_turn_the_die_of_another_or_lie_ready_without_a_die() -> None:
    state = then(ran("wolfman", hands=((), (BONE,), ())), 0, FleeFrom("wolfman"))
    _, state = cast(state, 1)
    assert offered(state, 1) == []
    events, _ = when(state, 0, KeepRoll())
    assert of(events, Caught) == [Caught(0, "wolfman", 1)]
    assert refused(table((BONE,), (), ()), 0, PlayCard(BONE)) == ("not_the_time", "MK-26.3")
    assert refused(ran("wolfman", hands=((BONE,), (), ())), 0, PlayCard(BONE)) == ("not_the_time", "MK-26.3")


# ---- a curse ---------------------------------------------------------------------------------------------------------


@pytest.mark.card("os_lucky_wreath")
@pytest.mark.parametrize("place", ["hand", "play"])
def test_the_wreath_keeps_a_curse_from_its_player(place: str) -> None:
    hand = (WREATH,) if place == "hand" else ()
    state = table(hand, ("curse_level",), (), carried={0: (WREATH,)} if place == "play" else {}, levels=(4, 4, 4))
    state = then(state, 1, PlayCard("curse_level", 0))
    events, state = when(state, 0, PlayCard(WREATH))
    assert of(events, LevelsLost) == []
    assert (state.levels, state.cards_at(DOOR_DISCARD), state.cards_at(TREASURE_DISCARD)) == (
        (4, 4, 4), ("curse_level",), (WREATH,)
    )  # fmt: skip


@pytest.mark.card("os_lucky_wreath")
@pytest.mark.clause("MK-3.6")
def test_the_wreath_does_not_keep_a_curse_from_others_or_come_into_play_without_one() -> None:
    state = then(table((WREATH,), (), ("curse_level",)), 2, PlayCard("curse_level", 1))
    assert asked(state) == {1}
    assert offered(state, 0) == []
    assert refused(table((WREATH,), (), ()), 0, PlayCard(WREATH)) == ("not_the_time", "MK-20.5")


# ---- a discard pile --------------------------------------------------------------------------------------------------


@pytest.mark.card("os_grave_robbing_kit")
@pytest.mark.parametrize("find", ["sally", "bat_hat", "town_easter"])
def test_the_kit_takes_any_card_of_either_discard_pile(find: str) -> None:
    state = table((), (KIT,), (), discards=("sally", "town_easter", "bat_hat", "stilts"))
    state = then(state, 1, PlayCard(KIT), ChooseCard(find))
    assert state.cards_in_hand(1) == (find,)
    assert {*state.cards_at(DOOR_DISCARD), *state.cards_at(TREASURE_DISCARD)} == (
        {"sally", "town_easter", "bat_hat", "stilts", KIT} - {find}
    )


@pytest.mark.card("os_grave_robbing_kit")
@pytest.mark.clause("MK-2.5")
def test_the_kit_does_not_take_what_is_not_discarded_or_itself_and_nothing_from_empty_piles() -> None:
    state = then(table((KIT,), (), (), discards=("sally", "bat_hat")), 0, PlayCard(KIT))
    for card in ("stilts", KIT):
        assert refused(state, 0, ChooseCard(card)) == ("not_discarded", "MK-2.5")
    state = then(table((KIT,), (), ()), 0, PlayCard(KIT))
    assert (state.cards_in_hand(0), state.cards_at(TREASURE_DISCARD), state.moment) == ((), (KIT,), "calm")
    struck = then(table((KIT,), ("curse_level",), (), discards=("sally",)), 1, PlayCard("curse_level", 0))
    assert refused(struck, 0, PlayCard(KIT))[0] == "carried_out_first"
