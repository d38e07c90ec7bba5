"""Phones have a share in the server's draws by themselves, also after one is replaced, and play on where one cannot."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.audit.standalone import BundleChecks, read_bundle
from referee.cli.main import cli
from referee.docs.clients.referee_client import Referee, build_move
from tests.page.browsing import Device
from tests.page.test_newcomer import serve

pytestmark = pytest.mark.deep
PLAYED_WITHIN, STUCK_AFTER = 600, 4  # seconds
VECTOR = Path(__file__).parents[1] / "clients/chain_vector.json"
NO_STORAGE = (
    "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('denied', 'SecurityError'); }})"
)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the real program: apps in tests sign nothing."""
    with serve(tmp_path_factory.mktemp("data")) as told:
        yield str(told["url"]).rstrip("/")


class Phone(Device):
    """A phone whose moves are listened to."""

    def __init__(self, browser: Any, base: str, **how: Any) -> None:
        super().__init__(browser, base, **how)
        self.token, self.links = "", []  # type: ignore[var-annotated]
        self.page.on("request", self._listen)

    def _listen(self, request: Any) -> None:
        if "/stream?viewer=seat:" in request.url:
            self.token = request.headers["authorization"].removeprefix("Bearer ")
        if request.method == "POST" and re.search("/seats/[0-9]+/moves$", request.url):
            self.links.append(request.post_data_json.get("link"))


class Sitting:
    """Two phones at a table of Monster Combat, opened and joined by taps."""

    def __init__(self, ada: Phone, ben: Phone) -> None:
        self.phones = [ada, ben]
        ada.open("/")
        ada.tap("Tisch eröffnen")
        ada.tap("Monster Combat")
        ada.page.get_by_label("Dein Name").fill("Ada")
        ada.tap("Los")
        ada.sees("Scannen und hinsetzen")
        ben.open(f"/join#{ada.page.locator('p.code').inner_text()}")
        ben.page.get_by_label("Wie heißt du?").fill("Ben")
        ben.tap("Hinsetzen")
        ben.page.wait_for_url("**/play#**")
        ada.sees("Ben")
        self.match = ada.page.url.partition("#")[2].partition("/")[0]
        ada.tap("Spiel starten")
        for phone in self.phones:
            phone.page.locator("h1.turn").wait_for()

    def act_as(self, seat: int) -> Referee:
        phone = self.phones[seat]
        return Referee(phone.base, phone.token, self.match, seat, "de")

    def read(self) -> Any:
        return self.act_as(0).request("GET", f"/v1/matches/{self.match}")

    def play(self, draws: int = 10_000) -> None:
        """Taps the first move of the seat that is asked, until the match is over or so many draws more were made."""
        started, moved = time.monotonic(), time.monotonic()
        enough = self.count_draws() + draws
        while (about := self.read())["status"] == "running" and self.count_draws() < enough:
            assert time.monotonic() < started + PLAYED_WITHIN, about["version"]
            for phone in self.phones:
                button = phone.page.locator("main button.covered, main button.move").first
                if button.count():
                    button.click()
                    moved = time.monotonic()
                phone.page.wait_for_timeout(100)
            if time.monotonic() > moved + STUCK_AFTER:  # on a list to choose from, which this does not tap through
                self.move_by_hand(about["awaits"][0])
                moved = time.monotonic()

    def move_by_hand(self, seat: int) -> None:
        """Makes a move without any link, as other clients do."""
        listing = self.act_as(seat).list_moves(seat)
        offers = [each["move"] for each in listing["legal"]]
        offers += [build_move(each, random.Random(1)) for each in listing["pickers"]]
        self.act_as(seat).make_move(offers[0], seen=listing["version"])

    def list_entries(self) -> Any:
        return self.act_as(0).request("GET", f"/v1/matches/{self.match}/entries?limit=200")["items"]

    def count_draws(self) -> int:
        return sum(entry["actor"]["kind"] == "chance" for entry in self.list_entries())

    def finish(self) -> None:
        """Ends the match by agreement if it is not over, so that its secrets are told."""
        if self.read()["status"] != "running":
            return
        path = f"/v1/matches/{self.match}"
        self.act_as(0).write_at_present(f"{path}/end", {"reason": "abandoned"})
        ending = self.read()["ending"]
        for seat in (0, 1):
            if ending is not None and seat not in ending["granted"]:
                self.act_as(seat).request("POST", f"{path}/endings/{ending['ending']}/consents", {"grant": True})

    def verify(self, path: Path) -> tuple[int, list[Any]]:
        """Saves the bundle of the match; returns the exit code of the report on it, and its notes."""
        with self.act_as(0).send("GET", f"/v1/matches/{self.match}/bundle?viewer=full", {}) as answer:
            path.write_bytes(answer.read())
        done = CliRunner().invoke(cli, ["verify", str(path), "--json"])
        return done.exit_code, json.loads(done.output)["files"][0]["notices"]


