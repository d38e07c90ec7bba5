"""Tables in the midst of a roll or before an attack, for the tests of rolls, rulings and monsters."""

from __future__ import annotations

from typing import Any

from referee.cardscript.moves import Accept, ChooseCard
from referee.engine.events import Event
from referee.games.here_to_slay.events.plays import RollSettled
from referee.games.here_to_slay.moves import Modify, RollFor
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, then
from tests.games.here_to_slay.given import dice, table

QUIET = {0: "the_shadow_claw", 1: "the_divine_arrow", 2: "the_cloaked_sage"}  # nothing on a hero roll, nothing asked
PLUS_4, MINUS_4, TWO = "modifier_plus_4", "modifier_minus_4", "modifier_plus_2_minus_2"
SIX = ["bad_axe", "iron_resolve", "hook", "meowzio", "bun_bun", "peanut"]  # a hero of each class


def rolled(hero: str, *hands: list[str], pips: tuple[int, int] = (3, 3), **more: Any) -> Table:
    """Seat 0 has thrown the dice for a hero; what is asked next is open."""
    state = table(*hands, **{"leaders": QUIET, "parties": {0: [hero]}, **more})
    return dice(then(state, 0, RollFor(hero)), *pips)[1]


def settled_as(events: tuple[Event, ...]) -> list[tuple[int, str]]:
    """Total and outcome of each settled roll."""
    return [(event.total, event.outcome) for event in of(events, RollSettled)]


def cut_in(card: str, hero: str, parties: dict[int, list[Any]], pips: tuple[int, int], **more: Any) -> Table:
    """Seat 0 has rolled; in the window seat 1 draws a card by its Serpent and plays it at once."""
    state = rolled(
        hero, [], [MINUS_4, "fuzzy_cheeks"], ["spooky"], pips=pips, parties=parties, deck=[card],
        **{"slain": {1: ["crowned_serpent", "orthus" if card.endswith("spell") else "malamammoth"]}, **more},
    )  # fmt: skip
    if asked(state) == {0}:
        state = then(state, 0, ChooseCard("fluffy"))
    state = then(state, 1, Modify(MINUS_4, -4, 0), Accept())
    return then(state, 1, ChooseCard(card))


def facing(monster: str, *hands: list[str], party: list[Any] | None = None, **more: Any) -> Table:
    """Seat 0, led by a wizard, faces a monster in a row of three."""
    row = [monster, *[name for name in ("dracos", "terratuga", "bloodwing") if name != monster]][:3]
    leaders = {0: "the_cloaked_sage", 1: "the_protecting_horn"}
    given = {"parties": {0: SIX if party is None else party}, "leaders": leaders, "row": row, **more}
    return table(*(hands or ([], [])), **given)
