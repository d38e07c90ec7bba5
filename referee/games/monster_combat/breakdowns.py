"""The numbers of Monster Combat, each with the card and the clause it comes from.

They are read off the table as a reader saw it just before the fact. Clauses: MC-V1-SWORD-1, MC-V1-EVENT-ATTACK-1,
MC-V2-EVENT-ATTACK-1, MC-V2-MONSTER-3, MC-V1-LIGHTNING-1, MC-V1-LIGHTNING-3, MC-V2-SWORD-1,
MC-V2-LIGHTNING-1, MC-AMB-9, MC-V2-SKIP-2, MC-TERM-7, MC-SHIELD-1.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from referee.engine.breakdown import Number, added_up, counted
from referee.engine.events import Event
from referee.engine.rulings import Unknown
from referee.games.monster_combat.components import HITS, MONSTERS, design
from referee.games.monster_combat.events import HeartRegained, HeartsLost, HeartsRefilled
from referee.games.monster_combat.monster_events import MonsterHit
from referee.games.monster_combat.rules.attacks import Lightning, Struck
from referee.games.monster_combat.state import DISCARD, FULL, Table

HIT_BY = {"sword": "MC-V2-SWORD-1", "lightning": "MC-V2-LIGHTNING-1"}  # the clause of each card that hits a monster


def reckoned(table: Any, fact: Event) -> tuple[Number, ...]:
    """The numbers of a fact."""
    match fact:
        case HeartsLost(seat=seat, count=count):
            lost = added_up("number.hearts_lost", "MC-TERM-8", blow(table, seat, count), seat=seat)
            return (lost, hearts(table, seat, -count))
        case HeartRegained(seat=seat):
            return (hearts(table, seat, 1),)
        case HeartsRefilled(seat=seat):
            return (hearts(table, seat, FULL - table.hearts_of(seat)),)
        case MonsterHit(count=count):
            return tuple(monster_hit(table, count))
    return counted(fact)


def hearts(table: Table, seat: int, change: int) -> Number:
    """The full hearts of a player after a change."""
    had = Number(table.hearts_of(seat), "number.hearts_had", "MC-TERM-7")
    clause = "MC-TERM-8" if change < 2 else "MC-EVENT-HEARTS-1"
    more = Number(change, "number.hearts_gained" if change >= 0 else "number.hearts_gone", clause)
    return added_up("number.hearts_left", "MC-TERM-7", (had, more), seat=seat)


def blow(table: Table, seat: int, count: int) -> Iterator[Number]:
    """What a player's loss is made of: the strength of the attack, less the hearts that are not there (MC-AMB-9)."""
    top = table.agenda[-1] if table.agenda else None
    strength = count
    if isinstance(top, Struck) and top.strength is not None:
        strength = top.strength
        yield strength_of(table, strength, top.by or "")
    elif isinstance(top, Lightning):
        yield Number(1, "number.strength", "MC-V1-LIGHTNING-1", "lightning")
    else:  # it has turned on whoever played it
        yield Number(count, "number.strength", "MC-V1-LIGHTNING-3", "lightning")
    if strength > count:
        yield Number(count - strength, "number.not_there", "MC-AMB-9", params={"seat": seat})


def strength_of(table: Table, strength: int, by: str) -> Number:
    """The strength of an attack, and what attacks."""
    if table.rules.against_monsters:
        return Number(strength, "number.strength", "MC-V2-MONSTER-3", MONSTERS[table.monster_number()]["id"])
    if design(by) == "sword":
        return Number(strength, "number.strength", "MC-V1-SWORD-1", "sword")
    return Number(strength, "number.strength", "MC-V1-EVENT-ATTACK-1", "attacked")


def standing(table: Table) -> Iterator[Number]:
    """What the attack that waits for an answer costs each of those it waits for, and what is left to the monster that
    all fight. What a position does not say is left out."""
    top = table.agenda[-1] if table.agenda else None
    with suppress(Unknown):
        if isinstance(top, Struck) and top.strength is not None and top.by is not None:
            yield at_stake(table, top.seat, min(top.strength, table.hearts_of(top.seat)))
        elif isinstance(top, Lightning):
            for seat in top.order:
                yield at_stake(table, seat, 1)
    if table.rules.against_monsters and table.monster is not None and table.monster_hearts is not None:
        card = MONSTERS[table.monster]["id"]
        yield Number(table.monster_hearts, "number.monster_left", "MC-V2-MONSTER-2", card)


def at_stake(table: Table, seat: int, count: int) -> Number:
    """The hearts that someone attacked loses without a shield."""
    return added_up("number.at_stake", "MC-SHIELD-1", blow(table, seat, count), seat=seat)


def monster_hit(table: Table, count: int) -> Iterator[Number]:
    """What the active monster loses, and what is left to it. The card that hits it has just come to the discard."""
    card = design(table.place(DISCARD)[-1]) if table.place(DISCARD) else ""
    if card in HITS:
        parts = [Number(HITS[card], "number.strength", HIT_BY[card], card)]
        if table.asleep():
            parts.append(Number(HITS[card], "number.asleep", "MC-V2-SKIP-2"))
        over = sum(part.value for part in parts) - count
        if over:
            parts.append(Number(-over, "number.not_there_either", "MC-V2-MONSTER-2"))
        yield added_up("number.monster_hit", "MC-V2-MONSTER-2", parts)
    had = Number(table.monster_left(), "number.hearts_had", "MC-V2-MONSTER-2")
    gone = Number(-count, "number.hearts_gone", "MC-V2-MONSTER-2")
    yield added_up("number.monster_left", "MC-V2-MONSTER-2", (had, gone))
