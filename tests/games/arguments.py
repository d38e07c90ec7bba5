"""What tables quarrel about: a move on a table, and the clause that a knowledgeable player names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest

from referee.engine.events import Move
from referee.engine.referee import rule_on_move
from referee.engine.seats import Seat


@dataclass(frozen=True)
class Argument:
    """A move that somebody makes or wants to make, and how a knowledgeable player settles the quarrel.

    `says`: the quarrel in a few words. `clause`: for a refused move the one that the refusal has to cite first; for a
    legal move one that the ruling has to rest on. `also`: other clauses that parties name and that bear on it, too.
    `never`: clauses that do not bear on it.
    """

    says: str
    state: Any
    seat: int
    move: Move
    clause: str
    legal: bool = False
    also: tuple[str, ...] = ()
    never: tuple[str, ...] = ()

    def is_settled_rightly(self) -> bool:
        """Whether the referee settles it as a knowledgeable player would."""
        ruling, _ = rule_on_move(self.state, Seat(self.seat), self.move)
        if ruling.granted != self.legal:
            return False
        rests = self.clause in ruling.clauses if self.legal else self.clause == ruling.clauses[0]
        return rests and set(self.also) <= set(ruling.clauses) and not set(self.never) & set(ruling.clauses)


def as_parameters(arguments: Iterable[Argument]) -> list[Any]:
    """The arguments as parameters of a test, named by what they are about."""
    return [pytest.param(each, id=each.says) for each in arguments]


def check_argument(each: Argument) -> None:
    """Fail with the ruling if the referee does not settle a quarrel as a knowledgeable player would."""
    ruling, _ = rule_on_move(each.state, Seat(each.seat), each.move)
    assert ruling.verdict == ("granted" if each.legal else "refused"), ruling
    if each.legal:
        assert each.clause in ruling.clauses
    else:
        assert ruling.clauses[0] == each.clause, ruling.broken_rules
    assert set(each.also) <= set(ruling.clauses)
    assert not set(each.never) & set(ruling.clauses), ruling.broken_rules
