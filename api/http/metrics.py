"""Metrics for Prometheus: requests, latency, results of moves, and backlogs.

Two readers are allowed: the operator, with the operator's token, and a caller on this machine, or at the address that
the settings give the metrics. Only the operator sees why moves were refused. A refusal is in no log, and its reason may
follow from a hand. Two tables that a viewer cannot tell apart must not differ in what that viewer can count here
(decision 18).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from flask import Flask, Response, current_app, g, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from api.http.access.local import is_local_request
from api.http.problems import Problem
from api.http.request_log import compute_elapsed_seconds
from referee.eventstore.contract import PARTITIONS, MatchLog
from referee.infrastructure.telemetry.tracing import describe_request
from referee.ratings.projection_versions import PROJECTION_VERSIONS

METRICS_PATH = "/metrics"
METRICS_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
OTHER = "other"
MAX_COUNTED = (
    1500  # method, rule and status together, in one process; play and all scenes of the page make some hundred
)
METHOD_LABELS = {name: name for name in ("GET", "POST", "PUT", "PATCH", "DELETE")} | {"HEAD": "GET"}
UNMATCHED = "unmatched"
PUBLIC_CLAUSES = ("KERNEL-TURN-1", "KERNEL-MOVE-1", "KERNEL-OVER-1", "TABLE-")  # these depend on nothing hidden
ACCEPTED_OUTCOMES = ("accepted", "repeated", "tried")
REFUSED, RULES = "refused", "rules"  # coarse labels: every other outcome, and every other clause
LATENCY_BUCKETS = (0.0025, 0.01, 0.05, 0.25, 1.0, 5.0)  # few, because each call of the API has all of them
MULTIPROCESS_DIR = "PROMETHEUS_MULTIPROC_DIR"  # where several processes keep their metrics together
VIEW = "lobby"  # the projection whose lag is reported
disable_created_metrics()  # they would reveal when a move was first refused


class Metrics:
    """The metrics of one app; with `MULTIPROCESS_DIR`, of all processes that serve it."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._counted: set[tuple[str, str, int]] = set()
        self.moves = Counter(
            "referee_moves", "Posted moves, by outcome and, if refused, by the first clause against them",
            ("game", "outcome", "clause"), registry=self.registry,
        )  # fmt: skip
        self.requests = Counter(
            "referee_http_requests", "Answered requests", ("method", "rule", "status"), registry=self.registry,
        )  # fmt: skip
        self.seconds = Histogram(
            "referee_http_request_seconds", "Time until the answer began",
            ("method", "rule"), registry=self.registry, buckets=LATENCY_BUCKETS,
        )  # fmt: skip
        self.streams = Gauge(
            "referee_streams_open", "Streams and long polls that hold a slot",
            registry=self.registry, multiprocess_mode="livesum",
        )  # fmt: skip
        self.busy = Gauge(
            "referee_http_requests_under_way", "Requests that hold a thread, including streams",
            registry=self.registry, multiprocess_mode="livesum",
        )  # fmt: skip

    def record_response(self, response: Response, seconds: float) -> None:
        """Count an answer, and the move if it is about one."""
        method = METHOD_LABELS.get(request.method, OTHER)
        rule = request.url_rule.rule if request.url_rule else UNMATCHED
        self.record_request(method, rule, response.status_code, seconds)
        if request.endpoint in ("moves.makeMove", "moves.checkMove") and (became := classify_move_outcome(response)):
            table, ruling = g.get("table"), g.get("against")
            clause = ruling.clauses[0] if ruling is not None and ruling.clauses else ""
            self.record_move(table.game if table else "", became, clause)

    def record_request(self, method: str, rule: str, status: int, seconds: float) -> None:
        """Count an answer to a request by the rule of its route.

        No label has what a client sent. But all calls with all statuses would still fill a megabyte, so after the first
        `MAX_COUNTED` of them the others are counted together.
        """
        if (method, rule, status) not in self._counted:
            if len(self._counted) < MAX_COUNTED:
                self._counted.add((method, rule, status))
            else:
                rule = OTHER
        describe_request(method, rule, status)
        self.requests.labels(method, rule, str(status)).inc()
        self.seconds.labels(method, rule).observe(seconds)

    def record_move(self, game: str, outcome: str, clause: str = "") -> None:
        """Count a posted move."""
        self.moves.labels(game, outcome, clause).inc()

    def encode_metrics(self, *more: Any, whole: bool) -> bytes:
        """Return all metrics in the text format of Prometheus.

        `more` are further collectors. Unless `whole`, refused moves are counted together.
        """
        if MULTIPROCESS_DIR in os.environ:
            kept: Any = CollectorRegistry()
            MultiProcessCollector(kept)
        else:
            kept = self.registry
        shown = CollectorRegistry()
        for each in (kept if whole else CoarseCollector(kept), *more):
            shown.register(each)
        return generate_latest(shown)


