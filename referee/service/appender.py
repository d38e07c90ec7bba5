"""Writing entries, and the follow-ups: what chance draws, and standing passes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from referee.engine.chance import RandomBelow
from referee.engine.events import Event, Move
from referee.engine.referee import build_view, draw_chance_move, find_closest_legal, judge_move, seats_that_must_act
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import CHANCE, Seat
from referee.eventstore.contract import AppendResult, Commit, Head, LogWriteStatus, partition_for_match
from referee.match.aggregate import FINAL_STATUSES, Match, RewindEvent, apply_event
from referee.match.bots.decisions import NO_DECISION, BotDecision
from referee.match.clocks import compute_time_left, compute_waiting, find_overdue_moves, is_game_clock_awaited
from referee.match.entries import LogEntry, Salt, effective_entries, encode_entry, reopens_question, replay_entries
from referee.match.errors import MatchUnavailable, MoveRejected
from referee.match.game_moves import apply_all, collect_cited_clauses, decide_move, require_playable
from referee.match.loaded import LoadedMatch
from referee.match.table import auto_pass
from referee.match.table.auto_pass import DuePass
from referee.match.table.player_entropy import get_draw_place
from referee.match.table.player_seed import encode_seeds
from referee.match.table.reactions import SPOKEN_FOR, find_spoken_passes
from referee.match.table.rekey import DrawsCounted, SecretRenewed, needs_new_secret
from referee.repository.matches import SNAPSHOT_EVERY, MatchRepository
from referee.transparency.merkle import compute_root, extend_frontier, leaf_hash

TOLD_STATUSES = (LogWriteStatus.DUP, LogWriteStatus.REUSED, LogWriteStatus.CONFLICT, LogWriteStatus.STALE)
NEVER_A_FOLLOWUP = 2**53  # of a pass that came by the clock: no write led to it at once
MAX_CONSECUTIVE_PASSES = 1000  # a stop for windows that open each other without end


class RandomSource(Protocol):
    """The server's source of chance.

    The server commits to its secret when a match opens and discloses it at the end.

    TABLE-CHANCE-1: If play goes back behind the end, the server binds itself to a new secret in the same entry, and
    what comes is drawn from that one.
    """

    def secret(self, match: str, generation: int = 0) -> bytes:
        """Return the secret of a match, which nobody may see before its end."""

    def commitment(self, match: str, generation: int = 0) -> str:
        """Return the public commitment to the secret."""

    def source(
        self, match: str, generation: int, place: int, purpose: str, seeds: bytes = b"", scheme: int = 1
    ) -> RandomBelow:
        """Return the source of the draw at a place (`get_draw_place`) for a question."""

    def salt(self, match: str, generation: int, version: int, who: str) -> bytes:
        """Return the salt of the commitment to what a seat or `full` sees (`who`)."""

    def thought_seed(self, match: str, generation: int, version: int, seat: int) -> str:
        """Return the seed of what the bot of a seat thinks at a version."""


class HistoryWatch(Protocol):
    """Watch that logs keep what was signed of them."""

    def is_history_lost(self) -> bool:
        """Return whether any log no longer has what was signed of it."""

    def check_append(self, commit: Commit) -> None:
        """Raise MatchUnavailable if an entry must not be added."""

    def note_append(self, commit: Commit) -> None:
        """Take note of an entry that was added."""


@dataclass(frozen=True, slots=True)
class PreparedEntry:
    """An entry ready to be written: the commit, the entry itself, the match after it."""

    commit: Commit
    entry: LogEntry
    after: Match


def is_overdue(loaded: LoadedMatch, at_most_ms: float = math.inf) -> bool:
    """Return whether an open match's question is overdue, by `at_most_ms`."""
    due, now_ms = loaded.read_result.due, loaded.read_result.now_ms
    return due is not None and due.at_ms <= now_ms <= due.at_ms + at_most_ms and loaded.head.status == "open"


