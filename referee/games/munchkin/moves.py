"""What a player may ask in this game. Choices that card texts ask for are those of the card language.

Cards are named by their ids, monsters by their card in the combat, players by their seat.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Move, replace_fields
from referee.engine.zones import back_of
from referee.games.munchkin.values import Deal

LIST_LIMIT = {"max_items": 40}
PICKS_LIMIT = {"max_items": 40}

# ---- setting up, and the steps of a turn -------------------------------------------------------------------------


@named("mk.ready")
@dataclass(frozen=True)
class Ready(Move):
    """Has put into play what it wanted before the first turn (MK-1.6)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-1.6",)


@named("mk.kick")
@dataclass(frozen=True)
class KickDoor(Move):
    """Kicks open the door: the top door card is turned up (MK-5.3)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-5.3",)


@named("mk.look_for_trouble")
@dataclass(frozen=True)
class LookForTrouble(Move):
    """Fights a monster of the own hand (MK-5.4)."""

    monster: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.4",)


@named("mk.loot")
@dataclass(frozen=True)
class LootRoom(Move):
    """Loots the room: draws a door face down (MK-5.4)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-5.4",)


@named("mk.end_turn")
@dataclass(frozen=True)
class EndTurn(Move):
    """Ends the turn with no card too many in the hand (MK-21.1)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-5.10", "MK-21.1")


@named("mk.give")
@dataclass(frozen=True)
class GiveToCharity(Move):
    """Gives the excess of the hand to charity: card by card to whom; or discards it, with no seats (MK-21.2, 21.3).

    At a real table a card that goes to a hand may be given as a back, `?`.
    """

    cards: tuple[str, ...] = field(metadata=LIST_LIMIT)
    to: tuple[int, ...] = field(default=(), metadata=LIST_LIMIT)
    clauses: ClassVar[tuple[str, ...]] = ("MK-21.1", "MK-21.2")

    def view_for(self, seat: int, by: int) -> Move | None:
        """The facts tell each seat what it may know."""
        return self if seat == by else replace_fields(self, cards=tuple(map(back_of, self.cards)))


# ---- cards, at the moments that they or the rules name ------------------------------------------------------------


@named("mk.put")
@dataclass(frozen=True)
class PutIntoPlay(Move):
    """Puts an item, a citizenship, a ride or what belongs to one into play before itself (MK-4.4, MK-7.6, MK-8.6).

    `instead`: the citizenship or ride that is discarded to make room for it (MK-4.5, MK-8.6).
    """

    card: str
    instead: str = ""


@named("mk.play")
@dataclass(frozen=True)
class PlayCard(Move):
    """Plays a card for what it does. It names what the card asks for: a player, a monster of the combat, a side
    (`munchkins` or `monsters`), a second card of the hand that goes with it (MK-3.6)."""

    card: str
    seat: int = -1
    monster: str = ""
    side: str = ""
    partner: str = ""


@named("mk.join")
@dataclass(frozen=True)
class JoinByTag(Move):
    """Adds a monster of the hand that shares a tag, with the card that gives it the tag if it has none (MK-12.1)."""

    monster: str
    partner: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("MK-12.1",)


@named("mk.use")
@dataclass(frozen=True)
class UsePower(Move):
    """Uses the power of a citizenship, and pays for it with this card (MK-4.9)."""

    power: str
    card: str
    monster: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("MK-4.9",)


@named("mk.discard")
@dataclass(frozen=True)
class DiscardFromPlay(Move):
    """Discards a citizenship or a ride that it has in play (MK-4.4, MK-8.6)."""

    card: str


@named("mk.equip")
@dataclass(frozen=True)
class Equip(Move):
    """Uses an item that it carries; the items of `off` are carried from now on (MK-7.2, MK-7.3)."""

    item: str
    off: tuple[str, ...] = field(default=(), metadata=LIST_LIMIT)
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.2", "MK-7.3")


@named("mk.unequip")
@dataclass(frozen=True)
class Unequip(Move):
    """Carries an item without using it (MK-7.2)."""

    item: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.2",)


@named("mk.sell")
@dataclass(frozen=True)
class Sell(Move):
    """Sells items worth at least 1,000 together for a level a full 1,000 (MK-7.14)."""

    cards: tuple[str, ...] = field(metadata=LIST_LIMIT)
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.14",)


@named("mk.show_hand")
@dataclass(frozen=True)
class ShowHand(Move):
    """Shows the own hand to a player (MK-2.2)."""

    seat: int
    playable_at_random: ClassVar[bool] = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.2",)


# ---- trades ----------------------------------------------------------------------------------------------------------


@named("mk.offer_trade")
@dataclass(frozen=True)
class OfferTrade(Move):
    """Offers items in play to a player for items that this player has in play; for nothing: a gift (MK-7.9)."""

    seat: int
    give: tuple[str, ...] = field(default=(), metadata=LIST_LIMIT)
    take: tuple[str, ...] = field(default=(), metadata=LIST_LIMIT)
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.9", "MK-26.1")


@named("mk.withdraw_trade")
@dataclass(frozen=True)
class WithdrawTrade(Move):
    """Takes the own offer back (MK-26.1)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-26.1",)


