"""Metrics of what the server stands on: store, history, archive, disk and queue.

Each is a state that an operator has to know of, and that no request reveals. The store may be away: then the figures
say so, and those of the requests can still be read.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from flask import current_app
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric

import referee
from api.http import context
from api.http.metrics import build_gauge
from referee.eventstore.contract import StoreFull, StoreUnavailable
from referee.infrastructure.archives.archived_log import find_archive


@dataclass(frozen=True)
class ServerState:
    """What the server stands on. None where it has no such thing, or nobody can tell."""

    is_store_up: bool
    is_store_writable: bool
    is_store_safe: bool
    is_history_intact: bool | None
    unreadable_archives: int | None
    free_bytes: int | None
    queues: dict[str, dict[str, float]]


def read_server_state() -> ServerState:
    """Return the state of the server at this moment."""
    config, service = current_app.config, context.get_match_service()
    log, watch = service.log, service.appender.watch
    is_up = is_writable = True
    try:
        log.ping()
        log.check_room()
    except StoreFull:
        is_writable = False
    except StoreUnavailable:
        is_up = is_writable = False
    archive = find_archive(log)
    read_queues: Callable[[], dict[str, dict[str, float]]] = config["QUEUE_DETAILS"]
    return ServerState(
        is_store_up=is_up,
        is_store_writable=is_writable,
        is_store_safe=not config["IS_STORE_UNSAFE"](),
        is_history_intact=None if watch is None else not watch.is_history_lost(),
        unreadable_archives=None if archive is None else archive.count_unreadable(),
        free_bytes=_measure_free(config["DATA_DIR"]),
        queues=read_queues(),
    )


def _measure_free(folder: Path | None) -> int | None:
    try:
        return None if folder is None else shutil.disk_usage(folder).free
    except OSError:  # the folder is gone; what needs it says so
        return None


class StateCollector:
    """Metrics of a state of the server."""

    def __init__(self, state: ServerState) -> None:
        self._state = state

    def collect(self) -> Iterator[Metric]:
        """Yield a metric for each part that is known."""
        state = self._state
        yield InfoMetricFamily("referee_build", "What runs here", value={"version": referee.__version__})
        for name, says, value in (
            ("referee_store_up", "Whether the store answers", state.is_store_up),
            ("referee_store_writable", "Whether the store takes writes", state.is_store_writable),
            ("referee_store_safe", "Whether the store keeps what it acknowledges", state.is_store_safe),
            ("referee_history_intact", "Whether every log has what was signed of it", state.is_history_intact),
            ("referee_archive_unreadable", "Archived matches without a readable file", state.unreadable_archives),
            ("referee_data_free_bytes", "Free space where the data directory is", state.free_bytes),
        ):
            if value is not None:
                yield build_gauge(name, says, float(value))
        for name, says, part in (
            (
                "referee_queue_oldest_job_seconds",
                "How long the job at the head of a queue has waited",
                "oldest_seconds",
            ),
            ("referee_queue_failed_jobs", "Jobs that failed within a day", "failed"),
        ):
            family = GaugeMetricFamily(name, says, labels=["queue"])
            for queue, found in sorted(state.queues.items()):
                family.add_metric([queue], found[part])
            yield family
