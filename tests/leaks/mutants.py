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

from api import answers, headers, matches, moves, problems, rights, streams
from referee.desk import books, entries, openings, seeing, speech, standing, writing
from referee.desk.desk import IllegalMove, UnknownVersion
from referee.games.monster_combat.rules.attacks import Struck
from referee.kernel import play, zones
from referee.kernel.agenda import NOBODY
from referee.kernel.codec import canonical, encode
from referee.kernel.facts import fold
from referee.kernel.seats import FULL
from workers import projections

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
    last = seeing.latest(desk, match, eyes, None)
    found = desk.entries(last.match.id, after, min(upto or last.version, last.version), limit)
    return [speech.entry(last.match.rules, each, FULL) for each in found], None


@mutant
def the_log_is_not_filtered() -> list[Patch]:
    return [
        mock.patch.object(speech, "entry", lambda rules, logged, eyes, kept=speech.entry: kept(rules, logged, FULL))
    ]


@mutant
def a_stream_is_not_filtered() -> list[Patch]:
    return [
        mock.patch.object(
            streams,
            "seeing",
            SimpleNamespace(log=all_of_it, latest=seeing.latest, view=seeing.view, put_back=seeing.put_back),
        )
    ]


@mutant
def what_was_missed_is_not_filtered() -> list[Patch]:
    return [mock.patch.object(problems, "seeing", SimpleNamespace(log=all_of_it))]


@mutant
def the_answer_to_a_move_is_not_filtered() -> list[Patch]:
    told = SimpleNamespace(entry=lambda rules, logged, eyes: speech.entry(rules, logged, FULL))
    return [mock.patch.object(matches, "speech", told)]


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
    def shown(loaded: Any, eyes: int, kept: Any = seeing.shown) -> dict[str, Any]:
        body = kept(loaded, eyes)
        return {**body, "view_hash": digest(loaded.match.state) if loaded.match.state else body["view_hash"]}

    return [mock.patch.object(seeing, "shown", shown)]


@mutant
def an_etag_holds_a_hash_of_the_whole_table() -> list[Patch]:
    def etag(version: int, kept: Any = answers.etag) -> str:
        table = g.get("table")
        return kept(version) if table is None or table.state is None else f'"v{version}-{digest(table.state)[:8]}"'

    return [mock.patch.object(answers, "etag", etag)]


@mutant
def moves_are_listed_in_the_order_of_what_they_bring() -> list[Patch]:
    def considered(state: Any, seat: Any, kept: Any = play.considered) -> Any:
        found = list(kept(state, seat))

        def brings(pair: Any) -> str:
            if pair[1] is not None:
                return ""
            facts, _ = play.foreseen(state, seat, pair[0])
            return digest(fold(state, facts))

        return iter(sorted(found, key=brings))

    return [mock.patch.object(seeing, "considered", considered)]


@mutant
def near_misses_come_from_the_whole_table() -> list[Patch]:
    def considered(state: Any, seat: Any, kept: Any = play.considered) -> Any:
        some = int(digest(state)[:2], 16)
        return (pair for at, pair in enumerate(kept(state, seat)) if pair[1] is None or some >> at % 8 & 1)

    return [mock.patch.object(seeing, "considered", considered)]


@mutant
def a_listing_does_more_work_for_some_hands() -> list[Patch]:
    def considered(state: Any, seat: Any, kept: Any = play.considered) -> Any:
        for move, _ in list(kept(state, seat))[: int(digest(state)[:2], 16) % 7]:
            play.judge(state, seat, move)
        return kept(state, seat)

    return [mock.patch.object(seeing, "considered", considered)]


@mutant
def a_dry_run_goes_past_the_first_draw() -> list[Patch]:
    def tried(desk: Any, match: str, seat: Any, move: Any) -> Any:
        loaded = seeing.latest(desk, match, seat, None)
        desk.running(loaded.match)
        given, facts = seeing.ruled(loaded.match.state, seat, move)
        ways = () if given.granted else play.nearest(loaded.match.state, seat, move)
        facts = tuple(fact.seen_by(seat) for fact in facts)
        return seeing.Tried(given, facts, ways, loaded.match, loaded.version)

    return [mock.patch.object(seeing, "tried", tried)]


@mutant
def a_row_of_the_lobby_tells_of_hands() -> list[Patch]:
    def row(self: Any, match: str, told: Any, kept: Any = projections.Lobby.row) -> dict[str, Any]:
        state = told.match.state
        return {**kept(self, match, told), **({} if state is None else {"table": encode(state)})}

    return [mock.patch.object(books, "public", entries.unpack), mock.patch.object(projections.Lobby, "row", row)]


@mutant
def what_a_bot_saw_is_open_to_all() -> list[Patch]:
    return [mock.patch.object(entries.Logged, "hash_for", lambda self, eyes: self.view_hash)]


@mutant
def receipts_bind_hidden_cards_without_salt() -> list[Patch]:
    def pack(match: Any, logged: Any, salt: Any, kept: Any = entries.pack) -> tuple[bytes, bytes]:
        envelope, sealed = kept(match, logged, salt)
        return envelope[:-1] + b',"z":"' + hashlib.sha256(sealed).hexdigest().encode() + b'"}', sealed

    return [mock.patch.object(writing, "pack", pack)]


@mutant
def openings_of_a_seat_tell_a_hash_of_the_whole_entry() -> list[Patch]:
    def opened(desk: Any, stored: Any, eyes: int, generation: int, kept: Any = openings._opened) -> Iterator[Any]:
        whole = kept(desk, stored, FULL, generation)
        for full, own in zip(whole, kept(desk, stored, eyes, generation), strict=True):
            yield replace(own, part=own.part + hashlib.sha256(full.part.encode()).hexdigest())

    return [mock.patch.object(openings, "_opened", opened)]


@mutant
def a_standing_pass_passes_only_with_nothing_to_play() -> list[Patch]:
    def passing(match: Any, seen: Any, records: Any, kept: Any = standing.passing) -> Any:
        return (each for each in kept(match, seen, records) if int(digest(match.state)[:1], 16) % 2)

    return [mock.patch.object(standing, "passing", passing)]


@mutant
def all_is_open_before_the_end() -> list[Patch]:
    def latest(desk: Any, match: str, eyes: int, version: Any, kept: Any = seeing.latest) -> Any:
        return kept(desk, match, 0 if eyes == FULL else eyes, version)

    everybody = frozenset({*rights.OVER, "lobby", "running"})  # whose full view the door keeps shut till the end
    return [mock.patch.object(seeing, "latest", latest), mock.patch.object(rights, "OVER", everybody)]


@mutant
def the_log_of_requests_tells_of_the_table() -> list[Patch]:
    def end(response: Any, kept: Any = headers.end) -> Any:
        g.problem = digest(g.table.state)[:8] if g.get("table") is not None else None
        return kept(response)

    return [mock.patch.object(headers, "end", end)]


@mutant
def awaited_is_who_can_answer() -> list[Patch]:
    def awaits(match: Any, kept: Any = seeing.awaits) -> Any:
        found = kept(match)
        if match.state is None or len(found) < 1:
            return found
        return [who for who in found if not isinstance(who, int) or next(play.legal(match.state, who), None)] + (
            ["clock"] if int(digest(match.state)[:1], 16) % 2 else []
        )

    return [mock.patch.object(seeing, "awaits", awaits)]
