"""What things are worth to a seat, for bots, in thousandths of a level.

Everything is computed from a view. No rule uses it.
"""

from __future__ import annotations

from functools import cache

from referee.engine.zones import is_back
from referee.games.munchkin.components import FACES, HANDS, PROGRAMS, TOP_LEVEL
from referee.games.munchkin.rules.combat.helping import count_levels_at_stake
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import (
    compute_own_strength,
    count_treasures,
    is_winning,
    score_monsters,
    score_munchkins,
    sum_lines,
)
from referee.games.munchkin.values import NOBODY, Combat, Deal

LEVEL_VALUE = 1000
WIN_VALUE = 12_000  # of the level that wins the game
UNSEEN_CARD_VALUE = 150  # a card nobody has seen
TREASURE_VALUE = 220
STRENGTH_VALUE = 170  # a point of own strength that stays
TOWN_VALUE = 120
CURSE_COST = 200
GOODWILL = 50  # of having helped somebody
ESCAPE_PERMILLE = 333  # thousandths of rolls without bonus that escape
LEAD_HOLDS_PERMILLE = 850  # thousandths of winning fights that stay won
SAFE_MARGIN = 10  # a lead that more strength hardly makes safer; yet the hindrance that costs most of it is laid first
COMEBACK_PERMILLE = 120  # thousandths of losing fights that are still won
BAD_STUFF_COSTS = {"die": 2500, "lose_levels": 900, "lose": 350, "discard_hand": 250, "pull": 150, "lose_town": 200}
COUNTED_LEVELS = 2  # as many levels as bad stuff takes that counts them, on average
# Round numbers between two fits, each to 80 matches of three greedy bots, that lie far apart (decision 91). A level
# counts 100: how much belongings count towards winning; how much that of the best rival and the mean of all rivals
# counts against it.
BELONGINGS_PERCENT = 170
BEST_RIVAL_PERCENT, RIVALS_PERCENT = 40, 60
TURN_VALUE = 500  # of being on turn
# thousandths of a rival's gain that count as a loss: times the square of the rival's level, ...
RIVAL_LEVEL_PERMILLE = 3
RIVAL_LEAD_PERMILLE = 60  # ... and times the levels by which the rival is ahead


@cache
def price_card(card: str) -> int:
    """Return what a card of the seat's hand is worth as long as it is kept."""
    if is_back(card):
        return UNSEEN_CARD_VALUE
    face = FACES[card]
    match face.kind:
        case "go_up_a_level":
            return 900
        case "item":
            return 60 * face.bonus + (face.gold or 0) // 2
        case "one_shot":
            return 120 + (face.gold or 0) // 3
        case "enhancer" | "curse" | "door_special":
            return 160
        case "ride" | "ride_enhancer":
            return 80 * face.bonus + 60
        case "citizenship" | "dual_citizenship":
            return 90
        case "monster":
            return 80
    return 130


def price_belongings(table: Table, seat: int) -> int:
    """Return what a player's cards in play are worth.

    Strength, gold and towns count for it, lasting curses against it.
    """
    items = table.items_of(seat)
    gold = sum(FACES[card].gold or 0 for card in items)
    kept = sum(price_card(card) for card in items if FACES[card].kind == "one_shot")
    return (
        STRENGTH_VALUE * (compute_own_strength(table, seat) - table.levels[seat]) + gold // 4 + kept
        + TOWN_VALUE * min(len(table.towns_of(seat)), 1) - CURSE_COST * len(table.curses_of(seat))
    )  # fmt: skip


def price_all_bad_stuff(table: Table) -> int:
    """Return what the bad stuff of all monsters costs if nothing is escaped."""
    return sum(price_bad_stuff(foe.of) for foe in table.running_combat.foes)


@cache
def price_bad_stuff(monster: str) -> int:
    """Return what the bad stuff of a monster costs, by its verbs."""
    found = 0
    for line in PROGRAMS[monster, "bad_stuff"]:
        count = line.effect.count if line.effect.WORD == "lose_levels" else 1  # type: ignore[attr-defined]
        times = count if isinstance(count, int) else COUNTED_LEVELS
        found += BAD_STUFF_COSTS.get(line.effect.WORD, 100) * times
    return found


def count_helper_treasures(deal: Deal | None, count: int) -> int:
    """Return how many of `count` treasures the helper gets by a deal."""
    if deal is None:
        return 0
    return count if deal.all_of_them else min(deal.treasures, count)


