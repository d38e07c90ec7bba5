"""The clocks of API and workers are wrong by hours: deadlines follow the store's, never early and never twice."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import pytest

from referee.games import load_games
from tests.eventstore.servers import NO_SERVER, binaries
from tests.faults import checks
from tests.faults.acknowledged import Ledger
from tests.faults.players import Match
from tests.faults.program import Program
from tests.faults.shim import NO_COMPILER, Shim, compiler, short_folder
from tests.infrastructure.machine import eventually
from workers.jobs.sweeper import GRACE_MS

HOURS = 3600 * 1000
WINDOW_MS = 4000  # long enough to be looked at while it is open, on a busy machine too
LATE_MS = 60_000  # at a loaded machine's worst; the sweeper itself takes a quarter of a second

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the processes are found in /proc"),
    pytest.mark.skipif(not binaries(), reason=NO_SERVER),
    pytest.mark.skipif(compiler() is None, reason=NO_COMPILER),
]


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    made = short_folder()
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def shim(folder: Path) -> Iterator[Shim]:
    made = Shim(folder)
    yield made
    made.close()


@pytest.fixture(scope="module")
def program(folder: Path, shim: Shim) -> Iterator[Program]:
    server = shim.server(next(iter(binaries().values())))
    made = Program(folder / "d", shim.variables() | {"REFEREE_STORE_SERVER": str(server)}).start()
    yield made
    made.end()


def timed() -> dict[str, Any]:
    """What is asked for a match in which windows have a time."""
    game = next(game for game in load_games().values() if "window_ms" in game.settings.get("properties", {}))
    seats = [{"kind": "human"}] * game.min_seats
    return {"game": game.name, "seats": seats, "settings": {"window_ms": WINDOW_MS}, "visibility": "public"}


def until_the_clock_is_awaited(match: Match) -> int:
    """Plays on until a window with a time is open; the version at which it stands."""
    while True:
        about = match.line.ask("GET", f"/v1/matches/{match.id}")[1]
        assert about["status"] == "running"
        if "clock" in about["awaits"]:
            return int(about["version"])
        match._move(next(seat for seat in match.seats if seat in about["awaits"]))


@pytest.mark.crash
def test_deadlines_keep_the_stores_time_whatever_the_clocks_of_api_and_workers_say(
    program: Program, shim: Shim
) -> None:
    match = Match(program.address, Ledger(), timed(), "clocks")
    match.begin()
    log = checks.log_at(program.socket)
    for skew in (3 * HOURS, -3 * HOURS, 0):
        shim.skew(skew)
        told = match.line.ask("GET", "/healthz")[2]["Date"]
        assert abs(parsedate_to_datetime(told).timestamp() * 1000 - time.time() * 1000 - skew) < HOURS / 2
        before = until_the_clock_is_awaited(match)
        entries = eventually(lambda before=before: match_after(log, match.id, before), within=120)
        assert entries[before].seat == checks.CLOCK, "nobody moved but the clock"
        timed_out = checks.check_clock(log, [match.id], {match.id: WINDOW_MS})
        late = entries[before].at_ms - entries[before - 1].at_ms
        assert WINDOW_MS <= late < LATE_MS
        assert abs(entries[before].at_ms - time.time_ns() // 1_000_000) < HOURS / 2, "entries bear the store's time"
    assert timed_out >= 3


@pytest.mark.crash
def test_the_clock_of_the_machine_jumps_and_nobody_loses_a_turn_or_waits_for_hours(
    program: Program, shim: Shim
) -> None:
    """A closed laptop wakes up; a wrong clock is put right."""
    match = Match(program.address, Ledger(), timed(), "jumps")
    match.begin()
    log = checks.log_at(program.socket)
    before = until_the_clock_is_awaited(match)
    eventually(lambda: match_after(log, match.id, before), within=120)  # the sweeper has seen the clock as it is
    before = until_the_clock_is_awaited(match)
    shim.set_machine_clock(24 * HOURS)
    until = time.monotonic() + 1.5 * WINDOW_MS / 1000
    while time.monotonic() < until:
        assert match_after(log, match.id, before) is None, "the clock took a turn that nobody could have taken"
        time.sleep(0.05)
    due = log.find_next_deadline()
    assert due is not None
    assert WINDOW_MS < due - log.now() <= GRACE_MS
    shim.set_machine_clock(0)
    entries = eventually(lambda: match_after(log, match.id, before), within=120)
    assert entries[before].seat == checks.CLOCK


def match_after(log: Any, match: str, version: int) -> Any:
    """The entries, once there are more than so many."""
    found = [checks.decode_entry(entry) for entry in log.read(match).entries]
    return found if len(found) > version else None
