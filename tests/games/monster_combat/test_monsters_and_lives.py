"""Chapters 3, 8 and 9: monsters, lives, and how a match ends."""

from __future__ import annotations

import pytest

from referee.engine.referee import build_view, find_legal_moves, seats_that_may_act
from referee.engine.seats import BYSTANDER, Seat
from referee.games.monster_combat import GAME
from referee.games.monster_combat.components import CARDS, MONSTERS, attack_strength_of
from referee.games.monster_combat.events import HandLost, PlayerDefeated, TurnBegan
from referee.games.monster_combat.monster_events import (
    LastSurvivorWon,
    MonsterAppeared,
    MonsterBeaten,
    MonsterHit,
    MonstersWon,
    PlayersWon,
)
from referee.games.monster_combat.moves import Parry, Pass, PlayCard, TakeHit
from referee.games.monster_combat.rules.attacks import PendingAttack
from referee.games.monster_combat.rules.triggers import AfterEvent
from referee.games.monster_combat.rules.turn import EndOfTurn
from referee.games.monster_combat.state import DISCARD
from tests.games.course import of, refusal, then, when
from tests.games.monster_combat.given import asked, event, struck, table

# ---- monsters ------------------------------------------------------------------------------------------------


@pytest.mark.clause("MC-V2-MONSTER-1")
def test_ten_monsters_follow_each_other_each_with_one_life_more() -> None:
    for number in range(1, 10):
        state = table(["sword"], [], variant="V2", monster=number, monster_hearts=1)
        events, state = when(state, 0, PlayCard("sword"))
        assert of(events, MonsterBeaten) == [MonsterBeaten(number)]
        assert of(events, MonsterAppeared) == [MonsterAppeared(number + 1, number + 1)]


@pytest.mark.clause("MC-V2-MONSTER-2")
def test_the_hearts_left_to_the_monster_are_open_to_all() -> None:
    state = then(table(["sword"], [], variant="V2"), 0, PlayCard("sword"))
    assert build_view(state, BYSTANDER).monster_hearts == 2


@pytest.mark.clause("MC-V2-MONSTER-3")
def test_from_the_dinosaur_on_an_attack_costs_two_hearts() -> None:
    assert [attack_strength_of(number) for number in range(1, 11)] == [1] * 5 + [2] * 5
    assert MONSTERS[6]["id"] == "dinosaur"


@pytest.mark.clause("MC-V1-MONSTER-1")
def test_a_monster_card_does_nothing_among_players() -> None:
    _facts, state = event("attacked", [], [], monster=0)
    assert isinstance(state.agenda[-1], PendingAttack)
    assert state.agenda[-1].strength == 1


@pytest.mark.clause("MC-AMB-15")
def test_damage_beyond_the_last_heart_is_lost() -> None:
    state = table(["lightning"], [], variant="V2", monster=4, monster_hearts=1, sleeper=1)
    events, state = when(state, 0, PlayCard("lightning"))
    assert of(events, MonsterHit) == [MonsterHit(4, 1, ("MC-AMB-15",))]
    assert (state.monster, state.monster_hearts) == (5, 5)
    assert not state.is_monster_asleep()


@pytest.mark.clause("MC-AMB-17")
def test_no_monster_attacks_without_the_event() -> None:
    for card in ("all_hearts_back", "immune", "discard_hand"):
        _facts, state = event(card, ["sword"], [], variant="V2", monster=9, monster_hearts=9)
        state = then(state, 0, Pass())
        assert state.hearts == (3, 3)


@pytest.mark.clause("MC-AMB-23")
def test_a_monster_has_hearts_of_its_own() -> None:
    state = then(table(["sword"], [], variant="V2"), 0, PlayCard("sword"))
    assert state.hearts == (3, 3)
    assert [card["copies"] for card in CARDS if card["id"] == "monster_life_card"] == [1]


# ---- lives ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("MC-LIFE-1", "MC-TERM-7")
def test_the_third_hit_defeats() -> None:
    hearts = [3, 3, 3]
    for hit in range(3):
        events, state = when(struck([], [], [], hearts=(3, hearts[1], 3)), 1, TakeHit())
        hearts[1] = state.hearts_of(1)
        assert bool(of(events, PlayerDefeated)) is (hit == 2)
    assert hearts[1] == 0


@pytest.mark.clause("MC-LIFE-2")
def test_a_defeated_player_has_no_turn_and_is_passed_over() -> None:
    events, state = when(table([], [], [], hearts=(3, 0, 3)), 0, Pass())
    assert of(events, TurnBegan) == [TurnBegan(2)]
    assert Seat(1) not in seats_that_may_act(state)


@pytest.mark.clause("MC-LIFE-2")
def test_a_defeated_player_is_no_target_but_of_a_life_back_card() -> None:
    state = then(table(["sword"], [], [], hearts=(3, 0, 3)), 0, PlayCard("sword"))
    assert asked(state) == {2}
    state = table(["life_back"], [], [], variant="V2", hearts=(3, 0, 3))
    assert PlayCard("life_back", 1) in list(find_legal_moves(state, Seat(0)))


