"""The calls of the hot lane, answered by the same functions as in Flask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from api.http.access.authorization import Caller
from api.http.encoding.languages import encode_json
from api.http.responses import format_entry_time, format_etag, names_version
from api.lane.request import LaneRequest, UnusualRequest, read_posted_move
from api.resources.entries.routes import PAGE_SIZE, view_to_dict
from api.resources.moves.routes import build_move_request, build_situation, listing_to_dict, render_made_move
from api.resources.moves.schemas import DEFAULT_NEAR_MISSES
from referee.engine.seats import BYSTANDER, Seat
from referee.match.clocks import find_deadline
from referee.match.loaded import LoadedMatch
from referee.queries import views
from referee.queries.boards import mark_people
from referee.service import recalled_moves
from referee.service.appender import ensure_writable
from referee.service.match_service import MatchService
from referee.service.requests import CommandResult, MoveRequest

Headers = dict[str, str]


@dataclass(frozen=True, slots=True)
class LaneAnswer:
    """An answer: its status, its body and its own headers.

    Without a body `body` is None. The headers that every answer has are not among `headers`.
    `vary` names the headers of the request on which the answer depends, besides those on which every answer does.
    """

    status: int
    body: bytes | None
    headers: Headers = field(default_factory=dict)
    vary: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Admitted:
    """A request by the holder of its seat, with the match as just loaded."""

    service: MatchService
    request: LaneRequest
    caller: Caller
    loaded: LoadedMatch


def make_move(asked: Admitted) -> LaneAnswer:
    """Make a move of the seat.

    Raises UnusualRequest before anything is decided, and as `MatchService.make_move`.
    """
    made = _read_move(asked)
    ensure_writable(asked.loaded)
    return _answer_move(asked, asked.service.make_move(made, loaded=asked.loaded))


def make_recalled_move(asked: Admitted) -> LaneAnswer | None:
    """Make a move upon a match that was only recalled, or return None.

    Raises UnusualRequest, StoreUnavailable.
    """
    done = recalled_moves.make_recalled_move(asked.service, _read_move(asked), asked.loaded, asked.caller.token_hash)
    return None if done is None else _answer_move(asked, done)


def _read_move(asked: Admitted) -> MoveRequest:
    request, posted = asked.request, read_posted_move(asked.request)
    if type(posted.move) not in asked.loaded.match.rules.move_types:
        raise UnusualRequest
    return build_move_request(
        asked.caller,
        request.match,
        request.seat,
        posted.move,
        posted.key,
        posted.seen,
        posted.strict,
        posted.window,
        link=posted.link,
        signed=posted.signed,
    )


def _answer_move(asked: Admitted, done: CommandResult) -> LaneAnswer:
    request = asked.request
    preferred = request.header("HTTP_PREFER")
    body, headers = render_made_move(asked.service, done, request.seat, preferred, request.language)
    return LaneAnswer(201, encode_json(body, request.language), headers)


def get_situation(asked: Admitted) -> LaneAnswer:
    """Return the seat's view and its legal moves."""
    near, seat = asked.request.query.get("near", DEFAULT_NEAR_MISSES), asked.request.seat
    mark = mark_people(asked.loaded, seat)
    return _answer_version(asked, lambda: build_situation(asked.service, asked.loaded, seat, near), mark=mark)


def get_view(asked: Admitted) -> LaneAnswer:
    """Return the table as the seat sees it."""
    viewer = asked.request.seat
    return _answer_version(asked, lambda: view_to_dict(asked.loaded, viewer), viewer)


def list_moves(asked: Admitted) -> LaneAnswer:
    """List the seat's legal moves and near misses."""
    seat, near = Seat(asked.request.seat), asked.request.query.get("near", DEFAULT_NEAR_MISSES)

    def build_listing() -> dict[str, Any]:
        return listing_to_dict(views.list_legal_moves(asked.service, asked.loaded, seat, near), seat)

    return _answer_version(asked, build_listing)


def list_entries(asked: Admitted) -> LaneAnswer:
    """List entries as the seat saw them.

    Raises UnusualRequest if there are more than one page, or one of them resets the table.
    """
    query = asked.request.query
    after, limit = query.get("after", 0), query.get("limit", PAGE_SIZE)
    items, cursor = views.list_entries(asked.service, asked.loaded, asked.request.seat, after, None, limit)
    if cursor is not None or any(map(views.resets_table, items)):
        raise UnusualRequest
    body = {"items": [format_entry_time(item) for item in items], "next_cursor": None, "snapshot": None}
    return LaneAnswer(200, encode_json(body, asked.request.language), vary=("Accept",))


def _answer_version(
    asked: Admitted, build: Callable[[], dict[str, Any]], viewer: int = BYSTANDER, mark: str = ""
) -> LaneAnswer:
    """Return what is built for the present version, or 304 if the client has it.

    A client whose clock is ticking gets it again, because the deadline is not part of the version. `viewer` is the one
    whom the query names.
    """
    version, lang, known = asked.loaded.version, asked.request.language, asked.request.header("HTTP_IF_NONE_MATCH")
    headers = {"ETag": format_etag(version, lang, viewer, mark)}
    if known and names_version(known, version, lang, viewer, mark) and find_deadline(asked.loaded) is None:
        return LaneAnswer(304, None, headers)
    return LaneAnswer(200, encode_json(build(), lang), headers)


@dataclass(frozen=True, slots=True)
class LaneCall:
    """A call of the lane: its endpoint in Flask, its limit, and who answers it.

    `answer_recalled` first tries to answer on what was last seen of the match.
    """

    endpoint: str
    limit: str
    answer: Callable[[Admitted], LaneAnswer]
    answer_recalled: Callable[[Admitted], LaneAnswer | None] | None = None


CALLS: dict[tuple[str, str], LaneCall] = {
    ("POST", "moves"): LaneCall("moves.makeMove", "writes", make_move, make_recalled_move),
    ("GET", "situation"): LaneCall("moves.getSituation", "reads", get_situation),
    ("GET", "moves"): LaneCall("moves.listMoves", "reads", list_moves),
    ("GET", "view"): LaneCall("log.getView", "reads", get_view),
    ("GET", "entries"): LaneCall("log.listEntries", "reads", list_entries),
}
