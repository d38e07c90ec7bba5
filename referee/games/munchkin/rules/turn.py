"""The turn: kicking open the door, a combat or a choice, charity, the next turn.

Clauses: MK-5.1 to MK-5.10, MK-1.8, MK-6.6, MK-19.8 to MK-19.10, MK-4.9, MK-23.2, MK-26.10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.hand_disclosure import find_gained_cards
from referee.cardscript.hidden_cards import can_name_card, check_in_hand, find_nameable_cards
from referee.cardscript.language.delayed import NEXT_TURN, TURN_ENDS, DelayedTextsDue, list_due_texts
from referee.cardscript.moves import ChooseCard
from referee.cardscript.questions import CardPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove, NotAsked
from referee.engine.seats import Seat
from referee.engine.steps import StackCleared, Step, StepPopped, StepPushed, StepReplaced, require_move
from referee.engine.zones import Cards, backs_of, is_back
from referee.games.munchkin.components import CURSES, FACES, HANDS
from referee.games.munchkin.derived import sum_abilities
from referee.games.munchkin.events.cards import NoLongerFresh
from referee.games.munchkin.events.course import GameDrawn, PlayerRevived, TurnBegan, TurnEnded
from referee.games.munchkin.events.triggers import NOW
from referee.games.munchkin.moves import EndTurn, GiveToCharity, KickDoor, LookForTrouble, LootRoom
from referee.games.munchkin.rules import charity
from referee.games.munchkin.rules.combat.combat_changed import Moment
from referee.games.munchkin.rules.combat.combat_end import lasts_until
from referee.games.munchkin.rules.combat.fighting import start_combat
from referee.games.munchkin.rules.drawing import draw_cards
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.rules.opening_doors import OpenDoor
from referee.games.munchkin.state import Table

CARDS_DEALT_PER_DECK = 4  # cards of each deck in a first hand, and on coming back (MK-1.4, MK-19.8)


def end_freshness(table: Table) -> Iterator[Event]:
    """Yield the event that ends the time for putting down received cards, if any.

    MK-6.6: A card just received may be put into play at once, until the next step of the turn begins.
    """
    if any(table.fresh.values()):
        yield NoLongerFresh()


@named("mk.TurnBegins")
@dataclass(frozen=True)
class TurnBegins(Step):
    """The beginning of a player's turn, with which curses end that stay until then.

    MK-5.2: At the start of the turn a player who died before first takes the new cards of the return.
    MK-19.8: That player draws four doors and four treasures face down.
    MK-26.10: A game that has gone on for the number of turns set for it ends as a draw.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.1", "MK-5.2")

    def resolve(self, state: Table) -> Iterator[Event]:
        if state.turns >= state.rules.max_turns:
            yield GameDrawn(state.turns)
            yield StackCleared()
            return
        yield StepReplaced(Calm(self.seat, "start"))
        yield TurnBegan(self.seat, tuple(seat for seat in state.dead if seat not in state.gone))
        yield from start_delayed_texts(state, NEXT_TURN, self.seat)
        over = [card for card in state.curses_of(self.seat) if lasts_until(card, "next_turn")]
        yield from discard_cards(state, CURSES[self.seat], over)
        if self.seat in state.bereft:
            yield PlayerRevived(self.seat)
            yield draw_cards(state, self.seat, "treasure", CARDS_DEALT_PER_DECK)
            yield draw_cards(state, self.seat, "door", CARDS_DEALT_PER_DECK)


def start_delayed_texts(table: Table, when: str, seat: int) -> Iterator[Event]:
    """Yield the events with which what was put off until now begins.

    MK-27.1: What was set off and still waits comes with it.
    """
    waiting, due = table.find_waiting_texts(), list_due_texts(table.later, when, seat)
    if waiting:
        yield DelayedTextsDue(seat, NOW)
    if due:
        yield DelayedTextsDue(seat, when)
    for text in reversed((*waiting, *due)):
        if text.by not in table.gone and (when == NEXT_TURN or text.by not in table.dead):
            yield StepPushed(text)


def give_turn(table: Table, seat: int) -> Table:
    """Return the table just before a player's turn, for a correction.

    No combat is running any more. Raises ValueError if the seat has left the table.
    """
    if seat in table.gone:
        raise ValueError(f"seat {seat} has left the table")
    return replace_fields(table, agenda=(TurnBegins(seat),), combat=None)


