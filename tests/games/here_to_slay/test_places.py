"""Places: where every card lies, who sees it, and what happens when a deck is empty."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from referee.cardscript.moves import ChooseCards
from referee.engine.referee import build_view
from referee.engine.seats import Seat
from referee.games.here_to_slay.components import BOXED, DECK, DISCARD, MONSTERS, PENDING, ROW, WHOLE_BOX
from referee.games.here_to_slay.events.cards import CardDrawn, CardPulled, DeckRenewed, NothingToDraw
from referee.games.here_to_slay.events.plays import HeroEntered
from referee.games.here_to_slay.events.turns import MonsterTurnedUp
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    DrawOne,
    Modify,
    Pass,
    PlayCard,
    RedrawHand,
    RollFor,
    UseLeader,
)
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, then, when
from tests.games.here_to_slay.given import dice, names, rolls, shuffled, stands, table, with_deck


@pytest.mark.clause("HTS-ZONE-1")
def test_the_decks_lie_face_down_the_discard_pile_and_the_row_lie_open() -> None:
    state = table(["hook"], [], deck=["peanut"], discard=["wildshot", "challenge"], row=["orthus", "dracos"])
    for seat in (0, 1):
        seen = build_view(state, Seat(seat))
        assert set(seen.cards_at(DECK)) == set(seen.cards_at(MONSTERS)) == {"?"}
        assert len(seen.cards_at(DECK)) == len(state.cards_at(DECK))
        assert seen.cards_at(DISCARD) == ("wildshot", "challenge")
        assert seen.cards_at(ROW) == ("orthus", "dracos")


@pytest.mark.clause("HTS-ZONE-2")
def test_a_hand_is_its_players_and_a_party_lies_open_in_front_of_them() -> None:
    state = table(["hook", "challenge"], [], parties={0: [("peanut", "sealing_key")]}, slain={0: ["orthus"]})
    assert build_view(state, Seat(0)).cards_in_hand(0) == ("hook", "challenge")
    other = build_view(state, Seat(1))
    assert other.cards_in_hand(0) == ("?", "?")
    assert (other.party_of(0), other.item_of("peanut"), other.monsters_slain_by(0)) == (
        ("peanut",),
        "sealing_key",
        ("orthus",),
    )
    assert other.leader_of(0) == state.leader_of(0)


@pytest.mark.clause("HTS-ZONE-3")
def test_the_discard_pile_takes_what_is_used_lost_or_thrown_away_and_all_may_see_it() -> None:
    state = table(
        ["destructive_spell", "hook", "peanut"], ["challenge", "modifier_minus_4"],
        parties={1: [("fluffy", "bard_mask")]}, leaders={1: "the_divine_arrow"},
    )  # fmt: skip
    _, state = stands(state, 0, PlayCard("destructive_spell"))
    state = then(state, 0, ChooseCards(("hook",)))
    assert state.cards_at(DISCARD) == ("hook", "fluffy", "bard_mask", "destructive_spell")
    state = then(then(state, 0, PlayCard("peanut")), 1, Challenge())
    _, state = dice(state, 6, 6, 1, 1)
    state = then(state, 1, Modify("modifier_minus_4", -4, 0))
    assert state.cards_at(DISCARD)[4:] == ("modifier_minus_4", "challenge", "peanut")
    assert build_view(state, Seat(1)).cards_at(DISCARD) == state.cards_at(DISCARD)


@pytest.mark.clause("HTS-ZONE-3")
def test_a_sacrificed_hero_goes_to_the_discard_pile() -> None:
    state = table([], [], parties={0: ["hopper"], 1: ["fluffy"]})
    _, state = rolls(then(state, 0, RollFor("hopper")), 4, 4)
    assert state.cards_at(DISCARD) == ("fluffy",)


@pytest.mark.clause("HTS-ZONE-5")
def test_a_card_being_played_and_a_running_challenge_are_pending_and_open_to_all() -> None:
    state = then(table(["peanut"], ["challenge"], []), 0, PlayCard("peanut"))
    assert (state.cards_in_hand(0), state.cards_at(DISCARD), state.cards_at(PENDING)) == ((), (), ("peanut",))
    assert build_view(state, Seat(2)).cards_at(PENDING) == ("peanut",)
    state = then(state, 1, Challenge())
    assert (state.cards_in_hand(1), state.cards_at(PENDING), state.cards_at(DISCARD)) == (
        (),
        ("peanut", "challenge"),
        (),
    )


@pytest.mark.clause("HTS-ZONE-5", "HTS-MAGIC-2")
def test_a_pending_card_is_not_reshuffled() -> None:
    state = with_deck(table(["critical_boost"], [], discard=["hook", "bullseye", "wildshot"]))
    events, state = when(state, 0, PlayCard("critical_boost"))
    assert of(events, DeckRenewed)[0].took == ("hook", "bullseye", "wildshot")
    _, state = shuffled(state)
    assert sorted(state.cards_in_hand(0)) == ["bullseye", "hook", "wildshot"]
    assert state.cards_at(PENDING) == ("critical_boost",)


def whole(state: Table) -> Counter[str]:
    """Every card with the number of places it lies at."""
    return Counter(card for cards in state.zones.values() for card in cards)


@pytest.mark.clause("HTS-ZONE-6")
def test_each_of_the_136_cards_is_in_exactly_one_place_at_any_time() -> None:
    state = table(
        ["destructive_spell", "hook", "peanut", "modifier_plus_4"], ["challenge"],
        parties={1: [("fluffy", "bard_mask")]},
    )  # fmt: skip
    assert whole(state) == WHOLE_BOX
    steps: list[Table] = [then(state, 0, PlayCard("destructive_spell"))]
    steps.append(then(steps[-1], 1, Pass()))
    steps.append(then(steps[-1], 0, ChooseCards(("hook",))))
    steps.append(then(steps[-1], 0, PlayCard("peanut")))
    steps.append(then(steps[-1], 1, Challenge()))
    steps.append(dice(steps[-1], 3, 3, 2, 2)[1])
    steps.append(then(steps[-1], 0, Modify("modifier_plus_4", 4, 0)))
    for after in steps:
        assert sum(whole(after).values()) == 136
        assert whole(after) == WHOLE_BOX
    assert not of(when(steps[-2], 0, Pass())[0], HeroEntered)


@pytest.mark.clause("HTS-DECK-1", "HTS-AMB-64")
def test_an_empty_main_deck_is_made_anew_from_the_discard_pile_and_the_drawing_goes_on() -> None:
    state = with_deck(table(["hook"], [], discard=["peanut", "fluffy", "bad_axe", "wildshot"]), "bullseye", "snowball")
    events, state = when(state, 0, RedrawHand())
    assert names(events) == ["PointsSpent", "CardDiscarded", "CardDrawn", "CardDrawn", "DeckRenewed"]
    assert state.cards_at(DISCARD) == ()
    events, state = shuffled(state, "wildshot", "hook", "peanut", "fluffy", "bad_axe")
    assert [event.put for event in of(events, CardDrawn)] == [("wildshot",), ("hook",), ("peanut",)]
    assert state.cards_at(DECK) == ("fluffy", "bad_axe")


@pytest.mark.clause("HTS-DECK-1", "HTS-AMB-64")
def test_a_deck_that_has_just_run_out_is_not_renewed_before_a_card_is_needed() -> None:
    state = with_deck(table([], [], discard=["peanut"]), "bullseye")
    state = then(state, 0, DrawOne())
    assert (state.cards_at(DECK), state.cards_at(DISCARD)) == ((), ("peanut",))
    events, state = when(state, 0, DrawOne())
    assert names(events) == ["PointsSpent", "DeckRenewed", "CardDrawn"]


@pytest.mark.clause("HTS-DECK-1", "HTS-AMB-64", "HTS-EDGE-4")
def test_with_both_piles_empty_the_rest_of_the_draw_lapses() -> None:
    state = with_deck(table([], [], parties={0: ["peanut"]}), "hook")
    events, state = rolls(then(state, 0, RollFor("peanut")), 4, 4)
    assert of(events, NothingToDraw) == [NothingToDraw(0)]
    assert state.cards_in_hand(0) == ("hook",)
    assert asked(state) == {0}


@pytest.mark.clause("HTS-DECK-2", "HTS-AMB-65", "HTS-EDGE-4")
def test_without_a_monster_deck_the_row_gets_smaller() -> None:
    state = table([], [], parties={0: ["peanut"]}, row=["terratuga", "orthus", "dracos"])
    rest = state.zones[MONSTERS]
    state = replace(state, zones={**state.zones, MONSTERS: (), BOXED: (*state.zones[BOXED], *rest)})
    events, state = rolls(then(state, 0, Attack("terratuga")), 5, 6)
    assert not of(events, MonsterTurnedUp)
    assert state.cards_at(ROW) == ("orthus", "dracos")
    assert asked(state) == {0}


@pytest.mark.clause("HTS-ZONE-5")
def test_a_pending_card_cannot_be_pulled() -> None:
    state = table(["hook"], [], [], leaders={1: "the_shadow_claw"}, turn=1)
    state = replace(state, zones={**state.zones, PENDING: ("peanut",)})
    events, state = when(state, 1, UseLeader())  # no die, no question: there is but one card to pull
    assert of(events, CardPulled)[0].took == ("hook",)
    assert state.cards_at(PENDING) == ("peanut",)
