"""Matches to tell of: played by chance at a desk in memory, and gone back in; the same ones in every run."""

from __future__ import annotations

import random
from typing import Any

from referee.cli.commands.histories.show import MatchDocument
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import FINAL_STATUSES
from referee.match.events.takeback_events import AnswerTakeback, RequestTakeback
from referee.queries import views
from referee.service.match_service import MatchService
from tests.arbitration.playing import GAMES, Referee, plays, started

MOVES = 18
AT = 1_000_000_000  # ms: when the first entry was made; the others follow in steps of some seconds


RULESETS = {"munchkin": "3"}  # by which the golden transcripts were written


def rewound(game: str, moves: int = MOVES, source: str = "server") -> tuple[Referee, str]:
    """A match of a game in which all go back once by common consent, some turns if that may be, and then play on."""
    for leg in range(6):
        house, match = started(game, source, key=f"opening-{leg}", official="", ruleset=RULESETS.get(game, ""))
        made = len(plays(house, match, leg, max(6, moves - 5 * leg)))
        version = house.load_match(match).version
        if house.load_match(match).match.status not in FINAL_STATUSES and went_back(
            house, match, version - min(made - 2, 14)
        ):
            plays(house, match, 100 + leg, moves)
            return house, match
    raise AssertionError(f"{game}: nobody could go back")


def went_back(house: MatchService, match: str, to: int) -> bool:
    """Whether a seat asked to go back to there and all agreed."""
    entries = house.repository.load_entries(match, to)
    asker = next((entry.seat for entry in entries if entry.seat >= 0), None)
    if asker is None:
        return False
    house.execute_command(match, RequestTakeback(asker, to), key="back", scope=f"seat{asker}")
    asked = house.load_match(match).match.takebacks[-1]
    for seat in range(len(house.load_match(match).match.chairs)):
        if house.load_match(match).match.takebacks[-1].stage == "asked" and seat != asker:
            consent = AnswerTakeback(asked.number, seat, True)
            house.execute_command(match, consent, key=f"yes-{seat}", scope=f"seat{seat}")
    return house.load_match(match).match.takebacks[-1].stage == "granted"


def entries_of(house: MatchService, match: str, viewer: int = BYSTANDER) -> list[dict[str, Any]]:
    """All entries as these eyes are told them, some seconds apart."""
    found: list[dict[str, Any]] = []
    cursor: int | None = 0
    while cursor is not None:
        items, cursor = views.list_entries(house, match, viewer, cursor, None, 200, steps=True)
        found += items
    steps, at = random.Random("times"), AT
    for entry in found:
        at += steps.choice((400, 2_000, 9_000, 75_000, 3_700_000))
        entry["at_ms"] = at
    return found


def about_of(house: MatchService, match: str) -> dict[str, Any]:
    """The match as the API describes it, as far as a protocol asks for it."""
    loaded = house.load_match(match)
    found = loaded.match
    seats = [{"seat": at, "kind": each.kind, "level": 0, "taken": each.taken} for at, each in enumerate(found.chairs)]
    return {
        "id": match, "game": found.game, "variant": found.variant, "edition": found.edition, "ruleset": found.ruleset,
        "status": found.status, "chance": found.chance, "seats": seats, "outcome": views.outcome_response(found),
        "version": loaded.version, "commitment": found.commitment,
    }  # fmt: skip


def told(house: MatchService, match: str, viewer: int = BYSTANDER) -> MatchDocument:
    """What is told of a match."""
    names: dict[str, str | None] = {"0": "Ada", "1": None}
    return MatchDocument(about_of(house, match), names, entries_of(house, match, viewer))


__all__ = ["GAMES", "MOVES", "about_of", "entries_of", "rewound", "told"]
