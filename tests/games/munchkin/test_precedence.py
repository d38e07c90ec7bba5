"""Precedence: cards beat rules, four rules beat cards, plays follow one another, what cannot be done in full."""

from __future__ import annotations

import pytest

from referee.engine.events import Move
from referee.engine.referee import find_near_misses
from referee.engine.seats import Seat
from referee.games.munchkin.components import PENDING, TREASURE_DISCARD
from referee.games.munchkin.events.cards import CardDrawn, CardsDiscarded
from referee.games.munchkin.events.course import LevelsGained, LevelsLost
from referee.games.munchkin.events.texts import CurseCancelled, EffectLapsed
from referee.games.munchkin.moves import (
    ClaimKill,
    DiscardFromPlay,
    Equip,
    FleeFrom,
    KickDoor,
    LootRoom,
    Pass,
    PlayCard,
    PutIntoPlay,
    RunAway,
    UsePower,
)
from referee.games.munchkin.rules.combat.fighting import Fight
from tests.games.course import asked, of, then, when
from tests.games.munchkin.combats import cursed, fighting, refused, strengths, when_all, won
from tests.games.munchkin.given import names, offered, table


@pytest.mark.clause("MK-3.1", "MK-7.3", "MK-7.4")
def test_a_card_beats_the_rule_on_slots_and_towns() -> None:
    how = {"items": {0: ("bat_hat",)}, "carried": {0: ("wreath_circlet",)}}
    state = table(("loose_stitches",), (), (), **how)
    assert refused(state, 0, Equip("wreath_circlet")) == ("condition_fails", "MK-7.4")
    free = table((), (), (), attached={"wreath_circlet": "loose_stitches"}, **how)
    state = then(free, 0, Equip("wreath_circlet"))
    assert state.used_items(0) == ("bat_hat", "wreath_circlet")


@pytest.mark.clause("MK-3.1", "MK-17.6")
def test_a_card_beats_the_roll_to_escape() -> None:
    state = then(fighting(("os_moth_cloak",), (), (), foes=("sally",)), 0, RunAway())
    assert FleeFrom("sally") in offered(state, 0)
    assert then(state, 0, PlayCard("os_moth_cloak")).combat is None


@pytest.mark.clause("MK-3.2", "MK-18.4")
def test_no_level_goes_below_the_first_whatever_a_card_says() -> None:
    for level, lost in ((3, 2), (2, 1), (1, 0)):
        events, state = cursed(table((), ("curse_two_levels",), (), levels=(level,)), 1, "curse_two_levels", 0)
        assert state.levels[0] == max(1, level - 2)
        assert sum(event.count for event in of(events, LevelsLost)) == lost


@pytest.mark.clause("MK-3.2", "MK-9.2")
def test_strength_may_go_below_one_for_players_and_monsters() -> None:
    state = fighting((), ("enh_asleep",), (), foes=("puddle_bat",), curses={0: ("curse_cold_feet",)})
    assert strengths(then(state, 1, PlayCard("enh_asleep", monster="puddle_bat"))) == (-4, -2)
    state = fighting((), ("enh_asleep",), (), foes=("puddle_bat",))
    state = then(state, 1, PlayCard("enh_asleep", monster="puddle_bat"))
    assert ClaimKill() in offered(state, 0)


@pytest.mark.clause("MK-3.3", "MK-16.6")
def test_no_combat_gives_a_level_without_a_kill() -> None:
    for card in ("os_lullaby", "gone_home_early"):
        events, state = when(fighting((card,), (), (), foes=("sally",)), 0, PlayCard(card))
        assert not of(events, LevelsGained)
        assert state.levels[0] == 1


@pytest.mark.clause("MK-3.5", "MK-4.2")
def test_a_card_that_gives_all_citizens_a_level_gives_none_the_last() -> None:
    towns = dict.fromkeys(range(3), ("town_halloween",))
    state = table(("town_parade",), (), (), levels=(9, 8, 1), towns=towns)
    events, state = when(state, 0, PlayCard("town_parade"))
    assert state.levels == (9, 9, 2)
    assert len(of(events, EffectLapsed)) == 1


@pytest.mark.clause("MK-3.5", "MK-4.2")
@pytest.mark.parametrize("card", ["gual_nametags", "gual_driver"])
def test_at_level_nine_nobody_harms_another_for_a_level(card: str) -> None:
    how = {"rides": {1: ("ride_broom",)}}
    assert refused(table((card,), (), (), levels=(9, 2), **how), 0, PlayCard(card, seat=1)) == (
        "level_ten_by_a_kill", "MK-4.2",
    )  # fmt: skip
    _, state = when(table((card,), (), (), levels=(8, 2), **how), 0, PlayCard(card, seat=1))
    assert state.levels[0] == 9


