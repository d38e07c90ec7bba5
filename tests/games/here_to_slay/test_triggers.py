"""What sets a card off, when it is carried out, and who decides about the order."""

from __future__ import annotations

import pytest

from referee.cardscript.language.builtins import OfferTo
from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, Decline
from referee.games.here_to_slay.components import FACES, PROGRAMS, ROW
from referee.games.here_to_slay.events.cards import CardDrawn, LotDrawn
from referee.games.here_to_slay.events.plays import ValueAdded
from referee.games.here_to_slay.moves import Attack, DrawOne, Modify, PlayCard, RedrawHand, RollFor
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, passes, rolls, stands, succeeds, table

QUIET = {0: "the_divine_arrow", 1: "the_fist_of_reason", 2: "the_shadow_claw"}


@pytest.mark.clause("HTS-TRIG-1", "HTS-AMB-53")
def test_a_trigger_waits_for_the_end_of_the_frame_so_wildshot_discards_before_orthus_asks() -> None:
    deck = ["critical_boost", "hook", "peanut"]
    state = table([], [], parties={0: ["wildshot"]}, slain={0: ["orthus"]}, leaders=QUIET, deck=deck)
    _, state = succeeds(state, "wildshot")
    assert set(offered(state, 0)) == {ChooseCards((card,)) for card in deck}
    state = then(state, 0, ChooseCards(("hook",)))
    assert set(offered(state, 0)) == {Decline(), ChooseCard("critical_boost")}


@pytest.mark.clause("HTS-TRIG-1", "HTS-MOD-12")
def test_the_frame_of_a_modifier_ends_before_anybody_plays_or_passes_again() -> None:
    state = table(["hook"], ["modifier_plus_4"], ["fluffy"], parties={0: ["peanut"]}, leaders=QUIET,
                  slain={2: ["crowned_serpent"]})  # fmt: skip
    _, state = dice(then(state, 0, RollFor("peanut")), 3, 3)
    state = then(state, 1, Modify("modifier_plus_4", 4, 0))
    assert asked(state) == {2}
    assert offered(state, 2) == [Decline(), Accept()]


@pytest.mark.clause("HTS-TRIG-2")
def test_in_a_hero_roll_the_effect_with_its_triggers_comes_before_those_of_the_outcome() -> None:
    parties = {0: [("peanut", "suspiciously_shiny_coin")]}
    state = table(["challenge"], [], parties=parties, slain={0: ["orthus", "arctic_aries"]}, leaders=QUIET,
                  deck=["critical_boost", "hook"])  # fmt: skip
    events, state = succeeds(state, "peanut")
    assert names(events)[-2:] == ["CardDrawn", "CardDrawn"]
    assert set(offered(state, 0)) == {Decline(), ChooseCard("critical_boost")}  # Orthus, noted in the effect
    state = then(state, 0, Decline())
    assert set(offered(state, 0)) == {ChooseCard("suspiciously_shiny_coin"), ChooseCard("arctic_aries")}


@pytest.mark.clause("HTS-TRIG-2", "HTS-MON-10")
def test_in_an_attack_the_triggers_come_last() -> None:
    parties = {0: ["peanut", "hook", "fluffy"]}
    state = table([], [], parties=parties, slain={0: ["orthus"]}, row=["corrupted_sabretooth"], deck=["critical_boost"])
    events, state = rolls(then(state, 0, Attack("corrupted_sabretooth")), 6, 6)
    assert names(events)[-3:] == ["MonsterSlain", "CardDrawn", "MonsterTurnedUp"]
    assert len(state.cards_at(ROW)) == 1
    assert set(offered(state, 0)) == {Decline(), ChooseCard("critical_boost")}


@pytest.mark.clause("HTS-TRIG-2", "HTS-MAGIC-1")
def test_magic_lies_in_the_discard_pile_before_its_triggers() -> None:
    state = table(["critical_boost"], [], slain={0: ["orthus"]}, leaders={0: "the_cloaked_sage"},
                  deck=["enchanted_spell", "hook", "peanut"])  # fmt: skip
    _, state = stands(state, 0, PlayCard("critical_boost"))
    events, state = when(state, 0, ChooseCards(("hook",)))
    assert names(events)[-2:] == ["CardDiscarded", "MagicPlayed"]
    assert set(offered(state, 0)) == {ChooseCard("orthus"), ChooseCard("the_cloaked_sage")}


