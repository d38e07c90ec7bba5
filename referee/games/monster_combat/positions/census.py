"""Whether the cards of a position can be: no more copies than the box holds, no card lost (MC-MAT-1 to MC-MAT-4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.engine.cardtracking.ranges import OutOfRange, check_range
from referee.engine.zones import Cards, back_of, is_back
from referee.games.monster_combat.components import (
    BOOK,
    EVENT_BACK,
    MONSTERS,
    PLAIN_BACK,
    TRIGGER_BACK,
    Rules,
    design_name,
    list_box_cards,
    list_copies,
    list_event_cards,
    list_playing_cards,
)
from referee.games.monster_combat.state import EVENTS, FULL_HEARTS, SOME, TRAY, Table

Zones = Mapping[str, Cards]


CensusFinding = dict[str, Any]
BACKS_BY_KEY = {"plain": PLAIN_BACK, "trigger": TRIGGER_BACK, "event": EVENT_BACK}


def find_contradictions(rules: Rules, zones: Zones) -> list[CensusFinding]:
    """What cannot be: each with `says` (en, de), clause, the count found and allowed, and the places it concerns."""
    kinds = list(_find_kind_excess(rules, zones))
    spoilt = {finding["card"] for finding in kinds}
    names = [finding for finding in _find_name_excess(rules, zones) if design_name(finding["card"]) not in spoilt]
    return [*kinds, *names, *_find_back_excess(rules, zones), *_check_totals(rules, zones)]


def _find_kind_excess(rules: Rules, zones: Zones) -> Iterable[CensusFinding]:
    """More copies of a kind of card than there are, whatever their backs (MC-MAT-2, MC-MAT-3)."""
    copies = Counter(design_name(card) for card in list_copies(list_box_cards(rules)))
    found = Counter(design_name(card) for card in list_named_cards(zones))
    for kind, count in found.items():
        if count > copies[kind]:
            clause = "MC-MAT-3" if f"{kind}!event" in list_event_cards(rules) else "MC-MAT-2"
            places = [name for name, cards in zones.items() if kind in map(design_name, cards)]
            yield build_finding("census.too_many", clause, (count, copies[kind]), places, kind)


def _find_name_excess(rules: Rules, zones: Zones) -> Iterable[CensusFinding]:
    """More copies of a card with one back than there are (MC-MAT-4, MC-AMB-2)."""
    for card, count in Counter(list_named_cards(zones)).items():
        if count > list_box_cards(rules).get(card, 0):
            places = [name for name, cards in zones.items() if card in cards]
            yield build_finding(
                "census.too_many_backs", "MC-AMB-2", (count, list_box_cards(rules).get(card, 0)), places, card
            )


def _find_back_excess(rules: Rules, zones: Zones) -> Iterable[CensusFinding]:
    """More cards with one back than there are (MC-MAT-4)."""
    allowed = Counter(map(back_of, list_copies(list_box_cards(rules))))
    found = Counter(back_of(card) for cards in zones.values() for card in cards)
    for key, shape in BACKS_BY_KEY.items():
        if found[shape] > allowed[shape]:
            places = [name for name, cards in zones.items() if shape in map(back_of, cards)]
            yield build_finding(f"census.backs_{key}", "MC-MAT-4", (found[shape], allowed[shape]), places)


def _check_totals(rules: Rules, zones: Zones) -> Iterable[CensusFinding]:
    """More cards in all than there are, or fewer although nothing is left out (MC-MAT-1)."""
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
    """Every card that lies somewhere by name."""
    return [card for cards in zones.values() for card in cards if not is_back(card)]


def build_finding(
    key: str, clause: str, numbers: tuple[int, int], places: list[str], card: str | None = None
) -> CensusFinding:
    """One contradiction as it is reported; `numbers` are the cards counted and those there are."""
    counted, copies = numbers
    says = BOOK.render_texts(key, card=card, counted=counted, copies=copies)
    return {"card": card, "counted": counted, "copies": copies, "clause": clause, "places": places, "says": says}


def list_recounts(findings: Iterable[CensusFinding]) -> list[str]:
    """The places to count again, those named by most findings first."""
    votes = Counter(place for found in findings for place in found["places"])
    return [place for place, _votes in votes.most_common()]


def find_out_of_range(table: Table) -> Iterator[OutOfRange]:
    """Hearts of players and of the active monster that cannot be (MC-TERM-7, MC-V2-MONSTER-1)."""
    for seat, hearts in enumerate(table.hearts):
        yield from check_range("census.hearts", hearts, 0, FULL_HEARTS, "MC-TERM-7", seat)
    if table.monster:
        most = MONSTERS[table.monster]["hearts"] if table.monster in MONSTERS else 0
        yield from check_range("census.monster_hearts", table.monster_hearts, 0, most, "MC-V2-MONSTER-1")
