"""What a kill brings, in which order, and to whom; the victory."""

from __future__ import annotations

import pytest

from referee.engine.referee import build_view, seats_that_must_act
from referee.engine.seats import Seat
from referee.engine.zones import is_back
from referee.games.munchkin.components import COMBAT, DOOR_DISCARD, PROGRAMS, TREASURE_DISCARD, WON
from referee.games.munchkin.events.cards import CardDrawn, CardPlayed, CardsDiscarded, ItemPassed, TreasureTurnedUp
from referee.games.munchkin.events.combat import CombatEnded, MonsterRemoved
from referee.games.munchkin.events.course import GameWon, LevelsGained
from referee.games.munchkin.moves import (
    AcceptHelp,
    AskHelp,
    ClaimKill,
    EndTurn,
    LookForTrouble,
    LootRoom,
    PickTreasure,
    PlayCard,
    PutIntoPlay,
    RunAway,
    UsePower,
)
from referee.games.munchkin.rules.ending import compute_outcome
from referee.games.munchkin.rules.turn import Calm
from tests.games.course import of, then, when
from tests.games.munchkin.combats import fighting, flees, kicked, passing, refused, seen, strengths, when_all, won
from tests.games.munchkin.given import everything, names, offered, table

STRONG = {"levels": (5,), "items": {0: ("crooked_crown", "grave_spade", "tinfoil_suit")}}  # 13


# ---- MK-16.1, MK-16.2 -----------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-16.1")
def test_main_gains_the_levels_on_each_killed_monster() -> None:
    events, state = won(fighting((), (), (), foes=("puddle_bat", "sally"), **STRONG))
    assert of(events, LevelsGained) == [LevelsGained(0, 2, 7, "puddle_bat")]
    how = {**STRONG, "rides": {0: ("ride_sleigh",)}, "levels": (4,)}
    state = fighting(("os_fruitcake",), (), (), foes=("crypt_dreadnought",), **how)
    state = then(state, 0, PlayCard("os_fruitcake", side="munchkins"))
    assert won(state)[1].levels[0] == 6


@pytest.mark.clause("MK-16.2")
def test_the_treasures_of_all_killed_monsters_are_summed() -> None:
    hands = ((), (), ("enh_hungry",))
    state = fighting(*hands, foes=("puddle_bat", "skeleton_choir"), **STRONG)
    state = then(state, 2, PlayCard("enh_hungry", monster="puddle_bat"))
    events, state = won(state)
    assert len(of(events, CardDrawn)) == 1 + 1 + 2
    assert len(state.cards_in_hand(0)) == 4


# ---- MK-16.3 to MK-16.5 ---------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-16.3", "MK-23.1")
def test_alone_main_draws_face_down_and_others_see_only_how_many() -> None:
    events, state = won(fighting((), (), (), foes=("skeleton_choir",), treasures=("bat_hat", "stilts"), **STRONG))
    drawn = of(events, CardDrawn)
    assert [event.put for event in drawn] == [("bat_hat",), ("stilts",)]
    assert [event.view_for(0).put for event in drawn] == [("bat_hat",), ("stilts",)]
    for other in (1, 2):
        told = of(seen(events, other), CardDrawn)
        assert len(told) == 2
        assert all(is_back(card) for event in told for card in (*event.put, *event.took))
        assert not {"bat_hat", "stilts"} & set(build_view(state, Seat(other)).cards_in_hand(0))
    assert not of(events, TreasureTurnedUp)


@pytest.mark.clause("MK-16.3", "MK-6.6", "MK-26.7")
def test_treasures_may_be_put_down_at_once_by_main_and_helper() -> None:
    how = {"treasures": ("stilts", "bat_hat"), "levels": (5, 5)}
    state = fighting((), (), (), foes=("skeleton_choir",), **how)
    state = when_all(state, (0, AskHelp(seat=1, treasures=1, picks=("helper",))), (1, AcceptHelp()))[1]
    _, state = won(state)
    state = then(state, 1, PickTreasure("bat_hat"))
    assert PutIntoPlay("bat_hat") in offered(state, 1)
    assert PutIntoPlay("stilts") in offered(state, 0)
    after = then(state, 1, PutIntoPlay("bat_hat"))
    assert after.used_items(1) == ("bat_hat",)
    gone = then(state, 0, EndTurn())
    assert PutIntoPlay("bat_hat") in offered(then(state, 0, PutIntoPlay("stilts")), 1)
    assert gone.turn == 1
    assert PutIntoPlay("stilts") not in offered(gone, 0)  # the next step of the turn has begun


