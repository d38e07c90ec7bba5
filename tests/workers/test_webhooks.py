"""Sending: retries by the store's clock, receivers that fail, die or ask for patience, and a worker that is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.exceptions import ConnectionError as Gone
from rq import Queue
from standardwebhooks import Webhook

from referee.eventstore.contract import MatchLog, partition_for_match
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.webhooks.http_client import Reply, WebhookSender
from referee.infrastructure.webhooks.models import (
    BUILD,
    MAX_GLOBAL_HOOKS,
    MAX_HOOKS_PER_MATCH,
    NAME,
    SECRET_OVERLAP_MS,
    WebhookRecord,
)
from referee.infrastructure.webhooks.registry import ContentionError, LimitReached, WebhookRegistry
from referee.infrastructure.webhooks.signing import derive_secret, encode_secret
from referee.infrastructure.webhooks.url_policy import parse_networks
from tests.infrastructure.receiver import Receiver
from tests.workers.house import Noted, context_of, opened, played
from tests.workers.posting import KEY, Sent, hooked, office, post, rows
from workers.composition import set_context, set_dispatcher
from workers.jobs.sweeper import Sweeper
from workers.queue import drain_partition
from workers.queues import RedisJobQueue
from workers.queues import build_worker as rq_worker
from workers.webhooks.dispatcher import (
    CLAIM_MS,
    EXHAUSTED_MS,
    HOUR,
    JITTER,
    MAX_BACKOFF_MS,
    MINUTE,
    RETRY_DELAYS_MS,
    SECOND,
    Dispatcher,
)

FAIL, GONE = Reply(500), Reply(410)


@pytest.fixture(autouse=True)
def _no_office() -> Any:
    yield
    set_dispatcher(None)


def one(log: MatchLog) -> tuple[WebhookRecord, str]:
    """A webhook, and a match whose start it is told of: one message."""
    context = context_of(log)
    match = opened(context.service, "table", "table", begin=False)
    hook = hooked(log, match, "match.started")
    from referee.match.table import commands

    context.service.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return hook, match


# -- attempts ---------------------------------------------------------------------------------------------------------


def test_a_message_is_signed_sent_and_marked(log: MatchLog) -> None:
    hook, match = one(log)
    sender = Sent()
    post(office(log, sender))
    post(office(log, sender))
    (sent,) = sender.sent
    (row,) = rows(log, hook)
    assert (row.status, row.tries, row.answer, row.error) == ("delivered", 1, 204, "")
    assert sent["webhook-id"] == row.id
    assert sent["url"] == hook.url
    assert sent["data"]["match"] == match
    assert abs(int(sent["webhook-timestamp"]) * 1000 - log.now()) < 10_000
    assert log.read_ranking(partition_for_match(match), NAME, BUILD, "due") == ()


def test_a_failure_is_tried_again_as_the_standard_says_and_given_up_after_three_days() -> None:
    log = MemoryLog()
    hook, match = one(log)
    times: list[int] = []
    sender = Sent(lambda _: (times.append(log.now()), FAIL)[1])
    at, began = office(log, sender), log.now()
    at.fill_outbox(partition_for_match(match))
    for _ in range(100_000):
        post(at, partition_for_match(match))
        due = at.register.find_next_due()[partition_for_match(match)]
        if due is None:
            break
        log.advance_clock(min(due - log.now(), HOUR))
    waits = [after - before for before, after in pairwise(times)]
    assert times[0] == began
    assert waits == list(RETRY_DELAYS_MS)
    assert set(sender.ids) == {rows(log, hook)[0].id}
    assert len({sent["webhook-signature"] for sent in sender.sent}) == len(times)  # each attempt has its own time
    (row,) = rows(log, hook)
    assert (row.status, row.tries, row.error, row.answer) == ("failed", len(RETRY_DELAYS_MS) + 1, "refused", 500)
    assert at.register.read_health(hook.id).disabled == "exhausted"
    assert sum(RETRY_DELAYS_MS) > EXHAUSTED_MS


def test_delays_are_spread_so_that_not_all_come_back_at_once() -> None:
    log = MemoryLog()
    hook, _ = one(log)
    drawn = iter([0.0, 0.5, 1.0])
    at = Dispatcher(log, Sent(lambda _: FAIL), KEY, threads=0, chance=lambda: next(drawn))
    found = []
    for _ in range(3):
        post(at)
        found.append(rows(log, hook)[0].due_ms - log.now())
        log.advance_clock(found[-1] + 10 * MINUTE)
    assert found == [int(RETRY_DELAYS_MS[tries] * (1 + JITTER * part)) for tries, part in enumerate((0.0, 0.5, 1.0))]


def test_when_it_is_due_stands_in_the_store_and_outlives_every_process(log: MatchLog) -> None:
    hook, match = one(log)
    post(office(log, Sent(lambda _: FAIL)))
    (row,) = rows(log, hook)
    assert 4 * SECOND < row.due_ms - log.now() <= RETRY_DELAYS_MS[0] * (1 + JITTER)
    again = office(log, Sent())
    post(again)
    assert again._sender.sent == []  # type: ignore[attr-defined]
    assert again.register.find_next_due()[partition_for_match(match)] == row.due_ms


def test_after_a_success_the_receiver_counts_as_well() -> None:
    log = MemoryLog()
    hook, _ = one(log)
    answers = iter([FAIL, Reply(None, "timeout"), Reply(200)])
    at = office(log, Sent(lambda _: next(answers)))
    post(at)
    assert at.register.read_health(hook.id).since_ms == log.now()
    log.advance_clock(RETRY_DELAYS_MS[0])
    post(at)
    health = at.register.read_health(hook.id)
    assert (health.failures, rows(log, hook)[0].error) == (2, "timeout")
    log.advance_clock(RETRY_DELAYS_MS[1])
    post(at)
    assert rows(log, hook)[0].status == "delivered"
    health = at.register.read_health(hook.id)
    assert (health.since_ms, health.failures, health.until_ms, health.disabled) == (0, 0, 0, "")


def test_410_disables_at_once_and_what_waits_is_given_up() -> None:
    log = MemoryLog()
    context = context_of(log)
    match = opened(context.service, "table", "table")
    hook = hooked(log, match)
    played(context.service, match, 1)
    sender = Sent(lambda _: GONE)
    at = office(log, sender)
    post(at)
    assert len(sender.sent) == 1
    found = rows(log, hook)
    assert len(found) > 1
    assert {row.status for row in found} == {"failed"}
    assert [row.error for row in found] == ["refused", *["gone"] * (len(found) - 1)]
    assert at.register.read_health(hook.id).disabled == "gone"
    at.register.change_hook(hook.id, "k", revive=True, paused=False)
    assert at.register.read_health(hook.id).disabled == ""


@pytest.mark.parametrize(
    ("status", "after", "wait"), [(429, 60, 60_000), (503, 7200, HOUR), (503, 1, 5000), (500, 60, 5000)]
)
def test_a_receiver_that_asks_for_patience_gets_it_up_to_an_hour(status: int, after: int, wait: int) -> None:
    log = MemoryLog()
    hook, _ = one(log)
    at = office(log, Sent(lambda _: Reply(status, "", after)))
    post(at)
    assert rows(log, hook)[0].due_ms - log.now() == wait
    assert at.register.read_health(hook.id).until_ms - log.now() == wait


def test_a_receiver_that_fails_is_asked_once_whatever_waits_for_it() -> None:
    log = MemoryLog()
    context = context_of(log)
    match = opened(context.service, "table", "table")
    hook, well = hooked(log, match), hooked(log, None, url="https://well.example.org/")
    played(context.service, match, 1)
    sender = Sent(lambda message: FAIL if "hooks." in message["url"] else Reply(200))
    at = office(log, sender)
    post(at)
    waiting = [row for row in rows(log, hook) if row.status == "pending"]
    assert len(waiting) > 1
    assert sum("hooks." in message["url"] for message in sender.sent) == 1
    assert {row.status for row in rows(log, well)} == {"delivered"}
    assert sum(row.tries for row in waiting) == 1
    log.advance_clock(RETRY_DELAYS_MS[0])
    post(at)
    assert sum("hooks." in message["url"] for message in sender.sent) == 2
    log.advance_clock(MAX_BACKOFF_MS)
    sender.answer = lambda _: Reply(200)
    post(at)
    assert {row.status for row in rows(log, hook)} == {"delivered"}


def test_messages_go_out_in_the_order_in_which_things_happened(log: MatchLog) -> None:
    context = context_of(log)
    match = opened(context.service, "table", "table")
    hooked(log, match)
    played(context.service, match, 1)
    sender = Sent()
    post(office(log, sender))
    versions = [message["data"]["version"] for message in sender.sent]
    assert versions == sorted(versions)
    assert sender.types[-1] == "match.ended"


def test_a_paused_webhook_is_sent_nothing_and_a_deleted_one_neither() -> None:
    log = MemoryLog()
    hook, match = one(log)
    other = hooked(log, match, "match.started", since={str(partition_for_match(match)): 0})
    sender = Sent()
    at = office(log, sender)
    at.fill_outbox(partition_for_match(match))
    at.register.change_hook(hook.id, "k", revive=False, paused=True)
    at.register.drop_hook(other)
    post(at)
    assert sender.sent == []
    assert [(row.status, row.error) for row in rows(log, hook)] == [("failed", "paused")]
    assert rows(log, other) == []


# -- records ----------------------------------------------------------------------------------------------------------


def test_there_are_only_so_many_webhooks(log: MatchLog) -> None:
    match = "07-" + "a" * 26
    for _ in range(MAX_HOOKS_PER_MATCH):
        kept = hooked(log, match)
    with pytest.raises(LimitReached):
        hooked(log, match)
    assert WebhookRegistry(log).add_hook(kept) == kept  # a repeated request
    hooked(log, "07-" + "b" * 26)
    for _ in range(MAX_GLOBAL_HOOKS):
        hooked(log)
    with pytest.raises(LimitReached):
        hooked(log)
    assert len(WebhookRegistry(log).find_subscribed_hooks(7)) == MAX_HOOKS_PER_MATCH + 1 + MAX_GLOBAL_HOOKS
    assert len(WebhookRegistry(log).find_subscribed_hooks(8)) == MAX_GLOBAL_HOOKS


def test_those_that_expired_make_room() -> None:
    log = MemoryLog()
    match = "07-" + "a" * 26
    old = [hooked(log, match, expires_ms=log.now() + 5) for _ in range(MAX_HOOKS_PER_MATCH)]
    log.advance_clock(5)
    fresh = hooked(log, match)
    assert list(log.read_projection(7, NAME, BUILD, "hooks")) == [fresh.id]
    assert all(WebhookRegistry(log).find_hook(hook.id) is None for hook in old)


def test_a_change_is_made_once_per_key_and_others_do_not_get_lost(log: MatchLog) -> None:
    at, hook = WebhookRegistry(log), hooked(log)
    first = at.change_hook(hook.id, "k1", revive=False, rotate=True)
    assert first is not None
    assert first.generation == 2
    assert at.change_hook(hook.id, "k1", revive=False, rotate=True) == first
    assert at.change_hook(hook.id, "k2", revive=False, url="https://other.example.org/") == replace(
        first, by="k2", url="https://other.example.org/"
    )
    assert at.change_hook("wh_00" + "a" * 24, "k", revive=False) is None
    assert at.find_hook("nonsense") is None


def test_a_record_that_others_change_all_the_time_is_contended(log: MatchLog, monkeypatch: pytest.MonkeyPatch) -> None:
    at, hook = WebhookRegistry(log), hooked(log)
    monkeypatch.setattr(log, "amend_projection", lambda *_: False)
    for act in (
        lambda: at.change_hook(hook.id, "k", revive=False, paused=True),
        lambda: at.update_health(hook.id, lambda was: replace(was, failures=1)),
        lambda: at.drop_hook(hook),
    ):
        with pytest.raises(ContentionError):
            act()


def test_both_secrets_sign_for_a_day_after_a_rotation() -> None:
    log = MemoryLog()
    hook, _ = one(log)
    at = office(log, Sent())
    at.register.change_hook(hook.id, "k", revive=False, rotate=True)
    post(at)
    assert len(at._sender.sent[0]["webhook-signature"].split()) == 2  # type: ignore[attr-defined]
    log.advance_clock(SECRET_OVERLAP_MS)
    kept = at.register.find_hook(hook.id)
    assert kept is not None
    assert kept.find_signing_generations(log.now()) == [2]


# -- the worker -------------------------------------------------------------------------------------------------------


def test_the_drain_asks_for_webhooks_where_somebody_hears(log: MatchLog) -> None:
    hints = Noted()
    context = context_of(log, hints)
    set_context(context)
    quiet = opened(context.service, "table", "table")
    drain_partition(partition_for_match(quiet))
    assert hints.sends == []
    match = opened(context.service, "table", "table", begin=False)
    hooked(log, match)
    from referee.match.table import commands

    context.service.execute_command(match, commands.StartMatch(), key="start", scope="host")
    drain_partition(partition_for_match(match))
    assert hints.sends == [partition_for_match(match)]


def test_the_sweeper_asks_for_what_was_forgotten_and_for_retries_when_they_are_due() -> None:
    log, hints = MemoryLog(), Noted()
    hook, match = one(log)
    context = context_of(log, hints)
    sweeper, at = Sweeper(context), office(log, Sent(lambda _: FAIL))
    sweeper.repair_stalled_work()
    assert hints.sends == [partition_for_match(match)]  # nobody has read the feed
    post(at)
    hints.sends.clear()
    sweeper.repair_stalled_work()
    assert hints.sends == []
    log.advance_clock(RETRY_DELAYS_MS[0] - 1)
    sweeper.repair_stalled_work()
    assert hints.sends == []
    log.advance_clock(1)
    sweeper.repair_stalled_work()
    assert hints.sends == [partition_for_match(match)]
    assert rows(log, hook)[0].tries == 1


def test_a_queue_that_is_away_keeps_no_message_from_being_sent_later() -> None:
    log, hints = MemoryLog(), Noted(away=Gone("away"))
    _, match = one(log)
    sweeper = Sweeper(context_of(log, hints))
    with pytest.raises(Gone):
        sweeper.repair_stalled_work()
    hints.away = None
    sweeper.repair_stalled_work()
    assert hints.sends == [partition_for_match(match)]


def test_the_job_is_asked_for_once_until_it_runs(server: redis.Redis, socket: Path) -> None:
    queues = RedisJobQueue(redis.Redis(unix_socket_path=str(socket)))
    for partition in (7, 7, 8, 7):
        queues.request_webhooks(partition)
    assert Queue("webhooks", connection=server).count == 2
    queues.clear_webhooks_mark(7)
    queues.request_webhooks(7)
    assert Queue("webhooks", connection=server).count == 3
    assert all(0 < server.pttl(f"referee:webhooks:{partition}") <= 5000 for partition in (7, 8))


def until(what: Any, seconds: float = 60.0) -> None:
    """Waits until it is so."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.02)


