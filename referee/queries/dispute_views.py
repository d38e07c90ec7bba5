"""A dispute as a viewer sees it: the record, the rulings in words, what followed.

All of it is computed from what the viewer was shown of the log (`MatchRepository.replay_for_viewer`), so it cannot
reveal more than log and view do. Which later moves a correction would keep follows from the viewer's view too
(`correction_forecast`), and whether a remedy is offered from the public view. Only the verdict is found on the full
state.

TABLE-RULING-1: Of a ruling that rests on hidden cards everybody learns whether the entry stands, and only those who may
know the cards learn why.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from referee.arbitration import offices
from referee.arbitration.courts import last_word, levels
from referee.arbitration.real_tables import impossible_tables
from referee.arbitration.remedies import ladder as remedies
from referee.arbitration.remedies.options import Remedy
from referee.engine.codec import decode_named
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.referee import rule_on_move
from referee.engine.seats import FULL_VIEWER, Seat
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.entries import LogEntry
from referee.match.events.dispute_events import Appealed, RulingIssued
from referee.match.events.dispute_state import IMPOSSIBLE_TABLE, Dispute, Precedent, Vote
from referee.match.loaded import LoadedMatch
from referee.match.table.officials import is_accepted
from referee.queries import dispute_actions, explanations
from referee.queries.census_views import MAX_SIGHTINGS, sighting_response
from referee.rendering import quarrels, texts
from referee.rendering.house_rulings import house_notes_response
from referee.service.match_service import MatchService

MAX_FOLLOWING = 20  # entries after the disputed one in an answer; the log has the others


def disputes_response(
    service: MatchService, loaded: LoadedMatch, viewer: int, after: int, limit: int
) -> tuple[list[dict[str, Any]], int | None]:
    """Return a page of a match's disputes as a viewer may know them, and the cursor.

    They come in order of opening: those whose number is more than `after`.
    """
    seen = service.repository.replay_for_viewer(loaded.match.id, viewer, loaded.version)
    rest = sorted((each for each in seen.disputes if each.number > after), key=lambda each: each.number)
    page = rest[:limit]
    entries = service.repository.load_entries(loaded.match.id, page[0].number - 1, loaded.version) if page else []
    found = [dispute_record_response(seen, dispute, entries, viewer) for dispute in page]
    return found, page[-1].number if len(rest) > limit else None


def dispute_response(service: MatchService, loaded: LoadedMatch, viewer: int, number: int) -> dict[str, Any]:
    """Return one dispute as a viewer may know it, with what it is about.

    Raises IllegalMove if there is none.
    """
    match = loaded.match.id
    seen = service.repository.replay_for_viewer(match, viewer, loaded.version)
    dispute = levels.require_dispute(seen, number)
    entries = service.repository.load_entries(match, number - 1, loaded.version)
    since, cursor = following_entries_response(service, loaded, viewer, dispute)
    return {
        **dispute_record_response(seen, dispute, entries, viewer),
        "suspects": suspects_response(service, loaded, viewer, dispute),
        "disputed": disputed_entry_response(service, loaded, viewer, dispute),
        "refusal": refusal_response(service, loaded, viewer, dispute),
        "since": {"items": since, "next_cursor": cursor},
        "remedies": remedies_response(service, loaded, viewer, dispute),
        "precedents": [precedent_response(seen, each) for each in find_precedents(service, loaded, seen, dispute)],
    }


def dispute_record_response(seen: Match, dispute: Dispute, entries: Iterable[LogEntry], viewer: int) -> dict[str, Any]:
    """Return the record of a dispute: claim, testimony, votes, rulings and appeals.

    `seen` is the match as the viewer knows it; `entries` has at least those since the dispute was opened.
    """
    rulings: list[dict[str, Any]] = []
    appeals: list[dict[str, Any]] = []
    for entry in entries:
        for event in entry.view_for(viewer)[1]:
            if isinstance(event, RulingIssued) and event.dispute == dispute.number:
                rulings.append(ruling_response(seen, entry, event))
            if isinstance(event, Appealed) and event.dispute == dispute.number:
                appeal = {"seat": event.seat, "clause": event.clause, "grounds": event.grounds}
                appeals.append({"version": entry.version, **appeal})
    until, undo = find_appeal_deadline(seen, dispute, rulings), find_undo_right(seen, dispute, rulings)
    return {
        "dispute": dispute.number,
        "by": parse_seat_or_role(dispute.by),
        "about": dispute.about,
        "claim": dispute.claim,
        "clause": dispute.clause or None,
        "move": dispute.move,
        "saw": dispute.saw,
        "statement": dispute.statement,
        "says": quarrels.describe_claim(dispute),
        "now": quarrels.describe_progress(
            seen.courts,
            dispute,
            levels.find_awaited_seats(seen, dispute),
            _find_following_court(seen, dispute),
            undo,
            levels.may_claimant_attest(seen, dispute),
        ),
        "parties": list(dispute.parties),
        "court": dispute.court,
        "stage": dispute.stage,
        "open": dispute.is_open,
        "until_ms": dispute.until_ms,
        "appeal_until_ms": until,
        "undo_until_ms": None if undo is None else undo.until_ms,
        "asks": levels.find_awaited_seats(seen, dispute),
        "decide": sorted(
            levels.find_voting_seats(seen, dispute)
            if dispute.stage == "voting"
            else levels.find_deciding_seats(seen, dispute)
        ),
        "attestations": [asdict(each) for each in dispute.testimony],
        "votes": [_vote_response(each) for each in dispute.votes],
        "rulings": rulings,
        "appeals": appeals,
        "steps": [
            {"step": each.name, "by": [parse_seat_or_role(who) for who in each.by], "until_ms": each.until_ms}
            for each in dispute_actions.list_dispute_actions(
                seen, dispute, until, None if undo is None or undo.others else undo.until_ms
            )
        ],
    }


def _find_following_court(match: Match, dispute: Dispute) -> str | None:
    """Return the court that decides next: on appeal, or if this one does not."""
    if dispute.is_open:
        return levels.find_next_court(match, dispute, dispute.court)
    return levels.find_appeal_court(match, dispute)


def _vote_response(vote: Vote) -> dict[str, Any]:
    return {"seat": vote.seat, "remedy": vote.remedy, "fix": list(vote.fix), "proposal": vote.number or None}


def parse_seat_or_role(by: str) -> int | str:
    """Return a seat's number, `host` or `arbiter`."""
    return int(by) if by.isdecimal() else by


