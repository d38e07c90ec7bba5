"""The served program with no worker alive: a window is seen, counted down, and closed by its clock all the same."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from referee.cli.client import ApiClient
from tests.cli.serving import Serving, stand_in_workers

pytestmark = pytest.mark.deep

LIMIT = 5000
RATES = {f"REFEREE_RATE_{name}": "100000" for name in ("READS", "WRITES", "DRY_RUNS", "JOINS", "MATCHES")}


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    bare = tmp_path / "bare"
    (bare / "notes").mkdir(parents=True)
    stand_in_workers(bare)  # as if each worker had died
    started = Serving(bare, "--data-dir", str(tmp_path / "data"), REFEREE_LOG_LEVEL="warning", **RATES)
    assert started.told, started.end()
    yield started
    print(started.end())  # shown where the test fails


def played_to_a_window(client: ApiClient) -> tuple[str, dict[str, Any]]:
    """A match of Here to Slay of three in which somebody has played a card that the others may challenge."""
    chairs, clocks = [{"kind": "human"}] * 3, {"window_ms": LIMIT}
    body = {"game": "here_to_slay", "seats": chairs, "visibility": "public", "clocks": clocks}
    opened = client.post("/v1/matches", body).body
    path = f"/v1/matches/{opened['match']}"
    seats = [
        client.with_token(client.post("/v1/join", {"code": each["code"]}).body["token"])
        for each in opened["invitations"]
    ]
    host = client.with_token(opened["token"])
    host.post(f"{path}/start", {}, if_match=host.get(path).etag)
    for _ in range(60):
        found = client.get(f"{path}/windows?open=true").body["items"]
        if any(window["kind"] == "challenge" for window in found):
            return path, found[-1]
        seat = next(seat for seat in client.get(path).body["awaits"] if isinstance(seat, int))
        legal = [each["move"] for each in seats[seat].get(f"{path}/seats/{seat}/moves").body["legal"]]
        plays = [move for move in legal if move["type"] == "hts.play"]
        others = [move for move in legal if move["type"] not in ("hts.leave", "hts.end_turn")]
        seats[seat].post(f"{path}/seats/{seat}/moves", {"move": (plays or others)[0]})
    raise AssertionError("no card was played")


def ms(moment: str) -> float:
    return 1000 * datetime.fromisoformat(moment).timestamp()


def test_a_challenge_window_counts_down_and_is_closed_by_requests_alone(serving: Serving) -> None:
    client = ApiClient(serving.told["url"])
    path, window = played_to_a_window(client)
    name, awaited = window["id"], window["awaits"]
    assert awaited
    left = [client.get(f"{path}/windows/{name}").body["deadline"]["left_ms"]]
    time.sleep(0.3)
    left.append(client.get(f"{path}/windows/{name}").body["deadline"]["left_ms"])
    assert LIMIT >= left[0] > left[1] + 250

    def looks(_: int) -> dict[str, Any]:
        return dict(client.get(f"{path}/windows/{name}").body)

    time.sleep(left[1] / 1000)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(looks, range(16)))
    assert {each["status"] for each in found} == {"closed"}
    assert {each["outcome"]["how"] for each in found} == {"clock"}
    (closed,) = {each["outcome"]["version"] for each in found}
    entries = client.get(f"{path}/entries?after={window['trigger']['version']}").body["items"]
    played = [entry for entry in entries if entry["actor"]["kind"] == "clock" and entry["version"] <= closed]
    assert [entry["seat"] for entry in played] == awaited
    assert all(ms(entry["at"]) >= ms(window["deadline"]["at"]) for entry in played)
