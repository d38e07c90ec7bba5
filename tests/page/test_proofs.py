"""The verifier in the browser says what the file that stands alone says: of honest bundles, and of every tampering."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.audit import standalone
from referee.audit.bundles.format import Bundle, encode_bundle
from referee.audit.checks.findings import FindingKind
from referee.engine.codec import encode_canonical
from referee.engine.game import Setup
from referee.engine.seats import Seat
from referee.games import load_games
from referee.match.events.transfer_events import AnswerTransfer
from referee.match.table.player_entropy import CommitSeed
from referee.queries import views
from referee.service.requests import MoveRequest
from referee.transfer.service import propose_transfer
from tests.audit.contest import Contest, play_evening
from tests.audit.sitting import GAMES, House, Played, begun, over, played
from tests.audit.tampering import CASES
from tests.audit.test_outside import KEY, LATER, WITNESS, forge, open_server, spoil_form
from tests.audit.test_outside import Server as Vouched
from tests.audit.test_tampering import alone, honest, rotated, untouched, work
from tests.infrastructure.publication.authority import build_authority
from tests.match.chains import Chain
from tests.page.browsing import Device
from tests.transfer.movers import Server, plays, read, running

CHECK = """async ([base, bundle, receipts, keys, watching]) => {
  const { checkBundle } = await import(base + "/scenes/verify/checks.js");
  const { parseKeys } = await import(base + "/scenes/verify/bytes.js"), { witnesses } = parseKeys(watching);
  const unpack = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const report = checkBundle(unpack(bundle), { receipts, trusted: keys.map(unpack), witnesses });
  const found = report.findings.map(({ kind, version }) => [kind, version]);
  const shares = report.checks?.shares.map(({ first, last, seats }) => [first, last, seats]) ?? [];
  const said = report.checks?.said.map(({ why, values }) => [why, values]) ?? [];
  const unknown = [...report.checks?.unknown ?? []];
  return { exit: report.exit, found, shares, said, unknown,
    states: Object.fromEntries(report.steps.map(({ step, state }) => [step, state])) };
}"""


class Verifier:
    """The page's verifier, asked about bundles as lines."""

    def __init__(self, device: Device) -> None:
        self.device = device
        device.open("/verify")
        script = device.page.locator("script[type=module]").first.get_attribute("src")
        self.base = script.removesuffix("/main.js")

    def check(self, lines: list[bytes], receipts: list[str], keys: list[bytes], witnesses: str = "") -> Any:
        bundle, packed = base64.b64encode(b"".join(lines)).decode(), [base64.b64encode(key).decode() for key in keys]
        return self.device.page.evaluate(CHECK, [self.base, bundle, receipts, packed, witnesses])


@pytest.fixture
def server(tmp_path: Path) -> Vouched:
    return open_server(tmp_path)


@pytest.fixture(scope="module")
def verifier(browser: Any, base: str) -> Iterator[Verifier]:
    device = Device(browser, base)
    yield Verifier(device)
    assert device.complaints == []
    device.close()


def compare(verifier: Verifier, lines: list[bytes], receipts: list[str], keys: list[bytes], folder: Path) -> None:
    told, shown = alone(lines, receipts, keys, folder), verifier.check(lines, receipts, keys)
    assert shown["exit"] == told["exit"], (shown, told["findings"])
    assert sorted(map(str, shown["found"])) == sorted(str([each["kind"], each["version"]]) for each in told["findings"])
    states = {name: state.partition(":")[0] for name, state in told["checks"].items() if name != "rules"}
    assert shown["states"] == states
    if shown["states"]:
        found = standalone.read_bundle(str(folder / "match.bundle"))
        assert shown["shares"] == [[*share] for share in standalone.BundleChecks(found, keys, receipts).run().shares]


@pytest.mark.deep
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_tampering_is_found_as_by_the_other_verifier(verifier: Verifier, case: Any, tmp_path: Path) -> None:
    forger = work(untouched())
    case.make(forger)
    keys = [honest().house.signer.public] if case.trusted else []
    compare(verifier, forger.lines(), forger.receipts if case.receipts else [], keys, tmp_path)


@pytest.mark.deep
@pytest.mark.parametrize("number", range(2 * len(GAMES)))
def test_honest_bundles_of_all_games_are_sound(verifier: Verifier, number: int, tmp_path: Path) -> None:
    match = played(number, most=40)
    for given in ([], match.receipts):
        lines = list(match.house.bundle(match.match))
        compare(verifier, lines, given, [], tmp_path)
        assert verifier.check(lines, given, [])["exit"] == 0


