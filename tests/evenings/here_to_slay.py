"""Five turns of Here to Slay between three people: heroes, a challenge, modifiers, a monster, magic and an item."""

from __future__ import annotations

from typing import Any

from flask import Flask

from tests.api import house
from tests.api.house import Table
from tests.evenings.evening import Move, Nobody, Shown, Turn

PICKS = ("the_charismatic_song", "the_divine_arrow", "the_cloaked_sage")
ROW = ("orthus", "abyss_queen", "malamammoth")
NOBODY = Nobody("hts.pass")
AT_ONCE = {"objection_ms": 0}  # clocks of a table where what one says for all holds without delay


def sit_down(app: Flask, **more: Any) -> Table:
    """Three people round a table with cards and dice of their own; seat 2 is on turn."""
    table = house.opened(
        app, "here_to_slay", 3, chance={"dice": "table", "deck": "table"}, settings={"leader_choice": "at_once"}, **more
    )
    for seat, leader in enumerate(PICKS):
        assert table.move(seat, {"type": "hts.pick_leader", "leader": leader}).status_code == 201
    for monster in ROW:
        shown = table.move("chance", {"type": "chance.turned_up", "card": monster}, table.seats[0])
        assert shown.status_code == 201
    assert table.awaited == [2]
    return table


def does(seat: int, kind: str, /, **fields: Any) -> Move:
    return Move(seat, {"type": kind, **fields})


def dice(*pips: int) -> Shown:
    return Shown({"type": "chance.rolled", "values": list(pips)})


def plays_hero(seat: int, hero: str, *pips: int) -> Turn:
    """A hero is played, nobody challenges it, the free roll is taken, and nobody modifies it."""
    played = does(seat, "hts.play", card=hero)
    return (played, NOBODY, does(seat, "choose.accept"), dice(*pips), NOBODY)


def evening() -> tuple[Turn, ...]:
    """The five turns, each of three points."""
    return (
        # A hero comes and fails; two cards are drawn.
        (*plays_hero(2, "bun_bun", 1, 2), does(2, "hts.draw"), does(2, "hts.draw")),
        # A hero is challenged, stands by a modifier, and its effect draws two cards; two more are drawn.
        (
            does(0, "hts.play", card="peanut"),
            does(1, "hts.pass"),
            does(2, "hts.challenge"),
            dice(4, 3),
            dice(3, 3),
            does(0, "hts.modify", card="modifier_plus_2_minus_2", value=2, roller=0),
            NOBODY,
            does(0, "choose.accept"),
            dice(4, 4),
            NOBODY,
            does(0, "hts.draw"),
            does(0, "hts.draw"),
        ),
        # A hero fails, an item goes to it, and a card is drawn.
        (
            *plays_hero(1, "calming_voice", 2, 3),
            does(1, "hts.play", card="really_big_ring"),
            NOBODY,
            does(1, "choose.card", card="calming_voice"),
            does(1, "hts.draw"),
        ),
        # A monster is attacked and slain, and another one turned up; a hero is rolled for.
        (
            does(2, "hts.attack", monster="orthus"),
            dice(5, 4),
            NOBODY,
            Shown({"type": "chance.turned_up", "card": "dracos"}),
            does(2, "hts.roll_for", hero="bun_bun"),
            dice(1, 2),
            NOBODY,
        ),
        # A hero in the party is rolled for and draws two; a hero is played; a card is drawn.
        (
            does(0, "hts.roll_for", hero="peanut"),
            dice(5, 4),
            NOBODY,
            *plays_hero(0, "mighty_blade", 2, 1),
            does(0, "hts.draw"),
        ),
    )  # fmt: skip
