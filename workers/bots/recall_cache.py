"""What bots remember, kept from job to job.

A thought needs all that its seat has seen. Read from the log for each move, that would cost more and more.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from referee.match.loaded import LoadedMatch
from referee.repository.matches import MatchRepository
from referee.thoughts.recall import MatchRecall

MOST_MATCHES = 64


class RecallCache:
    """The recalls of the matches that were thought about last."""

    def __init__(self, most: int = MOST_MATCHES) -> None:
        self._most = most
        self._recalls: OrderedDict[str, MatchRecall] = OrderedDict()

    def load_recall(self, repository: MatchRepository, loaded: LoadedMatch, seats: Iterable[int]) -> MatchRecall:
        """Return what these seats remember at the version of a loaded match."""
        wanted, match = frozenset(seats), loaded.match.id
        recall = self._recalls.pop(match, None)
        if recall is None or not wanted <= recall.seats or recall.version > loaded.version:
            recall = MatchRecall(wanted)
        if recall.version < loaded.version:
            recall.append_entries(repository.load_entries(match, recall.version, loaded.version))
        self._recalls[match] = recall
        while len(self._recalls) > self._most:
            self._recalls.popitem(last=False)
        return recall
