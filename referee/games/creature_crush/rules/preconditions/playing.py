"""What the rules demand of playing cards, attacking and moving.

It holds whatever question is open, and gives the reasons of refusals (`referee.engine.reasons.preconditions`). The
steps decide what is legal, by the same functions. What answers a question or a window stands in `answering`.
"""

from __future__ import annotations

from referee.cardscript.language.interpreter import Execution
from referee.engine.events import Move
from referee.engine.rulings import IllegalMove, Scope
from referee.engine.zones import is_back
from referee.games.creature_crush.components import HANDS, face_of
from referee.games.creature_crush.events.pending import PendingAttack
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
from referee.games.creature_crush.rules.actions.actions import check_action_left, check_ally
from referee.games.creature_crush.rules.actions.paying import check_burned_dice, check_dice_present, check_pips
from referee.games.creature_crush.rules.actions.setting_traps import (
    check_crush_place,
    check_lay_price,
    require_layable_card,
)
from referee.games.creature_crush.rules.actions.summoning import (
    check_creature_in_hand,
    check_entry_place,
    require_field_place,
)
from referee.games.creature_crush.rules.actions.tactic import (
    check_free_place,
    check_movable_ally,
    check_swapping_allies,
)
from referee.games.creature_crush.rules.chain import Chain
from referee.games.creature_crush.rules.combat.attacking import check_attack_points, check_target
from referee.games.creature_crush.rules.combat.flipping import check_prerequisite, require_flippable_card
from referee.games.creature_crush.rules.concede_and_draw import DrawAnswer, check_draw_offer
from referee.games.creature_crush.rules.preconditions.asking import (
    demands,
    find_open_window,
    has_dice,
    is_broken,
    is_in_other_phase,
)
from referee.games.creature_crush.rules.turn import CombatPhase, TacticPhase
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY

OF_COMBAT = (Summon, Attack)
OF_THE_TURN = (Summon, Lay, Attack, EndCombat, MoveCreature, Swap, EndTurn)
SWAP_DICE, MOVE_DICE = 2, 1


# ---- summoning -----------------------------------------------------------------------------------------------


@demands(Summon, clauses=("CC-SUMMON-1", "CC-ZONE-1"))
def require_creature_in_hand(table: Table, seat: int, move: Summon) -> None:
    """Refuse what is no creature of the hand."""
    check_creature_in_hand(table, seat, move.card)


@demands(Summon, clauses=("CC-ZONE-1", "CC-SUMMON-1", "CC-SUMMON-2", "CC-SUMMON-4", "CC-AMB-11"))
def require_entry_place(table: Table, seat: int, move: Summon) -> None:
    """Refuse a place that a creature may not enter."""
    check_entry_place(table, seat, require_field_place(seat, move.place, "CC-SUMMON-1"))


# ---- attacking -----------------------------------------------------------------------------------------------


@demands(Attack, clauses=("CC-GLOSS-4", "CC-COMBAT-1"))
def require_ally_to_attack(table: Table, seat: int, move: Attack) -> None:
    """Refuse an attacker that is no ally."""
    check_ally(table, seat, move.creature, "CC-COMBAT-1")


@demands(Attack, clauses=("CC-ACT-1", "CC-AMB-12", "CC-KEY-LIVELY-1"))
def require_action_of_attacker(table: Table, seat: int, move: Attack) -> None:
    """Refuse an attacker that has used its action."""
    if has_dice(table, seat) and table.possessor_of(move.creature) == seat:
        check_action_left(table, move.creature)


@demands(Attack, clauses=("CC-ATTACK-2",))
def require_attack_points(table: Table, seat: int, move: Attack) -> None:
    """Refuse an attacker without attack points."""
    if table.possessor_of(move.creature) == seat:
        check_attack_points(table, move.creature)


@demands(Attack, clauses=("CC-ATTACK-3", "CC-ATTACK-4", "CC-ZONE-2", "CC-AMB-13", "CC-GLOSS-4"))
def require_target_in_reach(table: Table, seat: int, move: Attack) -> None:
    """Refuse a target that the attacker does not reach."""
    if table.possessor_of(move.creature) == seat:
        check_target(table, seat, move.creature, move.target)


# ---- paying for creatures -------------------------------------------------------------------------------------


@demands(Summon, Attack, clauses=("CC-PAY-2",))
def require_dice_that_pay(table: Table, seat: int, move: Summon | Attack) -> None:
    """Refuse to pay with dice that are not there."""
    if has_dice(table, seat):
        check_dice_present(table, move.dice)


@demands(Summon, Attack, clauses=("CC-PAY-1",))
def require_cost_of_creature(table: Table, seat: int, move: Summon | Attack) -> None:
    """Refuse dice whose pips are not the cost of the creature."""
    card = move.card if isinstance(move, Summon) else move.creature
    is_known = card in table.possible_cards(HANDS[seat]) and not is_back(card)
    if has_dice(table, seat) and is_known and face_of(card).is_creature:
        check_pips(table, move.dice, seat, card)


