"""Judge without a match: one form for all games, mistakes at their place, missing facts, verdict, clause, paper."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli.main import cli
from referee.games import load_games
from tests.api.test_question_documents import GERMAN
from tests.cli.test_judging import SPELL
from tests.page.browsing import Device
from tests.page.test_bars import axe, find_faults, find_wide  # noqa: F401  # axe is a fixture
from tests.position_rulings.test_house_rulings import HOUSE

pytestmark = pytest.mark.deep
GAMES = tuple(load_games())
EXPECTED = re.compile("status of (409|422)")  # what the browser notes about an answer that says what is wrong


def open_form(device: Device, game: str) -> None:
    device.open(f"/judge#{game}")
    device.page.locator("[data-ask], [data-kind], details[open] select").first.wait_for()
    device.page.wait_for_load_state("networkidle")


def unfold_players(device: Device) -> None:
    folded = device.page.locator("details.seat-part:not([open]) > summary")
    while folded.count():
        folded.first.click()


def read(shown: Any) -> str:
    """What is shown, without the signs that keep names apart from the text around them."""
    return re.sub("[\u2068\u2069]", "", shown.inner_text())


def find_complaints(device: Device) -> list[str]:
    return [each for each in device.complaints if not EXPECTED.search(each)]


@pytest.fixture
def form(browser: Any, base: str) -> Any:
    device = Device(browser, base, lang="de-DE")
    open_form(device, "monster_combat")
    yield device
    assert find_complaints(device) == []
    device.close()


def test_a_question_is_put_in_a_few_taps_and_answered_with_the_clause(form: Device) -> None:
    page = form.page
    form.sees("Eine Karte spielen oder keine?")
    assert page.locator("button.call").is_disabled()
    page.locator("""[data-ask*='"shield"']""").click()
    page.locator("button.call").click()
    ruling = page.locator(".verdict")
    ruling.wait_for()
    assert ruling.get_by_role("heading", name="Nicht erlaubt").is_visible()
    assert "Ein Schild ist nur die Antwort auf einen Angriff" in ruling.inner_text()
    clause = ruling.locator(".clause").first
    assert clause.inner_text() == "MC-SHIELD-1"
    page.locator("""[data-ask*='"sword"']""").click()
    assert ruling.count() == 0  # it was about another move
    page.locator("button.call").click()
    page.get_by_role("heading", name="Erlaubt", exact=True).wait_for()
    clause.first.click()
    form.page.wait_for_url("**/rules#monster_combat/**")
    page.locator(".ref .clause").first.wait_for()


def test_the_position_is_changed_by_steps_taps_and_search(form: Device) -> None:
    page = form.page
    first = page.locator(".seat-part").first
    first.get_by_role("button", name="Herzen: eins weniger").click()
    assert first.locator("input[type=number]").first.input_value() == "2"
    first.get_by_role("button", name=re.compile("Schwert.*entfernen")).click()
    first.get_by_role("button", name=re.compile("Karte.*Hand")).click()
    sheet = page.get_by_role("dialog")
    sheet.locator("input").fill("aussetz")
    sheet.locator("[data-value=skip]").click()
    page.locator("""[data-ask*='"skip"']""").wait_for()  # what one could do now follows what was written
    assert page.locator("""[data-ask*='"sword"']""").count() == 0
    page.locator("summary", has_text="Spieler 2").click()
    second = page.locator(".seat-part").nth(1)
    second.get_by_role("button", name="Hand, Karten insgesamt: eins mehr").click()
    assert second.locator("input[type=number]").last.input_value() == "5"
    page.locator("[id='at/turn']").get_by_role("button", name="Spieler 2").click()
    page.get_by_role("group", name="Wer macht den Zug?").locator("[aria-pressed=true]", has_text="Spieler 2").wait_for()
    page.get_by_role("button", name="Andere Spielsituation").click()
    sheet.locator("input").fill("Blitz von Spieler 1")
    sheet.locator("[data-example]").click()
    form.sees("Der Blitz von Spieler 1 greift dich an")
    assert first.locator("input[type=number]").first.input_value() == "3"  # another example, from its beginning


def test_a_mistake_is_said_at_its_place_in_the_referees_words(form: Device) -> None:
    page = form.page
    page.locator("summary", has_text="Spieler 3").click()
    hearts = page.locator("[id='at/players/2/hearts']")
    hearts.locator("input").fill("9")
    hearts.get_by_text("Hier wird eine ganze Zahl von 0 bis 3 gebraucht.").wait_for()
    mistake = page.locator(".mistake")
    assert mistake.inner_text().startswith("Spieler 3, Herzen")
    mistake.click()
    assert page.evaluate("() => document.activeElement.id") == "at/players/2/hearts"
    form.take_picture("judge-mistake-light")
    hearts.locator("input").fill("2")
    mistake.wait_for(state="detached")
    add = page.locator(".seat-part").first.get_by_role("button", name=re.compile("Karte.*Hand"))
    for _ in range(14):  # with those on the table there are more shields than the box holds
        add.click()
        page.get_by_role("dialog").locator("[data-value=shield]").click()
    page.locator("[id='at/players/0/hand'] .wrong-here", has_text="die Schachtel enthält").wait_for()


def test_facts_that_are_missing_are_asked_for_and_answered_with_a_tap(form: Device) -> None:
    page = form.page
    page.locator("""[data-ask*='"life_back"']""").click()
    page.get_by_role("button", name="Herzen entfernen").first.click()
    page.locator("button.call").click()
    page.get_by_role("heading", name="Das muss ich noch wissen").wait_for()
    form.sees("Wie viele volle Herzen hat Spieler 1?")
    form.take_picture("judge-facts-light")
    page.get_by_role("group", name="Wie viele volle Herzen").get_by_role("button", name="2", exact=True).click()
    page.get_by_role("heading", name="Erlaubt", exact=True).wait_for()
    assert page.locator("[id='at/players/0/hearts'] input").input_value() == "2"
    page.get_by_role("button", name="Herzen entfernen").first.click()
    page.locator("button.call").click()
    page.get_by_role("button", name="Das weiß niemand mehr").click()
    page.get_by_role("heading", name="Unentschieden").wait_for()
    assert "2: Erlaubt" in page.locator(".verdict").inner_text()
    assert "3: Nicht erlaubt" in page.locator(".verdict").inner_text()


def test_what_nobody_knows_of_a_player_goes_with_the_player(form: Device, tmp_path: Path) -> None:
    page, file = form.page, tmp_path / "question.json"
    players: list[Any] = [{"hand": ["life_back"]}, {"hearts": 2, "hand": 4}, {"hearts": 2, "hand": 4}]
    position = {"players": players, "turn": 0, "question": {"asks": "play"}}
    asked = {"seat": 0, "move": {"type": "mc.play", "card": "life_back"}}
    unknown = ["/position/players/2/immune", "/position/players/0/hearts", "/position/skipped"]
    question = {"game": "monster_combat", "position": position, **asked, "unknown": unknown}
    file.write_text(json.dumps(question), "utf-8")
    page.get_by_label("Frage aus einer Datei öffnen").set_input_files(file)
    page.locator("summary", has_text="Spieler 3").click()
    page.get_by_role("button", name="Spieler 3 entfernen").click()
    with page.expect_request("**/rulings") as sent:
        page.locator("button.call").click()
    assert sent.value.post_data_json["unknown"] == unknown[1:]
    file.write_text(json.dumps({**question, "unknown": ["/position/players/0/heart"]}), "utf-8")
    page.get_by_label("Frage aus einer Datei öffnen").set_input_files(file)
    page.locator("summary", has_text="Spieler 3").wait_for()
    page.locator("button.call").click()
    page.locator(".mistake", has_text="Das weiß niemand mehr").wait_for()
    form.sees("In der Nähe sind: /position/players/0/hearts, ")


def test_a_fact_that_is_a_list_or_a_number_is_written_as_in_the_form(form: Device) -> None:
    open_form(form, "here_to_slay")
    page = form.page
    page.locator("""[data-ask*='"hts.roll_for"']""").first.click()
    page.get_by_role("button", name="In diesem Zug gewürfelt für entfernen").click()
    page.get_by_role("button", name="Aktionspunkte entfernen").click()
    page.locator("button.call").click()
    page.get_by_role("group", name="Wie viele Aktionspunkte").get_by_role("button", name="So ist es").click()
    marked = page.get_by_role("group", name="Für welche Helden").first
    marked.get_by_role("button", name="So ist es").click()
    page.get_by_role("heading", name="Erlaubt", exact=True).wait_for()


def test_any_other_move_can_be_asked_about(form: Device) -> None:
    page = form.page
    page.locator("summary", has_text="Ein anderer Zug").click()
    page.locator("details select").last.select_option(label="Abwehren")
    page.locator("button.call").click()
    page.get_by_role("heading", name="Nicht erlaubt").wait_for()
    page.get_by_role("group", name="Wer macht den Zug?").get_by_role("button", name="Spieler 3").click()
    page.locator("details select").last.select_option(label="Karte spielen")
    page.locator("button.call").click()
    page.locator(".verdict").wait_for()
    assert "Spieler 3" in page.locator(".verdict .ask").inner_text()


def test_players_have_names_and_it_is_said_who_of_them_is_right(form: Device, axe: str) -> None:  # noqa: F811
    page = form.page
    page.locator("summary", has_text="Namen der Spieler").click()
    page.locator("[data-name='0']").fill("Ada")
    page.locator("[data-name='1']").fill("Ben")
    page.locator("""[data-ask*='"shield"']""").click()
    page.locator("label.check input").check()
    first, second = (page.locator(f"details[data-party='{seat}']") for seat in (0, 1))
    first.locator("summary").click()
    first.get_by_role("button", name="Erlaubt", exact=True).click()
    first.get_by_label("In eigenen Worten").fill("Der Schild geht immer.")
    second.locator("summary", has_text="Ben").click()
    second.get_by_role("button", name="Nicht erlaubt").click()
    second.get_by_label("Nach welcher Regel?").fill("MC-SHIELD-1")
    assert "Ada, Herzen" in read(second.locator("select.add"))
    second.locator("select.add").select_option(value="/players/0/hearts")
    second.get_by_role("button", name=re.compile("Ada.*Herzen: eins weniger")).click()
    page.locator("button.call").click()
    ruling = page.locator(".verdict")
    ruling.wait_for()
    assert "Ada spielt „Schild“" in read(ruling.locator(".ask"))
    ada, ben = (read(ruling.locator(f"[data-party='{seat}']")) for seat in (0, 1))
    assert "Ada hat nicht recht" in ada
    assert "Der Schild geht immer." in ada
    assert "Ben" in ben
    assert "Ada, Herzen" in ben
    assert find_faults(form, axe) == []
    assert find_wide(form) == ""
    form.take_picture("judge-parties-light", whole=True)
    second.get_by_label("Nach welcher Regel?").fill("MC-NO-1")
    page.locator("button.call").click()
    second.locator(".wrong-here").wait_for()


def test_the_table_agrees_on_a_reading_and_a_house_ruling_binds(form: Device, tmp_path: Path) -> None:
    file = tmp_path / "question.json"
    file.write_text(json.dumps(SPELL), "utf-8")
    page = form.page
    page.get_by_label("Frage aus einer Datei öffnen").set_input_files(file)
    page.wait_for_url("**/judge#here_to_slay/standard")
    page.locator("button.call:not([disabled])").click()
    page.get_by_role("heading", name="Unentschieden").wait_for()
    page.locator("[data-reading='2']").click()
    page.get_by_role("heading", name="Nicht erlaubt").wait_for()
    page.get_by_role("button", name="Wieder offenlassen").click()
    page.get_by_role("heading", name="Unentschieden").wait_for()
    kept = tmp_path / "house.json"
    kept.write_text(json.dumps({"precedents": [HOUSE]}), "utf-8")
    page.locator("summary", has_text="Hausurteile").click()
    page.get_by_label("referee precedents").set_input_files(kept)
    page.get_by_text("HTS-AMB-45, Lesart 2.").wait_for()
    page.locator("button.call").click()
    page.get_by_role("heading", name="Nicht erlaubt").wait_for()
    assert "Hausurteil aus Eintrag 31" in page.locator(".verdict").inner_text()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Frage als Datei sichern").click()
    again = CliRunner().invoke(cli, ["judge", str(saved.value.path()), "--json"])
    ruled = json.loads(again.output)
    assert (ruled["verdict"], ruled["house_rulings"][0]["entry"]) == ("refused", 31)
    file.write_text("game: here_to_slay", "utf-8")
    page.get_by_label("Frage aus einer Datei öffnen").set_input_files(file)
    page.get_by_text("Das ist keine Frage").wait_for()


def test_files_of_the_command_are_opened_in_yaml_and_in_words(form: Device, tmp_path: Path) -> None:
    file, page = tmp_path / "frage.yaml", form.page
    opener = page.get_by_label("Frage aus einer Datei öffnen")
    file.write_text(GERMAN.replace("Ada", "Cleo"), "utf-8")
    opener.set_input_files(file)
    page.wait_for_url("**/judge#monster_combat/V1")
    page.locator("""[data-ask*='"shield"'][aria-pressed=true]""").wait_for()
    assert "Schwert" in page.locator("[id='at/players/0/hand'] .chip-card").first.inner_text()
    page.locator("button.call").click()
    page.get_by_role("heading", name="Nicht erlaubt").wait_for()
    assert "Cleo spielt „Schild“" in read(page.locator(".verdict .ask"))
    file.write_text(CliRunner().invoke(cli, ["judge", "--example", "munchkin", "--lang", "de"]).output, "utf-8")
    opener.set_input_files(file)
    page.wait_for_url("**/judge#munchkin/standard")
    page.locator("button.call:not([disabled])").click()
    page.get_by_role("heading", name="Nicht erlaubt").wait_for()
    file.write_text(GERMAN.replace("spielt Schild", "singt ein Lied"), "utf-8")
    opener.set_input_files(file)
    page.get_by_text("welchen Zug die Datei meint, war nicht zu verstehen").wait_for()
    assert page.locator("button.call").is_disabled()
    file.write_text(f"{GERMAN}Zug: zweimal\n", "utf-8")
    opener.set_input_files(file)
    page.get_by_text("Das ist keine Frage, die sich hier öffnen lässt. Zeile 11: ").wait_for()
    assert page.locator("[id='at/players/0/hand'] .chip-card").count() == 2  # what was there stays


def test_a_file_that_holds_anything_is_opened_as_far_as_it_goes(form: Device) -> None:
    players: list[Any] = [{"hearts": 3, "hand": ["shield"]}, {"hearts": 2, "hand": 4}]
    good = {"game": "monster_combat", "variant": "V1", "position": {"players": players, "question": {"asks": "play"}}}
    wrongs: tuple[dict[str, Any], ...] = (
        {"precedents": [1, {"readings": None}, {"readings": [5]}]},
        {"says": [{"seat": 0, "saw": None, "says": 5, "legal": "x", "clause": {}}]},
        {"claim": "other", "saw": {"x": {"a": [1]}, "/players/0/hand": None}, "unknown": [1, None]},
        {"position": {"players": [1, None, "x"], "question": [1], "colour": "red"}},
        {"edition": {"a": 1}},
    )
    for number, wrong in enumerate(wrongs):
        data = json.dumps({**good, "names": [f"Ada {number}", None], **wrong}).encode()
        file: Any = {"name": f"question{number}.json", "mimeType": "application/json", "buffer": data}
        form.page.get_by_label("Frage aus einer Datei öffnen").set_input_files(file)
        form.sees(f"Ada {number}")
    form.open("/judge#monster_combat/V1/nothing")
    form.sees("Diese Form oder diese Karten gibt es auf diesem Server nicht")
    form.complaints[:] = [each for each in form.complaints if "status of 404" not in each]


def test_the_language_changes_at_once_in_form_and_ruling(form: Device) -> None:
    page = form.page
    page.locator("""[data-ask*='"shield"']""").click()
    page.locator("button.call").click()
    page.locator(".verdict").wait_for()
    page.get_by_role("button", name="EN", exact=True).click()
    page.get_by_role("heading", name="Not legal").wait_for()
    page.locator(".verdict .ask", has_text="A shield only answers an attack").wait_for()
    page.locator("""[data-ask*='"shield"']""", has_text="Play Shield.").wait_for()


def test_the_ruling_is_printed_with_the_position_and_without_the_form(form: Device) -> None:
    page = form.page
    page.locator("""[data-ask*='"shield"']""").click()
    page.locator("button.call").click()
    page.locator(".verdict").wait_for()
    page.emulate_media(media="print")
    assert page.locator(".verdict").is_visible()
    assert page.locator(".written").is_visible()
    assert "Herzen: 3; Immun: nein; Hand: Schwert, Schild, Leben zurück, Blitz" in page.locator(".written").inner_text()
    for hidden in (".seat-part", "button", "select", ".switch"):
        assert not any(each.is_visible() for each in page.locator(hidden).all()), hidden
    form.take_picture("judge-print", whole=True)


@pytest.mark.parametrize(("lang", "scheme"), [("de-DE", "light"), ("en-US", "dark")])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_asked_about_in_the_same_form(
    browser: Any,
    base: str,
    axe: str,  # noqa: F811
    game: str,
    lang: str,
    scheme: str,
) -> None:
    device = Device(browser, base, size=(320, 700), lang=lang, scheme=scheme)
    open_form(device, game)
    page = device.page
    unfold_players(device)
    assert find_wide(device) == ""
    assert find_faults(device, axe) == []
    assert page.locator(".mistake").count() == 0
    if page.locator("[data-ask]").count():
        page.locator("[data-ask]").first.click()
        page.locator("button.call").click()
        page.locator(".verdict").wait_for()
        assert page.locator(".verdict .clause").count() > 0
        assert find_faults(device, axe) == []
        assert find_wide(device) == ""
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, a.btn, summary, select, input:not([type=checkbox])')]
          .map(e => [e.getBoundingClientRect(), e])
          .filter(([box]) => box.width && Math.min(box.width, box.height) < 47.5)
          .map(([, e]) => e.outerHTML.slice(0, 120))"""
    )
    assert small == []
    device.take_picture(f"judge-{game}-{scheme}", whole=True)
    assert find_complaints(device) == []
    device.close()


def test_nothing_scrolls_sideways_with_letters_of_twice_the_size(browser: Any, base: str) -> None:
    device = Device(browser, base, size=(390, 844))
    device.page.add_init_script(
        "addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '32px')"
    )
    for game in GAMES:
        open_form(device, game)
        unfold_players(device)
        assert find_wide(device) == "", game
    device.close()
