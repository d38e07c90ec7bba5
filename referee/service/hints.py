"""Hints: what the referee advises a seat, from its view of one version alone."""

from __future__ import annotations

from typing import Any

from referee.bots.explain import SHOWN_DIGITS, AdvisedMove, explain_thought, shows_own_cards
from referee.bots.minds import SEARCHING, think
from referee.engine.referee import seats_that_must_act
from referee.engine.rulings import Undetermined
from referee.engine.seats import Seat
from referee.match.entries import LogEntry
from referee.match.errors import IdempotencyKeyConflict
from referee.match.loaded import LoadedMatch
from referee.match.table.hints import HintTaken, TakeHint, find_taken_hint
from referee.rendering import texts
from referee.service.concurrency import is_play_unchanged
from referee.service.match_service import MatchService
from referee.service.requests import hash_request


def find_hint_version(service: MatchService, loaded: LoadedMatch, seat: int) -> int:
    """Return the version that a hint for this seat is about.

    TABLE-HINT-2: As long as play stands where it stood at the seat's last hint, it is that one's.

    With a key that the seat has taken a hint under, it is that hint's. Raises IdempotencyKeyConflict if that key was
    used for anything else.
    """
    record = loaded.read_result.known
    if record is not None:
        (entry,) = service.repository.load_entries(loaded.match.id, record.version - 1, record.version)
        return _require_hint_entry(entry, seat, record.fingerprint)
    taken = find_taken_hint(loaded.match, seat)
    if taken is not None and is_play_unchanged(service.repository, loaded, taken.at):
        return taken.at
    return loaded.version


def _require_hint_entry(entry: LogEntry, seat: int, fingerprint: bytes) -> int:
    for event in entry.events:
        if isinstance(event, HintTaken) and fingerprint == hash_request(TakeHint(seat, event.at)):
            return event.at
    raise IdempotencyKeyConflict


def compute_hint(service: MatchService, match: str, seat: int, at: int) -> dict[str, Any]:
    """Return the hint for a seat on the position at version `at`.

    It is `{options}` or, if the seat's view does not say enough, `{needs}`: what is asked for, nothing if it is the
    seat's own real cards. Only the view counts, and the seed is that of match, seat and version: another try gives
    nothing better. Raises UnknownMatch, UnknownVersion.
    """
    loaded = service.load_version(match, at)
    table, game = loaded.match, loaded.match.rules
    assert table.state is not None
    seen = table.state.view_for(seat)
    if not shows_own_cards(seen, Seat(seat)):
        return {"needs": []}
    try:
        thought = think(
            SEARCHING, seen, Seat(seat), f"hint|{match}|{seat}|{at}", is_invited=seat not in seats_that_must_act(seen)
        )
    except Undetermined as unknown:
        need = unknown.need
        return {"needs": [{"key": need.key, "asks": texts.render_text(game, need.key, **need.params)}]}
    advised = explain_thought(seen, Seat(seat), thought)
    moves = [each.move for each in advised if each.move is not None]
    told = iter(texts.legal_moves_response(game, moves, seen, seat))
    return {
        "options": [
            {"legal": None if each.move is None else next(told), **_comparison_response(each)} for each in advised
        ]
    }


def _comparison_response(advised: AdvisedMove) -> dict[str, Any]:
    """Return how one of the best moves compares, in rounded numbers."""
    return {
        "estimate": _round_share(advised.estimate),
        "behind": _round_share(advised.behind),
        "error": _round_share(advised.error),
        "playouts": advised.playouts,
        "says": advised.says,
        "facts": list(advised.facts),
    }


def _round_share(share: float | None) -> float | None:
    return None if share is None else round(share, SHOWN_DIGITS) + 0.0  # not -0.0
