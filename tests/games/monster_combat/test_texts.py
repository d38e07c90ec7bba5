"""What players read: places by their names, in both languages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.engine.referee import find_legal_moves, judge_move, resolve_pending_steps, rule_on_move
from referee.engine.rulings import Undetermined
from referee.engine.seats import CHANCE, Seat
from referee.engine.zones import CardsForgotten, CardsReordered
from referee.games.monster_combat import GAME
from referee.games.monster_combat.components import PLACE_LABELS
from referee.games.monster_combat.events import HeartRegained
from referee.games.monster_combat.moves import DrawResult, LayOpenResult, PlayCard
from referee.games.monster_combat.rules.attacks import LightningAttack, PendingAttack
from referee.games.monster_combat.rules.drawing import CardDrawing
from referee.games.monster_combat.rules.ending import HandLoss
from referee.games.monster_combat.rules.play_a_card import PlayPhase
from referee.games.monster_combat.rules.setup import Deal
from referee.games.monster_combat.rules.theft import Theft
from referee.games.monster_combat.rules.turn import EndOfTurn, SurplusDiscard
from referee.games.monster_combat.state import DECK, DISCARD, EVENTS, HANDS, SOME, TRAY, Table
from referee.rendering import texts
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


def asks(state: Table) -> dict[str, str]:
    """The open question of a table."""
    return texts.question_response(GAME, state)["asks"]


def test_who_is_attacked_reads_who_attacks_and_what_is_at_stake() -> None:
    state = table([], ["shield"], [], hearts=(3, 2, 3), agenda=(EndOfTurn(), PendingAttack(1)))
    assert asks(state)["en"] == (
        "Player 1 attacks you with a sword. Parry with a shield, or lose 1 heart? You have 2 hearts."
    )
    monster = replace(
        table([], [], hearts=(1, 3), variant="V2", agenda=(EndOfTurn(), PendingAttack(0, 2, "monster"))),
        monster=6, monster_hearts=4,
    )  # fmt: skip
    assert asks(monster)["de"] == (
        "Monster 6, „Saurier“, greift dich an. Mit einem Schild abwehren oder 1 Herz verlieren? Du hast noch 1 Herz."
    )
    bolt = table([], [], [], hearts=(3, 1, 3), agenda=(EndOfTurn(), LightningAttack((1, 2), 0)))
    assert asks(bolt)["de"].startswith("Der Blitz von Spieler 1 greift dich an.")
    assert asks(bolt)["de"].endswith("Du hast noch 1 Herz.")


def test_who_may_play_a_card_reads_whom_or_what_it_would_meet() -> None:
    state = table(["sword"], [], [], hearts=(3, 1, 3), agenda=(EndOfTurn(), PlayPhase(0)))
    assert asks(state)["de"] == "Eine Karte spielen oder keine? Nach dir kommt Spieler 2 mit 1 Herz."
    fight = table(["sword"], [], variant="V2", agenda=(EndOfTurn(), PlayPhase(0)))
    fight = replace(fight, monster=7, monster_hearts=1, sleeper=1)
    assert asks(fight)["en"] == (
        "Play a card, or none? Monster 7, Stone golem, has 1 heart left and sleeps, so hits count double."
    )
    assert asks(replace(fight, sleeper=None))["en"] == "Play a card, or none?"


def test_a_choice_of_one_card_is_asked_as_one() -> None:
    one = table(["sword"] * 8, [], agenda=(EndOfTurn(), SurplusDiscard(0, 1)))
    assert asks(one)["de"] == "Welche Karte gibst du ab? Sieben darfst du behalten."
    two = table([], ["sword", "skip"], agenda=(EndOfTurn(), Theft(1, 0, 2)))
    assert asks(two)["de"] == "Welche 2 Karten stiehlt Spieler 1 von Spieler 2?"


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("variant", ["V1", "V2"])
def test_no_two_legal_moves_read_alike(lang: str, variant: str) -> None:
    hand = ["sword", "sword!trigger", "shield", "shield!trigger", "life_back", "life_back!trigger", "skip", "skip"]
    for step in (PlayPhase(0), PendingAttack(0), SurplusDiscard(0, 1)):
        state = table(hand, [], hearts=(2, 2), variant=variant, agenda=(EndOfTurn(), step))
        told = [lines(move)[lang == "de"] for move in find_legal_moves(state, Seat(0))]
        assert len(told) > 1
        assert len(set(told)) == len(told)


def test_a_report_of_backs_says_which_and_how_many() -> None:
    assert lines(DrawResult(("?", "?trigger", "?"))) == [
        "Drawn: 2 × plain back, trigger back.",
        "Gezogen: 2 × einfache Rückseite, Auslöser-Rückseite.",
    ]


def test_a_refused_card_names_its_player() -> None:
    ruling = refusal(table(["sword"], [], agenda=(EndOfTurn(), PlayPhase(0))), 0, PlayCard("skip"))
    assert texts.describe_reason(GAME, ruling)["de"] == "Spieler 1 hat „Aussetzen“ nicht auf der Hand."


@pytest.mark.parametrize(("card", "german"), [("sword", "gegen Spieler 3"), ("life_back", "für Spieler 3")])
def test_a_card_is_played_against_a_player_or_for_one(card: str, german: str) -> None:
    assert f"{german} spielen" in lines(PlayCard(card, 2))[1]
    told = texts.tell_made_move(GAME, PlayCard(card, 2), 0)
    assert told is not None
    assert told["de"].endswith(f"{german}.")


@pytest.mark.parametrize(
    ("move", "clause", "german"),
    [
        (PlayCard("life_back"), "MC-V1-LIFE-1", "Spieler 1 spielt „Leben zurück“ für sich"),
        (PlayCard("life_back", 0), "MC-V2-LIFE-1", "Spieler 1 spielt „Leben zurück“ für sich"),
        (PlayCard("life_back", 1), "MC-V2-LIFE-1", "Spieler 1 spielt „Leben zurück“ für Spieler 2"),
    ],
)
def test_a_life_back_card_is_told_by_whose_heart_it_fills_and_by_its_own_rule(
    move: PlayCard, clause: str, german: str
) -> None:
    spoken = GAME.narration.render_spoken_text(move, who="0")
    assert spoken is not None
    assert (spoken.clause, spoken.says["de"]) == (clause, german)
    heart = GAME.narration.render_spoken_text(HeartRegained(0))
    assert heart is not None
    assert heart.clause == "none"  # the rule of the card is read, not what a life is
