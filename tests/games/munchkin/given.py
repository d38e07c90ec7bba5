"""given a table / when a move / then facts: the words in which the tests of Munchkin are told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import referee.games.munchkin  # noqa: F401  # reads the card texts
from referee.engine.chance import RollResult, ShuffleResult, TurnUpResult
from referee.engine.events import Event, Move, replace_fields
from referee.engine.referee import find_legal_moves
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step
from referee.engine.zones import backs_of
from referee.games.munchkin.components import (
    BOXES,
    COMBAT,
    CURSES,
    DECKS,
    DISCARDS,
    DOORS,
    EDITION,
    FACES,
    HANDS,
    PLAYS,
    RIDES,
    TOWNSHIP,
    TREASURES,
    Rules,
)
from referee.games.munchkin.rules.turn import Calm
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import Combat, Foe
from tests.games.course import (  # noqa: F401  # said in the tests of this game, too
    QUIET,
    asked,
    near_misses,
    of,
    pulled,
    refusal,
    refused,
    settled,
    then,
    times_out,
    when,
)


def table(
    *hands: Iterable[str],
    levels: Iterable[int] = (),
    items: Mapping[int, Iterable[str]] | None = None,
    carried: Mapping[int, Iterable[str]] | None = None,
    towns: Mapping[int, Iterable[str]] | None = None,
    rides: Mapping[int, Iterable[str]] | None = None,
    curses: Mapping[int, Iterable[str]] | None = None,
    attached: Mapping[str, str] | None = None,
    doors: Iterable[str] = (),
    treasures: Iterable[str] = (),
    discards: Iterable[str] = (),
    fresh: Mapping[int, Iterable[str]] | None = None,
    turn: int = 0,
    stage: str = "start",
    agenda: tuple[Step, ...] | None = None,
    rules: Mapping[str, Any] | None = None,
    zones: Mapping[str, Iterable[str]] | None = None,
    **more: Any,
) -> Table:
    """A table with these hands, on which no card of its edition is missing; seat `turn` is in calm, at `stage`.

    `items` are in use, `carried` are not; the rest of the cards lies in the decks, in the order of the box, under what
    `doors` and `treasures` name. Levels that are not named are 1. `zones` names further places.
    """
    seats, boxes = len(hands), BOXES[(rules or {}).get("edition", EDITION)]
    laid: dict[str, tuple[str, ...]] = {HANDS[seat]: tuple(hand) for seat, hand in enumerate(hands)}
    for seat in range(seats):
        mine = (*(items or {}).get(seat, ()), *(carried or {}).get(seat, ()))
        lying = tuple((attached or {})[item] for item in mine if item in (attached or {}))
        laid[PLAYS[seat]] = (*mine, *lying)
    for places, named in ((TOWNSHIP, towns), (RIDES, rides), (CURSES, curses)):
        laid |= {places[seat]: tuple(cards) for seat, cards in (named or {}).items()}
    for card in discards:
        place = DISCARDS[FACES[card].deck]
        laid[place] = (*laid.get(place, ()), card)
    laid |= {place: tuple(cards) for place, cards in (zones or {}).items()}
    used = Counter(card for cards in laid.values() for card in cards)
    for deck, on_top in (("door", tuple(doors)), ("treasure", tuple(treasures))):
        laid[DECKS[deck]] = (*on_top, *(Counter(boxes.decks[deck]) - used - Counter(on_top)).elements())
    there = Counter(card for cards in laid.values() for card in cards)
    if there != Counter(boxes.whole):
        raise AssertionError(f"too many: {there - Counter(boxes.whole)}; missing: {Counter(boxes.whole) - there}")
    fields: dict[str, Any] = {
        "agenda": (Calm(turn, stage),) if agenda is None else agenda,
        "zones": laid,
        "rules": Rules(seats=seats, **(rules or {})),
        "turn": turn,
        "turns": 1,
        "levels": (*levels, *(1,) * seats)[:seats],
        "equipped": tuple(card for cards in (items or {}).values() for card in cards if FACES[card].kind == "item"),
        "attached": dict(attached or {}),
        "fresh": {str(seat): tuple(cards) for seat, cards in (fresh or {}).items()},
    }
    return Table(**{**fields, **more})


def with_real_cards(state: Table, *named: int) -> Table:
    """The same table where real cards are dealt: decks and hands are backs, but for the hands of seats in `named`."""
    hidden = (DOORS, TREASURES, *(HANDS[seat] for seat in range(state.rules.seats) if seat not in named))
    zones = {place: backs_of(cards) if place in hidden else cards for place, cards in state.zones.items()}
    fresh = {who: cards if int(who) in named else backs_of(cards) for who, cards in state.fresh.items()}
    return replace_fields(
        state, zones=zones, fresh=fresh, rules=replace_fields(state.rules, cards_at_table=True, named=named)
    )


def with_deck(state: Table, place: str, *cards: str) -> Table:
    """The same table with exactly these cards in that deck; the others lie in the running combat, out of the way."""
    rest = Counter(state.zones[place]) - Counter(cards)
    zones = {**state.zones, place: tuple(cards), COMBAT: (*state.zones.get(COMBAT, ()), *rest.elements())}
    return replace_fields(state, zones=zones)


def in_combat(state: Table, main: int, *monsters: str, helper: int = -1, agenda: tuple[Step, ...] = ()) -> Table:
    """The same table with these monsters, of the decks, in a combat of `main`; `agenda` is what lies on it."""
    zones = {**state.zones, COMBAT: tuple(monsters)}
    left = list(zones[DOORS])
    for monster in monsters:
        left.remove(monster)
    zones[DOORS] = tuple(left)
    combat = Combat(main, tuple(Foe(monster, monster) for monster in monsters), helper)
    return replace_fields(state, zones=zones, combat=combat, fought=True, agenda=(*state.agenda, *agenda))


def cast(state: Table, *pips: int) -> tuple[tuple[Event, ...], Table]:
    """The facts of throwing one die after the other, and the table then."""
    events: tuple[Event, ...] = ()
    for value in pips:
        more, state = when(state, CHANCE, RollResult((value,)))
        events += more
    return events, state


def turned_up(state: Table, card: str) -> tuple[tuple[Event, ...], Table]:
    """At a real table this card was turned up."""
    return when(state, CHANCE, TurnUpResult(card))


def shuffled(state: Table, place: str) -> tuple[tuple[Event, ...], Table]:
    """That deck lies in the reverse of its order after shuffling."""
    return when(state, CHANCE, ShuffleResult(state.cards_at(place)[::-1]))


def names(events: Iterable[Event]) -> list[str]:
    """The names of the facts that are told, in order: bookkeeping is left out."""
    return [event.TAG.removeprefix("mk.") for event in events if event.TAG not in QUIET]


def offered(state: Table, seat: int) -> list[Move]:
    """All legal moves of a seat."""
    return list(find_legal_moves(state, Seat(seat)))


def everything(state: Table) -> Counter[str]:
    """Every card of the table by name, wherever it lies."""
    return Counter(card for cards in state.zones.values() for card in cards)
