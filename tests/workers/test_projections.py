"""The views: what they say, that each entry counts once whoever dies, and that a rebuild equals the live one."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import redis

from referee.eventstore.contract import (
    PARTITIONS,
    MatchLog,
    ProjectionBatch,
    ProjectionWrite,
    StoredEntry,
    StoreUnavailable,
    partition_for_match,
)
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import RedisLog
from referee.match.table import commands
from referee.queries import views as seeing
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from tests.service.house import end_agreed_by_all, service
from tests.workers.house import Counting, busy, counted, in_feed, opened, played, rewound
from workers.projections import follower
from workers.projections.base import FeedItem, Sources
from workers.projections.public_match import PublicMatches
from workers.projections.rebuild import compare_builds, rebuild_projection, switch_to_build
from workers.projections.runner import LIVE_PROJECTIONS, catch_up

pytestmark = pytest.mark.deep


def led(log: MatchLog, match: str) -> None:
    assert catch_up(log, partition_for_match(match), PublicMatches(log)).raise_failures().reached_end


def row(log: MatchLog, view: str, match: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(log.read_projection(partition_for_match(match), view, 1, "matches")[match])
    return found


def waiting(log: MatchLog, match: str) -> dict[str, int]:
    return dict(log.read_ranking(partition_for_match(match), "awaited", PROJECTION_VERSIONS["awaited"], "since"))


def test_the_lobby_shows_where_one_may_still_sit_down_and_who_is_awaited(log: MatchLog) -> None:
    at = service(log)
    match = opened(at, "human", "bot", "human", begin=False)
    at.execute_command(match, commands.TakeSeat(2), key="sit", scope="a")
    led(log, match)
    assert row(log, "lobby", match) == {
        "match": match,
        "game": "toy",
        "variant": "standard",
        "status": "lobby",
        "free_seats": 1,
        "visibility": "public",
        "version": 2,
        "seats": [
            {"seat": 0, "kind": "human", "level": 0, "taken": False},
            {"seat": 1, "kind": "bot", "level": 0, "taken": False},
            {"seat": 2, "kind": "human", "level": 0, "taken": True},
        ],
        "awaits": [],
        "outcome": None,
    }
    at.execute_command(match, commands.TakeSeat(0), key="sit", scope="b")
    at.execute_command(match, commands.StartMatch(), key="start", scope="host")
    led(log, match)
    now = row(log, "lobby", match)
    assert (now["status"], now["free_seats"], now["awaits"], now["version"]) == ("running", 0, [0], 5)


def test_the_summary_counts_the_moves_of_each_seat_and_says_how_it_ended(log: MatchLog) -> None:
    at = service(log)
    match = opened(at, "table", "table")
    made = played(at, match, 3)
    led(log, match)
    found, now = row(log, "summary", match), at.load_match(match)
    entries = at.repository.load_entries(match)
    assert found["entries"] == now.version == len(entries)
    assert found["moves"] == [sum(entry.seat == seat for entry in entries) for seat in (0, 1)]
    assert sum(found["moves"]) == made
    assert found["started_at_ms"] == entries[1].at_ms
    assert found["last_at_ms"] == entries[-1].at_ms
    assert found["status"] == "finished"
    assert found["outcome"]["winners"] == list(now.match.end.winners)
    assert (found["edition"], found["ruleset"]) == ("printed", "1")


def test_a_bystander_folds_whom_the_match_awaits_at_every_version() -> None:
    log = MemoryLog()
    at = service(log)
    for seed in range(6):
        match = opened(at, "table", "table", "table")
        played(at, match, seed)
        courses = PublicMatches(log)
        for version in range(1, at.load_match(match).version + 1):
            told = courses.load_match(match, version)
            assert told.awaited == seeing.awaited_response(at.load_version(match, version).match)
            assert told.version == version


def test_a_view_is_reckoned_from_what_all_may_see() -> None:
    class Blind(MemoryLog):
        def read_entries(self, match: str, after: int = 0, limit: int = 100) -> tuple[StoredEntry, ...]:
            return tuple(
                StoredEntry(e.version, e.envelope, b"sealed", e.root) for e in super().read_entries(match, after, limit)
            )

    log = Blind()
    at = service(log)
    match = opened(at, "table", "table", "table")
    hands = [at.load_match(match).match.state.cards_at(f"hand:{seat}") for seat in range(3)]
    led(log, match)
    courses = PublicMatches(log)
    state = courses.load_match(match, at.load_match(match).version).match.state
    assert all(hands)
    assert [state.cards_at(f"hand:{seat}") for seat in range(3)] == [
        tuple(sorted("?" + card.partition("!")[2] for card in hand)) for hand in hands
    ]


def test_what_is_struck_counts_no_more(log: MatchLog) -> None:
    at = service(log)
    match = opened(at, "table", "table", "table")
    start = at.load_match(match).version
    played(at, match, 1, most=4)
    led(log, match)
    assert sum(row(log, "summary", match)["moves"]) == 4
    rewound(at, match, start)
    led(log, match)
    found = row(log, "summary", match)
    assert found["moves"] == [0, 0, 0]
    assert found["entries"] == at.load_match(match).version > start + 4
    assert found["started_at_ms"] is not None
    played(at, match, 2, most=2)
    led(log, match)
    assert sum(row(log, "summary", match)["moves"]) == 2
    assert row(log, "lobby", match)["awaits"] == seeing.awaited_response(at.load_match(match).match)
    rebuild_projection(log, "summary", 2)
    assert compare_builds(log, "summary", 1, 2) == ()


def test_what_a_worker_has_to_see_to_is_ranked_by_its_age() -> None:
    log = MemoryLog()
    at = service(log)
    people, bots = opened(at, "table", "table"), opened(at, "bot", "table")
    led(log, people), led(log, bots)
    assert people not in waiting(log, people)
    assert waiting(log, bots)[bots] == log.now()
    at.execute_command(bots, end_agreed_by_all("abandoned"), key="end", scope="host")
    led(log, bots)
    assert bots not in waiting(log, bots)


def test_a_match_whose_desk_died_before_the_draw_awaits_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    at = service(log)
    match = opened(at, "table", "table", begin=False)
    monkeypatch.setattr(at.appender, "run_chance", lambda loaded: loaded)
    at.execute_command(match, commands.StartMatch(), key="start", scope="host")
    led(log, match)
    assert row(log, "lobby", match)["awaits"] == ["chance"]
    assert match in waiting(log, match)


def test_long_feeds_are_read_to_the_end_and_entries_are_fetched_once_for_all_views_and_once_at_the_end() -> None:
    class Metered(MemoryLog):
        fetched = 0

        def read_entries(self, match: str, after: int = 0, limit: int = 100) -> tuple[StoredEntry, ...]:
            found = super().read_entries(match, after, limit)
            self.fetched += len(found)
            return found

    log = Metered()
    at = service(log)
    partition, matches = busy(at, 350)
    log.fetched = 0
    assert catch_up(log, partition, PublicMatches(log)).raise_failures().reached_end
    fetched, position = log.fetched, log.read_partition_info(partition).position
    over = sum(now.version for match in matches if (now := at.load_match(match)).match.status == "finished")
    assert over > 0
    assert position > 3 * follower.BATCH
    assert fetched == position + over
    assert all(row(log, "summary", match)["entries"] == at.load_match(match).version for match in matches)


class Killed(BaseException):
    """The projector is gone at this instant."""


def test_killed_between_reckoning_and_writing_each_entry_counts_once(
    log: MatchLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, dice, kills = service(log), random.Random(5), 0
    monkeypatch.setattr(follower, "BATCH", 7)

    def perhaps() -> None:
        nonlocal kills
        if dice.random() < 0.6:
            kills += 1
            raise Killed

    partition, matches = busy(at, 120)
    while True:
        try:
            catch_up(log, partition, PublicMatches(log), (Counting(perhaps),)).raise_failures()
            break
        except Killed:
            if dice.random() < 0.2:
                played(at, opened(at, "table", "table"), kills)
    assert kills > 10
    assert counted(log, partition) == in_feed(log, partition)
    assert all(counted(log, partition)[match] == at.load_match(match).version for match in matches)


def test_the_counting_view_would_show_an_entry_that_counts_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests here can fail: a log that does not check the cursor is found out."""

    class Careless(MemoryLog):
        def apply_projections(self, partition: int, views: Sequence[ProjectionBatch]) -> tuple[bool | None, ...]:
            now = [replace(view, seen=self.read_cursor(partition, view.name, view.build)) for view in views]
            return super().apply_projections(partition, now)

    log = Careless()
    partition, _matches = busy(service(log), 60)
    turn = iter(range(100))

    def overtaken() -> None:
        if next(turn) == 1:
            catch_up(log, partition, PublicMatches(log), (Counting(),))

    monkeypatch.setattr(follower, "BATCH", 7)
    catch_up(log, partition, PublicMatches(log), (Counting(overtaken),))
    catch_up(log, partition, PublicMatches(log), (Counting(),))
    assert counted(log, partition) != in_feed(log, partition)


