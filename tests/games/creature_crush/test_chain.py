"""Chains: what is set off, who may answer, and in which order it is carried out (CC-CHAIN-1 to CC-CHAIN-8)."""

from __future__ import annotations

import pytest

from referee.engine.events import apply_events
from referee.engine.steps import Frame
from referee.games.creature_crush.events.cards import CardsDestroyed, CardsRecovered, CrushFlipped
from referee.games.creature_crush.events.field import AttackEnded, CreaturesDamaged, EffectCancelled
from referee.games.creature_crush.moves import Attack, Flip, Order, Pass, Summon
from referee.games.creature_crush.rules.chain import Chain
from referee.games.creature_crush.rules.triggers import destroy_cards
from tests.games.course import asked, of, refused, settled, then, times_out, when
from tests.games.creature_crush.table import names, offered, table


@pytest.mark.clause("CC-CHAIN-1", "CC-CHAIN-5")
def test_a_flip_that_answers_a_flip_is_carried_out_first() -> None:
    given = table({"C1": "sky_bolt"}, {"B1": "frost_lout", "C1": "broken_seal"})
    _, asking = when(given, 0, Flip("C1", "sky_bolt"))
    assert asked(asking) == {1}
    events, after = when(asking, 1, Flip("C1", "broken_seal"))
    assert names(events)[:2] == ["CrushFlipped", "EffectCancelled"]
    assert of(events, EffectCancelled)[0].card == "sky_bolt"
    assert after.damage == {}
    assert (after.list_hell(0), after.list_hell(1)) == (("sky_bolt",), ("broken_seal",))


@pytest.mark.clause("CC-CHAIN-2")
def test_of_effects_activated_at_once_the_active_player_says_which_comes_first() -> None:
    board = {"B1": "bone_pup", "B2": "grave_beetle"}
    given = table({"C1": "volley"}, board, decks=(("clay_guard", "thornback"), ("storm_gull", "chimera")))
    _, asking = when(given, 0, Flip("C1", "volley"))
    assert asked(asking) == {0}
    orders = [move for move in offered(asking, 0) if isinstance(move, Order)]
    assert orders == [Order("bone_pup", "hell"), Order("grave_beetle", "hell")]
    events, after = when(asking, 0, Order("grave_beetle", "hell"))
    assert names(events)[0] == "CardsDestroyed"
    assert names(events)[1] == "CardDrawn"
    other, _ = when(asking, 0, Order("bone_pup", "hell"))
    assert names(other)[:2] == ["CardDrawn", "CardsDestroyed"]
    assert refused(asking, 0, Order("volley", "flip")) == ("not_activated", "CC-CHAIN-2")
    assert refused(asking, 0, Pass()) == ("no_window_is_open", "CC-CHAIN-4")
    assert after.list_hell(0) == ("volley", "clay_guard")


@pytest.mark.clause("CC-CHAIN-4")
def test_nobody_is_asked_where_no_crush_card_can_lie_that_fits() -> None:
    given = table({"A1": "ember_fox"}, {"B1": "clay_guard"}, dice=(3,))
    assert asked(then(given, 0, Attack("ember_fox", (3,), "clay_guard"))) == {0}


@pytest.mark.clause("CC-CHAIN-4", "CC-AMB-14")
def test_whoever_has_a_crush_card_that_could_fit_is_asked_whatever_it_is() -> None:
    one = table({"A1": "ember_fox"}, {"B1": "clay_guard", "C1": "sky_bolt"}, dice=(3,))
    asking = then(one, 0, Attack("ember_fox", (3,), "clay_guard"))
    assert asked(asking) == {1}  # recoil costs one die too
    assert not any(isinstance(move, Flip) for move in offered(asking, 1))
    assert asked(then(asking, 1, Pass())) == {0}


@pytest.mark.clause("CC-CHAIN-4")
def test_the_dice_paid_tell_that_no_card_there_fits() -> None:
    given = table({"A1": "ember_fox"}, {"B1": "clay_guard", "C1": "volley"}, dice=(3,))
    after = then(given, 0, Attack("ember_fox", (3,), "clay_guard"))
    assert after.damage == {"clay_guard": 2}


@pytest.mark.clause("CC-CHAIN-4")
def test_a_card_that_lies_open_elsewhere_is_not_expected() -> None:
    given = table({"A1": "ember_fox"}, {"B1": "clay_guard", "C1": "sky_bolt"}, dice=(3,), hells=(("recoil",), ()))
    assert then(given, 0, Attack("ember_fox", (3,), "clay_guard")).damage == {"clay_guard": 2}


