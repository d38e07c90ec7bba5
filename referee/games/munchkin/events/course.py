"""What happens to players and turns: levels, death, turns, trades, the end.

Clauses: MK-1.7, MK-3.2, MK-4.1, MK-5.1, MK-7.9, MK-19.1, MK-19.8, MK-22.1, MK-26.1, MK-26.10.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.language.delayed import forget_delayed_texts
from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.games.munchkin.events.combat_changed import mark_combat_changed
from referee.games.munchkin.events.lasting import end_lasting
from referee.games.munchkin.values import OWN_NEXT_TURN, TURN_END, Trade


def _set_level(state: Any, seat: int, level: int) -> Any:
    levels = (*state.levels[:seat], level, *state.levels[seat + 1 :])
    return mark_combat_changed(replace_fields(state, levels=levels), seat)


@named("mk.DieCast")
@dataclass(frozen=True)
class DieCast(Event):
    """A player rolled a die for the first turn or for looting (MK-1.7, MK-19.4)."""

    seat: int
    value: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.7",)


@named("mk.PlayerReady")
@dataclass(frozen=True)
class PlayerReady(Event):
    """A player declared themselves ready for the first turn (MK-1.6)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-1.6",)


@named("mk.TurnBegan")
@dataclass(frozen=True)
class TurnBegan(Event):
    """A player's turn began, and the dead are back (MK-5.1, MK-19.8).

    Cards received by charity or looting can still be put down at once (MK-6.6).
    """

    seat: int
    back: tuple[int, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.1", "MK-5.10")

    def apply(self, state: Any) -> Any:
        return replace_fields(
            state,
            turn=self.seat,
            turns=state.turns + 1,
            dead=state.gone,
            fought=False,
            hindered={},
            trades=(),
            offers={},
            lasting=end_lasting(state, OWN_NEXT_TURN, self.seat).lasting,
        )

    def applied_clauses(self) -> tuple[str, ...]:
        return (*self.clauses, "MK-19.8") if self.back else self.clauses


@named("mk.BroughtBack")
@dataclass(frozen=True)
class PlayerRevived(Event):
    """A player who had died draws new cards (MK-19.8)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-19.8",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, bereft=tuple(seat for seat in state.bereft if seat != self.seat))


@named("mk.LevelsGained")
@dataclass(frozen=True)
class LevelsGained(Event):
    """A player gained levels (MK-4.1, MK-4.2).

    `card` gave them. It is empty for a sale.
    """

    seat: int
    count: int
    level: int
    card: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("MK-4.1",)

    def apply(self, state: Any) -> Any:
        return _set_level(state, self.seat, self.level)


@named("mk.LevelsLost")
@dataclass(frozen=True)
class LevelsLost(Event):
    """A player lost levels, but not the first one (MK-3.2, MK-18.4)."""

    seat: int
    count: int
    level: int
    card: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("MK-3.2",)

    def apply(self, state: Any) -> Any:
        return _set_level(state, self.seat, self.level)


@named("mk.PlayerDied")
@dataclass(frozen=True)
class PlayerDied(Event):
    """A player's character died (MK-19.1)."""

    seat: int
    card: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("MK-19.1", "MK-19.2")

    def apply(self, state: Any) -> Any:
        combat = state.combat
        if combat is not None and self.seat in combat.fighters:
            left = tuple(pair for pair in combat.to_flee if not pair.startswith(f"{self.seat}/"))
            combat = replace_fields(combat, to_flee=left, caught=(*combat.caught, self.seat))
        fresh = {who: cards for who, cards in state.fresh.items() if who != str(self.seat)}
        trades = tuple(trade for trade in state.trades if self.seat not in (trade.by, trade.to))
        return replace_fields(
            state,
            dead=(*(seat for seat in state.dead if seat not in state.gone), self.seat, *state.gone),
            bereft=(*state.bereft, self.seat),
            combat=combat,
            fresh=fresh,
            trades=trades,
        )


@named("mk.TradeOffered")
@dataclass(frozen=True)
class TradeOffered(Event):
    """A player offered a trade, which replaces their earlier offer (MK-26.1)."""

    trade: Trade
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.9", "MK-26.1")

    def apply(self, state: Any) -> Any:
        """Return the table with this offer standing.

        MK-26.1-R2: Offers are made a limited number of times in a turn, so they are counted.
        """
        others = tuple(trade for trade in state.trades if trade.by != self.trade.by)
        after = replace_fields(state, trades=(*others, self.trade))
        if state.interpretation_number("MK-26.1") != 2:
            return after
        who = str(self.trade.by)
        return replace_fields(after, offers={**state.offers, who: state.offers.get(who, 0) + 1})


@named("mk.TradeOff")
@dataclass(frozen=True)
class TradeOfferClosed(Event):
    """An offer was withdrawn, declined or taken (MK-26.1)."""

    by: int
    how: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-26.1",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, trades=tuple(trade for trade in state.trades if trade.by != self.by))


@named("mk.TurnEnded")
@dataclass(frozen=True)
class TurnEnded(Event):
    """A turn ended (MK-5.10), and what lasted so long (MK-27.2)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.10",)

    def apply(self, state: Any) -> Any:
        return end_lasting(state, TURN_END)


@named("mk.GameWon")
@dataclass(frozen=True)
class GameWon(Event):
    """A player reached level 10 by a kill (MK-22.1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-22.1",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, winner=self.seat, way="level_ten")


@named("mk.PlayerLeft")
@dataclass(frozen=True)
class PlayerLeft(Event):
    """A player left the table for good (MK-26.9).

    A player who has left counts as dead from then on.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-26.9",)

    def apply(self, state: Any) -> Any:
        me, combat = str(self.seat), state.combat
        if combat is not None:
            caught = tuple(seat for seat in combat.caught if seat != self.seat)
            alone = {} if combat.helper >= 0 else {"swap_wanted": (), "helper_first": False}
            combat = replace_fields(combat, caught=caught, **alone)
        return replace_fields(
            forget_delayed_texts(state, self.seat),
            lasting=tuple(each for each in state.lasting if self.seat not in (each.seat, each.by)),
            combat=combat,
            gone=(*state.gone, self.seat),
            dead=(*(seat for seat in state.dead if seat not in (*state.gone, self.seat)), *state.gone, self.seat),
            bereft=tuple(seat for seat in state.bereft if seat != self.seat),
            fresh={who: cards for who, cards in state.fresh.items() if who != me},
            hindered={who: count for who, count in state.hindered.items() if who != me},
            trades=tuple(trade for trade in state.trades if self.seat not in (trade.by, trade.to)),
        )


@named("mk.LastOneLeft")
@dataclass(frozen=True)
class LastOneLeft(Event):
    """All others have left, and the last player has won (MK-26.9)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-26.9",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, winner=self.seat, way="last_one_left")


@named("mk.GameDrawn")
@dataclass(frozen=True)
class GameDrawn(Event):
    """The match ended as a draw after the number of turns set for it (MK-26.10)."""

    turns: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-26.10",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, way="too_many_turns")
