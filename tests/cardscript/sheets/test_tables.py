"""From a table to a card book: what its rows come to, and every error with its row and column."""

from __future__ import annotations

import csv
import io
import re

import pytest
import yaml

from referee.cardscript.sheets.catalog import CATALOGS, load_catalog
from referee.cardscript.sheets.layout import MAX_COLUMNS, MAX_ROWS, build_empty_table, list_columns
from referee.cardscript.sheets.rows import make_id
from referee.cardscript.sheets.written_cards import MAX_WRITTEN
from referee.engine.rulebook.book import LANGUAGES
from referee.games.card_tables import check_table
from referee.games.creature_crush.texts import books as creature_crush
from referee.games.here_to_slay.texts import books as here_to_slay
from referee.games.munchkin.texts import books as munchkin
from referee.games.munchkin.texts.checks import SINGLE_COPY_KINDS
from referee.rendering.input_errors import render_table_problem
from tests.cardscript.sheets.tables import GAMES, list_needed, make_grid, write_sentence

CRUSH = load_catalog("creature_crush")
HERO = {"name": "Stone Cat", "kind": "hero", "class": "Magier", "roll": "8", "text_1": "Draw 2 cards."}
EEL = {"name": "Zitter-Aal", "kind": "Creature", "cost": "5", "attack": "2", "life": "3"}


def read_card(game: str, **cells: str) -> dict[str, object]:
    """Return the only card of the book that a row comes to."""
    checked = check_table(make_grid(load_catalog(game), [cells]))
    assert checked.book is not None, [str(each) for each in checked.problems]
    (card,) = yaml.safe_load(checked.text)["cards"]
    return dict(card)


def find_problems(name: str, *rows: dict[str, str], **head: str) -> list[str]:
    """Return what is wrong in a table with these rows; the first stands in row 5."""
    return [str(each) for each in check_table(make_grid(load_catalog(name), list(rows), **head)).problems]


def test_a_row_is_a_card_with_its_texts_in_both_languages() -> None:
    card = read_card(
        "creature_crush", **EEL, keywords="munter", text_1="Deal {n} damage to {whom}.", blanks_1="2; enemy_a"
    )
    assert card == {
        "id": "zitter_aal",
        "kind": "creature",
        "name": {"en": "Zitter-Aal", "de": "Zitter-Aal"},
        "cost": 5,
        "attack": 2,
        "life": 3,
        "keywords": ["lively"],
        "action": [
            {"do": "choose", "creature": {"of": "enemy", "row": "A"}, "called": "struck"},
            {"do": "damage", "creature": "struck", "points": 2},
        ],
        "text": {
            "en": "Lively. Action: Deal 2 damage to an enemy of your choice in the A-zone.",
            "de": "Munter. Aktion: Verursache 2 Schaden an einem Feind deiner Wahl in der A-Zone.",
        },
    }


def test_two_sentences_in_one_place_are_one_text_and_their_names_stay_apart() -> None:
    card = read_card(
        "creature_crush", **EEL, when_1="Falle", text_1="Zerstöre einen Feind deiner Wahl.", when_2="trap",
        text_2="Deal 1 damage to any creature.", when_3="Hell", text_3="Draw 1 card",
    )  # fmt: skip
    assert [line["do"] for line in card["trap"]] == ["choose", "destroy", "choose", "damage"]  # type: ignore[attr-defined]
    assert [line.get("called") for line in card["trap"]] == ["struck", None, "struck_2", None]  # type: ignore[attr-defined]
    assert card["text"]["en"] == (  # type: ignore[index]
        "Trap: Destroy an enemy of your choice. Deal 1 damage to any creature. Hell: Draw 1 card."
    )


