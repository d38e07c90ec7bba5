"""Clients of the store, which holds the truth, and of the queue, which has hints.

Replies stay bytes, because stored bytes are hashed. A `fake://` URL is a server inside this process, for unit tests:
nothing else sees it, and it ends with the process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import redis
from redis.backoff import ExponentialWithJitterBackoff
from redis.cluster import RedisCluster
from redis.exceptions import (
    AskError,
    BusyLoadingError,
    ClusterError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
    TryAgainError,
)
from redis.retry import Retry

from referee.eventstore.contract import MatchLog, StoreUnavailable
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.archived_log import attach_archive
from referee.infrastructure.errors import HostError, StoreNotFoundError
from referee.infrastructure.secrets import derive_key, load_server_secret
from referee.infrastructure.settings import Settings
from referee.infrastructure.stores.requirements import find_version_gap

if TYPE_CHECKING:
    from fakeredis import FakeServer

# The store does not answer (503): nothing was decided, and the client may repeat the request under the same key.
UNAVAILABLE_ERRORS: tuple[type[Exception], ...] = (
    redis.exceptions.ConnectionError,
    redis.exceptions.TimeoutError,
    AskError,  # a slot that moves key by key, or has moved
    BusyLoadingError,
    ClusterError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    TryAgainError,
)
# whatever a client raises: a cluster's has errors of its own kind
STORE_ERRORS = (RedisError, RedisClusterException)
LONGEST_BLOCK = 5.0  # seconds that a command may BLOCK, so that the socket's time limit does not cut it off
SOCKET_TIMEOUT = LONGEST_BLOCK + 5.0
CONNECT_TIMEOUT = 2.0
REQUEST_TIMEOUT = 3.0  # seconds that a request waits for the store before the client gets a 503
RETRIES = 3  # redis-py 8 resends ten times by itself; fewer are faster (every write has a key, so resending is safe)
CONNECTIONS = 64  # per process; a thread that finds none free waits, then answers 503
WAIT_FOR_CONNECTION = 2.0
COUNTING_TIMEOUT = 1.0  # seconds; counting a request must not delay it

CLUSTER_RETRIES = 1  # each try may wait for a server that is gone, and a failover takes longer than all tries


PLAIN_WORDS = "Cluster mode is not enabled"  # of a cluster's client that meets a plain server


class OtherStoreError(HostError):
    """The store is a cluster and the settings deny it, or the other way round."""

    exit_code = 78  # EX_CONFIG


class PromptCluster(RedisCluster):
    """A cluster's client that does not send again what was not answered in time."""

    ERRORS_ALLOW_RETRY = tuple(  # type: ignore[assignment]  # it is declared as just those four
        error for error in RedisCluster.ERRORS_ALLOW_RETRY if error is not redis.exceptions.TimeoutError
    )


_fakes: dict[str, FakeServer] = {}
_fakes_lock = threading.Lock()


def build_store_client(settings: Settings, *, within: float = SOCKET_TIMEOUT) -> Any:
    """Return the store's client: redis.Redis, RedisCluster or a fake.

    It is typed Any, because the three have the same commands and no class in common. Raises StoreNotFoundError if no
    URL is set.
    """
    if settings.store_url is None:
        raise StoreNotFoundError("REFEREE_STORE_URL is not set; `referee serve` starts a store of its own")
    return build_client(settings.store_url, cluster=settings.store_cluster, within=within)


def build_queue_client(settings: Settings, *, retries: int = RETRIES, within: float = SOCKET_TIMEOUT) -> Any:
    """Return the queue's client. Raises StoreNotFoundError if no URL is set."""
    if settings.queue_url is None:
        raise StoreNotFoundError("REFEREE_QUEUE_URL is not set; `referee serve` starts a queue of its own")
    return build_client(settings.queue_url, retries=retries, within=within)


def build_rate_limit_pool(url: str) -> Any:
    """Return a connection pool for the counters of rate limits.

    A thread that finds no connection free waits a little. A pool that refuses instead made errors of a hundred
    simultaneous requests (measured).
    """
    options: dict[str, Any] = {"socket_timeout": COUNTING_TIMEOUT}
    if urlsplit(url).scheme != "unix":
        options["socket_connect_timeout"] = COUNTING_TIMEOUT
    return redis.BlockingConnectionPool.from_url(url, max_connections=CONNECTIONS, timeout=COUNTING_TIMEOUT, **options)


