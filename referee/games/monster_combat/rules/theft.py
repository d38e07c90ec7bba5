"""The thief's pick from another hand (MC-V1-THIEF-1, MC-AMB-26).

The server picks at random over all cards of the hand. At a table the cards are taken there: their backs are reported,
or their names if one of the two hands is read to the referee.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from referee.engine.chance import Below, ChanceStep, Picked, shuffled
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Closed
from referee.engine.zones import Cards, Forgotten, back, backs, is_back
from referee.games.monster_combat.components import PLAIN_BACK, TRIGGER_BACK
from referee.games.monster_combat.events import Stolen
from referee.games.monster_combat.rules.naming import check_names, could_give, guessed, pattern, what_leaves
from referee.games.monster_combat.state import ANY, HANDS, SOME, Table


@named("mc.Theft")
@dataclass(frozen=True)
class Theft(ChanceStep):
    """Cards to be taken unseen from the victim's hand (MC-V1-THIEF-1)."""

    victim: int
    thief: int
    count: int = 1
    clauses: ClassVar[tuple[str, ...]] = ("MC-V1-THIEF-1", "MC-AMB-26")
    device: ClassVar[str] = "deck"

    @property
    def source(self) -> str:
        """The hand that loses the cards."""
        return HANDS[self.victim]

    def names_asked(self, table: Table) -> bool:
        """Whether the report must name the cards, since a hand that is read to the referee gives or gets them."""
        return table.rules.at_table and (self.victim in table.rules.named or self.thief in table.rules.named)

    def backs_asked(self, table: Table) -> bool:
        """Whether the report gives backs, since nobody reads either hand to the referee."""
        return table.rules.at_table and not self.names_asked(table)

    def options(self, table: Table) -> Cards:
        """What one card of the report may be."""
        if self.backs_asked(table):
            shapes = dict.fromkeys(backs(table.place(self.source)))
            return (PLAIN_BACK, TRIGGER_BACK) if {ANY, SOME} & shapes.keys() else tuple(shapes)
        return could_give(table, self.victim)

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(Picked, combinations_with_replacement(self.options(state), self.count))

    def patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        return pattern(Picked.TAG, "pattern.stolen", self.options(state), self.count)

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Picked):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if len(move.cards) != self.count:
            raise Refused("so_many_are_stolen", "MC-V1-THIEF-1", "KERNEL-CHANCE-1", count=self.count)
        if not self.backs_asked(state):
            check_names(state, self.victim, move.cards, seat, "MC-V1-THIEF-1")
            return
        left = Counter(map(back, state.place(self.source)))
        for card in move.cards:
            shape = next((lying for lying in (card, ANY, SOME) if left[lying] > 0), None)
            if not is_back(card):
                raise Refused("only_backs_are_seen", "MC-V1-THIEF-1", "KERNEL-CHANCE-1", seat=self.thief)
            if shape is None:
                raise Refused("no_such_back", "MC-MAT-4", "KERNEL-CHANCE-1", card=card)
            if shape != SOME:  # nobody has counted these, so they never run out
                left[shape] -= 1

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, Picked)
        took = what_leaves(state, self.victim, move.cards)
        if self.backs_asked(state) and not all(map(is_back, state.place(self.source))):
            yield Forgotten(self.source)
        yield Stolen(self.source, HANDS[self.thief], took, move.cards, self.victim, self.thief)
        yield Closed()

    def draw(self, state: Table, below: Below) -> Move:
        there = state.place(self.source)
        come = shuffled((card for card in there if card != SOME), below)[: self.count]
        come += [PLAIN_BACK] * (self.count - len(come) if SOME in there else 0)
        if self.backs_asked(state):
            return Picked(tuple(PLAIN_BACK if card == ANY else back(card) for card in come))
        return Picked(tuple(card if not is_back(card) else guessed(state, (card,), below)[0] for card in come))
