"""The shapes of what is going on in Here to Slay: plays, rolls, texts, choices."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from referee.engine.parts.boards import BoardCard
from referee.engine.rulebook.book import Text

TextPart = Literal["does", "penalty", "reward", "action", "whenever", "instead"]
Outcome = Literal["success", "failure", "void", "slay", "fight_back", "nothing"]
ASKED = "Those who may still play a modifier now"
PASSED = "Those who have passed since the last modifier"
NOT_KNOWN = "null: the dice are still to be rolled, or the position does not say enough"


class HereToSlaySpan(TypedDict):
    """The totals from `least` to `most`; null: no limit on that side.

    With both null no total lies in it.
    """

    least: int | None
    most: int | None


class HereToSlayValue(TypedDict):
    """A value that counts on a roll besides the dice."""

    value: int
    card: Annotated[str, "The card it comes from, wherever it lies now: its design, as in the list of the game's cards"]
    name: Text | None
    seat: Annotated[int | None, "Who has put it on the roll; null: it is there by itself, as a bonus of a leader is"]


class HereToSlayDice(TypedDict):
    """What a player has rolled."""

    seat: int
    dice: Annotated[list[int], "Empty: they are still to be rolled"]
    values: Annotated[
        list[HereToSlayValue] | None,
        "What is added: what is there by itself, then modifiers and the like in order; null: nobody knows",
    ]
    total: Annotated[int | None, f"Dice and values as things stand; {NOT_KNOWN}"]


class HereToSlayRoll(HereToSlayDice):
    """A roll for a hero or for an attack, to which modifiers may be played."""

    kind: Literal["roll"]
    rolls: Annotated[Literal["hero", "attack"], "What it is for"]
    card: Annotated[BoardCard, "The hero, or the monster that is attacked"]
    needs: Annotated[HereToSlaySpan, "The totals with which the hero's effect happens or the monster is slain"]
    fights_back_at: Annotated[HereToSlaySpan | None, "The totals at which the monster fights back; null: no attack"]
    outcome: Annotated[
        Outcome | None,
        f"What happens with this total. `void`: the hero has gone or is sealed; `nothing`: of an attack. {NOT_KNOWN}",
    ]
    targets: Annotated[list[BoardCard], "The heroes that the roller has named for the effect"]
    target_seats: Annotated[list[int], "The players that the roller has named for the effect"]
    asked: Annotated[list[int], ASKED]
    passed: Annotated[list[int], PASSED]


class HereToSlayChallenge(TypedDict):
    """The two rolls of a challenge, to which modifiers may be played."""

    kind: Literal["challenge"]
    seat: Annotated[int, "Who plays the card"]
    card: Annotated[BoardCard, "The card being played"]
    challenger: HereToSlayDice
    challenged: HereToSlayDice
    stands: Annotated[bool | None, f"Whether the card would take effect with these totals; {NOT_KNOWN}"]
    asked: Annotated[list[int], ASKED]
    passed: Annotated[list[int], PASSED]


class HereToSlayPlay(TypedDict):
    """A card being played."""

    kind: Literal["play"]
    seat: int
    card: BoardCard
    is_open: Annotated[bool, "Whether it may still be challenged"]
    asked: Annotated[list[int], "Those who may still challenge"]
    passed: Annotated[list[int], "Those who do not challenge it"]


class HereToSlayWaitingText(TypedDict):
    """A text of a card that is to be carried out."""

    card: BoardCard
    part: Annotated[TextPart, "Which text of the card; `does`: the effect of a hero or magic; `whenever`: an ability"]
    seat: Annotated[int, "For whom"]


class HereToSlayText(HereToSlayWaitingText):
    """A text of a card that is being carried out."""

    kind: Literal["text"]
    is_naming_targets: Annotated[bool, "Whether only targets are named, before modifiers are played on the roll"]
    targets: Annotated[list[BoardCard], "The heroes that were named for it"]
    target_seats: Annotated[list[int], "The players that were named for it"]


class HereToSlayWaitingTexts(TypedDict):
    """Abilities that what happened has set off, and that wait."""

    kind: Literal["abilities"]
    texts: list[HereToSlayWaitingText]


class HereToSlayChoice(TypedDict):
    """A choice of one player.

    The question says it in words, the legal moves say what may be chosen.
    """

    kind: Literal["choice"]
    about: Annotated[
        Literal[
            "hero", "player", "card", "item", "value", "offer", "free_roll", "equip", "instead", "order", "look",
            "put_back", "kind", "alternative",
        ],
        "`offer`: to accept or decline; `free_roll`: whether to roll for the hero just played; `equip`: which hero "
        "gets the item; `instead`: another thing in place of destroying; `order`: which ability comes next; `look`: "
        "to confirm having seen cards; `put_back`: the order on the deck; `kind`: of what kind a real card is",
    ]  # fmt: skip
    seat: Annotated[int, "Who chooses"]
    card: Annotated[BoardCard | None, "The card that asks for it, or the hero or item it is about; null: none"]
    cards: Annotated[list[BoardCard], "Those shown to choose from, to order or to look at, if the viewer sees them"]


class HereToSlaySecretChoice(TypedDict):
    """Several players choose at the same time, unseen by each other."""

    kind: Literal["secret_choice"]
    about: Annotated[Literal["discard", "give", "sacrifice"], "What they do with the cards or the hero"]
    card: Annotated[BoardCard | None, "The card that asks for it; null: the hand is being replaced"]
    to: Annotated[int | None, "Who is given the cards; null: nobody, or each the next player"]
    least: Annotated[int, "How many each chooses at least, if there are so many"]
    most: int
    waiting: Annotated[list[int], "Those who have still to choose"]
    chosen: Annotated[list[int], "Those who have chosen"]


class HereToSlayRemoval(TypedDict):
    """A hero that is about to be destroyed or sacrificed."""

    kind: Literal["removal"]
    how: Literal["destroy", "sacrifice"]
    hero: BoardCard
    seat: Annotated[int, "Who does it"]


class HereToSlayDraw(TypedDict):
    """Cards that a player is drawing from the main deck."""

    kind: Literal["draw"]
    seat: int
    count: Annotated[int, "How many are still to be drawn"]


class HereToSlayPull(TypedDict):
    """Cards that a player is pulling unseen out of a hand."""

    kind: Literal["pull"]
    seat: Annotated[int, "Who pulls"]
    victim: Annotated[int, "Out of whose hand"]
    count: Annotated[int, "How many are still to be pulled"]


class HereToSlayReport(TypedDict):
    """What is shuffled, turned up or read to the referee."""

    kind: Literal["report"]
    reports: Literal["shuffle", "monster", "cards"]
    place: Annotated[str, "Where the cards lie"]
    count: Annotated[int | None, "How many; null: all"]


class HereToSlayStartRoll(TypedDict):
    """The roll for who chooses a leader first: the highest die."""

    kind: Literal["start_roll"]
    seats: Annotated[list[int], "Those who roll, in order"]
    rolled: Annotated[list[int], "Their dice so far, in the same order"]


class HereToSlayLeaderChoice(TypedDict):
    """The players choose their leaders."""

    kind: Literal["leaders"]
    waiting: Annotated[list[int], "Those who have still to choose, in order"]
    is_at_once: Annotated[bool, "Whether the quickest gets the leader; otherwise the first of those waiting chooses"]


Running = (
    HereToSlayRoll
    | HereToSlayChallenge
    | HereToSlayPlay
    | HereToSlayText
    | HereToSlayWaitingTexts
    | HereToSlayChoice
    | HereToSlaySecretChoice
    | HereToSlayRemoval
    | HereToSlayDraw
    | HereToSlayPull
    | HereToSlayReport
    | HereToSlayStartRoll
    | HereToSlayLeaderChoice
)
