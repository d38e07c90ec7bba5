"""In which order a text is carried out, what becomes of the impossible, and how targets are named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, ConfirmSeen, Decline
from referee.engine.events import Move
from referee.games.here_to_slay.components import FACES, HANDS
from referee.games.here_to_slay.events.cards import CardDiscarded, CardDrawn, CardPulled
from referee.games.here_to_slay.events.heroes import HeroDestroyed, HeroStolen, ItemReturned
from referee.games.here_to_slay.events.plays import TargetsDeclared
from referee.games.here_to_slay.moves import Modify, Pass, PlayCard, RollFor
from referee.games.here_to_slay.values import LastingEffect
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, passes, stands, succeeds, table

PLAYER, PARTY, DESTROY, STEAL, CURSED = "player", "player and hero", "destroy", "steal", "cursed item"
DECLARED = {
    "bear_claw": PLAYER, "fury_knuckle": PLAYER, "heavy_bear": PLAYER, "sharp_fox": PLAYER, "plundering_puma": PLAYER,
    "silent_shadow": PLAYER, "slippery_paws": PLAYER, "sly_pickings": PLAYER, "buttons": PLAYER, "hopper": PLAYER,
    "dodgy_dealer": PLAYER, "lucky_bucky": PLAYER, "meowzio": PARTY, "tipsy_tootie": PARTY, "bad_axe": DESTROY,
    "serious_grey": DESTROY, "shurikitty": DESTROY, "fluffy": "two to destroy", "kit_napper": STEAL, "wiggles": STEAL,
    "whiskers": "one to steal, one to destroy", "holy_curselifter": CURSED,
}  # fmt: skip
HEROES = sorted(card for card, face in FACES.items() if face.kind == "hero")
OTHERS = [hero for hero in HEROES if hero != "pan_chucks"]


@pytest.mark.clause("HTS-TGT-3")
@pytest.mark.parametrize("hero", HEROES)
def test_targets_are_declared_after_the_dice_and_before_the_modifier_window(hero: str) -> None:
    cursed = [("", "curse_of_the_snakes_eyes"), ("", "curse_of_the_snakes_eyes")]
    free = iter(other for other in OTHERS if other != hero)
    mine = [hero, *((next(free), item) for _, item in cursed)]
    one, two, three, four = (next(free) for _ in range(4))
    hands = (["challenge"], ["challenge"], ["challenge"])
    state = then(table(*hands, parties={0: mine, 1: [one, two], 2: [three, four]}), 0, RollFor(hero))
    events, state = dice(state, 1, 1)  # it will fail: the targets are declared all the same
    theirs = [ChooseCard(other) for other in (one, two, three, four)]
    players: list[Move] = [ChoosePlayer(1), ChoosePlayer(2)]
    expected: list[tuple[list[Move], Move]] = {
        PLAYER: [(players, ChoosePlayer(2))],
        PARTY: [(players, ChoosePlayer(2)), ([ChooseCard(three), ChooseCard(four)], ChooseCard(four))],
        DESTROY: [(theirs, ChooseCard(two))],
        STEAL: [(theirs, ChooseCard(two))],
        "two to destroy": [(theirs, ChooseCard(two)), ([theirs[0], *theirs[2:]], ChooseCard(three))],
        "one to steal, one to destroy": [(theirs, ChooseCard(two)), ([theirs[0], *theirs[2:]], ChooseCard(three))],
        CURSED: [([ChooseCard(str(member[0])) for member in mine[1:]], ChooseCard(str(mine[1][0])))],
        "": [],
    }[DECLARED.get(hero, "")]  # type: ignore[assignment]
    for choices, choice in expected:
        assert asked(state) == {0}
        assert offered(state, 0) == choices
        events, state = when(state, 0, choice)
    assert bool(of(events, TargetsDeclared)) == bool(expected)
    assert state.agenda[-1].window_kind == "modifiers"
    assert asked(state) == {0, 1, 2}


@pytest.mark.clause("HTS-TEXT-1")
def test_a_text_is_carried_out_in_its_order_each_part_to_its_end() -> None:
    state = table([], [], parties={0: ["wildshot"]}, deck=["hook", "peanut", "challenge"])
    events, state = succeeds(state, "wildshot")
    assert names(events)[-3:] == ["CardDrawn"] * 3
    events, state = when(state, 0, ChooseCards(("peanut",)))
    assert names(events)[-1] == "CardDiscarded"
    parties = {0: ["serious_grey"], 1: [("fluffy", "bard_mask")]}
    events, _ = succeeds(table([], [], parties=parties), "serious_grey")
    assert names(events)[-3:] == ["HeroDestroyed", "ItemLost", "CardDrawn"]


@pytest.mark.clause("HTS-TEXT-2", "HTS-AMB-46")
def test_what_cannot_be_done_is_left_out_and_the_rest_is_done() -> None:
    events, _ = succeeds(table([], [], parties={0: ["serious_grey"]}), "serious_grey")
    assert names(events)[-1] == "CardDrawn"
    events, state = succeeds(table([], ["hook"], parties={0: ["meowzio"]}), "meowzio")
    assert (of(events, HeroStolen), state.cards_in_hand(0)) == ([], ("hook",))
    events, state = succeeds(table([], [], parties={0: ["meowzio"], 1: ["peanut"]}), "meowzio")
    assert (of(events, CardPulled), state.party_of(0)) == ([], ("meowzio", "peanut"))
    no_steal = (LastingEffect("calming_voice", 1, "no_steal", "own_turn_start"),)
    events, state = succeeds(table([], [], parties={0: ["whiskers"], 1: ["peanut"]}, lasting=no_steal), "whiskers")
    assert (of(events, HeroStolen), [event.put for event in of(events, HeroDestroyed)]) == ([], [("peanut",)])
    events, _ = stands(table(["winds_of_change"], []), 0, PlayCard("winds_of_change"))
    assert (names(events)[-2:], of(events, ItemReturned)) == (["CardDrawn", "MagicPlayed"], [])


@pytest.mark.clause("HTS-TEXT-2")
def test_an_unpaid_cost_and_an_exchange_without_its_first_half_leave_nothing_of_the_rest() -> None:
    events, state = stands(table(["destructive_spell"], [], parties={1: ["fluffy"]}), 0, PlayCard("destructive_spell"))
    assert (names(events)[-2:], state.party_of(1)) == (["Lapsed", "MagicPlayed"], ("fluffy",))
    _, state = stands(table(["forced_exchange"], [], parties={0: ["peanut", "hook"]}), 0, PlayCard("forced_exchange"))
    assert (state.party_of(0), state.agenda[-1].question_name()) == (("peanut", "hook"), "hts.Turn")  # nothing is asked
    _, state = succeeds(table([], [], parties={0: ["tipsy_tootie"]}), "tipsy_tootie")
    assert state.party_of(0) == ("tipsy_tootie",)


@pytest.mark.clause("HTS-TEXT-3", "HTS-AMB-55")
def test_the_only_answer_that_all_can_see_is_given_by_the_referee_but_no_offer_and_no_look() -> None:
    state = table([], ["hook"], parties={0: ["sharp_fox"]})
    _, state = dice(then(state, 0, RollFor("sharp_fox")), 6, 6)
    assert state.agenda[-1].window_kind == "modifiers"  # the only player with a card
    _, state = passes(state)
    assert offered(state, 0) == [ConfirmSeen()]  # but being shown a hand is confirmed
    events, _ = succeeds(table([], [], parties={0: ["bad_axe"], 1: ["hook"]}), "bad_axe")
    assert names(events)[-1] == "HeroDestroyed"  # the only hero
    events, state = succeeds(table([], ["hook"], parties={0: ["heavy_bear"]}), "heavy_bear")
    assert (names(events)[-1], state.cards_in_hand(1)) == ("CardDiscarded", ())  # the last card
    _, state = stands(table(["hook"], []), 0, PlayCard("hook"))
    assert set(offered(state, 0)) == {Decline(), Accept()}  # an offer is none of these


@pytest.mark.clause("HTS-TEXT-3", "HTS-AMB-55", "HTS-AMB-57")
def test_a_single_card_pulled_by_slippery_paws_is_discarded_without_a_question() -> None:
    events, state = succeeds(table(["challenge"], ["hook"], parties={0: ["slippery_paws"]}), "slippery_paws")
    assert names(events)[-2:] == ["CardPulled", "CardDiscarded"]
    assert (state.cards_in_hand(0), state.agenda[-1].question_name()) == (("challenge",), "hts.Turn")


@pytest.mark.clause("HTS-TGT-1", "HTS-AMB-44")
@pytest.mark.parametrize("hero", [hero for hero, what in DECLARED.items() if what in (PLAYER, PARTY)])
def test_a_player_to_be_chosen_is_never_oneself(hero: str) -> None:
    parties = {0: [hero, "peanut"], 1: ["hook"], 2: ["spooky"]}
    _, state = dice(then(table(["challenge"], ["wildshot"], ["fuzzy_cheeks"], parties=parties), 0, RollFor(hero)), 6, 6)
    assert refusal(state, 0, ChoosePlayer(0)).clauses == ("HTS-TGT-1", "HTS-AMB-44")
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(2)]


@pytest.mark.clause("HTS-TGT-2", "HTS-AMB-44")
@pytest.mark.parametrize(
    ("hero", "legal"),
    [
        ("bear_claw", [1, 2]), ("sharp_fox", [1, 2]), ("heavy_bear", [1, 2]), ("silent_shadow", [1, 2]),
        ("hopper", [2, 3, 4]), ("tipsy_tootie", [2, 3]), ("meowzio", [1, 2, 3]), ("dodgy_dealer", [1, 2]),
    ],
)  # fmt: skip
def test_legal_is_a_player_on_whom_the_first_part_of_the_text_can_do_something(hero: str, legal: list[int]) -> None:
    hands = ([], ["wildshot"], ["challenge"], [], [], [])  # 4 has a hero that cannot be stolen, 5 has nothing at all
    parties = {0: [hero], 2: ["peanut"], 3: ["hook", "fluffy"], 4: ["spooky"]}
    state = table(*hands, parties=parties, lasting=(LastingEffect("calming_voice", 4, "no_steal", "own_turn_start"),))
    _, state = dice(then(state, 0, RollFor(hero)), 6, 6)
    assert offered(state, 0) == [ChoosePlayer(seat) for seat in legal]
    assert refusal(state, 0, ChoosePlayer(5)).clauses == ("HTS-TGT-2", "HTS-AMB-44")
    assert refusal(state, 0, Decline()).reason == "must_choose"


@pytest.mark.clause("HTS-TGT-2")
def test_forced_exchange_needs_a_player_with_a_hero_that_can_be_stolen() -> None:
    parties = {1: ["peanut"], 2: ["hook"], 3: ["spooky"]}
    lasting = (LastingEffect("calming_voice", 2, "no_steal", "own_turn_start"),)
    state = table(["forced_exchange"], [], [], [], ["challenge"], parties=parties, lasting=lasting)
    _, state = stands(state, 0, PlayCard("forced_exchange"))
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(3)]
    for seat in (2, 4):
        assert "HTS-TGT-2" in refusal(state, 0, ChoosePlayer(seat)).clauses


@pytest.mark.clause("HTS-TGT-2")
def test_without_a_legal_player_the_parts_that_need_one_lapse() -> None:
    for hero in ("bear_claw", "hopper", "tipsy_tootie", "meowzio", "dodgy_dealer", "silent_shadow"):
        state = table([], [], parties={0: [hero]})
        _, after = succeeds(state, hero)
        assert (after.zones, after.agenda[-1].question_name()) == (state.zones, "hts.Turn")  # no card has moved
    _, state = stands(table(["forced_exchange"], ["hook"], parties={0: ["peanut"]}), 0, PlayCard("forced_exchange"))
    assert (state.party_of(0), state.cards_in_hand(1)) == (("peanut",), ("hook",))


@pytest.mark.clause("HTS-TGT-4", "HTS-AMB-16")
def test_a_declared_target_binds_and_a_hand_emptied_in_the_meantime_gives_nothing() -> None:
    state = table([], ["modifier_plus_4"], ["hook"], parties={0: ["bear_claw"]}, leaders={1: "the_divine_arrow"})
    _, state = dice(then(state, 0, RollFor("bear_claw")), 6, 6)
    _, state = when(state, 0, ChoosePlayer(1))
    state = then(state, 1, Modify("modifier_plus_4", 4, 0))
    events, state = passes(state)
    assert (of(events, CardPulled), state.cards_in_hand(2)) == ([], ("hook",))  # nor may another be named instead
    assert (names(events)[-1], state.agenda[-1].question_name()) == ("Lapsed", "hts.Turn")


@pytest.mark.clause("HTS-TGT-4", "HTS-AMB-16")
def test_a_declared_hero_that_can_no_longer_be_affected_is_not_exchanged_for_another() -> None:
    parties = {0: ["fluffy"], 1: ["peanut", "hook"], 2: ["spooky"]}
    state = table([], [], [], parties=parties, slain={0: ["corrupted_sabretooth"]})
    events, state = succeeds(state, "fluffy", ChooseCard("peanut"), ChooseCard("hook"))
    _, state = when(state, 0, Accept())  # Peanut is stolen instead
    events, state = when(state, 0, Decline())
    assert ([event.put for event in of(events, HeroDestroyed)], state.party_of(2)) == ([("hook",)], ("spooky",))
    state = table([], ["challenge"], ["hook"], parties={0: ["bad_axe"], 1: ["peanut"], 2: ["spooky"]})
    _, state = dice(then(state, 0, RollFor("bad_axe")), 6, 6)
    state = then(state, 0, ChooseCard("peanut"))
    gone = {**state.zones, "party/1": (), "discard": ("peanut",)}  # as a play within the window may bring about
    events, state = passes(replace(state, zones=gone))
    assert (of(events, HeroDestroyed), state.party_of(2)) == ([], ("spooky",))


@pytest.mark.clause("HTS-TGT-5")
def test_what_depends_on_cards_to_come_and_all_choices_of_magic_are_chosen_when_the_text_reaches_them() -> None:
    state = table(["destructive_spell", "challenge"], ["hook"], parties={1: ["peanut", "fluffy"]})
    state = then(state, 0, PlayCard("destructive_spell"))
    assert state.agenda[-1].window_kind == "challenge"  # only the card is announced
    _, state = passes(state)
    assert offered(state, 0) == [ChooseCard("peanut"), ChooseCard("fluffy")]  # the one card that can pay is paid
    for hero in ("radiant_horn", "guiding_light"):
        hand, discard = ["modifier_plus_4"], ["modifier_minus_4", "peanut", "hook"]
        state = table([], hand, parties={0: [hero]}, discard=discard, leaders={1: "the_divine_arrow"})
        _, state = dice(then(state, 0, RollFor(hero)), 6, 6)
        assert state.agenda[-1].window_kind == "modifiers"
        state = then(state, 1, Modify("modifier_plus_4", 4, 0))
        wanted = {"radiant_horn": ["modifier_minus_4", "modifier_plus_4"], "guiding_light": ["peanut", "hook"]}[hero]
        assert offered(state, 0) == [ChooseCard(card) for card in wanted]


@pytest.mark.clause("HTS-TGT-6")
def test_choices_of_the_affected_player_are_made_by_that_player_when_the_text_reaches_them() -> None:
    state = table([], ["hook", "fluffy", "challenge"], parties={0: ["heavy_bear"]})
    _, state = dice(then(state, 0, RollFor("heavy_bear")), 6, 6)
    assert state.agenda[-1].window_kind == "modifiers"  # no card is named before it
    _, state = passes(state)
    assert "HTS-TGT-6" in state.agenda[-1].clauses
    assert refusal(state, 0, ChooseCards(("hook", "fluffy"))).reason == "they_choose_themselves"
    events, _ = when(state, 1, ChooseCards(("hook", "challenge")))
    assert [event.source for event in of(events, CardDiscarded)] == [HANDS[1]] * 2


@pytest.mark.clause("HTS-TGT-3")
def test_the_setting_leaves_the_targets_until_the_roll_has_succeeded() -> None:
    parties = {0: ["bad_axe"], 1: ["peanut", "hook"]}
    state = table([], ["challenge"], parties=parties, rules={"targets": "after_success"})
    _, state = dice(then(state, 0, RollFor("bad_axe")), 6, 6)
    assert asked(state) == {1}
    _, state = when(state, 1, Pass())
    assert offered(state, 0) == [ChooseCard("peanut"), ChooseCard("hook")]
    events, state = when(state, 0, ChooseCard("hook"))
    assert (of(events, CardDrawn), state.party_of(1)) == ([], ("peanut",))
