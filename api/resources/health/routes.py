"""What is about the service itself: whether it lives, the contract, the problems, where to begin."""

from __future__ import annotations

from typing import Any

import yaml
from flask import Flask, Response, current_app

from api.http import context, metrics
from api.http.access.authorization import OPTIONAL_TOKEN
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import json_response
from api.openapi.spec import VERSION
from api.resources.matches.routes import is_operator
from referee.eventstore.contract import MatchLog
from referee.games import load_games
from referee.infrastructure.archives.archived_log import find_archive

YAML = "application/yaml"
blueprint = EndpointBlueprint("service", "The service itself.")


@blueprint.declare(Endpoint("GET", "/", "getIndex", response=(200, {"type": "object"})))
def get_index() -> Response:
    """Where to begin."""
    return json_response(
        {
            "name": "referee",
            "version": VERSION,
            "contract": "/openapi.yaml",
            "docs": "/docs",
            "verifier": "/verify.py",
            "games": {name: f"/v1/games/{name}" for name in load_games()},
            "try": [
                "GET /v1/games",
                "GET /v1/games/{game}/rulebook",
                "GET /v1/games/{game}/positions",
                "POST /v1/games/{game}/rulings",
                "POST /v1/matches",
                "POST /v1/join",
                "POST /v1/players",
                "GET /v1/standings?game={game}",
            ],
        }
    )


@blueprint.declare(Endpoint("GET", "/healthz", "getHealth", response=(200, {"type": "object"})))
def get_health() -> Response:
    """Whether the process lives."""
    return json_response({"status": "ok"})


@blueprint.declare(
    Endpoint("GET", "/readyz", "getReadiness", response=(200, {"type": "object"}), problems=["store-away"])
)
def get_readiness() -> Response:
    """Whether matches can be played: 503 where the store does not answer.

    A queue that is away, workers that are missing and views that lag hold up the lobby and the bots, no match: they are
    told and do not make the service unready. `lag` counts the entries that the lobby has still to take in. `archive` is
    `wanting` where files of archived matches were missing or damaged when somebody asked for them.
    """
    log = context.get_match_service().log
    log.ping()
    return json_response(
        {
            "status": "ok",
            "store": "ok",
            **get_queue_state(),
            **check_archive(log),
            "lag": sum(metrics.compute_lags(log)),
        }
    )


def check_archive(log: MatchLog) -> dict[str, str]:
    """How the files of archived matches are, as far as somebody has asked for them; nothing where there are none."""
    found = find_archive(log)
    return {} if found is None else {"archive": "wanting" if found.count_unreadable() else "ok"}


def get_queue_state() -> dict[str, Any]:
    """How the queue is: `{queue: ok | away | none, workers: {queue's name: how many}}`, and of one that answers how
    many jobs are `waiting`."""
    found: dict[str, Any] = current_app.config.get("QUEUE_STATE", lambda: {"queue": "none", "workers": {}})()
    return found


@blueprint.declare(
    Endpoint(
        "GET",
        "/metrics",
        "getMetrics",
        OPTIONAL_TOKEN,
        response=(200, {"type": "string"}),
        media=("text/plain",),
        problems=["unauthorized", "operator-only", "store-away"],
    )
)
def get_metrics() -> Response:
    """Figures for Prometheus. For the operator's token; on the server's own machine without one, and then
    without why moves were refused."""
    whole = metrics.authorize_metrics(is_operator)
    waiting = metrics.BacklogCollector(context.get_match_service().log, get_queue_state())
    response = Response(
        metrics.current_metrics().encode_metrics(waiting, whole=whole), content_type=metrics.METRICS_MEDIA_TYPE
    )
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.declare(Endpoint("GET", "/openapi.json", "getContractAsJson", response=(200, {"type": "object"})))
def get_contract_as_json() -> Response:
    """The contract."""
    return json_response(load_contract(current_app))


@blueprint.declare(Endpoint("GET", "/openapi.yaml", "getContract", response=(200, {"type": "object"}), media=(YAML,)))
def get_contract() -> Response:
    """The contract, to be read."""
    kept: str | None = current_app.config.get("CONTRACT_YAML")
    if kept is None:  # writing it takes a good part of a second; whoever asks for nothing else should not cost that
        kept = current_app.config["CONTRACT_YAML"] = dump_yaml(load_contract(current_app))
    return Response(kept, mimetype=YAML)


def load_contract(app: Flask) -> dict[str, Any]:
    """The contract of this app, made once."""
    made: dict[str, Any] = app.config["CONTRACT"]()
    return made


def dump_yaml(data: dict[str, Any]) -> str:
    """The contract as YAML, in the order in which it was made."""
    return yaml.dump(data, sort_keys=False, allow_unicode=True, width=120, Dumper=PlainDumper)


class PlainDumper(yaml.SafeDumper):
    """Writes every value out: no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def represent_text(dumper: PlainDumper, text: str) -> Any:
    """A text of several lines as a block."""
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


PlainDumper.add_representer(str, represent_text)
