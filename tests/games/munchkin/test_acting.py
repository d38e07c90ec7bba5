"""When a player may act: at any moment, out of combat, on the own turn, in combat, right after receiving a card."""

from __future__ import annotations

import pytest

from referee.engine.chance import RollResult
from referee.engine.events import Move
from referee.engine.referee import build_view
from referee.engine.seats import CHANCE, Seat
from referee.games.munchkin.events.cards import CardDrawn, CardKept, NoLongerFresh
from referee.games.munchkin.moves import (
    ClaimKill,
    DiscardFromPlay,
    EndTurn,
    Equip,
    FleeFrom,
    KeepRoll,
    KickDoor,
    LootRoom,
    OfferTrade,
    Pass,
    PlayCard,
    PutIntoPlay,
    RunAway,
    Sell,
    TakeTrade,
    Unequip,
)
from referee.games.munchkin.state import Table
from tests.games.course import of, then, when
from tests.games.munchkin.combats import cursed, fighting, flees, kicked, refused, when_all, won
from tests.games.munchkin.given import offered, table

ANY_TIME: list[Move] = [
    DiscardFromPlay("town_easter"),
    PlayCard("gual_pie", seat=0),
    PlayCard("gual_pie", seat=1),
    PlayCard("curse_level", seat=0),
    PlayCard("curse_level", seat=2),
    PutIntoPlay("ride_broom"),
]
HAND = ("gual_pie", "curse_level", "ride_broom", "stilts", "town_halloween", "bat_hat", "puddle_bat")
MINE = {"towns": {1: ("town_easter",)}, "items": {1: ("chained_lantern",)}, "carried": {1: ("rusty_bell",)}}


def moments() -> dict[str, Table]:
    """Seat 1 holds the cards, at every moment of seat 0's turn and of the own."""
    hands = ((), HAND, ())
    fight = fighting(*hands, foes=("sally",), **MINE)
    strong = {**MINE, "levels": (8,), "items": {0: ("crooked_crown",), **MINE["items"]}}
    return {
        "another's calm": table(*hands, **MINE),
        "before the choice": table(*hands, stage="choice", **MINE),
        "after it": table(*hands, stage="after", **MINE),
        "the own calm": table(*hands, turn=1, **MINE),
        "another's combat": fight,
        "the own help": fighting(*hands, foes=("sally",), helper=1, **MINE),
        "a window": then(fighting(*hands, foes=("sally",), **strong), 0, ClaimKill()),
        "another's flight": then(fight, 0, RunAway()),
    }


@pytest.mark.clause("MK-6.1", "MK-24.11", "MK-4.4", "MK-8.4", "MK-20.1", "MK-8.6")
@pytest.mark.parametrize("moment", moments())
def test_at_any_moment_of_any_turn(moment: str) -> None:
    state = moments()[moment]
    listed = offered(state, 1)
    for move in ANY_TIME:
        assert move in listed, move
        assert when(state, 1, move)[0]


@pytest.mark.clause("MK-6.1", "MK-26.2")
def test_not_even_these_within_another_play() -> None:
    state = then(table(("curse_level",), HAND, (), **MINE), 0, PlayCard("curse_level", seat=2))
    for move in ANY_TIME:
        assert refused(state, 1, move)[0] == "carried_out_first"


@pytest.mark.clause("MK-6.2", "MK-24.11")
@pytest.mark.parametrize("moment", [name for name in moments() if name != "the own help"])
def test_out_of_combat_a_player_trades_and_changes_what_is_in_use(moment: str) -> None:
    state = moments()[moment]
    for move in (Unequip("chained_lantern"), Equip("rusty_bell"), OfferTrade(2, give=("rusty_bell",))):
        if isinstance(move, OfferTrade):
            after = then(then(state, 1, move), 2, TakeTrade(1))
            assert after.cards_in_play_of(2) == ("rusty_bell",)
        else:
            assert move in offered(state, 1)
    assert type(then(state, 1, OfferTrade(2, give=("rusty_bell",))).agenda[-1]) is type(state.agenda[-1])


@pytest.mark.clause("MK-6.2", "MK-6.5", "MK-9.7")
def test_in_combat_and_on_the_run_nobody_trades_or_changes_what_is_in_use() -> None:
    helping = moments()["the own help"]
    running = then(helping, 0, RunAway())
    for state in (helping, running):
        assert refused(state, 1, Unequip("chained_lantern"))[0] == "not_in_combat"
        assert refused(state, 1, OfferTrade(2, give=("rusty_bell",)))[0] == "not_in_combat"
        assert refused(state, 2, OfferTrade(1, take=("rusty_bell",)))[0] == "not_in_combat"


@pytest.mark.clause("MK-6.3", "MK-4.4", "MK-7.6", "MK-7.14")
def test_items_and_towns_are_put_down_and_sold_on_the_own_turn_only() -> None:
    own = table((), HAND, (), turn=1, carried={1: ("confetti_cannon", "crooked_crown")})
    other = table((), HAND, (), turn=0, carried={1: ("confetti_cannon", "crooked_crown")})
    sale = Sell(("confetti_cannon", "crooked_crown"))
    for move in (PutIntoPlay("bat_hat"), PutIntoPlay("town_halloween")):
        assert move in offered(own, 1)
        assert refused(other, 1, move)[0] == "on_the_own_turn"
    assert when(own, 1, sale)[1].levels[1] == 2
    assert refused(other, 1, sale)[1] in ("MK-6.3", "MK-7.14")


