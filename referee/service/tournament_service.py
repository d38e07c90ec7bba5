"""The tournament service: load, decide, append.

All writing to the logs of tournaments goes through here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from referee.engine.events import Event, Move
from referee.engine.seats import BYSTANDER
from referee.eventstore.contract import Commit, Head, LogWriteStatus, MatchLog, partition_for_match
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.entries import LogEntry, encode_entry
from referee.match.errors import IdempotencyKeyConflict, MatchUnavailable, UnknownMatch, VersionConflict
from referee.match.loaded import LoadedMatch
from referee.match.table.endings import AGREED_ALONE, is_ended_by_tournament
from referee.repository.tournaments import FollowedMatches, LoadedTournament, TournamentRepository
from referee.service.appender import TOLD_STATUSES
from referee.service.match_service import MAX_ATTEMPTS, MatchService
from referee.service.requests import hash_request
from referee.service.tournaments.calls import find_unreported_wait
from referee.tournament import commands
from referee.tournament.deciding import dispatch, opening
from referee.tournament.deciding.conduct import find_next_due, find_overdue_item
from referee.tournament.deciding.evidence import Evidence
from referee.tournament.deciding.rounds import find_lots_place
from referee.tournament.events import fold_events
from referee.tournament.results import place_players
from referee.tournament.state import ID_MARK, LOTS, REFEREED, Round, Table, Tournament, list_tables
from referee.transparency.merkle import compute_root, extend_frontier, leaf_hash

FROM_MATCH = -1


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """The result of a write: its entry, the tournament after it, the receipt.

    `entry` is 0 if the command changed nothing, so that nothing was written.
    """

    entry: int
    after: LoadedTournament
    receipt: str
    replayed: bool


class TournamentService:
    """Take commands of tournaments, and answer with receipts.

    It writes to the same store as the matches do, and reads how they ended.
    """

    def __init__(self, matches: MatchService) -> None:
        self.matches, self.repository = matches, TournamentRepository(matches.log)
        self.followed = FollowedMatches()

    @property
    def log(self) -> MatchLog:
        """The store of all logs."""
        return self.matches.log

    # -- reading -------------------------------------------------------------------------------------------------------

    def load(self, tournament: str, key: str = "", grant: str = "") -> LoadedTournament:
        """Return a tournament as it stands, once what is due has been done.

        `key` and `grant` are looked up in the same read. Raises UnknownTournament, MatchUnavailable, StoreUnavailable.
        """
        while True:
            loaded = self.repository.read(tournament, key, grant)
            if loaded.head.status != "open" or not self._go_on(loaded):
                return loaded

    def _go_on(self, loaded: LoadedTournament) -> bool:
        """Do one thing that is due, and return whether to load again."""
        item = find_overdue_item(loaded.state, loaded.now_ms)
        if item is not None:
            self._append(loaded, commands.TimeIsUp(item), "clock", f"clock:{item}:{loaded.version}", b"")
            return True
        report = self._find_match_report(loaded.state)
        if report is not None:
            self._append(loaded, report, "match", f"match:{report.round}:{report.table}:{loaded.version}", b"")
            return True
        return False

    def _find_match_report(
        self, state: Tournament
    ) -> commands.ReportResult | commands.ReportLapse | commands.ReportWait | None:
        """Return how the match of an open table ended, or how long it waited.

        Only what is news is reported.
        """
        if state.status != "running" or state.format.plays != REFEREED:
            return None
        for one, table in list_tables(state):
            if table.match and not table.final and not table.disputed and table.result is None:
                played = self._find_match(table.match)
                if played is not None and (placement := find_placement(played.match, table)):
                    (last,) = self.matches.repository.load_entries(table.match, played.version - 1, played.version)
                    return commands.ReportResult(
                        one.number, table.number, placement, FROM_MATCH, played.version, last.root.hex()
                    )
                if played is not None and not table.lapsed and has_lapsed(played.match):
                    return commands.ReportLapse(one.number, table.number, table.match)
                if played is not None and played.match.offices.calls:
                    entries = partial(self.repository.load_entries, state.id)
                    wait = find_unreported_wait(self.matches, entries, state, (one, table), played)
                    if wait is not None:
                        return wait
        return None

    def _find_match(self, match: str) -> LoadedMatch | None:
        """Return the match of a table; None if it is being opened, or cannot be read.

        Officials can then still rule on the table, and the others go on.
        """
        try:
            return self.matches.load_match(match)
        except (UnknownMatch, MatchUnavailable):
            return None

    # -- writing -------------------------------------------------------------------------------------------------------

    def name_tournament(self, key: str) -> str:
        """Return the id of the tournament that a request with this key opens."""
        name = self.matches.identify(f"tournament:{key}")
        return f"{name[:3]}{ID_MARK}{name[3:]}"

    def name_match(self, tournament: str, round_number: int, table: Table) -> str:
        """Return the key under which the match of a table is opened: each time another."""
        again = f":{len(table.former)}" if table.former else ""
        return f"{tournament}:{round_number}:{table.number}{again}"

    def open(self, command: commands.OpenTournament, key: str) -> TournamentResult:
        """Open a tournament whose format the caller has checked.

        Raises IdempotencyKeyConflict, MatchUnavailable.
        """
        name, hashed, named = self.name_tournament(key), hash_request(command), f"open:{key}"
        reading = self.log.read(name, key=named)
        if reading.known is not None:
            return self._answer_again(self.repository.read(name, named), hashed, key)
        events = opening.decide_opening(name, self.matches.appender.draws.commitment(name, LOTS), command)
        head = Head(0, b"", (), "open", 0, "", "")
        empty = LoadedTournament(Tournament(id=name), 0, head, reading)
        done = self._append(empty, command, "host", named, hashed, events)
        return self._answer_again(self.repository.read(name, named), hashed, key) if done is None else done

    def execute(
        self, tournament: str, command: Move, *, key: str, scope: str, actor: str, strict: int | None = None
    ) -> TournamentResult:
        """Execute a command of a tournament.

        `scope` tells the keys of callers apart, `actor` says who it was: host, `official:N`, `player:N` or server.
        `strict` insists on a version. Raises IllegalMove (TOURNAMENT-*), IdempotencyKeyConflict, VersionConflict,
        UnknownTournament, MatchUnavailable.
        """
        hashed, named = hash_request(command), f"{scope}:{key}"
        for _ in range(MAX_ATTEMPTS):
            loaded = self.load(tournament, named)
            if loaded.read_result.known is not None:
                return self._answer_again(loaded, hashed, key)
            if loaded.head.status not in ("open", "over"):
                raise MatchUnavailable(loaded.head.status, tournament)
            if strict is not None and strict != loaded.version:
                raise VersionConflict(strict, loaded.version, True)
            events = dispatch.handle_command(self._build_evidence(loaded, command), command)
            if not events:
                receipt = self.matches.sign(tournament, loaded.version, loaded.head.root)
                return TournamentResult(0, loaded, receipt, False)
            if (done := self._append(loaded, command, actor, named, hashed, events)) is not None:
                return done
        raise VersionConflict(loaded.version, self.repository.read(tournament).version, False)

    def _build_evidence(self, loaded: LoadedTournament, command: Move) -> Evidence:
        state = loaded.state
        if not isinstance(command, dispatch.CHANCE_COMMANDS):
            return Evidence(state, loaded.version, loaded.now_ms)
        place = find_lots_place(state, loaded.version + 1)
        below = self.matches.appender.draws.source(state.id, LOTS, place, command.TAG)
        return Evidence(state, loaded.version, loaded.now_ms, below)

    def _answer_again(self, loaded: LoadedTournament, hashed: bytes, key: str) -> TournamentResult:
        """Return the answer to a request that was written before.

        Raises IdempotencyKeyConflict.
        """
        known = loaded.read_result.known
        assert known is not None
        if known.fingerprint != hashed:
            raise IdempotencyKeyConflict(key)
        (entry,) = self.log.read_entries(loaded.state.id, known.version - 1, 1)
        receipt = self.matches.sign(loaded.state.id, known.version, entry.root)
        return TournamentResult(known.version, loaded, receipt, True)

    def _append(
        self,
        loaded: LoadedTournament,
        command: Move,
        actor: str,
        key: str,
        hashed: bytes,
        events: tuple[Event, ...] | None = None,
    ) -> TournamentResult | None:
        """Write one entry; return None if another writer was quicker, or knew the key.

        Raises MatchUnavailable, IllegalMove.
        """
        if events is None:
            events = dispatch.handle_command(self._build_evidence(loaded, command), command)
        after = fold_events(loaded.state, events)
        clauses = tuple(dict.fromkeys(clause for event in events for clause in event.applied_clauses()))
        logged = LogEntry(
            after.id, loaded.version + 1, loaded.now_ms, int(BYSTANDER), actor, command, events, clauses, b""
        )
        appender = self.matches.appender
        envelope, sealed = encode_entry(after, logged, appender.draws.salt)
        frontier = extend_frontier(loaded.head.frontier, loaded.version, leaf_hash(envelope))
        due_ms = find_next_due(after)
        commit = Commit(
            match=after.id,
            version=logged.version,
            envelope=envelope,
            sealed=sealed,
            root=compute_root(frontier, logged.version),
            frontier=frontier,
            previous_root=loaded.head.root,
            key=key,
            fingerprint=hashed,
            status="over" if after.is_over else "open",
            reopens_question=True,  # each entry sets its own deadline
            thinking_ms=None if due_ms is None else max(0, due_ms - loaded.now_ms),
        )
        if appender.watch is not None:
            appender.watch.check_append(commit)
        appended = self.log.append(commit)
        if appended.status is LogWriteStatus.OK:
            if appender.watch is not None:
                appender.watch.note_append(commit)
            if appended.wake:
                appender.wake(partition_for_match(after.id))
            self.matches.on_written(after.id, commit.version)
            receipt = self.matches.sign(after.id, commit.version, commit.root)
            return TournamentResult(commit.version, self.repository.read(after.id), receipt, False)
        if appended.status not in TOLD_STATUSES:
            raise MatchUnavailable(appended.status.value.lower(), after.id)
        return None


def find_placement(match: Match, table: Table) -> tuple[tuple[int, ...], ...]:
    """Return in which order a match ended, as entrants; empty if it has no result.

    What one person among bots says of it is none, and what the tournament itself decided is no news to it.
    """
    if match.end is None or match.status != "finished" or is_ended_by_tournament(match):
        return ()
    if match.end.reason == AGREED_ALONE:
        return ()
    return place_players(table.players, match.end.winners, match.end.placement)


def has_lapsed(match: Match) -> bool:
    """Tell whether a match is over and no court deals with it.

    Whether it has a result, `find_placement` says.
    """
    return match.status in FINAL_STATUSES and not match.has_open_dispute


def list_unseated_tables(state: Tournament) -> list[tuple[Round, Table]]:
    """Return the tables whose match is not open yet, each with its round."""
    return [(one, table) for one, table in list_tables(state) if not table.match and not table.final]
