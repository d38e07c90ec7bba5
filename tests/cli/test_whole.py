"""The whole server with the real API and workers: bots play over it, and kill -9 loses nothing."""

from __future__ import annotations

import base64
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.cli.client import ApiClient
from referee.games import load_games
from referee.infrastructure.keyring import load_signer
from referee.transparency.receipts import verify_note
from tests.cli.serving import Serving, environment
from tests.infrastructure.machine import eventually

pytestmark = pytest.mark.deep


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder without stand-ins: what is started is the real thing."""
    (tmp_path / "bare" / "notes").mkdir(parents=True)
    return tmp_path / "bare"


@pytest.fixture
def start(folder: Path, tmp_path: Path) -> Iterator[Callable[[], Serving]]:
    started: list[Serving] = []

    def begin() -> Serving:
        started.append(Serving(folder, "--data-dir", str(tmp_path / "data"), REFEREE_LOG_LEVEL="warning"))
        assert started[-1].told, started[-1].end()
        return started[-1]

    yield begin
    for serving in started:
        serving.end()


def smallest() -> tuple[str, str, int]:
    """A game with few seats: name, variant, seats."""
    game = min(load_games().values(), key=lambda game: game.min_seats)
    return game.name, game.variants[0], game.min_seats


def finished(client: ApiClient, match: str) -> Callable[[], Any]:
    return lambda: client.get(f"/v1/matches/{match}").body["status"] == "finished"


def test_what_bots_played_is_the_same_after_kill_9_and_its_receipt_verifies(start, tmp_path):
    first = start()
    client = ApiClient(first.told["url"])
    game, variant, seats = smallest()
    ask = {"game": game, "variant": variant, "seats": [{"kind": "bot", "level": 0}] * seats, "visibility": "public"}
    opened = client.post("/v1/matches", ask, key="an-opening-key-of-this-test")
    match, host = opened.body["match"], client.with_token(opened.body["token"])
    started = host.post(f"/v1/matches/{match}/start", {}, if_match=opened.etag, key="start").body
    eventually(finished(client, match), within=120)
    entries = list(client.get_entries(match))
    public = load_signer(tmp_path / "data" / "signing.pem").public
    receipt = verify_note(started["receipt"], [public])
    assert receipt.origin.endswith(f"/{match}")
    first.stop(signal.SIGKILL)

    second = start()
    client = ApiClient(second.told["url"])
    assert list(client.get_entries(match)) == entries
    assert [entry["version"] for entry in entries] == list(range(1, len(entries) + 1))
    again = client.post("/v1/matches", ask, key="an-opening-key-of-this-test").body
    assert again["match"] == match, "the same opening finds its match"
    host = client.with_token(again["token"])
    repeated = host.post(f"/v1/matches/{match}/start", {}, if_match=opened.etag, key="start").body
    assert verify_note(repeated["receipt"], [public]) == receipt, "a repeated commit gets the same receipt"
    assert base64.b64encode(receipt.root).decode() in repeated["receipt"]
    assert second.stop() == 0


def test_the_demo_starts_a_server_of_its_own_and_plays_to_the_end(folder):
    game, _, _ = smallest()
    command = [sys.executable, "-m", "referee.cli", "demo", "--game", game, "--level", "0", "--json"]
    variables = environment(folder) | {"REFEREE_STORE_URL": "redis://not.asked.example"}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [match["status"] for match in told["matches"]] == ["finished"] * len(load_games()[game].variants)
    lines = [event["told"] for entry in told["last"] for event in entry["events"] if event["told"]]
    assert lines
    assert all(line["de"] and line["en"] for line in lines)
    assert any(entry["clauses"] for entry in told["last"])


def test_it_can_be_started_in_a_folder_that_has_an_api_and_workers_of_its_own(start, tmp_path, monkeypatch):
    owner = tmp_path / "app"
    (owner / "workers").mkdir(parents=True)
    for file in (owner / "api.py", owner / "workers" / "__init__.py"):
        file.write_text("raise SystemExit('not ours')\n")
    monkeypatch.chdir(owner)
    serving = start()
    assert ApiClient(serving.told["url"]).get("/readyz")
    assert serving.stop(signal.SIGTERM) == 0
