"""Replay of a log: judge each entry again, under its own rules or under others.

It needs whole entries, as the server reads them or as they are disclosed after the end. It needs no store, clock or
secret. What chance gave is taken as recorded, and judged like any move. Other rules are tried by `what_if`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from referee.arbitration import dispatch
from referee.arbitration.real_tables import table_reports
from referee.arbitration.replay.divergence import (
    Divergence,
    EventNormalizer,
    Events,
    build_refusal_divergence,
    find_first_difference,
    find_play_divergence,
    is_game_entry,
    keep_event,
)
from referee.engine.events import Move
from referee.engine.rulings import IllegalMove, MalformedInput, Ruling
from referee.games import load_games
from referee.match.aggregate import FINAL_STATUSES, Match, MatchOpened
from referee.match.entries import LogEntry, effective_entries, has_rewind, replay_entries
from referee.match.events.report_events import find_first_report
from referee.match.evidence import Evidence, keep_match_rules
from referee.match.table import commands, rekey

__all__ = ["Divergence", "LogReplay", "ReplayRules", "find_divergences", "find_first_divergence"]


def find_first_divergence(entries: Sequence[LogEntry], struck: bool = True) -> Divergence | None:
    """Return the first entry that is not what the rules say; None if all are.

    `entries` are all of a match from its opening. The card book of the match has to be installed. With `struck` false,
    entries are skipped that no longer count because a remedy went back behind them.
    """
    counted = {each.version: each.events for each in effective_entries(entries)}
    for wrong in find_divergences(entries):
        written = entries[wrong.version - 1] if wrong.version <= len(entries) else None
        if struck or written is None or counted.get(wrong.version) == written.events:
            return wrong
    return None


def find_divergences(entries: Iterable[LogEntry]) -> Iterator[Divergence]:
    """Yield every entry that is not what the rules say, on the table as it was then.

    The table is the recorded one, right or wrong. Ends at an entry that is not the next of this match, because nothing
    can be judged after it.
    """
    reading = LogReplay()
    for logged in entries:
        wrong = reading.find_divergence(logged)
        if wrong is not None:
            yield wrong
            if wrong.kind == "chain":
                return
        reading.append_entry(logged)


@dataclass(frozen=True)
class ReplayRules:
    """Rules to read a log by: how to reinterpret a match, which events are equal."""

    reinterpret: Callable[[Match], Match] = keep_match_rules
    normalize_event: EventNormalizer = keep_event


AS_PLAYED = ReplayRules()


class LogReplay:
    """A log that is read entry by entry.

    `match` is the match after the entries that were read, right or wrong. `rules` are other rules than those it was
    played by.
    """

    def __init__(self, rules: ReplayRules = AS_PLAYED) -> None:
        self.match = Match()
        self._read: list[LogEntry] = []
        self._rules = rules

    def find_divergence(self, logged: LogEntry) -> Divergence | None:
        """Return what diverges from the rules in the next entry; None if nothing does."""
        return self.find_divergence_under(self._rules, logged)

    def find_divergence_under(self, rules: ReplayRules, logged: LogEntry) -> Divergence | None:
        """Return the same under other rules than this log is read by."""
        return _find_entry_divergence(self.match, logged, len(self._read), lambda: self._read, rules)

    def append_entry(self, logged: LogEntry) -> None:
        """Read the next entry as it is recorded."""
        self._read.append(logged)
        back = has_rewind([logged])
        self.match = (
            replay_entries(Match(), effective_entries(self._read)) if back else replay_entries(self.match, [logged])
        )


def _find_entry_divergence(
    match: Match, logged: LogEntry, version: int, log: Callable[[], list[LogEntry]], rules: ReplayRules
) -> Divergence | None:
    """Return what is wrong with an entry that was written upon `match` at `version`.

    `log` reads the entries before it.
    """
    if logged.version != version + 1 or (match.id and logged.match != match.id) or logged.move is None:
        ruling = Ruling(False, "court.not_the_next", ("TABLE-COURSE-1",), {"version": logged.version})
        return Divergence(version + 1, "chain", ruling)
    renewed = _compute_renewal_events(match, logged, log)
    if is_game_entry(logged):
        try:
            table_reports.check_side_events(Evidence(match, version, logged.at_ms, None, log), logged)
        except IllegalMove as refused:
            return build_refusal_divergence(logged.version, refused)
        first = find_first_report(logged.version, logged.events)
        if first != logged.version:  # a corrected report is judged where it was first made
            match = replay_entries(Match(), (entry for entry in effective_entries(log()) if entry.version < first))
        return find_play_divergence(rules.reinterpret(match), logged, renewed, rules.normalize_event)
    try:
        return find_first_difference(
            logged, (*_compute_table_events(match, logged, logged.move, log, rules), *renewed), rules.normalize_event
        )
    except (IllegalMove, MalformedInput) as refused:
        return build_refusal_divergence(logged.version, refused)


def _compute_table_events(
    match: Match, logged: LogEntry, command: Move, log: Callable[[], list[LogEntry]], rules: ReplayRules
) -> Events:
    """Return the events that follow from a table command.

    Raises IllegalMove, MalformedInput.
    """
    if not isinstance(command, commands.OpenMatch):
        if not match.id:
            raise IllegalMove("not_running", "TABLE-OPEN-1")
        # What was agreed before the start stays as it was agreed.
        if match.state is not None or isinstance(command, commands.StartMatch):
            match = rules.reinterpret(match)
        version, left = logged.version - 1, _get_time_left(logged)
        return dispatch.handle_command(Evidence(match, version, logged.at_ms, left, log, rules.reinterpret), command)
    if match.id:
        raise IllegalMove("already_started", "TABLE-OPEN-1")
    if command.game not in load_games():
        raise MalformedInput([{"pointer": "/game", "detail": "no such game"}])
    opened = next((event for event in logged.events if isinstance(event, MatchOpened)), None)
    commitment, kept = (opened.commitment, opened.precedents) if opened is not None else ("", ())
    ruleset = opened.ruleset if opened is not None else ""  # a newer one may have come since
    scheme = opened.later_scheme if opened is not None else None
    name = logged.match or (opened.match if opened is not None else "")  # before the opening there is no match
    return commands.decide_opening(name, commitment, command, load_games()[command.game], kept, ruleset, scheme)


def _compute_renewal_events(match: Match, logged: LogEntry, log: Callable[[], list[LogEntry]]) -> Events:
    """Return the events about draws and secret that an entry has to end with.

    The commitment to a new secret is taken from the entry, because only the log knows it (TABLE-CHANCE-1).
    """
    goes_back = match.draws > 0 and has_rewind([logged])
    may_renew = match.status in FINAL_STATUSES or match.gone is not None
    if not match.id or not (goes_back or may_renew):
        return ()
    plain = replace(
        logged,
        events=tuple(
            event for event in logged.events if not isinstance(event, rekey.SecretRenewed | rekey.DrawsCounted)
        ),
    )
    after = replay_entries(Match(), effective_entries([*log(), plain]))
    counted = (rekey.DrawsCounted(match.draws),) if goes_back and after.draws < match.draws else ()
    if not rekey.needs_new_secret(match, after):
        return counted
    renewal = rekey.find_secret_renewal(logged.events)
    return (*counted, rekey.SecretRenewed(match.generation + 1, "" if renewal is None else renewal.commitment))


def _get_time_left(logged: LogEntry) -> int | None:
    """Return what was left of the open question's time, if the entry records it."""
    return next((event.left_ms for event in logged.events if hasattr(event, "left_ms")), None)