class Appender:
    """Append entries to the logs of matches, with the follow-ups.

    `wake(partition)` tells the workers that a partition has changed.
    """

    def __init__(self, repository: MatchRepository, draws: RandomSource, wake: Callable[[int], None]) -> None:
        self.repository, self.draws, self.wake = repository, draws, wake
        self._log = repository.log
        self._salt: Salt = draws.salt
        self.watch: HistoryWatch | None = None
        self.plays_overdue_ms: float = math.inf  # what is overdue for longer is left to the sweeper

    def decide_move(self, loaded: LoadedMatch, seat: Seat, move: Move) -> tuple[Event, ...]:
        """Return the events of a move.

        Raises MoveRejected with the nearest legal moves if the rules refuse it, IllegalMove if the match is not
        running, and Undetermined.
        """
        match = loaded.match
        self.require_running(match)
        assert match.state is not None
        try:
            return decide_move(match, seat, move)
        except IllegalMove as refused:
            ways = find_closest_legal(match.state, seat, move)
            raise MoveRejected(refused.ruling, ways, loaded.version, match, seat, move) from refused

    def require_reportable(self, match: Match) -> None:
        """Raise IllegalMove unless chance is awaited for dice or cards on a real table.

        TABLE-REPORT-1: Where the dice or cards are real, a player reports what they show; where the server holds them,
        nobody else may.
        """
        self.require_running(match)
        assert match.state is not None
        if CHANCE not in seats_that_must_act(match.state):
            return  # the rules will refuse the report
        if not match.setup.is_at_table(getattr(match.state.agenda[-1], "device", "")):
            raise IllegalMove("server_draws", "TABLE-REPORT-1")

    def refold(self, loaded: LoadedMatch, logged: LogEntry) -> Match:
        """Return the match after an entry that goes back, folded from the beginning."""
        return replay_entries(
            Match(), effective_entries([*self.repository.load_entries(logged.match, 0, loaded.version), logged])
        )

    def require_running(self, match: Match) -> None:
        """Raise IllegalMove unless the match is being played."""
        require_playable(match)

    def append_entry(
        self,
        loaded: LoadedMatch,
        seat: int,
        actor: str,
        move: Move,
        events: tuple[Event, ...],
        key: str,
        command: bytes,
        decision: BotDecision = NO_DECISION,
        rests_on: tuple[str, ...] = (),
        recalled_for: str = "",
    ) -> tuple[LogWriteStatus, LoadedMatch | None]:
        """Write one entry; return the status, and with OK the match after it.

        Other statuses are DUP, REUSED, CONFLICT and STALE.

        `rests_on` are clauses of the table that the entry cites besides those of the game. `recalled_for` is the hash
        of the token for which the match was recalled: only then the answer may be STALE. Raises MatchUnavailable.
        """
        made = self.prepare_entry(loaded, seat, actor, move, events, key, command, decision, rests_on)
        commit, reading = made.commit, loaded.read_result
        if recalled_for:
            commit = replace(
                commit, token_hash=recalled_for, grant=reading.grant or b"", at_ms=reading.now_ms, epoch=reading.epoch
            )
        if self.watch is not None:
            self.watch.check_append(commit)
        return self.finish_append(loaded, made, self._log.append(commit))

    def prepare_entry(
        self,
        loaded: LoadedMatch,
        seat: int,
        actor: str,
        move: Move,
        events: tuple[Event, ...],
        key: str,
        command: bytes,
        decision: BotDecision = NO_DECISION,
        rests_on: tuple[str, ...] = (),
    ) -> PreparedEntry:
        """Return an entry to be written upon a match, with the match after it."""
        before = loaded.match.state
        back = any(isinstance(event, RewindEvent) for event in events)
        logged = LogEntry(
            loaded.match.id,
            loaded.version + 1,
            loaded.read_result.now_ms,
            seat,
            actor,
            move,
            events,
            (),
            b"",
            decision,
        )
        after = self.refold(loaded, logged) if back else replay_entries(loaded.match, [logged])
        if back and after.draws < loaded.match.draws:
            counted = DrawsCounted(loaded.match.draws)
            events, after = (*events, counted), apply_event(after, counted)
        if needs_new_secret(loaded.match, after):
            generation = loaded.match.generation + 1
            renewed = SecretRenewed(generation, self.draws.commitment(after.id, generation))
            events, after = (*events, renewed), apply_event(after, renewed)
        logged = replace(
            logged, events=events, clauses=collect_cited_clauses(loaded.match, seat, move, events, rests_on)
        )
        envelope, sealed = encode_entry(after, logged, self._salt)
        frontier = extend_frontier(loaded.head.frontier, loaded.version, leaf_hash(envelope))
        state = after.state
        commit = Commit(
            match=after.id,
            version=logged.version,
            envelope=envelope,
            sealed=sealed,
            root=compute_root(frontier, logged.version),
            frontier=frontier,
            previous_root=loaded.head.root,
            key=key,
            fingerprint=command,
            reopens_question=reopens_question(before, state, events)
            or compute_waiting(loaded.match) != compute_waiting(after),
            question=state.agenda[-1].question_name() if state and state.agenda else "",
            edition=after.edition,
            thinking_ms=compute_time_left(after, loaded.read_result.now_ms),
        )
        return PreparedEntry(commit, logged, after)

    def finish_append(
        self, loaded: LoadedMatch, made: PreparedEntry, appended: AppendResult
    ) -> tuple[LogWriteStatus, LoadedMatch | None]:
        """Return the status and the match after the log has answered a write.

        Raises MatchUnavailable.
        """
        commit, after = made.commit, made.after
        if appended.status is LogWriteStatus.OK:
            if self.watch is not None:
                self.watch.note_append(commit)
            there = replace(stand_after(loaded, made), passes=appended.passes, people_now=appended.people)
            self.repository.cache_match(after.id, there.head, after)
            self.repository.recent.note_append(commit, there.head.question_version, appended)
            if commit.version % SNAPSHOT_EVERY == 0:
                self.repository.save_snapshot(after.id, commit.version, commit.root, after)
            if appended.wake:
                self.wake(partition_for_match(after.id))
            return LogWriteStatus.OK, there
        if appended.status not in TOLD_STATUSES:
            raise MatchUnavailable(appended.status.value.lower(), after.id)
        return appended.status, None

    def append_together(
        self, loaded: LoadedMatch, made: Sequence[PreparedEntry]
    ) -> tuple[LogWriteStatus, LoadedMatch | None]:
        """Write entries, each prepared upon the one before, all or none of them.

        Return as `append_entry`, with the match after the last one. Raises MatchUnavailable.
        """
        if self.watch is not None:
            self.watch.check_append(made[0].commit)
        appended = self._log.append_together([each.commit for each in made])
        for each in made[:-1] if appended.status is LogWriteStatus.OK else ():
            loaded = stand_after(loaded, each)
            if self.watch is not None:
                self.watch.note_append(each.commit)
        return self.finish_append(loaded, made[-1], appended)

    def run_chance(self, loaded: LoadedMatch) -> LoadedMatch:
        """Draw for chance while it is awaited and the server draws; return the match then."""
        while True:
            state = loaded.match.state
            if (
                loaded.match.status in FINAL_STATUSES
                or loaded.match.is_halted
                or state is None
                or CHANCE not in seats_that_must_act(state)
            ):
                return loaded
            top = state.agenda[-1]
            if loaded.match.chance.get(getattr(top, "device", ""), "server") == "table":
                return loaded
            match, version = loaded.match, loaded.version + 1
            below = self.draws.source(
                match.id,
                match.generation,
                get_draw_place(match, version),
                top.question_name(),
                encode_seeds(match.seeds),
                match.draw_scheme,
            )
            outcome = draw_chance_move(state, below)
            events = self.decide_move(loaded, CHANCE, outcome)
            _, after = self.append_entry(loaded, CHANCE, "chance", outcome, events, f"chance:{version}", b"")
            loaded = after if after is not None else self.repository.read_match(loaded.match.id)

    def run_followups(self, loaded: LoadedMatch) -> LoadedMatch:
        """Let chance and standing passes move until nothing follows; return the match.

        If this is cut short, the next load of the match goes on. Raises MatchUnavailable.
        """
        loaded = self.run_chance(loaded)
        for _ in range(MAX_CONSECUTIVE_PASSES):
            if (due := self.find_due_pass(loaded, loaded.passes)) is None:
                if loaded.match.status in FINAL_STATUSES:
                    self._log.drop_pass(loaded.match.id)
                return loaded
            passing, events = due
            version, actor = loaded.version + 1, f"{SPOKEN_FOR}:{passing.by}" if passing.by else "player"
            rests_on = ("TABLE-TAP-1",) if passing.by else ()
            command = str(passing.since).encode()
            _, after = self.append_entry(
                loaded, passing.seat, actor, passing.move, events, f"pass:{version}", command, rests_on=rests_on
            )
            loaded = self.run_chance(after if after is not None else self.repository.read_match(loaded.match.id))
        raise RuntimeError(f"no end after {MAX_CONSECUTIVE_PASSES} passes in {loaded.match.id}")

    def play_due_seats(self, loaded: LoadedMatch) -> bool:
        """Play one pass or late seat that is due; return whether there was one."""
        if loaded.head.status == "open" and self.find_spoken_pass(loaded) is not None:
            self.run_followups(loaded)  # nobody objected in time
            return True
        if is_overdue(loaded, self.plays_overdue_ms):
            if is_game_clock_awaited(loaded.match):
                return False  # that is the game's own move
            if self.play_timeout(loaded):
                return True
        if loaded.head.status == "frozen" or self.find_due_pass(loaded, loaded.read_result.passes) is None:
            return False
        self.run_followups(loaded)  # a process died before playing them, or they were set since
        return True

    def play_timeout(self, loaded: LoadedMatch) -> bool:
        """Play the default move of one late seat; return False if there is none.

        The entry is written upon this version or not at all. So two workers who play the clock write it once, and the
        second looks again.

        TABLE-CLOCK-1: A seat that lets its time run out is given the least that the rules allow.
        """
        for seat, move in find_overdue_moves(loaded.match):
            events = self.try_decide(loaded, seat, move)
            if events and advances_question(loaded.match, events):
                key = f"clock:{loaded.head.question_version}:{loaded.version}"
                _, after = self.append_entry(loaded, seat, "clock", move, events, key, b"", rests_on=("TABLE-CLOCK-1",))
                if after is not None:
                    self.run_followups(after)
                return True
        return False

    def find_due_pass(
        self, loaded: LoadedMatch, records: Mapping[int, bytes] | None
    ) -> tuple[DuePass, tuple[Event, ...]] | None:
        """Return the next pass to be played without the seat, with its events, or None.

        Somebody said for the seat that nobody reacts, or it has a standing pass. `records` are the standing passes.
        With None they are read from the store, because they may have changed since the match was read.
        """
        match = loaded.match
        if loaded.head.status != "open" or match.is_halted:
            return None
        if (spoken := self.find_spoken_pass(loaded)) is not None:
            return spoken
        seen = auto_pass.find_auto_pass_state(match)
        if seen is None:
            return None
        records = self._log.read_passes(match.id) if records is None else records
        return self._choose_pass(loaded, auto_pass.find_due_passes(match, seen, records))

    def find_spoken_pass(self, loaded: LoadedMatch) -> tuple[DuePass, tuple[Event, ...]] | None:
        """Return the next pass due because somebody said that nobody reacts.

        TABLE-TAP-1: The seats that do not object in time pass.
        """
        match, spoken = loaded.match, loaded.match.spoken
        if spoken is None or match.is_halted:
            return None
        at_once = spoken.entry if spoken.until_ms is None else NEVER_A_FOLLOWUP
        due = find_spoken_passes(match, loaded.read_result.now_ms)
        return self._choose_pass(loaded, (DuePass(seat, move, at_once, spoken.by) for seat, move in due))

    def _choose_pass(self, loaded: LoadedMatch, due: Iterable[DuePass]) -> tuple[DuePass, tuple[Event, ...]] | None:
        """Return the first of these passes that is legal and changes something."""
        match = loaded.match
        assert match.state is not None
        for passing in due:
            if not judge_move(build_view(match.state, passing.seat), passing.seat, passing.move).granted:
                continue  # a seat that may not pass has to answer itself
            events = self.try_decide(loaded, passing.seat, passing.move)
            after = apply_all(match, events or ()).state
            if events and after is not None and after.agenda != match.state.agenda:
                return passing, events  # a pass that changes nothing would be played without end
        return None

    def try_decide(self, loaded: LoadedMatch, seat: Seat, move: Move) -> tuple[Event, ...] | None:
        """Return the events of a move made for a seat; None if real cards are missing."""
        try:
            return self.decide_move(loaded, seat, move)
        except Undetermined:
            return None


