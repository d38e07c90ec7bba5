"""A running match goes from one server to another: it is played on there, and what is told of it can be checked."""

from __future__ import annotations

import random
import stat
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from referee.audit.bundles.export import SEALED, WHOLE
from referee.audit.bundles.importing import ALREADY, IMPORTED, ImportRejected
from referee.audit.checks.findings import FindingKind
from referee.audit.checks.verifier import check_bundle
from referee.engine.rulings import IllegalMove
from referee.eventstore.contract import StoreUnavailable
from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.archives.provenance import OriginStore
from referee.infrastructure.root_publisher import RootPublisher
from referee.match.aggregate import SeatTaken
from referee.match.errors import MatchUnavailable
from referee.match.events.dispute_commands import OpenDispute, WithdrawDispute
from referee.match.events.takeback_events import AnswerTakeback, RequestTakeback
from referee.service.requests import MoveRequest
from referee.transfer.export_import import MatchTransfer
from referee.transfer.service import GRACE_MS
from tests.service.house import end_agreed_by_all
from tests.transfer.movers import Server, alone, next_move, plays, read, running


@pytest.fixture
def servers(tmp_path: Path) -> tuple[Server, Server, Server]:
    return Server("aaa", tmp_path), Server("bbb", tmp_path), Server("ccc", tmp_path)


@pytest.mark.clause("TABLE-HOME-1", "TABLE-HOME-2", "TABLE-CHANCE-1")
def test_a_match_goes_round_three_servers_and_every_receipt_holds_where_it_ends(
    servers: tuple[Server, Server, Server], tmp_path: Path
) -> None:
    here, there, beyond = servers
    match = running(here)
    path, version = [here, there, beyond, here], here.service.load_match(match).version
    for before, after in pairwise(path):
        sent = before.sent(match)
        assert before.sent(match) == sent, "called again, it is the same file"
        assert check_bundle(read(sent), [before.signer.public]).findings == ()
        assert alone(sent, tmp_path) == []
        assert after.moving.import_match(read(sent), [before.signer.public])[0] == IMPORTED
        found = after.service.load_match(match)
        assert (found.match.status, found.match.public_status, found.head.status) == ("running", "running", "open")
        plays(after, match, 4)
        version = found.version
    assert version > 20
    table = here.service.load_match(match).match
    assert (table.generation, len(table.seeds), len({table.commitment, *table.renewals})) == (3, 1, 4)
    here.service.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
    receipts = list(dict.fromkeys([*here.receipts, *there.receipts, *beyond.receipts]))
    for viewer in ("public", "1", SEALED, WHOLE):
        lines = here.lines(match, viewer)
        report = check_bundle(read(lines), [here.signer.public], receipts)
        assert (report.findings, report.trusted) == ((), True), viewer
        assert alone(lines, tmp_path, receipts, [here.signer.public]) == [], viewer
    for server in servers:
        assert server.auditor.audit_match(match, server.receipts).findings == ()
        assert server.auditor.leaves.report.findings == ()


def test_a_match_that_has_left_is_read_as_before_and_takes_nothing_more(servers: tuple[Server, ...]) -> None:
    here = servers[0]
    match = running(here)
    before = here.service.load_match(match)
    here.sent(match, new_home="https://b.example/")
    found = here.service.load_match(match)
    assert found.match.state == before.match.state
    assert (found.match.public_status, found.match.is_halted, found.head.status) == ("moved", True, "moved")
    assert (found.read_result.due, here.log.find_next_deadline()) == (None, None)
    seat, move = next_move(before.match, random.Random(1))
    for write in (
        lambda: here.service.make_move(MoveRequest(match, seat, move, key="late")),
        lambda: here.service.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host"),
        lambda: here.service.set_auto_pass(match, seat, ("challenge",), "turn", key="pass"),
    ):
        with pytest.raises(MatchUnavailable) as away:
            write()
        assert (away.value.reason, away.value.new_home) == ("moved", "https://b.example/")
    here.service.recover_match(match)
    assert here.service.load_match(match).version == found.version
    head = here.log.read(match, limit=0).head
    assert head is not None
    assert here.importing.log.list_archived(int(match[:2])) == ()


