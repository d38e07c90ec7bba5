"""The outbox: webhook messages, computed from the feed like a projection.

Messages and cursor are written in one act. So, even if a process is killed, each notification becomes exactly one
message for each webhook that subscribes to it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from referee.engine.codec import encode_canonical
from referee.eventstore.accounts import DELETED_PLAYER
from referee.eventstore.contract import ProjectionWrite, partition_for_match
from referee.infrastructure.webhooks.models import (
    ACCOUNTS,
    BUILD,
    DUE,
    GLOBAL_PARTITION,
    LOST,
    MAX_FINISHED_DELIVERIES,
    MAX_PENDING_DELIVERIES,
    NAME,
    PUSH,
    Delivery,
    WebhookRecord,
    build_delivery_writes,
    build_message_id,
    deliveries_key,
)
from referee.infrastructure.webhooks.registry import WebhookRegistry
from workers.projections.base import FeedItem, KeyKind, Sources
from workers.projections.public_match import PublicMatches
from workers.webhooks.notifications import (
    Notification,
    NotificationSource,
    build_asked_notification,
    find_asked_seats,
)

LOGGER = logging.getLogger("referee.workers.outbox")
MAX_MESSAGE_BYTES = 20_000  # the limit that Standard Webhooks recommends
MAX_NOTIFICATIONS_PER_COMMIT = 10_000  # many if it ends a match that spectators saw with a long delay


class OutboxProjection:
    """The projection whose rows are messages to send."""

    name = NAME
    build = BUILD
    suffixes: ClassVar[Mapping[str, KeyKind]] = {}  # it is never rebuilt, and so never compared

    def __init__(self, register: WebhookRegistry, news: NotificationSource) -> None:
        self._register, self._news = register, news
        self._linked_matches = PublicMatches(register.log)  # of its own: a model goes forward, never back

    def compute_writes(self, batch: Sequence[FeedItem], sources: Sources) -> Iterable[ProjectionWrite]:
        """Return the messages for these commits.

        The webhooks are read after the batch, so that one acknowledged before a commit gets its messages.
        """
        now = self._register.log.now()
        partition = partition_for_match(batch[0][1])
        disabled = self._register.find_disabled_hooks(partition) | self._register.find_disabled_hooks(GLOBAL_PARTITION)
        healthy = [hook for hook in self._register.find_subscribed_hooks(partition) if hook.id not in disabled]
        boxes: dict[str, HookOutbox] = {}
        if any(hook.owner == ACCOUNTS for hook in healthy):
            healthy = [hook for hook in healthy if hook.owner != ACCOUNTS]
            self._add_account_messages(batch, sources, boxes, now)
        for position, match, version in batch:
            hearing = [hook for hook in healthy if hook.may_receive(position, match, now)]
            for at, notification in enumerate(self._news.collect_notifications(match, version) if hearing else ()):
                for hook in hearing:
                    if is_addressed_to(hook, notification):
                        box = boxes.setdefault(hook.id, HookOutbox(hook, sources))
                        name = build_message_id(hook.id, partition, match, version, at)
                        box.add_message(name, notification, now, position * MAX_NOTIFICATIONS_PER_COMMIT + at)
        return [write for box in boxes.values() for write in box.compute_writes()]

    def _add_account_messages(
        self, batch: Sequence[FeedItem], sources: Sources, boxes: dict[str, HookOutbox], now: int
    ) -> None:
        """Add what the people at linked seats are asked for.

        A device gets nothing while somebody looks at the match as that seat, and only the last message of a match.
        """
        links = self._register.log.read_links(sorted({match for _, match, _ in batch}))
        for position, match, version in batch:
            if match not in links:
                continue
            for was, entry, made in self._linked_matches.walk_entries(match, version - 1, version):
                for asked in find_asked_seats(was, entry, made):
                    player = links[match].get(asked.sat, DELETED_PLAYER)
                    hooks = [] if player == DELETED_PLAYER else self._register.list_account_hooks(player)
                    for hook in [hook for hook in hooks if hook.may_receive(position, match, now)]:
                        if hook.kind == PUSH and asked.seat in self._register.log.read_present_seats(match):
                            continue
                        box = boxes.setdefault(hook.id, HookOutbox(hook, sources))
                        if hook.kind == PUSH:
                            box.drop_pending(match)
                        name = build_message_id(hook.id, partition_for_match(match), match, version, asked.seat)
                        order = position * MAX_NOTIFICATIONS_PER_COMMIT + asked.seat
                        box.add_message(name, build_asked_notification(made, entry, asked), now, order)


def is_addressed_to(hook: WebhookRecord, notification: Notification) -> bool:
    """Whether a webhook subscribes to this notification."""
    return notification.type in hook.events and (
        notification.for_match_followers if hook.match is not None else notification.for_public_followers
    )


class HookOutbox:
    """The messages to one webhook in one partition.

    The number of pending messages is limited, and that of finished ones too.
    """

    def __init__(self, hook: WebhookRecord, sources: Sources) -> None:
        self._hook = hook
        self._kept = {
            name: Delivery.decode(kept) for name, kept in sources.read_own_rows(deliveries_key(hook.id)).items()
        }
        self._lost = int(sources.read_own_rows(LOST).get(hook.id, b"0"))
        self._new: list[Delivery] = []
        self._missed = 0
        self._dropped: list[Delivery] = []

    def drop_pending(self, match: str) -> None:
        """Drop the pending messages about a match, because a newer one says it all."""
        waiting = [row for row in (*self._kept.values(), *self._new) if row.status == "pending"]
        old = [row for row in waiting if json.loads(row.body)["data"].get("match") == match]
        self._dropped += [row for row in old if self._kept.pop(row.id, None) is not None]
        self._new = [row for row in self._new if row not in old]

    def add_message(self, name: str, notification: Notification, now_ms: int, order: int) -> None:
        """Add a message, unless too many are pending or it is too long."""
        body = encode_canonical(notification.body)
        waiting = sum(row.status == "pending" for row in self._kept.values()) + len(self._new)
        if waiting >= MAX_PENDING_DELIVERIES or len(body) > MAX_MESSAGE_BYTES:
            self._missed += 1
        elif name not in self._kept:
            self._new.append(Delivery(name, self._hook.id, notification.type, body.decode(), now_ms, now_ms, order))

    def compute_writes(self) -> Iterable[ProjectionWrite]:
        """Yield the writes that add the messages and drop the oldest finished ones."""
        for row in self._dropped:
            yield ProjectionWrite("hdel", deliveries_key(self._hook.id), row.id)
            yield ProjectionWrite("zrem", DUE, f"{self._hook.id}:{row.id}")
        for row in self._new:
            yield from build_delivery_writes(row)
        over = sorted((row for row in self._kept.values() if row.status != "pending"), key=lambda row: row.sort_key)
        for row in over[: max(0, len(over) - MAX_FINISHED_DELIVERIES)]:
            yield ProjectionWrite("hdel", deliveries_key(self._hook.id), row.id)
        if self._missed:
            LOGGER.warning(
                "%d messages for %s are dropped: too many are pending, or they are too long",
                self._missed,
                self._hook.id,
            )
            yield ProjectionWrite("hset", LOST, self._hook.id, str(self._lost + self._missed).encode())
