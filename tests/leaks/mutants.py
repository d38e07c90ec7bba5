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
from api.resources.matches import routes as matches
from api.resources.moves import routes as moves
from api.resources.streams import routes as streams
from referee.engine import referee, zones
from referee.engine.codec import canonical, encode
from referee.engine.events import fold
from referee.engine.seats import FULL
from referee.engine.steps import NOBODY
from referee.games.monster_combat.rules.attacks import Struck
from referee.match import entries
from referee.match.table import auto_pass
from referee.queries import reveals, views
from referee.rendering import texts
from referee.repository import card_books
from referee.service import appender
from referee.service.match_service import IllegalMove, UnknownVersion
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
    return hashlib.sha256(canonical(encode(state))).hexdigest()


def all_of_it(
    desk: Any, match: str, eyes: int, after: int = 0, upto: Any = None, limit: int = 50, kinds: Any = ()
) -> Any:
    """The log as nobody may see it yet."""
    last = views.latest(desk, match, eyes, None)
    found = desk.entries(last.match.id, after, min(upto or last.version, last.version), limit)
    return [texts.entry(last.match.rules, each, FULL) for each in found], None


@mutant
def the_log_is_not_filtered() -> list[Patch]:
    return [mock.patch.object(texts, "entry", lambda rules, logged, eyes, kept=texts.entry: kept(rules, logged, FULL))]


@mutant
def a_stream_is_not_filtered() -> list[Patch]:
    return [
        mock.patch.object(
            streams,
            "views",
            SimpleNamespace(log=all_of_it, latest=views.latest, view=views.view, put_back=views.put_back),
        )
    ]


@mutant
def what_was_missed_is_not_filtered() -> list[Patch]:
    return [mock.patch.object(problems, "views", SimpleNamespace(log=all_of_it))]


@mutant
def the_answer_to_a_move_is_not_filtered() -> list[Patch]:
    told = SimpleNamespace(entry=lambda rules, logged, eyes: texts.entry(rules, logged, FULL))
    return [mock.patch.object(matches, "texts", told)]


@mutant
def where_a_mover_stands_is_not_filtered() -> list[Patch]:
    return [mock.patch.object(moves, "viewed", lambda loaded, _seat, kept=moves.viewed: kept(loaded, FULL))]


@mutant
def a_fact_forgets_its_filter() -> list[Patch]:
    return [mock.patch.object(zones.Moved, "seen_by", lambda self, seat: self)]


@mutant
def a_move_forgets_its_filter() -> list[Patch]:
    from referee.games.shy_monsters.moves import Build

    return [mock.patch.object(Build, "seen_by", lambda self, seat, by: self)]


@mutant
def a_place_is_shown_to_everybody() -> list[Patch]:
    def open_to(place: str, seat: int, kept: Any = zones.open_to) -> bool:
        return place.startswith("hand:") or kept(place, seat)

    return [mock.patch.object(zones, "open_to", open_to)]


@mutant
def a_refusal_names_a_card() -> list[Patch]:
    def of_illegal_move(error: IllegalMove, kept: Any = problems.of_illegal_move) -> Any:
        found = kept(error)
        found.more["held"] = encode(error.match.state)
        return found

    return [mock.patch.dict(problems.OF, {IllegalMove: of_illegal_move})]


@mutant
def an_error_names_a_card() -> list[Patch]:
    def of_unknown_version(error: UnknownVersion, kept: Any = problems.of_unknown_version) -> Any:
        found = kept(error)
        found.more["errors"] = [{"pointer": "", "detail": digest(g.table.state)[:8]}]
        return found

    return [mock.patch.dict(problems.OF, {UnknownVersion: of_unknown_version})]


@mutant
def a_window_opens_only_for_holders() -> list[Patch]:
    def awaits(self: Any, table: Any, kept: Any = Struck.awaits) -> Any:
        held = [seat for seat in kept(self, table) if seat >= 0]
        return kept(self, table) if all("shield" in table.place(f"hand:{seat}") for seat in held) else NOBODY

    return [mock.patch.object(Struck, "awaits", awaits)]


@mutant
def a_view_holds_a_hash_of_the_whole_table() -> list[Patch]:
    def shown(loaded: Any, eyes: int, kept: Any = views.shown) -> dict[str, Any]:
        body = kept(loaded, eyes)
        return {**body, "view_hash": digest(loaded.match.state) if loaded.match.state else body["view_hash"]}

    return [mock.patch.object(views, "shown", shown)]


@mutant
def an_etag_holds_a_hash_of_the_whole_table() -> list[Patch]:
    def etag(version: int, kept: Any = responses.etag) -> str:
        table = g.get("table")
        return kept(version) if table is None or table.state is None else f'"v{version}-{digest(table.state)[:8]}"'

    return [mock.patch.object(responses, "etag", etag)]


