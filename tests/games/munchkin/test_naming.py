"""At a real table no more of a deck is named than has left it; what lies on a one-shot is parted from it."""

from __future__ import annotations

import pytest

from referee.engine.events import apply_events
from referee.engine.referee import judge_move, play_move, seats_that_must_act
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CLOCK, Seat
from referee.games.munchkin import GAME
from referee.games.munchkin.components import COMBAT, DOOR_DISCARD, PRINTED
from referee.games.munchkin.events.cards import CardsDiscarded
from referee.games.munchkin.moves import AskHelp, DeclineHelp, PlayCard
from referee.games.munchkin.rules.cards.naming import suggest_hidden_cards
from tests.games.munchkin.written import build_combat_position, build_midway_position


@pytest.mark.clause("KERNEL-CENSUS-1", "MK-1.2")
def test_no_more_treasures_are_named_than_have_left_their_deck() -> None:
    none_out = build_midway_position(
        {"hand": 3, "items": [], "ride": []}, {"items": []}, {"hand": 1}, treasures=72, doors=85, cards="table"
    )
    one_out = {**none_out, "treasures": 71}
    level = PlayCard("gual_scream", seat=0)
    assert not judge_move(GAME.positions.decode_position(none_out), Seat(0), level).granted
    assert judge_move(GAME.positions.decode_position(one_out), Seat(0), level).granted
    ways = list(suggest_hidden_cards(GAME.positions.decode_position(one_out), "hand:0", 3))
    assert ways
    assert all(sum(card in PRINTED.decks["treasure"] for card in cards) <= 1 for cards in ways)


@pytest.mark.clause("MK-7.12")
def test_a_one_shot_that_is_played_is_parted_from_what_lies_on_it() -> None:
    main = {"items": ["os_fruitcake", "loose_stitches"], "attached": {"os_fruitcake": "loose_stitches"}, "hand": 2}
    state = GAME.positions.decode_position(build_combat_position(main, door_discard=[]))
    events = play_move(state, Seat(0), PlayCard("os_fruitcake", side="munchkins"))
    assert [event.put for event in events if isinstance(event, CardsDiscarded)] == [("loose_stitches",)]
    after = apply_events(state, events)
    assert (after.cards_at(DOOR_DISCARD), after.attached, after.cards_in_play_of(0)) == (("loose_stitches",), {}, ())
    assert "os_fruitcake" in after.cards_at(COMBAT)


@pytest.mark.clause("MK-11.5", "MK-13.2")
def test_a_combat_without_monsters_is_over_whoever_is_still_asked_for_help() -> None:
    state = GAME.positions.decode_position(
        build_combat_position({"hand": ["os_sleighbell"]}, combat={"terms": {"asked": 1, "deal": {}}})
    )
    assert seats_that_must_act(state) - {CLOCK} == {1}
    assert judge_move(state, Seat(1), DeclineHelp()).granted
    after = apply_events(state, play_move(state, Seat(0), PlayCard("os_sleighbell", monster="wolfman")))
    assert after.combat is None
    with pytest.raises(IllegalMove):
        play_move(after, Seat(0), AskHelp(seat=1))
