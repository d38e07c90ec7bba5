"""What the metrics say of store, history, archive, disk and queue: also, and above all, while the store is away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from prometheus_client.parser import text_string_to_metric_families
from rq import Queue

import referee
from referee.eventstore.contract import StoreFull, StoreUnavailable
from referee.infrastructure.clients import build_client
from referee.infrastructure.composition import build_queue_survey
from referee.infrastructure.settings import Settings
from tests.api import house


def scraped(app: Flask) -> dict[str, float]:
    """Every sample by its name, with a queue's name behind it; requests are left out."""
    answer = app.test_client().get("/metrics")
    assert answer.status_code == 200, answer.text
    found = {}
    for family in text_string_to_metric_families(answer.text):
        for each in family.samples:
            if not each.name.startswith("referee_http"):
                found[" ".join([each.name, *each.labels.values()])] = each.value
    return found


def failing(error: Exception) -> Any:
    def fail(*_: object) -> None:
        raise error

    return fail


def test_a_server_that_is_well_says_so(tmp_path: Path) -> None:
    told = {"bots": {"oldest_seconds": 7.5, "failed": 2.0}}
    found = scraped(house.app(DATA_DIR=tmp_path, QUEUE_DETAILS=lambda: told))
    assert found[f"referee_build_info {referee.__version__}"] == 1
    assert found["referee_store_up"] == found["referee_store_writable"] == found["referee_store_safe"] == 1
    assert found["referee_data_free_bytes"] > 0
    assert found["referee_queue_oldest_job_seconds bots"] == 7.5
    assert found["referee_queue_failed_jobs bots"] == 2
    assert "referee_feed_lag_entries" in found
    assert "referee_data_free_bytes" not in scraped(house.app(DATA_DIR=tmp_path / "gone"))


def test_a_store_that_is_away_or_full_is_told_and_the_rest_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    app = house.app(IS_STORE_UNSAFE=lambda: True)
    log = app.config["SERVICE"].log
    monkeypatch.setattr(log, "check_room", failing(StoreFull("no room")))
    found = scraped(app)
    assert (found["referee_store_up"], found["referee_store_writable"], found["referee_store_safe"]) == (1, 0, 0)
    monkeypatch.setattr(log, "ping", failing(StoreUnavailable("no answer")))
    found = scraped(app)
    assert (found["referee_store_up"], found["referee_store_writable"]) == (0, 0)
    assert "referee_feed_lag_entries" not in found


def test_a_history_that_went_back_is_told() -> None:
    class Watch:
        def is_history_lost(self) -> bool:
            return True

    app = house.app()
    app.config["SERVICE"].appender.watch = Watch()
    assert scraped(app)["referee_history_intact"] == 0


def test_the_survey_says_how_long_the_next_job_has_waited_and_what_failed(tmp_path: Path) -> None:
    settings = Settings(tmp_path, tmp_path, tmp_path, tmp_path, queue_url="fake://survey")
    assert build_queue_survey(Settings(tmp_path, tmp_path, tmp_path, tmp_path))() == {}
    survey = build_queue_survey(settings)
    connection = build_client("fake://survey")
    queue = Queue("bots", connection=connection)
    first = queue.enqueue("time.time")
    queue.enqueue("time.time")
    first.enqueued_at = datetime.now(UTC) - timedelta(seconds=90)
    first.save()
    found = survey()["bots"]
    assert 89 < found["oldest_seconds"] < 120
    assert found["failed"] == 0
    queue.failed_job_registry.add(first, ttl=60)
    assert survey()["bots"]["failed"] == 1
    queue.empty()
    assert survey()["bots"]["oldest_seconds"] == 0