@named("mk.Calm")
@dataclass(frozen=True)
class Calm(Moment):
    """The calm of the active player at one stage of the turn.

    The stages are `start` (MK-24.2), `choice` (MK-24.3), and `after` up to charity (MK-24.9, MK-24.10).
    MK-5.9: In calm the player may do all that is allowed on their own turn outside combat.
    """

    seat: int
    stage: str = "start"
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.1", "MK-5.9")
    moment: ClassVar[str] = "calm"

    def find_pending_seats(self, state: Table) -> tuple[int, ...]:
        return () if self.seat in state.dead else (self.seat,)

    def settle_moment(self, state: Table) -> Iterator[Event]:
        yield StepReplaced(TurnEnds(self.seat))  # the dead have no charity (MK-19.9)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        if self.stage == "start":
            yield KickDoor()
        elif self.stage == "choice":
            yield LootRoom()
            monsters = (card for card in find_nameable_cards(state, HANDS[self.seat]) if FACES[card].kind == "monster")
            yield from map(LookForTrouble, monsters)
        else:
            yield EndTurn()
            yield from charity.list_typical_gifts(state, self.seat)

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        match move:
            case KickDoor() | LootRoom():
                check_stage(state, move, self.stage)
            case LookForTrouble():
                check_stage(state, move, self.stage)
                check_monster_for_trouble(state, self.seat, move.monster)
            case EndTurn():
                check_stage(state, move, self.stage)
                check_hand_limit(state, self.seat)
            case GiveToCharity():
                check_stage(state, move, self.stage)
                charity.check_give(state, self.seat, move)
            case _:
                raise NotAsked("not_in_calm", "MK-5.9", move=move.TAG)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield from end_freshness(state)
        match move:
            case KickDoor():
                yield StepReplaced(AfterDoor(self.seat))
                yield StepPushed(OpenDoor(self.seat))
            case LookForTrouble(monster):
                yield StepReplaced(Calm(self.seat, "after"))
                yield from start_combat(state, monster, HANDS[self.seat], self.seat, by=self.seat)
            case LootRoom():
                yield StepReplaced(Calm(self.seat, "after"))
                yield from loot_room(state, self.seat)
            case GiveToCharity():
                yield StepReplaced(TurnEnds(self.seat))
                yield from charity.give_cards(state, self.seat, move)
            case EndTurn():
                yield StepReplaced(TurnEnds(self.seat))

    def default_answer(self, state: Table, seat: Seat) -> Move:
        """Return the smallest legal step, never a fight (MK-26.9).

        MK-23.2: For a player who does not act within the time limit the smallest legal step is done.
        """
        if self.stage == "start":
            return KickDoor()
        if self.stage == "choice":
            return LootRoom()
        return (
            charity.build_default_gift(state, self.seat) if charity.count_excess_cards(state, self.seat) else EndTurn()
        )

    def is_not_nameable(self, state: Table) -> bool:
        return self.stage == "after" and charity.needs_holder_to_name(state, self.seat)

    def move_patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        mine = charity.build_give_patterns(state, self.seat) if seat == self.seat and self.stage == "after" else ()
        return (*mine, *super().move_patterns(state, seat))


def check_stage(table: Table, move: Move, stage: str) -> None:
    """Raise IllegalMove unless this step of the turn comes at this stage.

    MK-5.1: First the door is kicked open, then comes a combat or a choice, then charity.
    MK-5.6: After a monster was kicked up there is neither looting the room nor looking for trouble.
    MK-5.8: The choice cannot be skipped.
    """
    match move:
        case KickDoor():
            if stage != "start":
                raise IllegalMove("door_is_open", "MK-5.1", "MK-5.3")
        case LookForTrouble() | LootRoom():
            if stage == "start":
                raise IllegalMove("kick_first", "MK-5.1", "MK-5.4")
            if stage == "after":
                if table.fought:
                    raise IllegalMove("fought_already", "MK-5.6")
                raise IllegalMove("chosen_already", "MK-5.4")
        case EndTurn() | GiveToCharity():
            if stage == "start":
                raise IllegalMove("kick_first", "MK-5.1", "MK-5.3")
            if stage == "choice":
                raise IllegalMove("choose_first", "MK-5.8", "MK-5.4")


def check_monster_for_trouble(table: Table, seat: int, monster: str) -> None:
    """Raise IllegalMove unless the player holds this monster (MK-5.4)."""
    if monster in FACES and FACES[monster].kind != "monster":
        raise IllegalMove("no_monster", "MK-5.4", card=monster)
    check_in_hand(table, seat, monster, "MK-5.4")


