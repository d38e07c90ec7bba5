"""Find times that contradict each other, and accept clocks that differ within their limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from referee.audit.bundles import format as form
from referee.audit.bundles.export import SEALED
from referee.audit.checks.findings import AuditNotice, AuditReport, FindingKind
from referee.audit.checks.verifier import check_bundle
from referee.audit.reporting import render_report
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.seats import CLOCK
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.match.aggregate import FINAL_STATUSES, Clocks, SeatAssignment
from referee.match.table import commands
from referee.transparency.key_chain import sign_statement
from tests.audit.forging import Forger
from tests.audit.sitting import STORE, House, Played, over, signer
from tests.audit.test_tampering import rotated, untouched, work
from tests.service.house import end_agreed_by_all
from tests.transfer.movers import Server, plays, read, running

SECOND, DAY = 1000, 24 * 3600 * 1000
YEAR = 365 * DAY
NOON = 56 * YEAR  # some day in 2025
NOW = NOON + YEAR  # of the checker


def dated(when: Callable[[int], int], since: int = 0) -> Forger:
    """An honest match whose entries have other times, by somebody who holds all keys and the secret."""
    forger = work(untouched())
    for version in range(1, forger.size + 1):
        forger.repack(version, lambda entry: replace(entry, at_ms=when(entry.version)))
    forger.cover("secret")
    forger.keys = [replace(line, since_ms=since) for line in forger.keys]
    forger.header = replace(forger.header, made_ms=when(forger.size))
    return forger


def judged(forger: Forger, now_ms: int = NOW) -> AuditReport:
    report = check_bundle(form.decode_bundle(forger.lines()), (), (), now_ms=now_ms)
    for lang in LANGUAGES:
        assert list(render_report(report, lang))
        assert all(each.render_texts()[lang] for each in report.findings)
        assert all(each.render_texts()[lang] for each in report.notices)
    return report


def time_notices(report: AuditReport) -> list[AuditNotice]:
    return [notice for notice in report.notices if notice.key.startswith("time.")]


def keys_of(report: AuditReport) -> list[str]:
    assert all(each.kind is FindingKind.TIME for each in report.findings), report.findings
    return [each.key for each in report.findings]


def test_a_match_of_any_day_is_sound_and_its_times_are_checked() -> None:
    report = judged(dated(lambda version: NOON + version * SECOND))
    assert keys_of(report) == []
    assert time_notices(report) == []
    assert ("times", "done") in {(check.name, check.state) for check in report.checks}


@pytest.mark.parametrize(
    ("when", "version"),
    [
        (lambda version: NOON - version * 60 * SECOND, 2),
        (lambda version: NOON - version * 5 * SECOND, 2),
        (lambda version: NOON - (DAY if version == 9 else 0), 9),
        (lambda version: NOON - version * 3 * 6 * SECOND // 4, 2),
        (lambda version: NOON + version * SECOND - (version % 4 == 0) * 20 * SECOND, 4),
    ],
)
def test_times_that_run_backwards_are_found(when: Callable[[int], int], version: int) -> None:
    report = judged(dated(when))
    assert keys_of(report) == ["time.falls"]
    assert report.exit_code == FindingKind.TIME
    assert (report.findings[0].version or 0) >= version


def test_small_steps_down_that_no_two_entries_show_are_found_together() -> None:
    assert keys_of(judged(dated(lambda version: NOON - version * 4 * SECOND))) == []
    long = Forger.on(untouched().played)
    assert long.size * 4 * SECOND < 300 * SECOND, "and so short a match falls by less than a clock may be set back"


def test_a_clock_that_was_set_back_once_is_said_and_accuses_nobody() -> None:
    report = judged(dated(lambda version: NOON + version * SECOND - (90 * SECOND if version > 9 else 0)))
    assert keys_of(report) == []
    (notice,) = time_notices(report)
    assert notice.key == "time.set_back"
    assert notice.render_texts()["en"].startswith(
        "The server’s clock was set back once during the match, by at most 89"
    )
    assert "einmal zurückgestellt" in notice.render_texts()["de"]
    within = judged(dated(lambda version: NOON + version * SECOND - (version % 2) * 4 * SECOND))
    assert (keys_of(within), time_notices(within)) == ([], []), (
        "a recalled match is written with a time that may be off"
    )


def test_a_match_that_was_backdated_by_ten_years_is_older_than_the_key() -> None:
    assert keys_of(judged(dated(lambda _: NOON - 10 * YEAR, since=NOON))) == ["time.key_late", "time.before_key"]
    backdated = dated(lambda _: NOON - 10 * YEAR, since=NOON)
    backdated.header = replace(backdated.header, made_ms=NOON + DAY)
    assert keys_of(judged(backdated)) == ["time.before_key"]
    first_needed_later = dated(lambda version: NOON + version * SECOND, since=NOON + 7 * DAY)
    first_needed_later.header = replace(first_needed_later.header, made_ms=NOON + 8 * DAY)
    assert keys_of(judged(first_needed_later)) == [], "keys are published when they are first asked for"


def test_a_key_that_is_valid_since_2100_and_a_file_from_the_future_are_found() -> None:
    assert keys_of(judged(dated(lambda _: NOON, since=130 * YEAR))) == ["time.key_future", "time.before_key"]
    assert keys_of(judged(dated(lambda _: NOON, since=NOON + 30 * DAY))) == ["time.key_late"]
    assert keys_of(judged(dated(lambda _: NOON), now_ms=NOON - 2 * DAY)) == ["time.future"]
    assert keys_of(judged(dated(lambda _: NOON), now_ms=NOON - 3600 * SECOND)) == [], "the checker's clock may be slow"
    made = dated(lambda _: NOON)
    made.header = replace(made.header, made_ms=NOON - 3600 * SECOND)
    assert keys_of(judged(made)) == ["time.made"]
    made.header = replace(made.header, made_ms=NOW + 2 * DAY)
    assert keys_of(judged(made)) == ["time.made_future"]


def test_a_key_that_signs_since_before_the_one_that_names_it_is_found() -> None:
    assert keys_of(judged(rotated())) == []
    forger, first = rotated(), 900 * SECOND
    forger.keys[0] = replace(forger.keys[0], since_ms=first)
    assert keys_of(judged(forger)) == ["time.key_order"]
    second, since = signer("second"), 901 * SECOND
    forger.keys[1] = form.KeyLine(second.public, since, sign_statement(forger.signer, STORE, second.public, since))
    assert keys_of(judged(forger)) == []


# -- what a clock played -----------------------------------------------------------------------------------------------


@cache
def clocked(game: str, turns: int, clocks: Clocks) -> Played:
    """A match in which the clock plays for everybody."""
    log, box = MemoryLog(), load_games()[game]
    house = House(log)
    chairs = (SeatAssignment("human"),) * max(2, box.min_seats)
    ask = commands.OpenMatch(game, box.variants[0], {}, dict.fromkeys(box.devices, "server"), chairs, clocks=clocks)
    match = house.service.open_match(ask, f"clocked-{game}").match.id
    for seat in range(len(chairs)):
        house.service.execute_command(match, commands.TakeSeat(seat), key=f"take{seat}", scope="join")
    house.service.execute_command(match, commands.StartMatch(), key="start", scope="host")
    for _ in range(turns):
        log.advance_clock(30_500)
        if house.service.load_match(match).match.status in FINAL_STATUSES:
            break
    return over(house, match, game)


LIMITS = Clocks(move_ms=30_000, window_ms=10_000)


def entries_by_clock(played: Played) -> list[int]:
    entries = played.house.service.repository.load_entries(played.match, 0, 10_000)
    return [entry.version for entry in entries if entry.actor == "clock"]


@pytest.mark.parametrize("game", sorted(load_games()))
def test_what_an_honest_clock_played_is_sound(game: str) -> None:
    played = clocked(game, 25, LIMITS)
    assert len(entries_by_clock(played)) > 3
    assert keys_of(judged(Forger.on(played))) == []


def test_a_clock_that_did_not_wait_is_found() -> None:
    played = clocked("here_to_slay", 12, LIMITS)
    forger, late = Forger.on(played), entries_by_clock(played)
    at = {version: forger.logged(version).at_ms for version in range(1, forger.size + 1)}
    for version in range(late[0], forger.size + 1):  # all that follows is as much earlier
        forger.repack(version, lambda entry: replace(entry, at_ms=at[entry.version] - 20_000))
    forger.cover("secret")
    report = judged(forger)
    assert "time.too_early" in keys_of(report)
    assert report.findings[0].version == late[0]


def test_a_move_that_is_said_to_be_the_clocks_is_found_where_no_clock_ran() -> None:
    forger = work(untouched())
    version = forger.first(lambda entry: entry.seat >= 0 and entry.actor == "player")
    forger.repack(version, lambda entry: replace(entry, actor="clock"))
    forger.cover("secret")
    assert keys_of(judged(forger)) == ["time.no_clock"]


def test_a_games_own_clock_has_its_time_too() -> None:
    """Some steps of a game await a clock of its own."""
    for game in sorted(load_games()):
        played = clocked(game, 25, LIMITS)
        forger = Forger.on(played)
        own = next((version for version in entries_by_clock(played) if forger.logged(version).seat == CLOCK), None)
        if own is not None:
            break
    assert own is not None
    at = {version: forger.logged(version).at_ms for version in range(1, forger.size + 1)}
    for version in range(own, forger.size + 1):
        forger.repack(version, lambda entry: replace(entry, at_ms=at[entry.version] - 30_400))
    forger.cover("secret")
    assert keys_of(judged(forger))[0] == "time.too_early"


# -- several servers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hours", "sound"), [(0, True), (-1, True), (-23, True), (5, True), (-49, False)])
def test_clocks_of_two_servers_may_differ_where_a_match_moves(hours: int, sound: bool, tmp_path: Path) -> None:
    here, there = Server("aaa", tmp_path), Server("bbb", tmp_path)
    for server in (here, there):
        server.memory.advance_clock(NOON)
    there.memory.advance_clock(hours * 3600 * SECOND)
    match = running(here)
    there.moving.import_match(read(here.sent(match)))
    plays(there, match, 3)
    there.service.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
    report = check_bundle(there.bundle(match, SEALED), (), (), now_ms=NOW)
    assert keys_of(report) == ([] if sound else ["time.servers"])
