"""The chain of signing keys, each naming the next, and the leaves of the root log.

A client that trusts one key can trust all that come after it, because each key signs a note that names its successor.
The chain is part of the root log, so this module also says what the leaves of that log hold.

The statement by which a key names the next is a C2SP signed note under the name `<store id>/keys`, of three lines. It
is never a checkpoint:

    <store id>/keys
    next key ed25519 <the public key's 32 bytes, in base64>
    since <ms since 1970>

A leaf is canonical JSON, with keys and roots in hex. There are two kinds:

- `{"kind":"key","public","previous","since_ms","statement"}`. `previous` is empty for the first key. `statement` is
  empty for the first key and for a key that no other vouches for.
- `{"kind":"root","match","size","root","status"}`: the root of a match after that many entries.

Everything here is pure: a verifier needs no more than this file and receipts.py.
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
    """A public key that signs since a time (ms).

    `statement` is the note by which the key before named it. It is empty for the first key, and for one that no other
    vouches for.
    """

    public: bytes
    since_ms: int
    statement: str = ""


@dataclass(frozen=True, slots=True)
class RootLeaf:
    """The root over a match's first `size` entries, and its status by then."""

    match: str
    size: int
    root: bytes
    status: str


# -- naming a successor ------------------------------------------------------------------------------------------------


def build_chain_name(store: str) -> str:
    """Return the name under which a store's keys name each other."""
    return f"{store}/keys"


def render_statement(store: str, public: bytes, since_ms: int) -> str:
    """Return the text that a key signs to name the next one.

    Raises ValueError if key or time cannot be stated.
    """
    if len(public) != KEY_BYTES or since_ms < 0:
        raise ValueError("a key has 32 bytes, and a time from 0")
    return f"{build_chain_name(store)}\nnext key ed25519 {base64.b64encode(public).decode()}\nsince {since_ms}\n"


def sign_statement(signer: Signer, store: str, public: bytes, since_ms: int) -> str:
    """Return the note by which the signer's key names its successor."""
    return signer.sign_note(build_chain_name(store), render_statement(store, public, since_ms))


def verify_statement(note: str, keys: Iterable[bytes], store: str | None = None) -> ChainKey:
    """Return the key that a statement names, if one of these public keys signed it.

    With `store`, the statement must be about that store. Raises InvalidNoteError.
    """
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
        raise InvalidNoteError("the note is not in canonical form")
    if store is not None and whose != store:
        raise InvalidNoteError(f"the note is about the keys of {whose}, not of {store}")
    verify_signatures(text, signatures, lines[0], keys)
    return ChainKey(public, int(since[1]), note)


def find_trusted_keys(
    chain: Sequence[ChainKey], anchors: Iterable[bytes] = (), store: str | None = None
) -> frozenset[bytes]:
    """Return the keys of a chain, oldest first, that follow from the anchors.

    Those are the anchors and the keys that a trusted key names. Without anchors, the first key is one.
    """
    trusted = set(anchors) or {key.public for key in chain[:1]}
    for key in chain:
        if key.public in trusted or not key.statement:
            continue
        try:
            named = verify_statement(key.statement, trusted, store)
        except InvalidNoteError:
            continue
        if (named.public, named.since_ms) == (key.public, key.since_ms):
            trusted.add(key.public)
    return frozenset(trusted)


# -- leaves of the root log -------------------------------------------------------------------------------------------


def encode_key_leaf(key: ChainKey, previous: bytes = b"") -> bytes:
    """Return the leaf of a key that follows `previous` (empty: it is the first)."""
    rest = {"since_ms": key.since_ms, "statement": key.statement}
    return encode_canonical({"kind": "key", "public": key.public.hex(), "previous": previous.hex(), **rest})


def encode_root_leaf(leaf: RootLeaf) -> bytes:
    """Return the leaf of a match's root."""
    rest = {"match": leaf.match, "size": leaf.size, "root": leaf.root.hex(), "status": leaf.status}
    return encode_canonical({"kind": "root", **rest})


def decode_leaf(data: bytes) -> ChainKey | RootLeaf:
    """Return what a leaf says.

    Raises ValueError if it is no leaf, or not in canonical form.
    """
    try:
        decoded = json.loads(data)
        found = _parse_leaf(decoded)
    except (KeyError, TypeError, AttributeError, UnicodeDecodeError) as wrong:
        raise ValueError("this is no leaf of a root log") from wrong
    again = (
        encode_root_leaf(found)
        if isinstance(found, RootLeaf)
        else encode_key_leaf(found, bytes.fromhex(decoded["previous"]))
    )
    if again != data:
        raise ValueError("the leaf is not in canonical form")
    return found


def _parse_leaf(data: Any) -> ChainKey | RootLeaf:
    if data["kind"] == "key":
        return ChainKey(bytes.fromhex(data["public"]), int(data["since_ms"]), str(data["statement"]))
    if data["kind"] == "root":
        return RootLeaf(str(data["match"]), int(data["size"]), bytes.fromhex(data["root"]), str(data["status"]))
    raise ValueError("this is no leaf of a root log")
