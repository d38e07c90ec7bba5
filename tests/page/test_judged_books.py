"""Judge with the cards of published books: chosen by a button, in the form, in the ruling and in files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli.main import cli
from tests.api.house import Person, publish
from tests.cli.test_judging import BOOKED
from tests.clients.house import served
from tests.games.here_to_slay.booked import FILE, TEXT
from tests.page.browsing import Device
from tests.page.test_judge import find_complaints, open_form, read
from tests.page.test_written import OPERATOR, plain_box

pytestmark = pytest.mark.deep
FAIR = Path(__file__).parent.parent / "games/munchkin/books/autumn_fair.yaml"


@pytest.fixture(scope="module")
def shelf() -> Iterator[str]:
    """A server with two books of Here to Slay, one of them a box of its own, and one of Munchkin."""
    with served() as (address, app):
        app.config["IS_OPERATOR"] = lambda token: token == OPERATOR
        operator = Person(app.test_client(), OPERATOR)
        for game, text in (
            ("here_to_slay", TEXT),
            ("here_to_slay", plain_box()),
            ("munchkin", FAIR.read_text("utf-8")),
        ):
            made = publish(operator, game, text)
            assert made.status_code == 201, made.text
        yield address


@pytest.fixture
def form(browser: Any, shelf: str) -> Iterator[Device]:
    device = Device(browser, shelf)
    yield device
    assert find_complaints(device) == []
    device.close()


def find_books(form: Device) -> Any:
    return form.page.get_by_role("group", name="Mit welchen Karten?")


def find_chosen(form: Device) -> list[str]:
    return [read(each) for each in find_books(form).locator("[aria-pressed=true]").all()]


def choose(form: Device, book: str) -> None:
    find_books(form).get_by_role("button", name=book).click()
    find_books(form).get_by_role("button", name=book, pressed=True).wait_for()
    form.page.locator("[data-ask], [data-kind], .mistake").first.wait_for()


def test_each_game_offers_its_own_books_in_the_language_of_the_page(form: Device) -> None:
    open_form(form, "here_to_slay")
    assert [read(each) for each in find_books(form).get_by_role("button").all()] == [
        "die des Spiels",
        "Hafengeschichten",
        "Plain Box",
    ]
    assert find_chosen(form) == ["die des Spiels"]
    form.page.get_by_role("button", name="EN", exact=True).click()
    form.page.get_by_role("button", name="Harbour Tales").wait_for()
    form.page.get_by_role("button", name="DE", exact=True).click()
    form.page.get_by_role("button", name="Munchkin").click()
    form.page.get_by_role("button", name="Herbstmarkt").wait_for()
    assert find_books(form).get_by_role("button").count() == 2
    form.page.get_by_role("button", name="Monster Combat").click()
    form.page.wait_for_url("**/judge#monster_combat")
    form.page.locator("[data-ask]").first.wait_for()
    assert find_books(form).count() == 0


def test_a_question_is_put_with_cards_of_a_book_and_goes_on_with_the_command(form: Device) -> None:
    open_form(form, "here_to_slay")
    page = form.page
    page.locator("summary", has_text="Namen der Spieler").click()
    page.locator("[data-name='0']").fill("Ada")
    choose(form, "Hafengeschichten")
    page.wait_for_url("**/judge#here_to_slay/standard/harbour_tales@*")
    page.locator(".seat-part", has_text="Ada").first.wait_for()  # the players stay when other cards are chosen
    first = page.locator(".seat-part").first
    first.get_by_role("button", name=re.compile("Karte.*Hand")).click()
    sheet = page.get_by_role("dialog")
    sheet.locator("input").fill("springfl")
    sheet.locator("[data-value^='spring_tide@']").click()
    page.locator("""[data-ask*='spring_tide@']""").first.click()
    page.locator("button.call").click()
    page.get_by_role("heading", name="Erlaubt", exact=True).wait_for()
    assert "Ada: „Springflut“ ausspielen" in read(page.locator(".verdict .ask"))
    with page.expect_download() as saved:
        page.get_by_role("button", name="Frage als Datei sichern").click()
    file = str(saved.value.path())
    ruled = CliRunner().invoke(cli, ["judge", file, "--json", "--book", str(FILE)])
    assert json.loads(ruled.output)["verdict"] == "granted"
    choose(form, "die des Spiels")
    page.wait_for_url("**/judge#here_to_slay/standard")
    assert page.locator("""[data-ask*='spring_tide']""").count() == 0
    page.get_by_label("Frage aus einer Datei öffnen").set_input_files(file)
    page.locator("""[data-ask*='spring_tide@'][aria-pressed=true]""").first.wait_for()
    assert find_chosen(form) == ["Hafengeschichten"]


@pytest.mark.parametrize("edition", ["harbour_tales", "Harbour"])
def test_a_file_names_a_book_and_one_that_is_not_there_is_told(form: Device, edition: str, tmp_path: Path) -> None:
    open_form(form, "here_to_slay")
    page, file = form.page, tmp_path / "question.json"
    file.write_text(json.dumps({**BOOKED, "edition": edition}), "utf-8")
    page.get_by_label("Frage aus einer Datei öffnen").set_input_files(file)
    if edition == "Harbour":
        form.sees("Diese Form oder diese Karten gibt es auf diesem Server nicht")
        assert find_chosen(form) == []
        return
    page.locator("button.call:not([disabled])").click()
    page.get_by_role("heading", name="Erlaubt", exact=True).wait_for()
    assert find_chosen(form) == ["Hafengeschichten"]
    assert "Alter Krake" in read(page.locator(".verdict .ask"))


def test_an_address_may_name_a_book_without_its_hash(form: Device) -> None:
    open_form(form, "here_to_slay/standard/harbour_tales")
    find_books(form).get_by_role("button", name="Hafengeschichten", pressed=True).wait_for()


@pytest.mark.parametrize(
    ("game", "book"), [("here_to_slay", "Hafengeschichten"), ("here_to_slay", "Plain Box"), ("munchkin", "Herbstmarkt")]
)
def test_the_form_begins_without_mistakes_whichever_cards_are_chosen(form: Device, game: str, book: str) -> None:
    open_form(form, game)
    choose(form, book)
    form.page.wait_for_load_state("networkidle")
    form.page.locator("[data-ask], [data-kind], .mistake").first.wait_for()
    assert [read(each) for each in form.page.locator(".mistake").all()] == []
    assert form.page.locator("[data-ask], [data-kind]").count() > 0
