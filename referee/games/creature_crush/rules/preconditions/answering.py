"""What the rules demand of moves that answer something.

They answer a window, a choice of an effect or an offered draw, or make a deck.
"""

from __future__ import annotations

from referee.cardscript.language.alternatives import AlternativePrompt
from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChooseUnseen, ChooseValue, Decline
from referee.cardscript.questions import ChoicePrompt, OfferPrompt, SimultaneousPrompt
from referee.engine.events import Move
from referee.engine.rulings import IllegalMove, Scope
from referee.engine.seats import Seat
from referee.engine.steps import Step
from referee.games.creature_crush.moves import (
    AcceptDraw,
    BringDeck,
    ChoosePlace,
    DeckReady,
    DeclineDraw,
    Flip,
    Keep,
    Order,
    Pass,
    Reroll,
)
from referee.games.creature_crush.rules.actions.looking import NamingPrompt
from referee.games.creature_crush.rules.actions.searching import Searching
from referee.games.creature_crush.rules.actions.summoning import Placing
from referee.games.creature_crush.rules.chain import EffectOrdering
from referee.games.creature_crush.rules.combat.rerolling import Rerolling
from referee.games.creature_crush.rules.concede_and_draw import DrawAnswer
from referee.games.creature_crush.rules.decks import BringingDecks, ConfirmingDecks
from referee.games.creature_crush.rules.drafting import Drafting
from referee.games.creature_crush.rules.preconditions.asking import demands, find_open_window
from referee.games.creature_crush.state import Table

FORMAT_CLAUSES = {
    "skirmish": "CC-FORMAT-SKIRMISH-1", "arena": "CC-FORMAT-ARENA-1", "league": "CC-FORMAT-LEAGUE-1",
}  # fmt: skip
CHOICES_OF_EFFECTS = (ChooseCard, ChooseCards, ChooseUnseen, ChooseValue, Accept, Decline)


def find_top(table: Table) -> Step | None:
    """Return the open step, or None once the match is over."""
    return table.agenda[-1] if table.agenda else None


# ---- windows and chains --------------------------------------------------------------------------------------


@demands(Flip, Pass, scope=Scope.WINDOW, clauses=("CC-CHAIN-4",))
def require_turn_in_window(table: Table, seat: int, move: Move) -> None:
    """Refuse an answer to an event by a player whom its window does not ask now.

    CC-CHAIN-4: In a window first the other player and then the active one may flip. It closes when both pass in a row.
    """
    window = find_open_window(table)
    if window is not None and window.next != seat:
        if window.passed:
            raise IllegalMove("passed_in_window", "CC-CHAIN-4", seat=window.next)
        raise IllegalMove("window_asks_another", "CC-CHAIN-4", seat=window.next)


@demands(Pass, scope=Scope.WINDOW, clauses=("CC-END-3",))
def require_answer_to_the_draw(table: Table, seat: int, move: Pass) -> None:
    """Refuse to pass over an offered draw.

    CC-END-3: A match is drawn if both players agree on it.
    """
    top = find_top(table)
    if isinstance(top, DrawAnswer):
        raise IllegalMove("draw_is_open", "CC-END-3", seat=top.seat)


@demands(Pass, scope=Scope.WINDOW, clauses=("CC-CHAIN-4",))
def require_window_to_pass(table: Table, seat: int, move: Pass) -> None:
    """Refuse to pass where nothing can be answered."""
    if find_open_window(table) is None:
        raise IllegalMove("no_window_is_open", "CC-CHAIN-4")


@demands(Order, clauses=("CC-CHAIN-2",))
def require_activated_effect(table: Table, seat: int, move: Order) -> None:
    """Refuse to order an effect that was not activated."""
    top = find_top(table)
    if isinstance(top, EffectOrdering):
        top.check_answer(table, Seat(seat), move)


@demands(Order, scope=Scope.WINDOW, clauses=("CC-CHAIN-2",))
def require_effects_to_order(table: Table, seat: int, move: Order) -> None:
    """Refuse to order effects where there are not several at once."""
    if not isinstance(find_top(table), EffectOrdering):
        raise IllegalMove("nothing_to_order", "CC-CHAIN-2")


@demands(Order, scope=Scope.TURN, clauses=("CC-CHAIN-2",))
def require_active_player_to_order(table: Table, seat: int, move: Order) -> None:
    """Refuse to order effects in the turn of the other player.

    CC-CHAIN-2: The active player decides which effect is resolved first.
    """
    if isinstance(find_top(table), EffectOrdering) and table.turn != seat:
        raise IllegalMove("active_player_orders", "CC-CHAIN-2", seat=table.turn)


# ---- choices of effects --------------------------------------------------------------------------------------


@demands(*CHOICES_OF_EFFECTS, ChoosePlace, Reroll, scope=Scope.TURN, clauses=("CC-AMB-18",))
def require_own_effect(table: Table, seat: int, move: Move) -> None:
    """Refuse to choose for an effect of the other player.

    CC-AMB-18: The possessor of the effect chooses.
    """
    top = find_top(table)
    if (
        isinstance(top, ChoicePrompt | AlternativePrompt | OfferPrompt | Searching | NamingPrompt | Placing | Rerolling)
        and top.seat != seat
    ):
        raise IllegalMove("effect_of_another", "CC-AMB-18", seat=top.seat)


