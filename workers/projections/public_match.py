"""The public read model: a match folded from the public parts of its entries.

An event as a spectator sees it applies to the match as a spectator sees it. So no hidden card is read here, except by
`PublicMatches.load_effective_history` after the end. Projections, drains and webhooks all read this model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock

from cachetools import LRUCache

from referee.arbitration.remedies.rejudging import find_corrected_report
from referee.engine.chance import Roll, RollResult
from referee.engine.events import Move
from referee.engine.prompts import window_kind_of
from referee.engine.steps import Step
from referee.eventstore.contract import MatchLog, StoredEntry
from referee.eventstore.projection_store import StoreCall
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
from referee.match.events.ending_events import AnswerEnd, EndForTournament, EndMatch
from referee.match.table import auto_pass
from referee.queries import views
from referee.repository.card_books import CardBookRepository
from workers.bots.player import find_invited_bots

TABLE_ENDS = (EndMatch, AnswerEnd, EndForTournament)  # commands by which table or tournament end a match
REINSTATED_MOVE_EVENTS = (MoveRemade, RefusedMoveMade)  # of moves that a ruling makes
MAX_KEPT_MATCHES = 2048  # per process
PAGE = 200


@dataclass(frozen=True, slots=True)
class DiceReport:
    """Reported dice: the entry, the reporter, the sides and the values.

    `by` is the number of a seat, or `host`.
    """

    version: int
    by: str
    sides: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class PublicMatch:
    """What everybody may know of a match after its first `version` entries.

    - `started_ms`, `ended_ms`, `last_ms`: times of entries in milliseconds; None, or 0, if there is none.
    - `moves`: how many moves of each seat still count.
    - `turn_order`: the seats in the order of their first turns.
    - `by_rules`: the rules ended the match, not a decision of the table.
    - `seated_at`: the entry by which each seat was last taken.
    - `reports`: dice that players reported.
    - `prompted_steps`: the names of the pending steps whose question was put to somebody. A step, and so a window, is
      named after the event that opened it (`Match.opened`).
    - `highest_shown_version`: the highest version that a spectator has ever seen. If a finished match goes on,
      spectators see it with a delay again.
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
    prompted_steps: frozenset[str] = frozenset()
    highest_shown_version: int = 0

    @cached_property
    def agenda(self) -> tuple[Step, ...]:
        """The pending steps; none before the start and after the end."""
        over = self.match.state is None or self.match.status in FINAL_STATUSES
        return () if over or self.match.state is None else self.match.state.agenda

    @property
    def open_windows(self) -> dict[str, Step]:
        """The open windows by name: questions that were put and that a seat may pass.

        A window that waits for a die is pending but not yet open. An interrupted one stays open.
        """
        pending = zip(self.match.opened, self.agenda, strict=True) if self.agenda else ()
        return {name: step for name, step in pending if window_kind_of(step) and name in self.prompted_steps}

    @property
    def shown_version(self) -> int:
        """The version up to which a spectator sees the match now.

        While the match runs, the spectators' delay applies.
        """
        return _find_shown_version(self.match, self.version)

    @cached_property
    def awaited(self) -> list[int | str]:
        """The awaited seats, `chance` and `clock`.

        Before the end somebody is always awaited. If a spectator's view awaits nobody, it is chance. A pile to be
        shuffled shows a spectator only backs, and backs need no shuffling.
        """
        found = views.awaited_response(self.match)
        state = self.match.state
        pending = state is not None and bool(state.agenda) and self.match.end is None and not self.match.is_halted
        return ["chance"] if pending and not found else found

    @cached_property
    def court_until_ms(self) -> int | None:
        """When the time of a court is up, or None.

        It is None while the match is halted, because a deadline then covers the court.
        """
        waits = [each.until_ms for each in self.match.disputes if each.is_open and each.until_ms is not None]
        return None if self.match.is_halted else min(waits, default=None)

    @cached_property
    def needs_worker(self) -> bool:
        """Whether a worker may have to act: for a bot, or for the server's chance."""
        bots = {seat for seat, chair in enumerate(self.match.chairs) if chair.kind == "bot"}
        return any(who in bots or (who == "chance" and not self._is_device_at_table) for who in self.awaited)

    @cached_property
    def has_invited_bots(self) -> bool:
        """Whether a bot may respond although nobody waits for it."""
        return bool(find_invited_bots(self.match))

    @cached_property
    def has_passable_window(self) -> bool:
        """Whether a window is open that a standing pass could answer at once."""
        return auto_pass.find_auto_pass_state(self.match) is not None

    @property
    def _is_device_at_table(self) -> bool:
        """Whether the open question is about a device at the table.

        A player reports its result.
        """
        assert self.match.state is not None
        device = getattr(self.match.state.agenda[-1], "device", "")
        return self.match.chance.get(device, "server") == "table"


