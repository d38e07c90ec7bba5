"""The automatic ruling: what log and rules decide, what only people know, what is left open, and who is told."""

from __future__ import annotations

from typing import Any, cast

import pytest

from referee.arbitration.auto_ruling import CourtFinding, find_parties, find_question_and_move, judge_dispute
from referee.engine.codec import encode
from referee.engine.referee import find_legal_moves, judge_candidates, seats_that_must_act
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.engine.seats import BYSTANDER, CHANCE, FULL_VIEWER, Seat
from referee.match.events.dispute_commands import OpenDispute
from referee.match.events.dispute_events import DisputeOpened, RulingIssued
from referee.match.events.dispute_state import CLAIMS
from referee.match.table import commands
from referee.rendering import texts
from tests.arbitration.playing import GAMES, Referee, disputes, evidence, plays, started
from tests.arbitration.test_remedies import broken, reported_roll


def finding(house: Referee, match: str, about: int, claim: str, by: str = "0", **more: Any) -> CourtFinding:
    return judge_dispute(evidence(house, match), OpenDispute(by, about, claim, **more))


def last_of_people(house: Referee, match: str) -> int:
    return max(entry.version for entry in evidence(house, match).effective_entries if entry.seat >= 0)


@pytest.mark.clause("TABLE-DISPUTE-1")
@pytest.mark.parametrize("game", GAMES)
def test_what_the_server_dealt_and_the_rules_made_of_it_stands_whatever_is_claimed(game: str) -> None:
    house, match = started(game)
    plays(house, match, 4, 12)
    about = last_of_people(house, match)
    for claim in CLAIMS:
        if claim not in ("wrong_refusal", "other"):
            assert finding(house, match, about, claim).verdict == "stands"
    assert finding(house, match, about, "other").verdict == "undecided"


@pytest.mark.parametrize("claim", ["misreported", "wrong_count"])
def test_what_real_dice_showed_only_people_know(claim: str) -> None:
    house, match = started("munchkin", "table")
    about = reported_roll(house, match)
    assert finding(house, match, about, claim).verdict == "undecided"
    assert finding(house, match, about, "illegal_move").verdict == "stands"
    assert find_parties(evidence(house, match), OpenDispute("2", about, claim)) == (0, 2)  # seat 0 has reported it


def test_what_the_server_rolled_is_no_report() -> None:
    house, match = started("munchkin")
    plays(house, match, 4, 12)
    found = evidence(house, match)
    about = max(entry.version for entry in found.effective_entries if entry.seat == CHANCE)
    assert finding(house, match, about, "misreported").reason == "court.server_drew"


@pytest.mark.clause("TABLE-DISPUTE-1")
def test_no_dispute_is_about_the_lobby_the_seats_the_rulings_or_what_counts_no_more() -> None:
    house, match = started("monster_combat")
    plays(house, match, 4, 6)
    house.execute_command(match, commands.SetProxy(1, "host"), key="proxy", scope="seat1")
    proxy = house.load_match(match).version
    dispute = disputes(house, match, last_of_people(house, match), "illegal_move")
    for about in (0, 1, 2, evidence(house, match).start_version, proxy, dispute.number, 99):
        with pytest.raises(IllegalMove) as refused:
            finding(house, match, about, "illegal_move")
        assert refused.value.ruling.reason == "court.no_such_entry"
    with pytest.raises(IllegalMove):
        find_parties(evidence(house, match), OpenDispute("0", 99, "wrong_refusal", move={}))


@pytest.mark.usefixtures("first_scheme")
@pytest.mark.parametrize("game", GAMES)
def test_a_refusal_is_judged_again_where_it_was_given(game: str) -> None:
    house, match = started(game)
    plays(house, match, 4, 9)
    state: Any = house.load_match(match).match.state
    seat = min(seat for seat in seats_that_must_act(state) if seat >= 0)
    right = next(iter(find_legal_moves(state, seat)))
    wrong = next(move for move, ruling in judge_candidates(state, seat) if ruling is not None)
    about = house.load_match(match).version
    plays(house, match, 5, 3)
    mine = finding(house, match, about, "wrong_refusal", str(int(seat)), move=encode(right))
    assert (mine.verdict, mine.knowing) == ("does_not_stand", (seat,))
    stands = finding(house, match, about, "wrong_refusal", str(int(seat)), move=encode(wrong))
    assert (stands.verdict, stands.knowing) == ("stands", (seat,))
    assert texts.render_text(house.load_match(match).match.rules, stands.reason, **stands.params)["de"]


