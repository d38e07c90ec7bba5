"""What a dispute looks like to a pair of eyes: the record, the rulings in words, what it is about, what followed.

All of it is worked out from what these eyes were shown of the log (`Desk.seen`), so it cannot tell more than log and
view do. Which later moves a correction would keep is judged by what these eyes see as well (`outlooks`), and whether a
remedy is offered by what everybody sees; the verdict alone is found on the whole table (TABLE-RULING-1).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from referee.arbitration import disputes
from referee.arbitration.remedies import ladder as remedies
from referee.engine.codec import decode_named
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.referee import ruled
from referee.engine.rulebook.book import Text
from referee.engine.seats import FULL, Seat
from referee.match.aggregate import OVER, Match
from referee.match.entries import Logged
from referee.match.events.dispute_events import Appealed, RulingIssued
from referee.match.events.dispute_state import Dispute, Precedent
from referee.match.rulebook import TABLE
from referee.queries import dispute_actions, explanations
from referee.rendering import texts
from referee.service.match_service import Desk, Loaded

SINCE = 20  # entries that followed which are told at once; the log tells the others


def listed(desk: Desk, loaded: Loaded, eyes: int) -> list[dict[str, Any]]:
    """All disputes of a match as these eyes may know them, in the order in which they were opened."""
    seen = desk.seen(loaded.match.id, eyes, loaded.version)
    first = min((each.number for each in seen.disputes), default=1)
    entries = desk.entries(loaded.match.id, first - 1, loaded.version) if seen.disputes else []
    return [record(seen, dispute, entries, eyes) for dispute in seen.disputes]


def told(desk: Desk, loaded: Loaded, eyes: int, number: int) -> dict[str, Any]:
    """One dispute as these eyes may know it, with what it is about. Raises Refused where there is none."""
    match = loaded.match.id
    seen = desk.seen(match, eyes, loaded.version)
    dispute = disputes.found(seen, number)
    entries = desk.entries(match, number - 1, loaded.version)
    since, cursor = followed(desk, loaded, eyes, dispute)
    return {
        **record(seen, dispute, entries, eyes),
        "disputed": disputed(desk, loaded, eyes, dispute),
        "refusal": refusal(desk, loaded, eyes, dispute),
        "since": {"items": since, "next_cursor": cursor},
        "remedies": ladder(desk, loaded, eyes, dispute),
        "precedents": [precedent(seen.rules, each) for each in alike(desk, loaded, seen, dispute)],
    }


def record(seen: Match, dispute: Dispute, entries: Iterable[Logged], eyes: int) -> dict[str, Any]:
    """What is on record of a dispute: the claim, what was said and voted, the rulings and the appeals.

    `seen` is the match as these eyes know it; `entries` has at least those since the dispute was opened.
    """
    rulings: list[dict[str, Any]] = []
    appeals: list[dict[str, Any]] = []
    for entry in entries:
        for fact in entry.seen_by(eyes)[1]:
            if isinstance(fact, RulingIssued) and fact.dispute == dispute.number:
                rulings.append(ruling(seen.rules, entry, fact))
            if isinstance(fact, Appealed) and fact.dispute == dispute.number:
                said = {"seat": fact.seat, "clause": fact.clause, "grounds": fact.grounds}
                appeals.append({"version": entry.version, **said})
    until = appealable(seen, dispute, rulings)
    return {
        "dispute": dispute.number,
        "by": someone(dispute.by),
        "about": dispute.about,
        "claim": dispute.claim,
        "clause": dispute.clause or None,
        "move": dispute.move,
        "saw": dispute.saw,
        "statement": dispute.statement,
        "parties": list(dispute.parties),
        "court": dispute.court,
        "stage": dispute.stage,
        "open": dispute.open,
        "until_ms": dispute.until_ms,
        "appeal_until_ms": until,
        "asks": disputes.awaited(seen, dispute),
        "decide": sorted(disputes.judges(seen, dispute)),
        "attestations": [asdict(each) for each in dispute.testimony],
        "votes": [asdict(each) for each in dispute.votes],
        "rulings": rulings,
        "appeals": appeals,
        "steps": [
            {"step": each.name, "by": [someone(who) for who in each.by], "until_ms": each.until_ms}
            for each in dispute_actions.steps(seen, dispute, until)
        ],
    }


def someone(by: str) -> int | str:
    """A seat's number, `host` or `arbiter`."""
    return int(by) if by.isdecimal() else by


def ruling(game: Game, entry: Logged, fact: RulingIssued) -> dict[str, Any]:
    """A ruling in words, with its clauses and those of the ruling that it departs from."""
    return {
        "version": entry.version,
        "at_ms": entry.at_ms,
        "court": fact.court,
        "by": fact.by,
        "verdict": fact.verdict,
        "remedy": fact.remedy or None,
        "reason": in_words(game, fact.reason, fact.params),
        "clauses": texts.cited(game, fact.cites),
        "statement": fact.statement,
        "departs_from": texts.cited(game, fact.departs_from),
        "kept": fact.keep is not None,
    }


