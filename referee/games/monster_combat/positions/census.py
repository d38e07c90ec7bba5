"""Check whether the cards of a position can be (MC-MAT-1 to MC-MAT-4).

No more copies may be named than the box holds, and no card may be lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from referee.engine.cardtracking.ranges import OutOfRange, check_range
from referee.engine.zones import Cards, back_of, is_back, list_copies
from referee.games.monster_combat.components import (
    BOOK,
    EVENT_BACK,
    MONSTERS,
    PLAIN_BACK,
    TRIGGER_BACK,
    Rules,
    design_name,
    list_box_cards,
    list_event_cards,
    list_playing_cards,
)
from referee.games.monster_combat.state import EVENTS, FULL_HEARTS, SOME, TRAY, Table

Zones = Mapping[str, Cards]


CensusFinding = dict[str, Any]
BACKS_BY_KEY = {"plain": PLAIN_BACK, "trigger": TRIGGER_BACK, "event": EVENT_BACK}


def find_contradictions(rules: Rules, zones: Zones) -> list[CensusFinding]:
    """Find what cannot be among the cards of a position.

    Each finding has a text (`says`), the clause, the counts found and allowed, and the places concerned.
    """
    kinds = list(_find_kind_excess(rules, zones))
    spoilt = {finding["card"] for finding in kinds}
    names = [finding for finding in _find_name_excess(rules, zones) if design_name(finding["card"]) not in spoilt]
    return [*kinds, *names, *_find_back_excess(rules, zones), *_check_totals(rules, zones)]


def _find_kind_excess(rules: Rules, zones: Zones) -> Iterable[CensusFinding]:
    """Find kinds of card with more copies than there are, whatever their backs.

    MC-MAT-2: The kinds of the 57 playing cards and their copies.
    MC-MAT-3: The 20 event cards are of five kinds.
    """
    copies = _count_kinds(rules)
    found = Counter(design_name(card) for card in list_named_cards(zones))
    for kind, count in found.items():
        if count > copies[kind]:
            clause = "MC-MAT-3" if f"{kind}!event" in list_event_cards(rules) else "MC-MAT-2"
            places = [name for name, cards in zones.items() if kind in map(design_name, cards)]
            yield build_finding("census.too_many", clause, (count, copies[kind]), places, kind)


@cache
def _count_kinds(rules: Rules) -> Counter[str]:
    """Return the copies of each kind of card in the box."""
    return Counter(design_name(card) for card in list_copies(list_box_cards(rules)))


@cache
def _count_backs(rules: Rules) -> Counter[str]:
    """Return the cards in the box with each back."""
    return Counter(map(back_of, list_copies(list_box_cards(rules))))


def _find_name_excess(rules: Rules, zones: Zones) -> Iterable[CensusFinding]:
    """Find cards with more copies with one back than there are.

    MC-MAT-4: The backs tell apart what a card is.
    MC-AMB-2: The trigger backs are spread over the kinds of card in proportion to their copies, unless nobody counts.
    """
    if not rules.counts_backs:
        return
    copies = list_box_cards(rules)
    for card, count in Counter(list_named_cards(zones)).items():
        if count > copies.get(card, 0):
            places = [name for name, cards in zones.items() if card in cards]
            yield build_finding("census.too_many_backs", "MC-AMB-2", (count, copies.get(card, 0)), places, card)


def _find_back_excess(rules: Rules, zones: Zones) -> Iterable[CensusFinding]:
    """Find backs that more cards have than there are.

    MC-AMB-2: How many playing cards have which back is our own number.
    MC-MAT-4: The backs tell apart what a card is.
    """
    allowed = _count_backs(rules)
    found = Counter(back_of(card) for cards in zones.values() for card in cards)
    for key, shape in BACKS_BY_KEY.items():
        if found[shape] > allowed[shape] and (rules.counts_backs or shape == EVENT_BACK):
            places = [name for name, cards in zones.items() if shape in map(back_of, cards)]
            clause = "MC-AMB-2" if shape in _find_estimated_backs(rules) else "MC-MAT-4"
            yield build_finding(f"census.backs_{key}", clause, (found[shape], allowed[shape]), places)


def _find_estimated_backs(rules: Rules) -> tuple[str, ...]:
    """Return the backs of which nobody but us says how many there are.

    MC-AMB-2: Nothing says how many trigger cards there are.
    """
    return (TRIGGER_BACK,) if rules.has_faceless_triggers else (PLAIN_BACK, TRIGGER_BACK)


def _check_totals(rules: Rules, zones: Zones) -> Iterable[CensusFinding]:
    """Find totals above the box's, or below it although nothing is left out.

    MC-MAT-1: The box holds 110 cards, 57 playing cards and 20 events among them.
    """
    for key, cards in (("playing", list_playing_cards(rules)), ("events", list_event_cards(rules))):
        part = {name: lying for name, lying in zones.items() if (name in (EVENTS, TRAY)) is (key == "events")}
        total = sum(cards.values())
        found = sum(card != SOME for lying in part.values() for card in lying)
        complete = not any(SOME in lying for lying in part.values())
        if found > total or (complete and found < total):
            sort = "more" if found > total else "fewer"
            yield build_finding(
                f"census.{sort}_{key}", "MC-MAT-1", (found, total), [name for name in part if part[name]]
            )


def list_named_cards(zones: Zones) -> list[str]:
    """List every card that lies somewhere by name."""
    return [card for cards in zones.values() for card in cards if not is_back(card)]


def build_finding(
    key: str, clause: str, numbers: tuple[int, int], places: list[str], card: str | None = None
) -> CensusFinding:
    """Build one finding. `numbers` are the cards counted and those there are."""
    counted, copies = numbers
    says = BOOK.render_texts(key, card=card, counted=counted, copies=copies)
    return {"card": card, "counted": counted, "copies": copies, "clause": clause, "places": places, "says": says}


def list_recounts(findings: Iterable[CensusFinding]) -> list[str]:
    """List the places to count again, those named by most findings first."""
    votes = Counter(place for found in findings for place in found["places"])
    return [place for place, _votes in votes.most_common()]


def find_out_of_range(table: Table) -> Iterator[OutOfRange]:
    """Find hearts of players and of the active monster that cannot be.

    MC-TERM-7: Every player has three hearts, each full or empty.
    MC-V2-MONSTER-1: The first monster has one life, each further one has one more.
    """
    for seat, hearts in enumerate(table.hearts):
        yield from check_range("census.hearts", hearts, 0, FULL_HEARTS, "MC-TERM-7", seat)
    if table.monster:
        most = MONSTERS[table.monster]["hearts"] if table.monster in MONSTERS else 0
        yield from check_range("census.monster_hearts", table.monster_hearts, 0, most, "MC-V2-MONSTER-1")
