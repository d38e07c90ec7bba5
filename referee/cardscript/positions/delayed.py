"""What card texts have put off, as a position writes it."""

from __future__ import annotations

from typing import Any

from referee.cardscript.language.delayed import NEXT_TURN, TURN_ENDS, DelayedText
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.positions.steps import decode_values
from referee.engine.positions.schema import BINDINGS_SCHEMA
from referee.engine.positions.shapes import (
    Member,
    Shape,
    choice_shape,
    list_shape,
    members_schema,
    number_shape,
)

MOST_LINES = 200


def read_delayed_text(written: dict[str, Any], _: Any) -> DelayedText:
    """Return the text put off that a form stands for."""
    known, secret = decode_values(written.get("known", {})), tuple(written.get("secret", ()))
    text = Execution(written["card"], written["part"], written["by"], written["line"], known, secret)
    return DelayedText(written["when"], text)


def write_delayed_text(delayed: DelayedText) -> dict[str, Any]:
    """Return the form of a text put off."""
    text = delayed.text
    form = {"when": delayed.when, "card": text.card, "part": text.text, "by": text.by, "line": text.at}
    form |= {"known": {name: list(values) for name, values in text.bound.items()}}
    return form | ({"secret": list(text.secret)} if text.secret else {})


def build_delayed_shape(card: Shape, name: Shape, seat: Shape, *more_times: str) -> Shape:
    """Return the shape of all that texts have put off.

    `more_times`: those that a game adds.
    """
    says = "As this turn ends, or as the player's next one begins"
    says += "; now: as soon as what is under way is done." if more_times else "."
    return list_shape(Shape(members_schema("Lines of a card text that come later.", (
        Member("when", choice_shape(TURN_ENDS, NEXT_TURN, *more_times), says, needed=True),
        Member("card", card, "The card.", needed=True),
        Member("part", name, "Which of its texts.", needed=True),
        Member("by", seat, "The player for whom they are carried out.", needed=True),
        Member("line", number_shape(0, MOST_LINES), "The first of these lines, counted from 0.", needed=True),
        Member("known", Shape(BINDINGS_SCHEMA), assumed=True),
        Member("secret", list_shape(name), "The names in `known` whose values only that player may see.", assumed=True),
    )), read_delayed_text, write_delayed_text))  # fmt: skip
