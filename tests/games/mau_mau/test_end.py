"""How a match ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.engine.game import Outcome
from referee.games.mau_mau import GAME
from referee.games.mau_mau.events import CardsBecameDue, HandEmptied, TurnsRanOut
from referee.games.mau_mau.moves import DrawCard, PassTurn, PlayCard
from tests.games.course import of, refused, then, when
from tests.games.mau_mau.given import table

OTHERS = (["clubs_9", "clubs_ace"], ["clubs_8"])


@pytest.mark.clause("MM-END-1")
def test_the_first_without_cards_wins_and_the_others_share_the_second_place() -> None:
    state = table(["hearts_ace"], *OTHERS)
    assert GAME.find_outcome(state) is None
    events, state = when(state, 0, PlayCard("hearts_ace"))
    assert [event.seat for event in of(events, HandEmptied)] == [0]
    assert GAME.find_outcome(state) == Outcome((0,), "hand_emptied", ("MM-END-1",), ((0,), (1, 2)))


@pytest.mark.clause("MM-AMB-1")
@pytest.mark.parametrize("last", ["hearts_7", "hearts_8", "clubs_jack"])
def test_the_last_card_may_be_special_and_does_nothing(last: str) -> None:
    events, state = when(table([last], *OTHERS), 0, PlayCard(last))
    assert not of(events, CardsBecameDue)
    assert (state.agenda, state.cards_due, len(state.hand_of(1))) == ((), 0, 2)
    assert GAME.find_outcome(state) is not None


@pytest.mark.clause("MM-AMB-1-R2")
def test_by_the_other_reading_the_last_card_is_no_jack() -> None:
    state = replace(table(["clubs_jack"], *OTHERS), readings={"MM-AMB-1": 2})
    assert refused(state, 0, PlayCard("clubs_jack")) == ("no_jack_at_the_end", "MM-AMB-1-R2")
    state = replace(table(["clubs_jack", "hearts_7"], *OTHERS), readings={"MM-AMB-1": 2})
    assert then(state, 0, PlayCard("clubs_jack")).agenda


@pytest.mark.clause("MM-AMB-2")
def test_after_the_turns_set_the_fewest_cards_win_and_equals_share_it() -> None:
    rules = {"max_turns": 20}
    events, state = when(table(["clubs_7"], *OTHERS, deck=[], turns=20, rules=rules), 0, DrawCard(), PassTurn())
    assert len(of(events, TurnsRanOut)) == 1
    assert GAME.find_outcome(state) == Outcome((0, 2), "turns_ran_out", ("MM-AMB-2",), ((0, 2), (1,)))
    going_on = then(table(["clubs_7"], *OTHERS, deck=[], turns=19, rules=rules), 0, DrawCard(), PassTurn())
    assert GAME.turn_number(going_on) == 20
    assert GAME.find_outcome(going_on) is None
    equals = then(table(["clubs_7"], ["clubs_8"], deck=[], turns=20, rules=rules), 0, DrawCard(), PassTurn())
    outcome = GAME.find_outcome(equals)
    assert outcome is not None
    assert outcome.placement == ((0, 1),)
