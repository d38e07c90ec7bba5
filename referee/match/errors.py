"""Exceptions of the match service beyond IllegalMove; the API makes each a status."""

from __future__ import annotations

from typing import Any

from referee.engine.events import Move
from referee.engine.referee import build_view, judge_move
from referee.engine.rulings import Ruling
from referee.engine.seats import BYSTANDER, Seat
from referee.match.aggregate import Match


class UnknownMatch(LookupError):
    """There is no such match."""


class UnknownVersion(LookupError):
    """The log of the match has no such version."""


class UnsupportedRuleset(ValueError):
    """A log names rules that this program does not have, because a newer one wrote it.

    `match` is the id of the match, `unknown` what this program lacks.
    """

    def __init__(self, match: str, unknown: str) -> None:
        super().__init__(f"{match} uses rules that this program does not have: {unknown}")
        self.match, self.unknown = match, unknown


class IdempotencyKeyConflict(Exception):
    """The idempotency key was used for another request."""


class MatchUnavailable(Exception):
    """The match cannot be written now or, if it is archived, not be read.

    - `reason`: frozen, archived, gone (archived too), moved, fork, fenced or toobig.
    - `match`: its id, where that is known. `new_home`: the address where it goes on.
    """

    def __init__(self, why: str, match: str = "", new_home: str = "") -> None:
        super().__init__(why)
        self.reason, self.match, self.new_home = why, match, new_home


class VersionConflict(Exception):
    """The version of the match has changed since the caller read it.

    `strict`: the caller insisted on the version that it named. Otherwise the open question has changed.
    """

    def __init__(self, seen: int, current: int, strict: bool) -> None:
        super().__init__(f"version {seen} was expected, but {current} is current")
        self.seen, self.version, self.strict = seen, current, strict


class WindowClosed(Exception):
    """The move was meant for a window that is not open now."""

    def __init__(self, window: str, current: int) -> None:
        super().__init__(window)
        self.window, self.version = window, current


class ReportRejected(Exception):
    """What a move carries of real dice and cards is refused, and so is the move.

    `at` is the place of the report among those of the request, `version` that of the match.
    """

    def __init__(self, at: int, ruling: Ruling, version: int) -> None:
        super().__init__(ruling.reason)
        self.at, self.ruling, self.version = at, ruling, version


class MoveRejected(Exception):
    """The rules refuse the move.

    It carries the ruling and the nearest moves that would be legal now, from the seat's view. `nonce` is that of a move
    that its device signed; empty if it did not.
    """

    nonce = ""

    def __init__(
        self, ruling: Ruling, ways: tuple[Move, ...], version: int, match: Match, seat: Seat, move: Move
    ) -> None:
        super().__init__(ruling.reason)
        self.ruling, self.nearest_moves, self.version = ruling, ways, version
        self.match, self.seat, self.move = match, seat, move

    def judge_publicly(self) -> Ruling:
        """Return the ruling as everybody at the table could give it.

        It is the same whatever the hands are.
        """
        return judge_move(self.find_view(BYSTANDER), self.seat, self.move)

    def find_view(self, viewer: int) -> Any:
        """Return the table as a viewer sees it."""
        assert self.match.state is not None
        return build_view(self.match.state, Seat(viewer))
