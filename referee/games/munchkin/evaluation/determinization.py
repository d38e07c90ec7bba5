"""Determinization: whole tables of which this is the view of a seat.

Doors lie in the door deck and treasures in the treasure deck. A hand may hold any card.
"""

from __future__ import annotations

from referee.cardscript.determinization import complete_card_table, fill_in_first_cards, fill_in_secrets
from referee.cardscript.language.interpreter import Execution
from referee.engine.cardtracking.determinization import Memory
from referee.engine.chance import RandomBelow
from referee.engine.events import replace_fields
from referee.engine.steps import Step
from referee.engine.zones import Cards, arrange_cards, is_back
from referee.games.munchkin.rules.turn import KeepOne
from referee.games.munchkin.state import Table


def complete_table(view: Table, seat: int, below: RandomBelow, memory: Memory) -> Table:
    """Return a whole table of which this is the seat's view.

    MK-6.6: Cards that may be put down at once are the last that came to a hand.
    """
    table = complete_card_table(view, seat, below, dict(view.boxes.whole), memory, fill_in_step)
    fresh = {
        who: cards if who == str(int(seat)) else name_fresh_cards(cards, table.cards_in_hand(int(who)))
        for who, cards in view.fresh.items()
    }
    return replace_fields(table, fresh=fresh)


def name_fresh_cards(cards: Cards, hand: Cards) -> Cards:
    """Return the cards that a player may put down at once, by name.

    Some of them may have left the hand again. Those stay backs.
    """
    if not any(map(is_back, cards)):
        return cards
    there = hand[-len(cards) :]
    return arrange_cards((*there, *cards[: len(cards) - len(there)]))


def fill_in_step(table: Table, step: Step) -> Step:
    """Return a step with the cards named that only one seat knows."""
    match step:
        case KeepOne(seat=seat, before=before):
            return replace_fields(step, before=fill_in_first_cards(before, table.cards_in_hand(seat)))
        case Execution():
            return fill_in_secrets(table, step, lambda text, _name: table.cards_in_hand(text.by))
    return step
