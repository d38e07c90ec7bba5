"""What is about the service itself: whether it lives, the contract, the problems, where to begin."""

from __future__ import annotations

from typing import Any

import yaml
from flask import Flask, Response, current_app

from api import door
from api.answers import answer
from api.door import Room
from api.matches import BUILD
from api.problems import PROBLEMS, Problem
from referee.games import games
from referee.store.base import PARTITIONS

YAML = "application/yaml"
room = Room("service", "The service itself.")


@room.call("GET", "/", "getIndex", gives=(200, {"type": "object"}))
def get_index() -> Response:
    """Where to begin."""
    return answer(
        {
            "name": "referee",
            "version": contract(current_app)["info"]["version"],
            "contract": "/openapi.yaml",
            "games": {name: f"/v1/games/{name}" for name in games()},
            "try": [
                "GET /v1/games",
                "GET /v1/games/{game}/rulebook",
                "GET /v1/games/{game}/positions",
                "POST /v1/games/{game}/rulings",
                "POST /v1/matches",
                "POST /v1/join",
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
    told and do not make the service unready. `lag` counts the entries that the lobby has still to take in.
    """
    log = door.desk().log
    log.ping()
    lag = sum(log.about(part).position - log.cursor(part, "lobby", BUILD) for part in range(PARTITIONS))
    queue = current_app.config.get("QUEUE_STATE", lambda: {"queue": "none", "workers": {}})()
    return answer({"status": "ok", "store": "ok", **queue, "lag": max(0, lag)})


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


@room.call(
    "GET", "/problems/<word:slug>", "getProblem", gives=(200, {"type": "object"}), problems=["unknown-problem"]
)
def get_problem(slug: str) -> Response:
    """What a problem means, and what helps."""
    if slug not in PROBLEMS:
        raise Problem("unknown-problem")
    return answer({"type": f"/problems/{slug}", **PROBLEMS[slug]})


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
