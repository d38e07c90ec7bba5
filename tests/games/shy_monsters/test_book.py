"""The book: every clause is cited by the game and tested here; every text stands in both languages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from referee.engine.chance import PickResult, ShuffleResult, TurnUpResult
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.rulebook.messages import find_placeholders
from referee.engine.zones import CardsReordered
from referee.games import shy_monsters
from referee.games.shy_monsters import GAME
from referee.games.shy_monsters.components import FACES, MONSTERS
from referee.games.shy_monsters.events import (
    CardTurnedUp,
    FloorDestroyed,
    GameWon,
    HeroExplored,
    HeroJumped,
    HeroKilled,
    MonsterKilled,
)
from referee.games.shy_monsters.moves import Explore, Jump, Place

FOLDER = Path(shy_monsters.__file__).parent
TESTS = Path(__file__).parent
ID = re.compile(r"SM-(?:[A-Z]+-)+\d+[a-z]?(?:-R\d+)?")


def cited(text: str) -> set[str]:
    """The clause ids in a text."""
    return set(ID.findall(text))


def test_each_clause_is_cited_by_the_game() -> None:
    sources = [*FOLDER.rglob("*.py"), FOLDER / "cards.yaml"]
    found = set().union(*(cited(path.read_text("utf-8")) for path in sources))
    assert found == set(GAME.rulebook.clauses)


def test_each_clause_is_tested_here() -> None:
    marks = re.compile(r"@pytest\.mark\.clause\(([^)]*)\)")
    found: set[str] = set()
    for path in TESTS.glob("test_*.py"):
        found |= cited(" ".join(marks.findall(path.read_text("utf-8"))))
    assert found == set(GAME.rulebook.clauses)


def test_each_clause_has_a_place_in_the_rulebook_and_each_ruling_says_what_was_open_and_why() -> None:
    for name, clause in GAME.rulebook.clauses.items():
        assert clause.found, name
        assert clause.reading is None or clause.reading in GAME.rulebook.clauses, name
        for part in (clause.says, clause.chapter, *((clause.open, clause.why) if "-AMB-" in name else ())):
            assert all(part.get(lang) for lang in LANGUAGES), name
        assert not clause.players_duty


def test_the_two_languages_of_a_text_have_the_same_placeholders() -> None:
    for key, texts in GAME.rulebook.reasons.items():
        holes = [set(find_placeholders(texts[lang])) for lang in LANGUAGES]
        assert holes[0] == holes[1], key


@pytest.mark.parametrize("name", ["escaped", "killed", "conceded", "barred", "claimed", "both_games"])
def test_every_way_to_win_has_a_text(name: str) -> None:
    assert set(GAME.rulebook.render_texts(f"won.{name}")) == set(LANGUAGES)


def test_settings_and_devices_have_names() -> None:
    for name in GAME.settings["properties"]:
        assert GAME.rulebook.has_text(f"setting.{name}")
    for device in GAME.devices:
        assert GAME.rulebook.has_text(f"device.{device}")


@pytest.mark.parametrize(
    ("thing", "english"),
    [
        (Explore(1, 0), "Explore (1|0)."),
        (Explore(1, 0, attack=True), "Explore (1|0) and attack."),
        (Jump(1, 1, Place(1, 0), sure=True), "Jump over (1|0) to (1|1), into certain death."),
        (HeroExplored(0, 1, attack=True), "The hero goes to (0|1) and attacks."),
        (HeroJumped(1, 1, (1, 0), attack=False), "The hero jumps over (1|0) to (1|1)."),
        (CardTurnedUp(1, 0, "exit"), "The exit lies at (1|0)."),
        (CardTurnedUp(1, 0, "mantis", True, False), "The mantis lies at (1|0) and is active."),
        (
            CardTurnedUp(1, 0, "mantis", True, True),
            "The mantis lies at (1|0), panics beside another monster and is harmless.",
        ),
        (CardTurnedUp(1, 0, "mantis", False, False), "The mantis lies at (1|0), is uncomfortable there and harmless."),
        (FloorDestroyed(0, (), ("?", "?"), ()), "The floor is destroyed. 2 monsters stayed undiscovered."),
        (
            FloorDestroyed(0, ("mantis", "kraken"), (), ()),
            "The floor is destroyed. Discovered were the mantis and the kraken; no monster stayed undiscovered.",
        ),
        (GameWon(1, "escaped"), "Player 2 wins the game."),
    ],
)
def test_what_happened_is_told_in_plain_words(thing: Any, english: str) -> None:
    told = GAME.narration.describe_event(thing)
    assert told is not None
    assert told["en"] == english
    assert told["de"]


@pytest.mark.parametrize(
    ("thing", "german"),
    [
        (HeroJumped(2, 0, (1, 0), attack=False), "Der Held springt über (1|0) auf (2|0)."),
        (HeroJumped(2, 0, (-1, 0), attack=True), "Der Held springt über (-1|0) auf (2|0) und greift an."),
        (Jump(2, 0, Place(1, 0)), "Über (1|0) auf (2|0) springen."),
        (CardTurnedUp(1, 0, "corridor"), "Ein Gang liegt auf (1|0)."),
        (CardTurnedUp(1, 0, "kraken", True, False), "Der Krake liegt auf (1|0) und ist aktiv."),
        (
            CardTurnedUp(1, 0, "kraken", False, False),
            "Der Krake liegt auf (1|0), fühlt sich dort nicht wohl und ist harmlos.",
        ),
        (
            CardTurnedUp(1, 0, "mantis", True, True),
            "Die Gottesanbeterin liegt auf (1|0), gerät neben einem anderen Monster in Panik und ist harmlos.",
        ),
        (MonsterKilled(1, 0, "dragon"), "Der Drache auf (1|0) ist tot."),
        (HeroKilled(1, 0, "vampire_bat"), "Die Vampirfledermaus auf (1|0) tötet den Helden."),
        (TurnUpResult("kraken"), "Der Krake wird aufgedeckt."),
        (CardsReordered("pile:", ("?",) * 6), "Der Monsterstapel liegt in neuer Reihenfolge."),
    ],
)
def test_german_names_cards_with_their_article_and_places_all_alike(thing: Any, german: str) -> None:
    told = GAME.narration.describe_event(thing)
    assert told is not None
    assert told["de"] == german


def test_no_text_shows_the_name_of_a_place_of_cards() -> None:
    for thing in (CardsReordered("pile:", ("?",) * 6), ShuffleResult(MONSTERS), PickResult(("kraken", "mantis"))):
        told = GAME.narration.describe_event(thing)
        assert told is not None
        assert not any(":" in text for text in told.values())


def test_every_dungeon_card_has_an_article_and_a_card_without_one_keeps_its_name() -> None:
    for card in ("entrance", *FACES):
        named = GAME.rulebook.render_texts("monster_was_used", card=card)
        assert named["de"].startswith(("Der ", "Die ", "Ein ")), card
        assert named["en"].startswith(("The ", "A ")), card
    assert GAME.rulebook.render_texts("monster_was_used", card="hydra")["en"].startswith("Hydra was")


def test_every_refusal_and_question_of_the_texts_is_spoken_somewhere() -> None:
    code = "\n".join(path.read_text("utf-8") for path in FOLDER.rglob("*.py"))
    assert not [key for key in GAME.rulebook.reasons if "." not in key and f'"{key}"' not in code]
