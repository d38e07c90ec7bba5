"""Receipts: signed checkpoints of a match's Merkle tree.

Their form is a C2SP tlog-checkpoint in a C2SP signed-note, signed by Ed25519. A receipt's text is three lines: the log
(`<store id>/<match>`), the number of its entries, and the root over them.

Ed25519 is deterministic, so a repeated commit gets the same receipt. Keys are PKCS#8 in PEM: a player can check a
receipt with `openssl` alone. A verifier needs the public key and this file's `verify_note`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

ED25519 = b"\x01"  # the signature type of C2SP signed-note
ROOT_BYTES = 32
MAX_NOTE_CHARACTERS = 64 * 1024
DASH = "\N{EM DASH} "
NoteSignature = tuple[str, bytes, bytes]  # the name that signed, the id of its key, and the signature itself


class InvalidNoteError(Exception):
    """A note is malformed, or no trusted key signed it; the message says which."""


@dataclass(frozen=True)
class Checkpoint:
    """What a verified receipt says: the log `origin` had this size and this root."""

    origin: str
    size: int
    root: bytes


class Signer:
    """A signing key, and what a verifier must know of it."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public: bytes = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    @classmethod
    def generate(cls) -> Signer:
        """Return a signer with a fresh key that is stored nowhere."""
        return cls(Ed25519PrivateKey.generate())

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the public key, which names the key in every match."""
        return hashlib.sha256(self.public).hexdigest()

    def encode_public_pem(self) -> str:
        """Return the public key as `openssl pkeyutl -verify -pubin` reads it."""
        return encode_pem(self.public)

    def sign_receipt(self, origin: str, size: int, root: bytes) -> str:
        """Return the signed checkpoint. Raises ValueError if no checkpoint can hold this."""
        return self.sign_note(origin, render_checkpoint(Checkpoint(origin, size, root)))

    def sign_note(self, name: str, text: str) -> str:
        """Return the text as a note that this key has signed under a name.

        The last line of the text must end in a line break.
        """
        signature = compute_key_id(name, self.public) + self.sign_bytes(text.encode())
        return f"{text}\n{DASH}{name} {base64.b64encode(signature).decode()}\n"

    def sign_bytes(self, message: bytes) -> bytes:
        """Return the bare signature over a message, 64 bytes."""
        return self._key.sign(message)

    def encode_verifier_key(self, origin: str) -> str:
        """Return the public key in the form of signed-note tools.

        That is `<name>+<key id>+<type and public key>`.
        """
        return encode_verifier_key(origin, self.public)


def generate_key() -> bytes:
    """Return a fresh key, PKCS#8 in PEM, unencrypted: the mode of its file guards it."""
    return Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def encode_pem(public: bytes) -> str:
    """Return a public key in PEM."""
    key = Ed25519PublicKey.from_public_bytes(public)
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode("ascii")


def encode_verifier_key(name: str, public: bytes) -> str:
    """Return a public key in the form of signed-note tools (C2SP, Verifier keys)."""
    return f"{name}+{compute_key_id(name, public).hex()}+{base64.b64encode(ED25519 + public).decode()}"


@lru_cache(4096)
def compute_key_id(name: str, public: bytes) -> bytes:
    """Return the four bytes by which a signature names its key (C2SP, Signatures)."""
    return hashlib.sha256(name.encode() + b"\n" + ED25519 + public).digest()[:4]


def render_checkpoint(checkpoint: Checkpoint) -> str:
    """Return the text that is signed. Raises ValueError if a part cannot be written."""
    origin = checkpoint.origin
    if not is_note_name(origin):
        raise ValueError(f"an origin is one word without '+': {origin!r}")
    if checkpoint.size < 0 or len(checkpoint.root) != ROOT_BYTES:
        raise ValueError("a checkpoint has a size from 0 and a root of 32 bytes")
    return f"{origin}\n{checkpoint.size}\n{base64.b64encode(checkpoint.root).decode()}\n"


