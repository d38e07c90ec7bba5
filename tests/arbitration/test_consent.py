"""Courts of the second edition: remedies by consent, what holds without it, last words that can be undone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from referee.arbitration.auto_ruling import CourtFinding
from referee.arbitration.courts.levels import find_awaited_seats
from referee.arbitration.remedies import ladder
from referee.arbitration.remedies.correction_forecast import iterate_strings
from referee.arbitration.remedies.ladder import Remedy, list_remedies
from referee.engine.codec import encode
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.engine.seats import BYSTANDER, FULL_VIEWER, Seat
from referee.engine.zones import back_of, is_back
from referee.match.aggregate import Match
from referee.match.events.deviation_events import DeviationRequested
from referee.match.events.dispute_commands import AppealRuling, Attest, CastVote, IssueRuling, OpenDispute
from referee.match.events.dispute_events import Voted
from referee.match.events.dispute_state import DEFAULT_COURTS, Dispute, Vote
from referee.match.events.office_events import AnswerOfficial, NameOfficial
from referee.match.table import commands
from referee.match.unilateral import find_unilateral_decisions
from referee.queries.remedy_previews import proposal_preview_response
from referee.service.match_service import MatchService
from referee.service.requests import CommandResult, MoveRequest
from tests.arbitration.playing import GAMES, Referee, disputes, evidence, plays, started
from tests.arbitration.test_courts import (
    UNSURE,
    WRONG,
    clock,
    disputed,
    execute,
    found,  # noqa: F401  # a fixture
    last,
    now,
    opened,
)
from tests.arbitration.test_last_word import views
from tests.arbitration.test_manual_corrections import CARDS
from tests.doubles.party import Hush

TABLE_ONLY = ("referee", "table")


@pytest.fixture
def mild(monkeypatch: pytest.MonkeyPatch, found: list[CourtFinding]) -> list[CourtFinding]:  # noqa: F811
    """What the referee finds; the table may choose anything, and going back needs nobody's consent."""
    offered = tuple(Remedy(name, True, "x", mild=name == "rewind") for name in ("leave", "restore", "rewind", "void"))
    monkeypatch.setattr(ladder, "list_remedies", lambda evidence, dispute, viewer=None: offered)
    return found


def quarrel(house: MatchService, levels: tuple[str, ...] = TABLE_ONLY, seats: int = 4) -> tuple[str, Dispute]:
    """A match of the second edition in which seat 1 disputes what seat 0 has played."""
    match, about = opened(house, seats, edition=2, levels=levels, undo_ms=60_000)
    return match, disputed(house, match, about)


def vote(house: MatchService, match: str, number: int, seats: tuple[int, ...], remedy: str) -> CommandResult:
    return [execute(house, match, CastVote(number, seat, remedy), f"{number}-{seat}-{remedy}") for seat in seats][-1]


def ruling(house: MatchService, match: str, number: int, remedy: str, by: str = "arbiter", **more: Any) -> IssueRuling:
    """The ruling of an official whom the table has accepted."""
    known = [each.number for each in house.load_match(match).match.officials if each.role == by]
    if not known:
        known = [execute(house, match, NameOfficial(by, f"person-{by}"), f"name-{by}").entry]
        seats = tuple(range(len(house.load_match(match).match.chairs)))
        execute(house, match, AnswerOfficial(known[0], True, seats), f"accept-{by}")
    clauses = ("KERNEL-MOVE-1",)
    return IssueRuling(number, by, (), remedy != "leave", remedy, clauses, "So it is.", official=known[0], **more)


def rule(house: MatchService, match: str, number: int, remedy: str, by: str = "arbiter", **more: Any) -> CommandResult:
    command = ruling(house, match, number, remedy, by, **more)
    return execute(house, match, command, f"{by}-{remedy}-{house.load_match(match).version}")


def refusal(house: MatchService, match: str, command: Any) -> str:
    """Why a command is refused; nothing has changed by it."""
    before = house.load_match(match)
    with pytest.raises(IllegalMove) as refused:
        execute(house, match, command, f"refused-{before.version}")
    assert house.load_match(match).version == before.version
    return refused.value.ruling.reason


