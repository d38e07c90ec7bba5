"""What creatures cannot do, more life, growth counters, and damage and deaths that do not come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from referee.cardscript.moves import ChooseCard
from referee.engine.rulebook.book import BookError
from referee.games.creature_crush import GAME, components
from referee.games.creature_crush.breakdowns import break_down_event, compute_attack_damage, compute_life_left
from referee.games.creature_crush.card_attributes import Face, StaticAbility, parse_face
from referee.games.creature_crush.conditions import Condition
from referee.games.creature_crush.events.course import TurnBegan, TurnEnded
from referee.games.creature_crush.events.field import (
    CreaturesAltered,
    CreaturesDamaged,
    CreaturesSpared,
    DamagePrevented,
    GrowthTaken,
)
from referee.games.creature_crush.moves import Attack
from referee.games.creature_crush.rules.combat.attacking import find_targets
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.nouns import CreatureSelector
from referee.rendering.texts import describe_event
from tests.games.course import of, refusal, when
from tests.games.creature_crush.table import offered, table
from tests.games.creature_crush.wording import (
    card,
    marked_up,
    refused,
    said,
    unsaid,  # noqa: F401
)

MINE = {"A1": "thornback", "B1": "clay_guard"}
THEIRS = {"B1": "dune_strider", "A2": "knife_goblin", "B2": "storm_gull"}
WALL, STRONG = "world_eater", "dune_strider"
PAID = (components.FACES[STRONG].cost,)


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give a creature of the box other standing values."""

    def build(*standing: StaticAbility, card: str = WALL, **more: Any) -> None:
        printed = components.FACES[card]
        face = Face(card, "creature", printed.cost, printed.attack, printed.life, standing=standing, **more)
        monkeypatch.setitem(components.FACES, card, face)

    return build


def changed(state: Table, row: Mapping[str, Any], **change: Any) -> Table:
    """The table after a change of all creatures that fit."""
    lines = {"do": "all", "creature": row, "called": "them"}, {"do": "strengthen", "creature": "them", **change}
    return said(state, *lines)[1]


def hit(state: Table, points: int, row: Mapping[str, Any]) -> tuple[Any, Table]:
    """The events of damage to all creatures that fit, and the table."""
    lines = {"do": "all", "creature": row, "called": "them"}, {"do": "damage", "creature": "them", "points": points}
    return said(state, *lines)


ENEMIES, ALLIES, FRONT = {"of": "enemy"}, {"of": "ally"}, {"of": "ally", "row": "A"}


# ---- what creatures cannot do ----------------------------------------------------------------------------------------


@pytest.mark.clause("CC-AMB-27")
def test_a_creature_cannot_attack_until_the_next_turn_of_the_player_who_forbade_it() -> None:
    state = changed(table(MINE, THEIRS, dice=(2, 5)), ENEMIES, cannot="attack", until_next_turn=True)
    theirs = TurnBegan(1).apply(TurnEnded(0).apply(state))
    assert theirs.has_keyword("dune_strider", "cannot_attack")
    mine = TurnBegan(0).apply(TurnEnded(1).apply(theirs))
    assert not mine.has_keyword("dune_strider", "cannot_attack")


def test_an_attack_that_a_card_forbids_is_refused_with_the_card_and_the_clause() -> None:
    state = changed(table(MINE, THEIRS, dice=(2, 5)), FRONT, cannot="attack")
    ruling = refusal(state, 0, Attack("thornback", (2,), "dune_strider"))
    assert (ruling.reason, ruling.clauses[0], ruling.params["by"]) == ("cannot_attack", "CC-AMB-27", "said")
    assert refused(state, 0, Attack("thornback", (2,), "dune_strider")) == "cannot_attack"
    assert not any(isinstance(move, Attack) and move.creature == "thornback" for move in offered(state, 0))


