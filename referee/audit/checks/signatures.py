"""Who vouches for a bundle: the chain of its keys, and the notes that they signed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from referee.audit.bundles.format import Bundle
from referee.audit.checks.findings import AuditFinding, FindingKind
from referee.transparency.key_chain import ChainKey, find_trusted_keys, verify_statement
from referee.transparency.receipts import Checkpoint, InvalidNoteError, verify_note

KEY_BYTES = 32
FINGERPRINT_DIGITS = 16  # the digits of a fingerprint that people compare


@dataclass(frozen=True)
class Keyring:
    """The keys that a bundle's signatures are checked with.

    `trusted` says whether they were given from outside, or named in a chain by such keys.
    """

    keys: tuple[bytes, ...]
    trusted: bool
    findings: tuple[AuditFinding, ...] = ()


@dataclass
class CheckedNotes:
    """The checkpoints that a key has signed, and what is wrong with the other notes."""

    good: list[Checkpoint] = field(default_factory=list)
    findings: list[AuditFinding] = field(default_factory=list)


def compute_fingerprint(public: bytes) -> str:
    """Return the SHA-256 of a key in hex, which names it in every match."""
    return hashlib.sha256(public).hexdigest()


def build_keyring(bundle: Bundle, trusted: Sequence[bytes]) -> Keyring:
    """Return the keys to check a bundle with.

    Those are the trusted keys and the ones that they name. Without trusted keys, they are the bundle's first key and
    the ones that it names.
    """
    if malformed := [at for at, each in enumerate(bundle.keys, 1) if len(each.public) != KEY_BYTES]:
        wrong = tuple(AuditFinding(FindingKind.KEY, "key.malformed", params={"number": at}) for at in malformed)
        return Keyring(tuple(trusted), bool(trusted), wrong)
    if not bundle.keys:
        return Keyring(tuple(trusted), bool(trusted), (AuditFinding(FindingKind.KEY, "key.none"),))
    store = bundle.header.origin.rpartition("/")[0]
    chain = [ChainKey(each.public, each.since_ms, each.statement) for each in bundle.keys]
    broken = tuple(_find_unnamed_keys(chain, store, trusted))
    found = find_trusted_keys(chain, trusted, store)
    named = tuple(dict.fromkeys(each.public for each in chain if each.public in found))
    if not named:
        key = compute_fingerprint(chain[-1].public)[:FINGERPRINT_DIGITS]
        return Keyring(
            tuple(trusted), True, (*broken, AuditFinding(FindingKind.KEY, "key.stranger", params={"key": key}))
        )
    return Keyring((*(key for key in trusted if key not in named), *named), bool(trusted), broken)


def _find_unnamed_keys(chain: Sequence[ChainKey], store: str, trusted: Sequence[bytes]) -> Iterator[AuditFinding]:
    """Yield findings for keys of a chain that no earlier key names and nobody trusts."""
    for at, key in enumerate(chain):
        try:
            successor = (
                verify_statement(key.statement, [before.public for before in chain[:at]], store)
                if key.statement
                else None
            )
        except InvalidNoteError:
            successor = None
        named = successor is not None and (successor.public, successor.since_ms) == (key.public, key.since_ms)
        if not named and (at or key.statement) and key.public not in trusted:
            params = {"key": compute_fingerprint(key.public)[:FINGERPRINT_DIGITS], "number": at + 1}
            yield AuditFinding(FindingKind.KEY, "key.unnamed", params=params)


def check_checkpoints(notes: Iterable[str], keys: Mapping[str, Sequence[bytes]], origin: str) -> CheckedNotes:
    """Return the checkpoints of a match among these notes.

    `keys` are given by the origins that are allowed. `origin` is that of the server where the match is.
    """
    return _check_notes(notes, keys, origin, "checkpoint")


def check_receipts(notes: Iterable[str], keys: Mapping[str, Sequence[bytes]], origin: str) -> CheckedNotes:
    """Return the receipts of a match among these notes.

    A receipt of another match proves nothing about this one, and is a finding.
    """
    return _check_notes(notes, keys, origin, "receipt")


def _check_notes(notes: Iterable[str], keys: Mapping[str, Sequence[bytes]], origin: str, what: str) -> CheckedNotes:
    found, match = CheckedNotes(), origin.rpartition("/")[2]
    for number, note in enumerate(notes, 1):
        about = note.partition("\n")[0]
        params = {"number": number, "about": about[:100], "match": match}
        if about.rpartition("/")[2] != match:
            found.findings.append(AuditFinding(FindingKind.VERSION, f"{what}.of_another", params=params))
            continue
        whose = about if about in keys else origin
        try:
            found.good.append(verify_note(note, keys.get(whose, ()), whose))
        except InvalidNoteError as wrong:
            params["detail"] = str(wrong)
            found.findings.append(AuditFinding(FindingKind.SIGNATURE, f"{what}.unsigned", params=params))
    return found
