"""Learn from matches of greedy bots how likely a seat is to win, for the searching bots. Run by hand.

    python -m tests.bench.learn GAME [VARIANT] [SEATS] [MATCHES]

Positions are taken at the start of each turn. One half of the matches is learned from, the other half judged, by the
mean log loss (natural logarithm; less is better) in each third of the matches. Compared are:

- the same chance for all seats;
- the game's own evaluation with `scale` and `centre` as `search.yaml` has them, and as they fit the first half best;
- weights learned for 512 hashed features of the seat's view (`features`), by ridge regression on the logistic loss.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.bots.features import hash_features
from referee.bots.minds import find_settings
from referee.bots.playing import play_match
from referee.bots.tournaments.players import find_mind
from referee.engine.codec import encode
from referee.engine.game import Game, Setup
from referee.engine.referee import build_view
from referee.games import load_games

SIZE = 512  # hashed features
RIDGES = (0.01, 0.1, 1.0)
ROUNDS = 12
THIRDS = 3


@dataclass
class Position:
    """A seat's position at the start of a turn, and whether the seat won.

    `at`: how much of the match was over, 0 to 1.
    """

    match: int
    at: float
    value: int
    features: list[int]
    won: float
    turn: bool


def collect_positions(game: Game, setup: Setup, matches: int) -> list[Position]:
    """Return the positions of so many matches between greedy bots."""
    found: list[Position] = []
    for match in range(matches):
        starts: dict[int, Any] = {}

        def note(state: Any, *_: Any, starts: dict[int, Any] = starts) -> None:
            starts.setdefault(game.turn_number(state) or len(starts), state)

        played = play_match(game.name, setup, [find_mind("1", game)] * setup.seats, f"learn {match}", note)
        for number, (_, state) in enumerate(sorted(starts.items())):
            for seat in range(setup.seats) if played.winners else ():
                view = build_view(state, seat)
                features = hash_features(encode(view), SIZE)
                won = float(seat in (played.winners or ()))
                at, value = number / len(starts), game.judge_position(view, seat)
                found.append(Position(match, at, value, features, won, game.seat_on_turn(state) == seat))
    return found


def measure_loss(positions: list[Position], chance: Callable[[Position], float]) -> str:
    """Return the mean log loss in each third of the matches, as text."""
    losses = []
    for third in range(THIRDS):
        there = [each for each in positions if int(each.at * THIRDS) == third]
        found = np.clip([chance(each) for each in there], 1e-6, 1 - 1e-6)
        won = np.array([each.won for each in there])
        losses.append(float(-(won * np.log(found) + (1 - won) * np.log(1 - found)).mean()))
    return "  ".join(f"{loss:.3f}" for loss in losses)


def fit(inputs: Any, won: Any, ridge: float) -> Any:
    """Return the weights of a logistic regression, the last one the constant, by Newton's method."""
    inputs = np.hstack([inputs, np.ones((len(inputs), 1))])
    weights, kept = np.zeros(inputs.shape[1]), ridge * len(won) * np.eye(inputs.shape[1])
    kept[-1, -1] = 0
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        curve = inputs.T @ (inputs * np.maximum(chance * (1 - chance), 1e-6)[:, None]) + kept
        weights -= np.linalg.lstsq(curve, inputs.T @ (chance - won) + kept @ weights, rcond=None)[0]
    return weights


def sigmoid(logit: float) -> float:
    """Return the chance that a logit stands for."""
    return float(1 / (1 + np.exp(-np.clip(logit, -30, 30))))


def main(name: str, variant: str, seats: int, matches: int) -> None:
    """Print a line for each way to judge a position."""
    game = load_games()[name]
    setup = game.complete_setup(Setup(variant or game.variants[0], seats or game.min_seats))
    positions = collect_positions(game, setup, matches)
    learned, judged = ([each for each in positions if each.match % 2 == half] for half in (0, 1))
    settings = find_settings(game.build_initial_state(setup), 3)
    share = sum(each.won for each in learned) / len(learned)
    print(f"{name} {setup.variant}, {setup.seats} seats: {len(positions)} positions of {matches} matches")
    print("same for all        ", measure_loss(judged, lambda _: share))
    print(
        f"{f'scale {settings.scale:g}, {settings.centre:g}':20}",
        measure_loss(judged, lambda each: sigmoid((each.value - settings.centre) / settings.scale)),
    )
    won, unit = np.array([each.won for each in learned]), 1000
    slope, constant = fit(np.array([[each.value / unit] for each in learned]), won, 0)
    print(
        f"{f'scale {unit / slope:.0f}, {-constant / slope * unit:.0f}':20}",
        measure_loss(judged, lambda each: sigmoid(slope * each.value / unit + constant)),
    )
    inputs = np.array([each.features for each in learned], dtype=float)
    spread = inputs.std(axis=0) + 1
    for ridge in RIDGES:
        weights = fit(inputs / spread, won, ridge)
        print(
            f"{f'hashed, ridge {ridge:g}':20}",
            measure_loss(judged, lambda each, weights=weights: sigmoid(  # type: ignore[misc]
                float(np.array(each.features) / spread @ weights[:-1] + weights[-1]))),
        )  # fmt: skip


if __name__ == "__main__":
    given = sys.argv[1:]
    main(given[0], given[1] if len(given) > 1 else "", *(int(each) for each in (*given[2:4], 0, 200)[:2]))
