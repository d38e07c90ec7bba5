"""Texts said aloud for a test: lines that a card of the test says, or a text of a card of the box, carried out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.located_yaml import LocatedMapping
from referee.cardscript.language.parser import CardTextParser
from referee.engine.codec import decode_named, encode
from referee.engine.events import Event, Move, apply_events, replace_fields
from referee.engine.referee import build_view, check_move, resolve_pending_steps
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import Frame, Step
from referee.games.creature_crush import components
from referee.games.creature_crush.card_attributes import Face
from referee.games.creature_crush.moves import Concede
from referee.games.creature_crush.rules.activating import activate_text
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts import programs
from tests.games.course import refusal
from tests.games.creature_crush.table import offered

SAID = "said"  # the card that says a text
Facts = tuple[Event, ...]


@pytest.fixture(autouse=True)
def unsaid() -> Iterator[None]:
    """What a test says is forgotten after it, also where a card of the box has said it."""
    known = dict(components.PROGRAMS.items())
    yield
    components.FACES.pop(SAID, None)
    for key, lines in list(components.PROGRAMS.items()):
        if key not in known:
            del components.PROGRAMS[key]
        elif lines is not known[key]:
            components.PROGRAMS[key] = known[key]


def marked_up(data: Any) -> Any:
    """Plain data as the reader of a file gives it."""
    if isinstance(data, dict):
        found = LocatedMapping({key: marked_up(value) for key, value in data.items()})
        found.line = 1
        return found
    return [marked_up(each) for each in data] if isinstance(data, list) else data


def read(*lines: dict[str, Any], ambient: tuple[str, ...] = ()) -> Any:
    """The program of these lines. Raises BookError."""
    return CardTextParser("test", programs.VOCABULARY).parse_text(marked_up(list(lines)), 1, ambient)


def card(**parts: Any) -> Any:
    """The programs of a whole entry of a card file. Raises BookError."""
    return programs.parse_texts("test", marked_up(parts))


def said(
    state: Table, *lines: dict[str, Any], by: int = 0, this: str = SAID, x: int = 0, **refs: str
) -> tuple[Facts, Table]:
    """A card (`this`, on the table or not) says these lines: the facts down to the next question, and the table."""
    components.FACES.setdefault(SAID, Face(SAID, "creature"))
    components.PROGRAMS[this, "action"] = read(*lines, ambient=tuple(refs))
    return of_card(state, this, "action", by=by, x=x, **refs)


def of_card(state: Table, card: str, text: str, /, by: int = 0, x: int = 0, **refs: str) -> tuple[Facts, Table]:
    """A text of a card of the box is carried out for a player: the facts down to the next question, and the table."""
    state = replace_fields(state, agenda=(*state.agenda, Frame(), activate_text(state, card, text, by, refs, x)))
    events = resolve_pending_steps(state)
    return events, apply_events(state, events)


def pending(state: Table) -> Execution:
    """The text that is being carried out."""
    return next(step for step in reversed(state.agenda) if isinstance(step, Execution))


def at_rest(state: Table) -> bool:
    """Whether the text is done, and what it has set off: nothing lies on the first question any more."""
    return len(state.agenda) == 1


def choices(state: Table, seat: int) -> list[Move]:
    """All legal answers of a seat: giving up apart, which is always legal."""
    return [move for move in offered(state, seat) if not isinstance(move, Concede)]


def refused(state: Table, seat: int, move: Move) -> str:
    """Why a move is refused, the same on the table and in the view of the seat."""
    ruling = refusal(state, seat, move)
    seen = build_view(state, Seat(seat))
    with pytest.raises(IllegalMove) as in_view:
        check_move(seen, Seat(seat), move)
    assert in_view.value.ruling == ruling
    return ruling.reason


def kept(state: Table) -> Table:
    """The table after a restart in the middle of a question: its agenda written down and read again."""
    agenda = tuple(decode_named(encode(step), Step) for step in state.agenda)
    assert agenda == state.agenda
    return replace_fields(state, agenda=agenda)