@pytest.mark.clause("MK-16.4")
def test_with_a_helper_main_draws_all_and_keeps_all_without_a_deal() -> None:
    state = fighting((), (), (), foes=("skeleton_choir",), levels=(5, 5), helper=1, treasures=("bat_hat", "stilts"))
    events, state = won(state)
    assert len(of(events, TreasureTurnedUp)) == 2
    assert state.cards_in_hand(0) == ("bat_hat", "stilts")
    assert state.cards_in_hand(1) == ()


@pytest.mark.clause("MK-16.5", "MK-13.4")
def test_main_draws_even_if_it_was_won_by_a_power_of_the_helper() -> None:
    state = fighting((), ("puddle_bat",), (), foes=("skeleton_choir",), levels=(2, 2), helper=1,
                     towns={1: ("town_halloween",)})  # fmt: skip
    assert strengths(state) == (4, 4)
    state = then(state, 1, UsePower("scare", "puddle_bat"))
    _, state = won(state)
    assert [len(state.cards_in_hand(seat)) for seat in (0, 1)] == [2, 0]


# ---- MK-16.6, MK-16.7 -----------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-16.6")
def test_a_removed_monster_gives_no_level_and_treasures_only_if_the_card_says_so() -> None:
    state = fighting(("os_lullaby", "os_lantern_genie"), (), ("gone_home_early",), foes=("sally",))
    for seat, move, count in (
        (0, PlayCard("os_lullaby"), 0), (2, PlayCard("gone_home_early"), 2),
        (0, PlayCard("os_lantern_genie", monster="sally"), 2),
    ):  # fmt: skip
        events, after = when(state, seat, move)
        assert of(events, MonsterRemoved) == [MonsterRemoved("sally")]
        assert [event.seat for event in of(events, CardDrawn)] == [0] * count
        assert not of(events, LevelsGained)
        assert of(events, CombatEnded) == [CombatEnded("removed")]
        assert after.agenda == (Calm(0, "after"),)


@pytest.mark.clause("MK-16.6", "MK-11.3")
def test_a_monster_that_was_not_alone_gives_no_treasures_when_it_vanishes() -> None:
    state = fighting(("os_lantern_genie",), (), (), foes=("sally", "puddle_bat"))
    events, state = when(state, 0, PlayCard("os_lantern_genie", monster="sally"))
    assert not of(events, CardDrawn)
    assert strengths(state)[1] == 1


@pytest.mark.clause("MK-16.6", "MK-5.6")
def test_removing_counts_as_a_combat_fought() -> None:
    state = then(kicked(("os_lullaby", "coal_imp"), (), (), behind="sally"), 0, PlayCard("os_lullaby"))
    assert refused(state, 0, LootRoom()) == ("fought_already", "MK-5.6")
    assert refused(state, 0, LookForTrouble("coal_imp")) == ("fought_already", "MK-5.6")
    assert EndTurn() in offered(state, 0)


@pytest.mark.clause("MK-16.7", "MK-3.3")
def test_no_card_of_the_box_kills_so_that_levels_come_of_a_claim_alone() -> None:
    words = {line.effect.WORD for lines in PROGRAMS.values() for line in lines}
    assert "kill" not in words
    assert {"remove", "replace", "gain_levels"} <= words


# ---- MK-16.8, MK-16.9: the order ------------------------------------------------------------------------------------


