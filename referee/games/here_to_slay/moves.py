"""The moves of Here to Slay. Answers to card texts are moves of the card language."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Move


@named("hts.pick_leader")
@dataclass(frozen=True)
class PickLeader(Move):
    """Choose this leader.

    HTS-SETUP-1: Everyone chooses one leader and puts it on the table in front of them. It is theirs until the match
        ends.
    """

    leader: str


@named("hts.draw")
@dataclass(frozen=True)
class DrawOne(Move):
    """Draw a card for one point.

    HTS-ACT-1: Draw, one point: take the top card of the main deck. A card must be left in it or in the discard pile.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-1",)


@named("hts.play")
@dataclass(frozen=True)
class PlayCard(Move):
    """Play a hero, an item or magic from the hand for one point.

    HTS-ACT-2: Play, one point: a single hero, item or magic card from the hand, if it may be announced.
    """

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-2",)


@named("hts.roll_for")
@dataclass(frozen=True)
class RollFor(Move):
    """Roll for the effect of a hero in the player's party for one point.

    HTS-ACT-3: Roll, one point: try for the effect of a hero in the player's own party, if that hero may be rolled for.
    """

    hero: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-3",)


@named("hts.attack")
@dataclass(frozen=True)
class Attack(Move):
    """Attack a monster of the row for two points.

    HTS-ACT-4: Attack, two points: take on one monster in the row whose requirement the party meets.
    """

    monster: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-4",)


@named("hts.redraw")
@dataclass(frozen=True)
class RedrawHand(Move):
    """Discard the whole hand and draw five cards for three points.

    HTS-ACT-5: Redraw, three points: the entire hand is discarded and five cards are drawn. An empty hand is no
        obstacle.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-5",)


@named("hts.use_leader")
@dataclass(frozen=True)
class UseLeader(Move):
    """Use the action that only the player's own leader gives.

    HTS-ACT-6: Claw, one point: once in each of their turns the owner of The Shadow Claw may pull a card from another
        player who holds one.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-6",)


@named("hts.end_turn")
@dataclass(frozen=True)
class EndTurn(Move):
    """End the turn and lose the points that are left.

    HTS-ACT-7: End the turn, no point: allowed once nothing is left to carry out.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-7",)


@named("hts.challenge")
@dataclass(frozen=True)
class Challenge(Move):
    """Challenge the card being played with a challenge card from the hand.

    HTS-CHAL-1: If somebody plays a hero, item or magic card from the hand in their own turn, another player may use a
        challenge card against it, without points.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-CHAL-1",)


@named("hts.modify")
@dataclass(frozen=True)
class Modify(Move):
    """Play a modifier from the hand, with one of its values, on a player's roll.

    HTS-MOD-1: On any roll of any player everyone may play modifiers from their hand: in any turn, on their own roll or
        another's, for it or against it, without points.
    """

    card: str
    value: int = field(metadata={"minimum": -9, "maximum": 9})
    roller: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-MOD-1",)


@named("hts.pass")
@dataclass(frozen=True)
class Pass(Move):
    """Play nothing in this window.

    HTS-CHAL-3: A player who passed is out for this card. The play goes ahead when nobody is left to answer.
    HTS-MOD-7: The window for modifiers stays open until everybody asked has passed with no modifier in between. Every
        new one cancels earlier passes.
    """


@named("hts.leave")
@dataclass(frozen=True)
class Leave(Move):
    """Leave the table for good.

    HTS-AMB-73: A leaving player's cards leave play, and what that player had running lapses. The last one left has
        won.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-AMB-73", "HTS-EDGE-5")
    playable_at_random: ClassVar[bool] = False
    is_concession: ClassVar[bool] = True
