"""Chapter 5: the turn."""

from __future__ import annotations

import pytest

from referee.engine.chance import Shuffle, ShuffleResult
from referee.engine.referee import collect_granting_clauses, find_legal_moves
from referee.engine.seats import Seat
from referee.games.monster_combat import GAME
from referee.games.monster_combat.events import (
    EventTurnedUp,
    HeartRegained,
    HeartsLost,
    NothingToDraw,
    PileRenewed,
    PlayerDrewCards,
    SurplusDiscarded,
    TurnBegan,
)
from referee.games.monster_combat.moves import DiscardSurplus, Pass, PlayCard, ReviveDraw
from referee.games.monster_combat.rules.play_a_card import PlayPhase
from referee.games.monster_combat.rules.turn import SurplusDiscard, TurnStart
from referee.games.monster_combat.state import DECK, DISCARD, EVENTS, TRAY
from tests.games.course import of, refusal, then, when
from tests.games.monster_combat.given import asked, chance, draws, event, settling, table, turn_begins


@pytest.mark.clause("MC-TURN-1")
def test_a_turn_goes_draw_event_play() -> None:
    events, state = settling(
        table([], [], agenda=(TurnStart(0),), deck=("sword!trigger", "sword"), events=("immune!event",))
    )
    kinds = [type(fact) for fact in events]
    assert kinds.index(TurnBegan) < kinds.index(PlayerDrewCards) < kinds.index(EventTurnedUp)
    assert isinstance(state.agenda[-1], PlayPhase)


@pytest.mark.clause("MC-TURN-1")
def test_playing_a_card_is_free_but_drawing_is_not() -> None:
    state = turn_begins(["sword"], [])
    assert len(state.cards_in_hand(0)) == 2
    assert Pass() in list(find_legal_moves(state, Seat(0)))
    assert asked(then(state, 0, Pass())) == {1}


@pytest.mark.clause("MC-TURN-DRAW-1")
def test_the_top_card_of_the_draw_pile_comes_into_the_hand() -> None:
    events, state = draws(["skip"], [], deck=("shield", "sword"))
    assert of(events, PlayerDrewCards)[0].put == ("shield",)
    assert state.cards_in_hand(0) == ("skip", "shield")
    assert state.cards_at(DECK) == ("sword",)


@pytest.mark.clause("MC-V1-TURN-EVENT-1", "MC-V1-TRIGGER-1")
def test_a_trigger_card_drawn_first_brings_an_event_about_at_once() -> None:
    events, state = draws([], [], deck=("sword!trigger", "sword"), events=("all_hearts_back!event",), hearts=(1, 3))
    assert of(events, EventTurnedUp)[0].put == ("all_hearts_back!event",)
    assert state.hearts == (3, 3)
    assert state.cards_at(TRAY) == ("all_hearts_back!event",)
    assert state.cards_in_hand(0) == ("sword!trigger",)


@pytest.mark.clause("MC-V1-TURN-EVENT-1")
def test_an_ordinary_card_brings_no_event_about() -> None:
    events, state = draws([], [], deck=("sword", "sword!trigger"))
    assert not of(events, EventTurnedUp)
    assert isinstance(state.agenda[-1], PlayPhase)


@pytest.mark.clause("MC-V2-TURN-EVENT-1", "MC-V2-TRIGGER-1")
@pytest.mark.parametrize("card", ["sword", "sword!trigger"])
def test_against_the_monsters_every_turn_has_an_event_whatever_was_drawn(card: str) -> None:
    events, _state = draws([], [], deck=(card, "sword"), variant="V2")
    assert len(of(events, EventTurnedUp)) == 1


@pytest.mark.clause("MC-TURN-PLAY-1")
def test_one_card_is_played_and_does_what_it_says() -> None:
    state = then(table(["life_back", "life_back"], [], hearts=(1, 3)), 0, PlayCard("life_back"))
    assert state.hearts == (2, 3)
    assert state.cards_at(DISCARD) == ("life_back",)
    assert asked(state) == {1}  # no second card


@pytest.mark.clause("MC-TURN-PLAY-1")
def test_only_a_card_of_the_own_hand_can_be_played() -> None:
    ruling = refusal(table(["skip"], ["sword"]), 0, PlayCard("sword"))
    assert ruling.reason == "not_in_the_hand"
    assert "MC-TURN-PLAY-1" in ruling.clauses
    assert refusal(table(["skip"], []), 0, PlayCard("banana")).reason == "not_in_the_box"
    assert refusal(table(["skip"], []), 0, PlayCard("?")).reason == "not_in_the_box"


@pytest.mark.clause("MC-TURN-END-1")
def test_surplus_cards_are_given_up_down_to_seven_and_do_nothing() -> None:
    hand = ["sword"] * 8 + ["lightning"]
    state = then(table(hand, []), 0, Pass())
    assert state.agenda[-1] == SurplusDiscard(0, 2)
    assert asked(state) == {0}
    events, state = when(state, 0, DiscardSurplus(("lightning", "sword")))
    assert of(events, SurplusDiscarded)[0].put == ("lightning", "sword")
    assert not of(events, HeartsLost)
    assert len(state.cards_in_hand(0)) == 7
    assert state.cards_at(DISCARD) == ("lightning", "sword")


