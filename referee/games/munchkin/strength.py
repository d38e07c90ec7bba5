"""Conditions of cards and the strength of both sides, which depend on each other.

Strength is computed line by line, each line with its card and clause. Clauses: MK-9.1, MK-9.2, MK-9.3, MK-9.4,
MK-10.2, MK-10.3, MK-11.2, MK-13.4, MK-3.2, MK-4.6, MK-4.10, MK-7.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from referee.engine.remembering import remember
from referee.games.munchkin.card_attributes import StaticAbility
from referee.games.munchkin.components import FACES, HANDS, PROGRAMS, RIDES
from referee.games.munchkin.conditions import Amount, Condition, ItemFilter
from referee.games.munchkin.state import CARDS_IN_PLAY, Table
from referee.games.munchkin.values import Foe


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One summand of a strength or of a roll.

    `says` is the key of its text. `clause`, `card` and `seat` say where the number comes from.
    """

    says: str
    count: int
    clause: str
    card: str = ""
    seat: int = -1
    of: str = ""  # the monster it belongs to


ScoreLines = tuple[ScoreLine, ...]


def sum_lines(lines: ScoreLines) -> int:
    """Return the strength that the lines add up to.

    MK-3.2: Combat strength may go below 1.
    """
    return sum(line.count for line in lines)


def find_foe_abilities(foe: Foe, what: str) -> tuple[tuple[str, StaticAbility], ...]:
    """Return the static abilities of one sort that a monster has, each with its card.

    They are its own, and those that the enhancers on it grant.
    MK-10.1: A monster enhancer changes the monster on which it lies.
    """
    own = tuple((foe.of, each) for each in FACES[foe.of].find_abilities(what))
    granted = ((card, each) for card in foe.enhancers for each in FACES[card].grants if each.what == what)
    return (*own, *granted) if foe.enhancers else own


def list_lasting_abilities(table: Table, seat: int, what: str) -> tuple[tuple[str, StaticAbility], ...]:
    """Return what texts give a player for a while, each with its card (MK-27.2)."""
    return tuple(
        (each.card, StaticAbility(what, each.value)) for each in table.lasting if (each.seat, each.what) == (seat, what)
    )


def find_restrictions(table: Table, what: str) -> Iterator[tuple[Foe, StaticAbility]]:
    """Yield the monsters' restrictions of one sort, each with its monster.

    MK-9.4: A monster's restriction holds for the whole combat and for all fighters.
    """
    combat = table.combat
    for foe in combat.foes if combat is not None else ():
        for _, each in find_foe_abilities(foe, what):
            if is_condition_met(table, each.when, table.running_combat.main, foe):
                yield foe, each


@remember(*CARDS_IN_PLAY)
def score_munchkins(table: Table) -> ScoreLines:
    """Return the summands of the fighters' side. Raises Undetermined.

    MK-9.1: The fighters' strength is the sum of level, equipped items, ride, lasting effects and all that was played
        for it.
    MK-13.4: The helper adds the whole of their own strength.
    """
    combat = table.running_combat
    lines = [line for seat in combat.fighters for line in score_player(table, seat)]
    lines += [
        ScoreLine("line.added", each.count, "MK-9.1", each.card, each.seat)
        for each in combat.added
        if each.side == "munchkins"
    ]
    return tuple(lines)


@remember(*CARDS_IN_PLAY)
def score_player(table: Table, seat: int) -> ScoreLines:
    """Return the summands of a player's own strength. Raises Undetermined.

    They are level and what is in play. What was played for the side does not count (MK-9.1).
    """
    levels_only, barred = _find_limits(table)
    level = ScoreLine("line.level", table.levels[seat], "MK-9.1", seat=seat)
    return (level,) if levels_only else (level, *_score_belongings(table, seat, barred))


def compute_own_strength(table: Table, seat: int) -> int:
    """Return a player's own strength."""
    return sum_lines(score_player(table, seat))


@remember(*CARDS_IN_PLAY)
def _find_limits(table: Table) -> tuple[bool, frozenset[str]]:
    """Return whether only levels count, and which slots give no bonus (MK-9.4)."""
    levels_only = next(find_restrictions(table, "level_only"), None) is not None
    return levels_only, frozenset(each.slot for _, each in find_restrictions(table, "no_bonus"))


def _score_belongings(table: Table, seat: int, barred: frozenset[str]) -> Iterator[ScoreLine]:
    """Yield what a player's items, ride and lasting curses give.

    `barred` are the slots that give no bonus (MK-7.4, MK-9.4).
    """
    only = next(
        (each.slot for card in table.curses_of(seat) for each in FACES[card].find_abilities("only_bonus")), ""
    )  # a curse may allow bonuses to items of one slot only
    for item in table.used_items(seat):
        face = FACES[item]
        if face.slot in barred or (only and face.slot != only) or not is_effective(table, seat, item):
            continue
        if face.bonus:
            yield ScoreLine("line.item", face.bonus, "MK-7.2", item, seat)
        yield from _score_conditional_bonus(table, seat, item)
    for card in table.open_cards_at(RIDES[seat]):
        if FACES[card].bonus:
            yield ScoreLine("line.ride", FACES[card].bonus, "MK-8.6", card, seat)
        yield from _score_conditional_bonus(table, seat, card)
    for curse in table.curses_of(seat):
        yield from _score_conditional_bonus(table, seat, curse)
    for card, each in list_lasting_abilities(table, seat, "strength") if table.lasting else ():
        yield ScoreLine("line.condition", each.number, "MK-27.2", card, seat)