@pytest.mark.clause("MK-3.6", "MK-26.2")
def test_a_play_is_carried_out_in_full_before_the_next_is_taken() -> None:
    hands = (("curse_small_item",), ("gual_pie", "ride_broom"), ("gual_coin",))
    state = table(*hands, items={2: ("bat_hat", "stilts")}, towns={1: ("town_easter",)})
    state = when_all(state, (0, PlayCard("curse_small_item", seat=2)), (2, Pass()))[1]
    assert asked(state) == {2}  # to say which item it is
    assert state.cards_at(PENDING) == ("curse_small_item",)
    moves: list[Move] = [PlayCard("gual_pie", seat=1), PutIntoPlay("ride_broom"), DiscardFromPlay("town_easter")]
    for move in moves:
        assert refused(state, 1, move)[0] == "carried_out_first"
    assert refused(state, 2, PlayCard("gual_coin", seat=2))[0] == "carried_out_first"


@pytest.mark.clause("MK-3.6", "MK-20.5")
def test_only_cards_that_are_an_answer_by_their_own_words_answer_a_play() -> None:
    state = table(("curse_level",), ("os_lucky_wreath", "gual_pie"), (), levels=(1, 3))
    state = then(state, 0, PlayCard("curse_level", seat=1))
    assert set(offered(state, 1)) == {Pass(), PlayCard("os_lucky_wreath")}
    events, state = when(state, 1, PlayCard("os_lucky_wreath"))
    assert of(events, CurseCancelled)
    assert state.levels[1] == 3
    enhanced = fighting((), ("enh_hungry",), ("os_lucky_wreath",), foes=("sally",))
    enhanced = then(enhanced, 1, PlayCard("enh_hungry", monster="sally"))
    assert refused(enhanced, 2, PlayCard("os_lucky_wreath")) == ("not_the_time", "MK-20.5")
    assert asked(enhanced) == {0}  # nothing answers it


@pytest.mark.clause("MK-8.3", "MK-8.4")
def test_a_play_names_what_its_card_asks_for_and_nothing_more() -> None:
    state = fighting(("gual_pie", "os_fruitcake", "os_lullaby"), (), (), foes=("sally",))
    for move, *broken in (
        (PlayCard("gual_pie"), "names_too_little", "MK-8.4"),
        (PlayCard("gual_pie", seat=1, side="monsters"), "names_too_much", "MK-8.4"),
        (PlayCard("os_fruitcake"), "names_too_little", "MK-8.3"),
        (PlayCard("os_lullaby", monster="sally"), "names_too_much", "MK-8.3"),
    ):
        assert refused(state, 0, move) == tuple(broken)
    assert refused(state, 0, PlayCard("gual_pie", seat=9)) == ("no_such_player", "MK-1.1")
    assert refused(state, 0, PlayCard("no_such", seat=1)) == ("no_such_card", "MK-2.1")


@pytest.mark.clause("MK-2.3", "MK-3.6")
def test_cards_that_are_no_plays_say_how_they_come_to_the_table() -> None:
    state = fighting(("coal_imp", "bat_hat", "town_easter"), (), (), foes=("sally",))
    assert refused(state, 0, PlayCard("coal_imp")) == ("monsters_join", "MK-14.3")
    for card in ("bat_hat", "town_easter"):
        assert refused(state, 0, PlayCard(card)) == ("is_put_into_play", "MK-6.3")
    assert refused(state, 0, PlayCard("gual_pie", seat=0)) == ("not_in_the_hand", "MK-2.3")


@pytest.mark.clause("MK-3.7")
def test_plays_count_in_the_order_in_which_they_are_taken() -> None:
    hands = (("gual_pie",), ("curse_two_levels",), ())
    state = table(*hands, levels=(2, 1))
    levels_first = when_all(state, (0, PlayCard("gual_pie", seat=0)), (1, PlayCard("curse_two_levels", seat=0)),
                            (0, Pass()))[1]  # fmt: skip
    curse_first = when_all(state, (1, PlayCard("curse_two_levels", seat=0)), (0, Pass()),
                           (0, PlayCard("gual_pie", seat=0)))[1]  # fmt: skip
    assert (levels_first.levels[0], curse_first.levels[0]) == (1, 2)


