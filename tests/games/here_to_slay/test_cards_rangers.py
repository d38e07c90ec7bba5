"""The eight rangers: what each of them does, and when it does not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards, ChoosePlayer, ChooseUnseen, ConfirmSeen, Decline
from referee.games.here_to_slay.components import DECK, DISCARD
from referee.games.here_to_slay.events.cards import CardDiscarded, CardDrawn, CardTaken, HandShown, LotDrawn
from referee.games.here_to_slay.events.heroes import HeroDestroyed
from referee.games.here_to_slay.events.plays import PlayAnnounced
from referee.games.here_to_slay.moves import RollFor
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import (
    amid,
    dice,
    effect,
    names,
    offered,
    rolled_for,
    settlements,
    shuffled,
    table,
    tried,
    with_deck,
)


@pytest.mark.card(
    "bullseye", "hook", "lookie_rookie", "quick_draw", "serious_grey", "sharp_fox", "wildshot", "wily_red"
)
@pytest.mark.clause("HTS-ROLL-6", "HTS-ROLL-7")
@pytest.mark.parametrize(
    ("hero", "needed"),
    [("bullseye", 7), ("hook", 6), ("lookie_rookie", 5), ("quick_draw", 8), ("serious_grey", 9), ("sharp_fox", 5),
     ("wildshot", 8), ("wily_red", 10)],
)  # fmt: skip
def test_a_ranger_one_short_of_the_requirement_does_nothing(hero: str, needed: int) -> None:
    before = amid(hero)
    events, state = tried(before, hero, needed - 1)
    assert settlements(events) == [(needed - 1, "failure")]
    assert effect(events) == []
    assert state.zones == before.zones
    assert settlements(tried(before, hero, needed)[0]) == [(needed, "success")]


# ---- Bullseye ------------------------------------------------------------------------------------------------


@pytest.mark.card("bullseye")
@pytest.mark.clause("HTS-DO-13", "HTS-DO-12", "HTS-DO-14", "HTS-AMB-51")
def test_bullseye_keeps_one_of_the_top_three_and_orders_the_others() -> None:
    state = table([], [], parties={0: ["bullseye"]}, deck=["hook", "peanut", "challenge", "bun_bun"])
    events, state = rolled_for(state, "bullseye", 4, 3)
    assert names(events)[-1] == "TopLookedAt"
    assert set(offered(state, 0)) == {ChooseUnseen("hook"), ChooseUnseen("peanut"), ChooseUnseen("challenge")}
    events, state = when(state, 0, ChooseUnseen("peanut"))
    assert of(events, CardTaken)[0].view_for(1).put == ("?",)
    assert of(events, LotDrawn) == []
    _, state = when(state, 0, ChooseCards(("challenge", "hook")))
    assert state.cards_in_hand(0) == ("peanut",)
    assert state.cards_at(DECK)[:3] == ("challenge", "hook", "bun_bun")


@pytest.mark.card("bullseye")
@pytest.mark.clause("HTS-DO-12", "HTS-DO-13", "HTS-AMB-60")
def test_bullseye_does_not_reach_the_fourth_card_nor_more_than_there_is() -> None:
    state = table([], [], parties={0: ["bullseye"]}, deck=["hook", "peanut", "challenge", "bun_bun"])
    _, state = rolled_for(state, "bullseye", 4, 3)
    assert refusal(state, 0, ChooseUnseen("bun_bun")).clauses[0] == "HTS-DO-12"
    assert refusal(state, 0, Decline()).clauses[-1] == "CARDS-CHOICE-2"
    short = with_deck(table([], [], parties={0: ["bullseye"]}, discard=["fluffy"]), "hook", "peanut")
    _, short = rolled_for(short, "bullseye", 4, 3)
    short = then(short, 0, ChooseUnseen("hook"))
    assert (short.cards_in_hand(0), short.cards_at(DECK), short.cards_at(DISCARD)) == (
        ("hook",),
        ("peanut",),
        ("fluffy",),
    )
    empty = with_deck(table([], [], parties={0: ["bullseye"]}, discard=["fluffy", "bad_axe"]))
    _, empty = rolled_for(empty, "bullseye", 4, 3)
    _, empty = shuffled(empty, "bad_axe", "fluffy")
    assert set(offered(empty, 0)) == {ChooseUnseen("fluffy"), ChooseUnseen("bad_axe")}


# ---- Hook ----------------------------------------------------------------------------------------------------


@pytest.mark.card("hook")
@pytest.mark.clause("HTS-DO-31", "HTS-NOW-1", "HTS-AMB-48")
def test_hook_must_play_an_item_for_free_and_then_draws() -> None:
    hand = ["bard_mask", "sealing_key", "peanut"]
    state = table(hand, [], parties={0: ["hook"]}, deck=["bun_bun"])
    _, state = rolled_for(state, "hook", 4, 2)
    assert set(offered(state, 0)) == {ChooseCard("bard_mask"), ChooseCard("sealing_key")}
    assert refusal(state, 0, Decline()).clauses[-1] == "CARDS-CHOICE-2"
    assert "HTS-DO-40" in refusal(state, 0, ChooseCard("peanut")).clauses
    events, state = when(state, 0, ChooseCard("bard_mask"))
    assert names(events) == ["PlayAnnounced", "PlayStood", "ItemEquipped", "CardDrawn"]
    assert of(events, PlayAnnounced)[0].immediate
    assert (state.points, state.item_of("hook")) == (2, "bard_mask")
    assert sorted(state.cards_in_hand(0)) == ["bun_bun", "peanut", "sealing_key"]


@pytest.mark.card("hook")
@pytest.mark.clause("HTS-AMB-48", "HTS-ASK-3", "HTS-DO-31")
def test_hook_draws_though_it_does_not_play_without_an_item_or_a_free_hero() -> None:
    state = table(["peanut"], [], parties={0: ["hook"]}, deck=["bun_bun"])
    _, state = rolled_for(state, "hook", 4, 2)
    assert offered(state, 0) == [Decline()]  # asked all the same: what the hand holds is hidden
    events, state = when(state, 0, Decline())
    assert names(events) == ["CardDrawn"]
    full = table(["bard_mask"], [], parties={0: [("hook", "thief_mask")]}, deck=["bun_bun"])
    _, full = rolled_for(full, "hook", 4, 2)
    assert offered(full, 0) == [Decline()]
    assert sorted(then(full, 0, Decline()).cards_in_hand(0)) == ["bard_mask", "bun_bun"]


# ---- Lookie Rookie -------------------------------------------------------------------------------------------


@pytest.mark.card("lookie_rookie")
@pytest.mark.clause("HTS-DO-11", "HTS-AMB-33")
def test_lookie_rookie_takes_an_item_even_a_cursed_one_from_the_discard_pile() -> None:
    state = table([], [], parties={0: ["lookie_rookie"]}, discard=["bard_mask", "hook", "sealing_key"])
    _, state = rolled_for(state, "lookie_rookie", 3, 2)
    assert offered(state, 0) == [ChooseCard("bard_mask"), ChooseCard("sealing_key")]
    _, state = when(state, 0, ChooseCard("sealing_key"))
    assert (state.cards_in_hand(0), state.cards_at(DISCARD)) == (("sealing_key",), ("bard_mask", "hook"))


@pytest.mark.card("lookie_rookie")
@pytest.mark.clause("HTS-DO-11", "HTS-DO-40")
def test_lookie_rookie_does_not_take_another_kind_nor_what_lies_under_a_hero() -> None:
    state = table([], [], parties={0: [("lookie_rookie", "thief_mask")]}, discard=["bard_mask", "hook", "sealing_key"])
    _, state = rolled_for(state, "lookie_rookie", 3, 2)
    assert refusal(state, 0, ChooseCard("hook")).clauses == ("HTS-DO-40", "HTS-MAY-3")
    assert refusal(state, 0, ChooseCard("thief_mask")).clauses[0] == "HTS-DO-12"
    none = table([], [], parties={0: [("lookie_rookie", "thief_mask")]}, discard=["hook"])
    events, none = rolled_for(none, "lookie_rookie", 3, 2)
    assert (effect(events), none.cards_in_hand(0)) == ([], ())


# ---- Quick Draw ----------------------------------------------------------------------------------------------


@pytest.mark.card("quick_draw")
@pytest.mark.clause("HTS-DO-1", "HTS-DO-40", "HTS-DO-43", "HTS-DO-31", "HTS-AMB-33")
def test_quick_draw_may_play_one_item_of_the_two_drawn() -> None:
    state = table([], [], parties={0: ["quick_draw"], 1: ["peanut"]}, deck=["sealing_key", "bard_mask"])
    events, state = rolled_for(state, "quick_draw", 4, 4)
    assert len(of(events, CardDrawn)) == 2
    assert set(offered(state, 0)) == {Decline(), ChooseCard("sealing_key"), ChooseCard("bard_mask")}
    _, state = when(state, 0, ChooseCard("sealing_key"), ChooseCard("peanut"))
    assert (state.item_of("peanut"), state.cards_in_hand(0), state.points) == ("sealing_key", ("bard_mask",), 2)


@pytest.mark.card("quick_draw")
@pytest.mark.clause("HTS-DO-40", "HTS-DO-43", "HTS-MAY-1", "HTS-MAY-3")
def test_quick_draw_does_not_play_what_was_not_drawn_nor_without_wish() -> None:
    state = table(["thief_mask"], [], parties={0: ["quick_draw"]}, deck=["bun_bun", "bard_mask"])
    _, state = rolled_for(state, "quick_draw", 4, 4)
    assert refusal(state, 0, ChooseCard("thief_mask")).clauses[0] == "HTS-DO-12"
    assert refusal(state, 0, ChooseCard("bun_bun")).clauses[0] == "HTS-DO-40"
    events, state = when(state, 0, Decline())
    assert names(events) == []
    assert sorted(state.cards_in_hand(0)) == ["bard_mask", "bun_bun", "thief_mask"]


# ---- Serious Grey --------------------------------------------------------------------------------------------


@pytest.mark.card("serious_grey")
@pytest.mark.clause("HTS-DO-17", "HTS-DO-1", "HTS-TEXT-1")
def test_serious_grey_destroys_a_hero_and_then_draws() -> None:
    state = table([], [], parties={0: ["serious_grey"], 1: ["fluffy", "peanut"]}, deck=["bun_bun"])
    events, state = rolled_for(state, "serious_grey", 5, 4, ChooseCard("peanut"))
    assert effect(events) == ["HeroDestroyed", "CardDrawn"]
    assert (state.party_of(1), state.cards_in_hand(0)) == (("fluffy",), ("bun_bun",))


@pytest.mark.card("serious_grey")
@pytest.mark.clause("HTS-AMB-46", "HTS-TEXT-2")
def test_serious_grey_draws_though_there_is_nothing_to_destroy() -> None:
    state = table([], [], parties={0: ["serious_grey"], 1: ["fluffy"]}, slain={1: ["terratuga"]}, deck=["bun_bun"])
    events, state = rolled_for(state, "serious_grey", 5, 4)
    assert effect(events) == ["CardDrawn"]
    assert (state.party_of(1), state.cards_in_hand(0)) == (("fluffy",), ("bun_bun",))
    assert of(events, HeroDestroyed) == []


# ---- Sharp Fox -----------------------------------------------------------------------------------------------


@pytest.mark.card("sharp_fox")
@pytest.mark.clause("HTS-DO-38", "HTS-DO-7")
def test_sharp_fox_alone_is_shown_a_hand_and_says_so() -> None:
    state = table([], ["hook", "challenge"], ["bun_bun"], parties={0: ["sharp_fox"]})
    events, state = rolled_for(state, "sharp_fox", 3, 2, ChoosePlayer(1))
    (shown,) = of(events, HandShown)
    assert sorted(shown.view_for(0).cards) == ["challenge", "hook"]
    assert shown.view_for(2).cards == ("?", "?")
    assert (asked(state), offered(state, 0)) == ({0}, [ConfirmSeen()])
    events, state = when(state, 0, ConfirmSeen())
    assert len(state.cards_in_hand(1)) == 2
    assert ConfirmSeen() not in offered(state, 0)


@pytest.mark.card("sharp_fox")
@pytest.mark.clause("HTS-TGT-1", "HTS-TGT-2", "HTS-EDGE-2")
def test_sharp_fox_may_not_look_at_an_empty_hand_nor_look_at_nothing_happens() -> None:
    state = table(["challenge"], ["hook"], [], ["bun_bun"], parties={0: ["sharp_fox"]})
    _, state = dice(then(state, 0, RollFor("sharp_fox")), 3, 2)
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(3)]
    assert refusal(state, 0, ChoosePlayer(2)).clauses[0] == "HTS-TGT-2"
    assert refusal(state, 0, ChoosePlayer(0)).clauses[0] == "HTS-TGT-1"
    events, state = rolled_for(table([], [], parties={0: ["sharp_fox"]}), "sharp_fox", 3, 2)
    assert effect(events) == []


# ---- Wildshot, Wily Red --------------------------------------------------------------------------------------


@pytest.mark.card("wildshot")
@pytest.mark.clause("HTS-DO-1", "HTS-DO-4")
def test_wildshot_draws_three_and_discards_one_of_all() -> None:
    state = table(["hook"], [], parties={0: ["wildshot"]}, deck=["peanut", "bun_bun", "challenge"])
    _, state = rolled_for(state, "wildshot", 4, 4)
    assert len(state.cards_in_hand(0)) == 4
    _, state = when(state, 0, ChooseCards(("hook",)))
    assert sorted(state.cards_in_hand(0)) == ["bun_bun", "challenge", "peanut"]
    assert state.cards_at(DISCARD) == ("hook",)


@pytest.mark.card("wildshot")
@pytest.mark.clause("HTS-DO-4", "HTS-DECK-1", "HTS-TEXT-2")
def test_wildshot_must_not_keep_all_and_draws_no_more_than_there_is() -> None:
    state = table([], [], parties={0: ["wildshot"]}, deck=["peanut", "bun_bun", "challenge"])
    _, state = rolled_for(state, "wildshot", 4, 4)
    assert "HTS-DO-4" in refusal(state, 0, ChooseCards(())).clauses
    assert "HTS-DO-4" in refusal(state, 0, ChooseCards(("peanut", "bun_bun"))).clauses
    short = with_deck(table([], [], parties={0: ["wildshot"]}), "peanut")
    events, short = rolled_for(short, "wildshot", 4, 4)
    assert effect(events) == ["CardDrawn", "NothingToDraw", "CardDiscarded"]
    assert (short.cards_in_hand(0), short.cards_at(DISCARD)) == ((), ("peanut",))


@pytest.mark.card("wily_red")
@pytest.mark.clause("HTS-DO-2")
def test_wily_red_draws_until_the_hand_holds_seven() -> None:
    state = table(["challenge", "challenge"], [], parties={0: ["wily_red"]})
    events, state = rolled_for(state, "wily_red", 5, 5)
    assert (len(of(events, CardDrawn)), len(of(events, LotDrawn)), len(state.cards_in_hand(0))) == (5, 1, 7)


@pytest.mark.card("wily_red")
@pytest.mark.clause("HTS-DO-2")
@pytest.mark.parametrize("held", [7, 8])
def test_wily_red_does_not_draw_if_the_hand_holds_seven_or_more(held: int) -> None:
    events, state = rolled_for(table(["challenge"] * held, [], parties={0: ["wily_red"]}), "wily_red", 5, 5)
    assert effect(events) == []
    assert len(state.cards_in_hand(0)) == held
    assert of(events, CardDiscarded) == []
