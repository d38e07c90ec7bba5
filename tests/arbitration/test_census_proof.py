"""What the census proves in a dispute about what people reported: of the entry, of the claim, from what all saw."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from referee.arbitration.auto_ruling import is_reported, judge_dispute
from referee.arbitration.real_tables import census_proof
from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.referee import build_view, judge_candidates
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER, Seat
from referee.match.aggregate import Match
from referee.match.entries import LogEntry, replay_entries
from referee.match.events.dispute_commands import OpenDispute
from referee.rendering import texts
from tests.arbitration.playing import Referee, disputes, evidence, plays, started
from tests.census.test_check import all_swords, deals, discarded, drawn

GAME = "monster_combat"


def before(course: list[LogEntry]) -> Match:
    return replay_entries(Match(), course[:-1])


def claimed(course: list[LogEntry], place: str, card: str) -> census_proof.CensusProof | None:
    return census_proof.disprove_claim(before(course), course, None, {"place": place, "card": card})


@pytest.mark.clause("TABLE-CENSUS-1", "KERNEL-CENSUS-1")
def test_a_card_of_which_all_copies_were_seen_elsewhere_is_not_where_somebody_claims_it_to_be() -> None:
    course, _ = all_swords()
    course.append(drawn(course[-1].version + 1, 0, 2))
    proof = claimed(course, "hand:0", "sword")
    assert proof is not None
    assert (proof.verdict, proof.reason) == ("stands", "court.claim_cannot_be")
    assert {"TABLE-CENSUS-1", "MC-MAT-2"} <= set(proof.clauses)
    assert claimed(course, "hand:0", "shield") is None
    assert census_proof.disprove_claim(before(course), course, None, "they hid a sword") is None
    assert census_proof.disprove_claim(before(course), course, None, {"place": ["hand:0"], "card": 7}) is None


def test_an_entry_that_shows_one_copy_too_many_may_be_the_true_one_so_people_are_told_what_it_contradicts() -> None:
    course, _ = all_swords(1)
    rules = before(course).rules
    proof = census_proof.disprove_entry(rules, course)
    assert proof is not None
    assert (proof.verdict, proof.reason) == ("undecided", "court.census_doubts")
    assert str(course[-3].version) in proof.params["entries"].split(", ")
    assert str(course[-1].version) not in proof.params["entries"].split(", ")
    assert census_proof.disprove_entry(rules, course[:-1]) is None
    later = [*course, drawn(course[-1].version + 1, 0, 1)]
    assert census_proof.disprove_entry(rules, later) is None, "it was not this one that made it impossible"


def test_an_entry_that_contradicts_nothing_but_itself_does_not_stand() -> None:
    _, swords = all_swords()
    course = [*deals(), drawn(3, 0, swords + 1)]
    course.append(discarded(4, 0, ("sword",) * (swords + 1)))
    rules = before(course).rules
    proof = census_proof.disprove_entry(rules, course)
    assert proof is not None
    assert (proof.verdict, proof.reason) == ("does_not_stand", "court.census_disproves")
    said = texts.render_text(rules, proof.reason, **proof.params)
    assert said["en"] != said["de"]


@cache
def claims() -> tuple[Referee, str, int, Move, Move]:
    """A match at a real table with an entry; a move that cannot have been made there; one that can have been."""
    house, match = started(GAME, "table")
    then, known = Match(), 0
    for seed in range(60):
        plays(house, match, seed, 12)
        for entry in evidence(house, match).effective_entries[known:]:
            if then.state is not None and is_reported(then, entry):
                ruled = list(judge_candidates(then.state, Seat(entry.seat)))
                cannot = [move for move, ruling in ruled if ruling and "KERNEL-CENSUS-1" in ruling.clauses]
                could = [move for move, ruling in ruled if ruling is None and move != entry.move]
                if cannot and could:
                    return house, match, entry.version, cannot[0], could[0]
            then, known = replay_entries(then, [entry]), entry.version
    raise AssertionError("no card was ever used up")


@pytest.mark.clause("TABLE-CENSUS-1", "TABLE-DISPUTE-1", "TABLE-DISPUTE-6")
def test_a_dispute_is_settled_where_what_is_claimed_cannot_be_and_put_to_people_where_it_can() -> None:
    house, match, about, cannot, could = claims()
    for claim in ("misreported", "wrong_count"):
        found = judge_dispute(evidence(house, match), OpenDispute("0", about, claim, move=encode(cannot)))
        assert (found.verdict, found.reason) == ("stands", "court.claim_cannot_be")
        assert "KERNEL-CENSUS-1" in found.clauses
        assert found.knowing is None, "it rests on what everybody saw"
        assert (
            judge_dispute(evidence(house, match), OpenDispute("0", about, claim, move=encode(could))).verdict
            == "undecided"
        )
        assert judge_dispute(evidence(house, match), OpenDispute("0", about, claim)).reason == "court.only_people_know"
    with pytest.raises(IllegalMove) as caught:  # how a report should have read is looked at before a dispute is written
        disputes(house, match, about, "misreported", "1", move=encode(cannot))
    assert caught.value.ruling.clauses[0] == "TABLE-DISPUTE-6"
    dispute = disputes(house, match, about, "wrong_count", "1", move=encode(cannot))
    assert dispute.verdicts[0].verdict == "stands"
    assert dispute.stage == "ruled"


def test_the_proof_is_the_same_for_whoever_saw_no_more_than_everybody() -> None:
    house, match, about, cannot, could = claims()
    then = evidence(house, match).replay_to(about - 1)
    course = [each for each in evidence(house, match).effective_entries if each.version <= about]
    assert then.state is not None
    public = replace(then, state=build_view(then.state, BYSTANDER))
    seen = [replace(each, move=each.view_for(BYSTANDER)[0], events=each.view_for(BYSTANDER)[1]) for each in course]
    for move in (cannot, could):
        proof = census_proof.disprove_claim(then, course, move, None)
        assert proof == census_proof.disprove_claim(public, seen, move, None)
    assert census_proof.disprove_entry(then.rules, course) == census_proof.disprove_entry(then.rules, seen)