@pytest.mark.clause("MK-6.3", "MK-4.4")
def test_a_citizenship_is_played_at_any_moment_of_the_own_turn() -> None:
    state = fighting(("town_halloween",), (), (), foes=("sally",))
    assert PutIntoPlay("town_halloween") in offered(state, 0)
    running = then(state, 0, RunAway())
    assert PutIntoPlay("town_halloween") in offered(running, 0)


@pytest.mark.clause("MK-6.5")
def test_a_fighter_is_in_combat_until_the_rewards_are_handed_out() -> None:
    state = fighting((), (), (), foes=("puddle_bat",), levels=(5,), helper=1)
    for step in (lambda s: then(s, 0, ClaimKill()), lambda s: s):
        state = step(state)
        assert state.is_in_combat(0)
        assert state.is_in_combat(1)
        assert not state.is_in_combat(2)
    events, state = when(state, 2, Pass())
    assert not state.is_in_combat(0)
    assert of(events, NoLongerFresh) == []


@pytest.mark.clause("MK-6.5", "MK-17.9")
def test_a_fighter_is_in_combat_until_the_last_roll_is_settled() -> None:
    state = then(fighting((), (), (), foes=("sally", "puddle_bat")), 0, RunAway())
    state = flees(state, 0, "sally", 6)[1]
    assert state.is_in_combat(0)
    state = when_all(state, (0, FleeFrom("puddle_bat")), (CHANCE, RollResult((6,))))[1]
    assert state.is_in_combat(0)
    assert not then(state, 0, KeepRoll()).is_in_combat(0)


@pytest.mark.clause("MK-6.6", "MK-5.3")
def test_a_card_found_behind_the_door_may_be_put_down_at_once() -> None:
    events, state = when(table((), (), (), doors=("town_easter",)), 0, KickDoor())
    assert of(events, CardKept)
    assert PutIntoPlay("town_easter") in offered(state, 0)


@pytest.mark.clause("MK-6.6", "MK-16.3")
def test_treasures_won_by_a_helper_are_put_down_on_anothers_turn_until_the_next_step() -> None:
    how = {"levels": (5,), "treasures": ("bat_hat", "stilts")}
    state = fighting((), ("crooked_crown",), (), foes=("skeleton_choir",), helper=1, towns={1: ("town_thanksgiving",)},
                     **how)  # fmt: skip
    events, state = won(state)
    assert [event.seat for event in of(events, CardDrawn)] == [1]
    (mine,) = (card for card in state.cards_in_hand(1) if card != "crooked_crown")
    assert state.fresh["1"] == (mine,)
    assert refused(state, 1, PutIntoPlay("crooked_crown")) == ("on_the_own_turn", "MK-6.3")
    events, after = when(state, 0, EndTurn())
    assert of(events, NoLongerFresh)
    assert after.fresh == {}


@pytest.mark.clause("MK-6.6")
def test_what_was_drawn_is_fresh_until_the_next_step_begins() -> None:
    state = then(table((), (), (), stage="choice", doors=("town_easter",)), 0, LootRoom())
    assert state.fresh == {"0": ("town_easter",)}
    assert PutIntoPlay("town_easter") in offered(state, 0)
    assert then(state, 0, EndTurn()).fresh == {}


@pytest.mark.clause("MK-6.6", "MK-23.1")
def test_others_do_not_see_what_is_fresh() -> None:
    state = then(table((), (), (), stage="choice", doors=("town_easter",)), 0, LootRoom())
    assert build_view(state, Seat(1)).fresh == {"0": ("?",)}
    assert build_view(state, Seat(0)).fresh == {"0": ("town_easter",)}


@pytest.mark.clause("MK-6.6", "MK-6.5")
def test_nobody_in_combat_puts_down_what_came_meanwhile() -> None:
    state = fighting((), (), ("os_grave_robbing_kit",), foes=("sally",), helper=2, discards=("bat_hat",))
    state = then(state, 2, PlayCard("os_grave_robbing_kit"))
    assert state.cards_in_hand(2) == ("bat_hat",)
    assert refused(state, 2, PutIntoPlay("bat_hat"))[0] == "not_in_combat"


@pytest.mark.clause("MK-6.4", "MK-19.7")
def test_the_dead_act_at_no_moment() -> None:
    state = table((), HAND, (), dead=(1,), **MINE)
    for move in [*ANY_TIME, Unequip("chained_lantern"), OfferTrade(2, give=("rusty_bell",))]:
        assert refused(state, 1, move)[0] == "is_dead"
    fight = kicked((), (), ("curse_level",), behind="puddle_bat", dead=(1,))
    assert refused(fight, 2, PlayCard("curse_level", seat=1)) == ("is_dead", "MK-20.7")
    assert cursed(fight, 2, "curse_level", 0)[1].levels[0] == 1
