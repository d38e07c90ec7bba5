"""The rulings on heroes, items and protection (HTS-AMB-29 to HTS-AMB-43): where the rulebook says too little."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, Decline
from referee.games.here_to_slay.components import DISCARD, PARTIES, Rules
from referee.games.here_to_slay.events.cards import CardDiscarded, CardDrawn
from referee.games.here_to_slay.events.heroes import HeroDestroyed, HeroStolen, ItemLost, ItemReturned
from referee.games.here_to_slay.events.plays import ItemEquipped
from referee.games.here_to_slay.moves import Attack, DrawOne, EndTurn, Modify, PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.values import LastingEffect
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, passes, rolls, settlements, stands, succeeds, table

QUIET = {0: "the_divine_arrow", 1: "the_fist_of_reason", 2: "the_shadow_claw"}


@pytest.mark.clause("HTS-AMB-29")
@pytest.mark.parametrize("card", ["destructive_spell", "entangling_trap"])
def test_an_own_hero_is_neither_destroyed_nor_stolen_even_if_there_is_no_other(card: str) -> None:
    state = table([card, "challenge", "hook"], [], parties={0: ["peanut"]}, leaders=QUIET)
    _, state = stands(state, 0, PlayCard(card))
    if card == "destructive_spell":
        state = then(state, 0, ChooseCards(("challenge",)))
    assert (state.party_of(0), state.agenda[-1].question_name()) == (("peanut",), "hts.Turn")


@pytest.mark.clause("HTS-AMB-30")
def test_the_item_of_a_sacrificed_hero_goes_to_the_discard_pile_with_it() -> None:
    events, state = succeeds(table([], [], parties={0: ["hopper"], 1: [("peanut", "bard_mask")]}), "hopper")
    assert [event.put for event in of(events, ItemLost)] == [("bard_mask",)]
    assert (state.cards_at(DISCARD), state.cards_in_hand(1)) == (("peanut", "bard_mask"), ())


@pytest.mark.clause("HTS-AMB-31")
def test_the_item_of_a_hero_given_away_stays_under_it() -> None:
    parties = {0: [("peanut", "bard_mask"), "hook"], 1: [("fluffy", "thief_mask")]}
    _, state = stands(table(["forced_exchange"], [], parties=parties, leaders=QUIET), 0, PlayCard("forced_exchange"))
    state = then(state, 0, ChooseCard("peanut"))
    assert (state.party_of(0), state.party_of(1)) == (("hook", "fluffy"), ("peanut",))
    assert (state.item_of("peanut"), state.item_of("fluffy")) == ("bard_mask", "thief_mask")


@pytest.mark.clause("HTS-AMB-32")
@pytest.mark.clause("HTS-AMB-32", "HTS-ITEM-7")
def test_good_items_stay_in_the_own_party_if_the_match_says_so_and_cursed_ones_do_not() -> None:
    at_home = {"good_items_at_home": True}
    parties: dict[int, list[Any]] = {0: ["peanut", "fluffy"], 1: ["spooky", "hook"]}
    state = then(table(["thief_mask", "sealing_key"], [], parties=parties, rules=at_home), 0, PlayCard("thief_mask"))
    assert offered(state, 0) == [ChooseCard("peanut"), ChooseCard("fluffy")]
    against = refusal(state, 0, ChooseCard("hook"))
    assert (against.reason, against.clauses[0]) == ("good_items_stay_at_home", "HTS-AMB-32")
    cursed = then(then(state, 0, ChooseCard("peanut")), 0, PlayCard("sealing_key"))
    assert offered(cursed, 0) == [ChooseCard("fluffy"), ChooseCard("spooky"), ChooseCard("hook")]
    # nobody at home to carry it: it cannot be played, though others could
    alone = table(["thief_mask", "sealing_key"], [], parties={1: ["spooky", "hook"]}, rules=at_home)
    assert refusal(alone, 0, PlayCard("thief_mask")).reason == "no_free_hero_at_home"
    assert PlayCard("sealing_key") in offered(alone, 0)
    assert PlayCard("thief_mask") in offered(replace(alone, rules=Rules(seats=2)), 0)


@pytest.mark.parametrize("item", ["really_big_ring", "sealing_key"])
def test_an_item_goes_under_any_hero_without_item_in_any_party(item: str) -> None:
    parties = {0: ["peanut", ("hook", "decoy_doll")], 1: ["fluffy"]}
    _, state = stands(table([item], [], parties=parties, leaders=QUIET), 0, PlayCard(item))
    assert offered(state, 0) == [ChooseCard("peanut"), ChooseCard("fluffy")]
    state = table([item], [], parties={1: ["fluffy"]}, leaders=QUIET)
    events, _ = stands(state, 0, PlayCard(item))
    assert [event.hero for event in of(events, ItemEquipped)] == ["fluffy"]
    taken = table([item], [], parties={1: [("fluffy", "decoy_doll")]}, leaders=QUIET)
    assert "HTS-AMB-32" in refusal(taken, 0, PlayCard(item)).clauses


@pytest.mark.clause("HTS-AMB-33")
def test_cursed_items_are_items_for_every_text_that_says_item() -> None:
    key, slain = "sealing_key", {0: ["malamammoth"]}
    asks = [
        succeeds(table([key], [], parties={0: ["hook"]}), "hook")[1],
        succeeds(table([], [], parties={0: ["quick_draw"]}, deck=[key, "challenge"]), "quick_draw")[1],
        succeeds(table([], [key], parties={0: ["sly_pickings"]}), "sly_pickings")[1],
        then(table([], [], parties={0: ["peanut"]}, slain=slain, deck=[key]), 0, DrawOne()),
        succeeds(table([], [], parties={0: ["lookie_rookie"]}, discard=[key, "bard_mask"]), "lookie_rookie")[1],
    ]
    for state in asks:
        assert ChooseCard(key) in offered(state, 0)
    unchallenged = table([key], ["challenge"], parties={0: ["peanut"], 1: ["hook"]}, slain={0: ["warworn_owlbear"]})
    assert asked(then(unchallenged, 0, PlayCard(key))) == {0}


@pytest.mark.clause("HTS-AMB-33", "HTS-AMB-34")
def test_a_returned_item_goes_to_the_controller_of_its_hero_whoever_played_it() -> None:
    parties = {0: ["shurikitty"], 1: [("peanut", "sealing_key")], 2: [("hook", "bard_mask")]}
    hands = (["forceful_winds", "winds_of_change"], [], [])
    _, state = stands(table(*hands, parties=parties, leaders=QUIET), 0, PlayCard("forceful_winds"))
    assert (state.cards_in_hand(1), state.cards_in_hand(2)) == (("sealing_key",), ("bard_mask",))
    _, state = stands(table(*hands, parties=parties, leaders=QUIET), 0, PlayCard("winds_of_change"))
    assert refusal(state, 0, Decline()).reason == "must_choose"  # if there is one, one must be chosen
    state = then(state, 0, ChooseCard("peanut"))
    assert (state.cards_in_hand(1), state.item_of("hook")) == (("sealing_key",), "bard_mask")
    events, state = succeeds(table([], [], [], parties=parties, leaders=QUIET), "shurikitty", ChooseCard("peanut"))
    assert ([event.seat for event in of(events, ItemReturned)], state.cards_in_hand(0)) == ([0], ("sealing_key",))
    mine = {0: ["holy_curselifter", ("peanut", "sealing_key")], 1: [("hook", "curse_of_the_snakes_eyes")]}
    _, state = succeeds(table([], [], parties=mine, leaders=QUIET), "holy_curselifter")
    assert (state.cards_in_hand(0), state.item_of("hook")) == (("sealing_key",), "curse_of_the_snakes_eyes")


@pytest.mark.clause("HTS-AMB-35")
def test_the_doll_pays_for_the_order_and_dracos_has_nothing_to_say() -> None:
    parties = {0: ["serious_grey"], 1: [("peanut", "decoy_doll"), "hook"]}
    state = table([], [], parties=parties, slain={1: ["dracos"]}, leaders=QUIET, deck=["fluffy"])
    events, state = succeeds(state, "serious_grey", ChooseCard("peanut"))
    assert names(events)[-3:] == ["Replaced", "GaveWay", "CardDrawn"]
    assert (asked(state), state.cards_in_hand(0)) == ({0}, ("fluffy",))  # nobody is offered a draw


@pytest.mark.clause("HTS-AMB-36", "HTS-PROT-3")
@pytest.mark.parametrize("shield", ["terratuga", "mighty_blade"])
def test_what_cannot_be_destroyed_cannot_be_stolen_in_its_place(shield: str) -> None:
    slain = {0: ["corrupted_sabretooth"], 1: ["terratuga"] if shield == "terratuga" else []}
    lasting = () if shield == "terratuga" else (LastingEffect(shield, 1, "no_destroy", "own_turn_start"),)
    parties = {0: ["bad_axe"], 1: ["peanut"], 2: ["hook"]}
    _, state = succeeds(table([], [], [], parties=parties, slain=slain, lasting=lasting), "bad_axe")
    assert offered(state, 0) == [Decline(), Accept()]  # about Hook, the only legal target
    assert then(state, 0, Accept()).party_of(0) == ("bad_axe", "hook")


@pytest.mark.clause("HTS-AMB-37")
@pytest.mark.parametrize("first", [True, False])
def test_the_setting_says_whether_sabretooth_or_the_doll_comes_first(first: bool) -> None:
    parties, rules = {0: ["serious_grey"], 1: [("peanut", "decoy_doll")]}, {"sabretooth_before_doll": first}
    state = table([], [], parties=parties, slain={0: ["corrupted_sabretooth"]}, rules=rules, leaders=QUIET)
    events, state = succeeds(state, "serious_grey")
    if first:
        events, state = when(state, 0, Accept())
        assert (names(events), state.item_of("peanut")) == (["Replaced", "HeroStolen", "CardDrawn"], "decoy_doll")
    else:
        assert names(events)[-3:] == ["Replaced", "GaveWay", "CardDrawn"]
        assert state.party_of(1) == ("peanut",)


@pytest.mark.clause("HTS-AMB-38")
def test_the_item_of_a_hero_that_sabretooth_steals_from_shurikitty_stays_under_it() -> None:
    parties = {0: ["shurikitty"], 1: [("peanut", "bard_mask")]}
    _, state = succeeds(table([], [], parties=parties, slain={0: ["corrupted_sabretooth"]}), "shurikitty")
    events, state = when(state, 0, Accept())
    assert (len(of(events, HeroStolen)), of(events, ItemReturned)) == (1, [])
    assert (state.item_of("peanut"), state.cards_in_hand(0)) == ("bard_mask", ())


@pytest.mark.clause("HTS-AMB-39")
def test_magic_cannot_be_wasted_on_a_protected_hero_either() -> None:
    parties = {1: ["peanut"], 2: ["hook", "fluffy"]}
    hand = ["destructive_spell", "challenge"]
    state = table(hand, [], [], parties=parties, slain={1: ["terratuga"]}, leaders=QUIET)
    _, state = stands(state, 0, PlayCard("destructive_spell"))
    assert offered(state, 0) == [ChooseCard("hook"), ChooseCard("fluffy")]
    assert "HTS-AMB-39" in refusal(state, 0, ChooseCard("peanut")).clauses


@pytest.mark.clause("HTS-AMB-40")
def test_mighty_blade_protects_whoever_is_in_the_party_even_without_the_hero_itself() -> None:
    state = table([], [], parties={0: ["mighty_blade"], 1: ["bad_axe"]}, leaders=QUIET)
    _, state = succeeds(state, "mighty_blade")
    state = replace(state, zones={**state.zones, PARTIES[0]: ("peanut",)})
    state = then(state, 0, EndTurn())
    events, state = succeeds(state, "bad_axe", seat=1)
    assert (of(events, HeroDestroyed), state.party_of(0)) == ([], ("peanut",))


@pytest.mark.clause("HTS-AMB-41")
def test_a_mask_replaces_the_printed_class_and_the_leaders_class_is_in_the_party() -> None:
    heroes = ["bad_axe", "calming_voice", ("kit_napper", "bard_mask"), "bun_bun"]
    state = table([], [], parties={0: heroes}, leaders=QUIET)
    assert state.classes_of(0) == {
        "fighter",
        "guardian",
        "bard",
        "wizard",
        "ranger",
    }  # no thief, but the leader's class
    five = ["bad_axe", "calming_voice", "kit_napper", "bun_bun"]
    missing = table([], [], parties={0: [*five, "snowball"]}, leaders=QUIET)
    assert then(missing, 0, EndTurn()).winner == -1
    masked = table([], [], parties={0: [*five, ("snowball", "bard_mask")]}, leaders=QUIET)
    assert then(masked, 0, EndTurn()).winner == 0
    events, _ = succeeds(table([], ["challenge"], parties={0: ["tough_teddy"]}, leaders=QUIET), "tough_teddy")
    assert [event.seat for event in of(events, CardDiscarded)] == [1]  # The Fist of Reason is a fighter
    parties = {0: ["tough_teddy"], 1: [("qi_bear", "bard_mask")]}
    events, _ = succeeds(table([], ["hook"], parties=parties, leaders={1: "the_charismatic_song"}), "tough_teddy")
    assert not of(events, CardDiscarded)
    masked = table([], [], parties={0: [("peanut", "wizard_mask"), "hook"]}, row=["orthus"], leaders=QUIET)
    then(masked, 0, Attack("orthus"))  # a wizard and a hero, and no refusal


@pytest.mark.clause("HTS-AMB-42")
def test_a_mask_may_go_on_a_hero_of_that_class_and_changes_nothing() -> None:
    state = table(["bard_mask"], [], parties={0: ["peanut", "hook"]}, leaders=QUIET)
    before = state.class_of("peanut")
    _, state = stands(state, 0, PlayCard("bard_mask"))
    state = then(state, 0, ChooseCard("peanut"))
    assert (before, state.class_of("peanut"), state.item_of("peanut")) == ("bard", "bard", "bard_mask")


@pytest.mark.clause("HTS-AMB-43")
def test_napping_nibbles_may_be_rolled_for_and_its_success_and_failure_count() -> None:
    def roll(item: str) -> Table:
        parties = {0: [("napping_nibbles", item)]}
        state = table(["challenge"], ["modifier_minus_4"], parties=parties, slain={0: ["arctic_aries"]}, leaders=QUIET)
        return dice(then(state, 0, RollFor("napping_nibbles")), 1, 1)[1]

    _, state = passes(roll(""))
    assert offered(state, 0) == [Decline(), Accept()]  # a success: Arctic Aries
    _, state = passes(roll("suspiciously_shiny_coin"))
    assert set(offered(state, 0)) == {ChooseCard("suspiciously_shiny_coin"), ChooseCard("arctic_aries")}
    events, state = when(roll("particularly_rusty_coin"), 1, Modify("modifier_minus_4", -4, 0))
    events, state = passes(state)
    assert settlements(events) == [(-2, "failure")]
    assert [event.seat for event in of(events, CardDrawn)] == [0]


@pytest.mark.clause("HTS-AMB-41", "HTS-ITEM-6")
def test_a_mask_counts_for_whoever_controls_its_hero_now() -> None:
    parties = {0: ["kit_napper"], 1: [("peanut", "wizard_mask")]}
    state = table([], [], parties=parties, leaders=QUIET)
    assert "wizard" in state.classes_of(1)
    _, state = rolls(then(state, 0, RollFor("kit_napper")), 6, 6)
    assert ("wizard" in state.classes_of(0), "wizard" in state.classes_of(1)) == (True, False)
