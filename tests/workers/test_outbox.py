"""From the feed to messages: each happening once for each webhook that hears of it, as an onlooker learns of it."""

from __future__ import annotations

import json
import threading
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from referee.engine.seats import BYSTANDER
from referee.eventstore.contract import MatchLog, partition_for_match
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.infrastructure.webhooks.models import BUILD, EVENTS, NAME, WebhookRecord
from referee.infrastructure.webhooks.models import deliveries_key as row_key
from referee.infrastructure.webhooks.registry import WebhookRegistry
from referee.match.aggregate import SeatAssignment
from referee.match.table import commands
from referee.queries import views
from referee.service.match_service import MatchService
from tests.workers.house import context_of, opened, played, rewound
from tests.workers.posting import Sent, hooked, office, post, rows
from workers.projections.public_match import PublicMatch, PublicMatches
from workers.webhooks import outbox
from workers.webhooks.notifications import NotificationSource, window_sort_key
from workers.webhooks.outbox import MAX_MESSAGE_BYTES


def news(log: MatchLog, match: str) -> list[dict[str, Any]]:
    """All that is ever told of a match, commit by commit."""
    at, last = NotificationSource(log), log.read(match, limit=0).head
    assert last is not None
    return [each.body for version in range(1, last.version + 1) for each in at.collect_notifications(match, version)]


def slaying(at: MatchService) -> str:
    """A match of Here to Slay between three."""
    return opened(at, "table", "table", "table", game="here_to_slay", variant=load_games()["here_to_slay"].variants[0])


def bodies(log: MatchLog, hook: WebhookRecord) -> list[dict[str, Any]]:
    return [json.loads(row.body) for row in rows(log, hook)]


def test_a_match_is_told_from_beginning_to_end(log: MatchLog) -> None:
    context = context_of(log)
    hook = hooked(log)
    match = opened(context.service, "table", "table", "table")
    played(context.service, match, 3)
    at = office(log)
    post(at)
    told = [json.loads(row.body) for row in rows(log, hook)]
    assert told == news(log, match)
    counts = Counter(message["type"] for message in told)
    assert counts["match.opened"] == counts["match.started"] == counts["match.ended"] == 1
    assert counts["seat.awaited"] > 3
    assert {message["data"]["match"] for message in told} == {match}
    partition = partition_for_match(match)
    assert log.read_cursor(partition, NAME, BUILD) == log.read_partition_info(partition).position


def test_each_happening_is_told_once_however_many_read_the_feed(log: MatchLog) -> None:
    context = context_of(log)
    hook = hooked(log)
    match = opened(context.service, "table", "table")
    played(context.service, match, 1)
    partition, offices = partition_for_match(match), [office(log) for _ in range(4)]
    threads = [threading.Thread(target=at.fill_outbox, args=(partition,)) for at in offices]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for at in offices:
        post(at)
    sent = [name for at in offices for name in at._sender.ids]  # type: ignore[attr-defined]
    assert len(sent) == len(set(sent)) == len(news(log, match)) == len(rows(log, hook))


def test_a_webhook_is_told_what_happens_after_it_was_made(log: MatchLog) -> None:
    context = context_of(log)
    match = opened(context.service, "table", "table")
    before = log.read(match, limit=0).head
    hook = hooked(log, match)
    played(context.service, match, 2)
    post(office(log))
    assert before is not None
    assert {message["data"]["version"] for message in bodies(log, hook)} - set(range(before.version + 1))
    assert all(message["data"]["version"] > before.version for message in bodies(log, hook))
    late = hooked(log)
    post(office(log))
    assert rows(log, late) == []


def test_a_webhook_hears_what_it_asked_for_of_its_own_match_alone(log: MatchLog) -> None:
    context = context_of(log)
    first = opened(context.service, "table", "table", begin=False)
    hook, wide = hooked(log, first, "match.started", "match.ended"), hooked(log, None, "match.started")
    second = opened(context.service, "table", "table")
    context.service.execute_command(first, commands.StartMatch(), key="start", scope="host")
    played(context.service, first, 1)
    played(context.service, second, 1)
    post(office(log))
    assert [(message["type"], message["data"]["match"]) for message in bodies(log, hook)] == [
        ("match.started", first),
        ("match.ended", first),
    ]
    assert sorted(message["data"]["match"] for message in bodies(log, wide)) == sorted([first, second])


