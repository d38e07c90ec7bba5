"""The setup: leaders are chosen, hands dealt, monsters turned up.

Clauses: HTS-SETUP-1 to -9, HTS-AMB-71, HTS-EDGE-1.
HTS-EDGE-1: Two players play by the same rules without The Shadow Claw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.chance import HighestRoll
from referee.cardscript.questions import CardPrompt
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.chance import Shuffle
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove, NotAsked, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepReplaced
from referee.engine.zones import list_copies
from referee.games.here_to_slay.components import BOXED, DECK, HANDS, LEADER, LEADERS, MONSTERS, Rules, leaders_for
from referee.games.here_to_slay.events.turns import CardsBoxed, DieCast, HandDealt, LeaderPicked
from referee.games.here_to_slay.moves import PickLeader
from referee.games.here_to_slay.rules.attacking import MonsterTurnUp
from referee.games.here_to_slay.rules.drawing import disclose_hands
from referee.games.here_to_slay.rules.turn import TurnStart
from referee.games.here_to_slay.state import Table

FIRST_HAND_SIZE = 5  # HTS-SETUP-5: each player is dealt five cards
ROW_SIZE = 3  # HTS-SETUP-6: three monsters are laid out open


def build_initial_table(rules: Rules) -> Table:
    """Return the table before anything has happened: sorted box and setup steps."""
    boxes = rules.boxes
    main, monsters = (rules.lay_face_down(list_copies(box)) for box in (boxes.main, boxes.monsters))
    leaders = leaders_for(rules.seats, rules.edition)
    zones = {DECK: main, MONSTERS: monsters, LEADERS: leaders}
    if rest := tuple(card for card in boxes.leaders if card not in leaders):
        zones[BOXED] = rest  # HTS-SETUP-3: with two players The Shadow Claw stays in the box
    everybody = tuple(range(rules.seats))
    if rules.leader_choice == "roll":
        first: Step = FirstPickRoll(contenders=everybody)
    else:
        first = PickLeaders(everybody, at_once=True)
    agenda = (
        FirstTurn(),
        MonsterTurnUp(ROW_SIZE),
        Shuffle(MONSTERS),
        Deal(everybody),
        Shuffle(DECK),
        BoxLeaders(),
        first,
    )
    return Table(agenda=agenda, zones=zones, rules=rules)


@named("hts.CastForPick")
@dataclass(frozen=True)
class FirstPickRoll(HighestRoll):
    """Each player rolls a die for the first choice of a leader.

    HTS-SETUP-2: There are two ways to choose: a die settles who picks first, or all reach out at once and the quickest
        hand gets the leader.
    HTS-AMB-71: The highest roll chooses first, ties roll again, then it goes clockwise.
    """

    contenders: tuple[int, ...] = ()
    cast: tuple[int, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-2", "HTS-SETUP-9", "HTS-AMB-71")

    def build_cast_event(self, seat: int, value: int) -> Event:
        return DieCast(seat, value)

    def proceed_with(self, table: Table, winner: int) -> Iterator[Event]:
        yield StepReplaced(PickLeaders(table.seats_clockwise_from(winner)))


@named("hts.PickLeaders")
@dataclass(frozen=True)
class PickLeaders(CardPrompt):
    """Each player chooses a leader, in turn or all at once.

    HTS-SETUP-1: Everyone chooses one leader and puts it on the table in front of them. It is theirs until the match
        ends.
    HTS-SETUP-2: There are two ways to choose: a die settles who picks first, or all reach out at once and the quickest
        hand gets the leader.
    """

    order: tuple[int, ...]
    at_once: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-1", "HTS-SETUP-2", "HTS-AMB-71")

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        if UNCOUNTED_CARDS in state.cards_at(LEADERS):
            raise Undetermined("which_cards", place=LEADERS)
        if len(state.cards_at(LEADERS)) <= 1:
            return ()  # HTS-TEXT-3: a single possible answer needs no question
        return self.order if self.at_once else self.order[:1]

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(PickLeader, state.rules.boxes.leaders)

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, PickLeader):
            raise NotAsked("pick_a_leader", "HTS-SETUP-1")
        check_leader(state, move.leader)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickLeader)
        yield from self._pick_leader(int(seat), move.leader)

    def resolve(self, state: Table) -> Iterator[Event]:
        if self.order and state.cards_at(LEADERS):
            yield from self._pick_leader(self.order[0], state.cards_at(LEADERS)[0])
        else:
            yield StepPopped()

    def _pick_leader(self, seat: int, leader: str) -> Iterator[Event]:
        left = tuple(other for other in self.order if other != seat)
        yield StepReplaced(replace_fields(self, order=left)) if left else StepPopped()
        yield LeaderPicked(LEADERS, LEADER[seat], (leader,), (leader,), seat)


def check_leader(table: Table, leader: str) -> None:
    """Raise IllegalMove unless this leader is there to be picked.

    HTS-SETUP-1: Everyone chooses one leader. It is theirs until the match ends.
    HTS-SETUP-3: When only two play, The Shadow Claw is taken out before leaders are chosen.
    """
    if leader not in table.rules.boxes.leaders:
        raise IllegalMove("no_such_leader", "HTS-LEAD-7", card=leader)
    if leader in table.cards_at(LEADERS):
        return
    if leader not in leaders_for(table.rules.seats, table.rules.edition):
        raise IllegalMove("leader_is_left_out", "HTS-SETUP-3", card=leader)
    owner = next((seat for seat in table.seats_at_table if leader in table.cards_at(LEADER[seat])), None)
    if owner is None:
        raise IllegalMove("leader_not_there", "HTS-SETUP-1", card=leader)
    if table.rules.leader_choice == "at_once":
        raise IllegalMove("leader_went_to_faster", "HTS-AMB-71", "HTS-SETUP-2", card=leader, seat=owner)
    raise IllegalMove("leader_is_taken", "HTS-SETUP-1", card=leader, seat=owner)


@named("hts.BoxLeaders")
@dataclass(frozen=True)
class BoxLeaders(Step):
    """The leaders that nobody chose go back to the box.

    HTS-SETUP-4: Each player takes a reference card. The leaders and reference cards nobody took are put back in the
        box.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-4", "HTS-ZONE-4")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        if rest := state.cards_at(LEADERS):
            yield CardsBoxed(LEADERS, BOXED, rest, rest)


@named("hts.Deal")
@dataclass(frozen=True)
class Deal(Step):
    """Each player is dealt five cards.

    HTS-SETUP-5: Each player is dealt five of the shuffled normal-sized cards. The rest is the main deck. Nothing lies
        on the discard pile yet.
    HTS-SETUP-8: Dealing the hands and laying out the row does not count as drawing and sets off no ability.
    """

    order: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-5", "HTS-SETUP-8")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        for at, seat in enumerate(self.order):
            cards = state.cards_at(DECK)[at * FIRST_HAND_SIZE : (at + 1) * FIRST_HAND_SIZE]
            yield HandDealt(DECK, HANDS[seat], cards, cards, seat)
        yield from disclose_hands(state, *self.order)


@named("hts.FirstTurn")
@dataclass(frozen=True)
class FirstTurn(Step):
    """The player who chose last begins.

    HTS-SETUP-7: The first turn belongs to the player whose leader was chosen last.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-7",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepReplaced(TurnStart(state.picked[-1]))
