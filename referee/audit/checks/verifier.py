"""Checking a bundle: whether it is what its signatures say, what was committed to, and what the rules say.

    checked(bundle, trusted_keys, receipts) -> Report

Nothing is looked at but the bundle, what is handed in and this program's rules: no store, no network. The header is a
claim like all else; what is true, the entries and the signatures tell.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence

from referee.audit.bundles.format import BadBundle, Bundle
from referee.audit.checks import commitments, merkle, provenance, rules, signatures
from referee.audit.checks.findings import Check, Finding, Kind, Report

CHECKS = (
    "form", "keys", "signatures", "versions", "roots", "receipts", "openings", "book", "rules", "chance", "census",
    "published",
)  # fmt: skip

# each is looked at with each of the others
MOST = {"keys": 200, "former": 200, "checkpoints": 200, "published": 100, "secrets": 1000}


def checked(
    bundle: Bundle,
    trusted_keys: Sequence[bytes] = (),
    receipts: Iterable[str] = (),
    secrets: Mapping[int, bytes] | None = None,
    seconds: float | None = None,
) -> Report:
    """What is to be said of a bundle. Raises nothing for what it holds.

    `trusted_keys`: public keys (32 bytes each) that the checker has from elsewhere; without any, those are taken that
    the bundle names itself, and `Report.trusted` says so. `receipts`: signed notes that somebody kept of this match.
    `secrets`: by generation, those that the server knows of a match that is not over. `seconds`: after so long no entry
    is judged any more.
    """
    if (many := next((kind for kind, most in MOST.items() if len(getattr(bundle, kind)) > most), None)) is not None:
        return unreadable(bundle.header.match, BadBundle(1, f"there are more than {MOST[many]} {many}"))
    until = None if seconds is None else time.monotonic() + seconds
    found = _Findings()
    tree = merkle.grown(bundle)
    stays = provenance.stays(tree.told)
    ring = signatures.keyring(bundle, [*trusted_keys, *provenance.named(stays, bundle, trusted_keys)])
    keys, unnamed = provenance.vouching(stays, bundle, ring, trusted_keys)
    found.of("keys", [*ring.findings, *unnamed])
    whose = provenance.origins(keys, bundle)
    notes = signatures.checkpoints((line.note for line in bundle.checkpoints), whose, bundle.header.origin)
    fits = [*merkle.signed(tree, notes.good, bundle.header.origin), *provenance.unsigned(stays, bundle, keys)]
    moved = list(provenance.odd(tree.told, tree.roots, bundle)) if tree.whole and not tree.versions else []
    found.of("signatures", [*_only(Kind.SIGNATURE, notes.findings), *_only(Kind.SIGNATURE, fits)])
    found.of("versions", [*_only(Kind.VERSION, notes.findings), *tree.versions, *merkle.claims(bundle, tree)])
    found.of("versions", _only(Kind.VERSION, moved))
    found.of("versions", _only(Kind.VERSION, fits))
    found.of("roots", [*tree.wrong, *_only(Kind.ROOT, fits), *_only(Kind.ROOT, moved)])
    kept = list(receipts)
    given = signatures.receipts(kept, whose, bundle.header.origin)
    found.of("receipts", [*given.findings, *merkle.forks(tree, given.good)], "" if kept else "no_receipts")
    if tree.whole and not tree.versions and tree.told:
        _inside(found, bundle, tree, secrets or {}, until)
    else:
        for name in ("openings", "book", "rules", "chance", "census"):
            found.of(name, (), "unread")
    where = list(merkle.published(bundle, tree, keys))
    found.of("published", where, "" if bundle.published else "not_published")
    shown = tuple(map(signatures.fingerprint, ring.keys))
    trusted = ring.trusted and not ring.findings and not unnamed
    return Report(bundle.header.match, len(bundle.entries), found.checks, found.all, shown, trusted)


def _inside(
    found: _Findings, bundle: Bundle, tree: merkle.Tree, known: Mapping[int, bytes], until: float | None
) -> None:
    """What the entries say, once it is known that they are those that were hashed."""
    whose = commitments.who(bundle.header.eyes)
    if whose is None:
        params = {"field": "eyes", "claimed": bundle.header.eyes[:100]}
        found.of("versions", [Finding(Kind.VERSION, "header.claims", None, params)])
        whose = ""
    pairs = zip(bundle.entries, tree.told, strict=True)
    shut = next((odd for line, told in pairs if (odd := commitments.of_entry(line, told, whose)) is not None), None)
    good, wrong = commitments.secrets(bundle, tree.told, known)
    wrong += provenance.luggage(bundle, provenance.stays(tree.told)[-1])
    if shut is not None:
        wrong.insert(0, shut)
    opened = rules.opened(tree.told)
    misbooked = rules.book(bundle, opened)
    if misbooked or shut is not None:
        found.of("openings", wrong, "" if wrong or whose else "nothing_hidden_here")
        found.of("book", misbooked, "" if opened.get("book") or misbooked else "no_book")
        for name in ("rules", "chance", "census"):
            found.of(name, (), "unread")
        return
    judgement = rules.judged(bundle, tree.told, opened, good, until)
    found.of("openings", [*wrong, *judgement.openings], "" if whose else "nothing_hidden_here")
    found.of("book", (), "" if opened.get("book") else "no_book")
    for name in ("rules", "chance", "census"):
        found.of(name, getattr(judgement, name), judgement.gave_up.get(name, ""))
    found.of("versions", judgement.claims)


def unreadable(match: str, wrong: BadBundle) -> Report:
    """The report on a file that is no bundle."""
    finding = Finding(Kind.UNREADABLE, "unreadable", None, {"line": wrong.line, "detail": wrong.detail})
    rest = tuple(Check(name, "skipped", "unread") for name in CHECKS[1:])
    return Report(match, 0, (Check("form", "failed"), *rest), (finding,))


def _only(kind: Kind, findings: Iterable[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.kind is kind]


class _Findings:
    """What was found so far, by check."""

    def __init__(self) -> None:
        self._found: dict[str, list[Finding]] = {"form": []}
        self._reasons: dict[str, str] = {}

    def of(self, name: str, findings: Iterable[Finding], reason: str = "") -> None:
        """Notes what a check found. With a reason it was not made, or not to its end."""
        self._found.setdefault(name, []).extend(findings)
        if reason:
            self._reasons[name] = reason

    @property
    def checks(self) -> tuple[Check, ...]:
        """What became of each check, in order."""
        return tuple(self._check(name) for name in CHECKS)

    def _check(self, name: str) -> Check:
        if self._found[name]:
            return Check(name, "failed")
        reason = self._reasons.get(name, "")
        return Check(name, "skipped" if reason else "done", reason)

    @property
    def all(self) -> tuple[Finding, ...]:
        """All findings, the gravest kind first."""
        return tuple(sorted((each for name in CHECKS for each in self._found[name]), key=lambda each: each.kind))