def ruling_response(seen: Match, entry: LogEntry, event: RulingIssued) -> dict[str, Any]:
    """Return a ruling in words, with its clauses and those that it departs from."""
    game = seen.rules
    earlier = {name: note for name, note in house_notes_response(seen).items() if is_earlier(note, entry)}
    return {
        "version": entry.version,
        "at_ms": entry.at_ms,
        "court": event.court,
        "by": event.by,
        "verdict": event.verdict,
        "remedy": event.remedy or None,
        "reason": quarrels.render_reason(game, event.reason, event.params, event.cites),
        "clauses": texts.clauses_response(game, event.cites, earlier),
        "statement": event.statement,
        "departs_from": texts.clauses_response(game, event.departs_from),
        "kept": event.keep is not None,
    }


def is_earlier(note: dict[str, Any], entry: LogEntry) -> bool:
    """Tell whether a house ruling was there when an entry was written."""
    return bool(note["match"] != entry.match or note["entry"] < entry.version)


def find_appeal_deadline(seen: Match, dispute: Dispute, rulings: list[dict[str, Any]]) -> int | None:
    """Return until when the last ruling can be appealed against, by the store's clock.

    Return None if it cannot.
    """
    if dispute.stage != "ruled" or levels.find_appeal_court(seen, dispute) is None or not rulings:
        return None
    if offices.is_proved(seen, dispute):
        return None
    return int(rulings[-1]["at_ms"]) + seen.courts.appeal_ms


def find_undo_right(seen: Match, dispute: Dispute, rulings: list[dict[str, Any]]) -> quarrels.UndoRight | None:
    """Return who may undo the last ruling, an official's, and until when.

    Return None if nobody may (TABLE-RULING-6). What another official may do has no limit in time.
    """
    last = rulings[-1] if rulings else None
    if dispute.stage != "ruled" or last is None or last["court"] != "arbiter" or seen.courts.undo_ms is None:
        return None
    if last_word.is_last_word_spoken(seen, dispute) or not last_word.is_remediable(seen, dispute):
        return None
    if not offices.may_rule(seen, dispute, last["by"], ()):
        return None
    others = sum(is_accepted(seen, each) for each in seen.officials) > 1
    return quarrels.UndoRight(last["by"], int(last["at_ms"]) + seen.courts.undo_ms, others)


def disputed_entry_response(
    service: MatchService, loaded: LoadedMatch, viewer: int, dispute: Dispute
) -> dict[str, Any] | None:
    """Return the explanation of the disputed entry; None for a refusal.

    A refusal is no entry.
    """
    if dispute.claim == "wrong_refusal" or not 1 <= dispute.about <= loaded.version:
        return None
    return explanations.explain_visible_entry(service, loaded.match, viewer, dispute.about)


def suspects_response(
    service: MatchService, loaded: LoadedMatch, viewer: int, dispute: Dispute
) -> list[dict[str, Any]]:
    """Return the entries that could not all be true when the dispute was opened.

    Only the claim that a table cannot be so has any.
    """
    if dispute.claim != IMPOSSIBLE_TABLE:
        return []
    before = service.build_evidence(service.load_version(loaded, dispute.number - 1))
    return [
        sighting_response(loaded.match.rules, each)
        for each in impossible_tables.list_suspects(before, dispute, viewer)[-MAX_SIGHTINGS:]
    ]


