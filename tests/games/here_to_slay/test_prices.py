"""What the evaluation remembers of a table never outlives what it rests on."""

from __future__ import annotations

from dataclasses import replace

from referee.bots.env import Environment
from referee.bots.seeded import SeededChance
from referee.games.here_to_slay.evaluation.prices import evaluate_state


def test_a_remembered_price_is_the_price() -> None:
    match = Environment("here_to_slay")
    compared, chance = 0, SeededChance("moves")
    for seed in range(3):
        match.reset(seed, seats=3)
        while match.outcome is None and match.move_count < 150:
            for seat in match.seats:
                for table in (match.state, match.view(seat)):
                    assert evaluate_state(table, seat) == evaluate_state(replace(table), seat)
                    compared += 1
            match.step(match.sample_move(match.seat_to_move, chance))
    assert compared
