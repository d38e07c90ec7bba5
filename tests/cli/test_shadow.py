"""`referee shadow`: what other rules would rule otherwise in the matches of a store, which it leaves as they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.cli.main import main
from referee.games import load_games
from referee.infrastructure import composition
from referee.infrastructure.clients import build_client
from referee.infrastructure.embedded.servers import EmbeddedServers, find_store_url
from referee.infrastructure.embedded.store_binaries import find_installed_binaries
from referee.infrastructure.settings import list_variables, read_settings
from referee.match.aggregate import SeatAssignment
from referee.match.table import commands
from referee.service.match_service import MatchService
from tests.position_rulings.test_interpretations import READ_TWICE, useful_in


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, str], int]]:
    """A data directory whose store runs, the matches in it by what they are, and the entry that is ruled otherwise."""
    if not find_installed_binaries():
        pytest.skip("no store server is installed")
    folder = tmp_path_factory.mktemp("shadow") / "data"
    with pytest.MonkeyPatch.context() as patch, EmbeddedServers(folder, store=True, queue=False) as keeper:
        for name in list_variables():
            patch.delenv(name, raising=False)
        patch.setenv("REFEREE_DATA_DIR", str(folder))
        patch.setenv("REFEREE_STORE_URL", str(keeper.store_url))
        house = composition.build_match_service(read_settings())
        matches = {"plain": opened(house, "shy_monsters")}
        matches["life"], at = useful_in(house)
        yield folder, matches, at


def opened(house: MatchService, game: str) -> str:
    box = load_games()[game]
    ask = commands.OpenMatch(game, box.variants[0], {}, {}, (SeatAssignment("bot"),) * box.min_seats)
    match = house.open_match(ask, "k" * 22).match.id
    house.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match


def called(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(["shadow", *arguments])
    return int(left.value.code or 0)


def every_key(folder: Path) -> dict[bytes, Any]:
    """All that the store of a directory holds."""
    url = find_store_url(folder)
    assert url is not None
    store: Any = build_client(url)
    return {key: store.dump(key) for key in sorted(store.keys("*"))}


def test_by_the_rules_of_today_every_ruling_is_the_same_and_nothing_is_changed(
    kept: tuple[Path, dict[str, str], int], capfd: pytest.CaptureFixture[str]
) -> None:
    folder, matches, _ = kept
    before = every_key(folder)
    assert called("--data-dir", str(folder)) == 0
    told = capfd.readouterr().out
    assert "Shy Monsters, ruleset 1: 1 matches" in told
    assert told.count("every ruling would be the same") == 2
    assert called("--data-dir", str(folder), "--readings", "MC-AMB-8=1", "--json") == 1
    assert every_key(folder) == before
    found = json.loads(capfd.readouterr().out)
    assert found["unread"] == []
    assert [game["game"] for game in found["games"]] == ["monster_combat", "shy_monsters"]
    assert sum(game["matches"] for game in found["games"]) == len([key for key in before if key.endswith(b":log")])
    assert sum(game["entries"] for game in found["games"]) > len(matches) * 3


def test_what_would_differ_is_told_by_clause_with_an_example_in_the_words_of_the_game(
    kept: tuple[Path, dict[str, str], int], capfd: pytest.CaptureFixture[str]
) -> None:
    folder, matches, at = kept
    asked = ("--data-dir", str(folder), "--readings", "MC-AMB-8=1", "--match", matches["life"])
    assert called(*asked, "--json") == 1
    (game,) = json.loads(capfd.readouterr().out)["games"]
    (by,) = game["by"]
    assert (by["clauses"], by["matches"], game["differing"]) == (["MC-AMB-8"], 1, by["count"])
    assert (by["example"]["match"], by["example"]["version"]) == (matches["life"], at)
    assert "MC-AMB-8" in by["example"]["told"]["en"]
    assert called(*asked, "--lang", "de") == 1
    told = capfd.readouterr().out
    assert f"MC-AMB-8: {by['count']} Entscheidungen" in told
    assert by["example"]["told"]["de"] in told
    assert called(*asked[:2], "--match", matches["plain"], "--readings", "MC-AMB-8=1") == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("--readings", "MC-AMB-8"),
        ("--readings", "MC-AMB-8=3"),
        ("--readings", "MC-AMB-9=2"),
        ("--ruleset", "0"),
        ("--match", "07-nosuchmatch"),
    ],
)
def test_rules_and_matches_that_there_are_not_are_misuse(
    kept: tuple[Path, dict[str, str], int], arguments: tuple[str, str], capfd: pytest.CaptureFixture[str]
) -> None:
    folder, _, _ = kept
    assert called("--data-dir", str(folder), *arguments) == 2
    assert arguments[1].partition("=")[0] in capfd.readouterr().err or arguments[0] in ("--ruleset",)


def test_without_a_store_there_is_nothing_to_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list_variables():
        monkeypatch.delenv(name, raising=False)
    assert called("--data-dir", str(tmp_path / "nothing")) == 69


def test_every_game_that_can_be_read_otherwise_is_known_here() -> None:
    assert {game.name for game in load_games().values() if game.numbered_interpretations} == set(READ_TWICE)


@pytest.mark.parametrize("name", ["bogus", "", "../../x", "99-" + 26 * "a"])
def test_what_is_no_id_of_a_match_names_none(
    kept: tuple[Path, dict[str, str], int], name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    folder, _, _ = kept
    assert called("--data-dir", str(folder), "--match", name) == 2
    assert f"there is no match {name}" in capfd.readouterr().err
