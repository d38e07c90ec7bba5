"""The numbers of Munchkin, each with the card and the clause it comes from.

They explain both sides of a combat, rolls and levels. They are read off the table as a viewer saw it just before the
event. Clauses: MK-4.1, MK-9.1, MK-9.2, MK-10.4, MK-11.2, MK-16.1, MK-16.2, MK-17.3, MK-17.7.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.engine.breakdown import Term, count_event_fields, sum_terms
from referee.engine.events import Event
from referee.engine.rulings import Undetermined
from referee.games.munchkin.components import FACES
from referee.games.munchkin.derived import find_active_abilities
from referee.games.munchkin.events.combat import (
    Caught,
    DieRolled,
    DieTurned,
    Escaped,
    FlightRollModified,
    KillClaimed,
    MonstersKilled,
    StrengthAdded,
)
from referee.games.munchkin.events.course import DieCast, LevelsGained, LevelsLost
from referee.games.munchkin.rules.combat import rolling
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import (
    ScoreLine,
    ScoreLines,
    count_treasures,
    score_monsters,
    score_munchkins,
    sum_lines,
)


def break_down_event(table: Any, event: Event) -> tuple[Term, ...]:
    """Return the numbers of an event, each with its parts.

    Where the viewer's table does not say what a number is made of, return the bare fields of the event.
    """
    try:
        return tuple(_break_down_event(table, event))
    except Undetermined:
        return count_event_fields(event)


def _break_down_event(table: Table, event: Event) -> Iterator[Term]:
    match event:
        case KillClaimed():
            yield from break_down_both_sides(table)
        case MonstersKilled():
            yield from break_down_both_sides(table)
            yield from break_down_kill_rewards(table)
        case Escaped(seat=seat, monster=monster, how="rolled", total=count) | Caught(seat, monster, count):
            yield from break_down_settled_flight(table, seat, monster, count)
        case Escaped():
            return  # without a roll there is nothing to add up
        case StrengthAdded(added=added):
            more = ScoreLine("line.added", added.count, "MK-9.1", added.card, added.seat)
            lines = score_munchkins(table) if added.side == "munchkins" else score_monsters(table)
            yield break_down_side(added.side, (*lines, more))
        case FlightRollModified(seat=seat, count=count):
            yield build_term(ScoreLine("line.hindered", count, "MK-17.8", seat=seat))
        case DieCast(seat=seat, value=value):
            yield build_term(ScoreLine("line.die", value, "MK-2.7", seat=seat))
        case DieRolled(seat=seat, value=value, card=card):
            yield from break_down_die(table, seat, value, card, not isinstance(table.agenda[-1], Execution))
        case DieTurned(seat=seat, value=value):
            die = rolling.find_rolled_die(table)
            if die is not None:
                yield from break_down_die(table, seat, value, die.card, not die.called)
        case LevelsGained(seat=seat, count=count, level=level, card=card):
            yield break_down_level_change(seat, level - count, count, "number.levels_gained", "MK-4.1", card)
        case LevelsLost(seat=seat, count=count, level=level, card=card):
            yield break_down_level_change(seat, level + count, -count, "number.levels_lost", "MK-3.2", card)
        case _:
            yield from count_event_fields(event)


def build_term(line: ScoreLine) -> Term:
    """Return a score line as a term."""
    params: dict[str, Any] = {"seat": line.seat} if line.seat >= 0 else {}
    if line.of:
        params["of"] = line.of
    return Term(line.count, line.says, line.clause, line.card, params)


def build_total(says: str, clause: str, lines: ScoreLines, card: str = "", **params: Any) -> Term:
    """Return the sum of some score lines, with the lines as its parts."""
    return sum_terms(says, clause, map(build_term, lines), card, **params)


def break_down_both_sides(table: Table) -> Iterator[Term]:
    """Yield the strength of the fighters and that of the monsters, line by line.

    Raises Undetermined.
    MK-9.1: The strength of a side is the sum over its members, together with all that was played for that side.
    MK-11.2: The strengths of all monsters are added.
    """
    yield break_down_side("munchkins", score_munchkins(table))
    yield break_down_side("monsters", score_monsters(table))


def break_down_side(which: str, lines: ScoreLines) -> Term:
    """Return the strength of one side, line by line (MK-9.1, MK-11.2)."""
    return build_total(f"number.{which}", "MK-9.1" if which == "munchkins" else "MK-11.2", lines)


def break_down_kill_rewards(table: Table) -> Iterator[Term]:
    """Yield the levels and the treasures of a kill, monster by monster.

    MK-16.1: For each monster killed the main player gains the levels named on it.
    MK-16.2: The number of treasures is the sum over the killed monsters, changed by their enhancers.
    """
    foes = table.running_combat.foes
    gained = (Term(FACES[foe.of].levels, "number.levels_for", "MK-16.1", foe.card) for foe in foes)
    yield sum_terms("number.levels_of_kill", "MK-16.1", gained)
    won = [Term(count_treasures(foe), "number.treasures_for", "MK-16.2", foe.card) for foe in foes]
    main = table.running_combat.main
    for card, each in find_active_abilities(table, main, "treasures"):
        won.append(Term(each.number, "number.treasures_more", "MK-3.1", card, {"seat": main}))
    yield sum_terms("number.treasures_of_kill", "MK-16.2", won)


def break_down_settled_flight(table: Table, seat: int, monster: str, count: int) -> Iterator[Term]:
    """Yield the total of a roll to run away, line by line, and the number needed.

    The event names only the total (`count`). The face of the die is what remains after all other lines.
    MK-17.3: A fighter rolls once per monster and escapes with 5 or more.
    """
    foe = table.running_combat.find_foe(monster)
    if foe is None:
        return
    added = sum_lines(rolling.score_flight_roll(table, seat, foe, 0))
    yield from break_down_flight_roll(rolling.score_flight_roll(table, seat, foe, count - added), seat, monster)


def break_down_flight_roll(lines: ScoreLines, seat: int, monster: str) -> Iterator[Term]:
    """Yield the total of a roll to run away and the number that escapes."""
    yield build_total("number.run_away", "MK-17.3", lines, monster, seat=seat)
    yield Term(rolling.ESCAPE_TOTAL, "number.escape_needed", "MK-17.3")


def break_down_die(table: Table, seat: int, value: int, card: str, flight: bool) -> Iterator[Term]:
    """Yield what a die totals, for running away or for the text of a card.

    For running away `card` is the monster.
    """
    foe = table.combat.find_foe(card) if flight and table.combat is not None else None
    if foe is not None:
        yield from break_down_flight_roll(rolling.score_flight_roll(table, seat, foe, value), seat, card)
        return
    lines, counts = rolling.score_die(table, seat, value), rolling.compute_text_total(table, seat, value)
    parts = tuple(map(build_term, lines)) if sum_lines(lines) == counts else ()  # else the total was cut to a face
    yield Term(counts, "number.die_for_text", "MK-17.7", card, {"seat": seat}, parts)


def break_down_level_change(seat: int, before: int, change: int, says: str, clause: str, card: str) -> Term:
    """Return a player's new level as the level before and the change."""
    had = Term(before, "number.level_before", clause, params={"seat": seat})
    by = f"{says}.card" if card else says
    return sum_terms("number.level_after", clause, (had, Term(change, by, clause, card)), seat=seat)


