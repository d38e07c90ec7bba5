"""Entries of a tournament in words."""

from __future__ import annotations

from typing import Any

from referee.engine.codec import encode
from referee.engine.events import Event
from referee.engine.rulebook.book import Text
from referee.engine.rulings import Ruling
from referee.tournament.conduct_events import UNKNOWN_PLAYER, AppealOpened, DeckChecked, PenaltyGiven
from referee.tournament.rulebook import TOURNAMENT_BOOK

SECRETIVE = (AppealOpened, DeckChecked, PenaltyGiven)  # which say more to those who may know


def describe_event(event: Event) -> Text:
    """Return one line about an event, as far as the viewer who got it may know."""
    params = {key: value for key, value in encode(event).items() if key != "type"}
    key = f"fact.{event.TAG.rpartition('.')[2]}"
    if isinstance(event, SECRETIVE) and event.player not in (None, UNKNOWN_PLAYER):
        is_loss = isinstance(event, PenaltyGiven) and not event.infraction
        key = f"{key}.{'loss' if is_loss else 'whole'}"
    return TOURNAMENT_BOOK.render_texts(key, **params)


def ruling_response(given: Ruling) -> dict[str, Any]:
    """Return a refusal as the API shows it, with its reason and clauses."""
    found = (TOURNAMENT_BOOK.find_clause(name) for name in given.clauses)
    return {
        "verdict": given.verdict,
        "reason": TOURNAMENT_BOOK.render_texts(given.reason, **given.params),
        "clauses": [{"id": each.id, "found": each.found or None, "says": each.says} for each in found],
    }
