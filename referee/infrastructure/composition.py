"""Builds the match service: its log, draws, signature, wake-up call and match ids."""

from __future__ import annotations

import hmac
import logging
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import orjson
from redis.exceptions import RedisError
from rq import Queue, Retry, Worker

from referee.eventstore.contract import PARTITIONS, MatchLog, StoreUnavailable
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.provenance import FederatedRandomSource, OriginStore, build_origin_aware_signer
from referee.infrastructure.clients import (
    COUNTING_TIMEOUT,
    REQUEST_TIMEOUT,
    build_queue_client,
    build_run_id_reader,
    build_store_client,
    derive_store_id,
    open_match_log,
)
from referee.infrastructure.errors import StoreNotFoundError
from referee.infrastructure.integrity_check import (
    Damage,
    find_missing_archives,
    freeze_damaged_matches,
    freeze_lost_matches,
)
from referee.infrastructure.keyring import Keyring
from referee.infrastructure.publication.cosigned import COSIGNED_FILE, CosignedFile
from referee.infrastructure.publication.stamp_files import STAMPS_FOLDER, StampShelf
from referee.infrastructure.root_publisher import ORIGIN_SUFFIX, CheckpointSigner, RootLogError, RootPublisher
from referee.infrastructure.secrets import derive_key, load_server_secret
from referee.infrastructure.settings import Settings
from referee.infrastructure.watermarks.guard import HistoryGuard, HistoryLostError, SignedHistory
from referee.infrastructure.watermarks.mark_file import Mark, MarksUnavailable, build_marks_error
from referee.service.match_service import MatchService
from referee.transparency.randomness import ServerRandomSource

DRAIN_QUEUE = "drain"
DRAIN_JOB = "workers.queue.drain_waiting_partitions"  # by name, because this room may not import the workers
VERDICT_QUEUE = "bundles"
VERDICT_JOB = "workers.jobs.bundle_check.check_bundle"
VERDICT_SECONDS = 90  # the longest that a job may take
VERDICT_PENDING_MS = 150_000  # how long a job for a bundle counts as queued
THINKER_QUEUE = "thinkers"
HINT_JOB = "workers.jobs.hints.work_out_hint"
HINT_SECONDS = 5  # for which a player waits for a hint, and a job for its worker
HINT_JOB_SECONDS = 10  # the longest that a job may take
HINT_PAUSE_SECONDS = 0.03  # between two looks for the hint
HINT_KEPT_MS = 600_000  # how long a hint is kept for whoever asks again
CHANGED_PARTITIONS_KEY = "referee:stirred"  # on the queue's server: partitions that wait for a drain
DRAIN_PENDING_KEY = "referee:draining"  # says that a job for them is queued
DRAIN_PENDING_MS = 2000  # how long the job counts as queued; a second job would find nothing left to do
GRACE_MS = 30_000  # the time added to deadlines that passed while the store was away
PLAYS_OVERDUE_MS = 5000  # what is overdue for longer is left to the sweeper, which knows whether the clock jumped
ID_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
MATCH_ID_LETTERS = 26  # 122 bits

LOGGER = logging.getLogger(__name__)


def build_match_service(settings: Settings, log: MatchLog | None = None) -> MatchService:
    """Return the match service over the settings' store, or over the given log.

    With a log, workers are woken only if the settings name a queue. Raises HostError if no store is named, the secret
    is weak or the key is exposed.
    """
    secret = load_server_secret(settings.secret_file)
    origins = OriginStore(Archive(settings.archive_path))
    log = open_match_log(settings, within=REQUEST_TIMEOUT) if log is None else log
    guard = HistoryGuard(open_signed_history(settings), log)
    sign = build_receipt_signer(Keyring(settings.signing_key_file), derive_store_id(settings))
    service = MatchService(
        log,
        FederatedRandomSource(derive_key(secret, "draws"), origins),
        build_origin_aware_signer(guard.guard_signature(sign), origins),
        build_drain_requester(settings),
        build_match_id_maker(secret),
        time.monotonic,
    )
    service.appender.watch = guard
    service.appender.plays_overdue_ms = PLAYS_OVERDUE_MS
    return service


def open_signed_history(settings: Settings) -> SignedHistory:
    """Return what was signed by this server, on all of its hosts."""
    return SignedHistory(settings.watermarks_path)


def build_random_source(settings: Settings) -> ServerRandomSource:
    """Return the server's draws, with the disclosed ones of matches from elsewhere."""
    return FederatedRandomSource(
        derive_key(load_server_secret(settings.secret_file), "draws"), OriginStore(Archive(settings.archive_path))
    )


