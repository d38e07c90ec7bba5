"""What bots that search work out of a floor of the Shy Monsters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.bots.minds import BRIEF, SEARCHING, think
from referee.bots.policy import choose_greedy_move
from referee.bots.seeded import SeededChance
from referee.engine.game import Setup
from referee.engine.referee import build_view, check_move
from referee.engine.seats import Seat
from referee.games import load_games
from referee.games.shy_monsters.components import START_SPOT
from referee.games.shy_monsters.moves import Build, Explore, Jump, Reveal
from referee.games.shy_monsters.reckoning.beliefs import imagine_worlds
from referee.games.shy_monsters.reckoning.hero import weigh_hero_moves
from referee.games.shy_monsters.reckoning.master import describe_floor, match_regrets, mix_floors
from referee.games.shy_monsters.reckoning.walks import DOWN, NOWHERE, OPEN, Action, Knowledge, Outline, Walks, World
from tests.games.matches import recorded

GAME = load_games()["shy_monsters"]
PAIR = ("shy_monsters", GAME.complete_setup(Setup("standard", 2)))
LINE = tuple((0, -step) for step in range(4))  # the entrance and three cards in a row


def rival(state: Any, seat: Seat) -> Any:
    """A greedy player."""
    return choose_greedy_move(state, seat, SeededChance("rival"))


def list_turns(kind: type, count: int = 12) -> list[Any]:
    """Return turns of random matches in which such a move was made."""
    turns = [turn for seed in range(6) for turn in recorded(PAIR, seed) if isinstance(turn.move, kind)]
    return turns[:count]


def walk_the_line(*worlds: World, attack: bool = False, jump: bool = False) -> tuple[float, Action | None]:
    """Return how likely a hero gets out of the row of cards, and what the hero does first."""
    walks = Walks(Outline.of(LINE))
    known = Knowledge(0, attack, jump, (OPEN, DOWN, DOWN, DOWN))
    return walks.estimate(known, list(worlds)), walks.choose_action(known, list(worlds))


def test_a_skill_saves_from_a_monster_that_is_surely_there() -> None:
    there = World(3, 1, 2, True, False, 1.0)
    assert walk_the_line(there)[0] == 0
    assert walk_the_line(there, attack=True) == (1.0, Action(0, 1, attack=True))
    assert walk_the_line(there, jump=True) == (1.0, Action(0, 2, over=1))


def test_a_monster_beside_one_that_is_up_is_harmless() -> None:
    """SM-ACT-2a: a monster that was killed frightens the next one."""
    assert walk_the_line(World(3, 1, 2, True, True, 1.0), attack=True)[0] == 1.0


def test_the_attack_is_kept_for_where_it_saves_most() -> None:
    likely, unlikely = World(3, 2, NOWHERE, True, False, 3.0), World(3, 1, NOWHERE, True, False, 1.0)
    assert walk_the_line(likely, unlikely, attack=True) == (3.0, Action(0, 1))


def test_all_worlds_of_a_floor_are_imagined_and_the_true_one_is_among_them() -> None:
    for turn in [*list_turns(Reveal), *list_turns(Explore)]:
        state = turn.before
        spots = tuple(state.board)
        worlds = imagine_worlds(build_view(state, turn.seat), spots)
        if not any(tile.is_up() and tile.card != "entrance" for tile in state.board.values()):
            laid = tuple(tile for tile in state.tiles if tile.spot != START_SPOT)
            true = describe_floor(laid, spots)
            assert any(world[:5] == true[:5] for world in worlds)
        assert all(world.weight > 0 for world in worlds)


@pytest.mark.parametrize("kind", [Reveal, Explore, Jump])
def test_the_hero_makes_a_legal_move_that_rests_on_the_view(kind: type) -> None:
    for turn in list_turns(kind):
        state, seat = turn.before, turn.seat
        weighed = weigh_hero_moves(build_view(state, seat))
        other = GAME.tracking.determinize(state, seat, SeededChance("another world"))
        assert weighed == weigh_hero_moves(build_view(other, seat))
        for move, share in weighed:
            check_move(state, seat, move)
            assert 0 <= share <= 1
        thought = think(SEARCHING, state, seat, "seed")
        assert not weighed or thought.move == weighed[0][0]


def test_a_hero_who_knows_where_the_exit_lies_goes_there() -> None:
    met = 0
    for turn in list_turns(Explore, 200):
        state = turn.before
        moves = [Explore(*tile.spot) for tile in state.tiles if tile.up and tile.card == "exit"]
        for move in moves:
            if abs(move.x - state.hero_spot[0]) + abs(move.y - state.hero_spot[1]) == 1:
                assert think(SEARCHING, state, turn.seat, "seed").move == move
                met += 1
    assert met


def test_the_master_lays_legal_floors_and_not_always_the_same() -> None:
    (turn,) = list_turns(Build, 1)
    floors = {think(BRIEF, turn.before, turn.seat, str(seed)).move for seed in range(4)}
    assert len(floors) > 1
    for floor in floors:
        assert floor is not None
        check_move(turn.before, turn.seat, floor)
    again = {think(BRIEF, turn.before, turn.seat, str(seed)).move for seed in range(4)}
    assert floors == again


def test_floors_of_one_shape_are_mixed_so_that_none_gives_itself_away() -> None:
    (turn,) = list_turns(Build, 1)
    shape = tuple(sorted(((0, -1), (0, -2), (1, -1), (-1, -1), (0, 1), (1, 1)), key=lambda spot: (spot[1], spot[0])))
    mixture = mix_floors(turn.before, shape, rival)
    assert sum(mixture.shares) == pytest.approx(1)
    assert max(mixture.shares) < 0.9
    assert len({tuple((cell.x, cell.y) for cell in floor) for floor in mixture.floors}) == 1


def test_regret_matching_finds_the_mixture_of_matching_pennies() -> None:
    assert match_regrets([[1.0, 0.0], [0.0, 1.0]]) == pytest.approx([0.5, 0.5], abs=0.05)
    assert match_regrets([[0.0, 0.0], [1.0, 1.0]])[1] > 0.9
    assert match_regrets([[3.0, 0.0], [0.0, 1.0]]) == pytest.approx([0.25, 0.75], abs=0.08)


def test_real_cards_that_nobody_has_named_are_left_to_the_search() -> None:
    (turn,) = list_turns(Build, 1)
    hand = f"hand:{turn.seat}"
    unnamed = replace(turn.before, zones={**turn.before.zones, hand: ("?",) * 6}, at_table=True)
    weighed = GAME.weigh_moves(unnamed, turn.seat, SeededChance("1"), 60, rival)
    assert not weighed
