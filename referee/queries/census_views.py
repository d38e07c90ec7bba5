"""The census of a match in words, for one viewer."""

from __future__ import annotations

from typing import Any

from referee.census.check import Census, CensusClaim, Contradiction, Recount, RecountOutcome, take_census
from referee.census.observations import Sighting
from referee.census.texts import render_census_text
from referee.engine.game import Game
from referee.match.entries import LogEntry, effective_entries
from referee.match.loaded import LoadedMatch
from referee.queries import views
from referee.rendering import texts
from referee.service.match_service import MatchService

CLAUSE = "TABLE-CENSUS-1"
MAX_SIGHTINGS = 24  # for each contradiction only the last are listed


def load_countable_entries(service: MatchService, loaded: LoadedMatch, viewer: int) -> list[LogEntry]:
    """Return the entries that a viewer may have counted, in force or not.

    Spectators with a delay count with that delay. Raises IllegalMove for the full viewer while the match runs.
    """
    return service.repository.load_entries(
        loaded.match.id, 0, views.load_visible_version(service, loaded, viewer, None).version
    )


def match_census_response(
    game: Game, entries: list[LogEntry], viewer: int, claim: CensusClaim | None = None
) -> dict[str, Any]:
    """Return the result of a viewer's census of a match, from all its entries."""
    return {
        "version": entries[-1].version,
        **census_response(game, take_census(effective_entries(entries), viewer, claim)),
    }


def census_response(game: Game, found: Census) -> dict[str, Any]:
    """Return a census as data that people can read."""
    return {
        "possible": found.possible,
        "sure": found.sure,
        "first": found.first,
        "contradictions": [contradiction_response(game, each) for each in found.contradictions],
        "recounts": [recount_response(game, each) for each in found.recounts],
        "suspects": list(found.suspects),
        "clauses": texts.clauses_response(
            game, dict.fromkeys((CLAUSE, *(each.clause for each in found.contradictions)))
        ),
    }


def contradiction_response(game: Game, each: Contradiction) -> dict[str, Any]:
    """Return one thing that cannot be true."""
    return {
        "kind": each.key.removeprefix("census."),
        "card": each.card or None,
        "version": each.version,
        "clause": each.clause,
        "says": render_census_text(game, each.key, each.params),
        "named": [sighting_response(game, seen) for seen in each.sightings[-MAX_SIGHTINGS:]],
    }


def sighting_response(game: Game, seen: Sighting) -> dict[str, Any]:
    """Return where a card was named, and by whom."""
    by: int | str | None = int(seen.reporter) if seen.reporter.isdecimal() else seen.reporter or None
    return {
        "version": seen.version, "seat": texts.actor_label(seen.seat), "reporter": by,
        "card": seen.card, "place": seen.place, "called": game.tracking.zone_label(seen.place),
    }  # fmt: skip


def recount_response(game: Game, each: Recount) -> dict[str, Any]:
    """Return something to count again, and what each outcome would mean."""
    params = {"card": each.card, "place": each.place, "expected": each.expected}
    return {
        "place": each.place,
        "card": each.card or None,
        "expected": each.expected,
        "says": render_census_text(game, "census.count_again" if each.card else "census.count_all_again", params),
        "outcomes": [outcome_response(game, one) for one in each.outcomes],
    }


def outcome_response(game: Game, one: RecountOutcome) -> dict[str, Any]:
    """Return what one outcome of a recount means."""
    return {"says": render_census_text(game, one.key, one.params), "entries": list(one.entries)}
