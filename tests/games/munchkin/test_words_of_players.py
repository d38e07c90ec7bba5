"""Verbs about players: each where it works, and where it does nothing."""

from __future__ import annotations

import pytest

from referee.cards.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer
from referee.games.munchkin.events.cards import CardDrawn, CardPulled, CardsDiscarded
from referee.games.munchkin.events.course import LevelsGained, LevelsLost, PlayerDied
from referee.games.munchkin.events.texts import Lapsed
from referee.games.munchkin.material import DOOR_DISCARD, RIDES, TOWNSHIP
from referee.games.munchkin.moves import KeepRoll
from referee.kernel.chance import Picked, Rolled
from referee.kernel.clauses import Misprint
from referee.kernel.play import awaited
from referee.kernel.seats import CHANCE
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
    times_out,
    unsaid,  # noqa: F401
    when,
)

LOSE = {"do": "lose_levels", "count": 1, "who": "hit"}


# ---- conditions, dice ----------------------------------------------------------------------------------------------


def test_check_names_the_players_for_whom_its_condition_holds() -> None:
    state = table(levels=(5, 2, 4))
    facts, _ = said(state, {"do": "check", "that": {"level_min": 4}, "of": "everyone", "called": "hit"}, LOSE)
    assert [fact.seat for fact in of(facts, LevelsLost)] == [0, 2]


def test_check_names_nobody_where_its_condition_fails() -> None:
    facts, state = said(table(), {"do": "check", "that": {"has_ride": True}, "called": "hit"}, {**LOSE, "if": "hit"})
    assert not of(facts, LevelsLost)
    assert at_rest(state)


def test_the_dead_fulfil_no_condition() -> None:
    state = table(levels=(5, 5, 5), dead=(1,))
    facts, _ = said(state, {"do": "check", "that": {"level_min": 4}, "of": "everyone", "called": "hit"}, LOSE)
    assert [fact.seat for fact in of(facts, LevelsLost)] == [0, 2]


def test_a_condition_that_means_nothing_is_refused_when_the_card_is_read() -> None:
    with pytest.raises(Misprint, match="unknown condition 'levle_min'"):
        read({"do": "check", "that": {"levle_min": 2}, "called": "hit"}, LOSE)


@pytest.mark.parametrize(("pips", "levels"), [(1, 2), (2, 2), (3, 3), (6, 3)])
def test_what_is_rolled_is_held_against_the_limits_of_the_card(pips: int, levels: int) -> None:
    lines = (
        {"do": "roll", "called": "pips"},
        {"do": "between", "value": "pips", "least": 1, "most": 2, "called": "low"},
        {"do": "lose_levels", "count": 1, "if": "low"},
    )
    _, state = said(table(), *lines)
    _, state = by_chance(state, Rolled((pips,)))
    _, state = when(state, 0, KeepRoll())
    assert state.levels[0] == levels
    assert at_rest(state)


def test_another_player_may_have_to_roll() -> None:
    lines = ({"do": "roll", "called": "pips", "who": "left"}, {"do": "draw", "deck": "door", "count": 1, "if": "pips"})
    _, state = said(table(doors=("coal_imp",)), *lines)
    _, state = by_chance(state, Rolled((4,)))
    assert asked(state) == {1}


# ---- levels, death ---------------------------------------------------------------------------------------------------


def test_levels_that_a_card_gives_stop_one_below_the_last() -> None:
    facts, state = said(table(levels=(8, 3, 3)), {"do": "gain_levels", "count": 3})
    assert state.levels[0] == 9
    assert of(facts, LevelsGained)[0].count == 1


def test_at_level_nine_a_card_gives_no_level() -> None:
    facts, state = said(table(levels=(9, 3, 3)), {"do": "gain_levels", "count": 1})
    assert state.levels[0] == 9
    assert of(facts, Lapsed)[0].what == "gain_levels"


