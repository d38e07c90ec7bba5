"""Other worlds that a seat cannot tell from the real one: hidden cards permuted.

Doors stay in the door deck and treasures in the treasure deck. A hand may hold any card. Notes about a hidden card move
along with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Value, Values
from referee.engine.events import replace_fields
from referee.engine.steps import Step
from referee.engine.zones import Cards, arrange_cards, count_unnamed_copies, is_back, is_open_to, list_copies
from referee.games.munchkin.components import DOORS, FACES, HANDS, TREASURES
from referee.games.munchkin.rules.turn import KeepOne
from referee.games.munchkin.state import Table

Shuffle = Callable[[list[Any]], list[Any]]


def determinize_table(state: Table, seat: int, shuffle: Shuffle) -> Table:
    """Return another table that this seat cannot tell from this one.

    At a real table only some cards are named. Any unnamed copy of the box may take their places.
    """
    hidden = sorted(place for place in state.zones if not is_open_to(place, seat))
    pool = list(list_copies(+count_unnamed_copies(state.boxes.whole, state)))
    pool += [card for place in hidden for card in state.zones[place] if not is_back(card)]
    mixed = shuffle(pool)
    zones = dict(state.zones)
    for deck, place in (("door", DOORS), ("treasure", TREASURES)):
        if place in hidden:
            of_deck = [card for card in mixed if FACES[card].deck == deck]
            zones[place] = _replace_cards(state.zones[place], of_deck)
            for card in zones[place]:
                if not is_back(card):
                    mixed.remove(card)
    for place in hidden:
        if place not in (DOORS, TREASURES):
            zones[place] = _replace_cards(state.zones[place], mixed)
    there = {place: _RenamedCards(state.zones[place], zones[place]) for place in hidden}
    fresh = {
        who: there[HANDS[int(who)]].rename_cards(cards) if HANDS[int(who)] in there else cards
        for who, cards in state.fresh.items()
    }
    agenda = tuple(_rename_in_step(step, seat, there) for step in state.agenda)
    return replace_fields(
        state, zones={place: arrange_cards(cards) for place, cards in zones.items()}, fresh=fresh, agenda=agenda
    )


def _replace_cards(cards: Cards, mixed: list[str]) -> Cards:
    """Return the cards of a place with its named cards replaced by cards of `mixed`.

    The cards used are removed from `mixed`.
    """
    return tuple(card if is_back(card) else mixed.pop() for card in cards)


class _RenamedCards:
    """The names that the cards of one place have in the other world."""

    def __init__(self, before: Cards, after: Cards) -> None:
        self.names: dict[str, list[str]] = {}
        for old, new in zip(before, after, strict=True):
            self.names.setdefault(old, []).append(new)

    def rename_cards(self, cards: Cards) -> Cards:
        """Return these cards by their new names.

        A card that has left the place keeps its own name.
        """
        left = {old: list(new) for old, new in self.names.items()}
        return arrange_cards(left[card].pop(0) if left.get(card) else card for card in cards)


def _rename_in_step(step: Step, seat: int, there: dict[str, _RenamedCards]) -> Step:
    """Return a step with the cards that only another seat knows renamed."""
    if isinstance(step, KeepOne) and HANDS[step.seat] in there:
        return replace_fields(step, before=there[HANDS[step.seat]].rename_cards(step.before))
    if isinstance(step, Execution) and step.secret and step.by != seat:
        bound = {
            name: _rename_values(values, there) if name in step.secret else values
            for name, values in step.bound.items()
        }
        return replace_fields(step, bound=bound)
    return step


def _rename_values(values: Values, there: dict[str, _RenamedCards]) -> Values:
    def other(value: Value) -> Value:
        if not isinstance(value, str):
            return value
        found = next((names.names[value] for names in there.values() if value in names.names), None)
        return found[0] if found else value

    return tuple(map(other, values))
