"""The creatures of cost 6 that do something of their own: when it happens, and when it must not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard
from referee.games.creature_crush.components import DECKS
from referee.games.creature_crush.events.course import TargetDiceRolled
from referee.games.creature_crush.events.field import CreaturesHealed, EffectSkipped
from referee.games.creature_crush.moves import Attack, EndCombat, EndTurn, Flip
from tests.games.course import of, refused, settled, then
from tests.games.creature_crush.card_moves import attacks, calmly, damage, played
from tests.games.creature_crush.table import rolled, table, turn_begins
from tests.games.creature_crush.wording import choices

DECK = ("volley", "sky_bolt", "recoil")


@pytest.mark.card("cinder_wolf")
def test_a_cinder_wolf_that_attacks_directly_destroys_two_cards_of_the_deck() -> None:
    _, state = attacks("cinder_wolf", decks=(("chimera",), DECK))
    assert state.list_hell(1) == DECK[:2]
    assert state.cards_at(DECKS[1]) == DECK[2:]


@pytest.mark.card("cinder_wolf")
def test_a_cinder_wolf_destroys_no_card_if_it_attacks_a_creature_or_is_cancelled() -> None:
    _, state = attacks("cinder_wolf", "clay_guard", theirs={"B1": "clay_guard"}, decks=(("chimera",), DECK))
    assert (state.list_hell(1), state.damage) == ((), {"clay_guard": 3})
    given = table({"A1": "cinder_wolf"}, {"C1": "raised_drawbridge"}, dice=(6,), decks=(("chimera",), DECK))
    _, state = calmly(then(given, 0, Attack("cinder_wolf", (6,))), 1, Flip("C1", "raised_drawbridge"))
    assert state.list_hell(1) == ("raised_drawbridge",)


@pytest.mark.card("cinder_wolf")
def test_a_cinder_wolf_takes_the_last_card_of_the_deck_and_never_goes_on_to_the_hand() -> None:
    events, state = attacks("cinder_wolf", decks=(("chimera",), DECK[:1]), hands=((), ("worldfire",)))
    assert (state.list_hell(1), state.cards_in_hand(1)) == (("volley",), ("worldfire",))
    assert of(events, EffectSkipped) == [EffectSkipped("cinder_wolf", "empty_deck")]


ENEMIES = {"B1": "dune_strider", "A2": "hex_toad", "B3": "ember_fox"}


@pytest.mark.card("marsh_hag")
def test_a_marsh_hag_destroys_an_enemy_whose_cost_she_rolls() -> None:
    _, state = played("marsh_hag", theirs=ENEMIES)
    events, state = rolled(state, 3)
    assert of(events, TargetDiceRolled) == [TargetDiceRolled(0, "marsh_hag", (3,))]
    assert choices(state, 0) == [ChooseCard("hex_toad"), ChooseCard("ember_fox")]
    _, state = calmly(state, 0, ChooseCard("ember_fox"))
    assert state.list_hell(1) == ("ember_fox",)


@pytest.mark.card("marsh_hag")
def test_a_marsh_hag_destroys_nobody_of_another_cost_and_no_ally() -> None:
    _, state = played("marsh_hag", {"A1": "spark_imp"}, theirs=ENEMIES)
    assert refused(rolled(state, 3)[1], 0, ChooseCard("dune_strider"))[0] == "cost_not_rolled"
    for pips in (1, 6):  # the imp costs one, the hag herself six
        events, after = rolled(state, pips)
        assert of(events, EffectSkipped) == [EffectSkipped("marsh_hag", "nothing_fits")]
        assert (after.list_hell(0), after.list_hell(1)) == ((), ())


HURT = {"field_cook": 2, "clay_guard": 3, "tar_golem": 1, "ember_fox": 1, "storm_gull": 1}
BOARD = {"B2": "field_cook", "A2": "clay_guard", "B1": "tar_golem", "A1": "ember_fox"}


@pytest.mark.card("field_cook")
def test_a_field_cook_heals_adjacent_allies_and_herself_as_the_own_turn_begins() -> None:
    state = settled(turn_begins(0, mine=BOARD, theirs={"A3": "storm_gull"}, damage=HURT))
    assert state.damage == {"field_cook": 1, "clay_guard": 2, "ember_fox": 1, "storm_gull": 1}


@pytest.mark.card("field_cook")
def test_a_field_cook_heals_nobody_as_the_turn_of_the_opponent_begins_nor_the_unhurt() -> None:
    state = settled(turn_begins(1, mine=BOARD, theirs={"A3": "storm_gull"}, damage=HURT))
    assert state.damage == HURT
    assert settled(turn_begins(0, mine=BOARD)).damage == {}
    assert not of(attacks("field_cook", damage=HURT)[0], CreaturesHealed)


@pytest.mark.card("rune_smith")
def test_a_rune_smith_gives_an_ally_two_attack_beyond_the_turn() -> None:
    _, state = played("rune_smith", {"A1": "ember_fox", "B1": "storm_gull"}, {"B1": "clay_guard"}, spare=(3,))
    _, state = calmly(state, 0, ChooseCard("ember_fox"))
    events, state = calmly(state, 0, Attack("ember_fox", (3,), "clay_guard"))
    assert damage(events) == {"clay_guard": 4}
    _, state = calmly(then(state, 0, EndCombat()), 0, EndTurn())
    assert (state.attack_points("ember_fox"), state.attack_points("storm_gull")) == (4, 3)


@pytest.mark.card("rune_smith")
def test_a_rune_smith_gives_no_attack_to_an_enemy_and_what_it_gave_leaves_with_the_ally() -> None:
    _, state = played("rune_smith", {"A1": "storm_gull"}, {"B1": "tar_golem", "C1": "banishing_gale"})
    assert refused(state, 0, ChooseCard("tar_golem"))[0] == "on_the_wrong_side"
    _, state = calmly(state, 0, ChooseCard("storm_gull"))
    assert state.attack_points("storm_gull") == 5
    given = table({"A1": "storm_gull", "B1": "clay_guard"}, {"C1": "worldfire"}, turn=1, lasting=state.lasting)
    _, state = calmly(given, 1, Flip("C1", "worldfire"))
    assert state.lasting == {}


HELL = ("gutter_rat", "sky_bolt", "twin_stag", "dune_strider")


@pytest.mark.card("bone_cart")
def test_a_bone_cart_takes_a_creature_of_cost_six_out_of_hell_to_the_hand() -> None:
    _, state = played("bone_cart", hells=(HELL, ()))
    _, state = calmly(state, 0, ChooseCard("twin_stag"))
    assert state.cards_in_hand(0) == ("twin_stag",)
    assert state.list_hell(0) == ("gutter_rat", "sky_bolt", "dune_strider")


@pytest.mark.card("bone_cart")
def test_a_bone_cart_does_not_take_what_costs_seven_nor_a_crush_card_nor_an_enemy() -> None:
    _, state = played("bone_cart", hells=(HELL, ("hex_toad",)))
    for card in ("dune_strider", "sky_bolt", "hex_toad"):
        refused(state, 0, ChooseCard(card))
    assert choices(state, 0) == [ChooseCard("gutter_rat"), ChooseCard("twin_stag")]


@pytest.mark.card("fuse_goblin")
def test_a_fuse_goblin_destroys_an_enemy_crush_card_of_its_players_choice() -> None:
    _, state = played("fuse_goblin", theirs={"C1": "volley", "C3": "sky_bolt"})
    _, state = calmly(state, 0, ChooseCard("C3/1:1"))
    assert state.list_hell(1) == ("sky_bolt",)


@pytest.mark.card("fuse_goblin")
def test_a_fuse_goblin_destroys_no_creature_and_no_own_crush_card() -> None:
    _, state = played("fuse_goblin", {"C1": "worldfire"}, {"C1": "volley", "C3": "sky_bolt", "B1": "clay_guard"})
    assert refused(state, 0, ChooseCard("clay_guard"))[0] == "not_on_the_field"
    assert refused(state, 0, ChooseCard("C1/0:0"))[0] == "on_the_wrong_side"
    events, _ = played("fuse_goblin", {"C1": "worldfire"}, {"B1": "clay_guard"})
    assert state.list_hell(0) == ()
    assert not [event for event in events if event.TAG == "cc.CardsDestroyed"]