def refusal_response(
    service: MatchService, loaded: LoadedMatch, viewer: int, dispute: Dispute
) -> dict[str, Any] | None:
    """Return the ruling on a refused move, from the seat's view at that version.

    Return None if the viewer may not know the move.
    """
    if dispute.claim != "wrong_refusal" or dispute.move is None or not dispute.by.isdecimal():
        return None
    if viewer not in (int(dispute.by), FULL_VIEWER) or not 1 <= dispute.about <= loaded.version:
        return None
    seat, rules = Seat(int(dispute.by)), loaded.match.rules
    then = service.repository.replay_for_viewer(loaded.match.id, int(seat), dispute.about)
    if then.state is None or then.status in FINAL_STATUSES:
        return None
    given, _ = rule_on_move(then.state, seat, decode_named(dispute.move, Move))
    return texts.ruling_response(rules, given, notes=house_notes_response(then))


def following_entries_response(
    service: MatchService, loaded: LoadedMatch, viewer: int, dispute: Dispute
) -> tuple[list[dict[str, Any]], int | None]:
    """Return the entries after the disputed one as a viewer sees them, and a cursor."""
    found = service.repository.load_entries(loaded.match.id, dispute.about, loaded.version, MAX_FOLLOWING)
    rules = loaded.match.rules
    cursor = found[-1].version if found and found[-1].version < loaded.version else None
    return [texts.entry_response(rules, entry, viewer) for entry in found], cursor


def remedies_response(
    service: MatchService, loaded: LoadedMatch, viewer: int, dispute: Dispute
) -> list[dict[str, Any]]:
    """Return the remedies that are possible now, the mildest first.

    There are none once the last word was said.
    """
    if not can_choose_remedy(loaded.match, dispute):
        return []
    whole = levels.require_dispute(loaded.match, dispute.number)
    return [
        remedy_response(loaded.match.rules, each)
        for each in remedies.list_remedies(service.build_evidence(loaded), whole, viewer)
    ]


def can_choose_remedy(match: Match, dispute: Dispute) -> bool:
    """Tell whether a remedy can still be chosen, by vote or by the arbiter."""
    if dispute.stage in ("withdrawn", "moot") or not last_word.is_remediable(match, dispute):
        return False
    if offices.is_proved(match, dispute):
        return False
    if dispute.court == "arbiter":
        return not last_word.is_last_word_spoken(match, dispute)
    return dispute.is_open or levels.find_next_court(match, dispute, dispute.court) is not None


def remedy_response(game: Game, each: Remedy) -> dict[str, Any]:
    """Return a remedy in words."""
    return {
        "remedy": each.name,
        "offered": each.offered,
        "mild": each.mild,
        "why": quarrels.render_reason(game, each.why, each.params),
        "to": each.to,
        "keeps": list(each.keeps),
        "drops": list(each.drops),
        "unsure": list(each.unsure),
        "crosses": list(each.crosses),
        "learned": list(each.learned),
    }


def find_precedents(service: MatchService, loaded: LoadedMatch, seen: Match, dispute: Dispute) -> list[Precedent]:
    """Return the precedents with the same claim, question and type of move.

    Of a refused move all may know only the question.
    """
    if not seen.precedents:
        return []
    question, move = last_word.build_precedent_key(
        service.build_evidence(loaded), levels.require_dispute(loaded.match, dispute.number)
    )
    same = (dispute.claim, question, move)
    here = (seen.id, dispute.number)
    return [
        each for each in seen.precedents
        if (each.claim, each.question, each.move) == same and (each.match, each.number) != here
    ]  # fmt: skip


def precedent_response(seen: Match, each: Precedent) -> dict[str, Any]:
    """Return a precedent as data, with its clauses in words."""
    game = seen.rules
    held = seen.rules.effective_interpretations(seen.ruleset, seen.readings, seen.settings) if each.readings else {}
    return {
        "match": each.match,
        "dispute": each.number,
        "entry": each.entry or None,
        "game": each.game,
        "claim": each.claim,
        "question": each.question,
        "move": each.move,
        "verdict": each.verdict,
        "clauses": texts.clauses_response(game, each.clauses),
        "readings": [
            house_reading_response(game, clause, number, holds=held[clause] == number)
            for clause, number in sorted(each.readings.items())
        ],
        "allows": each.allows or None,
        "statement": each.statement,
        "by": each.by,
    }


def house_reading_response(game: Game, clause: str, number: int, *, holds: bool) -> dict[str, Any]:
    """Return a reading that a house ruling chooses, in words.

    If a setting chooses it, the clause speaks of all its readings or of the usual one.
    """
    reading = game.interpretations[clause][number - 1]
    return {
        "clause": clause,
        "number": number,
        "setting": {"name": reading.setting, "value": reading.value} if reading.setting else None,
        "says": texts.find_clause(game, reading.name).says,
        "holds": holds,
    }
