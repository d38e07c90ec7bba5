"""Keeps child processes running: starts, restarts and stops them in order."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.cli.processes.forking import ForkedProcess, may_fork
from referee.cli.processes.parent_watchdog import build_command
from referee.infrastructure.errors import HostError

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 5.0  # a worker's jobs must be done within ten seconds of its restart
STEADY_SECONDS = 20.0  # after this many seconds alive, a death counts as the first again
POLL = 0.02


@dataclass
class Backoff:
    """The pause before the next start of something that died.

    It doubles after each early death, up to `LONGEST_PAUSE` seconds.
    """

    pause: float = FIRST_PAUSE
    started: float = 0.0
    not_before: float = 0.0
    down: bool = False

    def record_start(self, now: float) -> None:
        """Record a start."""
        self.started = now
        self.down = False

    def record_death(self, now: float) -> float:
        """Record a death, and return the seconds to wait before the next start."""
        if now - self.started >= STEADY_SECONDS:
            self.pause = FIRST_PAUSE
        wait, self.pause = self.pause, min(self.pause * 2, LONGEST_PAUSE)
        self.not_before = now + wait
        self.down = True
        return wait


@dataclass
class Child:
    """A module that runs in a child process and ends with this one.

    `forks`: this process has imported what the module needs, so the child may be a fork of it. `log` is the descriptor
    to which it writes its standard error, None for that of this process.
    """

    name: str
    module: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    pass_fds: tuple[int, ...] = ()
    forks: bool = False
    log: int | None = None
    process: subprocess.Popen[bytes] | ForkedProcess | None = None
    backoff: Backoff = field(default_factory=Backoff)

    def start(self) -> None:
        """Start the process in a session of its own.

        So Ctrl-C in a terminal reaches it only through its supervisor.
        """
        self.backoff.record_start(time.monotonic())
        if self.forks and may_fork():
            self.process = ForkedProcess(
                self.name, self.module, self.arguments, self.environment, self.pass_fds, log=self.log
            )
            return
        self.process = subprocess.Popen(  # noqa: S603  (our own interpreter and modules)
            build_command(self.module, *self.arguments),
            env=self.environment,
            start_new_session=True,
            stderr=self.log,
            pass_fds=self.pass_fds,
        )

    def is_running(self) -> bool:
        """Whether the process is alive."""
        return self.process is not None and self.process.poll() is None

    def send_signal(self, number: int) -> None:
        """Send the process a signal, if it is alive."""
        if self.is_running() and self.process is not None:
            self.process.send_signal(number)


class Supervisor:
    """Watches child processes and servers, and restarts those that die."""

    def __init__(self, children: Sequence[Child], say: Callable[[str], None]) -> None:
        self.children = list(children)
        self._say = say
        self._others: dict[str, Backoff] = {}

    def start(self) -> None:
        """Start all child processes in order."""
        for child in self.children:
            child.start()

    def restart_dead_children(self) -> None:
        """Restart each dead child whose pause is over."""
        for child in self.children:
            if not child.is_running():
                ending = "" if child.process is None else f" ({_describe_exit(child.process.returncode)})"
                self._restart_after_pause(f"{child.name}", ending, child.backoff, child.start)

    def restart_dead_servers(self, names: Sequence[str], restart: Callable[[str], None]) -> None:
        """Restart each dead server whose pause is over.

        `names` are the servers that are dead now. `restart` starts a server by its name.
        """
        for name in names:
            backoff = self._others.setdefault(name, Backoff(started=time.monotonic()))
            self._restart_after_pause(f"the {name} server", "", backoff, lambda name=name: restart(name))  # type: ignore[misc]

    def _restart_after_pause(self, name: str, ending: str, backoff: Backoff, start: Callable[[], None]) -> None:
        """Record a death, or start again when the pause is over.

        A start that fails counts as one more death.
        """
        if not backoff.down:
            self._say(f"{name} ended{ending}; restarting in {backoff.record_death(time.monotonic()):g} s")
        elif time.monotonic() >= backoff.not_before:
            backoff.record_start(time.monotonic())
            try:
                start()
            except (HostError, OSError) as wrong:  # the cause may be temporary: a full disk, say
                self._say(f"{name}: {wrong}; trying again in {backoff.record_death(time.monotonic()):g} s")
            else:
                self._say(f"{name} is running again")

    def stop(self, within: float) -> None:
        """Stop all child processes, the last started first, within some seconds.

        Those that have not stopped by then are killed.
        """
        deadline = time.monotonic() + within
        for child in reversed(self.children):
            child.send_signal(signal.SIGTERM)
        while any(child.is_running() for child in self.children) and time.monotonic() < deadline:
            time.sleep(POLL)
        for child in reversed(self.children):
            if child.is_running() and child.process is not None:
                self._say(f"{child.name} did not stop in time and was killed")
                os.killpg(child.process.pid, signal.SIGKILL)  # the whole session: its own workers as well
                child.process.wait()


def _describe_exit(code: int) -> str:
    """Describe a return code in words."""
    return signal.Signals(-code).name if code < 0 else f"exit {code}"
