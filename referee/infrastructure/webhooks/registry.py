"""The webhooks of a store, how their receivers fare, and what is to be sent to them: each change under a guard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from referee.eventstore.contract import PARTITIONS, Guard, MatchLog, Write, partition_of
from referee.infrastructure.webhooks.models import (
    BUILD,
    DUE,
    HEALTH,
    HOOK_ID,
    HOOKS,
    LIFE_MS,
    LOST,
    MOST_IN_PARTITION,
    MOST_OF_MATCH,
    MOST_WIDE,
    NAME,
    WIDE,
    Delivery,
    Health,
    Hook,
    home,
    kept_as,
    rows,
)

TRIES = 8  # at a change that somebody else makes at the same time


class Full(Exception):
    """There are as many of these as there may be."""


class Contended(Exception):
    """Others change the same record all the time."""


class Register:
    """Webhooks and their deliveries, over a log."""

    def __init__(self, log: MatchLog) -> None:
        self.log = log

    def _read(self, partition: int, suffix: str) -> dict[str, bytes]:
        return self.log.projected(partition, NAME, BUILD, suffix)

    def amend(self, partition: int, suffix: str, field: str, held: bytes | None, *writes: Write) -> bool:
        """Writes if that field holds this; whether it did."""
        return self.log.amend(partition, NAME, BUILD, Guard(suffix, field, held), writes)

    # -- webhooks ------------------------------------------------------------------------------------------------------

    def hooks(self, partition: int) -> list[Hook]:
        """The webhooks that live in a partition and have not expired, the oldest first."""
        found = [Hook.of(kept) for kept in self._read(partition, HOOKS).values()]
        now = self.log.now() if found else 0  # where there are none, one call to the store tells
        return sorted((hook for hook in found if not hook.over(now)), key=lambda hook: (hook.made_ms, hook.id))

    def hearing(self, partition: int) -> list[Hook]:
        """The webhooks that may be told of what happens in a partition."""
        own = [hook for hook in self.hooks(partition) if hook.match is not None]
        return own + [hook for hook in self.hooks(WIDE) if hook.match is None]

    def hook(self, name: str) -> Hook | None:
        """A webhook by its id; None if there is none, or it has expired."""
        kept = self._kept(name)
        hook = None if kept is None else Hook.of(kept)
        return None if hook is None or hook.over(self.log.now()) else hook

    def _kept(self, name: str) -> bytes | None:
        return self._read(home(name), HOOKS).get(name) if HOOK_ID.fullmatch(name) else None

    def add(self, hook: Hook) -> Hook:
        """Keeps a new webhook; the one of this id if there is one already. Raises Full."""
        partition = home(hook.id)
        for expired in self._expired(partition):
            self.drop(expired)
        here = self.hooks(partition)
        if hook.id not in {other.id for other in here}:
            same = sum(other.match == hook.match for other in here)
            narrow = sum(other.match is not None for other in here)
            if same >= (MOST_WIDE if hook.match is None else MOST_OF_MATCH):
                raise Full
            if hook.match is not None and narrow >= MOST_IN_PARTITION:
                raise Full
        if not self.amend(partition, HOOKS, hook.id, None, Write("hset", HOOKS, hook.id, hook.packed())):
            return self.hook(hook.id) or hook
        return hook

    def _expired(self, partition: int) -> list[Hook]:
        now = self.log.now()
        return [hook for hook in map(Hook.of, self._read(partition, HOOKS).values()) if hook.over(now)]

    def since(self, match: str | None) -> dict[str, int]:
        """Where the feeds stand of which a webhook made now will be told."""
        partitions = range(PARTITIONS) if match is None else (partition_of(match),)
        return {str(partition): self.log.about(partition).position for partition in partitions}

    def change(self, name: str, by: str, *, revive: bool, **changes: Any) -> Hook | None:
        """Changes a webhook, once per `by`; `rotate=True` gives it a new secret, `revive` forgets its failures. The
        webhook then, or None if there is none. Raises Contended."""
        rotate = changes.pop("rotate", False)
        for _ in range(TRIES):
            kept, now = self._kept(name), self.log.now()
            hook = None if kept is None else Hook.of(kept)
            if hook is None or hook.over(now):
                return None
            if hook.by == by:
                return hook
            made = replace(hook, by=by, **changes)
            if rotate:
                made = replace(made, generation=hook.generation + 1, rotated_ms=now)
            if hook.expires_ms is not None:
                made = replace(made, expires_ms=now + LIFE_MS)
            writes = [Write("hset", HOOKS, name, made.packed())]
            if revive:
                writes.append(Write("hdel", HEALTH, name))
            if self.amend(home(name), HOOKS, name, kept, *writes):
                return made
        raise Contended(name)

    def drop(self, hook: Hook) -> None:
        """Forgets a webhook and what was to be sent to it. What a worker adds at this moment it drops itself.
        Raises Contended."""
        partition = home(hook.id)
        gone = [Write("hdel", suffix, hook.id) for suffix in (HOOKS, HEALTH, LOST)]
        for _ in range(TRIES):
            if self.amend(partition, HOOKS, hook.id, self._kept(hook.id), *gone, Write("del", rows(hook.id))):
                break
        else:
            raise Contended(hook.id)
        for other in self.places(hook):
            if other != partition:
                self.amend(other, LOST, "", None, Write("hdel", LOST, hook.id), Write("del", rows(hook.id)))

    @staticmethod
    def places(hook: Hook) -> range:
        """The partitions in which deliveries to a webhook may lie."""
        return range(PARTITIONS) if hook.match is None else range(home(hook.id), home(hook.id) + 1)

    # -- how receivers fare --------------------------------------------------------------------------------------------

    def health(self, name: str) -> Health:
        """How the receiver of a webhook fares."""
        kept = self._read(home(name), HEALTH).get(name)
        return Health() if kept is None else Health.of(kept)

    def disabled(self, partition: int) -> set[str]:
        """The webhooks that live in a partition and are sent nothing any more."""
        return {name for name, kept in self._read(partition, HEALTH).items() if Health.of(kept).disabled}

    def fares(self, name: str, change: Callable[[Health], Health]) -> Health:
        """Changes what is known of how a receiver fares; what it then is. Raises Contended."""
        for _ in range(TRIES):
            kept = self._read(home(name), HEALTH).get(name)
            was = Health() if kept is None else Health.of(kept)
            made = change(was)
            if made == was:
                return was
            if self.amend(home(name), HEALTH, name, kept, Write("hset", HEALTH, name, made.packed())):
                return made
        raise Contended(name)

    # -- deliveries ----------------------------------------------------------------------------------------------------

    def deliveries(self, partition: int, hook: str) -> dict[str, tuple[Delivery, bytes]]:
        """The deliveries to a webhook that lie in a partition, by id, with the bytes that are kept."""
        return {name: (Delivery.of(kept), kept) for name, kept in self._read(partition, rows(hook)).items()}

    def history(self, hook: Hook) -> list[Delivery]:
        """All deliveries to a webhook, the newest first."""
        found = [row for place in self.places(hook) for row, _ in self.deliveries(place, hook.id).values()]
        return sorted(found, key=lambda row: row.place, reverse=True)

    def lost(self, hook: Hook) -> int:
        """How many messages were never kept because too many waited."""
        return sum(int(self._read(place, LOST).get(hook.id, b"0")) for place in self.places(hook))

    def due(self, partition: int, upto_ms: int, limit: int) -> Iterator[tuple[str, str]]:
        """What is due in a partition, the earliest first: webhook and message."""
        for member, at_ms in self.log.ranked(partition, NAME, BUILD, DUE, 0, limit):
            if at_ms > upto_ms:
                break
            hook, _, message = member.partition(":")
            yield hook, message

    def next_due(self, partition: int) -> int | None:
        """When the next delivery of a partition is due; None if none waits."""
        first = self.log.ranked(partition, NAME, BUILD, DUE, 0, 1)
        return first[0][1] if first else None

    def put(self, row: Delivery, held: bytes | None) -> bool:
        """Keeps a delivery in place of what was held; whether that still was so."""
        return self.amend(home(row.id), rows(row.hook), row.id, held, *kept_as(row))

    def forget(self, partition: int, hook: str, message: str, held: bytes | None) -> bool:
        """Drops a delivery, as it was held."""
        gone = (Write("hdel", rows(hook), message), Write("zrem", DUE, f"{hook}:{message}"))
        return self.amend(partition, rows(hook), message, held, *gone)