def check_hand_limit(table: Table, seat: int) -> None:
    """Raise IllegalMove if the player holds more cards than the hand limit.

    MK-21.1: At the end of their own turn a player must come down to the hand limit.
    MK-21.3: A player who is on the lowest level discards the excess.
    """
    if over := charity.count_excess_cards(table, seat):
        if charity.find_receivers(table, seat):
            raise IllegalMove("too_many_in_hand", "MK-21.1", count=over)
        raise IllegalMove("discard_the_excess", "MK-21.1", "MK-21.3", count=over)


@named("mk.AfterDoor")
@dataclass(frozen=True)
class AfterDoor(Step):
    """The step after the door was dealt with.

    MK-5.5: A curse behind the door does not end the turn. The choice still follows if the player lives.
    MK-5.6: After a monster was kicked up there is neither looting the room nor looking for trouble.
    MK-19.9: A main player who died has no charity.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.4", "MK-5.5", "MK-5.6", "MK-5.7")

    def resolve(self, state: Table) -> Iterator[Event]:
        if self.seat in state.dead:
            yield StepReplaced(TurnEnds(self.seat))
        else:
            yield StepReplaced(Calm(self.seat, "after" if state.fought else "choice"))


@named("mk.TurnEnds")
@dataclass(frozen=True)
class TurnEnds(Step):
    """The end of a turn.

    MK-5.10: The turn ends when charity is over. The next player's turn begins at once.
    MK-19.10: A helper who died is back as the next turn begins.
    MK-26.8: A player who died is never passed over.
    MK-26.9-R2: A player who has left is passed over.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.10", "MK-1.8")

    def resolve(self, state: Table) -> Iterator[Event]:
        if state.find_waiting_texts() or list_due_texts(state.later, TURN_ENDS, self.seat):
            yield from start_delayed_texts(state, TURN_ENDS, self.seat)
            return
        yield TurnEnded(self.seat)
        round_ = ((self.seat + step) % state.rules.seats for step in range(1, state.rules.seats + 1))
        yield StepReplaced(TurnBegins(next(seat for seat in round_ if seat not in state.gone)))


# ---- looting the room ------------------------------------------------------------------------------------------------


def loot_room(table: Table, seat: int) -> Iterator[Event]:
    """Yield the events of looting the room.

    MK-5.4: To loot the room is to draw one door face down into the hand.
    MK-4.9: A citizen of Easter draws two doors and keeps one.
    """
    number = max(1, sum_abilities(table, seat, "loot"))
    if number > 1:
        yield StepPushed(KeepOne(seat, table.cards_in_hand(seat)))
    yield draw_cards(table, seat, "door", number)


@named("mk.KeepOne")
@dataclass(frozen=True)
class KeepOne(CardPrompt):
    """The question which of the doors just drawn is discarded openly.

    MK-4.9: On looting the room a citizen of Easter draws two doors and keeps one.
    """

    seat: int
    before: Cards
    clauses: ClassVar[tuple[str, ...]] = ("MK-4.9",)

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if state.count_cards_at(HANDS[self.seat]) > len(self.before) + 1 else ()

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()

    def _find_drawn_cards(self, table: Table) -> Cards:
        return find_gained_cards(table.cards_in_hand(self.seat), self.before)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        drawn = self._find_drawn_cards(state)
        if any(map(is_back, drawn)):
            doors = (card for card in find_nameable_cards(state, HANDS[self.seat]) if FACES[card].deck == "door")
            yield from map(ChooseCard, doors)
        else:
            yield from map(ChooseCard, dict.fromkeys(state.cards_in_hand(self.seat)))

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, ChooseCard)
        drawn = self._find_drawn_cards(state)
        if move.card in drawn:
            return
        hidden = any(map(is_back, drawn)) and move.card in FACES and FACES[move.card].deck == "door"
        if not hidden or not can_name_card(state, HANDS[self.seat], move.card):
            raise IllegalMove("one_of_those_drawn", "MK-4.9", card=move.card)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCard)
        yield StepPopped()
        yield from discard_cards(state, HANDS[self.seat], (move.card,))

    def is_not_nameable(self, state: Table) -> bool:
        return not state.rules.knows_hand_of(self.seat)

    def view_for(self, seat: int) -> Step:
        return self if seat == self.seat else replace_fields(self, before=backs_of(self.before))
