"""Chapter 6, attacks on players and the shield."""

from __future__ import annotations

import pytest

from referee.engine.referee import build_view, find_legal_moves
from referee.engine.seats import Seat
from referee.games.monster_combat.events import (
    AttackParried,
    CardPlayed,
    HeartsLost,
    ImmunityHeld,
    LightningStruckBack,
    PlayerDefeated,
)
from referee.games.monster_combat.monster_events import LastSurvivorWon, MonsterHit
from referee.games.monster_combat.moves import Parry, Pass, PlayCard, TakeHit
from referee.games.monster_combat.rules.attacks import LightningAttack, PendingAttack
from referee.games.monster_combat.state import DISCARD
from tests.games.course import of, refusal, then, when
from tests.games.monster_combat.given import asked, event, struck, table


@pytest.mark.clause("MC-V1-SWORD-1")
def test_a_sword_attacks_the_next_player_who_loses_a_life() -> None:
    events, state = when(table(["sword"], [], []), 0, PlayCard("sword"))
    assert of(events, CardPlayed)[0].applied_clauses()[-1] == "MC-V1-SWORD-1"
    assert state.agenda[-1] == PendingAttack(1)
    assert then(state, 1, TakeHit()).hearts == (3, 2, 3)


@pytest.mark.clause("MC-V1-SWORD-1", "MC-SHIELD-1")
def test_a_sword_can_be_fended_off_with_a_shield() -> None:
    state = then(table(["sword"], ["shield"], []), 0, PlayCard("sword"))
    events, state = when(state, 1, Parry("shield"))
    assert of(events, AttackParried)[0].seat == 1
    assert state.hearts == (3, 3, 3)
    assert state.cards_at(DISCARD) == ("sword", "shield")


@pytest.mark.clause("MC-V1-SWORD-1")
def test_a_sword_is_not_aimed() -> None:
    ruling = refusal(table(["sword"], [], []), 0, PlayCard("sword", 2))
    assert (ruling.reason, ruling.clauses) == ("sword_hits_the_next_player", ("MC-V1-SWORD-1",))


@pytest.mark.clause("MC-V2-SWORD-1")
def test_against_the_monsters_a_sword_hits_the_monster_and_no_player() -> None:
    state = table(["sword", "lightning"], ["shield"], variant="V2")
    events, after = when(state, 0, PlayCard("sword"))
    assert of(events, MonsterHit) == [MonsterHit(3, 1)]
    assert after.monster_hearts == 2
    assert refusal(state, 0, PlayCard("sword", 1)).clauses == ("MC-V2-SWORD-1",)
    assert refusal(state, 0, PlayCard("lightning", 1)).clauses == ("MC-V2-LIGHTNING-1", "MC-V2-SWORD-1")


@pytest.mark.clause("MC-V1-LIGHTNING-1", "MC-V1-LIGHTNING-2")
def test_lightning_attacks_all_others_one_after_the_other_from_the_next_player_on() -> None:
    state = then(table(["lightning"], [], ["shield"], [], hearts=(3, 3, 3, 2)), 0, PlayCard("lightning"))
    assert asked(state) == {1}
    state = then(state, 1, TakeHit())
    assert asked(state) == {2}
    state = then(state, 2, Parry("shield"))
    assert asked(state) == {3}
    events, state = when(state, 3, TakeHit())
    assert state.hearts == (3, 2, 3, 1)
    assert not of(events, LightningStruckBack)


@pytest.mark.clause("MC-V1-LIGHTNING-2")
def test_the_order_of_answers_follows_the_direction_of_play() -> None:
    state = then(table(["lightning"], [], [], [], direction=-1), 0, PlayCard("lightning"))
    assert state.agenda[-1] == LightningAttack((3, 2, 1), 0)
    ruling = refusal(state, 1, TakeHit())
    assert (ruling.reason, ruling.params) == ("answers_go_round", {"seat": 3})
    assert ruling.clauses == ("MC-V1-LIGHTNING-2", "KERNEL-TURN-1")


@pytest.mark.clause("MC-V1-LIGHTNING-3")
def test_if_all_others_parry_the_lightning_strikes_back_and_no_shield_helps() -> None:
    state = then(table(["lightning", "shield"], ["shield"], ["shield"]), 0, PlayCard("lightning"))
    state = then(state, 1, Parry("shield"))
    events, state = when(state, 2, Parry("shield"))
    assert of(events, LightningStruckBack) == [LightningStruckBack(0)]
    assert state.hearts == (2, 3, 3)
    assert asked(state) == {1}  # nobody asked seat 0 for a shield; the turn has passed
    assert "shield" in state.cards_in_hand(0)


@pytest.mark.clause("MC-AMB-10")
def test_lightning_strikes_back_with_a_single_opponent_and_the_defeated_do_not_count() -> None:
    state = then(table(["lightning"], ["shield"], [], hearts=(3, 3, 0)), 0, PlayCard("lightning"))
    assert state.agenda[-1] == LightningAttack((1,), 0)
    events, state = when(state, 1, Parry("shield"))
    assert of(events, LightningStruckBack)
    assert state.hearts == (2, 3, 0)


