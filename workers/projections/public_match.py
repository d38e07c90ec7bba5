"""What everybody may know of a match, folded from the public parts of its entries and from nothing else.

A fact as a bystander sees it applies to the match as a bystander sees it (law 2 of architecture.md, section 3), so no
hidden card is ever read here; but for `PublicMatches.load_effective_history`, which tells the course of a match that is
over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from cachetools import LRUCache

from referee.arbitration.remedies.rejudging import find_corrected_report
from referee.engine.chance import Roll, RollResult
from referee.engine.events import Move
from referee.eventstore.contract import MatchLog
from referee.match.aggregate import (
    FINAL_STATUSES,
    Match,
    MatchEnded,
    MatchStarted,
    SeatTaken,
    apply_event,
    finish_entry,
)
from referee.match.entries import LogEntry, effective_entries, has_rewind
from referee.match.events.dispute_events import MatchVoided, MoveRemade, RefusedMoveMade, RulingIssued
from referee.match.table import auto_pass
from referee.match.table.commands import EndMatch
from referee.queries import views
from referee.repository.card_books import CardBookRepository
from workers.bots.player import find_invited_bots

REINSTATED_MOVE_EVENTS = (MoveRemade, RefusedMoveMade)  # of moves that a ruling makes
MAX_KEPT_MATCHES = 512  # matches whose course is kept per process
PAGE = 200


@dataclass(frozen=True, slots=True)
class DiceReport:
    """Dice that lay on a table: the entry, who reported them (a seat's number, or `host`), and what they showed."""

    version: int
    by: str
    sides: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PublicMatch:
    """What the log of a match tells everybody up to a version, which is the number of its entries.

    `moves` counts each seat's moves that still stand; `started_ms`, `ended_ms` and `last_ms` are the times of entries,
    None and 0 where there is none. `by_rules`: the rules ended it, not the word of the table. `seated_at`: by which
    entry each seat was taken last. `turn_order`: the seats as they came on turn first. `reports`: dice that players
    reported.
    """

    version: int = 0
    match: Match = field(default_factory=Match)
    started_ms: int | None = None
    last_ms: int = 0
    moves: tuple[tuple[int, int], ...] = ()
    ended_ms: int | None = None
    by_rules: bool = False
    seated_at: tuple[tuple[int, int], ...] = ()
    turn_order: tuple[int, ...] = ()
    reports: tuple[DiceReport, ...] = ()

    @property
    def awaited(self) -> list[int | str]:
        """Who is awaited: seats, `chance`, `clock`.

        Between two entries somebody always is, until the end. So where a bystander finds nobody, it is chance: of a
        pile to shuffle he sees only backs, which need no shuffling.
        """
        found = views.awaited_response(self.match)
        state = self.match.state
        pending = state is not None and bool(state.agenda) and self.match.end is None and not self.match.is_halted
        return ["chance"] if pending and not found else found

    @property
    def court_until_ms(self) -> int | None:
        """When the time of a court is up whose end no deadline tells of, for moves do not wait for it; None: never."""
        waits = [each.until_ms for each in self.match.disputes if each.is_open and each.until_ms is not None]
        return None if self.match.is_halted else min(waits, default=None)

    @property
    def needs_worker(self) -> bool:
        """Whether a worker may have to act: a bot is awaited, or chance that the server holds."""
        bots = {seat for seat, chair in enumerate(self.match.chairs) if chair.kind == "bot"}
        return any(who in bots or (who == "chance" and not self._is_device_at_table) for who in self.awaited)

    @property
    def has_invited_bots(self) -> bool:
        """Whether something is addressed to a bot that nobody waits for."""
        return bool(find_invited_bots(self.match))

    @property
    def has_passable_window(self) -> bool:
        """Whether a window is open that a standing pass would answer at once. What stands is not told."""
        return auto_pass.find_auto_pass_state(self.match) is not None

    @property
    def _is_device_at_table(self) -> bool:
        """Whether the open question is of a device that the table holds: then a player tells what it shows."""
        assert self.match.state is not None
        device = getattr(self.match.state.agenda[-1], "device", "")
        return self.match.chance.get(device, "server") == "table"


class PublicMatches:
    """The courses of matches at the versions asked for; a bounded number of them is kept to go on from."""

    def __init__(self, log: MatchLog, kept: int = MAX_KEPT_MATCHES) -> None:
        self._log, self._library = log, CardBookRepository(log)
        self._kept: LRUCache[str, PublicMatch] = LRUCache(kept)
        self._lock = Lock()

    def load_match(self, match: str, version: int) -> PublicMatch:
        """The match as its first `version` entries tell it. Raises LookupError if the log holds fewer, ValueError on
        bytes that are no entry."""
        with self._lock:
            known = self._kept.get(match)
        if known is None or known.version > version:
            known = PublicMatch()
        if known.version < version:
            fresh = self._read_public_entries(match, known.version, version)
            if known.version and has_rewind(fresh):
                known, fresh = PublicMatch(), self._read_public_entries(match, 0, version)
            known = _apply_entries(known, fresh)
        with self._lock:
            self._kept[match] = known
        return known

    def load_effective_history(self, match: str, version: int) -> list[LogEntry]:
        """The course of a match that is over at that version, with what was hidden while it went on.

        Raises LookupError as `load_match`, ValueError if the match is not over there.
        """
        if self.load_match(match, version).match.status not in FINAL_STATUSES:
            raise ValueError(f"{match} is not over at {version}")
        found: list[LogEntry] = []
        while page := self._log.read_entries(match, len(found), min(PAGE, version - len(found))):
            found += self._library.decode_entries(page)
        return effective_entries(found)

    def _read_public_entries(self, match: str, after: int, upto: int) -> list[LogEntry]:
        found: list[LogEntry] = []
        while after < upto:
            page = self._log.read_entries(match, after, min(PAGE, upto - after))
            if not page:
                raise LookupError(f"{match} has {after} entries, the feed names {upto}")
            found += self._library.decode_public_entries(page)
            after = page[-1].version
        return found


def _apply_entries(known: PublicMatch, fresh: Sequence[LogEntry]) -> PublicMatch:
    """What is told after these entries too. If one of them goes back, they must be all from the first."""
    told, last = known, fresh[-1]
    written = {entry.version: entry for entry in fresh}
    for entry in effective_entries(fresh):
        told = _apply_entry(told, entry, written)
    return replace(told, version=last.version, last_ms=last.at_ms)


def _apply_entry(told: PublicMatch, entry: LogEntry, written: Mapping[int, LogEntry]) -> PublicMatch:
    """What is told after one more entry of the course; `written` are all entries, whether or not they still count."""
    before = match = told.match
    told = _count_move(told, match, entry.seat, CountedMove(entry.version, entry.reporter, entry.move))
    for at, event in enumerate(entry.events):
        if isinstance(event, MoveRemade):
            told = _count_move(
                told, match, event.seat, _find_corrected_move(entry, written[event.entry], match, event.right)
            )
        elif isinstance(event, RefusedMoveMade):
            told = _count_move(told, match, event.seat, CountedMove(entry.version))
        elif isinstance(event, MatchStarted):
            told = replace(told, started_ms=entry.at_ms)
        elif isinstance(event, SeatTaken):
            told = replace(told, seated_at=tuple(sorted({**dict(told.seated_at), event.seat: entry.version}.items())))
        elif isinstance(event, MatchEnded):
            told = replace(told, ended_ms=entry.at_ms, by_rules=not isinstance(entry.move, EndMatch))
        elif isinstance(event, MatchVoided):
            told = replace(told, ended_ms=entry.at_ms, by_rules=False)
        match = apply_event(match, event, f"{entry.version}.{at}")
        if at + 1 == len(entry.events) or isinstance(
            entry.events[at + 1], REINSTATED_MOVE_EVENTS
        ):  # a move and all its facts
            told = replace(told, turn_order=_extend_turn_order(told.turn_order, match))
    return replace(told, match=finish_entry(before, match, entry.seat, entry.actor))


@dataclass(frozen=True, slots=True)
class CountedMove:
    """A move as it counts: the entry that made it first, who reported it, and what it was as everybody knows it."""

    version: int
    reporter: str = ""
    move: Move | None = None


def _find_corrected_move(ruling: LogEntry, entry: LogEntry, match: Match, right: int) -> CountedMove:
    """What stands of an entry by a ruling: of a report that was wrong, what it should have read. `right`: the dispute
    that says so, if it is another than the one that is ruled on."""
    rulings = [event.dispute for event in ruling.events if isinstance(event, RulingIssued)]
    move = entry.move
    for dispute in match.disputes:
        if dispute.number in ([right] if right else rulings):
            move = find_corrected_report(dispute, entry.version) or move
    return CountedMove(entry.version, entry.reporter, move)


def _count_move(told: PublicMatch, match: Match, seat: int, made: CountedMove) -> PublicMatch:
    """What is told after a move of a seat in a match that stands so."""
    if seat >= 0:
        moves = Counter(dict(told.moves))
        moves[seat] += 1
        told = replace(told, moves=tuple(sorted(moves.items())))
    top = match.state.agenda[-1] if match.state is not None and match.state.agenda else None
    if made.reporter and isinstance(made.move, RollResult) and isinstance(top, Roll):
        report = DiceReport(made.version, made.reporter, top.sides, made.move.values)
        told = replace(told, reports=(*told.reports, report))
    return told


def _extend_turn_order(order: tuple[int, ...], match: Match) -> tuple[int, ...]:
    """The seats as they came on turn first, now that a match stands so."""
    if match.state is None or match.status in FINAL_STATUSES:
        return order
    turn = match.rules.seat_on_turn(match.state)
    return order if turn is None or turn in order else (*order, turn)
