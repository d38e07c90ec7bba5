"""The numbers of Munchkin, each with the card and the clause it comes from: both sides of a combat, rolls, levels.

They are read off the table as a reader saw it just before the fact. Clauses: MK-4.1, MK-9.1, MK-9.2, MK-10.4, MK-11.2,
MK-16.1, MK-16.2, MK-17.3, MK-17.7.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.cardscript.language.interpreter import CarryOut
from referee.engine.breakdown import Number, added_up, counted
from referee.engine.events import Event
from referee.engine.rulings import Unknown
from referee.games.munchkin.components import FACES
from referee.games.munchkin.derived import given
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
from referee.games.munchkin.events.course import DieCast, LevelsGained, LevelsLost
from referee.games.munchkin.rules.combat import fleeing, rolling
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import Line, Lines, monsters, munchkins, total, treasures_of


def reckoned(table: Any, fact: Event) -> tuple[Number, ...]:
    """The numbers of a fact; none where the reader's table does not say what they are made of."""
    try:
        return tuple(_numbers(table, fact))
    except Unknown:
        return counted(fact)


def _numbers(table: Table, fact: Event) -> Iterator[Number]:
    match fact:
        case KillClaimed():
            yield from both_sides(table)
        case MonstersKilled():
            yield from both_sides(table)
            yield from spoils(table)
        case Escaped(seat=seat, monster=monster, how="rolled", total=count) | Caught(seat, monster, count):
            yield from settled(table, seat, monster, count)
        case Escaped():
            return  # without a roll there is nothing to add up
        case StrengthAdded(added=added):
            more = Line("line.added", added.count, "MK-9.1", added.card, added.seat)
            lines = munchkins(table) if added.side == "munchkins" else monsters(table)
            yield side(added.side, (*lines, more))
        case Hindered(seat=seat, count=count):
            yield number(Line("line.hindered", count, "MK-17.8", seat=seat))
        case DieCast(seat=seat, value=value):
            yield number(Line("line.die", value, "MK-2.7", seat=seat))
        case DieRolled(seat=seat, value=value, card=card):
            yield from fallen(table, seat, value, card, not isinstance(table.agenda[-1], CarryOut))
        case DieTurned(seat=seat, value=value):
            die = rolling.fallen(table)
            if die is not None:
                yield from fallen(table, seat, value, die.card, not die.called)
        case LevelsGained(seat=seat, count=count, level=level, card=card):
            yield levels(seat, level - count, count, "number.levels_gained", "MK-4.1", card)
        case LevelsLost(seat=seat, count=count, level=level, card=card):
            yield levels(seat, level + count, -count, "number.levels_lost", "MK-3.2", card)
        case _:
            yield from counted(fact)


def number(line: Line) -> Number:
    """A summand as a number."""
    params: dict[str, Any] = {"seat": line.seat} if line.seat >= 0 else {}
    if line.of:
        params["of"] = line.of
    return Number(line.count, line.says, line.clause, line.card, params)


def summed(says: str, clause: str, lines: Lines, card: str = "", **params: Any) -> Number:
    """The sum of some lines, with the lines as its parts."""
    return added_up(says, clause, map(number, lines), card, **params)


def both_sides(table: Table) -> Iterator[Number]:
    """The strength of the fighters and that of the monsters, line by line (MK-9.1, MK-11.2). Raises Unknown."""
    yield side("munchkins", munchkins(table))
    yield side("monsters", monsters(table))


def side(which: str, lines: Lines) -> Number:
    """The strength of a side, line by line (MK-9.1, MK-11.2)."""
    return summed(f"number.{which}", "MK-9.1" if which == "munchkins" else "MK-11.2", lines)


def spoils(table: Table) -> Iterator[Number]:
    """What a kill brings by the cards of the monsters, monster by monster (MK-16.1, MK-16.2)."""
    foes = table.fight.foes
    gained = (Number(FACES[foe.of].levels, "number.levels_for", "MK-16.1", foe.card) for foe in foes)
    yield added_up("number.levels_of_kill", "MK-16.1", gained)
    won = [Number(treasures_of(foe), "number.treasures_for", "MK-16.2", foe.card) for foe in foes]
    main = table.fight.main
    for card, each in given(table, main, "treasures"):
        won.append(Number(each.number, "number.treasures_more", "MK-3.1", card, {"seat": main}))
    yield added_up("number.treasures_of_kill", "MK-16.2", won)


def settled(table: Table, seat: int, monster: str, count: int) -> Iterator[Number]:
    """The total of a roll to run away, line by line, and what was needed (MK-17.3). The die is what the rest leaves."""
    foe = table.fight.foe(monster)
    if foe is None:
        return
    added = total(rolling.flight_lines(table, seat, foe, 0))
    yield from run_away(rolling.flight_lines(table, seat, foe, count - added), seat, monster)


def run_away(lines: Lines, seat: int, monster: str) -> Iterator[Number]:
    """A roll to run away in all, and the number that escapes."""
    yield summed("number.run_away", "MK-17.3", lines, monster, seat=seat)
    yield Number(rolling.ESCAPE, "number.escape_needed", "MK-17.3")


def fallen(table: Table, seat: int, value: int, card: str, flight: bool) -> Iterator[Number]:
    """What a die comes to, for running away (`card` is the monster) or for the text of a card."""
    foe = table.combat.foe(card) if flight and table.combat is not None else None
    if foe is not None:
        yield from run_away(rolling.flight_lines(table, seat, foe, value), seat, card)
        return
    lines, counts = rolling.die_lines(table, seat, value), rolling.total_for_text(table, seat, value)
    parts = tuple(map(number, lines)) if total(lines) == counts else ()  # else a face of the die is the limit
    yield Number(counts, "number.die_for_text", "MK-17.7", card, {"seat": seat}, parts)


def levels(seat: int, before: int, change: int, says: str, clause: str, card: str) -> Number:
    """A player's new level: the one before, and the change."""
    had = Number(before, "number.level_before", clause, params={"seat": seat})
    by = f"{says}.card" if card else says
    return added_up("number.level_after", clause, (had, Number(change, by, clause, card)), seat=seat)


# ---- what stands now -------------------------------------------------------------------------------------------------


def sums(table: Any) -> tuple[Number, ...]:
    """The sums of the running combat as a reader's table shows them: both sides; once the fighters run, what each
    still has to roll against which monster. None without a combat, or where the position says too little."""
    if table.combat is None:
        return ()
    try:
        return tuple(needed(table) if table.combat.to_flee else both_sides(table))
    except Unknown:
        return ()


def needed(table: Table) -> Iterator[Number]:
    """The least face of the die that escapes, for each roll that is still due: 5 less all that is added (MK-17.3)."""
    for seat in table.fight.fighters:
        for monster in fleeing.to_escape(table, seat):
            foe = table.fight.foe(monster)
            if foe is None:
                continue
            added = [line for line in rolling.flight_lines(table, seat, foe) if line.says != "line.die"]
            base = Number(rolling.ESCAPE, "number.escape_needed", "MK-17.3")
            less = (Number(-line.count, less_by(line), line.clause, line.card, {"seat": seat}) for line in added)
            yield added_up("number.run_needed", "MK-17.3", (base, *less), monster, seat=seat)


def less_by(line: Line) -> str:
    """The key of the text for what a line takes from the face needed; what hinders a roll names no card."""
    return "number.less" if line.card else "number.less.hindered"
