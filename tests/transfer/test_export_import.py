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
from referee.audit.bundles.importing import ALREADY, TAKEN, NotTaken
from referee.audit.checks.findings import Kind
from referee.audit.checks.verifier import checked
from referee.engine.rulings import Refused
from referee.eventstore.contract import StoreAway
from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.archives.provenance import Origins
from referee.infrastructure.root_publisher import Publisher
from referee.match.aggregate import SeatTaken
from referee.match.events.dispute_commands import OpenDispute, WithdrawDispute
from referee.match.events.takeback_events import Consent, TakeBack
from referee.match.table.commands import End
from referee.service.match_service import Away
from referee.transfer.export_import import Moving
from referee.transfer.service import GRACE_MS
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
    path, version = [here, there, beyond, here], here.desk.load(match).version
    for before, after in pairwise(path):
        sent = before.sent(match)
        assert before.sent(match) == sent, "called again, it is the same file"
        assert checked(read(sent), [before.signer.public]).findings == ()
        assert alone(sent, tmp_path) == []
        assert after.moving.take(read(sent), [before.signer.public])[0] == TAKEN
        found = after.desk.load(match)
        assert (found.match.status, found.match.condition, found.head.status) == ("running", "running", "open")
        plays(after, match, 4)
        version = found.version
    assert version > 20
    table = here.desk.load(match).match
    assert (table.generation, len(table.seeds), len({table.commitment, *table.renewals})) == (3, 1, 4)
    here.desk.business(match, End("abandoned"), key="end", scope="host")
    receipts = list(dict.fromkeys([*here.receipts, *there.receipts, *beyond.receipts]))
    for eyes in ("public", "1", SEALED, WHOLE):
        lines = here.lines(match, eyes)
        report = checked(read(lines), [here.signer.public], receipts)
        assert (report.findings, report.trusted) == ((), True), eyes
        assert alone(lines, tmp_path, receipts, [here.signer.public]) == [], eyes
    for server in servers:
        assert server.auditor.report(match, server.receipts).findings == ()
        assert server.auditor.leaves.report.findings == ()


def test_a_match_that_has_left_is_read_as_before_and_takes_nothing_more(servers: tuple[Server, ...]) -> None:
    here = servers[0]
    match = running(here)
    before = here.desk.load(match)
    here.sent(match, new_home="https://b.example/")
    found = here.desk.load(match)
    assert found.match.state == before.match.state
    assert (found.match.condition, found.match.halted, found.head.status) == ("moved", True, "moved")
    assert (found.reading.due, here.log.next_due()) == (None, None)
    seat, move = next_move(before.match, random.Random(1))
    for write in (
        lambda: here.desk.move(match, seat, move, key="late"),
        lambda: here.desk.business(match, End("abandoned"), key="end", scope="host"),
        lambda: here.desk.let_pass(match, seat, ("challenge",), "turn", key="pass"),
    ):
        with pytest.raises(Away) as away:
            write()
        assert (away.value.why, away.value.new_home) == ("moved", "https://b.example/")
    here.desk.heal(match)
    assert here.desk.load(match).version == found.version
    head = here.log.read(match, limit=0).head
    assert head is not None
    assert here.importing.log.archived(int(match[:2])) == ()


def test_a_repeated_request_is_known_where_the_match_goes_on(servers: tuple[Server, ...]) -> None:
    here, there, _ = servers
    match = running(here)
    seat, move = next_move(here.desk.load(match).match, random.Random(1))
    made = here.desk.move(match, seat, move, key="once")
    there.moving.take(read(here.sent(match)))
    again = there.desk.move(match, seat, move, key="once")
    assert (again.entry, again.replayed) == (made.entry, True)
    assert "open" not in {key.partition(":")[0] for key in there.log.luggage(match).keys}


def test_what_lies_beside_goes_along_and_what_is_of_an_account_stays(servers: tuple[Server, ...]) -> None:
    here, there, _ = servers
    match = running(here)
    sat = next(e.version for e in here.desk.entries(match) if isinstance(e.facts[0], SeatTaken))
    here.log.link(match, sat, "pl-someone")
    sent = read(here.sent(match))
    there.moving.take(sent)
    assert there.log.grants(match) == here.log.grants(match)
    assert set(there.log.names(match)) == set(here.log.names(match)) - {"0"}
    assert there.log.links([match]) == {}
    assert "pl-someone" not in "".join(line.text for line in sent.luggage)


def test_the_time_that_was_left_is_left_and_half_a_minute_at_least(servers: tuple[Server, ...]) -> None:
    here, there, _ = servers
    for passed, left in ((20_000, 40_000), (50_000, GRACE_MS)):
        match = running(here, "monster_combat" if passed > 30_000 else "here_to_slay", 3, move_ms=60_000)
        here.memory.advance(passed)
        sent = here.sent(match)
        there.memory.advance(3_000_000)
        there.moving.take(read(sent))
        found = there.desk.load(match)
        due = found.reading.due
        assert due is not None
        assert due.at_ms - found.reading.now_ms == left


