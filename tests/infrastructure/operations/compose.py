"""docker-compose.yml without Docker: its services as plain processes, with names, paths and ports of this machine."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from referee.infrastructure.settings import PREFIX
from tests.eventstore.replicas import free_port
from tests.eventstore.servers import binaries
from tests.infrastructure.machine import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = ("api", "backup", "restore", "sweeper", "webhooks", "worker")  # those of the image that is built here
PORTS = ("store", "queue", "api", "metrics", "prometheus", "caddy", "admin")

SCRAPED_EVERY = 1  # seconds, in place of 15


def interpolate(text: str) -> str:
    """The text with each `${NAME:-default}` as where nobody sets the name."""
    return re.sub(r"\$\{[A-Z_]+:-([^}]*)\}", r"\1", text)


class Composed:
    """The services of the file in a folder. What was started is ended with `end`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.ports = folder, {name: free_port() for name in PORTS}
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        for name in ("keys", "cards", "backups", "store", "queue", "tsdb", "configs", "certificates"):
            (folder / name).mkdir(mode=0o700)  # as the image has them
        for name, about in COMPOSE["configs"].items():
            (folder / "configs" / name).write_text(self.localize((ROOT / about["file"]).read_text("utf-8")))
        alerts = folder / "configs" / "alerts"
        alerts.rename(alerts.with_name("alerts.yml"))

    def localize(self, text: str) -> str:
        """The text with what Docker would map: names of services, folders, addresses."""
        ports = self.ports
        for there, here in (
            ("redis://store:6379", f"redis://127.0.0.1:{ports['store']}"),
            ("redis://queue:6379", f"redis://127.0.0.1:{ports['queue']}"),
            ("0.0.0.0:9464", f"127.0.0.1:{ports['metrics']}"),
            ("api:9464", f"127.0.0.1:{ports['metrics']}"),
            ("api:8080", f"127.0.0.1:{ports['api']}"),
            ("127.0.0.1:8080", f"127.0.0.1:{ports['api']}"),
            ("127.0.0.1:9090", f"127.0.0.1:{ports['prometheus']}"),
            ("127.0.0.1:2019", f"127.0.0.1:{ports['admin']}"),
            ("{\n\tservers", f"{{\n\tadmin 127.0.0.1:{ports['admin']}\n\tservers"),
            ("_interval: 15s", f"_interval: {SCRAPED_EVERY}s"),
            ("0.0.0.0", "127.0.0.1"),
            ("/var/lib/referee", str(self.folder / "keys")),
            ("/etc/referee/cards", str(self.folder / "cards")),
            ("/var/backups/referee", str(self.folder / "backups")),
            ("/etc/prometheus/prometheus.yml", str(self.folder / "configs" / "prometheus")),
            ("/etc/caddy/Caddyfile", str(self.folder / "configs" / "caddyfile")),
            ("=/prometheus", f"={self.folder / 'tsdb'}"),
        ):
            text = text.replace(there, here)
        return text

    def read_command(self, name: str, *instead: str) -> list[str]:
        """The command of a service, as it runs here; `instead` of the one in the file."""
        service = SERVICES[name]
        words = [self.localize(interpolate(word)) for word in instead or service["command"]]
        if name in OURS:
            before = service.get("entrypoint", ["referee"])
            assert before[0] == "referee"
            return [sys.executable, "-m", "referee.cli", *before[1:], *words]
        if name in ("store", "queue"):
            assert words[0] == "valkey-server"
            there = ["--port", str(self.ports[name]), "--bind", "127.0.0.1", "--dir", str(self.folder / name)]
            return [str(binaries()["valkey"]), *words[1:], *there]
        if name == "prometheus":
            return ["prometheus", *words, f"--web.listen-address=127.0.0.1:{self.ports[name]}"]
        return words

    def read_environment(self, name: str) -> dict[str, str]:
        """The environment of a service, with nothing of Referee's from outside."""
        kept = {each: value for each, value in os.environ.items() if not each.startswith(PREFIX)}
        given = {
            each: self.localize(interpolate(value)) for each, value in SERVICES[name].get("environment", {}).items()
        }
        if name in OURS:  # a container has all its ports for itself
            given["REFEREE_PORT"] = str(self.ports["api"] if name == "api" else free_port())
        if name == "caddy":
            given |= {"SITE_ADDRESS": f"http://localhost:{self.ports['caddy']}", "HOME": str(self.folder)}
        return kept | {"PYTHONPATH": str(ROOT)} | given

    def start(self, name: str, *instead: str) -> subprocess.Popen[bytes]:
        """Start a service; what it says goes into a file of its name."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                self.read_command(name, *instead),
                env=self.read_environment(name),
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
            )
        return self.running[name]

    def run(self, name: str, *instead: str) -> str:
        """Run a service to its end, which has to be a good one; what it said."""
        process = self.start(name, *instead)
        code = process.wait(60)
        said = self.read_log(name)
        assert code == 0, said
        return said

    def is_healthy(self, name: str) -> bool:
        """Whether the check of the file's says that the service is well."""
        words = [self.localize(word) for word in SERVICES[name]["healthcheck"]["test"]]
        assert words.pop(0) == "CMD"
        programs = {"python": [sys.executable], "referee": [sys.executable, "-m", "referee.cli"]}
        command = [*programs.get(words[0], [words[0]]), *words[1:]]
        done = subprocess.run(command, check=False, env=self.read_environment(name), capture_output=True, text=True)
        (self.folder / f"{name}-check.log").write_text(done.stdout + done.stderr)
        return not done.returncode

    def read_log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text("utf-8", errors="replace")

    def stop(self, name: str) -> int:
        """Stop a service as Docker does, within its grace period; its exit code."""
        process = self.running.pop(name)
        process.send_signal(signal.SIGTERM)
        return process.wait(int(SERVICES[name].get("stop_grace_period", "10s").rstrip("s")))

    def end(self) -> None:
        """End everything, the servers last."""
        for name in [*(name for name in self.running if name not in ("store", "queue")), *list(self.running)]:
            if (process := self.running.pop(name, None)) is not None and process.poll() is None:
                process.terminate()
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
