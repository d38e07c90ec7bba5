"""A desk put together: its ids, receipts, wake-up calls, and what a start owes to the matches."""

from __future__ import annotations

import importlib
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rq import Queue

from referee.eventstore.contract import partition_of
from referee.infrastructure.clients import client, match_log
from referee.infrastructure.composition import (
    DRAIN_JOB,
    DRAINING,
    STIRRED,
    after_start,
    desk,
    identifier,
    signature,
    waker,
)
from referee.infrastructure.embedded.servers import Keeper
from referee.infrastructure.errors import NoStore
from referee.infrastructure.keyring import load_signer
from referee.infrastructure.settings import Settings
from referee.transparency.receipts import verify_note

SECRET = bytes(range(100, 132))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path, tmp_path, tmp_path, tmp_path).within(tmp_path / "data")


def test_a_match_id_follows_from_the_opening_key_and_tells_nothing_of_it():
    identify = identifier(SECRET)
    ids = [identify(f"key-{number}") for number in range(500)]
    assert ids == [identifier(SECRET)(f"key-{number}") for number in range(500)]
    assert all(re.fullmatch("[0-9]{2}-[a-z]{26}", found) for found in ids)
    assert len(set(ids)) == 500
    assert {partition_of(found) for found in ids} == set(range(64)), "the partitions are all used"
    assert identifier(SECRET[::-1])("key-1") != ids[1]


def test_a_receipt_names_store_and_match(tmp_path):
    signer = load_signer(tmp_path / "signing.pem")
    note = signature(signer, "store")("07-abc", 3, bytes(32))
    assert verify_note(note, [signer.public], "store/07-abc").size == 3


def test_waking_enqueues_one_drain_by_name_for_all_partitions_that_stir(settings, tmp_path):
    with Keeper(tmp_path / "servers") as keeper:
        connection = client(keeper.queue_url or "")
        wake = waker(replace(settings, queue_url=keeper.queue_url))
        wake(7)
        wake(9)
        (job,) = Queue("drain", connection=connection).jobs
        assert (job.func_name, job.args) == (DRAIN_JOB, ())
        assert {int(partition) for partition in connection.smembers(STIRRED)} == {7, 9}
        connection.delete(DRAINING)  # as the job does first
        wake(7)
        assert Queue("drain", connection=connection).count == 2


def test_the_job_that_is_named_is_there():
    module, _, function = DRAIN_JOB.rpartition(".")
    assert callable(getattr(importlib.import_module(module), function))


def test_a_queue_that_is_away_costs_a_warning_and_no_commit(settings, tmp_path, caplog):
    waker(replace(settings, queue_url=f"unix://{tmp_path}/nobody.sock"))(7)
    assert "partition 7 waits for the sweeper" in caplog.text


def test_a_desk_stands_over_the_named_store_and_two_of_them_draw_and_sign_alike(settings, tmp_path):
    with Keeper(tmp_path / "servers") as keeper:
        named = replace(settings, store_url=keeper.store_url, queue_url=keeper.queue_url)
        one, two = desk(named), desk(named)
        match = one.identify("k" * 22)
        assert two.identify("k" * 22) == match
        assert two.draws.commitment(match) == one.draws.commitment(match)
        assert two.sign(match, 1, bytes(32)) == one.sign(match, 1, bytes(32))
        assert one.sign(match, 1, bytes(32)).startswith(f"{one.log.about(7).store}/{match}\n")


def test_without_a_store_there_is_no_desk(settings):
    with pytest.raises(NoStore):
        desk(settings)


def test_a_start_fences_off_writers_of_an_earlier_run(settings, tmp_path):
    with Keeper(tmp_path / "servers") as keeper:
        named = replace(settings, store_url=keeper.store_url)
        after_start(named)
        after_start(named)
        assert {match_log(named).about(partition).epoch for partition in range(64)} == {2}
    with pytest.raises(NoStore):
        after_start(named)