def test_where_nobody_hears_the_feed_is_passed_over_unread(log: MatchLog, monkeypatch: pytest.MonkeyPatch) -> None:
    context = context_of(log)
    match = opened(context.service, "table", "table")
    partition, at = partition_for_match(match), office(log)
    at.fill_outbox(partition)
    assert log.read_cursor(partition, NAME, BUILD) == 0
    hooked(log, match)
    monkeypatch.setattr(log, "read_feed", lambda *_, **__: ())
    at.fill_outbox(partition)
    assert log.read_cursor(partition, NAME, BUILD) == log.read_partition_info(partition).position


# -- what onlookers may know -------------------------------------------------------------------------------------------


def opening(at: MatchService, key: str, visibility: str = "public", delay: int = 0, chairs: int = 2) -> str:
    ask = commands.OpenMatch("toy", "standard", {}, {}, (SeatAssignment("table"),) * chairs, visibility, delay)
    return at.open_match(ask, key).match.id


def test_a_private_match_is_told_to_its_own_webhooks_alone() -> None:
    log = MemoryLog()
    context = context_of(log)
    wide = hooked(log)
    match = opening(context.service, "k1", "private")
    own = hooked(log, match)
    context.service.execute_command(match, commands.StartMatch(), key="s", scope="host")
    played(context.service, match, 1)
    post(office(log))
    assert bodies(log, wide) == []
    assert {"match.started", "match.ended"} < {message["type"] for message in bodies(log, own)}


def test_a_match_that_becomes_public_is_told_of_as_opened() -> None:
    log = MemoryLog()
    context = context_of(log)
    wide = hooked(log)
    match = opening(context.service, "k1", "private")
    own = hooked(log, match)
    context.service.execute_command(match, commands.ChangeSettings(None, None, None, "public"), key="c", scope="host")
    post(office(log))
    assert [message["type"] for message in bodies(log, wide)] == ["match.opened"]
    assert bodies(log, own) == []


@pytest.mark.parametrize("delay", [1, 2, 3, 7, 500])
def test_with_a_delay_a_message_comes_when_an_onlooker_sees_it_and_never_before(delay: int) -> None:
    log = MemoryLog()
    context = context_of(log)
    match = opening(context.service, "k1", delay=delay)
    hook, at = hooked(log, None), office(log)
    hook = hooked(log, match)

    def look() -> int:
        post(at)
        seen = views.load_visible_version(context.service, match, BYSTANDER, None).version
        assert all(message["data"]["version"] <= max(seen, 1) or seen == 1 for message in bodies(log, hook))
        return len(bodies(log, hook))

    context.service.execute_command(match, commands.StartMatch(), key="s", scope="host")
    counts = [look()]
    for move in range(60):
        if not played(context.service, match, move, most=1):
            break
        counts.append(look())
    played(context.service, match, 99)
    look()
    prompt = MemoryLog()
    twin = context_of(prompt)
    again = opening(twin.service, "k1", delay=0)
    assert again == match
    told = bodies(log, hook)
    everything = news(log, match)
    assert len(told) == len({json.dumps(message) for message in told})
    assert told == [each for each in everything if each["data"]["version"] > 1]
    assert told[-1]["type"] == "match.ended"
    assert (counts[0] == 0) == (delay > 1)  # of the start and the two shuffles after it


def test_the_lobby_is_told_at_once_and_only_once_whatever_the_delay() -> None:
    log = MemoryLog()
    context = context_of(log)
    wide, at = hooked(log), office(log)
    match = opening(context.service, "k1", delay=3)
    post(at)
    assert [message["type"] for message in bodies(log, wide)] == ["match.opened"]
    context.service.execute_command(match, commands.StartMatch(), key="s", scope="host")
    played(context.service, match, 5)
    post(at)
    assert Counter(message["type"] for message in bodies(log, wide))["match.opened"] == 1
    assert bodies(log, wide)[-1]["type"] == "match.ended"


