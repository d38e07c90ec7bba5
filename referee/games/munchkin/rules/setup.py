"""The setup: shuffled decks, dealt hands, cards put down, the first player.

Clauses: MK-1.3 to MK-1.8.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.chance import HighestRoll
from referee.engine.chance import Shuffle
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import NotAsked
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepReplaced
from referee.engine.zones import list_copies
from referee.games.munchkin.components import BOXES, DECKS, DOORS, HANDS, TREASURES, Rules
from referee.games.munchkin.events.cards import CardsDealt
from referee.games.munchkin.events.course import DieCast, PlayerReady
from referee.games.munchkin.moves import Ready
from referee.games.munchkin.rules.combat.combat_changed import Moment
from referee.games.munchkin.rules.drawing import disclose_hands
from referee.games.munchkin.rules.turn import CARDS_DEALT_PER_DECK, TurnBegins
from referee.games.munchkin.state import SEATS_BY_COUNT, Table


def build_initial_table(rules: Rules) -> Table:
    """Return the table before anything has happened.

    Both decks are sorted. The steps of the setup wait, the first on top.
    MK-1.5: Everyone starts at level 1 and without a citizenship.
    """
    doors, treasures = (rules.lay_face_down(list_copies(BOXES[rules.edition].decks[deck])) for deck in DECKS)
    agenda = (Preparing(), DealHands(), Shuffle(TREASURES), Shuffle(DOORS))
    return Table(
        agenda=agenda, zones={DOORS: doors, TREASURES: treasures}, rules=rules, levels=(1,) * rules.seats
    )  # MK-1.5


@named("mk.DealHands")
@dataclass(frozen=True)
class DealHands(Step):
    """The dealing of the first hands.

    MK-1.4: At the start every player is dealt four doors and four treasures into the hand.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MK-1.4",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        seats = SEATS_BY_COUNT[state.rules.seats]
        for deck in DECKS.values():
            for seat in seats:
                cards = state.cards_at(deck)[seat * CARDS_DEALT_PER_DECK : (seat + 1) * CARDS_DEALT_PER_DECK]
                yield CardsDealt(deck, HANDS[seat], cards, cards, seat)
        yield from disclose_hands(state, *seats)


@named("mk.Preparing")
@dataclass(frozen=True)
class Preparing(Moment):
    """The moment before the first turn, in which players act in no order (MK-24.1).

    MK-1.6: Each player may put into play one citizenship and any items. Turn 1 starts when everybody is ready.
    """

    ready: tuple[int, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("MK-1.6",)
    moment: ClassVar[str] = "setup"

    def find_pending_seats(self, state: Table) -> tuple[int, ...]:
        return tuple(seat for seat in SEATS_BY_COUNT[state.rules.seats] if seat not in self.ready)

    def settle_moment(self, state: Table) -> Iterator[Event]:
        yield StepReplaced(CastForStart(contenders=SEATS_BY_COUNT[state.rules.seats]))

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Ready()

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Ready):
            raise NotAsked("not_begun_yet", "MK-1.6", move=move.TAG)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield StepReplaced(replace_fields(self, ready=(*self.ready, int(seat))))
        yield PlayerReady(int(seat))

    def default_answer(self, state: Table, seat: Seat) -> Move:
        return Ready()

    def apply_timeout(self, state: Table) -> Iterator[Event]:
        missing = self.find_pending_seats(state)
        yield StepReplaced(replace_fields(self, ready=(*self.ready, *missing)))
        yield from map(PlayerReady, missing)


@named("mk.CastForStart")
@dataclass(frozen=True)
class CastForStart(HighestRoll):
    """The rolls for the first player.

    MK-1.7: Each player rolls, the highest roll starts, and those tied for it roll again.
    """

    contenders: tuple[int, ...] = ()
    cast: tuple[int, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("MK-1.7",)

    def build_cast_event(self, seat: int, value: int) -> Event:
        return DieCast(seat, value)

    def proceed_with(self, table: Table, winner: int) -> Iterator[Event]:
        yield StepReplaced(TurnBegins(winner))
