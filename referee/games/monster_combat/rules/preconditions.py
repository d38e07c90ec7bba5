"""What the rules demand of each kind of move, whatever question is open.

They give the reasons of refusals (`referee.engine.reasons.preconditions`); the steps decide what is legal, by the same
functions. For a kind of move they stand in the order of the rulebook.
"""

from __future__ import annotations

from typing import TypeVar

from referee.engine.chance import PickResult, TurnUpResult
from referee.engine.reasons.preconditions import precondition
from referee.engine.rulings import IllegalMove, Scope, Undetermined
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step
from referee.games.monster_combat.components import design_name
from referee.games.monster_combat.moves import (
    DiscardSurplus,
    DrawResult,
    FirstPlayerResult,
    LayOpenResult,
    Parry,
    Pass,
    PlayCard,
    ReviveDraw,
    TakeHit,
)
from referee.games.monster_combat.rules.attacks import LightningAttack, PendingAttack, check_attack_answer
from referee.games.monster_combat.rules.drawing import CardDrawing
from referee.games.monster_combat.rules.ending import DefeatCheck, HandLoss
from referee.games.monster_combat.rules.monsters import MonsterCheck
from referee.games.monster_combat.rules.play_a_card import PlayPhase, RefillHand, check_card_in_hand, check_use
from referee.games.monster_combat.rules.setup import Deal, FirstHands, FirstPlayerLot, SetupStart
from referee.games.monster_combat.rules.theft import Theft
from referee.games.monster_combat.rules.triggers import DUE_CLAUSES, AfterEvent, EventPhase
from referee.games.monster_combat.rules.turn import DrawPhase, PassTurn, SurplusDiscard, TurnStart, check_surplus
from referee.games.monster_combat.state import HAND_LIMIT, Table

PLAYERS_MOVES = (PlayCard, Pass, Parry, TakeHit, DiscardSurplus, ReviveDraw)
SETUP, DRAW, EVENT, PLAY, PLAYED, END = "setup", "draw", "event", "play", "played", "end"  # where a turn stands
STEPS_OF_PHASES: tuple[tuple[str, tuple[type[Step], ...]], ...] = (
    (SETUP, (SetupStart, FirstPlayerLot, FirstHands, Deal)),
    (DRAW, (TurnStart, DrawPhase)),
    (EVENT, (EventPhase, AfterEvent)),
    (PLAY, (PlayPhase,)),
    (END, (SurplusDiscard, PassTurn)),
    (PLAYED, (PendingAttack, LightningAttack, Theft, CardDrawing, RefillHand, MonsterCheck, DefeatCheck, HandLoss)),
)
S = TypeVar("S", bound=Step)


def find_pending(table: Table, kind: type[S]) -> S | None:
    """Return the innermost pending step of a kind, or None."""
    return next((step for step in reversed(table.agenda) if isinstance(step, kind)), None)


def find_phase(table: Table) -> str:
    """Return where the turn stands: `PLAYED` is phase 3 after its card was put down.

    Raises Undetermined if what is pending does not tell.

    MC-TURN-1: A turn goes: draw, event, play a card.
    """
    if any(isinstance(step, EventPhase | AfterEvent) and step.is_late for step in table.agenda):
        return PLAYED  # MC-AMB-4-R2: the event comes by a card that was played
    attack = find_pending(table, PendingAttack)
    if attack is not None and attack.by != "sword":
        if attack.by is None:
            raise Undetermined("which_question")
        return EVENT
    for phase, kinds in STEPS_OF_PHASES:
        if any(isinstance(step, kinds) for step in table.agenda):
            return phase
    raise Undetermined("which_question")


def is_setup(table: Table) -> bool:
    """Return whether the first hands have still to be dealt."""
    return any(isinstance(step, STEPS_OF_PHASES[0][1]) for step in table.agenda)


# ---- every move of a player ----------------------------------------------------------------------------------


@precondition(Table, *PLAYERS_MOVES, clauses=("MC-LIFE-2", "MC-AMB-19"))
def require_living_player(table: Table, seat: Seat, move: object) -> None:
    """Refuse every move of a defeated player.

    MC-LIFE-2: A defeated player has no turns, is passed over and cannot be aimed at.
    MC-AMB-19: If the event has defeated the active player, the turn is over and no card is played.
    """
    if seat not in table.seats or table.hearts[seat] != 0:
        return
    if isinstance(move, PlayCard | Pass) and table.turn == seat:
        raise IllegalMove("defeated_in_the_own_turn", "MC-AMB-19", "MC-LIFE-2", seat=int(seat))
    raise IllegalMove("defeated_already", "MC-LIFE-2", seat=int(seat))


