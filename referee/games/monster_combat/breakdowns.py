"""The numbers of Monster Combat, each with the card and the clause it comes from.

They are read off the table as the viewer saw it just before the event. Clauses: MC-V1-SWORD-1, MC-V1-EVENT-ATTACK-1,
MC-V2-EVENT-ATTACK-1, MC-V2-MONSTER-3, MC-V1-LIGHTNING-1, MC-V1-LIGHTNING-3, MC-V2-SWORD-1, MC-V2-LIGHTNING-1, MC-AMB-9,
MC-V2-SKIP-2, MC-TERM-7, MC-SHIELD-1.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from referee.engine.breakdown import Term, count_event_fields, sum_terms
from referee.engine.events import Event
from referee.engine.rulings import Undetermined
from referee.games.monster_combat.components import HEARTS_HIT_BY_CARD, MONSTERS, design_name
from referee.games.monster_combat.events import HeartRegained, HeartsLost, HeartsRefilled
from referee.games.monster_combat.monster_events import MonsterHit
from referee.games.monster_combat.rules.attacks import LightningAttack, PendingAttack
from referee.games.monster_combat.state import DISCARD, FULL_HEARTS, Table

# The clause of each card that hits a monster.
CLAUSE_BY_CARD = {"sword": "MC-V2-SWORD-1", "lightning": "MC-V2-LIGHTNING-1"}


def break_down_event(table: Any, event: Event) -> tuple[Term, ...]:
    """Return the numbers of an event, each explained by its parts."""
    match event:
        case HeartsLost(seat=seat, count=count):
            lost = sum_terms("number.hearts_lost", "MC-TERM-8", break_down_blow(table, seat, count), seat=seat)
            return (lost, break_down_hearts(table, seat, -count))
        case HeartRegained(seat=seat):
            return (break_down_hearts(table, seat, 1),)
        case HeartsRefilled(seat=seat):
            return (break_down_hearts(table, seat, FULL_HEARTS - table.hearts_of(seat)),)
        case MonsterHit(count=count):
            return tuple(break_down_monster_hit(table, count))
    return count_event_fields(event)


def break_down_hearts(table: Table, seat: int, change: int) -> Term:
    """Break down the full hearts that a player has after a change."""
    had = Term(table.hearts_of(seat), "number.hearts_had", "MC-TERM-7")
    clause = "MC-TERM-8" if change < 2 else "MC-EVENT-HEARTS-1"
    more = Term(change, "number.hearts_gained" if change >= 0 else "number.hearts_gone", clause)
    return sum_terms("number.hearts_left", "MC-TERM-7", (had, more), seat=seat)


def break_down_blow(table: Table, seat: int, count: int) -> Iterator[Term]:
    """Yield the parts of a player's loss: the strength of the attack, less the excess.

    MC-AMB-9: A player with one heart loses just that one.
    """
    top = table.agenda[-1] if table.agenda else None
    strength = count
    if isinstance(top, PendingAttack) and top.strength is not None:
        strength = top.strength
        yield build_strength_term(table, strength, top.by or "")
    elif isinstance(top, LightningAttack):
        yield Term(1, "number.strength", "MC-V1-LIGHTNING-1", "lightning")
    else:  # the lightning has turned on the player of the card
        yield Term(count, "number.strength", "MC-V1-LIGHTNING-3", "lightning")
    if strength > count:
        yield Term(count - strength, "number.not_there", "MC-AMB-9", params={"seat": seat})


def build_strength_term(table: Table, strength: int, by: str) -> Term:
    """Build the term for the strength of an attack, with what attacks."""
    if table.rules.is_against_monsters:
        return Term(strength, "number.strength", "MC-V2-MONSTER-3", MONSTERS[table.monster_number()]["id"])
    if design_name(by) == "sword":
        return Term(strength, "number.strength", "MC-V1-SWORD-1", "sword")
    return Term(strength, "number.strength", "MC-V1-EVENT-ATTACK-1", "attacked")


def compute_totals(table: Table) -> tuple[Term, ...]:
    """Return what the pending attack costs, and the hearts left to a monster."""
    return tuple(_list_totals(table))


def _list_totals(table: Table) -> Iterator[Term]:
    """Yield what the pending attack costs each player who has to answer it.

    In variant 2 also yield the hearts left to the active monster. What a position does not say is left out.
    """
    top = table.agenda[-1] if table.agenda else None
    with suppress(Undetermined):
        if isinstance(top, PendingAttack) and top.strength is not None and top.by is not None:
            yield break_down_stake(table, top.seat, min(top.strength, table.hearts_of(top.seat)))
        elif isinstance(top, LightningAttack):
            for seat in top.order:
                yield break_down_stake(table, seat, 1)
    if table.rules.is_against_monsters and table.monster is not None and table.monster_hearts is not None:
        card = MONSTERS[table.monster]["id"]
        yield Term(table.monster_hearts, "number.monster_left", "MC-V2-MONSTER-2", card)


def break_down_stake(table: Table, seat: int, count: int) -> Term:
    """Break down the hearts that an attacked player loses without a shield."""
    return sum_terms("number.at_stake", "MC-SHIELD-1", break_down_blow(table, seat, count), seat=seat)


def break_down_monster_hit(table: Table, count: int) -> Iterator[Term]:
    """Yield what the active monster loses and what is left to it.

    The card that hits it lies on top of the discard by now.
    """
    card = design_name(table.cards_at(DISCARD)[-1]) if table.cards_at(DISCARD) else ""
    if card in HEARTS_HIT_BY_CARD:
        parts = [Term(HEARTS_HIT_BY_CARD[card], "number.strength", CLAUSE_BY_CARD[card], card)]
        if table.is_monster_asleep():
            parts.append(Term(HEARTS_HIT_BY_CARD[card], "number.asleep", "MC-V2-SKIP-2"))
        over = sum(part.value for part in parts) - count
        if over:
            parts.append(Term(-over, "number.not_there_either", "MC-AMB-15"))
        yield sum_terms("number.monster_hit", "MC-V2-MONSTER-2", parts)
    had = Term(table.monster_hearts_left(), "number.hearts_had", "MC-V2-MONSTER-2")
    gone = Term(-count, "number.hearts_gone", "MC-V2-MONSTER-2")
    yield sum_terms("number.monster_left", "MC-V2-MONSTER-2", (had, gone))