@pytest.mark.clause("MK-3.7", "MK-12.1")
def test_a_play_that_no_longer_fits_is_refused_and_changes_nothing() -> None:
    hands = (("os_sleighbell",), ("enh_hungry",), ())
    state = fighting(*hands, foes=("puddle_bat", "sally"))
    played = PlayCard("enh_hungry", monster="puddle_bat")
    assert played in offered(state, 1)
    state = then(state, 0, PlayCard("os_sleighbell", monster="puddle_bat"))
    assert refused(state, 1, played) == ("not_in_the_combat", "MK-10.1")
    assert state.cards_in_hand(1) == ("enh_hungry",)
    assert PlayCard("enh_hungry", monster="sally") in offered(state, 1)


@pytest.mark.clause("MK-3.8", "MK-18.2")
def test_an_effect_is_carried_out_as_far_as_it_goes() -> None:
    state = table((), ("curse_armor",), (), items={0: ("bat_hat",)})
    events, after = cursed(state, 1, "curse_armor", 0)
    assert of(events, EffectLapsed)
    assert after.cards_in_play_of(0) == ("bat_hat",)
    two = table((), ("curse_two_cards",), (), levels=(1, 1))
    events, after = cursed(two, 1, "curse_two_cards", 0)
    assert len(of(events, EffectLapsed)) == 2  # there is no hand to take cards from


@pytest.mark.clause("MK-3.8", "MK-4.8")
def test_a_cost_is_paid_in_full_or_the_power_is_not_used() -> None:
    state = fighting((), (), (), foes=("sally",), towns={0: ("town_halloween",)})
    assert refused(state, 0, UsePower("scare", "")) == ("no_monster", "MK-4.9")
    assert refused(state, 0, UsePower("scare", "coal_imp")) == ("not_in_the_hand", "MK-4.9")
    assert strengths(state) == (1, 8)


@pytest.mark.clause("MK-8.5", "MK-3.6")
def test_a_treasure_that_is_no_item_is_carried_out_and_discarded() -> None:
    state = table(("overflowing_stocking",), (), ())
    events, state = when(state, 0, PlayCard("overflowing_stocking"))
    assert len(of(events, CardDrawn)) == 3
    assert state.cards_at(TREASURE_DISCARD) == ("overflowing_stocking",)
    assert state.cards_at(PENDING) == ()
    fight = fighting(("overflowing_stocking",), (), (), foes=("sally",))
    assert refused(fight, 0, PlayCard("overflowing_stocking")) == ("not_the_time", "MK-6.3")


@pytest.mark.clause("MK-2.4")
def test_no_card_in_play_goes_back_to_a_hand() -> None:
    state = table((), ("curse_lose_town", "curse_best_item"), (), items={0: ("bat_hat",)}, towns={0: ("town_easter",)})
    state = cursed(cursed(state, 1, "curse_lose_town", 0)[1], 1, "curse_best_item", 0)[1]
    assert state.cards_in_hand(0) == ()
    shed = table((), (), (), towns={0: ("town_easter",)}, rides={0: ("ride_broom",)})
    events, shed = when(shed, 0, DiscardFromPlay("town_easter"), DiscardFromPlay("ride_broom"))
    assert names(events) == ["CardsDiscarded", "CardsDiscarded"]
    assert shed.cards_in_hand(0) == ()


@pytest.mark.clause("MK-3.4", "MK-8.1")
def test_what_a_combat_holds_is_given_back_to_nobody_before_it_is_over() -> None:
    state = fighting(("os_fruitcake",), (), (), foes=("puddle_bat",), levels=(3,))
    events, state = when(state, 0, PlayCard("os_fruitcake", side="munchkins"))
    assert not of(events, CardsDiscarded)
    events, state = won(state)
    assert {card for event in of(events, CardsDiscarded) for card in event.put} == {"puddle_bat", "os_fruitcake"}


@pytest.mark.clause("MK-3.1", "MK-9.7")
def test_a_refusal_that_rests_on_a_card_names_card_and_clause() -> None:
    state = fighting(("os_fruitcake",), (), (), foes=("grave_carolers",))
    (ruling,) = (
        ruling
        for move, ruling in find_near_misses(state, Seat(0))
        if move == PlayCard("os_fruitcake", side="munchkins")
    )
    assert ruling.reason == "no_one_shots_here"
    assert ruling.clauses == ("MK-9.4",)
    assert ruling.params["by"] == "grave_carolers"
    assert isinstance(state.agenda[-1], Fight)
    assert refused(state, 0, KickDoor())[0] == "door_is_open"
    assert refused(state, 0, LootRoom())[0] == "a_combat_is_open"
