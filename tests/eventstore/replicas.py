"""A server and its replica on ports of this machine, and lines that can be held up or led elsewhere."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.eventstore.servers import START_SECONDS, Server, binaries

PORTS = range(10_000, 22_000)  # below those that connections out take; so are the ports of cluster buses, 10,000 higher


def free_port() -> int:
    """A port of this machine that nobody uses now, and that no connection takes before a server listens on it."""
    while True:
        port = random.SystemRandom().choice(PORTS)  # seeded tests share no port
        with closing(socket.socket()) as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Listening(Server):
    """A server that listens on a port too, as its replica needs it."""

    def __init__(self, binary: Path, *options: str) -> None:
        self.port = free_port()
        super().__init__(binary, "--port", str(self.port), "--bind", "127.0.0.1", *options)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"


class Forwarder:
    """A port that leads to another one.

    What the far side says can be held up; all lines can be cut and led elsewhere.
    """

    def __init__(self, target: int) -> None:
        self.target, self._flows, self._ends = target, threading.Event(), set[socket.socket]()
        self._flows.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def hold(self) -> None:
        """Pass on nothing of what the far side says; it is not told."""
        self._flows.clear()

    def flow(self) -> None:
        """Pass on again, beginning with what was held up."""
        self._flows.set()

    def lead_to(self, target: int) -> None:
        """Cut all lines, with what is held up in them, and lead new ones to another port."""
        self.target = target
        for end in tuple(self._ends):
            self._cut(end)
        self._flows.set()

    def close(self) -> None:
        """Take no more lines."""
        self._listener.close()
        self.lead_to(self.target)

    def _accept(self) -> None:
        while True:
            try:
                front, _ = self._listener.accept()
            except OSError:  # closed
                return
            try:
                back = socket.create_connection(("127.0.0.1", self.target))
            except OSError:  # nobody is there
                front.close()
                continue
            for end in (front, back):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._ends |= {front, back}
            threading.Thread(target=self._pump, args=(front, back, False), daemon=True).start()
            threading.Thread(target=self._pump, args=(back, front, True), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, is_held: bool) -> None:
        with contextlib.suppress(OSError):  # one side hung up, which ends both
            while data := source.recv(65536):
                if is_held:
                    self._flows.wait()
                if source not in self._ends:
                    break
                sink.sendall(data)
        for end in (source, sink):
            self._cut(end)

    def _cut(self, end: socket.socket) -> None:
        self._ends.discard(end)
        with contextlib.suppress(OSError):  # it is cut already
            end.shutdown(socket.SHUT_RDWR)
        end.close()


class Pair:
    """A main server and a replica of it, both writing to the disk before they answer, and the line between them."""

    def __init__(self) -> None:
        binary = next(iter(binaries().values()))
        quick = ("--repl-ping-replica-period", "1", "--repl-diskless-sync-delay", "0")
        self.main = Listening(binary, *quick)
        self.line = Forwarder(self.main.port)
        self.replica = Listening(binary, *quick, "--replicaof", f"127.0.0.1 {self.line.port}")

    def __enter__(self) -> Pair:
        self.main.start()
        self.replica.start()
        with self.main.client() as client:
            client.set("begun", "1")
            assert client.wait(1, int(1000 * START_SECONDS)) == 1, "the replica did not find its main server"
            client.delete("begun")
        return self

    def __exit__(self, *_: object) -> None:
        self.line.close()
        self.main.remove()
        self.replica.remove()

    @contextmanager
    def held(self) -> Iterator[None]:
        """The replica hears nothing meanwhile, and the main server goes on to hear of it."""
        self.line.hold()
        try:
            yield
        finally:
            self.line.flow()

    def fail_over(self) -> None:
        """Kill the main server, and make the replica the one that takes writes, as it is."""
        self.main.kill()
        self.line.lead_to(free_port())
        self.replica.client().replicaof("NO", "ONE")
