"""Phones sign their moves by themselves, and see when another phone was shown another history."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli.main import cli
from referee.transparency.device_signatures import compute_move_digest, is_signed_by, render_signed_text
from referee.transparency.spoken import speak_root
from tests.audit.forging import Forger
from tests.audit.test_devices import change_signature, signed_match
from tests.audit.test_devices import list_signed as list_signed_entries
from tests.audit.test_tampering import work
from tests.page.test_chains import NO_STORAGE, Phone, Sitting
from tests.page.test_newcomer import serve

pytestmark = pytest.mark.deep
ANOTHER_HISTORY = """
  const ask = window.fetch;
  window.fetch = async (address, ...rest) => {
    const answer = await ask(address, ...rest);
    if (!String(address).includes("/stream")) return answer;
    const decoder = new TextDecoder(), encoder = new TextEncoder();
    const changed = answer.body.pipeThrough(new TransformStream({ transform(chunk, into) {
      const text = decoder.decode(chunk, { stream: true });
      into.enqueue(encoder.encode(text.replace(/"root":"[0-9a-f]{8}/g, '"root":"00000000')));
    } }));
    return new Response(changed, { status: answer.status, headers: answer.headers });
  };
"""
ALARM = "Ein anderes Handy hat einen anderen Verlauf gesehen"


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the real program: apps in tests sign nothing."""
    with serve(tmp_path_factory.mktemp("data")) as told:
        yield str(told["url"]).rstrip("/")


def list_signed(sitting: Sitting) -> dict[int, list[Any]]:
    """By seat: what its device signed of the moves that are said to be the player's; None for one without."""
    found: dict[int, list[Any]] = {0: [], 1: []}
    for entry in sitting.list_entries():
        if entry["actor"]["kind"] == "player" and isinstance(entry["seat"], int):
            signed = [event for event in entry["events"] if event["type"] == "table.MoveSigned"]
            found[entry["seat"]].append(signed[0] if signed else None)
    return found


def verify(path: Path, *more: str) -> tuple[int, Any]:
    done = CliRunner().invoke(cli, ["verify", str(path), "--json", *more])
    return done.exit_code, json.loads(done.output)["files"][0]


def test_a_phone_signs_as_the_referee_checks(browser: Any, real: str) -> None:
    phone = Phone(browser, real)
    phone.open("/")
    script = phone.page.locator("script[type=module]").first.get_attribute("src")
    move = {"type": "mc.x", "b": [3, None, True], "a": 'Ä \u2028 " \\ \n 𝄞', "c": {"z": 1, "y": "ß"}}
    made = phone.page.evaluate(
        """async ([base, move]) => {
          const { DeviceKey } = await import(base + "/chain/keys.js"), key = new DeviceKey("07".repeat(32));
          const about = { match: "m", seat: 3, seen: 17, root: "ab".repeat(32), link: "cd".repeat(32), move };
          return { key: key.key, ...key.sign(about) };
        }""",
        [script.removesuffix("/main.js"), move],
    )
    encoded = json.dumps(move, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    digest = compute_move_digest(made["nonce"], encoded)
    assert is_signed_by(made["key"], render_signed_text("m", 3, 17, "ab" * 32, "cd" * 32, digest), made["signature"])
    assert phone.complaints == []
    phone.close()


@pytest.mark.parametrize("is_taken_over", [True, False], ids=["another device", "another history"])
def test_a_refused_signature_is_an_alarm_only_if_no_other_device_signs_for_the_seat(
    is_taken_over: bool, browser: Any, real: str
) -> None:
    """The other device named its key a moment ago, and the stream has not told of it yet."""
    phone = Phone(browser, real)
    phone.open("/")
    script = phone.page.locator("script[type=module]").first.get_attribute("src")
    split = phone.page.evaluate(
        """async ([base, isTakenOver]) => {
          const { DeviceKey, Signing } = await import(base + "/chain/keys.js");
          const key = DeviceKey.draw(), other = DeviceKey.draw();
          const name = ({ key }) => ({ seats: [{ seat: 0, device_key: key }] });
          const followed = { match: "m", seat: 0, version: 5, roots: new Map(), split: null, about: name(key),
            announce() {}, async loadAbout() { this.about = name(isTakenOver ? other : key); } };
          await new Signing(followed, key).doubt();
          return followed.split;
        }""",
        [script.removesuffix("/main.js"), is_taken_over],
    )
    assert split == (None if is_taken_over else {"seat": 0, "version": 5})
    phone.close()


def test_two_phones_sign_all_their_moves_and_the_report_says_so(browser: Any, real: str, tmp_path: Path) -> None:
    sitting = Sitting(Phone(browser, real), Phone(browser, real, scheme="dark"))
    sitting.play(4)
    signed = list_signed(sitting)
    assert sum(len(each) for each in signed.values()) > 3
    by_hand = sum(each.count(None) for each in signed.values())  # what the test itself moved, past lists
    sitting.finish()
    with sitting.act_as(0).send("GET", f"/v1/matches/{sitting.match}/bundle?viewer=full", {}) as answer:
        (tmp_path / "match.bundle").write_bytes(answer.read())
    code, report = verify(tmp_path / "match.bundle")
    assert code == 0
    assert "fact.signed" in [each["key"] for each in report["notices"]]
    code, _ = verify(tmp_path / "match.bundle", "--require", "signatures")
    assert code == (24 if by_hand else 0)
    ada = sitting.phones[0]
    ada.open("/verify")
    ada.page.locator(".drop input").set_input_files(tmp_path / "match.bundle")
    ada.sees("Was Handys signiert haben, passt zu diesem Verlauf")
    ada.sees("Das Gerät von Spieler 1 hat")
    ada.take_picture("signed-proof", whole=True)
    for phone in sitting.phones:
        assert phone.page.get_by_text(ALARM).count() == 0
        assert phone.complaints == []
        phone.close()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda signed: replace(signed, digest="0" * 64), "Die Signatur eines Geräts passt nicht zu diesem Verlauf."),
        (lambda signed: replace(signed, signature="no hex"), "Die Signatur eines Geräts passt nicht"),
        (lambda signed: replace(signed, seen=signed.seen - 1), "Die Signatur eines Geräts passt nicht"),
        (lambda signed: replace(signed, nonce="00" * 16), "Ein Gerät hat einen anderen Zug signiert als diesen."),
        (lambda signed: replace(signed, nonce=""), "Ein Gerät hat einen anderen Zug signiert als diesen."),
    ],
    ids=["digest", "signature", "version", "nonce", "no nonce"],
)
def test_the_page_finds_what_a_device_did_not_sign(
    change: Any, says: str, browser: Any, real: str, tmp_path: Path
) -> None:
    forger = work(Forger.on(signed_match()))
    forger.repack(list_signed_entries(forger)[-1], change_signature(change))
    forger.cover("secret")
    (tmp_path / "match.bundle").write_bytes(b"".join(forger.lines()))
    phone = Phone(browser, real)
    phone.open("/verify")
    phone.page.locator(".drop input").set_input_files(tmp_path / "match.bundle")
    phone.sees(says)
    assert phone.complaints == []
    phone.close()


def test_a_phone_that_was_shown_another_history_is_found_within_a_move(browser: Any, real: str) -> None:
    ada, ben = Phone(browser, real), Phone(browser, real)
    ben.context.add_init_script(ANOTHER_HISTORY)
    sitting = Sitting(ada, ben)
    for _ in range(2):  # a move of each, signed or tried
        sitting.play(1)
    ben.page.get_by_text(ALARM).wait_for()
    ben.take_picture("another-history")
    assert any(list_signed(sitting)[0])
    assert not any(list_signed(sitting)[1])  # what he signed did not fit, so his moves were made without
    for phone in sitting.phones:
        phone.close()


TRY_IN_VAIN = """async ([base, match]) => {
  const { FollowedMatch } = await import(base + "/lib/match.js"), { findSeat } = await import(base + "/lib/device.js");
  const { DeviceKey, Signing } = await import(base + "/chain/keys.js");
  while (!findSeat(match, "seat:0")?.secret) await new Promise((resolve) => setTimeout(resolve, 50));
  const { token, secret } = findSeat(match, "seat:0"), followed = new FollowedMatch({ match, seat: 0, token });
  await followed.loadAbout();
  followed.follow();
  while (!followed.view) await new Promise((resolve) => setTimeout(resolve, 50));
  const refused = [];
  for (const isSigned of [true, false]) {
    followed.signing = isSigned ? new Signing(followed, new DeviceKey(secret)) : null;
    const move = { type: "mc.play", card: "no-such-card", target: null };
    await followed.makeMove(move).catch((failure) => refused.push(failure.kind));
  }
  followed.stop();
  return refused;
}"""


def test_a_phone_keeps_a_signed_refusal_and_hands_it_out(browser: Any, real: str, tmp_path: Path) -> None:
    ada, ben = Phone(browser, real), Phone(browser, real)
    sitting = Sitting(ada, ben)
    script = ada.page.locator("script[type=module]").first.get_attribute("src")
    tried = ada.page.evaluate(TRY_IN_VAIN, [script.removesuffix("/main.js"), sitting.match])
    assert tried == ["illegal-move", "illegal-move"]
    ada.open(f"/history#{sitting.match}/0")
    ada.tap("Drucken, teilen, prüfen")
    files = {}
    for name in ("Den Beweis mitnehmen", "Abgelehnte Züge mitnehmen (1)", "Eigene Quittungen mitnehmen ("):
        with ada.page.expect_download() as download:
            ada.page.get_by_role("button", name=name).click()
        files[name] = tmp_path / download.value.suggested_filename
        download.value.save_as(files[name])
    ada.take_picture("kept-refusals", whole=True)
    proof, refusals, receipts = files.values()
    assert [path.suffix for path in (proof, refusals, receipts)] == [".bundle", ".refusals", ".receipts"]
    words = ["verify", str(proof), "--refusals", str(refusals), "--receipts", str(receipts), "--json"]
    done = CliRunner().invoke(cli, [*words, "--require", "receipts"])
    told = json.loads(done.output)
    assert (done.exit_code, told["comparison"]["findings"]) == (0, [])
    assert told["comparison"]["notes"][0]["de"].startswith("Die Ablehnung des Zugs von Spieler 1 nach Eintrag")
    ben.open(f"/history#{sitting.match}/1")
    ben.tap("Drucken, teilen, prüfen")
    assert ben.page.get_by_text("Abgelehnte Züge mitnehmen").count() == 0
    for phone in sitting.phones:
        phone.close()


def test_what_a_phone_keeps_is_bounded(browser: Any, real: str) -> None:
    phone = Phone(browser, real)
    phone.open("/")
    script = phone.page.locator("script[type=module]").first.get_attribute("src")
    kept = phone.page.evaluate(
        """async (base) => {
          const { keepReceipt, keepRefusal, findReceipts, findRefusals } = await import(base + "/lib/receipts.js");
          const signed = { nonce: "00", signature: "00" };
          for (let n = 0; n < 30; n++) keepRefusal("old", `note ${n}`, { move: { n }, signed });
          keepRefusal("old", undefined, { move: {}, signed });
          keepRefusal("old", "note", { move: {} });
          const before = findRefusals("old");
          for (let n = 0; n < 41; n++) keepReceipt(`match ${n}`, "receipt");
          return [before.length, before.at(-1), findRefusals("old").length, findReceipts("match 40").length];
        }""",
        script.removesuffix("/main.js"),
    )
    assert kept == [20, {"note": "note 29", "nonce": "00", "move": {"n": 29}}, 0, 1]
    phone.close()


def test_a_phone_that_stores_nothing_plays_unsigned(browser: Any, real: str) -> None:
    ben = Phone(browser, real)
    ben.context.add_init_script(NO_STORAGE)
    sitting = Sitting(Phone(browser, real), ben)
    sitting.play(2)
    assert not any(list_signed(sitting)[1])
    assert sitting.phones[0].page.get_by_text(ALARM).count() == 0
    assert ben.complaints == []
    for phone in sitting.phones:
        phone.close()


def test_two_phones_read_the_same_four_words(browser: Any, real: str) -> None:
    sitting = Sitting(Phone(browser, real), Phone(browser, real))
    root = sitting.act_as(0).request("GET", f"/v1/matches/{sitting.match}/checkpoint")["root"]
    words = speak_root(base64.b64decode(root))
    for seat, phone in enumerate(sitting.phones):
        phone.open(f"/history#{sitting.match}/{seat}")
        phone.tap("Drucken, teilen, prüfen")
        phone.sees(f"auf diesen vier Wörtern: {words}.")
        assert phone.complaints == []
        if seat == 0:
            phone.take_picture("four-words", whole=True)
        phone.close()
