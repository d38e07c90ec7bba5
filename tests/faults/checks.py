"""What must hold of a store after whatever happened: promises 1, 3 to 8 of the store's design, and the receipts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from referee.arbitration.replay.replay import find_first_divergence
from referee.engine.seats import CLOCK
from referee.eventstore.contract import PARTITIONS
from referee.eventstore.redis.log import RedisLog
from referee.eventstore.redis.replies import partition_tag
from referee.infrastructure.integrity_check import iterate_matches
from referee.infrastructure.keyring import load_signer
from referee.match.aggregate import Match as MatchAsKept
from referee.match.aggregate import MatchRewound
from referee.match.entries import LogEntry, decode_entry, effective_entries, replay_entries
from referee.match.events.dispute_commands import DecisionDeadline
from referee.match.events.dispute_events import MatchVoided, RulingIssued
from referee.transparency.receipts import verify_note
from tests.eventstore.servers import AWAY
from tests.eventstore.writing import check_feed, check_whole
from tests.faults.acknowledged import Acknowledged
from tests.faults.quarrels import REMEDIES
from workers.projections.rebuild import compare_builds, rebuild_projection
from workers.projections.runner import LIVE_PROJECTIONS

OF_COURTS = frozenset(
    f"table.{name}"
    for name in ("DisputeOpened", "Attested", "Voted", "RulingIssued", "Appealed", "DisputeWithdrawn", "Rewound",
                 "MadeAgain", "Corrected", "Voided", "Restored", "TakebackAsked", "TakebackGranted", "TakebackRefused",
                 "DeviationAsked", "DeviationRefused", "Deviated", "ReportCorrected", "WitnessAwaited", "Witnessed",
                 "WitnessWaived")
)  # fmt: skip
CARRIES = (MatchRewound, MatchVoided)  # what a table can choose, and time can so carry out
OF_PLAYERS = ("open:", "join:", "host:", "seat", "report")  # the scopes of keys under which people write
LED_WITHIN = 180.0  # seconds until the views have caught up with everything


def log_at(socket: Path) -> RedisLog:
    """The log behind this socket, read without the program."""
    client = redis.Redis(unix_socket_path=str(socket), socket_timeout=20, retry=Retry(NoBackoff(), 0))
    return RedisLog(client, AWAY, "checks")


def check_logs(log: RedisLog) -> dict[str, int]:
    """Every log is whole, every root right, every feed without a gap; each match and how many entries it has."""
    found: dict[str, int] = {}
    for match in iterate_matches(log):
        found[match] = check_whole(log, match)
    for partition in range(PARTITIONS):
        own = {match: count for match, count in found.items() if match.startswith(f"{partition:02d}-")}
        check_feed(log, partition, own)
    return found


def keys_of(log: RedisLog, match: str) -> dict[str, int]:
    """Each key of a match and the version that it became."""
    kept = log.client.hgetall(f"{partition_tag(int(match[:2]))}:m:{match}:keys")
    return {key.decode(): int(value.partition(b":")[0]) for key, value in kept.items()}


def check_keys(log: RedisLog, found: Mapping[str, int]) -> int:
    """Each entry was made under one key and each key made one entry: nothing is there twice. How many keys."""
    total = 0
    for match, count in found.items():
        keys = keys_of(log, match)
        assert sorted(keys.values()) == list(range(1, count + 1)), f"{match}: entries and keys do not go together"
        total += len(keys)
    return total


def check_acknowledged(log: RedisLog, writes: Iterable[Acknowledged], signing_key: Path) -> list[str]:
    """The acknowledged writes that are lost: not there, at another version, or with another root than was signed."""
    public = load_signer(signing_key).public
    keys: dict[str, dict[str, int]] = {}
    roots: dict[str, list[bytes]] = {}
    lost = []
    for write in writes:
        if write.match not in keys:
            keys[write.match] = keys_of(log, write.match)
            roots[write.match] = [entry.root for entry in log.read(write.match).entries]
        if keys[write.match].get(write.key) != write.version:
            lost.append(f"{write.match} {write.key}: {keys[write.match].get(write.key)} instead of {write.version}")
        elif note := write.body.get("receipt"):
            told = verify_note(note, [public])
            # the roots were reckoned anew from the stored bytes, so an equal root means equal bytes up to there
            root = roots[write.match][told.size - 1]
            if (told.size, told.root) != (write.version, root) or not told.origin.endswith(f"/{write.match}"):
                lost.append(f"{write.match} {write.version}: the receipt is of another log")
    return lost


def check_told(log: RedisLog, writes: Iterable[Acknowledged], found: Iterable[str]) -> None:
    """Whatever players asked for and the logs hold was told to them in the end, though a reply was lost: nobody was
    refused what had been done. Of players who ask until they are answered."""
    told = {(write.match, write.key) for write in writes}
    for match in found:
        asked = {key for key in keys_of(log, match) if key.startswith(OF_PLAYERS)}
        untold = sorted(key for key in asked if (match, key) not in told)
        assert not untold, f"{match}: done, and not told to who asked for it: {untold}"


def check_clock(log: RedisLog, found: Iterable[str], thinking: Mapping[str, int]) -> int:
    """No question has timed out twice or early, by the store's clock; how many have. `thinking`: match -> ms."""
    timed_out = 0
    for match in found:
        entries: list[LogEntry] = [decode_entry(entry) for entry in log.read(match).entries]
        by_clock = [entry for entry in entries if entry.seat == CLOCK]
        keys = keys_of(log, match).items()
        asked = {version: int(key.partition(":")[2]) for key, version in keys if key.startswith("clock:")}
        assert sorted(asked) == [entry.version for entry in by_clock]
        assert max(Counter(asked.values()).values(), default=1) == 1, f"{match}: a question timed out twice"
        for entry in by_clock:
            asking = entries[asked[entry.version] - 1]
            took, least = entry.at_ms - asking.at_ms, thinking[match]
            # after a court or a takeback the question has what was left of its time
            left = replay_entries(MatchAsKept(), effective_entries(entries[: asking.version])).left_ms
            least = least if left is None else min(left, least)
            assert took >= least, f"{match} {entry.version}: timed out after {took} ms"
        timed_out += len(by_clock)
    return timed_out


