"""The commands of a host whose store holds tournaments: export, verify, audit, history, doctor, backup, import."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.cli.commands.running.doctor import WRONG, check_environment
from referee.cli.main import main
from referee.infrastructure.archives.backup import create_backup
from referee.infrastructure.composition import build_match_service, build_publisher, recover_after_start
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.settings import Settings
from referee.service.tournament_service import TournamentService
from referee.tournament import commands
from referee.transparency.key_chain import RootLeaf
from tests.cli.test_auditing import settings  # noqa: F401  # a fixture
from tests.service.test_tournaments import enter, open_tournament, run


def called(capfd: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    code = 0
    try:
        main(list(map(str, words)))
    except SystemExit as left:
        code = int(left.code or 0)
    told = capfd.readouterr()
    return code, told.out, told.err


def told(capfd: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, dict[str, Any]]:
    code, out, _ = called(capfd, *words, "--json")
    return code, json.loads(out)


def test_a_tournament_is_exported_verified_audited_and_neither_imported_nor_shown(
    settings: Settings,  # noqa: F811
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    where = ("--data-dir", settings.data_dir)
    going, over = tmp_path / "going.bundle", tmp_path / "over.bundle"
    with EmbeddedServers(settings.data_dir, store=True, queue=False) as keeper:
        served = replace(settings, store_url=keeper.store_url)
        matches = build_match_service(served)
        publisher = build_publisher(served, matches.log)
        publisher.ensure_key_published()
        at = TournamentService(matches)
        names = [open_tournament(at, 3, key=key) for key in ("going", "over")]
        run(at, names[0], commands.StartTournament(), "s")
        run(at, names[0], commands.PairRound(), "r")
        run(at, names[1], commands.EndTournament(), "end")
        loaded = at.load(names[1])
        publisher.publish_root(RootLeaf(names[1], loaded.version, loaded.head.root, loaded.state.status))
        for name, path in zip(names, (going, over), strict=True):
            assert called(capfd, "export", name, "--sealed", "-o", path, *where)[0] == 0
        code, _, err = called(capfd, "export", f"07-T{'z' * 26}", "--sealed", *where)
        assert code
        assert "there is no tournament" in err
        code, found = told(capfd, "audit", *where)
        assert (code, found["audited"], found["sound"], found["matches"]) == (0, 2, 2, [])
        assert told(capfd, "audit", "--match", names[0], *where)[0] == 0
    code, found = told(capfd, "verify", going, over)
    assert code == 0
    assert [(each["match"], each["sound"]) for each in found["files"]] == [(name, True) for name in names]
    for lang, says in (("en", "Tournament"), ("de", "Turnier")):
        code, out, _ = called(capfd, "verify", over, "--lang", lang)
        assert (code, says in out) == (0, True)
    code, out, _ = called(capfd, "import", over, *where)
    assert (code, "which stays where it was played" in out) == (1, True)
    code, _, err = called(capfd, "show", over)
    assert code
    assert "of a tournament" in err


def test_an_older_copy_of_a_tournament_is_told_of_and_accepted(
    settings: Settings,  # noqa: F811
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    where = ("--data-dir", settings.data_dir)
    with EmbeddedServers(settings.data_dir, store=True, queue=False) as keeper:
        at = TournamentService(build_match_service(replace(settings, store_url=keeper.store_url)))
        name = open_tournament(at, 2)
        assert create_backup(settings, tmp_path / "copy").damaged == ()
    shutil.copytree(settings.data_dir / "store", tmp_path / "old")
    with EmbeddedServers(settings.data_dir, store=True, queue=False) as keeper:
        enter(TournamentService(build_match_service(replace(settings, store_url=keeper.store_url))), name, 2)
    shutil.rmtree(settings.data_dir / "store")
    shutil.copytree(tmp_path / "old", settings.data_dir / "store")
    assert told(capfd, "history", "lost", *where)[1]["lost"] == [name]
    with EmbeddedServers(settings.data_dir, store=True, queue=False) as keeper:
        served = replace(settings, store_url=keeper.store_url)
        recover_after_start(served)
        at = TournamentService(build_match_service(served))
        assert at.load(name).head.status == "frozen"
        assert [each for each in check_environment(settings) if each.state == WRONG] == []
        code, found = told(capfd, "history", "accept", name, "--reason", "an older copy", *where)
        assert (code, found["accepted"]) == (0, [{"log": name, "was": 4, "is": 3}])
        enter(at, name, 7)
        assert at.load(name).version == 4
        assert told(capfd, "audit", *where)[0] == 0
    copied = settings.with_data_dir(tmp_path / "copy")
    with EmbeddedServers(copied.data_dir, store=True, queue=False) as keeper:
        at = TournamentService(build_match_service(replace(copied, store_url=keeper.store_url)))
        assert open_tournament(at) == name, "the keys of requests are in the copy too"
        assert at.load(name).version == 3
        enter(at, name, 8)
