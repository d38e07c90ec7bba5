"""The crush cards with a prerequisite: what each answers and does, and when it must not be flipped."""

from __future__ import annotations

import pytest

from referee.engine.chance import PickResult
from referee.engine.seats import CHANCE
from referee.games.creature_crush.components import DECKS, FACES
from referee.games.creature_crush.events.cards import CardsDestroyed, CrushSpent
from referee.games.creature_crush.events.decks import CardDrawn
from referee.games.creature_crush.events.field import AttackEnded, EffectCancelled
from referee.games.creature_crush.moves import Attack, EndCombat, EndTurn, Flip, Pass, Summon
from tests.games.course import asked, of, refused, then, when
from tests.games.creature_crush.card_moves import calmly, damage
from tests.games.creature_crush.table import picked, shuffled, table

BOUND = [card for card, printed in FACES.items() if printed.flips_when is not None]
DECK = ("hex_toad", "thornback", "moss_tick")


@pytest.mark.parametrize("card", BOUND)
@pytest.mark.clause("CC-CRUSH-FLIP-3", "CC-AMB-16")
def test_a_card_with_a_prerequisite_is_not_flipped_when_it_is_not_met(card: str) -> None:
    state = table({"C1": card, "B1": "clay_guard"}, {"B1": "ember_fox"})
    when_ = FACES[card].flips_when
    reason = "waits_for_event" if when_ is not None and when_.event else "prerequisite_not_met"
    assert refused(state, 0, Flip("C1", card)) == (reason, "CC-CRUSH-FLIP-3")


# ---- attacks ---------------------------------------------------------------------------------------------------------


@pytest.mark.card("raised_drawbridge")
def test_a_raised_drawbridge_cancels_a_direct_attack_and_sends_the_attacker_back() -> None:
    state = table({"C1": "raised_drawbridge"}, {"A1": "ember_fox"}, turn=1, dice=(3,))
    state = then(state, 1, Attack("ember_fox", (3,)))
    assert asked(state) == {0}
    events, state = calmly(state, 0, Flip("C1", "raised_drawbridge"))
    assert [event.why for event in of(events, AttackEnded)] == ["cancelled"]
    assert state.cards_in_hand(1) == ("ember_fox",)
    assert (state.list_hell(0), state.dice) == (("raised_drawbridge",), ())


@pytest.mark.card("raised_drawbridge")
def test_a_raised_drawbridge_does_not_answer_an_attack_on_a_creature() -> None:
    mine = {"C1": "raised_drawbridge", "C2": "recoil", "A1": "clay_guard"}
    state = table(mine, {"B1": "ember_fox"}, turn=1, dice=(3,))
    state = then(state, 1, Attack("ember_fox", (3,), "clay_guard"))
    assert refused(state, 0, Flip("C1", "raised_drawbridge"))[0] == "waits_for_event"


@pytest.mark.card("recoil")
def test_a_recoil_cancels_an_attack_and_turns_it_on_the_attacker() -> None:
    state = table({"C1": "recoil", "A1": "clay_guard"}, {"B1": "storm_gull", "B2": "horn_blower"}, turn=1, dice=(5,))
    events, state = calmly(then(state, 1, Attack("storm_gull", (5,), "clay_guard")), 0, Flip("C1", "recoil"))
    assert damage(events) == {"storm_gull": 4}  # the horn's point as well
    assert "storm_gull" in state.list_hell(1)


@pytest.mark.card("recoil")
def test_a_recoil_does_not_answer_a_direct_attack_nor_the_own_one() -> None:
    state = table({"C1": "recoil", "C2": "raised_drawbridge"}, {"A1": "ember_fox"}, turn=1, dice=(3,))
    state = then(state, 1, Attack("ember_fox", (3,)))
    assert refused(state, 0, Flip("C1", "recoil"))[0] == "waits_for_event"
    state = table({"C1": "recoil", "C2": "sudden_lunge", "B1": "ember_fox"}, {"B1": "clay_guard"}, dice=(3,))
    state = then(state, 0, Attack("ember_fox", (3,), "clay_guard"))
    assert refused(state, 0, Flip("C1", "recoil"))[0] == "waits_for_event"