@pytest.mark.clause("CC-EFF-PERM-1")
def test_who_cannot_be_attacked_stands_in_the_way_all_the_same(wall: Any) -> None:
    wall(StaticAbility("cannot_be_attacked", to="me", when=Condition("creatures_min", of="me", number=2)))
    alone = table(MINE, {"B1": WALL}, dice=(2,))
    assert find_targets(alone, "thornback") == (WALL,)
    beside = table(MINE, {"B1": WALL, "B3": "storm_gull"}, dice=(2,))
    assert find_targets(beside, "thornback") == ()
    ruling = refusal(beside, 0, Attack("thornback", (2,), WALL))
    assert (ruling.reason, ruling.clauses[0], ruling.params["by"]) == ("cannot_be_attacked", "CC-EFF-PERM-1", WALL)
    assert refusal(beside, 0, Attack("thornback", (2,), "")).reason == "enemy_in_the_way"


def test_enemies_cannot_attack_directly_while_a_creature_says_so(wall: Any) -> None:
    wall(StaticAbility("cannot_attack_directly", to="enemies"))
    free = table({"A1": "thornback"}, {"B2": "storm_gull"}, dice=(2,))
    assert find_targets(free, "thornback") == ("",)
    held = table({"A1": "thornback"}, {"B2": WALL}, dice=(2,))
    assert find_targets(held, "thornback") == ()
    ruling = refusal(held, 0, Attack("thornback", (2,), ""))
    assert (ruling.reason, ruling.params["by"]) == ("cannot_attack_directly", WALL)


@pytest.mark.clause("CC-AMB-18")
def test_who_cannot_be_chosen_is_reached_by_chance_and_with_all_only(wall: Any) -> None:
    wall(StaticAbility("cannot_be_chosen"))
    state = table(MINE, {"B1": WALL, "B2": "storm_gull", "B3": "knife_goblin"})
    damage = {"do": "damage", "creature": "it", "points": 1}
    _, asking = said(state, {"do": "choose", "creature": ENEMIES, "called": "it"}, damage)
    ruling = refusal(asking, 0, ChooseCard(WALL))
    assert (ruling.reason, ruling.params["by"]) == ("cannot_be_chosen", WALL)
    events, _ = hit(state, 1, ENEMIES)
    assert WALL in of(events, CreaturesDamaged)[0].points
    each = {"do": "for_each", "creature": ENEMIES, "called": "it", "lines": [damage]}
    events, _ = said(state, each)
    assert len(of(events, CreaturesDamaged)) == 3
    _, own = said(state, {"do": "choose", "creature": ALLIES, "called": "it"}, damage, by=1)
    assert ChooseCard(WALL) in offered(own, 1), "its own player chooses it"
    noun = CreatureSelector("any")
    drawn = noun.list_fitting(state, asking.agenda[-2])
    assert WALL in drawn


# ---- more life and growth --------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-DAMAGE-1")
def test_more_life_lasts_and_is_explained() -> None:
    before = table(MINE, THEIRS).life_left("thornback")
    state = changed(table(MINE, THEIRS), FRONT, life=2)
    assert state.life_left("thornback") == before + 2
    term = compute_life_left(state, "thornback")
    assert (term.value, sum(part.value for part in term.parts)) == (before + 2, before + 2)
    _, state = hit(state, before + 1, FRONT)
    assert state.possessor_of("thornback") == 0
    _, state = hit(state, 1, FRONT)
    assert state.list_hell(0) == ("thornback",)


