"""Card books as far as all games agree on them: what is read, and all that is refused."""

from __future__ import annotations

import hashlib
import re
import time
from pathlib import Path

import pytest

from referee.cardscript.books.files import MAX_BOOK_BYTES, MAX_COPIES, CardRegistry, parse_book
from referee.engine.rulebook.editions import CardBook, CardBookError, Editions, strip_edition
from referee.games.books import check_book_text, games_with_card_books
from referee.games.here_to_slay.texts.faces import KINDS
from tests.speed import measure_slowness

BOOK = """\
book: my_cards
game: some_game
title: My cards
cards:
- id: stone_cat
  kind: creature
  name: Stone Cat
  text: {en: It waits., de: Sie wartet.}
- id: tin_dog
  name: {en: Tin Dog, de: Blechhund}
  text: It barks.
  copies: 3
"""


def refused(text: str, *games: str) -> list[str]:
    """The lines in which a text is refused."""
    with pytest.raises(CardBookError) as wrong:
        parse_book(text, "my.yaml", games)
    assert str(wrong.value).splitlines() == list(wrong.value.messages)
    return [f"{each.line}: {each.detail}" for each in wrong.value.problems]


def test_a_book_is_the_bytes_of_its_file_and_its_edition_is_named_after_them() -> None:
    book = parse_book(BOOK)
    assert book.hash == hashlib.sha256(BOOK.encode()).hexdigest()
    assert book.edition == f"my_cards@{book.hash[:8]}"
    assert book.card_id("stone_cat") == f"stone_cat@{book.hash[:8]}"
    assert strip_edition(book.card_id("stone_cat")) == strip_edition("stone_cat") == "stone_cat"
    assert (book.name, book.game, book.extends, book.text) == ("my_cards", "some_game", "", BOOK)
    assert parse_book(BOOK + "\n").edition != book.edition


def test_one_text_stands_for_all_languages() -> None:
    book = parse_book(BOOK)
    assert book.title == {"en": "My cards", "de": "My cards"}
    assert [entry["name"] for entry in book.entries] == [
        {"en": "Stone Cat", "de": "Stone Cat"},
        {"en": "Tin Dog", "de": "Blechhund"},
    ]
    assert [entry["text"]["de"] for entry in book.entries] == ["Sie wartet.", "It barks."]


def test_every_card_knows_its_line_and_those_of_its_keys() -> None:
    first, second = parse_book(BOOK).entries
    assert (first.line, second.line) == (5, 9)  # type: ignore[attr-defined]
    assert (second.line_of("copies"), second.line_of("nothing")) == (12, 9)  # type: ignore[attr-defined]


def test_all_that_is_wrong_is_told_at_once_in_the_order_of_the_lines() -> None:
    text = BOOK.replace("book: my_cards", "book: My Cards").replace("copies: 3", "copies: many")
    text = text.replace("de: Sie wartet.", "fr: Elle attend.").replace("cards:\n", "card: 1\ncards:\n")
    assert refused(text, "some_games") == [
        "1: book: 'My Cards' is not a valid name; use 2 to 40 of a to z, 0 to 9 and _, a letter first",
        "2: unknown game 'some_game'; did you mean 'some_games'?",
        "4: a book has no key 'card'; did you mean 'cards'?",
        "9: text: unknown language 'fr'; known: en, de",
        "9: text has no 'de'; a single text without languages counts for all",
        f"13: copies: 'many' is not a whole number from 1 to {MAX_COPIES}",
    ]


