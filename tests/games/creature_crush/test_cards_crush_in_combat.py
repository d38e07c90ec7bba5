"""The crush cards that are flipped in the own combat phase: what each does, and when it must not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards
from referee.games.creature_crush.components import DECKS, FACES
from referee.games.creature_crush.events.cards import CardsRecycled, CardsReturned, ControlTaken, CreatureRevived
from referee.games.creature_crush.events.decks import CardDrawn
from referee.games.creature_crush.events.field import EffectSkipped
from referee.games.creature_crush.moves import Attack, ChoosePlace, EndCombat, EndTurn, Flip
from referee.games.creature_crush.state import Table
from tests.games.course import of, refused, then
from tests.games.creature_crush.card_moves import Facts, calmly, damage
from tests.games.creature_crush.table import rolled, shuffled, table
from tests.games.creature_crush.wording import at_rest, choices

FREE = [card for card, printed in FACES.items() if not printed.is_creature and printed.flips_when is None]
MINE = {"B1": "clay_guard", "A1": "ember_fox"}
ENEMIES = {"B1": "dune_strider", "A2": "tar_golem", "B3": "clay_guard"}
DECK = ("pitfall", "recoil", "broken_seal", "second_wind", "hex_toad")


def flipped(card: str, mine: dict[str, str] | None = None, theirs: dict[str, str] | None = None, *, x: int = 0,
            **how: object) -> tuple[Facts, Table]:  # fmt: skip
    """Seat 0 flips this card in the own combat phase; `x` dice were burned for it."""
    burned = {"C1/0:0": x} if FACES[card].cost == -1 else {}
    return calmly(table({"C1": card, **(mine or {})}, theirs, paid=burned, **how), 0, Flip("C1", card))


@pytest.mark.parametrize("card", FREE)
@pytest.mark.clause("CC-CRUSH-FLIP-2", "CC-CRUSH-3")
def test_a_card_without_a_prerequisite_goes_to_hell_once_it_has_taken_effect(card: str) -> None:
    _, state = flipped(card, {}, {}, decks=(DECK, ("siren", "reaper", "phoenix")))
    assert card in state.list_hell(0)
    assert state.card_at("C1/0:0") == ""


@pytest.mark.parametrize("card", FREE)
@pytest.mark.clause("CC-CRUSH-FLIP-2")
def test_a_card_without_a_prerequisite_is_not_flipped_in_the_turn_of_the_opponent_nor_in_the_tactic_phase(
    card: str,
) -> None:
    state = table({"B1": "chimera", "C1": card, "C2": "recoil"}, {"B1": "siren"}, turn=1, dice=(6, 6, 1))
    asking = then(state, 1, Attack("siren", (6, 6, 1), "chimera"))
    assert refused(asking, 0, Flip("C1", card)) == ("only_in_own_combat", "CC-CRUSH-FLIP-2")
    state = then(table({"B1": "chimera", "C1": card}, {"B1": "siren"}), 0, EndCombat())
    assert refused(state, 0, Flip("C1", card))[0] == "only_in_own_combat"


# ---- damage and destroying -------------------------------------------------------------------------------------------


@pytest.mark.card("sky_bolt")
def test_a_sky_bolt_deals_five_damage_to_an_enemy_and_never_to_an_ally() -> None:
    _, state = flipped("sky_bolt", {"A1": "ember_fox"}, ENEMIES)
    assert refused(state, 0, ChooseCard("ember_fox"))[0] == "on_the_wrong_side"
    events, state = calmly(state, 0, ChooseCard("dune_strider"))
    assert damage(events) == {"dune_strider": 5}
    assert state.list_hell(1) == ("dune_strider",)


@pytest.mark.card("volley")
def test_a_volley_deals_three_damage_to_every_enemy_and_none_to_allies() -> None:
    events, _ = flipped("volley", {"A1": "ember_fox"}, ENEMIES)
    assert damage(events) == {"dune_strider": 3, "tar_golem": 3, "clay_guard": 3}


@pytest.mark.card("worldfire")
def test_worldfire_destroys_every_enemy_and_no_ally_and_no_crush_card() -> None:
    _, state = flipped("worldfire", {"A1": "ember_fox"}, {**ENEMIES, "C1": "recoil"})
    assert set(state.list_hell(1)) == set(ENEMIES.values())
    assert (state.card_at("A1/0"), state.card_at("C1/1:1")) == ("ember_fox", "recoil")


@pytest.mark.card("chain_lightning")
def test_chain_lightning_hits_as_many_enemies_as_dice_were_burned() -> None:
    _, state = flipped("chain_lightning", theirs=ENEMIES, x=2)
    events, _ = calmly(state, 0, ChooseCards(("dune_strider", "tar_golem")))
    assert damage(events) == {"dune_strider": 3, "tar_golem": 3}


@pytest.mark.card("chain_lightning")
def test_chain_lightning_does_not_hit_more_than_x_nor_anybody_for_nothing() -> None:
    _, state = flipped("chain_lightning", {"A1": "ember_fox"}, ENEMIES, x=2)
    assert refused(state, 0, ChooseCards(("ember_fox",)))[0] == "on_the_wrong_side"
    assert refused(state, 0, ChooseCards(tuple(ENEMIES.values())))[0] == "so_many_cards"
    events, _ = flipped("chain_lightning", theirs=ENEMIES, x=0)
    assert damage(events) == {}


@pytest.mark.card("dam_break")
@pytest.mark.parametrize(("x", "gone"), [(0, 1), (1, 2), (3, 4)])
def test_a_dam_break_destroys_one_card_of_the_deck_more_than_dice_were_burned(x: int, gone: int) -> None:
    _, state = flipped("dam_break", x=x, decks=(("chimera",), DECK))
    assert state.list_hell(1) == DECK[:gone]


@pytest.mark.card("dam_break")
def test_a_dam_break_never_goes_on_to_the_hand_nor_to_the_own_deck() -> None:
    _, state = flipped("dam_break", {"B1": "siren"}, x=4, decks=(("chimera",), DECK[:2]), hands=((), ("volley",)))
    assert (state.list_hell(1), state.cards_in_hand(1)) == (DECK[:2], ("volley",))
    assert state.cards_at(DECKS[0]) == ("chimera",)


# ---- cards and dice --------------------------------------------------------------------------------------------------


@pytest.mark.card("war_council")
def test_a_war_council_draws_three_cards_and_with_seven_in_the_hand_hurts_any_creature() -> None:
    hand = ("pitfall", "recoil", "broken_seal", "second_wind")
    decks = (("siren", "reaper", "phoenix", "chimera", "lava_crab"), ("leviathan",))
    _, state = flipped("war_council", MINE, {"B1": "dune_strider"}, hands=(hand, ()), decks=decks)
    assert len(state.cards_in_hand(0)) == 7
    assert {move.card for move in choices(state, 0)} == {"clay_guard", "ember_fox", "dune_strider"}
    events, _ = calmly(state, 0, ChooseCard("clay_guard"))
    assert damage(events) == {"clay_guard": 3}


@pytest.mark.card("war_council")
def test_a_war_council_hurts_nobody_with_six_cards_in_the_hand() -> None:
    events, state = flipped("war_council", MINE, {"B1": "frost_lout"}, hands=(("pitfall", "recoil", "volley"), ()))
    assert len(state.cards_in_hand(0)) == 6
    assert of(events, EffectSkipped) == [EffectSkipped("war_council", "condition")]
    assert damage(events) == {}
    assert at_rest(state)


@pytest.mark.card("lucky_streak")
def test_a_lucky_streak_gives_two_start_dice_and_a_card_and_nothing_to_the_opponent() -> None:
    events, state = flipped("lucky_streak", dice=(4,))
    assert (state.extra, state.dice) == ((2, 0), (4,))
    assert [event.seat for event in of(events, CardDrawn)] == [0]


@pytest.mark.card("healing_spring")
def test_a_healing_spring_heals_all_allies_and_shuffles_a_card_of_hell_into_the_deck() -> None:
    hurt = {"clay_guard": 3, "ember_fox": 1, "dune_strider": 2}
    _, state = flipped("healing_spring", MINE, {"B1": "dune_strider"}, damage=hurt, hells=(("volley", "recoil"), ()))
    assert state.damage == {"dune_strider": 2}
    assert choices(state, 0) == [ChooseCard("volley"), ChooseCard("recoil")]
    _, state = shuffled(calmly(state, 0, ChooseCard("recoil"))[1], DECKS[0])
    assert "recoil" in state.cards_at(DECKS[0])
    assert state.list_hell(0) == ("volley", "healing_spring")


@pytest.mark.card("healing_spring")
def test_a_healing_spring_does_not_bring_itself_back_nor_heal_enemies() -> None:
    events, state = flipped("healing_spring", {}, {"B1": "dune_strider"}, damage={"dune_strider": 2})
    assert state.damage == {"dune_strider": 2}
    assert not of(events, CardsRecycled)
    assert state.list_hell(0) == ("healing_spring",)


# ---- coming and going ------------------------------------------------------------------------------------------------


@pytest.mark.card("grave_robbery")
def test_a_grave_robbery_revives_a_creature_of_cost_nine_and_none_of_cost_ten() -> None:
    hell = ("obsidian_guard", "gorge_worm", "volley", "hex_toad")
    _, state = flipped("grave_robbery", hells=(hell, ("ember_fox",)))
    assert choices(state, 0) == [ChooseCard("obsidian_guard"), ChooseCard("hex_toad")]
    _, state = calmly(state, 0, ChooseCard("obsidian_guard"))
    events, state = calmly(state, 0, ChoosePlace("B2"))
    assert len(of(events, CreatureRevived)) == 1
    assert state.card_at("B2/0") == "obsidian_guard"


@pytest.mark.card("banishing_gale")
def test_a_banishing_gale_sends_two_enemies_back_and_draws_a_card() -> None:
    _, state = flipped("banishing_gale", {"B1": "moss_tick"}, ENEMIES)
    events, state = calmly(state, 0, ChooseCards(("dune_strider", "tar_golem")))
    assert state.cards_in_hand(1) == ("dune_strider", "tar_golem")
    assert len(of(events, CardDrawn)) == 1


@pytest.mark.card("banishing_gale")
def test_a_banishing_gale_sends_no_third_and_no_ally_back_and_nobody_if_its_player_likes() -> None:
    _, state = flipped("banishing_gale", {"A1": "ember_fox"}, ENEMIES)
    assert refused(state, 0, ChooseCards(tuple(ENEMIES.values())))[0] == "so_many_cards"
    assert refused(state, 0, ChooseCards(("ember_fox",)))[0] == "on_the_wrong_side"
    events, _ = calmly(state, 0, ChooseCards(()))
    assert not of(events, CardsReturned)
    assert len(of(events, CardDrawn)) == 1


@pytest.mark.card("overthrow")
def test_an_overthrow_takes_control_of_an_enemy_that_three_dice_find_and_of_no_other() -> None:
    _, state = flipped("overthrow", {"B1": "ember_fox"}, ENEMIES)
    _, state = rolled(state, 1, 1, 3)  # 1, 2, 3, 4, 5
    assert refused(state, 0, ChooseCard("ember_fox"))[0] == "on_the_wrong_side"
    assert refused(state, 0, ChooseCard("dune_strider"))[0] == "cost_not_rolled"
    _, state = calmly(state, 0, ChooseCard("clay_guard"))
    events, state = calmly(state, 0, ChoosePlace("B3"))
    assert len(of(events, ControlTaken)) == 1
    assert state.possessor_of("clay_guard") == 0


@pytest.mark.card("war_drums")
def test_war_drums_strengthen_all_allies_in_this_turn_and_give_one_of_them_another_action() -> None:
    _, state = flipped("war_drums", MINE, {"B1": "frost_lout"}, dice=(3, 3))
    _, state = calmly(state, 0, ChooseCard("ember_fox"))
    for _ in range(2):
        events, state = calmly(state, 0, Attack("ember_fox", (3,), "frost_lout"))
    assert state.list_hell(1) == ("frost_lout",)  # four and four, of seven life
    assert damage(events) == {"frost_lout": 4}


@pytest.mark.card("war_drums")
def test_war_drums_give_nothing_to_enemies_nor_beyond_the_turn() -> None:
    _, state = flipped("war_drums", MINE, {"B1": "frost_lout"}, dice=(3, 3))
    assert refused(state, 0, ChooseCard("frost_lout"))[0] == "on_the_wrong_side"
    _, state = calmly(state, 0, ChooseCard("clay_guard"))
    assert state.attack_points("frost_lout") == 4
    _, state = calmly(state, 0, Attack("ember_fox", (3,), "frost_lout"))
    assert refused(state, 0, Attack("ember_fox", (3,), "frost_lout"))[0] == "no_action_left"
    _, state = calmly(then(state, 0, EndCombat()), 0, EndTurn())
    assert (state.attack_points("ember_fox"), state.attack_points("clay_guard")) == (2, 1)
