"""Quarrels about a reading: a move that is refused at the table and legal by another reading, found by playing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.referee import judge_candidates, judge_move, seats_that_may_act
from referee.engine.seats import Seat
from referee.games import load_games
from referee.match.aggregate import Match
from referee.match.house_readings import apply_readings
from tests.api.disputing import Court, court


@dataclass(frozen=True)
class Quarrel:
    """A move that is refused, and the reading by which it is legal."""

    here: Court
    seat: int
    move: Move
    clause: str
    number: int

    @property
    def readings(self) -> dict[str, int]:
        return {self.clause: self.number}

    @property
    def match(self) -> Match:
        return self.here.service.load_match(self.here.table.match).match

    def tries(self) -> Any:
        return self.here.table.move(self.seat, encode(self.move))

    def disputes(self) -> int:
        """The seat is refused the move and disputes that: the number of the dispute."""
        about = self.here.table.version
        assert self.tries().status_code == 409
        return int(self.here.open(self.seat, about, "wrong_refusal", move=encode(self.move))["dispute"])

    def rules(self, number: int, **body: Any) -> Any:
        """The host, who holds no seat, keeps a ruling that chooses the reading."""
        said = {"remedy": "leave", "clauses": [self.clause], "keep": True, "readings": self.readings, **body}
        return self.here.ruled(number, reason="We play it so.", **said)


def quarrel(game: str, clause: str, number: int, seats: int = 3, most: int = 600, **body: Any) -> Quarrel:
    """A match played on by chance until a move is refused that this reading allows."""
    return _play_until(True, game, clause, number, seats, most, body)


def bone_of_contention(game: str, clause: str, number: int, seats: int = 3, most: int = 600, **body: Any) -> Quarrel:
    """A match played on by chance until a move is legal that this reading forbids."""
    return _play_until(False, game, clause, number, seats, most, body)


def _play_until(
    allows: bool, game: str, clause: str, number: int, seats: int, most: int, body: dict[str, Any]
) -> Quarrel:
    least, largest = load_games()[game].min_seats, load_games()[game].max_seats
    for count in (seats, *(each for each in range(least, largest + 1) if each != seats)):
        found = _play_one(court(game, seats=count, **body), allows, clause, number, most)
        if found is not None:
            return found
    raise AssertionError(f"reading {number} of {clause} makes no difference in {game}")


def _play_one(here: Court, allows: bool, clause: str, number: int, most: int) -> Quarrel | None:
    """One match, played on by chance; None if it is over before the reading makes a difference."""
    for _ in range(most):
        match = here.service.load_match(here.table.match).match
        other = apply_readings(match, {clause: number})
        legal, refused = (other, match) if allows else (match, other)
        for seat in sorted(seats_that_may_act(match.state)) if match.state else ():
            found = _find_difference(legal, refused, seat) if seat >= 0 else None
            if found is not None:
                return Quarrel(here, int(seat), found, clause, number)
        if not here.play(1):
            break
    return None


def _find_difference(legal: Match, refused: Match, seat: Seat) -> Move | None:
    """A move of the seat that is legal in one match and refused in the other."""
    assert legal.state is not None
    assert refused.state is not None
    for move, against in judge_candidates(legal.state, seat, complete=False):
        if against is None and judge_move(refused.state, seat, move).verdict == "refused":
            return move
    return None
