"""The rulebook as data, and which clauses a question in words finds."""

from __future__ import annotations

import pytest

from referee.games import load_games
from referee.match.rulebook import TABLE_BOOK
from referee.rendering.rulebooks import (
    collect_clauses,
    find_clause_texts,
    read_terms,
    search_cards,
    search_clauses,
    weigh_term,
)


@pytest.mark.parametrize(
    ("game", "query", "clause", "among"),
    [
        ("monster_combat", "Does one shield stop an attack that costs two hearts?", "MC-AMB-9", 1),
        ("monster_combat", "May I play two shields against one attack?", "MC-SHIELD-3", 3),
        ("monster_combat", "Hilft ein Schild gegen den Dieb?", "MC-SHIELD-2", 1),
        ("shy_monsters", "Muss der Dungeon-Meister alle sechs Handkarten auslegen?", "SM-BUILD-2", 1),
        ("munchkin", "Who decides whether to run away?", "MK-17.2", 1),
        ("here_to_slay", "Can attacks on a monster be challenged?", "HTS-CHAL-2", 1),
        ("creature_crush", "How often may a creature attack in one turn?", "CC-ACT-1", 3),
        ("mau_mau", "Darf die letzte Karte ein Bube sein?", "MM-AMB-1", 3),
    ],
)
def test_a_question_in_words_finds_its_clause(game: str, query: str, clause: str, among: int) -> None:
    box = load_games()[game]
    assert clause in [found.id for found in search_clauses(box, query, box.cards)[:among]]


def test_an_id_finds_its_clause_first_in_any_case() -> None:
    box = load_games()["monster_combat"]
    assert search_clauses(box, "mc-shield-2", box.cards)[0].id == "MC-SHIELD-2"


def test_clauses_of_the_game_come_before_those_of_every_game() -> None:
    box = load_games()["monster_combat"]
    found = [clause.id for clause in search_clauses(box, "cards of a hand", box.cards)]
    assert found[0] in box.rulebook.clauses
    assert set(found) & TABLE_BOOK.clauses.keys()


def test_words_that_stand_nowhere_find_nothing_and_filling_words_do_not_count() -> None:
    box = load_games()["mau_mau"]
    assert search_clauses(box, "zxqj", box.cards) == []
    assert search_clauses(box, "", box.cards) == []
    assert read_terms("Darf ich mit dem Buben schließen? Buben!") == ["buben", "schliessen"]
    assert read_terms("may I") == ["may", "i"]


@pytest.mark.parametrize(
    ("term", "text", "weight"),
    [
        ("shield", "A shield parries.", 1.0),
        ("shields", "A shield parries.", 1.0),
        ("karte", "Eine Handkarte geht ab.", 0.5),
        ("ass", "Die Passage", 0.0),
        ("sword", "A shield parries.", 0.0),
    ],
)
def test_a_word_counts_in_any_form_and_less_within_another(term: str, text: str, weight: float) -> None:
    assert weigh_term(term, text) == weight


def test_a_card_is_meant_by_its_whole_name_and_the_longest_comes_first() -> None:
    cards = load_games()["monster_combat"].cards
    assert [card["id"] for card in search_cards("Hilft Schild gegen Blitz?", cards)] == ["shield", "lightning"]
    assert search_cards("shielding", cards) == []


@pytest.mark.parametrize("game", load_games())
def test_every_clause_that_holds_is_listed_once_with_its_texts(game: str) -> None:
    box = load_games()[game]
    names = [clause.id for clause in collect_clauses(box)]
    assert len(names) == len(set(names))
    assert {*box.rulebook.clauses, *TABLE_BOOK.clauses} <= set(names)
    for key, clause in box.rulebook.clause_by_text.items():
        assert find_clause_texts(box, clause)[key] == box.rulebook.reasons[key]
