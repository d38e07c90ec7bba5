"""Tables that a seat cannot tell apart: the cards hidden from it are permuted.

A card of the League takes the place of a card of the same deck. On a C-place lies a crush card for which as many dice
are burned as were paid. A player who drafted or listed a deck knows what is in it, but not the order. The other
player's list is hidden and is made to name the cards that the deck then holds. Clauses: CC-ZONE-3, CC-AMB-14,
CC-FORMAT-ARENA-1, CC-FORMAT-LEAGUE-1, CC-AMB-7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.cardscript.questions import SimultaneousPrompt
from referee.engine.events import replace_fields
from referee.engine.steps import Step
from referee.engine.zones import Cards, arrange_cards, is_back, is_open_to
from referee.games.creature_crush.card_attributes import COST_X
from referee.games.creature_crush.components import DECK_SIZE, DECKS, POOL, SEATS, face_of, strip_copy_number
from referee.games.creature_crush.rules.decks import READY_ANSWER, BringingDecks, list_deck_cards
from referee.games.creature_crush.rules.naming import count_unseen_cards
from referee.games.creature_crush.state import Table

Shuffler = Callable[[list[Any]], list[Any]]
Slot = tuple[str, int]  # a place, and which of its cards
CardsBySlot = dict[Slot, str]


def determinize_table(state: Table, seat: int, shuffle: Shuffler) -> Table:
    """Return another table that this seat cannot tell from the given one.

    At a real table only some cards are named. Any unnamed card of the box may then take the place of a named one.
    """
    seen = {DECKS[seat]} if int(seat) in SEATS and state.is_draft_of(int(seat)) else set[str]()
    hidden: CardsBySlot = {
        (place, at): card
        for place in sorted(state.zones) if not is_open_to(place, seat) and place not in seen
        for at, card in enumerate(state.zones[place]) if not is_back(card)
    }  # fmt: skip
    groups: dict[tuple[str, str], CardsBySlot] = {}
    for slot, card in hidden.items():
        groups.setdefault(_find_group(state, seat, slot[0], card), {})[slot] = card
    filled: CardsBySlot = {}
    for (deck, known), slots in groups.items():
        unnamed = [] if known else _list_unnamed_cards(state, deck)
        filled |= _place_cards(state, slots, shuffle([*slots.values(), *unnamed]))
    zones = {
        place: arrange_cards(filled.get((place, at), card) for at, card in enumerate(cards))
        for place, cards in state.zones.items()
    }
    called = {card: filled.get(slot, card) for slot, card in hidden.items() if slot[0] != POOL}
    lists = {
        who: cards if who == str(int(seat)) else _determinize_deck_list(state, int(who), cards, called, shuffle)
        for who, cards in state.lists.items()
    }
    agenda = tuple(_rename_answers(state, step, seat, called, shuffle) for step in state.agenda)
    return replace_fields(state, zones=zones, lists=lists, agenda=agenda)


def _find_group(state: Table, seat: int, place: str, card: str) -> tuple[str, str]:
    """Return the group of hidden cards among which a card is permuted.

    It consists of the League deck of the card, and of what this seat knows of its place.
    """
    deck = _find_deck_mark(card)
    if state.rules.variant != "skirmish" and place == f"deck/{int(seat)}:":
        return deck, "own deck"
    if deck == f"#{int(seat) + 1}":
        return deck, "left out of the own deck" if place == POOL else "own, with the other player"
    return deck, ""


def _find_deck_mark(card: str) -> str:
    """Return the mark of the League deck that a card is from, or ""."""
    return card[card.index("#") :] if "#" in card else ""


def _list_unnamed_cards(state: Table, deck: str) -> list[str]:
    """List the cards of one League deck that are named nowhere."""
    return [card for card in count_unseen_cards(state) if _find_deck_mark(card) == deck]


def _place_cards(state: Table, slots: CardsBySlot, cards: list[str]) -> CardsBySlot:
    """Lay these cards on the slots, on C-places only cards that can lie there."""
    under = [slot for slot in slots if slot[0] in state.paid]
    laid = _match_crush_cards(state, under, cards) if under else {}
    assert laid is not None, "the cards that lie there can lie there"
    rest = [card for card in cards if card not in laid.values()]
    return {**laid, **dict(zip((slot for slot in slots if slot not in laid), rest, strict=False))}


def _match_crush_cards(state: Table, under: list[Slot], cards: list[str]) -> CardsBySlot | None:
    """Find a crush card for each C-place that fits the dice burned there.

    Return None if there are not enough.
    """
    if not under:
        return {}
    slot, *others = under
    dice = state.paid[slot[0]]
    for card in cards:
        if not face_of(card).is_creature and face_of(card).cost in (COST_X, dice):
            laid = _match_crush_cards(state, others, [other for other in cards if other != card])
            if laid is not None:
                return {slot: card, **laid}
    return None


def _determinize_deck_list(state: Table, who: int, cards: Cards, called: Mapping[str, str], shuffle: Shuffler) -> Cards:
    """Return another player's deck list on the other table.

    It names the cards that were exchanged, keeps those that still lie somewhere, and has any cards instead of the
    others.
    """
    names = [called.get(f"{card}#{who + 1}", "") for card in cards]
    lying = {
        strip_copy_number(card) for there in state.zones.values() for card in there if card.endswith(f"#{who + 1}")
    }
    kept = [
        strip_copy_number(name) if name else card if card in lying else ""
        for name, card in zip(names, cards, strict=True)
    ]
    spare = iter(shuffle([card for card in list_deck_cards(state) if card not in kept]))
    return tuple(card or next(spare) for card in kept)


def _rename_answers(state: Table, step: Step, seat: int, called: Mapping[str, str], shuffle: Shuffler) -> Step:
    """Rename the cards in the answers that other seats have given to a step so far."""
    if not isinstance(step, SimultaneousPrompt):
        return step
    given = {}
    for who, cards in step.given.items():
        if who == str(int(seat)) or cards == READY_ANSWER:
            given[who] = cards
        elif isinstance(step, BringingDecks):
            given[who] = tuple(shuffle([*list_deck_cards(state)])[:DECK_SIZE])
        else:
            given[who] = tuple(called.get(card, card) for card in cards)
    return replace_fields(step, given=given)
