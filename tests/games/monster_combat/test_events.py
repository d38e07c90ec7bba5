"""Chapter 7: events."""

from __future__ import annotations

import pytest

from referee.engine.referee import find_legal_moves
from referee.engine.seats import Seat
from referee.games.monster_combat.events import (
    DirectionChanged,
    EventTurnedUp,
    HandLost,
    HeartsLost,
    HeartsRefilled,
    ImmunityEnded,
    ImmunityHeld,
    TurnBegan,
)
from referee.games.monster_combat.moves import DiscardSurplus, Parry, Pass, PlayCard, TakeHit
from referee.games.monster_combat.rules.attacks import PendingAttack
from referee.games.monster_combat.rules.play_a_card import PlayPhase
from referee.games.monster_combat.state import DISCARD
from tests.games.course import of, then, when
from tests.games.monster_combat.given import asked, draws, event, table


@pytest.mark.clause("MC-EVENT-1")
def test_an_event_hits_the_active_player_at_once_and_cannot_be_kept() -> None:
    events, state = event("all_hearts_back", [], [], [], seat=1, turn=1, hearts=(1, 1, 1))
    assert of(events, EventTurnedUp)[0].seat == 1
    assert state.hearts == (1, 3, 1)
    assert state.cards_in_hand(1) == ()


@pytest.mark.clause("MC-EVENT-2")
def test_what_lasts_a_round_ends_when_the_player_has_the_turn_again() -> None:
    _facts, state = event("immune", [], [])
    state = then(state, 0, Pass())
    events, state = when(state, 1, Pass())
    assert of(events, ImmunityEnded) == [ImmunityEnded(0, rules=("MC-EVENT-2", "MC-AMB-12"))]


@pytest.mark.clause("MC-EVENT-3")
@pytest.mark.parametrize("card", ["all_hearts_back", "immune", "discard_hand"])
def test_after_an_event_a_card_may_be_played(card: str) -> None:
    _facts, state = event(card, ["sword"], [])
    assert state.agenda[-1] == PlayPhase(0)


@pytest.mark.clause("MC-EVENT-3")
def test_after_an_attack_survived_a_card_may_be_played() -> None:
    _facts, state = event("attacked", ["sword"], [])
    assert then(state, 0, TakeHit()).agenda[-1] == PlayPhase(0)


@pytest.mark.clause("MC-EVENT-HEARTS-1")
def test_all_empty_hearts_become_full() -> None:
    events, state = event("all_hearts_back", [], [], hearts=(1, 2))
    assert of(events, HeartsRefilled) == [HeartsRefilled(0)]
    assert state.hearts == (3, 2)


@pytest.mark.clause("MC-EVENT-IMMUNE-1")
def test_for_a_round_nothing_can_be_done_to_an_immune_player() -> None:
    _facts, state = event("immune", [], ["sword"])
    state = then(state, 0, Pass())
    events, state = when(state, 1, PlayCard("sword"))
    assert of(events, ImmunityHeld) == [ImmunityHeld(0, "sword")]
    assert not of(events, HeartsLost)


@pytest.mark.clause("MC-EVENT-DISCARD-1", "MC-AMB-13")
def test_the_whole_hand_goes_with_the_card_just_drawn_in_order_and_does_nothing() -> None:
    events, state = draws(["sword", "lightning"], [], deck=("skip!trigger", "sword"), events=("discard_hand!event",))
    assert of(events, HandLost)[0].put == ("sword", "lightning", "skip!trigger")
    assert state.cards_at(DISCARD) == ("sword", "lightning", "skip!trigger")
    assert state.hearts == (3, 3)
    assert list(find_legal_moves(state, Seat(0))) == [Pass()]  # phase 3 comes, with nothing to play


@pytest.mark.clause("MC-V1-EVENT-ATTACK-1", "MC-AMB-17")
def test_attacked_costs_one_life_or_a_shield() -> None:
    _facts, state = event("attacked", ["shield"], [])
    assert state.agenda[-1] == PendingAttack(0, 1, "event")
    assert then(state, 0, TakeHit()).hearts == (2, 3)
    assert then(state, 0, Parry("shield")).hearts == (3, 3)


