"""The kernel on a toy game: turns, windows, moves out of turn, triggers, chance, hidden cards, dry runs."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from referee.engine.chance import RollResult, Shuffle, ShuffleResult
from referee.engine.codec import decode, encode
from referee.engine.events import Event, apply_events
from referee.engine.prompts import TimedOut
from referee.engine.referee import (
    build_view,
    draw_chance_move,
    find_closest_legal,
    find_legal_moves,
    find_near_misses,
    judge_move,
    play_move,
    resolve_pending_steps,
    sample_legal_move,
    seats_that_may_act,
    seats_that_must_act,
)
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER, CHANCE, CLOCK, Seat
from referee.engine.steps import State, StepPopped, StepPushed, TriggerQueued, replace_innermost_step
from referee.engine.zones import Moved
from tests.engine.toy import GAME, Bomb, Cheer, Consolation, Dodge, Hit, Play, Suffer, Table, Turn


def table(**changes: object) -> Table:
    """Three seats, the hands known, seat 0 on turn."""
    zones = {
        "deck:": ("cake", "bomb", "dodge!red"),
        "hand:0": ("bomb", "cake"),
        "hand:1": ("dodge!red", "bomb"),
        "hand:2": ("cake",),
        "discard": (),
    }
    return replace(Table((Turn(0),), zones, (0, 0, 0)), **changes)


def test_a_move_out_of_turn_is_refused_with_the_clause() -> None:
    with pytest.raises(IllegalMove) as refused:
        play_move(table(), Seat(1), Play("bomb"))
    assert refused.value.ruling.clauses == ("KERNEL-TURN-1",)


def test_whoever_is_admitted_may_move_and_nobody_waits_for_them() -> None:
    state = table()
    assert seats_that_must_act(state) == {0}
    assert seats_that_may_act(state) == {0, 1, 2}
    after = apply_events(state, play_move(state, Seat(2), Cheer()))
    assert after.cheers == 1
    assert seats_that_must_act(after) == {0}


def test_a_window_awaits_all_at_once_and_the_clock_and_closes_with_the_last_answer() -> None:
    state = table()
    state = apply_events(state, play_move(state, Seat(0), Play("bomb")))
    assert seats_that_must_act(state) == {1, 2, CLOCK}
    state = apply_events(state, play_move(state, Seat(1), Dodge()))
    assert seats_that_must_act(state) == {2, CLOCK}
    state = apply_events(state, play_move(state, Seat(2), Suffer()))
    assert state.hits == (0, 0, 1)


def test_a_deadline_is_a_move_of_the_clock() -> None:
    state = table()
    state = apply_events(state, play_move(state, Seat(0), Play("bomb")))
    state = apply_events(state, play_move(state, Seat(1), Dodge()))
    state = apply_events(state, play_move(state, CLOCK, TimedOut()))
    assert state.hits == (0, 0, 1)
    with pytest.raises(IllegalMove):
        play_move(table(), CLOCK, TimedOut())


def test_a_trigger_is_noticed_and_carried_out_at_the_end_of_its_frame() -> None:
    state = table()
    state = apply_events(state, play_move(state, Seat(0), Play("bomb")))
    events = play_move(state, Seat(2), Suffer())
    assert any(isinstance(event, TriggerQueued) for event in events)
    state = apply_events(state, events)
    assert seats_that_must_act(state) == {1, CLOCK}, "the frame is not at its end: seat 1 has not answered"
    state = apply_events(state, play_move(state, Seat(1), Suffer()))
    assert isinstance(state.agenda[-1], Consolation)
    assert seats_that_must_act(state) == {CHANCE}
    state = apply_events(state, play_move(state, CHANCE, RollResult((6,))))
    assert "cake" in state.cards_at("hand:2"), "the first hit rolls first"
    state = apply_events(state, play_move(state, CHANCE, RollResult((1,))))
    assert state.agenda == (Turn(1),)


def test_a_note_goes_to_the_innermost_frame() -> None:
    state = table()
    state = apply_events(state, play_move(state, Seat(0), Play("bomb")))
    state = replace_innermost_step(state, Bomb, lambda bomb: replace(bomb, waiting=(2,)))
    assert state.agenda[-1] == Bomb((2,))


def test_two_seats_hit_at_once_by_the_clock_both_roll() -> None:
    state = table()
    state = apply_events(state, play_move(state, Seat(0), Play("bomb")))
    state = apply_events(state, play_move(state, CLOCK, TimedOut()))
    assert state.hits == (0, 1, 1)
    state = apply_events(state, play_move(state, CHANCE, RollResult((2,))))
    assert seats_that_must_act(state) == {CHANCE}


def test_an_impossible_roll_is_refused() -> None:
    state = Table((Turn(0), Consolation(seat=1)), {}, (0, 0))
    for values in ((7,), (0,), (1, 2), ()):
        with pytest.raises(IllegalMove) as refused:
            play_move(state, CHANCE, RollResult(values))
        assert refused.value.ruling.clauses == ("KERNEL-CHANCE-1",)


def test_a_shuffle_that_changes_the_cards_is_refused() -> None:
    state = Table((Turn(0), Shuffle("deck:")), {"deck:": ("a", "b")}, (0, 0))
    with pytest.raises(IllegalMove):
        play_move(state, CHANCE, ShuffleResult(("a", "a")))
    assert apply_events(state, play_move(state, CHANCE, ShuffleResult(("b", "a")))).cards_at("deck:") == ("b", "a")


def test_a_pile_of_backs_needs_no_shuffle() -> None:
    state = Table((Turn(0), Shuffle("deck:")), {"deck:": ("?", "?")}, (0, 0))
    assert apply_events(state, resolve_pending_steps(state)).agenda == (Turn(0),)


def test_the_view_hides_other_hands_and_keeps_ones_own() -> None:
    seen = build_view(table(), Seat(1))
    assert seen.cards_at("hand:1") == ("dodge!red", "bomb")
    assert seen.cards_at("hand:0") == ("?", "?")
    assert seen.cards_at("deck:") == ("?", "?", "?red")
    assert build_view(table(), BYSTANDER).cards_at("hand:1") == ("?", "?red")


def test_legal_moves_are_the_candidates_that_are_not_refused() -> None:
    state = table()
    assert set(find_legal_moves(state, Seat(0))) == {Cheer(), Play("bomb"), Play("cake")}
    assert [move for move, _ in find_near_misses(state, Seat(0))] == [Play("dodge!red")]
    assert judge_move(state, Seat(0), Play("dodge!red")).verdict == "refused"
    assert list(find_legal_moves(state, Seat(1))) == [Cheer()]


def test_the_nearest_legal_moves_are_of_the_same_kind_first() -> None:
    assert find_closest_legal(table(), Seat(0), Play("dodge!red"), 2) == (Play("bomb"), Play("cake"))


def test_a_dry_run_on_the_view_stops_where_the_seat_cannot_see() -> None:
    state = table(agenda=(Turn(0), Consolation(seat=0)))
    seen = build_view(state, Seat(0))
    events = play_move(seen, CHANCE, RollResult((6,)))
    assert Moved("deck:", "hand:0", ("?",), ("?",)) in events


@pytest.mark.parametrize("seed", range(20))
def test_random_matches_keep_both_laws_of_hidden_things(seed: int) -> None:
    dice = random.Random(seed)
    state: State = GAME.build_table(GAME.complete_setup(_setup(2 + seed % 3)))
    state = apply_events(state, resolve_pending_steps(state))
    while GAME.find_outcome(state) is None:
        if CHANCE in seats_that_must_act(state):
            seat, move = CHANCE, draw_chance_move(state, dice.randrange)
        else:
            seat = dice.choice(sorted(seat for seat in seats_that_may_act(state) if seat >= 0))
            found = sample_legal_move(state, seat, dice.randrange)
            assert found is not None
            move = found
        events: tuple[Event, ...] = play_move(state, seat, move)
        after = apply_events(state, events)
        for viewer in (*range(len(state.hits)), BYSTANDER):
            seen = apply_events(build_view(state, Seat(viewer)), [event.view_for(viewer) for event in events])
            assert seen == build_view(after, Seat(viewer))
            other = GAME.tracking.determinize(after, viewer, dice.randrange)
            assert build_view(other, Seat(viewer)) == build_view(after, Seat(viewer))
            assert seats_that_must_act(other) == seats_that_must_act(after)
        assert decode(Table, encode(after)) == after
        state = after
    assert max(state.hits) <= 9


def test_hit_and_closed_survive_the_codec_as_facts() -> None:
    for event in (Hit(1), StepPopped(), StepPushed(Bomb((1, 2)))):
        assert decode(Event, encode(event)) == event


def _setup(seats: int) -> object:
    from referee.engine.game import Setup

    return Setup("standard", seats)
