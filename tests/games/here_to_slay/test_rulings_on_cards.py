"""The rulings on card effects (HTS-AMB-44 to HTS-AMB-60): where the cards say too little."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, ChooseUnseen, Decline
from referee.engine.referee import build_view, seats_that_must_act
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import TriggerQueued
from referee.games.here_to_slay.components import DECK, DISCARD
from referee.games.here_to_slay.events.cards import (
    CardDiscarded,
    CardDrawn,
    CardPulled,
    CardShown,
    DeckTopLookedAt,
    LotDrawn,
)
from referee.games.here_to_slay.events.heroes import HeroDestroyed, HeroStolen
from referee.games.here_to_slay.moves import Challenge, PlayCard, RedrawHand, RollFor
from referee.games.here_to_slay.values import LastingEffect
from tests.games.course import asked, of, pulled, refusal, then, when
from tests.games.here_to_slay.given import (
    dice,
    names,
    offered,
    passes,
    rolls,
    shuffled,
    stands,
    succeeds,
    table,
    with_deck,
)

QUIET = {0: "the_divine_arrow", 1: "the_fist_of_reason", 2: "the_shadow_claw"}


@pytest.mark.clause("HTS-AMB-44")
def test_a_player_means_another_one_who_can_be_affected() -> None:
    state = table(["fluffy"], ["peanut"], [], ["spooky"], parties={0: ["heavy_bear"]}, leaders=QUIET)
    _, state = dice(then(state, 0, RollFor("heavy_bear")), 6, 6)
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(3)]
    for seat in (0, 2):
        assert "HTS-AMB-44" in refusal(state, 0, ChoosePlayer(seat)).clauses


@pytest.mark.clause("HTS-AMB-45")
@pytest.mark.parametrize(("card", "cost"), [("destructive_spell", 1), ("entangling_trap", 2)])
def test_a_cost_that_cannot_be_paid_costs_nothing_and_brings_nothing(card: str, cost: int) -> None:
    rest = ["challenge", "hook"][: cost - 1]
    _, state = stands(table([card, *rest], [], parties={1: ["fluffy"]}, leaders=QUIET), 0, PlayCard(card))
    assert (state.cards_in_hand(0), state.party_of(1), state.cards_at(DISCARD)) == (tuple(rest), ("fluffy",), (card,))
    assert state.points == 2  # allowed, and played
    state = table([card, *rest], [], parties={1: ["fluffy"]}, leaders=QUIET, rules={"unpayable_play": "forbid"})
    assert refusal(state, 0, PlayCard(card)).clauses == ("HTS-AMB-45",)
    enough = [card, "challenge", "peanut"]
    _, state = stands(table(enough, [], leaders=QUIET), 0, PlayCard(card))  # payable, and nobody to aim at
    while asked(state) and state.agenda[-1].question_name() != "hts.Turn":
        state = then(state, 0, offered(state, 0)[0])
    assert len(state.cards_in_hand(0)) == 2 - cost


@pytest.mark.clause("HTS-AMB-45")
def test_with_the_setting_a_payable_play_is_still_allowed_and_other_magic_is_not_barred() -> None:
    rules = {"unpayable_play": "forbid"}
    for hand in (["destructive_spell", "hook"], ["entangling_trap", "hook", "spooky"], ["forceful_winds"]):
        state = table(hand, ["challenge"], parties={1: ["fluffy"]}, leaders=QUIET, rules=rules)
        assert asked(then(state, 0, PlayCard(hand[0]))) == {1}


@pytest.mark.clause("HTS-AMB-46")
def test_without_a_target_the_rest_is_done_in_the_printed_order() -> None:
    protected = (LastingEffect("calming_voice", 1, "no_steal", "own_turn_start"),)
    state = table([], [], parties={0: ["whiskers"], 1: ["peanut"]}, lasting=protected, leaders=QUIET)
    events, _ = succeeds(state, "whiskers")
    assert (of(events, HeroStolen), len(of(events, HeroDestroyed))) == ([], 1)
    events, state = succeeds(table([], ["hook"], parties={0: ["meowzio"]}, leaders=QUIET), "meowzio")
    assert (names(events)[-1], state.cards_in_hand(0)) == ("CardPulled", ("hook",))
    events, _ = succeeds(table([], [], parties={0: ["serious_grey"]}, leaders=QUIET), "serious_grey")
    assert (names(events)[-1], of(events, HeroDestroyed)) == ("CardDrawn", [])
    events, _ = stands(table(["winds_of_change"], [], leaders=QUIET), 0, PlayCard("winds_of_change"))
    assert len(of(events, CardDrawn)) == 1


@pytest.mark.clause("HTS-AMB-47")
def test_forced_exchange_may_give_back_the_stolen_hero_and_needs_one_to_steal() -> None:
    parties = {0: ["peanut"], 1: ["fluffy"]}
    _, state = stands(table(["forced_exchange"], [], parties=parties, leaders=QUIET), 0, PlayCard("forced_exchange"))
    assert offered(state, 0) == [ChooseCard("peanut"), ChooseCard("fluffy")]
    state = then(state, 0, ChooseCard("fluffy"))
    assert (state.party_of(0), state.party_of(1)) == (("peanut",), ("fluffy",))
    protected = (LastingEffect("calming_voice", 1, "no_steal", "own_turn_start"),)
    state = table(["forced_exchange"], [], parties=parties, leaders=QUIET, lasting=protected)
    _, state = stands(state, 0, PlayCard("forced_exchange"))
    assert (state.party_of(0), state.party_of(1)) == (("peanut",), ("fluffy",))
    state = table([], [], parties={0: ["tipsy_tootie"], 1: ["fluffy"]}, leaders=QUIET, lasting=protected)
    assert succeeds(state, "tipsy_tootie")[1].party_of(0) == ("tipsy_tootie",)


@pytest.mark.clause("HTS-AMB-48")
def test_hook_and_fuzzy_cheeks_play_if_possible_and_hook_draws_in_any_case() -> None:
    state = table(["bard_mask", "thief_mask"], [], parties={0: ["hook"]}, leaders=QUIET, deck=["fluffy"])
    _, state = succeeds(state, "hook")
    assert offered(state, 0) == [ChooseCard("bard_mask"), ChooseCard("thief_mask")]  # which one is up to the player
    state = table(["peanut"], [], parties={0: ["fuzzy_cheeks"]}, leaders=QUIET, deck=["spooky"])
    _, state = succeeds(state, "fuzzy_cheeks")
    assert offered(state, 0) == [ChooseCard("peanut"), ChooseCard("spooky")]
    for hand in ([], ["challenge"]):
        events, state = succeeds(table(hand, [], parties={0: ["hook"]}, leaders=QUIET), "hook")
        if hand:
            assert offered(state, 0) == [Decline()]
            events, state = when(state, 0, Decline())
        assert names(events)[-1] == "CardDrawn"
    full = table(["bard_mask"], [], parties={0: [("hook", "decoy_doll")]}, leaders=QUIET)
    assert offered(succeeds(full, "hook")[1], 0) == [Decline()]  # no hero is free for it


@pytest.mark.clause("HTS-AMB-49")
def test_pan_chucks_may_keep_the_challenge_hidden_and_destroys_one_hero_at_most() -> None:
    parties = {0: ["pan_chucks"], 1: ["peanut", "hook"]}
    state = table([], [], parties=parties, leaders=QUIET, deck=["challenge", "challenge"])
    _, state = succeeds(state, "pan_chucks")
    events, hidden = when(state, 0, Decline())
    assert (of(events, CardShown), of(events, HeroDestroyed), hidden.cards_in_hand(0)) == ([], [], ("challenge",) * 2)
    events, shown = when(state, 0, ChooseCard("challenge"), ChooseCard("hook"))
    assert (len(of(events, CardShown)), len(of(events, HeroDestroyed))) == (1, 1)
    assert shown.agenda[-1].question_name() == "hts.Turn"


@pytest.mark.clause("HTS-AMB-50")
def test_each_modifier_drawn_may_be_shown_once() -> None:
    deck = ["modifier_plus_4", "modifier_minus_4", "hook", "fluffy"]
    state = table([], [], parties={0: ["peanut"]}, slain={0: ["rex_major"]}, leaders=QUIET, deck=deck)
    _, state = succeeds(state, "peanut")
    shown: list[str] = []
    while state.agenda[-1].question_name() == "choose.card":
        choices = [move for move in offered(state, 0) if isinstance(move, ChooseCard)]
        assert not {move.card for move in choices} & set(shown)
        events, state = when(state, 0, *(choices[:1] or [Decline()]))
        shown += [event.card for event in of(events, CardShown)]
    assert sorted(shown) == ["modifier_minus_4", "modifier_plus_4"]
    assert state.cards_in_hand(0) == tuple(deck)


@pytest.mark.clause("HTS-AMB-51")
def test_taking_pulling_searching_and_returning_trigger_no_draw_power() -> None:
    slain = {0: ["malamammoth"]}
    events, _ = succeeds(table([], ["bard_mask"], parties={0: ["bear_claw"]}, slain=slain, leaders=QUIET), "bear_claw")
    assert (len(of(events, CardPulled)), of(events, TriggerQueued)) == (1, [])
    state = table([], [], parties={0: ["lookie_rookie"]}, discard=["bard_mask"], slain=slain, leaders=QUIET)
    assert succeeds(state, "lookie_rookie")[1].agenda[-1].question_name() == "hts.Turn"
    state = table(["forceful_winds"], [], parties={0: [("peanut", "bard_mask")]}, slain=slain, leaders=QUIET)
    events, state = stands(state, 0, PlayCard("forceful_winds"))
    assert (state.cards_in_hand(0), of(events, TriggerQueued)) == (("bard_mask",), [])


@pytest.mark.clause("HTS-AMB-52")
def test_several_cards_are_drawn_first_and_set_off_afterwards() -> None:
    deck = ["bard_mask", "hook", "thief_mask", "peanut", "spooky"]
    state = table(["challenge"], [], parties={0: ["fluffy"]}, slain={0: ["malamammoth"]}, leaders=QUIET, deck=deck)
    events, state = when(state, 0, RedrawHand())
    assert ([event.cards for event in of(events, LotDrawn)], len(of(events, TriggerQueued))) == ([tuple(deck)], 1)
    assert set(offered(state, 0)) == {Decline(), ChooseCard("bard_mask"), ChooseCard("thief_mask")}


@pytest.mark.clause("HTS-AMB-53")
def test_critical_boost_discards_before_a_draw_power_asks() -> None:
    state = table(["critical_boost"], [], parties={0: ["hook"]}, slain={0: ["malamammoth"]}, leaders=QUIET,
                  deck=["bard_mask", "fluffy", "spooky"])  # fmt: skip
    _, state = stands(state, 0, PlayCard("critical_boost"))
    assert ChooseCards(("bard_mask",)) in offered(state, 0)
    state = then(state, 0, ChooseCards(("bard_mask",)))
    assert offered(state, 0) == [Decline()]  # the mask is gone
    assert state.cards_at(DISCARD) == ("bard_mask", "critical_boost")


@pytest.mark.clause("HTS-AMB-54")
def test_several_choose_unseen_and_together() -> None:
    state = table([], ["peanut", "hook"], ["fluffy", "spooky"], parties={0: ["greedy_cheeks"]}, leaders=QUIET)
    _, state = succeeds(state, "greedy_cheeks")
    events, state = when(state, 2, ChooseCards(("fluffy",)))
    assert [event.TAG for event in events] == ["cards.Answered"]
    assert "fluffy" not in str(build_view(state, Seat(1)).agenda) + str(events[0].view_for(0))
    events, state = when(state, 1, ChooseCards(("hook",)))
    assert state.cards_in_hand(0) == ("hook", "fluffy")  # clockwise, not as they answered


@pytest.mark.clause("HTS-AMB-55")
def test_the_referee_makes_a_choice_that_all_see_to_be_the_only_one_but_never_a_pass() -> None:
    events, _ = succeeds(table([], [], parties={0: ["hopper"], 1: ["peanut"]}, leaders=QUIET), "hopper")
    assert names(events)[-1] == "HeroSacrificed"
    events, _ = succeeds(table([], ["hook"], parties={0: ["greedy_cheeks"]}, leaders=QUIET), "greedy_cheeks")
    assert names(events)[-1] == "CardGiven"
    state = table(["peanut"], ["hook"], leaders=QUIET)
    assert asked(then(state, 0, PlayCard("peanut"))) == {1}  # it can but pass, and is asked
    state = table([], ["peanut"], parties={0: ["lucky_bucky"]}, leaders=QUIET)
    assert len(offered(succeeds(state, "lucky_bucky")[1], 0)) == 2  # an offer


@pytest.mark.clause("HTS-AMB-56")
def test_the_second_pull_is_a_duty_from_the_same_hand_and_one_only() -> None:
    state = table([], ["hook", "fluffy", "spooky"], ["peanut"], parties={0: ["bear_claw"]}, leaders=QUIET)
    _, state = succeeds(state, "bear_claw", ChoosePlayer(1))
    events, state = pulled(state, "hook")
    assert (seats_that_must_act(state), of(events, CardPulled)[0].of) == ({CHANCE}, 1)
    events, state = pulled(state, "spooky")
    (second,) = of(events, CardPulled)
    assert [view_.took for view_ in map(second.view_for, range(3))] == [("?",), ("spooky",), ("?",)]  # type: ignore[attr-defined]
    assert (state.cards_in_hand(1), state.agenda[-1].question_name()) == (("fluffy",), "hts.Turn")
    events, state = succeeds(table([], ["hook"], [], parties={0: ["bear_claw"]}, leaders=QUIET), "bear_claw")
    assert (state.cards_in_hand(0), state.agenda[-1].question_name()) == (("hook",), "hts.Turn")  # nothing left to pull


@pytest.mark.clause("HTS-AMB-57")
def test_of_too_few_cards_all_there_are_are_taken_or_discarded() -> None:
    events, state = succeeds(table([], ["hook"], parties={0: ["heavy_bear"]}, leaders=QUIET), "heavy_bear")
    assert (len(of(events, CardDiscarded)), state.cards_in_hand(1)) == (1, ())
    _, state = succeeds(table([], ["hook"], parties={0: ["plundering_puma"]}, leaders=QUIET), "plundering_puma")
    assert (state.cards_in_hand(0), offered(state, 1)) == (("hook",), [Decline(), Accept()])
    _, state = succeeds(table(["fluffy"], ["hook"], parties={0: ["slippery_paws"]}, leaders=QUIET), "slippery_paws")
    assert (state.cards_in_hand(0), state.cards_at(DISCARD)) == (("fluffy",), ("hook",))


@pytest.mark.clause("HTS-AMB-58")
def test_coins_act_on_the_player_who_rolled_even_if_the_effect_has_moved_the_hero_away() -> None:
    parties = {0: [("tipsy_tootie", "suspiciously_shiny_coin")], 1: ["fluffy"]}
    events, state = succeeds(table(["challenge"], ["hook"], parties=parties, leaders=QUIET), "tipsy_tootie")
    assert state.controller_of("tipsy_tootie") == 1
    assert [(event.seat, event.put) for event in of(events, CardDiscarded)] == [(0, ("challenge",))]
    parties = {0: [("peanut", "particularly_rusty_coin")], 1: [("hook", "particularly_rusty_coin")]}
    events, _ = rolls(then(table([], [], parties=parties, leaders=QUIET), 0, RollFor("peanut")), 1, 1)
    assert [event.seat for event in of(events, CardDrawn)] == [0]


@pytest.mark.clause("HTS-AMB-59")
def test_fluffy_destroys_two_different_heroes() -> None:
    parties = {0: ["fluffy"], 1: ["peanut"], 2: ["hook", "spooky"]}
    _, state = dice(then(table([], [], [], parties=parties, leaders=QUIET), 0, RollFor("fluffy")), 6, 6)
    state = then(state, 0, ChooseCard("hook"))
    assert refusal(state, 0, ChooseCard("hook")).clauses == ("HTS-AMB-59",)
    assert offered(state, 0) == [ChooseCard("peanut"), ChooseCard("spooky")]


@pytest.mark.clause("HTS-AMB-59")
def test_qi_bear_discards_first_and_may_choose_a_hero_saved_by_its_doll_again() -> None:
    parties = {0: ["qi_bear"], 1: [("peanut", "decoy_doll"), "hook"]}
    _, state = succeeds(table(["challenge", "wildshot"], [], parties=parties, leaders=QUIET), "qi_bear")
    events, state = when(state, 0, ChooseCards(("challenge", "wildshot")))
    assert (len(of(events, CardDiscarded)), of(events, HeroDestroyed)) == (2, [])  # all discards first
    events, state = when(state, 0, ChooseCard("peanut"))
    assert (of(events, HeroDestroyed), offered(state, 0)) == ([], [ChooseCard("peanut"), ChooseCard("hook")])
    events, state = when(state, 0, ChooseCard("peanut"))
    assert [event.put for event in of(events, HeroDestroyed)] == [("peanut",)]


@pytest.mark.clause("HTS-AMB-60")
def test_bullseye_with_a_short_deck_looks_at_what_is_left_and_with_none_shuffles_first() -> None:
    start = table([], [], parties={0: ["bullseye"]}, discard=["fluffy", "spooky"], leaders=QUIET)
    events, state = succeeds(with_deck(start, "peanut", "hook"), "bullseye")
    assert [event.cards for event in of(events, DeckTopLookedAt)] == [("peanut", "hook")]
    state = then(state, 0, ChooseUnseen("hook"))
    assert (state.cards_in_hand(0), state.cards_at(DECK), state.agenda[-1].question_name()) == (
        ("hook",),
        ("peanut",),
        "hts.Turn",
    )
    events, state = succeeds(with_deck(start), "bullseye")
    assert (names(events)[-1], seats_that_must_act(state)) == ("DeckRenewed", {CHANCE})
    events, state = shuffled(state, "spooky", "fluffy")
    assert [event.cards for event in of(events, DeckTopLookedAt)] == [("spooky", "fluffy")]
    nothing = with_deck(table([], [], parties={0: ["bullseye"]}, leaders=QUIET))
    _, state = succeeds(nothing, "bullseye")
    assert (state.cards_in_hand(0), state.agenda[-1].question_name()) == ((), "hts.Turn")


@pytest.mark.clause("HTS-AMB-48")
def test_an_item_lost_to_a_challenge_does_not_cost_hook_its_draw() -> None:
    state = table(["bard_mask"], ["challenge"], parties={0: ["hook"]}, leaders=QUIET, deck=["fluffy"])
    _, state = succeeds(state, "hook")
    state = then(then(state, 0, ChooseCard("bard_mask")), 1, Challenge())
    _, state = dice(state, 6, 6, 1, 1)
    _, state = passes(state)
    assert (state.cards_in_hand(0), state.cards_at(DISCARD)) == (("fluffy",), ("challenge", "bard_mask"))
