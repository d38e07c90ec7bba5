"""The tactic phase: allies are moved for one die, or swap places for two.

Clauses: CC-TACTIC-1, CC-TACTIC-2, CC-KEY-SLUGGISH-1, CC-AMB-17.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from referee.engine.events import Event, Move
from referee.engine.remembering import remember
from referee.engine.rulings import IllegalMove
from referee.engine.steps import Frame, StepPushed
from referee.games.creature_crush.components import CRUSH_PLACES
from referee.games.creature_crush.events.cards import CreatureMoved, CreaturesSwapped
from referee.games.creature_crush.moves import MoveCreature, Swap
from referee.games.creature_crush.rules.actions.actions import check_action_left, check_ally, may_act
from referee.games.creature_crush.rules.actions.paying import burn_dice, check_burned_dice, list_burns
from referee.games.creature_crush.rules.actions.summoning import find_open_places, require_field_place
from referee.games.creature_crush.rules.ending import MatchEndCheck
from referee.games.creature_crush.rules.triggers import deal_damage
from referee.games.creature_crush.state import Table

SLUGGISH_DAMAGE = 1  # CC-KEY-SLUGGISH-1


def list_moves(table: Table, seat: int, near: bool = True) -> Iterator[Move]:
    """Yield the moves and swaps that a player may think of.

    `near`: include near misses.
    """
    allies = table.list_creatures(seat)
    able = tuple(creature for creature in allies if may_act(table, creature))
    places = tuple(place[:2] for place in find_open_places(table, seat))
    dice = tuple(dict.fromkeys(table.dice))
    for creature in allies:
        if creature not in able:
            if places and near:
                yield MoveCreature(creature, places[0], dice[0])
            continue
        for place in places:
            yield from (MoveCreature(creature, place, die) for die in dice)
    for one, other in combinations(able, 2):
        yield from (Swap(one, other, two) for two in list_burns(table.dice, 2))


def check_move(table: Table, seat: int, move: MoveCreature) -> None:
    """Check that this ally may go to that place for this die.

    Raises IllegalMove if it may not.

    CC-TACTIC-1: In the tactic phase creatures move to free places of their own A- and B-zone for one burned die each,
        whatever its pips.
    """
    _check_mover(table, seat, move.creature)
    check_free_place(table, seat, move.place)
    check_burned_dice(table, (move.die,), 1, "CC-TACTIC-1")


@remember()  # the many ways to move and to pay share it
def _check_mover(table: Table, seat: int, creature: str) -> None:
    check_movable_ally(table, seat, creature, "CC-TACTIC-1")
    check_action_left(table, creature)


@remember()
def _check_swappers(table: Table, seat: int, creature: str, other: str) -> None:
    check_swapping_allies(table, seat, creature, other)
    for each in (creature, other):
        check_action_left(table, each, "CC-AMB-17")


def check_movable_ally(table: Table, seat: int, card: str, *clauses: str) -> None:
    """Check that this is an ally on the field.

    Raises IllegalMove if it is not, citing `clauses` also.

    CC-AMB-14: A crush card is never moved.
    """
    if card and any(card == table.card_at(place) or card == place[:2] for place in CRUSH_PLACES[seat]):
        raise IllegalMove("crush_is_never_moved", "CC-AMB-14", card=card)
    check_ally(table, seat, card, *clauses)


def check_free_place(table: Table, seat: int, short: str) -> None:
    """Check that a place of the player's own A- or B-zone is free.

    Raises IllegalMove if it is not.
    """
    place = require_field_place(seat, short, "CC-TACTIC-1")
    if table.zones.get(place):
        raise IllegalMove("place_is_taken", "CC-TACTIC-1", place=place)


def check_swap(table: Table, seat: int, move: Swap) -> None:
    """Check that these two allies may swap places for these dice.

    Raises IllegalMove if they may not.

    CC-TACTIC-2: For two burned dice two allies swap their places.
    """
    _check_swappers(table, seat, move.creature, move.other)
    check_burned_dice(table, move.dice, 2, "CC-TACTIC-2")


def check_swapping_allies(table: Table, seat: int, creature: str, other: str) -> None:
    """Check that these are two allies. Raises IllegalMove if they are not."""
    for each in (creature, other):
        check_movable_ally(table, seat, each, "CC-TACTIC-2")
    if creature == other:
        raise IllegalMove("two_creatures_swap", "CC-TACTIC-2", card=creature)


def move_creature(table: Table, seat: int, move: MoveCreature) -> Iterator[Event]:
    """Yield the events of moving an ally.

    The die is burned, and the ally has used its action.

    CC-KEY-SLUGGISH-1: A Sluggish creature takes 1 damage when it is moved in the tactic phase.
    """
    card = (move.creature,)
    source, target = table.places_by_creature[move.creature], require_field_place(seat, move.place)
    event = CreatureMoved(source, target, card, card, move.creature, retreat=True)
    yield from _spend_dice_and_move(table, seat, (move.die,), event, card)


def swap_creatures(table: Table, seat: int, move: Swap) -> Iterator[Event]:
    """Yield the events of two allies that swap places.

    CC-AMB-17: A swap happens at one time and needs no free place. Both must still have their action, and use it.
    """
    both = (move.creature, move.other)
    event = CreaturesSwapped((table.places_by_creature[move.creature], table.places_by_creature[move.other]), both)
    yield from _spend_dice_and_move(table, seat, move.dice, event, both)


def _spend_dice_and_move(
    table: Table, seat: int, dice: tuple[int, ...], event: CreatureMoved | CreaturesSwapped, who: tuple[str, ...]
) -> Iterator[Event]:
    yield StepPushed(MatchEndCheck())
    yield StepPushed(Frame())
    yield burn_dice(seat, dice)
    yield event
    sluggish = {creature: SLUGGISH_DAMAGE for creature in who if table.has_keyword(creature, "sluggish")}
    yield from deal_damage(event.apply(table), sluggish, "sluggish")
