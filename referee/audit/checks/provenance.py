"""Where a match was: each server must vouch for the part that was written there.

The log says when the match left one server and arrived at another. A server that takes a match in binds itself to all
before it: the root, and the keys of the server that the match came from. So a checker who trusts the last server can
trust those before it in this match. A server vouches for the next one only if it named that server's key when it
released the match.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from referee.audit.bundles import envelopes
from referee.audit.bundles.export import MOVING
from referee.audit.bundles.format import Bundle
from referee.audit.checks.findings import AuditFinding, FindingKind
from referee.audit.checks.signatures import (
    FINGERPRINT_DIGITS,
    KEY_BYTES,
    Keyring,
    build_keyring,
    compute_fingerprint,
)
from referee.transparency.key_chain import ChainKey, find_trusted_keys
from referee.transparency.receipts import InvalidNoteError, verify_note

MOVED, ARRIVED = "table.MatchMoved", "table.MatchArrived"
KeysByServer = Mapping[str, Sequence[bytes]]  # by store


@dataclass(frozen=True)
class ServerStay:
    """The entries of a match on one server, from `first` to `last`, by which it left.

    `last` is None if it is still there. `store` is the server that the leaving event names, or else the arriving event.
    It is empty for a match that never moved. `moved` and `arrived` are the events, as JSON data.
    """

    first: int
    store: str = ""
    last: int | None = None
    arrived: Mapping[str, Any] = field(default_factory=dict)
    moved: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Signers:
    """Who may sign a bundle.

    That is: its stays, the keys that count, by server and by origin, and what is wrong with them.
    """

    stays: list[ServerStay]
    ring: Keyring
    by_server: dict[str, Sequence[bytes]]
    by_origin: dict[str, Sequence[bytes]]
    findings: tuple[AuditFinding, ...]


def find_signers(bundle: Bundle, entries: Sequence[Mapping[str, Any]], trusted: Sequence[bytes]) -> Signers:
    """Return the keys that may sign a bundle with these envelopes."""
    stays = list_stays(entries)
    ring = build_keyring(bundle, [*trusted, *find_named_keys(stays, bundle, trusted)])
    keys, unnamed = collect_server_keys(stays, bundle, ring, trusted)
    return Signers(stays, ring, keys, map_keys_by_origin(keys, bundle), (*ring.findings, *unnamed))


def list_stays(entries: Sequence[Mapping[str, Any]]) -> list[ServerStay]:
    """Return the stays of a match in order, from its envelopes, sound or not."""
    found = [ServerStay(1)]
    for entry in entries:
        version = entry["version"]
        for event in entry["events"]:
            kind = event.get("type") if isinstance(event, dict) else None
            now = found[-1]
            if kind == MOVED and now.last is None:
                found[-1] = ServerStay(now.first, str(event.get("store")), version, now.arrived, event)
            elif kind == ARRIVED:
                found.append(ServerStay(version, str(event.get("store")), None, event))
    return found


def parse_envelopes(bundle: Bundle) -> list[dict[str, Any]]:
    """Return the envelopes of a sound bundle as data."""
    return [envelopes.parse_envelope(line.envelope) for line in bundle.entries]


def check_transfers(
    entries: Sequence[Mapping[str, Any]], roots: Sequence[bytes], bundle: Bundle
) -> Iterator[AuditFinding]:
    """Yield findings for moves that do not fit.

    A match leaves, and arrives with the very next entry. Nothing else comes in between. `roots` are those over the
    first 1, 2, ... entries.
    """
    departure: Mapping[str, Any] | None = None
    for entry in entries:
        version = entry["version"]
        kinds = [
            event for event in entry["events"] if isinstance(event, dict) and event.get("type") in (MOVED, ARRIVED)
        ]
        arrives = bool(kinds) and kinds[0]["type"] == ARRIVED
        if len(kinds) > 1 or arrives != (departure is not None):
            yield AuditFinding(FindingKind.VERSION, "home.order", version)
            return
        if departure is not None:
            arrival = kinds[0]
            if arrival.get("came_from") != departure.get("store"):
                yield AuditFinding(
                    FindingKind.VERSION, "home.another", version, {"said": str(arrival.get("came_from"))[:100]}
                )
            if arrival.get("root") != roots[version - 2].hex():
                yield AuditFinding(FindingKind.ROOT, "home.root", version)
        departure = kinds[0] if kinds and not arrives else None
    yield from _check_header_server(list_stays(entries), bundle)


def _check_header_server(found: Sequence[ServerStay], bundle: Bundle) -> Iterator[AuditFinding]:
    """Yield a finding if the header does not name the server where the match is.

    The public sees a match late, so its bundle may end in an earlier stay and still come from the present server.
    """
    last, store = found[-1], bundle.header.origin.rpartition("/")[0]
    if last.store and last.store != store and bundle.header.eyes != "public":
        yield AuditFinding(
            FindingKind.VERSION, "header.claims", last.first, {"field": "origin", "claimed": store[:100]}
        )


def find_named_keys(found: Sequence[ServerStay], bundle: Bundle, trusted: Sequence[bytes]) -> list[bytes]:
    """Return the keys of next servers that a vouched-for server named at release."""
    more: list[bytes] = []
    for stay in found:
        to = _parse_key(stay.moved.get("to"))
        if to is not None and _is_stay_vouched(bundle, stay, [*trusted, *more]):
            more.append(to)
    return more


def _is_stay_vouched(bundle: Bundle, stay: ServerStay, trusted: Sequence[bytes]) -> bool:
    """Return whether a trusted key, or one that it names, signed the end of a stay."""
    known = (
        find_trusted_keys(find_key_chain(bundle, stay.store), trusted, stay.store) if trusted else frozenset[bytes]()
    )
    return any(is_stay_signed(note, bundle, stay, known) for note in _list_notes(bundle))


def find_key_chain(bundle: Bundle, store: str) -> list[ChainKey]:
    """Return the keys of a server, as a bundle lists them."""
    if store == bundle.header.origin.rpartition("/")[0]:
        return [ChainKey(each.public, each.since_ms, each.statement) for each in bundle.keys]
    return [ChainKey(each.public, each.since_ms, each.statement) for each in bundle.former if each.store == store]


def collect_server_keys(
    found: Sequence[ServerStay], bundle: Bundle, ring: Keyring, trusted: Sequence[bytes]
) -> tuple[dict[str, Sequence[bytes]], list[AuditFinding]]:
    """Return the keys that count for each server where the match was, and findings.

    Those are the keys that the next server bound itself to when the match arrived, and the trusted ones. `ring` holds
    those of the server that the header names.
    """
    own = bundle.header.origin.rpartition("/")[0]
    keys: dict[str, list[bytes]] = {own: list(ring.keys)}
    wrong: list[AuditFinding] = []
    for stay, after in pairwise(found):
        bound = [key for each in _as_list(after.arrived.get("their_keys")) if (key := _parse_key(each)) is not None]
        listed = {each.public for each in find_key_chain(bundle, stay.store)}
        for key in bound:
            if key not in listed:
                params = {"key": compute_fingerprint(key)[:FINGERPRINT_DIGITS], "store": stay.store[:100]}
                wrong.append(AuditFinding(FindingKind.KEY, "home.key", after.first, params))
        here = _parse_key(after.arrived.get("key"))
        if here is None or here not in {each.public for each in find_key_chain(bundle, after.store)}:
            params = {
                "key": "–" if here is None else compute_fingerprint(here)[:FINGERPRINT_DIGITS],
                "store": after.store[:100],
            }
            wrong.append(AuditFinding(FindingKind.KEY, "home.key", after.first, params))
        to = _parse_key(stay.moved.get("to"))
        if to is not None and to not in {each.public for each in find_key_chain(bundle, after.store)}:
            params = {"key": compute_fingerprint(to)[:FINGERPRINT_DIGITS], "store": after.store[:100]}
            wrong.append(AuditFinding(FindingKind.KEY, "home.not_for", after.first, params))
        known = keys.setdefault(stay.store, [])
        known += [key for key in (*bound, *trusted) if key not in known]
    return dict(keys), wrong


def find_unsigned_stays(found: Sequence[ServerStay], bundle: Bundle, keys: KeysByServer) -> Iterator[AuditFinding]:
    """Yield findings for stays whose last entry no checkpoint of that server covers."""
    for stay in found[:-1]:
        known = keys.get(stay.store, ())
        if stay.last is not None and not any(is_stay_signed(note, bundle, stay, known) for note in _list_notes(bundle)):
            params = {"store": stay.store[:100], "found": stay.last}
            yield AuditFinding(FindingKind.SIGNATURE, "home.unsigned", stay.last, params)


def check_payload(bundle: Bundle, last: ServerStay) -> list[AuditFinding]:
    """Return findings unless the transfer payload is the one named by the last entry.

    Only a file for the server to which a match goes has one.
    """
    packed = "".join(line.text for line in bundle.payload)
    if bundle.header.eyes != MOVING:
        return [AuditFinding(FindingKind.OPENING, "luggage.not_here")] if packed else []
    if hashlib.sha256(packed.encode("utf-8", "replace")).hexdigest() != last.moved.get("luggage"):
        return [AuditFinding(FindingKind.OPENING, "luggage.other", last.last)]
    return []


def is_stay_signed(note: str, bundle: Bundle, stay: ServerStay, keys: Sequence[bytes] | frozenset[bytes]) -> bool:
    """Return whether one of these keys signed the end of a stay in this note.

    Its root is checked elsewhere.
    """
    try:
        checkpoint = verify_note(note, keys, f"{stay.store}/{_get_match_name(bundle)}")
    except InvalidNoteError:
        return False
    return checkpoint.size == stay.last


def map_keys_by_origin(keys: KeysByServer, bundle: Bundle) -> dict[str, Sequence[bytes]]:
    """Return the keys by the origin of checkpoints."""
    return {f"{store}/{_get_match_name(bundle)}": known for store, known in keys.items()}


def _get_match_name(bundle: Bundle) -> str:
    """Return the match as its checkpoints name it."""
    return bundle.header.origin.rpartition("/")[2]


def _list_notes(bundle: Bundle) -> list[str]:
    return [line.note for line in bundle.checkpoints]


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _parse_key(text: Any) -> bytes | None:
    """Return a public key in hex as bytes, or None if it is none."""
    try:
        found = bytes.fromhex(text)
    except (TypeError, ValueError):
        return None
    return found if len(found) == KEY_BYTES else None
