"""given a table / when a move / then facts: the words in which the tests of Creature Crush are told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import referee.games.creature_crush.texts.programs  # noqa: F401  # reads the card texts
from referee.engine.chance import PickResult, RollResult, ShuffleResult
from referee.engine.events import Event, Move, replace_fields
from referee.engine.referee import find_legal_moves
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step
from referee.engine.zones import backs_of
from referee.games.creature_crush.card_attributes import COST_X
from referee.games.creature_crush.components import (
    BOXES,
    CRUSH_PLACES,
    DECKS,
    EDITION,
    FACES,
    FIELD_PLACES,
    HANDS,
    HELLS,
    REVISED,
    SEATS,
    SECOND_EDITION,
    Rules,
    face_of,
)
from referee.games.creature_crush.rules.turn import CombatPhase, TacticPhase, TurnStart
from referee.games.creature_crush.state import Table
from tests.games.course import (  # noqa: F401  # said in the tests of this game, too
    QUIET,
    asked,
    near_misses,
    of,
    refusal,
    refused,
    settled,
    then,
    times_out,
    when,
)

BOX = {card: FACES[card] for card in BOXES[EDITION].plain}  # the hundred cards of the first edition
REVISED_CARDS = frozenset(REVISED.values())
LAST = tuple(card for card, printed in BOX.items() if not printed.texts and printed.is_creature)  # for decks
Board = Mapping[str, str]


def place(seat: int, short: str) -> str:
    """The place of a player's board that is called so (`B2`, `C1`)."""
    return next(name for name in (*FIELD_PLACES[seat], *CRUSH_PLACES[seat]) if name.startswith(short))


def table(
    mine: Board | None = None,
    theirs: Board | None = None,
    *,
    dice: Iterable[int] = (),
    hands: tuple[Iterable[str], ...] = ((), ()),
    decks: tuple[Iterable[str], ...] | None = None,
    hells: tuple[Iterable[str], ...] = ((), ()),
    paid: Mapping[str, int] | None = None,
    turn: int = 0,
    phase: str = "combat",
    agenda: tuple[Step, ...] | None = None,
    rules: Mapping[str, Any] | None = None,
    **more: Any,
) -> Table:
    """A table in the combat phase of seat 0 (or what `turn` and `phase` say) with these cards on the boards.

    `mine` is the board of seat 0, `theirs` that of seat 1, both by place (`A1` to `C3`). Hands and hells are empty if
    not named; each deck holds three creatures without texts that lie nowhere else. `paid` says how many dice were
    burned for an X, by place (`C1/0:0`).
    """
    laid: dict[str, tuple[str, ...]] = {}
    for seat, board in enumerate((mine or {}, theirs or {})):
        laid |= {place(seat, short): (card,) for short, card in board.items()}
        laid |= {HANDS[seat]: tuple(hands[seat]), HELLS[seat]: tuple(hells[seat])}
    used = [card for cards in laid.values() for card in cards]
    if decks is None:
        spare = [card for card in LAST if card not in used]
        decks = (spare[:3], spare[3:6])
    laid |= {DECKS[seat]: tuple(decks[seat]) for seat in SEATS}
    used = [card for cards in laid.values() for card in cards]
    if len(used) != len(set(used)):
        raise AssertionError(f"a card lies twice: {sorted(used)}")
    revised = not REVISED_CARDS.isdisjoint(card.partition("#")[0] for card in used)  # they are in that box only
    crushes = {name: laid[name][0] for seat in SEATS for name in CRUSH_PLACES[seat] if name in laid}
    printed = {name: face_of(card).cost for name, card in crushes.items()}
    asking: Step = TacticPhase(turn) if phase == "tactic" else CombatPhase(turn)
    fields: dict[str, Any] = {
        "agenda": (asking,) if agenda is None else agenda,
        "zones": laid,
        "rules": Rules(**({"edition": SECOND_EDITION} if revised else {}) | dict(rules or {})),
        "turn": turn,
        "turns": 3,
        "phase": phase,
        "opener": 0,
        "dice": tuple(sorted(dice)),
        "paid": {**{name: 0 if cost == COST_X else cost for name, cost in printed.items()}, **(paid or {})},
    }
    return Table(**{**fields, **more})


def turn_begins(seat: int = 0, **how: Any) -> Table:
    """A table (as `table` takes it) as the turn of a player is about to begin."""
    return table(**{"agenda": (TurnStart(seat),), "phase": "", "turn": 1 - seat, **how})


def with_real_cards(state: Table, *named: int) -> Table:
    """The same table with real cards: decks, hands and C-cards are backs, but for those of seats in `named`."""
    hidden = [*DECKS]
    hidden += [name for seat in SEATS if seat not in named for name in (HANDS[seat], *CRUSH_PLACES[seat])]
    zones = {name: backs_of(cards) if name in hidden else cards for name, cards in state.zones.items()}
    return replace_fields(state, zones=zones, rules=replace_fields(state.rules, cards_at_table=True, named=named))


def rolled(state: Table, *pips: int) -> tuple[tuple[Event, ...], Table]:
    """The facts of one roll of dice, and the table then."""
    return when(state, CHANCE, RollResult(pips))


def picked(state: Table, *cards: str) -> tuple[tuple[Event, ...], Table]:
    """Chance picks these."""
    return when(state, CHANCE, PickResult(cards))


def shuffled(state: Table, where: str) -> tuple[tuple[Event, ...], Table]:
    """That deck lies in the reverse of its order after shuffling."""
    return when(state, CHANCE, ShuffleResult(state.cards_at(where)[::-1]))


def names(events: Iterable[Event]) -> list[str]:
    """The names of the facts that are told, in order: bookkeeping is left out."""
    return [event.TAG.removeprefix("cc.") for event in events if event.TAG not in QUIET]


def offered(state: Table, seat: int) -> list[Move]:
    """All legal moves of a seat but giving up, which is always one."""
    return [move for move in find_legal_moves(state, Seat(seat)) if not move.is_concession]
