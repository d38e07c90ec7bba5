"""The moves of this game. Choices for card texts are moves of the card language.

A move names cards by id, monsters by their card in the combat, and players by seat.
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
    """Declare yourself ready for the first turn.

    MK-1.6: Turn 1 starts when everybody has said to be ready.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MK-1.6",)


@named("mk.kick")
@dataclass(frozen=True)
class KickDoor(Move):
    """Kick open the door: the top door card is turned up (MK-5.3)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-5.3",)


@named("mk.look_for_trouble")
@dataclass(frozen=True)
class LookForTrouble(Move):
    """Look for trouble: fight a monster from your hand.

    MK-5.4: To look for trouble is to play a monster from the hand and fight it as if it had been behind the door.
    """

    monster: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.4",)


@named("mk.loot")
@dataclass(frozen=True)
class LootRoom(Move):
    """Loot the room: draw a door face down into your hand (MK-5.4)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-5.4",)


@named("mk.end_turn")
@dataclass(frozen=True)
class EndTurn(Move):
    """End your turn, with no more hand cards than your limit.

    MK-21.1: At the end of the turn a player must come down to the hand limit.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MK-5.10", "MK-21.1")


@named("mk.give")
@dataclass(frozen=True)
class GiveToCharity(Move):
    """Give the excess of your hand to other players, or discard it.

    `to` names the seat for each card. It stays empty if the player discards. At a real table a card that goes to a hand
    may be given as a back, `?`.
    MK-21.2: The giver chooses the cards, and they go to the living player of the lowest level.
    MK-21.3: A giver who is on the lowest level discards the excess.
    """

    cards: tuple[str, ...] = field(metadata=LIST_LIMIT)
    to: tuple[int, ...] = field(default=(), metadata={**LIST_LIMIT, "minimum": 0, "maximum": 19})
    clauses: ClassVar[tuple[str, ...]] = ("MK-21.1",)

    def view_for(self, seat: int, by: int) -> Move | None:
        """Return the move with its cards hidden from all but the giver.

        The events show each seat what it may see.
        """
        return self if seat == by else replace_fields(self, cards=tuple(map(back_of, self.cards)))


# ---- cards, at the moments that they or the rules name ------------------------------------------------------------


@named("mk.put")
@dataclass(frozen=True)
class PutIntoPlay(Move):
    """Put an item, a citizenship, a ride or its enhancer into play before you.

    `instead` is the citizenship or ride that is discarded to make room (MK-4.5, MK-8.6).
    MK-4.4: A citizenship may be played at any moment of the player's own turn.
    MK-7.6: An item may be put into play in calm on the player's own turn, or when it has just been received.
    MK-8.6: A ride is put into play at any time, even in combat.
    """

    card: str
    instead: str = ""


@named("mk.play")
@dataclass(frozen=True)
class PlayCard(Move):
    """Play a card and name the seat, monster, side or partner that it asks for.

    `side` is `munchkins` or `monsters`. `partner` is a second card from the hand that is played with it.
    MK-3.6: A play is carried out in full before the next one is taken.
    """

    card: str
    seat: int = -1
    monster: str = ""
    side: str = ""
    partner: str = ""


@named("mk.join")
@dataclass(frozen=True)
class JoinByTag(Move):
    """Add a monster from your hand that shares a tag, if need be with `partner`.

    `partner` is a card that gives the tag to a monster without it.
    MK-12.1: If a monster in the combat is Undead, anyone may add an Undead monster from the hand. The same holds for
        Demons.
    """

    monster: str
    partner: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("MK-12.1",)


@named("mk.use")
@dataclass(frozen=True)
class UsePower(Move):
    """Use the power of a citizenship and pay for it with this card.

    MK-4.9: Each town gives its citizens a power.
    """

    power: str
    card: str
    monster: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("MK-4.9",)


@named("mk.discard")
@dataclass(frozen=True)
class DiscardFromPlay(Move):
    """Discard a citizenship or a ride that you have in play.

    MK-4.4: A citizenship may be discarded at any time, even in combat.
    MK-8.6: A ride may be discarded at any time.
    """

    card: str


@named("mk.equip")
@dataclass(frozen=True)
class Equip(Move):
    """Use an item that you carry, and only carry those of `off` from now on.

    MK-7.2: An equipped item gives its bonus. One that is only carried gives nothing.
    MK-7.3: Each slot holds one item, and the hands hold hand items for two hands.
    """

    item: str
    off: tuple[str, ...] = field(default=(), metadata=LIST_LIMIT)
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.2", "MK-7.3")


@named("mk.unequip")
@dataclass(frozen=True)
class Unequip(Move):
    """Carry an item without using it (MK-7.2)."""

    item: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.2",)


@named("mk.sell")
@dataclass(frozen=True)
class Sell(Move):
    """Sell items worth at least 1,000 gold together for levels.

    MK-7.14: The player gains one level for each full 1,000.
    """

    cards: tuple[str, ...] = field(metadata=LIST_LIMIT)
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.14",)


@named("mk.show_hand")
@dataclass(frozen=True)
class ShowHand(Move):
    """Show your hand to a player (MK-2.2)."""

    seat: int
    playable_at_random: ClassVar[bool] = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.2",)


# ---- trades ----------------------------------------------------------------------------------------------------------


@named("mk.offer_trade")
@dataclass(frozen=True)
class OfferTrade(Move):
    """Offer items in play for a player's items in play, or as a gift.

    It is a gift if `take` is empty.
    MK-7.9: Only items in play can be traded, between two players neither of whom is in combat. Gifts are allowed.
    """

    seat: int
    give: tuple[str, ...] = field(default=(), metadata=LIST_LIMIT)
    take: tuple[str, ...] = field(default=(), metadata=LIST_LIMIT)
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.9", "MK-26.1")


@named("mk.withdraw_trade")
@dataclass(frozen=True)
class WithdrawTrade(Move):
    """Withdraw your standing offer of a trade (MK-26.1)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-26.1",)


