"""The items, cursed ones among them: what each of them does to its hero, and when it does not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards
from referee.engine.referee import judge_move
from referee.engine.seats import Seat
from referee.games.here_to_slay.components import DISCARD
from referee.games.here_to_slay.events.cards import CardDiscarded
from referee.games.here_to_slay.events.heroes import HeroDestroyed, HeroSacrificed, ItemGaveWay
from referee.games.here_to_slay.events.plays import ItemEquipped
from referee.games.here_to_slay.moves import Attack, PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import (
    attacked,
    challenged,
    effect,
    names,
    offered,
    rolled_for,
    settlements,
    stands,
    table,
)


def equipped(state: Table, item: str, hero: str) -> Table:
    """The table after seat 0 has played this item, unchallenged, and put it under the hero."""
    return then(stands(state, 0, PlayCard(item))[1], 0, ChooseCard(hero))


# ---- masks ---------------------------------------------------------------------------------------------------

MASKS = [  # the mask, a monster that asks for the class, a hero of that class
    ("fighter_mask", "titan_wyvern", "bad_axe"),
    ("guardian_mask", "rex_major", "wise_shield"),
    ("ranger_mask", "malamammoth", "bullseye"),
    ("thief_mask", "warworn_owlbear", "kit_napper"),
    ("wizard_mask", "orthus", "fluffy"),
    ("bard_mask", "dark_dragon_king", "mellow_dee"),
]
ALL_MASKS = ("fighter_mask", "guardian_mask", "ranger_mask", "thief_mask", "wizard_mask", "bard_mask")


@pytest.mark.card("fighter_mask", "guardian_mask", "ranger_mask", "thief_mask", "wizard_mask", "bard_mask")
@pytest.mark.clause("HTS-DO-26", "HTS-ITEM-9", "HTS-MON-3", "HTS-AMB-41")
@pytest.mark.parametrize(("mask", "monster", "_hero"), MASKS)
def test_a_mask_gives_its_hero_the_class_that_a_monster_asks_for(mask: str, monster: str, _hero: str) -> None:
    others = ["hook", "quick_draw"] if mask != "ranger_mask" else ["hopper", "spooky"]
    leader = "the_cloaked_sage" if mask != "wizard_mask" else "the_divine_arrow"
    state = table([mask], [], parties={0: others}, row=[monster], leaders={0: leader})
    assert "HTS-MON-2" in refusal(state, 0, Attack(monster)).clauses
    state = equipped(state, mask, others[0])
    assert state.class_of(others[0]) == mask.removesuffix("_mask")
    assert judge_move(state, Seat(0), Attack(monster)).granted


@pytest.mark.card("fighter_mask", "guardian_mask", "ranger_mask", "thief_mask", "wizard_mask", "bard_mask")
@pytest.mark.clause("HTS-DO-26", "HTS-ITEM-9", "HTS-AMB-41")
@pytest.mark.parametrize(("mask", "monster", "hero"), MASKS)
def test_a_hero_with_another_mask_is_not_of_its_printed_class_any_more(mask: str, monster: str, hero: str) -> None:
    other = "bard_mask" if mask != "bard_mask" else "thief_mask"
    leader = "the_cloaked_sage" if mask != "wizard_mask" else "the_divine_arrow"
    second = "napping_nibbles" if mask != "bard_mask" else "meowzio"
    state = table([other], [], parties={0: [hero, second]}, row=[monster], leaders={0: leader})
    assert judge_move(state, Seat(0), Attack(monster)).granted
    state = equipped(state, other, hero)
    assert "HTS-MON-2" in refusal(state, 0, Attack(monster)).clauses


@pytest.mark.card("fighter_mask", "guardian_mask", "ranger_mask", "thief_mask", "wizard_mask", "bard_mask")
@pytest.mark.clause("HTS-ITEM-2", "HTS-ITEM-3", "HTS-AMB-32")
@pytest.mark.parametrize("mask", ALL_MASKS)
def test_a_mask_may_not_go_to_a_leader_nor_to_a_hero_that_carries_an_item(mask: str) -> None:
    parties = {0: [("hook", "sealing_key"), "bad_axe"], 1: ["fluffy"]}
    _, state = stands(table([mask], [], parties=parties), 0, PlayCard(mask))
    assert refusal(state, 0, ChooseCard("hook")).clauses == ("HTS-ITEM-3",)
    assert refusal(state, 0, ChooseCard(str(state.leader_of(0)))).clauses == ("HTS-ITEM-2",)
    assert offered(state, 0) == [ChooseCard("bad_axe"), ChooseCard("fluffy")]


# ---- Really Big Ring, Curse of the Snake's Eyes --------------------------------------------------------------


@pytest.mark.card("really_big_ring", "curse_of_the_snakes_eyes")
@pytest.mark.clause("HTS-DO-29", "HTS-ROLL-9", "HTS-ITEM-6")
@pytest.mark.parametrize(
    ("item", "total", "outcome"), [("really_big_ring", 8, "success"), ("curse_of_the_snakes_eyes", 4, "failure")]
)
def test_the_rolls_for_its_hero_count_more_or_less(item: str, total: int, outcome: str) -> None:
    state = equipped(table([item], [], parties={0: ["peanut", "hook"]}), item, "peanut")
    events, state = rolled_for(state, "peanut", 3, 3)
    assert settlements(events) == [(total, outcome)]
    assert len(state.cards_in_hand(0)) == (2 if outcome == "success" else 0)


@pytest.mark.card("really_big_ring", "curse_of_the_snakes_eyes")
@pytest.mark.clause("HTS-ROLL-9", "HTS-AMB-23")
@pytest.mark.parametrize("item", ["really_big_ring", "curse_of_the_snakes_eyes"])
def test_it_does_not_count_for_other_heroes_attacks_or_challenges(item: str) -> None:
    state = table(["hook"], ["challenge"], parties={0: [("peanut", item), "bun_bun"]}, row=["arctic_aries"])
    assert settlements(rolled_for(state, "bun_bun", 1, 1)[0]) == [(2, "failure")]
    assert settlements(attacked(state, "arctic_aries", 4, 4)[0]) == [(8, "nothing")]
    assert [total for total, _ in settlements(challenged(state, 0, "hook", 1, (3, 3), (2, 2))[0])] == [6, 4]


# ---- coins ---------------------------------------------------------------------------------------------------


@pytest.mark.card("particularly_rusty_coin")
@pytest.mark.clause("HTS-DO-47", "HTS-TRIG-7")
def test_the_rusty_coin_gives_a_card_for_a_failed_roll() -> None:
    state = table(["particularly_rusty_coin"], [], parties={0: ["peanut", "hook"]}, deck=["bun_bun"])
    state = equipped(state, "particularly_rusty_coin", "peanut")
    events, state = rolled_for(state, "peanut", 3, 3)
    assert effect(events) == ["CardDrawn"]
    assert (state.cards_in_hand(0), asked(state)) == (("bun_bun",), {0})


@pytest.mark.card("particularly_rusty_coin")
@pytest.mark.clause("HTS-DO-47", "HTS-AMB-23")
def test_the_rusty_coin_gives_nothing_for_a_success_another_hero_or_an_attack() -> None:
    coin = ("hook", "particularly_rusty_coin")
    state = table([], [], parties={0: [coin, "fluffy"]}, deck=["peanut"], row=["arctic_aries"])
    events, _ = rolled_for(state, "fluffy", 1, 1)
    assert effect(events) == []
    events, _ = attacked(state, "arctic_aries", 4, 4)
    assert effect(events) == []
    state = table([], [], parties={0: [("lookie_rookie", "particularly_rusty_coin")]})
    events, _ = rolled_for(state, "lookie_rookie", 4, 4)
    assert effect(events) == []


@pytest.mark.card("suspiciously_shiny_coin")
@pytest.mark.clause("HTS-DO-46", "HTS-AMB-58", "HTS-TRIG-2")
def test_the_shiny_coin_makes_the_roller_discard_after_a_success_even_if_the_hero_has_left() -> None:
    parties = {0: ["hook"], 1: [("tipsy_tootie", "suspiciously_shiny_coin")]}
    state = table(["challenge"], ["bard_mask", "peanut"], parties=parties, turn=1)
    events, state = rolled_for(state, "tipsy_tootie", 3, 3, seat=1)
    assert effect(events) == ["HeroStolen", "HeroMoved"]
    assert asked(state) == {1}
    events, state = when(state, 1, ChooseCards(("peanut",)))
    assert [event.seat for event in of(events, CardDiscarded)] == [1]
    assert (state.item_of("tipsy_tootie"), state.cards_in_hand(0)) == ("suspiciously_shiny_coin", ("challenge",))


@pytest.mark.card("suspiciously_shiny_coin")
@pytest.mark.clause("HTS-DO-46", "HTS-EACH-3", "HTS-AMB-23")
def test_the_shiny_coin_does_not_work_on_a_failure_another_hero_an_attack_or_an_empty_hand() -> None:
    coin = ("hook", "suspiciously_shiny_coin")
    state = table(["challenge"], [], parties={0: [coin, "lookie_rookie"]}, row=["dracos"])
    assert effect(rolled_for(state, "hook", 1, 1)[0]) == []
    assert effect(rolled_for(state, "lookie_rookie", 3, 3)[0]) == []
    events, state = attacked(state, "dracos", 1, 1)
    assert of(events, CardDiscarded) == []
    bare = table([], [], parties={0: [("lookie_rookie", "suspiciously_shiny_coin")]})
    assert effect(rolled_for(bare, "lookie_rookie", 3, 3)[0]) == []


# ---- Decoy Doll ----------------------------------------------------------------------------------------------


@pytest.mark.card("decoy_doll")
@pytest.mark.clause("HTS-DO-21", "HTS-DO-22", "HTS-REPL-1", "HTS-REPL-2", "HTS-AMB-35")
@pytest.mark.parametrize(("by", "done"), [("bad_axe", HeroDestroyed), ("hopper", HeroSacrificed)])
def test_the_doll_goes_in_place_of_its_hero(by: str, done: type[HeroDestroyed] | type[HeroSacrificed]) -> None:
    state = table([], [], parties={0: [by], 1: [("fluffy", "decoy_doll")]}, slain={1: ["dracos"]})
    events, state = rolled_for(state, by, 4, 4)
    assert effect(events) == ["Replaced", "GaveWay"]
    assert of(events, done) == []
    assert (state.party_of(1), state.item_of("fluffy"), state.cards_at(DISCARD)) == (("fluffy",), None, ("decoy_doll",))
    assert asked(state) == {0}  # no hero was destroyed: Dracos is not asked


@pytest.mark.card("decoy_doll")
@pytest.mark.clause("HTS-REPL-2", "HTS-AMB-35", "HTS-AMB-37")
def test_the_doll_does_not_stop_stealing_nor_protect_another_hero() -> None:
    parties = {0: ["kit_napper", "bad_axe"], 1: [("fluffy", "decoy_doll"), "peanut"]}
    events, stolen = rolled_for(table([], [], parties=parties), "kit_napper", 5, 4, ChooseCard("fluffy"))
    assert of(events, ItemGaveWay) == []
    assert (stolen.controller_of("fluffy"), stolen.item_of("fluffy")) == (0, "decoy_doll")
    events, other = rolled_for(table([], [], parties=parties), "bad_axe", 4, 4, ChooseCard("peanut"))
    assert effect(events) == ["HeroDestroyed"]
    assert other.item_of("fluffy") == "decoy_doll"
    state = table([], [], parties=parties, slain={0: ["corrupted_sabretooth"]})
    _, state = rolled_for(state, "bad_axe", 4, 4, ChooseCard("fluffy"))
    events, state = when(state, 0, Accept())
    assert (names(events), state.item_of("fluffy")) == (["Replaced", "HeroStolen"], "decoy_doll")


# ---- Sealing Key ---------------------------------------------------------------------------------------------


@pytest.mark.card("sealing_key")
@pytest.mark.clause("HTS-DO-27", "HTS-ROLL-3", "HTS-ITEM-4", "HTS-ITEM-8")
def test_the_key_seals_a_hero_of_another_player_against_rolls() -> None:
    state = table(["sealing_key"], [], parties={0: ["hook"], 1: ["peanut", "fluffy"]}, points=1)
    events, state = stands(state, 0, PlayCard("sealing_key"))
    events, state = when(state, 0, ChooseCard("peanut"))
    assert [(event.seat, event.hero) for event in of(events, ItemEquipped)] == [(0, "peanut")]
    assert refusal(state, 1, RollFor("peanut")).clauses == ("HTS-DO-27", "HTS-ROLL-3")


@pytest.mark.card("sealing_key")
@pytest.mark.clause("HTS-DO-27", "HTS-MON-3", "HTS-LEAD-2")
def test_the_key_does_not_seal_other_heroes_nor_keep_its_hero_from_counting() -> None:
    state = table([], [], parties={0: [("peanut", "sealing_key"), "hook"]}, row=["dark_dragon_king"])
    assert judge_move(state, Seat(0), RollFor("hook")).granted
    assert judge_move(state, Seat(0), Attack("dark_dragon_king")).granted  # peanut is the bard
    events, state = rolled_for(state, "hook", 3, 3)
    assert (settlements(events), effect(events)) == ([(6, "success")], ["CardDrawn"])
