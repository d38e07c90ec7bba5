"""What befalls hands: discarding, giving, swapping, putting cards back on the deck, and what only a holder can tell.

Clauses: HTS-VERB-2, HTS-DO-4, HTS-DO-5, HTS-DO-8 to HTS-DO-10, HTS-DO-14, HTS-DO-40, HTS-EACH-2, HTS-TGT-6,
HTS-EDGE-2, HTS-AMB-54, HTS-AMB-57.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, permutations
from typing import Any, ClassVar

from referee.cardscript.hidden_cards import check_from_hand, coming_to, gone_from, namable
from referee.cardscript.language.interpreter import Bound
from referee.cardscript.moves import Accept, ChooseCards, Decline
from referee.cardscript.questions import Asking, Together, combined, wrong_number
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Opened, Step
from referee.engine.zones import Cards, Forgotten, backs, is_back
from referee.games.here_to_slay.components import BOOK, DISCARD, HANDS, is_kind
from referee.games.here_to_slay.events.cards import CardDiscarded, CardGiven, NamedTwice, TopArranged
from referee.games.here_to_slay.rules.drawing import read_to_us
from referee.games.here_to_slay.state import Table

FEW = 20  # ways to choose among the named cards of a hand that is not seen whole; the rest `patterns` describe


def choices_from_hand(table: Table, seat: int, most: int, least: int) -> Iterator[Cards]:
    """What a hand can give: every combination; of unseen hands only as many as a list can hold."""
    hand = table.hand(seat)
    if not any(map(is_back, hand)):
        yield from combined(hand, most, least)
        return
    known, hidden = sorted(card for card in hand if not is_back(card)), sum(map(is_back, hand))
    pool = [name for name, left in sorted((+table.free(HANDS[seat])).items()) for _ in range(min(left, most))]
    for size in range(least, most + 1):
        for own in range(max(0, size - hidden), min(size, len(known)) + 1):
            need = size - own
            for base in islice(combined(known, own, own), FEW):
                if need:
                    yield from dict.fromkeys((*base, *pool[at : at + need]) for at in range(len(pool) - need + 1))
                else:
                    yield base


@named("hts.GiveUp")
@dataclass(frozen=True)
class GiveUp(Together):
    """These players discard `least` to `most` cards each, of their own choice and unseen until all have (HTS-DO-5).

    Whoever holds fewer discards all (HTS-AMB-57). The text beneath goes on with all of them under the name `called`.
    """

    least: int = 1
    most: int = 1
    called: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-2", "HTS-DO-5", "HTS-EACH-2", "HTS-TGT-6", "HTS-AMB-54")

    def bounds(self, table: Table, seat: int) -> tuple[int, int]:
        """The least and the most that a player discards here."""
        held = table.size(HANDS[seat])
        return min(self.least, held), min(self.most, held)

    def choices(self, state: Table, seat: int) -> Iterable[Cards]:
        least, most = self.bounds(state, seat)
        return choices_from_hand(state, seat, most, least)

    def fits(self, state: Table, seat: int, cards: Cards) -> None:
        least, most = self.bounds(state, seat)
        if not least <= len(cards) <= most:
            raise wrong_number(least, most, "HTS-DO-4", "HTS-AMB-57")
        check_from_hand(state, seat, cards, "HTS-VERB-2")

    def resolve(self, state: Table) -> Iterator[Event]:
        clash = self._clash(state)
        if clash is None:
            yield from super().resolve(state)
            return
        seat, card = clash
        yield Became(changed(self, given={who: cards for who, cards in self.given.items() if who != str(seat)}))
        yield NamedTwice(seat, card)

    def _clash(self, table: Table) -> tuple[int, str] | None:
        """Who, in turn, has named out of an unseen hand a card of which the others before have named the last copy."""
        if not table.rules.cards_at_table:
            return None
        left = table.free("")
        given = [(seat, card) for seat in self.waiting for card in self.given.get(str(seat), ())]
        for _, card in (each for each in given if each[1] in table.hand(each[0])):
            left[card] -= 1  # what is known to be held is surely there
        for seat, card in (each for each in given if each[1] not in table.hand(each[0])):
            left[card] -= 1
            if left[card] < 0:
                return seat, card
        return None

    def carried_out(self, state: Table) -> Iterator[Event]:
        thrown: Cards = ()
        for seat in self.waiting:
            cards = self.given.get(str(seat), ())
            thrown += cards
            for card, took in zip(cards, gone_from(state, HANDS[seat], cards), strict=True):
                yield CardDiscarded(HANDS[seat], DISCARD, (took,), (card,), seat)
        if self.called:
            yield Bound(self.called, thrown)
            yield Bound(f"{self.called}/at", (DISCARD,))

    def nameless(self, state: Table) -> bool:
        return state.rules.cards_at_table and any(seat not in state.rules.named for seat in self.waiting)

    def patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        least, most = self.bounds(state, seat)
        names = sorted(namable(state, HANDS[seat]))
        listed = {"type": "array", "items": {"enum": names}, "minItems": least, "maxItems": most}
        return ({"type": ChooseCards.TAG, "fields": {"cards": listed}, "says": BOOK.texts("pattern.cards", most=most)},)


def discards(table: Table, card: str, seats: Iterable[int], least: int, most: int, called: str = "") -> Iterator[Event]:
    """The facts with which these players discard; who holds nothing is skipped (HTS-EACH-3).

    A hand that has to go whole needs no answer, where its cards are known.
    """
    asked = tuple(seat for seat in seats if table.holds_cards(seat))
    given = {
        str(seat): table.hand(seat)
        for seat in asked
        if table.size(HANDS[seat]) <= least and not any(map(is_back, table.hand(seat)))
    }
    if asked:
        yield Opened(GiveUp(asked, card, given, least, most, called))


@named("hts.HandOver")
@dataclass(frozen=True)
class HandOver(Together):
    """These players give `to` a hand card each, of their own choice and unseen by the rest (HTS-DO-9)."""

    to: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-9", "HTS-EACH-2", "HTS-TGT-6", "HTS-AMB-54")

    def choices(self, state: Table, seat: int) -> Iterable[Cards]:
        return combined(state.hand(seat), 1, 1)

    def fits(self, state: Table, seat: int, cards: Cards) -> None:
        if len(cards) != 1:
            raise wrong_number(1, 1, "HTS-DO-9")
        if cards[0] not in state.hand(seat):
            raise Refused("not_in_the_hand", "HTS-DO-9", card=cards[0])

    def carried_out(self, state: Table) -> Iterator[Event]:
        for seat in self.waiting:
            if cards := self.given.get(str(seat)):
                yield from given_to(state, seat, self.to, cards[0])
        yield from read_to_us(state, *self.waiting, self.to)


def given_to(table: Table, seat: int, to: int, card: str) -> Iterator[Event]:
    """The facts of a card that goes from one hand to another; unnamed, it makes the hand it leaves forget."""
    if is_back(card) and any(not is_back(other) for other in table.hand(seat)):
        yield Forgotten(HANDS[seat])
    took = gone_from(table, HANDS[seat], (card,))
    yield CardGiven(HANDS[seat], HANDS[to], took, coming_to(table, to, (card,)), seat, to)


def hand_over(table: Table, card: str, seats: Iterable[int], to: int) -> Iterator[Event]:
    """The facts with which these players give a card each. At a real table nobody names what only two may see."""
    asked = tuple(seat for seat in seats if table.holds_cards(seat))
    given: dict[str, Cards] = {}
    for seat in asked:
        hand = table.hand(seat)
        if any(map(is_back, hand)):
            given[str(seat)] = ("?",)
        elif len(hand) == 1:
            given[str(seat)] = hand
    if asked:
        yield Opened(HandOver(asked, card, given, to))


@named("hts.PutBack")
@dataclass(frozen=True)
class PutBack(Asking):
    """A player puts cards back on top of the main deck in an order of choice, unseen by others (HTS-DO-14)."""

    seat: int
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-14",)

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseCards, dict.fromkeys(permutations(self.cards)))

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCards) or sorted(move.cards) != sorted(self.cards):
            raise Refused("all_of_these_in_order", "HTS-DO-14", cards=self.cards)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCards)
        yield Closed()
        yield TopArranged(self.seat, move.cards)

    def seen_by(self, seat: int) -> Step:
        return self if seat == self.seat else changed(self, cards=backs(self.cards))


@named("hts.Telling")
@dataclass(frozen=True)
class Telling(Asking):
    """At a real table only the holder knows whether a card is of a kind; accepting says that it is (HTS-DO-40)."""

    seat: int
    card: str
    kind: str
    called: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-40", "HTS-STATE-2")
    tells: ClassVar[bool] = True

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Decline()
        yield Accept()

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Accept | Decline):
            raise Refused("is_it_or_not", "HTS-DO-40", kind=self.kind)
        if isinstance(move, Accept) and not self._could_be(state):
            raise Refused("no_such_kind_left", "HTS-DO-40", "KERNEL-CENSUS-1", kind=self.kind)

    def _could_be(self, table: Table) -> bool:
        return any(is_kind(name, self.kind) for name in namable(table, HANDS[self.seat]))

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield Closed()
        if isinstance(move, Accept):
            yield Bound(self.called, (self.kind,))

    def nameless(self, state: Table) -> bool:
        return True
