"""The webhook worker: fills the outbox from the feed, and sends what is due.

A job is only a hint: `workers.webhooks.jobs.deliver_due`. The store says what is to be sent and when. The sweeper
enqueues again what was forgotten. A message is claimed before it is sent, for as long as an attempt may take. If the
worker dies meanwhile, the message is sent again under the same id.
"""

from __future__ import annotations

import logging
import queue
import random
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import orjson

from referee.eventstore.contract import MatchLog, StoreUnavailable
from referee.infrastructure.webhooks.http_client import Reply
from referee.infrastructure.webhooks.models import BUILD, NAME, PUSH, Delivery, ReceiverHealth, WebhookRecord
from referee.infrastructure.webhooks.registry import ContentionError, WebhookRegistry
from referee.infrastructure.webhooks.signing import build_headers, derive_secret
from referee.infrastructure.webhooks.web_push import TTL_SECONDS, PushKeys, build_push_headers, encrypt_message
from workers.projections.runner import catch_up
from workers.webhooks.notifications import NotificationSource
from workers.webhooks.outbox import OutboxProjection

if TYPE_CHECKING:
    from workers.context import WorkerContext

LOGGER = logging.getLogger("referee.workers.webhooks")
SECOND, MINUTE, HOUR = 1000, 60_000, 3_600_000
# After the first attempt, as Standard Webhooks recommends; three days in all.
RETRY_DELAYS_MS = (5 * SECOND, 5 * MINUTE, 30 * MINUTE, *(hours * HOUR for hours in (2, 5, 10, 14, 20, 24)))
JITTER = 0.2  # the largest part of a delay that is added, so that retries spread
MAX_BACKOFF_MS = 5 * MINUTE  # the longest time without an attempt at a failing receiver, if messages wait for it
MAX_RETRY_AFTER_MS = HOUR  # the longest Retry-After that is obeyed
EXHAUSTED_MS = 72 * HOUR  # a webhook that has failed this long when a message is given up is disabled
CLAIM_MS = 60 * SECOND  # longer than an attempt takes, name servers included
THREADS = 16
PAGE = 1000  # due messages read at a time
MESSAGES_PER_TURN = 50  # messages to one receiver before others have their turn
FEED_SECONDS = 2.0
GONE, NOT_FOUND, BACKOFF_STATUSES = 410, 404, (429, 503)


class MessageSender(Protocol):
    """Sends one message.

    The real one is `referee.infrastructure.webhooks.http_client.WebhookSender`.
    """

    def send(self, url: str, headers: dict[str, str], body: bytes) -> Reply: ...