@pytest.mark.deep
@pytest.mark.parametrize("viewer", ["public", "full", "sealed"])
def test_tournaments_are_taken_as_by_the_other_verifier(verifier: Verifier, viewer: str, tmp_path: Path) -> None:
    going = Contest()
    going.enter(3)
    over = play_evening().bundle(viewer)
    for bundle in (over, *([going.bundle(viewer)] if viewer != "full" else [])):
        sound = list(encode_bundle(bundle.all_lines))
        assert verifier.check(sound, [], [])["exit"] == 0
        for changes in ({}, {"status": "running"}, {"variant": "chess"}, {"game": "chess"}):
            lines = list(encode_bundle(replace(bundle, header=replace(bundle.header, **changes)).all_lines))
            compare(verifier, lines, [], [], tmp_path)
        cut = replace(bundle, entries=bundle.entries[:-1])
        compare(verifier, list(encode_bundle(cut.all_lines)), [], [], tmp_path)
    (secret,) = over.secrets
    for told in ((), (secret, secret), (replace(secret, secret=bytes(32)),), (replace(secret, generation=0),)):
        lines = list(encode_bundle(replace(over, secrets=told).all_lines))
        compare(verifier, lines, [], [], tmp_path)
        assert verifier.check(lines, [], [])["exit"] == FindingKind.OPENING


@pytest.mark.deep
def test_published_roots_and_rotated_keys_are_followed(verifier: Verifier, tmp_path: Path) -> None:
    forger = work(untouched())
    forger.publish()
    compare(verifier, forger.lines(), [], [], tmp_path)
    compare(verifier, rotated().lines(), [], [honest().house.signer.public], tmp_path)


def moved_without_consent(folder: Path) -> list[bytes]:
    """A match that moved twice: as everybody had agreed, and when one had not."""
    here, there = Server("aaa", folder), Server("bbb", folder)
    match = running(here)
    there.moving.import_match(read(here.sent(match)))
    asked = propose_transfer(there.service, match)
    assert asked is not None
    there.service.execute_command(match, AnswerTransfer(asked.number, True, (0,)), key="yes", scope="seat0")
    there.moving.release_match(match, without_consent=True)
    here.moving.import_match(read(there.sent(match)))
    plays(here, match, 2)
    return here.lines(match, "public")


@pytest.mark.deep
@pytest.mark.parametrize(
    ("lang", "says"),
    [
        ("de-DE", "umgezogen, ohne dass alle am Tisch zugestimmt hatten. Es fehlte: Spieler 2."),
        ("en-US", "the match moved without the consent of player 2."),
    ],
)
def test_who_had_not_agreed_to_a_move_is_named(browser: Any, base: str, tmp_path: Path, lang: str, says: str) -> None:
    bundle = tmp_path / "moved.ndjson"
    bundle.write_bytes(b"".join(moved_without_consent(tmp_path)))
    device = Device(browser, base, lang=lang, size=(390, 844))
    device.open("/verify")
    device.page.locator(".drop input").set_input_files(bundle)
    said = device.page.locator(".proof > p.no")
    said.wait_for()
    assert said.count() == 1
    assert says in said.inner_text()
    heading = device.page.locator(".proof h2").inner_text()
    assert heading.startswith(("In sich stimmig", "Consistent in itself"))
    device.take_picture(f"moved-without-consent-{lang[:2]}", whole=True)
    assert device.complaints == []
    device.close()


@cache
def play_chained() -> Played:
    """A match of which the seats show links of chains, and one binds itself to another chain on the way."""
    house, dice, chains = House(), random.Random(7), [Chain(bytes([n]) * 32) for n in range(3)]
    box = load_games()["here_to_slay"]
    setup = box.complete_setup(Setup("standard", 2, {}, dict.fromkeys(box.devices, "server")))
    seeds = {seat: bytes.fromhex(chains[seat].links[1]) for seat in range(2)}
    match = begun(house, "here_to_slay", setup, "chained", {}, seeds)
    for number in range(60):
        if number == 30:
            bind = CommitSeed(1, chains[2].commitment)
            house.service.execute_command(match, bind, key="bind", scope="seat1")
        loaded = house.service.load_match(match)
        seat = next(each for each in views.awaited_response(loaded.match) if isinstance(each, int))
        legal = views.list_legal_moves(house.service, loaded, Seat(seat)).legal
        move = dice.choice([each for each in legal if not each.is_concession])
        awaited = loaded.match.seeds[seat].awaited
        link = next(each for each in chains if awaited in each.links).follow(awaited)
        house.service.make_move(MoveRequest(match, Seat(seat), move, f"move{number}", link=link))
    return over(house, match, "chained")


def change_events(lines: list[bytes], change: Any) -> list[bytes]:
    """The bundle with other public events; `change` returns those of an entry from its number and what they were."""
    made = []
    for line in lines:
        data = json.loads(line)
        if data["kind"] == "entry":
            envelope = json.loads(data["envelope"])
            envelope["events"] = change(data["version"], envelope["events"])
            data["envelope"] = encode_canonical(envelope).decode()
        made.append(encode_canonical(data) + b"\n")
    return made