def made_move_outcome(is_repeated: bool) -> str:
    """Return whether an answer 201 tells of a move made now or of one made before."""
    return "repeated" if is_repeated else "accepted"


def classify_move_outcome(response: Response) -> str:
    """Return the outcome of a posted move, or "" if it was not judged."""
    if response.status_code == 200:
        return "tried"
    if response.status_code == 201:
        return made_move_outcome("Idempotency-Replayed" in response.headers)
    slug: str = g.get("problem", "")
    return slug if response.status_code in (409, 410, 412, 423) else ""


class CoarseCollector:
    """Another collector's metrics, with refused moves counted together.

    Refusals that rest on what everybody sees keep their clause.
    """

    def __init__(self, whole: Any) -> None:
        self._whole = whole

    def collect(self) -> Iterator[Metric]:
        """Yield every metric; those of moves with coarse labels, summed up."""
        for metric in self._whole.collect():
            if metric.name != "referee_moves":
                yield metric
                continue
            sums: dict[tuple[tuple[str, str], ...], float] = {}
            for sample in metric.samples:
                labels = tuple(sorted(coarse_labels(**sample.labels).items()))
                sums[labels] = sums.get(labels, 0.0) + sample.value
            coarse = Metric(metric.name, metric.documentation, metric.type)
            for labels, value in sums.items():
                coarse.add_sample("referee_moves_total", dict(labels), value)
            yield coarse


def coarse_labels(game: str, outcome: str, clause: str) -> dict[str, str]:
    """Return the labels of a move for a reader who must not learn why it was refused."""
    if outcome in ACCEPTED_OUTCOMES:
        return {"game": game, "outcome": outcome, "clause": ""}
    return {"game": game, "outcome": REFUSED, "clause": clause if clause.startswith(PUBLIC_CLAUSES) else RULES}


def compute_lags(log: MatchLog) -> list[int]:
    """Return, by partition, how many entries the lobby has still to take in.

    Raises StoreUnavailable.
    """
    return [
        max(0, log.read_partition_info(part).position - log.read_cursor(part, VIEW, PROJECTION_VERSIONS[VIEW]))
        for part in range(PARTITIONS)
    ]


class BacklogCollector:
    """Metrics of what waits: entries for projections, and jobs; and of the workers."""

    def __init__(self, log: MatchLog, queue: dict[str, Any]) -> None:
        self._lags, self._queue = compute_lags(log), queue

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics as they were when this collector was made."""
        yield build_gauge("referee_feed_lag_entries", "Entries that projections have yet to read", sum(self._lags))
        yield build_gauge("referee_feed_lag_entries_max", "The same for the partition that lags most", max(self._lags))
        yield build_gauge("referee_queue_up", "Whether the job queue answers", int(self._queue["queue"] == "ok"))
        for name, says, found in (
            ("referee_queue_jobs", "Waiting jobs", self._queue.get("waiting", {})),
            ("referee_workers", "Running workers", self._queue["workers"]),
        ):
            family = GaugeMetricFamily(name, says, labels=["queue"])
            for queue, many in sorted(found.items()):
                family.add_metric([queue], many)
            yield family


def build_gauge(name: str, says: str, value: float) -> GaugeMetricFamily:
    """Return a gauge with one value."""
    return GaugeMetricFamily(name, says, value=value)


def authorize_metrics(operator: Callable[[], bool]) -> bool:
    """Return True if the caller may see every metric, False if only the coarse ones.

    The operator may see every metric, a caller on this machine the coarse ones. So may every caller of the address
    that the settings give the metrics. Raises Problem for anybody else.
    """
    if "Authorization" in request.headers:
        if operator():
            return True
        raise Problem("operator-only")
    if current_app.config["METRICS_PORT"] or is_local_request():
        return False
    raise Problem("unauthorized")


def init_app(app: Flask) -> Metrics:
    """Make the metrics of this app, and count every answer."""
    made = app.config["METRICS"] = Metrics()

    app.before_request(refuse_wrong_address)

    def count(response: Response) -> Response:
        made.record_response(response, compute_elapsed_seconds())
        return response

    app.after_request(count)
    return made


def is_metrics_address(environ: Mapping[str, Any], port: str) -> bool:
    """Return whether a request came in at the metrics' own address."""
    return bool(port) and environ.get("SERVER_PORT") == port


def refuse_wrong_address() -> None:
    """Answer metrics at their own address alone, and nothing else there.

    Raises Problem.
    """
    port: str = current_app.config["METRICS_PORT"]
    if port and is_metrics_address(request.environ, port) is not (request.path == METRICS_PATH):
        raise Problem("not-found")


def current_metrics() -> Metrics:
    """Return the metrics of this app."""
    found: Metrics = current_app.config["METRICS"]
    return found