@pytest.mark.clause("TABLE-RULING-1")
@pytest.mark.parametrize("game", GAMES)
def test_a_refusal_that_is_disputed_tells_the_others_nothing_of_what_was_asked(game: str) -> None:
    """Whatever was asked, and whether it was legal, they read the same but for the verdict."""
    house, match = started(game)
    plays(house, match, 4, 9)
    state: Any = house.load_match(match).match.state
    seat = min(seat for seat in seats_that_must_act(state) if seat >= 0)
    about, told = house.load_match(match).version, set[str]()
    for number, (move, ruling) in enumerate(judge_candidates(state, seat)):
        if number > 12:
            break
        ask = OpenDispute(str(int(seat)), about, "wrong_refusal", move=encode(move))
        opened, ruled, *_ = house._handle_command(house.load_match(match), ask)
        assert isinstance(opened, DisputeOpened)
        assert isinstance(ruled, RulingIssued)
        assert ruled.verdict == ("does_not_stand" if ruling is None else "stands")
        for viewer in (*range(len(house.load_match(match).match.chairs)), BYSTANDER):
            if viewer != seat:
                seen = (
                    encode(opened.view_for(viewer)),
                    {**encode(ruled.view_for(viewer)), "verdict": "", "remedy": ""},
                )
                told.add(str(seen))
        assert ruled.view_for(FULL_VIEWER) == ruled.view_for(int(seat)) == ruled
    assert len(told) == 1


@pytest.mark.clause("TABLE-RULING-1")
@pytest.mark.parametrize("game", GAMES)
def test_why_a_move_was_illegal_is_told_to_all_only_if_all_could_see_it(game: str) -> None:
    house, match, about = broken(game, "illegal_move")
    found = finding(house, match, about, "illegal_move", "1")
    entry = evidence(house, match).find_entry(about)
    assert entry is not None
    assert found.verdict == "does_not_stand"
    before: Any = house.load_version(match, about - 1).match.state
    seen = before.view_for(BYSTANDER)
    shown = entry.move.view_for(BYSTANDER, entry.seat) if entry.move is not None else None
    if found.knowing is None:
        with pytest.raises(IllegalMove) as refused:
            seen.agenda[-1].check_move(seen, Seat(entry.seat), shown)
        assert (refused.value.ruling.reason, refused.value.ruling.params) == (found.reason, found.params)
    else:
        assert set(found.knowing) <= {entry.seat}


def test_a_wrong_fact_that_only_some_could_see_is_told_to_these() -> None:
    for game in ("here_to_slay", "munchkin"):
        for wait in range(4, 14):
            house, match, about = broken(game, "wrong_card", wait)
            found = finding(house, match, about, "missed_effect")
            entry = evidence(house, match).find_entry(about)
            assert entry is not None
            assert (found.verdict, found.reason) == ("does_not_stand", "court.wrong_facts")
            assert found.params["at"].startswith(f"{about}.")
            if found.knowing is not None:
                assert len(found.knowing) < len(house.load_match(match).match.chairs)
                return
    pytest.fail("no card was wrong that was hidden from some")


@pytest.mark.usefixtures("first_scheme")
def test_what_another_reading_decides_is_undecided_with_question_reading_and_why() -> None:
    """A way past a monster is legal by the first reading only; nobody at the table has chosen it."""
    house, match = started("shy_monsters", key="plan-2")
    plays(house, match, 1, 60)
    rules, found = house.load_match(match).match.rules, evidence(house, match)
    clause = texts.find_clause(rules, "SM-AMB-12")
    moves = [entry for entry in found.effective_entries if entry.move is not None and entry.move.TAG == "sm.explore"]
    verdicts = set()
    for entry in moves:
        left = finding(house, match, entry.version, "illegal_move", clause=clause.id)
        verdicts.add(left.verdict)
        assert finding(house, match, entry.version, "illegal_move").verdict == "stands"
        assert finding(house, match, entry.version, "illegal_move", clause="SM-HERO-REVEAL-1").verdict == "stands"
        if left.verdict == "undecided":
            assert left.reason == "court.left_open"
            assert (left.params["open"], left.params["reading"]) == (clause.open, clause.says)
            told = texts.render_text(rules, left.reason, **left.params)
            assert clause.open["de"] in told["de"]
    assert verdicts == {"stands", "undecided"}


