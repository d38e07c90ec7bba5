"""The shape of the board of Here to Slay."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from referee.engine.parts.boards import Board, BoardCard, BoardSeat

HeroClass = Literal["fighter", "guardian", "ranger", "thief", "wizard", "bard"]
HeroMark = Literal["rolled", "sealed", "indestructible", "unstealable", "rolling", "target"]
RollKind = Literal["hero", "attack", "challenger", "challenged"]
LastingKind = Literal["roll_bonus", "no_challenge", "no_destroy", "no_steal"]


class HereToSlaySpan(TypedDict):
    """The totals from `least` to `most`; null: no limit on that side."""

    least: int | None
    most: int | None


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
        "rolling: the open roll is for it; target: named as a target of the open roll",
    ]


class HereToSlayMonster(TypedDict):
    """A monster in the row, or slain."""

    card: BoardCard
    requires: Annotated[list[str], "What a party needs: `hero` for any hero, else a class"]
    slays: Annotated[HereToSlaySpan, "The totals that slay it"]
    fights_back: Annotated[HereToSlaySpan, "The totals with which it fights back"]
    is_attacked: bool


class HereToSlayLasting(TypedDict):
    """What a card gives a player for a while."""

    source: BoardCard
    what: LastingKind
    value: int
    until: Annotated[
        Literal["own_turn_end", "own_turn_start"], "The end of the player's turn, or the start of the next"
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


class HereToSlayAddition(TypedDict):
    """A value on a roll besides the dice."""

    card: BoardCard
    value: int
    seat: Annotated[int | None, "The player who put it there; null: it stands by itself"]


class HereToSlayRoll(TypedDict):
    """A roll that is not settled yet."""

    roll: RollKind
    seat: int
    card: Annotated[BoardCard, "The hero, the monster, or the card that was challenged"]
    dice: Annotated[list[int], "Empty: still to be thrown"]
    additions: list[HereToSlayAddition]
    total: Annotated[int | None, "Null before the dice are thrown"]
    needs: Annotated[HereToSlaySpan | None, "The totals that succeed; null: compared with the other roll"]
    fights_back: Annotated[HereToSlaySpan | None, "Of an attack: the totals with which the monster fights back"]
    targets: Annotated[list[str], "The cards and seats named as targets, cards by their id"]
    result: Annotated[Literal["succeeds", "fails", "fights_back"] | None, "What the roll would do as it stands"]


class HereToSlayRolling(TypedDict):
    """One open roll, or the two of a challenge."""

    kind: Literal["roll"]
    rolls: list[HereToSlayRoll]
    asked: Annotated[list[int], "Those who may still play a modifier"]
    passed: list[int]


class HereToSlayAnnounced(TypedDict):
    """A card that was announced and may be challenged."""

    kind: Literal["announced"]
    seat: int
    card: BoardCard
    asked: Annotated[list[int], "Those who may still challenge"]
    passed: list[int]


class HereToSlayOffer(TypedDict):
    """A yes or no for one player: a free roll, an offer, a replacement."""

    kind: Literal["offer"]
    offer: Literal["free_roll", "text", "replacement"]
    seat: int
    card: BoardCard


class HereToSlayChoice(TypedDict):
    """A choice that a card or the rules ask for."""

    kind: Literal["choice"]
    seats: list[int]
    card: Annotated[BoardCard | None, "The card that asks; null: the rules do"]
    count: Annotated[int | None, "How many cards were looked at, if the choice is about those"]


class HereToSlayEffect(TypedDict):
    """A text that is being carried out."""

    kind: Literal["effect"]
    seat: int
    card: BoardCard


class HereToSlayBoard(Board):
    """The table of Here to Slay."""

    game: Literal["here_to_slay"]
    seats: list[HereToSlaySeat]
    row: Annotated[list[HereToSlayMonster] | None, "The monsters that can be attacked; null: nobody knows"]
    running: Annotated[
        list[HereToSlayRolling | HereToSlayAnnounced | HereToSlayOffer | HereToSlayChoice | HereToSlayEffect],
        "What is going on; the last of it is dealt with first",
    ]
    won_by: Annotated[Literal["three_monsters", "six_classes", "last_one_left"] | None, "How the match was won"]
