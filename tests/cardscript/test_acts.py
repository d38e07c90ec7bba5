"""What cards do, in single words for icons."""

from __future__ import annotations

import pytest

from referee.cardscript.books.acts import ACTS, list_acts
from referee.games import load_games

EXAMPLES = [
    ("here_to_slay", "bad_axe", ["destroy"]),
    ("here_to_slay", "bear_claw", ["pull", "look"]),
    ("here_to_slay", "critical_boost", ["draw", "discard"]),
    ("here_to_slay", "fighter_mask", ["swap"]),
    ("here_to_slay", "curse_of_the_snakes_eyes", ["malus"]),
    ("here_to_slay", "abyss_queen", ["sacrifice", "bonus"]),
    ("monster_combat", "thief_2", ["pull"]),
    ("monster_combat", "change_direction", ["turn"]),
    ("mau_mau", "hearts_7", ["draw"]),
    ("mau_mau", "hearts_9", []),
    ("munchkin", "curse_level", ["lose"]),
    ("munchkin", "os_popping_corn", ["bonus"]),
    ("creature_crush", "spark_imp", []),
    ("creature_crush", "sudden_lunge", ["bonus", "draw"]),
    ("shy_monsters", "exit", ["flee"]),
]


@pytest.mark.parametrize(("game", "card", "acts"), EXAMPLES)
def test_a_card_says_in_words_what_its_text_does(game: str, card: str, acts: list[str]) -> None:
    found = {each["id"]: each for each in load_games()[game].cards}
    assert found[card]["acts"] == acts


@pytest.mark.parametrize("game", sorted(load_games()))
def test_every_card_has_acts_that_the_contract_knows(game: str) -> None:
    for card in load_games()[game].cards:
        assert set(card["acts"]) <= set(ACTS), card["id"]
        assert len(set(card["acts"])) == len(card["acts"])


def test_a_condition_is_nothing_that_a_card_does() -> None:
    card = {"requires": {"strength": 3}, "does": [{"do": "check", "that": {"hand_min": 7}}, {"do": "draw", "count": 1}]}
    assert list_acts(card, ("does", "requires")) == ["draw"]


def test_a_negative_number_is_a_malus() -> None:
    assert list_acts({"standing": [{"roll": ["hero"], "plus": -2}, {"plus": 1}]}, ("standing",)) == ["malus", "bonus"]
