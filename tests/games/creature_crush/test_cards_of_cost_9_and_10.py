"""The creatures of cost 9 and 10 that do something of their own: when it happens, and when it must not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards
from referee.games.creature_crush.components import DECKS
from referee.games.creature_crush.events.cards import CardsRecycled, CardsReturned, CreatureRevived
from referee.games.creature_crush.events.decks import CardDrawn
from referee.games.creature_crush.events.field import EffectSkipped
from referee.games.creature_crush.moves import Attack, ChoosePlace
from tests.games.course import of, refused
from tests.games.creature_crush.card_moves import attacks, calmly, damage, paid, played
from tests.games.creature_crush.table import picked, shuffled, table
from tests.games.creature_crush.wording import choices

ENEMIES = {"B1": "dune_strider", "A2": "tar_golem", "B3": "clay_guard"}
DECK = ("volley", "sky_bolt", "recoil")
HELL = ("pitfall", "twin_stag", "hex_toad", "frost_lout")


# ---- cost 9 ----------------------------------------------------------------------------------------------------------


@pytest.mark.card("blood_countess")
def test_a_blood_countess_that_kills_by_attacking_shuffles_a_card_of_hell_into_the_deck() -> None:
    _, state = attacks("blood_countess", "clay_guard", theirs={"B1": "clay_guard"}, hells=(HELL, ()))
    assert {move.card for move in choices(state, 0)} == set(HELL)
    _, state = calmly(state, 0, ChooseCard("pitfall"))
    assert "pitfall" in state.cards_at(DECKS[0])
    _, state = shuffled(state, DECKS[0])
    assert state.cards_at(DECKS[0])[0] == "pitfall"  # it had come to the bottom


@pytest.mark.card("blood_countess")
def test_a_blood_countess_brings_nothing_back_if_the_enemy_lives_or_hell_is_empty() -> None:
    events, _ = attacks("blood_countess", "tar_golem", theirs={"B1": "tar_golem"}, hells=(HELL, ()))
    assert not of(events, CardsRecycled)
    events, _ = attacks("blood_countess", "clay_guard", theirs={"B1": "clay_guard"}, hells=((), HELL))
    assert not of(events, CardsRecycled)


@pytest.mark.card("mind_eel")
def test_a_mind_eel_takes_a_card_of_the_enemy_hand_by_chance_and_draws_one() -> None:
    _, state = played("mind_eel", hands=((), DECK))
    events, state = picked(state, "recoil")
    assert state.list_hell(1) == ("recoil",)
    assert [event.seat for event in of(events, CardDrawn)] == [0]


@pytest.mark.card("mind_eel")
def test_a_mind_eel_takes_nothing_of_an_empty_hand_and_draws_all_the_same() -> None:
    events, state = played("mind_eel", hands=(DECK, ()))
    assert of(events, EffectSkipped) == [EffectSkipped("mind_eel", "empty_hand")]
    assert len(state.cards_in_hand(0)) == 4
    assert state.list_hell(0) == ()


SEARCHED = (("hex_toad", "volley", "iron_boar", "moss_tick", "ember_fox"), ("chimera",))


@pytest.mark.card("swarm_mother")
def test_a_swarm_mother_finds_two_creatures_of_cost_three_and_gives_a_die() -> None:
    _, state = played("swarm_mother", decks=SEARCHED)
    _, state = calmly(state, 0, ChooseCards(("hex_toad", "moss_tick")))
    _, state = shuffled(state, DECKS[0])
    assert set(state.cards_in_hand(0)) == {"hex_toad", "moss_tick"}
    assert state.extra == (1, 0)


@pytest.mark.card("swarm_mother")
def test_a_swarm_mother_does_not_find_three_nor_what_costs_four_nor_a_crush_card() -> None:
    _, state = played("swarm_mother", decks=SEARCHED)
    for cards in (("hex_toad", "moss_tick", "ember_fox"), ("iron_boar",), ("volley",)):
        refused(state, 0, ChooseCards(cards))
    _, state = calmly(state, 0, ChooseCards(()))
    _, state = shuffled(state, DECKS[0])
    assert (state.cards_in_hand(0), state.extra) == ((), (1, 0))


@pytest.mark.card("quake_mole")
def test_a_quake_mole_deals_two_damage_to_every_enemy_in_the_b_zone() -> None:
    events, _ = played("quake_mole", theirs=ENEMIES)
    assert damage(events) == {"dune_strider": 2, "clay_guard": 2}


@pytest.mark.card("quake_mole")
def test_a_quake_mole_hurts_nobody_in_the_a_zone_and_no_ally() -> None:
    events, _ = played("quake_mole", {"B1": "clay_guard"}, {"A1": "ember_fox", "A2": "tar_golem"})
    assert damage(events) == {}
    assert of(events, EffectSkipped) == [EffectSkipped("quake_mole", "nothing_fits")]


# ---- cost 10 ---------------------------------------------------------------------------------------------------------


@pytest.mark.card("soul_ferryman")
def test_a_soul_ferryman_revives_a_creature_of_cost_six() -> None:
    _, state = played("soul_ferryman", hells=(HELL, ()))
    _, state = calmly(state, 0, ChooseCard("twin_stag"))
    events, state = calmly(state, 0, ChoosePlace("B1"))
    assert [event.card for event in of(events, CreatureRevived)] == ["twin_stag"]
    assert state.card_at("B1/0") == "twin_stag"


@pytest.mark.card("soul_ferryman")
def test_a_soul_ferryman_does_not_revive_what_costs_seven_nor_an_enemy_nor_a_crush_card() -> None:
    _, state = played("soul_ferryman", hells=(HELL, ("ember_fox",)))
    for card in ("frost_lout", "ember_fox", "pitfall"):
        refused(state, 0, ChooseCard(card))
    assert choices(state, 0) == [ChooseCard("twin_stag"), ChooseCard("hex_toad")]


@pytest.mark.card("tempest_harpy")
def test_a_tempest_harpy_sends_any_enemy_back() -> None:
    _, state = played("tempest_harpy", theirs={"B1": "behemoth", "A2": "ember_fox"}, damage={"behemoth": 5})
    assert choices(state, 0) == [ChooseCard("ember_fox"), ChooseCard("behemoth")]
    _, state = calmly(state, 0, ChooseCard("behemoth"))
    assert (state.cards_in_hand(1), state.damage) == (("behemoth",), {})


@pytest.mark.card("tempest_harpy")
def test_a_tempest_harpy_sends_no_ally_back() -> None:
    events, state = played("tempest_harpy", {"B1": "ember_fox"}, {"C1": "volley"})
    assert not of(events, CardsReturned)
    assert state.card_at("C1/1:1") == "volley"


@pytest.mark.card("banner_knight")
def test_a_banner_knight_gives_the_own_a_creatures_one_attack() -> None:
    events, _ = attacks("ember_fox", "tar_golem", {"B3": "banner_knight"}, {"B1": "tar_golem"})
    assert damage(events)["tar_golem"] == 3
    assert table({"A1": "banner_knight"}).attack_points("banner_knight") == 6


@pytest.mark.card("banner_knight")
def test_a_banner_knight_gives_b_creatures_and_enemies_nothing_nor_itself_in_the_b_zone() -> None:
    state = table({"B3": "banner_knight", "B1": "ember_fox"}, {"A1": "storm_gull"})
    assert [state.attack_points(card) for card in ("banner_knight", "ember_fox", "storm_gull")] == [5, 2, 3]


@pytest.mark.card("gorge_worm")
def test_a_gorge_worm_that_attacks_directly_destroys_two_cards_of_the_deck() -> None:
    _, state = attacks("gorge_worm", decks=(("chimera",), DECK))
    assert state.list_hell(1) == DECK[:2]


@pytest.mark.card("gorge_worm")
def test_a_gorge_worm_destroys_no_card_if_it_attacks_a_creature_or_strikes_the_hand() -> None:
    _, state = attacks("gorge_worm", "tar_golem", theirs={"B1": "tar_golem"}, decks=(("chimera",), DECK))
    assert state.list_hell(1) == ("tar_golem",)
    state = table({"A1": "gorge_worm"}, {"C1": "worldfire"}, dice=paid("gorge_worm"), decks=(("chimera",), ()),
                  hands=((), ("volley",)))  # fmt: skip
    _, state = calmly(state, 0, Attack("gorge_worm", paid("gorge_worm")))
    assert (state.list_hell(1), state.card_at("C1/1:1")) == (("volley",), "worldfire")
