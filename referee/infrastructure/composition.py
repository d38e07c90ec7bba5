"""Puts a desk together: the log, the draws, the signature, the wake-up call, the ids of matches."""

from __future__ import annotations

import hmac
import logging
from collections import Counter
from collections.abc import Callable
from typing import Any

from redis.exceptions import RedisError
from rq import Queue, Retry, Worker

from referee.eventstore.contract import PARTITIONS, MatchLog, StoreAway
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.provenance import DrawsOfAll, Origins, signed
from referee.infrastructure.clients import ANSWERS_WITHIN, COUNTING_TIMEOUT, look, match_log, queue_client, store_id
from referee.infrastructure.errors import NoStore
from referee.infrastructure.integrity_check import Damage, gone, inspect
from referee.infrastructure.keyring import Keyring
from referee.infrastructure.root_publisher import Publisher, Signs
from referee.infrastructure.secrets import derived, server_secret
from referee.infrastructure.settings import Settings
from referee.service.match_service import Desk
from referee.transparency.randomness import Draws

DRAIN_QUEUE = "drain"
DRAIN_JOB = "workers.queue.drain_stirred"  # by name, as no door leads from here to the workers
VERDICTS = "bundles"
VERDICT_JOB = "workers.jobs.bundle_check.job"
VERDICT_SECONDS = 90  # that a job may take
ASKED_MS = 150_000  # how long it is believed that a job for a bundle is on its way
STIRRED = "referee:stirred"  # on the queue's server: the partitions that wait for a drain
DRAINING = "referee:draining"  # and that a job for them is on its way
ON_ITS_WAY_MS = 2000  # how long that is believed; a second job finds nothing left to do
GRACE_MS = 30_000  # what deadlines get that fell due while the store was away
LETTERS = "abcdefghijklmnopqrstuvwxyz"
LONG_ID = 26  # letters: 122 bits

log_of_this_room = logging.getLogger(__name__)


def desk(settings: Settings, log: MatchLog | None = None) -> Desk:
    """The desk over the store that the settings name, or over the log that is handed in (then nobody is woken unless
    the settings name a queue). Raises HostError: no store named, a weak secret, an exposed key."""
    secret = server_secret(settings.secret_file)
    origins = Origins(Archive(settings.archive))
    return Desk(
        match_log(settings, within=ANSWERS_WITHIN) if log is None else log,
        DrawsOfAll(derived(secret, "draws"), origins),
        signed(signature(Keyring(settings.signing_key_file), store_id(settings)), origins),
        waker(settings),
        identifier(secret),
    )


def draws(settings: Settings) -> Draws:
    """The server's chance, from its secret; and of matches from elsewhere what their servers have told of theirs."""
    return DrawsOfAll(derived(server_secret(settings.secret_file), "draws"), Origins(Archive(settings.archive)))


def publisher(settings: Settings, log: MatchLog) -> Publisher:
    """The log of roots of that store. Raises HostError: an exposed key, a weak secret."""
    return Publisher(log, Keyring(settings.signing_key_file), store_id(settings))


def signature(signer: Signs, store: str) -> Callable[[str, int, bytes], str]:
    """`sign(match, size, root)`: the receipt. The log's origin is `<store id>/<match>`."""

    def sign(match: str, size: int, root: bytes) -> str:
        return signer.receipt(f"{store}/{match}", size, root)

    return sign


def identifier(secret: bytes) -> Callable[[str], str]:
    """`identify(key)`: the id of the match that an opening request under this key makes, `07-<26 letters>`.

    The partition is the first byte modulo 64, the letters are the rest as a number to the base of 26.
    """
    key = derived(secret, "match-id")

    def identify(opening: str) -> str:
        digest = hmac.digest(key, opening.encode(), "sha256")
        number, letters = int.from_bytes(digest[1:], "big"), ""
        while len(letters) < LONG_ID:
            number, letter = divmod(number, len(LETTERS))
            letters += LETTERS[letter]
        return f"{digest[0] % PARTITIONS:02d}-{letters}"

    return identify