@pytest.mark.clause("MC-AMB-18")
@pytest.mark.parametrize("variant", ["V1", "V2"])
def test_on_defeat_the_whole_hand_goes_to_the_discard(variant: str) -> None:
    state = struck([], ["sword", "skip"], [], variant=variant, hearts=(3, 1, 3))
    events, state = when(state, 1, TakeHit())
    assert of(events, HandLost)[0].put == ("sword", "skip")
    assert state.cards_in_hand(1) == ()
    assert state.cards_at(DISCARD) == ("sword", "skip")
    assert state.fallen == (1,)


@pytest.mark.clause("MC-AMB-18")
def test_defeat_ends_an_immunity_so_that_it_does_not_come_back_with_the_player() -> None:
    state = struck([], [], [], variant="V2", hearts=(3, 1, 3), immune=(False, True, False))
    assert not then(state, 1, TakeHit()).is_immune(1)


@pytest.mark.clause("MC-AMB-19")
def test_whoever_the_own_event_defeats_plays_no_card() -> None:
    _facts, state = event("attacked", ["sword"], [], [], variant="V2", hearts=(1, 3, 3))
    events, state = when(state, 0, TakeHit())
    assert of(events, PlayerDefeated) == [PlayerDefeated(0, ("MC-AMB-19",))]
    assert of(events, TurnBegan) == [TurnBegan(1)]
    assert state.active == 1


# ---- the end -------------------------------------------------------------------------------------------------


def attack_on_last_heart(variant: str, hearts: tuple[int, ...], seat: int) -> tuple[list[object], object]:
    """The facts when the player of this seat takes an attack, and the outcome."""
    agenda = (EndOfTurn(), AfterEvent(seat), PendingAttack(seat))
    hands: list[list[str]] = [[] for _ in hearts]
    state = table(*hands, variant=variant, hearts=hearts, agenda=agenda, turn=seat, events=("immune!event",) * 3)
    events, state = when(state, seat, TakeHit())
    return list(events), GAME.find_outcome(state)


@pytest.mark.clause("MC-V1-GOAL-1", "MC-V1-END-1")
def test_the_last_with_a_full_heart_wins_at_once() -> None:
    agenda = (EndOfTurn(), PendingAttack(1))
    state = table(["sword"], ["skip"], [], hearts=(1, 1, 0), agenda=agenda, fallen=(2,))
    assert GAME.find_outcome(state) is None
    events, state = when(state, 1, TakeHit())
    assert of(events, LastSurvivorWon) == [LastSurvivorWon(0)]
    assert not of(events, HandLost)
    assert state.agenda == ()
    outcome = GAME.find_outcome(state)
    assert outcome is not None
    assert outcome.winners == (0,)
    assert outcome.placement == ((0,), (1,), (2,))
    assert "MC-V1-END-1" in outcome.clauses
    assert refusal(state, 0, Pass()).clauses == ("KERNEL-OVER-1",)


@pytest.mark.clause("MC-V1-END-1")
def test_while_two_live_the_match_goes_on() -> None:
    events, outcome = attack_on_last_heart("V1", (1, 1, 1), 0)
    assert not of(events, LastSurvivorWon)  # type: ignore[arg-type]
    assert outcome is None


@pytest.mark.clause("MC-V2-GOAL-1", "MC-V2-END-1")
def test_with_the_tenth_monster_all_players_win_the_defeated_too() -> None:
    state = table(["sword"], [], [], variant="V2", hearts=(1, 0, 2), monster=10, monster_hearts=1)
    events, state = when(state, 0, PlayCard("sword"))
    assert of(events, PlayersWon) == [PlayersWon()]
    outcome = GAME.find_outcome(state)
    assert outcome is not None
    assert outcome.winners == (0, 1, 2)
    assert outcome.placement == ((0, 1, 2),)


@pytest.mark.clause("MC-V2-END-2")
def test_when_nobody_lives_all_have_lost() -> None:
    events, outcome = attack_on_last_heart("V2", (0, 1), 1)
    assert of(events, MonstersWon) == [MonstersWon()]  # type: ignore[arg-type]
    assert outcome is not None
    assert outcome.winners == ()  # type: ignore[attr-defined]
    _facts, outcome = attack_on_last_heart("V2", (1, 1), 1)
    assert outcome is None


@pytest.mark.clause("MC-V1-LIGHTNING-3", "MC-V1-END-1")
def test_a_strike_back_can_end_the_match() -> None:
    state = then(table(["lightning"], ["shield"], hearts=(1, 1)), 0, PlayCard("lightning"))
    events, state = when(state, 1, Parry("shield"))
    assert of(events, LastSurvivorWon) == [LastSurvivorWon(1)]


@pytest.mark.clause("MC-AMB-22")
def test_hands_are_hidden_among_allies_too() -> None:
    state = table(["sword"], ["skip", "shield!trigger"], variant="V2")
    assert build_view(state, Seat(0)).cards_in_hand(1) == ("?", "?trigger")
