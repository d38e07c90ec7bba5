"""Protected heroes, what happens in place of something else, and how long effects last."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, Decline
from referee.engine.steps import TriggerQueued
from referee.games.here_to_slay.components import DISCARD, PARTIES
from referee.games.here_to_slay.events.heroes import (
    HeroDestroyed,
    HeroStolen,
    ItemGaveWay,
    ItemLost,
    ItemReturned,
    ReplacementApplied,
)
from referee.games.here_to_slay.events.turns import LastingEffectBegan
from referee.games.here_to_slay.moves import Attack, Challenge, EndTurn, PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.values import LastingEffect
from tests.games.course import asked, of, then, when
from tests.games.here_to_slay.given import dice, names, offered, rolls, settlements, stands, succeeds, table

QUIET = {0: "the_divine_arrow", 1: "the_fist_of_reason", 2: "the_shadow_claw"}


def lasting(what: str, seat: int) -> LastingEffect:
    """Mighty Blade's or Calming Voice's protection of a party."""
    return LastingEffect(
        {"no_destroy": "mighty_blade", "no_steal": "calming_voice"}[what], seat, what, "own_turn_start"
    )


def hits(state: Table, hero: str, target: str) -> bool:
    """Whether a hero of seat 0 could be aimed at this target."""
    _, state = dice(then(state, 0, RollFor(hero)), 6, 6)
    return ChooseCard(target) in offered(state, 0)


# ---- protections ---------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-PROT-1", "HTS-AMB-39")
@pytest.mark.parametrize(("hero", "what"), [("bad_axe", "no_destroy"), ("kit_napper", "no_steal")])
def test_a_protected_hero_is_no_legal_target_and_the_effect_cannot_be_wasted_on_it(hero: str, what: str) -> None:
    parties = {0: [hero], 1: ["peanut"], 2: ["hook", "fluffy"]}
    state = table([], [], [], parties=parties, lasting=(lasting(what, 1),))
    assert not hits(state, hero, "peanut")
    assert hits(state, hero, "hook")
    events, state = succeeds(table([], [], parties={0: [hero], 1: ["peanut"]}, lasting=(lasting(what, 1),)), hero)
    assert (names(events)[-1], state.party_of(1)) == ("RollSettled", ("peanut",))


@pytest.mark.clause("HTS-PROT-2", "HTS-UNTIL-2", "HTS-AMB-40")
@pytest.mark.parametrize(
    ("hero", "what", "attacker"),
    [("mighty_blade", "no_destroy", "bad_axe"), ("calming_voice", "no_steal", "kit_napper")],
)
def test_a_protection_lasts_to_the_next_turn_for_all_heroes_of_the_party(hero: str, what: str, attacker: str) -> None:
    state = table([], [], parties={0: [hero], 1: [attacker]}, leaders=QUIET)
    events, state = succeeds(state, hero)
    assert of(events, LastingEffectBegan) == [LastingEffectBegan(hero, 0, what, "own_turn_start")]
    state = then(state, 0, EndTurn())
    zones = {**state.zones, PARTIES[0]: ("peanut", "hook")}  # the hero itself has left, others have joined
    state = replace(state, zones=zones)
    _, state = rolls(then(state, 1, RollFor(attacker)), 6, 6)
    assert state.party_of(0) == ("peanut", "hook")
    state = then(state, 1, EndTurn())
    assert state.lasting == ()
    state = then(state, 0, EndTurn())
    _, state = dice(then(state, 1, RollFor(attacker)), 6, 6)
    assert offered(state, 1) == [ChooseCard("peanut"), ChooseCard("hook")]


@pytest.mark.clause("HTS-PROT-2")
def test_terratuga_protects_the_owners_heroes_for_good_and_not_those_of_others() -> None:
    parties = {0: ["bad_axe"], 1: ["peanut"], 2: ["hook", "fluffy"]}
    state = table([], [], [], parties=parties, slain={0: [], 1: ["terratuga"]})
    for _ in range(2):
        assert not hits(state, "bad_axe", "peanut")
        assert hits(state, "bad_axe", "hook")
        for seat in range(3):
            state = then(state, seat, EndTurn())


@pytest.mark.clause("HTS-PROT-3")
def test_protection_against_destroying_stops_nothing_else() -> None:
    parties = {0: ["kit_napper", "hopper"], 1: ["peanut"]}
    state = table(["sealing_key"], [], parties=parties, slain={1: ["terratuga"]})
    _, stolen = succeeds(state, "kit_napper")
    assert stolen.controller_of("peanut") == 0
    _, sacrificed = succeeds(state, "hopper")
    assert sacrificed.cards_at(DISCARD) == ("peanut",)
    _, sealed = stands(state, 0, PlayCard("sealing_key"))
    assert ChooseCard("peanut") in offered(sealed, 0)


@pytest.mark.clause("HTS-PROT-3")
def test_protection_against_stealing_stops_nothing_else() -> None:
    state = table([], [], parties={0: ["bad_axe"], 1: ["peanut"]}, lasting=(lasting("no_steal", 1),))
    _, state = succeeds(state, "bad_axe")
    assert state.cards_at(DISCARD) == ("peanut",)


@pytest.mark.clause("HTS-PROT-3", "HTS-AMB-36")
def test_a_hero_that_cannot_be_destroyed_cannot_be_stolen_in_place_of_it_either() -> None:
    parties, slain = {0: ["bad_axe"], 1: ["peanut"]}, {0: ["corrupted_sabretooth"], 1: ["terratuga"]}
    events, state = succeeds(table([], [], parties=parties, slain=slain), "bad_axe")
    assert (of(events, HeroStolen), state.agenda[-1].question_name()) == ([], "hts.Turn")
    slain = {0: ["corrupted_sabretooth"]}
    events, state = succeeds(table([], [], parties=parties, slain=slain, lasting=(lasting("no_steal", 1),)), "bad_axe")
    assert (names(events)[-1], state.cards_at(DISCARD)) == ("HeroDestroyed", ("peanut",))  # and no steal is offered


# ---- replacements --------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-REPL-1")
def test_what_is_replaced_has_not_happened_but_the_order_and_its_cost_count_as_done() -> None:
    parties = {0: ["qi_bear"], 1: [("peanut", "decoy_doll"), "hook"]}
    state = table(["challenge", "wildshot"], [], parties=parties, slain={1: ["dracos"]})
    _, state = succeeds(state, "qi_bear")
    events, state = when(state, 0, ChooseCards(("challenge",)))
    events, state = when(state, 0, ChooseCard("peanut"))
    assert (of(events, HeroDestroyed), of(events, TriggerQueued)) == ([], [])  # Dracos has nothing to say
    assert [(event.card, event.hero, event.verb) for event in of(events, ReplacementApplied)] == [
        ("decoy_doll", "peanut", "destroy")
    ]
    assert (state.cards_in_hand(0), state.agenda[-1].question_name()) == (
        ("wildshot",),
        "hts.Turn",
    )  # paid, and no second try


@pytest.mark.clause("HTS-REPL-2", "HTS-AMB-35")
def test_the_doll_goes_in_place_of_its_hero_by_itself_but_not_against_stealing_or_moving() -> None:
    parties = {0: ["bad_axe", "hopper", "kit_napper"], 1: [("tipsy_tootie", "decoy_doll")]}
    for hero in ("bad_axe", "hopper"):
        events, state = succeeds(table([], [], parties=parties), hero)
        assert [event.put for event in of(events, ItemGaveWay)] == [("decoy_doll",)]
        assert (state.party_of(1), state.cards_at(DISCARD), asked(state)) == (("tipsy_tootie",), ("decoy_doll",), {0})
    events, state = succeeds(table([], [], parties=parties), "kit_napper")
    assert (of(events, ItemGaveWay), state.party_of(0)[-1], state.item_of("tipsy_tootie")) == (
        [],
        "tipsy_tootie",
        "decoy_doll",
    )
    events, state = succeeds(table([], [], parties=parties, turn=1), "tipsy_tootie", ChooseCard("bad_axe"), seat=1)
    assert (of(events, ItemGaveWay), state.item_of("tipsy_tootie")) == ([], "decoy_doll")
    assert state.controller_of("tipsy_tootie") == 0


@pytest.mark.clause("HTS-REPL-3")
def test_the_owner_of_sabretooth_may_steal_each_hero_that_is_to_be_destroyed() -> None:
    parties = {0: ["fluffy"], 1: [("peanut", "bard_mask"), "hook"]}
    state = table([], [], parties=parties, slain={0: ["corrupted_sabretooth"]})
    _, state = succeeds(state, "fluffy", ChooseCard("peanut"))  # the second can only be Hook
    assert offered(state, 0) == [Decline(), Accept()]
    events, state = when(state, 0, Accept())
    assert ([event.put for event in of(events, HeroStolen)], state.item_of("peanut")) == ([("peanut",)], "bard_mask")
    assert offered(state, 0) == [Decline(), Accept()]  # asked for each hero
    events, state = when(state, 0, Decline())
    assert ([event.put for event in of(events, HeroDestroyed)], state.party_of(0)) == (
        [("hook",)],
        ("fluffy", "peanut"),
    )


@pytest.mark.clause("HTS-REPL-3")
def test_sabretooth_looks_neither_at_sacrifices_nor_at_what_others_destroy() -> None:
    parties = {0: ["bad_axe", "hopper"], 1: ["peanut"]}
    events, state = succeeds(table([], [], parties=parties, slain={1: ["corrupted_sabretooth"]}), "bad_axe")
    assert (names(events)[-1], asked(state)) == ("HeroDestroyed", {0})
    events, state = succeeds(table([], [], parties=parties, slain={0: ["corrupted_sabretooth"]}), "hopper")
    assert (names(events)[-1], state.cards_at(DISCARD)) == ("HeroSacrificed", ("peanut",))


def doll_and_sabretooth(before_doll: bool, *protection: LastingEffect) -> Table:
    """Bad Axe of a player with Corrupted Sabretooth has succeeded against a hero with a Decoy Doll."""
    parties, rules = {0: ["bad_axe"], 1: [("peanut", "decoy_doll")]}, {"sabretooth_before_doll": before_doll}
    state = table([], [], parties=parties, slain={0: ["corrupted_sabretooth"]}, rules=rules, lasting=protection)
    return succeeds(state, "bad_axe")[1]


@pytest.mark.clause("HTS-REPL-4", "HTS-AMB-37")
def test_protection_comes_first_then_sabretooth_then_the_doll() -> None:
    state = doll_and_sabretooth(True, lasting("no_destroy", 1))
    assert (state.item_of("peanut"), state.agenda[-1].question_name()) == ("decoy_doll", "hts.Turn")
    state = doll_and_sabretooth(True)
    assert offered(state, 0) == [Decline(), Accept()]
    stolen = then(state, 0, Accept())
    assert (stolen.controller_of("peanut"), stolen.item_of("peanut")) == (0, "decoy_doll")  # the doll goes along
    events, kept = when(state, 0, Decline())
    assert (names(events), kept.party_of(1), kept.item_of("peanut")) == (["Replaced", "GaveWay"], ("peanut",), None)


@pytest.mark.clause("HTS-REPL-4", "HTS-AMB-37")
def test_with_the_setting_off_the_doll_works_first_and_no_steal_is_offered() -> None:
    state = doll_and_sabretooth(False)
    assert (state.party_of(1), state.item_of("peanut"), state.cards_at(DISCARD)) == (("peanut",), None, ("decoy_doll",))
    assert state.agenda[-1].question_name() == "hts.Turn"
    parties, rules = {0: ["bad_axe"], 1: ["peanut"]}, {"sabretooth_before_doll": False}
    state = table([], [], parties=parties, slain={0: ["corrupted_sabretooth"]}, rules=rules)
    assert offered(succeeds(state, "bad_axe")[1], 0) == [Decline(), Accept()]  # without a doll there is the offer


@pytest.mark.clause("HTS-REPL-5")
def test_a_hero_with_a_doll_may_be_chosen_for_a_sacrifice_even_that_of_an_attack() -> None:
    state = table([], [], parties={0: [("peanut", "decoy_doll"), "hook"]}, row=["terratuga"])
    _, state = rolls(then(state, 0, Attack("terratuga")), 1, 1)
    events, state = when(state, 0, ChooseCards(("peanut",)))
    assert ([event.put for event in of(events, ItemGaveWay)], state.party_of(0)) == (
        [("decoy_doll",)],
        ("peanut", "hook"),
    )


@pytest.mark.clause("HTS-AMB-35", "HTS-AMB-38", "HTS-REPL-1")
def test_shurikitty_gets_no_item_of_a_hero_that_was_not_destroyed() -> None:
    parties = {0: ["shurikitty"], 1: [("peanut", "decoy_doll")]}
    events, state = succeeds(table([], [], parties=parties), "shurikitty")
    assert (of(events, ItemReturned), state.cards_at(DISCARD), state.cards_in_hand(0)) == ([], ("decoy_doll",), ())
    parties = {0: ["shurikitty"], 1: [("peanut", "bard_mask")]}
    state = table([], [], parties=parties, slain={0: ["corrupted_sabretooth"]})
    _, state = succeeds(state, "shurikitty")
    events, stolen = when(state, 0, Accept())
    assert (of(events, ItemReturned), stolen.item_of("peanut"), stolen.cards_in_hand(0)) == ([], "bard_mask", ())
    events, destroyed = when(state, 0, Decline())
    assert (destroyed.cards_in_hand(0), of(events, ItemLost), destroyed.cards_at(DISCARD)) == (
        ("bard_mask",),
        [],
        ("peanut",),
    )


# ---- until ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-UNTIL-1", "HTS-AMB-21")
def test_a_bonus_lasts_to_the_end_of_the_own_turn_and_does_not_hang_on_the_card() -> None:
    state = table(["enchanted_spell"], [], parties={0: ["peanut", "wise_shield"], 1: ["hook"]}, leaders=QUIET)
    _, state = succeeds(state, "wise_shield")
    _, state = stands(state, 0, PlayCard("enchanted_spell"))
    zones = {**state.zones, PARTIES[0]: ("peanut",)}  # Wise Shield has left
    state = replace(state, zones=zones)
    events, _ = rolls(then(state, 0, RollFor("peanut")), 1, 1)
    assert settlements(events) == [(7, "success")]
    events, state = when(state, 0, EndTurn())
    assert (names(events), state.lasting) == (["TurnEnded", "LastingEnded", "TurnStarted"], ())


@pytest.mark.clause("HTS-UNTIL-1", "HTS-AMB-21")
def test_enchanted_spell_outside_the_own_turn_lasts_to_the_end_of_the_own_next_turn() -> None:
    parties = {0: ["plundering_puma"], 1: ["hook"]}
    state = table([], ["challenge"], parties=parties, slain={1: ["orthus"]}, deck=["enchanted_spell"], leaders=QUIET)
    _, state = succeeds(state, "plundering_puma")
    state = then(state, 1, Accept(), ChooseCard("enchanted_spell"))
    assert [(each.seat, each.value) for each in state.lasting] == [(1, 2)]
    state = then(state, 0, EndTurn())
    events, state = rolls(then(state, 1, RollFor("hook")), 2, 2)
    assert settlements(events) == [(6, "success")]
    state = then(state, 1, Decline(), EndTurn())
    assert (state.active, state.lasting) == (0, ())


@pytest.mark.clause("HTS-UNTIL-1", "HTS-AMB-21")
@pytest.mark.parametrize("seat", [0, 1])
def test_such_a_bonus_counts_on_attacks_and_on_both_sides_of_a_challenge(seat: int) -> None:
    bonus = (LastingEffect("enchanted_spell", seat, "roll_bonus", "own_turn_end", 2),)
    leaders = {0: "the_charismatic_song", 1: "the_cloaked_sage"}
    parties = {0: ["fluffy"]}
    state = table(["peanut"], ["challenge"], parties=parties, leaders=leaders, row=["terratuga"], lasting=bonus)
    _, challenged = when(then(state, 0, PlayCard("peanut")), 1, Challenge())
    events, _ = dice(challenged, 3, 3, 3, 3)  # challenger and challenged; nobody has a card left
    assert [total for total, _ in settlements(events)] == ([6, 8] if seat == 0 else [8, 6])
    events, _ = rolls(then(state, 0, Attack("terratuga")), 4, 5)
    assert settlements(events) == [(11, "slay") if seat == 0 else (9, "nothing")]


@pytest.mark.clause("HTS-UNTIL-1")
def test_iron_resolve_ends_with_the_turn() -> None:
    state = table(["peanut"], ["challenge"], parties={0: ["iron_resolve"]}, leaders=QUIET)
    _, state = succeeds(state, "iron_resolve")
    assert asked(then(state, 0, PlayCard("peanut"))) == {0}
    state = then(then(state, 0, EndTurn()), 1, EndTurn())
    assert asked(then(state, 0, PlayCard("peanut"))) == {1}


@pytest.mark.clause("HTS-UNTIL-2")
def test_until_the_next_turn_starts_means_the_moment_it_starts() -> None:
    state = table([], [], parties={0: ["mighty_blade"]}, leaders=QUIET)
    _, state = succeeds(state, "mighty_blade")
    state = then(state, 0, EndTurn())
    assert [each.what for each in state.lasting] == ["no_destroy"]
    events, state = when(state, 1, EndTurn())
    assert names(events) == ["TurnEnded", "LastingEnded", "TurnStarted"]
    assert (state.active, state.lasting) == (0, ())
