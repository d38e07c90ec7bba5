"""Traces: off without the variables, sent with them, and never with anything that tells of a person or a hand."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.cli.client import ApiClient, ProblemError
from referee.infrastructure.telemetry import tracing
from referee.infrastructure.telemetry.tracing import ATTRIBUTES, TRACING, TracedRequests, TracingError
from tests.api import house
from tests.cli.serving import Serving
from tests.cli.test_streaming import moved, table
from tests.infrastructure.machine import eventually

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
MOVE = "POST /v1/matches/<match:match>/seats/<mover:seat>/moves"
NAME = "Hedwig Geheim"


@pytest.fixture
def collector() -> Iterator[Any]:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="the extra `otel` is not installed")
    from tests.infrastructure.operations.otlp import Collector

    with Collector() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in (*tracing.ENDPOINTS, *tracing.PROTOCOLS, "OTEL_SDK_DISABLED", "OTEL_TRACES_EXPORTER"):
        monkeypatch.delenv(name, raising=False)
    yield
    TRACING.stop()


def test_without_the_variables_nothing_is_loaded_and_nothing_is_wrapped() -> None:
    assert TRACING.start("api") is False
    app = house.app()
    assert not isinstance(app.wsgi_app, TracedRequests)
    service = app.config["SERVICE"]
    tracing.trace_service(service)
    assert "check_and_decide_move" not in vars(service)
    assert tracing.open_span("x") is tracing.open_span("y"), "one object that does nothing"


@pytest.mark.parametrize(("name", "value"), [("OTEL_SDK_DISABLED", "true"), ("OTEL_TRACES_EXPORTER", "none")])
def test_the_standard_switches_turn_it_off(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:4318")
    assert tracing.is_wanted()
    monkeypatch.setenv(name, value)
    assert not tracing.is_wanted()


def test_what_cannot_be_sent_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:4318")
    monkeypatch.setattr(tracing, "LIBRARY", "no_such_library.otlp")
    with pytest.raises(TracingError, match=r"\.\[otel\]"):
        tracing.require_library()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
    with pytest.raises(TracingError, match="http/protobuf"):
        tracing.require_library()


def test_a_request_its_decision_and_its_commit_are_one_trace(collector: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENDPOINT, collector.url)
    assert TRACING.start("api") is True
    app = house.app()
    service = app.config["SERVICE"]
    tracing.trace_service(service)
    app.wsgi_app = TracedRequests(app.wsgi_app)  # type: ignore[method-assign, assignment]
    at = house.opened(app)
    seat = at.awaited[0]
    move = at.moves(seat)["legal"][0]["move"]
    caller = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    assert at.move(seat, move, Traceparent=caller).status_code == 201
    assert at.move(1 - at.awaited[0], {"type": "mc.play", "card": "nothing"}).status_code >= 400
    with pytest.raises(RuntimeError), tracing.open_span("failing"):
        raise RuntimeError("a hand: sword, shield")
    TRACING.stop()
    (decided,) = [each for each in collector.find("decide move") if each.trace_id.hex() == caller[3:35]]
    (request,) = [each for each in collector.find(MOVE) if each.span_id == decided.parent_span_id]
    (written,) = [each for each in collector.find("commit") if each.trace_id.hex() == caller[3:35]]
    assert request.parent_span_id.hex() == caller[36:52]
    assert written.parent_span_id == request.span_id
    (failed,) = collector.find("failing")
    assert {each.key: each.value.string_value for each in failed.attributes} == {"error.type": "RuntimeError"}
    require_nothing_secret(collector, [at.path.rpartition("/")[2], *(each.token for each in at.seats), "sword"])


def require_nothing_secret(collector: Any, secrets: list[str]) -> None:
    """Only known attributes, no events, and none of these words in a single byte."""
    for _, span in collector.spans:
        assert {each.key for each in span.attributes} <= ATTRIBUTES, span.name
        assert not span.events
        assert not span.status.message
    sent = b"".join(collector.raw)
    for secret in secrets:
        assert secret.encode() not in sent, secret


@pytest.mark.deep
def test_a_real_server_sends_spans_of_requests_and_of_jobs_in_forks(collector: Any, tmp_path: Path) -> None:
    (tmp_path / "bare" / "notes").mkdir(parents=True)
    variables = {ENDPOINT: collector.url, "OTEL_SERVICE_NAME": "table", "OTEL_BSP_SCHEDULE_DELAY": "200"}
    serving = Serving(tmp_path / "bare", "--data-dir", str(tmp_path / "data"), REFEREE_LOG_LEVEL="error", **variables)
    try:
        assert serving.told, "it does not start"
        client = ApiClient(serving.told["url"])
        path, tokens = table(client)
        players = [client.with_token(token) for token in tokens]
        opened = client.post("/v1/matches", {"game": "mau_mau", "seats": [{"kind": "human"}] * 2}).body
        named = client.post("/v1/join", {"code": opened["invitations"][0]["code"], "name": NAME}).body["token"]
        for _ in range(3):
            moved(path, players)
        with pytest.raises(ProblemError):
            players[0].post(f"{path}/seats/0/moves", {"move": {"type": "mc.play", "card": "nothing"}})
        ask = {"game": "mau_mau", "seats": [{"kind": "bot", "level": 0}] * 2, "visibility": "public"}
        bots = client.post("/v1/matches", ask).body
        host, at = client.with_token(bots["token"]), f"/v1/matches/{bots['match']}"
        if host.get(at).body["status"] == "lobby":
            host.post(f"{at}/start", {}, if_match=host.get(at).etag)
        eventually(lambda: {MOVE, "decide move", "commit"} <= collector.names("api"))
        eventually(lambda: {"job bots", "decide move", "commit"} <= collector.names("bots"))
        eventually(lambda: "job drain" in collector.names("drain"))
    finally:
        said = serving.end()
    assert "Traceback" not in said, said
    assert {resource["service.name"] for resource, _ in collector.spans} == {"table"}
    matches = [each.rpartition("/")[2] for each in (path, at)]
    require_nothing_secret(
        collector, [*matches, *tokens, bots["token"], named, NAME, "sword", serving.told["operator_token"]]
    )


def test_the_libraries_are_only_loaded_where_traces_are_on() -> None:
    """Importing the program costs nothing of them."""
    source = Path(tracing.__file__).read_text("utf-8")
    assert "\nfrom opentelemetry" not in source
    assert "\nimport opentelemetry" not in source
    assert sys.modules.get("referee.infrastructure.telemetry.tracing") is tracing
