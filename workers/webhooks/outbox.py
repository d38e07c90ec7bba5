"""What is to be sent to webhooks, reckoned from the feed like a view: the messages and the cursor are written in one
act. So whatever is killed, each happening becomes one message for each webhook that hears of it, neither none nor two.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from referee.engine.codec import encode_canonical
from referee.eventstore.contract import ProjectionWrite, partition_for_match
from referee.infrastructure.webhooks.models import (
    BUILD,
    GLOBAL_PARTITION,
    LOST,
    MAX_FINISHED_DELIVERIES,
    MAX_PENDING_DELIVERIES,
    NAME,
    Delivery,
    WebhookRecord,
    build_delivery_writes,
    build_message_id,
    deliveries_key,
)
from referee.infrastructure.webhooks.registry import WebhookRegistry
from workers.projections.base import FeedItem, KeyKind, Sources
from workers.webhooks.notifications import Notification, NotificationSource

LOGGER = logging.getLogger("referee.workers.outbox")
MAX_MESSAGE_BYTES = 20_000  # bytes of a message, as Standard Webhooks would have it
MAX_NOTIFICATIONS_PER_COMMIT = 10_000  # happenings by one commit: it may end a match that onlookers are far behind of


class OutboxProjection:
    """The view whose rows are messages to send."""

    name = NAME
    build = BUILD
    suffixes: ClassVar[Mapping[str, KeyKind]] = {}  # it is never rebuilt, and so never compared

    def __init__(self, register: WebhookRegistry, news: NotificationSource) -> None:
        self._register, self._news = register, news

    def compute_writes(self, batch: Sequence[FeedItem], sources: Sources) -> Iterable[ProjectionWrite]:
        """The messages that these commits come to. Webhooks are read after the batch, so none that was acknowledged
        before a commit is missed."""
        now = self._register.log.now()
        partition = partition_for_match(batch[0][1])
        disabled = self._register.find_disabled_hooks(partition) | self._register.find_disabled_hooks(GLOBAL_PARTITION)
        healthy = [hook for hook in self._register.find_subscribed_hooks(partition) if hook.id not in disabled]
        boxes: dict[str, HookOutbox] = {}
        for position, match, version in batch:
            hearing = [hook for hook in healthy if hook.may_receive(position, match, now)]
            for at, happening in enumerate(self._news.collect_notifications(match, version) if hearing else ()):
                for hook in hearing:
                    if is_addressed_to(hook, happening):
                        box = boxes.setdefault(hook.id, HookOutbox(hook, sources))
                        name = build_message_id(hook.id, partition, match, version, at)
                        box.add_message(name, happening, now, position * MAX_NOTIFICATIONS_PER_COMMIT + at)
        return [write for box in boxes.values() for write in box.compute_writes()]


def is_addressed_to(hook: WebhookRecord, happening: Notification) -> bool:
    """Whether a webhook is told of this."""
    return happening.type in hook.events and (
        happening.for_match_followers if hook.match is not None else happening.for_public_followers
    )


class HookOutbox:
    """The messages to one webhook in one partition: bounded, those that wait and those that are over."""

    def __init__(self, hook: WebhookRecord, sources: Sources) -> None:
        self._hook = hook
        self._kept = {
            name: Delivery.decode(kept) for name, kept in sources.read_own_rows(deliveries_key(hook.id)).items()
        }
        self._lost = int(sources.read_own_rows(LOST).get(hook.id, b"0"))
        self._new: list[Delivery] = []
        self._missed = 0

    def add_message(self, name: str, happening: Notification, now_ms: int, order: int) -> None:
        """One message more, unless too many wait."""
        body = encode_canonical(happening.body)
        waiting = sum(row.status == "pending" for row in self._kept.values()) + len(self._new)
        if waiting >= MAX_PENDING_DELIVERIES or len(body) > MAX_MESSAGE_BYTES:
            self._missed += 1
        elif name not in self._kept:
            self._new.append(Delivery(name, self._hook.id, happening.type, body.decode(), now_ms, now_ms, order))

    def compute_writes(self) -> Iterable[ProjectionWrite]:
        """What adds them, and lets go of the oldest that are over."""
        for row in self._new:
            yield from build_delivery_writes(row)
        over = sorted((row for row in self._kept.values() if row.status != "pending"), key=lambda row: row.sort_key)
        for row in over[: max(0, len(over) - MAX_FINISHED_DELIVERIES)]:
            yield ProjectionWrite("hdel", deliveries_key(self._hook.id), row.id)
        if self._missed:
            LOGGER.warning("%d messages for %s are not kept: too many wait", self._missed, self._hook.id)
            yield ProjectionWrite("hset", LOST, self._hook.id, str(self._lost + self._missed).encode())
