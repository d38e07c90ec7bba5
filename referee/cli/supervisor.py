"""Children that are kept running: started in order, restarted with growing pauses, stopped together."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.cli.parent_watchdog import build_command
from referee.infrastructure.errors import HostError

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 5.0  # what a worker does is to be done within ten seconds of its coming back
STEADY_SECONDS = 20.0  # seconds of life after which a death counts as the first again
POLL = 0.02


@dataclass
class Backoff:
    """How long to wait before the next start: twice as long after each early death, up to some seconds."""

    pause: float = FIRST_PAUSE
    started: float = 0.0
    not_before: float = 0.0
    down: bool = False

    def record_start(self, now: float) -> None:
        """Notes a start."""
        self.started = now
        self.down = False

    def record_death(self, now: float) -> float:
        """Notes a death; how long to wait now."""
        if now - self.started >= STEADY_SECONDS:
            self.pause = FIRST_PAUSE
        wait, self.pause = self.pause, min(self.pause * 2, LONGEST_PAUSE)
        self.not_before = now + wait
        self.down = True
        return wait


@dataclass
class Child:
    """A module run as a process of its own, tied to this one."""

    name: str
    module: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    pass_fds: tuple[int, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    backoff: Backoff = field(default_factory=Backoff)

    def start(self) -> None:
        """Starts it, in a session of its own: Ctrl-C in a terminal must reach it through its supervisor only."""
        self.backoff.record_start(time.monotonic())
        self.process = subprocess.Popen(  # noqa: S603  (our own interpreter and modules)
            build_command(self.module, *self.arguments),
            env=self.environment,
            start_new_session=True,
            pass_fds=self.pass_fds,
        )

    def is_running(self) -> bool:
        """Whether the process lives."""
        return self.process is not None and self.process.poll() is None

    def send_signal(self, number: int) -> None:
        """Sends it a signal, if it lives."""
        if self.is_running() and self.process is not None:
            self.process.send_signal(number)


class Supervisor:
    """Watches children, and whatever else can die and be started again."""

    def __init__(self, children: Sequence[Child], say: Callable[[str], None]) -> None:
        self.children = list(children)
        self._say = say
        self._others: dict[str, Backoff] = {}

    def start(self) -> None:
        """Starts all, in order."""
        for child in self.children:
            child.start()

    def restart_dead_children(self) -> None:
        """One look round: a child that has died is started again once its pause is over."""
        for child in self.children:
            if not child.is_running():
                ending = "" if child.process is None else f" ({_describe_exit(child.process.returncode)})"
                self._restart_after_pause(f"{child.name}", ending, child.backoff, child.start)

    def restart_dead_servers(self, names: Sequence[str], restart: Callable[[str], None]) -> None:
        """The same for servers that have died: `restart` starts them."""
        for name in names:
            backoff = self._others.setdefault(name, Backoff(started=time.monotonic()))
            self._restart_after_pause(f"the {name} server", "", backoff, lambda name=name: restart(name))  # type: ignore[misc]

    def _restart_after_pause(self, name: str, ending: str, backoff: Backoff, start: Callable[[], None]) -> None:
        """Notes the death first; when the pause is over, starts it. A start that fails is one more death."""
        if not backoff.down:
            self._say(f"{name} ended{ending}; again in {backoff.record_death(time.monotonic()):g} s")
        elif time.monotonic() >= backoff.not_before:
            backoff.record_start(time.monotonic())
            try:
                start()
            except (HostError, OSError) as wrong:  # what keeps it from starting may pass: a full disk, say
                self._say(f"{name}: {wrong}; again in {backoff.record_death(time.monotonic()):g} s")
            else:
                self._say(f"{name} runs again")

    def stop(self, within: float) -> None:
        """Asks all to stop, the last started first, and waits; kills what is left when the time is up."""
        deadline = time.monotonic() + within
        for child in reversed(self.children):
            child.send_signal(signal.SIGTERM)
        while any(child.is_running() for child in self.children) and time.monotonic() < deadline:
            time.sleep(POLL)
        for child in reversed(self.children):
            if child.is_running() and child.process is not None:
                self._say(f"{child.name} did not stop in time and is killed")
                os.killpg(child.process.pid, signal.SIGKILL)  # its session: its own workers as well
                child.process.wait()


def _describe_exit(code: int) -> str:
    """A return code in words."""
    return signal.Signals(-code).name if code < 0 else f"exit {code}"