def list_shares(path: Path) -> list[list[int]]:
    """Which seats had a share in the draws, run by run, as the file that stands alone finds it."""
    checks = BundleChecks(read_bundle(str(path)), [], []).run()
    assert checks.findings == []
    return [seats for _, _, seats in checks.shares]


def test_a_chain_is_the_same_in_all_languages(browser: Any, real: str) -> None:
    wanted = json.loads(VECTOR.read_text("utf-8"))
    phone = Phone(browser, real)
    phone.open("/")
    script = phone.page.locator("script[type=module]").first.get_attribute("src")
    made = phone.page.evaluate(
        """async ([base, end]) => {
          const { Chain } = await import(base + "/chain/chain.js"), chain = new Chain(end), [, ...links] = chain.links;
          const shown = { commitment: chain.commitment, links: links.slice(0, 3), last: links.at(-1) };
          return { end, length: links.length, ...shown };
        }""",
        [script.removesuffix("/main.js"), wanted["end"]],
    )
    assert made == wanted
    assert phone.complaints == []
    phone.close()


def test_who_has_left_is_not_said_to_have_a_share(browser: Any, real: str) -> None:
    phone = Phone(browser, real)
    phone.open("/")
    script = phone.page.locator("script[type=module]").first.get_attribute("src")
    told = phone.page.evaluate(
        """async (base) => {
          const { describeShares } = await import(base + "/chain/shares.js");
          const seeds = [0, 1].map((seat) => ({ seat, seed: "00" })), names = { 0: "Ada", 1: "Ben" };
          return [[true, true], [false, true], [false, false]].map((taken) => describeShares(
            { chance: { dice: "server" }, seeds, seats: taken.map((each, seat) => ({ seat, taken: each })) }, names));
        }""",
        script.removesuffix("/main.js"),
    )
    assert [("Ada" in each, "Ben" in each) for each in told] == [(True, True), (False, True), (False, False)]
    phone.close()


def test_two_phones_have_a_share_in_all_draws(browser: Any, real: str, tmp_path: Path) -> None:
    sitting = Sitting(Phone(browser, real), Phone(browser, real, scheme="dark"))
    sitting.play(4)
    sitting.finish()
    code, notes = sitting.verify(tmp_path / "match.bundle")
    assert code == 0
    (shared,) = [each["says"]["de"] for each in notes if each["key"] == "fact.seeds"]
    assert "Außer dem Server trug auch Spieler 1, 2 Zufallszahlen bei" in shared
    assert list_shares(tmp_path / "match.bundle") == [[0, 1]]
    revealed = [event for entry in sitting.list_entries() for event in entry["events"] if "Revealed" in event["type"]]
    assert len({each.get("link") or each["seed"] for each in revealed}) == len(revealed) > 3  # each is shown once
    ada, ben = sitting.phones
    kept = json.loads(ada.page.evaluate("match => localStorage.getItem('referee.receipts.' + match)", sitting.match))
    first = [
        entry["version"]
        for entry in sitting.list_entries()
        for event in entry["events"]
        if event["type"] == "table.SeedRevealed" and event["seat"] == 0
    ]
    assert len(first) == 2
    assert set(first) <= {int(note.split("\n")[1]) for note in kept}, "the next was shown upon them"
    ada.open(f"/history#{sitting.match}/0")
    ada.tap("Drucken, teilen, prüfen")
    ada.sees("Niemand kann es frei bestimmen, auch der Server nicht.")
    ada.take_picture("shares", whole=True)
    ben.open("/verify")
    ben.page.locator(".drop input").set_input_files(tmp_path / "match.bundle")
    ben.sees("An allen Ziehungen beteiligt: die Spieler 1, 2.")
    ben.page.get_by_role("heading", name="Auf diesem Gerät bewiesen").wait_for()
    ben.take_picture("shares-proof", whole=True)
    for phone in sitting.phones:
        assert phone.complaints == []
        phone.close()


