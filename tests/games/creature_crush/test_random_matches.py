"""Random matches of every format, on the server and at real tables, come to their end; what a seat is told is enough
for its view, and a seat is never offered what the referee would refuse."""

from __future__ import annotations

from random import Random

import pytest

from referee.engine.codec import decode_named, encode
from referee.engine.events import apply_events
from referee.engine.game import Outcome, Setup
from referee.engine.referee import (
    build_view,
    draw_chance_move,
    judge_candidates,
    judge_move,
    play_move,
    resolve_pending_steps,
    sample_legal_move,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE, Seat
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import SEATS, VARIANTS, find_box_cards
from referee.games.creature_crush.state import Table

REAL = {"dice": "table", "deck": "table"}
LONGEST = 4000


class Played:
    """A random match played to its end, looked at after every move and, now and then, from every seat."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self.below = Random(seed).randrange
        self.moves = 0
        state = GAME.build_table(setup)
        self.state: Table = apply_events(state, resolve_pending_steps(state))
        while self.state.agenda:
            self.goes_on()

    def goes_on(self) -> None:
        state = self.state
        seats = seats_that_must_act(state)
        seat = CHANCE if CHANCE in seats else min(seats)
        move = draw_chance_move(state, self.below) if seat == CHANCE else sample_legal_move(state, seat, self.below)
        assert move is not None, state.agenda[-1]
        if not self.moves % 11:
            self.look()
        events = play_move(state, seat, move)
        after = apply_events(state, events)
        for each in SEATS:
            seen = apply_events(build_view(state, Seat(each)), [event.view_for(each) for event in events])
            assert seen == build_view(after, Seat(each)), move
        self.state = after
        self.moves += 1
        assert self.moves < LONGEST

    def look(self) -> None:
        for seat in (*map(Seat, SEATS), CHANCE):
            for count, (move, ruling) in enumerate(judge_candidates(self.state, seat)):
                assert judge_move(self.state, seat, move).granted == (ruling is None), move
                if count > 200:
                    break
        assert decode_named(encode(self.state.agenda[-1]), object) == self.state.agenda[-1]

    def outcome(self) -> Outcome:
        found = GAME.find_outcome(self.state)
        assert found is not None
        return found


@pytest.mark.clause("CC-FORMAT-1", "CC-END-1")
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_match_on_the_server_comes_to_its_end_and_loses_no_card(variant: str, seed: int) -> None:
    played = Played(Setup(variant, 2), seed)
    assert played.outcome().placement
    assert sorted(card for cards in played.state.zones.values() for card in cards) == sorted(
        find_box_cards(played.state.rules)
    )


@pytest.mark.deep
@pytest.mark.clause("KERNEL-CENSUS-1")
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("named", [(), (1,), (0, 1)])
def test_a_match_with_real_cards_comes_to_its_end(variant: str, named: tuple[int, ...]) -> None:
    played = Played(Setup(variant, 2, {}, REAL, named), 3)
    assert played.outcome().placement
    assert sum(map(len, played.state.zones.values())) == len(find_box_cards(played.state.rules))


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_a_match_with_real_dice_alone_comes_to_its_end() -> None:
    assert Played(Setup("skirmish", 2, {}, {"dice": "table"}), 4).outcome().placement
