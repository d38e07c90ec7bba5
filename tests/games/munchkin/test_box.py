"""The box of Munchkin as data: complete, told in both languages, honest about its sources, and printed as it plays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee import games
from referee.cardscript.language.located_yaml import LocatedMapping, load_entries
from referee.engine.rulebook.book import LANGUAGES, read_yaml
from referee.games.munchkin.card_attributes import TEXT_NAMES, Face, parse_face

FOLDER = Path(games.__file__).parent / "munchkin"
ENTRIES = [(file.name, entry) for file in sorted((FOLDER / "cards").glob("*.yaml")) for entry in load_entries(file)]
CARDS: dict[str, LocatedMapping] = {entry["id"]: entry for _, entry in ENTRIES}
FACES: dict[str, Face] = {entry["id"]: parse_face(file, entry) for file, entry in ENTRIES}
CLAUSES = {clause["id"] for path in sorted((FOLDER / "clauses").glob("*.yaml")) for clause in read_yaml(path)}
KINDS = {  # cards of each kind
    "monster": 40, "enhancer": 8, "wandering_monster": 3, "citizenship": 16, "dual_citizenship": 3, "curse": 18,
    "door_special": 8,
    "go_up_a_level": 9, "one_shot": 22, "treasure_special": 1, "ride": 4, "ride_enhancer": 2, "item": 34,
}  # fmt: skip
SLOT_WORDS = {
    "headgear": {"en": "Headgear", "de": "Kopfbedeckung"},
    "armor": {"en": "Armor", "de": "Rüstung"},
    "footgear": {"en": "Footgear", "de": "Schuhwerk"},
    "none": {"en": "no slot", "de": "keinen Platz"},
}
TOWN_WORDS = {
    "halloween": {"en": "Halloween Town", "de": "Halloween"},
    "christmas": {"en": "Christmas Town", "de": "Weihnachten"},
    "easter": {"en": "Easter Town", "de": "Ostern"},
    "thanksgiving": {"en": "Thanksgiving Town", "de": "Erntedank"},
}
BIG, UNDEAD, DEMON = {"en": "Big", "de": "Groß"}, {"en": "Undead", "de": "Untot"}, {"en": "Demon", "de": "Dämon"}
of_cards = pytest.mark.parametrize("card", sorted(CARDS))


def of_kind(*kinds: str) -> list[str]:
    """The ids of all cards of these kinds."""
    return sorted(card for card, face in FACES.items() if face.kind in kinds)


def signed(number: int) -> str:
    """A bonus as a card prints it."""
    return f"{number:+d}"


def told(card: str, language: str) -> str:
    """All that a card tells its reader in one language."""
    return " ".join(CARDS[card][key][language] for key in ("text", "bad_text") if key in CARDS[card])


def within(data: Any, key: str) -> Iterator[Any]:
    """The values of a key, however deep."""
    if isinstance(data, dict):
        for name, value in data.items():
            if name == key:
                yield value
            yield from within(value, key)
    elif isinstance(data, list):
        for part in data:
            yield from within(part, key)


def test_there_are_149_designs_and_no_id_stands_twice() -> None:
    assert len(ENTRIES) == len(CARDS) == 149


@pytest.mark.clause("MK-1.2")
def test_there_are_96_doors_and_72_treasures() -> None:
    decks: Counter[str] = Counter()
    for face in FACES.values():
        decks[face.deck] += face.copies
    assert decks == {"door": 96, "treasure": 72}


@pytest.mark.clause("MK-1.2", "MK-4.3")
def test_every_kind_has_as_many_cards_as_the_box_says() -> None:
    kinds: Counter[str] = Counter()
    for face in FACES.values():
        kinds[face.kind] += face.copies
    assert kinds == KINDS


def test_the_file_of_a_card_says_to_which_deck_it_belongs() -> None:
    for file, entry in ENTRIES:
        assert file.startswith(f"{FACES[entry['id']].deck}s_"), entry["id"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_has_a_name_of_its_own_in_this_language(language: str) -> None:
    names = Counter(card["name"][language] for card in CARDS.values())
    assert [name for name, count in names.items() if count > 1] == []


@of_cards
def test_a_card_is_told_in_both_languages_and_not_in_the_same_words(card: str) -> None:
    for key in ("text", "bad_text"):
        if key in CARDS[card]:
            words = CARDS[card][key]
            assert set(words) == set(LANGUAGES)
            assert all(text.strip() == text and text.endswith(".") for text in words.values())
            assert words["en"] != words["de"]


@of_cards
def test_both_languages_of_a_card_tell_the_same_numbers(card: str) -> None:
    english, german = (sorted(re.findall(r"[+-]?\d+", told(card, language))) for language in LANGUAGES)
    assert english == german


@of_cards
def test_a_card_says_of_each_of_its_fields_where_it_comes_from(card: str) -> None:
    entry = CARDS[card]
    sourced = entry["sourced"]
    fields = {"name_de", "copies", *entry} - {"id", "clauses", "sourced", "licensed", "note"}
    assert fields <= set(sourced)
    parts = {key for power in entry.get("powers", ()) for key in power}
    assert set(sourced) - fields <= parts
    assert set(sourced.values()) <= {"sourced", "memory", "invented", "argued"}


@of_cards
def test_a_card_rests_on_clauses_of_the_book_in_their_order(card: str) -> None:
    clauses = CARDS[card]["clauses"]
    assert clauses
    assert set(clauses) <= CLAUSES
    numbers = [tuple(map(int, clause.removeprefix("MK-").split("."))) for clause in clauses]
    assert numbers == sorted(set(numbers))


def test_a_licensed_name_is_shipped_only_where_a_source_says_that_the_card_exists() -> None:
    licensed = {card for card, entry in CARDS.items() if entry.get("licensed")}
    assert licensed == {
        "wolfman", "lock_shock_barrel", "doctor_finkelstein", "jack_skellington", "oogie_boogie", "mayors_badge",
        "vampire_teddy",
    }  # fmt: skip
    assert {CARDS[card]["sourced"]["name"] for card in licensed} == {"sourced"}
    # what is only said to occur somewhere in the edition goes by a free name
    free = {"sally": "Sally", "easter_bunny": "Bunny", "sandy_claws": "Sandy", "ride_sleigh": "Santa"}
    for card, word in free.items():
        assert word not in str(CARDS[card]["name"]) + told(card, "en") + told(card, "de")


@pytest.mark.parametrize("card", of_kind("monster"))
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_monster_prints_its_tags_and_no_others(card: str, language: str) -> None:
    text = CARDS[card]["text"][language]
    for tag, words in (("undead", UNDEAD), ("demon", DEMON)):
        assert (text.split(".")[0].split(";")[0] == words[language]) == (tag in FACES[card].tags)


@pytest.mark.parametrize("card", of_kind("monster"))
def test_a_monster_worth_two_levels_prints_that(card: str) -> None:
    texts = CARDS[card]["text"]
    two = re.search(r"\b2 levels\b", texts["en"]) is not None and re.search(r"\b2 Stufen\b", texts["de"]) is not None
    assert two == (FACES[card].levels == 2)


@pytest.mark.parametrize("card", of_kind("monster"))
def test_a_monster_has_bad_stuff_and_grows_with_its_treasures(card: str) -> None:
    face = FACES[card]
    assert CARDS[card]["bad_stuff"]
    assert 1 <= face.level <= 20
    assert 1 <= face.treasures <= 5
    assert face.treasures == 1 or face.level >= 4


@of_cards
def test_what_a_card_gives_all_the_time_stands_on_it(card: str) -> None:
    for each in FACES[card].standing:
        for language in LANGUAGES:
            text = CARDS[card]["text"][language]
            if each.what in ("strength", "escape", "die_rolls"):
                assert signed(each.number) in text
            elif each.number:
                assert str(each.number) in text


@of_cards
def test_a_town_that_a_card_looks_at_is_named_on_it(card: str) -> None:
    for town in within({key: value for key, value in CARDS[card].items() if key != "sourced"}, "town"):
        for language in LANGUAGES:
            assert TOWN_WORDS[town][language] in told(card, language) + CARDS[card]["name"][language]


@pytest.mark.parametrize("card", of_kind("item"))
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_item_prints_slot_hands_size_and_bonus(card: str, language: str) -> None:
    face, text = FACES[card], CARDS[card]["text"][language]
    assert (face.hands > 0) == (face.slot == "hand")
    if face.slot == "hand":
        assert text.startswith(f"{face.hands} {'hand' if language == 'en' else 'H'}")
    else:
        assert SLOT_WORDS[face.slot][language].lower() in text.lower()
    assert (re.search(rf"\b{BIG[language]}\b", text) is not None) == face.big
    if face.bonus:
        assert signed(face.bonus) in text


@pytest.mark.parametrize("card", of_kind("ride", "ride_enhancer"))
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_ride_prints_its_bonus_and_has_no_value(card: str, language: str) -> None:
    face, text = FACES[card], CARDS[card]["text"][language]
    assert signed(face.bonus) in text
    assert face.gold is None


@pytest.mark.parametrize("card", of_kind("one_shot"))
def test_a_one_shot_has_a_value_in_full_hundreds_and_a_moment(card: str) -> None:
    face = FACES[card]
    assert face.gold
    assert face.gold % 100 == 0
    assert face.when


@pytest.mark.parametrize("card", of_kind("enhancer"))
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_enhancer_prints_what_it_changes(card: str, language: str) -> None:
    (line,) = CARDS[card]["does"]
    text = CARDS[card]["text"][language]
    assert signed(line["count"]) in text
    assert not line.get("treasures") or str(abs(line["treasures"])) in text
    assert (FACES[card].gives_tag == "undead") == (UNDEAD[language].lower() in text.lower())
    assert (FACES[card].gives_tag == "demon") == (DEMON[language] in text)


@of_cards
def test_a_card_that_is_played_says_what_it_does_or_what_it_gives(card: str) -> None:
    entry = CARDS[card]
    if FACES[card].kind not in ("item", "ride", "ride_enhancer", "dual_citizenship"):
        assert any(entry.get(key) for key in (*TEXT_NAMES, "standing", "powers"))


def test_what_a_play_names_is_asked_for_only_of_cards_whose_text_speaks_of_it() -> None:
    for card, entry in CARDS.items():
        if "requires_target" in entry:
            assert re.search(r"\btarget\b", str(entry["does"])), card
