"""Whether the condition of a card holds, and what cards in play come to: limits, hands, bonuses to run away.

Clauses: MK-4.6, MK-4.10, MK-7.4, MK-9.3, MK-9.4, MK-17.3, MK-21.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.munchkin.card_attributes import Standing
from referee.games.munchkin.components import FACES, HANDS
from referee.games.munchkin.conditions import Condition, Fitting
from referee.games.munchkin.state import HAND_LIMIT, TWO_HANDS, Table
from referee.games.munchkin.values import Foe


def holds(table: Table, condition: Condition | None, seat: int, foe: Foe | None = None, harms: bool = False) -> bool:
    """Whether a condition holds for a player now. `foe` is the monster that says it; `harms`: it counts against the
    town of a fighter, which Dual Citizenship with one town forgives (MK-4.6). Raises Unknown."""
    if condition is None:
        return True
    word, value, number = condition.word, condition.value, condition.number
    match word:
        case "all":
            return all(holds(table, each, seat, foe, harms) for each in condition.all_of)
        case "not":
            (inner,) = condition.all_of
            if inner.word == "town" and table.is_sheltered(seat):
                return True  # barred items are a disadvantage of the town
            return not holds(table, inner, seat, foe, harms)
        case "any_fighter":
            return table.combat is not None and any(
                holds(table, condition.all_of[0], each, foe, harms) for each in table.combat.fighters
            )
        case "town":
            return table.citizen(seat, value) and not (harms and table.is_sheltered(seat))
        case "no_town":
            return not table.towns(seat)
        case "level_min":
            return table.levels[seat] >= number
        case "level_max":
            return table.levels[seat] <= number
        case "has_ride":
            return table.ride(seat) is not None
        case "wears":
            return bool(table.worn(seat, value))
        case "carries":
            return any(fits(table, condition.fitting, card) for card in table.items(seat))
        case "hand_min":
            return table.size(HANDS[seat]) >= number
        case "carried_gold_min":
            return sum(FACES[card].gold or 0 for card in table.items(seat)) >= number
        case "is_highest":
            return table.levels[seat] == max(table.levels[each] for each in table.living)
        case "losing":
            return table.combat is not None and not winning(table)
        case _:
            return _of_the_combat(table, condition, seat, foe)


def _of_the_combat(table: Table, condition: Condition, seat: int, foe: Foe | None) -> bool:
    """Conditions that look at the running combat; none holds without one."""
    combat = table.combat
    if combat is None:
        return False
    match condition.word:
        case "with_helper":
            return len(combat.fighters) > 1
        case "alone":
            return len(combat.fighters) == 1
        case "is_helper":
            return seat == combat.helper
        case "is_main":
            return seat == combat.main
        case "in_combat":
            return seat in combat.fighters
        case "monsters_max":
            return len(combat.foes) <= condition.number
        case "monster_tag":
            return any(condition.value in tags_of(each) for each in combat.foes)
        case "other_monster_tag":
            return any(condition.value in tags_of(each) for each in combat.foes if foe is None or each.card != foe.card)
    raise ValueError(f"no such condition: {condition.word}")


def fits(table: Table, fitting: Fitting, card: str) -> bool:
    """Whether an item in play is one of those meant (MK-7.13, MK-8.2)."""
    face = FACES[card]
    if fitting.slot and face.slot != fitting.slot:
        return False
    if fitting.size and face.big != (fitting.size == "big"):
        return False
    if fitting.equipped and card not in table.equipped:
        return False
    return not fitting.one_shot or face.kind == "one_shot"


def tags_of(foe: Foe) -> frozenset[str]:
    """The tags of a monster, those that enhancers give among them (MK-10.5)."""
    given = (FACES[card].gives_tag for card in foe.enhancers)
    return frozenset((*FACES[foe.of].tags, *(tag for tag in given if tag)))


def winning(table: Table) -> bool:
    """Whether the fighters are stronger now; equal is not enough (MK-9.2)."""
    from referee.games.munchkin import strength  # what is strong may depend on a condition, and this one on strength

    return strength.total(strength.munchkins(table)) > strength.total(strength.monsters(table))


# ---- what cards in play come to --------------------------------------------------------------------------------------


def given(table: Table, seat: int, what: str) -> Iterator[tuple[str, Standing]]:
    """The standing values of one sort that work for a player now, each with its card (MK-7.4)."""
    for card, each in table.working(seat):
        if each.what == what and works(table, seat, card) and holds(table, each.when, seat):
            yield card, each


def summed(table: Table, seat: int, what: str) -> int:
    """The sum of the standing values of one sort."""
    return sum(each.number for _, each in given(table, seat, what))


def hand_limit(table: Table, seat: int) -> int:
    """How many cards a player may keep at charity (MK-21.1, MK-4.9)."""
    return max(0, HAND_LIMIT + summed(table, seat, "hand_limit"))


def big_limit(table: Table, seat: int) -> int:
    """How many Big items a player may have in play (MK-7.7)."""
    return max(0, 1 + summed(table, seat, "big_limit"))


def hands(table: Table, seat: int) -> int:
    """How many hands a player has for hand items (MK-7.3)."""
    return max(0, TWO_HANDS + summed(table, seat, "hand_slots"))


def is_free(table: Table, item: str) -> bool:
    """Whether an item may be used against slot, hand, Big and town limits: a card attached to it says so."""
    return item in table.attached


def big_items(table: Table, seat: int) -> tuple[str, ...]:
    """The Big items of a player that count against the limit (MK-7.7)."""
    return tuple(card for card in table.in_play(seat) if FACES[card].big and not is_free(table, card))


def works(table: Table, seat: int, item: str) -> bool:
    """Whether an item in use gives a bonus: its condition holds, or what lies on it makes up for a town (MK-7.4)."""
    requires = FACES[item].requires
    if requires is None or holds(table, requires, seat):
        return True
    return is_free(table, item) and _holds_of_any_town(table, requires, seat)


def _holds_of_any_town(table: Table, condition: Condition, seat: int) -> bool:
    """Whether a condition would hold for a player whatever the town; another one, on the level say, still has to."""
    parts = condition.all_of if condition.word == "all" else (condition,)
    on_towns = ("town", "no_town")
    return all(
        part.word in on_towns or (part.word == "not" and part.all_of[0].word in on_towns) or holds(table, part, seat)
        for part in parts
    )
