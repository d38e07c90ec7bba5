"""The table in the terminal signs the moves of its seat."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.cli.table import opening
from referee.cli.table.following import Follower, build_address, build_write
from referee.docs.clients.referee_client import DeviceKey, Referee, SeedChain
from referee.transparency.device_signatures import is_signed_by, render_signed_text
from tests.cli.table.test_chain import Sitting, served


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


@pytest.fixture
def sitting() -> Iterator[Sitting]:
    with served() as (base, _):
        yield Sitting(base)


def follow(sitting: Sitting, key: DeviceKey) -> Follower:
    """A follower whose device has this key, at the newest situation."""
    saved = sitting.saved
    line, chain = opening.Line(saved.base, saved.token, saved.match, saved.seat or 0), SeedChain()
    follower = Follower(line, saved.seat, lambda name, data: sitting.news.append((name, data)), chain, key)
    follower.load_about()
    return follower


def look(sitting: Sitting, follower: Follower) -> Any:
    situation = follower.line.get_situation()
    while sitting.saved.seat not in situation["view"]["awaits"]:
        situation = follower.line.get_situation()
    follower.looked_at = (situation["version"], situation["root"])
    return situation


def move(sitting: Sitting, follower: Follower, situation: Any) -> tuple[dict[str, Any], Any]:
    """Makes a move; returns what was sent, and the entry."""
    path = build_address(sitting.saved.match, "moves", sitting.saved.seat)
    body = {"move": situation["moves"]["legal"][0]["move"], "seen": situation["version"]}
    write = build_write(path, follower.add_proofs(path, body))
    follower.deliver(write)
    assert ("done", None) in sitting.news
    entries = follower.line.request("GET", build_address(sitting.saved.match, f"entries?after={situation['version']}"))
    return write, entries["items"][0]


def wait_until(is_so: Callable[[], bool]) -> None:
    for _ in range(1200):
        if is_so():
            return
        time.sleep(0.05)
    pytest.fail("it took more than a minute")


def list_signatures(entry: Any) -> list[Any]:
    return [event for event in entry["events"] if event["type"] == "table.MoveSigned"]


def test_the_seat_names_its_key_and_signs_its_moves(sitting: Sitting) -> None:
    sitting.table.start()
    key = DeviceKey()
    follower = follow(sitting, key)
    assert follower.is_key_named
    situation = look(sitting, follower)
    _, entry = move(sitting, follower, situation)
    (signed,) = list_signatures(entry)
    assert signed["link"]
    assert signed["nonce"] == ""  # everybody looked, and not the seat
    seen, link, digest = (signed[name] for name in ("seen", "link", "digest"))
    text = render_signed_text(sitting.saved.match, 0, seen, situation["root"], link, digest)
    assert is_signed_by(key.public, text, signed["signature"])


def test_when_another_device_has_named_its_key_the_move_is_made_without_a_signature(sitting: Sitting) -> None:
    sitting.table.start()
    first, later = follow(sitting, DeviceKey()), follow(sitting, DeviceKey())
    assert later.is_key_named
    sent, entry = move(sitting, first, look(sitting, first))
    assert "signed" in sent["body"]
    assert list_signatures(entry) == []
    wait_until(lambda: not first.is_key_named)  # it hears so in the background
    _, entry = move(sitting, later, look(sitting, later))
    assert len(list_signatures(entry)) == 1


def test_a_move_decided_on_another_version_than_the_newest_is_not_signed(sitting: Sitting) -> None:
    sitting.table.start()
    follower = follow(sitting, DeviceKey())
    situation = look(sitting, follower)
    follower.looked_at = (situation["version"] + 1, situation["root"])
    path = build_address(sitting.saved.match, "moves", 0)
    assert "signed" not in follower.add_proofs(path, {"move": {}, "seen": situation["version"]})


def test_the_example_client_signs_as_well(sitting: Sitting) -> None:
    sitting.table.start()
    saved, key = sitting.saved, DeviceKey()
    ada = Referee(saved.base, saved.token, saved.match, saved.seat or 0)
    assert ada.name_key(key) is key
    situation = ada.get_situation()
    chosen = situation["moves"]["legal"][0]["move"]
    made = ada.make_move(chosen, situation["version"], key=key, root=situation["root"])
    (signed,) = list_signatures(made["entry"])
    assert signed["nonce"] != ""  # the seat itself sees it
    other = ada.get_situation()
    while 0 not in other["view"]["awaits"]:
        other = ada.get_situation()
    made = ada.make_move(other["moves"]["legal"][0]["move"], other["version"], key=DeviceKey(), root=other["root"])
    assert list_signatures(made["entry"]) == []  # made again without the signature of a key that is not named
