"""A search rests on the seat's view, the seed and the number of playouts, and on nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from referee.bots.levels import BOT_STYLES
from referee.bots.minds import BRIEF, LEVELS, find_settings, think
from referee.bots.policy import choose_greedy_move, weigh_moves
from referee.bots.search import (
    AVERSION,
    SPITE,
    SURE_PAIRS,
    Option,
    SearchSettings,
    choose_better_option,
    choose_unlike_options,
    drop_clearly_worse_options,
    play_out,
    search_move,
    weigh_share,
)
from referee.bots.seeded import SeededChance
from referee.bots.tournaments.players import UnknownMindError, find_mind
from referee.engine.game import Setup
from referee.engine.referee import check_move
from referee.games import game_of, load_games
from referee.games.creature_crush.moves import EndCombat, Lay
from referee.games.here_to_slay.moves import Modify
from tests.games.matches import marked_setups, recorded

each = pytest.mark.parametrize("pair", marked_setups(), scope="module")
FEW = 6  # playouts
LAID = (((3,), 37), ((2,), 37), ((2, 3), 20))  # dice burned, and what greedy thinks of it

SHOW_MOVES = """
from tests.bots.test_search import list_thoughts
print(*list_thoughts("here_to_slay", "standard"), *list_thoughts("munchkin", "standard"), sep="\\n")
"""


def list_positions(pair: tuple[str, Setup], count: int) -> list[Any]:
    """Return some turns of seats, spread over a random match."""
    turns = [turn for turn in recorded(pair, 0) if turn.seat >= 0]
    return turns[:: max(1, len(turns) // count)][:count]


def shorten(state: Any, **changes: Any) -> SearchSettings:
    """Return the settings for a state, with few short playouts."""
    return replace(find_settings(state, BRIEF), **{"playouts": FEW, "depth": 3, **changes})


def list_thoughts(game: str, variant: str) -> list[str]:
    """Return what a search chooses at some positions, as text."""
    pair = (game, load_games()[game].complete_setup(Setup(variant, load_games()[game].min_seats)))
    return [
        repr(search_move(turn.before, turn.seat, "7", shorten(turn.before)).move) for turn in list_positions(pair, 12)
    ]


@each
def test_a_search_uses_the_view_alone_and_finds_a_legal_move(pair: tuple[str, Setup]) -> None:
    for turn in list_positions(pair, 3):
        state, seat = turn.before, turn.seat
        settings = shorten(state)
        thought = search_move(state, seat, "seed", settings)
        other = game_of(state).tracking.determinize(state, seat, SeededChance("another world"))
        again = search_move(other, seat, "seed", settings)
        assert (thought.move, thought.playouts) == (again.move, again.playouts), "hidden cards change nothing"
        assert [option.shares for option in thought.options] == [option.shares for option in again.options]
        if thought.move is not None:
            check_move(state, seat, thought.move)


def test_a_mind_that_peeks_is_caught() -> None:
    """The law above can fail: looking at the whole table changes what is thought."""
    pair = ("here_to_slay", load_games()["here_to_slay"].complete_setup(Setup("standard", 2)))
    differ = 0
    for turn in list_positions(pair, 12):
        state, seat = turn.before, turn.seat
        game, settings = game_of(state), shorten(state, depth=12)
        other = game.tracking.determinize(state, seat, SeededChance("another world"))
        move = choose_greedy_move(state, seat, SeededChance("1"))
        assert move is not None
        real, drawn = (play_out(game, table, seat, move, SeededChance("2"), settings) for table in (state, other))
        differ += real != drawn
    assert differ


@each
def test_a_thought_is_repeated_from_the_number_of_its_playouts(pair: tuple[str, Setup]) -> None:
    for turn in list_positions(pair, 3):
        settings = shorten(turn.before, playouts=40, depth=2)
        cut = search_move(turn.before, turn.seat, "seed", settings, may_go_on=lambda playouts: playouts < 9)
        reached = cut.playouts
        again = search_move(turn.before, turn.seat, "seed", settings, may_go_on=reached.__gt__)
        assert (cut.move, cut.playouts) == (again.move, again.playouts)
        assert cut.playouts < 9 + len(cut.options)


def test_a_thought_is_the_same_in_another_process() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", SHOW_MOVES],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
    assert found.pop().count("\n") == 24


def test_who_need_not_move_may_decline() -> None:
    pair = ("munchkin", load_games()["munchkin"].complete_setup(Setup("standard", 3)))
    for turn in list_positions(pair, 8):
        thought = search_move(turn.before, turn.seat, "seed", shorten(turn.before), may_decline=True)
        assert [option.move for option in thought.options].count(None) == 1


@each
def test_every_level_thinks_in_every_game(pair: tuple[str, Setup]) -> None:
    (turn,) = list_positions(pair, 1)
    for level in LEVELS:
        move = think(level, turn.before, turn.seat, "seed", may_go_on=lambda playouts: playouts < 4).move
        assert move is not None
        check_move(turn.before, turn.seat, move)


def test_only_a_difference_beyond_the_error_overrules_greedy() -> None:
    first, noisy, sure, few = (Option(None, value) for value in range(4))
    first.shares = dict.fromkeys(range(4), 0.5)
    noisy.shares = {0: 1.0, 1: 0.0, 2: 1.0, 3: 0.1}
    sure.shares = dict.fromkeys(range(4), 0.52)
    few.shares = {0: 1.0, 1: 1.0}
    assert choose_better_option([first, noisy, few], 0.5) is first
    assert choose_better_option([first, noisy, sure, few], 0.5) is sure


def test_candidates_are_unlike_each_other() -> None:
    """The same card with another die or at another place, which greedy thinks equal, is not compared."""
    lay, other_die, more_dice = (Option(Lay("war_drums", "C1", dice), value) for dice, value in LAID)
    other_place, other_card = Option(Lay("war_drums", "C2", (3,)), 37), Option(Lay("dam_break", "C1", (3,)), 37)
    end = Option(EndCombat(), 14)
    options = [lay, other_die, other_place, other_card, more_dice, end]
    assert choose_unlike_options(options, 5) == [lay, other_card, more_dice, end]
    assert choose_unlike_options(options, 3) == [lay, other_card, end], "other cards come before other dice"


def test_what_is_far_behind_is_no_candidate() -> None:
    """A modifier that changes nothing costs 10,000, so that greedy never plays it; it takes no playouts either."""
    pair = ("here_to_slay", load_games()["here_to_slay"].complete_setup(Setup("standard", 2)))
    seen = 0
    for turn in list_positions(pair, 60):
        options = search_move(turn.before, turn.seat, "1", shorten(turn.before, playouts=2)).options
        seen += len(options) > 1
        useless = [each for each in options[1:] if isinstance(each.move, Modify) and each.value < -8000]
        assert not useless
    assert seen


def test_a_thought_is_bounded_by_the_moves_considered() -> None:
    pair = ("creature_crush", load_games()["creature_crush"].complete_setup(Setup("skirmish", 2)))
    fewer = 0
    for turn in list_positions(pair, 8):
        long, short = (
            search_move(turn.before, turn.seat, "1", shorten(turn.before, playouts=60, depth=8, effort=effort))
            for effort in (10_000, 200)
        )
        assert short.considered <= long.considered
        assert short.playouts <= long.playouts
        fewer += short.playouts < long.playouts
    assert fewer


def test_a_candidate_that_is_clearly_worse_gets_no_more_playouts() -> None:
    first, worse, close, new = (Option(None, value) for value in range(4))
    first.shares = {world: 0.5 + world / 100 for world in range(SURE_PAIRS)}
    worse.shares = {world: share - 0.1 + world / 100 for world, share in first.shares.items()}
    close.shares = {world: share + (0.1 if world % 2 else -0.12) for world, share in first.shares.items()}
    new.shares = {0: 0.0, 1: 0.0, 2: 0.1}
    assert drop_clearly_worse_options([first, worse, close, new]) == [first, close, new]


def find_three_players() -> tuple[Any, list[Any]]:
    """Return a game of three and positions of it in which nobody has won yet."""
    game = load_games()["monster_combat"]
    turns = list_positions(("monster_combat", game.complete_setup(Setup("V1", 3))), 12)
    return game, [turn.before for turn in turns if game.find_outcome(turn.before) is None]


def test_a_cautious_bot_minds_what_it_may_lose_and_a_bold_one_what_it_may_win() -> None:
    game, positions = find_three_players()
    now, later = positions[0], positions[len(positions) // 2]
    for before, after in ((now, later), (later, now)):
        plain, cautious, bold = (
            weigh_share(game, before, after, 0, replace(find_settings(after, 3), style=style))
            for style in ("", "cautious", "bold")
        )
        gained = plain - weigh_share(game, before, before, 0, find_settings(before, 3))
        assert gained != 0
        assert (cautious, bold) == pytest.approx(
            (gained / AVERSION, gained) if gained > 0 else (gained, gained / AVERSION)
        )


def test_a_spiteful_bot_counts_what_the_best_of_the_others_has() -> None:
    game, positions = find_three_players()
    differs = 0
    for state in positions:
        shares = [weigh_share(game, state, state, seat, find_settings(state, 3)) for seat in range(3)]
        worth = weigh_share(game, state, state, 0, replace(find_settings(state, 3), style="spiteful"))
        assert worth == pytest.approx(shares[0] - SPITE * max(shares[1:]))
        differs += shares[1] != shares[2]
    assert differs


@pytest.mark.parametrize("style", [each["id"] for each in BOT_STYLES])
def test_a_style_changes_some_moves(style: str) -> None:
    game = load_games()["here_to_slay"]
    turns = list_positions(("here_to_slay", game.complete_setup(Setup("standard", 3))), 40)
    moves = ([think(BRIEF, each.before, each.seat, "7", style=named).move for named in ("", style)] for each in turns)
    assert len(list(islice((one for one, other in moves if one != other), 5))) == 5
    with pytest.raises(UnknownMindError):
        find_mind(f"3-{style}", load_games()["shy_monsters"])
    assert find_mind(f"3-{style}", game).name == f"3-{style}"


@each
def test_a_playout_goes_on_until_a_turn_the_match_or_the_depth_ends(
    pair: tuple[str, Setup], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def answer(state: Any, seat: int, chance: Any) -> Any:
        found = weigh_moves(state, seat, chance)
        asked.append((seat, found[0]))
        return found

    monkeypatch.setattr("referee.bots.search.weigh_moves", answer)
    game = load_games()[pair[0]]
    for turn in list_positions(pair, 4):
        table = game.tracking.determinize(turn.before.view_for(turn.seat), turn.seat, SeededChance("table"), {})
        play_out(game, table, turn.seat, None, SeededChance("dice"), shorten(turn.before, depth=20))
    assert all(seat >= 0 and move is not None for seat, move in asked)  # the clock waits too where time is limited
