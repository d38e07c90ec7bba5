"""Every card has a test in which what it says works, and one in which it must not."""

from __future__ import annotations

from pathlib import Path

from referee.games.creature_crush.components import FACES, PROGRAMS, REVISED
from tests.games.card_tests import by_card, lacking, numbered, too_long

HERE = Path(__file__).parent
NUMBERS = "test_cards_numbers"  # what a creature costs, hits and bears: of what its text says nothing is seen there


def test_every_card_has_a_test_where_what_it_says_works_and_one_where_it_must_not() -> None:
    unchanged = {
        new
        for old, new in REVISED.items()
        if all(PROGRAMS[old, text] == PROGRAMS[new, text] for text in FACES[new].texts)
    }
    assert lacking(FACES.keys() - unchanged, by_card(HERE, but=NUMBERS)) == {}
    assert len(FACES) == 100 + len(REVISED)


def test_the_numbers_of_every_creature_are_looked_at() -> None:
    creatures = {card for card, printed in FACES.items() if printed.is_creature}
    found = dict(numbered(HERE, NUMBERS))
    assert found
    assert found == dict.fromkeys(found, creatures)


def test_no_test_is_marked_with_a_card_that_is_not_in_the_box() -> None:
    assert set(by_card(HERE)) - set(FACES) == set()


def test_no_file_of_these_tests_is_longer_than_can_be_read() -> None:
    assert too_long(HERE) == []
