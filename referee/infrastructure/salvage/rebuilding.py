"""Makes what was loaded from a damaged store fit together again.

A match of which anything is missing is cut to the entries that are sound, and frozen: nothing is built upon damage, and
no second history can be signed. The feeds get a line for each commit again, or they would take no further ones.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.eventstore.contract import PARTITIONS, MatchLog, StoredEntry
from referee.eventstore.redis.log import STORE_FORMAT
from referee.eventstore.redis.replies import parse_feed, partition_tag
from referee.infrastructure.integrity_check import SaltFunction, check_match_log
from referee.transparency.merkle import extend_frontier, leaf_hash

PAGE_SIZE = 500
LARGEST_GAP = 10_000  # a number that is further ahead of what is there is itself damaged
MATCH_ID = re.compile(rb"[0-6]\d-T?[a-z]{26}")
OWN_KEY = re.compile(r"\{p[0-6]\d\}:")
KNOWN_KEY = re.compile(r"\{p(?P<tag>[0-6]\d)\}:(?:m:(?P<match>(?P=tag)-T?[a-z]{26}):)?(?P<what>\w+)")
KINDS = {
    **dict.fromkeys(("head", "keys", "snap", "grants", "passes", "names", "about"), "hash"),
    **dict.fromkeys(("log", "feed", "notes"), "stream"),
    **dict.fromkeys(("due", "visits", "archived"), "zset"),
}


@dataclass(frozen=True)
class MatchLoss:
    """A match that lost something: how many entries are sound, and which are not.

    `missing` are versions that are gone, `unsound` those that were set aside because they are damaged or follow a gap.
    """

    match: str
    sound: int
    missing: tuple[int, ...]
    unsound: tuple[int, ...]
    says: str

    def __str__(self) -> str:
        parts = [f"match {self.match}: {self.says}; {self.sound} entries are sound"]
        parts += [f"missing: {_format_versions(self.missing)}"] if self.missing else []
        parts += [f"set aside: {_format_versions(self.unsound)}"] if self.unsound else []
        return "; ".join(parts)


def _format_versions(versions: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, versions[:10]))
    return f"{shown}, ... ({len(versions)} in all)" if len(versions) > 10 else shown


def drop_malformed_keys(client: Any, log: MatchLog) -> list[str]:
    """Delete keys and entries that are not what their names say.

    Return the names. A server takes over a changed byte without noticing, as long as the form of its files is right.
    """
    dropped = []
    for key in list(client.scan_iter(count=1000)):
        name = key.decode("utf-8", "replace")
        if not OWN_KEY.match(name):
            client.delete(key)
            dropped.append(name)
            continue
        known = KNOWN_KEY.fullmatch(name)
        wanted = KINDS.get(known["what"] if known else "")
        if wanted and client.type(key).decode() != wanted:
            client.delete(key)
            dropped.append(name)
        elif wanted == "stream" and not name.endswith(":notes"):
            is_whole = _is_feed_line if name.endswith(":feed") else _is_entry
            bad = [number for number, fields in client.xrange(key) if not is_whole(number, fields)]
            if bad:
                client.xdel(key, *bad)
                dropped.append(name)
    for match in find_matches(client):
        of = f"{partition_tag(int(match[:2]))}:m:{match}"
        for suffixes in (("names", "passes", "visits", "snap"), ("head",)):
            try:
                log.read(match, limit=0)
                break
            except (KeyError, ValueError):  # what is beside the head first, then the head itself
                client.delete(*(f"{of}:{suffix}" for suffix in suffixes))
                dropped += [f"{of}:{suffix}" for suffix in suffixes]
    return dropped


def _is_entry(number: bytes, fields: dict[bytes, bytes]) -> bool:
    return number.endswith(b"-0") and fields.keys() == {b"e", b"x", b"r"}


def _is_feed_line(number: bytes, fields: dict[bytes, bytes]) -> bool:
    named = fields.keys() == {b"m", b"v"} and MATCH_ID.fullmatch(fields[b"m"]) and fields[b"v"].isdigit()
    return number.endswith(b"-0") and bool(named)


def find_matches(client: Any) -> list[str]:
    """Return all matches that the store knows anything of."""
    names = (KNOWN_KEY.fullmatch(key.decode("utf-8", "replace")) for key in client.scan_iter("{p*}:m:*", count=1000))
    found = {name["match"] for name in names if name and name["match"]}
    for partition in range(PARTITIONS):
        found |= {match for _, match, _ in parse_feed(client.xrange(f"{partition_tag(partition)}:feed"))}
    return sorted(found)


def mend_match(
    client: Any, log: MatchLog, match: str, salt: SaltFunction, known: set[int] | None, aside: Path
) -> MatchLoss | None:
    """Cut a match to its sound entries and freeze it, if anything of it is lost.

    Return what is lost. `known` are the versions of which it is known that they were lost, or None if nothing is. What
    is cut off is kept in the file `aside`. Raises StoreUnavailable, OSError.
    """
    of = f"{partition_tag(int(match[:2]))}:m:{match}"
    fields: dict[bytes, bytes] = client.hgetall(f"{of}:head")
    if fields.get(b"status") == b"archived":
        return None  # its entries are in the archive, which is looked at later
    entries = _read_entries(log, match)
    if fields.get(b"asleep"):
        return None if known is None and not entries else _freeze_sleeper(client, of, match, entries, aside)
    if fields and known is None:
        damage = check_match_log(log, match, salt)
        if damage is None:
            return None
        says = damage.says
    else:
        damage, says = None, "a part of it could not be read" if fields else "its head is lost"
    versions = [entry.version for entry in entries]
    told = [int(fields.get(b"v", 0)), *versions, *(known or ())]
    last = max((version for version in told if version <= len(versions) + LARGEST_GAP), default=0)
    sound = _count_sound(client, log, match, salt, entries)
    rest = [entry for entry in entries if entry.version > sound]
    missing = tuple(version for version in range(1, last + 1) if version not in set(versions))
    if rest:
        _set_aside(aside, match, rest)
    _freeze_at(client, of, entries[:sound], rest)
    return MatchLoss(match, sound, missing, tuple(entry.version for entry in rest), says)


def _freeze_sleeper(client: Any, of: str, match: str, entries: list[StoredEntry], aside: Path) -> MatchLoss:
    """Freeze a match whose entries lie in a file; those that followed are set aside."""
    if entries:
        _set_aside(aside, match, entries)
        client.delete(f"{of}:log")
    client.hset(f"{of}:head", "status", "frozen")
    says = "a part of it could not be read, and the rest lies in the file of a sleeping match"
    return MatchLoss(match, 0, (), tuple(entry.version for entry in entries), says)


def _read_entries(log: MatchLog, match: str) -> list[StoredEntry]:
    entries: list[StoredEntry] = []
    while page := log.read_entries(match, entries[-1].version if entries else 0, PAGE_SIZE):
        entries += page
    return entries


def _count_sound(client: Any, log: MatchLog, match: str, salt: SaltFunction, entries: list[StoredEntry]) -> int:
    """Return how many entries, from the first on, are what was written."""
    key = f"{partition_tag(int(match[:2]))}:m:{match}:head"
    whole = 0
    while whole < len(entries) and entries[whole].version == whole + 1:
        whole += 1
    if not whole:
        return 0
    head = _build_head(entries[:whole])
    client.hset(key, mapping=head)
    damage = check_match_log(log, match, salt)
    if damage is None or damage.version > whole or damage.what in ("head", "log"):
        return whole
    return damage.version - 1


def _build_head(entries: list[StoredEntry]) -> dict[str, Any]:
    frontier: tuple[bytes, ...] = ()
    for size, entry in enumerate(entries):
        frontier = extend_frontier(frontier, size, leaf_hash(entry.envelope))
    # a match that went to another server must not go on here, whatever the host accepts
    last = entries[-1].envelope
    was = "moved" if b'"table.MatchMoved"' in last else "over" if b'"tournament.Ended"' in last else "open"
    named = {"status": "frozen", "was": was}
    return {"v": len(entries), "root": entries[-1].root, "frontier": b"".join(frontier), **named}


def _freeze_at(client: Any, of: str, sound: list[StoredEntry], rest: list[StoredEntry]) -> None:
    if not sound:
        client.delete(f"{of}:log", f"{of}:head")
    else:
        client.hset(f"{of}:head", mapping=_build_head(sound))
        if rest:
            client.xdel(f"{of}:log", *(f"{entry.version}-0" for entry in rest))
    client.delete(f"{of}:snap")


def _set_aside(path: Path, match: str, entries: list[StoredEntry]) -> None:
    """Keep entries that are cut off, as lines of JSON with hexadecimal bytes."""
    path.touch(mode=0o600)
    with path.open("a", encoding="ascii") as file:
        for entry in entries:
            parts = {"envelope": entry.envelope.hex(), "sealed": entry.sealed.hex(), "root": entry.root.hex()}
            file.write(json.dumps({"match": match, "version": entry.version, **parts}) + "\n")


def mend_feed(client: Any, partition: int, heads: dict[str, int], store: str) -> int:
    """Give the feed of a partition a line for each commit again.

    Return how many were missing. `heads` are the versions of the partition's matches. A line whose commit is unknown
    names a match that is there, so that followers read it again.
    """
    part = partition_tag(partition)
    feed, about = f"{part}:feed", f"{part}:about"
    read = parse_feed(client.xrange(feed))
    # a commit that was cut off is told as the last one that is left
    lines = {at: (match, min(version, heads[match])) for at, match, version in read if heads.get(match)}
    given = client.hget(about, "position")
    bound = len(lines) + LARGEST_GAP
    lines = {at: line for at, line in lines.items() if at <= bound}
    counted = int(given) if given is not None and given.isdigit() else 0
    position = max([*lines, counted if counted <= bound else 0], default=0)
    told = set(lines.values())
    untold = [
        (match, version) for match, last in heads.items() for version in range(1, min(last, LARGEST_GAP) + 1)
        if (match, version) not in told
    ]  # fmt: skip
    holes = [at for at in range(1, position + 1) if at not in lines]
    fits = not holes and not untold and given == b"%d" % position and len(read) == position
    if fits or not any(heads.values()):
        return 0
    position += max(0, len(untold) - len(holes))
    holes = [at for at in range(1, position + 1) if at not in lines]
    fallback = next((match, 1) for match, last in heads.items() if last)
    lines |= {at: untold[n] if n < len(untold) else fallback for n, at in enumerate(holes)}
    with client.pipeline(transaction=True) as acts:
        acts.delete(feed)
        for at in range(1, position + 1):
            match, version = lines[at]
            acts.xadd(feed, {"m": match, "v": version}, id=f"{at}-0")
        acts.hset(about, mapping={"position": position, "format": STORE_FORMAT, "partitions": PARTITIONS})
        acts.hsetnx(about, "store", store)
        acts.execute()
    return len(holes)
