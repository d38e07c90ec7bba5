"""A player leaves the table, whatever is going on: nothing stays that the others could wait for (HTS-AMB-73)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, Decline
from referee.engine.events import Event
from referee.engine.game import Setup
from referee.engine.referee import seats_that_may_act
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import BOXED, DISCARD, HANDS, LEADER, PARTIES, PENDING, SLAIN, WHOLE_BOX
from referee.games.here_to_slay.events.cards import CardDiscarded, HandsSwapped
from referee.games.here_to_slay.events.plays import HeroEntered, PlayStood, RollSettled
from referee.games.here_to_slay.events.turns import GameWon, PlayerLeft, TurnStarted
from referee.games.here_to_slay.moves import (
    Challenge,
    DrawOne,
    EndTurn,
    Leave,
    Modify,
    Pass,
    PlayCard,
    RollFor,
    UseLeader,
)
from referee.games.here_to_slay.rules.turn import Turn
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.values import LastingEffect
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, offered, passes, rolls, stands, table
from tests.games.matches import random_match

SIX = ["bad_axe", "calming_voice", "bullseye", "kit_napper", "bun_bun", "peanut"]
pytestmark = pytest.mark.clause("HTS-AMB-73", "HTS-EDGE-5")


def leaves(state: Table, seat: int) -> tuple[tuple[Event, ...], Table]:
    """The facts of leaving and the table then: everything of that player is gone, and somebody can go on."""
    events, after = when(state, seat, Leave())
    for place in (HANDS[seat], PARTIES[seat], LEADER[seat], SLAIN[seat]):
        assert after.cards_at(place) == ()
    assert Counter(card for cards in after.zones.values() for card in cards) == WHOLE_BOX
    if after.agenda:
        assert seat not in asked(after)
        assert all(offered(after, other) for other in asked(after))
    return events, after


def test_hand_heroes_and_items_are_discarded_leader_and_monsters_leave_the_match() -> None:
    state = table(["hook"], ["fluffy"], [], parties={0: [("peanut", "bard_mask")]}, slain={0: ["orthus"]})
    events, after = leaves(state, 0)
    assert sorted(after.cards_at(DISCARD)) == ["bard_mask", "hook", "peanut"]
    assert {state.leader_of(0), "orthus"} < set(after.cards_at(BOXED))
    assert of(events, PlayerLeft) == [PlayerLeft(0)]
    assert (after.seats_at_table, after.cards_in_hand(1)) == ((1, 2), ("fluffy",))


def test_a_running_own_turn_ends_without_win_check() -> None:
    events, after = leaves(table([], [], [], parties={0: SIX}), 0)
    assert not of(events, GameWon)
    assert of(events, TurnStarted) == [TurnStarted(1, 3)]
    assert after.agenda == (Turn(1),)


def test_the_turn_of_another_goes_on_and_later_turns_pass_over_who_is_gone() -> None:
    _, state = leaves(table([], [], [], points=2), 1)
    assert (state.agenda, state.points) == ((Turn(0),), 2)
    assert refusal(state, 1, DrawOne()).reason == "has_left"
    assert refusal(state, 1, Leave()).reason == "has_left"
    events, _ = when(state, 0, EndTurn())
    assert of(events, TurnStarted) == [TurnStarted(2, 3)]


def test_the_last_one_left_has_won() -> None:
    _, state = leaves(table([], [], []), 0)
    events, state = leaves(state, 2)
    assert of(events, GameWon) == [GameWon(1, "last_one_left")]
    assert state.agenda == ()
    outcome = GAME.find_outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.clauses) == ((1,), ("HTS-AMB-73", "HTS-WIN-4"))


def test_whoever_plays_a_card_leaves_and_the_card_is_discarded() -> None:
    state = then(table(["peanut"], ["challenge"], ["hook"]), 0, PlayCard("peanut"))
    events, after = leaves(state, 0)
    assert not of(events, PlayStood)
    assert (after.cards_at(PENDING), after.cards_at(DISCARD)) == ((), ("peanut",))
    assert after.agenda == (Turn(1),)


def test_whoever_is_asked_to_challenge_leaves_and_the_window_goes_on_without_them() -> None:
    state = then(table(["peanut"], ["challenge"], ["hook"]), 0, PlayCard("peanut"))
    _, after = leaves(state, 1)
    assert asked(after) == {2}
    events, _ = leaves(then(state, 2, Pass()), 1)
    assert of(events, HeroEntered)  # nobody else is asked


def test_a_challenge_lapses_with_its_challenger_and_the_card_stands() -> None:
    state = then(then(table(["peanut", "snowball"], ["challenge"], []), 0, PlayCard("peanut")), 1, Challenge())
    _, state = dice(state, 6, 6, 1, 1)
    events, after = leaves(state, 1)
    assert not of(events, RollSettled)
    assert after.cards_at(DISCARD) == ("challenge",)
    assert after.party_of(0) == ("peanut",)
    assert offered(after, 0) == [Decline(), Accept()]


def test_a_challenged_player_leaves_and_both_cards_are_discarded() -> None:
    state = then(then(table(["peanut"], ["challenge", "hook"], []), 0, PlayCard("peanut")), 1, Challenge())
    _, state = dice(state, 1, 1, 6, 6)
    _, after = leaves(state, 0)
    assert sorted(after.cards_at(DISCARD)) == ["challenge", "peanut"]
    assert after.agenda == (Turn(1),)


def test_a_bystander_of_a_challenge_leaves_and_the_window_over_both_rolls_goes_on() -> None:
    state = table(["peanut"], ["challenge", "hook"], ["modifier_plus_4"], leaders={2: "the_divine_arrow"})
    _, state = dice(then(then(state, 0, PlayCard("peanut")), 1, Challenge()), 1, 1, 6, 6)
    state = then(state, 2, Modify("modifier_plus_4", 4, 1))
    _, state = leaves(state, 2)
    assert asked(state) == {1}
    events, _ = passes(state)
    assert [event.total for event in of(events, RollSettled)] == [6, 12]  # what was played stays played


def test_a_roller_leaves_and_the_roll_lapses() -> None:
    state = table([], ["hook"], [], parties={0: ["peanut"]})
    _, state = dice(then(state, 0, RollFor("peanut")), 4, 4)
    events, after = leaves(state, 0)
    assert not of(events, RollSettled)
    assert after.agenda == (Turn(1),)


def test_one_of_those_asked_together_leaves_and_gives_nothing_even_if_the_answer_was_in() -> None:
    hands = (["wildshot", "bullseye"], ["snowball", "hook"], ["fluffy", "bad_axe"])
    state = table([], *hands, parties={0: ["beary_wise"]})
    _, state = rolls(then(state, 0, RollFor("beary_wise")), 4, 4)
    _, after = leaves(then(state, 1, ChooseCards(("wildshot",))), 1)
    assert asked(after) == {2, 3}
    events, after = when(then(after, 2, ChooseCards(("snowball",))), 3, ChooseCards(("fluffy",)))
    assert [event.seat for event in of(events, CardDiscarded)] == [2, 3]
    assert offered(after, 0) == [ChooseCard("snowball"), ChooseCard("fluffy")]  # not what seat 1 had chosen
    _, state = leaves(then(then(state, 2, ChooseCards(("snowball",))), 3, ChooseCards(("fluffy",))), 1)
    assert asked(state) == {0}  # the last answer that was waited for will not come


def test_the_offer_of_an_own_ability_lapses_with_its_owner_and_the_roll_goes_on() -> None:
    state = table(["modifier_plus_4", "hook"], ["fluffy"], [], parties={0: ["peanut"]}, slain={1: ["crowned_serpent"]})
    _, state = dice(then(state, 0, RollFor("peanut")), 3, 3)
    state = then(state, 0, Modify("modifier_plus_4", 4, 0))
    assert asked(state) == {1}
    _, state = leaves(state, 1)
    assert asked(state) == {0}
    events, _ = passes(state)
    assert of(events, RollSettled)[0].total == 10


def test_what_a_card_had_given_the_player_is_over() -> None:
    mine, theirs = (LastingEffect("mighty_blade", seat, "no_destroy", "own_turn_start") for seat in (1, 2))
    _, after = leaves(table([], [], [], lasting=(mine, theirs)), 1)
    assert after.lasting == (theirs,)


def test_a_declared_player_has_left_and_the_text_finds_nothing_to_do() -> None:
    state = table([], ["hook"], ["wildshot"], parties={0: ["heavy_bear"]})
    _, state = dice(then(state, 0, RollFor("heavy_bear")), 4, 4)
    state = then(state, 0, ChoosePlayer(1))
    events, state = leaves(state, 1)
    events, state = passes(state)
    assert not of(events, CardDiscarded)
    assert (state.agenda, state.cards_in_hand(2)) == ((Turn(0),), ("wildshot",))


def test_hands_are_not_swapped_with_who_has_left() -> None:
    state = table(["peanut"], ["hook"], ["wildshot"], parties={0: ["dodgy_dealer"]})
    _, state = dice(then(state, 0, RollFor("dodgy_dealer")), 5, 5)
    _, state = leaves(then(state, 0, ChoosePlayer(1)), 1)
    events, state = passes(state)
    assert not of(events, HandsSwapped)
    assert (state.cards_in_hand(0), state.cards_in_hand(1)) == (("peanut",), ())


def test_who_has_left_is_offered_nothing() -> None:
    state = table([], ["hook", "fluffy"], ["wildshot"], parties={0: ["plundering_puma"]})
    _, state = dice(then(state, 0, RollFor("plundering_puma")), 5, 5)
    _, state = leaves(then(state, 0, ChoosePlayer(1)), 1)
    _, state = passes(state)
    assert state.agenda == (Turn(0),)


def test_no_hero_is_given_to_who_has_left() -> None:
    state = table(["forced_exchange"], [], [], parties={0: ["peanut"], 1: ["fluffy"]})
    _, state = stands(state, 0, PlayCard("forced_exchange"))
    assert offered(state, 0) == [ChooseCard("peanut"), ChooseCard("fluffy")]
    _, state = leaves(state, 1)
    state = then(state, 0, ChooseCard("peanut"))
    assert (state.party_of(0), state.cards_at(PARTIES[1])) == (("peanut", "fluffy"), ())


def test_the_only_heroes_to_choose_from_leave_with_their_player() -> None:
    state = table([], [], [], parties={0: ["bad_axe"], 1: ["fluffy", "peanut"]})
    _, state = dice(then(state, 0, RollFor("bad_axe")), 4, 4)
    assert offered(state, 0) == [ChooseCard("fluffy"), ChooseCard("peanut")]
    events, state = leaves(state, 1)
    assert of(events, RollSettled)[0].outcome == "success"
    assert state.agenda == (Turn(0),)


def test_the_only_players_to_choose_from_leave() -> None:
    state = table([], ["hook"], ["wildshot"], [], leaders={0: "the_shadow_claw"})
    state = then(state, 0, UseLeader())
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(2)]
    _, state = leaves(state, 1)
    assert offered(state, 0) == [ChoosePlayer(2)]
    _, state = leaves(state, 2)
    assert state.agenda == (Turn(0),)


def test_the_hero_about_to_be_destroyed_leaves_with_its_player() -> None:
    state = table([], [], [], parties={0: ["bad_axe"], 1: ["fluffy"]}, slain={0: ["corrupted_sabretooth"]})
    _, state = dice(then(state, 0, RollFor("bad_axe")), 4, 4)
    assert offered(state, 0) == [Decline(), Accept()]  # steal it in place of destroying it?
    _, state = leaves(state, 1)
    for answer in (Accept(), Decline()):
        after = then(state, 0, answer)
        assert (after.agenda, after.cards_at(DISCARD)) == ((Turn(0),), ("fluffy",))


def test_nothing_is_pulled_from_a_declared_player_who_has_left() -> None:
    state = table([], ["hook", "fluffy"], ["wildshot"], parties={0: ["bear_claw"]})
    _, state = dice(then(state, 0, RollFor("bear_claw")), 5, 5)
    _, state = leaves(then(state, 0, ChoosePlayer(2)), 2)
    _, state = passes(state)
    assert (state.agenda, state.cards_in_hand(0), state.cards_in_hand(1)) == ((Turn(0),), (), ("hook", "fluffy"))


def test_what_an_own_card_still_waits_to_do_lapses_with_its_owner() -> None:
    state = table(
        [], [], [], parties={0: ["fluffy"], 1: ["peanut"], 2: ["hook"]},
        slain={0: ["corrupted_sabretooth"], 1: ["dracos"]},
    )  # fmt: skip
    _, state = dice(then(state, 0, RollFor("fluffy")), 5, 6)
    state = then(then(state, 0, ChooseCard("peanut")), 0, Decline())  # destroyed: Dracos waits for the end of the text
    assert (state.party_of(1), asked(state)) == ((), {0})
    stayed = then(state, 0, Decline())
    assert asked(stayed) == {1}
    _, state = leaves(state, 1)
    assert then(state, 0, Decline()).agenda == (Turn(0),)


def test_at_a_real_table_nobody_need_tell_what_the_one_who_left_had_held() -> None:
    rules = {"cards_at_table": True, "dice_at_table": True}
    state = table(["hook"], ["fluffy", "bad_axe"], [], parties={0: ["guiding_light"]}, rules=rules)
    state = replace(state, zones={**state.zones, HANDS[0]: ("?",), HANDS[1]: ("?", "?")})
    state = then(state, 1, Leave())
    assert state.cards_at(DISCARD) == ("?", "?")
    _, state = rolls(then(state, 0, RollFor("guiding_light")), 4, 4)
    assert ChooseCard("fluffy") in offered(state, 0)  # the pile lies open: whoever takes a card from it names it
    state = then(state, 0, ChooseCard("fluffy"))
    assert (state.cards_at(DISCARD), state.cards_in_hand(0)) == (("?",), ("?", "?"))


@pytest.mark.parametrize("seed", [2, 3])
def test_wherever_somebody_leaves_a_random_match_it_goes_on(seed: int) -> None:
    left = 0
    for number, turn in enumerate(random_match("here_to_slay", Setup("standard", 4), seed)):
        if number % 9 or turn.after.turn < 0:
            continue
        for seat in sorted(seat for seat in seats_that_may_act(turn.after) if seat in turn.after.seats_at_table):
            leaves(turn.after, int(seat))
            left += 1
    assert left > 50
