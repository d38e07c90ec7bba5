"""The turn: three points, the actions, and the end.

Clauses: HTS-TURN-1 to HTS-TURN-8, HTS-ACT-1 to HTS-ACT-11, HTS-TERM-2, HTS-ACT-9, HTS-ACT-10, HTS-HERO-3, HTS-WIN-2,
HTS-WIN-3, HTS-AMB-61, HTS-AMB-63, HTS-AMB-77.
HTS-TERM-2: A point is always an action point.
HTS-ACT-9: A player with an empty hand may still draw, roll, attack and redraw.
HTS-ACT-10: Only the playing of a card can be challenged, none of the other actions.
HTS-HERO-3: In each of their turns players may roll once for every hero in their party, for one point each time.
HTS-AMB-77: The turn ends by itself with no points left and nothing pending. Earlier only if the player says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.hidden_cards import find_nameable_cards
from referee.cardscript.language.builtins import Choose
from referee.cardscript.language.delayed import NEXT_TURN, TURN_ENDS, DelayedTextsDue, list_due_texts
from referee.cardscript.questions import CardPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove, NotAsked, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import StackCleared, Step, StepPushed, StepReplaced
from referee.engine.zones import is_back
from referee.games.here_to_slay.components import CLASSES, DECK, DISCARD, FACES, HANDS, PROGRAMS, ROW
from referee.games.here_to_slay.events.cards import CardDiscarded
from referee.games.here_to_slay.events.turns import (
    GameWon,
    LastingEffectEnded,
    LeaderUsed,
    PointsSpent,
    TurnEnded,
    TurnStarted,
)
from referee.games.here_to_slay.moves import Attack, DrawOne, EndTurn, PlayCard, RedrawHand, RollFor, UseLeader
from referee.games.here_to_slay.rules.announcing import PLAYED_KINDS, check_announcement, lacks_price
from referee.games.here_to_slay.rules.attacking import check_attack, find_attack_grounds, start_attack
from referee.games.here_to_slay.rules.drawing import CardDrawing
from referee.games.here_to_slay.rules.effect_frames import EffectFrame
from referee.games.here_to_slay.rules.hands import start_discard
from referee.games.here_to_slay.rules.playing import announce_play
from referee.games.here_to_slay.rules.rolling import check_hero_roll, check_unbarred, roll_for_hero
from referee.games.here_to_slay.state import POINTS_PER_TURN, Table, select_named_cards
from referee.games.here_to_slay.triggers import build_text_execution

ACTION_COSTS: dict[type[Move], int] = {DrawOne: 1, PlayCard: 1, RollFor: 1, Attack: 2, RedrawHand: 3, EndTurn: 0}
ACTION_WORDS: dict[type[Move], str] = {  # what cards call the actions whose cost they change
    DrawOne: "draw", PlayCard: "play", RollFor: "roll_for", Attack: "attack", RedrawHand: "redraw", UseLeader: "leader",
}  # fmt: skip
REDRAW_SIZE = 5  # HTS-ACT-5: five cards are drawn


@named("hts.TurnBegins")
@dataclass(frozen=True)
class TurnStart(Step):
    """A player's turn begins.

    HTS-TURN-7: A turn begins like this: effects that last until then run out, all heroes lose their roll marks and The
        Shadow Claw its own, and the points are set. No card is drawn for free.
    HTS-AMB-69: No card is drawn for free at the start of a turn.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TURN-1", "HTS-TURN-2", "HTS-TURN-7", "HTS-AMB-69")

    def resolve(self, state: Table) -> Iterator[Event]:
        for until in ("own_turn_start", "my_turn_start"):
            if any((each.ends_with, each.until) == (self.seat, until) for each in state.lasting):
                yield LastingEffectEnded(self.seat, until)
        started = TurnStarted(self.seat, POINTS_PER_TURN + state.count_extra_points(self.seat))
        waiting = tuple(state.collect_triggers(started))
        yield started
        yield StepReplaced(Turn(self.seat))
        if due := list_due_texts(state.later, NEXT_TURN, self.seat):
            yield DelayedTextsDue(self.seat, NEXT_TURN)
        if waiting or due:
            yield StepPushed(EffectFrame(due))  # HTS-TRIG-8: it comes before the first action


def give_turn(table: Table, seat: int) -> Table:
    """Return the table as a player's turn is about to begin: a manual correction.

    Raises ValueError if the seat has left the table.
    """
    if seat in table.gone:
        raise ValueError(f"seat {seat} has left the table")
    return replace_fields(table, agenda=(TurnStart(seat),))


