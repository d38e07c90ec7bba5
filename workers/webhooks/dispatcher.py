"""The worker of webhooks: fills the outbox from the feed, and sends what is due.

A job is a hint, as everywhere: `deliver(partition)`. What is to be sent, and when next, stands in the
store; the sweeper asks again for what was forgotten. A message is claimed before it is sent, for as long as an attempt
may take: a worker that dies in between leaves it to be sent again, under the same id.
"""

from __future__ import annotations

import logging
import queue
import random
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from referee.eventstore.contract import MatchLog, StoreAway
from referee.infrastructure.webhooks.http_client import Reply
from referee.infrastructure.webhooks.models import BUILD, NAME, Delivery, Health, Hook
from referee.infrastructure.webhooks.registry import Contended, Register
from referee.infrastructure.webhooks.signing import headers, secret_of
from workers.projections.public_match import Courses
from workers.projections.runner import catch_up
from workers.webhooks.notifications import News
from workers.webhooks.outbox import Outbox

if TYPE_CHECKING:
    from workers.context import Context

LOGGER = logging.getLogger("referee.workers.webhooks")
SECOND, MINUTE, HOUR = 1000, 60_000, 3_600_000
# After the first attempt, as Standard Webhooks recommends; three days in all.
AGAIN_MS = (5 * SECOND, 5 * MINUTE, 30 * MINUTE, *(hours * HOUR for hours in (2, 5, 10, 14, 20, 24)))
JITTER = 0.2  # of a delay is added at most, so that not all come back at once
ALONE_MS = 5 * MINUTE  # a receiver that fails is tried again after this at the latest, by whatever waits for it
LONGEST_ALONE_MS = HOUR  # if it asks for it (Retry-After)
EXHAUSTED_MS = 72 * HOUR  # failing for so long when a message is given up: nothing more is sent
CLAIM_MS = 60 * SECOND  # longer than an attempt takes, name servers included
THREADS = 16
PAGE = 1000  # of what is due that is looked at in one go
IN_A_ROW = 50  # messages to one receiver before others have their turn
FEED_SECONDS = 2.0
GONE, LEAVE_ALONE = 410, (429, 503)


class Sends(Protocol):
    """Sends one message; `referee.infrastructure.webhooks.http_client.Sender` in earnest."""

    def send(self, url: str, headers: dict[str, str], body: bytes) -> Reply: ...


