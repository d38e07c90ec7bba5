"""The shape of the board of Munchkin: the seats and the table as a whole."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from referee.engine.parts.boards import Board
from referee.games.munchkin.board.cards import (
    MunchkinBelongings,
    MunchkinCard,
    MunchkinItems,
    MunchkinPile,
    Town,
)
from referee.games.munchkin.board.combat import MunchkinCombat
from referee.games.munchkin.board.running import (
    MunchkinCharity,
    MunchkinChoice,
    MunchkinCurse,
    MunchkinDie,
    MunchkinFlight,
    MunchkinLooting,
    MunchkinReport,
    MunchkinStartRoll,
    MunchkinText,
    MunchkinTreasures,
)

Phase = Literal[
    "setup", "start", "door", "combat", "claim", "rewards", "flight", "looting", "choice", "charity",
]  # fmt: skip
TurnStep = Literal["kick_door", "choice", "charity"]
Running = Annotated[
    MunchkinStartRoll
    | MunchkinFlight
    | MunchkinDie
    | MunchkinCurse
    | MunchkinText
    | MunchkinChoice
    | MunchkinTreasures
    | MunchkinLooting
    | MunchkinCharity
    | MunchkinReport,
    "Something that is going on",
]
LastingWhat = Literal[
    "strength", "escape", "die_rolls", "hand_limit", "treasures", "sale_times", "cannot_help", "cannot_play_one_shots",
]  # fmt: skip


class MunchkinFigure(TypedDict):
    """A player's level and what lies in play before them: all that counts in a fight."""

    level: int
    strength: Annotated[int | None, "Level and what is in play, as it counts in a fight"]
    towns: Annotated[list[Town] | None, "The towns whose citizen the player is"]
    hand_limit: Annotated[int | None, "How many cards the player may keep at the end of the turn"]
    hands: Annotated[int | None, "How many hands the player has for items"]
    big_limit: Annotated[int | None, "How many Big items the player may have in play"]
    items: MunchkinItems
    citizenship: MunchkinPile
    ride: MunchkinBelongings
    curses: MunchkinBelongings


class MunchkinSeat(MunchkinFigure):
    """A player."""

    seat: int
    is_out: Annotated[bool, "Whether the player has left the table"]
    is_dead: Annotated[bool, "Dead until the next turn begins"]
    gets_new_cards: Annotated[bool, "Died, and draws new cards when the player's own next turn begins"]
    is_ready: Annotated[bool | None, "Before the first turn: whether the player is ready; null afterwards"]
    role: Annotated[Literal["main", "helper"] | None, "The part in the running combat; null: none"]
    run_away_bonus: Annotated[int | None, "What is added to each of the player's rolls to run away"]
    hand: MunchkinPile


class MunchkinTrade(TypedDict):
    """A trade that is offered: both sides are items in play."""

    by: int
    to: int
    gives: list[MunchkinCard]
    takes: list[MunchkinCard]


class MunchkinLasting(TypedDict):
    """What a card text gives a player for a while, or keeps the player from."""

    card: Annotated[str, "The design of the card"]
    what: LastingWhat
    value: Annotated[int | None, "The number that it gives; null: it keeps from something"]
    until: Annotated[Literal["combat_end", "turn_end", "next_turn"], "`next_turn`: of the player `by`"]
    by: Annotated[int, "The player whose text it was"]
    seat: int


class MunchkinDelayed(TypedDict):
    """Lines of a card text that come later."""

    card: Annotated[str, "The design of the card"]
    seat: Annotated[int, "The player for whom they are carried out"]
    when: Annotated[Literal["now", "turn_ends", "next_turn"], "`now`: as soon as what is under way is done"]


class MunchkinBoard(Board):
    """The table of Munchkin."""

    game: Literal["munchkin"]
    phase: Annotated[
        Phase | None,
        "`start`: the door is still closed; `claim`: the others may act against a claimed kill; `choice`: look for "
        "trouble or loot the room; `charity`: the rest of the turn; null: between turns",
    ]
    steps_left: Annotated[
        list[TurnStep], "What is still to come in this turn, in order; a combat takes the place of the choice"
    ]
    goal: Annotated[int, "The level that wins, reached only by a kill"]
    seats: list[MunchkinSeat]
    combat: MunchkinCombat | None
    running: Annotated[list[Running], "What is going on, the innermost last: it has to end before the others go on"]
    trades: list[MunchkinTrade]
    lasting: list[MunchkinLasting]
    later: Annotated[list[MunchkinDelayed], "What card texts have put off"]