@pytest.mark.clause("TABLE-DISPUTE-9")
def test_a_remedy_is_carried_out_once_all_who_play_have_agreed_parties_too(
    house: MatchService, mild: list[CourtFinding]
) -> None:
    mild.append(WRONG)
    match, dispute = quarrel(house)
    assert vote(house, match, dispute.number, (1, 2, 3), "void").match.status == "running"
    assert vote(house, match, dispute.number, (0,), "void").match.status == "void"
    assert last(now(house, match)).reason == "court.all_agree"


@pytest.mark.clause("TABLE-DISPUTE-9", "TABLE-REMEDY-6")
def test_two_players_cannot_void_a_match_on_the_word_of_one(house: MatchService, mild: list[CourtFinding]) -> None:
    mild.append(UNSURE)
    match, dispute = quarrel(house, seats=3)
    execute(house, match, Attest(dispute.number, 2, True))
    assert now(house, match).stage == "voting"
    vote(house, match, dispute.number, (1, 2), "void")
    assert now(house, match).stage == "voting"
    done = vote(house, match, dispute.number, (0,), "leave")
    assert (done.match.status, last(now(house, match)).remedy) == ("running", "leave")
    assert last(now(house, match)).reason == "court.no_remedy_agreed", "only people say that it is so"
    house.make_move(MoveRequest(match, Seat(2), Hush(), key="on"))


@pytest.mark.clause("TABLE-DISPUTE-3")
@pytest.mark.parametrize(("seats", "answering"), [(2, 1), (2, 0), (3, 2)])
def test_where_only_parties_can_answer_silence_confirms_no_claim(
    house: MatchService, mild: list[CourtFinding], seats: int, answering: int
) -> None:
    mild.append(UNSURE)
    match, dispute = quarrel(house, seats=seats)
    execute(house, match, Attest(dispute.number, answering, True))
    if seats == 2:  # who is no party decides alone, at once
        clock(house).advance_clock(120_000)
    found_last = last(now(house, match))
    assert (now(house, match).stage, found_last.verdict) == (
        ("ruled", "stands") if seats == 2 else ("voting", "does_not_stand")
    )


@pytest.mark.clause("TABLE-DISPUTE-3")
def test_where_both_parties_confirm_a_claim_it_is_right(house: MatchService, mild: list[CourtFinding]) -> None:
    mild.append(UNSURE)
    match, dispute = quarrel(house, seats=2)
    for seat in (1, 0):
        execute(house, match, Attest(dispute.number, seat, True))
    assert (now(house, match).stage, last(now(house, match)).verdict) == ("voting", "does_not_stand")


@pytest.mark.clause("TABLE-DISPUTE-9")
@pytest.mark.parametrize("silent", [True, False])
def test_what_the_referee_found_wrong_is_put_right_where_the_table_does_not_agree(
    house: MatchService, mild: list[CourtFinding], silent: bool
) -> None:
    mild.append(WRONG)
    match, dispute = quarrel(house)
    vote(house, match, dispute.number, (0,) if silent else (0, 1, 2), "leave")
    if silent:
        clock(house).advance_clock(120_000)
    else:
        vote(house, match, dispute.number, (3,), "void")
    assert (last(now(house, match)).remedy, last(now(house, match)).reason) == ("rewind", "court.mildest_remedy")
    assert not house.load_match(match).match.is_halted


@pytest.mark.clause("TABLE-DISPUTE-9", "TABLE-RULING-3")
def test_an_official_who_is_silent_leaves_it_to_the_mildest_remedy(
    house: MatchService, mild: list[CourtFinding]
) -> None:
    mild.append(WRONG)
    match, about = opened(house, edition=2, levels=("referee", "arbiter"), rule_ms=5000)
    ruling(house, match, 0, "leave")  # somebody is accepted
    assert disputed(house, match, about).stage == "ruling"
    clock(house).advance_clock(5000)
    assert (now(house, match).stage, last(now(house, match)).remedy) == ("ruled", "rewind")


