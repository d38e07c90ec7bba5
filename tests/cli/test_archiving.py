"""`referee archive`, and what is said where a file of the archive is gone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.audit.bundles import format as form
from referee.cli.commands.running.doctor import WRONG, check_environment
from referee.cli.main import main
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.composition import build_match_service, recover_after_start
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.embedded.store_binaries import find_installed_binaries
from referee.infrastructure.settings import Settings, list_variables
from referee.match.aggregate import SeatAssignment
from referee.match.table import commands
from referee.service.match_service import MatchService
from tests.service.house import end_agreed_by_all

pytestmark = pytest.mark.deep


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """The settings of a data directory in which a store runs."""
    if not find_installed_binaries():
        pytest.skip("no store server is installed")
    for name in list_variables():
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "data"
    with EmbeddedServers(folder, store=True, queue=False) as keeper:
        yield replace(Settings(folder, folder, folder, folder).with_data_dir(folder), store_url=keeper.store_url)


def withdrawn(at: MatchService) -> str:
    """A match that is over, with two entries."""
    chairs = (SeatAssignment("human"), SeatAssignment("human"))
    chance = {"deck": "server"}
    match = at.open_match(commands.OpenMatch("monster_combat", "V1", {}, chance, chairs, "private"), "k" * 22).match.id
    at.execute_command(match, end_agreed_by_all("withdrawn"), key="end", scope="host")
    return match


def called(*words: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(["archive", *words])
    return int(left.value.code or 0)


@pytest.mark.parametrize("words", [[], ["--older-than", "1", "07-abc"], ["--now", "--older-than", "1"]])
def test_what_to_archive_has_to_be_said(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert called(*words) == 2
    assert "archive [OPTIONS] [MATCHES]..." in capsys.readouterr().err


def test_a_match_is_archived_by_command_and_a_missing_file_is_told(
    served: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    at, where = build_match_service(served), ("--data-dir", str(served.data_dir))
    match = withdrawn(at)
    whole = at.log.read_entries(match)
    nobody = "07-" + 26 * "a"
    assert called(match, nobody, *where) == 1
    told = capfd.readouterr().out
    assert f"{match}  may still be disputed; --now" in told
    assert f"{nobody}  is not known here" in told
    assert called("--now", match, "--json", *where) == 0
    assert json.loads(capfd.readouterr().out) == {"matches": [{"match": match, "state": "archived"}]}
    archive = Archive(served.archive_path)
    bundle = form.decode_bundle(archive.read_lines(match))
    assert (bundle.header.eyes, bundle.header.size, bundle.header.status) == ("sealed", 2, "withdrawn")
    assert build_match_service(served).log.read_entries(match) == whole
    assert recover_after_start(served) == []
    assert {found.check: found for found in check_environment(served)}["archive"].says.endswith(
        "has every archived match"
    )
    archive.path_for(match).unlink()
    finding = {found.check: found for found in check_environment(served)}["archive"]
    assert (finding.state, match in finding.says, "423" in finding.mend) == (WRONG, True, True)
    assert archive.count_unreadable() == 0, "doctor changes nothing"
    assert [str(damage) for damage in recover_after_start(served)] == [
        f"match {match}, version 2: it is archived or asleep, and its file is missing"
    ]
    assert archive.count_unreadable() == 1
