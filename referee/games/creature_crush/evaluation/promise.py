"""What a move promises in Creature Crush beyond its foreseeable events, for bots.

It is computed from a view, without chance. No rule uses it.
"""

from __future__ import annotations

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards
from referee.engine.events import Move
from referee.engine.zones import is_back
from referee.games.creature_crush.card_attributes import COST_X
from referee.games.creature_crush.components import SEAT_BY_PLACE, face_of
from referee.games.creature_crush.evaluation.flips import price_text
from referee.games.creature_crush.evaluation.standing import CRUSH_VALUE, WIN_VALUE, evaluate_creature, evaluate_state
from referee.games.creature_crush.moves import AcceptDraw, BringDeck, EndCombat, Flip, Keep, Lay, MoveCreature, Swap
from referee.games.creature_crush.rules.activating import activate_text
from referee.games.creature_crush.rules.chain import Chain
from referee.games.creature_crush.rules.combat.flipping import build_flip_effect
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import TriggerEvent

__all__ = ["evaluate_state", "expected_gain"]

LAID_CARD_VALUE = 5  # of a crush card that lies ready, beyond its price there
FLIPPED_CARD_VALUE = 70  # of the 130 that a crush card on a C-place is worth, what a flip does not cost
LATER_FLIP_PERCENT = 50  # of what a crush card would do now, what counts while it only lies there
WASTED_X_COST = 40  # of a card that does the more the more dice are burned, laid for none
MISSED_DIE_COST = 12  # what a start die would bring otherwise


def find_happening(table: Table) -> TriggerEvent | None:
    """Return what the open window answers, or None in the own combat phase."""
    top = table.agenda[-1]
    return top.windows[-1].happening if isinstance(top, Chain) and top.windows else None


def expected_gain(table: Table, seat: int, move: Move) -> int:
    """Return what a move promises beyond what can be foreseen. Raises Undetermined."""
    match move:
        case EndCombat():
            return 0
        case Lay():
            return _evaluate_lay(table, seat, move)
        case Flip():
            return _evaluate_flip(table, seat, move)
        case MoveCreature() | Swap():
            return -6  # so that a bot moves only if its position gets better
        case AcceptDraw():
            return -WIN_VALUE // 2
        case Keep(cards) | BringDeck(cards):
            return sum(evaluate_card(card) for card in cards)
        case ChooseCard(card):
            return _evaluate_choice(table, seat, card)
        case ChooseCards(cards):
            return sum(_evaluate_choice(table, seat, card) for card in cards)
        case Accept():
            return 1  # what is offered is mostly worth taking
    return 0


def _evaluate_flip(table: Table, seat: int, move: Flip) -> int:
    """Return what flipping a crush card promises.

    The card itself is a life and is lost, but it lies there to be used: only a part of that price counts.
    """
    if is_back(move.card):
        return 0
    text, _ = build_flip_effect(table, seat, move, find_happening(table))
    return price_text(table, text) + FLIPPED_CARD_VALUE


def _evaluate_lay(table: Table, seat: int, move: Lay) -> int:
    """Return what laying a crush card promises.

    For a card that does more the more dice are burned, it is a share of what it would do.
    """
    if is_back(move.card):
        return 0
    if face_of(move.card).cost != COST_X:
        return LAID_CARD_VALUE
    if not move.dice:
        return -WASTED_X_COST
    text = activate_text(table, move.card, "flip", seat, x=len(move.dice))
    none = activate_text(table, move.card, "flip", seat, x=0)
    more = price_text(table, text) - price_text(table, none)
    return LAID_CARD_VALUE + (more - MISSED_DIE_COST * len(move.dice)) * LATER_FLIP_PERCENT // 100


def _evaluate_choice(table: Table, seat: int, card: str) -> int:
    """Return what it is worth to choose a card.

    A chosen enemy is mostly harmed, an own card helped, and a card of hell brought back.
    """
    if card in table.places_by_creature:
        value = evaluate_creature(table, card)
        return value if table.possessor_of(card) != seat else value // 4
    if card in SEAT_BY_PLACE:
        return CRUSH_VALUE if SEAT_BY_PLACE[card] != seat else -CRUSH_VALUE
    return evaluate_card(card) if not is_back(card) else 0


def evaluate_card(card: str) -> int:
    """Return what a card that is not on the field is worth in general."""
    if is_back(card):
        return 0
    of = face_of(card)
    if not of.is_creature:
        return 60
    return 20 + 5 * of.attack + 3 * of.life + 6 * len(of.texts) - 3 * max(0, of.cost - 9)
