"""What a position says is asked: chains of effects, texts of cards, chance, and cards of the League in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.moves import ChooseCards
from referee.engine.events import apply_events
from referee.engine.referee import judge_move, play_move, seats_that_must_act
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Frame
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import FLIPPED, SOUGHT
from referee.games.creature_crush.events.cards import CrushFlipped
from referee.games.creature_crush.events.decks import CardsFound
from referee.games.creature_crush.events.field import AttackEnded, CreaturesDamaged, EffectCancelled
from referee.games.creature_crush.moves import Flip, Order
from referee.games.creature_crush.rules.chain import Chain, FlippedCardDisposal
from referee.games.creature_crush.rules.combat.damage import Strike
from referee.games.creature_crush.rules.ending import MatchEndCheck
from referee.games.creature_crush.rules.turn import CombatPhase, TacticPhase
from tests.games.creature_crush.written import (
    ATTACK,
    BOTH_EFFECTS,
    DECK_LIST,
    OTHER_BOARD,
    OWN_BOARD,
    all_pass,
    asked,
    build_midgame,
    build_question,
    change_board,
    faults,
    read,
)

Data = dict[str, Any]


# ---- questions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "variant", [pytest.param(each, marks=pytest.mark.deep if each != "league" else ()) for each in GAME.variants]
)
def test_examples_fit_the_schema_and_every_question_has_one(variant: str) -> None:
    schema = GAME.positions.build_schema(variant)
    jsonschema_rs.meta.validate(schema)
    fitting, found = jsonschema_rs.validator_for(schema), set()
    for example in GAME.positions.build_examples(variant):
        fitting.validate(example)
        state = read(example)
        question = GAME.positions.encode_position(state)["question"]
        assert question["asks"] == (example.get("question") or {"asks": "combat"})["asks"]
        assert seats_that_must_act(state)
        found.add(question["asks"])
    listed = (question.get("properties", {}) for question in schema["properties"]["question"]["anyOf"])
    # no card of the box is carried out by the table; tests/cardscript/test_free_texts.py has positions of such cards
    assert found == {members["asks"]["const"] for members in listed if "asks" in members} - {"as_written"}


@pytest.mark.parametrize("variant", GAME.variants)
def test_every_member_and_question_of_the_schema_is_described(variant: str) -> None:
    def undescribed(schema: Any, at: str = "") -> Iterator[str]:
        if isinstance(schema, dict):
            for name, part in schema.get("properties", {}).items():
                if "const" not in part and "description" not in part:
                    yield f"{at}/{name}"
            for key, part in schema.items():
                yield from undescribed(part, f"{at}/{key}")
        elif isinstance(schema, list):
            for index, part in enumerate(schema):
                yield from undescribed(part, f"{at}/{index}")

    assert list(undescribed(GAME.positions.build_schema(variant))) == []


@pytest.mark.clause("CC-CHAIN-2", "CC-CHAIN-4", "CC-CHAIN-7")
def test_effects_at_once_are_ordered_and_the_attack_waits_beneath() -> None:
    state = read(build_midgame(question=build_question("order", **ATTACK)))
    strike = Strike(0, "bog_leech", "B1/0", "stone_owl", "A1/1")
    assert state.agenda[:4] == (CombatPhase(0), MatchEndCheck(), strike, Frame())
    assert asked(state) == {0}
    after = apply_events(state, play_move(state, Seat(0), Order("stone_owl", "attacked")))
    chain = after.agenda[-1]
    assert isinstance(chain, Chain)
    assert [link.card for link in chain.links] == ["bog_leech", "stone_owl"]  # the newest, last here, comes first
    reads = build_question("respond", windows=[ATTACK], links=BOTH_EFFECTS)
    assert read(build_midgame(question=reads)).agenda == after.agenda


@pytest.mark.clause("CC-CHAIN-4", "CC-CHAIN-5", "CC-CRUSH-3")
def test_a_chain_of_several_links_says_its_windows_and_what_lies_turned_up() -> None:
    flips = [{"event": "flipped", "by": 1, "about": {"flipped": ["recoil"]}, "next": 1},
             {"event": "flipped", "by": 0, "about": {"flipped": ["broken_seal"]}, "passed": 1}]  # fmt: skip
    links = [*BOTH_EFFECTS, {"card": "recoil", "part": "flip", "by": 1},
             {"card": "broken_seal", "part": "flip", "known": {"flipped": ["recoil"], "x": [1]}}]  # fmt: skip
    question = build_question("respond", windows=[{**ATTACK, "next": 0}, *flips], links=links)
    state = read(
        build_midgame(
            {"board": change_board(OWN_BOARD, C1=None)},
            {"board": change_board(OTHER_BOARD, C1=None, B3=None)},
            question=question,
        )
    )
    assert (state.cards_at(FLIPPED[0]), state.cards_at(FLIPPED[1])) == (("broken_seal",), ("recoil",))
    assert asked(state) == {1}
    events, later = all_pass(state)
    assert [event.card for event in events if isinstance(event, EffectCancelled)] == ["recoil"]
    assert any(isinstance(event, CreaturesDamaged) for event in events)
    assert not any(isinstance(event, AttackEnded) for event in events)
    assert (later.cards_at(FLIPPED[0]), later.cards_at(FLIPPED[1])) == ((), ())


@pytest.mark.clause("CC-CHAIN-4", "CC-CRUSH-FLIP-3")
def test_a_window_can_be_answered_with_a_fitting_crush_card() -> None:
    board = change_board(OTHER_BOARD, C2={"card": "raised_drawbridge"})
    question = build_question("respond", windows=[{"event": "direct_attack", "about": {"attacker": ["dusk_bat"]}}])
    state = read(build_midgame({}, {"board": board}, question=question))
    assert judge_move(state, Seat(1), Flip("C2", "raised_drawbridge")).granted
    events, later = all_pass(apply_events(state, flipped := play_move(state, Seat(1), Flip("C2", "raised_drawbridge"))))
    assert any(isinstance(event, CrushFlipped) for event in flipped)
    assert [event.why for event in events if isinstance(event, AttackEnded)] == ["cancelled"]
    assert "dusk_bat" not in later.places_by_creature


def test_a_card_text_is_taken_up_at_the_line_that_asks() -> None:
    state = read(
        build_midgame(
            {"board": change_board(OWN_BOARD, B3="hex_toad"), "hand": 3},
            question=build_question("choose", card="hex_toad"),
        )
    )
    *_, text, choosing = state.agenda
    assert isinstance(text, Execution)
    assert (text.card, text.text, text.at, text.by) == ("hex_toad", "action", 1, 0)
    assert text.bound == {"me": (0,), "opponent": (1,), "this": ("hex_toad",), "at/this": ("B3/0",), "x": (0,)}
    assert choosing.called == "target"
    flip = read(build_midgame({"hand": 3}, question=build_question("target_dice", card="overthrow")))
    assert flip.agenda[2:5] == (Chain((), ()), Frame(), FlippedCardDisposal("overthrow", 0))
    assert flip.cards_at(FLIPPED[0]) == ("overthrow",)
    assert asked(flip) == {CHANCE}


@pytest.mark.clause("CC-DICE-1", "CC-AMB-23")
def test_dice_that_find_a_target_are_known_to_the_text() -> None:
    pips = {"dice/target": [4, 1, 1]}
    state = read(build_midgame({"hand": 3}, question=build_question("choose", card="overthrow", known=pips)))
    text, choosing = state.agenda[-2:]
    assert isinstance(text, Execution)
    assert choosing.noun.find_options(state, text, 0) == ("stone_owl", "tar_golem")
    other = read(
        build_midgame(
            {"hand": 3}, question=build_question("choose", card="overthrow", known={"dice/target": [3, 1, 6]})
        )
    )
    assert other.agenda[-1].noun.find_options(other, other.agenda[-2], 0) == ("stone_owl",)
    assert set(faults(build_midgame({"hand": 3}, question=build_question("choose", card="overthrow")))) == {
        "/question/known"
    }


@pytest.mark.clause("CC-EFF-SEARCH-1")
def test_a_search_looks_through_the_deck_that_lies_as_sought() -> None:
    (data,) = [
        each for each in GAME.positions.build_examples("skirmish") if each.get("question", {}).get("asks") == "search"
    ]
    state = read(data)
    assert state.cards_at(SOUGHT[0]) == ("recoil", "pitfall", "frost_lout")
    events = play_move(state, Seat(0), ChooseCards(("pitfall",)))
    assert [event.shown for event in events if isinstance(event, CardsFound)] == [("pitfall",)]


def test_any_step_can_be_written_as_the_referee_keeps_it() -> None:
    long, short = {"type": "cc.Combat", "seat": 0}, {"asks": "combat"}
    assert read(build_midgame(question=long)) == read(build_midgame(question=short))
    beneath = [{"type": "cc.Tactic", "seat": 0}]
    state = read(
        build_midgame(question=build_question("answer_draw"), pending_steps=beneath, phase="tactic", offered=0)
    )
    assert state.agenda[0] == TacticPhase(0)


def test_what_may_set_something_off_needs_a_frame_beneath() -> None:
    beneath = [{"type": "cc.Combat", "seat": 0}]
    assert set(faults(build_midgame(question={"type": "cc.Milling", "seat": 1}, pending_steps=beneath))) == {
        "/question"
    }
    framed = [{"type": "Frame"}, *beneath]
    assert read(build_midgame(cards="table", question=build_question("mill"), pending_steps=framed)).agenda[:2] == (
        CombatPhase(0),
        Frame(),
    )


# ---- the League ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-AMB-7", "CC-FORMAT-LEAGUE-1")
def test_in_the_league_a_card_is_of_the_own_deck_unless_it_says_otherwise() -> None:
    taken = {"board": {"B1": "hex_toad", "B2": "iron_boar#2"}, "hand": ["hex_toad#2", "sky_bolt"], "list": DECK_LIST}
    state = read(
        build_midgame(taken, {"board": {"A1": "stone_owl"}, "hand": 3}, variant="league", entered=["iron_boar"])
    )
    assert (state.card_at("B1/0"), state.card_at("B2/0"), state.card_at("A1/1")) == (
        "hex_toad#1",
        "iron_boar#2",
        "stone_owl#2",
    )
    assert state.cards_in_hand(0) == ("hex_toad#2", "sky_bolt#1")
    assert state.entered == ("iron_boar#2",)
    assert state.lists == {"0": tuple(DECK_LIST)}
    attack = build_question("order", event="attack", about={"attacker": ["bog_leech"], "defender": ["stone_owl"]})
    order = read(build_midgame(question=attack, variant="league"))
    assert [effect.card for effect in order.agenda[-1].left] == ["bog_leech#1", "stone_owl#2"]