@mutant
def moves_are_listed_in_the_order_of_what_they_bring() -> list[Patch]:
    def considered(state: Any, seat: Any, kept: Any = referee.considered) -> Any:
        found = list(kept(state, seat))

        def brings(pair: Any) -> str:
            if pair[1] is not None:
                return ""
            facts, _ = referee.foreseen(state, seat, pair[0])
            return digest(fold(state, facts))

        return iter(sorted(found, key=brings))

    return [mock.patch.object(views, "considered", considered)]


@mutant
def near_misses_come_from_the_whole_table() -> list[Patch]:
    def considered(state: Any, seat: Any, kept: Any = referee.considered) -> Any:
        some = int(digest(state)[:2], 16)
        return (pair for at, pair in enumerate(kept(state, seat)) if pair[1] is None or some >> at % 8 & 1)

    return [mock.patch.object(views, "considered", considered)]


@mutant
def a_listing_does_more_work_for_some_hands() -> list[Patch]:
    def considered(state: Any, seat: Any, kept: Any = referee.considered) -> Any:
        for move, _ in list(kept(state, seat))[: int(digest(state)[:2], 16) % 7]:
            referee.judge(state, seat, move)
        return kept(state, seat)

    return [mock.patch.object(views, "considered", considered)]


@mutant
def a_dry_run_goes_past_the_first_draw() -> list[Patch]:
    def tried(desk: Any, match: str, seat: Any, move: Any) -> Any:
        loaded = views.latest(desk, match, seat, None)
        desk.running(loaded.match)
        given, facts = views.ruled(loaded.match.state, seat, move)
        ways = () if given.granted else referee.nearest(loaded.match.state, seat, move)
        facts = tuple(fact.seen_by(seat) for fact in facts)
        return views.Tried(given, facts, ways, loaded.match, loaded.version)

    return [mock.patch.object(views, "tried", tried)]


@mutant
def a_row_of_the_lobby_tells_of_hands() -> list[Patch]:
    def row(self: Any, match: str, told: Any, kept: Any = runner.Lobby.row) -> dict[str, Any]:
        state = told.match.state
        return {**kept(self, match, told), **({} if state is None else {"table": encode(state)})}

    return [mock.patch.object(card_books, "public", entries.unpack), mock.patch.object(runner.Lobby, "row", row)]


@mutant
def what_a_bot_saw_is_open_to_all() -> list[Patch]:
    return [mock.patch.object(entries.Logged, "hash_for", lambda self, eyes: self.view_hash)]


@mutant
def receipts_bind_hidden_cards_without_salt() -> list[Patch]:
    def pack(match: Any, logged: Any, salt: Any, kept: Any = entries.pack) -> tuple[bytes, bytes]:
        envelope, sealed = kept(match, logged, salt)
        return envelope[:-1] + b',"z":"' + hashlib.sha256(sealed).hexdigest().encode() + b'"}', sealed

    return [mock.patch.object(appender, "pack", pack)]


@mutant
def openings_of_a_seat_tell_a_hash_of_the_whole_entry() -> list[Patch]:
    def opened(desk: Any, stored: Any, eyes: int, generation: int, kept: Any = reveals._opened) -> Iterator[Any]:
        whole = kept(desk, stored, FULL, generation)
        for full, own in zip(whole, kept(desk, stored, eyes, generation), strict=True):
            yield replace(own, part=own.part + hashlib.sha256(full.part.encode()).hexdigest())

    return [mock.patch.object(reveals, "_opened", opened)]


@mutant
def a_standing_pass_passes_only_with_nothing_to_play() -> list[Patch]:
    def passing(match: Any, seen: Any, records: Any, kept: Any = auto_pass.passing) -> Any:
        return (each for each in kept(match, seen, records) if int(digest(match.state)[:1], 16) % 2)

    return [mock.patch.object(auto_pass, "passing", passing)]


@mutant
def all_is_open_before_the_end() -> list[Patch]:
    def latest(desk: Any, match: str, eyes: int, version: Any, kept: Any = views.latest) -> Any:
        return kept(desk, match, 0 if eyes == FULL else eyes, version)

    everybody = frozenset({*authorization.OVER, "lobby", "running"})  # whose full view the door keeps shut till the end
    return [mock.patch.object(views, "latest", latest), mock.patch.object(authorization, "OVER", everybody)]


@mutant
def the_log_of_requests_tells_of_the_table() -> list[Patch]:
    def end(response: Any, kept: Any = request_log.end) -> Any:
        g.problem = digest(g.table.state)[:8] if g.get("table") is not None else None
        return kept(response)

    return [mock.patch.object(request_log, "end", end)]


@mutant
def awaited_is_who_can_answer() -> list[Patch]:
    def awaits(match: Any, kept: Any = views.awaits) -> Any:
        found = kept(match)
        if match.state is None or len(found) < 1:
            return found
        return [who for who in found if not isinstance(who, int) or next(referee.legal(match.state, who), None)] + (
            ["clock"] if int(digest(match.state)[:1], 16) % 2 else []
        )

    return [mock.patch.object(views, "awaits", awaits)]