def test_no_level_is_lost_below_the_first() -> None:
    facts, state = said(table(levels=(2, 1, 3)), {"do": "lose_levels", "count": 2, "who": "everyone"})
    assert state.levels == (1, 1, 1)
    assert [fact.seat for fact in of(facts, Lapsed)] == [1]


def test_who_dies_is_spared_the_rest_of_the_text() -> None:
    facts, state = said(table(), {"do": "die"}, {"do": "lose_levels", "count": 1}, text="bad_stuff", kind="monster")
    assert [fact.seat for fact in of(facts, PlayerDied)] == [0]
    assert state.levels[0] == 3
    assert not of(facts, LevelsLost)


def test_the_text_goes_on_if_somebody_else_dies() -> None:
    facts, state = said(table(), {"do": "die", "who": "left"}, {"do": "lose_levels", "count": 1})
    assert state.dead == (1,)
    assert state.levels[0] == 2
    assert of(facts, PlayerDied)


# ---- hands -----------------------------------------------------------------------------------------------------------


def test_cards_are_drawn_face_down_from_the_deck_that_the_card_names() -> None:
    facts, state = said(table(doors=("coal_imp",), treasures=("bat_hat", "stilts")),
                        {"do": "draw", "deck": "treasure", "count": 2})  # fmt: skip
    assert state.hand(0) == ("bat_hat", "stilts")
    assert len(of(facts, CardDrawn)) == 2


def test_who_discards_chooses_the_cards() -> None:
    _, state = said(table({0: ("coal_imp", "bat_hat", "stilts")}), {"do": "discard_hand", "count": 2})
    assert asked(state) == {0}
    assert len(offered(state, 0)) == 3
    _, state = when(kept(state), 0, ChooseCards(("stilts", "coal_imp")))
    assert state.hand(0) == ("bat_hat",)
    assert state.place(DOOR_DISCARD) == ("coal_imp",)
    assert at_rest(state)


def test_too_few_cards_or_cards_of_somebody_else_are_refused() -> None:
    _, state = said(table({0: ("coal_imp", "bat_hat"), 1: ("stilts",)}), {"do": "discard_hand", "count": 1})
    assert refusal(state, 0, ChooseCards(())).reason == "exactly_so_many"
    assert refusal(state, 0, ChooseCards(("stilts",))).reason == "not_in_the_hand"


def test_who_holds_no_more_than_is_asked_for_discards_all_without_being_asked() -> None:
    facts, state = said(table({0: ("coal_imp", "bat_hat")}), {"do": "discard_hand", "count": 2})
    assert state.hand(0) == ()
    assert len(of(facts, CardsDiscarded)) == 2
    assert at_rest(state)


def test_an_empty_hand_has_nothing_to_discard() -> None:
    facts, state = said(table(), {"do": "discard_hand", "count": "all"})
    assert names(facts) == ["Lapsed"]
    assert at_rest(state)


def test_several_players_discard_one_after_the_other() -> None:
    state = table({0: ("coal_imp", "bat_hat"), 1: ("stilts", "marrow_pup")}, monsters=("attic_widow",), helper=1)
    _, state = said(state, {"do": "discard_hand", "count": 1, "who": "fighters"})
    assert asked(state) == {0}
    _, state = when(state, 0, ChooseCards(("bat_hat",)))
    assert asked(state) == {1}
    _, state = when(state, 1, ChooseCards(("stilts",)))
    assert at_rest(state)


def test_an_absent_player_discards_what_is_worth_least() -> None:
    state = table({0: ("overtime_scythe", "coal_imp")}, rules={"turn_timeout_ms": 1000})
    _, state = said(state, {"do": "discard_hand", "count": 1})
    _, state = times_out(state)
    assert state.hand(0) == ("overtime_scythe",)


