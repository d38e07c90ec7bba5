"""The draft of the Arena: five times each draws seven cards and keeps four; both choose at once, unseen.

The pile is shuffled before every round, with the cards put back under it. At a real table people draft by themselves
and say when they are done; the cards of a bot are read to it. Clauses: CC-FORMAT-ARENA-1, CC-AMB-6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.hidden_cards import check_from, gone_from
from referee.cardscript.questions import Answered, Together, combined, wrong_number
from referee.engine.chance import Shuffle
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Opened, Step
from referee.engine.zones import backs, without
from referee.games.creature_crush.components import DECK_SIZE, DECKS, DRAFTS, DRAWN, KEPT, POOL, SEATS
from referee.games.creature_crush.events.course import DraftRoundOver
from referee.games.creature_crush.events.decks import CardsDrafted, CardsKept, CardsPutBack
from referee.games.creature_crush.moves import DeckReady, Keep
from referee.games.creature_crush.rules.decks import READY
from referee.games.creature_crush.rules.drawing import read_there
from referee.games.creature_crush.state import Table

ROUNDS = DECK_SIZE // KEPT


@named("cc.DraftRound")
@dataclass(frozen=True)
class DraftRound(Step):
    """The next round of the draft, or the shuffling of both decks once they are complete (CC-AMB-6)."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1", "CC-AMB-6")

    def resolve(self, state: Table) -> Iterator[Event]:
        if state.drafted < ROUNDS:
            yield Opened(DrawSeven())
            yield Opened(Shuffle(POOL))
        else:
            yield Closed()
            for seat in reversed(SEATS):
                yield Opened(Shuffle(DECKS[seat]))


@named("cc.DrawSeven")
@dataclass(frozen=True)
class DrawSeven(Step):
    """Each player draws seven cards of the shuffled pile (CC-FORMAT-ARENA-1)."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Became(Drafting(SEATS, "", {}))
        for seat in SEATS:
            cards = state.place(POOL)[seat * DRAWN : (seat + 1) * DRAWN]
            yield CardsDrafted(POOL, DRAFTS[seat], cards, cards, seat)
        for seat in SEATS:
            yield from read_there(state, seat, DRAFTS[seat])


@named("cc.Drafting")
@dataclass(frozen=True)
class Drafting(Together):
    """Each keeps four of seven cards for the deck, unseen by the other (CC-FORMAT-ARENA-1, CC-AMB-6)."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1", "CC-AMB-6")

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        if real_for(state, int(seat)):
            yield DeckReady()
        else:
            drafted = state.place(DRAFTS[seat])
            yield from map(Keep, combined(drafted, KEPT, KEPT))
            yield Keep(drafted[: KEPT - 1])
            yield Keep(drafted[: KEPT + 1])

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        real = real_for(state, int(seat))
        if isinstance(move, DeckReady) and real:
            return
        if not isinstance(move, Keep):
            raise Refused("keep_four", "CC-FORMAT-ARENA-1", move=move.TAG, count=KEPT)
        if real:
            raise Refused("say_when_drafted", "CC-FORMAT-ARENA-1", move=move.TAG)
        if len(move.cards) != KEPT:
            raise wrong_number(KEPT, KEPT, "CC-FORMAT-ARENA-1")
        if len(set(move.cards)) < KEPT:
            raise Refused("same_card_twice", "CC-FORMAT-ARENA-1")
        check_from(state, DRAFTS[seat], move.cards, "not_among_the_seven", "CC-FORMAT-ARENA-1")

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield Answered(int(seat), move.cards if isinstance(move, Keep) else READY)

    def carried_out(self, state: Table) -> Iterator[Event]:
        for seat in SEATS:
            drafted, kept = state.place(DRAFTS[seat]), self.given[str(seat)]
            if not kept:
                raise Unknown("which_cards", place=DECKS[seat])  # a view hides what the other keeps
            if kept == READY:
                kept = drafted[:KEPT]  # people have put them away themselves: backs
            took = gone_from(state, DRAFTS[seat], kept)
            rest = without(drafted, took)
            hide = backs if state.rules.cards_at_table else tuple
            yield CardsKept(DRAFTS[seat], DECKS[seat], took, hide(kept), seat)
            yield CardsPutBack(DRAFTS[seat], POOL, rest, hide(rest), seat)
        yield DraftRoundOver()

    def nameless(self, state: Table) -> bool:
        return any(real_for(state, seat) for seat in self.asked(state))


def real_for(table: Table, seat: int) -> bool:
    """Whether a player drafts with real cards that no referee sees."""
    return table.rules.cards_at_table and seat not in table.rules.named