@pytest.mark.real_games
@pytest.mark.parametrize(("game", "variant"), [(n, v) for n, game in load_games().items() for v in game.variants])
def test_two_worlds_that_look_alike_send_the_same_bytes(game: str, variant: str) -> None:
    """The sealed half of every entry is replaced by that of another world: nothing that is told may change."""
    log = MemoryLog()
    context = context_of(log)
    kinds = ["table"] * load_games()[game].min_seats
    match = opened(context.service, *kinds, game=game, variant=variant)
    played(context.service, match, 4, most=60)
    before = [json.dumps(message) for message in news(log, match)]
    state = context.service.load_match(match).match
    assert state.state is not None
    kept = log._matches[match]
    sealed = [entry.sealed for entry in kept.log]
    kept.log = [replace(entry, sealed=b"\xff no JSON of this world") for entry in kept.log]
    assert [json.dumps(message) for message in news(log, match)] == before
    assert any(seal not in (b"{}", entry.envelope) for seal, entry in zip(sealed, kept.log, strict=True))
    assert len(before) > 2
    assert max(map(len, before)) < MAX_MESSAGE_BYTES


@pytest.mark.real_games
def test_what_is_told_names_no_card_of_a_hand() -> None:
    log = MemoryLog()
    context = context_of(log)
    match = slaying(context.service)
    looked = 0
    for move in range(60):
        if not played(context.service, match, move, most=1):
            break
        version = context.service.load_match(match).version
        state: Any = context.service.load_match(match).match.state
        if state is None:
            continue
        held = {card.split("!")[0] for seat in range(3) for card in state.cards_at(f"hand:{seat}")}
        shown = json.dumps(views.load_view(context.service, match, BYSTANDER)["table"])
        secret = {card for card in held if card not in shown}
        for each in NotificationSource(log).collect_notifications(match, version):
            text = json.dumps(each.body)
            assert not [card for card in secret if f'"{card}"' in text]
            looked += 1
    assert looked > 20


# -- windows -----------------------------------------------------------------------------------------------------------


@pytest.mark.real_games
def test_windows_are_named_by_the_event_that_opened_them_and_end_as_they_began() -> None:
    log = MemoryLog()
    context = context_of(log)
    match = slaying(context.service)
    played(context.service, match, 8, most=150)
    told, open_now, names = news(log, match), {}, []
    for message in told:
        data = message["data"]
        if message["type"] == "window.opened":
            version, event = window_sort_key(data["window"])
            entry = views.list_entries(context.service, match, BYSTANDER, after=version - 1, limit=1, steps=True)[0][0]
            assert entry["events"][event]["n"] == data["window"]
            assert entry["events"][event]["type"] in ("Opened", "Became")
            assert version <= data["version"]
            assert data["seats"]
            assert data["kind"] in (*load_games()["here_to_slay"].windows, "sealed")
            open_now[data["window"]] = data["kind"]
            names.append(data["window"])
        elif message["type"] == "window.closed":
            assert open_now.pop(data["window"]) == data["kind"]
        elif message["type"] == "seat.awaited" and data["window"] is not None:
            assert data["window"] in open_now
    assert len(names) == len(set(names)) > 5
    assert len(open_now) <= 2


def test_what_was_taken_back_is_told_from_there_on(log: MatchLog) -> None:
    context = context_of(log)
    match = opened(context.service, "table", "table")
    hook, hooked_at = hooked(log, match), context.service.load_match(match).version
    played(context.service, match, 1, most=4)
    before = len(news(log, match))
    rewound(context.service, match, 4)
    played(context.service, match, 2, most=2)
    post(office(log))
    fresh = news(log, match)[before:]
    assert fresh
    assert {message["type"] for message in fresh} <= set(EVENTS)
    assert bodies(log, hook) == [each for each in news(log, match) if each["data"]["version"] > hooked_at]


