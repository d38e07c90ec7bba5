"""What is to be sent to webhooks, reckoned from the feed like a view: the messages and the cursor are written in one
act. So whatever is killed, each happening becomes one message for each webhook that hears of it, neither none nor two.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from referee.engine.codec import canonical
from referee.eventstore.contract import Write, partition_of
from referee.infrastructure.webhooks.models import (
    BUILD,
    KEPT,
    LOST,
    MOST_PENDING,
    NAME,
    WIDE,
    Delivery,
    Hook,
    kept_as,
    message_id,
    rows,
)
from referee.infrastructure.webhooks.registry import Register
from workers.projections.runner import Fed, Kind, Sources
from workers.webhooks.notifications import Happening, News

LOGGER = logging.getLogger("referee.workers.outbox")
LARGEST = 20_000  # bytes of a message, as Standard Webhooks would have it
MOST_AT_ONCE = 10_000  # happenings by one commit: it may end a match that onlookers are far behind of


class Outbox:
    """The view whose rows are messages to send."""

    name = NAME
    build = BUILD
    suffixes: ClassVar[Mapping[str, Kind]] = {}  # it is never rebuilt, and so never compared

    def __init__(self, register: Register, news: News) -> None:
        self._register, self._news = register, news

    def writes(self, batch: Sequence[Fed], sources: Sources) -> Iterable[Write]:
        """The messages that these commits come to. Webhooks are read after the batch, so none that was acknowledged
        before a commit is missed."""
        now = self._register.log.now()
        partition = partition_of(batch[0][1])
        disabled = self._register.disabled(partition) | self._register.disabled(WIDE)
        healthy = [hook for hook in self._register.hearing(partition) if hook.id not in disabled]
        boxes: dict[str, Box] = {}
        for position, match, version in batch:
            hearing = [hook for hook in healthy if hook.hears(position, match, now)]
            for at, happening in enumerate(self._news.of(match, version) if hearing else ()):
                for hook in hearing:
                    if hears(hook, happening):
                        box = boxes.setdefault(hook.id, Box(hook, sources))
                        name = message_id(hook.id, partition, match, version, at)
                        box.add(name, happening, now, position * MOST_AT_ONCE + at)
        return [write for box in boxes.values() for write in box.writes()]


def hears(hook: Hook, happening: Happening) -> bool:
    """Whether a webhook is told of this."""
    return happening.type in hook.events and (happening.own if hook.match is not None else happening.wide)


class Box:
    """The messages to one webhook in one partition: bounded, those that wait and those that are over."""

    def __init__(self, hook: Hook, sources: Sources) -> None:
        self._hook = hook
        self._kept = {name: Delivery.of(kept) for name, kept in sources.own(rows(hook.id)).items()}
        self._lost = int(sources.own(LOST).get(hook.id, b"0"))
        self._new: list[Delivery] = []
        self._missed = 0

    def add(self, name: str, happening: Happening, now_ms: int, order: int) -> None:
        """One message more, unless too many wait."""
        body = canonical(happening.body)
        waiting = sum(row.status == "pending" for row in self._kept.values()) + len(self._new)
        if waiting >= MOST_PENDING or len(body) > LARGEST:
            self._missed += 1
        elif name not in self._kept:
            self._new.append(Delivery(name, self._hook.id, happening.type, body.decode(), now_ms, now_ms, order))

    def writes(self) -> Iterable[Write]:
        """What adds them, and lets go of the oldest that are over."""
        for row in self._new:
            yield from kept_as(row)
        over = sorted((row for row in self._kept.values() if row.status != "pending"), key=lambda row: row.place)
        for row in over[: max(0, len(over) - KEPT)]:
            yield Write("hdel", rows(self._hook.id), row.id)
        if self._missed:
            LOGGER.warning("%d messages for %s are not kept: too many wait", self._missed, self._hook.id)
            yield Write("hset", LOST, self._hook.id, str(self._lost + self._missed).encode())
