"""A table of real cards and dice: the referee sees backs, chance is reported, cards are named when they are played."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ConfirmSeen, Decline
from referee.engine.chance import RollResult, TurnUpResult
from referee.engine.game import Setup
from referee.engine.referee import judge_move, seats_that_must_act
from referee.engine.seats import CHANCE, CLOCK, Seat
from referee.engine.zones import backs_of
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import DECK, DISCARD, HANDS, MAIN, MONSTER_BOX, MONSTERS, PENDING, ROW
from referee.games.here_to_slay.events.cards import CardDiscarded, CardDrawn, CardPulled, CardShown, DeckRenewed
from referee.games.here_to_slay.events.heroes import HeroDestroyed, ItemReturned
from referee.games.here_to_slay.events.plays import DiceRolled, ModifierPlayed, PlayAnnounced, RollSettled
from referee.games.here_to_slay.events.turns import MonsterTurnedUp
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    DrawOne,
    EndTurn,
    Modify,
    Pass,
    PickLeader,
    PlayCard,
    RedrawHand,
    RollFor,
    UseLeader,
)
from referee.games.here_to_slay.rules.hands import CardKindPrompt
from referee.games.here_to_slay.rules.turn import Turn
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, refusal, settled, then, when
from tests.games.here_to_slay.given import dice, offered, rolls, stands, table

REAL = {"deck": "table", "dice": "table"}


def real(*hands: list[str], named: tuple[int, ...] = (), rules: dict[str, Any] | None = None, **more: Any) -> Table:
    """A table of real cards: what the hands really hold the referee knows of the seats in `named` alone."""
    agreed = {"cards_at_table": True, "dice_at_table": True, "named": named, **(rules or {})}
    state = table(*hands, rules=agreed, **more)
    hidden = [DECK, MONSTERS, *(HANDS[seat] for seat in range(len(hands)) if seat not in named)]
    return replace(state, zones={**state.zones, **{place: backs_of(state.cards_at(place)) for place in hidden}})


def start(named: tuple[int, ...] = ()) -> Table:
    """A match with real cards and dice up to the dealt hands."""
    state = settled(GAME.build_table(Setup("standard", 2, {}, REAL, named)))
    state = then(then(state, CHANCE, RollResult((5,))), CHANCE, RollResult((2,)))
    return then(then(state, 0, PickLeader("the_cloaked_sage")), 1, PickLeader("the_divine_arrow"))


# ---- the setup -----------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-SETUP-2", "HTS-SETUP-5")
def test_nobody_shuffles_for_the_referee_and_hands_are_backs() -> None:
    state = settled(GAME.build_table(Setup("standard", 2, {}, REAL)))
    assert state.cards_at(DECK) == ("?",) * 115
    assert refusal(state, CHANCE, RollResult((7,))).reason == "no_such_roll"
    state = start()
    assert (state.cards_in_hand(0), state.cards_in_hand(1)) == (("?",) * 5, ("?",) * 5)
    assert state.cards_at(DECK) == ("?",) * 105


@pytest.mark.clause("HTS-SETUP-6")
def test_monsters_are_reported_when_they_are_turned_up() -> None:
    state = start()
    assert seats_that_must_act(state) == {CHANCE}
    assert refusal(state, CHANCE, TurnUpResult("peanut")).reason == "no_such_monster"
    events, state = when(state, CHANCE, TurnUpResult("orthus"))
    assert of(events, MonsterTurnedUp)[0].put == ("orthus",)
    assert refusal(state, CHANCE, TurnUpResult("orthus")).reason == "lies_elsewhere"
    state = then(then(state, CHANCE, TurnUpResult("dracos")), CHANCE, TurnUpResult("terratuga"))
    assert state.cards_at(ROW) == ("orthus", "dracos", "terratuga")
    assert state.agenda == (Turn(1),)


def test_the_monster_that_follows_a_slain_one_is_reported() -> None:
    state = real([], [], parties={0: ["peanut"]}, slain={1: ["bloodwing"]}, row=["terratuga", "orthus", "dracos"])
    _, state = rolls(then(state, 0, Attack("terratuga")), 5, 6)
    for there in ("orthus", "terratuga", "bloodwing"):
        assert refusal(state, CHANCE, TurnUpResult(there)).reason == "lies_elsewhere"
    state = then(state, CHANCE, TurnUpResult("mega_slime"))
    assert state.cards_at(ROW) == ("orthus", "dracos", "mega_slime")
    assert len(state.cards_at(MONSTERS)) == len(MONSTER_BOX) - 5


# ---- dice ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-STATE-8")
def test_dice_are_reported_and_must_be_dice() -> None:
    state = then(real([], [], parties={0: ["peanut"]}), 0, RollFor("peanut"))
    assert seats_that_must_act(state) == {CHANCE}
    for pips in ((7, 1), (3,), (1, 2, 3), (0, 0)):
        assert refusal(state, CHANCE, RollResult(pips)).reason == "no_such_roll"
    events, _ = dice(state, 3, 5)
    assert of(events, DiceRolled)[0].dice == (3, 5)
    assert of(events, RollSettled)[0].total == 8


# ---- cards are named when they are played --------------------------------------------------------------------


def test_a_card_is_named_by_whoever_plays_it() -> None:
    state = real(["hook"], ["fluffy"])  # what lies there really the referee cannot know
    events, after = when(state, 0, PlayCard("peanut"))
    assert (of(events, PlayAnnounced)[0].took, of(events, PlayAnnounced)[0].put) == (("?",), ("peanut",))
    assert (after.cards_in_hand(0), after.cards_at(PENDING)) == ((), ("peanut",))
    assert refusal(real([], ["fluffy"]), 0, PlayCard("peanut")).reason == "not_in_the_hand"
    offers = offered(state, 0)
    assert {PlayCard("peanut"), PlayCard("bard_mask"), PlayCard("forceful_winds")} & set(offers) == {
        PlayCard("peanut"), PlayCard("forceful_winds")
    }  # fmt: skip


@pytest.mark.clause("HTS-ZONE-6", "HTS-COMP-3")
def test_a_second_bad_axe_is_refused() -> None:
    for where in ({"parties": {1: ["bad_axe"]}}, {"discard": ["bad_axe"]}):
        state = real(["hook"], ["fluffy"], **where)
        assert not judge_move(state, Seat(0), PlayCard("bad_axe")).granted
        assert PlayCard("bad_axe") not in offered(state, 0)
    assert judge_move(real(["hook"], ["fluffy"]), Seat(0), PlayCard("bad_axe")).granted


@pytest.mark.clause("HTS-ZONE-6", "HTS-COMP-3")
def test_a_fifteenth_challenge_is_refused() -> None:
    state = then(real(["hook"], ["fluffy"], discard=["challenge"] * 14), 0, PlayCard("peanut"))
    assert refusal(state, 1, Challenge()).reason == "no_challenge_held"
    assert offered(state, 1) == [Pass()]
    state = then(real(["hook"], ["fluffy"], discard=["challenge"] * 13), 0, PlayCard("peanut"))
    state = then(state, 1, Challenge())
    assert (state.cards_in_hand(1), state.cards_at(PENDING)) == ((), ("peanut", "challenge"))


def test_a_modifier_is_named_when_it_is_played() -> None:
    state = real(["hook"], ["fluffy"], parties={0: ["peanut"]}, discard=["modifier_minus_4"] * 4)
    _, state = dice(then(state, 0, RollFor("peanut")), 3, 3)
    assert refusal(state, 1, Modify("modifier_minus_4", -4, 0)).reason == "not_in_the_hand"
    events, _ = when(state, 1, Modify("modifier_plus_1_minus_3", -3, 0))
    assert of(events, ModifierPlayed)[0].took == ("?",)


# ---- what nobody names ---------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-ACT-1")
def test_a_drawn_card_stays_unknown() -> None:
    events, state = when(real([], []), 0, DrawOne())
    assert of(events, CardDrawn)[0].put == ("?",)
    assert (state.cards_in_hand(0), len(state.cards_at(DECK))) == (("?",), 114)
    assert asked(state) == {0}


def test_a_pulled_card_stays_unknown() -> None:
    state = real([], ["hook", "fluffy"], [], leaders={0: "the_shadow_claw"})
    events, state = when(state, 0, UseLeader())
    assert of(events, CardPulled)[0].took == ("?",)  # and no chance is asked: they pull it themselves
    assert (state.cards_in_hand(0), state.cards_in_hand(1)) == (("?",), ("?",))


@pytest.mark.clause("HTS-DECK-1")
def test_the_discard_pile_is_shuffled_at_the_table_and_its_cards_are_unknown_again() -> None:
    state = real(["hook"], [], discard=["bad_axe", "fluffy"])
    state = replace(state, zones={**state.zones, DECK: ()})
    events, state = when(state, 0, DrawOne())
    assert of(events, DeckRenewed)[0].put == ("?", "?")
    assert (state.cards_in_hand(0), state.cards_at(DECK)) == (("?", "?"), ("?",))
    assert judge_move(state, Seat(0), PlayCard("bad_axe")).granted


def test_an_item_returned_to_a_persons_hand_is_a_back_again() -> None:
    state = real(["forceful_winds"], ["hook"], parties={0: [("peanut", "bard_mask")]})
    events, state = when(then(state, 0, PlayCard("forceful_winds")), 1, Pass())
    assert of(events, ItemReturned)[0].put == ("?",)
    assert state.cards_in_hand(0) == ("?",)
    assert judge_move(state, Seat(0), PlayCard("bard_mask")).granted


# ---- only the holder can tell --------------------------------------------------------------------------------


@pytest.mark.clause("HTS-DO-40")
@pytest.mark.parametrize(("answer", "pulls"), [(Accept(), 2), (Decline(), 1)])
def test_the_holder_says_whether_the_pulled_card_is_a_hero(answer: Accept | Decline, pulls: int) -> None:
    state = real(["hook"], ["fluffy", "snowball"], parties={0: ["bear_claw"]})
    events, state = rolls(then(state, 0, RollFor("bear_claw")), 4, 4)
    assert len(of(events, CardPulled)) == 1
    assert isinstance(state.agenda[-1], CardKindPrompt)
    assert asked(state) == {0}
    more, state = when(state, 0, answer)
    assert len(of(events + more, CardPulled)) == pulls
    assert state.agenda == (Turn(0),)


def test_what_all_cards_of_the_kind_belie_is_refused() -> None:
    state = real([], ["fluffy", "snowball"], parties={0: ["fury_knuckle"]}, discard=["challenge"] * 14)
    _, state = rolls(then(state, 0, RollFor("fury_knuckle")), 4, 4)
    assert refusal(state, 0, Accept()).reason == "no_such_kind_left"
    assert offered(state, 0) == [Decline()]


def test_no_clock_answers_what_only_the_holder_knows() -> None:
    limit = {"decision_ms": 5000}
    state = real([], ["fluffy", "snowball"], parties={0: ["bear_claw"]}, rules=limit)
    _, state = rolls(then(state, 0, RollFor("bear_claw")), 4, 4)
    assert isinstance(state.agenda[-1], CardKindPrompt)
    assert CLOCK not in seats_that_must_act(state)
    assert CLOCK in seats_that_must_act(then(state, 0, Decline()))


def test_a_challenge_among_drawn_cards_is_named_when_it_is_shown() -> None:
    state = real([], [], parties={0: ["pan_chucks"], 1: ["fluffy"]})
    _, state = rolls(then(state, 0, RollFor("pan_chucks")), 4, 4)
    assert ChooseCard("challenge") in offered(state, 0)
    events, _ = when(state, 0, ChooseCard("challenge"))
    assert of(events, CardShown)[0].card == "challenge"
    assert of(events, HeroDestroyed)
    none_left = real([], [], parties={0: ["pan_chucks"], 1: ["fluffy"]}, discard=["challenge"] * 14)
    _, state = rolls(then(none_left, 0, RollFor("pan_chucks")), 4, 4)
    assert offered(state, 0) == [Decline()]


# ---- discards are named --------------------------------------------------------------------------------------


def test_discards_are_named_by_whoever_makes_them() -> None:
    state = real([], ["hook", "wildshot", "bullseye"], parties={0: ["heavy_bear"]})
    _, state = rolls(then(state, 0, RollFor("heavy_bear")), 4, 4)
    assert asked(state) == {1}
    for cards in (("fluffy",), ("fluffy", "hook", "snowball")):
        assert refusal(state, 1, ChooseCards(cards)).reason == "exactly_so_many"
    assert refusal(state, 1, ChooseCards(("fluffy", "fluffy"))).reason == "no_copy_left"
    assert refusal(state, 1, ChooseCards(("fluffy", "heavy_bear"))).reason == "no_copy_left"
    events, state = when(state, 1, ChooseCards(("fluffy", "challenge")))
    assert [(event.took, event.put) for event in of(events, CardDiscarded)] == [
        (("?",), ("fluffy",)),
        (("?",), ("challenge",)),
    ]
    assert (state.cards_in_hand(1), state.cards_at(DISCARD)) == (("?",), ("fluffy", "challenge"))


@pytest.mark.clause("HTS-ACT-5")
def test_a_whole_hand_that_is_redrawn_is_named_card_by_card() -> None:
    state = then(real(["hook", "wildshot"], []), 0, RedrawHand())
    assert asked(state) == {0}
    state = then(state, 0, ChooseCards(("snowball", "modifier_plus_4")))
    assert state.cards_at(DISCARD) == ("snowball", "modifier_plus_4")
    assert state.cards_in_hand(0) == ("?",) * 5


# ---- what only one player sees -----------------------------------------------------------------------------------


def test_whoever_looks_at_a_persons_hand_says_when_it_has_been_seen() -> None:
    state = real([], ["hook", "fluffy"], parties={0: ["sharp_fox"]})
    _, state = rolls(then(state, 0, RollFor("sharp_fox")), 4, 4)
    assert offered(state, 0) == [ConfirmSeen()]
    assert then(state, 0, ConfirmSeen()).agenda == (Turn(0),)


def test_a_card_taken_from_a_persons_hand_stays_unknown() -> None:
    state = real([], ["hook", "fluffy"], parties={0: ["silent_shadow"]})
    _, state = rolls(then(state, 0, RollFor("silent_shadow")), 4, 4)
    state = then(state, 0, ConfirmSeen())
    assert (state.cards_in_hand(0), state.cards_in_hand(1)) == (("?",), ("?",))
    assert state.agenda == (Turn(0),)


def test_a_whole_turn_at_a_real_table() -> None:
    state = start()
    for monster in ("orthus", "dracos", "terratuga"):
        state = then(state, CHANCE, TurnUpResult(monster))
    _, state = stands(state, 1, PlayCard("peanut"))
    _, state = rolls(then(state, 1, Accept()), 4, 4)
    assert len(state.cards_in_hand(1)) == 6
    _, state = stands(state, 1, PlayCard("really_big_ring"))
    state = then(state, 1, EndTurn())
    assert state.item_of("peanut") == "really_big_ring"
    assert sum(len(cards) for cards in state.zones.values()) == sum(MAIN.values()) + 15 + 6
