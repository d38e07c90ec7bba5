"""Ways to leak, each a small change of the code: the proof has to find every one of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest import mock

from flask import g

from api.http import problems, request_log, responses
from api.http.access import authorization
from api.resources.moves import routes as moves
from api.resources.streams import channel as streams
from referee.engine import referee, zones
from referee.engine.codec import encode, encode_canonical
from referee.engine.events import apply_events
from referee.engine.seats import FULL_VIEWER
from referee.engine.steps import NO_SEATS
from referee.games.monster_combat.rules.attacks import PendingAttack
from referee.match import entries
from referee.match.errors import MoveRejected, UnknownVersion
from referee.match.table import auto_pass
from referee.queries import reveals, views, visible_entries
from referee.rendering import texts
from referee.repository import card_books
from referee.service import appender
from workers.projections import runner

Patch = Any
MUTANTS: dict[str, Callable[[], list[Patch]]] = {}


def mutant(make: Callable[[], list[Patch]]) -> Callable[[], list[Patch]]:
    """Registers a way to leak under its name."""
    MUTANTS[make.__name__] = make
    return make


@contextmanager
def leaking(name: str) -> Iterator[None]:
    """The code with that leak in it."""
    with ExitStack() as stack:
        for patch in MUTANTS[name]():
            stack.enter_context(patch)
        yield


def digest(state: Any) -> str:
    """A hash of a whole table."""
    return hashlib.sha256(encode_canonical(encode(state))).hexdigest()


def all_of_it(
    service: Any, match: str, viewer: int, after: int = 0, upto: Any = None, limit: int = 50, kinds: Any = ()
) -> Any:
    """The log as nobody may see it yet."""
    last = views.load_visible_version(service, match, viewer, None)
    found = service.repository.load_entries(last.match.id, after, min(upto or last.version, last.version), limit)
    return [texts.entry_response(last.match.rules, each, FULL_VIEWER) for each in found], None


@mutant
def the_log_is_not_filtered() -> list[Patch]:
    return [
        mock.patch.object(
            texts,
            "entry_response",
            lambda rules, logged, viewer, kept=texts.entry_response: kept(rules, logged, FULL_VIEWER),
        )
    ]


@mutant
def a_stream_is_not_filtered() -> list[Patch]:
    return [
        mock.patch.object(
            streams,
            "views",
            SimpleNamespace(
                list_entries=all_of_it,
                load_visible_version=views.load_visible_version,
                find_visible_version=views.find_visible_version,
                resets_table=views.resets_table,
            ),
        )
    ]


@mutant
def a_situation_on_a_stream_is_not_filtered() -> list[Patch]:
    return [
        mock.patch.object(
            streams,
            "build_situation",
            lambda service, loaded, seat, kept=streams.build_situation: {
                **kept(service, loaded, seat),
                "view": streams.view_to_dict(loaded, FULL_VIEWER),
            },
        )
    ]


@mutant
def what_was_missed_is_not_filtered() -> list[Patch]:
    return [mock.patch.object(problems, "views", SimpleNamespace(list_entries=all_of_it))]


@mutant
def the_answer_to_a_move_is_not_filtered() -> list[Patch]:
    def tell_all(*given: Any, kept: Any = visible_entries.tell_entries, **more: Any) -> Any:
        repository, game, before, found, _ = given
        return kept(repository, game, before, found, FULL_VIEWER, **more)

    return [mock.patch.object(visible_entries, "tell_entries", tell_all)]


@mutant
def what_is_said_of_an_entry_is_not_filtered() -> list[Patch]:
    def tell_unfiltered(game: Any, logged: Any, seen: Any, numbers: Any, kept: Any = visible_entries.tell_entry) -> Any:
        move, events = logged.view_for(FULL_VIEWER)
        return kept(game, logged, replace(seen, move=move, events=events), numbers)

    return [mock.patch.object(visible_entries, "tell_entry", tell_unfiltered)]


@mutant
def the_numbers_that_changed_tell_of_the_whole_table() -> list[Patch]:
    def counted(game: Any, match: Any, viewer: int, kept: Any = visible_entries.count_board) -> Any:
        found = kept(game, match, viewer)
        return found and {**found, (None, "more"): ("/more", int(digest(match.state)[:4], 16))}

    return [mock.patch.object(visible_entries, "count_board", counted)]


@mutant
def where_a_mover_stands_is_not_filtered() -> list[Patch]:
    return [
        mock.patch.object(
            moves, "view_to_dict", lambda loaded, _seat, kept=moves.view_to_dict: kept(loaded, FULL_VIEWER)
        )
    ]


@mutant
def a_fact_forgets_its_filter() -> list[Patch]:
    return [mock.patch.object(zones.Moved, "view_for", lambda self, seat: self)]


@mutant
def a_move_forgets_its_filter() -> list[Patch]:
    from referee.games.shy_monsters.moves import Build

    return [mock.patch.object(Build, "view_for", lambda self, seat, by: self)]


@mutant
def a_place_is_shown_to_everybody() -> list[Patch]:
    def open_to(place: str, seat: int, kept: Any = zones.is_open_to) -> bool:
        return place.startswith("hand:") or kept(place, seat)

    return [mock.patch.object(zones, "is_open_to", open_to)]


@mutant
def a_refusal_names_a_card() -> list[Patch]:
    def of_illegal_move(error: MoveRejected, kept: Any = problems.problem_from_move_rejected) -> Any:
        found = kept(error)
        found.more["held"] = encode(error.match.state)
        return found

    return [mock.patch.dict(problems.PROBLEM_BUILDERS, {MoveRejected: of_illegal_move})]


@mutant
def an_error_names_a_card() -> list[Patch]:
    def of_unknown_version(error: UnknownVersion, kept: Any = problems.problem_from_unknown_version) -> Any:
        found = kept(error)
        found.more["errors"] = [{"pointer": "", "detail": digest(g.table.state)[:8]}]
        return found

    return [mock.patch.dict(problems.PROBLEM_BUILDERS, {UnknownVersion: of_unknown_version})]


@mutant
def a_window_opens_only_for_holders() -> list[Patch]:
    def awaits(self: Any, table: Any, kept: Any = PendingAttack.awaited_seats) -> Any:
        held = [seat for seat in kept(self, table) if seat >= 0]
        return kept(self, table) if all("shield" in table.cards_at(f"hand:{seat}") for seat in held) else NO_SEATS

    return [mock.patch.object(PendingAttack, "awaited_seats", awaits)]


@mutant
def a_view_holds_a_hash_of_the_whole_table() -> list[Patch]:
    def shown(loaded: Any, viewer: int, kept: Any = views.view_response) -> dict[str, Any]:
        body = kept(loaded, viewer)
        return {**body, "view_hash": digest(loaded.match.state) if loaded.match.state else body["view_hash"]}

    return [mock.patch.object(views, "view_response", shown)]


@mutant
def an_etag_holds_a_hash_of_the_whole_table() -> list[Patch]:
    def etag(version: int, lang: Any = None, mark: str = "", kept: Any = responses.format_etag) -> str:
        table = g.get("table")
        return (
            kept(version, lang, mark)
            if table is None or table.state is None
            else f'"v{version}-{digest(table.state)[:8]}"'
        )

    return [mock.patch.object(responses, "format_etag", etag)]


@mutant
def moves_are_listed_in_the_order_of_what_they_bring() -> list[Patch]:
    def considered(state: Any, seat: Any, kept: Any = referee.judge_candidates, **how: Any) -> Any:
        found = list(kept(state, seat, **how))

        def brings(pair: Any) -> str:
            if pair[1] is not None:
                return ""
            events, _ = referee.preview_move(state, seat, pair[0])
            return digest(apply_events(state, events))

        return iter(sorted(found, key=brings))

    return [mock.patch.object(views, "judge_candidates", considered)]


@mutant
def near_misses_come_from_the_whole_table() -> list[Patch]:
    def considered(state: Any, seat: Any, kept: Any = referee.judge_candidates, **how: Any) -> Any:
        some = int(digest(state)[:2], 16)
        return (pair for at, pair in enumerate(kept(state, seat, **how)) if pair[1] is None or some >> at % 8 & 1)

    return [mock.patch.object(views, "judge_candidates", considered)]


@mutant
def a_listing_does_more_work_for_some_hands() -> list[Patch]:
    def considered(state: Any, seat: Any, kept: Any = referee.judge_candidates, **how: Any) -> Any:
        for move, _ in list(kept(state, seat, **how))[: int(digest(state)[:2], 16) % 7]:
            referee.judge_move(state, seat, move)
        return kept(state, seat, **how)

    return [mock.patch.object(views, "judge_candidates", considered)]


@mutant
def a_dry_run_goes_past_the_first_draw() -> list[Patch]:
    def tried(service: Any, match: str, seat: Any, move: Any) -> Any:
        loaded = views.load_visible_version(service, match, seat, None)
        service.appender.require_running(loaded.match)
        given, events = views.rule_on_move(loaded.match.state, seat, move)
        ways = () if given.granted else referee.find_closest_legal(loaded.match.state, seat, move)
        events = tuple(event.view_for(seat) for event in events)
        return views.DryRun(given, events, ways, loaded.match, loaded.version)

    return [mock.patch.object(views, "dry_run_move", tried)]


@mutant
def a_row_of_the_lobby_tells_of_hands() -> list[Patch]:
    def row(self: Any, match: str, told: Any, kept: Any = runner.LobbyProjection.build_row) -> dict[str, Any]:
        state = told.match.state
        return {**kept(self, match, told), **({} if state is None else {"table": encode(state)})}

    return [
        mock.patch.object(card_books, "decode_public_entry", entries.decode_entry),
        mock.patch.object(runner.LobbyProjection, "build_row", row),
    ]


@mutant
def what_a_bot_saw_is_open_to_all() -> list[Patch]:
    return [mock.patch.object(entries.LogEntry, "decision_for", lambda self, viewer: self.decision)]


@mutant
def receipts_bind_hidden_cards_without_salt() -> list[Patch]:
    def pack(match: Any, logged: Any, salt: Any, kept: Any = entries.encode_entry) -> tuple[bytes, bytes]:
        envelope, sealed = kept(match, logged, salt)
        return envelope[:-1] + b',"z":"' + hashlib.sha256(sealed).hexdigest().encode() + b'"}', sealed

    return [mock.patch.object(appender, "encode_entry", pack)]


@mutant
def openings_of_a_seat_tell_a_hash_of_the_whole_entry() -> list[Patch]:
    def opened(
        service: Any, stored: Any, viewer: int, generation: int, kept: Any = reveals._build_reveals
    ) -> Iterator[Any]:
        whole = kept(service, stored, FULL_VIEWER, generation)
        for full, own in zip(whole, kept(service, stored, viewer, generation), strict=True):
            yield replace(own, part=own.part + hashlib.sha256(full.part.encode()).hexdigest())

    return [mock.patch.object(reveals, "_build_reveals", opened)]


@mutant
def a_standing_pass_passes_only_with_nothing_to_play() -> list[Patch]:
    def passing(match: Any, seen: Any, records: Any, kept: Any = auto_pass.find_due_passes) -> Any:
        return (each for each in kept(match, seen, records) if int(digest(match.state)[:1], 16) % 2)

    return [mock.patch.object(auto_pass, "find_due_passes", passing)]


@mutant
def all_is_open_before_the_end() -> list[Patch]:
    def latest(service: Any, match: str, viewer: int, version: Any, kept: Any = views.load_visible_version) -> Any:
        return kept(service, match, 0 if viewer == FULL_VIEWER else viewer, version)

    everybody = frozenset(
        {*authorization.FINAL_STATUSES, "lobby", "running"}
    )  # whose full view the door keeps shut till the end
    return [
        mock.patch.object(views, "load_visible_version", latest),
        mock.patch.object(authorization, "FINAL_STATUSES", everybody),
    ]


@mutant
def the_log_of_requests_tells_of_the_table() -> list[Patch]:
    def end(response: Any, kept: Any = request_log.finish_request) -> Any:
        g.problem = digest(g.table.state)[:8] if g.get("table") is not None else None
        return kept(response)

    return [mock.patch.object(request_log, "finish_request", end)]


@mutant
def awaited_is_who_can_answer() -> list[Patch]:
    def awaits(match: Any, kept: Any = views.awaited_response) -> Any:
        found = kept(match)
        if match.state is None or len(found) < 1:
            return found
        return [
            who for who in found if not isinstance(who, int) or next(referee.find_legal_moves(match.state, who), None)
        ] + (["clock"] if int(digest(match.state)[:1], 16) % 2 else [])

    return [mock.patch.object(views, "awaited_response", awaits)]
