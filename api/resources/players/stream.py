"""What all open matches of a player ask: a list, and one stream for all of them.

The stream begins with `matches`, the list. An event `match` follows whenever one of them changes, with the same members
as its item, the last time when it ends; `left` names a match at which the player holds no seat any more. The id of an
event stands for the whole list as it then was. A client that resumes with the id of the present list gets only what
changes from now on, and any other gets the list: so nothing is lost, however long it was away.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator
from typing import Any

import structlog
from flask import Response, g, request

from api.http import context, prefer
from api.http.access.authorization import ACCOUNT_OWNER
from api.http.access.tickets import Bearer
from api.http.change_feed import ChangeFeed, Slot, WatchingStream
from api.http.encoding.languages import choose_language, cut_texts
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import json_response, language_headers
from api.resources.players import open_matches
from api.resources.players import schemas as shapes
from api.resources.players.open_matches import PlayerView
from api.resources.players.routes import PLAYER_PATH
from api.resources.streams.routes import RETRY_MS, SSE, acquire_stream_slot
from api.resources.streams.schemas import describe_stream
from api.resources.streams.tickets import StreamTicketSchema, ticket_response
from referee.engine.codec import encode_canonical
from referee.eventstore.contract import StoreUnavailable
from referee.service.rights import tokens

JOINED_SECONDS = 5.0  # after which the stream looks for matches that the player has joined since
LOGGER = structlog.get_logger("referee.api")
blueprint = EndpointBlueprint("player-streams", tag="streams")


def get_player_view() -> PlayerView:
    """Return the matches of the caller, who owns the account of the address."""
    bearer = Bearer(g.caller.token_hash, g.caller.player)
    return PlayerView(context.get_match_service(), bearer, context.get_secret())


@blueprint.declare(
    Endpoint(
        "GET",
        f"{PLAYER_PATH}/matches/open",
        "listOpenMatches",
        ACCOUNT_OWNER,
        query=shapes.OpenMatchesQuery,
        response=(200, shapes.OpenMatchesSchema),
        tag="players",
    )
)
def list_open_matches(query: dict[str, Any], player: str) -> Response:  # noqa: ARG001  # admission has used it
    """List the matches of the player that are not over, as they are now.

    With `awaiting=me` only those that ask something of the player: a move, or an answer about a dispute.
    """
    found = open_matches.iterate_open_matches(get_player_view())
    items = [state for state in found if state["awaited"] or "awaiting" not in query]
    return json_response({"items": items})


class PlayerStream(WatchingStream):
    """One stream over all open matches of a player."""

    def __init__(self, feed: ChangeFeed, slot: Slot, view: PlayerView) -> None:
        super().__init__(feed, slot)
        self._view = view
        self._ticks: dict[str, int] = {}
        self._states: dict[str, dict[str, Any]] = {}
        self._over: set[str] = set()
        self._looked = 0.0

    def compute_id(self) -> str:
        """Return the id that stands for what all open matches ask now."""
        return hashlib.sha256(encode_canonical(self.list_states())).hexdigest()[:16]

    def list_states(self) -> list[dict[str, Any]]:
        """Return the open matches in the order of their ids."""
        return [self._states[match] for match in sorted(self._states)]

    def _encode(self, events: list[tuple[str, Any]]) -> bytes:
        """Return events as bytes; only the last has the id.

        A client may get a part of them, and the id stands for all.
        """
        pieces = [f"event: {kind}\ndata: ".encode() + encode_canonical(data) + b"\n\n" for kind, data in events]
        if pieces:
            pieces[-1] = f"id: {self.compute_id()}\n".encode() + pieces[-1]
        return b"".join(pieces)

    def update(self) -> list[tuple[str, Any]]:
        """Read what has changed, and return the events about it. Raises StoreUnavailable."""
        self._woken.clear()
        if time.monotonic() - self._looked >= min(JOINED_SECONDS, self._feed.beat):
            self._looked = time.monotonic()
            self._watch_noted_matches()
        events: list[tuple[str, Any]] = []
        for match in list(self._watches):
            tick = self._feed.get_change_counts(match)[0]
            if self._ticks.get(match) != tick:
                self._ticks[match] = tick
                events += self._update_match(match)
        return events

    def _update_match(self, match: str) -> list[tuple[str, Any]]:
        before, state = self._states.get(match), self._view.read_match(match)
        if state is not None and open_matches.is_open(state):
            self._states[match] = state
            return [] if state == before else [("match", state)]
        self._watches.pop(match).close()
        self._states.pop(match, None)
        self._ticks.pop(match, None)
        if state is not None:  # a seat that was lost can be taken again; the end of a match is looked at no more
            self._over.add(match)
        if before is None:
            return []
        return [("left", {"match": match}) if state is None else ("match", state)]

    def _watch_noted_matches(self) -> None:
        service = self._view.service
        noted = open_matches.list_noted_matches(service, self._view.bearer.account)
        fresh = [match for match in noted if match not in self._watches and match not in self._over]
        if fresh:
            self._over |= open_matches.find_over_matches(service, fresh)
        for match in [match for match in fresh if match not in self._over][: open_matches.MAX_OPEN]:
            self._watch(match)

    def iterate_events(self, last: str | None) -> Iterator[bytes]:
        """Yield what the stream sends.

        It ends when the token is void, the server stops, or the store is unavailable.
        """
        yield b"retry: %d\n\n" % RETRY_MS
        bearer, log = self._view.bearer, self._view.service.log
        first, sent_at = True, time.monotonic()
        while not self._feed.closing:
            try:
                events = self.update()
                late = time.monotonic() - sent_at >= self._feed.beat
                if (events or late or first) and not tokens.is_account_token(log, bearer.account, bearer.token_hash):
                    return  # the next request gets the reason
            except StoreUnavailable as away:
                LOGGER.warning("a stream ends", cause=str(away))
                return
            if first:
                events = [] if last == self.compute_id() else [("matches", {"items": self.list_states()})]
            piece = self._encode(events)
            first = False
            if piece or late:
                yield piece or b":\n\n"
                sent_at = time.monotonic()
            self._woken.wait(min(JOINED_SECONDS, max(0.0, sent_at + self._feed.beat - time.monotonic())))


@blueprint.declare(
    Endpoint(
        "GET",
        f"{PLAYER_PATH}/stream",
        "streamPlayer",
        ACCOUNT_OWNER,
        query=shapes.PlayerStreamQuery,
        response=(200, describe_stream("PlayerEvents")),
        media=(SSE,),
        headers=("LastStateId",),
        takes_ticket=True,
        problems=["header-malformed", "ticket-void", "streams-yours", "streams-full"],
    )
)
def stream_player(query: dict[str, Any], player: str) -> Response:  # noqa: ARG001  # admission has used it
    """Stream what all open matches of the player ask, as server-sent events.

    First comes `matches`, the list, unless `Last-Event-ID` (or `after`) is the id of the present list; then `match`
    whenever one changes.
    """
    last = request.headers.get("Last-Event-ID") or query.get("after")
    if last is not None and not re.fullmatch(shapes.STATE_PATTERN, last):
        raise Problem("header-malformed", params={"header": "Last-Event-ID"})
    stream = PlayerStream(prefer.get_change_feed(), acquire_stream_slot(), get_player_view())
    language = choose_language()
    response = Response((cut_texts(piece, language) for piece in stream.iterate_events(last)), mimetype=SSE)
    response.headers.update({"Cache-Control": "no-store", "X-Accel-Buffering": "no", **language_headers(language)})
    response.call_on_close(stream.close)  # even if no byte was sent
    return response


@blueprint.declare(
    Endpoint(
        "POST",
        f"{PLAYER_PATH}/stream-tickets",
        "makePlayerStreamTicket",
        ACCOUNT_OWNER,
        response=(201, StreamTicketSchema),
        key=True,
    )
)
def make_player_stream_ticket(player: str) -> Response:  # noqa: ARG001  # admission has used it
    """Make a ticket for the stream of the player: good once, for a minute."""
    return ticket_response(guarded=True)
