"""Plays and rolls inside a text: frames of their own, whatever lies open outside."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, Decline
from referee.engine.events import Event
from referee.games.here_to_slay.events.cards import CardDrawn, CardPulled
from referee.games.here_to_slay.events.plays import HeroEntered, PlayLost
from referee.games.here_to_slay.moves import Challenge, Modify, Pass, PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, passes, settlements, stands, succeeds, table

QUIET = {0: "the_divine_arrow", 1: "the_fist_of_reason", 2: "the_shadow_claw"}


@pytest.mark.clause("HTS-NEST-1", "HTS-NOW-2")
def test_a_play_inside_a_text_is_finished_with_window_free_roll_and_all_before_the_text_goes_on() -> None:
    state = table(["bard_mask"], ["challenge"], parties={0: ["hook", "peanut"]}, leaders=QUIET, deck=["fluffy"])
    _, state = succeeds(state, "hook")
    events, state = when(state, 0, ChooseCard("bard_mask"))
    assert asked(state) == {1}  # a challenge window of its own
    assert not of(events, CardDrawn)
    events, state = when(state, 1, Pass())
    assert offered(state, 0) == [ChooseCard("hook"), ChooseCard("peanut")]
    events, state = when(state, 0, ChooseCard("peanut"))
    assert names(events) == ["ItemEquipped", "CardDrawn"]  # only now Hook draws


@pytest.mark.clause("HTS-NEST-1", "HTS-NEST-3")
def test_a_hero_played_immediately_gives_the_free_roll_which_can_lead_to_further_nested_plays() -> None:
    deck = ["mellow_dee", "lucky_bucky", "hook"]
    state = table([], ["snowball"], parties={0: ["fuzzy_cheeks"]}, leaders=QUIET, deck=deck, points=1)
    _, state = succeeds(state, "fuzzy_cheeks")
    for hero, nested in (("mellow_dee", "lucky_bucky"), ("lucky_bucky", "snowball")):
        events, state = stands(state, 0, ChooseCard(hero))
        assert [event.put for event in of(events, HeroEntered)] == [(hero,)]
        assert offered(state, 0) == [Decline(), Accept()]
        _, state = dice(then(state, 0, Accept()), 6, 6)
        events, state = passes(state)
        assert set(offered(state, 0)) == {Decline(), ChooseCard(nested)}
    _, state = stands(state, 0, ChooseCard("snowball"))
    events, state = when(state, 0, Decline())
    assert names(events) == ["TurnEnded", "TurnStarted"]  # four frames are closed, no point was left
    assert state.party_of(0) == ("fuzzy_cheeks", "mellow_dee", "lucky_bucky", "snowball")


@pytest.mark.clause("HTS-NEST-2")
def test_outer_windows_are_closed_while_it_runs_and_open_again_as_they_were_left() -> None:
    state = table(
        ["wildshot"], ["modifier_plus_4", "modifier_minus_4", "challenge"], ["challenge", "modifier_minus_4"],
        parties={0: ["peanut"]}, leaders=QUIET, deck=["entangling_trap", "hook", "fluffy"],
        slain={0: ["crowned_serpent", "orthus"]},
    )  # fmt: skip
    _, state = dice(then(state, 0, RollFor("peanut")), 3, 3)
    state = then(state, 2, Pass())
    state = then(state, 1, Modify("modifier_plus_4", 4, 0))
    state = then(state, 0, Accept())  # the serpent draws magic, and Orthus asks
    assert asked(state) == {0}
    assert refusal(state, 2, Modify("modifier_minus_4", -4, 0)).clauses[0] == "HTS-MOD-12"
    state = then(state, 0, ChooseCard("entangling_trap"))
    assert (state.agenda[-1].window_kind, asked(state)) == ("challenge", {1, 2})  # a challenge, no modifiers now
    assert refusal(state, 2, Modify("modifier_minus_4", -4, 0)).clauses[0] == "HTS-NEST-2"
    state = then(state, 2, Challenge())
    _, state = dice(state, 1, 1, 6, 6)
    assert (state.agenda[-1].window_kind, asked(state)) == ("modifiers", {0, 1, 2})
    assert refusal(state, 1, Modify("modifier_minus_4", -4, 1)).reason == "not_in_this_challenge"
    events: tuple[Event, ...] = ()
    for seat in range(3):
        assert not settlements(events)
        events, state = when(state, seat, Pass())
    assert settlements(events) == [(2, "compared"), (12, "compared")]
    assert (state.agenda[-1].window_kind, asked(state)) == ("modifiers", {0, 1, 2})  # the roll for Peanut again
    events, state = passes(state)
    assert settlements(events) == [(10, "success")]


@pytest.mark.clause("HTS-NEST-4", "HTS-AMB-10")
def test_if_the_immediate_play_is_lost_the_outer_text_goes_on_as_if_it_had_not_been_played() -> None:
    def lost(hero: str, card: str, hand: list[str], deck: list[str]) -> tuple[list[str], Table]:
        state = table(hand, ["challenge"], parties={0: [hero]}, leaders=QUIET, deck=deck)
        _, state = succeeds(state, hero)
        state = then(then(state, 0, ChooseCard(card)), 1, Challenge())
        events, state = dice(state, 6, 6, 1, 1)
        more, state = passes(state)
        assert len(of(events + more, PlayLost)) == 1
        return names(events + more), state

    told, state = lost("hook", "bard_mask", ["bard_mask"], ["fluffy"])
    assert (told[-1], state.cards_in_hand(0)) == ("CardDrawn", ("fluffy",))  # Hook's draw does not hang on the play
    told, state = lost("snowball", "critical_boost", [], ["critical_boost", "fluffy"])
    assert (told[-1], state.cards_in_hand(0)) == ("PlayLost", ())  # Snowball's second draw does


@pytest.mark.clause("HTS-NEST-1", "HTS-TRIG-1")
def test_the_triggers_of_a_nested_play_come_before_the_outer_text_goes_on() -> None:
    leaders = {0: "the_cloaked_sage", 1: "the_fist_of_reason"}
    state = table([], [], parties={0: ["snowball"]}, leaders=leaders, deck=["forceful_winds", "hook", "fluffy"])
    _, state = succeeds(state, "snowball")
    events, state = when(state, 0, ChooseCard("forceful_winds"))
    assert (names(events)[-1], offered(state, 0)) == ("MagicPlayed", [Decline(), Accept()])
    events, state = when(state, 0, Decline())
    assert (names(events), state.cards_in_hand(0)) == (["CardDrawn"], ("hook",))  # now Snowball's own


@pytest.mark.clause("HTS-NEST-1")
def test_a_roll_inside_a_text_has_its_own_targets_and_its_own_modifier_window() -> None:
    state = table([], ["hook"], ["challenge"], parties={0: ["wiggles"], 1: ["bear_claw"]}, leaders=QUIET)
    _, state = succeeds(state, "wiggles")
    _, state = dice(state, 6, 6)
    assert len(offered(state, 0)) == 2  # Bear Claw's player, declared after its own dice
    state = then(state, 0, offered(state, 0)[1])
    assert (state.agenda[-1].window_kind, asked(state)) == ("modifiers", {1, 2})
    events, state = passes(state)
    assert [event.of for event in of(events, CardPulled)] == [2]
    assert state.cards_in_hand(0) == ("challenge",)


@pytest.mark.clause("HTS-NOW-2")
def test_what_is_not_played_immediately_then_is_gone() -> None:
    state = table([], [], parties={0: ["quick_draw"]}, deck=["bard_mask", "hook"], points=1)
    _, state = succeeds(state, "quick_draw")
    events, state = when(state, 0, Decline())
    assert (names(events), state.cards_in_hand(0)) == (["TurnEnded", "TurnStarted"], ("bard_mask", "hook"))
    assert refusal(state, 0, PlayCard("bard_mask")).reason == "turn_of_another"
