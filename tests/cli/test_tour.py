"""The real program, started as the README says: its tour by curl, its demo, and its data after a restart."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from referee.infrastructure.settings import PREFIX, read_settings
from tests.infrastructure.machine import ROOT

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(
        shutil.which("curl") is None or shutil.which("bash") is None, reason="the tour needs bash and curl"
    ),
]


def test_the_readme_names_the_port_that_serve_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(f"{PREFIX}PORT", raising=False)
    assert f"http://127.0.0.1:{read_settings().port}" in tour()


class Server:
    """`referee serve` on a free port with its data in a folder."""

    def __init__(self, data: Path) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        # several tests run beside each other, all from one address
        env = kept | {"PYTHONPATH": str(ROOT), f"{PREFIX}DATA_DIR": str(data)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee.cli", "serve", "--port", "0", "--json"],
            env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.told: dict[str, Any] = json.loads(self.process.stdout.readline())

    @property
    def address(self) -> str:
        return str(self.told["url"]).rstrip("/")

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(60)
        finally:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("data"))
    yield server
    server.stop()


def tour() -> str:
    """The README's tour, as one script."""
    text = (ROOT / "README.md").read_text("utf-8")
    section = text.partition("## Five minutes with curl")[2]
    found = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert found is not None
    return found.group(1)


def test_the_tour_of_the_readme_does_what_it_says(server: Server, tmp_path: Path) -> None:
    script = tour().replace("http://127.0.0.1:8080", server.address)
    assert server.address in script
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, check=True, timeout=180)
    opened, joined, started, offered, refused, played, log = (
        json.loads(line) for line in done.stdout.decode().splitlines() if line
    )
    assert opened["invitations"][0]["role"] == joined["role"] == "seat:0"
    assert started["receipt"]
    assert offered["awaited"]
    assert offered["legal"]
    assert refused["type"] == "/problems/illegal-move"
    assert refused["status"] == 409
    assert refused["ruling"]["clauses"][0]["id"].startswith("MC-")
    assert refused["ruling"]["way_out"]
    assert played["receipt"]
    assert [item["version"] for item in log["items"]] == list(range(1, len(log["items"]) + 1))
    assert "mc.pass" in [item["move"]["type"] for item in log["items"] if item["move"]]


def test_the_demo_plays_a_game_over_the_api(server: Server) -> None:
    """One game: all of them are played by the installed program, before anything lands."""
    env = os.environ | {"PYTHONPATH": str(ROOT), f"{PREFIX}API_URL": server.address, "NO_COLOR": "1"}
    command = [sys.executable, "-m", "referee.cli", "demo", "--game", "shy_monsters"]
    done = subprocess.run(command, env=env, capture_output=True, check=True, timeout=300)
    told = done.stdout.decode()
    assert "The match is over." in told
    assert re.search(r"\bSM-[A-Z]+", told)


def test_a_match_is_still_there_after_a_stop_and_a_start(tmp_path: Path) -> None:
    first = Server(tmp_path)
    script = tour().replace("http://127.0.0.1:8080", first.address)
    subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, check=True, timeout=180)
    match = json.loads((tmp_path / "opened.json").read_text())["match"]
    token = json.loads((tmp_path / "joined.json").read_text())["token"]
    before = events(first, match, token)
    assert first.stop() == 0
    second = Server(tmp_path)
    try:
        assert events(second, match, token)[: len(before)] == before
    finally:
        second.stop()


def events(server: Server, match: str, token: str) -> list[Any]:
    from urllib.request import Request

    address = f"{server.address}/v1/matches/{match}/entries?viewer=seat:0&limit=100"
    with urlopen(Request(address, headers={"Authorization": f"Bearer {token}"}), timeout=60) as answer:
        return list(json.load(answer)["items"])
