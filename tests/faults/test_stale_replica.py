"""A replica that had missed acknowledged moves takes over while the program runs on.

Nothing that is signed afterwards may contradict a receipt that somebody holds: the match is frozen and says so. Where
moves wait for the replica, nothing that was acknowledged is missing.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from referee.infrastructure.keyring import load_signer
from referee.infrastructure.settings import PREFIX
from referee.transparency.receipts import Checkpoint, verify_note
from tests.bench.driving import request
from tests.eventstore.replicas import Forwarder, Pair, free_port
from tests.eventstore.servers import NO_SERVER, Server, binaries
from tests.faults.hosts import Host, ask
from tests.faults.program import RATES
from tests.infrastructure.machine import ROOT, eventually

pytestmark = [
    pytest.mark.crash,
    pytest.mark.skipif(not binaries(), reason=NO_SERVER),
]
MOVES = 8


class Apart:
    """`referee api` and `referee worker` on a store that stands elsewhere."""

    def __init__(self, folder: Path, store: int, **variables: str) -> None:
        self.folder, self.port = folder, free_port()
        self.queue = Server(next(iter(binaries().values())))
        kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        self.environment = kept | RATES | {
            "PYTHONPATH": str(ROOT), "REFEREE_DATA_DIR": str(folder / "data"), "REFEREE_PORT": str(self.port),
            "REFEREE_STORE_URL": f"redis://127.0.0.1:{store}/0", "REFEREE_WORKERS": "2", "REFEREE_THREADS": "32",
            "REFEREE_LOG_LEVEL": "warning", **variables,
        }  # fmt: skip
        self.processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Apart:
        self.queue.start()
        self.environment["REFEREE_QUEUE_URL"] = f"unix://{self.queue.socket}"
        (self.folder / "data").mkdir(mode=0o700)
        for words in (("api",), ("worker", "drain", "sweeper", "bots")):
            self.start(*words)
        eventually(self.is_ready, 180)
        return self

    def start(self, *words: str) -> None:
        with (self.folder / "said").open("ab") as said:
            process = subprocess.Popen(
                [sys.executable, "-m", "referee.cli", *words],
                env=self.environment, stdout=said, stderr=said, cwd=self.folder, start_new_session=True,
            )  # fmt: skip
        self.processes.append(process)

    def is_ready(self) -> bool:
        assert all(process.poll() is None for process in self.processes), self.said()
        with contextlib.suppress(OSError):
            return self.ask(request("GET", "/readyz"))[0] == 200
        return False

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.queue.remove()

    def said(self) -> str:
        return (self.folder / "said").read_text(errors="replace")[-4000:]

    def ask(self, asked: bytes) -> tuple[int, Any]:
        """The status and the body of an answer."""
        return ask(("127.0.0.1", self.port), asked)

    @property
    def key(self) -> bytes:
        return load_signer(self.folder / "data" / "signing.pem").public


@dataclass
class Played:
    """A match that two people play, with every receipt that they were given."""

    apart: Apart | Host
    id: str = ""
    host: str = ""
    tokens: list[str] = field(default_factory=list)
    receipts: list[Checkpoint] = field(default_factory=list)

    def begin(self) -> Played:
        ask = {"game": "mau_mau", "variant": "standard", "seats": [{"kind": "human"}] * 2}
        status, made = self.apart.ask(request("POST", "/v1/matches", body=ask))
        assert status == 201, made
        self.id, self.host = made["match"], made["token"]
        for invitation in made["invitations"]:
            status, joined = self.apart.ask(request("POST", "/v1/join", body={"code": invitation["code"]}))
            assert status == 201, joined
            self.tokens.append(joined["token"])
        status, started = self.apart.ask(request("POST", f"/v1/matches/{self.id}/start", self.host, {}, match='"v3"'))
        assert status == 201, started
        return self

    def move(self) -> tuple[int, Any]:
        """The answer to a move of whoever is to move; a receipt in it is kept."""
        for seat, token in enumerate(self.tokens):
            status, offer = self.apart.ask(request("GET", f"/v1/matches/{self.id}/seats/{seat}/moves", token))
            if status != 200:
                return status, offer
            if offer["awaited"] and offer["legal"]:
                usual = [each for each in offer["legal"] if not each["move"]["type"].endswith("leave")]
                asked = request("POST", f"/v1/matches/{self.id}/seats/{seat}/moves", token, {"move": usual[0]["move"]})
                status, done = self.apart.ask(asked)
                self.last = asked
                if status == 201:
                    self.keep(done["receipt"])
                return status, done
        raise AssertionError("nobody is to move")

    def status(self) -> str:
        status, about = self.apart.ask(request("GET", f"/v1/matches/{self.id}", self.tokens[0]))
        assert status == 200, about
        found: str = about["status"]
        return found

    def keep(self, note: str) -> None:
        self.receipts.append(verify_note(note, [self.apart.key]))

    def require_one_history(self) -> None:
        """Fail if two receipts say something else of one size."""
        assert len({(each.origin, each.size) for each in self.receipts}) == len(
            {(each.origin, each.size, each.root) for each in self.receipts}
        )

    def ask_for_all_receipts(self) -> list[int]:
        """Ask for the receipt of each version again, and keep what is signed; the statuses."""
        statuses = []
        for size in range(1, 2 + max(each.size for each in self.receipts)):
            for path in (f"receipts/{size}", "checkpoint"):
                status, told = self.apart.ask(request("GET", f"/v1/matches/{self.id}/{path}", self.tokens[0]))
                statuses.append(status)
                if status == 200:
                    self.keep(told["note"])
        return statuses


@pytest.fixture
def pair() -> Iterator[Pair]:
    with Pair() as made:
        yield made


def test_moves_that_a_stale_replica_lacks_freeze_the_match_and_no_receipt_contradicts_another(
    pair: Pair, tmp_path: Path
) -> None:
    pair.main.client().config_set("min-replicas-to-write", 1)  # which does not wait for what it has received
    front = Forwarder(pair.main.port)
    with contextlib.closing(front), Apart(tmp_path, front.port) as apart:
        played, quiet, sound = (Played(apart).begin() for _ in range(3))
        for _ in range(3):
            assert played.move()[0] == quiet.move()[0] == sound.move()[0] == 201
        known = played.receipts[-1].size
        pair.main.client().wait(1, 5000)
        with pair.held():
            for _ in range(MOVES):
                assert played.move()[0] == quiet.move()[0] == 201
            assert played.receipts[-1].size > known
            pair.fail_over()
        front.lead_to(pair.replica.port)
        eventually(apart.is_ready, 30)
        status, told = played.move()
        assert (status, told["type"].rpartition("/")[2]) == (423, "log-frozen"), told
        eventually(lambda: quiet.status() == "frozen", 30)  # though nobody moved
        played.ask_for_all_receipts()
        assert played.status() == "frozen"
        assert apart.ask(request("GET", "/readyz"))[1]["history"] == "lost"
        played.require_one_history()
        for _ in range(3):
            assert sound.move()[0] == 201, "what the replica had goes on"
        assert set(sound.ask_for_all_receipts()) <= {200, 404}
        sound.require_one_history()


def test_moves_that_wait_for_the_replica_are_never_lost(pair: Pair, tmp_path: Path) -> None:
    front = Forwarder(pair.main.port)
    with (
        contextlib.closing(front),
        Apart(tmp_path, front.port, REFEREE_STORE_REPLICAS="1", REFEREE_STORE_REPLICAS_MS="300") as apart,
    ):
        played = Played(apart).begin()
        for _ in range(3):
            assert played.move()[0] == 201
        with pair.held():
            for _ in range(2):
                status, told = played.move()
                assert (status, told["type"].rpartition("/")[2]) == (503, "store-away"), told
            pair.fail_over()
        front.lead_to(pair.replica.port)
        eventually(apart.is_ready, 30)
        # the only server left has no replica: moves are not acknowledged, and none of those that were is missing
        status, told = played.move()
        assert (status, told["type"].rpartition("/")[2]) == (503, "store-away"), told
        status, about = apart.ask(request("GET", f"/v1/matches/{played.id}", played.tokens[0]))
        assert (status, about["status"]) == (200, "running")
        assert about["version"] >= played.receipts[-1].size
        with_replica = Server(next(iter(binaries().values())), "--replicaof", f"127.0.0.1 {pair.replica.port}")
        with contextlib.closing(contextlib.ExitStack()) as cleanup:
            cleanup.callback(with_replica.remove)
            with_replica.start()
            eventually(lambda: pair.replica.client().info("replication").get("connected_slaves") == 1)
            eventually(lambda: played.move()[0] == 201, 30)
            for _ in range(MOVES):
                assert played.move()[0] == 201
            assert set(played.ask_for_all_receipts()) <= {200, 404}
        played.require_one_history()
        assert played.status() == "running"
        assert apart.ask(request("GET", "/readyz"))[1]["history"] == "ok"


@pytest.mark.parametrize("words", [("api",), ("worker", "drain"), ("serve", "--port", "0")])
def test_a_store_with_replicas_and_no_word_about_them_is_refused(
    pair: Pair, tmp_path: Path, words: tuple[str, ...]
) -> None:
    apart = Apart(tmp_path, pair.main.port)
    apart.environment["REFEREE_QUEUE_URL"] = f"unix://{pair.main.socket}"
    done = subprocess.run(
        [sys.executable, "-m", "referee.cli", *words], env=apart.environment, capture_output=True, timeout=180, cwd=ROOT
    )
    assert done.returncode == 78
    assert b"REFEREE_STORE_UNSAFE=true" in done.stderr
    apart.queue.remove()