@named("hts.Turn")
@dataclass(frozen=True)
class Turn(CardPrompt):
    """The active player takes actions as long as there are points, or ends the turn.

    HTS-TURN-3: With these points the active player pays for actions, in any order and repeatedly, as long as the
        points last.
    HTS-TURN-6: A turn ends by itself when all points are gone and everything is carried out, or earlier if the player
        stops. Unspent points are lost.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TURN-3", "HTS-TURN-5", "HTS-ASK-1")

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if state.points_left > 0 else ()

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield EndTurn()
        yield DrawOne()
        yield from map(PlayCard, find_nameable_cards(state, HANDS[seat]))
        yield from map(RollFor, state.party_of(self.seat))
        yield from map(Attack, select_named_cards(state.cards_at(ROW)))
        yield RedrawHand()
        yield UseLeader()

    def promising_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        for move in self.possible_answers(state, seat):
            if find_action_cost(state, self.seat, move) > state.points_left:
                continue
            if not isinstance(move, PlayCard) or FACES[move.card].kind in PLAYED_KINDS:
                yield move

    def default_answer(self, state: Table, seat: Seat) -> Move:
        return EndTurn()  # HTS-AMB-76: when a clock runs out, the turn ends

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        match move:
            case DrawOne():
                check_drawing(state)
            case PlayCard(card):
                check_announcement(state, self.seat, card)
            case RollFor(hero):
                check_hero_roll(state, self.seat, hero)
            case Attack(monster):
                check_unbarred(state, self.seat, "no_attack")
                check_attack(state, self.seat, monster)
            case UseLeader():
                check_leader_action(state, self.seat)
            case RedrawHand() | EndTurn():
                pass
            case _:
                raise NotAsked("an_action_is_asked", "HTS-TURN-3", "HTS-ASK-1")
        check_points(state, find_action_cost(state, self.seat, move), move)

    def find_grounds(self, state: Table, move: Move) -> tuple[str, ...]:
        """Return why this action is allowed.

        HTS-ACT-9: A player with an empty hand may still draw, roll, attack and redraw.
        HTS-AMB-43: Napping Nibbles, whose effect is nothing, may be rolled for.
        """
        if find_cost_change(state, self.seat, move):
            return (*self._find_action_grounds(state, move), "HTS-COST-1")
        return self._find_action_grounds(state, move)

    def _find_action_grounds(self, state: Table, move: Move) -> tuple[str, ...]:
        match move:
            case PlayCard(card):
                unpaid = FACES[card].kind == "magic" and lacks_price(state, self.seat, card)
                return ("HTS-PLAY-1", "HTS-PLAY-4", *(("HTS-AMB-45",) if unpaid else ()))
            case RollFor(hero):
                found = ("HTS-ROLL-3", "HTS-HERO-3", *(() if PROGRAMS[hero, "does"] else ("HTS-DO-37", "HTS-AMB-43")))
            case Attack(monster):
                found = find_attack_grounds(state, self.seat, monster)
            case DrawOne() | RedrawHand():
                found = ()
            case _:
                return ()
        return found if state.holds_cards(self.seat) else (*found, "HTS-ACT-9")

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        me, cost = self.seat, find_action_cost(state, self.seat, move)
        match move:
            case EndTurn():
                yield StepReplaced(TurnEnd(me))
            case UseLeader():
                leader = state.leader_of(me)
                assert leader is not None
                yield self._pay_points(state, cost)
                yield LeaderUsed(me, leader)
                yield StepPushed(EffectFrame())
                yield StepPushed(build_text_execution(leader, "action", me))
            case DrawOne():
                yield self._pay_points(state, cost)
                yield StepPushed(EffectFrame())
                yield StepPushed(CardDrawing(me, 1, "", 0, state.cards_in_hand(me)))
            case PlayCard(card):
                yield from announce_play(state, me, card, False, paid=self._pay_points(state, cost))
            case RollFor(hero):
                yield self._pay_points(state, cost)
                yield from roll_for_hero(state, me, hero)
            case Attack(monster):
                yield self._pay_points(state, cost)
                yield from start_attack(me, monster)
            case RedrawHand():
                yield self._pay_points(state, cost)
                yield from redraw_hand(state, me)

    def _pay_points(self, table: Table, cost: int) -> Event:
        return PointsSpent(self.seat, cost, table.points_left - cost)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepReplaced(TurnEnd(self.seat))


def find_action_cost(table: Table, seat: int, move: Move) -> int:
    """Return how many points an action costs. Raises Undetermined."""
    if isinstance(move, UseLeader):
        leader = table.leader_of(seat)
        cost = FACES[leader].action_cost if leader else 0
    else:
        cost = ACTION_COSTS[type(move)]
    return max(1, cost + find_cost_change(table, seat, move)) if cost else 0


def find_cost_change(table: Table, seat: int, move: Move) -> int:
    """Return by how much cards change what an action costs a player.

    HTS-COST-1: A leader or monster of a book may make actions of its player dearer or cheaper. No action that has a
        cost becomes free: one point is due at least.
    """
    if "cost" not in table.rules.boxes.owner_powers or type(move) not in ACTION_WORDS:
        return 0
    found = (each for card in table.ability_cards_of(seat) for each in FACES[card].find_abilities("cost"))
    return sum(each.plus for each in found if ACTION_WORDS[type(move)] in each.values)


def check_points(table: Table, cost: int, move: Move) -> None:
    """Raise IllegalMove if the active player has too few points left.

    HTS-ACT-8: A player who has fewer points left than an action costs may not take it.
    """
    if table.points_left < cost:
        raise IllegalMove("too_few_points", "HTS-ACT-8", *move.clauses, "HTS-AMB-63", cost=cost, left=table.points_left)


def check_drawing(table: Table) -> None:
    """Raise IllegalMove if no card is left to draw.

    HTS-ACT-1: A card must be left in the main deck or in the discard pile.
    """
    if not table.cards_at(DISCARD) and not table.count_cards_at(DECK):
        raise IllegalMove("no_card_to_draw", "HTS-ACT-1", "HTS-AMB-63")


def check_leader_action(table: Table, seat: int) -> None:
    """Raise IllegalMove unless a player's leader still gives an action.

    HTS-ACT-6: Once in each of their turns the owner of The Shadow Claw may pull a card from another player who holds
        one.
    """
    leader = table.leader_of(seat)
    if not leader or not FACES[leader].action_cost:
        raise IllegalMove("leader_gives_no_action", "HTS-ACT-6", "HTS-LEAD-7", card=leader or "")
    if seat == table.active:
        if table.used is None:
            raise Undetermined("was_leader_used")
        if table.used:
            raise IllegalMove("once_in_a_turn", "HTS-ACT-6", "HTS-LEAD-4", card=leader)
    if takes_from_hands(leader) and not any(table.holds_cards(other) for other in table.other_seats(seat)):
        raise IllegalMove("nobody_holds_cards", "HTS-ACT-6", "HTS-AMB-63", card=leader)


def takes_from_hands(leader: str) -> bool:
    """Return whether a leader's action begins with choosing a player who holds cards.

    HTS-AMB-63: The action of The Shadow Claw is refused if all other hands are empty.
    """
    first = next(iter(PROGRAMS[leader, "action"]), None)
    return first is not None and isinstance(first.effect, Choose) and bool(getattr(first.effect.noun, "holding", False))


def redraw_hand(table: Table, seat: int) -> Iterator[Event]:
    """Yield the events of discarding the whole hand and drawing five cards.

    At a real table the discarded cards are named.
    HTS-ACT-5: Redraw, three points: the entire hand is discarded and five cards are drawn. An empty hand is no
        obstacle.
    """
    hand = table.cards_in_hand(seat)
    yield StepPushed(EffectFrame())
    yield StepPushed(CardDrawing(seat, REDRAW_SIZE))
    if any(map(is_back, hand)):
        yield from start_discard(table, "", (seat,), len(hand), len(hand))
    else:
        for card in hand:
            yield CardDiscarded(HANDS[seat], DISCARD, (card,), (card,), seat)


@named("hts.TurnEnds")
@dataclass(frozen=True)
class TurnEnd(Step):
    """A turn ends: win by six classes, end of lasting effects, next player.

    HTS-TURN-8: A turn ends like this: first the win by six classes is checked, then effects that last until the end of
        the turn run out, then the next player's turn begins.
    CARDS-TIME-3: What a text puts off to the end of the turn is carried out before all that.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TURN-6", "HTS-TURN-8", "HTS-WIN-2", "HTS-WIN-3")

    def resolve(self, state: Table) -> Iterator[Event]:
        if due := list_due_texts(state.later, TURN_ENDS, self.seat):
            yield DelayedTextsDue(self.seat, TURN_ENDS)
            yield StepPushed(EffectFrame(due))
            return
        yield TurnEnded(self.seat)
        if state.classes_of(self.seat) >= set(CLASSES):
            yield GameWon(self.seat, "six_classes")
            yield StackCleared()
            return
        if any((each.ends_with, each.until) == (self.seat, "own_turn_end") for each in state.lasting):
            yield LastingEffectEnded(self.seat, "own_turn_end")
        yield StepReplaced(TurnStart(state.other_seats(self.seat)[0]))
