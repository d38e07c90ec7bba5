"""A match as an environment of PettingZoo (AEC). Needs the extra `research`.

    from referee.bots.pettingzoo import env

    match = env("here_to_slay", seats=3)
    match.reset(seed=7)
    for agent in match.agent_iter():
        observation, reward, terminated, truncated, info = match.last()
        over = terminated or truncated
        match.step(None if over else match.action_space(agent).sample(observation["action_mask"]))

**Agents** are `seat_0`, `seat_1`, …. All of them stay to the end; one who is out of the match is not selected.

**Whose turn.** `agent_selection` is `Environment.seat_to_move`. Where several seats are awaited at once, for instance
to lay something down secretly or to answer a roll, they are asked one after the other, the next one round the table
first. What is sealed stays hidden from those who answer later. A seat that is only invited, for instance by a trade
offered to it, is asked before them and may decline with action 0. What a seat may do at any time without being invited
is not asked for: `Environment.step` takes it.

**Actions** are numbers. 0 declines an invitation. 1 … `actions` is a move of the present offer, in its order, so a
number means another move at each question: `moves` tells what it means. Where more moves than `actions` are legal (a
floor of the Shy Monsters, a deck of the League), a sample is offered that depends on the seed; `info["sample"]` says
so. It has a move of each kind. Concessions are offered only where nothing else is legal.

**Observations** are a dict of arrays of int8:

- `observation`: what the seat sees, hashed to `VIEW_FEATURES` numbers (`referee.bots.features`). Seats are as numbered,
  not relative to the agent.
- `action_mask`: which actions can be taken. It is zero for all agents but the selected one, and after the end.
- `moves`: for each action its move, hashed to `MOVE_FEATURES` numbers, for policies that rate moves.

The whole view as plain data is `match.unwrapped.match.observe(seat)`.

**Rewards** come at the end: 1 for who won, -1 for who lost, 0 if nobody did. The match is truncated after
`max_steps` actions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from referee.bots.env import Environment
from referee.bots.features import GREATEST, hash_features
from referee.bots.offers import Offer
from referee.engine.codec import encode
from referee.engine.seats import BYSTANDER

VIEW_FEATURES = 512
MOVE_FEATURES = 32
DECLINE = 0  # the action that declines an invitation
ACTIONS = 200  # moves that are offered at most, besides it
MAX_STEPS = 20_000
ILLEGAL_REWARD = -1  # of an agent that takes an action that its mask forbids
Observation = dict[str, np.ndarray[Any, np.dtype[np.int8]]]


def env(game: str, **options: Any) -> AECEnv:
    """Return a match as an environment, with PettingZoo's usual checks around it.

    The options are those of `MatchEnv`. An agent that takes an action that its mask forbids ends the match.
    """
    checked = wrappers.TerminateIllegalWrapper(MatchEnv(game, **options), illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


class MatchEnv(AECEnv):
    """A match without checks of what agents do.

    `variant`, `seats`, `settings`, `edition`: as `Environment.reset` takes them.
    `actions`: moves that are offered at most. `max_steps`: the match is truncated after this many actions.
    """

    def __init__(
        self,
        game: str,
        variant: str = "",
        seats: int = 0,
        settings: Mapping[str, Any] | None = None,
        edition: str = "",
        actions: int = ACTIONS,
        max_steps: int = MAX_STEPS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.match = Environment(game)
        self._setup: dict[str, Any] = {"variant": variant, "seats": seats, "settings": settings, "edition": edition}
        self.match.reset(0, **self._setup)  # a wrong setup is refused here
        self.metadata = {
            "name": f"referee_{game}_{self.match.setup.variant.lower()}_v0",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.max_steps = max_steps
        self._actions = actions
        self.possible_agents = [f"seat_{seat}" for seat in self.match.seats]
        self.observation_spaces = {agent: build_observation_space(actions) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions + 1) for agent in self.possible_agents}
        self._seeds: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match. With a seed it is that of `Environment.reset(seed)`.

        Without one the seed is drawn, after the last given seed. There are no options.
        """
        if seed is not None or self._seeds is None:
            self._seeds, _ = seeding.np_random(seed)
        drawn = int(self._seeds.integers(1 << 62)) if seed is None else int(seed)
        self.match.reset(drawn, **self._setup)
        self.steps = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select_next()

    def observe(self, agent: str) -> Observation:
        """Return the observation of an agent. See the head of this module."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(self._actions + 1, np.int8)
        moves = np.zeros((self._actions + 1, MOVE_FEATURES), np.int8)
        is_done = self.terminations.get(agent, True) or self.truncations.get(agent, True)
        if agent == self.agent_selection and not is_done:
            mask[DECLINE] = self.match.may_decline(seat)
            mask[1 : len(self.offer.moves) + 1] = 1
            for action, move in enumerate(self.offer.moves, 1):
                moves[action] = hash_features(encode(move), MOVE_FEATURES)
        view = np.array(hash_features(self.match.observe(seat), VIEW_FEATURES), np.int8)
        return {"observation": view, "action_mask": mask, "moves": moves}

    def step(self, action: int | None) -> None:
        """Take an action of the selected agent, or None for an agent that is done.

        Raises ValueError if the action stands for no move.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action <= len(self.offer.moves):
            raise ValueError(f"there is no action {action}, see action_mask")
        self.match.step(None if action == DECLINE else self.offer.moves[action - 1])
        self.steps += 1
        self._cumulative_rewards[agent] = 0
        self.rewards = dict(zip(self.agents, self.match.rewards, strict=True))
        is_over = self.match.outcome is not None
        self.terminations = dict.fromkeys(self.agents, is_over)
        self.truncations = dict.fromkeys(self.agents, not is_over and self.steps >= self.max_steps)
        self._accumulate_rewards()
        self._select_next()

    def _select_next(self) -> None:
        """Select the agent to ask, and what it is offered."""
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.offer = Offer(())
        if self.match.outcome is None:
            seat = self.match.seat_to_move
            self.agent_selection = self.possible_agents[seat]
            self.offer = self.match.offer_moves(seat, self._actions)
            self.infos[self.agent_selection] = {"sample": self.offer.is_sample}

    def render(self) -> str | None:
        """Return what all may see, as JSON, if the mode is `ansi`."""
        if self.render_mode is None:
            return None
        return json.dumps(self.match.observe(BYSTANDER), indent=1)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def build_observation_space(actions: int) -> spaces.Dict:
    """Return the space of the observations of one agent."""

    def numbers(*shape: int) -> spaces.Box:
        return spaces.Box(-GREATEST, GREATEST, shape, np.int8)

    return spaces.Dict(
        {
            "observation": numbers(VIEW_FEATURES),
            "action_mask": spaces.Box(0, 1, (actions + 1,), np.int8),
            "moves": numbers(actions + 1, MOVE_FEATURES),
        }
    )
