"""The kernel on a toy game: turns, windows, moves out of turn, triggers, chance, hidden cards, dry runs."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from referee.engine.chance import Rolled, Shuffle, Shuffled
from referee.engine.codec import decode, encode
from referee.engine.events import Event, fold
from referee.engine.prompts import TimedOut
from referee.engine.referee import awaited, drawn, heard, judge, legal, near, nearest, play, sampled, settle, view
from referee.engine.rulings import Refused
from referee.engine.seats import BYSTANDER, CHANCE, CLOCK, Seat
from referee.engine.steps import Closed, Noted, Opened, State, amend
from tests.engine.toy import GAME, Bomb, Cheer, Consolation, Dodge, Hit, Moved, Play, Suffer, Table, Turn


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
    with pytest.raises(Refused) as refused:
        play(table(), Seat(1), Play("bomb"))
    assert refused.value.ruling.clauses == ("KERNEL-TURN-1",)


def test_whoever_is_admitted_may_move_and_nobody_waits_for_them() -> None:
    state = table()
    assert awaited(state) == {0}
    assert heard(state) == {0, 1, 2}
    after = fold(state, play(state, Seat(2), Cheer()))
    assert after.cheers == 1
    assert awaited(after) == {0}


def test_a_window_awaits_all_at_once_and_the_clock_and_closes_with_the_last_answer() -> None:
    state = table()
    state = fold(state, play(state, Seat(0), Play("bomb")))
    assert awaited(state) == {1, 2, CLOCK}
    state = fold(state, play(state, Seat(1), Dodge()))
    assert awaited(state) == {2, CLOCK}
    state = fold(state, play(state, Seat(2), Suffer()))
    assert state.hits == (0, 0, 1)


def test_a_deadline_is_a_move_of_the_clock() -> None:
    state = table()
    state = fold(state, play(state, Seat(0), Play("bomb")))
    state = fold(state, play(state, Seat(1), Dodge()))
    state = fold(state, play(state, CLOCK, TimedOut()))
    assert state.hits == (0, 0, 1)
    with pytest.raises(Refused):
        play(table(), CLOCK, TimedOut())


def test_a_trigger_is_noticed_and_carried_out_at_the_end_of_its_frame() -> None:
    state = table()
    state = fold(state, play(state, Seat(0), Play("bomb")))
    facts = play(state, Seat(2), Suffer())
    assert any(isinstance(fact, Noted) for fact in facts)
    state = fold(state, facts)
    assert awaited(state) == {1, CLOCK}, "the frame is not at its end: seat 1 has not answered"
    state = fold(state, play(state, Seat(1), Suffer()))
    assert isinstance(state.agenda[-1], Consolation)
    assert awaited(state) == {CHANCE}
    state = fold(state, play(state, CHANCE, Rolled((6,))))
    assert "cake" in state.place("hand:2"), "the first hit rolls first"
    state = fold(state, play(state, CHANCE, Rolled((1,))))
    assert state.agenda == (Turn(1),)


def test_a_note_goes_to_the_innermost_frame() -> None:
    state = table()
    state = fold(state, play(state, Seat(0), Play("bomb")))
    state = amend(state, Bomb, lambda bomb: replace(bomb, waiting=(2,)))
    assert state.agenda[-1] == Bomb((2,))


def test_two_seats_hit_at_once_by_the_clock_both_roll() -> None:
    state = table()
    state = fold(state, play(state, Seat(0), Play("bomb")))
    state = fold(state, play(state, CLOCK, TimedOut()))
    assert state.hits == (0, 1, 1)
    state = fold(state, play(state, CHANCE, Rolled((2,))))
    assert awaited(state) == {CHANCE}


def test_an_impossible_roll_is_refused() -> None:
    state = Table((Turn(0), Consolation(seat=1)), {}, (0, 0))
    for values in ((7,), (0,), (1, 2), ()):
        with pytest.raises(Refused) as refused:
            play(state, CHANCE, Rolled(values))
        assert refused.value.ruling.clauses == ("KERNEL-CHANCE-1",)


def test_a_shuffle_that_changes_the_cards_is_refused() -> None:
    state = Table((Turn(0), Shuffle("deck:")), {"deck:": ("a", "b")}, (0, 0))
    with pytest.raises(Refused):
        play(state, CHANCE, Shuffled(("a", "a")))
    assert fold(state, play(state, CHANCE, Shuffled(("b", "a")))).place("deck:") == ("b", "a")


def test_a_pile_of_backs_needs_no_shuffle() -> None:
    state = Table((Turn(0), Shuffle("deck:")), {"deck:": ("?", "?")}, (0, 0))
    assert fold(state, settle(state)).agenda == (Turn(0),)


def test_the_view_hides_other_hands_and_keeps_ones_own() -> None:
    seen = view(table(), Seat(1))
    assert seen.place("hand:1") == ("dodge!red", "bomb")
    assert seen.place("hand:0") == ("?", "?")
    assert seen.place("deck:") == ("?", "?", "?red")
    assert view(table(), BYSTANDER).place("hand:1") == ("?", "?red")


def test_legal_moves_are_the_candidates_that_are_not_refused() -> None:
    state = table()
    assert set(legal(state, Seat(0))) == {Cheer(), Play("bomb"), Play("cake")}
    assert [move for move, _ in near(state, Seat(0))] == [Play("dodge!red")]
    assert judge(state, Seat(0), Play("dodge!red")).verdict == "refused"
    assert list(legal(state, Seat(1))) == [Cheer()]


def test_the_nearest_legal_moves_are_of_the_same_kind_first() -> None:
    assert nearest(table(), Seat(0), Play("dodge!red"), 2) == (Play("bomb"), Play("cake"))


def test_a_dry_run_on_the_view_stops_where_the_seat_cannot_see() -> None:
    state = table(agenda=(Turn(0), Consolation(seat=0)))
    seen = view(state, Seat(0))
    facts = play(seen, CHANCE, Rolled((6,)))
    assert Moved("deck:", "hand:0", ("?",), ("?",)) in facts


@pytest.mark.parametrize("seed", range(20))
def test_random_matches_keep_both_laws_of_hidden_things(seed: int) -> None:
    dice = random.Random(seed)
    state: State = GAME.open(GAME.set_up(_setup(2 + seed % 3)))
    state = fold(state, settle(state))
    while GAME.outcome(state) is None:
        if CHANCE in awaited(state):
            seat, move = CHANCE, drawn(state, dice.randrange)
        else:
            seat = dice.choice(sorted(seat for seat in heard(state) if seat >= 0))
            found = sampled(state, seat, dice.randrange)
            assert found is not None
            move = found
        facts: tuple[Event, ...] = play(state, seat, move)
        after = fold(state, facts)
        for eyes in (*range(len(state.hits)), BYSTANDER):
            seen = fold(view(state, Seat(eyes)), [fact.seen_by(eyes) for fact in facts])
            assert seen == view(after, Seat(eyes))
            other = GAME.otherwise(after, eyes, lambda cards: dice.sample(cards, len(cards)))
            assert view(other, Seat(eyes)) == view(after, Seat(eyes))
            assert awaited(other) == awaited(after)
        assert decode(Table, encode(after)) == after
        state = after
    assert max(state.hits) <= 9


def test_hit_and_closed_survive_the_codec_as_facts() -> None:
    for fact in (Hit(1), Closed(), Opened(Bomb((1, 2)))):
        assert decode(Event, encode(fact)) == fact


def _setup(seats: int) -> object:
    from referee.engine.game import Setup

    return Setup("standard", seats)
