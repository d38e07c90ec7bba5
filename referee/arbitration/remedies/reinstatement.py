"""What a remedy was carried out upon, made to stand again: the facts of it, and what it would bring back and strike.

Nothing runs backwards: the course is again the one that stood just before the entry which carried the remedy out
(TABLE-REMEDY-5), and with it all that follows from a course. Who sits where, and what was said and ruled since, stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.arbitration.remedies.rejudging import reshuffle_piles
from referee.arbitration.remedies.rewind_impact import RewindImpact, compute_restore_impact, find_hidden_piles
from referee.engine.events import Event
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import FINAL_STATUSES, LastingTableEvent, Match
from referee.match.entries import LogEntry, effective_entries, replay_entries
from referee.match.events.dispute_events import CourtCalled, HistoryRestored, RulingIssued
from referee.match.events.dispute_state import Dispute
from referee.match.evidence import Evidence


@dataclass(frozen=True)
class Restoration:
    """What stood before entry `entry`: the match then, with all table business since, the versions of the entries that
    stand again (`back`) and of those that count no more (`drops`), and what is crossed by it."""

    entry: int
    match: Match
    back: tuple[int, ...]
    drops: tuple[int, ...]
    crossing: RewindImpact


def find_remedy_entry(evidence: Evidence, number: int) -> LogEntry | None:
    """The entry, as it was written, that carried a remedy for this dispute out; None if none did."""
    for entry in reversed(evidence.entries):
        ruled = any(isinstance(event, RulingIssued) and event.dispute == number for event in entry.events)
        if ruled and _has_game_events(entry):
            return entry
    return None


def find_restoration(evidence: Evidence, entry: LogEntry) -> Restoration | None:
    """What stood before a remedy; None where it stands no more itself, for a later one went back behind it."""
    if evidence.find_entry(entry.version) is None:
        return None
    known: dict[tuple[str, int], Restoration] = evidence.cache
    if ("restoring", entry.version) not in known:
        then = effective_entries([*evidence.entries, _build_table_entry(evidence, (HistoryRestored(entry.version),))])[
            :-1
        ]
        match = evidence.reinterpret(replay_entries(Match(), then))
        now = _list_played_versions(evidence.effective_entries)
        back = tuple(version for version in _list_played_versions(then) if version not in now)
        drops = tuple(version for version in now if version > entry.version)
        crossing = compute_restore_impact(evidence, entry.version, match)
        known["restoring", entry.version] = Restoration(entry.version, match, back, drops, crossing)
    return known["restoring", entry.version]


def restore_history(evidence: Evidence, dispute: Dispute, found: Restoration) -> tuple[Event, ...]:
    """The facts by which it stands again: disputes that were closed with the match have a court and time again, and
    where anything that lay hidden has become known since, all hidden piles are shuffled again (TABLE-REMEDY-3)."""
    match = found.match
    closed = {each.number for each in evidence.match.disputes if not each.is_open}
    again = (
        CourtCalled(each.number, each.court, each.stage, evidence.now_ms + _get_stage_limit_ms(match, each.stage))
        for each in match.disputes
        if each.is_open and each.number in closed and each.number != dispute.number
    )
    shuffles = found.crossing.piles and match.status not in FINAL_STATUSES
    return (
        HistoryRestored(found.entry),
        *again,
        *(reshuffle_piles(match, find_hidden_piles(match)) if shuffles else ()),
    )


def _get_stage_limit_ms(match: Match, stage: str) -> int:
    return match.courts.rule_ms if stage == "ruling" else match.courts.answer_ms


def _build_table_entry(evidence: Evidence, events: tuple[Event, ...]) -> LogEntry:
    """An entry of the table with these facts, as the next one."""
    last = evidence.entries[-1]
    return replace(last, version=last.version + 1, seat=int(BYSTANDER), actor="table", move=None, events=events)


def _has_game_events(entry: LogEntry) -> bool:
    return any(not isinstance(event, LastingTableEvent) for event in entry.events)


def _list_played_versions(entries: Iterable[LogEntry]) -> list[int]:
    """The versions of those entries that did something to the table, and count."""
    return [entry.version for entry in entries if _has_game_events(entry)]
