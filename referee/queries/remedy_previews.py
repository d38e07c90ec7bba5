"""Previews of remedies: the table after a remedy, as one viewer would see it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from referee.arbitration.courts import levels
from referee.arbitration.remedies import ladder
from referee.arbitration.remedies.correction_forecast import iterate_strings
from referee.arbitration.remedies.manual_corrections import forecast_corrections, is_value_visible
from referee.arbitration.remedies.options import Remedy
from referee.engine.codec import encode
from referee.engine.events import Event
from referee.engine.game import Game
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.engine.zones import ZonedState
from referee.match.aggregate import Match, MatchRewound
from referee.match.entries import LogEntry
from referee.match.events.dispute_commands import CastVote
from referee.match.loaded import LoadedMatch
from referee.queries import card_returns, views
from referee.queries.card_returns import CardReturn
from referee.queries.dispute_views import remedy_response
from referee.queries.visible_entries import draw_board
from referee.service.match_service import MatchService

COPY_MARK = re.compile(r"[#!@]")  # the text after it distinguishes copies and triggers of a card


def remedy_preview_response(
    service: MatchService, loaded: LoadedMatch, viewer: int, number: int, name: str
) -> dict[str, Any]:
    """Return a remedy for a dispute, and the view that the viewer would have after it.

    The view is left out (`hides`) if it would show a card that nothing has shown the viewer yet, or if it follows from
    cards that the viewer does not see. So a preview reveals nothing. Nothing is kept. Raises IllegalMove if there is no
    such dispute, or if the remedy is impossible.
    """
    dispute, evidence = levels.require_dispute(loaded.match, number), service.build_evidence(loaded)
    found = next((each for each in ladder.list_remedies(evidence, dispute, viewer) if each.name == name), None)
    if found is None or not (found.offered or found.possible):
        raise IllegalMove("court.not_offered", loaded.match.courts.voting_clause, remedy=name)
    remedy = remedy_response(loaded.match.rules, found)
    if found.forecast is not None and viewer != FULL_VIEWER:  # of a correction the viewer sees only its own forecast
        then = found.forecast.after
        after = None if then is None else _build_next_loaded(loaded, then)
        return {**remedy, **_table_after_response(loaded, after, viewer)}
    events = ladder.carry_out_remedy(evidence, dispute, name, arbiter=True)
    hides = bool(count_revealed_cards(loaded.match.rules, events, evidence.entries, viewer))
    after = None if hides else _build_match_after(service, loaded, events)
    return {**remedy, **_table_after_response(loaded, after, viewer)}


def proposal_preview_response(
    service: MatchService, loaded: LoadedMatch, viewer: int, number: int, name: str, proposal: int
) -> dict[str, Any]:
    """Return an open proposal, and the view that the viewer would have after it.

    `proposal` is the number by which a vote accepts it. Of corrections by hand only what the viewer may see of table
    and corrections is used, so a preview reveals nothing; where that is not enough, the view is left out (`hides`), and
    `returns` lists the cards that the corrections move. Raises IllegalMove if no vote that counts has this number.
    """
    dispute = levels.require_dispute(loaded.match.view_for(viewer), number)
    found = next((each for each in dispute.votes if (each.number, each.remedy) == (proposal, name)), None)
    if found is None or dispute.stage != "voting":
        raise IllegalMove("court.no_such_proposal", "TABLE-DISPUTE-9", proposal=proposal)
    if not found.fix:
        return remedy_preview_response(service, loaded, viewer, number, name)
    remedy = remedy_response(loaded.match.rules, Remedy(name, True, "remedy.proposed_fix", {}, None))
    then = forecast_corrections(loaded.match.view_for(viewer), found.fix)
    after = _table_after_response(loaded, None if then is None else _build_next_loaded(loaded, then), viewer)
    if then is None:
        moved = (
            CardReturn(str(each["move"]), 1, str(each.get("from")), str(each.get("to")))
            for each in found.fix
            if "move" in each
        )
        after["returns"] = [card_returns.card_return_response(loaded.match.rules, each) for each in moved]
    return {**remedy, **after}


def _table_after_response(loaded: LoadedMatch, after: LoadedMatch | None, viewer: int) -> dict[str, Any]:
    """Return the viewer's view after a remedy, and which cards to lay back for it."""
    if after is None:
        return {"hides": True, "view": None, "board": None, "returns": []}
    game, states = loaded.match.rules, [each.match.view_for(viewer).state for each in (loaded, after)]
    returns = [card_returns.card_return_response(game, each) for each in card_returns.find_card_returns(game, *states)]
    return {
        "hides": False,
        "view": views.view_response(after, viewer),
        "board": None if after.match.state is None else draw_board(game, after.match, viewer),
        "returns": returns,
    }


