"""The actions: what each of them costs, when it may be taken, and that nothing else is one."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChoosePlayer
from referee.games.here_to_slay.components import DECK, DISCARD
from referee.games.here_to_slay.events.cards import CardDiscarded, CardPulled
from referee.games.here_to_slay.events.plays import DiceRolled, PlayAnnounced
from referee.games.here_to_slay.events.turns import LeaderUsed, PointsSpent
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    DrawOne,
    EndTurn,
    Modify,
    PlayCard,
    RedrawHand,
    RollFor,
    UseLeader,
)
from referee.games.here_to_slay.rules.playing import ChallengeWindow
from referee.games.here_to_slay.state import Table
from tests.games.course import of, pulled, refusal, then, when
from tests.games.here_to_slay.given import dice, offered, table, with_deck


def starts(state: Table, seat: int) -> Table:
    """The table when that seat is on turn again: everybody else ends the turn at once."""
    while state.active != seat or not state.points:
        state = then(state, state.active, EndTurn())
    return state


@pytest.mark.clause("HTS-ACT-1")
def test_draw_one_card_from_the_main_deck_for_a_point() -> None:
    state = then(table([], [], deck=["hook", "peanut"]), 0, DrawOne())
    assert (state.cards_in_hand(0), state.points, state.cards_at(DECK)[0]) == (("hook",), 2, "peanut")


@pytest.mark.clause("HTS-ACT-1", "HTS-AMB-63")
def test_a_draw_is_refused_only_if_both_piles_are_empty() -> None:
    empty = with_deck(table([], []))
    assert refusal(empty, 0, DrawOne()).reason == "no_card_to_draw"
    then(with_deck(table([], [], discard=["hook"])), 0, DrawOne())


@pytest.mark.clause("HTS-ACT-2")
@pytest.mark.parametrize("card", ["peanut", "bard_mask", "sealing_key", "enchanted_spell"])
def test_play_a_hero_an_item_or_magic_for_a_point(card: str) -> None:
    events, _ = when(table([card], [], parties={1: ["hook"]}), 0, PlayCard(card))
    assert of(events, PointsSpent) == [PointsSpent(0, 1, 2)]
    assert of(events, PlayAnnounced)[0].put == (card,)


@pytest.mark.clause("HTS-ACT-3")
def test_roll_for_a_hero_of_the_own_party_for_a_point() -> None:
    state = table([], [], parties={0: ["peanut"], 1: ["hook"]})
    events, after = when(state, 0, RollFor("peanut"))
    assert of(events, PointsSpent) == [PointsSpent(0, 1, 2)]
    assert of(dice(after, 4, 4)[0], DiceRolled)[0].about == "peanut"
    assert refusal(state, 0, RollFor("hook")).reason == "hero_of_another"
    assert refusal(state, 0, RollFor("bad_axe")).reason == "not_in_the_party"


@pytest.mark.clause("HTS-ACT-4")
def test_attack_a_monster_of_the_row_for_two_points() -> None:
    state = table([], [], parties={0: ["peanut"]}, row=["terratuga"], points=2)
    events, after = when(state, 0, Attack("terratuga"))
    assert of(events, PointsSpent) == [PointsSpent(0, 2, 0)]
    assert of(dice(after, 4, 4)[0], DiceRolled)[0].kind == "attack"
    assert refusal(state, 0, Attack("arctic_aries")).reason == "not_in_the_row"
    one = table([], [], parties={0: ["peanut"]}, row=["terratuga"], points=1)
    assert refusal(one, 0, Attack("terratuga")).reason == "too_few_points"


@pytest.mark.clause("HTS-ACT-5", "HTS-AMB-63")
@pytest.mark.parametrize("hand", [["hook", "challenge"], []])
def test_redraw_discards_the_whole_hand_even_an_empty_one_and_draws_five(hand: list[str]) -> None:
    events, state = when(table(hand, [], deck=["peanut"]), 0, RedrawHand())
    assert of(events, PointsSpent) == [PointsSpent(0, 3, 0)]
    assert len(of(events, CardDiscarded)) == len(hand)
    assert state.cards_at(DISCARD) == tuple(hand)
    assert len(state.cards_in_hand(0)) == 5
    assert refusal(table(hand, [], points=2), 0, RedrawHand()).reason == "too_few_points"


@pytest.mark.clause("HTS-ACT-6")
def test_the_shadow_claw_pulls_a_card_from_another_player_once_per_turn_for_a_point() -> None:
    state = table(["peanut"], ["hook", "bullseye"], ["wildshot"], leaders={0: "the_shadow_claw"})
    events, state = when(state, 0, UseLeader())
    assert of(events, PointsSpent) == [PointsSpent(0, 1, 2)]
    assert of(events, LeaderUsed)
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(2)]
    events, state = pulled(then(state, 0, ChoosePlayer(1)), "bullseye")
    assert [(event.of, event.seat) for event in of(events, CardPulled)] == [(1, 0)]
    assert refusal(state, 0, UseLeader()).reason == "once_in_a_turn"
    then(starts(then(state, 0, EndTurn()), 0), 0, UseLeader())


@pytest.mark.clause("HTS-ACT-6", "HTS-AMB-63")
def test_the_shadow_claw_needs_its_owner_and_somebody_elses_card() -> None:
    claw = {0: "the_shadow_claw"}
    assert refusal(table([], ["hook"], [], turn=1, leaders=claw), 1, UseLeader()).reason == "leader_gives_no_action"
    assert refusal(table(["hook"], [], [], leaders=claw), 0, UseLeader()).reason == "nobody_holds_cards"
    one_holds = table([], [], ["hook"], leaders=claw)
    assert then(one_holds, 0, UseLeader()).cards_in_hand(0) == ("hook",)


@pytest.mark.clause("HTS-ACT-8", "HTS-AMB-63")
def test_an_action_needs_its_whole_cost_in_points_left() -> None:
    state = table(["peanut"], [], parties={0: ["hook"]}, row=["terratuga"], points=1)
    for move in (Attack("terratuga"), RedrawHand()):
        against = refusal(state, 0, move)
        assert against.reason == "too_few_points"
        assert "HTS-ACT-8" in against.clauses
    for move in (DrawOne(), PlayCard("peanut"), RollFor("hook")):
        then(state, 0, move)


@pytest.mark.clause("HTS-ACT-9")
def test_a_player_without_hand_cards_can_draw_roll_attack_and_redraw() -> None:
    state = table([], [], parties={0: ["hook"]}, row=["terratuga"])
    assert offered(state, 0) == [EndTurn(), DrawOne(), RollFor("hook"), Attack("terratuga"), RedrawHand()]


@pytest.mark.clause("HTS-ACT-10")
def test_of_the_actions_only_playing_a_card_can_be_challenged() -> None:
    state = table(
        ["peanut"], ["challenge", "hook"], [], parties={0: ["fluffy"]}, row=["terratuga"],
        leaders={0: "the_shadow_claw"},
    )  # fmt: skip
    for move in (DrawOne(), RollFor("fluffy"), Attack("terratuga"), RedrawHand(), UseLeader(), EndTurn()):
        after = then(state, 0, move)
        assert not any(isinstance(step, ChallengeWindow) for step in after.agenda)
    assert isinstance(then(state, 0, PlayCard("peanut")).agenda[-1], ChallengeWindow)


@pytest.mark.clause("HTS-ACT-11")
def test_modifiers_and_challenges_are_never_actions_and_cost_nothing() -> None:
    state = table(["modifier_plus_4", "challenge"], [], parties={0: ["peanut"]}, points=1)
    for card in state.cards_in_hand(0):
        assert refusal(state, 0, PlayCard(card)).reason == "never_an_action"
    _, state = dice(then(state, 0, RollFor("peanut")), 1, 2)
    events, state = when(state, 0, Modify("modifier_plus_4", 4, 0))  # without a point left
    assert not of(events, PointsSpent)
    state = table(["peanut"], ["challenge"], turn=0)
    events, _ = when(then(state, 0, PlayCard("peanut")), 1, Challenge())
    assert not of(events, PointsSpent)
