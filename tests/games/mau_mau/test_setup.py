"""Material and setup: 32 cards, five each, the first card turned up."""

from __future__ import annotations

import pytest

from referee.engine.chance import Shuffle, ShuffleResult
from referee.engine.game import Setup
from referee.engine.rulings import MalformedInput
from referee.engine.seats import CHANCE
from referee.games.mau_mau import GAME
from referee.games.mau_mau.components import CARD_IDS, CARDS, DECK, DISCARD
from referee.games.mau_mau.events import CardsBecameDue, TurnSkipped
from referee.games.mau_mau.moves import PlayCard
from referee.games.mau_mau.rules.turn import TurnQuestion
from referee.games.mau_mau.state import Table
from tests.games.course import asked, of, refused, settled, then, when
from tests.games.mau_mau.given import table


def dealt(seats: int, first: str) -> Table:
    """A match of so many seats in which this card is turned up first."""
    state = settled(GAME.build_table(Setup("standard", seats)))
    rest = [card for card in CARD_IDS if card != first]
    return then(state, CHANCE, ShuffleResult((*rest[: 5 * seats], first, *rest[5 * seats :])))


@pytest.mark.clause("MM-MAT-1")
def test_there_is_one_card_of_each_suit_and_rank() -> None:
    assert len(set(CARD_IDS)) == 32
    assert {card["copies"] for card in CARDS} == {1}
    assert CARDS[0]["name"] == {"en": "Seven of clubs", "de": "Kreuz-Sieben"}
    assert refused(table(["hearts_8"], ["clubs_8"]), 0, PlayCard("stars_7")) == ("no_such_card", "MM-MAT-1")


@pytest.mark.clause("MM-MAT-2")
def test_two_to_four_play() -> None:
    for seats in (1, 5):
        with pytest.raises(MalformedInput):
            GAME.build_table(Setup("standard", seats))
    with pytest.raises(MalformedInput, match="0 to 1"):
        GAME.build_table(Setup("standard", 2, named=(2,)))


@pytest.mark.clause("MM-SETUP-1", "MM-SETUP-2", "MM-AMB-4")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_gets_five_a_card_is_turned_up_and_seat_0_begins(seats: int) -> None:
    assert settled(GAME.build_table(Setup("standard", seats))).agenda[-1] == Shuffle(DECK)
    state = dealt(seats, "hearts_9")
    assert [len(state.hand_of(seat)) for seat in range(seats)] == [5] * seats
    assert (state.cards_at(DISCARD), len(state.cards_at(DECK))) == (("hearts_9",), 31 - 5 * seats)
    assert (state.agenda, asked(state), GAME.turn_number(state)) == ((TurnQuestion(0),), {0}, 1)


@pytest.mark.clause("MM-AMB-3")
@pytest.mark.parametrize("first", ["hearts_7", "hearts_8", "hearts_jack"])
def test_a_special_first_card_does_nothing(first: str) -> None:
    state = dealt(2, first)
    assert (state.agenda, state.cards_due, state.wished_suit) == ((TurnQuestion(0),), 0, "")
    assert len(state.hand_of(0)) == 5


@pytest.mark.clause("MM-AMB-3")
def test_a_jack_turned_up_first_asks_for_its_own_suit() -> None:
    state = table(["hearts_8", "clubs_8", "spades_8"], ["clubs_9"], top="hearts_jack")
    assert refused(state, 0, PlayCard("clubs_8")) == ("does_not_fit", "MM-PLAY-1")
    events, _ = when(state, 0, PlayCard("hearts_8"))
    assert len(of(events, TurnSkipped)) == 1
    assert not of(events, CardsBecameDue)