# ---- phase 3 -------------------------------------------------------------------------------------------------


@precondition(Table, PlayCard, clauses=("MC-TURN-PLAY-1", "MC-EVENT-DISCARD-1", "MC-MAT-2", "MC-MAT-4"))
def require_card_in_hand(table: Table, seat: Seat, move: PlayCard) -> None:
    """Refuse a card that this player cannot hold."""
    if seat in table.seats and not is_setup(table):
        check_card_in_hand(table, int(seat), move.card, seat)


@precondition(
    Table,
    PlayCard,
    clauses=(
        "MC-SHIELD-1", "MC-AMB-1", "MC-AMB-8", "MC-V1-LIFE-1", "MC-V2-LIFE-1", "MC-V1-SWORD-1", "MC-V2-SWORD-1",
        "MC-V1-LIGHTNING-1", "MC-V1-SKIP-1", "MC-V2-SKIP-1", "MC-V1-THIEF-1", "MC-V2-THIEF-1",
    ),
)  # fmt: skip
def require_use(table: Table, seat: Seat, move: PlayCard) -> None:
    """Refuse a card that could not do what it says, or not where it is aimed."""
    if seat in table.seats and not is_setup(table):
        check_use(table, int(seat), move)


@precondition(Table, PlayCard, clauses=("MC-LIFE-2",))
def require_living_target(table: Table, seat: Seat, move: PlayCard) -> None:
    """Refuse a card aimed at a defeated player.

    MC-LIFE-2: A defeated player cannot be aimed at – except with a life-back card in variant 2.
    """
    may_revive = table.rules.is_against_monsters and design_name(move.card) == "life_back"
    if move.target is None or may_revive or not {int(seat), move.target} <= set(table.seats):
        return
    if table.hearts[move.target] == 0:
        raise IllegalMove("target_is_defeated", "MC-LIFE-2", seat=move.target)


@precondition(Table, PlayCard, Pass, scope=Scope.WINDOW, clauses=("MC-V1-SKIP-1",))
def require_no_missed_turn(table: Table, seat: Seat, move: object) -> None:
    """Refuse the turn of a player from whom a skip card took it.

    MC-V1-SKIP-1: A skip card takes the coming turn from the next player.
    """
    if seat in table.seats and table.skipped == seat:
        raise IllegalMove("misses_the_coming_turn", "MC-V1-SKIP-1", seat=int(seat))


@precondition(
    Table, PlayCard, Pass, scope=Scope.WINDOW,
    clauses=(
        "MC-SETUP-5", "MC-TURN-1", "MC-TURN-DRAW-1", "MC-V1-TURN-EVENT-1", "MC-V2-TURN-EVENT-1", "MC-EVENT-1",
        "MC-EVENT-DISCARD-1", "MC-TURN-PLAY-1", "MC-TURN-END-1",
    ),
)  # fmt: skip
def require_last_phase(table: Table, seat: Seat, move: object) -> None:
    """Refuse to play a card before phase 3, after it, or a second time.

    MC-TURN-1: A turn goes: draw, event, play a card. Only the last one can be left out.
    MC-V1-TURN-EVENT-1: If the card drawn at the start of the turn is a trigger card, the top event is turned up.
    MC-V2-TURN-EVENT-1: Every turn has an event, whatever card was drawn.
    MC-EVENT-DISCARD-1: Every card the active player holds goes to the discard and does nothing there.
    MC-TURN-PLAY-1: Last, the active player may lay one card from the hand on the discard.
    MC-TURN-END-1: A player who ends a turn with more than seven cards gives up cards. These do nothing.
    """
    phase = find_phase(table)
    if seat not in table.seats or (phase != SETUP and table.active != seat):
        return
    if phase == SETUP:
        raise IllegalMove("hands_are_dealt_first", "MC-SETUP-5")
    if phase == DRAW:
        raise IllegalMove("draw_comes_first", "MC-TURN-1", "MC-TURN-DRAW-1")
    due = DUE_CLAUSES[table.rules.variant][0]
    if phase == EVENT and find_pending(table, HandLoss) is not None:
        raise IllegalMove("hand_is_being_discarded", "MC-EVENT-DISCARD-1", "MC-TURN-1", due)
    if phase == EVENT:
        raise IllegalMove("event_comes_first", "MC-TURN-1", due, "MC-EVENT-1")
    if phase == PLAYED:
        raise IllegalMove("one_card_a_turn", "MC-TURN-PLAY-1")
    if phase == END:
        raise IllegalMove("surplus_is_due", "MC-TURN-END-1")


