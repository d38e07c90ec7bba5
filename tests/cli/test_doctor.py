"""`referee doctor`: finds each ill by itself, names its mending, changes nothing."""

from __future__ import annotations

import json
import os
import socket
from collections import namedtuple
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli.commands.running import doctor
from referee.cli.commands.running.doctor import FINE, WARNING, WRONG, CheckResult, check_environment
from referee.cli.main import cli
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.keyring import load_signer
from referee.infrastructure.secrets import load_server_secret
from referee.infrastructure.settings import Settings, list_variables
from referee.infrastructure.stores.requirements import format_version


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list_variables():
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return replace(Settings(tmp_path, tmp_path, tmp_path, tmp_path).with_data_dir(tmp_path / "data"), port=0)


def found(settings: Settings) -> dict[str, CheckResult]:
    return {finding.check: finding for finding in check_environment(settings)}


def ill(settings: Settings) -> dict[str, CheckResult]:
    return {check: finding for check, finding in found(settings).items() if finding.state != FINE}


def test_on_a_fit_machine_all_is_well_and_nothing_is_made(settings):
    assert ill(settings) == {}
    assert not settings.data_dir.exists()


def test_it_says_whether_assistants_are_answered_and_how_they_will_be(settings, monkeypatch):
    assert found(settings)["assistants"] == CheckResult("assistants", FINE, "`referee mcp` answers them")
    monkeypatch.setattr(doctor, "is_sdk_installed", lambda: False)
    without = found(settings)["assistants"]
    assert (without.state, without.mend) == (FINE, "pip install '.[mcp]'")


def test_after_a_first_start_all_is_well_too(settings):
    with EmbeddedServers(settings.data_dir):
        load_server_secret(settings.secret_file)
        load_signer(settings.signing_key_file)
        assert ill(settings) == {}
        assert f"process {os.getpid()}" in found(settings)["lock"].says


def test_a_store_that_refuses_writes_is_wrong_while_it_runs(settings, monkeypatch):
    with EmbeddedServers(settings.data_dir, queue=False) as keeper:
        load_server_secret(settings.secret_file)
        load_signer(settings.signing_key_file)
        usage = namedtuple("Usage", "free")
        monkeypatch.setattr("shutil.disk_usage", lambda _: usage(60 << 20))
        keeper.guard_disk()
        found = ill(settings)
        assert found.keys() == {"disk", "store"}
        assert (found["disk"].state, found["store"].state) == (WRONG, WRONG)
        assert "60 MB are free" in found["disk"].says
        monkeypatch.setattr("shutil.disk_usage", lambda _: usage(200 << 20))
        keeper.guard_disk()
        assert ill(settings)["disk"].state == WARNING
        assert ill(settings).keys() == {"disk"}


def test_a_python_too_old_is_wrong(settings, monkeypatch):
    monkeypatch.setattr(doctor, "MIN_PYTHON", (99, 0))
    assert ill(settings)["python"].state == WRONG


def test_a_library_that_is_missing_is_named(settings, monkeypatch):
    monkeypatch.setattr(doctor, "LIBRARIES", ("flask", "no_such_library"))
    assert "no_such_library" in ill(settings)["libraries"].says
    assert "pip install" in ill(settings)["libraries"].mend


def test_a_misspelt_variable_is_pointed_at(settings, monkeypatch):
    monkeypatch.setenv("REFEREE_PROT", "8080")
    assert ill(settings)["settings"] == CheckResult(
        "settings", WARNING, "ignored: REFEREE_PROT", ".env.example lists every setting"
    )


def test_a_data_directory_that_stands_open_is_wrong(settings):
    settings.data_dir.mkdir(mode=0o755)
    settings.data_dir.chmod(0o755)
    assert ill(settings)["data directory"].mend == f"chmod 700 '{settings.data_dir}'"


def test_a_data_directory_that_cannot_be_made_is_wrong(settings, tmp_path):
    (tmp_path / "file").write_text("")
    wrong = ill(settings.with_data_dir(tmp_path / "file" / "below"))["data directory"]
    assert wrong.state == WRONG
    assert "REFEREE_DATA_DIR" in wrong.mend