class Dispatcher:
    """Sends due messages.

    Those to one webhook are sent one after the other, and those to different webhooks in parallel.
    """

    def __init__(
        self,
        log: MatchLog,
        sender: MessageSender,
        key: bytes,
        *,
        threads: int = THREADS,
        contact: str = "",
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.register = WebhookRegistry(log)
        self._log, self._sender, self._key, self._chance = log, sender, key, chance
        self._contact = contact
        source = NotificationSource(log)
        self._outbox, self._public_matches = OutboxProjection(self.register, source), source.current_matches
        self._scheduled: queue.Queue[tuple[int, str]] = queue.Queue()
        self._under_way: set[tuple[int, str]] = set()
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._serve_hooks, name=f"webhooks {number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    # -- from the feed to the outbox -----------------------------------------------------------------------------------

    def fill_outbox(self, partition: int) -> bool:
        """Bring the outbox of a partition to the end of the feed.

        Return whether the end was reached in time. Entries from before the first subscription are skipped unread.
        Raises StoreUnavailable, and ExceptionGroup if an entry cannot be read.
        """
        since = [(hook.since or {}).get(str(partition)) for hook in self.register.find_subscribed_hooks(partition)]
        first = min((at for at in since if at is not None), default=None)
        if first is None:
            return True
        cursor = self._log.read_cursor(partition, NAME, BUILD)
        if cursor < first:
            self._log.apply_projection(partition, NAME, BUILD, cursor, first, [])
        caught = catch_up(self._log, partition, self._public_matches, (self._outbox,), seconds=FEED_SECONDS)
        return caught.raise_failures().reached_end

    # -- from the outbox to the receivers ------------------------------------------------------------------------------

    def dispatch_due(self, partition: int) -> None:
        """Schedule the webhooks with due messages, for the threads to serve.

        Raises StoreUnavailable.
        """
        for hook in dict.fromkeys(
            hook for hook, _ in self.register.find_due_deliveries(partition, self._log.now(), PAGE)
        ):
            self._schedule_hook(partition, hook)

    def _schedule_hook(self, partition: int, hook: str) -> None:
        with self._lock:
            if (partition, hook) in self._under_way:
                return
            self._under_way.add((partition, hook))
        self._scheduled.put((partition, hook))

    def _serve_hooks(self) -> None:
        while True:
            partition, hook = self._scheduled.get()
            more = False
            try:
                more = self.serve_hook(partition, hook)
            except (StoreUnavailable, ContentionError) as away:
                LOGGER.warning("webhook %s waits for the sweeper: %s", hook, away)
            except Exception:
                LOGGER.exception("webhook %s cannot be served", hook)
            finally:
                with self._lock:
                    self._under_way.discard((partition, hook))
            if more:
                self._schedule_hook(partition, hook)

    def serve_hook(self, partition: int, name: str) -> bool:
        """Send the due messages of one partition to one webhook, oldest first.

        Return whether more are due. Raises StoreUnavailable, ContentionError.
        """
        hook, now = self.register.find_hook(name), self._log.now()
        waiting = self.register.read_deliveries(partition, name)
        due = [message for of, message in self.register.find_due_deliveries(partition, now, PAGE) if of == name]
        for message in due:
            if hook is None or message not in waiting:  # the webhook or the message is gone
                self.register.drop_delivery(partition, name, message, waiting.get(message, (None, None))[1])
        if hook is None:
            return False
        rows = sorted((waiting[message] for message in due if message in waiting), key=lambda kept: kept[0].sort_key)
        for row, held in rows[:MESSAGES_PER_TURN]:
            self._send_message(hook, row, held)
        return len(rows) > MESSAGES_PER_TURN

    def _send_message(self, hook: WebhookRecord, row: Delivery, held: bytes | None) -> None:
        """Attempt to deliver a message.

        Nothing is sent if the webhook is paused or disabled, if its receiver failed a moment ago, or if another worker
        has claimed the message.
        """
        now, health = self._log.now(), self.register.read_health(hook.id)
        if hook.paused or health.disabled:
            self.register.put_delivery(replace(row, status="failed", error=health.disabled or "paused"), held)
        elif hook.kind == PUSH and now - row.made_ms > TTL_SECONDS * SECOND:  # what was asked then is no news
            self.register.put_delivery(replace(row, status="failed", error="exhausted"), held)
        elif health.until_ms > now:  # all messages wait together for a failing receiver
            self.register.put_delivery(replace(row, due_ms=health.until_ms), held)
        else:
            claimed = replace(row, tries=row.tries + 1, tried_ms=now, due_ms=now + CLAIM_MS)
            if self.register.put_delivery(claimed, held):
                self._record_reply(hook, claimed, self._attempt_delivery(hook, claimed), health)

    def _attempt_delivery(self, hook: WebhookRecord, row: Delivery) -> Reply:
        now, body = self._log.now(), row.body.encode()
        if hook.kind == PUSH:
            about = orjson.loads(body)["data"].get("match", row.id)
            headers = build_push_headers(self._key, hook.url, about, now // SECOND, self._contact)
            return self._sender.send(hook.url, headers, encrypt_message(body, PushKeys.parse(*(hook.keys or ()))))
        secrets = [derive_secret(self._key, hook.id, generation) for generation in hook.find_signing_generations(now)]
        return self._sender.send(hook.url, build_headers(secrets, row.id, now // SECOND, body), body)

    def _record_reply(self, hook: WebhookRecord, row: Delivery, reply: Reply, before: ReceiverHealth) -> None:
        """Record the result of an attempt.

        The receiver's health is written first, because a message can be sent again.
        """
        now = self._log.now()
        if hook.kind == PUSH and reply.status in (GONE, NOT_FOUND):  # the device has unsubscribed
            self.register.drop_hook(hook)
            return
        result = replace(row, answer=reply.status, error=reply.error or ("" if reply.is_accepted else "refused"))
        if reply.is_accepted:
            if before != ReceiverHealth():
                self.register.update_health(hook.id, lambda was: replace(was, since_ms=0, failures=0, until_ms=0))
            self.register.put_delivery(replace(result, status="delivered", due_ms=now), row.encode())
            return
        asked = min((reply.retry_after or 0) * SECOND, MAX_RETRY_AFTER_MS) if reply.status in BACKOFF_STATUSES else 0
        last = row.tries > len(RETRY_DELAYS_MS)
        wait = 0 if last else max(asked, int(RETRY_DELAYS_MS[row.tries - 1] * (1 + JITTER * self._chance())))

        def failing(was: ReceiverHealth) -> ReceiverHealth:
            since, failures = was.since_ms or now, was.failures + 1
            alone = max(asked, min(RETRY_DELAYS_MS[min(failures, len(RETRY_DELAYS_MS)) - 1], MAX_BACKOFF_MS))
            exhausted = "exhausted" if last and now - since >= EXHAUSTED_MS else was.disabled
            return ReceiverHealth(since, failures, now + alone, "gone" if reply.status == GONE else exhausted)

        disabled = self.register.update_health(hook.id, failing).disabled
        if disabled:
            LOGGER.warning("webhook %s is disabled: %s", hook.id, disabled)
        status = "failed" if last or disabled else "pending"
        self.register.put_delivery(replace(result, status=status, due_ms=now + wait), row.encode())


def has_listeners(context: WorkerContext, partition: int) -> bool:
    """Whether a webhook subscribes to this partition. Raises StoreUnavailable."""
    return bool(WebhookRegistry(context.log).find_subscribed_hooks(partition))


def is_outbox_behind(register: WebhookRegistry, partition: int) -> bool:
    """Whether a webhook subscribes to this partition whose outbox is behind the feed."""
    log = register.log
    return (
        bool(register.find_subscribed_hooks(partition))
        and log.read_cursor(partition, NAME, BUILD) < log.read_partition_info(partition).position
    )
