"""The draft of the Arena: five times each player draws seven cards and keeps four.

Both players choose at once, unseen. The pile is shuffled before every round, with the cards put back in it. At a real
table people draft by themselves and say when they are done. The cards of a bot are read to the referee. Clauses:
CC-FORMAT-ARENA-1, CC-AMB-6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.hidden_cards import check_cards_from
from referee.cardscript.questions import AnswerGiven, SimultaneousPrompt, list_combinations, refuse_wrong_number
from referee.engine.chance import Shuffle
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, NotAsked, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced
from referee.engine.zones import find_cards_leaving, remove_cards
from referee.games.creature_crush.components import DECK_SIZE, DECKS, DRAFT_DRAWN, DRAFT_KEPT, DRAFTS, POOL, SEATS
from referee.games.creature_crush.events.course import DraftRoundOver
from referee.games.creature_crush.events.decks import CardsDrafted, CardsKept, CardsPutBack
from referee.games.creature_crush.events.pending import PendingDraft
from referee.games.creature_crush.moves import DeckReady, Keep
from referee.games.creature_crush.rules.decks import READY_ANSWER
from referee.games.creature_crush.rules.drawing import disclose_place
from referee.games.creature_crush.state import Table

DRAFT_ROUNDS = DECK_SIZE // DRAFT_KEPT


@named("cc.DraftRound")
@dataclass(frozen=True)
class DraftRound(PendingDraft):
    """The next round of the draft, or the shuffling of both complete decks.

    CC-AMB-6: The remaining cards are shuffled before each of the five drafts, with those put back among them.
    """

    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1", "CC-AMB-6")

    def resolve(self, state: Table) -> Iterator[Event]:
        if state.drafted < DRAFT_ROUNDS:
            yield StepPushed(DrawSeven())
            yield StepPushed(Shuffle(POOL))
        else:
            yield StepPopped()
            for seat in reversed(SEATS):
                yield StepPushed(Shuffle(DECKS[seat]))


@named("cc.DrawSeven")
@dataclass(frozen=True)
class DrawSeven(Step):
    """Each player draws seven cards of the shuffled pile.

    CC-FORMAT-ARENA-1: In Arena both players draw seven cards five times, and each time keep four and put three back.
    """

    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepReplaced(Drafting(SEATS, "", {}))
        for seat in SEATS:
            cards = state.cards_at(POOL)[seat * DRAFT_DRAWN : (seat + 1) * DRAFT_DRAWN]
            yield CardsDrafted(POOL, DRAFTS[seat], cards, cards, seat)
        for seat in SEATS:
            yield from disclose_place(state, seat, DRAFTS[seat])


@named("cc.Drafting")
@dataclass(frozen=True)
class Drafting(SimultaneousPrompt):
    """Each player keeps four of seven cards for the deck, unseen by the other.

    CC-FORMAT-ARENA-1: In Arena both players draw seven cards five times, and each time keep four and put three back.
    CC-AMB-6: Both players choose at the same time, hidden from each other.
    """

    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1", "CC-AMB-6")

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        if not state.rules.knows_hand_of(seat):
            yield DeckReady()
        else:
            drafted = state.cards_at(DRAFTS[seat])
            yield from map(Keep, list_combinations(drafted, DRAFT_KEPT, DRAFT_KEPT))
            yield Keep(drafted[: DRAFT_KEPT - 1])
            yield Keep(drafted[: DRAFT_KEPT + 1])

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        real = not state.rules.knows_hand_of(seat)
        if isinstance(move, DeckReady) and real:
            return
        if not isinstance(move, Keep):
            raise NotAsked("keep_four", "CC-FORMAT-ARENA-1", move=move.TAG, count=DRAFT_KEPT)
        if real:
            raise IllegalMove("say_when_drafted", "CC-FORMAT-ARENA-1", move=move.TAG)
        if len(move.cards) != DRAFT_KEPT:
            raise refuse_wrong_number(DRAFT_KEPT, DRAFT_KEPT, "CC-FORMAT-ARENA-1")
        if len(set(move.cards)) < DRAFT_KEPT:
            raise IllegalMove("same_card_twice", "CC-FORMAT-ARENA-1")
        check_cards_from(state, DRAFTS[seat], move.cards, "not_among_the_seven", "CC-FORMAT-ARENA-1")

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield AnswerGiven(int(seat), move.cards if isinstance(move, Keep) else READY_ANSWER)

    def carry_out_choices(self, state: Table) -> Iterator[Event]:
        for seat in SEATS:
            drafted, kept = state.cards_at(DRAFTS[seat]), self.given[str(seat)]
            if not kept:
                raise Undetermined(
                    "which_cards", place=DECKS[seat]
                )  # in a view, which hides what the other player keeps
            if kept == READY_ANSWER:
                kept = drafted[:DRAFT_KEPT]  # the players keep real cards themselves, so only backs move here
            took = find_cards_leaving(state, DRAFTS[seat], kept)
            rest = remove_cards(drafted, took)
            hide = state.rules.lay_face_down
            yield CardsKept(DRAFTS[seat], DECKS[seat], took, hide(kept), seat)
            yield CardsPutBack(DRAFTS[seat], POOL, rest, hide(rest), seat)
        yield DraftRoundOver()

    def is_not_nameable(self, state: Table) -> bool:
        return not all(map(state.rules.knows_hand_of, self.prompted_seats(state)))
