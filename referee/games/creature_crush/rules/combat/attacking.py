"""Whom a creature may attack, and how an attack is paid for and declared.

Clauses: CC-ATTACK-1 to CC-ATTACK-4, CC-ZONE-2, CC-AMB-1, CC-AMB-13.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.engine.events import Event, Move
from referee.engine.remembering import remember
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION
from referee.engine.rulings import IllegalMove
from referee.engine.steps import StepPushed
from referee.games.creature_crush.components import SEAT_BY_PLACE, find_opposite_place, row_of
from referee.games.creature_crush.derived import find_prohibition
from referee.games.creature_crush.moves import Attack
from referee.games.creature_crush.rules.actions.actions import check_action_left, check_ally, may_act
from referee.games.creature_crush.rules.actions.paying import burn_dice, check_payment, list_payments
from referee.games.creature_crush.rules.combat.damage import declare_attack
from referee.games.creature_crush.rules.ending import MatchEndCheck
from referee.games.creature_crush.state import BOARD, Table

DIRECT = ""  # the target of a direct attack


@remember(*BOARD)
def find_targets(table: Table, creature: str) -> tuple[str, ...]:
    """Find whom a creature may attack from its place: enemies, and DIRECT.

    CC-EFF-PERM-1: A permanent effect holds as long as its creature is on the field. It may say who cannot be attacked.
    """
    return tuple(target for target in find_aims(table, creature) if not is_spared_attack(table, creature, target))


def is_spared_attack(table: Table, creature: str, target: str) -> bool:
    """Return whether an effect keeps a creature from attacking this target."""
    if target == DIRECT:
        return table.has_keyword(creature, "cannot_attack_directly")
    return table.has_keyword(target, "cannot_be_attacked")


@remember(*BOARD)
def find_aims(table: Table, creature: str) -> tuple[str, ...]:
    """Find what lies before a creature: enemies that it reaches, and DIRECT.

    CC-ATTACK-3: An A-creature attacks an opposing enemy in the B-zone, or the player directly if there is none.
    CC-AMB-13-R2: An A-creature may also attack an opposing enemy in the A-zone.
    CC-ATTACK-4: A B-creature attacks an opposing enemy in the A-zone or the B-zone, and never directly.
    """
    place = table.places_by_creature[creature]
    in_b = table.card_at(find_opposite_place(place, "B"))
    if table.has_keyword(creature, "free_aim"):
        aimed = table.list_creatures(1 - SEAT_BY_PLACE[place])
    elif row_of(place) == "A" and table.interpretation_number("CC-AMB-13") == FIRST_INTERPRETATION:
        aimed = (in_b,)
    else:
        aimed = (table.card_at(find_opposite_place(place, "A")), in_b)
    direct = (DIRECT,) if row_of(place) == "A" and not in_b else ()
    return (*(enemy for enemy in aimed if enemy), *direct)


def list_attacks(table: Table, seat: int, near: bool = True) -> Iterator[Move]:
    """Yield the attacks that a player may declare.

    `near`: for an ally that cannot attack or be paid for, yield one attack that is refused.
    """
    dice = table.dice
    for creature in table.list_creatures(seat):
        aimed = find_targets(table, creature)
        paying = list_payments(dice, table.pips_to_pay(seat, creature))
        if paying and may_act(table, creature) and not table.has_keyword(creature, "cannot_attack"):
            for target in aimed:
                yield from (Attack(creature, each, target) for each in paying)
        elif aimed and near:
            yield Attack(creature, paying[0] if paying else dice, aimed[0])


def check_attack(table: Table, seat: int, move: Attack) -> None:
    """Check that an ally may attack this target, and that these dice pay for it.

    Raises IllegalMove if it may not.

    CC-ATTACK-1: Each attack is paid for, with the cost of the attacking creature.
    """
    _check_attacker(table, seat, move.creature)
    check_target(table, seat, move.creature, move.target)
    check_payment(table, move.dice, seat, move.creature)


@remember()  # the many ways to pay and the targets share it
def _check_attacker(table: Table, seat: int, creature: str) -> None:
    check_ally(table, seat, creature, "CC-COMBAT-1")
    check_action_left(table, creature)
    check_attack_points(table, creature)
    if table.has_keyword(creature, "cannot_attack"):
        by, clause = find_prohibition(table, creature, "cannot_attack")
        raise IllegalMove("cannot_attack", clause, card=creature, by=by)


def check_attack_points(table: Table, creature: str) -> None:
    """Check that a creature on the field has attack points.

    Raises IllegalMove if it has none.

    CC-ATTACK-2: A creature with 0 attack points does not attack.
    """
    if table.attack_points(creature) == 0:
        raise IllegalMove("no_attack_points", "CC-ATTACK-2", card=creature)


def check_target(table: Table, seat: int, creature: str, target: str) -> None:
    """Check that an ally may attack this target from its place.

    Raises IllegalMove if it may not.

    CC-ZONE-2: Each column lies opposite the same column of the other board.
    CC-AMB-13: An A-creature never attacks an enemy A-creature, unless a permanent effect allows it.
    """
    if target in find_targets(table, creature):
        return
    if target in find_aims(table, creature):
        held, what = (creature, "cannot_attack_directly") if target == DIRECT else (target, "cannot_be_attacked")
        by, clause = find_prohibition(table, held, what)
        raise IllegalMove(what, clause, card=held, by=by)
    in_a = table.zone_of(creature) == "A"
    if target == DIRECT:
        if not in_a:
            raise IllegalMove("b_attacks_no_player", "CC-ATTACK-4", card=creature)
        raise IllegalMove(
            "enemy_in_the_way",
            "CC-ATTACK-3",
            "CC-ZONE-2",
            card=creature,
            enemy=table.card_at(find_opposite_place(table.places_by_creature[creature], "B")),
        )
    if table.possessor_of(target) != 1 - seat:
        raise IllegalMove("no_enemy", "CC-GLOSS-4", card=target)
    if in_a and table.places_by_creature[target] == find_opposite_place(table.places_by_creature[creature], "A"):
        raise IllegalMove("a_attacks_no_a", "CC-ATTACK-3", "CC-AMB-13", card=target)
    raise IllegalMove("not_opposite", "CC-ATTACK-3" if in_a else "CC-ATTACK-4", "CC-ZONE-2", card=target)


def start_attack(table: Table, seat: int, move: Attack) -> Iterable[Event]:
    """Yield the events of an attack up to its window: it is paid for and declared."""
    yield StepPushed(MatchEndCheck())
    yield burn_dice(seat, move.dice)
    yield from declare_attack(table, seat, move.creature, move.target)