@pytest.mark.clause("CC-AMB-19")
def test_growth_counters_give_attack_and_life_until_they_are_taken_off() -> None:
    start = table(MINE, THEIRS)
    attack, life = start.attack_points("thornback"), start.life_left("thornback")
    state = changed(changed(start, FRONT, growth=1), FRONT, growth=2)
    assert (state.attack_points("thornback"), state.life_left("thornback")) == (attack + 3, life + 3)
    assert compute_attack_damage(state, "thornback", "dune_strider").value == attack + 3
    lines = ({"do": "all", "creature": FRONT, "called": "them"}, {"do": "take_growth", "creature": "them"})
    events, bare = said(state, *lines)
    assert of(events, GrowthTaken) == [GrowthTaken(("thornback",))]
    assert (bare.attack_points("thornback"), bare.lasting) == (attack, {})
    _, hurt = hit(state, life, FRONT)
    assert "thornback" in said(hurt, *lines)[1].list_hell(0), "without the counters its damage reaches its life"


def test_a_creature_takes_as_much_damage_as_it_has_counters() -> None:
    state = changed(table(MINE, {"B1": WALL}), ENEMIES, growth=2)
    lines = ({"do": "all", "creature": ENEMIES, "called": "it"},
             {"do": "damage", "creature": "it", "points": {"growth_of": "it"}})  # fmt: skip
    events, _ = said(state, *lines)
    assert of(events, CreaturesDamaged)[0].points == {WALL: 2}


# ---- prevented, limited, replaced ------------------------------------------------------------------------------------


@pytest.mark.clause("CC-DAMAGE-1")
def test_a_shield_takes_the_next_damage_and_is_used_up() -> None:
    state = changed(table(MINE, {"B1": WALL}), ENEMIES, shield=3)
    events, state = hit(state, 2, ENEMIES)
    assert of(events, DamagePrevented) == [DamagePrevented({WALL: 2})]
    assert not of(events, CreaturesDamaged)
    events, state = hit(state, 2, ENEMIES)
    assert of(events, DamagePrevented) == [DamagePrevented({WALL: 1})]
    assert state.damage == {WALL: 1}
    assert state.lasting == {}


def test_a_shield_takes_damage_of_an_attack_which_is_explained() -> None:
    state = changed(table({"A1": STRONG}, {"B1": WALL}, dice=PAID), ENEMIES, shield=1)
    attack = state.attack_points(STRONG)
    events, _ = when(state, 0, Attack(STRONG, PAID, WALL))
    dealt = of(events, CreaturesDamaged)[0]
    assert dealt.points == {WALL: attack - 1}
    (prevented,) = of(events, DamagePrevented)
    (term,) = break_down_event(prevented.apply(state), dealt)
    assert term.value == attack - 1 == sum(part.value for part in term.parts)


def test_each_attack_does_at_most_so_much_and_texts_do_more(wall: Any) -> None:
    wall(StaticAbility("attack_damage_max", 1))
    state = table({"A1": STRONG}, {"B1": WALL}, dice=PAID)
    events, after = when(state, 0, Attack(STRONG, PAID, WALL))
    assert of(events, CreaturesDamaged)[0].points == {WALL: 1}
    term = compute_attack_damage(state, STRONG, WALL)
    assert term.value == 1 == sum(part.value for part in term.parts)
    assert term.parts[-1].card == WALL
    events, _ = hit(after, 3, ENEMIES)
    assert of(events, CreaturesDamaged)[0].points == {WALL: 3}


def test_a_creature_is_healed_instead_of_dying_once() -> None:
    state = changed(table(MINE, THEIRS, damage={"thornback": 1}), FRONT, spared=True, this_turn=True)
    events, state = hit(state, 20, FRONT)
    assert of(events, CreaturesSpared) == [CreaturesSpared(("thornback",))]
    assert (state.damage, state.possessor_of("thornback"), state.lasting) == ({}, 0, {})
    assert "thornback" in hit(state, 20, FRONT)[1].list_hell(0)


def test_a_creature_is_spared_by_what_destroys_it_and_beside_others_that_die() -> None:
    state = changed(table(MINE, THEIRS), FRONT, spared=True)
    lines = ({"do": "all", "creature": ALLIES, "called": "them"}, {"do": "destroy", "what": "them"})
    _, state = said(state, *lines)
    assert state.list_hell(0) == ("clay_guard",)
    ended = TurnEnded(0).apply(changed(table(MINE, THEIRS), FRONT, spared=True, this_turn=True))
    assert ended.lasting == {}


