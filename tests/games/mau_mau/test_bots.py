"""What a greedy bot does."""

from __future__ import annotations

import random

from referee.bots.policy import choose_greedy_move
from referee.engine.events import Move
from referee.engine.seats import Seat
from referee.games.mau_mau.moves import PlayCard, WishSuit
from referee.games.mau_mau.rules.turn import SuitWish
from referee.games.mau_mau.state import Table
from tests.games.mau_mau.given import table


def chosen(state: Table) -> set[Move | None]:
    """What a greedy bot on seat 0 does, by several sources of chance."""
    return {choose_greedy_move(state, Seat(0), random.Random(seed).randrange) for seed in range(8)}


def test_it_plays_what_fits_a_seven_first_and_keeps_its_jack() -> None:
    assert chosen(table(["hearts_7", "hearts_ace", "clubs_jack"], ["clubs_9", "clubs_8"])) == {PlayCard("hearts_7")}
    assert chosen(table(["hearts_ace", "clubs_jack"], ["clubs_9", "clubs_8"])) == {PlayCard("hearts_ace")}


def test_it_wishes_the_suit_it_holds_most_of() -> None:
    hand = ["clubs_9", "clubs_ace", "hearts_ace"]
    assert chosen(table(hand, ["spades_9"], top="spades_jack", agenda=(SuitWish(0),))) == {WishSuit("clubs")}
