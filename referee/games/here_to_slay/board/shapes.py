"""The shape of the board of Here to Slay."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from referee.engine.parts.boards import Board, BoardCard, BoardSeat
from referee.games.here_to_slay.board.running_shapes import HereToSlaySpan, Running

HeroClass = Literal["fighter", "guardian", "ranger", "thief", "wizard", "bard"]
HeroMark = Literal["rolled", "sealed", "indestructible", "unstealable", "rolling", "target", "threatened"]
LastingKind = Literal[
    "roll_bonus", "no_challenge", "no_destroy", "no_steal", "no_attack", "no_challenging", "no_modifying"
]


class HereToSlayLeader(TypedDict):
    """The leader of a party."""

    card: BoardCard
    hero_class: HeroClass
    has_action: Annotated[bool, "Whether the leader has an action that can be used once a turn"]
    is_used: Annotated[bool | None, "Whether that was used in this turn"]


class HereToSlayHero(TypedDict):
    """A hero in a party, with the item underneath."""

    card: BoardCard
    hero_class: Annotated[HeroClass, "The class that counts, of a mask if the hero wears one"]
    needs: Annotated[HereToSlaySpan, "The totals with which a roll for the hero succeeds"]
    item: BoardCard | None
    marks: Annotated[
        list[HeroMark],
        "rolled: in this turn; sealed: cannot be rolled for; indestructible, unstealable: protected from that; "
        "rolling: the open roll is for it; target: named as a target of what is going on; threatened: about to be "
        "destroyed or sacrificed",
    ]


class HereToSlayMonster(TypedDict):
    """A monster in the row, or slain."""

    card: BoardCard
    requires: Annotated[list[str], "What a party needs: `hero` for any hero, else a class"]
    slays: Annotated[HereToSlaySpan, "The totals that slay it"]
    fights_back: Annotated[HereToSlaySpan, "The totals with which it fights back"]
    is_attacked: bool
    ready: Annotated[list[int], "Of a monster in the row: the players whose parties meet what it requires"]


class HereToSlayLasting(TypedDict):
    """What a card gives a player for a while."""

    source: BoardCard
    what: LastingKind
    value: int
    until: Annotated[
        Literal["own_turn_end", "own_turn_start", "next_roll", "my_turn_start"],
        "When it ends; my: of the player whose card it is",
    ]


class HereToSlaySeat(BoardSeat):
    """A player with the party, and how far the player has come."""

    leader: HereToSlayLeader | None
    party: Annotated[list[HereToSlayHero] | None, "The heroes; null: nobody knows"]
    slain: list[HereToSlayMonster]
    of_slain: Annotated[int, "The monsters that win the match"]
    classes: Annotated[list[HeroClass] | None, "The different classes of the party, the leader's included"]
    of_classes: Annotated[int, "The different classes that win the match"]
    lasting: list[HereToSlayLasting]
    points: Annotated[int | None, "Action points left; 0 for players who are not on turn"]
    of_points: Annotated[int | None, "Action points that a turn of this player has"]


class HereToSlayDelayed(TypedDict):
    """Lines of a card text that come later."""

    card: BoardCard
    seat: Annotated[int, "Whose text it is"]
    when: Annotated[Literal["turn_ends", "next_turn"], "As this turn ends, or as that player's next one begins"]


class HereToSlayBoard(Board):
    """The table of Here to Slay."""

    game: Literal["here_to_slay"]
    seats: list[HereToSlaySeat]
    row: Annotated[list[HereToSlayMonster] | None, "The monsters that can be attacked; null: nobody knows"]
    running: Annotated[list[Running], "What is going on; the last of it is dealt with first"]
    later: Annotated[list[HereToSlayDelayed], "What card texts have put off"]
    won_by: Annotated[Literal["three_monsters", "six_classes", "last_one_left"] | None, "How the match was won"]
