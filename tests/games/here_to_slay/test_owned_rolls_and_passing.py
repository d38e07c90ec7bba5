"""What cards that owners might enter do with rolls that are open, and with a card of every hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.cardscript.moves import Accept, ChooseCards, Decline
from referee.engine.chance import RollResult
from referee.engine.codec import decode, encode
from referee.engine.events import apply_events
from referee.engine.referee import build_view, play_move
from referee.engine.seats import CHANCE, Seat
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import HANDS, LEADER
from referee.games.here_to_slay.events.cards import CardGiven, EffectLapsed
from referee.games.here_to_slay.events.plays import DiceRolled, DiceRolledAgain
from referee.games.here_to_slay.moves import Attack, PlayCard, RollFor
from referee.games.here_to_slay.rules.rolling import ModifierWindow, find_open_rolls
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.wording import describe_answer, describe_question
from tests.games.course import of, when
from tests.games.here_to_slay.booked import book_of, card, of_book
from tests.games.here_to_slay.given import offered, stands, table

QUIET = {0: "the_divine_arrow", 1: "the_cloaked_sage", 2: "the_shadow_claw"}
LUCKY = card("lucky", "leader", **{"class": "thief"}, whenever=[
    {"event": "rolled", "by": "me", "may": True, "does": [{"do": "roll_again", "of": "roller"}]}
])  # fmt: skip


def as_position(state: Table) -> Table:
    """The table after it was stored, and written as a position and read again."""
    assert decode(Table, encode(state)) == state
    written = GAME.positions.encode_position(state)  # the test's table has fewer leaders than a box
    return GAME.positions.tables.find_table(written).examine(written)[0]  # type: ignore[no-any-return]


# ---- a roll that is thrown again -------------------------------------------------------------------------------------


def lucky(**more: Any) -> Table:
    """Seat 0 has the leader that may roll again."""
    book = book_of(LUCKY)
    state = of_book(book, table(["challenge"], ["challenge"], leaders=QUIET, **more))
    return replace(state, zones={**state.zones, LEADER[0]: (book.card_id("lucky"),)})


@pytest.mark.clause("HTS-AGAIN-1")
def test_the_second_throw_takes_the_place_of_the_first_before_modifiers_are_played() -> None:
    state = lucky(parties={0: ["peanut"]})
    _, state = when(state, 0, RollFor("peanut"))
    events, state = when(state, CHANCE, RollResult((1, 1)))
    assert len(of(events, DiceRolled)) == 1
    assert not isinstance(state.agenda[-1], ModifierWindow), "the offer comes first"
    assert {*offered(state, 0)} >= {Accept(), Decline()}
    assert as_position(state) == state
    _, again = when(state, 0, Accept())
    assert as_position(again) == again
    events, after = when(again, CHANCE, RollResult((5, 6)))
    (second,) = of(events, DiceRolledAgain)
    assert (second.dice, find_open_rolls(after)[0].dice) == ((5, 6), (5, 6))
    assert isinstance(after.agenda[-1], ModifierWindow), "and it is offered once for each roll"
    told = GAME.narration.describe_event(second)
    assert told is not None
    assert (told["en"], told["de"]) == ("Player 1 rolls again: 5, 6.", "Spieler 1 würfelt noch einmal: 5, 6.")
    assert after.rolled == ("peanut",)
    _, after = when(state, 0, Decline())
    assert find_open_rolls(after)[0].dice == (1, 1)
    assert isinstance(after.agenda[-1], ModifierWindow)


@pytest.mark.clause("HTS-AGAIN-1")
def test_attacks_are_rolls_too_and_those_of_others_are_not_waited_for() -> None:
    state = lucky(parties={0: ["peanut", "hook"]}, row=["terratuga", "dracos", "orthus"])
    _, state = when(state, 0, Attack("terratuga"))
    _, state = when(state, CHANCE, RollResult((1, 2)))
    assert Accept() in offered(state, 0)
    others = of_book(book_of(LUCKY), table([], [], leaders=QUIET, parties={0: ["peanut"]}))
    _, others = when(others, 0, RollFor("peanut"))
    _, others = when(others, CHANCE, RollResult((1, 2)))
    assert Accept() not in offered(others, 0)


def test_without_an_open_roll_nothing_is_thrown() -> None:
    late = card("late", "leader", **{"class": "thief"}, whenever=[
        {"event": "magic_played", "by": "me", "does": [{"do": "roll_again", "of": "me"}]}
    ])  # fmt: skip
    book = book_of(late, card(does=[{"do": "draw", "count": 1}]))
    state = of_book(book, table([], [], leaders=QUIET), hand="the_card")
    state = replace(state, zones={**state.zones, LEADER[0]: (book.card_id("late"),)})
    events, _ = stands(state, 0, PlayCard(book.card_id("the_card")))
    assert [event.what for event in of(events, EffectLapsed)] == ["roll_again"]


# ---- a card to the left ----------------------------------------------------------------------------------------------


def passing(*hands: list[str], **rules: Any) -> tuple[Any, Table]:
    """A card that has everybody pass a card to the left, played by seat 0."""
    book = book_of(card(does=[{"do": "pass_left"}]))
    state = of_book(book, table(*hands, leaders=QUIET, rules=rules or None), hand="the_card")
    return stands(state, 0, PlayCard(book.card_id("the_card")))


@pytest.mark.clause("HTS-PASS-1", "HTS-DO-9")
def test_each_player_passes_a_card_to_the_next_all_at_once() -> None:
    _, state = passing(["spooky", "hook"], ["bun_bun", "fluffy"], ["peanut", "wildshot"])
    assert describe_question(state) == ("left", {})
    assert describe_answer(state, ChooseCards(("spooky",))) == ("pass", {})
    (choice,) = (each for each in GAME.boards.draw(build_view(state, Seat(0)), 0, "standard")["running"]  # type: ignore[index]
                 if each["kind"] == "secret_choice")  # fmt: skip
    assert (choice["about"], choice["to"], choice["waiting"]) == ("give", None, [0, 1, 2])
    assert as_position(state) == state
    _, state = when(state, 1, ChooseCards(("fluffy",)))
    _, state = when(state, 0, ChooseCards(("spooky",)))
    events, after = when(state, 2, ChooseCards(("peanut",)))
    assert {(event.seat, event.to) for event in of(events, CardGiven)} == {(0, 1), (1, 2), (2, 0)}
    assert [set(after.cards_at(HANDS[seat])) for seat in range(3)] == [
        {"hook", "peanut"}, {"bun_bun", "spooky"}, {"wildshot", "fluffy"},
    ]  # fmt: skip


@pytest.mark.clause("HTS-PASS-1")
def test_only_giver_and_receiver_see_a_card_that_is_passed() -> None:
    _, state = passing(["spooky", "hook"], ["bun_bun", "fluffy"], ["peanut", "wildshot"])
    for seat, name in ((0, "spooky"), (1, "fluffy"), (2, "peanut")):
        move = ChooseCards((name,))
        played = play_move(state, Seat(seat), move)
        for other in map(Seat, range(3)):
            seen = tuple(event.view_for(other) for event in played)
            assert apply_events(build_view(state, other), seen) == build_view(apply_events(state, played), other)
            names = {card for event in seen if isinstance(event, CardGiven) for card in (*event.took, *event.put)}
            givers = {0: {"spooky", "peanut"}, 1: {"fluffy", "spooky"}, 2: {"peanut", "fluffy"}}[int(other)]
            assert names - {"?"} <= givers
        state = apply_events(state, played)


def test_an_empty_hand_passes_nothing_and_gets_a_card() -> None:
    _, state = passing(["spooky", "hook"], [], ["peanut", "wildshot"])
    _, state = when(state, 0, ChooseCards(("hook",)))
    events, after = when(state, 2, ChooseCards(("peanut",)))
    assert [(event.seat, event.to) for event in of(events, CardGiven)] == [(0, 1), (2, 0)]
    assert after.cards_at(HANDS[1]) == ("hook",)
