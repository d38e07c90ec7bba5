"""What the rules demand of the steps of a turn, whatever question is open.

They give the reasons of refusals (`referee.engine.reasons.preconditions`); the steps decide what is legal, by the same
functions. The files `preconditions_of_items`, `preconditions_of_cards` and `preconditions_of_combat` register those of
the other kinds of moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from referee.engine.events import Move
from referee.engine.reasons.preconditions import precondition
from referee.engine.rulings import IllegalMove, Scope
from referee.engine.seats import Seat
from referee.engine.steps import Step
from referee.games.munchkin import moves
from referee.games.munchkin.components import FACES
from referee.games.munchkin.moves import (
    EndTurn,
    GiveToCharity,
    KickDoor,
    LookForTrouble,
    LootRoom,
    PlayCard,
    Ready,
)
from referee.games.munchkin.player_leaves import Leave, check_leave, check_presence
from referee.games.munchkin.rules import charity
from referee.games.munchkin.rules.cards.cursing import find_pending_curse
from referee.games.munchkin.rules.cards.playing import ANSWERING_TIMES, OPEN_MOMENTS
from referee.games.munchkin.rules.combat import fleeing
from referee.games.munchkin.rules.items import claiming
from referee.games.munchkin.rules.items.equipping import check_alive
from referee.games.munchkin.rules.setup import Preparing
from referee.games.munchkin.rules.state_based_checks import LimitCorrection
from referee.games.munchkin.rules.turn import (
    AfterDoor,
    Calm,
    check_hand_limit,
    check_monster_for_trouble,
    check_stage,
)
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import is_winning
from referee.games.munchkin.values import NOBODY

Check = Callable[[Table, int, Any], None]
C = TypeVar("C", bound=Check)
S = TypeVar("S", bound=Step)

STEPS_AFTER_DOOR = (LookForTrouble, LootRoom, EndTurn, GiveToCharity)
TURN_STEPS = (KickDoor, *STEPS_AFTER_DOOR)
HELP_MOVES = (moves.AskHelp, moves.TakeBackRequest, moves.AcceptHelp, moves.DeclineHelp, moves.CounterOffer)
MAIN_PLAYER_MOVES = (moves.ClaimKill, moves.RunAway, moves.LetPass)
# What any living player may do at a moment that is open, and what waits while something is being carried out.
PLAYS = (
    moves.PutIntoPlay, PlayCard, moves.JoinByTag, moves.UsePower, moves.DiscardFromPlay, moves.Equip, moves.Unequip,
    moves.Sell, moves.ShowHand, moves.OfferTrade, moves.WithdrawTrade, moves.TakeTrade, moves.DeclineTrade,
)  # fmt: skip
LIVING_MOVES = (
    *TURN_STEPS, *PLAYS, *HELP_MOVES, *MAIN_PLAYER_MOVES, moves.Pass, moves.TakeBackPass, moves.FleeFrom,
    moves.GiveUpRide, moves.HelperFirst, moves.TakeCard,
)  # fmt: skip


def demand(*kinds: type[Move], clauses: tuple[str, ...], scope: Scope = Scope.THING) -> Callable[[C], C]:
    """Register a function as what the rules demand of a player's moves.

    It is not asked of bystanders, the clock and chance, nor once the match is over.
    """

    def register(check: C) -> C:
        def check_player(table: Table, seat: Seat, move: Any) -> None:
            if 0 <= seat < table.rules.seats and table.agenda:
                check(table, int(seat), move)

        precondition(Table, *kinds, clauses=clauses, scope=scope)(check_player)
        return check

    return register


def find_pending(table: Table, kind: type[S]) -> S | None:
    """Return the innermost pending step of this kind, or None."""
    return next((step for step in reversed(table.agenda) if isinstance(step, kind)), None)


def find_stage(table: Table) -> str:
    """Return the stage of the turn.

    `start`, `choice`, `after`, `door` while what was behind the door is dealt with, or nothing before the first turn
    and between two turns.
    """
    step = next((step for step in reversed(table.agenda) if isinstance(step, Calm | AfterDoor)), None)
    return "" if step is None else "door" if isinstance(step, AfterDoor) else step.stage


# ---- who acts at all, and when nothing is taken ----------------------------------------------------------------------


@demand(Leave, clauses=("MK-26.9", "MK-1.6"))
def require_player_who_may_leave(table: Table, seat: int, _move: Move) -> None:
    """Refuse to leave twice, before the first turn, or where nobody leaves (MK-26.9)."""
    check_leave(table, Seat(seat))


@demand(*LIVING_MOVES, moves.KeepRoll, moves.PickTreasure, clauses=("MK-26.9",))
def require_presence(table: Table, seat: int, _move: Move) -> None:
    """Refuse what a player does who has left the table (MK-26.9)."""
    check_presence(table, seat)


@demand(*LIVING_MOVES, clauses=("MK-19.7",))
def require_living_player(table: Table, seat: int, _move: Move) -> None:
    """Refuse what a dead player does.

    MK-19.7: A dead character cannot act.
    """
    check_alive(table, seat)


@demand(*TURN_STEPS, *HELP_MOVES, *MAIN_PLAYER_MOVES, scope=Scope.WINDOW, clauses=("MK-1.6",))
def require_first_turn(table: Table, _seat: int, _move: Move) -> None:
    """Refuse the steps of a turn before the first one (MK-1.6)."""
    if find_pending(table, Preparing) is not None:
        raise IllegalMove("not_begun_yet", "MK-1.6")


@demand(moves.Equip, moves.Unequip, scope=Scope.WINDOW, clauses=("MK-7.5",))
def require_no_curse_about_to_strike(table: Table, seat: int, _move: Move) -> None:
    """Refuse to change what is in use between a curse and its effect (MK-7.5)."""
    curse = find_pending_curse(table)
    if curse is not None and curse.victim == seat:
        raise IllegalMove("curse_strikes_first", "MK-7.5", card=curse.card)


@demand(
    *PLAYS, *TURN_STEPS, *HELP_MOVES, *MAIN_PLAYER_MOVES, moves.FleeFrom, moves.GiveUpRide, scope=Scope.WINDOW,
    clauses=("MK-3.6",),
)  # fmt: skip
def require_nothing_carried_out(table: Table, seat: int, move: Move) -> None:
    """Refuse plays while another one is being carried out.

    MK-3.6: A play is carried out in full before the next one is taken.
    """
    top = table.agenda[-1]
    if table.moment in (*OPEN_MOMENTS, "setup") or answers_by_card(move):
        return
    if seat in top.awaited_seats(table) and (table.moment or isinstance(top, LimitCorrection)):
        return  # the question itself says what answers it
    raise IllegalMove("carried_out_first", "MK-3.6")


def answers_by_card(move: Move) -> bool:
    """Return whether a play is of a card that answers a curse or a die."""
    face = FACES.get(move.card) if isinstance(move, PlayCard) else None
    return face is not None and bool(set(ANSWERING_TIMES) & set(face.when))


# ---- the setup -------------------------------------------------------------------------------------------------------


@demand(Ready, clauses=("MK-1.6",))
def require_ready_once(table: Table, seat: int, _move: Ready) -> None:
    """Refuse a second readiness, or one after the first turn has begun (MK-1.6)."""
    preparing = find_pending(table, Preparing)
    if preparing is None:
        raise IllegalMove("begun_already", "MK-1.6")
    if seat in preparing.ready:
        raise IllegalMove("ready_already", "MK-1.6")


# ---- the steps of a turn ---------------------------------------------------------------------------------------------


@demand(LookForTrouble, clauses=("MK-5.4",))
def require_monster_for_trouble(table: Table, seat: int, move: LookForTrouble) -> None:
    """Refuse to look for trouble without this monster (MK-5.4)."""
    check_monster_for_trouble(table, seat, move.monster)


@demand(EndTurn, clauses=("MK-21.1", "MK-21.3"))
def require_hand_limit(table: Table, seat: int, _move: EndTurn) -> None:
    """Refuse to end the turn with too many cards (MK-21.1)."""
    if table.turn == seat and find_stage(table) == "after" and table.combat is None:
        check_hand_limit(table, seat)


@demand(GiveToCharity, clauses=("MK-21.1", "MK-21.2", "MK-21.3"))
def require_fair_gift(table: Table, seat: int, move: GiveToCharity) -> None:
    """Refuse charity with wrong cards or shares (MK-21.1 to MK-21.3)."""
    if table.turn == seat and find_stage(table) == "after" and table.combat is None and seat not in table.dead:
        charity.check_give(table, seat, move)


@demand(KickDoor, scope=Scope.WINDOW, clauses=("MK-5.1", "MK-5.3"))
def require_closed_door(table: Table, seat: int, move: Move) -> None:
    """Refuse to kick open a second door, even in combat (MK-5.1)."""
    require_stage(table, seat, move)


@demand(
    *TURN_STEPS, scope=Scope.WINDOW, clauses=("MK-5.1", "MK-6.5", "MK-15.1", "MK-15.3", "MK-17.1", "MK-17.9")
)  # fmt: skip
def require_no_open_combat(table: Table, seat: int, _move: Move) -> None:
    """Refuse to go on with the own turn while the combat is not over.

    MK-5.1: First the door is kicked open, then comes a combat or a choice, then charity.
    MK-6.5: A combat lasts until its rewards are handed out or the last roll to run away is settled.
    MK-17.1: If main cannot win and gets no help, all fighters must run.
    MK-17.9: Charity comes when all rolls are settled.
    """
    if table.turn != seat or not table.is_in_combat(seat):
        return
    if find_pending(table, fleeing.Fleeing) is not None:
        raise IllegalMove("fighters_still_run", "MK-17.9", "MK-5.1", "MK-6.5")
    if find_pending(table, claiming.ClaimWindow) is not None:
        raise IllegalMove("kill_is_claimed", "MK-15.3", "MK-5.1", "MK-6.5")
    if table.moment == "fight":
        if is_winning(table):
            raise IllegalMove("kill_can_be_claimed", "MK-5.1", "MK-15.1", "MK-6.5")
        raise IllegalMove("a_combat_is_open", "MK-5.1", "MK-17.1", "MK-6.5")


@demand(*STEPS_AFTER_DOOR, scope=Scope.WINDOW, clauses=("MK-5.1", "MK-5.4", "MK-5.6", "MK-5.8"))
def require_stage(table: Table, seat: int, move: Move) -> None:
    """Refuse a step that comes too early or too late (MK-5.1, MK-5.6, MK-5.8)."""
    stage = find_stage(table)
    if stage and table.turn == seat:
        check_stage(table, move, "after" if stage == "door" and table.fought else stage)


@demand(GiveToCharity, scope=Scope.TURN, clauses=("MK-21.4",))
def require_own_charity(table: Table, seat: int, _move: GiveToCharity) -> None:
    """Refuse charity in another's turn.

    MK-21.4: The other players may hold any number of cards until their own charity.
    """
    if table.turn not in (seat, NOBODY):
        raise IllegalMove("charity_of_another", "MK-21.4", seat=table.turn)


@demand(*TURN_STEPS, scope=Scope.TURN, clauses=("MK-1.8",))
def require_own_turn(table: Table, seat: int, _move: Move) -> None:
    """Refuse the steps of a turn in another's turn.

    MK-1.8: The turn passes to the left.
    """
    if table.turn not in (seat, NOBODY):
        raise IllegalMove("turn_of_another", "MK-1.8", seat=table.turn)