@pytest.mark.clause("TABLE-RULING-7")
def test_the_table_cannot_overrule_what_the_referee_has_proved(house: MatchService, mild: list[CourtFinding]) -> None:
    match, dispute = quarrel(house)
    appeal = AppealRuling(dispute.number, 1, "KERNEL-MOVE-1", "We are more.")
    assert refusal(house, match, appeal) == "court.last_court"


@pytest.mark.clause("TABLE-DISPUTE-10")
def test_disputes_about_what_no_longer_counts_close_and_open_with_it_again(
    house: MatchService,
    found: list[CourtFinding],  # noqa: F811
) -> None:
    found.append(WRONG)
    match, first = quarrel(house, ("referee", "table", "arbiter"))
    second = execute(house, match, OpenDispute("1", first.about, "missed_effect")).match.disputes[-1]
    rule(house, match, first.number, "rewind")
    assert [each.stage for each in house.load_match(match).match.disputes] == ["ruled", "moot"]
    assert not house.load_match(match).match.is_halted
    assert refusal(house, match, CastVote(second.number, 2, "rewind")) == "court.closed"
    assert refusal(house, match, ruling(house, match, second.number, "leave")) == "court.closed"


@pytest.mark.clause("TABLE-DISPUTE-10")
@pytest.mark.parametrize("game", GAMES)
def test_a_dispute_opens_again_with_what_it_is_about(game: str) -> None:
    house, match = started(game, courts=DEFAULT_COURTS)
    plays(house, match, 1, 6)
    earlier, later = [each.version for each in house.repository.load_entries(match) if each.seat >= 0][-2:]
    first = disputes(house, match, earlier, "other", "1")
    disputes(house, match, later, "other", "0")
    for remedy, stages in (("rewind", ["ruled", "moot"]), ("restore", ["ruled", "attesting"])):
        rule(house, match, first.number, remedy)
        assert [each.stage for each in house.load_match(match).match.disputes] == stages


@pytest.mark.clause("TABLE-REMEDY-6")
def test_an_official_voids_in_two_steps(house: MatchService, mild: list[CourtFinding]) -> None:
    match, dispute = quarrel(house, ("referee", "arbiter"))
    assert refusal(house, match, ruling(house, match, dispute.number, "void")) == "court.void_unconfirmed"
    assert rule(house, match, dispute.number, "void", confirmed=True).match.status == "void"


def ruled_wrong(game: str, remedy: str) -> tuple[Referee, str, Dispute, Any]:
    """A match whose last move an official has struck or voided by mistake, and the table before."""
    house, match = started(game, courts=DEFAULT_COURTS)
    plays(house, match, 1, 6)
    entry = max(each.version for each in house.repository.load_entries(match) if each.seat >= 0)
    dispute = disputes(house, match, entry, "other", "1")
    before = views(house, match)
    rule(house, match, dispute.number, remedy, confirmed=True)
    return house, match, dispute, before


@pytest.mark.clause("TABLE-RULING-6", "TABLE-REMEDY-5")
@pytest.mark.parametrize("remedy", ["rewind", "void"])
@pytest.mark.parametrize("game", GAMES)
def test_who_ruled_by_mistake_undoes_it_in_time_and_rules_again(game: str, remedy: str) -> None:
    house, match, dispute, before = ruled_wrong(game, remedy)
    assert refusal(house, match, ruling(house, match, dispute.number, "leave")) == "court.undo_first"
    rule(house, match, dispute.number, "restore", "arbiter")
    assert (house.load_match(match).match.status, views(house, match)) == ("running", before)
    twice = ruling(house, match, dispute.number, "restore")
    assert refusal(house, match, twice) == "court.not_offered", "what was undone does not come back by itself"
    seen = [each.reason for each in find_unilateral_decisions(house.load_match(match).match)]
    assert seen == (["alone.played_on"] if remedy == "void" else []), "everybody could see all cards of a void match"
    rule(house, match, dispute.number, "leave", "arbiter")
    assert views(house, match) == before


@pytest.mark.clause("TABLE-RULING-6")
def test_later_only_another_official_undoes_it() -> None:
    house, match, dispute, before = ruled_wrong("munchkin", "void")
    clock(house).advance_clock((DEFAULT_COURTS.undo_ms or 0) + 1)
    late = ruling(house, match, dispute.number, "restore")
    assert refusal(house, match, late) == "court.undo_too_late"
    rule(house, match, dispute.number, "restore", "host")
    assert (house.load_match(match).match.status, views(house, match)) == ("running", before)


