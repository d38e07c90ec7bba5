"""A turn: start phase with draw and start dice, combat phase, tactic phase.

In the combat phase creatures are played, crush cards laid and flipped, and allies attack, as often as the dice allow.
In the tactic phase allies move. Clauses: CC-TURN-1, CC-START-1 to CC-START-4, CC-COMBAT-1, CC-TACTIC-1 to CC-TACTIC-3,
CC-END-3, CC-AMB-2, CC-AMB-8 to CC-AMB-10, CC-AMB-32.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.questions import PlayerPrompt
from referee.engine.chance import Roll
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import NotAsked
from referee.engine.seats import Seat
from referee.engine.steps import Frame, Step, StepPopped, StepPushed, StepReplaced
from referee.games.creature_crush.components import BASIC_DICE, MOST_START_DICE, OPENING_DICE
from referee.games.creature_crush.events.course import (
    DelayedEffectsDue,
    PhaseBegan,
    StartDiceLost,
    StartDiceRolled,
    StartDiceTaken,
    TurnBegan,
    TurnEnded,
)
from referee.games.creature_crush.moves import (
    Attack,
    EndCombat,
    EndTurn,
    Flip,
    Lay,
    MoveCreature,
    OfferDraw,
    Summon,
    Swap,
)
from referee.games.creature_crush.rules import concede_and_draw
from referee.games.creature_crush.rules.actions import setting_traps, summoning
from referee.games.creature_crush.rules.actions.paying import burn_dice
from referee.games.creature_crush.rules.actions.setting_traps import check_lay, lay_crush_card, list_lays
from referee.games.creature_crush.rules.actions.summoning import check_summon, list_summons, summon_creature
from referee.games.creature_crush.rules.actions.tactic import (
    check_move,
    check_swap,
    list_moves,
    move_creature,
    swap_creatures,
)
from referee.games.creature_crush.rules.activating import watch_end, watch_start
from referee.games.creature_crush.rules.chain import TriggerStep, start_chain_with_flip
from referee.games.creature_crush.rules.combat.attacking import check_attack, list_attacks, start_attack
from referee.games.creature_crush.rules.combat.flipping import check_flip, list_flips
from referee.games.creature_crush.rules.drawing import CardDrawing
from referee.games.creature_crush.rules.ending import MatchEndCheck
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NEXT_TURN, NOBODY, TURN_ENDS, TriggerEvent

BONUS_BY_ROLL = {"basic": "triple", "triple": "quadruple"}  # the bonus die that dice all alike bring (CC-AMB-9)


@named("cc.TurnBegins")
@dataclass(frozen=True)
class TurnStart(Step):
    """A player comes on turn, with the start phase.

    CC-TURN-1: The players take turns alternately, and each turn has three phases in this order: start, combat, tactic.
    CC-AMB-34: What a card does as the start phase begins comes before the draw.
    CC-START-3: The player who opens the match rolls only two start dice in the first turn, and three from then on.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-TURN-1",)

    def resolve(self, state: Table) -> Iterator[Event]:
        opening = state.opener == NOBODY
        yield StepReplaced(CombatPhase(self.seat))
        yield TurnBegan(self.seat)
        yield from begin_start_dice(state, self.seat, OPENING_DICE if opening else BASIC_DICE)
        yield StepPushed(CardDrawing(self.seat, 1, True))
        due = state.list_due_effects(NEXT_TURN, self.seat)
        if due:
            yield DelayedEffectsDue(self.seat, NEXT_TURN)
        started = TriggerEvent("start", self.seat, {}, (*watch_start(state, self.seat), *due))
        yield StepPushed(Frame((TriggerStep(started),)))


def begin_start_dice(table: Table, seat: int, dice: int) -> Iterator[Event]:
    """Yield the events with which the roll of this many basic start dice lies ready.

    CC-WORD-DICE-1: If a card takes start dice away, that many fewer are rolled, and fewer than three bring no bonus.
    """
    extra = table.extra[seat]
    if extra >= 0:
        yield StepPushed(StartDiceRoll(dice=dice, seat=seat, extra=extra))
        return
    yield StartDiceTaken(seat, -extra)
    left = dice + extra
    yield StepPushed(StartDiceRoll(dice=left, seat=seat, which="fewer") if left > 0 else StartPhaseEnd(seat))


