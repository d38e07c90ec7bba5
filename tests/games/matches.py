"""Random matches of every registered game, for the laws that hold in all of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from referee.engine.events import Event, Move, apply_events
from referee.engine.game import Game, Setup
from referee.engine.referee import (
    draw_chance_move,
    find_legal_moves,
    play_move,
    resolve_pending_steps,
    sample_legal_move,
    seats_that_may_act,
    seats_that_must_act,
)
from referee.engine.rulebook.editions import strip_edition
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import State
from referee.games import load_games
from referee.games.books import install_book_text

# games whose laws hold where a bot's cards are read to the referee (in Monster Combat a refusal can still tell, see the
# decision on hands at a real table)
WITH_BOTS_AT_A_TABLE = ("creature_crush", "here_to_slay", "mau_mau", "monster_combat", "munchkin")

# What is set where whole random matches are played for a law. Who plays Munchkin by chance hardly ever wins: a match is
# drawn after 200 turns and 2,000 moves, of which the first few hundred see nearly all that happens in the others.
SHORT: dict[str, dict[str, Any]] = {"munchkin": {"max_turns": 15}}

# card books of tests: the laws hold in matches that are played with them, too
BOOKS = sorted(Path(__file__).parent.glob("*/books/*.yaml"))


@dataclass(frozen=True)
class Turned:
    """One move of a random match: the state before, who moved what, the facts, the state after."""

    before: Any
    seat: Seat
    move: Move
    events: tuple[Event, ...]
    after: Any


def setups() -> list[tuple[str, Setup]]:
    """Each game and variant with the fewest and the most seats, dealt by the server and at a table."""
    found = []
    for name, game in load_games().items():
        settings = SHORT.get(name, {})
        for variant, source in product(game.variants, ("server", "table")):
            for seats in sorted({game.min_seats, min(game.max_seats, game.min_seats + 1), game.max_seats}):
                chance = dict.fromkeys(game.devices, source)
                found.append((name, game.complete_setup(Setup(variant, seats, settings, chance))))
        if name in WITH_BOTS_AT_A_TABLE:
            chance = dict.fromkeys(game.devices, "table")
            seats = min(3, game.max_seats)
            found.append((name, game.complete_setup(Setup(game.variants[0], seats, settings, chance, (1,)))))
    for file, source in product(BOOKS, ("server", "table")):
        book = install_book_text(file.read_text("utf-8"), file.name)
        game = load_games()[book.game]
        chance = dict.fromkeys(game.devices, source)
        seats = min(game.max_seats, game.min_seats + 1)
        setup = Setup(game.variants[0], seats, SHORT.get(game.name, {}), chance, (), book.edition)
        found.append((game.name, game.complete_setup(setup)))
    return found


def marked_setups() -> list[Any]:
    """`setups()` as parameters: the first of each game is quick, all others are deep."""
    seen: set[str] = set()
    marked = []
    for pair in setups():
        marks = (pytest.mark.deep,) if pair[0] in seen else ()
        seen.add(pair[0])
        marked.append(pytest.param(pair, marks=marks, id=ids(pair)))
    return marked


def ids(pair: tuple[str, Setup]) -> str:
    """A readable name of a game and its setup."""
    name, setup = pair
    bots = "".join(f"-bot{seat}" for seat in setup.named)
    book = f"-{strip_edition(setup.edition)}" if "@" in setup.edition else ""
    return f"{name}-{setup.variant}-{setup.seats}-{'-'.join(sorted(set(setup.chance.values())))}{bots}{book}"


def chance(game: Game, setup: Setup, state: State, dice: random.Random) -> Move:
    """What chance does: drawn where the server holds the device; else one of the reports that can be."""
    top = state.agenda[-1]
    if setup.named or not setup.is_at_table(getattr(top, "device", "")):
        return draw_chance_move(
            state, dice.randrange
        )  # what is read out for a bot is true: no refusal could tell that it is not
    reports = list(find_legal_moves(state, CHANCE))
    assert reports, f"nothing can be reported at {top}"
    return dice.choice(reports)


def random_match(name: str, setup: Setup, seed: int, most: int = 3000) -> Iterator[Turned]:
    """The moves of one random match, to its outcome or `most` moves."""
    game, dice = load_games()[name], random.Random(f"{name}-{seed}")
    state: Any = game.build_table(setup)
    state = apply_events(state, resolve_pending_steps(state))
    for _ in range(most):
        if game.find_outcome(state) is not None:
            return
        waiting = seats_that_must_act(state)
        assert waiting, "somebody is awaited until the outcome"
        if CHANCE in waiting:
            seat, move = CHANCE, chance(game, setup, state, dice)
        else:
            players = sorted(other for other in waiting if other >= 0)
            extra = sorted(other for other in seats_that_may_act(state) - waiting if other >= 0)
            seat = dice.choice(extra if extra and dice.random() < 0.02 else players)
            found = sample_legal_move(state, seat, dice.randrange)
            if found is None and seat in extra:
                seat = dice.choice(players)
                found = sample_legal_move(state, seat, dice.randrange)
            assert found is not None, f"seat {seat} is awaited and has no legal move at {state.agenda[-1]}"
            move = found
        events = play_move(state, seat, move)
        after = apply_events(state, events)
        yield Turned(state, seat, move, events, after)
        state = after
    raise AssertionError(f"{name} did not end within {most} moves")


@lru_cache(maxsize=4)
def _recorded(pair: str, seed: int) -> tuple[Turned, ...]:
    name, setup = next(each for each in setups() if ids(each) == pair)
    return tuple(random_match(name, setup, seed))


def recorded(pair: tuple[str, Setup], seed: int) -> tuple[Turned, ...]:
    """The moves of a random match between these, one of `setups()`; whoever asks for it next gets the same one.

    States do not change, so that tests may share them. Few matches are kept: tests that share one follow each other.
    """
    return _recorded(ids(pair), seed)
