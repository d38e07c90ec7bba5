"""Events of the setup, of turns and points, and of the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from referee.cardscript.events import CardsMoved
from referee.cardscript.language.delayed import forget_delayed_texts
from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, replace_fields
from referee.games.here_to_slay.values import LastingEffect

# ---- setup ---------------------------------------------------------------------------------------------------


@named("hts.DieCast")
@dataclass(frozen=True)
class DieCast(Event):
    """A player rolled one die for the first choice of a leader.

    HTS-SETUP-2: There are two ways to choose: a die settles who picks first, or all reach out at once and the quickest
        hand gets the leader.
    """

    seat: int
    value: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-2", "HTS-SETUP-9")


@named("hts.LeaderPicked")
@dataclass(frozen=True)
class LeaderPicked(CardsMoved):
    """A player took a leader.

    HTS-SETUP-1: Everyone chooses one leader and puts it on the table in front of them. It is theirs until the match
        ends.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-1",)

    def apply(self, state: Any) -> Any:
        return replace_fields(super().apply(state), picked=(*state.picked, self.seat))


@named("hts.Boxed")
@dataclass(frozen=True)
class CardsBoxed(CardsMoved):
    """Cards went back to the box for the rest of the match.

    HTS-SETUP-4: Each player takes a reference card. The leaders and reference cards nobody took are put back in the
        box.
    HTS-ZONE-4: Unused leaders and reference cards lie in the box and stay there until the match is over.
    HTS-AMB-73: Leader and slain monsters of a player who leaves go out of the game.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-4", "HTS-ZONE-4")


@named("hts.HandDealt")
@dataclass(frozen=True)
class HandDealt(CardsMoved):
    """A player was dealt cards of the first hand.

    HTS-SETUP-5: Each player is dealt five of the shuffled normal-sized cards. The rest is the main deck. Nothing lies
        on the discard pile yet.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-5", "HTS-SETUP-8")


@named("hts.MonsterTurnedUp")
@dataclass(frozen=True)
class MonsterTurnedUp(CardsMoved):
    """A monster was turned up into the row.

    It cites nothing by itself: why it is turned up follows from the state (`grounds`).
    HTS-SETUP-6: The shuffled monsters form the monster deck. Three from its top are laid face up as the row.
    HTS-MON-10: When a monster is slain, in this order: it joins the party beside the leader, the win is checked, its
        ability begins, the reward is given, a new monster is turned up, triggers follow.
    """


# ---- turns and points ----------------------------------------------------------------------------------------


@named("hts.TurnStarted")
@dataclass(frozen=True)
class TurnStarted(Event):
    """A player's turn began with `points` points. Marks of the last turn are cleared.

    HTS-TURN-7: A turn begins like this: effects that last until then run out, all heroes lose their roll marks and The
        Shadow Claw its own, and the points are set. No card is drawn for free.
    """

    seat: int
    points: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TURN-1", "HTS-TURN-2", "HTS-TURN-7")

    def apply(self, state: Any) -> Any:
        return replace_fields(state, turn=self.seat, points=self.points, turns=state.turns + 1, rolled=(), used=False)


