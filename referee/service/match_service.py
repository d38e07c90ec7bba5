"""The match service: load, decide, append. All writing goes through here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile

from referee.arbitration import dispatch
from referee.arbitration.claim_validation import check_claim_possible
from referee.arbitration.overdue import find_overdue_case
from referee.arbitration.real_tables import table_reports
from referee.engine.events import Event, Move
from referee.engine.prompts import TimedOut
from referee.engine.rulings import IllegalMove, MalformedInput, Undetermined
from referee.engine.seats import BYSTANDER, CLOCK, Seat
from referee.eventstore.contract import Head, LogWriteStatus, MatchLog, StoreFull
from referee.games import load_games
from referee.match.aggregate import Match
from referee.match.bots import substitution as bot_substitution
from referee.match.clocks import find_configured_limit, is_game_clock_awaited
from referee.match.entries import LogEntry, replay_entries
from referee.match.errors import (
    IdempotencyKeyConflict,
    MoveRejected,
    ReportRejected,
    UnknownVersion,
    VersionConflict,
    WindowClosed,
)
from referee.match.events.dispute_commands import OpenDispute
from referee.match.events.dispute_state import Precedent
from referee.match.events.report_events import CorrectReport, ReportCorrected
from referee.match.evidence import Evidence
from referee.match.game_moves import apply_all
from referee.match.loaded import LoadedMatch
from referee.match.table import commands
from referee.match.table.player_entropy import decide_link
from referee.match.table.reactions import SPOKEN_FOR
from referee.match.table.signed_moves import decide_move_signature
from referee.match.windows import find_open_window
from referee.repository.card_books import UnknownEdition
from referee.repository.matches import MatchRepository
from referee.repository.recent_reads import Elapsed
from referee.repository.window_index import WindowRepository
from referee.service.appender import Appender, PreparedEntry, RandomSource, ensure_writable, is_overdue, stand_after
from referee.service.concurrency import is_play_unchanged, is_subject_unchanged
from referee.service.refusals import Refusals
from referee.service.reports import ReportChain, require_foreseeable
from referee.service.requests import CommandResult, MoveRequest, hash_request
from referee.service.standing_passes import StandingPasses

FOLLOWUP_PAGE_SIZE = 50  # entries read at a time to find the follow-ups of another
MAX_ATTEMPTS = 4  # a first decision and three repetitions


class MatchService(StandingPasses):
    """Take moves, table commands and standing passes; answer with receipts.

    It is the one way in for players and workers.

    - `sign(match, size, root)` makes a receipt.
    - `identify(text)` makes an id with the server's secret: that of a new match from the key of the opening request, so
    that a repeated opening finds its match, and those of refused requests.
    - `elapsed` gives seconds by a clock that never goes back; with it, moves are decided on what was seen last
    (`recalled_moves`).
    """

    def __init__(
        self,
        log: MatchLog,
        draws: RandomSource,
        sign: Callable[[str, int, bytes], str],
        wake: Callable[[int], None],
        identify: Callable[[str], str],
        elapsed: Elapsed | None = None,
    ) -> None:
        self.log, self.sign, self.identify = log, sign, identify
        self.repository = MatchRepository(log, elapsed)
        self.appender = Appender(self.repository, draws, wake)
        self.windows = WindowRepository(self.repository)
        self.refusals = Refusals(log, identify)
        self.on_written: Callable[[str, int], None] = lambda _match, _version: None  # called after each write

    # -- reading ---------------------------------------------------------------------------------------------------

    def load_match(self, match: str, key: str = "", grant: str = "") -> LoadedMatch:
        """Return the match as it stands, once overdue deadlines and due passes are played.

        Raises UnknownMatch.
        """
        while True:
            loaded = self.repository.read_match(match, key, grant)
            try:
                if not self._play_what_is_due(loaded):
                    return loaded
            except StoreFull:
                return loaded  # it can be read as it is; what is due is played once there is room

    def _play_what_is_due(self, loaded: LoadedMatch) -> bool:
        """Play one thing that is due, and return whether the match has to be loaded again."""
        if self._advance_overdue_cases(loaded) or self.appender.play_due_seats(loaded):
            return True
        if not (is_overdue(loaded, self.appender.plays_overdue_ms) and is_game_clock_awaited(loaded.match)):
            return False
        # The key looked up is the caller's. The log itself knows the clock's.
        unkeyed = replace(loaded, read_result=replace(loaded.read_result, known=None))
        match, question = loaded.match.id, str(loaded.head.question_version)
        try:
            self._make_move(MoveRequest(match, CLOCK, TimedOut(), question, scope="clock", actor="clock"), unkeyed)
        except (VersionConflict, MoveRejected):
            if self.repository.read_match(match).version == loaded.version:
                raise  # nobody was quicker, so the game refuses its own clock
        return True  # also if an answer came in at the same moment

    def load_version(self, match: str | LoadedMatch, version: int | None) -> LoadedMatch:
        """Return the match as it stood at a version (None: now).

        `match` is its id, or the match as it was just loaded. Raises UnknownMatch, UnknownVersion.
        """
        loaded = self.load_match(match) if isinstance(match, str) else match
        if version is None or version == loaded.version:
            return loaded
        if not 1 <= version < loaded.version:
            raise UnknownVersion(version)
        return LoadedMatch(
            replay_entries(Match(), self.repository.load_effective_entries(loaded.match.id, version)),
            version,
            loaded.head,
            loaded.read_result,
        )

    def find_last_time(self, loaded: LoadedMatch) -> int:
        """Return the time of the last entry of a match (ms)."""
        (last,) = self.repository.load_entries(loaded.match.id, loaded.version - 1, loaded.version)
        return last.at_ms

    def state_after(self, done: CommandResult) -> LoadedMatch:
        """Return the match as a write left it, with the deadline that now runs.

        The result of a write itself names no deadline.
        """
        if find_configured_limit(done.match) is None:
            return done.after
        return self.load_version(done.match.id, done.version)

    # -- writing ---------------------------------------------------------------------------------------------------

    def open_match(self, command: commands.OpenMatch, key: str) -> CommandResult:
        """Open a match.

        Raises MalformedInput if the game does not allow it, IdempotencyKeyConflict, MatchUnavailable.
        """
        match, hashed, rules = self.identify(key), hash_request(command), load_games()[command.game]
        try:
            command = replace(
                command, edition=self.repository.library.resolve_edition(rules, command.edition or rules.newest_edition)
            )
        except UnknownEdition:
            near = self.repository.library.suggest_edition(rules, command.edition)
            hint = f"; did you mean {near}?" if near else ""
            raise MalformedInput([{"pointer": "/edition", "detail": f"no such edition{hint}"}]) from None
        events = commands.decide_opening(
            match, self.appender.draws.commitment(match), command, rules, self._load_house_rulings(command)
        )
        loaded = LoadedMatch(Match(id=match), 0, Head(0, b"", (), "open", 0, "", ""), self.log.read(match, limit=0))
        record = self.log.read(match, limit=0, key=f"open:{key}").known
        if record is None:
            answer, after = self.appender.append_entry(
                loaded, BYSTANDER, "table", command, events, f"open:{key}", hashed
            )
            if after is not None:
                return self.build_fresh_response(after, after)
            if answer is LogWriteStatus.REUSED:
                raise IdempotencyKeyConflict(key)
        elif record.fingerprint != hashed:
            raise IdempotencyKeyConflict(key)
        return self._replay_response(match, 1)

    def _load_house_rulings(self, command: commands.OpenMatch) -> tuple[Precedent, ...]:
        """Return the precedents taken over from another match of the same game.

        TABLE-HOUSE-3: without what they allow against the rules. Raises UnknownMatch.
        """
        kept = self.load_match(command.precedents_of).match.precedents if command.precedents_of else ()
        return tuple(replace(each, allows="") for each in kept if each.game == command.game)

    def execute_command(
        self, match: str, command: Move, *, key: str, scope: str, actor: str = "table", strict: int | None = None
    ) -> CommandResult:
        """Execute a table command.

        `strict` insists on a version, or on the subject of the command as it stood then (`is_subject_unchanged`).
        Raises IllegalMove (TABLE-*), MalformedInput, IdempotencyKeyConflict, VersionConflict, UnknownMatch,
        MatchUnavailable.
        """
        hashed, named = hash_request(command), f"{scope}:{key}"
        for _ in range(MAX_ATTEMPTS):
            loaded = self.load_match(match, named)
            ensure_writable(loaded)
            if (replay := self._find_replay(loaded, hashed)) is not None:
                return replay
            if strict is not None and not is_subject_unchanged(self.repository, loaded, strict, command):
                raise VersionConflict(strict, loaded.version, True)
            if isinstance(command, OpenDispute) and command.claim == "wrong_refusal" and command.by.isdecimal():
                command = self.refusals.add_evidence(loaded.match, command)
            events = self._handle_command(loaded, command)
            seat, how, made = int(BYSTANDER), actor, command
            if isinstance(command, CorrectReport) and isinstance(events[0], ReportCorrected):
                seat, how, made = table_reports.find_corrected_move(self.build_evidence(loaded), command)
            answer, after = self.appender.append_entry(loaded, seat, how, made, events, named, hashed)
            if after is not None:
                if isinstance(command, commands.TakeSeat | commands.LeaveSeat | bot_substitution.SeatBot):
                    self.log.drop_pass(match, command.seat)  # the next holder does not inherit standing passes
                    after = replace(after, passes=None)
                return self.build_fresh_response(after, self.appender.run_followups(after))
            if answer is LogWriteStatus.REUSED:
                raise IdempotencyKeyConflict(key)
        raise VersionConflict(loaded.version, self.load_match(match).version, False)

    def build_evidence(self, loaded: LoadedMatch) -> Evidence:
        """Return what a court may look at of a match that was just loaded."""
        due, now = loaded.read_result.due, loaded.read_result.now_ms
        left = None if due is None or loaded.match.is_halted else max(0, due.at_ms - now)
        return Evidence(
            loaded.match,
            loaded.version,
            now,
            left,
            lambda: self.repository.load_entries(loaded.match.id, 0, loaded.version),
        )

    def _handle_command(self, loaded: LoadedMatch, command: Move) -> tuple[Event, ...]:
        """Return the events of a table command."""
        evidence = self.build_evidence(loaded)
        events = dispatch.handle_command(evidence, command)
        check_claim_possible(evidence, command)
        return events

    def _advance_overdue_cases(self, loaded: LoadedMatch) -> bool:
        """Go on with what has waited long enough; return whether there was anything.

        The first process that loads the match does this.
        """
        overdue = find_overdue_case(loaded.match, loaded.read_result.now_ms)
        if overdue is None or loaded.head.status != "open":
            return False
        command, key = overdue
        events = self._handle_command(loaded, command)
        _, after = self.appender.append_entry(loaded, BYSTANDER, "clock", command, events, key, b"")
        if after is not None:
            self.appender.run_followups(after)
        return True

    def make_move(self, request: MoveRequest, loaded: LoadedMatch | None = None) -> CommandResult:
        """Make a move of a seat, and whatever chance and standing passes add to it.

        `loaded` is the match as it was just loaded, without a look at this key. The log knows the key when the entry is
        added, so it is looked up only if the move is refused. Raises MoveRejected, IllegalMove (TABLE-*: match not
        running), WindowClosed, VersionConflict, IdempotencyKeyConflict, UnknownMatch, MatchUnavailable.
        """
        found = self.load_match(request.match, request.scoped_key) if loaded is None else loaded
        try:
            return self._make_move(request, found, keyed=loaded is None)
        except (MoveRejected, WindowClosed, VersionConflict, IllegalMove) as refused:
            if request.actor not in ("bot", "clock"):
                self.refusals.record_error(found, request, refused)
            if isinstance(refused, MoveRejected) and request.signed is not None:
                refused.nonce = request.signed.nonce
            raise

    def _make_move(self, request: MoveRequest, loaded: LoadedMatch, keyed: bool = True) -> CommandResult:
        match, key, fingerprint = request.match, request.scoped_key, request.fingerprint
        for attempt in range(MAX_ATTEMPTS if keyed else MAX_ATTEMPTS + 1):
            if attempt:
                read = self.repository.read_match if request.seat == CLOCK else self.load_match
                loaded = read(match, key)
            ensure_writable(loaded)
            if (replay := self._find_replay(loaded, fingerprint)) is not None:
                return replay
            try:
                if request.window and request.window != find_open_window(loaded.match):
                    raise WindowClosed(request.window, loaded.version)
                events = self.check_and_decide_move(loaded, request)
                chain = self._prepare_chain(loaded, request, events)
            except (VersionConflict, MoveRejected, ReportRejected, IllegalMove, Undetermined, WindowClosed):
                if keyed or attempt:
                    raise
                continue  # the same request may have been granted before, so look the key up
            if chain:
                status, after = self.appender.append_together(loaded, chain)
                if after is not None:
                    first = stand_after(loaded, chain[0])
                    return self.build_fresh_response(first, self.appender.run_followups(after))
            else:
                status, after = self.appender.append_entry(
                    loaded, request.seat, request.actor, request.move, events, key, fingerprint, request.decision
                )
            if after is not None:
                return self.build_fresh_response(after, self.appender.run_followups(after))
            if status is LogWriteStatus.REUSED:
                raise IdempotencyKeyConflict(key)
            if request.seen is None:
                request = replace(request, seen=loaded.version)
        raise VersionConflict(request.seen or 0, self.load_match(match).version, False)

    def _prepare_chain(
        self, loaded: LoadedMatch, request: MoveRequest, events: tuple[Event, ...]
    ) -> list[PreparedEntry]:
        """Return the entries of a move that carries reports; none if it carries none.

        Raises ReportRejected.
        """
        if not request.reports:
            return []
        require_foreseeable(loaded, request)
        chain = ReportChain(self.appender, loaded, request)
        chain.add_move(events)
        chain.add_reports()
        return chain.prepared

    def derive_thought_seed(self, loaded: LoadedMatch, seat: Seat) -> str:
        """Return the seed of what the bot of a seat thinks at a version."""
        table = loaded.match
        return self.appender.draws.thought_seed(table.id, table.generation, loaded.version, seat)

    def check_and_decide_move(self, loaded: LoadedMatch, request: MoveRequest) -> tuple[Event, ...]:
        """Return the events of a move after the checks of its version.

        Raises as `make_move`.
        """
        seat, move = request.seat, request.move
        self.check_if_match(loaded, request.strict)
        self._check_seen_version(loaded, seat, request.seen)
        if request.actor.partition(":")[0] == "reporter":
            self.appender.require_reportable(loaded.match)
            events, now_ms = self.appender.decide_move(loaded, seat, move), loaded.read_result.now_ms
            status = apply_all(loaded.match, events).status
            return (
                *events,
                *table_reports.await_witness(loaded.match, status, loaded.version + 1, request.own, now_ms),
            )
        if request.actor == "bot" and loaded.match.chairs[seat].kind != "bot":
            raise IllegalMove("no_bot_there", "TABLE-BOT-3", seat=int(seat))  # a person took the seat back meanwhile
        events = self.appender.decide_move(loaded, seat, move)
        return (*events, *decide_link(loaded.match, int(seat), request.link), *self._decide_signature(loaded, request))

    def _decide_signature(self, loaded: LoadedMatch, request: MoveRequest) -> tuple[Event, ...]:
        """Return the event of a signature that comes with a move. Raises IllegalMove."""
        if request.signed is None:
            return ()
        seat, seen = int(request.seat), loaded.version if request.seen is None else request.seen
        if request.actor != "player":  # the host, or another seat, has another device
            raise IllegalMove("signature_misfit", "TABLE-SIGN-1", seat=seat)
        root = self.find_root(loaded, seen).hex()
        return decide_move_signature(loaded.match, seat, request.move, seen, root, request.link, request.signed)

    def find_root(self, loaded: LoadedMatch, version: int) -> bytes:
        """Return the root of the log of a match at one of its versions."""
        if loaded.head.version == version:
            return loaded.head.root
        (entry,) = self.log.read_entries(loaded.match.id, version - 1, 1)
        return entry.root

    def check_if_match(self, loaded: LoadedMatch, strict: int | None) -> None:
        """Raise VersionConflict if play has gone on since the version insisted on.

        With None the caller insists on none.
        """
        if strict is not None and not is_play_unchanged(self.repository, loaded, strict):
            raise VersionConflict(strict, loaded.version, True)

    def _check_seen_version(self, loaded: LoadedMatch, seat: Seat, seen: int | None) -> None:
        if seen is None or seen == loaded.version:
            return
        if seen > loaded.version:
            raise VersionConflict(seen, loaded.version, False)
        if loaded.head.question_version > seen:  # perhaps only a court was called and has finished
            if is_play_unchanged(self.repository, loaded, seen):
                return
            raise VersionConflict(seen, loaded.version, False)
        if any(entry.seat == seat for entry in self.repository.load_entries(loaded.match.id, seen, loaded.version)):
            raise VersionConflict(seen, loaded.version, False)

    def recover_match(self, match: str) -> None:
        """Play the follow-ups that a killed process left out. Raises UnknownMatch."""
        self.appender.run_followups(self.load_match(match))

    # -- answers ---------------------------------------------------------------------------------------------------

    def _find_replay(self, loaded: LoadedMatch, hashed: bytes) -> CommandResult | None:
        record = loaded.read_result.known
        if record is None:
            return None
        if record.fingerprint != hashed:
            raise IdempotencyKeyConflict
        return self._replay_response(loaded.match.id, record.version)

    def build_fresh_response(self, written: LoadedMatch, after: LoadedMatch) -> CommandResult:
        """Return the answer to a write: `after` is the match after its follow-ups."""
        self.on_written(after.match.id, after.version)
        if after.read_result is not written.read_result:  # others wrote in between; answer with the follow-ups only
            return replace(self._replay_response(written.match.id, written.version), replayed=False)
        receipt = self.sign(written.match.id, written.version, written.head.root)
        own = tuple(entry for entry in after.new_entries if entry.version >= written.version)
        is_first = [entry.version for entry in written.new_entries[:1]] == [written.version]
        before = written.origin if is_first else None
        return CommandResult(written.version, after, receipt, False, own, before)

    def _replay_response(self, match: str, entry: int) -> CommandResult:
        """Return the answer that a write got before.

        It names the write's entry, and the version after all follow-ups.
        """
        (stored,) = self.log.read_entries(match, entry - 1, 1)
        version = entry
        while later := self.log.read_entries(match, version, FOLLOWUP_PAGE_SIZE):
            of_it = list(
                takewhile(lambda each: self._is_followup(each, entry), self.repository.library.decode_entries(later))
            )
            version += len(of_it)
            if len(of_it) < FOLLOWUP_PAGE_SIZE:
                break
        return CommandResult(entry, self.load_version(match, version), self.sign(match, entry, stored.root), True)

    def _is_followup(self, logged: LogEntry, entry: int) -> bool:
        """Tell whether an entry followed another by itself or was written with it.

        It is one of chance, a report that the move carried, or a pass.

        The pass has to have been set before that entry. The log does not tell a standing pass from one made by hand.
        The idempotency key does, and no reader sees it.
        """
        kind = logged.actor.partition(":")[0]
        if kind not in ("player", SPOKEN_FOR, "reporter", "table"):
            return kind == "chance"
        name = "pass" if kind in ("player", SPOKEN_FOR) else "with"
        record = self.log.read(logged.match, limit=0, key=f"{name}:{logged.version}").known
        last = entry - 1 if kind == "player" else entry
        return record is not None and record.version == logged.version and int(record.fingerprint) <= last
