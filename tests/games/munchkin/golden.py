"""The golden matches of Munchkin: a win with a helper, interference, deaths, a real table; each way to end.

`python -m tests.games.munchkin.golden` writes them again. Read the diff; the commit says why it changed.
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
    seats_that_may_act,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE, Seat
from referee.games.munchkin import GAME
from referee.games.munchkin.events.cards import CardLooted, TreasurePicked
from referee.games.munchkin.events.combat import ClaimBroken, MonsterEnhanced, MonstersKilled, StrengthAdded
from referee.games.munchkin.events.course import GameWon, PlayerDied
from referee.games.munchkin.moves import JoinByTag, PlayCard
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY
from tests.games.recording import Course, Turn, write

FOLDER = Path(__file__).parents[2] / "golden" / "munchkin"
TRIED = 12  # matches looked through for each
CUTS_IN = 0.15  # how often somebody who is not awaited plays a card, if there is one to play
WHIMS = 0.1  # how often a move is made by chance


def course(setup: Setup, seed: int) -> Course:
    """A match of players who want to win, are moody at times, and cut in; chance draws, or reports what can be."""
    dice, turns = random.Random(seed), []
    state: Table = apply_events(opened := GAME.build_table(setup), resolve_pending_steps(opened))
    while GAME.find_outcome(state) is None:
        seat, move = reported(setup, state, dice) if CHANCE in seats_that_must_act(state) else chosen(state, dice)
        turns.append(Turn(state, seat, move, play_move(state, seat, move)))
        state = apply_events(state, turns[-1].events)
    return turns


def reported(setup: Setup, state: Table, dice: random.Random) -> tuple[Seat, Move]:
    """What the device that is asked comes to."""
    at_table = setup.is_at_table(getattr(state.agenda[-1], "device", ""))
    return CHANCE, dice.choice(list(find_legal_moves(state, CHANCE))) if at_table else draw_chance_move(
        state, dice.randrange
    )


def chosen(state: Table, dice: random.Random) -> tuple[Seat, Move]:
    """A card that somebody plays unasked, or the move of one who is awaited."""
    players = sorted(seat for seat in seats_that_must_act(state) if seat >= 0)
    if state.moment in ("fight", "window") and dice.random() < CUTS_IN:
        seat = dice.choice(sorted(seat for seat in seats_that_may_act(state) if seat >= 0))
        cards = [move for move in find_legal_moves(state, seat) if isinstance(move, PlayCard | JoinByTag)]
        if cards:
            return seat, dice.choice(cards)
    seat = dice.choice(players)
    found = (
        choose_greedy_move(state, seat, dice.randrange)
        if dice.random() > WHIMS
        else sample_legal_move(state, seat, dice.randrange)
    )
    assert found is not None
    return seat, found


def events(turns: Course, *kinds: type[Event]) -> list[tuple[Turn, Event]]:
    """The facts of these kinds, each with its turn."""
    return [(turn, event) for turn in turns for event in turn.events if isinstance(event, kinds)]


def won_with_help(turns: Course) -> bool:
    """Whether the kill that won was made with a helper who had treasures by the deal."""
    won = events(turns, GameWon)
    deals = [turn.before.combat for turn, _ in events(turns, MonstersKilled)]
    last = deals[-1] if deals else None
    return bool(won and last and last.helper != NOBODY and last.deal and (last.deal.treasures or last.deal.all_of_them))


def shared(turns: Course) -> bool:
    """Whether the match was won, and treasures of a kill with a helper were picked by both on the way."""
    pickers = {turn.seat for turn, _ in events(turns, TreasurePicked)}
    return bool(events(turns, GameWon)) and len(pickers) > 1


def reopened(turns: Course) -> bool:
    """Whether somebody who does not fight broke a claim by what changed the strength, and a kill came after it."""
    broken = [
        at
        for at, turn in enumerate(turns)
        if any(isinstance(event, ClaimBroken) for event in turn.events)
        and turn.seat not in turn.before.running_combat.fighters
        and any(isinstance(event, MonsterEnhanced | StrengthAdded) for event in turn.events)
    ]
    return any(events(turns[at : at + 25], MonstersKilled) for at in broken)


def looted(turns: Course) -> bool:
    """Whether two characters died, and what one left went to two others."""
    takers = {(event.source, event.target) for _, event in events(turns, CardLooted) if isinstance(event, CardLooted)}
    sources = [source for source, _ in takers]
    return len(events(turns, PlayerDied)) > 1 and any(sources.count(source) > 1 for source in sources)


def drawn_out(turns: Course) -> bool:
    """Whether the match ended without a winner after the most turns."""
    return turns[-1].after.way == "too_many_turns"


# name -> setup, and what the match must have in it
MATCHES: dict[str, tuple[Setup, Callable[[Course], bool]]] = {
    "won_with_a_helper": (Setup("standard", 4), won_with_help),
    "treasures_shared": (Setup("standard", 3), shared),
    "the_window_reopened": (Setup("standard", 4, {"max_turns": 30}), reopened),
    "deaths_and_looting": (Setup("standard", 3, {"max_turns": 30}), looted),
    "with_real_cards_and_dice": (
        Setup("standard", 3, {"max_turns": 15}, {"dice": "table", "deck": "table"}), drawn_out,
    ),
}  # fmt: skip


def main() -> None:
    """Writes every golden match."""
    for name, (setup, has) in MATCHES.items():
        courses = ((course(setup, seed), seed) for seed in range(TRIED))
        write(FOLDER, name, GAME, setup, [(turns, seed) for turns, seed in courses if has(turns)])


if __name__ == "__main__":
    main()