def test_projectors_killed_by_the_system_count_each_entry_once(server: redis.Redis, socket: Path) -> None:
    log = RedisLog(server)
    partition, matches = busy(service(log), 200)
    dice, kills = random.Random(), 0

    def child() -> None:
        own = RedisLog(redis.Redis(unix_socket_path=str(socket)))
        follower.BATCH = 5
        catch_up(own, partition, PublicMatches(own), (Counting(lambda: time.sleep(0.01)), *LIVE_PROJECTIONS))

    while True:
        pid = os.fork()
        if pid == 0:
            try:
                child()
            finally:
                os._exit(0)
        # the longer it goes on the later: on a busy machine a child would else never live to write anything
        time.sleep(dice.uniform(0.005, 0.06) * (1 + kills / 4))
        os.kill(pid, signal.SIGKILL)
        _pid, status = os.waitpid(pid, 0)
        kills += os.WIFSIGNALED(status)
        if log.read_cursor(partition, "counting", 1) == log.read_partition_info(partition).position:
            break
    assert kills >= 3
    led(log, matches[0])
    assert counted(log, partition) == in_feed(log, partition)
    for view in LIVE_PROJECTIONS:
        rebuild_projection(log, view.name, view.build + 1)
        assert compare_builds(log, view.name, view.build, view.build + 1) == ()


