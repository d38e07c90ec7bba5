"""One embedded store server: its process, its socket, its start and its end.

This module talks to it in raw RESP, so that its state does not depend on a client library and its retries.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from referee.infrastructure.embedded.parent_death import build_parent_binder
from referee.infrastructure.embedded.store_binaries import StoreBinary
from referee.infrastructure.errors import HostError
from referee.infrastructure.stores.requirements import DURABLE_POLICY

READY_WITHIN = 15.0  # seconds until the first answer; loading a long log after that may take any time
POLL_SECONDS = 0.01
MAX_LOG_BYTES = 1 << 20

DURABLE_OPTIONS: Mapping[str, str] = {
    **DURABLE_POLICY,
    "auto-aof-rewrite-percentage": "300",  # rewritten at four times its size
}
IN_MEMORY_OPTIONS: Mapping[str, str] = {"appendonly": "no"}
BASE_OPTIONS: Mapping[str, str] = {
    "port": "0",  # the Unix socket only
    "unixsocketperm": "700",
    "save": "",
    "maxmemory-policy": "noeviction",
    "daemonize": "no",
    "logfile": "",
}


class ServerUnreachableError(HostError):
    """The server does not answer on its socket."""


@dataclass(frozen=True)
class ServerPlan:
    """What a server needs to start: a directory, a socket, whether it writes to disk."""

    name: str
    directory: Path
    socket: Path
    durable: bool
    options: Mapping[str, str] = field(default_factory=dict)  # beside those that every server has

    @property
    def url(self) -> str:
        """The address for clients."""
        return "unix://" + quote(str(self.socket))

    @property
    def log_path(self) -> Path:
        """The file of the server's own output."""
        return self.directory / "server.log"

    def build_arguments(self) -> list[str]:
        """Return the server's whole configuration as arguments.

        It is not written to the server's input. A process that is killed while writing would leave a server that
        listens on the default port, and on no socket.
        """
        options = {
            **BASE_OPTIONS,
            **(DURABLE_OPTIONS if self.durable else IN_MEMORY_OPTIONS),
            "dir": str(self.directory),
            "unixsocket": str(self.socket),
            **self.options,
        }
        return [part for name, value in options.items() for part in (f"--{name}", value)]


class EmbeddedServer:
    """A running server that this process has started."""

    def __init__(self, plan: ServerPlan, process: subprocess.Popen[bytes]) -> None:
        self.plan = plan
        self.process = process

    @classmethod
    def start(cls, binary: StoreBinary, plan: ServerPlan, inherited: int | None) -> EmbeddedServer:
        """Start a server and wait until it answers PING.

        `inherited` is the descriptor of the lock, which the server holds as long as it lives. The server gets a session
        of its own, so that Ctrl-C in a terminal does not reach it before its clients have stopped. On Linux it ends
        with the thread that calls this, so no server outlives a keeper that was killed. Raises HostError with the end
        of its log if it does not answer.
        """
        with contextlib.suppress(FileNotFoundError):  # a server killed with -9 leaves its socket behind
            plan.socket.unlink()
        if plan.log_path.exists() and plan.log_path.stat().st_size > MAX_LOG_BYTES:
            plan.log_path.replace(plan.log_path.with_suffix(".log.old"))
        with plan.log_path.open("ab") as log:
            process = subprocess.Popen(  # noqa: S603  (the binary that the owner installed or named)
                [str(binary.path), *plan.build_arguments()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=plan.directory,
                umask=0o077,
                start_new_session=True,
                pass_fds=() if inherited is None else (inherited,),
                preexec_fn=build_parent_binder(),  # noqa: PLW1509  (one call into a library that is loaded already)
            )
        server = cls(plan, process)
        try:
            server._await_ready()
        except BaseException:
            server.kill()
            raise
        return server

    def _await_ready(self) -> None:
        deadline = time.monotonic() + READY_WITHIN
        while True:
            if (code := self.process.poll()) is not None:
                raise HostError(
                    f"the {self.plan.name} server ended at once ({code}). Its last words:\n{self.read_last_log_lines()}"
                )
            try:
                answer = send_command(self.plan.socket, "PING")
            except ServerUnreachableError:
                answer = b""
            if answer == b"+PONG":
                return
            if answer.startswith(b"-LOADING"):
                deadline = time.monotonic() + READY_WITHIN
            if time.monotonic() > deadline:
                raise HostError(
                    f"the {self.plan.name} server does not answer. Its last words:\n{self.read_last_log_lines()}"
                )
            time.sleep(POLL_SECONDS)

    def read_last_log_lines(self, lines: int = 8) -> str:
        """Return the end of the server's log."""
        try:
            return "\n".join(self.plan.log_path.read_text("utf-8", "replace").splitlines()[-lines:])
        except OSError as wrong:
            return f"({self.plan.log_path}: {wrong.strerror})"

    def is_running(self) -> bool:
        """Return whether the process lives."""
        return self.process.poll() is None

    def stop(self, within: float) -> None:
        """End the server cleanly, and kill it if it has not ended in time.

        What it has acknowledged is on disk in either case.
        """
        if not self.is_running():
            return
        self.process.terminate()  # the server's own SIGTERM handler flushes and leaves
        try:
            self.process.wait(within)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Kill the server at once."""
        self.process.kill()
        self.process.wait()


def compact_log(path: Path, within: float) -> bool:
    """Shorten the server's log to what it holds now, and return whether done in time.

    The next start then reads less.
    """
    deadline = time.monotonic() + within
    state = read_persistence_info(path)
    if int(state.get("aof_current_size", 0)) <= int(state.get("aof_base_size", 0)):
        return True
    if state.get("aof_rewrite_in_progress") != "1":
        send_command(path, "BGREWRITEAOF")
    while time.monotonic() < deadline:
        state = read_persistence_info(path)
        if state.get("aof_rewrite_in_progress") == "0" and state.get("aof_rewrite_scheduled") == "0":
            return state.get("aof_last_bgrewrite_status") == "ok"
        time.sleep(POLL_SECONDS)
    return False


def read_persistence_info(path: Path) -> dict[str, str]:
    """Return the server's INFO about its log."""
    text = send_command(path, "INFO", "persistence").decode("utf-8", "replace")
    return dict(line.strip().split(":", 1) for line in text.splitlines() if ":" in line)


def send_command(path: Path, *words: str, timeout: float = 1.0) -> bytes:
    """Send one command, and return the server's answer.

    That is a bulk string's content, otherwise the line with its sign. Raises ServerUnreachableError.
    """
    command = f"*{len(words)}\r\n" + "".join(f"${len(word.encode())}\r\n{word}\r\n" for word in words)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(timeout)
            line.connect(str(path))
            line.sendall(command.encode())
            with line.makefile("rb") as answer:
                first = answer.readline()
                if first.startswith(b"$") and first != b"$-1\r\n":
                    return answer.read(int(first[1:]))
                return first.rstrip(b"\r\n")
    except OSError as wrong:
        raise ServerUnreachableError(f"{path}: {wrong}") from wrong
