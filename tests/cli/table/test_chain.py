"""The seat in the terminal has a share in the server's draws, and plays on where it has none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.cli.table import opening
from referee.cli.table.following import Follower, Line, build_address, build_write
from referee.cli.table.seats import SavedSeat, list_seats
from referee.docs.clients.referee_client import SeedChain
from tests.clients.house import served


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


class Sitting:
    """A table with a bot, and the seat that was taken at it."""

    def __init__(self, base: str) -> None:
        self.table = opening.open_table(base, "mau_mau", 1, "en")
        self.saved = opening.take_seat(opening.Target(base, self.table.code), "Ada", "en")
        self.news: list[tuple[str, Any]] = []

    def follow(self, saved: SavedSeat | None = None, chain: SeedChain | None = None) -> Follower:
        saved = saved or self.saved
        line = Line(saved.base, saved.token, saved.match, saved.seat or 0)
        chain = chain or SeedChain(bytes.fromhex(saved.chain))
        follower = Follower(line, saved.seat, lambda name, data: self.news.append((name, data)), chain)
        follower.load_about()
        return follower

    def move(self, follower: Follower) -> dict[str, Any]:
        """Makes the first legal move of the seat, and returns what was sent."""
        situation = follower.line.get_situation()
        while self.saved.seat not in situation["view"]["awaits"]:
            situation = follower.line.get_situation()
        path = build_address(self.saved.match, "moves", self.saved.seat)
        body = {"move": situation["moves"]["legal"][0]["move"], "seen": situation["version"]}
        write = build_write(path, follower.add_proofs(path, body))
        follower.deliver(write)
        assert ("done", None) in self.news
        self.news.clear()
        return write

    def read_seed(self) -> Any:
        line = Line(self.saved.base, self.saved.token, self.saved.match)
        return line.request("GET", f"/v1/matches/{self.saved.match}")["seeds"][0]


@pytest.fixture
def sitting() -> Iterator[Sitting]:
    with served() as (base, _):
        yield Sitting(base)


def test_the_seat_commits_as_it_is_taken_and_shows_links_with_its_moves(sitting: Sitting) -> None:
    assert list_seats()[0].chain == sitting.saved.chain
    opening.show_seed(sitting.saved)
    sitting.table.start()
    follower = sitting.follow()
    links = SeedChain(bytes.fromhex(sitting.saved.chain)).links
    assert follower.is_bound
    assert sitting.read_seed() == {"seat": 0, "commitment": links[0], "seed": links[2]}
    sitting.move(follower)
    assert sitting.read_seed()["seed"] == links[3]  # cards were dealt since the second
    assert sitting.move(follower)["body"]["link"] == links[4]


def test_the_first_links_are_shown_once_nobody_is_missing(sitting: Sitting) -> None:
    assert sitting.read_seed()["seed"] is None
    follower = sitting.follow()
    assert follower.chain is not None
    assert sitting.read_seed()["seed"] == follower.chain.links[2]


def test_a_seat_kept_without_a_chain_binds_itself_once_and_another_program_plays_on_without(sitting: Sitting) -> None:
    opening.show_seed(sitting.saved)
    sitting.table.start()
    first = sitting.follow()
    later = sitting.follow(replace(sitting.saved, chain=""), SeedChain())
    assert later.is_bound
    assert later.chain is not None
    assert sitting.read_seed()["commitment"] == later.chain.commitment
    assert "link" in sitting.move(first)["body"]  # it was sent again without
    assert not first.is_bound
    assert sitting.read_seed()["commitment"] == later.chain.commitment
    assert "link" not in sitting.move(first)["body"]


def test_what_is_no_move_of_the_seat_has_no_link(sitting: Sitting) -> None:
    follower = sitting.follow()
    assert follower.add_proofs(build_address(sitting.saved.match, "moves", "chance"), {"move": {}}) == {"move": {}}
    assert follower.add_proofs(build_address(sitting.saved.match, "windows/w/no-reaction"), None) is None
