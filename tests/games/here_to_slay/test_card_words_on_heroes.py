"""What the steps of card texts do, one by one: heroes and items on the table, and whom a text is aimed at."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, Decline
from referee.games.here_to_slay.components import DISCARD
from referee.games.here_to_slay.events.cards import CardDiscarded
from referee.games.here_to_slay.events.heroes import (
    HeroDestroyed,
    HeroMoved,
    HeroSacrificed,
    HeroStolen,
    ItemGaveWay,
    ItemLost,
    ReplacementApplied,
)
from referee.games.here_to_slay.events.plays import ItemEquipped, RollSettled
from referee.games.here_to_slay.moves import Attack, PlayCard, RollFor
from referee.games.here_to_slay.values import LastingEffect
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, rolls, stands, succeeds, table

NO_STEAL = LastingEffect("calming_voice", 1, "no_steal", "own_turn_start")


@pytest.mark.clause("HTS-DO-17")
def test_destroy_takes_an_unprotected_hero_of_another_party_and_its_item_to_the_discard_pile() -> None:
    parties = {0: ["bad_axe", "hook"], 1: ["peanut", ("fluffy", "bard_mask")], 2: ["spooky"]}
    _, state = dice(then(table([], [], [], parties=parties, slain={2: ["terratuga"]}), 0, RollFor("bad_axe")), 6, 6)
    assert offered(state, 0) == [ChooseCard("peanut"), ChooseCard("fluffy")]
    assert refusal(state, 0, ChooseCard("spooky")).reason == "is_protected"
    events, state = when(state, 0, ChooseCard("fluffy"))
    assert [event.put for event in of(events, HeroDestroyed)] == [("fluffy",)]
    assert [event.put for event in of(events, ItemLost)] == [("bard_mask",)]
    assert state.cards_at(DISCARD) == ("fluffy", "bard_mask")


@pytest.mark.clause("HTS-DO-17", "HTS-AMB-59")
def test_several_orders_to_destroy_are_carried_out_one_by_one() -> None:
    parties = {0: ["fluffy"], 1: ["peanut", ("hook", "bard_mask"), "spooky"]}
    events, state = succeeds(table([], [], parties=parties), "fluffy", ChooseCard("hook"), ChooseCard("peanut"))
    assert names(events)[-4:] == ["RollSettled", "HeroDestroyed", "ItemLost", "HeroDestroyed"]
    assert (state.party_of(1), state.cards_at(DISCARD)) == (("spooky",), ("hook", "bard_mask", "peanut"))


@pytest.mark.clause("HTS-DO-18", "HTS-TGT-6")
def test_the_player_concerned_chooses_the_own_hero_to_sacrifice_and_none_means_nothing() -> None:
    state = table([], [], [], parties={0: ["spooky"], 1: ["peanut", "fluffy"]})
    _, state = succeeds(state, "spooky")
    assert asked(state) == {1}  # seat 2 has none
    assert refusal(state, 1, ChooseCards(("spooky",))).clauses == ("HTS-VERB-4",)
    assert refusal(state, 1, ChooseCards(("peanut", "fluffy"))).clauses == ("HTS-DO-18",)
    events, state = when(state, 1, ChooseCards(("fluffy",)))
    assert [event.put for event in of(events, HeroSacrificed)] == [("fluffy",)]
    events, _ = succeeds(table([], [], parties={0: ["spooky"]}), "spooky")
    assert not of(events, HeroSacrificed)


@pytest.mark.clause("HTS-DO-19")
def test_a_stolen_hero_comes_with_its_item_and_its_roll_mark() -> None:
    parties = {0: ["kit_napper"], 1: [("peanut", "bard_mask")], 2: ["fluffy"]}
    shielded = LastingEffect("calming_voice", 2, "no_steal", "own_turn_start")
    state = table([], [], [], parties=parties, rolled=("peanut",), lasting=(shielded,))
    events, state = succeeds(state, "kit_napper")  # Fluffy is protected, so nothing is asked
    assert [(event.put, event.of) for event in of(events, HeroStolen)] == [(("peanut",), 1)]
    assert (state.controller_of("peanut"), state.item_of("peanut")) == (0, "bard_mask")
    assert "HTS-ROLL-4" in refusal(state, 0, RollFor("peanut")).clauses


@pytest.mark.clause("HTS-DO-20", "HTS-AMB-31")
def test_a_moved_hero_goes_with_its_item_to_the_chosen_party_and_no_protection_stops_it() -> None:
    parties = {0: [("tipsy_tootie", "really_big_ring")], 1: [("fluffy", "bard_mask"), "peanut"]}
    lasting = (LastingEffect("calming_voice", 0, "no_steal", "own_turn_start"),)
    state = table([], [], parties=parties, slain={0: ["terratuga"]}, lasting=lasting)
    events, state = succeeds(state, "tipsy_tootie", ChooseCard("fluffy"))
    assert names(events)[-3:] == ["RollSettled", "HeroStolen", "HeroMoved"]
    assert [(event.put, event.to) for event in of(events, HeroMoved)] == [(("tipsy_tootie",), 1)]
    assert (state.party_of(0), state.party_of(1)) == (("fluffy",), ("peanut", "tipsy_tootie"))
    assert (state.item_of("fluffy"), state.item_of("tipsy_tootie")) == ("bard_mask", "really_big_ring")


@pytest.mark.clause("HTS-DO-21", "HTS-REPL-1", "HTS-REPL-2")
def test_something_else_happens_in_place_of_destroying() -> None:
    state = table([], [], parties={0: ["bad_axe"], 1: [("fluffy", "decoy_doll")]})
    events, state = succeeds(state, "bad_axe")
    assert (names(events)[-2:], of(events, HeroDestroyed)) == (["Replaced", "GaveWay"], [])
    assert (state.party_of(1), state.cards_at(DISCARD)) == (("fluffy",), ("decoy_doll",))
    state = table([], [], parties={0: ["bad_axe"], 1: ["fluffy"]}, slain={0: ["corrupted_sabretooth"]})
    events, state = when(succeeds(state, "bad_axe")[1], 0, Accept())
    assert (names(events), state.party_of(0)) == (["Replaced", "HeroStolen"], ("bad_axe", "fluffy"))


@pytest.mark.clause("HTS-DO-22", "HTS-REPL-1", "HTS-REPL-2", "HTS-REPL-5")
def test_something_else_happens_in_place_of_sacrificing() -> None:
    state = table([], [], parties={0: ["hopper"], 1: ["peanut", ("fluffy", "decoy_doll")]})
    events, state = when(succeeds(state, "hopper")[1], 1, ChooseCards(("fluffy",)))
    assert (of(events, HeroSacrificed), [event.verb for event in of(events, ReplacementApplied)]) == ([], ["sacrifice"])
    assert [event.put for event in of(events, ItemGaveWay)] == [("decoy_doll",)]
    assert state.party_of(1) == ("peanut", "fluffy")  # the order counts as done: nobody is asked again
    assert asked(state) == {0}


@pytest.mark.clause("HTS-DO-23", "HTS-PROT-1", "HTS-PROT-2", "HTS-AMB-39")
def test_heroes_protected_against_destroying_are_no_targets_of_it() -> None:
    lasting = (LastingEffect("mighty_blade", 2, "no_destroy", "own_turn_start"),)
    parties = {0: ["bad_axe"], 1: ["peanut"], 2: ["spooky"], 3: ["hook", "snowball"]}
    state = table([], [], [], [], parties=parties, slain={1: ["terratuga"]}, lasting=lasting)
    _, state = dice(then(state, 0, RollFor("bad_axe")), 6, 6)
    assert offered(state, 0) == [ChooseCard("hook"), ChooseCard("snowball")]
    for hero, shield in (("peanut", "terratuga"), ("spooky", "mighty_blade")):
        ruling = refusal(state, 0, ChooseCard(hero))
        assert (ruling.clauses, ruling.params["by"]) == (("HTS-PROT-1", "HTS-DO-23", "HTS-AMB-39"), shield)


@pytest.mark.clause("HTS-DO-24", "HTS-PROT-1", "HTS-AMB-39")
def test_heroes_protected_against_stealing_are_no_targets_of_it() -> None:
    parties = {0: ["kit_napper"], 1: ["peanut"], 2: ["spooky", "hook"]}
    _, state = dice(then(table([], [], [], parties=parties, lasting=(NO_STEAL,)), 0, RollFor("kit_napper")), 6, 6)
    assert offered(state, 0) == [ChooseCard("spooky"), ChooseCard("hook")]
    assert refusal(state, 0, ChooseCard("peanut")).clauses == ("HTS-PROT-1", "HTS-DO-24", "HTS-AMB-39")


@pytest.mark.clause("HTS-DO-25")
def test_an_item_that_stands_is_equipped_at_once_by_any_hero_without_item() -> None:
    state = table(["bard_mask"], [], parties={0: ["peanut", ("hook", "decoy_doll")], 1: ["fluffy"]})
    _, state = stands(state, 0, PlayCard("bard_mask"))
    assert offered(state, 0) == [ChooseCard("peanut"), ChooseCard("fluffy")]
    assert "HTS-ITEM-3" in refusal(state, 0, ChooseCard("hook")).clauses
    events, state = when(state, 0, ChooseCard("fluffy"))
    assert [(event.hero, event.put) for event in of(events, ItemEquipped)] == [("fluffy", ("bard_mask",))]
    assert state.item_of("fluffy") == "bard_mask"


@pytest.mark.clause("HTS-DO-26")
def test_a_mask_gives_its_hero_another_class_in_place_of_its_own() -> None:
    state = table([], [], parties={0: [("fluffy", "bard_mask"), "peanut"]}, leaders={0: "the_divine_arrow"})
    assert state.classes_of(0) == {"bard", "ranger"}
    orthus = table([], [], parties={0: [("fluffy", "bard_mask"), "peanut"]}, row=["orthus"])
    assert "HTS-MON-3" in refusal(orthus, 0, Attack("orthus")).clauses


@pytest.mark.clause("HTS-DO-27")
def test_a_sealed_hero_cannot_be_rolled_for_free_or_paid_but_counts_as_hero_and_for_its_class() -> None:
    parties = {0: [("fluffy", "sealing_key"), "peanut"]}
    state = table([], [], parties=parties, row=["orthus"])
    assert "HTS-DO-27" in refusal(state, 0, RollFor("fluffy")).clauses
    assert "wizard" in state.classes_of(0)
    then(state, 0, Attack("orthus"))
    state = table([], [], parties={0: ["wiggles"], 1: [("fluffy", "sealing_key")]})
    events, state = succeeds(state, "wiggles")  # steals it, and would roll for it without a point
    assert len(of(events, RollSettled)) == 1
    assert (state.party_of(0), state.agenda[-1].question_name()) == (
        ("wiggles", "fluffy"),
        "hts.Turn",
    )  # no dice are due


@pytest.mark.clause("HTS-DO-38")
def test_a_text_is_aimed_at_a_player_of_the_rollers_choice() -> None:
    state = table(["hook"], ["peanut"], ["spooky"], ["fluffy"], parties={0: ["bear_claw"]})
    _, state = dice(then(state, 0, RollFor("bear_claw")), 6, 6)
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(2), ChoosePlayer(3)]
    assert refusal(state, 0, ChoosePlayer(0)).clauses[0] == "HTS-TGT-1"


@pytest.mark.clause("HTS-DO-39", "HTS-EACH-1")
def test_each_other_player_means_all_but_the_player_of_the_effect() -> None:
    state = table(["hook"], ["peanut"], ["spooky"], ["fluffy"], parties={2: ["greedy_cheeks"]}, turn=2)
    _, state = succeeds(state, "greedy_cheeks", seat=2)
    assert state.cards_in_hand(2) == ("spooky", "fluffy", "hook", "peanut")


@pytest.mark.clause("HTS-DO-41", "HTS-AMB-41")
def test_only_other_players_with_the_class_are_hit_masks_and_leader_included() -> None:
    leaders = {0: "the_fist_of_reason", 1: "the_cloaked_sage", 2: "the_divine_arrow", 3: "the_charismatic_song"}
    hands = (["challenge"], ["hook"], ["fluffy"], ["spooky"])
    parties = {0: ["tough_teddy"], 1: ["bad_axe"], 2: [("qi_bear", "bard_mask")], 3: [("peanut", "fighter_mask")]}
    events, _ = succeeds(table(*hands, parties=parties, leaders=leaders), "tough_teddy")
    assert [event.seat for event in of(events, CardDiscarded)] == [1, 3]
    leaders |= {0: "the_charismatic_song", 3: "the_fist_of_reason"}
    events, _ = succeeds(table(*hands, parties={0: ["tough_teddy"]}, leaders=leaders), "tough_teddy")
    assert [event.seat for event in of(events, CardDiscarded)] == [3]
    leaders |= {2: "the_shadow_claw"}
    parties = {0: ["smooth_mimimeow"], 1: ["kit_napper"], 3: [("meowzio", "bard_mask")]}
    _, state = succeeds(table(*hands, parties=parties, leaders=leaders), "smooth_mimimeow")
    assert state.cards_in_hand(0) == ("challenge", "hook", "fluffy")


@pytest.mark.clause("HTS-DO-43", "HTS-MAY-1")
def test_what_a_card_says_may_be_done_can_be_declined() -> None:
    state = table([], [], parties={0: ["quick_draw"]}, deck=["bard_mask", "challenge"])
    _, state = succeeds(state, "quick_draw")
    assert set(offered(state, 0)) == {Decline(), ChooseCard("bard_mask")}
    events, state = when(state, 0, Decline())
    assert (names(events), state.cards_in_hand(0)) == ([], ("bard_mask", "challenge"))


@pytest.mark.clause("HTS-DO-17", "HTS-DO-19")
def test_where_there_is_no_hero_to_destroy_or_steal_nothing_happens() -> None:
    events, state = succeeds(table([], [], parties={0: ["bad_axe"]}), "bad_axe")
    assert not of(events, HeroDestroyed)
    events, state = rolls(then(table([], [], parties={0: ["kit_napper"]}), 0, RollFor("kit_napper")), 6, 6)
    assert (of(events, HeroStolen), asked(state)) == ([], {0})