class PublicMatches:
    """The public read model of matches; up to `kept` of them stay in memory."""

    def __init__(self, log: MatchLog, kept: int = MAX_KEPT_MATCHES) -> None:
        self._log, self._library = log, CardBookRepository(log)
        self._kept: LRUCache[str, PublicMatch] = LRUCache(kept)
        self._fetched: dict[str, tuple[StoredEntry, ...]] = {}
        self._lock = Lock()

    def plan_reads(self, versions: Mapping[str, int]) -> list[StoreCall]:
        """Return the reads of the entries up to these versions that no match here has yet."""
        with self._lock:
            known = {match: self._kept.get(match) for match in versions}
        after = {
            match: 0 if had is None or had.version > versions[match] else had.version for match, had in known.items()
        }
        return [
            StoreCall("read_entries", (match, after[match], min(PAGE, version - after[match])))
            for match, version in versions.items()
            if version > after[match]
        ]

    @contextmanager
    def use_entries(self, reads: Sequence[StoreCall], pages: Sequence[tuple[StoredEntry, ...]]) -> Iterator[None]:
        """Fold from what `plan_reads` has planned, as long as this lasts."""
        self._fetched = {call.args[0]: page for call, page in zip(reads, pages, strict=True)}
        try:
            yield
        finally:
            self._fetched = {}

    def load_match(self, match: str, version: int) -> PublicMatch:
        """Return the match after its first `version` entries.

        Raises LookupError if the log holds fewer, ValueError if an entry cannot be decoded.
        """
        with self._lock:
            known = self._kept.get(match)
        if known is None or known.version > version:
            known = PublicMatch()
        for _, _, made in self._replay_entries(match, known, version):
            known = made
        return known

    def walk_entries(self, match: str, after: int, upto: int) -> Iterator[tuple[PublicMatch, LogEntry, PublicMatch]]:
        """Yield the entries in (after, upto], each with the match before and after it.

        Raises as `load_match`.
        """
        yield from self._replay_entries(match, self.load_match(match, after), upto)

    def load_effective_history(self, match: str, version: int) -> list[LogEntry]:
        """Return the effective history of a finished match, hidden cards included.

        Raises LookupError as `load_match`, ValueError if the match is not over at `version`.
        """
        if self.load_match(match, version).match.status not in FINAL_STATUSES:
            raise ValueError(f"{match} is not over at {version}")
        found: list[LogEntry] = []
        while page := self._log.read_entries(match, len(found), min(PAGE, version - len(found))):
            found += self._library.decode_entries(page)
        return effective_entries(found)

    def _replay_entries(
        self, match: str, known: PublicMatch, upto: int
    ) -> Iterator[tuple[PublicMatch, LogEntry, PublicMatch]]:
        for entry in self._read_public_entries(match, known.version, upto):
            if has_rewind([entry]):
                made = _replay_from_start(list(self._read_public_entries(match, 0, entry.version)))
                highest = max(known.highest_shown_version, made.shown_version)
                made = replace(made, highest_shown_version=highest)
            else:
                made = _apply_entry(known, entry, {entry.version: entry})
            yield known, entry, made
            known = made
            with self._lock:
                self._kept[match] = known

    def _read_public_entries(self, match: str, after: int, upto: int) -> Iterator[LogEntry]:
        while after < upto:
            page = self._fetched.get(match, ())
            if not page or page[0].version != after + 1 or page[-1].version > upto:
                page = self._log.read_entries(match, after, min(PAGE, upto - after))
            if not page:
                raise LookupError(f"{match} has {after} entries, the feed names {upto}")
            yield from self._library.decode_public_entries(page)
            after = page[-1].version


