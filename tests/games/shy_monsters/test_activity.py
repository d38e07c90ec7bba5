"""Chapter 6: when a monster is active."""

from __future__ import annotations

import pytest

from referee.games.shy_monsters.components import MONSTERS, PATTERNS, START_SPOT, Spot, is_comfortable, rotate_offset
from referee.games.shy_monsters.events import CardTurnedUp, HeroKilled
from referee.games.shy_monsters.floors import list_shapes
from tests.games.shy_monsters.table import BLOCK, CROSS, LINE, STAIRS, Scene


def turned(spots: set[Spot]) -> set[Spot]:
    return set(map(rotate_offset, spots))


def cards(rows: list[str]) -> set[Spot]:
    """The places of a picture, counted from its M."""
    marks = {(x, y): mark for y, row in enumerate(rows) for x, mark in enumerate(row) if mark != "."}
    (at,) = [spot for spot, mark in marks.items() if mark == "M"]
    return {(x - at[0], y - at[1]) for x, y in marks}


@pytest.mark.clause("SM-ACT-0", "SM-ACT-3")
def test_a_monster_kills_only_if_it_is_comfortable_and_not_afraid() -> None:
    for up, monster, kills in (("", "mantis", True), ("", "kraken", False), ("b", "mantis", False)):
        other = {"b": "dragon"} if up else {"f": "dragon"}
        scene = Scene(LINE, {"a": monster, **other}, up=up)
        scene.plays(scene.explore("a"))
        assert bool(scene.told(HeroKilled)) is kills
        assert scene.tile("a").active is kills


@pytest.mark.clause("SM-ACT-1", "SM-AMB-3")
@pytest.mark.parametrize(
    ("monster", "fits", "fails"),
    [
        ("vampire_bat", ["M.", ".#"], ["#M#"]),
        ("dragon", ["M#"], ["#M#"]),
        ("mantis", ["#M#"], ["#M", ".#"]),
        ("basilisk", ["#.", "M#"], ["##", "M#"]),
        ("kraken", ["#M#", ".#."], ["#M#"]),
        ("gargoyle", ["##", "M#"], ["#.", "M#"]),
    ],
)
def test_a_monster_is_comfortable_where_its_pattern_fits(monster: str, fits: list[str], fails: list[str]) -> None:
    assert is_comfortable(monster, START_SPOT, cards(fits))
    assert not is_comfortable(monster, START_SPOT, cards(fails))


@pytest.mark.clause("SM-ACT-1a")
def test_the_entrance_and_cards_that_are_down_count_for_a_pattern() -> None:
    scene = Scene(LINE, {"a": "mantis", "b": "corridor"})  # between the entrance and a card that is down
    assert not scene.tile("b").up
    scene.plays(scene.explore("a"))
    (event,) = scene.told(CardTurnedUp)
    assert event.comfortable
    assert "SM-ACT-1a" in event.applied_clauses()


@pytest.mark.clause("SM-ACT-1b", "SM-AMB-4")
def test_a_pattern_holds_in_all_four_turns_and_mirroring_changes_nothing() -> None:
    for monster in MONSTERS:
        turns = PATTERNS[monster]
        mirrored = {tuple(frozenset((-x, y) for x, y in part) for part in turn) for turn in turns}
        assert mirrored == {tuple(map(frozenset, turn)) for turn in turns}
    for shape in list_shapes()[::97]:
        spots = {START_SPOT, *shape}
        for monster in MONSTERS:
            for spot in shape:
                here, there = (
                    is_comfortable(monster, spot, spots),
                    is_comfortable(monster, rotate_offset(spot), turned(spots)),
                )
                assert here == there


@pytest.mark.clause("SM-ACT-2", "SM-AMB-13")
def test_of_two_side_by_side_the_second_panics_and_the_first_stays_active() -> None:
    scene = Scene(LINE, {"b": "mantis", "c": "dragon"}, floor=1, question="reveal")
    scene.plays(scene.reveal("b"))
    assert scene.tile("b").active is True
    scene.plays(scene.reveal("c"))
    (event,) = scene.told(CardTurnedUp)
    assert event.frightened
    assert scene.tile("c").active is False
    assert scene.tile("b").active is True


@pytest.mark.clause("SM-ACT-2")
def test_monsters_at_a_corner_do_not_frighten() -> None:
    scene = Scene(STAIRS, {"a": "dragon", "c": "basilisk"}, up="a")
    scene.plays(scene.explore("a"), scene.explore("b"), scene.explore("c"))
    assert scene.told(CardTurnedUp)[0].frightened is False
    assert scene.told(HeroKilled)


@pytest.mark.clause("SM-ACT-2a", "SM-AMB-15")
def test_a_killed_monster_frightens_as_well() -> None:
    scene = Scene(LINE, {"a": "mantis", "b": "dragon"})
    scene.plays(scene.explore("a", attack=True))
    assert (scene.tile("a").alive, scene.tile("a").active) == (False, True)
    scene.plays(scene.explore("b"))
    (event,) = scene.told(CardTurnedUp)
    assert event.frightened
    assert {"SM-ACT-2a", "SM-AMB-14"} <= set(event.applied_clauses())


@pytest.mark.clause("SM-AMB-14")
@pytest.mark.parametrize("first", ["kraken", "mantis"])
def test_a_harmless_monster_frightens_as_well(first: str) -> None:
    scene = Scene(BLOCK, {"a": first, "b": "gargoyle"}, up="a")
    if first == "mantis":
        assert scene.tile("a").active is False  # uncomfortable
    scene.plays(scene.jump("d", "c"), scene.explore("e"), scene.explore("b"))
    (event,) = scene.told(CardTurnedUp)
    assert (event.comfortable, event.frightened, event.is_active) == (True, True, False)


@pytest.mark.clause("SM-AMB-14")
def test_a_monster_in_panic_is_one_that_frightens() -> None:
    panicking = Scene(LINE, {"a": "dragon", "b": "mantis"}, up="ab")
    assert panicking.tile("b").active is False
    assert panicking.state.is_frightened_at(panicking.at["c"])


@pytest.mark.clause("SM-ACT-4", "SM-AMB-20")
def test_both_conditions_are_looked_at_before_the_hero_dies_and_no_attack_is_waived() -> None:
    scene = Scene(CROSS, {"c": "dragon", "a": "mantis"})
    scene.plays(scene.explore("c"))
    (seen,) = scene.told(CardTurnedUp)
    assert (seen.comfortable, seen.frightened) == (True, False)
    assert "SM-ACT-4" in seen.applied_clauses()
    (killed,) = scene.told(HeroKilled)
    assert "SM-AMB-20" in killed.applied_clauses()
    assert scene.events.index(seen) < scene.events.index(killed)


@pytest.mark.clause("SM-AMB-13")
def test_what_was_settled_when_a_monster_was_turned_up_holds_for_the_floor() -> None:
    scene = Scene(LINE, {"b": "mantis", "c": "dragon"}, up="b")
    before = scene.tile("b")
    scene.plays(scene.explore("a"), scene.jump("c", "b"))  # the dragon is uncomfortable there, and afraid
    assert scene.tile("b") == before
    scene.plays(scene.explore("d"))
    scene.refuses(scene.jump("b", "c"), "jump_is_spent")
    scene.plays(scene.explore("c"))
    scene.refuses(scene.explore("b"), "sure_to_die", "SM-AMB-12")