@precondition(Table, PlayCard, Pass, scope=Scope.TURN, clauses=("MC-TURN-PLAY-1", "MC-TERM-5"))
def require_own_turn(table: Table, seat: Seat, move: object) -> None:
    """Refuse to play a card, or none, in another player's turn.

    MC-TURN-PLAY-1: Last, the active player may lay one card from the hand on the discard.
    MC-TERM-5: The active player is the one whose turn is running.
    """
    if seat in table.seats and table.active in table.seats and table.active != seat:
        raise IllegalMove("turn_of_another", "MC-TURN-PLAY-1", "MC-TERM-5", seat=table.active)


@precondition(Table, Pass, scope=Scope.WINDOW, clauses=("MC-SHIELD-1", "MC-AMB-20"))
def require_answer_to_attack(table: Table, seat: Seat, move: object) -> None:
    """Refuse an attacked player who only passes.

    MC-SHIELD-1: A player who is attacked may answer with a shield from the hand, even out of turn.
    MC-AMB-20: A player who is attacked is asked, shield or not, and may decline.
    """
    attack, lightning = find_pending(table, PendingAttack), find_pending(table, LightningAttack)
    struck = (attack is not None and attack.seat == seat) or (lightning is not None and seat in lightning.order)
    if seat in table.seats and struck and table.turn != seat:
        raise IllegalMove("attack_is_answered", "MC-SHIELD-1", "MC-AMB-20", move=Pass.TAG)


# ---- answers to an attack ------------------------------------------------------------------------------------


@precondition(Table, Parry, clauses=("MC-SHIELD-2", "MC-EVENT-DISCARD-1"))
def require_attack_not_theft(table: Table, seat: Seat, move: Parry) -> None:
    """Refuse a shield against what is no attack.

    MC-SHIELD-2: A shield helps against attacks only, not against other events, skip cards or thieves.
    """
    theft, loss = find_pending(table, Theft), find_pending(table, HandLoss)
    if theft is not None and seat in table.seats:
        raise IllegalMove("no_shield_against_a_thief", "MC-SHIELD-2")
    if seat in table.seats and table.skipped == seat:
        raise IllegalMove("no_shield_against_a_skip", "MC-SHIELD-2")
    if loss is not None and loss.seat == seat and table.hearts[loss.seat] != 0:
        raise IllegalMove("no_shield_against_the_event", "MC-SHIELD-2", "MC-EVENT-DISCARD-1")


@precondition(Table, Parry, clauses=("MC-V1-LIGHTNING-3",))
def require_no_strike_back(table: Table, seat: Seat, move: Parry) -> None:
    """Refuse a shield of the player whose lightning may strike back.

    MC-V1-LIGHTNING-3: If all of them parried, the lightning costs the active player one life, and no shield helps.
    """
    lightning = find_pending(table, LightningAttack)
    if lightning is not None and lightning.by == seat and lightning.all_parried:
        raise IllegalMove("no_shield_against_the_strike_back", "MC-V1-LIGHTNING-3", "MC-V1-LIGHTNING-1")


@precondition(Table, Parry, TakeHit, clauses=("MC-AMB-11",))
def require_no_immunity(table: Table, seat: Seat, move: object) -> None:
    """Refuse the answer of an immune player, whom lightning does not hit.

    MC-AMB-11: Someone immune is neither hit nor asked, so not all parried and nothing strikes back.
    """
    lightning = find_pending(table, LightningAttack)
    if lightning is None or seat not in table.seats or seat == lightning.by or seat in lightning.order:
        return
    if table.is_immune(int(seat)):
        raise IllegalMove("lightning_passes_the_immune", "MC-AMB-11", seat=int(seat))