@pytest.mark.clause("MC-TURN-END-1")
def test_neither_more_nor_fewer_are_given_up_and_only_cards_held() -> None:
    state = then(table(["sword"] * 9, []), 0, Pass())
    for cards in ((), ("sword",), ("sword",) * 3):
        assert refusal(state, 0, DiscardSurplus(cards)).clauses == ("MC-TURN-END-1",)
    ruling = refusal(state, 0, DiscardSurplus(("sword", "skip")))
    assert (ruling.reason, ruling.clauses) == ("not_in_the_hand", ("MC-TURN-END-1",))
    assert list(find_legal_moves(state, Seat(0))) == [DiscardSurplus(("sword", "sword"))]


@pytest.mark.clause("MC-AMB-25", "MC-TURN-END-1")
def test_the_hand_limit_holds_only_at_the_end_of_the_own_turn() -> None:
    state = turn_begins(["sword"] * 7, ["shield"] * 9)
    assert len(state.cards_in_hand(0)) == 8
    assert isinstance(state.agenda[-1], PlayPhase)
    state = then(state, 0, PlayCard("sword"))
    assert len(state.cards_in_hand(1)) == 9
    assert asked(state) == {1}  # attacked, with nine cards; nobody gives any up


@pytest.mark.clause("MC-TURN-END-2")
def test_then_the_next_player_is_on_turn() -> None:
    events, state = when(table([], [], []), 0, Pass())
    assert of(events, TurnBegan) == [TurnBegan(1)]
    assert state.active == 1


@pytest.mark.clause("MC-AMB-6")
def test_an_empty_draw_pile_is_renewed_from_the_discard() -> None:
    events, state = draws([], [], deck=(), discard=("sword", "skip", "shield"))
    assert of(events, PileRenewed)[0].put == ("sword", "skip", "shield")
    assert state.agenda[-1] == Shuffle(DECK)
    state = chance(state, ShuffleResult(("shield", "sword", "skip")))
    assert state.cards_in_hand(0) == ("shield",)
    assert state.cards_at(DECK) == ("sword", "skip")
    assert state.cards_at(DISCARD) == ()
    assert state.top == "?"


@pytest.mark.clause("MC-AMB-6")
def test_the_card_being_played_is_not_shuffled_in() -> None:
    state = then(table(["thief_2"], [], deck=("sword",), discard=("skip", "shield")), 0, PlayCard("thief_2"))
    state = chance(state, ShuffleResult(("shield", "skip")))
    assert set(state.cards_in_hand(0)) == {"sword", "shield"}
    assert state.cards_at(DISCARD) == ("thief_2",)


@pytest.mark.clause("MC-AMB-6", "MC-V2-LIFE-2")
def test_nor_is_the_card_that_revives_while_five_are_drawn() -> None:
    used = ("skip", "shield", "sword", "sword", "thief_1")
    state = table(["life_back"], [], [], variant="V2", hearts=(3, 0, 3), deck=("sword",), discard=used, fallen=(1,))
    state = then(state, 0, PlayCard("life_back", 1))
    state = chance(then(state, 1, ReviveDraw(True)), ShuffleResult(used))
    assert sorted(state.cards_in_hand(1)) == sorted(
        ("sword", *used)
    )  # with the card of their own turn, which comes next
    assert state.cards_at(DISCARD) == ("life_back",)


@pytest.mark.clause("MC-AMB-6", "MC-V2-THIEF-1")
def test_nor_is_a_thief_card_played_against_the_monsters() -> None:
    used = ("skip", "shield")
    state = then(table(["thief_2"], [], variant="V2", deck=("sword",), discard=used), 0, PlayCard("thief_2"))
    state = chance(state, ShuffleResult(used))
    assert state.cards_in_hand(0) == ("sword", "skip")
    assert state.cards_at(DISCARD) == ("thief_2",)


@pytest.mark.clause("MC-AMB-6")
def test_if_no_card_is_left_none_is_drawn() -> None:
    events, state = draws(["sword"], [], deck=())
    assert of(events, NothingToDraw) == [NothingToDraw(0)]
    assert state.cards_in_hand(0) == ("sword",)
    assert isinstance(state.agenda[-1], PlayPhase)


@pytest.mark.clause("MC-AMB-6")
def test_the_event_tray_is_reshuffled_likewise() -> None:
    events, state = draws([], [], variant="V2", events=())
    assert not of(events, EventTurnedUp)  # the tray is empty as well: the turn goes on without an event
    assert isinstance(state.agenda[-1], PlayPhase)
    _facts, state = draws([], [], variant="V2", events=(), tray=("immune!event", "all_hearts_back!event"))
    assert state.agenda[-1] == Shuffle(EVENTS)
    state = chance(state, ShuffleResult(("all_hearts_back!event", "immune!event")))
    assert state.cards_at(TRAY) == ("all_hearts_back!event",)
    assert state.cards_at(EVENTS) == ("immune!event",)


