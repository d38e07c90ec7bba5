"""The nine Go Up a Level cards and the stocking: on whom, when, and when nobody goes up."""

from __future__ import annotations

import pytest

from referee.games.munchkin.components import TREASURE_DISCARD
from referee.games.munchkin.moves import ClaimKill, PlayCard
from tests.games.course import refused, then
from tests.games.munchkin.card_moves import fight, ran, strengths
from tests.games.munchkin.given import table, with_deck

FOR_ANYONE = ("gual_scream", "gual_ferryman", "gual_calendar", "gual_coin", "gual_moonrise", "gual_pie")
FOR_ME = ("gual_whine", "gual_nametags", "gual_driver")
TARGET = {"gual_whine": -1, "gual_nametags": 2, "gual_driver": 2}
RIDES = {2: ("ride_broom", "renh_bells")}


@pytest.mark.parametrize("card", FOR_ANYONE)
@pytest.mark.clause("MK-6.1", "MK-8.4")
def test_anybody_goes_up_a_level_at_any_time(card: str) -> None:
    for by, target in ((0, 0), (1, 1), (1, 2), (2, 0)):
        hands = [(), (), ()]
        hands[by] = (card,)
        state = then(table(*hands, levels=(4, 4, 4)), by, PlayCard(card, target))
        assert state.levels == tuple(5 if seat == target else 4 for seat in range(3))
        assert state.cards_at(TREASURE_DISCARD) == (card,)
    fighting = fight("tinsel_serpent", hands=((), (card,), ()))
    assert strengths(then(fighting, 1, PlayCard(card, 0)))[0] == 5
    assert then(ran("wolfman", hands=((), (card,), ())), 1, PlayCard(card, 0)).levels[0] == 5
    window = then(fight("puddle_bat", hands=((), (card,), ())), 0, ClaimKill())
    assert then(window, 1, PlayCard(card, 1)).moment == "fight"  # a play in the window opens the combat again


@pytest.mark.parametrize("card", FOR_ANYONE)
@pytest.mark.clause("MK-3.5", "MK-4.2", "MK-8.4", "MK-19.7")
def test_nobody_goes_up_to_level_ten_by_a_card_nor_without_being_named_nor_if_dead(card: str) -> None:
    state = table((card,), (), (), levels=(9, 8, 1), dead=(2,))
    assert refused(state, 0, PlayCard(card, 0)) == ("level_ten_by_a_kill", "MK-4.2")
    assert then(state, 0, PlayCard(card, 1)).levels == (9, 9, 1)
    assert refused(state, 0, PlayCard(card, 2)) == ("is_dead", "MK-19.7")
    assert refused(state, 0, PlayCard(card)) == ("names_too_little", "MK-8.4")


@pytest.mark.parametrize("card", [*FOR_ANYONE, *FOR_ME])
def test_a_level_is_not_gained_between_a_curse_and_its_effect(card: str) -> None:
    state = table((card,), ("curse_level",), (), levels=(4, 5, 5), rides=RIDES)
    state = then(state, 1, PlayCard("curse_level", 0))
    target = TARGET.get(card, 0)
    assert refused(state, 0, PlayCard(card, target))[0] == "carried_out_first"


@pytest.mark.parametrize("card", FOR_ME)
@pytest.mark.clause("MK-4.2")
def test_a_card_for_its_player_alone_is_not_played_at_level_nine(card: str) -> None:
    state = table((card,), (), (), levels=(9, 10, 5) if card == "gual_whine" else (9, 5, 5), rides=RIDES)
    assert refused(state, 0, PlayCard(card, TARGET[card])) == ("level_ten_by_a_kill", "MK-4.2")
    assert state.cards_at("ride/2") == RIDES[2]


@pytest.mark.card("gual_whine")
def test_whoever_is_behind_complains_to_the_council_and_goes_up() -> None:
    state = then(table(("gual_whine",), (), (), levels=(3, 4, 1)), 0, PlayCard("gual_whine"))
    assert state.levels == (4, 4, 1)
    state = then(table((), ("gual_whine",), (), levels=(3, 1, 1)), 1, PlayCard("gual_whine"))
    assert state.levels == (3, 2, 1)  # on another's turn