def build_client(url: str, *, cluster: bool = False, retries: int = RETRIES, within: float = SOCKET_TIMEOUT) -> Any:
    """Return a client for one URL; that of a cluster connects at once.

    A command that is not answered `within` that many seconds has failed. It is resent if the connection broke, and
    after a timeout only if `within` is the full socket timeout. Raises StoreNotFoundError.
    """
    if urlsplit(url).scheme == "fake":
        return _build_fake_client(url)
    resent: tuple[type[Exception], ...] = (redis.exceptions.ConnectionError,)
    if within >= SOCKET_TIMEOUT:
        resent += (redis.exceptions.TimeoutError,)
    options: dict[str, Any] = {
        "decode_responses": False,
        "socket_timeout": within,
        "retry": Retry(ExponentialWithJitterBackoff(base=0.02, cap=0.3), retries, supported_errors=resent),
    }
    if urlsplit(url).scheme != "unix":  # a Unix socket has no handshake to wait for
        options |= {"socket_connect_timeout": CONNECT_TIMEOUT, "socket_keepalive": True}
    if cluster:
        return _build_cluster_client(url, options, is_prompt=within < SOCKET_TIMEOUT)
    pool = redis.BlockingConnectionPool.from_url(
        url, max_connections=CONNECTIONS, timeout=WAIT_FOR_CONNECTION, health_check_interval=30, **options
    )
    return redis.Redis(connection_pool=pool)


def _build_cluster_client(url: str, options: dict[str, Any], *, is_prompt: bool) -> RedisCluster:
    """Return a client of a cluster, which answers in time if it `is_prompt`.

    It connects at once. Of `retry` it takes the number of tries alone. Raises StoreNotFoundError.
    """
    if is_prompt and options["retry"].get_retries() > CLUSTER_RETRIES:
        options = options | {"retry": Retry(ExponentialWithJitterBackoff(base=0.02, cap=0.3), CLUSTER_RETRIES)}
    try:
        return (PromptCluster if is_prompt else RedisCluster).from_url(url, **options)
    except RedisClusterException as wrong:  # none of its servers answers, or they do not know of each other yet
        if PLAIN_WORDS in str(wrong):
            raise OtherStoreError(f"{hide_password(url)} is no cluster: unset REFEREE_STORE_CLUSTER") from wrong
        raise StoreNotFoundError(f"{hide_password(url)} does not answer: {wrong}") from wrong


def _build_fake_client(url: str) -> Any:
    """Return a client of the in-process server of that URL.

    Equal URLs mean the same server.
    """
    from fakeredis import FakeRedis, FakeServer  # imported only here, because that is slow

    with _fakes_lock:
        server = _fakes.setdefault(url, FakeServer())
    return FakeRedis(server=server, decode_responses=False)


class FakeServers:
    """A store and a queue in this process, which others on this machine reach by TCP.

    They are for `--ephemeral` where no real server is installed. They keep nothing, and do one thing at a time.
    """

    def __init__(self) -> None:
        from fakeredis import TcpFakeServer

        self._servers = {name: TcpFakeServer(("127.0.0.1", 0)) for name in ("store", "queue")}
        for name, server in self._servers.items():
            threading.Thread(target=server.serve_forever, args=(0.05,), name=f"fake {name}", daemon=True).start()

    @property
    def store_url(self) -> str:
        """The store's address."""
        return self._build_url("store")

    @property
    def queue_url(self) -> str:
        """The queue's address."""
        return self._build_url("queue")

    def _build_url(self, name: str) -> str:
        return f"redis://127.0.0.1:{self._servers[name].server_address[1]}/0"

    def find_dead_servers(self) -> list[str]:
        """Return no names: the servers are threads of this process and never die."""
        return []

    def restart_server(self, name: str) -> None:
        """Raise HostError: no server ever dies, so this is never called."""
        raise HostError(f"the fake {name} cannot be restarted")

    def guard_disk(self) -> str:
        """Return nothing to tell: the servers write to no disk."""
        return ""

    def stop(self, within: float = 2.0) -> None:
        """End both servers and discard what they held."""
        for server in self._servers.values():
            server.shutdown()
            server.socket.close()  # not server_close(): it would wait for connections that clients still hold


