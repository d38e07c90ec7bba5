"""At a real table no more of a deck is named than has left it; what lies on a one-shot is parted from it."""

from __future__ import annotations

import pytest

from referee.engine.events import fold
from referee.engine.referee import awaited, judge, play
from referee.engine.rulings import Refused
from referee.engine.seats import CLOCK, Seat
from referee.games.munchkin import GAME
from referee.games.munchkin.components import COMBAT, DOOR_DISCARD, PRINTED
from referee.games.munchkin.events.cards import CardsDiscarded
from referee.games.munchkin.moves import AskHelp, DeclineHelp, PlayCard
from referee.games.munchkin.positions.examples import fighting, midway
from referee.games.munchkin.rules.cards.naming import could_be


@pytest.mark.clause("KERNEL-CENSUS-1", "MK-1.2")
def test_no_more_treasures_are_named_than_have_left_their_deck() -> None:
    none_out = midway({"hand": 3, "items": [], "ride": []}, {"items": []}, {"hand": 1}, treasures=72, doors=85,
                      cards="table")  # fmt: skip
    one_out = {**none_out, "treasures": 71}
    level = PlayCard("gual_scream", seat=0)
    assert not judge(GAME.position(none_out), Seat(0), level).granted
    assert judge(GAME.position(one_out), Seat(0), level).granted
    ways = list(could_be(GAME.position(one_out), "hand:0", 3))
    assert ways
    assert all(sum(card in PRINTED.decks["treasure"] for card in cards) <= 1 for cards in ways)


@pytest.mark.clause("MK-7.12")
def test_a_one_shot_that_is_played_is_parted_from_what_lies_on_it() -> None:
    main = {"items": ["os_fruitcake", "loose_stitches"], "attached": {"os_fruitcake": "loose_stitches"}, "hand": 2}
    state = GAME.position(fighting(main, door_discard=[]))
    facts = play(state, Seat(0), PlayCard("os_fruitcake", side="munchkins"))
    assert [fact.put for fact in facts if isinstance(fact, CardsDiscarded)] == [("loose_stitches",)]
    after = fold(state, facts)
    assert (after.place(DOOR_DISCARD), after.attached, after.in_play(0)) == (("loose_stitches",), {}, ())
    assert "os_fruitcake" in after.place(COMBAT)


@pytest.mark.clause("MK-11.5", "MK-13.2")
def test_a_combat_without_monsters_is_over_whoever_is_still_asked_for_help() -> None:
    state = GAME.position(fighting({"hand": ["os_sleighbell"]}, combat={"terms": {"asked": 1, "deal": {}}}))
    assert awaited(state) - {CLOCK} == {1}
    assert judge(state, Seat(1), DeclineHelp()).granted
    after = fold(state, play(state, Seat(0), PlayCard("os_sleighbell", monster="wolfman")))
    assert after.combat is None
    with pytest.raises(Refused):
        play(after, Seat(0), AskHelp(seat=1))