def test_what_stands_before_a_text_names_the_rolls_of_the_card() -> None:
    card = read_card("here_to_slay", **HERO | {"text_1": "Zerstöre einen Helden in einer anderen Gruppe."})
    assert card["roll"] == {"min": 8}
    assert card["text"] == {
        "en": "8+: Destroy a hero in another party.",
        "de": "8+: Zerstöre einen Helden in einer anderen Gruppe.",
    }
    assert card["does"][0]["declared"] is True  # type: ignore[index]
    monster = {"name": "Reef", "kind": "Monster", "requires": "ranger; hero", "slay": "9", "fight_back": "5"}
    card = read_card("here_to_slay", **monster, text_1="Opfere einen Helden.", text_2="Draw 1 card.")
    assert card["text"]["en"] == "5-: Sacrifice a hero. 9+: Draw 1 card."  # type: ignore[index]
    assert (card["requires"], card["slay"], card["fight_back"]) == (["ranger", "hero"], {"min": 9}, {"max": 5})


def test_a_card_may_have_no_text_and_a_challenge_is_always_the_same_card() -> None:
    assert read_card("creature_crush", **EEL)["text"] == {"en": "No effect.", "de": "Kein Effekt."}
    assert read_card("here_to_slay", name="Nein", kind="Herausforderung", copies="3")["id"] == "challenge"
    card = read_card("munchkin", name="Hat", kind="item", slot="Kopf", bonus="2", big="ja", gold="300")
    assert (card["slot"], card["big"], card["gold"]) == ("headgear", True, 300)


def test_a_munchkin_card_says_when_it_is_played_unless_the_table_does() -> None:
    shot = {"name": "Marbles", "kind": "one_shot", "text_1": "+3 for a side of your choice."}
    assert read_card("munchkin", **shot)["when"] == "any_combat"
    assert read_card("munchkin", **shot, when="im eigenen Kampf")["when"] == "my_combat"
    assert read_card("munchkin", name="Dust", kind="Fluch", text_1="Du verlierst 1 Stufe.")["when"] == "any_time"
    bear = {"name": "Bear", "kind": "monster", "level": "3", "text_1": "You are dead."}
    card = read_card("munchkin", **bear, text_2="+1 to running away.")
    assert card["bad_text"]["de"] == "Du bist tot."  # type: ignore[index]
    assert card["text"]["de"] == "+1 auf Weglaufen."  # type: ignore[index]


def test_an_id_is_made_of_the_name_and_none_twice() -> None:
    made = [make_id(name, {}) for name in ("Bösø Straße!", "3 Cats", "猫", "A", "Snake's Eye", "x" * 60)]
    assert made == ["boes_strasse", "card_3_cats", "card", "card_a", "snakes_eye", "x" * 40]
    assert make_id("Cat", {"cat": 1, "cat_2": 2}) == "cat_3"
    assert make_id("x" * 60, {"x" * 40: 1}) == "x" * 38 + "_2"
    checked = check_table(make_grid(CRUSH, [EEL, EEL]))
    assert [card["id"] for card in checked.book.entries] == ["zitter_aal", "zitter_aal_2"]  # type: ignore[union-attr]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_empty_table_has_all_columns_and_can_be_filled_in(game: str, lang: str) -> None:
    grid = build_empty_table(load_catalog(game), lang)
    assert len(grid[-1]) == len(list_columns(load_catalog(game))) - 1 < MAX_COLUMNS, "all but the one for YAML"
    assert str(check_table(grid).problems[0]).endswith("no card below the names of the columns")
    columns = {name: place for place, name in enumerate(list_columns(load_catalog(game)))}
    row = [""] * len(columns)
    cells = {"creature_crush": EEL, "here_to_slay": HERO}.get(game, {"name": "Hat", "kind": "item", "slot": "none"})
    for name, cell in cells.items():
        row[columns[name]] = cell
    assert check_table([*grid, [], row]).book is not None