@pytest.mark.clause("MK-16.8", "MK-3.4")
def test_levels_then_treasures_then_what_the_monster_gives_then_the_deal_then_the_discards() -> None:
    how = {"items": {0: ("crooked_crown", "grave_spade")}, "towns": {1: ("town_thanksgiving",)}, "levels": (5, 8)}
    state = fighting(("gual_pie",), (), (), foes=("sandy_claws",), **how)
    terms = AskHelp(seat=1, all_of_them=True, items=("crooked_crown",), plays=("gual_pie",))
    events, state = won(when_all(state, (0, terms), (1, AcceptHelp()))[1])
    order = [name for name in names(events) if name not in ("KillClaimed", "Passed", "cards.Noted")]
    assert order == [
        "MonstersKilled", "LevelsGained", *["TreasureTurnedUp"] * 4, "CardDrawn", *["TreasurePicked"] * 4, "CardDrawn",
        "ItemPassed", "CardPlayed", "LevelsGained", "CardsDiscarded", "CardsDiscarded", "CombatEnded",
    ]  # fmt: skip
    door, extra = of(events, CardDrawn)
    assert (door.source, door.seat) == ("doors:", 0)
    assert (extra.source, extra.seat) == ("treasures:", 1)
    assert of(events, ItemPassed)[0].seat == 1
    assert of(events, CardPlayed)[0].whom == 1


@pytest.mark.clause("MK-3.4", "MK-16.8")
def test_no_treasure_is_seen_before_the_whole_combat_is_won() -> None:
    state = fighting((), (), (), foes=("puddle_bat", "sally"), **STRONG)
    events, state = when(state, 0, ClaimKill())
    assert not of(events, CardDrawn)
    assert not of(events, LevelsGained)
    events, _ = passing(state)
    assert of(events, CardDrawn)


@pytest.mark.clause("MK-16.9")
def test_monsters_enhancers_and_one_shots_are_discarded_and_main_is_in_calm() -> None:
    hands = (("os_fruitcake",), ("enh_hungry",), ())
    before = fighting(*hands, foes=("puddle_bat",), levels=(5,))
    state = when_all(before, (1, PlayCard("enh_hungry", monster="puddle_bat")),
                     (0, PlayCard("os_fruitcake", side="munchkins")))[1]  # fmt: skip
    assert set(state.cards_at(COMBAT)) == {"puddle_bat", "enh_hungry", "os_fruitcake"}
    _, state = won(state)
    assert state.cards_at(COMBAT) == ()
    assert set(state.cards_at(DOOR_DISCARD)) == {"puddle_bat", "enh_hungry"}
    assert state.cards_at(TREASURE_DISCARD) == ("os_fruitcake",)
    assert state.agenda == (Calm(0, "after"),)
    assert everything(state) == everything(before)


@pytest.mark.clause("MK-16.9", "MK-14.4")
def test_a_curse_for_one_combat_is_discarded_with_it() -> None:
    state = fighting((), (), (), foes=("puddle_bat",), curses={0: ("curse_cold_feet", "curse_cobweb_hat")}, **STRONG)
    _, state = won(state)
    assert state.curses_of(0) == ("curse_cobweb_hat",)
    assert "curse_cold_feet" in state.cards_at(DOOR_DISCARD)


# ---- what cards add to the rewards ----------------------------------------------------------------------------------


@pytest.mark.clause("MK-4.9", "MK-16.2", "MK-16.3")
def test_a_helper_of_thanksgiving_draws_a_treasure_of_the_own_face_down() -> None:
    state = fighting((), (), (), foes=("skeleton_choir",), levels=(5, 5), helper=1, towns={1: ("town_thanksgiving",)})
    events, state = won(state)
    assert [(event.seat, event.source) for event in of(events, CardDrawn)] == [(1, "treasures:")]
    assert all(is_back(card) for event in of(seen(events, 0), CardDrawn) for card in event.put)
    assert [len(state.cards_in_hand(seat)) for seat in (0, 1)] == [2, 1]


@pytest.mark.clause("MK-4.9")
def test_a_main_of_thanksgiving_and_one_whose_help_led_to_no_kill_draw_none() -> None:
    towns = {0: ("town_thanksgiving",), 1: ("town_thanksgiving",)}
    events, _ = won(fighting((), (), (), foes=("puddle_bat",), levels=(5,), towns=towns))
    assert [event.seat for event in of(events, CardDrawn)] == [0]
    state = fighting(("os_lullaby",), (), (), foes=("puddle_bat",), helper=1, towns=towns)
    events, _ = when(state, 0, PlayCard("os_lullaby"))
    assert not of(events, CardDrawn)


