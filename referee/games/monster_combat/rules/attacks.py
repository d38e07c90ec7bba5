"""Attacks on players, and the shield that answers them (chapter 6).

Whoever is attacked is asked, shield or not. Clauses: MC-V1-SWORD-1, MC-V1-LIGHTNING-1 to -3, MC-SHIELD-1 to -3,
MC-V1-EVENT-ATTACK-1, MC-V2-EVENT-ATTACK-1, MC-AMB-9, MC-AMB-10, MC-AMB-11, MC-AMB-20, MC-AMB-21,
MC-AMB-27.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.prompts import Ask, AskRound
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Opened
from referee.games.monster_combat.components import design
from referee.games.monster_combat.events import HeartsLost, Parried, StruckBack, Unaffected
from referee.games.monster_combat.moves import Parry, TakeIt
from referee.games.monster_combat.rules.ending import Fall
from referee.games.monster_combat.rules.naming import check_names, could_give, what_leaves
from referee.games.monster_combat.state import DISCARD, HANDS, Table


def answers(table: Table, seat: int) -> Iterable[Move]:
    """What someone attacked may think of: to take it, or any card of the hand."""
    yield TakeIt()
    yield from map(Parry, could_give(table, seat))


def check_answer(table: Table, seat: int, move: Move) -> None:
    """Raises Refused unless this answers an attack: nothing, or one shield from the hand (MC-SHIELD-1, MC-SHIELD-3)."""
    if isinstance(move, TakeIt):
        return
    if not isinstance(move, Parry):
        raise Refused("attack_is_answered", "MC-SHIELD-1", "MC-AMB-20", move=move.TAG)
    if design(move.card) != "shield":
        raise Refused("only_a_shield_parries", "MC-SHIELD-1", card=move.card)
    check_names(table, seat, (move.card,), seat, "MC-SHIELD-1")


def parried(table: Table, seat: int, card: str) -> Event:
    """The fact of a shield played against an attack."""
    source = HANDS[seat]
    return Parried(source, DISCARD, what_leaves(table, seat, (card,)), (card,), seat)


@named("mc.Struck")
@dataclass(frozen=True)
class Struck(Ask):
    """An attack on one player: by a sword, by the event, or by a monster for `strength` hearts.

    A position may leave out what attacks (`by` is None), and how strongly if it does not say which monster it is.

    One shield fends off all of it; without one no more hearts go than there are (MC-SHIELD-1, MC-AMB-9).
    """

    strength: int | None = 1
    by: str | None = "sword"
    clauses: ClassVar[tuple[str, ...]] = ("MC-SHIELD-1", "MC-SHIELD-3", "MC-AMB-9", "MC-AMB-20")
    reaction: ClassVar[str] = "attack"

    def when_late(self, state: Table, seat: Seat) -> Move:
        return TakeIt()  # MC-AMB-27

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        return answers(state, self.seat)

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        check_answer(state, self.seat, move)

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Parry):
            yield parried(state, self.seat, move.card)
            yield Closed()
        else:
            if self.strength is None:
                raise Unknown("which_monster")
            yield HeartsLost(self.seat, min(self.strength, state.hearts_of(self.seat)))
            yield Became(Fall(self.seat))


@named("mc.Lightning")
@dataclass(frozen=True)
class Lightning(AskRound):
    """Lightning on everyone but `by`; `order` are those who have still to answer (MC-V1-LIGHTNING-1, -2).

    `all_parried`: so far everyone who was hit has put down a shield, and nobody was immune (MC-AMB-11); None: a
    position does not say.
    """

    by: int
    all_parried: bool | None = True
    clauses: ClassVar[tuple[str, ...]] = ("MC-V1-LIGHTNING-1", "MC-V1-LIGHTNING-2", "MC-SHIELD-1", "MC-SHIELD-3")
    reaction: ClassVar[str] = "attack"

    def when_late(self, state: Table, seat: Seat) -> Move:
        return TakeIt()  # MC-AMB-27

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        return answers(state, seat)

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        check_answer(state, seat, move)

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Parry):
            yield parried(state, seat, move.card)
            yield Became(self.next())
        else:
            yield HeartsLost(seat, 1)
            yield Became(replace(self.next(), all_parried=False))
            yield Opened(Fall(seat))

    def resolve(self, state: Table) -> Iterator[Event]:
        """All have answered: it strikes back if all parried (MC-V1-LIGHTNING-3, MC-AMB-10, MC-AMB-11)."""
        if self.all_parried is None:
            raise Unknown("have_all_parried")
        yield Closed()
        if self.all_parried and state.is_immune(self.by):
            yield Unaffected(self.by, "lightning")
        elif self.all_parried:
            yield StruckBack(self.by)
            yield HeartsLost(self.by, 1)
            yield Opened(Fall(self.by))


def lightning(table: Table, by: int) -> Iterator[Event]:
    """The facts with which lightning begins; the immune are neither hit nor asked (MC-AMB-11)."""
    others = [seat for seat in table.after(by) if seat != by and table.lives(seat)]
    hit = tuple(seat for seat in others if not table.is_immune(seat))
    for seat in others:
        if seat not in hit:
            yield Unaffected(seat, "lightning")
    yield Opened(Lightning(hit, by, len(hit) == len(others)))


def attacked(seat: int, strength: int, by: str) -> Iterator[Event]:
    """The facts with which an attack on one player begins."""
    yield Opened(Struck(seat, strength, by))
