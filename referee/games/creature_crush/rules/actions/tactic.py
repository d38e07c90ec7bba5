"""The tactic phase: allies are moved and swap places, for a die each; then the turn is over.

Clauses: CC-TACTIC-1 to CC-TACTIC-3, CC-TURN-1, CC-KEY-SLUGGISH-1, CC-AMB-17, CC-AMB-2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from referee.cardscript.questions import Asking
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Frame, Opened
from referee.games.creature_crush.events.cards import CreatureMoved, CreaturesSwapped
from referee.games.creature_crush.events.course import TurnEnded
from referee.games.creature_crush.moves import EndTurn, MoveCreature, OfferDraw, Swap
from referee.games.creature_crush.rules import concede_and_draw
from referee.games.creature_crush.rules.actions.actions import check_may_act, may_act
from referee.games.creature_crush.rules.actions.paying import burned_for, burns, check_burn
from referee.games.creature_crush.rules.actions.summoning import open_places, place_of
from referee.games.creature_crush.rules.ending import Judging
from referee.games.creature_crush.rules.triggers import damaged
from referee.games.creature_crush.state import Table

SLUGGISH_DAMAGE = 1  # CC-KEY-SLUGGISH-1


@named("cc.Tactic")
@dataclass(frozen=True)
class Tactic(Asking):
    """The active player's tactic phase."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-TACTIC-1", "CC-TACTIC-2")

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield EndTurn()
        if state.dice:
            yield from _moves(state, self.seat)
        yield OfferDraw()

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        match move:
            case MoveCreature():
                check_move(state, self.seat, move)
            case Swap():
                check_swap(state, self.seat, move)
            case OfferDraw():
                concede_and_draw.check_offer(state, self.seat)
            case EndTurn():
                pass
            case _:
                raise Refused("not_in_tactic", "CC-TACTIC-1", move=move.TAG)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        match move:
            case MoveCreature():
                yield from creature_moved(state, self.seat, move)
            case Swap():
                yield from swapped(state, self.seat, move)
            case OfferDraw():
                yield from concede_and_draw.offered(self.seat)
            case EndTurn():
                yield from turn_ended(state, self.seat)

    def by_default(self, state: Table, seat: Seat) -> Move:
        return EndTurn()


def _moves(table: Table, seat: int) -> Iterator[Move]:
    allies = table.creatures(seat)
    able = tuple(creature for creature in allies if may_act(table, creature))
    places = tuple(place[:2] for place in open_places(table, seat))
    dice = tuple(dict.fromkeys(table.dice))
    for creature in allies:
        if creature not in able:
            if places:
                yield MoveCreature(creature, places[0], dice[0])
            continue
        for place in places:
            yield from (MoveCreature(creature, place, die) for die in dice)
    for one, other in combinations(able, 2):
        yield from (Swap(one, other, two) for two in burns(table.dice, 2))


def check_move(table: Table, seat: int, move: MoveCreature) -> None:
    """Raises Refused unless this ally may go to that place for this die."""
    check_may_act(table, seat, move.creature)
    place = place_of(seat, move.place)
    if table.zones.get(place):
        raise Refused("place_is_taken", "CC-TACTIC-1", place=place)
    check_burn(table, (move.die,), 1, "CC-TACTIC-1")


def check_swap(table: Table, seat: int, move: Swap) -> None:
    """Raises Refused unless these two allies may swap places for these dice."""
    for creature in (move.creature, move.other):
        check_may_act(table, seat, creature)
    if move.creature == move.other:
        raise Refused("two_creatures_swap", "CC-TACTIC-2", card=move.creature)
    check_burn(table, move.dice, 2, "CC-TACTIC-2")


def creature_moved(table: Table, seat: int, move: MoveCreature) -> Iterator[Event]:
    """The facts of moving an ally: the die is burned, it has used its action, a sluggish one is damaged."""
    card = (move.creature,)
    source, target = table.spots[move.creature], place_of(seat, move.place)
    fact = CreatureMoved(source, target, card, card, move.creature, retreat=True)
    yield from _gone(table, seat, (move.die,), fact, card)


def swapped(table: Table, seat: int, move: Swap) -> Iterator[Event]:
    """The facts of two allies that swap places at the same time (CC-AMB-17)."""
    both = (move.creature, move.other)
    fact = CreaturesSwapped((table.spots[move.creature], table.spots[move.other]), both)
    yield from _gone(table, seat, move.dice, fact, both)


def _gone(
    table: Table, seat: int, dice: tuple[int, ...], fact: CreatureMoved | CreaturesSwapped, who: tuple[str, ...]
) -> Iterator[Event]:
    yield Opened(Judging())
    yield Opened(Frame())
    yield burned_for(seat, dice)
    yield fact
    sluggish = {creature: SLUGGISH_DAMAGE for creature in who if table.has(creature, "sluggish")}
    yield from damaged(fact.apply(table), sluggish, "sluggish")


def turn_ended(table: Table, seat: int) -> Iterator[Event]:
    """The facts of ending a turn: all dice left are burned, and the other player is next."""
    from referee.games.creature_crush.rules.turn import TurnBegins  # a turn begins with its phases, and ends in this

    if table.dice:
        yield burned_for(seat, table.dice)
    yield TurnEnded(seat)
    yield Became(TurnBegins(1 - seat))
    yield Opened(Judging())