def test_chance_picks_the_card_that_is_discarded_at_random() -> None:
    _, state = said(table({0: ("coal_imp", "bat_hat")}), {"do": "discard_hand", "count": 1, "random": True})
    assert awaited(state) == {CHANCE}
    _, state = by_chance(kept(state), Picked(("bat_hat",)))
    assert state.hand(0) == ("coal_imp",)
    assert at_rest(state)


def test_the_only_card_is_discarded_without_chance() -> None:
    _, state = said(table({0: ("bat_hat",)}), {"do": "discard_hand", "count": 1, "random": True})
    assert state.hand(0) == ()
    assert at_rest(state)


def test_at_a_real_table_the_card_discarded_at_random_is_read_out() -> None:
    state = table({0: ("?",)}, thrown={"treasure": ("bat_hat",)}, rules={"cards_at_table": True})
    _, state = said(state, {"do": "discard_hand", "count": 1, "random": True})
    assert awaited(state) == {CHANCE}
    assert refusal(state, CHANCE, Picked(("bat_hat",))).reason == "not_these_cards"
    _, state = by_chance(state, Picked(("stilts",)))
    assert state.hand(0) == ()
    assert state.place("treasures/discard") == ("bat_hat", "stilts")


def test_at_a_real_table_a_whole_hand_is_named_by_who_holds_it() -> None:
    state = table({0: ("?", "?")}, rules={"cards_at_table": True, "turn_timeout_ms": 1000})
    _, state = said(state, {"do": "discard_hand", "count": "all"})
    assert asked(state) == {0}
    assert awaited(state) == {0}
    assert refusal(state, 0, ChooseCards(("bat_hat", "bat_hat"))).reason == "no_copy_left"
    _, state = when(state, 0, ChooseCards(("bat_hat", "stilts")))
    assert state.hand(0) == ()
    assert at_rest(state)


def test_a_neighbour_takes_a_card_at_random() -> None:
    _, state = said(table({0: ("coal_imp", "bat_hat")}), {"do": "pull", "by": "left"})
    facts, state = by_chance(state, Picked(("bat_hat",)))
    assert state.hand(1) == ("bat_hat",)
    assert of(facts, CardPulled)[0].of == 0
    assert at_rest(state)


def test_nothing_is_taken_out_of_an_empty_hand() -> None:
    facts, _ = said(table(), {"do": "pull", "by": "left"})
    assert names(facts) == ["Lapsed"]


def test_a_discarded_card_comes_to_the_hand() -> None:
    state = table(thrown={"door": ("coal_imp",), "treasure": ("bat_hat",)})
    _, state = of_card(state, "os_grave_robbing_kit")
    assert offered(state, 0) == [ChooseCard("coal_imp"), ChooseCard("bat_hat")]
    assert refusal(state, 0, ChooseCard("stilts")).reason == "not_discarded"
    _, state = when(state, 0, ChooseCard("bat_hat"))
    assert state.hand(0) == ("bat_hat",)
    assert state.place("treasures/discard") == ()


def test_with_nothing_discarded_there_is_nothing_to_take() -> None:
    facts, state = of_card(table(), "os_grave_robbing_kit")
    assert names(facts) == ["cards.NothingThere"]
    assert at_rest(state)


# ---- citizenships, rides ---------------------------------------------------------------------------------------------


def test_a_player_with_two_citizenships_says_which_is_lost() -> None:
    state = table(towns={0: ("town_easter", "town_halloween", "dual_citizenship")})
    _, state = said(state, {"do": "lose_town", "count": 1})
    assert refusal(state, 0, ChooseCard("dual_citizenship")).reason == "no_town_of_theirs"
    _, state = when(kept(state), 0, ChooseCard("town_easter"))
    assert state.place(TOWNSHIP[0]) == ("town_halloween", "dual_citizenship")


def test_dual_citizenship_goes_with_the_last_citizenship() -> None:
    _, state = said(table(towns={0: ("town_easter", "dual_citizenship")}), {"do": "lose_town", "count": 1})
    assert state.place(TOWNSHIP[0]) == ()
    assert state.place(DOOR_DISCARD) == ("town_easter", "dual_citizenship")


