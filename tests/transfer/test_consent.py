"""A running match leaves its server when everybody has agreed to this move, or its log says who had not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.arbitration.replay.replay import find_divergences
from referee.audit import facts, standalone
from referee.audit.bundles import format as form
from referee.audit.bundles.export import MOVING, build_bundle_lines, collect_bundle_metadata
from referee.audit.bundles.format import Bundle
from referee.audit.bundles.importing import ImportRejected
from referee.audit.checks import provenance
from referee.audit.checks.findings import FindingKind
from referee.audit.checks.verifier import check_bundle
from referee.engine.rulings import IllegalMove
from referee.match.aggregate import SeatAssignment
from referee.match.bots.substitution import SeatBot
from referee.match.errors import MatchUnavailable
from referee.match.events.dispute_commands import OpenDispute
from referee.match.events.dispute_state import TransferProposal
from referee.match.events.takeback_events import AnswerTakeback, RequestTakeback
from referee.match.events.transfer_events import (
    AnswerTransfer,
    MatchTransferred,
    ProposeTransfer,
    TransferMatch,
    TransferUnagreed,
)
from referee.match.table import commands, transfer_policy
from referee.match.table.transfer_policy import find_awaited_seats
from referee.queries.dispute_actions import list_pending_requests
from referee.transfer.service import propose_transfer
from tests.service.house import end_agreed_by_all
from tests.transfer.movers import Server, agreed_by_all, plays, read, running

HOME = "https://b.example/"


@pytest.fixture
def servers(tmp_path: Path) -> tuple[Server, Server]:
    return Server("aaa", tmp_path), Server("bbb", tmp_path)


def propose_move(at: Server, match: str, **how: Any) -> TransferProposal:
    """The question that is open, or was refused."""
    found = propose_transfer(at.service, match, **how)
    assert found is not None
    return found


def says(at: Server, match: str, seat: int, number: int, grant: bool = True, key: str = "") -> Any:
    said, named = AnswerTransfer(number, grant, (seat,)), key or f"say{number}{grant}"
    return at.service.execute_command(match, said, key=named, scope=f"seat{seat}").match


def awaited(at: Server, match: str) -> list[int]:
    """The seats that still have to agree to the newest question."""
    found = at.service.load_match(match).match
    return sorted(find_awaited_seats(found, found.transfers[-1]))


def unagreed(at: Server, match: str, **how: Any) -> tuple[int, ...]:
    """The seats for whose sake a match does not leave; none if it would."""
    with pytest.raises(IllegalMove) as refused:
        at.moving.release_match(match, **how)
    assert (refused.value.reason, refused.value.clauses) == ("transfer_unagreed", ("TABLE-HOME-3",))
    return tuple(refused.value.params["seats"])


def moving_bundle(at: Server, match: str) -> Bundle:
    metadata = collect_bundle_metadata(at.publisher, at.origins)
    return form.decode_bundle(
        form.encode_bundle(build_bundle_lines(at.service, at.service.load_match(match), MOVING, metadata))
    )


def notices(bundle: Bundle, folder: Path) -> tuple[list[str], list[str]]:
    """What both verifiers say of consents that are missing."""
    path = folder / "told.bundle"
    path.write_bytes(b"".join(form.encode_bundle(bundle.all_lines)))
    told: list[str] = standalone.check_file(str(path), [], [], True)["notices"]
    found = facts.list_notices(facts.collect_facts(provenance.parse_envelopes(bundle)))
    return (
        [params["players"] for key, params in found if key == "fact.unagreed"],
        [each.rpartition(" player ")[2] for each in told if "without the consent" in each],
    )


@pytest.mark.clause("TABLE-HOME-3")
def test_a_running_match_leaves_once_everybody_has_agreed(servers: tuple[Server, Server], tmp_path: Path) -> None:
    here, there = servers
    match = running(here)
    version = here.service.load_match(match).version
    assert unagreed(here, match) == (0, 1)
    assert here.service.load_match(match).version == version, "it did not leave, and nobody was asked by that"
    number = propose_move(here, match).number
    assert propose_move(here, match).number == number, "it is asked once"
    says(here, match, 0, number)
    assert (unagreed(here, match), awaited(here, match)) == ((1,), [1])
    plays(here, match, 2)  # play goes on
    says(here, match, 1, number)
    moved = read(here.sent(match))
    last = here.service.repository.load_entries(match)[-1]
    assert [type(event) for event in last.events] == [MatchTransferred]
    assert (check_bundle(moved).findings, notices(moved, tmp_path)) == ((), ([], []))
    there.moving.import_match(moved)
    plays(there, match, 2)


@pytest.mark.clause("TABLE-HOME-3")
def test_a_single_no_settles_the_question_even_of_one_who_had_agreed(servers: tuple[Server, Server]) -> None:
    here, _ = servers
    match = running(here)
    number = propose_move(here, match).number
    says(here, match, 0, number)
    says(here, match, 1, number)
    assert awaited(here, match) == []
    says(here, match, 0, number, grant=False)  # and thinks better of it before the match leaves
    found = propose_move(here, match)
    assert (found.number, found.stage, found.against) == (number, "refused", (0,)), "nobody is pressed"
    assert unagreed(here, match) == (0, 1)
    with pytest.raises(IllegalMove) as late:
        says(here, match, 1, number, key="late")
    assert late.value.reason == "transfer_decided"
    again = here.moving.propose_transfer(match, again=True)
    assert again is not None
    assert (again.number > number, awaited(here, match)) == (True, [0, 1])
    agreed_by_all(here.service, match)
    assert here.moving.release_match(match).head.status == "moved"


@pytest.mark.clause("TABLE-HOME-3")
def test_a_consent_is_to_one_address_and_one_key_and_the_last_question_counts(
    servers: tuple[Server, Server],
) -> None:
    here, there = servers
    match, key = running(here), there.signer.public
    agreed_by_all(here.service, match, HOME, key)
    for how in ({}, {"new_home": HOME}, {"to": key}, {"new_home": HOME, "to": here.signer.public}):
        assert unagreed(here, match, **how) == (0, 1)
    first = propose_move(here, match, new_home=HOME, to=key.hex()).number
    with pytest.raises(IllegalMove) as twice:  # two calls in the same moment
        here.service.execute_command(match, ProposeTransfer(HOME, key.hex()), key="twice", scope="leave")
    assert twice.value.reason == "transfer_proposed"
    other = propose_move(here, match, new_home="https://c.example/").number
    for number, why in ((first, "transfer_decided"), (other + 1, "no_such_transfer")):
        with pytest.raises(IllegalMove) as wrong:
            says(here, match, 0, number)
        assert wrong.value.reason == why
    assert unagreed(here, match, new_home=HOME, to=key) == (0, 1), "another question was asked since"
    agreed_by_all(here.service, match, "https://c.example/")
    left = here.moving.release_match(match, "https://c.example/").match
    assert left.gone is not None
    assert left.gone.new_home == "https://c.example/"
    with pytest.raises(MatchUnavailable):
        says(here, match, 0, other, key="gone")


@pytest.mark.clause("TABLE-HOME-3")
def test_without_consent_it_leaves_and_every_report_names_who_had_not_agreed(
    servers: tuple[Server, Server], tmp_path: Path
) -> None:
    here, there = servers
    match = running(here)
    says(here, match, 0, propose_move(here, match).number)
    left = here.moving.release_match(match, without_consent=True)
    (last,) = here.service.repository.load_entries(match, left.version - 1, left.version)
    assert [type(event) for event in last.events] == [TransferUnagreed, MatchTransferred]
    assert here.moving.list_unagreed_seats(left) == (1,)
    moved = read(here.sent(match))
    there.moving.import_match(moved)
    plays(there, match, 2)
    for bundle in (moved, there.bundle(match), there.bundle(match, "public")):
        assert (check_bundle(bundle).findings, notices(bundle, tmp_path)) == ((), (["2"], ["2"]))


@pytest.mark.clause("TABLE-HOME-3")
def test_each_move_is_a_question_of_its_own(servers: tuple[Server, Server], tmp_path: Path) -> None:
    here, there = servers
    match = running(here)
    there.moving.import_match(read(here.sent(match)))
    assert unagreed(there, match) == (0, 1), "they agreed to another move"
    agreed_by_all(there.service, match)
    here.moving.import_match(read(there.sent(match)))
    assert unagreed(here, match) == (0, 1)
    here.moving.release_match(match, without_consent=True)
    there.moving.import_match(moving_bundle(here, match))
    assert notices(there.bundle(match), tmp_path) == (["1, 2"], ["1, 2"])


@pytest.mark.clause("TABLE-HOME-3")
def test_the_people_who_sit_there_when_it_leaves_decide(servers: tuple[Server, Server], tmp_path: Path) -> None:
    here, there = servers
    match = running(here)
    agreed_by_all(here.service, match)
    here.service.execute_command(match, commands.LeaveSeat(1), key="leaves", scope="seat1")
    here.service.execute_command(match, commands.TakeSeat(1), key="takes", scope="join")  # somebody else
    assert (unagreed(here, match), awaited(here, match)) == ((1,), [1])
    says(here, match, 1, here.service.load_match(match).match.transfers[-1].number, key="new")
    here.moving.release_match(match)
    moved = moving_bundle(here, match)
    assert (check_bundle(moved).findings, notices(moved, tmp_path)) == ((), ([], []))
    there.moving.import_match(moved)
    there.service.execute_command(match, commands.LeaveSeat(0), key="leaves", scope="seat0")
    assert propose_transfer(there.service, match) is None, "who is alone is not asked"
    with pytest.raises(IllegalMove) as nobody:
        there.service.execute_command(match, ProposeTransfer(), key="ask", scope="leave")
    assert nobody.value.reason == "nobody_to_ask"
    there.moving.release_match(match)
    assert notices(moving_bundle(there, match), tmp_path) == ([], [])


@pytest.mark.clause("TABLE-HOME-3")
def test_a_bot_and_a_free_seat_are_not_asked_and_have_no_say(servers: tuple[Server, Server]) -> None:
    here, _ = servers
    match = running(here)
    here.service.execute_command(match, commands.LeaveSeat(1), key="leaves", scope="seat1")
    assert here.moving.release_match(match).head.status == "moved"
    other = running(here, "creature_crush")
    number = propose_move(here, other).number
    with pytest.raises(IllegalMove) as stranger:
        here.service.execute_command(other, AnswerTransfer(number, True, ()), key="watch", scope="host")
    assert stranger.value.reason == "court.no_say_in_transfer"


@pytest.mark.clause("TABLE-HOME-3")
def test_the_host_agrees_for_seats_without_a_device(servers: tuple[Server, Server], tmp_path: Path) -> None:
    here, _ = servers
    for chairs, said in (("human", "table"), ((0,), (1,))), (("table", "table"), ()):
        ask = commands.OpenMatch(
            "monster_combat", "V1", {}, {"deck": "server"}, tuple(SeatAssignment(kind) for kind in chairs)
        )
        match = here.service.open_match(ask, f"table-{chairs[0]}").match.id
        if chairs[0] == "human":
            here.service.execute_command(match, commands.TakeSeat(0), key="take", scope="join")
        here.service.execute_command(match, commands.StartMatch(), key="start", scope="host")
        if said:
            assert unagreed(here, match) == (0, 1)
            agreed_by_all(here.service, match)
        assert here.moving.release_match(match).head.status == "moved"
        assert notices(moving_bundle(here, match), tmp_path) == ([], [])


@pytest.mark.parametrize("chairs", [("human", "human", "table"), ("human", "table", "table")])
def test_no_report_misses_a_consent_for_a_seat_that_a_bot_took_before_the_start(
    servers: tuple[Server, Server], tmp_path: Path, chairs: tuple[str, ...]
) -> None:
    here, _ = servers
    ask = commands.OpenMatch("here_to_slay", "standard", {}, {}, tuple(SeatAssignment(kind) for kind in chairs))
    match = here.service.open_match(ask, "bots").match.id
    for seat, kind in enumerate(chairs):
        sits: Any = commands.TakeSeat(seat) if kind == "human" else SeatBot(seat, 0)
        here.service.execute_command(match, sits, key=f"sits{seat}", scope="host")
    here.service.execute_command(match, commands.StartMatch(), key="start", scope="host")
    agreed_by_all(here.service, match)
    assert here.moving.release_match(match).head.status == "moved"
    assert notices(moving_bundle(here, match), tmp_path) == ([], [])


@pytest.mark.clause("TABLE-HOME-3")
def test_in_the_lobby_and_in_earlier_matches_nobody_is_asked(
    servers: tuple[Server, Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = servers
    ask = commands.OpenMatch("monster_combat", "V1", {}, {"deck": "server"}, (SeatAssignment("human"),) * 2)
    lobby = here.service.open_match(ask, "lobby").match.id
    for seat in (0, 1):
        here.service.execute_command(lobby, commands.TakeSeat(seat), key=f"take{seat}", scope="join")
    assert propose_transfer(here.service, lobby) is None
    there.moving.import_match(read(here.sent(lobby)))
    monkeypatch.setattr(commands, "DRAW_SCHEME", 0)
    earlier = running(here)
    assert propose_transfer(here.service, earlier) is None
    assert here.moving.release_match(earlier).head.status == "moved"
    for match in (lobby, earlier):
        assert notices(moving_bundle(here, match), tmp_path) == ([], [])
    over = running(here, "creature_crush")
    here.service.execute_command(over, end_agreed_by_all("abandoned"), key="end", scope="host")
    with pytest.raises(IllegalMove) as late:
        here.service.execute_command(over, ProposeTransfer(), key="ask", scope="leave")
    assert late.value.reason == "match_over"


@pytest.mark.clause("TABLE-HOME-3")
def test_going_back_and_disputes_leave_the_question_as_it_is(servers: tuple[Server, Server], tmp_path: Path) -> None:
    here, there = servers
    match = running(here, moves=14)
    before = here.service.load_match(match).version
    plays(here, match, 1)
    number = propose_move(here, match).number
    says(here, match, 0, number)
    back = here.service.execute_command(match, RequestTakeback(0, before), key="back", scope="seat0")
    here.service.execute_command(match, AnswerTakeback(back.entry, 1, True), key="yes", scope="seat1")
    assert (awaited(here, match), unagreed(here, match)) == ([1], (1,)), "the question and the yes stand"
    here.service.execute_command(match, OpenDispute("0", 9, "other", statement="No."), key="no", scope="seat0")
    assert here.service.load_match(match).match.is_halted
    (question,) = [
        each for each in list_pending_requests(here.service.load_match(match).match, 1) if each.what == "asked.transfer"
    ]
    assert (question.about, question.path) == (number, f"endings/{number}/consents")
    says(here, match, 1, number)
    moved = read(here.sent(match))
    assert (check_bundle(moved).findings, notices(moved, tmp_path)) == ((), ([], []))
    there.moving.import_match(moved)
    assert there.auditor.audit_match(match, here.receipts).findings == ()


@pytest.mark.clause("TABLE-HOME-3")
def test_a_server_that_asks_nobody_is_found(
    servers: tuple[Server, Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a changed program, by which the leaving entry names nobody."""
    here, there = servers
    match = running(here)
    says(here, match, 0, propose_move(here, match).number)
    with monkeypatch.context() as changed:
        changed.setattr(transfer_policy, "find_unagreed_seats", lambda *_: frozenset())
        left = here.moving.release_match(match)
    forged = moving_bundle(here, match)
    assert notices(forged, tmp_path) == (["2"], ["2"]), "read from seats and consents"
    assert [each.kind for each in check_bundle(forged).findings] == [FindingKind.RULES]
    (wrong,) = find_divergences(here.service.repository.load_entries(match))
    assert (wrong.version, wrong.ruling is not None and wrong.ruling.reason) == (left.version, "transfer_unagreed")
    with pytest.raises(ImportRejected) as refused:
        there.moving.import_match(forged)
    assert refused.value.reason == "unsound"


@pytest.mark.clause("TABLE-HOME-3")
@pytest.mark.parametrize("by", [(1, 5), (7,)])
def test_consents_of_seats_that_do_not_exist_or_had_no_say_are_found(
    servers: tuple[Server, Server], by: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, _ = servers
    match = running(here)
    number = propose_move(here, match).number
    with monkeypatch.context() as changed:
        changed.setattr(transfer_policy, "find_agreeing_seats", lambda _: frozenset(by))
        here.service.execute_command(match, AnswerTransfer(number, True, by), key="forged", scope="seat1")
    (wrong,) = find_divergences(here.service.repository.load_entries(match))
    assert wrong.version == here.service.load_match(match).version


def test_a_flag_that_was_not_needed_names_nobody(servers: tuple[Server, Server]) -> None:
    here, _ = servers
    match = running(here)
    agreed_by_all(here.service, match)
    left = here.moving.release_match(match, without_consent=True)
    assert here.moving.list_unagreed_seats(left) == ()
    (last,) = here.service.repository.load_entries(match, left.version - 1, left.version)
    assert isinstance(last.move, TransferMatch)
    assert last.move.without_consent