def is_note_name(name: str) -> bool:
    """Return whether this can name a log or a key: one word without '+'."""
    return bool(name) and "+" not in name and not any(each.isspace() or not each.isprintable() for each in name)


def verify_note(note: str, keys: Iterable[bytes], origin: str | None = None) -> Checkpoint:
    """Return what the note says, if one of the public keys (32 bytes each) signed it.

    With `origin`, the checkpoint must be of that log. Raises InvalidNoteError if the note is malformed, none of the
    keys signed it, or a signature by one of them does not fit. Signatures of unknown keys (witnesses, a key's
    successor) are skipped, as the signed-note specification asks.
    """
    text, signatures = split_note(note)
    checkpoint = parse_checkpoint(text)
    if origin is not None and checkpoint.origin != origin:
        raise InvalidNoteError(f"the note is about {checkpoint.origin}, not about {origin}")
    verify_signatures(text, signatures, checkpoint.origin, keys)
    return checkpoint


def split_note(note: str) -> tuple[str, tuple[NoteSignature, ...]]:
    """Return the text of a note and its unchecked signatures. Raises InvalidNoteError."""
    if len(note) > MAX_NOTE_CHARACTERS:
        raise InvalidNoteError("the note is too long")
    if any(ord(letter) < 0x20 and letter != "\n" for letter in note):
        raise InvalidNoteError("the note holds control characters")
    text, blank, signatures = note.rpartition("\n\n")
    if not blank or not signatures.endswith("\n"):
        raise InvalidNoteError("the note has no signatures")
    return f"{text}\n", tuple(map(_parse_signature, signatures[:-1].split("\n")))


def verify_signatures(text: str, signatures: Iterable[NoteSignature], name: str, keys: Iterable[bytes]) -> bytes:
    """Return the last of these public keys that signed the text under that name.

    Raises InvalidNoteError if none did, or a signature by one of them does not fit.
    """
    known, found = {compute_key_id(name, public): public for public in keys}, b""
    for named, given, signature in signatures:
        if named != name or given not in known:
            continue
        try:
            Ed25519PublicKey.from_public_bytes(known[given]).verify(signature, text.encode())
        except (InvalidSignature, ValueError):
            raise InvalidNoteError("a signature does not fit the text") from None
        found = known[given]
    if not found:
        raise InvalidNoteError("none of the trusted keys has signed this note")
    return found


def parse_checkpoint(text: str) -> Checkpoint:
    """Return the checkpoint of a text: origin, size, root, and extension lines.

    C2SP tlog-checkpoint allows such lines. This server signs none; those of others mean nothing here.
    """
    lines = text.split("\n")
    if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
        raise InvalidNoteError("a receipt has a line each for origin, size and root, and then no empty one")
    if not re.fullmatch("0|[1-9][0-9]{0,18}", lines[1]):
        raise InvalidNoteError("the size is not a plain number")
    checkpoint = Checkpoint(lines[0], int(lines[1]), decode_base64(lines[2]))
    try:
        again = render_checkpoint(checkpoint)
    except ValueError as wrong:
        raise InvalidNoteError(str(wrong)) from wrong
    if not text.startswith(again):
        raise InvalidNoteError("the note is not in canonical form")
    return checkpoint


def _parse_signature(line: str) -> NoteSignature:
    """Split a signature line into name, key id and signature."""
    words = line.removeprefix(DASH).split(" ")
    if not line.startswith(DASH) or len(words) != 2 or not words[0]:
        raise InvalidNoteError("a signature line is malformed")
    signature = decode_base64(words[1])
    if len(signature) < 5:
        raise InvalidNoteError("a signature line is malformed")
    return words[0], signature[:4], signature[4:]


def decode_base64(text: str) -> bytes:
    """Return the bytes if the spelling is canonical, so that a note has only one form."""
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidNoteError("the note is not in base64 where it should be") from None
    if base64.b64encode(found).decode() != text:
        raise InvalidNoteError("the note is not in base64 where it should be")
    return found