def test_an_onlooker_sees_the_same_however_he_gets_there() -> None:
    log = MemoryLog()
    context = context_of(log)
    match = opened(context.service, "table", "table", "table")
    played(context.service, match, 1, most=9)
    rewound(context.service, match, 5)
    played(context.service, match, 2, most=3)
    head = log.read(match, limit=0).head
    assert head is not None
    stepwise = PublicMatches(log)
    for version in range(head.version + 1):
        assert stepwise.load_match(match, version) == PublicMatches(log).load_match(match, version)
    assert stepwise.load_match(match, 0) == PublicMatch()
    with pytest.raises(LookupError):
        stepwise.load_match(match, head.version + 1)


# -- bounds ------------------------------------------------------------------------------------------------------------


def test_what_waits_is_bounded_and_the_rest_is_counted(log: MatchLog, monkeypatch: pytest.MonkeyPatch) -> None:
    most = 60
    monkeypatch.setattr(outbox, "MAX_PENDING_DELIVERIES", most)
    monkeypatch.setattr(outbox, "MAX_FINISHED_DELIVERIES", 20)
    context = context_of(log)
    matches = [opened(context.service, "table", "table", begin=False)]
    partition = partition_for_match(matches[0])
    hook, at = hooked(log), office(log)
    seed = 0
    while log.read_partition_info(partition).position < 3 * most:  # matches are random, and some commits tell nothing
        match = opened(context.service, "table", "table", "table", begin=False)
        if partition_for_match(match) == partition:
            context.service.execute_command(match, commands.StartMatch(), key="start", scope="host")
            played(context.service, match, seed := seed + 1)
            matches.append(match)
    while not at.fill_outbox(partition):
        pass
    expected = sum(len(news(log, match)) for match in matches[1:])
    waiting = at.register.read_deliveries(partition, hook.id)
    assert len(waiting) == most < expected
    assert at.register.count_lost_messages(hook) == expected - most
    post(at, partition)
    assert len(at._sender.sent) == most  # type: ignore[attr-defined]
    assert log.read_ranking(partition, NAME, BUILD, "due") == ()
    for _ in range(2):
        opened(context.service, "table", "table")  # anything more lets go of the oldest
    while partition_for_match(opened(context.service, "table", "table", begin=False)) != partition:
        pass
    at.fill_outbox(partition)
    kept = at.register.read_deliveries(partition, hook.id)
    assert sum(row.status != "pending" for row, _ in kept.values()) == 20


def test_a_webhook_that_is_paused_disabled_or_expired_is_kept_nothing_for() -> None:
    log = MemoryLog()
    context = context_of(log)
    match = opened(context.service, "table", "table", begin=False)
    expired = hooked(log, match, expires_ms=log.now() + 10)
    paused, gone = hooked(log, None, paused=True), hooked(log)
    at = office(log)
    at.register.update_health(gone.id, lambda was: replace(was, disabled="gone"))
    log.advance_clock(10)
    context.service.execute_command(match, commands.StartMatch(), key="start", scope="host")
    post(at)
    assert not any(rows(log, hook) for hook in (expired, paused, gone))
    assert at.register.find_hook(expired.id) is None
    assert WebhookRegistry(log).find_subscribed_hooks(partition_for_match(match)) == [paused, gone] or {
        hook.id for hook in WebhookRegistry(log).find_subscribed_hooks(partition_for_match(match))
    } == {paused.id, gone.id}


def test_a_webhook_that_was_deleted_leaves_nothing(log: MatchLog) -> None:
    context = context_of(log)
    wide = hooked(log)
    matches = [opened(context.service, "table", "table") for _ in range(3)]
    at, sender = office(log, Sent()), Sent()
    for match in matches:
        at.fill_outbox(partition_for_match(match))
    assert rows(log, wide)
    at.register.drop_hook(wide)
    assert at.register.find_hook(wide.id) is None
    for partition in range(64):
        assert log.read_projection(partition, NAME, BUILD, row_key(wide.id)) == {}
        assert log.read_projection(partition, NAME, BUILD, "hooks") == {}
    post(office(log, sender))
    assert sender.sent == []
    for match in matches:
        for hook, _ in at.register.find_due_deliveries(partition_for_match(match), log.now() + 1, 100):
            at.serve_hook(partition_for_match(match), hook)
        assert log.read_ranking(partition_for_match(match), NAME, BUILD, "due") == ()
