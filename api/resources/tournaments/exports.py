"""Tournaments as files: CSV, and a report in the manner of TRF.

Players are numbered from 1 there, as in all texts. Names are in them, as long as they are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from flask import Response, current_app
from marshmallow import Schema

from api.http import context
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import NDJSON, format_time
from api.http.schemas.fields import enum_field
from api.resources.tournaments.access import (
    TOURNAMENT_PATH,
    VISITOR,
    answering_refusals,
    find_caller,
    load_tournament,
)
from api.resources.tournaments.rendering import OFFICIAL_NAMES, compute_rows
from referee.audit.bundles.export import PUBLIC, WHOLE, BundleMetadata
from referee.audit.bundles.format import encode_bundle
from referee.audit.tournaments.export import build_tournament_bundle_lines
from referee.games import load_games
from referee.repository.tournaments import LoadedTournament
from referee.tournament.exports import (
    CSV_FORMS,
    PLAIN,
    NotExportable,
    write_csv_pairings,
    write_csv_results,
    write_csv_standings,
    write_trf,
)
from referee.tournament.pairing import Pairing
from referee.tournament.results import TableResult
from referee.tournament.standings import StandingRow
from referee.tournament.state import Tournament

CSV, TEXT = "text/csv", "text/plain"
Names = dict[int, str]
blueprint = EndpointBlueprint("tournament-files", tag="tournaments")


class TournamentFileQuery(Schema):
    """How a table is written."""

    form = enum_field(
        *CSV_FORMS,
        load_default=PLAIN,
        metadata={
            "description": "`comma` and `semicolon` are for spreadsheets, with a byte order mark; the second one has "
            "decimal commas, as where German is spoken"
        },
    )


def list_rows(state: Tournament) -> tuple[StandingRow, ...]:
    """Return the standings with players numbered from 1."""
    return tuple(replace(row, player=row.player + 1) for row in compute_rows(state))


def list_results(state: Tournament) -> tuple[TableResult, ...]:
    """Return the final results with players numbered from 1."""
    return tuple(
        TableResult(
            each.round,
            each.table,
            tuple(player + 1 for player in each.players),
            tuple(tuple(player + 1 for player in group) for group in each.placement),
            tuple(player + 1 for player in each.forfeits),
        )
        for each in state.results
    )


def export_standings(loaded: LoadedTournament, names: Names, _officials: list[str], form: str) -> str:
    """Return the standings as CSV."""
    return write_csv_standings(list_rows(loaded.state), names, form)


def export_results(loaded: LoadedTournament, names: Names, _officials: list[str], form: str) -> str:
    """Return the results as CSV."""
    return write_csv_results(list_results(loaded.state), names, form)


def export_pairings(loaded: LoadedTournament, names: Names, _officials: list[str], form: str) -> str:
    """Return the pairing of the current round as CSV."""
    one = loaded.state.current_round
    tables = () if one is None else (*(each.players for each in one.tables), *((each,) for each in one.byes))
    pairing = Pairing(tuple(tuple(player + 1 for player in each) for each in tables))
    return write_csv_pairings(pairing, names, form)


def export_report(loaded: LoadedTournament, names: Names, officials: list[str], _form: str) -> str:
    """Return a report in the manner of TRF.

    Raises Problem if that cannot hold the tournament.
    """
    state = loaded.state
    title = f"{load_games()[state.format.game].title['en']} {state.id}"
    start = format_time(state.rounds[0].started_ms)[:10].replace("-", "/") if state.rounds else ""
    try:
        return write_trf(
            list_rows(state), list_results(state), names, title=title, rounds=state.planned, start=start,
            system=state.format.system, arbiters=officials,
        )  # fmt: skip
    except NotExportable as refused:
        raise Problem("not-exportable") from refused


EXPORTS: dict[str, tuple[str, Callable[[LoadedTournament, Names, list[str], str], str]]] = {
    "standings.csv": (CSV, export_standings),
    "results.csv": (CSV, export_results),
    "pairings.csv": (CSV, export_pairings),
    "report.trf": (TEXT, export_report),
}


BUNDLES = {"public.bundle": PUBLIC, "full.bundle": WHOLE}  # the second one for officials, after the end


def build_bundle(loaded: LoadedTournament, export: str) -> Response:
    """Return a tournament's bundle, for everybody or, after the end, for officials.

    Raises Problem.
    """
    if BUNDLES[export] == WHOLE and not find_caller(loaded).may_see_queue:
        raise Problem("forbidden")
    found: BundleMetadata = current_app.config["BUNDLE_METADATA"]()
    with answering_refusals():
        lines = build_tournament_bundle_lines(context.get_tournament_service(), loaded.state.id, BUNDLES[export], found)
    return Response(b"".join(encode_bundle(lines)), mimetype=NDJSON)


@blueprint.declare(
    Endpoint(
        "GET",
        f"{TOURNAMENT_PATH}/exports/<export:export>",
        "getTournamentFile",
        VISITOR,
        query=TournamentFileQuery,
        response=(200, {"type": "string"}),
        other_responses=[(200, {"type": "string"}, TEXT), (200, {"type": "string"}, NDJSON)],
        media=(CSV, TEXT, NDJSON),
        file=True,
        problems=["unknown-tournament", "not-exportable", "forbidden", "command-refused"],
    )
)
def get_tournament_file(query: dict[str, Any], tournament: str, export: str) -> Response:
    """Return standings, results or the current pairing as CSV, a report, or a bundle.

    `form` says how a spreadsheet program reads the CSV. The report is in the manner of TRF. A name that a spreadsheet
    would take for a formula is guarded. A bundle is one file (NDJSON) that `referee verify` checks without a server; it
    holds no names. `full.bundle` has the hidden parts too, and is for officials once the tournament is over.
    """
    loaded = load_tournament(tournament)
    if export in BUNDLES:
        response = build_bundle(loaded, export)
        response.headers["Content-Disposition"] = f'attachment; filename="{tournament}-{export}"'
        return response
    kept = context.get_match_service().log.read_seat_names(tournament)
    names = {each.number + 1: f"Bot {each.number + 1}" for each in loaded.state.entrants if each.is_bot}
    names |= {int(place) + 1: name for place, name in kept.items() if place.isdecimal()}
    head = [each for each in loaded.state.officers if not each.left]
    head.sort(key=lambda each: each.office != "head")
    officials = [kept.get(f"{OFFICIAL_NAMES}{each.number}", f"Official {each.number}") for each in head]
    media, write = EXPORTS[export]
    response = Response(write(loaded, names, officials, query["form"]), mimetype=media)
    response.headers["Content-Disposition"] = f'attachment; filename="{tournament}-{export}"'
    return response