def stand_after(loaded: LoadedMatch, made: PreparedEntry) -> LoadedMatch:
    """Return the match as it stands once a prepared entry is written."""
    commit = made.commit
    asked = commit.version if commit.reopens_question else loaded.head.question_version
    rest = commit.status, asked, commit.question, commit.edition
    head = Head(commit.version, commit.root, commit.frontier, *rest)
    written = (*loaded.new_entries, replace(made.entry, root=commit.root))
    origin = loaded.match if loaded.origin is None else loaded.origin
    reading, passes, people = loaded.read_result, loaded.passes, loaded.people_now
    return LoadedMatch(made.after, commit.version, head, reading, written, passes, people, origin)


def advances_question(match: Match, events: tuple[Event, ...]) -> bool:
    """Tell whether these events lead on from the open question.

    Reopening the same question counts too.
    """
    before, after = match.state, apply_all(match, events).state
    assert before is not None
    return reopens_question(before, after, events) or after is None or after.agenda != before.agenda


def ensure_writable(loaded: LoadedMatch) -> None:
    """Raise MatchUnavailable if the match is archived or moved.

    The log of an archived match knows no keys any more, so a repeated request cannot be answered.
    """
    if loaded.head.status == "archived":
        raise MatchUnavailable("archived", loaded.match.id)
    ensure_not_moved(loaded)


def ensure_not_moved(loaded: LoadedMatch) -> None:
    """Raise MatchUnavailable if the match has moved to another server.

    Nothing is written to it here, neither in its log nor outside it.
    """
    if loaded.head.status == "moved":
        gone = loaded.match.gone
        raise MatchUnavailable("moved", loaded.match.id, "" if gone is None else gone.new_home)
