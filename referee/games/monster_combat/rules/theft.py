"""The thief's pick from another hand.

The server picks at random over all cards of the hand. At a table of real cards the players take the cards. Then their
backs are reported, or their names if one of the two hands is read to the referee.

MC-V1-THIEF-1: A thief takes one card of the next player's hand for each magnet, unseen and by chance.
MC-AMB-26: Each card of the hand is as likely as any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from referee.engine.chance import ChanceStep, PickResult, RandomBelow, shuffle_cards
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, require_move
from referee.engine.zones import Cards, CardsForgotten, back_of, backs_of, find_cards_leaving, is_back
from referee.games.monster_combat.components import PLAIN_BACK, TRIGGER_BACK, find_back_kind
from referee.games.monster_combat.events import CardsStolen
from referee.games.monster_combat.rules.naming import build_cards_pattern, check_names, guess_cards, list_giveable_names
from referee.games.monster_combat.state import ANY, HANDS, SOME, Table


@named("mc.Theft")
@dataclass(frozen=True)
class Theft(ChanceStep):
    """Cards are to be taken unseen from the victim's hand.

    MC-V1-THIEF-1: A thief takes one card of the next player's hand for each magnet, unseen and by chance.
    """

    victim: int
    thief: int
    count: int = 1
    clauses: ClassVar[tuple[str, ...]] = ("MC-V1-THIEF-1", "MC-AMB-26")
    device: ClassVar[str] = "deck"

    @property
    def source(self) -> str:
        """The hand that loses the cards."""
        return HANDS[self.victim]

    def needs_names(self, table: Table) -> bool:
        """Return whether the report must name the cards.

        It must if a hand that is read to the referee gives or gets them.
        """
        return table.rules.at_table and (self.victim in table.rules.named or self.thief in table.rules.named)

    def needs_backs(self, table: Table) -> bool:
        """Return whether the report gives backs, because nobody reads either hand out."""
        return table.rules.at_table and not self.needs_names(table)

    def possible_faces(self, table: Table) -> Cards:
        """Return what one card of the report may be."""
        if self.needs_backs(table):
            shapes = dict.fromkeys(backs_of(table.cards_at(self.source)))
            return (PLAIN_BACK, TRIGGER_BACK) if {ANY, SOME} & shapes.keys() else tuple(shapes)
        return list_giveable_names(table, self.victim)

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(PickResult, combinations_with_replacement(self.possible_faces(state), self.count))

    def move_patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        return build_cards_pattern(PickResult.TAG, "pattern.stolen", self.possible_faces(state), self.count)

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, PickResult)
        if len(move.cards) != self.count:
            raise IllegalMove("so_many_are_stolen", "MC-V1-THIEF-1", "KERNEL-CHANCE-1", count=self.count)
        if not self.needs_backs(state):
            check_names(state, self.victim, move.cards, seat, "MC-V1-THIEF-1")
            return
        left = Counter(map(back_of, state.cards_at(self.source)))
        for card in move.cards:
            shape = next((lying for lying in (card, ANY, SOME) if left[lying] > 0), None)
            if not is_back(card):
                raise IllegalMove("only_backs_are_seen", "MC-V1-THIEF-1", "KERNEL-CHANCE-1", seat=self.thief)
            if shape is None:
                raise IllegalMove("no_such_back", "MC-MAT-4", "KERNEL-CHANCE-1", card=card, back=find_back_kind(card))
            if shape != SOME:  # an unknown number of cards never runs out
                left[shape] -= 1

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickResult)
        took = find_cards_leaving(state, HANDS[self.victim], move.cards)
        if self.needs_backs(state) and not all(map(is_back, state.cards_at(self.source))):
            yield CardsForgotten(self.source)
        yield CardsStolen(self.source, HANDS[self.thief], took, move.cards, self.victim, self.thief)
        yield StepPopped()

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        there = state.cards_at(self.source)
        come = shuffle_cards((card for card in there if card != SOME), below)[: self.count]
        come += [PLAIN_BACK] * (self.count - len(come) if SOME in there else 0)
        if self.needs_backs(state):
            return PickResult(tuple(PLAIN_BACK if card == ANY else back_of(card) for card in come))
        return PickResult(tuple(card if not is_back(card) else guess_cards(state, (card,), below)[0] for card in come))
