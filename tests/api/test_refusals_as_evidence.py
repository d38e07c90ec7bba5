"""Refusals as evidence: a refusal that never was cannot be won back, and a late move is told how late it was."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from referee.match.events.dispute_commands import OpenDispute
from tests.api.house import Table, problem
from tests.api.test_windows import WINDOW, challenged, later, windows


def dispute_refusal(table: Table, seat: int, about: int, move: dict[str, Any], key: str) -> dict[str, Any]:
    """The dispute of a seat over a refusal, as the seat reads it after the ruling."""
    body = {"about": about, "claim": "wrong_refusal", "move": move, "seat": seat}
    opened: Any = table.seats[seat].post(f"{table.path}/disputes", body, Idempotency_Key=key.ljust(22, "x"))
    assert opened.status_code == 201, opened.text
    found: dict[str, Any] = opened.json["dispute"]
    return found


def cited(dispute: dict[str, Any]) -> list[str]:
    """The clauses of the first ruling on a dispute."""
    return [each["id"] for each in dispute["rulings"][0]["clauses"]]


@pytest.mark.usefixtures("first_scheme")
@pytest.mark.clause("TABLE-DISPUTE-8")
def test_a_legal_move_that_nobody_refused_cannot_be_won_back(app: Flask) -> None:
    """A choice that is regretted is no refusal."""
    table = challenged(app)
    (window,) = windows(table, query="?open=true")
    seat, before = window["awaits"][0], table.version
    other = next(each for each in table.moves(seat)["legal"] if each["move"]["type"] not in ("hts.pass", "hts.leave"))
    assert table.move(seat, {"type": "hts.pass"}, window=window["id"]).status_code == 201
    found = dispute_refusal(table, seat, before, other["move"], "regret")
    assert (found["stage"], found["rulings"][0]["verdict"]) == ("ruled", "stands")
    assert cited(found) == ["TABLE-DISPUTE-8"]
    assert found["rulings"][0]["reason"]["en"] == (
        f"No such move was refused after entry {before}: none reached the server."
    )


@pytest.mark.clause("TABLE-DISPUTE-8")
def test_a_move_after_the_clock_is_told_how_late_it_was_and_wins_no_new_window(app: Flask) -> None:
    table = challenged(app)
    (window,) = windows(table, query="?open=true")
    seat, before = window["awaits"][0], table.version
    later(app, WINDOW)
    table.anyone.get(table.path)  # the clock closes the window as soon as anybody looks
    later(app, 1500)
    refused: Any = problem(table.move(seat, {"type": "hts.pass"}, window=window["id"]), 409, "window-closed")
    shut: Any = table.anyone.get(f"{table.path}/windows/{window['id']}").json
    assert refused["outcome"] == shut["outcome"]
    assert refused["came_at"] > shut["outcome"]["at"]
    assert refused["detail"] == (
        f"Window {window['id']} was closed by entry {shut['outcome']['version']} because the time was up; "
        "the move came 1.5 s later."
    )
    version = table.version
    found = dispute_refusal(table, seat, before, {"type": "hts.pass"}, "late")
    assert found["rulings"][0]["verdict"] == "stands"
    assert "1.5 s" in found["rulings"][0]["reason"]["en"]
    assert "1,5 s" in found["rulings"][0]["reason"]["de"]
    assert not windows(table, query="?open=true") or table.version > version, "no window opens again"
    again = dispute_refusal(table, seat, version, {"type": "hts.pass"}, "there")
    assert again["rulings"][0]["verdict"] == "stands"
    assert "because the time to answer had run out" in again["rulings"][0]["reason"]["en"]


@pytest.mark.clause("TABLE-DISPUTE-8")
@pytest.mark.parametrize("made", [{"window": "999.0"}, {"seen": 1}, {"If_Match": '"v1"'}])
def test_no_refusal_can_be_made_to_order(app: Flask, made: dict[str, Any]) -> None:
    """Whoever names an old version or a window that is not open was refused for that, however legal the move was."""
    table = challenged(app)
    (window,) = windows(table, query="?open=true")
    seat, about = window["awaits"][0], table.version
    assert table.move(seat, {"type": "hts.pass"}, **made).status_code in (409, 412)
    found = dispute_refusal(table, seat, about, {"type": "hts.pass"}, "order")
    assert found["rulings"][0]["verdict"] == "stands"
    assert cited(found) == ["TABLE-DISPUTE-8"]
    assert found["rulings"][0]["reason"]["en"].startswith("It was not the rules that refused the move")


@pytest.mark.clause("TABLE-DISPUTE-8")
def test_what_was_refused_while_play_was_halted_is_known_as_that(app: Flask) -> None:
    table = challenged(app)
    (window,) = windows(table, query="?open=true")
    seat, last = window["awaits"][0], table.version
    other = next(each for each in range(3) if each != seat)
    halting = {"about": last, "claim": "other", "seat": other}
    assert table.seats[other].post(f"{table.path}/disputes", halting).status_code == 201
    about = table.version
    assert table.move(seat, {"type": "hts.pass"}).status_code == 409
    found = dispute_refusal(table, seat, about, {"type": "hts.pass"}, "halted")
    assert found["rulings"][0]["reason"]["de"] == (
        "Nicht die Regeln haben den Zug abgelehnt: Das Spiel war da angehalten oder zu Ende."
    )


def test_a_dry_run_that_says_no_is_a_refusal_too(app: Flask) -> None:
    table = challenged(app)
    (window,) = windows(table, query="?open=true")
    seat, about = window["awaits"][0], table.version
    path = f"{table.path}/seats/{seat}/moves/check"
    wrong = {"type": "hts.end_turn"}
    assert table.seats[seat].post(path, {"move": wrong}).json["verdict"] == "refused"  # type: ignore[index]
    found = dispute_refusal(table, seat, about, wrong, "dry")
    assert found["rulings"][0]["verdict"] == "stands"
    assert "TABLE-DISPUTE-8" not in cited(found)


def test_others_do_not_learn_whether_there_was_a_refusal(app: Flask) -> None:
    table = challenged(app)
    (window,) = windows(table, query="?open=true")
    seat, about = window["awaits"][0], table.version
    for number, move in enumerate(({"type": "hts.end_turn"}, {"type": "hts.draw"})):
        if number:
            table.move(seat, move)
        dispute_refusal(table, seat, about, move, f"asked{number}")
    other = next(each for each in range(3) if each != seat)
    seen: Any = table.seats[other].get(f"{table.path}/disputes?viewer=seat:{other}").json["items"]
    shown = [{**each, "dispute": 0, "version": 0} for each in seen]
    for each in shown:
        each["rulings"] = [{**ruling, "version": 0, "at": ""} for ruling in each["rulings"]]
        each.pop("appeal_until", None)
        each.pop("steps", None)
    assert shown[0] == shown[1]
    entries: Any = table.seats[other].get(f"{table.path}/entries?viewer=seat:{other}&after={about}").json["items"]
    assert "'refusal':" not in str(entries)


def test_what_is_kept_is_a_digest_and_the_first_time(app: Flask) -> None:
    table = challenged(app)
    (window,) = windows(table, query="?open=true")
    seat, about, service = window["awaits"][0], table.version, app.config["SERVICE"]
    table.move(seat, {"type": "hts.end_turn"})
    match = service.load_match(table.match).match
    ask = OpenDispute(str(seat), about, "wrong_refusal", move={"type": "hts.end_turn"})
    first = service.refusals.add_evidence(match, ask).refusal
    assert first["found"] is True
    later(app, 1000)
    table.move(seat, {"type": "hts.end_turn"})
    assert service.refusals.add_evidence(match, ask).refusal == first
    assert service.refusals.add_evidence(match, OpenDispute("0", 1, "wrong_refusal", move={})).refusal == {
        "found": False
    }
