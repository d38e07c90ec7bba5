"""What a written question leaves out follows from the rest of the position, or is asked for; it is never assumed."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.chance import PickResult
from referee.engine.events import Event, apply_events
from referee.engine.referee import draw_chance_move, find_legal_moves, judge_move, preview_move
from referee.engine.seats import CHANCE, Seat
from referee.games.monster_combat import GAME
from referee.games.monster_combat.events import ImmunityEnded
from referee.games.monster_combat.moves import Parry, Pass, PlayCard, TakeHit
from referee.games.monster_combat.rules.attacks import LightningAttack, PendingAttack
from referee.games.monster_combat.rules.setup import Deal
from referee.games.monster_combat.rules.theft import Theft
from referee.games.monster_combat.rules.turn import EndOfTurn, SurplusDiscard
from referee.games.monster_combat.state import DECK, DISCARD, Table
from tests.games.course import of
from tests.games.monster_combat.given import settled

PLAYER = {"hearts": 3, "immune": False, "hand": 2}


def read(asks: str, *players: dict[str, Any], question: dict[str, Any] | None = None, **more: Any) -> Table:
    """A position of variant 1 (or another) that is read, and written and read again to the same."""
    data = {"variant": "V1", "players": list(players) or [PLAYER] * 3, "turn": 0, "direction": "clockwise", **more}
    state = GAME.positions.decode_position({**data, "question": {"asks": asks, **(question or {})}})
    assert GAME.positions.decode_position(GAME.positions.encode_position(state)) == state
    return state


def followed(state: Table, seat: int, move: Any) -> tuple[list[Event], str]:
    """The facts as far as the position fixes them, and what it would have to say for more."""
    events, need = preview_move(state, Seat(seat), move)
    return list(events), need.key if need else ""


@pytest.mark.clause("MC-V2-MONSTER-3")
@pytest.mark.parametrize(("number", "left"), [(5, 2), (8, 1)])
def test_a_monster_strikes_with_its_own_strength_if_the_position_says_no_other(number: int, left: int) -> None:
    monster = {"number": number, "hearts": 2, "asleep_until": None}
    state = read("parry", variant="V2", monster=monster, question={"seat": 0})
    assert state.agenda[-1] == PendingAttack(0, 3 - left, "monster")
    events, _need = followed(state, 0, TakeHit())
    assert apply_events(state, events).hearts[0] == left


def test_an_unknown_monster_is_asked_for_but_a_shield_stops_it_all_the_same() -> None:
    state = read("parry", variant="V2", question={"seat": 0})
    assert state.agenda[-1] == PendingAttack(0, None, "monster")
    assert followed(state, 0, TakeHit()) == ([], "which_monster")
    assert judge_move(state, Seat(0), Parry("shield")).granted


@pytest.mark.clause("MC-V1-SWORD-1", "MC-V1-EVENT-ATTACK-1")
def test_among_players_whoever_is_on_turn_is_attacked_by_the_event_and_another_by_a_sword() -> None:
    assert read("parry", question={"seat": 0}).agenda[-1] == PendingAttack(0, 1, "event")
    state = read("parry", question={"seat": 1})
    assert state.agenda == (EndOfTurn(), PendingAttack(1, 1, "sword"))


def test_what_attacks_stays_open_while_nobody_says_whose_turn_it_is() -> None:
    data = {"variant": "V1", "players": [PLAYER] * 3, "question": {"asks": "parry", "seat": 1}}
    state = GAME.positions.decode_position(data)
    assert state.agenda[-1] == PendingAttack(1, 1, None)
    events, need = followed(state, 1, TakeHit())
    assert apply_events(state, events).hearts == (3, 2, 3)
    assert need == "whose_turn"


@pytest.mark.clause("MC-V1-LIGHTNING-3")
def test_whether_all_have_parried_is_asked_where_it_decides() -> None:
    question = {"order": [2], "by": 0}
    state = read("lightning", question=question)
    assert state.agenda[-1] == LightningAttack((2,), 0, None)
    events, need = followed(state, 2, Parry("shield"))
    assert need == "have_all_parried"
    assert apply_events(state, events).hearts == (3, 3, 3)
    events, need = followed(state, 2, TakeHit())  # now not all have
    assert apply_events(state, events).hearts == (3, 3, 2)
    assert need == "who_misses_a_turn"


@pytest.mark.clause("MC-V1-LIGHTNING-3", "MC-AMB-11")
def test_whether_all_have_parried_can_follow_from_the_rest() -> None:
    assert read("lightning", question={"order": [1, 2], "by": 0}).agenda[-1] == LightningAttack((1, 2), 0, True)
    immune = {**PLAYER, "immune": True}
    state = read("lightning", PLAYER, immune, PLAYER, question={"order": [2], "by": 0})
    assert state.agenda[-1] == LightningAttack((2,), 0, None)
    events, need = followed(state, 2, Parry("shield"))
    assert need == "who_misses_a_turn"  # and not whether all have parried: one is immune
    assert apply_events(state, events).hearts == (3, 3, 3)
    _events, need = followed(GAME.apply_interpretations(state, {"MC-AMB-11": 2}), 2, Parry("shield"))
    assert need == "have_all_parried"


@pytest.mark.parametrize(
    ("asks", "question"),
    [
        ("draw_more", {"seat": 0}),
        ("steal", {"victim": 1, "thief": 0}),
        ("deal", {"seat": 1}),
        ("discard_down", {"seat": 0}),
    ],
)
def test_a_number_of_cards_that_does_not_follow_is_asked_for(asks: str, question: dict[str, int]) -> None:
    state = read(asks, {"hearts": 3}, {"hearts": 3}, question=question)
    for seat in (0, CHANCE):
        ruling = judge_move(state, Seat(seat), Pass())
        assert [need.key for need in ruling.needs] == ["how_many_cards"]
    assert GAME.positions.encode_position(state)["question"] == {"asks": asks, **question}


def test_a_number_of_cards_follows_from_hands_and_from_the_thief_last_played() -> None:
    many = {**PLAYER, "hand": 9}
    assert read("discard_down", many, PLAYER).agenda[-1] == SurplusDiscard(0, 2)
    assert read("deal", question={"seat": 1}).agenda[-1] == Deal(1, 3)
    thief = {"victim": 1, "thief": 0}
    assert read("steal", question=thief, discard=["sword", "thief_2"]).agenda[-1] == Theft(1, 0, 2)
    assert read("steal", question=thief, discard=["thief_2", "thief_1"]).agenda[-1] == Theft(1, 0, 1)


def test_whose_question_it_is_follows_from_the_turn_or_is_asked_for() -> None:
    state = GAME.positions.decode_position({"variant": "V1", "players": [PLAYER] * 2, "question": {"asks": "play"}})
    assert [need.key for need in judge_move(state, Seat(0), Pass()).needs] == ["whose_turn"]
    assert judge_move(read("play"), Seat(0), Pass()).granted


@pytest.mark.clause("MC-AMB-6")
def test_what_is_drawn_for_a_card_leaves_that_card_in_the_discard() -> None:
    piles = {"draw_pile": [], "discard": ["skip", "sword", "thief_1"]}
    state = read("draw_more", PLAYER, {"hearts": 3}, **piles, question={"seat": 0, "count": 1})
    state = settled(state)
    assert state.cards_at(DISCARD) == ("thief_1",)
    assert set(state.cards_at(DECK)) == {"skip", "sword"}


@pytest.mark.clause("MC-V1-THIEF-1", "MC-AMB-26")
def test_two_backs_can_be_stolen_from_a_hand_that_nobody_has_counted() -> None:
    state = read("steal", PLAYER, {"hearts": 3}, cards="table", question={"victim": 1, "thief": 0, "count": 2})
    for cards in (("?", "?"), ("?", "?trigger")):
        after = apply_events(state, preview_move(state, CHANCE, PickResult(cards))[0])
        assert len(after.cards_in_hand(0)) == 4
        assert PickResult(cards) in list(find_legal_moves(state, CHANCE))
    picked = draw_chance_move(state, lambda n: n - 1)
    assert judge_move(state, CHANCE, picked).granted


@pytest.mark.clause("MC-EVENT-2", "MC-AMB-12")
def test_an_immunity_that_nobody_spoke_of_is_not_said_to_end() -> None:
    known = {"skipped": None, "draw_pile": 9}
    for immune, sure in (({}, False), ({"immune": True}, True)):
        state = read("play", PLAYER, {"hearts": 3, "hand": 2, **immune}, **known)
        events, _need = followed(state, 0, Pass())
        assert of(events, ImmunityEnded) == [ImmunityEnded(1, sure, ("MC-EVENT-2", "MC-AMB-12"))]
        assert apply_events(state, events).immune[1] is False
        told = GAME.narration.describe_event(of(events, ImmunityEnded)[0])
        assert told is not None
        assert told["en"].startswith("Player 2 is no longer immune" if sure else "If Player 2 was immune")
    state = read("play", PLAYER, PLAYER, **known)
    assert not of(followed(state, 0, Pass())[0], ImmunityEnded)


def test_a_sword_is_followed_as_far_as_the_position_goes() -> None:
    state = read("play", {**PLAYER, "hand": ["sword"]}, {"hand": 1, "hearts": 1, "immune": False})
    state = apply_events(state, followed(state, 0, PlayCard("sword"))[0])
    assert state.agenda[-1] == PendingAttack(1)
