"""Transfers: which cards an entry moves from where to where.

They are given as the viewer sees them. A client animates them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from referee.engine.cardtracking.transfers import compute_transfer
from referee.engine.events import Event
from referee.engine.game import Game
from referee.engine.parts.boards import UNSPECIFIC_BACKS, board_place
from referee.engine.parts.narration import BOOKKEEPING_TYPES
from referee.engine.zones import Cards, Moved, back_of, is_back
from referee.match.aggregate import TableEvent

Zones = Mapping[str, Cards]
Lying = tuple[str, str, int]  # a card, its place, and its number among its equals there


def transfers_response(
    game: Game, events: Sequence[Event], version: int, states: Sequence[Any] | None = None
) -> list[dict[str, Any]]:
    """Return the transfers of an entry's events in order, as the viewer sees them.

    `states` are those that the viewer sees before each event and after the last. With them each card has the ids that
    it has on the boards before and after, and no transfer is missing. Without, only plain moves are found, and equal
    copies are numbered among those that are moved together.
    """
    return [
        {"n": f"{version}.{at}", **transfer}
        for at, event in enumerate(events)
        if not isinstance(event, (TableEvent, *BOOKKEEPING_TYPES))
        for transfer in _iterate(game, event, None if states is None else (states[at], states[at + 1]))
    ]


def _iterate(game: Game, event: Event, around: tuple[Any, Any] | None) -> Iterator[dict[str, Any]]:
    swapped = game.tracking.exchanged_zones(event)
    if swapped is not None:
        one, other = map(board_place, swapped)
        yield {"from": one, "to": other, "count": None, "cards": [], "was": []}
        yield {"from": other, "to": one, "count": None, "cards": [], "was": []}
        return
    before, after = ({}, {}) if around is None else map(game.tracking.cards_by_zone, around)
    if isinstance(event, Moved):
        left = _number_copies(event.took, event.source, before)
        come = _number_copies(event.put, event.target, after)
        pairs = [(one, other) for one, other in _pair_cards(left, come) if one and other]
        cards, was = _draw_pairs(game, pairs)
        places = {"from": board_place(event.source), "to": board_place(event.target)}
        yield {**places, "count": len(event.put), "cards": cards, "was": was}
    elif around is not None and before is not after:
        yield from _compare_zones(game, before, after)


def _compare_zones(game: Game, before: Zones, after: Zones) -> Iterator[dict[str, Any]]:
    """Yield what an event moved that is no plain move, by the places of the cards."""
    moved = compute_transfer(0, before, after)
    if moved is None:
        return
    left = [one for place, cards in moved.took.items() for one in _number_copies(cards.elements(), place, before)]
    come = [one for place, cards in moved.put.items() for one in _number_copies(cards.elements(), place, after)]
    groups: dict[tuple[str | None, str | None], list[tuple[Lying | None, Lying | None]]] = {}
    for one, other in _pair_cards(left, come):
        key = (one and board_place(one[1]), other and board_place(other[1]))
        groups.setdefault(key, []).append((one, other))
    for (source, target), pairs in groups.items():
        cards, was = _draw_pairs(game, pairs)
        if source != target or cards:  # what is mixed where it lies shows nothing
            yield {"from": source, "to": target, "count": len(pairs), "cards": cards, "was": was}


def _draw_pairs(
    game: Game, pairs: Iterable[tuple[Lying | None, Lying | None]]
) -> tuple[list[dict[str, Any]], list[str | None]]:
    """Return the cards that can be told apart, and their ids where they lay."""
    cards: list[dict[str, Any]] = []
    was: list[str | None] = []
    for left, come in pairs:
        there, here = (_draw_lying(game, lying) for lying in (left, come))
        # what lies hidden where it came from may be seen where it goes, and the other way round
        hides = there is not None and there["card"] is not None and (here is None or here["card"] is None)
        drawn = there if hides else here
        if drawn is not None:
            # a card that is put down keeps what it is, and lies there under the id of its back
            cards.append({**drawn, "id": here["id"]} if here is not None else drawn)
            was.append(None if there is None else there["id"])
    return cards, was


def _draw_lying(game: Game, lying: Lying | None) -> Any:
    """Return a card as it is drawn where it lies; None if nothing tells it apart."""
    if lying is None or lying[0] in UNSPECIFIC_BACKS:
        return None
    return game.boards.draw_card(*lying)


def _pair_cards(left: Iterable[Lying], come: Sequence[Lying]) -> Iterator[tuple[Lying | None, Lying | None]]:
    """Yield each moved card with the name, or else the back, that it has afterwards.

    Cards that vanish or appear have nothing on the other side.
    """
    waiting, rest = list(come), list(left)
    for fits in (_is_same, _is_back_of_same):
        rest, unpaired = [], rest
        for one in unpaired:
            other = next((other for other in waiting if fits(one[0], other[0])), None)
            if other is None:
                rest.append(one)
            else:
                waiting.remove(other)
                yield one, other
    yield from ((one, None) for one in rest)
    yield from ((None, other) for other in waiting)


def _is_same(one: str, other: str) -> bool:
    return one == other


def _is_back_of_same(one: str, other: str) -> bool:
    return (is_back(one) or is_back(other)) and back_of(one) == back_of(other)


def _number_copies(moved: Iterable[str], place: str, zones: Zones) -> list[Lying]:
    """Return moved cards with their numbers among their equals at a place.

    Of equal copies the last ones leave, and arrive as the last ones: so the others keep their ids.
    """
    cards, there = tuple(moved), zones.get(place, ())
    numbers = {card: max(0, there.count(card) - cards.count(card)) for card in set(cards)}
    numbered = []
    for card in cards:
        numbers[card] += 1
        numbered.append((card, place, numbers[card]))
    return numbered