def test_two_drains_at_once_count_each_entry_once(log: MatchLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "BATCH", 3)
    at = service(log)
    partition, _matches = busy(at, 150)
    turned_away = []
    meet = threading.Barrier(2)

    def together() -> None:
        try:
            meet.wait(0.2)
        except threading.BrokenBarrierError:
            meet.reset()

    lead = log.apply_projections

    def noting(*args: Any) -> tuple[bool | None, ...]:
        done = lead(*args)
        turned_away.append(False in done)
        return done

    monkeypatch.setattr(log, "apply_projections", noting)
    threads = [
        threading.Thread(target=catch_up, args=(log, partition, PublicMatches(log), (Counting(together),)))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert any(turned_away), "they never met"
    assert counted(log, partition) == in_feed(log, partition)


def test_a_rebuild_equals_the_live_view_and_a_difference_is_found_and_mended(log: MatchLog) -> None:
    at = service(log)
    matches = [opened(at, "table", "bot", "table") for _ in range(5)]
    for seed, match in enumerate(matches):
        played(at, match, seed, most=seed * 3)
        led(log, match)
    for view in LIVE_PROJECTIONS:
        more = view.build + 1
        assert rebuild_projection(log, view.name, more) == sum(
            log.read_partition_info(partition).position for partition in range(PARTITIONS)
        )
        assert compare_builds(log, view.name, view.build, more) == ()
    match, partition = matches[0], partition_for_match(matches[0])
    at_cursor = log.read_cursor(partition, "lobby", 1)
    log.apply_projection(
        partition, "lobby", 1, at_cursor, at_cursor, [ProjectionWrite("hset", "matches", match, b"{}")]
    )
    (difference,) = compare_builds(log, "lobby", 1, 2)
    assert (difference.partition, difference.field, difference.first) == (partition, match, b"{}")
    assert switch_to_build(log, "lobby", 2) == len({partition_for_match(match) for match in matches})
    assert compare_builds(log, "lobby", 1, 2) == ()
    assert row(log, "lobby", match)["match"] == match


def test_what_a_build_held_before_is_gone_after_a_rebuild() -> None:
    log = MemoryLog()
    match = opened(service(log), "table", "table")
    led(log, match)
    log.apply_projection(
        partition_for_match(match), "lobby", 2, 0, 0, [ProjectionWrite("hset", "matches", "07-stale", b"{}")]
    )
    rebuild_projection(log, "lobby", 2)
    assert compare_builds(log, "lobby", 1, 2) == ()


@pytest.mark.parametrize(("name", "build"), [("lobby", 1), ("lobby", 0), ("nothing", 2)])
def test_the_live_build_and_unknown_views_are_not_rebuilt(name: str, build: int) -> None:
    with pytest.raises(ValueError, match=r"live|numbered|no projection"):
        rebuild_projection(MemoryLog(), name, build)


def test_a_stuck_view_stands_and_tells_and_the_others_go_on() -> None:
    class Broken:
        name, build, suffixes = "broken", 1, Counting.suffixes

        def compute_writes(self, batch: Sequence[FeedItem], sources: Sources) -> list[ProjectionWrite]:
            raise ArithmeticError("of this entry I can make nothing")

    log = MemoryLog()
    at = service(log)
    match = opened(at, "table", "table")
    partition = partition_for_match(match)
    caught = catch_up(log, partition, PublicMatches(log), (Broken(), *LIVE_PROJECTIONS))
    assert [type(failure) for failure in caught.failures] == [ArithmeticError]
    with pytest.raises(ExceptionGroup):
        caught.raise_failures()
    assert log.read_cursor(partition, "broken", 1) == 0
    assert {log.read_cursor(partition, view.name, view.build) for view in LIVE_PROJECTIONS} == {
        log.read_partition_info(partition).position
    }


def test_a_view_whose_writes_do_not_fit_stands_and_the_others_go_on(log: MatchLog) -> None:
    class Ranked(Counting):
        name = "ranked"

        def compute_writes(self, batch: Sequence[FeedItem], sources: Sources) -> list[ProjectionWrite]:
            return [ProjectionWrite("hset", "rows", "a", b"1"), ProjectionWrite("zadd", "rows", "a", b"1")]

    partition, matches = busy(service(log), 20)
    caught = catch_up(log, partition, PublicMatches(log), (Ranked(), *LIVE_PROJECTIONS))
    assert [type(failure) for failure in caught.failures] == [ValueError]
    assert log.read_view_cursors(partition, [("ranked", 1), ("lobby", 1)]) == (
        0,
        log.read_partition_info(partition).position,
    )
    assert log.read_projection(partition, "ranked", 1, "rows") == {}
    assert row(log, "lobby", matches[0])["status"]


def test_all_that_a_batch_comes_to_is_written_by_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    partition, _matches = busy(service(log), 30)
    lead, asked = log.apply_projections, []
    monkeypatch.setattr(log, "apply_projections", lambda *args: asked.append(len(args[1])) or lead(*args))
    assert catch_up(log, partition, PublicMatches(log)).reached_end
    assert asked == [len(LIVE_PROJECTIONS)]
    assert catch_up(log, partition, PublicMatches(log)).reached_end, "and nothing is written where nothing is new"
    assert asked == [len(LIVE_PROJECTIONS)]


def test_a_store_that_goes_away_stops_the_drain_and_nothing_is_half_done(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    match = opened(service(log), "table", "table")
    lead = log.apply_projections

    def gone(*args: Any) -> tuple[bool | None, ...]:
        raise StoreUnavailable("gone")

    monkeypatch.setattr(log, "apply_projections", gone)
    with pytest.raises(StoreUnavailable):
        catch_up(log, partition_for_match(match), PublicMatches(log))
    monkeypatch.setattr(log, "apply_projections", lead)
    led(log, match)
    assert row(log, "lobby", match)["status"] == "running"


def test_views_that_are_out_of_step_fall_into_step() -> None:
    log = MemoryLog()
    at = service(log)
    partition, matches = busy(at, 130)
    catch_up(log, partition, PublicMatches(log), (LIVE_PROJECTIONS[1],))
    played(at, opened(at, "table", "table"), 1)
    catch_up(log, partition, PublicMatches(log)).raise_failures()
    assert {log.read_cursor(partition, view.name, view.build) for view in LIVE_PROJECTIONS} == {
        log.read_partition_info(partition).position
    }
    assert all(row(log, "lobby", match)["version"] == at.load_match(match).version for match in matches)


def test_few_courses_are_kept_and_the_rest_is_read_again() -> None:
    log = MemoryLog()
    at = service(log)
    matches = [opened(at, "table", "table") for _ in range(4)]
    courses = PublicMatches(log, kept=2)
    for _ in range(2):
        for match in matches:
            assert courses.load_match(match, at.load_match(match).version).match.id == match
    assert len(courses._kept) == 2
    with pytest.raises(LookupError):
        courses.load_match(matches[0], 99)


def test_a_seat_handed_over_shows_at_once() -> None:
    log = MemoryLog()
    at = service(log)
    match = opened(at, "human", "human", begin=False)
    at.execute_command(match, commands.TakeSeat(0), key="sit", scope="a")
    led(log, match)
    assert row(log, "lobby", match)["free_seats"] == 1
    at.execute_command(match, commands.LeaveSeat(0), key="up", scope="a")
    led(log, match)
    assert row(log, "lobby", match)["free_seats"] == 2


def test_of_a_match_that_is_shown_late_no_row_tells_what_is_now(log: MatchLog) -> None:
    at = service(log)
    ask = commands.OpenMatch(
        "toy", "standard", {}, {}, (commands.SeatAssignment("table"), commands.SeatAssignment("table")), "public", 5
    )
    match = at.open_match(ask, f"late-{time.time_ns()}").match.id
    led(log, match)
    assert (row(log, "lobby", match)["version"], row(log, "summary", match)["moves"]) == (1, [0, 0])
    at.execute_command(match, commands.StartMatch(), key="start", scope="host")
    led(log, match)
    assert (row(log, "lobby", match)["version"], row(log, "lobby", match)["awaits"]) == (1, [])
    played(at, match, 2, most=5)
    led(log, match)
    now = at.load_match(match).version
    shown, summed = row(log, "lobby", match), row(log, "summary", match)
    assert (shown["version"], shown["awaits"], shown["status"]) == (now - 5, [], "running")
    assert (summed["entries"], summed["moves"], summed["last_at_ms"]) == (now - 5, None, None)
    at.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
    led(log, match)
    assert row(log, "lobby", match)["version"] == row(log, "summary", match)["entries"] == now + 1
    assert sum(row(log, "summary", match)["moves"]) == 5
