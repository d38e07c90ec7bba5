"""The whole server on a small disk that something else fills: reads go on, writes are refused, and nothing is lost."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.cli.client import ApiClient, ApiResponse, ProblemError
from tests.cli.serving import Serving
from tests.infrastructure.machine import eventually

MB = 1 << 20
SIZE = 300 * MB
MOUNT = 'mount -t tmpfs -o size="$1" none "$2" && echo mounted && exec sleep 600'

pytestmark = [pytest.mark.deep, pytest.mark.skipif(sys.platform != "linux", reason="mounts a disk as only Linux can")]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own: mounted in a name space that needs no rights, and seen through the process in it."""
    if not (unshare := shutil.which("unshare")):
        pytest.skip("no `unshare` (util-linux), with which an ordinary user mounts a small disk")
    place = tmp_path / "disk"
    place.mkdir()
    command = [unshare, "--map-root-user", "--mount", "sh", "-c", MOUNT, "sh", str(SIZE), str(place)]
    holder = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    try:
        if holder.stdout.readline() != "mounted\n":
            pytest.skip("this machine lets no ordinary user mount a small disk (user name spaces are off)")
        yield Path(f"/proc/{holder.pid}/root{place}")
    finally:
        holder.kill()
        holder.communicate()


def fill(disk: Path) -> Path:
    """Takes every byte that is left."""
    path = disk / "something-else"
    with path.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(MB)):
            pass
    return path


def play(client: ApiClient, path: str, move: dict[str, Any]) -> ApiResponse | None:
    """The answer to a move under the one key; None as long as there is no room for it."""
    try:
        return client.post(path, {"move": move}, key="one-move")
    except ProblemError as refused:
        if refused.status != 507:
            raise
        return None


def test_reads_go_on_writes_get_507_and_go_on_once_there_is_room(disk, tmp_path):
    assert shutil.disk_usage(disk).total == SIZE
    (tmp_path / "bare" / "notes").mkdir(parents=True)
    serving = Serving(tmp_path / "bare", "--data-dir", str(disk / "data"), REFEREE_LOG_LEVEL="warning")
    try:
        assert serving.told, serving.end()
        client = ApiClient(serving.told["url"])
        ask = {"game": "mau_mau", "seats": [{"kind": "human"}] * 2, "visibility": "public"}
        opened = client.post("/v1/matches", ask, key="an-opening-key-of-this-test")
        match, host = opened.body["match"], client.with_token(opened.body["token"])
        joined = [
            client.post("/v1/join", {"code": each["code"]}, key=f"a-joining-key-of-seat-{number}-of-this-test")
            for number, each in enumerate(opened.body["invitations"][:2])
        ]
        seats = [client.with_token(each.body["token"]) for each in joined]
        started = host.post(
            f"/v1/matches/{match}/start", {}, if_match=host.get(f"/v1/matches/{match}").etag, key="start"
        )
        (seat,) = started.body["awaits"]
        move = seats[seat].get(f"/v1/matches/{match}/seats/{seat}/moves").body["legal"][0]["move"]
        before = client.get(f"/v1/matches/{match}/entries").body

        filling = fill(disk)
        eventually(lambda: client.get("/readyz").body["store"] == "full")
        moves = f"/v1/matches/{match}/seats/{seat}/moves"
        for _ in range(3):
            with pytest.raises(ProblemError) as refused:
                seats[seat].post(moves, {"move": move}, key="one-move")
            assert (refused.value.status, refused.value.body["type"]) == (507, "/problems/store-full")
        for path in ("", "/entries", f"/view?viewer=seat:{seat}", f"/seats/{seat}/moves", f"/seats/{seat}/situation"):
            assert seats[seat].get(f"/v1/matches/{match}{path}").body, path
        assert client.get(f"/v1/matches/{match}/entries").body == before

        filling.unlink()
        made = eventually(lambda: play(seats[seat], moves, move))
        assert made.body["version"] == started.body["version"] + 1, "the refused tries left nothing behind"
        assert client.get("/readyz").body["store"] == "ok"
    finally:
        said = serving.end()
    assert "DISK FULL" in said
    assert "writes go on" in said