def test_only_the_server_that_was_named_takes_it_in_and_who_trusts_the_first_trusts_it(
    servers: tuple[Server, ...], tmp_path: Path
) -> None:
    here, there, beyond = servers
    match = running(here)
    sent = read(here.sent(match, to=there.signer.public))
    for other in (beyond, here):
        with pytest.raises(NotTaken) as refused:
            other.moving.take(sent)
        assert refused.value.why == "elsewhere"
    there.moving.take(sent)
    plays(there, match, 2)
    lines = there.lines(match)
    assert checked(read(lines), [here.signer.public]).findings == ()
    assert checked(read(lines), [here.signer.public]).trusted
    assert alone(lines, tmp_path, keys=[here.signer.public]) == []
    unnamed = running(here, "monster_combat", 3)
    there.moving.take(read(here.sent(unnamed)))
    lines = there.lines(unnamed)
    assert checked(read(lines), [here.signer.public]).exit_code == Kind.KEY, "nobody said whose the new key is"
    assert {each["kind"] for each in alone(lines, tmp_path, keys=[here.signer.public])} >= {"key"}


def test_a_server_that_changed_its_mind_takes_its_own_match_back(servers: tuple[Server, ...]) -> None:
    here, there, _ = servers
    match = running(here)
    sent = read(here.sent(match))
    assert here.moving.take(sent)[0] == TAKEN
    assert here.moving.take(sent)[0] == ALREADY
    plays(here, match, 3)
    assert here.moving.take(sent)[0] == ALREADY
    assert here.auditor.report(match, here.receipts).findings == ()
    assert checked(here.bundle(match), [here.signer.public]).findings == ()
    there.moving.take(sent)  # a second match, which nobody can know of here
    plays(there, match, 3)
    fork = checked(there.bundle(match), [there.signer.public], here.receipts)
    assert fork.exit_code == Kind.FORK, "the receipts of both tell"


@pytest.mark.clause("TABLE-HOME-2")
def test_play_goes_back_behind_a_move_and_courts_wait_for_a_match_on_its_way(servers: tuple[Server, ...]) -> None:
    here, there, _ = servers
    match = running(here, moves=14)
    left = here.desk.load(match)
    there.moving.take(read(here.sent(match)))
    plays(there, match, 3)
    asked = there.desk.business(match, TakeBack(0, left.version - 3), key="back", scope="seat0")
    there.desk.business(match, Consent(asked.entry, 1, True), key="yes", scope="seat1")
    back = there.desk.load(match)
    then = there.desk.at(match, left.version - 3).match.state
    assert back.match.state is not None
    assert then is not None
    assert back.match.state.agenda == then.agenda
    assert (back.match.gone, back.match.generation, back.match.status) == (None, 1, "running"), "it has arrived"
    disputed = there.desk.business(match, OpenDispute("0", 9, "other", statement="No."), key="no", scope="seat0")
    (until,) = [each.until_ms for each in disputed.match.disputes]
    sent = read(there.sent(match))
    here.memory.advance(50_000_000)
    here.moving.take(sent)
    found = here.desk.load(match)
    (later,) = [each.until_ms for each in found.match.disputes]
    assert until is not None
    assert (later, found.match.condition) == (until + 50_000_000, "disputed")
    here.desk.business(match, WithdrawDispute(disputed.entry, "0"), key="well", scope="seat0")
    plays(here, match, 2)
    report = checked(here.bundle(match), [here.signer.public], [*here.receipts, *there.receipts])
    assert report.findings == ()


class Killed(BaseException):
    """What a kill is to a test in one process: nothing after it is done."""


def test_whoever_is_killed_at_any_step_calls_again(
    servers: tuple[Server, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there, _ = servers
    match = running(here)
    steps = [
        (MemoryLog, "depart", "open"), (Publisher, "publish", "moved"), (MemoryLog, "departed", "moved"),
        (Origins, "keep", "moved"), (MemoryLog, "adopt", "moved"),
    ]  # fmt: skip
    for kind, name, status in steps:
        for after in (False, True):
            with monkeypatch.context() as patched:
                patched.setattr(kind, name, killed(getattr(kind, name), after))
                with pytest.raises(Killed):
                    there.moving.take(read(here.sent(match)))
            head, other = here.log.read(match).head, there.log.read(match).head
            assert head is not None
            left = "moved" if (name, after) == ("depart", True) else status
            assert head.status == left
            assert (other is not None) == ((name, after) == ("adopt", True)), "half of it is never there"
    assert there.moving.take(read(here.sent(match)))[0] == ALREADY
    plays(there, match, 3)
    assert there.auditor.report(match, [*here.receipts, *there.receipts]).findings == ()
    assert here.auditor.report(match).findings == ()


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
        patched.setattr(MemoryLog, "depart", killed_by_the_store)
        with pytest.raises(StoreAway):
            here.sent(match)
    here.desk.business(match, End("abandoned"), key="end", scope="host")
    with pytest.raises(Refused):
        here.sent(match)
    damaged = running(here, "creature_crush", 3)
    here.log.freeze(damaged)
    with pytest.raises(Away) as away:
        here.sent(damaged)
    assert away.value.why == "frozen"


def killed_by_the_store(*_: Any) -> None:
    raise StoreAway("gone")


def test_what_is_noted_of_where_a_match_was_is_for_its_server_alone(servers: tuple[Server, ...]) -> None:
    here, there, _ = servers
    match = running(here)
    there.moving.take(read(here.sent(match)))
    assert stat.S_IMODE(there.origins.path(match).stat().st_mode) == 0o600
    assert isinstance(there.moving, Moving)
