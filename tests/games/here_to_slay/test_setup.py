"""Setting up: who picks which leader and when, the first hands, the first row, the first turn."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.chance import RollResult, ShuffleResult
from referee.engine.events import Event
from referee.engine.game import Setup
from referee.engine.referee import seats_that_must_act
from referee.engine.rulings import MalformedInput
from referee.engine.seats import CHANCE, CLOCK
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import (
    BOOK,
    BOXED,
    DECK,
    DISCARD,
    LEADER,
    LEADERS,
    MONSTER_BOX,
    MONSTERS,
    ROW,
)
from referee.games.here_to_slay.events.cards import CardDrawn, LotDrawn
from referee.games.here_to_slay.events.plays import DiceRolled
from referee.games.here_to_slay.events.turns import (
    CardsBoxed,
    DieCast,
    HandDealt,
    LeaderPicked,
    MonsterTurnedUp,
    TurnStarted,
)
from referee.games.here_to_slay.moves import DrawOne, Leave, Modify, PickLeader
from referee.games.here_to_slay.rules.turn import Turn
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, refusal, settled, then, times_out, when
from tests.games.here_to_slay.given import names

FOUR = ("the_shadow_claw", "the_cloaked_sage", "the_divine_arrow", "the_protecting_horn")


def start(seats: int, **settings: Any) -> Table:
    """The table of a new match, at its first question."""
    return settled(GAME.build_table(Setup("standard", seats, settings)))


def cast(state: Table, *pips: int) -> Table:
    """The table after these dice for the first pick, one by one."""
    for value in pips:
        assert seats_that_must_act(state) == {CHANCE}
        state = then(state, CHANCE, RollResult((value,)))
    return state


def dealt(state: Table) -> tuple[tuple[Event, ...], Table]:
    """Both piles are shuffled into the reverse of the order of the box; all facts up to the first turn."""
    events: tuple[Event, ...] = ()
    for place in (DECK, MONSTERS):
        assert seats_that_must_act(state) == {CHANCE}
        more, state = when(state, CHANCE, ShuffleResult(state.cards_at(place)[::-1]))
        events += more
    return events, state


def ready(seats: int) -> tuple[tuple[Event, ...], Table]:
    """A match in which seat 0 picked first: the facts since, and the table in its first turn."""
    state = cast(start(seats), 6, *([1] * (seats - 1)))
    for seat, leader in zip(range(seats), FOUR[4 - seats :], strict=True):
        state = then(state, seat, PickLeader(leader))
    return dealt(state)


@pytest.mark.clause("HTS-SETUP-1")
def test_every_player_picks_one_leader_and_keeps_it() -> None:
    state = cast(start(3), 6, 1, 1)
    events, state = when(state, 0, PickLeader("the_shadow_claw"))
    assert of(events, LeaderPicked)[0].target == LEADER[0]
    assert refusal(state, 1, PickLeader("the_shadow_claw")).reason == "leader_is_taken"
    assert refusal(state, 1, DrawOne()).reason == "leaders_come_first"
    state = then(then(state, 1, PickLeader("the_cloaked_sage")), 2, PickLeader("the_divine_arrow"))
    _, state = dealt(state)
    assert [state.leader_of(seat) for seat in range(3)] == ["the_shadow_claw", "the_cloaked_sage", "the_divine_arrow"]
    assert refusal(state, 2, PickLeader("the_fist_of_reason")).reason == "leader_is_for_good"


@pytest.mark.clause("HTS-SETUP-2", "HTS-AMB-71")
def test_the_highest_die_picks_first_and_then_it_goes_clockwise() -> None:
    state = cast(start(3), 2, 3, 5)
    assert asked(state) == {2}
    assert refusal(state, 0, PickLeader("the_cloaked_sage")).reason == "another_picks_first"
    state = then(state, 2, PickLeader("the_cloaked_sage"))
    assert asked(state) == {0}
    state = then(state, 0, PickLeader("the_divine_arrow"))
    assert asked(state) == {1}


@pytest.mark.clause("HTS-SETUP-2", "HTS-AMB-71")
def test_ties_for_the_highest_die_roll_again_and_nobody_else() -> None:
    state = start(4)
    events, state = when(cast(state, 4, 1, 4), CHANCE, RollResult((2,)))
    assert of(events, DieCast) == [DieCast(3, 2)]
    events, state = when(state, CHANCE, RollResult((3,)))
    assert of(events, DieCast) == [DieCast(0, 3)]
    events, state = when(state, CHANCE, RollResult((6,)))
    assert of(events, DieCast) == [DieCast(2, 6)]
    assert asked(state) == {2}


@pytest.mark.clause("HTS-SETUP-2", "HTS-AMB-71", "HTS-SETUP-7")
def test_at_once_whoever_is_faster_has_the_card_and_the_last_one_begins() -> None:
    state = start(3, leader_choice="at_once")
    assert asked(state) == {0, 1, 2}
    state = then(state, 1, PickLeader("the_fist_of_reason"))
    assert refusal(state, 0, PickLeader("the_fist_of_reason")).reason == "leader_went_to_faster"
    assert refusal(state, 1, PickLeader("the_cloaked_sage")).reason == "leader_is_for_good"
    state = then(then(state, 2, PickLeader("the_divine_arrow")), 0, PickLeader("the_shadow_claw"))
    events, _ = dealt(state)
    assert of(events, TurnStarted) == [TurnStarted(0, 3)]


def test_the_last_of_six_leaders_needs_no_picking() -> None:
    state = cast(start(6), 6, 1, 1, 1, 1, 1)
    for seat, leader in enumerate((*FOUR, "the_fist_of_reason")):
        events, state = when(state, seat, PickLeader(leader))
    assert of(events, LeaderPicked)[-1].seat == 5
    assert state.leader_of(5) == "the_charismatic_song"


@pytest.mark.clause("HTS-SETUP-3", "HTS-EDGE-1")
def test_with_two_players_the_shadow_claw_is_removed() -> None:
    state = start(2)
    assert "the_shadow_claw" not in state.cards_at(LEADERS)
    assert state.cards_at(BOXED) == ("the_shadow_claw",)
    against = refusal(cast(state, 2, 1), 0, PickLeader("the_shadow_claw"))
    assert (against.reason, against.clauses) == ("leader_is_left_out", ("HTS-SETUP-3",))
    then(cast(start(3), 3, 2, 1), 0, PickLeader("the_shadow_claw"))


@pytest.mark.clause("HTS-SETUP-4", "HTS-ZONE-4")
def test_leaders_that_nobody_picked_go_to_the_box_for_the_whole_match() -> None:
    state = cast(start(2), 6, 1)
    events, state = when(then(state, 0, PickLeader("the_cloaked_sage")), 1, PickLeader("the_divine_arrow"))
    left = {"the_fist_of_reason", "the_charismatic_song", "the_protecting_horn"}
    assert set(of(events, CardsBoxed)[0].put) == left
    assert set(state.cards_at(BOXED)) == {*left, "the_shadow_claw"}
    assert state.cards_at(LEADERS) == ()


@pytest.mark.clause("HTS-SETUP-5")
def test_each_player_gets_five_of_the_shuffled_cards_and_the_rest_is_the_main_deck() -> None:
    state = cast(start(3), 6, 1, 1)
    for seat, leader in enumerate(FOUR[1:]):
        state = then(state, seat, PickLeader(leader))
    order = state.cards_at(DECK)[::-1]
    assert len(order) == 115
    events, state = dealt(state)
    assert [(event.seat, event.put) for event in of(events, HandDealt)] == [
        (s, order[s * 5 : s * 5 + 5]) for s in range(3)
    ]
    assert [len(state.cards_in_hand(seat)) for seat in range(3)] == [5, 5, 5]
    assert state.cards_at(DECK) == order[15:]
    assert state.cards_at(DISCARD) == ()


@pytest.mark.clause("HTS-SETUP-6")
def test_the_top_three_of_the_shuffled_monsters_are_the_row() -> None:
    events, state = ready(2)
    order = tuple(reversed(list(MONSTER_BOX)))
    assert state.cards_at(ROW) == order[:3]
    assert state.cards_at(MONSTERS) == order[3:]
    assert len(of(events, MonsterTurnedUp)) == 3


@pytest.mark.clause("HTS-SETUP-7")
def test_the_last_to_pick_a_leader_has_the_first_turn() -> None:
    state = cast(start(3), 1, 6, 1)
    for seat, leader in ((1, "the_shadow_claw"), (2, "the_cloaked_sage"), (0, "the_divine_arrow")):
        state = then(state, seat, PickLeader(leader))
    events, state = dealt(state)
    assert of(events, TurnStarted) == [TurnStarted(0, 3)]
    assert state.agenda == (Turn(0),)


@pytest.mark.clause("HTS-SETUP-8")
def test_dealing_and_turning_up_are_no_draws_and_trigger_nothing() -> None:
    events, state = ready(2)
    assert not of(events, CardDrawn)
    assert not of(events, LotDrawn)
    assert set(names(events)) == {"Reordered", "HandDealt", "MonsterTurnedUp", "TurnStarted"}
    assert state.agenda == (Turn(1),)


@pytest.mark.clause("HTS-SETUP-9")
def test_nothing_can_be_played_on_the_die_for_the_first_pick() -> None:
    state = start(3)
    events, state = when(state, CHANCE, RollResult((4,)))
    assert not of(events, DiceRolled)
    assert seats_that_must_act(state) == {CHANCE}
    assert refusal(state, 0, Modify("modifier_plus_4", 4, 0)).clauses[0] == "HTS-SETUP-9"


@pytest.mark.clause("HTS-AMB-75")
def test_only_the_six_leaders_and_the_rules_of_the_box() -> None:
    against = refusal(cast(start(3), 6, 1, 1), 0, PickLeader("a_leader_of_my_own"))
    assert (against.reason, against.clauses) == ("no_such_leader", ("HTS-LEAD-7",))
    with pytest.raises(MalformedInput):
        GAME.build_table(Setup("solo", 3))
    with pytest.raises(MalformedInput):
        GAME.build_table(Setup("standard", 3, {"leaders": ["a_leader_of_my_own"]}))


@pytest.mark.clause("HTS-AMB-76")
@pytest.mark.parametrize("choice", ["roll", "at_once"])
def test_whoever_lets_the_time_to_pick_go_by_gets_the_first_leader_that_is_left(choice: str) -> None:
    state = start(3, leader_choice=choice, decision_ms=5000)
    state = state if choice == "at_once" else cast(state, 6, 1, 1)
    assert CLOCK in seats_that_must_act(state)
    _, state = times_out(state)
    assert state.leader_of(0) == "the_charismatic_song"  # the first by card id
    assert 0 not in asked(state)


def test_nobody_leaves_a_match_that_has_not_begun() -> None:
    assert refusal(cast(start(3), 6, 1, 1), 1, Leave()).reason == "not_begun_yet"


@pytest.mark.clause("HTS-SETUP-2", "HTS-SETUP-7")
def test_the_die_is_said_to_decide_the_first_pick_and_not_the_first_turn() -> None:
    die, turn = BOOK.clauses["HTS-SETUP-2"].says, BOOK.clauses["HTS-SETUP-7"].says
    assert "picks first" in die["en"]
    assert "zuerst wählt" in die["de"]
    assert "goes first" not in die["en"]
    assert "anfängt" not in die["de"]
    assert "chosen last" in turn["en"]
    assert "zuletzt gewählt" in turn["de"]


@pytest.mark.clause("HTS-AMB-32")
def test_a_match_opened_before_a_setting_existed_is_still_opened_the_same_way() -> None:
    """Its log does not name the setting, and replay compares what was written at the opening."""
    old = {
        "leader_choice", "challenge_immediate", "challenge_out_of_turn", "fist_when_challenged", "targets",
        "free_roll_counts", "sabretooth_before_doll", "unpayable_play", "mega_slime_from", "window_ms", "decision_ms",
    }  # fmt: skip
    usual = GAME.complete_setup(Setup("standard", 3))
    assert set(usual.settings) == old
    assert GAME.complete_setup(Setup("standard", 3, {"good_items_at_home": False})) == usual
    agreed = GAME.complete_setup(Setup("standard", 3, {"good_items_at_home": True}))
    assert agreed.settings == {**usual.settings, "good_items_at_home": True}
    assert [GAME.build_table(setup).rules.good_items_at_home for setup in (usual, agreed)] == [False, True]
