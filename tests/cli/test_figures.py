"""Figures and log of the served program: several processes count as one, and every line of the log is data."""

from __future__ import annotations

import http.client
import json
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.cli.client import ApiClient
from referee.infrastructure.gunicorn.config import METRICS_DIR_PREFIX, remove_stale_metrics
from tests.cli.serving import Serving
from tests.cli.test_streaming import RATES, Listeners, moved, table
from tests.infrastructure.machine import eventually, lives

pytestmark = pytest.mark.deep

LOOKS = 60
NAME = "Hedwig Geheim"


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where servers of this test put their figures."""
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return place


@pytest.fixture
def serving(tmp_path: Path, folders: Path) -> Iterator[Serving]:
    (tmp_path / "bare" / "notes").mkdir(parents=True)
    more = {"REFEREE_LOG_LEVEL": "info", "REFEREE_WORKERS": "2", "REFEREE_THREADS": "32", **RATES}
    started = Serving(tmp_path / "bare", "--data-dir", str(tmp_path / "data"), **more)
    assert started.told, started.end()
    yield started
    print(started.end())  # shown where the test fails


def where(serving: Serving) -> tuple[str, int]:
    host, port = serving.told["url"].removeprefix("http://").rsplit(":", 1)
    return host, int(port)


def get(serving: Serving, path: str, **headers: str) -> str:
    """What a GET on a connection of its own brings: now this process answers, now that."""
    line = http.client.HTTPConnection(*where(serving), timeout=60)
    line.request("GET", path, headers=headers)
    answer = line.getresponse()
    text = answer.read().decode()
    line.close()
    assert answer.status == 200, text
    return text


def figure(text: str, name: str) -> float:
    """One figure by its name with labels; 0 where there is none yet."""
    return next((float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(f"{name} ")), 0.0)


def processes(serving: Serving) -> list[int]:
    """The API's processes: the workers of gunicorn."""
    found: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            about = stat.read_text().rpartition(")")[2].split()
        except OSError:  # gone meanwhile
            continue
        found.setdefault(int(about[1]), []).append(int(stat.parent.name))
    for child in found.get(serving.process.pid, []):
        if Path(f"/proc/{child}/comm").read_text() == "API\n":
            return found.get(child, [])
    return []


COUNTED = 'referee_http_requests_total{method="GET",rule="/v1/games",status="200"}'


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the API's processes by /proc")
def test_figures_of_several_processes_add_up_and_outlive_them(serving: Serving, folders: Path) -> None:
    (home,) = folders.glob("referee-metrics-*")
    assert home.stat().st_mode & 0o777 == 0o700
    for _ in range(LOOKS):
        get(serving, "/v1/games")
    assert {figure(get(serving, "/metrics"), COUNTED) for _ in range(12)} == {LOOKS}

    client = ApiClient(serving.told["url"])
    path, tokens = table(client)
    streams = Listeners(serving.told["url"])
    try:
        for _ in range(10):
            streams.open(f"{path}/stream")
        streams.until(lambda: all(b"event: presence" in said for said in streams.said), 60)
        assert {figure(get(serving, "/metrics"), "referee_streams_open") for _ in range(12)} == {10}
        moved(path, [client.with_token(token) for token in tokens])
        by_all = get(serving, "/metrics")
        whole = get(serving, "/metrics", Authorization=f"Bearer {serving.told['operator_token']}")
        accepted = 'referee_moves_total{clause="",game="monster_combat",outcome="accepted"}'
        assert figure(by_all, accepted) == figure(whole, accepted) == 1
        eventually(lambda: figure(get(serving, "/metrics"), 'referee_workers{queue="drain"}') == 1)
        eventually(lambda: figure(get(serving, "/metrics"), "referee_feed_lag_entries") == 0)

        before = processes(serving)
        assert len(before) == 2
        os.kill(before[0], signal.SIGKILL)
        eventually(lambda: len(processes(serving)) == 2 and not lives(before[0]))

        def settled() -> bool:
            return figure(get(serving, "/metrics"), "referee_streams_open") == 10 - sum(streams.ended)

        streams.until(settled, 60)  # what the dead process held is held no more
        assert figure(get(serving, "/metrics"), COUNTED) == LOOKS, "what a dead process has counted stays counted"
    finally:
        streams.close()
    assert serving.stop() == 0
    assert not list(folders.glob("referee-metrics-*"))


def test_every_line_of_a_server_with_bots_is_data_and_holds_no_secret(serving: Serving) -> None:
    client = ApiClient(serving.told["url"])
    body = {"game": "monster_combat", "seats": [{"kind": "human"}, {"kind": "bot", "level": 1}], "visibility": "public"}
    opened: Any = client.post("/v1/matches", body).body
    path, code = f"/v1/matches/{opened['match']}", opened["invitations"][0]["code"]
    token = client.post("/v1/join", {"code": code, "name": NAME}).body["token"]
    player, host = client.with_token(token), client.with_token(opened["token"])
    host.post(f"{path}/start", {}, if_match=host.get(path).etag)
    hand: set[str] = set()
    for _ in range(6):
        eventually(lambda: 0 in player.get(path).body["awaits"] or player.get(path).body["outcome"])
        if player.get(path).body["outcome"]:
            break
        view = json.dumps(player.get(f"{path}/view?viewer=seat:0").body)
        hand |= {card for card in ("lightning", "sword", "shield", "life_back") if card in view}
        legal = player.get(f"{path}/seats/0/moves").body["legal"]
        player.post(f"{path}/seats/0/moves", {"move": legal[0]["move"]})
    said = serving.end()
    own_words = [line for line in said.splitlines() if not line.startswith("{")]
    assert own_words == ["stopping"], "what the supervisor tells whoever started it"
    found = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    assert all({"event", "level", "timestamp"} <= line.keys() for line in found)
    assert sum(line["event"] == "request" for line in found) > 20
    assert hand
    for secret in (token, opened["token"], serving.told["operator_token"], code, NAME, *hand):
        assert secret not in said, secret


def test_what_a_killed_server_left_goes_with_the_next_start(folders: Path) -> None:
    dead = 2**22 + 1  # beyond what any process is called
    left = [folders / (METRICS_DIR_PREFIX.format(pid) + "x") for pid in (dead, os.getpid())]
    other = folders / "referee-metrics-of-something-else"
    for folder in (*left, other):
        folder.mkdir()
    remove_stale_metrics()
    assert not left[0].exists()
    assert left[1].exists(), "its server lives"
    assert other.exists()
