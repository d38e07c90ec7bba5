"""Verbs about players: each where it works, and where it does nothing."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChoosePlayer
from referee.engine.chance import RollResult
from referee.engine.rulebook.book import BookError
from referee.games.munchkin.components import DOOR_DISCARD, RIDES, TOWNSHIP
from referee.games.munchkin.events.course import LevelsGained, LevelsLost, PlayerDied
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.moves import KeepRoll
from tests.games.munchkin.wording import (
    asked,
    at_rest,
    by_chance,
    kept,
    names,
    of,
    of_card,
    offered,
    read,
    refusal,
    said,
    table,
    unsaid,  # noqa: F401
    when,
)

LOSE = {"do": "lose_levels", "count": 1, "who": "hit"}


# ---- conditions, dice ----------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-9.3")
def test_check_names_the_players_for_whom_its_condition_holds() -> None:
    state = table(levels=(5, 2, 4))
    events, _ = said(state, {"do": "check", "that": {"level_min": 4}, "of": "everyone", "called": "hit"}, LOSE)
    assert [event.seat for event in of(events, LevelsLost)] == [0, 2]


def test_check_names_nobody_where_its_condition_fails() -> None:
    events, state = said(table(), {"do": "check", "that": {"has_ride": True}, "called": "hit"}, {**LOSE, "if": "hit"})
    assert not of(events, LevelsLost)
    assert at_rest(state)


@pytest.mark.clause("MK-19.7")
def test_the_dead_fulfil_no_condition() -> None:
    state = table(levels=(5, 5, 5), dead=(1,))
    events, _ = said(state, {"do": "check", "that": {"level_min": 4}, "of": "everyone", "called": "hit"}, LOSE)
    assert [event.seat for event in of(events, LevelsLost)] == [0, 2]


def test_a_condition_that_means_nothing_is_refused_when_the_card_is_read() -> None:
    with pytest.raises(BookError, match="unknown condition 'levle_min'"):
        read({"do": "check", "that": {"levle_min": 2}, "called": "hit"}, LOSE)


@pytest.mark.clause("MK-2.7")
@pytest.mark.parametrize(("pips", "levels"), [(1, 2), (2, 2), (3, 3), (6, 3)])
def test_what_is_rolled_is_held_against_the_limits_of_the_card(pips: int, levels: int) -> None:
    lines = (
        {"do": "roll", "called": "pips"},
        {"do": "between", "value": "pips", "least": 1, "most": 2, "called": "low"},
        {"do": "lose_levels", "count": 1, "if": "low"},
    )
    _, state = said(table(), *lines)
    _, state = by_chance(state, RollResult((pips,)))
    _, state = when(state, 0, KeepRoll())
    assert state.levels[0] == levels
    assert at_rest(state)


@pytest.mark.clause("MK-26.3")
def test_another_player_may_have_to_roll() -> None:
    lines = ({"do": "roll", "called": "pips", "who": "left"}, {"do": "draw", "deck": "door", "count": 1, "if": "pips"})
    _, state = said(table(doors=("coal_imp",)), *lines)
    _, state = by_chance(state, RollResult((4,)))
    assert asked(state) == {1}


# ---- levels, death ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-4.2")
def test_levels_that_a_card_gives_stop_one_below_the_last() -> None:
    events, state = said(table(levels=(8, 3, 3)), {"do": "gain_levels", "count": 3})
    assert state.levels[0] == 9
    assert of(events, LevelsGained)[0].count == 1


@pytest.mark.clause("MK-3.5", "MK-4.2")
def test_at_level_nine_a_card_gives_no_level() -> None:
    events, state = said(table(levels=(9, 3, 3)), {"do": "gain_levels", "count": 1})
    assert state.levels[0] == 9
    assert of(events, EffectLapsed)[0].what == "gain_levels"


@pytest.mark.clause("MK-3.2", "MK-18.4")
def test_no_level_is_lost_below_the_first() -> None:
    events, state = said(table(levels=(2, 1, 3)), {"do": "lose_levels", "count": 2, "who": "everyone"})
    assert state.levels == (1, 1, 1)
    assert [event.seat for event in of(events, EffectLapsed)] == [1]


@pytest.mark.clause("MK-18.3", "MK-19.1")
def test_who_dies_is_spared_the_rest_of_the_text() -> None:
    events, state = said(table(), {"do": "die"}, {"do": "lose_levels", "count": 1}, text="bad_stuff", kind="monster")
    assert [event.seat for event in of(events, PlayerDied)] == [0]
    assert state.levels[0] == 3
    assert not of(events, LevelsLost)


def test_the_text_goes_on_if_somebody_else_dies() -> None:
    events, state = said(table(), {"do": "die", "who": "left"}, {"do": "lose_levels", "count": 1})
    assert state.dead == (1,)
    assert state.levels[0] == 2
    assert of(events, PlayerDied)


# ---- citizenships, rides ---------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-20.3")
def test_a_player_with_two_citizenships_says_which_is_lost() -> None:
    state = table(towns={0: ("town_easter", "town_halloween", "dual_citizenship")})
    _, state = said(state, {"do": "lose_town", "count": 1})
    assert refusal(state, 0, ChooseCard("dual_citizenship")).reason == "no_town_of_theirs"
    _, state = when(kept(state), 0, ChooseCard("town_easter"))
    assert state.cards_at(TOWNSHIP[0]) == ("town_halloween", "dual_citizenship")


@pytest.mark.clause("MK-4.6")
def test_dual_citizenship_goes_with_the_last_citizenship() -> None:
    _, state = said(table(towns={0: ("town_easter", "dual_citizenship")}), {"do": "lose_town", "count": 1})
    assert state.cards_at(TOWNSHIP[0]) == ()
    assert state.cards_at(DOOR_DISCARD) == ("town_easter", "dual_citizenship")


@pytest.mark.clause("MK-18.2")
def test_who_has_no_citizenship_loses_none() -> None:
    events, _ = said(table(), {"do": "lose_town", "count": "all"})
    assert names(events) == ["Lapsed"]


@pytest.mark.clause("MK-2.5")
def test_a_citizenship_becomes_the_topmost_one_that_was_discarded() -> None:
    state = table(towns={0: ("town_easter", "dual_citizenship")},
                  thrown={"door": ("town_thanksgiving", "town_christmas", "coal_imp")})  # fmt: skip
    _, state = of_card(state, "curse_swap_town")
    assert set(state.cards_at(TOWNSHIP[0])) == {"town_christmas", "dual_citizenship"}
    assert state.cards_at(DOOR_DISCARD) == ("town_thanksgiving", "coal_imp", "town_easter")


@pytest.mark.clause("MK-3.8")
def test_a_citizenship_is_lost_if_none_was_discarded() -> None:
    _, state = of_card(table(towns={0: ("town_easter",)}), "curse_swap_town")
    assert state.cards_at(TOWNSHIP[0]) == ()
    assert state.cards_at(DOOR_DISCARD) == ("town_easter",)


@pytest.mark.clause("MK-4.5")
def test_nobody_becomes_a_citizen_of_one_town_twice() -> None:
    state = table(towns={0: ("town_easter", "town_christmas", "dual_citizenship")},
                  thrown={"door": ("town_christmas",)})  # fmt: skip
    _, state = of_card(state, "curse_swap_town")
    _, state = when(state, 0, ChooseCard("town_easter"))
    assert state.cards_at(TOWNSHIP[0]) == ("town_christmas", "dual_citizenship")


@pytest.mark.clause("MK-8.6", "MK-8.8")
def test_a_ride_goes_with_what_is_attached_to_it() -> None:
    _, state = said(table(rides={1: ("ride_broom", "renh_bells")}), {"do": "lose_ride", "who": "left"})
    assert state.cards_at(RIDES[1]) == ()
    assert state.cards_at("treasures/discard") == ("ride_broom", "renh_bells")


@pytest.mark.clause("MK-18.2")
def test_who_has_no_ride_loses_none() -> None:
    events, _ = said(table(), {"do": "lose_ride"})
    assert names(events) == ["Lapsed"]


# ---- whom ------------------------------------------------------------------------------------------------------------


def test_the_lowest_of_the_others_is_chosen_among_those_who_are_tied() -> None:
    lines = ({"do": "choose", "player": {"lowest_other": True}, "called": "guest"},
             {"do": "gain_levels", "count": 1, "who": "guest"})  # fmt: skip
    _, state = said(table(levels=(1, 2, 2, 5)), *lines)
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(2)]
    assert refusal(state, 0, ChoosePlayer(3)).reason == "not_the_lowest"
    _, state = when(state, 0, ChoosePlayer(2))
    assert state.levels == (1, 2, 3, 5)


@pytest.mark.clause("MK-26.4")
def test_the_only_lowest_of_the_others_needs_no_question() -> None:
    lines = ({"do": "choose", "player": {"lowest_other": True}, "called": "guest"},
             {"do": "gain_levels", "count": 1, "who": "guest"})  # fmt: skip
    _, state = said(table(levels=(1, 3, 2)), *lines)
    assert state.levels == (1, 3, 3)
    assert at_rest(state)


@pytest.mark.clause("MK-19.7")
def test_anybody_alive_may_be_chosen() -> None:
    lines = ({"do": "choose", "player": {"any": True}, "called": "guest"},
             {"do": "gain_levels", "count": 1, "who": "guest"})  # fmt: skip
    _, state = said(table(dead=(1,)), *lines)
    assert offered(state, 0) == [ChoosePlayer(0), ChoosePlayer(2)]
    assert refusal(state, 0, ChoosePlayer(1)).reason == "is_dead"


@pytest.mark.clause("MK-18.5")
def test_the_victim_chooses_what_can_be_done_in_full() -> None:
    state = table(plays={0: ("os_popping_corn",)}, monsters=("cellar_imp",))
    _, state = of_card(state, "cellar_imp", text="bad_stuff")
    _, after = when(state, 0, Accept())
    assert after.levels[0] == 3
    assert after.items_of(0) == ()