def build_publisher(settings: Settings, log: MatchLog) -> RootPublisher:
    """Return the publisher of that store's root log.

    Raises HostError if the key is exposed or the secret is weak.
    """
    signer, store = Keyring(settings.signing_key_file), derive_store_id(settings)
    history = open_signed_history(settings)

    def require_continued(size: int, root: bytes, find_root: Callable[[int], bytes | None]) -> None:
        try:
            history.require_continued(ORIGIN_SUFFIX, Mark(size, root), find_root, settle=log.wait_for_replicas)
        except HistoryLostError as lost:
            raise RootLogError(str(lost)) from lost

    return RootPublisher(log, signer, store, *open_statements(settings), require_continued)


def open_statements(settings: Settings) -> tuple[CosignedFile, StampShelf]:
    """Return what is kept here of what others say of the root log."""
    return CosignedFile(settings.data_dir / COSIGNED_FILE), StampShelf(settings.data_dir / STAMPS_FOLDER)


def build_receipt_signer(signer: CheckpointSigner, store: str) -> Callable[[str, int, bytes], str]:
    """Return `sign(match, size, root)`, which signs a receipt.

    The log's origin is `<store id>/<match>`.
    """

    def sign(match: str, size: int, root: bytes) -> str:
        return signer.sign_receipt(f"{store}/{match}", size, root)

    return sign


def build_match_id_maker(secret: bytes) -> Callable[[str], str]:
    """Return `identify(key)`, which gives the id of the match that a request opens.

    `key` is the request's. The id is `07-<26 letters>`. The partition is the first byte modulo 64, the letters are the
    rest as a number to base 26.
    """
    key = derive_key(secret, "match-id")

    def identify(opening: str) -> str:
        digest = hmac.digest(key, opening.encode(), "sha256")
        number, letters = int.from_bytes(digest[1:], "big"), ""
        while len(letters) < MATCH_ID_LETTERS:
            number, letter = divmod(number, len(ID_ALPHABET))
            letters += ID_ALPHABET[letter]
        return f"{digest[0] % PARTITIONS:02d}-{letters}"

    return identify


def build_drain_requester(settings: Settings) -> Callable[[int], None]:
    """Return `wake(partition)`, which asks for a drain of that partition.

    One job serves all partitions that wait: a job costs some fifty calls of its server and a drain a few, so one job
    for each partition took most of the workers' time. Jobs are hints: if the queue is missing or away, the commit
    stands, and the sweeper enqueues later.
    """
    if settings.queue_url is None:
        return lambda _: None
    connection = build_queue_client(settings, retries=0, within=COUNTING_TIMEOUT)  # a hint must not delay the commit
    queue = Queue(DRAIN_QUEUE, connection=connection)

    def wake(partition: int) -> None:
        try:
            noted = connection.pipeline(transaction=False)
            noted.sadd(CHANGED_PARTITIONS_KEY, partition)
            noted.set(DRAIN_PENDING_KEY, "1", nx=True, px=DRAIN_PENDING_MS)
            if noted.execute()[1]:
                queue.enqueue(DRAIN_JOB, result_ttl=0, failure_ttl=3600)
        except RedisError as wrong:
            LOGGER.warning("the queue is away, partition %d waits for the sweeper: %s", partition, wrong)

    return wake


def build_verdict_requester(settings: Settings) -> Callable[[str], None]:
    """Return `request_verdict(bundle)`, which asks for a bundle to be checked.

    It does nothing if that was asked just now. The bundle is in the store: if the job is lost, the next client that
    asks for the result asks for the check again.
    """
    if settings.queue_url is None:
        return lambda _: None
    connection = build_queue_client(settings, retries=0, within=COUNTING_TIMEOUT)
    queue = Queue(VERDICT_QUEUE, connection=connection)

    def request_verdict(bundle: str) -> None:
        try:
            if connection.set(f"referee:bundle:{bundle}", "1", nx=True, px=VERDICT_PENDING_MS):
                queue.enqueue(
                    VERDICT_JOB, bundle, retry=Retry(max=3), result_ttl=0, failure_ttl=3600, job_timeout=VERDICT_SECONDS
                )
        except RedisError as wrong:
            LOGGER.warning("the queue is away, bundle %s waits until its result is requested: %s", bundle, wrong)

    return request_verdict


