"""The server's draws, redone: what an entry of chance has to be, given the secret and the table it was written upon."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from referee.audit.bundles.format import DrawLine
from referee.engine.chance import Below, Pick, Shuffle
from referee.engine.events import Move
from referee.engine.referee import drawn
from referee.engine.seats import CHANCE
from referee.match.aggregate import Match
from referee.match.entries import Logged
from referee.match.table.player_entropy import seed_bytes
from referee.service.appender import Draws
from referee.transparency import randomness

RENEWED = "table.ChanceRenewed"


@dataclass(frozen=True, slots=True)
class Draw:
    """What the secret gives for an entry: the outcome, and the numbers it was made of."""

    outcome: Move
    line: DrawLine


def generation(match: Match) -> int:
    """Which secret a match draws from now."""
    return match.generation


def committed(match: Match) -> tuple[str, ...]:
    """What a match's log says of its secrets, by generation."""
    return (match.commitment, *match.renewals)


def seeds(match: Match) -> bytes:
    """What the seats add to the draws of a match, as the draws take it."""
    return seed_bytes(match.seeds)


def secret(source: Draws, match: str, generation: int) -> bytes:
    """The secret of a generation, from the server's draws."""
    return source.secret(match, generation)


def salt(source: Draws, match: str, generation: int, version: int, who: str) -> bytes:
    """The salt of a generation behind a commitment, from the server's draws."""
    return source.salt(match, generation, version, who)


def renewals(events: Iterable[Any]) -> int:
    """How many of these facts, as JSON data, begin a new generation of the secret."""
    return sum(1 for event in events if isinstance(event, dict) and event.get("type") == RENEWED)


def by_server(match: Match, logged: Logged) -> bool:
    """Whether an entry written upon a match is a draw of the server's."""
    return logged.seat == CHANCE and logged.actor == "chance" and match.state is not None


def draw(match: Match, version: int, secret: bytes) -> Draw:
    """The draw that is due upon a match. Raises ValueError if no chance step is open."""
    assert match.state is not None
    top = match.state.agenda[-1] if match.state.agenda else None
    if top is None:
        raise ValueError("no chance step is open")
    purpose, below, gave = top.question(), list[int](), list[int]()
    outcome = drawn(
        match.state, _noted(randomness.source(secret, match.id, version, purpose, seeds(match)), below, gave)
    )
    pile: tuple[str, ...] = ()
    if isinstance(top, Shuffle | Pick):
        state: Any = match.state
        pile = tuple(state.place(top.where if isinstance(top, Shuffle) else top.source))
    return Draw(outcome, DrawLine(version, generation(match), purpose, tuple(below), tuple(gave), pile))


def _noted(source: Below, below: list[int], gave: list[int]) -> Callable[[int], int]:
    """A source that notes what was asked of it and what it gave."""

    def asked(n: int) -> int:
        number = source(n)
        below.append(n)
        gave.append(number)
        return number

    return asked
