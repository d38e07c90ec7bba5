"""What stands between a client and a server: it can lose a reply after the server has done what was asked."""

from __future__ import annotations

import contextlib
import os
import random
import socket
import threading
from collections.abc import Callable
from pathlib import Path

Address = tuple[str, int] | str
CHUNK = 1 << 16


def _connected(address: Address) -> socket.socket:
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    line = socket.socket(family)
    try:
        line.connect(address)
    except OSError:
        line.close()
        raise
    return line


class Between:
    """Hands on what is said in both directions. With a chance of `losing` it hangs up in place of a reply to a write.

    `behind` tells where the server is now; `path` is a Unix socket to listen at, else a free port is taken; `writes`
    says of the first bytes of a request whether it is one whose reply may be lost.
    """

    def __init__(
        self, behind: Callable[[], Address], seed: str, path: Path | None = None, writes: tuple[bytes, ...] = (b"",)
    ) -> None:
        self._behind, self._writes = behind, writes
        self._dice = random.Random(seed)
        self.losing = 0.0
        self.lost = 0
        self._listener = socket.socket(socket.AF_UNIX if path else socket.AF_INET)
        self._listener.bind(str(path) if path else ("127.0.0.1", 0))
        self._listener.listen(64)
        self.address: Address = self._listener.getsockname()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Takes nobody new; who is connected stays so."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits in accept
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                front, _ = self._listener.accept()
            except OSError:  # closed
                return
            threading.Thread(target=self._join, args=(front,), daemon=True).start()

    def _join(self, front: socket.socket) -> None:
        try:
            back = _connected(self._behind())
        except OSError:  # nobody is there: the client hears the same
            front.close()
            return
        asked = threading.Event()  # whether what was asked last is a write
        threading.Thread(target=self._pump, args=(front, back, asked, True), daemon=True).start()
        self._pump(back, front, asked, False)
        front.close()
        back.close()

    def _pump(self, source: socket.socket, target: socket.socket, asked: threading.Event, forth: bool) -> None:
        try:
            while data := source.recv(CHUNK):
                if forth:
                    if data.startswith(self._writes):
                        asked.set()
                elif asked.is_set():
                    asked.clear()
                    if self.losing and self._dice.random() < self.losing:
                        self.lost += 1
                        break
                target.sendall(data)
        except OSError:  # one side hung up, which ends both
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:  # already shut
                continue


class BeforeStore:
    """Stands where the clients of an embedded store look for it, again and again as the store is started anew.

    The store's own socket is put aside under another name; whoever connects to the place it had is led there.
    """

    LOOK = 0.05

    def __init__(self, place: Path, aside: Path, seed: str) -> None:
        self._place, self._aside, self._seed = place, aside, seed
        self._now: Between | None = None
        self._own = -1  # the inode of the socket at which the one in between listens
        self._lost = 0
        self._losing = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    @property
    def lost(self) -> int:
        """How many replies were lost."""
        return self._lost + (self._now.lost if self._now else 0)

    def lose(self, share: float) -> None:
        """The share of replies that are lost from now on."""
        self._losing = share
        if self._now is not None:
            self._now.losing = share

    def close(self) -> None:
        """Stands there no more."""
        self._stop.set()
        self._thread.join()
        if self._now is not None:
            self._now.close()

    def _watch(self) -> None:
        while not self._stop.wait(self.LOOK):
            try:
                if self._place.stat().st_ino != self._own:
                    self._stand()
            except OSError:  # between the death of one store and the start of the next
                continue

    def _stand(self) -> None:
        os.rename(self._place, self._aside)
        if self._now is not None:
            self._lost += self._now.lost
            self._now.close()
        self._now = Between(lambda: str(self._aside), f"{self._seed}:{self._lost}", self._place)
        self._now.losing = self._losing
        self._own = self._place.stat().st_ino
