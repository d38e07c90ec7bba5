"""Verbs about creatures on the field, and attacks: each where it works, and where it does nothing."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard
from referee.engine.events import replace_fields
from referee.engine.rulebook.book import BookError
from referee.games.creature_crush.events.cards import CardsDestroyed
from referee.games.creature_crush.events.field import (
    AttackCancelled,
    AttackEnded,
    CreaturesAltered,
    CreaturesDamaged,
    CreaturesHealed,
    CreaturesReadied,
    EffectSkipped,
)
from referee.games.creature_crush.rules.combat.damage import Strike
from referee.games.creature_crush.values import LastingChange
from tests.games.course import of, when
from tests.games.creature_crush.table import table
from tests.games.creature_crush.wording import (
    SAID,
    at_rest,
    read,
    said,
    unsaid,  # noqa: F401
)

MINE = {"B1": "clay_guard", "A1": "thornback", "B3": "tar_golem"}
THEIRS = {"B1": "dune_strider", "A2": "knife_goblin", "B2": "storm_gull"}
ALL_ENEMIES = {"do": "all", "creature": {"of": "enemy"}, "called": "them"}


# ---- damage ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-DAMAGE-1", "CC-CHAIN-6")
def test_damage_is_dealt_to_all_at_once_and_the_dead_go_together() -> None:
    state = table(MINE, THEIRS, damage={"dune_strider": 2})
    events, state = said(state, ALL_ENEMIES, {"do": "damage", "creature": "them", "points": 3})
    assert of(events, CreaturesDamaged) == [
        CreaturesDamaged({"knife_goblin": 3, "dune_strider": 3, "storm_gull": 3}, SAID)
    ]
    assert [event.put for event in of(events, CardsDestroyed)] == [("knife_goblin", "dune_strider", "storm_gull")]
    assert set(state.list_hell(1)) == {"knife_goblin", "dune_strider", "storm_gull"}
    assert state.damage == {}


def test_damage_below_the_life_points_stays_and_kills_nobody() -> None:
    _, state = said(table(MINE, THEIRS), ALL_ENEMIES, {"do": "damage", "creature": "them", "points": 1})
    assert state.damage == {"dune_strider": 1, "knife_goblin": 1, "storm_gull": 1}
    assert state.list_hell(1) == ()


def test_damage_may_be_the_attack_of_a_creature_as_it_is_now() -> None:
    line = {"do": "damage", "creature": "attacker", "points": {"attack_of": "attacker"}}
    state = table({"B1": "horn_blower", "A1": "tar_golem"}, THEIRS)
    events, _ = said(state, line, by=1, attacker="tar_golem")
    assert of(events, CreaturesDamaged) == [CreaturesDamaged({"tar_golem": 3}, SAID)]


def test_no_damage_is_done_to_what_has_left_its_place() -> None:
    line = {"do": "damage", "creature": "victim", "points": 2}
    state = table(MINE, THEIRS)
    _, asking = said(state, {"do": "choose", "creature": {"of": "any"}, "called": "other"},
                     {"do": "destroy", "what": "other"}, line, victim="storm_gull")  # fmt: skip
    events, _ = when(asking, 0, ChooseCard("storm_gull"))
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "gone")]
    assert not of(events, CreaturesDamaged)
    moved = replace_fields(asking, zones={**asking.zones, "B2/1": (), "A3/1": ("storm_gull",)})
    events, _ = when(moved, 0, ChooseCard("clay_guard"))
    assert not of(events, CreaturesDamaged)
    events, _ = when(asking, 0, ChooseCard("clay_guard"))
    assert of(events, CreaturesDamaged) == [CreaturesDamaged({"storm_gull": 2}, SAID)]


def test_an_amount_that_means_nothing_is_refused_when_the_card_is_read() -> None:
    for points in (-1, 100, "some", {"y": 1}, {"plus": 1}, {"x": "two"}):
        with pytest.raises(BookError, match=r"is not an amount|is out of range; allowed: 1 to 99"):
            read({"do": "damage", "creature": "this", "points": points})


# ---- healing ---------------------------------------------------------------------------------------------------------

ALLIES = {"do": "all", "creature": {"of": "ally"}, "called": "us"}
HURT = {"clay_guard": 3, "tar_golem": 1, "storm_gull": 2}


@pytest.mark.clause("CC-DAMAGE-1")
@pytest.mark.parametrize(
    ("points", "healed", "left"),
    [
        (2, {"clay_guard": 2, "tar_golem": 1}, {"clay_guard": 1, "storm_gull": 2}),
        ("all", {"clay_guard": 3, "tar_golem": 1}, {"storm_gull": 2}),
    ],
)
def test_healing_takes_damage_off_as_far_as_there_is_any(
    points: object, healed: dict[str, int], left: dict[str, int]
) -> None:
    state = table(MINE, THEIRS, damage=HURT)
    events, state = said(state, ALLIES, {"do": "heal", "creature": "us", "points": points})
    assert of(events, CreaturesHealed) == [CreaturesHealed(healed, SAID)]
    assert state.damage == left


def test_healing_the_unhurt_does_nothing() -> None:
    events, _ = said(table(MINE, THEIRS), ALLIES, {"do": "heal", "creature": "us", "points": 2})
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "nothing_to_heal")]
    assert not of(events, CreaturesHealed)


# ---- changes ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-AMB-27")
@pytest.mark.parametrize(
    ("line", "change", "attack", "armor"),
    [
        ({"attack": 2}, LastingChange("attack", 2, this_turn=False, by=SAID), 3, 0),
        ({"attack": 4, "this_turn": True}, LastingChange("attack", 4, this_turn=True, by=SAID), 5, 0),
        ({"armor": 1}, LastingChange("armor", 1, this_turn=False, by=SAID), 1, 1),
    ],
)
def test_a_creature_is_strengthened(line: dict[str, object], change: LastingChange, attack: int, armor: int) -> None:
    events, state = said(table(MINE), {"do": "strengthen", "creature": "who", **line}, who="clay_guard")
    assert of(events, CreaturesAltered) == [CreaturesAltered(("clay_guard",), change)]
    assert (state.attack_points("clay_guard"), state.armor_points("clay_guard")) == (attack, armor)
    assert state.attack_points("thornback") == 1


def test_nobody_is_strengthened_who_has_gone_and_no_card_strengthens_by_nothing() -> None:
    events, _ = said(table(MINE), {"do": "strengthen", "creature": "who", "attack": 2}, who="behemoth")
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "gone")]
    for line in ({}, {"attack": 1, "armor": 1}):
        with pytest.raises(BookError, match="strengthen needs either 'attack', 'armor'"):
            read({"do": "strengthen", "creature": "this", **line})


@pytest.mark.clause("CC-AMB-12")
def test_a_creature_may_take_one_more_action_each_time() -> None:
    ready = {"do": "ready", "creature": "who"}
    events, state = said(table(MINE), ready, ready, who="clay_guard")
    assert of(events, CreaturesReadied) == [CreaturesReadied(("clay_guard",))] * 2
    assert state.ready == {"clay_guard": 2}


def test_nobody_gets_an_action_who_has_gone() -> None:
    events, state = said(table(MINE), {"do": "ready", "creature": "who"}, who="behemoth")
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "gone")]
    assert state.ready == {}


# ---- attacks ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-CHAIN-7")
def test_a_declared_attack_is_cancelled() -> None:
    state = table(MINE, THEIRS)
    strike = Strike(1, "dune_strider", "B1/1", "thornback", "A1/0")
    events, state = said(replace_fields(state, agenda=(*state.agenda, strike)), {"do": "cancel_attack"})
    assert of(events, AttackCancelled) == [AttackCancelled(SAID)]
    assert of(events, AttackEnded) == [AttackEnded("dune_strider", "thornback", "cancelled")]
    assert state.damage == {}
    assert at_rest(state)


def test_where_no_attack_is_declared_nothing_is_cancelled() -> None:
    events, _ = said(table(MINE, THEIRS), {"do": "cancel_attack"})
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "no_attack")]
    assert not of(events, AttackCancelled)
