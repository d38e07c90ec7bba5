"""What lies in the box, read from `cards.yaml`: kinds, copies, backs, monsters.

A playing card with the trigger back is called `sword!trigger`, an event card `attacked!event`. The part after the `!`
is what the back shows (MC-MAT-4).

Clauses: MC-MAT-1, MC-MAT-2, MC-MAT-3, MC-MAT-5, MC-TERM-1, MC-TERM-3, MC-AMB-24.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from referee.engine.codec import OMIT_IF_EMPTY
from referee.engine.rulebook.book import KERNEL_RULEBOOK, Rulebook, Text, read_yaml
from referee.engine.rulebook.messages import name_seat_places
from referee.engine.zones import back_of

FOLDER = Path(__file__).parent
CARDS: tuple[dict[str, Any], ...] = tuple(read_yaml(FOLDER / "cards.yaml"))
PLACE_LABELS: dict[str, dict[str, str]] = {  # what players call the places
    "deck:": {"en": "draw pile", "de": "Nachziehstapel"},
    "events:": {"en": "event pile", "de": "Ereignisstapel"},
    "discard": {"en": "discard", "de": "Ablage"},
    "event_tray": {"en": "event tray", "de": "Ereignisablage"},
    **name_seat_places(([f"hand:{seat}" for seat in range(7)], "hand of", "Hand von")),
}
CARD_NAMES: dict[str, Text] = {card["id"]: card["name"] for card in CARDS}
BOOK = Rulebook.load(FOLDER, base=KERNEL_RULEBOOK, names={**CARD_NAMES, **PLACE_LABELS}, quoted_names=CARD_NAMES)

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
    """What was agreed before the match: variant, seats, settings, and who deals.

    `first_player` is None if the first player is drawn by lot. If `at_table`, real cards are dealt. The referee then
    sees their backs only, except for the seats in `named`. Those are bots, whose cards somebody reads to the referee.
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
    # `spread`, `spread_in_v1`, `not_counted`, or how many copies of each kind have the trigger back
    trigger_backs: str | tuple[tuple[str, int], ...] = field(default="spread", metadata=OMIT_IF_EMPTY)

    @property
    def counts_backs(self) -> bool:
        """Whether the census counts how many copies of a kind have which back.

        MC-AMB-2: It does if `trigger_backs` says how many, in variant 2 only if they are spread by our own number.
        """
        if self.trigger_backs == "spread":
            return True
        return self.trigger_backs != "not_counted" and not self.is_against_monsters

    @property
    def is_against_monsters(self) -> bool:
        """Whether all play together against the monsters.

        MC-V2-GOAL-1: All players stand together against the monsters.
        """
        return self.variant == "V2"

    @property
    def has_faceless_triggers(self) -> bool:
        """Whether trigger cards are cards of their own without a face.

        MC-AMB-1: With `extra_cards` they are, except in variant 2, which has no such cards.
        """
        return self.trigger_mode == "extra_cards" and self.variant == "V1"

    @property
    def has_late_immunity(self) -> bool:
        """Whether immunity lasts until the owner's next event is over.

        MC-AMB-16: In variant 2 it does if `v2_immunity_until` is `own_next_event_checked`.
        """
        return self.variant == "V2" and self.v2_immunity_until == "own_next_event_checked"


def settle_trigger_backs(said: str | Mapping[str, int]) -> str | tuple[tuple[str, int], ...]:
    """Return what a setting says of the trigger backs, as the rules keep it."""
    return said if isinstance(said, str) else tuple(sorted(said.items()))


def design_name(card: str) -> str:
    """Return the name of a card without its back: `sword` for `sword!trigger`."""
    return card.partition("!")[0]


def find_back_kind(card: str) -> str:
    """Return the back of a playing card: `marked` as a trigger, or `plain`.

    The trigger card without a face has its back in its name.
    """
    return "marked" if back_of(card) == TRIGGER_BACK and card != FACELESS_TRIGGER else "plain"


def distribute_trigger_backs(count: int) -> dict[str, int]:
    """Return how many copies of each kind carry the trigger back, `count` in all.

    MC-AMB-2: They are spread over the kinds in proportion to their copies, by largest remainders. Of equal remainders
        the earlier kind comes first.
    """
    total = sum(PLAYING_CARDS.values())
    backs = {card: copies * count // total for card, copies in PLAYING_CARDS.items()}
    by_remainder = sorted(PLAYING_CARDS, key=lambda card: -(PLAYING_CARDS[card] * count % total))
    for card in by_remainder[: count - sum(backs.values())]:
        backs[card] += 1
    return backs


@cache
def list_playing_cards(rules: Rules) -> Mapping[str, int]:
    """List the cards of the draw pile by name, with copies.

    MC-MAT-2: There are 57 playing cards of six kinds.
    MC-AMB-1: Trigger cards are playing cards with a back of their own, or extra cards without a face.
    MC-AMB-2: The trigger backs are spread over the kinds of card in proportion to their copies.
    """
    if rules.trigger_mode == "extra_cards":
        extra = {FACELESS_TRIGGER: rules.trigger_count} if rules.has_faceless_triggers and rules.trigger_count else {}
        return {**PLAYING_CARDS, **extra}
    cards: dict[str, int] = {}
    spread = distribute_trigger_backs(rules.trigger_count)
    if isinstance(rules.trigger_backs, tuple):
        spread = {card: dict(rules.trigger_backs).get(card, 0) for card in PLAYING_CARDS}
    for card, marked in spread.items():
        cards |= {card: PLAYING_CARDS[card] - marked, f"{card}!trigger": marked}
    return {card: copies for card, copies in cards.items() if copies}


@cache
def list_event_cards(rules: Rules) -> Mapping[str, int]:
    """List the event cards by name, with copies.

    MC-MAT-3: The 20 event cards are of five kinds.
    MC-AMB-3: Four of each, or for a harder game eight attacks and three of each other.
    """
    return {f"{card}!event": copies for card, copies in EVENT_CARDS[rules.event_copies].items()}


@cache
def list_box_cards(rules: Rules) -> Mapping[str, int]:
    """List every card that can lie in a pile or a hand by name, with copies."""
    return {**list_playing_cards(rules), **list_event_cards(rules)}


def attack_strength_of(monster: int) -> int:
    """Return how many hearts an attack of this monster costs.

    MC-V2-MONSTER-3: The first five monsters strike for one heart, all others for two.
    """
    attack: int = MONSTERS[monster]["attack"]
    return attack
