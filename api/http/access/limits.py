"""Rate limits per token and per address; the counters are with the queue's server.

A request is counted for its client on the queue's server, and for its address in this process. A process leases a few
requests at a time from that server, because a call for each request cost a fifth of what a view costs (measured). So
the total that all processes grant is exact. But an unused lease is not available to other processes and is not returned
when a new minute begins, so up to a thirty-second part of a limit for each process may be missing or granted in
addition. While that server is unavailable, each process counts by itself.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable
from threading import Lock
from typing import Any

import structlog
from cachetools import LRUCache
from flask import Flask, Response, current_app, g, request
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter

from api.http.access.addresses import group_address
from api.http.access.local import is_local_request
from referee.service.rights import tokens

ADDRESS_FACTOR = 10  # a LAN of players has one address; more than this no client gets by inventing tokens, from each
# process of the API, which counts addresses by itself
COUNTED_KEY = "referee.counted"  # in the environ: as what the hot lane has counted the request before it passed it on
UNLIMITED_PATHS = ("/healthz", "/readyz")
DEFAULTS = {"reads": 600, "writes": 120, "dry_runs": 60, "joins": 10, "matches": 30, "disputes": 60, "takebacks": 20}
DEFAULTS |= {"bundles": 12}
UNCOUNTED_IF_REFUSED = (
    "matches",
    "disputes",
    "takebacks",
)  # only what is opened counts; a refusal is a write
HOURLY = ("matches", "disputes", "takebacks", "bundles")
BY_ADDRESS = ("joins", "matches", "bundles")  # requested without a token; invented ones must not count for themselves
LEASES_PER_LIMIT = 32  # a limit is leased in this many parts, or one by one if it is smaller
MAX_LEASE = 20  # requests in one lease at most
MAX_CLIENTS = 10_000  # clients whose leases are kept at most
LOCK_STRIPES = 64  # clients at most for whom a process takes a lease at the same time
ROUNDING_SECONDS = 0.5  # seconds by which the server of counters may be short: it rounds to the nearest whole second
RETRY_SHARED_AFTER = 2.0  # seconds until an unavailable server of counters is tried again
LOGGER = structlog.get_logger("referee.api")
POSITION_OPERATIONS = ("judgePosition", "countPosition", "listPositionMoves")
# Checks of moves, and what costs as much: rulings on positions, previews, a census, a match, a hint.
DRY_RUN_OPERATIONS = (
    "checkMove",
    *POSITION_OPERATIONS,
    *("getDispute", "getRemedy", "getCensus", "getBundle", "takeHint", "checkCardTable", "checkQuestionFile"),
    "getMatchFairnessPlot",  # those of games and standings are few, and kept
)
PAGE_OPERATIONS = ("getScene", "getPageFile")  # the same bytes for everybody: a room of phones loads them at once
LIMITED_OPERATIONS = {
    **{"joinMatch": "joins", "makePlayer": "joins", "addDevice": "joins", "openMatch": "matches"},
    "openTournament": "matches",
    **{"openDispute": "disputes", "askTakeback": "takebacks"},
    **{"judgeBundle": "bundles"},
}


def name_operation() -> str:
    """Return the operation that this request asks for; empty if there is none."""
    return (request.endpoint or "").rpartition(".")[2]


def classify_request() -> str:
    """Return the name of the limit that this request counts against."""
    operation = name_operation()
    if operation in LIMITED_OPERATIONS:
        return LIMITED_OPERATIONS[operation]
    if operation in DRY_RUN_OPERATIONS:
        return "dry_runs"
    return "reads" if request.method in ("GET", "HEAD") else "writes"


def get_client_address() -> str:
    """Return the address of the client, as it is counted."""
    return group_address(request.remote_addr or "")


def identify_client() -> str:
    """Return the name under which the client is counted.

    It is the hash of the token if the request shows one, otherwise the address.
    """
    _, _, given = request.headers.get("Authorization", "").partition(" ")
    if tokens.TOKEN_PATTERN.fullmatch(given.strip()):
        return get_client_name(tokens.hash_token(given.strip()))
    return get_client_address()


def get_client_name(token_hash: str) -> str:
    """Return the name under which the holder of a token is counted."""
    return token_hash[:32]


class RateLimitExceeded(Exception):
    """A client made too many requests: which limit, and the seconds to wait."""

    def __init__(self, limit: RateLimitItem, wait: int, name: str = "addresses") -> None:
        super().__init__(str(limit))
        self.limit, self.wait, self.name = limit, wait, name


def round_up_seconds(seconds: float) -> int:
    """Return the seconds as a whole number, rounded up, at least 1.

    Retry-After takes whole seconds only, and a client that waits for them must not come too early.
    """
    return max(1, math.ceil(seconds))


class AddressCounter:
    """Counts the requests of each address to this process in the present minute.

    The library's counters in memory start a thread every few requests, which cost more than all other limits together
    (measured).
    """

    def __init__(self, limit: RateLimitItem) -> None:
        self._limit, self._began, self._asked = limit, 0.0, Counter[str]()
        self._lock = Lock()

    def count_request(self, where: str, cost: int = 1) -> None:
        """Count a request. Raises RateLimitExceeded."""
        now, lasts = time.monotonic(), self._limit.get_expiry()
        with self._lock:
            if now - self._began >= lasts:
                self._began, self._asked = now, Counter()
            self._asked[where] += cost
            if self._asked[where] > self._limit.amount:
                raise RateLimitExceeded(self._limit, round_up_seconds(self._began + lasts - now))


class QuotaLease:
    """The requests that this process may still grant, by kind of limit and client."""

    def __init__(self) -> None:
        self._kept: LRUCache[tuple[str, ...], tuple[int, float]] = LRUCache(MAX_CLIENTS)
        self._lock = Lock()

    def use_one(self, *scope: str) -> bool:
        """Use up one request of a lease; return False if there is none left."""
        with self._lock:
            left, until = self._kept.get(scope, (0, 0.0))
            if left < 1 or until <= time.monotonic():
                return False
            self._kept[scope] = left - 1, until
            return True

    def add_requests(self, more: int, seconds: float, *scope: str) -> None:
        """Add `more` requests to a lease; a new lease lasts `seconds`."""
        if more < 1:
            return
        now = time.monotonic()
        with self._lock:
            left, until = self._kept.pop(scope, (0, 0.0))
            self._kept[scope] = (left + more, until) if until > now and left else (more, now + seconds)


class RateLimits:
    """The counters of one app. Several processes count together in `shared`."""

    def __init__(self, rates: dict[str, int], shared: Storage | None) -> None:
        per = {name: RateLimitItemPerHour if name in HOURLY else RateLimitItemPerMinute for name in DEFAULTS}
        self._limits = {name: per[name](rates[name], 1, "referee") for name in DEFAULTS}
        self._addresses = AddressCounter(RateLimitItemPerMinute(rates["reads"] * ADDRESS_FACTOR, 1, "referee"))
        self._own = FixedWindowRateLimiter(MemoryStorage())
        self._shared = self._own if shared is None else FixedWindowRateLimiter(shared)
        self._leases, self._away_until = QuotaLease(), 0.0
        self._lease_locks = tuple(Lock() for _ in range(LOCK_STRIPES))

    def count_request(self, name: str, who: str, where: str) -> None:
        """Count a request of a kind. Raises RateLimitExceeded."""
        self._addresses.count_request(where)
        if self._leases.use_one(name, who):
            return
        # one at a time for a client: else each of many simultaneous requests leases many, and none are left for others
        with self._lease_locks[hash((name, who)) % LOCK_STRIPES]:
            if not self._leases.use_one(name, who):
                self._take_lease_or_fall_back(name, who)

    def _take_lease_or_fall_back(self, name: str, who: str) -> None:
        try:
            self._take_lease(self._active_counter(), self._limits[name], name, who)
        except StorageError as away:
            self._fall_back_to_local(away)
            self._take_lease(self._own, self._limits[name], name, who)

    def count_address(self, where: str) -> None:
        """Count a request for its address only. Raises RateLimitExceeded."""
        self._addresses.count_request(where)

    def uncount_request(self, name: str, who: str) -> None:
        """Return a request to the client that came to nothing; its address stays counted."""
        self._leases.add_requests(1, self._limits[name].get_expiry(), name, who)

    def give_back(self, name: str, who: str, where: str) -> None:
        """Return a counted request to the client, because it cost nothing."""
        self._addresses.count_request(where, -1)
        self._leases.add_requests(1, self._limits[name].get_expiry(), name, who)

    def count_event(self, limit: RateLimitItem, *scope: str) -> None:
        """Count something that may happen at most so often in all processes."""
        self._ask_storage(lambda storage: storage.incr(limit.key_for(*scope), limit.get_expiry()))

    def is_exhausted(self, limit: RateLimitItem, *scope: str) -> bool:
        """Return whether it has happened as often as it may."""
        counted = self._ask_storage(lambda storage: storage.get(limit.key_for(*scope)))
        return counted >= limit.amount and not self._ask_storage(lambda storage: _end_overlong(storage, limit, *scope))

    def refuse_exhausted(self, limit: RateLimitItem, kind: str, *scope: str) -> None:
        """Raise RateLimitExceeded if it has happened as often as it may."""
        if self.is_exhausted(limit, *scope):
            until = self._ask_storage(lambda storage: storage.get_expiry(limit.key_for(*scope)))
            wait = round_up_seconds(until - time.time() + ROUNDING_SECONDS)
            raise RateLimitExceeded(limit, min(wait, limit.get_expiry()), kind)

    def _ask_storage(self, ask: Callable[[Storage], float]) -> float:
        """Return what the shared counters answer.

        While they are away, this process's own answer.
        """
        try:
            return ask(self._active_counter().storage)
        except StorageError as away:
            self._fall_back_to_local(away)
            return ask(self._own.storage)

    def _take_lease(self, counter: FixedWindowRateLimiter, limit: RateLimitItem, *scope: str) -> None:
        wanted = max(1, min(limit.amount // LEASES_PER_LIMIT, MAX_LEASE))
        total = counter.storage.incr(limit.key_for(*scope), limit.get_expiry(), amount=wanted)
        if total > limit.amount and _end_overlong(counter.storage, limit, *scope):
            total = counter.storage.incr(limit.key_for(*scope), limit.get_expiry(), amount=wanted)
        granted = wanted - max(0, total - limit.amount)
        if granted < 1:
            left = counter.get_window_stats(limit, *scope).reset_time - time.time() + ROUNDING_SECONDS
            raise RateLimitExceeded(limit, min(round_up_seconds(left), limit.get_expiry()), scope[0])
        self._leases.add_requests(granted - 1, limit.get_expiry(), *scope)

    def _active_counter(self) -> FixedWindowRateLimiter:
        return self._own if time.monotonic() < self._away_until else self._shared

    def _fall_back_to_local(self, why: StorageError) -> None:
        LOGGER.warning("requests are counted by this process alone", cause=str(why.storage_error))
        self._away_until = time.monotonic() + RETRY_SHARED_AFTER


def _end_overlong(storage: Storage, limit: RateLimitItem, *scope: str) -> bool:
    """Forget a count if it would last longer than its window; tell whether it did.

    A server of counters keeps when a window ends as a time of day: if its clock is set back, it lasts hours longer.
    """
    key = limit.key_for(*scope)
    if storage.get_expiry(key) - time.time() <= limit.get_expiry() + 2 * ROUNDING_SECONDS:
        return False
    storage.clear(key)
    return True


def count_current_request() -> None:
    """Count the request, unless the hot lane has counted it. Raises RateLimitExceeded."""
    if counted := request.environ.get(COUNTED_KEY):
        g.counted = counted
    elif is_cheap_for_others():
        get_rate_limits().count_address(get_client_address())
    elif request.path not in UNLIMITED_PATHS:
        name = classify_request()
        who = get_client_address() if name in BY_ADDRESS else identify_client()
        if name in UNCOUNTED_IF_REFUSED:
            get_rate_limits().count_request("writes", who, get_client_address())
        get_rate_limits().count_request(name, who, get_client_address())
        g.counted = name, who, get_client_address()  # only after the count: a refused request is not given back


def is_cheap_for_others() -> bool:
    """Return whether the request counts only for its address.

    A preflight and a file of the page have no token and change nothing; who judges positions on the machine itself
    takes from nobody.
    """
    operation = name_operation()
    is_own_question = operation in POSITION_OPERATIONS and is_local_request()
    return request.method == "OPTIONS" or operation in PAGE_OPERATIONS or is_own_question


def refund_request(response: Response) -> Response:
    """Give back a request that was answered with 304, or that opened nothing."""
    counted = g.pop("counted", None)
    if counted is not None and response.status_code == 304:
        get_rate_limits().give_back(*counted)
    elif counted is not None and counted[0] in UNCOUNTED_IF_REFUSED and response.status_code >= 400:
        get_rate_limits().uncount_request(*counted[:2])
    return response


def get_rate_limits() -> RateLimits:
    """Return the counters of this app."""
    found: RateLimits = current_app.config["LIMITS"]
    return found


def init_app(app: Flask, storage: str, rates: dict[str, Any], connections: Any = None) -> None:
    """Register the limits for every request, even for one without a route.

    `storage` is the URL of the server that counts, or `memory://`; `connections` is a pool of connections to that
    server.
    """
    shared: Any = None
    if storage != "memory://":
        given = {} if connections is None else {"connection_pool": connections}
        shared = storage_from_string(storage, key_prefix="referee", wrap_exceptions=True, **given)
    app.config["LIMITS"] = RateLimits({**DEFAULTS, **rates}, shared)
    app.before_request(count_current_request)
    app.after_request(refund_request)
