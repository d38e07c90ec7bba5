"""`referee roots`: the root log is published from a store that runs and from one that was stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.cli.main import main
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.embedded.store_binaries import find_installed_binaries
from referee.infrastructure.settings import list_variables


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory, with no setting of the environment in the way."""
    if not find_installed_binaries():
        pytest.skip("no store server is installed")
    for name in list_variables():
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "data"


def test_tiles_are_written_while_the_store_runs_and_when_it_was_stopped(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tiles = tmp_path / "tiles"
    here = ("--data-dir", str(folder))

    def told() -> Any:
        main(["roots", "tiles", str(tiles), "--json", *here])
        return json.loads(capfd.readouterr().out)

    with EmbeddedServers(folder, store=True, queue=False):
        assert told() == {"size_before": 0, "size": 1, "files": 1}
        main(["keys", "rotate", *here])
        capfd.readouterr()
    assert told() == {"size_before": 1, "size": 2, "files": 1}
    assert len((tiles / "tile/0/000.p/2").read_bytes()) == 64
    main(["roots", "tiles", str(tiles), *here])
    assert "2 leaves (2 before), 0 new tiles" in capfd.readouterr().out
