"""Checks of what projections write, for every store alike."""

from __future__ import annotations

from collections.abc import Sequence

from referee.eventstore.contract import ProjectionWrite


def key_kind_for(op: str) -> str:
    """Return the kind of key that a projection's write needs: hash, zset or none.

    `del` needs none: it takes any. Raises ValueError if `op` is unknown.
    """
    kinds = {"hset": "hash", "hdel": "hash", "zadd": "zset", "zrem": "zset", "del": "none"}
    if op not in kinds:
        raise ValueError(f"a projection writes by {', '.join(kinds)}, not by {op!r}")
    return kinds[op]


def require_valid_writes(writes: Sequence[ProjectionWrite]) -> Sequence[ProjectionWrite]:
    """Return the writes if each can be written, because a batch is applied as a whole.

    Raises ValueError if an op is unknown, a suffix is the cursor's, or a score is no whole number.
    """
    for write in writes:
        key_kind_for(write.op)
        if write.suffix == "cursor":
            raise ValueError("the cursor is written by the log alone")
        score = write.value.removeprefix(b"-")
        if write.op == "zadd" and not (score.isdigit() and len(score) <= 15):
            raise ValueError(f"{write.value!r} is no score: a whole number in ASCII, of 15 digits at most")
    return writes


def require_matching_key_kinds(done: bool | None, name: str, build: int) -> bool:
    """Return whether a view was written. Raises ValueError if it cannot be (None)."""
    if done is None:
        raise ValueError(f"{name}:{build} writes ranks where fields are kept, or fields where ranks are")
    return done
