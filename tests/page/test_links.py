"""What links and codes lead to: an account on another device, a table that is audited, and codes that are none."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.browsing import Device
from tests.page.tables import request

pytestmark = pytest.mark.deep
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


def open_lobby(base: str, **body: Any) -> dict[str, Any]:
    seats = [{"kind": "human"}] * 2
    return dict(request(base, "POST", "/v1/matches", {"game": "here_to_slay", "seats": seats, **body}))


def make_account(base: str) -> tuple[str, str]:
    made = request(base, "POST", "/v1/players", {"name": "Ada"})
    return made["id"], made["token"]


def make_device_link(base: str, player: str, token: str) -> str:
    made = request(base, "POST", f"/v1/players/{player}/device-links", token=token)
    return str(made["url"]).partition("#")[2]


@pytest.mark.parametrize("way", ["opened", "pasted"])
def test_a_link_to_an_account_leads_to_its_matches(browser: Any, base: str, way: str) -> None:
    player, token = make_account(base)
    opened = open_lobby(base)
    request(base, "POST", "/v1/join", {"code": opened["invitations"][1]["code"]}, token)
    link, phone = make_device_link(base, player, token), Device(browser, base)
    if way == "opened":
        phone.open(f"/join#{link}")
    else:
        phone.open("/join")
        phone.page.get_by_label("Code").fill(f"{base}/join#{link}")
    phone.page.get_by_role("button", name="Dieses Gerät anmelden").click()
    phone.sees("Deine Tische")
    phone.take_picture("account-on-another-device")
    phone.page.locator(f"a[href='/play#{opened['match']}/1']").click()
    phone.sees("Alle da?")
    assert phone.complaints == []
    phone.close()


def test_a_link_to_an_account_that_was_used_says_so(browser: Any, base: str) -> None:
    link = make_device_link(base, *make_account(base))
    request(base, "POST", "/v1/devices", {"secret": link.partition("=")[2]})
    for address, title in ((link, "Link"), ("device=abc", "Dieser Code oder Link gilt nicht")):
        phone = Device(browser, base)
        phone.open(f"/join#{address}")
        phone.page.get_by_role("button", name="Dieses Gerät anmelden").click()
        assert title in phone.page.get_by_role("dialog").inner_text()
        phone.close()


def test_a_code_that_is_none_is_said_in_plain_words_and_can_be_typed_again(browser: Any, base: str) -> None:
    phone = Device(browser, base)
    phone.open("/join#XXX")
    phone.page.get_by_label("Wie heißt du?").fill("Ada")
    phone.tap("Hinsetzen")
    told = phone.page.get_by_role("dialog").inner_text()
    assert "Dieser Code oder Link gilt nicht" in told
    assert "errors" not in told
    phone.tap("Verstanden")
    phone.page.get_by_label("Code").fill(open_lobby(base)["invitations"][0]["code"])
    phone.tap("Hinsetzen")
    phone.sees("Alle da?")
    phone.close()


def test_an_auditor_finds_the_table_again(browser: Any, base: str) -> None:
    opened = open_lobby(base)
    path = f"/v1/matches/{opened['match']}/invitations"
    link = request(base, "POST", path, {"role": "auditor"}, opened["token"])["url"]
    phone = Device(browser, base)
    phone.open(f"/join#{str(link).partition('#')[2]}")
    phone.page.get_by_label("Wie heißt du?").fill("Ada")
    phone.page.get_by_role("button", name="Partie prüfen").click()
    phone.sees("Alle da?")
    phone.open("/")
    phone.page.locator(f"a[href='/table#{opened['match']}']").wait_for()
    phone.close()


def test_a_name_of_emoji_has_a_whole_one_as_its_mark(browser: Any, base: str) -> None:
    phone = Device(browser, base)
    phone.open(f"/join#{open_lobby(base)['invitations'][0]['code']}")
    phone.page.get_by_label("Wie heißt du?").fill(FAMILY)
    phone.tap("Hinsetzen")
    mark = phone.page.locator("svg.seat text").first
    mark.wait_for()
    assert mark.text_content() == FAMILY
    phone.sees(FAMILY)
    phone.take_picture("family")
    phone.close()


def test_two_names_that_look_alike_are_numbered_and_joiners_outside_of_emoji_left_out(browser: Any, base: str) -> None:
    phone = Device(browser, base)
    phone.open("/")
    told = phone.page.evaluate(
        """async (names) => {
          const app = document.querySelector("script[src$='/main.js']").src.replace(/main[.]js$/, "");
          return Object.values((await import(`${app}lib/words.js`)).tellApart(names)).map((each) => each.slice(1, -1));
        }""",
        {0: FAMILY, 1: FAMILY.replace("\u200d", ""), 2: "A\u200dda", 3: "Ada"},
    )
    assert told == [f"{FAMILY} (1)", f"{FAMILY.replace(chr(0x200D), '')} (2)", "Ada (3)", "Ada (4)"]
    phone.close()


def test_a_form_that_is_sent_twice_at_once_seats_one_person_once(browser: Any, base: str) -> None:
    opened, phone, sent = open_lobby(base), Device(browser, base), []
    phone.page.on("request", lambda each: sent.append(each.url) if each.url.endswith("/v1/join") else None)
    phone.open(f"/join#{opened['invitations'][0]['code']}")
    phone.page.get_by_label("Wie heißt du?").fill("Ada")
    phone.page.locator("form").evaluate("form => { form.requestSubmit(); form.requestSubmit(); }")
    phone.sees("Alle da?")
    assert len(sent) == 1
    phone.close()


@pytest.mark.parametrize(
    ("lang", "title", "home"),
    [("de-DE", "Diese Seite gibt es nicht", "Zur Startseite"), ("en-US", "There is no such page", "Front page")],
)
@pytest.mark.parametrize("path", ["/jion", "/constructor", "/play/here/0"])
def test_a_mistyped_address_leads_home(browser: Any, base: str, path: str, lang: str, title: str, home: str) -> None:
    phone = Device(browser, base, lang=lang)
    phone.open(path)
    phone.sees(title)
    phone.take_picture(f"nowhere-{lang}")
    phone.tap(home)
    phone.page.locator("a[href='/judge']").first.wait_for()
    assert [each for each in phone.complaints if "404 (NOT FOUND)" not in each] == []
    assert len(phone.complaints) == 1  # the address itself, no icon
    phone.close()


def test_a_slash_at_the_end_of_an_address_leads_to_its_scene(browser: Any, base: str) -> None:
    phone = Device(browser, base)
    phone.open("/join/")
    phone.page.get_by_label("Code").wait_for()
    phone.close()
