"""Search: try promising moves in whole tables that fit the view.

The greedy policy proposes some candidates. Each is played out in the same worlds with the same chance, a few turns
far, with all players greedy, and the position reached is evaluated. From round to round the weaker half is dropped, and
what is clearly worse at once, so that the playouts go to candidates that are close. The greedy choice stands unless
another is better by more than the error of their difference: few playouts say little, and what greedy prefers is seldom
bad.

The effort is counted in playouts and in moves considered, not in seconds. So a thought can be repeated from the view,
the seed and the count. Playouts differ in length, and moves are what takes the time: a bound on them is one on time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from referee.bots.policy import (
    IDLE_VALUE,
    choose_moves_to_evaluate,
    evaluate_move,
    evaluate_standing_still,
    weigh_moves,
)
from referee.bots.seeded import SeededChance
from referee.engine.cardtracking.determinization import NOTHING_REMEMBERED, Memory
from referee.engine.chance import RandomBelow
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.referee import build_view, draw_chance_move, foresee_state, seats_that_must_act
from referee.engine.rulings import Undetermined
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import State
from referee.games import game_of

FEWEST_PAIRS = 3  # of fewer differences no error can be told
FEWEST_WORLDS = 2  # in a round
SURE_PAIRS = 8  # of so many differences it is believed that a candidate is clearly worse
SURE_ERRORS = 2.0  # by which it is worse then
REACH = 4.0  # logits: a move that greedy thinks worse than its choice by more is no candidate
TIE_BREAK = 1 << 30
EVEN_SHARE = 0.5  # of a match that nobody wins
LARGEST_LOGIT = 30.0
SPITE = 1.0  # of the share of the best rival, counted against one's own
AVERSION = 10  # times as hard a cautious seat takes a loss as a gain

MayGoOn = Callable[[int], bool]  # may_go_on(playouts so far): asked before each world


def go_on_always(playouts: int) -> bool:
    """Return that a search may go on, however many playouts it has made."""
    return playouts >= 0


@dataclass(frozen=True)
class SearchSettings:
    """How far and how wide a search looks.

    - `playouts`: in one thought at most, over all candidates.
    - `effort`: moves considered in one thought, over all playouts. No world is begun beyond that.
    - `turns`: turns that a playout goes on for, counted by the game (`Game.turn_number`). A position in the
    middle of a turn is hard to evaluate.
    - `depth`: decisions of a playout at most.
    - `scale`: this much more of `evaluate_state` is worth one logit; at `centre` a match is even.
    - `gate`: the standard errors by which a candidate has to beat the greedy choice.
    - `style`: what is made of the share in each world (`weigh_share`); empty: it is taken as it is.
    """

    playouts: int
    depth: int
    candidates: int
    scale: float
    effort: int = 10_000
    turns: int = 2
    centre: float = 0.0
    gate: float = 0.5
    style: str = ""


@dataclass
class Option:
    """A candidate, and what it came to in each world.

    - `move`: None stands for making no move, where nobody waits for the seat.
    - `value`: what greedy thinks of it.
    - `shares`: by the number of the world, the share of the match that the seat gets, 0 to 1, or with a style what that
    is worth to it, -1 to 1.
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
    """The move that a seat chose, and its options, the greedy choice first.

    `considered`: moves that were considered in all playouts.
    """

    move: Move | None
    options: list[Option]
    playouts: int = 0
    considered: int = 0


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
    if not may_decline and (weighed := weigh_by_game(game, seen, seat, chance, settings.playouts)):
        return Thought(weighed[0].move, weighed)
    options = propose_options(game, seen, seat, chance, settings, may_decline)
    thought = Thought(options[0].move if options else None, options)
    if len(options) > 1:
        left = _compare_options(game, seen, seat, thought, chance, settings, may_go_on, memory)
        thought.move = choose_better_option(left, settings.gate).move
    return thought


