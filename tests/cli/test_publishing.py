"""`referee roots` and `referee stamp`: the root log is published, whether or not its store runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.cli.main import main
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.embedded.store_binaries import find_installed_binaries
from referee.infrastructure.settings import list_variables
from tests.infrastructure.publication.authority import build_authority, serve_bytes


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


def test_a_stamp_is_kept_and_verified_and_a_wrong_one_is_told(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    authority = build_authority(tmp_path / "town")
    here = ("--data-dir", str(folder))
    trusted = ("--certificate", str(authority.root))

    def verify(*words: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as left:
            main(["verify", *words])
        return int(left.value.code or 0), capfd.readouterr().out

    with EmbeddedServers(folder, store=True, queue=False):
        main(["keys", "list", "--json", *here])
        key = json.loads(capfd.readouterr().out)["keys"][0]["public"]
        with serve_bytes(authority.answer) as url:
            main(["stamp", "--tsa", url, *trusted, "--json", *here])
    told = json.loads(capfd.readouterr().out)
    assert (told["size"], told["authority"]) == (1, authority.name)
    kept = Path(told["folder"])
    assert kept.parent == folder / "stamps"
    code, out = verify("--stamps", str(folder / "stamps"), *trusted, "--key", key)
    assert code == 0
    assert "(entries: 1) existed by " in out
    assert f"according to {authority.name}." in out
    code, out = verify("--stamps", str(kept), *trusted, "--key", key, "--lang", "de")
    assert f"laut {authority.name}." in out
    code, out = verify("--stamps", str(kept), *trusted)
    assert code == 12, "nobody knows whose log it is"
    assert "existed by" not in out
    other = build_authority(tmp_path / "other")
    code, out = verify("--stamps", str(kept), "--certificate", str(other.root), "--key", key)
    assert code == 12
    assert "proves nothing" in out
    (kept / "checkpoint").write_text((kept / "checkpoint").read_text().replace("\n1\n", "\n2\n"))
    assert verify("--stamps", str(kept), *trusted, "--key", key)[0] == 12
    assert verify("--stamps", str(kept), "--key", key)[0] == 64
