"""Checks that the store is what it must be, at the start and later."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from redis.exceptions import NoPermissionError, ResponseError

from referee.infrastructure.clients import STORE_ERRORS, build_client, hide_password
from referee.infrastructure.embedded.servers import find_store_url
from referee.infrastructure.errors import HostError, StoreNotFoundError
from referee.infrastructure.settings import Settings
from referee.infrastructure.stores.requirements import (
    DURABLE_POLICY,
    INSISTS,
    KEPT_IN_MEMORY,
    TORN_TAIL_STOPS,
    find_policy_gaps,
    find_replica_gap,
    find_version_gap,
)

OVERRIDE = "REFEREE_STORE_UNSAFE"
CHECK_AGAIN_AFTER = 10.0  # seconds for which an answer counts
CHECK_WITHIN = 1.0  # seconds; a page must not wait for it


class UnsafeStoreError(HostError):
    """The store could lose what it has acknowledged; the message says why."""

    exit_code = 78  # EX_CONFIG


def find_store_gaps(settings: Settings, client: Any = None) -> list[str]:
    """Return what the settings' store lacks, a sentence for each.

    In a cluster every primary is asked. Raises StoreNotFoundError if it does not answer.
    """
    url = settings.store_url
    if settings.ephemeral:
        return [KEPT_IN_MEMORY]
    if url is None or url.startswith("fake:"):
        return []
    client = build_client(url, cluster=settings.store_cluster) if client is None else client
    mended = url == find_store_url(settings.data_dir)
    try:
        if not settings.store_cluster:
            return _find_gaps(client.info(), _read_config(client), settings.store_replicas, mended=mended)
        return [
            f"{node.name}: {gap}"
            for node in client.get_primaries()
            for gap in _find_gaps(
                client.info("everything", target_nodes=node),
                _read_config(client, target_nodes=node),
                settings.store_replicas,
                mended=mended,
            )
        ]
    except STORE_ERRORS as wrong:
        raise StoreNotFoundError(f"{hide_password(url)} does not answer: {wrong}") from wrong


def _find_gaps(info: Mapping[str, Any], config: Mapping[str, str] | None, awaited: int, *, mended: bool) -> list[str]:
    return [
        *find_version_gap(info),
        *find_policy_gaps(info, config, mended=mended),
        *find_replica_gap(info, config, awaited=awaited),
    ]


def _read_config(client: Any, **where: Any) -> dict[str, str] | None:
    """Return the settings of a server that matter, or None if it shows none."""
    try:
        found = client.config_get(*DURABLE_POLICY, *TORN_TAIL_STOPS, INSISTS, **where)
    except (NoPermissionError, ResponseError):  # a hosted store often has no CONFIG
        return None
    return {_decode(name): _decode(value) for name, value in found.items()}


def _decode(word: bytes | str) -> str:
    return word.decode() if isinstance(word, bytes) else word


def refuse_unsafe_store(settings: Settings) -> list[str]:
    """Return what the store lacks, if the settings allow that.

    Raises UnsafeStoreError if they do not, StoreNotFoundError if it does not answer.
    """
    gaps = find_store_gaps(settings)
    if gaps and not (settings.store_unsafe or settings.ephemeral):
        said = "".join(f"\n  - {gap}" for gap in gaps)
        raise UnsafeStoreError(
            f"the store could lose what it has acknowledged:{said}\nChange that, or accept it with {OVERRIDE}=true"
        )
    return gaps


def build_store_check(settings: Settings) -> Callable[[], bool]:
    """Return a check of whether the store may lose what it has acknowledged.

    It is asked often, so an answer counts for some seconds; while the store does not answer, the last one counts.
    """
    if settings.ephemeral or settings.store_url is None or settings.store_url.startswith("fake:"):
        return lambda: settings.ephemeral
    client = build_client(settings.store_url, cluster=settings.store_cluster, retries=0, within=CHECK_WITHIN)
    lock, known = threading.Lock(), {"unsafe": False, "until": 0.0}

    def is_unsafe() -> bool:
        if time.monotonic() >= known["until"] and lock.acquire(blocking=False):
            try:
                known["unsafe"] = bool(find_store_gaps(settings, client))
            except StoreNotFoundError:
                pass  # readyz itself says that it does not answer
            finally:
                known["until"] = time.monotonic() + CHECK_AGAIN_AFTER
                lock.release()
        return bool(known["unsafe"])

    return is_unsafe
