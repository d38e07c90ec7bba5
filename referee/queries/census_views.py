"""The census of a match in words, for a pair of eyes."""

from __future__ import annotations

from typing import Any

from referee.census.check import Census, Claim, Contradiction, Outcome, Recount, counted
from referee.census.observations import Sighting
from referee.census.texts import says
from referee.engine.game import Game
from referee.match.entries import Logged, course
from referee.queries import views
from referee.rendering import texts
from referee.service.match_service import Desk, Loaded

CLAUSE = "TABLE-CENSUS-1"
SHOWN = 24  # entries told for each contradiction, the last ones


def entries_for(desk: Desk, loaded: Loaded, eyes: int) -> list[Logged]:
    """The entries that these eyes may have counted, whether they still stand or not; those who come late count late.

    Raises Refused for the eyes that see all while the match runs.
    """
    return desk.entries(loaded.match.id, 0, views.latest(desk, loaded, eyes, None).version)


def census(game: Game, entries: list[Logged], eyes: int, claim: Claim | None = None) -> dict[str, Any]:
    """What these eyes' census of a match finds, from all its entries."""
    return {"version": entries[-1].version, **told(game, counted(course(entries), eyes, claim))}


def told(game: Game, found: Census) -> dict[str, Any]:
    """A census as data that people can read."""
    return {
        "possible": found.possible,
        "sure": found.sure,
        "first": found.first,
        "contradictions": [contradiction(game, each) for each in found.contradictions],
        "recounts": [recount(game, each) for each in found.recounts],
        "suspects": list(found.suspects),
        "clauses": texts.cited(game, dict.fromkeys((CLAUSE, *(each.clause for each in found.contradictions)))),
    }


def contradiction(game: Game, each: Contradiction) -> dict[str, Any]:
    """One thing that cannot be."""
    return {
        "kind": each.key.removeprefix("census."),
        "card": each.card or None,
        "version": each.version,
        "clause": each.clause,
        "says": says(game, each.key, each.params),
        "named": [sighting(game, seen) for seen in each.sightings[-SHOWN:]],
    }


def sighting(game: Game, seen: Sighting) -> dict[str, Any]:
    """Where a card was named, and by whom."""
    by: int | str | None = int(seen.reporter) if seen.reporter.isdecimal() else seen.reporter or None
    return {
        "version": seen.version, "seat": texts.whose(seen.seat), "reporter": by,
        "card": seen.card, "place": seen.place, "called": game.called(seen.place),
    }  # fmt: skip


def recount(game: Game, each: Recount) -> dict[str, Any]:
    """Something to count again, and what each outcome would mean."""
    params = {"card": each.card, "place": each.place, "expected": each.expected}
    return {
        "place": each.place,
        "card": each.card or None,
        "expected": each.expected,
        "says": says(game, "census.count_again" if each.card else "census.count_all_again", params),
        "outcomes": [outcome(game, one) for one in each.outcomes],
    }


def outcome(game: Game, one: Outcome) -> dict[str, Any]:
    """What it means to find this."""
    return {"says": says(game, one.key, one.params), "entries": list(one.entries)}