@pytest.mark.card("gual_whine")
@pytest.mark.clause("MK-3.1", "MK-8.4")
def test_the_council_does_not_hear_the_highest_or_those_tied_with_them_or_anothers_name() -> None:
    for levels in ((4, 4, 1), (5, 4, 1)):
        state = table(("gual_whine",), (), (), levels=levels)
        assert refused(state, 0, PlayCard("gual_whine")) == ("condition_fails", "MK-3.1")
    state = table(("gual_whine",), (), (), levels=(1, 4, 1))
    assert refused(state, 0, PlayCard("gual_whine", 2)) == ("names_too_much", "MK-8.4")


@pytest.mark.card("gual_nametags")
def test_name_tags_take_a_level_from_another_for_the_player() -> None:
    state = table((), ("gual_nametags",), (), levels=(2, 4, 4))
    assert then(state, 1, PlayCard("gual_nametags", 0)).levels == (1, 5, 4)
    assert then(state, 1, PlayCard("gual_nametags", 2)).levels == (2, 5, 3)


@pytest.mark.card("gual_nametags")
@pytest.mark.clause("MK-3.1", "MK-8.4")
def test_name_tags_do_not_work_on_level_one_or_on_oneself() -> None:
    state = table(("gual_nametags",), (), (), levels=(4, 1, 1))
    assert refused(state, 0, PlayCard("gual_nametags", 1)) == ("target_does_not_fit", "MK-3.1")
    assert refused(state, 0, PlayCard("gual_nametags", 0)) == ("another_player", "MK-3.1")
    assert refused(state, 0, PlayCard("gual_nametags")) == ("names_too_little", "MK-8.4")


@pytest.mark.card("gual_driver")
@pytest.mark.parametrize("owner", [0, 2])
def test_the_driver_runs_off_with_the_ride_and_what_is_attached(owner: int) -> None:
    rides = {owner: ("ride_broom", "renh_bells")}
    state = table(("gual_driver",), (), (), levels=(4, 4, 4), rides=rides, turn=1)  # on another's turn
    state = then(state, 0, PlayCard("gual_driver", owner))
    assert state.levels == (5, 4, 4)
    assert state.cards_at(f"ride/{owner}") == ()
    assert set(state.cards_at(TREASURE_DISCARD)) == {"gual_driver", "ride_broom", "renh_bells"}


@pytest.mark.card("gual_driver")
@pytest.mark.clause("MK-3.1", "MK-8.4")
def test_there_is_no_driver_to_scare_and_nothing_gained_where_nobody_rides() -> None:
    state = table(("gual_driver",), (), (), levels=(4, 4, 4), rides={2: ("ride_broom",)})
    assert refused(state, 0, PlayCard("gual_driver", 1)) == ("target_does_not_fit", "MK-3.1")
    assert refused(state, 0, PlayCard("gual_driver")) == ("names_too_little", "MK-8.4")


@pytest.mark.card("overflowing_stocking")
@pytest.mark.clause("MK-8.5")
def test_the_stocking_gives_three_treasures() -> None:
    state = table(("overflowing_stocking",), (), (), treasures=("bat_hat", "stilts", "candy_hook"))
    state = then(state, 0, PlayCard("overflowing_stocking"))
    assert state.cards_in_hand(0) == ("bat_hat", "stilts", "candy_hook")
    assert state.cards_at(TREASURE_DISCARD) == ("overflowing_stocking",)


@pytest.mark.card("overflowing_stocking")
@pytest.mark.clause("MK-6.3")
def test_the_stocking_is_not_emptied_in_combat_or_on_anothers_turn_and_gives_nothing_that_is_not_there() -> None:
    state = fight("wolfman", hands=(("overflowing_stocking",), (), ()))
    assert refused(state, 0, PlayCard("overflowing_stocking"))[0] == "not_the_time"
    state = table((), ("overflowing_stocking",), ())
    assert refused(state, 1, PlayCard("overflowing_stocking")) == ("not_the_time", "MK-6.3")
    state = with_deck(table(("overflowing_stocking",), (), ()), "treasures:", "bat_hat")
    state = then(state, 0, PlayCard("overflowing_stocking"))
    assert state.cards_in_hand(0) == ("bat_hat",)  # the deck and its discards hold no more
