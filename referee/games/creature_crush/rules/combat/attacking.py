"""Whom a creature may attack, and how an attack is paid for and declared.

Clauses: CC-ATTACK-1 to CC-ATTACK-4, CC-ZONE-2, CC-AMB-1, CC-AMB-13.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.steps import Opened
from referee.games.creature_crush.components import SEAT_OF, column, face, row
from referee.games.creature_crush.moves import Attack
from referee.games.creature_crush.rules.actions.actions import check_may_act, may_act
from referee.games.creature_crush.rules.actions.paying import burned_for, check_payment, payments
from referee.games.creature_crush.rules.combat.damage import declared
from referee.games.creature_crush.rules.ending import Judging
from referee.games.creature_crush.state import Table

DIRECT = ""  # the target of a direct attack
SEEN = "_targets"  # where the answers are kept with a state, as a cached property is: every listed attack asks again


def opposite(place: str, zone: str) -> str:
    """The place of a zone on the other board that lies opposite a place: of the same column (CC-ZONE-2, CC-AMB-1)."""
    return f"{zone}{column(place)}/{1 - SEAT_OF[place]}"


def targets(table: Table, creature: str) -> tuple[str, ...]:
    """Whom a creature on the field may attack by where it is: enemies, and DIRECT (CC-ATTACK-3, CC-ATTACK-4)."""
    kept: dict[str, tuple[str, ...]] = table.__dict__.setdefault(SEEN, {})
    found = kept.get(creature)
    if found is None:
        found = kept[creature] = _targets(table, creature)
    return found


def _targets(table: Table, creature: str) -> tuple[str, ...]:
    place = table.spots[creature]
    in_b = table.at(opposite(place, "B"))
    if table.has(creature, "free_aim"):
        aimed = table.creatures(1 - SEAT_OF[place])
    elif row(place) == "A":
        aimed = (in_b,)
    else:
        aimed = (table.at(opposite(place, "A")), in_b)
    direct = (DIRECT,) if row(place) == "A" and not in_b else ()
    return (*(enemy for enemy in aimed if enemy), *direct)


def attacks(table: Table, seat: int) -> Iterator[Move]:
    """The attacks that a player may declare, and of each ally one that it cannot pay or may not make."""
    dice = table.dice
    for creature in table.creatures(seat):
        aimed = targets(table, creature)
        paying = payments(dice, face(creature).cost)
        if paying and may_act(table, creature):
            for target in aimed:
                yield from (Attack(creature, each, target) for each in paying)
        elif aimed:
            yield Attack(creature, paying[0] if paying else dice, aimed[0])


def check_attack(table: Table, seat: int, move: Attack) -> None:
    """Raises Refused unless an ally may attack this target and these dice pay for it."""
    creature, target = move.creature, move.target
    check_may_act(table, seat, creature)
    if table.attack(creature) == 0:
        raise Refused("no_attack_points", "CC-ATTACK-2", card=creature)
    if target not in targets(table, creature):
        _refuse_target(table, seat, creature, target)
    check_payment(table, move.dice, face(creature).cost)


def _refuse_target(table: Table, seat: int, creature: str, target: str) -> None:
    in_a = table.zone(creature) == "A"
    if target == DIRECT:
        if not in_a:
            raise Refused("b_attacks_no_player", "CC-ATTACK-4", card=creature)
        raise Refused("enemy_in_the_way", "CC-ATTACK-3", card=table.at(opposite(table.spots[creature], "B")))
    if table.possessor(target) != 1 - seat:
        raise Refused("no_enemy", "CC-GLOSS-4", card=target)
    if in_a and table.spots[target] == opposite(table.spots[creature], "A"):
        raise Refused("a_attacks_no_a", "CC-ATTACK-3", "CC-AMB-13", card=target)
    raise Refused("not_opposite", "CC-ATTACK-3" if in_a else "CC-ATTACK-4", card=target)


def attacked(table: Table, seat: int, move: Attack) -> Iterable[Event]:
    """The facts of an attack up to its window: the dice are burned, and it is declared."""
    yield Opened(Judging())
    yield burned_for(seat, move.dice)
    yield from declared(table, seat, move.creature, move.target)
