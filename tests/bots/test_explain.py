"""Hints say what the thought bears out: nothing of hidden cards, nothing within the error, nothing that all share."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from referee.bots.explain import (
    FEWEST_WORLDS,
    MOST_FACTS,
    MOST_OPTIONS,
    AdvisedMove,
    explain_thought,
    list_differing_lines,
    list_lines,
    list_outcomes,
    shows_own_cards,
)
from referee.bots.search import Option, Thought, search_move
from referee.bots.seeded import SeededChance
from referee.engine.events import Move
from referee.engine.game import Setup
from referee.engine.referee import check_move
from referee.engine.seats import Seat
from referee.games import game_of, load_games
from tests.bots.test_search import list_positions, shorten
from tests.games.matches import marked_setups, setups

each = pytest.mark.parametrize("pair", marked_setups(), scope="module")


def think_shortly(state: Any, seat: Seat, **changes: Any) -> Thought:
    """Return a short thought about the view of a seat."""
    return search_move(state, seat, "seed", shorten(state, **changes))


@each
def test_a_hint_rests_on_the_view_alone_and_names_legal_moves(pair: tuple[str, Setup]) -> None:
    for turn in list_positions(pair, 3):
        state, seat = turn.before, turn.seat
        advised = explain_thought(state, seat, think_shortly(state, seat))
        other = game_of(state).tracking.determinize(state, seat, SeededChance("another world"))
        again = explain_thought(other, seat, think_shortly(other, seat))
        assert [asdict(each) for each in advised] == [asdict(each) for each in again], "hidden cards change nothing"
        assert len(advised) <= MOST_OPTIONS
        for option in advised:
            assert len(option.facts) <= MOST_FACTS
            assert all(text["en"] and text["de"] for text in (option.says, *option.facts))
            if option.move is not None:
                check_move(state, seat, option.move)


def test_only_at_tables_with_real_cards_a_view_lacks_cards_that_its_seat_can_look_at() -> None:
    lacking = set()
    for pair in setups():
        for turn in list_positions(pair, 10):
            if not shows_own_cards(turn.before.view_for(turn.seat), turn.seat):
                lacking.add((pair[0], *sorted(pair[1].chance.values())))
    assert {name for name, *_ in lacking} >= {"here_to_slay", "mau_mau", "munchkin", "monster_combat", "creature_crush"}
    assert all("table" in chance for _, *chance in lacking)


def position(most: int = 40) -> tuple[Any, Seat, list[Move]]:
    """Return a position, who is to move there, and three moves to tell apart."""
    game = load_games()["creature_crush"]
    for turn in list_positions(("creature_crush", game.complete_setup(Setup("skirmish", 2))), most):
        options = think_shortly(turn.before, turn.seat, playouts=0, candidates=3).options
        if len(options) == 3:
            return turn.before, turn.seat, [option.move for option in options if option.move is not None]
    raise AssertionError("no such position")


def explain_shares(*shares: list[float]) -> tuple[AdvisedMove, ...]:
    """Return the hint on three moves whose playouts came to these shares of the match; the first was chosen."""
    state, seat, moves = position()
    options = [Option(move, 0, dict(enumerate(each))) for move, each in zip(moves, shares, strict=True)]
    return explain_thought(state, seat, Thought(moves[0], options, sum(map(len, shares))))


def test_only_what_goes_beyond_twice_the_error_is_worse() -> None:
    clear, close, vague = [0.3, 0.31, 0.29] * 4, [0.6, 0.61, 0.58] * 4, [0.9, 0.1, 0.8] * 4
    first, second, third = explain_shares([0.6, 0.6, 0.6] * 4, clear, close)
    assert first.says["en"] == "First of the 3 moves that were compared, but not surely better than all of them."
    assert second.says["en"] == "About as good as the first."
    assert not second.is_clearly_worse
    assert third.says["en"] == "Worse than the first by 30 points in a hundred, give or take 1."
    assert third.says["de"] == "30 Prozentpunkte schlechter als der erste, plus oder minus 1."
    assert third.is_clearly_worse
    assert third.estimate == pytest.approx(0.3)
    first, second, third = explain_shares([0.6, 0.6, 0.6] * 4, clear, vague)
    assert second.says["en"] == "Whether it is better or worse than the first, the playouts do not tell."
    first, *_ = explain_shares([0.6, 0.6, 0.6] * 4, clear, clear)
    assert first.says["en"] == "The best of the 3 moves that were compared."


def test_points_are_the_difference_of_the_numbers_that_are_shown() -> None:
    _, second, third = explain_shares([0.515] * 12, [0.505] * 12, [0.472] * 12)  # 52 %, 51 % and 47 %
    assert second.says["en"] == "Worse than the first by one point in a hundred, give or take 0."
    assert third.says["en"] == "Worse than the first by 5 points in a hundred, give or take 0."


def test_a_move_that_was_dropped_early_is_judged_in_the_worlds_that_it_shares() -> None:
    """Its own mean, from kinder worlds, would put it first."""
    first, second, _ = explain_shares([0.9, 0.9, 0.9, 0.1, 0.1, 0.1], [0.8, 0.8, 0.8], [0.1] * 6)
    assert (first.estimate, second.estimate) == (pytest.approx(0.5), pytest.approx(0.4))
    assert (second.behind, second.error) == (pytest.approx(0.1), pytest.approx(0))
    assert second.playouts == 3


def test_chances_that_the_game_has_worked_out_are_compared_without_playouts() -> None:
    state, seat, moves = position()
    options = [Option(move, 0, {0: share}) for move, share in zip(moves, (0.6, 0.55, 0.7), strict=True)]
    first, second, third = explain_thought(state, seat, Thought(moves[0], options))
    assert first.says["en"] == "First of the 3 moves whose chances were worked out."
    assert {first.playouts, second.playouts, third.playouts} == {0}
    assert (second.estimate, second.says["en"]) == (0.55, "Its chance is lower by 5 points in a hundred.")
    assert (third.estimate, third.behind, third.error) == (0.7, pytest.approx(-0.1), 0.0)
    assert "10 points in a hundred, but whoever always does that is foreseen" in third.says["en"]


def test_too_few_common_worlds_are_no_comparison() -> None:
    *_, last = explain_shares([0.5] * 6, [0.4] * 6, [0.9, 0.9])
    assert (last.estimate, last.behind, last.error) == (None, None, None)
    assert last.says["en"] == "Not compared with the first often enough to tell."


def test_a_move_without_an_alternative_is_said_to_have_none() -> None:
    state, seat, moves = position()
    (only,) = explain_thought(state, seat, Thought(moves[0], [Option(moves[0], 0)]))
    assert only.says["en"] == "There is no other move worth comparing it with."
    assert only.estimate is None
    assert explain_thought(state, seat, Thought(None, [])) == ()


def test_what_playouts_came_to_is_told_where_it_differs() -> None:
    won, mixed = (
        Option(None, 0, dict.fromkeys(range(8), 1.0)),
        Option(None, 0, dict(enumerate([1.0, 0.0, 0.5, 0.5] * 2))),
    )
    assert [each["en"] for each in list_outcomes(won, [won, mixed])] == [
        "In 8 of 8 trial playouts you soon win the match.",
        "In 0 of 8 trial playouts you soon lose the match.",
    ]
    assert [each["de"] for each in list_outcomes(mixed, [won, mixed])] == [
        "In 2 von 8 Probeverläufen gewinnst du die Partie bald.",
        "In 2 von 8 Probeverläufen verlierst du die Partie bald.",
    ]
    assert list(list_outcomes(won, [won, won])) == []
    few = Option(None, 0, dict.fromkeys(range(FEWEST_WORLDS - 1), 0.0))
    assert list(list_outcomes(won, [won, few])) == []


def test_what_all_moves_do_sets_none_apart() -> None:
    burns, lays, ends = ({"en": text, "de": text} for text in ("burns", "lays", "ends"))
    assert list_differing_lines([[burns, lays], [burns, ends, ends]]) == [[lays], [ends]]
    assert list_differing_lines([[burns]]) == [[burns]]


def test_what_a_number_is_made_of_is_told_with_it() -> None:
    game = load_games()["here_to_slay"]
    pair = ("here_to_slay", game.complete_setup(Setup("standard", 2)))
    told = [
        line["en"]
        for turn in list_positions(pair, 400)
        for line in list_lines(game, turn.before.view_for(turn.seat), turn.seat, turn.move)
        if turn.move is not None
    ]
    assert any("(die 1: " in line for line in told)
    assert not any("()" in line for line in told)
