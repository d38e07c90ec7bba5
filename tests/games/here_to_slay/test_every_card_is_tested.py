"""Every card has a test in which its text works, and one in which it must not."""

from __future__ import annotations

from pathlib import Path

from referee.games.here_to_slay.components import FACES
from tests.games.card_tests import by_card, lacking

HERE = Path(__file__).parent


def test_every_card_has_a_test_where_its_text_works_and_one_where_it_must_not() -> None:
    assert lacking(FACES, by_card(HERE, by_value=False)) == {}


def test_no_test_is_marked_with_a_card_that_is_not_in_the_box() -> None:
    assert set(by_card(HERE, by_value=False)) - set(FACES) == set()
    assert len(FACES) == 95