def build_hint_requester(settings: Settings) -> Callable[[str, int, int], dict[str, Any] | None]:
    """Return `request_hint(match, seat, at)`, which waits for a worker's hint.

    It answers None if no worker has done so in time. A hint that was worked out lately is not asked for again.
    """
    if settings.queue_url is None:
        return lambda _match, _seat, _at: None
    connection = build_queue_client(settings, retries=0, within=COUNTING_TIMEOUT)
    queue = Queue(THINKER_QUEUE, connection=connection)

    def request_hint(match: str, seat: int, at: int) -> dict[str, Any] | None:
        until, key = time.monotonic() + HINT_SECONDS, name_hint(match, seat, at)
        try:
            while (found := connection.get(key)) is None:
                if connection.set(f"{key}:asked", "1", nx=True, px=1000 * HINT_SECONDS):
                    queue.enqueue(
                        HINT_JOB,
                        *(match, seat, at),
                        ttl=HINT_SECONDS,
                        result_ttl=0,
                        failure_ttl=3600,
                        job_timeout=HINT_JOB_SECONDS,
                        at_front=True,  # a person waits for it; behind bots that play each other it would expire
                    )
                if time.monotonic() > until:
                    return None
                time.sleep(HINT_PAUSE_SECONDS)
        except RedisError as wrong:
            LOGGER.warning("the queue is away, nobody works out hints: %s", wrong)
            return None
        hint: dict[str, Any] = orjson.loads(found)
        return hint

    return request_hint


def name_hint(match: str, seat: int, at: int) -> str:
    """Return the key under which the queue's server keeps a hint."""
    return f"referee:hint:{match}:{seat}:{at}"


def build_queue_check(settings: Settings) -> Callable[[], dict[str, Any]]:
    """Return a check of the queue for readiness.

    It answers `{queue: ok | away | none, workers: {name of a queue: number}}`, and if the queue is ok the number of
    jobs that are `waiting` in each.
    """
    if settings.queue_url is None:
        return lambda: {"queue": "none", "workers": {}}
    connection = build_queue_client(settings, retries=0, within=COUNTING_TIMEOUT)

    def state() -> dict[str, Any]:
        try:
            seen = Counter(name for worker in Worker.all(connection=connection) for name in worker.queue_names())
            names = {*seen, *(queue.name for queue in Queue.all(connection=connection))}
            jobs = {name: Queue(name, connection=connection).count for name in sorted(names)}
        except RedisError:
            return {"queue": "away", "workers": {}}
        return {"queue": "ok", "workers": dict(seen), "waiting": jobs}

    return state


def build_queue_survey(settings: Settings) -> Callable[[], dict[str, dict[str, float]]]:
    """Return a survey of the queues for metrics.

    By queue, it says for how many seconds the next job has waited, and how many jobs failed lately. It is empty while
    the queue is away.
    """
    if settings.queue_url is None:
        return dict
    connection = build_queue_client(settings, retries=0, within=COUNTING_TIMEOUT)

    def survey(queue: Queue) -> dict[str, float]:
        since = next((job.enqueued_at for job in queue.get_jobs(0, 1)), None)
        waited = 0.0 if since is None else (datetime.now(UTC) - since.replace(tzinfo=UTC)).total_seconds()
        return {"oldest_seconds": max(0.0, waited), "failed": float(queue.failed_job_registry.count)}

    def survey_all() -> dict[str, dict[str, float]]:
        try:
            served = {name for worker in Worker.all(connection=connection) for name in worker.queue_names()}
            names = served | {queue.name for queue in Queue.all(connection=connection)}
            return {name: survey(Queue(name, connection=connection)) for name in names}
        except RedisError:
            return {}

    return survey_all


def recover_after_start(settings: Settings, log: MatchLog | None = None) -> list[Damage]:
    """Prepare the store after a start, and return the matches that are damaged.

    Writers of an earlier run are fenced off. Deadlines that passed while the store was away are extended, once per run
    of the store. Damaged matches are frozen, and those that no longer have what was signed of them. The result also has
    the archived matches whose file is missing. Raises StoreNotFoundError, HostError.
    """
    log = open_match_log(settings) if log is None else log
    try:
        _fence_and_extend_deadlines(settings, log)
        archive = Archive(settings.archive_path)
        lost = find_missing_archives(log, archive)
        for damage in lost:
            archive.note_unreadable(damage.match)
        damaged = freeze_damaged_matches(log, build_random_source(settings).salt)
        return [*damaged, *freeze_lost_matches(log, open_signed_history(settings)), *lost]
    except MarksUnavailable as wrong:
        raise build_marks_error(wrong) from wrong
    except StoreUnavailable as wrong:
        raise StoreNotFoundError(f"the store does not answer: {wrong}") from wrong


def _fence_and_extend_deadlines(settings: Settings, log: MatchLog) -> None:
    log.raise_epochs()
    extend_missed_deadlines(settings, log)


def extend_missed_deadlines(settings: Settings, log: MatchLog) -> None:
    """Extend the deadlines that passed while the store was away.

    It does so once per run of the store. Raises StoreUnavailable, StoreNotFoundError.
    """
    if settings.store_url is None or settings.store_url.startswith("fake:"):
        return
    if run_id := build_run_id_reader(build_store_client(settings))():
        log.extend_overdue_deadlines(run_id, GRACE_MS)
