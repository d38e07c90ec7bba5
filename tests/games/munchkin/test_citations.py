"""Rulings cite a clause when it acts, and only then; the log keeps what it always kept."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.chance import RollResult
from referee.engine.events import Move
from referee.engine.referee import collect_granting_clauses, rule_on_move
from referee.engine.seats import CHANCE, Seat
from referee.games.munchkin.moves import (
    AskHelp,
    ClaimKill,
    EndTurn,
    FleeFrom,
    KeepRoll,
    KickDoor,
    Pass,
    PlayCard,
    PutIntoPlay,
    RunAway,
    Sell,
)
from referee.games.munchkin.state import Table
from tests.games.course import then
from tests.games.munchkin.combats import fighting, when_all
from tests.games.munchkin.given import table

EMPTY: tuple[tuple[str, ...], ...] = ((), (), ())
WAYS_TO_END = {"MK-16.9", "MK-11.4", "MK-17.9", "MK-11.5", "MK-16.6"}


def cited(state: Table, seat: int, move: Move) -> set[str]:
    """The clauses that the ruling on a legal move rests on."""
    ruling, _ = rule_on_move(state, Seat(seat), move)
    assert ruling.granted, ruling
    return set(ruling.clauses)


def winning(**how: Any) -> Table:
    """Seat 0 of level 5 fights a monster of level 1."""
    return fighting(*EMPTY, **{"foes": ("puddle_bat",), "levels": (5,), **how})


@pytest.mark.clause("MK-16.9", "MK-11.4", "MK-17.9", "MK-11.5")
def test_a_combat_ends_by_the_clause_of_its_way_to_end() -> None:
    last_to_pass = when_all(winning(), (0, ClaimKill()), (1, Pass()))[1]
    assert cited(last_to_pass, 2, Pass()) & WAYS_TO_END == {"MK-16.9"}
    flight = then(fighting(*EMPTY, foes=("sally",)), 0, RunAway(), FleeFrom("sally"))
    flight = then(flight, CHANCE, RollResult((6,)))
    assert cited(flight, 0, KeepRoll()) & WAYS_TO_END == {"MK-11.4", "MK-17.9"}
    gone = fighting(("gone_home_early",), (), (), foes=("sally",))
    assert cited(gone, 0, PlayCard("gone_home_early")) & WAYS_TO_END == {"MK-11.5", "MK-16.6"}


@pytest.mark.clause("MK-3.3", "MK-16.1", "MK-8.4")
def test_levels_of_a_kill_rest_on_other_clauses_than_those_of_a_card() -> None:
    last_to_pass = when_all(winning(), (0, ClaimKill()), (1, Pass()))[1]
    assert {"MK-3.3", "MK-16.1"} <= cited(last_to_pass, 2, Pass())
    by_card = cited(table(("gual_pie",), (), ()), 0, PlayCard("gual_pie", seat=0))
    assert "MK-8.4" in by_card
    assert not {"MK-3.3", "MK-16.1", "MK-20.1", "MK-8.1"} & by_card


@pytest.mark.clause("MK-20.1", "MK-5.5")
def test_a_curse_behind_the_door_is_not_a_monster_behind_it() -> None:
    assert {"MK-5.5", "MK-20.1"} <= cited(table(*EMPTY, doors=("curse_level",)), 0, KickDoor())
    assert not {"MK-5.5", "MK-20.1"} & cited(table(*EMPTY, doors=("sally",)), 0, KickDoor())


@pytest.mark.clause("MK-10.3", "MK-10.5", "MK-12.4")
def test_twins_and_tags_are_cited_where_there_are_some() -> None:
    state = fighting(("second_helping", "enh_risen", "enh_hungry"), (), (), foes=("puddle_bat",))
    second = PlayCard("second_helping", monster="puddle_bat")
    assert "MK-10.3" in cited(state, 0, second)
    plain = cited(state, 0, PlayCard("enh_hungry", monster="puddle_bat"))
    assert not {"MK-10.3", "MK-10.5", "MK-12.4"} & plain
    both = cited(then(state, 0, second), 0, PlayCard("enh_risen", monster="puddle_bat"))
    assert {"MK-10.3", "MK-10.5", "MK-12.4"} <= both


@pytest.mark.clause("MK-9.5")
def test_what_a_monster_does_on_entering_is_cited_only_if_it_does_something() -> None:
    assert "MK-9.5" in cited(table(*EMPTY, doors=("lock_shock_barrel",)), 0, KickDoor())
    assert "MK-9.5" not in cited(table(*EMPTY, doors=("puddle_bat",)), 0, KickDoor())


@pytest.mark.clause("MK-18.4")
def test_a_level_that_cannot_be_lost_is_not_lost() -> None:
    for levels, spared in (((1, 1, 1), True), ((2, 1, 1), False)):
        state = then(table(*EMPTY, doors=("curse_level",), levels=levels), 0, KickDoor())
        assert ("MK-18.4" in cited(state, 0, Pass())) == spared


@pytest.mark.clause("MK-6.6", "MK-7.6")
def test_a_card_just_received_is_put_down_by_another_clause_than_one_in_calm() -> None:
    late = cited(table((), ("bat_hat",), (), fresh={1: ("bat_hat",)}), 1, PutIntoPlay("bat_hat"))
    assert late & {"MK-6.6", "MK-7.6"} == {"MK-6.6"}
    calm = cited(table(("bat_hat",), (), ()), 0, PutIntoPlay("bat_hat"))
    assert calm & {"MK-6.6", "MK-7.6"} == {"MK-7.6"}


@pytest.mark.clause("MK-13.3", "MK-15.6", "MK-7.15", "MK-7.16", "MK-6.4")
def test_clauses_of_another_situation_are_not_cited() -> None:
    losing = fighting((), ("os_fruitcake",), (), foes=("sally",))
    assert "MK-13.3" not in cited(losing, 0, AskHelp(seat=1))
    assert "MK-6.4" in cited(losing, 1, PlayCard("os_fruitcake", side="monsters"))
    own = fighting(("os_fruitcake",), (), (), foes=("sally",))
    assert "MK-6.4" not in cited(own, 0, PlayCard("os_fruitcake", side="munchkins"))
    assert "MK-15.6" not in cited(winning(), 0, ClaimKill())
    sale = table(*EMPTY, carried={0: ("overtime_scythe", "crooked_crown")})
    assert not {"MK-7.15", "MK-7.16"} & cited(sale, 0, Sell(("overtime_scythe", "crooked_crown")))


@pytest.mark.clause("MK-13.12", "MK-16.5")
def test_what_a_kill_means_for_the_helper_is_cited_only_with_one() -> None:
    helped = then(winning(helper=1), 0, ClaimKill())
    assert {"MK-13.12", "MK-16.5"} <= cited(helped, 2, Pass())
    alone = when_all(winning(), (0, ClaimKill()), (1, Pass()))[1]
    assert not {"MK-13.12", "MK-16.5"} & cited(alone, 2, Pass())


@pytest.mark.clause("MK-8.5", "MK-8.1")
def test_a_treasure_that_is_no_item_is_played_by_its_own_clause() -> None:
    state = table(("overflowing_stocking",), (), ())
    assert cited(state, 0, PlayCard("overflowing_stocking")) & {"MK-8.5", "MK-8.1"} == {"MK-8.5"}


@pytest.mark.clause("MK-26.8", "MK-5.2")
def test_who_died_is_back_with_the_next_turn_and_draws_in_the_own_one() -> None:
    died = table(*EMPTY, stage="after", dead=(1, 2), bereft=(1, 2))
    assert {"MK-26.8", "MK-5.2"} <= cited(died, 0, EndTurn())
    alive = table(*EMPTY, stage="after")
    assert not {"MK-26.8", "MK-5.2"} & cited(alive, 0, EndTurn())


@pytest.mark.clause("MK-15.6", "MK-20.1")
def test_an_entry_of_a_log_cites_what_acts_in_its_situation_too() -> None:
    last = winning(levels=(9,))
    _, events = rule_on_move(last, Seat(0), ClaimKill())
    assert "MK-15.6" in cited(last, 0, ClaimKill())
    assert "MK-15.6" in collect_granting_clauses(last, ClaimKill(), events)
    state = table(*EMPTY, doors=("curse_level",))
    _, events = rule_on_move(state, Seat(0), KickDoor())
    assert {"MK-5.3", "MK-5.1", "MK-5.9"} <= set(collect_granting_clauses(state, KickDoor(), events))


@pytest.mark.clause("MK-6.1")
def test_a_card_for_any_moment_says_so_in_anybodys_turn() -> None:
    state = table((), ("gual_pie",), ())
    assert "MK-6.1" in cited(state, 1, PlayCard("gual_pie", 1))
