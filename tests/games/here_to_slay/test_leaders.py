"""Leaders: a class and an ability each, no heroes; using the ability is up to the owner."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChoosePlayer, ChooseValue, Decline
from referee.engine.game import Setup
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import BOXED, CLASSES, FACES, LEADER, LEADERS
from referee.games.here_to_slay.events.cards import CardDrawn, CardPulled
from referee.games.here_to_slay.events.plays import ItemEquipped, RollSettled, ValueAdded
from referee.games.here_to_slay.events.turns import PointsSpent
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    DrawOne,
    EndTurn,
    Modify,
    Pass,
    PlayCard,
    RollFor,
    UseLeader,
)
from tests.games.course import asked, of, pulled, refusal, then, when
from tests.games.here_to_slay.given import dice, offered, rolls, table

SAGE = {0: "the_cloaked_sage", 1: "the_divine_arrow", 2: "the_shadow_claw"}
CLAW = {0: "the_shadow_claw", 1: "the_divine_arrow", 2: "the_cloaked_sage"}
SIX = {
    "the_fist_of_reason": "fighter",
    "the_protecting_horn": "guardian",
    "the_divine_arrow": "ranger",
    "the_shadow_claw": "thief",
    "the_cloaked_sage": "wizard",
    "the_charismatic_song": "bard",
}


@pytest.mark.clause("HTS-LEAD-1", "HTS-LEAD-7")
def test_there_is_one_leader_of_each_class_and_each_has_one_ability() -> None:
    leaders = {face.id: face for face in FACES.values() if face.kind == "leader"}
    assert {name: face.class_ for name, face in leaders.items()} == SIX
    for face in leaders.values():
        kinds = [bool(face.standing), bool(face.triggers), bool(face.action_cost)]
        assert kinds.count(True) == 1, face.id
    assert {name for name, face in leaders.items() if face.triggers} == {"the_protecting_horn", "the_cloaked_sage"}
    assert {name for name, face in leaders.items() if face.action_cost} == {"the_shadow_claw"}


@pytest.mark.clause("HTS-LEAD-1")
def test_the_ability_helps_its_owner_from_turn_to_turn() -> None:
    state = table(["enchanted_spell"] * 2, [], leaders=SAGE, points=1)
    state = then(then(state, 0, PlayCard("enchanted_spell"), Accept()), 1, EndTurn())
    state = then(state, 0, PlayCard("enchanted_spell"))
    assert Accept() in offered(state, 0)


@pytest.mark.clause("HTS-LEAD-7", "HTS-EDGE-1")
@pytest.mark.parametrize(("seats", "there"), [(2, False), (3, True), (6, True)])
def test_the_shadow_claw_is_not_picked_with_two_players(seats: int, there: bool) -> None:
    state: Any = GAME.build_table(Setup("standard", seats))
    assert ("the_shadow_claw" in state.cards_at(LEADERS)) is there
    assert ("the_shadow_claw" in state.cards_at(BOXED)) is not there


# ---- a leader is no hero -----------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-LEAD-2", "HTS-ITEM-2")
def test_a_leader_carries_no_item() -> None:
    state = table(["really_big_ring"], [], parties={0: ["peanut"], 1: ["fluffy"]}, leaders=CLAW)
    state = then(state, 0, PlayCard("really_big_ring"))
    for leader in ("the_shadow_claw", "the_divine_arrow"):
        assert refusal(state, 0, ChooseCard(leader)).reason == "no_such_hero"
    assert {move.card for move in offered(state, 0) if isinstance(move, ChooseCard)} == {"peanut", "fluffy"}


@pytest.mark.clause("HTS-LEAD-2")
def test_an_item_cannot_be_played_while_there_are_only_leaders() -> None:
    state = table(["really_big_ring"], [], leaders=CLAW)
    assert refusal(state, 0, PlayCard("really_big_ring")).reason == "no_free_hero"


@pytest.mark.clause("HTS-LEAD-2")
@pytest.mark.parametrize("hero", ["bad_axe", "kit_napper"])
def test_a_leader_is_neither_destroyed_nor_stolen(hero: str) -> None:
    state = table([], [], parties={0: [hero], 1: ["fluffy", "peanut"]}, leaders=CLAW)
    _, state = dice(then(state, 0, RollFor(hero)), 6, 6)
    assert refusal(state, 0, ChooseCard("the_divine_arrow")).reason == "no_such_hero"
    alone = table([], [], parties={0: [hero]}, leaders=CLAW)
    _, alone = rolls(then(alone, 0, RollFor(hero)), 6, 6)
    assert alone.leader_of(1) == "the_divine_arrow"


@pytest.mark.clause("HTS-LEAD-2")
def test_a_leader_is_not_sacrificed() -> None:
    state = table([], [], [], parties={0: ["spooky"], 2: ["fluffy"]}, leaders=CLAW)
    _, state = rolls(then(state, 0, RollFor("spooky")), 6, 6)  # everybody else sacrifices a hero
    assert (state.party_of(2), state.leader_of(1), state.leader_of(2)) == ((), "the_divine_arrow", "the_cloaked_sage")


@pytest.mark.clause("HTS-LEAD-2")
@pytest.mark.parametrize("leader", ["the_divine_arrow", "the_shadow_claw"])
def test_a_leader_fills_no_slot_for_a_hero(leader: str) -> None:
    state = table([], [], parties={0: ["peanut"]}, leaders={0: leader}, row=["abyss_queen"])
    assert refusal(state, 0, Attack("abyss_queen")).reason == "leader_is_no_hero"
    assert refusal(state, 0, RollFor(leader)).reason == "not_in_the_party"


@pytest.mark.clause("HTS-LEAD-3", "HTS-AMB-41")
def test_the_class_of_the_leader_is_in_the_party_for_tough_teddy_and_smooth_mimimeow() -> None:
    leaders = {0: "the_divine_arrow", 1: "the_fist_of_reason", 2: "the_shadow_claw"}
    state = table([], ["fluffy"], ["hopper"], parties={0: ["tough_teddy", "smooth_mimimeow"]}, leaders=leaders)
    _, state = rolls(then(state, 0, RollFor("tough_teddy")), 4, 4)
    assert (state.cards_in_hand(1), state.cards_in_hand(2)) == ((), ("hopper",))
    _, state = rolls(then(state, 0, RollFor("smooth_mimimeow")), 4, 4)
    assert (state.cards_in_hand(0), state.cards_in_hand(2)) == (("hopper",), ())


@pytest.mark.clause("HTS-LEAD-3")
@pytest.mark.parametrize(("leader", "allowed"), [("the_divine_arrow", True), ("the_cloaked_sage", False)])
def test_the_class_of_the_leader_fills_a_class_slot(leader: str, allowed: bool) -> None:
    state = table([], [], parties={0: ["peanut"]}, leaders={0: leader}, row=["malamammoth"])
    assert (Attack("malamammoth") in offered(state, 0)) is allowed


@pytest.mark.clause("HTS-LEAD-3", "HTS-WIN-2")
@pytest.mark.parametrize("leader", SIX)
def test_the_class_of_the_leader_counts_for_winning(leader: str) -> None:
    by_class = {
        "fighter": "bad_axe", "guardian": "iron_resolve", "ranger": "hook", "thief": "meowzio",
        "wizard": "fluffy", "bard": "peanut",
    }  # fmt: skip
    party = [hero for class_, hero in by_class.items() if class_ != SIX[leader]]
    for other in ({0: leader}, {0: next(name for name in SIX if name != leader)}):
        state = then(table([], [], parties={0: party}, leaders=other), 0, EndTurn())
        assert (state.winner == 0) is (other[0] == leader)


# ---- the abilities -----------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-LEAD-4", "HTS-LEAD-6")
def test_two_magic_cards_in_one_turn_give_the_sage_two_offers() -> None:
    state = table(["enchanted_spell", "enchanted_spell"], [], leaders=SAGE, deck=["fluffy", "hopper"])
    for count in (1, 2):
        state = then(state, 0, PlayCard("enchanted_spell"))
        assert offered(state, 0) == [Decline(), Accept()]
        events, state = when(state, 0, Accept())
        assert [event.seat for event in of(events, CardDrawn)] == [0]
        assert state.points == 3 - count
    assert set(state.cards_in_hand(0)) == {"fluffy", "hopper"}


@pytest.mark.clause("HTS-LEAD-4")
def test_the_horn_works_for_each_modifier_of_a_turn() -> None:
    two = "modifier_plus_2_minus_2"
    state = table([], [two, two], leaders={0: "the_shadow_claw", 1: "the_protecting_horn"},
                  parties={0: ["napping_nibbles", "bun_bun"]})  # fmt: skip
    for hero, value in (("napping_nibbles", 1), ("bun_bun", -1)):
        _, state = dice(then(state, 0, RollFor(hero)), 3, 3)
        events, state = when(state, 1, Modify(two, 2, 0), ChooseValue(value))
        assert len(of(events, ValueAdded)) == 1
        events, state = ((), state) if not state.cards_in_hand(1) else when(state, 1, Pass())


@pytest.mark.clause("HTS-LEAD-4", "HTS-ACT-6")
def test_the_claw_pulls_a_card_for_a_point_but_only_once_in_a_turn() -> None:
    state = table([], ["fluffy", "hopper"], ["spooky"], leaders=CLAW)
    events, state = when(state, 0, UseLeader())
    assert of(events, PointsSpent) == [PointsSpent(0, 1, 2)]
    state = then(state, 0, ChoosePlayer(1))
    events, state = pulled(state, "hopper")
    assert [(event.seat, event.of, event.took) for event in of(events, CardPulled)] == [(0, 1, ("hopper",))]
    assert refusal(state, 0, UseLeader()).reason == "once_in_a_turn"
    state = then(then(then(state, 0, EndTurn()), 1, EndTurn()), 2, EndTurn())
    assert UseLeader() in offered(state, 0)


@pytest.mark.clause("HTS-LEAD-7", "HTS-LEAD-4")
def test_only_the_claw_gives_an_action_and_only_while_somebody_else_holds_a_card() -> None:
    state = table(["peanut"], ["fluffy"], leaders=SAGE)
    assert refusal(state, 0, UseLeader()).reason == "leader_gives_no_action"
    state = table(["peanut"], [], [], leaders=CLAW)
    assert refusal(state, 0, UseLeader()).reason == "nobody_holds_cards"
    assert UseLeader() not in offered(state, 0)


@pytest.mark.clause("HTS-LEAD-5", "HTS-LEAD-6")
def test_what_the_owner_declines_does_not_come_back() -> None:
    state = table(["enchanted_spell"], [], leaders=SAGE)
    state = then(state, 0, PlayCard("enchanted_spell"))
    assert refusal(state, 0, DrawOne()).reason == "card_under_way"  # the referee asks, at that moment
    events, state = when(state, 0, Decline())
    assert of(events, CardDrawn) == []
    assert refusal(state, 0, Accept()).reason == "no_offer_is_open"
    assert state.cards_in_hand(0) == ()


@pytest.mark.clause("HTS-LEAD-6")
def test_the_sage_is_asked_for_own_magic_only() -> None:
    state = table(["enchanted_spell", "peanut", "really_big_ring"], [], parties={0: ["fluffy"]},
                  leaders={0: "the_divine_arrow", 1: "the_cloaked_sage"})  # fmt: skip
    state = then(state, 0, PlayCard("enchanted_spell"))
    assert asked(state) == {0}
    assert DrawOne() in offered(state, 0)
    state = table(["peanut", "really_big_ring"], [], parties={0: ["fluffy"]}, leaders=SAGE)
    events, state = when(state, 0, PlayCard("really_big_ring"))
    assert len(of(events, ItemEquipped)) == 1
    assert DrawOne() in offered(state, 0)


@pytest.mark.clause("HTS-LEAD-7")
@pytest.mark.parametrize(
    ("leader", "totals"),
    [
        ("the_fist_of_reason", [6, 6, 8, 6]),
        ("the_divine_arrow", [6, 7, 6, 6]),
        ("the_charismatic_song", [7, 6, 6, 6]),
        ("the_shadow_claw", [6, 6, 6, 6]),
        ("the_cloaked_sage", [6, 6, 6, 6]),
        ("the_protecting_horn", [6, 6, 6, 6]),
    ],
)
def test_three_leaders_bear_on_rolls_without_being_asked(leader: str, totals: list[int]) -> None:
    # when seat 0 rolls for a hero, attacks, challenges a hero, and plays one that is challenged
    quiet = next(name for name in ("the_shadow_claw", "the_cloaked_sage") if name != leader)
    leaders, found = {0: leader, 1: quiet}, []
    state = table([], [], parties={0: ["napping_nibbles"]}, row=["dracos"], leaders=leaders)
    for move in (RollFor("napping_nibbles"), Attack("dracos")):
        events, state = rolls(then(state, 0, move), 3, 3)
        found += [event.total for event in of(events, RollSettled)]
    for turn in (1, 0):
        hands = [["challenge"], ["peanut"]] if turn else [["peanut"], ["challenge"]]
        state = then(table(*hands, turn=turn, leaders=leaders), turn, PlayCard("peanut"))
        events, state = dice(then(state, 1 - turn, Challenge()), 3, 3, 3, 3)
        found += [event.total for event in of(events, RollSettled) if event.seat == 0]
    assert found == totals


@pytest.mark.clause("HTS-LEAD-2")
def test_no_card_text_moves_a_leader_to_a_hand() -> None:
    state = table(["winds_of_change"], [], parties={0: [("peanut", "bard_mask")], 1: [("fluffy", "thief_mask")]},
                  leaders=CLAW)  # fmt: skip
    state = then(state, 0, PlayCard("winds_of_change"))
    assert refusal(state, 0, ChooseCard("the_divine_arrow")).reason == "carries_no_item"
    assert state.cards_at(LEADER[1]) == ("the_divine_arrow",)


@pytest.mark.clause("HTS-LEAD-3")
def test_each_party_has_the_class_of_its_leader_even_without_heroes() -> None:
    for leader, class_ in SIX.items():
        assert table([], [], leaders={0: leader}).classes_of(0) == {class_}
    assert set(SIX.values()) == set(CLASSES)
