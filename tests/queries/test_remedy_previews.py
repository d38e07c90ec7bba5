"""A remedy is shown before it is chosen, and shows nobody a card that nothing has shown him yet."""

from __future__ import annotations

import pytest

from referee.engine.rulings import Refused
from referee.engine.seats import BYSTANDER, FULL
from referee.games import games
from referee.queries.remedy_previews import preview, revealed
from referee.queries.views import shown
from tests.arbitration.playing import GAMES, disputes, plays, started

ALL = (int(BYSTANDER), 0, 1)


@pytest.mark.parametrize("game", GAMES)
def test_the_view_after_going_back_is_what_these_eyes_saw_then(game: str) -> None:
    house, match = started(game)
    plays(house, match, 4, 9)
    last = max(entry.version for entry in house.entries(match) if entry.seat >= 0)
    number = disputes(house, match, last, "illegal_move").number
    version = house.load(match).version
    for eyes in (*ALL, int(FULL)):
        told = preview(house, house.load(match), eyes, number, "rewind")
        then = house.at(match, last - 1)
        assert told["hides"] is False
        if not told["learned"]:  # else a pile is shuffled again
            assert told["view"]["table"] == shown(then, eyes)["table"]
        assert told["view"]["version"] == version + 1
    assert house.load(match).version == version
    with pytest.raises(Refused) as refused:
        preview(house, house.load(match), 0, number + 1, "leave")
    assert refused.value.ruling.reason == "court.no_such_dispute"


@pytest.mark.parametrize("game", [game for game in GAMES if game != "shy_monsters"])
def test_a_card_that_a_seat_would_draw_is_not_shown_to_it_beforehand(game: str) -> None:
    house, match = started(game)
    plays(house, match, 4, 30)
    rules, entries, found = games()[game], house.entries(match), 0
    for entry in entries:
        others = [each for each in entries if each.version != entry.version and each.version < entry.version]
        for eyes in ALL:
            assert not revealed(rules, entry.facts, entries, eyes)  # the log has shown it all
            found += bool(revealed(rules, entry.facts, others[-1:], eyes))
        assert not revealed(rules, entry.facts, (), int(FULL))
    assert found