def test_who_has_no_citizenship_loses_none() -> None:
    facts, _ = said(table(), {"do": "lose_town", "count": "all"})
    assert names(facts) == ["Lapsed"]


def test_a_citizenship_becomes_the_topmost_one_that_was_discarded() -> None:
    state = table(towns={0: ("town_easter", "dual_citizenship")},
                  thrown={"door": ("town_thanksgiving", "town_christmas", "coal_imp")})  # fmt: skip
    _, state = of_card(state, "curse_swap_town")
    assert set(state.place(TOWNSHIP[0])) == {"town_christmas", "dual_citizenship"}
    assert state.place(DOOR_DISCARD) == ("town_thanksgiving", "coal_imp", "town_easter")


def test_a_citizenship_is_lost_if_none_was_discarded() -> None:
    _, state = of_card(table(towns={0: ("town_easter",)}), "curse_swap_town")
    assert state.place(TOWNSHIP[0]) == ()
    assert state.place(DOOR_DISCARD) == ("town_easter",)


def test_nobody_becomes_a_citizen_of_one_town_twice() -> None:
    state = table(towns={0: ("town_easter", "town_christmas", "dual_citizenship")},
                  thrown={"door": ("town_christmas",)})  # fmt: skip
    _, state = of_card(state, "curse_swap_town")
    _, state = when(state, 0, ChooseCard("town_easter"))
    assert state.place(TOWNSHIP[0]) == ("town_christmas", "dual_citizenship")


def test_a_ride_goes_with_what_is_attached_to_it() -> None:
    _, state = said(table(rides={1: ("ride_broom", "renh_bells")}), {"do": "lose_ride", "who": "left"})
    assert state.place(RIDES[1]) == ()
    assert state.place("treasures/discard") == ("ride_broom", "renh_bells")


def test_who_has_no_ride_loses_none() -> None:
    facts, _ = said(table(), {"do": "lose_ride"})
    assert names(facts) == ["Lapsed"]


# ---- whom ------------------------------------------------------------------------------------------------------------


def test_the_lowest_of_the_others_is_chosen_among_those_who_are_tied() -> None:
    lines = ({"do": "choose", "player": {"lowest_other": True}, "called": "guest"},
             {"do": "gain_levels", "count": 1, "who": "guest"})  # fmt: skip
    _, state = said(table(levels=(1, 2, 2, 5)), *lines)
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(2)]
    assert refusal(state, 0, ChoosePlayer(3)).reason == "not_the_lowest"
    _, state = when(state, 0, ChoosePlayer(2))
    assert state.levels == (1, 2, 3, 5)


def test_the_only_lowest_of_the_others_needs_no_question() -> None:
    lines = ({"do": "choose", "player": {"lowest_other": True}, "called": "guest"},
             {"do": "gain_levels", "count": 1, "who": "guest"})  # fmt: skip
    _, state = said(table(levels=(1, 3, 2)), *lines)
    assert state.levels == (1, 3, 3)
    assert at_rest(state)


def test_anybody_alive_may_be_chosen() -> None:
    lines = ({"do": "choose", "player": {"any": True}, "called": "guest"},
             {"do": "gain_levels", "count": 1, "who": "guest"})  # fmt: skip
    _, state = said(table(dead=(1,)), *lines)
    assert offered(state, 0) == [ChoosePlayer(0), ChoosePlayer(2)]
    assert refusal(state, 0, ChoosePlayer(1)).reason == "is_dead"


def test_the_victim_chooses_what_can_be_done_in_full() -> None:
    state = table(plays={0: ("os_popping_corn",)}, monsters=("cellar_imp",))
    _, state = of_card(state, "cellar_imp", text="bad_stuff")
    _, after = when(state, 0, Accept())
    assert after.levels[0] == 3
    assert after.items(0) == ()
