"""A log judged again: what was played by the rules is found right to the last entry."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.arbitration.replay.replay import find_first_divergence
from referee.engine.codec import decode, decode_named
from referee.engine.events import Event, Move
from referee.engine.game import Setup
from referee.engine.seats import BYSTANDER
from referee.games import load_games
from referee.match.aggregate import Match, SeatAssignment
from referee.match.entries import LogEntry
from referee.match.game_moves import apply_all, decide_match_end
from referee.match.table import commands
from tests.arbitration.playing import GAMES, plays, started
from tests.bench.planted import KINDS, named, planted

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/*.json"))


@pytest.mark.usefixtures("first_scheme")
@pytest.mark.parametrize("source", ["server", "table"])
@pytest.mark.parametrize("game", GAMES)
def test_a_match_that_was_played_by_the_rules_is_found_right(game: str, source: str) -> None:
    house, match = started(game, source=source)
    assert len(plays(house, match, 1, 120)) >= 10
    assert find_first_divergence(house.repository.load_entries(match)) is None


@pytest.mark.parametrize("seed", range(50))
def test_the_entry_that_a_broken_referee_wrote_is_named(seed: int) -> None:
    error = planted(seed)
    assert error is None or named(error), f"{error.game}: {error.kind} in entry {error.version}"


def test_errors_of_every_kind_are_planted_in_every_game() -> None:
    seeds = range(len(GAMES) * len(KINDS))  # `planted` takes each kind for each game once
    found = {(error.game, error.kind) for seed in seeds if (error := planted(seed)) is not None}
    assert {game for game, _ in found} == set(GAMES)
    assert {kind for _, kind in found} == set(KINDS)


def recorded(path: Path) -> list[LogEntry]:
    """A golden match as the log of a table. It was played by the first ruleset, and is judged by it for ever."""
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    game = load_games()[path.parent.name]
    setup = decode(Setup, record["setup"]) if "setup" in record else Setup("standard", 2, record["settings"])
    chairs = tuple(SeatAssignment("bot" if seat in setup.named else "table") for seat in range(setup.seats))
    settings = {name: value for name, value in setup.settings.items() if value is not None}
    edition = setup.edition
    ask = commands.OpenMatch(game.name, setup.variant, settings, setup.chance, chairs, edition=edition, ruleset="1")
    asks: list[tuple[int, Move, tuple[Event, ...]]] = [
        (BYSTANDER, ask, commands.decide_opening("golden", "", ask, game))
    ]
    match = apply_all(Match(), asks[0][2])
    asks.append((BYSTANDER, commands.StartMatch(), commands.decide_table_command(match, commands.StartMatch())))
    match = apply_all(match, asks[1][2])
    for line in record.get("course") or record["entries"]:
        events = tuple(decode_named(event, Event) for event in line["facts"])
        events = (*events, *decide_match_end(match, events))
        seat = -1 if line["seat"] == "chance" else int(line["seat"])
        asks.append((seat, decode_named(line["move"], Move), events))
        match = apply_all(match, events)
    assert match.end is not None
    return [
        LogEntry("golden", at + 1, 0, seat, "chance" if seat == -1 else "player", move, events, (), b"")
        for at, (seat, move, events) in enumerate(asks)
    ]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_golden_match_is_called_wrong(path: Path) -> None:
    assert find_first_divergence(recorded(path)) is None


def test_what_is_no_log_of_one_match_is_named_where_it_breaks() -> None:
    house, match = started("monster_combat")
    plays(house, match, 1, 12)
    entries = house.repository.load_entries(match)
    lost = [entry for entry in entries if entry.version != 7]
    for log, at in (
        (lost, 7),
        ([*entries[:8], replace(entries[8], match="another"), *entries[9:]], 9),
        (entries[1:], 1),
        ([*entries, entries[-1]], len(entries) + 1),
        ([replace(entries[0], move=None), *entries[1:]], 1),
    ):
        found = find_first_divergence(log)
        assert found is not None
        assert (found.version, found.kind) == (at, "chain")
    assert find_first_divergence([]) is None


def test_table_business_that_was_not_decided_so_is_named() -> None:
    house, match = started("monster_combat")
    entries = house.repository.load_entries(match)
    for at, entry in enumerate(entries[1:], 1):
        wrong = [*entries[:at], replace(entry, events=entry.events[1:]), *entries[at + 1 :]]
        found = find_first_divergence(wrong)
        assert found is not None
        assert (found.version, found.kind, found.at) == (entry.version, "facts", 0)
        assert found.expected == entry.events[0]
    taken = replace(entries[1], version=3)
    twice = find_first_divergence([*entries[:2], taken])
    assert twice is not None
    assert (twice.version, twice.kind, twice.ruling.reason) == (3, "illegal", "seat_taken")


def test_an_illegal_move_is_named_with_its_ruling_and_what_would_have_been_legal() -> None:
    error = next(error for seed in range(200) if (error := planted(seed)) is not None and error.kind == "illegal_move")
    found = find_first_divergence(error.entries)
    assert found is not None
    assert found.kind == "illegal"
    assert found.ruling.clauses
    assert found.legal_moves
