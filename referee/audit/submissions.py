"""Bundles that people submit: kept until judged, their reports for a day.

A bundle is kept once, under its id, and so is its report. A worker that is killed loses nothing, and checking a bundle
twice changes nothing. Each try is noted before it begins, so that a bundle which kills the workers is given up.
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
SECONDS = 45.0  # after that time no more entries are judged
TRIES = 3
WAITING, DONE, GIVEN_UP = "waiting", "judged", "given_up"


class KeySource(Protocol):
    """What knows the keys of this server: the publisher of its root log."""

    def load_chain(self) -> tuple[Any, ...]:
        """Return the keys, oldest first."""


@dataclass(frozen=True, slots=True)
class SubmissionState:
    """The state of a bundle, when it was submitted (ms), and its report, if any."""

    state: str
    at_ms: int
    report: dict[str, Any] | None = None


def submit_bundle(
    log: MatchLog, bundle: str, command: bytes, body: bytes, receipts: Sequence[str] = ()
) -> tuple[bool, bool]:
    """Keep a bundle with its receipts, and return two answers.

    The first is whether this bundle is the one kept under the id (`command` is the hash of what was sent). The second
    is whether one was kept before. Raises StoreUnavailable.
    """
    before = log.find_answer(HANDED, bundle)
    if before is not None:
        return before[0] == command, True
    packed = body if body.startswith(GZIP_MAGIC) else gzip.compress(body, 3, mtime=0)
    packed_receipts = gzip.compress(orjson.dumps(list(receipts)), 3, mtime=0) if receipts else b""
    head = b"%d %d\n" % (log.now(), len(packed_receipts))
    kept, _ = log.remember_answer(HANDED, bundle, command, head + packed_receipts + packed, KEPT_MS)
    return kept == command, False


def decode_submission(stored: bytes) -> tuple[int, list[str], bytes]:
    """Return when a bundle was submitted (ms), its receipts, and the packed bundle.

    It also reads submissions that were stored before there were receipts.
    """
    head, _, rest = stored.partition(b"\n")
    at_ms, _, length = head.partition(b" ")
    receipts_length = int(length or 0)
    receipts: list[str] = orjson.loads(gzip.decompress(rest[:receipts_length])) if receipts_length else []
    return int(at_ms), receipts, rest[receipts_length:]


def load_submission_state(log: MatchLog, bundle: str) -> SubmissionState | None:
    """Return the state of a bundle, or None if there is none any more.

    Raises StoreUnavailable.
    """
    found = log.find_answer(HANDED, bundle)
    if found is None:
        return None
    at_ms = int(found[1].partition(b"\n")[0].partition(b" ")[0])
    judged = log.find_answer(JUDGED, bundle)
    if judged is None:
        return SubmissionState(WAITING, at_ms)
    report = orjson.loads(judged[1])
    return SubmissionState(GIVEN_UP if report is None else DONE, at_ms, report)


def judge_submission(
    log: MatchLog, bundle: str, publisher: KeySource, run: bytes, seconds: float = SECONDS
) -> SubmissionState | None:
    """Check a bundle unless that was done before, and return its state.

    `run` is different for each try. Raises StoreUnavailable.
    """
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
    content = None if report is None else report_to_dict(report)
    log.remember_answer(JUDGED, bundle, found[0], orjson.dumps(content), KEPT_MS)
    log.replace_answer(HANDED, bundle, found[1].partition(b" ")[0] + b" 0\n")  # the file would fill the store for a day
    return load_submission_state(log, bundle)


def check_submitted_bundle(
    packed: bytes, own: list[bytes], seconds: float = SECONDS, receipts: Sequence[str] = ()
) -> AuditReport:
    """Return the report on a submitted bundle with its receipts.

    A bundle that names a key of this server must be signed by this server.
    """
    try:
        bundle = read_bundle_stream(BufferedReader(BytesIO(packed)))
    except BundleError as wrong:
        return build_unreadable_report("", wrong)
    ours = any(line.public in own for line in bundle.keys)
    return check_bundle(bundle, own if ours else (), receipts, seconds=seconds)


def build_out_of_memory_report() -> AuditReport:
    """Return the report on a bundle that takes more memory than allowed."""
    finding = AuditFinding(
        FindingKind.UNREADABLE, "unreadable", None, {"line": 1, "detail": "it takes too much memory"}
    )
    return AuditReport("", 0, (), (finding,))
