"""The server's draws, repeated from the secret and the match before each entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from referee.audit.bundles.format import DrawLine
from referee.engine.chance import Pick, RandomBelow, Shuffle
from referee.engine.events import Move
from referee.engine.referee import draw_chance_move
from referee.engine.seats import CHANCE
from referee.match.aggregate import Match
from referee.match.entries import LogEntry
from referee.match.table.player_entropy import get_draw_place
from referee.match.table.player_seed import encode_seeds
from referee.service.appender import RandomSource
from referee.transparency import randomness

RENEWED = "table.ChanceRenewed"


@dataclass(frozen=True, slots=True)
class ExpectedDraw:
    """The draw that the secret gives for an entry: the move, and its line in a bundle."""

    outcome: Move
    line: DrawLine


def get_secret_generation(match: Match) -> int:
    """Return the generation of the secret that a match draws from now."""
    return match.generation


def list_commitments(match: Match) -> tuple[str, ...]:
    """Return the commitments to a match's secrets in its log, by generation."""
    return (match.commitment, *match.renewals)


def encode_player_seeds(match: Match) -> bytes:
    """Return the seeds of a match's seats, as the draws take them."""
    return encode_seeds(match.seeds)


def get_secret(source: RandomSource, match: str, generation: int) -> bytes:
    """Return the secret of a generation, from the server's draws."""
    return source.secret(match, generation)


def get_salt(source: RandomSource, match: str, generation: int, version: int, who: str) -> bytes:
    """Return the salt of a generation behind a commitment, from the server's draws."""
    return source.salt(match, generation, version, who)


def count_renewals(events: Iterable[Any]) -> int:
    """Return how many of these events (JSON data) begin a generation of the secret."""
    return sum(1 for event in events if isinstance(event, dict) and event.get("type") == RENEWED)


def is_server_draw(match: Match, logged: LogEntry) -> bool:
    """Return whether an entry that follows a match is a draw of the server."""
    return logged.seat == CHANCE and logged.actor == "chance" and match.state is not None


def redo_draw(match: Match, version: int, secret: bytes) -> ExpectedDraw:
    """Return the draw that a match awaits.

    Raises ValueError if no chance step is open.
    """
    assert match.state is not None
    top = match.state.agenda[-1] if match.state.agenda else None
    if top is None:
        raise ValueError("no chance step is open")
    purpose, below, gave = top.question_name(), list[int](), list[int]()
    outcome = draw_chance_move(
        match.state,
        _record_draws(
            randomness.build_draw_source(
                secret,
                match.id,
                get_draw_place(match, version),
                purpose,
                encode_player_seeds(match),
                match.draw_scheme,
            ),
            below,
            gave,
        ),
    )
    pile: tuple[str, ...] = ()
    if isinstance(top, Shuffle | Pick):
        state: Any = match.state
        pile = tuple(state.cards_at(top.where if isinstance(top, Shuffle) else top.source))
    return ExpectedDraw(
        outcome, DrawLine(version, get_secret_generation(match), purpose, tuple(below), tuple(gave), pile)
    )


def _record_draws(source: RandomBelow, below: list[int], gave: list[int]) -> Callable[[int], int]:
    """Return a source that records the limits it was given and the numbers it drew."""

    def draw_recorded(n: int) -> int:
        number = source(n)
        below.append(n)
        gave.append(number)
        return number

    return draw_recorded
