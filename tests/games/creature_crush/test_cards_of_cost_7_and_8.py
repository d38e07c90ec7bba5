"""The creatures of cost 7 and 8 that do something of their own: when it happens, and when it must not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards
from referee.games.creature_crush.components import DECKS
from referee.games.creature_crush.events.cards import CardsReturned, ControlTaken
from referee.games.creature_crush.events.decks import CardDrawn
from referee.games.creature_crush.events.field import EffectSkipped
from referee.games.creature_crush.moves import Attack, ChoosePlace, Flip
from tests.games.course import of, refused
from tests.games.creature_crush.card_moves import attacked, attacks, calmly, damage, died, paid, played, raided
from tests.games.creature_crush.table import rolled, table
from tests.games.creature_crush.wording import choices

ENEMIES = {"B1": "dune_strider", "A2": "tar_golem", "B3": "clay_guard"}
DECK = ("volley", "sky_bolt", "recoil")


# ---- cost 7 ----------------------------------------------------------------------------------------------------------


@pytest.mark.card("plague_doctor")
def test_a_plague_doctor_deals_one_damage_to_every_enemy() -> None:
    events, _ = played("plague_doctor", theirs=ENEMIES)
    assert damage(events) == {"dune_strider": 1, "tar_golem": 1, "clay_guard": 1}


@pytest.mark.card("plague_doctor")
def test_a_plague_doctor_hurts_no_ally_and_not_himself() -> None:
    events, state = played("plague_doctor", {"A1": "spark_imp"})
    assert damage(events) == {}
    assert state.card_at("A1/0") == "spark_imp"


@pytest.mark.card("ramming_ox")
def test_a_ramming_ox_that_kills_by_attacking_destroys_the_top_card_of_the_deck() -> None:
    _, state = attacks("ramming_ox", "clay_guard", theirs={"B1": "clay_guard"}, decks=(("chimera",), DECK))
    assert state.list_hell(1) == ("clay_guard", "volley")


@pytest.mark.card("ramming_ox")
def test_a_ramming_ox_destroys_no_card_if_the_enemy_lives_or_it_dies_of_it_or_strikes_directly() -> None:
    _, state = attacks("ramming_ox", "tar_golem", theirs={"B1": "tar_golem"}, decks=(("chimera",), DECK))
    assert state.list_hell(1) == ()
    _, state = attacks("ramming_ox", "knife_goblin", theirs={"B1": "knife_goblin"}, damage={"ramming_ox": 1},
                       decks=(("chimera",), DECK))  # fmt: skip
    assert (state.list_hell(0), state.list_hell(1)) == (("ramming_ox",), ("knife_goblin",))
    _, state = attacks("ramming_ox", decks=(("chimera",), DECK))
    assert state.list_hell(1) == DECK[:1]


@pytest.mark.card("night_broker")
def test_a_night_broker_draws_two_cards_for_a_hand_of_three() -> None:
    events, state = played("night_broker", hands=(DECK, ()))
    assert len(of(events, CardDrawn)) == 2
    assert len(state.cards_in_hand(0)) == 5


@pytest.mark.card("night_broker")
def test_a_night_broker_draws_nothing_for_a_hand_of_four() -> None:
    events, _ = played("night_broker", hands=((*DECK, "pitfall"), ()))
    assert not of(events, CardDrawn)
    assert of(events, EffectSkipped) == [EffectSkipped("night_broker", "condition")]


@pytest.mark.card("gate_warden")
def test_a_gate_warden_makes_the_own_a_creatures_vengeful() -> None:
    events, _ = attacked("clay_guard", "ember_fox", {"B3": "gate_warden"})
    assert damage(events) == {"clay_guard": 2, "ember_fox": 1}
    events, _ = attacked("gate_warden", "ember_fox")  # herself, too
    assert damage(events) == {"gate_warden": 2, "ember_fox": 2}


@pytest.mark.card("gate_warden")
def test_a_gate_warden_does_not_make_b_creatures_or_enemies_vengeful() -> None:
    state = table({"B1": "clay_guard", "A3": "gate_warden"}, {"B1": "ember_fox"}, turn=1, dice=(3,))
    events, _ = calmly(state, 1, Attack("ember_fox", (3,), "clay_guard"))
    assert damage(events) == {"clay_guard": 2}
    events, _ = attacks("ember_fox", "clay_guard", {"A3": "gate_warden"}, {"A1": "clay_guard"}, at="B1")
    assert damage(events) == {"clay_guard": 2}


# ---- cost 8 ----------------------------------------------------------------------------------------------------------


@pytest.mark.card("copper_drake")
def test_a_copper_drake_deals_two_damage_to_each_of_two_enemies() -> None:
    _, state = played("copper_drake", theirs=ENEMIES)
    events, _ = calmly(state, 0, ChooseCards(("tar_golem", "clay_guard")))
    assert damage(events) == {"tar_golem": 2, "clay_guard": 2}


@pytest.mark.card("copper_drake")
def test_a_copper_drake_hurts_no_third_enemy_no_ally_and_nobody_if_its_player_likes() -> None:
    _, state = played("copper_drake", {"A1": "spark_imp"}, ENEMIES)
    assert refused(state, 0, ChooseCards(tuple(ENEMIES.values())))[0] == "so_many_cards"
    assert refused(state, 0, ChooseCards(("spark_imp",)))[0] == "on_the_wrong_side"
    assert damage(calmly(state, 0, ChooseCards(()))[0]) == {}


@pytest.mark.card("siege_tortoise")
def test_a_siege_tortoise_takes_one_damage_less_from_attacks() -> None:
    events, _ = attacked("siege_tortoise", "ember_fox")
    assert damage(events) == {"siege_tortoise": 1}


@pytest.mark.card("siege_tortoise")
def test_a_siege_tortoise_takes_nothing_less_from_effects_or_block_damage_and_saves_no_ally() -> None:
    state = table({"A1": "siege_tortoise", "B1": "clay_guard"}, {"C1": "volley"}, turn=1)
    events, _ = calmly(state, 1, Flip("C1", "volley"))
    assert damage(events) == {"siege_tortoise": 3, "clay_guard": 3}
    events, _ = attacks("siege_tortoise", "thornback", theirs={"B1": "thornback"})
    assert damage(events) == {"thornback": 3, "siege_tortoise": 1}
    events, _ = attacked("clay_guard", "ember_fox", {"B1": "siege_tortoise"})
    assert damage(events) == {"clay_guard": 2}


@pytest.mark.card("puppeteer")
def test_a_puppeteer_takes_control_of_an_enemy_whose_cost_she_rolls() -> None:
    _, state = played("puppeteer", theirs=ENEMIES)
    _, state = rolled(state, 5)
    events, state = calmly(state, 0, ChoosePlace("B1"))
    assert [event.card for event in of(events, ControlTaken)] == ["tar_golem"]
    assert state.possessor_of("tar_golem") == 0


@pytest.mark.card("puppeteer")
def test_a_puppeteer_takes_nobody_of_another_cost_and_nobody_without_a_place() -> None:
    _, state = played("puppeteer", theirs=ENEMIES)
    events, _ = rolled(state, 6)
    assert not of(events, ControlTaken)
    full = {"B1": "iron_boar", "B3": "storm_gull", "A1": "ember_fox", "A2": "moss_tick", "A3": "thornback"}
    _, state = played("puppeteer", full, ENEMIES)
    events, state = rolled(state, 5)
    assert of(events, EffectSkipped) == [EffectSkipped("puppeteer", "no_free_place")]
    assert state.possessor_of("tar_golem") == 1


@pytest.mark.card("wailing_widow")
def test_a_wailing_widow_that_dies_sends_an_enemy_back() -> None:
    _, state = died("wailing_widow", theirs={"B2": "clay_guard"}, damage={"wailing_widow": 1})
    assert choices(state, 0) == [ChooseCard("rust_colossus"), ChooseCard("clay_guard")]
    _, state = calmly(state, 0, ChooseCard("rust_colossus"))
    assert state.cards_in_hand(1) == ("rust_colossus",)


@pytest.mark.card("wailing_widow")
def test_a_wailing_widow_does_not_send_an_ally_back_and_nobody_where_no_enemy_is_left() -> None:
    _, state = died("wailing_widow", {"B3": "ember_fox"}, {"B2": "clay_guard"})
    assert refused(state, 0, ChooseCard("ember_fox"))[0] == "on_the_wrong_side"
    state = table({"A1": "wailing_widow"}, {"C1": "worldfire"}, turn=1)
    events, _ = calmly(state, 1, Flip("C1", "worldfire"))
    assert not of(events, CardsReturned)


@pytest.mark.card("crypt_keeper")
def test_a_crypt_keeper_that_comes_from_the_deck_into_hell_is_revived() -> None:
    _, state = raided("crypt_keeper", {"B1": "clay_guard", "B2": "iron_boar"})
    _, state = calmly(state, 0, ChoosePlace("A2"))
    assert (state.card_at("A2/0"), state.list_hell(0)) == ("crypt_keeper", ())


@pytest.mark.card("grim_archer")
def test_a_grim_archer_attacks_any_enemy() -> None:
    state = table({"B1": "grim_archer"}, ENEMIES, dice=paid("grim_archer"))
    aimed = {move.target for move in choices(state, 0) if isinstance(move, Attack)}
    assert aimed == set(ENEMIES.values())
    events, _ = calmly(state, 0, Attack("grim_archer", paid("grim_archer"), "clay_guard"))
    assert damage(events) == {"clay_guard": 4}


@pytest.mark.card("grim_archer")
def test_a_grim_archer_does_not_attack_directly_past_an_enemy_nor_from_the_b_zone() -> None:
    dice = paid("grim_archer")
    state = table({"A1": "grim_archer"}, ENEMIES, dice=dice)
    assert refused(state, 0, Attack("grim_archer", dice)) == ("enemy_in_the_way", "CC-ATTACK-3")
    state = table({"B2": "grim_archer"}, {"B1": "clay_guard"}, dice=dice)
    assert refused(state, 0, Attack("grim_archer", dice)) == ("b_attacks_no_player", "CC-ATTACK-4")
    assert state.cards_at(DECKS[1])