@pytest.mark.card("sudden_lunge")
def test_a_sudden_lunge_strengthens_the_attacker_until_the_turn_ends_and_draws_a_card() -> None:
    state = table({"C1": "sudden_lunge", "B1": "ember_fox"}, {"B1": "dune_strider"}, dice=(3,))
    state = then(state, 0, Attack("ember_fox", (3,), "dune_strider"))
    assert asked(state) == {0}
    events, state = calmly(state, 0, Flip("C1", "sudden_lunge"))
    assert damage(events) == {"dune_strider": 6}
    assert len(of(events, CardDrawn)) == 1
    assert state.attack_points("ember_fox") == 6
    _, state = calmly(then(state, 0, EndCombat()), 0, EndTurn())
    assert state.attack_points("ember_fox") == 2


@pytest.mark.card("sudden_lunge")
def test_a_sudden_lunge_does_not_strengthen_an_enemy_nor_a_direct_attack() -> None:
    state = table({"C1": "sudden_lunge", "C2": "recoil", "A1": "clay_guard"}, {"B1": "ember_fox"}, turn=1, dice=(3,))
    state = then(state, 1, Attack("ember_fox", (3,), "clay_guard"))
    assert refused(state, 0, Flip("C1", "sudden_lunge"))[0] == "waits_for_event"
    state = table({"C1": "sudden_lunge", "A1": "ember_fox"}, dice=(3,))
    events, state = when(state, 0, Attack("ember_fox", (3,)))
    assert len(of(events, CardsDestroyed)) == 1  # nobody was asked


# ---- coming and going ------------------------------------------------------------------------------------------------


@pytest.mark.card("second_wind")
def test_a_second_wind_takes_a_destroyed_ally_to_the_hand() -> None:
    state = table({"C1": "second_wind", "A1": "hex_toad"}, {"B1": "storm_gull"}, turn=1, dice=(5,))
    _, state = when(state, 1, Attack("storm_gull", (5,), "hex_toad"))
    while not state.list_hell(0):
        _, state = when(state, 0, Pass())  # nothing may be known of the card before
    _, state = calmly(state, 0, Flip("C1", "second_wind"))
    assert (state.cards_in_hand(0), state.list_hell(0)) == (("hex_toad",), ("second_wind",))


@pytest.mark.card("second_wind")
def test_a_second_wind_takes_one_of_several_which_its_player_names_and_never_an_enemy() -> None:
    mine = {"C1": "second_wind", "A1": "hex_toad", "B1": "moss_tick"}
    state = table(mine, {"C1": "volley", "B1": "spark_imp"}, turn=1)
    _, state = when(state, 1, Flip("C1", "volley"))
    while not state.list_hell(0):
        _, state = when(state, min(asked(state)), Pass())
    assert refused(state, 0, Flip("C1", "second_wind"))[0] == "say_about_whom"
    _, state = calmly(state, 0, Flip("C1", "second_wind", "moss_tick"))
    assert (state.cards_in_hand(0), set(state.list_hell(0))) == (("moss_tick",), {"hex_toad", "second_wind"})
    state = table({"C1": "second_wind", "B1": "storm_gull"}, {"A1": "hex_toad"}, dice=(5,))
    _, state = calmly(state, 0, Attack("storm_gull", (5,), "hex_toad"))
    assert (state.list_hell(1), state.card_at("C1/0:0")) == (("hex_toad",), "second_wind")


@pytest.mark.card("pitfall")
def test_a_pitfall_deals_six_damage_to_an_enemy_that_was_summoned() -> None:
    state = table({"C1": "pitfall"}, dice=(3,), turn=1, hands=((), ("clay_guard",)))
    events, state = calmly(then(state, 1, Summon("clay_guard", "B1", (3,))), 0, Flip("C1", "pitfall"))
    assert damage(events) == {"clay_guard": 6}
    assert state.list_hell(1) == ("clay_guard",)


