"""The six leaders: what each of them gives, and when it does not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChoosePlayer, ChooseValue, Decline
from referee.games.here_to_slay.events.cards import CardDrawn, CardPulled
from referee.games.here_to_slay.events.plays import ValueAdded
from referee.games.here_to_slay.events.turns import LeaderUsed, PointsSpent
from referee.games.here_to_slay.moves import EndTurn, Modify, Pass, PlayCard, RollFor, UseLeader
from tests.games.course import asked, of, pulled, refusal, then, when
from tests.games.here_to_slay.given import (
    attacked,
    challenged,
    dice,
    effect,
    names,
    offered,
    rolled_for,
    settlements,
    stands,
    table,
)

# ---- The Fist of Reason, The Divine Arrow, The Charismatic Song ----------------------------------------------


@pytest.mark.card("the_fist_of_reason")
@pytest.mark.clause("HTS-DO-29", "HTS-ROLL-9", "HTS-AMB-9")
def test_the_fist_of_reason_adds_two_to_the_roll_of_its_owner_as_challenger() -> None:
    leaders = {0: "the_cloaked_sage", 1: "the_fist_of_reason"}
    events, _ = challenged(table(["hook"], ["challenge"], leaders=leaders), 0, "hook", 1, (3, 3), (4, 4))
    assert [total for total, _ in settlements(events)] == [8, 8]
    assert names(events)[-1] == "PlayLost"


@pytest.mark.card("the_fist_of_reason")
@pytest.mark.clause("HTS-ROLL-9", "HTS-AMB-9", "HTS-AMB-23")
def test_the_fist_of_reason_does_not_help_the_challenged_unless_so_agreed_nor_other_rolls() -> None:
    more = {"leaders": {0: "the_fist_of_reason"}, "parties": {0: ["peanut"]}, "row": ["dracos"]}
    state = table(["hook"], ["challenge"], **more)
    assert [total for total, _ in settlements(challenged(state, 0, "hook", 1, (3, 3), (2, 2))[0])] == [6, 4]
    agreed = table(["hook"], ["challenge"], rules={"fist_when_challenged": True}, **more)
    assert [total for total, _ in settlements(challenged(agreed, 0, "hook", 1, (3, 3), (2, 2))[0])] == [6, 6]
    assert settlements(rolled_for(state, "peanut", 3, 3)[0]) == [(6, "failure")]
    assert settlements(attacked(state, "dracos", 3, 3)[0]) == [(6, "nothing")]


@pytest.mark.card("the_divine_arrow")
@pytest.mark.clause("HTS-DO-29", "HTS-ROLL-9")
def test_the_divine_arrow_adds_one_to_the_attacks_of_its_owner() -> None:
    state = table([], [], leaders={0: "the_divine_arrow"}, parties={0: ["hook"]}, row=["arctic_aries"])
    events, state = attacked(state, "arctic_aries", 5, 4)
    assert settlements(events) == [(10, "slay")]


@pytest.mark.card("the_divine_arrow")
@pytest.mark.clause("HTS-ROLL-9", "HTS-AMB-23")
def test_the_divine_arrow_does_not_help_other_rolls_nor_the_attacks_of_others() -> None:
    state = table(
        ["hook"], ["challenge"], leaders={0: "the_divine_arrow"}, parties={0: ["peanut"], 1: ["fluffy"]},
        row=["arctic_aries"],
    )  # fmt: skip
    assert settlements(rolled_for(state, "peanut", 3, 3)[0]) == [(6, "failure")]
    assert [total for total, _ in settlements(challenged(state, 0, "hook", 1, (3, 3), (2, 2))[0])] == [6, 4]
    assert settlements(attacked(then(state, 0, EndTurn()), "arctic_aries", 5, 4, seat=1)[0]) == [(9, "nothing")]


@pytest.mark.card("the_charismatic_song")
@pytest.mark.clause("HTS-DO-29", "HTS-ROLL-9", "HTS-AMB-23")
def test_the_charismatic_song_adds_one_to_the_rolls_of_its_owner_for_heroes() -> None:
    state = table([], [], leaders={0: "the_charismatic_song"}, parties={0: ["peanut"]})
    events, state = rolled_for(state, "peanut", 3, 3)
    assert (settlements(events), len(state.cards_in_hand(0))) == ([(7, "success")], 2)


@pytest.mark.card("the_charismatic_song")
@pytest.mark.clause("HTS-ROLL-9", "HTS-AMB-23")
def test_the_charismatic_song_does_not_help_attacks_challenges_or_the_heroes_of_others() -> None:
    state = table(
        ["hook"], ["challenge"], leaders={0: "the_charismatic_song"}, parties={0: ["fluffy"], 1: ["peanut"]},
        row=["arctic_aries"],
    )  # fmt: skip
    assert settlements(attacked(state, "arctic_aries", 5, 4)[0]) == [(9, "nothing")]
    assert [total for total, _ in settlements(challenged(state, 0, "hook", 1, (3, 3), (2, 2))[0])] == [6, 4]
    assert settlements(rolled_for(then(state, 0, EndTurn()), "peanut", 3, 3, seat=1)[0]) == [(6, "failure")]


# ---- The Protecting Horn -------------------------------------------------------------------------------------


@pytest.mark.card("the_protecting_horn")
@pytest.mark.clause("HTS-DO-45", "HTS-AMB-18", "HTS-MOD-12", "HTS-LEAD-4")
def test_the_protecting_horn_shifts_the_roll_up_or_down_with_each_own_modifier() -> None:
    hand = ["modifier_plus_4", "modifier_minus_4"]
    state = table([], hand, leaders={1: "the_protecting_horn"}, parties={0: ["peanut"]})
    _, state = dice(then(state, 0, RollFor("peanut")), 3, 3)
    state = then(state, 1, Modify("modifier_plus_4", 4, 0))
    assert set(offered(state, 1)) == {Decline(), ChooseValue(1), ChooseValue(-1)}
    events, state = when(state, 1, ChooseValue(1))
    assert of(events, ValueAdded) == [ValueAdded(1, "the_protecting_horn", 1, 0)]
    events, state = when(state, 1, Modify("modifier_minus_4", -4, 0), ChooseValue(-1))
    assert settlements(events) == [(6, "failure")]


@pytest.mark.card("the_protecting_horn")
@pytest.mark.clause("HTS-DO-45", "HTS-LEAD-5", "HTS-MAY-2")
def test_the_protecting_horn_does_nothing_when_declined_nor_with_the_modifiers_of_others() -> None:
    leaders = {0: "the_cloaked_sage", 1: "the_protecting_horn"}
    state = table(["modifier_plus_4"], ["modifier_plus_4"], leaders=leaders, parties={0: ["peanut"]})
    _, state = dice(then(state, 0, RollFor("peanut")), 1, 1)
    events, state = when(state, 0, Modify("modifier_plus_4", 4, 0))
    assert (names(events), offered(state, 1)[0]) == (["ModifierPlayed"], Pass())
    events, state = when(state, 1, Modify("modifier_plus_4", 4, 0))
    assert refusal(state, 1, ChooseValue(2)).clauses == ("HTS-DO-45", "HTS-AMB-18")
    events, state = when(state, 1, Decline())
    assert settlements(events) == [(10, "success")]
    assert of(events, ValueAdded) == []


# ---- The Shadow Claw -----------------------------------------------------------------------------------------

CLAW = {0: "the_shadow_claw"}


@pytest.mark.card("the_shadow_claw")
@pytest.mark.clause("HTS-DO-35", "HTS-DO-38", "HTS-DO-6", "HTS-ACT-6")
def test_the_shadow_claw_pulls_a_card_for_a_point() -> None:
    state = table([], ["hook", "peanut"], ["fluffy"], leaders=CLAW)
    events, state = when(state, 0, UseLeader())
    assert of(events, PointsSpent) == [PointsSpent(0, 1, 2)]
    assert of(events, LeaderUsed) == [LeaderUsed(0, "the_shadow_claw")]
    state = then(state, 0, ChoosePlayer(1))
    events, state = pulled(state, "peanut")
    assert names(events) == ["CardPulled"]
    assert (state.cards_in_hand(0), state.cards_in_hand(1)) == (("peanut",), ("hook",))


@pytest.mark.card("the_shadow_claw")
@pytest.mark.clause("HTS-ACT-6", "HTS-LEAD-4", "HTS-AMB-63", "HTS-TURN-7", "HTS-TGT-2")
def test_the_shadow_claw_does_not_work_twice_in_a_turn_on_empty_hands_or_for_another_leader() -> None:
    state = table(["challenge"], ["hook", "peanut"], [], ["fluffy"], leaders=CLAW)
    asking = then(state, 0, UseLeader())
    assert refusal(asking, 0, ChoosePlayer(2)).clauses[0] == "HTS-TGT-2"
    _, state = pulled(then(asking, 0, ChoosePlayer(1)), "hook")
    assert refusal(state, 0, UseLeader()).clauses == ("HTS-ACT-6", "HTS-LEAD-4")
    for seat in (0, 1, 2, 3):
        state = then(state, seat, EndTurn())
    assert UseLeader() in offered(state, 0)  # again in the next own turn
    assert refusal(table(["hook"], [], [], leaders=CLAW), 0, UseLeader()).clauses == ("HTS-ACT-6", "HTS-AMB-63")
    other = table([], ["hook"], [], leaders={0: "the_cloaked_sage"})
    assert refusal(other, 0, UseLeader()).clauses == ("HTS-ACT-6", "HTS-LEAD-7")
    assert of(when(table([], ["hook"], [], leaders=CLAW), 0, UseLeader())[0], CardPulled)[0].of == 1


# ---- The Cloaked Sage ----------------------------------------------------------------------------------------

SAGE = {0: "the_cloaked_sage", 1: "the_divine_arrow"}


@pytest.mark.card("the_cloaked_sage")
@pytest.mark.clause("HTS-DO-48", "HTS-LEAD-6", "HTS-LEAD-4", "HTS-TRIG-2")
def test_the_cloaked_sage_offers_a_card_after_each_own_magic() -> None:
    state = table(["enchanted_spell", "enchanted_spell"], [], leaders=SAGE, deck=["hook", "peanut"])
    for drawn in (["hook"], ["hook", "peanut"]):
        events, state = stands(state, 0, PlayCard("enchanted_spell"))
        assert names(events)[-1] == "MagicPlayed"
        assert offered(state, 0) == [Decline(), Accept()]
        events, state = when(state, 0, Accept())
        assert names(events) == ["CardDrawn"]
        assert [card for card in state.cards_in_hand(0) if card != "enchanted_spell"] == drawn


@pytest.mark.card("the_cloaked_sage")
@pytest.mark.clause("HTS-DO-48", "HTS-AMB-10", "HTS-LEAD-5", "HTS-MAY-2")
def test_the_cloaked_sage_gives_nothing_for_lost_magic_other_cards_or_other_players_or_when_declined() -> None:
    state = table(["enchanted_spell", "hook", "bard_mask"], ["challenge", "enchanted_spell"], leaders=SAGE)
    events, lost = challenged(state, 0, "enchanted_spell", 1, (4, 4), (4, 4))
    assert (names(events)[-1], asked(lost)) == ("PlayLost", {0})
    assert Accept() not in offered(lost, 0)
    events, hero = stands(state, 0, PlayCard("hook"))
    events, hero = when(hero, 0, Decline())  # the free roll
    assert Accept() not in offered(hero, 0)
    events, theirs = stands(then(state, 0, EndTurn()), 1, PlayCard("enchanted_spell"))
    assert (of(events, CardDrawn), asked(theirs)) == ([], {1})
    _, mine = stands(state, 0, PlayCard("enchanted_spell"))
    events, mine = when(mine, 0, Decline())
    assert (of(events, CardDrawn), len(mine.cards_in_hand(0))) == ([], 2)
    assert effect(rolled_for(table([], [], leaders=SAGE, parties={0: ["peanut"]}), "peanut", 4, 3)[0]) == [
        "CardDrawn", "CardDrawn"
    ]  # fmt: skip
