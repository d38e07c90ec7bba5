"""A witness: cosigns the logs that it is told to watch, as long as they only grow.

It keeps the latest checkpoint of each log in a folder, and writes it before it answers. The protocol is C2SP
tlog-witness.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from referee.infrastructure.disk import sync_to_disk
from referee.infrastructure.errors import HostError
from referee.infrastructure.file_locks import lock_file
from referee.infrastructure.publication.cosigned import PATH, SIZE_TYPE
from referee.infrastructure.secrets import write_private_file
from referee.transparency.cosignatures import AddCheckpoint, WitnessKey, cosign, parse_add_checkpoint
from referee.transparency.merkle import EMPTY_TREE_ROOT, verify_consistency
from referee.transparency.receipts import (
    Checkpoint,
    InvalidNoteError,
    Signer,
    parse_checkpoint,
    split_note,
    verify_note,
)

LOGGER = logging.getLogger(__name__)
MOST_REQUEST_BYTES = 64 * 1024
REQUEST_SECONDS = 15
MOST_REQUESTS = 32  # at once


@dataclass(frozen=True, slots=True)
class WitnessAnswer:
    """A status, a body, and its media type."""

    status: int
    body: str = ""
    media_type: str = "text/plain; charset=utf-8"


class WatchingWitness:
    """Cosigns checkpoints of known logs. Several processes may share the folder."""

    def __init__(
        self,
        signer: Signer,
        name: str,
        logs: Iterable[tuple[str, bytes]],
        folder: Path,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Watch these logs, given as origins with public keys.

        One origin may have several keys.
        """
        self._signer, self._name, self._folder, self._now = signer, name, folder, now
        self._keys: dict[str, list[bytes]] = {}
        for origin, public in logs:
            self._keys.setdefault(origin, []).append(public)
        self._turn = threading.Lock()

    @property
    def key(self) -> WitnessKey:
        """The key by which others know this witness."""
        return WitnessKey(self._name, self._signer.public)

    def add_checkpoint(self, body: bytes) -> WitnessAnswer:
        """Answer a request.

        Raises HostError if the folder cannot be used: then nothing is cosigned.
        """
        try:
            asked = parse_add_checkpoint(body)
            text, _ = split_note(asked.note)
            claimed = parse_checkpoint(text)
        except InvalidNoteError as wrong:
            return WitnessAnswer(400, f"{wrong}\n")
        if claimed.origin not in self._keys:
            return WitnessAnswer(404, "this log is not watched here\n")
        try:
            checkpoint = verify_note(asked.note, self._keys[claimed.origin], claimed.origin)
        except InvalidNoteError as wrong:
            return WitnessAnswer(403, f"{wrong}\n")
        if asked.old > checkpoint.size:
            return WitnessAnswer(400, "the old size is larger than the size of the checkpoint\n")
        with self._hold(checkpoint.origin) as path:
            return self._check_growth(asked, checkpoint, text, path)

    def _check_growth(self, asked: AddCheckpoint, checkpoint: Checkpoint, text: str, path: Path) -> WitnessAnswer:
        seen = self._read(path, checkpoint.origin)
        if asked.old != seen.size:
            return WitnessAnswer(409, f"{seen.size}\n", SIZE_TYPE)
        if checkpoint.size == seen.size and checkpoint.root != seen.root:
            LOGGER.error("the log %s shows two roots of %s leaves:\n%s", checkpoint.origin, seen.size, asked.note)
            return WitnessAnswer(409, f"{seen.size}\n", SIZE_TYPE)
        if asked.old == 0 or checkpoint.size == seen.size:
            holds = not asked.proof
        else:
            holds = verify_consistency(seen.size, checkpoint.size, asked.proof, seen.root, checkpoint.root)
        if not holds:
            LOGGER.error("the log %s does not prove that it only grew:\n%s", checkpoint.origin, asked.note)
            return WitnessAnswer(422, "the proof does not hold\n")
        line = cosign(self._signer, self._name, text, int(self._now()))
        self._write(path, asked.note + line)
        return WitnessAnswer(200, line)

    @contextlib.contextmanager
    def _hold(self, origin: str) -> Iterator[Path]:
        """Hold the log's checkpoint for one request: no two may grow from the same one."""
        path = self._folder / hashlib.sha256(origin.encode()).hexdigest()
        try:
            with self._turn:
                handle = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                try:
                    lock_file(handle)
                    yield path
                finally:
                    os.close(handle)
        except OSError as wrong:
            raise HostError(f"{self._folder} cannot be used: {wrong.strerror}") from wrong

    def _read(self, path: Path, origin: str) -> Checkpoint:
        """Return the latest checkpoint that was cosigned, or one of no leaves."""
        if not path.exists():
            return Checkpoint(origin, 0, EMPTY_TREE_ROOT)
        try:
            return parse_checkpoint(split_note(path.read_text("utf-8"))[0])
        except (InvalidNoteError, UnicodeDecodeError) as wrong:
            raise HostError(f"{path} was damaged; nothing of this log is cosigned until it is mended") from wrong

    def _write(self, path: Path, note: str) -> None:
        write_private_file(path, note.encode(), replace=True)
        sync_to_disk(path.parent)


# -- the service -------------------------------------------------------------------------------------------------------


def build_server(witness: WatchingWitness, host: str, port: int) -> ThreadingHTTPServer:
    """Return the server of a witness, which listens already.

    Raises HostError if it cannot.
    """
    places = threading.BoundedSemaphore(MOST_REQUESTS)

    class Handler(BaseHTTPRequestHandler):
        timeout = REQUEST_SECONDS
        protocol_version = "HTTP/1.1"
        server_version, sys_version = "referee-witness", ""

        def log_message(self, format: str, *args: object) -> None:
            LOGGER.info("%s %s", self.address_string(), format % args)

        def do_POST(self) -> None:
            if self.path != PATH:
                return self._answer(WitnessAnswer(404, "there is only /add-checkpoint\n"), close=True)
            length = self.headers.get("Content-Length", "")
            if not length.isascii() or not length.isdigit():
                return self._answer(WitnessAnswer(411, "a Content-Length is needed\n"), close=True)
            if len(length) > 9 or int(length) > MOST_REQUEST_BYTES:
                return self._answer(WitnessAnswer(413, "the request is too long\n"), close=True)
            body = self.rfile.read(int(length))  # who sends slowly takes no place
            if not places.acquire(timeout=REQUEST_SECONDS):
                return self._answer(WitnessAnswer(503, "too many requests at once\n"), close=True)
            try:
                answer = witness.add_checkpoint(body)
            except HostError as wrong:
                LOGGER.error("nothing can be cosigned: %s", wrong)
                answer = WitnessAnswer(500, "nothing can be cosigned now\n")
            finally:
                places.release()
            return self._answer(answer)

        def _answer(self, answer: WitnessAnswer, *, close: bool = False) -> None:
            data = answer.body.encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.media_type)
            self.send_header("Content-Length", str(len(data)))
            if close:
                self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(data)

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            broken = isinstance(sys.exception(), OSError)  # they hung up before the answer
            LOGGER.log(logging.INFO if broken else logging.ERROR, "a request failed", exc_info=not broken)

    try:
        return Server((host, port), Handler)
    except OSError as wrong:
        raise HostError(f"{host}:{port} cannot be listened on: {wrong.strerror}") from wrong
