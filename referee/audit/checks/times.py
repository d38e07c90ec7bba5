"""Times that cannot be: of entries, keys, the file, and what a clock played.

Times are the server's own word. Who holds its keys can choose them, as long as they agree with each other, so this
finds only what contradicts itself:

- Entries are written one after another, so their times do not fall. A recalled match is written with a time that may
  be off by MAX_CLOCK_DIFFERENCE_MS, which is no fall. A server whose clock is set back, or whose data go to a machine
  whose clock is behind, writes a fall as well. A few small ones are a notice; many, or a large one, are a finding.
- When a match arrives at another server, another clock counts. The two may differ by a day.
- A key does not sign since a time after the file, nor after this moment. A server publishes its first key when it is
  first needed, so that may be later than the first entries, but not by more than a month.
- What a clock played was late: the deadline of the question had come. The entry that asked may have a time that is off
  by MAX_CLOCK_DIFFERENCE_MS, so a shorter limit is not checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from referee.audit.bundles.export import MOVING
from referee.audit.bundles.format import Bundle
from referee.audit.checks.findings import AuditFinding, AuditNotice, FindingKind
from referee.audit.checks.provenance import ServerStay, find_key_chain
from referee.audit.checks.signatures import FINGERPRINT_DIGITS, compute_fingerprint
from referee.engine.seats import BYSTANDER
from referee.eventstore.contract import MAX_CLOCK_DIFFERENCE_MS
from referee.match.aggregate import Match
from referee.match.clocks import compute_time_left, compute_waiting, find_configured_limit
from referee.match.entries import LogEntry, reopens_question
from referee.match.table.reactions import find_spoken_deadline
from referee.transparency.key_chain import ChainKey

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS
LEEWAY_MS = 2 * MAX_CLOCK_DIFFERENCE_MS  # each of two times may be off
MAX_SET_BACK_MS, MAX_SET_BACKS = 5 * MINUTE_MS, 3  # how far, and how often, a clock is set back during a match
MAX_SERVER_DIFFERENCE_MS = DAY_MS  # between the clocks of two servers, or of a server and the checker
MAX_KEY_DELAY_MS = 31 * DAY_MS  # between the first entry of a server and the publication of its first key
LAST_DATE_MS = 253_402_300_800_000  # the years that a calendar has


@dataclass
class CheckedTimes:
    """What is wrong with the times of a bundle, and what is good to know about them."""

    findings: list[AuditFinding] = field(default_factory=list)
    notices: list[AuditNotice] = field(default_factory=list)


def check_times(
    bundle: Bundle, entries: Sequence[Mapping[str, Any]], stays: Sequence[ServerStay], now_ms: int
) -> CheckedTimes:
    """Return what the times of a bundle's envelopes, keys and header contradict.

    `now_ms` is the checker's time.
    """
    found = CheckedTimes()
    for stay in stays:
        _check_stay(found, [each for each in entries if stay.first <= each["version"] <= (stay.last or len(entries))])
    by_version = {each["version"]: each["at"] for each in entries}
    for _, after in pairwise(stays):
        before, here = by_version.get(after.first - 1), by_version.get(after.first)
        if before is not None and here is not None and before - here > MAX_SERVER_DIFFERENCE_MS:
            found.findings.append(_build_finding("time.servers", after.first, before=before, found=here))
    found.findings += _check_keys(bundle, stays, by_version, now_ms)
    last = max(by_version.values(), default=0)
    made = bundle.header.made_ms
    if last > now_ms + MAX_SERVER_DIFFERENCE_MS:
        version = next(each["version"] for each in entries if each["at"] == last)
        found.findings.append(_build_finding("time.future", version, found=last))
    elif made > now_ms + MAX_SERVER_DIFFERENCE_MS:
        found.findings.append(_build_finding("time.made_future", None, found=made))
    written = entries[-1]["at"] if entries else 0
    is_own = not stays[-1].store or stays[-1].store == bundle.header.origin.rpartition("/")[0]
    if made < written - (MAX_SET_BACK_MS if is_own else MAX_SERVER_DIFFERENCE_MS):  # else another clock wrote the last
        found.findings.append(_build_finding("time.made", None, made=made, found=written))
    return found


def _check_stay(found: CheckedTimes, entries: Sequence[Mapping[str, Any]]) -> None:
    """Check that times do not fall while a match is on one server."""
    falls = [
        (before["at"] - after["at"], after["version"], before["at"], after["at"])
        for before, after in pairwise(entries)
        if before["at"] - after["at"] > LEEWAY_MS
    ]
    slow = _find_slow_fall(entries)
    if not falls and slow is None:
        return
    largest, version, before, after = max([*falls, *([] if slow is None else [slow])])
    if largest > MAX_SET_BACK_MS or len(falls) > MAX_SET_BACKS or slow is not None:
        found.findings.append(_build_finding("time.falls", version, before=before, found=after))
    else:
        params = {"count": len(falls), "seconds": -(-largest // 1000), "version": version}
        found.notices.append(AuditNotice("time.set_back", params))


def _find_slow_fall(entries: Sequence[Mapping[str, Any]]) -> tuple[int, int, int, int] | None:
    """Return where times have fallen too far below the highest, in any small steps."""
    highest = entries[0]["at"] if entries else 0
    for entry in entries:
        if highest - entry["at"] > MAX_SET_BACK_MS:
            return highest - entry["at"], entry["version"], highest, entry["at"]
        highest = max(highest, entry["at"])
    return None


def _check_keys(
    bundle: Bundle, stays: Sequence[ServerStay], by_version: Mapping[int, int], now_ms: int
) -> Iterator[AuditFinding]:
    """Yield findings for keys that are said to sign since a time that cannot be."""
    own = bundle.header.origin.rpartition("/")[0]
    made = (
        now_ms if bundle.header.eyes == MOVING else bundle.header.made_ms
    )  # that file is said to be of its last entry
    for store in dict.fromkeys((own, *(line.store for line in bundle.former))):
        chain = find_key_chain(bundle, store)
        for key in chain:
            if key.since_ms > now_ms + MAX_SERVER_DIFFERENCE_MS:
                yield _build_finding("time.key_future", None, key=_name_key(key), found=key.since_ms)
            elif key.since_ms > made + MAX_SERVER_DIFFERENCE_MS:
                yield _build_finding("time.key_late", None, key=_name_key(key), found=key.since_ms, made=made)
        for before, after in pairwise(chain):
            if before.since_ms - after.since_ms > MAX_SET_BACK_MS:
                params = {"key": _name_key(after), "found": after.since_ms, "before": before.since_ms}
                yield _build_finding("time.key_order", None, **params)
        first = next((by_version.get(stay.first) for stay in stays if (stay.store or own) == store), None)
        if first is not None and chain and chain[0].since_ms - first > MAX_KEY_DELAY_MS:
            yield _build_finding("time.before_key", 1, key=_name_key(chain[0]), found=first, since=chain[0].since_ms)


class QuestionTimer:
    """The deadline of the open question, computed from the entries.

    The server computes it in the same way when it writes them.
    """

    def __init__(self) -> None:
        self._due_ms: int | None = None

    def check_entry(self, match: Match, logged: LogEntry) -> AuditFinding | None:
        """Return a finding if a clock made this entry and no deadline had come.

        `match` is the one before it.
        """
        if logged.actor != "clock":
            return None
        if logged.seat == BYSTANDER:
            cases = [each.until_ms for each in match.disputes if each.is_open and each.until_ms is not None]
            cases += [] if match.witnessing is None else [match.witnessing.until_ms]
            cases += [] if match.offices.open_call is None else [match.offices.open_call.until_ms]
            due, is_limited = min(cases, default=None), bool(cases)
        else:
            due = self._due_ms
            is_limited = find_configured_limit(match) is not None or find_spoken_deadline(match) is not None
        if not is_limited:
            return _build_finding("time.no_clock", logged.version)
        if due is not None and logged.at_ms < due - MAX_CLOCK_DIFFERENCE_MS:  # a clock reads the store's time itself
            return _build_finding("time.too_early", logged.version, found=logged.at_ms, due=due)
        return None

    def note_entry(self, before: Match, after: Match, logged: LogEntry) -> None:
        """Set a new deadline if this entry reopened the question."""
        if reopens_question(before.state, after.state, logged.events) or compute_waiting(before) != compute_waiting(
            after
        ):
            left = compute_time_left(after, logged.at_ms)
            self._due_ms = None if left is None else logged.at_ms + left


def _build_finding(key: str, version: int | None, /, **values: Any) -> AuditFinding:
    params = {name: render_time(value) if isinstance(value, int) else value for name, value in values.items()}
    return AuditFinding(FindingKind.TIME, key, version, params)


def _name_key(key: ChainKey) -> str:
    return compute_fingerprint(key.public)[:FINGERPRINT_DIGITS]


def render_time(at_ms: int) -> str:
    """Return a time for people, in UTC; one that no calendar has as its number."""
    if not 0 <= at_ms < LAST_DATE_MS:
        return f"{at_ms} ms"
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