def test_a_repeated_request_is_known_where_the_match_goes_on(servers: tuple[Server, ...]) -> None:
    here, there, _ = servers
    match = running(here)
    seat, move = next_move(here.service.load_match(match).match, random.Random(1))
    made = here.service.make_move(MoveRequest(match, seat, move, key="once"))
    there.moving.import_match(read(here.sent(match)))
    again = there.service.make_move(MoveRequest(match, seat, move, key="once"))
    assert (again.entry, again.replayed) == (made.entry, True)
    assert "open" not in {key.partition(":")[0] for key in there.log.read_transfer_payload(match).keys}


def test_what_lies_beside_goes_along_and_what_is_of_an_account_stays(servers: tuple[Server, ...]) -> None:
    here, there, _ = servers
    match = running(here)
    sat = next(e.version for e in here.service.repository.load_entries(match) if isinstance(e.events[0], SeatTaken))
    here.log.link_player(match, sat, "pl-someone")
    sent = read(here.sent(match))
    there.moving.import_match(sent)
    assert there.log.read_grants(match) == here.log.read_grants(match)
    assert set(there.log.read_seat_names(match)) == set(here.log.read_seat_names(match)) - {"0"}
    assert there.log.read_links([match]) == {}
    assert "pl-someone" not in "".join(line.text for line in sent.payload)


def test_the_time_that_was_left_is_left_and_half_a_minute_at_least(servers: tuple[Server, ...]) -> None:
    here, there, _ = servers
    for passed, left in ((20_000, 40_000), (50_000, GRACE_MS)):
        match = running(here, "monster_combat" if passed > 30_000 else "here_to_slay", 3, move_ms=60_000)
        here.memory.advance_clock(passed)
        sent = here.sent(match)
        there.memory.advance_clock(3_000_000)
        there.moving.import_match(read(sent))
        found = there.service.load_match(match)
        due = found.read_result.due
        assert due is not None
        assert due.at_ms - found.read_result.now_ms == left


def test_only_the_server_that_was_named_takes_it_in_and_who_trusts_the_first_trusts_it(
    servers: tuple[Server, ...], tmp_path: Path
) -> None:
    here, there, beyond = servers
    match = running(here)
    sent = read(here.sent(match, to=there.signer.public))
    for other in (beyond, here):
        with pytest.raises(ImportRejected) as refused:
            other.moving.import_match(sent)
        assert refused.value.reason == "elsewhere"
    there.moving.import_match(sent)
    plays(there, match, 2)
    lines = there.lines(match)
    assert check_bundle(read(lines), [here.signer.public]).findings == ()
    assert check_bundle(read(lines), [here.signer.public]).trusted
    assert alone(lines, tmp_path, keys=[here.signer.public]) == []
    unnamed = running(here, "monster_combat", 3)
    there.moving.import_match(read(here.sent(unnamed)))
    lines = there.lines(unnamed)
    assert check_bundle(read(lines), [here.signer.public]).exit_code == FindingKind.KEY, (
        "nobody said whose the new key is"
    )
    assert {each["kind"] for each in alone(lines, tmp_path, keys=[here.signer.public])} >= {"key"}


def test_a_server_that_changed_its_mind_takes_its_own_match_back(servers: tuple[Server, ...]) -> None:
    here, there, _ = servers
    match = running(here)
    sent = read(here.sent(match))
    assert here.moving.import_match(sent)[0] == IMPORTED
    assert here.moving.import_match(sent)[0] == ALREADY
    plays(here, match, 3)
    assert here.moving.import_match(sent)[0] == ALREADY
    assert here.auditor.audit_match(match, here.receipts).findings == ()
    assert check_bundle(here.bundle(match), [here.signer.public]).findings == ()
    there.moving.import_match(sent)  # a second match, which nobody can know of here
    plays(there, match, 3)
    fork = check_bundle(there.bundle(match), [there.signer.public], here.receipts)
    assert fork.exit_code == FindingKind.FORK, "the receipts of both tell"


