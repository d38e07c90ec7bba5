"""Whether what somebody insists on stands as it stood: what the table does beside the play makes nobody's move stale
(TABLE-TAKEBACK-3).

A request to go back, a dispute, testimony, a vote, a question about a bot, somebody who sits down or gets up: all of
it is written to the log, and so the version moves on; the table, what is asked there and who is awaited do not.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.engine.events import Move
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import OfChair, OfTable
from referee.match.entries import Logged
from referee.match.events.dispute_events import Voided
from referee.match.events.takeback_events import TakeBack
from referee.match.loaded import Loaded
from referee.match.table.bot_substitution import AnswerBot, BotGranted
from referee.repository.matches import Reader

PAGE = 50  # entries that are read at a time: most who come late find one of play among the first


def of_play(entry: Logged) -> bool:
    """Whether an entry belongs to the play: somebody or something moved, or the table stands otherwise after it."""
    if entry.seat != BYSTANDER:
        return True
    return any(isinstance(fact, Voided) or not isinstance(fact, OfTable) for fact in entry.facts)


def stood_still(reader: Reader, loaded: Loaded, since: int) -> bool:
    """Whether play stands at the version that was loaded where it stood after version `since`.

    False for a version that the log does not reach.
    """
    return _none_since(reader, loaded, since, of_play)


def untouched(reader: Reader, loaded: Loaded, since: int, ask: Move) -> bool:
    """Whether what is asked of the table, looking at version `since`, still is what it was: a request to go back is
    about the play, an answer about one question; all other business insists on the log."""
    if isinstance(ask, TakeBack):
        return stood_still(reader, loaded, since)
    if not isinstance(ask, AnswerBot):
        return since == loaded.version
    about = ask.seat

    def asks_otherwise(entry: Logged) -> bool:
        chairs = (fact for fact in entry.facts if isinstance(fact, OfChair) and fact.seat == about)
        return any(not isinstance(fact, BotGranted) for fact in chairs)

    return _none_since(reader, loaded, since, asks_otherwise)


def _none_since(reader: Reader, loaded: Loaded, since: int, what: Callable[[Logged], bool]) -> bool:
    """Whether the log reaches version `since`, and no entry after it is one of these."""
    after = since
    while after < loaded.version:
        batch = reader.entries(loaded.match.id, after, loaded.version, PAGE)
        if not batch or any(map(what, batch)):
            return False
        after = batch[-1].version
    return after == loaded.version
