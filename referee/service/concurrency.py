"""Whether what somebody insists on stands as it stood: what the table does beside the play makes nobody's move stale
(TABLE-TAKEBACK-3).

A request to go back, a dispute, testimony, a vote, a question about a bot, somebody who sits down or gets up: all of
it is written to the log, and so the version moves on; the table, what is asked there and who is awaited do not.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.engine.events import Move
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import LastingTableEvent, SeatEvent
from referee.match.entries import LogEntry
from referee.match.events.dispute_events import MatchVoided
from referee.match.events.takeback_events import RequestTakeback
from referee.match.loaded import LoadedMatch
from referee.match.table.bot_substitution import AnswerBot, BotGranted
from referee.repository.matches import MatchRepository

PAGE_SIZE = 50  # entries that are read at a time: most who come late find one of play among the first


def is_game_entry(entry: LogEntry) -> bool:
    """Whether an entry belongs to the play: somebody or something moved, or the table stands otherwise after it."""
    if entry.seat != BYSTANDER:
        return True
    return any(isinstance(event, MatchVoided) or not isinstance(event, LastingTableEvent) for event in entry.events)


def is_play_unchanged(reader: MatchRepository, loaded: LoadedMatch, since: int) -> bool:
    """Whether play stands at the version that was loaded where it stood after version `since`.

    False for a version that the log does not reach.
    """
    return _has_no_entry_since(reader, loaded, since, is_game_entry)


def is_subject_unchanged(reader: MatchRepository, loaded: LoadedMatch, since: int, command: Move) -> bool:
    """Whether what is asked of the table, looking at version `since`, still is what it was: a request to go back is
    about the play, an answer about one question; all other business insists on the log."""
    if isinstance(command, RequestTakeback):
        return is_play_unchanged(reader, loaded, since)
    if not isinstance(command, AnswerBot):
        return since == loaded.version
    about = command.seat

    def asks_otherwise(entry: LogEntry) -> bool:
        chairs = (event for event in entry.events if isinstance(event, SeatEvent) and event.seat == about)
        return any(not isinstance(event, BotGranted) for event in chairs)

    return _has_no_entry_since(reader, loaded, since, asks_otherwise)


def _has_no_entry_since(
    reader: MatchRepository, loaded: LoadedMatch, since: int, what: Callable[[LogEntry], bool]
) -> bool:
    """Whether the log reaches version `since`, and no entry after it is one of these."""
    after = since
    while after < loaded.version:
        batch = reader.load_entries(loaded.match.id, after, loaded.version, PAGE_SIZE)
        if not batch or any(map(what, batch)):
            return False
        after = batch[-1].version
    return after == loaded.version
