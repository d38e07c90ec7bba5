"""What records show: shares, duels, places, and verdicts on cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.bots.tournaments.balance import compute_balance
from referee.bots.tournaments.records import MatchRecord
from referee.bots.tournaments.statistics import Share
from referee.bots.tournaments.summary import list_round_results, summarize

RECORD = MatchRecord(
    number=0, round=0, seed="s/0", seats=("a", "b", "b"), winners=(0,), placement=((0,), (2,), (1,)), reason="won",
    moves=10, turns=4, order=(2, 0, 1), thoughts=(4, 3, 3), cpu_ms=(40.0, 3.0, 6.0), slowest_ms=(1200.0, 2.0, 3.0),
    slow=(1, 0, 0), cards={"x": ((1, 0, 2), (1, 0, 0)), "y": ((0, 1, 0), (0, 0, 0))},
)  # fmt: skip


def test_shares_duels_and_places_are_counted_by_seat_and_match() -> None:
    lost = replace(RECORD, number=1, round=1, winners=(1, 2), placement=((1, 2), (0,)), moves=30, reason="lost")
    none = replace(RECORD, number=2, round=2, winners=(), placement=(), moves=20, reason="")
    found = summarize([RECORD, lost, none])
    a, b = found.minds
    assert (a.name, a.seats, a.matches) == ("a", Share(1, 3), Share(1, 3))
    assert (b.name, b.seats, b.matches) == ("b", Share(2, 6), Share(1, 3))
    assert (a.thoughts, a.cpu_ms, a.slowest_ms, a.slow) == (12, 10.0, 1200.0, Share(3, 12))
    assert found.duels == {("a", "b"): Share(2, 4), ("b", "a"): Share(2, 4)}
    assert found.places == (Share(1, 3), Share(1, 3), Share(1, 3))
    assert (found.median_length, found.undecided) == (20, Share(1, 3))
    assert found.endings == {"won": 1, "lost": 1, "": 1}
    assert list_round_results("b", [RECORD, lost, none]) == [Share(0, 1), Share(1, 1), Share(0, 1)]


def test_nothing_played_shows_nothing() -> None:
    found = summarize([])
    assert (found.minds, found.lengths, found.median_length, found.undecided) == ((), (), 0.0, Share())


def test_a_card_is_counted_once_a_seat_and_match() -> None:
    found = compute_balance([RECORD], ["x", "y", "z"])
    x, y, z = found.cards
    assert (x.drawn, x.played, x.use, x.won_drawn, x.won_played) == (3, 1, Share(1, 2), Share(1, 2), Share(1, 1))
    assert (y.use, y.verdict) == (Share(0, 1), "too few")
    assert (z.drawn, z.verdict) == (0, "unseen")
    assert (found.use, found.won_played) == (Share(1, 3), Share(1, 1))


def test_a_card_that_was_drawn_openly_counts_as_played_alone() -> None:
    found = compute_balance([replace(RECORD, cards={"x": ((0, 0, 0), (0, 2, 0))})], [])
    assert (found.cards[0].use, found.cards[0].won_played, found.cards[0].played) == (Share(), Share(0, 1), 2)


@pytest.mark.parametrize("number", [40, 400])
def test_dead_dominating_and_weak_cards_are_told_from_ordinary_ones(number: int) -> None:
    """Seat 0 wins always: what it alone draws dominates, what seat 1 alone draws is weak."""
    both, idle, first, second = ((1, 1), (1, 1)), ((1, 1), (0, 0)), ((1, 0), (1, 0)), ((0, 1), (0, 1))
    cards = {"plain": both, "other": both, "dead": idle, "strong": first, "weak": second}
    match = replace(RECORD, seats=("a", "a"), winners=(0,), placement=((0,), (1,)), order=(0, 1), cards=cards)
    found = compute_balance([match] * number, ["unseen"])
    assert {each.card: each.verdict for each in found.cards} == {
        "unseen": "unseen", "plain": "ordinary", "other": "ordinary",
        "dead": "dead", "strong": "dominating", "weak": "weak",
    }  # fmt: skip


def test_what_a_winner_chooses_to_play_makes_no_verdict() -> None:
    """Both draw the card, and only the winner can afford it."""
    match = replace(RECORD, seats=("a", "a"), winners=(0,), placement=((0,), (1,)), cards={"x": ((1, 1), (1, 0))})
    assert [each.verdict for each in compute_balance([match] * 400, []).cards] == ["ordinary"]


def test_few_matches_make_no_verdict() -> None:
    found = compute_balance([replace(RECORD, cards={"x": ((1, 0, 0), (1, 0, 0))})] * 29, [])
    assert [each.verdict for each in found.cards] == ["too few"]
