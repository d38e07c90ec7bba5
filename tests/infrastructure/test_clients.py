"""Clients: bytes stay bytes, a store that is away is said to be so soon, passwords stay out of messages."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.eventstore.contract import StoreUnavailable
from referee.infrastructure.clients import (
    UNAVAILABLE_ERRORS,
    FakeServers,
    OtherStoreError,
    build_client,
    build_queue_client,
    build_store_client,
    fetch_server_info,
    open_match_log,
    refuse_replica,
)
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.errors import HostError, StoreNotFoundError
from referee.infrastructure.settings import Settings
from tests.eventstore.replicas import Listening, Pair
from tests.eventstore.servers import NO_SERVER, binaries


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path, tmp_path, tmp_path, tmp_path).with_data_dir(tmp_path)


@pytest.fixture
def unused_port() -> Iterator[int]:
    """A port of this machine on which nobody listens, and nobody will."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


def test_without_a_url_there_is_no_client(settings):
    with pytest.raises(StoreNotFoundError, match="REFEREE_STORE_URL"):
        build_store_client(settings)
    with pytest.raises(StoreNotFoundError, match="REFEREE_QUEUE_URL"):
        build_queue_client(settings)


def test_a_client_of_a_unix_socket_answers_in_bytes(settings, tmp_path):
    with EmbeddedServers(tmp_path / "data with blanks") as keeper:
        found = build_store_client(replace(settings, store_url=keeper.store_url))
        found.set("key", b"\xff\x00")
        assert found.get("key") == b"\xff\x00"
        assert fetch_server_info(keeper.store_url or "")["aof_enabled"] == 1


def test_the_log_of_matches_speaks_to_the_store(settings, tmp_path):
    with EmbeddedServers(tmp_path / "data") as keeper:
        named = replace(settings, store_url=keeper.store_url)
        log = open_match_log(named)
        log.raise_epochs()
        assert log.read_partition_info(7).epoch == 1
        assert log.read_partition_info(7).store == open_match_log(named).read_partition_info(7).store
        assert len(log.read_partition_info(7).store) == 16
        keeper.servers["store"].kill()
        with pytest.raises(StoreUnavailable):
            log.read_partition_info(7)


def test_a_store_that_is_away_is_said_to_be_so_within_seconds(unused_port):
    asked = time.monotonic()
    with pytest.raises(UNAVAILABLE_ERRORS):
        build_client(f"redis://127.0.0.1:{unused_port}").ping()
    assert time.monotonic() - asked < 12


def test_the_password_of_a_store_that_is_away_is_not_told(unused_port):
    with pytest.raises(StoreNotFoundError) as caught:
        fetch_server_info(f"redis://user:s3cret@127.0.0.1:{unused_port}/0")
    assert "s3cret" not in str(caught.value)
    assert str(unused_port) in str(caught.value)


def test_fakes_of_one_url_are_one_server_and_of_another_are_another():
    build_client("fake://one-of-these").set("key", "1")
    assert build_client("fake://one-of-these").get("key") == b"1"
    assert build_client("fake://another").get("key") is None


def test_fake_servers_serve_other_processes_scripts_included(settings):
    servers = FakeServers()
    try:
        log = open_match_log(replace(settings, store_url=servers.store_url))
        log.raise_epochs()
        assert log.read("07-" + "a" * 26).epoch == 1
        assert build_client(servers.queue_url).ping()
        assert servers.store_url != servers.queue_url
        assert servers.find_dead_servers() == []
    finally:
        servers.stop()
    with pytest.raises(UNAVAILABLE_ERRORS):
        build_client(servers.store_url, retries=0).ping()


def test_a_cluster_that_is_not_declared_and_a_declared_one_that_is_none_are_refused(settings):
    if not binaries():
        pytest.skip(NO_SERVER)
    binary = next(iter(binaries().values()))
    for options, is_cluster in (((), False), (("--cluster-enabled", "yes"), True)):
        server = Listening(binary, *options).start()
        try:
            with pytest.raises(OtherStoreError, match="REFEREE_STORE_CLUSTER") as refused:
                refuse_replica(replace(settings, store_url=server.url, store_cluster=not is_cluster))
            assert refused.value.exit_code == 78
        finally:
            server.remove()


def test_a_replica_is_refused_as_the_store_and_missing_replicas_are_told(settings):
    if not binaries():
        pytest.skip(NO_SERVER)
    with Pair() as pair:
        named = replace(settings, store_url=pair.main.url)
        assert refuse_replica(replace(named, store_replicas=1)) == []
        (lacking,) = refuse_replica(replace(named, store_replicas=2))
        assert lacking.startswith(f"127.0.0.1:{pair.main.port} has 1 replicas"), "it starts, as they may come back"
        replica = replace(settings, store_url=pair.replica.url)
        with pytest.raises(HostError, match="is a replica"):
            refuse_replica(replica)
    refuse_replica(replace(settings, store_url="fake://no-replicas"))
    with pytest.raises(StoreNotFoundError):
        refuse_replica(replica)
