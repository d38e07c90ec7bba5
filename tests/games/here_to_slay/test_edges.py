"""Winning, running out, forgetting and time limits: the rulings on the turn and the end of the match."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, Decline
from referee.engine.referee import seats_that_must_act
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CLOCK
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import DISCARD, ROW
from referee.games.here_to_slay.events.cards import CardDiscarded, CardDrawn
from referee.games.here_to_slay.events.heroes import HeroDestroyed, HeroSacrificed, MonsterFoughtBack
from referee.games.here_to_slay.events.plays import PlayStood, RollSettled
from referee.games.here_to_slay.events.turns import GameWon, PointGained, TurnEnded, TurnStarted
from referee.games.here_to_slay.moves import Attack, Challenge, DrawOne, EndTurn, Modify, Pass, PlayCard, RollFor
from referee.games.here_to_slay.rules.playing import ChallengeWindow
from referee.games.here_to_slay.rules.rolling import ModifierWindow
from referee.games.here_to_slay.rules.turn import Turn
from referee.games.here_to_slay.triggers import build_text_execution
from tests.games.course import of, refusal, settled, then, times_out, when
from tests.games.here_to_slay.given import dice, names, offered, rolls, stands, table

FIVE = ["bad_axe", "calming_voice", "bullseye", "kit_napper", "bun_bun"]  # all classes but the bard
SONG = {0: "the_charismatic_song"}


# ---- winning -------------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-AMB-61")
def test_the_third_monster_wins_at_once() -> None:
    state = table([], [], parties={0: ["peanut"]}, slain={0: ["orthus", "bloodwing"]}, row=["terratuga"])
    events, after = dice(then(state, 0, Attack("terratuga")), 5, 6)
    assert names(events)[-2:] == ["MonsterSlain", "GameWon"]
    assert after.points == 1
    assert after.agenda == ()
    assert refusal(after, 0, DrawOne()).reason == "nothing_is_open"


@pytest.mark.clause("HTS-AMB-61")
def test_six_classes_win_only_at_the_end_of_the_own_turn() -> None:
    state = table(["peanut"], [], parties={0: FIVE}, leaders={0: "the_cloaked_sage"})
    events, state = stands(state, 0, PlayCard("peanut"))
    assert not of(events, GameWon)
    events, _ = when(then(state, 0, Decline()), 0, EndTurn())
    assert of(events, GameWon) == [GameWon(0, "six_classes")]


@pytest.mark.clause("HTS-AMB-61")
def test_six_classes_reached_in_anothers_turn_must_survive_until_the_own_turn_ends() -> None:
    state = table([], [], parties={0: FIVE}, leaders=SONG, turn=1)
    events, kept = when(state, 1, EndTurn())
    assert not of(events, GameWon)
    assert of(when(kept, 0, EndTurn())[0], GameWon) == [GameWon(0, "six_classes")]
    spoilt = table([], [], parties={0: [("bad_axe", "bard_mask"), *FIVE[1:]]}, leaders=SONG, turn=1)
    assert not of(when(then(spoilt, 1, EndTurn()), 0, EndTurn())[0], GameWon)


# ---- slaying and fighting back -------------------------------------------------------------------------------


@pytest.mark.clause("HTS-AMB-66")
def test_slaying_goes_monster_ability_reward_new_monster_and_triggers_last() -> None:
    state = table(
        [], [], parties={0: ["peanut", "hook", "fluffy", "bad_axe"]}, slain={0: ["orthus"]},
        row=["mega_slime", "dracos", "bloodwing"], deck=["critical_boost", "snowball"],
    )  # fmt: skip
    events, state = dice(then(state, 0, Attack("mega_slime")), 5, 4)
    assert names(events)[1:] == [
        "RollSettled", "MonsterSlain", "PointGained", "CardDrawn", "CardDrawn", "MonsterTurnedUp"
    ]  # fmt: skip
    assert len(state.cards_at(ROW)) == 3
    assert ChooseCard("critical_boost") in offered(state, 0)  # what the reward set off


@pytest.mark.clause("HTS-AMB-67")
def test_mega_slime_gives_its_point_at_once_even_if_the_attack_took_the_last_ones() -> None:
    heroes = {0: ["peanut", "hook", "fluffy", "bad_axe"]}
    state = table([], [], parties=heroes, row=["mega_slime"], points=2)
    events, state = dice(then(state, 0, Attack("mega_slime")), 5, 4)
    assert of(events, PointGained) == [PointGained(0, 1)]
    events, state = rolls(then(state, 0, RollFor("peanut")), 1, 1)
    assert of(events, TurnEnded) == [TurnEnded(0)]
    assert of(when(state, 1, EndTurn())[0], TurnStarted) == [TurnStarted(0, 4)]


@pytest.mark.clause("HTS-AMB-67")
def test_mega_slime_from_the_next_turn_on_by_a_setting() -> None:
    state = table(
        [], [], parties={0: ["peanut", "hook", "fluffy", "bad_axe"]}, row=["mega_slime"], points=2,
        rules={"mega_slime_from": "next_turn"},
    )  # fmt: skip
    events, state = dice(then(state, 0, Attack("mega_slime")), 5, 4)
    assert not of(events, PointGained)
    assert state.active == 1
    assert of(when(state, 1, EndTurn())[0], TurnStarted) == [TurnStarted(0, 4)]


@pytest.mark.clause("HTS-AMB-70")
@pytest.mark.parametrize("hand", [[], ["snowball"]])
def test_of_two_cards_to_discard_as_many_as_there_are(hand: list[str]) -> None:
    parties = {0: ["peanut", "napping_nibbles"]}
    state = table(hand, [], parties=parties, row=["dark_dragon_king"], points=2)
    events, state = rolls(then(state, 0, Attack("dark_dragon_king")), 1, 2)
    assert of(events, MonsterFoughtBack)
    assert [event.put[0] for event in of(events, CardDiscarded)] == hand
    assert (state.party_of(0), state.active) == (("peanut", "napping_nibbles"), 1)  # and nothing in its stead


@pytest.mark.clause("HTS-AMB-70")
def test_without_a_hero_nothing_is_sacrificed() -> None:
    state = table(["hook"], [], agenda=(Turn(0), build_text_execution("abyss_queen", "penalty", 0)))
    after = settled(state)
    assert (after.agenda, after.cards_in_hand(0), after.cards_at(DISCARD)) == ((Turn(0),), ("hook",), ())


@pytest.mark.clause("HTS-AMB-74")
def test_a_slain_monster_cannot_be_sacrificed() -> None:
    state = table([], [], parties={0: ["hopper"], 1: ["peanut", "fluffy"]}, slain={1: ["orthus"]})
    _, state = rolls(then(state, 0, RollFor("hopper")), 4, 4)
    assert refusal(state, 1, ChooseCards(("orthus",))).reason == "not_in_the_party"
    state = table([], [], parties={0: ["spooky"]}, slain={1: ["orthus"]})
    events, state = rolls(then(state, 0, RollFor("spooky")), 5, 5)
    assert not of(events, HeroSacrificed)
    assert state.monsters_slain_by(1) == ("orthus",)


# ---- forgetting ----------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-AMB-68")
def test_an_ability_that_gives_a_card_is_offered_once_and_silence_means_forgotten() -> None:
    rules = {"decision_ms": 5000}
    state = table(["enchanted_spell"], [], leaders={0: "the_cloaked_sage"}, rules=rules)
    state = then(state, 0, PlayCard("enchanted_spell"))
    assert offered(state, 0) == [Decline(), Accept()]
    events, state = times_out(state)
    assert not of(events, CardDrawn)
    assert state.agenda == (Turn(0),)
    assert Accept() not in offered(state, 0)


@pytest.mark.clause("HTS-AMB-68")
def test_numbers_bans_and_duties_of_others_are_applied_without_asking() -> None:
    state = table([], [], parties={0: ["peanut"]}, leaders=SONG)
    events, _ = rolls(then(state, 0, RollFor("peanut")), 3, 3)
    assert of(events, RollSettled)[0].total == 7
    state = then(table(["peanut"], ["challenge", "hook"], slain={0: ["bloodwing"]}), 0, PlayCard("peanut"))
    events, state = when(state, 1, Challenge())
    assert [event.put for event in of(events, CardDiscarded)] == [("hook",)]


# ---- time limits ---------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-AMB-76")
def test_by_default_the_referee_waits() -> None:
    state = table(["peanut"], ["hook"], parties={0: ["fluffy"]})
    for after in (state, then(state, 0, PlayCard("peanut")), dice(then(state, 0, RollFor("fluffy")), 3, 3)[1]):
        assert CLOCK not in seats_that_must_act(after)
    with pytest.raises(IllegalMove):
        times_out(state)


@pytest.mark.clause("HTS-AMB-76", "HTS-AMB-1")
def test_a_challenge_window_passes_for_those_who_are_late() -> None:
    rules = {"window_ms": 5000}
    state = then(table(["peanut"], ["hook"], ["challenge"], rules=rules), 0, PlayCard("peanut"))
    assert isinstance(state.agenda[-1], ChallengeWindow)
    state = then(state, 1, Pass())
    events, state = times_out(state)
    assert of(events, PlayStood)
    assert CLOCK not in seats_that_must_act(state)  # an offer is no window: it has a time of its own


@pytest.mark.clause("HTS-AMB-76", "HTS-AMB-13")
def test_a_modifier_window_passes_for_those_who_are_late() -> None:
    rules = {"window_ms": 5000}
    state = table(["modifier_plus_4", "hook"], ["hopper"], [], parties={0: ["peanut"]}, rules=rules)
    _, state = dice(then(state, 0, RollFor("peanut")), 3, 3)
    state = then(then(state, 1, Pass()), 0, Modify("modifier_plus_4", 4, 0))
    assert isinstance(state.agenda[-1], ModifierWindow)
    events, _ = times_out(state)
    assert of(events, RollSettled)[0].total == 10


@pytest.mark.clause("HTS-AMB-76")
def test_an_offer_is_declined_and_a_turn_is_ended_by_the_clock() -> None:
    _, state = stands(table(["peanut"], [], rules={"decision_ms": 5000}), 0, PlayCard("peanut"))
    _, state = times_out(state)
    assert (state.agenda, state.rolled) == ((Turn(0),), ())
    events, state = times_out(state)
    assert names(events) == ["TurnEnded", "TurnStarted"]
    assert state.active == 1


@pytest.mark.clause("HTS-AMB-76")
def test_a_duty_takes_the_first_legal_answer_by_seat_then_card_id() -> None:
    rules = {"decision_ms": 5000}
    parties = {0: ["bad_axe"], 1: ["peanut", "fluffy"], 2: ["beary_wise"]}
    state = table([], [], [], parties=parties, rules=rules)
    _, state = dice(then(state, 0, RollFor("bad_axe")), 4, 4)
    events, _ = times_out(state)
    assert of(events, HeroDestroyed)[0].took == ("fluffy",)
    state = table([], ["wildshot"], ["bullseye"], parties={0: ["heavy_bear"]}, rules=rules)
    _, state = dice(then(state, 0, RollFor("heavy_bear")), 4, 4)
    assert ChoosePlayer(2) in offered(state, 0)
    _, state = times_out(state)
    _, state = when(state, 1, Pass())
    events, _ = when(state, 2, Pass())
    assert [event.seat for event in of(events, CardDiscarded)] == [1]


@pytest.mark.clause("HTS-AMB-76")
def test_an_item_in_late_hands_goes_under_the_first_free_hero_by_seat_then_card_id() -> None:
    parties = {0: [("bad_axe", "decoy_doll"), "peanut", "hook"], 1: ["bear_claw"]}
    state = table(["bard_mask"], [], parties=parties, rules={"decision_ms": 5000})
    _, state = times_out(then(state, 0, PlayCard("bard_mask")))
    assert state.item_of("hook") == "bard_mask"


@pytest.mark.clause("HTS-AMB-76")
def test_of_those_asked_together_the_clock_answers_only_for_the_late_ones() -> None:
    rules = {"decision_ms": 5000}
    state = table([], ["wildshot", "bullseye"], ["snowball", "hook"], parties={0: ["beary_wise"]}, rules=rules)
    _, state = rolls(then(state, 0, RollFor("beary_wise")), 4, 4)
    state = then(state, 1, ChooseCards(("wildshot",)))
    events, state = times_out(state)
    assert [event.put for event in of(events, CardDiscarded)] == [("wildshot",), ("hook",)]
    events, state = times_out(state)
    assert state.cards_in_hand(0) == ("hook",)  # the first of the two by card id


def test_what_a_match_was_won_by_is_told_with_all_others_behind() -> None:
    state = table([], [], [], parties={0: FIVE}, leaders=SONG)
    outcome = GAME.find_outcome(then(state, 0, EndTurn()))
    assert outcome is not None
    assert (outcome.winners, outcome.placement) == ((0,), ((0,), (1, 2)))
    assert outcome.clauses == ("HTS-WIN-2", "HTS-WIN-4")
