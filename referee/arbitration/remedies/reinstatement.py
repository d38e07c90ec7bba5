"""What a remedy was carried out upon, made to stand again: the facts of it, and what it would bring back and strike.

Nothing runs backwards: the course is again the one that stood just before the entry which carried the remedy out
(TABLE-REMEDY-5), and with it all that follows from a course. Who sits where, and what was said and ruled since, stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.arbitration.remedies.rejudging import shuffled_again
from referee.arbitration.remedies.rewind_impact import Crossing, crossed_to_restore, hidden_piles
from referee.engine.events import Event
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import OVER, Match, OfTable
from referee.match.entries import Logged, course, folded
from referee.match.events.dispute_events import CourtCalled, Restored, RulingIssued
from referee.match.events.dispute_state import Dispute
from referee.match.evidence import Evidence


@dataclass(frozen=True)
class Restoring:
    """What stood before entry `entry`: the match then, with all table business since, the versions of the entries that
    stand again (`back`) and of those that count no more (`drops`), and what is crossed by it."""

    entry: int
    match: Match
    back: tuple[int, ...]
    drops: tuple[int, ...]
    crossing: Crossing


def carried(evidence: Evidence, number: int) -> Logged | None:
    """The entry, as it was written, that carried a remedy for this dispute out; None if none did."""
    for entry in reversed(evidence.entries):
        ruled = any(isinstance(fact, RulingIssued) and fact.dispute == number for fact in entry.facts)
        if ruled and _of_game(entry):
            return entry
    return None


def restoring(evidence: Evidence, entry: Logged) -> Restoring | None:
    """What stood before a remedy; None where it stands no more itself, for a later one went back behind it."""
    if evidence.entry(entry.version) is None:
        return None
    known: dict[tuple[str, int], Restoring] = evidence.crossings
    if ("restoring", entry.version) not in known:
        then = course([*evidence.entries, _table(evidence, (Restored(entry.version),))])[:-1]
        match = evidence.read_as(folded(Match(), then))
        now = _versions(evidence.course)
        back = tuple(version for version in _versions(then) if version not in now)
        drops = tuple(version for version in now if version > entry.version)
        crossing = crossed_to_restore(evidence, entry.version, match)
        known["restoring", entry.version] = Restoring(entry.version, match, back, drops, crossing)
    return known["restoring", entry.version]


def restored(evidence: Evidence, dispute: Dispute, found: Restoring) -> tuple[Event, ...]:
    """The facts by which it stands again: disputes that were closed with the match have a court and time again, and
    where anything that lay hidden has become known since, all hidden piles are shuffled again (TABLE-REMEDY-3)."""
    match = found.match
    closed = {each.number for each in evidence.match.disputes if not each.open}
    again = (
        CourtCalled(each.number, each.court, each.stage, evidence.now_ms + _time(match, each.stage))
        for each in match.disputes
        if each.open and each.number in closed and each.number != dispute.number
    )
    shuffles = found.crossing.piles and match.status not in OVER
    return (Restored(found.entry), *again, *(shuffled_again(match, hidden_piles(match)) if shuffles else ()))


def _time(match: Match, stage: str) -> int:
    return match.courts.rule_ms if stage == "ruling" else match.courts.answer_ms


def _table(evidence: Evidence, facts: tuple[Event, ...]) -> Logged:
    """An entry of the table with these facts, as the next one."""
    last = evidence.entries[-1]
    return replace(last, version=last.version + 1, seat=int(BYSTANDER), actor="table", move=None, facts=facts)


def _of_game(entry: Logged) -> bool:
    return any(not isinstance(fact, OfTable) for fact in entry.facts)


def _versions(entries: Iterable[Logged]) -> list[int]:
    """The versions of those entries that did something to the table, and count."""
    return [entry.version for entry in entries if _of_game(entry)]