# ---- what counts now -------------------------------------------------------------------------------------------------


def compute_totals(table: Any) -> tuple[Term, ...]:
    """Return the current sums of the running combat, as the viewer's table shows them.

    Before the fighters run these are the strengths of both sides. Afterwards they are the faces that each fighter still
    needs against each monster. Return () without a combat, or where the position says too little.
    """
    if table.combat is None:
        return ()
    try:
        return tuple(break_down_needed_rolls(table) if table.combat.to_flee else break_down_both_sides(table))
    except Undetermined:
        return ()


def break_down_needed_rolls(table: Table) -> Iterator[Term]:
    """Yield the least face that escapes, for each roll that is still due.

    It is 5 less all that is added to the roll.
    MK-17.3: A fighter rolls once per monster and escapes with 5 or more. Bonuses and penalties count.
    """
    for seat in table.running_combat.fighters:
        for monster in rolling.monsters_to_escape(table, seat):
            foe = table.running_combat.find_foe(monster)
            if foe is None:
                continue
            added = [line for line in rolling.score_flight_roll(table, seat, foe) if line.says != "line.die"]
            base = Term(rolling.ESCAPE_TOTAL, "number.escape_needed", "MK-17.3")
            less = (
                Term(-line.count, deduction_text_key(line), line.clause, line.card, {"seat": seat}) for line in added
            )
            yield sum_terms("number.run_needed", "MK-17.3", (base, *less), monster, seat=seat)


def deduction_text_key(line: ScoreLine) -> str:
    """Return the key of the text for what a line takes off the face needed.

    A line that hinders a roll names no card.
    """
    return "number.less" if line.card else "number.less.hindered"
