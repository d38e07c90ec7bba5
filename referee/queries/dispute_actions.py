"""Who may do what now about a dispute, and what the table asks of a seat.

Clients make their buttons of it. Nothing here is secret: that a question is open, and to whom it was put, stands in the
log for everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from referee.arbitration import deviations, offices, takebacks
from referee.arbitration.courts import last_word, levels
from referee.engine.referee import seats_that_must_act
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.bots import substitution as bot_substitution
from referee.match.events.dispute_state import Dispute, Takeback, TransferProposal
from referee.match.rulebook import TABLE_BOOK
from referee.match.table import endings, officials, transfer_policy
from referee.match.table.auto_pass import turn_of
from referee.match.table.officials import find_human_seats
from referee.match.table.reactions import find_spoken_deadline
from referee.rendering import quarrels

RULERS = ("host", "arbiter")


@dataclass(frozen=True)
class DisputeAction:
    """Something that can be done about a dispute now."""

    name: str  # the last part of its address
    by: tuple[str, ...]  # seats' numbers as text, `host`, `arbiter`
    until_ms: int | None = None  # by the store's clock; None: no limit


@dataclass(frozen=True)
class Answer:
    """A possible answer: the body of the request, and the key of a text with `params`."""

    body: Mapping[str, Any]
    says: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def render_text(self) -> Text:
        """Return what the answer says, in words."""
        return TABLE_BOOK.render_texts(self.says, **self.params)


CONSENTS = (Answer({"grant": True}, "answer.yes"), Answer({"grant": False}, "answer.no"))


@dataclass(frozen=True)
class PendingRequest:
    """What the table asks of a seat besides moves.

    A client can make a button of each of the `answers` and post its body to `path`.
    """

    what: str  # the key of a text, with `about` and `claim`
    about: int  # the number of what it is about
    path: str  # where it is answered, below the address of the match
    until_ms: int | None = None  # by the store's clock; None: no limit
    claim: Text | str = ""  # of a dispute, or the proposed result, in words
    answers: tuple[Answer, ...] = CONSENTS

    def render_question(self) -> Text:
        """Return what is asked, in words."""
        return TABLE_BOOK.render_texts(self.what, about=self.about, claim=self.claim)


def list_dispute_actions(
    match: Match, dispute: Dispute, appeal_until_ms: int | None = None, undo_until_ms: int | None = None
) -> tuple[DisputeAction, ...]:
    """Return what can be done about a dispute now, and by whom.

    The actions are in the order of the courts. Host and arbiter are named as they are without a seat. One who holds the
    seat of a party may not rule (TABLE-RULING-4). After `appeal_until_ms` there is no appeal any more, and
    after `undo_until_ms` no further ruling; None: these have no limit in time.
    """
    found = []
    if dispute.stage == "attesting":
        found.append(DisputeAction("attestations", _format_seats(find_human_seats(match)), dispute.until_ms))
    if dispute.stage == "voting":
        found.append(DisputeAction("votes", _format_seats(levels.find_voting_seats(match, dispute)), dispute.until_ms))
    if dispute.stage == "ruled" and appeal_until_ms is not None and last_word.is_remediable(match, dispute):
        found.append(DisputeAction("appeals", _format_seats(find_human_seats(match)), appeal_until_ms))
    if rulers := _find_rulers(match, dispute):
        found.append(DisputeAction("rulings", rulers, dispute.until_ms if dispute.stage == "ruling" else undo_until_ms))
    if dispute.is_open and not (dispute.looked and match.courts.edition is not None):
        found.append(DisputeAction("withdrawal", (dispute.by,)))
    return tuple(each for each in found if each.by)


def _find_rulers(match: Match, dispute: Dispute) -> tuple[str, ...]:
    """Return who may have the last word, if nobody has had it yet."""
    if (
        last_word.is_last_word_spoken(match, dispute)
        or not last_word.is_remediable(match, dispute)
        or not offices.has_official(match, dispute)
    ):
        return ()
    return tuple(role for role in RULERS if offices.may_rule(match, dispute, role, ()))


def _format_seats(seats: frozenset[int]) -> tuple[str, ...]:
    return tuple(str(seat) for seat in sorted(seats))


def render_halt_reason(match: Match) -> Text | None:
    """Return in words why all moves wait; None if they do not."""
    if not match.is_halted:
        return None
    if match.witnessing is not None:
        return TABLE_BOOK.render_texts("witness_awaited", report=match.witnessing.report)
    if match.offices.open_call is not None:
        return TABLE_BOOK.render_texts("official_called", call=match.offices.open_call.number)
    return TABLE_BOOK.render_texts("in_dispute")


def list_pending_requests(
    match: Match, seat: int, list_remedies: Callable[[Dispute], tuple[str, ...]] = lambda _: ()
) -> tuple[PendingRequest, ...]:
    """Return all that the table asks of a seat besides moves.

    The oldest question of each kind comes first. `list_remedies` names the remedies that the table may choose.
    """
    return tuple(_iterate_pending_requests(match, seat, list_remedies))


def _list_testimonies(seat: int) -> tuple[Answer, ...]:
    holds = ((True, "answer.holds"), (False, "answer.holds_not"))
    return tuple(Answer({"seat": seat, "holds": each}, says) for each, says in holds)


def _list_votes(dispute: Dispute, seat: int, remedies: tuple[str, ...]) -> tuple[Answer, ...]:
    """Return the votes for a remedy, and for a proposal as it stands.

    A remedy that needs corrections by hand is proposed with them; here it can only be accepted.
    """
    votes = [Answer({"seat": seat, "remedy": name}, "answer.vote", {"remedy": name}) for name in remedies]
    proposed = {vote.number: vote for vote in dispute.votes if vote.number and vote.seat != seat}
    for number, vote in sorted(proposed.items()):
        body = {"seat": seat, "remedy": vote.remedy, "agrees_to": number}
        votes.append(Answer(body, "answer.agree", {"remedy": vote.remedy, "proposal": number}))
    return tuple(votes)


def _list_takeback_answers(match: Match, takeback: Takeback, seat: int) -> tuple[Answer, ...]:
    answers = tuple(replace(each, body={"seat": seat, **each.body}) for each in CONSENTS)
    if not takebacks.may_bar(match, takeback, seat):
        return answers
    return (*answers, Answer({"seat": seat, "grant": False, "bar": True}, "answer.bar"))


def _describe_placement(placement: tuple[tuple[int, ...], ...]) -> Text:
    """Return a placement in words, the winners first."""
    places = [
        TABLE_BOOK.render_texts("placement.place", place=at + 1, seats=seats) for at, seats in enumerate(placement)
    ]
    return {lang: ", ".join(each[lang] for each in places) for lang in LANGUAGES}


def _describe_destination(asked: TransferProposal) -> Text:
    """Return in words to which server a match is to move: its address and its key."""
    named = ("address" if asked.new_home else "", "key" if asked.to else "")
    known = "_".join(filter(None, named)) or "any"
    return TABLE_BOOK.render_texts(f"destination.{known}", new_home=asked.new_home, to=asked.to)


def _iterate_pending_requests(
    match: Match, seat: int, list_remedies: Callable[[Dispute], tuple[str, ...]]
) -> Iterator[PendingRequest]:
    if match.status not in FINAL_STATUSES and not match.is_halted:
        yield from _iterate_requests_in_play(match, seat)
    if match.witnessing is not None and seat in match.witnessing.asks:
        report, until = match.witnessing.report, match.witnessing.until_ms
        path = f"entries/{report}/attestations"
        yield PendingRequest("asked.report", report, path, until, answers=_list_testimonies(seat))
    for dispute in match.disputes:
        if seat in levels.find_awaited_seats(match, dispute):
            name = {"attesting": "attestations", "voting": "votes"}[dispute.stage]
            path, claim = f"disputes/{dispute.number}/{name}", quarrels.describe_claim(dispute)
            votes = dispute.stage == "voting"
            answers = _list_votes(dispute, seat, list_remedies(dispute)) if votes else _list_testimonies(seat)
            yield PendingRequest(f"asked.{name}", dispute.number, path, dispute.until_ms, claim, answers)
    for proposal in match.proposals:
        if seat in bot_substitution.find_voting_seats(match, proposal.seat) and seat not in proposal.by:
            path = f"seats/{proposal.seat}/bot/proposals/{proposal.number}/consents"
            yield PendingRequest("asked.bot", proposal.seat, path)
    for official in match.officials:
        if seat in officials.find_awaited_seats(match, official) - set(official.refused):
            number = official.number
            yield PendingRequest(f"asked.official.{official.role}", number, f"officials/{number}/consents")
    for ending in match.endings:
        if seat in endings.find_awaited_seats(match, ending):
            path, result = f"endings/{ending.number}/consents", _describe_placement(ending.placement)
            yield PendingRequest(f"asked.end.{ending.reason}", ending.number, path, claim=result)
    for transfer in match.transfers:
        if seat in transfer_policy.find_awaited_seats(match, transfer):
            path, where = f"endings/{transfer.number}/consents", _describe_destination(transfer)
            yield PendingRequest("asked.transfer", transfer.number, path, claim=where)


def _iterate_requests_in_play(match: Match, seat: int) -> Iterator[PendingRequest]:
    """Yield what can only be answered while play goes on."""
    until, said = find_spoken_deadline(match), match.spoken
    asked = (
        set() if until is None or match.state is None else seats_that_must_act(match.state) & find_human_seats(match)
    )
    if said is not None and seat in asked & set(said.seats):
        answers: tuple[Answer, ...] = (Answer({"seat": seat}, "answer.object"),)
        yield PendingRequest("asked.silence", said.entry, f"windows/{said.window}/objections", until, answers=answers)
    for slip in match.slips:
        timely = slip.is_open and slip.turn in (None, turn_of(match))
        if timely and seat in slip.asks and seat in find_human_seats(match):
            yield PendingRequest("asked.correction", slip.about, f"corrections/{slip.number}/consents")
    for takeback in match.takebacks:
        if seat in takebacks.find_awaited_seats(match, takeback):
            answers = _list_takeback_answers(match, takeback, seat)
            path = f"takebacks/{takeback.number}/consents"
            loses = TABLE_BOOK.render_texts("takeback.loses", seat=takeback.seat, to=takeback.to)
            yield PendingRequest("asked.takeback", takeback.number, path, claim=loses, answers=answers)
    for deviation in match.deviations:
        if seat in deviations.find_awaited_seats(match, deviation):
            yield PendingRequest("asked.deviation", deviation.number, f"deviations/{deviation.number}/consents")
