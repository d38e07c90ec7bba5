"""What a report on a free text needs of Here to Slay."""

from __future__ import annotations

from referee.engine.events import Event, replace_fields
from referee.engine.rulings import IllegalMove
from referee.engine.steps import StackCleared, Step
from referee.games.here_to_slay.components import DECK, SLAIN
from referee.games.here_to_slay.events.turns import GameWon
from referee.games.here_to_slay.rules.drawing import CardDrawing, draw_cards
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.triggers import awaits_draws
from referee.games.here_to_slay.values import MONSTERS_TO_WIN


def draw_reported_cards(table: Table, seat: int, source: str, count: int) -> Event:
    """Return the event with which a player begins to draw.

    Raises IllegalMove for another deck than the main one.
    """
    if source not in ("", DECK) or seat in table.gone:
        raise IllegalMove("no_such_draw", "CARDS-FREE-2", seat=seat)
    return draw_cards(table, seat, count)


def mark_reported_step(table: Table, step: Step) -> Step:
    """Return a step of a report, a draw marked where a text in play waits for draws.

    CARDS-FREE-2: A report sets off no other text.
    """
    if isinstance(step, CardDrawing) and awaits_draws(table, step.seat):
        return replace_fields(step, reported=True)  # not elsewhere: logs from before hold such draws without a mark
    return step


def decide_reported_win(table: Table) -> tuple[Event, ...]:
    """Return the events by which somebody wins at once as a report leaves the table.

    HTS-WIN-1: The third slain monster wins the game on the spot, before any reward, new monster or trigger.
    """
    for seat in range(table.rules.seats):
        if len(table.cards_at(SLAIN[seat])) >= MONSTERS_TO_WIN:
            return GameWon(seat, "three_monsters"), StackCleared()
    return ()


def list_settable_values(_table: Table) -> tuple[str, ...]:
    """Return the pointers of the values that a report may set: the action points."""
    return ("/points",)
