"""Routes about the service itself: index, health, metrics, contract."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import orjson
import yaml
from flask import Flask, Response, current_app

from api.http import context, metrics
from api.http.access import admission
from api.http.access.authorization import OPTIONAL_TOKEN
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import json_response, whole_response
from api.openapi.answers import InOneLine
from api.resources.health.state_metrics import StateCollector, read_server_state
from referee.eventstore.contract import MatchLog, StoreFull, StoreUnavailable
from referee.infrastructure.archives.archived_log import find_archive

YAML = "application/yaml"
ALIVE = {"const": "ok", "description": "The process is running"}
HEALTH = {"type": "object", "properties": {"status": ALIVE}, "required": ["status"]}
COUNTS = {"type": "object", "additionalProperties": {"type": "integer"}}
READINESS = {
    "type": "object",
    "properties": {
        "status": ALIVE,
        "store": {
            "enum": ["ok", "unsafe", "full"],
            "description": "`unsafe`: it could lose what it has acknowledged; `full`: it takes no writes",
        },
        "queue": {"enum": ["ok", "away", "none"], "description": "The queue of jobs; `none`: the server has none"},
        "workers": {**COUNTS, "description": "How many workers serve each queue"},
        "waiting": {**COUNTS, "description": "How many jobs wait in each queue; left out if the queue does not answer"},
        "archive": {
            "enum": ["ok", "wanting"],
            "description": "`wanting`: files of archived matches are missing or damaged; left out if there are none",
        },
        "history": {"enum": ["ok", "lost"], "description": "`lost`: a log lacks what was signed of it"},
        "lag": {"type": "integer", "description": "How many entries the lobby has still to take in"},
    },
    "required": ["status", "store", "queue", "lag"],
}
CONTRACT = {  # not JSON_OBJECT, which has no fractions: examples have some
    "type": "object",
    "description": "An OpenAPI document",
    "properties": {"openapi": {"type": "string", "description": "The version of OpenAPI"}},
    "required": ["openapi"],
}
MOST_IN_A_LINE = 480  # bytes of a part as JSON
NO_WRAPPING = 1_000_000  # characters
blueprint = EndpointBlueprint("service")


@blueprint.declare(Endpoint("GET", "/healthz", "getHealth", response=(200, HEALTH)))
def get_health() -> Response:
    """Report that the process is running."""
    return json_response({"status": "ok"})


@blueprint.declare(Endpoint("GET", "/readyz", "getReadiness", response=(200, READINESS), problems=["store-away"]))
def get_readiness() -> Response:
    """Report whether matches can be played: 503 if the store does not answer.

    Without queue or workers, and where views lag, lobby and bots wait, no match.
    """
    service = context.get_match_service()
    log, watch = service.log, service.appender.watch
    log.ping()
    return json_response(
        {
            "status": "ok",
            "store": check_store(log),
            **get_queue_state(),
            **check_archive(log),
            **({} if watch is None else {"history": "lost" if watch.is_history_lost() else "ok"}),
            "lag": sum(metrics.compute_lags(log)),
        }
    )


def check_store(log: MatchLog) -> str:
    """Return whether the store, which answers, takes writes and keeps them."""
    try:
        log.check_room()
    except StoreFull:
        return "full"
    return "unsafe" if current_app.config["IS_STORE_UNSAFE"]() else "ok"


def check_archive(log: MatchLog) -> dict[str, str]:
    """Return the state of the archive files requested so far; empty if there are none."""
    found = find_archive(log)
    return {} if found is None else {"archive": "wanting" if found.count_unreadable() else "ok"}


def get_queue_state() -> dict[str, Any]:
    """Return the state of the queue.

    It is `{queue: ok | away | none, workers: {name of a queue: number of workers}}`. If the queue answers, `waiting`
    holds the number of waiting jobs of each queue.
    """
    found: dict[str, Any] = current_app.config.get("QUEUE_STATE", lambda: {"queue": "none", "workers": {}})()
    return found


@blueprint.declare(
    Endpoint(
        "GET",
        metrics.METRICS_PATH,
        "getMetrics",
        OPTIONAL_TOKEN,
        response=(200, {"type": "string"}),
        media=("text/plain",),
        problems=["unauthorized", "operator-only"],
    )
)
def get_metrics() -> Response:
    """Return metrics for Prometheus.

    The operator's token gives all of them. Requests from the server's own machine need no token; they do not see why
    moves were refused. While the store is away, `referee_store_up` is 0, and what is read from it is left out.
    """
    whole = metrics.authorize_metrics(admission.is_operator)
    state = read_server_state()
    more: list[Any] = [StateCollector(state)]
    if state.is_store_up:
        with suppress(StoreUnavailable):  # it has gone since
            more.append(metrics.BacklogCollector(context.get_match_service().log, get_queue_state()))
    response = Response(
        metrics.current_metrics().encode_metrics(*more, whole=whole), content_type=metrics.METRICS_MEDIA_TYPE
    )
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.declare(Endpoint("GET", "/openapi.json", "getContractAsJson", response=(200, CONTRACT)))
def get_contract_as_json() -> Response:
    """Return the contract as JSON."""
    return whole_response(load_contract(current_app))


@blueprint.declare(Endpoint("GET", "/openapi.yaml", "getContract", response=(200, CONTRACT), media=(YAML,)))
def get_contract() -> Response:
    """Return the contract as YAML."""
    kept: str | None = current_app.config.get("CONTRACT_YAML")
    if kept is None:  # writing it takes a good part of a second, so it is made only on request
        kept = current_app.config["CONTRACT_YAML"] = dump_yaml(load_contract(current_app))
    return Response(kept, mimetype=YAML)


def load_contract(app: Flask) -> dict[str, Any]:
    """Return the contract of this app, which is made once."""
    made: dict[str, Any] = app.config["CONTRACT"]()
    return made


def dump_yaml(data: dict[str, Any]) -> str:
    """Return the contract as YAML, in the order in which it was made."""
    return yaml.dump(data, sort_keys=False, allow_unicode=True, width=NO_WRAPPING, Dumper=PlainDumper)


def is_short(value: Any) -> bool:
    """Return whether a part of the contract fits into one line."""
    encoded = orjson.dumps(value)
    return len(encoded) <= MOST_IN_A_LINE and b"\\n" not in encoded


class PlainDumper(yaml.SafeDumper):
    """A YAML dumper that writes every value out, without anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> Any:
        """Write what is short in one line."""
        return super().represent_mapping(tag, mapping, flow_style or is_short(mapping))

    def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> Any:
        """Write what is short in one line, and names however many they are."""
        names = all(isinstance(each, str) for each in sequence)
        return super().represent_sequence(tag, sequence, flow_style or names or is_short(sequence))


def represent_text(dumper: PlainDumper, text: str) -> Any:
    """Return the YAML node of a text; several lines become a block."""
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


def represent_in_one_line(dumper: PlainDumper, part: dict[str, Any]) -> Any:
    """Return the YAML node of a part that is written in one line."""
    return dumper.represent_mapping("tag:yaml.org,2002:map", part, flow_style=True)


PlainDumper.add_representer(str, represent_text)
PlainDumper.add_representer(InOneLine, represent_in_one_line)
