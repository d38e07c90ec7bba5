"""The law of takebacks: what is granted at once tells nobody anything. In every game, for everybody who looks on: in
each other world that he could not tell from this one before the moves that are taken back, the same moves would have
shown him the same; so he knows no more after them than before.

`REFEREE_LEAK_ROUNDS=10` plays ten matches of each setup.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import pytest

from referee.desk.court.crossing import crossed
from referee.desk.court.evidence import Evidence
from referee.desk.entries import Logged, folded
from referee.desk.matches import Chair, Match, MatchOpened, Started
from referee.games import games
from referee.kernel.box import Setup
from referee.kernel.codec import encode
from referee.kernel.facts import fold
from referee.kernel.play import drawn, play, settle, view
from referee.kernel.rulings import Refused, Unknown
from referee.kernel.seats import BYSTANDER, CHANCE
from tests.games.matches import ids, random_match, setups
from tests.leaks.worlds import Turn, hidden, refitted, seen

ROUNDS = int(os.environ.get("REFEREE_LEAK_ROUNDS", "1"))
MOVES, BACK = 36, 2  # moves of a match, and how many of them are taken back at most
SETUPS = [pair for pair in setups() if "@" not in pair[1].edition]
FOUND: Counter[str] = Counter()


@dataclass(frozen=True)
class Known(Evidence):
    """Evidence whose every version was folded before."""

    states: tuple[Match, ...] = ()

    def at(self, version: int) -> Match:
        return self.states[version]


def told(pair: tuple[str, Setup], seed: int) -> tuple[list[Logged], tuple[Match, ...]]:
    """The log of a random match, as a desk would have it, and the match at every version."""
    name, setup = pair
    game = games()[name]
    opened = game.open(setup)
    chairs = tuple(Chair("bot" if seat in setup.named else "human", 0, True) for seat in range(setup.seats))
    table = MatchOpened(
        "m", name, setup.variant, setup.edition, game.ruleset, setup.settings, setup.chance, "public", 0, "", chairs
    )
    facts = (Started(name, encode(opened)), *settle(opened))
    entries = [
        Logged("m", 1, 0, BYSTANDER, "table", None, (table,), (), b""),
        Logged("m", 2, 0, BYSTANDER, "table", None, facts, (), b""),
    ]
    for number, turned in zip(range(3, MOVES + 3), random_match(name, setup, seed), strict=False):
        actor = "chance" if turned.seat == CHANCE else "player"
        entries.append(Logged("m", number, 0, int(turned.seat), actor, turned.move, turned.facts, (), b""))
    states = [Match()]
    for entry in entries:
        states.append(folded(states[-1], [entry]))
    return entries, tuple(states)


def told_apart(pair: tuple[str, Setup], moves: list[Logged], here: Any, eye: int, dice: random.Random) -> str | None:
    """What shows these eyes, in another world that they could not tell from this one, that it is another; None: nothing
    does. Where somebody else's hidden cards would have to be others, others that fit are tried."""
    name, _ = pair
    world = games()[name].otherwise(here, eye, lambda cards: dice.sample(list(cards), len(cards)))
    assert view(world, eye) == view(here, eye)
    if world == here:
        return None
    for entry in moves:
        turn = Turn(entry.version, entry.seat, entry.move, entry.seat == eye)  # type: ignore[arg-type]
        wanted, unseen = seen(turn, entry.facts, (eye,)), False  # type: ignore[arg-type]
        tries = [turn]
        if entry.seat == CHANCE:
            tries, unseen = [replace(turn, move=drawn(world, dice.randrange))], True
        elif entry.seat != eye and hidden(turn.move, turn.seat, (eye,)):  # type: ignore[arg-type]
            tries, unseen = [turn, *refitted(world, turn, (eye,), dice)], True  # type: ignore[arg-type]
        after = None
        for each in tries:
            try:
                facts = play(world, each.seat, each.move)
            except (Refused, Unknown):
                continue
            if seen(each, facts, (eye,)) == wanted:  # type: ignore[arg-type]
                after = fold(world, facts)
                break
        if after is None:
            return None if unseen else f"seat {eye} is told something by {entry.move} of {entry.version}"
        world = after
    FOUND["worlds"] += 1
    return None


@pytest.mark.clause("TABLE-TAKEBACK-1")
@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.parametrize("pair", SETUPS, ids=ids)
def test_nobody_knows_more_after_what_is_taken_back_at_once(pair: tuple[str, Setup], seed: int) -> None:
    (name, setup), dice = pair, random.Random(f"{ids(pair)}{seed}")
    entries, states = told(pair, seed)
    for to in range(2, len(entries)):
        for version in range(to + 1, min(to + BACK, len(entries)) + 1):
            log = entries[:version]
            evidence = Known(states[version], version, 0, None, lambda log=log: log, states=states)  # type: ignore[misc]
            rules = crossed(evidence, to, None).rules
            FOUND.update(rules)
            FOUND[f"{name} at once"] += not rules
            tells = "revealed" in rules or "random" in rules
            for eye in (*range(setup.seats), BYSTANDER):
                try:
                    leak = told_apart(pair, entries[to:version], states[to].state, eye, dice)
                except Unknown:
                    continue  # at a real table the game does not know what there is to permute
                FOUND["told by right"] += leak is not None and tells
                assert leak is None or tells, (rules, leak)


def test_there_was_something_to_take_back_and_something_to_be_told() -> None:
    if FOUND["worlds"] == 0:
        pytest.skip("counts what the law above has found, and that was not run")
    assert FOUND["told by right"] > 100, "the worlds differ enough for what is shown by right to be told apart"
    assert {"turn", "others", "revealed", "random"} <= set(FOUND)
    assert all(FOUND[f"{name} at once"] for name in games()), FOUND