@named("hts.TurnEnded")
@dataclass(frozen=True)
class TurnEnded(Event):
    """The turn of a player is over.

    HTS-TURN-6: A turn ends by itself when all points are gone and everything is carried out, or earlier if the player
        stops. Unspent points are lost.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TURN-6", "HTS-AMB-77")

    def apply(self, state: Any) -> Any:
        return replace_fields(state, points=0)


@named("hts.PointsSpent")
@dataclass(frozen=True)
class PointsSpent(Event):
    """The active player paid for an action. `left` is the rest.

    HTS-TURN-4: The full cost is due when an action is declared. It is never refunded, not even if a hero roll fails or
        a challenge is lost, and however an attack ends.
    """

    seat: int
    count: int
    left: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TURN-4",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, points=self.left)


@named("hts.PointGained")
@dataclass(frozen=True)
class PointGained(Event):
    """The active player has one more point.

    HTS-AMB-67: Mega Slime gives its point at once, even if the attack took the last ones. A setting can change that.
    """

    seat: int
    left: int
    from_text: bool = field(default=False, metadata=OMIT_IF_EMPTY)  # and not from a monster just slain
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-36", "HTS-AMB-67")

    def applied_clauses(self) -> tuple[str, ...]:
        return ("HTS-POINTS-1",) if self.from_text else self.clauses

    def apply(self, state: Any) -> Any:
        return replace_fields(state, points=self.left)


@named("hts.LeaderUsed")
@dataclass(frozen=True)
class LeaderUsed(Event):
    """A player used the action of their leader, once in this turn.

    HTS-ACT-6: Claw, one point: once in each of their turns the owner of The Shadow Claw may pull a card from another
        player who holds one.
    """

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-6", "HTS-DO-35")

    def apply(self, state: Any) -> Any:
        return replace_fields(state, used=True)


@named("hts.LastingBegan")
@dataclass(frozen=True)
class LastingEffectBegan(Event):
    """A card begins to give its player something for a while.

    HTS-UNTIL-1: What lasts until the turn ends runs from that moment to the end of the player's own turn, whatever
        becomes of the card.
    HTS-UNTIL-2: What lasts until the next turn ends when that player's turn starts.
    """

    source: str
    seat: int
    what: str
    until: str
    value: int = 0
    of: tuple[int, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("HTS-STATE-5",)

    def apply(self, state: Any) -> Any:
        new = LastingEffect(self.source, self.seat, self.what, self.until, self.value, self.of)
        return replace_fields(state, lasting=(*state.lasting, new))


@named("hts.LastingEnded")
@dataclass(frozen=True)
class LastingEffectEnded(Event):
    """What a player was given until this moment is over.

    HTS-TURN-7: A turn begins like this: effects that last until then run out, all heroes lose their roll marks and The
        Shadow Claw its own, and the points are set.
    HTS-TURN-8: A turn ends like this: first the win by six classes is checked, then effects that last until the end of
        the turn run out, then the next player's turn begins.
    """

    seat: int
    until: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-UNTIL-1", "HTS-UNTIL-2")

    def applied_clauses(self) -> tuple[str, ...]:
        if self.until in ("next_roll", "my_turn_start"):
            return ("HTS-UNTIL-3",)
        return self.clauses[:1] if self.until == "own_turn_end" else self.clauses[1:]

    def apply(self, state: Any) -> Any:
        kept = tuple(each for each in state.lasting if (each.ends_with, each.until) != (self.seat, self.until))
        return replace_fields(state, lasting=kept)


@named("hts.GameWon")
@dataclass(frozen=True)
class GameWon(Event):
    """A player has won: by three monsters, six classes, or as the last one left."""

    seat: int
    way: str

    def apply(self, state: Any) -> Any:
        return replace_fields(state, winner=self.seat, way=self.way)

    def applied_clauses(self) -> tuple[str, ...]:
        return {
            "three_monsters": ("HTS-WIN-1", "HTS-AIM-2", "HTS-WIN-4"),
            "six_classes": ("HTS-WIN-2", "HTS-AIM-2", "HTS-WIN-4"),
            "last_one_left": ("HTS-AMB-73", "HTS-WIN-4"),
        }[self.way]


@named("hts.PlayerLeft")
@dataclass(frozen=True)
class PlayerLeft(Event):
    """A player has left the table.

    HTS-AMB-73: What that player had running lapses. The last one left has won.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-AMB-73", "HTS-EDGE-5")

    def apply(self, state: Any) -> Any:
        kept = tuple(each for each in state.lasting if self.seat not in (each.seat, each.ends_with))
        left = replace_fields(state, gone=(*state.gone, self.seat), lasting=kept)
        return forget_delayed_texts(left, self.seat)
