"""Who vouches for a bundle: the chain of its keys, and the notes that they signed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from referee.audit.bundles.format import Bundle
from referee.audit.checks.findings import Finding, Kind
from referee.transparency.key_chain import ChainKey, named_by, vouched
from referee.transparency.receipts import BadNote, Checkpoint, verify_note

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
    """The keys to check a bundle with: those that were given and what they name; else the first that it names itself,
    and what that one names."""
    if malformed := [at for at, each in enumerate(bundle.keys, 1) if len(each.public) != KEY_BYTES]:
        wrong = tuple(Finding(Kind.KEY, "key.malformed", params={"number": at}) for at in malformed)
        return Keyring(tuple(trusted), bool(trusted), wrong)
    if not bundle.keys:
        return Keyring(tuple(trusted), bool(trusted), (Finding(Kind.KEY, "key.none"),))
    store = bundle.header.origin.rpartition("/")[0]
    chain = [ChainKey(each.public, each.since_ms, each.statement) for each in bundle.keys]
    broken = tuple(_broken(chain, store, trusted))
    known = vouched(chain, trusted, store)
    named = tuple(dict.fromkeys(each.public for each in chain if each.public in known))
    if not named:
        key = fingerprint(chain[-1].public)[:SHOWN]
        return Keyring(tuple(trusted), True, (*broken, Finding(Kind.KEY, "key.stranger", params={"key": key})))
    return Keyring((*(key for key in trusted if key not in named), *named), bool(trusted), broken)


def _broken(chain: Sequence[ChainKey], store: str, trusted: Sequence[bytes]) -> Iterator[Finding]:
    """The keys of a chain that none before them has named, and that nobody has given."""
    for at, key in enumerate(chain):
        try:
            told = named_by(key.statement, [before.public for before in chain[:at]], store) if key.statement else None
        except BadNote:
            told = None
        named = told is not None and (told.public, told.since_ms) == (key.public, key.since_ms)
        if not named and (at or key.statement) and key.public not in trusted:
            params = {"key": fingerprint(key.public)[:SHOWN], "number": at + 1}
            yield Finding(Kind.KEY, "key.unnamed", params=params)


def checkpoints(notes: Iterable[str], keys: Mapping[str, Sequence[bytes]], origin: str) -> Notes:
    """The checkpoints of a match that these notes are; `keys` by the origins that they may have, `origin` the one of
    the server where the match is."""
    return _looked_at(notes, keys, origin, "checkpoint")


def receipts(notes: Iterable[str], keys: Mapping[str, Sequence[bytes]], origin: str) -> Notes:
    """The receipts of a match among these notes; one of another match says nothing about this one, and that is said."""
    return _looked_at(notes, keys, origin, "receipt")


def _looked_at(notes: Iterable[str], keys: Mapping[str, Sequence[bytes]], origin: str, what: str) -> Notes:
    found, match = Notes(), origin.rpartition("/")[2]
    for number, note in enumerate(notes, 1):
        about = note.partition("\n")[0]
        params = {"number": number, "about": about[:100], "match": match}
        if about.rpartition("/")[2] != match:
            found.findings.append(Finding(Kind.VERSION, f"{what}.of_another", params=params))
            continue
        whose = about if about in keys else origin
        try:
            found.good.append(verify_note(note, keys.get(whose, ()), whose))
        except BadNote as wrong:
            params["detail"] = str(wrong)
            found.findings.append(Finding(Kind.SIGNATURE, f"{what}.unsigned", params=params))
    return found