@pytest.mark.clause("HTS-TRIG-3")
def test_owner_by_owner_clockwise_from_the_active_player() -> None:
    leaders = {0: "the_divine_arrow", 1: "the_charismatic_song", 2: "the_protecting_horn"}
    state = table(["hook"], [], ["modifier_minus_4"], parties={1: ["peanut"]}, turn=1, leaders=leaders,
                  slain={0: ["crowned_serpent"], 1: ["abyss_queen"]})  # fmt: skip
    _, state = dice(then(state, 1, RollFor("peanut")), 6, 6)
    events, state = when(state, 2, Modify("modifier_minus_4", -4, 1))
    assert [event.source for event in of(events, ValueAdded)] == ["abyss_queen"]  # of seat 1, whose turn it is
    assert asked(state) == {2}
    state = then(state, 2, Decline())
    assert asked(state) == {0}


@pytest.mark.clause("HTS-TRIG-3")
def test_each_owner_chooses_the_order_of_the_own_triggers() -> None:
    leaders = {**QUIET, 1: "the_protecting_horn"}
    state = table([], ["modifier_minus_4"], parties={0: ["peanut"]}, leaders=leaders, slain={1: ["crowned_serpent"]})
    _, state = dice(then(state, 0, RollFor("peanut")), 3, 3)
    state = then(state, 1, Modify("modifier_minus_4", -4, 0))
    assert set(offered(state, 1)) == {ChooseCard("the_protecting_horn"), ChooseCard("crowned_serpent")}
    assert refusal(state, 1, Accept()).clauses == ("HTS-TRIG-3",)
    first = then(state, 1, ChooseCard("crowned_serpent"))
    assert offered(first, 1) == [Decline(), Accept()]
    second = then(first, 1, Decline())
    assert second.agenda[-1].question_name() == "choose.value"  # the other one follows
    assert then(state, 1, ChooseCard("the_protecting_horn")).agenda[-1].question_name() == "choose.value"


@pytest.mark.clause("HTS-TRIG-4")
def test_what_a_trigger_causes_comes_before_the_remaining_triggers() -> None:
    parties = {0: [("napping_nibbles", "suspiciously_shiny_coin")]}
    state = table(["challenge"], [], parties=parties, slain={0: ["orthus", "arctic_aries"]}, leaders=QUIET,
                  deck=["forceful_winds"])  # fmt: skip
    _, state = succeeds(state, "napping_nibbles")
    state = then(state, 0, ChooseCard("arctic_aries"), Accept())
    assert set(offered(state, 0)) == {Decline(), ChooseCard("forceful_winds")}  # Orthus, because of that draw
    events, state = when(state, 0, Decline())
    assert (names(events), state.agenda[-1].question_name()) == ([], "hts.GiveUp")  # the coin is the last


@pytest.mark.clause("HTS-TRIG-5")
def test_a_trigger_fires_once_for_each_card_and_lapses_if_the_card_is_gone() -> None:
    deck = ["critical_boost", "enchanted_spell", "peanut"]
    state = table([], [], parties={0: ["wildshot"]}, slain={0: ["orthus"]}, leaders=QUIET, deck=deck)
    _, state = succeeds(state, "wildshot")
    state = then(state, 0, ChooseCards(("critical_boost",)))
    assert set(offered(state, 0)) == {Decline(), ChooseCard("enchanted_spell")}
    assert refusal(state, 0, ChooseCard("critical_boost")).reason == "not_there_any_more"
    events, state = stands(state, 0, ChooseCard("enchanted_spell"))
    assert names(events) == ["PlayAnnounced", "PlayStood", "LastingBegan", "MagicPlayed"]
    assert offered(state, 0) == [Decline()]  # for what is left of the lot: the played card is not offered again


