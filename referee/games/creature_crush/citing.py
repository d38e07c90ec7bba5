"""Cite what a move and what followed rest on, beside their own clauses.

Entries show these clauses to everybody, so only what everybody sees is looked at. Clauses: CC-ZONE-2, CC-PAY-4,
CC-ATTACK-3, CC-ATTACK-4, CC-DIRECT-1, CC-DIRECT-2, CC-TACTIC-3, CC-KEY-LIVELY-1, CC-EFF-PERM-1, CC-CHAIN-1, CC-CHAIN-3,
CC-CHAIN-5, CC-CHAIN-6, CC-CHAIN-8, CC-AMB-3, CC-AMB-12, CC-AMB-13, CC-AMB-16, CC-AMB-19, CC-AMB-20, CC-AMB-25,
CC-AMB-32, CC-AMB-34, CC-AMB-35, CC-WORD-TIME-1, CC-WORD-COST-1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.events import Event, Move, apply_events
from referee.engine.reasons.grounds import ground
from referee.engine.steps import StepPushed, StepReplaced, TriggerQueued
from referee.engine.zones import is_back
from referee.games.creature_crush.components import (
    ALL_FIELD_PLACES,
    DECKS,
    HAND_OF,
    HELLS,
    SEAT_BY_PLACE,
    column_of,
    face_of,
    find_opposite_place,
    row_of,
)
from referee.games.creature_crush.events.cards import CardsDestroyed, CardsReturned
from referee.games.creature_crush.events.course import StartDiceRolled
from referee.games.creature_crush.events.field import CreaturesDamaged
from referee.games.creature_crush.events.pending import PendingEffects, PendingHit, PendingLoss
from referee.games.creature_crush.moves import Attack, EndTurn, Flip, MoveCreature, Summon, Swap
from referee.games.creature_crush.state import Table

LOW_COST = 6  # up to which adding up is worth a rule of its own (CC-PAY-4)
SECOND_TURN = 2


@ground(Table, Move)
def cite_move(table: Table, move: Move, events: Iterable[Event]) -> Iterator[str]:
    """Yield the clauses of a granted move on this table, and of what followed."""
    match move:
        case Summon():
            yield from _cite_payment(move.dice, move.card)
        case Attack():
            yield from _cite_payment(move.dice, move.creature)
            yield from _cite_attack(table, move)
            yield from _cite_action(table, move.creature)
        case MoveCreature():
            yield from _cite_action(table, move.creature)
        case Swap():
            yield from _cite_action(table, move.creature)
            yield from _cite_action(table, move.other)
        case Flip():
            top = table.agenda[-1]
            if isinstance(top, PendingEffects) and top.answering_seat == table.turn:
                yield "CC-AMB-16"  # with a prerequisite, in the own turn
        case EndTurn() if table.dice:
            yield "CC-TACTIC-3"
    yield from _cite_course(table, tuple(events))


def _cite_payment(dice: tuple[int, ...], creature: str) -> Iterator[str]:
    """Cite the sum for a low cost, and a cost that is not the printed one.

    CC-PAY-4: Dice may be added up for a cost of 6 or less as well.
    CC-WORD-COST-1: What changes the cost of creatures counts for summoning and attacking.
    """
    if not is_back(creature) and sum(dice) != face_of(creature).cost:
        yield "CC-WORD-COST-1"
    if len(dice) > 1 and sum(dice) <= LOW_COST:
        yield "CC-PAY-4"


def _cite_action(table: Table, creature: str) -> Iterator[str]:
    """Cite the extra action.

    CC-KEY-LIVELY-1: A Lively creature may do one more thing in the turn in which it was summoned.
    """
    if creature in table.entered:
        if creature not in table.taken and table.has_keyword(creature, "lively"):
            yield "CC-KEY-LIVELY-1"
        yield "CC-AMB-12"
    elif table.acted.get(creature):
        yield "CC-AMB-12"  # an effect gave it one more action


def _cite_attack(table: Table, move: Attack) -> Iterator[str]:
    place = table.places_by_creature.get(move.creature)
    if place is None:
        return
    in_a = row_of(place) == "A"
    front = table.card_at(find_opposite_place(place, "A"))
    target = table.places_by_creature.get(move.target, "")
    aims_far = bool(move.target) and (
        not target or column_of(target) != column_of(place) or (in_a and row_of(target) == "A")
    )
    if aims_far and table.has_keyword(move.creature, "free_aim"):
        yield from ("CC-AMB-13", "CC-EFF-PERM-1")
    elif aims_far:
        yield "CC-AMB-13"  # by its second reading
    else:
        yield from ("CC-ATTACK-3" if in_a else "CC-ATTACK-4", "CC-ZONE-2")
        if not move.target and front:
            yield "CC-AMB-13"
    lasting = sum(each.amount for each in table.lasting.get(move.creature, ()) if each.stat == "attack")
    if table.ability_totals.get(move.creature, {}).get("attack", 0) != lasting:
        yield from ("CC-EFF-PERM-1", "CC-AMB-19")


def is_last_of_deck(table: Table, loss: PendingLoss) -> bool:
    """Return whether a loss takes the last card of a deck.

    CC-AMB-25: One attack destroys one card, even if that was the last one of the deck.
    """
    if loss.direct_clause != "CC-DIRECT-1":
        return False
    deck = table.zones.get(DECKS[loss.seat], ())
    return len(deck) == 1 and deck[0] != UNCOUNTED_CARDS


def _changes_sides(source: str, target: str) -> bool:
    """Return whether a card leaves a field for a pile of the other player."""
    return source in ALL_FIELD_PLACES and target not in (HELLS[SEAT_BY_PLACE[source]], HAND_OF[source])


def _cite_course(table: Table, events: tuple[Event, ...]) -> Iterator[str]:
    """Yield the clauses of what followed, where no single event shows them."""
    direct = False
    chains = [step.links for step in table.agenda if isinstance(step, PendingEffects)]
    for at, event in enumerate(events):
        match event:
            case StepPushed(step=PendingHit()):
                direct = True
            case StepReplaced(step=PendingLoss() as loss) if direct:
                yield loss.direct_clause
                if is_last_of_deck(apply_events(table, events[:at]), loss):
                    yield "CC-AMB-25"
                direct = False
            case (
                StepReplaced(step=PendingEffects(links=links) as chain)
                | StepPushed(step=PendingEffects(links=links) as chain)
            ):
                if any(link.text == "turn_starts" for link in links):
                    yield "CC-AMB-34"
                if any(link.text == "turn_ends" for link in links):
                    yield "CC-WORD-TIME-1"
                if any(before and before[:-1] == links for before in chains):
                    yield "CC-CHAIN-5"  # the newest has been taken off to be resolved
                    yield from ("CC-CHAIN-1",) if links else ()  # and older ones still wait
                chains.append(links)
                if chain.open_event:
                    yield from ("CC-CHAIN-3", "CC-AMB-20")  # whom the window asks follows from what everybody sees
                if chain.open_event == "placed" and links:
                    yield "CC-CHAIN-8"
            case CardsDestroyed(sources=sources, targets=targets) | CardsReturned(sources=sources, targets=targets):
                if any(_changes_sides(*both) for both in zip(sources, targets, strict=True)):
                    yield "CC-AMB-3"  # by its second reading
            case StartDiceRolled(which="basic") if table.turns == SECOND_TURN:
                yield "CC-AMB-32"
    for before, event in pairwise(event for event in events if not isinstance(event, TriggerQueued)):
        if isinstance(before, CreaturesDamaged) and isinstance(event, CardsDestroyed) and len(event.took) > 1:
            yield "CC-CHAIN-6"
            both = {*before.sources, *before.sources.values()} & {*event.took}
            if any("kills" in face_of(card).texts for card in both):
                yield "CC-AMB-35"  # whether a killer that dies with its victim has killed
