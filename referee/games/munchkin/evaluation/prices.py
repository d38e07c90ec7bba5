"""What things are worth to a seat, for bots: from a view, in thousandths of a level. No rule looks at it."""

from __future__ import annotations

from functools import cache

from referee.engine.zones import is_back
from referee.games.munchkin.components import FACES, HANDS, PROGRAMS, TOP_LEVEL
from referee.games.munchkin.derived import winning
from referee.games.munchkin.rules.combat.helping import gain_of
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import monsters, munchkins, own, total, treasures_of
from referee.games.munchkin.values import NOBODY, Combat, Deal

LEVEL = 1000
WON = 12_000  # the level that wins
UNSEEN = 150  # a card nobody has seen
TREASURE = 220
STRENGTH = 170  # a point of own strength that stays
TOWN = 120
CURSE = 200
ESCAPES = 333  # thousandths of plain rolls that escape
STAND = 850  # thousandths of winning fights that stay won
TURNS = 120  # thousandths of losing fights that are still won
BADNESS = {"die": 2500, "lose_levels": 900, "lose": 350, "discard_hand": 250, "pull": 150, "lose_town": 200}
FOR_OTHERS = 3  # thousandths of what a rival gains that it costs me, by the square of the level reached so far
AHEAD = 60  # and for each level that the rival is ahead of me


@cache
def held(card: str) -> int:
    """What a card of the own hand is worth as long as it is kept."""
    if is_back(card):
        return UNSEEN
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


def belongings(table: Table, seat: int) -> int:
    """What lies before a player is worth: its strength, its gold, its towns, less its curses."""
    items = table.items(seat)
    gold = sum(FACES[card].gold or 0 for card in items)
    kept = sum(held(card) for card in items if FACES[card].kind == "one_shot")
    return (
        STRENGTH * (own(table, seat) - table.levels[seat]) + gold // 4 + kept
        + TOWN * min(len(table.towns(seat)), 1) - CURSE * len(table.curses(seat))
    )  # fmt: skip


def badness(table: Table) -> int:
    """What the bad stuff of the monsters in the combat costs on the whole, if nothing is escaped."""
    return sum(bad_stuff(foe.of) for foe in table.fight.foes)


@cache
def bad_stuff(monster: str) -> int:
    """What the bad stuff of a monster costs, by its verbs."""
    found = 0
    for line in PROGRAMS[monster, "bad_stuff"]:
        times = line.word.count if line.word.WORD == "lose_levels" else 1  # type: ignore[attr-defined]
        found += BADNESS.get(line.word.WORD, 100) * times
    return found


def share(deal: Deal | None, count: int) -> int:
    """How many of so many treasures the helper gets by a deal."""
    if deal is None:
        return 0
    return count if deal.all_of_them else min(deal.treasures, count)


def kill_of(table: Table, seat: int, combat: Combat, deal: Deal | None) -> int:
    """What the kill would bring a fighter: levels, the game, treasures by the deal."""
    count = sum(map(treasures_of, combat.foes))
    theirs = share(deal, count)
    if seat != combat.main:
        promised = sum(FACES[item].bonus * STRENGTH for item in deal.items) if deal is not None else 0
        plays = 900 * len(deal.plays) if deal is not None else 0
        return TREASURE * theirs + promised + plays - rival(table, seat, combat.main, gain_of(table))
    gains = gain_of(table)
    level = WON if table.levels[seat] + gains >= TOP_LEVEL else LEVEL * gains
    given = sum(FACES[item].bonus * STRENGTH for item in deal.items) if deal is not None else 0
    return level + TREASURE * (count - theirs) - given


def rival(table: Table, seat: int, other: int, gains: int) -> int:
    """What it costs a seat that another player rises by so many levels: little at first, much towards the last level.

    At a flat price everybody stops everybody from the first level on, nobody helps, and nobody ever rises.
    """
    level = table.levels[other]
    if level + gains >= TOP_LEVEL:
        return WON
    ahead = max(0, level - table.levels[seat])
    return LEVEL * gains * (FOR_OTHERS * level * level + AHEAD * ahead) // 1000


def odds(table: Table) -> int:
    """How likely the fighters win as things stand, in thousandths; a wide margin stands more surely."""
    margin = total(munchkins(table)) - total(monsters(table))
    if margin > 0:
        return min(STAND + 12 * margin, 970)
    return max(TURNS + 20 * margin, 10)


def combat(table: Table, seat: int) -> int:
    """What the running combat is worth to a seat as things stand."""
    fight = table.combat
    if fight is None or not fight.foes:
        return 0
    chance = odds(table)
    if seat in fight.fighters:
        if fight.to_flee:
            chance = 0
        gain = kill_of(table, seat, fight, fight.deal)
        return (chance * gain - (1000 - chance) * (1000 - ESCAPES) * badness(table) // 1000) // 1000
    return -chance * rival(table, seat, fight.main, gain_of(table)) // 1000


def hope(table: Table, seat: int) -> int:
    """What is given up by running now: what the combat is worth as it stands, beyond what the flight costs."""
    fight = table.combat
    if fight is None or seat not in fight.fighters:
        return 0
    lost = (1000 - ESCAPES) * badness(table) // 1000
    return combat(table, seat) + lost


def helped(table: Table, other: int) -> bool:
    """Whether the fighters would be stronger with this helper, as far as all can see."""
    if table.combat is None or table.combat.helper != NOBODY:
        return False
    return total(munchkins(table)) + own(table, other) > total(monsters(table))


def hand(table: Table, seat: int) -> int:
    """What the own hand is worth."""
    return sum(held(card) for card in table.zones.get(HANDS[seat], ()))


def is_won(table: Table) -> bool:
    """Whether the fighters are stronger now."""
    return winning(table)
