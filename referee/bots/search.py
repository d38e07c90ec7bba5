"""Search: try promising moves in whole tables that fit the view.

The greedy policy proposes some candidates. Each is played out in the same worlds with the same chance, a few decisions
far, with all players greedy, and the position reached is evaluated. From round to round the weaker half is dropped, so
that the playouts go to candidates that are close. The greedy choice stands unless another is better by more than the
error of their difference: few playouts say little, and what greedy prefers is seldom bad.

The effort is counted in playouts, not in seconds. So a thought can be repeated from the view, the seed and the count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.bots.policy import (
    IDLE_VALUE,
    choose_greedy_move,
    choose_moves_to_evaluate,
    evaluate_move,
    evaluate_standing_still,
)
from referee.bots.seeded import SeededChance
from referee.engine.cardtracking.determinization import NOTHING_REMEMBERED, Memory
from referee.engine.chance import RandomBelow
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.referee import build_view, draw_chance_move, foresee_state, seats_that_must_act
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import State
from referee.games import game_of

FEWEST_PAIRS = 3  # of fewer differences no error can be told
FEWEST_WORLDS = 2  # in a round
TIE_BREAK = 1 << 30
EVEN_SHARE = 0.5  # of a match that nobody wins
LARGEST_LOGIT = 30.0

MayGoOn = Callable[[int], bool]  # may_go_on(playouts so far): asked before each world


def go_on_always(playouts: int) -> bool:
    """Return that a search may go on, however many playouts it has made."""
    return playouts >= 0


@dataclass(frozen=True)
class SearchSettings:
    """How far and how wide a search looks.

    - `playouts`: in one thought, over all candidates.
    - `turns`: turns that a playout goes on for, counted by the game (`Game.turn_number`). A position in the
    middle of a turn is hard to evaluate.
    - `depth`: decisions of a playout at most.
    - `scale`: this much more of `evaluate_state` is worth one logit; at `centre` a match is even.
    - `gate`: the standard errors by which a candidate has to beat the greedy choice.
    """

    playouts: int
    depth: int
    candidates: int
    scale: float
    turns: int = 2
    centre: float = 0.0
    gate: float = 0.5


@dataclass
class Option:
    """A candidate, and what it came to in each world.

    - `move`: None stands for making no move, where nobody waits for the seat.
    - `value`: what greedy thinks of it.
    - `shares`: by the number of the world, the share of the match that the seat gets, 0 to 1.
    """

    move: Move | None
    value: int
    shares: dict[int, float] = field(default_factory=dict)

    @property
    def estimate(self) -> float:
        """The mean share of the match."""
        return sum(self.shares.values()) / max(1, len(self.shares))

    def compare(self, other: Option) -> tuple[float, float]:
        """Return by how much this is better than another, and the error of that.

        They are compared in the worlds that both were played out in.
        """
        pairs = [share - other.shares[world] for world, share in self.shares.items() if world in other.shares]
        if len(pairs) < FEWEST_PAIRS:
            return 0.0, math.inf
        mean = sum(pairs) / len(pairs)
        spread = sum((pair - mean) ** 2 for pair in pairs) / (len(pairs) - 1)
        return mean, math.sqrt(spread / len(pairs))


@dataclass
class Thought:
    """The move that a seat chose, and its options, the greedy choice first."""

    move: Move | None
    options: list[Option]
    playouts: int = 0


def search_move(
    state: State,
    seat: Seat,
    seed: str,
    settings: SearchSettings,
    may_decline: bool = False,
    may_go_on: MayGoOn = go_on_always,
    memory: Memory = NOTHING_REMEMBERED,
) -> Thought:
    """Choose a move by playing candidates out in worlds that fit the seat's view.

    Only the seat's view of `state` is used, and what it remembers. `may_decline`: nobody waits for the seat, so that no
    move is an option too. Without any option the move is None.
    """
    seen, chance = build_view(state, seat), SeededChance(seed)
    game = game_of(seen)
    options = propose_options(game, seen, seat, chance, settings.candidates, may_decline)
    thought = Thought(options[0].move if options else None, options)
    if len(options) > 1:
        left = _compare_options(game, seen, seat, thought, chance, settings, may_go_on, memory)
        thought.move = choose_better_option(left, settings.gate).move
    return thought


def _compare_options(
    game: Game,
    seen: State,
    seat: Seat,
    thought: Thought,
    chance: SeededChance,
    settings: SearchSettings,
    may_go_on: MayGoOn,
    memory: Memory,
) -> list[Option]:
    """Play the options out, and return those left in the end.

    From round to round the weaker half is dropped, except the greedy choice.
    """
    alive, world = list(thought.options), 0
    rounds = math.ceil(math.log2(len(alive)))
    for turn in range(rounds):
        if turn:
            rivals = sorted(alive[1:], key=lambda option: -option.estimate)
            alive = [alive[0], *rivals[: max(1, len(alive) // 2)]]
        for _ in range(max(FEWEST_WORLDS, settings.playouts // rounds // len(alive))):
            if not may_go_on(thought.playouts):
                return alive
            table = game.tracking.determinize(seen, seat, chance, memory)
            for option in alive:
                dice = SeededChance(f"{chance.seed}|{world}")
                option.shares[world] = play_out(game, table, seat, option.move, dice, settings)
                thought.playouts += 1
            world += 1
    return alive


def propose_options(
    game: Game, seen: State, seat: Seat, chance: RandomBelow, most: int, may_decline: bool
) -> list[Option]:
    """Return the most promising moves in the seat's own view, the greedy choice first."""
    offered = choose_moves_to_evaluate(seen, seat, chance)
    still = evaluate_standing_still(game, seen, seat)
    if len(offered) == 1 and not may_decline:
        return [Option(offered[0], 0)]
    options = [Option(move, evaluate_move(game, seen, seat, move, still)) for move in offered]
    options.sort(key=lambda option: (-option.value, chance(TIE_BREAK)))
    sensible = [option for option in options if option.value > IDLE_VALUE][:most]
    if not may_decline:
        return sensible or options[:1]
    if still is None:
        return []  # an unclear position is no reason to move
    idle = Option(None, still)
    better = [option for option in sensible if option.value > still][:1]
    return [*better, idle, *(option for option in sensible if option not in better)][:most]