# ---- crush cards ---------------------------------------------------------------------------------------------


@demands(Lay, clauses=("CC-CRUSH-1",))
def require_crush_card_in_hand(table: Table, seat: int, move: Lay) -> None:
    """Refuse what is no crush card of the hand."""
    require_layable_card(table, seat, move.card)


@demands(Lay, clauses=("CC-ZONE-1", "CC-CRUSH-1", "CC-AMB-14"))
def require_free_crush_place(table: Table, seat: int, move: Lay) -> None:
    """Refuse a place where no crush card can be laid."""
    check_crush_place(table, seat, move.place)


@demands(Lay, clauses=("CC-CRUSH-1", "CC-CRUSH-2", "CC-AMB-15", "CC-PAY-2"))
def require_dice_for_crush_card(table: Table, seat: int, move: Lay) -> None:
    """Refuse another number of dice than the crush card costs."""
    if has_dice(table, seat) and not is_broken(require_layable_card, table, seat, move.card):
        check_lay_price(table, move, require_layable_card(table, seat, move.card))


@demands(Lay, scope=Scope.WINDOW, clauses=("CC-CRUSH-1", "CC-AMB-14"))
def require_own_combat_to_lay(table: Table, seat: int, move: Lay) -> None:
    """Refuse to lay outside the player's own combat phase.

    CC-CRUSH-1: A crush card is laid in its player's own combat phase.
    """
    if table.turn != seat or table.phase != "combat":
        raise IllegalMove("lay_in_own_combat", "CC-CRUSH-1", "CC-AMB-14")


@demands(Flip, clauses=("CC-ZONE-1", "CC-CRUSH-1", "CC-CRUSH-FLIP-1", "CC-AMB-16"))
def require_crush_card_that_lies_there(table: Table, seat: int, move: Flip) -> None:
    """Refuse to flip what does not lie there."""
    require_flippable_card(table, seat, move)


@demands(Flip, clauses=("CC-CRUSH-FLIP-2", "CC-CRUSH-FLIP-3", "CC-AMB-16"))
def require_prerequisite(table: Table, seat: int, move: Flip) -> None:
    """Refuse to flip a card while what stands before the word Flip is not met."""
    if not is_broken(require_flippable_card, table, seat, move):
        window = find_open_window(table)
        printed = require_flippable_card(table, seat, move)
        check_prerequisite(table, seat, move.card, printed, None if window is None else window.happening)


# ---- the tactic phase ----------------------------------------------------------------------------------------


@demands(MoveCreature, clauses=("CC-GLOSS-4", "CC-TACTIC-1", "CC-AMB-14"))
def require_ally_to_move(table: Table, seat: int, move: MoveCreature) -> None:
    """Refuse to move what is no ally."""
    check_movable_ally(table, seat, move.creature, "CC-TACTIC-1")


@demands(MoveCreature, clauses=("CC-ACT-1", "CC-AMB-12", "CC-KEY-LIVELY-1"))
def require_action_of_moved_creature(table: Table, seat: int, move: MoveCreature) -> None:
    """Refuse to move a creature that has used its action."""
    if has_dice(table, seat) and table.possessor_of(move.creature) == seat:
        check_action_left(table, move.creature)


@demands(MoveCreature, clauses=("CC-ZONE-1", "CC-TACTIC-1"))
def require_free_place(table: Table, seat: int, move: MoveCreature) -> None:
    """Refuse a place to which nobody is moved."""
    check_free_place(table, seat, move.place)


@demands(MoveCreature, clauses=("CC-PAY-2", "CC-TACTIC-1"))
def require_die_for_move(table: Table, seat: int, move: MoveCreature) -> None:
    """Refuse a die that is not there."""
    if has_dice(table, seat):
        check_burned_dice(table, (move.die,), MOVE_DICE, "CC-TACTIC-1")


@demands(Swap, clauses=("CC-GLOSS-4", "CC-TACTIC-2", "CC-AMB-14"))
def require_two_allies(table: Table, seat: int, move: Swap) -> None:
    """Refuse to swap what are not two allies."""
    check_swapping_allies(table, seat, move.creature, move.other)


@demands(Swap, clauses=("CC-AMB-17", "CC-ACT-1", "CC-AMB-12"))
def require_actions_of_both(table: Table, seat: int, move: Swap) -> None:
    """Refuse to swap a creature that has used its action."""
    for creature in (move.creature, move.other) if has_dice(table, seat) else ():
        if table.possessor_of(creature) == seat:
            check_action_left(table, creature, "CC-AMB-17")


