"""A club evening on phones: eight players, four tables, three rounds, officials at work, a board on the wall."""

from __future__ import annotations

import re
from typing import Any
from urllib.error import HTTPError

import pytest

from tests.page.browsing import Device
from tests.page.tables import request
from tests.page.test_bars import axe, find_faults, find_wide

pytestmark = pytest.mark.deep
__all__ = ["axe"]
NAMES = ["Ada", "Ben", "Cem", "Dia", "Eli", "Fay", "Gus", "Hal"]
DECK = "2 phoenix_2\n1 bone_pup"


class ClubEvening:
    """A tournament whose people use nothing but their phones."""

    def __init__(self, browser: Any, base: str) -> None:
        self.browser, self.base = browser, base
        self.host = Device(browser, base)
        self.phones: dict[str, Device] = {}
        self.codes: dict[str, str] = {}
        self.id = ""

    def open(self) -> None:
        """Open the tournament, and make the codes."""
        host = self.host
        host.open("/tournament")
        host.page.locator("select").first.select_option("creature_crush")
        host.tap("Schweizer System")
        host.page.locator("input[type=number]").fill("3")
        host.page.locator("select").last.select_option("30")
        host.tap("Ergebnisse werden gemeldet")
        host.tap("Decks werden hinterlegt")
        host.tap("Turnier eröffnen")
        host.sees("Die Anmeldung läuft")
        self.id = host.page.url.partition("#")[2]
        for role, says in (
            ("player", "zum Mitspielen"),
            ("floor", "Schiedsrichter"),
            ("committee", "Berufungsausschuss"),
        ):
            host.tap(f"Einladen: {says}")
            invited = host.page.locator("section.invited", has_text=f"Einladen: {says}")
            invited.locator("img.qr").wait_for()
            self.codes[role] = invited.locator("b.code").inner_text()

    def join(self, name: str, role: str) -> Device:
        """Let somebody join by a code that was called out."""
        phone = Device(self.browser, self.base)
        phone.open("/join")
        phone.page.locator("input.code").fill(self.codes[role])
        phone.page.locator("input").last.fill(name)
        phone.page.locator("form button").click()
        phone.page.locator("main.tour").wait_for()
        self.phones[name] = phone
        return phone

    def read(self) -> dict[str, Any]:
        """Return the tournament as anybody sees it."""
        found: dict[str, Any] = request(self.base, "GET", f"/v1/tournaments/{self.id}")
        return found

    def names_at(self, table: int) -> list[str]:
        """Return who sits at a table of the round."""
        view = self.read()
        return [view["players"][each]["name"] for each in view["rounds"][-1]["tables"][table - 1]["players"]]

    def finish_table(self, table: int) -> None:
        """Let the first player report a win, and the other sign."""
        first, second = (self.phones[each] for each in self.names_at(table))
        first.page.locator("fieldset button").first.click()
        first.sees("hat gewonnen")
        second.tap("Stimmt")
        second.sees("endgültig")

    def finish_round(self) -> None:
        """Finish all tables that have no result."""
        for table in self.read()["rounds"][-1]["tables"]:
            if table["result"] is None:
                self.finish_table(table["table"])

    def pair(self, number: int) -> None:
        """Pair a round, and wait until everybody knows."""
        self.host.tap(f"Runde {number} auslosen")
        for phone in self.phones.values():
            phone.sees(f"Runde {number} von 3")


def penalize(official: Device, player: str, infraction: str) -> None:
    """Give the penalty that is proposed."""
    form = official.page.locator("details", has=official.page.locator("summary", has_text="Strafe verhängen"))
    if not form.locator("form").is_visible():
        form.locator("summary").click()
    form.locator("select").first.select_option(label=player)
    form.locator("select").last.select_option(label=infraction)
    form.locator("button.solid").click()
    form.locator("button.solid").wait_for(state="detached")


