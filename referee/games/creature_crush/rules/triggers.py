"""Events that set effects off, each with the automatic effects of its cards.

Functions that destroy, place or damage yield the events and queue the trigger in the open frame. It is handled when its
cause is finished (CC-CHAIN-5). Clauses: CC-CHAIN-3 to CC-CHAIN-6, CC-GLOSS-6, CC-KEY-ACTION-1, CC-KEY-TRAP-1,
CC-KEY-HELL-1, CC-DAMAGE-1, CC-AMB-3, CC-AMB-21, CC-AMB-26.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from referee.cardscript.hidden_cards import cards_arriving
from referee.cardscript.language.interpreter import Execution
from referee.engine.events import Event
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION
from referee.engine.zones import Cards, is_back
from referee.games.creature_crush.components import ALL_FIELD_PLACES, HANDS, HELLS, SEAT_BY_PLACE, SEATS, face_of
from referee.games.creature_crush.events.cards import CardsDestroyed, CardsReturned, CreatureEntered
from referee.games.creature_crush.events.field import CreaturesDamaged, CreaturesSpared, DamagePrevented
from referee.games.creature_crush.rules.activating import activate_texts, watch_arrival, watch_deaths
from referee.games.creature_crush.rules.chain import queue_trigger
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import SHIELD, SPARED, TriggerEvent

_FIELD = frozenset(ALL_FIELD_PLACES)
NO_STRIKERS: Mapping[str, str] = {}


# ---- destroyed -------------------------------------------------------------------------------------------------------


def destroy_cards(
    table: Table, what: Iterable[str], killer: str = "", names: Mapping[str, str] | None = None
) -> Iterator[Event]:
    """Yield the events of destroying cards on the field, all at the same time.

    `what` names creatures by card and crush cards by place. `killer` is the creature whose attack did it, which may
    have a text for that. `names` are the cards that face-down backs at a real table turned out to be, by place.

    CC-AMB-3-R2: A creature goes to the hell of the player from whose deck it comes.
    CC-AMB-35-R2: An attacker that dies together with its victim has destroyed it all the same.
    """
    what = tuple(dict.fromkeys(what))
    spared = tuple(card for card in what if table.count_lasting(card, SPARED))
    if spared:
        yield CreaturesSpared(spared)
    moves: list[tuple[str, str, str, str]] = []
    victims: dict[str, Cards] = {"victim/0": (), "victim/1": ()}
    hells: list[tuple[str, str, int]] = []
    crushed: list[tuple[str, str, int]] = []
    for each in (card for card in what if card not in spared):
        place = each if each in SEAT_BY_PLACE else table.places_by_creature.get(each, "")
        there = table.card_at(place) if place else ""
        if not there:
            continue
        seat = SEAT_BY_PLACE[place]
        owner = table.owner_of(there) if place in _FIELD else seat
        moves.append((place, HELLS[owner], there, (names or {}).get(place, there)))
        if place in _FIELD:
            victims[f"victim/{seat}"] += (there,)
            hells.append((there, "hell", seat))
        elif not is_back(moves[-1][3]) and has_keyword_texts(table, moves[-1][3]):
            crushed.append((moves[-1][3], "hell", seat))
    if not moves:
        return
    sources, targets, took, put = zip(*moves, strict=True)
    event = CardsDestroyed(sources, targets, took, put)
    yield event
    if not hells:  # no creature is destroyed, but a card is put into hell (CC-AMB-26, CC-CHAIN-3)
        effects = activate_texts(event.apply(table), crushed)
        yield queue_trigger(TriggerEvent("put", SEAT_BY_PLACE[sources[0]], {"card": put}, effects))
        return
    hells += crushed
    survives = killer not in took or table.interpretation_number("CC-AMB-35") != FIRST_INTERPRETATION
    killed = bool(killer) and killer in table.places_by_creature and survives
    if killed and any(seat != table.possessor_of(killer) for _, _, seat in hells):
        hells.append((killer, "kills", table.possessor_of(killer)))
    refs = {name: cards for name, cards in victims.items() if cards}
    # activated after the event, so that a card in hell has no `at/this` from which it would count as gone
    after = event.apply(table)
    watching = watch_deaths(after, {seat: victims[f"victim/{seat}"] for seat in SEATS})
    yield queue_trigger(TriggerEvent("destroyed", table.turn, refs, (*activate_texts(after, hells), *watching)))


def queue_hell_arrivals(table: Table, cards: Cards, seat: int, then: tuple[Execution, ...] = ()) -> Event:
    """Build the event that queues the Traps of cards put into hell at one time.

    They come from deck or hand. `then` are effects activated at the same time, for example by a direct attack that is
    done.

    CC-KEY-TRAP-1: Trap happens when the card is put from its player's deck or hand into hell.
    """
    traps = ((card, "trap", seat) for card in cards if has_keyword_texts(table, card))
    return queue_trigger(TriggerEvent("put", seat, {"card": cards}, (*activate_texts(table, traps), *then)))


def has_keyword_texts(table: Table, card: str) -> bool:
    """Return whether Trap and Hell count for a card.

    CC-AMB-26-R2: They count for a crush card as well.
    """
    return face_of(card).is_creature or table.interpretation_number("CC-AMB-26") != FIRST_INTERPRETATION


def deal_damage(
    table: Table, points: Mapping[str, int], why: str, strikers: Mapping[str, str] = NO_STRIKERS
) -> Iterator[Event]:
    """Yield the events of damage dealt at one time, and of the deaths that follow.

    `strikers` says in an attack who strikes whom, the attacker first and a defender that strikes back second.

    CC-CHAIN-6: After each step every creature whose damage reaches its life goes to hell, all of them at the same time.
    """
    hit = {card: number for card, number in points.items() if card in table.places_by_creature and number > 0}
    prevented = {card: min(number, table.count_lasting(card, SHIELD)) for card, number in hit.items()}
    prevented = {card: number for card, number in prevented.items() if number}
    if prevented:
        yield DamagePrevented(prevented)
        hit = {card: number - prevented.get(card, 0) for card, number in hit.items() if number > prevented.get(card, 0)}
    if not hit:
        return
    yield CreaturesDamaged(hit, why, {card: by for by, card in strikers.items() if card in hit})
    dead = tuple(card for card, number in hit.items() if table.life_left(card) <= number)
    yield from destroy_cards(table, dead, next(iter(strikers), ""))


# ---- placed, returned ------------------------------------------------------------------------------------------------


def place_creature(table: Table, event: CreatureEntered, action: bool = False) -> Iterator[Event]:
    """Yield the events of a creature that is summoned or revived.

    `action` says that its Action is activated.

    CC-AMB-27: A creature whose control is taken is moved and not summoned. So this function is not used for it, and no
        window opens.
    """
    yield event
    after = event.apply(table)
    effects = activate_texts(after, ((event.card, "action", event.seat),)) if action else ()
    watching = watch_arrival(after, event.card, event.seat)
    yield queue_trigger(TriggerEvent("placed", event.seat, {"summoned": (event.card,)}, (*effects, *watching)))


def return_creatures(table: Table, creatures: Iterable[str]) -> Iterator[Event]:
    """Yield the events of returning creatures on the field to hands, all at once.

    CC-GLOSS-2: A card that is returned to the hand always goes to the hand of its possessor.
    """
    here = [
        (card, table.places_by_creature[card]) for card in dict.fromkeys(creatures) if card in table.places_by_creature
    ]
    if here:
        seats = [table.owner_of(card) for card, _ in here]
        put = tuple(cards_arriving(table, seat, (card,))[0] for (card, _), seat in zip(here, seats, strict=True))
        yield CardsReturned(
            tuple(place for _, place in here), tuple(HANDS[seat] for seat in seats), tuple(c for c, _ in here), put
        )
