"""Matches at a table of real cards: behind every back lies a card, and only what is true is named.

The random matches of `tests.games.matches` report whatever the rules let pass, also what no real card could have been.
Here the cards are kept beside the table, and a move that names a card which does not lie there is not made.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from referee.engine.chance import PickResult
from referee.engine.events import Event, Move
from referee.engine.game import Game, Setup
from referee.engine.referee import (
    draw_chance_move,
    find_legal_moves,
    judge_move,
    play_move,
    resolve_pending_steps,
    sample_legal_move,
    seats_that_must_act,
)
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CHANCE, Seat
from referee.engine.zones import back_of, is_back
from referee.games import load_games
from tests.games.matches import Turned

Truth = dict[str, list[str]]  # the real card names at each place
MOST_TRIED = 600


class RealCards:
    """The real cards of a table, kept beside what the table tells of them."""

    def __init__(self, game: Game, setup: Setup, dice: random.Random) -> None:
        self.game, self.dice = game, dice
        self.lie: Truth = {place: list(cards) for place, cards in game.initial_cards(setup).items()}
        self.names = frozenset(card for cards in self.lie.values() for card in cards)

    def hidden(self, place: str, told: tuple[str, ...]) -> list[str]:
        """The real cards of a place that the table does not name."""
        left = list(self.lie.get(place, ()))
        for card in told:
            if not is_back(card):
                left.remove(card)
        return left

    def after(self, state: Any, events: tuple[Event, ...]) -> tuple[Any, Truth] | None:
        """The table and the cards after these facts; None if a fact names a card that does not lie there."""
        lie = {place: list(cards) for place, cards in self.lie.items()}
        kept, self.lie = self.lie, lie
        try:
            for event in events:
                before = self.game.tracking.cards_by_zone(state)
                state = event.apply(state)
                if (places := self.game.tracking.exchanged_zones(event)) is not None:
                    one, other = places
                    self.lie[one], self.lie[other] = self.lie.get(other, []), self.lie.get(one, [])
                elif not self._moved(before, self.game.tracking.cards_by_zone(state)):
                    return None
                for place, shown in self.game.tracking.revealed_cards(event):
                    if Counter(card for card in shown if not is_back(card)) - Counter(lie.get(place, ())):
                        return None  # a card was shown that does not lie there
            return state, lie
        finally:
            self.lie = kept

    def _moved(self, before: Any, after: Any) -> bool:
        took: list[tuple[str, str]] = []
        put: list[tuple[str, str]] = []
        for place in dict.fromkeys((*before, *after)):
            here, there = before.get(place, ()), after.get(place, ())
            if here is there or here == there:
                continue
            was, now = Counter(here), Counter(there)
            took += [(place, card) for card in (was - now).elements()]
            put += [(place, card) for card in (now - was).elements()]
        if not took:
            return not put
        hands: list[str] = []
        wanted = Counter(card for _, card in put if not is_back(card))
        wanted.subtract(card for _, card in took if not is_back(card))
        decks = {f"#{int(place[5:].rstrip(':')) + 1}" for place, _ in put if place.startswith("deck/")}

        def of_their_own(card: str) -> bool:
            """Decks of two players are built from a box each, and the number of a copy says whose it is."""
            return not decks or card[card.find("#") :] in decks or "#" not in card

        left: list[tuple[str, list[str]]] = []
        for place in dict.fromkeys(place for place, _ in took):
            unnamed = self.hidden(place, before.get(place, ()))
            for card in (card for at, card in took if at == place):
                if not is_back(card):
                    self.lie[place].remove(card)
                    hands.append(card)
            left.append((place, unnamed))
        for place, unnamed in left:  # first the backs that turn out to be a card with a name, then any others
            shapes = [card for at, card in took if at == place and is_back(card)]
            self.dice.shuffle(unnamed)
            for shape in list(shapes):
                named = next((card for card in unnamed if wanted[card] > 0 and back_of(card) == shape), None)
                if named is not None:
                    wanted[named] -= 1
                    self._take(place, named, unnamed, hands)
                    shapes.remove(shape)
            for shape in shapes:
                some = next((card for card in unnamed if back_of(card) == shape and of_their_own(card)), None)
                if some is None:
                    some = next((card for card in unnamed if back_of(card) == shape), None)
                if some is None:
                    return False
                self._take(place, some, unnamed, hands)
        if any(count > 0 for count in wanted.values()):
            return False
        for place, card in sorted(put, key=lambda each: is_back(each[1])):
            found = next((held for held in hands if held == card or (is_back(card) and back_of(held) == card)), None)
            if found is None:
                return False
            hands.remove(found)
            self.lie.setdefault(place, []).append(found)
        return not hands

    def _take(self, place: str, card: str, there: list[str], hands: list[str]) -> None:
        there.remove(card)
        self.lie[place].remove(card)
        hands.append(card)


Proposing = Callable[[Game, Setup, Any, RealCards, Seat, random.Random], Iterator[Move]]


def real_match(
    name: str, setup: Setup, seed: int, most: int = 3000, proposed: Proposing | None = None
) -> Iterator[Turned]:
    """The moves of one random match with real cards, to its outcome or `most` moves.

    `proposed` thinks of the moves, one after the other; of them the first that is legal and true is made.
    """
    game, dice = load_games()[name], random.Random(f"real {name}-{seed}")
    state: Any = game.build_table(setup)
    cards = RealCards(game, setup, dice)
    begun = cards.after(state, resolve_pending_steps(state))
    assert begun is not None
    state, cards.lie = begun
    for _ in range(most):
        if game.find_outcome(state) is not None:
            return
        waiting = seats_that_must_act(state)
        seat = CHANCE if CHANCE in waiting else dice.choice(sorted(each for each in waiting if each >= 0))
        for move in (proposed or _moves)(game, setup, state, cards, seat, dice):
            if not judge_move(state, seat, move).granted:
                continue  # of a bot's hand the table knows more than whoever lists the moves
            events = play_move(state, seat, move)
            true = cards.after(state, events)
            if true is not None:
                yield Turned(state, seat, move, events, true[0])
                state, cards.lie = true
                break
        else:
            return  # nothing that could be listed is true of these cards: the people would know what to say


def _moves(
    game: Game, setup: Setup, state: Any, cards: RealCards, seat: Seat, dice: random.Random
) -> Iterator[Move]:  # fmt: skip
    """Moves that a seat may make, in random order; some may name cards that do not lie there."""
    top = state.agenda[-1]
    if seat == CHANCE:
        if not setup.is_at_table(getattr(top, "device", "")):
            yield draw_chance_move(state, dice.randrange)
            return
        held = next((place for place in (f"hand:{getattr(top, 'seat', '')}",) if place in cards.lie), "")
        if held and hasattr(top, "count"):  # a hand that is read out, whatever may be listed of it
            report = PickResult(tuple(cards.hidden(held, game.tracking.cards_by_zone(state).get(held, ()))))
            if judge_move(state, seat, report).granted:
                yield report
    else:
        for _ in range(6):
            found = sample_legal_move(state, seat, dice.randrange)
            if found is not None:
                yield found
    try:
        listed = list(islice(find_legal_moves(state, seat), MOST_TRIED))
    except IllegalMove:
        return
    dice.shuffle(listed)
    yield from listed