def _score_conditional_bonus(table: Table, seat: int, card: str) -> Iterator[ScoreLine]:
    """Yield what a card in play adds besides its bonus, while its condition holds."""
    for each in FACES[card].find_abilities("strength"):
        if is_condition_met(table, each.when, seat):
            yield ScoreLine("line.condition", compute_ability(table, each, seat), "MK-7.4", card, seat)


@remember(*CARDS_IN_PLAY)
def score_monsters(table: Table) -> ScoreLines:
    """Return the summands of the monsters' side.

    MK-11.2: The strengths of all monsters are added.
    """
    combat = table.running_combat
    lines = [line for foe in combat.foes for line in score_foe(table, foe)]
    lines += [
        ScoreLine("line.added", each.count, "MK-9.1", each.card, each.seat)
        for each in combat.added
        if each.side == "monsters"
    ]
    return tuple(lines)


def score_foe(table: Table, foe: Foe) -> Iterator[ScoreLine]:
    """Yield the summands of one monster.

    MK-9.4: A monster's condition on a player holds if it holds for any of the fighters, and it counts once.
    MK-10.2: Several enhancers on one monster add up, in strength and in treasures.
    """
    face = FACES[foe.of]
    yield ScoreLine("line.monster", face.level, "MK-9.1", foe.card, of=foe.card)
    for card, each in find_foe_abilities(foe, "strength"):
        number = compute_ability(table, each, table.running_combat.main)
        if is_condition_met(table, each.when, table.running_combat.main, foe, harms=number > 0):
            own = card == foe.of
            says, clause = ("line.against", "MK-4.10") if own else ("line.enhancer", "MK-10.2")
            yield ScoreLine(says, number, clause, foe.card if own else card, of=foe.card)
    doubled = bool(face.find_abilities("double_enhancers"))
    for card in foe.enhancers:
        count = find_enhancement(card)[0]
        yield ScoreLine("line.enhancer", count, "MK-10.2", card, of=foe.card)
        if doubled:
            yield ScoreLine("line.doubled", count, "MK-3.1", foe.card, of=foe.card)


def find_enhancement(card: str) -> tuple[int, int, int]:
    """Return what an enhancer changes on its monster.

    The three numbers are strength, treasures, and the least number of treasures (MK-10.4).
    """
    for line in PROGRAMS[card, "does"]:
        if line.effect.WORD == "enhance":
            word = line.effect
            return word.count, word.treasures, word.at_least  # type: ignore[attr-defined]
    return 0, 0, 0


def count_treasures(foe: Foe) -> int:
    """Return the number of treasures that a monster is worth with its enhancers.

    MK-10.4: A monster is never worth fewer than 0 treasures, or than 1 where an enhancer names a least number of 1.
    MK-16.2: The number of treasures is changed by enhancers.
    """
    changes = [find_enhancement(card) for card in foe.enhancers]
    least = max((floor for _, _, floor in changes), default=0)
    return max(FACES[foe.of].treasures + sum(more for _, more, _ in changes), least, 0)


# ---- amounts ---------------------------------------------------------------------------------------------------------


def compute_amount(table: Table, amount: Amount, bound: Mapping[str, tuple[Any, ...]]) -> int:
    """Return what an amount comes to now. Raises Undetermined.

    `bound` are the names of the text. Of several players what each has is added.
    MK-9.3: What a card counts is read from the state of that moment.
    """
    named = bound.get(amount.of, ())
    match amount.measure:
        case "number_of":
            found = len(named)
        case "value_of":
            found = sum(int(value) for value in named)
        case _:
            found = sum(_measure_player(table, amount.measure, int(seat)) for seat in named)
    return found // amount.per * amount.times + amount.plus


def _measure_player(table: Table, measure: str, seat: int) -> int:
    """Return what is counted of a player (MK-7.1, MK-9.1)."""
    match measure:
        case "level_of":
            return table.levels[seat]
        case "hand_of":
            return table.count_cards_at(HANDS[seat])
        case "items_of":
            return len(table.items_of(seat))
        case "big_items_of":
            return sum(FACES[card].big for card in table.items_of(seat))
        case "gold_of":
            return sum(FACES[card].gold or 0 for card in table.items_of(seat))
        case "monsters_of":
            return len(table.combat.foes) if table.combat is not None and seat in table.combat.fighters else 0
    raise ValueError(f"nothing is counted as {measure}")


