"""What happens in matches as whoever looks on from outside learns it: folded from the public parts of entries alone.

So two worlds that an onlooker cannot tell apart come to the same happenings, byte for byte.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from threading import Lock
from typing import Any

from referee.engine.prompts import kind_of
from referee.engine.steps import Step
from referee.eventstore.contract import MatchLog
from referee.match.aggregate import OVER, Match, MatchOpened, happened, turned
from referee.match.entries import Logged, asked_anew, course, rewinds
from referee.queries import views
from referee.rendering import texts
from referee.repository.card_books import Library

KEPT = 512  # matches that are kept per process, to go on from
PAGE = 200


@dataclass(frozen=True, slots=True)
class Seen:
    """A match after an entry as an onlooker knows it. `asked`: the names of those pending steps that somebody was asked
    by then; a step, and so a window, is named after the event that opened it (`Match.opened`). `told`: up to which
    version an onlooker has ever seen the match by then: where one that was over goes on, he sees it late again."""

    version: int = 0
    match: Match = field(default_factory=Match)
    asked: frozenset[str] = frozenset()
    told: int = 0

    @property
    def agenda(self) -> tuple[Step, ...]:
        """What is pending; nothing before the start and after the end."""
        over = self.match.state is None or self.match.status in OVER
        return () if over or self.match.state is None else self.match.state.agenda

    @property
    def windows(self) -> dict[str, Step]:
        """The open windows by name: questions that a seat may let pass, from when they are first asked. One that waits
        for a die is laid down and not yet open; one that is interrupted stays open."""
        pending = zip(self.match.opened, self.agenda, strict=True) if self.agenda else ()
        return {name: step for name, step in pending if kind_of(step) and name in self.asked}

    @property
    def shown(self) -> int:
        """Up to which version an onlooker sees the match now (as `seeing.latest` has it)."""
        late = self.match.spectator_delay if self.match.state is not None and self.match.status not in OVER else 0
        return max(1, self.version - late)


@dataclass(frozen=True, slots=True)
class Happening:
    """Something to tell. `own`: to whoever follows this match; `wide`: to whoever follows all public ones."""

    type: str
    at_ms: int
    data: dict[str, Any]
    own: bool = True
    wide: bool = True

    @property
    def body(self) -> dict[str, Any]:
        """The message as it is sent."""
        at = datetime.fromtimestamp(self.at_ms / 1000, UTC).isoformat(timespec="milliseconds")
        return {"type": self.type, "timestamp": at.replace("+00:00", "Z"), "data": self.data}


def after(seen: Seen, entry: Logged) -> Seen:
    """What is seen after an entry that does not go back."""
    match = seen.match
    for at, fact in enumerate(entry.facts):
        match = happened(match, fact, f"{entry.version}.{at}")
    match = turned(seen.match, match, entry.seat, entry.actor)
    made = Seen(entry.version, match, (seen.asked | {*match.opened[-1:]}) & {*match.opened}, seen.told)
    return replace(made, told=max(made.told, made.shown))


class Onlookers:
    """Matches as onlookers know them, at versions that mostly grow; a bounded number is kept to go on from."""

    def __init__(self, log: MatchLog, kept: int = KEPT) -> None:
        self._log, self._bound, self._library = log, kept, Library(log)
        self._kept: OrderedDict[str, Seen] = OrderedDict()
        self._lock = Lock()

    def at(self, match: str, version: int) -> Seen:
        """The match after that entry. Raises LookupError if the log holds fewer, ValueError on bytes that are none."""
        with self._lock:
            known = self._kept.get(match, Seen())
        if known.version > version:
            known = Seen()
        steps = self._steps(match, known, version)
        return deque(steps, maxlen=1)[0][2] if known.version < version else known

    def walk(self, match: str, start: int, upto: int) -> Iterator[tuple[Seen, Logged, Seen]]:
        """Entries after `start`, each with what was seen before and after it. Raises as `at`."""
        yield from self._steps(match, self.at(match, start), upto)

    def _steps(self, match: str, known: Seen, upto: int) -> Iterator[tuple[Seen, Logged, Seen]]:
        for entry in self._public(match, known.version, upto):
            if rewinds([entry]):
                made = Seen()
                for standing in course(list(self._public(match, 0, entry.version))):
                    made = after(made, standing)
                made = replace(made, told=max(known.told, made.shown))
            else:
                made = after(known, entry)
            yield known, entry, made
            known = made
            with self._lock:
                self._kept[match] = known
                self._kept.move_to_end(match)
                while len(self._kept) > self._bound:
                    self._kept.popitem(last=False)

    def _public(self, match: str, start: int, upto: int) -> Iterator[Logged]:
        while start < upto:
            page = self._log.entries(match, start, min(PAGE, upto - start))
            if not page:
                raise LookupError(f"{match} has {start} entries, {upto} were named")
            yield from self._library.opened(page)
            start = page[-1].version


class News:
    """What each commit brings to those who look on. It comes late where the match says so: `now` is the match as it
    stands, `seen` as far as an onlooker sees."""

    def __init__(self, log: MatchLog) -> None:
        self._now, self._seen = Onlookers(log), Onlookers(log)

    def of(self, match: str, version: int) -> list[Happening]:
        """What an onlooker learns by this commit, in order. Raises as `Onlookers.at`."""
        before, now = self._now.at(match, version - 1), self._now.at(match, version)
        begun = now.match.state is not None
        told: list[Happening] = []
        for was, entry, seen in self._seen.walk(match, before.told, now.told):
            if begun and seen.match.state is None and entry.version != version:
                continue  # it was told in the lobby, where nothing comes late
            told += happenings(was, entry, seen)
        return told


def happenings(was: Seen, entry: Logged, seen: Seen) -> list[Happening]:
    """What an entry brings that is worth telling."""
    found: list[Happening] = []
    match = seen.match
    public_now = match.visibility == "public"

    def tell(what: str, own: bool = True, **more: Any) -> None:
        data = {
            "match": match.id,
            "url": f"/v1/matches/{match.id}",
            "game": match.game,
            "variant": match.variant,
            "version": entry.version,
            "status": match.condition,
            **more,
        }
        found.append(Happening(what, entry.at_ms, data, own, public_now))

    opened = any(isinstance(fact, MatchOpened) for fact in entry.facts)
    if opened or (public_now and was.match.visibility != "public"):
        tell("match.opened", own=opened)
    if was.match.state is None and match.state is not None:
        tell("match.started")
    old, new = was.windows, seen.windows
    for name in sorted(old.keys() - new.keys(), key=numbered):
        tell("window.closed", window=name, kind=kind_of(old[name]))
    for name in sorted(new.keys() - old.keys(), key=numbered):
        tell("window.opened", window=name, kind=kind_of(new[name]), seats=seats(match), clauses=list(new[name].clauses))
    anew = asked_anew(was.match.state, match.state, entry.facts)
    awaited = seats(match)
    before = seats(was.match)
    for seat in awaited:
        if seat not in before or (anew and seat != entry.seat):
            top = seen.agenda[-1]
            window = match.opened[-1] if kind_of(top) else None
            tell("seat.awaited", seat=seat, question=texts.question(match.rules, top), window=window)
    for kind, more in quarrels(was.match, match):
        tell(kind, **more)
    if match.end is not None and match.end != was.match.end:  # a ruling may end it otherwise than it had ended
        tell("match.ended", outcome=views.outcome(match))
    return found


def quarrels(was: Match, match: Match) -> Iterator[tuple[str, dict[str, Any]]]:
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
                    "settled": not dispute.open,
                },
            )
    for takeback in match.takebacks[len(was.takebacks) :]:
        if takeback.stage == "asked":
            yield "takeback.asked", {"takeback": takeback.number, "seat": takeback.seat, "to": takeback.to}


def numbered(name: str) -> tuple[int, ...]:
    """The name of a window as it is ordered."""
    return tuple(map(int, name.split(".")))


def seats(match: Match) -> list[int]:
    """The seats that are awaited, as everybody knows."""
    return sorted(seat for seat in views.awaits(match) if isinstance(seat, int))