class Office:
    """Sends what is due, to each webhook one after the other and to different ones at once."""

    def __init__(
        self,
        log: MatchLog,
        sender: Sends,
        key: bytes,
        *,
        threads: int = THREADS,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.register = Register(log)
        self._log, self._sender, self._key, self._chance = log, sender, key, chance
        self._outbox, self._courses = Outbox(self.register, News(log)), Courses(log, kept=0)
        self._asked: queue.Queue[tuple[int, str]] = queue.Queue()
        self._under_way: set[tuple[int, str]] = set()
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._serve, name=f"webhooks {number}", daemon=True) for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    # -- from the feed to the outbox -----------------------------------------------------------------------------------

    def collect(self, partition: int) -> bool:
        """Leads the outbox of a partition to the end of the feed; whether it came so far in time. What no webhook hears
        of is passed over unread. Raises StoreAway, and ExceptionGroup if an entry cannot be read."""
        since = [(hook.since or {}).get(str(partition)) for hook in self.register.hearing(partition)]
        first = min((at for at in since if at is not None), default=None)
        if first is None:
            return True
        cursor = self._log.cursor(partition, NAME, BUILD)
        if cursor < first:
            self._log.project(partition, NAME, BUILD, cursor, first, [])
        caught = catch_up(self._log, partition, self._courses, (self._outbox,), seconds=FEED_SECONDS)
        return caught.or_raise().whole

    # -- from the outbox to the receivers ------------------------------------------------------------------------------

    def dispatch(self, partition: int) -> None:
        """Has what is due sent, by whichever thread is free. Raises StoreAway."""
        for hook in dict.fromkeys(hook for hook, _ in self.register.due(partition, self._log.now(), PAGE)):
            self._ask(partition, hook)

    def _ask(self, partition: int, hook: str) -> None:
        with self._lock:
            if (partition, hook) in self._under_way:
                return
            self._under_way.add((partition, hook))
        self._asked.put((partition, hook))

    def _serve(self) -> None:
        while True:
            partition, hook = self._asked.get()
            more = False
            try:
                more = self.serve(partition, hook)
            except (StoreAway, Contended) as away:
                LOGGER.warning("webhook %s waits for the sweeper: %s", hook, away)
            except Exception:
                LOGGER.exception("webhook %s cannot be served", hook)
            finally:
                with self._lock:
                    self._under_way.discard((partition, hook))
            if more:
                self._ask(partition, hook)

    def serve(self, partition: int, name: str) -> bool:
        """Sends what is due to one webhook from one partition, the oldest first, until one fails; whether more is due.
        Raises StoreAway, Contended."""
        hook, now = self.register.hook(name), self._log.now()
        waiting = self.register.deliveries(partition, name)
        due = [message for of, message in self.register.due(partition, now, PAGE) if of == name]
        for message in due:
            if hook is None or message not in waiting:  # somebody has dropped it
                self.register.forget(partition, name, message, waiting.get(message, (None, None))[1])
        if hook is None:
            return False
        rows = sorted((waiting[message] for message in due if message in waiting), key=lambda kept: kept[0].place)
        for row, held in rows[:IN_A_ROW]:
            self._send(hook, row, held)
        return len(rows) > IN_A_ROW

    def _send(self, hook: Hook, row: Delivery, held: bytes | None) -> None:
        """One attempt, unless there is to be none, or somebody else is at it."""
        now, health = self._log.now(), self.register.health(hook.id)
        if hook.paused or health.disabled:
            self.register.put(replace(row, status="failed", error=health.disabled or "paused"), held)
        elif health.until_ms > now:  # one that fails is asked once, whatever waits for it
            self.register.put(replace(row, due_ms=health.until_ms), held)
        else:
            claimed = replace(row, tries=row.tries + 1, tried_ms=now, due_ms=now + CLAIM_MS)
            if self.register.put(claimed, held):
                self._settle(hook, claimed, self._attempt(hook, claimed), health)

    def _attempt(self, hook: Hook, row: Delivery) -> Reply:
        now, body = self._log.now(), row.body.encode()
        secrets = [secret_of(self._key, hook.id, generation) for generation in hook.generations(now)]
        return self._sender.send(hook.url, headers(secrets, row.id, now // SECOND, body), body)

    def _settle(self, hook: Hook, row: Delivery, reply: Reply, before: Health) -> None:
        """Writes down what became of an attempt: first how the receiver fares, for a message can be sent again."""
        now = self._log.now()
        told = replace(row, answer=reply.status, error=reply.error or ("" if reply.accepted else "refused"))
        if reply.accepted:
            if before != Health():
                self.register.fares(hook.id, lambda was: replace(was, since_ms=0, failures=0, until_ms=0))
            self.register.put(replace(told, status="delivered", due_ms=now), row.packed())
            return
        asked = min((reply.retry_after or 0) * SECOND, LONGEST_ALONE_MS) if reply.status in LEAVE_ALONE else 0
        last = row.tries > len(AGAIN_MS)
        wait = 0 if last else max(asked, int(AGAIN_MS[row.tries - 1] * (1 + JITTER * self._chance())))

        def failing(was: Health) -> Health:
            since, failures = was.since_ms or now, was.failures + 1
            alone = max(asked, min(AGAIN_MS[min(failures, len(AGAIN_MS)) - 1], ALONE_MS))
            exhausted = "exhausted" if last and now - since >= EXHAUSTED_MS else was.disabled
            return Health(since, failures, now + alone, "gone" if reply.status == GONE else exhausted)

        disabled = self.register.fares(hook.id, failing).disabled
        if disabled:
            LOGGER.warning("webhook %s is disabled: %s", hook.id, disabled)
        status = "failed" if last or disabled else "pending"
        self.register.put(replace(told, status=status, due_ms=now + wait), row.packed())


def remind(context: Context, partition: int) -> None:
    """Asks for a job where something is due, or where the outbox stands behind the feed. Raises StoreAway, and what the
    queue raises when it is away."""
    register, log = Register(context.log), context.log
    due = register.next_due(partition)
    if (due is not None and due <= log.now()) or behind(register, partition):
        context.queues.webhooks(partition)


def heard(context: Context, partition: int) -> bool:
    """Whether a webhook may have to be told of what happens in a partition. Raises StoreAway."""
    return bool(Register(context.log).hearing(partition))


def behind(register: Register, partition: int) -> bool:
    """Whether a webhook hears of this partition, and its outbox has not read the feed to the end."""
    log = register.log
    return bool(register.hearing(partition)) and log.cursor(partition, NAME, BUILD) < log.about(partition).position
