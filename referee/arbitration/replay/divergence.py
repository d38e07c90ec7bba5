"""Whether an entry is what the rules say: its move legal, its facts those that follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from referee.engine.codec import canonical, encode
from referee.engine.events import Event, Move
from referee.engine.game import Malformed
from referee.engine.referee import nearest, undecided
from referee.engine.rulings import Refused, Ruling, Unknown
from referee.engine.seats import Seat
from referee.match.aggregate import Match
from referee.match.entries import Logged
from referee.match.events.report_events import beside_play
from referee.match.game_moves import moved, playable
from referee.match.table.rekey import ChanceRenewed

Facts = tuple[Event, ...]
Alike = Callable[[Event], Event]


def itself(fact: Event) -> Event:
    """The fact: nothing counts as the same but the same."""
    return fact


@dataclass(frozen=True)
class Divergence:
    """The entry that is not what the rules say, and why.

    `kind`: `chain` (it is not the next entry of this match), `illegal` (the move, or what was asked of the table, is
    refused: see `ruling`), `facts` (something else follows from it). `at` is the place of the first fact that differs;
    there the rules say `expected` and the entry `found` (None: no more facts). `ways` are moves that would have been
    legal for the seat, from its own view. `due` are all the facts that the rules say follow, where they say it.
    """

    version: int
    kind: str
    ruling: Ruling
    at: int | None = None
    expected: Event | None = None
    found: Event | None = None
    ways: tuple[Move, ...] = field(default=())
    due: Facts = field(default=())


def against(version: int, refused: Refused | Unknown | Malformed, ways: tuple[Move, ...] = ()) -> Divergence:
    """An entry whose move the rules do not grant."""
    if isinstance(refused, Refused):
        return Divergence(version, "illegal", refused.ruling, ways=ways)
    if isinstance(refused, Unknown):
        return Divergence(version, "illegal", undecided(refused.need))
    ruling = Ruling(False, "court.malformed", ("TABLE-COURSE-1",), {"detail": str(refused)})
    return Divergence(version, "illegal", ruling)


def differing(logged: Logged, expected: Facts, alike: Alike = itself) -> Divergence | None:
    """The first fact of an entry that is not the one that is expected there; None if all are. `alike` makes equal what
    is to count as the same."""
    if expected == logged.facts:
        return None
    for at in range(max(len(expected), len(logged.facts))):
        right = expected[at] if at < len(expected) else None
        found = logged.facts[at] if at < len(logged.facts) else None
        if _plain(right and alike(right)) != _plain(found and alike(found)):
            ruling = Ruling(False, "court.wrong_facts", ("TABLE-COURSE-1",), {"at": f"{logged.version}.{at}"})
            return Divergence(logged.version, "facts", ruling, at, right, found, due=expected)
    return None


def of_play(match: Match, logged: Logged, renewed: Facts | None = None, alike: Alike = itself) -> Divergence | None:
    """What is wrong with an entry of play that was written upon a match; None if nothing is. `renewed`: what it has to
    say at its end of a new secret of chance; None: whatever it says, for only the whole log tells."""
    assert logged.move is not None
    try:
        corrects, _, waits = beside_play(logged.facts)
        if renewed is None:
            said = logged.facts[-1:]
            renewed = said if said and isinstance(said[0], ChanceRenewed) else ()
        return differing(logged, (*corrects, *played(match, logged), *waits, *renewed), alike)
    except Refused as refused:
        ways = nearest(match.state, Seat(logged.seat), logged.move) if match.state is not None else ()
        return against(logged.version, refused, ways)
    except Unknown as unknown:
        return against(logged.version, unknown)


def played(match: Match, logged: Logged) -> Facts:
    """The facts that the rules say follow from the move of an entry of play. Raises Refused, Unknown."""
    assert logged.move is not None
    playable(match)
    if logged.actor == "bot" and match.chairs[logged.seat].kind != "bot":
        raise Refused("no_bot_there", "TABLE-BOT-3", seat=logged.seat)
    return moved(match, Seat(logged.seat), logged.move)


def is_play(logged: Logged) -> bool:
    """Whether an entry is a move of the game, and no table business."""
    return logged.move is not None and not logged.move.TAG.startswith("table.")


def _plain(fact: Event | None) -> bytes:
    return b"" if fact is None else canonical(encode(fact))