def _build_next_loaded(loaded: LoadedMatch, then: Match) -> LoadedMatch:
    return LoadedMatch(then, loaded.version + 1, loaded.head, loaded.read_result)


def _build_match_after(service: MatchService, loaded: LoadedMatch, events: tuple[Event, ...]) -> LoadedMatch:
    """Return the match if these events came next."""
    version, now = loaded.version + 1, loaded.read_result.now_ms
    command = CastVote(0, 0, "")  # any command that chooses the remedy: the view does not show it
    entry = LogEntry(loaded.match.id, version, now, int(BYSTANDER), "table", command, events, (), b"")
    then = service.appender.refold(loaded, entry)
    return _build_next_loaded(loaded, then)


def count_revealed_cards(game: Game, events: Iterable[Event], entries: Iterable[LogEntry], viewer: int) -> Counter[str]:
    """Return the cards that these events would newly show a viewer.

    Cards are subtracted that the log has shown as often since the entry that is gone back to.
    """
    if viewer == FULL_VIEWER:
        return Counter()
    events = tuple(events)
    to = min((event.to for event in events if isinstance(event, MatchRewound)), default=0)
    cards = {str(card["id"]) for card in game.cards}
    shown = (event.view_for(viewer) for entry in entries if entry.version > to for event in entry.events)
    return count_card_mentions(cards, (event.view_for(viewer) for event in events)) - count_card_mentions(cards, shown)


def find_unseen_pointers(match: Match, fix: Iterable[Any], viewer: Sequence[int]) -> list[str]:
    """Return the places in corrections by hand that name something hidden.

    They are JSON pointers (RFC 6901) to a card or a value that lies open to none of the given viewers. The corrector
    says where a card lies; no answer may reveal whether a hidden one is at that place.
    """
    tables = [seen.state for seat in viewer if (seen := match.view_for(seat)).state is not None]
    visible = {name for table in tables for name in iterate_strings(encode(table))}
    hidden = {*iterate_strings(encode(match.state)), *(str(card["id"]) for card in match.rules.cards)} - visible
    moved, found = Counter[tuple[str, str]](), []
    for at, each in enumerate(fix):
        if "set" in each and not is_value_visible(match, str(each["set"]), viewer):
            found.append(f"/fix/{at}/set")
        elif "set" in each and hidden & set(iterate_strings(each.get("to"))):
            found.append(f"/fix/{at}/to")
        if "move" not in each:
            continue
        card, source, target = (str(each.get(part, "")) for part in ("move", "from", "to"))
        lie = max((table.cards_at(source).count(card) for table in tables if isinstance(table, ZonedState)), default=0)
        if lie + moved[card, source] < 1:  # counts the open cards of the place and those that this fix moved
            found.append(f"/fix/{at}/move")
        moved[card, source] -= 1
        moved[card, target] += 1
    return found


def count_card_mentions(cards: set[str], events: Iterable[Event]) -> Counter[str]:
    """Return how often each card is named in these events."""
    words = (COPY_MARK.split(word)[0] for event in events for word in iterate_strings(encode(event)))
    return Counter(word for word in words if word in cards)
