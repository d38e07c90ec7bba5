"""Playing a card: the announcement, the challenge, and what a card does that stands.

Clauses: HTS-PLAY-1 to HTS-PLAY-5, HTS-HERO-1 to HTS-HERO-4, HTS-ITEM-1 to HTS-ITEM-9, HTS-MAGIC-1, HTS-MAGIC-2,
HTS-CHAL-1 to HTS-CHAL-10, HTS-NOW-1 to HTS-NOW-3, HTS-VERB-7, HTS-NEST-1, HTS-NEST-2, HTS-NEST-3, HTS-NEST-4,
HTS-STATE-7, HTS-ASK-4, HTS-AMB-1 to HTS-AMB-11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.hidden_cards import can_name, gone_from
from referee.cardscript.language.interpreter import Bound
from referee.cardscript.moves import Accept, ChooseCard, Decline
from referee.cardscript.questions import Asking
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Opened, Step
from referee.games.here_to_slay.components import DISCARD, FACES, HANDS, PARTIES, PENDING, is_kind
from referee.games.here_to_slay.events.plays import (
    ChallengeDeclared,
    HeroEntered,
    ItemEquipped,
    MagicPlayed,
    Passed,
    PlayAnnounced,
    PlayLost,
    PlayStood,
    Rolling,
    RollSettled,
    ToDiscard,
)
from referee.games.here_to_slay.moves import Challenge, Pass
from referee.games.here_to_slay.rules.announcing import challengeable
from referee.games.here_to_slay.rules.effect_frames import Carried
from referee.games.here_to_slay.rules.rolling import ModifierWindow, Throw, check_hero_roll, roll_for_hero
from referee.games.here_to_slay.state import Table, under
from referee.games.here_to_slay.triggers import text_of
from referee.games.here_to_slay.values import Cast


def announced(
    table: Table, seat: int, card: str, immediate: bool, called: str = "", paid: Event | None = None
) -> Iterator[Event]:
    """The facts with which a card is played: it is pending, is paid for, and may be challenged or not (HTS-PLAY-2)."""
    took = gone_from(table, HANDS[seat], (card,))
    yield PlayAnnounced(HANDS[seat], PENDING, took, (card,), seat, immediate)
    if paid is not None:
        yield paid
    yield Opened(Carried())
    if challengeable(table, seat, card, immediate):
        yield Opened(ChallengeWindow(seat, card, called))
    else:
        yield Opened(Playing(seat, card, called))


@named("hts.ChallengeWindow")
@dataclass(frozen=True)
class ChallengeWindow(Asking):
    """The others may challenge the card that `seat` plays; a pass is final (HTS-CHAL-3, HTS-CHAL-4)."""

    seat: int
    card: str
    called: str = ""
    passed: tuple[int, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("HTS-CHAL-1", "HTS-CHAL-3", "HTS-CHAL-4", "HTS-ASK-2", "HTS-AMB-2")
    window: ClassVar[str] = "challenge"

    def passing(self, seat: Seat) -> Move:
        return Pass()

    def by_default(self, state: Table, seat: Seat) -> Move:
        return Pass()  # HTS-AMB-76

    def thinking(self, state: Table) -> int | None:
        return state.rules.window_ms

    def asked(self, state: Table) -> tuple[int, ...]:
        others = state.others(self.seat)
        return tuple(seat for seat in others if seat not in self.passed and state.holds_cards(seat))

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Pass()
        yield Challenge()

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, Pass):
            return
        if not isinstance(move, Challenge):
            raise Refused("challenge_or_pass", "HTS-CHAL-1", "HTS-ASK-1", move=move.TAG)
        if not can_name(state, HANDS[seat], "challenge"):
            raise Refused("no_challenge_held", "HTS-CHAL-1", card="challenge")

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Challenge):
            took = gone_from(state, HANDS[seat], ("challenge",))
            challenger, challenged = Cast("challenger", int(seat), self.card), Cast("challenged", self.seat, self.card)
            yield Became(RollOff((challenger, challenged), self.seat, self.card, self.called))
            yield Opened(ModifierWindow())
            yield Opened(Throw(2, 6, self.seat, "challenged", self.card))
            yield Opened(Throw(2, 6, int(seat), "challenger", self.card))
            yield Opened(Carried())  # what punishes the challenging comes before the dice (HTS-AMB-8)
            yield ChallengeDeclared(HANDS[seat], PENDING, took, ("challenge",), int(seat), self.seat)
        else:
            yield Became(changed(self, passed=(*self.passed, int(seat))))
            yield Passed(int(seat))

    def too_late(self, state: Table) -> Iterator[Event]:
        yield Became(changed(self, passed=(*self.passed, *self.asked(state))))

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Became(Playing(self.seat, self.card, self.called))


@named("hts.RollOff")
@dataclass(frozen=True)
class RollOff(Rolling):
    """Challenger and challenged have rolled; the higher total has it, a tie the challenger (HTS-CHAL-7 to -10)."""

    seat: int
    card: str
    called: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-CHAL-7", "HTS-CHAL-8", "HTS-CHAL-9", "HTS-CHAL-10", "HTS-AMB-3")

    def resolve(self, state: Table) -> Iterator[Event]:
        challenger, challenged = self.casts
        against, total = state.total(challenger), state.total(challenged)
        yield RollSettled(challenger.seat, "challenger", self.card, against, "compared")
        yield RollSettled(challenged.seat, "challenged", self.card, total, "compared")
        yield ToDiscard(PENDING, DISCARD, ("challenge",), ("challenge",))
        if against >= total:
            yield PlayLost(PENDING, DISCARD, (self.card,), (self.card,), self.seat)
            yield Closed()
        else:
            yield Became(Playing(self.seat, self.card, self.called))


@named("hts.Playing")
@dataclass(frozen=True)
class Playing(Step):
    """A card that stands is carried out (HTS-PLAY-2); `called` tells the text beneath that it did (HTS-NEST-4)."""

    seat: int
    card: str
    called: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("HTS-PLAY-2", "HTS-CHAL-9")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield PlayStood(self.seat, self.card)
        if self.called:
            yield Bound(self.called, (self.card,))
        if FACES[self.card].kind == "hero":
            yield HeroEntered(PENDING, PARTIES[self.seat], (self.card,), (self.card,), self.seat)
            yield Became(FreeRoll(self.seat, self.card))
        elif is_kind(self.card, "item"):
            yield Became(Equip(self.seat, self.card))
        else:
            yield Became(MagicEnds(self.seat, self.card))
            yield Opened(text_of(self.card, "does", self.seat))


@named("hts.FreeRoll")
@dataclass(frozen=True)
class FreeRoll(Asking):
    """Whoever has just played a hero may roll for it at once, without a point (HTS-HERO-2)."""

    seat: int
    hero: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-HERO-2", "HTS-NOW-3", "HTS-MAY-1")

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if state.controller(self.hero) == self.seat else ()

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Decline()
        yield Accept()

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Accept | Decline):
            raise Refused("roll_or_not", "HTS-HERO-2", card=self.hero)
        if isinstance(move, Accept):
            check_hero_roll(state, self.seat, self.hero)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield Closed()
        if isinstance(move, Accept):
            yield from roll_for_hero(state, self.seat, self.hero, mark=state.rules.free_roll_counts)


@named("hts.Equip")
@dataclass(frozen=True)
class Equip(Asking):
    """An item that stands is put under any hero that carries none (HTS-ITEM-1, HTS-ITEM-4)."""

    seat: int
    item: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ITEM-1", "HTS-ITEM-3", "HTS-ITEM-4", "HTS-AMB-6", "HTS-AMB-32")

    def hosts(self, table: Table) -> tuple[str, ...]:
        """Every hero that carries no item."""
        return tuple(hero for _, hero in table.heroes() if table.item_of(hero) is None)

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if len(self.hosts(state)) > 1 else ()

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (ChooseCard(hero) for _, hero in state.heroes())

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCard):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if state.controller(move.card) is None:
            raise Refused("no_such_hero", "HTS-ITEM-2", card=move.card)
        if (item := state.item_of(move.card)) is not None:
            raise Refused("carries_an_item", "HTS-ITEM-3", card=move.card, item=item)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCard)
        yield Closed()
        yield self._put_under(move.card)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Closed()
        if hosts := self.hosts(state):
            yield self._put_under(hosts[0])
        else:
            yield ToDiscard(PENDING, DISCARD, (self.item,), (self.item,))  # HTS-ITEM-7

    def _put_under(self, hero: str) -> Event:
        return ItemEquipped(PENDING, under(hero), (self.item,), (self.item,), self.seat, hero)


@named("hts.MagicEnds")
@dataclass(frozen=True)
class MagicEnds(Step):
    """The text of magic has been carried out; the card goes to the discard pile, then its triggers (HTS-MAGIC-1)."""

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-MAGIC-1", "HTS-MAGIC-2", "HTS-TRIG-2")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Closed()
        yield MagicPlayed(PENDING, DISCARD, (self.card,), (self.card,), self.seat)
