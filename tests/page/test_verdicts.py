"""The proof has three verdicts, and says none of a file that it has not looked into."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from tests.audit.test_tampering import honest
from tests.page.browsing import Device

pytestmark = pytest.mark.deep
PROVES, CONSISTENT, WRONG = "Auf diesem Gerät bewiesen", "In sich stimmig, aber niemand bürgt dafür", "Abgelehnt"
HOSTILE = 400_000  # lines, each of which might begin a receipt


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "good.bundle"
    path.write_bytes(b"".join(honest().house.bundle(honest().match)))
    return path


@pytest.fixture
def device(browser: Any, base: str) -> Any:
    found = Device(browser, base)
    found.open("/verify")
    yield found
    assert found.complaints == []
    found.close()


def choose(device: Device, path: Path) -> None:
    device.page.locator(".drop input").set_input_files(path)


def wait_for(device: Device, verdict: str) -> None:
    device.page.get_by_role("heading", name=verdict).wait_for()


def test_a_file_proves_something_by_a_key_or_by_receipts_alone(device: Device, bundle: Path, tmp_path: Path) -> None:
    choose(device, bundle)
    wait_for(device, CONSISTENT)
    device.take_picture("verdict-consistent", whole=True)
    device.tap("Eigene Quittungen und Schlüssel")
    key = device.page.get_by_label("Schlüssel des Servers")
    key.press_sequentially("x")  # a letter that was typed is no key
    assert device.page.get_by_role("heading", name=PROVES).count() == 0
    key.fill(base64.b64encode(honest().house.signer.public).decode())
    key.press("Enter")
    wait_for(device, PROVES)
    device.sees("dem du vertraust")
    key.fill(base64.b64encode(bytes(31) + b"\1").decode())
    key.press("Enter")
    wait_for(device, WRONG)
    key.fill("")
    key.press("Enter")
    wait_for(device, CONSISTENT)
    receipts = tmp_path / "receipts.txt"
    receipts.write_text("".join(honest().receipts), "utf-8")
    device.page.get_by_label("Datei mit Quittungen").set_input_files(receipts)
    wait_for(device, PROVES)
    device.sees("deiner Quittungen")


def test_a_verdict_is_never_shown_for_another_file(device: Device, bundle: Path, tmp_path: Path) -> None:
    choose(device, bundle)
    wait_for(device, CONSISTENT)
    other = tmp_path / "other.bundle"
    other.write_bytes(b"x" * 50_000_000)
    device.page.evaluate("""() => {
      const read = (place) => document.querySelector(place)?.innerText;
      said = [];
      new MutationObserver(() => said.push([read('.drop b'), read('.proof h2')]))
        .observe(document.body, {subtree: true, childList: true, characterData: true});
    }""")
    choose(device, other)
    wait_for(device, WRONG)
    choose(device, other)
    choose(device, bundle)  # before the large one is looked into
    wait_for(device, CONSISTENT)
    device.page.wait_for_timeout(1500)
    assert device.page.get_by_role("heading", name=CONSISTENT).is_visible()
    told = {tuple(each) for each in device.page.evaluate("said")}
    assert told <= {("other.bundle", None), ("other.bundle", WRONG), ("good.bundle", None), ("good.bundle", CONSISTENT)}


def test_a_file_that_is_gone_or_too_large_is_refused_in_words(device: Device, bundle: Path, tmp_path: Path) -> None:
    choose(device, bundle)
    wait_for(device, CONSISTENT)
    bundle.unlink()
    device.tap("Eigene Quittungen und Schlüssel")
    key = device.page.get_by_label("Schlüssel des Servers")
    key.fill(base64.b64encode(honest().house.signer.public).decode())
    key.press("Enter")
    device.sees("Die Datei lässt sich nicht lesen.")
    huge = tmp_path / "huge.bundle"
    with huge.open("wb") as made:
        made.truncate(200_000_000)
    choose(device, huge)
    device.sees("zu lang")


def test_a_file_of_receipts_that_never_ends_does_not_hang_the_page(
    device: Device, bundle: Path, tmp_path: Path
) -> None:
    choose(device, bundle)
    wait_for(device, CONSISTENT)
    hostile = tmp_path / "hostile.txt"
    hostile.write_text("1\n" * HOSTILE + "\n\u2014 x\n", "utf-8")
    device.tap("Eigene Quittungen und Schlüssel")
    device.page.get_by_label("Datei mit Quittungen").set_input_files(hostile)
    device.sees("keine Quittungen")
