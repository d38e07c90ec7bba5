"""Determinization of a table with card texts: the cards, and what steps hide.

Steps repeat cards that only one seat knows: what it has just drawn, what a text let it see, what it has answered
before all have. On a whole table they name cards that lie there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from referee.cardscript.language.builtins import Again
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.questions import AnswerGiven, SimultaneousPrompt
from referee.cardscript.table import CardTable
from referee.engine.cardtracking.determinization import Memory, determinize_zones
from referee.engine.chance import RandomBelow
from referee.engine.events import Move, replace_fields
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import Frame, Step
from referee.engine.zones import Cards, is_back

T = TypeVar("T", bound=CardTable)
FillIn = Callable[[Any, Step], Step]  # fill_in(table, step): the step with the cards that its view hides


def complete_card_table(
    view: T, seat: int, below: RandomBelow, box: dict[str, int], memory: Memory, fill_in: FillIn
) -> T:
    """Return a whole table of which this is the seat's view.

    The cards that may lie at a place are those of `CardTable.possible_cards`.
    """
    zones = determinize_zones(
        view,
        seat,
        below,
        box,
        possible=view.possible_cards,
        memory=memory,
        real=view.rules.cards_at_table,
    )
    return complete_steps(replace_fields(view, zones=zones), seat, below, fill_in)


def complete_steps(table: T, seat: int, below: RandomBelow, fill_in: FillIn) -> T:
    """Return a table with the steps filled in that its seat does not see whole."""
    agenda: tuple[Step, ...] = ()
    for step in table.agenda:
        whole = fill_in(table, step)
        if isinstance(step, SimultaneousPrompt):
            whole = complete_answers(replace_fields(table, agenda=agenda), step, seat, below)
        elif isinstance(step, Frame):
            whole = replace_fields(step, noted=tuple(fill_in(table, noted) for noted in step.noted))
        # who sees the step whole sees backs only of real cards that nobody has named
        agenda = (*agenda, whole if whole.view_for(seat) == step else step)
    return replace_fields(table, agenda=agenda)


def complete_answers(table: CardTable, step: SimultaneousPrompt, seat: int, below: RandomBelow) -> SimultaneousPrompt:
    """Return a question to several seats with an answer for each that has given one.

    Nobody sees the answers of others, so each is any legal one. `table` holds what lies beneath the step.
    """
    asked = replace_fields(step, given={who: cards for who, cards in step.given.items() if who == str(int(seat))})
    given = dict(step.given)
    for who in step.given.keys() - asked.given.keys():
        open_table = replace_fields(table, agenda=(*table.agenda, asked))
        if (move := draw_answer(open_table, asked, Seat(int(who)), below)) is not None:
            events = asked.apply_answer(open_table, Seat(int(who)), move)
            given[who] = next(event.cards for event in events if isinstance(event, AnswerGiven))
    return replace_fields(step, given=given)


def draw_answer(table: CardTable, asked: SimultaneousPrompt, seat: Seat, below: RandomBelow) -> Move | None:
    """Return any legal answer of a seat, or None if there is none."""
    drawn = asked.sample_move(table, seat, below)
    if drawn is not None:
        return drawn
    legal = [move for move in asked.possible_answers(table, seat) if is_legal_answer(table, asked, seat, move)]
    return legal[below(len(legal))] if legal else None


def is_legal_answer(table: CardTable, asked: SimultaneousPrompt, seat: Seat, move: Move) -> bool:
    """Return whether a seat may surely answer so."""
    try:
        asked.check_answer(table, seat, move)
    except (IllegalMove, Undetermined):
        return False
    return True


def fill_in_first_cards(hidden: Cards, there: Cards) -> Cards:
    """Return the cards that a hand held before it got the last of those there."""
    return there[: len(hidden)] if any(map(is_back, hidden)) and len(there) >= len(hidden) else hidden


def fill_in_secrets(table: T, text: Execution, find_cards: Callable[[Execution, str], Cards]) -> Execution:
    """Return a text with cards in place of the backs bound to its secret names.

    `find_cards(text, name)`: the cards that such a name can stand for, the likeliest last. What was chosen among them
    for all to see is one of them until the text starts over with the rest.
    """
    lines = [line.effect for line in table.find_program(text.card, text.text)] if text.secret else []
    chosen = {effect.among: text.bound.get(effect.chosen, ()) for effect in lines if isinstance(effect, Again)}
    for name in text.secret:
        values = text.bound.get(name, ())
        if any(isinstance(value, str) and is_back(value) for value in values):
            names = [*find_cards(text, name), *map(str, chosen.get(name, ()))]
            known = tuple(names.pop() if names and isinstance(value, str) else value for value in values)
            text = replace_fields(text, bound={**text.bound, name: known})
    return text