def test_from_a_move_over_the_queue_to_a_real_receiver(server: redis.Redis, socket: Path) -> None:
    log = RedisLog(server)
    context = context_of(log, RedisJobQueue(redis.Redis(unix_socket_path=str(socket))))
    set_context(context)
    with Receiver() as receiver:
        match = opened(context.service, "table", "table")
        hook = hooked(log, match, url=f"{receiver.url}/in")
        set_dispatcher(Dispatcher(log, WebhookSender(parse_networks(["127.0.0.1"])), KEY, threads=4))
        played(context.service, match, 1)
        for name in ("drain", "webhooks"):
            rq_worker(name, redis.Redis(unix_socket_path=str(socket))).work(burst=True, logging_level="WARNING")
        until(lambda: rows(log, hook) and all(row.status == "delivered" for row in rows(log, hook)))
        checker = Webhook(encode_secret(derive_secret(KEY, hook.id, 1)))
        for got in receiver.got:
            checker.verify(got.body, dict(got.headers))
        assert [got.headers["webhook-id"] for got in receiver.got] == [row.id for row in rows(log, hook)]


def test_a_slow_receiver_holds_up_no_other(log: MatchLog) -> None:
    import threading

    context = context_of(log)
    match = opened(context.service, "table", "table")
    slow, quick = hooked(log, match, url="https://slow.example.org/"), hooked(log, match)
    let_go = threading.Event()
    sender = Sent(lambda message: Reply(200 if "slow" not in message["url"] or let_go.wait(120) else 500))
    at = Dispatcher(log, sender, KEY, threads=2)
    played(context.service, match, 1)
    at.fill_outbox(partition_for_match(match))
    at.dispatch_due(partition_for_match(match))
    until(lambda: {row.status for row in rows(log, quick)} == {"delivered"})
    at.dispatch_due(partition_for_match(match))  # asked again meanwhile: it is under way already
    assert {row.status for row in rows(log, slow)} == {"pending"}
    let_go.set()
    until(lambda: {row.status for row in rows(log, slow)} == {"delivered"})
    assert len(sender.ids) == len(set(sender.ids))