def waker(settings: Settings) -> Callable[[int], None]:
    """`wake(partition)`: asks for a drain of that partition, by one job for all that wait.

    A job costs some fifty calls of its server, and a drain a few: one job a partition was most of the workers' time.

    Jobs are hints: without a queue, or with one that is away, the commit stands and the sweeper enqueues anew.
    """
    if settings.queue_url is None:
        return lambda _: None
    connection = queue_client(settings, retries=0, within=COUNTING_TIMEOUT)  # a hint must not hold up the commit
    queue = Queue(DRAIN_QUEUE, connection=connection)

    def wake(partition: int) -> None:
        try:
            noted = connection.pipeline(transaction=False)
            noted.sadd(STIRRED, partition)
            noted.set(DRAINING, "1", nx=True, px=ON_ITS_WAY_MS)
            if noted.execute()[1]:
                queue.enqueue(DRAIN_JOB, result_ttl=0, failure_ttl=3600)
        except RedisError as wrong:
            log_of_this_room.warning("the queue is away, partition %d waits for the sweeper: %s", partition, wrong)

    return wake


def verdicts(settings: Settings) -> Callable[[str], None]:
    """`ask(bundle)`: asks for a bundle to be judged, unless that was done just now. The bundle lies in the store; what
    is lost here, whoever asks how it stands asks for again."""
    if settings.queue_url is None:
        return lambda _: None
    connection = queue_client(settings, retries=0, within=COUNTING_TIMEOUT)
    queue = Queue(VERDICTS, connection=connection)

    def ask(bundle: str) -> None:
        try:
            if connection.set(f"referee:bundle:{bundle}", "1", nx=True, px=ASKED_MS):
                queue.enqueue(
                    VERDICT_JOB, bundle, retry=Retry(max=3), result_ttl=0, failure_ttl=3600, job_timeout=VERDICT_SECONDS
                )
        except RedisError as wrong:
            log_of_this_room.warning("the queue is away, bundle %s waits to be asked about: %s", bundle, wrong)

    return ask


def queue_state(settings: Settings) -> Callable[[], dict[str, Any]]:
    """What a readiness check says of the queue: `{queue: ok | away | none, workers: {queue's name: how many}}`, and of
    one that answers how many jobs are `waiting` in each."""
    if settings.queue_url is None:
        return lambda: {"queue": "none", "workers": {}}
    connection = queue_client(settings, retries=0, within=COUNTING_TIMEOUT)

    def state() -> dict[str, Any]:
        try:
            seen = Counter(name for worker in Worker.all(connection=connection) for name in worker.queue_names())
            names = {*seen, *(queue.name for queue in Queue.all(connection=connection))}
            jobs = {name: Queue(name, connection=connection).count for name in sorted(names)}
        except RedisError:
            return {"queue": "away", "workers": {}}
        return {"queue": "ok", "workers": dict(seen), "waiting": jobs}

    return state


def after_start(settings: Settings, log: MatchLog | None = None) -> list[Damage]:
    """What a start owes to the matches: writers of an earlier run are fenced off, deadlines that fell due while the
    store was away get their grace, once per run of the store, and damaged matches are frozen; returns those, and those
    whose archive is missing.

    Raises NoStore.
    """
    log = match_log(settings) if log is None else log
    try:
        _fence_and_grace(settings, log)
        archive = Archive(settings.archive)
        lost = gone(log, archive)
        for damage in lost:
            archive.note(damage.match)
        return [*inspect(log, draws(settings).salt), *lost]
    except StoreAway as wrong:
        raise NoStore(f"the store does not answer: {wrong}") from wrong


def _fence_and_grace(settings: Settings, log: MatchLog) -> None:
    log.raise_epochs()
    graced(settings, log)


def graced(settings: Settings, log: MatchLog) -> None:
    """Gives time to what fell due while the store was away, once per run of the store. Raises StoreAway, NoStore."""
    if settings.store_url is not None and not settings.store_url.startswith("fake:"):
        about: dict[str, Any] = look(settings.store_url, cluster=settings.store_cluster)
        if run_id := about.get("run_id"):
            log.graceful(str(run_id), GRACE_MS)
