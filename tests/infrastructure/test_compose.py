"""docker-compose.yml and Dockerfile, as far as they can be judged without running them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest
import yaml
from packaging.requirements import Requirement

from referee import __version__
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
    always = {name for name, service in services.items() if "profiles" not in service}
    assert always == {"store", "queue", "api", "worker", "webhooks", "sweeper"}
    profiles = {name: service["profiles"] for name, service in services.items() if name not in always}
    assert profiles == {
        "backup": ["backup"],
        "caddy": ["tls"],
        "grafana": ["observe"],
        "prometheus": ["observe"],
        "restore": ["restore"],
    }
    assert all(service["healthcheck"]["test"][0] == "CMD" for service in services.values())


def test_all_kinds_of_workers_are_run_and_every_command_exists(services):
    assert [*services["worker"]["command"], *services["webhooks"]["command"], *services["sweeper"]["command"]] == [
        *("worker", "drain", "bots", "thinkers", "bundles", "archiver"),
        *("worker", "webhooks"),
        *("worker", "sweeper"),
    ]
    for name in ("api", "worker", "webhooks", "sweeper", "backup"):
        cli.commands[services[name]["command"][0]].make_context("x", services[name]["command"][1:])
    assert services["restore"]["entrypoint"] == ["referee", "restore"]
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
    named |= {
        name
        for service in services.values()
        if service["image"] == "referee:latest"
        for name in service.get("environment", {})
    }
    assert named
    assert named <= list_variables()


def test_the_bases_are_debian_and_what_is_installed_is_pinned_by_hash(services):
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    bases = [line.partition("BASE=")[2] for line in lines if line.startswith("ARG BASE=")]
    bases += [services[name]["image"] for name in ("store", "queue")]
    assert len(bases) == 3
    assert all(re.search("bookworm|trixie", base) for base in bases)
    installs = [line for line in lines if "pip install" in line]
    assert len(installs) == 3
    assert all("--require-hashes" in line for line in installs), "the program itself, too"
    assert not any(
        ":latest" in service["image"]
        for service in services.values()
        if "build" not in service and service["image"] != "referee:latest"
    )
    for source in re.findall(r"^COPY ([^-].*) \S+$", "\n".join(lines), re.M):
        assert all((ROOT / name).exists() for name in source.split()), source


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile with what follows them, continued lines joined."""
    text = re.sub(r"^\s*#.*\n", "", (ROOT / "Dockerfile").read_text("utf-8"), flags=re.M)
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines if line.strip())]


def test_the_image_is_built_in_stages_and_runs_as_nobody_in_particular():
    found = instructions()
    stages = [number for number, (word, _) in enumerate(found) if word == "FROM"]
    assert len(stages) == 3
    assert all(found[number][1].startswith("${BASE}") for number in stages), "one base, given once"
    (base,) = [rest for word, rest in found[: stages[0]] if word == "ARG"]
    assert re.search(r":[0-9]+\.[0-9]+\S*", base), "no floating base"
    last = found[stages[-1] :]
    users = [rest for word, rest in last if word == "USER"]
    assert users
    assert re.fullmatch("[1-9][0-9]*:[1-9][0-9]*", users[-1]), "by number, so that a host can see that it is not root"
    assert not any(word in ("ADD", "MAINTAINER") for word, _ in found)
    copied = [rest for word, rest in last if word == "COPY"]
    assert copied == ["--from=install /opt/referee /opt/referee"], "nothing of what builds it is in it"
    for name in ("ENTRYPOINT", "CMD"):
        (form,) = [json.loads(rest) for word, rest in last if word == name]
        assert isinstance(form, list)


def test_the_image_looks_after_its_health_by_a_program_that_runs(monkeypatch):
    (check,) = [rest for word, rest in instructions() if word == "HEALTHCHECK"]
    program = json.loads(check[check.index("[") :])
    assert program[:2] == ["python", "-c"]

    class Ready(BaseHTTPRequestHandler):
        asked: ClassVar[list[str]] = []
        status = 200

        def do_GET(self) -> None:
            self.asked.append(self.path)
            self.send_response(self.status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Ready) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("REFEREE_PORT", str(server.server_port))
        for status, code in ((200, 0), (503, 1)):
            Ready.status = status
            done = subprocess.run([sys.executable, *program[1:]], check=False, capture_output=True)
            assert done.returncode == code, done.stderr
        server.shutdown()
    assert Ready.asked == ["/readyz"] * 2