@pytest.mark.parametrize(
    ("wrong", "right", "says"),
    [
        ("title: My cards\n", "", "1: title is missing"),
        ("game: some_game\n", "", "1: game is missing"),
        ("id: tin_dog", "id: stone_cat", "9: stone_cat appears twice; first in line 5"),
        ("id: tin_dog", "id: Tin Dog", "9: id: 'Tin Dog' is not a valid name"),
        ("id: tin_dog", "id: tin_dog@0a1b2c3d", "9: id: 'tin_dog@0a1b2c3d' is not a valid name"),
        (
            "title: My cards",
            "title: My cards\nextends: prited",
            "4: extends: 'prited' is not an edition; did you mean 'prin",
        ),
        ("copies: 3", "copies: 0", "12: copies: 0 is not a whole number"),
        ("copies: 3", f"copies: {MAX_COPIES + 1}", f"12: copies: {MAX_COPIES + 1} is not a whole number"),
        ("copies: 3", "copies: true", "12: copies: True is not a whole number"),
        ("text: It barks.", 'text: "It \\e[31mbarks."', "11: text contains characters that cannot be shown"),
        ("text: It barks.", 'text: "It \\u202ebarks."', "11: text contains characters that cannot be shown"),
        ("text: It barks.", f"text: {'x' * 601}", "11: text has 601 characters; at most 600 are allowed"),
        ("text: It barks.", "text:", "11: text is missing"),
        ("text: It barks.", "text: &a It barks.\n  note: *a", "12: *a is an alias; write out what it stands for"),
        ("text: It barks.", f"text: {'[' * 40}", "11: nested more than 24 deep"),
        ("text: It barks.", "name: Again", "11: name appears twice"),
        ("text: It barks.", "on: 1", "11: True is not text; put it in quotes"),
        ("text: It barks.", "text: 2026-02-31", "11: this is no date: day is out of range"),
        ("text: It barks.", "text: !!bool maybe", "11: 'maybe' is no value of the tag tag:yaml.org,2002:bool"),
        ("text: It barks.", "text: !!timestamp soon", "11: 'soon' is no value of the tag tag:yaml.org,2002:timestamp"),
        ("text: It barks.", 'text: !!int ""', "11: '' is no value of the tag tag:yaml.org,2002:int"),
        ("text: It barks.", "!!int x: It barks.", "11: 'x' is no value of the tag tag:yaml.org,2002:int"),
        ("copies: 3", f"copies: 0x{'f' * 4000}", "12: too large a number"),
        ("text: It barks.", "text: !!python/name:os.system", "11: this is no YAML: could not determine a constructor"),
        ("text: It barks.", "  text: It barks.", "11: "),
        ("- id: stone_cat", "- stone_cat\n- id: stone_cat", "4: a card must be a mapping with id, kind, name and text"),
    ],
)
def test_what_is_wrong_with_a_book_is_told_with_its_line(wrong: str, right: str, says: str) -> None:
    assert wrong in BOOK
    assert any(line.startswith(says) for line in refused(BOOK.replace(wrong, right, 1)))


@pytest.mark.parametrize("text", ["", "cards", "- 1", "{", "cards: []\nbook: x1\ngame: g\ntitle: T\n", "\0"])
def test_what_is_no_book_at_all_is_refused_too(text: str) -> None:
    assert refused(text)


def test_a_book_has_an_end() -> None:
    assert refused("#" * (MAX_BOOK_BYTES + 1)) == [f"1: a book can have at most {MAX_BOOK_BYTES} bytes"]
    cards = "".join(f"- {{id: card_{number}, name: A, text: B}}\n" for number in range(501))
    assert refused("book: many\ngame: g\ntitle: T\ncards:\n" + cards) == [
        "4: a book can have at most 500 cards, not 501"
    ]


def test_a_shelf_finds_what_books_bring_and_lists_what_the_game_has() -> None:
    shelf = CardRegistry({"own": 1})
    shelf.add_from_book({"brought": 2})
    assert (shelf["own"], shelf["brought"], shelf.get("brought"), shelf.get("none"), shelf.get("none", 3)) == (
        1,
        2,
        2,
        None,
        3,
    )
    assert "brought" in shelf
    assert "none" not in shelf
    assert list(shelf) == ["own"]
    assert len(shelf) == 1
    with pytest.raises(KeyError):
        shelf["none"]


class Toy(Editions):
    """A game that takes every book, and notes what it was given."""

    name = "toy"

    def __init__(self) -> None:
        super().__init__()
        self.entered: list[str] = []

    def parse_card_book(self, book: CardBook) -> str:
        if "unknown" in book.text:
            raise CardBookError([f"{book.file}:5: unknown"])
        return book.name

    def register_card_book(self, book: CardBook, understood: str) -> None:
        self.entered.append(understood)


