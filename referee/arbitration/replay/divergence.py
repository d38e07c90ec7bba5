"""Whether an entry is what the rules say: its move legal, its facts those that follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from referee.engine.codec import encode, encode_canonical
from referee.engine.events import Event, Move
from referee.engine.referee import find_closest_legal, undecided_ruling
from referee.engine.rulings import IllegalMove, MalformedInput, Ruling, Undetermined
from referee.engine.seats import Seat
from referee.match.aggregate import Match
from referee.match.entries import LogEntry
from referee.match.events.report_events import split_play_events
from referee.match.game_moves import decide_move, require_playable
from referee.match.table.rekey import SecretRenewed

Events = tuple[Event, ...]
EventNormalizer = Callable[[Event], Event]


def keep_event(event: Event) -> Event:
    """The fact: nothing counts as the same but the same."""
    return event


@dataclass(frozen=True)
class Divergence:
    """The entry that is not what the rules say, and why.

    `kind`: `chain` (it is not the next entry of this match), `illegal` (the move, or what was asked of the table, is
    refused: see `ruling`), `facts` (something else follows from it). `at` is the place of the first fact that differs;
    there the rules say `expected` and the entry `found` (None: no more facts). `legal_moves` are moves that would have
    been legal for the seat, from its own view. `expected_events` are all the facts that the rules say follow, where
    they say it.
    """

    version: int
    kind: str
    ruling: Ruling
    at: int | None = None
    expected: Event | None = None
    found: Event | None = None
    legal_moves: tuple[Move, ...] = field(default=())
    expected_events: Events = field(default=())


def build_refusal_divergence(
    version: int, refused: IllegalMove | Undetermined | MalformedInput, ways: tuple[Move, ...] = ()
) -> Divergence:
    """An entry whose move the rules do not grant."""
    if isinstance(refused, IllegalMove):
        return Divergence(version, "illegal", refused.ruling, legal_moves=ways)
    if isinstance(refused, Undetermined):
        return Divergence(version, "illegal", undecided_ruling(refused.need))
    ruling = Ruling(False, "court.malformed", ("TABLE-COURSE-1",), {"detail": str(refused)})
    return Divergence(version, "illegal", ruling)


def find_first_difference(logged: LogEntry, expected: Events, alike: EventNormalizer = keep_event) -> Divergence | None:
    """The first fact of an entry that is not the one that is expected there; None if all are. `alike` makes equal what
    is to count as the same."""
    if expected == logged.events:
        return None
    for at in range(max(len(expected), len(logged.events))):
        right = expected[at] if at < len(expected) else None
        found = logged.events[at] if at < len(logged.events) else None
        if _encode_event(right and alike(right)) != _encode_event(found and alike(found)):
            ruling = Ruling(False, "court.wrong_facts", ("TABLE-COURSE-1",), {"at": f"{logged.version}.{at}"})
            return Divergence(logged.version, "facts", ruling, at, right, found, expected_events=expected)
    return None


def find_play_divergence(
    match: Match, logged: LogEntry, renewed: Events | None = None, alike: EventNormalizer = keep_event
) -> Divergence | None:
    """What is wrong with an entry of play that was written upon a match; None if nothing is. `renewed`: what it has to
    say at its end of a new secret of chance; None: whatever it says, for only the whole log tells."""
    assert logged.move is not None
    try:
        corrects, _, waits = split_play_events(logged.events)
        if renewed is None:
            said = logged.events[-1:]
            renewed = said if said and isinstance(said[0], SecretRenewed) else ()
        return find_first_difference(logged, (*corrects, *compute_move_events(match, logged), *waits, *renewed), alike)
    except IllegalMove as refused:
        ways = find_closest_legal(match.state, Seat(logged.seat), logged.move) if match.state is not None else ()
        return build_refusal_divergence(logged.version, refused, ways)
    except Undetermined as unknown:
        return build_refusal_divergence(logged.version, unknown)


def compute_move_events(match: Match, logged: LogEntry) -> Events:
    """The facts that the rules say follow from the move of an entry of play. Raises IllegalMove, Undetermined."""
    assert logged.move is not None
    require_playable(match)
    if logged.actor == "bot" and match.chairs[logged.seat].kind != "bot":
        raise IllegalMove("no_bot_there", "TABLE-BOT-3", seat=logged.seat)
    return decide_move(match, Seat(logged.seat), logged.move)


def is_game_entry(logged: LogEntry) -> bool:
    """Whether an entry is a move of the game, and no table business."""
    return logged.move is not None and not logged.move.TAG.startswith("table.")


def _encode_event(event: Event | None) -> bytes:
    return b"" if event is None else encode_canonical(encode(event))