def choose_better_option(options: Sequence[Option], gate: float) -> Option:
    """Return the first option, or the one that is better by most and beyond the error."""
    first = best = options[0]
    most = 0.0
    for option in options[1:]:
        better, error = option.compare(first)
        if better > most and better > gate * error:
            best, most = option, better
    return best


def play_out(
    game: Game, table: Any, seat: Seat, move: Move | None, chance: RandomBelow, settings: SearchSettings
) -> float:
    """Return what share of the match the seat gets by a candidate.

    That is judged after some decisions of greedy players.
    """
    until = game.turn_number(table) + settings.turns
    state = table if move is None else foresee_state(table, seat, move)
    for _ in range(settings.depth):
        state = resolve_chance(state, chance)
        waiting = seats_that_must_act(state)
        if not waiting or game.turn_number(state) >= until:
            break
        other = min(waiting)
        answer = choose_greedy_move(state, other, chance)
        if answer is None:
            break
        state = foresee_state(state, other, answer)
    return estimate_share(game, resolve_chance(state, chance), seat, settings)


def estimate_share(game: Game, state: Any, seat: Seat, settings: SearchSettings) -> float:
    """Return what share of a match a seat gets from a position, 0 to 1."""
    outcome = game.find_outcome(state)
    if outcome is None:
        value = game.evaluation.evaluate_state(build_view(state, seat), seat)
        logit = (value - settings.centre) / settings.scale
        return 1 / (1 + math.exp(-max(-LARGEST_LOGIT, min(LARGEST_LOGIT, logit))))
    return float(seat in outcome.winners) if outcome.winners else EVEN_SHARE


def resolve_chance(state: Any, chance: RandomBelow) -> Any:
    """Return the state after everything that chance decides now."""
    while CHANCE in seats_that_must_act(state):
        state = foresee_state(state, CHANCE, draw_chance_move(state, chance))
    return state
