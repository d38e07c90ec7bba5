"""The creatures of cost 1 to 3 that do something of their own: when it happens, and when it must not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards, Decline
from referee.games.creature_crush.components import DECKS
from referee.games.creature_crush.events.cards import CardsDestroyed, CreatureRevived
from referee.games.creature_crush.events.course import DiceRerolled
from referee.games.creature_crush.events.decks import CardDrawn
from referee.games.creature_crush.events.field import CreaturesHealed, EffectSkipped
from referee.games.creature_crush.moves import Attack, ChoosePlace, Flip, Reroll, Summon
from tests.games.course import of, then
from tests.games.creature_crush.card_moves import attacks, calmly, damage, died, played, raided
from tests.games.creature_crush.table import picked, rolled, table
from tests.games.creature_crush.wording import choices, refused

WOUNDED = {"clay_guard": 3, "storm_gull": 2}


# ---- cost 1 ----------------------------------------------------------------------------------------------------------


@pytest.mark.card("bone_pup")
def test_a_bone_pup_that_dies_draws_a_card_for_its_possessor() -> None:
    events, state = died("bone_pup")
    assert [event.seat for event in of(events, CardDrawn)] == [0]
    assert len(state.cards_in_hand(0)) == 1


@pytest.mark.card("bone_pup")
def test_a_bone_pup_of_an_empty_deck_draws_nothing_and_nobody_loses_by_it() -> None:
    events, state = died("bone_pup", {"B3": "clay_guard"}, decks=((), ("chimera",)))
    assert not of(events, CardDrawn)
    assert not state.way


@pytest.mark.card("lantern_moth")
def test_a_lantern_moth_rolls_up_to_two_unburned_dice_again() -> None:
    _, state = played("lantern_moth", spare=(2, 5, 5))
    assert Reroll((2, 5)) in choices(state, 0)
    _, state = calmly(state, 0, Reroll((2, 5)))
    events, state = rolled(state, 6, 6)
    assert of(events, DiceRerolled) == [DiceRerolled(0, (2, 5), (6, 6))]
    assert state.dice == (5, 6, 6)


@pytest.mark.card("lantern_moth")
def test_a_lantern_moth_does_not_touch_burned_dice_nor_three_at_once() -> None:
    _, state = played("lantern_moth", spare=(2, 5, 5))
    assert refused(state, 0, Reroll((1,))) == "no_such_die"  # it was burned for the moth
    assert refused(state, 0, Reroll((2, 5, 5))) == "reroll_so_many"
    assert calmly(state, 0, Decline())[1].dice == (2, 5, 5)
    events, _ = played("lantern_moth")
    assert of(events, EffectSkipped) == [EffectSkipped("lantern_moth", "no_dice")]


@pytest.mark.card("gutter_rat")
def test_a_gutter_rat_that_comes_from_the_deck_into_hell_is_revived() -> None:
    events, state = raided("gutter_rat")
    assert state.list_hell(0) == ("gutter_rat",)
    assert choices(state, 0) == [ChoosePlace(place) for place in ("B1", "B2", "B3")]
    events, state = calmly(state, 0, ChoosePlace("B3"))
    assert [event.seat for event in of(events, CreatureRevived)] == [0]
    assert (state.card_at("B3/0"), state.list_hell(0)) == ("gutter_rat", ())


@pytest.mark.card("gutter_rat")
def test_a_gutter_rat_that_is_discarded_is_revived_and_not_without_a_free_place() -> None:
    board = {"B1": "clay_guard", "B2": "thornback", "A1": "moss_tick", "A2": "knife_goblin"}
    for mine, hell in ((board, ()), ({**board, "B3": "iron_boar", "A3": "ember_fox"}, ("gutter_rat",))):
        state = table({}, mine, dice=(5,), hands=(("tithe_collector",), ("gutter_rat", "volley", "recoil", "pitfall")))
        _, state = calmly(state, 0, Summon("tithe_collector", "B1", (5,)))
        _, state = picked(state, "gutter_rat")
        assert state.list_hell(1) == hell
        assert (state.card_at("B3/1") == "gutter_rat") == (hell == ())


# ---- cost 2 ----------------------------------------------------------------------------------------------------------


@pytest.mark.card("scrap_crow")
def test_a_scrap_crow_destroys_an_enemy_crush_card_by_chance() -> None:
    _, state = played("scrap_crow", theirs={"C1": "volley", "C3": "sky_bolt"})
    _, state = picked(state, "C3/1:1")
    assert state.list_hell(1) == ("sky_bolt",)
    assert state.card_at("C1/1:1") == "volley"


@pytest.mark.card("scrap_crow")
def test_a_scrap_crow_does_not_destroy_an_own_crush_card_nor_a_creature() -> None:
    events, state = played("scrap_crow", {"C1": "volley"}, {"B1": "clay_guard"})
    assert of(events, EffectSkipped) == [EffectSkipped("scrap_crow", "nothing_fits")]
    assert not of(events, CardsDestroyed)
    assert state.card_at("C1/0:0") == "volley"


SEARCHED = (("hex_toad", "volley", "storm_gull", "tar_golem", "sky_bolt"), ("chimera",))


@pytest.mark.card("cave_scout")
def test_a_cave_scout_finds_a_crush_card() -> None:
    _, state = played("cave_scout", decks=SEARCHED)
    _, state = calmly(state, 0, ChooseCards(("sky_bolt",)))
    assert state.cards_in_hand(0) == ("sky_bolt",)


@pytest.mark.card("cave_scout")
def test_a_cave_scout_does_not_find_a_creature_nor_two_cards() -> None:
    _, state = played("cave_scout", decks=SEARCHED)
    assert {move.cards for move in choices(state, 0)} == {(), ("volley",), ("sky_bolt",)}
    assert refused(state, 0, ChooseCards(("hex_toad",))) == "not_looked_for"
    assert refused(state, 0, ChooseCards(("volley", "sky_bolt"))) == "so_many_cards"


@pytest.mark.card("bog_leech")
def test_a_bog_leech_that_attacks_an_enemy_is_healed_before_the_damage() -> None:
    events, state = attacks("bog_leech", "knife_goblin", theirs={"B1": "knife_goblin"}, damage={"bog_leech": 2})
    assert of(events, CreaturesHealed) == [CreaturesHealed({"bog_leech": 2}, "bog_leech")]
    assert state.list_hell(0) == ("bog_leech",)  # the goblin strikes back with three
    events, state = attacks("bog_leech", "clay_guard", theirs={"B1": "clay_guard"}, damage={"bog_leech": 1})
    assert state.damage == {"clay_guard": 2}


@pytest.mark.card("bog_leech")
def test_a_bog_leech_is_not_healed_when_it_attacks_directly_or_is_attacked() -> None:
    events, state = attacks("bog_leech", damage={"bog_leech": 2})
    assert not of(events, CreaturesHealed)
    assert state.damage == {"bog_leech": 2}
    state = table({"A1": "bog_leech"}, {"B1": "hex_toad"}, turn=1, dice=(3,), damage={"bog_leech": 1})
    _, state = calmly(state, 1, Attack("hex_toad", (3,), "bog_leech"))
    assert state.damage == {"bog_leech": 2}


@pytest.mark.card("dusk_bat")
def test_a_dusk_bat_that_attacks_directly_draws_a_card() -> None:
    events, state = attacks("dusk_bat")
    assert [event.seat for event in of(events, CardDrawn)] == [0]
    assert len(state.list_hell(1)) == 1


@pytest.mark.card("dusk_bat")
def test_a_dusk_bat_draws_nothing_when_it_attacks_a_creature_or_its_attack_is_cancelled() -> None:
    events, _ = attacks("dusk_bat", "clay_guard", theirs={"B1": "clay_guard"})
    assert not of(events, CardDrawn)
    state = table({"A1": "dusk_bat"}, {"C1": "raised_drawbridge"}, dice=(2,))
    events, state = calmly(then(state, 0, Attack("dusk_bat", (2,))), 1, Flip("C1", "raised_drawbridge"))
    assert not of(events, CardDrawn)
    assert state.cards_in_hand(0) == ("dusk_bat",)


# ---- cost 3 ----------------------------------------------------------------------------------------------------------


@pytest.mark.card("hex_toad")
def test_a_hex_toad_deals_two_damage_to_an_enemy_of_its_players_choice() -> None:
    _, state = played("hex_toad", theirs={"B1": "dune_strider", "A2": "ember_fox"})
    events, state = calmly(state, 0, ChooseCard("ember_fox"))
    assert damage(events) == {"ember_fox": 2}
    assert state.list_hell(1) == ("ember_fox",)


@pytest.mark.card("hex_toad")
def test_a_hex_toad_does_not_harm_an_ally() -> None:
    _, state = played("hex_toad", {"B1": "clay_guard"}, {"B1": "dune_strider", "A2": "ember_fox"})
    assert refused(state, 0, ChooseCard("clay_guard")) == "on_the_wrong_side"
    events, _ = played("hex_toad", {"B1": "clay_guard"})
    assert damage(events) == {}


@pytest.mark.card("salve_sprite")
def test_a_salve_sprite_heals_all_damage_of_an_ally() -> None:
    _, state = played("salve_sprite", {"B1": "clay_guard", "A1": "storm_gull"}, damage=WOUNDED)
    events, state = calmly(state, 0, ChooseCard("clay_guard"))
    assert of(events, CreaturesHealed) == [CreaturesHealed({"clay_guard": 3}, "salve_sprite")]
    assert state.damage == {"storm_gull": 2}


@pytest.mark.card("salve_sprite")
def test_a_salve_sprite_does_not_heal_an_enemy() -> None:
    _, state = played("salve_sprite", {"B1": "clay_guard"}, {"B1": "storm_gull"}, damage=WOUNDED)
    assert refused(state, 0, ChooseCard("storm_gull")) == "on_the_wrong_side"
    events, state = played("salve_sprite", {}, {"B1": "storm_gull"}, damage={"storm_gull": 2})
    assert state.damage == {"storm_gull": 2}  # the sprite itself is the only ally, and unhurt
    assert of(events, EffectSkipped) == [EffectSkipped("salve_sprite", "nothing_to_heal")]


@pytest.mark.card("grave_beetle")
def test_a_grave_beetle_that_dies_takes_the_top_card_of_the_opponents_deck_along() -> None:
    _, state = died("grave_beetle", decks=(("hex_toad",), ("volley", "sky_bolt")))
    assert state.list_hell(1) == ("volley",)
    assert state.cards_at(DECKS[1]) == ("sky_bolt",)
    assert state.cards_at(DECKS[0]) == ("hex_toad",)


@pytest.mark.card("grave_beetle")
def test_a_grave_beetle_takes_nothing_of_an_empty_deck_nor_of_the_hand() -> None:
    _, state = died("grave_beetle", decks=(("hex_toad",), ()), hands=((), ("volley",)))
    assert (state.list_hell(1), state.cards_in_hand(1)) == ((), ("volley",))


@pytest.mark.card("horn_blower")
def test_a_horn_blower_gives_adjacent_allies_one_attack() -> None:
    events, _ = attacks("ember_fox", "frost_lout", {"B1": "horn_blower"}, {"B1": "frost_lout"})
    assert damage(events) == {"frost_lout": 3}
    state = table({"B2": "horn_blower", "B1": "clay_guard", "B3": "tar_golem", "A2": "thornback"})
    assert [state.attack_points(card) for card in ("clay_guard", "tar_golem", "thornback")] == [2, 3, 2]


@pytest.mark.card("horn_blower")
def test_a_horn_blower_gives_nothing_to_itself_the_diagonal_enemies_or_once_it_is_gone() -> None:
    state = table({"B2": "horn_blower", "A1": "clay_guard", "A3": "thornback"}, {"A2": "ember_fox"})
    assert [state.attack_points(card) for card in ("horn_blower", "clay_guard", "thornback", "ember_fox")] == [
        1,
        1,
        1,
        2,
    ]
    events, _ = attacks("ember_fox", "frost_lout", {"B2": "horn_blower"}, {"B1": "frost_lout"})
    assert damage(events) == {"frost_lout": 2}
    _, state = died("horn_blower", {"B1": "clay_guard"})
    assert state.attack_points("clay_guard") == 1


@pytest.mark.card("mirror_newt")
def test_a_mirror_newt_that_comes_from_the_deck_into_hell_hurts_an_enemy_by_chance() -> None:
    _, state = raided("mirror_newt", theirs={"B1": "dune_strider"})
    events, state = picked(state, "dune_strider")
    assert damage(events) == {"dune_strider": 3}


@pytest.mark.card("mirror_newt")
def test_a_mirror_newt_never_hurts_an_ally_and_may_hit_the_raider_itself() -> None:
    events, state = raided("mirror_newt", {"B1": "clay_guard"})
    assert damage(events) == {"spark_imp": 3}  # the only enemy
    assert state.list_hell(1) == ("spark_imp",)
