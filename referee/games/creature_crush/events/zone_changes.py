"""Move cards from place to place, and clear marks of those that leave the field.

Clauses: CC-ACT-1, CC-CHAIN-7, CC-AMB-4, CC-AMB-27.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.cardscript.events import CardsMoved, remove_if_known
from referee.cardscript.language.interpreter import Execution
from referee.engine.events import Event, replace_fields
from referee.engine.steps import Step
from referee.engine.zones import Cards, arrange_cards, backs_of, is_open_to
from referee.games.creature_crush.components import ALL_FIELD_PLACES
from referee.games.creature_crush.events.pending import PendingAttack, PendingEffects

_FIELD = frozenset(ALL_FIELD_PLACES)


def clear_marks(state: Any, cards: Cards) -> Any:
    """Return the table without the marks of creatures that have left the field.

    CC-AMB-27: A creature that leaves the field loses damage, bonuses and marks.
    """
    gone = frozenset(cards)
    if not gone:
        return state

    def left(marks: dict[str, Any]) -> dict[str, Any]:
        return {card: mark for card, mark in marks.items() if card not in gone}

    return replace_fields(
        state,
        agenda=tuple(detach_from_step(step, gone) for step in state.agenda),
        damage=left(state.damage),
        lasting=left(state.lasting),
        acted=left(state.acted),
        ready=left(state.ready),
        entered=tuple(card for card in state.entered if card not in gone),
        taken=tuple(card for card in state.taken if card not in gone),
        borrowed=tuple(card for card in state.borrowed if card not in gone),
    )


def detach_from_step(step: Step, gone: frozenset[str]) -> Step:
    """Return a step without the places in which it knew these creatures.

    An attack, and effects that wait or are being carried out, lose those places. A creature that comes back later is
    then not mistaken for the one that left.

    CC-CHAIN-7: If attacker or target is gone, the attack ends without damage.
    """
    match step:
        case PendingAttack(creature=creature, target=target) if creature in gone or target in gone:
            place = "" if creature in gone else step.place
            return replace_fields(step, place=place, target_place="" if target in gone else step.target_place)
        case PendingEffects(links=links):
            return replace_fields(step, links=tuple(_drop_places(link, gone) for link in links))
        case Execution():
            return _drop_places(step, gone)
    return step


def _drop_places(text: Execution, gone: frozenset[str]) -> Execution:
    """Return a text without the places of these creatures, kept as `at/<name>`."""
    stale = {at: () for at in text.bound if at.startswith("at/") and gone.intersection(text.bound.get(at[3:], ()))}
    return replace_fields(text, bound={**text.bound, **stale}) if stale else text


@dataclass(frozen=True)
class CardsTransferred(CardsMoved):
    """Cards went from one place to another.

    Cards that leave the field lose their marks, and the turn is not quiet.
    """

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        if self.source in _FIELD and self.target not in _FIELD:
            after = clear_marks(after, self.took)
        return after if after.stirred else replace_fields(after, stirred=True)


@dataclass(frozen=True)
class CardsTransferredTogether(Event):
    """Cards went to other places at the same time.

    Card n left `sources[n]`, which held it as `took[n]`, and went to `targets[n]` as `put[n]`.
    """

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    took: Cards
    put: Cards

    def apply(self, state: Any) -> Any:
        zones = dict(state.zones)
        paid, saved = state.paid, state.saved
        for source, target, took, put in zip(self.sources, self.targets, self.took, self.put, strict=True):
            zones[source] = remove_if_known(zones.get(source, ()), (took,))
            zones[target] = arrange_cards((*zones.get(target, ()), put))
            if source in paid:
                paid = {place: dice for place, dice in paid.items() if place != source}
            if source in saved:
                saved = {place: dice for place, dice in saved.items() if place != source}
        after = replace_fields(state, zones=zones, paid=paid, saved=saved, stirred=True)
        return clear_marks(after, tuple(c for c, s in zip(self.took, self.sources, strict=True) if s in _FIELD))

    def view_for(self, seat: int) -> Event:
        took = tuple(
            card if is_open_to(place, seat) else backs_of((card,))[0]
            for card, place in zip(self.took, self.sources, strict=True)
        )
        put = tuple(
            card if is_open_to(place, seat) else backs_of((card,))[0]
            for card, place in zip(self.put, self.targets, strict=True)
        )
        return replace_fields(self, took=took, put=put)


def mark_acted(state: Any, creatures: Cards) -> Any:
    """Return the table after these creatures have taken one action each.

    CC-ACT-1: In one turn a creature does only one of these: it attacks, it enters the field, or it is moved.
    """
    acted = dict(state.acted)
    for card in creatures:
        acted[card] = acted.get(card, 0) + 1
    return replace_fields(state, acted=acted)
