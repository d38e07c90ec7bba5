"""Alerts and dashboard: they name metrics that exist, and each alert fires on what it is for and on nothing else."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.api import house
from tests.infrastructure.machine import ROOT

FILES = ROOT / "referee" / "docs" / "operations"
TEXT = (ROOT / "referee" / "docs" / "OPERATIONS.md").read_text("utf-8")
RULES = yaml.safe_load((FILES / "alerts.yml").read_text("utf-8"))["groups"][0]["rules"]
DASHBOARD: dict[str, Any] = json.loads((FILES / "grafana-dashboard.json").read_text("utf-8"))
SUFFIXES = ("_total", "_bucket", "_count", "_sum", "_info")


def list_queries() -> list[str]:
    """Every query of the dashboard's panels."""
    return [target["expr"] for panel in DASHBOARD["panels"] for target in panel.get("targets", [])]


def find_names(queries: list[str]) -> set[str]:
    return {name for query in queries for name in re.findall(r"\breferee_[a-z_]+", query)}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of all series that the program exports."""
    queues = {"bots": {"oldest_seconds": 1.0, "failed": 0.0}}
    app = house.app(
        DATA_DIR=tmp_path_factory.mktemp("data"),
        QUEUE_DETAILS=lambda: queues,
        QUEUE_STATE=lambda: {"queue": "ok", "workers": {"bots": 1}, "waiting": {"bots": 1}},
    )
    app.config["SERVICE"].appender.watch = type("Watch", (), {"is_history_lost": lambda _self: False})()
    app.config["METRICS"].record_move("mau_mau", "accepted")
    client = app.test_client()
    client.get("/v1/games")
    found = {
        sample.name
        for family in text_string_to_metric_families(client.get("/metrics").text)
        for sample in family.samples
    }
    return found | ({"referee_archive_unreadable"} if "referee_archive_unreadable" not in found else set())


def test_every_metric_that_is_named_is_one_that_the_program_exports(exported: set[str]) -> None:
    named = find_names([rule["expr"] for rule in RULES]), find_names(list_queries())
    assert all(len(names) > 8 for names in named)
    assert set().union(*named) <= exported
    told = {name for name in exported if name.startswith("referee_") and name not in set().union(*named)}
    bases = {re.sub("(_bucket|_sum|_count|_max)$", "", name) for name in told}
    assert bases <= {"referee_http_request_seconds"}, "what is exported and nobody looks at"


def test_every_alert_says_how_urgent_it_is_and_has_its_paragraph() -> None:
    headings = {line.removeprefix("### ").lower() for line in TEXT.splitlines() if line.startswith("### ")}
    for rule in RULES:
        assert rule["labels"]["severity"] in ("page", "ticket")
        file, _, anchor = rule["annotations"]["runbook"].partition("#")
        assert file == "OPERATIONS.md"
        assert anchor == rule["alert"].lower()
        assert anchor in headings, rule["alert"]


def test_the_dashboard_asks_the_provisioned_source_and_no_panel_covers_another() -> None:
    source = yaml.safe_load((FILES / "grafana-datasource.yml").read_text("utf-8"))["datasources"][0]
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        assert panel["type"] == "row" or (panel["description"] and panel["datasource"]["uid"] == source["uid"])
        place = panel["gridPos"]
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells
    identifiers = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(identifiers) == len(set(identifiers))


def test_alerts_fire_on_what_they_are_for_and_on_nothing_else(tmp_path: Path) -> None:
    if shutil.which("promtool") is None:
        pytest.skip("promtool is not installed (Debian: prometheus)")
    shutil.copytree(FILES, tmp_path / "operations")
    for command in (
        ["promtool", "check", "config", str(tmp_path / "operations" / "prometheus.yml")],
        ["promtool", "test", "rules", str(Path(__file__).with_name("alerts_test.yml"))],
    ):
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    tested = Path(__file__).with_name("alerts_test.yml").read_text("utf-8")
    assert all(rule["alert"] in tested for rule in RULES)