@precondition(Table, Parry, clauses=("MC-SHIELD-1", "MC-MAT-2", "MC-MAT-4"))
def require_shield_in_hand(table: Table, seat: Seat, move: Parry) -> None:
    """Refuse to fend off with anything but a shield from the own hand."""
    if seat in table.seats and not is_setup(table):
        check_attack_answer(table, int(seat), move)


@precondition(
    Table, Parry, TakeHit, scope=Scope.WINDOW,
    clauses=("MC-SHIELD-1", "MC-V1-LIGHTNING-1", "MC-V1-LIGHTNING-2"),
)  # fmt: skip
def require_attack(table: Table, seat: Seat, move: object) -> None:
    """Refuse an answer of a player who is not attacked just now.

    MC-SHIELD-1: A player who is attacked may answer with a shield from the hand, even out of turn.
    MC-V1-LIGHTNING-1: Lightning attacks everyone but the active player.
    MC-V1-LIGHTNING-2: Those attacked answer one after the other, the next player first.
    """
    if seat not in table.seats:
        return
    attack, lightning = find_pending(table, PendingAttack), find_pending(table, LightningAttack)
    if attack is not None:
        if attack.seat != seat:
            raise IllegalMove("another_is_attacked", "MC-SHIELD-1", seat=attack.seat)
    elif lightning is None:
        raise IllegalMove("no_attack_to_answer", "MC-SHIELD-1")
    elif lightning.by == seat:
        raise IllegalMove("own_lightning", "MC-V1-LIGHTNING-1")
    elif seat in lightning.order[1:]:
        raise IllegalMove("answers_go_round", "MC-V1-LIGHTNING-2", seat=lightning.order[0])
    elif seat not in lightning.order and not table.is_immune(int(seat)):
        raise IllegalMove("answered_already", "MC-V1-LIGHTNING-2", "MC-SHIELD-3", seat=seat)


# ---- surplus cards -------------------------------------------------------------------------------------------


@precondition(Table, DiscardSurplus, clauses=("MC-TURN-END-1", "MC-MAT-2", "MC-MAT-4"))
def require_surplus(table: Table, seat: Seat, move: DiscardSurplus) -> None:
    """Refuse to give up too many or too few cards, or cards that are not held.

    MC-TURN-END-1: The player gives up cards of their own choice down to seven.
    """
    if seat not in table.seats:
        return
    pending = find_pending(table, SurplusDiscard)
    due = pending is not None and pending.seat == seat
    count = pending.count if pending is not None and due else table.count_hand_cards(int(seat)) - HAND_LIMIT
    if count <= 0:
        raise IllegalMove("no_card_too_many", "MC-TURN-END-1", held=count + HAND_LIMIT, limit=HAND_LIMIT)
    check_surplus(table, int(seat), move.cards, count)


@precondition(Table, DiscardSurplus, scope=Scope.WINDOW, clauses=("MC-TURN-END-1",))
def require_end_of_turn(table: Table, seat: Seat, move: object) -> None:
    """Refuse to give up cards before the end of the own turn.

    MC-TURN-END-1: A player who ends a turn with more than seven cards gives up cards of their own choice down to seven.
    """
    if seat in table.seats and table.active == seat and find_phase(table) != END:
        raise IllegalMove("turn_goes_on", "MC-TURN-END-1")


@precondition(Table, DiscardSurplus, scope=Scope.TURN, clauses=("MC-AMB-25",))
def require_own_end_of_turn(table: Table, seat: Seat, move: object) -> None:
    """Refuse to give up cards in another player's turn.

    MC-AMB-25: The limit holds only at the end of the player's own turn. Until then a hand may be larger.
    """
    if seat in table.seats and table.active in table.seats and table.active != seat:
        raise IllegalMove("no_limit_in_this_turn", "MC-AMB-25", seat=table.active, limit=HAND_LIMIT)


# ---- coming back into play -----------------------------------------------------------------------------------


