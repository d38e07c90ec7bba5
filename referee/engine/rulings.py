"""Rulings: what the referee says of a move, and the clauses it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Any

MAX_ERRORS = 50  # that are reported of one input; nobody mends more at once


class Scope(IntEnum):
    """How much a broken rule is about, the most specific first.

    Of several broken rules a refusal names first the one that says most about this very move.
    """

    THING = 0  # a card and what bars it, a price, a target, what happens once only
    WINDOW = 1  # a phase, or a window that has not opened or is closed
    TURN = 2  # whose turn it is
    QUESTION = 3  # that the open question asks for something else, in the words of the game
    ANY_GAME = 4  # what holds in every game


@dataclass(frozen=True, slots=True)
class MissingInformation:
    """A detail that a rule needs and a position leaves out.

    `key` is a key in `messages.yaml`, `params` fills its placeholders.
    """

    key: str
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A rule that a move breaks.

    It has the key of the reason, the clauses, and the parameters of the text.
    """

    reason: str
    clauses: tuple[str, ...]
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict on one move.

    `reason` is a key of the texts that players read, `params` fills its placeholders. `needs` is what a position would
    have to say for a verdict, or, if the move is granted, for all that follows. `broken` are all the rules that a
    refused move breaks, first that of the reason; `clauses` are the clauses of all of them. Empty: the reason is the
    only one.
    """

    granted: bool
    reason: str
    clauses: tuple[str, ...]
    params: dict[str, Any] = field(default_factory=dict)
    needs: tuple[MissingInformation, ...] = ()
    broken: tuple[BrokenRule, ...] = ()

    @property
    def broken_rules(self) -> tuple[BrokenRule, ...]:
        """Every rule that the move breaks, the one that says most first.

        There is none if the move is not refused.
        """
        if self.verdict != "refused":
            return ()
        return self.broken or (BrokenRule(self.reason, self.clauses, self.params),)

    @property
    def verdict(self) -> str:
        """`granted`, `refused`, or `undecided` if the position does not say enough."""
        return "granted" if self.granted else "undecided" if self.needs else "refused"


class IllegalMove(Exception):
    """A move is against the rules.

    Takes the key of the reason, the clauses (at least one), and the parameters.
    """

    scope = Scope.THING

    def __init__(self, reason: str, *clauses: str, **params: Any) -> None:
        super().__init__(reason)
        self.reason, self.clauses, self.params = reason, clauses, params

    @cached_property  # most refusals are raised while moves are listed, and nobody asks for their ruling
    def ruling(self) -> Ruling:
        """The ruling that refuses the move."""
        return Ruling(False, self.reason, self.clauses, self.params)


class NotAsked(IllegalMove):
    """A move does not answer the open question. It takes what IllegalMove takes."""

    scope = Scope.QUESTION


class Undetermined(Exception):
    """A rule needs something that the position leaves out.

    Takes the key of the question to ask, and its parameters.
    """

    def __init__(self, need: str, **params: Any) -> None:
        super().__init__(need)
        self.need = MissingInformation(need, params)


class MalformedInput(Exception):
    """A position or a setting has the wrong form.

    `errors` are `{pointer, detail}`: the first MAX_ERRORS of those given. Where the detail is translated, `says` holds
    it in all languages.
    """

    def __init__(self, errors: Sequence[Mapping[str, Any]]) -> None:
        self.errors = errors[:MAX_ERRORS]
        super().__init__("; ".join(f"{error['pointer']}: {error['detail']}" for error in self.errors))


class UnjudgeablePosition(MalformedInput):
    """A position on which the rules fail in a way that no check foresees.

    `__cause__` is what failed. Who answers the request writes it to the log: the failure may as well be our own.
    """


class ContradictoryPosition(MalformedInput):
    """A position has the right form but cannot exist.

    `errors` are `{pointer, detail, clause}`.
    """
