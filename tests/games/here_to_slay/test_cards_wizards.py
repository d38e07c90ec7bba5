"""The eight wizards: what each of them does, and when it does not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards, ChoosePlayer, Decline
from referee.games.here_to_slay.components import DISCARD
from referee.games.here_to_slay.events.cards import CardDrawn, CardPulled, LotDrawn
from referee.games.here_to_slay.events.heroes import HeroDestroyed, HeroSacrificed, HeroStolen
from referee.games.here_to_slay.events.plays import PlayAnnounced, PlayLost
from referee.games.here_to_slay.moves import Challenge, EndTurn, RollFor
from referee.games.here_to_slay.values import LastingEffect
from tests.games.course import asked, of, pulled, refusal, then, when
from tests.games.here_to_slay.given import (
    amid,
    dice,
    effect,
    names,
    offered,
    passes,
    rolled_for,
    rolls_off,
    settlements,
    table,
    tried,
)


@pytest.mark.card("bun_bun", "buttons", "fluffy", "hopper", "snowball", "spooky", "whiskers", "wiggles")
@pytest.mark.clause("HTS-ROLL-6", "HTS-ROLL-7")
@pytest.mark.parametrize(
    ("hero", "needed"),
    [("bun_bun", 5), ("buttons", 6), ("fluffy", 10), ("hopper", 7), ("snowball", 6), ("spooky", 10), ("whiskers", 11),
     ("wiggles", 10)],
)  # fmt: skip
def test_a_wizard_one_short_of_the_requirement_does_nothing(hero: str, needed: int) -> None:
    before = amid(hero)
    events, state = tried(before, hero, needed - 1)
    assert settlements(events) == [(needed - 1, "failure")]
    assert effect(events) == []
    assert state.zones == before.zones
    assert settlements(tried(before, hero, needed)[0])[0] == (needed, "success")


# ---- Bun Bun -------------------------------------------------------------------------------------------------


@pytest.mark.card("bun_bun")
@pytest.mark.clause("HTS-DO-11", "HTS-AMB-51")
def test_bun_bun_takes_magic_from_the_discard_pile() -> None:
    discard = ["enchanted_spell", "hook", "forced_exchange"]
    state = table([], [], parties={0: ["bun_bun"]}, discard=discard, slain={0: ["orthus"]})
    _, state = rolled_for(state, "bun_bun", 3, 2)
    assert offered(state, 0) == [ChooseCard("enchanted_spell"), ChooseCard("forced_exchange")]
    events, state = when(state, 0, ChooseCard("forced_exchange"))
    assert of(events, LotDrawn) == []  # taken, not drawn: Orthus is not asked
    assert asked(state) == {0}
    assert (state.cards_in_hand(0), state.cards_at(DISCARD)) == (("forced_exchange",), ("enchanted_spell", "hook"))


@pytest.mark.card("bun_bun")
@pytest.mark.clause("HTS-DO-11")
def test_bun_bun_takes_nothing_if_no_magic_lies_there() -> None:
    events, state = rolled_for(table([], [], parties={0: ["bun_bun"]}, discard=["hook"]), "bun_bun", 3, 2)
    assert settlements(events) == [(5, "success")]
    assert (effect(events), state.cards_in_hand(0)) == ([], ())


# ---- Buttons -------------------------------------------------------------------------------------------------


@pytest.mark.card("buttons")
@pytest.mark.clause("HTS-DO-6", "HTS-DO-31", "HTS-DO-40", "HTS-DO-43")
def test_buttons_may_play_pulled_magic_for_free() -> None:
    state = table([], ["enchanted_spell", "hook"], parties={0: ["buttons"]})
    _, state = pulled(rolled_for(state, "buttons", 3, 3)[1], "enchanted_spell")
    events, state = when(state, 0, ChooseCard("enchanted_spell"))
    more, state = passes(state)
    assert names(events + more) == ["PlayAnnounced", "PlayStood", "LastingBegan", "MagicPlayed"]
    assert of(events, PlayAnnounced)[0].immediate
    assert (state.points, state.cards_in_hand(1), state.lasting[0].value) == (2, ("hook",), 2)


@pytest.mark.card("buttons")
@pytest.mark.clause("HTS-DO-40", "HTS-MAY-3", "HTS-ASK-3")
def test_buttons_does_not_play_another_kind_nor_magic_held_before() -> None:
    state = table(["enchanted_spell"], ["hook"], parties={0: ["buttons"]})
    _, state = rolled_for(state, "buttons", 3, 3)
    assert offered(state, 0) == [Decline()]
    assert refusal(state, 0, ChooseCard("enchanted_spell")).clauses[0] == "HTS-DO-12"
    assert refusal(state, 0, ChooseCard("hook")).clauses[0] == "HTS-DO-40"
    events, state = when(state, 0, Decline())
    assert (names(events), len(state.cards_in_hand(0))) == ([], 2)


# ---- Fluffy --------------------------------------------------------------------------------------------------


@pytest.mark.card("fluffy")
@pytest.mark.clause("HTS-DO-17", "HTS-TGT-3", "HTS-AMB-59")
def test_fluffy_destroys_two_heroes_of_different_players_in_order() -> None:
    state = table([], [], [], parties={0: ["fluffy"], 1: ["hook", "peanut"], 2: ["bun_bun"]})
    events, state = rolled_for(state, "fluffy", 5, 5, ChooseCard("bun_bun"), ChooseCard("peanut"))
    assert [event.put for event in of(events, HeroDestroyed)] == [("bun_bun",), ("peanut",)]
    assert (state.party_of(1), state.party_of(2)) == (("hook",), ())


@pytest.mark.card("fluffy")
@pytest.mark.clause("HTS-DO-17", "HTS-AMB-59", "HTS-TEXT-2")
def test_fluffy_may_not_name_the_same_hero_twice_and_destroys_one_if_there_is_but_one() -> None:
    parties = {0: ["fluffy"], 1: [("hook", "decoy_doll"), "peanut", "bun_bun"], 2: ["hopper"]}
    state = table([], [], [], parties=parties, slain={2: ["terratuga"]})
    _, state = dice(then(state, 0, RollFor("fluffy")), 5, 5)
    state = then(state, 0, ChooseCard("hook"))
    assert refusal(state, 0, ChooseCard("hook")).clauses == ("HTS-AMB-59",)
    assert refusal(state, 0, ChooseCard("hopper")).clauses[0] == "HTS-PROT-1"
    events, one = rolled_for(table([], [], parties={0: ["fluffy"], 1: ["hook"]}), "fluffy", 5, 5)
    assert effect(events) == ["HeroDestroyed"]
    assert one.party_of(1) == ()


# ---- Hopper, Spooky ------------------------------------------------------------------------------------------


@pytest.mark.card("hopper")
@pytest.mark.clause("HTS-DO-38", "HTS-DO-18", "HTS-TGT-6")
def test_hopper_makes_a_player_sacrifice_a_hero_of_their_choice() -> None:
    state = table([], [], [], parties={0: ["hopper"], 1: [("hook", "bard_mask"), "peanut"], 2: ["bun_bun"]})
    _, state = rolled_for(state, "hopper", 4, 3, ChoosePlayer(1))
    assert asked(state) == {1}
    assert refusal(state, 1, ChooseCards(("bun_bun",))).clauses == ("HTS-VERB-4",)
    events, state = when(state, 1, ChooseCards(("hook",)))
    assert names(events)[-2:] == ["HeroSacrificed", "ItemLost"]
    assert (state.party_of(1), state.cards_at(DISCARD)) == (("peanut",), ("hook", "bard_mask"))


@pytest.mark.card("hopper")
@pytest.mark.clause("HTS-TGT-2", "HTS-TGT-1", "HTS-LEAD-2", "HTS-PROT-3")
def test_hopper_may_not_name_a_player_without_heroes_but_protection_from_destroying_does_not_help() -> None:
    parties = {0: ["hopper"], 1: ["hook"], 2: ["bun_bun"]}
    unstolen = (LastingEffect("calming_voice", 1, "no_steal", "own_turn_start"),)
    state = table([], [], [], ["challenge"], parties=parties, slain={1: ["terratuga"]}, lasting=unstolen)
    _, state = dice(then(state, 0, RollFor("hopper")), 4, 3)
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(2)]
    assert refusal(state, 0, ChoosePlayer(3)).clauses[0] == "HTS-TGT-2"  # there is only the leader
    events, state = passes(then(state, 0, ChoosePlayer(1)))
    assert effect(events) == ["HeroSacrificed"]
    assert state.party_of(1) == ()


@pytest.mark.card("spooky")
@pytest.mark.clause("HTS-DO-39", "HTS-DO-18", "HTS-EACH-2", "HTS-AMB-54")
def test_spooky_makes_everybody_else_sacrifice_a_hero_unseen_and_clockwise() -> None:
    parties = {0: ["bad_axe"], 1: ["spooky"], 2: ["hook", "peanut"]}
    state = table([], [], [], parties=parties, turn=1)
    _, state = rolled_for(state, "spooky", 5, 5, seat=1)
    assert asked(state) == {2}  # seat 0 has no choice
    events, state = when(state, 2, ChooseCards(("peanut",)))
    assert [event.seat for event in of(events, HeroSacrificed)] == [2, 0]
    assert (state.party_of(0), state.party_of(1), state.party_of(2)) == ((), ("spooky",), ("hook",))


@pytest.mark.card("spooky")
@pytest.mark.clause("HTS-EACH-3", "HTS-REPL-2", "HTS-REPL-5")
def test_spooky_does_not_touch_its_own_party_nor_a_player_without_heroes_nor_a_hero_with_a_doll() -> None:
    state = table([], [], [], parties={0: ["spooky", "bad_axe"], 2: [("hook", "decoy_doll")]})
    events, state = rolled_for(state, "spooky", 5, 5)
    assert effect(events) == ["Replaced", "GaveWay"]
    assert of(events, HeroSacrificed) == []
    assert (state.party_of(0), state.party_of(2)) == (("spooky", "bad_axe"), ("hook",))


# ---- Snowball ------------------------------------------------------------------------------------------------


@pytest.mark.card("snowball")
@pytest.mark.clause("HTS-DO-1", "HTS-DO-40", "HTS-DO-43", "HTS-DO-31", "HTS-MAY-4")
def test_snowball_plays_the_magic_it_drew_and_draws_again() -> None:
    state = table([], [], parties={0: ["snowball"]}, deck=["enchanted_spell", "hook"])
    _, state = rolled_for(state, "snowball", 3, 3)
    assert offered(state, 0) == [Decline(), ChooseCard("enchanted_spell")]
    events, state = when(state, 0, ChooseCard("enchanted_spell"))
    assert names(events) == ["PlayAnnounced", "PlayStood", "LastingBegan", "MagicPlayed", "CardDrawn"]
    assert state.cards_in_hand(0) == ("hook",)


@pytest.mark.card("snowball")
@pytest.mark.clause("HTS-MAY-3", "HTS-MAY-4", "HTS-AMB-10", "HTS-NEST-4")
def test_snowball_does_not_draw_again_if_nothing_was_played_or_the_play_was_lost() -> None:
    state = table([], ["challenge"], parties={0: ["snowball"]}, deck=["enchanted_spell", "hook"])
    _, state = rolled_for(state, "snowball", 3, 3)
    assert of(when(state, 0, Decline())[0], CardDrawn) == []
    _, state = when(state, 0, ChooseCard("enchanted_spell"))
    _, state = when(state, 1, Challenge())
    events, state = rolls_off(state, (3, 3), (3, 3))
    assert len(of(events, PlayLost)) == 1
    assert of(events, CardDrawn) == []
    assert (state.cards_in_hand(0), state.lasting) == ((), ())
    other = table([], [], parties={0: ["snowball"]}, deck=["bard_mask", "hook"])
    _, other = rolled_for(other, "snowball", 3, 3)
    assert offered(other, 0) == [Decline()]
    assert then(other, 0, Decline()).cards_in_hand(0) == ("bard_mask",)


# ---- Whiskers, Wiggles ---------------------------------------------------------------------------------------


@pytest.mark.card("whiskers")
@pytest.mark.clause("HTS-DO-19", "HTS-DO-17", "HTS-TGT-3")
def test_whiskers_steals_one_hero_and_destroys_another() -> None:
    state = table([], [], [], parties={0: ["whiskers"], 1: ["hook", "peanut"], 2: [("bun_bun", "bard_mask")]})
    events, state = rolled_for(state, "whiskers", 6, 5, ChooseCard("hook"), ChooseCard("bun_bun"))
    assert effect(events) == ["HeroStolen", "HeroDestroyed", "ItemLost"]
    assert (state.party_of(0), state.party_of(1), state.party_of(2)) == (("whiskers", "hook"), ("peanut",), ())


@pytest.mark.card("whiskers")
@pytest.mark.clause("HTS-AMB-46", "HTS-TEXT-2")
def test_whiskers_does_not_destroy_what_it_steals_and_only_does_what_is_possible() -> None:
    events, state = rolled_for(table([], [], parties={0: ["whiskers"], 1: ["hook"]}), "whiskers", 6, 5)
    assert effect(events) == ["HeroStolen"]
    state = table([], [], parties={0: ["whiskers"], 1: ["hook", "peanut", "bun_bun"]})
    _, state = dice(then(state, 0, RollFor("whiskers")), 6, 5)
    assert refusal(then(state, 0, ChooseCard("hook")), 0, ChooseCard("hook")).clauses == ("HTS-AMB-59",)
    state = table([], [], parties={0: ["whiskers"], 1: ["hook", "peanut", "calming_voice"]}, turn=1)
    _, state = rolled_for(state, "calming_voice", 5, 4, seat=1)
    events, state = rolled_for(then(state, 1, EndTurn()), "whiskers", 6, 5, ChooseCard("peanut"))
    assert effect(events) == ["HeroDestroyed"]
    assert (of(events, HeroStolen), state.party_of(1)) == ([], ("hook", "calming_voice"))


@pytest.mark.card("wiggles")
@pytest.mark.clause("HTS-DO-19", "HTS-DO-32", "HTS-AMB-25")
def test_wiggles_steals_a_hero_and_rolls_for_it_at_once() -> None:
    state = table([], [], parties={0: ["wiggles"], 1: ["peanut"]})
    _, state = rolled_for(state, "wiggles", 5, 5)
    events, state = dice(state, 4, 3)
    assert names(events) == ["DiceRolled", "HeroMarked", "RollSettled", "CardDrawn", "CardDrawn"]
    assert (state.party_of(0), state.points) == (("wiggles", "peanut"), 2)
    assert "HTS-ROLL-4" in refusal(state, 0, RollFor("peanut")).clauses


@pytest.mark.card("wiggles")
@pytest.mark.clause("HTS-DO-32", "HTS-DO-27", "HTS-AMB-25")
def test_wiggles_does_not_roll_for_a_sealed_or_marked_hero() -> None:
    sealed = table([], [], parties={0: ["wiggles"], 1: [("peanut", "sealing_key")]})
    events, sealed = rolled_for(sealed, "wiggles", 5, 5)
    assert effect(events) == ["HeroStolen"]
    assert asked(sealed) == {0}
    marked = table([], [], parties={0: ["wiggles"], 1: ["peanut"]}, rolled=("peanut",))
    events, marked = rolled_for(marked, "wiggles", 5, 5)
    assert effect(events) == ["HeroStolen"]
    assert (marked.party_of(0), asked(marked), of(events, CardPulled)) == (("wiggles", "peanut"), {0}, [])
    nobody = table([], [], parties={0: ["wiggles"]})
    assert effect(rolled_for(nobody, "wiggles", 5, 5)[0]) == []