def compute_ability(table: Table, ability: StaticAbility, seat: int) -> int:
    """Return the number of a static ability of a player, for a monster of main."""
    if ability.counted is None:
        return ability.number
    return compute_amount(table, ability.counted, {ability.counted.of: (seat,)})


# ---- conditions ------------------------------------------------------------------------------------------------------


def is_condition_met(
    table: Table, condition: Condition | None, seat: int, foe: Foe | None = None, harms: bool = False
) -> bool:
    """Return whether a condition holds for a player now. Raises Undetermined.

    `foe` is the monster whose card states the condition. `harms` says that the condition counts against a fighter.
    MK-4.6: Dual Citizenship with one town takes away the disadvantages of that town.
    """
    if condition is None:
        return True
    word, value, number = condition.word, condition.value, condition.number
    match word:
        case "all":
            return all(is_condition_met(table, each, seat, foe, harms) for each in condition.all_of)
        case "not":
            (inner,) = condition.all_of
            if inner.word == "town" and table.is_sheltered_from_town(seat):
                return True  # barring items is a disadvantage of the town
            return not is_condition_met(table, inner, seat, foe, harms)
        case "any_fighter":
            return table.combat is not None and any(
                is_condition_met(table, condition.all_of[0], each, foe, harms) for each in table.combat.fighters
            )
        case "town":
            return table.is_citizen(seat, value) and not (harms and table.is_sheltered_from_town(seat))
        case "no_town":
            return not table.towns_of(seat)
        case "level_min":
            return table.levels[seat] >= number
        case "level_max":
            return table.levels[seat] <= number
        case "has_ride":
            return table.ride_of(seat) is not None
        case "wears":
            return bool(table.worn_items(seat, value))
        case "carries":
            return any(matches_filter(table, condition.fitting, card) for card in table.items_of(seat))
        case "hand_min":
            return table.count_cards_at(HANDS[seat]) >= number
        case "carried_gold_min":
            return sum(FACES[card].gold or 0 for card in table.items_of(seat)) >= number
        case "is_highest":
            return table.levels[seat] == max(table.levels[each] for each in table.living_seats)
        case "losing":
            return table.combat is not None and not is_winning(table)
        case _:
            return _is_combat_condition_met(table, condition, seat, foe)


def _is_combat_condition_met(table: Table, condition: Condition, seat: int, foe: Foe | None) -> bool:
    """Return whether a condition on the running combat holds, False without a combat."""
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


def matches_filter(table: Table, fitting: ItemFilter, card: str) -> bool:
    """Return whether an item in play is one of those meant (MK-7.13, MK-8.2)."""
    face = FACES[card]
    if fitting.slot and face.slot != fitting.slot:
        return False
    if fitting.size and face.big != (fitting.size == "big"):
        return False
    if fitting.equipped and card not in table.equipped:
        return False
    if fitting.one_shot and face.kind != "one_shot":
        return False
    gold = face.gold or 0
    bounds = ((gold, fitting.gold_min, fitting.gold_max), (face.bonus, fitting.bonus_min, fitting.bonus_max))
    return all(
        all(number >= each for each in least) and all(number <= each for each in most) for number, least, most in bounds
    )


def tags_of(foe: Foe) -> frozenset[str]:
    """Return the tags of a monster, with those that enhancers give it.

    MK-10.5: A tag given by an enhancer counts from the moment it is played.
    """
    given = (FACES[card].gives_tag for card in foe.enhancers)
    return frozenset((*FACES[foe.of].tags, *(tag for tag in given if tag)))


@remember(*CARDS_IN_PLAY)
def is_winning(table: Table) -> bool:
    """Return whether the fighters are stronger now.

    MK-9.2: The fighters win only with the greater strength. At equal strength the monsters win.
    """
    return sum_lines(score_munchkins(table)) > sum_lines(score_monsters(table))


def is_exempt_from_limits(table: Table, item: str) -> bool:
    """Return whether a card attached to an item lifts its limits.

    Slot, hand, Big and town limits then do not count for it.
    """
    return item in table.attached


@remember(*CARDS_IN_PLAY)
def is_effective(table: Table, seat: int, item: str) -> bool:
    """Return whether an item in use gives its bonus.

    Its condition holds, or a card attached to it makes up for a missing town.
    MK-7.4: An item with a condition gives its bonus only while the condition holds.
    """
    requires = FACES[item].requires
    if requires is None or is_condition_met(table, requires, seat):
        return True
    return is_exempt_from_limits(table, item) and _is_met_ignoring_town(table, requires, seat)


def _is_met_ignoring_town(table: Table, condition: Condition, seat: int) -> bool:
    """Return whether a condition would hold for a player in the right town.

    Other parts of the condition, such as a level, still have to hold.
    """
    parts = condition.all_of if condition.word == "all" else (condition,)
    on_towns = ("town", "no_town")
    return all(
        part.word in on_towns
        or (part.word == "not" and part.all_of[0].word in on_towns)
        or is_condition_met(table, part, seat)
        for part in parts
    )