@pytest.mark.clause("TABLE-RULING-6")
def test_officials_rule_six_times_on_one_dispute_at_most() -> None:
    house, match, dispute, _ = ruled_wrong("monster_combat", "rewind")
    for remedy in ("restore", "leave", "leave", "leave", "leave"):
        rule(house, match, dispute.number, remedy, "arbiter")
    assert refusal(house, match, ruling(house, match, dispute.number, "rewind")) == "court.closed"


def proposed(game: str) -> tuple[Referee, str, Dispute, dict[str, Any]]:
    """A quarrel in the voting stage, and a correction that moves a card from one hand to another."""
    house, match = started(game, courts=DEFAULT_COURTS)
    plays(house, match, 1, 8)
    known = evidence(house, match)
    entry = max(each.version for each in known.entries if each.seat >= 0 and known.find_entry(each.version))
    dispute = disputes(house, match, entry, "other", "1")
    for seat in range(3):
        if house.load_match(match).match.disputes[-1].stage == "attesting":
            execute(house, match, Attest(dispute.number, seat, True), f"attest-{seat}")
    state: Any = known.match.state
    source = next(place for place in ("hand:0", "hand:1") if state.cards_at(place))
    target = "hand:1" if source == "hand:0" else "hand:0"
    return house, match, dispute, {"move": state.cards_at(source)[0], "from": source, "to": target}


@pytest.mark.clause("TABLE-DISPUTE-9", "TABLE-REMEDY-2")
@pytest.mark.parametrize("game", CARDS)
def test_the_table_corrects_by_hand_what_one_proposes_and_all_accept(game: str) -> None:
    house, match, dispute, fix = proposed(game)
    assert house.load_match(match).match.disputes[-1].stage == "voting"
    done = execute(house, match, CastVote(dispute.number, 0, "partial_fix", (fix,)))
    proposal = done.entry
    wrong = CastVote(dispute.number, 1, "partial_fix", agrees_to=proposal - 1)
    assert refusal(house, match, wrong) == "court.no_such_proposal"
    entry = house.repository.load_entries(match, proposal - 1, proposal)[0]
    shown = next(event for event in entry.events if isinstance(event, Voted)).view_for(BYSTANDER)
    assert isinstance(shown, Voted)
    assert is_back(shown.fix[0]["move"]), "who holds neither hand does not learn the card"
    assert is_back(now(house, match).seen_by(BYSTANDER).votes[0].fix[0]["move"])
    for seat in range(1, len(done.match.chairs)):
        done = execute(house, match, CastVote(dispute.number, seat, "partial_fix", agrees_to=proposal))
    state: Any = done.match.state
    assert fix["move"] in state.cards_at(fix["to"])
    assert last(now(house, match)).reason == "court.all_agree"
    for viewer in (0, 1, int(BYSTANDER)):
        assert house.repository.replay_for_viewer(match, viewer, done.after.version).disputes == tuple(
            each.seen_by(viewer) for each in done.match.disputes
        )
    assert house.load_match(match).match.disputes[-1].seen_by(int(FULL_VIEWER)).votes[0].fix == (fix,)


@pytest.mark.clause("TABLE-DISPUTE-9")
def test_the_vote_of_a_player_who_leaves_no_longer_counts(house: MatchService, mild: list[CourtFinding]) -> None:
    mild.append(WRONG)
    match, dispute = quarrel(house)
    vote(house, match, dispute.number, (2, 3), "void")
    execute(house, match, commands.LeaveSeat(3))
    assert [each.seat for each in now(house, match).votes] == [2]
    execute(house, match, commands.TakeSeat(3), "a new person")
    vote(house, match, dispute.number, (0, 1), "void")
    assert (now(house, match).stage, find_awaited_seats(now_match(house, match), now(house, match))) == ("voting", [3])