def open_match_log(settings: Settings, *, within: float = SOCKET_TIMEOUT) -> MatchLog:
    """Return the log of all matches in the settings' store, archived ones included.

    A call that takes longer than `within` seconds raises StoreUnavailable. Raises StoreNotFoundError if no store is
    named.
    """
    log = RedisLog(
        build_store_client(settings, within=within),
        UNAVAILABLE_ERRORS,
        derive_store_id(settings),
        spread=settings.store_cluster,
        replicas=settings.store_replicas,
        replicas_within_ms=settings.store_replicas_ms,
    )
    return attach_archive(log, Archive(settings.archive_path))


def derive_store_id(settings: Settings) -> str:
    """Return the name of this store in receipts.

    It follows from the server's secret, so all hosts that share the secret agree.
    """
    return derive_key(load_server_secret(settings.secret_file), "store-id").hex()[:16]


def fetch_server_info(url: str) -> dict[str, Any]:
    """Return what the server behind a URL says about itself (INFO).

    Raises StoreNotFoundError if it cannot be reached.
    """
    try:
        info: dict[str, Any] = build_client(url).info()
    except STORE_ERRORS as wrong:
        raise StoreNotFoundError(f"{hide_password(url)} does not answer: {wrong}") from wrong
    return info


def build_run_id_reader(client: Any) -> Callable[[], str]:
    """Return a function that reads the run id of the store server.

    The id changes when the server is restarted; in a cluster, when any of the primaries is. It is empty if the server
    has none (a fake one). The function raises StoreUnavailable.
    """

    def read_run_id() -> str:
        try:
            if hasattr(client, "get_primaries"):
                answers = client.info("server", target_nodes=client.PRIMARIES)
                return "+".join(sorted(str(info["run_id"]) for info in answers.values()))
            return str(client.info("server")["run_id"])
        except UNAVAILABLE_ERRORS as away:
            raise StoreUnavailable(str(away)) from away
        except ResponseError:
            return ""

    return read_run_id


def refuse_replica(settings: Settings) -> list[str]:
    """Raise HostError if the store takes no writes, or is no cluster as declared.

    A replica takes none. Return a sentence for each server that has fewer replicas than a write waits for; these may
    come back.
    """
    if settings.store_url is None or urlsplit(settings.store_url).scheme == "fake":
        return []
    lacking: list[str] = []
    shown, client = hide_password(settings.store_url), build_store_client(settings)
    try:
        for primary in _connect_primaries(client, cluster=settings.store_cluster):
            if not settings.store_cluster and int(primary.info("cluster").get("cluster_enabled", 0)):
                raise OtherStoreError(f"{shown} belongs to a cluster: set REFEREE_STORE_CLUSTER=true")
            about: dict[str, Any] = primary.info("replication")
            if about.get("role") != "master":
                raise HostError(f"{shown} is a replica; REFEREE_STORE_URL has to name the server that takes writes")
            replicas = int(about.get("connected_slaves", 0))
            if replicas < settings.store_replicas:
                lacking.append(
                    f"{_name_server(primary)} has {replicas} replicas, and REFEREE_STORE_REPLICAS asks for "
                    f"{settings.store_replicas}: until then its writes get 503"
                )
    except STORE_ERRORS as wrong:
        raise StoreNotFoundError(f"{shown} does not answer: {wrong}") from wrong
    return lacking


def _connect_primaries(client: Any, *, cluster: bool) -> list[Any]:
    """Return a client of each server of the store that takes writes."""
    return [client.get_redis_connection(node) for node in client.get_primaries()] if cluster else [client]


def _name_server(client: Any) -> str:
    """Return where a client leads to."""
    about: dict[str, Any] = client.connection_pool.connection_kwargs
    return about["path"] if "path" in about else f"{about['host']}:{about['port']}"


def refuse_unsuited_queue(settings: Settings) -> None:
    """Raise HostError if the queue is a cluster or too old.

    RQ's keys span the slots of a cluster, and its workers fail there (measured).
    """
    if settings.queue_url is None or urlsplit(settings.queue_url).scheme == "fake":
        return
    info = fetch_server_info(settings.queue_url)
    if int(info.get("cluster_enabled", 0)):
        raise HostError("REFEREE_QUEUE_URL names a cluster; the queue needs a plain server of its own")
    for gap in find_version_gap(info):
        raise HostError(f"REFEREE_QUEUE_URL: {gap}")


def hide_password(url: str) -> str:
    """Return the URL without user and password, so that it may be shown."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