def test_what_is_copied_is_let_through_and_nothing_else_is():
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*", "what is not named stays out: keys, .env, .git"
    let_through = {rule[1:] for rule in rules if rule.startswith("!")}
    named = re.findall(r"^COPY ([^-].*) \S+$", (ROOT / "Dockerfile").read_text("utf-8"), re.M)
    assert let_through == {name for line in named for name in line.split()}
    assert "**/__pycache__" in rules


def test_parts_wait_until_the_servers_are_well_and_names_are_passed_on(services):
    for name in ("api", "worker", "webhooks", "sweeper"):
        needs = services[name]["depends_on"]
        assert {need: about["condition"] for need, about in needs.items()} == {
            "store": "service_healthy",
            "queue": "service_healthy",
        }
    environment = services["api"]["environment"]
    for name in ("REFEREE_PUBLIC_URL", "REFEREE_ALLOWED_HOSTS", "REFEREE_TRUSTED_PROXIES"):
        assert "${" + name + ":-" in environment[name], "empty or the default, if nobody sets it"
    for name in ("store", "queue"):
        assert re.search(r":[0-9]+\.[0-9]+\.[0-9]+-", services[name]["image"]), "a version, not a series"


def test_one_image_is_built_and_every_service_is_bounded(services):
    assert [name for name, service in services.items() if "build" in service] == ["api"]
    ours = [service for service in services.values() if service["image"] == "referee:latest"]
    assert len(ours) == 6
    assert [service["pull_policy"] for service in ours].count("never") == 5, "nobody else's image of that name"
    for name, service in services.items():
        assert {"cpus", "memory", "pids"} <= service["deploy"]["resources"]["limits"].keys(), name
        assert name in ("store", "queue") or service["cap_drop"] == ["ALL"], name
        assert all(part.startswith("127.0.0.1:") for part in service.get("ports", []) if name != "caddy"), name
    assert services["backup"]["volumes"][0].endswith(":ro")
    for service in ours:
        assert service["env_file"] == [{"path": ".env", "required": False}]


def test_every_file_that_is_mounted_is_there_and_used(services):
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
    used = {part["source"] for service in services.values() for part in service.get("configs", [])}
    assert used == compose["configs"].keys()
    assert all((ROOT / about["file"]).is_file() for about in compose["configs"].values())
    mounted = {part.partition(":")[0] for service in services.values() for part in service.get("volumes", [])}
    assert {name for name in mounted if not name.startswith(".")} == compose["volumes"].keys()


def test_the_labels_say_what_the_package_says():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    text = (ROOT / "Dockerfile").read_text("utf-8")
    for label, value in (("description", project["description"]), ("licenses", project["license"])):
        assert f'org.opencontainers.image.{label}="{value}"' in text
    assert f"ARG VERSION={__version__}\n" in text


def read_lock(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text("utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==([0-9][^ ;]*)", text, re.M))


@pytest.mark.parametrize(
    ("lock", "extras"),
    [("requirements.lock", ["embedded"]), ("tests/requirements.lock", ["embedded", "mcp", "otel", "test", "docs"])],
)
def test_everything_that_is_needed_is_in_the_lock(lock: str, extras: list[str]) -> None:
    """Image and deep tests install a lock, and then the program without its needs: what is missing there is missed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [*project["dependencies"], *(line for name in extras for line in project["optional-dependencies"][name])]
    locked = read_lock(lock)
    for line in needed:
        need = Requirement(line)
        if need.name != "referee":
            assert need.specifier.contains(locked.get(need.name.lower(), "0"), prereleases=True), line


def test_what_is_tested_is_what_the_image_has() -> None:
    image, tested = read_lock("requirements.lock"), read_lock("tests/requirements.lock")
    assert image.items() <= tested.items()