def test_a_club_evening(browser: Any, base: str, axe: str) -> None:
    club = ClubEvening(browser, base)
    club.open()
    floor, committee = club.join("Kim", "floor"), club.join("Lou", "committee")
    for name in NAMES:
        phone = club.join(name, "player")
        phone.page.locator("textarea").fill(DECK)
        phone.page.locator("form button.solid").click()
        phone.sees("Dein Deck ist hinterlegt")
    club.phones["Ada"].take_picture("tournament-registered", whole=True)
    wall = Device(browser, base, size=(1920, 1080))
    wall.open(f"/rounds#{club.id}")
    wall.sees("Hal")
    club.host.tap("Anmeldung schließen und starten")
    club.host.sees("Gleich geht es weiter")
    club.pair(1)
    wall.sees("Runde 1 von 3")

    # a table calls, an official comes
    caller = club.phones[club.names_at(1)[0]]
    caller.page.locator("summary", has_text="Schiedsrichter rufen").click()
    caller.tap("Eine Regelfrage")
    caller.sees("Die Zeit des Tischs steht")
    wall.sees("Zeit angehalten")
    wall.take_picture("tournament-wall")
    floor.sees("ruft das Schiedsgericht")
    assert find_wide(floor) == ""
    assert find_faults(floor, axe) == []
    floor.take_picture("tournament-desk", whole=True)
    floor.tap("Ich übernehme das")
    floor.sees("Du kümmerst dich")
    club.host.sees("Kim kümmert sich")
    floor.tap("Ich bin am Tisch")
    floor.sees("Nichts wartet")

    # the same infraction twice: the second one costs the table
    late = club.names_at(2)[0]
    penalize(floor, late, "zu spät zur Runde")
    club.phones[late].sees("Verwarnung")
    club.phones[late].take_picture("tournament-warned", whole=True)
    assert "Verwarnung" not in wall.page.locator("body").inner_text()
    penalize(floor, late, "zu spät zur Runde")
    club.phones[late].sees("Verlust des Spiels")
    club.phones[late].sees("endgültig")

    # a deck check
    floor.page.locator("summary", has_text="Deck prüfen").click()
    deck = floor.page.locator("details", has=floor.page.locator("summary", has_text="Deck prüfen"))
    deck.locator("select").select_option(label=NAMES[3])
    deck.locator("textarea").fill("2 phoenix_2\n2 bone_pup")
    deck.locator("button.solid").click()
    floor.sees("Zu viel: 1 bone_pup")
    floor.take_picture("tournament-deck", whole=True)

    # an appeal to the committee, without the one who ruled
    punished = club.phones[late]
    punished.page.locator("article", has_text="Verlust des Spiels").locator("summary").click()
    punished.page.locator("article", has_text="Verlust des Spiels").locator("input").fill("Ich saß schon")
    punished.page.locator("article", has_text="Verlust des Spiels").locator("button.solid").click()
    punished.sees("Berufung läuft")
    floor.sees("Du hast selbst entschieden")
    committee.sees("Ich saß schon")
    committee.take_picture("tournament-appeal", whole=True)
    committee.tap("Entscheidung aufheben")
    punished.sees("zurückgenommen")
    club.finish_round()

    # somebody leaves in the second round
    club.pair(2)
    leaver = club.names_at(4)[1]
    club.phones[leaver].page.once("dialog", lambda dialog: dialog.accept())
    club.phones[leaver].tap("Das Turnier verlassen")
    club.phones[leaver].sees("nicht mehr dabei")
    club.finish_round()
    club.host.tap("Runde 3 auslosen")
    club.host.sees("Runde 3 von 3")
    wall.sees("Freilos")
    wall.take_picture("tournament-last-round")
    club.finish_round()
    club.host.tap("Turnier beenden")
    wall.sees("Das Turnier ist beendet")
    club.host.take_picture("tournament-over", whole=True)
    view = club.read()
    assert view["status"] == "finished"
    assert sorted(row["rank"] for row in view["standings"])[0] == 1
    assert [each["stage"] for each in view["penalties"]] == ["expunged"], "the warning is nobody's business"
    for phone in (*club.phones.values(), club.host, wall):
        assert phone.complaints == []
        phone.close()


def test_what_a_stranger_opens_is_the_public_view(browser: Any, base: str, axe: str) -> None:
    made = request(
        base, "POST", "/v1/tournaments", {"game": "monster_combat", "plays": "reported", "host_plays": False}
    )
    device = Device(browser, base, size=(320, 700))
    device.open(f"/tournament#{made['tournament']}")
    device.sees("Die Anmeldung läuft")
    assert not re.search("auslosen|verhängen|Warteliste", device.page.locator("main").inner_text())
    assert find_faults(device, axe) == []
    assert find_wide(device) == ""
    device.open("/tournament#07-Tabcdefghijklmnopqrstuvwxyz")
    device.page.locator("main").wait_for()
    device.close()


