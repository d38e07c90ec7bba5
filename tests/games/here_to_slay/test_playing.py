"""Playing a card: announcing, standing or being lost, and what heroes, items and magic do then."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, Decline
from referee.engine.referee import judge_move
from referee.engine.seats import Seat
from referee.games.here_to_slay.components import DISCARD, PENDING
from referee.games.here_to_slay.events.cards import CardDiscarded, CardDrawn, EffectLapsed
from referee.games.here_to_slay.events.plays import (
    HeroEntered,
    HeroMarked,
    MagicPlayed,
    PlayLost,
    PlayStood,
    RollSettled,
)
from referee.games.here_to_slay.events.turns import PointsSpent
from referee.games.here_to_slay.moves import Challenge, DrawOne, EndTurn, Pass, PlayCard, RollFor
from referee.games.here_to_slay.rules.turn import Turn
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, rolls, shuffled, stands, table, with_deck

# ---- announcing ----------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-PLAY-1")
def test_cards_are_played_from_the_own_hand_in_the_own_turn_for_a_point() -> None:
    state = table(["peanut", "modifier_plus_4", "challenge"], ["hook"])
    assert refusal(state, 0, PlayCard("hook")).reason == "not_in_the_hand"
    assert refusal(state, 1, PlayCard("hook")).reason == "turn_of_another"
    for card in ("modifier_plus_4", "challenge"):
        assert refusal(state, 0, PlayCard(card)).reason == "never_an_action"
    for card in ("orthus", "the_cloaked_sage", "no_card"):
        assert refusal(state, 0, PlayCard(card)).reason == "no_such_card"
    events, _ = when(state, 0, PlayCard("peanut"))
    assert of(events, PointsSpent) == [PointsSpent(0, 1, 2)]


@pytest.mark.clause("HTS-PLAY-2")
def test_a_card_is_announced_then_paid_for_then_challenged_or_not_then_carried_out() -> None:
    state = table(["peanut"], ["hook"])
    events, state = when(state, 0, PlayCard("peanut"))
    assert names(events) == ["PlayAnnounced", "PointsSpent"]
    assert state.cards_at(PENDING) == ("peanut",)
    assert asked(state) == {1}
    events, state = when(state, 1, Pass())
    assert names(events) == ["PlayStood", "HeroEntered"]
    assert state.cards_at(PENDING) == ()


@pytest.mark.clause("HTS-PLAY-2")
def test_a_lost_card_goes_to_the_discard_pile() -> None:
    state = then(then(table(["peanut"], ["challenge"]), 0, PlayCard("peanut")), 1, Challenge())
    events, state = dice(state, 3, 3, 2, 4)
    assert of(events, PlayLost)[0].put == ("peanut",)
    assert state.cards_at(DISCARD) == ("challenge", "peanut")


@pytest.mark.clause("HTS-PLAY-3")
def test_only_the_card_is_announced_and_targets_are_chosen_when_it_stands() -> None:
    state = table(["bard_mask"], ["hook"], parties={0: ["bad_axe"], 1: ["fluffy"]})
    _, state = when(state, 0, PlayCard("bard_mask"))
    assert asked(state) == {1}  # no host yet
    _, state = when(state, 1, Pass())
    assert offered(state, 0) == [ChooseCard("bad_axe"), ChooseCard("fluffy")]
    state = table(["entangling_trap", "peanut", "snowball"], ["hook"], parties={1: ["fluffy", "bad_axe"]})
    _, state = when(state, 0, PlayCard("entangling_trap"))
    assert asked(state) == {1}  # no hero yet
    _, state = when(state, 1, Pass())
    assert offered(state, 0) == [ChooseCard("fluffy"), ChooseCard("bad_axe")]  # the cost left no choice


@pytest.mark.clause("HTS-PLAY-4")
def test_a_hero_and_magic_may_always_be_announced_an_item_only_if_some_hero_carries_none() -> None:
    bare = table(["peanut", "bard_mask", "destructive_spell", "call_to_the_fallen"], [])
    assert refusal(bare, 0, PlayCard("bard_mask")).reason == "no_free_hero"
    for card in ("peanut", "destructive_spell", "call_to_the_fallen"):
        assert judge_move(bare, Seat(0), PlayCard(card)).granted
    full = table(["bard_mask"], [], parties={0: [("hook", "decoy_doll")]})
    assert refusal(full, 0, PlayCard("bard_mask")).reason == "no_free_hero"
    foreign = table(["bard_mask"], [], parties={0: [("hook", "decoy_doll")], 1: ["fluffy"]})
    assert judge_move(foreign, Seat(0), PlayCard("bard_mask")).granted


@pytest.mark.clause("HTS-PLAY-4", "HTS-AMB-45")
@pytest.mark.parametrize(("card", "rest"), [("destructive_spell", []), ("entangling_trap", ["hook"])])
def test_magic_whose_cost_cannot_be_paid_is_allowed_or_forbidden_by_a_setting(card: str, rest: list[str]) -> None:
    events, state = when(table([card, *rest], [], parties={1: ["fluffy"]}), 0, PlayCard(card))
    assert of(events, EffectLapsed) == [EffectLapsed(card, "cost")]
    assert not of(events, CardDiscarded)
    assert (state.party_of(1), state.cards_in_hand(0)) == (("fluffy",), tuple(rest))
    strict = table([card, *rest], [], parties={1: ["fluffy"]}, rules={"unpayable_play": "forbid"})
    assert refusal(strict, 0, PlayCard(card)).reason == "cost_cannot_be_paid"
    enough = table([card, *rest, "peanut"], [], parties={1: ["fluffy"]}, rules={"unpayable_play": "forbid"})
    assert judge_move(enough, Seat(0), PlayCard(card)).granted


@pytest.mark.clause("HTS-PLAY-5")
def test_a_lost_play_does_nothing_and_counts_as_not_played() -> None:
    state = table(["enchanted_spell"], ["challenge"], leaders={0: "the_cloaked_sage"})
    state = then(then(state, 0, PlayCard("enchanted_spell")), 1, Challenge())
    events, state = dice(state, 4, 4, 1, 1)
    assert not of(events, PlayStood)
    assert state.lasting == ()
    assert state.agenda == (Turn(0),)  # the Sage is not asked


# ---- heroes --------------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-HERO-1")
def test_the_effect_of_a_hero_comes_only_after_a_successful_roll() -> None:
    state = table([], [], parties={0: ["peanut"]})
    for pips, outcome, drawn in (((3, 3), "failure", 0), ((3, 4), "success", 2)):
        events, _ = rolls(then(state, 0, RollFor("peanut")), *pips)
        assert of(events, RollSettled)[0].outcome == outcome
        assert len(of(events, CardDrawn)) == drawn


@pytest.mark.clause("HTS-HERO-2")
def test_a_hero_that_stands_enters_the_party_and_may_be_rolled_for_at_once_without_a_point() -> None:
    events, state = stands(table(["peanut"], [], points=2), 0, PlayCard("peanut"))
    assert of(events, HeroEntered)[0].target == "party/0"
    assert offered(state, 0) == [Decline(), Accept()]
    events, after = when(state, 0, Accept())
    assert not of(events, PointsSpent)
    events, after = rolls(after, 4, 4)
    assert of(events, HeroMarked) == [HeroMarked("peanut")]
    assert len(of(events, CardDrawn)) == 2
    assert after.points == 1


@pytest.mark.clause("HTS-HERO-2")
def test_the_free_roll_is_offered_once_and_declining_leaves_the_roll_for_a_point() -> None:
    _, state = stands(table(["peanut"], []), 0, PlayCard("peanut"))
    state = then(state, 0, Decline())
    assert state.rolled == ()
    assert Accept() not in offered(state, 0)
    events, _ = when(state, 0, RollFor("peanut"))
    assert of(events, PointsSpent) == [PointsSpent(0, 1, 1)]


@pytest.mark.clause("HTS-HERO-3")
def test_a_hero_is_rolled_for_once_in_each_own_turn() -> None:
    state = table([], [], parties={0: ["peanut", "fluffy"]})
    _, state = rolls(then(state, 0, RollFor("peanut")), 1, 1)
    assert refusal(state, 0, RollFor("peanut")).reason == "rolled_already"
    assert judge_move(state, Seat(0), RollFor("fluffy")).granted
    state = then(state, 0, EndTurn())
    assert refusal(state, 0, RollFor("peanut")).reason == "turn_of_another"  # not in another's turn
    state = then(state, 1, EndTurn())
    then(state, 0, RollFor("peanut"))


@pytest.mark.clause("HTS-HERO-4", "HTS-AMB-62")
def test_neither_party_nor_hand_has_a_limit() -> None:
    party = ["bad_axe", "bear_claw", "beary_wise", "fury_knuckle", "heavy_bear", "pan_chucks", "qi_bear", "tough_teddy",
             "hook", "fluffy", "hopper", "snowball"]  # fmt: skip
    hand = ["peanut", *["challenge"] * 13, *["modifier_plus_4"] * 4]
    _, state = stands(table(hand, [], parties={0: party}), 0, PlayCard("peanut"))
    state = then(then(state, 0, Decline()), 0, DrawOne(), EndTurn())
    assert len(state.party_of(0)) == 13
    assert len(state.cards_in_hand(0)) == 18


# ---- magic ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-MAGIC-1")
def test_magic_goes_to_the_discard_pile_right_after_its_text_before_any_trigger() -> None:
    state = table(["critical_boost"], [], deck=["hook", "peanut", "fluffy"], leaders={0: "the_cloaked_sage"})
    events, state = when(state, 0, PlayCard("critical_boost"))
    assert not of(events, MagicPlayed)
    events, state = when(state, 0, ChooseCards(("hook",)))
    assert names(events) == ["CardDiscarded", "MagicPlayed"]
    assert state.cards_at(DISCARD) == ("hook", "critical_boost")
    assert offered(state, 0) == [Decline(), Accept()]  # only now the Sage


@pytest.mark.clause("HTS-MAGIC-2")
def test_while_its_text_runs_magic_is_pending_and_out_of_reach_of_searches_and_shuffles() -> None:
    state = with_deck(table(["winds_of_change"], []))
    state = then(state, 0, PlayCard("winds_of_change"))
    assert state.cards_in_hand(0) == ()  # both piles are empty: it has not drawn itself
    assert state.cards_at(DISCARD) == ("winds_of_change",)
    state = with_deck(table(["critical_boost"], [], discard=["hook", "peanut", "fluffy"]))
    _, state = shuffled(then(state, 0, PlayCard("critical_boost")))
    assert state.cards_at(PENDING) == ("critical_boost",)
    assert sorted(state.cards_in_hand(0)) == ["fluffy", "hook", "peanut"]


@pytest.mark.clause("HTS-MAGIC-1")
def test_magic_has_a_single_effect_and_then_is_gone() -> None:
    events, state = stands(table(["enchanted_spell"], ["hook"]), 0, PlayCard("enchanted_spell"))
    assert names(events)[2:] == ["PlayStood", "LastingBegan", "MagicPlayed"]
    assert state.cards_at(DISCARD) == ("enchanted_spell",)
