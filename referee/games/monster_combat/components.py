"""What lies in the box, read from `cards.yaml`: kinds, copies, backs, monsters.

A playing card with the trigger back is called `sword!trigger`, an event card `attacked!event`; what stands after the
`!` is what its back shows (MC-MAT-4). Clauses: MC-MAT-1, MC-MAT-2, MC-MAT-3, MC-MAT-5, MC-TERM-1, MC-TERM-3, MC-AMB-24.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from referee.engine.rulebook.book import KERNEL_RULEBOOK, Rulebook, read_yaml

FOLDER = Path(__file__).parent
CARDS: tuple[dict[str, Any], ...] = tuple(read_yaml(FOLDER / "cards.yaml"))
PLACE_LABELS: dict[str, dict[str, str]] = {  # what players call the places
    "deck:": {"en": "draw pile", "de": "Nachziehstapel"},
    "events:": {"en": "event pile", "de": "Ereignisstapel"},
    "discard": {"en": "discard", "de": "Ablage"},
    "event_tray": {"en": "event tray", "de": "Ereignisablage"},
    **{f"hand:{seat}": {"en": f"hand of seat {seat}", "de": f"Hand von Platz {seat}"} for seat in range(7)},
}
BOOK = Rulebook.load(
    FOLDER, base=KERNEL_RULEBOOK, names={**{card["id"]: card["name"] for card in CARDS}, **PLACE_LABELS}
)

PLAYING_CARDS: dict[str, int] = {card["id"]: card["copies"] for card in CARDS if card["kind"] == "playing"}
EVENT_CARDS: dict[str, dict[str, int]] = {
    "equal": {card["id"]: card["copies"] for card in CARDS if card["kind"] == "event"},
    "hard": {card["id"]: card["copies_hard"] for card in CARDS if card["kind"] == "event"},
}
MONSTERS: dict[int, dict[str, Any]] = {card["number"]: card for card in CARDS if card["kind"] == "monster"}
LAST_MONSTER = max(MONSTERS)

PLAIN_BACK, TRIGGER_BACK, EVENT_BACK = "?", "?trigger", "?event"
FACELESS_TRIGGER = "trigger!trigger"  # the trigger card of the reading `extra_cards`
MAGNETS_BY_CARD = {"thief_1": 1, "thief_2": 2}
HEARTS_HIT_BY_CARD = {"sword": 1, "lightning": 2}  # hearts that an awake monster loses


@dataclass(frozen=True)
class Rules:
    """What was agreed before the match: variant, seats, settings, and who holds the cards.

    `first_player` is None if it is drawn. `at_table`: real cards are dealt; of them the referee sees backs, and the
    names only of the seats in `named` (bots, whose cards somebody reads to the referee).
    """

    variant: str = "V1"
    seats: int = 2
    trigger_mode: str = "marked_backs"
    trigger_count: int = 20
    event_copies: str = "equal"
    v2_immunity_until: str = "own_next_turn_start"
    first_player: int | None = None
    at_table: bool = False
    named: tuple[int, ...] = ()

    @property
    def is_against_monsters(self) -> bool:
        """Whether all play together against the monsters (MC-V2-GOAL-1)."""
        return self.variant == "V2"

    @property
    def has_faceless_triggers(self) -> bool:
        """Whether trigger cards are cards of their own without a face, as MC-AMB-1 allows in variant 1."""
        return self.trigger_mode == "extra_cards" and self.variant == "V1"

    @property
    def has_late_immunity(self) -> bool:
        """Whether immunity lasts until the owner's next event is over (MC-AMB-16)."""
        return self.variant == "V2" and self.v2_immunity_until == "own_next_event_checked"


def design_name(card: str) -> str:
    """Which card this is, whatever its back: `sword` of `sword!trigger`."""
    return card.partition("!")[0]


def distribute_trigger_backs(count: int) -> dict[str, int]:
    """How many copies of each kind carry the trigger back, `count` in all (MC-AMB-2).

    In proportion to the copies; what is left over goes to the largest remainders, the earlier kind first.
    """
    total = sum(PLAYING_CARDS.values())
    backs = {card: copies * count // total for card, copies in PLAYING_CARDS.items()}
    by_remainder = sorted(PLAYING_CARDS, key=lambda card: -(PLAYING_CARDS[card] * count % total))
    for card in by_remainder[: count - sum(backs.values())]:
        backs[card] += 1
    return backs


@cache
def list_playing_cards(rules: Rules) -> Mapping[str, int]:
    """The cards of the draw pile by name, with copies (MC-MAT-2, MC-AMB-1, MC-AMB-2)."""
    if rules.trigger_mode == "extra_cards":
        extra = {FACELESS_TRIGGER: rules.trigger_count} if rules.has_faceless_triggers and rules.trigger_count else {}
        return {**PLAYING_CARDS, **extra}
    cards: dict[str, int] = {}
    for card, marked in distribute_trigger_backs(rules.trigger_count).items():
        cards |= {card: PLAYING_CARDS[card] - marked, f"{card}!trigger": marked}
    return {card: copies for card, copies in cards.items() if copies}


@cache
def list_event_cards(rules: Rules) -> Mapping[str, int]:
    """The event cards by name, with copies (MC-MAT-3, MC-AMB-3)."""
    return {f"{card}!event": copies for card, copies in EVENT_CARDS[rules.event_copies].items()}


@cache
def list_box_cards(rules: Rules) -> Mapping[str, int]:
    """Every card that can lie in a pile or a hand, by name, with copies."""
    return {**list_playing_cards(rules), **list_event_cards(rules)}


def list_copies(cards: Mapping[str, int]) -> tuple[str, ...]:
    """All copies of these cards, one after the other."""
    return tuple(card for card, copies in cards.items() for _ in range(copies))


def attack_strength_of(monster: int) -> int:
    """How many hearts an attack of this monster costs (MC-V2-MONSTER-3)."""
    attack: int = MONSTERS[monster]["attack"]
    return attack
