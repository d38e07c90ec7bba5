"""A dispute on three phones at a real table, from the first tap to the remedy."""

from __future__ import annotations

import pytest

from tests.clients.house import served
from tests.evenings import here_to_slay
from tests.evenings.evening import Move, Nobody, Shown
from tests.page.browsing import Device, open_browser
from tests.page.tables import OpenTable, open_table

pytestmark = pytest.mark.deep


def test_a_misread_roll_is_disputed_and_corrected_by_three_phones() -> None:
    with open_browser() as browser, served() as (base, app):
        table = here_to_slay.sit_down(app)
        tokens = [person.token or "" for person in table.seats]
        opened = OpenTable(base, table.match, "here_to_slay", table.host.token or "", tokens)
        for happening in here_to_slay.evening()[0]:
            if isinstance(happening, Move):
                assert table.move(happening.seat, happening.move).status_code == 201
            elif isinstance(happening, Shown):
                assert table.move("chance", happening.move, table.seats[0]).status_code == 201
            elif isinstance(happening, Nobody):
                for seat in [each for each in table.awaited if isinstance(each, int)]:
                    assert table.move(seat, {"type": happening.passing}).status_code == 201
        phones = [Device(browser, base) for _ in table.seats]
        for seat, phone in enumerate(phones):
            opened.give(phone, seat)
        ada, ben, cleo = phones
        cleo.page.get_by_role("button", name="Hier stimmt etwas nicht").click()
        cleo.page.locator("ol.log button", has_text="würfelt").last.click()
        cleo.tap("Die Würfel zeigten etwas anderes")
        cleo.page.locator("[role=dialog] [data-dice='5 4']").click()
        cleo.page.locator("article.case").wait_for()
        assert cleo.page.locator("article.case [role=alert]").inner_text()
        cleo.take_picture("dispute-opened", whole=True)
        ada.sees("Das Spiel ruht")
        ben.page.locator(".question").wait_for()  # Ada reported it, Cleo says it was wrong: Ben is asked
        ben.take_picture("dispute-asked", whole=True)
        ben.page.locator(".question .answers button").first.click()
        for phone in (ada, ben):
            phone.open(f"/dispute#{table.match}/{phones.index(phone)}")
        for phone in phones:
            phone.page.locator("[data-remedy]").first.wait_for()
        cleo.take_picture("dispute-remedies", whole=True)
        for phone in phones:
            if phone.page.locator("[data-remedy=rewind]").is_enabled():
                phone.page.locator("[data-remedy=rewind]").click()
                phone.page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
        for phone in phones:
            phone.page.wait_for_function("() => !document.querySelector('[data-stage=voting]')")
        disputes = opened.read("/disputes")["items"]
        assert [each["stage"] for each in disputes] == ["ruled"]
        cleo.take_picture("dispute-settled", whole=True)
        cleo.tap("Zum Spiel")
        cleo.page.locator("h1.turn").wait_for()
        for phone in phones:
            assert phone.complaints == []
            phone.close()


def test_a_slip_is_mended_beside_what_happened_last() -> None:
    with open_browser() as browser, served() as (base, app):
        table = here_to_slay.sit_down(app)
        tokens = [person.token or "" for person in table.seats]
        opened = OpenTable(base, table.match, "here_to_slay", table.host.token or "", tokens)
        for happening in here_to_slay.evening()[0]:
            if isinstance(happening, Move):
                assert table.move(happening.seat, happening.move).status_code == 201
            elif isinstance(happening, Shown):
                assert table.move("chance", happening.move, table.seats[0]).status_code == 201
                if happening.move["type"] == "chance.rolled":
                    break
            elif isinstance(happening, Nobody):
                for seat in [each for each in table.awaited if isinstance(each, int)]:
                    assert table.move(seat, {"type": happening.passing}).status_code == 201
        ada, ben = (Device(browser, base) for _ in range(2))
        opened.give(ada, 0)
        opened.give(ben, 1)
        ada.sees("Meine Meldung berichtigen")
        ada.take_picture("oops", whole=True)
        ada.tap("Meine Meldung berichtigen")
        ada.page.locator("[role=dialog] [data-dice='5 4']").click()
        ada.page.locator("[role=dialog]").wait_for(state="detached")
        last = opened.read("/entries?limit=100")["items"][-3:]  # phones name their keys meanwhile
        events = [event for entry in last for event in entry["events"]]
        assert any(event.get("values") == [5, 4] or "5, 4" in str(event.get("told")) for event in events), last
        assert not ben.page.get_by_text("Ups!").count()  # he has neither moved nor reported
        assert ada.complaints == ben.complaints == []
        ada.close()
        ben.close()


@pytest.mark.parametrize("place", ["play", "dispute"])
def test_a_move_is_taken_back_once_and_others_are_asked_where_they_have_seen_it(place: str) -> None:
    """Ada takes back what she did; a double tap does it once."""
    with open_browser() as browser, served() as (base, _):
        table = open_table(base, ["Ada", "Ben"], game="here_to_slay", variant="standard", chance="table")
        for step in range(30):
            asked = table.read("")["awaits"][0]
            if asked == "chance":
                rolls = table.read("/seats/chance/moves", 0)["legal"]  # equal ones would be rolled again
                table.move("chance", rolls[7 * step % len(rolls)]["move"], by=0)
                continue
            legal = [each for each in table.read(f"/seats/{asked}/moves", asked)["legal"] if not each["flag"]]
            table.move(asked, next((each for each in legal if "leader" in str(each["move"]["type"])), legal[0])["move"])
            if table.read("")["version"] > 12:
                break
        made = [each["seat"] for each in table.read("/entries?limit=100")["items"]]
        mover = next(seat for seat in reversed(made) if isinstance(seat, int))
        phones = [Device(browser, base) for _ in range(2)]
        for seat, phone in enumerate(phones):
            table.give(phone, seat)
            phone.open(f"/{place if seat == mover else 'play'}#{table.match}/{seat}")
        mine = phones[mover].page.get_by_role("button", name="Meinen Zug zurücknehmen")
        mine.evaluate("button => { button.click(); button.click(); }")
        other = phones[1 - mover].page
        other.locator(".question .answers button").first.wait_for()
        phones[mover].sees("entscheiden jetzt die anderen")  # and the button is gone, so nobody is asked again
        assert mine.count() == 0
        assert len(table.read("/takebacks")["items"]) == 1
        other.locator(".question .answers button").first.click()
        other.locator(".question").wait_for(state="detached")
        assert table.read("/takebacks")["items"][0]["stage"] == "granted"
        for phone in phones:
            assert phone.complaints == []
            phone.close()


def test_a_complaint_that_is_sent_twice_at_once_opens_one_dispute() -> None:
    with open_browser() as browser, served() as (base, _):
        table = open_table(base, ["Ada", "Ben"], game="monster_combat", variant="V1", settings={"first_player": 0})
        table.play_others(1)
        ben = Device(browser, base)
        table.give(ben, 1)
        ben.open(f"/dispute#{table.match}/1")
        ben.page.locator("ol.log button").last.click()
        ben.tap("Etwas anderes")
        ben.page.locator(".claims input").fill("Ada hat das nicht gesagt")
        ben.page.locator(".claims form").evaluate("form => { form.requestSubmit(); form.requestSubmit(); }")
        ben.page.locator("article.case").wait_for()
        assert not ben.page.get_by_role("dialog").count()
        assert len(table.read("/disputes")["items"]) == 1
        assert ben.complaints == []
        ben.close()
