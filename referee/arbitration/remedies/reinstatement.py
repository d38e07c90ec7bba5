"""Restoration: undo a remedy so that what it was carried out upon counts again.

Nothing runs backwards: the effective history is again the one that counted just before the entry of the remedy, and
with it all that follows from a history. Who sits where, and what was said and ruled since, stays.

TABLE-REMEDY-5: What a court has carried out, a higher one may undo; then what stood before it stands again, also where
the match was voided. What was played since is struck, and where hidden cards became known, all hidden piles are
shuffled again.
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
from referee.match.house_readings import HouseReadingAdopted


@dataclass(frozen=True)
class Restoration:
    """What counted before entry `entry`, and what restoring it does."""

    entry: int
    match: Match  # the match then, with all lasting events since
    back: tuple[int, ...]  # versions of entries that count again
    drops: tuple[int, ...]  # versions of entries that no longer count
    crossing: RewindImpact


def find_remedy_entry(evidence: Evidence, number: int) -> LogEntry | None:
    """Return the entry, as written, that carried out a remedy for this dispute.

    Return None if none did.
    """
    for entry in reversed(evidence.entries):
        ruled = any(isinstance(event, RulingIssued) and event.dispute == number for event in entry.events)
        adopts = any(isinstance(event, HouseReadingAdopted) for event in entry.events)
        if ruled and (adopts or _has_game_events(entry)):
            return entry
    return None


def find_restoration(evidence: Evidence, entry: LogEntry) -> Restoration | None:
    """Return what undoing a remedy brings back and strikes.

    Return None if the remedy itself no longer counts, because a later one went back behind it.
    """
    if evidence.find_entry(entry.version) is None:
        return None
    cache: dict[tuple[str, int], Restoration] = evidence.cache
    if ("restoring", entry.version) not in cache:
        then = effective_entries([*evidence.entries, _build_table_entry(evidence, (HistoryRestored(entry.version),))])[
            :-1
        ]
        match = evidence.reinterpret(replay_entries(Match(), then))
        now = _list_played_versions(evidence.effective_entries)
        back = tuple(version for version in _list_played_versions(then) if version not in now)
        drops = tuple(version for version in now if version > entry.version)
        crossing = compute_restore_impact(evidence, entry.version, match)
        cache["restoring", entry.version] = Restoration(entry.version, match, back, drops, crossing)
    return cache["restoring", entry.version]


def restore_history(evidence: Evidence, dispute: Dispute, found: Restoration) -> tuple[Event, ...]:
    """Return the events that restore what counted before a remedy.

    Disputes that were closed with the match get their court and its time again. If anything hidden has become known
    since, all hidden piles are shuffled again (TABLE-REMEDY-3).
    """
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
    """Return the next entry as one of the table with these events."""
    last = evidence.entries[-1]
    return replace(last, version=last.version + 1, seat=int(BYSTANDER), actor="table", move=None, events=events)


def _has_game_events(entry: LogEntry) -> bool:
    return any(not isinstance(event, LastingTableEvent) for event in entry.events)


def _list_played_versions(entries: Iterable[LogEntry]) -> list[int]:
    """Return the versions of those entries that did something to the table."""
    return [entry.version for entry in entries if _has_game_events(entry)]