@named("mk.take_trade")
@dataclass(frozen=True)
class TakeTrade(Move):
    """Takes the offer of this player (MK-26.1).

    `give` and `take` are what the offer says, as it was read: if it says something else by now, it is not taken
    (MK-3.7). With both left out, whatever stands is taken.
    """

    seat: int
    give: tuple[str, ...] = field(default=(), metadata=LIST_LIMIT)
    take: tuple[str, ...] = field(default=(), metadata=LIST_LIMIT)
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.9", "MK-26.1")


@named("mk.decline_trade")
@dataclass(frozen=True)
class DeclineTrade(Move):
    """Declines the offer of this player (MK-26.1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-26.1",)


# ---- combat ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DealMove(Move):
    """A move that names the terms of help (MK-13.5, MK-13.6)."""

    treasures: int = 0
    all_of_them: bool = False
    picks: tuple[str, ...] = field(default=(), metadata=PICKS_LIMIT)
    items: tuple[str, ...] = field(default=(), metadata=LIST_LIMIT)
    plays: tuple[str, ...] = field(default=(), metadata=LIST_LIMIT)
    note: str = field(default="", metadata={"max_length": 200})

    @property
    def deal(self) -> Deal:
        """The terms as data."""
        return Deal(self.treasures, self.all_of_them, self.picks, self.items, self.plays, self.note)


@named("mk.ask_help")
@dataclass(frozen=True)
class AskHelp(DealMove):
    """Asks a player for help on these terms; or the helper to agree to new ones (MK-13.1, MK-13.6)."""

    seat: int = -1
    clauses: ClassVar[tuple[str, ...]] = ("MK-13.1", "MK-13.5")


@named("mk.take_back")
@dataclass(frozen=True)
class TakeBackRequest(Move):
    """Takes the request for help back before it is answered (MK-13.1)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-13.1",)


@named("mk.accept")
@dataclass(frozen=True)
class AcceptHelp(Move):
    """Agrees to the terms of help on the table (MK-13.2)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-13.2",)


@named("mk.decline")
@dataclass(frozen=True)
class DeclineHelp(Move):
    """Declines the terms of help on the table (MK-13.2)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-13.2",)


@named("mk.counter")
@dataclass(frozen=True)
class CounterOffer(DealMove):
    """Names other terms of help (MK-13.2)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-13.2", "MK-13.5")


@named("mk.let_pass")
@dataclass(frozen=True)
class LetPass(Move):
    """Lets a monster pass that allows it, before any other play (MK-11.3)."""

    monster: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-11.3",)


@named("mk.claim")
@dataclass(frozen=True)
class ClaimKill(Move):
    """Claims the kill: the others have a moment to speak up (MK-15.1)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-15.1",)


@named("mk.pass")
@dataclass(frozen=True)
class Pass(Move):
    """Does nothing in this window, or about this curse (MK-15.3, MK-20.5)."""


@named("mk.take_back_pass")
@dataclass(frozen=True)
class TakeBackPass(Move):
    """Takes the own pass back while the window is open (MK-15.5)."""

    playable_at_random: ClassVar[bool] = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-15.5",)


@named("mk.run")
@dataclass(frozen=True)
class RunAway(Move):
    """Turns to run: the fighters cannot or will not win (MK-17.1, MK-17.2)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-17.1", "MK-17.2")


@named("mk.helper_first")
@dataclass(frozen=True)
class HelperFirst(Move):
    """Asks that the helper runs first; it is done if both fighters ask (MK-17.5)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-17.5",)


@named("mk.flee")
@dataclass(frozen=True)
class FleeFrom(Move):
    """Rolls to escape this monster (MK-17.3)."""

    monster: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-17.3",)


@named("mk.give_up_ride")
@dataclass(frozen=True)
class GiveUpRide(Move):
    """Gives the ride up and escapes everything, where the match allows it (MK-8.7)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-8.7",)


@named("mk.keep_roll")
@dataclass(frozen=True)
class KeepRoll(Move):
    """Leaves the die as it fell (MK-17.7)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-17.7",)


@named("mk.pick")
@dataclass(frozen=True)
class PickTreasure(Move):
    """Picks one of the treasures won (MK-16.4)."""

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-13.7", "MK-16.4")


@named("mk.take")
@dataclass(frozen=True)
class TakeCard(Move):
    """Takes a card of a dead player (MK-19.4)."""

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-19.4",)
