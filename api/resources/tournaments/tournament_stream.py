"""The stream of a tournament: its entries, and what waits for officials.

An event `entry` is what `GET …/entries` shows the caller; its id is the version. A stream that does not resume begins
with a `snapshot`, which is the tournament as the caller sees it. Officials hear of disputes in the matches of the round
as well: an event `queue` comes whenever what waits for them is something else. `end` follows the last entry.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import structlog
from flask import Response
from marshmallow import Schema, fields

from api.http import context, prefer
from api.http.access.tickets import TICKET_METADATA, TICKET_PATTERN, Bearer
from api.http.change_feed import ChangeFeed, Slot, WatchingStream
from api.http.encoding.languages import Language, choose_language, cut_texts
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import language_headers
from api.http.schemas.fields import Int, WholeText, query_integer_field
from api.resources.streams.channel import encode_event
from api.resources.streams.routes import RETRY_MS, SSE, acquire_stream_slot, parse_last_event_id
from api.resources.streams.schemas import describe_stream
from api.resources.streams.tickets import StreamTicketSchema, ticket_response
from api.resources.tournaments.access import (
    TOURNAMENT_PATH,
    VISITOR,
    TournamentCaller,
    find_caller,
    load_tournament,
    resolve_member,
)
from api.resources.tournaments.queue import QueueSchema, build_queue, find_open_calls, list_item_names
from api.resources.tournaments.rendering import entry_to_dict, tournament_to_dict
from api.resources.tournaments.schemas import TournamentEntrySchema, TournamentSchema
from referee.eventstore.contract import StoreUnavailable
from referee.match.errors import MatchUnavailable
from referee.repository.tournaments import LoadedTournament
from referee.service.tournament_service import TournamentService

BATCH = 100
LOGGER = structlog.get_logger("referee.api")
blueprint = EndpointBlueprint("tournament-streams", tag="streams")


class TournamentEndSchema(Schema):
    """The last entry of a tournament that is over."""

    version = Int(required=True)
    status = fields.Str(required=True)


class TournamentEventsSchema(Schema):
    """What the events of a tournament's stream hold (`data`), by their names."""

    snapshot = fields.Nested(TournamentSchema)
    entry = fields.Nested(TournamentEntrySchema)
    queue = fields.Nested(QueueSchema)
    end = fields.Nested(TournamentEndSchema)


class TournamentStreamQuery(Schema):
    """Where the stream begins, and how a browser opens it."""

    ticket = fields.Str(validate=WholeText(TICKET_PATTERN.pattern), metadata=TICKET_METADATA)
    after = query_integer_field(0, 2**31 - 1, metadata={"description": "As `Last-Event-ID`, which goes before it"})