def give_turn(table: Table, seat: int) -> Table:
    """Return the table corrected so that the turn of `seat` is about to begin.

    What lasts for a turn is over.
    """
    ended: Table = TurnEnded(table.turn).apply(table)
    return replace_fields(ended, agenda=(TurnStart(seat),))


@named("cc.StartDice")
@dataclass(frozen=True)
class StartDiceRoll(Roll):
    """Start dice to roll: the basic ones, a bonus die, or the additional ones.

    `extra` is the number of additional dice still to come, earned before this turn. `alike` is what all the dice before
    show.

    CC-MAT-2: White dice are start dice, rolled again every turn.
    CC-START-2: Three start dice are rolled. If they are a triple, a fourth is rolled, and if all four are alike, a
        fifth.
    CC-START-4: Additional start dice are rolled after the others. Nobody has more than five start dice in a turn.
    """

    seat: int = 0
    which: str = "basic"
    extra: int = 0
    alike: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("CC-MAT-2",)  # which dice these are, the event cites

    def resolve_roll(self, state: Table, values: tuple[int, ...]) -> Iterator[Event]:
        yield StartDiceRolled(self.seat, values, self.which)
        bonus = self._find_bonus(values)
        if bonus:
            yield StepPushed(StartDiceRoll(seat=self.seat, which=bonus, extra=self.extra, alike=values[0]))
            return
        coming = min(self.extra, MOST_START_DICE - len(state.dice) - len(values))
        if coming < self.extra:
            yield StartDiceLost(self.seat, self.extra - coming)
        if coming:
            yield StepPushed(StartDiceRoll(dice=coming, seat=self.seat, which="extra"))
        else:
            yield StepPushed(StartPhaseEnd(self.seat))

    def _find_bonus(self, values: tuple[int, ...]) -> str:
        """Return the kind of bonus die that these dice bring, or "".

        CC-AMB-9: Three alike bring the fourth, all four alike the fifth. The two dice of the opening turn bring none.
        """
        alike = len({*values, self.alike or values[0]}) == 1
        opening = self.which == "basic" and self.dice < BASIC_DICE
        return BONUS_BY_ROLL.get(self.which, "") if alike and not opening else ""


@named("cc.StartOver")
@dataclass(frozen=True)
class StartPhaseEnd(Step):
    """The start phase is over, and the combat phase begins.

    CC-TURN-1: Each turn has three phases in this order: start, combat, tactic.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-TURN-1",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        yield PhaseBegan(self.seat, "combat")
        yield StepPushed(MatchEndCheck())


# ---- the combat phase and the tactic phase ---------------------------------------------------------------------------


@named("cc.Combat")
@dataclass(frozen=True)
class CombatPhase(PlayerPrompt):
    """The active player's combat phase. What its actions set off lies on top of it.

    CC-COMBAT-1: In the combat phase the active player may summon creatures from the hand, lay crush cards, attack with
        allies and flip crush cards, in any order and as often as the dice allow.
    CC-AMB-33: The active player may offer a draw, at most once in a turn.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-COMBAT-1",)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return self._list_answers(state, near=True)

    def promising_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return self._list_answers(state, near=False)

    def _list_answers(self, state: Table, near: bool) -> Iterator[Move]:
        yield EndCombat()
        yield OfferDraw()
        yield from list_attacks(state, self.seat, near)
        yield from list_flips(state, self.seat, None)
        yield from list_lays(state, self.seat, near)
        yield from list_summons(state, self.seat, near)  # last, because a hand of real cards has very many

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        match move:
            case Summon():
                check_summon(state, self.seat, move)
            case Attack():
                check_attack(state, self.seat, move)
            case Lay():
                check_lay(state, self.seat, move)
            case Flip():
                check_flip(state, self.seat, move, None)
            case OfferDraw():
                concede_and_draw.check_draw_offer(state, self.seat)
            case EndCombat():
                pass
            case _:
                raise NotAsked("not_in_combat", "CC-COMBAT-1", move=move.TAG)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        match move:
            case Summon():
                yield from summon_creature(state, self.seat, move)
            case Attack():
                yield from start_attack(state, self.seat, move)
            case Lay():
                yield from lay_crush_card(state, self.seat, move)
            case Flip():
                yield StepPushed(MatchEndCheck())
                yield from start_chain_with_flip(state, self.seat, move)
            case OfferDraw():
                yield from concede_and_draw.offer_draw(self.seat)
            case EndCombat():
                yield StepReplaced(TacticPhase(self.seat))
                yield PhaseBegan(self.seat, "tactic")
                yield StepPushed(MatchEndCheck())

    def move_patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        if seat != self.seat:
            return ()
        return (*summoning.build_summon_patterns(state, self.seat), *setting_traps.build_lay_patterns(state, self.seat))

    def default_answer(self, state: Table, seat: Seat) -> Move:
        return EndCombat()