@pytest.mark.deep
def test_links_and_shares_are_followed_as_by_the_other_verifier(verifier: Verifier, tmp_path: Path) -> None:
    lines = list(play_chained().house.bundle(play_chained().match))
    compare(verifier, lines, [], [], tmp_path)
    report = verifier.check(lines, [], [])
    assert report["exit"] == 0
    assert [report["shares"][at][2] for at in (0, -1)] == [[1], [0, 1]]  # of one link each only the last to commit
    shown = [
        (version, event)
        for version, event in standalone.BundleChecks(
            standalone.read_bundle(str(tmp_path / "match.bundle")), [], []
        ).find_events("table.LinkRevealed")
    ]
    assert len(shown) > 4
    at, link = shown[2]

    def show_another(version: int, events: Any) -> Any:
        return [{**each, "link": "00" * 32} if version == at and "link" in each else each for each in events]

    def show_twice(version: int, events: Any) -> Any:
        return [*events, link] if version == at else events

    def keep_back(version: int, events: Any) -> Any:
        return [each for each in events if version != at or "link" not in each]

    def leave(version: int, events: Any) -> Any:
        return [*events, {"type": "table.SeatLeft", "seat": link["seat"]}] if version == at else events

    for change in (show_another, show_twice, keep_back, leave):
        changed = change_events(lines, change)
        assert changed != lines
        compare(verifier, changed, [], [], tmp_path)
        assert ["chance", at] in verifier.check(changed, [], [])["found"] or change in (keep_back, leave)


@pytest.mark.deep
def test_cosignatures_are_judged_and_a_stamp_is_named(verifier: Verifier, server: Vouched, tmp_path: Path) -> None:
    server.cosign(LATER)
    server.stamp(build_authority(tmp_path / "town"))
    bundle = server.bundle()

    def ask(bundle: Bundle, *words: str) -> tuple[Any, Any]:
        """What both verifiers say, with the same findings."""
        lines, beside = list(encode_bundle(bundle.all_lines)), standalone.Beside((), dict(map(parse, words)))
        (tmp_path / "match.bundle").write_bytes(b"".join(lines))
        told, _ = standalone.check_and_keep(str(tmp_path / "match.bundle"), [], [], True, beside)
        shown = verifier.check(lines, [], [], " ".join(words))
        assert (shown["exit"], shown["states"]["published"]) == (told["exit"], told["checks"]["published"])
        assert shown["found"] == [[each["kind"], each["version"]] for each in told["findings"]]
        return shown, told

    parse, key, (stamp,) = standalone.parse_witness_key, WITNESS.encode(), bundle.stamps
    shown, told = ask(bundle, key)
    (_, by), (_, dated) = shown["said"]
    assert by == {"name": WITNESS.name, "n": bundle.header.size, "when": "2096-10-02 07:06:40"}
    assert f"a timestamp that names {re.sub('[- :]', '', dated['when'])} was NOT judged" in str(told["notices"])
    assert ask(bundle)[0]["unknown"] == [WITNESS.name]
    first, *rest = bundle.published
    for wrong in (
        replace(bundle, published=(replace(first, note=forge(first.note)), *rest)),
        replace(bundle, stamps=(replace(stamp, response=b"x"),)),
        replace(bundle, stamps=(replace(stamp, note="x"),)),
        *(replace(bundle, published=(replace(first, note=note), *rest)) for note in spoil_form(first.note)),
    ):
        assert ask(wrong, key)[0]["exit"] > 0
    assert verifier.check(list(encode_bundle(replace(bundle, stamps=(stamp,) * 101).all_lines)), [], [])["exit"] == 10
    digest = hashlib.sha256(stamp.note.encode()).hexdigest()
    for before in (bytes.fromhex(f"0{digest}0"), bytes.fromhex(digest) + b"\x18\x0fxx"):  # no hash, and no time
        shown, _ = ask(replace(bundle, stamps=(replace(stamp, response=before + stamp.response), stamp)), key)
        assert [each[1].get("when") for each in shown["said"]] == [by["when"], dated["when"]]
    server.cosign(0)
    assert ask(server.bundle(), key)[0]["exit"] == FindingKind.TIME


@pytest.mark.deep
@pytest.mark.parametrize(("lang", "says"), [("de-DE", "Zeuge {} bürgt für"), ("en-US", "Witness {} vouches for")])
def test_the_page_says_who_vouches_and_what_was_not_judged(
    browser: Any, base: str, server: Vouched, tmp_path: Path, lang: str, says: str
) -> None:
    server.cosign(LATER)
    server.stamp(build_authority(tmp_path / "town"))
    (tmp_path / "match.bundle").write_bytes(b"".join(encode_bundle(server.bundle().all_lines)))
    device = Device(browser, base, lang=lang, size=(390, 844))
    device.open("/verify")
    device.page.locator(".drop input").set_input_files(tmp_path / "match.bundle")
    german = lang == "de-DE"
    device.sees("Nicht geprüft: die Mitsignatur von" if german else "Not judged: the cosignature of")
    device.sees("Nicht geprüft: ein Zeitstempel, der" if german else "Not judged: a timestamp that names")
    device.tap("Eigene Quittungen und Schlüssel" if german else "Your own receipts and keys")
    key = device.page.get_by_label("Schlüssel des Servers" if german else "Key of the server")
    key.fill(f"{KEY} {WITNESS.encode()}")
    key.press("Enter")
    device.sees(says.format(WITNESS.name))
    device.page.get_by_role(
        "heading", name="Auf diesem Gerät bewiesen" if german else "Proven on this device"
    ).wait_for()
    device.take_picture(f"cosigned-{lang[:2]}", whole=True)
    assert device.complaints == []
    device.close()
