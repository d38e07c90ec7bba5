"""A table at which fighters run away, with monsters, items and cards made for these tests alone.

The cards are laid into the box for the length of a test (`invented`), so that no test hangs on what a printed one says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import CardEffect, ProgramLine
from referee.engine.chance import RollResult
from referee.engine.codec import decode_named, encode, named
from referee.engine.events import Event, Move, apply_events
from referee.engine.referee import find_legal_moves
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step
from referee.games.munchkin import GAME, components
from referee.games.munchkin.card_attributes import Face, StaticAbility
from referee.games.munchkin.components import COMBAT, CURSES, DOORS, HANDS, PLAYS, RIDES, TOWNSHIP, TREASURES, Rules
from referee.games.munchkin.conditions import Condition
from referee.games.munchkin.events.course import LevelsLost
from referee.games.munchkin.moves import FleeFrom, KeepRoll
from referee.games.munchkin.rules import dying
from referee.games.munchkin.rules.combat import fleeing, rolling
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY, Combat, Foe
from tests.games.course import asked, of, refusal, settled, when  # noqa: F401  # said in the tests of this game, too


@dataclass(frozen=True)
class Dies(CardEffect):
    """The victim dies."""

    WORD = "test_die"

    def execute(self, state: Any, text: Execution) -> Iterator[Event]:
        yield from dying.kill_player(state, text.by, text.card)


@dataclass(frozen=True)
class Weakens(CardEffect):
    """The player of the text loses a level."""

    WORD = "test_weaken"

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield LevelsLost(text.by, 1, state.levels[text.by] - 1, text.card)


@dataclass(frozen=True)
class Rolls(CardEffect):
    """The player of the text rolls a die, which the text goes on with as `pips`."""

    WORD = "test_roll"

    def execute(self, state: Any, text: Execution) -> Iterator[Event]:
        yield from rolling.start_roll(text.by, text.card, "pips")


@dataclass(frozen=True)
class Turns(CardEffect):
    """The player of the text turns the die that has fallen."""

    WORD = "test_turn"

    def execute(self, state: Any, text: Execution) -> Iterator[Event]:
        yield from rolling.start_turning_die(state, text.by, text.card)


@dataclass(frozen=True)
class EscapesAll(CardEffect):
    """The player of the text escapes every monster."""

    WORD = "test_escape"

    def execute(self, state: Any, text: Execution) -> Iterator[Event]:
        yield from fleeing.escape_without_roll(state, text.by, every=True)


@named("test.Resting")
@dataclass(frozen=True)
class Resting(Step):
    """What lies beneath the combat: it waits for seat 0."""

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        return frozenset({Seat(0)})


def at_least(level: int) -> Condition:
    return Condition("level_min", number=level)


def monster(name: str, *standing: StaticAbility) -> Face:
    return Face(name, "monster", level=5, treasures=1, standing=standing)


INVENTED = (
    monster("t_rat"),
    monster("t_owl"),
    monster("t_snail", StaticAbility("escape", 2)),
    monster("t_wolf", StaticAbility("escape", -1)),
    monster("t_snob", StaticAbility("no_pursuit", when=Condition("level_max", number=2))),
    monster("t_reaper"),
    monster("t_leech"),
    monster("t_thorn"),
    Face("t_boots", "item", slot="footgear", bonus=1, gold=300, standing=(StaticAbility("escape", 1),)),
    Face("t_cap", "item", slot="headgear", bonus=1, gold=200),
    Face("t_trunk", "item", big=True, gold=500),
    Face("t_stitches", "treasure_special"),
    Face("t_goat", "ride", bonus=1, standing=(StaticAbility("escape", 1),)),
    Face("t_saddle", "ride_enhancer", bonus=1),
    Face("t_town", "citizenship", town="easter", standing=(StaticAbility("escape", 1, when=at_least(1)),)),
    Face("t_shakes", "curse", standing=(StaticAbility("die_rolls", -1),)),
    Face("t_knuckle", "one_shot", gold=300, when=("after_my_roll",)),
    Face("t_cloak", "one_shot", gold=200, when=("fleeing",)),
    Face("t_ring", "item", gold=100),
    Face("t_bead", "item", gold=50),
)
TEXTS: dict[tuple[str, str], tuple[ProgramLine, ...]] = {
    ("t_rat", "bad_stuff"): (ProgramLine(Weakens(), jump=1),),
    ("t_owl", "bad_stuff"): (ProgramLine(Weakens(), jump=1),),
    ("t_snob", "bad_stuff"): (ProgramLine(Weakens(), jump=1),),
    ("t_wolf", "bad_stuff"): (ProgramLine(Weakens(), jump=1),),
    ("t_snail", "bad_stuff"): (ProgramLine(Weakens(), jump=1),),
    ("t_reaper", "bad_stuff"): (ProgramLine(Dies(), jump=1),),
    ("t_leech", "bad_stuff"): (ProgramLine(Rolls(), jump=1), ProgramLine(Weakens(), when="pips", jump=2)),
    ("t_thorn", "escaped"): (ProgramLine(Weakens(), jump=1),),
    ("t_thorn", "bad_stuff"): (ProgramLine(Weakens(), jump=1),),
    ("t_knuckle", "does"): (ProgramLine(Turns(), jump=1),),
    ("t_cloak", "does"): (ProgramLine(EscapesAll(), jump=1),),
}


@pytest.fixture(autouse=True)
def invented(monkeypatch: pytest.MonkeyPatch) -> None:
    """The invented cards lie in the box, two of each; what is kept of the box was made without them."""
    GAME.positions.build_schema("standard")
    for face in INVENTED:
        monkeypatch.setitem(components.FACES, face.id, face)
        monkeypatch.setitem(components.PRINTED.whole, face.id, 2)
    for key, lines in TEXTS.items():
        monkeypatch.setitem(components.PROGRAMS, key, lines)


def table(
    *monsters: str,
    helper: int = NOBODY,
    seats: int = 3,
    levels: Iterable[int] = (4, 4, 4, 4, 4, 4),
    hands: dict[int, tuple[str, ...]] | None = None,
    plays: dict[int, tuple[str, ...]] | None = None,
    rides: dict[int, tuple[str, ...]] | None = None,
    towns: dict[int, tuple[str, ...]] | None = None,
    curses: dict[int, tuple[str, ...]] | None = None,
    rules: dict[str, Any] | None = None,
    **more: Any,
) -> Table:
    """Seat 0 is in combat with these monsters; all items in play are in use."""
    zones: dict[str, tuple[str, ...]] = {COMBAT: monsters, DOORS: (), TREASURES: ()}
    for places, cards in ((HANDS, hands), (PLAYS, plays), (RIDES, rides), (TOWNSHIP, towns), (CURSES, curses)):
        for seat in range(seats):
            zones[places[seat]] = (cards or {}).get(seat, ())
    used = tuple(card for cards in (plays or {}).values() for card in cards if components.FACES[card].kind == "item")
    fields: dict[str, Any] = {
        "agenda": (Resting(),),
        "zones": zones,
        "rules": Rules(seats=seats, **(rules or {})),
        "turn": 0,
        "turns": 1,
        "levels": tuple(levels)[:seats],
        "equipped": used,
        "combat": Combat(0, tuple(Foe(card, card) for card in monsters), helper),
    }
    return Table(**{**fields, **more})


def running(*monsters: str, **how: Any) -> Table:
    """The fighters have turned to run from these monsters."""
    return ran(table(*monsters, **how))


def ran(state: Table) -> Table:
    """The table once its fighters have turned to run, and nothing more happens by itself."""
    state = apply_events(state, fleeing.start_flight(state))
    return settled(replace(state, agenda=(*state.agenda, fleeing.Fleeing())))


def die(state: Table, pips: int) -> tuple[tuple[Event, ...], Table]:
    """The die falls so."""
    return when(state, CHANCE, RollResult((pips,)))


def flees(state: Table, seat: int, card: str, pips: int) -> tuple[tuple[Event, ...], Table]:
    """A fighter rolls so to escape this monster and keeps the die; what follows."""
    events, state = when(state, seat, FleeFrom(card))
    more, state = die(state, pips)
    rest, state = when(state, seat, KeepRoll())
    return events + more + rest, state


def kept(state: Table) -> Table:
    """The table after a restart: its agenda written down and read again."""
    agenda = tuple(decode_named(encode(step), Step) for step in state.agenda)
    assert agenda == state.agenda
    return replace(state, agenda=agenda)


def offered(state: Table, seat: int) -> list[Move]:
    """All legal moves of a seat."""
    return list(find_legal_moves(state, Seat(seat)))


def opened(state: Table, *events: Event) -> Table:
    """The table after these facts, when nothing more happens by itself."""
    return settled(apply_events(state, events))
