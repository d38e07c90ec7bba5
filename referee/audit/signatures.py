"""Who vouches for a bundle: the chain of its keys, and the notes that they signed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from referee.audit.bundle import Bundle, KeyLine
from referee.audit.findings import Finding, Kind
from referee.hosting.signing import BadNote, Checkpoint, verify_note

KEY_BYTES = 32
SHOWN = 16  # digits of a fingerprint that people compare


@dataclass(frozen=True)
class Keyring:
    """The keys that signatures of a bundle are checked with. `trusted`: whether they were given from outside, or named
    by such in a chain."""

    keys: tuple[bytes, ...]
    trusted: bool
    findings: tuple[Finding, ...] = ()


@dataclass
class Notes:
    """Notes that were looked at: the checkpoints that a key has signed, and what is wrong with the others."""

    good: list[Checkpoint] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def fingerprint(public: bytes) -> str:
    """The name of a key, whatever the match: its SHA-256 in hex."""
    return hashlib.sha256(public).hexdigest()


def keyring(bundle: Bundle, trusted: Sequence[bytes]) -> Keyring:
    """The keys to check a bundle with: those that were given and their successors; else those that it names itself."""
    wrong = list(_broken(bundle.keys))
    if not bundle.keys:
        wrong.append(Finding(Kind.KEY, "key.none"))
    if wrong:
        return Keyring(tuple(trusted), bool(trusted), tuple(wrong))
    named = [each.public for each in bundle.keys]
    if not trusted:
        return Keyring(tuple(named), False)
    first = next((at for at, public in enumerate(named) if public in trusted), None)
    if first is None:
        key = fingerprint(named[-1])[:SHOWN]
        return Keyring(tuple(trusted), True, (Finding(Kind.KEY, "key.stranger", params={"key": key}),))
    return Keyring((*trusted, *(public for public in named[first:] if public not in trusted)), True)


def _broken(keys: Sequence[KeyLine]) -> Iterator[Finding]:
    """The keys that are none, or that the one before did not name."""
    for number, each in enumerate(keys, 1):
        if len(each.public) != KEY_BYTES or (number == 1) != (each.statement == ""):
            yield Finding(Kind.KEY, "key.malformed", params={"number": number})
        elif number > 1 and not names(keys[number - 2].public, each):
            key = fingerprint(each.public)[:SHOWN]
            yield Finding(Kind.KEY, "key.unnamed", params={"key": key, "number": number})


def names(_before: bytes, _after: KeyLine) -> bool:
    """Whether the key before signed the statement that names the one after it."""
    return False


def checkpoints(notes: Iterable[str], ring: Keyring, origin: str) -> Notes:
    """The checkpoints of a log that these notes are."""
    found = Notes()
    for number, note in enumerate(notes, 1):
        try:
            found.good.append(verify_note(note, ring.keys, origin))
        except BadNote as wrong:
            params = {"number": number, "detail": str(wrong)}
            found.findings.append(Finding(Kind.SIGNATURE, "checkpoint.unsigned", params=params))
    return found


def receipts(notes: Iterable[str], ring: Keyring, origin: str) -> Notes:
    """The receipts of a match among these notes; one of another match says nothing about this one, and that is said."""
    found, match = Notes(), origin.rpartition("/")[2]
    for number, note in enumerate(notes, 1):
        about = note.partition("\n")[0]
        params = {"number": number, "about": about[:100], "match": match}
        if about.rpartition("/")[2] != match:
            found.findings.append(Finding(Kind.VERSION, "receipt.of_another", params=params))
            continue
        try:
            found.good.append(verify_note(note, ring.keys, origin))
        except BadNote as wrong:
            params["detail"] = str(wrong)
            found.findings.append(Finding(Kind.SIGNATURE, "receipt.unsigned", params=params))
    return found
