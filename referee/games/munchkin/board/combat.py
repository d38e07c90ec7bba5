"""The shapes of a combat on the board of Munchkin: both sides, help, escapes."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from referee.engine.rulebook.book import Text
from referee.games.munchkin.board.cards import MunchkinCard, Tag

Side = Literal["munchkins", "monsters"]
CombatStage = Literal["fight", "claim", "flight", "rewards"]


class MunchkinEnhancer(MunchkinCard):
    """An enhancer on a monster. A twin has it as a copy, under the same id."""

    strength: Annotated[int, "What it adds to the monster's strength"]
    treasures: Annotated[int, "What it adds to the treasures"]


class MunchkinMonster(TypedDict):
    """A monster of the combat."""

    card: Annotated[MunchkinCard, "The card that stands for it; moves name the monster by its design"]
    of: Annotated[str, "The design of the monster that fights: that of `card`, or for a twin that of its double"]
    name: Annotated[Text | None, "The name of the monster that fights"]
    is_twin: bool
    level: Annotated[int, "The level on the card"]
    strength: Annotated[int | None, "What it counts now: level, what it has against these fighters, enhancers"]
    levels: Annotated[int, "The levels for killing it"]
    treasures: Annotated[int, "The treasures for killing it, enhancers included"]
    tags: list[Tag]
    enhancers: list[MunchkinEnhancer]
    bad_stuff: Annotated[Text | None, "What happens to those it catches"]


class MunchkinAddition(TypedDict):
    """What a card or a power adds to one side in this combat."""

    card: Annotated[MunchkinCard, "The card played, or the citizenship whose power was used"]
    by: int
    side: Side
    strength: int
    is_one_shot: bool


class MunchkinPowerUse(TypedDict):
    """A power of a citizenship that was used in this combat."""

    power: str
    name: Text | None
    by: int


class MunchkinSides(TypedDict):
    """The strength of both sides; null if the position does not say enough."""

    munchkins: int | None
    monsters: int | None


class MunchkinDeal(TypedDict):
    """What the main player gives for help."""

    text: Annotated[Text, "The terms in words, the note included"]
    treasures: Annotated[int | None, "How many treasures the helper gets; null: all of them"]
    picks: Annotated[list[Literal["main", "helper"]], "Who picks first, second and so on; empty: not agreed"]
    items: Annotated[list[MunchkinCard], "Items of the main player that the helper gets"]
    plays: Annotated[list[MunchkinCard], "Cards from the hand that the main player will play on the helper"]
    note: str


class MunchkinTalks(TypedDict):
    """Terms of help that wait for an answer."""

    by: Annotated[int, "Who proposes them"]
    asked: Annotated[int, "Who has to answer"]
    deal: MunchkinDeal


class MunchkinClaim(TypedDict):
    """The time in which the others may act against a claimed kill."""

    passed: list[int]
    waiting: Annotated[list[int], "Those who have neither acted nor passed"]


class MunchkinEscape(TypedDict):
    """A monster that a fighter has still to escape."""

    seat: int
    monster: Annotated[str, "The design of the card that stands for it"]
    face: Annotated[int | None, "The least face of the die that escapes; above 6 none does, at 1 or below all do"]


class MunchkinCombat(TypedDict):
    """The combat that is running."""

    stage: Annotated[CombatStage, "`claim`: a kill is claimed, and the others may act against it"]
    main: int
    helper: int | None
    is_drafted: Annotated[bool, "Whether the helper was forced to help"]
    strength: MunchkinSides
    leads: Annotated[Side | None, "The side that wins as it stands: at a tie the monsters"]
    short: Annotated[int | None, "What the munchkins lack to win; 0 if they lead"]
    monsters: list[MunchkinMonster]
    additions: list[MunchkinAddition]
    other_cards: Annotated[list[MunchkinCard], "What else lies with the combat until it ends"]
    removed: Annotated[int, "How many monsters left the combat without a kill"]
    levels: Annotated[int, "The levels that the kill gives the main player"]
    treasures: Annotated[int | None, "The treasures that the kill brings"]
    wins_game: Annotated[bool, "Whether the kill wins the game"]
    talks: MunchkinTalks | None
    deal: Annotated[MunchkinDeal | None, "What was agreed with the helper"]
    declined: Annotated[list[int], "Those who declined to help since the combat last changed"]
    powers_used: list[MunchkinPowerUse]
    claim: MunchkinClaim | None
    escapes: Annotated[list[MunchkinEscape], "What the fighters have still to escape; empty before they run"]
    helper_first: Annotated[bool, "Whether the helper runs before the main player"]
    wants_helper_first: Annotated[list[int], "The fighters who want the helper to run first; both are needed"]
    died: Annotated[list[int], "Those who died in this combat"]
