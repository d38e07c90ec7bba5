"""The sentences with blanks of every game: what they print, what they do, how they are found again."""

from __future__ import annotations

import pytest
import yaml

from referee.cardscript.sheets.catalog import list_catalogs, load_catalog
from referee.cardscript.sheets.layout import MAX_ROWS, build_help_table
from referee.engine.rulebook.book import LANGUAGES
from referee.games.books import games_with_card_books
from referee.games.card_tables import check_table
from tests.cardscript.sheets.tables import GAMES, list_cards, make_grid


def test_every_game_with_card_books_has_a_catalog_of_20_sentences_or_more() -> None:
    assert list_catalogs() == tuple(sorted(games_with_card_books())) == GAMES
    assert all(len(load_catalog(game).sentences) >= 20 for game in GAMES)
    with pytest.raises(KeyError):
        load_catalog("mau_mau")


@pytest.mark.parametrize(("game", "lang"), [("creature_crush", "en"), ("here_to_slay", "de"), ("munchkin", "de")])
def test_every_sentence_passes_the_check_on_every_kind_of_card_that_it_names(game: str, lang: str) -> None:
    check_cards(game, list(list_cards(load_catalog(game), lang, everywhere=False)))


@pytest.mark.deep
@pytest.mark.parametrize(("game", "lang"), [("creature_crush", "de"), ("here_to_slay", "en"), ("munchkin", "en")])
def test_every_sentence_passes_the_check_in_every_place(game: str, lang: str) -> None:
    check_cards(game, list(list_cards(load_catalog(game), lang, everywhere=True)))


def check_cards(game: str, rows: list[dict[str, str]]) -> None:
    """Check tables of these cards, which have nothing wrong."""
    step = MAX_ROWS - 30
    for start in range(0, len(rows), step):
        part = rows[start : start + step]
        checked = check_table(make_grid(load_catalog(game), part))
        assert not checked.problems, [f"{each}: {part[each.row - 5]}" for each in checked.problems[:3]]
        assert checked.book is not None
        assert len(checked.book.entries) == len(part)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_filled_sentence_is_found_again_with_what_stands_in_its_blanks(game: str, lang: str) -> None:
    catalog = load_catalog(game)
    for sentence in catalog.sentences.values():
        blanks = sentence.wording.blanks
        for number in ("1", "2"):
            values = {name: blank.find_value(number) or blank.sample for name, blank in blanks.items()}
            text = sentence.wording.fill(values, lang)
            assert "{" not in text
            assert catalog.find_sentence(text) == (sentence, values), text
            assert catalog.find_sentence(text.lower().rstrip(".")) == (sentence, values)
        assert catalog.find_sentence(sentence.wording.show(lang)) == (sentence, {})


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_of_a_blank_can_be_written_by_name_and_in_both_languages(game: str) -> None:
    for sentence in load_catalog(game).sentences.values():
        for blank in sentence.wording.blanks.values():
            for name, choice in blank.choices.items():
                assert [blank.find_value(each) for each in (name, *choice.label.values())] == [name] * 3
            assert blank.find_value("nothing of the kind") is None
            assert blank.describe()


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_place_and_choice_is_used(game: str) -> None:
    catalog = load_catalog(game)
    assert set(catalog.samples) == set(catalog.kinds)
    used = {name for sentence in catalog.sentences.values() for name in sentence.places}
    assert used == set(catalog.places)
    for column in catalog.columns.values():
        assert set(column.kinds) | set(column.needed) <= set(catalog.kinds)
    shown = [cell for row in build_help_table(catalog, "de") for cell in row]
    assert all(sentence.wording.show("de") in shown for sentence in catalog.sentences.values())


def test_what_is_put_off_repeated_or_left_to_choose_can_be_said_in_a_sentence() -> None:
    eel = {"name": "Eel", "kind": "creature", "cost": "5", "attack": "2", "life": "3"}
    told = {
        "text_1": "Draw 2 cards at the end of the turn.",
        "text_2": "Deal 1 damage to a random enemy, 3 times over.",
    }
    twice = "Wähle eins: Ziehe 1 Karte, oder verursache 2 Schaden an einem Feind deiner Wahl."
    checked = check_table(
        make_grid(load_catalog("creature_crush"), [eel | told, eel | {"text_1": twice, "text_2": twice}])
    )
    assert checked.problems == ()
    first, second = yaml.safe_load(checked.text)["cards"]
    assert first["action"][0] == {"do": "later", "when": "turn_ends", "lines": [{"do": "draw", "count": 2}]}
    assert (first["action"][1]["do"], first["action"][1]["times"]) == ("repeat", 3)
    bound = [each["options"][1]["lines"][0]["called"] for each in second["action"]]
    assert bound == ["struck", "struck_2"], "each sentence has names of its own"
    assert second["text"]["en"].startswith(
        "Action: Choose one: draw 1 card, or deal 2 damage to an enemy of your choice."
    )
