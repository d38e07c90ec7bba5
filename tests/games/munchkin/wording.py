"""A table for the words of card texts: a text is said aloud by a card made for the test, and carried out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

import referee.games.munchkin  # noqa: F401  # reads the card texts
from referee.cardscript.language.located_yaml import LocatedMapping
from referee.cardscript.language.parser import CardTextParser
from referee.engine.codec import decode_named, encode, named
from referee.engine.events import Event, Move, apply_events, replace_fields
from referee.engine.referee import build_view, check_move, find_legal_moves, play_move, resolve_pending_steps
from referee.engine.rulings import IllegalMove, Ruling
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step, StepPushed
from referee.games.munchkin import components
from referee.games.munchkin.card_attributes import Face
from referee.games.munchkin.components import (
    COMBAT,
    CURSES,
    DOOR_DISCARD,
    DOORS,
    HANDS,
    PENDING,
    PLAYS,
    RIDES,
    TOWNSHIP,
    TREASURE_DISCARD,
    TREASURES,
    Rules,
)
from referee.games.munchkin.rules.cards.texts import build_text_execution
from referee.games.munchkin.state import Table
from referee.games.munchkin.texts import programs
from referee.games.munchkin.values import NOBODY, Combat, Foe
from tests.games.course import asked, of, times_out, when  # noqa: F401  # said in the tests of this game, too

Held = Mapping[int, Iterable[str]]
SAID = "said"  # the card that says a text


@named("test.Still")
@dataclass(frozen=True)
class Still(Step):
    """What lies beneath all: it waits for seat 0."""

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        return frozenset({Seat(0)})


@pytest.fixture(autouse=True)
def unsaid() -> Iterator[None]:
    """What a test says is forgotten after it."""
    yield
    components.FACES.pop(SAID, None)
    for key in [key for key in components.PROGRAMS if key[0] == SAID]:
        del components.PROGRAMS[key]


def table(
    hands: Held | None = None,
    plays: Held | None = None,
    *,
    used: Iterable[str] | None = None,
    towns: Held | None = None,
    rides: Held | None = None,
    curses: Held | None = None,
    doors: Iterable[str] = (),
    treasures: Iterable[str] = (),
    thrown: Mapping[str, Iterable[str]] | None = None,
    monsters: Iterable[str | Foe] | None = None,
    helper: int = NOBODY,
    levels: Iterable[int] = (3, 3, 3),
    rules: Mapping[str, Any] | None = None,
    **more: Any,
) -> Table:
    """A table of as many players as there are levels; items in play are in use unless `used` names others."""
    levels = tuple(levels)
    thrown = thrown or {}
    foes = tuple(foe if isinstance(foe, Foe) else Foe(foe, foe) for foe in monsters or ())
    zones: dict[str, tuple[str, ...]] = {
        DOORS: tuple(doors), TREASURES: tuple(treasures), PENDING: (),
        DOOR_DISCARD: tuple(thrown.get("door", ())), TREASURE_DISCARD: tuple(thrown.get("treasure", ())),
        COMBAT: tuple(card for foe in foes for card in (foe.card, *foe.enhancers)),
    }  # fmt: skip
    for places, held in ((HANDS, hands), (PLAYS, plays), (TOWNSHIP, towns), (RIDES, rides), (CURSES, curses)):
        for seat in range(len(levels)):
            zones[places[seat]] = tuple((held or {}).get(seat, ()))
    in_play = [card for cards in (plays or {}).values() for card in cards if components.FACES[card].kind == "item"]
    fields: dict[str, Any] = {
        "agenda": (Still(),),
        "zones": zones,
        "rules": Rules(seats=len(levels), **(rules or {})),
        "turn": 0,
        "turns": 1,
        "levels": levels,
        "equipped": tuple(in_play if used is None else used),
        "combat": Combat(0, foes, helper) if monsters is not None else None,
    }
    return Table(**{**fields, **more})


def marked_up(data: Any) -> Any:
    """Plain data as the reader of a file gives it."""
    if isinstance(data, dict):
        found = LocatedMapping({key: marked_up(value) for key, value in data.items()})
        found.line = 1
        return found
    return [marked_up(each) for each in data] if isinstance(data, list) else data


def read(*lines: dict[str, Any]) -> Any:
    """The program of these lines. Raises BookError."""
    return CardTextParser("test", programs.WORDS).parse_text(marked_up(list(lines)), 1)


def said(
    state: Table, *lines: dict[str, Any], by: int = 0, text: str = "does", kind: str = "one_shot", **names: Any
) -> tuple[tuple[Event, ...], Table]:
    """A card of this kind says these lines for a player: the facts down to the next question, and the table then."""
    components.FACES[SAID] = Face(SAID, kind)
    components.PROGRAMS[SAID, text] = read(*lines)
    opened = StepPushed(build_text_execution(state, SAID, text, by, **names))
    state = apply_events(state, (opened,))
    events = resolve_pending_steps(state)
    return events, apply_events(state, events)


def of_card(state: Table, card: str, by: int = 0, text: str = "does", **names: Any) -> tuple[tuple[Event, ...], Table]:
    """A text of a card of the box is carried out for a player: the facts down to the next question, and the table."""
    state = apply_events(state, (StepPushed(build_text_execution(state, card, text, by, **names)),))
    events = resolve_pending_steps(state)
    return events, apply_events(state, events)


def by_chance(state: Table, *moves: Move) -> tuple[tuple[Event, ...], Table]:
    """What follows when chance has it so."""
    return when(state, CHANCE, *moves)


def refusal(state: Table, seat: int, move: Move) -> Ruling:
    """The ruling against a move, the same from the seat's view; the test fails if it is granted."""
    with pytest.raises(IllegalMove) as refused:
        play_move(state, Seat(seat), move)
    with pytest.raises(IllegalMove) as in_view:
        check_move(build_view(state, Seat(seat)), Seat(seat), move)
    assert in_view.value.ruling == refused.value.ruling
    return refused.value.ruling


def names(events: Iterable[Event]) -> list[str]:
    """The names of the facts that are told, in order: bookkeeping is left out."""
    quiet = ("Opened", "Became", "Closed", "cards.Bound")
    return [event.TAG.removeprefix("mk.") for event in events if event.TAG not in quiet]


def offered(state: Table, seat: int) -> list[Move]:
    """All legal moves of a seat."""
    return list(find_legal_moves(state, Seat(seat)))


def at_rest(state: Table) -> bool:
    """Whether the text is done."""
    return state.agenda == (Still(),)


def kept(state: Table) -> Table:
    """The table after a restart in the middle of a question: its agenda written down and read again."""
    agenda = tuple(decode_named(encode(step), Step) for step in state.agenda)
    assert agenda == state.agenda
    return replace_fields(state, agenda=agenda)
