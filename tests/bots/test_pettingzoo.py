"""The adapter passes PettingZoo's own tests, and its numbers stand for what the seat may see and do."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="the extra is not installed: pip install '.[research]'")

import numpy as np
from pettingzoo.test import api_test, seed_test

from referee.bots.env import Environment
from referee.bots.features import GREATEST, hash_features, list_features
from referee.bots.pettingzoo import ACTIONS, DECLINE, MOVE_FEATURES, VIEW_FEATURES, MatchEnv, env
from referee.engine.codec import encode
from referee.engine.game import Setup
from referee.engine.referee import judge_move
from referee.engine.rulings import MalformedInput
from tests.bots.environments import dealt_setups

each = pytest.mark.parametrize("pair", dealt_setups())
Pair = tuple[str, Setup]
# It says so of every environment whose observations are a dict and that is not among its own by name.
OF_EVERY_DICT = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
)


def options(setup: Setup) -> dict[str, Any]:
    return {
        "variant": setup.variant,
        "seats": setup.seats,
        "settings": setup.settings,
        "edition": setup.edition,
    }


def at_random(match: Any, dice: random.Random, most: int = 100_000) -> Any:
    """Plays at random; yields each agent with its observation before its action is taken."""
    for agent in match.agent_iter(most):
        observation, _, terminated, truncated, _ = match.last()
        action = None
        if not (terminated or truncated):
            action = int(dice.choice(np.flatnonzero(observation["action_mask"])))
        yield agent, observation, action
        match.step(action)


@each
def test_pettingzoo_finds_nothing_to_object_to(pair: Pair) -> None:
    name, setup = pair
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        api_test(env(name, **options(setup)), num_cycles=1000)
    said = {str(each.message) for each in found}
    assert {words for words in said if not words.startswith(OF_EVERY_DICT)} == set()


@each
def test_pettingzoo_finds_the_same_course_for_the_same_seed(pair: Pair) -> None:
    name, setup = pair
    seed_test(lambda: env(name, **options(setup)), num_cycles=100)


@each
def test_every_action_of_the_mask_is_a_legal_move_and_no_other_is_there(pair: Pair) -> None:
    name, setup = pair
    match = MatchEnv(name, **options(setup))
    match.reset(3)
    for agent, observation, action in at_random(match, random.Random(3), 150):
        if action is None:
            break
        seat, inner = match.possible_agents.index(agent), match.match
        taken = set(np.flatnonzero(observation["action_mask"]))
        assert taken - {DECLINE} == set(range(1, len(match.offer.moves) + 1))
        assert (DECLINE in taken) == inner.may_decline(seat)
        for number in taken - {DECLINE}:
            move = match.offer.moves[number - 1]
            assert judge_move(inner.state, seat, move).granted
            assert list(observation["moves"][number]) == hash_features(encode(move), MOVE_FEATURES)
        for other in set(match.agents) - {agent}:
            seen = match.observe(other)
            assert not seen["action_mask"].any()
            assert not seen["moves"].any()
        assert all(match.infos[other] == {} for other in set(match.agents) - {agent})


@each
def test_observations_are_the_same_whatever_is_hidden(pair: Pair) -> None:
    name, setup = pair
    match = MatchEnv(name, **options(setup))
    match.reset(4)
    dice, real, differ = random.Random(4), match.match, 0
    for _, _, action in at_random(match, random.Random(4), 80):
        if action is None:
            break
        for seat, viewer in enumerate(match.possible_agents):
            here = match.observe(viewer)
            match.match = real.determinize(seat, dice.randrange)
            there = match.observe(viewer)
            differ += match.match.state != real.state
            match.match = real
            assert all(np.array_equal(here[part], there[part]) for part in here)
    assert differ, "something was hidden"


@each
def test_it_plays_the_environment_and_ends_with_its_rewards(pair: Pair) -> None:
    name, setup = pair
    match, inner = env(name, **options(setup)), Environment(name)
    match.reset(seed=9)
    inner.reset(9, setup.variant, setup.seats, setup.settings, setup.edition)
    got: dict[str, float] = {}
    for agent, _, action in at_random(match, random.Random(9)):
        if action is None:
            got[agent] = match.unwrapped._cumulative_rewards[agent]
            continue
        seat = inner.seat_to_move
        assert agent == f"seat_{seat}"
        inner.step(inner.offer_moves(seat, ACTIONS).moves[action - 1] if action else None)
    assert inner.outcome is not None
    assert got == {f"seat_{seat}": reward for seat, reward in enumerate(inner.rewards)}


def test_an_action_that_the_mask_forbids_ends_the_match_and_is_refused_without_checks() -> None:
    match = env("mau_mau")
    match.reset(seed=1)
    agent = match.agent_selection
    match.step(ACTIONS)
    assert match.rewards[agent] == -1
    assert all(match.terminations.values())
    assert not match.observe(agent)["action_mask"].any()
    bare = MatchEnv("mau_mau")
    bare.reset(1)
    state = bare.match.state
    for action in (ACTIONS, -1, None):
        with pytest.raises(ValueError, match="no action"):
            bare.step(action)
    with pytest.raises(ValueError, match="cannot decline"):
        bare.step(DECLINE)
    assert bare.match.state is state


def test_a_sample_is_offered_where_there_are_more_moves_and_the_info_says_so() -> None:
    match = env("shy_monsters", actions=50)
    match.reset(seed=2)
    observation, *_, info = match.last()
    assert info == {"sample": True}
    assert observation["action_mask"][1:].all()
    assert len({tuple(row) for row in observation["moves"][1:]}) > 45, "different moves look different"
    match = env("mau_mau", actions=50)
    match.reset(seed=2)
    assert match.last()[-1] == {"sample": False}


def test_a_match_is_truncated_after_so_many_actions() -> None:
    match = env("munchkin", max_steps=20)
    match.reset(seed=3)
    taken = [action for _, _, action in at_random(match, random.Random(3))]
    assert len([action for action in taken if action is not None]) == 20
    assert taken[20:] == [None] * 3
    assert match.agents == []


def test_resets_without_a_seed_differ_and_follow_from_the_last_seed() -> None:
    match = MatchEnv("mau_mau")
    first = []
    for _ in range(2):
        match.reset(7)
        assert match.match.seed == "7"
        match.reset()
        once = match.match.seed
        match.reset()
        first.append((once, match.match.seed))
    assert first[0] == first[1]
    assert len({*first[0], "7"}) == 3
    one, two = MatchEnv("mau_mau"), MatchEnv("mau_mau")
    one.reset()
    two.reset()
    assert one.match.seed != two.match.seed


def test_a_wrong_setup_is_refused_at_once_and_the_table_can_be_printed() -> None:
    with pytest.raises(MalformedInput):
        env("mau_mau", seats=9)
    match = env("mau_mau", render_mode="ansi")
    match.reset(seed=1)
    assert '"seat": "bystander"' in match.render()
    assert str(match) == "referee_mau_mau_standard_v0"
    quiet = env("mau_mau")
    quiet.reset(seed=1)
    assert quiet.render() is None
    quiet.close()


def test_features_are_those_of_the_table_in_the_docs_and_fit_into_a_byte() -> None:
    assert list(list_features({"hp": 12})) == [("/hp=12", 1), ("/hp", 12)]
    assert list(list_features({"zones": {"hand:0": ["axe", "axe"]}})) == [("/zones/hand:0[]=axe", 1)] * 2
    assert list(list_features({"tiles": [{"x": 1}], "none": None})) == [("/tiles/0/x=1", 1), ("/tiles/0/x", 1)]
    assert list(list_features({"over": True, "gold": 0})) == [("/over=True", 1), ("/gold=0", 1)]
    numbers = hash_features({"gold": 10**9, "debt": -(10**9)}, 64)
    assert {GREATEST, -GREATEST} >= {number for number in numbers if abs(number) > 2} != set()
    inner = Environment("here_to_slay")
    inner.reset(1)
    numbers = hash_features(inner.observe(0), VIEW_FEATURES)
    assert sum(number != 0 for number in numbers) > 30
    assert numbers != hash_features(inner.observe(1), VIEW_FEATURES)
