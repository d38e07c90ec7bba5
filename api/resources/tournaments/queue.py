"""What waits for officials: calls, results, appeals, disputes, idle tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from marshmallow import Schema, fields

from api.http import context
from api.http.responses import format_time
from api.http.schemas.fields import Int, Words
from api.resources.tournaments.access import TournamentCaller
from api.resources.tournaments.people import compare_counted
from api.resources.tournaments.rendering import compute_end_ms
from referee.match.aggregate import FINAL_STATUSES
from referee.match.errors import MatchUnavailable, UnknownMatch
from referee.match.loaded import LoadedMatch
from referee.match.table.office_state import OfficialCall
from referee.repository.tournaments import LoadedTournament
from referee.service.rights import tokens
from referee.service.tournament_service import TournamentService
from referee.tournament.events import find_table
from referee.tournament.rulebook import TOURNAMENT_BOOK
from referee.tournament.state import Round, Table, Tournament, list_tables

SILENT_MS = 10 * 60_000  # after which a table without a new entry is looked at
FLOOR, COMMITTEE = "floor", "committee"  # who deals with an item
ITEM_KINDS = ("call", "result", "unsigned", "lapsed", "appeal", "dispute", "silent", "overtime", "deck")


class QueueItemSchema(Schema):
    """Something that waits for an official."""

    item = fields.Str(required=True, metadata={"description": "Its name, to claim it"})
    kind = fields.Str(required=True, metadata={"enum": list(ITEM_KINDS)})
    round = Int(required=True, metadata={"description": "0: no table's"})
    table = Int(required=True)
    match = fields.Str(required=True, allow_none=True)
    since = fields.Str(required=True, metadata={"format": "date-time"})
    age_ms = Int(required=True)
    court = fields.Str(required=True, metadata={"enum": [FLOOR, COMMITTEE]})
    claimed_by = Int(required=True, allow_none=True)
    says = fields.Nested(Words, required=True)


class QueueSchema(Schema):
    """What waits for officials, the oldest first."""

    version = Int(required=True)
    items = fields.List(fields.Nested(QueueItemSchema), required=True)


@dataclass(frozen=True, slots=True)
class QueueItem:
    """Something that waits, since a time in ms; `values` fill its text."""

    name: str
    kind: str
    since_ms: int
    court: str = FLOOR
    round: int = 0
    table: int = 0
    match: str = ""
    values: dict[str, Any] = field(default_factory=dict)


def build_queue(service: TournamentService, loaded: LoadedTournament) -> dict[str, Any]:
    """Return what waits for the officials of a tournament now, the oldest first."""
    state, now_ms = loaded.state, loaded.now_ms
    claims = {each.item: each.officer for each in state.claims if each.until_ms > now_ms}
    found = sorted(list_items(service, loaded), key=lambda each: (each.since_ms, each.name))
    return {
        "version": loaded.version,
        "items": [item_to_dict(each, now_ms, claims.get(each.name)) for each in found],
    }


def item_to_dict(item: QueueItem, now_ms: int, officer: int | None) -> dict[str, Any]:
    """Return an item, with the official who looks after it."""
    return {
        "item": item.name,
        "kind": item.kind,
        "round": item.round,
        "table": item.table,
        "match": item.match or None,
        "since": format_time(item.since_ms),
        "age_ms": max(0, now_ms - item.since_ms),
        "court": item.court,
        "claimed_by": officer,
        "says": TOURNAMENT_BOOK.render_texts(f"queue.{item.kind}", table=item.table, **item.values),
    }


def list_items(service: TournamentService, loaded: LoadedTournament) -> Iterator[QueueItem]:
    """Yield what waits, in no particular order."""
    state = loaded.state
    if state.is_over:
        return
    for call in state.calls:
        if call.is_open:
            match = find_table(state, call.round, call.table).match
            where = (FLOOR, call.round, call.table, match)
            yield QueueItem(f"call:{call.number}", "call", call.at_ms, *where, {"reason": call.reason})
    for appeal in state.appeals:
        if appeal.stage == "open":
            since = find_entry_time(service, state.id, appeal.number)
            values = {"player": appeal.by, "about": appeal.about}
            yield QueueItem(f"appeal:{appeal.number}", "appeal", since, COMMITTEE, values=values)
    for one in state.rounds:
        for table in one.tables:
            if not table.final:
                yield from list_table_items(service, loaded, one, table)
    if state.current_round is not None:
        for table in state.current_round.tables:
            yield from list_deck_items(service, state, state.current_round, table)


def list_item_names(service: TournamentService, loaded: LoadedTournament, caller: TournamentCaller) -> Iterator[str]:
    """Yield the names of what waits, if the caller is an official."""
    if caller.officer is not None:
        yield from (each.name for each in list_items(service, loaded))


def list_table_items(
    service: TournamentService, loaded: LoadedTournament, one: Round, table: Table
) -> Iterator[QueueItem]:
    """Yield what waits at a table that has no final result."""
    state, now_ms, place = loaded.state, loaded.now_ms, f"{one.number}:{table.number}"
    where = (FLOOR, one.number, table.number, table.match)
    if table.result is not None and table.entry:
        kind = "result" if table.disputed else "unsigned"
        yield QueueItem(f"{kind}:{place}", kind, find_entry_time(service, state.id, table.entry), *where)
    if table.lapsed:
        yield QueueItem(f"lapsed:{place}", "lapsed", find_entry_time(service, state.id, table.entry), *where)
    played = find_match(service, table.match)
    call = None if played is None else played.match.offices.open_call
    ends_ms = compute_end_ms(state, one, table, now_ms, call)
    if ends_ms is not None and ends_ms <= now_ms and table.result is None:
        yield QueueItem(f"overtime:{place}", "overtime", ends_ms, *where)
    if played is None:
        return
    if call is not None:
        item = f"call:{table.match}:{call.number}"
        yield QueueItem(item, "call", call.since_ms, *where, {"reason": call.reason})
    for dispute in played.match.disputes:
        if dispute.stage == "ruling":
            since = find_match_entry_time(service, table.match, dispute.number)
            yield QueueItem(f"dispute:{table.match}:{dispute.number}", "dispute", since, *where)
    last_ms = find_match_entry_time(service, table.match, played.version)
    quiet_ms = now_ms - last_ms
    if played.match.status not in FINAL_STATUSES and quiet_ms >= SILENT_MS:
        yield QueueItem(f"silent:{place}", "silent", last_ms, *where, {"count": quiet_ms // 60_000})


def list_deck_items(service: TournamentService, state: Tournament, one: Round, table: Table) -> Iterator[QueueItem]:
    """Yield who plays with another deck than the deposited one (TOURNAMENT-DECK-2).

    A difference that an official has recorded just so waits no longer.
    """
    for seat, player in enumerate(table.players):
        cards = find_brought_cards(service, state, player)
        if cards is None:
            continue
        try:
            found = compare_counted(state, player, cards)
        except LookupError:  # the list is kept no longer
            continue
        checked = [{"missing": each.missing, "foreign": each.foreign} for each in state.checks if each.player == player]
        if any(found.values()) and found not in checked:
            # everybody can read who looks after what: the name must not tell whose deck it is
            named = tokens.derive_person(context.get_secret(), state.id, f"deck:{table.match}:{seat}")
            place = (one.number, table.number, table.match)
            yield QueueItem(f"deck:{named[:16]}", "deck", one.started_ms, FLOOR, *place, {"player": player})


def find_brought_cards(service: TournamentService, state: Tournament, player: int) -> dict[str, int] | None:
    """Return the deck with which a player sits at the table of the current round.

    None if none is deposited, or no match of this server knows one.
    """
    one, entrant = state.current_round, state.find_entrant(player)
    table = None if one is None else one.find_table_of(player)
    played = None if table is None else find_match(service, table.match)
    if entrant is None or not entrant.deck or table is None or played is None or played.match.state is None:
        return None
    cards = played.match.rules.find_brought_deck(played.match.state, table.players.index(player))
    return None if cards is None else dict(sorted(Counter(cards).items()))


def find_open_calls(service: TournamentService, state: Tournament) -> dict[str, OfficialCall]:
    """Return the open calls in matches of tables without a final result, by match."""
    matches = (each.match for _, each in list_tables(state) if each.match and not each.final)
    found = ((each, find_match(service, each)) for each in matches)
    open_calls = ((each, played.match.offices.open_call) for each, played in found if played is not None)
    return {each: call for each, call in open_calls if call is not None}


def find_match(service: TournamentService, match: str) -> LoadedMatch | None:
    """Return the match of a table; None if it has none that can be read."""
    if not match:
        return None
    try:
        return service.matches.load_match(match)
    except (UnknownMatch, MatchUnavailable):
        return None


def find_entry_time(service: TournamentService, tournament: str, version: int) -> int:
    """Return when an entry of a tournament was written, in ms."""
    (entry,) = service.repository.load_entries(tournament, version - 1, 1)
    return entry.at_ms


def find_match_entry_time(service: TournamentService, match: str, version: int) -> int:
    """Return when an entry of a match was written, in ms."""
    entries = service.matches.repository.load_entries(match, version - 1, version)
    return entries[0].at_ms
