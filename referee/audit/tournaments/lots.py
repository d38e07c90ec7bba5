"""The lots of a tournament, repeated from the secret that the server committed to.

A tournament has two secrets. That of the salts (generation SALTS) is never disclosed, because with it everybody could
try out what is hidden in an entry. That of the lots (generation LOTS) is disclosed at the end.
"""

from __future__ import annotations

from referee.engine.events import Event, Move
from referee.match.entries import LogEntry
from referee.tournament.deciding.dispatch import handle_command
from referee.tournament.deciding.evidence import Evidence
from referee.tournament.deciding.rounds import complete_pairing, find_lots_place
from referee.tournament.events import RoundPaired, TournamentStarted
from referee.tournament.state import Tournament
from referee.transparency import randomness


def redo_lots(
    state: Tournament, version: int, at_ms: int, command: Move, secret: bytes
) -> tuple[tuple[Event, ...], bool]:
    """Return the events of a command, and whether lots were drawn for them.

    Raises IllegalMove.
    """
    below, drawn = randomness.build_draw_source(secret, state.id, find_lots_place(state, version), command.TAG), False

    def draw(limit: int) -> int:
        nonlocal drawn
        drawn = True
        return below(limit)

    events = handle_command(Evidence(state, version - 1, at_ms, draw), command)
    return events, drawn


def fits_some_lots(state: Tournament, logged: LogEntry) -> bool:
    """Return whether an entry is allowed whatever lots were drawn for it.

    Everybody has one lot, or sits at one table at most, which has the right size. Raises IllegalMove if the command was
    not allowed at all.
    """
    assert logged.move is not None
    evidence = Evidence(state, logged.version - 1, logged.at_ms, lambda _limit: 0)
    due, found = handle_command(evidence, logged.move), logged.events[:1]
    if len(found) != 1 or type(found[0]) is not type(due[0]):
        return False
    one, other = due[0], found[0]
    if isinstance(one, TournamentStarted) and isinstance(other, TournamentStarted):
        return logged.events == found and other.rounds == one.rounds and sorted(other.lots) == sorted(one.lots)
    if not (isinstance(one, RoundPaired) and isinstance(other, RoundPaired)):
        return False
    named = [*(player for table in other.tables for player in table), *other.byes]
    expected = [*(player for table in one.tables for player in table), *one.byes]
    sizes = range(state.format.least_seats, state.format.most_seats + 1)
    return (
        (other.round, other.at_ms) == (one.round, one.at_ms)
        and sorted(named) == sorted(expected)
        and all(len(table) in sizes for table in other.tables)
        and complete_pairing(evidence, other) == logged.events
    )
