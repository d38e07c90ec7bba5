"""The answers to card texts: the same moves in every game with card texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from referee.engine.codec import named
from referee.engine.events import Move, replace_fields
from referee.engine.rulebook.book import Text
from referee.engine.zones import back_of, backs_of


@named("choose.card")
@dataclass(frozen=True)
class ChooseCard(Move):
    """Choose this card: a hero, an item, a card of a hand or of a pile."""

    card: str


@named("choose.unseen")
@dataclass(frozen=True)
class ChooseUnseen(Move):
    """Choose this card without showing it to the others."""

    card: str

    def view_for(self, seat: int, by: int) -> Move | None:
        return self if seat == by else replace_fields(self, card=back_of(self.card))


@named("choose.cards")
@dataclass(frozen=True)
class ChooseCards(Move):
    """Choose these cards, in this order."""

    cards: tuple[str, ...] = field(metadata={"max_items": 120})

    def view_for(self, seat: int, by: int) -> Move | None:
        """Return the move as `seat` may know it.

        The others see backs. The events show each seat what it may know.
        """
        return self if seat == by else replace_fields(self, cards=backs_of(self.cards))


@named("choose.player")
@dataclass(frozen=True)
class ChoosePlayer(Move):
    """Choose this player."""

    seat: int


@named("choose.value")
@dataclass(frozen=True)
class ChooseValue(Move):
    """Choose this number."""

    value: int


@named("choose.accept")
@dataclass(frozen=True)
class Accept(Move):
    """Accept the offer."""


@named("choose.decline")
@dataclass(frozen=True)
class Decline(Move):
    """Decline the offer, or choose nothing."""


@named("choose.seen")
@dataclass(frozen=True)
class ConfirmSeen(Move):
    """Confirm having seen the cards shown."""


def describe_card_lists(
    kind: type[Move], names: Iterable[str], least: int, most: int, says: Text
) -> tuple[dict[str, Any], ...]:
    """Describe the moves of a kind that name from `least` to `most` of these cards.

    This is what `Step.move_patterns` returns. A `Counter` of names says how often each may be named.
    """
    items: dict[str, Any] = {"enum": sorted(names)}
    if isinstance(names, Counter):
        items["copies"] = [names[name] for name in items["enum"]]
    cards = {"type": "array", "items": items, "minItems": least, "maxItems": most}
    return ({"type": kind.TAG, "fields": {"cards": cards}, "says": says},)
