"""A match whose log was found damaged at the start: everybody is told so, and reads what can be read."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path

from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.integrity_check import freeze_damaged_matches
from referee.infrastructure.watermarks.guard import HistoryGuard, SignedHistory
from tests.api import house
from tests.api.house import problem
from tests.service.house import FixedDraws, service


def test_a_frozen_match_says_so_and_the_others_go_on() -> None:
    log = MemoryLog()
    app = house.app(service(log))
    table, other = house.opened(app), house.opened(app)
    known = table.host.ask("GET", f"/v1/matches/{table.match}")
    assert known.json["status"] != "frozen"
    kept = log._matches[table.match].log
    kept[0] = replace(kept[0], sealed=kept[0].sealed + b" ")
    assert [damage.match for damage in freeze_damaged_matches(log, FixedDraws().salt)] == [table.match]
    told = table.host.ask("GET", f"/v1/matches/{table.match}", If_None_Match=known.headers["ETag"])
    assert (told.status_code, told.json["status"], told.json["awaits"]) == (200, "frozen", [])
    assert table.host.ask("GET", f"/v1/matches/{table.match}/entries").status_code == 200
    for method, path in (("POST", "start"), ("POST", "end")):
        body = {"reason": "abandoned"} if path == "end" else None
        refused = table.host.ask(method, f"/v1/matches/{table.match}/{path}", body, If_Match="*")
        assert refused.status_code in (409, 423), refused.json
        assert refused.status_code == 423 or path == "start"
    assert other.host.ask("GET", f"/v1/matches/{other.match}").json["status"] != "frozen"


def test_a_frozen_match_that_cannot_be_read_at_all_is_told_as_that_and_as_no_fault_of_the_server() -> None:
    log = MemoryLog()
    before = service(log)
    table = house.opened(house.app(before))
    kept = log._matches[table.match].log
    kept[0] = replace(kept[0], envelope=kept[0].envelope[:-9])
    assert len(freeze_damaged_matches(log, FixedDraws().salt)) == 1
    app = house.app(service(log))  # a start: nothing is known from before
    host = replace(table.host, client=app.test_client())
    problem(host.ask("GET", f"/v1/matches/{table.match}"), 423, "log-frozen")
    problem(host.ask("POST", f"/v1/matches/{table.match}/start", If_Match="*"), 423, "log-frozen")


def test_a_match_that_lost_what_was_signed_says_so_and_so_does_the_look_at_whether_the_service_is_ready(
    tmp_path: Path,
) -> None:
    log = MemoryLog()
    guarded = service(log)
    guard = HistoryGuard(SignedHistory(tmp_path / "watermarks"), log)
    guarded.sign, guarded.appender.watch = guard.guard_signature(guarded.sign), guard
    table = house.opened(house.app(guarded), start=False)
    assert table.anyone.get("/readyz").json["history"] == "ok"  # type: ignore[index]
    before = copy.deepcopy(log._matches[table.match])
    started = table.host.ask("POST", f"{table.path}/start", If_Match="*")
    assert started.json["receipt"]
    log._matches[table.match] = before  # as a replica that had not heard of the start
    for _ in range(2):
        problem(table.host.ask("POST", f"{table.path}/start", If_Match="*"), 423, "log-frozen")
    ready = table.anyone.get("/readyz")
    assert (ready.status_code, ready.json["history"]) == (200, "lost")  # type: ignore[index]
    known = table.host.ask("GET", table.path)
    assert (known.status_code, known.json["status"]) == (200, "frozen")
