"""Setup: the decks of the format, a roll for who begins, four cards each.

Clauses: CC-PREP-1 to CC-PREP-3, CC-FORMAT-SKIRMISH-1, CC-FORMAT-ARENA-1, CC-FORMAT-LEAGUE-1, CC-AMB-5, CC-AMB-31.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.chance import HighestRoll
from referee.engine.chance import Shuffle
from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced
from referee.games.creature_crush.components import DECKS, HAND_SIZE, HANDS, POOL, SEATS, Rules, find_box_cards
from referee.games.creature_crush.events.course import DieCast
from referee.games.creature_crush.events.decks import HandDrawn
from referee.games.creature_crush.rules.decks import BringingDecks, ConfirmingDecks, deal_decks
from referee.games.creature_crush.rules.drafting import DraftRound
from referee.games.creature_crush.rules.drawing import disclose_hands
from referee.games.creature_crush.rules.turn import TurnStart
from referee.games.creature_crush.state import Table


def build_initial_table(rules: Rules) -> Table:
    """Return the table before anything has happened.

    All cards lie in one pile. The agenda holds the steps of the setup, the last of them on top.
    """
    pool = rules.lay_face_down(tuple(sorted(find_box_cards(rules))))
    return Table(agenda=(StartingPlayerRoll(), *build_deck_steps(rules)), zones={POOL: pool}, rules=rules)


def build_deck_steps(rules: Rules) -> tuple[Step, ...]:
    """Return the steps that make the decks of a format, the last of them on top.

    CC-FORMAT-1: The formats differ only in how the decks are made.
    """
    if rules.variant == "league":
        return (BringingDecks(SEATS, "", {}),)
    if rules.variant == "arena":
        by_themselves = rules.cards_at_table and not rules.named
        return (ConfirmingDecks(SEATS, "", {}) if by_themselves else DraftRound(),)
    return (DealDecks(), Shuffle(POOL))


@named("cc.DealDecks")
@dataclass(frozen=True)
class DealDecks(Step):
    """Twenty cards of the shuffled pile are dealt to each player.

    CC-FORMAT-SKIRMISH-1: Each player gets 20 cards at random, face down, as the deck. The other cards are not used.
    """

    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-SKIRMISH-1",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        yield from deal_decks(state)


@named("cc.CastForStart")
@dataclass(frozen=True)
class StartingPlayerRoll(HighestRoll):
    """Each player rolls a die for who begins.

    CC-PREP-2: A roll of dice decides who begins.
    CC-AMB-5: Each player rolls one die, and the higher one begins. Ties are rolled again.
    """

    cast: tuple[int, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("CC-PREP-2", "CC-AMB-5")

    @property
    def contenders(self) -> tuple[int, ...]:
        return SEATS

    def build_cast_event(self, seat: int, value: int) -> Event:
        return DieCast(seat, value)

    def roll_again(self, tied: tuple[int, ...]) -> Step:
        return replace_fields(self, cast=())

    def proceed_with(self, table: Table, winner: int) -> Iterator[Event]:
        yield StepReplaced(TurnStart(winner))
        yield StepPushed(DrawHands())


@named("cc.TakeHands")
@dataclass(frozen=True)
class DrawHands(Step):
    """Each player takes the top four cards of the deck.

    CC-PREP-3: Before the first turn each player takes the top four cards of the deck into the hand.
    CC-AMB-31: The first four cards are kept. There is no exchange.
    """

    clauses: ClassVar[tuple[str, ...]] = ("CC-PREP-3", "CC-AMB-31")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        for seat in SEATS:
            cards = state.cards_at(DECKS[seat])[:HAND_SIZE]
            yield HandDrawn(DECKS[seat], HANDS[seat], cards, cards, seat)
        yield from disclose_hands(state, *SEATS)
