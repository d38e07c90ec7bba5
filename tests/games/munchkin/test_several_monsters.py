"""Several monsters in one combat: how they come, how they go; Undead and Demons that join."""

from __future__ import annotations

import pytest

from referee.engine.referee import build_view
from referee.engine.seats import Seat
from referee.games.munchkin.components import COMBAT, DOOR_DISCARD
from referee.games.munchkin.events.cards import CardDrawn
from referee.games.munchkin.events.combat import (
    CombatEnded,
    FlightStarted,
    MonsterJoined,
    MonsterRemoved,
    MonstersKilled,
)
from referee.games.munchkin.events.course import LevelsGained
from referee.games.munchkin.moves import ClaimKill, EndTurn, JoinByTag, LootRoom, PlayCard, RunAway
from referee.games.munchkin.rules.items.claiming import ClaimWindow
from referee.games.munchkin.rules.turn import Calm
from tests.games.course import asked, of, then, when
from tests.games.munchkin.combats import fighting, flees, kicked, refused, strengths, when_all, won
from tests.games.munchkin.given import offered, table

# ---- section 11 -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-11.1", "MK-14.3")
def test_a_monster_comes_by_wandering_monster_together_with_it() -> None:
    state = fighting((), ("wandering_monster", "sally", "enh_pint"), (), foes=("puddle_bat",))
    alone = PlayCard("wandering_monster")
    assert refused(state, 1, alone) == ("names_too_little", "MK-14.3")
    assert refused(state, 1, PlayCard("wandering_monster", partner="enh_pint")) == ("no_monster", "MK-14.3")
    assert refused(state, 1, PlayCard("wandering_monster", partner="wolfman")) == ("not_in_the_hand", "MK-14.3")
    assert PlayCard("wandering_monster", partner="sally") in offered(state, 1)
    events, state = when(state, 1, PlayCard("wandering_monster", partner="sally"))
    assert [(event.card, event.by, event.source) for event in of(events, MonsterJoined)] == [("sally", 1, "hand:1")]
    assert state.cards_in_hand(1) == ("enh_pint",)
    assert set(state.cards_at(COMBAT)) == {"puddle_bat", "wandering_monster", "sally"}


@pytest.mark.clause("MK-11.1")
def test_a_card_with_a_plural_name_is_one_monster() -> None:
    events, state = won(fighting((), (), (), foes=("mourning_twins",), levels=(8,), items={0: ("bat_hat",)}))
    assert of(events, MonstersKilled) == [MonstersKilled(0, ("mourning_twins",))]
    assert state.levels[0] == 9


@pytest.mark.clause("MK-11.2", "MK-9.2")
def test_the_fighters_must_beat_the_sum_in_one_go() -> None:
    state = fighting((), (), (), foes=("puddle_bat", "sally"), levels=(9,))
    assert strengths(state) == (9, 9)
    assert refused(state, 0, ClaimKill()) == ("not_stronger", "MK-9.2")


@pytest.mark.clause("MK-11.3", "MK-16.6")
def test_removing_one_monster_leaves_the_others_to_be_fought() -> None:
    state = fighting(("os_sleighbell",), (), (), foes=("puddle_bat", "sally"), levels=(3,))
    events, state = when(state, 0, PlayCard("os_sleighbell", monster="sally"))
    assert of(events, MonsterRemoved) == [MonsterRemoved("sally")]
    assert strengths(state) == (3, 1)
    events, state = won(state)
    assert [event.count for event in of(events, LevelsGained)] == [1]
    assert len(of(events, CardDrawn)) == 1  # nothing comes of the one that was removed


@pytest.mark.clause("MK-11.3", "MK-17.3")
def test_one_cannot_fight_one_monster_and_run_from_another() -> None:
    state = fighting((), (), (), foes=("puddle_bat", "sally"), levels=(3,))
    events, state = when(state, 0, RunAway())
    assert of(events, FlightStarted) == [FlightStarted(("0/puddle_bat", "0/sally"), False)]
    assert refused(state, 0, ClaimKill())[0] == "no_way_back"


@pytest.mark.clause("MK-11.4", "MK-17.1")
def test_running_means_no_level_and_no_treasure_for_removed_monsters_either() -> None:
    state = fighting(("os_sleighbell",), (), (), foes=("puddle_bat", "sally"))
    events, state = when_all(state, (0, PlayCard("os_sleighbell", monster="puddle_bat")), (0, RunAway()))
    more, state = flees(state, 0, "sally", 6)
    assert not of(events + more, LevelsGained)
    assert not of(events + more, CardDrawn)
    assert of(more, CombatEnded) == [CombatEnded("fled")]


