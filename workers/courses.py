"""What everybody may know of a match, folded from the public parts of its entries and from nothing else.

A fact as a bystander sees it applies to the match as a bystander sees it (law 2 of architecture.md, section 3), so no
hidden card is ever read here.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

from referee.desk import seeing, standing
from referee.desk.entries import Logged, course, folded, public, rewinds
from referee.desk.matches import Match, Started
from referee.store.base import MatchLog

KEPT = 512  # matches whose course is kept per process
PAGE = 200


@dataclass(frozen=True, slots=True)
class Told:
    """What the log of a match tells everybody up to a version, which is the number of its entries.

    `moves` counts each seat's moves that still stand; `started_ms` and `last_ms` are the times of entries, None and 0
    where there is none.
    """

    version: int = 0
    match: Match = field(default_factory=Match)
    started_ms: int | None = None
    last_ms: int = 0
    moves: tuple[tuple[int, int], ...] = ()

    @property
    def awaits(self) -> list[int | str]:
        """Who is awaited: seats, `chance`, `clock`.

        Between two entries somebody always is, until the end. So where a bystander finds nobody, it is chance: of a
        pile to shuffle he sees only backs, which need no shuffling.
        """
        found = seeing.awaits(self.match)
        state = self.match.state
        pending = state is not None and bool(state.agenda) and self.match.end is None
        return ["chance"] if pending and not found else found

    @property
    def awaits_us(self) -> bool:
        """Whether a worker may have to act: a bot is awaited, or chance that the server holds."""
        bots = {seat for seat, chair in enumerate(self.match.chairs) if chair.kind == "bot"}
        return any(who in bots or (who == "chance" and not self._reported) for who in self.awaits)

    @property
    def may_pass(self) -> bool:
        """Whether a window is open that a standing pass would answer at once. What stands is not told."""
        return standing.window(self.match) is not None

    @property
    def _reported(self) -> bool:
        """Whether the open question is of a device that the table holds: then a player tells what it shows."""
        assert self.match.state is not None
        device = getattr(self.match.state.agenda[-1], "device", "")
        return self.match.chance.get(device, "server") == "table"


class Courses:
    """The courses of matches at the versions asked for; a bounded number of them is kept to go on from."""

    def __init__(self, log: MatchLog, kept: int = KEPT) -> None:
        self._log, self._bound = log, kept
        self._kept: OrderedDict[str, Told] = OrderedDict()
        self._lock = Lock()

    def told(self, match: str, version: int) -> Told:
        """The match as its first `version` entries tell it. Raises LookupError if the log holds fewer, ValueError on
        bytes that are no entry."""
        with self._lock:
            known = self._kept.get(match)
        if known is None or known.version > version:
            known = Told()
        if known.version < version:
            fresh = self._public(match, known.version, version)
            if known.version and rewinds(fresh):
                known, fresh = Told(), self._public(match, 0, version)
            known = _after(known, fresh)
        with self._lock:
            self._kept[match] = known
            self._kept.move_to_end(match)
            while len(self._kept) > self._bound:
                self._kept.popitem(last=False)
        return known

    def _public(self, match: str, after: int, upto: int) -> list[Logged]:
        found: list[Logged] = []
        while after < upto:
            page = self._log.entries(match, after, min(PAGE, upto - after))
            if not page:
                raise LookupError(f"{match} has {after} entries, the feed names {upto}")
            found += [public(entry) for entry in page]
            after = page[-1].version
        return found


def _after(known: Told, fresh: Sequence[Logged]) -> Told:
    """What is told after these entries too. If one of them goes back, they must be all from the first."""
    standing = course(fresh)
    moves = Counter(dict(known.moves))
    moves.update(entry.seat for entry in standing if entry.seat >= 0)
    started = [entry.at_ms for entry in standing if any(isinstance(fact, Started) for fact in entry.facts)]
    last = fresh[-1]
    return Told(
        last.version,
        folded(known.match, standing),
        started[-1] if started else known.started_ms,
        last.at_ms,
        tuple(sorted(moves.items())),
    )