def replace_phone(browser: Any, real: str, tmp_path: Path) -> bool:
    """Plays a match in which a phone is replaced; returns whether anything was drawn for the new one's first link."""
    sitting = Sitting(Phone(browser, real), Phone(browser, real))
    lost, before = sitting.phones[1], sitting.read()["seeds"]
    saved = {"match": sitting.match, "role": "seat:1", "seat": 1, "game": "monster_combat", "at": 1}
    lost.close()
    found = sitting.phones[1] = Phone(browser, real, scheme="dark")
    found.open("/")
    found.page.evaluate(
        "saved => localStorage.setItem('referee.seats', saved)", json.dumps([saved | {"token": lost.token}])
    )
    found.open(f"/play#{sitting.match}/1")
    found.page.locator("h1.turn").wait_for()
    for _ in range(600):
        if (bound := sitting.read()["seeds"])[1]["commitment"] != before[1]["commitment"]:
            break
        found.page.wait_for_timeout(100)
    assert bound[1]["seed"] == before[1]["seed"]  # it counts until the first of the new chain is shown
    found.page.reload()  # the chain is kept, so this binds nobody anew
    while (now := sitting.read())["status"] == "running" and now["seeds"][1]["seed"] == bound[1]["seed"]:
        sitting.play(1)  # the first link of the new chain goes with a move after the next draw
    is_shown: bool = now["seeds"][1]["seed"] != bound[1]["seed"]
    assert now["seeds"][1]["commitment"] == bound[1]["commitment"]
    sitting.play(1)
    sitting.finish()
    assert sitting.verify(tmp_path / "match.bundle")[0] == 0
    shares = list_shares(tmp_path / "match.bundle")
    assert shares[0] == [0, 1]
    assert 1 in shares[-1]  # the others have theirs again with their second link after the new commitment
    for phone in sitting.phones:
        assert phone.complaints == []
        phone.close()
    return is_shown


def test_a_phone_that_takes_the_place_of_a_lost_one_has_a_share_again(browser: Any, real: str, tmp_path: Path) -> None:
    """A short match may draw nothing after its start, so there are a few."""
    assert any(replace_phone(browser, real, tmp_path) for _ in range(8))


def test_a_phone_that_stores_nothing_plays_without_a_share(browser: Any, real: str, tmp_path: Path) -> None:
    ben = Phone(browser, real)
    ben.context.add_init_script(NO_STORAGE)
    sitting = Sitting(Phone(browser, real), ben)
    sitting.play(3)
    sitting.finish()
    code, notes = sitting.verify(tmp_path / "match.bundle")
    assert code == 0
    (shared,) = [each["says"]["en"] for each in notes if each["key"] == "fact.seeds"]
    assert "besides the server, player 1 added random numbers" in shared
    assert ben.links
    assert set(ben.links) == {None}
    assert list_shares(tmp_path / "match.bundle") == [[0]]
    for phone in sitting.phones:
        assert phone.complaints == []
        phone.close()
