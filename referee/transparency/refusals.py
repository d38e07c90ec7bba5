"""Signed refusals: a server's word that it refused a move.

By it a wrong refusal can be proved.

The note is signed under `<store>/refusals` (C2SP signed-note), and its text has these lines:

    <store>/refusals
    <match> <seat> <version upon which it was refused> <root of the log then, in hex>
    <digest of the move, as in a signed move>
    <the clauses, in a row>
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from referee.transparency.receipts import InvalidNoteError, split_note, verify_signatures

NAME = "refusals"
UPON = re.compile(r"(\S+) (0|1?[0-9]) ([1-9][0-9]{0,9}) ([0-9a-f]{64})")
DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a server says that it refused.

    `digest` stands for the move, see `device_signatures`. `store` is the server.
    """

    store: str
    match: str
    seat: int
    version: int
    root: str
    digest: str
    clauses: tuple[str, ...]


def sign_refusal(sign_note: Callable[[str, str], str], refusal: Refusal) -> str:
    """Return a refusal as a note; `sign_note(name, text)` signs it."""
    name = f"{refusal.store}/{NAME}"
    upon = f"{refusal.match} {refusal.seat} {refusal.version} {refusal.root}"
    return sign_note(name, f"{name}\n{upon}\n{refusal.digest}\n{' '.join(refusal.clauses)}\n")


def parse_refusal(note: str) -> Refusal:
    """Return what a note says, without a look at its signatures.

    Raises InvalidNoteError.
    """
    lines = split_note(note)[0].split("\n")
    store, _, kind = lines[0].rpartition("/")
    upon = UPON.fullmatch(lines[1]) if len(lines) == 5 else None
    if upon is None or kind != NAME or not DIGEST.fullmatch(lines[2]) or not lines[3]:
        raise InvalidNoteError("this is no refusal")
    match, seat, version, root = upon.groups()
    return Refusal(store, match, int(seat), int(version), root, lines[2], tuple(lines[3].split(" ")))


def verify_refusal(note: str, keys: Iterable[bytes]) -> Refusal:
    """Return what a note says, if one of these keys of the server signed it.

    Raises InvalidNoteError.
    """
    refusal = parse_refusal(note)
    text, signatures = split_note(note)
    verify_signatures(text, signatures, f"{refusal.store}/{NAME}", keys)
    return refusal