@precondition(Table, ReviveDraw, clauses=("MC-V1-LIFE-1", "MC-V2-LIFE-2", "MC-AMB-18"))
def require_revival(table: Table, seat: Seat, move: object) -> None:
    """Refuse five cards to anybody who has not come back into play just now.

    MC-V1-LIFE-1: A life-back card fills one empty heart of the player who plays it.
    MC-V2-LIFE-2: A player who comes back into play may draw five cards.
    MC-AMB-18: A revived player draws five at once if they wish.
    """
    pending = find_pending(table, RefillHand)
    if seat not in table.seats or (pending is not None and pending.seat == seat):
        return
    if not table.rules.is_against_monsters:
        raise IllegalMove("nobody_comes_back", "MC-V1-LIFE-1", "MC-LIFE-2")
    if pending is not None:
        raise IllegalMove("another_came_back", "MC-V2-LIFE-2", "MC-AMB-18", seat=pending.seat)
    raise IllegalMove("nobody_came_back", "MC-V2-LIFE-2", "MC-AMB-18")


# ---- what chance brings and the table reports ----------------------------------------------------------------


@precondition(Table, DrawResult, scope=Scope.WINDOW, clauses=("MC-TURN-DRAW-1",))
def require_due_draw(table: Table, seat: Seat, move: object) -> None:
    """Refuse a drawn card when none is due.

    MC-TURN-DRAW-1: The turn begins with the top card of the draw pile going into the active player's hand.
    """
    if find_pending(table, CardDrawing) is None and find_phase(table) not in (SETUP, DRAW):
        raise IllegalMove("no_card_is_due", "MC-TURN-DRAW-1")


@precondition(
    Table, TurnUpResult, scope=Scope.WINDOW, clauses=("MC-TURN-1", "MC-V1-TURN-EVENT-1", "MC-V2-TURN-EVENT-1")
)
def require_due_event(table: Table, seat: Seat, move: object) -> None:
    """Refuse an event when none is due.

    MC-V1-TURN-EVENT-1: If the card drawn at the start of the turn is a trigger card, the top event is turned up.
    MC-V2-TURN-EVENT-1: Every turn has an event, whatever card was drawn.
    """
    if find_pending(table, EventPhase) is not None:
        return
    if find_phase(table) in (SETUP, DRAW):
        raise IllegalMove("draw_comes_first", "MC-TURN-1", "MC-TURN-DRAW-1")
    if table.rules.is_against_monsters:
        raise IllegalMove("one_event_a_turn", "MC-V2-TURN-EVENT-1")
    raise IllegalMove("event_needs_a_trigger", "MC-V1-TURN-EVENT-1", "MC-V1-TRIGGER-1")


@precondition(Table, PickResult, clauses=("MC-V1-THIEF-1", "MC-V2-THIEF-1", "MC-AMB-26"))
def require_theft(table: Table, seat: Seat, move: object) -> None:
    """Refuse cards out of a hand that no thief takes, or that somebody chooses.

    MC-V1-THIEF-1: A thief takes one card of the next player's hand for each magnet, unseen and by chance.
    MC-V2-THIEF-1: A thief draws one card from the draw pile for each magnet.
    MC-AMB-26: Each card of the hand is as likely as any other.
    """
    if table.rules.is_against_monsters:
        raise IllegalMove("thief_only_draws", "MC-V2-THIEF-1")
    if find_pending(table, Theft) is None:
        raise IllegalMove("no_thief_is_played", "MC-V1-THIEF-1")
    if seat != CHANCE:
        raise IllegalMove("nobody_chooses_the_loot", "MC-V1-THIEF-1", "MC-AMB-26")


@precondition(Table, LayOpenResult, scope=Scope.WINDOW, clauses=("MC-EVENT-DISCARD-1", "MC-AMB-18"))
def require_lost_hand(table: Table, seat: Seat, move: object) -> None:
    """Refuse to lay a hand open that nobody has lost.

    MC-EVENT-DISCARD-1: Every card the active player holds goes to the discard and does nothing there.
    MC-AMB-18: On defeat the hand goes to the discard if the match goes on.
    """
    if find_pending(table, HandLoss) is None:
        raise IllegalMove("no_hand_is_lost", "MC-EVENT-DISCARD-1", "MC-AMB-18")


@precondition(Table, FirstPlayerResult, scope=Scope.WINDOW, clauses=("MC-SETUP-6",))
def require_lot(table: Table, seat: Seat, move: object) -> None:
    """Refuse to draw the first player once it is known who begins.

    MC-SETUP-6: One player begins.
    """
    if find_pending(table, FirstPlayerLot) is None:
        raise IllegalMove("first_player_is_known", "MC-SETUP-6")
