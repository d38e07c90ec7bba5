"""Bundles that people hand in to be judged: kept in the store for a day, with what was found.

A bundle is kept once, under its id, and so is its report: whoever is killed on the way has lost nothing, and who judges
it a second time changes nothing. How often it was tried is noted before each try, so that one which breaks whoever
looks at it is given up.
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from io import BufferedReader, BytesIO
from typing import Any, Protocol

import orjson

from referee.audit.bundles.files import GZIP_MAGIC, read_bundle_stream
from referee.audit.bundles.format import BundleError
from referee.audit.checks.findings import AuditFinding, AuditReport, FindingKind
from referee.audit.checks.verifier import build_unreadable_report, check_bundle
from referee.audit.reporting import report_to_dict
from referee.eventstore.contract import MatchLog

KEPT_MS = 24 * 3600 * 1000
HANDED, JUDGED, TRIED = "bundle-handed-in", "bundle-judged", "bundle-tried"
MOST_BYTES = 16 * 1024 * 1024
SECONDS = 45.0  # after which no entry is judged any more
TRIES = 3
WAITING, DONE, GIVEN_UP = "waiting", "judged", "given_up"


class KeySource(Protocol):
    """Whatever knows the keys of this server: its log of roots."""

    def load_chain(self) -> tuple[Any, ...]:
        """The keys, oldest first."""


@dataclass(frozen=True, slots=True)
class SubmissionState:
    """How a bundle stands: when it was handed in (ms), and its report, once there is one."""

    state: str
    at_ms: int
    report: dict[str, Any] | None = None


def submit_bundle(
    log: MatchLog, bundle: str, command: bytes, body: bytes, receipts: Sequence[str] = ()
) -> tuple[bool, bool]:
    """Keeps a bundle with the receipts beside it: whether it is this one that is kept under the id (`ask` is the hash
    of what was sent), and whether it was there before. Raises StoreUnavailable."""
    before = log.find_answer(HANDED, bundle)
    if before is not None:
        return before[0] == command, True
    packed = body if body.startswith(GZIP_MAGIC) else gzip.compress(body, 3, mtime=0)
    beside = gzip.compress(orjson.dumps(list(receipts)), 3, mtime=0) if receipts else b""
    head = b"%d %d\n" % (log.now(), len(beside))
    kept, _ = log.remember_answer(HANDED, bundle, command, head + beside + packed, KEPT_MS)
    return kept == command, False


def decode_submission(stored: bytes) -> tuple[int, list[str], bytes]:
    """When a bundle was handed in (ms), the receipts beside it, and itself, packed: of what is stored, be it from
    before there were receipts."""
    head, _, rest = stored.partition(b"\n")
    at_ms, _, length = head.partition(b" ")
    beside = int(length or 0)
    receipts: list[str] = orjson.loads(gzip.decompress(rest[:beside])) if beside else []
    return int(at_ms), receipts, rest[beside:]


def load_submission_state(log: MatchLog, bundle: str) -> SubmissionState | None:
    """How a bundle stands; None if there is none, or none any more. Raises StoreUnavailable."""
    found = log.find_answer(HANDED, bundle)
    if found is None:
        return None
    at_ms = int(found[1].partition(b"\n")[0].partition(b" ")[0])
    told = log.find_answer(JUDGED, bundle)
    if told is None:
        return SubmissionState(WAITING, at_ms)
    report = orjson.loads(told[1])
    return SubmissionState(GIVEN_UP if report is None else DONE, at_ms, report)


def judge_submission(
    log: MatchLog, bundle: str, publisher: KeySource, run: bytes, seconds: float = SECONDS
) -> SubmissionState | None:
    """Judges a bundle, unless that was done before; how it stands then. `run` is another one for each try. Raises
    StoreAway."""
    found = log.find_answer(HANDED, bundle)
    if found is None or log.find_answer(JUDGED, bundle) is not None:
        return load_submission_state(log, bundle)
    report = None
    for number in range(TRIES):
        if log.remember_answer(TRIED, f"{bundle}-{number}", found[0], run, KEPT_MS)[1] == run:
            own = [key.public for key in publisher.load_chain()]
            try:
                _, receipts, packed = decode_submission(found[1])
                report = check_submitted_bundle(packed, own, seconds, receipts)
            except MemoryError:
                report = build_out_of_memory_report()
            break
    told = None if report is None else report_to_dict(report)
    log.remember_answer(JUDGED, bundle, found[0], orjson.dumps(told), KEPT_MS)
    return load_submission_state(log, bundle)


def check_submitted_bundle(
    packed: bytes, own: list[bytes], seconds: float = SECONDS, receipts: Sequence[str] = ()
) -> AuditReport:
    """The report on a bundle as it was handed in, with the receipts beside it. If it names a key of this server, it has
    to be this server's."""
    try:
        bundle = read_bundle_stream(BufferedReader(BytesIO(packed)))
    except BundleError as wrong:
        return build_unreadable_report("", wrong)
    ours = any(line.public in own for line in bundle.keys)
    return check_bundle(bundle, own if ours else (), receipts, seconds=seconds)


def build_out_of_memory_report() -> AuditReport:
    """The report on a bundle that takes more memory than it is given."""
    finding = AuditFinding(
        FindingKind.UNREADABLE, "unreadable", None, {"line": 1, "detail": "it takes too much memory"}
    )
    return AuditReport("", 0, (), (finding,))
