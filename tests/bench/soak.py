"""Random matches by the thousand: each must end, no card may appear or vanish, every state must survive its bytes, and
no line of a card text may come to nothing without a fact that says so. Run by hand; a sample runs with the tests.

    python -m tests.bench.soak GAME [matches per number of seats] [first seed]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from referee.cardscript.language.primitives import CardEffect, PlayerSelector
from referee.engine.codec import decode, encode
from referee.engine.game import Setup
from referee.games import load_games
from tests.games.matches import random_match

MAY_BE_SILENT = {"between", "look_whether", "put_back"}  # a die or card that is another one; a card put back as it lay
EVERY = 23  # one state in so many goes through its bytes


@contextmanager
def watched_words() -> Iterator[Counter[tuple[str, str]]]:
    """Counts the lines that yield no fact although all they need is there, by card and verb."""
    silent, kinds = (
        Counter[tuple[str, str]](),
        {kind: kind.execute for kind in _kinds(CardEffect) if "execute" in vars(kind)},
    )
    try:
        for kind in kinds:
            _watch(kind, silent)
        yield silent
    finally:
        for kind, act in kinds.items():
            kind.execute = act


def _kinds(kind: type[Any]) -> list[type[Any]]:
    return [kind, *(below for sub in kind.__subclasses__() for below in _kinds(sub))]


def _watch(kind: type[Any], silent: Counter[tuple[str, str]]) -> None:
    act = kind.execute
    needs = [name for name, hint in kind.__annotations__.items() if "Name" in str(hint)]

    def watched(self: Any, state: Any, text: Any) -> Any:
        events = tuple(act(self, state, text))
        names = [value for name in needs if isinstance(value := getattr(self, name), str)]
        who = getattr(self, "who", None)
        names += [who.name] if isinstance(who, PlayerSelector) and who.name not in ("", "me", "others") else []
        settled = getattr(self, "called", "") in text.bound or kind.WORD in MAY_BE_SILENT
        if not events and not settled and all(text.bound.get(name) for name in names):
            silent[text.card, kind.WORD] += 1
        return iter(events)

    kind.execute = watched


def soak(name: str, setup: Setup, seed: int) -> tuple[int, str]:
    """Plays one random match; its moves, and how it ended. Raises AssertionError."""
    game, moves, total, last = load_games()[name], 0, None, None
    for turn in random_match(name, setup, seed, 50_000):
        moves, last = moves + 1, turn.after
        held = sum(map(len, turn.after.zones.values())) if hasattr(turn.after, "zones") else 0
        assert held == total or total is None, f"{held} cards instead of {total} after {turn.move}"
        total = held
        if moves % EVERY == 0:
            assert decode(game.state_type, encode(turn.after)) == turn.after, turn.move
    outcome = game.find_outcome(last)
    assert outcome is not None
    return moves, outcome.reason


def main() -> None:
    """Plays so many matches with each number of seats."""
    name, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    game, ends, start, moves = load_games()[name], Counter[str](), perf_counter(), 0
    with watched_words() as silent:
        for variant in game.variants:
            for seats in range(game.min_seats, game.max_seats + 1):
                for seed in range(first, first + count):
                    more, reason = soak(name, game.complete_setup(Setup(variant, seats)), seed)
                    moves, ends[reason] = moves + more, ends[reason] + 1
                print(f"{variant} {seats} seats: {count} matches, {moves:,} moves so far", flush=True)
    print(f"{sum(ends.values()):,} matches, {moves:,} moves, {perf_counter() - start:,.0f} s; ends: {dict(ends)}")
    print(f"lines that came to nothing in silence: {dict(silent) or 'none'}")


if __name__ == "__main__":
    main()
