"""The look at all logs when a server starts: every changed byte is found, its match frozen, the others left alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.eventstore.contract import MatchLog
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.clients import UNAVAILABLE_ERRORS, build_client
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.integrity_check import check_match, freeze_damaged_matches, iterate_matches
from referee.match.aggregate import SeatAssignment
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.engine.toy import GAME, Cheer
from tests.service.house import FixedDraws, service

SALT = FixedDraws().salt


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("referee.games", "referee.service.match_service", "referee.match.aggregate"):
        monkeypatch.setattr(f"{module}.load_games", lambda: {"toy": GAME})


def played(log: MatchLog, key: str = "an-opening-key") -> str:
    """A match under way, with a few entries."""
    house: MatchService = service(log)
    match = house.open_match(
        commands.OpenMatch("toy", "standard", {}, {}, (SeatAssignment("table"),) * 3), key
    ).match.id
    house.execute_command(match, commands.StartMatch(), key="start", scope="host")
    for number in range(4):
        house.make_move(MoveRequest(match, 1, Cheer(), key=f"cheer-{number}"))
    return match


class Tampered(MemoryLog):
    """A log some of whose entries come back otherwise than they were written."""

    def __init__(self) -> None:
        super().__init__()
        self.changes: dict[tuple[str, int], dict[str, bytes]] = {}
        self.hidden: set[tuple[str, int]] = set()

    def read_entries(self, match, after=0, limit=100):
        found = super().read_entries(match, after, limit)
        kept = (entry for entry in found if (match, entry.version) not in self.hidden)
        return tuple(replace(entry, **self.changes.get((match, entry.version), {})) for entry in kept)


@pytest.fixture
def log() -> Tampered:
    return Tampered()


def test_sound_matches_are_left_alone(log):
    names = {played(log, f"key-{number}") for number in range(5)}
    assert set(iterate_matches(log)) == names
    assert freeze_damaged_matches(log, SALT) == []
    assert {log.read(name, limit=0).head.status for name in names} == {"open"}


@pytest.mark.parametrize("part", ["envelope", "sealed", "root"])
@pytest.mark.parametrize("version", [1, 3, 6])
def test_a_changed_byte_is_found_with_match_and_version_and_freezes_that_match_alone(log, part, version):
    damaged, sound = played(log, "one"), played(log, "two")
    entry = log.read_entries(damaged)[version - 1]
    whole = bytearray(getattr(entry, part))
    whole[len(whole) // 2] ^= 1
    log.changes[damaged, version] = {part: bytes(whole)}
    (damage,) = freeze_damaged_matches(log, SALT)
    assert (damage.match, damage.version) == (damaged, version)
    assert str(damage).startswith(f"match {damaged}, version {version}: ")
    assert log.read(damaged, limit=0).head.status == "frozen"
    assert log.read(sound, limit=0).head.status == "open"
    (again,) = freeze_damaged_matches(log, SALT)  # not looked at again, but told of
    assert (again.match, again.says) == (damaged, "it is frozen since an earlier check failed")


@pytest.mark.parametrize("version", [1, 3, 6])
def test_a_missing_entry_is_found(log, version):
    match = played(log)
    log.hidden.add((match, version))
    damage = check_match(log, match, SALT)
    assert damage is not None
    assert (damage.version, damage.says) == (version, "the entry is missing")


def test_an_entry_swapped_with_that_of_another_match_is_found(log):
    one, two = played(log, "one"), played(log, "two")
    other = log.read_entries(two)[2]
    log.changes[one, 3] = {"envelope": other.envelope, "sealed": other.sealed, "root": other.root}
    damage = check_match(log, one, SALT)
    assert damage is not None
    assert damage.version == 3


def test_a_byte_flipped_in_the_file_of_a_real_store_is_found_after_its_start(tmp_path: Path):
    data = tmp_path / "data"
    with EmbeddedServers(data) as keeper:
        log = RedisLog(build_client(str(keeper.store_url)), UNAVAILABLE_ERRORS)
        damaged, sound = played(log, "one"), played(log, "two")
        keeper.servers["store"].kill()  # so that the file stays as it was appended, entry by entry
    (file,) = (data / "store").rglob("*.incr.aof")
    written = file.read_bytes()
    at = written.rindex(b'"actor":"', 0, written.index(f'"match":"{damaged}"'.encode())) + len(b'"actor":"')
    file.write_bytes(written[:at] + bytes([written[at] ^ 1]) + written[at + 1 :])
    with EmbeddedServers(data) as keeper:
        log = RedisLog(build_client(str(keeper.store_url)), UNAVAILABLE_ERRORS)
        (damage,) = freeze_damaged_matches(log, SALT)
        assert damage.match == damaged
        assert log.read(damaged, limit=0).head.status == "frozen"
        assert log.read(sound, limit=0).head.status == "open"


class Busy(MemoryLog):
    """A log to which somebody writes just before its entries are read, a few times."""

    def __init__(self) -> None:
        super().__init__()
        self.writers: list[object] = []

    def read_entries(self, match, after=0, limit=100):
        if self.writers:
            self.writers.pop()()  # type: ignore[operator]
        return super().read_entries(match, after, limit)


@pytest.mark.parametrize("page", [1, 3, 7, 500])
def test_a_match_that_is_written_to_meanwhile_is_no_damage(monkeypatch, page):
    monkeypatch.setattr("referee.infrastructure.integrity_check.PAGE_SIZE", page)
    log = Busy()
    match, house = played(log), service(log)
    log.writers = [
        lambda number=number: house.make_move(MoveRequest(match, 1, Cheer(), key=f"meanwhile-{number}"))
        for number in range(3)
    ]
    assert check_match(log, match, SALT) is None
    assert log.read(match, limit=0).head.status == "open"