CASES = {
    "column cost: 'many' is not a whole number": EEL | {"cost": "many"},
    "column cost: a card of kind creature needs this": {k: v for k, v in EEL.items() if k != "cost"},
    "column cost: the cost of a creature is 1 to 30 pips, not 31": EEL | {"cost": "31"},
    "column cost: the cost of a crush card is X or 0 to 4 dice, not 99": {
        "name": "A", "kind": "crush", "cost": "99", "text_1": "Draw 1 card.",
    },
    "column kind: 'dragon' is not known here; known: creature, crush card": EEL | {"kind": "dragon"},
    "column name: name is missing": {k: v for k, v in EEL.items() if k != "name"},
    "column attack: a card of kind crush card does not have this": {
        "name": "A", "kind": "crush", "cost": "1", "attack": "1", "text_1": "Draw 1 card.",
    },
    "column keywords: 'slow' is not known here; known: lively, vengeful, sluggish": EEL | {"keywords": "slow"},
    "column text_1: a card of kind crush card needs a text in the place 'Flip'": {
        "name": "A", "kind": "crush", "cost": "1",
    },
    "column text_1: the text is missing that blanks 1 belongs to": EEL | {"blanks_1": "2"},
    "column text_1: a card of kind creature cannot have this sentence": EEL | {"text_1": "Cancel its effect."},
    "column when_1: this sentence cannot stand here; it can stand in: This creature is attacked": EEL
    | {"when_1": "hell", "text_1": "Destroy the attacker."},
    "column blanks_1: the blank n is open; what fits: a whole number from 1 to 10": EEL | {"text_1": "Draw {n} cards."},
    "column blanks_1: '11' does not fit the blank n; what fits: a whole number from 1 to 10": EEL
    | {"text_1": "Draw {n} cards.", "blanks_1": "n = 11"},
    "column text_1: '12' does not fit the blank n; what fits: a whole number from 1 to 10": EEL
    | {"text_1": "Draw 12 cards."},
    "column blanks_1: the sentence has no open blank for '3'": EEL | {"text_1": "Draw 1 card.", "blanks_1": "3"},
    "column text_2: a second text cannot stand in another place of the same kind (Flip: an enemy attacks an ally)": {
        "name": "A", "kind": "crush", "cost": "1", "text_1": "Draw 1 card.", "when_2": "flip_attack",
        "text_2": "Cancel the attack.",
    },
    "column name: hex_toad is already a card of the game": EEL | {"name": "Hex Toad"},
    "column id: id: 'Aal' is not a valid name": EEL | {"id": "Aal"},
}  # fmt: skip


@pytest.mark.parametrize("wanted", CASES)
def test_every_error_is_told_with_its_row_and_column(wanted: str) -> None:
    found = find_problems("creature_crush", {}, CASES[wanted])
    assert len(found) == 1
    assert found[0].startswith(f"row 6, {wanted}")


@pytest.mark.parametrize("wanted", CASES)
def test_what_is_wrong_in_a_table_is_said_in_german(wanted: str) -> None:
    (problem,) = check_table(make_grid(CRUSH, [CASES[wanted]])).problems
    german = render_table_problem(problem, "de")
    assert german != problem.detail
    assert not re.search(r"\b(is|card|crush card|the)\b|\{", german), german


@pytest.mark.parametrize("game", GAMES)
def test_a_number_that_does_not_fit_is_told_in_german_whatever_its_column(game: str) -> None:
    catalog, told = load_catalog(game), 0
    for kind, sample in catalog.samples.items():
        for column in catalog.columns.values():
            if column.form != "number" or (column.kinds and kind not in column.kinds):
                continue
            row = {"name": "Stone Cat", "kind": kind, **sample, column.name: "99999"}
            for number, (sentence, place) in enumerate(list_needed(catalog, kind), 1):
                row |= write_sentence(number, sentence, place, "en")
            problems = [each for each in check_table(make_grid(catalog, [row])).problems if each.column == column.name]
            told += len(problems)
            for problem in problems:
                german = render_table_problem(problem, "de")
                assert german != problem.detail
                assert not re.search(r"\b(is|of|the|not|or|must|be)\b|\{", german), german
    assert told