@pytest.mark.card("pitfall")
@pytest.mark.clause("CC-CHAIN-8")
def test_a_pitfall_does_not_undo_the_action_that_was_activated_nor_hit_an_own_creature() -> None:
    state = table({"C1": "pitfall", "B1": "clay_guard"}, dice=(3,), turn=1, hands=((), ("hex_toad",)))
    events, state = calmly(then(state, 1, Summon("hex_toad", "B1", (3,))), 0, Flip("C1", "pitfall"))
    assert damage(events) == {"hex_toad": 6, "clay_guard": 2}
    state = table({"C1": "pitfall"}, dice=(3,), hands=(("clay_guard",), ()))
    events, state = calmly(state, 0, Summon("clay_guard", "B1", (3,)))
    assert state.card_at("C1/0:0") == "pitfall"


@pytest.mark.card("broken_seal")
def test_a_broken_seal_cancels_the_effect_of_a_flipped_card_and_draws_a_card() -> None:
    state = table({"C1": "broken_seal", "B1": "ember_fox"}, {"C1": "worldfire"}, turn=1)
    state = then(state, 1, Flip("C1", "worldfire"))
    events, state = calmly(state, 0, Flip("C1", "broken_seal"))
    assert of(events, EffectCancelled) == [EffectCancelled("worldfire", "broken_seal")]
    assert len(of(events, CrushSpent)) == 2
    assert (state.list_hell(0), state.list_hell(1), state.card_at("B1/0")) == (
        ("broken_seal",),
        ("worldfire",),
        "ember_fox",
    )
    assert len(state.cards_in_hand(0)) == 1


@pytest.mark.card("broken_seal")
def test_a_broken_seal_does_not_cancel_an_own_card() -> None:
    state = table({"C1": "broken_seal", "C2": "volley"}, {"B1": "clay_guard"})
    events, state = calmly(state, 0, Flip("C2", "volley"))
    assert damage(events) == {"clay_guard": 3}
    assert state.card_at("C1/0:0") == "broken_seal"


# ---- how the table stands --------------------------------------------------------------------------------------------

HELL = ("hex_toad", "thornback", "volley")


@pytest.mark.card("last_reserve")
def test_a_last_reserve_shuffles_two_random_cards_of_hell_into_an_empty_deck() -> None:
    state = table({"C1": "last_reserve"}, {"B1": "ember_fox"}, decks=((), ("chimera",)), hells=(HELL, ()))
    _, state = when(state, 0, Flip("C1", "last_reserve"))
    _, state = shuffled(picked(state, "volley", "hex_toad")[1], DECKS[0])
    assert set(state.cards_at(DECKS[0])) == {"volley", "hex_toad"}
    assert state.list_hell(0) == ("thornback", "last_reserve")


@pytest.mark.card("last_reserve")
def test_a_last_reserve_does_not_help_while_a_single_card_is_left() -> None:
    state = table({"C1": "last_reserve"}, {"B1": "ember_fox"}, decks=(("chimera",), ()), hells=(HELL, ()))
    assert refused(state, 0, Flip("C1", "last_reserve"))[0] == "prerequisite_not_met"


MANY = {"B1": "ember_fox", "B2": "storm_gull", "B3": "tar_golem"}


@pytest.mark.card("desperate_stand")
def test_a_desperate_stand_destroys_two_random_enemies() -> None:
    state = table({"C1": "desperate_stand", "B1": "clay_guard"}, MANY)
    _, state = when(state, 0, Flip("C1", "desperate_stand"))
    assert refused(state, CHANCE, PickResult(("tar_golem", "clay_guard")))[0] == "on_the_wrong_side"
    _, state = picked(state, "tar_golem", "ember_fox")
    assert set(state.list_hell(1)) == {"tar_golem", "ember_fox"}
    assert state.card_at("B1/0") == "clay_guard"


@pytest.mark.card("desperate_stand")
def test_a_desperate_stand_is_not_made_against_one_creature_more() -> None:
    state = table({"C1": "desperate_stand", "B1": "clay_guard", "B2": "thornback"}, MANY)
    assert refused(state, 0, Flip("C1", "desperate_stand"))[0] == "prerequisite_not_met"
