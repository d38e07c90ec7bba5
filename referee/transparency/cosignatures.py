"""Cosignatures: others say that they saw a log, and that it only grew.

The forms are C2SP tlog-cosignature, with Ed25519, and the request of C2SP tlog-witness. A cosignature is one more
signature line of a checkpoint, under the name of the witness.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from referee.transparency.merkle import Hash
from referee.transparency.receipts import (
    DASH,
    ROOT_BYTES,
    InvalidNoteError,
    Signer,
    decode_base64,
    is_note_name,
    split_note,
)

COSIGNATURE = b"\x04"  # the signature type of an Ed25519 cosignature
TIME_BYTES, SIGNATURE_BYTES = 8, 64
LATEST_TIME = 2**63 - 1  # s since 1970
MOST_PROOF_LINES = 63
OLD_LINE = re.compile(r"old (0|[1-9][0-9]{0,18})")


@dataclass(frozen=True, slots=True)
class WitnessKey:
    """A witness as others know it: its name and its public key."""

    name: str
    public: bytes

    @property
    def key_id(self) -> bytes:
        """The four bytes by which a cosignature names the key."""
        return hashlib.sha256(self.name.encode() + b"\n" + COSIGNATURE + self.public).digest()[:4]

    def encode(self) -> str:
        """Return the key in the form of signed-note tools (C2SP, Verifier keys)."""
        return f"{self.name}+{self.key_id.hex()}+{base64.b64encode(COSIGNATURE + self.public).decode()}"


@dataclass(frozen=True, slots=True)
class Cosignature:
    """Who cosigned, and when (s since 1970)."""

    witness: WitnessKey
    at_s: int


@dataclass(frozen=True, slots=True)
class AddCheckpoint:
    """A request to a witness: the size that it knows, the proof since, the checkpoint."""

    old: int
    proof: tuple[Hash, ...]
    note: str

    def encode(self) -> bytes:
        """Return the body of the request."""
        lines = [f"old {self.old}", *(base64.b64encode(each).decode() for each in self.proof)]
        return ("\n".join(lines) + "\n\n" + self.note).encode()


def parse_witness_key(text: str) -> WitnessKey:
    """Return a witness's verifier key. Raises ValueError if it is none."""
    name, _, rest = text.strip().partition("+")
    key_id, _, encoded = rest.partition("+")
    try:
        raw = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if raw[:1] != COSIGNATURE or len(raw) != 33 or not is_note_name(name):
        raise ValueError("a witness's key is `name+id+key` with a key for cosignatures (type 4)")
    found = WitnessKey(name, raw[1:])
    if found.key_id.hex() != key_id:
        raise ValueError("the id in the witness's key is not that of its name and key")
    return found


# -- signing and checking ----------------------------------------------------------------------------------------------


def cosign(signer: Signer, name: str, text: str, at_s: int) -> str:
    """Return the signature line of a witness under the text of a checkpoint."""
    signature = signer.sign_bytes(_render_message(text, at_s))
    stamped = WitnessKey(name, signer.public).key_id + at_s.to_bytes(TIME_BYTES, "big") + signature
    return f"{DASH}{name} {base64.b64encode(stamped).decode()}\n"


def _render_message(text: str, at_s: int) -> bytes:
    return f"cosignature/v1\ntime {at_s}\n{text}".encode()


def find_cosignatures(note: str, witnesses: Iterable[WitnessKey]) -> tuple[Cosignature, ...]:
    """Return which of these witnesses cosigned a checkpoint.

    Lines of others are skipped. Raises InvalidNoteError if the note is malformed, or a line of one of these witnesses
    does not fit the text.
    """
    text, signatures = split_note(note)
    known = {(each.name, each.key_id): each for each in witnesses}
    found = list[Cosignature]()
    for name, key_id, signature in signatures:
        witness = known.get((name, key_id))
        if witness is None:
            continue
        at_s = int.from_bytes(signature[:TIME_BYTES], "big")
        if len(signature) != TIME_BYTES + SIGNATURE_BYTES or at_s > LATEST_TIME:
            raise InvalidNoteError(f"the cosignature of {name} is malformed")
        try:
            public = Ed25519PublicKey.from_public_bytes(witness.public)
            public.verify(signature[TIME_BYTES:], _render_message(text, at_s))
        except (InvalidSignature, ValueError):
            raise InvalidNoteError(f"the cosignature of {name} does not fit the checkpoint") from None
        found.append(Cosignature(witness, at_s))
    return tuple(found)


def list_unknown_signers(note: str, witnesses: Iterable[WitnessKey]) -> tuple[str, ...]:
    """Return the names of unknown signers of a checkpoint.

    Known are the log and these witnesses. Raises InvalidNoteError.
    """
    text, signatures = split_note(note)
    known = {(each.name, each.key_id) for each in witnesses}
    log = text.partition("\n")[0]
    others = (name for name, key_id, _ in signatures if name != log and (name, key_id) not in known)
    return tuple(dict.fromkeys(others))


def list_signature_lines(note: str) -> tuple[str, tuple[str, ...]]:
    """Return the text of a note and its signature lines. Raises InvalidNoteError."""
    text, _ = split_note(note)
    return text, tuple(f"{line}\n" for line in note[len(text) + 1 : -1].split("\n"))


# -- the request -------------------------------------------------------------------------------------------------------


def parse_add_checkpoint(body: bytes) -> AddCheckpoint:
    """Return what a request says. Nothing is checked yet.

    Raises InvalidNoteError if it is malformed.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise InvalidNoteError("the request is no text") from None
    head, blank, note = text.partition("\n\n")
    first, *lines = head.split("\n")
    old = OLD_LINE.fullmatch(first)
    if old is None or not blank or len(lines) > MOST_PROOF_LINES:
        raise InvalidNoteError(
            "a request has the line `old SIZE`, at most 63 lines of proof, an empty line, a checkpoint"
        )
    split_note(note)
    return AddCheckpoint(int(old[1]), _decode_proof(lines), note)


def _decode_proof(lines: Sequence[str]) -> tuple[Hash, ...]:
    found = tuple(map(decode_base64, lines))
    if any(len(each) != ROOT_BYTES for each in found):
        raise InvalidNoteError("a line of the proof is no hash")
    return found
