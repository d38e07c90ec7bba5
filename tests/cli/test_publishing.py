"""`referee roots`, `stamp` and `witness`: the root log is published, whether or not its store runs."""

from __future__ import annotations

import base64
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.cli.main import main
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.embedded.store_binaries import find_installed_binaries
from referee.infrastructure.settings import list_variables
from referee.transparency.cosignatures import WitnessKey
from referee.transparency.receipts import encode_verifier_key
from tests.infrastructure.publication.authority import build_authority, serve_bytes


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory, with no setting of the environment in the way."""
    if not find_installed_binaries():
        pytest.skip("no store server is installed")
    for name in list_variables():
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "data"


def verify(capfd: pytest.CaptureFixture[str], *words: str, command: str = "verify") -> tuple[int, str]:
    with pytest.raises(SystemExit) as left:
        main([command, *words])
    return int(left.value.code or 0), capfd.readouterr().out


def audit(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    return verify(capfd, *words, command="audit")


def test_tiles_are_written_while_the_store_runs_and_when_it_was_stopped(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tiles = tmp_path / "tiles"
    here = ("--data-dir", str(folder))

    def write_tiles() -> Any:
        main(["roots", "tiles", str(tiles), "--json", *here])
        return json.loads(capfd.readouterr().out)

    with EmbeddedServers(folder, store=True, queue=False):
        assert write_tiles() == {"size_before": 0, "size": 1, "files": 1}
        main(["keys", "rotate", *here])
        capfd.readouterr()
    assert write_tiles() == {"size_before": 1, "size": 2, "files": 1}
    assert len((tiles / "tile/0/000.p/2").read_bytes()) == 64
    main(["roots", "tiles", str(tiles), *here])
    assert "2 leaves (2 before), 0 new tiles" in capfd.readouterr().out


def test_a_stamp_is_kept_and_verified_and_a_wrong_one_is_told(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    authority = build_authority(tmp_path / "town")
    here = ("--data-dir", str(folder))
    trusted = ("--certificate", str(authority.root))

    with EmbeddedServers(folder, store=True, queue=False):
        main(["keys", "list", "--json", *here])
        key = json.loads(capfd.readouterr().out)["keys"][0]["public"]
        with serve_bytes(authority.answer) as url:
            main(["stamp", "--tsa", url, *trusted, "--json", *here])
        told = json.loads(capfd.readouterr().out)
        audited = audit(capfd, *trusted, *here)
        assert (audited[0], f"according to {authority.name}." in audited[1]) == (0, True)
        audited = audit(capfd, *here)
        assert (audited[0], "1 timestamp was not judged" in audited[1]) == (0, True)
        (Path(told["folder"]) / "response.tsr").rename(tmp_path / "kept")
        (Path(told["folder"]) / "response.tsr").write_bytes(b"nothing")
        assert audit(capfd, *trusted, *here)[0] == audit(capfd, *here)[0] == 12
        (tmp_path / "kept").rename(Path(told["folder"]) / "response.tsr")
    assert (told["size"], told["authority"]) == (1, authority.name)
    kept = Path(told["folder"])
    assert kept.parent == folder / "stamps"
    code, out = verify(capfd, "--stamps", str(folder / "stamps"), *trusted, "--key", key)
    assert code == 0
    assert "(entries: 1) existed by " in out
    assert f"according to {authority.name}." in out
    code, out = verify(capfd, "--stamps", str(kept), *trusted, "--key", key, "--lang", "de")
    assert f"laut {authority.name}." in out
    code, out = verify(capfd, "--stamps", str(kept), *trusted)
    assert code == 12, "nobody knows whose log it is"
    assert "existed by" not in out
    other = build_authority(tmp_path / "other")
    code, out = verify(capfd, "--stamps", str(kept), "--certificate", str(other.root), "--key", key)
    assert code == 12
    assert "proves nothing" in out
    (kept / "checkpoint").write_text((kept / "checkpoint").read_text().replace("\n1\n", "\n2\n"))
    assert verify(capfd, "--stamps", str(kept), *trusted, "--key", key)[0] == 12
    assert verify(capfd, "--stamps", str(kept), "--key", key)[0] == 64


def test_a_witness_cosigns_the_roots_and_verify_tells_who_did(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    here = ("--data-dir", str(folder))
    with EmbeddedServers(folder, store=True, queue=False):
        main(["roots", "tiles", str(tmp_path / "tiles"), *here])
        main(["keys", "list", "--json", *here])
        told = json.loads(capfd.readouterr().out.splitlines()[-1])
        public = bytes.fromhex(told["keys"][0]["public"])
        log = encode_verifier_key(f"{told['store']}/roots", public)
        command = [sys.executable, "-m", "referee.cli", "witness", "serve", str(tmp_path / "w")]
        command += ["--name", "witness.example"]
        with subprocess.Popen([*command, "--log", log, "--port", "0"], stdout=subprocess.PIPE, text=True) as service:
            assert service.stdout is not None
            key, url = service.stdout.readline().strip(), service.stdout.readline().strip()
            with pytest.raises(SystemExit) as left:
                main(["roots", "witness", "--at", url, key, "--json", *here])
            assert left.value.code == 0
            answer = json.loads(capfd.readouterr().out)
            assert [each["witness"] for each in answer["cosigned"]] == ["witness.example"]
            service.send_signal(signal.SIGTERM)
            assert service.wait(60) == 0
        code, out = audit(capfd, "--witness", key, *here)
        assert (code, "witness.example cosigned the log" in out) == (0, True)
        code, out = audit(capfd, *here)
        assert (code, "Cosignatures of witness.example were not judged" in out) == (0, True)
        with pytest.raises(SystemExit) as left:
            main(["roots", "witness", "--at", url, key, *here])
        assert left.value.code == 1, "nobody answers any more"
        assert "does not answer" in capfd.readouterr().err
    (tmp_path / "roots").write_text(answer["note"])
    known = ("--roots", str(tmp_path / "roots"), "--key", log)
    code, out = verify(capfd, *known, "--witness", key)
    assert code == 0
    assert "witness.example cosigned the log" in out
    stranger = WitnessKey("other.example", public).encode()
    code, out = verify(capfd, *known, "--witness", key, "--witness", stranger, "--lang", "de")
    assert code == 0
    assert "witness.example hat das Log" in out
    assert "other.example hat keinen dieser" in out
    signed = answer["note"].rstrip("\n").rpartition(" ")
    raw = base64.b64decode(signed[2])
    (tmp_path / "roots").write_text(f"{signed[0]} {base64.b64encode(raw[:-1] + b'x').decode()}\n")
    code, out = verify(capfd, *known, "--witness", key)
    assert code == 12
    assert "false cosignature" in out
    assert verify(capfd, *known, "--witness", "nonsense")[0] == 64