@pytest.mark.clause("TABLE-DISPUTE-9")
def test_a_vote_for_corrections_is_overtaken_once_play_goes_on(
    house: MatchService, mild: list[CourtFinding], monkeypatch: pytest.MonkeyPatch
) -> None:
    mild.append(WRONG)
    monkeypatch.setattr(ladder, "carry_out_remedy", lambda *given, **more: ())
    match, about = opened(house, edition=2, levels=TABLE_ONLY, play_on=True)
    dispute = disputed(house, match, about)
    proposal = execute(house, match, CastVote(dispute.number, 0, "partial_fix", ({"turn": 0},))).entry
    vote(house, match, dispute.number, (1,), "leave")
    house.make_move(MoveRequest(match, Seat(2), Hush(), key="on"))
    assert [each.seat for each in now(house, match).votes] == [1], "what needs no table by hand stays"
    late = CastVote(dispute.number, 2, "partial_fix", agrees_to=proposal)
    assert refusal(house, match, late) == "court.no_such_proposal"


def test_votes_from_before_votes_could_lapse_stay() -> None:
    old = Dispute(9, "1", 7, "other", (1,), stage="voting", votes=(Vote(0, "partial_fix", ({"turn": 0},), 10),))
    assert old.without_votes_of(0) == old.without_overtaken_votes() == old


def previewed(house: Referee, match: str, viewer: int, dispute: int, proposal: int) -> dict[str, Any]:
    return proposal_preview_response(house, house.load_match(match), viewer, dispute, "partial_fix", proposal)


@pytest.mark.clause("TABLE-DISPUTE-9")
@pytest.mark.parametrize("game", CARDS)
def test_an_open_proposal_is_previewed_for_each_viewer_and_reveals_nothing(game: str) -> None:
    house, match, dispute, fix = proposed(game)
    proposal = execute(house, match, CastVote(dispute.number, 0, "partial_fix", (fix,))).entry
    viewers = [*range(len(now_match(house, match).chairs)), int(BYSTANDER)]
    shown = {viewer: previewed(house, match, viewer, dispute.number, proposal) for viewer in viewers}
    for viewer in viewers:
        before: Any = now_match(house, match).view_for(viewer).state
        (told,) = now(house, match).seen_by(viewer).votes[0].fix
        (back,) = shown[viewer]["returns"]
        assert (back["from"], back["to"], back["count"]) == (fix["from"], fix["to"], 1)
        assert back["card"] == (None if is_back(told["move"]) else fix["move"])
        assert back["says"]["de"] != back["says"]["en"]
        assert shown[viewer]["why"]["de"] == "Der Tisch wird von Hand richtiggestellt, wie vorgeschlagen."
        if shown[viewer]["view"] is not None:
            named = Counter(iterate_strings(shown[viewer]["view"]["table"]["zones"]))
            known = Counter(iterate_strings(encode(before)["zones"])) + Counter([told["move"]])
            assert not [name for name in named - known if not is_back(name)], viewer
    assert all(each["view"] is not None for each in shown.values()), "a card that changes hands can be foreseen"
    with pytest.raises(IllegalMove) as wrong:
        previewed(house, match, 0, dispute.number, proposal - 1)
    assert wrong.value.ruling.reason == "court.no_such_proposal"
    for seat in range(1, len(viewers) - 1):
        execute(house, match, CastVote(dispute.number, seat, "partial_fix", agrees_to=proposal))
    for viewer in viewers:
        state: Any = now_match(house, match).view_for(viewer).state
        assert shown[viewer]["view"]["table"]["zones"] == encode(state)["zones"], viewer


def now_match(house: Referee, match: str) -> Match:
    return house.load_match(match).match


@pytest.mark.clause("TABLE-DISPUTE-9")
@pytest.mark.parametrize("seat", [0, 1])
def test_a_preview_does_not_tell_which_card_a_back_is(seat: int) -> None:
    """A card of the pile that the correction puts into a hand is seen by that hand only afterwards."""
    house, match, dispute, fix = proposed("monster_combat")
    state: Any = now_match(house, match).state
    top = state.cards_at("deck:")[0]
    back = {"move": back_of(top), "from": "deck:", "to": fix["to"]}
    proposal = execute(house, match, CastVote(dispute.number, 0, "partial_fix", (back,))).entry
    shown = previewed(house, match, seat, dispute.number, proposal)
    before: Any = now_match(house, match).view_for(seat).state
    named = Counter(iterate_strings(shown["view"])) if shown["view"] else Counter[str]()
    assert named[top] <= Counter(iterate_strings(encode(before)))[top]
    assert [each["card"] for each in shown["returns"]] == [None]