@pytest.mark.clause("MC-AMB-11")
def test_an_immune_player_is_neither_asked_nor_hit_and_so_nothing_strikes_back() -> None:
    events, state = when(table(["lightning"], [], ["shield"], immune=(False, True, False)), 0, PlayCard("lightning"))
    assert of(events, ImmunityHeld) == [ImmunityHeld(1, "lightning")]
    assert state.agenda[-1] == LightningAttack((2,), 0, all_parried=False)
    events, state = when(state, 2, Parry("shield"))
    assert not of(events, LightningStruckBack)
    assert state.hearts == (3, 3, 3)


@pytest.mark.clause("MC-AMB-11")
def test_a_strike_back_does_not_hurt_an_immune_active_player() -> None:
    state = then(table(["lightning"], ["shield"], immune=(True, False)), 0, PlayCard("lightning"))
    events, state = when(state, 1, Parry("shield"))
    assert of(events, ImmunityHeld) == [ImmunityHeld(0, "lightning")]
    assert state.hearts == (3, 3)


def test_lightning_on_none_but_immune_players_does_nothing() -> None:
    state = then(table(["lightning"], [], immune=(False, True)), 0, PlayCard("lightning"))
    assert state.hearts == (3, 3)
    assert state.active == 1


@pytest.mark.clause("MC-AMB-21")
def test_lightning_is_carried_out_seat_by_seat_before_the_end_is_looked_for() -> None:
    state = then(table(["lightning"], [], [], [], hearts=(1, 1, 1, 1)), 0, PlayCard("lightning"))
    events, state = when(state, 1, TakeHit())
    assert of(events, PlayerDefeated) == [PlayerDefeated(1)]
    events, state = when(state, 2, TakeHit())
    assert not of(events, LastSurvivorWon)  # seat 3 has still to answer
    events, state = when(state, 3, TakeHit())
    assert of(events, LastSurvivorWon) == [LastSurvivorWon(0)]


@pytest.mark.clause("MC-V2-LIGHTNING-1")
def test_against_the_monsters_lightning_takes_two_lives() -> None:
    events, state = when(table(["lightning"], [], variant="V2"), 0, PlayCard("lightning"))
    assert of(events, MonsterHit) == [MonsterHit(3, 2)]
    assert (state.monster, state.monster_hearts) == (3, 1)


@pytest.mark.clause("MC-SHIELD-1")
def test_a_shield_answers_attacks_of_players_and_events_out_of_turn() -> None:
    attacks = (
        struck(["skip"], ["shield"]),
        struck([], ["shield"], by="event"),
        struck([], ["shield"], variant="V2", by="monster", strength=2),
    )
    for state in attacks:
        after = then(state, 1, Parry("shield"))
        assert after.hearts == (3, 3)
        assert after.cards_at(DISCARD)[-1] == "shield"


@pytest.mark.clause("MC-SHIELD-1")
def test_nothing_but_a_shield_of_the_own_hand_fends_off() -> None:
    state = struck(["shield"], ["sword"])
    assert refusal(state, 1, Parry("sword")).clauses == ("MC-SHIELD-1",)
    ruling = refusal(state, 1, Parry("shield"))
    assert (ruling.reason, ruling.clauses) == ("not_in_the_hand", ("MC-SHIELD-1",))
    ruling = refusal(struck([], []), 1, Parry("shield"))
    assert (ruling.reason, ruling.clauses) == ("hand_is_empty", ("MC-SHIELD-1",))
    ruling = refusal(state, 1, Pass())
    assert [each.reason for each in ruling.broken_rules] == ["attack_is_answered", "turn_of_another"]


@pytest.mark.clause("MC-SHIELD-2")
def test_a_shield_does_not_answer_skip_thief_or_other_events() -> None:
    for card in ("skip", "thief_1"):
        state = then(table([card], ["shield"], []), 0, PlayCard(card))
        assert not isinstance(state.agenda[-1], PendingAttack)
    _facts, state = event("discard_hand", ["shield"], [])
    assert state.cards_in_hand(0) == ()


@pytest.mark.clause("MC-SHIELD-3", "MC-AMB-20")
def test_a_shield_need_not_be_used_and_who_holds_none_is_asked_all_the_same() -> None:
    with_shield, without = struck([], ["shield"]), struck([], ["skip"])
    assert asked(with_shield) == asked(without) == {1}
    assert then(with_shield, 1, TakeHit()).hearts == (3, 2)
    assert asked(build_view(without, Seat(0))) == {1}


@pytest.mark.clause("MC-SHIELD-3", "MC-AMB-9")
def test_one_shield_stops_a_whole_attack_and_a_second_is_not_asked_for() -> None:
    state = struck([], ["shield", "shield!trigger"], variant="V2", by="monster", strength=2)
    assert list(find_legal_moves(state, Seat(1))) == [TakeHit(), Parry("shield"), Parry("shield!trigger")]
    state = then(state, 1, Parry("shield"))
    assert state.hearts == (3, 3)
    assert "shield!trigger" in state.cards_in_hand(1)


@pytest.mark.clause("MC-AMB-9")
def test_without_a_shield_no_more_hearts_go_than_there_are() -> None:
    events, state = when(struck([], [], variant="V2", strength=2, hearts=(3, 1)), 1, TakeHit())
    assert of(events, HeartsLost) == [HeartsLost(1, 1, ("MC-AMB-9",))]
    assert state.hearts == (3, 0)
