"""What the slain monsters give to their owner, and when they do not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, Decline
from referee.games.here_to_slay.events.cards import CardDiscarded, CardDrawn
from referee.games.here_to_slay.events.heroes import HeroDestroyed, HeroStolen
from referee.games.here_to_slay.events.plays import ValueAdded
from referee.games.here_to_slay.moves import Challenge, EndTurn, Modify, PlayCard, RollFor
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import (
    attacked,
    challenged,
    dice,
    effect,
    names,
    offered,
    owner,
    rolled_for,
    settlements,
    table,
)

QUIET = {0: "the_cloaked_sage", 1: "the_divine_arrow"}


# ---- standing values: Anuran Cauldron, Dark Dragon King, Titan Wyvern ----------------------------------------


@pytest.mark.card("anuran_cauldron", "dark_dragon_king", "titan_wyvern")
@pytest.mark.clause("HTS-DO-29", "HTS-ROLL-9", "HTS-AMB-9", "HTS-AMB-23")
@pytest.mark.parametrize(
    ("monster", "hero", "attack", "challenger", "challenged_"),
    [("anuran_cauldron", 7, 7, 7, 7), ("dark_dragon_king", 7, 6, 6, 6), ("titan_wyvern", 6, 6, 7, 7)],
)
def test_it_adds_one_to_the_rolls_it_names_and_does_not_to_others(
    monster: str, hero: int, attack: int, challenger: int, challenged_: int
) -> None:
    state = owner(monster, ["hook", "challenge"], ["challenge", "bun_bun"], row=["arctic_aries"])
    assert settlements(rolled_for(state, "peanut", 3, 3)[0])[0][0] == hero
    assert settlements(attacked(state, "arctic_aries", 3, 3)[0])[0][0] == attack
    totals = [total for total, _ in settlements(challenged(state, 0, "hook", 1, (3, 3), (3, 3))[0])]
    assert totals == [6, challenged_]
    totals = [
        total for total, _ in settlements(challenged(then(state, 0, EndTurn()), 1, "bun_bun", 0, (3, 3), (3, 3))[0])
    ]
    assert totals == [challenger, 6]


@pytest.mark.card("anuran_cauldron", "dark_dragon_king", "titan_wyvern")
@pytest.mark.clause("HTS-MON-12", "HTS-ROLL-9")
@pytest.mark.parametrize("monster", ["anuran_cauldron", "dark_dragon_king", "titan_wyvern"])
def test_it_gives_nothing_to_others_nor_while_it_lies_in_the_row(monster: str) -> None:
    state = owner(monster, ["challenge"], ["bun_bun"], parties={1: ["mellow_dee"]}, turn=1)
    assert settlements(rolled_for(state, "mellow_dee", 3, 3, seat=1)[0]) == [(6, "failure")]
    lying = table(["hook"], ["challenge"], parties={0: ["peanut"]}, row=[monster], leaders=QUIET)
    assert settlements(rolled_for(lying, "peanut", 3, 3)[0]) == [(6, "failure")]
    assert [total for total, _ in settlements(challenged(lying, 0, "hook", 1, (3, 3), (3, 3))[0])] == [6, 6]


# ---- modifiers: Abyss Queen, Crowned Serpent -----------------------------------------------------------------


@pytest.mark.card("abyss_queen")
@pytest.mark.clause("HTS-DO-45", "HTS-DO-28", "HTS-AMB-19")
@pytest.mark.parametrize(("card", "value"), [("modifier_plus_4", 4), ("modifier_minus_4", -4)])
def test_abyss_queen_adds_one_for_each_modifier_of_another_player_helpful_or_harmful(card: str, value: int) -> None:
    state = owner("abyss_queen", [], [card, card])
    _, state = dice(then(state, 0, RollFor("peanut")), 3, 3)
    events, state = when(state, 1, Modify(card, value, 0))
    assert of(events, ValueAdded) == [ValueAdded(0, "abyss_queen", 1, 0)]
    events, state = when(state, 1, Modify(card, value, 0))
    assert settlements(events)[0][0] == 6 + 2 * (value + 1)


@pytest.mark.card("abyss_queen")
@pytest.mark.clause("HTS-DO-45", "HTS-AMB-19")
def test_abyss_queen_does_not_add_for_own_modifiers_nor_to_the_rolls_of_others() -> None:
    _, state = dice(then(owner("abyss_queen", ["modifier_plus_4"], []), 0, RollFor("peanut")), 3, 3)
    events, state = when(state, 0, Modify("modifier_plus_4", 4, 0))
    assert settlements(events) == [(10, "success")]
    state = owner("abyss_queen", ["hook"], ["challenge", "modifier_plus_4", "modifier_minus_4"])
    _, state = dice(then(then(state, 0, PlayCard("hook")), 1, Challenge()), 3, 3, 3, 3)
    events, state = when(state, 1, Modify("modifier_plus_4", 4, 1))
    assert of(events, ValueAdded) == []
    events, state = when(state, 1, Modify("modifier_minus_4", -4, 0))
    assert [total for total, _ in settlements(events)] == [10, 3]


@pytest.mark.card("crowned_serpent")
@pytest.mark.clause("HTS-DO-45", "HTS-DO-43", "HTS-DO-1", "HTS-AMB-20", "HTS-MOD-12")
def test_crowned_serpent_offers_a_card_for_every_modifier_of_anybody_to_be_used_at_once() -> None:
    state = owner("crowned_serpent", [], ["modifier_plus_4"], [], parties={2: ["mellow_dee"]}, turn=2,
                  deck=["modifier_minus_4"])  # fmt: skip
    _, state = dice(then(state, 2, RollFor("mellow_dee")), 3, 3)
    state = then(state, 1, Modify("modifier_plus_4", 4, 2))
    assert offered(state, 0) == [Decline(), Accept()]
    events, state = when(state, 0, Accept())
    assert names(events) == ["CardDrawn"]
    state = then(state, 0, Modify("modifier_minus_4", -4, 2))
    assert offered(state, 0) == [Decline(), Accept()]  # for the own one as well
    events, state = when(state, 0, Decline())
    assert settlements(events) == [(6, "failure")]


@pytest.mark.card("crowned_serpent")
@pytest.mark.clause("HTS-DO-45", "HTS-MAY-2", "HTS-AMB-18", "HTS-AMB-20")
def test_crowned_serpent_gives_nothing_when_declined_nor_for_passes_challenges_or_other_values() -> None:
    state = owner("crowned_serpent", ["modifier_plus_4", "hook"], ["challenge"])
    events, _rolled = rolled_for(state, "peanut", 3, 3)
    assert effect(events) == []
    events, lost = challenged(state, 0, "hook", 1, (4, 4), (3, 3))
    assert (of(events, CardDrawn), asked(lost)) == ([], {0})
    _, state = dice(then(state, 0, RollFor("peanut")), 1, 1)
    state = then(state, 0, Modify("modifier_plus_4", 4, 0))
    events, state = when(state, 0, Decline())
    assert (names(events), state.cards_in_hand(0)) == ([], ("hook",))


# ---- outcomes: Arctic Aries, Bloodwing, Dracos ---------------------------------------------------------------


@pytest.mark.card("arctic_aries")
@pytest.mark.clause("HTS-DO-46", "HTS-DO-43", "HTS-DO-1", "HTS-TRIG-2")
def test_arctic_aries_offers_a_card_after_a_successful_roll_and_its_effect() -> None:
    events, state = rolled_for(owner("arctic_aries", [], []), "peanut", 4, 3)
    assert effect(events) == ["CardDrawn", "CardDrawn"]
    assert offered(state, 0) == [Decline(), Accept()]
    events, state = when(state, 0, Accept())
    assert (names(events), len(state.cards_in_hand(0))) == (["CardDrawn"], 3)


@pytest.mark.card("arctic_aries")
@pytest.mark.clause("HTS-DO-46", "HTS-AMB-23", "HTS-AMB-21")
def test_arctic_aries_gives_nothing_for_failures_attacks_challenges_or_others() -> None:
    state = owner("arctic_aries", ["hook"], ["challenge"], row=["dracos"], parties={1: ["mellow_dee"]})
    for events, after in (
        rolled_for(state, "peanut", 3, 3),
        attacked(state, "dracos", 3, 2),
        rolled_for(then(state, 0, EndTurn()), "mellow_dee", 1, 6, seat=1),
    ):
        assert settlements(events)
        assert Accept() not in offered(after, 0)
    _, won = challenged(state, 0, "hook", 1, (3, 3), (4, 4))
    won = then(won, 0, Decline())  # the free roll, not an offer of the monster
    assert Accept() not in offered(won, 0)


@pytest.mark.card("bloodwing")
@pytest.mark.clause("HTS-DO-49", "HTS-DO-5", "HTS-AMB-8", "HTS-CHAL-7")
def test_bloodwing_makes_the_challenger_discard_a_card_before_the_dice() -> None:
    state = then(owner("bloodwing", ["hook"], ["challenge", "fluffy", "bun_bun"]), 0, PlayCard("hook"))
    events, state = when(state, 1, Challenge())
    assert (names(events), asked(state)) == (["ChallengeDeclared"], {1})
    events, state = when(state, 1, ChooseCards(("bun_bun",)))
    assert [event.seat for event in of(events, CardDiscarded)] == [1]
    events, state = dice(state, 3, 3, 4, 4)
    assert names(events) == ["DiceRolled", "DiceRolled"]
    assert state.cards_in_hand(1) == ("fluffy",)


@pytest.mark.card("bloodwing")
@pytest.mark.clause("HTS-DO-49", "HTS-AMB-8", "HTS-EACH-3")
def test_bloodwing_does_not_work_when_its_owner_challenges_nor_on_an_empty_hand() -> None:
    state = owner("bloodwing", ["challenge", "bad_axe"], ["hook", "fluffy"], turn=1)
    events, _ = challenged(state, 1, "hook", 0, (3, 3), (4, 4))
    assert of(events, CardDiscarded) == []
    events, _ = challenged(owner("bloodwing", ["hook"], ["challenge"]), 0, "hook", 1, (3, 3), (4, 4))
    assert of(events, CardDiscarded) == []
    theirs = owner("bloodwing", ["bun_bun"], ["hook", "fluffy"], ["challenge", "bad_axe"], turn=1)
    events, _ = when(then(theirs, 1, PlayCard("hook")), 2, Challenge())
    assert (names(events), of(events, CardDiscarded)) == (["ChallengeDeclared"], [])


@pytest.mark.card("dracos")
@pytest.mark.clause("HTS-DO-50", "HTS-DO-43", "HTS-DO-1")
def test_dracos_offers_a_card_for_each_own_hero_destroyed() -> None:
    state = owner("dracos", [], [], party=["hook", "peanut", "bun_bun"], parties={1: ["fluffy"]}, turn=1)
    _, state = rolled_for(state, "fluffy", 5, 5, ChooseCard("hook"), ChooseCard("peanut"), seat=1)
    events, state = when(state, 0, Accept())
    assert len(of(events, CardDrawn)) == 1
    events, state = when(state, 0, Accept())
    assert (len(of(events, CardDrawn)), len(state.cards_in_hand(0)), asked(state)) == (1, 2, {1})


@pytest.mark.card("dracos")
@pytest.mark.clause("HTS-DO-50", "HTS-AMB-35", "HTS-REPL-1")
def test_dracos_gives_nothing_for_a_sacrifice_a_theft_a_doll_or_the_heroes_of_others() -> None:
    for thief, total in (("hopper", 7), ("kit_napper", 9)):
        state = owner("dracos", [], [], parties={1: [thief]}, turn=1)
        events, state = rolled_for(state, thief, total - 4, 4, seat=1)
        assert (state.party_of(0), asked(state)) == ((), {1})
    doll = owner("dracos", [], [], party=[("peanut", "decoy_doll")], parties={1: ["bad_axe"]}, turn=1)
    assert asked(rolled_for(doll, "bad_axe", 4, 4, seat=1)[1]) == {1}
    theirs = owner("dracos", [], [], party=["bad_axe"], parties={1: ["hook"]})
    events, theirs = rolled_for(theirs, "bad_axe", 4, 4)
    assert effect(events) == ["HeroDestroyed"]
    assert Accept() not in offered(theirs, 0)


# ---- Corrupted Sabretooth, Terratuga -------------------------------------------------------------------------


@pytest.mark.card("corrupted_sabretooth")
@pytest.mark.clause("HTS-DO-21", "HTS-DO-19", "HTS-REPL-3", "HTS-REPL-1")
def test_corrupted_sabretooth_may_steal_each_hero_instead_of_destroying_it() -> None:
    state = owner("corrupted_sabretooth", [], [], party=["fluffy"], parties={1: [("hook", "bard_mask"), "bun_bun"]})
    _, state = rolled_for(state, "fluffy", 5, 5, ChooseCard("hook"))
    assert offered(state, 0) == [Decline(), Accept()]
    events, state = when(state, 0, Accept())
    assert names(events) == ["Replaced", "HeroStolen"]
    events, state = when(state, 0, Decline())
    assert names(events) == ["HeroDestroyed"]
    assert (state.party_of(0), state.party_of(1), state.item_of("hook")) == (("fluffy", "hook"), (), "bard_mask")


@pytest.mark.card("corrupted_sabretooth")
@pytest.mark.clause("HTS-REPL-3", "HTS-AMB-36", "HTS-PROT-3")
def test_corrupted_sabretooth_does_not_steal_what_is_safe_from_stealing_nor_for_sacrifices_or_others() -> None:
    safe = owner("corrupted_sabretooth", [], [], party=["bad_axe"], parties={1: ["calming_voice"]}, turn=1)
    _, safe = rolled_for(safe, "calming_voice", 5, 4, seat=1)
    events, safe = rolled_for(then(safe, 1, EndTurn()), "bad_axe", 4, 4)
    assert (effect(events), safe.party_of(1)) == (["HeroDestroyed"], ())
    events, _ = rolled_for(
        owner("corrupted_sabretooth", [], [], party=["hopper"], parties={1: ["hook"]}), "hopper", 4, 4
    )
    assert effect(events) == ["HeroSacrificed"]
    theirs = owner("corrupted_sabretooth", [], [], party=["hook"], parties={1: ["bad_axe"]}, turn=1)
    events, theirs = rolled_for(theirs, "bad_axe", 4, 4, seat=1)
    assert (effect(events), of(events, HeroStolen)) == (["HeroDestroyed"], [])


@pytest.mark.card("terratuga")
@pytest.mark.clause("HTS-DO-23", "HTS-PROT-1", "HTS-PROT-2", "HTS-AMB-36")
def test_terratuga_keeps_the_own_heroes_from_being_destroyed() -> None:
    state = owner("terratuga", [], [], [], parties={1: ["bad_axe"], 2: ["hook", "bun_bun"]}, turn=1)
    _, state = dice(then(state, 1, RollFor("bad_axe")), 4, 4)
    assert offered(state, 1) == [ChooseCard("hook"), ChooseCard("bun_bun")]
    assert refusal(state, 1, ChooseCard("peanut")).clauses[0] == "HTS-PROT-1"


@pytest.mark.card("terratuga")
@pytest.mark.clause("HTS-PROT-3")
def test_terratuga_does_not_keep_them_from_being_stolen_or_sacrificed() -> None:
    for hero, first in (("kit_napper", "HeroStolen"), ("hopper", "HeroSacrificed")):
        events, state = rolled_for(owner("terratuga", [], [], parties={1: [hero]}, turn=1), hero, 5, 4, seat=1)
        assert (effect(events), state.party_of(0)) == ([first], ())
    events, _ = rolled_for(owner("terratuga", [], [], party=["bad_axe"], parties={1: ["hook"]}), "bad_axe", 4, 4)
    assert len(of(events, HeroDestroyed)) == 1