@demands(ChoosePlace, clauses=("CC-ZONE-1", "CC-SUMMON-1", "CC-SUMMON-2", "CC-SUMMON-3", "CC-AMB-11", "CC-AMB-30"))
def require_place_for_creature(table: Table, seat: int, move: ChoosePlace) -> None:
    """Refuse a place to which the effect cannot bring the creature."""
    top = find_top(table)
    if isinstance(top, Placing) and top.seat == seat:
        top.check_answer(table, Seat(seat), move)


@demands(ChoosePlace, scope=Scope.WINDOW, clauses=("CC-SUMMON-3",))
def require_creature_to_place(table: Table, seat: int, move: ChoosePlace) -> None:
    """Refuse to choose a place where no effect brings a creature."""
    if not isinstance(find_top(table), Placing):
        raise IllegalMove("nothing_to_place", "CC-SUMMON-3")


@demands(Reroll, clauses=("CC-AMB-9", "CC-PAY-2"))
def require_dice_to_reroll(table: Table, seat: int, move: Reroll) -> None:
    """Refuse dice that the effect does not let the player roll again."""
    top = find_top(table)
    if isinstance(top, Rerolling) and top.seat == seat:
        top.check_answer(table, Seat(seat), move)


@demands(Reroll, scope=Scope.WINDOW, clauses=("CC-START-2",))
def require_effect_to_reroll(table: Table, seat: int, move: Reroll) -> None:
    """Refuse to roll start dice again where no effect allows it.

    CC-START-2: Start dice are rolled in the start phase.
    """
    if not isinstance(find_top(table), Rerolling):
        raise IllegalMove("dice_are_rolled_once", "CC-START-2")


# ---- an offered draw -----------------------------------------------------------------------------------------


@demands(AcceptDraw, DeclineDraw, scope=Scope.WINDOW, clauses=("CC-END-3",))
def require_offered_draw(table: Table, seat: int, move: Move) -> None:
    """Refuse to answer an offer that the other player has not made.

    CC-END-3: A match is drawn if both players agree on it.
    """
    top = find_top(table)
    if not isinstance(top, DrawAnswer):
        raise IllegalMove("no_draw_is_offered", "CC-END-3")
    if top.seat != seat:
        raise IllegalMove("other_answers_the_offer", "CC-END-3", seat=top.seat)


# ---- decks ---------------------------------------------------------------------------------------------------


def _is_asked(top: Step | None, seat: int) -> bool:
    return isinstance(top, SimultaneousPrompt) and str(seat) not in top.given


@demands(Keep, clauses=("CC-FORMAT-ARENA-1",))
def require_cards_to_keep(table: Table, seat: int, move: Keep) -> None:
    """Refuse to keep other cards than four of the seven."""
    top = find_top(table)
    if isinstance(top, Drafting) and _is_asked(top, seat):
        top.check_answer(table, Seat(seat), move)


@demands(Keep, scope=Scope.WINDOW, clauses=tuple(FORMAT_CLAUSES.values()))
def require_draft(table: Table, seat: int, move: Keep) -> None:
    """Refuse to keep cards where nothing is drafted, or a second time.

    CC-FORMAT-ARENA-1: In Arena both players draw seven cards five times, and each time keep four and put three back.
    """
    top = find_top(table)
    if table.rules.variant != "arena":
        raise IllegalMove("no_draft_in_this_format", FORMAT_CLAUSES[table.rules.variant])
    if isinstance(top, Drafting) and not _is_asked(top, seat):
        raise IllegalMove("kept_already", "CC-FORMAT-ARENA-1", "CC-AMB-6")
    if not isinstance(top, Drafting | ConfirmingDecks):
        raise IllegalMove("draft_is_over", "CC-FORMAT-ARENA-1")


@demands(BringDeck, clauses=("CC-PREP-1", "CC-FORMAT-LEAGUE-1", "CC-AMB-7"))
def require_proper_deck(table: Table, seat: int, move: BringDeck) -> None:
    """Refuse a deck that the League does not allow."""
    top = find_top(table)
    if isinstance(top, BringingDecks) and _is_asked(top, seat):
        top.check_answer(table, Seat(seat), move)


@demands(BringDeck, scope=Scope.WINDOW, clauses=("CC-PREP-1", *FORMAT_CLAUSES.values()))
def require_deck_to_bring(table: Table, seat: int, move: BringDeck) -> None:
    """Refuse to bring a deck where none is brought, or a second one.

    CC-PREP-1: The players agree on one format, and each builds a deck of 20 cards by it.
    """
    if table.rules.variant != "league":
        raise IllegalMove("no_deck_in_this_format", FORMAT_CLAUSES[table.rules.variant])
    if not _is_asked(find_top(table), seat):
        raise IllegalMove("deck_is_made", "CC-PREP-1", "CC-FORMAT-LEAGUE-1")


@demands(DeckReady, scope=Scope.WINDOW, clauses=("CC-PREP-1",))
def require_deck_to_report(table: Table, seat: int, move: DeckReady) -> None:
    """Refuse to report a deck that nobody asks about."""
    top = find_top(table)
    if not isinstance(top, BringingDecks | ConfirmingDecks | Drafting) or not _is_asked(top, seat):
        raise IllegalMove("deck_is_made", "CC-PREP-1")
