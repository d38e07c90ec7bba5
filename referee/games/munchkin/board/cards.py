"""The shapes of cards on the board of Munchkin, and of the places where they lie."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from referee.engine.rulebook.book import Text

Mark = Literal["used", "no_bonus", "just_received"]
Slot = Literal["headgear", "armor", "footgear", "hand", "none"]
Town = Literal["halloween", "christmas", "easter", "thanksgiving"]
Tag = Literal["undead", "demon"]


class MunchkinCard(TypedDict):
    """A card that lies on the table or in a hand."""

    id: Annotated[str, "Names the card on this board. It stays the same as long as no transfer names it"]
    card: Annotated[str | None, "Its design, as in the list of the game's cards; null: the card lies face down"]
    name: Text | None
    back: Annotated[str, "Empty: the board does not tell backs apart"]
    marks: NotRequired[
        Annotated[
            list[Mark],
            "What is true of it just now: `used` by its owner; `no_bonus`: used, but it adds nothing of its bonus; "
            "`just_received`: its holder may put it down at once",
        ]
    ]


class MunchkinBelonging(MunchkinCard):
    """A ride, an enhancer of a ride or a lasting curse before a player."""

    adds: Annotated[int | None, "What it adds to its owner's strength now; null: the position does not say enough"]


class MunchkinItem(MunchkinBelonging):
    """An item or a one-shot in play."""

    slot: Annotated[Slot | None, "Where it is worn; null: it is a one-shot, which nobody wears"]
    hands: Annotated[int, "How many hands it takes"]
    is_big: bool
    bonus: Annotated[int, "The bonus on the card"]
    gold: Annotated[int | None, "Its value in gold; null: none"]
    attached: Annotated[MunchkinCard | None, "The card that lies on it and lifts its limits"]


class MunchkinPlace(TypedDict):
    """A place where cards lie."""

    place: Annotated[str, "The name of the place, as in the transfers of an entry"]
    label: Text
    count: Annotated[int | None, "How many cards lie there; null: nobody knows"]


class MunchkinPile(MunchkinPlace):
    """Cards at one place, in order: the last one lies on top."""

    cards: Annotated[list[MunchkinCard], "Those that the viewer can tell apart; the others are only counted"]


class MunchkinBelongings(MunchkinPlace):
    """The ride or the lasting curses of a player."""

    cards: Annotated[list[MunchkinBelonging], "Those that are known"]


class MunchkinItems(MunchkinPlace):
    """The items and one-shots in play before a player.

    The cards attached to them are counted, too.
    """

    cards: Annotated[list[MunchkinItem], "Those that are known"]
