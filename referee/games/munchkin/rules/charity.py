"""Charity: what is more than the hand limit goes to those of the lowest level, or is discarded (MK-21.1 to MK-21.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from referee.cardscript.hidden_cards import BACK, check_from_hand, coming_to, gone_from, namable
from referee.cardscript.moves import ChooseCard
from referee.cardscript.questions import combined
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.zones import Cards, is_back
from referee.games.munchkin.components import BOOK, HANDS
from referee.games.munchkin.derived import hand_limit
from referee.games.munchkin.events.cards import GivenInCharity
from referee.games.munchkin.moves import Give
from referee.games.munchkin.rules.cards.naming import could_be
from referee.games.munchkin.rules.drawing import read_to_us
from referee.games.munchkin.rules.items.discarding import discarded
from referee.games.munchkin.state import Table

FEW = 60  # ways to give that are listed; `patterns` describe them all


def excess(table: Table, seat: int) -> int:
    """How many cards a player holds beyond the limit (MK-21.1); it matters at the end of the own turn alone (MK-21.4).

    Raises Unknown.
    """
    return max(0, table.size(HANDS[seat]) - hand_limit(table, seat))


def receivers(table: Table, seat: int) -> tuple[int, ...]:
    """Who gets what a player gives, from the next one on: the living of the lowest level; nobody if the player is one
    of them, who discards then (MK-21.2, MK-21.3)."""
    lowest = min(table.levels[each] for each in table.living)
    if table.levels[seat] == lowest:
        return ()
    return tuple(each for each in table.others(seat) if table.levels[each] == lowest)


def check(table: Table, seat: int, move: Give) -> None:
    """Raises Refused unless a player may give so."""
    over = excess(table, seat)
    if not over:
        raise Refused("nothing_to_give", "MK-21.1", count=hand_limit(table, seat))
    if len(move.cards) != over:
        raise Refused("give_just_the_excess", "MK-21.1", count=over, given=len(move.cards))
    allowed = receivers(table, seat)
    if not allowed:
        if move.to:
            raise Refused("lowest_discards", "MK-21.3")
    else:
        _check_shares(move, allowed)
    named = tuple(card for card in move.cards if not is_back(card))
    unseen = len(move.cards) - len(named)
    if unseen and not allowed:
        raise Refused("name_what_is_discarded", "MK-21.3", "MK-2.5")
    if any(card not in (BACK, *named) for card in move.cards):
        raise Refused("no_such_card", "MK-21.2", card=next(card for card in move.cards if card not in (BACK, *named)))
    check_from_hand(table, seat, named, "MK-21.2")
    backs_needed = unseen + sum((Counter(named) - Counter(table.hand(seat))).values())
    if backs_needed > table.hand(seat).count(BACK):
        raise Refused("name_what_is_given", "MK-21.2")


def _check_shares(move: Give, allowed: tuple[int, ...]) -> None:
    for each in move.to:
        if each not in allowed:
            raise Refused("not_the_lowest", "MK-21.2", seat=each, lowest=allowed)
    if len(move.to) != len(move.cards):
        raise Refused("say_who_gets_each", "MK-21.2", lowest=allowed)
    shares = [move.to.count(each) for each in allowed]
    if max(shares) - min(shares) > 1:
        raise Refused("share_evenly", "MK-21.2", lowest=allowed)


def given(table: Table, seat: int, move: Give) -> Iterator[Event]:
    """The facts of giving, or of discarding where the giver is among the lowest (MK-21.2, MK-21.3, MK-21.5)."""
    if not move.to:
        yield from discarded(table, HANDS[seat], move.cards)
        return
    took = gone_from(table, HANDS[seat], move.cards)
    for card, gone, to in zip(move.cards, took, move.to, strict=True):
        yield GivenInCharity(HANDS[seat], HANDS[to], (gone,), coming_to(table, to, (card,)), to, seat)
    yield from read_to_us(table, *dict.fromkeys(move.to))


def least(table: Table, seat: int) -> Give:
    """What an absent player gives: the cheapest cards, one by one round those of the lowest level (MK-23.2)."""
    over = excess(table, seat)
    hand = table.hand(seat)
    cards = tuple(sorted(hand, key=lambda card: table.rank(ChooseCard(card)))[:over])
    return Give(cards, _round(receivers(table, seat), over))


def _round(seats: tuple[int, ...], count: int, start: int = 0) -> tuple[int, ...]:
    return tuple(seats[(start + at) % len(seats)] for at in range(count)) if seats else ()


def nameless(table: Table, seat: int) -> bool:
    """Whether only the holder can name what is discarded."""
    unread = table.rules.cards_at_table and seat not in table.rules.named
    return unread and bool(excess(table, seat)) and not receivers(table, seat)


def typical(table: Table, seat: int) -> Iterable[Move]:
    """Ways to give as far as a hand shows: all choices of cards while they are few; who gets the odd ones, by turns."""
    over = excess(table, seat)
    if not over:
        return
    allowed, hand = receivers(table, seat), table.hand(seat)
    known = tuple(card for card in hand if not is_back(card))
    if len(known) == len(hand):
        choices: Iterable[Cards] = islice(combined(known, over, over), FEW)
    elif allowed:
        choices = ((*(known[: max(0, over - hand.count(BACK))]), *(BACK,) * min(over, hand.count(BACK))),)
    else:
        own = known[: max(0, over - hand.count(BACK))]
        choices = ((*own, *named) for named in islice(could_be(table, HANDS[seat], over - len(own)), FEW))
    for at, cards in enumerate(choices):
        yield Give(cards, _round(allowed, over, at))
        if at == 0:  # who gets more than the others is the giver's choice
            yield from (Give(cards, _round(allowed, over, start)) for start in range(1, len(allowed)))


def patterns(table: Table, seat: int) -> tuple[dict[str, Any], ...]:
    """Describes every way to give."""
    over = excess(table, seat)
    if not over:
        return ()
    allowed = receivers(table, seat)
    names = sorted(namable(table, HANDS[seat]))
    if allowed and BACK in table.hand(seat):
        names.append(BACK)
    cards = {"type": "array", "items": {"enum": names}, "minItems": over, "maxItems": over}
    number = over if allowed else 0
    to = {"type": "array", "items": {"enum": list(allowed)} if allowed else {}, "minItems": number, "maxItems": number}
    return ({"type": Give.TAG, "fields": {"cards": cards, "to": to}, "says": BOOK.texts("pattern.give", count=over)},)
