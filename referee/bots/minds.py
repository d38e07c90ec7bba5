"""The levels of bots: what a seat thinks of its moves at each.

0 takes any legal move, 1 is greedy (`policy`), 2 and 3 search (`search`), 3 for longer. A thought rests on the seat's
view, a seed and the level, and for those that search on how many playouts there was time for. So it can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from referee.bots.policy import choose_greedy_move, choose_tempting_move
from referee.bots.search import MayGoOn, SearchSettings, Thought, go_on_always, search_move
from referee.bots.seeded import SeededChance
from referee.engine.cardtracking.determinization import NOTHING_REMEMBERED, Memory
from referee.engine.chance import RandomBelow
from referee.engine.events import Move
from referee.engine.referee import sample_legal_move
from referee.engine.rulebook.book import read_yaml
from referee.engine.seats import Seat
from referee.engine.steps import State
from referee.games import game_of

RANDOM, GREEDY, BRIEF, SEARCHING = LEVELS = (0, 1, 2, 3)
ONLY_VARIANT = "standard"  # of games that have no variants

Choice = Callable[[State, Seat, RandomBelow], Move | None]


def choose_random_move(view: State, seat: Seat, below: RandomBelow) -> Move | None:
    """Choose any legal move: first the type of move, then a move of that type."""
    return sample_legal_move(view, seat, below)


def choose_random_move_or_none(view: State, seat: Seat, below: RandomBelow) -> Move | None:
    """Choose any legal move half of the time, else decline."""
    return sample_legal_move(view, seat, below) if below(2) else None


# by level, for bots that are awaited
CHOICES: dict[int, Choice] = {RANDOM: choose_random_move, GREEDY: choose_greedy_move}
# by level, for bots that are invited; None means that the bot declines
ANSWERS: dict[int, Choice] = {RANDOM: choose_random_move_or_none, GREEDY: choose_tempting_move}


def think(
    level: int,
    state: State,
    seat: Seat,
    seed: str,
    is_invited: bool = False,
    may_go_on: MayGoOn = go_on_always,
    memory: Memory = NOTHING_REMEMBERED,
    style: str = "",
) -> Thought:
    """Choose a move for a seat by its view of `state`.

    `memory`: cards that the seat remembers to lie hidden, by place; `style`: how outcomes are weighed. Only searching
    uses them.

    `is_invited`: nobody waits for the seat, so it may decline; then the move is None. It is None as well if no move is
    left but a concession. Raises Undetermined if the view says too little.
    """
    if level >= BRIEF:
        settings = find_settings(state, level)
        if style:  # what it prefers shows among moves that are about as good
            settings = replace(settings, style=style, gate=0.0)
        return search_move(state, seat, seed, settings, is_invited, may_go_on, memory)
    choose = (ANSWERS if is_invited else CHOICES)[level]
    return Thought(choose(state, seat, SeededChance(seed)), [])


def clamp_level(level: int) -> int:
    """Return the level that plays for a given one: the next below that there is."""
    return max(RANDOM, min(SEARCHING, level))


def find_settings(state: State, level: int) -> SearchSettings:
    """Return how a level searches in the game and variant of a state."""
    variant = getattr(getattr(state, "rules", None), "variant", ONLY_VARIANT)
    return _load_settings()[level, game_of(state).name, variant]


@cache
def _load_settings() -> dict[tuple[int, str, str], SearchSettings]:
    """Return the settings of `search.yaml` by level, game and variant."""
    given = read_yaml(Path(__file__).with_name("search.yaml"))
    usual = given["playouts"]
    return {
        (level, game, variant): SearchSettings(**{**form, "playouts": form.get("playouts", usual)[level]})
        for level in usual
        for game, forms in given["forms"].items()
        for variant, form in forms.items()
    }
