"""A store that stands elsewhere is looked at before anybody plays, as the embedded one is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.cli.commands.running import serve
from referee.games import load_games
from referee.infrastructure.composition import build_match_service
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.embedded.store_binaries import find_installed_binaries
from referee.infrastructure.settings import Settings
from referee.match.aggregate import SeatAssignment
from referee.match.table import commands


class Stopped(Exception):
    """The start got as far as its processes."""


def stop(*_: object, **__: object) -> None:
    raise Stopped


@pytest.mark.parametrize("part", ["api", "worker"])
def test_damaged_matches_are_frozen_and_writers_of_before_fenced(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if not find_installed_binaries():
        pytest.skip("no store server is installed")
    load_games()
    bare = Settings(tmp_path, tmp_path, tmp_path, tmp_path).with_data_dir(tmp_path / "data")
    with EmbeddedServers(tmp_path / "elsewhere") as keeper:
        settings = replace(bare, store_url=keeper.store_url, queue_url=keeper.queue_url)
        service = build_match_service(settings)
        ask = commands.OpenMatch("mau_mau", "standard", {}, {}, (SeatAssignment("table"),) * 2)
        sound, damaged = (service.open_match(ask, key).match.id for key in ("one", "two"))
        service.log.client.hset(f"{{p{damaged[:2]}}}:m:{damaged}:head", "root", b"x" * 32)  # type: ignore[attr-defined]
        monkeypatch.setattr(serve.os, "execve", stop)
        monkeypatch.setattr(serve, "build_worker_children", stop)
        start = {"api": serve.run_api, "worker": lambda given: serve.run_workers(given, ("drain",))}[part]
        with pytest.raises(Stopped):
            start(settings)
        assert f"DAMAGED and frozen: match {damaged}" in capfd.readouterr().err
        heads = {match: service.log.read(match, limit=0).head for match in (sound, damaged)}
        assert {match: head and head.status for match, head in heads.items()} == {sound: "open", damaged: "frozen"}
        assert service.log.read_partition_info(7).epoch == 1
