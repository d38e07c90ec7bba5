"""The numbers of Munchkin, each with the card and the clause it comes from; strengths and rolls line by line.

They are read off the table as a reader saw it just before the fact. Clauses: MK-4.1, MK-9.1, MK-9.2, MK-11.2, MK-16.1,
MK-16.2, MK-17.3, MK-17.7, MK-17.8, MK-22.2, MK-26.10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from referee.games.munchkin.events.combat import (
    Caught,
    DieRolled,
    DieTurned,
    Escaped,
    Hindered,
    KillClaimed,
    MonstersKilled,
    StrengthAdded,
)
from referee.games.munchkin.events.course import DieCast, GameDrawn, LevelsGained, LevelsLost
from referee.games.munchkin.holding import given
from referee.games.munchkin.material import FACES
from referee.games.munchkin.rules.rolling import ESCAPE, flight_lines
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import Line, monsters, munchkins, total, treasures_of
from referee.kernel.facts import Event
from referee.kernel.reckoning import Number, added_up, counted


def reckoned(table: Any, fact: Event) -> tuple[Number, ...]:
    """The numbers of a fact."""
    match fact:
        case KillClaimed():
            return both_sides(table)
        case StrengthAdded(added=added):
            more = Line("line.added", added.count, "MK-9.1", added.card, added.seat)
            lines = munchkins(table) if added.side == "munchkins" else monsters(table)
            return (as_number(more), side(added.side, (*lines, more)))
        case MonstersKilled():
            return tuple(won(table))
        case Escaped(how="rolled", seat=seat, monster=monster, total=count) | Caught(
            seat=seat, monster=monster, total=count
        ):
            return flight(table, seat, monster, count)
        case LevelsGained(seat=seat, count=count, level=level, card=card):
            return (levels(seat, level - count, count, card, "MK-4.1"),)
        case LevelsLost(seat=seat, count=count, level=level, card=card):
            return (levels(seat, level + count, -count, card, "MK-3.2"),)
        case DieRolled(seat=seat, value=value) | DieCast(seat=seat, value=value):
            return (Number(value, "number.die", "MK-2.7", params={"seat": seat}),)
        case DieTurned(seat=seat, value=value):
            return (Number(value, "number.die", "MK-17.7", params={"seat": seat}),)
        case Hindered(seat=seat, count=count):
            return (Number(count, "number.hindered", "MK-17.8", params={"seat": seat}),)
        case GameDrawn(turns=turns):
            return (Number(turns, "number.turns", "MK-26.10"),)
    return counted(fact)


def as_number(line: Line) -> Number:
    """A summand of a strength or of a roll as a number that players read."""
    return Number(line.count, line.says, line.clause, line.card, {"seat": line.seat, "of": line.of})


def side(which: str, lines: Iterable[Line]) -> Number:
    """The strength of a side, line by line (MK-9.1, MK-11.2)."""
    return added_up(f"number.{which}", "MK-9.1" if which == "munchkins" else "MK-11.2", map(as_number, lines))


def both_sides(table: Table) -> tuple[Number, ...]:
    """What the two sides of the running combat come to, the fighters' first; nothing without a combat."""
    if table.combat is None:
        return ()
    return side("munchkins", munchkins(table)), side("monsters", monsters(table))


def won(table: Table) -> Iterator[Number]:
    """What a kill is worth: the levels, and the treasures (MK-16.1, MK-16.2)."""
    combat = table.fight
    if not combat.foes:
        return
    gains = (Number(FACES[foe.of].levels, "number.gain_by", "MK-16.1", foe.card) for foe in combat.foes)
    yield added_up("number.gain", "MK-16.1", gains)
    worth = [Number(treasures_of(foe), "number.worth", "MK-16.2", foe.card) for foe in combat.foes]
    more = given(table, combat.main, "treasures")
    worth += [Number(each.number, "number.more", "MK-16.2", card) for card, each in more]
    yield added_up("number.treasures", "MK-16.2", worth)


def flight(table: Table, seat: int, monster: str, count: int) -> tuple[Number, ...]:
    """What a roll to run away came to, and what was needed. The die is what the other lines leave (MK-17.3)."""
    foe = table.fight.foe(monster)
    assert foe is not None  # it is still in the combat while somebody rolls to escape it
    lines = [line for line in flight_lines(table, seat, foe) if line.says != "line.die"]
    lines.insert(0, Line("line.die", count - total(tuple(lines)), "MK-17.7", seat=seat))
    made = added_up("number.flight", "MK-17.3", map(as_number, lines), seat=seat)
    return made, Number(ESCAPE, "number.escape", "MK-17.3")


def levels(seat: int, before: int, change: int, card: str, clause: str) -> Number:
    """The level that a player comes to: what it was, and what changes it."""
    had = Number(before, "number.level_had", "MK-4.1")
    by = Number(change, "number.levels_by" if card else "number.levels", clause, card)
    return added_up("number.level", clause, (had, by), seat=seat)
