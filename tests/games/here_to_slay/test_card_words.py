"""What the steps of card texts do, one by one: cards between the main deck, hands and the discard pile."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, ChooseUnseen, ConfirmSeen, Decline
from referee.engine.chance import PickResult
from referee.engine.referee import build_view, seats_that_must_act
from referee.engine.seats import CHANCE, Seat
from referee.games.here_to_slay.components import DECK, DISCARD
from referee.games.here_to_slay.events.cards import (
    CardDiscarded,
    CardDrawn,
    CardGiven,
    CardPulled,
    CardShown,
    CardTaken,
    DeckTopArranged,
    DeckTopLookedAt,
    EffectLapsed,
    HandShown,
    HandsSwapped,
    LotDrawn,
)
from referee.games.here_to_slay.events.heroes import ItemReturned
from referee.games.here_to_slay.moves import PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, pulled, refusal, then, when
from tests.games.here_to_slay.given import dice, offered, stands, succeeds, table, with_deck


@pytest.mark.clause("HTS-DO-1")
def test_draw_draws_one_card_after_the_other_and_makes_one_lot_of_them() -> None:
    events, _ = succeeds(table([], [], parties={0: ["peanut"]}, deck=["hook", "fluffy"]), "peanut")
    assert [event.took for event in of(events, CardDrawn)] == [("hook",), ("fluffy",)]
    assert [event.cards for event in of(events, LotDrawn)] == [("hook", "fluffy")]


@pytest.mark.clause("HTS-DO-2")
def test_draw_to_size_draws_until_the_hand_holds_the_number_and_nothing_if_it_does() -> None:
    for held, drawn in ((5, 2), (0, 7), (7, 0), (9, 0)):
        events, state = succeeds(table(["challenge"] * held, [], parties={0: ["wily_red"]}), "wily_red")
        assert len(of(events, CardDrawn)) == drawn
        assert len(state.cards_in_hand(0)) == max(held, 7)


@pytest.mark.clause("HTS-DO-3", "HTS-DO-6")
def test_the_player_pulled_from_by_plundering_puma_is_asked_and_may_draw() -> None:
    state = table([], ["challenge", "hook", "fluffy"], parties={0: ["plundering_puma"]}, deck=["peanut"])
    _, state = succeeds(state, "plundering_puma")
    _, state = pulled(state, "hook")
    assert refusal(state, CHANCE, PickResult(("hook",))).reason == "not_these_cards"  # it has left the hand already
    _, state = pulled(state, "fluffy")
    assert (state.cards_in_hand(0), asked(state)) == (("hook", "fluffy"), {1})
    events, after = when(state, 1, Accept())
    assert [event.seat for event in of(events, CardDrawn)] == [1]
    assert after.cards_in_hand(1) == ("challenge", "peanut")
    assert not of(when(state, 1, Decline())[0], CardDrawn)


@pytest.mark.clause("HTS-DO-4")
def test_a_cost_is_discarded_whole_or_not_at_all() -> None:
    state = table(["entangling_trap", "challenge", "hook", "peanut"], [], parties={1: ["fluffy"]})
    _, state = stands(state, 0, PlayCard("entangling_trap"))
    for wrong in (("challenge",), (), ("challenge", "hook", "peanut")):
        assert "HTS-DO-4" in refusal(state, 0, ChooseCards(wrong)).clauses
    state = then(state, 0, ChooseCards(("hook", "peanut")))
    assert (state.cards_in_hand(0), state.party_of(0)) == (("challenge",), ("fluffy",))
    state = table(["entangling_trap", "challenge"], [], parties={1: ["fluffy"]})
    events, state = stands(state, 0, PlayCard("entangling_trap"))
    assert (state.cards_in_hand(0), state.party_of(1)) == (("challenge",), ("fluffy",))
    assert [event.what for event in of(events, EffectLapsed)] == ["cost"]


@pytest.mark.clause("HTS-DO-4", "HTS-DO-42")
@pytest.mark.parametrize("count", range(4))
def test_qi_bear_discards_none_to_three_and_destroys_as_many(count: int) -> None:
    hand = ["challenge", "hook", "wildshot", "critical_boost"]
    state = table(hand, [], parties={0: ["qi_bear"], 1: ["fluffy", "peanut", "snowball", "spooky"]})
    _, state = succeeds(state, "qi_bear")
    assert "HTS-DO-4" in refusal(state, 0, ChooseCards(tuple(hand))).clauses
    state = then(state, 0, ChooseCards(tuple(hand[:count])))
    for hero in ("spooky", "fluffy", "peanut")[:count]:
        state = then(state, 0, ChooseCard(hero))
    assert (len(state.cards_in_hand(0)), len(state.party_of(1))) == (4 - count, 4 - count)
    assert state.cards_at(DISCARD) == (*hand[:count], *("spooky", "fluffy", "peanut")[:count])
    assert state.agenda[-1].question_name() == "hts.Turn"


@pytest.mark.clause("HTS-DO-4")
def test_a_discard_that_is_a_duty_is_made_as_far_as_possible() -> None:
    state = with_deck(table([], [], parties={0: ["wildshot"]}))  # nothing to draw either
    events, state = succeeds(state, "wildshot")
    assert (of(events, CardDiscarded), asked(state)) == ([], {0})
    state = table(["challenge"], [], parties={0: ["wildshot"]}, deck=["peanut", "hook", "fluffy"])
    _, state = succeeds(state, "wildshot")
    assert refusal(state, 0, ChooseCards(())).clauses == ("HTS-DO-4",)
    state = then(state, 0, ChooseCards(("challenge",)))
    assert state.cards_in_hand(0) == ("peanut", "hook", "fluffy")


@pytest.mark.clause("HTS-DO-4", "HTS-DO-12")
def test_slippery_paws_discards_one_of_the_cards_just_pulled() -> None:
    state = table(["challenge"], ["hook", "fluffy", "spooky"], parties={0: ["slippery_paws"]})
    _, state = succeeds(state, "slippery_paws")
    _, state = pulled(state, "hook")
    _, state = pulled(state, "fluffy")
    assert offered(state, 0) == [ChooseCard("hook"), ChooseCard("fluffy")]
    assert "HTS-DO-12" in refusal(state, 0, ChooseCard("challenge")).clauses
    state = then(state, 0, ChooseCard("hook"))
    assert (state.cards_in_hand(0), state.cards_at(DISCARD)) == (("challenge", "fluffy"), ("hook",))


@pytest.mark.clause("HTS-DO-5", "HTS-TGT-6", "HTS-AMB-57")
def test_others_discard_of_their_own_choice_or_all_there_is() -> None:
    state = table([], ["hook", "fluffy", "spooky"], ["peanut"], parties={0: ["heavy_bear"]})
    _, chosen = succeeds(state, "heavy_bear", ChoosePlayer(1))
    assert asked(chosen) == {1}
    assert "HTS-AMB-57" in refusal(chosen, 1, ChooseCards(("hook",))).clauses
    assert then(chosen, 1, ChooseCards(("hook", "spooky"))).cards_in_hand(1) == ("fluffy",)
    _, short = succeeds(state, "heavy_bear", ChoosePlayer(2))
    assert (short.cards_in_hand(2), asked(short)) == ((), {0})


@pytest.mark.clause("HTS-DO-6", "HTS-DO-40", "HTS-AMB-56")
@pytest.mark.parametrize(
    ("hero", "again", "more", "once"),
    [("bear_claw", "hook", "fluffy", "challenge"), ("fury_knuckle", "challenge", "challenge", "hook")],
)
def test_a_second_pull_is_made_from_what_is_left_if_the_first_was_of_the_kind(
    hero: str, again: str, more: str, once: str
) -> None:
    state = table([], [again, once, more, "enchanted_spell"], [], parties={0: [hero]})
    _, state = succeeds(state, hero)
    _, ended = pulled(state, once)
    assert (ended.cards_in_hand(0), ended.agenda[-1].question_name()) == ((once,), "hts.Turn")
    _, state = pulled(state, again)
    assert seats_that_must_act(state) == {CHANCE}  # a duty: nobody is asked
    events, state = pulled(state, more)
    assert [event.of for event in of(events, CardPulled)] == [1]
    assert (state.cards_in_hand(0), state.cards_in_hand(1)) == (
        (again, more),
        (once, "enchanted_spell"),
    )  # and no third
    assert state.agenda[-1].question_name() == "hts.Turn"


@pytest.mark.clause("HTS-DO-7")
def test_a_hand_is_shown_to_the_looker_alone_who_confirms() -> None:
    state = table([], ["hook", "fluffy"], ["peanut"], parties={0: ["sharp_fox"]})
    events, state = succeeds(state, "sharp_fox", ChoosePlayer(1))
    (shown,) = of(events, HandShown)
    assert (shown.view_for(0), shown.view_for(1)) == (shown, shown)
    assert shown.cards == ("hook", "fluffy")
    assert shown.view_for(2) == HandShown(0, 1, ("?", "?"))
    assert offered(state, 0) == [ConfirmSeen()]
    assert build_view(state, Seat(0)).agenda[-1].cards == ("hook", "fluffy")  # type: ignore[attr-defined]
    assert build_view(state, Seat(2)).agenda[-1].cards == ("?", "?")  # type: ignore[attr-defined]
    state = then(state, 0, ConfirmSeen())
    assert (state.cards_in_hand(1), state.agenda[-1].question_name()) == (("hook", "fluffy"), "hts.Turn")


@pytest.mark.clause("HTS-DO-7", "HTS-DO-8")
def test_silent_shadow_must_take_a_card_of_the_hand_seen_and_only_the_two_players_see_which() -> None:
    state = table([], ["hook", "fluffy"], ["peanut"], parties={0: ["silent_shadow"]})
    events, state = succeeds(state, "silent_shadow", ChoosePlayer(1))
    assert [event.cards for event in of(events, HandShown)] == [("hook", "fluffy")]
    assert offered(state, 0) == [ChooseUnseen("hook"), ChooseUnseen("fluffy")]
    assert refusal(state, 0, Decline()).reason == "must_choose"
    assert refusal(state, 0, ChooseUnseen("peanut")).reason == "not_among_these"
    events, state = when(state, 0, ChooseUnseen("fluffy"))
    (given,) = of(events, CardGiven)
    assert [(event.took, event.put) for event in map(given.view_for, range(3))] == [  # type: ignore[attr-defined]
        (("?",), ("fluffy",)), (("fluffy",), ("?",)), (("?",), ("?",)),
    ]  # fmt: skip
    assert (state.cards_in_hand(0), state.cards_in_hand(1)) == (("fluffy",), ("hook",))
    assert ChooseUnseen("fluffy").view_for(2, 0) == ChooseUnseen("?")


@pytest.mark.clause("HTS-DO-9", "HTS-DO-39")
def test_every_giver_chooses_a_hand_card_that_only_giver_and_receiver_see() -> None:
    state = table([], ["hook", "fluffy"], ["peanut", "spooky"], [], parties={0: ["greedy_cheeks"]})
    _, state = succeeds(state, "greedy_cheeks")
    assert asked(state) == {1, 2}
    assert refusal(state, 1, ChooseCards(("peanut",))).clauses == ("HTS-DO-9",)
    assert refusal(state, 1, ChooseCards(("hook", "fluffy"))).clauses == ("HTS-DO-9",)
    events, state = when(then(state, 2, ChooseCards(("peanut",))), 1, ChooseCards(("hook",)))
    first, second = of(events, CardGiven)
    assert [(event.seat, event.to, event.took) for event in (first, second)] == [(1, 0, ("hook",)), (2, 0, ("peanut",))]
    assert [first.view_for(seat).put for seat in (0, 2)] == [("hook",), ("?",)]  # type: ignore[attr-defined]
    assert state.cards_in_hand(0) == ("hook", "peanut")


@pytest.mark.clause("HTS-DO-10")
def test_both_whole_hands_change_places_if_one_of_the_two_holds_a_card() -> None:
    state = table(["peanut"], ["hook", "fluffy"], [], parties={0: ["dodgy_dealer"]})
    events, both = succeeds(state, "dodgy_dealer", ChoosePlayer(1))
    assert (both.cards_in_hand(0), both.cards_in_hand(1)) == (("hook", "fluffy"), ("peanut",))
    (swap,) = of(events, HandsSwapped)
    assert swap.view_for(2) == HandsSwapped(0, 1, ("?", "?"), ("?",))
    _, given_away = succeeds(state, "dodgy_dealer", ChoosePlayer(2))
    assert (given_away.cards_in_hand(0), given_away.cards_in_hand(2)) == ((), ("peanut",))
    state = table([], ["hook", "fluffy"], [], ["spooky"], parties={0: ["dodgy_dealer"]})
    _, state = dice(then(state, 0, RollFor("dodgy_dealer")), 6, 6)
    assert refusal(state, 0, ChoosePlayer(2)).clauses[0] == "HTS-TGT-2"


@pytest.mark.clause("HTS-DO-11")
def test_a_search_takes_a_card_of_the_kind_from_the_discard_pile_openly_or_nothing() -> None:
    discard = ["challenge", "hook", "critical_boost", "sealing_key", "modifier_plus_4", "fluffy", "bard_mask"]
    discard += ["enchanted_spell"]
    found = {
        "guiding_light": ["hook", "fluffy"],
        "radiant_horn": ["modifier_plus_4"],
        "lookie_rookie": ["sealing_key", "bard_mask"],
        "bun_bun": ["critical_boost", "enchanted_spell"],
    }
    for hero, cards in found.items():
        events, state = succeeds(table([], [], parties={0: [hero]}, discard=discard), hero)
        if len(cards) > 1:
            assert offered(state, 0) == [ChooseCard(card) for card in cards]
            assert refusal(state, 0, ChooseCard("challenge")).reason == "another_kind"
            events, state = when(state, 0, ChooseCard(cards[1]))
        assert [event.view_for(1).took for event in of(events, CardTaken)] == [(cards[-1],)]  # type: ignore[attr-defined]
        assert (state.cards_in_hand(0), cards[-1] in state.cards_at(DISCARD)) == ((cards[-1],), False)
        nothing, state = succeeds(table([], [], parties={0: [hero]}, discard=["challenge"]), hero)
        assert (of(nothing, CardTaken), state.cards_in_hand(0), state.agenda[-1].question_name()) == (
            [],
            (),
            "hts.Turn",
        )


@pytest.mark.clause("HTS-DO-12", "HTS-DO-5", "HTS-EACH-3")
def test_beary_wise_takes_one_of_the_cards_that_were_discarded_for_it() -> None:
    state = table([], ["hook", "fluffy"], ["peanut", "spooky"], parties={0: ["beary_wise"]}, discard=["wildshot"])
    _, state = succeeds(state, "beary_wise")
    state = then(then(state, 1, ChooseCards(("hook",))), 2, ChooseCards(("peanut",)))
    assert offered(state, 0) == [ChooseCard("hook"), ChooseCard("peanut")]
    assert "HTS-DO-12" in refusal(state, 0, ChooseCard("wildshot")).clauses
    state = then(state, 0, ChooseCard("peanut"))
    assert (state.cards_in_hand(0), state.cards_at(DISCARD)) == (("peanut",), ("wildshot", "hook"))


@pytest.mark.clause("HTS-DO-13", "HTS-DO-12", "HTS-DO-14")
def test_bullseye_keeps_one_of_the_top_three_and_puts_the_rest_back_in_an_order_unseen_by_others() -> None:
    state = table([], [], parties={0: ["bullseye"]}, deck=["peanut", "hook", "fluffy", "spooky"])
    events, state = succeeds(state, "bullseye")
    (looked,) = of(events, DeckTopLookedAt)
    assert (looked.cards, looked.view_for(0)) == (("peanut", "hook", "fluffy"), looked)
    assert looked.view_for(1) == DeckTopLookedAt(0, ("?", "?", "?"))
    assert refusal(state, 0, ChooseUnseen("spooky")).reason == "not_among_these"
    events, state = when(state, 0, ChooseUnseen("hook"))
    assert [event.view_for(1).put for event in of(events, CardTaken)] == [("?",)]  # type: ignore[attr-defined]
    assert offered(state, 0) == [ChooseCards(("peanut", "fluffy")), ChooseCards(("fluffy", "peanut"))]
    assert refusal(state, 0, ChooseCards(("fluffy",))).clauses == ("HTS-DO-14",)
    events, state = when(state, 0, ChooseCards(("fluffy", "peanut")))
    assert of(events, DeckTopArranged)[0].view_for(1) == DeckTopArranged(0, ("?", "?"))
    assert (state.cards_in_hand(0), state.cards_at(DECK)[:3]) == (("hook",), ("fluffy", "peanut", "spooky"))
    assert ChooseCards(("fluffy", "peanut")).view_for(1, 0) == ChooseCards(("?", "?"))


@pytest.mark.clause("HTS-DO-15")
def test_a_revealed_card_is_shown_to_all_and_stays_in_the_hand() -> None:
    state = table([], [], parties={0: ["pan_chucks"], 1: ["fluffy"]}, deck=["challenge", "hook"])
    _, state = succeeds(state, "pan_chucks")
    events, state = when(state, 0, ChooseCard("challenge"))
    (shown,) = of(events, CardShown)
    assert shown.view_for(1) == CardShown(0, "challenge")
    assert state.cards_in_hand(0) == ("challenge", "hook")


def with_items() -> Table:
    """Two parties with items; seat 0 has every way of returning them."""
    cursed, masked = ("peanut", "curse_of_the_snakes_eyes"), ("hook", "bard_mask")
    parties = {
        0: ["holy_curselifter", cursed, masked, "shurikitty"],
        1: [("fluffy", "thief_mask"), ("spooky", "really_big_ring")],
    }
    return table(["forceful_winds", "winds_of_change"], [], parties=parties)


@pytest.mark.clause("HTS-DO-16", "HTS-AMB-34")
def test_a_returned_item_leaves_its_hero_and_goes_to_the_hand_that_the_card_says() -> None:
    _, state = stands(with_items(), 0, PlayCard("forceful_winds"))
    assert (set(state.cards_in_hand(0)), set(state.cards_in_hand(1))) == (
        {"winds_of_change", "curse_of_the_snakes_eyes", "bard_mask"}, {"thief_mask", "really_big_ring"},
    )  # fmt: skip
    assert not list(state.iterate_items())
    _, state = stands(with_items(), 0, PlayCard("winds_of_change"))
    assert offered(state, 0) == [ChooseCard(hero) for hero in ("peanut", "hook", "fluffy", "spooky")]
    assert refusal(state, 0, ChooseCard("shurikitty")).clauses == ("HTS-DO-16",)
    state = then(state, 0, ChooseCard("fluffy"))
    assert (state.cards_in_hand(1), state.item_of("fluffy")) == (("thief_mask",), None)
    _, state = succeeds(with_items(), "holy_curselifter")  # only one cursed item of its own
    assert state.cards_in_hand(0)[-1] == "curse_of_the_snakes_eyes"
    events, state = succeeds(with_items(), "shurikitty", ChooseCard("spooky"))
    assert [event.seat for event in of(events, ItemReturned)] == [0]
    assert (state.cards_in_hand(0)[-1], state.cards_at(DISCARD)) == ("really_big_ring", ("spooky",))
