"""The numbers of this game, each with the card and the clause it comes from.

These are attack, armor, life, damage and dice, read off the table as the viewer saw it just before the event. Clauses:
CC-CARD-1, CC-ATTACK-5, CC-DAMAGE-1, CC-EFF-PERM-1, CC-KEY-VENGEFUL-1, CC-KEY-SLUGGISH-1, CC-AMB-19, CC-AMB-22,
CC-AMB-27, CC-WORD-COST-1, CC-WORD-COST-2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.engine.breakdown import Term, count_event_fields, sum_terms
from referee.engine.events import Event
from referee.engine.rulings import Undetermined
from referee.games.creature_crush.card_attributes import DAMAGE_LIMIT, KEYWORDS, PROHIBITIONS
from referee.games.creature_crush.components import SEAT_BY_PLACE, face_of
from referee.games.creature_crush.derived import (
    compute_ability_number,
    find_cost_changes,
    find_prohibition,
    is_given,
)
from referee.games.creature_crush.events.cards import CreatureSummoned, CrushLaid
from referee.games.creature_crush.events.course import (
    DiceBurned,
    DieCast,
    NextCrushChanged,
    StartDiceGained,
    StartDiceRolled,
)
from referee.games.creature_crush.events.field import (
    AttackDeclared,
    CreaturesAltered,
    CreaturesDamaged,
    CreaturesHealed,
    DamagePrevented,
)
from referee.games.creature_crush.rules.combat.damage import Strike
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import GROWTH, LIFE, SPARED

# changes that a creature has or has not
WITHOUT_NUMBER = frozenset((*KEYWORDS, *(f"cannot_{word}" for word in PROHIBITIONS), SPARED))


def break_down_event(table: Any, event: Event) -> tuple[Term, ...]:
    """Return the numbers of an event, each explained by its parts.

    The parts are missing if the viewer's table does not show them.
    """
    try:
        return tuple(_build_terms(table, event))
    except Undetermined:
        return count_event_fields(event)


def compute_totals(table: Any) -> tuple[Term, ...]:
    """Return what a declared attack would do, and the life left to both creatures.

    Return nothing if no attack is declared.
    """
    strike = next((step for step in reversed(table.agenda) if isinstance(step, Strike)), None)
    if strike is None or not strike.target or not {strike.creature, strike.target} <= table.places_by_creature.keys():
        return ()
    try:
        blow = compute_attack_damage(table, strike.creature, strike.target)
        lives = (compute_life_left(table, strike.target), compute_life_left(table, strike.creature))
        back = (compute_block_damage(table, strike.target),) if table.has_keyword(strike.target, "vengeful") else ()
    except Undetermined:
        return ()
    return (blow, *back, *lives)


def _build_terms(table: Table, event: Event) -> Iterator[Term]:
    match event:
        case CreaturesDamaged(points=points, why="attack", sources=sources):
            attacker = next(iter(sources.values()), "")
            for card, number in points.items():
                by = sources.get(card, "")
                if by not in table.places_by_creature or card not in table.places_by_creature:
                    yield Term(number, "number.damage", "CC-DAMAGE-1", card)
                elif by == attacker:
                    yield _take_off_shields(compute_attack_damage(table, by, card), number)
                else:
                    yield _take_off_shields(compute_block_damage(table, by), number)
        case CreaturesDamaged(points=points, why=why):
            clause = "CC-KEY-SLUGGISH-1" if why == "sluggish" else "CC-DAMAGE-1"
            for card, number in points.items():
                yield Term(number, "number.damage_to", clause, "" if why == "sluggish" else why, {"to": card})
        case CreaturesHealed(points=points, why=why):
            for card, number in points.items():
                yield Term(number, "number.healed", "CC-DAMAGE-1", why, {"to": card})
        case DamagePrevented(points=points):
            for card, number in points.items():
                yield Term(number, "number.prevented", "CC-DAMAGE-1", "", {"to": card})
        case CreaturesAltered(change=change) if change.stat in WITHOUT_NUMBER:
            return
        case CreaturesAltered(change=change):
            yield Term(change.amount, f"number.{change.stat}", "CC-AMB-27", change.by)
        case DieCast(seat=seat, pips=pips):
            yield Term(pips, "number.pips", "CC-PREP-2", "", {"seat": seat})
        case StartDiceRolled(pips=pips) | DiceBurned(pips=pips):
            if pips:
                parts = (Term(each, "number.die", event.applied_clauses()[0]) for each in pips)
                yield sum_terms("number.pips_together", event.applied_clauses()[0], parts)
        case StartDiceGained(count=count):
            yield Term(count, "number.start_dice", "CC-START-4")
        case CreatureSummoned(seat=seat, card=card) | AttackDeclared(seat=seat, creature=card):
            yield from compute_changed_cost(table, seat, card)
        case CrushLaid(dice=dice, seat=seat):
            yield Term(dice, "number.dice_burned", "CC-CRUSH-1")
            if changed := table.crush_change_of(seat):
                yield Term(changed, "number.crush_change", "CC-WORD-COST-2")
        case NextCrushChanged(dice=dice):
            yield Term(dice, "number.crush_change", "CC-WORD-COST-2")
        case _:
            yield from count_event_fields(event)


def compute_changed_cost(table: Table, seat: int, creature: str) -> Iterator[Term]:
    """Yield the cost of a creature with what changes it, or nothing.

    CC-WORD-COST-1: The cost of a creature never falls below 1.
    """
    changes = tuple(find_cost_changes(table, seat, creature))
    if not changes:
        return
    parts = [Term(face_of(creature).cost, "number.printed", "CC-CARD-1", creature)]
    parts += (Term(number, "number.given_cost", "CC-WORD-COST-1", giver) for giver, number in changes)
    missing = table.pips_to_pay(seat, creature) - sum(part.value for part in parts)
    parts += [Term(missing, "number.not_below_one", "CC-WORD-COST-1")] if missing else []
    yield sum_terms("number.cost", "CC-WORD-COST-1", parts, creature)


def compute_attack_damage(table: Table, attacker: str, defender: str) -> Term:
    """Compute the damage of an attack, never below 0.

    CC-ATTACK-5: The attacked creature takes damage equal to the attack points of the attacker. Armor is taken off.
    """
    parts = [compute_attack_points(table, attacker)]
    parts += (
        Term(-part.value, part.says, part.clause, part.card) for part in collect_bonuses(table, defender, "armor")
    )
    blow = _sum_not_negative("number.attack_damage", "CC-ATTACK-5", parts, attacker, to=defender)
    over = blow.value - table.attack_damage(attacker, defender)
    if not over:
        return blow
    giver, clause = find_prohibition(table, defender, DAMAGE_LIMIT)
    limit = Term(-over, "number.at_most", clause, giver)
    return sum_terms(blow.says, blow.clause, [*blow.parts, limit], attacker, to=defender)


def _take_off_shields(blow: Term, dealt: int) -> Term:
    """Return the damage of a blow as it was dealt: less what shields prevented."""
    if blow.value == dealt:
        return blow
    prevented = Term(dealt - blow.value, "number.prevented_of", "CC-DAMAGE-1")
    return sum_terms(blow.says, blow.clause, [*blow.parts, prevented], blow.card, **blow.params)


def compute_block_damage(table: Table, defender: str) -> Term:
    """Compute the block damage of a vengeful defender.

    CC-KEY-VENGEFUL-1: Block damage is as much as the defender has attack points.
    CC-AMB-22: Armor does not lower block damage.
    """
    parts = compute_attack_points(table, defender).parts
    return sum_terms("number.block_damage", "CC-KEY-VENGEFUL-1", parts, defender)


def compute_attack_points(table: Table, creature: str) -> Term:
    """Compute the attack points of a creature: printed, given and lasting ones.

    CC-AMB-19: Attack points are worked out at every moment, add up, and never fall below 0.
    """
    printed = Term(face_of(creature).attack, "number.printed", "CC-CARD-1", creature)
    return _sum_not_negative(
        "number.attack", "CC-AMB-19", [printed, *collect_bonuses(table, creature, "attack")], creature
    )


def collect_bonuses(table: Table, creature: str, what: str) -> Iterator[Term]:
    """Yield what permanent effects and lasting changes give a creature, by card."""
    for giver, place in table.places_by_creature.items():
        for each in face_of(giver).standing:
            if each.what == what and is_given(table, each, giver, SEAT_BY_PLACE[place], creature):
                yield Term(
                    compute_ability_number(table, each, SEAT_BY_PLACE[place]),
                    f"number.given_{what}",
                    "CC-EFF-PERM-1",
                    giver,
                )
    for change in table.lasting.get(creature, ()):
        if change.stat == what or (change.stat == GROWTH and what in ("attack", LIFE)):
            yield Term(change.amount, f"number.lasting_{what}", "CC-AMB-27", change.by)


def compute_life_left(table: Table, creature: str) -> Term:
    """Compute the life left to a creature: its life points less its damage.

    CC-DAMAGE-1: A creature whose damage reaches its life points is destroyed. Until then its damage stays.
    """
    parts = [Term(face_of(creature).life, "number.life", "CC-CARD-1", creature)]
    parts += collect_bonuses(table, creature, LIFE)
    if table.damage.get(creature):
        parts.append(Term(-table.damage[creature], "number.damage", "CC-DAMAGE-1", creature))
    return sum_terms("number.life_left", "CC-DAMAGE-1", parts, creature)


def _sum_not_negative(says: str, clause: str, parts: list[Term], card: str, **params: Any) -> Term:
    total = sum(part.value for part in parts)
    if total < 0:
        parts.append(Term(-total, "number.not_below_zero", "CC-AMB-19"))
    return sum_terms(says, clause, parts, card, **params)
