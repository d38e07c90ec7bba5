"""What holds now: conditions of cards, amounts, and sums of permanent effects.

Clauses: CC-EFF-COND-1, CC-EFF-PERM-1, CC-AMB-19, CC-AMB-15, CC-ZONE-ADJ-1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from referee.cardscript.language.primitives import Values
from referee.games.creature_crush.card_attributes import DAMAGE_LIMIT, NUMERIC_ABILITIES, StaticAbility
from referee.games.creature_crush.components import DECKS, HANDS, HELLS, SEAT_BY_PLACE, face_of, find_opposite_place
from referee.games.creature_crush.conditions import PLAYER_MEASURES, Amount, Condition
from referee.games.creature_crush.values import GROWTH

if TYPE_CHECKING:
    from referee.games.creature_crush.state import Table  # it imports this module, to cache what is derived here

NO_BINDINGS: Mapping[str, Values] = {}
UNLIMITED = 10_000


def is_condition_met(
    table: Table, condition: Condition | None, seat: int, this: str = "", bound: Mapping[str, Values] = NO_BINDINGS
) -> bool:
    """Return whether a condition holds for the possessor of a card.

    `bound` holds the names that the text can use. Raises Undetermined.

    CC-EFF-COND-1: Only if the condition is met can the effect after it be activated.
    """
    if condition is None:
        return True
    match condition.word:
        case "all":
            return all(is_condition_met(table, each, seat, this, bound) for each in condition.all_of)
        case "not":
            return not is_condition_met(table, condition.all_of[0], seat, this, bound)
        case "zone":
            return table.zone_of(this) == condition.value
    what, _, bound_of = condition.word.rpartition("_")
    if what in ("cost", "attack"):
        number = _find_card_number(table, what, condition.of, bound)
        if number is None:
            return False
    else:
        number = _count_for_player(table, what, seat if condition.of == "me" else 1 - seat)
    return number >= condition.number if bound_of == "min" else number <= condition.number


def _count_for_player(table: Table, what: str, seat: int) -> int:
    match what:
        case "hand":
            return table.count_cards_at(HANDS[seat])
        case "deck":
            return table.count_cards_at(DECKS[seat])
        case "hell":
            return table.count_cards_at(HELLS[seat])
        case "creatures":
            return len(table.list_creatures(seat))
        case "lead":
            return len(table.list_creatures(seat)) - len(table.list_creatures(1 - seat))
        case "dice":
            return len(table.dice) if table.turn == seat else 0
    raise ValueError(f"no such count: {what}")


def _find_card_number(table: Table, what: str, name: str, bound: Mapping[str, Values]) -> int | None:
    """Return the cost or attack of what a text has named, or None if it named nothing."""
    values = bound.get(name, ())
    if not values:
        return None
    value = str(values[0])
    if what == "attack":
        return table.attack_points(value) if value in table.places_by_creature else None
    return cost_of(table, value)


def cost_of(table: Table, value: str) -> int:
    """Return the cost of a card on the field or in a pile.

    For a creature that is its printed pips. `value` is a place for a crush card on the field.

    CC-AMB-23: A crush card on the field costs the dice that were burned for it.
    """
    return table.dice_paid_for(value) if value in SEAT_BY_PLACE else face_of(value).cost


def compute_amount(table: Table, amount: Amount, bound: Mapping[str, Values]) -> int:
    """Compute an amount for a text. X is the dice burned for the card (bound as `x`).

    CC-AMB-15: X is fixed when the card is laid and holds when it is flipped.
    """
    if amount.is_all:
        return UNLIMITED
    if amount.measure:
        return amount.plus + amount.times * _measure(table, amount.measure, amount.of, bound)
    burned = bound.get("x", ())
    return amount.plus + amount.times_x * (int(burned[0]) if burned else 0)


def _measure(table: Table, measure: str, of: str, bound: Mapping[str, Values]) -> int:
    """Count what an amount counts.

    Of a card that is named no more, or that left the field, there is nothing.
    """
    values = bound.get(of, ())
    if measure == "number_of":
        return len(values)
    if measure == "pips_of":
        return sum(value for value in values if isinstance(value, int))
    what = measure.removesuffix("_of")
    if measure in PLAYER_MEASURES:
        return _count_for_player(table, what, int(values[0]))
    if what == "cost":
        return cost_of(table, str(values[0])) if values else 0
    if not values or values[0] not in table.places_by_creature:
        return 0
    card = str(values[0])
    match what:
        case "attack":
            return table.attack_points(card)
        case "damage":
            return table.damage.get(card, 0)
        case "growth":
            return table.count_lasting(card, GROWTH)
    return max(0, table.life_left(card))


# ---- permanent effects -----------------------------------------------------------------------------------------------


def compute_ability_totals(table: Table) -> dict[str, dict[str, int]]:
    """Compute the sums of what each creature is given, by creature and by ability.

    CC-AMB-19: Permanent effects are worked out at every moment, add up, and end at once when their source leaves.
        Lasting changes are added.
    """
    sums: dict[str, dict[str, int]] = {}
    for creature, place in table.places_by_creature.items():
        for each in face_of(creature).standing:
            if each.when is None or is_condition_met(table, each.when, SEAT_BY_PLACE[place], creature):
                for receiver in find_receivers(table, creature, each):
                    _add_bonus(sums, receiver, each.what, compute_ability_number(table, each, SEAT_BY_PLACE[place]))
    for creature, changes in table.lasting.items():
        for change in changes:
            _add_bonus(sums, creature, change.stat, change.amount)
            if change.stat == GROWTH:
                _add_bonus(sums, creature, "attack", change.amount)
    return sums


def find_prohibition(table: Table, creature: str, what: str) -> tuple[str, str]:
    """Return the card by which a creature cannot do something, and the clause."""
    for giver, place in table.places_by_creature.items():
        for each in face_of(giver).standing:
            if each.what == what and is_given(table, each, giver, SEAT_BY_PLACE[place], creature):
                return giver, "CC-EFF-PERM-1"
    made = next((change.by for change in table.lasting.get(creature, ()) if change.stat == what), "")
    return made, "CC-AMB-27"


def is_given(table: Table, ability: StaticAbility, giver: str, seat: int, creature: str) -> bool:
    """Return whether a creature has now what another one gives."""
    holds = ability.when is None or is_condition_met(table, ability.when, seat, giver)
    return holds and creature in find_receivers(table, giver, ability)


def compute_ability_number(table: Table, ability: StaticAbility, seat: int) -> int:
    """Compute what a standing value of a player's creature adds; 1 for a keyword.

    CC-AMB-19: Permanent effects are worked out at every moment.
    """
    if ability.what not in (*NUMERIC_ABILITIES, DAMAGE_LIMIT):
        return 1
    if isinstance(ability.number, int):
        return ability.number
    return compute_amount(table, ability.number, {"me": (seat,), "opponent": (1 - seat,)})


def find_cost_changes(table: Table, seat: int, creature: str) -> Iterator[tuple[str, int]]:
    """Yield what changes the cost of a player's creature now, with the card that does.

    What a card gives allies or enemies also concerns those that are summoned from the hand. Raises Undetermined.

    CC-WORD-COST-1: What changes the cost of creatures concerns those on the field and, if it concerns all of a side,
        those that are summoned from the hand.
    """
    on_field = creature in table.places_by_creature
    for giver, place in table.places_by_creature.items():
        of = SEAT_BY_PLACE[place]
        for each in face_of(giver).standing:
            if each.what != "cost" or not (each.when is None or is_condition_met(table, each.when, of, giver)):
                continue
            whole_side = each.to == ("allies" if of == seat else "enemies")
            if creature in find_receivers(table, giver, each) if on_field else whole_side:
                yield giver, compute_ability_number(table, each, of)


def _add_bonus(sums: dict[str, dict[str, int]], creature: str, what: str, number: int) -> None:
    of_creature: dict[str, Any] = sums.setdefault(creature, {})
    if what == DAMAGE_LIMIT:
        of_creature[what] = min(of_creature.get(what, number), number)  # the lowest of several holds
    else:
        of_creature[what] = of_creature.get(what, 0) + number


def find_receivers(table: Table, creature: str, standing: StaticAbility) -> tuple[str, ...]:
    """Return the creatures that have what a creature gives.

    These are the creature itself, its neighbours, the allies of a row or of both rows, all enemies, or the enemies of
    its column. The giver is one of its own allies.
    """
    match standing.to:
        case "me":
            return (creature,)
        case "adjacent":
            return table.adjacent_creatures(creature)
        case "enemies":
            return table.list_creatures(1 - table.possessor_of(creature))
        case "opposite":
            facing = (find_opposite_place(table.places_by_creature[creature], zone) for zone in ("A", "B"))
            return tuple(card for place in facing if (card := table.card_at(place)))
    allies = table.list_creatures(table.possessor_of(creature))
    match standing.to:
        case "a_row":
            return tuple(ally for ally in allies if table.zone_of(ally) == "A")
        case "b_row":
            return tuple(ally for ally in allies if table.zone_of(ally) == "B")
    return allies