def test_errors_of_the_table_as_a_whole() -> None:
    assert find_problems("creature_crush", EEL, game="chess")[0].startswith("row 1, column game: tables are for one")
    assert find_problems("creature_crush", EEL, book="My Book")[0].startswith("row 2, column book: book: 'My Book'")
    assert find_problems("creature_crush", EEL, extends="no")[0].startswith("row 2, column book: a book that stands")
    assert str(check_table(make_grid(CRUSH, [EEL]), "munchkin").problems[0]) == (
        "row 1, column game: this is a table of creature_crush"
    )
    bare = [list(EEL), list(EEL.values())]
    assert check_table(bare, "creature_crush").book is not None, "a table may say nothing of its game and its book"
    assert check_table([]).problems[0].detail.startswith("no row has the names")
    grid = make_grid(CRUSH, [EEL])
    assert [str(each) for each in check_table([*grid[:3], [*grid[3], "Kosten", "colour"], *grid[4:]]).problems] == [
        "row 4, column cost: this column stands here twice",
        "row 4, column colour: there is no such column in tables of this game",
    ]
    assert str(check_table([["x"]] * (MAX_ROWS + 1)).problems[0]).startswith(f"row {MAX_ROWS + 1}: a table can have")
    assert str(check_table([["x"] * (MAX_COLUMNS + 1)]).problems[0]).startswith("row 1: a table can have at most")
    assert str(check_table([["x" * (MAX_WRITTEN + 1)]]).problems[0]).startswith("row 1: a cell can have at most")
    assert find_problems("creature_crush", EEL | {"id": "one"}, EEL | {"id": "one"}) == [
        "row 6, column id: one is already the id of the card in row 5"
    ]


def test_a_number_of_many_digits_is_told_with_its_limit() -> None:
    for digits in (6, 7, 10, 40):
        (problem,) = check_table(make_grid(CRUSH, [EEL | {"cost": "9" * digits}])).problems
        assert problem.detail == f"the cost of a creature is 1 to 30 pips, not {'9' * digits}"
        assert render_table_problem(problem, "de") == f"Hier passt 1 bis 30, nicht {'9' * digits}."
    assert find_problems("creature_crush", EEL | {"cost": "9" * 500}) == ["row 5, column cost: the number is too large"]


def test_too_many_cards_are_told_once_at_the_first_one_too_many() -> None:
    rows = [EEL | {"name": f"Eel {number}"} for number in range(502)]
    (problem,) = check_table(make_grid(CRUSH, rows)).problems
    assert str(problem) == "row 505: a book can have at most 500 cards, not 502"
    assert render_table_problem(problem, "de") == "Ein Buch darf höchstens 500 Karten haben, nicht 502."
    hat = {"name": "Hat", "kind": "item", "gold": "100", "copies": "20"}
    rows = [hat | {"name": f"Hat {number}"} for number in range(26)]
    found = find_problems("munchkin", *rows)
    assert [each for each in found if "500" in each] == ["row 30: a book can have at most 500 cards, not 520"]


def test_a_table_of_another_game_is_told_once() -> None:
    found = [str(each) for each in check_table(make_grid(CRUSH, [EEL]), "munchkin").problems]
    assert found == ["row 1, column game: this is a table of creature_crush"]


def test_a_row_that_cannot_be_read_does_not_hide_the_errors_of_the_others() -> None:
    found = find_problems("creature_crush", EEL | {"cost": "?"}, EEL | {"life": "0"}, EEL)
    assert [each.split(":")[0] for each in found] == ["row 5, column cost", "row 6, column life"]


def test_any_other_text_is_free_text_that_the_table_carries_out() -> None:
    card = read_card(
        "creature_crush", **EEL, text_1="Sing a song", text_2="Then sing another one!", text_3="Ziehe 1 Karte"
    )
    assert card["text"] == {
        "en": "Action: Sing a song. Then sing another one! Draw 1 card.",
        "de": "Action: Sing a song. Then sing another one! Draw 1 card.",
    }
    assert card["action"] == [{"do": "as_written"}, {"do": "draw", "count": 1}], "asked for once, with the whole text"
    assert find_problems("creature_crush", EEL | {"text_1": "Sing.", "blanks_1": "2"}) == [
        "row 5, column text_1: this is no sentence of the catalog, so it has no blanks"
    ]


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_box_can_be_entered_as_free_text(game: str) -> None:
    catalog = load_catalog(game)
    rows = []
    for kind in catalog.kinds:
        cells = {"name": f"Any {kind}", "kind": kind, **catalog.samples[kind]}
        needed = [place for place in catalog.list_places(kind) if kind in place.needed]
        for number, place in enumerate(needed or catalog.list_places(kind)[:1], 1):
            cells |= {f"when_{number}": place.name, f"text_{number}": "As it says"}
        rows.append(cells)
    checked = check_table(make_grid(catalog, rows))
    assert [str(each) for each in checked.problems] == []
    assert checked.book is not None
    assert all("As it says" in str(card) for card in checked.book.entries if catalog.list_places(card["kind"]))


