"""The checks that follow kills find what is wrong: each of them is shown a store in which something is."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import fakeredis
import pytest

from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.engine.seats import Seat
from referee.eventstore.contract import partition_for_match
from referee.eventstore.redis.log import RedisLog
from referee.eventstore.redis.replies import partition_tag
from referee.games import load_games
from referee.infrastructure.keyring import load_signer
from referee.match.aggregate import FINAL_STATUSES, SeatAssignment
from referee.match.table import commands
from referee.service.requests import MoveRequest
from tests.eventstore.servers import AWAY
from tests.faults import checks
from tests.faults.acknowledged import Acknowledged
from tests.service.house import service
from workers.projections.public_match import PublicMatches
from workers.projections.runner import LIVE_PROJECTIONS, catch_up

WRITES = 6


@dataclass
class Kept:
    """A store with one match, and the writes that were acknowledged in it."""

    log: RedisLog
    match: str
    writes: list[Acknowledged]
    key: Path

    @property
    def of(self) -> str:
        return f"{partition_tag(partition_for_match(self.match))}:m:{self.match}"


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    log = RedisLog(fakeredis.FakeRedis(), AWAY, "test")
    at, key = service(log), tmp_path / "signing.pem"
    signer = load_signer(key)
    at.sign = lambda match, size, root: signer.sign_receipt(f"test/{match}", size, root)
    game = min(load_games().values(), key=lambda game: game.min_seats)
    ask = commands.OpenMatch(game.name, game.variants[0], {}, {}, (SeatAssignment("table"),) * game.min_seats)
    first = at.open_match(ask, "opening")
    match, dice = first.match.id, random.Random(1)
    writes = [Acknowledged(match, "open:opening", first.entry, {"receipt": first.receipt}, "", "")]
    done, name = at.execute_command(match, commands.StartMatch(), key="start", scope="host"), "host:start"
    while True:
        writes.append(Acknowledged(match, name, done.entry, {"receipt": done.receipt}, "", ""))
        now = at.load_match(match).match
        if now.status in FINAL_STATUSES or len(writes) == WRITES:
            break
        seat = Seat(min(seat for seat in seats_that_must_act(now.state) if seat >= 0))
        move, key_of_it = sample_legal_move(now.state, seat, dice.randrange), f"k{len(writes)}"
        done, name = at.make_move(MoveRequest(match, seat, move, key=key_of_it)), f"seat{seat}:{key_of_it}"
    catch_up(log, partition_for_match(match), PublicMatches(log)).raise_failures()
    return Kept(log, match, writes, key)


def test_a_sound_store_passes_all_checks(kept: Kept) -> None:
    found = checks.check_logs(kept.log)
    assert checks.check_keys(kept.log, found) == found[kept.match] >= len(kept.writes)
    assert checks.check_acknowledged(kept.log, kept.writes, kept.key) == []
    checks.check_told(kept.log, kept.writes, found)
    assert checks.check_clock(kept.log, found, {kept.match: 0}) == 0
    assert checks.await_views(kept.log, within=0.0) < 1.0
    assert checks.check_views(kept.log) == len(LIVE_PROJECTIONS) * found[kept.match]


def loses_an_entry(kept: Kept) -> Any:
    kept.log.client.xdel(f"{kept.of}:log", "2-0")
    return checks.check_logs(kept.log)


def changes_an_entry(kept: Kept) -> Any:
    """Everything is there, and a byte is another."""
    entry = kept.log.read_entries(kept.match, 0, 1)[0]
    name, rest = f"{kept.of}:log", kept.log.read_entries(kept.match, 1, 1000)
    kept.log.client.delete(name)
    kept.log.client.xadd(name, {"e": entry.envelope + b" ", "x": entry.sealed, "r": entry.root}, id="1-0")
    for each in rest:
        kept.log.client.xadd(name, {"e": each.envelope, "x": each.sealed, "r": each.root}, id=f"{each.version}-0")
    return checks.check_logs(kept.log)


def feeds_an_entry_twice(kept: Kept) -> Any:
    partition = partition_for_match(kept.match)
    at = kept.log.client.hincrby(f"{partition_tag(partition)}:about", "position", 1)
    kept.log.client.xadd(f"{partition_tag(partition)}:feed", {"m": kept.match, "v": 2}, id=f"{at}-0")
    return checks.check_logs(kept.log)


def doubles_a_write(kept: Kept) -> Any:
    """One key, two entries: the second has no key of its own."""
    kept.log.client.hdel(f"{kept.of}:keys", kept.writes[2].key)
    return checks.check_keys(kept.log, checks.check_logs(kept.log))


def tells_nobody(kept: Kept) -> Any:
    """A write that was done and refused, or done twice under two keys."""
    return checks.check_told(kept.log, kept.writes[:-1], [kept.match])


def gives_two_keys_one_entry(kept: Kept) -> Any:
    kept.log.client.hset(f"{kept.of}:keys", "seat0:other", b"2:" + bytes(32))
    return checks.check_keys(kept.log, checks.check_logs(kept.log))


def changes_a_view(kept: Kept) -> Any:
    partition, view = partition_for_match(kept.match), LIVE_PROJECTIONS[0]
    kept.log.client.hset(f"{partition_tag(partition)}:v:{view.name}:{view.build}:matches", kept.match, b"{}")
    return checks.check_views(kept.log)


def leaves_a_view_behind(kept: Kept) -> Any:
    partition, view = partition_for_match(kept.match), LIVE_PROJECTIONS[-1]
    kept.log.client.set(f"{partition_tag(partition)}:v:{view.name}:{view.build}:cursor", "1")
    return checks.await_views(kept.log, within=0.1)


@pytest.mark.parametrize(
    "wrong",
    [
        loses_an_entry,
        changes_an_entry,
        feeds_an_entry_twice,
        doubles_a_write,
        tells_nobody,
        gives_two_keys_one_entry,
        changes_a_view,
        leaves_a_view_behind,
    ],
)
def test_a_store_in_which_something_is_wrong_is_found_out(kept: Kept, wrong: Callable[[Kept], Any]) -> None:
    with pytest.raises(AssertionError):
        wrong(kept)


def test_an_acknowledged_write_that_is_not_there_is_lost(kept: Kept) -> None:
    kept.log.client.hdel(f"{kept.of}:keys", kept.writes[1].key)
    (lost,) = checks.check_acknowledged(kept.log, kept.writes, kept.key)
    assert kept.writes[1].key in lost


def test_an_acknowledged_write_under_another_root_is_lost(kept: Kept, tmp_path: Path) -> None:
    """As if the log had been written anew: the receipt is of one that is no more."""
    write = kept.writes[1]
    other = load_signer(kept.key).sign_receipt(f"test/{kept.match}", write.version, bytes(32))
    kept.writes[1] = Acknowledged(kept.match, write.key, write.version, {"receipt": other}, "", "")
    (lost,) = checks.check_acknowledged(kept.log, kept.writes, kept.key)
    assert "receipt" in lost


def test_a_deadline_that_is_early_or_applied_twice_is_found_out(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last two entries as if the clock had made them, of one question."""
    unpack, last = checks.decode_entry, kept.log.read(kept.match).entries[-1].version

    def by_clock(entry: Any) -> Any:
        found = unpack(entry)
        return replace(found, seat=checks.CLOCK) if entry.version >= last - 1 else found

    monkeypatch.setattr(checks, "decode_entry", by_clock)
    keys = {version: key for key, version in checks.keys_of(kept.log, kept.match).items()}
    for version, asked in ((last - 1, 1), (last, 2)):
        kept.log.client.hdel(f"{kept.of}:keys", keys[version])
        kept.log.client.hset(f"{kept.of}:keys", f"clock:{asked}", f"{version}:".encode() + bytes(32))
    assert checks.check_clock(kept.log, [kept.match], {kept.match: 0}) == 2
    with pytest.raises(AssertionError, match="timed out after"):
        checks.check_clock(kept.log, [kept.match], {kept.match: 3_600_000})
    kept.log.client.hset(f"{kept.of}:keys", "clock:02", f"{last - 1}:".encode() + bytes(32))
    kept.log.client.hdel(f"{kept.of}:keys", "clock:1")
    with pytest.raises(AssertionError, match="twice"):
        checks.check_clock(kept.log, [kept.match], {kept.match: 0})
