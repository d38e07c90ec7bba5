"""Munchkin over HTTP: a combat at a real table with help for a share, interference by two, a window opened anew."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.api import house
from tests.api.house import Table

FOE = "attic_widow"  # level 6, two treasures


def done(table: Table, seat: int | str, move: dict[str, Any], by: int | None = None) -> Any:
    """What follows from a move that must be granted, as its maker sees it."""
    answer = table.move(seat, move, table.seats[by if by is not None else 0] if seat == "chance" else None)
    assert answer.status_code == 201, answer.text
    return answer.json


def refused(table: Table, seat: int, move: dict[str, Any]) -> list[str]:
    """The clauses by which a move is refused."""
    answer: Any = house.problem(table.move(seat, move), 409, "illegal-move")
    assert answer["ruling"]["verdict"] == "refused"
    assert answer["ruling"]["reason"]["de"]
    return [clause["id"] for clause in answer["ruling"]["clauses"]]


def turned_up(table: Table, *cards: str) -> None:
    for card in cards:
        done(table, "chance", {"type": "chance.turned_up", "card": card})


def rolled(table: Table, *pips: int) -> None:
    for value in pips:
        done(table, "chance", {"type": "chance.rolled", "values": [value]})


def sums(table: Table, seat: int) -> dict[str, int]:
    """Both sides of the combat as a seat has them explained now: line by line they add up."""
    told: Any = table.seats[seat].get(f"{table.path}/explanation?viewer=seat:{seat}").json
    for each in told["sums"]:
        assert each["value"] == sum(part["value"] for part in each["parts"])
        assert all(part["clause"].startswith("MK-") for part in each["parts"])
    return {each["says"]["en"].partition(":")[0]: each["value"] for each in told["sums"]}


@pytest.fixture
def at_the_table(app: Flask) -> Table:
    """Four players with real cards and dice; seat 0 begins and has kicked a monster's door in."""
    table = house.opened(app, "munchkin", 4, chance={"dice": "table", "deck": "table"})
    done(table, 0, {"type": "mk.put", "card": "crooked_crown"})
    done(table, 1, {"type": "mk.put", "card": "grave_spade"})
    for seat in range(4):
        done(table, seat, {"type": "mk.ready"})
    rolled(table, 6, 2, 1, 3)
    done(table, 0, {"type": "mk.kick"})
    turned_up(table, FOE)
    assert table.awaited == [0]
    return table


def test_help_for_a_share_interference_by_two_a_window_opened_anew_and_treasures_shared(at_the_table: Table) -> None:
    table = at_the_table
    assert refused(table, 0, {"type": "mk.claim"}) == ["MK-9.2", "MK-15.1"]
    done(table, 0, {"type": "mk.ask_help", "seat": 1})
    assert table.awaited == [1]
    done(table, 1, {"type": "mk.counter", "treasures": 1, "picks": ["helper"]})
    assert table.awaited == [0]
    done(table, 0, {"type": "mk.accept"})
    ours, theirs = sums(table, 2).values()
    assert (ours, theirs) == (8, 6)

    done(table, 0, {"type": "mk.claim"})
    assert sorted(seat for seat in table.awaited if seat != "clock") == [2, 3]
    assert refused(table, 2, {"type": "mk.kick"})
    broken = done(table, 2, {"type": "mk.play", "card": "enh_hungry", "monster": FOE})
    assert "mk.ClaimBroken" in [event["type"] for event in broken["entry"]["events"]]
    done(table, 3, {"type": "mk.play", "card": "os_snow_grenade", "side": "monsters"})
    assert list(sums(table, 0).values()) == [8, 14]
    assert refused(table, 0, {"type": "mk.claim"}) == ["MK-9.2", "MK-15.1"]
    done(table, 0, {"type": "mk.play", "card": "os_bottled_dread", "side": "munchkins"})
    done(table, 1, {"type": "mk.play", "card": "os_fruitcake", "side": "munchkins"})
    assert list(sums(table, 3).values()) == [18, 14]

    done(table, 0, {"type": "mk.claim"})
    done(table, 3, {"type": "mk.pass"})
    done(table, 2, {"type": "mk.pass"})
    turned_up(table, "bat_hat", "mayors_badge", "lint_slippers")  # two, and one for the enhancer
    assert table.awaited == [1]
    done(table, 1, {"type": "mk.pick", "card": "mayors_badge"})
    view: Any = table.seats[3].get(f"{table.path}/view?viewer=seat:3").json
    assert view["table"]["levels"] == [2, 1, 1, 1]
    assert view["table"]["combat"] is None
    assert len(view["table"]["zones"]["hand:0"]) == 8 - 2 + 2
    assert len(view["table"]["zones"]["hand:1"]) == 8 - 2 + 1
    done(table, 1, {"type": "mk.put", "card": "mayors_badge"})  # what was just received may be put down at once
    assert refused(table, 1, {"type": "mk.put", "card": "candy_hook"})


def test_a_play_on_what_has_changed_meanwhile_is_answered_with_what_changed(at_the_table: Table) -> None:
    table = at_the_table
    seen = table.version
    play = {"type": "mk.play", "card": "os_snow_grenade", "side": "monsters"}
    done(table, 2, play)
    done(table, 3, {"type": "mk.play", "card": "os_foul_eggnog", "side": "munchkins"})  # both count, in this order
    again = {"type": "mk.play", "card": "os_frog_fizz", "side": "monsters"}
    late: Any = house.problem(table.move(2, again, seen=seen), 409, "overtaken")
    assert late["current_version"] == table.version
    assert [entry["move"]["card"] for entry in late["missed"]] == ["os_snow_grenade", "os_foul_eggnog"]
    done(table, 2, again)  # having seen that, it is played
    assert list(sums(table, 1).values()) == [4 + 2, 6 + 3 + 3]