def check_courts(log: RedisLog, found: Iterable[str]) -> Counter[str]:
    """No court is at a match that is over, and every log is what the rules say, rulings and remedies among it; how many
    of each fact of courts there are."""
    told: Counter[str] = Counter()
    for match in found:
        entries = [decode_entry(entry) for entry in log.read(match).entries]
        own = Counter(event.TAG for entry in entries for event in entry.events if event.TAG in OF_COURTS)
        told.update(own)
        ruled = [event.remedy for entry in entries for event in entry.events if isinstance(event, RulingIssued)]
        told.update(f"remedy {remedy}" for remedy in ruled if remedy)
        late = [entry for entry in entries if isinstance(entry.move, DecisionDeadline)]
        told["remedies once the time was up"] += sum(
            any(isinstance(event, CARRIES) for event in e.events) for e in late
        )
        if not own:
            continue
        assert not replay_entries(MatchAsKept(), effective_entries(entries)).has_open_dispute, (
            f"{match}: a court is still at it"
        )
        wrong = find_first_divergence(entries)
        assert wrong is None, f"{match}: {wrong}"
    return told


def untried(told: Counter[str]) -> list[str]:
    """The kinds of remedy of which not one happened."""
    return [name for name, event in REMEDIES.items() if not told[event]]


def await_views(log: RedisLog, within: float = LED_WITHIN) -> float:
    """Waits until the workers have led all views to the ends of the feeds; the seconds it took.

    Raises AssertionError: they have not in that time.
    """
    began = time.monotonic()
    while behind := _behind(log):
        assert time.monotonic() < began + within, f"views stand still (partition, name, at, of): {behind}"
        time.sleep(0.1)
    return time.monotonic() - began


def _behind(log: RedisLog) -> list[tuple[int, str, int, int]]:
    found = []
    for partition in range(PARTITIONS):
        position = log.read_partition_info(partition).position
        for view in LIVE_PROJECTIONS:
            cursor = log.read_cursor(partition, view.name, view.build) if position else 0
            if cursor != position:
                found.append((partition, view.name, cursor, position))
    return found


def check_views(log: RedisLog) -> int:
    """Each view equals one that is reckoned anew from the first entry; how many rows were compared for."""
    read = 0
    for view in LIVE_PROJECTIONS:
        read += rebuild_projection(log, view.name, view.build + 1000)
        wrong: Sequence[object] = compare_builds(log, view.name, view.build, view.build + 1000)
        assert not wrong, f"{view.name}: {wrong[:3]}"
        for partition in range(PARTITIONS):
            if log.read_partition_info(partition).position:
                log.drop_projection(partition, view.name, view.build + 1000)
    return read
