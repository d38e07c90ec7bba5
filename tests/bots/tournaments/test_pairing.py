"""Who sits where: each mind on each seat equally often, round by round."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from referee.bots.tournaments.pairing import Plan, count_rounds, find_pairing, list_lineups, list_pairings


def plan(minds: str, seats: int, *, together: bool = False) -> Plan:
    return Plan("mau_mau", "standard", tuple(minds.split(",")), seats, "s", together=together)


@pytest.mark.parametrize(("minds", "seats"), list(product(["1,0", "1,0,2", "3,1,2,0", "a,b,c,d,e"], [2, 3, 4])))
def test_in_a_round_each_mind_has_each_seat_equally_often(minds: str, seats: int) -> None:
    lineups = list_lineups(plan(minds, seats))
    counts = [Counter(lineup[seat] for lineup in lineups) for seat in range(seats)]
    assert counts[0].keys() == set(minds.split(","))
    assert all(count == counts[0] for count in counts)
    assert len(set(lineups)) == len(lineups), "the same match twice shows nothing more"


def test_with_fewer_minds_than_seats_the_first_sits_alone_among_the_others() -> None:
    assert list_lineups(plan("3,1", 3)) == (("3", "1", "1"), ("1", "1", "3"), ("1", "3", "1"))
    assert list_lineups(plan("3,1,0", 4))[0] == ("3", "1", "0", "1")


def test_with_more_minds_than_seats_each_meets_each() -> None:
    met = Counter(frozenset(lineup) for lineup in list_lineups(plan("a,b,c,d", 2)))
    assert len(met) == 6
    assert set(met.values()) == {2}


def test_a_mind_that_plays_itself_plays_a_seed_once() -> None:
    assert list_lineups(plan("1", 2)) == list_lineups(plan("1,1", 2)) == (("1", "1"),)


def test_where_all_win_together_each_mind_plays_alone() -> None:
    assert list_lineups(plan("1,0", 3, together=True)) == (("1",) * 3, ("0",) * 3)


def test_all_matches_of_a_round_have_one_seed_and_no_two_rounds_do() -> None:
    pairings = list(list_pairings(plan("1,0,2", 2), 4))
    assert [each.number for each in pairings] == list(range(24))
    seeds = [{each.seed for each in pairings if each.round == turn} for turn in range(4)]
    assert all(len(seed) == 1 for seed in seeds)
    assert len(set.union(*seeds)) == 4
    assert [find_pairing(plan("1,0,2", 2), each.number) for each in pairings] == pairings


def test_rounds_are_whole() -> None:
    assert [count_rounds(plan("1,0", 2), matches) for matches in (1, 2, 3, 100)] == [1, 1, 2, 50]


def test_a_plan_survives_being_written_down() -> None:
    assert Plan.from_dict(plan("1,0", 2).to_dict()) == plan("1,0", 2)
    with pytest.raises(TypeError):
        Plan.from_dict({"minds": []})
