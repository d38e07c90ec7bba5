"""Curses: the moment before they strike, what they do, and how long they stay."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.events import apply_events, replace_fields
from referee.engine.referee import build_view, resolve_pending_steps, seats_that_must_act
from referee.engine.seats import CLOCK, Seat
from referee.games.munchkin import GAME
from referee.games.munchkin.components import CURSES, DOOR_DISCARD, PENDING, TREASURE_DISCARD
from referee.games.munchkin.events.cards import CurseLaid
from referee.games.munchkin.events.combat import HelperLeft
from referee.games.munchkin.events.course import LevelsLost
from referee.games.munchkin.events.texts import CurseCancelled, EffectLapsed
from referee.games.munchkin.moves import KickDoor, Pass, PlayCard
from referee.games.munchkin.rules.cards.cursing import start_curse
from referee.games.munchkin.rules.combat import combat_end
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import score_munchkins, sum_lines
from tests.games.munchkin.wording import (
    asked,
    at_rest,
    kept,
    of,
    offered,
    refusal,
    table,
    times_out,
    unsaid,  # noqa: F401
    when,
)


def struck(card: str, victim: int = 0, state: Table | None = None, **how: Any) -> Table:
    """A curse lies open and is about to strike."""
    state = state if state is not None else table(**how)
    state = replace_fields(state, zones={**state.zones, PENDING: (card,)})
    state = apply_events(state, start_curse(state, card, victim))
    return apply_events(state, resolve_pending_steps(state))


@pytest.mark.clause("MK-20.5", "MK-26.12")
def test_the_victim_alone_is_asked_whatever_the_hand_holds() -> None:
    state = struck("curse_level", victim=1)
    assert seats_that_must_act(state) == {Seat(1), CLOCK}
    assert state.agenda[-1].time_limit(state) == 2600
    assert offered(state, 1) == [Pass()]
    assert offered(state, 0) == []


@pytest.mark.clause("MK-20.5", "MK-23.1")
def test_the_question_is_the_same_for_others_whether_or_not_the_victim_can_answer() -> None:
    without, with_one = (struck("curse_level", victim=1, hands={1: (card,)}) for card in ("bat_hat", "os_lucky_wreath"))
    assert build_view(without, Seat(2)) == build_view(with_one, Seat(2))


@pytest.mark.clause("MK-20.1", "MK-20.2")
def test_a_curse_strikes_once_the_victim_passes_and_is_discarded() -> None:
    events, state = when(kept(struck("curse_level", victim=1)), 1, Pass())
    assert state.levels == (3, 2, 3)
    assert of(events, LevelsLost)
    assert state.cards_at(DOOR_DISCARD) == ("curse_level",)
    assert state.cards_at(PENDING) == ()
    assert at_rest(state)


@pytest.mark.clause("MK-20.5", "MK-26.12")
def test_a_curse_strikes_when_the_time_is_up() -> None:
    _, state = times_out(struck("curse_level"))
    assert state.levels[0] == 2
    assert at_rest(state)


@pytest.mark.clause("MK-26.12")
def test_without_a_limit_the_victim_is_waited_for() -> None:
    assert seats_that_must_act(struck("curse_level", rules={"curse_window_ms": None})) == {Seat(0)}


@pytest.mark.clause("MK-20.5", "MK-8.1")
@pytest.mark.parametrize("where", ["hands", "plays"])
def test_a_card_of_the_hand_or_in_play_cancels_the_curse(where: str) -> None:
    state = struck("curse_level", **{where: {0: ("os_lucky_wreath",)}})
    events, state = when(state, 0, PlayCard("os_lucky_wreath"))
    assert state.levels[0] == 3
    assert of(events, CurseCancelled)[0].by == "os_lucky_wreath"
    assert state.cards_at(DOOR_DISCARD) == ("curse_level",)
    assert state.cards_at(TREASURE_DISCARD) == ("os_lucky_wreath",)
    assert at_rest(state)


@pytest.mark.clause("MK-20.5")
def test_a_curse_that_would_stay_does_not_if_it_is_cancelled() -> None:
    _, state = when(struck("curse_cobweb_hat", hands={0: ("os_lucky_wreath",)}), 0, PlayCard("os_lucky_wreath"))
    assert state.cards_at(CURSES[0]) == ()
    assert state.cards_at(DOOR_DISCARD) == ("curse_cobweb_hat",)


@pytest.mark.clause("MK-3.6", "MK-26.2")
def test_other_cards_and_other_moves_are_no_answer() -> None:
    state = struck("curse_level", hands={0: ("curse_armor", "os_popping_corn")})
    assert refusal(state, 0, PlayCard("os_popping_corn", side="munchkins")).reason == "not_the_time"
    assert refusal(state, 0, PlayCard("os_lucky_wreath")).reason == "not_in_the_hand"
    assert refusal(state, 0, KickDoor()).reason == "answer_or_pass"


@pytest.mark.clause("MK-26.11")
def test_at_a_real_table_the_victim_names_the_card_that_answers() -> None:
    state = struck("curse_level", hands={0: ("?",)}, rules={"cards_at_table": True})
    assert PlayCard("os_lucky_wreath") in offered(state, 0)
    _, state = when(state, 0, PlayCard("os_lucky_wreath"))
    assert state.levels[0] == 3
    assert state.cards_in_hand(0) == ()


@pytest.mark.clause("MK-20.2")
def test_a_curse_that_stays_lies_before_its_victim() -> None:
    events, state = when(struck("curse_cobweb_hat"), 0, Pass())
    assert state.cards_at(CURSES[0]) == ("curse_cobweb_hat",)
    assert of(events, CurseLaid)[0].seat == 0
    assert at_rest(state)


@pytest.mark.clause("MK-14.4", "MK-20.4")
def test_a_curse_for_one_combat_counts_in_the_running_one_and_ends_with_it() -> None:
    state = struck("curse_cold_feet", state=table(monsters=("attic_widow",), helper=1))
    _, state = when(state, 0, Pass())
    assert sum_lines(score_munchkins(state)) == 3 + 3 - 5
    state = apply_events(state, combat_end.end_combat(state, "fled"))
    assert state.cards_at(CURSES[0]) == ()
    assert "curse_cold_feet" in state.cards_at(DOOR_DISCARD)


@pytest.mark.clause("MK-20.2")
def test_a_curse_for_one_combat_waits_for_the_next_one() -> None:
    _, state = when(struck("curse_cold_feet", victim=2, state=table(monsters=("attic_widow",))), 2, Pass())
    state = apply_events(state, combat_end.end_combat(state, "fled"))
    assert state.cards_at(CURSES[2]) == ("curse_cold_feet",)


@pytest.mark.clause("MK-20.2")
def test_a_lasting_curse_outlives_a_combat() -> None:
    _, state = when(struck("curse_cobweb_hat", state=table(monsters=("attic_widow",))), 0, Pass())
    state = apply_events(state, combat_end.end_combat(state, "fled"))
    assert state.cards_at(CURSES[0]) == ("curse_cobweb_hat",)


@pytest.mark.clause("MK-13.11")
def test_a_helper_whom_the_curse_sends_away_keeps_nothing_of_it() -> None:
    events, state = when(struck("curse_cold_feet", 1, table(monsters=("attic_widow",), helper=1)), 1, Pass())
    assert of(events, HelperLeft)
    assert not of(events, CurseLaid)
    assert state.cards_at(CURSES[1]) == ()
    assert state.cards_at(DOOR_DISCARD) == ("curse_cold_feet",)


@pytest.mark.clause("MK-7.2")
def test_only_armor_gives_a_bonus_under_the_curse_that_says_so() -> None:
    state = table(plays={0: ("bat_hat", "tinfoil_suit")}, monsters=("attic_widow",))
    _, state = when(struck("curse_bare_hands", state=state), 0, Pass())
    assert sum_lines(score_munchkins(state)) == 3 + 2


@pytest.mark.clause("MK-20.3")
def test_a_curse_with_a_question_is_discarded_after_the_answer() -> None:
    from referee.cardscript.moves import ChooseCard

    state = struck("curse_small_item", plays={0: ("bat_hat", "stilts")})
    _, state = when(state, 0, Pass())
    assert asked(state) == {0}
    assert state.cards_at(PENDING) == ("curse_small_item",)
    _, state = when(kept(state), 0, ChooseCard("stilts"))
    assert state.cards_at(PENDING) == ()
    assert state.cards_at(DOOR_DISCARD) == ("curse_small_item",)


@pytest.mark.clause("MK-20.7")
def test_no_curse_strikes_somebody_who_has_died() -> None:
    _, state = when(struck("curse_level", victim=1), 1, Pass())
    state = struck("curse_level", victim=1, state=replace_fields(state, dead=(1,)))
    assert state.levels[1] == 2
    assert at_rest(state)
    assert state.cards_at(PENDING) == ()


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_does_nothing_is_told_by_what_it_was(language: str) -> None:
    told = [
        GAME.narration.describe_event(EffectLapsed("curse_level", what, 1))
        for what in ("lose_levels", "lose_items", "pull")
    ]
    lines = [text[language] for text in told if text is not None]
    assert len(set(lines)) == 3
    assert all(("Player 2" in line or "Spieler 2" in line) for line in lines)
