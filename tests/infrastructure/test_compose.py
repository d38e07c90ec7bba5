"""docker-compose.yml and Dockerfile, as far as they can be judged without running them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.cli.commands.running.serve import GRACEFUL_SECONDS
from referee.cli.main import cli
from referee.infrastructure.embedded.server import DURABLE_OPTIONS
from referee.infrastructure.settings import PREFIX, list_variables

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))["services"]
    return found


def test_every_process_of_a_server_is_there_and_has_a_health_check(services):
    assert services.keys() == {"store", "queue", "api", "worker", "webhooks", "sweeper"}
    assert all(service["healthcheck"]["test"][0] == "CMD" for service in services.values())


def test_all_kinds_of_workers_are_run_and_every_command_exists(services):
    assert [*services["worker"]["command"], *services["webhooks"]["command"], *services["sweeper"]["command"]] == [
        *("worker", "drain", "bots", "thinkers", "bundles", "archiver"),
        *("worker", "webhooks"),
        *("worker", "sweeper"),
    ]
    for name in ("api", "worker", "webhooks", "sweeper"):
        cli.commands[services[name]["command"][0]].make_context("x", services[name]["command"][1:])
    assert "doctor" in cli.commands


def test_the_store_is_as_durable_as_the_embedded_one(services):
    command = services["store"]["command"]
    options = dict(zip(command[1::2], command[2::2], strict=True))
    assert {name: options[f"--{name}"] for name in DURABLE_OPTIONS} == dict(DURABLE_OPTIONS)
    assert options["--save"] == ""
    assert "store:/data" in services["store"]["volumes"]


def test_stopping_takes_longer_than_the_api_is_given(services):
    assert all(int(service["stop_grace_period"].rstrip("s")) > GRACEFUL_SECONDS + 2 for service in services.values())


def test_every_variable_is_one_that_is_read(services):
    text = (ROOT / "Dockerfile").read_text("utf-8")
    named = set(re.findall(rf"{PREFIX}[A-Z_]+", text))
    named |= {name for service in services.values() for name in service.get("environment", {})}
    assert named
    assert named <= list_variables()


def test_the_bases_are_debian_and_what_is_installed_is_pinned_by_hash(services):
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    bases = [shlex.split(line)[1] for line in lines if line.startswith("FROM")]
    bases += [service["image"] for service in services.values() if "build" not in service]
    assert bases
    assert all(re.search("bookworm|trixie", base) for base in bases)
    assert any("--require-hashes -r /src/requirements.lock" in line for line in lines)
    for source in re.findall(r"^COPY ([^-].*) \S+$", "\n".join(lines), re.M):
        assert all((ROOT / name).exists() for name in source.split()), source
