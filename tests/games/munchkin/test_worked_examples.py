"""The worked examples of section 25 of the rules, by number, from tables that are built to them."""

from __future__ import annotations

import pytest

from referee.games.munchkin.components import COMBAT, DOOR_DISCARD
from referee.games.munchkin.events.cards import CardDrawn, GivenInCharity
from referee.games.munchkin.events.combat import ClaimBroken, CombatEnded, MonsterJoined, MonstersKilled
from referee.games.munchkin.events.course import GameWon, LevelsGained
from referee.games.munchkin.moves import ClaimKill, GiveToCharity, JoinByTag, PlayCard, RunAway, UsePower
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.ending import compute_outcome
from tests.games.course import of, then, when
from tests.games.munchkin.combats import kicked, refused, strengths, won
from tests.games.munchkin.given import offered, table

HAT_AND_SPADE = {0: ("bat_hat", "grave_spade")}  # +2 and +3


@pytest.mark.clause("MK-9.2", "MK-15.1")
def test_example_1_eight_against_eight_is_no_claim() -> None:
    state = kicked((), (), (), behind="clockwork_nutcracker", levels=(3,), items=HAT_AND_SPADE)
    assert strengths(state) == (8, 8)
    assert refused(state, 0, ClaimKill()) == ("not_stronger", "MK-9.2")
    assert ClaimKill() not in offered(state, 0)
    assert RunAway() in offered(state, 0)


@pytest.mark.clause("MK-4.9", "MK-15.2", "MK-10.1")
def test_example_2_a_play_in_the_window_opens_the_combat_again() -> None:
    hands = (("puddle_bat",), ("enh_hungry",), ())
    state = kicked(
        *hands, behind="clockwork_nutcracker", levels=(3,), items=HAT_AND_SPADE, towns={0: ("town_halloween",)}
    )
    state = then(state, 0, UsePower("scare", "puddle_bat"))
    assert strengths(state) == (11, 8)
    assert "puddle_bat" in state.cards_at(DOOR_DISCARD)
    state = then(state, 0, ClaimKill())
    events, state = when(state, 1, PlayCard("enh_hungry", monster="clockwork_nutcracker"))
    assert of(events, ClaimBroken) == [ClaimBroken(1)]
    assert not of(events, MonstersKilled)
    assert strengths(state) == (11, 13)
    assert isinstance(state.agenda[-1], Fight)
    assert refused(state, 0, ClaimKill()) == ("not_stronger", "MK-9.2")


@pytest.mark.clause("MK-11.2", "MK-12.1", "MK-16.1", "MK-16.2")
def test_example_3_a_pup_joins_the_choir() -> None:
    how = {"levels": (4,), "items": HAT_AND_SPADE}
    state = kicked((), ("marrow_pup",), (), behind="skeleton_choir", **how)
    assert strengths(state) == (9, 4)
    events, state = when(state, 1, JoinByTag("marrow_pup"))
    assert of(events, MonsterJoined)[0].by == 1
    assert strengths(state) == (9, 8)
    events, state = won(state)
    assert of(events, LevelsGained) == [LevelsGained(0, 2, 6, "skeleton_choir")]
    assert len(of(events, CardDrawn)) == 3
    assert len(state.cards_in_hand(0)) == 3


@pytest.mark.clause("MK-22.1", "MK-16.1", "MK-16.8")
def test_example_4_level_eight_and_a_monster_of_two_levels_win() -> None:
    items = {0: ("crooked_crown", "grave_spade", "tinfoil_suit")}
    hands = (("os_fruitcake",), (), ())
    state = kicked(*hands, behind="jack_skellington", levels=(8,), items=items)
    state = then(state, 0, PlayCard("os_fruitcake", side="munchkins"))
    assert strengths(state) == (21, 16)
    events, state = won(state)
    assert of(events, LevelsGained) == [LevelsGained(0, 2, 10, "jack_skellington")]
    assert of(events, GameWon) == [GameWon(0)]
    assert not of(events, CardDrawn)  # the game ends before treasures are drawn
    ended = compute_outcome(state)
    assert ended is not None
    assert ended.winners == (0,)


@pytest.mark.clause("MK-4.2", "MK-3.5")
def test_example_4_level_nine_plays_no_card_that_raises_it() -> None:
    state = table(("gual_pie",), (), (), levels=(9,))
    assert refused(state, 0, PlayCard("gual_pie", seat=0)) == ("level_ten_by_a_kill", "MK-4.2")
    assert PlayCard("gual_pie", seat=0) not in offered(state, 0)
    assert PlayCard("gual_pie", seat=1) in offered(state, 0)


@pytest.mark.clause("MK-22.1", "MK-3.5")
def test_example_4_level_nine_wins_by_killing_any_monster() -> None:
    events, state = won(kicked((), (), (), behind="puddle_bat", levels=(9,)))
    assert of(events, GameWon) == [GameWon(0)]
    assert state.winner == 0


@pytest.mark.clause("MK-10.4")
def test_example_5_a_pint_sized_monster_still_has_a_treasure() -> None:
    state = kicked((), ("enh_pint",), (), behind="puddle_bat")
    state = then(state, 1, PlayCard("enh_pint", monster="puddle_bat"))
    assert strengths(state) == (1, -4)
    events, state = won(state)
    assert len(of(events, CardDrawn)) == 1
    assert of(events, CombatEnded) == [CombatEnded("killed")]
    assert not state.cards_at(COMBAT)


@pytest.mark.clause("MK-21.1", "MK-21.2", "MK-21.5")
def test_example_6_three_too_many_for_two_of_the_lowest() -> None:
    hand = ("puddle_bat", "coal_imp", "sally", "enh_pint", "curse_armor", "bat_hat", "stilts", "gual_pie")
    state = table(hand, (), (), (), levels=(4, 2, 2, 6), stage="after")
    given = ("puddle_bat", "coal_imp", "sally")
    assert refused(state, 0, GiveToCharity(given, (1, 1, 1))) == ("share_evenly", "MK-21.2")
    assert refused(state, 0, GiveToCharity(given, (1, 2, 3))) == ("not_the_lowest", "MK-21.2")
    for to in ((1, 2, 1), (2, 1, 2)):
        events, after = when(state, 0, GiveToCharity(given, to))
        assert [event.seat for event in of(events, GivenInCharity)] == list(to)
        assert sorted((len(after.cards_in_hand(1)), len(after.cards_in_hand(2)))) == [1, 2]
        assert len(after.cards_in_hand(0)) == 5
