"""What everybody may know of a match, folded from the public parts of its entries and from nothing else.

A fact as a bystander sees it applies to the match as a bystander sees it (law 2 of architecture.md, section 3), so no
hidden card is ever read here; but for `Courses.whole`, which tells the course of a match that is over.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from referee.arbitration.remedies.rejudging import read_as
from referee.engine.chance import Roll, Rolled
from referee.engine.events import Move
from referee.eventstore.contract import MatchLog
from referee.match.aggregate import OVER, Ended, Match, SeatTaken, Started, happened, turned
from referee.match.entries import Logged, course, rewinds
from referee.match.events.dispute_events import MadeAfterAll, MadeAgain, RulingIssued, Voided
from referee.match.table import auto_pass
from referee.match.table.commands import End
from referee.queries import views
from referee.repository.card_books import Library
from workers.bots.player import invited_bots

MARKS = (MadeAgain, MadeAfterAll)  # of moves that a ruling makes
KEPT = 512  # matches whose course is kept per process
PAGE = 200


@dataclass(frozen=True, slots=True)
class Report:
    """Dice that lay on a table: the entry, who reported them (a seat's number, or `host`), and what they showed."""

    version: int
    by: str
    sides: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """What the log of a match tells everybody up to a version, which is the number of its entries.

    `moves` counts each seat's moves that still stand; `started_ms`, `ended_ms` and `last_ms` are the times of entries,
    None and 0 where there is none. `by_rules`: the rules ended it, not the word of the table. `sat`: by which entry
    each seat was taken last. `order`: the seats as they came on turn first. `reports`: dice that players reported.
    """

    version: int = 0
    match: Match = field(default_factory=Match)
    started_ms: int | None = None
    last_ms: int = 0
    moves: tuple[tuple[int, int], ...] = ()
    ended_ms: int | None = None
    by_rules: bool = False
    sat: tuple[tuple[int, int], ...] = ()
    order: tuple[int, ...] = ()
    reports: tuple[Report, ...] = ()

    @property
    def awaits(self) -> list[int | str]:
        """Who is awaited: seats, `chance`, `clock`.

        Between two entries somebody always is, until the end. So where a bystander finds nobody, it is chance: of a
        pile to shuffle he sees only backs, which need no shuffling.
        """
        found = views.awaits(self.match)
        state = self.match.state
        pending = state is not None and bool(state.agenda) and self.match.end is None and not self.match.halted
        return ["chance"] if pending and not found else found

    @property
    def court_until_ms(self) -> int | None:
        """When the time of a court is up whose end no deadline tells of, for moves do not wait for it; None: never."""
        waits = [each.until_ms for each in self.match.disputes if each.open and each.until_ms is not None]
        return None if self.match.halted else min(waits, default=None)

    @property
    def awaits_us(self) -> bool:
        """Whether a worker may have to act: a bot is awaited, or chance that the server holds."""
        bots = {seat for seat, chair in enumerate(self.match.chairs) if chair.kind == "bot"}
        return any(who in bots or (who == "chance" and not self._reported) for who in self.awaits)

    @property
    def invites_us(self) -> bool:
        """Whether something is addressed to a bot that nobody waits for."""
        return bool(invited_bots(self.match))

    @property
    def may_pass(self) -> bool:
        """Whether a window is open that a standing pass would answer at once. What stands is not told."""
        return auto_pass.window(self.match) is not None

    @property
    def _reported(self) -> bool:
        """Whether the open question is of a device that the table holds: then a player tells what it shows."""
        assert self.match.state is not None
        device = getattr(self.match.state.agenda[-1], "device", "")
        return self.match.chance.get(device, "server") == "table"


class Courses:
    """The courses of matches at the versions asked for; a bounded number of them is kept to go on from."""

    def __init__(self, log: MatchLog, kept: int = KEPT) -> None:
        self._log, self._bound, self._library = log, kept, Library(log)
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

    def whole(self, match: str, version: int) -> list[Logged]:
        """The course of a match that is over at that version, with what was hidden while it went on.

        Raises LookupError as `told`, ValueError if the match is not over there.
        """
        if self.told(match, version).match.status not in OVER:
            raise ValueError(f"{match} is not over at {version}")
        found: list[Logged] = []
        while page := self._log.entries(match, len(found), min(PAGE, version - len(found))):
            found += self._library.unpacked(page)
        return course(found)

    def _public(self, match: str, after: int, upto: int) -> list[Logged]:
        found: list[Logged] = []
        while after < upto:
            page = self._log.entries(match, after, min(PAGE, upto - after))
            if not page:
                raise LookupError(f"{match} has {after} entries, the feed names {upto}")
            found += self._library.opened(page)
            after = page[-1].version
        return found


def _after(known: Told, fresh: Sequence[Logged]) -> Told:
    """What is told after these entries too. If one of them goes back, they must be all from the first."""
    told, last = known, fresh[-1]
    written = {entry.version: entry for entry in fresh}
    for entry in course(fresh):
        told = _further(told, entry, written)
    return replace(told, version=last.version, last_ms=last.at_ms)


def _further(told: Told, entry: Logged, written: Mapping[int, Logged]) -> Told:
    """What is told after one more entry of the course; `written` are all entries, whether or not they still count."""
    before = match = told.match
    told = _moved(told, match, entry.seat, Made(entry.version, entry.reporter, entry.move))
    for at, fact in enumerate(entry.facts):
        if isinstance(fact, MadeAgain):
            told = _moved(told, match, fact.seat, _made_again(entry, written[fact.entry], match, fact.right))
        elif isinstance(fact, MadeAfterAll):
            told = _moved(told, match, fact.seat, Made(entry.version))
        elif isinstance(fact, Started):
            told = replace(told, started_ms=entry.at_ms)
        elif isinstance(fact, SeatTaken):
            told = replace(told, sat=tuple(sorted({**dict(told.sat), fact.seat: entry.version}.items())))
        elif isinstance(fact, Ended):
            told = replace(told, ended_ms=entry.at_ms, by_rules=not isinstance(entry.move, End))
        elif isinstance(fact, Voided):
            told = replace(told, ended_ms=entry.at_ms, by_rules=False)
        match = happened(match, fact, f"{entry.version}.{at}")
        if at + 1 == len(entry.facts) or isinstance(entry.facts[at + 1], MARKS):  # a move and all its facts
            told = replace(told, order=_in_order(told.order, match))
    return replace(told, match=turned(before, match, entry.seat, entry.actor))


@dataclass(frozen=True, slots=True)
class Made:
    """A move as it counts: the entry that made it first, who reported it, and what it was as everybody knows it."""

    version: int
    reporter: str = ""
    move: Move | None = None


def _made_again(ruling: Logged, entry: Logged, match: Match, right: int) -> Made:
    """What stands of an entry by a ruling: of a report that was wrong, what it should have read. `right`: the dispute
    that says so, if it is another than the one that is ruled on."""
    rulings = [fact.dispute for fact in ruling.facts if isinstance(fact, RulingIssued)]
    move = entry.move
    for dispute in match.disputes:
        if dispute.number in ([right] if right else rulings):
            move = read_as(dispute, entry.version) or move
    return Made(entry.version, entry.reporter, move)


def _moved(told: Told, match: Match, seat: int, made: Made) -> Told:
    """What is told after a move of a seat in a match that stands so."""
    if seat >= 0:
        moves = Counter(dict(told.moves))
        moves[seat] += 1
        told = replace(told, moves=tuple(sorted(moves.items())))
    top = match.state.agenda[-1] if match.state is not None and match.state.agenda else None
    if made.reporter and isinstance(made.move, Rolled) and isinstance(top, Roll):
        report = Report(made.version, made.reporter, top.sides, made.move.values)
        told = replace(told, reports=(*told.reports, report))
    return told


def _in_order(order: tuple[int, ...], match: Match) -> tuple[int, ...]:
    """The seats as they came on turn first, now that a match stands so."""
    if match.state is None or match.status in OVER:
        return order
    turn = match.rules.on_turn(match.state)
    return order if turn is None or turn in order else (*order, turn)
