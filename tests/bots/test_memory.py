"""What a seat remembers is true: the cards lie where it remembers them."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from referee.bots.memory import SeatMemory
from referee.engine.game import Setup
from referee.engine.seats import Seat
from referee.games import load_games
from tests.games.matches import marked_setups, recorded

each = pytest.mark.parametrize("pair", marked_setups(), scope="module")
# Games in which random play shows cards that are hidden again.
REMEMBERING = {"creature_crush", "here_to_slay", "munchkin"}


@each
def test_what_is_remembered_is_true_and_the_view_is_the_view(pair: tuple[str, Setup]) -> None:
    game, setup = load_games()[pair[0]], pair[1]
    turns = list(recorded(pair, 0))
    minds = {seat: SeatMemory(game, seat, turns[0].before.view_for(seat)) for seat in range(setup.seats)}
    remembered = 0
    for turn, following in pairwise(turns):
        for seat, mind in minds.items():
            mind.note_events(event.view_for(Seat(seat)) for event in turn.events)
            assert mind.view == following.before.view_for(seat)
            if "table" in setup.chance.values():
                continue  # random reports of real cards are not true: hands name what nobody could have held
            for place, cards in mind.places.items():
                lying = Counter(following.before.zones[place])
                assert not Counter(cards) - lying, (place, cards, turn.move)
                remembered += len(cards)
    assert remembered or game.name not in REMEMBERING or "table" in setup.chance.values()
