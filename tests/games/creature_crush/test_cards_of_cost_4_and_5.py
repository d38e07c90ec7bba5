"""The creatures of cost 4 and 5 that do something of their own: when it happens, and when it must not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards
from referee.games.creature_crush.events.cards import CardsDestroyed, CardsReturned, CreatureMoved
from referee.games.creature_crush.events.course import StartDiceGained, StartDiceRolled
from referee.games.creature_crush.events.decks import CardDrawn
from referee.games.creature_crush.events.field import EffectSkipped
from referee.games.creature_crush.moves import ChoosePlace, EndCombat, EndTurn, Flip
from tests.games.course import of, refused, then
from tests.games.creature_crush.card_moves import attacked, attacks, calmly, damage, died, played
from tests.games.creature_crush.table import offered, picked, rolled, table
from tests.games.creature_crush.wording import at_rest, choices

# ---- cost 4 ----------------------------------------------------------------------------------------------------------


@pytest.mark.card("iron_boar")
def test_an_iron_boar_in_the_a_zone_hits_for_one_more() -> None:
    events, _ = attacks("iron_boar", "tar_golem", theirs={"B1": "tar_golem"}, at="A1")
    assert damage(events)["tar_golem"] == 4


@pytest.mark.card("iron_boar")
def test_an_iron_boar_in_the_b_zone_has_no_more_than_is_printed() -> None:
    events, _ = attacks("iron_boar", "tar_golem", theirs={"B1": "tar_golem"}, at="B1")
    assert damage(events)["tar_golem"] == 3
    assert table({"A1": "ember_fox", "A2": "iron_boar"}).attack_points("ember_fox") == 2  # and gives its allies nothing


@pytest.mark.card("trench_digger")
def test_a_trench_digger_moves_an_enemy_to_a_free_place_of_its_player_choice() -> None:
    _, state = played("trench_digger", theirs={"B1": "dune_strider", "A2": "ember_fox"})
    _, state = calmly(state, 0, ChooseCard("ember_fox"))
    assert [move.place for move in choices(state, 0)] == ["A1", "A3", "B2", "B3"]
    events, state = calmly(state, 0, ChoosePlace("B3"))
    assert len(of(events, CreatureMoved)) == 1
    assert state.places_by_creature["ember_fox"] == "B3/1"


@pytest.mark.card("trench_digger")
def test_a_trench_digger_does_not_move_an_ally_nor_to_a_place_that_is_taken() -> None:
    _, state = played("trench_digger", {"A1": "clay_guard"}, {"B1": "dune_strider", "A2": "ember_fox"})
    assert refused(state, 0, ChooseCard("clay_guard"))[0] == "on_the_wrong_side"
    _, state = calmly(state, 0, ChooseCard("ember_fox"))
    assert refused(state, 0, ChoosePlace("B1"))[0] == "place_is_taken"


@pytest.mark.card("web_weaver")
def test_a_web_weaver_sends_an_enemy_of_cost_six_back() -> None:
    _, state = played("web_weaver", theirs={"B1": "twin_stag", "A2": "dune_strider", "B3": "ember_fox"})
    _, state = calmly(state, 0, ChooseCard("twin_stag"))
    assert state.cards_in_hand(1) == ("twin_stag",)


@pytest.mark.card("web_weaver")
def test_a_web_weaver_does_not_send_back_what_costs_seven() -> None:
    _, state = played("web_weaver", theirs={"B1": "twin_stag", "A2": "dune_strider", "B3": "ember_fox"})
    assert refused(state, 0, ChooseCard("dune_strider"))[0] == "costs_too_much"
    events, _ = played("web_weaver", theirs={"A2": "dune_strider"})
    assert not of(events, CardsReturned)


HELL = ("gutter_rat", "hex_toad", "sky_bolt", "thornback", "twin_stag", "dune_strider")


@pytest.mark.card("ash_acolyte")
def test_an_ash_acolyte_revives_a_creature_of_cost_two() -> None:
    _, state = played("ash_acolyte", hells=(HELL, ()))
    _, state = calmly(state, 0, ChooseCard("thornback"))
    assert {move.place for move in choices(state, 0)} == {"B1", "B3", "A2"}
    _, state = calmly(state, 0, ChoosePlace("A2"))
    assert state.card_at("A2/0") == "thornback"


@pytest.mark.card("ash_acolyte")
def test_an_ash_acolyte_does_not_revive_what_costs_three_nor_an_enemy_nor_a_crush_card() -> None:
    _, state = played("ash_acolyte", hells=(HELL, ("pebble_brute",)))
    assert choices(state, 0) == [ChooseCard("gutter_rat"), ChooseCard("thornback")]
    assert refused(state, 0, ChooseCard("hex_toad"))[0] == "costs_too_much"
    assert refused(state, 0, ChooseCard("pebble_brute"))[0] == "not_in_your_hell"
    assert refused(state, 0, ChooseCard("sky_bolt"))[0] == "of_the_wrong_kind"


SEARCHED = (("iron_boar", "volley", "storm_gull", "hex_toad"), ("chimera",))


@pytest.mark.card("wild_piper")
def test_a_wild_piper_finds_a_creature_of_cost_four() -> None:
    _, state = played("wild_piper", decks=SEARCHED)
    _, state = calmly(state, 0, ChooseCards(("iron_boar",)))
    assert state.cards_in_hand(0) == ("iron_boar",)


@pytest.mark.card("wild_piper")
def test_a_wild_piper_does_not_find_what_costs_five_nor_a_crush_card() -> None:
    _, state = played("wild_piper", decks=SEARCHED)
    assert {move.cards for move in choices(state, 0)} == {(), ("iron_boar",), ("hex_toad",)}
    assert refused(state, 0, ChooseCards(("storm_gull",)))[0] == "not_looked_for"


@pytest.mark.card("stone_owl")
def test_a_stone_owl_that_is_attacked_draws_a_card_for_its_possessor() -> None:
    events, state = attacked("stone_owl", "clay_guard")
    assert [event.seat for event in of(events, CardDrawn)] == [0]
    events, state = attacked("stone_owl", "rust_colossus")  # and before it dies of it
    assert (len(state.cards_in_hand(0)), state.list_hell(0)) == (1, ("stone_owl",))


@pytest.mark.card("stone_owl")
def test_a_stone_owl_draws_nothing_when_it_attacks_or_an_ally_is_attacked() -> None:
    events, _ = attacks("stone_owl", "clay_guard", theirs={"B1": "clay_guard"})
    assert not of(events, CardDrawn)
    events, _ = attacked("clay_guard", "ember_fox", {"B2": "stone_owl"})
    assert not of(events, CardDrawn)


# ---- cost 5 ----------------------------------------------------------------------------------------------------------


@pytest.mark.card("bell_ringer")
def test_a_bell_ringer_gives_one_start_die_more_in_the_next_turn() -> None:
    events, state = played("bell_ringer")
    assert of(events, StartDiceGained) == [StartDiceGained(0, 1)]
    _, state = calmly(then(state, 0, EndCombat()), 0, EndTurn())
    _, state = rolled(state, 1, 2, 4)
    _, state = calmly(then(state, 1, EndCombat()), 1, EndTurn())
    _, state = rolled(state, 1, 2, 4)
    events, state = rolled(state, 6)
    assert of(events, StartDiceRolled) == [StartDiceRolled(0, (6,), "extra")]
    assert state.dice == (1, 2, 4, 6)


@pytest.mark.card("bell_ringer")
def test_a_bell_ringer_gives_no_die_in_this_turn_nor_to_the_opponent() -> None:
    _, state = played("bell_ringer", spare=(2,))
    assert state.dice == (2,)
    assert state.extra == (1, 0)
    _, state = calmly(then(state, 0, EndCombat()), 0, EndTurn())
    _, state = rolled(state, 1, 2, 4)
    assert state.dice == (1, 2, 4)
    assert EndCombat() in offered(state, 1)


@pytest.mark.card("pit_viper")
def test_a_pit_viper_destroys_an_enemy_of_cost_eight_before_any_damage() -> None:
    events, state = attacks("pit_viper", "obsidian_guard", theirs={"B1": "obsidian_guard"})
    assert state.list_hell(1) == ("obsidian_guard",)
    assert damage(events) == {}  # nobody is left to strike, or to strike back
    assert state.card_at("A1/0") == "pit_viper"
    assert attacks("pit_viper", "puppeteer", theirs={"B1": "puppeteer"})[1].list_hell(1) == (
        "puppeteer",
    )  # costs eight


@pytest.mark.card("pit_viper")
def test_a_pit_viper_does_not_destroy_what_costs_seven_nor_whoever_attacks_it() -> None:
    events, state = attacks("pit_viper", "dune_strider", theirs={"B1": "dune_strider"})
    assert of(events, EffectSkipped) == [EffectSkipped("pit_viper", "condition")]
    assert state.damage == {"dune_strider": 1}
    _, state = attacked("pit_viper", "obsidian_guard")
    assert state.card_at("B1/1") == "obsidian_guard"


HANDS = ((), ("volley", "sky_bolt", "recoil", "pitfall"))


@pytest.mark.card("tithe_collector")
def test_a_tithe_collector_takes_a_card_of_a_hand_of_four_by_chance() -> None:
    _, state = played("tithe_collector", hands=HANDS)
    _, state = picked(state, "recoil")
    assert state.list_hell(1) == ("recoil",)
    assert len(state.cards_in_hand(1)) == 3


@pytest.mark.card("tithe_collector")
def test_a_tithe_collector_takes_nothing_of_a_hand_of_three() -> None:
    events, state = played("tithe_collector", hands=(("worldfire", "overthrow", "pitfall"), HANDS[1][:3]))
    assert of(events, EffectSkipped) == [EffectSkipped("tithe_collector", "condition")]
    assert not of(events, CardsDestroyed)
    assert len(state.cards_in_hand(1)) == 3
    assert at_rest(state)


@pytest.mark.card("shield_bearer")
def test_a_shield_bearer_saves_adjacent_allies_one_damage_of_attacks() -> None:
    events, _ = attacked("clay_guard", "ember_fox", {"B1": "shield_bearer"})
    assert damage(events) == {"clay_guard": 1}
    events, _ = attacked("clay_guard", "thornback", {"B1": "shield_bearer"})
    assert damage(events) == {}


@pytest.mark.card("shield_bearer")
def test_a_shield_bearer_saves_nothing_for_itself_the_diagonal_or_from_effects() -> None:
    events, _ = attacked("shield_bearer", "ember_fox", {"B1": "clay_guard"})
    assert damage(events) == {"shield_bearer": 2}
    events, _ = attacked("clay_guard", "ember_fox", {"B2": "shield_bearer"})
    assert damage(events) == {"clay_guard": 2}
    state = table({"A1": "clay_guard", "B1": "shield_bearer"}, {"C1": "volley"}, turn=1)
    events, _ = calmly(state, 1, Flip("C1", "volley"))
    assert damage(events) == {"clay_guard": 3, "shield_bearer": 3}


@pytest.mark.card("shield_bearer")
def test_a_shield_bearer_does_not_lower_block_damage() -> None:
    events, _ = attacks("clay_guard", "thornback", {"B1": "shield_bearer"}, {"B1": "thornback"})
    assert damage(events) == {"thornback": 1, "clay_guard": 1}


@pytest.mark.card("gallows_crow")
def test_a_gallows_crow_that_dies_hurts_an_enemy_by_chance() -> None:
    _, state = died("gallows_crow", theirs={"B2": "clay_guard"})
    events, state = picked(state, "clay_guard")
    assert damage(events) == {"clay_guard": 2}


@pytest.mark.card("gallows_crow")
def test_a_gallows_crow_never_hurts_an_ally_and_nobody_where_no_enemy_is_left() -> None:
    events, _ = died("gallows_crow", {"B2": "clay_guard"})
    assert damage(events) == {"gallows_crow": 8, "rust_colossus": 2}
    state = table({"A1": "gallows_crow", "B2": "clay_guard"}, {"C1": "worldfire"}, turn=1)
    events, state = calmly(state, 1, Flip("C1", "worldfire"))
    assert of(events, EffectSkipped) == [EffectSkipped("gallows_crow", "nothing_fits")]
    assert state.list_hell(0) == ("gallows_crow", "clay_guard")
