"""The reason of a ruling that an older referee wrote into a log is told, whatever has become of its text."""

from __future__ import annotations

import pytest

from referee.games import load_games
from referee.rendering.quarrels import render_reason

# what the first release wrote, and later texts need more values for, or are gone
STORED = [
    ("here_to_slay", "challenge_or_pass", {"move": "hts.draw"}, "HTS-CHAL-1"),
    ("here_to_slay", "party_too_small", {"card": "orthus", "slots": 2, "heroes": 1}, "HTS-MON-2"),
    ("munchkin", "no_need_to_run", {}, "MK-17.1"),
    ("monster_combat", "card_is_not_aimed", {"card": "sword"}, "MC-TURN-PLAY-1"),
    ("shy_monsters", "first_turn_cards_up", {}, "SM-HERO-REVEAL-1"),
]


@pytest.mark.parametrize(("game", "key", "params", "clause"), STORED)
def test_a_reason_whose_text_has_changed_is_told_by_its_clause(game: str, key: str, params: dict, clause: str) -> None:
    box = load_games()[game]
    assert render_reason(box, key, params, (clause,)) == box.rulebook.find_clause(clause).says


def test_a_reason_without_text_and_clause_is_an_error() -> None:
    with pytest.raises(KeyError):
        render_reason(load_games()["munchkin"], "never_heard_of", {})
