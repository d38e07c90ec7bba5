"""`referee history`: a store that was put back to an older copy is said to be so, and goes on once the host says so."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.cli.commands.running.doctor import WRONG, check_environment
from referee.cli.main import main
from referee.games import load_games
from referee.infrastructure.composition import build_match_service, build_publisher, recover_after_start
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.embedded.store_binaries import find_installed_binaries
from referee.infrastructure.root_publisher import RootLogError
from referee.infrastructure.settings import Settings, list_variables
from referee.match.aggregate import SeatAssignment
from referee.match.errors import MatchUnavailable
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.transparency.key_chain import RootLeaf


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A data directory, with no setting of the environment in the way."""
    if not find_installed_binaries():
        pytest.skip("no store server is installed")
    for name in list_variables():
        monkeypatch.delenv(name, raising=False)
    load_games()
    return Settings(tmp_path, tmp_path, tmp_path, tmp_path).with_data_dir(tmp_path / "data")


def told(capfd: pytest.CaptureFixture[str], settings: Settings, *arguments: str) -> tuple[int, Any]:
    code = 0
    try:
        main(["history", *arguments, "--data-dir", str(settings.data_dir), "--json"])
    except SystemExit as ended:
        code = int(ended.code or 0)
    return code, json.loads(capfd.readouterr().out)


def audited(capfd: pytest.CaptureFixture[str], settings: Settings) -> tuple[int, Any]:
    with pytest.raises(SystemExit) as ended:
        main(["audit", "--data-dir", str(settings.data_dir), "--json"])
    return int(ended.value.code or 0), json.loads(capfd.readouterr().out)


def opened(at: MatchService, key: str) -> str:
    ask = commands.OpenMatch("mau_mau", "standard", {}, {}, (SeatAssignment("table"),) * 2)
    return at.open_match(ask, key).match.id


