"""A remedy is shown before it is chosen, and shows nobody a card that nothing has shown him yet."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.games import load_games
from referee.match.events.dispute_commands import WithdrawDispute
from referee.queries.remedy_previews import count_revealed_cards, remedy_preview_response
from referee.queries.views import view_response
from tests.arbitration.playing import GAMES, disputes, plays, started

ALL = (int(BYSTANDER), 0, 1)


@pytest.mark.parametrize("game", GAMES)
def test_the_view_after_going_back_is_what_these_eyes_saw_then(game: str) -> None:
    house, match = started(game)
    plays(house, match, 4, 9)
    last = max(entry.version for entry in house.repository.load_entries(match) if entry.seat >= 0)
    number = disputes(house, match, last, "illegal_move").number
    version = house.load_match(match).version
    for viewer in (*ALL, int(FULL_VIEWER)):
        told = remedy_preview_response(house, house.load_match(match), viewer, number, "rewind")
        then = house.load_version(match, last - 1)
        assert told["hides"] is False
        if not told["learned"]:  # else a pile is shuffled again
            assert told["view"]["table"] == view_response(then, viewer)["table"]
        assert told["view"]["version"] == version + 1
    assert house.load_match(match).version == version
    with pytest.raises(IllegalMove) as refused:
        remedy_preview_response(house, house.load_match(match), 0, number + 1, "leave")
    assert refused.value.ruling.reason == "court.no_such_dispute"


@pytest.mark.parametrize("game", [game for game in GAMES if game != "shy_monsters"])
def test_a_card_that_a_seat_would_draw_is_not_shown_to_it_beforehand(game: str) -> None:
    house, match = started(game)
    plays(house, match, 4, 30)
    rules, entries, found = load_games()[game], house.repository.load_entries(match), 0
    for entry in entries:
        others = [each for each in entries if each.version != entry.version and each.version < entry.version]
        for viewer in ALL:
            assert not count_revealed_cards(rules, entry.events, entries, viewer)  # the log has shown it all
            found += bool(count_revealed_cards(rules, entry.events, others[-1:], viewer))
        assert not count_revealed_cards(rules, entry.events, (), int(FULL_VIEWER))
    assert found


@pytest.mark.parametrize("game", GAMES)
def test_who_goes_back_is_told_which_cards_to_lay_where_and_no_hidden_one_is_named(game: str) -> None:
    house, match = started(game)
    rules, found = load_games()[game], 0
    for seed in range(6):
        plays(house, match, seed, 4)
        last = max(entry.version for entry in house.repository.load_entries(match) if entry.seat >= 0)
        loaded = house.load_match(match)
        if loaded.match.status != "running" or not house.build_evidence(loaded).find_entry(last):
            continue
        number = disputes(house, match, last, "other", key=f"again-{seed}").number
        loaded = house.load_match(match)
        for viewer in ALL:
            preview = remedy_preview_response(house, loaded, viewer, number, "rewind")
            now = rules.tracking.cards_by_zone(loaded.match.view_for(viewer).state)
            count = Counter({place: len(cards) for place, cards in now.items()})
            for each in preview["returns"]:
                found += 1
                assert each["from"] != each["to"]
                count[each["from"]] -= each["count"]
                count[each["to"]] += each["count"]
                assert "{" not in each["says"]["en"] + each["says"]["de"]
                known = {card for cards in now.values() for card in cards}
                assert each["card"] is None or each["card"] in known or each["card"] in str(preview["view"]["table"])
            then = rules.tracking.cards_by_zone(house.load_version(match, last - 1).match.view_for(viewer).state)
            assert +count == Counter({place: len(cards) for place, cards in then.items() if cards})
        house.execute_command(match, WithdrawDispute(number, "0"), key=f"withdraw-{seed}", scope="seat0")
    assert found or game == "shy_monsters"
