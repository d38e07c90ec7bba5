"""The strength of both sides of a combat, line by line, each with the card and the clause it rests on.

Clauses: MK-9.1, MK-9.2, MK-9.3, MK-9.4, MK-10.2, MK-10.3, MK-11.2, MK-13.4, MK-3.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.games.munchkin.card_attributes import Standing
from referee.games.munchkin.components import FACES, PROGRAMS, RIDES
from referee.games.munchkin.derived import holds, works
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import Foe


@dataclass(frozen=True, slots=True)
class Line:
    """One summand: what it is (a key of the texts), how much, by which clause, from which card, of whom."""

    says: str
    count: int
    clause: str
    card: str = ""
    seat: int = -1
    of: str = ""  # the monster it belongs to


Lines = tuple[Line, ...]


def total(lines: Lines) -> int:
    """The strength that the lines come to; it may be below 1 (MK-3.2)."""
    return sum(line.count for line in lines)


def restricted(table: Table, what: str) -> Iterator[tuple[Foe, Standing]]:
    """The restrictions of one sort that monsters lay on the whole combat, each with its monster (MK-9.4)."""
    combat = table.combat
    for foe in combat.foes if combat is not None else ():
        for each in FACES[foe.of].gives(what):
            if holds(table, each.when, table.fight.main, foe):
                yield foe, each


def munchkins(table: Table) -> Lines:
    """The summands of the fighters' side (MK-9.1, MK-13.4). Raises Unknown."""
    combat = table.fight
    levels_only, barred = _limits(table)
    lines: list[Line] = []
    for seat in combat.fighters:
        lines.append(Line("line.level", table.levels[seat], "MK-9.1", seat=seat))
        if not levels_only:
            lines += _belongings(table, seat, barred)
    lines += [
        Line("line.added", each.count, "MK-9.1", each.card, each.seat)
        for each in combat.added
        if each.side == "munchkins"
    ]
    return tuple(lines)


def own(table: Table, seat: int) -> int:
    """A player's own strength: level and what is in play, nothing that was played for the side (MK-9.1)."""
    levels_only, barred = _limits(table)
    if levels_only:
        return table.levels[seat]
    return table.levels[seat] + sum(line.count for line in _belongings(table, seat, barred))


def _limits(table: Table) -> tuple[bool, frozenset[str]]:
    """Whether only levels count in the running combat, and the slots that give no bonus in it (MK-9.4).

    Kept on the table, for it is asked of every player.
    """
    if "_limits" not in table.__dict__:
        levels_only = next(restricted(table, "level_only"), None) is not None
        barred = frozenset(each.slot for _, each in restricted(table, "no_bonus"))
        table.__dict__["_limits"] = levels_only, barred
    found: tuple[bool, frozenset[str]] = table.__dict__["_limits"]
    return found


def _belongings(table: Table, seat: int, barred: frozenset[str]) -> Iterator[Line]:
    """What a player's items, ride and lasting curses give; `barred` are the slots without a bonus (MK-7.4, MK-9.4)."""
    only = next(
        (each.slot for card in table.curses(seat) for each in FACES[card].gives("only_bonus")), ""
    )  # a curse: items of this slot alone give a bonus
    for item in table.used_items(seat):
        face = FACES[item]
        if face.slot in barred or (only and face.slot != only) or not works(table, seat, item):
            continue
        if face.bonus:
            yield Line("line.item", face.bonus, "MK-7.2", item, seat)
        yield from _worth(table, seat, item)
    for card in table.open_at(RIDES[seat]):
        if FACES[card].bonus:
            yield Line("line.ride", FACES[card].bonus, "MK-8.6", card, seat)
        yield from _worth(table, seat, card)
    for curse in table.curses(seat):
        yield from _worth(table, seat, curse)


def _worth(table: Table, seat: int, card: str) -> Iterator[Line]:
    """What a card in play adds besides its bonus, while its condition holds."""
    for each in FACES[card].gives("strength"):
        if holds(table, each.when, seat):
            yield Line("line.condition", each.number, "MK-7.4", card, seat)


def monsters(table: Table) -> Lines:
    """The summands of the monsters' side (MK-11.2)."""
    combat = table.fight
    lines = [line for foe in combat.foes for line in of_foe(table, foe)]
    lines += [
        Line("line.added", each.count, "MK-9.1", each.card, each.seat)
        for each in combat.added
        if each.side == "monsters"
    ]
    return tuple(lines)


def of_foe(table: Table, foe: Foe) -> Iterator[Line]:
    """The summands of one monster: its level, what holds against these fighters, its enhancers (MK-9.4, MK-10.2)."""
    face = FACES[foe.of]
    yield Line("line.monster", face.level, "MK-9.1", foe.card, of=foe.card)
    for each in face.gives("strength"):
        if holds(table, each.when, table.fight.main, foe, harms=each.number > 0):
            yield Line("line.against", each.number, "MK-4.10", foe.card, of=foe.card)
    doubled = bool(face.gives("double_enhancers"))
    for card in foe.enhancers:
        count = enhancement(card)[0]
        yield Line("line.enhancer", count, "MK-10.2", card, of=foe.card)
        if doubled:
            yield Line("line.doubled", count, "MK-3.1", foe.card, of=foe.card)


def enhancement(card: str) -> tuple[int, int, int]:
    """What an enhancer changes on its monster: strength, treasures, and the least number of treasures (MK-10.4)."""
    for line in PROGRAMS[card, "does"]:
        if line.word.WORD == "enhance":
            word = line.word
            return word.count, word.treasures, word.at_least  # type: ignore[attr-defined]
    return 0, 0, 0


def treasures_of(foe: Foe) -> int:
    """The treasures that a monster is worth, changed by its enhancers (MK-10.4, MK-16.2)."""
    changes = [enhancement(card) for card in foe.enhancers]
    least = max((floor for _, _, floor in changes), default=0)
    return max(FACES[foe.of].treasures + sum(more for _, more, _ in changes), least, 0)
