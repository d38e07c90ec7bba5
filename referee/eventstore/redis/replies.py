"""Replies of a stream server, read as what the contract of the log names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.eventstore.contract import HASH_BYTES, Head, IdempotencyRecord, People, StoredEntry


def partition_tag(partition: int) -> str:
    """Return the hash tag of a partition, with which all its keys begin."""
    return f"{{p{partition:02d}}}"


def request_fields(client: Any, key: str, fields: Sequence[str] | None) -> Any:
    return client.hgetall(key) if fields is None else client.hmget(key, list(fields))


def parse_fields(found: Any, fields: Sequence[str] | None) -> dict[str, bytes]:
    """Return the fields of a hash as a server answered: all of them, or those named."""
    if fields is None:
        return {field.decode(): value for field, value in found.items()}
    return {field: value for field, value in zip(fields, found, strict=True) if value is not None}


def parse_time_ms(time: Sequence[Any]) -> int:
    return int(time[0]) * 1000 + int(time[1]) // 1000


def parse_passes(found: Sequence[bytes]) -> dict[int, bytes]:
    return {int(seat): record for seat, record in zip(found[::2], found[1::2], strict=True)}


def parse_names(found: Sequence[bytes]) -> dict[str, str]:
    return {seat.decode(): name.decode() for seat, name in zip(found[::2], found[1::2], strict=True)}


def parse_present_seats(visits: Sequence[bytes]) -> frozenset[int]:
    return frozenset(int(visit.partition(b":")[0]) for visit in visits)


def parse_people(names: Sequence[bytes], visits: Sequence[bytes]) -> People:
    return People(parse_names(names), parse_present_seats(visits))


def parse_stream_number(name: bytes) -> int:
    return int(name.partition(b"-")[0])


def parse_feed(found: Sequence[Any]) -> tuple[tuple[int, str, int], ...]:
    return tuple((parse_stream_number(name), fields[b"m"].decode(), int(fields[b"v"])) for name, fields in found)


def parse_raw_entry(found: Any) -> tuple[bytes, dict[bytes, bytes]]:
    """Return the id and the fields of an entry, also where a script gave it."""
    name, fields = found
    return name, dict(zip(fields[::2], fields[1::2], strict=True)) if isinstance(fields, list) else fields


def parse_entry(found: Any) -> StoredEntry:
    name, fields = parse_raw_entry(found)
    return StoredEntry(parse_stream_number(name), fields[b"e"], fields[b"x"], fields[b"r"])


def parse_head(fields: dict[bytes, bytes]) -> Head:
    joined = fields[b"frontier"]
    return Head(
        int(fields[b"v"]),
        fields[b"root"],
        tuple(joined[at : at + HASH_BYTES] for at in range(0, len(joined), HASH_BYTES)),
        fields[b"status"].decode(),
        int(fields.get(b"asked", 0)),
        fields.get(b"question", b"").decode(),
        fields.get(b"edition", b"").decode(),
        b"asleep" in fields,
    )


def parse_idempotency_record(found: bytes) -> IdempotencyRecord:
    version, _, request = found.partition(b":")
    return IdempotencyRecord(int(version), request)
