"""Effects on hands: discarding, giving, swapping, putting cards back on the deck.

Clauses: HTS-VERB-2, HTS-DO-4, HTS-DO-5, HTS-DO-8 to HTS-DO-10, HTS-DO-14, HTS-DO-40, HTS-EACH-2, HTS-TGT-6,
HTS-EDGE-2, HTS-AMB-54, HTS-AMB-57.
HTS-EDGE-2: From an empty hand nothing is pulled, looked at or discarded. Its player is not chosen for that and not
    asked.
HTS-DO-8: From the hand just seen one card must be taken. Nobody but the two players learns which.
HTS-DO-10: Two hands are swapped whole and at the same time. At least one of them must hold a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, permutations
from typing import Any, ClassVar

from referee.cardscript.hidden_cards import cards_arriving, check_cards_from_hand, find_nameable_cards
from referee.cardscript.language.interpreter import Execution, NameBound
from referee.cardscript.moves import Accept, ChooseCards, Decline, describe_card_lists
from referee.cardscript.questions import (
    AcceptPrompt,
    PlayerPrompt,
    SimultaneousChoice,
    list_combinations,
    refuse_wrong_number,
)
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove, NotAsked
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced
from referee.engine.zones import Cards, CardsForgotten, backs_of, find_cards_leaving, is_back
from referee.games.here_to_slay.components import BOOK, DISCARD, HANDS, is_kind
from referee.games.here_to_slay.events.cards import CardDiscarded, CardGiven, CardNamedTwice, DeckTopArranged
from referee.games.here_to_slay.rules.drawing import disclose_hands
from referee.games.here_to_slay.state import Table

# How many choices among the named cards of a partly hidden hand are listed. `move_patterns` describes the rest.
MAX_LISTED_CHOICES = 20


def cite_common_choice(waiting: tuple[int, ...]) -> tuple[str, ...]:
    """Return the clauses by which several players choose at the same time.

    HTS-EACH-2: They do so in secret. Once all have answered, it is carried out clockwise.
    """
    return ("HTS-EACH-2", "HTS-AMB-54") if len(waiting) > 1 else ()


def list_hand_choices(table: Table, seat: int, most: int, least: int) -> Iterator[Cards]:
    """Yield what a hand can give.

    These are all combinations of a known hand, and examples for a hand with backs.
    """
    hand = table.cards_in_hand(seat)
    if not any(map(is_back, hand)):
        yield from list_combinations(hand, most, least)
        return
    known, hidden = sorted(card for card in hand if not is_back(card)), sum(map(is_back, hand))
    pool = [name for name, left in sorted((+table.free_copies(HANDS[seat])).items()) for _ in range(min(left, most))]
    for size in range(least, most + 1):
        for own in range(max(0, size - hidden), min(size, len(known)) + 1):
            need = size - own
            for base in islice(list_combinations(known, own, own), MAX_LISTED_CHOICES):
                if need:
                    yield from dict.fromkeys((*base, *pool[at : at + need]) for at in range(len(pool) - need + 1))
                else:
                    yield base


@named("hts.GiveUp")
@dataclass(frozen=True)
class SimultaneousDiscard(SimultaneousChoice):
    """These players choose `least` to `most` cards each to discard, in secret.

    The text beneath binds all of them to the name `called`.
    HTS-DO-5: Players who have to discard choose from their own hand. If it holds too few cards, all of them go.
    HTS-AMB-57: What is there is discarded, even if it is less than asked for.
    """

    least: int = 1
    most: int = 1
    called: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-2", "HTS-TGT-6")

    def find_grounds(self, state: Table, move: Move) -> tuple[str, ...]:
        """Return the clauses of this discard.

        HTS-AMB-57: What is there is discarded, even if it is less than asked for.
        """
        found = (*find_discard_clauses(state, self.waiting[0]), *cite_common_choice(self.waiting))
        enough = all(state.count_cards_at(HANDS[seat]) >= self.least for seat in self.waiting)
        return tuple(name for name in found if name != "HTS-AMB-57" or not enough)

    def discard_bounds(self, table: Table, seat: int) -> tuple[int, int]:
        """Return the least and the greatest number of cards that a player discards here."""
        held = table.count_cards_at(HANDS[seat])
        return min(self.least, held), min(self.most, held)

    def possible_choices(self, state: Table, seat: int) -> Iterable[Cards]:
        least, most = self.discard_bounds(state, seat)
        return list_hand_choices(state, seat, most, least)

    def check_choice(self, state: Table, seat: int, cards: Cards) -> None:
        least, most = self.discard_bounds(state, seat)
        if not least <= len(cards) <= most:
            raise refuse_wrong_number(least, most, *find_discard_clauses(state, seat))
        check_cards_from_hand(state, seat, cards, "HTS-VERB-2")

    def resolve(self, state: Table) -> Iterator[Event]:
        clash = self._find_clash(state)
        if clash is None:
            yield from super().resolve(state)
            return
        seat, card = clash
        yield StepReplaced(
            replace_fields(self, given={who: cards for who, cards in self.given.items() if who != str(seat)})
        )
        yield CardNamedTwice(seat, card)

    def _find_clash(self, table: Table) -> tuple[int, str] | None:
        """Return the first player who named a card of which no copy is left, and the card.

        Only cards named out of unseen hands can clash. The players are checked in turn.
        """
        if not table.rules.cards_at_table:
            return None
        left = table.free_copies("").copy()
        given = [(seat, card) for seat in self.waiting for card in self.given.get(str(seat), ())]
        for _, card in (each for each in given if each[1] in table.cards_in_hand(each[0])):
            left[card] -= 1  # cards that are known to be held are certain
        for seat, card in (each for each in given if each[1] not in table.cards_in_hand(each[0])):
            left[card] -= 1
            if left[card] < 0:
                return seat, card
        return None

    def carry_out_choices(self, state: Table) -> Iterator[Event]:
        thrown: Cards = ()
        for seat in self.waiting:
            cards = self.given.get(str(seat), ())
            thrown += cards
            for card, took in zip(cards, find_cards_leaving(state, HANDS[seat], cards), strict=True):
                yield CardDiscarded(HANDS[seat], DISCARD, (took,), (card,), seat)
        if self.called:
            yield NameBound(self.called, thrown)
            yield NameBound(f"{self.called}/at", (DISCARD,))

    def is_not_nameable(self, state: Table) -> bool:
        return not all(map(state.rules.knows_hand_of, self.waiting))

    def move_patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        least, most = self.discard_bounds(state, seat)
        names, says = find_nameable_cards(state, HANDS[seat]), BOOK.render_texts("pattern.cards", most=most)
        return describe_card_lists(ChooseCards, names, least, most, says)


def find_discard_clauses(table: Table, seat: int) -> tuple[str, ...]:
    """Return the clauses by which a player discards here.

    It is for a new hand, as a penalty, or by the player's own text or that of another.
    """
    text = next((step for step in reversed(table.agenda) if isinstance(step, Execution)), None)
    if text is None:
        return ("HTS-ACT-5",)
    if text.text == "penalty":
        return ("HTS-MON-9", "HTS-AMB-70")
    return ("HTS-DO-4",) if text.by == seat else ("HTS-DO-5", "HTS-AMB-57")


def start_discard(
    table: Table, card: str, seats: Iterable[int], least: int, most: int, called: str = ""
) -> Iterator[Event]:
    """Yield the events that make these players discard.

    A hand that must go whole needs no answer if its cards are known.
    HTS-EACH-3: A player who has nothing to choose is skipped.
    """
    prompted = tuple(seat for seat in seats if table.holds_cards(seat))
    given = {
        str(seat): table.cards_in_hand(seat)
        for seat in prompted
        if table.count_cards_at(HANDS[seat]) <= least and not any(map(is_back, table.cards_in_hand(seat)))
    }
    if prompted:
        yield StepPushed(SimultaneousDiscard(prompted, card, given, least, most, called))


LEFT = -1  # in place of a receiver: each to the next player


@named("hts.HandOver")
@dataclass(frozen=True)
class SimultaneousGift(SimultaneousChoice):
    """These players choose a hand card each to give to `to`, hidden from the others.

    HTS-DO-9: Players who have to give pick a card from their own hand. Only giver and receiver see it.
    """

    to: int = 0  # `LEFT`: each to the next player
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-9", "HTS-TGT-6")

    def find_receiver(self, table: Table, seat: int) -> int:
        """Return who gets the card of a player.

        HTS-PASS-1: A text may have all players pass a hand card to the left.
        """
        return table.other_seats(seat)[0] if self.to == LEFT else self.to

    def find_grounds(self, state: Table, move: Move) -> tuple[str, ...]:
        return cite_common_choice(self.waiting)

    def possible_choices(self, state: Table, seat: int) -> Iterable[Cards]:
        return list_combinations((card for card in state.cards_in_hand(seat) if card != UNCOUNTED_CARDS), 1, 1)

    def check_choice(self, state: Table, seat: int, cards: Cards) -> None:
        if len(cards) != 1:
            raise refuse_wrong_number(1, 1, "HTS-DO-9")
        if cards[0] == UNCOUNTED_CARDS:
            raise IllegalMove("no_such_card", "HTS-DO-9", card=cards[0])
        if cards[0] not in state.cards_in_hand(seat):
            state.open_cards_at(HANDS[seat])  # raises Undetermined if the position leaves cards out
            raise IllegalMove("not_in_the_hand", "HTS-DO-9", seat=seat, card=cards[0])

    def carry_out_choices(self, state: Table) -> Iterator[Event]:
        for seat in self.waiting:
            if cards := self.given.get(str(seat)):
                yield from give_card(state, seat, self.find_receiver(state, seat), cards[0])
        receivers = (self.find_receiver(state, seat) for seat in self.waiting)
        yield from disclose_hands(state, *dict.fromkeys((*self.waiting, *receivers)))


def give_card(table: Table, seat: int, to: int, card: str) -> Iterator[Event]:
    """Yield the events of a card that goes from one hand to another.

    If the card is unnamed, it is no longer known which cards the giver holds.
    """
    if is_back(card) and any(not is_back(other) for other in table.cards_in_hand(seat)):
        yield CardsForgotten(HANDS[seat])
    took = find_cards_leaving(table, HANDS[seat], (card,))
    yield CardGiven(HANDS[seat], HANDS[to], took, cards_arriving(table, to, (card,)), seat, to)


def start_gifts(table: Table, card: str, seats: Iterable[int], to: int) -> Iterator[Event]:
    """Yield the events that make these players give a card each.

    At a real table the cards stay unnamed, because only giver and receiver may see them.
    """
    prompted = tuple(seat for seat in seats if table.holds_cards(seat))
    given: dict[str, Cards] = {}
    for seat in prompted:
        hand = table.cards_in_hand(seat)
        if any(map(is_back, hand)):
            given[str(seat)] = ("?",)
        elif len(hand) == 1:
            given[str(seat)] = hand
    if prompted:
        yield StepPushed(SimultaneousGift(prompted, card, given, to))


@named("hts.PutBack")
@dataclass(frozen=True)
class DeckTopOrdering(PlayerPrompt):
    """A player puts cards back on top of the main deck in an order of their choice.

    HTS-DO-14: What is not kept returns to the top of the deck in an order of the player's choice, hidden from the
        others.
    """

    seat: int
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-14",)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseCards, dict.fromkeys(permutations(self.cards)))

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCards) or sorted(move.cards) != sorted(self.cards):
            raise IllegalMove("all_of_these_in_order", "HTS-DO-14", cards=self.cards)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCards)
        yield StepPopped()
        yield DeckTopArranged(self.seat, move.cards)

    def view_for(self, seat: int) -> Step:
        return self if seat == self.seat else replace_fields(self, cards=backs_of(self.cards))


@named("hts.Telling")
@dataclass(frozen=True)
class CardKindPrompt(AcceptPrompt):
    """The holder of a real card says whether it is of a kind.

    Accepting means that it is.
    HTS-DO-40: Some texts depend on the kind of a card just drawn or pulled. Cursed items are items there.
    """

    seat: int
    card: str
    kind: str
    called: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-40", "HTS-STATE-2")
    answers_tell_hidden_cards: ClassVar[bool] = True

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Accept | Decline):
            raise NotAsked("is_it_or_not", "HTS-DO-40", kind=self.kind)
        if isinstance(move, Accept) and not self._could_be_of_kind(state):
            raise IllegalMove("no_such_kind_left", "HTS-DO-40", "KERNEL-CENSUS-1", kind=self.kind)

    def _could_be_of_kind(self, table: Table) -> bool:
        return any(is_kind(name, self.kind) for name in find_nameable_cards(table, HANDS[self.seat]))

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield StepPopped()
        if isinstance(move, Accept):
            yield NameBound(self.called, (self.kind,))

    def is_not_nameable(self, state: Table) -> bool:
        return True