@demands(Swap, clauses=("CC-TACTIC-2", "CC-PAY-2"))
def require_two_dice(table: Table, seat: int, move: Swap) -> None:
    """Refuse a swap for another number of dice."""
    if has_dice(table, seat):
        check_burned_dice(table, move.dice, SWAP_DICE, "CC-TACTIC-2")


# ---- phases --------------------------------------------------------------------------------------------------


@demands(*OF_COMBAT, scope=Scope.WINDOW, clauses=("CC-COMBAT-1",))
def require_combat_phase(table: Table, seat: int, move: Move) -> None:
    """Refuse to fight in another phase.

    CC-COMBAT-1: In the combat phase the active player may summon, lay, attack and flip.
    """
    if is_in_other_phase(table, seat, "combat"):
        raise IllegalMove("belongs_to_combat", "CC-COMBAT-1", phase=table.phase)


@demands(MoveCreature, scope=Scope.WINDOW, clauses=("CC-TACTIC-1",))
def require_tactic_phase_to_move(table: Table, seat: int, move: MoveCreature) -> None:
    """Refuse to move in another phase."""
    if is_in_other_phase(table, seat, "tactic"):
        raise IllegalMove("belongs_to_tactic", "CC-TACTIC-1", phase=table.phase)


@demands(Swap, scope=Scope.WINDOW, clauses=("CC-TACTIC-2",))
def require_tactic_phase_to_swap(table: Table, seat: int, move: Swap) -> None:
    """Refuse to swap in another phase."""
    if is_in_other_phase(table, seat, "tactic"):
        raise IllegalMove("swap_in_tactic", "CC-TACTIC-2", "CC-TACTIC-1", phase=table.phase)


@demands(EndCombat, scope=Scope.WINDOW, clauses=("CC-TURN-1",))
def require_combat_to_end(table: Table, seat: int, move: EndCombat) -> None:
    """Refuse to end a combat phase that has not begun or is over.

    CC-TURN-1: Each turn has three phases in this order: start, combat, tactic.
    """
    if is_in_other_phase(table, seat, "combat"):
        raise IllegalMove("no_combat_to_end", "CC-TURN-1", phase=table.phase)


@demands(EndTurn, scope=Scope.WINDOW, clauses=("CC-TURN-1",))
def require_tactic_to_end(table: Table, seat: int, move: EndTurn) -> None:
    """Refuse to end the turn before its tactic phase."""
    if is_in_other_phase(table, seat, "tactic"):
        raise IllegalMove("tactic_comes_first", "CC-TURN-1", phase=table.phase)


@demands(*OF_THE_TURN, OfferDraw, scope=Scope.WINDOW, clauses=("CC-CHAIN-4", "CC-CHAIN-5", "CC-END-3"))
def require_nothing_open(table: Table, seat: int, move: Move) -> None:
    """Refuse to go on while a window is open or an effect is being handled.

    CC-CHAIN-4: A window closes when both pass in a row.
    CC-CHAIN-5: An effect that has begun is finished with all its steps.
    """
    top = table.agenda[-1] if table.agenda else None
    if table.turn != seat or isinstance(top, CombatPhase | TacticPhase):
        return
    if find_open_window(table) is not None:
        raise IllegalMove("window_is_open", "CC-CHAIN-4")
    if isinstance(top, DrawAnswer):
        raise IllegalMove("draw_is_open", "CC-END-3", seat=top.seat)
    if any(isinstance(step, Chain | Execution | PendingAttack) for step in table.agenda):
        raise IllegalMove("effect_is_open", "CC-CHAIN-5")


# ---- whose turn it is ----------------------------------------------------------------------------------------


@demands(OfferDraw, clauses=("CC-END-3",))
def require_first_offer(table: Table, seat: int, move: OfferDraw) -> None:
    """Refuse a second offer of a draw in a turn."""
    check_draw_offer(table, seat)


@demands(OfferDraw, scope=Scope.TURN, clauses=("CC-END-3",))
def require_own_turn_to_offer(table: Table, seat: int, move: OfferDraw) -> None:
    """Refuse an offer of a draw by the player whose turn it is not."""
    if table.turn != seat:
        raise IllegalMove("offer_in_own_turn", "CC-END-3", "CC-AMB-33")


@demands(*OF_THE_TURN, scope=Scope.TURN, clauses=("CC-TURN-1",))
def require_own_turn(table: Table, seat: int, move: Move) -> None:
    """Refuse what belongs to a turn in somebody else's, or before the first.

    CC-TURN-1: The players take turns alternately.
    """
    if table.turn == NOBODY:
        raise IllegalMove("no_turn_has_begun", "CC-TURN-1")
    if table.turn != seat:
        raise IllegalMove("turn_of_another", "CC-TURN-1", seat=table.turn)
