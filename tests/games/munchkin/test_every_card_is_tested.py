"""Every card has a test in which what it says works, and one in which it must not."""

from __future__ import annotations

from pathlib import Path

from referee.games.munchkin.components import FACES
from tests.games.card_tests import by_card, lacking, numbered, too_long

HERE = Path(__file__).parent
NUMBERS = "test_cards_monsters_numbers"  # a monster killed or not: of what its text says nothing is seen there


def test_every_card_has_a_test_where_what_it_says_works_and_one_where_it_must_not() -> None:
    assert lacking(FACES, by_card(HERE, but=NUMBERS)) == {}


def test_the_numbers_of_every_monster_are_looked_at() -> None:
    monsters = {card for card, printed in FACES.items() if printed.kind == "monster"}
    found = dict(numbered(HERE, NUMBERS))
    assert found
    assert found == dict.fromkeys(found, monsters)


def test_no_test_is_marked_with_a_card_that_is_not_in_the_box() -> None:
    assert set(by_card(HERE)) - set(FACES) == set()
    assert len(FACES) == 149


def test_no_file_of_these_tests_is_longer_than_can_be_read() -> None:
    assert too_long(HERE) == []
