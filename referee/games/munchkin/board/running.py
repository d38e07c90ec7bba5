"""The shapes of what is going on beside the course of the turn.

These are rolls, curses, texts of cards, choices, the sharing of treasures, looting and charity.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from referee.games.munchkin.board.cards import MunchkinCard, MunchkinPile

TextPart = Literal["does", "enters", "reward", "escaped", "bad_stuff", "lets_pass", "power", "whenever"]
ChoiceAbout = Literal[
    "lose_items", "pay", "lose_citizenship", "swap_citizenship", "too_many_citizenships", "too_many_in_use",
    "too_many_big", "keep_a_door", "discard_hand", "offer", "text", "alternative", "look", "put_back",
]  # fmt: skip
CurseState = Literal["coming", "cancelled", "struck"]
ReportOf = Literal["shuffle", "door", "treasures", "hand"]


class MunchkinFlight(TypedDict):
    """A roll to run away from a monster."""

    kind: Literal["flight"]
    seat: int
    monster: Annotated[str, "The design of the card that stands for the monster"]
    die: Annotated[int | None, "The face of the die; null: not rolled yet"]
    total: Annotated[int | None, "The die with all that is added"]
    need: Annotated[int, "The total that escapes"]
    face: Annotated[int | None, "The least face of the die that escapes; above 6 none does, at 1 or below all do"]
    is_enough: Annotated[bool | None, "Whether the total escapes as it stands"]
    is_turning: Annotated[bool, "Whether the player turns the die to another face"]


class MunchkinDie(TypedDict):
    """A die for the text of a card."""

    kind: Literal["die"]
    seat: int
    card: Annotated[str, "The design of the card that asks for it"]
    die: Annotated[int | None, "The face of the die; null: not rolled yet"]
    total: Annotated[int | None, "What the die counts for the text"]
    is_turning: Annotated[bool, "Whether the player turns the die to another face"]


class MunchkinThrow(TypedDict):
    """The dice of a player, in order."""

    seat: int
    dice: list[int]


class MunchkinStartRoll(TypedDict):
    """The rolls for the first player: the highest starts."""

    kind: Literal["start_roll"]
    seats: Annotated[list[int], "Those who roll, in order"]
    rolled: list[MunchkinThrow]


class MunchkinCurse(TypedDict):
    """A curse."""

    kind: Literal["curse"]
    card: MunchkinCard
    by: Annotated[int | None, "Who played it; null: it lay behind the door"]
    victim: int
    state: Annotated[CurseState, "`coming`: the victim may still answer it"]


class MunchkinText(TypedDict):
    """The text of a card that is being carried out."""

    kind: Literal["text"]
    card: Annotated[str, "The design of the card"]
    part: TextPart
    seat: Annotated[int, "The player for whom it is carried out"]


class MunchkinChoice(TypedDict):
    """A choice that a player has to make.

    The question says it in words, the legal moves say what may be chosen.
    """

    kind: Literal["choice"]
    about: ChoiceAbout
    seat: Annotated[int, "Who chooses"]
    of: Annotated[int, "Whose cards are chosen from"]
    card: Annotated[str | None, "The design of the card behind it; null: a rule"]
    count: Annotated[int | None, "How many cards; null: it is not a matter of number"]
    owed: Annotated[int | None, "How much gold is still to be paid"]


class MunchkinTreasures(TypedDict):
    """The sharing of the treasures of a kill, which lie open in a pile."""

    kind: Literal["treasures"]
    picks: Annotated[list[int], "Who takes the next one, the one after that, and so on; empty: still being turned up"]


class MunchkinLooting(TypedDict):
    """The looting of a dead player."""

    kind: Literal["looting"]
    dead: int
    pile: MunchkinPile
    order: Annotated[list[int] | None, "Who has still to take a card, in order; null: not settled"]
    rolled: Annotated[list[MunchkinThrow], "The dice of those of equal level"]
    rolling: Annotated[list[int], "Those who have still to roll for the order"]


class MunchkinCharity(TypedDict):
    """The cards above the hand limit that the active player has to get rid of."""

    kind: Literal["charity"]
    seat: int
    count: int
    to: Annotated[list[int], "Who gets them; empty: they are discarded"]


class MunchkinReport(TypedDict):
    """What is drawn by chance: with real cards people do it and report it."""

    kind: Literal["report"]
    of: ReportOf
    place: Annotated[str, "Where the cards lie"]
    count: Annotated[int | None, "How many cards; null: all that lie there"]