def test_the_table_of_the_guide_is_a_book() -> None:
    (table,) = re.findall(r"^```csv\n(.*?)^```$", (CATALOGS.parents[1] / "GUIDE.md").read_text("utf-8"), re.M | re.S)
    checked = check_table(list(csv.reader(io.StringIO(table))))
    assert checked.book is not None, [str(each) for each in checked.problems]
    eel, crab, wall, siren = checked.book.entries
    assert eel["text"]["de"].startswith("Munter. Aktion: Verursache 2 Schaden an einem Feind deiner Wahl in der A-Zone")
    assert set(crab) >= {"trap", "attacked"}
    assert (wall["flips_when"], len(wall["flip"])) == ({"event": "enemy_attacks"}, 2)
    assert siren["action"] == [{"do": "as_written"}]


BEAR = {"name": "Bear", "kind": "monster", "level": "3"}


def test_a_free_text_without_a_place_fills_the_place_that_the_card_needs() -> None:
    card = read_card("munchkin", **BEAR, when_1="fights", text_1="It hates hats", text_2="It takes your hat")
    assert (card["bad_stuff"], card["bad_text"]) == (
        [{"do": "as_written"}],
        dict.fromkeys(LANGUAGES, "It takes your hat."),
    )
    card = read_card("munchkin", **BEAR, text_1="It takes your hat", text_2="+1 to running away.")
    assert card["bad_text"]["en"] == "It takes your hat."  # type: ignore[index]
    told = "row 5, column when_1: this text needs a place, for Bad stuff is taken; a card of kind monster has: Bad"
    (found,) = find_problems("munchkin", BEAR | {"text_1": "It hates hats", "text_2": "You are dead."}, language="en")[
        :1
    ] or [""]
    assert found.replace("row 6", "row 5").startswith(told)


def test_a_place_that_lacks_its_text_is_told_where_it_can_be_written() -> None:
    (found,) = find_problems("munchkin", BEAR | {"when_1": "fights", "text_1": "It hates hats"})
    told = "a card of kind monster needs a text in the place 'Bad stuff'; write it here with that place"
    assert found == f"row 5, column text_2: {told}"
    texts = {f"{name}_{n}": text for n in (1, 2, 3) for name, text in (("when", "fights"), ("text", "It sings"))}
    (found,) = find_problems("munchkin", BEAR | texts)
    assert found.endswith("'Bad stuff'; give that place to one of its texts")
    assert found.startswith("row 5, column when_1")


def test_copies_of_a_card_that_is_one_of_its_own_are_further_cards() -> None:
    checked = check_table(make_grid(load_catalog("munchkin"), [BEAR | {"copies": "3", "text_1": "You are dead."}]))
    assert checked.book is not None
    assert [(card["id"], "copies" in card) for card in checked.book.entries] == [
        ("bear", False), ("bear_2", False), ("bear_3", False),
    ]  # fmt: skip
    assert [count for part, count in checked.box] == [3, 0, 3]
    assert load_catalog("munchkin").single == SINGLE_COPY_KINDS


