"""What greedy bots do that looks silly, and whether they beat the greedy bots of another checkout. Run by hand.

    python -m tests.bench.greedy census GAME [matches] [seats] [variant]
    python -m tests.bench.greedy duel GAME FOLDER|random [matches] [seats] [variant]

`census` counts moves in matches of nothing but greedy bots. `duel` plays one greedy bot of this checkout against those
of FOLDER, or against random ones, with the seats rotated and the same seed for each round of seats. It prints the share
of matches won with its 95 % interval after Wilson.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from referee.bots.playing import play_match
from referee.bots.tournaments.players import find_mind
from referee.bots.tournaments.statistics import compute_wilson_interval
from referee.engine.events import Event, Move
from referee.engine.game import Setup
from referee.engine.seats import Seat
from referee.games import load_games
from referee.games.creature_crush.card_attributes import COST_X
from referee.games.creature_crush.components import face_of
from referee.games.munchkin.components import FACES
from referee.games.munchkin.evaluation.prices import would_win_with_helper
from tests.bench.other_mind import OtherMind


class Census:
    """Counts of moves by what is notable about them."""

    def __init__(self) -> None:
        self.found: Counter[str] = Counter()
        self.on_roll: Counter[tuple[int, int]] = Counter()  # modifiers by seat and total on the roll under way
        self.roll: Any = None
        self.fight: tuple[int, int, int] = (0, 0, 0)
        self.curses = 0

    def watch(self, state: Any, seat: Seat, move: Move, events: tuple[Event, ...]) -> None:
        """Count one move of a bot."""
        if seat < 0:
            return
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


def run_census(name: str, matches: int, seats: int, variant: str) -> None:
    """Print how often greedy bots make each move."""
    game, census = load_games()[name], Census()
    for number in range(matches):
        minds = [find_mind("1", game)] * seats
        play_match(name, Setup(variant, seats), minds, f"census {number}", census.watch)
    for what, count in sorted(census.found.items()):
        print(f"{count / matches:9.2f}  {what}")


def run_duel(name: str, against: str, matches: int, seats: int, variant: str) -> None:
    """Print how often the greedy bot of this checkout wins."""
    game, won, undecided = load_games()[name], 0, 0
    other = None if against == "random" else OtherMind(Path(against), name)
    for number in range(matches):
        mine = number % seats
        minds = [find_mind("1", game) if seat == mine else other or find_mind("0", game) for seat in range(seats)]
        winners = play_match(name, Setup(variant, seats), minds, f"duel {number // seats}").winners
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
