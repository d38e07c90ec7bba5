"""Asks witnesses for cosignatures of the root log, and keeps what they answer.

One file in the data directory holds the newest checkpoint that a witness cosigned. The protocol is C2SP tlog-witness.
"""

from __future__ import annotations

import contextlib
import logging
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.infrastructure.errors import HostError
from referee.infrastructure.publication.http_post import SECONDS, Answer, PeerError, post_bytes
from referee.infrastructure.root_publisher import RootPublisher
from referee.infrastructure.secrets import write_private_file
from referee.transparency.cosignatures import (
    AddCheckpoint,
    Cosignature,
    WitnessKey,
    find_cosignatures,
    list_signature_lines,
)
from referee.transparency.receipts import InvalidNoteError, parse_checkpoint, split_note

LOGGER = logging.getLogger(__name__)
COSIGNED_FILE = "cosigned-roots"
PATH = "/add-checkpoint"
TEXT_TYPE, SIZE_TYPE = "text/plain; charset=utf-8", "text/x.tlog.size"
MOST_BYTES = 16 * 1024  # of an answer
MOST_FILE_BYTES = 64 * 1024
CLOCK_DIFFERENCE_S = 600  # how far the clock of a witness may be off from the one here


class WitnessError(HostError):
    """A witness does not cosign, or not rightly."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness: the address of its service, and its key."""

    url: str
    key: WitnessKey


class CosignedFile:
    """The newest checkpoint with the signature lines of witnesses, in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> str:
        """Return the cosigned checkpoint, or nothing.

        What cannot be read counts as nothing and is logged: without it, a checkpoint has fewer signatures, and is as
        true as before.
        """
        try:
            with self._path.open(encoding="utf-8") as file:
                return file.read(MOST_FILE_BYTES)
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as wrong:
            LOGGER.error("the cosigned checkpoint cannot be read: %s", wrong)
            return ""

    def add_lines(self, note: str) -> str:
        """Return the note with the lines of those who cosigned its text."""
        kept = self.read()
        text, own = list_signature_lines(note)
        if not kept.startswith(f"{text}\n"):
            return note
        try:
            _, lines = list_signature_lines(kept)
        except InvalidNoteError as wrong:
            LOGGER.error("the cosigned checkpoint is malformed: %s", wrong)
            return note
        return note + "".join(line for line in lines if line not in own)

    def read_size(self) -> int:
        """Return the size of the log at the cosigned checkpoint; 0 if there is none."""
        try:
            return parse_checkpoint(split_note(kept)[0]).size if (kept := self.read()) else 0
        except InvalidNoteError as wrong:
            LOGGER.error("the cosigned checkpoint is malformed: %s", wrong)
            return 0

    def write(self, text: str, lines: Sequence[str]) -> None:
        """Keep the lines of witnesses under the text of a checkpoint. Raises HostError."""
        try:
            write_private_file(self._path, f"{text}\n{''.join(lines)}".encode(), replace=True)
        except OSError as wrong:
            raise HostError(f"{self._path} cannot be written: {wrong.strerror}") from wrong

    def find_size(self, witness: WitnessKey) -> int:
        """Return the size that a witness cosigned last, as far as the file tells."""
        kept = self.read()
        with contextlib.suppress(InvalidNoteError):
            if kept and find_cosignatures(kept, [witness]):
                return int(split_note(kept)[0].split("\n")[1])
        return 0


def collect_cosignatures(
    publisher: RootPublisher, file: CosignedFile, witnesses: Sequence[Witness], *, seconds: float = SECONDS
) -> tuple[str, list[Cosignature], list[WitnessError | PeerError]]:
    """Ask witnesses to cosign the root log as it is, and keep what they sign.

    Return the cosigned checkpoint, the cosignatures, and why some are missing. One witness does not depend on another.
    Raises HostError, StoreUnavailable.
    """
    size, _, note = publisher.sign_checkpoint()
    text, lines = list_signature_lines(note)
    own = f"{text}\n{lines[0]}"  # as the log signs it; further lines are of those who cosigned it before
    kept = list(lines[1:])
    found, failed = list[Cosignature](), list[WitnessError | PeerError]()
    for witness in witnesses:
        try:
            line, cosignature = _ask(publisher, witness, own, size, file.find_size(witness.key), seconds)
        except (WitnessError, PeerError) as wrong:
            failed.append(wrong)
            continue
        name = line.split(" ")[1]
        kept = [each for each in kept if each.split(" ")[1] != name] + [line]
        found.append(cosignature)
    if found:
        file.write(text, kept)
    return own + "".join(kept), found, failed


def _ask(
    publisher: RootPublisher, witness: Witness, note: str, size: int, known: int, seconds: float
) -> tuple[str, Cosignature]:
    """Return the line of a witness, checked."""
    answer = _send(publisher, witness, note, size, min(known, size), seconds)
    if answer.status == 409 and answer.media_type == SIZE_TYPE:  # it has seen another size, and says which
        seen = _parse_size(witness, answer)
        if seen > size:
            raise WitnessError(
                f"{witness.key.name} has cosigned {seen} leaves, and this log has only {size}: it was rolled back"
            )
        answer = _send(publisher, witness, note, size, seen, seconds)
    if answer.status != 200:
        raise WitnessError(f"{witness.key.name} does not cosign: {_explain(answer)}")
    return _read_line(witness, note, answer)


def _send(publisher: RootPublisher, witness: Witness, note: str, size: int, old: int, seconds: float) -> Answer:
    proof = publisher.prove_consistency(old, size) if old else ()
    body = AddCheckpoint(old, proof, note).encode()
    return post_bytes(witness.url.rstrip("/") + PATH, body, TEXT_TYPE, most_bytes=MOST_BYTES, seconds=seconds)


def _parse_size(witness: Witness, answer: Answer) -> int:
    if not re.fullmatch(rb"(0|[1-9][0-9]{0,18})\n", answer.body):
        raise WitnessError(f"{witness.key.name} answered with no size")
    return int(answer.body)


def _explain(answer: Answer) -> str:
    meaning = {
        403: "it does not trust the key of this log",
        404: "it does not know this log",
        409: "it has seen another root of this size, or somebody else asked at the same time",
        422: "the proof that the log only grew does not hold for what it has seen",
    }
    return f"status {answer.status}" + (f", {meaning[answer.status]}" if answer.status in meaning else "")


def _read_line(witness: Witness, note: str, answer: Answer) -> tuple[str, Cosignature]:
    """Return the signature line of the witness in an answer, checked.

    Lines of others are left out.
    """
    text = split_note(note)[0]
    try:
        for line in answer.body.decode().splitlines(keepends=True):
            if found := find_cosignatures(f"{text}\n{line}", [witness.key]):
                break
        else:
            raise WitnessError(f"{witness.key.name} answered without a cosignature by its key")
    except (InvalidNoteError, UnicodeDecodeError) as wrong:
        raise WitnessError(f"{witness.key.name} gave no valid cosignature: {wrong}") from wrong
    off = found[0].at_s - time.time()
    if abs(off) > CLOCK_DIFFERENCE_S:
        raise WitnessError(f"{witness.key.name} cosigned with a time that is {off:+.0f} s off")
    return line, found[0]
