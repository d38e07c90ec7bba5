"""Checks a bundle: its signatures, its commitments, and the rules.

    check_bundle(bundle, trusted_keys, receipts) -> AuditReport

Only the bundle, the arguments and this program's rules are used: no store, no network. The header is a claim like all
else, to be proved by the entries and the signatures.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from referee.audit import devices, facts, makers
from referee.audit.bundles.export import PUBLIC
from referee.audit.bundles.format import Bundle, BundleError
from referee.audit.checks import commitments, merkle, provenance, rules, signatures, times
from referee.audit.checks.findings import AuditFinding, AuditNotice, AuditReport, CheckResult, FindingKind, name_subject
from referee.audit.facts import SeatSignatures
from referee.audit.outside import NOBODY, Vouchers, judge_statements
from referee.audit.tournaments import judging as tournaments
from referee.tournament.state import GAME as TOURNAMENT

CHECKS = (
    "form", "keys", "signatures", "versions", "roots", "receipts", "openings", "book", "rules", "chance", "census",
    "devices", "times", "published",
)  # fmt: skip
ASKED_CHECKS = ("thoughts",)  # made only where they are asked for

MAX_MAKERS = 5  # the most entries that are named because nobody of that kind can have made them
# limits, because each line is compared with each other one
LINE_LIMITS = {"keys": 200, "former": 200, "checkpoints": 200, "published": 100, "stamps": 100, "secrets": 1000}


def check_bundle(
    bundle: Bundle,
    trusted_keys: Sequence[bytes] = (),
    receipts: Iterable[str] = (),
    secrets: Mapping[int, bytes] | None = None,
    seconds: float | None = None,
    *,
    is_latest: bool = False,
    now_ms: int | None = None,
    vouchers: Vouchers = NOBODY,
    note_thought: Callable[[], None] | None = None,
) -> AuditReport:
    """Return the report on a bundle. Raises nothing because of what it holds.

    - `trusted_keys`: public keys (32 bytes each) that the checker has from elsewhere. Without any, the bundle's own
      keys are used, and `AuditReport.trusted` says so.
    - `receipts`: signed notes of this match that somebody kept.
    - `secrets`: by generation, those that the server knows of a running match.
    - `seconds`: the time after which no more entries are judged.
    - `is_latest`: the bundle holds all entries that there are, so that a receipt for more proves that some are gone.
    - `now_ms`: the checker's time (None: that of this machine).
    - `vouchers`: witnesses and timestamp authorities that the checker knows.
    - `note_thought`: repeat the thoughts of bots too, which takes long, and call this for each.
    """
    if (
        many := next((kind for kind, most in LINE_LIMITS.items() if len(getattr(bundle, kind)) > most), None)
    ) is not None:
        return build_unreadable_report(
            bundle.header.match, BundleError(1, f"there are more than {LINE_LIMITS[many]} {many}")
        )
    until = None if seconds is None else time.monotonic() + seconds
    found = _FindingsByCheck()
    tree = merkle.build_tree(bundle)
    signers = provenance.find_signers(bundle, tree.envelopes, trusted_keys)
    stays, keys, whose = signers.stays, signers.by_server, signers.by_origin
    found.add_findings("keys", signers.findings)
    notes = signatures.check_checkpoints((line.note for line in bundle.checkpoints), whose, bundle.header.origin)
    fits = [
        *merkle.check_checkpoint_roots(tree, notes.good, bundle.header.origin),
        *provenance.find_unsigned_stays(stays, bundle, keys),
    ]
    moved = (
        list(provenance.check_transfers(tree.envelopes, tree.roots, bundle)) if tree.whole and not tree.versions else []
    )
    found.add_findings(
        "signatures",
        [*_filter_by_kind(FindingKind.SIGNATURE, notes.findings), *_filter_by_kind(FindingKind.SIGNATURE, fits)],
    )
    found.add_findings(
        "versions",
        [*_filter_by_kind(FindingKind.VERSION, notes.findings), *tree.versions, *merkle.check_header(bundle, tree)],
    )
    found.add_findings("versions", _filter_by_kind(FindingKind.VERSION, moved))
    found.add_findings("versions", _filter_by_kind(FindingKind.VERSION, fits))
    found.add_findings(
        "roots", [*tree.wrong, *_filter_by_kind(FindingKind.ROOT, fits), *_filter_by_kind(FindingKind.ROOT, moved)]
    )
    kept = list(receipts)
    given = signatures.check_receipts(kept, whose, bundle.header.origin)
    found.add_findings(
        "receipts", [*given.findings, *merkle.find_forks(tree, given.good, is_latest)], "" if kept else "no_receipts"
    )
    if tree.whole and not tree.versions and tree.envelopes:
        thinking = _check_contents(found, bundle, tree, secrets or {}, until, note_thought)
    else:
        thinking = []
        for name in ("openings", "book", "rules", "chance", "census"):
            found.add_findings(name, (), "unread")
    signed = _check_devices(found, bundle, tree)
    clocks = _check_times(found, bundle, tree, stays, int(1000 * time.time()) if now_ms is None else now_ms)
    places, wrong = merkle.check_published_roots(bundle, tree, keys)
    said = judge_statements(bundle, places, vouchers)
    found.add_findings("published", [*wrong, *said.findings], "" if bundle.published else "not_published")
    if tree.whole and not tree.versions:
        told = {finding.version for finding in found.all_findings}
        made = (each for each in makers.find_impossible_makers(tree.envelopes) if each.version not in told)
        for each in list(made)[:MAX_MAKERS]:
            found.add_findings("times" if each.kind is FindingKind.TIME else "rules", [each])
    shown = tuple(map(signatures.compute_fingerprint, signers.ring.keys))
    trusted = signers.ring.trusted and not signers.findings
    most, size = max((each.size for each in given.good), default=0), len(bundle.entries)
    is_older = most > size and not is_latest
    notices = [AuditNotice("receipt.ends_before", {"signed": most, "found": size})] if is_older else []
    public = replace(facts.collect_facts(tree.envelopes), signers=signed)
    notices += [*said.notices, *clocks, *thinking, *(AuditNotice(*each) for each in facts.list_notices(public))]
    frame = facts.collect_frame(bundle.header.game, bundle.header.variant, bundle.header.status, tree.envelopes)
    return name_subject(
        AuditReport(
            bundle.header.match, size, found.checks, found.all_findings, shown, trusted,
            merkle.find_receipted_entry(tree, given.good), tuple(notices), public,
            tree.roots[-1] if tree.roots else b"", frame,
        )
    )  # fmt: skip


def _check_devices(found: _FindingsByCheck, bundle: Bundle, tree: merkle.EntryTree) -> tuple[SeatSignatures, ...]:
    """Check what devices signed, and return it by seat."""
    if not tree.whole or tree.versions:
        found.add_findings("devices", (), "unread")
        return ()
    checked = devices.check_devices(bundle, tree)
    is_signed = checked.findings or any(each.signed for each in checked.signers)
    found.add_findings("devices", checked.findings, "" if is_signed else "none_signed")
    return checked.signers


def _check_times(
    found: _FindingsByCheck, bundle: Bundle, tree: merkle.EntryTree, stays: list[provenance.ServerStay], now_ms: int
) -> list[AuditNotice]:
    """Check the times, and return what is good to know about them."""
    if not tree.whole or tree.versions or not tree.envelopes:
        found.add_findings("times", (), "unread")
        return []
    told = times.check_times(bundle, tree.envelopes, stays, now_ms)
    found.add_findings("times", told.findings)
    return told.notices


def _check_contents(
    found: _FindingsByCheck,
    bundle: Bundle,
    tree: merkle.EntryTree,
    known: Mapping[int, bytes],
    until: float | None,
    note_thought: Callable[[], None] | None,
) -> list[AuditNotice]:
    """Check what the entries say, once they are known to be those that were hashed.

    Return what is good to know of the thoughts of bots.
    """
    if bundle.header.game == TOURNAMENT:
        found.add_findings("versions", tournaments.check_header(bundle, tree.envelopes))
        judged = tournaments.judge_tournament(bundle, tree.envelopes, known, until)
        found.add_judgement(judged, "" if bundle.header.eyes != PUBLIC else "nothing_hidden_here")
        if note_thought is not None:
            found.add_findings("thoughts", (), judged.gave_up["thoughts"])
        return judged.notices
    whose = commitments.find_part_owner(bundle.header.eyes)
    if whose is None:
        params = {"field": "eyes", "claimed": bundle.header.eyes[:100]}
        found.add_findings("versions", [AuditFinding(FindingKind.VERSION, "header.claims", None, params)])
        whose = ""
    pairs = zip(bundle.entries, tree.envelopes, strict=True)
    part_finding = next(
        (
            finding
            for line, envelope in pairs
            if (finding := commitments.check_parts(line, envelope, whose)) is not None
        ),
        None,
    )
    good, wrong = commitments.check_secrets(bundle, tree.envelopes, known)
    wrong += provenance.check_payload(bundle, provenance.list_stays(tree.envelopes)[-1])
    if part_finding is not None:
        wrong.insert(0, part_finding)
    opened = rules.find_opening_event(tree.envelopes)
    book_findings = rules.check_card_book(bundle, opened)
    if book_findings or part_finding is not None:
        found.add_findings("openings", wrong, "" if wrong or whose else "nothing_hidden_here")
        found.add_findings("book", book_findings, "" if opened.get("book") or book_findings else "no_book")
        for name in ("rules", "chance", "census"):
            found.add_findings(name, (), "unread")
        return []
    judgement = rules.judge_entries(bundle, tree.envelopes, opened, good, until, note_thought)
    judgement.openings[:0] = wrong
    if not opened.get("book"):
        judgement.gave_up["book"] = "no_book"
    found.add_judgement(judgement, "" if whose else "nothing_hidden_here")
    if note_thought is not None:
        found.add_findings("thoughts", judgement.thoughts, judgement.gave_up.get("thoughts", ""))
    return judgement.notices


def build_unreadable_report(match: str, wrong: BundleError) -> AuditReport:
    """Return the report on a file that is no bundle."""
    finding = AuditFinding(FindingKind.UNREADABLE, "unreadable", None, {"line": wrong.line, "detail": wrong.detail})
    rest = tuple(CheckResult(name, "skipped", "unread") for name in CHECKS[1:])
    return AuditReport(match, 0, (CheckResult("form", "failed"), *rest), (finding,))


def _filter_by_kind(kind: FindingKind, findings: Iterable[AuditFinding]) -> list[AuditFinding]:
    return [finding for finding in findings if finding.kind is kind]


class _FindingsByCheck:
    """The findings so far, by check."""

    def __init__(self) -> None:
        self._found: dict[str, list[AuditFinding]] = {"form": []}
        self._reasons: dict[str, str] = {}

    def add_findings(self, name: str, findings: Iterable[AuditFinding], reason: str = "") -> None:
        """Add what a check found. A reason says that it was not made, or not completed."""
        self._found.setdefault(name, []).extend(findings)
        if reason:
            self._reasons[name] = reason

    def add_judgement(self, judgement: rules.Judgement, unopened: str) -> None:
        """Add what the entries came to. `unopened` says why no hidden part was checked."""
        if judgement.openings:  # the secret is due, but lacks or is another
            judgement.gave_up |= {name: "unread" for name, why in judgement.gave_up.items() if why == "no_secret"}
        self.add_findings("openings", judgement.openings, unopened)
        self.add_findings("book", (), judgement.gave_up.get("book", ""))
        for name in ("rules", "chance", "census"):
            self.add_findings(name, getattr(judgement, name), judgement.gave_up.get(name, ""))
        self.add_findings("versions", judgement.claims)
        self.add_findings("times", judgement.times)

    @property
    def checks(self) -> tuple[CheckResult, ...]:
        """The result of each check, in order."""
        return tuple(self._build_check(name) for name in (*CHECKS, *ASKED_CHECKS) if name in self._found)

    def _build_check(self, name: str) -> CheckResult:
        if self._found[name]:
            return CheckResult(name, "failed")
        reason = self._reasons.get(name, "")
        return CheckResult(name, "skipped" if reason else "done", reason)

    @property
    def all_findings(self) -> tuple[AuditFinding, ...]:
        """All findings, the gravest kind first."""
        return tuple(sorted((each for name in self._found for each in self._found[name]), key=lambda each: each.kind))