def price_kill(table: Table, seat: int, combat: Combat, deal: Deal | None) -> int:
    """Return what the kill would bring a fighter.

    It counts levels, the victory, and treasures by the deal.
    """
    count = sum(map(count_treasures, combat.foes))
    theirs = count_helper_treasures(deal, count)
    if seat != combat.main:
        promised = sum(FACES[item].bonus * STRENGTH_VALUE for item in deal.items) if deal is not None else 0
        plays = 900 * len(deal.plays) if deal is not None else 0
        return (
            TREASURE_VALUE * theirs
            + promised
            + plays
            - price_rival_gain(table, seat, combat.main, count_levels_at_stake(table))
        )
    gains = count_levels_at_stake(table)
    level = WIN_VALUE if table.levels[seat] + gains >= TOP_LEVEL else LEVEL_VALUE * gains
    given = sum(FACES[item].bonus * STRENGTH_VALUE for item in deal.items) if deal is not None else 0
    return level + TREASURE_VALUE * (count - theirs) - given


def price_rival_gain(table: Table, seat: int, other: int, gains: int) -> int:
    """Return what it costs a seat that another player gains a number of levels.

    The cost is small at first and large towards the last level. At a flat price all bots would stop each other from the
    first level on, nobody would help, and nobody would ever rise.
    """
    level = table.levels[other]
    if level + gains >= TOP_LEVEL:
        return WIN_VALUE
    ahead = max(0, level - table.levels[seat])
    return LEVEL_VALUE * gains * (RIVAL_LEVEL_PERMILLE * level * level + RIVAL_LEAD_PERMILLE * ahead) // 1000


def estimate_win_chance(table: Table) -> int:
    """Return how likely the fighters win as the combat is now, in thousandths."""
    return estimate_chance_by_margin(sum_lines(score_munchkins(table)) - sum_lines(score_monsters(table)))


def estimate_chance_by_margin(margin: int) -> int:
    """Return how likely fighters win who are so much stronger, in thousandths.

    A wide margin is safer than a narrow one.
    """
    if margin > SAFE_MARGIN:
        return min(LEAD_HOLDS_PERMILLE + 12 * SAFE_MARGIN + margin - SAFE_MARGIN, 990)
    if margin > 0:
        return LEAD_HOLDS_PERMILLE + 12 * margin
    return max(COMEBACK_PERMILLE + 20 * margin, 10)


def price_combat(table: Table, seat: int) -> int:
    """Return what the running combat, as it is now, is worth to a seat."""
    fight = table.combat
    if fight is None or not fight.foes:
        return 0
    chance = estimate_win_chance(table)
    if seat in fight.fighters:
        if fight.to_flee:
            chance = 0
        gain = price_kill(table, seat, fight, fight.deal)
        return (chance * gain - (1000 - chance) * (1000 - ESCAPE_PERMILLE) * price_all_bad_stuff(table) // 1000) // 1000
    return -chance * price_rival_gain(table, seat, fight.main, count_levels_at_stake(table)) // 1000


def price_lost_by_running(table: Table, seat: int) -> int:
    """Return what a fighter gives up by running now.

    It is the price of the combat minus the price of a flight, which is negative.
    """
    fight = table.combat
    if fight is None or seat not in fight.fighters:
        return 0
    lost = (1000 - ESCAPE_PERMILLE) * price_all_bad_stuff(table) // 1000
    return price_combat(table, seat) + lost


def would_win_with_helper(table: Table, other: int) -> bool:
    """Return whether the fighters would be stronger with this helper.

    It uses only what everybody can see.
    """
    if table.combat is None or table.combat.helper != NOBODY:
        return False
    return sum_lines(score_munchkins(table)) + compute_own_strength(table, other) > sum_lines(score_monsters(table))


def would_help(table: Table, other: int, deal: Deal) -> bool:
    """Return whether a player gains by helping on these terms.

    It uses only what everybody can see. So the main player can offer the least that will do.
    """
    ours = sum_lines(score_munchkins(table)) + compute_own_strength(table, other)
    chance = estimate_chance_by_margin(ours - sum_lines(score_monsters(table)))
    caught = (1000 - chance) * (1000 - ESCAPE_PERMILLE) * price_all_bad_stuff(table) // 1000
    helping = (chance * price_kill(table, other, table.running_combat, deal) - caught) // 1000
    return helping + GOODWILL > price_combat(table, other)


def price_hand(table: Table, seat: int) -> int:
    """Return what the seat's hand is worth."""
    return sum(price_card(card) for card in table.zones.get(HANDS[seat], ()))


def is_combat_won(table: Table) -> bool:
    """Return whether the fighters are stronger now."""
    return is_winning(table)
