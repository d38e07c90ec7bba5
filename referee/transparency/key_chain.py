"""The chain of keys that sign: each one names the next in a note that it signs, so whoever trusts one can trust all
that come after it. And what the leaves of the log of roots say, of which the chain is a part.

The statement by which a key names the next is a C2SP signed note under the name `<store id>/keys`, of three lines, and
never a checkpoint:

    <store id>/keys
    next key ed25519 <the public key's 32 bytes, in base64>
    since <ms since 1970>

A leaf is canonical JSON: `{"kind":"key","public","previous","since_ms","statement"}` (keys in hex; of the first key
`previous` and `sign_statement` are empty, of one that nothing vouches for the statement is), or
`{"kind":"root","match","size","root","status"}` (the root in hex): what a match came to, after so many entries.

Pure: whoever verifies needs no more than this file and signing.py.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from referee.engine.codec import encode_canonical
from referee.transparency.receipts import InvalidNoteError, Signer, split_note, verify_signatures

KEY_BYTES = 32
NEXT_KEY_LINE = re.compile(r"next key ed25519 ([A-Za-z0-9+/]{43}=)")
SINCE_LINE = re.compile(r"since (0|[1-9][0-9]{0,15})")


@dataclass(frozen=True, slots=True)
class ChainKey:
    """A public key that signs since a time (ms); `sign_statement` is the note by which a key before it named it. Empty
    for the first, and for one that nothing vouches for."""

    public: bytes
    since_ms: int
    statement: str = ""


@dataclass(frozen=True, slots=True)
class RootLeaf:
    """What a match came to: the root over its first `size` entries, and its status by then."""

    match: str
    size: int
    root: bytes
    status: str


# -- naming a successor ------------------------------------------------------------------------------------------------


def build_chain_name(store: str) -> str:
    """The name under which a store's keys name each other."""
    return f"{store}/keys"


def render_statement(store: str, public: bytes, since_ms: int) -> str:
    """What a key signs to name the next one. Raises ValueError where there is no such text."""
    if len(public) != KEY_BYTES or since_ms < 0:
        raise ValueError("a key has 32 bytes, and a time from 0")
    return f"{build_chain_name(store)}\nnext key ed25519 {base64.b64encode(public).decode()}\nsince {since_ms}\n"


def sign_statement(signer: Signer, store: str, public: bytes, since_ms: int) -> str:
    """The note by which the signer's key names its successor."""
    return signer.sign_note(build_chain_name(store), render_statement(store, public, since_ms))


def verify_statement(note: str, keys: Iterable[bytes], store: str | None = None) -> ChainKey:
    """The key that a statement names, once one of these public keys is found to have signed it. Raises
    InvalidNoteError."""
    text, signatures = split_note(note)
    lines = text.split("\n")
    key, since = (
        pattern.fullmatch(lines[at + 1]) if len(lines) == 4 else None
        for at, pattern in enumerate((NEXT_KEY_LINE, SINCE_LINE))
    )
    if key is None or since is None:
        raise InvalidNoteError("the note names no key")
    try:
        public = base64.b64decode(key[1], validate=True)
    except binascii.Error:
        raise InvalidNoteError("the note names no key") from None
    whose = lines[0].removesuffix("/keys")
    if text != render_statement(whose, public, int(since[1])):
        raise InvalidNoteError("the note is not in its one proper form")
    if store is not None and whose != store:
        raise InvalidNoteError(f"the note is about the keys of {whose}, not of {store}")
    verify_signatures(text, signatures, lines[0], keys)
    return ChainKey(public, int(since[1]), note)


def find_trusted_keys(
    chain: Sequence[ChainKey], anchors: Iterable[bytes] = (), store: str | None = None
) -> frozenset[bytes]:
    """The keys of a chain, oldest first, that can be trusted if the anchors can: those, and whatever one of them names.
    Without anchors, the first key is one."""
    known = set(anchors) or {key.public for key in chain[:1]}
    for key in chain:
        if key.public in known or not key.statement:
            continue
        try:
            named = verify_statement(key.statement, known, store)
        except InvalidNoteError:
            continue
        if (named.public, named.since_ms) == (key.public, key.since_ms):
            known.add(key.public)
    return frozenset(known)


# -- leaves of the log of roots ----------------------------------------------------------------------------------------


def encode_key_leaf(key: ChainKey, previous: bytes = b"") -> bytes:
    """The leaf of a key that follows on `previous` (empty: it is the first)."""
    said = {"since_ms": key.since_ms, "statement": key.statement}
    return encode_canonical({"kind": "key", "public": key.public.hex(), "previous": previous.hex(), **said})


def encode_root_leaf(leaf: RootLeaf) -> bytes:
    """The leaf of what a match came to."""
    said = {"match": leaf.match, "size": leaf.size, "root": leaf.root.hex(), "status": leaf.status}
    return encode_canonical({"kind": "root", **said})


def decode_leaf(data: bytes) -> ChainKey | RootLeaf:
    """What a leaf says. Raises ValueError if it is none, or not in its one proper form."""
    try:
        told = json.loads(data)
        found = _parse_leaf(told)
    except (KeyError, TypeError, AttributeError, UnicodeDecodeError) as wrong:
        raise ValueError("no leaf of a log of roots") from wrong
    again = (
        encode_root_leaf(found)
        if isinstance(found, RootLeaf)
        else encode_key_leaf(found, bytes.fromhex(told["previous"]))
    )
    if again != data:
        raise ValueError("a leaf that is not in its one proper form")
    return found


def _parse_leaf(told: Any) -> ChainKey | RootLeaf:
    if told["kind"] == "key":
        return ChainKey(bytes.fromhex(told["public"]), int(told["since_ms"]), str(told["statement"]))
    if told["kind"] == "root":
        return RootLeaf(str(told["match"]), int(told["size"]), bytes.fromhex(told["root"]), str(told["status"]))
    raise ValueError("no leaf of a log of roots")
