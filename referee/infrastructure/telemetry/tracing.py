"""Traces for OpenTelemetry: what a request, a decision, a commit and a job take.

They are off unless the standard variables name a collector (OTEL_EXPORTER_OTLP_ENDPOINT), and then need the extra
`otel`. A span says which route, which game, which queue, and how it ended. It never has what identifies a table or
a person, and nothing of a move: only the attributes of `ATTRIBUTES` are set, and errors by their class alone.

The exporter has a thread, so it begins in the process that uses it, after the fork (decision 114).
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import referee
from referee.infrastructure.errors import HostError

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
PROTOCOL = "http/protobuf"
LIBRARY = "opentelemetry.exporter.otlp.proto.http"
ATTRIBUTES = frozenset(
    {
        "http.request.method",
        "http.route",
        "http.response.status_code",
        "referee.game",
        "referee.entries",
        "messaging.destination.name",
        "code.function.name",
        "error.type",
    }
)
DEFAULT_NAME = "referee"
NOTHING = contextlib.nullcontext()


class TracingError(HostError):
    """The variables ask for traces that this installation cannot send."""

    exit_code = 78  # EX_CONFIG


class Tracing:
    """The tracer of this process, once one was started."""

    def __init__(self) -> None:
        self.tracer: Any = None
        self._provider: Any = None
        self._part, self._pid = "", 0

    def start(self, part: str) -> bool:
        """Begin to send spans if the variables ask for it, and return whether.

        `part` is what this process does. To be called after the last fork but those of jobs. Raises TracingError.
        """
        if not is_wanted():
            return False
        require_library()
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        told = {"service.version": referee.__version__, "service.instance.id": str(os.getpid()), "referee.part": part}
        if not os.environ.get("OTEL_SERVICE_NAME"):
            told["service.name"] = DEFAULT_NAME
        self._provider = TracerProvider(resource=Resource.create(told), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self.tracer = self._provider.get_tracer("referee", referee.__version__)
        self._part, self._pid = part, os.getpid()
        return True

    def stop(self) -> None:
        """Send what is left. Nothing is traced afterwards."""
        if self._provider is not None:
            self._provider.shutdown()
        self.tracer = self._provider = None

    @contextlib.contextmanager
    def renew_in_fork(self) -> Iterator[None]:
        """Use an exporter of its own if this process is the fork of a job.

        That of the parent might have held a lock when it forked. The fork ends at once, so all is sent before.
        """
        if self.tracer is None or os.getpid() == self._pid:
            yield
            return
        self.start(self._part)
        try:
            yield
        finally:
            self.stop()


TRACING = Tracing()


def is_wanted() -> bool:
    """Return whether the standard variables ask for traces."""
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or os.environ.get("OTEL_TRACES_EXPORTER") == "none":
        return False
    return any(os.environ.get(name) for name in ENDPOINTS)


def require_library() -> None:
    """Raise TracingError if the variables ask for traces that cannot be sent."""
    if not is_wanted():
        return
    for name in PROTOCOLS:
        if os.environ.get(name, PROTOCOL) != PROTOCOL:
            raise TracingError(f"{name}: only {PROTOCOL} is spoken")
    try:
        found = importlib.util.find_spec(LIBRARY)
    except ModuleNotFoundError:
        found = None
    if found is None:
        raise TracingError(f"{ENDPOINTS[1]} is set, and the libraries are missing: pip install '.[otel]' in a clone")


def open_span(name: str, kind: str = "INTERNAL", parent: Any = None) -> contextlib.AbstractContextManager[Any]:
    """Return a span to be entered; nothing happens where traces are off.

    An error that leaves it is told by its class alone, because its words may tell of what is hidden.
    """
    return NOTHING if TRACING.tracer is None else _record_span(name, kind, parent)


@contextlib.contextmanager
def _record_span(name: str, kind: str, parent: Any) -> Iterator[Any]:
    from opentelemetry.trace import SpanKind

    opened = TRACING.tracer.start_as_current_span(
        name, context=parent, kind=SpanKind[kind], record_exception=False, set_status_on_exception=False
    )
    with opened as span:
        try:
            yield span
        except Exception as error:
            span.set_attribute("error.type", type(error).__name__)
            raise


def describe_request(method: str, rule: str, status: int) -> None:
    """Name the span of the request under way by the rule of its route."""
    if TRACING.tracer is None:
        return
    from opentelemetry.trace import Status, StatusCode, get_current_span

    span = get_current_span()
    span.update_name(f"{method} {rule}")
    span.set_attributes({"http.request.method": method, "http.route": rule, "http.response.status_code": status})
    if status >= 500:
        span.set_status(Status(StatusCode.ERROR))


class TracedRequests:
    """A WSGI callable that opens a span for each request.

    The span ends when the answer begins, as the metrics count it: a stream would last for hours. The only header that
    is read is `traceparent`.
    """

    def __init__(self, wsgi: Callable[..., Iterable[bytes]]) -> None:
        self._wsgi = wsgi

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        """Answer a request, as WSGI demands."""
        if TRACING.tracer is None:
            return self._wsgi(environ, start)
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        caller = {"traceparent": environ.get("HTTP_TRACEPARENT", "")}
        with open_span("request", "SERVER", TraceContextTextMapPropagator().extract(caller)):
            return self._wsgi(environ, start)


def trace_service(service: Any) -> None:
    """Have a match service record its decisions and commits, if traces are on.

    Methods of this one object are replaced, so that nothing costs where traces are off.
    """
    if TRACING.tracer is None:
        return
    _trace_method(service, "check_and_decide_move", "decide move", _describe_decision)
    _trace_method(service, "execute_command", "execute command", lambda *_: {})
    _trace_method(service.log, "append", "commit", lambda _commit: {"referee.entries": 1})
    _trace_method(service.log, "append_together", "commit", lambda commits: {"referee.entries": len(commits)})


def _describe_decision(loaded: Any, *_: Any) -> dict[str, Any]:
    return {"referee.game": loaded.match.game}


def _trace_method(owner: Any, name: str, span_name: str, describe: Callable[..., dict[str, Any]]) -> None:
    method = getattr(owner, name)

    @functools.wraps(method)
    def traced(*given: Any, **more: Any) -> Any:
        with open_span(span_name) as span:
            if span is not None:
                span.set_attributes(describe(*given))
            return method(*given, **more)

    setattr(owner, name, traced)


@contextlib.contextmanager
def trace_job(queue: str, function: str) -> Iterator[None]:
    """Record a job of a queue, if traces are on."""
    with TRACING.renew_in_fork(), open_span(f"job {queue}", "CONSUMER") as span:
        if span is not None:
            span.set_attributes({"messaging.destination.name": queue, "code.function.name": function})
        yield
