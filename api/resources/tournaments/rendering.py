"""A tournament and its entries as data, for each viewer.

What a viewer sees of penalties, appeals and deck checks is what the entries tell that viewer: `hide_from` makes of the
whole tournament what the fold of these entries would make.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from api.http.responses import format_optional_time, format_time
from api.resources.matches.time_limits import clocks_to_dict
from api.resources.tournaments.access import TournamentCaller
from api.resources.tournaments.commands import list_possible_commands
from referee.engine.codec import encode
from referee.engine.seats import FULL_VIEWER
from referee.match.entries import LogEntry
from referee.match.table.office_state import OfficialCall
from referee.repository.tournaments import LoadedTournament
from referee.tournament.conduct_events import UNKNOWN_PLAYER
from referee.tournament.deciding.rounds import list_standings
from referee.tournament.exports import write_number
from referee.tournament.penalties import PRIVATE_GRADES, load_infractions
from referee.tournament.standings import StandingRow
from referee.tournament.state import (
    Appeal,
    Call,
    ClaimedItem,
    DeckCheck,
    Entrant,
    Format,
    Officer,
    Penalty,
    Round,
    Table,
    Tournament,
)
from referee.tournament.wording import describe_event

OFFICIAL_NAMES = "official:"  # before the number of an official, where names are kept by player


# -- who may know what -------------------------------------------------------------------------------------------------


def hide_from(state: Tournament, viewer: int) -> Tournament:
    """Return a tournament as a viewer may know it."""
    if viewer == FULL_VIEWER:
        return state
    return replace(
        state,
        penalties=tuple(each if each.player == viewer else _hide_penalty(each) for each in state.penalties),
        appeals=tuple(_hide_appeal(each, viewer) for each in state.appeals),
        checks=tuple(
            each if each.player == viewer else DeckCheck(each.number, UNKNOWN_PLAYER, each.officer, None)
            for each in state.checks
        ),
    )


def _hide_penalty(penalty: Penalty) -> Penalty:
    shown = replace(penalty, infraction="", proposed="", fix="", because="")
    if penalty.grade not in PRIVATE_GRADES:
        return shown
    return replace(shown, player=UNKNOWN_PLAYER, grade="", round=0, table=0)


def _hide_appeal(appeal: Appeal, viewer: int) -> Appeal:
    shown = replace(appeal, votes=tuple((officer, None) for officer, _ in appeal.votes))
    if appeal.by == viewer:
        return shown
    return replace(shown, by=appeal.by if appeal.is_open else UNKNOWN_PLAYER, reason="")


# -- entries -----------------------------------------------------------------------------------------------------------


def entry_to_dict(entry: LogEntry, viewer: int) -> dict[str, Any]:
    """Return an entry as a viewer may know it, each event with a line about it."""
    command, events = entry.view_for(viewer)
    return {
        "version": entry.version,
        "at": format_time(entry.at_ms),
        "actor": entry.actor,
        "command": None if command is None else encode(command),
        "events": [{**encode(event), "says": describe_event(event)} for event in events],
        "clauses": list(entry.clauses),
    }


# -- the tournament ----------------------------------------------------------------------------------------------------


def tournament_to_dict(
    loaded: LoadedTournament,
    caller: TournamentCaller,
    names: dict[str, str],
    items: Iterable[str],
    calls: Mapping[str, OfficialCall],
) -> dict[str, Any]:
    """Return a tournament as the caller sees it.

    `items` are what waits for officials, `calls` the open calls in matches.
    """
    state, now_ms = hide_from(loaded.state, caller.viewer), loaded.now_ms
    known = [each for each in state.penalties if each.player != UNKNOWN_PLAYER]
    return {
        "id": state.id,
        "version": loaded.version,
        "status": state.status,
        "commitment": state.commitment,
        "format": format_to_dict(state.format),
        "officials": [officer_to_dict(each, names, caller, state) for each in state.officers],
        "players": [
            {
                "player": each.number,
                "name": names.get(str(each.number)),
                "bot": each.level,
                "status": each.status,
                "deck": bool(each.deck),
                "can_remove": can_remove(each, caller, state),
            }
            for each in state.entrants
        ],
        "lots": list(state.lots),
        "planned_rounds": state.planned,
        "rounds": [round_to_dict(each, state, now_ms, calls) for each in state.rounds],
        "standings": [standing_to_dict(each) for each in compute_rows(state)],
        "penalties": [penalty_to_dict(each, caller.viewer) for each in known],
        "appeals": [appeal_to_dict(each, caller.viewer) for each in state.appeals],
        "calls": [call_to_dict(each) for each in state.calls],
        "claims": [claim_to_dict(each) for each in state.claims if each.until_ms > now_ms],
        "checks": [check_to_dict(each) for each in state.checks if each.player != UNKNOWN_PLAYER],
        "you": {
            "host": caller.is_host,
            "player": None if caller.entrant is None else caller.entrant.number,
            "officer": None if caller.officer is None else caller.officer.number,
        },
        "can": list_possible_commands(loaded, caller, items),
    }


def can_remove(entrant: Entrant, caller: TournamentCaller, state: Tournament) -> bool:
    """Tell whether the caller may leave as this player, or take the player out."""
    own = caller.entrant is not None and caller.entrant.number == entrant.number
    return entrant.status == "playing" and not state.is_over and (own or caller.may_take_out(entrant))


def format_to_dict(form: Format) -> dict[str, Any]:
    """Return the format of a tournament."""
    points = form.points
    return {
        "game": form.game,
        "variant": form.variant,
        "edition": form.edition,
        "settings": dict(sorted(form.settings.items())),
        "readings": dict(sorted(form.readings.items())),
        "chance": dict(sorted(form.chance.items())),
        "clocks": clocks_to_dict(form.clocks),
        "system": form.system,
        "rounds": form.rounds,
        "seats": {"least": form.least_seats, "most": form.most_seats},
        "points": {
            **{name: getattr(points, name) for name in ("win", "draw", "loss", "bye", "forfeit")},
            "by_place": list(points.by_place),
        },
        "tiebreaks": list(form.tiebreaks),
        "plays": form.plays,
        "decks": form.decks,
        "rated": form.rated,
        "visibility": form.shown_to,
        "round_ms": form.round_ms,
        "sign_ms": form.sign_ms,
        "appeal_ms": form.appeal_ms,
        "most_players": form.most_players,
    }


def officer_to_dict(
    officer: Officer, names: dict[str, str], caller: TournamentCaller, state: Tournament
) -> dict[str, Any]:
    """Return an official, and whether the caller may end the office."""
    own = caller.officer is not None and caller.officer.number == officer.number
    return {
        "officer": officer.number,
        "office": officer.office,
        "person": officer.person,
        "name": names.get(f"{OFFICIAL_NAMES}{officer.number}"),
        "accepted": list(officer.accepted),
        "left": officer.left,
        "can_end": not officer.left and not state.is_over and (own or caller.is_host),
    }


def compute_end_ms(state: Tournament, one: Round, table: Table, now_ms: int, call: OfficialCall | None) -> int | None:
    """Return when the time of a table is up; None if it has no limit.

    A call that stops the time puts it off for as long as the table has waited. `call` is the open one in its match.
    """
    if one.ends_ms is None:
        return None
    here = [each for each in state.calls if (each.round, each.table) == (one.number, table.number) and each.is_open]
    in_match = 0 if call is None else max(0, min(now_ms, call.until_ms) - call.since_ms)
    return one.ends_ms + table.extra_ms + max([in_match, *(each.compute_wait(now_ms) for each in here)])


def is_paused(state: Tournament, one: Round, table: Table, now_ms: int, call: OfficialCall | None) -> bool:
    """Return whether the time of a table stands still for a call."""
    if call is not None and now_ms < call.until_ms:
        return True
    return any(
        each.is_open and each.stops and now_ms < each.until_ms
        for each in state.calls
        if (each.round, each.table) == (one.number, table.number)
    )


def round_to_dict(one: Round, state: Tournament, now_ms: int, calls: Mapping[str, OfficialCall]) -> dict[str, Any]:
    """Return a round with its tables; `calls` are the open calls in their matches."""
    return {
        "round": one.number,
        "tables": [
            {
                **table_to_dict(each, ends_ms := compute_end_ms(state, one, each, now_ms, calls.get(each.match))),
                "left_ms": None if ends_ms is None else max(0, ends_ms - now_ms),
                "paused": is_paused(state, one, each, now_ms, calls.get(each.match)),
            }
            for each in one.tables
        ],
        "byes": list(one.byes),
        "started_at": format_time(one.started_ms),
        "ends_at": format_optional_time(one.ends_ms),
        "closed": one.closed,
    }


def table_to_dict(table: Table, ends_ms: int | None) -> dict[str, Any]:
    """Return a table, and when its time is up."""
    result = None if table.result is None else {
        "placement": [list(group) for group in table.result.placement],
        "forfeits": list(table.result.forfeits),
        "by": table.by,
        "entry": table.entry,
    }  # fmt: skip
    return {
        "table": table.number,
        "players": list(table.players),
        "match": table.match or None,
        "lapsed": table.lapsed,
        "former_matches": list(table.former),
        "result": result,
        "signed": list(table.signed),
        "disputed": list(table.disputed),
        "until": format_optional_time(table.until_ms),
        "final": table.final,
        "extra_ms": table.extra_ms,
        "ends_at": format_optional_time(ends_ms),
    }


def compute_rows(state: Tournament) -> tuple[StandingRow, ...]:
    """Return the standings as they are now; none before the start.

    Who was disqualified is not in them.
    """
    return () if state.status in ("registration", "withdrawn") else list_standings(state)


def standing_to_dict(row: StandingRow) -> dict[str, Any]:
    """Return a row of the standings; its figures are decimal numbers as text."""
    return {
        **{name: getattr(row, name) for name in ("rank", "player", "played", "wins", "draws", "losses", "byes")},
        "points": write_number(row.points),
        "tiebreaks": {name: None if value is None else write_number(value) for name, value in row.tiebreaks.items()},
    }


def penalty_to_dict(penalty: Penalty, viewer: int) -> dict[str, Any]:
    """Return a penalty; what is hidden from the viewer is null, and `hidden` says so."""
    infraction = load_infractions().get(penalty.infraction)
    return {
        "penalty": penalty.number,
        "player": penalty.player,
        "infraction": penalty.infraction or None,
        "says": None if infraction is None else infraction.says,
        "grade": penalty.grade,
        "proposed": penalty.proposed or None,
        "officer": penalty.by,
        "at": format_time(penalty.at_ms),
        "round": penalty.round,
        "table": penalty.table,
        "fix": penalty.fix or None,
        "because": penalty.because or None,
        "stage": penalty.stage,
        "hidden": viewer not in (FULL_VIEWER, penalty.player),
    }


def appeal_to_dict(appeal: Appeal, viewer: int) -> dict[str, Any]:
    """Return an appeal; what is hidden from the viewer is null, and `hidden` says so."""
    return {
        "appeal": appeal.number,
        "player": None if appeal.by == UNKNOWN_PLAYER else appeal.by,
        "about": appeal.about,
        "kind": appeal.kind,
        "ruled_by": appeal.ruled_by,
        "committee": list(appeal.committee),
        "voted": [officer for officer, _ in appeal.votes],
        "until": format_time(appeal.until_ms),
        "stage": appeal.stage,
        "reason": appeal.reason or None,
        "hidden": viewer not in (FULL_VIEWER, appeal.by),
    }


def call_to_dict(call: Call) -> dict[str, Any]:
    """Return a call for an official."""
    return {
        "call": call.number,
        "round": call.round,
        "table": call.table,
        "player": call.by,
        "reason": call.reason,
        "at": format_time(call.at_ms),
        "until": format_time(call.until_ms),
        "stops": call.stops,
        "answered_by": call.answered_by,
        "ended": call.ended or None,
    }


def claim_to_dict(claim: ClaimedItem) -> dict[str, Any]:
    """Return who looks after an item of the queue; the entries say so to everybody."""
    return {"item": claim.item, "officer": claim.officer, "until": format_time(claim.until_ms)}


def check_to_dict(check: DeckCheck) -> dict[str, Any]:
    """Return a check of a deck."""
    return {
        "check": check.number,
        "player": check.player,
        "officer": check.officer,
        "matches": check.matches,
        "missing": dict(sorted(check.missing.items())),
        "foreign": dict(sorted(check.foreign.items())),
    }
