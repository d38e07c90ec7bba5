"""What a court has carried out is undone by a higher one: what stood before stands again, and tells nobody more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.arbitration import auto_ruling
from referee.arbitration import disputes as courts
from referee.arbitration.courts import levels
from referee.arbitration.remedies import ladder
from referee.arbitration.remedies.reinstatement import find_remedy_entry, find_restoration
from referee.arbitration.remedies.rewind_impact import compute_rewind_impact, find_hidden_piles
from referee.arbitration.replay.replay import find_first_divergence
from referee.arbitration.timeline import build_stretches
from referee.engine.chance import Shuffle
from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER
from referee.engine.steps import StepPushed
from referee.match.aggregate import Match
from referee.match.entries import effective_entries, replay_entries
from referee.match.events.dispute_commands import AppealRuling, Attest, CastVote, IssueRuling
from referee.match.events.dispute_events import CourtCalled, HistoryRestored, MatchVoided, RulingIssued
from referee.match.events.dispute_state import Dispute
from referee.match.table.rekey import SecretRenewed
from referee.service.match_service import MatchService
from tests.arbitration.playing import GAMES, Referee, disputes, evidence, plays, started
from tests.arbitration.test_remedies import rungs


def attested(house: Referee, match: str, dispute: Dispute) -> None:
    """All who decide say that it was not so."""
    for seat in sorted(levels.find_deciding_seats(house.load_match(match).match, dispute)):
        if found(house, match, dispute).stage == "attesting":
            said = Attest(dispute.number, seat, True)
            house.execute_command(match, said, key=f"a{dispute.number}-{seat}", scope=f"seat{seat}")


def rule(house: Referee, match: str, dispute: Dispute, remedy: str) -> None:
    ask = IssueRuling(dispute.number, "host", (), False, remedy, ("TABLE-REMEDY-5",), "it was right")
    house.execute_command(match, ask, key=f"rule-{dispute.number}-{remedy}", scope="arbiter")


def found(house: MatchService, match: str, dispute: Dispute) -> Dispute:
    return courts.require_dispute(house.load_match(match).match, dispute.number)


def ordered(house: Referee, match: str, dispute: Dispute, remedy: str) -> None:
    """The table carries out what it may not choose by itself: as in a log of a table that was set otherwise."""
    loaded = house.load_match(match)
    events: tuple[Event, ...] = ladder.carry_out_remedy(house.build_evidence(loaded), dispute, remedy, arbiter=True)
    number = dispute.number
    said = RulingIssued(number, "table", "table", "does_not_stand", remedy, "court.table_votes", {"votes": 9}, ())
    ask = CastVote(number, 0, remedy)
    house.appender.append_entry(loaded, BYSTANDER, "table", ask, (said, *events), f"ordered-{dispute.number}", b"x")
    house.recover_match(match)


def piles(state: Any) -> dict[str, list[str]]:
    zones: dict[str, tuple[str, ...]] = getattr(state, "zones", {})
    return {place: sorted(cards) for place, cards in zones.items() if place.endswith(":")}


def open_part(match: Match) -> Any:
    """The table without the order of its hidden piles, and without what is to be shuffled there."""
    state: Any = match.state
    zones = {place: cards for place, cards in getattr(state, "zones", {}).items() if not place.endswith(":")}
    steps = tuple(step for step in state.agenda if not isinstance(step, Shuffle))
    return replace(state, agenda=steps, **({"zones": zones} if zones else {}))


def stands_again(house: Referee, match: str, before: Match, version: int) -> None:
    """What stood before the remedy stands again, but for reshuffled piles, times and facts of the table."""
    after = house.load_version(match, version).match
    assert open_part(after) == open_part(before)
    assert piles(after.state) == piles(before.state)
    assert (after.status, after.end, after.chairs) == (before.status, before.end, before.chairs)
    assert len(after.opened) == len(after.state.agenda)  # type: ignore[union-attr]
    entries = house.repository.load_entries(match)
    assert house.load_match(match).match == replay_entries(Match(), effective_entries(entries))
    for viewer in (
        *range(len(before.chairs)),
        int(BYSTANDER),
    ):  # who follows by what he is shown comes to the same table
        assert house.repository.replay_for_viewer(match, viewer, version).state == after.state.view_for(viewer)  # type: ignore[union-attr]
    fresh = MatchService(house.log, house.appender.draws, house.sign, house.appender.wake, house.identify)
    assert fresh.load_match(match).match == house.load_match(match).match


def restore_entry(house: Referee, match: str) -> Any:
    return next(
        e
        for e in reversed(house.repository.load_entries(match))
        if any(isinstance(f, HistoryRestored) for f in e.events)
    )


@pytest.mark.clause("TABLE-REMEDY-5")
@pytest.mark.parametrize("remedy", ["rewind", "void"])
@pytest.mark.parametrize("game", GAMES)
def test_what_stood_before_a_remedy_stands_again_and_what_was_played_since_is_struck(game: str, remedy: str) -> None:
    for seed in range(9):
        house, match = started(game, key=f"restored-{remedy}-{seed}")
        plays(house, match, seed, 6 if game == "shy_monsters" else 14)
        if house.load_match(match).match.status == "running":
            break
    moved = [e.version for e in house.repository.load_entries(match) if e.seat >= 0]
    dispute = disputes(house, match, moved[-3], "other")
    attested(house, match, dispute)
    dispute, before = found(house, match, dispute), house.load_match(match).match
    ordered(house, match, dispute, remedy)
    ruled = find_remedy_entry(evidence(house, match), dispute.number)
    assert ruled is not None
    assert "restore" not in {
        rung.name for rung in ladder.list_remedies(evidence(house, match), replace(dispute, number=1))
    }
    plays(house, match, 11, 4)
    played = [e.version for e in house.repository.load_entries(match)[ruled.version :]]
    rung = rungs(house, match, dispute)["restore"]
    assert not rung.offered
    assert set(rung.drops) == set(played)
    assert (min(moved[-3:]) in rung.keeps) == (remedy == "rewind")
    shown = ladder.preview_match_after(evidence(house, match), dispute, "restore")
    rule(house, match, dispute, "restore")
    entry = restore_entry(house, match)
    assert house.load_version(match, entry.version).match.state == shown.state
    stands_again(house, match, before, entry.version)
    shuffled = {f.step.where for f in entry.events if isinstance(f, StepPushed) and isinstance(f.step, Shuffle)}
    assert shuffled in (set(), set(find_hidden_piles(before)) if "revealed" in rung.crosses else set())
    assert any(isinstance(event, SecretRenewed) for event in entry.events) == (remedy == "void")
    told = {
        at: each
        for each in build_stretches(house.repository.load_entries(match))
        for at in range(each["from"], each["to"] + 1)
    }
    assert all(
        told[version]["state"] == "superseded" and told[version]["superseded_by"] == entry.version for version in played
    )
    assert told[ruled.version]["state"] == "partly"
    if remedy == "rewind":
        assert {told[version]["restored"] for version in moved[-3:]} == {entry.version}
    assert "TABLE-REMEDY-5" in entry.clauses
    with pytest.raises(IllegalMove, match=r"court\.closed"):
        rule(house, match, dispute, "void")
    plays(house, match, 12, 3)
    wrong = find_first_divergence(house.repository.load_entries(match))
    assert wrong is None or wrong.version == ruled.version  # which was written past the court


@pytest.mark.clause("TABLE-REMEDY-5")
def test_after_a_vote_and_an_appeal_the_arbiter_restores_and_the_whole_log_is_what_the_rules_say() -> None:
    house, match = started("here_to_slay", key="appealed")
    plays(house, match, 5, 12)
    last = house.load_match(match).version - 1
    dispute = disputes(house, match, last, "other")
    other = disputes(house, match, last - 1, "other", "1")
    attested(house, match, dispute)
    before = house.load_match(match).match
    assert not rungs(house, match, dispute)["rewind"].offered, "somebody has seen cards since"
    voted = found(house, match, dispute)
    for seat in sorted(levels.find_deciding_seats(before, voted)):
        if found(house, match, dispute).is_open:
            house.execute_command(match, CastVote(dispute.number, seat, "void"), key=f"v{seat}", scope=f"seat{seat}")
    over = house.load_match(match).match
    assert (over.status, found(house, match, other).stage) == ("void", "withdrawn")
    with pytest.raises(IllegalMove, match="match_over"):
        house.execute_command(match, AppealRuling(other.number, 0, "TABLE-REMEDY-1", "mine"), key="no", scope="seat0")
    with pytest.raises(IllegalMove, match="match_over"):
        rule(house, match, other, "restore")
    house.execute_command(
        match, AppealRuling(dispute.number, 0, "TABLE-REMEDY-1", "too hard"), key="appeal", scope="seat0"
    )
    assert house.load_match(match).match.public_status == "disputed"
    offers = rungs(house, match, dispute)
    assert {name: rung.why for name, rung in offers.items() if name not in ("leave", "restore")} == dict.fromkeys(
        ("partial_fix", "rewind", "void"), "remedy.is_void"
    )
    with pytest.raises(IllegalMove, match=r"court\.not_offered"):
        rule(house, match, dispute, "rewind")
    now = house.build_evidence(house.load_match(match)).now_ms
    rule(house, match, dispute, "restore")
    entry = restore_entry(house, match)
    stands_again(house, match, before, entry.version)
    after = house.load_match(match).match
    assert after.is_halted, "the other dispute has its court again"
    again = found(house, match, other)
    assert (again.stage, again.until_ms) == ("attesting", now + after.courts.answer_ms)
    assert [f.dispute for f in entry.events if isinstance(f, CourtCalled)] == [other.number]
    assert found(house, match, dispute).verdicts[-1].departs_from == ("TABLE-DISPUTE-4",)
    rule(house, match, other, "leave")
    plays(house, match, 8, 4)
    assert find_first_divergence(house.repository.load_entries(match)) is None
    told = {
        state for each in build_stretches(house.repository.load_entries(match)) if (state := each["state"]) != "current"
    }
    assert told == {"partly"}


@pytest.mark.clause("TABLE-REMEDY-5")
def test_a_remedy_behind_which_a_later_one_went_is_not_undone_and_the_ladder_says_so() -> None:
    house, match = started("shy_monsters", key="overtaken")
    plays(house, match, 4, 14)
    moved = [e.version for e in house.repository.load_entries(match) if e.seat >= 0]
    first = disputes(house, match, moved[-2], "other")
    attested(house, match, first)
    ordered(house, match, found(house, match, first), "rewind")
    plays(house, match, 5, 2)
    second = disputes(house, match, moved[2], "other", "1")
    attested(house, match, second)
    ordered(house, match, found(house, match, second), "rewind")
    rung = rungs(house, match, found(house, match, first))["restore"]
    assert (rung.offered, rung.why) == (False, "remedy.overtaken")
    with pytest.raises(IllegalMove, match=r"court\.not_offered"):
        rule(house, match, first, "restore")
    rule(house, match, second, "restore")
    assert rungs(house, match, found(house, match, first))["restore"].why == "remedy.restore", "it stands again too"
    rule(house, match, first, "restore")
    counted = {entry.version for entry in effective_entries(house.repository.load_entries(match))}
    assert set(moved) <= counted


@pytest.mark.clause("TABLE-REMEDY-5")
def test_nothing_is_shuffled_where_nobody_has_learned_of_a_pile_and_all_piles_where_somebody_has() -> None:
    shuffled = set[bool]()
    for seed in range(8):
        house, match = started("here_to_slay", key=f"learned-{seed}")
        plays(house, match, seed, 12)
        moved = [e.version for e in house.repository.load_entries(match) if e.seat >= 0]
        dispute = disputes(house, match, moved[-1], "other")
        attested(house, match, dispute)
        before = house.load_match(match).match
        ordered(house, match, found(house, match, dispute), "rewind")
        plays(house, match, seed + 50, 3 * (seed % 2))
        undone = find_remedy_entry(evidence(house, match), dispute.number)
        assert undone is not None
        there = find_restoration(evidence(house, match), undone)
        assert there is not None
        rule(house, match, dispute, "restore")
        entry = restore_entry(house, match)
        steps = {f.step.where for f in entry.events if isinstance(f, StepPushed)}
        assert steps == (set(find_hidden_piles(before)) if there.crossing.piles else set())
        after: Any = house.load_match(match).match.state
        if not steps:
            assert after.zones == before.state.zones  # type: ignore[union-attr]
        else:
            assert after.cards_at("deck:") != before.state.cards_at("deck:")  # type: ignore[union-attr]
        shuffled.add(bool(steps))
    assert shuffled == {True, False}


def test_a_match_that_was_voided_once_and_goes_on_counts_as_one_whose_cards_were_shown() -> None:
    house, match = started("here_to_slay", key="void-then-back")
    plays(house, match, 5, 10)
    dispute = disputes(house, match, house.load_match(match).version - 1, "other")
    attested(house, match, dispute)
    ordered(house, match, found(house, match, dispute), "void")
    assert any(isinstance(event, MatchVoided) for event in house.repository.load_entries(match)[-1].events)
    rule(house, match, dispute, "restore")
    plays(house, match, 9, 2)
    about = max(e.version for e in house.repository.load_entries(match) if e.seat >= 0 and e.version < dispute.number)
    now = evidence(house, match)
    assert set(compute_rewind_impact(now, about - 1, None).piles) >= set(find_hidden_piles(now.replay_to(about - 1)))


def test_who_restores_what_is_no_entry_or_comes_later_changes_nothing() -> None:
    house, match = started("shy_monsters", key="nowhere")
    plays(house, match, 4, 6)
    entries = house.repository.load_entries(match)
    last = entries[-1]
    for wrong in (0, last.version + 1, last.version + 50):
        made = replace(last, version=last.version + 1, seat=int(BYSTANDER), events=(HistoryRestored(wrong),))
        assert [e.version for e in effective_entries([*entries, made])] == [
            e.version for e in effective_entries(entries)
        ] + [made.version]


def test_refusals_at_versions_that_stand_again_can_be_disputed_and_others_cannot() -> None:
    house, match = started("shy_monsters", key="counts")
    plays(house, match, 4, 14)
    moved = [e.version for e in house.repository.load_entries(match) if e.seat >= 0]
    dispute = disputes(house, match, moved[-2], "other")
    attested(house, match, dispute)
    ordered(house, match, found(house, match, dispute), "rewind")
    gone = house.load_match(match).version
    plays(house, match, 5, 2)
    counts = auto_ruling.is_version_effective
    assert not counts(evidence(house, match), moved[-1])
    assert counts(evidence(house, match), gone)
    rule(house, match, dispute, "restore")
    assert counts(evidence(house, match), moved[-1])
    assert not counts(evidence(house, match), gone)
