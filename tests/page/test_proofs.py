"""The verifier in the browser says what the file that stands alone says: of honest bundles, and of every tampering."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.match.events.transfer_events import AnswerTransfer
from referee.transfer.service import propose_transfer
from tests.audit.sitting import GAMES, played
from tests.audit.tampering import CASES
from tests.audit.test_tampering import alone, honest, rotated, untouched, work
from tests.clients.house import served
from tests.page.browsing import Device, open_browser
from tests.transfer.movers import Server, plays, read, running

CHECK = """async ([base, bundle, receipts, keys]) => {
  const { checkBundle } = await import(base + "/scenes/verify/checks.js");
  const unpack = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const report = checkBundle(unpack(bundle), { receipts, trusted: keys.map(unpack) });
  const found = report.findings.map(({ kind, version }) => [kind, version]);
  return { exit: report.exit, found, states: Object.fromEntries(report.steps.map(({ step, state }) => [step, state])) };
}"""


class Verifier:
    """The page's verifier, asked about bundles as lines."""

    def __init__(self, device: Device) -> None:
        self.device = device
        device.open("/verify")
        script = device.page.locator("script[type=module]").first.get_attribute("src")
        self.base = script.removesuffix("/main.js")

    def check(self, lines: list[bytes], receipts: list[str], keys: list[bytes]) -> Any:
        bundle, packed = base64.b64encode(b"".join(lines)).decode(), [base64.b64encode(key).decode() for key in keys]
        return self.device.page.evaluate(CHECK, [self.base, bundle, receipts, packed])


@pytest.fixture(scope="module")
def verifier() -> Iterator[Verifier]:
    with served() as (address, _), open_browser() as browser:
        device = Device(browser, address)
        yield Verifier(device)
        assert device.complaints == []
        device.close()


def compare(verifier: Verifier, lines: list[bytes], receipts: list[str], keys: list[bytes], folder: Path) -> None:
    told, shown = alone(lines, receipts, keys, folder), verifier.check(lines, receipts, keys)
    assert shown["exit"] == told["exit"], (shown, told["findings"])
    assert sorted(map(str, shown["found"])) == sorted(str([each["kind"], each["version"]]) for each in told["findings"])
    states = {name: state.partition(":")[0] for name, state in told["checks"].items() if name != "rules"}
    assert shown["states"] == states


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
    assert device.page.locator(".proof h2").inner_text() in ("Auf diesem Gerät bewiesen", "Proven on this device")
    device.take_picture(f"moved-without-consent-{lang[:2]}", whole=True)
    assert device.complaints == []
    device.close()
