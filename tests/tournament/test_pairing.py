"""Single pairings: brackets, refusals, and what each system does in cases that can be worked out by hand."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from itertools import count

import pytest

from referee.tournament.pairing import order_seats, rank_players
from referee.tournament.pairing.knockout import list_seeds
from referee.tournament.pairing.swiss import weigh_tables
from referee.tournament.pairing.systems import (
    SYSTEMS,
    NotPairable,
    Pairing,
    count_rounds,
    draw_lots,
    pair_round,
    require_pairable,
)
from referee.tournament.results import TableResult, record_bye
from referee.tournament.standings import Points


def lowest(number: int) -> int:
    """Draw 0, whatever may be drawn."""
    assert number > 0
    return 0


def win(number: int, table: int, winner: int, loser: int) -> TableResult:
    return TableResult(number, table, (winner, loser), ((winner,), (loser,)))


def pair(system: str, players, results=(), number=1, lots=None, **options) -> list[set[int]]:
    lots = tuple(players) if lots is None else lots
    found = pair_round(system, list(players), list(results), number, lowest, lots=lots, **options)
    return [set(table) for table in found.tables]


def refusal(call, *args, **options) -> tuple[str, dict[str, int | str]]:
    with pytest.raises(NotPairable) as wrong:
        call(*args, **options)
    return wrong.value.reason, wrong.value.params


def test_lots_are_drawn_from_the_end() -> None:
    asked = []

    def below(number: int) -> int:
        asked.append(number)
        return 0

    assert draw_lots([1, 2, 3, 4], below) == (2, 3, 4, 1)
    assert asked == [4, 3, 2]


@pytest.mark.parametrize(
    ("system", "players", "wanted", "rounds"),
    [
        ("round_robin", 6, 0, 5), ("round_robin", 7, 0, 7), ("round_robin", 7, 3, 3), ("knockout", 2, 0, 1),
        ("knockout", 8, 3, 3), ("knockout", 9, 0, 4), ("swiss", 16, 0, 4), ("swiss", 17, 0, 5), ("swiss", 17, 9, 9),
        ("groups", 12, 0, 4), ("groups", 12, 2, 2), ("manual", 12, 0, 0), ("manual", 12, 6, 6),
    ],
)  # fmt: skip
def test_the_number_of_rounds(system, players, wanted, rounds) -> None:
    assert count_rounds(system, players, wanted) == rounds


def test_numbers_of_rounds_that_cannot_be() -> None:
    assert refusal(count_rounds, "round_robin", 6, 6) == ("too_many_rounds", {"wanted": 6, "most": 5})
    assert refusal(count_rounds, "knockout", 8, 2) == ("wrong_number_of_rounds", {"wanted": 2, "needed": 3})
    assert refusal(count_rounds, "swiss", 1, 0) == ("too_few_players", {"players": 1, "least": 2})
    assert refusal(count_rounds, "lottery", 8, 0) == ("unknown_system", {"system": "lottery"})


def test_what_no_system_pairs() -> None:
    assert refusal(pair, "manual", [1, 2]) == ("pairings_are_entered", {})
    assert refusal(pair, "swiss", [1]) == ("too_few_players", {"players": 1, "least": 2})
    assert refusal(pair, "swiss", [1, 2, 3], table_size=3)[0] == "tables_of_two_only"
    assert refusal(pair, "knockout", [1, 2, 3], lots=(1, 2)) == ("joined_after_lots", {"player": 3})
    assert refusal(pair, "round_robin", [1, 2, 3], lots=(1, 2)) == ("joined_after_lots", {"player": 3})
    with pytest.raises(ValueError, match="twice"):
        pair("swiss", [1, 1, 2])
    with pytest.raises(ValueError, match="two results"):
        pair("swiss", [1, 2, 3, 4], [win(1, 1, 1, 2), win(1, 2, 1, 3)], 2)


def test_who_joins_late_is_paired_by_swiss_as_the_last() -> None:
    assert pair("swiss", [1, 2, 3, 4, 5], lots=(1, 2, 3, 4))[-1] == {5}


def test_the_first_lots_meet_late_in_a_bracket() -> None:
    assert list_seeds(3) == [0, 7, 3, 4, 1, 6, 2, 5]


def test_the_byes_of_a_knockout_go_to_the_first_lots() -> None:
    assert pair("knockout", [11, 12, 13, 14, 15, 16]) == [{14, 15}, {13, 16}, {11}, {12}]


def test_winners_go_on_in_their_bracket() -> None:
    first = [win(1, 1, 8, 1), win(1, 2, 4, 5), win(1, 3, 2, 7), win(1, 4, 6, 3)]
    assert pair("knockout", range(1, 9), first, 2) == [{8, 4}, {2, 6}]
    assert pair("knockout", range(1, 9), [*first, win(2, 1, 4, 8), win(2, 2, 2, 6)], 3) == [{4, 2}]


def test_a_tied_table_of_a_knockout_has_to_be_decided_unless_one_of_the_two_leaves() -> None:
    first = [TableResult(1, 1, (1, 4), ((1, 4),)), win(1, 2, 2, 3)]
    assert refusal(pair, "knockout", [1, 2, 3, 4], first, 2) == ("undecided_table", {"round": 1, "table": 1})
    assert pair("knockout", [1, 2, 3], first, 2, lots=(1, 2, 3, 4)) == [{1, 2}]
    assert refusal(pair, "knockout", [2, 3], first, 2, lots=(1, 2, 3, 4)) == ("tournament_is_decided", {"player": 2})


def test_a_table_that_both_forfeit_sends_nobody_on() -> None:
    first = [TableResult(1, 1, (1, 4), (), (1, 4)), win(1, 2, 2, 3)]
    assert refusal(pair, "knockout", [1, 2, 3, 4], first, 2) == ("tournament_is_decided", {"player": 2})
    both = [TableResult(1, 1, (1, 4), (), (1, 4)), TableResult(1, 2, (2, 3), (), (2, 3))]
    assert refusal(pair, "knockout", [1, 2, 3, 4], both, 2) == ("nobody_is_left", {})


def test_a_knockout_says_which_result_is_missing_or_does_not_fit() -> None:
    assert refusal(pair, "knockout", [1, 2, 3, 4], [win(1, 1, 1, 4)], 2) == (
        "missing_result", {"round": 1, "player": 2},
    )  # fmt: skip
    swapped = [win(1, 1, 1, 3), win(1, 2, 2, 4)]
    assert refusal(pair, "knockout", [1, 2, 3, 4], swapped, 2) == ("results_off_bracket", {"round": 1, "table": 1})
    byes = [record_bye(1, 1), record_bye(1, 4), win(1, 1, 2, 3)]
    assert refusal(pair, "knockout", [1, 2, 3, 4], byes, 2) == ("results_off_bracket", {"round": 1, "table": 0})


def test_swiss_pairs_neighbours_by_points() -> None:
    first = [win(1, 1, 1, 2), win(1, 2, 3, 4), win(1, 3, 5, 6), win(1, 4, 7, 8)]
    assert pair("swiss", range(1, 9), first, 2) == [{1, 3}, {5, 7}, {2, 4}, {6, 8}]


def test_swiss_follows_the_points_that_the_tournament_gives() -> None:
    first = [win(1, 1, 1, 2), win(1, 2, 3, 4)]
    assert pair("swiss", range(1, 5), first, 2) == [{1, 3}, {2, 4}]
    assert pair("swiss", range(1, 5), first, 2, points=Points(win=1, draw=1, loss=1)) == [{1, 4}, {2, 3}]


def test_of_two_pairings_that_are_equally_good_a_fixed_lot_takes_one() -> None:
    """So it does not matter which of them the library would find first."""
    met = [TableResult(1, 1, (3, 4), ((3, 4),)), *(record_bye(1, player) for player in (1, 2, 5, 6))]
    points = Points(draw=1, bye=1)
    order, costs = weigh_tables(range(1, 7), met, points, (1, 2, 3, 4, 5, 6))
    sums = [
        [sum(column) for column in zip(*(costs[pair] for pair in way), strict=True)]
        for way in ([(0, 1), (2, 4), (3, 5)], [(0, 2), (1, 3), (4, 5)])
    ]
    assert order == [1, 2, 3, 4, 5, 6]
    assert sums[0][:-1] == sums[1][:-1]
    assert sums[0][-1] != sums[1][-1]
    ways = [[{1, 2}, {3, 5}, {4, 6}], [{1, 3}, {2, 4}, {5, 6}]]
    assert pair("swiss", range(1, 7), met, 2, points=points) == ways[sums[0] > sums[1]]


def test_swiss_repeats_a_meeting_only_where_all_have_met() -> None:
    numbers = count(1)
    results = []
    for tables in ([(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 4), (2, 3)]):
        number = next(numbers)
        results += [win(number, place, *table) for place, table in enumerate(tables, 1)]
    assert len(pair("swiss", [1, 2, 3, 4], results, 4)) == 2
    assert pair("swiss", [1, 2, 3, 4], results[:4], 3) == [{1, 4}, {2, 3}]


def test_who_had_the_first_seat_less_often_gets_it_and_chance_decides_the_rest() -> None:
    first = [win(1, 1, 1, 2), win(1, 2, 3, 4)]
    second = pair_round("swiss", [1, 2, 3, 4], first, 2, lowest, lots=(1, 2, 3, 4))
    assert second.tables == ((3, 1), (4, 2))
    other = pair_round("swiss", [1, 2, 3, 4], first, 2, lambda number: number - 1, lots=(1, 2, 3, 4))
    assert other.tables == ((1, 3), (2, 4))


def test_among_equals_the_one_who_did_not_begin_last_begins() -> None:
    results = [win(1, 1, 1, 3), win(1, 2, 4, 2), win(2, 1, 2, 3), win(2, 2, 4, 1)]  # 1 began first, 2 last
    for below in (lowest, lambda number: number - 1):
        assert order_seats([1, 2], results, below) == (1, 2)
        assert order_seats([2, 1], results, below) == (1, 2)


def test_players_rank_by_points_of_which_halves_count() -> None:
    results = [win(1, 1, 1, 2), TableResult(1, 2, (3, 4), ((3, 4),))]
    points = Points(win=1, draw=Fraction(1, 2))
    assert rank_players([1, 2, 3, 4], results, points, (2, 4, 3, 1)) == ([1, 4, 3, 2], {1: 2, 2: 0, 3: 1, 4: 1})


def test_results_of_the_round_itself_are_not_read() -> None:
    first = [win(1, 1, 1, 2), win(1, 2, 3, 4)]
    assert pair("swiss", [1, 2, 3, 4], first, 1) == pair("swiss", [1, 2, 3, 4], [], 1)


def test_groups_keep_company_apart_where_that_is_possible() -> None:
    company = [(1, 2, 3), (4, 5, 6), (7, 8, 9)]
    first = [TableResult(1, n, (a, b, c), ((a,), (b,), (c,))) for n, (a, b, c) in enumerate(company, 1)]
    tables = pair("groups", range(1, 10), first, 2)
    assert all(len(table & {*three}) == 1 for table in tables for three in company)


@pytest.mark.parametrize(
    ("players", "size", "sizes", "lengths"),
    [
        (12, 4, (3, 5), [4, 4, 4]), (13, 4, (3, 5), [5, 4, 4]), (7, 4, (3, 4), [4, 3]), (5, 4, (3, 5), [5]),
        (12, 3, (3, 6), [3, 3, 3, 3]), (12, 2, (3, 6), [3, 3, 3, 3]), (12, 6, (3, 6), [6, 6]),
    ],
)  # fmt: skip
def test_sizes_of_group_tables(players, size, sizes, lengths) -> None:
    tables = pair("groups", range(1, players + 1), table_size=size, table_sizes=sizes)
    assert [len(table) for table in tables] == lengths


def test_players_who_cannot_be_split_into_groups() -> None:
    assert refusal(pair, "groups", range(1, 6), table_sizes=(3, 4)) == (
        "not_splittable", {"players": 5, "least": 3, "most": 4},
    )  # fmt: skip
    for size, sizes in ((4, (1, 4)), (4, (5, 4)), (0, (3, 4))):
        with pytest.raises(ValueError, match="at least"):
            pair("groups", range(1, 9), table_size=size, table_sizes=sizes)


@pytest.mark.parametrize("tables", [((1, 2), (2, 3)), ((1, 2), ()), ((1,), (2, 3))])
def test_pairings_that_contradict_themselves(tables) -> None:
    with pytest.raises(ValueError, match="table"):
        Pairing(tables)


def test_the_library_for_graphs_is_loaded_only_to_pair_by_swiss() -> None:
    line = "import sys, referee.tournament.pairing.systems; print('networkx' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_can_be_paired_is_known_without_the_search(system: str) -> None:
    def find_reason(pairs, *arguments, **options) -> str:
        try:
            pairs(*arguments, **options)
        except NotPairable as wrong:
            return wrong.reason
        return ""

    seen = set()
    for players in map(range, range(9)):
        for number in (1, 2, len(players) + 1):
            for size, sizes in ((2, (2, 2)), (4, (3, 4))) if system in ("groups", "manual") else ((2, (2, 2)),):
                asked = find_reason(require_pairable, system, players, [], number, size, sizes, lots=players)
                done = find_reason(pair_round, system, players, [], number, lowest, size, sizes, lots=players)
                assert asked == done, (players, number, sizes)
                seen.add(asked)
    assert "too_few_players" in seen or system == "manual"
