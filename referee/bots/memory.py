"""Memory: which hidden cards a seat can still know, from what it has seen.

It is a fold of the seat's own view and of events as that seat knows them. A card that leaves the open for one hidden
place is remembered to lie there, and so is one that was shown and put back. As soon as cards leave a place unseen, what
was remembered of it is forgotten, as any of them may have gone. So what is remembered is true, and less than all that
could be worked out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from referee.engine.cardtracking.determinization import NOTHING_REMEMBERED, Memory
from referee.engine.events import Event
from referee.engine.game import Game
from referee.engine.zones import Cards, back_of, is_back, is_open_to


class SeatMemory:
    """What one seat remembers of a match.

    `view`: the seat's view at the moment up to which it has noted the events.
    """

    def __init__(self, game: Game, seat: int, view: Any) -> None:
        self._game, self._seat = game, seat
        self.view = view
        self.places: Memory = NOTHING_REMEMBERED

    def note_events(self, events: Iterable[Event]) -> None:
        """Note what has happened since, as the seat may know it."""
        for event in events:
            after = event.apply(self.view)
            self.places = remember_event(self._game, self._seat, self.places, self.view, event, after)
            self.view = after


def remember_event(game: Game, seat: int, memory: Memory, before: Any, event: Event, after: Any) -> Memory:
    """Return what a seat remembers after an event, by place.

    `before` and `after` are the seat's views.
    """
    old, new = list_zones(before), list_zones(after)
    places = {place for place in {*old, *new} if not is_open_to(place, seat)}
    memory = {place: cards for place, cards in memory.items() if place in places}
    exchanged = game.tracking.exchanged_zones(event)
    if exchanged is not None:
        return exchange_places(seat, memory, old, exchanged)
    more, fewer = compare_backs(old, new, places)
    gone, come = compare_open_cards(old, new)
    for place, backs in fewer.items():
        seen = [card for card in come if back_of(card) in backs]
        kept = Counter(memory.get(place, ()))
        # All that left this place came into the open: nothing else did so from elsewhere.
        if len(fewer) == 1 and len(seen) == backs.total():
            kept -= Counter(seen)
        else:
            kept = Counter()
        memory[place] = tuple(sorted(kept.elements()))
    for place, backs in more.items():
        put = [card for card in gone if back_of(card) in backs]
        if len(more) == 1 and len(put) == backs.total():
            memory[place] = tuple(sorted((*memory.get(place, ()), *put)))
    for place, cards in game.tracking.revealed_cards(event):
        if place in places:
            known = Counter(memory.get(place, ())) | Counter(card for card in cards if not is_back(card))
            memory[place] = tuple(sorted(known.elements()))
    return {place: cards for place, cards in memory.items() if cards}


def exchange_places(seat: int, memory: Memory, zones: Mapping[str, Cards], exchanged: tuple[str, str]) -> Memory:
    """Return what a seat remembers after all cards of two places have been exchanged."""
    found = dict(memory)
    for target, source in (exchanged, exchanged[::-1]):
        known = zones.get(source, ()) if is_open_to(source, seat) else memory.get(source, ())
        found[target] = tuple(card for card in known if not is_back(card))
    return {place: cards for place, cards in found.items() if cards and not is_open_to(place, seat)}


def list_zones(view: Any) -> Mapping[str, Cards]:
    """Return the cards by place; none in a game without places."""
    return getattr(view, "zones", {})


def compare_backs(
    old: Mapping[str, Cards], new: Mapping[str, Cards], places: Iterable[str]
) -> tuple[dict[str, Counter[str]], dict[str, Counter[str]]]:
    """Return by hidden place which backs came to it, and which left it."""
    more, fewer = dict[str, Counter[str]](), dict[str, Counter[str]]()
    for place in sorted(places):
        before, after = old.get(place, ()), new.get(place, ())
        if before is not after and before != after:
            counts = Counter(filter(is_back, before)), Counter(filter(is_back, after))
            if counts[1] - counts[0]:
                more[place] = counts[1] - counts[0]
            if counts[0] - counts[1]:
                fewer[place] = counts[0] - counts[1]
    return more, fewer


def compare_open_cards(old: Mapping[str, Cards], new: Mapping[str, Cards]) -> tuple[list[str], list[str]]:
    """Return the named cards that left the open, and those that came into it."""
    before, after = Counter[str](), Counter[str]()
    for place in {*old, *new}:
        was, now = old.get(place, ()), new.get(place, ())
        if was is not now and was != now:
            before.update(card for card in was if not is_back(card))
            after.update(card for card in now if not is_back(card))
    return sorted((before - after).elements()), sorted((after - before).elements())
