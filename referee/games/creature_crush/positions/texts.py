"""Questions that card texts ask, as a position says them: the text being carried out, and what it asks.

The text stands just past the line that asks; the words of that line say the rest of the question.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.cards.carrying_out import CarryOut
from referee.cards.common import Choose
from referee.cards.positions.known import bound_by, said_of
from referee.cards.positions.steps import Said, Steps
from referee.cards.questions import Choosing
from referee.cards.words import Word
from referee.games.creature_crush.faces import TEXTS
from referee.games.creature_crush.material import program
from referee.games.creature_crush.positions.happened import around, of_turn
from referee.games.creature_crush.state import Table
from referee.kernel.agenda import Step
from referee.kernel.codec import Unreadable

Top = Callable[[Said, CarryOut, Any, int], Step]  # makes the question on top of a text; the number is who is asked


def lines_of(card: str, text: str) -> Any:
    """The lines of a text, none if the card has no such text."""
    try:
        return program(card, text)
    except KeyError:
        return ()


def text_of(said: Said, table: Table, *kinds: type[Word]) -> tuple[CarryOut, Any]:
    """The text that asks, just past the line of one of these kinds, and that line's word. Raises Unreadable."""
    card, by = said["card"], of_turn(said, table, "by")
    for part in [said["part"]] if "part" in said else TEXTS:
        lines = lines_of(card, part)
        asking = [at for at, line in enumerate(lines) if isinstance(line.word, kinds)]
        at = said.get("line", asking[0] if asking else -1)
        if at in asking:
            bound = bound_by(said, around(table, card, part, by))
            return CarryOut(card, part, by, at + 1, bound, tuple(said.get("secret", ()))), lines[at].word
    raise Unreadable("/question/card", f"no such line of {card} asks this")


def of_a_text(*kinds: type[Word]) -> Callable[[Top], Callable[[Said, Table], Steps]]:
    """Makes a builder of a function that gives the question on top of the text."""

    def wrap(top: Top) -> Callable[[Said, Table], Steps]:
        def build(said: Said, table: Table) -> Steps:
            text, word = text_of(said, table, *kinds)
            return (text, top(said, text, word, said.get("seat", text.by)))

        return build

    return wrap


def written(asks: str, table: Table, seat: int, **more: Any) -> Said:
    """The form of a question on top of a text; nothing if none lies beneath."""
    text = table.agenda[-2] if len(table.agenda) > 1 else None
    if not isinstance(text, CarryOut) or text.at < 1:
        return {}
    said: Said = {"asks": asks, "card": text.card, "part": text.text, "by": text.by, "line": text.at - 1, **more}
    if seat != text.by:
        said["seat"] = seat
    return said | said_of(text, around(table, text.card, text.text, text.by))


@of_a_text(Choose)
def choose(_: Said, text: CarryOut, word: Any, seat: int) -> Step:
    """A card text lets a player choose."""
    return Choosing(seat, text.card, word.noun, word.called, word.optional, word.duty, word.unseen)
