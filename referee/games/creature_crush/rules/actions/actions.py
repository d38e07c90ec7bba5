"""The one action of a creature in a turn: to attack or to be moved.

Clauses: CC-ACT-1, CC-KEY-LIVELY-1, CC-AMB-12.
"""

from __future__ import annotations

from referee.engine.rulings import IllegalMove
from referee.games.creature_crush.state import Table


def actions_left(table: Table, creature: str) -> int:
    """Count the actions that a creature of the active player has left in this turn.

    CC-AMB-12: A creature that entered in this turn has used its action. With Lively it has exactly one more, and that
        is looked up when the action is taken.
    """
    own = 1 if creature not in table.entered or is_lively_now(table, creature) else 0
    return own + table.ready.get(creature, 0) - table.acted.get(creature, 0)


def is_lively_now(table: Table, creature: str) -> bool:
    """Return whether Lively gives an action to a creature that entered in this turn.

    CC-AMB-12-R2: Lively counts in the turn in which the creature was summoned, and one that was taken was not.
    """
    return creature not in table.taken and table.has_keyword(creature, "lively")


def may_act(table: Table, creature: str) -> bool:
    """Return whether a creature of the active player may attack or be moved."""
    return actions_left(table, creature) > 0


def check_ally(table: Table, seat: int, creature: str, *clauses: str) -> None:
    """Check that this is an ally on the field.

    Raises IllegalMove if it is not, citing `clauses` also.

    CC-GLOSS-4: An ally is a creature on the player's own field.
    """
    if table.possessor_of(creature) != seat:
        raise IllegalMove("not_your_creature", "CC-GLOSS-4", *clauses, card=creature)


def check_action_left(table: Table, creature: str, *clauses: str) -> None:
    """Check that a creature of the active player has an action left.

    Raises IllegalMove if it has not; it cites `clauses` first.

    CC-ACT-1: In one turn a creature does only one of these: it attacks, it enters the field, or it is moved.
    CC-KEY-LIVELY-1: A Lively creature may do one more thing in the turn in which it was summoned, and not two.
    """
    if may_act(table, creature):
        return
    if creature in table.entered and not table.acted.get(creature):
        raise IllegalMove("entered_this_turn", *clauses, "CC-ACT-1", "CC-AMB-12", card=creature)
    if creature in table.entered and is_lively_now(table, creature):
        raise IllegalMove("lively_once_more", *clauses, "CC-KEY-LIVELY-1", "CC-AMB-12", card=creature)
    raise IllegalMove("no_action_left", *clauses, "CC-ACT-1", "CC-AMB-12", card=creature)
