"""The numbers of this game, each with the card and the clause it comes from: attack, armor, life, damage, dice.

They are read off the table as a reader saw it just before the fact. Clauses: CC-CARD-1, CC-ATTACK-5, CC-DAMAGE-1,
CC-EFF-PERM-1, CC-KEY-VENGEFUL-1, CC-KEY-SLUGGISH-1, CC-AMB-19, CC-AMB-22, CC-AMB-27.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.engine.breakdown import Number, added_up, counted
from referee.engine.events import Event
from referee.engine.rulings import Unknown
from referee.games.creature_crush.components import SEAT_OF, face
from referee.games.creature_crush.derived import holds, receivers
from referee.games.creature_crush.events.cards import CrushLaid
from referee.games.creature_crush.events.course import DiceBurned, DieCast, StartDiceGained, StartDiceRolled
from referee.games.creature_crush.events.field import Altered, Damaged, Healed
from referee.games.creature_crush.rules.combat.damage import Strike
from referee.games.creature_crush.state import Table


def reckoned(table: Any, fact: Event) -> tuple[Number, ...]:
    """The numbers of a fact; none where the reader's table does not say what they are made of."""
    try:
        return tuple(_numbers(table, fact))
    except Unknown:
        return counted(fact)


def sums(table: Any) -> tuple[Number, ...]:
    """While an attack is declared: the damage that it would do both ways, and the life that is left to each."""
    strike = next((step for step in reversed(table.agenda) if isinstance(step, Strike)), None)
    if strike is None or not strike.target or not {strike.creature, strike.target} <= table.spots.keys():
        return ()
    try:
        blow = attack_damage(table, strike.creature, strike.target)
        lives = (life(table, strike.target), life(table, strike.creature))
        back = (block_damage(table, strike.target),) if table.has(strike.target, "vengeful") else ()
    except Unknown:
        return ()
    return (blow, *back, *lives)


def _numbers(table: Table, fact: Event) -> Iterator[Number]:
    match fact:
        case Damaged(points=points, why="attack", sources=sources):
            attacker = next(iter(sources.values()), "")
            for card, number in points.items():
                by = sources.get(card, "")
                if by not in table.spots or card not in table.spots:
                    yield Number(number, "number.damage", "CC-DAMAGE-1", card)
                elif by == attacker:
                    yield attack_damage(table, by, card)
                else:
                    yield block_damage(table, by)
        case Damaged(points=points, why=why):
            clause = "CC-KEY-SLUGGISH-1" if why == "sluggish" else "CC-DAMAGE-1"
            for card, number in points.items():
                yield Number(number, "number.damage_to", clause, "" if why == "sluggish" else why, {"to": card})
        case Healed(points=points, why=why):
            for card, number in points.items():
                yield Number(number, "number.healed", "CC-DAMAGE-1", why, {"to": card})
        case Altered(change=change):
            yield Number(change.amount, f"number.{change.stat}", "CC-AMB-27", change.by)
        case DieCast(seat=seat, pips=pips):
            yield Number(pips, "number.pips", "CC-PREP-2", "", {"seat": seat})
        case StartDiceRolled(pips=pips) | DiceBurned(pips=pips):
            if pips:
                parts = (Number(each, "number.die", fact.rests_on()[0]) for each in pips)
                yield added_up("number.pips_together", fact.rests_on()[0], parts)
        case StartDiceGained(count=count):
            yield Number(count, "number.start_dice", "CC-START-4")
        case CrushLaid(dice=dice):
            yield Number(dice, "number.dice_burned", "CC-CRUSH-1")
        case _:
            yield from counted(fact)


def attack_damage(table: Table, attacker: str, defender: str) -> Number:
    """The damage of an attack: the attack points less what armor keeps off, never below 0."""
    parts = [attack_points(table, attacker)]
    parts += (Number(-part.value, part.says, part.clause, part.card) for part in given(table, defender, "armor"))
    return _not_negative("number.attack_damage", "CC-ATTACK-5", parts, attacker, to=defender)


def block_damage(table: Table, defender: str) -> Number:
    """The block damage of a vengeful defender: its attack points (CC-AMB-22)."""
    parts = attack_points(table, defender).parts
    return added_up("number.block_damage", "CC-KEY-VENGEFUL-1", parts, defender)


def attack_points(table: Table, creature: str) -> Number:
    """The attack points of a creature: printed, what is given to it, what lasts on it, never below 0 (CC-AMB-19)."""
    printed = Number(face(creature).attack, "number.printed", "CC-CARD-1", creature)
    return _not_negative("number.attack", "CC-AMB-19", [printed, *given(table, creature, "attack")], creature)


def given(table: Table, creature: str, what: str) -> Iterator[Number]:
    """What permanent effects and lasting changes give a creature, each with its card."""
    for giver, place in table.spots.items():
        for each in face(giver).standing:
            if (
                each.what == what
                and (each.when is None or holds(table, each.when, SEAT_OF[place], giver))
                and creature in receivers(table, giver, each)
            ):
                yield Number(each.number, f"number.given_{what}", "CC-EFF-PERM-1", giver)
    for change in table.lasting.get(creature, ()):
        if change.stat == what:
            yield Number(change.amount, f"number.lasting_{what}", "CC-AMB-27", change.by)


def life(table: Table, creature: str) -> Number:
    """The life that is left to a creature: its life points less its damage (CC-DAMAGE-1)."""
    parts = [Number(face(creature).life, "number.life", "CC-CARD-1", creature)]
    if table.damage.get(creature):
        parts.append(Number(-table.damage[creature], "number.damage", "CC-DAMAGE-1", creature))
    return added_up("number.life_left", "CC-DAMAGE-1", parts, creature)


def _not_negative(says: str, clause: str, parts: list[Number], card: str, **params: Any) -> Number:
    total = sum(part.value for part in parts)
    if total < 0:
        parts.append(Number(-total, "number.not_below_zero", "CC-AMB-19"))
    return added_up(says, clause, parts, card, **params)
