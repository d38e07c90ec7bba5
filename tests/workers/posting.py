"""What the tests of webhooks share: webhooks that are kept, a sender that answers as it is told, an office without
threads whose clock is moved by hand."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from referee.eventstore.contract import PARTITIONS, MatchLog
from referee.infrastructure.webhooks.http_client import Reply
from referee.infrastructure.webhooks.models import EVENTS, Delivery, WebhookRecord, build_hook_id
from referee.infrastructure.webhooks.registry import WebhookRegistry
from workers.webhooks.dispatcher import Dispatcher

KEY = b"k" * 32
NUMBERS = itertools.count()


@dataclass
class Sent:
    """A sender that keeps what it was given, and answers 204 unless told."""

    answer: Callable[[dict[str, Any]], Reply] = lambda _: Reply(204)
    sent: list[dict[str, Any]] = field(default_factory=list)

    def send(self, url: str, headers: dict[str, str], body: bytes) -> Reply:
        message = {"url": url, **headers, "body": body, **json.loads(body)}
        self.sent.append(message)
        return self.answer(message)

    @property
    def types(self) -> list[str]:
        return [message["type"] for message in self.sent]

    @property
    def ids(self) -> list[str]:
        return [message["webhook-id"] for message in self.sent]


def hooked(log: MatchLog, match: str | None = None, *events: str, **more: Any) -> WebhookRecord:
    """A webhook that is kept, for everything unless told."""
    at = WebhookRegistry(log)
    name = build_hook_id(hashlib.sha256(str(next(NUMBERS)).encode()).digest(), match)
    told = list(events or EVENTS)
    given: dict[str, Any] = {"url": "https://hooks.example.org/x", "since": at.read_feed_positions(match), **more}
    return at.add_hook(WebhookRecord(id=name, events=told, made_ms=log.now(), match=match, **given))


def office(log: MatchLog, sender: Any = None, **how: Any) -> Dispatcher:
    """An office in which nobody works but whoever calls `post`."""
    return Dispatcher(log, sender or Sent(), KEY, threads=0, chance=lambda: 0.0, **how)


def post(at: Dispatcher, *partitions: int) -> None:
    """Reckons and sends all that is due, in this thread."""
    log = at.register.log
    for partition in partitions or range(PARTITIONS):
        at.fill_outbox(partition)
        for _ in range(50):
            due = list(dict.fromkeys(hook for hook, _ in at.register.find_due_deliveries(partition, log.now(), 1000)))
            if not due:
                break
            for hook in due:
                at.serve_hook(partition, hook)


def rows(log: MatchLog, hook: WebhookRecord) -> list[Delivery]:
    """The deliveries of a webhook, the oldest first."""
    return WebhookRegistry(log).list_all_deliveries(hook)[::-1]
