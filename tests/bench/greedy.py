"""What greedy bots do that looks silly, and whether they beat the greedy bots of another checkout. Run by hand.

    python -m tests.bench.greedy census GAME [matches] [seats] [variant]
    python -m tests.bench.greedy duel GAME FOLDER|random [matches] [seats] [variant]

`census` counts moves in matches of nothing but greedy bots. `duel` plays one greedy bot of this checkout against those
of FOLDER, or against random ones, with the seats rotated and the same seed for each round of seats. It prints the share
of matches won with its 95 % interval after Wilson.
"""

from __future__ import annotations

import math
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from referee.bots.policy import choose_greedy_move, choose_tempting_move
from referee.engine.events import Move
from referee.engine.seats import Seat
from referee.games import load_games
from referee.games.creature_crush.card_attributes import COST_X
from referee.games.creature_crush.components import face_of
from referee.games.munchkin.components import FACES
from referee.games.munchkin.evaluation.prices import would_win_with_helper
from tests.bench.bots import play_match
from tests.bench.other_mind import OtherMind
from workers.bots.player import choose_random_move, choose_random_move_or_none


class Census:
    """Counts of moves by what is notable about them."""

    def __init__(self) -> None:
        self.found: Counter[str] = Counter()
        self.on_roll: Counter[tuple[int, int]] = Counter()  # modifiers by seat and total on the roll under way
        self.roll: Any = None
        self.fight: tuple[int, int, int] = (0, 0, 0)
        self.curses = 0

    def watch(self, state: Any, seat: Seat, move: Move) -> None:
        """Count one move."""
        self.found[move.TAG] += 1
        getattr(self, f"watch_{move.TAG.replace('.', '_')}", lambda *_: None)(state, seat, move)

    def watch_cc_lay(self, state: Any, seat: Seat, move: Any) -> None:
        if face_of(move.card).cost == COST_X:
            self.found[f"X laid with X = {len(move.dice)}"] += 1

    def watch_cc_flip(self, state: Any, seat: Seat, move: Any) -> None:
        self.found[f"flip {move.card}"] += 1
        allies = state.list_creatures(seat)
        if move.card == "war_drums" and not any(state.attack_points(card) for card in allies):
            self.found["war_drums without an attacker"] += 1
        if move.card == "war_drums" and not state.dice:
            self.found["war_drums without a die"] += 1

    def watch_hts_modify(self, state: Any, seat: Seat, move: Any) -> None:
        roll = (state.turns, state.agenda[-1].TAG, len(state.cards_at("discard")) // 12)
        if roll != self.roll:
            self.roll, self.on_roll = roll, Counter()
        self.on_roll[int(seat), move.roller] += 1
        if sum(self.on_roll.values()) >= 3:
            self.found["third modifier or more on a roll"] += 1

    def watch_sm_jump(self, state: Any, seat: Seat, move: Any) -> None:
        tile = state.board[move.spot]
        if tile.up and tile.card == "exit":
            self.found["jump onto the known exit"] += 1

    def watch_mk_run(self, state: Any, seat: Seat, move: Any) -> None:
        combat = state.combat
        if seat == combat.main and combat.helper < 0:
            able = [other for other in state.other_seats(seat) if would_win_with_helper(state, other)]
            self.found["run although a helper would win"] += bool(able)
            self.found["run without having asked one who would win"] += bool(set(able) - set(combat.declined))

    def watch_mk_play(self, state: Any, seat: Seat, move: Any) -> None:
        if FACES[move.card].kind == "curse" and state.combat is not None:
            fight = (state.turns, state.combat.main, 0)
            self.curses = self.curses + 1 if fight == self.fight else 1
            self.fight = fight
            self.found[f"curse number {self.curses} into a combat"] += 1


def compute_wilson_interval(won: int, count: int, z: float = 1.96) -> tuple[float, float]:
    """Return the interval in which the true share lies in 95 of 100 cases."""
    share, divisor = won / count, 1 + z * z / count
    middle = (share + z * z / 2 / count) / divisor
    half = z * math.sqrt(share * (1 - share) / count + z * z / 4 / count / count) / divisor
    return middle - half, middle + half


def run_census(name: str, matches: int, seats: int, variant: str) -> None:
    """Print how often greedy bots make each move."""
    game, census = load_games()[name], Census()
    for number in range(matches):
        dice = random.Random(f"census {number}")
        play_match(game, variant, [choose_greedy_move] * seats, [choose_tempting_move] * seats, dice, census.watch)
    for what, count in sorted(census.found.items()):
        print(f"{count / matches:9.2f}  {what}")


def run_duel(name: str, against: str, matches: int, seats: int, variant: str) -> None:
    """Print how often the greedy bot of this checkout wins."""
    game, won, undecided = load_games()[name], 0, 0
    other = None if against == "random" else OtherMind(Path(against), name)
    mind, guest = (
        (other.choose_move, other.answer_invitation) if other else (choose_random_move, choose_random_move_or_none)
    )
    for number in range(matches):
        mine, dice = number % seats, random.Random(f"duel {number // seats}")
        minds = [choose_greedy_move if seat == mine else mind for seat in range(seats)]
        guests = [choose_tempting_move if seat == mine else guest for seat in range(seats)]
        winners = play_match(game, variant, minds, guests, dice)
        won += winners is not None and mine in winners
        undecided += not winners
    if other:
        other.close()
    low, high = compute_wilson_interval(won, matches)
    print(f"{name} {variant} {seats} seats against {Path(against).name}: {won} of {matches} = {won / matches:.1%} "
          f"[{low:.1%}, {high:.1%}], {undecided} without a winner")  # fmt: skip


def main(what: str, name: str, *given: str) -> None:
    """Run a census or a duel."""
    against, rest = ("", given) if what == "census" else (given[0], given[1:])
    matches = int(rest[0]) if rest else 20
    seats = int(rest[1]) if len(rest) > 1 else load_games()[name].min_seats
    variant = rest[2] if len(rest) > 2 else load_games()[name].variants[0]
    if what == "census":
        run_census(name, matches, seats, variant)
    else:
        run_duel(name, against, matches, seats, variant)


if __name__ == "__main__":
    main(*sys.argv[1:])
