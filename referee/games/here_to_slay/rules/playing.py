"""Playing a card: announcement, challenge, and the effect of a card that stands.

Clauses: HTS-PLAY-1 to HTS-PLAY-5, HTS-HERO-1 to HTS-HERO-4, HTS-ITEM-1 to HTS-ITEM-9, HTS-MAGIC-1, HTS-MAGIC-2,
HTS-CHAL-1 to HTS-CHAL-10, HTS-NOW-1 to HTS-NOW-3, HTS-VERB-7, HTS-NEST-1, HTS-NEST-2, HTS-NEST-3, HTS-NEST-4,
HTS-STATE-7, HTS-ASK-4, HTS-AMB-1 to HTS-AMB-11.
HTS-NEST-1: A play or roll within a text runs in full, with challenge, free roll, modifiers and triggers, before the
    text continues.
HTS-NEST-3: A hero played this way gets the free roll too, which may lead to further plays, to any depth.
HTS-STATE-7: There are just two windows, for challenges and for modifiers. Every other question goes to certain seats.
HTS-ASK-4: A move is judged by the state when it arrives: the first of two challenges counts, and a modifier after the
    window is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.hidden_cards import can_name_card
from referee.cardscript.language.interpreter import Execution, NameBound
from referee.cardscript.moves import Accept, ChooseCard, Decline
from referee.cardscript.questions import AcceptPrompt, CardPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove, NotAsked
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced, require_move
from referee.engine.zones import find_cards_leaving
from referee.games.here_to_slay.components import DISCARD, FACES, HANDS, PARTIES, PENDING, is_kind
from referee.games.here_to_slay.events.plays import (
    ChallengeDeclared,
    HeroEntered,
    ItemEquipped,
    MagicPlayed,
    PendingCardDiscarded,
    PlayAnnounced,
    PlayLost,
    PlayStood,
    RollSettled,
    UnsettledRolls,
    WindowPassed,
)
from referee.games.here_to_slay.moves import Challenge, Pass
from referee.games.here_to_slay.rules.announcing import check_item_host, find_item_hosts, is_challengeable
from referee.games.here_to_slay.rules.effect_frames import EffectFrame
from referee.games.here_to_slay.rules.rolling import (
    ModifierWindow,
    Throw,
    check_hero_roll,
    check_unbarred,
    end_effects_on_roll,
    roll_for_hero,
)
from referee.games.here_to_slay.state import Table, item_place_of
from referee.games.here_to_slay.triggers import build_text_execution
from referee.games.here_to_slay.values import DiceRoll


def announce_play(
    table: Table, seat: int, card: str, immediate: bool, called: str = "", paid: Event | None = None
) -> Iterator[Event]:
    """Yield the events that play a card.

    It becomes pending, its point is paid, and it may be challenged if that is allowed.
    HTS-PLAY-2: Playing goes like this: the card is announced and lies face up, its point is paid (unless it is played
        immediately), and the others may challenge. Then it is carried out, or discarded if it has lost.
    """
    took = find_cards_leaving(table, HANDS[seat], (card,))
    yield PlayAnnounced(HANDS[seat], PENDING, took, (card,), seat, immediate)
    if paid is not None:
        yield paid
    yield StepPushed(EffectFrame())
    if is_challengeable(table, seat, card, immediate):
        yield StepPushed(ChallengeWindow(seat, card, called))
    else:
        yield StepPushed(PlayResolution(seat, card, called))


@named("hts.ChallengeWindow")
@dataclass(frozen=True)
class ChallengeWindow(CardPrompt):
    """The others may challenge the card that `seat` plays. A pass is final.

    HTS-CHAL-3: Announcing a card opens a window: the others are asked all together to challenge or pass. A player who
        passes is out for this card. Play goes on when nobody is left to answer.
    HTS-CHAL-4: Every other player is asked, with or without a challenge card. Only a player without hand cards counts
        as having passed.
    """

    seat: int
    card: str
    called: str = ""
    passed: tuple[int, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("HTS-CHAL-1", "HTS-CHAL-3", "HTS-CHAL-4", "HTS-ASK-2", "HTS-AMB-2")
    window_kind: ClassVar[str] = "challenge"

    def passing_move(self, seat: Seat) -> Move:
        return Pass()  # HTS-AMB-76: when a clock runs out, the player passes

    def time_limit(self, state: Table) -> int | None:
        return state.rules.window_ms

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        others = state.other_seats(self.seat)
        return tuple(
            seat
            for seat in others
            if seat not in self.passed and state.holds_cards(seat) and state.find_bar(seat, "no_challenging") is None
        )

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Pass()
        yield Challenge()

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, Pass):
            return
        if not isinstance(move, Challenge):
            raise NotAsked("challenge_or_pass", "HTS-ASK-1", card=self.card)
        check_challenge_card(state, int(seat))

    def find_grounds(self, state: Table, move: Move) -> tuple[str, ...]:
        """Return why a card that cost no point can be challenged, if it is one.

        HTS-AMB-4: What is played immediately can be challenged.
        """
        immediate = any(isinstance(step, Execution) for step in state.agenda)
        return ("HTS-AMB-4", "HTS-NOW-3") if immediate and isinstance(move, Challenge) else ()

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        """Yield the events of a challenge, or of a pass.

        HTS-CHAL-7: The challenge's card leaves the hand, the challenged player's Bloodwing acts, each side rolls two
        dice, modifiers are played on both rolls, then the settled totals are compared. (The last step pushed is the
        first to run.)
        """
        if isinstance(move, Challenge):
            took = find_cards_leaving(state, HANDS[seat], ("challenge",))
            challenger, challenged = (
                DiceRoll("challenger", int(seat), self.card),
                DiceRoll("challenged", self.seat, self.card),
            )
            yield StepReplaced(RollOff((challenger, challenged), self.seat, self.card, self.called))
            yield StepPushed(ModifierWindow())
            yield StepPushed(Throw(2, 6, self.seat, "challenged", self.card))
            yield StepPushed(Throw(2, 6, int(seat), "challenger", self.card))
            yield StepPushed(EffectFrame())  # HTS-AMB-8: Bloodwing acts before the dice
            yield ChallengeDeclared(HANDS[seat], PENDING, took, ("challenge",), int(seat), self.seat)
        else:
            yield StepReplaced(replace_fields(self, passed=(*self.passed, int(seat))))
            yield WindowPassed(int(seat))

    def apply_timeout(self, state: Table) -> Iterator[Event]:
        yield StepReplaced(replace_fields(self, passed=(*self.passed, *self.prompted_seats(state))))

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepReplaced(PlayResolution(self.seat, self.card, self.called))


def check_challenge_card(table: Table, seat: int) -> None:
    """Raise IllegalMove unless this hand can give a challenge card.

    HTS-CHAL-1: Another player may use a challenge card against a card that is being played.
    """
    check_unbarred(table, seat, "no_challenging")
    if not can_name_card(table, HANDS[seat], "challenge"):
        raise IllegalMove("no_challenge_held", "HTS-CHAL-1")


@named("hts.RollOff")
@dataclass(frozen=True)
class RollOff(UnsettledRolls):
    """Challenger and challenged player have rolled, and their totals are compared.

    HTS-CHAL-7: After modifiers, the settled totals are compared.
    HTS-CHAL-8: The challenger prevails with an equal or higher total: the played card is discarded straight away, and
        its point is gone.
    HTS-CHAL-9: If the challenged player has the higher total, the card stands and takes effect.
    HTS-CHAL-10: Successful or not, the challenge card is discarded after the comparison. A card it has stopped is laid
        on top of it.
    """

    seat: int
    card: str
    called: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-CHAL-7", "HTS-CHAL-8", "HTS-CHAL-9", "HTS-CHAL-10", "HTS-AMB-3")

    @staticmethod
    def is_lost(against: int, total: int) -> bool:
        """Return whether the challenger prevails with the total `against`."""
        return against >= total

    def resolve(self, state: Table) -> Iterator[Event]:
        challenger, challenged = self.casts
        against, total = state.compute_roll_total(challenger), state.compute_roll_total(challenged)
        yield RollSettled(challenger.seat, "challenger", self.card, against, "compared")
        yield RollSettled(challenged.seat, "challenged", self.card, total, "compared")
        for cast in self.casts:
            yield from end_effects_on_roll(state, cast.seat)
        yield PendingCardDiscarded(PENDING, DISCARD, ("challenge",), ("challenge",))
        if self.is_lost(against, total):
            yield PlayLost(PENDING, DISCARD, (self.card,), (self.card,), self.seat)
            yield StepPopped()
        else:
            yield StepReplaced(PlayResolution(self.seat, self.card, self.called))


@named("hts.Playing")
@dataclass(frozen=True)
class PlayResolution(Step):
    """A card that stands is carried out.

    `called` is the name that tells the text beneath that the card was played.
    HTS-PLAY-2: Playing goes like this: the card is announced and lies face up, its point is paid (unless it is played
        immediately), and the others may challenge. Then it is carried out, or discarded if it has lost.
    HTS-NEST-4: If such a play is lost to a challenge, the text continues as though nothing had been played.
    """

    seat: int
    card: str
    called: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("HTS-PLAY-2", "HTS-CHAL-9")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield PlayStood(self.seat, self.card)
        if self.called:
            yield NameBound(self.called, (self.card,))
        if FACES[self.card].kind == "hero":
            yield HeroEntered(PENDING, PARTIES[self.seat], (self.card,), (self.card,), self.seat)
            yield StepReplaced(FreeRoll(self.seat, self.card))
        elif is_kind(self.card, "item"):
            yield StepReplaced(EquipChoice(self.seat, self.card))
        else:
            yield StepReplaced(MagicDisposal(self.seat, self.card))
            yield StepPushed(build_text_execution(self.card, "does", self.seat))


@named("hts.FreeRoll")
@dataclass(frozen=True)
class FreeRoll(AcceptPrompt):
    """A player who has just played a hero may roll for it at once, without a point.

    HTS-HERO-2: When a played hero stands, its player is offered one free roll for its effect at once.
    """

    seat: int
    hero: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-HERO-2", "HTS-NOW-3", "HTS-MAY-1")

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if state.controller_of(self.hero) == self.seat else ()

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Accept | Decline):
            raise NotAsked("roll_or_not", "HTS-HERO-2", card=self.hero)
        if isinstance(move, Accept):
            check_hero_roll(state, self.seat, self.hero)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield StepPopped()
        if isinstance(move, Accept):
            yield from roll_for_hero(state, self.seat, self.hero, mark=state.rules.free_roll_counts)


@named("hts.Equip")
@dataclass(frozen=True)
class EquipChoice(CardPrompt):
    """An item that stands is put under any hero that carries none.

    HTS-ITEM-1: Once an item stands, a hero gets it without delay: it lies underneath, and its text stays readable.
    HTS-ITEM-4: Good or cursed, an item may go to any hero that carries none, whichever party that hero is in.
    """

    seat: int
    item: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ITEM-1", "HTS-ITEM-3", "HTS-ITEM-4", "HTS-AMB-6")

    def find_hosts(self, table: Table) -> tuple[str, ...]:
        """Return every hero that this item may be put under."""
        return find_item_hosts(table, self.seat, self.item)

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if len(self.find_hosts(state)) > 1 else ()

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (ChooseCard(hero) for _, hero in state.iterate_heroes())

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, ChooseCard)
        check_item_host(state, self.seat, self.item, move.card)

    def find_grounds(self, state: Table, move: Move) -> tuple[str, ...]:
        """Return why this hero may carry the item.

        HTS-ITEM-8: Cursed items are items, meant for the heroes of other players.
        HTS-AMB-32: Good items may go to the heroes of others, cursed ones to those of one's own.
        HTS-AMB-42: A mask may go to a hero that has its class already.
        """
        if not isinstance(move, ChooseCard):
            return ()
        found = ["HTS-ITEM-2", "HTS-AMB-33", "HTS-ITEM-8"] if FACES[self.item].kind == "cursed_item" else ["HTS-ITEM-2"]
        at_home = state.controller_of(move.card) == self.seat
        if at_home == (FACES[self.item].kind == "cursed_item"):
            found.append("HTS-AMB-32")
        masks = FACES[self.item].find_abilities("class")
        if masks and masks[0].values[0] == FACES[move.card].class_:
            found.append("HTS-AMB-42")
        return tuple(found)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCard)
        yield StepPopped()
        yield self._build_equipping(move.card)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        if hosts := self.find_hosts(state):
            yield self._build_equipping(hosts[0])
        else:
            # HTS-ITEM-7: the item found no free hero.
            yield PendingCardDiscarded(PENDING, DISCARD, (self.item,), (self.item,))

    def _build_equipping(self, hero: str) -> Event:
        return ItemEquipped(PENDING, item_place_of(hero), (self.item,), (self.item,), self.seat, hero)


@named("hts.MagicEnds")
@dataclass(frozen=True)
class MagicDisposal(Step):
    """The text of magic has been carried out, so the card goes to the discard pile.

    HTS-MAGIC-1: A magic card works once. After the last part of its text it goes straight to the discard pile, before
        any trigger.
    """

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-MAGIC-1", "HTS-MAGIC-2", "HTS-TRIG-2")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        yield MagicPlayed(PENDING, DISCARD, (self.card,), (self.card,), self.seat)
