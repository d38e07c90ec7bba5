"""`referee projections`: against the store that a server runs in a data directory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.eventstore.contract import Write
from referee.eventstore.redis.log import StreamLog
from referee.infrastructure.clients import client
from referee.infrastructure.embedded.servers import Keeper, store_of
from referee.infrastructure.embedded.store_binaries import installed
from referee.infrastructure.settings import known_variables
from referee.ratings.projection_versions import BUILDS


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, str]]:
    """A data directory with a store that runs in it, and the store's address."""
    if not installed():
        pytest.skip("no store server is installed")
    for name in known_variables():
        monkeypatch.delenv(name, raising=False)
    with Keeper(tmp_path / "data", store=True, queue=False) as keeper:
        assert keeper.store_url is not None
        yield tmp_path / "data", keeper.store_url


def called(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(["projections", *arguments])
    return int(left.value.code or 0)


def test_the_store_of_a_directory_is_found_while_it_is_served(served: tuple[Path, str], tmp_path: Path) -> None:
    folder, url = served
    assert store_of(folder) == url
    assert store_of(tmp_path / "another") is None


def test_without_a_server_the_way_out_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in known_variables():
        monkeypatch.delenv(name, raising=False)
    assert called("list", "--data-dir", str(tmp_path)) == 69
    assert "referee serve" in capfd.readouterr().err


def test_projections_are_listed_and_a_wrong_row_is_found_and_mended(
    served: tuple[Path, str], capfd: pytest.CaptureFixture[str]
) -> None:
    folder, url = served
    main(["projections", "list", "--json", "--data-dir", str(folder)])
    told = json.loads(capfd.readouterr().out)["projections"]
    assert {view["name"]: view["build"] for view in told} == BUILDS
    from tests.service.house import desk
    from tests.workers.house import opened

    log = StreamLog(client(url))
    opened(desk(log), "table", "table", game="monster_combat", variant="V1", begin=False)
    assert called("rebuild", "nothing", "--data-dir", str(folder)) == 2
    assert called("rebuild", "--data-dir", str(folder)) == 0
    partition = next(at for at, read in enumerate(log.cursors("lobby", 1)) if read)
    assert log.project(partition, "lobby", 1, 1, 1, [Write("hset", "matches", "07-nobody", b"{}")])
    assert called("rebuild", "lobby", "--data-dir", str(folder)) == 1
    assert "07-nobody: the live row was wrong" in capfd.readouterr().out
    assert called("rebuild", "lobby", "--data-dir", str(folder)) == 0
