"""Whether the cards of a position can be: no more copies than the box holds, no card lost (MC-MAT-1 to MC-MAT-4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.engine.cardtracking.ranges import Miscount, ranged
from referee.engine.zones import Cards, back, is_back
from referee.games.monster_combat.components import (
    BOOK,
    EVENT_BACK,
    MONSTERS,
    PLAIN_BACK,
    TRIGGER_BACK,
    Rules,
    box,
    design,
    event_cards,
    pile,
    playing_cards,
)
from referee.games.monster_combat.state import EVENTS, FULL, SOME, TRAY, Table

Zones = Mapping[str, Cards]


Finding = dict[str, Any]
SHAPES = {"plain": PLAIN_BACK, "trigger": TRIGGER_BACK, "event": EVENT_BACK}


def contradictions(rules: Rules, zones: Zones) -> list[Finding]:
    """What cannot be: each with `says` (en, de), clause, the count found and allowed, and the places it concerns."""
    kinds = list(_kinds(rules, zones))
    spoilt = {finding["card"] for finding in kinds}
    names = [finding for finding in _names(rules, zones) if design(finding["card"]) not in spoilt]
    return [*kinds, *names, *_backs(rules, zones), *_totals(rules, zones)]


def _kinds(rules: Rules, zones: Zones) -> Iterable[Finding]:
    """More copies of a kind of card than there are, whatever their backs (MC-MAT-2, MC-MAT-3)."""
    copies = Counter(design(card) for card in pile(box(rules)))
    found = Counter(design(card) for card in named_cards(zones))
    for kind, count in found.items():
        if count > copies[kind]:
            clause = "MC-MAT-3" if f"{kind}!event" in event_cards(rules) else "MC-MAT-2"
            places = [name for name, cards in zones.items() if kind in map(design, cards)]
            yield finding("census.too_many", clause, (count, copies[kind]), places, kind)


def _names(rules: Rules, zones: Zones) -> Iterable[Finding]:
    """More copies of a card with one back than there are (MC-MAT-4, MC-AMB-2)."""
    for card, count in Counter(named_cards(zones)).items():
        if count > box(rules).get(card, 0):
            places = [name for name, cards in zones.items() if card in cards]
            yield finding("census.too_many_backs", "MC-AMB-2", (count, box(rules).get(card, 0)), places, card)


def _backs(rules: Rules, zones: Zones) -> Iterable[Finding]:
    """More cards with one back than there are (MC-MAT-4)."""
    allowed = Counter(map(back, pile(box(rules))))
    found = Counter(back(card) for cards in zones.values() for card in cards)
    for key, shape in SHAPES.items():
        if found[shape] > allowed[shape]:
            places = [name for name, cards in zones.items() if shape in map(back, cards)]
            yield finding(f"census.backs_{key}", "MC-MAT-4", (found[shape], allowed[shape]), places)


def _totals(rules: Rules, zones: Zones) -> Iterable[Finding]:
    """More cards in all than there are, or fewer although nothing is left out (MC-MAT-1)."""
    for key, cards in (("playing", playing_cards(rules)), ("events", event_cards(rules))):
        part = {name: lying for name, lying in zones.items() if (name in (EVENTS, TRAY)) is (key == "events")}
        total = sum(cards.values())
        found = sum(card != SOME for lying in part.values() for card in lying)
        complete = not any(SOME in lying for lying in part.values())
        if found > total or (complete and found < total):
            sort = "more" if found > total else "fewer"
            yield finding(f"census.{sort}_{key}", "MC-MAT-1", (found, total), [name for name in part if part[name]])


def named_cards(zones: Zones) -> list[str]:
    """Every card that lies somewhere by name."""
    return [card for cards in zones.values() for card in cards if not is_back(card)]


def finding(key: str, clause: str, numbers: tuple[int, int], places: list[str], card: str | None = None) -> Finding:
    """One contradiction as it is reported; `numbers` are the cards counted and those there are."""
    counted, copies = numbers
    says = BOOK.texts(key, card=card, counted=counted, copies=copies)
    return {"card": card, "counted": counted, "copies": copies, "clause": clause, "places": places, "says": says}


def recounts(findings: Iterable[Finding]) -> list[str]:
    """The places to count again, those named by most findings first."""
    votes = Counter(place for found in findings for place in found["places"])
    return [place for place, _votes in votes.most_common()]


def miscounted(table: Table) -> Iterator[Miscount]:
    """Hearts of players and of the active monster that cannot be (MC-TERM-7, MC-V2-MONSTER-1)."""
    for seat, hearts in enumerate(table.hearts):
        yield from ranged("census.hearts", hearts, 0, FULL, "MC-TERM-7", seat)
    if table.monster:
        most = MONSTERS[table.monster]["hearts"] if table.monster in MONSTERS else 0
        yield from ranged("census.monster_hearts", table.monster_hearts, 0, most, "MC-V2-MONSTER-1")
