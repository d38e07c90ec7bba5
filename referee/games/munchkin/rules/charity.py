"""Charity: the player gives away or discards what exceeds the hand limit.

MK-21.1 to MK-21.5: The excess goes to the living players of the lowest level. A giver among them discards it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from referee.cardscript.hidden_cards import BACK, cards_arriving, check_cards_from_hand, find_nameable_cards
from referee.cardscript.moves import ChooseCard
from referee.cardscript.questions import list_combinations
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.zones import Cards, find_cards_leaving, is_back
from referee.games.munchkin.components import BOOK, HANDS
from referee.games.munchkin.derived import hand_limit
from referee.games.munchkin.events.cards import GivenInCharity
from referee.games.munchkin.moves import GiveToCharity
from referee.games.munchkin.rules.cards.naming import suggest_hidden_cards
from referee.games.munchkin.rules.drawing import disclose_hands
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.state import Table

MAX_LISTED_GIFTS = 60  # `build_give_patterns` describes all the others


def count_excess_cards(table: Table, seat: int) -> int:
    """Return how many cards a player holds beyond the hand limit. Raises Undetermined.

    MK-21.1: At the end of their own turn a player must come down to the hand limit.
    MK-21.4: The other players may hold any number of cards until their own charity.
    """
    return max(0, table.count_cards_at(HANDS[seat]) - hand_limit(table, seat))


def find_receivers(table: Table, seat: int) -> tuple[int, ...]:
    """Return who gets what a player gives, from the next player on.

    Return () if the player is on the lowest level and therefore discards.
    MK-21.2: The cards go to the living player of the lowest level.
    MK-21.3: A giver who is on the lowest level, alone or with others, discards the excess.
    """
    lowest = min(table.levels[each] for each in table.living_seats)
    if table.levels[seat] == lowest:
        return ()
    return tuple(each for each in table.other_seats(seat) if table.levels[each] == lowest)


def check_give(table: Table, seat: int, move: GiveToCharity) -> None:
    """Raise IllegalMove unless a player may give these cards to these seats."""
    over = count_excess_cards(table, seat)
    if not over:
        raise IllegalMove("nothing_to_give", "MK-21.1", count=hand_limit(table, seat))
    if len(move.cards) != over:
        raise IllegalMove("give_just_the_excess", "MK-21.1", count=over, given=len(move.cards))
    allowed = find_receivers(table, seat)
    if not allowed:
        if move.to:
            raise IllegalMove("lowest_discards", "MK-21.3")
    else:
        _check_shares(move, allowed)
    named = tuple(card for card in move.cards if not is_back(card))
    unseen = len(move.cards) - len(named)
    if unseen and not allowed:
        raise IllegalMove("name_what_is_discarded", "MK-21.3", "MK-2.5")
    if any(card not in (BACK, *named) for card in move.cards):
        raise IllegalMove(
            "no_such_card", "MK-21.2", card=next(card for card in move.cards if card not in (BACK, *named))
        )
    check_cards_from_hand(table, seat, named, "MK-21.2")
    backs_needed = unseen + sum((Counter(named) - Counter(table.cards_in_hand(seat))).values())
    if backs_needed > table.cards_in_hand(seat).count(BACK):
        raise IllegalMove("name_what_is_given", "MK-21.2")


def _check_shares(move: GiveToCharity, allowed: tuple[int, ...]) -> None:
    for each in move.to:
        if each not in allowed:
            raise IllegalMove("not_the_lowest", "MK-21.2", seat=each, lowest=allowed)
    if len(move.to) != len(move.cards):
        raise IllegalMove("say_who_gets_each", "MK-21.2", lowest=allowed)
    shares = [move.to.count(each) for each in allowed]
    if max(shares) - min(shares) > 1:
        raise IllegalMove("share_evenly", "MK-21.2", lowest=allowed)


def give_cards(table: Table, seat: int, move: GiveToCharity) -> Iterator[Event]:
    """Yield the events of giving, or of discarding if no receivers are named.

    MK-21.2: The giver chooses the cards, and they go to the living player of the lowest level.
    MK-21.3: A giver who is on the lowest level discards the excess.
    MK-21.5: Those who receive cards see which. The others see only how many.
    """
    if not move.to:
        yield from discard_cards(table, HANDS[seat], move.cards)
        return
    took = find_cards_leaving(table, HANDS[seat], move.cards)
    for card, gone, to in zip(move.cards, took, move.to, strict=True):
        yield GivenInCharity(HANDS[seat], HANDS[to], (gone,), cards_arriving(table, to, (card,)), to, seat)
    yield from disclose_hands(table, *dict.fromkeys(move.to))


def build_default_gift(table: Table, seat: int) -> GiveToCharity:
    """Return what an absent player gives: the cheapest cards, dealt in turn.

    MK-23.2: For a player who does not act in time the smallest legal step is done.
    """
    over = count_excess_cards(table, seat)
    hand = table.cards_in_hand(seat)
    cards = tuple(sorted(hand, key=lambda card: table.rank_answer(ChooseCard(card)))[:over])
    return GiveToCharity(cards, _assign_in_turn(find_receivers(table, seat), over))


def _assign_in_turn(seats: tuple[int, ...], count: int, start: int = 0) -> tuple[int, ...]:
    return tuple(seats[(start + at) % len(seats)] for at in range(count)) if seats else ()


def needs_holder_to_name(table: Table, seat: int) -> bool:
    """Return whether only the holder can name the cards to discard."""
    unread = not table.rules.knows_hand_of(seat)
    return unread and bool(count_excess_cards(table, seat)) and not find_receivers(table, seat)


def list_typical_gifts(table: Table, seat: int) -> Iterable[Move]:
    """Yield ways to give, up to what is visible of the hand.

    All choices of cards are listed while they are few. The seats that get one card more than the others change in turn.
    """
    over = count_excess_cards(table, seat)
    if not over:
        return
    allowed, hand = find_receivers(table, seat), table.cards_in_hand(seat)
    visible = tuple(card for card in hand if not is_back(card))
    if len(visible) == len(hand):
        choices: Iterable[Cards] = islice(list_combinations(visible, over, over), MAX_LISTED_GIFTS)
    elif allowed:
        choices = ((*(visible[: max(0, over - hand.count(BACK))]), *(BACK,) * min(over, hand.count(BACK))),)
    else:
        own = visible[: max(0, over - hand.count(BACK))]
        choices = (
            (*own, *named)
            for named in islice(suggest_hidden_cards(table, HANDS[seat], over - len(own)), MAX_LISTED_GIFTS)
        )
    for at, cards in enumerate(choices):
        yield GiveToCharity(cards, _assign_in_turn(allowed, over, at))
        if at == 0:  # the giver chooses who gets one card more than the others
            yield from (GiveToCharity(cards, _assign_in_turn(allowed, over, start)) for start in range(1, len(allowed)))


def build_give_patterns(table: Table, seat: int) -> tuple[dict[str, Any], ...]:
    """Describe every way to give."""
    over = count_excess_cards(table, seat)
    if not over:
        return ()
    allowed = find_receivers(table, seat)
    names = sorted(find_nameable_cards(table, HANDS[seat]))
    if allowed and BACK in table.cards_in_hand(seat):
        names.append(BACK)
    cards = {"type": "array", "items": {"enum": names}, "minItems": over, "maxItems": over}
    number = over if allowed else 0
    to = {"type": "array", "items": {"enum": list(allowed)} if allowed else {}, "minItems": number, "maxItems": number}
    return (
        {
            "type": GiveToCharity.TAG,
            "fields": {"cards": cards, "to": to},
            "says": BOOK.render_texts("pattern.give", count=over),
        },
    )