@pytest.mark.usefixtures("first_scheme")
@pytest.mark.clause("TABLE-DISPUTE-1")
def test_a_refusal_is_undecided_only_if_another_reading_would_grant_the_move() -> None:
    house, match = started("monster_combat")
    found = house.load_match(match)
    state: Any = found.match.state
    idle = next(seat for seat in range(3) if seat != state.active)
    for seat, move, named, verdict in (
        (state.active, {"type": "mc.play", "card": "life_back"}, "MC-AMB-8", "undecided"),
        (idle, {"type": "mc.play", "card": "life_back"}, "MC-AMB-8", "stands"),  # out of turn by either reading
        (idle, {"type": "mc.play", "card": "shield"}, "MC-TURN-PLAY-1", "stands"),
        (idle, {"type": "mc.play", "card": "shield"}, "MC-AMB-8", "stands"),
        (state.active, {"type": "mc.play", "card": "shield"}, "MC-AMB-8", "stands"),
    ):
        court = finding(house, match, found.version, "wrong_refusal", str(seat), move=move, clause=named)
        assert court.verdict == verdict, (seat, move, named, court)


@pytest.mark.parametrize("game", GAMES)
def test_naming_a_clause_of_a_refusal_opens_only_what_another_reading_decides(game: str) -> None:
    """Whichever clause of a refusal is named: where no reading that can be chosen grants the move, it stands."""
    house, match = started(game)
    for wait in (0, 9):
        plays(house, match, 4, wait)
        found = house.load_match(match)
        known = found.match.rules.interpretations
        for seat in map(Seat, range(len(found.match.chairs))):
            refused = [
                (move, ruling) for move, ruling in judge_candidates(cast("Any", found.match.state), seat) if ruling
            ]
            for move, ruling in refused[:12]:
                for name in ruling.clauses:
                    clause = texts.find_clause(found.match.rules, name)
                    if (clause.reading or clause.reads or clause.id) not in known:
                        court = finding(
                            house, match, found.version, "wrong_refusal", str(seat), move=encode(move), clause=name
                        )
                        assert court.verdict == "stands", (move, name)


@pytest.mark.clause("TABLE-DISPUTE-1")
def test_a_clause_that_points_to_an_open_question_leaves_nothing_open_by_itself() -> None:
    """Whose turn it is decides; what a card may be played for without effect was never asked."""
    house, match = started("monster_combat")
    plays(house, match, 4, 3)
    found = house.load_match(match)
    state: Any = found.match.state
    seat = next(seat for seat in range(3) if seat != state.active)
    move = {"type": "mc.play", "card": "sword"}
    assert texts.find_clause(found.match.rules, "MC-TURN-PLAY-1").reading == "MC-AMB-8"
    for named in ("", "MC-SHIELD-2", "MC-TURN-PLAY-1", "MC-AMB-8"):
        court = finding(house, match, found.version, "wrong_refusal", str(seat), move=move, clause=named)
        assert court.verdict == "stands", named
        assert "MC-TURN-PLAY-1" in court.clauses
        assert "MC-AMB-8" not in court.clauses


def test_a_dispute_that_cannot_be_understood_is_told_where() -> None:
    house, match = started("monster_combat")
    plays(house, match, 4, 9)
    about = last_of_people(house, match)
    for more, pointer in (
        ({"clause": "MC-NONE-7"}, "/clause"),
        ({"move": {"type": "mc.nothing"}}, "/move/type"),
        ({"move": {"type": "table.start"}}, "/move/type"),
        ({"move": [1]}, "/move"),
    ):
        with pytest.raises(MalformedInput) as malformed:
            finding(house, match, about, "illegal_move", **more)
        assert malformed.value.errors[0]["pointer"] == pointer
    with pytest.raises(MalformedInput):
        finding(house, match, about, "wrong_refusal")


def test_what_makes_two_disputes_alike_is_the_question_and_the_kind_of_move() -> None:
    house, match = started("monster_combat")
    plays(house, match, 4, 9)
    about = last_of_people(house, match)
    dispute = disputes(house, match, about, "illegal_move")
    before: Any = house.load_version(match, about - 1).match.state
    entry = evidence(house, match).find_entry(about)
    assert entry is not None
    assert entry.move is not None
    assert find_question_and_move(evidence(house, match), dispute) == (
        before.agenda[-1].question_name(),
        entry.move.TAG,
    )
    refusal = disputes(house, match, about, "wrong_refusal", move={"type": "mc.pass"})
    assert find_question_and_move(evidence(house, match), refusal)[1] == ""