@named("cc.Tactic")
@dataclass(frozen=True)
class TacticPhase(PlayerPrompt):
    """The active player's tactic phase.

    CC-TURN-1: Each turn has three phases in this order: start, combat, tactic.
    CC-TACTIC-1: In the tactic phase creatures move to free places of their own A- and B-zone for one burned die each,
        whatever its pips.
    CC-TACTIC-2: For two burned dice two allies swap their places.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-TURN-1",)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return self._list_answers(state, near=True)

    def promising_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return self._list_answers(state, near=False)

    def _list_answers(self, state: Table, near: bool) -> Iterator[Move]:
        yield EndTurn()
        if state.dice:
            yield from list_moves(state, self.seat, near)
        yield OfferDraw()

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        match move:
            case MoveCreature():
                check_move(state, self.seat, move)
            case Swap():
                check_swap(state, self.seat, move)
            case OfferDraw():
                concede_and_draw.check_draw_offer(state, self.seat)
            case EndTurn():
                pass
            case _:
                raise NotAsked("not_in_tactic", "CC-TACTIC-1", move=move.TAG)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        match move:
            case MoveCreature():
                yield from move_creature(state, self.seat, move)
            case Swap():
                yield from swap_creatures(state, self.seat, move)
            case OfferDraw():
                yield from concede_and_draw.offer_draw(self.seat)
            case EndTurn():
                yield from end_turn(state, self.seat)

    def default_answer(self, state: Table, seat: Seat) -> Move:
        return EndTurn()


def end_turn(table: Table, seat: int) -> Iterator[Event]:
    """Yield the events of ending a turn.

    CC-TACTIC-3: At the end of the tactic phase all start dice left are burned.
    """
    if table.dice:
        yield burn_dice(seat, table.dice)
    due = table.list_due_effects(TURN_ENDS, seat)
    effects = (*watch_end(table, seat), *due)
    if effects:
        yield StepReplaced(TurnEnd(seat))
        yield from begin_end_effects(seat, effects, bool(due))
    else:
        yield from finish_turn(seat)


def begin_end_effects(seat: int, effects: tuple[Execution, ...], has_delayed: bool) -> Iterator[Event]:
    """Yield the events with which effects begin that belong to the end of a turn."""
    if has_delayed:
        yield DelayedEffectsDue(seat, TURN_ENDS)
    yield StepPushed(MatchEndCheck())
    yield StepPushed(Frame((TriggerStep(TriggerEvent("end", seat, {}, effects)),)))


def finish_turn(seat: int) -> Iterator[Event]:
    """Yield the events with which a turn is over and the next one is about to begin."""
    yield TurnEnded(seat)
    yield StepReplaced(TurnStart(1 - seat))
    yield StepPushed(MatchEndCheck())


@named("cc.TurnEnds")
@dataclass(frozen=True)
class TurnEnd(Step):
    """A turn is over as soon as what cards do at its end has been handled.

    CC-WORD-TIME-1: What cards do at the end of the turn is handled before anything that lasts for the turn is over.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-WORD-TIME-1",)

    def resolve(self, state: Table) -> Iterator[Event]:
        due = state.list_due_effects(TURN_ENDS, self.seat)
        if due:  # what texts at the end of the turn have put off to it
            yield from begin_end_effects(self.seat, due, True)
        else:
            yield from finish_turn(self.seat)