WORKER = """
import os, sys
import redis
from referee.infrastructure.webhooks.url_policy import parse_networks
from referee.infrastructure.webhooks.http_client import WebhookSender
from referee.eventstore.redis.log import RedisLog
from tests.workers import conftest
from tests.workers.house import SHORT
import referee.games, referee.service.match_service, referee.match.aggregate
for module in (referee.games, referee.service.match_service, referee.match.aggregate):
    module.load_games = lambda: {"toy": SHORT}
from workers.webhooks.dispatcher import Dispatcher
log = RedisLog(redis.Redis(unix_socket_path=sys.argv[1]))
at = Dispatcher(log, WebhookSender(parse_networks(["127.0.0.1"])), b"k" * 32, threads=0)
partition, hook = int(sys.argv[2]), sys.argv[3]
at.fill_outbox(partition)
print("collected", flush=True)
at.serve_hook(partition, hook)
print("served", flush=True)
"""


def test_a_worker_that_is_killed_between_sending_and_marking_sends_again_under_the_same_id(
    server: redis.Redis, socket: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = RedisLog(server)
    hook, match = one(log)
    partition = partition_for_match(match)
    doomed: list[subprocess.Popen[str]] = []

    def kill(_: Any) -> tuple[int, dict[str, str], bytes]:
        os.kill(doomed[0].pid, signal.SIGKILL)  # it has sent, and will never know what came back
        doomed[0].wait()
        return 204, {}, b""

    with Receiver() as receiver:
        at = WebhookRegistry(log)
        at.change_hook(hook.id, "k", revive=False, url=receiver.url)
        receiver.answer = kill
        command = [sys.executable, "-c", textwrap.dedent(WORKER), str(socket), str(partition), hook.id]
        root = str(Path(__file__).parents[2])
        there = os.environ | {"PYTHONPATH": root}
        doomed.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root, env=there))
        said, _ = doomed[0].communicate(timeout=180)
        assert said.split() == ["collected"]
        assert len(receiver.got) == 1
        (row,) = rows(log, hook)
        assert (row.status, row.tries) == ("pending", 1)
        assert 0 < row.due_ms - log.now() <= CLAIM_MS
        receiver.answer = lambda _: (204, {}, b"")
        later = Dispatcher(log, WebhookSender(parse_networks(["127.0.0.1"])), KEY, threads=0)
        post(later, partition)
        assert len(receiver.got) == 1  # the claim stands: it might still be under way
        now = log.now() + CLAIM_MS
        monkeypatch.setattr(log, "now", lambda: now)
        post(later, partition)
        assert [got.headers["webhook-id"] for got in receiver.got] == [row.id] * 2
        assert receiver.got[0].body == receiver.got[1].body
        assert rows(log, hook)[0].status == "delivered"


def test_a_worker_that_is_killed_while_it_reckons_leaves_all_or_nothing(
    log: MatchLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = context_of(log)
    match = opened(context.service, "table", "table")
    hook, partition = hooked(log, match), partition_for_match(match)
    played(context.service, match, 1)
    real = log.apply_projection

    def dies(*args: Any) -> Any:
        raise KeyboardInterrupt  # as good as a kill: nothing after it is done

    monkeypatch.setattr(log, "apply_projection", dies)
    with pytest.raises(KeyboardInterrupt):
        office(log).fill_outbox(partition)
    assert rows(log, hook) == []
    monkeypatch.setattr(log, "apply_projection", lambda *args: (real(*args), dies())[0])
    with pytest.raises(KeyboardInterrupt):
        office(log).fill_outbox(partition)  # it had written, and did not live to know
    monkeypatch.setattr(log, "apply_projection", real)
    sender = Sent()
    post(office(log, sender), partition)
    assert len(sender.ids) == len(set(sender.ids)) == len(rows(log, hook)) > 1
    assert json.loads(rows(log, hook)[-1].body)["type"] == "match.ended"