@pytest.mark.clause("MK-11.5", "MK-16.6")
def test_when_no_monster_is_left_the_combat_is_over_at_once() -> None:
    state = fighting(("os_sleighbell",), ("wandering_monster", "sally"), (), foes=("puddle_bat",), levels=(5,))
    events, state = when(state, 0, PlayCard("os_sleighbell", monster="puddle_bat"))
    assert of(events, CombatEnded) == [CombatEnded("removed")]
    assert state.agenda == (Calm(0, "after"),)
    late = PlayCard("wandering_monster", partner="sally")
    assert refused(state, 1, late) == ("not_the_time", "MK-14.2")
    assert not of(events, LevelsGained)
    assert refused(state, 0, LootRoom()) == ("fought_already", "MK-5.6")
    assert EndTurn() in offered(state, 0)


@pytest.mark.clause("MK-11.5")
def test_where_the_match_says_so_a_combat_without_monsters_stays_open_until_claimed() -> None:
    how = {"levels": (5,), "rules": {"window_after_removal": True}, "items": {0: ("leashed_ghost",)}}
    state = fighting(("os_sleighbell",), ("wandering_monster", "sally"), (), foes=("puddle_bat",), **how)
    state = then(state, 0, PlayCard("os_sleighbell", monster="puddle_bat"))
    assert asked(state) == {0}
    open_again = when_all(state, (0, ClaimKill()), (1, PlayCard("wandering_monster", partner="sally")))[1]
    assert strengths(open_again) == (6, 8)
    assert refused(open_again, 0, ClaimKill()) == ("not_stronger", "MK-9.2")
    events, state = won(state)
    assert of(events, CombatEnded) == [CombatEnded("removed")]
    assert not of(events, LevelsGained)
    assert not of(events, CardDrawn)  # nothing was killed, so no ghost sniffs a treasure out either
    assert state.agenda == (Calm(0, "after"),)


@pytest.mark.clause("MK-11.5", "MK-15.1")
def test_where_the_match_says_so_others_are_asked_before_it_ends() -> None:
    how = {"rules": {"window_after_removal": True}}
    state = then(fighting(("os_lullaby",), (), (), foes=("puddle_bat",), **how), 0, PlayCard("os_lullaby"))
    state = then(state, 0, ClaimKill())
    assert isinstance(state.agenda[-1], ClaimWindow)
    assert asked(state) == {1, 2}


@pytest.mark.clause("MK-11.6")
def test_main_adds_monsters_to_the_own_combat() -> None:
    hands = (("wandering_monster", "puddle_bat", "coal_imp"), (), ())
    state = fighting(*hands, foes=("cellar_imp",), levels=(9,))
    state = when_all(state, (0, PlayCard("wandering_monster", partner="puddle_bat")), (0, JoinByTag("coal_imp")))[1]
    assert [foe.card for foe in state.running_combat.foes] == ["cellar_imp", "puddle_bat", "coal_imp"]


# ---- section 12 -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-12.1")
@pytest.mark.parametrize(("foe", "monster"), [("marrow_pup", "coffin_mouse"), ("cellar_imp", "coal_imp")])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_anyone_adds_a_monster_that_shares_a_tag(foe: str, monster: str, seat: int) -> None:
    hands = [(), (), ()]
    hands[seat] = (monster,)
    events, state = when(fighting(*hands, foes=(foe,), helper=1), seat, JoinByTag(monster))
    assert of(events, MonsterJoined)[0].by == seat
    assert state.cards_at(COMBAT) == (foe, monster)


@pytest.mark.clause("MK-12.1")
def test_a_demon_does_not_join_undead_nor_an_untagged_monster_anything() -> None:
    state = fighting((), ("coal_imp", "sally", "enh_pint"), (), foes=("marrow_pup",))
    assert refused(state, 1, JoinByTag("coal_imp")) == ("no_tag_shared", "MK-12.1")
    assert refused(state, 1, JoinByTag("sally")) == ("no_tag_to_share", "MK-12.1")
    assert refused(state, 1, JoinByTag("enh_pint")) == ("no_monster", "MK-12.1")
    assert refused(state, 1, JoinByTag("cellar_imp")) == ("not_in_the_hand", "MK-12.1")
    assert refused(state, 1, JoinByTag("no_such")) == ("no_such_card", "MK-2.1")
    assert not [move for move in offered(state, 1) if isinstance(move, JoinByTag)]