@named("mk.take_trade")
@dataclass(frozen=True)
class TakeTrade(Move):
    """Take the trade that this player offers.

    `give` and `take` repeat the offer as the player read it. If the offer says something else by now, the move is
    refused
    (MK-3.7). If both are left out, the current offer is taken.
    MK-26.1: An offer is judged again when it is taken.
    """

    seat: int
    give: tuple[str, ...] = field(default=(), metadata=LIST_LIMIT)
    take: tuple[str, ...] = field(default=(), metadata=LIST_LIMIT)
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.9", "MK-26.1")


@named("mk.decline_trade")
@dataclass(frozen=True)
class DeclineTrade(Move):
    """Decline the trade that this player offers (MK-26.1)."""

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
    note: str = field(default="", metadata={"max_length": 200, "free_text": True})

    @property
    def deal(self) -> Deal:
        """The terms as data."""
        return Deal(self.treasures, self.all_of_them, self.picks, self.items, self.plays, self.note)


@named("mk.ask_help")
@dataclass(frozen=True)
class AskHelp(DealMove):
    """Ask a player for help on these terms, or offer new terms to the helper.

    MK-13.1: The main player may ask any other living player for help, one at a time, until one accepts.
    MK-13.6: While the combat is open, another deal that both accept replaces the old one.
    """

    seat: int = -1
    clauses: ClassVar[tuple[str, ...]] = ("MK-13.1", "MK-13.5")


@named("mk.take_back")
@dataclass(frozen=True)
class TakeBackRequest(Move):
    """Take back your request for help before it is answered (MK-13.1)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-13.1",)


@named("mk.accept")
@dataclass(frozen=True)
class AcceptHelp(Move):
    """Accept the terms of help that were offered to you (MK-13.2)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-13.2",)


@named("mk.decline")
@dataclass(frozen=True)
class DeclineHelp(Move):
    """Decline the terms of help that were offered to you (MK-13.2)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-13.2",)


@named("mk.counter")
@dataclass(frozen=True)
class CounterOffer(DealMove):
    """Answer an offer of help with other terms (MK-13.2)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-13.2", "MK-13.5")


@named("mk.let_pass")
@dataclass(frozen=True)
class LetPass(Move):
    """Let a monster pass whose card allows it, before any other play (MK-11.3)."""

    monster: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-11.3",)


@named("mk.claim")
@dataclass(frozen=True)
class ClaimKill(Move):
    """Claim the kill, which opens a short window for the other players.

    MK-15.1: When the fighters are stronger, the main player may claim the kill.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MK-15.1",)


@named("mk.pass")
@dataclass(frozen=True)
class Pass(Move):
    """Pass in this window, or let this curse strike.

    MK-15.3: If all others have passed and the fighters are still stronger, the monsters are killed.
    MK-20.5: Before a curse takes effect, its victim may play a card that cancels it, or pass.
    """


@named("mk.take_back_pass")
@dataclass(frozen=True)
class TakeBackPass(Move):
    """Take back your pass while the window is open (MK-15.5)."""

    playable_at_random: ClassVar[bool] = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-15.5",)


@named("mk.run")
@dataclass(frozen=True)
class RunAway(Move):
    """Turn to run away with all fighters.

    MK-17.1: If the main player cannot win and gets no help, or says so, all fighters must run away.
    MK-17.2: It is the main player who turns to run, and only while the fighters are not the stronger side.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MK-17.1", "MK-17.2")


@named("mk.helper_first")
@dataclass(frozen=True)
class HelperFirst(Move):
    """Ask that the helper runs first, which happens if both fighters ask for it.

    MK-17.5: The main player goes first, unless both ask for the other order.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MK-17.5",)


@named("mk.flee")
@dataclass(frozen=True)
class FleeFrom(Move):
    """Roll to escape this monster.

    MK-17.3: Each fighter rolls once per monster, in the order that fighter chooses.
    """

    monster: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-17.3",)


@named("mk.give_up_ride")
@dataclass(frozen=True)
class GiveUpRide(Move):
    """Give up your ride and escape every monster, if the match allows it.

    MK-8.7: If `ride_sacrifice` is set, discarding the ride takes the place of the roll and escapes every monster.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MK-8.7",)


@named("mk.keep_roll")
@dataclass(frozen=True)
class KeepRoll(Move):
    """Leave the die as it fell (MK-17.7)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-17.7",)


@named("mk.pick")
@dataclass(frozen=True)
class PickTreasure(Move):
    """Pick one of the treasures won with a helper (MK-16.4)."""

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-13.7", "MK-16.4")


@named("mk.take")
@dataclass(frozen=True)
class TakeCard(Move):
    """Take a card from a dead player's belongings.

    MK-19.4: Each other living player takes one of the cards, those of higher level first.
    """

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-19.4",)
