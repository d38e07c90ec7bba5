"""The eight fighters: what each of them does, and when it does not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards, ChoosePlayer, Decline
from referee.games.here_to_slay.components import DISCARD
from referee.games.here_to_slay.events.cards import CardDiscarded, CardPulled, CardShown, CardTaken
from referee.games.here_to_slay.events.heroes import HeroDestroyed
from referee.games.here_to_slay.moves import EndTurn, RollFor
from tests.games.course import asked, of, pulled, refusal, then, when
from tests.games.here_to_slay.given import amid, dice, effect, offered, passes, rolled_for, settlements, table, tried


@pytest.mark.card(
    "bad_axe", "bear_claw", "beary_wise", "fury_knuckle", "heavy_bear", "pan_chucks", "qi_bear", "tough_teddy"
)
@pytest.mark.clause("HTS-ROLL-6", "HTS-ROLL-7")
@pytest.mark.parametrize(
    ("hero", "needed"),
    [("bad_axe", 8), ("bear_claw", 7), ("beary_wise", 7), ("fury_knuckle", 5), ("heavy_bear", 5), ("pan_chucks", 8),
     ("qi_bear", 10), ("tough_teddy", 4)],
)  # fmt: skip
def test_a_fighter_one_short_of_the_requirement_does_nothing(hero: str, needed: int) -> None:
    before = amid(hero)
    events, state = tried(before, hero, needed - 1)
    assert settlements(events) == [(needed - 1, "failure")]
    assert effect(events) == []
    assert state.zones == before.zones
    assert settlements(tried(before, hero, needed)[0]) == [(needed, "success")]


# ---- Bad Axe -------------------------------------------------------------------------------------------------


@pytest.mark.card("bad_axe")
@pytest.mark.clause("HTS-DO-17", "HTS-VERB-3", "HTS-ITEM-5")
def test_bad_axe_destroys_a_hero_with_its_item() -> None:
    state = table([], [], parties={0: ["bad_axe"], 1: [("fluffy", "really_big_ring"), "peanut"]})
    events, state = rolled_for(state, "bad_axe", 4, 4, ChooseCard("fluffy"))
    assert effect(events) == ["HeroDestroyed", "ItemLost"]
    assert state.cards_at(DISCARD) == ("fluffy", "really_big_ring")
    assert state.party_of(1) == ("peanut",)


@pytest.mark.card("bad_axe")
@pytest.mark.clause("HTS-VERB-10", "HTS-AMB-29", "HTS-PROT-1", "HTS-AMB-39")
def test_bad_axe_may_not_name_an_own_or_a_protected_hero() -> None:
    parties = {0: ["bad_axe", "hook"], 1: ["fluffy"], 2: ["peanut", "bun_bun"]}
    state = table([], [], [], parties=parties, slain={1: ["terratuga"]})
    _, state = dice(then(state, 0, RollFor("bad_axe")), 4, 4)
    assert offered(state, 0) == [ChooseCard("peanut"), ChooseCard("bun_bun")]
    assert refusal(state, 0, ChooseCard("hook")).clauses == ("HTS-VERB-10", "HTS-AMB-29")
    assert refusal(state, 0, ChooseCard("fluffy")).clauses[0] == "HTS-PROT-1"


# ---- Bear Claw, Fury Knuckle ---------------------------------------------------------------------------------


@pytest.mark.card("bear_claw", "fury_knuckle")
@pytest.mark.clause("HTS-DO-6", "HTS-DO-40", "HTS-AMB-56")
@pytest.mark.parametrize(("hero", "kind"), [("bear_claw", "peanut"), ("fury_knuckle", "challenge")])
def test_a_pulled_card_of_the_right_kind_gives_one_more_pull_from_the_same_hand(hero: str, kind: str) -> None:
    state = table([], [kind, kind if kind == "challenge" else "hook", "bard_mask"], ["bad_axe"], parties={0: [hero]})
    events, state = rolled_for(state, hero, 4, 3, ChoosePlayer(1))
    assert settlements(events) == [(7, "success")]
    _, state = pulled(state, kind)
    second = "challenge" if kind == "challenge" else "hook"
    events, state = pulled(state, second)
    assert of(events, CardPulled)[0].of == 1
    assert sorted(state.cards_in_hand(0)) == sorted((kind, second))  # one more only, though the second fits as well
    assert state.cards_in_hand(1) == ("bard_mask",)


@pytest.mark.card("bear_claw", "fury_knuckle")
@pytest.mark.clause("HTS-DO-40", "HTS-AMB-56")
@pytest.mark.parametrize(("hero", "other"), [("bear_claw", "challenge"), ("fury_knuckle", "peanut")])
def test_a_pulled_card_of_another_kind_does_not_give_a_second_pull(hero: str, other: str) -> None:
    state = table([], [other, "bard_mask"], ["bad_axe"], parties={0: [hero]})
    _, state = rolled_for(state, hero, 4, 3, ChoosePlayer(1))
    _, state = pulled(state, other)
    assert state.cards_in_hand(0) == (other,)
    assert state.cards_in_hand(1) == ("bard_mask",)
    assert asked(state) == {0}


# ---- Beary Wise ----------------------------------------------------------------------------------------------


@pytest.mark.card("beary_wise")
@pytest.mark.clause("HTS-DO-39", "HTS-DO-5", "HTS-DO-12", "HTS-EACH-2", "HTS-AMB-54")
def test_beary_wise_takes_one_of_the_cards_that_the_others_discard() -> None:
    state = table([], ["hook", "peanut"], ["bun_bun", "fluffy"], parties={0: ["beary_wise"]}, discard=["bad_axe"])
    _, state = rolled_for(state, "beary_wise", 4, 3)
    assert asked(state) == {1, 2}
    events, state = when(state, 2, ChooseCards(("fluffy",)))
    assert of(events, CardDiscarded) == []  # nothing is told until all have chosen
    events, state = when(state, 1, ChooseCards(("hook",)))
    assert [event.put for event in of(events, CardDiscarded)] == [("hook",), ("fluffy",)]
    events, state = when(state, 0, ChooseCard("fluffy"))
    assert [event.put for event in of(events, CardTaken)] == [("fluffy",)]
    assert state.cards_in_hand(0) == ("fluffy",)
    assert state.cards_at(DISCARD) == ("bad_axe", "hook")


@pytest.mark.card("beary_wise")
@pytest.mark.clause("HTS-DO-12", "HTS-EACH-3")
def test_beary_wise_may_not_take_what_lay_in_the_discard_pile_before() -> None:
    state = table(["challenge"], ["hook"], ["bun_bun"], [], parties={0: ["beary_wise"]}, discard=["bad_axe"])
    _, state = rolled_for(state, "beary_wise", 4, 3)
    assert set(offered(state, 0)) == {ChooseCard("hook"), ChooseCard("bun_bun")}
    assert refusal(state, 0, ChooseCard("bad_axe")).clauses[0] == "HTS-DO-12"
    assert refusal(state, 0, ChooseCard("challenge")).clauses[0] == "HTS-DO-12"
    empty = table([], [], [], parties={0: ["beary_wise"]}, discard=["bad_axe"])
    events, empty = rolled_for(empty, "beary_wise", 4, 3)
    assert effect(events) == []
    assert empty.cards_in_hand(0) == ()


# ---- Heavy Bear ----------------------------------------------------------------------------------------------


@pytest.mark.card("heavy_bear")
@pytest.mark.clause("HTS-DO-5", "HTS-DO-38", "HTS-TGT-6")
def test_heavy_bear_makes_a_player_discard_two_cards_of_their_choice() -> None:
    state = table([], ["hook", "peanut", "bun_bun"], ["fluffy"], parties={0: ["heavy_bear"]})
    _, state = rolled_for(state, "heavy_bear", 3, 2, ChoosePlayer(1))
    assert asked(state) == {1}
    _, state = when(state, 1, ChooseCards(("hook", "bun_bun")))
    assert (state.cards_in_hand(1), state.cards_in_hand(2)) == (("peanut",), ("fluffy",))
    assert state.cards_at(DISCARD) == ("hook", "bun_bun")


@pytest.mark.card("heavy_bear")
@pytest.mark.clause("HTS-TGT-1", "HTS-TGT-2", "HTS-AMB-44", "HTS-AMB-57")
def test_heavy_bear_may_not_name_oneself_or_an_empty_hand_and_takes_no_more_than_there_is() -> None:
    state = table(["challenge"], ["hook"], [], ["peanut", "bun_bun", "fluffy"], parties={0: ["heavy_bear"]})
    _, state = dice(then(state, 0, RollFor("heavy_bear")), 3, 2)
    assert refusal(state, 0, ChoosePlayer(0)).clauses == ("HTS-TGT-1", "HTS-AMB-44")
    assert refusal(state, 0, ChoosePlayer(2)).clauses[0] == "HTS-TGT-2"
    events, state = passes(then(state, 0, ChoosePlayer(1)))
    assert effect(events) == ["CardDiscarded"]
    assert (state.cards_in_hand(0), state.cards_in_hand(1)) == (("challenge",), ())


# ---- Pan Chucks ----------------------------------------------------------------------------------------------

PAN = {0: ["pan_chucks"], 1: ["fluffy", "peanut"]}


@pytest.mark.card("pan_chucks")
@pytest.mark.clause("HTS-DO-15", "HTS-DO-17", "HTS-DO-40", "HTS-MAY-4", "HTS-AMB-49")
def test_pan_chucks_shows_a_challenge_it_drew_and_destroys_one_hero() -> None:
    state = table([], [], parties=PAN, deck=["challenge", "challenge"])
    _, state = rolled_for(state, "pan_chucks", 4, 4)
    events, state = when(state, 0, ChooseCard("challenge"))
    assert of(events, CardShown) == [CardShown(0, "challenge")]
    assert refusal(state, 0, Decline()).clauses[-1] == "CARDS-CHOICE-2"  # once it is shown, destroying is a duty
    events, state = when(state, 0, ChooseCard("peanut"))
    assert len(of(events, HeroDestroyed)) == 1
    assert state.party_of(1) == ("fluffy",)
    assert state.cards_in_hand(0) == ("challenge", "challenge")  # shown, it stays in the hand


@pytest.mark.card("pan_chucks")
@pytest.mark.clause("HTS-DO-43", "HTS-MAY-3", "HTS-AMB-49", "HTS-ASK-3")
def test_pan_chucks_does_not_destroy_if_no_challenge_is_shown() -> None:
    state = table([], [], parties=PAN, deck=["challenge", "hook"])
    _, state = rolled_for(state, "pan_chucks", 4, 4)
    events, state = when(state, 0, Decline())
    assert of(events, HeroDestroyed) == []
    assert (state.party_of(1), EndTurn() in offered(state, 0)) == (("fluffy", "peanut"), True)
    held = table(["challenge"], [], parties=PAN, deck=["bun_bun", "hook"])
    _, held = rolled_for(held, "pan_chucks", 4, 4)
    assert offered(held, 0) == [Decline()]  # asked all the same; the one held before does not count
    assert refusal(held, 0, ChooseCard("challenge")).clauses[0] == "HTS-DO-12"


# ---- Qi Bear -------------------------------------------------------------------------------------------------


@pytest.mark.card("qi_bear")
@pytest.mark.clause("HTS-DO-4", "HTS-DO-42", "HTS-DO-17", "HTS-AMB-59")
def test_qi_bear_destroys_a_hero_for_each_card_discarded() -> None:
    parties = {0: ["qi_bear"], 1: [("fluffy", "decoy_doll"), "peanut"], 2: ["bun_bun"]}
    state = table(["challenge", "hook", "bard_mask"], [], [], parties=parties)
    _, state = rolled_for(state, "qi_bear", 5, 5)
    events, state = when(state, 0, ChooseCards(("bard_mask", "hook")))
    assert len(of(events, CardDiscarded)) == 2
    assert of(events, HeroDestroyed) == []
    assert refusal(state, 0, Decline()).clauses[-1] == "CARDS-CHOICE-2"
    _, state = when(state, 0, ChooseCard("fluffy"))  # saved by the Doll, it may be named again
    events, state = when(state, 0, ChooseCard("fluffy"))
    assert len(of(events, HeroDestroyed)) == 1
    assert (state.party_of(1), state.party_of(2), state.cards_in_hand(0)) == (("peanut",), ("bun_bun",), ("challenge",))


@pytest.mark.card("qi_bear")
@pytest.mark.clause("HTS-DO-4", "HTS-DO-42")
def test_qi_bear_does_nothing_if_nothing_is_discarded_and_never_takes_four() -> None:
    parties = {0: ["qi_bear"], 1: ["fluffy", "peanut"]}
    state = table(["challenge", "hook", "bard_mask", "bun_bun"], [], parties=parties)
    _, state = rolled_for(state, "qi_bear", 5, 5)
    assert "HTS-DO-4" in refusal(state, 0, ChooseCards(("challenge", "hook", "bard_mask", "bun_bun"))).clauses
    events, state = when(state, 0, ChooseCards(()))
    assert of(events, HeroDestroyed) == []
    assert (state.party_of(1), len(state.cards_in_hand(0))) == (("fluffy", "peanut"), 4)


# ---- Tough Teddy ---------------------------------------------------------------------------------------------


@pytest.mark.card("tough_teddy")
@pytest.mark.clause("HTS-DO-39", "HTS-DO-41", "HTS-AMB-41")
def test_tough_teddy_makes_whoever_else_has_a_fighter_discard_by_hero_mask_or_leader() -> None:
    state = table(
        ["hook"], ["challenge"], ["challenge"], ["challenge", "hopper"],
        parties={0: ["tough_teddy"], 1: ["bad_axe"], 2: [("peanut", "fighter_mask")]},
        leaders={3: "the_fist_of_reason"},
    )  # fmt: skip
    _, state = rolled_for(state, "tough_teddy", 2, 2)
    events, state = when(state, 3, ChooseCards(("hopper",)))
    assert [(event.seat, event.put) for event in of(events, CardDiscarded)] == [
        (1, ("challenge",)), (2, ("challenge",)), (3, ("hopper",))
    ]  # fmt: skip
    assert state.cards_in_hand(0) == ("hook",)


@pytest.mark.card("tough_teddy")
@pytest.mark.clause("HTS-DO-41", "HTS-AMB-41", "HTS-ITEM-9")
def test_tough_teddy_does_not_touch_those_without_a_fighter() -> None:
    parties = {0: ["tough_teddy", "heavy_bear"], 1: ["peanut"], 2: [("bad_axe", "bard_mask")]}
    state = table(["hook"], ["challenge"], ["challenge"], parties=parties, leaders={2: "the_cloaked_sage"})
    events, state = rolled_for(state, "tough_teddy", 2, 2)
    assert effect(events) == []
    assert (state.cards_in_hand(0), state.cards_in_hand(1), state.cards_in_hand(2)) == (
        ("hook",),
        ("challenge",),
        ("challenge",),
    )
