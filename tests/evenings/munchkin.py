"""Five turns of Munchkin between three people: kills, a helper, interference, a curse, running away, trouble."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Flask

from tests.api import house
from tests.api.house import Table
from tests.evenings.evening import Nobody, Shown, Turn
from tests.evenings.here_to_slay import dice, does

PASS, KEEP = Nobody("mk.pass"), Nobody("mk.keep_roll")
FIRST_CARDS = (
    ("crooked_crown", "candy_hook", "tinfoil_suit"),
    ("grave_spade", "bat_hat", "patchwork_coat", "curly_boots"),
    ("garland_whip", "jawbone_mask", "buckled_vest", "lint_slippers"),
)


def sit_down(app: Flask, **more: Any) -> Table:
    """Three people round a table with cards and dice of their own, each with items; seat 0 is on turn.

    For seats without a phone the host moves.
    """
    table = house.opened(app, "munchkin", 3, chance={"dice": "table", "deck": "table"}, **more)
    people = iter(table.seats)
    kinds = [chair["kind"] for chair in more.get("chairs", [{"kind": "human"}] * 3)]
    table = replace(table, seats=tuple(table.host if kind == "table" else next(people) for kind in kinds))
    for seat, cards in enumerate(FIRST_CARDS):
        for card in cards:
            assert table.move(seat, {"type": "mk.put", "card": card}).status_code == 201
    for seat in range(3):
        assert table.move(seat, {"type": "mk.ready"}).status_code == 201
    for pips in (6, 2, 1):
        rolled = {"type": "chance.rolled", "values": [pips]}
        assert table.move("chance", rolled, table.seats[0]).status_code == 201
    assert table.awaited == [0]
    return table


def card(name: str) -> Shown:
    return Shown({"type": "chance.turned_up", "card": name})


def evening() -> tuple[Turn, ...]:
    """The five turns."""
    return (
        # A monster behind the door is killed for a level and a treasure, which is put into play.
        (
            does(0, "mk.kick"),
            card("coffin_mouse"),
            does(0, "mk.claim"),
            PASS,
            does(0, "mk.put", card="mayors_badge"),
            does(0, "mk.end_turn"),
        ),
        # A curse behind the door strikes, and the room is looted.
        (
            does(1, "mk.kick"),
            card("curse_level"),
            PASS,
            does(1, "mk.put", card="town_halloween"),
            does(1, "mk.loot"),
            does(1, "mk.end_turn"),
        ),
        # A monster is strengthened by another player and too strong: the player runs away and escapes.
        (
            does(2, "mk.kick"),
            card("bog_bride"),
            does(0, "mk.play", card="enh_towering", monster="bog_bride"),
            does(2, "mk.run"),
            does(2, "mk.flee", monster="bog_bride"),
            dice(6),
            KEEP,
            does(2, "mk.end_turn"),
        ),
        # A helper joins for a treasure, and the monster is killed together.
        (
            does(0, "mk.kick"),
            card("attic_widow"),
            does(0, "mk.play", card="os_popping_corn", side="munchkins"),
            does(2, "mk.play", card="enh_hungry", monster="attic_widow"),
            does(0, "mk.ask_help", seat=1, treasures=1),
            does(1, "mk.accept"),
            does(0, "mk.claim"),
            PASS,
            card("rusty_bell"),
            card("pumpkin_flail"),
            card("stilts"),
            does(0, "mk.pick", card="pumpkin_flail"),
            does(1, "mk.pick", card="stilts"),
            does(0, "mk.put", card="rusty_bell"),
            does(0, "mk.end_turn"),
        ),
        # No monster: trouble is looked for, both others strengthen it, and the roll to escape fails.
        (
            does(1, "mk.kick"),
            card("loose_stitches"),
            does(1, "mk.look_for_trouble", monster="doctor_finkelstein"),
            does(2, "mk.play", card="enh_overdressed", monster="doctor_finkelstein"),
            does(0, "mk.play", card="enh_old", monster="doctor_finkelstein"),
            does(1, "mk.run"),
            does(1, "mk.flee", monster="doctor_finkelstein"),
            dice(2),
            KEEP,
            does(1, "mk.end_turn"),
        ),
    )  # fmt: skip
