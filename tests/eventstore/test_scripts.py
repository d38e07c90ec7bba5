"""The Lua: no global, no key that is not in KEYS, one hash tag per script, only commands that every server knows."""

from __future__ import annotations

import re
from typing import Any

import fakeredis
import pytest
from redis.crc import key_slot

from referee.eventstore.contract import partition_for_match
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis import scripts
from referee.eventstore.redis.log import RedisLog, compute_script_sha
from referee.eventstore.redis.replies import partition_tag
from tests.eventstore.conftest import REAL, real
from tests.eventstore.servers import AWAY
from tests.eventstore.tour import CALLS

KEYWORDS = {
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not",
    "or", "repeat", "return", "then", "true", "until", "while",
}  # fmt: skip
GIVEN = {"KEYS", "ARGV", "redis", "string", "math", "tonumber", "ipairs", "pairs"}
# of Redis 6.2, and of Valkey since its first version
COMMANDS = {
    "DEL", "EXISTS", "GET", "HDEL", "HGET", "HGETALL", "HINCRBY", "HLEN", "HMGET", "HSET", "HSETNX", "PEXPIRE", "PTTL",
    "SADD", "SCARD", "SET", "SISMEMBER", "TIME", "TYPE", "XADD", "XLEN", "XRANGE", "ZADD", "ZRANGE", "ZRANGEBYSCORE",
    "ZREM", "ZREMRANGEBYSCORE", "ZSCORE",
}  # fmt: skip
ACROSS = {"changes", "first_scores", "positions"}  # they only read; each server of a cluster is asked for its own keys
OF_CLUSTERS = {"changes"}  # a single server waits for changes instead
CALL = re.compile(r"redis\.call\('(\w+)'(?:,\s*([^,)]+(?:\[[^\]]*\])?))?")


def bare(script: str) -> str:
    """The script without its comments and the insides of its strings."""
    return re.sub(r"--[^\n]*|'[^'\n]*'", lambda found: "''" if found[0].startswith("'") else "", script)


def strangers(script: str) -> set[str]:
    """The names that a script uses and neither declares as local nor is given."""
    text = bare(script)
    declared: set[str] = set()
    for names in re.findall(r"\b(?:local|for)\s+([a-zA-Z_]\w*(?:\s*,\s*[a-zA-Z_]\w*)*)", text):
        declared |= {name.strip() for name in names.split(",")}
    for name, names in re.findall(r"\blocal\s+function\s+(\w+)\(([^)]*)\)", text):
        declared |= {name, *(part.strip() for part in names.split(","))}
    fields = set(re.findall(r"[{,]\s*(\w+)\s*=", text))  # of tables
    used = set(re.findall(r"(?<![.\w])([a-zA-Z_]\w*)", text))
    return used - declared - fields - KEYWORDS - GIVEN


@pytest.mark.parametrize("name", scripts.ALL)
def test_a_script_has_no_global(name: str) -> None:
    assert strangers(scripts.ALL[name]) == set()


def test_the_search_for_globals_finds_them() -> None:
    assert strangers("at = 1\nreturn at") == {"at"}
    assert strangers("local a, b = 1, 2 return c + os.time() .. 'd' -- e") == {"c", "os"}
    assert strangers("for i, k in ipairs(KEYS) do local x = {y = i} end") == set()
    assert strangers("local function f(a, b) return a + b + c end return f(1)") == {"c"}
    assert strangers("function f(a) return a end") == {"f", "a"}


@pytest.mark.parametrize("name", scripts.ALL)
def test_a_script_reaches_keys_only_through_keys(name: str) -> None:
    script = scripts.ALL[name]
    calls = CALL.findall(script)
    assert len(calls) == script.count("redis.call") > 0
    assert script.count("redis.") == len(calls)  # no pcall, no setresp, no key made in another way
    keys = set(re.findall(r"local op, (key), field, value = ARGV\[[^\]]*\], KEYS\[", script))
    keys |= set(re.findall(r"local (cursor), count = KEYS\[", script))
    for command, first in calls:
        assert command in COMMANDS
        if command != "TIME":
            assert first.strip() in keys or re.match(r"KEYS\[(\d+|key)\]$", first.strip()), (command, first)


class Overheard:
    """A client that notes which keys each script is run with."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.runs: list[tuple[str, list[str]]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def register_script(self, text: str) -> Any:
        script = self._client.register_script(text)
        (name,) = [name for name, known in scripts.ALL.items() if known == text]

        def run(keys: list[str], args: list[Any]) -> Any:
            self.runs.append((name, keys))
            return script(keys=keys, args=args)

        return run


def test_all_keys_of_a_run_share_one_hash_tag_and_all_keys_are_used() -> None:
    client = Overheard(fakeredis.FakeRedis(server=fakeredis.FakeServer()))
    log = RedisLog(client, AWAY)
    for call in CALLS.values():
        call(log)
    assert {name for name, _ in client.runs} == set(scripts.ALL) - OF_CLUSTERS
    for name, keys in client.runs:
        if name in ACROSS:
            assert not re.search(r"'(?!ZRANGE|HGET|WITHSCORES|position)\w+'", scripts.ALL[name])
            continue
        assert len({re.match(r"\{p\d\d\}:", key)[0] for key in keys}) == 1, (name, keys)  # type: ignore[index]
        assert len({key_slot(key.encode()) for key in keys}) == 1
        numbers = {int(number) for number in re.findall(r"KEYS\[(\d+)\]", scripts.ALL[name])}
        assert numbers == {"apply_projections": set(), "amend_projection": {1}}.get(
            name, set(range(1, len(keys) + 1))
        ), name


@pytest.mark.parametrize("call", CALLS)
def test_a_call_leaves_no_key_without_a_hash_tag(call: str) -> None:
    client = fakeredis.FakeRedis(server=fakeredis.FakeServer())
    CALLS[call](RedisLog(client, AWAY))
    assert all(re.match(rb"\{p\d\d\}:", key) for key in client.scan_iter())


def test_a_match_lives_in_the_partition_that_its_id_names() -> None:
    assert [partition_tag(partition_for_match(match)) for match in ("00-a", "07-a", "63-a")] == [
        "{p00}",
        "{p07}",
        "{p63}",
    ]
    assert RedisLog._match_keys("07-a")[0] == "{p07}:m:07-a:log"


def test_keys_are_named_as_the_design_names_them() -> None:
    client = fakeredis.FakeRedis(server=fakeredis.FakeServer())
    log = RedisLog(client, AWAY)
    for call in ("append", "save_snapshot", "put_grant", "put_seat_names", "apply_projection", "put_pass"):
        CALLS[call](log)
    match = "{p07}:m:07-abcdefghijklmnopqrstuvwxyz"
    names = {f"{match}:{what}" for what in ("log", "head", "keys", "snap", "grants", "names", "passes", "pass:0:k")}
    names |= {f"{{p07}}:{what}" for what in ("feed", "due", "wake", "about", "notes")}
    names |= {f"{{p07}}:v:lobby:1:{what}" for what in ("cursor", "rows", "since")}
    assert {key.decode() for key in client.scan_iter()} == names


@pytest.mark.parametrize("family", REAL)
def test_a_server_knows_a_script_by_its_fingerprint(family: str) -> None:
    with real(family).client() as client:
        for script in scripts.ALL.values():
            assert client.script_load(script) == compute_script_sha(script)


def test_both_logs_have_the_same_calls() -> None:
    def calls(kind: type) -> set[str]:
        return {name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))}

    assert calls(MemoryLog) - {"advance_clock"} == calls(RedisLog) == set(CALLS)