def _replay_from_start(entries: Sequence[LogEntry]) -> PublicMatch:
    """Return the match after all its entries.

    Only the effective history counts.
    """
    known, last = PublicMatch(), entries[-1]
    written = {entry.version: entry for entry in entries}
    for entry in effective_entries(entries):
        known = _apply_entry(known, entry, written)
    return replace(known, version=last.version, last_ms=last.at_ms)


def _apply_entry(known: PublicMatch, entry: LogEntry, written: Mapping[int, LogEntry]) -> PublicMatch:
    """Return the match after one more entry of the effective history.

    `written` holds, by version, the entries that a ruling in `entry` may name, superseded ones too.
    """
    before = match = known.match
    made = _count_move(known, match, entry.seat, CountedMove(entry.version, entry.reporter, entry.move))
    for at, event in enumerate(entry.events):
        if isinstance(event, MoveRemade):
            move = _find_corrected_move(entry, written[event.entry], match, event.right)
            made = _count_move(made, match, event.seat, move)
        elif isinstance(event, RefusedMoveMade):
            made = _count_move(made, match, event.seat, CountedMove(entry.version))
        elif isinstance(event, MatchStarted):
            made = replace(made, started_ms=entry.at_ms)
        elif isinstance(event, SeatTaken):
            made = replace(made, seated_at=tuple(sorted({**dict(made.seated_at), event.seat: entry.version}.items())))
        elif isinstance(event, MatchEnded):
            made = replace(made, ended_ms=entry.at_ms, by_rules=not isinstance(entry.move, TABLE_ENDS))
        elif isinstance(event, MatchVoided):
            made = replace(made, ended_ms=entry.at_ms, by_rules=False)
        match = apply_event(match, event, f"{entry.version}.{at}")
        if at + 1 == len(entry.events) or isinstance(entry.events[at + 1], REINSTATED_MOVE_EVENTS):
            order = _extend_turn_order(made.turn_order, match)  # after a move with all its events
            made = made if order is made.turn_order else replace(made, turn_order=order)
    match = finish_entry(before, match, entry.seat, entry.actor)
    return replace(
        made,
        version=entry.version,
        last_ms=entry.at_ms,
        match=match,
        prompted_steps=(made.prompted_steps | {*match.opened[-1:]}) & {*match.opened},
        highest_shown_version=max(made.highest_shown_version, _find_shown_version(match, entry.version)),
    )


def _find_shown_version(match: Match, version: int) -> int:
    """Return the version up to which a spectator sees a match at `version`."""
    running = match.state is not None and match.status not in FINAL_STATUSES
    return max(1, version - (match.spectator_delay if running else 0))


@dataclass(frozen=True, slots=True)
class CountedMove:
    """A move that counts: its first entry, its reporter, its public part."""

    version: int
    reporter: str = ""
    move: Move | None = None


def _find_corrected_move(ruling: LogEntry, entry: LogEntry, match: Match, right: int) -> CountedMove:
    """Return the move of `entry` as `ruling` corrects it.

    A wrong report is replaced by what it should have read. `right` is the dispute that says so, or 0 for the dispute
    that is ruled on.
    """
    rulings = [event.dispute for event in ruling.events if isinstance(event, RulingIssued)]
    move = entry.move
    for dispute in match.disputes:
        if dispute.number in ([right] if right else rulings):
            move = find_corrected_report(dispute, entry.version) or move
    return CountedMove(entry.version, entry.reporter, move)


def _count_move(known: PublicMatch, match: Match, seat: int, made: CountedMove) -> PublicMatch:
    """Return the read model after one more move of a seat, made in `match`."""
    if seat >= 0:
        moves = Counter(dict(known.moves))
        moves[seat] += 1
        known = replace(known, moves=tuple(sorted(moves.items())))
    top = match.state.agenda[-1] if match.state is not None and match.state.agenda else None
    if made.reporter and isinstance(made.move, RollResult) and isinstance(top, Roll):
        report = DiceReport(made.version, made.reporter, top.sides, made.move.values)
        known = replace(known, reports=(*known.reports, report))
    return known


def _extend_turn_order(order: tuple[int, ...], match: Match) -> tuple[int, ...]:
    """Return the turn order with the seat on turn in `match`.

    It is added if it is new.
    """
    if match.state is None or match.status in FINAL_STATUSES:
        return order
    turn = match.rules.seat_on_turn(match.state)
    return order if turn is None or turn in order else (*order, turn)