class TournamentStream(WatchingStream):
    """One stream of a tournament.

    Which matches it follows changes with the rounds. It belongs to one caller, who is looked up again before anything
    is sent.
    """

    def __init__(
        self, feed: ChangeFeed, slot: Slot, service: TournamentService, tournament: str, bearer: Bearer, secret: bytes
    ) -> None:
        super().__init__(feed, slot)
        self._service, self._tournament, self._bearer, self._secret = service, tournament, bearer, secret
        self._watch(tournament)
        self._queue: list[Any] | None = None

    def iterate_events(self, after: int, first: bytes, language: Language | None) -> Iterator[bytes]:
        """Yield what the stream sends, in the language of its request.

        It ends with the tournament, when the server stops, or when the store is unavailable.
        """
        yield b"retry: %d\n\n" % RETRY_MS + cut_texts(first, language)
        sent_at = time.monotonic()
        while not self._feed.closing:
            self._woken.clear()
            try:
                loaded = self._service.load(self._tournament)
                caller = resolve_member(self._service.log, self._bearer, loaded.state, self._secret)
                piece, after = self._encode_entries(loaded, caller, after)
                if loaded.state.is_over and after >= loaded.version:
                    ended = {"version": loaded.version, "status": loaded.state.status}
                    yield cut_texts(piece + encode_event("end", ended), language)
                    return
                piece += self._encode_queue(loaded, caller)
            except (StoreUnavailable, MatchUnavailable) as away:
                LOGGER.warning("a stream ends", cause=str(away))
                return
            if piece or time.monotonic() - sent_at >= self._feed.beat:
                yield cut_texts(piece, language) or b":\n\n"
                sent_at = time.monotonic()
            if after >= loaded.version:
                self._woken.wait(max(0.0, sent_at + self._feed.beat - time.monotonic()))

    def _encode_entries(self, loaded: LoadedTournament, caller: TournamentCaller, after: int) -> tuple[bytes, int]:
        """Return the next entries as events, and the version of the last."""
        if after >= loaded.version:
            return b"", after
        entries = self._service.repository.load_entries(self._tournament, after, BATCH)
        piece = b"".join(encode_event("entry", entry_to_dict(each, caller.viewer), each.version) for each in entries)
        return piece, entries[-1].version if entries else after

    def _encode_queue(self, loaded: LoadedTournament, caller: TournamentCaller) -> bytes:
        """Return what waits for officials as an event.

        Nothing, if it is the same as before.
        """
        if not caller.may_see_queue:
            self._watch_matches(set())
            return b""
        one = loaded.state.current_round
        self._watch_matches({each.match for each in one.tables if each.match and not each.final} if one else set())
        queue = build_queue(self._service, loaded)
        named = [(each["item"], each["claimed_by"]) for each in queue["items"]]
        if named == self._queue:
            return b""
        self._queue = named
        return encode_event("queue", queue)

    def _watch_matches(self, wanted: set[str]) -> None:
        """Be woken by these matches, and by the tournament."""
        for match in set(self._watches) - wanted - {self._tournament}:
            self._watches.pop(match).close()
        for match in wanted - set(self._watches):
            self._watch(match)


@blueprint.declare(
    Endpoint(
        "GET",
        f"{TOURNAMENT_PATH}/stream",
        "streamTournament",
        VISITOR,
        query=TournamentStreamQuery,
        response=(200, describe_stream("TournamentEvents")),
        media=(SSE,),
        headers=("LastEventId",),
        takes_ticket=True,
        other_responses=[(204, None, SSE)],
        problems=["unknown-tournament", "header-malformed", "ticket-void", "streams-yours", "streams-full"],
    )
)
def stream_tournament(query: dict[str, Any], tournament: str) -> Response:
    """Stream the entries of a tournament as the caller may know them.

    The tournament comes first, unless `Last-Event-ID` (or `after`) names the version to resume after. Officials get
    `queue` whenever something else waits for them. After the last entry comes `end`; who resumes after that gets 204.
    """
    last, loaded = parse_last_event_id(), load_tournament(tournament)
    last = query.get("after") if last is None else last
    if loaded.state.is_over and last == loaded.version:
        return Response(status=204)
    caller = find_caller(loaded)
    service, log, secret = context.get_tournament_service(), context.get_match_service().log, context.get_secret()
    first = b""
    if last is None or last > loaded.version:
        last = loaded.version
        items, calls = list_item_names(service, loaded, caller), find_open_calls(service, loaded.state)
        shown = tournament_to_dict(loaded, caller, log.read_seat_names(tournament), items, calls)
        first = encode_event("snapshot", shown, loaded.version)
    stream = TournamentStream(
        prefer.get_change_feed(), acquire_stream_slot(), service, tournament, caller.bearer, secret
    )
    language = choose_language()
    response = Response(stream.iterate_events(last, first, language), mimetype=SSE)
    response.headers.update({"Cache-Control": "no-store", "X-Accel-Buffering": "no", **language_headers(language)})
    response.call_on_close(stream.close)  # even if no byte was sent
    return response


@blueprint.declare(
    Endpoint(
        "POST",
        f"{TOURNAMENT_PATH}/stream-tickets",
        "makeTournamentStreamTicket",
        VISITOR,
        response=(201, StreamTicketSchema),
        key=True,
        problems=["unknown-tournament"],
    )
)
def make_tournament_stream_ticket(tournament: str) -> Response:
    """Make a ticket for the stream of a tournament: good once, for a minute."""
    load_tournament(tournament)
    return ticket_response(guarded=False)