def test_a_face_with_a_free_text_is_in_one_language_unless_its_german_is_given() -> None:
    texts = {"text_1": "Alle singen", "text_2": "Draw 1 card."}
    (german,) = check_table(make_grid(CRUSH, [EEL | texts], language="Deutsch")).cards
    assert german.card is not None
    assert german.card["text"] == dict.fromkeys(LANGUAGES, "Aktion: Alle singen. Ziehe 1 Karte.")
    card = read_card("creature_crush", **EEL | texts | {"text_1": "All sing", "german_1": "Alle singen"})
    assert card["text"] == {"en": "Action: All sing. Draw 1 card.", "de": "Aktion: Alle singen. Ziehe 1 Karte."}
    grid = build_empty_table(CRUSH, "de")[-1]
    assert "Text 1 (deutsch)" in grid
    assert find_problems("creature_crush", EEL | {"text_1": "Draw 1 card.", "german_1": "Zieh eine"}) == [
        "row 5, column german_1: the text is a sentence of the catalog, which has its own German"
    ]


def test_blanks_are_filled_in_the_order_in_which_they_stand_in_the_sentence() -> None:
    level = {"name": "Up", "kind": "go_up_a_level", "text_1": "{who} {n} levels."}
    card = read_card("munchkin", **level, blanks_1="you gain; 1")
    assert card["text"]["en"] == "You gain 1 level."  # type: ignore[index]
    curse = {"name": "C", "kind": "curse", "text_1": "You lose {n} levels."}
    assert find_problems("munchkin", curse) == [
        "row 5, column blanks_1: the blank n is open; what fits: a whole number from 1 to 9"
    ], "that the card has no text then follows from this"


def test_words_of_the_form_and_of_sentences_are_both_known_and_near_ones_are_proposed() -> None:
    hat = {"name": "Hat", "kind": "Gegenstand", "gold": "100"}
    assert {read_card("munchkin", **hat, slot=word)["slot"] for word in ("Kopf", "Kopfbedeckung", "headgear")} == {
        "headgear"
    }
    assert read_card("munchkin", **hat, slot="armour")["slot"] == "armor"
    curse = read_card("munchkin", name="C", kind="curse", text_1="Du verlierst, was du als Kopf trägst.")
    assert curse["text"]["de"] == "Du verlierst, was du als Kopfbedeckung trägst."  # type: ignore[index]
    (problem,) = check_table(make_grid(load_catalog("munchkin"), [{"name": "X", "kind": "monstre"}])).problems
    assert "Meintest du Monster?" in render_table_problem(problem, "de")


def test_what_the_check_of_the_book_says_has_the_words_of_the_table() -> None:
    curse = {"name": "C", "kind": "curse", "when": "calm", "text_1": "You lose 1 level."}
    found = check_table(
        make_grid(load_catalog("munchkin"), [curse, BEAR | {"level": "300", "text_1": "You are dead."}])
    )
    assert [(each.column, render_table_problem(each, "de")) for each in found.problems] == [
        (
            "when",
            "Eine Karte der Art Fluch kann man nur jederzeit spielen, nicht im eigenen Zug außerhalb eines Kampfes.",
        ),
        ("level", "Hier wird eine ganze Zahl von 1 bis 100 gebraucht, nicht 300."),
    ]
    assert found.problems[0].detail.endswith("only at any time, not outside combat in the own turn")


def test_what_a_box_of_its_own_lacks_is_counted_and_told_in_german() -> None:
    checked = check_table(make_grid(load_catalog("munchkin"), [BEAR | {"text_1": "You are dead."}], extends="nein"))
    assert checked.stands_alone
    assert len(checked.shortages) == 3
    assert "mindestens 48 Türkarten, und dieses hat 1." in render_table_problem(checked.shortages[0], "de")
    for game, needs in (("munchkin", munchkin.LEAST_CARDS), ("here_to_slay", here_to_slay.LEAST_CARDS)):
        assert sorted(part.least for part in load_catalog(game).box) == sorted(
            need[1] if isinstance(need, tuple) else need for need in needs.values()
        )
    parts = {part.label["en"]: (part.kinds, part.least) for part in load_catalog("munchkin").box}
    assert {name: (set(kinds), least) for name, (kinds, least) in parts.items()} == {
        name: (set(kinds), least) for name, (kinds, least) in munchkin.LEAST_CARDS.items()
    }
    assert [part.least for part in CRUSH.box] == [creature_crush.LEAST_CARDS]
