"""Questions say what is needed to answer them, and buttons say which floor they lay."""

from __future__ import annotations

import pytest

from referee.engine.chance import PickResult
from referee.games.shy_monsters import GAME
from referee.games.shy_monsters.moves import Build
from referee.games.shy_monsters.state import Laid
from referee.rendering.texts import describe_event, question_response
from tests.games.shy_monsters.table import BLOCK, Scene


@pytest.mark.clause("SM-HERO-SKILL-1")
def test_the_hero_reads_where_the_pawn_stands_and_which_skills_are_left() -> None:
    scene = Scene(BLOCK, {"a": "corridor"})
    asks = question_response(GAME, scene.state)["asks"]
    assert asks["en"] == "Hero, you stand at (0|0). Attack and jump are unused. Where do you go?"
    asks = question_response(GAME, scene.plays(scene.explore("a", attack=True)).state)["asks"]
    assert (
        asks["de"] == "Held, du stehst auf (1|0). Den Sprung hast du noch, der Angriff ist verbraucht. Wohin gehst du?"
    )


def test_a_position_that_leaves_the_skills_open_asks_the_plain_question() -> None:
    scene = Scene(BLOCK, attack_ready=None)
    assert question_response(GAME, scene.state)["asks"]["en"] == "Hero, where do you go?"


def test_a_floor_to_lay_is_told_card_by_card_and_backs_by_their_places() -> None:
    told = describe_event(GAME, Build((Laid(1, 0, "kraken"), Laid(0, -1, "exit"))))
    assert told == {
        "en": "Lay out the floor with Kraken at (1|0), Exit at (0|-1).",
        "de": "Das Stockwerk so auslegen: Krake auf (1|0), Ausgang auf (0|-1).",
    }
    told = describe_event(GAME, Build((Laid(1, 0, "?"), Laid(0, -1, "?"))))
    assert told == {"en": "Lay the cards at (1|0), (0|-1).", "de": "Die Karten auf (1|0), (0|-1) auslegen."}
    told = describe_event(GAME, PickResult(("kraken", "mantis")))
    assert told is not None
    assert told["de"] == "Der Herr des Verlieses zieht Krake, Gottesanbeterin."