# ---- told and refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "en", "de"),
    [
        ({"life": 2}, "+2 life", "+2 Leben"),
        ({"cannot": "attack"}, "cannot attack from now on", "von nun an nicht angreifen"),
        ({"cannot": "attack_directly", "this_turn": True}, "cannot attack directly this turn", "in diesem Zug nicht"),
        (
            {"cannot": "be_attacked", "until_next_turn": True},
            "cannot be attacked because",
            "nicht angegriffen werden, bis",
        ),
        ({"shield": 3}, "prevents the next 3 damage", "verhindert die nächsten 3 Schaden"),
        ({"shield": 3, "this_turn": True}, "this turn", "in diesem Zug"),
        ({"shield": 3, "until_next_turn": True}, "until its player's next turn", "wieder am Zug ist"),
        ({"spared": True}, "heals it instead", "stattdessen allen Schaden"),
        ({"spared": True, "this_turn": True}, "this turn", "in diesem Zug"),
        ({"spared": True, "until_next_turn": True}, "before the next turn", "wieder am Zug ist"),
        ({"growth": 1}, "a growth counter", "eine Wachstumsmarke"),
    ],
)
def test_each_change_is_told_in_both_languages(change: dict[str, Any], en: str, de: str) -> None:
    events, _ = said(table(MINE, THEIRS), {"do": "all", "creature": FRONT, "called": "them"},
                     {"do": "strengthen", "creature": "them", **change})  # fmt: skip
    told = describe_event(GAME, of(events, CreaturesAltered)[0])
    assert en in told["en"]
    assert de in told["de"]


def test_what_does_not_come_is_told_in_both_languages() -> None:
    told = [describe_event(GAME, event) for event in (
        DamagePrevented({"thornback": 2}), CreaturesSpared(("thornback",)), GrowthTaken(("thornback",)),
    )]  # fmt: skip
    assert [each["en"] for each in told] == [
        "2 damage to Thornback is prevented.", "Thornback is healed instead of being destroyed.",
        "Thornback loses all growth counters.",
    ]  # fmt: skip
    assert all("{" not in each["de"] for each in told)


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"life": -1}, "of 1 or more"),
        ({"growth": 1, "this_turn": True}, "for good only"),
        ({"cannot": "fly"}, "unknown 'fly'"),
        ({"shield": 1, "life": 1}, "needs either"),
    ],
)
def test_a_change_that_cannot_be_is_refused(change: dict[str, Any], detail: str) -> None:
    with pytest.raises(BookError, match=detail):
        card(kind="creature", action=[{"do": "strengthen", "creature": "this", **change}])


@pytest.mark.parametrize(
    ("value", "detail"),
    [({"cannot": "fly"}, "cannot: unknown 'fly'"), ({"attack_damage_max": -1}, "whole number from 0")],
)
def test_a_standing_value_that_cannot_be_is_refused(value: dict[str, Any], detail: str) -> None:
    entry = marked_up({"id": "x", "kind": "creature", "name": "X", "text": "X", "cost": 1, "attack": 1, "life": 1,
                       "standing": [value]})  # fmt: skip
    with pytest.raises(BookError, match=detail):
        parse_face("test", entry)


def test_a_position_keeps_what_holds_for_a_creature() -> None:
    state = changed(table(MINE, THEIRS), FRONT, cannot="attack", until_next_turn=True)
    for change in ({"life": 2}, {"shield": 3}, {"growth": 1}, {"spared": True}):
        state = changed(state, FRONT, **change)
    written = GAME.positions.encode_position(state)
    stats = {change["stat"] for change in written["seats"][0]["board"]["A1"]["changes"]}
    assert stats == {"cannot_attack", "life", "shield", "growth", "spared"}
