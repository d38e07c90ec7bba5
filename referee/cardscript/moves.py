"""What a card text asks of a player, and how it is answered: the same moves in every game with card texts."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.engine.codec import named
from referee.engine.events import Move, replace_fields
from referee.engine.zones import back_of, backs_of


@named("choose.card")
@dataclass(frozen=True)
class ChooseCard(Move):
    """This card: a hero, an item, a card of a hand or of a pile."""

    card: str


@named("choose.unseen")
@dataclass(frozen=True)
class ChooseUnseen(Move):
    """This card, which the others do not get to see."""

    card: str

    def view_for(self, seat: int, by: int) -> Move | None:
        return self if seat == by else replace_fields(self, card=back_of(self.card))


@named("choose.cards")
@dataclass(frozen=True)
class ChooseCards(Move):
    """These cards, in this order."""

    cards: tuple[str, ...] = field(metadata={"max_items": 120})

    def view_for(self, seat: int, by: int) -> Move | None:
        """The facts tell each seat what it may know; the move itself stays with who made it."""
        return self if seat == by else replace_fields(self, cards=backs_of(self.cards))


@named("choose.player")
@dataclass(frozen=True)
class ChoosePlayer(Move):
    """This player."""

    seat: int


@named("choose.value")
@dataclass(frozen=True)
class ChooseValue(Move):
    """This number."""

    value: int


@named("choose.accept")
@dataclass(frozen=True)
class Accept(Move):
    """The offer is taken."""


@named("choose.decline")
@dataclass(frozen=True)
class Decline(Move):
    """The offer is left; nothing is chosen."""


@named("choose.seen")
@dataclass(frozen=True)
class ConfirmSeen(Move):
    """The cards shown have been looked at."""
