"""What happens and sets effects off: each event with the automatic effects of the cards concerned (CC-CHAIN-3, 4).

Functions that destroy, place or damage give the facts and note the event in the frame that is open; it is handled once
what caused it is finished (CC-CHAIN-5). Clauses: CC-CHAIN-3 to CC-CHAIN-6, CC-GLOSS-6, CC-KEY-ACTION-1, CC-KEY-TRAP-1,
CC-KEY-HELL-1, CC-DAMAGE-1, CC-AMB-3, CC-AMB-21, CC-AMB-26.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from referee.cardscript.hidden_cards import coming_to
from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.language.primitives import Values
from referee.engine.events import Event
from referee.engine.steps import Noted
from referee.engine.zones import Cards, is_back
from referee.games.creature_crush.components import HANDS, HELLS, ON_FIELD, SEAT_OF, face
from referee.games.creature_crush.events.cards import CardsDestroyed, CardsReturned, Placed
from referee.games.creature_crush.events.field import Damaged
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import Happening

AMBIENT = ("me", "opponent", "this", "x")  # what every text finds bound
_FIELD = frozenset(ON_FIELD)
NOBODY_STRIKES: Mapping[str, str] = {}


def effect(table: Table, card: str, text: str, by: int, refs: Mapping[str, str] | None = None, x: int = 0) -> CarryOut:
    """A text of a card, activated for a player: with whom it can speak of, and where that lay then.

    A step does nothing to a card that has left its place since (`at/<name>` keeps it).
    """
    bound: dict[str, Values] = {"me": (by,), "opponent": (1 - by,), "this": (card,), "x": (x,)}
    for name, value in {"this": card, **(refs or {})}.items():
        bound[name] = (value,)
        place = table.spots.get(value)
        if place is not None:
            bound[f"at/{name}"] = (place,)
    return CarryOut(card, text, by, 0, bound)


def effects_of(table: Table, cards: Iterable[tuple[str, str, int]], **refs: str) -> tuple[CarryOut, ...]:
    """The effects of these cards (card, text, possessor) that have such a text, in this order."""
    return tuple(
        effect(table, card, text, by, refs)
        for card, text, by in cards
        if not is_back(card) and text in face(card).texts
    )


def noted(happening: Happening) -> Event:
    """The fact that an event waits to be handled, in the innermost frame."""
    from referee.games.creature_crush.rules.chain import Happened  # which carries out what is set off here

    return Noted(Happened(happening))


# ---- destroyed -------------------------------------------------------------------------------------------------------


def destroyed(
    table: Table, what: Iterable[str], killer: str = "", names: Mapping[str, str] | None = None
) -> Iterator[Event]:
    """The facts of destroying creatures (by card) and C-cards (by place) on the field, all at the same time.

    `killer`: the creature whose attack did it (for what happens as it kills). `names`: at a real table, what the
    face-down cards turned out to be, by place.
    """
    moves: list[tuple[str, str, str, str]] = []
    victims: dict[str, Cards] = {"victim/0": (), "victim/1": ()}
    hells: list[tuple[str, str, int]] = []
    for each in dict.fromkeys(what):
        place = each if each in SEAT_OF else table.spots.get(each, "")
        there = table.at(place) if place else ""
        if not there:
            continue
        seat = SEAT_OF[place]
        moves.append((place, HELLS[seat], there, (names or {}).get(place, there)))
        if place in _FIELD:
            victims[f"victim/{seat}"] += (there,)
            hells.append((there, "hell", seat))
    if not moves:
        return
    sources, targets, took, put = zip(*moves, strict=True)
    fact = CardsDestroyed(sources, targets, took, put)
    yield fact
    if not hells:  # a C-card counts neither for Trap nor for Hell; but a card was put into hell (CC-AMB-26, CC-CHAIN-3)
        yield noted(Happening("put", SEAT_OF[sources[0]], {"card": put}))
        return
    killed = bool(killer) and killer in table.spots and killer not in took
    if killed and any(seat != table.possessor(killer) for _, _, seat in hells):
        hells.append((killer, "kills", table.possessor(killer)))
    refs = {name: cards for name, cards in victims.items() if cards}
    # as it is then: a card in hell has no place on the field that its text could miss it from
    yield noted(Happening("destroyed", table.turn, refs, effects_of(fact.apply(table), hells)))


def put_in_hell(table: Table, card: str, seat: int, then: tuple[CarryOut, ...] = ()) -> Event:
    """The event that a card came from the deck or the hand of a player into hell: its Trap (CC-KEY-TRAP-1).

    `then` are effects activated at the same time, as by a direct attack that is done.
    """
    effects = effects_of(table, ((card, "trap", seat),)) if face(card).is_creature else ()
    return noted(Happening("put", seat, {"card": (card,)}, (*effects, *then)))


def damaged(
    table: Table, points: Mapping[str, int], why: str, strikers: Mapping[str, str] = NOBODY_STRIKES
) -> Iterator[Event]:
    """The facts of damage that creatures take at the same time, and of the deaths that follow at once (CC-CHAIN-6).

    `strikers`: in an attack, who strikes whom: first the attacker, then the one that strikes back.
    """
    hit = {card: number for card, number in points.items() if card in table.spots and number > 0}
    if not hit:
        return
    yield Damaged(hit, why, {card: by for by, card in strikers.items() if card in hit})
    dead = tuple(card for card, number in hit.items() if table.life_left(card) <= number)
    yield from destroyed(table, dead, next(iter(strikers), ""))


# ---- placed, returned ------------------------------------------------------------------------------------------------


def placed(table: Table, fact: Placed, action: bool = False) -> Iterator[Event]:
    """The facts of a creature that enters a field by being summoned or revived; `action`: its Action is activated.

    Taking control is no summoning: it opens no window and gives its fact alone (CC-AMB-27).
    """
    yield fact
    after = fact.apply(table)
    effects = effects_of(after, ((fact.card, "action", fact.seat),)) if action else ()
    yield noted(Happening("placed", fact.seat, {"summoned": (fact.card,)}, effects))


def returned(table: Table, creatures: Iterable[str]) -> Iterator[Event]:
    """The facts of sending creatures on the field to the hands of their possessors, at the same time (CC-GLOSS-2)."""
    here = [(card, table.spots[card]) for card in dict.fromkeys(creatures) if card in table.spots]
    if here:
        seats = [SEAT_OF[place] for _, place in here]
        put = tuple(coming_to(table, seat, (card,))[0] for (card, _), seat in zip(here, seats, strict=True))
        yield CardsReturned(
            tuple(place for _, place in here), tuple(HANDS[seat] for seat in seats), tuple(c for c, _ in here), put
        )