@pytest.mark.clause("MK-16.2", "MK-9.3")
def test_an_item_sniffs_one_treasure_more_out_of_a_kill_without_help() -> None:
    how = {"items": {0: ("leashed_ghost",)}, "levels": (5,)}
    assert len(of(won(fighting((), (), (), foes=("puddle_bat",), **how))[0], CardDrawn)) == 2
    helped, _ = won(fighting((), (), (), foes=("puddle_bat",), helper=1, **how))
    assert len(of(helped, TreasureTurnedUp)) == 1


@pytest.mark.clause("MK-16.8")
def test_what_a_monster_gives_after_a_kill_goes_to_main() -> None:
    how = {"levels": (6, 9), "items": {0: ("crooked_crown", "grave_spade", "coffin_lid_plate")}}
    events, _ = won(fighting((), (), (), foes=("sandy_claws",), helper=1, **how))
    assert [(event.source, event.seat) for event in of(events, CardDrawn)] == [("doors:", 0)]


# ---- section 22 and the rules that no card beats --------------------------------------------------------------------


@pytest.mark.clause("MK-22.1", "MK-16.8")
def test_who_reaches_level_ten_by_a_kill_wins_at_once() -> None:
    state = fighting((), (), (), foes=("sandy_claws",), levels=(9, 9), helper=1)
    events, state = won(state)
    assert names(events)[-2:] == ["LevelsGained", "GameWon"]
    assert of(events, GameWon) == [GameWon(0)]
    assert seats_that_must_act(state) == frozenset()
    assert state.cards_at(WON) == ()
    ended = compute_outcome(state)
    assert ended is not None
    assert ended.winners == (0,)
    assert ended.placement[0] == (0,)
    assert ended.clauses[0] == "MK-22.1"


@pytest.mark.clause("MK-22.2")
def test_levels_beyond_ten_do_not_count() -> None:
    how = {"levels": (9,), "items": STRONG["items"]}
    events, state = won(fighting((), (), (), foes=("puddle_bat", "coal_imp", "sally"), **how))
    assert of(events, LevelsGained) == [LevelsGained(0, 1, 10, "puddle_bat")]
    assert state.levels[0] == 10


@pytest.mark.clause("MK-22.2", "MK-22.3", "MK-13.12")
def test_only_main_wins_and_no_victory_is_shared() -> None:
    _, state = won(fighting((), (), (), foes=("puddle_bat",), levels=(9, 9), helper=1))
    assert state.levels == (10, 9, 1)
    ended = compute_outcome(state)
    assert ended is not None
    assert ended.winners == (0,)
    helper, state = won(fighting((), (), (), foes=("puddle_bat",), levels=(5, 9), helper=1))
    assert not of(helper, GameWon)
    assert compute_outcome(state) is None


@pytest.mark.clause("MK-3.3", "MK-17.1")
def test_a_combat_gives_a_level_for_a_kill_only() -> None:
    events, state = when(fighting((), (), (), foes=("sally",), levels=(3,)), 0, RunAway())
    more, state = flees(state, 0, "sally", 6)
    assert not of(events + more, LevelsGained)
    assert state.levels[0] == 3


@pytest.mark.clause("MK-3.5", "MK-4.2", "MK-22.1")
def test_no_card_gives_the_last_level() -> None:
    state = fighting(("gual_pie",), ("gual_coin",), (), foes=("puddle_bat",), levels=(9, 9), helper=1)
    for seat, card, target in ((0, "gual_pie", 0), (0, "gual_pie", 1), (1, "gual_coin", 0)):
        assert refused(state, seat, PlayCard(card, seat=target)) == ("level_ten_by_a_kill", "MK-4.2")


@pytest.mark.clause("MK-16.1", "MK-9.6")
def test_a_monster_looked_for_is_rewarded_like_one_behind_the_door() -> None:
    state = table(("puddle_bat",), (), (), stage="choice", levels=(3,))
    events, state = won(then(state, 0, LookForTrouble("puddle_bat")))
    assert state.levels[0] == 4
    assert of(events, CardsDiscarded)[0].put == ("puddle_bat",)
    assert len(state.cards_in_hand(0)) == 1
