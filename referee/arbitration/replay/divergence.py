"""Whether an entry is what the rules say: a legal move and its proper events."""

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
from referee.match.table.player_entropy import decide_link, find_revealed_link
from referee.match.table.reactions import SPOKEN_FOR, require_spoken_for
from referee.match.table.rekey import DrawsCounted, SecretRenewed
from referee.match.table.signed_moves import find_move_signature

Events = tuple[Event, ...]
EventNormalizer = Callable[[Event], Event]


def keep_event(event: Event) -> Event:
    """Return the event unchanged, so that only equal events count as the same."""
    return event


@dataclass(frozen=True)
class Divergence:
    """An entry that is not what the rules say, and why."""

    version: int
    kind: str  # `chain`: not the next entry of this match; `illegal`: the command is refused; `facts`: other events
    ruling: Ruling
    at: int | None = None  # the place of the first event that differs
    expected: Event | None = None  # what the rules say there
    found: Event | None = None  # what the entry says there; None: it has no more events
    legal_moves: tuple[Move, ...] = field(default=())  # legal for the seat instead, from its own view
    expected_events: Events = field(default=())  # all events that the rules say follow, if they say so


def build_refusal_divergence(
    version: int, refused: IllegalMove | Undetermined | MalformedInput, ways: tuple[Move, ...] = ()
) -> Divergence:
    """Return the divergence of an entry whose command the rules do not grant."""
    if isinstance(refused, IllegalMove):
        return Divergence(version, "illegal", refused.ruling, legal_moves=ways)
    if isinstance(refused, Undetermined):
        return Divergence(version, "illegal", undecided_ruling(refused.need))
    ruling = Ruling(False, "court.malformed", ("TABLE-COURSE-1",), {"detail": str(refused)})
    return Divergence(version, "illegal", ruling)


def find_first_difference(logged: LogEntry, expected: Events, alike: EventNormalizer = keep_event) -> Divergence | None:
    """Return the first event of an entry that is not the expected one; None if equal.

    `alike` maps events that count as the same to the same event.
    """
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
    """Return what is wrong with an entry of play upon a match; None if nothing is.

    `renewed` are the events about the server's secret and draws that it has to end with. With None any are accepted,
    because only the whole log can tell.
    """
    assert logged.move is not None
    try:
        corrects, _, waits = split_play_events(logged.events)
        if renewed is None:
            renewed = tuple(event for event in logged.events if isinstance(event, DrawsCounted | SecretRenewed))
        shown = find_revealed_link(logged.events)
        links = () if shown is None else decide_link(match, logged.seat, shown.link)
        signed = find_move_signature(logged.events)  # checked by the audit, which knows the roots
        proofs = (*links, *(() if signed is None else (signed,)))
        expected = (*corrects, *compute_move_events(match, logged), *proofs, *waits, *renewed)
        return find_first_difference(logged, expected, alike)
    except IllegalMove as refused:
        ways = find_closest_legal(match.state, Seat(logged.seat), logged.move) if match.state is not None else ()
        return build_refusal_divergence(logged.version, refused, ways)
    except Undetermined as unknown:
        return build_refusal_divergence(logged.version, unknown)


def compute_move_events(match: Match, logged: LogEntry) -> Events:
    """Return the events that follow from an entry's move by the rules.

    Raises IllegalMove, Undetermined.
    """
    assert logged.move is not None
    require_playable(match)
    if logged.actor == "bot" and match.chairs[logged.seat].kind != "bot":
        raise IllegalMove("no_bot_there", "TABLE-BOT-3", seat=logged.seat)
    if logged.actor.partition(":")[0] == SPOKEN_FOR:
        require_spoken_for(match, logged.seat, logged.actor, logged.move, logged.at_ms)
    return decide_move(match, Seat(logged.seat), logged.move)


def is_game_entry(logged: LogEntry) -> bool:
    """Tell whether an entry is a move of the game, not a table command."""
    return logged.move is not None and not logged.move.TAG.startswith("table.")


def _encode_event(event: Event | None) -> bytes:
    return b"" if event is None else encode_canonical(encode(event.without_refusal()))
