"""How strong the bots are: matches between levels with the seats rotated, and how long a move takes. Run by hand.

    python -m tests.bench.bots [matches per pairing] [first seed] [game]

Each line: the game, who plays, the share of matches won by the greedy (or by all, where all play together), the share
without a winner (or lost by all), and the milliseconds of processor time that a greedy move takes at the median, at the
99th percentile and at most. Where all play together, a line for a table of nothing but random bots stands beside it.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import process_time

from referee.bots.playing import play_match
from referee.bots.tournaments.players import find_mind
from referee.engine.game import Game, Setup
from referee.games import load_games

RANDOM, GREEDY = 0, 1


@dataclass
class Tally:
    """What came of some matches: for each, how many of the seats that are counted won; and times of moves in ms."""

    matches: int = 0
    won: int = 0
    undecided: int = 0
    moves: int = 0
    times: list[float] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of matches won."""
        return self.won / max(1, self.matches)


def match(game: Game, variant: str, levels: tuple[int, ...], seed: int, times: list[float]) -> tuple[int, ...] | None:
    """Plays one match between bots of these levels by seat: who won, None if it took too long."""
    minds = [find_mind(str(level), game) for level in levels]
    setup = Setup(variant, len(levels))
    played = play_match(game.name, setup, minds, f"{levels} {seed}", clock=process_time)
    for level, thoughts in zip(levels, played.times, strict=True):
        times += [1000 * time for time in thoughts] if level == GREEDY else []
    return played.winners


def tally(game: Game, variant: str, levels: tuple[int, ...], matches: int, first: int) -> Tally:
    """Matches with the seats rotated; counted is a match that a seat of the highest level wins."""
    found, top = Tally(), max(levels)
    for number in range(matches):
        turn = number % len(levels)
        seats = levels[turn:] + levels[:turn]
        winners = match(game, variant, seats, first + number, found.times)
        found.matches += 1
        if winners is None or not winners:
            found.undecided += 1
        else:
            found.won += any(seats[seat] == top for seat in winners)
    return found


def pairings(game: Game, variant: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Who plays whom: one against the fewest, one among four; where all play together, all greedy beside all random."""
    if together(game, variant):
        for seats in sorted({game.min_seats, min(4, game.max_seats)}):
            yield f"{seats} random", (RANDOM,) * seats
            yield f"{seats} greedy", (GREEDY,) * seats
        return
    fewest = game.min_seats - 1
    yield f"greedy : {f'{fewest} ' if fewest > 1 else ''}random", (GREEDY, *(RANDOM,) * fewest)
    if game.max_seats >= 4:
        yield "greedy : 3 random", (GREEDY, RANDOM, RANDOM, RANDOM)


def together(game: Game, variant: str) -> bool:
    """Whether all players of a variant win or lose together."""
    return (game.name, variant) == ("monster_combat", "V2")


def main(matches: int, first: int, only: str) -> None:
    """Prints a line for each pairing."""
    print(f"Python {platform.python_version()}, {matches} matches each, seeds from {first}")
    for name, game in load_games().items():
        for variant in game.variants if only in ("", name) else ():
            for who, levels in pairings(game, variant):
                found = tally(game, variant, levels, matches, first)
                times = sorted(found.times) or [0.0]
                median, late = times[len(times) // 2], times[len(times) * 99 // 100]
                print(
                    f"{name:16} {variant:9} {who:18} won {found.share:6.1%}  no winner {found.undecided / matches:6.1%}"
                    f"  {median:5.2f} / {late:5.2f} / {times[-1]:6.2f} ms",
                    flush=True,
                )


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(given[0]) if given else 100, int(given[1]) if len(given) > 1 else 0, given[2] if len(given) > 2 else "")
