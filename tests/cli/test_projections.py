"""`referee projections`: against the store that a server runs in a data directory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.eventstore.contract import ProjectionWrite
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.clients import build_client
from referee.infrastructure.embedded.servers import EmbeddedServers, find_store_url
from referee.infrastructure.embedded.store_binaries import find_installed_binaries
from referee.infrastructure.settings import list_variables
from referee.ratings.projection_versions import PROJECTION_VERSIONS

pytestmark = pytest.mark.deep


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, str]]:
    """A data directory with a store that runs in it, and the store's address."""
    if not find_installed_binaries():
        pytest.skip("no store server is installed")
    for name in list_variables():
        monkeypatch.delenv(name, raising=False)
    with EmbeddedServers(tmp_path / "data", store=True, queue=False) as keeper:
        assert keeper.store_url is not None
        yield tmp_path / "data", keeper.store_url


def called(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(["projections", *arguments])
    return int(left.value.code or 0)


def test_the_store_of_a_directory_is_found_while_it_is_served(served: tuple[Path, str], tmp_path: Path) -> None:
    folder, url = served
    assert find_store_url(folder) == url
    assert find_store_url(tmp_path / "another") is None


def test_without_a_server_the_way_out_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in list_variables():
        monkeypatch.delenv(name, raising=False)
    assert called("list", "--data-dir", str(tmp_path)) == 69
    assert "referee serve" in capfd.readouterr().err


def test_projections_are_listed_and_a_wrong_row_is_found_and_mended(
    served: tuple[Path, str], capfd: pytest.CaptureFixture[str]
) -> None:
    folder, url = served
    main(["projections", "list", "--json", "--data-dir", str(folder)])
    told = json.loads(capfd.readouterr().out)["projections"]
    assert {view["name"]: view["build"] for view in told} == PROJECTION_VERSIONS
    from tests.service.house import service
    from tests.workers.house import opened

    log = RedisLog(build_client(url))
    opened(service(log), "table", "table", game="monster_combat", variant="V1", begin=False)
    assert called("rebuild", "nothing", "--data-dir", str(folder)) == 2
    assert called("rebuild", "--data-dir", str(folder)) == 0
    partition = next(at for at, read in enumerate(log.read_partition_cursors("lobby", 1)) if read)
    assert log.apply_projection(partition, "lobby", 1, 1, 1, [ProjectionWrite("hset", "matches", "07-nobody", b"{}")])
    assert called("rebuild", "lobby", "--data-dir", str(folder)) == 1
    assert "07-nobody: the live row was wrong" in capfd.readouterr().out
    assert called("rebuild", "lobby", "--data-dir", str(folder)) == 0