@pytest.mark.clause("TABLE-DISPUTE-9")
def test_what_cannot_be_is_not_proposed() -> None:
    house, match, dispute, fix = proposed("munchkin")
    nonsense = CastVote(dispute.number, 0, "partial_fix", ({**fix, "to": "no such place:"},))
    with pytest.raises((IllegalMove, MalformedInput)):
        execute(house, match, nonsense)
    with pytest.raises(MalformedInput):
        execute(house, match, CastVote(dispute.number, 0, "rewind", (fix,)))
    assert now(house, match).votes == ()


@pytest.mark.clause("TABLE-RULING-8")
@pytest.mark.parametrize("game", CARDS)
def test_a_correction_by_hand_can_be_disputed(game: str) -> None:
    house, match, dispute, fix = proposed(game)
    rule(house, match, dispute.number, "partial_fix", "arbiter", fix=(fix,))
    corrected = house.load_match(match).version
    about_it = disputes(house, match, corrected, "wrong_count", "2")
    assert (about_it.stage, about_it.verdicts[0].verdict) == ("attesting", "undecided")
    names = {each.name: each.offered for each in list_remedies(evidence(house, match), about_it)}
    assert names["rewind"]


def test_old_votes_read_as_they_were_written() -> None:
    assert encode(Vote(1, "leave")) == {"seat": 1, "remedy": "leave"}
    assert "fix" not in encode(CastVote(5, 1, "leave"))
    assert "confirmed" not in encode(IssueRuling(5, "host", (), True, "leave", (), "x"))
    assert "number" not in encode(Voted(5, 1, "leave"))


@pytest.mark.clause("TABLE-DISPUTE-9", "TABLE-DEVIATION-2")
def test_nobody_agrees_blind_to_a_value_that_all_can_see() -> None:
    house, match, dispute, _ = proposed("monster_combat")
    fix = {"set": "/hearts/1", "to": 1}
    done = execute(house, match, CastVote(dispute.number, 0, "partial_fix", (fix,)))
    for viewer in (1, 2, int(BYSTANDER)):
        seen = house.repository.replay_for_viewer(match, viewer, done.after.version)
        assert seen.disputes[-1].votes[0].fix == (fix,)
        assert seen.disputes == tuple(each.seen_by(viewer) for each in done.match.disputes)
    asked = DeviationRequested(9, "host", 0, None, (), "x", (fix, {"move": "sword", "from": "deck:", "to": "hand:0"}),
                               (1, 2), (), shown=(0,))  # fmt: skip
    shown = asked.view_for(1)
    assert isinstance(shown, DeviationRequested)
    assert (shown.fix[0], shown.fix[1]["move"]) == (fix, "?")
    old = replace(asked, shown=()).view_for(1)
    assert isinstance(old, DeviationRequested)
    assert old.fix == (), "entries written before show what they showed"


@pytest.mark.clause("TABLE-DISPUTE-9")
def test_witnesses_do_not_turn_a_move_of_another_into_a_move_of_another_kind() -> None:
    house, match = started("monster_combat", "table", courts=DEFAULT_COURTS, official="")
    plays(house, match, 1, 12)
    known = evidence(house, match)
    entry = [each for each in known.entries if each.seat == 2 and known.find_entry(each.version)][-1]
    dispute = disputes(house, match, entry.version, "misreported", "0", move={"type": "mc.pass"})
    if now(house, match).stage == "attesting":
        execute(house, match, Attest(dispute.number, 1, True), "friend")
    for seat, remedy in ((0, "rewind"), (1, "rewind"), (2, "leave")):
        if now(house, match).stage == "voting":
            execute(house, match, CastVote(dispute.number, seat, remedy), f"v{seat}")
    assert evidence(house, match).find_entry(entry.version) is not None
    assert last(now(house, match)).remedy == "leave"
