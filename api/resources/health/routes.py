"""What is about the service itself: whether it lives, the contract, the problems, where to begin."""

from __future__ import annotations

from typing import Any

import yaml
from flask import Flask, Response, current_app

from api.http import endpoint, metrics
from api.http.access.authorization import WATCHER
from api.http.endpoint import Room
from api.http.responses import answer
from api.openapi.spec import VERSION
from api.resources.matches.routes import operator
from referee.eventstore.contract import MatchLog
from referee.games import games
from referee.infrastructure.archives.archived_log import archive_of

YAML = "application/yaml"
room = Room("service", "The service itself.")


@room.call("GET", "/", "getIndex", gives=(200, {"type": "object"}))
def get_index() -> Response:
    """Where to begin."""
    return answer(
        {
            "name": "referee",
            "version": VERSION,
            "contract": "/openapi.yaml",
            "docs": "/docs",
            "verifier": "/verify.py",
            "games": {name: f"/v1/games/{name}" for name in games()},
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


@room.call("GET", "/healthz", "getHealth", gives=(200, {"type": "object"}))
def get_health() -> Response:
    """Whether the process lives."""
    return answer({"status": "ok"})


@room.call("GET", "/readyz", "getReadiness", gives=(200, {"type": "object"}), problems=["store-away"])
def get_readiness() -> Response:
    """Whether matches can be played: 503 where the store does not answer.

    A queue that is away, workers that are missing and views that lag hold up the lobby and the bots, no match: they are
    told and do not make the service unready. `lag` counts the entries that the lobby has still to take in. `archive` is
    `wanting` where files of archived matches were missing or damaged when somebody asked for them.
    """
    log = endpoint.desk().log
    log.ping()
    return answer({"status": "ok", "store": "ok", **queue(), **shelf(log), "lag": sum(metrics.lags(log))})


def shelf(log: MatchLog) -> dict[str, str]:
    """How the files of archived matches are, as far as somebody has asked for them; nothing where there are none."""
    found = archive_of(log)
    return {} if found is None else {"archive": "wanting" if found.wanting() else "ok"}


def queue() -> dict[str, Any]:
    """How the queue is: `{queue: ok | away | none, workers: {queue's name: how many}}`, and of one that answers how
    many jobs are `waiting`."""
    found: dict[str, Any] = current_app.config.get("QUEUE_STATE", lambda: {"queue": "none", "workers": {}})()
    return found


@room.call(
    "GET", "/metrics", "getMetrics", WATCHER, gives=(200, {"type": "string"}), media=("text/plain",),
    problems=["unauthorized", "operator-only", "store-away"],
)  # fmt: skip
def get_metrics() -> Response:
    """Figures for Prometheus. For the operator's token; on the server's own machine without one, and then
    without why moves were refused."""
    whole = metrics.let_in(operator)
    waiting = metrics.Waiting(endpoint.desk().log, queue())
    response = Response(metrics.metrics().written(waiting, whole=whole), content_type=metrics.MEDIA)
    response.headers["Cache-Control"] = "no-store"
    return response


@room.call("GET", "/openapi.json", "getContractAsJson", gives=(200, {"type": "object"}))
def get_contract_as_json() -> Response:
    """The contract."""
    return answer(contract(current_app))


@room.call("GET", "/openapi.yaml", "getContract", gives=(200, {"type": "object"}), media=(YAML,))
def get_contract() -> Response:
    """The contract, to be read."""
    kept: str | None = current_app.config.get("CONTRACT_YAML")
    if kept is None:  # writing it takes a good part of a second; whoever asks for nothing else should not cost that
        kept = current_app.config["CONTRACT_YAML"] = as_yaml(contract(current_app))
    return Response(kept, mimetype=YAML)


def contract(app: Flask) -> dict[str, Any]:
    """The contract of this app, made once."""
    made: dict[str, Any] = app.config["CONTRACT"]()
    return made


def as_yaml(data: dict[str, Any]) -> str:
    """The contract as YAML, in the order in which it was made."""
    return yaml.dump(data, sort_keys=False, allow_unicode=True, width=120, Dumper=Plain)


class Plain(yaml.SafeDumper):
    """Writes every value out: no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def written_out(dumper: Plain, text: str) -> Any:
    """A text of several lines as a block."""
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


Plain.add_representer(str, written_out)