@pytest.mark.clause("CC-CHAIN-4")
def test_the_other_player_is_asked_first_then_the_active_one_until_both_pass_in_a_row() -> None:
    mine, theirs = {"A1": "ember_fox", "C1": "sudden_lunge"}, {"B1": "frost_lout", "C1": "recoil"}
    given = table(mine, theirs, dice=(3,))
    first = then(given, 0, Attack("ember_fox", (3,), "frost_lout"))
    assert asked(first) == {1}
    second = then(first, 1, Pass())
    assert asked(second) == {0}
    events, third = when(second, 0, Flip("C1", "sudden_lunge"))
    assert asked(third) == {1}  # about the flip, and then once more about the attack, which only both passes close
    events, after = when(third, 1, Pass(), Flip("C1", "recoil"))
    # the newest first: recoil cancels, and its damage is that of the two attack points that the fox still has
    assert of(events, CreaturesDamaged)[0].points == {"ember_fox": 2}
    assert after.list_hell(0) == ("ember_fox", "sudden_lunge")


@pytest.mark.clause("CC-CHAIN-4", "CC-AMB-16")
def test_flipping_is_never_forced_and_time_that_runs_out_passes() -> None:
    rules = {"response_window_ms": 5_000}
    given = table({"A1": "ember_fox"}, {"B1": "frost_lout", "C1": "recoil"}, dice=(3,), rules=rules)
    asking = then(given, 0, Attack("ember_fox", (3,), "frost_lout"))
    _, after = times_out(asking)
    assert after.damage == {"frost_lout": 2}
    assert after.card_at("C1/1:1") == "recoil"


@pytest.mark.clause("CC-CHAIN-8")
def test_the_window_of_a_summoned_creature_comes_before_its_action_which_happens_even_if_it_dies() -> None:
    given = table({"A1": "iron_boar"}, {"B1": "frost_lout", "C1": "pitfall"}, dice=(3,), hands=(("hex_toad",), ()))
    _, asking = when(given, 0, Summon("hex_toad", "B1", (3,)))
    assert asked(asking) == {1}
    events, after = when(asking, 1, Flip("C1", "pitfall"))
    assert [event.points for event in of(events, CreaturesDamaged)] == [{"hex_toad": 6}, {"frost_lout": 2}]
    assert after.list_hell(0) == ("hex_toad",)


@pytest.mark.clause("CC-CHAIN-5", "CC-CHAIN-8")
def test_what_an_effect_causes_is_handled_before_older_effects_that_wait() -> None:
    mine, hells = {"C1": "second_wind"}, (("ember_fox",), ())
    given = table(mine, {"C1": "pitfall"}, dice=(6,), hands=(("bone_cart",), ()), hells=hells)
    _, asking = when(given, 0, Summon("bone_cart", "B1", (6,)))
    events, asking = when(asking, 1, Flip("C1", "pitfall"))
    assert names(events) == ["CrushFlipped", "Damaged", "CardsDestroyed", "CrushSpent"]
    assert asked(asking) == {0}  # about the destroyed ally, while its Action still waits
    events, after = when(asking, 0, Flip("C1", "second_wind"))
    assert [event.put for event in of(events, CardsRecovered)] == [("bone_cart",), ("ember_fox",)]
    assert after.cards_in_hand(0) == ("bone_cart", "ember_fox")


@pytest.mark.clause("CC-CHAIN-6")
def test_all_creatures_that_have_too_much_damage_go_to_hell_at_the_same_time() -> None:
    given = table({"C1": "volley"}, {"B1": "ember_fox", "B2": "hex_toad", "A1": "frost_lout"})
    events, after = when(given, 0, Flip("C1", "volley"))
    (gone,) = of(events, CardsDestroyed)
    assert set(gone.took) == {"ember_fox", "hex_toad"}
    assert after.damage == {"frost_lout": 3}


@pytest.mark.clause("CC-CHAIN-7")
def test_effects_of_the_attack_come_before_its_damage() -> None:
    given = table({"A1": "pit_viper"}, {"B1": "obsidian_guard"}, dice=(5,))
    events, after = when(given, 0, Attack("pit_viper", (5,), "obsidian_guard"))
    assert names(events) == ["DiceBurned", "AttackDeclared", "CardsDestroyed", "AttackEnded"]
    assert of(events, AttackEnded)[0].why == "target_gone"
    assert after.damage == {}