@pytest.mark.clause("TABLE-HOME-2")
def test_play_goes_back_behind_a_move_and_courts_wait_for_a_match_on_its_way(servers: tuple[Server, ...]) -> None:
    here, there, _ = servers
    match = running(here, moves=14)
    left = here.service.load_match(match)
    there.moving.import_match(read(here.sent(match)))
    plays(there, match, 3)
    asked = there.service.execute_command(match, RequestTakeback(0, left.version - 3), key="back", scope="seat0")
    there.service.execute_command(match, AnswerTakeback(asked.entry, 1, True), key="yes", scope="seat1")
    back = there.service.load_match(match)
    then = there.service.load_version(match, left.version - 3).match.state
    assert back.match.state is not None
    assert then is not None
    assert back.match.state.agenda == then.agenda
    assert (back.match.gone, back.match.generation, back.match.status) == (None, 1, "running"), "it has arrived"
    disputed = there.service.execute_command(
        match, OpenDispute("0", 9, "other", statement="No."), key="no", scope="seat0"
    )
    (until,) = [each.until_ms for each in disputed.match.disputes]
    sent = read(there.sent(match))
    here.memory.advance_clock(50_000_000)
    here.moving.import_match(sent)
    found = here.service.load_match(match)
    (later,) = [each.until_ms for each in found.match.disputes]
    assert until is not None
    assert (later, found.match.public_status) == (until + 50_000_000, "disputed")
    here.service.execute_command(match, WithdrawDispute(disputed.entry, "0"), key="well", scope="seat0")
    plays(here, match, 2)
    report = check_bundle(here.bundle(match), [here.signer.public], [*here.receipts, *there.receipts])
    assert report.findings == ()


class Killed(BaseException):
    """What a kill is to a test in one process: nothing after it is done."""


def test_whoever_is_killed_at_any_step_calls_again(
    servers: tuple[Server, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there, _ = servers
    match = running(here)
    steps = [
        (MemoryLog, "transfer_out", "open"), (RootPublisher, "publish_root", "moved"),
        (MemoryLog, "find_departed_payload", "moved"), (OriginStore, "save_origin", "moved"),
        (MemoryLog, "transfer_in", "moved"),
    ]  # fmt: skip
    for kind, name, status in steps:
        for after in (False, True):
            with monkeypatch.context() as patched:
                patched.setattr(kind, name, killed(getattr(kind, name), after))
                with pytest.raises(Killed):
                    there.moving.import_match(read(here.sent(match)))
            head, other = here.log.read(match).head, there.log.read(match).head
            assert head is not None
            left = "moved" if (name, after) == ("transfer_out", True) else status
            assert head.status == left
            assert (other is not None) == ((name, after) == ("transfer_in", True)), "half of it is never there"
    assert there.moving.import_match(read(here.sent(match)))[0] == ALREADY
    plays(there, match, 3)
    assert there.auditor.audit_match(match, [*here.receipts, *there.receipts]).findings == ()
    assert here.auditor.audit_match(match).findings == ()


def killed(act: Callable[..., Any], after: bool) -> Callable[..., Any]:
    def dies(*given: Any, **more: Any) -> Any:
        if after:
            act(*given, **more)
        raise Killed

    return dies


def test_a_match_that_is_over_or_away_does_not_leave(servers: tuple[Server, ...], monkeypatch: Any) -> None:
    here = servers[0]
    match = running(here, moves=3)
    with monkeypatch.context() as patched:
        patched.setattr(MemoryLog, "transfer_out", killed_by_the_store)
        with pytest.raises(StoreUnavailable):
            here.sent(match)
    here.service.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
    with pytest.raises(IllegalMove):
        here.sent(match)
    damaged = running(here, "creature_crush", 3)
    here.log.freeze_match(damaged)
    with pytest.raises(MatchUnavailable) as away:
        here.sent(damaged)
    assert away.value.reason == "frozen"


def killed_by_the_store(*_: Any) -> None:
    raise StoreUnavailable("gone")


def test_what_is_noted_of_where_a_match_was_is_for_its_server_alone(servers: tuple[Server, ...]) -> None:
    here, there, _ = servers
    match = running(here)
    there.moving.import_match(read(here.sent(match)))
    assert stat.S_IMODE(there.origins.path_for(match).stat().st_mode) == 0o600
    assert isinstance(there.moving, MatchTransfer)
