"""Ratings by openskill's Plackett-Luce model, from results in a fixed order.

A rating depends on the order of the matches, and matches lie in many partitions that are read at their own pace. So
ratings are not stored as matches come in. They are a pure function of all results that count and of who sat where. The
results are ordered by the time of their end by the store's clock, then by the match's id. Everybody who computes them
from the same results gets the same figures, to the last bit.

A match is rated if every seat was a player with an account or a bot, and no account had two seats. Bots are rated as
levels (`bot:1`). If a level has several seats, it moves by the mean of what each would. If all seats play together,
they are one side and the box is the other (`box:3` against three seats).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from openskill.models import PlackettLuce

from referee.eventstore.accounts import DELETED_PLAYER
from referee.ratings.results import Row

MODEL = PlackettLuce()
MU, SIGMA = 25.0, 25.0 / 3.0
MARK_INTERVAL = 200  # results between two marks
MAX_MARKS = 20  # few marks are enough, because a match that is read late seldom ended long ago
Links = Mapping[int, str]  # entry -> player


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """A player's rating (`mu` ± `sigma`) and what it rests on.

    `rated` counts rated matches.
    """

    mu: float = MU
    sigma: float = SIGMA
    rated: int = 0
    played: int = 0
    won: int = 0

    @property
    def rating(self) -> float:
        """The rating that can be relied on: three sigmas below mu."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match that counts, with the holder of each seat.

    A holder is a player id, `bot:<level>`, DELETED_PLAYER for a player whose account is gone, or None for a guest or a
    seat without a phone.
    """

    ended_ms: int
    match: str
    holders: tuple[str | None, ...]
    ranks: tuple[int, ...]
    winners: frozenset[int]
    together: bool

    @property
    def sort_key(self) -> tuple[int, str]:
        """Its place in the order of all results."""
        return self.ended_ms, self.match

    @property
    def is_rated(self) -> bool:
        """Whether the match changes ratings."""
        accounts = [each for each in self.holders if each and each != DELETED_PLAYER and not each.startswith("bot:")]
        identified = all(self.holders) and len(set(accounts)) == len(accounts)
        sides = (
            len(accounts) + self.holders.count(DELETED_PLAYER) + len({each for each in self.holders if _is_bot(each)})
        )
        return identified and (self.together or sides > 1)


def _is_bot(holder: str | None) -> bool:
    return holder is not None and holder.startswith("bot:")


def build_result(match: str, row: Row, links: Links, together: bool) -> MatchResult:
    """Return the result of a match that counts.

    A seat that was left and not taken again belongs to its last player.
    """
    places = {seat: rank for rank, equals in enumerate(row["placement"]) for seat in equals}
    holders = tuple(find_holder(seat, links) for seat in row["seats"])
    ranks = tuple(places.get(seat, len(places)) for seat in range(len(holders)))
    return MatchResult(row["ended_at_ms"], match, holders, ranks, frozenset(row["winners"]), together)


def find_holder(seat: Mapping[str, Any], links: Links) -> str | None:
    """Return who held a seat in the end."""
    if seat["kind"] == "bot":
        style = seat.get("style", "")
        return f"bot:{seat['level']}{style and f'-{style}'}"
    return links.get(seat["sat"]) if seat["kind"] == "human" and seat["sat"] is not None else None


@dataclass
class Ladder:
    """Standings computed from results that are added in their order."""

    standings: dict[str, PlayerStanding] = field(default_factory=dict)
    results: list[MatchResult] = field(default_factory=list)
    # Standings after a number of results, to go on from.
    marks: list[tuple[int, dict[str, PlayerStanding]]] = field(default_factory=list, compare=False)

    @classmethod
    def from_results(cls, results: Iterable[MatchResult]) -> Ladder:
        """Compute the standings of all results, given in any order."""
        return cls().add_results(sorted(results, key=lambda each: each.sort_key))

    def compute_standings(self, ordered: Sequence[MatchResult]) -> Ladder:
        """Return the standings of these ordered results; this ladder stays as it is.

        The result equals that of `from_results`. It goes on from the last mark up to which both have the same results.
        """
        same = next(
            (at for at, (one, other) in enumerate(zip(self.results, ordered, strict=False)) if one != other),
            min(len(self.results), len(ordered)),
        )
        marks = [mark for mark in self.marks if mark[0] <= same]
        at, standings = marks[-1] if marks else (0, {})
        if same == len(self.results):
            at, standings = same, self.standings
        return Ladder(dict(standings), list(ordered[:at]), marks).add_results(ordered[at:])

    def add_results(self, results: Sequence[MatchResult]) -> Ladder:
        """Add further results and return these standings."""
        for each in results:
            self.add_result(each)
        return self

    def add_result(self, each: MatchResult) -> None:
        """Add one result. Raises ValueError if it is out of order."""
        if self.results and each.sort_key <= self.results[-1].sort_key:
            raise ValueError("results are rated in the order in which they ended")
        after = _rate_result(each, self.standings) if each.is_rated else {}
        for seat, who in enumerate(each.holders):
            if who is None or who == DELETED_PLAYER:
                continue
            kept = after.get(who) or self.standings.get(who) or PlayerStanding()
            won = int(seat in each.winners)
            after[who] = PlayerStanding(kept.mu, kept.sigma, kept.rated, kept.played + 1, kept.won + won)
        self.standings |= after
        self.results.append(each)
        if len(self.results) % MARK_INTERVAL == 0:
            self.marks = [*self.marks[1 - MAX_MARKS :], (len(self.results), dict(self.standings))]


def _rate_result(each: MatchResult, standings: Mapping[str, PlayerStanding]) -> dict[str, PlayerStanding]:
    """Return the ratings of all sides after a rated match.

    A player whose account is gone plays as a new one, and gets no standing.
    """
    people = [standings.get(who or "") or PlayerStanding() for who in each.holders]
    ratings = [MODEL.rating(mu=one.mu, sigma=one.sigma) for one in people]
    if each.together:
        many = len(people)
        opponent = f"box:{many}"
        fresh = PlayerStanding(MU * many, SIGMA * math.sqrt(many))
        before = standings.get(opponent) or fresh
        box = MODEL.rating(mu=before.mu, sigma=before.sigma)
        won = bool(each.winners)
        team, (other,) = MODEL.rate([ratings, [box]], ranks=[0, 1] if won else [1, 0])
        after = {opponent: _update_standing(before, [(other.mu, other.sigma)], rated=1, played=1, won=0 if won else 1)}
    else:
        team = [one for (one,) in MODEL.rate([[one] for one in ratings], ranks=list(each.ranks))]
        after = {}
    for who in dict.fromkeys(each.holders):
        if who is not None and who != DELETED_PLAYER:
            moved = [(one.mu, one.sigma) for one, held in zip(team, each.holders, strict=True) if held == who]
            after[who] = _update_standing(standings.get(who) or PlayerStanding(), moved, rated=1)
    return after


def _update_standing(
    before: PlayerStanding, moved: Sequence[tuple[float, float]], *, rated: int, played: int = 0, won: int = 0
) -> PlayerStanding:
    mu = math.fsum(mu for mu, _ in moved) / len(moved)
    sigma = math.fsum(sigma for _, sigma in moved) / len(moved)
    return PlayerStanding(mu, sigma, before.rated + rated, before.played + played, before.won + won)
