"""The cards of one place, as a position writes them and as the table holds them.

A position may write a place as a list of names and backs, as a number (that many unknown cards), as `{cards, count}`
(that many cards, some of them known), or as `{cards, more}` (these cards and an unknown number more). It may also leave
the place out.
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
    """Return the full name of a card for each way in which a person may write it.

    `events` says that the place holds event cards.
    """
    cards = list_event_cards(rules) if events else list_playing_cards(rules)
    names = {EVENT_BACK: EVENT_BACK} if events else {PLAIN_BACK: PLAIN_BACK, TRIGGER_BACK: TRIGGER_BACK}
    for card in cards:
        names |= {card: card}
        names.setdefault(design_name(card), f"{design_name(card)}!event" if events else design_name(card))
    return names


def decode_cards(said: Any, place: str, rules: Rules, pointer: str, errors: Errors) -> Cards:
    """Return the cards of a place that a position says something about.

    Append what is wrong to `errors`.
    """
    if type(said) is int and 0 <= said <= MAX_CARDS_AT_PLACE:
        return (ANY,) * said
    count, more, listed = None, False, said
    if isinstance(said, dict):
        errors += [{"pointer": f"{pointer}/{name}", "detail": "no such member"} for name in said.keys() - PILE_MEMBERS]
        count, more, listed = said.get("count"), said.get("more", False), said.get("cards", [])
        pointer = f"{pointer}/cards"
    if not isinstance(listed, list) or type(more) is not bool or (count is not None and type(count) is not int):
        errors.append(
            {"pointer": pointer, "detail": "a list of cards, a number, or an object with cards and count is needed"}
        )
        return ()
    names = card_names_by_spelling(rules, place in (EVENTS, TRAY))
    for index, card in enumerate(listed):
        if not isinstance(card, str) or card not in names:
            errors.append({"pointer": f"{pointer}/{index}", "detail": f"no card of this place is called {card!r}"})
    unknown = 0 if count is None else count - len(listed)
    if not 0 <= unknown <= MAX_CARDS_AT_PLACE:
        errors.append({"pointer": pointer, "detail": f"{len(listed)} cards are listed, but the count is {count}"})
    if errors:
        return ()
    return arrange_cards((*(names[card] for card in listed), *(ANY,) * unknown, *(SOME,) * more))


PILE_MEMBERS = {"cards", "count", "more"}


def encode_cards(cards: Cards) -> Any:
    """Return what a position says about the cards of a place.

    Return None if it leaves the place out.
    """
    if cards == (SOME,):
        return None
    listed = [card for card in cards if card not in (ANY, SOME)]
    if not listed and cards and SOME not in cards:
        return len(cards)
    if SOME in cards:
        return {"cards": listed, **({"count": len(cards) - 1} if ANY in cards else {}), "more": True}
    return {"cards": listed, "count": len(cards)} if ANY in cards else listed


def assign_trigger_backs(rules: Rules, zones: dict[str, Cards]) -> dict[str, Cards]:
    """Return the same cards, with the trigger back where no plain copy is left.

    Fifteen swords, for example, are more than have the plain back.
    """
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
