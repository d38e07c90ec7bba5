"""A bot at a table of real cards: what it holds is read to the referee, and to nobody else."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCards
from referee.engine.chance import PickResult
from referee.engine.events import Event
from referee.engine.game import Setup
from referee.engine.referee import build_view, find_legal_moves, judge_move, seats_that_must_act
from referee.engine.rulings import MalformedInput
from referee.engine.seats import CHANCE, Seat
from referee.engine.zones import CardsForgotten
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import DISCARD, HANDS
from referee.games.here_to_slay.events.cards import CardDrawn, CardNamedTwice, CardTaken
from referee.games.here_to_slay.moves import (
    DrawOne,
    PlayCard,
    RollFor,
    UseLeader,
)
from referee.games.here_to_slay.rules.drawing import HandNaming
from referee.games.here_to_slay.state import Table
from tests.games.course import of, refusal, then, when
from tests.games.here_to_slay.given import offered, rolls
from tests.games.here_to_slay.test_real_cards import REAL, real, start


def reported(state: Table, *cards: str) -> tuple[tuple[Event, ...], Table]:
    """These cards are read to the referee."""
    return when(state, CHANCE, PickResult(cards))


def test_only_seats_at_the_table_can_be_read_for() -> None:
    with pytest.raises(MalformedInput):
        GAME.build_table(Setup("standard", 2, {}, REAL, (2,)))


def test_a_bots_first_hand_is_read_to_the_referee_and_to_nobody_else() -> None:
    state = start(named=(1,))
    assert state.agenda[-1] == HandNaming(1, 5)
    five = ("bad_axe", "challenge", "challenge", "hook", "really_big_ring")
    assert refusal(state, CHANCE, PickResult(five[:4])).reason == "name_so_many"
    assert refusal(state, CHANCE, PickResult(("bad_axe", "bad_axe", *five[2:]))).reason == "no_copy_left"
    assert refusal(state, CHANCE, PickResult(("orthus", *five[1:]))).reason == "no_such_card"
    _, state = reported(state, *five)
    assert sorted(state.cards_in_hand(1)) == sorted(five)
    assert state.cards_in_hand(0) == ("?",) * 5
    assert build_view(state, Seat(0)).cards_in_hand(1) == ("?",) * 5
    assert seats_that_must_act(state) == {CHANCE}  # now the monsters


def test_a_card_that_a_bot_draws_is_read_to_the_referee() -> None:
    events, state = when(real([], ["hook"], discard=["fluffy"], named=(1,), turn=1), 1, DrawOne())
    assert of(events, CardDrawn)[0].put == ("?",)
    assert refusal(state, CHANCE, PickResult(("fluffy",))).reason == "no_copy_left"
    _, state = reported(state, "peanut")
    assert sorted(state.cards_in_hand(1)) == ["hook", "peanut"]
    assert PlayCard("fluffy") not in offered(state, 1)
    then(state, 1, PlayCard("peanut"))


def test_after_a_card_was_pulled_from_a_bot_its_hand_is_read_again() -> None:
    state = real([], ["hook", "wildshot"], [], named=(1,), leaders={0: "the_shadow_claw"})
    events, state = when(state, 0, UseLeader())
    assert of(events, CardsForgotten) == [CardsForgotten(HANDS[1])]
    assert state.agenda[-1] == HandNaming(1, 1)
    _, state = reported(state, "wildshot")
    assert (state.cards_in_hand(0), state.cards_in_hand(1)) == (("?",), ("wildshot",))


def test_what_a_bot_holds_is_no_reason_to_refuse_a_person_anything() -> None:
    state = real(["hook"], ["bad_axe"], named=(1,))
    assert judge_move(state, Seat(0), PlayCard("bad_axe")).granted  # or the refusal would tell


def test_a_bot_that_takes_a_card_openly_holds_it_named() -> None:
    state = real([], [], parties={1: ["bun_bun"]}, discard=["forceful_winds"], named=(1,), turn=1)
    events, state = rolls(then(state, 1, RollFor("bun_bun")), 4, 4)
    assert of(events, CardTaken)[0].put == ("forceful_winds",)
    assert state.cards_in_hand(1) == ("forceful_winds",)


def test_the_reports_listed_for_a_bots_card_can_be_made() -> None:
    state = then(real([], ["hook", "wildshot"], named=(1,), turn=1), 1, DrawOne())
    listed = list(find_legal_moves(state, CHANCE))
    assert PickResult(("peanut",)) in listed
    assert all(judge_move(state, CHANCE, report).granted for report in listed)


def test_of_two_who_name_the_same_single_card_at_once_the_second_is_asked_again() -> None:
    state = real([], ["hook", "wildshot"], ["snowball", "challenge"], parties={0: ["beary_wise"]})
    _, state = rolls(then(state, 0, RollFor("beary_wise")), 6, 4)
    state = then(state, 1, ChooseCards(("fluffy",)))
    events, state = when(state, 2, ChooseCards(("fluffy",)))
    assert of(events, CardNamedTwice) == [CardNamedTwice(2, "fluffy")]
    assert seats_that_must_act(state) == {2}
    _, state = when(state, 2, ChooseCards(("hopper",)))
    assert state.cards_at(DISCARD) == ("fluffy", "hopper")


def test_a_person_gives_a_card_unseen_and_a_bot_says_which() -> None:
    state = real([], ["hook", "wildshot"], ["fluffy", "snowball"], parties={0: ["greedy_cheeks"]}, named=(1,))
    _, state = rolls(then(state, 0, RollFor("greedy_cheeks")), 5, 5)
    assert offered(state, 1) == [ChooseCards(("hook",)), ChooseCards(("wildshot",))]
    assert seats_that_must_act(state) == {1}  # nobody has to tell what seat 2 gives
    state = then(state, 1, ChooseCards(("hook",)))
    assert [state.cards_in_hand(seat) for seat in range(3)] == [("?", "?"), ("wildshot",), ("?",)]
