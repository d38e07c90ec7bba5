"""`referee keys`: the chain is listed, and a new key takes the old one's place, whether or not a server runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.cli.main import main
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.embedded.store_binaries import find_installed_binaries
from referee.infrastructure.keyring import load_signer
from referee.infrastructure.settings import list_variables


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory, with no setting of the environment in the way."""
    if not find_installed_binaries():
        pytest.skip("no store server is installed")
    for name in list_variables():
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "data"


def told(capfd: pytest.CaptureFixture[str], *arguments: str) -> Any:
    main(["keys", *arguments, "--json"])
    return json.loads(capfd.readouterr().out)


def test_a_key_is_rotated_under_a_running_store_and_without_one(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    here = ("--data-dir", str(folder))
    with EmbeddedServers(folder, store=True, queue=False):
        first = told(capfd, "list", *here)
        assert [key["signs"] for key in first["keys"]] == [True]
        done = told(capfd, "rotate", *here)
        assert (done["before"], done["resumed"]) == (first["keys"][0]["fingerprint"], False)
    again = told(capfd, "rotate", *here)
    assert again["before"] == done["fingerprint"]
    last = told(capfd, "list", *here)
    assert last["store"] == first["store"]
    assert last["rotation_broken_off"] is False
    keys = [first["keys"][0]["fingerprint"], done["fingerprint"], again["fingerprint"]]
    assert [key["fingerprint"] for key in last["keys"]] == keys
    assert [key["signs"] for key in last["keys"]] == [False, False, True]
    assert all(key["vouched"] for key in last["keys"])
    assert load_signer(folder / "signing.pem").fingerprint == keys[-1]
    main(["keys", "list", *here])
    shown = capfd.readouterr().out
    assert f"{keys[-1]}  since " in shown
    assert f"--key {last['keys'][-1]['public']}\n" in shown


def test_a_key_that_took_the_place_of_another_by_hand_is_seen_and_a_broken_rotation_too(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    here = ("--data-dir", str(folder))
    with EmbeddedServers(folder, store=True, queue=False):
        told(capfd, "list", *here)
        (folder / "signing.pem").unlink()
        load_signer(folder / "signing.pem.next")
        assert [key["vouched"] for key in told(capfd, "list", *here)["keys"]] == [True, False]
        main(["keys", "list", *here])
        out = capfd.readouterr().out
        assert "NOTHING VOUCHES FOR IT" in out
        assert "completes it" in out
        main(["keys", "rotate", *here])
        assert "an interrupted rotation is complete now" in capfd.readouterr().out


def test_where_no_server_has_run_the_way_out_is_named(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["keys", "rotate", "--data-dir", str(folder)])
    assert left.value.code == 69
    assert "REFEREE_STORE_URL" in capfd.readouterr().err
    assert not folder.exists(), "nothing was made"
