"""Laws of all pairings, on tournaments drawn at random, and by trying every pairing where players are few."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament.pairing import REASONS, measure_first_surplus
from referee.tournament.pairing.swiss import find_cuts, match_at_least_cost, weigh_tables
from referee.tournament.pairing.systems import NotPairable, count_rounds, pair_round
from referee.tournament.results import TableResult, count_byes, count_meetings
from referee.tournament.standings import Points, compute_totals
from tests.tournament.evenings import Evening, list_matchings

some = settings(max_examples=60, deadline=None)
few = settings(max_examples=20, deadline=None)
SEEDS = st.integers(0, 2**32)


@st.composite
def draw_leavers(draw, count):
    return draw(st.dictionaries(st.integers(1, count), st.integers(1, 5), max_size=count - 2))


@some
@given(st.data(), st.sampled_from(["round_robin", "swiss", "groups"]), st.integers(3, 14), SEEDS)
def test_everyone_who_plays_is_at_one_table_or_has_a_bye(data, system, count, seed) -> None:
    evening = Evening(system, count, seed, data.draw(draw_leavers(count)), table_size=2 if system != "groups" else 3)
    for number in range(1, 6):
        pairing = evening.try_round(number)
        if isinstance(pairing, NotPairable):
            assert pairing.reason in ("too_few_players", "no_rounds_left", "not_splittable")
            return
        seated = [player for table in pairing.tables for player in table]
        assert sorted(seated) == evening.list_playing(number)


@some
@given(st.sampled_from(["round_robin", "knockout", "swiss", "groups"]), st.integers(6, 13), SEEDS)
def test_the_same_draws_give_the_same_pairing_however_players_and_results_are_listed(system, count, seed) -> None:
    evening = Evening(system, count, seed, draws=False, table_size=3 if system == "groups" else 2).play(3)
    shuffled = random.Random(seed)
    for number in range(1, 4):
        players = evening.list_playing(number)
        shuffled.shuffle(players)
        shuffled.shuffle(evening.results)
        again = pair_round(
            system, players, evening.results, number, random.Random(seed + number).randrange,
            evening.table_size, lots=evening.lots,
        )  # fmt: skip
        assert again == evening.pairings[number - 1]


@pytest.mark.parametrize("count", range(2, 18))
def test_in_a_round_robin_everyone_meets_everyone_once_and_begins_as_often_as_not(count) -> None:
    rounds = count_rounds("round_robin", count, 0)
    evening = Evening("round_robin", count, count).play(rounds)
    meetings = count_meetings(evening.results)
    assert meetings == Counter(frozenset(pair) for pair in combinations(range(1, count + 1), 2))
    assert count_byes(evening.results) == (dict.fromkeys(range(1, count + 1), 1) if count % 2 else {})
    for player in range(1, count + 1):
        assert abs(2 * measure_first_surplus(player, evening.results)) <= (0 if count % 2 else 1)
    with pytest.raises(NotPairable) as wrong:
        evening.pair(rounds + 1, 0)
    assert (wrong.value.reason, wrong.value.params) == ("no_rounds_left", {"rounds": rounds})


@some
@given(st.data(), st.integers(3, 12), SEEDS)
def test_who_leaves_a_round_robin_gives_byes_and_changes_nothing_else(data, count, seed) -> None:
    leavers = data.draw(st.dictionaries(st.integers(1, count), st.integers(1, 5), max_size=count - 2))
    whole = Evening("round_robin", count, seed)
    less = Evening("round_robin", count, seed, leavers)
    for number in range(1, count_rounds("round_robin", count, 0) + 1):
        playing = set(less.list_playing(number))
        expected = {tuple(p for p in table if p in playing) for table in whole.pair(number, 0).tables} - {()}
        assert set(less.pair(number, 0).tables) == expected


@some
@given(st.integers(2, 40), SEEDS)
def test_a_knockout_leaves_one_after_its_rounds(count, seed) -> None:
    rounds = count_rounds("knockout", count, 0)
    evening = Evening("knockout", count, seed, draws=False, forfeits=False)
    alive = set(range(1, count + 1))
    for number in range(1, rounds + 1):
        pairing = evening.play_round(number)
        assert {player for table in pairing.tables for player in table} == alive
        byes = [table for table in pairing.tables if len(table) == 1]
        assert len(byes) == (2**rounds - count if number == 1 else 0)
        alive = {result.winner for result in evening.results if result.round == number}
    assert len(alive) == 1
    with pytest.raises(NotPairable, match="no_rounds_left"):
        evening.pair(rounds + 1, 0)


@some
@given(st.data(), st.integers(4, 20), SEEDS)
def test_the_opponents_of_those_who_leave_a_knockout_go_on(data, count, seed) -> None:
    leavers = data.draw(st.dictionaries(st.integers(1, count), st.integers(1, 5), max_size=count))
    evening = Evening("knockout", count, seed, leavers, draws=False, forfeits=False)
    alive = set(range(1, count + 1))
    for number in range(1, count_rounds("knockout", count, 0) + 1):
        alive &= set(evening.list_playing(number))
        pairing = evening.try_round(number)
        if isinstance(pairing, NotPairable):
            assert len(alive) <= 1
            wanted = "tournament_is_decided" if alive else "nobody_is_left"
            assert pairing.reason == (wanted if len(evening.list_playing(number)) > 1 else "too_few_players")
            return
        assert {player for table in pairing.tables for player in table} == alive
        alive = {result.winner for result in evening.results if result.round == number}
    assert len(alive) <= 1


@some
@given(st.data(), st.integers(2, 8), st.integers(1, 7), SEEDS)
def test_swiss_has_the_fewest_rematches_that_any_pairing_has(data, count, rounds, seed) -> None:
    evening = Evening("swiss", count, seed, {count: data.draw(st.integers(1, 9))} if count > 2 else {})
    for number in range(1, rounds + 1):
        playing = evening.list_playing(number)
        before = count_meetings(evening.results)
        pairing = evening.play_round(number)
        places = [*playing, 0] if len(playing) % 2 else playing
        least = min(sum(before[frozenset(pair)] > 0 for pair in pairs) for pairs in list_matchings(places))
        assert sum(before[frozenset(table)] > 0 for table in pairing.tables) == least
        assert least == 0 or number > len(places) // 2


@few
@given(st.integers(9, 12), SEEDS)
def test_swiss_has_no_rematch_in_half_as_many_rounds_as_players(count, seed) -> None:
    """Whoever has met fewer than half of the others leaves a pairing without a rematch, by Dirac's theorem."""
    evening = Evening("swiss", count, seed).play((count + count % 2) // 2)
    assert max(count_meetings(evening.results).values()) == 1


@some
@given(st.integers(3, 13).filter(lambda count: count % 2), SEEDS)
def test_a_swiss_bye_goes_to_one_who_had_none_and_to_the_lowest_in_the_first_rounds(count, seed) -> None:
    evening = Evening("swiss", count, seed)
    for number in range(1, (count + 1) // 2 + 1):
        totals = compute_totals(range(1, count + 1), evening.results, Points())
        had = count_byes(evening.results)
        order = sorted(totals, key=lambda each: (-totals[each], evening.lots.index(each)))
        met = count_meetings(evening.results)
        player = evening.play_round(number).tables[-1][0]
        assert not had[player]
        lower = [other for other in order[order.index(player) + 1 :] if not had[other]]
        for other in lower:  # a bye for a lower one would have made two meet again
            rest = [each for each in order if each != other]
            assert count <= 9, "so many players can always be paired"
            assert min(sum(met[frozenset(pair)] for pair in pairs) for pairs in list_matchings(rest)) > 0


@some
@given(st.integers(4, 12), SEEDS)
def test_swiss_shares_the_first_seats(count, seed) -> None:
    evening = Evening("swiss", count, seed, forfeits=False)
    for number in range(1, 5):
        before = {player: measure_first_surplus(player, evening.results) for player in range(1, count + 1)}
        for table in evening.play_round(number).tables:
            assert len(table) == 1 or before[table[0]] <= before[table[1]]


@some
@given(st.integers(1, 4), SEEDS)
def test_the_matching_is_the_best_of_all_and_does_not_depend_on_the_order_of_its_input(half, seed) -> None:
    chance = random.Random(seed)
    places = list(range(2 * half))
    costs = {
        pair: (chance.randrange(2), chance.randrange(3), chance.randrange(50), chance.randrange(2**60))
        for pair in combinations(places, 2)
    }

    def weigh(pairs):
        return [sum(column) for column in zip(*(costs[pair] for pair in pairs), strict=True)]

    found = match_at_least_cost(costs)
    assert weigh(found) == min(map(weigh, list_matchings(places)))
    pairs = list(costs.items())
    chance.shuffle(pairs)
    assert match_at_least_cost(dict(pairs)) == found


@few
@given(st.integers(3, 8), st.integers(0, 5), SEEDS)
def test_no_two_swiss_pairings_are_equally_good(count, rounds, seed) -> None:
    """So it does not matter which of the best ones the library would find first."""
    evening = Evening("swiss", count, seed).play(rounds)
    order, costs = weigh_tables(range(1, count + 1), evening.results, Points(), evening.lots)
    ways = list_matchings(range(count + count % 2))
    weights = sorted([sum(column) for column in zip(*(costs[pair] for pair in way), strict=True)] for way in ways)
    assert sorted(order) == list(range(1, count + 1))
    assert weights[:1] != weights[1:2]


@pytest.mark.parametrize("count", [9, 24, 47])
def test_a_small_swiss_is_paired_as_a_whole(count) -> None:
    evening = Evening("swiss", count, count).play(1)
    cut = evening.pair(2, 0)
    evening.is_cut = False
    assert evening.pair(2, 0) == cut


@pytest.mark.parametrize(("count", "seed"), [(61, 1), (72, 2), (75, 3)])
def test_a_large_swiss_in_sections_has_no_rematch_shares_seats_and_gives_byes_once(count, seed) -> None:
    evening = Evening("swiss", count, seed)
    for number in range(1, 5):
        before = {player: measure_first_surplus(player, evening.results) for player in range(1, count + 1)}
        totals = compute_totals(range(1, count + 1), evening.results, Points())
        order = sorted(totals, key=lambda each: (-totals[each], evening.lots.index(each)))
        had = count_byes(evening.results)
        pairing = evening.play_round(number)
        assert sorted(player for table in pairing.tables for player in table) == list(range(1, count + 1))
        assert all(len(table) == 1 or before[table[0]] <= before[table[1]] for table in pairing.tables)
        if count % 2:
            assert pairing.tables[-1] == (next(each for each in reversed(order) if not had.get(each)),)
    assert max(count_meetings(evening.results).values()) == 1


def test_sections_grow_with_the_opponents_that_players_have_met() -> None:
    """Three groups of 24 that have played among themselves alone would be the sections, and all would meet again."""
    results, rounds = [], range(1, 24)
    for group in range(3):
        players = range(24 * group + 1, 24 * group + 25)
        for number in rounds:
            tables = pair_round("round_robin", players, [], number, int, lots=players).tables
            results += [TableResult(number, 12 * group + at, pair, (pair,)) for at, pair in enumerate(tables, 1)]
    met = count_meetings(results)
    everybody = range(1, 73)
    tables = pair_round("swiss", everybody, results, 24, lambda _most: 0, lots=everybody, is_cut=True).tables
    assert not any(met[frozenset(table)] for table in tables)


@some
@given(st.lists(st.integers(1, 60), min_size=1, max_size=12), st.sampled_from([24, 32, 62]))
def test_sections_are_even_and_are_cut_between_groups_where_that_can_be(groups, least) -> None:
    scores = [-number for number, size in enumerate(groups) for _ in range(size)]
    scores = scores[: len(scores) - len(scores) % 2]
    cuts = find_cuts(scores, least)
    ends = [0, *cuts, len(scores)]
    sizes = [end - start for start, end in pairwise(ends)]
    assert all(size % 2 == 0 for size in sizes)
    assert not cuts or all(least <= size < 2 * least for size in sizes)
    for start, cut in zip(ends, cuts, strict=False):
        ways = range(start + least, min(start + 2 * least, len(scores) - least) + 1, 2)
        between = [way for way in ways if way <= start + least + 22 and scores[way - 1] != scores[way]]
        assert scores[cut - 1] != scores[cut] or not between


@some
@given(st.integers(3, 30), st.sampled_from([(3, 3), (3, 4), (3, 6), (4, 5), (5, 6)]), st.integers(2, 6), SEEDS)
def test_group_tables_are_even_and_within_their_sizes(count, sizes, wanted, seed) -> None:
    evening = Evening("groups", count, seed, table_size=wanted, table_sizes=sizes)
    possible = any(sizes[0] * tables <= count <= sizes[1] * tables for tables in range(1, count + 1))
    pairing = evening.try_round(1)
    if isinstance(pairing, NotPairable):
        assert not possible
        assert pairing.params == {"players": count, "least": sizes[0], "most": sizes[1]}
        return
    assert possible
    lengths = [len(table) for table in pairing.tables]
    assert sizes[0] <= min(lengths) <= max(lengths) <= min(sizes[1], min(lengths) + 1)


def weigh_groups(tables, met, totals):
    """Return how often players meet again, squared, and how far their points lie apart, squared."""
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    return (
        sum(met[frozenset(pair)] ** 2 for pair in pairs),
        sum((totals[one] - totals[other]) ** 2 for one, other in pairs),
    )


def list_swaps(tables):
    """Yield the tables after each swap of two players of different tables."""
    for one, other in combinations([player for table in tables for player in table], 2):
        swapped = {one: other, other: one}
        yield [tuple(swapped.get(player, player) for player in table) for table in tables]


@few
@given(st.integers(8, 14), SEEDS)
def test_no_swap_makes_groups_better_and_they_are_no_worse_than_cut_by_points_alone(count, seed) -> None:
    evening = Evening("groups", count, seed, table_size=4, table_sizes=(3, 5))
    for number in range(1, 4):
        met = count_meetings(evening.results)
        totals = compute_totals(range(1, count + 1), evening.results, Points())
        order = sorted(totals, key=lambda each: (-totals[each], evening.lots.index(each)))
        tables = evening.play_round(number).tables
        for swap in list_swaps(tables):
            assert weigh_groups(swap, met, totals) >= weigh_groups(tables, met, totals), "a swap makes it better"
        rest, cut = order, []
        for table in tables:
            cut.append(rest[: len(table)])
            rest = rest[len(table) :]
        assert weigh_groups(tables, met, totals) <= weigh_groups(cut, met, totals)
        if number == 1:
            assert [sorted(table) for table in tables] == [sorted(table) for table in cut]


def test_every_reason_is_listed() -> None:
    import re
    from pathlib import Path

    folder = Path(__file__).parents[2] / "referee/tournament/pairing"
    raised = {
        reason
        for path in folder.glob("*.py")
        for reason in re.findall(r'NotPairable\(\s*"([a-z_]+)"', path.read_text("utf-8"))
    }
    assert raised == REASONS
