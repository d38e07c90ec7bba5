"""Results, standings and tie-breaks: sums that can be worked out by hand, and laws on tournaments drawn at random."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import groupby, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament.results import TableResult, count_firsts, list_duels, record_bye
from referee.tournament.standings import TIEBREAKS, Points, compute_standings, compute_totals
from tests.tournament.evenings import Evening

some = settings(max_examples=60, deadline=None)
SEEDS = st.integers(0, 2**32)
CHESS = Points(win=1, draw=Fraction(1, 2), loss=0, bye=1)


def win(number: int, table: int, winner: int, loser: int) -> TableResult:
    return TableResult(number, table, (winner, loser), ((winner,), (loser,)))


def draw(number: int, table: int, one: int, other: int) -> TableResult:
    return TableResult(number, table, (one, other), ((one, other),))


def forfeit(number: int, table: int, winner: int, loser: int) -> TableResult:
    return TableResult(number, table, (winner, loser), ((winner,),), (loser,))


def values(results, name, points=CHESS, players=4, lots=()) -> list[Fraction | None]:
    rows = compute_standings(range(1, players + 1), results, points, (name,), lots)
    return [row.tiebreaks[name] for row in sorted(rows, key=lambda row: row.player)]


TABLE = TableResult(1, 1, (5, 6, 7, 8, 9), ((6,), (5, 8), (9,)), (7,))


def test_outcomes_places_and_opponents_of_a_table() -> None:
    assert [TABLE.outcome_for(player) for player in TABLE.players] == ["loss", "win", "loss", "loss", "loss"]
    assert [TABLE.find_place(player) for player in TABLE.players] == [2, 1, 5, 2, 4]
    assert TABLE.list_opponents(5) == (6, 8, 9)
    assert TABLE.list_opponents(7) == ()
    assert TABLE.winner == 6
    assert {(one, what) for one, other, what in list_duels(TABLE) if other == 5} == {
        (6, "win"), (8, "draw"), (9, "loss"),
    }  # fmt: skip
    assert [draw(1, 1, 1, 2).outcome_for(player) for player in (1, 2)] == ["draw", "draw"]
    assert draw(1, 1, 1, 2).winner is None
    assert record_bye(1, 3).outcome_for(3) == "bye"
    assert [forfeit(1, 1, 1, 2).outcome_for(player) for player in (1, 2)] == ["win", "loss"]
    with pytest.raises(ValueError, match="did not sit"):
        TABLE.outcome_for(1)


@pytest.mark.parametrize(
    "fields",
    [
        (0, 1, (1, 2), ((1,), (2,))), (1, -1, (1, 2), ((1,), (2,))), (1, 1, (1, 1), ((1,), (1,))),
        (1, 1, (1, 2), ((1,),)), (1, 1, (1, 2), ((1,), (2,), ())), (1, 1, (1, 2), ((1, 2), (2,))),
        (1, 1, (1, 2), ((1,), (2,)), (2,)), (1, 0, (1, 2), ((1,), (2,))), (1, 1, (1,), ((1,),)),
        (1, 0, (1,), (), (1,)), (1, 1, (), ()),
    ],
)  # fmt: skip
def test_results_that_contradict_themselves(fields) -> None:
    with pytest.raises(ValueError, match=r"each player|count from|bye"):
        TableResult(*fields)


def test_points_by_place_are_shared_exactly_and_forfeits_have_their_own() -> None:
    points = Points(by_place=(7, 5, 2), forfeit=-1)
    assert compute_totals(range(5, 10), [TABLE], points) == {6: 7, 5: Fraction(7, 2), 8: Fraction(7, 2), 9: 0, 7: -1}
    three = TableResult(1, 1, (1, 2, 3), ((1, 2, 3),))
    assert set(compute_totals([1, 2, 3], [three], Points(by_place=(4, 0, 0))).values()) == {Fraction(4, 3)}


def test_points_of_wins_draws_losses_and_byes() -> None:
    results = [win(1, 1, 1, 2), draw(1, 2, 3, 4), record_bye(1, 5)]
    assert compute_totals(range(1, 6), results, Points(win=5, draw=2, loss=1, bye=3)) == {1: 5, 2: 1, 3: 2, 4: 2, 5: 3}


def test_rows_count_what_was_played() -> None:
    results = [win(1, 1, 1, 2), record_bye(1, 3), forfeit(2, 1, 3, 1), record_bye(2, 2)]
    rows = compute_standings([1, 2, 3], results, Points(), (), (3, 2, 1))
    shown = [(row.rank, row.player, row.points, row.played, row.wins, row.draws, row.losses, row.byes) for row in rows]
    assert shown == [(1, 3, 6, 1, 1, 0, 0, 1), (2, 2, 3, 1, 0, 0, 1, 1), (2, 1, 3, 2, 1, 0, 1, 0)]


# 1 beat 2, 3 and 4; 2 beat 3; 2 and 4 drew; 3 beat 4.
ALL_MET = [
    *(win(1, 1, 1, 2), win(1, 2, 3, 4)),
    *(win(2, 1, 1, 3), draw(2, 2, 2, 4)),
    *(win(3, 1, 1, 4), win(3, 2, 2, 3)),
]


def test_buchholz_adds_the_points_of_opponents() -> None:
    assert compute_totals(range(1, 5), ALL_MET, CHESS) == {1: 3, 2: Fraction(3, 2), 3: 1, 4: Fraction(1, 2)}
    assert values(ALL_MET, "buchholz") == [3, Fraction(9, 2), 5, Fraction(11, 2)]
    assert values(ALL_MET, "buchholz_cut1") == [Fraction(5, 2), 4, Fraction(9, 2), Fraction(9, 2)]


def test_sonneborn_berger_adds_the_points_of_the_beaten_and_half_of_those_drawn_with() -> None:
    assert values(ALL_MET, "sonneborn_berger") == [3, Fraction(5, 4), Fraction(1, 2), Fraction(3, 4)]


def test_with_the_usual_points_sonneborn_berger_counts_the_beaten_three_times_and_the_drawn_once() -> None:
    results = [win(1, 1, 1, 2), record_bye(1, 3), draw(2, 1, 1, 3), record_bye(2, 2)]  # points: 4, 3, 4
    assert values(results, "sonneborn_berger", Points(), players=3) == [3 * 3 + 1 * 4, 0 * 4 + 3 * 3, 3 * 4 + 1 * 4]


def test_a_bye_or_a_forfeit_counts_a_dummy_with_the_points_of_the_player() -> None:
    results = [win(1, 1, 1, 2), record_bye(1, 3), forfeit(2, 1, 3, 1), record_bye(2, 2)]
    assert values(results, "buchholz", players=3) == [2, 2, 4]  # 1: 1 + 1, 2: 1 + 1, 3: 2 + 2
    assert values(results, "sonneborn_berger", players=3) == [1, 1, 4]


def test_at_tables_of_several_each_opponent_is_a_part_of_the_round() -> None:
    table = TableResult(1, 1, (1, 2, 3), ((1,), (2,), (3,)))
    points = Points(win=1, draw=0, loss=0, by_place=(6, 3, 0))
    assert values([table], "buchholz", points, players=3) == [Fraction(3, 2), 3, Fraction(9, 2)]
    assert values([table], "sonneborn_berger", points, players=3) == [Fraction(3, 2), 0, 0]


def test_direct_separates_only_those_who_all_met() -> None:
    met = [win(1, 1, 1, 2), win(1, 2, 3, 4), win(2, 1, 2, 3), win(2, 2, 4, 1)]
    assert values(met, "direct") == [None] * 4  # 1 and 3 did not meet
    three = [win(1, 1, 1, 2), win(2, 1, 2, 3), win(3, 1, 3, 1)]
    assert values(three, "direct", players=3) == [1, 1, 1]
    two = [*(win(1, 1, 2, 1), win(1, 2, 3, 4)), *(win(2, 1, 1, 3), win(2, 2, 4, 2))]
    decided = [*two, win(3, 1, 1, 4), win(3, 2, 2, 3)]
    rows = compute_standings(range(1, 5), decided, CHESS, ("direct",), (1, 2, 3, 4))
    assert [(row.rank, row.player, row.points) for row in rows] == [(1, 2, 2), (2, 1, 2), (3, 3, 1), (4, 4, 1)]


def test_a_forfeit_is_no_meeting_for_the_direct_comparison() -> None:
    results = [forfeit(1, 1, 1, 2), win(2, 1, 2, 3), win(2, 2, 4, 1)]
    assert values(results, "direct")[:2] == [None, None]


def test_wins_count_forfeits_and_no_byes_and_lots_the_order_drawn() -> None:
    results = [forfeit(1, 1, 1, 2), record_bye(1, 3)]
    assert values(results, "wins", players=3) == [1, 0, 0]
    assert values(results, "lots", players=4, lots=(3, 1, 2)) == [2, 3, 1, None]
    rows = compute_standings([1, 2, 3, 4], [], CHESS, ("lots",), (3, 1, 2))
    assert [(row.rank, row.player) for row in rows] == [(1, 3), (2, 1), (3, 2), (4, 4)]
    assert {row.rank for row in compute_standings([1, 2, 3, 4], [], CHESS, (), (3, 1, 2))} == {1}


@pytest.mark.parametrize("players", [[1], [1, 1, 2], [2, 3]])
def test_standings_of_unknown_players_are_refused(players) -> None:
    with pytest.raises(ValueError, match="unknown"):
        compute_standings(players, [win(1, 1, 1, 2)], CHESS, (), ())


def test_unknown_tie_breaks_are_refused() -> None:
    with pytest.raises(ValueError, match="coin"):
        compute_standings([1, 2], [], CHESS, ("coin",), ())


POINTS = st.builds(
    Points,
    *(st.sampled_from([3, 2, 1]), st.sampled_from([1, Fraction(1, 2)]), st.just(0), st.integers(0, 3)),
    st.sampled_from([(), (6, 3, 1), (10, 6, 4, 3, 2, 1)]),
    st.integers(-1, 0),
)
DRAWN = st.lists(st.sampled_from(TIEBREAKS), unique=True)


@some
@given(st.sampled_from(["swiss", "groups", "round_robin"]), st.integers(6, 12), POINTS, DRAWN, SEEDS)
def test_standings_are_sorted_by_what_they_show_and_rank_equals_alike(system, count, points, names, seed) -> None:
    evening = Evening(system, count, seed, table_size=2 if system != "groups" else 4).play(4)
    rows = compute_standings(range(1, count + 1), evening.results, points, names, evening.lots)
    assert sorted(row.player for row in rows) == list(range(1, count + 1))

    def key(row):
        signs = (-1 if name == "lots" else 1 for name in names)
        return [row.points, *(sign * (row.tiebreaks[name] or 0) for name, sign in zip(names, signs, strict=True))]

    keys = [key(row) for row in rows]
    assert keys == sorted(keys, reverse=True)
    place = 1
    for _key, group in groupby(rows, key):
        alike = list(group)
        assert {row.rank for row in alike} == {place}
        place += len(alike)
    assert "lots" not in names or [row.rank for row in rows] == list(range(1, count + 1))


@some
@given(st.sampled_from(["swiss", "groups", "round_robin"]), st.integers(6, 12), POINTS, SEEDS)
def test_points_are_what_the_tables_gave_and_rows_agree_with_the_tables(system, count, points, seed) -> None:
    evening = Evening(system, count, seed, table_size=2 if system != "groups" else 4).play(4)
    rows = compute_standings(range(1, count + 1), evening.results, points, (), evening.lots)
    given_out = Fraction(0)
    for result in evening.results:
        placed = [player for group in result.placement for player in group]
        if result.is_bye:
            given_out += points.bye
        elif points.by_place:
            given_out += sum(points.by_place[: len(placed)]) + points.forfeit * len(result.forfeits)
        else:
            first = len(result.placement[0]) if placed else 0
            given_out += points.forfeit * len(result.forfeits) + points.loss * (len(placed) - first)
            given_out += points.win if first == 1 else points.draw * first
    assert sum(row.points for row in rows) == given_out
    assert all(row.played == row.wins + row.draws + row.losses for row in rows)
    assert all(row.played + row.byes == 4 for row in rows)
    assert sum(row.played for row in rows) == sum(len(r.players) for r in evening.results if not r.is_bye)
    assert sum(row.wins for row in rows) <= sum(not result.is_bye for result in evening.results)
    assert sum(count_firsts(evening.results).values()) == sum(not result.is_bye for result in evening.results)


@some
@given(st.integers(3, 10), DRAWN, SEEDS)
def test_standings_do_not_depend_on_the_order_of_players_and_results(count, names, seed) -> None:
    evening = Evening("swiss", count, seed).play(3)
    rows = compute_standings(range(1, count + 1), evening.results, CHESS, names, evening.lots)
    chance = random.Random(seed)
    players, results = list(range(1, count + 1)), list(evening.results)
    chance.shuffle(players)
    chance.shuffle(results)
    assert compute_standings(players, results, CHESS, names, evening.lots) == rows


def test_every_table_result_of_three_has_outcomes_that_agree_with_its_duels() -> None:
    for order in permutations((1, 2, 3)):
        for result in (
            TableResult(1, 1, (1, 2, 3), tuple((player,) for player in order)),
            TableResult(1, 1, (1, 2, 3), (order[:2], order[2:])),
            TableResult(1, 1, (1, 2, 3), (order[:1], order[1:])),
        ):
            for player in order:
                duels = {what for one, _other, what in list_duels(result) if one == player}
                assert (result.outcome_for(player) == "win") == (duels == {"win"})
                assert (result.outcome_for(player) == "loss") == ("loss" in duels)
