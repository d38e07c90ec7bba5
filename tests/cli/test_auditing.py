"""`referee audit` and `referee import`, upon stores that run and that were stopped."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.audit.bundles.format import encode_bundle
from referee.cli.main import main
from referee.infrastructure.clients import build_store_client, derive_store_id
from referee.infrastructure.composition import build_match_service, build_publisher
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.embedded.store_binaries import find_installed_binaries
from referee.infrastructure.keyring import load_signer
from referee.infrastructure.settings import Settings, list_variables
from referee.match.aggregate import SeatAssignment
from referee.match.table import commands
from tests.audit import house


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("exported") / "there.bundle"
    path.write_bytes(b"".join(encode_bundle(house.finished().all_lines)))
    return path


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    if not find_installed_binaries():
        pytest.skip("no store server is installed")
    for name in list_variables():
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "data"
    return Settings(folder, folder, folder, folder).with_data_dir(folder)


def called(capfd: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(list(map(str, words)))
    told = capfd.readouterr()
    return int(left.value.code or 0), told.out, told.err


def test_a_store_is_audited_while_it_runs_and_when_it_was_stopped_and_damage_is_told(
    settings: Settings, exported: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    where = ("--data-dir", settings.data_dir)
    with EmbeddedServers(settings.data_dir, store=True, queue=False) as keeper:
        served = replace(settings, store_url=keeper.store_url)
        at = build_match_service(served)
        build_publisher(served, at.log).ensure_key_published()
        chairs = (SeatAssignment("human"), SeatAssignment("human"))
        ask = commands.OpenMatch("monster_combat", "V1", {}, {"deck": "server"}, chairs, "private")
        one, two = (at.open_match(ask, letter * 22).match.id for letter in "kl")
        code, out, _ = called(capfd, "import", exported, "--json", *where)
        (taken,) = json.loads(out)["files"]
        assert (code, taken["state"], taken["token"][:4]) == (0, "imported", "rfs_")
        code, out, err = called(capfd, "audit", "--json", *where)
        told: dict[str, Any] = json.loads(out)
        assert (code, told["audited"], told["sound"], told["matches"], told["roots"]["sound"]) == (0, 3, 3, [], True)
        assert "matches" not in err, "nothing is shown with --json"
        before = build_store_client(served).dbsize()
        assert called(capfd, "audit", "--after", told["last"], *where)[0] == 0
        assert build_store_client(served).dbsize() == before
    code, out, _ = called(capfd, "import", exported, "--json", *where)
    assert (code, json.loads(out)["files"][0] | {"report": None}) == (0, taken | {"state": "already", "report": None})
    code, out, _ = called(capfd, "audit", "--lang", "de", *where)
    assert (code, "3 Partien" in out) == (0, True), out
    code, out, _ = called(capfd, "audit", "--match", taken["match"], *where)
    assert (code, "1 matches" in out) == (0, True)
    (settings.archive_path / taken["match"][:2] / f"{taken['match']}.bundle.gz").unlink()
    code, out, _ = called(capfd, "audit", *where)
    assert (code, "its file is missing" in out, taken["match"] in out) == (22, True, True)
    assert called(capfd, "audit", "--match", one, "--match", two, *where)[0] == 0
    lost, signer = tmp_path / "lost", load_signer(settings.signing_key_file)
    lost.write_text(signer.sign_receipt(f"{derive_store_id(settings)}/07-{26 * 'z'}", 5, bytes(32)))
    code, out, _ = called(capfd, "audit", "--match", one, "--receipts", lost, *where)
    assert (code, "the store has no such match" in out, "The root log is sound" in out) == (15, True, True)
    ahead = tmp_path / "ahead"
    ahead.write_text(signer.sign_receipt(f"{derive_store_id(settings)}/roots", 999, bytes(32)))
    code, out, _ = called(capfd, "audit", "--match", one, "--roots", ahead, "--json", *where)
    assert (code, [each["key"] for each in json.loads(out)["kept"]]) == (15, ["compare.rolled_back"])


def test_what_is_refused_says_why_and_wrong_words_are_misused(
    settings: Settings, exported: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    where = ("--data-dir", settings.data_dir)
    with EmbeddedServers(settings.data_dir, store=True, queue=False):
        cut = tmp_path / "cut"
        cut.write_bytes(exported.read_bytes()[:-40])
        code, out, _ = called(capfd, "import", cut, *where)
        assert (code, "REFUSED" in out) == (10, True)
        odd = tmp_path / "odd"
        odd.write_bytes(exported.read_bytes().replace(b'\\"type\\":\\"mc.', b'\\"type\\":\\"mx.', 1))
        assert called(capfd, "import", odd, *where)[0] == 14
        nobody = "07-" + 26 * "a"
        for words in (["--match", nobody], ["--match", "nonsense"], ["--match", nobody, "--after", nobody]):
            assert called(capfd, "audit", *words, *where)[0] >= 64