@pytest.mark.clause("CC-CHAIN-7")
def test_what_happens_as_a_creature_kills_follows_the_deaths() -> None:
    given = table({"A1": "ramming_ox"}, {"B1": "hex_toad"}, dice=(7,))
    events, after = when(given, 0, Attack("ramming_ox", (7,), "hex_toad"))
    assert names(events) == ["DiceBurned", "AttackDeclared", "Damaged", "CardsDestroyed", "CardsDestroyed"]
    assert len(after.list_hell(1)) == 2


@pytest.mark.clause("CC-CHAIN-7")
def test_whoever_dies_in_its_own_attack_has_killed_nobody() -> None:
    given = table({"A1": "ramming_ox"}, {"B1": "knife_goblin"}, dice=(7,), damage={"ramming_ox": 1})
    events, after = when(given, 0, Attack("ramming_ox", (7,), "knife_goblin"))
    assert len(of(events, CardsDestroyed)) == 1
    assert after.list_hell(1) == ("knife_goblin",)


@pytest.mark.clause("CC-KEY-HELL-1")
def test_a_hell_effect_finds_its_own_card_in_hell() -> None:
    given = table({"C1": "sky_bolt"}, {"B1": "phoenix"}, damage={"phoenix": 3})
    events, after = when(given, 0, Flip("C1", "sky_bolt"))
    assert names(events) == ["CrushFlipped", "Damaged", "CardsDestroyed", "CrushSpent", "CardsRecovered"]
    assert after.cards_in_hand(1) == ("phoenix",)


@pytest.mark.clause("CC-CHAIN-3", "CC-CHAIN-4")
def test_an_ally_destroyed_may_be_answered_by_whoever_lost_it() -> None:
    given = table({"C1": "volley"}, {"B1": "ember_fox", "B2": "hex_toad", "C2": "second_wind"})
    _, asking = when(given, 0, Flip("C1", "volley"))
    assert asked(asking) == {1}
    assert refused(asking, 1, Flip("C2", "second_wind")) == ("say_about_whom", "CC-EFF-TARGET-1")
    after = then(asking, 1, Flip("C2", "second_wind", "hex_toad"))
    assert after.cards_in_hand(1) == ("hex_toad",)


@pytest.mark.clause("CC-CHAIN-4")
def test_each_flip_has_a_window_of_its_own() -> None:
    mine, theirs = {"C1": "sky_bolt", "C2": "broken_seal"}, {"B1": "frost_lout", "C1": "lucky_streak"}
    asking = then(table(mine, theirs), 0, Flip("C1", "sky_bolt"))
    assert asked(asking) == {1}  # lucky_streak could be broken_seal, as all can see
    top = asking.agenda[-1]
    assert isinstance(top, Chain)
    assert [window.happening.kind for window in top.windows] == ["flipped"]
    after = then(asking, 1, Pass())
    assert after.damage == {"frost_lout": 5}


@pytest.mark.clause("CC-CHAIN-4")
def test_only_a_flip_or_a_pass_answers_a_window() -> None:
    given = table({"A1": "ember_fox"}, {"B1": "frost_lout", "C1": "recoil"}, dice=(3, 3))
    asking = then(given, 0, Attack("ember_fox", (3,), "frost_lout"))
    assert refused(asking, 1, Attack("frost_lout", (3,), "ember_fox")) == ("turn_of_another", "CC-TURN-1")
    assert refused(asking, 0, Pass())[0] == "window_asks_another"
    assert len(of(when(asking, 1, Pass())[0], CrushFlipped)) == 0


@pytest.mark.clause("CC-CHAIN-3", "CC-AMB-26", "CC-AMB-16")
def test_a_crush_card_that_is_destroyed_is_an_event_too() -> None:
    mine, theirs = {"A1": "scrap_crow"}, {"C1": "sky_bolt", "C2": "last_reserve"}
    hells, decks = ((), ("hex_toad", "bone_pup")), (("clay_guard",), ())
    given = table(mine, theirs, hells=hells, decks=decks, agenda=(Frame(),))
    given = apply_events(given, tuple(destroy_cards(given, ("C1/1:1",))))
    asking = settled(given)
    assert asking.list_hell(1) == ("hex_toad", "bone_pup", "sky_bolt")
    assert asked(asking) == {1}
    assert Flip("C2", "last_reserve") in offered(asking, 1)