def test_no_store_server_is_wrong_with_the_ways_out(settings, monkeypatch, tmp_path):
    monkeypatch.setattr("referee.infrastructure.embedded.store_binaries.find_wheel_binary", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "--ephemeral" in ill(settings)["store server"].mend


@pytest.mark.parametrize(
    ("make", "check", "mend"),
    [
        (lambda settings: settings.secret_file.write_text("weak"), "secret", "replace"),
        (lambda settings: settings.signing_key_file.write_text("no key"), "signing key", "replace"),
    ],
)
def test_a_weak_secret_and_a_broken_key_are_wrong(settings, make: Callable[[Settings], None], check, mend):
    settings.data_dir.mkdir(mode=0o700)
    make(settings)
    for file in settings.data_dir.iterdir():
        file.chmod(0o600)
    assert mend in ill(settings)[check].mend


def test_private_files_that_others_may_read_are_wrong(settings):
    settings.data_dir.mkdir(mode=0o700)
    load_server_secret(settings.secret_file)
    load_signer(settings.signing_key_file)
    settings.operator_hash_file.write_text("0" * 64)
    settings.operator_hash_file.chmod(0o600)
    for path in (settings.secret_file, settings.signing_key_file, settings.operator_hash_file):
        path.chmod(0o644)
        assert [finding.mend for finding in ill(settings).values()] == [f"chmod 600 '{path}'"]
        path.chmod(0o600)


def test_a_rotation_that_was_broken_off_is_told_of(settings):
    settings.data_dir.mkdir(mode=0o700)
    load_signer(settings.signing_key_file)
    load_signer(settings.signing_key_file.with_name("signing.pem.next"))
    told = [finding for finding in check_environment(settings) if finding.says == "a rotation was interrupted"]
    assert [(finding.check, finding.state, finding.mend) for finding in told] == [
        ("signing key", "warning", "referee keys rotate")
    ]


def test_a_port_in_use_is_wrong_unless_it_is_our_own(settings):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        busy = replace(settings, port=taken.getsockname()[1])
        assert "REFEREE_PORT" in ill(busy)["port"].mend
        with EmbeddedServers(settings.data_dir, store=False):
            assert "port" not in ill(busy)


def test_named_servers_that_are_away_are_wrong_and_one_that_keeps_nothing_is_pointed_at(settings, tmp_path):
    away = replace(settings, store_url=f"unix://{tmp_path}/no.sock", queue_url=f"unix://{tmp_path}/no.sock")
    assert {check: finding.state for check, finding in ill(away).items()} == {"store": WRONG, "queue": WRONG}
    with EmbeddedServers(tmp_path / "elsewhere") as keeper:
        named = replace(settings, store_url=keeper.store_url, queue_url=keeper.queue_url)
        assert ill(named) == {}
        family, version = keeper.binary.family, format_version(keeper.binary.version)
        told = {each.check: each.says for each in check_environment(named)}
        assert told["store"].startswith(f"{family.capitalize()} {version} answers"), "not what it is compatible with"
        assert told["queue"] == f"{family.capitalize()} {version} answers"
        forgetful = replace(settings, store_url=keeper.queue_url)
        assert ill(forgetful)["store"].state == WRONG
        assert "it could lose what it has acknowledged" in ill(forgetful)["store"].says
        accepted = ill(replace(forgetful, store_unsafe=True))["store"]
        assert (accepted.state, "REFEREE_STORE_UNSAFE" in accepted.mend) == (WARNING, True)
    ephemeral = [each for each in check_environment(replace(settings, ephemeral=True)) if each.check == "store"]
    assert [each.state for each in ephemeral] == [WARNING]


def test_the_exit_code_is_1_exactly_if_something_is_wrong(tmp_path, monkeypatch):
    monkeypatch.setenv("REFEREE_PORT", "0")
    run = CliRunner().invoke
    well = run(cli, ["doctor", "--json", "--data-dir", str(tmp_path / "data")])
    assert well.exit_code == 0
    assert json.loads(well.output)["well"] is True
    monkeypatch.setenv("REFEREE_THREADS", "none")
    wrong = run(cli, ["doctor", "--data-dir", str(tmp_path / "data")])
    assert wrong.exit_code == 1
    assert "REFEREE_THREADS" in wrong.output
