"""What happens in matches as whoever looks on from outside learns it: folded from the public parts of entries alone.

So two worlds that an onlooker cannot tell apart come to the same happenings, byte for byte.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from threading import Lock
from typing import Any

from cachetools import LRUCache

from referee.engine.prompts import window_kind_of
from referee.engine.steps import Step
from referee.eventstore.contract import MatchLog
from referee.match.aggregate import FINAL_STATUSES, Match, MatchOpened, apply_event, finish_entry
from referee.match.entries import LogEntry, effective_entries, has_rewind, reopens_question
from referee.queries import views
from referee.rendering import texts
from referee.repository.card_books import CardBookRepository

MAX_KEPT_MATCHES = 512  # matches that are kept per process, to go on from
PAGE = 200


@dataclass(frozen=True, slots=True)
class ObservedMatch:
    """A match after an entry as an onlooker knows it. `prompted_steps`: the names of those pending steps that somebody
    was asked by then; a step, and so a window, is named after the event that opened it (`Match.opened`).
    `highest_shown_version`: up to which version an onlooker has ever seen the match by then: where one that was over
    goes on, he sees it late again."""

    version: int = 0
    match: Match = field(default_factory=Match)
    prompted_steps: frozenset[str] = frozenset()
    highest_shown_version: int = 0

    @property
    def agenda(self) -> tuple[Step, ...]:
        """What is pending; nothing before the start and after the end."""
        over = self.match.state is None or self.match.status in FINAL_STATUSES
        return () if over or self.match.state is None else self.match.state.agenda

    @property
    def open_windows(self) -> dict[str, Step]:
        """The open windows by name: questions that a seat may let pass, from when they are first asked. One that waits
        for a die is laid down and not yet open; one that is interrupted stays open."""
        pending = zip(self.match.opened, self.agenda, strict=True) if self.agenda else ()
        return {name: step for name, step in pending if window_kind_of(step) and name in self.prompted_steps}

    @property
    def shown_version(self) -> int:
        """Up to which version an onlooker sees the match now (as `seeing.latest` has it)."""
        late = (
            self.match.spectator_delay
            if self.match.state is not None and self.match.status not in FINAL_STATUSES
            else 0
        )
        return max(1, self.version - late)


@dataclass(frozen=True, slots=True)
class Notification:
    """Something to tell. `for_match_followers`: to whoever follows this match; `for_public_followers`: to whoever
    follows all public ones."""

    type: str
    at_ms: int
    data: dict[str, Any]
    for_match_followers: bool = True
    for_public_followers: bool = True

    @property
    def body(self) -> dict[str, Any]:
        """The message as it is sent."""
        at = datetime.fromtimestamp(self.at_ms / 1000, UTC).isoformat(timespec="milliseconds")
        return {"type": self.type, "timestamp": at.replace("+00:00", "Z"), "data": self.data}


def apply_entry(seen: ObservedMatch, entry: LogEntry) -> ObservedMatch:
    """What is seen after an entry that does not go back."""
    match = seen.match
    for at, event in enumerate(entry.events):
        match = apply_event(match, event, f"{entry.version}.{at}")
    match = finish_entry(seen.match, match, entry.seat, entry.actor)
    made = ObservedMatch(
        entry.version, match, (seen.prompted_steps | {*match.opened[-1:]}) & {*match.opened}, seen.highest_shown_version
    )
    return replace(made, highest_shown_version=max(made.highest_shown_version, made.shown_version))


class ObserverFeed:
    """Matches as onlookers know them, at versions that mostly grow; a bounded number is kept to go on from."""

    def __init__(self, log: MatchLog, kept: int = MAX_KEPT_MATCHES) -> None:
        self._log, self._library = log, CardBookRepository(log)
        self._kept: LRUCache[str, ObservedMatch] = LRUCache(kept)
        self._lock = Lock()

    def load_match(self, match: str, version: int) -> ObservedMatch:
        """The match after that entry. Raises LookupError if the log holds fewer, ValueError on bytes that are none."""
        with self._lock:
            known = self._kept.get(match, ObservedMatch())
        if known.version > version:
            known = ObservedMatch()
        steps = self._replay_entries(match, known, version)
        return deque(steps, maxlen=1)[0][2] if known.version < version else known

    def walk_entries(
        self, match: str, start: int, upto: int
    ) -> Iterator[tuple[ObservedMatch, LogEntry, ObservedMatch]]:
        """Entries after `start`, each with what was seen before and after it. Raises as `load_match`."""
        yield from self._replay_entries(match, self.load_match(match, start), upto)

    def _replay_entries(
        self, match: str, known: ObservedMatch, upto: int
    ) -> Iterator[tuple[ObservedMatch, LogEntry, ObservedMatch]]:
        for entry in self._read_public_entries(match, known.version, upto):
            if has_rewind([entry]):
                made = ObservedMatch()
                for standing in effective_entries(list(self._read_public_entries(match, 0, entry.version))):
                    made = apply_entry(made, standing)
                made = replace(made, highest_shown_version=max(known.highest_shown_version, made.shown_version))
            else:
                made = apply_entry(known, entry)
            yield known, entry, made
            known = made
            with self._lock:
                self._kept[match] = known

    def _read_public_entries(self, match: str, start: int, upto: int) -> Iterator[LogEntry]:
        while start < upto:
            page = self._log.read_entries(match, start, min(PAGE, upto - start))
            if not page:
                raise LookupError(f"{match} has {start} entries, {upto} were named")
            yield from self._library.decode_public_entries(page)
            start = page[-1].version


class NotificationSource:
    """What each commit brings to those who look on. It comes late where the match says so: `now` is the match as it
    stands, `seen` as far as an onlooker sees."""

    def __init__(self, log: MatchLog) -> None:
        self._now, self._seen = ObserverFeed(log), ObserverFeed(log)

    def collect_notifications(self, match: str, version: int) -> list[Notification]:
        """What an onlooker learns by this commit, in order. Raises as `ObserverFeed.load_match`."""
        before, now = self._now.load_match(match, version - 1), self._now.load_match(match, version)
        begun = now.match.state is not None
        told: list[Notification] = []
        for was, entry, seen in self._seen.walk_entries(match, before.highest_shown_version, now.highest_shown_version):
            if begun and seen.match.state is None and entry.version != version:
                continue  # it was told in the lobby, where nothing comes late
            told += build_notifications(was, entry, seen)
        return told


def build_notifications(was: ObservedMatch, entry: LogEntry, seen: ObservedMatch) -> list[Notification]:
    """What an entry brings that is worth telling."""
    found: list[Notification] = []
    match = seen.match
    public_now = match.visibility == "public"

    def tell(what: str, own: bool = True, **more: Any) -> None:
        data = {
            "match": match.id,
            "url": f"/v1/matches/{match.id}",
            "game": match.game,
            "variant": match.variant,
            "version": entry.version,
            "status": match.public_status,
            **more,
        }
        found.append(Notification(what, entry.at_ms, data, own, public_now))

    opened = any(isinstance(event, MatchOpened) for event in entry.events)
    if opened or (public_now and was.match.visibility != "public"):
        tell("match.opened", own=opened)
    if was.match.state is None and match.state is not None:
        tell("match.started")
    old, new = was.open_windows, seen.open_windows
    for name in sorted(old.keys() - new.keys(), key=window_sort_key):
        tell("window.closed", window=name, kind=window_kind_of(old[name]))
    for name in sorted(new.keys() - old.keys(), key=window_sort_key):
        tell(
            "window.opened",
            window=name,
            kind=window_kind_of(new[name]),
            seats=awaited_seats(match),
            clauses=list(new[name].clauses),
        )
    anew = reopens_question(was.match.state, match.state, entry.events)
    awaited = awaited_seats(match)
    before = awaited_seats(was.match)
    for seat in awaited:
        if seat not in before or (anew and seat != entry.seat):
            top = seen.agenda[-1]
            window = match.opened[-1] if window_kind_of(top) else None
            tell("seat.awaited", seat=seat, question=texts.question_response(match.rules, top), window=window)
    for kind, more in build_dispute_notifications(was.match, match):
        tell(kind, **more)
    if match.end is not None and match.end != was.match.end:  # a ruling may end it otherwise than it had ended
        tell("match.ended", outcome=views.outcome_response(match))
    return found


def build_dispute_notifications(was: Match, match: Match) -> Iterator[tuple[str, dict[str, Any]]]:
    """What an entry brings of disputes and takebacks: the message, and what it says besides the match."""
    for dispute in match.disputes[len(was.disputes) :]:
        about = {"dispute": dispute.number, "about": dispute.about, "claim": dispute.claim, "by": dispute.by}
        yield "dispute.opened", {**about, "parties": list(dispute.parties)}
    ruled = {dispute.number: len(dispute.verdicts) for dispute in was.disputes}
    for dispute in match.disputes:
        for verdict in dispute.verdicts[ruled.get(dispute.number, 0) :]:
            yield (
                "dispute.ruled",
                {
                    "dispute": dispute.number,
                    "about": dispute.about,
                    "court": verdict.court,
                    "by": verdict.by,
                    "verdict": verdict.verdict,
                    "remedy": verdict.remedy or None,
                    "clauses": list(verdict.clauses),
                    "settled": not dispute.is_open,
                },
            )
    for takeback in match.takebacks[len(was.takebacks) :]:
        if takeback.stage == "asked":
            yield "takeback.asked", {"takeback": takeback.number, "seat": takeback.seat, "to": takeback.to}


def window_sort_key(name: str) -> tuple[int, ...]:
    """The name of a window as it is ordered."""
    return tuple(map(int, name.split(".")))


def awaited_seats(match: Match) -> list[int]:
    """The seats that are awaited, as everybody knows."""
    return sorted(seat for seat in views.awaited_response(match) if isinstance(seat, int))
