"""Reports of real dice and cards: corrected by whoever made them, and confirmed or contradicted by others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from referee.arbitration import auto_ruling, disputes
from referee.arbitration.remedies.rewind_impact import hidden_piles, over_since
from referee.engine.chance import Shuffle
from referee.engine.codec import encode
from referee.engine.events import Event, Move
from referee.engine.referee import granting
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import CHANCE, Seat
from referee.engine.zones import is_back
from referee.match.aggregate import OVER, Match, OfTable, Rewound
from referee.match.entries import Logged, folded
from referee.match.events.dispute_commands import OpenDispute
from referee.match.events.dispute_state import Witnessing
from referee.match.events.report_events import (
    Correct,
    ReportCorrected,
    Witness,
    WitnessAwaited,
    Witnessed,
    WitnessLate,
    WitnessWaived,
    beside_play,
    first_of,
)
from referee.match.evidence import Evidence
from referee.match.game_moves import after_all, moved

Facts = tuple[Event, ...]
NEVER = ("void", "withdrawn", "abandoned", "archived")
BY_HAND = ("player", "proxy")  # the kinds of actor that have cards of their own to name


def reported(evidence: Evidence, about: int) -> Logged:
    """The report of this entry: what real dice or cards showed, or a move that named cards of a real hand.

    Raises Refused where it is none, or counts no more.
    """
    entry = evidence.entry(about)
    if entry is None:
        raise Refused("court.no_such_entry", "TABLE-REPORT-3", about=about)
    if not entry.reporter and not named_cards(evidence, entry):
        raise Refused("court.not_a_report", "TABLE-REPORT-3", about=about)
    return entry


def named_cards(evidence: Evidence, entry: Logged) -> frozenset[str]:
    """The cards of a real hand that a move named, which nobody could name before; none for all other entries."""
    match = evidence.match
    by_hand = entry.seat >= 0 and entry.actor in BY_HAND and entry.move is not None
    if not by_hand or not match.rules.holds_real_cards(match.setup):
        return frozenset()
    before = evidence.at(first_of(entry.version, entry.facts) - 1)
    return frozenset(_names(folded(before, [entry])) - _names(before))


def _names(match: Match) -> Counter[str]:
    zones: dict[str, tuple[str, ...]] = getattr(match.state, "zones", {})
    return Counter(card for cards in zones.values() for card in cards if not is_back(card))


def is_own(match: Match, entry: Logged, seats: Iterable[int], host: bool) -> bool:
    """Whether a report, or a move, is by somebody who has these seats, or is the host."""
    if entry.reporter:
        return host if entry.reporter == "host" else int(entry.reporter) in seats
    if entry.seat < 0 or entry.actor not in BY_HAND:
        return False
    return entry.seat in seats or (host and match.chairs[entry.seat].kind == "table")


def logged_as(evidence: Evidence, ask: Correct) -> tuple[int, str, Move]:
    """How a correction is logged: seat, actor and move, as the report should have been."""
    entry = reported(evidence, ask.about)
    return entry.seat, entry.actor, auto_ruling.named_move(ask.move)


def _corrected(evidence: Evidence, ask: Correct) -> Facts:
    """Goes back to before a report and makes it as it should read, all in one entry (TABLE-REPORT-3)."""
    match, entry = evidence.match, reported(evidence, ask.about)
    if not is_own(match, entry, ask.seats, ask.host):
        raise Refused("court.not_your_report", "TABLE-REPORT-3", about=ask.about)
    first = first_of(entry.version, entry.facts)
    _in_time(evidence, first)
    for later in evidence.since(ask.about):
        played = any(not isinstance(fact, OfTable) for fact in later.facts)
        if played and not is_own(match, later, ask.seats, ask.host):
            raise Refused("court.built_upon", "TABLE-REPORT-3", entry=later.version)
    move = auto_ruling.named_move(ask.move)
    _only_the_report(evidence, entry, move)
    before = evidence.at(first - 1)
    assert before.state is not None
    try:
        facts = moved(before, Seat(entry.seat), move)
    except Unknown as unknown:
        raise Refused(unknown.need.key, "KERNEL-POSITION-1", **unknown.need.params) from unknown
    after = after_all(before, facts)
    if over_since(evidence, first - 1) and after.status not in OVER and _held(after):
        raise Refused("court.all_shown", "TABLE-REPORT-3")  # a dispute shuffles them again, a correction does not
    rests = ("TABLE-REPORT-3", *granting(before.state, move, facts))
    seats = ask.seats if entry.reporter else None
    return (
        ReportCorrected(ask.about, first, tuple(dict.fromkeys(rests))),
        Rewound(first - 1),
        *facts,
        *(() if seats is None else awaited(match, after.status, evidence.version + 1, seats, evidence.now_ms)),
    )


def _in_time(evidence: Evidence, first: int) -> None:
    """Raises Refused where a report, made first in this entry, cannot be corrected any more."""
    match = evidence.match
    if match.status in NEVER:
        raise Refused("match_over", "TABLE-END-1")
    if match.halted and match.witnessing is None:
        raise Refused("in_dispute", "TABLE-DISPUTE-2")
    if evidence.now_ms > evidence.entries[first - 1].at_ms + match.courts.correct_ms:
        raise Refused("court.out_of_time", "TABLE-REPORT-3")


def beside(evidence: Evidence, logged: Logged) -> None:
    """Raises Refused unless what stands in an entry of play beside what follows from the move can be so: that it
    corrects a report, of the same seat by the same person, and that it waits for a witness.

    Which seats a person has besides the log does not tell; so it is not looked at whether others built upon the report.
    """
    corrects, facts, waits = beside_play(logged.facts)
    said = corrects[0] if corrects else None
    if isinstance(said, ReportCorrected):
        assert logged.move is not None
        entry = reported(evidence, said.about)
        if (entry.seat, entry.actor) != (logged.seat, logged.actor):
            raise Refused("court.not_your_report", "TABLE-REPORT-3", about=said.about)
        first = first_of(entry.version, entry.facts)
        _in_time(evidence, first)
        _only_the_report(evidence, entry, logged.move)
        before = evidence.at(first - 1).state
        rests = () if before is None else ("TABLE-REPORT-3", *granting(before, logged.move, facts))
        if said != ReportCorrected(said.about, first, tuple(dict.fromkeys(rests))):
            raise Refused("court.wrong_facts", "TABLE-COURSE-1", at=f"{logged.version}.0")
    for asked in waits:
        match = evidence.match
        voices = disputes.voices(match) - ({int(logged.reporter)} if logged.reporter.isdecimal() else set())
        wanted = match.courts.witness and logged.actor.startswith("reporter") and bool(getattr(asked, "asks", ()))
        until = logged.at_ms + match.courts.answer_ms
        asks = tuple(sorted(voices & set(getattr(asked, "asks", ()))))
        if not wanted or asked != WitnessAwaited(logged.version, asks, until):
            raise Refused("court.wrong_facts", "TABLE-REPORT-2", at=f"{logged.version}.{len(logged.facts) - 1}")


def _held(match: Match) -> bool:
    """Whether the server knows how piles lie that nobody else is to know."""
    return any(Shuffle(pile).awaits(match.state) for pile in hidden_piles(match))  # type: ignore[arg-type]


def _only_the_report(evidence: Evidence, entry: Logged, move: Move) -> None:
    """Raises Refused where more is to be changed than what was reported: that would take a move back."""
    if entry.seat == CHANCE:
        return
    assert entry.move is not None
    was, now, named = encode(entry.move), encode(move), named_cards(evidence, entry)
    same = was["type"] == now["type"]
    if not same or any(now[name] != value and not _holds(value, named) for name, value in was.items()):
        raise Refused("court.corrects_more", "TABLE-REPORT-3")


def _holds(value: Any, names: frozenset[str]) -> bool:
    """Whether a part of a move names one of these cards."""
    if isinstance(value, list):
        return any(_holds(part, names) for part in value)
    if isinstance(value, dict):
        return any(_holds(part, names) for part in value.values())
    return isinstance(value, str) and value in names


def awaited(match: Match, status: str, version: int, own: Iterable[int], now_ms: int) -> Facts:
    """What a report of entry `version` waits for, by somebody who has the seats `own`: a witness, if the match asks for
    one, goes on (`status` after the report), and another person is there (TABLE-REPORT-2)."""
    asks = tuple(sorted(disputes.voices(match) - set(own)))
    if not match.courts.witness or status != "running" or not asks:
        return ()
    return (WitnessAwaited(version, asks, now_ms + match.courts.answer_ms),)


def late(match: Match, now_ms: int) -> Witnessing | None:
    """The report that nobody has contradicted in time; None if there is none."""
    waits = match.witnessing if match.status == "running" else None
    return waits if waits is not None and waits.until_ms <= now_ms else None


def _witnessed(evidence: Evidence, ask: Witness) -> Facts:
    """What a witness says; if he contradicts, the report is disputed at once."""
    match, entry = evidence.match, reported(evidence, ask.report)
    if is_own(match, entry, ask.seats, ask.host):
        raise Refused("court.own_report", "TABLE-REPORT-2")
    if ask.seat not in disputes.voices(match) or ask.seat not in ask.seats:
        raise Refused("court.no_say", "TABLE-REPORT-2", seat=ask.seat)
    if any(said.seat == ask.seat for said in attestations(evidence.entries, ask.report)):
        raise Refused("court.said_already", "TABLE-REPORT-2", seat=ask.seat)
    said = Witnessed(ask.report, ask.seat, ask.holds, ask.saw)
    if ask.holds:
        return (said,)
    disputed = OpenDispute(str(ask.seat), ask.report, "misreported", move=ask.move, saw=ask.saw)
    return (said, *disputes.opened(replace(evidence, match=said.apply(match)), disputed))


def attestations(entries: Iterable[Logged], report: int) -> list[Witnessed]:
    """What was attested of a report, in order."""
    said = (fact for entry in entries for fact in entry.facts if isinstance(fact, Witnessed))
    return [fact for fact in said if fact.report == report]


def _unwitnessed(evidence: Evidence, ask: WitnessLate) -> Facts:
    waits = late(evidence.match, evidence.now_ms)
    if waits is None or waits.report != ask.report:
        raise Refused("court.witness_not_late", "TABLE-REPORT-2")
    return (WitnessWaived(ask.report, "late"),)


DECIDES: dict[type[Move], Callable[[Evidence, Any], Facts]] = {
    Correct: _corrected,
    Witness: _witnessed,
    WitnessLate: _unwitnessed,
}
