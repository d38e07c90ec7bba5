"""How cards go: from place to place, one pile or several at once, and what that leaves behind on the field.

Clauses: CC-ACT-1, CC-CHAIN-7, CC-AMB-4, CC-AMB-27.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.cardscript.events import CardsMoved, lifted
from referee.cardscript.language.interpreter import CarryOut
from referee.engine.events import Event, changed
from referee.engine.steps import Step
from referee.engine.zones import Cards, arranged, backs, open_to
from referee.games.creature_crush.components import ON_FIELD

_FIELD = frozenset(ON_FIELD)


def forgotten(state: Any, cards: Cards) -> Any:
    """The table without what was marked on creatures that have left the field (CC-AMB-27)."""
    gone = frozenset(cards)
    if not gone:
        return state

    def left(marks: dict[str, Any]) -> dict[str, Any]:
        return {card: mark for card, mark in marks.items() if card not in gone}

    return changed(
        state,
        agenda=tuple(missing(step, gone) for step in state.agenda),
        damage=left(state.damage),
        lasting=left(state.lasting),
        acted=left(state.acted),
        ready=left(state.ready),
        entered=tuple(card for card in state.entered if card not in gone),
    )


def missing(step: Step, gone: frozenset[str]) -> Step:
    """A step as it goes on without these creatures: what has left the field is not what it was, should it come back.

    An attack, and effects that wait or are being carried out, lose the places where they knew them (CC-CHAIN-7).
    """
    from referee.games.creature_crush.rules.chain import Chain  # steps, which know these facts
    from referee.games.creature_crush.rules.combat.damage import Strike

    match step:
        case Strike(creature=creature, target=target) if creature in gone or target in gone:
            place = "" if creature in gone else step.place
            return changed(step, place=place, target_place="" if target in gone else step.target_place)
        case Chain(links=links):
            return changed(step, links=tuple(_nowhere(link, gone) for link in links))
        case CarryOut():
            return _nowhere(step, gone)
    return step


def _nowhere(text: CarryOut, gone: frozenset[str]) -> CarryOut:
    """A text without the places of these creatures, if it knows any (`at/<name>`)."""
    stale = {at: () for at in text.bound if at.startswith("at/") and gone.intersection(text.bound.get(at[3:], ()))}
    return changed(text, bound={**text.bound, **stale}) if stale else text


@dataclass(frozen=True)
class Went(CardsMoved):
    """Cards went from one place to another; whatever leaves the field loses its marks, and the turn was not quiet."""

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        if self.source in _FIELD and self.target not in _FIELD:
            after = forgotten(after, self.took)
        return after if after.stirred else changed(after, stirred=True)


@dataclass(frozen=True)
class SeveralWent(Event):
    """Cards went at the same time, each from `sources[n]` (as it held it: `took[n]`) to `targets[n]` (`put[n]`)."""

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    took: Cards
    put: Cards

    def apply(self, state: Any) -> Any:
        zones = dict(state.zones)
        paid = state.paid
        for source, target, took, put in zip(self.sources, self.targets, self.took, self.put, strict=True):
            zones[source] = lifted(zones.get(source, ()), (took,))
            zones[target] = arranged((*zones.get(target, ()), put))
            if source in paid:
                paid = {place: dice for place, dice in paid.items() if place != source}
        after = changed(state, zones=zones, paid=paid, stirred=True)
        return forgotten(after, tuple(c for c, s in zip(self.took, self.sources, strict=True) if s in _FIELD))

    def seen_by(self, seat: int) -> Event:
        took = tuple(
            card if open_to(place, seat) else backs((card,))[0]
            for card, place in zip(self.took, self.sources, strict=True)
        )
        put = tuple(
            card if open_to(place, seat) else backs((card,))[0]
            for card, place in zip(self.put, self.targets, strict=True)
        )
        return changed(self, took=took, put=put)


def acting(state: Any, creatures: Cards) -> Any:
    """The table once these creatures have taken one action each (CC-ACT-1)."""
    acted = dict(state.acted)
    for card in creatures:
        acted[card] = acted.get(card, 0) + 1
    return changed(state, acted=acted)