def test_an_older_copy_of_the_store_is_frozen_until_the_host_accepts_it(
    settings: Settings, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with EmbeddedServers(settings.data_dir, queue=False) as keeper:
        named = replace(settings, store_url=keeper.store_url)
        at = build_match_service(named)
        match, sound = opened(at, "one"), opened(at, "two")
        build_publisher(named, at.log).sign_checkpoint()
    assert told(capfd, settings, "lost") == (0, {"lost": [], "journal": []})
    shutil.copytree(settings.data_dir / "store", tmp_path / "older")
    with EmbeddedServers(settings.data_dir, queue=False) as keeper:
        named = replace(settings, store_url=keeper.store_url)
        at = build_match_service(named)
        at.execute_command(match, commands.StartMatch(), key="start", scope="host")
        late = opened(at, "three")
        publisher = build_publisher(named, at.log)
        publisher.publish_root(RootLeaf(sound, 1, at.log.read_entries(sound)[0].root, at.log.now()))
        publisher.sign_checkpoint()
    shutil.rmtree(settings.data_dir / "store")
    shutil.copytree(tmp_path / "older", settings.data_dir / "store")
    code, found = audited(capfd, settings)  # before any server has run on it
    assert code == 22
    assert {each["match"] for each in found["matches"]} == {match, late}
    assert [each["key"] for each in found["kept"]] == ["roots.signed"]
    with EmbeddedServers(settings.data_dir, queue=False) as keeper:
        named = replace(settings, store_url=keeper.store_url)
        assert {(damage.match, damage.what) for damage in recover_after_start(named)} == {
            (match, "signed"),
            (late, "signed"),
        }
        at = build_match_service(named)
        with pytest.raises(MatchUnavailable, match="frozen"):
            at.execute_command(match, commands.StartMatch(), key="start", scope="host")
        with pytest.raises(RootLogError, match="roots"):
            build_publisher(named, at.log).sign_checkpoint()
        at.execute_command(sound, commands.StartMatch(), key="start", scope="host")
    code, found = told(capfd, settings, "lost")
    assert (code, found["lost"]) == (1, sorted([match, late, "roots"]))
    code, done = told(capfd, settings, "accept", "--all", "--reason", "the disk of Sunday")
    assert code == 0
    assert {each["log"]: (each["was"] > each["is"]) for each in done["accepted"]} == dict.fromkeys(found["lost"], True)
    code, found = told(capfd, settings, "lost")
    assert (code, found["lost"]) == (0, [])
    assert audited(capfd, settings)[0] == 0
    accepted = [line for line in found["journal"] if line["what"] == "accepted"]
    assert {line["log"] for line in accepted} == {match, late, "roots"}
    assert {line["reason"] for line in accepted} == {"the disk of Sunday"}
    with EmbeddedServers(settings.data_dir, queue=False) as keeper:
        named = replace(settings, store_url=keeper.store_url)
        assert recover_after_start(named) == []
        at = build_match_service(named)
        assert at.execute_command(match, commands.StartMatch(), key="start", scope="host").receipt
        assert opened(at, "three") == late
        build_publisher(named, at.log).sign_checkpoint()


def test_a_damaged_match_cannot_be_accepted(settings: Settings, capfd: pytest.CaptureFixture[str]) -> None:
    with EmbeddedServers(settings.data_dir, queue=False) as keeper:
        named = replace(settings, store_url=keeper.store_url)
        at = build_match_service(named)
        match = opened(at, "one")
        at.log.client.hset(f"{{p{match[:2]}}}:m:{match}:head", "root", b"x" * 32)
        at.log.freeze_match(match)
        for arguments in ([match], ["no match"]):
            with pytest.raises(SystemExit):
                main(["history", "accept", *arguments, "--reason", "x", "--data-dir", str(settings.data_dir)])
        assert "cannot be accepted" in capfd.readouterr().err
        head = at.log.read(match, limit=0).head
        assert head is not None
        assert head.status == "frozen"


def test_marks_that_cannot_be_read_are_told_by_an_audit(settings: Settings, capfd: pytest.CaptureFixture[str]) -> None:
    with EmbeddedServers(settings.data_dir, queue=False) as keeper:
        opened(build_match_service(replace(settings, store_url=keeper.store_url)), "one")
    (settings.watermarks_path / "base").write_bytes(b"no marks")
    code, found = audited(capfd, settings)
    assert (code, [each["key"] for each in found["kept"]]) == (22, ["store.marks"])


def test_a_sleeping_match_without_its_file_cannot_be_accepted(
    settings: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    with EmbeddedServers(settings.data_dir, queue=False) as keeper:
        at = build_match_service(replace(settings, store_url=keeper.store_url))
        match = opened(at, "one")
        head = at.log.read(match, limit=0).head
        assert head is not None
        at.log.put_to_sleep(match, head.version, head.root)
        at.log.freeze_match(match)
    with pytest.raises(SystemExit) as ended:
        main(["history", "accept", match, "--reason", "x", "--data-dir", str(settings.data_dir)])
    assert ended.value.code == 1
    assert "the file is missing" in capfd.readouterr().err


def test_only_what_is_lost_or_frozen_is_accepted_and_only_for_a_reason(
    settings: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    with EmbeddedServers(settings.data_dir, queue=False) as keeper:
        match = opened(build_match_service(replace(settings, store_url=keeper.store_url)), "one")
        assert told(capfd, settings, "accept", match, "--reason", "x") == (0, {"accepted": []})
        assert told(capfd, settings, "lost")[1]["journal"] == []
        place = ["--data-dir", str(settings.data_dir)]
        for arguments, code in (([f"00-{26 * 'a'}", "--reason", "x"], 1), ([match, "--reason", " "], 2)):
            with pytest.raises(SystemExit) as ended:
                main(["history", "accept", *arguments, *place])
            assert ended.value.code == code
        said = capfd.readouterr().err
        assert "there is no match 00-a" in said
        assert "it says nothing" in said


def test_marks_that_cannot_be_read_end_each_command_with_a_code_of_their_own(
    settings: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    with EmbeddedServers(settings.data_dir, queue=False) as keeper:
        opened(build_match_service(replace(settings, store_url=keeper.store_url)), "one")
    (settings.watermarks_path / "base").write_bytes(b"no marks")
    for arguments in (["lost"], ["accept", "--all", "--reason", "x"]):
        with pytest.raises(SystemExit) as ended:
            main(["history", *arguments, "--data-dir", str(settings.data_dir)])
        assert ended.value.code == 74
        assert "move it aside" in capfd.readouterr().err
    (finding,) = (each for each in check_environment(settings) if each.check == "marks")
    assert finding.state == WRONG
