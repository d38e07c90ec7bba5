"""The webhooks of a store, the health of their receivers, and what is to be sent.

Each change is written under a guard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from referee.eventstore.contract import PARTITIONS, MatchLog, Precondition, ProjectionWrite, partition_for_match
from referee.infrastructure.webhooks.models import (
    ACCOUNT_HOOK_ID,
    ACCOUNTS,
    BUILD,
    DUE,
    GLOBAL_PARTITION,
    HEALTH,
    HOOK_ID,
    HOOK_LIFETIME_MS,
    HOOKS,
    LOST,
    MAX_GLOBAL_HOOKS,
    MAX_HOOKS_PER_MATCH,
    MAX_HOOKS_PER_PARTITION,
    MAX_HOOKS_PER_PLAYER,
    NAME,
    PUSH,
    Delivery,
    ReceiverHealth,
    WebhookRecord,
    account_hooks_key,
    build_delivery_writes,
    build_hook_id,
    deliveries_key,
    hooks_key,
    partition_for_player,
    partition_of_id,
)

MAX_ATTEMPTS = 8  # at a change while others change the same record


class LimitReached(Exception):
    """There are as many webhooks as are allowed."""


class ContentionError(Exception):
    """Others change the same record all the time."""


class WebhookRegistry:
    """Webhooks and their deliveries, over a log."""

    def __init__(self, log: MatchLog) -> None:
        self.log = log

    def _read_projection(self, partition: int, suffix: str) -> dict[str, bytes]:
        return self.log.read_projection(partition, NAME, BUILD, suffix)

    def amend_projection(
        self, partition: int, suffix: str, field: str, held: bytes | None, *writes: ProjectionWrite
    ) -> bool:
        """Write if that field holds `held`, and return whether it did."""
        return self.log.amend_projection(partition, NAME, BUILD, Precondition(suffix, field, held), writes)

    # -- webhooks ------------------------------------------------------------------------------------------------------

    def list_hooks(self, partition: int) -> list[WebhookRecord]:
        """Return the unexpired webhooks of a partition, the oldest first."""
        found = [WebhookRecord.decode(kept) for kept in self._read_projection(partition, HOOKS).values()]
        now = self.log.now() if found else 0  # saves a call if there are none
        return sorted((hook for hook in found if not hook.is_expired(now)), key=lambda hook: (hook.made_ms, hook.id))

    def find_subscribed_hooks(self, partition: int) -> list[WebhookRecord]:
        """Return the webhooks that may receive what happens in a partition."""
        own = [hook for hook in self.list_hooks(partition) if hook.match is not None]
        return own + [hook for hook in self.list_hooks(GLOBAL_PARTITION) if hook.match is None]

    def find_hook(self, name: str) -> WebhookRecord | None:
        """Return a webhook by its id, or None if there is none or it has expired."""
        kept = self._read_hook(name)
        hook = None if kept is None else WebhookRecord.decode(kept)
        return None if hook is None or hook.is_expired(self.log.now()) else hook

    def _read_hook(self, name: str) -> bytes | None:
        known = HOOK_ID.fullmatch(name) or ACCOUNT_HOOK_ID.fullmatch(name)
        return self._read_projection(partition_of_id(name), hooks_key(name)).get(name) if known else None

    def add_hook(self, hook: WebhookRecord) -> WebhookRecord:
        """Keep a new webhook, and return the one that is kept under its id.

        Raises LimitReached.
        """
        partition = partition_of_id(hook.id)
        for expired in self._find_expired_hooks(partition):
            self.drop_hook(expired)
        here = self.list_hooks(partition)
        if hook.id not in {other.id for other in here}:
            same = sum(other.match == hook.match and other.owner != ACCOUNTS for other in here)
            narrow = sum(other.match is not None for other in here)
            if same >= (MAX_GLOBAL_HOOKS if hook.match is None else MAX_HOOKS_PER_MATCH):
                raise LimitReached
            if hook.match is not None and narrow >= MAX_HOOKS_PER_PARTITION:
                raise LimitReached
        if not self.amend_projection(
            partition, HOOKS, hook.id, None, ProjectionWrite("hset", HOOKS, hook.id, hook.encode())
        ):
            return self.find_hook(hook.id) or hook
        return hook

    def _find_expired_hooks(self, partition: int) -> list[WebhookRecord]:
        now = self.log.now()
        return [
            hook
            for hook in map(WebhookRecord.decode, self._read_projection(partition, HOOKS).values())
            if hook.is_expired(now)
        ]

    def read_feed_positions(self, match: str | None) -> dict[str, int]:
        """Return the present positions of the feeds that a new webhook will follow."""
        partitions = range(PARTITIONS) if match is None else (partition_for_match(match),)
        return {str(partition): self.log.read_partition_info(partition).position for partition in partitions}

    def change_hook(self, name: str, by: str, *, revive: bool, **changes: Any) -> WebhookRecord | None:
        """Change a webhook once per `by`, and return it, or None if there is none.

        `rotate=True` gives it a new secret. `revive` forgets its failures. Raises ContentionError.
        """
        rotate = changes.pop("rotate", False)
        for _ in range(MAX_ATTEMPTS):
            kept, now = self._read_hook(name), self.log.now()
            hook = None if kept is None else WebhookRecord.decode(kept)
            if hook is None or hook.is_expired(now):
                return None
            if hook.by == by:
                return hook
            made = replace(hook, by=by, **changes)
            if rotate:
                made = replace(made, generation=hook.generation + 1, rotated_ms=now)
            if hook.expires_ms is not None:
                made = replace(made, expires_ms=now + HOOK_LIFETIME_MS)
            writes = [ProjectionWrite("hset", hooks_key(name), name, made.encode())]
            if revive:
                writes.append(ProjectionWrite("hdel", HEALTH, name))
            if self.amend_projection(partition_of_id(name), hooks_key(name), name, kept, *writes):
                return made
        raise ContentionError(name)

    def drop_hook(self, hook: WebhookRecord) -> None:
        """Delete a webhook and what was to be sent to it.

        A worker that adds a message at this moment drops it itself. Raises ContentionError.
        """
        partition = partition_of_id(hook.id)
        gone = [ProjectionWrite("hdel", suffix, hook.id) for suffix in (hooks_key(hook.id), HEALTH, LOST)]
        for _ in range(MAX_ATTEMPTS):
            if self.amend_projection(
                partition,
                hooks_key(hook.id),
                hook.id,
                self._read_hook(hook.id),
                *gone,
                ProjectionWrite("del", deliveries_key(hook.id)),
            ):
                break
        else:
            raise ContentionError(hook.id)
        for other in self.find_delivery_partitions(hook):
            if other != partition:
                self.amend_projection(
                    other,
                    LOST,
                    "",
                    None,
                    ProjectionWrite("hdel", LOST, hook.id),
                    ProjectionWrite("del", deliveries_key(hook.id)),
                )

    @staticmethod
    def find_delivery_partitions(hook: WebhookRecord) -> range:
        """Return the partitions in which deliveries to a webhook may lie."""
        return (
            range(PARTITIONS) if hook.match is None else range(partition_of_id(hook.id), partition_of_id(hook.id) + 1)
        )

    # -- webhooks and devices of accounts ------------------------------------------------------------------------------

    def list_account_hooks(self, player: str) -> list[WebhookRecord]:
        """Return the unexpired webhooks and devices of an account, the oldest first."""
        kept = self._read_projection(partition_for_player(player), account_hooks_key(player))
        now = self.log.now() if kept else 0
        found = [hook for hook in map(WebhookRecord.decode, kept.values()) if not hook.is_expired(now)]
        return sorted(found, key=lambda hook: (hook.made_ms, hook.id))

    def put_account_hook(self, hook: WebhookRecord) -> WebhookRecord:
        """Keep a webhook or a device of an account, and return what is kept.

        A device that subscribes again is renewed; of a webhook the first record stays. Raises LimitReached,
        ContentionError.
        """
        self._note_account_start()
        suffix, partition = hooks_key(hook.id), partition_of_id(hook.id)
        for _ in range(MAX_ATTEMPTS):
            kept = self._read_hook(hook.id)
            if kept is not None and hook.kind != PUSH:
                return WebhookRecord.decode(kept)
            now = self.log.now()
            rows = list(map(WebhookRecord.decode, self._read_projection(partition, suffix).values()))
            same = sum(other.kind == hook.kind and not other.is_expired(now) for other in rows)
            if kept is None and same >= MAX_HOOKS_PER_PLAYER[hook.kind]:
                raise LimitReached
            gone = [ProjectionWrite("hdel", suffix, other.id) for other in rows if other.is_expired(now)]
            writes = (
                *gone,
                ProjectionWrite("hset", suffix, hook.id, hook.encode()),
                ProjectionWrite("hdel", HEALTH, hook.id),
            )
            if self.amend_projection(partition, suffix, hook.id, kept, *writes):
                return hook
        raise ContentionError(hook.id)

    def _note_account_start(self) -> None:
        """Note since when accounts subscribe; outboxes are filled from then on."""
        name = build_hook_id(ACCOUNTS.encode() * 4, None)
        if self._read_hook(name) is None:
            since = {str(partition): position for partition, position in enumerate(self.log.read_positions())}
            note = WebhookRecord(name, "", [], self.log.now(), owner=ACCOUNTS, since=since)
            self.amend_projection(
                GLOBAL_PARTITION, HOOKS, name, None, ProjectionWrite("hset", HOOKS, name, note.encode())
            )

    # -- the health of receivers ---------------------------------------------------------------------------------------

    def read_health(self, name: str) -> ReceiverHealth:
        """Return the health of a webhook's receiver."""
        kept = self._read_projection(partition_of_id(name), HEALTH).get(name)
        return ReceiverHealth() if kept is None else ReceiverHealth.decode(kept)

    def find_disabled_hooks(self, partition: int) -> set[str]:
        """Return the webhooks of a partition to which nothing is sent any more."""
        return {
            name
            for name, kept in self._read_projection(partition, HEALTH).items()
            if ReceiverHealth.decode(kept).disabled
        }

    def update_health(self, name: str, change: Callable[[ReceiverHealth], ReceiverHealth]) -> ReceiverHealth:
        """Change the health of a receiver, and return it. Raises ContentionError."""
        for _ in range(MAX_ATTEMPTS):
            kept = self._read_projection(partition_of_id(name), HEALTH).get(name)
            was = ReceiverHealth() if kept is None else ReceiverHealth.decode(kept)
            made = change(was)
            if made == was:
                return was
            if self.amend_projection(
                partition_of_id(name), HEALTH, name, kept, ProjectionWrite("hset", HEALTH, name, made.encode())
            ):
                return made
        raise ContentionError(name)

    # -- deliveries ----------------------------------------------------------------------------------------------------

    def read_deliveries(self, partition: int, hook: str) -> dict[str, tuple[Delivery, bytes]]:
        """Return a webhook's deliveries in a partition by id, each with its stored bytes."""
        return {
            name: (Delivery.decode(kept), kept)
            for name, kept in self._read_projection(partition, deliveries_key(hook)).items()
        }

    def list_all_deliveries(self, hook: WebhookRecord) -> list[Delivery]:
        """Return all deliveries to a webhook, the newest first."""
        found = [
            row
            for place in self.find_delivery_partitions(hook)
            for row, _ in self.read_deliveries(place, hook.id).values()
        ]
        return sorted(found, key=lambda row: row.sort_key, reverse=True)

    def count_lost_messages(self, hook: WebhookRecord) -> int:
        """Return how many messages were never kept because too many waited."""
        return sum(
            int(self._read_projection(place, LOST).get(hook.id, b"0")) for place in self.find_delivery_partitions(hook)
        )

    def find_due_deliveries(self, partition: int, upto_ms: int, limit: int) -> Iterator[tuple[str, str]]:
        """Yield what is due in a partition, the earliest first: webhook and message."""
        for member, at_ms in self.log.read_ranking(partition, NAME, BUILD, DUE, 0, limit):
            if at_ms > upto_ms:
                break
            hook, _, message = member.partition(":")
            yield hook, message

    def find_next_due(self) -> tuple[int | None, ...]:
        """Return when the next delivery is due, by partition; None where there is none."""
        return self.log.find_first_scores(NAME, BUILD, DUE)

    def put_delivery(self, row: Delivery, held: bytes | None) -> bool:
        """Keep a delivery if `held` is still what is kept, and return whether it was."""
        return self.amend_projection(
            partition_of_id(row.id), deliveries_key(row.hook), row.id, held, *build_delivery_writes(row)
        )

    def drop_delivery(self, partition: int, hook: str, message: str, held: bytes | None) -> bool:
        """Delete a delivery if `held` is still what is kept, and return whether it was."""
        gone = (
            ProjectionWrite("hdel", deliveries_key(hook), message),
            ProjectionWrite("zrem", DUE, f"{hook}:{message}"),
        )
        return self.amend_projection(partition, deliveries_key(hook), message, held, *gone)
