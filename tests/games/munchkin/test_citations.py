"""Clauses are cited when they act, and only then: by the event that they cause, or by the move that they allow."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from referee.engine.events import Event
from referee.engine.referee import rule_on_move
from referee.engine.seats import Seat
from referee.games.munchkin.events.cards import CardPlayed, CardPut, DoorOpened
from referee.games.munchkin.events.combat import CombatEnded, MonsterEnhanced, MonsterJoined
from referee.games.munchkin.events.course import LevelsGained
from referee.games.munchkin.moves import AskHelp, ClaimKill, KickDoor, Pass, PlayCard, PutIntoPlay, RunAway, Sell
from tests.games.course import of, then, when
from tests.games.munchkin.combats import fighting, flees, when_all, won
from tests.games.munchkin.given import table

EMPTY: tuple[tuple[str, ...], ...] = ((), (), ())


def cited(events: Iterable[Event], kind: type[Event]) -> set[str]:
    """The clauses that the events of one kind carry out."""
    return {clause for event in of(events, kind) for clause in event.applied_clauses()}


@pytest.mark.clause("MK-16.9", "MK-11.4", "MK-17.9", "MK-11.5")
def test_a_combat_ends_by_the_clause_of_its_way_to_end() -> None:
    killed, _ = won(fighting(*EMPTY, foes=("puddle_bat",), levels=(5,)))
    assert cited(killed, CombatEnded) == {"MK-6.5", "MK-16.9"}
    ran, _ = flees(then(fighting(*EMPTY, foes=("sally",)), 0, RunAway()), 0, "sally", 6)
    assert cited(ran, CombatEnded) == {"MK-6.5", "MK-11.4", "MK-17.9"}
    gone, _ = when(fighting(("gone_home_early",), (), (), foes=("sally",)), 0, PlayCard("gone_home_early"))
    assert cited(gone, CombatEnded) == {"MK-6.5", "MK-11.5", "MK-16.6"}


@pytest.mark.clause("MK-3.3", "MK-16.1", "MK-8.4")
def test_levels_of_a_kill_rest_on_other_clauses_than_those_of_a_card() -> None:
    killed, _ = won(fighting(*EMPTY, foes=("puddle_bat",), levels=(5,)))
    assert {"MK-3.3", "MK-16.1"} <= cited(killed, LevelsGained)
    events, _ = when(table(("gual_pie",), (), ()), 0, PlayCard("gual_pie", seat=0))
    assert cited(events, LevelsGained) == {"MK-4.1"}
    assert cited(events, CardPlayed) == {"MK-3.6", "MK-8.4"}


@pytest.mark.clause("MK-20.1", "MK-5.5")
def test_a_curse_behind_the_door_is_not_a_monster_behind_it() -> None:
    events, _ = when(table(*EMPTY, doors=("curse_level",)), 0, KickDoor())
    assert cited(events, DoorOpened) == {"MK-5.3", "MK-5.5", "MK-20.1"}
    events, _ = when(table(*EMPTY, doors=("sally",)), 0, KickDoor())
    assert cited(events, DoorOpened) == {"MK-5.3"}


@pytest.mark.clause("MK-10.3", "MK-10.5", "MK-12.4")
def test_twins_and_tags_are_cited_where_there_are_some() -> None:
    hands = (("second_helping", "enh_risen", "enh_hungry"), (), ())
    state = fighting(*hands, foes=("puddle_bat",))
    events, twins = when(state, 0, PlayCard("second_helping", monster="puddle_bat"))
    assert "MK-10.3" in cited(events, MonsterJoined)
    plain, _ = when(state, 0, PlayCard("enh_hungry", monster="puddle_bat"))
    assert not {"MK-10.3", "MK-10.5", "MK-12.4"} & cited(plain, MonsterEnhanced)
    both, _ = when(twins, 0, PlayCard("enh_risen", monster="puddle_bat"))
    assert {"MK-10.3", "MK-10.5", "MK-12.4"} <= cited(both, MonsterEnhanced)


@pytest.mark.clause("MK-6.6", "MK-7.6")
def test_a_card_just_received_is_put_down_by_another_clause_than_one_in_calm() -> None:
    late = table((), ("bat_hat",), (), fresh={1: ("bat_hat",)})
    ruling, events = rule_on_move(late, Seat(1), PutIntoPlay("bat_hat"))
    assert "MK-6.6" in cited(events, CardPut)
    assert "MK-7.6" not in ruling.clauses
    ruling, events = rule_on_move(table(("bat_hat",), (), ()), Seat(0), PutIntoPlay("bat_hat"))
    assert "MK-6.6" not in ruling.clauses
    assert "MK-7.6" in ruling.clauses


@pytest.mark.clause("MK-13.3", "MK-15.6", "MK-7.15", "MK-7.16", "MK-6.4")
def test_clauses_of_another_situation_are_not_cited() -> None:
    losing = fighting((), ("os_fruitcake",), (), foes=("sally",))
    assert "MK-13.3" not in rule_on_move(losing, Seat(0), AskHelp(seat=1))[0].clauses
    assert "MK-6.4" in rule_on_move(losing, Seat(1), PlayCard("os_fruitcake", side="monsters"))[0].clauses
    own = fighting(("os_fruitcake",), (), (), foes=("sally",))
    assert "MK-6.4" not in rule_on_move(own, Seat(0), PlayCard("os_fruitcake", side="munchkins"))[0].clauses
    winning = fighting(*EMPTY, foes=("puddle_bat",), levels=(5,))
    assert "MK-15.6" not in rule_on_move(winning, Seat(0), ClaimKill())[0].clauses
    sale = table(*EMPTY, carried={0: ("overtime_scythe", "crooked_crown")})
    clauses = rule_on_move(sale, Seat(0), Sell(("overtime_scythe", "crooked_crown")))[0].clauses
    assert not {"MK-7.15", "MK-7.16"} & set(clauses)


@pytest.mark.clause("MK-13.12", "MK-16.5")
def test_what_a_kill_means_for_the_helper_is_cited_only_with_one() -> None:
    helped = then(fighting(*EMPTY, foes=("puddle_bat",), levels=(5,), helper=1), 0, ClaimKill())
    assert {"MK-13.12", "MK-16.5"} <= set(rule_on_move(helped, Seat(2), Pass())[0].clauses)
    alone = when_all(fighting(*EMPTY, foes=("puddle_bat",), levels=(5,)), (0, ClaimKill()), (1, Pass()))[1]
    assert not {"MK-13.12", "MK-16.5"} & set(rule_on_move(alone, Seat(2), Pass())[0].clauses)
