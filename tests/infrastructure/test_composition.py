"""A desk put together: its ids, receipts, wake-up calls, and what a start owes to the matches."""

from __future__ import annotations

import importlib
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rq import Queue

from referee.eventstore.contract import partition_for_match
from referee.infrastructure.clients import build_client, open_match_log
from referee.infrastructure.composition import (
    CHANGED_PARTITIONS_KEY,
    DRAIN_JOB,
    DRAIN_PENDING_KEY,
    build_drain_requester,
    build_match_id_maker,
    build_match_service,
    build_receipt_signer,
    recover_after_start,
)
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.errors import StoreNotFoundError
from referee.infrastructure.keyring import load_signer
from referee.infrastructure.settings import Settings
from referee.transparency.receipts import verify_note

SECRET = bytes(range(100, 132))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path, tmp_path, tmp_path, tmp_path).with_data_dir(tmp_path / "data")


def test_a_match_id_follows_from_the_opening_key_and_tells_nothing_of_it():
    identify = build_match_id_maker(SECRET)
    ids = [identify(f"key-{number}") for number in range(500)]
    assert ids == [build_match_id_maker(SECRET)(f"key-{number}") for number in range(500)]
    assert all(re.fullmatch("[0-9]{2}-[a-z]{26}", found) for found in ids)
    assert len(set(ids)) == 500
    assert {partition_for_match(found) for found in ids} == set(range(64)), "the partitions are all used"
    assert build_match_id_maker(SECRET[::-1])("key-1") != ids[1]


def test_a_receipt_names_store_and_match(tmp_path):
    signer = load_signer(tmp_path / "signing.pem")
    note = build_receipt_signer(signer, "store")("07-abc", 3, bytes(32))
    assert verify_note(note, [signer.public], "store/07-abc").size == 3


def test_waking_enqueues_one_drain_by_name_for_all_partitions_that_stir(settings, tmp_path):
    with EmbeddedServers(tmp_path / "servers") as keeper:
        connection = build_client(keeper.queue_url or "")
        wake = build_drain_requester(replace(settings, queue_url=keeper.queue_url))
        wake(7)
        wake(9)
        (job,) = Queue("drain", connection=connection).jobs
        assert (job.func_name, job.args) == (DRAIN_JOB, ())
        assert {int(partition) for partition in connection.smembers(CHANGED_PARTITIONS_KEY)} == {7, 9}
        connection.delete(DRAIN_PENDING_KEY)  # as the job does first
        wake(7)
        assert Queue("drain", connection=connection).count == 2


def test_the_job_that_is_named_is_there():
    module, _, function = DRAIN_JOB.rpartition(".")
    assert callable(getattr(importlib.import_module(module), function))


def test_a_queue_that_is_away_costs_a_warning_and_no_commit(settings, tmp_path, caplog):
    build_drain_requester(replace(settings, queue_url=f"unix://{tmp_path}/nobody.sock"))(7)
    assert "partition 7 waits for the sweeper" in caplog.text


def test_a_desk_stands_over_the_named_store_and_two_of_them_draw_and_sign_alike(settings, tmp_path):
    with EmbeddedServers(tmp_path / "servers") as keeper:
        named = replace(settings, store_url=keeper.store_url, queue_url=keeper.queue_url)
        one, two = build_match_service(named), build_match_service(named)
        match = one.identify("k" * 22)
        assert two.identify("k" * 22) == match
        assert two.appender.draws.commitment(match) == one.appender.draws.commitment(match)
        assert two.sign(match, 1, bytes(32)) == one.sign(match, 1, bytes(32))
        assert one.sign(match, 1, bytes(32)).startswith(f"{one.log.read_partition_info(7).store}/{match}\n")


def test_without_a_store_there_is_no_desk(settings):
    with pytest.raises(StoreNotFoundError):
        build_match_service(settings)


def test_a_start_fences_off_writers_of_an_earlier_run(settings, tmp_path):
    with EmbeddedServers(tmp_path / "servers") as keeper:
        named = replace(settings, store_url=keeper.store_url)
        recover_after_start(named)
        recover_after_start(named)
        assert {open_match_log(named).read_partition_info(partition).epoch for partition in range(64)} == {2}
    with pytest.raises(StoreNotFoundError):
        recover_after_start(named)