@pytest.mark.clause("MC-AMB-4")
def test_only_the_card_of_phase_one_can_bring_an_event_about() -> None:
    events, state = when(
        table(["thief_2"], [], deck=("sword!trigger", "skip!trigger", "sword")), 0, PlayCard("thief_2")
    )
    assert of(events, PlayerDrewCards)[0].put == ("sword!trigger", "skip!trigger")
    assert not of(events, EventTurnedUp)
    assert asked(state) == {1}


@pytest.mark.clause("MC-AMB-8")
def test_a_card_without_a_use_stays_in_the_hand() -> None:
    state = table(["shield", "life_back", "skip", "thief_1"], ["sword"])
    assert refusal(state, 0, PlayCard("shield")).clauses == ("MC-SHIELD-1", "MC-SHIELD-2", "MC-AMB-8")
    assert "MC-AMB-8" in refusal(state, 0, PlayCard("life_back")).clauses
    assert list(find_legal_moves(state, Seat(0))) == [Pass(), PlayCard("skip"), PlayCard("thief_1")]


@pytest.mark.clause("MC-AMB-8", "MC-AMB-8-R2")
def test_by_the_other_reading_life_comes_back_to_nobody_and_a_shield_still_only_answers() -> None:
    usual = table(["shield", "life_back", "skip"], ["sword"])
    state = GAME.apply_interpretations(usual, {"MC-AMB-8": 2})
    assert refusal(state, 0, PlayCard("shield")).clauses == ("MC-SHIELD-1", "MC-SHIELD-2", "MC-AMB-8-R2")
    assert list(find_legal_moves(state, Seat(0))) == [Pass(), PlayCard("life_back"), PlayCard("skip")]
    events, after = when(state, 0, PlayCard("life_back"))
    assert not of(events, HeartRegained)
    assert "MC-AMB-8-R2" in collect_granting_clauses(state, PlayCard("life_back"), events)
    assert (after.hearts, after.cards_at(DISCARD)) == (usual.hearts, ("life_back",))
    events, after = when(
        GAME.apply_interpretations(table(["life_back"], [], hearts=(2, 3)), {"MC-AMB-8": 2}), 0, PlayCard("life_back")
    )
    assert of(events, HeartRegained)
    assert after.hearts == (3, 3)


@pytest.mark.clause("MC-AMB-8-R2", "MC-V2-LIFE-1")
def test_by_the_other_reading_life_goes_to_a_full_heart_against_the_monsters_too() -> None:
    state = table(["life_back"], [], variant="V2", hearts=(3, 2))
    assert refusal(state, 0, PlayCard("life_back", 0)).reason == "no_empty_heart"
    state = GAME.apply_interpretations(state, {"MC-AMB-8": 2})
    assert refusal(state, 0, PlayCard("life_back")).reason == "whose_heart"
    events, after = when(state, 0, PlayCard("life_back", 0))
    assert not of(events, HeartRegained)
    assert after.hearts == (3, 2)
    assert when(state, 0, PlayCard("life_back", 1))[1].hearts == (3, 3)


@pytest.mark.clause("MC-AMB-1", "MC-AMB-8")
def test_a_trigger_card_without_a_face_cannot_be_played_and_goes_after_its_event() -> None:
    rules = {"trigger_mode": "extra_cards"}
    state = table(["trigger!trigger"], [], rules=rules)
    assert refusal(state, 0, PlayCard("trigger!trigger")).reason == "card_without_a_face"
    events, state = draws(["sword"], [], deck=("trigger!trigger", "skip"), rules=rules)
    assert of(events, EventTurnedUp)
    assert state.cards_in_hand(0) == ("sword",)
    assert state.cards_at(DISCARD) == ("trigger!trigger",)


@pytest.mark.clause("MC-AMB-1", "MC-AMB-7")
def test_a_trigger_card_without_a_face_goes_though_its_event_ends_the_turn() -> None:
    rules = {"trigger_mode": "extra_cards"}
    deck, events = ("trigger!trigger", "skip", "shield"), ("change_direction!event",)
    _facts, state = draws(["sword"], [], deck=deck, events=events, rules=rules)
    assert state.active == 1
    assert state.cards_in_hand(0) == ("sword",)
    assert state.cards_at(DISCARD) == ("trigger!trigger",)


def test_the_turn_of_the_last_phase_answers_nothing_else() -> None:
    ruling = refusal(table([], []), 0, DiscardSurplus(()))
    assert [each.reason for each in ruling.broken_rules] == ["no_card_too_many", "play_or_pass"]
    _facts, state = event("immune", [], [])
    assert isinstance(state.agenda[-1], PlayPhase)
