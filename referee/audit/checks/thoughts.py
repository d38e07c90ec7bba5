"""What bots thought, thought again.

A bot's entry says at which level it was made, how many playouts that took, and on which view and memory it rests. The
seed comes from the secret. So the thought can be repeated, from what its seat saw and nothing else. A bot that peeked
would have moved by something that its view does not give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.audit.checks import randomness
from referee.audit.checks.findings import AuditFinding, AuditNotice, FindingKind
from referee.bots.minds import BRIEF, GREEDY, clamp_level
from referee.engine.cardtracking.determinization import Memory
from referee.engine.seats import Seat
from referee.match.aggregate import Match
from referee.match.bots.decisions import ThoughtRecord
from referee.match.entries import LogEntry, reopens_question
from referee.thoughts.digest import compute_mind_digest
from referee.thoughts.recall import MatchRecall
from referee.thoughts.thinking import hash_memory, record_decision, think_for_seat
from referee.transparency.randomness import derive_thought_seed


@dataclass(frozen=True, slots=True)
class _Standing:
    """A match after an entry: what seats remember then, and who made the entry."""

    match: Match
    places: Mapping[int, Memory]
    seat: int
    reopened: bool


@dataclass
class ThoughtChecker:
    """Repeats the thoughts of a match, entry by entry.

    - `seats`: those that bots moved for.
    - `secrets`: by generation.
    - `note_thought`: called for each entry of a bot.
    """

    seats: frozenset[int]
    secrets: Mapping[int, bytes]
    note_thought: Callable[[], None]
    repeated: int = 0
    by_others: int = 0
    unrecorded: int = 0
    below_level: int = 0
    cut_short: int = 0
    fewest_playouts: int = 0
    _standings: list[_Standing] = field(default_factory=lambda: [_Standing(Match(), {}, -1, True)])

    def __post_init__(self) -> None:
        self._recall = MatchRecall(self.seats)

    def check_entry(self, logged: LogEntry) -> AuditFinding | None:
        """Return what is wrong with the thought behind the next entry, or None."""
        if logged.actor != "bot":
            return None
        self.note_thought()
        record = logged.decision.thought
        if record is None:
            self.unrecorded += 1
            return None
        if not self._is_view_due(logged, record.seen):
            return _build_finding("thought.seen", logged, seen=record.seen)
        standing = self._standings[record.seen]
        level = clamp_level(standing.match.chairs[logged.seat].level)
        if record.level not in (level, min(level, GREEDY)):
            return _build_finding("thought.level", logged, found=record.level, due=level)
        self.below_level += record.level < level
        if record.mind != compute_mind_digest(standing.match.game):
            self.by_others += 1
            return None
        return self._repeat_thought(logged, record, standing)

    def _repeat_thought(self, logged: LogEntry, record: ThoughtRecord, standing: _Standing) -> AuditFinding | None:
        match, seat = standing.match, Seat(logged.seat)
        secret = self.secrets.get(randomness.get_secret_generation(match))
        if secret is None:
            self.unrecorded += 1
            return None
        memory = standing.places.get(seat, {}) if record.level >= BRIEF else {}
        if hash_memory(memory) != record.memory:
            return _build_finding("thought.memory", logged)
        seed = derive_thought_seed(secret, match.id, record.seen, seat)
        is_cut = False

        def may_go_on(made: int) -> bool:
            nonlocal is_cut
            is_cut = made >= record.playouts
            return not is_cut

        thought = think_for_seat(match, seat, seed, memory, may_go_on, record.level)
        if record_decision(match, record.seen, seat, record.level, thought, memory) != logged.decision:
            return _build_finding("thought.view", logged)
        if thought.move != logged.move:
            return _build_finding("thought.move", logged)
        self.repeated += 1
        if is_cut:
            self.fewest_playouts = min(record.playouts, self.fewest_playouts if self.cut_short else record.playouts)
            self.cut_short += 1
        return None

    def _is_view_due(self, logged: LogEntry, seen: int) -> bool:
        """Whether a bot may have moved on this version.

        Nothing since has reopened the question, and no entry since was its own.
        """
        if not 0 < seen < logged.version:
            return False
        since = self._standings[seen + 1 : logged.version]
        return not any(each.reopened or each.seat == logged.seat for each in since)

    def note_entry(self, before: Match, logged: LogEntry, after: Match) -> None:
        """Note an entry that was replayed."""
        self._recall.note_entry(before, logged, after)
        places = {seat: self._recall.list_places(seat) for seat in self.seats}
        reopened = reopens_question(before.state, after.state, logged.events)
        self._standings.append(_Standing(after, places, logged.seat, reopened))

    def list_notices(self) -> Iterable[AuditNotice]:
        """Yield what is good to know of the thoughts."""
        for key in ("repeated", "by_others", "unrecorded", "below_level"):
            if count := getattr(self, key):
                yield AuditNotice(f"thought.{key}", {"count": count})
        if self.cut_short:
            yield AuditNotice("thought.cut_short", {"count": self.cut_short, "fewest": self.fewest_playouts})


def find_bot_seats(entries: Iterable[Mapping[str, Any]]) -> frozenset[int]:
    """Return the seats that bots moved for, by the envelopes."""
    return frozenset(each["seat"] for each in entries if each["actor"] == "bot" and each["seat"] >= 0)


def _build_finding(key: str, logged: LogEntry, **params: Any) -> AuditFinding:
    return AuditFinding(FindingKind.THOUGHT, key, logged.version, {"player": logged.seat + 1, **params})