@pytest.mark.clause("MK-12.1", "MK-14.2")
def test_nothing_joins_in_calm_or_on_the_run() -> None:
    assert refused(table((), ("coal_imp",), ()), 1, JoinByTag("coal_imp")) == ("not_the_time", "MK-14.2")
    run = then(fighting((), ("coffin_mouse",), (), foes=("skeleton_choir",)), 0, RunAway())
    assert refused(run, 1, JoinByTag("coffin_mouse")) == ("not_the_time", "MK-14.2")


@pytest.mark.clause("MK-12.2", "MK-10.5")
@pytest.mark.parametrize(("foe", "giver"), [("marrow_pup", "enh_risen"), ("cellar_imp", "enh_hellfired")])
def test_a_monster_joins_with_the_card_that_gives_it_the_tag(foe: str, giver: str) -> None:
    state = fighting((), ("sally", giver), (), foes=(foe,))
    assert JoinByTag("sally", giver) in offered(state, 1)
    _, state = when(state, 1, JoinByTag("sally", giver))
    assert strengths(state)[1] == 1 + 8 + 5
    assert state.running_combat.foes[1].enhancers == (giver,)
    assert state.cards_in_hand(1) == ()


@pytest.mark.clause("MK-12.2")
def test_the_card_must_give_a_tag_that_is_there_and_that_the_monster_has_not() -> None:
    hand = ("sally", "coffin_mouse", "enh_risen", "enh_hellfired", "enh_pint")
    state = fighting((), hand, (), foes=("marrow_pup",))
    assert refused(state, 1, JoinByTag("sally", "enh_hellfired")) == ("no_tag_shared", "MK-12.2")
    assert refused(state, 1, JoinByTag("sally", "enh_pint")) == ("gives_no_tag", "MK-12.2")
    assert refused(state, 1, JoinByTag("coffin_mouse", "enh_risen")) == ("has_the_tag", "MK-12.2")
    assert refused(fighting((), ("sally",), (), foes=("marrow_pup",)), 1, JoinByTag("sally", "enh_risen")) == (
        "not_in_the_hand", "MK-12.2",
    )  # fmt: skip


@pytest.mark.clause("MK-12.3", "MK-3.7")
def test_the_tag_must_be_there_when_the_play_is_accepted() -> None:
    state = fighting(("os_sleighbell",), ("coffin_mouse",), (), foes=("marrow_pup", "sally"))
    assert JoinByTag("coffin_mouse") in offered(state, 1)
    state = then(state, 0, PlayCard("os_sleighbell", monster="marrow_pup"))
    assert refused(state, 1, JoinByTag("coffin_mouse")) == ("no_tag_shared", "MK-12.3")


@pytest.mark.clause("MK-12.4", "MK-12.1")
def test_a_tag_given_to_a_monster_in_the_combat_lets_others_join_until_it_leaves() -> None:
    hands = (("os_sleighbell",), ("enh_hellfired",), ("coal_imp",))
    state = fighting(*hands, foes=("puddle_bat", "sally"))
    assert refused(state, 2, JoinByTag("coal_imp"))[0] == "no_tag_shared"
    state = then(state, 1, PlayCard("enh_hellfired", monster="puddle_bat"))
    assert JoinByTag("coal_imp") in offered(state, 2)
    state = then(state, 0, PlayCard("os_sleighbell", monster="puddle_bat"))
    assert refused(state, 2, JoinByTag("coal_imp"))[0] == "no_tag_shared"
    assert set(state.cards_at(DOOR_DISCARD)) == {"puddle_bat", "enh_hellfired"}


@pytest.mark.clause("MK-12.1", "MK-23.1")
def test_others_see_who_added_the_monster_and_no_other_card_of_that_hand() -> None:
    events, state = when(kicked((), ("coal_imp", "stilts"), (), behind="cellar_imp"), 1, JoinByTag("coal_imp"))
    told = of([event.view_for(2) for event in events], MonsterJoined)
    assert [(event.by, event.card) for event in told] == [(1, "coal_imp")]
    assert "stilts" not in str(build_view(state, Seat(2)))
