"""Card books opened as tables: taken apart into cells where these say all of a card, else one cell of YAML."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from referee.cardscript.sheets.catalog import load_catalog
from referee.cardscript.sheets.from_book import open_book
from referee.cardscript.sheets.written_cards import MAX_WRITTEN, WRITTEN
from referee.games.books import check_book_text
from referee.games.card_tables import CheckedTable, check_table
from referee.rendering.input_errors import render_table_problem
from tests.cardscript.sheets.tables import GAMES, list_cards, make_grid
from tests.games.here_to_slay.booked import TEXT

HEAD = "book: box\ngame: creature_crush\ntitle: {en: Box, de: Schachtel}\nextends: printed\ncards:\n"
NOTHING = "{en: No effect., de: Kein Effekt.}"
FREE = [
    {"name": "Siren", "text_1": "Everybody sings", "german_1": "Alle singen", "text_2": "Draw 1 card."},
    {"name": "Crab", "text_1": "Ziehe 2 Karten.", "when_2": "trap", "text_2": "Go sideways", "german_2": "Seitwärts!"},
]


def open_again(text: str, game: str) -> CheckedTable:
    """Opens a book and checks the table that comes out of it."""
    grid, problems = open_book(text, game)
    assert problems == []
    return check_table(grid, game)


def load_entries(text: str) -> Any:
    return yaml.safe_load(text)["cards"]


@pytest.mark.parametrize("game", GAMES)
def test_a_book_that_a_table_made_is_taken_apart_into_the_same_cells(game: str) -> None:
    rows = list(list_cards(load_catalog(game), "en", everywhere=False))[:30]
    made = check_table(make_grid(load_catalog(game), rows))
    again = open_again(made.text, game)
    assert again.problems == ()
    assert [each.cells["name"] for each in again.cards if WRITTEN in each.cells] == []
    assert load_entries(again.text) == load_entries(made.text)
    assert again.texts.sentences == made.texts.sentences


@pytest.mark.parametrize("language", ["en", "de"])
def test_free_texts_are_found_between_what_is_printed(language: str) -> None:
    catalog = load_catalog("creature_crush")
    numbers = {"kind": "creature", "cost": "5", "attack": "2", "life": "3", "keywords": "lively, sluggish"}
    only = {"name": "Eel", "text_1": "Draw 1 card.", "when_2": "holds", "text_2": "It glows"}
    made = check_table(make_grid(catalog, [each | numbers for each in (*FREE, only)], language=language))
    again = open_again(made.text, "creature_crush")
    assert [each.cells.get(WRITTEN) for each in again.cards] == [None, None, None]
    assert load_entries(again.text) == load_entries(made.text)
    assert again.head["language"] == language
    assert again.cards[2].cells["text_2"] == "It glows."


def test_any_other_card_stays_as_it_is_written() -> None:
    again = open_again(TEXT, "here_to_slay")
    assert again.problems == ()
    assert all(WRITTEN in each.cells for each in again.cards)
    assert [each.card["name"] for each in again.cards if each.card] == [each["name"] for each in load_entries(TEXT)]
    before, after = check_book_text(TEXT), check_book_text(again.text)
    assert before.entries == after.entries
    assert (before.title, before.extends, before.name) == (after.title, after.extends, after.name)


def test_what_is_wrong_is_told_at_its_field_or_at_the_line_of_its_cell() -> None:
    cards = (
        "- {id: eel, kind: creature, name: Eel, cost: many, attack: 2, life: 500, "
        f"text: {NOTHING}}}\n"
        "- id: crab\n  kind: creature\n  name: Crab\n  cost: 5\n  attack: 2\n  text: It pinches.\n"
        "  action:\n  - {do: darw, count: 1}\n"
        "- {id: ray, kind: creatur, name: Ray}\n"
        "- {id: cod, kind: creature, name: Cod, text: Mute.}\n"
        "- 5\n"
    )
    again = check_table(open_book(HEAD + cards, "creature_crush")[0], "creature_crush")
    assert (9, WRITTEN, "life is missing") in [(each.row, each.column, each.detail) for each in again.problems]
    told = {(each.row - 7, each.column): each.detail for each in again.problems if "missing" not in each.detail}
    assert told[1, "cost"] == "'many' is not a whole number"
    assert told[2, WRITTEN].startswith("line 5: unknown verb 'darw'; did you mean 'draw'?")
    assert told[3, "kind"].startswith("'creatur' is not known here; did you mean creature?")
    assert told[4, "cost"] == "a card of kind creature needs this"
    assert (12, "name", "name is missing") in [(each.row, each.column, each.detail) for each in again.problems]
    german = [render_table_problem(each, "de") for each in again.problems if each.column == WRITTEN]
    assert german[-1] == "Zeile 5: Das Verb 'darw' gibt es nicht. Ist 'draw' gemeint?"
    number = f"- {{id: eel, kind: creature, name: Eel, cost: 5, attack: 2, life: 500, text: {NOTHING}}}\n"
    [wrong] = check_table(open_book(HEAD + number, "creature_crush")[0]).problems
    assert (wrong.row, wrong.column) == (8, "life")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("book: [", "line 2: this is no YAML: "),
        ("- 1", "a book must be a mapping with the keys book, game, title, extends, cards"),
        (HEAD, "line 5: cards must be a list of at least one card"),
        (HEAD + "- *x\n", "line 6: *x is an alias; write out what it stands for"),
    ],
)  # fmt: skip
def test_a_book_that_cannot_be_read_is_told_with_its_line(text: str, says: str) -> None:
    grid, [problem] = open_book(text, "creature_crush")
    assert grid == []
    assert problem.detail.startswith(says)
    assert render_table_problem(problem, "de") != problem.detail


@pytest.mark.parametrize("kind", ["[creature]", "{creature: 1}", "null", "3"])
def test_a_kind_that_is_no_text_is_told_in_its_row(kind: str) -> None:
    grid, problems = open_book(HEAD + f"- {{id: eel, kind: {kind}, name: Eel, cost: 5}}\n", "creature_crush")
    assert problems == []
    assert (8, "kind") in [(each.row, each.column) for each in check_table(grid).problems]


def test_what_a_book_has_besides_is_told_and_the_cards_are_opened() -> None:
    grid, [problem] = open_book(TEXT + "colour: red\n", "here_to_slay")
    assert problem.detail.endswith("a book has no key 'colour'")
    assert check_table(grid).problems == ()
    other = check_table(open_book(TEXT, "munchkin")[0], "munchkin").problems
    assert next(each.detail for each in other if each.column == "game") == "this is a table of here_to_slay"


def test_a_cell_of_yaml_says_what_columns_do_not() -> None:
    catalog, crab = load_catalog("creature_crush"), {"name": "Crab", "kind": "creature", "copies": "1"}
    said = "cost: 5\nattack: 2\nlife: 3\ntext: It pinches."
    assert check_table(make_grid(catalog, [crab | {WRITTEN: said}])).problems == ()
    for cells, column, told in (
        ({WRITTEN: said, "cost": "3"}, "cost", "a card that is written in YAML has nothing here"),
        ({WRITTEN: "5"}, WRITTEN, "a card in YAML has a key in each line, such as cost: 5"),
        ({WRITTEN: said + "\nid: crab"}, WRITTEN, "line 5: id has a column of its own"),
        ({WRITTEN: "cost: ["}, WRITTEN, "line 2: this is no YAML: "),
        ({WRITTEN: "x" * (MAX_WRITTEN + 1)}, "", f"a cell can have at most {MAX_WRITTEN} characters"),
        ({"text_1": "x" * 701}, "text_1", "a cell can have at most 700 characters"),
    ):
        problems = [each for each in check_table(make_grid(catalog, [crab | cells])).problems if each.column == column]
        assert problems, (cells, column)
        assert problems[0].detail.startswith(told), problems
        assert render_table_problem(problems[0], "de") != problems[0].detail


def test_a_book_of_riddles_takes_no_longer_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    module = "referee.cardscript.sheets.taking_apart._fill_free_texts"
    monkeypatch.setattr(module, lambda *_: tried.append(1))
    left = "referee.cardscript.sheets.taking_apart.Attempts.__init__"
    monkeypatch.setattr(left, lambda attempts: setattr(attempts, "left", 9))
    entry = "- {{id: eel_{}, kind: crush, name: Eel, cost: 1, text: It., flip: [{{do: as_written}}]}}\n"
    grid, _ = open_book(HEAD + "".join(entry.format(number) for number in range(30)), "creature_crush")
    assert 9 <= len(tried) <= 2 * 9
    assert sum(row[-1].startswith("cost: 1") for row in grid) == 30