@pytest.mark.clause("HTS-TRIG-6", "HTS-AMB-52", "HTS-DO-1")
def test_the_cards_of_one_order_are_one_lot_asked_for_power_by_power_and_card_by_card() -> None:
    deck = ["enchanted_spell", "bard_mask", "forceful_winds", "peanut", "thief_mask"]
    parties, slain = {0: ["hook", "fluffy", "spooky"]}, {0: ["malamammoth", "orthus"]}
    state = table([], [], parties=parties, slain=slain, leaders=QUIET, deck=deck)
    events, state = when(state, 0, RedrawHand())
    assert (len(of(events, CardDrawn)), [event.cards for event in of(events, LotDrawn)]) == (5, [tuple(deck)])
    assert set(offered(state, 0)) == {ChooseCard("malamammoth"), ChooseCard("orthus")}
    state = then(state, 0, ChooseCard("orthus"))
    assert set(offered(state, 0)) == {Decline(), ChooseCard("enchanted_spell"), ChooseCard("forceful_winds")}
    assert refusal(state, 0, ChooseCard("bard_mask")).reason == "another_kind"
    state = then(state, 0, ChooseCard("forceful_winds"))
    assert set(offered(state, 0)) == {Decline(), ChooseCard("enchanted_spell")}  # asked again for the rest
    state = then(state, 0, Decline())
    assert set(offered(state, 0)) == {Decline(), ChooseCard("bard_mask"), ChooseCard("thief_mask")}
    state = then(state, 0, ChooseCard("thief_mask"), ChooseCard("fluffy"))
    assert set(offered(state, 0)) == {Decline(), ChooseCard("bard_mask")}
    state = then(state, 0, Decline())
    assert (state.active, state.cards_in_hand(0)) == (1, ("enchanted_spell", "bard_mask", "peanut"))


@pytest.mark.clause("HTS-TRIG-7", "HTS-AMB-68")
def test_which_abilities_are_offered_and_which_happen_by_themselves() -> None:
    offers, by_themselves = set(), set()
    for card, face in FACES.items():
        for trigger in face.triggers:
            first = PROGRAMS[card, trigger.text][0].effect
            may = isinstance(first, OfferTo) or getattr(first, "optional", False)
            (offers if may else by_themselves).add(card)
        for replacement in face.replacements:
            (offers if replacement.may else by_themselves).add(card)
    assert offers == {
        "the_cloaked_sage", "the_protecting_horn", "arctic_aries", "crowned_serpent", "dracos", "malamammoth", "orthus",
        "rex_major", "corrupted_sabretooth",
    }  # fmt: skip
    assert by_themselves == {
        "suspiciously_shiny_coin", "particularly_rusty_coin", "decoy_doll", "abyss_queen", "bloodwing",
    }  # fmt: skip


@pytest.mark.clause("HTS-TRIG-7")
def test_an_offered_ability_asks_its_owner_and_may_be_declined() -> None:
    state = table([], [], parties={0: ["napping_nibbles"]}, slain={0: ["arctic_aries"]}, leaders=QUIET)
    _, state = succeeds(state, "napping_nibbles")
    events, _ = when(state, 0, Decline())
    assert not of(events, CardDrawn)
    events, _ = when(state, 0, Accept())
    assert [event.seat for event in of(events, CardDrawn)] == [0]


@pytest.mark.clause("HTS-TRIG-5", "HTS-AMB-51")
def test_a_drawn_card_is_offered_by_its_lot_only_and_not_a_turn_later() -> None:
    state = table([], [], slain={0: ["orthus"]}, leaders=QUIET, deck=["enchanted_spell", "peanut"])
    state = then(state, 0, DrawOne(), Decline())
    state = then(state, 0, DrawOne())
    assert offered(state, 0) == [Decline()]
    assert refusal(state, 0, ChooseCard("enchanted_spell")).reason == "not_among_these"


@pytest.mark.clause("HTS-TRIG-3")
def test_nobody_is_asked_for_an_order_where_there_is_but_one_trigger() -> None:
    state = table([], ["modifier_minus_4"], parties={0: ["peanut"]}, leaders={**QUIET, 1: "the_protecting_horn"})
    _, state = dice(then(state, 0, RollFor("peanut")), 3, 3)
    state = then(state, 1, Modify("modifier_minus_4", -4, 0))
    assert state.agenda[-1].question_name() == "choose.value"
    _, state = when(state, 1, Decline())
    assert passes(state)[1].agenda[-1].question_name() == "hts.Turn"