@pytest.mark.clause("MC-V2-EVENT-ATTACK-1", "MC-AMB-17", "MC-V2-MONSTER-3")
@pytest.mark.parametrize(("monster", "left"), [(1, 2), (5, 2), (6, 1), (10, 1)])
def test_attacked_means_the_active_monster_with_its_strength(monster: int, left: int) -> None:
    _facts, state = event("attacked", ["shield"], [], variant="V2", monster=monster, monster_hearts=monster)
    assert isinstance(state.agenda[-1], PendingAttack)
    assert state.agenda[-1].by == "monster"
    assert then(state, 0, TakeHit()).hearts == (left, 3)
    assert then(state, 0, Parry("shield")).hearts == (3, 3)


@pytest.mark.clause("MC-V2-EVENT-ATTACK-1")
def test_a_sleeping_monster_does_not_attack() -> None:
    _facts, state = event("attacked", [], [], variant="V2", sleeper=1)
    assert state.agenda[-1] == PlayPhase(0)


@pytest.mark.clause("MC-EVENT-DIRECTION-1")
def test_a_change_of_direction_ends_the_turn_and_the_player_before_is_on_turn() -> None:
    events, state = event("change_direction", ["sword"], [], [])
    assert of(events, DirectionChanged)
    assert state.direction == -1
    assert of(events, TurnBegan) == [TurnBegan(2)]
    assert state.cards_in_hand(0) == ("sword",)  # no phase 3


@pytest.mark.clause("MC-AMB-7")
def test_the_player_before_is_the_nearest_living_seat_in_the_new_direction() -> None:
    _facts, state = event("change_direction", [], [], [], [], hearts=(3, 3, 3, 0))
    assert state.active == 2
    _facts, state = event("change_direction", [], [], [], direction=-1)
    assert state.active == 1


@pytest.mark.clause("MC-AMB-7")
def test_the_hand_limit_holds_for_the_turn_broken_off() -> None:
    _facts, state = event("change_direction", ["sword"] * 8, [], [])
    assert asked(state) == {0}
    assert state.direction == -1
    assert then(state, 0, DiscardSurplus(("sword",))).active == 2


@pytest.mark.clause("MC-AMB-7")
def test_for_two_players_a_change_of_direction_merely_ends_the_turn() -> None:
    _facts, state = event("change_direction", ["sword"], [])
    assert state.active == 1


@pytest.mark.clause("MC-AMB-7", "MC-V1-SKIP-1")
def test_a_skip_is_used_up_as_soon_as_the_turn_passes() -> None:
    hands = (["skip"], [], [])
    deck, events = ("sword!trigger", "sword"), ("change_direction!event",)
    _facts, state = when(table(*hands, deck=deck, events=events), 0, PlayCard("skip"))
    assert state.active == 1  # seat 1 missed its turn; seat 2 turned the direction round; seat 1 is not skipped again


@pytest.mark.clause("MC-AMB-16")
def test_in_variant_two_immunity_is_over_before_it_could_help() -> None:
    state = table([], [], variant="V2", immune=(False, True), events=("attacked!event",))
    state = then(state, 0, Pass())
    assert not state.is_immune(1)
    assert isinstance(state.agenda[-1], PendingAttack)


LATE = {"v2_immunity_until": "own_next_event_checked"}


@pytest.mark.clause("MC-AMB-16")
@pytest.mark.parametrize("card", ["attacked", "discard_hand", "change_direction"])
def test_or_it_lasts_until_the_next_own_event_is_over_and_keeps_its_harm_off(card: str) -> None:
    state = table(
        ["skip"], ["sword"], [], variant="V2", immune=(False, True, False), events=(f"{card}!event",), rules=LATE
    )
    state = then(state, 0, Pass())
    assert state.active == 1
    assert state.agenda[-1] == PlayPhase(1)
    assert state.hearts == (3, 3, 3)
    assert state.direction == 1
    assert "sword" in state.cards_in_hand(1)
    assert not state.is_immune(1)


@pytest.mark.clause("MC-AMB-16")
def test_a_further_event_of_immunity_goes_on_protecting_and_help_is_not_kept_off() -> None:
    protected = {"variant": "V2", "immune": (False, True), "hearts": (3, 1), "rules": LATE}
    assert then(table([], [], events=("immune!event",), **protected), 0, Pass()).is_immune(1)
    after = then(table([], [], events=("all_hearts_back!event",), **protected), 0, Pass())
    assert after.hearts == (3, 3)
    assert not after.is_immune(1)