def test_a_table_whose_match_was_abandoned_gets_a_new_one(browser: Any, base: str) -> None:
    host = Device(browser, base)
    host.open("/tournament")
    host.page.locator("select").first.select_option("monster_combat")
    host.tap("Turnier eröffnen")
    host.sees("Die Anmeldung läuft")
    path = f"/v1/tournaments/{host.page.url.partition('#')[2]}"
    host.tap("Einladen: zum Mitspielen")
    code = host.page.locator("section.invited", has_text="Einladen: zum Mitspielen").locator("b.code")
    code.wait_for()
    bodies = [{"code": code.inner_text(), "name": name} for name in NAMES[:2]]
    players = [request(base, "POST", "/v1/join", body)["token"] for body in bodies]
    host.tap("Anmeldung schließen und starten")
    host.tap("Runde 1 auslosen")

    # a call of a refereed table is answered here, and not in the match
    call = {"command": {"type": "tournament.call", "reason": "rules"}}
    request(base, "POST", f"{path}/commands", call, players[0])
    host.tap("Ich bin am Tisch")
    host.sees("Nichts wartet")

    table = request(base, "GET", path)["rounds"][0]["tables"][0]
    match, (one, other) = f"/v1/matches/{table['match']}", (players[each] for each in table["players"])
    version = request(base, "GET", match, token=one)["version"]
    asked = request(base, "POST", f"{match}/end", {"reason": "abandoned"}, one, version)["ending"]["ending"]
    request(base, "POST", f"{match}/endings/{asked}/consents", {"grant": True}, other)
    request(base, "GET", path)
    host.sees("ohne Ergebnis zu Ende gegangen")
    desk = host.page.locator("details", has=host.page.locator("summary", has_text="Tisch 1"))
    desk.locator("summary").click()
    desk.locator("input").fill("Der Akku war leer")
    desk.locator("button", has_text="Neue Partie öffnen").click()
    host.sees("Nichts wartet")
    assert request(base, "GET", path)["rounds"][0]["tables"][0]["former_matches"] == [table["match"]]
    assert host.complaints == []
    host.close()


def test_the_host_rates_matches_withdraws_an_invitation_and_records_tables_of_bots(
    browser: Any, base: str, axe: str
) -> None:
    host = Device(browser, base)
    host.page.on("dialog", lambda dialog: dialog.accept())
    host.open("/tournament")
    host.page.locator("select").first.select_option("monster_combat")
    host.tap("Alle können den Partien zusehen")
    host.tap("Die Partien zählen für die Wertung")
    host.page.locator("button", has_text="Alle können den Partien zusehen").wait_for(state="detached")
    assert find_faults(host, axe) == []
    host.take_picture("tournament-open", whole=True)
    host.tap("Turnier eröffnen")
    host.sees("Die Anmeldung läuft")
    path = f"/v1/tournaments/{host.page.url.partition('#')[2]}"
    form = request(base, "GET", path)["format"]
    assert (form["rated"], form["visibility"]) == (True, "public")

    host.open("/tournament")
    host.page.locator("select").first.select_option("monster_combat")
    host.tap("Ergebnisse werden gemeldet")
    host.tap("Turnier eröffnen")
    host.sees("Die Anmeldung läuft")
    path = f"/v1/tournaments/{host.page.url.partition('#')[2]}"
    host.tap("Einladen: Schiedsrichter")
    invited = host.page.locator("section.invited", has_text="Einladen: Schiedsrichter")
    invited.locator("img.qr").wait_for()
    code = invited.locator("b.code").inner_text()
    invited.locator("button", has_text="Einladung zurückziehen").click()
    invited.locator("text=gilt nicht mehr").wait_for()
    assert invited.locator("img.qr").count() == 0
    with pytest.raises(HTTPError, match="404"):
        request(base, "POST", "/v1/join", {"code": code, "name": "Kim"})
    host.page.reload()
    invited.locator("text=gilt nicht mehr").wait_for()
    for _ in range(2):
        host.tap("Einen Bot anmelden")
    host.sees("2 Personen sind dabei")
    host.tap("Anmeldung schließen und starten")
    host.tap("Runde 1 auslosen")
    host.sees("Tische mit Bots")
    bots = host.page.locator("section", has=host.page.locator("h2", has_text="Tische mit Bots"))
    bots.locator("summary").click()
    assert find_faults(host, axe) == []
    assert find_wide(host) == ""
    host.take_picture("tournament-bots", whole=True)
    bots.locator("button").first.click()
    bots.wait_for(state="detached")
    table = request(base, "GET", path)["rounds"][0]["tables"][0]
    assert (table["final"], len(table["result"]["placement"])) == (True, 2)
    assert host.complaints == []
    host.close()
