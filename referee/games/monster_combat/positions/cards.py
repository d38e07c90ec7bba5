"""The cards of one place, as a position says them and as the table holds them.

A place is said by a list of names and backs, by a number (so many cards, none of them known), by `{cards, count}` (so
many, some of them known), by `{cards, more}` (these, and nobody knows how many more), or it is left out.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from referee.engine.zones import Cards, arrange_cards, is_back
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
from referee.games.monster_combat.state import ANY, EVENTS, SOME, TRAY

MAX_CARDS_AT_PLACE = 120  # no place holds more, whatever the settings
Errors = list[dict[str, str]]


@cache
def card_names_by_spelling(rules: Rules, events: bool) -> dict[str, str]:
    """What a person may call a card of such a place, and the card's full name."""
    cards = list_event_cards(rules) if events else list_playing_cards(rules)
    names = {EVENT_BACK: EVENT_BACK} if events else {PLAIN_BACK: PLAIN_BACK, TRIGGER_BACK: TRIGGER_BACK}
    for card in cards:
        names |= {card: card}
        names.setdefault(design_name(card), f"{design_name(card)}!event" if events else design_name(card))
    return names


def decode_cards(said: Any, place: str, rules: Rules, pointer: str, errors: Errors) -> Cards:
    """The cards of a place that a position says something about; what is wrong goes to `errors`."""
    if type(said) is int and 0 <= said <= MAX_CARDS_AT_PLACE:
        return (ANY,) * said
    count, more, listed = None, False, said
    if isinstance(said, dict):
        errors += [{"pointer": f"{pointer}/{name}", "detail": "no such member"} for name in said.keys() - PILE_MEMBERS]
        count, more, listed = said.get("count"), said.get("more", False), said.get("cards", [])
        pointer = f"{pointer}/cards"
    if not isinstance(listed, list) or type(more) is not bool or (count is not None and type(count) is not int):
        errors.append({"pointer": pointer, "detail": "a list of cards, a number, or {cards, count} is needed"})
        return ()
    names = card_names_by_spelling(rules, place in (EVENTS, TRAY))
    for index, card in enumerate(listed):
        if not isinstance(card, str) or card not in names:
            errors.append({"pointer": f"{pointer}/{index}", "detail": f"no card here is called {card!r}"})
    unknown = 0 if count is None else count - len(listed)
    if not 0 <= unknown <= MAX_CARDS_AT_PLACE:
        errors.append({"pointer": pointer, "detail": f"{len(listed)} cards are listed, but the count is {count}"})
    if errors:
        return ()
    return arrange_cards((*(names[card] for card in listed), *(ANY,) * unknown, *(SOME,) * more))


PILE_MEMBERS = {"cards", "count", "more"}


def encode_cards(cards: Cards) -> Any:
    """What a position says about the cards of a place; None if it leaves the place out."""
    if cards == (SOME,):
        return None
    known = [card for card in cards if card not in (ANY, SOME)]
    if not known and cards and SOME not in cards:
        return len(cards)
    if SOME in cards:
        return {"cards": known, **({"count": len(cards) - 1} if ANY in cards else {}), "more": True}
    return {"cards": known, "count": len(cards)} if ANY in cards else known


def assign_trigger_backs(rules: Rules, zones: dict[str, Cards]) -> dict[str, Cards]:
    """The same cards with the trigger back where it must be meant: fifteen swords are more than have the plain back."""
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