def in_words(game: Game, key: str, params: dict[str, Any]) -> Text:
    """A reason of a court: the table's own words, or those in which the game refuses."""
    return TABLE.texts(key, **params) if TABLE.has(key) else texts.texts(game, key, **params)


def appealable(seen: Match, dispute: Dispute, rulings: list[dict[str, Any]]) -> int | None:
    """Until when there is an appeal against the last ruling, by the store's clock; None if there is none."""
    if dispute.stage != "ruled" or disputes.next_court(seen, dispute.court) is None or not rulings:
        return None
    return int(rulings[-1]["at_ms"]) + seen.courts.appeal_ms


def disputed(desk: Desk, loaded: Loaded, eyes: int, dispute: Dispute) -> dict[str, Any] | None:
    """The entry that is disputed, explained: what it rests on, and what else would have been legal; None for a refusal,
    which is no entry."""
    if dispute.claim == "wrong_refusal" or not 1 <= dispute.about <= loaded.version:
        return None
    return explanations.of_entry(desk, loaded.match, eyes, dispute.about)


def refusal(desk: Desk, loaded: Loaded, eyes: int, dispute: Dispute) -> dict[str, Any] | None:
    """The ruling on the move that was refused, from the view of the seat at that version; None for eyes that may not
    know the move."""
    if dispute.claim != "wrong_refusal" or dispute.move is None or not dispute.by.isdecimal():
        return None
    if eyes not in (int(dispute.by), FULL) or not 1 <= dispute.about <= loaded.version:
        return None
    seat, rules = Seat(int(dispute.by)), loaded.match.rules
    then = desk.seen(loaded.match.id, int(seat), dispute.about)
    if then.state is None or then.status in OVER:
        return None
    given, _ = ruled(then.state, seat, decode_named(dispute.move, Move))
    return texts.ruling(rules, given)


def followed(desk: Desk, loaded: Loaded, eyes: int, dispute: Dispute) -> tuple[list[dict[str, Any]], int | None]:
    """The entries after the disputed one, as these eyes see them, and the cursor of those that are not told here."""
    found = desk.entries(loaded.match.id, dispute.about, loaded.version, SINCE)
    rules = loaded.match.rules
    cursor = found[-1].version if found and found[-1].version < loaded.version else None
    return [texts.entry(rules, entry, eyes) for entry in found], cursor


def ladder(desk: Desk, loaded: Loaded, eyes: int, dispute: Dispute) -> list[dict[str, Any]]:
    """The remedies that there are now, the mildest first; none once the last word was said."""
    if not remediable(loaded.match, dispute):
        return []
    whole = disputes.found(loaded.match, dispute.number)
    return [rung(loaded.match.rules, each) for each in remedies.ladder(desk.evidence(loaded), whole, eyes)]


def remediable(match: Match, dispute: Dispute) -> bool:
    """Whether a remedy can still be chosen: by vote, or by the arbiter's word."""
    if dispute.stage == "withdrawn" or not disputes.remediable(match, dispute):
        return False
    return dispute.open or disputes.next_court(match, dispute.court) is not None


def rung(game: Game, each: remedies.Remedy) -> dict[str, Any]:
    """A remedy in words."""
    return {
        "remedy": each.name,
        "offered": each.offered,
        "why": in_words(game, each.why, each.params),
        "to": each.to,
        "keeps": list(each.keeps),
        "drops": list(each.drops),
        "unsure": list(each.unsure),
        "crosses": list(each.crosses),
        "learned": list(each.learned),
    }


def alike(desk: Desk, loaded: Loaded, seen: Match, dispute: Dispute) -> list[Precedent]:
    """The house rulings on the same: the same claim, question and type of move; of a refused move all may know only
    what was asked."""
    if not seen.precedents:
        return []
    question, move = disputes.alike(desk.evidence(loaded), disputes.found(loaded.match, dispute.number))
    same = (dispute.claim, question, move)
    here = (seen.id, dispute.number)
    return [
        each for each in seen.precedents
        if (each.claim, each.question, each.move) == same and (each.match, each.number) != here
    ]  # fmt: skip


def precedent(game: Game, each: Precedent) -> dict[str, Any]:
    """A house ruling as data, with its clauses in words."""
    return {
        "match": each.match,
        "dispute": each.number,
        "game": each.game,
        "claim": each.claim,
        "question": each.question,
        "move": each.move,
        "verdict": each.verdict,
        "clauses": texts.cited(game, each.clauses),
        "statement": each.statement,
        "by": each.by,
    }
