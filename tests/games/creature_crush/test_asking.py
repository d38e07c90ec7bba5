"""Questions say what is answered, by whom and what it would do; buttons and refusals name dice, effects and values."""

from __future__ import annotations

import pytest

from referee.engine.referee import judge_move
from referee.engine.rulebook.book import Text
from referee.engine.seats import Seat
from referee.games.creature_crush import GAME
from referee.games.creature_crush.moves import Attack, Flip, Lay, MoveCreature, Summon
from referee.games.creature_crush.state import Table
from referee.rendering.texts import describe_event, describe_reason, legal_moves_response, question_response
from tests.games.course import then
from tests.games.creature_crush.table import table


def asks(state: Table) -> Text:
    """The text of the open question."""
    return question_response(GAME, state)["asks"]


@pytest.mark.clause("CC-CHAIN-4", "CC-ATTACK-5")
def test_who_may_answer_an_attack_reads_both_creatures_and_what_it_would_do() -> None:
    given = table({"A1": "ember_fox"}, {"B1": "clay_guard", "C1": "sky_bolt"}, dice=(3,))
    asked = asks(then(given, 0, Attack("ember_fox", (3,), "clay_guard")))
    assert asked["en"].startswith("Player 1 attacks Clay Guard with Ember Fox: 2 damage, Clay Guard has 5 life left.")
    assert asked["de"].startswith("Spieler 1 greift „Lehmwächter“ mit „Glutfuchs“ an: 2 Schaden")


@pytest.mark.clause("CC-DIRECT-1", "CC-DIRECT-2")
def test_who_may_answer_a_direct_attack_reads_what_would_be_lost() -> None:
    attacker, waiting = {"A1": "ember_fox"}, {"C1": "raised_drawbridge"}
    full = table(attacker, waiting, dice=(3,), decks=((), ("chimera",)))
    assert "the top card of the deck" in asks(then(full, 0, Attack("ember_fox", (3,))))["en"]
    empty = table(attacker, waiting, dice=(3,), decks=((), ()), hands=((), ("chimera",)))
    assert "eine zufällige Handkarte" in asks(then(empty, 0, Attack("ember_fox", (3,))))["de"]


@pytest.mark.clause("CC-CHAIN-4")
def test_who_may_answer_a_flip_reads_what_the_card_does() -> None:
    given = table({"C1": "sky_bolt"}, {"B1": "frost_lout", "C1": "broken_seal"})
    asked = asks(then(given, 0, Flip("C1", "sky_bolt")))["en"]
    assert asked.startswith("Player 1 has flipped Sky Bolt.")
    assert "Card text: Flip - " in asked


@pytest.mark.clause("CC-CHAIN-2")
def test_effects_to_be_ordered_are_named() -> None:
    board = {"B1": "bone_pup", "B2": "grave_beetle"}
    given = table({"C1": "volley"}, board, decks=(("clay_guard", "thornback"), ("storm_gull", "chimera")))
    asked = asks(then(given, 0, Flip("C1", "volley")))
    assert "Bone Pup (Hell), Grave Beetle (Hell)" in asked["en"]
    assert "„Knochenwelpe“ (Hölle)" in asked["de"]


def test_the_phases_name_the_dice_that_are_left() -> None:
    assert "with the dice 3, 6" in asks(table(dice=(3, 6)))["en"]
    assert "alle Würfel sind verbrannt" in asks(table(dice=(), phase="tactic"))["de"]


def test_moves_name_the_dice_and_no_number_stands_alone() -> None:
    told = describe_event(GAME, Attack("ember_fox", (1, 2), "clay_guard"))
    assert told is not None
    assert told["en"] == "Attack Clay Guard with Ember Fox and burn the 1 and the 2."
    told = describe_event(GAME, Lay("war_council", "C1", ()))
    assert told is not None
    assert told["de"] == "„Kriegsrat“ verdeckt auf C1 legen und keinen Würfel verbrennen."


@pytest.mark.clause("CC-CRUSH-FLIP-3")
def test_refusals_name_the_condition_that_fails_with_the_values() -> None:
    given = table({"C1": "last_reserve"}, decks=(("chimera",), ()), dice=(6,), hands=(("ember_fox",), ()))
    refused = describe_reason(GAME, judge_move(given, Seat(0), Flip("C1", "last_reserve")))
    assert refused["en"] == "Last Reserve can be flipped only when your deck is empty."
    refused = describe_reason(GAME, judge_move(given, Seat(0), Summon("ember_fox", "B1", (3,))))
    assert refused["de"] == "Kein unverbrannter Würfel zeigt 3; du hast noch 6."


@pytest.mark.clause("CC-AMB-7")
def test_two_copies_of_a_card_in_the_league_are_told_apart_by_their_decks() -> None:
    listed = [
        MoveCreature("bone_cart#1", "A2", 2),
        MoveCreature("bone_cart#2", "A2", 2),
        MoveCreature("reaper#1", "A2", 2),
    ]
    assert [each["told"]["en"] for each in legal_moves_response(GAME, listed)] == [
        "Move Bone Cart (deck of Player 1) to A2 and burn the 2.",
        "Move Bone Cart (deck of Player 2) to A2 and burn the 2.",
        "Move Reaper to A2 and burn the 2.",
    ]
