"""The creatures of cost 11 to 18 that do something of their own: when it happens, and when it must not."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import ChooseCard
from referee.games.creature_crush.events.cards import CardsDestroyed, CardsReturned, ControlTaken, CreatureRevived
from referee.games.creature_crush.events.decks import CardDrawn
from referee.games.creature_crush.events.field import EffectSkipped
from referee.games.creature_crush.moves import Attack, ChoosePlace, Flip
from referee.games.creature_crush.state import Table
from tests.games.course import asked, of, refused
from tests.games.creature_crush.card_moves import Facts, attacked, attacks, calmly, damage, played
from tests.games.creature_crush.table import rolled, table
from tests.games.creature_crush.wording import choices

ENEMIES = {"B1": "dune_strider", "A2": "tar_golem", "B3": "clay_guard"}
DECK = ("volley", "sky_bolt", "recoil", "pitfall", "overthrow", "worldfire")
HELL = ("pitfall", "storm_gull", "hex_toad", "twin_stag")


@pytest.mark.card("storm_caller")
def test_a_storm_caller_deals_four_damage_to_an_enemy() -> None:
    _, state = played("storm_caller", theirs=ENEMIES)
    events, _ = calmly(state, 0, ChooseCard("tar_golem"))
    assert damage(events) == {"tar_golem": 4}


@pytest.mark.card("storm_caller")
def test_a_storm_caller_does_not_hurt_an_ally_nor_herself() -> None:
    _, state = played("storm_caller", {"A1": "ember_fox"}, ENEMIES)
    for card in ("ember_fox", "storm_caller"):
        assert refused(state, 0, ChooseCard(card))[0] == "on_the_wrong_side"


def destroyed_by_fire(card: str, **how: Any) -> tuple[Facts, Table]:
    """Seat 1 flips Worldfire, which destroys this creature of seat 0."""
    return calmly(table({"A1": card}, {"C1": "worldfire"}, turn=1, **how), 1, Flip("C1", "worldfire"))


@pytest.mark.card("hollow_king")
def test_a_hollow_king_that_dies_revives_another_creature_of_cost_five() -> None:
    _, state = destroyed_by_fire("hollow_king", hells=(HELL, ()))
    assert choices(state, 0) == [ChooseCard("storm_gull"), ChooseCard("hex_toad")]
    _, state = calmly(state, 0, ChooseCard("storm_gull"))
    events, state = calmly(state, 0, ChoosePlace("B2"))
    assert [event.card for event in of(events, CreatureRevived)] == ["storm_gull"]


@pytest.mark.card("hollow_king")
def test_a_hollow_king_never_revives_himself_nor_what_costs_six() -> None:
    _, state = destroyed_by_fire("hollow_king", hells=(HELL, ("ember_fox",)))
    for card in ("hollow_king", "twin_stag", "ember_fox", "pitfall"):
        refused(state, 0, ChooseCard(card))
    events, state = destroyed_by_fire("hollow_king", hells=(("twin_stag",), ()))
    assert not of(events, CreatureRevived)
    assert state.list_hell(0) == ("twin_stag", "hollow_king")


@pytest.mark.card("dusk_bishop")
def test_a_dusk_bishop_makes_adjacent_allies_lively_and_gives_them_one_attack() -> None:
    _, state = played("knife_goblin", {"B1": "dusk_bishop"}, {"A2": "frost_lout"}, spare=(4,))
    events, _ = calmly(state, 0, Attack("knife_goblin", (4,), "frost_lout"))
    assert damage(events) == {"frost_lout": 4}


@pytest.mark.card("dusk_bishop")
def test_a_dusk_bishop_gives_nothing_to_himself_or_the_diagonal() -> None:
    _, state = played("knife_goblin", {"A1": "dusk_bishop"}, {"A2": "frost_lout"}, spare=(4,))
    assert refused(state, 0, Attack("knife_goblin", (4,), "frost_lout"))[0] == "entered_this_turn"
    assert (state.attack_points("dusk_bishop"), state.attack_points("knife_goblin")) == (5, 3)
    assert not state.has_keyword("dusk_bishop", "lively")


@pytest.mark.card("rime_dragon", "elder_wyrm")
@pytest.mark.parametrize(("dragon", "points"), [("rime_dragon", 2), ("elder_wyrm", 4)])
def test_a_dragon_hurts_every_enemy(dragon: str, points: int) -> None:
    events, _ = played(dragon, theirs=ENEMIES)
    assert damage(events) == {"dune_strider": points, "tar_golem": points, "clay_guard": points}


@pytest.mark.card("rime_dragon", "elder_wyrm")
@pytest.mark.parametrize("dragon", ["rime_dragon", "elder_wyrm"])
def test_a_dragon_hurts_no_ally_and_no_crush_card(dragon: str) -> None:
    events, state = played(dragon, {"A1": "spark_imp"}, {"C1": "volley"})
    assert damage(events) == {}
    assert (state.card_at("A1/0"), state.card_at("C1/1:1")) == ("spark_imp", "volley")


@pytest.mark.card("war_chief")
def test_a_war_chief_gives_adjacent_allies_one_attack() -> None:
    events, _ = attacks("ember_fox", "frost_lout", {"A2": "war_chief"}, {"B1": "frost_lout"})
    assert damage(events) == {"frost_lout": 3}


@pytest.mark.card("war_chief")
def test_a_war_chief_gives_nothing_to_himself_the_diagonal_or_once_he_is_gone() -> None:
    state = table({"A2": "war_chief", "B1": "ember_fox"}, {"B2": "storm_gull"})
    assert [state.attack_points(card) for card in ("war_chief", "ember_fox", "storm_gull")] == [7, 2, 3]
    assert table({"B1": "ember_fox"}, hells=(("war_chief",), ())).attack_points("ember_fox") == 2


@pytest.mark.card("dice_oracle")
def test_a_dice_oracle_gives_two_start_dice_and_a_card() -> None:
    events, state = played("dice_oracle")
    assert state.extra == (2, 0)
    assert len(of(events, CardDrawn)) == 1


@pytest.mark.card("dice_oracle")
def test_a_dice_oracle_gives_nobody_else_dice_and_none_at_once() -> None:
    _, state = played("dice_oracle", spare=(3,), decks=((), ("chimera",)))
    assert (state.dice, state.extra, state.cards_in_hand(0)) == ((3,), (2, 0), ())


@pytest.mark.card("plague_hydra")
def test_a_plague_hydra_that_is_attacked_destroys_the_top_card_of_the_attackers_deck() -> None:
    _, state = attacked("plague_hydra", "ember_fox", decks=(("chimera",), DECK))
    assert (state.list_hell(0), state.list_hell(1)) == ((), DECK[:1])


@pytest.mark.card("plague_hydra")
def test_a_plague_hydra_destroys_no_card_when_it_attacks_or_an_ally_is_attacked() -> None:
    _, state = attacks("plague_hydra", "rust_colossus", theirs={"B1": "rust_colossus"}, decks=(("chimera",), DECK))
    assert state.list_hell(1) == ()
    _, state = attacked("clay_guard", "ember_fox", {"B2": "plague_hydra"}, decks=(("chimera",), DECK))
    assert state.list_hell(1) == ()


@pytest.mark.card("siren")
def test_a_siren_takes_control_of_an_enemy_that_two_dice_find() -> None:
    _, state = played("siren", theirs=ENEMIES)
    _, state = rolled(state, 2, 5)  # 2, 5, 7: the golem and the strider
    assert choices(state, 0) == [ChooseCard("tar_golem"), ChooseCard("dune_strider")]
    _, state = calmly(state, 0, ChooseCard("dune_strider"))
    _, state = calmly(state, 0, ChoosePlace("A2"))
    assert state.possessor_of("dune_strider") == 0


@pytest.mark.card("siren")
def test_a_siren_takes_nobody_that_the_dice_do_not_find() -> None:
    _, state = played("siren", theirs=ENEMIES)
    events, after = rolled(state, 6, 6)
    assert not of(events, ControlTaken)
    assert asked(after) == {0}


@pytest.mark.card("siren")
def test_a_siren_does_not_choose_an_ally() -> None:
    _, state = played("siren", {"A1": "storm_gull"}, ENEMIES)
    _, state = rolled(state, 2, 5)
    assert refused(state, 0, ChooseCard("storm_gull"))[0] == "on_the_wrong_side"


@pytest.mark.card("reaper")
def test_a_reaper_destroys_an_enemy_whatever_its_life() -> None:
    _, state = played("reaper", theirs={"B1": "behemoth", "A2": "ember_fox"})
    assert choices(state, 0) == [ChooseCard("ember_fox"), ChooseCard("behemoth")]
    _, state = calmly(state, 0, ChooseCard("behemoth"))
    assert state.list_hell(1) == ("behemoth",)


@pytest.mark.card("reaper")
def test_a_reaper_destroys_no_ally_and_nobody_where_no_enemy_is() -> None:
    events, state = played("reaper", {"A1": "ember_fox"}, {"C1": "volley"})
    assert not of(events, CardsDestroyed)
    assert state.card_at("A1/0") == "ember_fox"


@pytest.mark.card("phoenix")
def test_a_phoenix_that_dies_comes_to_the_hand() -> None:
    _, state = destroyed_by_fire("phoenix")
    assert (state.cards_in_hand(0), state.list_hell(0)) == (("phoenix",), ())


FIELD = {"B1": "dune_strider", "B2": "behemoth", "C1": "chain_lightning", "C2": "volley", "C3": "sky_bolt"}


@pytest.mark.card("gate_titan")
def test_a_gate_titan_destroys_an_enemy_card_on_the_field_that_two_dice_find() -> None:
    _, state = played("gate_titan", theirs=FIELD, paid={"C1/1:1": 4})
    _, state = rolled(state, 3, 4)  # 3, 4, 7
    assert {move.card for move in choices(state, 0)} == {"dune_strider", "C1/1:1", "C2/1:1"}
    _, state = calmly(state, 0, ChooseCard("C1/1:1"))
    assert state.list_hell(1) == ("chain_lightning",)


@pytest.mark.card("gate_titan")
def test_a_gate_titan_destroys_nothing_that_the_dice_do_not_find_and_no_own_card() -> None:
    _, state = played("gate_titan", {"C1": "overthrow"}, FIELD)
    _, state = rolled(state, 3, 4)
    assert refused(state, 0, ChooseCard("C3/1:1"))[0] == "cost_not_rolled"
    assert refused(state, 0, ChooseCard("C1/1:1"))[0] == "cost_not_rolled"  # nothing was burned for it
    assert refused(state, 0, ChooseCard("C1/0:0"))[0] == "on_the_wrong_side"


@pytest.mark.card("leviathan")
def test_a_leviathan_sends_all_enemies_back() -> None:
    events, state = played("leviathan", theirs=ENEMIES)
    assert len(of(events, CardsReturned)) == 1
    assert set(state.cards_in_hand(1)) == set(ENEMIES.values())


@pytest.mark.card("leviathan")
def test_a_leviathan_sends_no_ally_back_and_no_crush_card() -> None:
    events, state = played("leviathan", {"A1": "ember_fox"}, {"C1": "volley"})
    assert of(events, EffectSkipped) == [EffectSkipped("leviathan", "nothing_fits")]
    assert (state.card_at("A1/0"), state.card_at("C1/1:1")) == ("ember_fox", "volley")


@pytest.mark.card("world_eater")
def test_a_world_eater_destroys_the_top_five_cards_of_the_deck() -> None:
    _, state = played("world_eater", decks=(("chimera",), DECK))
    assert state.list_hell(1) == DECK[:5]


@pytest.mark.card("world_eater")
def test_a_world_eater_never_goes_on_to_the_hand_or_the_field() -> None:
    _, state = played("world_eater", theirs={"B1": "clay_guard"}, decks=(("chimera",), DECK[:2]), hands=((), DECK[2:]))
    assert (state.list_hell(1), state.cards_in_hand(1), state.card_at("B1/1")) == (DECK[:2], DECK[2:], "clay_guard")
