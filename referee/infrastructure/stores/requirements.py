"""The one list of what a store must be, so that nothing acknowledged is lost.

A server of the embedded kind is started by these rules. One that the settings name is checked against them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# The first versions with which everything is tested. Redis has no multi-part log before 7.0; Valkey loses the commit
# after a torn one before 9.1.2, and so does every Redis, which is why a named one needs TORN_TAIL_STOPS.
MIN_VERSIONS: Mapping[str, tuple[int, ...]] = {"valkey": (9, 1, 2), "redis": (7, 0, 15)}
DURABLE_POLICY: Mapping[str, str] = {
    "appendonly": "yes",
    "appendfsync": "always",
    "no-appendfsync-on-rewrite": "no",
    "maxmemory-policy": "noeviction",
}
TORN_TAIL_STOPS = {"aof-load-truncated": "no"}  # then the server waits for `redis-check-aof --fix`, which cuts rightly
INSISTS = "min-replicas-to-write"  # how many replicas have to be there before a server takes a write
KEPT_IN_MEMORY = "it keeps everything in memory only, and a stop or a crash loses it"


def format_version(version: tuple[int, ...]) -> str:
    """Return a version as people write it."""
    return ".".join(map(str, version))


def describe_minimum() -> str:
    """Return the oldest versions that do, as people write them."""
    return " or ".join(f"{family.capitalize()} {format_version(version)}" for family, version in MIN_VERSIONS.items())


def is_recent_enough(family: str, version: tuple[int, ...]) -> bool:
    """Return whether a server of this family and version does."""
    return family in MIN_VERSIONS and version >= MIN_VERSIONS[family]


def read_server_version(info: Mapping[str, Any]) -> tuple[str, tuple[int, ...]]:
    """Return family and version of a server by its INFO.

    Valkey gives the version of Redis that it is compatible with as well.
    """
    family = "valkey" if "valkey_version" in info else "redis"
    found = re.match(r"\d+(?:\.\d+)*", str(info.get(f"{family}_version", "")))
    return family, tuple(map(int, found[0].split("."))) if found else (0,)


def describe_server(info: Mapping[str, Any]) -> str:
    """Return family and version of a server, as people write them."""
    family, version = read_server_version(info)
    return f"{family.capitalize()} {format_version(version)}"


def find_version_gap(info: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with the version of a server, as no or one sentence."""
    if is_recent_enough(*read_server_version(info)):
        return []
    return [f"it is {describe_server(info)}; needed is {describe_minimum()}, or later"]


def find_policy_gaps(info: Mapping[str, Any], config: Mapping[str, str] | None, *, mended: bool) -> list[str]:
    """Return what a server would have to do otherwise, a sentence for each.

    `config` is what it answers to CONFIG GET, None if it does not answer that. `mended`: Referee itself mends the end
    of the log before the server starts.
    """
    if config is None:
        gaps = [] if int(info.get("aof_enabled", 0)) else ["appendonly is no; it must be yes"]
        return [*gaps, "it does not answer CONFIG GET, so nobody knows whether it syncs before it acknowledges"]
    wanted = dict(DURABLE_POLICY)
    if not mended and read_server_version(info)[0] == "redis":
        wanted |= TORN_TAIL_STOPS
    return [
        f"{name} is {config.get(name, 'unknown')}; it must be {value}"
        for name, value in wanted.items()
        if config.get(name) != value
    ]


def count_replicas(info: Mapping[str, Any]) -> int:
    """Return how many replicas follow a server.

    One that only takes a snapshot, as a backup does, never follows and cannot be promoted.
    """
    told = [about for name, about in info.items() if re.fullmatch(r"slave\d+", name) and isinstance(about, Mapping)]
    following = sum(1 for about in told if about.get("state") == "online")
    return min(int(info.get("connected_slaves", 0)), following)


def find_replica_gap(info: Mapping[str, Any], config: Mapping[str, str] | None, *, awaited: int) -> list[str]:
    """Return that replicas do not count, as no or one sentence.

    A replica that lags could be promoted and lack acknowledged moves, unless writes wait for `awaited` replicas, or the
    server insists on some.
    """
    replicas = count_replicas(info) if info.get("role") == "master" else 0
    insists = "" if config is None else config.get(INSISTS, "")
    if not replicas or awaited or (insists.isdigit() and int(insists)):
        return []
    return [
        f"it has replicas ({replicas}), and one that lags could be promoted and lack acknowledged moves: set "
        "REFEREE_STORE_REPLICAS to the number that must have a move first (1 lets any one server be lost), or "
        f"{INSISTS} in the store"
    ]
