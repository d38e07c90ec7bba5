"""The golden matches of Creature Crush: each format, a real table, and the ways in which a match ends.

`python -m tests.games.creature_crush.golden` writes them again. Read the diff; the commit says why it changed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from referee.bots.policy import choose_greedy_move
from referee.engine.events import Event, Move, apply_events
from referee.engine.game import Setup
from referee.engine.referee import (
    draw_chance_move,
    find_legal_moves,
    play_move,
    resolve_pending_steps,
    sample_legal_move,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE, Seat
from referee.games.creature_crush import GAME
from referee.games.creature_crush.events.cards import CrushFlipped
from referee.games.creature_crush.events.decks import CardsKept, DeckBrought
from referee.games.creature_crush.moves import AcceptDraw, Concede, EndCombat, EndTurn, OfferDraw
from referee.games.creature_crush.rules.chain import Chain
from referee.games.creature_crush.state import Table
from tests.games.recording import Course, Turn, write

FOLDER = Path(__file__).parents[2] / "golden" / "creature_crush"
TRIED = 8  # matches looked through for each
WHIMS = 0.3  # how often a move is made by chance
QUIET = 10
TABLE = {"dice": "table", "deck": "table"}
Chooser = Callable[[Table, Seat, random.Random], Move | None]


def course(setup: Setup, seed: int, chooser: Chooser) -> Course:
    """A match of moody players; chance draws, or reports what can be."""
    dice, turns = random.Random(seed), []
    state: Table = apply_events(opened := GAME.build_table(setup), resolve_pending_steps(opened))
    while GAME.find_outcome(state) is None:
        seat, move = (
            reported(setup, state, dice) if CHANCE in seats_that_must_act(state) else chosen(state, dice, chooser)
        )
        turns.append(Turn(state, seat, move, play_move(state, seat, move)))
        state = apply_events(state, turns[-1].events)
    return turns


def reported(setup: Setup, state: Table, dice: random.Random) -> tuple[Seat, Move]:
    """What the device that is asked comes to."""
    at_table = setup.is_at_table(getattr(state.agenda[-1], "device", ""))
    return CHANCE, dice.choice(list(find_legal_moves(state, CHANCE))) if at_table else draw_chance_move(
        state, dice.randrange
    )


def chosen(state: Table, dice: random.Random, chooser: Chooser) -> tuple[Seat, Move]:
    """The move of one who is awaited."""
    seat = dice.choice(sorted(seat for seat in seats_that_must_act(state) if seat >= 0))
    found = chooser(state, seat, dice)
    if found is None:
        moody = dice.random() < WHIMS
        found = (
            sample_legal_move(state, seat, dice.randrange) if moody else choose_greedy_move(state, seat, dice.randrange)
        )
    assert found is not None
    return seat, found


def to_win(state: Table, seat: Seat, dice: random.Random) -> Move | None:
    """Whoever wants to win does what the greedy bot does."""
    return None


def to_concede(state: Table, seat: Seat, dice: random.Random) -> Move | None:
    """Whoever is far behind gives up."""
    far = state.turns > 8 and state.count_left_in_play(seat) < state.count_left_in_play(1 - seat)
    return Concede() if far else None


def to_agree(state: Table, seat: Seat, dice: random.Random) -> Move | None:
    """A draw is offered from the tenth turn on, and agreed."""
    offers = list(find_legal_moves(state, seat))
    wanted = (AcceptDraw(), *((OfferDraw(),) if state.turns >= 10 else ()))
    return next((move for move in wanted if move in offers), None)


def to_wait(state: Table, seat: Seat, dice: random.Random) -> Move | None:
    """Nobody does anything."""
    offers = list(find_legal_moves(state, seat))
    return next((move for move in (EndCombat(), EndTurn()) if move in offers), None)


def ends(way: str) -> Callable[[Course], bool]:
    """Whether a match ended so."""
    return lambda turns: turns[-1].after.way == way


def having(way: str, *kinds: type[Event]) -> Callable[[Course], bool]:
    """Whether a match ended so, and facts of each of these kinds happened on the way."""

    def fits(turns: Course) -> bool:
        there = {type(event) for turn in turns for event in turn.events}
        return ends(way)(turns) and there >= set(kinds)

    return fits


def chains(turns: Course) -> bool:
    """Whether a match was won, and a chain of at least two effects waited on the way."""
    long = any(len(step.links) > 1 for turn in turns for step in turn.after.agenda if isinstance(step, Chain))
    return ends("all_in_hell")(turns) and long


MATCHES: dict[str, tuple[Setup, Callable[[Course], bool], Chooser]] = {
    "skirmish": (Setup("skirmish", 2), having("all_in_hell", CrushFlipped), to_win),
    "skirmish_with_chains": (Setup("skirmish", 2), chains, to_win),
    "arena": (Setup("arena", 2), having("all_in_hell", CardsKept), to_win),
    "league": (Setup("league", 2), having("all_in_hell", DeckBrought), to_win),
    "with_real_cards_and_dice": (Setup("skirmish", 2, {}, TABLE), ends("all_in_hell"), to_win),
    "conceded": (Setup("skirmish", 2), ends("conceded"), to_concede),
    "agreed": (Setup("arena", 2), ends("agreed"), to_agree),
    "stalemate": (Setup("skirmish", 2, {"quiet_turns": QUIET}), ends("stalemate_quiet"), to_wait),
}


def main() -> None:
    """Writes every golden match: of those that fit the shortest."""
    for name, (setup, fits, chooser) in MATCHES.items():
        ready = GAME.complete_setup(setup)
        tried = ((course(ready, seed, chooser), seed) for seed in range(TRIED))
        write(FOLDER, name, GAME, ready, ((turns, seed) for turns, seed in tried if fits(turns)))


if __name__ == "__main__":
    main()