def weigh_by_game(game: Game, seen: State, seat: Seat, chance: RandomBelow, effort: int) -> list[Option]:
    """Return the moves that the game itself can weigh, the one to make first.

    There are none if it cannot, or if the view says too little.
    """

    def rival(state: State, other: Seat) -> Move | None:
        return weigh_moves(state, other, chance)[0]

    try:
        weighed = game.weigh_moves(seen, seat, chance, effort, rival)
    except Undetermined:
        return []
    return [Option(move, 0, {0: share}) for move, share in weighed]


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

    From round to round the weaker half is dropped, except the greedy choice. Each round has the same share of playouts
    and effort.
    """
    alive, world = list(thought.options), 0
    rounds = math.ceil(math.log2(len(alive)))
    for turn in range(1, rounds + 1):
        if turn > 1:
            rivals = sorted(alive[1:], key=lambda option: -option.estimate)
            alive = [alive[0], *rivals[: max(1, len(alive) // 2)]]
        first_world = world
        while world < first_world + FEWEST_WORLDS or (
            thought.playouts + len(alive) <= settings.playouts * turn // rounds
            and thought.considered < settings.effort * turn // rounds
        ):
            if not may_go_on(thought.playouts):
                return alive
            table = game.tracking.determinize(seen, seat, chance, memory)
            for option in alive:
                dice = SeededChance(f"{chance.seed}|{world}")
                option.shares[world], considered = play_out(game, table, seat, option.move, dice, settings)
                thought.playouts += 1
                thought.considered += considered
            world += 1
            alive = drop_clearly_worse_options(alive)
            if len(alive) == 1:
                return alive
    return alive


def drop_clearly_worse_options(options: Sequence[Option]) -> list[Option]:
    """Return the first option, and those that may still turn out to be better."""
    first, *rivals = options
    kept = [first]
    for option in rivals:
        better, error = option.compare(first)
        if len(option.shares) < SURE_PAIRS or better > -SURE_ERRORS * error:
            kept.append(option)
    return kept


def propose_options(
    game: Game, seen: State, seat: Seat, chance: RandomBelow, settings: SearchSettings, may_decline: bool
) -> list[Option]:
    """Return the most promising moves in the seat's own view, the greedy choice first.

    Moves far behind that are left out, and those that come to the same as another (`choose_unlike_options`).
    """
    offered = choose_moves_to_evaluate(seen, seat, chance)
    still = evaluate_standing_still(game, seen, seat)
    if len(offered) == 1 and not may_decline:
        return [Option(offered[0], 0)]
    options = [Option(move, evaluate_move(game, seen, seat, move, still)) for move in offered]
    options.sort(key=lambda option: (-option.value, chance(TIE_BREAK)))
    least = max(IDLE_VALUE, options[0].value - int(REACH * settings.scale)) if options else IDLE_VALUE
    sensible = choose_unlike_options([option for option in options if option.value > least], settings.candidates)
    if not may_decline:
        return sensible or options[:1]
    if still is None:
        return []  # an unclear position is no reason to move
    idle = Option(None, still)
    better = [option for option in sensible if option.value > still][:1]
    return [*better, idle, *(option for option in sensible if option not in better)][: settings.candidates]


def choose_unlike_options(options: Sequence[Option], most: int) -> list[Option]:
    """Return options that differ, in the given order.

    Of moves of one type with the same first field, such as the card played, the first comes before the others. Of
    those that greedy thinks equal besides, only one is kept: it is the same with another die, or at another place.
    """
    best: dict[Any, Option] = {}
    others: dict[Any, Option] = {}
    for option in options:
        kind = describe_kind(option.move)
        if kind not in best:
            best[kind] = option
        elif best[kind].value != option.value:
            others.setdefault((kind, option.value), option)
    chosen = [*best.values(), *others.values()][:most]
    return [option for option in options if option in chosen]


def describe_kind(move: Move | None) -> Any:
    """Return what moves have in common that do the same with the same card."""
    first = next((getattr(move, part.name) for part in fields(move)), None) if is_dataclass(move) else None
    return (type(move), first) if isinstance(first, str) else move


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
) -> tuple[float, int]:
    """Return what a candidate gets a seat, and the moves considered.

    That is the share of the match after some turns of greedy players, as the seat's style weighs it.
    """
    until, effort = game.turn_number(table) + settings.turns, 0
    state = table if move is None else foresee_state(table, seat, move)
    for _ in range(settings.depth):
        state = resolve_chance(state, chance)
        waiting = [other for other in seats_that_must_act(state) if other >= 0]  # not the clock
        if not waiting or game.turn_number(state) >= until:
            break
        other = min(waiting)
        answer, considered = weigh_moves(state, other, chance)
        effort += 1 + considered
        if answer is None:
            break
        state = foresee_state(state, other, answer)
    return weigh_share(game, table, resolve_chance(state, chance), seat, settings), effort


def weigh_share(game: Game, before: Any, after: Any, seat: Seat, settings: SearchSettings) -> float:
    """Return what it is worth to a seat that one position leads to another.

    That is its share of the match. A cautious seat takes a loss of share harder than a gain, a bold one the
    other way round; a spiteful one counts the share of its best rival against its own.
    """
    share = estimate_share(game, after, seat, settings)
    if settings.style == "spiteful":
        others = (Seat(other) for other in range(game.count_seats(after)) if other != seat)
        return share - SPITE * max(estimate_share(game, after, other, settings) for other in others)
    if settings.style in ("cautious", "bold"):
        gained = share - estimate_share(game, before, seat, settings)
        return gained if (gained > 0) == (settings.style == "bold") else gained / AVERSION
    return share


def estimate_share(game: Game, state: Any, seat: Seat, settings: SearchSettings) -> float:
    """Return what share of a match a seat gets from a position, 0 to 1."""
    outcome = game.find_outcome(state)
    if outcome is None:
        value = game.judge_position(build_view(state, seat), seat)
        logit = (value - settings.centre) / settings.scale
        return 1 / (1 + math.exp(-max(-LARGEST_LOGIT, min(LARGEST_LOGIT, logit))))
    return float(seat in outcome.winners) if outcome.winners else EVEN_SHARE


def resolve_chance(state: Any, chance: RandomBelow) -> Any:
    """Return the state after everything that chance decides now."""
    while CHANCE in seats_that_must_act(state):
        state = foresee_state(state, CHANCE, draw_chance_move(state, chance))
    return state
