"""What players read: places by their names, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.referee import judge_move, resolve_pending_steps, rule_on_move
from referee.engine.rulings import Undetermined
from referee.engine.seats import CHANCE
from referee.engine.zones import CardsForgotten, CardsReordered
from referee.games.monster_combat import GAME
from referee.games.monster_combat.components import PLACE_LABELS
from referee.games.monster_combat.moves import DrawResult, LayOpenResult
from referee.games.monster_combat.rules.drawing import CardDrawing
from referee.games.monster_combat.rules.ending import HandLoss
from referee.games.monster_combat.rules.setup import Deal
from referee.games.monster_combat.rules.turn import EndOfTurn
from referee.games.monster_combat.state import DECK, DISCARD, EVENTS, HANDS, SOME, TRAY, Table
from tests.games.course import refusal
from tests.games.monster_combat.given import table

IDS = (DECK, EVENTS, DISCARD, TRAY, *HANDS)


def lines(thing: Any) -> list[str]:
    """What is told of a fact, in both languages."""
    told = GAME.narration.describe_event(thing)
    return list(told.values()) if told else []


def test_every_place_has_a_name_of_its_own() -> None:
    assert set(PLACE_LABELS) == set(IDS)
    for lang in ("en", "de"):
        assert len({names[lang] for names in PLACE_LABELS.values()}) == len(IDS)


@pytest.mark.parametrize("place", IDS)
def test_facts_and_questions_call_a_place_by_its_name(place: str) -> None:
    said = [
        *lines(CardsForgotten(place)),
        *lines(CardsReordered(place, ("sword",))),
        *GAME.rulebook.render_texts("what_lies_there", place=place).values(),
        *GAME.rulebook.render_texts("census.recount", place=place).values(),
    ]
    assert len(said) >= 4
    for line in said:
        assert place not in line.split()
        assert f"{place}?" not in line or place == DISCARD
        assert any(names[lang] in line for names in PLACE_LABELS.values() for lang in names)
    assert PLACE_LABELS[place]["de"] in GAME.rulebook.render_text("what_lies_there", "de", place=place)


def test_an_unknown_discard_is_asked_for_by_its_name() -> None:
    state = table([], [], deck=(), discard=(SOME,), agenda=(EndOfTurn(), CardDrawing(0)))
    with pytest.raises(Undetermined) as unknown:
        resolve_pending_steps(state)
    need = unknown.value.need
    assert GAME.rulebook.render_text(need.key, "de", **need.params) == "Welche Karten liegen hier: Ablage?"


def test_a_report_that_misses_a_number_cites_the_clause_of_its_step() -> None:
    backs: Table = table(["?"], ["?"], deck=("?",) * 9, rules={"at_table": True}, agenda=(Deal(0, 4),))
    assert refusal(backs, CHANCE, DrawResult(("?",))).clauses == ("MC-SETUP-5", "KERNEL-CHANCE-1")


@pytest.mark.clause("MC-EVENT-DISCARD-1", "MC-AMB-18")
@pytest.mark.parametrize(("hearts", "clause"), [((3, 3, 3), "MC-EVENT-DISCARD-1"), ((0, 3, 3), "MC-AMB-18")])
def test_a_card_laid_open_must_come_from_the_hand_that_is_lost(hearts: tuple[int, ...], clause: str) -> None:
    state = table(["sword", "?trigger"], [], [], hearts=hearts, agenda=(EndOfTurn(), HandLoss(0)))
    ruling = judge_move(state, CHANCE, LayOpenResult("skip"))
    assert ruling.clauses == ("MC-MAT-4",)
    state = table(["?trigger"], [], [], hearts=hearts, agenda=(EndOfTurn(), HandLoss(0)))
    ruling, _facts = rule_on_move(state, CHANCE, LayOpenResult("skip!trigger"))
    assert {"MC-EVENT-DISCARD-1", "MC-AMB-18"} & set(ruling.clauses) == {clause}
