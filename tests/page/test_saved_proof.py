"""The proof as a file, opened without any server: it finds an honest bundle sound and a changed one wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.audit.test_tampering import honest
from tests.page.browsing import Device
from tests.page.test_bars import find_wide

pytestmark = pytest.mark.deep
FAR_OFF = "http://127.0.0.1:9/"  # nothing listens there, and nobody may ask


@pytest.fixture
def saved(browser: Any, base: str, tmp_path: Path) -> tuple[Path, str]:
    """The file as the scene offers it, and where it was downloaded from."""
    device = Device(browser, base, lang="de-DE")
    device.open("/verify")
    with device.page.expect_download() as download:
        device.tap("Diese Seite als Datei speichern")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert device.complaints == []
    device.close()
    return path, base


def open_saved(browser: Any, path: Path, asked: list[str], **how: Any) -> Device:
    device = Device(browser, path.as_uri(), **how)
    device.page.on("request", lambda request: asked.append(request.url))
    device.open("")
    device.page.locator("h1").wait_for()
    return device


@pytest.mark.parametrize(("lang", "scheme"), [("de-DE", "light"), ("en-US", "dark")])
def test_the_saved_page_checks_bundles_without_a_server(
    browser: Any, saved: tuple[Path, str], tmp_path: Path, lang: str, scheme: str
) -> None:
    path, _ = saved
    assert path.name == "referee-verify.html"
    lines = [*honest().house.bundle(honest().match)]
    good, bad, cut = (tmp_path / f"{name}.ndjson" for name in ("good", "bad", "cut"))
    good.write_bytes(b"".join(lines))
    changed = [
        re.sub(rb'(\\"at\\":[0-9]*)[0-9],', rb"\g<1>7,", line) if b'"version":4}' in line else line for line in lines
    ]
    assert changed != lines
    bad.write_bytes(b"".join(changed))
    cut.write_bytes(b"".join(lines[:-1]))
    asked: list[str] = []
    device = open_saved(browser, path, asked, lang=lang, scheme=scheme, size=(390, 844))
    sound, refused = {
        "de-DE": ("In sich stimmig, aber niemand bürgt dafür", "Abgelehnt"),
        "en-US": ("Consistent in itself, but nobody vouches for it", "Refused"),
    }[lang]
    choose = device.page.locator(".drop input")
    choose.set_input_files(good)
    device.page.get_by_role("heading", name=sound).wait_for()
    assert device.page.locator(".proof ol li").count() == 13
    device.take_picture(f"saved-proof-{scheme}")
    assert find_wide(device) == ""
    choose.set_input_files(bad)
    device.page.get_by_role("heading", name=refused).wait_for()
    assert device.page.locator(".proof ol li .no").count() > 0
    device.take_picture(f"saved-proof-refused-{scheme}")
    choose.set_input_files(cut)
    device.page.locator(".proof ol li").first.wait_for(state="detached")  # what was cut is not looked into
    device.page.get_by_role("heading", name=refused).wait_for()
    assert all(url.startswith(("file:", "data:")) for url in asked), asked
    assert device.complaints == []
    device.close()


def test_the_saved_page_cannot_send_a_bundle_anywhere(browser: Any, saved: tuple[Path, str]) -> None:
    path, base = saved
    asked: list[str] = []
    device = open_saved(browser, path, asked)
    for address in (base, FAR_OFF):
        sent = "address => fetch(address, {mode: 'no-cors'}).then(() => 'sent', () => 'kept')"
        assert device.page.evaluate(sent, address) == "kept"
    assert not any(url.startswith("http") for url in asked), asked
    assert any("Content Security Policy" in each for each in device.complaints)
    device.close()


def test_the_strict_policy_of_the_other_pages_stays(base: str, browser: Any) -> None:
    device = Device(browser, base)
    answer = device.page.goto(f"{base}/verify")
    assert "'unsafe-inline'" not in answer.headers["content-security-policy"]
    assert "data:" not in answer.headers["content-security-policy"].partition("script-src")[2].partition(";")[0]
    device.close()