def test_a_book_is_installed_once_and_only_when_it_is_understood() -> None:
    toy, book = Toy(), parse_book(BOOK)
    assert toy.accepts_card_books
    assert toy.list_editions() == ("printed",)
    with pytest.raises(CardBookError):
        toy.install_card_book(parse_book(BOOK.replace("It barks", "unknown")))
    assert (toy.list_editions(), toy.entered) == (("printed",), [])
    for _ in range(2):
        toy.install_card_book(book)
    assert (toy.list_editions(), toy.entered) == (("printed", book.edition), ["my_cards"])
    assert toy.find_card_book(book.edition) is book
    assert toy.find_card_book("printed") is None


def test_books_whose_cards_would_be_called_the_same_are_not_installed_together() -> None:
    toy, book = Toy(), parse_book(BOOK)
    toy.install_card_book(book)
    twin = CardBook("other", "toy", {}, "", "other", book.hash[:8] + "0" * 56)
    with pytest.raises(ValueError, match="called as those of my_cards"):
        toy.install_card_book(twin)
    assert toy.list_editions() == ("printed", book.edition)


def test_a_game_without_card_texts_takes_no_books() -> None:
    class Plain(Editions):
        name = "plain"

    assert not Plain().accepts_card_books
    with pytest.raises(CardBookError, match="plain has no card books"):
        Plain().install_card_book(parse_book(BOOK))
    with pytest.raises(KeyError):
        Plain().cards_of_edition("my_cards@0a1b2c3d")


CARDSCRIPT = Path(__file__).parents[2] / "referee/cardscript"
GUIDES = [CARDSCRIPT / "GUIDE.md", *sorted((CARDSCRIPT / "guides").glob("*.md"))]
EXAMPLES = [
    text for guide in GUIDES for text in re.findall(r"^```yaml\n(.*?)^```$", guide.read_text("utf-8"), re.M | re.S)
]


@pytest.mark.parametrize(
    "text", [each for each in EXAMPLES if "# …" not in each], ids=lambda text: text[6:20].split()[0]
)
def test_the_books_of_the_guide_have_the_right_form_and_their_game_understands_them(text: str) -> None:
    book = parse_book(text)
    if book.game in games_with_card_books():
        check_book_text(text)
    assert book.extends == "printed"


def test_the_guide_has_a_worked_card_of_every_kind_of_here_to_slay() -> None:
    (book,) = (parse_book(text) for text in EXAMPLES if "book: lighthouse" in text)
    assert [*dict.fromkeys(entry["kind"] for entry in book.entries)] == [*list(KINDS)[:6], "leader", "monster"]


HEAD = "book: my_cards\ngame: here_to_slay\ntitle: x\nextends: printed\ncards:\n"
CARD = "- {{id: a{0}, kind: hero, class: ranger, name: A{0}, text: '6+: draw.', roll: {{min: 6}}, does: [{1}]}}\n"
ENDLESS = {
    "keys of a book": BOOK + "".join(f"k{number}: 1\n" for number in range(50_000)),
    "keys of a card": BOOK + "".join(f"  k{number}: 1\n" for number in range(50_000)),
    "cards": "cards: [" + "a," * 400_000 + "]\n",
    "pairs": "[" + "a: 1," * 190_000 + "]",
    "empty cards": "cards:\n" + "- \n" * 300_000,
    "lines": HEAD + "".join(CARD.format(number, "{do: drow, coun: 2}, " * 40) for number in range(500)),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_book_of_too_many_parts_is_refused_before_it_costs_anything(name: str) -> None:
    games_with_card_books()  # the first call reads the games
    began = time.process_time()
    with pytest.raises(CardBookError, match="more than 60000 values in one file"):
        check_book_text(ENDLESS[name])
    assert time.process_time() - began < 0.5 * measure_slowness()


def test_the_largest_book_is_not_too_large() -> None:
    lines = "{do: draw, count: 2}, " * 12
    full = HEAD + "".join(CARD.format(number, lines) for number in range(500))
    assert len(check_book_text(full).entries) == 500


def test_too_many_keys_in_one_place_are_one_error_and_a_wrong_form_is_told_first() -> None:
    with pytest.raises(CardBookError, match="more than 200 keys in one place"):
        check_book_text(BOOK + "".join(f"k{number}: 1\n" for number in range(200)))
    with pytest.raises(CardBookError) as wrong:
        check_book_text(HEAD + "".join(f"- {{id: a{number}, kind: nothing}}\n" for number in range(500)))
    assert len(wrong.value.problems) == 1000, "a name and a text each; the kinds are not looked at"
