"""`referee bots match`: one match in this process, shown move by move if asked."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.markup import escape

from referee.bots.playing import play_match, watch_nothing
from referee.bots.tournaments.players import find_mind
from referee.cli.commands.bots.asking import check_setup, find_game, install_book, parse_minds
from referee.cli.commands.bots.words import say
from referee.cli.output import make_console, print_json
from referee.engine.events import Event, Move
from referee.engine.game import Game, Outcome, Setup
from referee.engine.seats import Seat
from referee.rendering.texts import render_text


@dataclass(frozen=True)
class MatchRequest:
    """A match that a user asks for."""

    game: str
    minds: str
    variant: str | None
    cards: Path | None
    seed: str


def play_one_match(request: MatchRequest, *, moves: bool, lang: str, as_json: bool) -> None:
    """Play a match and print who won. Raises UsageError, CardBookFileError."""
    game = find_game(request.game)
    names = parse_minds(request.minds, game)
    edition, _ = install_book(request.cards, game)
    variant = request.variant or game.variants[0]
    setup = check_setup(game, Setup(variant, len(names), edition=edition or game.newest_edition))
    out = make_console()

    def show(state: Any, seat: Seat, move: Move, _: tuple[Event, ...]) -> None:
        if seat >= 0:
            out.print(escape(describe_line(game, state, seat, names[seat], move, lang)))

    played = play_match(
        game.name,
        setup,
        [find_mind(name, game) for name in names],
        request.seed,
        show if moves and not as_json else watch_nothing,
        time.process_time,
    )  # fmt: skip
    cpu = [round(1000 * sum(times), 1) for times in played.times]
    if as_json:
        print_json(
            {
                "game": game.name, "variant": variant, "edition": setup.edition, "seed": request.seed,
                "seats": list(names), "winners": list(played.winners or ()),
                "placement": [list(place) for place in played.outcome.placement] if played.outcome else [],
                "reason": played.outcome.reason if played.outcome else "", "moves": played.moves,
                "turns": played.turns, "cpu_ms": cpu,
            }
        )  # fmt: skip
        return
    out.print(escape(describe_outcome(game, played.outcome, names, lang)))
    out.print(say("match_about", lang, moves=played.moves, ms=f"{sum(cpu):.0f}"))


def describe_line(game: Game, state: Any, seat: Seat, mind: str, move: Move, lang: str) -> str:
    """Return a line about a move: whose it is, and what it does."""
    told = game.narration.describe_move(state, move)
    turn = game.turn_number(state)
    return f"{f'{turn:3}  ' if turn else ''}{name_seat(seat, mind, lang)}: {told[lang] if told else move.TAG}"


def name_seat(seat: int, mind: str, lang: str) -> str:
    """Return what the texts about moves call a seat, and which mind sits there."""
    return f"{say('player', lang, number=seat + 1)} ({mind})"


def describe_outcome(game: Game, outcome: Outcome | None, names: tuple[str, ...], lang: str) -> str:
    """Return who won, and why the match ended."""
    if outcome is None:
        return say("too_long", lang)
    reason = render_text(game, outcome.reason)[lang]
    if not outcome.winners:
        return f"{say('nobody_won', lang)} {reason}"
    who = ", ".join(name_seat(seat, names[seat], lang) for seat in outcome.winners)
    return f"{say('won_by', lang, count=len(outcome.winners), who=who)} {reason}"
