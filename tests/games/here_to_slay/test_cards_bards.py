"""The eight bards: what each of them does, and when it does not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, Decline
from referee.games.here_to_slay.components import DECK
from referee.games.here_to_slay.events.cards import CardDrawn, CardGiven, CardPulled, HandsSwapped, LotDrawn
from referee.games.here_to_slay.events.heroes import HeroMoved, HeroStolen
from referee.games.here_to_slay.events.plays import HeroEntered, PlayAnnounced
from referee.games.here_to_slay.moves import EndTurn, Modify, RollFor
from tests.games.course import asked, of, pulled, refusal, then, when
from tests.games.here_to_slay.given import (
    amid,
    dice,
    effect,
    names,
    offered,
    passes,
    rolled_for,
    settlements,
    table,
    tried,
    with_deck,
)


@pytest.mark.card(
    "dodgy_dealer", "fuzzy_cheeks", "greedy_cheeks", "lucky_bucky", "mellow_dee", "peanut", "tipsy_tootie"
)
@pytest.mark.clause("HTS-ROLL-6", "HTS-ROLL-7")
@pytest.mark.parametrize(
    ("hero", "needed"),
    [("dodgy_dealer", 9), ("fuzzy_cheeks", 8), ("greedy_cheeks", 8), ("lucky_bucky", 7), ("mellow_dee", 7),
     ("peanut", 7), ("tipsy_tootie", 6)],
)  # fmt: skip
def test_a_bard_one_short_of_the_requirement_does_nothing(hero: str, needed: int) -> None:
    before = amid(hero)
    events, state = tried(before, hero, needed - 1)
    assert settlements(events) == [(needed - 1, "failure")]
    assert effect(events) == []
    assert state.zones == before.zones
    assert settlements(tried(before, hero, needed)[0]) == [(needed, "success")]


# ---- Dodgy Dealer --------------------------------------------------------------------------------------------


@pytest.mark.card("dodgy_dealer")
@pytest.mark.clause("HTS-DO-38", "HTS-DO-10", "HTS-AMB-51")
def test_dodgy_dealer_changes_whole_hands_with_a_player() -> None:
    state = table(["hook"], ["peanut", "challenge"], ["bun_bun"], parties={0: ["dodgy_dealer"]})
    events, state = rolled_for(state, "dodgy_dealer", 5, 4, ChoosePlayer(1))
    (swap,) = of(events, HandsSwapped)
    assert (swap.view_for(2).gets, swap.view_for(2).other_gets) == (("?", "?"), ("?",))
    assert of(events, LotDrawn) == []
    assert (sorted(state.cards_in_hand(0)), state.cards_in_hand(1), state.cards_in_hand(2)) == (
        ["challenge", "peanut"],
        ("hook",),
        ("bun_bun",),
    )


@pytest.mark.card("dodgy_dealer")
@pytest.mark.clause("HTS-DO-10", "HTS-TGT-1", "HTS-TGT-2")
def test_dodgy_dealer_does_nothing_between_empty_hands_but_may_name_one_if_the_own_is_not() -> None:
    state = table([], [], ["bun_bun"], ["hook"], parties={0: ["dodgy_dealer"]})
    _, state = dice(then(state, 0, RollFor("dodgy_dealer")), 5, 4)
    assert refusal(state, 0, ChoosePlayer(1)).clauses[0] == "HTS-TGT-2"
    assert refusal(state, 0, ChoosePlayer(0)).clauses[0] == "HTS-TGT-1"
    events, _ = rolled_for(table([], [], parties={0: ["dodgy_dealer"]}), "dodgy_dealer", 5, 4)
    assert effect(events) == []
    events, state = rolled_for(table(["hook"], [], parties={0: ["dodgy_dealer"]}), "dodgy_dealer", 5, 4)
    assert (state.cards_in_hand(0), state.cards_in_hand(1)) == ((), ("hook",))


# ---- Fuzzy Cheeks --------------------------------------------------------------------------------------------


@pytest.mark.card("fuzzy_cheeks")
@pytest.mark.clause("HTS-DO-1", "HTS-DO-31", "HTS-NOW-3", "HTS-AMB-48")
def test_fuzzy_cheeks_draws_and_must_play_a_hero_which_may_be_rolled_for() -> None:
    state = table(["hook"], [], parties={0: ["fuzzy_cheeks"]}, deck=["peanut"])
    _, state = rolled_for(state, "fuzzy_cheeks", 4, 4)
    assert set(offered(state, 0)) == {ChooseCard("hook"), ChooseCard("peanut")}  # the one drawn as well
    assert refusal(state, 0, Decline()).clauses[-1] == "CARDS-CHOICE-2"
    events, state = when(state, 0, ChooseCard("peanut"))
    assert names(events) == ["PlayAnnounced", "PlayStood", "HeroEntered"]
    events, state = when(state, 0, Accept())
    events, state = dice(state, 4, 3)
    _, state = passes(state)
    assert (state.party_of(0), state.points, len(state.cards_in_hand(0))) == (("fuzzy_cheeks", "peanut"), 2, 3)


@pytest.mark.card("fuzzy_cheeks")
@pytest.mark.clause("HTS-AMB-48", "HTS-ASK-3", "HTS-DO-40")
def test_fuzzy_cheeks_does_not_play_without_a_hero_in_the_hand() -> None:
    state = table(["bard_mask"], [], parties={0: ["fuzzy_cheeks"]}, deck=["challenge"])
    events, state = rolled_for(state, "fuzzy_cheeks", 4, 4)
    assert effect(events) == ["CardDrawn"]
    assert offered(state, 0) == [Decline()]
    assert refusal(state, 0, ChooseCard("bard_mask")).clauses[0] == "HTS-DO-40"
    events, state = when(state, 0, Decline())
    assert (of(events, PlayAnnounced), len(state.cards_in_hand(0))) == ([], 2)


# ---- Greedy Cheeks -------------------------------------------------------------------------------------------


@pytest.mark.card("greedy_cheeks")
@pytest.mark.clause("HTS-DO-39", "HTS-DO-9", "HTS-EACH-2", "HTS-VERB-11")
def test_greedy_cheeks_gets_a_card_of_their_choice_from_everybody_else() -> None:
    state = table([], ["hook", "peanut"], ["bun_bun", "fluffy"], parties={0: ["greedy_cheeks"]})
    _, state = rolled_for(state, "greedy_cheeks", 4, 4)
    assert asked(state) == {1, 2}
    events, state = when(state, 2, ChooseCards(("fluffy",)))
    assert of(events, CardGiven) == []
    events, state = when(state, 1, ChooseCards(("hook",)))
    assert [(event.seat, event.to) for event in of(events, CardGiven)] == [(1, 0), (2, 0)]
    assert of(events, CardGiven)[0].view_for(2).put == ("?",)
    assert of(events, CardPulled) == []
    assert (sorted(state.cards_in_hand(0)), state.cards_in_hand(1), state.cards_in_hand(2)) == (
        ["fluffy", "hook"],
        ("peanut",),
        ("bun_bun",),
    )


@pytest.mark.card("greedy_cheeks")
@pytest.mark.clause("HTS-DO-9", "HTS-EACH-3")
def test_greedy_cheeks_does_not_ask_who_holds_nothing_and_nobody_gives_what_is_not_theirs() -> None:
    state = table([], ["hook", "peanut"], [], ["bun_bun"], parties={0: ["greedy_cheeks"]})
    _, state = rolled_for(state, "greedy_cheeks", 4, 4)
    assert asked(state) == {1}  # seat 2 holds nothing, seat 3 has no choice
    assert refusal(state, 1, ChooseCards(("bun_bun",))).clauses == ("HTS-DO-9",)
    assert refusal(state, 1, ChooseCards(("hook", "peanut"))).clauses == ("HTS-DO-9",)
    assert not refusal(state, 1, Decline()).granted
    events, state = when(state, 1, ChooseCards(("peanut",)))
    assert [event.seat for event in of(events, CardGiven)] == [1, 3]


# ---- Lucky Bucky, Mellow Dee ---------------------------------------------------------------------------------


@pytest.mark.card("lucky_bucky", "mellow_dee")
@pytest.mark.clause("HTS-DO-6", "HTS-DO-1", "HTS-DO-31", "HTS-DO-40", "HTS-DO-43", "HTS-NOW-3")
@pytest.mark.parametrize("hero", ["lucky_bucky", "mellow_dee"])
def test_a_hero_got_may_be_played_for_free_and_rolled_for(hero: str) -> None:
    if hero == "lucky_bucky":
        _, state = rolled_for(table([], ["hook", "bun_bun"], parties={0: [hero]}), hero, 4, 3)
        _, state = pulled(state, "hook")
    else:
        _, state = rolled_for(table([], ["bun_bun"], parties={0: [hero]}, deck=["hook"]), hero, 4, 3)
    assert offered(state, 0) == [Decline(), ChooseCard("hook")]
    events, state = when(state, 0, ChooseCard("hook"))
    more, state = passes(state)
    assert names(events + more) == ["PlayAnnounced", "PlayStood", "HeroEntered"]
    assert offered(state, 0) == [Decline(), Accept()]
    assert (state.party_of(0), state.points) == ((hero, "hook"), 2)


@pytest.mark.card("lucky_bucky", "mellow_dee")
@pytest.mark.clause("HTS-DO-40", "HTS-MAY-3", "HTS-ASK-3")
@pytest.mark.parametrize("hero", ["lucky_bucky", "mellow_dee"])
def test_another_kind_or_a_hero_held_before_is_not_played(hero: str) -> None:
    there = {"lucky_bucky": table(["peanut"], ["bard_mask"], parties={0: [hero]}),
             "mellow_dee": table(["peanut"], [], parties={0: [hero]}, deck=["bard_mask"])}  # fmt: skip
    _, state = rolled_for(there[hero], hero, 4, 3)
    assert offered(state, 0) == [Decline()]
    assert refusal(state, 0, ChooseCard("peanut")).clauses[0] == "HTS-DO-12"
    assert refusal(state, 0, ChooseCard("bard_mask")).clauses[0] == "HTS-DO-40"
    events, state = when(state, 0, Decline())
    assert of(events, HeroEntered) == []
    assert sorted(state.cards_in_hand(0)) == ["bard_mask", "peanut"]


# ---- Napping Nibbles, Peanut ---------------------------------------------------------------------------------


@pytest.mark.card("napping_nibbles")
@pytest.mark.clause("HTS-DO-37", "HTS-AMB-43", "HTS-DO-46")
def test_napping_nibbles_succeeds_with_a_two_and_arctic_aries_notices() -> None:
    state = table([], [], parties={0: ["napping_nibbles"]}, slain={0: ["arctic_aries"]})
    events, state = rolled_for(state, "napping_nibbles", 1, 1)
    assert settlements(events) == [(2, "success")]
    assert offered(state, 0) == [Decline(), Accept()]


@pytest.mark.card("napping_nibbles")
@pytest.mark.clause("HTS-DO-37", "HTS-AMB-43", "HTS-AMB-17", "HTS-DO-47")
def test_napping_nibbles_does_nothing_when_it_succeeds_and_fails_below_two() -> None:
    state = table(["challenge"], ["hook"], parties={0: ["napping_nibbles"], 1: ["fluffy"]})
    events, after = rolled_for(state, "napping_nibbles", 6, 6)
    assert effect(events) == []
    assert (after.zones, after.lasting) == (state.zones, ())
    state = table(["modifier_plus_3_minus_1"], [], parties={0: [("napping_nibbles", "particularly_rusty_coin")]})
    _, state = dice(then(state, 0, RollFor("napping_nibbles")), 1, 1)
    events, state = when(state, 0, Modify("modifier_plus_3_minus_1", -1, 0))
    assert settlements(events) == [(1, "failure")]
    assert effect(events) == ["CardDrawn"]  # the Coin


@pytest.mark.card("peanut")
@pytest.mark.clause("HTS-DO-1", "HTS-VERB-1")
def test_peanut_draws_two_cards() -> None:
    state = table([], ["hook"], parties={0: ["peanut"]}, deck=["bun_bun", "challenge", "bard_mask"])
    events, state = rolled_for(state, "peanut", 4, 3)
    assert [event.view_for(1).put for event in of(events, CardDrawn)] == [("?",), ("?",)]
    assert sorted(state.cards_in_hand(0)) == ["bun_bun", "challenge"]
    assert state.cards_at(DECK)[0] == "bard_mask"


@pytest.mark.card("peanut")
@pytest.mark.clause("HTS-DECK-1", "HTS-AMB-64", "HTS-DO-1")
def test_peanut_does_not_draw_what_is_not_there() -> None:
    events, state = rolled_for(with_deck(table([], [], parties={0: ["peanut"]}), "hook"), "peanut", 4, 3)
    assert effect(events) == ["CardDrawn", "NothingToDraw"]
    assert state.cards_in_hand(0) == ("hook",)


# ---- Tipsy Tootie --------------------------------------------------------------------------------------------


@pytest.mark.card("tipsy_tootie")
@pytest.mark.clause("HTS-DO-38", "HTS-DO-19", "HTS-DO-20", "HTS-AMB-31")
def test_tipsy_tootie_steals_a_hero_and_changes_over_with_its_item() -> None:
    parties = {0: [("tipsy_tootie", "really_big_ring")], 1: [("hook", "bard_mask"), "peanut"], 2: ["bun_bun"]}
    state = table([], [], [], parties=parties)
    _, state = dice(then(state, 0, RollFor("tipsy_tootie")), 2, 2)
    state = then(state, 0, ChoosePlayer(1))
    assert refusal(state, 0, ChooseCard("bun_bun")).clauses == ("HTS-TGT-4",)
    events, state = when(state, 0, ChooseCard("hook"))
    assert effect(events) == ["HeroStolen", "HeroMoved"]
    assert (state.party_of(0), state.party_of(1)) == (("hook",), ("peanut", "tipsy_tootie"))
    assert (state.item_of("tipsy_tootie"), state.item_of("hook")) == ("really_big_ring", "bard_mask")


@pytest.mark.card("tipsy_tootie")
@pytest.mark.clause("HTS-AMB-47", "HTS-TEXT-2", "HTS-PROT-1")
def test_tipsy_tootie_does_not_change_over_if_no_hero_can_be_stolen() -> None:
    events, state = rolled_for(table([], ["hook"], parties={0: ["tipsy_tootie"]}), "tipsy_tootie", 3, 3)
    assert effect(events) == []
    assert state.party_of(0) == ("tipsy_tootie",)
    state = table([], [], parties={0: ["tipsy_tootie"], 1: ["calming_voice"]}, turn=1)
    _, state = rolled_for(state, "calming_voice", 5, 4, seat=1)
    events, state = rolled_for(then(state, 1, EndTurn()), "tipsy_tootie", 3, 3)
    assert (of(events, HeroStolen), of(events, HeroMoved)) == ([], [])
    assert state.party_of(0) == ("tipsy_tootie",)
