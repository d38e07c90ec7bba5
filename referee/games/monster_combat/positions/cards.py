"""The cards of one place, as a position writes them and as the table holds them.

A position may leave out the backs of playing cards and of event cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from referee.engine.codec import quote_value
from referee.engine.positions.form import SchemaError, build_error
from referee.engine.zones import Cards, is_back
from referee.games.monster_combat.components import (
    EVENT_BACK,
    PLAIN_BACK,
    TRIGGER_BACK,
    Rules,
    design_name,
    list_box_cards,
    list_event_cards,
    list_playing_cards,
)
from referee.games.monster_combat.state import EVENTS, TRAY

MAX_CARDS_AT_PLACE = 120  # no place holds more, whatever the settings


@cache
def card_names_by_spelling(rules: Rules, events: bool) -> dict[str, str]:
    """Return the full name of a card for each way in which a person may write it.

    `events` says that the place holds event cards.
    """
    cards = list_event_cards(rules) if events else list_playing_cards(rules)
    names = {EVENT_BACK: EVENT_BACK} if events else {PLAIN_BACK: PLAIN_BACK, TRIGGER_BACK: TRIGGER_BACK}
    for card in cards:
        names |= {card: card}
        names.setdefault(design_name(card), f"{design_name(card)}!event" if events else design_name(card))
    return names


def find_card_errors(rules: Rules, place: str, said: Any, pointer: str) -> Iterator[SchemaError]:
    """Yield the cards written for a place that do not exist with these settings."""
    names = card_names_by_spelling(rules, place in (EVENTS, TRAY))
    inside = isinstance(said, dict)
    listed = said.get("cards", ()) if inside else said
    for at, card in enumerate(listed if not isinstance(listed, int) else ()):
        if card not in names:
            detail = f"with these settings no card of this place is called {quote_value(card)}; see `trigger_mode`"
            yield build_error(f"{pointer}/cards/{at}" if inside else f"{pointer}/{at}", detail)


def name_cards(rules: Rules, zones: dict[str, Cards]) -> dict[str, Cards]:
    """Return the same cards under their full names."""
    playing, events = card_names_by_spelling(rules, False), card_names_by_spelling(rules, True)
    names = {place: events if place in (EVENTS, TRAY) else playing for place in zones}
    named = {place: tuple(names[place].get(card, card) for card in cards) for place, cards in zones.items()}
    return assign_trigger_backs(rules, named)


def assign_trigger_backs(rules: Rules, zones: dict[str, Cards]) -> dict[str, Cards]:
    """Return the same cards, with the trigger back where no plain copy is left.

    Fifteen swords, for example, are more than have the plain back.
    """
    if not rules.counts_backs:  # any copy may have either back
        return zones
    free = Counter(list_box_cards(rules))
    given: dict[str, Cards] = {}
    for place, cards in zones.items():
        settled = []
        for card in cards:
            marked = f"{card}!trigger"
            meant = marked if not is_back(card) and free[card] <= 0 < free[marked] else card
            free[meant] -= 1
            settled.append(meant)
        given[place] = tuple(settled)
    return given
