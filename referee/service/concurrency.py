"""Whether what a request insists on still stands as it stood.

Table commands beside the play make nobody's move stale: a takeback request, a dispute, testimony, a vote, a hint, a
question about a bot, a player who comes or leaves. All of these are written to the log, so the version changes. The
state, the open question and the awaited seats do not.

TABLE-TAKEBACK-3: A request blocks nobody. If play goes on, the request is overtaken.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.engine.events import Move
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import LastingTableEvent, SeatEvent
from referee.match.bots.substitution import AnswerBot, BotGranted
from referee.match.entries import LogEntry
from referee.match.events.dispute_events import MatchVoided
from referee.match.events.reaction_events import WindowTalk
from referee.match.events.takeback_events import RequestTakeback
from referee.match.loaded import LoadedMatch
from referee.match.table.hints import TakeHint
from referee.repository.matches import MatchRepository

PAGE_SIZE = 50  # entries read at a time; most late requests find an entry of play among the first


def is_game_entry(entry: LogEntry) -> bool:
    """Tell whether an entry belongs to the play: a seat moved, or the state changed."""
    if entry.seat != BYSTANDER:
        return True
    beside = LastingTableEvent | WindowTalk
    return any(isinstance(event, MatchVoided) or not isinstance(event, beside) for event in entry.events)


def is_play_unchanged(reader: MatchRepository, loaded: LoadedMatch, since: int) -> bool:
    """Tell whether play at the loaded version stands where it stood after `since`.

    It does not if the log does not reach version `since`.
    """
    return _has_no_entry_since(reader, loaded, since, is_game_entry)


def is_subject_unchanged(reader: MatchRepository, loaded: LoadedMatch, since: int, command: Move) -> bool:
    """Tell whether the subject of a table command still is as it was at `since`.

    A takeback request and a hint are about the play, an answer about one open question. All other commands insist on
    the version.
    """
    if isinstance(command, RequestTakeback | TakeHint):
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
    """Tell whether the log reaches version `since` and no later entry is one of these."""
    after = since
    while after < loaded.version:
        batch = reader.load_entries(loaded.match.id, after, loaded.version, PAGE_SIZE)
        if not batch or any(map(what, batch)):
            return False
        after = batch[-1].version
    return after == loaded.version
