"""The shapes of what is going on in Creature Crush: attacks, chains, dice, drafts."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from referee.engine.parts.boards import BoardCard

TextPart = Literal[
    "action",
    "trap",
    "hell",
    "attacks",
    "attacked",
    "attacks_directly",
    "kills",
    "turn_starts",
    "opponent_starts",
    "turn_ends",
    "ally_dies",
    "enemy_dies",
    "ally_arrives",
    "enemy_arrives",
    "flips",
    "opponent_flips",
    "flip",
]
EventKind = Literal["attack", "direct_attack", "placed", "destroyed", "put", "direct_done", "flipped", "start", "end"]
PART = "Which text of the card; `attacks` and the like: what happens when it attacks"


class CreatureCrushAttack(TypedDict):
    """A declared attack.

    Numbers are null if it fails or goes directly against a player, or if the position does not say enough.
    """

    kind: Literal["attack"]
    seat: Annotated[int, "Whose attack it is"]
    attacker: BoardCard
    target: Annotated[BoardCard | None, "The creature that is attacked; null: the other player is, directly"]
    cost: Annotated[int, "The pips that were burned for it"]
    fails: Annotated[
        Literal["cancelled", "attacker_gone", "target_gone"] | None, "Why it will do nothing; null: it is on"
    ]
    damage: Annotated[int | None, "What the target would take as things stand"]
    block_damage: Annotated[int | None, "What a vengeful target would do to the attacker"]
    target_left: Annotated[int | None, "The life points that the target would have left; 0: it would be destroyed"]
    attacker_left: Annotated[int | None, "The life points that the attacker would have left; 0: it would be destroyed"]
    loses: Annotated[
        Literal["deck", "hand", "crush", "creature"] | None,
        "Of a direct attack: where the other player would lose a card: the top card of the deck, or one at random",
    ]


class CreatureCrushEffect(TypedDict):
    """An effect of a card."""

    card: BoardCard
    part: Annotated[TextPart, PART]
    seat: Annotated[int, "Whose effect it is"]


class CreatureCrushWindow(TypedDict):
    """The time in which a crush card may be flipped in answer to an event."""

    event: EventKind
    by: Annotated[int, "Whose event it is"]
    cards: Annotated[list[BoardCard], "The cards that it is about"]
    asked: Annotated[int, "Who may flip a card next"]
    has_other_passed: Annotated[bool, "Whether the other player has flipped nothing, so that passing closes it"]


class CreatureCrushChain(TypedDict):
    """Effects that wait. The last one is carried out first."""

    kind: Literal["chain"]
    effects: list[CreatureCrushEffect]
    window: Annotated[CreatureCrushWindow | None, "Null: nothing can be flipped any more"]


class CreatureCrushOrdering(TypedDict):
    """The active player orders effects that were set off at the same time."""

    kind: Literal["ordering"]
    seat: Annotated[int, "Who orders them"]
    chosen: Annotated[list[CreatureCrushEffect], "In the order in which they will be carried out"]
    left: list[CreatureCrushEffect]


class CreatureCrushCarriedOut(CreatureCrushEffect):
    """An effect that is being carried out."""

    kind: Literal["effect"]


class CreatureCrushChoice(TypedDict):
    """A choice of a player.

    The question says it in words, the legal moves say what may be chosen.
    """

    kind: Literal["choice"]
    about: Annotated[
        Literal["target", "targets", "offer", "search", "discard", "look", "place", "reroll", "alternative"],
        "`offer`: to accept or decline; `place`: where the creature on the card comes; `reroll`: start dice",
    ]
    seat: Annotated[int, "Who chooses"]
    card: Annotated[BoardCard, "The card whose text it is; for `place` the creature"]
    count: Annotated[int, "How many at most"]
    pips: Annotated[list[int], "The dice that were rolled to find the target; empty: none"]


class CreatureCrushRandom(TypedDict):
    """Chance finds some of these cards."""

    kind: Literal["random"]
    card: Annotated[BoardCard, "The card that asks for it"]
    count: int
    candidates: Annotated[list[BoardCard] | None, "Null: the position does not say enough"]


class CreatureCrushLoss(TypedDict):
    """Cards that a player is losing without a choice.

    With real cards people say what they were.
    """

    kind: Literal["loss"]
    seat: int
    source: Annotated[Literal["deck", "hand"], "`deck`: from the top; `hand`: taken unseen"]
    count: int


class CreatureCrushDestroying(TypedDict):
    """Cards on the boards that are being destroyed.

    With real cards people say what the face-down ones were.
    """

    kind: Literal["destroying"]
    cards: list[BoardCard]


class CreatureCrushRoll(TypedDict):
    """Dice that a player is rolling."""

    kind: Literal["roll"]
    seat: int
    rolls: Annotated[
        Literal["basic", "fewer", "triple", "quadruple", "extra", "added", "again", "target"],
        "Which dice: the start dice, fewer of them, the bonus for a triple or for four alike, the additional ones, "
        "those that a card adds, start dice rolled again, or dice that find a target by its cost",
    ]
    dice: Annotated[int, "How many"]
    card: Annotated[BoardCard | None, "The card that asks for it; null: a rule does, or nobody knows"]


class CreatureCrushStartRoll(TypedDict):
    """The roll for who begins: the higher die."""

    kind: Literal["start_roll"]
    rolled: Annotated[list[int], "The dice so far, in the order of the seats"]


class CreatureCrushDraft(TypedDict):
    """The draft: in each round a player keeps some of the cards drawn."""

    kind: Literal["draft"]
    round: int
    rounds: int
    drawn: Annotated[int, "How many cards each player draws"]
    keep: Annotated[int, "How many of them each player keeps"]
    waiting: Annotated[list[int], "Those who have still to choose"]


class CreatureCrushDecks(TypedDict):
    """The players bring their decks."""

    kind: Literal["decks"]
    waiting: Annotated[list[int], "Those who have still to bring theirs"]


class CreatureCrushDrawOffer(TypedDict):
    """A draw is offered."""

    kind: Literal["draw_offer"]
    seat: Annotated[int, "Who has to answer"]


class CreatureCrushReport(TypedDict):
    """What is shuffled or read to the referee."""

    kind: Literal["report"]
    reports: Literal["shuffle", "cards"]
    place: Annotated[str, "Where the cards lie"]


Running = (
    CreatureCrushAttack
    | CreatureCrushChain
    | CreatureCrushOrdering
    | CreatureCrushCarriedOut
    | CreatureCrushChoice
    | CreatureCrushRandom
    | CreatureCrushLoss
    | CreatureCrushDestroying
    | CreatureCrushRoll
    | CreatureCrushStartRoll
    | CreatureCrushDraft
    | CreatureCrushDecks
    | CreatureCrushDrawOffer
    | CreatureCrushReport
)
